//! Composite inertias and the rows of M that they make: kernels on slices.

use crate::support::skeleton::{Body, Entry, OldEntry, Span};
use ligament_math::four::Four;
use ligament_math::sparse::Pattern;
use ligament_math::{Number, spatial};
use ligament_model::Model;
use std::ops::Range;

/// Copies inertias in the pieces in which they are read next: a load that lies across two stores has to wait for them.
#[inline(always)]
pub(super) fn copy(inertias: &[[f64; 10]], out: &mut [[f64; 10]]) {
    for (out, &[a, b, c, d, e, f, g, h, i, j]) in out.iter_mut().zip(inertias) {
        let [a, b, c, d] = Four::new([a, b, c, d]).numbers();
        let [e, f, g, h] = Four::new([e, f, g, h]).numbers();
        *out = [a, b, c, d, e, f, g, h, i, j];
    }
}

/// What M is made of.
#[derive(Clone, Copy)]
pub(super) struct Composite<'a, T> {
    parent: &'a [i32],
    body: &'a [i32],
    simple: &'a [i32],
    constant: &'a [f64],
    armature: &'a [f64],
    pattern: Pattern<'a>,
    columns: &'a [i32],
    cdof: &'a [[T; 6]],
}

/// Rows of M, in its own layout and in the older one, and a copy of them.
pub(super) type Rows<'a> = (Span<'a, Entry, f64>, (Span<'a, OldEntry, f64>, Span<'a, Entry, f64>));

impl Composite<'_, f64> {
    /// [`Composite::rows`] in three places: where M goes, where its older layout has them, last number first, and where they are
    /// factored.
    ///
    /// The last row is the first, as in the factorisation, and nothing is copied in between: a load of several numbers waits for those
    /// that were just stored one by one, or in other pieces.
    #[inline(always)]
    pub fn rows_thrice(
        &self,
        dofs: Range<usize>,
        crb: &Span<Body, [f64; 10]>,
        old_starts: &[i32],
        (M, (qM, copy)): &mut Rows,
    ) {
        for i in dofs.rev() {
            let (row, old) = (self.pattern.row(i), old_starts[i] as usize);
            if self.simple[i] != 0 {
                let number = self.constant[i];
                (M[row.start], qM[old], copy[row.start]) = (number, number, number);
                continue;
            }
            let momentum = spatial::inertia_mul(&crb[self.body[i] as usize], &self.cdof[i]);
            let (columns, n) = (&self.columns[row.clone()], row.len());
            let (out, copy, old) = (M.range(row.clone()), copy.range(row), qM.range(old..old + n));
            let axis = |column: i32| &self.cdof[column as usize];
            // two at a time; the older layout has them in the opposite order
            let (columns, last_column) = columns.as_chunks::<2>();
            let ((out, last_out), (copy, last_copy)) = (out.as_chunks_mut::<2>(), copy.as_chunks_mut::<2>());
            let (first_old, old) = old.as_rchunks_mut::<2>();
            let places = out.iter_mut().zip(copy.iter_mut()).zip(old.iter_mut().rev());
            for (((out, copy), old), columns) in places.zip(columns) {
                let [first, second] = spatial::dot_twice(columns.map(axis), &momentum);
                (*out, *copy, *old) = ([first, second], [first, second], [second, first]);
            }
            let armature = self.armature[i];
            if let ([out], [copy], [old], &[column]) = (last_out, last_copy, first_old, last_column) {
                let number = spatial::dot(axis(column), &momentum) + armature;
                (*out, *copy, *old) = (number, number, number);
            } else if let ([.., out], [.., copy], [old, ..]) = (out, copy, old) {
                let number = out[1] + armature;
                (out[1], copy[1], old[0]) = (number, number, number);
            }
        }
    }

    /// Rows of M of consecutive dofs. Those of points, which have three each, are constant.
    #[inline(always)]
    pub fn rows_beside(
        &self,
        dofs: Range<usize>,
        points: &Range<usize>,
        out: &mut (Span<Body, [f64; 10]>, Span<Entry, f64>),
    ) {
        let mut others = [dofs.clone(), dofs.end..dofs.end];
        if !points.is_empty()
            && let Some(own) = self.constant_rows(points)
        {
            let first = self.pattern.row(own.start).start;
            out.1.range(first..first + own.len()).copy_from_slice(&self.constant[own.clone()]);
            others = [dofs.start..own.start, own.end..dofs.end];
        }
        for dofs in others {
            self.rows(dofs, out);
        }
    }

    /// The dofs of points, if their rows are single numbers that follow each other.
    #[inline(never)]
    fn constant_rows(self, points: &Range<usize>) -> Option<Range<usize>> {
        let start = self.body.partition_point(|&body| (body as usize) < points.start);
        let (own, last) = (start..start + 3 * points.len(), start + 3 * points.len() - 1);
        let simple = self.simple.get(own.clone())?.iter().all(|&count| count != 0);
        let entries = self.pattern.row(last).end - self.pattern.row(start).start;
        (simple && entries == own.len()).then_some(own)
    }
}

impl<'a, T: Number> Composite<'a, T> {
    #[inline(always)]
    pub fn of(m: &'a Model, cdof: &'a [[T; 6]]) -> Self {
        Self {
            parent: &m.body_parentid[..m.nbody],
            body: &m.dof_bodyid[..m.nv],
            simple: &m.dof_simplenum[..m.nv],
            constant: &m.dof_M0[..m.nv],
            armature: &m.dof_armature[..m.nv],
            pattern: Pattern::new(&m.M_rownnz[..m.nv], &m.M_rowadr[..m.nv], &m.M_colind),
            columns: &m.M_colind,
            cdof: &cdof[..m.nv],
        }
    }

    /// Adds the inertias of bodies, given children first, to those of their parents.
    #[inline(always)]
    pub fn add_to_parents(&self, bodies: impl Iterator<Item = usize>, crb: &mut Span<Body, [T; 10]>) {
        for i in bodies {
            let parent = self.parent[i] as usize;
            if parent > 0 {
                let child = crb[i];
                for (x, y) in crb[parent].iter_mut().zip(child) {
                    *x += y;
                }
            }
        }
    }

    /// Rows of M from composite inertias.
    #[inline(always)]
    pub fn rows(
        &self,
        dofs: impl Iterator<Item = usize>,
        (crb, M): &mut (Span<Body, [T; 10]>, Span<Entry, T>),
    ) {
        for i in dofs {
            let row = self.pattern.row(i);
            if self.simple[i] != 0 {
                M[row.start] = T::splat(self.constant[i]);
                continue;
            }
            let momentum = spatial::inertia_mul(&crb[self.body[i] as usize], &self.cdof[i]);
            let columns = &self.columns[row.start..row.end - 1];
            let [above @ .., diagonal] = M.range(row) else { continue };
            for (value, &j) in above.iter_mut().zip(columns) {
                *value = spatial::dot(&self.cdof[j as usize], &momentum);
            }
            *diagonal = spatial::dot(&self.cdof[i], &momentum) + T::splat(self.armature[i]);
        }
    }
}
