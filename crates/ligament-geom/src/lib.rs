//! Pure geometry: shapes, distances, masses, hulls and trees. Knows no model.
#![deny(missing_docs)]

pub mod bvh;
pub mod ccd;
pub mod contact;
pub mod convex;
mod epa;
mod gjk;
pub mod hfield;
pub mod hull;
mod manifold;
pub mod marching_cubes;
pub mod mesh_distance;
pub mod mesh_mass;
pub mod mpr;
pub mod octree;
pub mod pairs;
pub mod polygon;
pub mod ray;
pub mod sdf;
pub mod sdf_shapes;
mod select;
pub mod shape;
mod simplex;
pub mod surface;

/// Smallest length the model compiler tells from zero (the reference's `mjEPS`).
pub const EPS: f64 = 1e-14;
