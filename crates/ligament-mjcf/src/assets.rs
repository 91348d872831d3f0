//! Where files come from. Reading and compiling never touch the disk themselves.

use crate::paths::base_name;
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

/// Files in memory, by name. A file that is not known by its full name is found by its last part, in any case.
#[derive(Debug, Clone, Default)]
pub struct MemoryAssets(pub BTreeMap<String, Vec<u8>>);

impl Assets for MemoryAssets {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let exact = self.0.get(path);
        let same_name = || {
            let name = base_name(path);
            let mut files = self.0.iter();
            files.find(|(key, _)| base_name(key).eq_ignore_ascii_case(name)).map(|(_, bytes)| bytes)
        };
        exact.or_else(same_name).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}
