//! Gradient and Hessian of the cost.
//!
//! H = M + JᵀDJ without J: a contact of a body with something fixed has, for two dofs i and j of the body's chain, the entry
//! s_iᵀ K s_j with their motion axes s and the contact's 6×6 stiffness K = WᵀCW (W its directions as wrenches, C the second
//! derivative of its cost). That is the form of a composite inertia's entry, so the stiffnesses are summed up the tree as
//! composite inertias are and projected once per dof. What acts on two branches is added through its few Jacobian rows.

use super::cost::{ContactCost, contact_cost, row_force};
use super::factor::tiles_mut;
use crate::actuation::any;
use crate::algebra::{V3, V6, add_times, add_to, dot6, inner3, join, lin, outer3, rot, scale, sub, zeros};
use crate::constraint::{Contact, direction_wrench};
use crate::inertia::add_products;
use crate::lane::{Lane, Mask};
use crate::pattern::Pattern;
use crate::tables::Tables;
use crate::world::World;

/// What is assembled beside the gradient: which rows of H.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// Those that differ from the rows of the last pass.
    Changed,
    /// None.
    Gradient,
}

/// Writes gradient (its negative, the descent direction) and rows of H, which are then `fresh`.
#[inline(always)]
pub(super) fn assemble<L: Lane>(t: &Tables<L>, w: &mut World<L>, live: u32, extent: Extent) {
    for i in 0..t.nv {
        w.gradient[i] = w.qfrc_smooth[i] - w.Ma[i];
    }
    mark_fresh(t, w, extent);
    w.hessian.set(&t.tree.panels, &w.pattern, &w.fresh, &w.M);
    w.pushed.fill(false);
    w.stiff.fill(false);
    for k in 0..w.contacts.len() {
        if w.contacts[k].occupied & live != 0 {
            add_contact(t, w, k, live, extent);
        }
    }
    climb(t, w);
    add_tree(t, w);
    for k in 0..w.dof_rows.len() {
        let row = &w.dof_rows[k];
        let (force, stiffness) = row_force(row.kind, row.D, row.loss, row.bound, row.j);
        let dof = row.dof as usize;
        w.gradient[dof] += row.sign * force;
        if w.fresh[dof] {
            w.hessian.tiles[w.pattern.diagonal[dof] as usize] += stiffness;
        }
    }
    add_sparse_rows(w, live);
}

/// Panels that a changed contact or constraint row adds to, and all panels that these are eliminated into.
#[inline(always)]
fn mark_fresh<L: Lane>(t: &Tables<L>, w: &mut World<L>, extent: Extent) {
    w.fresh.fill(extent == Extent::Whole);
    if extent != Extent::Changed {
        return;
    }
    for contact in w.contacts.iter().filter(|c| c.changed) {
        for b in contact.bodies {
            if let Ok(dof) = usize::try_from(t.tree.bodies[b as usize].last_dof) {
                w.fresh[dof] = true;
            }
        }
    }
    for row in w.dof_rows.iter().filter(|r| r.changed) {
        w.fresh[row.dof as usize] = true;
    }
    for row in w.sparse_rows.iter().filter(|r| r.changed) {
        for &dof in w.pattern.dofs_of(row.coupling as usize) {
            w.fresh[dof as usize] = true;
        }
    }
    for (p, panel) in t.tree.panels.dofs.iter().enumerate().rev() {
        let dofs = panel.start as usize..panel.end as usize;
        if w.fresh[dofs.clone()].contains(&true) {
            w.fresh[dofs].fill(true);
            if let Some(parent) = w.pattern.parent(p) {
                w.fresh[t.tree.panels.dofs[parent].start as usize] = true;
            }
        }
    }
}

