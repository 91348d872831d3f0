//! Vectors of any length and dense symmetric matrices (row-major, lower triangle).
//!
//! Two factorisations: the textbook `A = L Lᵀ` for the small systems of friction cones, and the reverse form
//! `A = Lᵀ L` for Hessians. The reverse form eliminates the last variable first, so a matrix whose variables are
//! ordered parents-before-children keeps its zeros, and all its inner loops run over contiguous rows.

use crate::MINVAL;
use crate::four::Four;
pub use crate::simd::axpy;
use crate::simd::axpy4;

/// Dot product with four partial sums, added as (0+2)+(1+3).
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let ((fours_a, rest_a), (fours_b, rest_b)) = (a[..n].as_chunks::<4>(), b[..n].as_chunks::<4>());
    let tail: f64 = rest_a.iter().zip(rest_b).map(|(x, y)| x * y).sum();
    let mut sum = Four::splat(0.0);
    for (&x, &y) in fours_a.iter().zip(fours_b) {
        sum += Four::new(x) * Four::new(y);
    }
    let [s0, s1, s2, s3] = sum.numbers();
    ((s0 + s2) + (s1 + s3)) + tail
}

/// Euclidean length.
#[inline]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `y = A x` for a row-major matrix with `x.len()` columns.
pub fn mul_mat_vec(mat: &[f64], x: &[f64], y_out: &mut [f64]) {
    if x.is_empty() {
        y_out.fill(0.0);
        return;
    }
    for (y, row) in y_out.iter_mut().zip(mat.chunks_exact(x.len())) {
        *y = dot(row, x);
    }
}

/// In-place `A = L Lᵀ` on the lower triangle. A pivot below `min_pivot` (or not a number) is replaced by it;
/// the number of sound pivots is returned.
pub fn cholesky(mat: &mut [f64], n: usize, min_pivot: f64) -> usize {
    let mut rank = n;
    for j in 0..n {
        let (above, below) = mat.split_at_mut((j + 1) * n);
        let row_j = &mut above[j * n..];
        let mut pivot = row_j[j] - dot(&row_j[..j], &row_j[..j]);
        if !(pivot >= min_pivot) {
            pivot = min_pivot;
            rank -= 1;
        }
        row_j[j] = pivot.sqrt();
        let inv = 1.0 / row_j[j];
        for row_i in below.chunks_exact_mut(n) {
            row_i[j] = (row_i[j] - dot(&row_i[..j], &row_j[..j])) * inv;
        }
    }
    rank
}

/// Solves `L Lᵀ x = b` in place, with the factor of [`cholesky`].
pub fn cholesky_solve(mat: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let row = &mat[i * n..];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            x[i] -= mat[j * n + i] * x[j];
        }
        x[i] /= mat[i * n + i];
    }
}

/// Turns the factor of `A` ([`cholesky`]) into that of `A ± v vᵀ` (Golub & Van Loan 2013, §6.5.4); `v` is used up. A
/// pivot that becomes too small is replaced by the smallest one; the number of sound pivots is returned.
///
/// ```
/// # use ligament_math::dense::{cholesky, cholesky_update};
/// let mut factor = [4.0, 0.0, 2.0, 3.0];
/// cholesky(&mut factor, 2, 1e-15);
/// assert_eq!(cholesky_update(&mut factor, 2, &mut [1.0, -1.0], true), 2);
/// let product = factor[2] * factor[0];
/// assert!((product - (2.0 - 1.0)).abs() < 1e-15);
/// ```
pub fn cholesky_update(mat: &mut [f64], n: usize, v: &mut [f64], add: bool) -> usize {
    let sign = if add { 1.0 } else { -1.0 };
    let mut rank = n;
    for k in 0..n {
        if v[k] == 0.0 {
            continue;
        }
        let diagonal = mat[k * n + k];
        let mut square = diagonal * diagonal + sign * (v[k] * v[k]);
        if !(square >= MINVAL) {
            square = MINVAL;
            rank -= 1;
        }
        let pivot = square.sqrt();
        let (c, s) = (pivot / diagonal, v[k] / diagonal);
        mat[k * n + k] = pivot;
        for i in k + 1..n {
            let entry = &mut mat[i * n + k];
            *entry = (*entry + sign * s * v[i]) / c;
            v[i] = c * v[i] - s * *entry;
        }
    }
    rank
}

