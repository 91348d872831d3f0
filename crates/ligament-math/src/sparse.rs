//! Sparse matrices in compressed rows: row `i` owns entries `rowadr[i] .. rowadr[i] + rownnz[i]` of the values and
//! of the column indices `colind`, which increase along a row.
//!
//! The factorisations need no fill-in because of the pattern of a kinematic tree: the non-zeros of row `i` are its
//! ancestors, and the rows of two ancestors of `i` are nested prefixes of row `i` (Featherstone 2008, §6.5).

use crate::Number;
use crate::places::{self, Places};
use std::ops::Range;

/// The pattern of a sparse matrix.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// Entries of each row.
    pub rownnz: &'a [i32],
    /// Where each row begins.
    pub rowadr: &'a [i32],
    /// Columns of the entries.
    pub colind: &'a [i32],
    /// Row and entry of the whole matrix at which a part of it begins.
    first_row: usize,
    first_entry: usize,
}

impl<'a> Pattern<'a> {
    /// From its three lists.
    pub fn new(rownnz: &'a [i32], rowadr: &'a [i32], colind: &'a [i32]) -> Self {
        Self { rownnz, rowadr, colind, first_row: 0, first_entry: 0 }
    }

    /// A block on the diagonal, rows whose columns are among them: the degrees of freedom of whole trees.
    pub fn part(self, rows: Range<usize>) -> Self {
        let start =
            |row: usize| if row < self.rowadr.len() { self.row(row).start } else { self.colind.len() };
        let entries = start(rows.start)..start(rows.end);
        Self {
            rownnz: &self.rownnz[rows.clone()],
            rowadr: &self.rowadr[rows.clone()],
            colind: &self.colind[entries.clone()],
            first_row: self.first_row + rows.start,
            first_entry: self.first_entry + entries.start,
        }
    }

    /// The same, if it is not a part of something larger.
    #[inline]
    fn whole(self) -> Option<Self> {
        let Self { rownnz, rowadr, colind, first_row, first_entry } = self;
        (first_row == 0 && first_entry == 0).then(|| Self::new(rownnz, rowadr, colind))
    }

    /// Entries of a row.
    #[inline]
    pub fn row(self, i: usize) -> Range<usize> {
        let start = self.rowadr[i] as usize - self.first_entry;
        start..start + self.rownnz[i] as usize
    }
}

/// Items in increasing order: `0..n`, or those of an index list.
#[inline]
fn item(index: Option<&[i32]>, k: usize) -> usize {
    match index {
        Some(index) => index[k] as usize,
        None => k,
    }
}

/// Factors M = LᵀDL in place, M given by its lower triangle with the diagonal last in each row.
/// On return the strict lower part holds L, the diagonal D; `diag_inv_out` gets 1/D.
/// With an index list only those rows are factored (whole trees).
#[inline]
pub fn factor_ltdl(mat: &mut [f64], diag_inv_out: &mut [f64], n: usize, p: Pattern, index: Option<&[i32]>) {
    if is_diagonal(n, p, index) {
        for (k, inverse) in diag_inv_out[..n].iter_mut().enumerate() {
            *inverse = 1.0 / mat[p.row(k).start];
        }
        return;
    }
    match p.whole() {
        Some(p) if index.is_none() => {
            places::factor(&p.rownnz[..n], p.rowadr, p.colind, mat, diag_inv_out);
        }
        _ => factor_rows(mat, diag_inv_out, n, p, index),
    }
}

/// [`factor_ltdl`] for all rows of several worlds at once, with the same bits.
pub fn factor_ltdl_together<T: Number>(mat: &mut [T], diag_inv_out: &mut [T], n: usize, p: Pattern) {
    factor_rows(mat, diag_inv_out, n, p, None);
}

