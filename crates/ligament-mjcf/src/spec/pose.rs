//! Vector and pose arithmetic of the compiler, with its own tolerances.
//!
//! The reference's compiler normalises with a threshold of 1e-14 and divides (`x / n`), where its engine
//! uses 1e-15 and multiplies by the inverse; the last digits of a model depend on the difference.

use super::Orientation;
use ligament_math::{Quat, Vec3, mat3, quat, vec3};
use std::f64::consts::PI;

/// Smallest length the compiler accepts as non-zero.
pub const EPS: f64 = 1e-14;

/// Scales to unit length and returns the old length; vectors with a squared length below [`EPS`] stay as they
/// are and give 0.
pub fn normalize(v: &mut [f64]) -> f64 {
    let squared: f64 = v.iter().map(|x| x * x).sum();
    if squared < EPS {
        return 0.0;
    }
    let length = squared.sqrt();
    if (length - 1.0).abs() > EPS {
        for x in v {
            *x /= length;
        }
    }
    length
}

/// Rotation with these orthonormal axes as columns.
pub fn quat_from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let mut q = if x[0] + y[1] + z[2] > 0.0 {
        let w = 0.5 * (1.0 + x[0] + y[1] + z[2]).sqrt();
        [w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w]
    } else if x[0] > y[1] && x[0] > z[2] {
        let i = 0.5 * (1.0 + x[0] - y[1] - z[2]).sqrt();
        [0.25 * (y[2] - z[1]) / i, i, 0.25 * (y[0] + x[1]) / i, 0.25 * (z[0] + x[2]) / i]
    } else if y[1] > z[2] {
        let j = 0.5 * (1.0 - x[0] + y[1] - z[2]).sqrt();
        [0.25 * (z[0] - x[2]) / j, 0.25 * (y[0] + x[1]) / j, j, 0.25 * (z[1] + y[2]) / j]
    } else {
        let k = 0.5 * (1.0 - x[0] - y[1] + z[2]).sqrt();
        [0.25 * (x[1] - y[0]) / k, 0.25 * (z[0] + x[2]) / k, 0.25 * (z[1] + y[2]) / k, k]
    };
    normalize(&mut q);
    q
}

/// Smallest rotation that takes the z axis to the direction `v`.
pub fn quat_from_z(v: Vec3) -> Quat {
    let mut axis = vec3::cross([0.0, 0.0, 1.0], v);
    let sine = normalize(&mut axis);
    if sine < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    }
    let half = sine.atan2(v[2]) / 2.0;
    [half.cos(), axis[0] * half.sin(), axis[1] * half.sin(), axis[2] * half.sin()]
}

/// A pose applied after another: `(pos, quat)` becomes `(pos + quat·child_pos, quat·child_quat)`.
pub fn accumulate(pos: &mut Vec3, orientation: &mut Quat, child_pos: Vec3, child_quat: Quat) {
    // through the matrix, as the reference does: sleeping trees notice a change in the last digit
    *pos = vec3::add(*pos, mat3::mul_vec(&quat::to_mat(*orientation), child_pos));
    *orientation = quat::mul(*orientation, child_quat);
}

impl Orientation {
    /// The quaternion, given the unit of angles and the order of Euler axes.
    pub fn resolve(&self, degree: bool, eulerseq: [u8; 3]) -> Result<Quat, &'static str> {
        match *self {
            Self::AxisAngle([x, y, z, angle]) => {
                let mut axis = [x, y, z];
                if normalize(&mut axis) < EPS {
                    return Err("axisangle too small");
                }
                let half = to_radians(angle, degree) / 2.0;
                Ok([half.cos(), half.sin() * axis[0], half.sin() * axis[1], half.sin() * axis[2]])
            }
            Self::XyAxes(axes) => resolve_xyaxes(axes),
            Self::ZAxis(mut axis) => {
                if normalize(&mut axis) < EPS {
                    return Err("zaxis too small");
                }
                Ok(quat_from_z(axis))
            }
            Self::Euler(angles) => resolve_euler(angles.map(|a| to_radians(a, degree)), eulerseq),
        }
    }
}

fn to_radians(angle: f64, degree: bool) -> f64 {
    if degree { angle / 180.0 * PI } else { angle }
}

/// Gram-Schmidt on the two axes.
fn resolve_xyaxes(axes: [f64; 6]) -> Result<Quat, &'static str> {
    let [mut x, mut y] = [[axes[0], axes[1], axes[2]], [axes[3], axes[4], axes[5]]];
    if normalize(&mut x) < EPS {
        return Err("xaxis too small");
    }
    let along = vec3::dot(x, y);
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi -= xi * along;
    }
    if normalize(&mut y) < EPS {
        return Err("yaxis too small");
    }
    let mut z = vec3::cross(x, y);
    if normalize(&mut z) < EPS {
        return Err("cross(xaxis, yaxis) too small");
    }
    Ok(quat_from_axes(x, y, z))
}

/// Small letters turn about the moving axes, capitals about the fixed ones.
fn resolve_euler(angles: Vec3, sequence: [u8; 3]) -> Result<Quat, &'static str> {
    let mut total = quat::IDENTITY;
    for (angle, letter) in angles.into_iter().zip(sequence) {
        let mut turn = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        match letter.to_ascii_lowercase() {
            axis @ b'x'..=b'z' => turn[1 + (axis - b'x') as usize] = (angle / 2.0).sin(),
            _ => return Err("euler sequence can only contain x, y, z, X, Y, Z"),
        }
        total = if letter.is_ascii_lowercase() { quat::mul(total, turn) } else { quat::mul(turn, total) };
    }
    normalize(&mut total);
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Extrinsic z-y-x equals intrinsic x-y-z.
    #[test]
    fn capital_euler_axes_are_fixed() {
        let angles = [10.0, 20.0, 30.0];
        let moving = Orientation::Euler(angles).resolve(true, *b"xyz").unwrap();
        let fixed = Orientation::Euler([30.0, 20.0, 10.0]).resolve(true, *b"ZYX").unwrap();
        for (a, b) in moving.iter().zip(fixed) {
            assert!((a - b).abs() < 1e-15);
        }
    }

    #[test]
    fn degenerate_axes_are_refused() {
        assert_eq!(Orientation::ZAxis([0.0; 3]).resolve(true, *b"xyz"), Err("zaxis too small"));
        let parallel = Orientation::XyAxes([1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(parallel.resolve(true, *b"xyz"), Err("yaxis too small"));
        assert!(Orientation::Euler([0.0; 3]).resolve(true, *b"xyw").is_err());
    }

    #[test]
    fn z_axis_up_and_down() {
        assert_eq!(quat_from_z([0.0, 0.0, 1.0]), quat::IDENTITY);
        let down = quat_from_z([0.0, 0.0, -1.0]);
        assert!((down[1] - 1.0).abs() < 1e-15 && down[0].abs() < 1e-15);
    }
}
