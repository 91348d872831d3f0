//! Dense Cholesky factors `A = L Lᵀ` stored by columns, with sums in the order of [`crate::dense::dot`].
//!
//! Column `k` of L stands in `mat[k * stride + k ..][.. n - k]`; three numbers of padding end each column, so that four
//! rows can be handled at a time. Every number has the bits of the textbook algorithm on rows
//! ([`crate::dense::cholesky`]), but all inner loops run along columns, without horizontal sums.

use crate::MINVAL;
use crate::simd::column_products;

/// Largest number of variables.
pub const MAX: usize = 80;

const LANES: usize = 4;

/// Distance of columns.
#[inline]
pub fn stride(n: usize) -> usize {
    n + LANES - 1
}

/// In-place factor of the lower triangle. A pivot below `min_pivot` (or not a number) is replaced by it.
pub fn factor(mat: &mut [f64], n: usize, min_pivot: f64) {
    let stride = stride(n);
    for j in 0..n {
        let (done, rest) = mat.split_at_mut(j * stride);
        let column = &mut rest[..stride];
        let mut i = j;
        while i + LANES < n {
            subtract::<2>(column, done, j, i);
            i += 2 * LANES;
        }
        if i < n {
            subtract::<1>(column, done, j, i);
            i += LANES;
        }
        debug_assert!(i >= n);
        if !(column[j] >= min_pivot) {
            column[j] = min_pivot;
        }
        let pivot = column[j].sqrt();
        let inv = 1.0 / pivot;
        for x in &mut column[j + 1..n] {
            *x *= inv;
        }
        column[j] = pivot;
        column[n..].fill(0.0);
    }
}

/// Subtracts the products of row `j` with `4 B` rows from `i` on, over the finished columns.
#[inline(always)]
fn subtract<const B: usize>(column: &mut [f64], done: &[f64], j: usize, i: usize) {
    let sums: [[f64; LANES]; B] = column_products(done, column.len(), j, i);
    for (x, sum) in column[i..i + LANES * B].iter_mut().zip(sums.as_flattened()) {
        *x -= sum;
    }
}

/// Solves `L Lᵀ x = b` in place, with the factor of [`factor`].
pub fn solve(mat: &[f64], n: usize, x: &mut [f64]) {
    // the partial sums are cleared anew for each solve: as few as the size needs
    match n {
        0..=16 => solve_within::<16>(mat, n, x),
        17..=32 => solve_within::<32>(mat, n, x),
        _ => solve_within::<MAX>(mat, n, x),
    }
}

#[inline(never)]
fn solve_within<const ROWS: usize>(mat: &[f64], n: usize, x: &mut [f64]) {
    let stride = stride(n);
    let x = &mut x[..n];
    let mut lanes = [[0.0; ROWS]; LANES];
    for start in (0..n).step_by(LANES) {
        let end = (start + LANES).min(n);
        for i in start..end {
            let mut tail = 0.0;
            for k in start..i {
                tail += mat[k * stride + i] * x[k];
            }
            let sum = ((lanes[0][i] + lanes[2][i]) + (lanes[1][i] + lanes[3][i])) + tail;
            x[i] = (x[i] - sum) / mat[i * stride + i];
        }
        if end == start + LANES {
            for (k, lane) in lanes.iter_mut().enumerate() {
                let factor = x[start + k];
                let column = &mat[(start + k) * stride..(start + k) * stride + n];
                for (sum, l) in lane[end..n].iter_mut().zip(&column[end..]) {
                    *sum += l * factor;
                }
            }
        }
    }
    for i in (0..n).rev() {
        let column = &mat[i * stride..i * stride + n];
        let mut value = x[i];
        for (l, x) in column[i + 1..].iter().zip(&x[i + 1..]) {
            value -= l * x;
        }
        x[i] = value / column[i];
    }
}

/// Turns the factor of `A` into that of `A ± v₀ v₀ᵀ ± v₁ v₁ᵀ …`, one after the other, with `n` numbers of `vectors` and a sign
/// (is it added?) for each; the vectors are used up. Returns false when a pivot fell below [`MINVAL`]: the factor is then unusable.
///
/// Each column waits for the square root and the quotients of the one before it. So the updates follow each other at a distance of
/// one column, as in a weaver's shed: while one waits, the others compute. Every number is what it would be if they came in turn.
pub fn update(mat: &mut [f64], n: usize, vectors: &mut [f64], added: &[bool]) -> bool {
    let stride = stride(n);
    for time in 0..n + added.len().saturating_sub(1) {
        for (lag, (v, &add)) in vectors.chunks_exact_mut(n).zip(added).enumerate() {
            let Some(k) = time.checked_sub(lag).filter(|&k| k < n) else { continue };
            if !update_column(&mut mat[k * stride..k * stride + n], k, v, add) {
                return false;
            }
        }
    }
    true
}

