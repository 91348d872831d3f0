//! Sums over scattered places of a vector, as products with sparse rows are made of.
//!
//! A check per number would cost as much as the sum. So the places of a whole matrix are checked first, many at a time,
//! and [`Places`] carries the proof along.
#![allow(unsafe_code)]

use crate::simd;
use std::ops::{Deref, Range};
use std::sync::OnceLock;

/// An integer that names a place.
pub trait Place: Copy {
    /// The place; what is negative lies beyond every bound.
    fn index(self) -> u32;
}

impl Place for u32 {
    #[inline(always)]
    fn index(self) -> u32 {
        self
    }
}

impl Place for i32 {
    #[inline(always)]
    fn index(self) -> u32 {
        self as u32
    }
}

/// Places that all lie in a range: those of a vector that begins at `first`.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a, I> {
    places: &'a [I],
    first: usize,
    /// Length of the range.
    bound: usize,
}

impl<'a, I: Place> Places<'a, I> {
    /// Checks all places. Panics when one of them is not below the bound.
    #[inline]
    pub fn new(places: &'a [I], bound: usize) -> Self {
        Self::within(places, 0, bound)
    }

    /// Checks that all places lie in a vector of so many numbers that begins at `first`. Panics when one does not.
    #[inline]
    pub fn within(places: &'a [I], first: usize, bound: usize) -> Self {
        // what lies before the first wraps around to a large number
        let highest = |highest: u32, place: &I| highest.max(place.index().wrapping_sub(first as u32));
        let highest = places.iter().fold(0, highest) as usize;
        let fits = first <= u32::MAX as usize && bound <= u32::MAX as usize - first && highest < bound;
        assert!(places.is_empty() || fits, "place {highest} of a vector of {bound}");
        Self { places, first, bound }
    }

    /// The places of a row, its numbers, and as many of them as there are.
    #[inline(always)]
    fn row<'b>(&self, range: Range<usize>, row: &'b [f64]) -> (&'a [I], &'b [f64]) {
        let places = &self.places[range];
        (places, &row[..places.len()])
    }

    /// `Σ row x[places[range]]` in the order of [`crate::sparse::dot`].
    #[inline(always)]
    pub fn dot(&self, range: Range<usize>, row: &[f64], x: &[f64]) -> f64 {
        assert!(self.bound <= x.len());
        let (places, row) = self.row(range, row);
        let origin = x.as_ptr().wrapping_sub(self.first);
        // SAFETY: every place less `first` is below `bound`, which is at most the length of `x`.
        unsafe { sum_at(places, row, origin) }
    }

    /// `x[places[range]] -= scale row`
    #[inline(always)]
    pub fn subtract(&self, range: Range<usize>, row: &[f64], scale: f64, x: &mut [f64]) {
        assert!(self.bound <= x.len());
        let (places, row) = self.row(range, row);
        let origin = x.as_mut_ptr().wrapping_sub(self.first);
        for (a, &place) in row.iter().zip(places) {
            // SAFETY: every place less `first` is below `bound`, which is at most the length of `x`.
            unsafe { *origin.wrapping_add(place.index() as usize) -= a * scale };
        }
    }

    /// A row of a symmetric matrix without its diagonal, last number first: adds `row scale` to `y` and returns
    /// `first + Σ row x`.
    #[inline(always)]
    pub fn both_ways(
        &self,
        range: Range<usize>,
        row: &[f64],
        (first, scale): (f64, f64),
        x: &[f64],
        y: &mut [f64],
    ) -> f64 {
        assert!(self.bound <= x.len() && self.bound <= y.len());
        let (places, row) = self.row(range, row);
        let (x, y) = (x.as_ptr().wrapping_sub(self.first), y.as_mut_ptr().wrapping_sub(self.first));
        let mut sum = first;
        for (a, &place) in row.iter().zip(places).rev() {
            let place = place.index() as usize;
            // SAFETY: every place less `first` is below `bound`, which is at most the length of `x` and of `y`.
            unsafe {
                sum += a * *x.wrapping_add(place);
                *y.wrapping_add(place) += a * scale;
            }
        }
        sum
    }
}

