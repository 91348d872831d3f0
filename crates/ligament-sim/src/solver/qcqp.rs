//! Minimum of ½ xᵀ A x + bᵀ x on an ellipsoid Σ (xᵢ/dᵢ)² ≤ r², for one to five friction directions.
//!
//! In coordinates x/d the ellipsoid is a ball, and the minimum is x = −(A + λ)⁻¹ b, with the multiplier λ = 0 or such
//! that |x| = r. Newton's method finds λ from |x|² − r² and its derivative −2 xᵀ (A + λ)⁻¹ x (Moré & Sorensen 1983).
//! Two and three directions, which nearly all contacts have, are inverted in closed form.

use ligament_math::dense::{cholesky, cholesky_solve, dot};

/// Below this a determinant, a violation or a multiplier step counts as zero.
const SMALL: f64 = 1e-10;
const MAX_ITERATIONS: usize = 20;
/// Most friction directions of a contact.
const MOST: usize = 5;

/// `a` is n × n. Returns whether the constraint is active; the result is zero when A + λ is not positive definite.
pub(super) fn qcqp(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> bool {
    match n {
        2 => {
            let ball = Ball::<2>::new(a, b, d, r);
            ball.minimum(|shift| ball.solve_two(shift)).write(&mut x_out[..2], d)
        }
        3 => {
            let ball = Ball::<3>::new(a, b, d, r);
            ball.minimum(|shift| ball.solve_three(shift)).write(&mut x_out[..3], d)
        }
        _ => qcqp_any(x_out, a, b, d, r, n),
    }
}

fn qcqp_any(x_out: &mut [f64], a: &[f64], b: &[f64], d: &[f64], r: f64, n: usize) -> bool {
    let mut ball = Ball::<MOST> { matrix: [[0.0; MOST]; MOST], linear: [0.0; MOST], radius2: r * r };
    for i in 0..n {
        ball.linear[i] = b[i] * d[i];
        for j in 0..n {
            ball.matrix[i][j] = a[i * n + j] * d[i] * d[j];
        }
    }
    ball.minimum(|shift| ball.solve_any(shift, n)).write(&mut x_out[..n], d)
}

/// The problem in coordinates in which the ellipsoid is a ball.
struct Ball<const N: usize> {
    matrix: [[f64; N]; N],
    linear: [f64; N],
    radius2: f64,
}

/// The unconstrained minimum with a shifted matrix.
struct Point<const N: usize> {
    x: [f64; N],
    norm2: f64,
    /// Derivative of `norm2` by the shift.
    slope: f64,
}

/// `None` when the matrix is not positive definite.
struct Minimum<const N: usize>(Option<(f64, [f64; N])>);

impl<const N: usize> Minimum<N> {
    /// Back to the coordinates of the ellipsoid; is the constraint active?
    fn write(self, x_out: &mut [f64], d: &[f64]) -> bool {
        let Some((multiplier, x)) = self.0 else {
            x_out.fill(0.0);
            return false;
        };
        for (out, (x, d)) in x_out.iter_mut().zip(x.iter().zip(d)) {
            *out = x * d;
        }
        multiplier != 0.0
    }
}

impl<const N: usize> Ball<N> {
    fn new(a: &[f64], b: &[f64], d: &[f64], r: f64) -> Self {
        Self {
            matrix: std::array::from_fn(|i| std::array::from_fn(|j| a[i * N + j] * d[i] * d[j])),
            linear: std::array::from_fn(|i| b[i] * d[i]),
            radius2: r * r,
        }
    }

    /// Newton's method on the multiplier, from 0 on.
    #[inline(always)]
    fn minimum(&self, solve: impl Fn(f64) -> Option<Point<N>>) -> Minimum<N> {
        let (mut multiplier, mut x) = (0.0, [0.0; N]);
        for _ in 0..MAX_ITERATIONS {
            let Some(point) = solve(multiplier) else { return Minimum(None) };
            x = point.x;
            let violation = point.norm2 - self.radius2;
            let step = -violation / point.slope;
            if violation < SMALL || step < SMALL {
                break;
            }
            multiplier += step;
        }
        Minimum(Some((multiplier, x)))
    }

    /// −P b, with the inverse P of the shifted matrix.
    #[inline(always)]
    fn step_from(&self, inverse: &[[f64; N]; N]) -> [f64; N] {
        std::array::from_fn(|i| {
            let mut sum = -inverse[i][0] * self.linear[0];
            for j in 1..N {
                sum -= inverse[i][j] * self.linear[j];
            }
            sum
        })
    }
}

impl Ball<2> {
    #[inline(always)]
    fn solve_two(&self, shift: f64) -> Option<Point<2>> {
        let [[a, b], [_, c]] = self.matrix;
        let (a, c) = (a + shift, c + shift);
        let det = a * c - b * b;
        if det < SMALL {
            return None;
        }
        let scale = 1.0 / det;
        let p = [[c * scale, -b * scale], [-b * scale, a * scale]];
        let x = self.step_from(&p);
        let [u, v] = x;
        let form = p[0][0] * u * u + 2.0 * p[0][1] * u * v + p[1][1] * v * v;
        Some(Point { x, norm2: u * u + v * v, slope: -2.0 * form })
    }
}

impl Ball<3> {
    #[inline(always)]
    fn solve_three(&self, shift: f64) -> Option<Point<3>> {
        let mut m = self.matrix;
        for k in 0..3 {
            m[k][k] += shift;
        }
        let off = |i: usize, j: usize| m[i.min(j)][i.max(j)];
        let diagonal = |i: usize| {
            let (j, k) = ([1, 0, 0][i], [2, 2, 1][i]);
            m[j][j] * m[k][k] - off(j, k) * off(j, k)
        };
        let beside = |i: usize, j: usize| {
            let k = 3 - i - j;
            off(i, k) * off(j, k) - off(i, j) * m[k][k]
        };
        let (xx, yy, zz) = (diagonal(0), diagonal(1), diagonal(2));
        let (xy, xz, yz) = (beside(0, 1), beside(0, 2), beside(1, 2));
        let det = m[0][0] * xx + m[0][1] * xy + m[0][2] * xz;
        if det < SMALL {
            return None;
        }
        let scale = 1.0 / det;
        let [xx, yy, zz, xy, xz, yz] = [xx, yy, zz, xy, xz, yz].map(|x| x * scale);
        let p = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let x = self.step_from(&p);
        let [u, v, w] = x;
        let squares = p[0][0] * u * u + p[1][1] * v * v + p[2][2] * w * w;
        let products = p[0][1] * u * v + p[0][2] * u * w + p[1][2] * v * w;
        Some(Point { x, norm2: u * u + v * v + w * w, slope: -2.0 * squares - 4.0 * products })
    }
}

impl Ball<MOST> {
    /// With a Cholesky factor of the first n rows and columns.
    fn solve_any(&self, shift: f64, n: usize) -> Option<Point<MOST>> {
        let mut factor = [0.0; MOST * MOST];
        for i in 0..n {
            factor[i * n..(i + 1) * n].copy_from_slice(&self.matrix[i][..n]);
            factor[i * (n + 1)] += shift;
        }
        if cholesky(&mut factor[..n * n], n, SMALL) < n {
            return None;
        }
        let mut x = self.linear;
        cholesky_solve(&factor, n, &mut x[..n]);
        let x = x.map(|v| -v);
        let mut y = x;
        cholesky_solve(&factor, n, &mut y[..n]);
        let (x_n, y_n) = (&x[..n], &y[..n]);
        Some(Point { x, norm2: dot(x_n, x_n), slope: -2.0 * dot(x_n, y_n) })
    }
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
