//! Ligament loads MJCF and URDF models and simulates them as MuJoCo 3.5.0 does.
//!
//! [`load_model_from_file`] and [`load_model`] make a [`Model`]; [`Data`] is the state of one simulation of it.

mod assets;
mod load;

pub use assets::{DiskAssets, LayeredAssets};
pub use ligament_compile::compile;
pub use ligament_mjcf::assets::{Assets, MemoryAssets, NoAssets};
pub use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
pub use ligament_mjcf::spec;
pub use ligament_mjcf::spec::Spec;
pub use ligament_mjcf::write::write;
pub use ligament_model::{Data, Model, enums, option};
pub use ligament_sim as sim;
pub use load::{
    load_model, load_model_from_file, load_model_with_assets, parse_mjcf_file, parse_mjcf_file_with_assets,
    parse_mjcf_str, parse_mjcf_str_with_assets,
};