#[inline(always)]
fn add_contact<L: Lane>(t: &Tables<L>, w: &mut World<L>, k: usize, live: u32, extent: Extent) {
    let World {
        contacts, contact_c, wrench, pushed, stiffness, stiff, pattern, row_J, fresh, hessian, ..
    } = w;
    let contact = &contacts[k];
    let dim = contact.dim as usize;
    let at = contact.at as usize;
    let cost = contact_cost(t, contact, &contact_c[at..at + dim]);
    // a contact that pushes has a stiff normal
    let pushes = !cost.diagonal[0].le(L::zero());
    if pushes.bits() & live == 0 {
        return;
    }
    let [b1, b2] = contact.bodies.map(|b| b as usize);
    push(wrench, pushed, b2, contact_wrench(t, contact, &cost.force, 1));
    if contact.coupling >= 0 {
        let back = contact_wrench(t, contact, &cost.force, 0);
        push(wrench, pushed, b1, sub(zeros(), back));
        add_coupled(pattern, fresh, row_J, &mut hessian.tiles, contact, &cost);
    } else if extent != Extent::Gradient {
        let own = if dim <= 3 { slide_stiffness(contact, &cost) } else { full_stiffness(t, contact, &cost) };
        if stiff[b2] {
            add_to(&mut stiffness[b2], &own);
        } else {
            stiffness[b2] = own;
            stiff[b2] = true;
        }
    }
}

#[inline(always)]
fn push<L: Lane>(wrenches: &mut [V6<L>], pushed: &mut [bool], body: usize, wrench: V6<L>) {
    if pushed[body] {
        add_to(&mut wrenches[body], &wrench);
    } else {
        wrenches[body] = add6(wrench);
        pushed[body] = true;
    }
}

/// 0 + x: a sum that starts with this term has the same bits as one that starts with zeros.
#[inline(always)]
fn add6<L: Lane>(x: V6<L>) -> V6<L> {
    let mut out = zeros();
    add_to(&mut out, &x);
    out
}

/// Force of a contact as a wrench about a side's reference point.
#[inline(always)]
fn contact_wrench<L: Lane>(t: &Tables<L>, contact: &Contact<L>, force: &[L; 6], side: usize) -> V6<L> {
    let dim = contact.dim as usize;
    let mut f: V3<L> = zeros();
    for k in 0..dim.min(3) {
        f = add_times(f, contact.frame[k], force[k]);
    }
    let mut torque = outer3(contact.arm[side], f);
    for k in 3..dim {
        let axis = direction_wrench(t, contact, k, side);
        for n in 0..3 {
            torque[n] = axis[n].mul_add(force[k], torque[n]);
        }
    }
    join(torque, f)
}

/// C times a direction's column: entry (j, k) of the second derivative.
#[inline(always)]
fn second<L: Lane>(cost: &ContactCost<L>, c: &[L; 6], j: usize, k: usize) -> L {
    if j == 0 && k == 0 {
        cost.diagonal[0]
    } else if j == 0 || k == 0 {
        cost.arrow[j.max(k)]
    } else {
        let outer = cost.outer * c[j] * c[k];
        if j == k { cost.diagonal[k] + outer } else { outer }
    }
}

/// Stiffness of a contact with up to three directions, all translations: G = FᵀCF, and its moments.
#[inline(always)]
fn slide_stiffness<L: Lane>(contact: &Contact<L>, cost: &ContactCost<L>) -> [L; 21] {
    let f = &contact.frame;
    let mut g = [zeros::<L, 3>(); 3];
    if contact.dim == 1 {
        let scaled = scale(f[0], cost.diagonal[0]);
        for i in 0..3 {
            for j in i..3 {
                g[i][j] = scaled[i] * f[0][j];
                g[j][i] = g[i][j];
            }
        }
    } else {
        let c = &cost.residual;
        let c12 = cost.outer * c[1] * c[2];
        let c11 = cost.diagonal[1] + cost.outer * c[1] * c[1];
        let c22 = cost.diagonal[2] + cost.outer * c[2] * c[2];
        let mut rows = [zeros::<L, 3>(); 3];
        for i in 0..3 {
            let direction = [f[0][i], f[1][i], f[2][i]];
            rows[i] = [
                inner3([cost.diagonal[0], cost.arrow[1], cost.arrow[2]], direction),
                inner3([cost.arrow[1], c11, c12], direction),
                inner3([cost.arrow[2], c12, c22], direction),
            ];
        }
        for i in 0..3 {
            for j in i..3 {
                g[i][j] = inner3(rows[i], [f[0][j], f[1][j], f[2][j]]);
                g[j][i] = g[i][j];
            }
        }
    }
    // X = [arm]× G, then the rotational block X [arm]×ᵀ
    let arm = contact.arm[1];
    let columns = [outer3(arm, g[0]), outer3(arm, g[1]), outer3(arm, g[2])];
    let x = [
        [columns[0][0], columns[1][0], columns[2][0]],
        [columns[0][1], columns[1][1], columns[2][1]],
        [columns[0][2], columns[1][2], columns[2][2]],
    ];
    let u = [outer3(arm, x[0]), outer3(arm, x[1]), outer3(arm, x[2])];
    [
        u[0][0], u[0][1], u[0][2], u[1][1], u[1][2], u[2][2], x[0][0], x[0][1], x[0][2], x[1][0], x[1][1],
        x[1][2], x[2][0], x[2][1], x[2][2], g[0][0], g[0][1], g[0][2], g[1][1], g[1][2], g[2][2],
    ]
}

