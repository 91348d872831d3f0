//! Threads that work side by side on pieces of one section of work, which is over in microseconds: between sections they
//! watch for the next one before they sleep, and a section allocates nothing.
//!
//! Who has a section takes part and waits only for pieces that others have begun. So a section ends even if nobody helps
//! (the system gives no threads, all cores are busy, the process was forked), and pieces may have sections of their own:
//! these are done by whoever does the piece.
//!
//! Each thread begins with pieces of its own and then helps the others. In sections over the same things, cut in the same way,
//! a thread so meets what it has in its cache, and threads write to the same line of memory only when one helps another: with
//! sixteen of them that is what a short section would wait for.
#![allow(unsafe_code)]

pub mod share;

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::cmp::Ordering;
use std::hint::spin_loop;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize};
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

/// Whose pieces are whose at the beginning of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deal {
    /// Consecutive pieces belong to one thread, the same part of them in every section.
    Runs,
    /// One piece after the other belongs to the next thread: where those that take longest come first.
    Turns,
}

/// Does all pieces, in any order, some at the same time: so many threads take part, the caller among them. A panic in a piece
/// goes on in the caller when no other piece is being worked on.
pub fn each<P: Send>(threads: usize, pieces: impl IntoIterator<Item = P>, work: impl Fn(P) + Sync) {
    each_dealt(threads, Deal::Runs, pieces, work);
}

