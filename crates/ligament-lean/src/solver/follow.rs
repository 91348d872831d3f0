//! Newton's method or conjugate gradients on the path of the exact engine, for models whose result depends on the path: those
//! that allow few iterations, elliptic cones, whose cost no step minimises exactly, and those that choose conjugate gradients.
//!
//! Directions come from the composite Hessian or from the inertia matrix, in lanes. Start, step lengths and ends are the exact engine's: each world, and
//! in it each island (trees that constraints connect), has its own.

use super::assemble::{Extent, assemble};
use super::line::costs;
use super::{project_search, solve};
use crate::constraint::{Contact, RowKind};
use crate::inertia::mul_m;
use crate::lane::Lane;
use crate::tables::{Advance, Tables};
use crate::world::World;
use ligament_math::MINVAL;
use ligament_sim::solver::LineRows;

/// Stands for a tree that no row acts on.
const FREE: u32 = u32::MAX;

/// What is known of each tree of each lane: lane · trees + tree.
#[derive(Debug, Default)]
pub(crate) struct Follow {
    /// First tree of the island that the tree belongs to, or `FREE`.
    island: Vec<u32>,
    done: Vec<bool>,
    /// Step length; of islands, kept at their first tree.
    alpha: Vec<f64>,
    line: LineRows,
}

/// Writes qacc.
#[inline(always)]
pub(crate) fn follow<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let trees = t.tree.trees;
    find_islands::<L>(t, w);
    start(t, w);
    for iteration in 0..t.solver.iterations {
        let live = (0..L::WIDTH).filter(|lane| any_live(&w.follow, trees, *lane)).fold(0, |b, k| b | 1 << k);
        if live == 0 {
            break;
        }
        assemble(t, w, live, if t.solver.conjugate { Extent::Gradient } else { Extent::Whole });
        if iteration > 0 {
            end_where_flat(t, w);
        }
        if t.solver.conjugate {
            conjugate(t, w, iteration == 0);
        } else {
            w.search.copy_from_slice(&w.gradient);
            solve(t, w);
        }
        project_search(t, w, live);
        mul_m(t, &w.M, &w.search, &mut w.Mv, &mut w.padded);
        for lane in 0..L::WIDTH {
            for tree in 0..trees {
                let at = lane * trees + tree;
                if w.follow.island[at] == tree as u32 {
                    w.follow.alpha[at] =
                        if w.follow.done[at] { 0.0 } else { search(t, w, lane, tree as u32) };
                }
            }
        }
        advance(t, w, live);
    }
    if matches!(t.advance, Advance::EulerDamped | Advance::ImplicitFast | Advance::Implicit) {
        // the integrator starts from the forces; where the solver stops early they are not those of the acceleration
        assemble(t, w, L::all_bits(), Extent::Gradient);
    }
}

/// The direction M⁻¹g + β·(the last one), with β ≥ 0 after Polak and Ribière for each island of each world. The inertia matrix is
/// factored since the start.
#[inline(always)]
fn conjugate<L: Lane>(t: &Tables<L>, w: &mut World<L>, first: bool) {
    let World { tree_pattern, fresh, hessian, gradient, descent, .. } = w;
    descent.swap(0, 1);
    descent[0].copy_from_slice(gradient);
    hessian.solve(&t.tree.panels, tree_pattern, fresh, &mut descent[0]);
    let trees = t.tree.trees;
    for lane in (0..L::WIDTH).filter(|_| !first) {
        for tree in 0..trees {
            if w.follow.island[lane * trees + tree] != tree as u32 {
                continue;
            }
            let (mut change, mut size) = (0.0, 0.0);
            for i in dofs_of(t, &w.follow, lane, tree as u32) {
                let at = |x: &[L]| x[i].lanes()[lane];
                change += at(&w.gradient) * (at(&w.descent[0]) - at(&w.descent[1]));
                size += at(&w.old_gradient) * at(&w.descent[1]);
            }
            w.follow.alpha[lane * trees + tree] = (change / f64::max(size, MINVAL)).max(0.0);
        }
    }
    spread_steps(t, w);
    for i in 0..t.nv {
        let last = if first { L::zero() } else { w.search[i] };
        w.search[i] = w.descent[0][i] + last * w.tree_step[t.tree.dof_tree[i] as usize];
    }
    w.old_gradient.copy_from_slice(&w.gradient);
}

