//! Files that Python gives by name. Their bytes stay where they are: a copy of a large one could be too much for the process.

use ligament::{Assets, DiskAssets, LayeredAssets};
use ligament_mjcf::assets::find_file;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Contents by names, as `ligament._structs.file_contents` makes them.
#[derive(FromPyObject)]
pub struct Files(BTreeMap<String, PyBackedBytes>);

impl Files {
    /// With the files on disk behind them.
    pub fn layered(self) -> LayeredAssets<Self, DiskAssets> {
        LayeredAssets(self, DiskAssets)
    }
}

impl Assets for Files {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        find_file(&self.0, path).map(|bytes| Cow::Borrowed(&**bytes))
    }
}