#[inline(never)]
fn factor_rows<T: Number>(
    mat: &mut [T],
    diag_inv_out: &mut [T],
    n: usize,
    p: Pattern,
    index: Option<&[i32]>,
) {
    for k in (0..n).rev() {
        let k = item(index, k);
        let row = p.row(k);
        let start = row.start;
        let diag = row.len() - 1;
        let (above, below) = mat.split_at_mut(start);
        let row_k = &mut below[..=diag];
        let inv = T::splat(1.0) / row_k[diag];
        diag_inv_out[k] = inv;
        // subtract the outer product of row k from the triangle of its ancestors, whose rows are the beginnings of this one:
        // two at a time, the later one is one number longer
        let ancestor =
            |a: usize| p.rowadr[p.colind[start + a] as usize - p.first_row] as usize - p.first_entry;
        let mut a = diag;
        while a >= 2 {
            a -= 2;
            let (earlier, later) = above.split_at_mut(ancestor(a + 1));
            let (first, last) = (ancestor(a), later[..a + 2].split_at_mut(a + 1));
            let weights = [-row_k[a] * inv, -row_k[a + 1] * inv];
            T::axpy_twice(weights, &row_k[..=a], [&mut earlier[first..=first + a], last.0]);
            last.1[0] += weights[1] * row_k[a + 1];
        }
        if a == 1 {
            let first = ancestor(0);
            above[first] += -row_k[0] * inv * row_k[0];
        }
        for x in &mut row_k[..diag] {
            *x = *x * inv;
        }
    }
}

/// Solves LᵀDL x = x in place with the factors of [`factor_ltdl`].
#[inline]
pub fn solve_ltdl(x: &mut [f64], ld: &[f64], diag_inv: &[f64], n: usize, p: Pattern, index: Option<&[i32]>) {
    if is_diagonal(n, p, index) {
        x[..n].iter_mut().zip(diag_inv).for_each(|(x, inverse)| *x *= inverse);
        return;
    }
    match p.whole() {
        Some(p) if index.is_none() => {
            places::solve(&p.rownnz[..n], p.rowadr, p.colind, ld, diag_inv, x);
        }
        _ => solve_rows(x, ld, diag_inv, n, p, index),
    }
}

/// Has every row of the first `n` its diagonal only?
#[inline]
fn is_diagonal(n: usize, p: Pattern, index: Option<&[i32]>) -> bool {
    index.is_none() && p.rownnz[..n].iter().all(|&count| count == 1)
}

/// [`solve_ltdl`] of some rows, or of a part of a matrix.
#[inline(never)]
fn solve_rows(x: &mut [f64], ld: &[f64], diag_inv: &[f64], n: usize, p: Pattern, index: Option<&[i32]>) {
    let columns = Places::within(p.colind, p.first_row, x.len());
    // x ← L⁻ᵀ x
    for k in (0..n).rev() {
        let i = item(index, k);
        let row = p.row(i);
        let value = x[i];
        if row.len() == 1 || value == 0.0 {
            continue;
        }
        let strict = row.start..row.end - 1;
        columns.subtract(strict.clone(), &ld[strict], value, x);
    }
    // x ← L⁻¹ D⁻¹ x: row i needs only the finished entries of its ancestors
    for k in 0..n {
        let i = item(index, k);
        let row = p.row(i);
        let strict = row.start..row.end - 1;
        if strict.is_empty() {
            x[i] *= diag_inv[i];
            continue;
        }
        let sum = columns.dot(strict.clone(), &ld[strict], x);
        x[i] = x[i] * diag_inv[i] - sum;
    }
}

