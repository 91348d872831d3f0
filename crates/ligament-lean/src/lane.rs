//! One number of each of W worlds: the scalar that the phases are written in.
//!
//! Every operation acts on each lane alone and rounds as IEEE 754 asks, so a world has the same bits in any lane of any width:
//! a product and a sum are fused where `mul_add` and `sub_product` stand, and nowhere else. `min`, `max` and the comparisons treat NaN alike in all widths.

#![allow(unsafe_code)] // vector instructions; see the notes at each block

mod pair;

pub use pair::F64x2;

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub, SubAssign};

/// One truth value of each world.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Bit k belongs to lane k.
    fn bits(self) -> u32;
    fn any(self) -> bool {
        self.bits() != 0
    }
}

/// W numbers, one of each world.
pub trait Lane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + AddAssign
    + SubAssign
{
    /// Number of worlds.
    const WIDTH: usize;
    type Mask: Mask;

    fn splat(x: f64) -> Self;
    /// The lanes in memory order.
    fn lanes(&self) -> &[f64];
    fn lanes_mut(&mut self) -> &mut [f64];
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    /// The smaller one; the second if they don't compare.
    fn min(self, other: Self) -> Self;
    /// The larger one; the second if they don't compare.
    fn max(self, other: Self) -> Self;
    /// Nearest integer, ties to even.
    fn round(self) -> Self;
    fn lt(self, other: Self) -> Self::Mask;
    fn le(self, other: Self) -> Self::Mask;
    /// `yes` where the mask holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// A mask from bits; bit k belongs to lane k.
    fn mask(bits: u32) -> Self::Mask;

    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }
    #[inline(always)]
    fn none() -> Self::Mask {
        Self::mask(0)
    }
    /// The number where the mask holds, else zero.
    #[inline(always)]
    fn masked(self, mask: Self::Mask) -> Self {
        Self::select(mask, self, Self::zero())
    }
    /// self · a + b, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// self − a · b, rounded once.
    fn sub_product(self, a: Self, b: Self) -> Self;
    /// 1/x
    #[inline(always)]
    fn recip(self) -> Self {
        Self::splat(1.0) / self
    }
    /// All lanes of the width.
    #[inline(always)]
    fn all_bits() -> u32 {
        (1u32 << Self::WIDTH) - 1
    }
}

impl Mask for bool {
    #[inline(always)]
    fn bits(self) -> u32 {
        u32::from(self)
    }
}

impl Lane for f64 {
    const WIDTH: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn lanes(&self) -> &[f64] {
        std::slice::from_ref(self)
    }
    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [f64] {
        std::slice::from_mut(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn round(self) -> f64 {
        f64::round_ties_even(self)
    }
    #[inline(always)]
    fn lt(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: f64) -> bool {
        self <= other
    }
    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn mask(bits: u32) -> bool {
        bits & 1 != 0
    }
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64) -> f64 {
        f64::mul_add(self, a, b)
    }
    #[inline(always)]
    fn sub_product(self, a: f64, b: f64) -> f64 {
        f64::mul_add(-a, b, self)
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::{F64x4, F64x8};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::*;
    use std::arch::x86_64::*;

    /// Four worlds in an AVX register. Made only inside a step whose entry has checked the processor (`width.rs`).
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct F64x4(__m256d);

    /// Eight worlds in an AVX-512 register. Made only inside a step whose entry has checked the processor.
    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct F64x8(__m512d);

    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct Mask4(__m256d);

    #[derive(Clone, Copy)]
    #[repr(transparent)]
    pub struct Mask8(u8);

    macro_rules! operators {
        ($lane:ident, $($trait:ident $method:ident $instruction:ident),*) => {$(
            impl $trait for $lane {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: the type exists only where its instructions do (see its comment).
                    Self(unsafe { $instruction(self.0, other.0) })
                }
            }
            impl $trait<f64> for $lane {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: f64) -> Self {
                    $trait::$method(self, Self::splat(other))
                }
            }
        )*
            impl AddAssign for $lane {
                #[inline(always)]
                fn add_assign(&mut self, other: Self) {
                    *self = *self + other;
                }
            }
            impl SubAssign for $lane {
                #[inline(always)]
                fn sub_assign(&mut self, other: Self) {
                    *self = *self - other;
                }
            }
        };
    }

