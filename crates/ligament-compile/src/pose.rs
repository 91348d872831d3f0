//! Poses and small linear algebra in the conventions of the compiler.
//!
//! They differ from those of the simulation in last digits: products of quaternions are normalised, lengths
//! below [`EPS`] count as zero, and vectors are divided by their length rather than multiplied by its inverse.

use ligament_math::{Mat3, Quat, Vec3, mat3, quat, vec3};

/// Below this a length, a mass or a volume counts as zero while compiling.
pub const EPS: f64 = 1e-14;

/// Frames closer than this count as equal, entry by entry.
const FRAME_EPS: f64 = 1e-6;

/// Off-diagonal entries, sines and differences of eigenvalues below this count as zero.
const EIGEN_EPS: f64 = 1e-12;

/// Where a frame stands in another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Pose {
    pub const IDENTITY: Self = Self { pos: [0.0; 3], quat: quat::IDENTITY };

    pub fn new(pos: Vec3, quat: Quat) -> Self {
        Self { pos, quat }
    }

    /// The pose in the parent of this frame of something posed in this frame.
    #[must_use]
    pub fn then(self, child: Pose) -> Pose {
        let offset = mat3::mul_vec(&quat::to_mat(self.quat), child.pos);
        Pose { pos: vec3::add(self.pos, offset), quat: mul_quat(self.quat, child.quat) }
    }

    /// The inverse transformation.
    #[must_use]
    pub fn inverse(self) -> Pose {
        let back = quat::conj(self.quat);
        Pose { pos: vec3::neg(mat3::mul_vec(&quat::to_mat(back), self.pos)), quat: back }
    }
}

