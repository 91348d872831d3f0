//! Things to do that are cut in parts by the numbers of their items, several of them in one section: lists that grow, and
//! whatever else there is to do meanwhile.

use super::{MAX_PIECES, each};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Something that is done in parts.
pub trait Share: Sync {
    /// How many items there are.
    fn count(&self) -> usize;

    /// Does one of so many parts.
    ///
    /// # Safety
    /// Whoever does parts at the same time does others of as many.
    unsafe fn part(&self, part: usize, of: usize);
}

/// The items of one of so many parts.
fn items(count: usize, part: usize, of: usize) -> Range<usize> {
    assert!(part < of);
    part * count / of..(part + 1) * count / of
}

/// Several shares: a part of each.
impl<S: Share, const N: usize> Share for [S; N] {
    fn count(&self) -> usize {
        self.iter().map(Share::count).max().unwrap_or(0)
    }

    unsafe fn part(&self, part: usize, of: usize) {
        // SAFETY: as promised for all of them.
        self.iter().for_each(|share| unsafe { share.part(part, of) });
    }
}

/// Does shares in one section of so many threads, in parts of no fewer than `least` items, and beside them what is done whole.
pub fn all(threads: usize, least: usize, whole: &mut [&mut dyn Share], shares: &mut [&mut dyn Share]) {
    // each is there once, since it is borrowed alone; threads only look at it
    let (whole, shares) = (&*whole, &*shares);
    let most = shares.iter().map(|share| share.count()).max().unwrap_or(0);
    let parts =
        if threads < 2 { 1 } else { (2 * threads).min(MAX_PIECES / 2).min(most / least.max(1)).max(1) };
    let threads = if parts + whole.len() < 2 { 1 } else { threads };
    // what is done whole takes longest: it comes first, at some distance from each other, to be begun by several threads
    let place = |k: usize| k * parts / whole.len().max(1);
    let pieces = (0..parts).flat_map(|part| {
        let here = (0..whole.len()).filter(move |&k| place(k) == part).map(Err);
        here.chain([Ok(part)])
    });
    each(threads, pieces, |piece: Result<usize, usize>| match piece {
        // SAFETY: `each` does each piece once.
        Ok(part) => shares.iter().for_each(|share| unsafe { share.part(part, parts) }),
        // SAFETY: as above; this is the only part.
        Err(k) => unsafe { whole[k].part(0, 1) },
    });
}

/// Work on ranges of items.
pub struct Work<F> {
    count: usize,
    work: F,
}

impl<F: Fn(Range<usize>) + Sync> Work<F> {
    /// Of so many items.
    pub fn of(count: usize, work: F) -> Self {
        Self { count, work }
    }
}

impl<F: Fn(Range<usize>) + Sync> Share for Work<F> {
    fn count(&self) -> usize {
        self.count
    }

    unsafe fn part(&self, part: usize, of: usize) {
        let items = items(self.count, part, of);
        if !items.is_empty() {
            (self.work)(items);
        }
    }
}

/// A slice that is written in parts.
pub struct Fill<'a, T, F> {
    place: *mut T,
    count: usize,
    work: F,
    slice: PhantomData<&'a mut [T]>,
}

// SAFETY: parts write to places of their own, which may be sent to the thread that does; nothing else is reached.
unsafe impl<T: Send, F: Sync> Sync for Fill<'_, T, F> {}

impl<'a, T: Send, F: Fn(Range<usize>, &mut [T]) + Sync> Fill<'a, T, F> {
    /// `work` gets the items of a part and their numbers.
    pub fn of(to: &'a mut [T], work: F) -> Self {
        Self { place: to.as_mut_ptr(), count: to.len(), work, slice: PhantomData }
    }
}

impl<T: Send, F: Fn(Range<usize>, &mut [T]) + Sync> Share for Fill<'_, T, F> {
    fn count(&self) -> usize {
        self.count
    }

    unsafe fn part(&self, part: usize, of: usize) {
        let items = items(self.count, part, of);
        // SAFETY: within the slice, and no other of as many parts has these items.
        let own = unsafe { std::slice::from_raw_parts_mut(self.place.add(items.start), items.len()) };
        (self.work)(items, own);
    }
}

