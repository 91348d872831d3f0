//! Specification to immutable model, one pass a file.

pub mod error;
pub mod frames;
pub mod geoms;
pub mod index;
pub mod inertia;
pub mod joints;
pub mod markers;
pub mod pose;
pub mod tree;
