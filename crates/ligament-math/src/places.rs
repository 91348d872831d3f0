//! Sums over scattered places of a vector, as products with sparse rows are made of.
//!
//! A check per number would cost as much as the sum. So the places of a whole matrix are checked first, many at a time,
//! and [`Places`] carries the proof along.
#![allow(unsafe_code)]

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

/// Places that are all below a bound.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a, I> {
    places: &'a [I],
    bound: usize,
}

impl<'a, I: Place> Places<'a, I> {
    /// Checks all places. Panics when one of them is not below the bound.
    #[inline]
    pub fn new(places: &'a [I], bound: usize) -> Self {
        let highest = places.iter().fold(0, |highest: u32, place| highest.max(place.index()));
        assert!(places.is_empty() || (highest as usize) < bound, "place {highest} of a vector of {bound}");
        Self { places, bound }
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
        // SAFETY: every place is below `bound`, which is at most the length of `x`.
        let at = |place: I| unsafe { *x.get_unchecked(place.index() as usize) };
        let (rows, fours) = (row.chunks_exact(4), places.chunks_exact(4));
        let (row_rest, rest) = (rows.remainder(), fours.remainder());
        let mut sum = 0.0;
        if row.len() >= 4 {
            let mut lanes = [0.0; 4];
            for (a, place) in rows.zip(fours) {
                for k in 0..4 {
                    lanes[k] += a[k] * at(place[k]);
                }
            }
            sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
        }
        for (a, &place) in row_rest.iter().zip(rest) {
            sum += a * at(place);
        }
        sum
    }

    /// `x[places[range]] -= scale row`
    #[inline(always)]
    pub fn subtract(&self, range: Range<usize>, row: &[f64], scale: f64, x: &mut [f64]) {
        assert!(self.bound <= x.len());
        let (places, row) = self.row(range, row);
        for (a, &place) in row.iter().zip(places) {
            // SAFETY: every place is below `bound`, which is at most the length of `x`.
            unsafe { *x.get_unchecked_mut(place.index() as usize) -= a * scale };
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
        let mut sum = first;
        for (a, &place) in row.iter().zip(places).rev() {
            let place = place.index() as usize;
            // SAFETY: every place is below `bound`, which is at most the length of `x` and of `y`.
            unsafe {
                sum += a * *x.get_unchecked(place);
                *y.get_unchecked_mut(place) += a * scale;
            }
        }
        sum
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

    /// A place outside is found before anything is read, and so is a vector that is too short.
    #[test]
    fn places_outside_are_refused() {
        for wrong in [[0, 3], [-1, 0], [i32::MAX, 2]] {
            assert!(std::panic::catch_unwind(|| Places::new(&wrong, 3)).is_err());
        }
        let columns = [0, 2];
        let places = Places::new(&columns, 3);
        assert!(std::panic::catch_unwind(|| places.dot(0..2, &[1.0, 1.0], &[1.0, 1.0])).is_err());
        assert!(std::panic::catch_unwind(|| places.dot(0..2, &[1.0], &[1.0; 3])).is_err());
    }
}
