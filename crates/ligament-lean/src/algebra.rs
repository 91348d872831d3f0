//! Vectors, quaternions and spatial algebra on lanes, with the conventions of `ligament-math`: quaternions (w, x, y, z),
//! matrices row-major, spatial vectors (rotation, translation) about the centre of mass of the tree.

use crate::lane::{Lane, Mask};

pub(crate) type V3<L> = [L; 3];
pub(crate) type Q4<L> = [L; 4];
pub(crate) type V6<L> = [L; 6];
pub(crate) type M9<L> = [L; 9];
/// Inertia about a point: six of the rotational part (xx yy zz xy xz yz), mass · offset, mass.
pub(crate) type Inertia<L> = [L; 10];

#[inline(always)]
pub(crate) fn zeros<L: Lane, const N: usize>() -> [L; N] {
    [L::zero(); N]
}

#[inline(always)]
pub(crate) fn splat<L: Lane, const N: usize>(x: &[f64; N]) -> [L; N] {
    let mut out = zeros();
    for k in 0..N {
        out[k] = L::splat(x[k]);
    }
    out
}

#[inline(always)]
pub(crate) fn add<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> [L; N] {
    let mut out = a;
    for k in 0..N {
        out[k] = a[k] + b[k];
    }
    out
}

#[inline(always)]
pub(crate) fn sub<L: Lane, const N: usize>(a: [L; N], b: [L; N]) -> [L; N] {
    let mut out = a;
    for k in 0..N {
        out[k] = a[k] - b[k];
    }
    out
}

#[inline(always)]
pub(crate) fn scale<L: Lane, const N: usize>(a: [L; N], s: L) -> [L; N] {
    let mut out = a;
    for k in 0..N {
        out[k] = a[k] * s;
    }
    out
}

/// a + b·s
#[inline(always)]
pub(crate) fn add_scaled<L: Lane, const N: usize>(a: [L; N], b: [L; N], s: L) -> [L; N] {
    let mut out = a;
    for k in 0..N {
        out[k] = a[k] + b[k] * s;
    }
    out
}

#[inline(always)]
pub(crate) fn add_to<L: Lane, const N: usize>(a: &mut [L; N], b: &[L; N]) {
    for k in 0..N {
        a[k] += b[k];
    }
}

#[inline(always)]
pub(crate) fn dot3<L: Lane>(a: V3<L>, b: V3<L>) -> L {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// As [`dot3`], fused.
#[inline(always)]
pub(crate) fn inner3<L: Lane>(a: V3<L>, b: V3<L>) -> L {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

#[inline(always)]
pub(crate) fn dot6<L: Lane>(a: &V6<L>, b: &V6<L>) -> L {
    let turn = a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]));
    let slide = a[5].mul_add(b[5], a[4].mul_add(b[4], a[3] * b[3]));
    turn + slide
}

/// As [`cross`], fused.
#[inline(always)]
pub(crate) fn outer3<L: Lane>(a: V3<L>, b: V3<L>) -> V3<L> {
    [
        (a[1] * b[2]).sub_product(a[2], b[1]),
        (a[2] * b[0]).sub_product(a[0], b[2]),
        (a[0] * b[1]).sub_product(a[1], b[0]),
    ]
}

/// a × b + c, fused.
#[inline(always)]
pub(crate) fn outer_add<L: Lane>(a: V3<L>, b: V3<L>, c: V3<L>) -> V3<L> {
    [
        a[1].mul_add(b[2], c[0].sub_product(a[2], b[1])),
        a[2].mul_add(b[0], c[1].sub_product(a[0], b[2])),
        a[0].mul_add(b[1], c[2].sub_product(a[1], b[0])),
    ]
}

/// a + b·s, fused.
#[inline(always)]
pub(crate) fn add_times<L: Lane, const N: usize>(a: [L; N], b: [L; N], s: L) -> [L; N] {
    let mut out = a;
    for k in 0..N {
        out[k] = b[k].mul_add(s, a[k]);
    }
    out
}

#[inline(always)]
pub(crate) fn cross<L: Lane>(a: V3<L>, b: V3<L>) -> V3<L> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn rot<L: Lane>(v: &V6<L>) -> V3<L> {
    [v[0], v[1], v[2]]
}

