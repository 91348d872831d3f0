//! Tendon lengths and Jacobians.
