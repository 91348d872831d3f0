//! Composite inertias and the rows of M that they make: kernels on slices.

use super::pattern;
use crate::support::skeleton::{Body, Entry, Span};
use ligament_math::sparse::Pattern;
use ligament_math::{Number, spatial};
use ligament_model::Model;

/// What M is made of.
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

impl<'a, T: Number> Composite<'a, T> {
    pub fn of(m: &'a Model, cdof: &'a [[T; 6]]) -> Self {
        Self {
            parent: &m.body_parentid,
            body: &m.dof_bodyid,
            simple: &m.dof_simplenum,
            constant: &m.dof_M0,
            armature: &m.dof_armature,
            pattern: pattern(m),
            columns: &m.M_colind,
            cdof,
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
