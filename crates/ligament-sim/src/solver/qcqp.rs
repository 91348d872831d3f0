//! Minimum of ½ xᵀ A x + bᵀ x on an ellipsoid Σ (xᵢ/dᵢ)² ≤ r², for one to five friction directions.

use ligament_math::dense::{cholesky, cholesky_solve, dot};

/// Below this a determinant, a violation or a multiplier step counts as zero.
const SMALL: f64 = 1e-10;
const MAX_ITERATIONS: usize = 20;

/// Solves by Newton's method on the multiplier λ of the constraint (More & Sorensen 1983): x = −(A + λ)⁻¹ b in
/// coordinates in which the ellipsoid is a ball. `a` is n × n. Returns whether the constraint is active; the
/// result is zero when A + λ is not positive definite.
pub(super) fn qcqp(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> bool {
    match n {
        2 => qcqp2(x_out, a, b, d, r),
        3 => qcqp3(x_out, a, b, d, r),
        _ => qcqp_any(x_out, a, b, d, r, n),
    }
}

/// Newton step of the multiplier: `None` when it has converged.
fn multiplier_step(violation: f64, slope: f64) -> Option<f64> {
    if violation < SMALL {
        return None;
    }
    let step = -violation / slope;
    if step < SMALL { None } else { Some(step) }
}

fn qcqp2(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64) -> bool {
    let b = [b[0] * d[0], b[1] * d[1]];
    let (a11, a22, a12) = (a[0] * d[0] * d[0], a[3] * d[1] * d[1], a[1] * d[0] * d[1]);
    let mut la = 0.0;
    let mut v = [0.0; 2];
    for _ in 0..MAX_ITERATIONS {
        let det = (a11 + la) * (a22 + la) - a12 * a12;
        if det < SMALL {
            x_out[..2].fill(0.0);
            return false;
        }
        let inv = 1.0 / det;
        let (p11, p22, p12) = ((a22 + la) * inv, (a11 + la) * inv, -a12 * inv);
        v = [-p11 * b[0] - p12 * b[1], -p12 * b[0] - p22 * b[1]];
        let violation = v[0] * v[0] + v[1] * v[1] - r * r;
        let slope = -2.0 * (p11 * v[0] * v[0] + 2.0 * p12 * v[0] * v[1] + p22 * v[1] * v[1]);
        match multiplier_step(violation, slope) {
            Some(step) => la += step,
            None => break,
        }
    }
    x_out[0] = v[0] * d[0];
    x_out[1] = v[1] * d[1];
    la != 0.0
}

fn qcqp3(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64) -> bool {
    let b = [b[0] * d[0], b[1] * d[1], b[2] * d[2]];
    let (a11, a22, a33) = (a[0] * d[0] * d[0], a[4] * d[1] * d[1], a[8] * d[2] * d[2]);
    let (a12, a13, a23) = (a[1] * d[0] * d[1], a[2] * d[0] * d[2], a[5] * d[1] * d[2]);
    let mut la = 0.0;
    let mut v = [0.0; 3];
    for _ in 0..MAX_ITERATIONS {
        let mut p11 = (a22 + la) * (a33 + la) - a23 * a23;
        let mut p22 = (a11 + la) * (a33 + la) - a13 * a13;
        let mut p33 = (a11 + la) * (a22 + la) - a12 * a12;
        let mut p12 = a13 * a23 - a12 * (a33 + la);
        let mut p13 = a12 * a23 - a13 * (a22 + la);
        let mut p23 = a12 * a13 - a23 * (a11 + la);
        let det = (a11 + la) * p11 + a12 * p12 + a13 * p13;
        if det < SMALL {
            x_out[..3].fill(0.0);
            return false;
        }
        let inv = 1.0 / det;
        for p in [&mut p11, &mut p22, &mut p33, &mut p12, &mut p13, &mut p23] {
            *p *= inv;
        }
        v = [
            -p11 * b[0] - p12 * b[1] - p13 * b[2],
            -p12 * b[0] - p22 * b[1] - p23 * b[2],
            -p13 * b[0] - p23 * b[1] - p33 * b[2],
        ];
        let violation = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - r * r;
        let slope = -2.0 * (p11 * v[0] * v[0] + p22 * v[1] * v[1] + p33 * v[2] * v[2])
            - 4.0 * (p12 * v[0] * v[1] + p13 * v[0] * v[2] + p23 * v[1] * v[2]);
        match multiplier_step(violation, slope) {
            Some(step) => la += step,
            None => break,
        }
    }
    for k in 0..3 {
        x_out[k] = v[k] * d[k];
    }
    la != 0.0
}

fn qcqp_any(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> bool {
    let mut scaled = [0.0; 25];
    let mut rhs = [0.0; 5];
    for i in 0..n {
        rhs[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    let mut la = 0.0;
    let mut x = [0.0; 5];
    for _ in 0..MAX_ITERATIONS {
        let mut factor = scaled;
        for i in 0..n {
            factor[i * (n + 1)] += la;
        }
        if cholesky(&mut factor[..n * n], n, SMALL) < n {
            x_out[..n].fill(0.0);
            return false;
        }
        x = rhs;
        cholesky_solve(&factor, n, &mut x[..n]);
        for v in &mut x {
            *v = -*v;
        }
        let violation = dot(&x[..n], &x[..n]) - r * r;
        let mut y = x;
        cholesky_solve(&factor, n, &mut y[..n]);
        match multiplier_step(violation, -2.0 * dot(&x[..n], &y[..n])) {
            Some(step) => la += step,
            None => break,
        }
    }
    for i in 0..n {
        x_out[i] = x[i] * d[i];
    }
    la != 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases_agree_with_general() {
        let a = [2.0, 0.3, 0.1, 0.3, 1.5, -0.2, 0.1, -0.2, 1.0];
        let (b, d) = ([-1.0, 2.0, 0.5], [0.8, 0.8, 0.3]);
        for r in [0.5, 10.0] {
            let (mut special, mut general) = ([0.0; 3], [0.0; 3]);
            let active = qcqp(&mut special, &a, &b, &d, r, 3);
            assert_eq!(active, qcqp_any(&mut general, &a, &b, &d, r, 3));
            assert_eq!(active, r < 1.0);
            for k in 0..3 {
                assert!((special[k] - general[k]).abs() < 1e-9);
            }
            let a2 = [a[0], a[1], a[3], a[4]];
            let (mut two, mut any) = ([0.0; 2], [0.0; 2]);
            assert_eq!(qcqp(&mut two, &a2, &b, &d, r, 2), qcqp_any(&mut any, &a2, &b, &d, r, 2));
            assert!((two[0] - any[0]).abs() < 1e-9 && (two[1] - any[1]).abs() < 1e-9);
            if active {
                let s: f64 = (0..3).map(|k| (special[k] / d[k]).powi(2)).sum();
                assert!((s.sqrt() - r).abs() < 1e-8);
            }
        }
    }
}
