//! Specification to immutable model, one pass a file.

pub mod error;
pub mod index;
pub mod pose;
pub mod tree;