/// In-place reverse factor `A = Lᵀ L` on the lower triangle; rank as in [`cholesky`].
/// Entries that are exactly zero are skipped, so tree-structured matrices cost what their pattern costs.
#[inline(never)]
pub fn reverse_cholesky(mat: &mut [f64], n: usize, min_pivot: f64) -> usize {
    let mut rank = n;
    for r in (0..n).rev() {
        let (head, tail) = mat.split_at_mut((r + 1) * n);
        let row = &mut head[r * n..r * n + r + 1];
        subtract_rows(row, tail, r, (0..n - r - 1).map(|k| k * n));
        if !(row[r] >= min_pivot) {
            row[r] = min_pivot;
            rank -= 1;
        }
        let pivot = row[r].sqrt();
        let inv = 1.0 / pivot;
        for x in &mut row[..r] {
            *x *= inv;
        }
        row[r] = pivot;
    }
    rank
}

/// `row -= Σ_c L_cr · L_c[..=r]` over the rows of `tail` that start at `starts`, in that order; four at a time, to keep
/// the target in registers. Rows with a zero in column `r` are left out.
#[inline]
pub(crate) fn subtract_rows(row: &mut [f64], tail: &[f64], r: usize, starts: impl Iterator<Item = usize>) {
    let m = row.len();
    let mut pending = [(0.0, 0usize); 4];
    let mut count = 0;
    for start in starts {
        let factor = tail[start + r];
        if factor != 0.0 {
            pending[count] = (factor, start);
            count += 1;
            if count == 4 {
                let [(f0, a0), (f1, a1), (f2, a2), (f3, a3)] = pending;
                axpy4([-f0, -f1, -f2, -f3], [a0, a1, a2, a3].map(|a| &tail[a..a + m]), row);
                count = 0;
            }
        }
    }
    for &(factor, adr) in &pending[..count] {
        axpy(-factor, &tail[adr..adr + m], row);
    }
}

/// Solves `Lᵀ L x = b` in place, with the factor of [`reverse_cholesky`].
#[inline(never)]
pub fn reverse_cholesky_solve(mat: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        if x[i] != 0.0 {
            let row = &mat[i * n..i * n + i + 1];
            x[i] /= row[i];
            let xi = x[i];
            axpy(-xi, &row[..i], &mut x[..i]);
        }
    }
    for i in 0..n {
        let row = &mat[i * n..i * n + i + 1];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
}

/// Turns a reverse factor of `A` into that of `A ± v₀ v₀ᵀ ± v₁ v₁ᵀ …`, with `n` numbers of `vectors` and a sign (is it added?)
/// for each, by Givens rotations (Golub & Van Loan 2013, §6.5.4); the vectors are used up. They follow each other at a distance of one row ([`crate::cholesky::update`]). Returns false when
/// definiteness is lost.
#[inline(never)]
pub fn reverse_cholesky_update(mat: &mut [f64], n: usize, vectors: &mut [f64], added: &[bool]) -> bool {
    let mut sound = true;
    for time in 0..n + added.len().saturating_sub(1) {
        for (lag, (v, &add)) in vectors.chunks_exact_mut(n).zip(added).enumerate() {
            let Some(r) = time.checked_sub(lag).and_then(|done| (n - 1).checked_sub(done)) else { continue };
            sound &= update_row(&mut mat[r * n..r * n + r + 1], v, add);
        }
    }
    sound
}

/// One row of an update, and what the vector is for the next.
#[inline(always)]
fn update_row(row: &mut [f64], v: &mut [f64], add: bool) -> bool {
    let r = row.len() - 1;
    let v_r = v[r];
    if v_r == 0.0 {
        return true;
    }
    let Some((pivot, c, s)) = givens(row[r], v_r, add) else { return false };
    row[r] = pivot;
    let s_row = if add { -s } else { s };
    for (l, v) in row[..r].iter_mut().zip(v.iter_mut()) {
        let (old_l, old_v) = (*l, *v);
        *l = c * old_l + s_row * old_v;
        *v = s * old_l + c * old_v;
    }
    true
}

