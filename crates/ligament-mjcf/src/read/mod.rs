//! MJCF text to [`Spec`]: one file a section.

use crate::assets::Assets;
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::paths;
use crate::spec::Spec;
use crate::urdf;
use crate::xml::Tree;
use std::sync::Arc;

/// Model files may contain model files to this depth.
const MAX_MODEL_NESTING: usize = 32;

/// What reading carries along.
pub struct Reader<'a> {
    /// The model so far.
    pub spec: Spec,
    /// Where included files and the files of macros come from.
    pub assets: &'a dyn Assets,
    /// Models of `<asset><model>`; [`Spec::modelname`] is the name `<attach>` knows them by.
    pub models: Vec<Spec>,
    /// Files that are being read, outermost first.
    files: Vec<String>,
}

/// Reads a model from text. `file_name` is used in messages, `model_dir` is where its files are looked up.
pub fn read_str(text: &str, file_name: &str, model_dir: &str, assets: &dyn Assets) -> Result<Spec> {
    read_document(text, file_name, model_dir, assets, Vec::new())
}

/// Reads a model file.
pub fn read_file(path: &str, assets: &dyn Assets) -> Result<Spec> {
    read_model_file(path, assets, Vec::new())
}

fn read_model_file(path: &str, assets: &dyn Assets, files: Vec<String>) -> Result<Spec> {
    let bytes = assets.read(path).ok_or_else(|| {
        MjcfError::Asset(Diagnostic::new(format!("Error opening file '{path}'")).help("check the path"))
    })?;
    if bytes.is_empty() {
        return Err(MjcfError::XmlParse(Diagnostic::new(format!("empty file '{path}'"))));
    }
    let text = String::from_utf8_lossy(&bytes);
    read_document(&text, path, paths::directory(path), assets, files)
}

fn read_document(
    text: &str,
    file_name: &str,
    model_dir: &str,
    assets: &dyn Assets,
    mut files: Vec<String>,
) -> Result<Spec> {
    let file: Arc<str> = file_name.into();
    let tree = Tree::parse(text, &file)?;
    files.push(file_name.to_string());
    let mut reader = Reader { spec: Spec::default(), assets, models: Vec::new(), files };
    reader.spec.compilers[0].modeldir = model_dir.to_string();
    let root = tree.root();
    match root.name() {
        "robot" => urdf::read_robot(&mut reader, root)?,
        other => {
            return Err(MjcfError::Unsupported(
                root.complain(format!("Unrecognized XML model type: '{other}'")),
            ));
        }
    }
    reader.spec.warnings.append(&mut tree.warnings.borrow_mut());
    Ok(reader.spec)
}

impl Reader<'_> {
    /// Reads another model file, such as that of a `<model>` asset; a file inside itself is an error.
    pub fn read_nested(&self, path: &str) -> Result<Spec> {
        if self.files.iter().any(|f| f == path) || self.files.len() > MAX_MODEL_NESTING {
            let message = format!("model file '{path}' contains itself");
            return Err(MjcfError::CircularInclude(Diagnostic::new(message)));
        }
        read_model_file(path, self.assets, self.files.clone())
    }
}
