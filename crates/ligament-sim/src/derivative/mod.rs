//! Velocity derivatives of the smooth forces, and finite differences of whole steps.

pub mod finite;
mod fluid;
pub mod smooth;
