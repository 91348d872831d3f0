//! Threads that work on one large scene. Work is cut where it does not depend on each other and results are put together
//! in a fixed order, so that numbers do not depend on the number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
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
