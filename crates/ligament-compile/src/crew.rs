//! Independent work on all cores, with results in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// More threads than this cost more memory than they save time.
const MAX_THREADS: usize = 8;

/// `work(0), …, work(count - 1)`, side by side when asked. Who computes what does not matter to the results.
pub fn map<R: Send>(count: usize, parallel: bool, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    // how many cores there are is read from files: not asked where one is enough
    let cores = || thread::available_parallelism().map_or(1, |n| n.get());
    let threads = if parallel && count > 1 { cores().min(count).min(MAX_THREADS) } else { 1 };
    if threads < 2 {
        return (0..count).map(work).collect();
    }
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let take_turns = || {
        while let i = next.fetch_add(1, Ordering::Relaxed)
            && let Some(slot) = results.get(i)
        {
            let result = work(i);
            *slot.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // where the system gives no more threads, the ones that are there do the work
            if thread::Builder::new().spawn_scoped(scope, take_turns).is_err() {
                break;
            }
        }
        take_turns();
    });
    let done = |slot: Mutex<Option<R>>| slot.into_inner().unwrap_or_else(|e| e.into_inner());
    results.into_iter().map(|slot| done(slot).expect("all were taken, none panicked")).collect()
}

/// Two things, side by side when asked.
pub fn both<A: Send, B: Send>(
    parallel: bool,
    first: impl Fn() -> A + Sync,
    second: impl Fn() -> B + Sync,
) -> (A, B) {
    enum Either<A, B> {
        First(A),
        Second(B),
    }
    let work = |k: usize| if k == 0 { Either::First(first()) } else { Either::Second(second()) };
    let mut done = map(2, parallel, work).into_iter();
    match (done.next(), done.next()) {
        (Some(Either::First(a)), Some(Either::Second(b))) => (a, b),
        _ => unreachable!("results come in order"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done() {
        for parallel in [false, true] {
            assert_eq!(both(parallel, || 1, || "two"), (1, "two"));
        }
    }

    #[test]
    fn results_come_in_order() {
        let square = |i: usize| i * i;
        let expected: Vec<usize> = (0..1000).map(square).collect();
        assert_eq!(map(1000, true, square), expected);
        assert_eq!(map(1000, false, square), expected);
        assert!(map(0, true, square).is_empty());
    }
}
