//! Sine and cosine of all lanes at once, with the same bits in every width.
//!
//! Reduction to [−π/4, π/4] by Cody and Waite's three-part π/2, then minimax polynomials of degree 13 and 14 (the
//! coefficients of Moshier's Cephes library). The error is below 1 unit in the last place up to |x| = 1e5; beyond, a
//! lane asks the system's library.

use crate::lane::{Lane, Mask};

/// π/2 in three parts; the first two have 33 bits, so that their products with up to 2²⁰ are exact.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
const REACH: f64 = 1e5;

const SINE: [f64; 6] = [
    1.589_623_015_765_465_6e-10,
    -2.505_074_776_285_780_6e-8,
    2.755_731_362_138_572_2e-6,
    -1.984_126_982_958_954e-4,
    8.333_333_333_322_118e-3,
    -1.666_666_666_666_663e-1,
];
const COSINE: [f64; 6] = [
    -1.135_853_652_138_768_2e-11,
    2.087_570_084_197_473e-9,
    -2.755_731_417_929_674e-7,
    2.480_158_728_885_170_5e-5,
    -1.388_888_888_887_305_6e-3,
    4.166_666_666_666_659e-2,
];

#[inline(always)]
fn horner<L: Lane>(z: L, coefficients: &[f64; 6]) -> L {
    let mut sum = L::splat(coefficients[0]);
    for &c in &coefficients[1..] {
        sum = sum * z + c;
    }
    sum
}

/// (sin x, cos x)
#[inline(always)]
pub(crate) fn sin_cos<L: Lane>(x: L) -> (L, L) {
    let n = (x * TWO_OVER_PI).round();
    let r = ((x - n * HALF_PI[0]) - n * HALF_PI[1]) - n * HALF_PI[2];
    let z = r * r;
    let sine = horner(z, &SINE) * z * r + r;
    let cosine = horner(z, &COSINE) * z * z - z * 0.5 + 1.0;
    // quadrant, −2 to 2
    let q = n - (n * 0.25).round() * 4.0;
    let size = q.abs();
    let odd = size.lt(L::splat(1.5)) & size.gt(L::splat(0.5));
    let half_turn = size.gt(L::splat(1.5));
    let (a, b) = (L::select(odd, cosine, sine), L::select(odd, sine, cosine));
    let quarter_back = odd & q.lt(L::zero());
    let quarter_on = odd & q.gt(L::zero());
    let mut sin = L::select(half_turn | quarter_back, -a, a);
    let mut cos = L::select(half_turn | quarter_on, -b, b);
    let far = !x.abs().le(L::splat(REACH));
    let bits = far.bits() & L::all_bits();
    for lane in 0..L::WIDTH {
        if bits >> lane & 1 != 0 {
            (sin.lanes_mut()[lane], cos.lanes_mut()[lane]) = x.lanes()[lane].sin_cos();
        }
    }
    (sin, cos)
}

/// (sin x, cos x) by the system's library, lane by lane: the exact engine's bits.
#[inline(always)]
pub(crate) fn library_sin_cos<L: Lane>(x: L) -> (L, L) {
    let (mut sin, mut cos) = (x, x);
    for lane in 0..L::WIDTH {
        (sin.lanes_mut()[lane], cos.lanes_mut()[lane]) = x.lanes()[lane].sin_cos();
    }
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        let mut worst: f64 = 0.0;
        for i in -200_000..200_000 {
            let x = f64::from(i) * 0.000_731 + f64::from(i % 7) * 311.5;
            let (s, c) = sin_cos(x);
            worst = worst.max((s - x.sin()).abs()).max((c - x.cos()).abs());
        }
        assert!(worst < 2.5e-16, "{worst}");
        let (s, c) = sin_cos(1e9);
        assert_eq!((s, c), 1e9f64.sin_cos());
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).1.is_nan());
    }
}
