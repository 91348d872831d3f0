//! Poses and small linear algebra in the conventions of the compiler.
//!
//! They differ from those of the simulation in last digits: products of quaternions are normalised, lengths
//! below [`EPS`] count as zero, and vectors are divided by their length rather than multiplied by its inverse.

use ligament_math::{Mat3, Quat, Vec3, eigen, mat3, quat, vec3};
pub use ligament_mjcf::spec::pose::{EPS, normalize, quat_from_axes, quat_from_z};

/// Frames closer than this count as equal, entry by entry.
const FRAME_EPS: f64 = 1e-6;

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

/// Normalised product of quaternions.
pub fn mul_quat(a: Quat, b: Quat) -> Quat {
    let mut q = quat::mul(a, b);
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

/// Eigenvalues in decreasing order and the rotation to the eigenvectors of a symmetric matrix.
pub fn eigen_decomposition(matrix: &Mat3) -> (Vec3, Quat) {
    let unit = |mut q: Quat| {
        normalize(&mut q);
        q
    };
    let (values, q, _) = eigen::symmetric_by(matrix, unit, |a, b| unit(mul_quat(a, b)));
    (values, q)
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
