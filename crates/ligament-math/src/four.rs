//! Four numbers in one register: the same operation on each of them, rounded as IEEE 754 asks, so that a number has the
//! same bits alone and in any place of four. Processors without AVX run the twin in plain Rust.
#![allow(unsafe_code)]

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
use avx as kernels;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx")))]
use plain as kernels;

/// Four numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Four(kernels::Register);

impl Default for Four {
    #[inline]
    fn default() -> Self {
        Self::splat(0.0)
    }
}

impl Four {
    /// Four equal numbers.
    #[inline(always)]
    pub fn splat(x: f64) -> Self {
        Self::new([x; 4])
    }

    /// These numbers.
    #[inline(always)]
    pub fn new(numbers: [f64; 4]) -> Self {
        Self(kernels::load(&numbers))
    }

    /// The numbers.
    #[inline(always)]
    pub fn numbers(self) -> [f64; 4] {
        let mut numbers = [0.0; 4];
        kernels::store(self.0, &mut numbers);
        numbers
    }

    /// Square roots.
    #[inline(always)]
    pub fn sqrt(self) -> Self {
        Self(kernels::sqrt(self.0))
    }

    /// The larger one of each; the other if they don't compare.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self(kernels::max(self.0, other.0))
    }

    /// The smaller one of each; the other if they don't compare.
    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        Self(kernels::min(self.0, other.0))
    }

    /// Sizes without signs.
    #[inline(always)]
    pub fn abs(self) -> Self {
        Self(kernels::abs(self.0))
    }

    /// Where both are equal.
    #[inline(always)]
    pub fn equals(self, other: Self) -> Truth {
        Truth(kernels::equals(self.0, other.0))
    }

    /// Where this one is smaller.
    #[inline(always)]
    pub fn less(self, other: Self) -> Truth {
        Truth(kernels::less(self.0, other.0))
    }

    /// Rows become columns.
    #[inline(always)]
    pub fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let [a, b, c, d] = kernels::transposed([a.0, b.0, c.0, d.0]);
        [Self(a), Self(b), Self(c), Self(d)]
    }
}

/// Four truth values; all bits of a number are set where it holds.
#[derive(Debug, Clone, Copy)]
pub struct Truth(kernels::Register);

impl Truth {
    /// Where both hold.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        Self(kernels::and(self.0, other.0))
    }

    /// `yes` where it holds, else `no`.
    #[inline(always)]
    pub fn choose(self, yes: Four, no: Four) -> Four {
        Four(kernels::choose(self.0, yes.0, no.0))
    }
}

macro_rules! operator {
    ($name:ident, $function:ident) => {
        impl $name for Four {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Self(kernels::$function(self.0, other.0))
            }
        }
    };
}
operator!(Add, add);
operator!(Sub, sub);
operator!(Mul, mul);
operator!(Div, div);

impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::splat(-0.0) - self
    }
}

impl AddAssign for Four {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// The twin.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx"))))]
mod plain {
    pub type Register = [f64; 4];

