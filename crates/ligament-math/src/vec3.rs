//! Vectors in space.

use crate::{MINVAL, Number, Vec3};

/// `a + b`
#[inline]
pub fn add<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a − b`
#[inline]
pub fn sub<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `s a`
#[inline]
pub fn scale<T: Number>(a: [T; 3], s: T) -> [T; 3] {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// `a + s b`
#[inline]
pub fn add_scaled<T: Number>(a: [T; 3], b: [T; 3], s: T) -> [T; 3] {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// `−a`
#[inline]
pub fn neg(a: Vec3) -> Vec3 {
    [-a[0], -a[1], -a[2]]
}

/// `a · b`
#[inline]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`
#[inline]
pub fn cross<T: Number>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length.
#[inline]
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Length of `a − b`.
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    norm(sub(a, b))
}

/// Scales to unit length and returns the old length; a vector shorter than `MINVAL` becomes the x axis.
#[inline]
pub fn normalize(a: &mut Vec3) -> f64 {
    let n = norm(*a);
    if n < MINVAL {
        *a = [1.0, 0.0, 0.0];
    } else {
        let inv = 1.0 / n;
        *a = scale(*a, inv);
    }
    n
}

/// The unit vector along `a` (the x axis for a null vector).
#[inline]
pub fn unit(mut a: Vec3) -> Vec3 {
    normalize(&mut a);
    a
}
