//! Reverse Cholesky factors `A = Lᵀ L` of matrices of up to 64 variables whose pattern is known: dense numbers, with
//! sums in the order of the sparse algorithm ([`crate::csr::ReverseFactor`]).

use crate::dense::{reverse_cholesky_update, subtract_rows};
use crate::sparse::sum_products;

/// Largest number of variables: patterns are bit sets.
pub const MAX: usize = 64;

/// A dense reverse factor and the order in which rows act on each other.
#[derive(Debug, Clone, Default)]
pub struct OrderedFactor {
    n: usize,
    /// Lower triangle, row-major.
    pub mat: Vec<f64>,
    /// For each variable the later rows that contain it, in the order of elimination.
    below_start: Vec<usize>,
    below: Vec<u32>,
    /// Columns of each row before the diagonal.
    column_start: Vec<usize>,
    columns: Vec<u32>,
}

/// Calls `f` with the places of the bits, ascending.
#[inline]
fn for_each_bit(mut bits: u64, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

impl OrderedFactor {
    /// Number of entries of the factor.
    pub fn nnz(&self) -> usize {
        self.columns.len() + self.n
    }

    /// Finds the pattern of the factor of a matrix; `adjacent[r]` are the variables that `r` meets. The order is that
    /// of a walk from each neighbour to its ancestors in the elimination tree.
    pub fn analyse(&mut self, adjacent: &[u64]) {
        let n = adjacent.len();
        self.n = n;
        let mut parent = [0u8; MAX];
        let mut has_parent = 0u64;
        let mut pattern = [0u64; MAX];
        self.below.clear();
        self.below_start.clear();
        self.below_start.resize(n + 1, 0);
        for r in (0..n).rev() {
            self.below_start[r + 1] = self.below.len();
            let mut seen = 1u64 << r;
            for_each_bit(adjacent[r] & !(seen | (seen - 1)), |first| {
                let mut i = first;
                while seen >> i & 1 == 0 {
                    if has_parent >> i & 1 == 0 {
                        has_parent |= 1 << i;
                        parent[i] = r as u8;
                    }
                    pattern[i] |= 1 << r;
                    self.below.push(i as u32);
                    seen |= 1 << i;
                    i = parent[i] as usize;
                }
            });
        }
        self.columns.clear();
        self.column_start.clear();
        self.column_start.push(0);
        for &bits in &pattern[..n] {
            for_each_bit(bits, |c| self.columns.push(c as u32));
            self.column_start.push(self.columns.len());
        }
    }

    /// Rows below `r` that contain it; lists stand in descending order of `r`.
    fn below_of(&self, r: usize) -> std::ops::Range<usize> {
        self.below_start[r + 1]..if r == 0 { self.below.len() } else { self.below_start[r] }
    }

    /// Factors `mat` in place; a pivot below `min_pivot` (or not a number) is replaced by it.
    #[inline(never)]
    pub fn factor(&mut self, min_pivot: f64) {
        let n = self.n;
        for r in (0..n).rev() {
            let below = self.below_of(r);
            let (head, tail) = self.mat.split_at_mut((r + 1) * n);
            let row = &mut head[r * n..r * n + r + 1];
            let later = self.below[below].iter().map(|&c| (c as usize - r - 1) * n);
            subtract_rows(row, tail, r, later);
            if !(row[r] >= min_pivot) {
                row[r] = min_pivot;
            }
            let pivot = row[r].sqrt();
            let inv = 1.0 / pivot;
            for x in &mut row[..r] {
                *x *= inv;
            }
            row[r] = pivot;
        }
    }

    /// Solves `Lᵀ L x = b` in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for i in (0..n).rev() {
            if x[i] != 0.0 {
                let row = &self.mat[i * n..i * n + i + 1];
                let xi = x[i] / row[i];
                x[i] = xi;
                for (x, l) in x.iter_mut().zip(&row[..i]) {
                    *x -= l * xi;
                }
            }
        }
        for i in 0..n {
            let row = &self.mat[i * n..i * n + i + 1];
            let columns = &self.columns[self.column_start[i]..self.column_start[i + 1]];
            let sum = sum_products(columns, |&c| row[c as usize] * x[c as usize]);
            x[i] = (x[i] - sum) / row[i];
        }
    }

    /// Factor of `A ± v₀ v₀ᵀ ± …`, see [`reverse_cholesky_update`].
    pub fn update(&mut self, vectors: &mut [f64], added: &[bool]) -> bool {
        reverse_cholesky_update(&mut self.mat, self.n, vectors, added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MINVAL;
    use crate::csr::ReverseFactor;

    /// F1.3: a factor in dense storage has the bits of the sparse one, after factoring and after an update.
    #[test]
    fn agrees_with_the_sparse_factor() {
        let n = 9;
        let edges =
            [(1, 0), (2, 0), (2, 1), (3, 0), (4, 0), (4, 3), (5, 3), (5, 0), (6, 2), (7, 4), (8, 6), (8, 1)];
        let mut a = vec![0.0; n * n];
        let mut adjacent = vec![0u64; n];
        for i in 0..n {
            a[i * n + i] = 4.1 + 0.3 * i as f64;
        }
        for (i, j) in edges {
            a[i * n + j] = 0.31 + 0.1 * (i + j) as f64 / 1.7;
            adjacent[i] |= 1 << j;
            adjacent[j] |= 1 << i;
        }
        let mut start = vec![0];
        let mut above = Vec::new();
        for r in 0..n {
            above.extend((r + 1..n).filter(|&i| a[i * n + r] != 0.0).map(|i| i as u32));
            start.push(above.len());
        }
        let mut sparse = ReverseFactor::default();
        assert!(sparse.analyse(n, &start, &above, crate::csr::FactorLimits::NONE));
        for r in 0..n {
            let (cols, vals) = sparse.entries(r);
            for (c, v) in cols.iter().zip(vals) {
                *v = a[r * n + *c as usize];
            }
        }
        assert!(sparse.factor(MINVAL));
        let mut ordered = OrderedFactor { mat: a, ..OrderedFactor::default() };
        ordered.analyse(&adjacent);
        ordered.factor(MINVAL);
        assert_eq!(ordered.nnz(), sparse.nnz());
        let mut v = vec![0.0; n];
        (v[1], v[8]) = (-0.2, 0.7);
        for round in 0..2 {
            let mut x: Vec<f64> = (0..n).map(|i| 1.0 - 0.37 * i as f64).collect();
            let mut y = x.clone();
            sparse.solve(&mut x);
            ordered.solve(&mut y);
            assert_eq!(x, y, "round {round}");
            let mut w = v.clone();
            assert!(sparse.update(&mut v.clone(), true) && ordered.update(&mut w, &[true]));
        }
    }
}
