//! Constraint islands.
