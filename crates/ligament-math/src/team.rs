//! Threads that work side by side on pieces of one section of work, which is over in microseconds: between sections they
//! watch for the next one before they sleep, and a section allocates nothing.
//!
//! Who has a section takes part and waits only for pieces that others have begun. So a section ends even if nobody helps
//! (the system gives no threads, all cores are busy, the process was forked), and pieces may have sections of their own:
//! these are done by whoever does the piece.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::hint::spin_loop;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicPtr, AtomicUsize};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, yield_now};
use std::time::Duration;

/// Most threads that work together.
pub const MAX_THREADS: usize = 256;

/// Pieces that are handed out at once; they stand on the stack.
pub const MAX_PIECES: usize = 64;

/// How often a member looks for work before it lets other threads have its core, about ten microseconds,
const LOOKS: u32 = 200;
/// and how often it offers its core before it sleeps, about a millisecond: the parts of a step that are done by one
/// thread are shorter in most scenes, and to be woken takes fifty microseconds.
const OFFERS: u32 = 2000;

/// How long a member without work sleeps before it ends.
const IDLE: Duration = Duration::from_secs(10);

/// Teams that are kept while nobody needs them.
const MAX_IDLE: usize = 16;

static TEAMS: Mutex<Vec<Team>> = Mutex::new(Vec::new());

thread_local! {
    /// Does this thread work on a piece?
    static BUSY: Cell<bool> = const { Cell::new(false) };
}

/// Does all pieces, in any order, some at the same time: so many threads take part, the caller among them. A panic in a piece
/// goes on in the caller when no other piece is being worked on.
///
/// Never inlined: callers that seldom have pieces would keep room for all of them on their stack.
#[inline(never)]
pub fn each<P: Send>(threads: usize, pieces: impl IntoIterator<Item = P>, work: impl Fn(P) + Sync) {
    let mut pieces = pieces.into_iter();
    if threads < 2 || BUSY.get() {
        return pieces.for_each(work);
    }
    let team = Lease::of(threads);
    loop {
        let mut slots = Slots([const { UnsafeCell::new(MaybeUninit::uninit()) }; MAX_PIECES]);
        let mut count = 0;
        for (slot, piece) in slots.0.iter_mut().zip(&mut pieces) {
            slot.get_mut().write(piece);
            count += 1;
        }
        // SAFETY: the first `count` slots are filled, and below each number under it is taken once.
        let take = |k: usize| unsafe { slots.take(k) };
        match count {
            0 => return,
            1 => work(take(0)),
            _ => team.run(count, &|k| work(take(k))),
        }
    }
}

/// Pieces that wait to be taken.
struct Slots<P>([UnsafeCell<MaybeUninit<P>>; MAX_PIECES]);

// SAFETY: a slot is only reached through `take`, whose callers promise that one thread has each piece; it may be another one
// than that which filled the slots, since `P` is `Send`.
unsafe impl<P: Send> Sync for Slots<P> {}

impl<P> Slots<P> {
    /// The piece in a slot.
    ///
    /// # Safety
    /// The slot is filled, and nobody takes from it a second time.
    unsafe fn take(&self, k: usize) -> P {
        // SAFETY: filled, as the caller promises, and read by this thread alone.
        unsafe { (*self.0[k].get()).assume_init_read() }
    }
}

/// Lets so many threads do `work`, which they share out among themselves; some may come when everything is done.
#[inline(never)]
pub fn together(threads: usize, work: impl Fn() + Sync) {
    if threads < 2 || BUSY.get() {
        return work();
    }
    Lease::of(threads).run(threads.min(MAX_THREADS), &|_| work());
}

/// Waits until something has happened, with as little harm to others as possible.
pub fn wait_until(happened: impl Fn() -> bool) {
    let mut looks = 0;
    while !happened() {
        looks += 1;
        if looks < LOOKS {
            spin_loop();
        } else {
            yield_now();
        }
    }
}

/// What locks protect here is whole after a panic, too.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A team while somebody needs it.
struct Lease(Option<Team>);

