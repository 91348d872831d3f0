//! Eigenvectors of symmetric 3×3 matrices.

use crate::{Mat3, Quat, Vec3, mat3, quat};

/// Off-diagonal entries, sines and differences of eigenvalues below this count as zero.
const EPS: f64 = 1e-12;

/// Eigenvalues in decreasing order and the rotation whose matrix has the eigenvectors as columns, by Jacobi rotations
/// kept as a quaternion (Golub and Van Loan, section 8.5).
pub fn symmetric(matrix: &Mat3) -> (Vec3, Quat) {
    let (values, q, _) = symmetric_counted(matrix);
    (values, q)
}

/// As [`symmetric`], with the number of rotations.
pub fn symmetric_counted(matrix: &Mat3) -> (Vec3, Quat, usize) {
    let unit = |mut q: Quat| {
        quat::normalize(&mut q);
        q
    };
    symmetric_by(matrix, unit, |a, b| unit(quat::mul(a, b)))
}

/// [`symmetric_counted`] with another way to scale quaternions to unit length and to multiply them: the compiler's
/// differ from those of the simulation in the last digits.
pub fn symmetric_by(
    matrix: &Mat3,
    unit: impl Fn(Quat) -> Quat,
    multiply: impl Fn(Quat, Quat) -> Quat,
) -> (Vec3, Quat, usize) {
    let mut q = quat::IDENTITY;
    let mut values = [0.0; 3];
    let mut count = 0;
    while count < 500 {
        let axes = quat::to_mat(q);
        let d = mat3::mul(&mat3::t_mul(&axes, matrix), &axes);
        values = [d[0], d[4], d[8]];
        let Some(step) = jacobi_rotation(&d) else { break };
        q = multiply(q, unit(step));
        count += 1;
    }
    for lead in [0, 1, 0] {
        if values[lead] + EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            #[expect(clippy::approx_constant)] // the reference's rounding of √½
            let half = 0.707_106_781_186_548;
            let mut turn = [half, 0.0, 0.0, 0.0];
            turn[(lead + 2) % 3 + 1] = half;
            q = multiply(q, turn);
        }
    }
    (values, q, count)
}

/// The rotation that removes the largest off-diagonal entry, up to scale; `None` when there is nothing left to remove.
fn jacobi_rotation(d: &Mat3) -> Option<Quat> {
    let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
        (0, 1, 2)
    } else if d[2].abs() > d[5].abs() {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let off = d[3 * row + col];
    if off.abs() < EPS || off.is_nan() {
        return None;
    }
    let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
    let root = (1.0 + tau * tau).sqrt();
    let t = if tau >= 0.0 { 1.0 / (tau + root) } else { -1.0 / (-tau + root) };
    let c = 1.0 / (1.0 + t * t).sqrt();
    if c > 1.0 - EPS {
        return None;
    }
    let mut half_sine = (0.5 - 0.5 * c).sqrt();
    if (tau >= 0.0) != (axis == 1) {
        half_sine = -half_sine;
    }
    let mut step = [(1.0 - half_sine * half_sine).sqrt(), 0.0, 0.0, 0.0];
    step[axis + 1] = half_sine;
    Some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rotations end when their cosine rounds to one, which leaves some 1e-7 off the diagonal; the reference stops at
    /// the same place (numbers from MuJoCo 3.5.0).
    #[test]
    fn eigenvectors_diagonalise() {
        let m = [2.0, 0.1, -0.2, 0.1, 5.0, 0.3, -0.2, 0.3, 4.0];
        let (values, q) = symmetric(&m);
        let axes = quat::to_mat(q);
        let d = mat3::mul(&mat3::t_mul(&axes, &m), &axes);
        for i in 0..9 {
            let expected = if i % 4 == 0 { values[i / 4] } else { 0.0 };
            assert!((d[i] - expected).abs() < 1e-6, "{d:?}");
        }
        let reference = [5.0837024963887245, 3.941683411233662, 1.9746140923776174];
        assert!((0..3).all(|i| (values[i] - reference[i]).abs() < 1e-12), "{values:?}");
        let reference = [0.46299741325419547, 0.5410147127460841, 0.39375977661628814, 0.5812828177671232];
        assert!((0..4).all(|i| (q[i] - reference[i]).abs() < 1e-12), "{q:?}");
    }
}