fn any_live(follow: &Follow, trees: usize, lane: usize) -> bool {
    (lane * trees..(lane + 1) * trees).any(|at| follow.island[at] != FREE && !follow.done[at])
}

/// Trees that rows connect get the same island; worlds differ.
#[inline(always)]
fn find_islands<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let trees = t.tree.trees;
    let World { follow, contacts, dof_rows, sparse_rows, pattern, .. } = w;
    let Follow { island, done, alpha, .. } = follow;
    island.clear();
    island.resize(L::WIDTH * trees, FREE);
    done.clear();
    done.resize(L::WIDTH * trees, false);
    alpha.clear();
    alpha.resize(L::WIDTH * trees, 0.0);
    let tree_of = |dof: u32| t.tree.dof_tree[dof as usize];
    for lane in 0..L::WIDTH {
        let island = &mut island[lane * trees..(lane + 1) * trees];
        let in_lane = |occupied: u32| occupied >> lane & 1 != 0;
        for contact in contacts.iter().filter(|c| in_lane(c.occupied)) {
            let [a, b] = contact.bodies.map(|b| tree_of(t.tree.bodies[b as usize].last_dof as u32));
            connect(island, a, b);
        }
        for row in dof_rows.iter().filter(|r| in_lane(r.occupied)) {
            connect(island, tree_of(row.dof), tree_of(row.dof));
        }
        for row in sparse_rows.iter().filter(|r| in_lane(r.occupied)) {
            let dofs = pattern.dofs_of(row.coupling as usize);
            for &dof in dofs {
                connect(island, tree_of(dofs[0]), tree_of(dof));
            }
        }
        if !t.solver.islands && island.iter().any(|&x| x != FREE) {
            island.fill(0);
        }
    }
}

fn connect(island: &mut [u32], a: u32, b: u32) {
    for tree in [a, b] {
        if island[tree as usize] == FREE {
            island[tree as usize] = tree;
        }
    }
    let (x, y) = (island[a as usize], island[b as usize]);
    if x != y {
        let (first, other) = (x.min(y), x.max(y));
        island.iter_mut().filter(|i| **i == other).for_each(|i| *i = first);
    }
}

/// Starts from the last acceleration, or from that without constraints where it costs less; trees that no row acts on
/// have the latter.
#[inline(always)]
fn start<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    w.search.copy_from_slice(&w.qfrc_smooth);
    w.fresh.fill(true);
    let World { tree_pattern, fresh, hessian, M, search, .. } = w;
    hessian.set(&t.tree.panels, tree_pattern, fresh, M);
    hessian.solve(&t.tree.panels, tree_pattern, fresh, search);
    mul_m(t, &w.M, &w.qacc, &mut w.Ma, &mut w.padded);
    let mut gauss = L::zero();
    for i in 0..t.nv {
        w.search[i] -= w.qacc[i];
        gauss -= (w.Ma[i] - w.qfrc_smooth[i]) * w.search[i] * 0.5;
    }
    let all = L::all_bits();
    project_search(t, w, all);
    mul_m(t, &w.M, &w.search, &mut w.Mv, &mut w.padded);
    let warm = costs(t, w, all, L::zero()) + gauss;
    let smooth = costs(t, w, all, L::splat(1.0));
    let worse = warm.gt(smooth);
    let trees = t.tree.trees;
    let bits = if t.solver.warmstart { crate::lane::Mask::bits(worse) } else { all };
    for lane in 0..L::WIDTH {
        for tree in 0..trees {
            let at = lane * trees + tree;
            let from_smooth = w.follow.island[at] == FREE || bits >> lane & 1 != 0;
            w.follow.alpha[at] = if from_smooth { 1.0 } else { 0.0 };
        }
    }
    advance(t, w, all);
}

/// Ends islands whose gradient is small.
#[inline(always)]
fn end_where_flat<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let trees = t.tree.trees;
    for lane in 0..L::WIDTH {
        for tree in 0..trees {
            let at = lane * trees + tree;
            if w.follow.island[at] != tree as u32 || w.follow.done[at] {
                continue;
            }
            let mut square = 0.0;
            for i in dofs_of(t, &w.follow, lane, tree as u32) {
                square += w.gradient[i].lanes()[lane] * w.gradient[i].lanes()[lane];
            }
            let flat = scale(t, w, lane, tree as u32) * square.sqrt() < t.solver.tolerance.lanes()[lane];
            finish(&mut w.follow, trees, lane, tree, flat);
        }
    }
}