/// Stiffness of a contact with turning directions: Σ C_jk w_j w_kᵀ.
#[inline(always)]
fn full_stiffness<L: Lane>(t: &Tables<L>, contact: &Contact<L>, cost: &ContactCost<L>) -> [L; 21] {
    let dim = contact.dim as usize;
    let mut wrench = [zeros::<L, 6>(); 6];
    for k in 0..dim {
        wrench[k] = direction_wrench(t, contact, k, 1);
    }
    let mut out = zeros();
    for j in 0..dim {
        let mut z: V6<L> = zeros();
        for k in 0..dim {
            let c = second(cost, &cost.residual, j, k);
            for n in 0..6 {
                z[n] += wrench[k][n] * c;
            }
        }
        let y = &wrench[j];
        let terms = [
            y[0] * z[0],
            y[0] * z[1],
            y[0] * z[2],
            y[1] * z[1],
            y[1] * z[2],
            y[2] * z[2],
            y[0] * z[3],
            y[0] * z[4],
            y[0] * z[5],
            y[1] * z[3],
            y[1] * z[4],
            y[1] * z[5],
            y[2] * z[3],
            y[2] * z[4],
            y[2] * z[5],
            y[3] * z[3],
            y[3] * z[4],
            y[3] * z[5],
            y[4] * z[4],
            y[4] * z[5],
            y[5] * z[5],
        ];
        add_to(&mut out, &terms);
    }
    out
}

/// JᵀCJ of a contact between two moving bodies, added to the rows that its coupling reaches.
#[inline(always)]
fn add_coupled<L: Lane>(
    pattern: &Pattern,
    fresh: &[bool],
    row_J: &[L],
    H: &mut [L],
    contact: &Contact<L>,
    cost: &ContactCost<L>,
) {
    let coupling = contact.coupling as usize;
    let dofs = pattern.dofs_of(coupling);
    let (len, dim) = (dofs.len(), contact.dim as usize);
    let jac = &row_J[contact.jac as usize..contact.jac as usize + dim * len];
    let places = pattern.places_of(coupling);
    let mut at = 0;
    for n in 0..len {
        if !fresh[dofs[n] as usize] {
            at += n + 1;
            continue;
        }
        // one column of CJ
        let mut cj = [L::zero(); 6];
        for j in 0..dim {
            for k in 0..dim {
                cj[j] = second(cost, &cost.residual, j, k).mul_add(jac[k * len + n], cj[j]);
            }
        }
        for i in 0..=n {
            let mut sum = cj[0] * jac[i];
            for j in 1..dim {
                sum = cj[j].mul_add(jac[j * len + i], sum);
            }
            H[places[at] as usize] += sum;
            at += 1;
        }
    }
}

/// Wrenches and stiffnesses climb to the roots.
#[inline(always)]
fn climb<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in t.tree.dynamic.iter().rev() {
        let i = i as usize;
        let parent = t.tree.bodies[i].parent as usize;
        if t.tree.bodies[parent].last_dof < 0 {
            continue;
        }
        if w.pushed[i] {
            let wrench = w.wrench[i];
            push(&mut w.wrench, &mut w.pushed, parent, wrench);
        }
        if w.stiff[i] {
            let (above, below) = w.stiffness.split_at_mut(i);
            if w.stiff[parent] {
                add_to(&mut above[parent], &below[0]);
            } else {
                above[parent] = below[0];
                w.stiff[parent] = true;
            }
        }
    }
}