impl Lease {
    /// A team of so many threads: one that nobody needs now, or a new one.
    fn of(threads: usize) -> Self {
        let size = threads.min(MAX_THREADS);
        let mut teams = lock(&TEAMS);
        let idle = teams.iter().rposition(|team| team.size == size).map(|k| teams.swap_remove(k));
        drop(teams);
        let team = idle.unwrap_or_else(|| Team { size, shared: Arc::default() });
        team.fill();
        Self(Some(team))
    }

    fn shared(&self) -> &Shared {
        &self.0.as_ref().expect("kept until it is dropped").shared
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        self.shared().run(count, work);
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut teams = lock(&TEAMS);
        if teams.len() < MAX_IDLE {
            teams.extend(self.0.take());
        }
    }
}

/// Threads that belong together.
#[derive(Debug)]
struct Team {
    size: usize,
    shared: Arc<Shared>,
}

impl Team {
    /// Makes the members that are missing. Where the system gives no threads there are fewer.
    fn fill(&self) {
        for k in self.shared.members.load(Relaxed)..self.size - 1 {
            let shared = self.shared.clone();
            shared.members.fetch_add(1, Relaxed);
            let member = thread::Builder::new().name(format!("ligament-{}", k + 1));
            if member.spawn(move || shared.serve()).is_err() {
                self.shared.members.fetch_sub(1, Relaxed);
                return;
            }
        }
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.closed.store(true, SeqCst);
        let _door = lock(&self.shared.door);
        self.shared.bell.notify_all();
    }
}

/// What stands on a line of the cache of its own: what some threads write does not slow down those that watch something else.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Line<T>(T);

/// A section.
struct Job<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    count: usize,
}

/// What the members of a team share.
#[derive(Debug, Default)]
struct Shared {
    /// The section, while there is one: read by those who have taken a piece of it and not said that it is done.
    job: Line<AtomicPtr<Job<'static>>>,
    /// Pieces that nobody has taken; less than none where some came too late.
    left: Line<AtomicIsize>,
    /// Pieces that are done.
    done: Line<AtomicUsize>,
    members: AtomicUsize,
    sleeping: AtomicUsize,
    closed: AtomicBool,
    door: Mutex<()>,
    bell: Condvar,
    /// What a piece panicked with.
    failure: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Shared {
    /// A section, which the caller has alone: teams are leased to one at a time. Each number below `count` is worked on once.
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let job = Job { work, count };
        self.done.0.store(0, Relaxed);
        self.job.0.store(ptr::from_ref(&job).cast_mut().cast(), Relaxed);
        self.left.0.store(count as isize, SeqCst);
        self.ring();
        self.take_pieces();
        wait_until(|| self.done.0.load(Acquire) == count);
        self.job.0.store(ptr::null_mut(), Relaxed);
        let failure = lock(&self.failure).take();
        if let Some(failure) = failure {
            resume_unwind(failure);
        }
    }

    /// Does pieces while there are any; says whether there were.
    ///
    /// Threads that take pieces at the same time get their turns one after the other but never have to try again, and say
    /// once how many they have done: with many threads the lines of these numbers are what a short section waits for.
    fn take_pieces(&self) -> bool {
        let mut own = 0;
        while self.left.0.load(Relaxed) > 0 {
            let left = self.left.0.fetch_sub(1, AcqRel);
            if left <= 0 {
                break;
            }
            // SAFETY: this thread has taken a piece of the section whose `left` it has lowered: `run` stored the address of
            // its job before it raised `left`, and does not return (nor is another section begun) before `done` counts this
            // piece, which happens below, after the last use of the job.
            let job = unsafe { &*self.job.0.load(Relaxed) };
            BUSY.set(true);
            let outcome = catch_unwind(AssertUnwindSafe(|| (job.work)(job.count - left as usize)));
            BUSY.set(false);
            if let Err(failure) = outcome {
                *lock(&self.failure) = Some(failure);
            }
            own += 1;
        }
        if own > 0 {
            self.done.0.fetch_add(own, Release);
        }
        own > 0
    }

    /// What a member does.
    fn serve(&self) {
        let mut looks = 0;
        while !self.closed.load(Relaxed) {
            if self.take_pieces() {
                looks = 0;
            }
            looks += 1;
            if looks < LOOKS {
                spin_loop();
            } else if looks < LOOKS + OFFERS {
                yield_now();
            } else if self.sleep() {
                looks = 0;
            } else {
                break;
            }
        }
        self.members.fetch_sub(1, Relaxed);
    }

