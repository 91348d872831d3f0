//! Minimum of a quadratic function inside a box: ½ xᵀ H x + xᵀ g with lower ≤ x ≤ upper.
//!
//! Projected Newton steps (Tassa, Mansard, Todorov: Control-limited differential dynamic programming, 2014, §IV): the
//! variables at a bound that the gradient pushes outwards are held, a Newton step is made in the others and shortened
//! until it improves enough.

use crate::MINVAL;
use crate::dense::{cholesky, cholesky_solve, dot};

const ITERATIONS: usize = 100;
/// Stop when the squared gradient of the free variables is below this.
const GRADIENT: f64 = 1e-16;
/// Part of the expected improvement that a step has to achieve (Armijo).
const SUFFICIENT: f64 = 0.1;
/// Factor by which a step is shortened, and the shortest one.
const SHORTEN: f64 = 0.5;
const SHORTEST: f64 = 1e-15;

/// What has been found.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxMinimum {
    /// Variables that are at no bound, ascending.
    pub free: Vec<usize>,
    /// Cholesky factor of the rows and columns of H that belong to them.
    pub factor: Vec<f64>,
}

/// Why there is no minimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxError {
    /// A lower bound is not below its upper bound.
    EmptyBox,
    /// The part of H that belongs to the free variables is not positive definite.
    Indefinite,
}

impl std::fmt::Display for BoxError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::EmptyBox => "upper bounds must be larger than lower bounds",
            Self::Indefinite => "the matrix is not positive definite",
        })
    }
}

impl std::error::Error for BoxError {}

/// Moves `x` to the minimum, starting where it is. `hessian` is full and symmetric, by rows.
///
/// ```
/// # use ligament_math::box_qp::minimize;
/// // (x - 2)² + (y - 0.5)² in the unit square
/// let mut x = [0.0, 0.0];
/// let minimum = minimize(&mut x, &[2.0, 0.0, 0.0, 2.0], &[-4.0, -1.0], &[0.0; 2], &[1.0; 2]).unwrap();
/// assert!(x[0] == 1.0 && (x[1] - 0.5).abs() < 1e-15);
/// assert_eq!(minimum.free, [1]);
/// ```
pub fn minimize(
    x: &mut [f64],
    hessian: &[f64],
    gradient: &[f64],
    lower: &[f64],
    upper: &[f64],
) -> Result<BoxMinimum, BoxError> {
    let n = x.len();
    if lower.iter().zip(upper).any(|(low, high)| low >= high) {
        return Err(BoxError::EmptyBox);
    }
    let clamp = |x: &mut [f64]| {
        for (x, (low, high)) in x.iter_mut().zip(lower.iter().zip(upper)) {
            *x = x.max(*low).min(*high);
        }
    };
    clamp(x);
    let mut found = BoxMinimum { free: (0..n).collect(), factor: Vec::new() };
    let mut slope_at = vec![0.0; n];
    for _ in 0..ITERATIONS {
        for i in 0..n {
            slope_at[i] = dot(&hessian[i * n..(i + 1) * n], x) + gradient[i];
        }
        let held =
            |i: usize| (x[i] == lower[i] && slope_at[i] > 0.0) || (x[i] == upper[i] && slope_at[i] < 0.0);
        found.free = (0..n).filter(|&i| !held(i)).collect();
        if found.free.is_empty() {
            break;
        }
        found.factor =
            found.free.iter().flat_map(|&i| found.free.iter().map(move |&j| hessian[i * n + j])).collect();
        let count = found.free.len();
        if cholesky(&mut found.factor, count, MINVAL) < count {
            return Err(BoxError::Indefinite);
        }
        if found.free.iter().map(|&i| slope_at[i] * slope_at[i]).sum::<f64>() < GRADIENT {
            break;
        }
        // where the free variables go while the held ones stay: H_ff x_f = −g_f − H_fh x_h
        let mut resting = x.to_vec();
        for &i in &found.free {
            resting[i] = 0.0;
        }
        let pull = |&i: &usize| -(gradient[i] + dot(&hessian[i * n..(i + 1) * n], &resting));
        let mut target: Vec<f64> = found.free.iter().map(pull).collect();
        cholesky_solve(&found.factor, count, &mut target);
        let mut search = vec![0.0; n];
        for (&i, &goal) in found.free.iter().zip(&target) {
            search[i] = goal - x[i];
        }
        let slope = dot(&search, &slope_at);
        if !(slope < 0.0) || !line_search(x, &search, slope, hessian, gradient, clamp) {
            break;
        }
    }
    Ok(found)
}

fn value(x: &[f64], hessian: &[f64], gradient: &[f64]) -> f64 {
    let n = x.len();
    let quadratic: f64 = (0..n).map(|i| x[i] * dot(&hessian[i * n..(i + 1) * n], x)).sum();
    0.5 * quadratic + dot(x, gradient)
}

/// Moves by the longest of the steps 1, ½, ¼ … that improves enough; false when none does.
fn line_search(
    x: &mut [f64],
    search: &[f64],
    slope: f64,
    hessian: &[f64],
    gradient: &[f64],
    clamp: impl Fn(&mut [f64]),
) -> bool {
    let before = value(x, hessian, gradient);
    let mut step = 1.0;
    let mut candidate = x.to_vec();
    while step >= SHORTEST {
        for (c, (x, s)) in candidate.iter_mut().zip(x.iter().zip(search)) {
            *c = x + step * s;
        }
        clamp(&mut candidate);
        if before - value(&candidate, hessian, gradient) >= -SUFFICIENT * step * slope {
            x.copy_from_slice(&candidate);
            return true;
        }
        step *= SHORTEN;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Karush, Kuhn and Tucker: the gradient vanishes inside and points outwards at the bounds.
    #[test]
    fn the_minimum_satisfies_its_conditions() {
        let n = 7;
        for seed in 0..20 {
            let number = |k: usize| ((k * k + 31 * seed + 7 * k) as f64).sin();
            let half: Vec<f64> = (0..n * n).map(|k| number(k + 1)).collect();
            let mut hessian = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    let product: f64 = (0..n).map(|k| half[i * n + k] * half[j * n + k]).sum();
                    hessian[i * n + j] = product + if i == j { 0.1 } else { 0.0 };
                }
            }
            let gradient: Vec<f64> = (0..n).map(|k| 3.0 * number(k + 100)).collect();
            let (lower, upper) = (vec![-0.4; n], vec![0.5; n]);
            let mut x = vec![0.0; n];
            let minimum = minimize(&mut x, &hessian, &gradient, &lower, &upper).expect("positive definite");
            for i in 0..n {
                let slope = dot(&hessian[i * n..(i + 1) * n], &x) + gradient[i];
                if minimum.free.contains(&i) {
                    assert!(slope.abs() < 1e-7, "seed {seed}: {slope}");
                } else if x[i] == lower[i] {
                    assert!(slope > 0.0);
                } else {
                    assert!(x[i] == upper[i] && slope < 0.0);
                }
            }
        }
    }

    #[test]
    fn empty_boxes_and_indefinite_matrices_are_refused() {
        let mut x = [0.0];
        assert_eq!(minimize(&mut x, &[1.0], &[1.0], &[1.0], &[1.0]), Err(BoxError::EmptyBox));
        assert_eq!(minimize(&mut x, &[-1.0], &[0.0], &[-1.0], &[1.0]), Err(BoxError::Indefinite));
    }
}
