//! Text or file to model.

use crate::disk::DiskAssets;
use crate::mjb::{self, MjbError};
use ligament_compile::compile;
use ligament_mjcf::assets::{Assets, NoAssets};
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::Spec;
use ligament_model::Model;
use ligament_model::binary::{BinaryError, MAGIC};
use ligament_sim::parts::{PartError, PartLibrary};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Why a file is not a model.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum OpenError {
    #[error("cannot read '{path}': {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("'{path}': {source}")]
    Binary { path: PathBuf, source: BinaryError },
    #[error("'{path}': {source}")]
    Mjb { path: PathBuf, source: MjbError },
    #[error("'{path}': {source}")]
    Part { path: PathBuf, source: PartError },
    #[error(transparent)]
    Mjcf(#[from] MjcfError),
}

/// Loads a model file of any kind: MJCF, URDF, or a compiled model of Ligament or of MuJoCo 3.5.0.
pub fn open_model(path: impl AsRef<Path>) -> std::result::Result<Model, OpenError> {
    open_model_with_assets(path, &DiskAssets)
}

/// Loads a model file of any kind; it and the files it names come from `assets`, which also grants the memory.
///
/// A model from a stranger sees nothing but its own folder through [`FolderAssets`](crate::FolderAssets):
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = ligament::FolderAssets::new("downloads/robot")?;
/// let model = ligament::open_model_with_assets("robot.xml", &folder)?;
/// # Ok(())
/// # }
/// ```
pub fn open_model_with_assets(
    path: impl AsRef<Path>,
    assets: &dyn Assets,
) -> std::result::Result<Model, OpenError> {
    let (path, name) = (path.as_ref(), path.as_ref().to_string_lossy());
    match assets.read(&name) {
        Some(bytes) if starts_compiled(&bytes) => return read_compiled(path, &bytes, assets),
        Some(_) => {}
        None => {
            if let Some(why) = assets.refusal(&name) {
                let source = std::io::Error::other(why);
                return Err(OpenError::Read { path: path.to_path_buf(), source });
            }
        }
    }
    // a file that is not there is reported by the reader, in MuJoCo's words
    Ok(compile(&parse_mjcf_file_with_assets(&name, assets)?, assets)?)
}

/// Does the file start like a compiled model?
pub fn is_compiled(path: impl AsRef<Path>) -> bool {
    let mut start = [0; MAGIC.len()];
    if !path.as_ref().is_file() {
        return false;
    }
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && starts_compiled(&start)
}

/// Do these bytes start like a compiled model?
pub(crate) fn starts_compiled(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || is_mjb(bytes)
}

/// Do these bytes start like a binary model of MuJoCo?
fn is_mjb(bytes: &[u8]) -> bool {
    bytes.starts_with(&mjb::ID.to_le_bytes())
}

/// The model in the bytes of a compiled file, Ligament's or MuJoCo's.
pub fn model_from_bytes(bytes: &[u8], path: impl AsRef<Path>) -> std::result::Result<Model, OpenError> {
    model_from_bytes_with_parts(bytes, path, &PartLibrary::new())
}

/// [`model_from_bytes`] for models with parts of one's own, which the library makes.
pub fn model_from_bytes_with_parts(
    bytes: &[u8],
    path: impl AsRef<Path>,
    library: &PartLibrary,
) -> std::result::Result<Model, OpenError> {
    let path = || path.as_ref().to_path_buf();
    if is_mjb(bytes) {
        return mjb::read(bytes).map_err(|source| OpenError::Mjb { path: path(), source });
    }
    let mut model = Model::from_bytes(bytes).map_err(|source| OpenError::Binary { path: path(), source })?;
    library.complete(&mut model).map_err(|source| OpenError::Part { path: path(), source })?;
    Ok(model)
}

pub(crate) fn read_compiled(
    path: &Path,
    bytes: &[u8],
    assets: &dyn Assets,
) -> std::result::Result<Model, OpenError> {
    if is_mjb(bytes) {
        // its arrays are as long as the file, so it needs no budget
        return model_from_bytes(bytes, path);
    }
    let budget = assets.memory().saturating_add(bytes.len() as u64);
    let path = || path.to_path_buf();
    let mut model = Model::from_bytes_within(bytes, budget)
        .map_err(|source| OpenError::Binary { path: path(), source })?;
    PartLibrary::new().complete(&mut model).map_err(|source| OpenError::Part { path: path(), source })?;
    Ok(model)
}

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