    /// Sleeps until there is work; false if there was none for long.
    fn sleep(&self) -> bool {
        let door = lock(&self.door);
        self.sleeping.fetch_add(1, SeqCst);
        let nothing = self.left.0.load(SeqCst) <= 0 && !self.closed.load(SeqCst);
        let mut rung = true;
        if nothing {
            let (_door, outcome) = self.bell.wait_timeout(door, IDLE).unwrap_or_else(PoisonError::into_inner);
            rung = !outcome.timed_out();
        } else {
            drop(door);
        }
        self.sleeping.fetch_sub(1, SeqCst);
        if rung {
            // the others are woken by those who are awake: whoever began the section has better things to do
            self.ring();
            self.ring();
        }
        rung
    }

    /// Wakes a member that sleeps.
    fn ring(&self) {
        if self.sleeping.load(SeqCst) > 0 {
            // behind the door a member has either seen the work or hears the bell
            drop(lock(&self.door));
            self.bell.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    fn sum_of_squares(threads: usize, count: u64) -> u64 {
        let sum = AtomicU64::new(0);
        each(threads, 0..count, |k| {
            sum.fetch_add(k * k, Relaxed);
        });
        sum.into_inner()
    }

    /// Every piece is done once, whatever the number of threads, pieces and cores.
    #[test]
    fn every_piece_is_done_once() {
        for threads in [0, 1, 2, 3, 16] {
            for count in [0, 1, 2, 63, 64, 65, 200] {
                let done: Vec<AtomicUsize> = (0..count).map(|_| AtomicUsize::new(0)).collect();
                each(threads, &done, |piece| {
                    piece.fetch_add(1, Relaxed);
                });
                assert!(done.iter().all(|piece| piece.load(Relaxed) == 1), "{threads} threads");
            }
        }
    }

    /// Sections follow each other without end, while others have theirs.
    #[test]
    fn many_sections_of_several_callers_at_once() {
        thread::scope(|scope| {
            for threads in [2, 2, 4, 8] {
                scope.spawn(move || {
                    for round in 0..3000 {
                        assert_eq!(sum_of_squares(threads, 9), 204, "round {round}");
                    }
                });
            }
        });
    }

    /// Pieces may have sections of their own.
    #[test]
    fn sections_within_pieces() {
        let sum = AtomicU64::new(0);
        each(4, 0..20, |_| {
            sum.fetch_add(sum_of_squares(4, 9), Relaxed);
        });
        assert_eq!(sum.into_inner(), 20 * 204);
    }

    /// A panic reaches the caller after all pieces that were begun; the team works on.
    #[test]
    fn a_panic_reaches_the_caller() {
        for unlucky in [0, 7, 15] {
            let done = AtomicUsize::new(0);
            let section = || {
                each(3, 0..16, |k| {
                    assert!(k != unlucky, "piece {k}");
                    done.fetch_add(1, Relaxed);
                });
            };
            let panic = catch_unwind(AssertUnwindSafe(section)).expect_err("a panic");
            assert_eq!(panic.downcast_ref::<String>(), Some(&format!("piece {unlucky}")));
            assert_eq!(done.into_inner(), 15);
            assert_eq!(sum_of_squares(3, 9), 204);
        }
    }

    /// Members that slept are woken.
    #[test]
    fn sleepers_wake() {
        for _ in 0..20 {
            thread::sleep(Duration::from_millis(2));
            assert_eq!(sum_of_squares(5, 9), 204);
        }
    }

    /// A team that is dropped sends its members home.
    #[test]
    fn members_end_with_their_team() {
        let team = Team { size: 4, shared: Arc::default() };
        team.fill();
        let shared = team.shared.clone();
        thread::sleep(Duration::from_millis(5));
        assert_eq!(shared.members.load(Relaxed), 3);
        drop(team);
        wait_until(|| shared.members.load(Relaxed) == 0);
    }

    /// All threads may share out one list.
    #[test]
    fn work_is_shared_out() {
        let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
        together(4, || {
            loop {
                let k = next.fetch_add(1, Relaxed);
                if k >= 1000 {
                    return;
                }
                sum.fetch_add(k, Relaxed);
            }
        });
        assert_eq!(sum.into_inner(), 499_500);
    }
}
