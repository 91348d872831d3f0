//! Velocity derivatives of the smooth forces.

mod fluid;
pub mod smooth;
