//! Threads that work on one large scene. Work is cut where it does not depend on each other and results are put together
//! in a fixed order, so that numbers do not depend on the number of threads.

pub use ligament_math::team::MAX_THREADS;
pub(crate) use ligament_math::team::{Deal, MAX_PIECES, each, each_dealt};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What can be cut in two: places in a list, the items themselves, several lists of the same length.
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

impl<T: Sync> Cut for &[T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        self.split_at(at)
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

impl<A: Cut, B: Cut> Cut for (A, B) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (a, a2) = self.0.cut(at);
        let (b, b2) = self.1.cut(at);
        ((a, b), (a2, b2))
    }
}

impl<A: Cut, B: Cut, C: Cut> Cut for (A, B, C) {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (a, a2) = self.0.cut(at);
        let (b, b2) = self.1.cut(at);
        let (c, c2) = self.2.cut(at);
        ((a, b, c), (a2, b2, c2))
    }
}

/// Parts of about the same length.
struct Parts<I> {
    rest: Option<I>,
    count: usize,
}

impl<I: Cut> Iterator for Parts<I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        let rest = self.rest.take()?;
        if self.count < 2 {
            return Some(rest);
        }
        let (part, rest) = {
            let at = rest.count() / self.count;
            rest.cut(at)
        };
        self.rest = Some(rest);
        self.count -= 1;
        Some(part)
    }
}

/// So many parts of some items.
pub(crate) fn parts<I: Cut>(items: I, count: usize) -> impl Iterator<Item = I> {
    Parts { rest: Some(items), count }
}

/// Pieces of two kinds abreast, each with one of the other kind while there are any: what a thread does of one kind it does
/// in the same section as its share of the other.
pub(crate) fn abreast<A, B>(
    first: impl Iterator<Item = A>,
    second: impl Iterator<Item = B>,
) -> impl Iterator<Item = (Option<A>, Option<B>)> {
    let (mut first, mut second) = (first.fuse(), second.fuse());
    std::iter::from_fn(move || {
        let both = (first.next(), second.next());
        (both.0.is_some() || both.1.is_some()).then_some(both)
    })
}

/// Cuts items into as many parts, of about the same length, as there are pieces, and does the work of each part with its
/// piece, on so many threads.
pub(crate) fn share_out<I: Cut, P: Send>(
    threads: usize,
    items: I,
    pieces: &mut [P],
    work: impl Fn(I, &mut P) + Sync,
) {
    let parts = Parts { rest: Some(items), count: pieces.len() };
    each(threads, parts.zip(pieces), |(items, piece)| work(items, piece));
}

/// Does the work of items on so many threads, in parts of no fewer than `least` items. There are more parts than threads,
/// since some come later than others.
#[inline]
pub(crate) fn split<I: Cut>(threads: usize, least: usize, items: I, work: impl Fn(I) + Sync) {
    if threads < 2 {
        return work(items);
    }
    split_up(threads, least, items, work);
}

/// Out of the way of the single thread.
#[inline(never)]
fn split_up<I: Cut>(threads: usize, least: usize, items: I, work: impl Fn(I) + Sync) {
    let count = pieces(threads, 2).min(items.count() / least.max(1));
    if count < 2 {
        return work(items);
    }
    each(threads, Parts { rest: Some(items), count }, work);
}

/// How many items are of some kind, on so many threads, in parts of no fewer than `least`.
#[inline]
pub(crate) fn count<I: Cut>(
    threads: usize,
    least: usize,
    items: I,
    part: impl Fn(I) -> usize + Sync,
) -> usize {
    if threads < 2 {
        return part(items);
    }
    let sum = AtomicUsize::new(0);
    split(threads, least, items, |items| {
        sum.fetch_add(part(items), Ordering::Relaxed);
    });
    sum.into_inner()
}

/// Items whose sums are added up one after the other in [`sum_in_blocks`]: about a microsecond.
const BLOCK: usize = 1024;

/// Blocks of equal length; the last one has what is left.
struct Blocks<I> {
    rest: Option<I>,
    size: usize,
}

impl<I: Cut> Iterator for Blocks<I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        let rest = self.rest.take()?;
        if rest.count() <= self.size {
            return Some(rest);
        }
        let (block, rest) = rest.cut(self.size);
        self.rest = Some(rest);
        Some(block)
    }
}

/// Sums over items, on so many threads: those of blocks, whose size depends on the number of items alone, one after the other.
pub(crate) fn sum_in_blocks<I: Cut, const N: usize, const M: usize>(
    threads: usize,
    items: I,
    part: impl Fn(I) -> [[f64; M]; N] + Sync,
) -> [[f64; M]; N] {
    let mut sums = [[[0.0; M]; N]; MAX_PIECES];
    let size = items.count().div_ceil(MAX_PIECES).max(BLOCK);
    let blocks = Blocks { rest: Some(items), size };
    each(threads, blocks.zip(&mut sums), |(items, sum)| *sum = part(items));
    let mut total = sums[0];
    for sum in &sums[1..] {
        total.as_flattened_mut().iter_mut().zip(sum.as_flattened()).for_each(|(total, x)| *total += x);
    }
    total
}

/// Bytes that are written in some microseconds: less is not worth another thread.
const MIN_BYTES: usize = 1 << 16;

/// Fills a list on so many threads.
pub(crate) fn fill<T: Copy + Send + Sync>(threads: usize, list: &mut [T], value: T) {
    split(threads, MIN_BYTES / size_of::<T>(), list, |part| part.fill(value));
}

/// Copies a list to one of the same length, on so many threads.
pub(crate) fn copy<T: Copy + Send + Sync>(threads: usize, from: &[T], to: &mut [T]) {
    split(threads, MIN_BYTES / size_of::<T>(), (from, to), |(from, to)| to.copy_from_slice(from));
}

/// Does the work of lists of the same length, one by one or, where they are long, side by side.
pub(crate) fn each_list<T, P: Send>(
    threads: usize,
    length: usize,
    lists: impl IntoIterator<Item = P>,
    work: impl Fn(P) + Sync,
) {
    each(if length * size_of::<T>() < MIN_BYTES { 1 } else { threads }, lists, work);
}

/// Something to do that depends on nothing else.
pub(crate) type Job<'a> = &'a mut (dyn FnMut() + Send);

/// Does jobs about lists of some length, one by one or, where they are long, side by side.
#[inline]
pub(crate) fn jobs<const N: usize>(threads: usize, length: usize, jobs: [Job; N]) {
    if threads < 2 {
        return jobs.into_iter().for_each(|job| job());
    }
    each_list::<f64, _>(threads, length, jobs, |job| job());
}

/// Are two lists the same?
pub(crate) fn equal<T: PartialEq + Sync>(threads: usize, a: &[T], b: &[T]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let same = AtomicBool::new(true);
    split(threads, MIN_BYTES / size_of::<T>(), (a, b), |(a, b)| {
        if a != b {
            same.store(false, Ordering::Relaxed);
        }
    });
    same.into_inner()
}

/// How many pieces so many threads get: several each where pieces take different times.
pub(crate) fn pieces(threads: usize, each: usize) -> usize {
    (threads * each).min(threads.clamp(MAX_PIECES, MAX_THREADS))
}
