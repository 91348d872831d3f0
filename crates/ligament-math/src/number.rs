//! What kernels over the kinematic tree compute with: a number of one world, or one of each of four worlds.
//!
//! Every operation acts on each world alone and rounds as IEEE 754 asks, so that a world has the same bits alone and in any
//! place of four. Operations that depend on a comparison belong to the trait: one world branches, four compute both ways and choose.

use crate::four::{Four, Truth};
use crate::{MINVAL, Quat, Vec3, mat3, quat, simd};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A number of one world or of several.
pub trait Number:
    Copy
    + PartialEq
    + Send
    + Sync
    + AddAssign
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The same number in all worlds.
    fn splat(x: f64) -> Self;

    /// The same vector in all worlds.
    #[inline(always)]
    fn all<const N: usize>(x: [f64; N]) -> [Self; N] {
        x.map(Self::splat)
    }

    /// [`quat::rotate`]
    fn rotate(q: [Self; 4], v: Vec3) -> [Self; 3];

    /// The quaternion of unit length ([`quat::normalize`]).
    fn unit(q: [Self; 4]) -> [Self; 4];

    /// [`quat::from_axis_angle`]
    fn turn(axis: Vec3, angle: Self) -> [Self; 4];

    /// [`quat::to_mat`]
    fn matrix(q: [Self; 4]) -> [Self; 9];

    /// [`crate::spatial::dot`]
    fn dot_six(a: &[Self; 6], b: &[Self; 6]) -> Self;

    /// `y += s x`, over the shorter length.
    fn axpy(s: Self, x: &[Self], y: &mut [Self]);

    /// `y₀ += s₀ x` and `y₁ += s₁ x`, over the shortest length.
    fn axpy_twice(s: [Self; 2], x: &[Self], y: [&mut [Self]; 2]);

    /// `unchanged` where this number is zero, `otherwise` elsewhere.
    fn unless_zero(self, unchanged: Self, otherwise: Self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn all<const N: usize>(x: [f64; N]) -> [Self; N] {
        x
    }
    #[inline(always)]
    fn rotate(q: Quat, v: Vec3) -> Vec3 {
        quat::rotate(q, v)
    }
    #[inline(always)]
    fn unit(mut q: Quat) -> Quat {
        quat::normalize(&mut q);
        q
    }
    #[inline(always)]
    fn turn(axis: Vec3, angle: f64) -> Quat {
        quat::from_axis_angle(axis, angle)
    }
    #[inline(always)]
    fn matrix(q: Quat) -> crate::Mat3 {
        quat::to_mat(q)
    }
    #[inline(always)]
    fn dot_six(a: &[f64; 6], b: &[f64; 6]) -> f64 {
        let [s0, s1, s2, s3] =
            (Four::new([a[0], a[1], a[2], a[3]]) * Four::new([b[0], b[1], b[2], b[3]])).numbers();
        ((s0 + s2) + (s1 + s3)) + (a[4] * b[4] + a[5] * b[5])
    }
    #[inline(always)]
    fn axpy(s: f64, x: &[f64], y: &mut [f64]) {
        simd::axpy(s, x, y);
    }
    #[inline(always)]
    fn axpy_twice(s: [f64; 2], x: &[f64], y: [&mut [f64]; 2]) {
        simd::axpy_twice(s, x, y);
    }
    #[inline(always)]
    fn unless_zero(self, unchanged: f64, otherwise: f64) -> f64 {
        if self == 0.0 { unchanged } else { otherwise }
    }
}

/// Where a quaternion changes nothing.
#[inline(always)]
fn is_identity(q: [Four; 4]) -> Truth {
    let [w, x, y, z] = Four::all(quat::IDENTITY);
    q[0].equals(w).and(q[1].equals(x)).and(q[2].equals(y).and(q[3].equals(z)))
}

#[inline(always)]
fn choose<const N: usize>(truth: Truth, yes: [Four; N], no: [Four; N]) -> [Four; N] {
    std::array::from_fn(|k| truth.choose(yes[k], no[k]))
}