fn finish(follow: &mut Follow, trees: usize, lane: usize, tree: usize, done: bool) {
    if done {
        for other in lane * trees..(lane + 1) * trees {
            if follow.island[other] == tree as u32 {
                follow.done[other] = true;
            }
        }
    }
}

/// Dofs of an island.
fn dofs_of<'a, L: Lane>(
    t: &'a Tables<L>,
    follow: &'a Follow,
    lane: usize,
    island: u32,
) -> impl Iterator<Item = usize> + 'a {
    let trees = t.tree.trees;
    let islands = &follow.island[lane * trees..(lane + 1) * trees];
    t.tree
        .dof_tree
        .iter()
        .enumerate()
        .filter(move |(_, tree)| islands[**tree as usize] == island)
        .map(|(i, _)| i)
}

/// What costs and gradients of an island are multiplied by before they are compared with the tolerance.
fn scale<L: Lane>(t: &Tables<L>, w: &World<L>, lane: usize, island: u32) -> f64 {
    if !t.solver.islands {
        return t.solver.scale.lanes()[lane];
    }
    let diagonal = |i: usize| w.M[t.tree.diagonal(i)].lanes()[lane];
    1.0 / dofs_of(t, &w.follow, lane, island).map(diagonal).sum::<f64>()
}

/// Step length of an island; ends it when the cost falls by little.
fn search<L: Lane>(t: &Tables<L>, w: &mut World<L>, lane: usize, island: u32) -> f64 {
    let mut line = std::mem::take(&mut w.follow.line);
    let length = write_line(t, w, lane, island, &mut line);
    let scale = scale(t, w, lane, island);
    let [limit, fine] = [t.solver.tolerance, t.solver.line_tolerance].map(|x| x.lanes()[lane]);
    let alpha = if length < MINVAL {
        0.0
    } else {
        let tolerance = limit * fine * length / scale;
        line.best_step(tolerance, t.solver.line_iterations as i32)
    };
    let improvement = scale * (line.cost(0.0) - line.cost(alpha));
    w.follow.line = line;
    let done = alpha == 0.0 || improvement < limit;
    finish(&mut w.follow, t.tree.trees, lane, island as usize, done);
    alpha
}

/// Costs of an island's rows along the search direction; returns its length.
fn write_line<L: Lane>(t: &Tables<L>, w: &World<L>, lane: usize, island: u32, line: &mut LineRows) -> f64 {
    let trees = t.tree.trees;
    let belongs = |dof: u32| w.follow.island[lane * trees + t.tree.dof_tree[dof as usize] as usize] == island;
    line.clear();
    let mut square = 0.0;
    for i in dofs_of(t, &w.follow, lane, island) {
        let at = |x: &[L]| x[i].lanes()[lane];
        let v = at(&w.search);
        square += v * v;
        line.base[1] += v * (at(&w.Ma) - at(&w.qfrc_smooth));
        line.base[2] += 0.5 * (v * at(&w.Mv));
    }
    let in_lane = |occupied: u32| occupied >> lane & 1 != 0;
    for row in w.dof_rows.iter().filter(|r| in_lane(r.occupied) && belongs(r.dof)) {
        let [D, j, v, loss, bound] = [row.D, row.j, row.v, row.loss, row.bound].map(|x| x.lanes()[lane]);
        add_row(line, row.kind, [D, j, v], loss, bound);
    }
    for row in w.sparse_rows.iter().filter(|r| in_lane(r.occupied)) {
        if w.pattern.dofs_of(row.coupling as usize).first().is_some_and(|&dof| belongs(dof)) {
            let [D, j, v, loss, bound] = [row.D, row.j, row.v, row.loss, row.bound].map(|x| x.lanes()[lane]);
            add_row(line, row.kind, [D, j, v], loss, bound);
        }
    }
    for contact in w.contacts.iter().filter(|c| in_lane(c.occupied)) {
        if belongs(t.tree.bodies[contact.bodies[1] as usize].last_dof as u32) {
            add_contact(t, w, contact, lane, line);
        }
    }
    square.sqrt()
}

