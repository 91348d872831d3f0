//! Velocity derivatives of the smooth forces.

mod fluid;
pub(crate) mod part;
mod rows;
pub mod smooth;