/// [`solve_ltdl`] for all rows of several worlds at once, with the same bits.
pub fn solve_ltdl_together<T: Number>(x: &mut [T], ld: &[T], diag_inv: &[T], n: usize, p: Pattern) {
    for i in (0..n).rev() {
        let row = p.row(i);
        let strict = row.start..row.end - 1;
        let value = x[i];
        for (&l, &j) in ld[strict.clone()].iter().zip(&p.colind[strict]) {
            let x = &mut x[j as usize];
            *x = value.unless_zero(*x, *x - l * value);
        }
    }
    for i in 0..n {
        let row = p.row(i);
        let strict = row.start..row.end - 1;
        let own = x[i] * diag_inv[i];
        x[i] = if strict.is_empty() {
            own
        } else {
            own - dot_by(&ld[strict.clone()], &p.colind[strict], |j: i32| x[j as usize])
        };
    }
}

/// Half of [`solve_ltdl`]: x ← D^(-1/2) L⁻ᵀ x.
pub fn solve_ltdl_half(x: &mut [f64], ld: &[f64], sqrt_diag_inv: &[f64], n: usize, p: Pattern) {
    for i in (0..n).rev() {
        let row = p.row(i);
        let value = x[i];
        if row.len() == 1 || value == 0.0 {
            continue;
        }
        let strict = row.start..row.end - 1;
        for (l, &j) in ld[strict.clone()].iter().zip(&p.colind[strict]) {
            x[j as usize] -= l * value;
        }
    }
    for (x, s) in x[..n].iter_mut().zip(sqrt_diag_inv) {
        *x *= s;
    }
}

/// `res = M v` for a symmetric matrix given by its lower triangle with the diagonal last in each row.
pub fn mul_sym_vec(res: &mut [f64], mat: &[f64], v: &[f64], n: usize, p: Pattern) {
    let (res, v) = (&mut res[..n], &v[..n]);
    let columns = Places::within(p.colind, p.first_row, n);
    for i in 0..n {
        let row = p.row(i);
        let strict = row.start..row.end - 1;
        let first = mat[row.end - 1] * v[i];
        res[i] = columns.both_ways(strict.clone(), &mat[strict], (first, v[i]), v, res);
    }
}

/// `res = A v`
pub fn mul_vec(res: &mut [f64], mat: &[f64], v: &[f64], nr: usize, p: Pattern) {
    for (i, out) in res.iter_mut().enumerate().take(nr) {
        let row = p.row(i);
        let (row, columns) = (&mat[row.clone()], &p.colind[row]);
        *out = match (row, columns) {
            // as most rows of actuators are; the sum begins with zero
            (&[a], &[j]) => 0.0 + a * v[j as usize],
            _ => dot(row, v, columns),
        };
    }
}

/// `res = Aᵀ v`
pub fn mul_vec_t(res: &mut [f64], mat: &[f64], v: &[f64], nr: usize, nc: usize, p: Pattern) {
    res[..nc].fill(0.0);
    for (i, &scale) in v.iter().enumerate().take(nr) {
        if scale != 0.0 {
            for (a, &j) in mat[p.row(i)].iter().zip(&p.colind[p.row(i)]) {
                res[j as usize] += a * scale;
            }
        }
    }
}

/// Product of a sparse row with a dense vector: four partial sums, added as (0+2)+(1+3), then what is left over, one
/// by one.
#[inline]
pub fn dot(row: &[f64], v: &[f64], colind: &[i32]) -> f64 {
    dot_by(row, colind, |j| v[j as usize])
}

/// Sum of products over places, in the order of [`dot`].
#[inline(always)]
pub fn sum_products<I>(places: &[I], product: impl Fn(&I) -> f64) -> f64 {
    let mut lanes = [0.0; 4];
    let fours = places.chunks_exact(4);
    let rest = fours.remainder();
    for place in fours {
        for k in 0..4 {
            lanes[k] += product(&place[k]);
        }
    }
    let mut sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    for place in rest {
        sum += product(place);
    }
    sum
}

/// As [`dot`], for unsigned column indices.
#[inline]
pub fn dot_at(row: &[f64], v: &[f64], columns: &[u32]) -> f64 {
    dot_by(row, columns, |j| v[j as usize])
}

