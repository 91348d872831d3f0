//! Factor of a symmetric matrix on the rows of a pattern, from the leaves to the root, and the solution with it.
//!
//! Row i holds its columns j < i and its pivot last. Eliminating row k subtracts from each row i among its columns
//! H_ki / H_kk times its first places. The rows below a row of the tree start with its columns, so the subtraction runs
//! straight through memory; only rows that couplings have filled need their columns looked up.

use crate::lane::Lane;
use crate::pattern::Pattern;

/// Factors the rows of `H` that are `fresh` in place, and solves for the right-hand side `x` in place. The other rows hold
/// their factor already: nothing that is eliminated into them is fresh. `factors` and `dense` are scratch of nv numbers.
///
/// In both directions a number that is known is passed on to all sums that it is part of, which don't wait for each other;
/// each of them still gets its terms in the order of the dofs, whatever zeros other worlds add to the pattern.
#[inline(always)]
pub(crate) fn factor_solve<L: Lane>(
    pattern: &Pattern,
    fresh: &[bool],
    H: &mut [L],
    pivot: &mut [L],
    x: &mut [L],
    factors: &mut [L],
    dense: &mut [L],
) {
    let nv = pivot.len();
    for i in (0..nv).rev() {
        let row = pattern.row(i);
        if fresh[i] {
            eliminate(pattern, H, pivot, i, factors, dense);
            pivot[i] = H[row.end - 1].recip();
        }
        let y = x[i] * pivot[i];
        x[i] = y;
        for (h, &column) in H[row.start..row.end - 1].iter().zip(&pattern.columns[row.start..row.end - 1]) {
            let above = &mut x[column as usize];
            *above = above.sub_product(*h, y);
        }
    }
    let sums = &mut factors[..nv];
    sums.fill(L::zero());
    for i in 0..nv {
        let known = x[i].sub_product(pivot[i], sums[i]);
        x[i] = known;
        for (k, at) in pattern.sources(i) {
            sums[k] = H[at].mul_add(known, sums[k]);
        }
    }
}

/// Subtracts from a row what the rows below it, which are factored, make of it.
#[inline(always)]
fn eliminate<L: Lane>(
    pattern: &Pattern,
    H: &mut [L],
    pivot: &[L],
    i: usize,
    factors: &mut [L],
    dense: &mut [L],
) {
    let count = pattern.sources(i).len();
    if count == 0 {
        return;
    }
    for ((k, at), factor) in pattern.sources(i).zip(factors.iter_mut()) {
        *factor = H[at] * pivot[k];
    }
    if pattern.is_straight(i) {
        eliminate_straight(pattern, H, i, &factors[..count]);
    } else {
        eliminate_looked_up(pattern, H, i, factors, dense);
    }
}

#[inline(always)]
fn eliminate_straight<L: Lane>(pattern: &Pattern, H: &mut [L], i: usize, factors: &[L]) {
    let row = pattern.row(i);
    let (head, tail) = H.split_at_mut(row.end);
    let target = &mut head[row.start..];
    let len = target.len();
    let mut at = 0;
    while len - at >= 8 {
        eliminate_block::<L, 8>(pattern, target, tail, i, at, factors);
        at += 8;
    }
    if len - at >= 4 {
        eliminate_block::<L, 4>(pattern, target, tail, i, at, factors);
        at += 4;
    }
    match len - at {
        1 => eliminate_block::<L, 1>(pattern, target, tail, i, at, factors),
        2 => eliminate_block::<L, 2>(pattern, target, tail, i, at, factors),
        3 => eliminate_block::<L, 3>(pattern, target, tail, i, at, factors),
        _ => {}
    }
}

/// N columns of a row, kept in registers while all rows below are subtracted.
#[inline(always)]
fn eliminate_block<L: Lane, const N: usize>(
    pattern: &Pattern,
    target: &mut [L],
    tail: &[L],
    i: usize,
    at: usize,
    factors: &[L],
) {
    let mut sum = [L::zero(); N];
    sum.copy_from_slice(&target[at..at + N]);
    // a row below starts with this row's columns; its entry of column i stands where this row has its pivot
    let back = pattern.row(i).end + target.len() - 1 - at;
    for ((_, place), &c) in pattern.sources(i).zip(factors) {
        let start = place - back;
        let h = &tail[start..start + N];
        for n in 0..N {
            sum[n] = sum[n].sub_product(c, h[n]);
        }
    }
    target[at..at + N].copy_from_slice(&sum);
}

#[inline(always)]
fn eliminate_looked_up<L: Lane>(pattern: &Pattern, H: &mut [L], i: usize, factors: &[L], dense: &mut [L]) {
    let row = pattern.row(i);
    for at in row.clone() {
        dense[pattern.columns[at] as usize] = H[at];
    }
    for ((k, at), &c) in pattern.sources(i).zip(factors) {
        let places = pattern.rows[k] as usize..at + 1;
        for (h, &column) in H[places.clone()].iter().zip(&pattern.columns[places]) {
            dense[column as usize] = dense[column as usize].sub_product(c, *h);
        }
    }
    for at in row {
        H[at] = dense[pattern.columns[at] as usize];
    }
}
