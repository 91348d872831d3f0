//! Threads that work on one large scene. Work is cut where it does not depend on each other and results are put together
//! in a fixed order, so that numbers do not depend on the number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Most threads of a state.
pub const MAX_THREADS: usize = 256;

static POOLS: Mutex<BTreeMap<usize, Arc<ThreadPool>>> = Mutex::new(BTreeMap::new());

/// The pool with so many threads, which all states with this setting share. `None`: work is done by the caller, because
/// there is one thread, or because the system gives no more.
pub(crate) fn pool(threads: usize) -> Option<Arc<ThreadPool>> {
    if threads < 2 {
        return None;
    }
    let threads = threads.min(MAX_THREADS);
    // a map is whole after a panic, too: entries are made in one step
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&threads) {
        return Some(pool.clone());
    }
    let name = |k: usize| format!("ligament-{k}");
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?);
    pools.insert(threads, pool.clone());
    Some(pool)
}

/// What can be cut in two: places in a list, or the items themselves.
pub(crate) trait Cut: Send + Sized {
    fn count(&self) -> usize;
    fn cut(self, at: usize) -> (Self, Self);
}

impl Cut for Range<usize> {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let middle = self.start + at;
        (self.start..middle, middle..self.end)
    }
}

impl<T: Send> Cut for &mut [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// Cuts items into parts of about the same length, one a piece, and does the work of each part with its piece, side by side
/// where a pool runs this.
pub(crate) fn share_out<I: Cut, P: Send>(items: I, pieces: &mut [P], work: &(impl Fn(I, &mut P) + Sync)) {
    if let [piece] = pieces {
        return work(items, piece);
    }
    let (first, second) = pieces.split_at_mut(pieces.len() / 2);
    let middle = items.count() * first.len() / (first.len() + second.len());
    let (left, right) = items.cut(middle);
    rayon::join(|| share_out(left, first, work), || share_out(right, second, work));
}
