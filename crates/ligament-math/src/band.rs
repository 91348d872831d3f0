//! Symmetric matrices with a band and some dense rows at the end, by lower triangle.
//!
//! The first `ntotal - ndense` rows have `band` numbers each, the last of them on the diagonal; rows near the top begin
//! with numbers that are not used. The last `ndense` rows have all `ntotal` numbers; those right of the diagonal are not
//! used.

/// Extents of such a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Rows.
    pub ntotal: usize,
    /// Numbers in a row of the band, the diagonal included; at least 1.
    pub nband: usize,
    /// Dense rows at the end.
    pub ndense: usize,
}

impl Band {
    /// Numbers that are stored.
    pub fn len(self) -> usize {
        (self.ntotal - self.ndense) * self.nband + self.ndense * self.ntotal
    }

    /// A matrix without rows?
    pub fn is_empty(self) -> bool {
        self.ntotal == 0
    }

    /// Address of a number on the diagonal.
    pub fn diagonal(self, row: usize) -> usize {
        let banded = self.ntotal - self.ndense;
        if row < banded {
            row * self.nband + self.nband - 1
        } else {
            banded * self.nband + (row - banded) * self.ntotal + row
        }
    }

    /// First column that a row has a number in.
    pub fn first_column(self, row: usize) -> usize {
        if row < self.ntotal - self.ndense { (row + 1).saturating_sub(self.nband) } else { 0 }
    }

    /// Address of the number in `column` of `row`; the column must lie between the first one and the diagonal.
    fn address(self, row: usize, column: usize) -> usize {
        self.diagonal(row) - (row - column)
    }

    /// Expands to a full matrix by rows; without `symmetric` the upper triangle is zero.
    pub fn to_dense(self, mat: &[f64], symmetric: bool, dense_out: &mut [f64]) {
        dense_out[..self.ntotal * self.ntotal].fill(0.0);
        for row in 0..self.ntotal {
            for column in self.first_column(row)..=row {
                let value = mat[self.address(row, column)];
                dense_out[row * self.ntotal + column] = value;
                if symmetric {
                    dense_out[column * self.ntotal + row] = value;
                }
            }
        }
    }

    /// Takes the stored numbers from a full matrix by rows; numbers that are not used stay as they are.
    pub fn set_from_dense(self, dense: &[f64], mat_out: &mut [f64]) {
        for row in 0..self.ntotal {
            for column in self.first_column(row)..=row {
                mat_out[self.address(row, column)] = dense[row * self.ntotal + column];
            }
        }
    }

    /// `y = A x`, or the product with the lower triangle alone.
    pub fn mul_vec(self, mat: &[f64], x: &[f64], symmetric: bool, y_out: &mut [f64]) {
        y_out[..self.ntotal].fill(0.0);
        for row in 0..self.ntotal {
            for column in self.first_column(row)..=row {
                let value = mat[self.address(row, column)];
                y_out[row] += value * x[column];
                if symmetric && column < row {
                    y_out[column] += value * x[row];
                }
            }
        }
    }

    /// Cholesky factor in place, of the matrix with `add + multiply · diagonal` added to its diagonal. The factor has
    /// the pattern of the matrix. Returns the smallest pivot; `None` when the matrix is not positive definite.
    pub fn factor(self, mat: &mut [f64], add: f64, multiply: f64) -> Option<f64> {
        let mut smallest = f64::INFINITY;
        for row in 0..self.ntotal {
            let first = self.first_column(row);
            for column in first..row {
                let shared = first.max(self.first_column(column));
                let mut value = mat[self.address(row, column)];
                for k in shared..column {
                    value -= mat[self.address(row, k)] * mat[self.address(column, k)];
                }
                mat[self.address(row, column)] = value / mat[self.diagonal(column)];
            }
            let own = mat[self.diagonal(row)];
            let squares: f64 = (first..row).map(|k| mat[self.address(row, k)].powi(2)).sum();
            let pivot = add + multiply * own + own - squares;
            if !(pivot >= crate::MINVAL) {
                return None;
            }
            smallest = smallest.min(pivot);
            mat[self.diagonal(row)] = pivot.sqrt();
        }
        Some(smallest)
    }

    /// Solves `L Lᵀ x = x` with the factor of [`Band::factor`].
    pub fn solve(self, factor: &[f64], x: &mut [f64]) {
        for row in 0..self.ntotal {
            for column in self.first_column(row)..row {
                x[row] -= factor[self.address(row, column)] * x[column];
            }
            x[row] /= factor[self.diagonal(row)];
        }
        for row in (0..self.ntotal).rev() {
            x[row] /= factor[self.diagonal(row)];
            for column in self.first_column(row)..row {
                x[column] -= factor[self.address(row, column)] * x[row];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Band, Vec<f64>) {
        let band = Band { ntotal: 6, nband: 3, ndense: 2 };
        let mut mat = vec![f64::NAN; band.len()];
        for row in 0..6 {
            for column in band.first_column(row)..=row {
                let value = ((3 * row + 5 * column) as f64).sin();
                mat[band.address(row, column)] = if row == column { 6.0 + value } else { value };
            }
        }
        (band, mat)
    }

    #[test]
    fn expansion_and_products_agree() {
        let (band, mat) = sample();
        let mut dense = [0.0; 36];
        band.to_dense(&mat, true, &mut dense);
        assert_eq!(dense[6 * 3], 0.0, "outside the band");
        assert!(dense[6 * 5] != 0.0 && dense[6 * 5] == dense[5]);
        let x: Vec<f64> = (0..6).map(|i| 1.0 + i as f64).collect();
        let mut y = [0.0; 6];
        band.mul_vec(&mat, &x, true, &mut y);
        for (row, y) in y.iter().enumerate() {
            let want: f64 = (0..6).map(|column| dense[6 * row + column] * x[column]).sum();
            assert!((y - want).abs() < 1e-13);
        }
        let mut back = vec![f64::NAN; band.len()];
        band.set_from_dense(&dense, &mut back);
        assert!(back.iter().zip(&mat).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())));
    }

    #[test]
    fn a_solution_solves_the_system_with_the_changed_diagonal() {
        let (band, mat) = sample();
        let (add, multiply) = (0.1, 0.01);
        let mut factor = mat.clone();
        let pivot = band.factor(&mut factor, add, multiply).expect("positive definite");
        assert!(pivot > 1.0);
        let b: Vec<f64> = (0..6).map(|i| (i as f64).cos()).collect();
        let mut x = b.clone();
        band.solve(&factor, &mut x);
        let mut product = [0.0; 6];
        band.mul_vec(&mat, &x, true, &mut product);
        for row in 0..6 {
            let diagonal = mat[band.diagonal(row)];
            let sum = product[row] + (add + multiply * diagonal) * x[row];
            assert!((sum - b[row]).abs() < 1e-13, "row {row}");
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let (band, mut mat) = sample();
        mat[band.diagonal(3)] = -1.0;
        assert_eq!(band.factor(&mut mat, 0.0, 0.0), None);
    }
}