fn quadratic([D, j, v]: [f64; 3]) -> [f64; 3] {
    [0.5 * D * j * j, D * j * v, 0.5 * D * v * v]
}

fn one_sided(line: &mut LineRows, row: [f64; 3]) {
    let [q0, q1, q2] = quadratic(row);
    line.x0.push(row[1]);
    line.x1.push(row[2]);
    line.q0.push(q0);
    line.q1.push(q1);
    line.q2.push(q2);
}

fn add_row(line: &mut LineRows, kind: RowKind, row: [f64; 3], loss: f64, bound: f64) {
    let q = quadratic(row);
    match kind {
        RowKind::Equality => line.base.iter_mut().zip(q).for_each(|(x, q)| *x += q),
        RowKind::Friction => line.friction.push([row[1], row[2], loss, bound, q[0], q[1], q[2]]),
        RowKind::Limit => one_sided(line, row),
    }
}

fn add_contact<L: Lane>(t: &Tables<L>, w: &World<L>, contact: &Contact<L>, lane: usize, line: &mut LineRows) {
    let (at, dim, D) = (contact.at as usize, contact.dim as usize, contact.D.lanes()[lane]);
    let c = |k: usize| w.contact_c[at + k].lanes()[lane];
    let v = |k: usize| w.contact_v[at + k].lanes()[lane];
    if dim == 1 {
        one_sided(line, [D, c(0), v(0)]);
    } else if t.solver.elliptic {
        let mu = t.pairs.classes[contact.class as usize].mu.lanes()[lane];
        let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
        for k in 1..dim {
            uu += c(k) * c(k);
            uv += c(k) * v(k);
            vv += v(k) * v(k);
        }
        let square = mu * mu;
        let stuck = [
            0.5 * D * (c(0) * c(0) + uu / square),
            D * (c(0) * v(0) + uv / square),
            0.5 * D * (v(0) * v(0) + vv / square),
        ];
        let dm = D / (square * (1.0 + square));
        let cone = [c(0) * mu, v(0) * mu, uu, uv, vv, dm, mu, stuck[0], stuck[1], stuck[2]];
        line.cones.push((line.x0.len(), cone));
    } else {
        for k in 1..dim {
            one_sided(line, [D, c(0) + c(k), v(0) + v(k)]);
            one_sided(line, [D, c(0) - c(k), v(0) - v(k)]);
        }
    }
}

/// Writes the number of each island to its trees.
#[inline(always)]
fn spread_steps<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let trees = t.tree.trees;
    for lane in 0..L::WIDTH {
        for tree in 0..trees {
            let own = lane * trees + tree;
            let first = w.follow.island[own];
            // free trees move on their own
            let at = if first == FREE { own } else { lane * trees + first as usize };
            w.tree_step[tree].lanes_mut()[lane] = w.follow.alpha[at];
        }
    }
}

/// Moves accelerations, products and residuals, every tree of every lane by its own step.
#[inline(always)]
fn advance<L: Lane>(t: &Tables<L>, w: &mut World<L>, live: u32) {
    spread_steps(t, w);
    for i in 0..t.nv {
        let step = w.tree_step[t.tree.dof_tree[i] as usize];
        w.qacc[i] += w.search[i] * step;
        w.Ma[i] += w.Mv[i] * step;
    }
    for contact in w.contacts.iter().filter(|c| c.occupied & live != 0) {
        let dof = t.tree.bodies[contact.bodies[1] as usize].last_dof as usize;
        let step = w.tree_step[t.tree.dof_tree[dof] as usize];
        let at = contact.at as usize;
        for k in at..at + contact.dim as usize {
            w.contact_c[k] += w.contact_v[k] * step;
        }
    }
    for row in &mut w.dof_rows {
        row.j += row.v * w.tree_step[t.tree.dof_tree[row.dof as usize] as usize];
    }
    for row in &mut w.sparse_rows {
        if let Some(&dof) = w.pattern.dofs_of(row.coupling as usize).first() {
            row.j += row.v * w.tree_step[t.tree.dof_tree[dof as usize] as usize];
        }
    }
    // a free tree is where it belongs after the start
    w.follow.alpha.fill(0.0);
}