/// As [`dot`], for a vector whose entries at the columns stand side by side.
#[inline]
pub fn dot_packed(row: &[f64], packed: &[f64]) -> f64 {
    dot_by(row, packed, |x| x)
}

#[inline(always)]
fn dot_by<I: Copy, T: Number>(row: &[T], places: &[I], value: impl Fn(I) -> T) -> T {
    let mut lanes = T::all([0.0; 4]);
    let places = &places[..row.len()];
    let (rows, fours) = (row.chunks_exact(4), places.chunks_exact(4));
    let (row_rest, rest) = (rows.remainder(), fours.remainder());
    for (a, place) in rows.zip(fours) {
        for k in 0..4 {
            lanes[k] += a[k] * value(place[k]);
        }
    }
    let mut sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    for (&a, &place) in row_rest.iter().zip(rest) {
        sum += a * value(place);
    }
    sum
}

/// A pivot too small to divide by: the matrix is singular to working precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SingularPivot {
    /// The row without a usable pivot.
    pub row: usize,
}

/// Factors A = U L in place from the last row up, A with a structurally symmetric tree pattern (full rows).
/// `remaining` is working memory of at least as many entries as the matrix has rows.
pub fn factor_lu(
    lu: &mut [f64],
    remaining: &mut [i32],
    n: usize,
    p: Pattern,
    index: Option<&[i32]>,
) -> Result<(), SingularPivot> {
    for k in 0..n {
        let i = item(index, k);
        remaining[i] = p.rownnz[i];
    }
    for k in (0..n).rev() {
        let i = item(index, k);
        let start_i = p.rowadr[i] as usize;
        remaining[i] -= 1;
        let left = remaining[i] as usize;
        let diag = start_i + left;
        if lu[diag].abs() < crate::MINVAL || p.colind[diag] as usize != i {
            return Err(SingularPivot { row: i });
        }
        // the pattern is symmetric: the rows above with an entry in column i are the columns left in row i
        for a in (0..left).rev() {
            let j = p.colind[start_i + a] as usize;
            let start_j = p.rowadr[j] as usize;
            remaining[j] -= 1;
            let left_j = remaining[j] as usize;
            let (row_j, row_i) = lu.split_at_mut(start_i);
            let row_j = &mut row_j[start_j..];
            let scale = row_j[left_j] / row_i[left];
            row_j[left_j] = scale;
            subtract_row(
                row_j,
                &p.colind[start_j..start_j + left_j],
                row_i,
                &p.colind[start_i..start_i + left],
                scale,
            );
        }
    }
    Ok(())
}

/// `row_j -= scale row_i` on the columns of row i, all of which row j has.
#[inline]
fn subtract_row(row_j: &mut [f64], cols_j: &[i32], row_i: &[f64], cols_i: &[i32], scale: f64) {
    let mut c = 0;
    for (value, column) in row_i.iter().zip(cols_i) {
        while cols_j[c] < *column {
            c += 1;
        }
        row_j[c] -= value * scale;
        c += 1;
    }
}

/// Solves with the factors of [`factor_lu`]: `x = A⁻¹ b`. `diag[i]` is the position of the diagonal in row i.
pub fn solve_lu(
    x: &mut [f64],
    lu: &[f64],
    b: &[f64],
    n: usize,
    p: Pattern,
    diag: &[i32],
    index: Option<&[i32]>,
) {
    // (U + I) x = b, from the last row
    for k in (0..n).rev() {
        let i = item(index, k);
        let row = p.row(i);
        let right = row.start + diag[i] as usize + 1..row.end;
        x[i] = b[i] - dot(&lu[right.clone()], x, &p.colind[right]);
    }
    // L x = x
    for k in 0..n {
        let i = item(index, k);
        let start = p.rowadr[i] as usize;
        let d = start + diag[i] as usize;
        x[i] -= dot(&lu[start..d], x, &p.colind[start..d]);
        x[i] /= lu[d];
    }
}
