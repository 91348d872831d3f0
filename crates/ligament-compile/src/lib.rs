//! Specification to immutable model, one pass a file.

pub mod index;
