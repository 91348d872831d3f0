//! Specification to immutable model, one pass a file.

pub mod discardvisual;
pub mod error;
pub mod finish;
pub mod frames;
pub mod fusestatic;
pub mod geoms;
pub mod index;
pub mod inertia;
pub mod joints;
pub mod markers;
pub mod names;
pub mod pose;
pub mod sizes;
pub mod sparse;
pub mod topology;
pub mod tree;
