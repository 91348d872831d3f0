//! Threads that work off the worlds of a call.
//!
//! All batches of a process share one set of helper threads ([`Pool::shared`]), so that several batches at work at
//! the same time share the cores instead of fighting over them. The thread that makes a call works too; helpers that
//! are free join it. Each participant starts with a span of neighbouring worlds, which are then the same ones in
//! every call (their rows are still in its cache), and takes half of what another one has left when its own span is
//! empty. One heavy world therefore holds nobody but its own thread. Where pieces of work are large, smaller ones can be
//! kept for the end ([`Pool::run_in_rounds`]), so that all threads end at about the same time.
#![allow(unsafe_code)] // a call lends its closure to threads that outlive it

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a waiting thread looks before it sleeps. Waking sixteen of them costs as much, and so does what a learner does
/// between two calls.
const PATIENCE: Duration = Duration::from_micros(200);

/// Looks between two looks at the clock.
const SPINS: usize = 256;

/// Looks until `done` or until patience is over; says whether it is done.
fn spin(done: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    loop {
        for _ in 0..SPINS {
            if done() {
                return true;
            }
            std::hint::spin_loop();
        }
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::yield_now();
    }
}

/// Runs one item: the participant's place in the team, and the number of the item.
pub type Work<'a> = dyn Fn(usize, usize) + Sync + 'a;

/// Items `start..end` that are still to be done, packed so that both change at once. Alone on its cache line.
#[repr(align(128))]
struct Span(AtomicU64);

impl Span {
    const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    fn pack(start: u32, end: u32) -> u64 {
        u64::from(start) << 32 | u64::from(end)
    }

    fn unpack(packed: u64) -> (u32, u32) {
        ((packed >> 32) as u32, packed as u32)
    }

    fn set(&self, start: u32, end: u32) {
        self.0.store(Self::pack(start, end), Ordering::Release);
    }

    /// Replaces the span by what `choose` leaves of it; gives what was taken away.
    fn split(&self, choose: impl Fn(u32, u32) -> u32) -> Option<(u32, u32)> {
        let mut seen = self.0.load(Ordering::Acquire);
        loop {
            let (start, end) = Self::unpack(seen);
            if start >= end {
                return None;
            }
            let cut = choose(start, end);
            let (left, taken) = if cut > start && cut < end {
                // a thief takes the end
                (Self::pack(start, cut), (cut, end))
            } else {
                // the owner takes the first item, or a thief the only one
                (Self::pack(start + 1, end), (start, start + 1))
            };
            match self.0.compare_exchange_weak(seen, left, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Some(taken),
                Err(now) => seen = now,
            }
        }
    }

    /// The owner's next item.
    fn next(&self) -> Option<u32> {
        self.split(|start, _| start).map(|(item, _)| item)
    }

    /// The upper half of what is left.
    fn steal(&self) -> Option<(u32, u32)> {
        self.split(|start, end| start + (end - start) / 2)
    }
}

/// Items are done in so many rounds: nobody begins with the next one while there is something left of the one before.
const ROUNDS: usize = 2;

/// The places of the threads that may take part in a call. Kept between calls, so that a call allocates nothing.
pub struct Team {
    /// Of each round, a span for each place.
    spans: [Box<[Span]>; ROUNDS],
    taken: Box<[AtomicBool]>,
}

impl Team {
    /// Places for `threads` threads, the caller's among them.
    pub fn new(threads: usize) -> Self {
        let threads = threads.max(1);
        Self {
            spans: std::array::from_fn(|_| (0..threads).map(|_| Span::new()).collect()),
            taken: (0..threads).map(|_| AtomicBool::new(false)).collect(),
        }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    /// Never true: the caller always has a place.
    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// Deals out the items of each round evenly, in order.
    fn deal(&self, items: [usize; ROUNDS]) {
        let (threads, mut first) = (self.len(), 0);
        for (spans, items) in self.spans.iter().zip(items) {
            let cut = |place: usize| (first + place * items / threads) as u32;
            for (place, span) in spans.iter().enumerate() {
                span.set(cut(place), cut(place + 1));
            }
            first += items;
        }
        for (place, taken) in self.taken.iter().enumerate() {
            taken.store(place == 0, Ordering::Relaxed);
        }
    }

    /// Whether some place is free.
    fn has_room(&self) -> bool {
        self.taken.iter().any(|taken| !taken.load(Ordering::Relaxed))
    }

    /// A free place, by preference the one a helper usually has.
    fn join(&self, usual: usize) -> Option<usize> {
        let free = |place: usize| !self.taken[place].swap(true, Ordering::Relaxed);
        if usual < self.taken.len() && free(usual) {
            return Some(usual);
        }
        (1..self.taken.len()).find(|&place| free(place))
    }

    /// Works off the own span of each round, then those of others.
    fn work_off(&self, place: usize, work: &Work<'_>) {
        let threads = self.len();
        for spans in &self.spans {
            loop {
                while let Some(item) = spans[place].next() {
                    work(place, item as usize);
                }
                let stolen = (1..threads).find_map(|k| spans[(place + k) % threads].steal());
                let Some((start, end)) = stolen else { break };
                spans[place].set(start, end);
            }
        }
    }
}

/// A call in progress; it lives on the stack of its caller.
struct Job<'a> {
    work: &'a Work<'a>,
    team: &'a Team,
    /// Helpers at work.
    active: AtomicUsize,
    panicked: AtomicBool,
}

