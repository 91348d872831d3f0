//! Constraint solvers.
