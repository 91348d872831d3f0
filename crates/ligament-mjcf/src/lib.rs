//! MJCF and URDF: text to [`spec::Spec`] and back.

pub mod assets;
pub mod diag;
pub mod expand;
pub mod spec;

pub use diag::{Diagnostic, MjcfError, Result};
pub use spec::Spec;
