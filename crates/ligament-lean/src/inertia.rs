//! The inertia matrix on the rows of the tree, by composite rigid bodies (Featherstone 2008, §6.2).

use crate::algebra::{add_to, dot6, inertia_mul};
use crate::integrate::add_outer;
use crate::lane::Lane;
use crate::tables::Tables;
use crate::world::World;

/// Writes crb and M.
#[inline(always)]
pub(crate) fn inertia<L: Lane>(t: &Tables, w: &mut World<L>) {
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
        row[last] = row[last] + dof.armature;
    }
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        if tendon.armature != 0.0 {
            add_outer(t, k, L::splat(tendon.armature), &w.ten_J, &mut w.M);
        }
    }
}

/// `y = M x`
#[inline(always)]
pub(crate) fn mul_m<L: Lane>(t: &Tables, M: &[L], x: &[L], y: &mut [L]) {
    for i in 0..t.nv {
        let places = t.tree.row(i);
        let last = places.end - 1;
        let mut sum = M[last] * x[i];
        for (m, &column) in M[places.start..last].iter().zip(&t.tree.columns[places.start..last]) {
            let c = column as usize;
            sum += *m * x[c];
            y[c] += *m * x[i];
        }
        y[i] = sum;
    }
}