/// Scales to unit length and returns the old length; a null vector stays as it is and has length 0.
pub fn normalize<const N: usize>(v: &mut [f64; N]) -> f64 {
    let square: f64 = v.iter().fold(0.0, |sum, x| sum + x * x);
    if square < EPS {
        return 0.0;
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPS {
        for x in v.iter_mut() {
            *x /= length;
        }
    }
    length
}

/// Normalised product of quaternions.
pub fn mul_quat(a: Quat, b: Quat) -> Quat {
    let mut q = quat::mul(a, b);
    normalize(&mut q);
    q
}

/// The smallest rotation that takes the z axis to the direction of a unit vector.
pub fn quat_from_z(v: Vec3) -> Quat {
    let mut axis = vec3::cross([0.0, 0.0, 1.0], v);
    let sine = normalize(&mut axis);
    if sine < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    }
    let half = sine.atan2(v[2]) / 2.0;
    let (s, c) = (half.sin(), half.cos());
    [c, axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Quaternion of the frame with these orthonormal axes.
pub fn quat_from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let mut q = if x[0] + y[1] + z[2] > 0.0 {
        let w = 0.5 * (1.0 + x[0] + y[1] + z[2]).sqrt();
        [w, 0.25 * (y[2] - z[1]) / w, 0.25 * (z[0] - x[2]) / w, 0.25 * (x[1] - y[0]) / w]
    } else if x[0] > y[1] && x[0] > z[2] {
        let a = 0.5 * (1.0 + x[0] - y[1] - z[2]).sqrt();
        [0.25 * (y[2] - z[1]) / a, a, 0.25 * (y[0] + x[1]) / a, 0.25 * (z[0] + x[2]) / a]
    } else if y[1] > z[2] {
        let b = 0.5 * (1.0 - x[0] + y[1] - z[2]).sqrt();
        [0.25 * (z[0] - x[2]) / b, 0.25 * (y[0] + x[1]) / b, b, 0.25 * (z[1] + y[2]) / b]
    } else {
        let c = 0.5 * (1.0 - x[0] - y[1] + z[2]).sqrt();
        [0.25 * (x[1] - y[0]) / c, 0.25 * (z[0] + x[2]) / c, 0.25 * (z[1] + y[2]) / c, c]
    };
    normalize(&mut q);
    q
}

/// Are two positions the same for the purpose of `sameframe`?
pub fn same_pos(a: Vec3, b: Vec3) -> bool {
    a.iter().zip(&b).all(|(x, y)| (x - y).abs() < FRAME_EPS)
}

/// Are two orientations the same for the purpose of `sameframe`? A quaternion equals its negative.
pub fn same_quat(a: Quat, b: Quat) -> bool {
    a.iter().zip(&b).all(|(x, y)| (x - y).abs() < FRAME_EPS)
        || a.iter().zip(&b).all(|(x, y)| (x + y).abs() < FRAME_EPS)
}

/// Inertia about the centre of mass, turned into the outer frame: xx, yy, zz, xy, xz, yz of R diag(I) Rᵀ.
pub fn rotated_inertia(principal: Vec3, orientation: Quat) -> [f64; 6] {
    let r = quat::to_mat(orientation);
    let entry = |i: usize, j: usize| {
        r[3 * i] * (r[3 * j] * principal[0])
            + r[3 * i + 1] * (r[3 * j + 1] * principal[1])
            + r[3 * i + 2] * (r[3 * j + 2] * principal[2])
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// What a point mass at an offset adds to an inertia: m (|d|² 1 - d dᵀ), as xx, yy, zz, xy, xz, yz.
pub fn offset_inertia(mass: f64, d: Vec3) -> [f64; 6] {
    [
        mass * (d[1] * d[1] + d[2] * d[2]),
        mass * (d[0] * d[0] + d[2] * d[2]),
        mass * (d[0] * d[0] + d[1] * d[1]),
        -mass * d[0] * d[1],
        -mass * d[0] * d[2],
        -mass * d[1] * d[2],
    ]
}

/// Principal moments in decreasing order and the orientation of the principal axes of an inertia given as
/// xx, yy, zz, xy, xz, yz. `None` when a moment is not positive.
pub fn principal_axes(full: [f64; 6]) -> Option<(Vec3, Quat)> {
    let [xx, yy, zz, xy, xz, yz] = full;
    let (moments, axes) = eigen_decomposition(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    // NaN fails the comparison in the reference too, and passes on
    if moments[2] < EPS { None } else { Some((moments, axes)) }
}

/// Eigenvalues in decreasing order and the rotation to the eigenvectors of a symmetric matrix, by Jacobi
/// rotations kept as a quaternion (Golub and Van Loan, section 8.5).
pub fn eigen_decomposition(matrix: &Mat3) -> (Vec3, Quat) {
    let mut q = quat::IDENTITY;
    let mut values = [0.0; 3];
    for _ in 0..500 {
        let axes = quat::to_mat(q);
        let d = mat3::mul(&mat3::mul(&mat3::transpose(&axes), matrix), &axes);
        values = [d[0], d[4], d[8]];
        let Some(step) = jacobi_rotation(&d) else { break };
        q = mul_quat(q, step);
        normalize(&mut q);
    }
    sort_eigenvalues(&mut values, &mut q);
    (values, q)
}

/// The rotation that removes the largest off-diagonal entry; `None` when there is nothing left to remove.
fn jacobi_rotation(d: &Mat3) -> Option<Quat> {
    let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
        (0, 1, 2)
    } else if d[2].abs() > d[5].abs() {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let off = d[3 * row + col];
    if off.abs() < EIGEN_EPS {
        return None;
    }
    let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (-tau + root) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    if c > 1.0 - EIGEN_EPS {
        return None;
    }
    let mut half_sine = (0.5 - 0.5 * c).sqrt();
    if (tau >= 0.0) != (axis == 1) {
        half_sine = -half_sine;
    }
    let mut step = [(1.0 - half_sine * half_sine).sqrt(), 0.0, 0.0, 0.0];
    step[axis + 1] = half_sine;
    normalize(&mut step);
    Some(step)
}

/// Bubble sort of three values, turning the axes along by quarter turns.
fn sort_eigenvalues(values: &mut Vec3, q: &mut Quat) {
    for lead in [0, 1, 0] {
        if values[lead] + EIGEN_EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            #[expect(clippy::approx_constant)] // the reference's rounding of √½
            let half = 0.707_106_781_186_548;
            let mut turn = [half, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = half;
            *q = mul_quat(*q, turn);
            normalize(q);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_a_pose() {
        let pose = Pose::new([1.0, 2.0, 3.0], mul_quat([0.8, 0.6, 0.0, 0.0], [0.6, 0.0, 0.8, 0.0]));
        let back = pose.then(pose.inverse());
        assert!(same_pos(back.pos, [0.0; 3]) && same_quat(back.quat, quat::IDENTITY));
    }

    #[test]
    fn principal_axes_reproduce_the_matrix() {
        let full = [2.0, 3.0, 4.0, 0.1, -0.2, 0.3];
        let (moments, axes) = principal_axes(full).unwrap();
        assert!(moments[0] >= moments[1] && moments[1] >= moments[2]);
        for (a, b) in rotated_inertia(moments, axes).iter().zip(&full) {
            // the rotations end when their cosine rounds to one
            assert!((a - b).abs() < 1e-6);
        }
    }

    #[test]
    fn z_axis_reversed_is_half_a_turn_about_x() {
        let q = quat_from_z([0.0, 0.0, -1.0]);
        assert!(q[0].abs() < 1e-15 && q[1] == 1.0);
    }
}