    macro_rules! memory {
        () => {
            #[inline(always)]
            fn lanes(&self) -> &[f64] {
                // SAFETY: the register type is WIDTH numbers in a row, without padding, and lives as long as `self`.
                unsafe { std::slice::from_raw_parts((&raw const self.0).cast(), Self::WIDTH) }
            }
            #[inline(always)]
            fn lanes_mut(&mut self) -> &mut [f64] {
                // SAFETY: as in `lanes`; `self` is borrowed for as long as the slice.
                unsafe { std::slice::from_raw_parts_mut((&raw mut self.0).cast(), Self::WIDTH) }
            }
        };
    }

    operators!(F64x4, Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd);
    operators!(F64x8, Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd);

    impl Neg for F64x4 {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: as for the other operators.
            Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
        }
    }

    impl Neg for F64x8 {
        type Output = Self;
        #[inline(always)]
        fn neg(self) -> Self {
            // SAFETY: as for the other operators.
            Self(unsafe {
                let sign = _mm512_set1_epi64(i64::MIN);
                _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), sign))
            })
        }
    }

    impl BitAnd for Mask4 {
        type Output = Self;
        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            // SAFETY: as for the other operators.
            Self(unsafe { _mm256_and_pd(self.0, other.0) })
        }
    }

    impl BitOr for Mask4 {
        type Output = Self;
        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            // SAFETY: as for the other operators.
            Self(unsafe { _mm256_or_pd(self.0, other.0) })
        }
    }

    impl Not for Mask4 {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            // SAFETY: as for the other operators.
            Self(unsafe { _mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) })
        }
    }

    impl Mask for Mask4 {
        #[inline(always)]
        fn bits(self) -> u32 {
            // SAFETY: as for the other operators.
            unsafe { _mm256_movemask_pd(self.0) as u32 }
        }
    }

    impl BitAnd for Mask8 {
        type Output = Self;
        #[inline(always)]
        fn bitand(self, other: Self) -> Self {
            Self(self.0 & other.0)
        }
    }

    impl BitOr for Mask8 {
        type Output = Self;
        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            Self(self.0 | other.0)
        }
    }

    impl Not for Mask8 {
        type Output = Self;
        #[inline(always)]
        fn not(self) -> Self {
            Self(!self.0)
        }
    }

    impl Mask for Mask8 {
        #[inline(always)]
        fn bits(self) -> u32 {
            u32::from(self.0)
        }
    }

    impl Lane for F64x4 {
        const WIDTH: usize = 4;
        type Mask = Mask4;
        memory!();

        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: reached only from a step whose entry has checked the processor; so are all blocks below.
            Self(unsafe { _mm256_set1_pd(x) })
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_min_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_max_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn round(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_round_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Mask4 {
            // SAFETY: see `splat`.
            Mask4(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn le(self, other: Self) -> Mask4 {
            // SAFETY: see `splat`.
            Mask4(unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn select(mask: Mask4, yes: Self, no: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask.0) })
        }
        #[inline(always)]
        fn mask(bits: u32) -> Mask4 {
            let lane = |k: u32| -i64::from(bits >> k & 1);
            // SAFETY: see `splat`.
            Mask4(unsafe { _mm256_castsi256_pd(_mm256_setr_epi64x(lane(0), lane(1), lane(2), lane(3))) })
        }
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_fmadd_pd(self.0, a.0, b.0) })
        }
        #[inline(always)]
        fn sub_product(self, a: Self, b: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm256_fnmadd_pd(a.0, b.0, self.0) })
        }
    }

    impl Lane for F64x8 {
        const WIDTH: usize = 8;
        type Mask = Mask8;
        memory!();

        #[inline(always)]
        fn splat(x: f64) -> Self {
            // SAFETY: reached only from a step whose entry has checked the processor; so are all blocks below.
            Self(unsafe { _mm512_set1_pd(x) })
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_sqrt_pd(self.0) })
        }
        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_abs_pd(self.0) })
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_min_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_max_pd(self.0, other.0) })
        }
        #[inline(always)]
        fn round(self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(self.0) })
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Mask8 {
            // SAFETY: see `splat`.
            Mask8(unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn le(self, other: Self) -> Mask8 {
            // SAFETY: see `splat`.
            Mask8(unsafe { _mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0) })
        }
        #[inline(always)]
        fn select(mask: Mask8, yes: Self, no: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_mask_blend_pd(mask.0, no.0, yes.0) })
        }
        #[inline(always)]
        fn mask(bits: u32) -> Mask8 {
            Mask8(bits as u8)
        }
        #[inline(always)]
        fn mul_add(self, a: Self, b: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_fmadd_pd(self.0, a.0, b.0) })
        }
        #[inline(always)]
        fn sub_product(self, a: Self, b: Self) -> Self {
            // SAFETY: see `splat`.
            Self(unsafe { _mm512_fnmadd_pd(a.0, b.0, self.0) })
        }
    }
}
