//! Arrays that a constraint may change while others are at work elsewhere: cells on one thread, atomic numbers on
//! several. Constraints that run at the same time share no vertex, so relaxed loads and stores see what
//! they would see on one thread.

use ligament_model::parts::SoftPoint;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shared access to vertices.
pub trait Points {
    fn point(&self, vertex: u32) -> SoftPoint;
    fn set_point(&self, vertex: u32, point: SoftPoint);
}

/// Shared access to an array of numbers.
pub trait Numbers {
    fn get(&self, at: usize) -> f64;
    fn set(&self, at: usize, value: f64);
    /// Some of them.
    fn part(&self, range: Range<usize>) -> &Self;

    #[inline(always)]
    fn four(&self, at: usize) -> [f64; 4] {
        [self.get(at), self.get(at + 1), self.get(at + 2), self.get(at + 3)]
    }

    #[inline(always)]
    fn set_four(&self, at: usize, value: [f64; 4]) {
        for k in 0..4 {
            self.set(at + k, value[k]);
        }
    }
}

impl Points for [Cell<SoftPoint>] {
    #[inline(always)]
    fn point(&self, vertex: u32) -> SoftPoint {
        self[vertex as usize].get()
    }

    #[inline(always)]
    fn set_point(&self, vertex: u32, point: SoftPoint) {
        self[vertex as usize].set(point);
    }
}

/// Four numbers of each vertex.
impl Points for [AtomicU64] {
    fn point(&self, vertex: u32) -> SoftPoint {
        self.four(4 * vertex as usize)
    }

    fn set_point(&self, vertex: u32, point: SoftPoint) {
        self.set_four(4 * vertex as usize, point);
    }
}

impl Numbers for [Cell<f64>] {
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

impl Numbers for [AtomicU64] {
    #[inline(always)]
    fn get(&self, at: usize) -> f64 {
        f64::from_bits(self[at].load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn set(&self, at: usize, value: f64) {
        self[at].store(value.to_bits(), Ordering::Relaxed);
    }

    #[inline(always)]
    fn part(&self, range: Range<usize>) -> &Self {
        &self[range]
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
