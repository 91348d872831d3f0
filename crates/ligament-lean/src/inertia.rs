//! The inertia matrix on the rows of the tree, by composite rigid bodies (Featherstone 2008, §6.2).

use crate::algebra::{add_to, dot6, inertia_mul};
use crate::integrate::add_outer;
use crate::lane::Lane;
use crate::tables::Tables;
use crate::world::World;

/// Writes crb and M.
#[inline(always)]
pub(crate) fn inertia<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in &t.tree.dynamic {
        w.crb[i as usize] = w.cinert[i as usize];
    }
    for &i in t.tree.dynamic.iter().rev() {
        let parent = t.tree.bodies[i as usize].parent as usize;
        if t.tree.bodies[parent].last_dof >= 0 {
            let child = w.crb[i as usize];
            add_to(&mut w.crb[parent], &child);
        }
    }
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        let momentum = inertia_mul(&w.crb[dof.body as usize], &w.cdof[i]);
        let places = t.tree.row(i);
        let columns = &t.tree.columns[places.clone()];
        let row = &mut w.M[places];
        let mut start = 0;
        if t.tree.free_root[i] {
            // translations of a free joint: unit vectors
            row[..3].copy_from_slice(&momentum[3..]);
            start = 3;
        }
        for (x, &column) in row[start..].iter_mut().zip(&columns[start..]) {
            *x = dot6(&w.cdof[column as usize], &momentum);
        }
        let last = row.len() - 1;
        row[last] += dof.armature;
    }
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        if tendon.has_armature {
            add_outer(t, k, tendon.armature, &w.ten_J, &mut w.M);
        }
    }
}

/// `y = M x`
#[inline(always)]
pub(crate) fn mul_m<L: Lane>(t: &Tables<L>, M: &[L], x: &[L], y: &mut [L]) {
    for i in 0..t.nv {
        let places = t.tree.row(i);
        let last = places.end - 1;
        let (row, columns) = (&M[places.start..last], &t.tree.columns[places.start..last]);
        // two sums, so that neither waits for the other
        let (mut sum, mut other) = (M[last] * x[i], L::zero());
        let ((pairs, rest), (column_pairs, column_rest)) = (row.as_chunks::<2>(), columns.as_chunks::<2>());
        for (m, c) in pairs.iter().zip(column_pairs) {
            let [a, b] = [c[0] as usize, c[1] as usize];
            sum = m[0].mul_add(x[a], sum);
            other = m[1].mul_add(x[b], other);
            y[a] = m[0].mul_add(x[i], y[a]);
            y[b] = m[1].mul_add(x[i], y[b]);
        }
        for (m, &c) in rest.iter().zip(column_rest) {
            let c = c as usize;
            sum = m.mul_add(x[c], sum);
            y[c] = m.mul_add(x[i], y[c]);
        }
        y[i] = sum + other;
    }
}
