//! Sums over scattered places of a vector, as products with sparse rows are made of.
//!
//! A check per number would cost as much as the sum. So the places of a whole matrix are checked first, many at a time,
//! and [`Places`] carries the proof along.
#![allow(unsafe_code)]

use crate::simd;
use std::ops::Range;

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

    /// `x[places] = numbers`, over the shorter length.
    #[inline(always)]
    pub fn scatter(&self, numbers: &[f64], x: &mut [f64]) {
        assert!(self.bound <= x.len());
        let origin = x.as_mut_ptr().wrapping_sub(self.first);
        for (&number, place) in numbers.iter().zip(self.places) {
            // SAFETY: every place less `first` is below `bound`, which is at most the length of `x`.
            unsafe { *origin.wrapping_add(place.index() as usize) = number };
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

/// The rows of a lower triangle with the diagonal last in each: they and their columns are checked once.
#[derive(Debug, Clone, Copy)]
pub struct Triangle<'a> {
    counts: &'a [i32],
    starts: &'a [i32],
    columns: &'a [i32],
    values: &'a [f64],
}

impl<'a> Triangle<'a> {
    /// Checks `counts.len()` rows. Panics when one lies outside of the matrix, has no diagonal, or has a column that is no row.
    #[inline]
    pub fn new(counts: &'a [i32], starts: &'a [i32], columns: &'a [i32], values: &'a [f64]) -> Self {
        let n = counts.len();
        let starts = &starts[..n];
        let mut highest = [0u32; 3];
        for (&count, &start) in counts.iter().zip(starts) {
            // what is negative or zero becomes large; the sum is right where both parts are small
            let (start, strict) = (start as u32, (count as u32).wrapping_sub(1));
            let parts = [start, strict, start.wrapping_add(strict)];
            highest = std::array::from_fn(|k| highest[k].max(parts[k]));
        }
        let [start, strict, diagonal] = highest.map(|x| x as usize);
        let small = i32::MAX as usize;
        let fits = start <= small && strict <= small && diagonal < columns.len().min(values.len());
        assert!(n == 0 || fits, "a row of the triangle lies outside of it");
        Places::new(columns, n);
        Self { counts, starts, columns, values }
    }

    /// Columns and numbers of a row before the diagonal.
    ///
    /// # Safety
    /// There must be such a row.
    #[inline(always)]
    unsafe fn strict(&self, i: usize) -> (&'a [i32], &'a [f64]) {
        // SAFETY: the row is one of those that were checked: it lies in the matrix and has a diagonal.
        unsafe {
            let start = *self.starts.get_unchecked(i) as usize;
            let end = start + *self.counts.get_unchecked(i) as usize - 1;
            (self.columns.get_unchecked(start..end), self.values.get_unchecked(start..end))
        }
    }

    /// Solves LᵀDL x = x in place, where the triangle holds L; `diag_inv` is 1/D.
    #[inline]
    pub fn solve(&self, diag_inv: &[f64], x: &mut [f64]) {
        let n = self.counts.len();
        let (diag_inv, x) = (&diag_inv[..n], x[..n].as_mut_ptr());
        // SAFETY: there are n rows, n numbers in x and n inverses; columns are rows.
        unsafe {
            // x ← L⁻ᵀ x
            for i in (0..n).rev() {
                let value = *x.add(i);
                if value == 0.0 {
                    continue;
                }
                let (columns, row) = self.strict(i);
                for (&column, l) in columns.iter().zip(row) {
                    *x.add(column as usize) -= l * value;
                }
            }
            // x ← L⁻¹ D⁻¹ x: row i needs only the finished entries of its ancestors
            for (i, inverse) in diag_inv.iter().enumerate() {
                let (columns, row) = self.strict(i);
                let own = *x.add(i) * inverse;
                *x.add(i) = if row.is_empty() { own } else { own - sum_at(columns, row, x) };
            }
        }
    }
}

/// Factors M = LᵀDL in place, as [`crate::sparse::factor_ltdl`] does: rows are those of a [`Triangle`], `diag_inv_out` gets 1/D.
///
/// The outer product of each row is subtracted from the triangle of its ancestors, whose rows are the beginnings of this one: two at
/// a time, the later one is one number longer. Panics when those rows do not follow each other before it. Rows are checked when
/// their turn comes: that happens while quotients are awaited, where a check of all rows before the first would add its own time.
#[inline(never)]
pub fn factor(counts: &[i32], starts: &[i32], columns: &[i32], values: &mut [f64], diag_inv_out: &mut [f64]) {
    let n = counts.len();
    let (starts, inverses) = (&starts[..n], &mut diag_inv_out[..n]);
    let entries = columns.len().min(values.len());
    let values = values.as_mut_ptr();
    for (k, inverse_out) in inverses.iter_mut().enumerate().rev() {
        // what is negative becomes large, and sums of two such numbers are still right
        let (start, diagonal) = (starts[k] as u32, (counts[k] as u32).wrapping_sub(1));
        let inside = u64::from(start) + u64::from(diagonal) < entries as u64;
        let (start, diagonal) = (start as usize, diagonal as usize);
        assert!(inside, "a row of the triangle lies outside of it");
        // SAFETY: the row lies in the matrix with its diagonal, as has just been made sure, and so do its columns. Those of
        // ancestors that are written lie before it, which is made sure below.
        unsafe {
            let ancestor =
                |a: usize| starts[*columns.get_unchecked(start + a) as u32 as usize] as u32 as usize;
            let row = values.add(start);
            let inverse = 1.0 / *row.add(diagonal);
            *inverse_out = inverse;
            let mut a = diagonal;
            while a >= 2 {
                a -= 2;
                let (first, second) = (ancestor(a), ancestor(a + 1));
                assert!(first + a < second && second + a + 1 < start, "ancestors of a row follow it");
                let (own, next) = (*row.add(a), *row.add(a + 1));
                let scales = [own * inverse, next * inverse];
                let second = values.add(second);
                simd::subtract_twice(scales, row, a + 1, [values.add(first), second]);
                *second.add(a + 1) -= scales[1] * next;
                (*row.add(a), *row.add(a + 1)) = (scales[0], scales[1]);
            }
            if a == 1 {
                let first = ancestor(0);
                assert!(first < start, "ancestors of a row follow it");
                let own = *row;
                *row = own * inverse;
                *values.add(first) -= *row * own;
            }
        }
    }
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

    /// Numbers go where their places are; those without one go nowhere.
    #[test]
    fn numbers_are_scattered() {
        let mut x = [0.0; 4];
        Places::new(&[3, 0], 4).scatter(&[1.0, 2.0, 5.0], &mut x);
        assert_eq!(x, [2.0, 0.0, 0.0, 1.0]);
        assert!(std::panic::catch_unwind(|| Places::new(&[3, 0], 4).scatter(&[1.0], &mut [0.0; 3])).is_err());
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

    /// Chains that branch, of all lengths: the factor has the bits of the one that checks every row, and rows that are no
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
            assert_eq!((values, inverses), (checked, expected));
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

    /// A row outside of the matrix, without diagonal or with a column that is no row is found.
    #[test]
    fn bad_triangles_are_refused() {
        let refused = |counts: &[i32], starts: &[i32], columns: &[i32], values: usize| {
            let values = vec![1.0; values];
            std::panic::catch_unwind(|| Triangle::new(counts, starts, columns, &values).counts.len()).is_err()
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
    }
}
