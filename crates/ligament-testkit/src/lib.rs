//! Entry points for hostile input. Each takes bytes or text that may be anything and must return: no panic, no
//! endless loop, no memory beyond what the input justifies. `fuzz/` drives them with libFuzzer, the tests of this
//! crate with a few hundred random cases each.

#![deny(missing_docs)]

pub mod assets;
pub mod attach;
pub mod binary_model;
pub mod mjcf;
mod numbers;
pub mod shape_pairs;
pub mod states;

pub use numbers::Numbers;