/// A job that helpers may join. Valid while it is in [`Queue::jobs`] or a helper counts as active in it.
#[derive(Clone, Copy, PartialEq)]
struct JobPtr(*const Job<'static>);

// SAFETY: what a job refers to is `Sync`, and `Pool::run` does not return before every helper has left the job.
unsafe impl Send for JobPtr {}

struct Queue {
    jobs: Vec<JobPtr>,
    helpers: usize,
    closing: bool,
}

struct Shared {
    queue: Mutex<Queue>,
    /// Rises with every job: what a spinning helper watches.
    posted: AtomicUsize,
    /// Helpers that sleep.
    asleep: AtomicUsize,
    wake: Condvar,
    left: Condvar,
}

impl Shared {
    /// Wakes two helpers if any sleep. Those wake others in turn, so that nobody wakes them all one by one.
    fn wake_some(&self) {
        for _ in 0..self.asleep.load(Ordering::Acquire).min(2) {
            self.wake.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Helper threads that calls share.
pub struct Pool {
    shared: Arc<Shared>,
}

impl Default for Pool {
    fn default() -> Self {
        let queue = Queue { jobs: Vec::with_capacity(16), helpers: 0, closing: false };
        let shared = Shared {
            queue: Mutex::new(queue),
            posted: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            wake: Condvar::new(),
            left: Condvar::new(),
        };
        Self { shared: Arc::new(shared) }
    }
}

impl Pool {
    /// The threads that all batches of this process share.
    pub fn shared() -> Arc<Pool> {
        static POOL: LazyLock<Arc<Pool>> = LazyLock::new(Arc::default);
        POOL.clone()
    }

    /// Sees to it that there are at least as many helpers.
    pub fn reserve(&self, helpers: usize) {
        let mut queue = self.shared.lock();
        while queue.helpers < helpers {
            let (shared, number) = (self.shared.clone(), queue.helpers);
            let thread = std::thread::Builder::new().name(format!("ligament-{}", number + 1));
            if thread.spawn(move || help(&shared, number + 1)).is_err() {
                return; // the system gives no more threads: the caller does their work
            }
            queue.helpers += 1;
        }
    }

    /// Runs `work` once for each of `items`, on the caller's thread and on those helpers that are free.
    pub fn run(&self, team: &mut Team, items: usize, work: &Work<'_>) {
        self.run_in_rounds(team, [items, 0], work);
    }

    /// [`Pool::run`] with items of two rounds, numbered through: large pieces first, then small ones, which make up for what some
    /// threads have longer with the last of the large ones.
    pub fn run_in_rounds(&self, team: &mut Team, items: [usize; ROUNDS], work: &Work<'_>) {
        let all: usize = items.iter().sum();
        assert!(u32::try_from(all).is_ok(), "more items than a span can count");
        let team = &*team;
        if team.len() == 1 || all <= 1 {
            (0..all).for_each(|item| work(0, item));
            return;
        }
        team.deal(items);
        let job = Job { work, team, active: AtomicUsize::new(0), panicked: AtomicBool::new(false) };
        let pointer = JobPtr(std::ptr::from_ref(&job).cast());
        let mut queue = self.shared.lock();
        queue.jobs.push(pointer);
        self.shared.posted.fetch_add(1, Ordering::Release);
        drop(queue);
        self.shared.wake_some();
        let outcome = catch_unwind(AssertUnwindSafe(|| team.work_off(0, work)));
        self.finish(&job, pointer);
        if let Err(panic) = outcome {
            resume_unwind(panic);
        }
        assert!(!job.panicked.load(Ordering::Acquire), "a helper thread panicked");
    }

    /// Takes the job off the list, so that nobody joins any more, and waits until every helper has left it.
    fn finish(&self, job: &Job<'_>, pointer: JobPtr) {
        let mut queue = self.shared.lock();
        queue.jobs.retain(|other| *other != pointer);
        drop(queue);
        if spin(|| job.active.load(Ordering::Acquire) == 0) {
            return;
        }
        let mut queue = self.shared.lock();
        while job.active.load(Ordering::Acquire) > 0 {
            queue = self.shared.left.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closing = true;
        self.shared.wake.notify_all();
    }
}

/// What a helper does for all its life.
fn help(shared: &Shared, number: usize) {
    loop {
        let seen = shared.posted.load(Ordering::Acquire);
        let Some((JobPtr(job), place)) = join_any(shared, number) else { return };
        let Some(place) = place else {
            wait_for_more(shared, seen);
            continue;
        };
        // SAFETY: the helper is counted in `active`, so `Pool::run` has not returned and the job is alive.
        let job = unsafe { &*job };
        if job.team.has_room() {
            shared.wake_some();
        }
        if catch_unwind(AssertUnwindSafe(|| job.team.work_off(place, job.work))).is_err() {
            job.panicked.store(true, Ordering::Release);
        }
        leave(shared, job);
    }
}

/// The first job with a free place for this helper, which then counts as active in it; `None` when the pool closes.
fn join_any(shared: &Shared, number: usize) -> Option<(JobPtr, Option<usize>)> {
    let queue = shared.lock();
    if queue.closing {
        return None;
    }
    for &pointer in &queue.jobs {
        // SAFETY: a job on the list is alive: `Pool::run` takes it off under this lock before it returns.
        let job = unsafe { &*pointer.0 };
        if let Some(place) = job.team.join(number) {
            job.active.fetch_add(1, Ordering::AcqRel);
            return Some((pointer, Some(place)));
        }
    }
    Some((JobPtr(std::ptr::null()), None))
}

/// The helper no longer touches the job afterwards. Its place stays taken: its span is empty anyway.
fn leave(shared: &Shared, job: &Job<'_>) {
    if job.active.fetch_sub(1, Ordering::AcqRel) == 1 {
        // the caller looks and begins to wait under this lock, so it cannot miss the signal in between
        drop(shared.lock());
        shared.left.notify_all();
    }
}

/// Returns when another job has been posted since `seen`, or the pool closes.
fn wait_for_more(shared: &Shared, seen: usize) {
    if spin(|| shared.posted.load(Ordering::Acquire) != seen) {
        return;
    }
    let mut queue = shared.lock();
    shared.asleep.fetch_add(1, Ordering::AcqRel);
    while shared.posted.load(Ordering::Acquire) == seen && !queue.closing {
        queue = shared.wake.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
    shared.asleep.fetch_sub(1, Ordering::AcqRel);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pool: &Pool, threads: usize, items: usize) -> Vec<usize> {
        let hits: Vec<AtomicUsize> = (0..items).map(|_| AtomicUsize::new(0)).collect();
        pool.reserve(threads - 1);
        pool.run(&mut Team::new(threads), items, &|_, item| {
            hits[item].fetch_add(1, Ordering::Relaxed);
        });
        hits.into_iter().map(AtomicUsize::into_inner).collect()
    }

    #[test]
    fn every_item_runs_once() {
        let pool = Pool::default();
        for threads in [1, 2, 3, 8] {
            for items in [0, 1, 2, 7, 8, 1000] {
                assert!(counts(&pool, threads, items).iter().all(|&n| n == 1), "{threads} {items}");
            }
        }
    }

    #[test]
    fn small_pieces_make_up_for_a_large_one() {
        let pool = Pool::default();
        pool.reserve(2);
        let done = AtomicUsize::new(0);
        let seen: [Mutex<Vec<usize>>; 3] = Default::default();
        pool.run_in_rounds(&mut Team::new(3), [30, 60], &|place, item| {
            seen[place].lock().unwrap().push(item);
            // the first one takes longer than all others
            while item == 0 && done.load(Ordering::Acquire) < 89 {
                std::thread::yield_now();
            }
            done.fetch_add(1, Ordering::AcqRel);
        });
        let seen = seen.map(|items| items.into_inner().unwrap());
        for items in &seen {
            assert!(items.is_sorted_by_key(|&item| item >= 30), "small ones come last: {items:?}");
        }
        let mut all = seen.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..90));
    }

    #[test]
    fn a_heavy_item_does_not_hold_the_rest() {
        let pool = Pool::default();
        pool.reserve(1);
        let done = AtomicUsize::new(0);
        pool.run(&mut Team::new(2), 100, &|_, item| {
            if item == 0 {
                // the rest of the span is stolen meanwhile
                while done.load(Ordering::Acquire) < 99 {
                    std::thread::yield_now();
                }
            } else {
                done.fetch_add(1, Ordering::AcqRel);
            }
        });
        assert_eq!(done.into_inner(), 99);
    }

    #[test]
    fn several_callers_share_the_helpers() {
        let pool = Arc::new(Pool::default());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                let pool = pool.clone();
                scope.spawn(move || {
                    for _ in 0..200 {
                        assert!(counts(&pool, 3, 50).iter().all(|&n| n == 1));
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
        let pool = Pool::default();
        for item in [0, 63] {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                pool.reserve(1);
                pool.run(&mut Team::new(2), 64, &|_, i| assert!(i != item));
            }));
            assert!(caught.is_err());
        }
        assert!(counts(&pool, 2, 100).iter().all(|&n| n == 1));
    }
}
