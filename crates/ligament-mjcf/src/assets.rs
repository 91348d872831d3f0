//! Where files come from, and how much memory a model may ask for. Reading and compiling never touch the disk
//! themselves.

use crate::paths::base_name;
use ligament_model::limits::DEFAULT_MEMORY;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A source of files: the disk, memory, or whatever the host offers.
pub trait Assets: Sync {
    /// Content of the file with this name; `None` when there is none.
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>>;

    /// Is there a file with this name?
    fn exists(&self, path: &str) -> bool {
        self.read(path).is_some()
    }

    /// Why a file that may well be there is not given; `None` when nothing more is known.
    fn refusal(&self, _path: &str) -> Option<String> {
        None
    }

    /// Bytes that one model may take for what its text asks for: copies, decoded files, arrays.
    fn memory(&self) -> u64 {
        DEFAULT_MEMORY
    }

    /// Takes so many bytes off what is left for the model that is being read or compiled.
    fn charge(&self, bytes: u64) -> Result<(), OverBudget> {
        if bytes <= self.memory() { Ok(()) } else { Err(OverBudget { budget: self.memory() }) }
    }
}

/// More memory was asked for than a model may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("model needs more memory than its budget of {} MB", budget >> 20)]
pub struct OverBudget {
    /// Bytes that were granted in all.
    pub budget: u64,
}

impl OverBudget {
    /// What to do about it.
    pub const REMEDY: &'static str = "use smaller counts and sizes, or grant more memory";
}

/// Content of a file, or the complaint that there is none.
pub fn open<'a>(assets: &'a dyn Assets, path: &str) -> Result<Cow<'a, [u8]>, String> {
    assets.read(path).ok_or_else(|| match assets.refusal(path) {
        Some(why) => format!("Error opening file '{path}': {why}"),
        None => format!("Error opening file '{path}'"),
    })
}

/// Files of another source, for one model: what is read and asked for is counted against the budget.
pub struct Metered<'a> {
    assets: &'a dyn Assets,
    left: AtomicU64,
}

/// Bytes in memory for a byte of a file, once it is decoded.
const DECODED: u64 = 2;

impl<'a> Metered<'a> {
    /// The whole budget is left.
    pub fn new(assets: &'a dyn Assets) -> Self {
        Self { assets, left: AtomicU64::new(assets.memory()) }
    }
}

impl Assets for Metered<'_> {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        let bytes = self.assets.read(path)?;
        self.charge(DECODED * bytes.len() as u64).ok().map(|()| bytes)
    }

    fn exists(&self, path: &str) -> bool {
        self.assets.exists(path)
    }

    fn refusal(&self, path: &str) -> Option<String> {
        let over = || self.assets.exists(path).then(|| OverBudget { budget: self.memory() }.to_string());
        self.assets.refusal(path).or_else(over)
    }

    fn memory(&self) -> u64 {
        self.assets.memory()
    }

    fn charge(&self, bytes: u64) -> Result<(), OverBudget> {
        let left =
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        left.map(|_| ()).map_err(|_| OverBudget { budget: self.memory() })
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
        find_file(&self.0, path).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

/// The content of the file with this name, or else of one with the same last part of its name, in any case.
pub fn find_file<'a, T>(files: &'a BTreeMap<String, T>, path: &str) -> Option<&'a T> {
    let same_name = || {
        let name = base_name(path);
        files.iter().find(|(key, _)| base_name(key).eq_ignore_ascii_case(name)).map(|(_, content)| content)
    };
    files.get(path).or_else(same_name)
}
