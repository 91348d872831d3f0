//! MJCF and URDF: text to [`spec::Spec`] and back.

pub mod asset;
pub mod assets;
pub mod diag;
pub mod expand;
pub mod paths;
pub mod read;
pub mod schema;
pub mod spec;
pub mod urdf;
pub mod values;
pub mod write;
pub mod xml;

pub use diag::{Diagnostic, MjcfError, Result};
pub use read::{problems_in_file, read_file, read_str};
pub use spec::Spec;
pub use write::{write, write_compiled};