impl Number for Four {
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Four::splat(x)
    }

    #[inline(always)]
    fn rotate(q: [Self; 4], v: Vec3) -> [Self; 3] {
        if v == [0.0; 3] {
            return Self::all([0.0; 3]);
        }
        let (two, v) = (Self::splat(2.0), Self::all(v));
        let t = [
            q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
            q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
            q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
        ];
        let turned = [
            v[0] + two * (q[2] * t[2] - q[3] * t[1]),
            v[1] + two * (q[3] * t[0] - q[1] * t[2]),
            v[2] + two * (q[1] * t[1] - q[2] * t[0]),
        ];
        choose(is_identity(q), v, turned)
    }

    #[inline(always)]
    fn unit(q: [Self; 4]) -> [Self; 4] {
        let (one, least) = (Self::splat(1.0), Self::splat(MINVAL));
        let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
        let inv = one / n;
        let scaled = [q[0] * inv, q[1] * inv, q[2] * inv, q[3] * inv];
        let near = choose(least.less((n - one).abs()), scaled, q);
        choose(n.less(least), Self::all(quat::IDENTITY), near)
    }

    #[inline(always)]
    fn turn(axis: Vec3, angle: Self) -> [Self; 4] {
        let halves = (angle * Self::splat(0.5)).numbers().map(f64::sin_cos);
        let (s, c) = (Self::new(halves.map(|(s, _)| s)), Self::new(halves.map(|(_, c)| c)));
        let [x, y, z] = Self::all(axis);
        choose(angle.equals(Self::splat(0.0)), Self::all(quat::IDENTITY), [c, x * s, y * s, z * s])
    }

    #[inline(always)]
    fn matrix(q: [Self; 4]) -> [Self; 9] {
        let two = Self::splat(2.0);
        let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
        let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
        let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
        let turned = [
            q00 + q11 - q22 - q33,
            two * (q12 - q03),
            two * (q13 + q02),
            two * (q12 + q03),
            q00 - q11 + q22 - q33,
            two * (q23 - q01),
            two * (q13 - q02),
            two * (q23 + q01),
            q00 - q11 - q22 + q33,
        ];
        choose(is_identity(q), Self::all(mat3::IDENTITY), turned)
    }

    #[inline(always)]
    fn axpy_twice(s: [Self; 2], x: &[Self], [y0, y1]: [&mut [Self]; 2]) {
        for ((y0, y1), x) in y0.iter_mut().zip(y1).zip(x) {
            *y0 += s[0] * *x;
            *y1 += s[1] * *x;
        }
    }

    #[inline(always)]
    fn dot_six(a: &[Self; 6], b: &[Self; 6]) -> Self {
        ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
    }

    #[inline(always)]
    fn axpy(s: Self, x: &[Self], y: &mut [Self]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += s * *x;
        }
    }

    #[inline(always)]
    fn unless_zero(self, unchanged: Self, otherwise: Self) -> Self {
        self.equals(Self::splat(0.0)).choose(unchanged, otherwise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of four quaternions is turned as it is alone: unit ones, the identity, long, null and unordered ones.
    #[test]
    fn four_worlds_branch_as_one() {
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let quats: [Quat; 4] = [[0.6, 0.0, -0.8, 0.0], quat::IDENTITY, [3.0, 1.0, -2.0, 0.5], [0.0; 4]];
        let more: [Quat; 4] = [[1.0, -0.0, 0.0, 0.0], [1e-20; 4], [1.0 + 1e-14, 0.0, 0.0, 0.0], [0.5; 4]];
        for quats in [quats, more] {
            let four: [Four; 4] = std::array::from_fn(|k| Four::new(quats.map(|q| q[k])));
            let check = |results: &[Four], alone: &dyn Fn(Quat) -> Vec<f64>| {
                for (world, &q) in quats.iter().enumerate() {
                    let got: Vec<f64> = results.iter().map(|x| x.numbers()[world]).collect();
                    assert_eq!(bits(&got), bits(&alone(q)), "{q:?}");
                }
            };
            check(&Four::unit(four), &|q| f64::unit(q).to_vec());
            check(&Four::matrix(four), &|q| quat::to_mat(q).to_vec());
            for v in [[0.0; 3], [1.0, -0.0, 0.0], [0.3, -2.0, 0.7]] {
                check(&Four::rotate(four, v), &|q| quat::rotate(q, v).to_vec());
            }
            check(&Four::turn([0.0, 1.0, -0.5], four[1]), &|q| {
                quat::from_axis_angle([0.0, 1.0, -0.5], q[1]).to_vec()
            });
            check(&[four[1].unless_zero(four[0], four[2])], &|q| vec![q[1].unless_zero(q[0], q[2])]);
        }
    }
}
