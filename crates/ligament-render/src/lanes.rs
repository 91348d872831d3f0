//! Eight numbers at a time: loops of fixed length over arrays, which compilers turn into vector instructions.

use std::ops::{Add, Mul, Sub};

/// Pixels that are computed together.
pub(crate) const LANES: usize = 8;

/// A number for each of eight pixels.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lanes(pub [f32; LANES]);

impl Lanes {
    /// The same number everywhere.
    #[inline(always)]
    pub fn splat(x: f32) -> Self {
        Self([x; LANES])
    }

    /// Numbers that grow by a step from pixel to pixel.
    #[inline(always)]
    pub fn ramp(start: f32, step: f32) -> Self {
        let mut r = [0.0; LANES];
        for i in 0..LANES {
            r[i] = start + step * i as f32;
        }
        Self(r)
    }

    /// One divided by each.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let mut r = self.0;
        for i in 0..LANES {
            r[i] = 1.0 / r[i];
        }
        Self(r)
    }

    /// Between 0 and a limit; what is no number becomes 0.
    #[inline(always)]
    pub fn between_zero_and(self, limit: f32) -> Self {
        let mut r = self.0;
        for i in 0..LANES {
            r[i] = if r[i] > 0.0 { r[i] } else { 0.0 };
            r[i] = if r[i] < limit { r[i] } else { limit };
        }
        Self(r)
    }

    /// Whole parts of numbers that are not negative.
    #[inline(always)]
    pub fn whole(self) -> [i32; LANES] {
        let mut r = [0; LANES];
        for i in 0..LANES {
            r[i] = self.0[i] as i32;
        }
        r
    }
}

macro_rules! operation {
    ($trait:ident, $name:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let mut r = self.0;
                for i in 0..LANES {
                    r[i] $op other.0[i];
                }
                Self(r)
            }
        }

        impl $trait<f32> for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $name(self, other: f32) -> Self {
                let mut r = self.0;
                for i in 0..LANES {
                    r[i] $op other;
                }
                Self(r)
            }
        }
    };
}

operation!(Add, add, +=);
operation!(Sub, sub, -=);
operation!(Mul, mul, *=);
