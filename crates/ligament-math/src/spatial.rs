//! Spatial (6-D) vectors, rotation first, and 10-number inertias (Featherstone 2008, chapter 2).

use crate::four::Four;
use crate::{Number, Vec3, Vec6, vec3};

/// Rotational part.
#[inline]
pub fn rot<T: Number>(v: &[T; 6]) -> [T; 3] {
    [v[0], v[1], v[2]]
}

/// Translational part.
#[inline]
pub fn lin<T: Number>(v: &[T; 6]) -> [T; 3] {
    [v[3], v[4], v[5]]
}

/// From both parts.
#[inline]
pub fn join<T: Number>(rot: [T; 3], lin: [T; 3]) -> [T; 6] {
    [rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]]
}

/// Product of a motion and a force, summed in the order of [`crate::dense::dot`].
#[inline]
pub fn dot<T: Number>(a: &[T; 6], b: &[T; 6]) -> T {
    T::dot_six(a, b)
}

/// [`dot`] of two vectors with a third, side by side.
#[inline(always)]
pub fn dot_twice([a, b]: [&Vec6; 2], c: &Vec6) -> [f64; 2] {
    let force = Four::new([c[0], c[1], c[2], c[3]]);
    let products = [a, b].map(|x| (Four::new([x[0], x[1], x[2], x[3]]) * force).numbers());
    let both = |k: usize| products.map(|x| x[k]);
    let rest = [a, b].map(|x| [x[4] * c[4], x[5] * c[5]]);
    let (even, odd) = (plus(both(0), both(2)), plus(both(1), both(3)));
    plus(plus(even, odd), plus(rest.map(|x| x[0]), rest.map(|x| x[1])))
}

#[inline(always)]
fn plus(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

/// `a += b`
#[inline]
pub fn add_to<T: Number>(a: &mut [T; 6], b: &[T; 6]) {
    for (x, y) in a.iter_mut().zip(b) {
        *x += *y;
    }
}

/// `v × m`: rate of change of a motion vector that moves with velocity `v`.
#[inline]
pub fn cross_motion<T: Number>(v: &[T; 6], m: &[T; 6]) -> [T; 6] {
    let w = rot(v);
    let r = vec3::cross(w, rot(m));
    let l = vec3::add(vec3::cross(w, lin(m)), vec3::cross(lin(v), rot(m)));
    join(r, l)
}

/// `v ×* f`: rate of change of a force vector that moves with velocity `v`.
#[inline]
pub fn cross_force<T: Number>(v: &[T; 6], f: &[T; 6]) -> [T; 6] {
    let w = rot(v);
    let r = vec3::add(vec3::cross(w, rot(f)), vec3::cross(lin(v), lin(f)));
    join(r, vec3::cross(w, lin(f)))
}

/// Inertia about a point at `-offset` from the centre of mass, in the world frame.
/// `principal` are the moments in the inertial frame whose world orientation is `mat`.
#[inline]
pub fn inertia_about<T: Number>(principal: [T; 3], mat: &[T; 9], offset: [T; 3], mass: T) -> [T; 10] {
    // R diag(I) Rᵀ, upper triangle
    let t: [T; 9] = std::array::from_fn(|i| principal[i % 3] * mat[i]);
    let entry = |r: usize, c: usize| {
        mat[3 * r] * t[3 * c] + mat[3 * r + 1] * t[3 * c + 1] + mat[3 * r + 2] * t[3 * c + 2]
    };
    about_point([entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)], offset, mass)
}

/// [`inertia_about`] of a body whose principal axes are those of the world.
#[inline]
pub fn inertia_beside([xx, yy, zz]: Vec3, offset: Vec3, mass: f64) -> [f64; 10] {
    about_point([xx, yy, zz, 0.0, 0.0, 0.0], offset, mass)
}

/// From the inertia about the centre of mass to that about a point.
#[inline(always)]
fn about_point<T: Number>([xx, yy, zz, xy, xz, yz]: [T; 6], [x, y, z]: [T; 3], mass: T) -> [T; 10] {
    [
        xx + mass * (y * y + z * z),
        yy + mass * (x * x + z * z),
        zz + mass * (x * x + y * y),
        xy - mass * x * y,
        xz - mass * x * z,
        yz - mass * y * z,
        mass * x,
        mass * y,
        mass * z,
        mass,
    ]
}

/// Force (momentum) of an inertia moving with a spatial velocity.
#[inline]
pub fn inertia_mul<T: Number>(i: &[T; 10], v: &[T; 6]) -> [T; 6] {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Moves a spatial vector from a frame at `old` to a parallel frame at `new`.
/// A motion vector changes its translational part, a force vector its rotational part.
#[inline]
pub fn shift_motion(v: &Vec6, new: Vec3, old: Vec3) -> Vec6 {
    let d = vec3::sub(new, old);
    join(rot(v), vec3::sub(lin(v), vec3::cross(d, rot(v))))
}

/// See [`shift_motion`].
#[inline]
pub fn shift_force(f: &Vec6, new: Vec3, old: Vec3) -> Vec6 {
    let d = vec3::sub(new, old);
    join(vec3::sub(rot(f), vec3::cross(d, lin(f))), lin(f))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two products side by side have the bits that each has alone.
    #[test]
    fn two_products_are_those_of_each() {
        let vector = |seed: f64| std::array::from_fn::<f64, 6, _>(|k| (seed + 1.7 * k as f64).sin() * 1e3);
        for seed in 0..50 {
            let [a, b, c] = [0.1, 0.2, 0.3].map(|x| vector(f64::from(seed) + x));
            assert_eq!(dot_twice([&a, &b], &c), [dot(&a, &c), dot(&b, &c)]);
        }
    }
}
