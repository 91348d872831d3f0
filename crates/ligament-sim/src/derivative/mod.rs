//! Velocity derivatives of the smooth forces, and finite differences of whole steps.

mod fluid;
pub mod smooth;
