//! Text or file to model.

use crate::assets::DiskAssets;
use ligament_compile::compile;
use ligament_mjcf::assets::{Assets, NoAssets};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Spec;
use ligament_model::Model;
use std::path::Path;

/// Loads an MJCF or URDF file with everything it includes and refers to.
pub fn load_model_from_file(path: impl AsRef<Path>) -> Result<Model> {
    compile(&parse_mjcf_file(path)?, &DiskAssets)
}

/// Loads a model from text that needs no other files.
pub fn load_model(xml: &str) -> Result<Model> {
    load_model_with_assets(xml, &NoAssets)
}

/// Loads a model from text; files it names come from `assets`.
pub fn load_model_with_assets(xml: &str, assets: &dyn Assets) -> Result<Model> {
    compile(&parse_mjcf_str_with_assets(xml, assets)?, assets)
}

/// Reads a file to a specification that can be changed before it is compiled.
pub fn parse_mjcf_file(path: impl AsRef<Path>) -> Result<Spec> {
    ligament_mjcf::read_file(&path.as_ref().to_string_lossy(), &DiskAssets)
}

/// Reads a file, itself also from `assets`, to a specification.
pub fn parse_mjcf_file_with_assets(path: &str, assets: &dyn Assets) -> Result<Spec> {
    ligament_mjcf::read_file(path, assets)
}

/// Reads text that needs no other files to a specification.
pub fn parse_mjcf_str(xml: &str) -> Result<Spec> {
    ligament_mjcf::read_str(xml, "", "", &NoAssets)
}

/// Reads text to a specification; files it names come from `assets`.
pub fn parse_mjcf_str_with_assets(xml: &str, assets: &dyn Assets) -> Result<Spec> {
    ligament_mjcf::read_str(xml, "", "", assets)
}
