//! Products with the constraint Jacobian, and contact forces.

use ligament_math::dense::{axpy, dot};
use ligament_math::places::Places;
use ligament_model::{Data, Model};

use super::{is_pyramidal, is_sparse};
use crate::parallel::{self, Cut};
use std::ops::Range;

/// Entries of a Jacobian below which another thread costs more than it saves: they take some microseconds.
const MIN_ENTRIES: usize = 4000;

/// The constraint Jacobian as it is stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JacobianView<'a> {
    sparse: bool,
    nv: usize,
    values: &'a [f64],
    rownnz: &'a [i32],
    rowadr: &'a [i32],
    colind: &'a [i32],
}

impl<'a> JacobianView<'a> {
    pub fn new(m: &Model, d: &'a Data) -> Self {
        Self::of_parts(m, &d.efc_J, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_colind)
    }

    /// The Jacobian of a state of which other parts are being written.
    pub fn of_parts(
        m: &Model,
        values: &'a [f64],
        rownnz: &'a [i32],
        rowadr: &'a [i32],
        colind: &'a [i32],
    ) -> Self {
        Self { sparse: is_sparse(m), nv: m.nv, values, rownnz, rowadr, colind }
    }

    pub fn rows(&self) -> usize {
        self.rownnz.len()
    }

    /// Columns a row may have numbers in.
    #[inline]
    pub fn cols(&self, i: usize) -> &'a [i32] {
        let adr = self.rowadr[i] as usize;
        &self.colind[adr..adr + self.rownnz[i] as usize]
    }

    /// Are rows of one constraint stored with the same columns, zeros included?
    #[inline]
    pub fn has_patterns(&self) -> bool {
        self.sparse
    }

    /// Columns that tie a row to trees: of a dense row those that are not zero, or the first
    /// if somebody overwrote all of them.
    pub fn tying_cols(&self, i: usize) -> impl Iterator<Item = i32> + 'a {
        let (sparse, cols, stored) = (self.sparse, self.cols(i), self.stored(i));
        let counts = move |c: i32| sparse || stored[c as usize] != 0.0;
        let first = cols.first().filter(|_| !cols.iter().any(|&c| counts(c)));
        cols.iter().copied().filter(move |&c| counts(c)).chain(first.copied())
    }

    /// The stored numbers: compressed, or one for each degree of freedom.
    #[inline]
    pub fn stored(&self, i: usize) -> &'a [f64] {
        let adr = self.rowadr[i] as usize;
        &self.values[adr..adr + if self.sparse { self.rownnz[i] as usize } else { self.nv }]
    }

    /// The stored numbers of the first rows of a Jacobian with one for each degree of freedom.
    #[inline]
    pub fn stored_dense(&self, rows: usize) -> &'a [f64] {
        &self.values[..rows * self.nv]
    }

    /// The number in a column, which is the `k`-th that the row has.
    #[inline]
    pub fn at(&self, i: usize, k: usize, column: i32) -> f64 {
        self.stored(i)[if self.sparse { k } else { column as usize }]
    }

    /// The numbers of a row, to be asked for one by one.
    #[inline]
    pub fn numbers(&self, i: usize) -> RowNumbers<'a> {
        RowNumbers { sparse: self.sparse, stored: self.stored(i) }
    }

    /// Appends the numbers at [`Self::cols`].
    pub fn push_compressed(&self, i: usize, out: &mut Vec<f64>) {
        let stored = self.stored(i);
        if self.sparse {
            out.extend_from_slice(stored);
        } else {
            out.extend(self.cols(i).iter().map(|&c| stored[c as usize]));
        }
    }

    /// `y = J x`
    pub fn mul_vec(&self, x: &[f64], y_out: &mut [f64]) {
        self.mul_vec_on(1, x, y_out);
    }

    /// `y = J x`, on so many threads where there are many rows.
    pub fn mul_vec_on(&self, threads: usize, x: &[f64], y_out: &mut [f64]) {
        self.mul_vec_then(threads, x, y_out, 0..self.rows(), |_, _| {});
    }

    /// `y = J x − shift`, on so many threads where there are many rows.
    pub fn residual_on(&self, threads: usize, x: &[f64], shift: &[f64], y_out: &mut [f64]) {
        self.mul_vec_then(threads, x, y_out, &shift[..self.rows()], |y_out, shift| {
            y_out.iter_mut().zip(shift).for_each(|(y, shift)| *y -= shift);
        });
    }

    /// `y = J x`, on so many threads where there are many rows, and `then` what else there is to do with consecutive products
    /// while they are at hand, given as many of the other items.
    pub fn mul_vec_then<I: Cut>(
        &self,
        threads: usize,
        x: &[f64],
        y_out: &mut [f64],
        others: I,
        then: impl Fn(&mut [f64], I) + Sync,
    ) {
        let y_out = &mut y_out[..self.rows()];
        if self.sparse {
            let least = 1 + MIN_ENTRIES * self.rows() / self.values.len().max(1);
            parallel::split(threads, least, (0..self.rows(), y_out, others), |(rows, y_out, others)| {
                self.mul_rows(rows, x, y_out);
                then(y_out, others);
            });
        } else {
            for (y, row) in y_out.iter_mut().zip(self.values.chunks_exact(self.nv.max(1))) {
                *y = dot(row, x);
            }
            then(y_out, others);
        }
    }

    /// Products of consecutive sparse rows.
    #[inline]
    pub fn mul_rows(&self, rows: Range<usize>, x: &[f64], y_out: &mut [f64]) {
        let (rowadr, rownnz) = (&self.rowadr[rows.clone()], &self.rownnz[rows]);
        let ends = rowadr.iter().zip(rownnz).map(|(&adr, &count)| (adr + count) as usize);
        let end = ends.fold(0, usize::max);
        let begin = rowadr.iter().fold(end, |begin, &adr| begin.min(adr as usize));
        let (columns, values) = (Places::new(&self.colind[begin..end], x.len()), &self.values[begin..end]);
        for ((y, &adr), &count) in y_out.iter_mut().zip(rowadr).zip(rownnz) {
            let adr = adr as usize - begin;
            let range = adr..adr + count as usize;
            *y = columns.dot(range.clone(), &values[range], x);
        }
    }

    /// `y = Jᵀ x`
    pub fn mul_transposed_vec(&self, x: &[f64], y_out: &mut [f64]) {
        y_out.fill(0.0);
        for i in 0..self.rows() {
            let s = x[i];
            if s == 0.0 {
                continue;
            }
            let stored = self.stored(i);
            if self.sparse {
                for (&c, &v) in self.cols(i).iter().zip(stored) {
                    y_out[c as usize] += s * v;
                }
            } else {
                axpy(s, stored, y_out);
            }
        }
    }
}

