//! 3×3 matrices by rows.

use crate::{Mat3, Number, Vec3};

/// The matrix that changes nothing.
pub const IDENTITY: Mat3 = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// `m v`
#[inline]
pub fn mul_vec<T: Number>(m: &[T; 9], v: [T; 3]) -> [T; 3] {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// `mᵀ v`
#[inline]
pub fn mul_vec_t(m: &Mat3, v: Vec3) -> Vec3 {
    [
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    ]
}

/// `a b`
#[inline]
pub fn mul(a: &Mat3, b: &Mat3) -> Mat3 {
    std::array::from_fn(|i| {
        let (r, c) = (3 * (i / 3), i % 3);
        a[r] * b[c] + a[r + 1] * b[c + 3] + a[r + 2] * b[c + 6]
    })
}

/// `a bᵀ`
#[inline]
pub fn mul_t(a: &Mat3, b: &Mat3) -> Mat3 {
    std::array::from_fn(|i| {
        let (r, c) = (3 * (i / 3), 3 * (i % 3));
        a[r] * b[c] + a[r + 1] * b[c + 1] + a[r + 2] * b[c + 2]
    })
}

/// `aᵀ b`
#[inline]
pub fn t_mul(a: &Mat3, b: &Mat3) -> Mat3 {
    std::array::from_fn(|i| {
        let (r, c) = (i / 3, i % 3);
        a[r] * b[c] + a[r + 3] * b[c + 3] + a[r + 6] * b[c + 6]
    })
}

/// `mᵀ`
#[inline]
pub fn transpose(m: &Mat3) -> Mat3 {
    [m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]]
}

/// Row `i`.
#[inline]
pub fn row(m: &Mat3, i: usize) -> Vec3 {
    [m[3 * i], m[3 * i + 1], m[3 * i + 2]]
}

/// Column `i`.
#[inline]
pub fn col<T: Number>(m: &[T; 9], i: usize) -> [T; 3] {
    [m[i], m[3 + i], m[6 + i]]
}
