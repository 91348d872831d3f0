//! Where models and their files come from: the disk, or only the folder of the model.

use crate::args::Source;
use anyhow::Context;
use ligament::{Assets, DiskAssets, FolderAssets, GrantedAssets, Model};
use std::path::{Path, PathBuf};

impl Source {
    /// The path to open a model by, and the files it may see.
    pub fn files(&self, model: &Path) -> anyhow::Result<(PathBuf, Box<dyn Assets>)> {
        let memory = self.memory << 20;
        if !self.sandbox {
            return Ok((model.to_path_buf(), Box::new(GrantedAssets { files: DiskAssets, memory })));
        }
        let folder = model.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let files = FolderAssets::new(folder)
            .with_context(|| format!("cannot open folder '{}'", folder.display()))?;
        let path = files.root().join(model.file_name().unwrap_or_default());
        Ok((path, Box::new(GrantedAssets { files, memory })))
    }

    /// Loads a model file of any kind.
    pub fn open(&self, model: &Path) -> anyhow::Result<Model> {
        let (path, files) = self.files(model)?;
        Ok(ligament::open_model_with_assets(path, &*files)?)
    }
}
