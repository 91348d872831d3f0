//! Small fixed-size and sparse algebra on plain arrays.
//!
//! Conventions: vectors are `[f64; 3]`, quaternions `[f64; 4]` as (w, x, y, z), 3×3 matrices `[f64; 9]` by rows,
//! spatial vectors `[f64; 6]` with the rotational part first.
#![deny(missing_docs)]

pub mod band;
pub mod box_qp;
pub mod cholesky;
pub mod csr;
pub mod dense;
pub mod eigen;
pub mod four;
pub mod mat3;
pub mod nodes;
pub mod number;
pub mod ordered;
pub mod places;
pub mod quat;
pub mod quat_derivative;
pub mod simd;
pub mod sparse;
pub mod spatial;
pub mod team;
pub mod vec3;

pub use number::Number;

/// Smallest denominator (the reference's `mjMINVAL`).
pub const MINVAL: f64 = 1e-15;

/// A vector.
pub type Vec3 = [f64; 3];
/// A quaternion: w, x, y, z.
pub type Quat = [f64; 4];
/// A 3×3 matrix, by rows.
pub type Mat3 = [f64; 9];
/// A spatial vector: rotational part first.
pub type Vec6 = [f64; 6];
/// Inertia of a body about a point: the six entries xx, yy, zz, xy, xz, yz, the first moment, the mass.
pub type Inertia10 = [f64; 10];