    pub fn load(x: &[f64; 4]) -> Register {
        *x
    }
    pub fn store(x: Register, out: &mut [f64; 4]) {
        *out = x;
    }
    pub fn add(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| a[k] + b[k])
    }
    pub fn sub(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| a[k] - b[k])
    }
    pub fn mul(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| a[k] * b[k])
    }
    pub fn div(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| a[k] / b[k])
    }
    pub fn sqrt(a: Register) -> Register {
        a.map(f64::sqrt)
    }
    pub fn max(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
    }
    pub fn min(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| if a[k] < b[k] { a[k] } else { b[k] })
    }
    pub fn abs(a: Register) -> Register {
        a.map(f64::abs)
    }
    fn truth(holds: bool) -> f64 {
        f64::from_bits(if holds { u64::MAX } else { 0 })
    }
    pub fn equals(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| truth(a[k] == b[k]))
    }
    pub fn less(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| truth(a[k] < b[k]))
    }
    pub fn and(a: Register, b: Register) -> Register {
        std::array::from_fn(|k| f64::from_bits(a[k].to_bits() & b[k].to_bits()))
    }
    pub fn choose(truth: Register, yes: Register, no: Register) -> Register {
        std::array::from_fn(|k| if truth[k].to_bits() != 0 { yes[k] } else { no[k] })
    }
    pub fn transposed(rows: [Register; 4]) -> [Register; 4] {
        std::array::from_fn(|k| rows.map(|row| row[k]))
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx"))]
mod avx {
    use std::arch::x86_64::{
        __m256d, _CMP_EQ_OQ, _CMP_LT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd, _mm256_blendv_pd,
        _mm256_cmp_pd, _mm256_div_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd,
        _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_sqrt_pd, _mm256_storeu_pd,
        _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd,
    };

    /// A register that can be compared.
    #[derive(Debug, Clone, Copy)]
    pub struct Register(__m256d);

    impl PartialEq for Register {
        #[inline(always)]
        fn eq(&self, other: &Self) -> bool {
            // SAFETY: works on registers only; the compiler was told that the processor has AVX.
            unsafe { _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0)) == 0b1111 }
        }
    }

    #[inline(always)]
    pub fn load(x: &[f64; 4]) -> Register {
        // SAFETY: the array has the four numbers that are read; the compiler was told that the processor has AVX.
        Register(unsafe { _mm256_loadu_pd(x.as_ptr()) })
    }

    #[inline(always)]
    pub fn store(x: Register, out: &mut [f64; 4]) {
        // SAFETY: the array has room for the four numbers; the compiler was told that the processor has AVX.
        unsafe { _mm256_storeu_pd(out.as_mut_ptr(), x.0) }
    }

    macro_rules! pairwise {
        ($($name:ident $instruction:path),*) => {$(
            #[inline(always)]
            pub fn $name(a: Register, b: Register) -> Register {
                // SAFETY: works on registers only; the compiler was told that the processor has AVX.
                Register(unsafe { $instruction(a.0, b.0) })
            }
        )*};
    }
    pairwise!(
        add _mm256_add_pd, sub _mm256_sub_pd, mul _mm256_mul_pd, div _mm256_div_pd, max _mm256_max_pd,
        min _mm256_min_pd,
        and _mm256_and_pd, equals _mm256_cmp_pd::<_CMP_EQ_OQ>, less _mm256_cmp_pd::<_CMP_LT_OQ>
    );

    #[inline(always)]
    pub fn abs(a: Register) -> Register {
        // SAFETY: works on registers only; the compiler was told that the processor has AVX.
        Register(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.0) })
    }

    #[inline(always)]
    pub fn choose(truth: Register, yes: Register, no: Register) -> Register {
        // SAFETY: works on registers only; the compiler was told that the processor has AVX.
        Register(unsafe { _mm256_blendv_pd(no.0, yes.0, truth.0) })
    }

    #[inline(always)]
    pub fn sqrt(a: Register) -> Register {
        // SAFETY: works on registers only; the compiler was told that the processor has AVX.
        Register(unsafe { _mm256_sqrt_pd(a.0) })
    }

    #[inline(always)]
    pub fn transposed([a, b, c, d]: [Register; 4]) -> [Register; 4] {
        // SAFETY: works on registers only; the compiler was told that the processor has AVX.
        unsafe {
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c.0, d.0), _mm256_unpackhi_pd(c.0, d.0));
            [
                Register(_mm256_permute2f128_pd::<0x20>(ab_even, cd_even)),
                Register(_mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd)),
                Register(_mm256_permute2f128_pd::<0x31>(ab_even, cd_even)),
                Register(_mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd)),
            ]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of computing have the same bits.
    #[test]
    fn registers_compute_as_plain_numbers() {
        let bits = |x: [f64; 4]| x.map(f64::to_bits);
        let (a, b) = ([1.0, -2.5, 0.3, f64::INFINITY], [3.0, 0.7, -0.0, 2.0]);
        let (x, y) = (Four::new(a), Four::new(b));
        let mut copy = [0.0; 4];
        plain::store(plain::load(&a), &mut copy);
        assert_eq!(bits(copy), bits(x.numbers()));
        assert_eq!(bits((x + y).numbers()), bits(plain::add(a, b)));
        assert_eq!(bits((x - y).numbers()), bits(plain::sub(a, b)));
        assert_eq!(bits((x * y).numbers()), bits(plain::mul(a, b)));
        assert_eq!(bits((x / y).numbers()), bits(plain::div(a, b)));
        assert_eq!(bits((-x).numbers()), bits(a.map(|a| -a)));
        assert_eq!(bits((x * x).sqrt().numbers()), bits(plain::sqrt(plain::mul(a, a))));
        let unordered = Four::new([f64::NAN, 1.0, -1.0, 0.0]);
        assert_eq!(bits(unordered.max(y).numbers()), bits(plain::max(unordered.numbers(), b)));
        assert_eq!(bits(y.max(unordered).numbers()), bits(plain::max(b, unordered.numbers())));
        assert_eq!(bits(unordered.min(y).numbers()), bits(plain::min(unordered.numbers(), b)));
        assert_eq!(bits(y.min(unordered).numbers()), bits(plain::min(b, unordered.numbers())));
        assert_eq!(bits(x.min(y).numbers()), bits(plain::min(a, b)));
        assert!(x == x && x != y && unordered != unordered);
        assert_eq!(bits(x.abs().numbers()), bits(plain::abs(a)));
        for other in [x, y, unordered] {
            let (equal, less) = (x.equals(other), x.less(other));
            let twins = (plain::equals(a, other.numbers()), plain::less(a, other.numbers()));
            assert_eq!(bits(equal.choose(x, y).numbers()), bits(plain::choose(twins.0, a, b)));
            assert_eq!(bits(less.choose(x, y).numbers()), bits(plain::choose(twins.1, a, b)));
            let both = plain::and(twins.0, twins.1);
            assert_eq!(bits(equal.and(less).choose(x, y).numbers()), bits(plain::choose(both, a, b)));
        }
        let rows = [a, b, [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]];
        let columns = Four::transposed(rows.map(Four::new)).map(Four::numbers);
        assert_eq!(columns.map(bits), plain::transposed(rows).map(bits));
    }
}