/// Adds composite stiffness to the tiles, composite wrenches to the gradient.
#[inline(always)]
fn add_tree<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        let body = dof.body as usize;
        if w.pushed[body] {
            w.gradient[i] += dot6(&w.cdof[i], &w.wrench[body]);
        }
    }
    if t.tree.panels.side == 3 {
        add_stiffness::<L, 3>(t, w);
    } else {
        add_stiffness::<L, 4>(t, w);
    }
}

#[inline(always)]
fn add_stiffness<L: Lane, const N: usize>(t: &Tables<L>, w: &mut World<L>) {
    let panels = &t.tree.panels;
    let axes = if panels.full { &w.cdof } else { &w.axes };
    let (axes, tiles) = (axes.as_chunks::<N>().0, tiles_mut::<L, N>(&mut w.hessian.tiles));
    for (p, panel) in panels.dofs.iter().enumerate() {
        let dofs = panel.start as usize..panel.end as usize;
        // what is above a stiff body is stiff
        if !w.fresh[dofs.start] || !w.stiff[t.tree.dofs[dofs.start].body as usize] {
            continue;
        }
        let mut wrenches = [zeros::<L, 6>(); N];
        for (wrench, dof) in wrenches.iter_mut().zip(dofs) {
            let body = t.tree.dofs[dof].body as usize;
            if w.stiff[body] {
                *wrench = stiffness_mul(&w.stiffness[body], &w.cdof[dof]);
            }
        }
        for tile in panels.tiles(p) {
            let (target, column) = (w.pattern.from_tree[tile] as usize, panels.columns[tile] as usize);
            add_products(&mut tiles[target], &axes[column], t.tree.free_slides[column], &wrenches);
        }
    }
}

#[inline(always)]
fn stiffness_mul<L: Lane>(k: &[L; 21], c: &V6<L>) -> V6<L> {
    let (turn, slide) = (rot(c), lin(c));
    [
        inner3([k[0], k[1], k[2]], turn) + inner3([k[6], k[7], k[8]], slide),
        inner3([k[1], k[3], k[4]], turn) + inner3([k[9], k[10], k[11]], slide),
        inner3([k[2], k[4], k[5]], turn) + inner3([k[12], k[13], k[14]], slide),
        inner3([k[6], k[9], k[12]], turn) + inner3([k[15], k[16], k[17]], slide),
        inner3([k[7], k[10], k[13]], turn) + inner3([k[16], k[18], k[19]], slide),
        inner3([k[8], k[11], k[14]], turn) + inner3([k[17], k[19], k[20]], slide),
    ]
}

/// Forces and stiffness of the rows that act on several dofs.
#[inline(always)]
fn add_sparse_rows<L: Lane>(w: &mut World<L>, live: u32) {
    for k in 0..w.sparse_rows.len() {
        let row = w.sparse_rows[k];
        if row.occupied & live == 0 {
            continue;
        }
        let (force, stiffness) = row_force(row.kind, row.D, row.loss, row.bound, row.j);
        let coupling = row.coupling as usize;
        let dofs = w.pattern.dofs_of(coupling);
        let jac = &w.row_J[row.jac as usize..row.jac as usize + dofs.len()];
        for (j, &dof) in jac.iter().zip(dofs) {
            let sum = &mut w.gradient[dof as usize];
            *sum = j.mul_add(force, *sum);
        }
        if !any::<L>(!stiffness.le(L::zero())) {
            continue;
        }
        let places = w.pattern.places_of(coupling);
        let mut at = 0;
        for n in 0..jac.len() {
            if !w.fresh[dofs[n] as usize] {
                at += n + 1;
                continue;
            }
            let scaled = jac[n] * stiffness;
            for j in &jac[..=n] {
                let entry = &mut w.hessian.tiles[places[at] as usize];
                *entry = scaled.mul_add(*j, *entry);
                at += 1;
            }
        }
    }
}
