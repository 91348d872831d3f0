//! Unit quaternions (w, x, y, z).

use crate::{MINVAL, Mat3, Number, Quat, Vec3, mat3, vec3};

/// The rotation that changes nothing.
pub const IDENTITY: Quat = [1.0, 0.0, 0.0, 0.0];

/// Product: rotate by `b`, then by `a`.
#[inline]
pub fn mul<T: Number>(a: [T; 4], b: [T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// Product with the pure quaternion (0, v).
#[inline]
pub fn mul_axis(q: Quat, v: Vec3) -> Quat {
    [
        -q[1] * v[0] - q[2] * v[1] - q[3] * v[2],
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ]
}

/// The opposite rotation.
#[inline]
pub fn conj(q: Quat) -> Quat {
    [q[0], -q[1], -q[2], -q[3]]
}

/// Rotates a vector: v + 2 q_w t + 2 q_v × t with t = q_v × v.
#[inline]
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    if v == [0.0; 3] {
        return [0.0; 3];
    }
    if q == IDENTITY {
        return v;
    }
    let t = [
        q[0] * v[0] + q[2] * v[2] - q[3] * v[1],
        q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
        q[0] * v[2] + q[1] * v[1] - q[2] * v[0],
    ];
    [
        v[0] + 2.0 * (q[2] * t[2] - q[3] * t[1]),
        v[1] + 2.0 * (q[3] * t[0] - q[1] * t[2]),
        v[2] + 2.0 * (q[1] * t[1] - q[2] * t[0]),
    ]
}

/// Scales to unit length and returns the old length; a null quaternion becomes the identity.
#[inline]
pub fn normalize(q: &mut Quat) -> f64 {
    let n = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    if n < MINVAL {
        *q = IDENTITY;
    } else if (n - 1.0).abs() > MINVAL {
        let inv = 1.0 / n;
        for x in q.iter_mut() {
            *x *= inv;
        }
    }
    n
}

/// Rotation by `angle` about a unit axis.
#[inline]
pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
    if angle == 0.0 {
        return IDENTITY;
    }
    let (s, c) = (angle * 0.5).sin_cos();
    [c, axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Rotation matrix.
#[inline]
pub fn to_mat(q: Quat) -> Mat3 {
    if q == IDENTITY {
        return mat3::IDENTITY;
    }
    let q00 = q[0] * q[0];
    let q01 = q[0] * q[1];
    let q02 = q[0] * q[2];
    let q03 = q[0] * q[3];
    let q11 = q[1] * q[1];
    let q12 = q[1] * q[2];
    let q13 = q[1] * q[3];
    let q22 = q[2] * q[2];
    let q23 = q[2] * q[3];
    let q33 = q[3] * q[3];
    [
        q00 + q11 - q22 - q33,
        2.0 * (q12 - q03),
        2.0 * (q13 + q02),
        2.0 * (q12 + q03),
        q00 - q11 + q22 - q33,
        2.0 * (q23 - q01),
        2.0 * (q13 - q02),
        2.0 * (q23 + q01),
        q00 - q11 - q22 + q33,
    ]
}

/// Quaternion of a rotation matrix, by the largest of trace and diagonal.
pub fn from_mat(m: &Mat3) -> Quat {
    let mut q = if m[0] + m[4] + m[8] > 0.0 {
        let w = 0.5 * (1.0 + m[0] + m[4] + m[8]).sqrt();
        [w, 0.25 * (m[7] - m[5]) / w, 0.25 * (m[2] - m[6]) / w, 0.25 * (m[3] - m[1]) / w]
    } else if m[0] > m[4] && m[0] > m[8] {
        let x = 0.5 * (1.0 + m[0] - m[4] - m[8]).sqrt();
        [0.25 * (m[7] - m[5]) / x, x, 0.25 * (m[1] + m[3]) / x, 0.25 * (m[2] + m[6]) / x]
    } else if m[4] > m[8] {
        let y = 0.5 * (1.0 - m[0] + m[4] - m[8]).sqrt();
        [0.25 * (m[2] - m[6]) / y, 0.25 * (m[1] + m[3]) / y, y, 0.25 * (m[5] + m[7]) / y]
    } else {
        let z = 0.5 * (1.0 - m[0] - m[4] + m[8]).sqrt();
        [0.25 * (m[3] - m[1]) / z, 0.25 * (m[2] + m[6]) / z, 0.25 * (m[5] + m[7]) / z, z]
    };
    normalize(&mut q);
    q
}

/// Rotation vector of a quaternion over a time: axis · angle / dt, angle in (-π, π].
#[inline]
pub fn to_velocity(q: Quat, dt: f64) -> Vec3 {
    let mut axis = [q[1], q[2], q[3]];
    let sin_half = vec3::normalize(&mut axis);
    let mut speed = 2.0 * sin_half.atan2(q[0]);
    if speed > std::f64::consts::PI {
        speed -= 2.0 * std::f64::consts::PI;
    }
    vec3::scale(axis, speed / dt)
}

/// Rotation vector v with `b · exp(v) = a`.
#[inline]
pub fn sub(a: Quat, b: Quat) -> Vec3 {
    to_velocity(mul(conj(b), a), 1.0)
}

/// Advances an orientation by a body-frame angular velocity over a time.
#[inline]
pub fn integrate(q: &mut Quat, velocity: Vec3, dt: f64) {
    let mut axis = velocity;
    let angle = dt * vec3::normalize(&mut axis);
    let step = from_axis_angle(axis, angle);
    normalize(q);
    *q = mul(*q, step);
}

/// Rotation that takes the z axis to `v`.
pub fn from_z_axis(v: Vec3) -> Quat {
    let mut axis = vec3::cross([0.0, 0.0, 1.0], v);
    let s = vec3::norm(axis);
    if s < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    } else {
        axis = vec3::scale(axis, 1.0 / s);
    }
    from_axis_angle(axis, s.atan2(v[2]))
}

/// Iterations of [`nearest`].
const NEAREST_ITERATIONS: usize = 500;

/// Turns a quaternion into the rotation nearest to a matrix, starting where it is; returns the number of iterations
/// (Müller, Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations, 2016).
///
/// ```
/// # use ligament_math::quat;
/// let mut q = [1.0, 0.0, 0.0, 0.0];
/// quat::nearest(&mut q, &[0.0, -3.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0]); // a quarter turn about z, stretched
/// assert!((q[0] - q[3]).abs() < 1e-8 && q[1].abs() + q[2].abs() < 1e-8);
/// ```
pub fn nearest(q: &mut Quat, matrix: &Mat3) -> usize {
    for iteration in 0..NEAREST_ITERATIONS {
        let turned = to_mat(*q);
        let (mut moment, mut overlap) = ([0.0; 3], 0.0);
        for k in 0..3 {
            let (own, wanted) = (mat3::col(&turned, k), mat3::col(matrix, k));
            moment = vec3::add(moment, vec3::cross(own, wanted));
            overlap += vec3::dot(own, wanted);
        }
        let mut omega = vec3::scale(moment, 1.0 / (overlap.abs() + crate::MINVAL));
        let angle = vec3::normalize(&mut omega);
        if angle < 1e-9 {
            return iteration;
        }
        *q = mul(from_axis_angle(omega, angle), *q);
        normalize(q);
    }
    NEAREST_ITERATIONS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Angle and unit axis of a rotation, as limits of ball joints use them.
    fn angle_axis(q: Quat) -> (f64, Vec3) {
        let mut axis = to_velocity(q, 1.0);
        (vec3::normalize(&mut axis), axis)
    }

    #[track_caller]
    fn check(q: Quat, angle: f64, axis: Vec3) {
        let (got_angle, got_axis) = angle_axis(q);
        assert!((got_angle - angle).abs() < 1e-10, "{got_angle} and {angle}");
        assert!((0..3).all(|k| (got_axis[k] - axis[k]).abs() < 1e-10), "{got_axis:?} and {axis:?}");
    }

    /// C38.24: angles and axes; beyond half a turn the rotation counts backwards.
    #[test]
    fn rotation_vectors() {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let turn = |degrees: f64, axis: Vec3| from_axis_angle(axis, degrees.to_radians());
        check(turn(90.0, z), PI / 2.0, z);
        check(turn(50.0, [0.6, 0.8, 0.0]), 50f64.to_radians(), [0.6, 0.8, 0.0]);
        check(turn(200.0, z), 160f64.to_radians(), vec3::neg(z));
        check([0.0, 0.0, 1.0, 0.0], PI, y);
        check(turn(45.0, x), 45f64.to_radians(), x);
        check(turn(60.0, x).map(|c| -c), 60f64.to_radians(), x);
        assert!(angle_axis([1.0, 0.0, 0.0, 0.0]).0 < 1e-10);
    }

    /// C38.25: a tiny imaginary part is a tiny angle, not a bad number.
    #[test]
    fn tiny_rotations() {
        let (angle, axis) = angle_axis([1.0, 1e-15, 1e-15, 1e-15]);
        assert!(angle < 1e-10 && axis.iter().all(|c| c.is_finite()));
    }
}