/// The numbers of a row of the Jacobian.
#[derive(Clone, Copy)]
pub(crate) struct RowNumbers<'a> {
    sparse: bool,
    stored: &'a [f64],
}

impl RowNumbers<'_> {
    /// The numbers in three of the columns that the row has, from the `k`-th on.
    #[inline(always)]
    pub fn three(self, k: usize, cols: &[i32]) -> [f64; 3] {
        match self.stored.get(k..).and_then(|stored| stored.first_chunk()) {
            Some(&three) if self.sparse => three,
            _ => [self.at(k, cols), self.at(k + 1, cols), self.at(k + 2, cols)],
        }
    }

    /// The number in the `k`-th of the columns that the row has.
    #[inline(always)]
    pub fn at(self, k: usize, cols: &[i32]) -> f64 {
        self.stored[if self.sparse { k } else { cols[k] as usize }]
    }
}

/// `res = J vec`, one number a constraint row (`mj_mulJacVec`).
pub fn mul_jac_vec(m: &Model, d: &Data, res: &mut [f64], vec: &[f64]) {
    JacobianView::new(m, d).mul_vec(vec, res);
}

/// `res = Jᵀ vec`, one number a degree of freedom (`mj_mulJacTVec`).
pub fn mul_jac_t_vec(m: &Model, d: &Data, res: &mut [f64], vec: &[f64]) {
    if d.nefc > 0 {
        JacobianView::new(m, d).mul_transposed_vec(vec, res);
    }
}

/// `qfrc_constraint = Jᵀ efc_force`; without rows it stays as it is.
pub fn joint_forces(m: &Model, d: &mut Data) {
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_force, qfrc_constraint, .. } = d;
    if d.nefc > 0 {
        JacobianView::of_parts(m, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind)
            .mul_transposed_vec(efc_force, qfrc_constraint);
    }
}

/// Force and torque of a contact in its frame, normal first (`mj_contactForce`); zeros when it has no rows.
pub fn contact_force(m: &Model, d: &Data, contact: usize) -> [f64; 6] {
    let mut result = [0.0; 6];
    let Some(con) = d.contact.get(contact) else { return result };
    let (Ok(address), Ok(dim @ 1..=6)) = (usize::try_from(con.efc_address), usize::try_from(con.dim)) else {
        return result;
    };
    // rows that are gone carry nothing
    let force = d.efc_force.get(address..).unwrap_or(&[]);
    let pyramidal = is_pyramidal(m);
    if force.len() < if pyramidal { 1.max(2 * (dim - 1)) } else { dim } {
        return result;
    }
    if pyramidal {
        decode_pyramid(&mut result, force, &con.friction, dim);
    } else {
        result[..dim].copy_from_slice(&force[..dim]);
    }
    result
}

/// Contact force from the forces along the edges of its pyramid (`mju_decodePyramid`).
pub fn decode_pyramid(force: &mut [f64], pyramid: &[f64], mu: &[f64], dim: usize) {
    if dim == 1 {
        force[0] = pyramid[0];
        return;
    }
    force[0] = pyramid[..2 * (dim - 1)].iter().sum();
    for i in 0..dim - 1 {
        force[i + 1] = (pyramid[2 * i] - pyramid[2 * i + 1]) * mu[i];
    }
}

/// Forces along the edges of a pyramid for a contact force (`mju_encodePyramid`).
pub fn encode_pyramid(pyramid: &mut [f64], force: &[f64], mu: &[f64], dim: usize) {
    let a = force[0] / (dim - 1) as f64;
    for i in 0..dim - 1 {
        let b = a.min(force[i + 1] / mu[i]);
        pyramid[2 * i] = 0.5 * (a + b);
        pyramid[2 * i + 1] = 0.5 * (a - b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// M2.10: decoding the pyramid inverts encoding for a force inside it.
    #[test]
    fn pyramid_round_trip() {
        let force = [5.0, 0.8, -0.3];
        let mu = [0.7, 0.7];
        let (mut edges, mut back) = ([0.0; 4], [0.0; 3]);
        encode_pyramid(&mut edges, &force, &mu, 3);
        assert!(edges.iter().all(|&e| e >= 0.0));
        decode_pyramid(&mut back, &edges, &mu, 3);
        for k in 0..3 {
            assert!((back[k] - force[k]).abs() < 1e-15);
        }
    }
}
