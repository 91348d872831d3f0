//! Working memory of the constraint stages.

/// Buffers for the Jacobian of one constraint, and for the projection of all of them.
#[derive(Debug, Default)]
pub struct ConstraintScratch {
    /// Degrees of freedom that move the constraint, ascending.
    pub cols: Vec<i32>,
    /// Translational and rotational Jacobian, one column a degree of freedom in `cols`.
    pub lin: Vec<[f64; 3]>,
    pub ang: Vec<[f64; 3]>,
    /// Rows of the constraint: `size × cols.len()`.
    pub block: Vec<f64>,
    /// Bodies that carry a contact point, with signed weights; the same for each piece of work.
    pub bodies: Vec<(usize, f64)>,
    pub piece_bodies: Vec<Vec<(usize, f64)>>,
    /// Per degree of freedom: position in `cols` during assembly.
    pub slot: Vec<i32>,
    /// Sums over bodies, per degree of freedom.
    pub lin_dense: Vec<[f64; 3]>,
    pub ang_dense: Vec<[f64; 3]>,
    /// A Jacobian row in compressed form: columns and numbers of two coupled objects.
    pub first: (Vec<i32>, Vec<f64>),
    pub second: (Vec<i32>, Vec<f64>),
    /// Constraint-space residual and other vectors of constraint length.
    pub residual: Vec<f64>,
    /// Velocity-space vectors.
    pub joint: [Vec<f64>; 3],
    /// Gathered entries of a vector at the columns of a row.
    pub gathered: Vec<f64>,
    /// Rows of J M^(-1/2) and their transpose.
    pub half: SparseRows,
    pub half_transposed: SparseRows,
    /// Entries of their columns.
    pub column_counts: Vec<u64>,
    /// Contacts whose rows are made side by side, with working memory of their own.
    pub pieces: Vec<ContactPiece>,
}

/// What a contact gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Rows,
    Nothing,
    /// It names what does not exist.
    Unknown,
}

/// Rows of consecutive contacts that one thread makes.
#[derive(Debug, Default)]
pub struct ContactPiece {
    pub scratch: ConstraintScratch,
    /// What became of each contact.
    pub verdicts: Vec<Verdict>,
    /// The first contact that names what does not exist.
    pub unknown: Option<usize>,
    /// The rows, as they stand in the lists of a state.
    pub jac: Vec<f64>,
    pub colind: Vec<i32>,
    pub rownnz: Vec<i32>,
    pub kind: Vec<i32>,
    pub id: Vec<i32>,
    pub pos: Vec<f64>,
    pub margin: Vec<f64>,
}

/// Rows of (column, number) pairs.
#[derive(Debug, Default)]
pub struct SparseRows {
    pub start: Vec<usize>,
    pub col: Vec<i32>,
    pub val: Vec<f64>,
}

impl SparseRows {
    /// No rows, ready for the first.
    pub fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.col.clear();
        self.val.clear();
    }

    /// Appends a dense row without its zeros.
    pub fn push_nonzero(&mut self, row: &[f64]) {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            self.col.push(column as i32);
            self.val.push(value);
        }
        self.start.push(self.col.len());
    }

    /// Adds a multiple of a row to a vector.
    #[inline]
    pub fn add_row(&self, row: usize, scale: f64, out: &mut [f64]) {
        let range = self.start[row]..self.start[row + 1];
        for (&column, value) in self.col[range.clone()].iter().zip(&self.val[range]) {
            out[column as usize] += value * scale;
        }
    }
}
