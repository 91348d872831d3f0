//! Pure geometry: shapes, distances, hulls and trees. Knows no model.

pub mod ccd;
pub mod contact;
pub mod convex;
mod epa;
pub mod gjk;
pub mod hfield;
mod manifold;
pub mod mpr;
pub mod pairs;
pub mod sdf;
pub mod shape;
mod simplex;
