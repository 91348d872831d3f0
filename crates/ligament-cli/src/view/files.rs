//! Which files a model was made of, and whether they have changed since.

use ligament::Assets;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Time between two looks at the files.
const INTERVAL: Duration = Duration::from_millis(250);

/// Files of another source; remembers which ones were read.
pub struct Noted<'a> {
    files: &'a dyn Assets,
    names: Mutex<BTreeSet<String>>,
}

impl<'a> Noted<'a> {
    pub fn new(files: &'a dyn Assets) -> Self {
        Self { files, names: Mutex::default() }
    }

    pub fn names(self) -> Vec<String> {
        self.names.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}

impl Assets for Noted<'_> {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        self.files.read(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.files.exists(path)
    }

    fn refusal(&self, path: &str) -> Option<String> {
        self.files.refusal(path)
    }

    fn memory(&self) -> u64 {
        self.files.memory()
    }
}

/// When a file was written, and how long it was then; nothing while it does not exist.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(name: &str) -> Stamp {
    let about = std::fs::metadata(name).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// Looks at files now and then.
#[derive(Default)]
pub struct Watch {
    files: Vec<(String, Stamp)>,
    looked: Option<Instant>,
    /// Stamps that differ from those of the model, seen once: the file may still be being written.
    seen: Option<Vec<Stamp>>,
}

impl Watch {
    pub fn new(names: Vec<String>) -> Self {
        let files = names.into_iter().map(|name| (stamp(&name), name)).map(|(s, name)| (name, s)).collect();
        Self { files, looked: Some(Instant::now()), seen: None }
    }

    /// Whether a file has changed and then stayed as it is for one look.
    pub fn has_changed(&mut self) -> bool {
        if self.looked.is_some_and(|at| at.elapsed() < INTERVAL) {
            return false;
        }
        self.looked = Some(Instant::now());
        let now: Vec<Stamp> = self.files.iter().map(|(name, _)| stamp(name)).collect();
        if now.iter().zip(&self.files).all(|(now, (_, then))| now == then) {
            self.seen = None;
            return false;
        }
        let settled = self.seen.as_ref() == Some(&now);
        self.seen = Some(now);
        settled
    }
}
