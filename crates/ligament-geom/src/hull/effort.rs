//! How many operations hulls and octrees may take.

use std::sync::atomic::{AtomicU64, Ordering};

/// Operations that are left for hulls and octrees; those that are built side by side share it.
#[derive(Debug)]
pub struct Effort(AtomicU64);

impl Effort {
    /// So many operations (heights of points above facets, visits of corners and edges, triangles looked at).
    pub fn new(operations: u64) -> Self {
        Self(AtomicU64::new(operations))
    }

    /// As many as it takes.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// How many are left.
    pub fn left(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Takes operations off; false when there are not enough left, and from then on.
    pub fn charge(&self, operations: u64) -> bool {
        let take = |left: u64| Some(left.saturating_sub(operations));
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok_and(|left| left > operations)
    }
}
