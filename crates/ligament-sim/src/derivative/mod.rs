//! Velocity derivatives of the smooth forces.

mod fluid;
pub(crate) mod part;
pub mod smooth;