/// Columns of a matrix that is multiplied many times: they are checked once, until they are edited.
#[derive(Debug, Clone, Default)]
pub struct Columns {
    columns: Vec<u32>,
    /// No column is beyond it. Found when it is first asked for, forgotten with every edit.
    bound: OnceLock<usize>,
}

impl Columns {
    /// The list, to be changed.
    #[inline]
    pub fn edit(&mut self) -> &mut Vec<u32> {
        self.bound = OnceLock::new();
        &mut self.columns
    }

    /// As places in vectors of so many numbers. Panics when one of them is not below the bound.
    #[inline]
    pub fn places(&self, bound: usize) -> Places<'_, u32> {
        let own = *self.bound.get_or_init(|| self.columns.iter().max().map_or(0, |&c| c as usize + 1));
        assert!(own <= bound, "column {own} of a vector of {bound}");
        Places { places: &self.columns, first: 0, bound: own }
    }
}

impl Deref for Columns {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.columns
    }
}

/// `Σ row x[places]` in the order of [`crate::sparse::dot`].
///
/// # Safety
/// Every place must be one of the vector that `x` points to, and there must be as many numbers in the row as places.
#[inline(always)]
unsafe fn sum_at<I: Place>(places: &[I], row: &[f64], x: *const f64) -> f64 {
    debug_assert_eq!(places.len(), row.len());
    let n = places.len();
    // SAFETY: `k` is below the number of places and of numbers; places are those of `x`.
    let product = |k: usize| unsafe {
        *row.get_unchecked(k) * *x.wrapping_add(places.get_unchecked(k).index() as usize)
    };
    let mut sum = 0.0;
    let mut done = 0;
    if n >= 4 {
        let mut lanes = [0.0; 4];
        while done + 4 <= n {
            for (lane, sum) in lanes.iter_mut().enumerate() {
                *sum += product(done + lane);
            }
            done += 4;
        }
        sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    }
    while done < n {
        sum += product(done);
        done += 1;
    }
    sum
}

/// The rows of a lower triangle with the diagonal last in each.
#[derive(Clone, Copy)]
struct Rows<'a> {
    counts: &'a [i32],
    starts: &'a [i32],
}

impl<'a> Rows<'a> {
    /// Panics when a row has no beginning.
    #[inline(always)]
    fn new(counts: &'a [i32], starts: &'a [i32]) -> Self {
        Self { counts, starts: &starts[..counts.len()] }
    }

    /// Where a row begins, and how many of its numbers lie before the diagonal. Panics when there is no such row, or when the
    /// diagonal is none of so many entries.
    #[inline(always)]
    fn checked(self, i: usize, entries: usize) -> (usize, usize) {
        // what is negative becomes large, and sums of two such numbers are still right
        let (start, strict) = (self.starts[i] as u32, (self.counts[i] as u32).wrapping_sub(1));
        let inside = u64::from(start) + u64::from(strict) < entries as u64;
        assert!(inside, "a row of the triangle lies outside of it");
        (start as usize, strict as usize)
    }

    /// As [`Self::checked`].
    ///
    /// # Safety
    /// There must be such a row.
    #[inline(always)]
    unsafe fn unchecked(self, i: usize) -> (usize, usize) {
        // SAFETY: the caller has made sure; there are as many beginnings as rows.
        let (start, count) = unsafe { (*self.starts.get_unchecked(i), *self.counts.get_unchecked(i)) };
        (start as u32 as usize, (count as u32).wrapping_sub(1) as usize)
    }
}

