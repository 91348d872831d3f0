//! The model format: what it allows, and which files a model needs.

use ligament::{Assets, DiskAssets};
use ligament_mjcf::schema::{Occurrence, schema};
use ligament_py_macros::entry;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use std::sync::Mutex;

/// Depth, name, how often it may occur, and attributes of every element.
#[entry]
fn _schema() -> Vec<(usize, &'static str, &'static str, Vec<&'static str>)> {
    let describe = |rule: &'static ligament_mjcf::schema::Rule| {
        let depth = if rule.path.is_empty() { 0 } else { rule.path.split('/').count() };
        let occurrence = match rule.occurrence {
            Occurrence::Once => "once",
            Occurrence::Optional => "optional",
            Occurrence::Any => "any",
            Occurrence::Recursive => "recursive",
        };
        (depth, rule.name(), occurrence, rule.attributes.clone())
    };
    schema().rules().iter().map(describe).collect()
}

/// Files on disk, with a list of those that were read.
#[derive(Default)]
struct Recorder(Mutex<Vec<String>>);

impl Assets for Recorder {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let content = DiskAssets.read(path)?;
        let mut files = self.0.lock().unwrap_or_else(|e| e.into_inner());
        if !files.iter().any(|file| file == path) {
            files.push(path.to_owned());
        }
        Some(content)
    }
}

/// All files that a model file needs, itself first.
#[entry]
fn _dependencies(path: &str) -> PyResult<Vec<String>> {
    let files = Recorder::default();
    let spec = ligament::parse_mjcf_file_with_assets(path, &files);
    let in_order = |mut spec: ligament::Spec| {
        spec.compilers[0].usethread = false;
        ligament::compile(&spec, &files)
    };
    spec.and_then(in_order).map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(files.0.into_inner().unwrap_or_else(|e| e.into_inner()))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_schema, module)?)?;
    module.add_function(wrap_pyfunction!(_dependencies, module)?)
}
