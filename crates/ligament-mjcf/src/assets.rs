//! Where files come from. Reading and compiling never touch the disk themselves.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// A source of files: the disk, memory, or whatever the host offers.
pub trait Assets {
    /// Content of the file with this name; `None` when there is none.
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Is there a file with this name?
    fn exists(&self, path: &str) -> bool {
        self.read(path).is_some()
    }
}

/// No files at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAssets;

impl Assets for NoAssets {
    fn read(&self, _path: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// Files in memory, by name.
#[derive(Debug, Clone, Default)]
pub struct MemoryAssets(pub BTreeMap<String, Vec<u8>>);

impl Assets for MemoryAssets {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(path).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}