/// [`each`], of pieces that are dealt like this.
///
/// Never inlined: callers that seldom have pieces would keep room for all of them on their stack.
#[inline(never)]
pub fn each_dealt<P: Send>(
    threads: usize,
    deal: Deal,
    pieces: impl IntoIterator<Item = P>,
    work: impl Fn(P) + Sync,
) {
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
            _ => team.run(count, deal, &|k| work(take(k))),
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
    Lease::of(threads).run(threads.min(MAX_THREADS), Deal::Runs, &|_| work());
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
        let team = idle.unwrap_or_else(|| Team::of(size));
        team.fill();
        Self(Some(team))
    }

    fn shared(&self) -> &Shared {
        &self.0.as_ref().expect("kept until it is dropped").shared
    }

    fn run(&self, count: usize, deal: Deal, work: &(dyn Fn(usize) + Sync)) {
        self.shared().run(count, deal, work);
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
    /// A team of so many threads, which are yet to be made.
    fn of(size: usize) -> Self {
        let hands = (0..size).map(|_| Hand::default()).collect();
        Self { size, shared: Arc::new(Shared { hands, ..Shared::default() }) }
    }

    /// Makes the members that are missing. Where the system gives no threads there are fewer.
    fn fill(&self) {
        if self.shared.members.load(Relaxed) == self.size - 1 {
            return;
        }
        for k in 1..self.size {
            if self.shared.hands[k].taken.swap(true, AcqRel) {
                continue;
            }
            let shared = self.shared.clone();
            shared.members.fetch_add(1, Relaxed);
            let member = thread::Builder::new().name(format!("ligament-{k}"));
            if member.spawn(move || shared.serve(k)).is_err() {
                self.shared.leave(k);
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
}

/// A section as it is told to the members: its number, how many pieces it has and how they are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Section {
    number: u64,
    count: usize,
    deal: Deal,
}

/// Bits below the number of a section.
const BITS: u32 = 16;

impl Section {
    fn pack(self) -> u64 {
        self.number << BITS | (self.count as u64) << 1 | u64::from(self.deal == Deal::Turns)
    }

    fn unpack(bits: u64) -> Self {
        let count = (bits as u16 >> 1) as usize;
        Self { number: bits >> BITS, count, deal: if bits & 1 == 0 { Deal::Runs } else { Deal::Turns } }
    }

    /// The pieces of one of so many hands: the first, how far it is from one to the next, and how many there are.
    fn dealt(self, hand: usize, hands: usize) -> (usize, usize, usize) {
        match self.deal {
            Deal::Runs => {
                let start = |hand: usize| (hand * self.count).div_ceil(hands);
                (start(hand), 1, start(hand + 1) - start(hand))
            }
            Deal::Turns => (hand, hands, self.count.saturating_sub(hand).div_ceil(hands)),
        }
    }
}

/// What belongs to one thread of a team; the first is whoever has the section.
#[derive(Debug, Default)]
struct Hand {
    /// A section, and how many of its pieces that were dealt to this hand are gone. Only grows.
    gone: Line<AtomicU64>,
    /// A section, and how many of its pieces this thread has done.
    done: Line<AtomicU64>,
    /// Is there a member that has this hand?
    taken: AtomicBool,
}

impl Hand {
    /// Takes one of so many pieces that this hand has in a section, unless all are taken or the section is over.
    fn take(&self, section: u64, pieces: usize) -> Option<usize> {
        let mut word = self.gone.0.load(Relaxed);
        loop {
            let gone = match (word >> BITS).cmp(&section) {
                Ordering::Less => 0,
                Ordering::Equal => word as u16 as usize,
                Ordering::Greater => return None,
            };
            if gone >= pieces {
                return None;
            }
            let next = section << BITS | (gone + 1) as u64;
            match self.gone.0.compare_exchange_weak(word, next, AcqRel, Relaxed) {
                Ok(_) => return Some(gone),
                Err(other) => word = other,
            }
        }
    }

    /// How many pieces of a section this thread has done.
    fn done(&self, section: u64) -> usize {
        let word = self.done.0.load(Acquire);
        if word >> BITS == section { word as u16 as usize } else { 0 }
    }
}

/// What the members of a team share.
#[derive(Debug, Default)]
struct Shared {
    /// The work of the section, while there is one: read by those who have taken a piece of it and not said that it is done.
    job: Line<AtomicPtr<Job<'static>>>,
    /// The last [`Section`] that was begun.
    section: Line<AtomicU64>,
    hands: Box<[Hand]>,
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
    fn run(&self, count: usize, deal: Deal, work: &(dyn Fn(usize) + Sync)) {
        let job = Job { work };
        let number = Section::unpack(self.section.0.load(Relaxed)).number + 1;
        let section = Section { number, count, deal };
        self.job.0.store(ptr::from_ref(&job).cast_mut().cast(), Relaxed);
        self.section.0.store(section.pack(), SeqCst);
        self.ring();
        let own = self.take_pieces(0, section);
        let others = &self.hands[1..];
        wait_until(|| own + others.iter().map(|hand| hand.done(number)).sum::<usize>() == count);
        self.job.0.store(ptr::null_mut(), Relaxed);
        let failure = lock(&self.failure).take();
        if let Some(failure) = failure {
            resume_unwind(failure);
        }
    }

    /// Does pieces of a section while there are any, first those of a hand, and says how many were done.
    fn take_pieces(&self, hand: usize, section: Section) -> usize {
        let hands = self.hands.len();
        let mut own = 0;
        for k in (hand..hands).chain(0..hand) {
            let (first, step, pieces) = section.dealt(k, hands);
            while let Some(taken) = self.hands[k].take(section.number, pieces) {
                // SAFETY: this thread has taken a piece of the section: `run` stored the address of its job before it told the
                // number, and does not return (nor is another section begun) before `done` counts this piece, which happens
                // after the last use of the job. Where the section is over, or another one has begun, `take` finds all
                // pieces taken or a higher number.
                let job = unsafe { &*self.job.0.load(Relaxed) };
                BUSY.set(true);
                let outcome = catch_unwind(AssertUnwindSafe(|| (job.work)(first + taken * step)));
                BUSY.set(false);
                if let Err(failure) = outcome {
                    *lock(&self.failure) = Some(failure);
                }
                own += 1;
            }
        }
        own
    }

    /// What the member with a hand does.
    fn serve(&self, hand: usize) {
        let (mut looks, mut seen) = (0, 0);
        while !self.closed.load(Relaxed) {
            let word = self.section.0.load(Acquire);
            if word != seen {
                (looks, seen) = (0, word);
                let section = Section::unpack(word);
                let own = self.take_pieces(hand, section);
                if own > 0 {
                    self.hands[hand].done.0.store(section.number << BITS | own as u64, Release);
                }
            }
            looks += 1;
            if looks < LOOKS {
                spin_loop();
            } else if looks < LOOKS + OFFERS {
                yield_now();
            } else if self.sleep(seen) {
                looks = 0;
            } else {
                break;
            }
        }
        self.leave(hand);
    }

    /// A member goes.
    fn leave(&self, hand: usize) {
        self.members.fetch_sub(1, Relaxed);
        self.hands[hand].taken.store(false, Release);
    }

    /// Sleeps until there is another section than this; false if there was none for long.
    fn sleep(&self, seen: u64) -> bool {
        let door = lock(&self.door);
        self.sleeping.fetch_add(1, SeqCst);
        let nothing = self.section.0.load(SeqCst) == seen && !self.closed.load(SeqCst);
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

    /// However pieces are dealt, each is one hand's.
    #[test]
    fn pieces_are_dealt_once() {
        for deal in [Deal::Runs, Deal::Turns] {
            for (count, hands) in [(0, 3), (1, 1), (5, 16), (16, 16), (32, 16), (64, 3), (64, 256)] {
                let section = Section { number: 7, count, deal };
                assert_eq!(Section::unpack(section.pack()), section);
                let mut dealt: Vec<usize> = (0..hands)
                    .map(|hand| section.dealt(hand, hands))
                    .flat_map(|(first, step, count)| (0..count).map(move |k| first + k * step))
                    .collect();
                dealt.sort_unstable();
                assert!(dealt.into_iter().eq(0..count), "{deal:?} {count} {hands}");
            }
        }
    }

    /// Whoever is done helps the others, also where all that is left belongs to one.
    #[test]
    fn pieces_of_others_are_taken() {
        for deal in [Deal::Runs, Deal::Turns] {
            let (done, waiting) = (AtomicUsize::new(0), AtomicUsize::new(0));
            each_dealt(4, deal, 0..40, |_| {
                // the first piece waits for all others: those of the same hand as well
                if waiting.fetch_add(1, Relaxed) == 0 {
                    for _ in 0..20_000 {
                        if done.load(Relaxed) == 39 {
                            break;
                        }
                        thread::sleep(Duration::from_millis(1));
                    }
                    assert_eq!(done.load(Relaxed), 39);
                }
                done.fetch_add(1, Relaxed);
            });
            assert_eq!(done.into_inner(), 40);
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
        let team = Team::of(4);
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