#[inline(always)]
pub(crate) fn lin<L: Lane>(v: &V6<L>) -> V3<L> {
    [v[3], v[4], v[5]]
}

#[inline(always)]
pub(crate) fn join<L: Lane>(rot: V3<L>, lin: V3<L>) -> V6<L> {
    [rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]]
}

#[inline(always)]
pub(crate) fn quat_mul<L: Lane>(a: Q4<L>, b: Q4<L>) -> Q4<L> {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// v + 2 u × (w v + u × v) for the quaternion (w, u), in the order of the exact engine: poses have its bits.
#[inline(always)]
pub(crate) fn rotate<L: Lane>(q: Q4<L>, v: V3<L>) -> V3<L> {
    let t = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    [
        v[0] + (q[2] * t[2] - q[3] * t[1]) * 2.0,
        v[1] + (q[3] * t[0] - q[1] * t[2]) * 2.0,
        v[2] + (q[1] * t[1] - q[2] * t[0]) * 2.0,
    ]
}

/// Rotation matrix, in the order of the exact engine.
#[inline(always)]
pub(crate) fn to_mat<L: Lane>(q: Q4<L>) -> M9<L> {
    let (q00, q01, q02, q03) = (q[0] * q[0], q[0] * q[1], q[0] * q[2], q[0] * q[3]);
    let (q11, q12, q13) = (q[1] * q[1], q[1] * q[2], q[1] * q[3]);
    let (q22, q23, q33) = (q[2] * q[2], q[2] * q[3], q[3] * q[3]);
    [
        q00 + q11 - q22 - q33,
        (q12 - q03) * 2.0,
        (q13 + q02) * 2.0,
        (q12 + q03) * 2.0,
        q00 - q11 + q22 - q33,
        (q23 - q01) * 2.0,
        (q13 - q02) * 2.0,
        (q23 + q01) * 2.0,
        q00 - q11 - q22 + q33,
    ]
}

#[inline(always)]
pub(crate) fn column<L: Lane>(m: &M9<L>, k: usize) -> V3<L> {
    [m[k], m[3 + k], m[6 + k]]
}

#[inline(always)]
pub(crate) fn mul_vec<L: Lane>(m: &M9<L>, v: &V3<L>) -> V3<L> {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    ]
}

/// Quaternion of unit length; a quaternion without length becomes the identity, as in the exact engine.
#[inline(always)]
pub(crate) fn unit_quat<L: Lane>(q: Q4<L>) -> Q4<L> {
    let norm = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    let tiny = norm.lt(L::splat(ligament_math::MINVAL));
    // a length of one within rounding is left alone
    let off = (norm - 1.0).abs().gt(L::splat(ligament_math::MINVAL));
    let inv = L::select(off, norm.recip(), L::splat(1.0));
    let mut out = scale(q, inv);
    if tiny.any() {
        let identity = splat(&[1.0, 0.0, 0.0, 0.0]);
        for k in 0..4 {
            out[k] = L::select(tiny, identity[k], out[k]);
        }
    }
    out
}

#[inline(always)]
pub(crate) fn inertia_mul<L: Lane>(i: &Inertia<L>, v: &V6<L>) -> V6<L> {
    // I w + (m c) × v, m v − (m c) × w
    let (w, x, c) = (rot(v), lin(v), [i[6], i[7], i[8]]);
    let turned =
        [inner3([i[0], i[3], i[4]], w), inner3([i[3], i[1], i[5]], w), inner3([i[4], i[5], i[2]], w)];
    join(outer_add(c, x, turned), outer_add(w, c, scale(x, i[9])))
}

/// v × m, for motions.
#[inline(always)]
pub(crate) fn cross_motion<L: Lane>(v: &V6<L>, m: &V6<L>) -> V6<L> {
    let turned = outer3(rot(v), lin(m));
    join(outer3(rot(v), rot(m)), outer_add(lin(v), rot(m), turned))
}

/// v ×* f, for forces (torque, force).
#[inline(always)]
pub(crate) fn cross_force<L: Lane>(v: &V6<L>, f: &V6<L>) -> V6<L> {
    let torque = outer_add(lin(v), lin(f), outer3(rot(v), rot(f)));
    join(torque, outer3(rot(v), lin(f)))
}
