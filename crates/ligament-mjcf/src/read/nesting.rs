//! What the reader of a model shares with those of the models inside it.

use std::cell::Cell;
use std::rc::Rc;

/// Model files may contain model files to this depth.
const MAX_DEPTH: usize = 32;

/// Bytes of a model's budget for each element that replicates and attachments may look at.
const BYTES_PER_LOOK: u64 = 32;

/// Files that are being read, and the work that is left.
#[derive(Clone)]
pub(super) struct Nesting {
    /// Outermost first.
    files: Vec<String>,
    /// Each replicate and each attachment looks at all elements that the model has so far: as often as they like, they may not.
    looks: Rc<Cell<u64>>,
}

impl Nesting {
    /// Nothing is being read; a model may take so many bytes.
    pub(super) fn new(memory: u64) -> Self {
        Self { files: Vec::new(), looks: Rc::new(Cell::new(memory / BYTES_PER_LOOK)) }
    }

    /// One file further in.
    pub(super) fn inside(mut self, file: &str) -> Self {
        self.files.push(file.to_string());
        self
    }

    /// Is the file being read already, or nested too deep?
    pub(super) fn is_circular(&self, file: &str) -> bool {
        self.files.iter().any(|f| f == file) || self.files.len() > MAX_DEPTH
    }

    /// Counts elements that are looked at; false when that are too many.
    pub(super) fn look(&self, elements: u64) -> bool {
        let left = self.looks.get();
        self.looks.set(left.saturating_sub(elements));
        elements <= left
    }
}
