//! Composite inertia, the mass matrix, its factor and solves.
