//! Multipliers of constraints, kept over the passes of a step or not.

use std::cell::Cell;
use std::ops::Range;

/// Shared access to an array of numbers.
pub trait Numbers {
    /// Does it keep what is set? What does not has zeros.
    const KEEPS: bool;

    fn get(&self, at: usize) -> f64;
    fn set(&self, at: usize, value: f64);
    /// Some of them.
    fn part(&self, range: Range<usize>) -> &Self;
}

impl Numbers for [Cell<f64>] {
    const KEEPS: bool = true;

    #[inline(always)]
    fn get(&self, at: usize) -> f64 {
        self[at].get()
    }

    #[inline(always)]
    fn set(&self, at: usize, value: f64) {
        self[at].set(value);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> &Self {
        &self[range]
    }
}

/// Multipliers of a step of one pass: nobody reads them again.
pub struct Forgotten;

impl Numbers for Forgotten {
    const KEEPS: bool = false;

    #[inline(always)]
    fn get(&self, _: usize) -> f64 {
        0.0
    }

    #[inline(always)]
    fn set(&self, _: usize, _: f64) {}

    #[inline(always)]
    fn part(&self, _: Range<usize>) -> &Self {
        self
    }
}

/// Multipliers of some constraints, if they are kept.
#[derive(Clone, Copy)]
pub enum Kept<'a> {
    Not,
    In(&'a [Cell<f64>]),
}
