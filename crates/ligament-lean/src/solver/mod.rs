//! Newton's method on the primal problem: minimise over the acceleration a
//! `½ (a − a_s)ᵀ M (a − a_s) + s(J a − aref)`.
//!
//! It starts from the warm start. The Hessian M + JᵀDJ is a composite sum (`assemble.rs`); a step that changes the state of
//! no row is exact, since the cost is quadratic all along it, and is taken without a line search.

mod assemble;
mod cost;
pub(crate) mod factor;
pub(crate) mod follow;
mod line;

use crate::actuation::any;
use crate::constraint::relative;
use crate::inertia::mul_m;
use crate::lane::{Lane, Mask};
use crate::tables::Tables;
use crate::velocity::twists;
use crate::world::World;
use assemble::{Extent, assemble};
use cost::{pyramid_changes, row_changes};
use line::line_search;

/// Writes qacc.
#[inline(always)]
pub(crate) fn newton<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    if t.solver.follow {
        follow::follow(t, w);
        return;
    }
    mul_m(t, &w.M, &w.qacc, &mut w.Ma, &mut w.padded);
    let mut live = L::all_bits();
    for pass in 0..t.solver.iterations.max(1) {
        assemble(t, w, live, if pass == 0 { Extent::Whole } else { Extent::Changed });
        w.search.copy_from_slice(&w.gradient);
        solve(t, w);
        project_search(t, w, live);
        let changed = changes(w, live).bits() & live;
        if changed == 0 {
            let alpha = L::splat(1.0).masked(L::mask(live));
            for (a, x) in w.qacc.iter_mut().zip(&w.search) {
                *a += *x * alpha;
            }
            return;
        }
        mul_m(t, &w.M, &w.search, &mut w.Mv, &mut w.padded);
        let result = line_search(t, w, live, changed);
        advance(w, live, result.alpha);
        let small = (result.improvement * t.solver.scale).lt(t.solver.tolerance).bits();
        // NaN never improves
        let bad = (!result.improvement.abs().le(L::splat(f64::MAX))).bits();
        live &= changed & !(small | bad);
        if live == 0 {
            return;
        }
    }
}

/// Solves for the search direction.
#[inline(always)]
fn solve<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let World { pattern, fresh, hessian, search, .. } = w;
    hessian.solve(&t.tree.panels, pattern, fresh, search);
}

/// Products of all Jacobians with the search direction.
#[inline(always)]
fn project_search<L: Lane>(t: &Tables<L>, w: &mut World<L>, live: u32) {
    if !w.contacts.is_empty() {
        twists(t, &w.touched, &w.cdof, &w.search, &mut w.twist);
    }
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let v = relative(t, contact, &w.twist);
        let at = contact.at as usize;
        let dim = contact.dim as usize;
        w.contact_v[at..at + dim].copy_from_slice(&v[..dim]);
    }
    for row in &mut w.dof_rows {
        row.v = row.sign * w.search[row.dof as usize];
    }
    for row in &mut w.sparse_rows {
        let mut v = L::zero();
        for (k, &dof) in w.pattern.dofs_of(row.coupling as usize).iter().enumerate() {
            v += w.row_J[row.jac as usize + k] * w.search[dof as usize];
        }
        row.v = v;
    }
}

/// Where a full step is not exact.
#[inline(always)]
fn changes<L: Lane>(w: &World<L>, live: u32) -> L::Mask {
    let mut changed = L::none();
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let dim = contact.dim as usize;
        let at = contact.at as usize;
        let (c, v) = (&w.contact_c[at..at + dim], &w.contact_v[at..at + dim]);
        changed = changed | pyramid_changes(dim, c, v);
    }
    for row in w.dof_rows.iter().filter(|r| r.occupied & live != 0) {
        changed = changed | row_changes(row.kind, row.bound, row.j, row.j + row.v);
    }
    for row in w.sparse_rows.iter().filter(|r| r.occupied & live != 0) {
        changed = changed | row_changes(row.kind, row.bound, row.j, row.j + row.v);
    }
    changed
}

/// Moves acceleration, its product with M and all residuals along the search direction; notes what changes its state.
#[inline(always)]
fn advance<L: Lane>(w: &mut World<L>, live: u32, alpha: L) {
    for i in 0..w.qacc.len() {
        w.qacc[i] += w.search[i] * alpha;
        w.Ma[i] += w.Mv[i] * alpha;
    }
    for contact in &mut w.contacts {
        contact.changed = false;
        if contact.occupied & live == 0 {
            continue;
        }
        let (at, dim) = (contact.at as usize, contact.dim as usize);
        let mut moved = [L::zero(); 6];
        for k in 0..dim {
            moved[k] = w.contact_v[at + k] * alpha;
        }
        contact.changed = any::<L>(pyramid_changes(dim, &w.contact_c[at..at + dim], &moved));
        for k in 0..dim {
            w.contact_c[at + k] += moved[k];
        }
    }
    for row in &mut w.dof_rows {
        let to = row.j + row.v * alpha;
        row.changed = any::<L>(row_changes(row.kind, row.bound, row.j, to));
        row.j = to;
    }
    for row in &mut w.sparse_rows {
        let to = row.j + row.v * alpha;
        row.changed = any::<L>(row_changes(row.kind, row.bound, row.j, to));
        row.j = to;
    }
}
