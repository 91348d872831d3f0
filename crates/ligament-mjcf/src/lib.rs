//! MJCF and URDF: text to [`spec::Spec`] and back.
#![deny(missing_docs)]

pub mod asset_paths;
pub mod assets;
pub mod diag;
pub mod formats;
mod keywords;
mod origin;
pub mod paths;
mod read;
pub mod schema;
pub mod spec;
mod values;
pub mod write;
mod xml;

pub use diag::{Diagnostic, MjcfError, Result};
pub use read::{problems_in_file, read_file, read_str};
pub use spec::Spec;
pub use write::{write, write_compiled};
