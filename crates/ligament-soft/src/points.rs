//! Arrays that a constraint may change while others are at work elsewhere: cells on one thread, atomic numbers on
//! several. Constraints that run at the same time share no vertex, so relaxed loads and stores see what they would see
//! on one thread.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shared access to an array of numbers.
pub trait Numbers {
    fn get(&self, i: usize) -> f64;
    fn set(&self, i: usize, value: f64);

    #[inline]
    fn vector(&self, i: usize) -> [f64; 3] {
        [self.get(3 * i), self.get(3 * i + 1), self.get(3 * i + 2)]
    }

    #[inline]
    fn set_vector(&self, i: usize, value: [f64; 3]) {
        self.set(3 * i, value[0]);
        self.set(3 * i + 1, value[1]);
        self.set(3 * i + 2, value[2]);
    }
}

impl Numbers for [Cell<f64>] {
    #[inline]
    fn get(&self, i: usize) -> f64 {
        self[i].get()
    }

    #[inline]
    fn set(&self, i: usize, value: f64) {
        self[i].set(value);
    }
}

impl Numbers for [AtomicU64] {
    #[inline]
    fn get(&self, i: usize) -> f64 {
        f64::from_bits(self[i].load(Ordering::Relaxed))
    }

    #[inline]
    fn set(&self, i: usize, value: f64) {
        self[i].store(value.to_bits(), Ordering::Relaxed);
    }
}

/// A copy of numbers for several threads.
pub fn atomic_copy(numbers: &[f64]) -> Vec<AtomicU64> {
    numbers.iter().map(|x| AtomicU64::new(x.to_bits())).collect()
}

/// Brings the numbers back.
pub fn copy_back(from: Vec<AtomicU64>, to: &mut [f64]) {
    for (x, y) in to.iter_mut().zip(from) {
        *x = f64::from_bits(y.into_inner());
    }
}
