//! Deformable bodies: vertices, edges, elasticity, contacts.
