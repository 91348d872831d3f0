//! Two worlds: plain arithmetic on pairs, which compilers turn into the vector instructions that every processor of the
//! architecture has (SSE2, NEON).

use super::{Lane, Mask};
use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// Two worlds.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct F64x2([f64; 2]);

/// All bits of a lane are set, or none.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub struct Mask2([u64; 2]);

#[inline(always)]
fn both(f: impl Fn(usize) -> f64) -> F64x2 {
    F64x2([f(0), f(1)])
}

#[inline(always)]
fn where_both(f: impl Fn(usize) -> bool) -> Mask2 {
    let lane = |k: usize| if f(k) { u64::MAX } else { 0 };
    Mask2([lane(0), lane(1)])
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for F64x2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                both(|k| self.0[k].$method(other.0[k]))
            }
        }
        impl $trait<f64> for F64x2 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                both(|k| self.0[k].$method(other))
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign for F64x2 {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for F64x2 {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for F64x2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        both(|k| -self.0[k])
    }
}

impl BitAnd for Mask2 {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

impl BitOr for Mask2 {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Not for Mask2 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

impl Mask for Mask2 {
    #[inline(always)]
    fn bits(self) -> u32 {
        (self.0[0] & 1 | self.0[1] & 2) as u32
    }
}

impl Lane for F64x2 {
    const WIDTH: usize = 2;
    type Mask = Mask2;

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x, x])
    }
    #[inline(always)]
    fn lanes(&self) -> &[f64] {
        &self.0
    }
    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [f64] {
        &mut self.0
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        both(|k| self.0[k].sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        both(|k| self.0[k].abs())
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        both(|k| if self.0[k] < other.0[k] { self.0[k] } else { other.0[k] })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        both(|k| if self.0[k] > other.0[k] { self.0[k] } else { other.0[k] })
    }
    #[inline(always)]
    fn round(self) -> Self {
        both(|k| self.0[k].round_ties_even())
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Mask2 {
        where_both(|k| self.0[k] < other.0[k])
    }
    #[inline(always)]
    fn le(self, other: Self) -> Mask2 {
        where_both(|k| self.0[k] <= other.0[k])
    }
    #[inline(always)]
    fn select(mask: Mask2, yes: Self, no: Self) -> Self {
        both(|k| f64::from_bits(yes.0[k].to_bits() & mask.0[k] | no.0[k].to_bits() & !mask.0[k]))
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        both(|k| self.0[k].mul_add(a.0[k], b.0[k]))
    }
    #[inline(always)]
    fn sub_product(self, a: Self, b: Self) -> Self {
        both(|k| (-a.0[k]).mul_add(b.0[k], self.0[k]))
    }
    #[inline(always)]
    fn mask(bits: u32) -> Mask2 {
        where_both(|k| bits >> k & 1 != 0)
    }
}
