//! Macros of the format: elements that stand for many others.

pub mod flexcomp;
