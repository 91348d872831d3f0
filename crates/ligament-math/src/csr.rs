//! Sparse matrices in compressed rows; `reverse.rs` has the sparse reverse factorisation.

mod reverse;

pub use reverse::{FactorLimits, ReverseFactor, UpdateOutcome};

use crate::places::Columns;
use crate::team::{self, MAX_PIECES};

/// Compressed rows: row `i` is `val[start[i]..start[i+1]]` at columns `col[..]`, ascending.
#[derive(Debug, Clone, Default)]
pub struct Csr {
    /// Where each row begins, and where the last one ends.
    pub start: Vec<usize>,
    /// Columns of the entries.
    pub col: Columns,
    /// The entries.
    pub val: Vec<f64>,
}

impl Csr {
    /// Forgets all rows, keeps the memory.
    pub fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.col.edit().clear();
        self.val.clear();
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Closes the row whose entries have been pushed since the last call.
    pub fn end_row(&mut self) {
        self.start.push(self.col.len());
    }

    /// Columns and values of a row.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.start[i]..self.start[i + 1];
        (&self.col[range.clone()], &self.val[range])
    }

    /// `y = A x` for a symmetric matrix of which the lower triangle is stored, the diagonal last in its row.
    pub fn mul_sym_vec(&self, x: &[f64], y_out: &mut [f64]) {
        if self.val.len() == self.rows() {
            for ((y, v), x) in y_out.iter_mut().zip(&self.val).zip(x) {
                *y = v * x;
            }
            return;
        }
        let n = self.rows();
        let (x, y_out) = (&x[..n], &mut y_out[..n]);
        let columns = self.col.places(n);
        for i in 0..n {
            let strict = self.start[i]..self.start[i + 1] - 1;
            let first = self.val[strict.end] * x[i];
            y_out[i] = columns.both_ways(strict.clone(), &self.val[strict], (first, x[i]), x, y_out);
        }
    }

    /// `y = A x`, each sum in the order of [`crate::sparse::dot`].
    pub fn mul_vec(&self, x: &[f64], y_out: &mut [f64]) {
        self.mul_rows(0, x, y_out);
    }

    /// [`mul_vec`](Self::mul_vec) on so many threads.
    pub fn mul_vec_on(&self, threads: usize, x: &[f64], y_out: &mut [f64]) {
        let y_out = &mut y_out[..self.rows()];
        let size = y_out.len().div_ceil(pieces(threads)).max(1);
        team::each(threads, y_out.chunks_mut(size).enumerate(), |(k, y)| self.mul_rows(k * size, x, y));
    }

    /// As many rows of a product as there are results, from a row on.
    #[inline]
    pub fn mul_rows(&self, first: usize, x: &[f64], y_out: &mut [f64]) {
        let columns = self.col.places(x.len());
        let mut start = self.start[first];
        for (y, &end) in y_out.iter_mut().zip(&self.start[first + 1..]) {
            *y = columns.dot(start..end, &self.val[start..end], x);
            start = end;
        }
    }

    /// Makes this the transpose of a matrix with `n` columns; `from` says where each entry stood.
    pub fn transpose_of(&mut self, matrix: &Self, n: usize, from: &mut Vec<u32>) {
        self.start.clear();
        self.start.resize(n + 2, 0);
        for &c in &*matrix.col {
            self.start[c as usize + 2] += 1;
        }
        for c in 0..n {
            self.start[c + 2] += self.start[c + 1];
        }
        let col = self.col.edit();
        col.resize(matrix.col.len(), 0);
        self.val.resize(matrix.col.len(), 0.0);
        from.resize(matrix.col.len(), 0);
        let mut begin = 0;
        for (row, &end) in matrix.start[1..].iter().enumerate() {
            for (place, (&c, &value)) in
                (begin..).zip(matrix.col[begin..end].iter().zip(&matrix.val[begin..end]))
            {
                let at = self.start[c as usize + 1];
                self.start[c as usize + 1] = at + 1;
                col[at] = row as u32;
                self.val[at] = value;
                from[at] = place as u32;
            }
            begin = end;
        }
        self.start.truncate(n + 1);
    }

    /// Takes the numbers of a matrix of the same pattern as that which this is the transpose of, on so many threads.
    pub fn transpose_values(&mut self, values: &[f64], from: &[u32], threads: usize) {
        let size = from.len().div_ceil(pieces(threads)).max(1);
        let pieces = self.val.chunks_mut(size).zip(from.chunks(size));
        team::each(threads, pieces, |(out, from)| {
            for (out, &place) in out.iter_mut().zip(from) {
                *out = values[place as usize];
            }
        });
    }
}

/// Pieces of a product: more than threads, since some of these come later than others.
fn pieces(threads: usize) -> usize {
    if threads < 2 { 1 } else { (2 * threads).min(MAX_PIECES) }
}

#[cfg(test)]
mod tests {
    use super::reverse::coupled_chains;
    use super::*;
    use crate::dense;

    #[test]
    fn symmetric_product() {
        let (n, a) = coupled_chains();
        let mut m = Csr::default();
        m.clear();
        for i in 0..n {
            for j in 0..=i {
                if a[i * n + j] != 0.0 {
                    m.col.edit().push(j as u32);
                    m.val.push(a[i * n + j]);
                }
            }
            m.end_row();
        }
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let (mut y, mut z) = (vec![0.0; n], vec![0.0; n]);
        m.mul_sym_vec(&x, &mut y);
        dense::mul_mat_vec(&a, &x, &mut z);
        for i in 0..n {
            assert!((y[i] - z[i]).abs() < 1e-14);
        }
    }
}
