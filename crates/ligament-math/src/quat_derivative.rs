//! Derivatives of quaternion arithmetic with respect to small rotations (Solà: Quaternion kinematics for the error-state
//! Kalman filter, arXiv:1711.02508, section 4.3.4).

use crate::{Mat3, Quat, Vec3, mat3, quat, vec3};

/// Half angles below this have a cotangent of one over themselves.
const SMALL_ANGLE: f64 = 6e-8;
/// Below this angle, sines are summed as series.
const SERIES: f64 = 1.0 / 32.0;

/// `v ×` as a matrix.
fn cross(v: Vec3) -> Mat3 {
    [0.0, -v[2], v[1], v[2], 0.0, -v[0], -v[1], v[0], 0.0]
}

/// `a·1 + b·B + c·C`
fn combine(a: f64, b: (f64, &Mat3), c: (f64, &Mat3)) -> Mat3 {
    std::array::from_fn(|k| {
        let identity = if k % 4 == 0 { a } else { 0.0 };
        identity + b.0 * b.1[k] + c.0 * c.1[k]
    })
}

/// Derivatives of [`quat::sub`] with respect to small rotations of both quaternions, in their own frames.
pub fn sub(a: Quat, b: Quat) -> (Mat3, Mat3) {
    let mut axis = quat::sub(a, b);
    let half = 0.5 * vec3::normalize(&mut axis);
    let turn = cross(axis);
    // inverse of the right Jacobian of the rotation group at the difference
    let factor = 1.0 - if half < SMALL_ANGLE { 1.0 } else { half / half.tan() };
    let by_a = combine(1.0, (half, &turn), (factor, &mat3::mul(&turn, &turn)));
    let by_b = mat3::transpose(&by_a).map(|x| -x);
    (by_a, by_b)
}

/// Derivatives of [`quat::integrate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Integration {
    /// By a small rotation of the quaternion.
    pub by_quat: Mat3,
    /// By the scaled velocity.
    pub by_velocity: Mat3,
    /// By the time.
    pub by_time: Vec3,
}

/// Derivatives of [`quat::integrate`] with an angular velocity over a time.
pub fn integrate(velocity: Vec3, time: f64) -> Integration {
    let s = vec3::scale(velocity, time);
    let square = vec3::dot(s, s);
    let angle = square.sqrt();
    let cosine = angle.cos();
    // sin x / x, (1 − cos x) / x², (x − sin x) / x³
    let (b, c, d) = if angle > SERIES {
        let b = angle.sin() / angle;
        (b, (1.0 - cosine) / square, (1.0 - b) / square)
    } else {
        let x = square;
        (
            1.0 + x / 6.0 * (x / 20.0 * (1.0 - x / 42.0) - 1.0),
            (1.0 + x / 12.0 * (x / 30.0 * (1.0 - x / 56.0) - 1.0)) / 2.0,
            (1.0 + x / 20.0 * (x / 42.0 * (1.0 - x / 72.0) - 1.0)) / 6.0,
        )
    };
    let turn = cross(s).map(|x| -x);
    let outer: Mat3 = std::array::from_fn(|k| s[k / 3] * s[k % 3]);
    let by_velocity = combine(b, (c, &turn), (d, &outer));
    Integration {
        by_quat: combine(cosine, (b, &turn), (c, &outer)),
        by_velocity,
        by_time: mat3::mul_vec(&by_velocity, velocity),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-6;

    fn turned(q: Quat, axis: usize, angle: f64) -> Quat {
        let mut v = [0.0; 3];
        v[axis] = angle;
        let mut q = q;
        quat::integrate(&mut q, v, 1.0);
        q
    }

    #[test]
    fn differences_of_quaternions_have_these_slopes() {
        let a = quat::from_axis_angle(vec3::unit([0.3, -0.5, 0.8]), 1.1);
        let b = quat::from_axis_angle(vec3::unit([-0.2, 0.9, 0.1]), 0.4);
        let (by_a, by_b) = sub(a, b);
        for k in 0..3 {
            let slope = |f: &dyn Fn(f64) -> Vec3| vec3::scale(vec3::sub(f(STEP), f(-STEP)), 0.5 / STEP);
            let found_a = slope(&|h| quat::sub(turned(a, k, h), b));
            let found_b = slope(&|h| quat::sub(a, turned(b, k, h)));
            for r in 0..3 {
                assert!((by_a[3 * r + k] - found_a[r]).abs() < 1e-8);
                assert!((by_b[3 * r + k] - found_b[r]).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn integration_has_these_slopes_for_large_and_small_angles() {
        let start = quat::from_axis_angle(vec3::unit([1.0, 2.0, -0.5]), 0.7);
        for (velocity, time) in [([0.7, -1.3, 2.1], 0.4), ([0.02, 0.01, -0.015], 0.5)] {
            let moved = |q: Quat, v: Vec3, time: f64| {
                let mut q = q;
                quat::integrate(&mut q, v, time);
                q
            };
            let end = moved(start, velocity, time);
            let derivative = integrate(velocity, time);
            let slope = |f: &dyn Fn(f64) -> Quat| {
                vec3::scale(vec3::sub(quat::sub(f(STEP), end), quat::sub(f(-STEP), end)), 0.5 / STEP)
            };
            for k in 0..3 {
                let by_quat = slope(&|h| moved(turned(start, k, h), velocity, time));
                let by_velocity = slope(&|h| {
                    let mut v = velocity;
                    v[k] += h / time;
                    moved(start, v, time)
                });
                for r in 0..3 {
                    assert!((derivative.by_quat[3 * r + k] - by_quat[r]).abs() < 1e-8);
                    assert!((derivative.by_velocity[3 * r + k] - by_velocity[r]).abs() < 1e-8);
                }
            }
            let by_time = slope(&|h| moved(start, velocity, time + h));
            for r in 0..3 {
                assert!((derivative.by_time[r] - by_time[r]).abs() < 1e-8);
            }
        }
    }
}