/// Rotation of one pivot: new pivot, cosine, sine. `None` when the matrix loses definiteness.
#[inline]
pub fn givens(diagonal: f64, v: f64, add: bool) -> Option<(f64, f64, f64)> {
    let square = diagonal * diagonal + if add { v * v } else { -v * v };
    if !(square >= MINVAL) {
        return None;
    }
    let pivot = square.sqrt();
    Some((pivot, diagonal / pivot, -v / pivot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_updated_factor_is_that_of_the_changed_matrix() {
        let n = 6;
        let original = spd(n, 3);
        let v: Vec<f64> = (0..n).map(|i| 0.2 * (i as f64 + 0.5).sin()).collect();
        for add in [true, false] {
            let sign = if add { 1.0 } else { -1.0 };
            let mut changed = original.clone();
            for i in 0..n {
                for j in 0..n {
                    changed[i * n + j] += sign * v[i] * v[j];
                }
            }
            let mut factor = original.clone();
            assert_eq!((cholesky(&mut factor, n, MINVAL), cholesky(&mut changed, n, MINVAL)), (n, n));
            assert_eq!(cholesky_update(&mut factor, n, &mut v.clone(), add), n);
            for i in 0..n {
                for j in 0..=i {
                    assert!((factor[i * n + j] - changed[i * n + j]).abs() < 1e-13, "{i} {j}");
                }
            }
        }
        let mut one = [1.0];
        assert_eq!(cholesky_update(&mut one, 1, &mut [2.0], false), 0, "1 - 4 has no root");
    }

    /// A well-conditioned symmetric positive definite matrix from a fixed pseudo-random sequence.
    fn spd(n: usize, seed: u64) -> Vec<f64> {
        let mut state = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let b: Vec<f64> = (0..n * n).map(|_| next()).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>();
            }
            a[i * n + i] += 1.0;
        }
        a
    }

    fn residual(a: &[f64], n: usize, x: &[f64], b: &[f64]) -> f64 {
        let mut ax = vec![0.0; n];
        mul_mat_vec(a, x, &mut ax);
        ax.iter().zip(b).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max)
    }

    /// F1.3: both factorisations solve random systems of size 1, 2, 3, 5, 10, 20 to rounding.
    #[test]
    fn factors_solve() {
        for n in [1, 2, 3, 5, 10, 20] {
            let a = spd(n, n as u64);
            let b: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 0.3).collect();
            let (mut forward, mut x) = (a.clone(), b.clone());
            assert_eq!(cholesky(&mut forward, n, MINVAL), n);
            cholesky_solve(&forward, n, &mut x);
            assert!(residual(&a, n, &x, &b) < 1e-12);
            let (mut reverse, mut y) = (a.clone(), b.clone());
            assert_eq!(reverse_cholesky(&mut reverse, n, MINVAL), n);
            reverse_cholesky_solve(&reverse, n, &mut y);
            assert!(residual(&a, n, &y, &b) < 1e-12);
        }
    }

    #[test]
    fn update_equals_refactor() {
        let n = 9;
        let a = spd(n, 4);
        let v: Vec<f64> = (0..n).map(|i| if i % 3 == 1 { 0.0 } else { 0.7 - 0.1 * i as f64 }).collect();
        let mut sum = a.clone();
        for i in 0..n {
            for j in 0..n {
                sum[i * n + j] += v[i] * v[j];
            }
        }
        let mut updated = a.clone();
        reverse_cholesky(&mut updated, n, MINVAL);
        assert!(reverse_cholesky_update(&mut updated, n, &mut v.clone(), &[true]));
        reverse_cholesky(&mut sum, n, MINVAL);
        for i in 0..n {
            for j in 0..=i {
                assert!((updated[i * n + j] - sum[i * n + j]).abs() < 1e-13);
            }
        }
        assert!(reverse_cholesky_update(&mut updated, n, &mut v.clone(), &[false]));
        let mut original = a;
        reverse_cholesky(&mut original, n, MINVAL);
        for i in 0..n {
            for j in 0..=i {
                assert!((updated[i * n + j] - original[i * n + j]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn indefinite_is_reported() {
        let mut a = [1.0, 2.0, 2.0, 1.0];
        assert_eq!(reverse_cholesky(&mut a, 2, MINVAL), 1);
        let mut a = [f64::NAN];
        assert_eq!(cholesky(&mut a, 1, MINVAL), 0);
        let mut l = [1.0];
        assert!(!reverse_cholesky_update(&mut l, 1, &mut [2.0], &[false]));
    }

    #[test]
    fn dot_handles_every_remainder() {
        for n in 0..10 {
            let a: Vec<f64> = (0..n).map(|i| i as f64 + 1.0).collect();
            let expected: f64 = a.iter().map(|x| x * x).sum();
            assert_eq!(dot(&a, &a), expected);
        }
    }
}