/// A list that gets more items.
pub struct Append<'a, T, F> {
    list: &'a mut Vec<T>,
    place: *mut MaybeUninit<T>,
    count: usize,
    written: AtomicUsize,
    make: F,
}

// SAFETY: parts write to places of their own, behind the items that the list has; nothing else of it is reached.
unsafe impl<T: Send, F: Sync> Sync for Append<'_, T, F> {}

impl<'a, T: Copy + Send, I: Iterator<Item = T>, F: Fn(Range<usize>) -> I + Sync> Append<'a, T, F> {
    /// So many items, which `make` makes.
    pub fn of(list: &'a mut Vec<T>, count: usize, make: F) -> Self {
        list.reserve(count);
        let place = list.spare_capacity_mut().as_mut_ptr();
        Self { list, place, count, written: AtomicUsize::new(0), make }
    }

    /// The list is as long as it has become.
    ///
    /// # Panics
    /// If not all items were made.
    pub fn finish(self) {
        assert_eq!(self.written.into_inner(), self.count, "items of a list");
        // SAFETY: there is room for `count` more items, and as many were written, each once.
        unsafe { self.list.set_len(self.list.len() + self.count) };
    }
}

impl<T: Copy + Send, I: Iterator<Item = T>, F: Fn(Range<usize>) -> I + Sync> Share for Append<'_, T, F> {
    fn count(&self) -> usize {
        self.count
    }

    unsafe fn part(&self, part: usize, of: usize) {
        let items = items(self.count, part, of);
        // SAFETY: `of` made room for `count` items from `place` on; no other of as many parts has these.
        let own = unsafe { std::slice::from_raw_parts_mut(self.place.add(items.start), items.len()) };
        let mut written = 0;
        for (place, item) in own.iter_mut().zip((self.make)(items)) {
            place.write(item);
            written += 1;
        }
        self.written.fetch_add(written, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists grow as if one item after the other were appended, whatever the number of threads, with what is done beside.
    #[test]
    fn lists_grow_in_parts() {
        for threads in [1, 2, 5, 40] {
            for count in [0, 1, 7, 1000] {
                let from: Vec<u32> = (0..count).map(|k| k * k).collect();
                let (mut numbers, mut copies, mut slots) = (vec![5.0], Vec::new(), vec![0; count as usize]);
                let sum = AtomicUsize::new(0);
                let half = |r: Range<usize>| from[r].iter().map(|&x| f64::from(x) / 2.0);
                let mut number = Append::of(&mut numbers, count as usize, half);
                let mut copy = Append::of(&mut copies, count as usize, |r| from[r].iter().copied());
                let mut places = Fill::of(&mut slots, |r, own| own.copy_from_slice(&from[r]));
                let add = |r: Range<usize>| {
                    sum.fetch_add(from[r].iter().sum::<u32>() as usize, Relaxed);
                };
                let (mut first, mut second) = (Work::of(count as usize, add), Work::of(count as usize, add));
                let lists: &mut [&mut dyn Share] = &mut [&mut number, &mut copy, &mut places];
                all(threads, 3, &mut [&mut first, &mut second], lists);
                number.finish();
                copy.finish();
                assert_eq!(numbers[0], 5.0);
                assert!(numbers[1..].iter().copied().eq(from.iter().map(|&x| f64::from(x) / 2.0)));
                assert_eq!((&copies, &slots), (&from, &from));
                assert_eq!(sum.into_inner(), 2 * from.iter().sum::<u32>() as usize);
            }
        }
    }

    /// A list of which a part is missing is never shown.
    #[test]
    #[should_panic(expected = "items of a list")]
    fn missing_items_are_noticed() {
        let mut list = vec![1];
        let mut append = Append::of(&mut list, 10, |r| r.take(1));
        all(2, 1, &mut [], &mut [&mut append]);
        append.finish();
    }

    /// A panic reaches the caller; the list is as it was.
    #[test]
    fn panics_leave_lists_alone() {
        let mut list = vec![1];
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let mut append = Append::of(&mut list, 100, |r| r);
            let mut other = Work::of(100, |r| assert!(!r.contains(&50), "unlucky"));
            all(3, 10, &mut [], &mut [&mut append, &mut other]);
            append.finish();
        }));
        assert!(outcome.is_err());
        assert_eq!(list, [1]);
    }
}