/// One column of an update, and what the vector is for the next.
#[inline(always)]
fn update_column(column: &mut [f64], k: usize, v: &mut [f64], add: bool) -> bool {
    let v_k = v[k];
    if v_k == 0.0 {
        return true;
    }
    let old = column[k];
    let square = old * old + if add { v_k * v_k } else { -v_k * v_k };
    if !(square >= MINVAL) {
        return false;
    }
    let pivot = square.sqrt();
    column[k] = pivot;
    let c = pivot / old;
    let inv = 1.0 / c;
    let s = v_k / old;
    let s_column = if add { s } else { -s };
    for (l, v) in column[k + 1..].iter_mut().zip(&mut v[k + 1..]) {
        *l = (*l + s_column * *v) * inv;
        *v = c * *v - s * *l;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense;

    /// A well-conditioned symmetric positive definite matrix from a fixed pseudo-random sequence.
    fn spd(n: usize) -> Vec<f64> {
        let mut state = 17u64 + n as u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let b: Vec<f64> = (0..n * n).map(|_| next()).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = dense::dot(&b[i * n..(i + 1) * n], &b[j * n..(j + 1) * n]);
            }
            a[i * n + i] += 1.0;
        }
        a
    }

    fn by_columns(a: &[f64], n: usize) -> Vec<f64> {
        let mut mat = vec![0.0; n * stride(n)];
        for k in 0..n {
            for i in k..n {
                mat[k * stride(n) + i] = a[i * n + k];
            }
        }
        mat
    }

    /// [`update`] on rows.
    fn update_rows(mat: &mut [f64], n: usize, v: &mut [f64], add: bool) -> bool {
        for k in 0..n {
            let v_k = v[k];
            if v_k == 0.0 {
                continue;
            }
            let (head, tail) = mat.split_at_mut((k + 1) * n);
            let diagonal = &mut head[k * n + k];
            let old = *diagonal;
            let square = old * old + if add { v_k * v_k } else { -v_k * v_k };
            if !(square >= MINVAL) {
                return false;
            }
            let pivot = square.sqrt();
            *diagonal = pivot;
            let c = pivot / old;
            let inv = 1.0 / c;
            let s = v_k / old;
            let s_row = if add { s } else { -s };
            for (row, v) in tail.chunks_exact_mut(n).zip(&mut v[k + 1..]) {
                let l = (row[k] + s_row * *v) * inv;
                row[k] = l;
                *v = c * *v - s * l;
            }
        }
        true
    }

    /// F1.3: factor, solution and update have the bits of the algorithm on rows, for every remainder of the size.
    #[test]
    fn columns_agree_with_rows() {
        for n in 1..14 {
            let a = spd(n);
            let (mut rows, mut mat) = (a.clone(), by_columns(&a, n));
            dense::cholesky(&mut rows, n, MINVAL);
            factor(&mut mat, n, MINVAL);
            let b: Vec<f64> = (0..n).map(|i| (i as f64).sin() + 0.3).collect();
            for add in [true, false] {
                let (mut x, mut y) = (b.clone(), b.clone());
                dense::cholesky_solve(&rows, n, &mut x);
                solve(&mat, n, &mut y);
                assert_eq!(x, y);
                let v: Vec<f64> = (0..n).map(|i| 0.5 - 0.1 * (i % 4) as f64).collect();
                assert!(update_rows(&mut rows, n, &mut v.clone(), add));
                assert!(update(&mut mat, n, &mut v.clone(), &[add]));
                for k in 0..n {
                    for i in k..n {
                        assert_eq!(mat[k * stride(n) + i], rows[i * n + k]);
                    }
                }
            }
        }
    }

    /// Updates side by side have the bits of updates in turn, whatever their number.
    #[test]
    fn updates_do_not_meet() {
        for (n, count) in [(1, 3), (5, 1), (5, 2), (6, 4), (13, 4), (3, 4)] {
            let mut in_turn = by_columns(&spd(n), n);
            factor(&mut in_turn, n, MINVAL);
            let mut together = in_turn.clone();
            let mut vectors: Vec<f64> = (0..n * count).map(|i| 0.3 * (i as f64 * 0.7).sin()).collect();
            vectors[n / 2] = 0.0;
            let added: Vec<bool> = (0..count).map(|i| i % 3 != 1).collect();
            for (v, &add) in vectors.clone().chunks_exact_mut(n).zip(&added) {
                assert!(update(&mut in_turn, n, v, &[add]));
            }
            assert!(update(&mut together, n, &mut vectors, &added));
            assert_eq!(in_turn, together);
        }
    }
}