/// Factors M = LᵀDL in place, as [`crate::sparse::factor_ltdl`] does, M given by its lower triangle with the diagonal last in each
/// row; `diag_inv_out` gets 1/D.
///
/// The outer product of each row is subtracted from the triangle of its ancestors, whose rows are the beginnings of this one: two at
/// a time, the later one is one number longer. A row is always read and written in the same pieces, as the first of two when an even
/// number of numbers lies before its diagonal, else as the second: a load that lies across two pieces would wait until both have
/// left the store buffer.
///
/// Panics when rows of ancestors do not follow each other before this one. Rows are checked when their turn comes: that happens
/// while quotients are awaited, where a check of all rows before the first would add its own time.
#[inline(never)]
pub fn factor(counts: &[i32], starts: &[i32], columns: &[i32], values: &mut [f64], diag_inv_out: &mut [f64]) {
    let n = counts.len();
    let (rows, inverses) = (Rows::new(counts, starts), &mut diag_inv_out[..n]);
    let entries = columns.len().min(values.len());
    let values = values.as_mut_ptr();
    for (k, inverse_out) in inverses.iter_mut().enumerate().rev() {
        let (start, diagonal) = rows.checked(k, entries);
        // SAFETY: the row lies in the matrix with its diagonal, as has just been made sure, and so do its columns. Those of
        // ancestors that are written lie before it, which is made sure below.
        unsafe {
            let ancestor =
                |a: usize| rows.starts[*columns.get_unchecked(start + a) as u32 as usize] as u32 as usize;
            let row = values.add(start);
            let inverse = 1.0 / *row.add(diagonal);
            *inverse_out = inverse;
            let mut a = diagonal;
            if a % 2 == 1 {
                a -= 1;
                let parent = ancestor(a);
                assert!(parent + a < start, "ancestors of a row follow it");
                let (parent, own) = (values.add(parent), *row.add(a));
                let scale = own * inverse;
                simd::subtract_even(scale, row, a, parent);
                *parent.add(a) -= scale * own;
                *row.add(a) = scale;
            }
            while a >= 2 {
                a -= 2;
                let (first, second) = (ancestor(a), ancestor(a + 1));
                assert!(first + a < second && second + a + 1 < start, "ancestors of a row follow it");
                let (first, second) = (values.add(first), values.add(second));
                let (own, next) = (*row.add(a), *row.add(a + 1));
                let scales = [own * inverse, next * inverse];
                simd::subtract_even_twice(scales, row, a, [first, second]);
                *first.add(a) -= scales[0] * own;
                *second.add(a) -= scales[1] * own;
                *second.add(a + 1) -= scales[1] * next;
                (*row.add(a), *row.add(a + 1)) = (scales[0], scales[1]);
            }
        }
    }
}

/// Solves LᵀDL x = x in place, as [`crate::sparse::solve_ltdl`] does, with what [`factor`] made.
///
/// Panics when a row lies outside of the matrix, has no diagonal, or has a column that is no row. Rows are checked when their turn
/// comes, while products are awaited.
#[inline(never)]
pub fn solve(
    counts: &[i32],
    starts: &[i32],
    columns: &[i32],
    values: &[f64],
    diag_inv: &[f64],
    x: &mut [f64],
) {
    let n = counts.len();
    let (rows, diag_inv, x) = (Rows::new(counts, starts), &diag_inv[..n], &mut x[..n]);
    let entries = columns.len().min(values.len());
    // x ← L⁻ᵀ x
    for i in (0..n).rev() {
        let (start, strict) = rows.checked(i, entries);
        // SAFETY: the row lies in the matrix, as has just been made sure.
        let (columns, row) = unsafe { strict_part(columns, values, start, strict) };
        let value = x[i];
        if value == 0.0 {
            assert!(columns.iter().all(|&column| (column as u32 as usize) < n), "a column is no row");
            continue;
        }
        for (&column, l) in columns.iter().zip(row) {
            x[column as u32 as usize] -= l * value;
        }
    }
    // x ← L⁻¹ D⁻¹ x: row i needs only the finished entries of its ancestors
    let x = x.as_mut_ptr();
    for (i, inverse) in diag_inv.iter().enumerate() {
        // SAFETY: there are n rows and n numbers; the first pass has looked at all rows and found them and their columns inside.
        unsafe {
            let (start, strict) = rows.unchecked(i);
            let (columns, row) = strict_part(columns, values, start, strict);
            let own = *x.add(i) * inverse;
            *x.add(i) = if strict == 0 { own } else { own - sum_at(columns, row, x) };
        }
    }
}

