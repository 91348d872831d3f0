//! Two numbers in one register: where the same is computed of two vectors, compilers pair what stands side by side in one of them
//! instead, and spend as many instructions on moving numbers about as they save.

#![allow(unsafe_code)]

use std::ops::{Add, Mul, Sub};

#[cfg(not(target_arch = "x86_64"))]
use plain as kernels;
#[cfg(target_arch = "x86_64")]
use sse as kernels;

/// Two numbers, each with the bits that it has alone.
#[derive(Debug, Clone, Copy)]
pub struct Two(kernels::Register);

impl Two {
    /// The same number twice.
    #[inline(always)]
    pub fn splat(x: f64) -> Self {
        Self::new(x, x)
    }

    /// These numbers.
    #[inline(always)]
    pub fn new(first: f64, second: f64) -> Self {
        Self(kernels::join(first, second))
    }

    /// The numbers.
    #[inline(always)]
    pub fn numbers(self) -> [f64; 2] {
        kernels::split(self.0)
    }
}

macro_rules! operator {
    ($name:ident, $function:ident) => {
        impl $name for Two {
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

/// The twin.
#[cfg(any(test, not(target_arch = "x86_64")))]
mod plain {
    pub type Register = [f64; 2];

    pub fn join(first: f64, second: f64) -> Register {
        [first, second]
    }
    pub fn split(x: Register) -> [f64; 2] {
        x
    }
    pub fn add(a: Register, b: Register) -> Register {
        [a[0] + b[0], a[1] + b[1]]
    }
    pub fn sub(a: Register, b: Register) -> Register {
        [a[0] - b[0], a[1] - b[1]]
    }
    pub fn mul(a: Register, b: Register) -> Register {
        [a[0] * b[0], a[1] * b[1]]
    }
}

#[cfg(target_arch = "x86_64")]
mod sse {
    use std::arch::x86_64::{
        __m128d, _mm_add_pd, _mm_cvtsd_f64, _mm_mul_pd, _mm_set_pd, _mm_sub_pd, _mm_unpackhi_pd,
    };

    pub type Register = __m128d;

    #[inline(always)]
    pub fn join(first: f64, second: f64) -> Register {
        // SAFETY: works on registers only; every x86-64 processor has SSE2. So below.
        unsafe { _mm_set_pd(second, first) }
    }
    #[inline(always)]
    pub fn split(x: Register) -> [f64; 2] {
        // SAFETY: see above.
        unsafe { [_mm_cvtsd_f64(x), _mm_cvtsd_f64(_mm_unpackhi_pd(x, x))] }
    }
    #[inline(always)]
    pub fn add(a: Register, b: Register) -> Register {
        // SAFETY: see above.
        unsafe { _mm_add_pd(a, b) }
    }
    #[inline(always)]
    pub fn sub(a: Register, b: Register) -> Register {
        // SAFETY: see above.
        unsafe { _mm_sub_pd(a, b) }
    }
    #[inline(always)]
    pub fn mul(a: Register, b: Register) -> Register {
        // SAFETY: see above.
        unsafe { _mm_mul_pd(a, b) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of computing have the same bits.
    #[test]
    fn registers_compute_as_plain_numbers() {
        let bits = |x: [f64; 2]| x.map(f64::to_bits);
        let (a, b) = ([1.1, -2.5], [0.3, f64::INFINITY]);
        let (x, y) = (Two::new(a[0], a[1]), Two::new(b[0], b[1]));
        assert_eq!(bits(x.numbers()), bits(plain::split(plain::join(a[0], a[1]))));
        assert_eq!(bits((x + y).numbers()), bits(plain::add(a, b)));
        assert_eq!(bits((x - y).numbers()), bits(plain::sub(a, b)));
        assert_eq!(bits((x * y).numbers()), bits(plain::mul(a, b)));
        assert_eq!(bits((x * Two::splat(0.7)).numbers()), bits(plain::mul(a, [0.7; 2])));
    }
}
