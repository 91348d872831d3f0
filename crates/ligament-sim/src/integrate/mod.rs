//! Time integrators.