/// Columns and numbers of a row before the diagonal.
///
/// # Safety
/// There must be so many of both.
#[inline(always)]
unsafe fn strict_part<'a>(
    columns: &'a [i32],
    values: &'a [f64],
    start: usize,
    strict: usize,
) -> (&'a [i32], &'a [f64]) {
    // SAFETY: as the caller has made sure.
    unsafe { (columns.get_unchecked(start..start + strict), values.get_unchecked(start..start + strict)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums at places are those of the checked kernels, for every length.
    #[test]
    fn sums_agree_with_checked_ones() {
        let x: Vec<f64> = (0..50).map(|k| (k as f64 * 0.37).sin()).collect();
        let columns: Vec<i32> = (0..40).map(|k| (k * 17) % 50).collect();
        let row: Vec<f64> = (0..40).map(|k| (k as f64 * 0.91).cos()).collect();
        let places = Places::new(&columns, x.len());
        for end in 0..40 {
            let range = end / 3..end;
            let expected = crate::sparse::dot(&row[range.clone()], &x, &columns[range.clone()]);
            assert_eq!(places.dot(range.clone(), &row[range.clone()], &x), expected);
            let (mut a, mut b) = (x.clone(), x.clone());
            places.subtract(range.clone(), &row[range.clone()], 0.7, &mut a);
            for (l, &c) in row[range.clone()].iter().zip(&columns[range.clone()]) {
                b[c as usize] -= l * 0.7;
            }
            assert_eq!(a, b);
            let sum = places.both_ways(range.clone(), &row[range.clone()], (0.3, 0.7), &x, &mut a);
            let mut expected = 0.3;
            for (l, &c) in row[range.clone()].iter().zip(&columns[range]).rev() {
                expected += l * x[c as usize];
                b[c as usize] += l * 0.7;
            }
            assert_eq!((sum, a), (expected, b));
        }
    }

    /// A place outside is found before anything is read, and so is a vector that is too short.
    #[test]
    fn places_outside_are_refused() {
        for wrong in [[0, 3], [-1, 0], [i32::MAX, 2]] {
            assert!(std::panic::catch_unwind(|| Places::new(&wrong, 3)).is_err());
        }
        for wrong in [[6, 4], [5, 8]] {
            assert!(std::panic::catch_unwind(|| Places::within(&wrong, 5, 3)).is_err());
        }
        assert_eq!(Places::within(&[7, 5], 5, 3).dot(0..2, &[1.0, 10.0], &[1.0, 2.0, 3.0]), 13.0);
        let columns = [0, 2];
        let places = Places::new(&columns, 3);
        assert!(std::panic::catch_unwind(|| places.dot(0..2, &[1.0, 1.0], &[1.0, 1.0])).is_err());
        assert!(std::panic::catch_unwind(|| places.dot(0..2, &[1.0], &[1.0; 3])).is_err());
    }

    /// Columns that are edited are checked again.
    #[test]
    fn edited_columns_are_checked_again() {
        let mut columns = Columns::default();
        assert_eq!(columns.places(0).dot(0..0, &[], &[]), 0.0);
        columns.edit().extend([2, 0]);
        assert_eq!(columns.places(3).dot(0..2, &[1.0, 10.0], &[1.0, 2.0, 3.0]), 13.0);
        columns.edit().push(3);
        assert!(std::panic::catch_unwind(|| columns.places(3)).is_err());
        assert_eq!(columns.clone().places(4).dot(1..3, &[1.0, 1.0], &[1.0, 2.0, 3.0, 4.0]), 5.0);
        columns.edit()[2] = u32::MAX;
        assert!(std::panic::catch_unwind(|| columns.places(4)).is_err());
    }

    /// Chains that branch, of all lengths: factor and solution have the bits of those that check every place, and rows that are no
    /// ancestors are refused before they are written.
    #[test]
    fn factors_agree_with_checked_ones() {
        for n in 1..20usize {
            let (mut counts, mut starts, mut columns) = (Vec::new(), Vec::new(), Vec::new());
            let mut chains: Vec<Vec<i32>> = Vec::new();
            for i in 0..n {
                // every fifth row begins a branch on an earlier one
                let parent = if i % 5 == 4 { i / 2 } else { i.wrapping_sub(1) };
                let mut chain = chains.get(parent).cloned().unwrap_or_default();
                chain.push(i as i32);
                counts.push(chain.len() as i32);
                starts.push(columns.len() as i32);
                columns.extend_from_slice(&chain);
                chains.push(chain);
            }
            let ends: Vec<usize> = (0..n).map(|i| (starts[i] + counts[i]) as usize - 1).collect();
            let entry = |k: usize| if ends.contains(&k) { 9.0 } else { (k as f64 * 0.7).sin() };
            let mut values: Vec<f64> = (0..columns.len()).map(entry).collect();
            let (mut inverses, mut checked, mut expected) = (vec![0.0; n], values.clone(), vec![0.0; n]);
            factor(&counts, &starts, &columns, &mut values, &mut inverses);
            let pattern = crate::sparse::Pattern::new(&counts, &starts, &columns);
            crate::sparse::factor_ltdl_together(&mut checked, &mut expected, n, pattern);
            assert_eq!((&values, &inverses), (&checked, &expected));
            // a number that is zero is passed over, also one that becomes zero
            for zeros in [n + 1, 1, 2, 3] {
                let number = |k: usize| if k.is_multiple_of(zeros) { 0.0 } else { (k as f64 * 1.3).cos() };
                let mut x: Vec<f64> = (1..=n).map(number).collect();
                let mut expected = x.clone();
                solve(&counts, &starts, &columns, &values, &inverses, &mut x);
                crate::sparse::solve_ltdl_together(&mut expected, &values, &inverses, n, pattern);
                assert_eq!(x, expected);
            }
        }
        let refused = |columns: [i32; 6]| {
            let mut values = [1.0; 6];
            let call = || factor(&[1, 2, 3], &[0, 1, 3], &columns, &mut values, &mut [0.0; 3]);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
        };
        assert!(!refused([0, 0, 1, 0, 1, 2]));
        assert!(refused([0, 0, 1, 1, 0, 2]));
        assert!(refused([0, 0, 1, 0, 2, 2]));
        assert!(refused([0, 1, 1, 0, 1, 2]));
    }

    /// A row outside of the matrix, without diagonal or with a column that is no row is found, also where its number is zero.
    #[test]
    fn bad_triangles_are_refused() {
        let refused = |counts: &[i32], starts: &[i32], columns: &[i32], values: usize| {
            let fails = |number: f64| {
                let (values, mut x) = (vec![0.5; values], vec![number; counts.len()]);
                let call = || solve(counts, starts, columns, &values, &vec![1.0; counts.len()], &mut x);
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).is_err()
            };
            assert_eq!(fails(0.0), fails(1.0));
            fails(0.0)
        };
        assert!(!refused(&[1, 2], &[0, 1], &[0, 0, 1], 3));
        assert!(!refused(&[], &[], &[], 0));
        for (counts, starts) in [([1, 0], [0, 1]), ([1, 3], [0, 1]), ([1, 2], [0, -1]), ([-1, 2], [0, 1])] {
            assert!(refused(&counts, &starts, &[0, 0, 1], 3), "{counts:?} {starts:?}");
        }
        assert!(refused(&[1, i32::MIN], &[0, i32::MIN], &[0, 0, 1], 3));
        assert!(refused(&[1, 2], &[0, 1], &[0, 2, 1], 3));
        assert!(refused(&[1, 2], &[0, 1], &[0, -1, 1], 3));
        assert!(refused(&[1, 2], &[0, 1], &[0, 0, 1], 2));
        assert!(refused(&[1, 2], &[0], &[0, 0, 1], 3));
        assert!(refused(&[1, 3], &[0, 1], &[0, -1, 0, 1], 4));
    }
}
