//! Everything that is wrong with a model file.

use crate::disk::DiskAssets;
use crate::load::{OpenError, read_compiled, starts_compiled};
use ligament_compile::compile;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::{Diagnostic, MjcfError};
use ligament_model::Model;
use std::path::Path;

/// What was found in a model file.
#[derive(Debug, Default)]
pub struct Findings {
    /// Why it cannot be used; empty for a good model.
    pub errors: Vec<OpenError>,
    /// What is odd about it.
    pub warnings: Vec<Diagnostic>,
    /// The model, if there is no error.
    pub model: Option<Model>,
}

/// Loads a model file and reports as many problems as can be told apart.
pub fn check_file(path: impl AsRef<Path>) -> Findings {
    check_file_with_assets(path, &DiskAssets)
}

/// As [`check_file`]; the file and those it names come from `assets`, which also grants the memory.
pub fn check_file_with_assets(path: impl AsRef<Path>, assets: &dyn Assets) -> Findings {
    let path = path.as_ref();
    let name = path.to_string_lossy();
    if let Some(bytes) = assets.read(&name).filter(|bytes| starts_compiled(bytes)) {
        return match read_compiled(path, &bytes, assets) {
            Ok(model) => Findings { model: Some(model), ..Findings::default() },
            Err(error) => Findings { errors: vec![error], ..Findings::default() },
        };
    }
    let failed = |errors: Vec<MjcfError>, warnings| Findings {
        errors: errors.into_iter().map(OpenError::Mjcf).collect(),
        warnings,
        model: None,
    };
    match ligament_mjcf::read_file(&name, assets) {
        Err(_) => failed(ligament_mjcf::problems_in_file(&name, assets), Vec::new()),
        Ok(spec) => match compile(&spec, assets) {
            Ok(model) => Findings { errors: Vec::new(), warnings: spec.warnings, model: Some(model) },
            Err(error) => failed(vec![error], spec.warnings),
        },
    }
}
