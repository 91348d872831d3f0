//! Dual solvers: projected Gauss-Seidel on the constraint forces, and the post-processing against slip.

use crate::workspace::SolverScratch;
use ligament_math::dense::dot;
use ligament_math::four::Four;
use ligament_math::sparse;
use ligament_model::constants::{MINVAL, NSOLVER};
use ligament_model::data::SolverStat;
use ligament_model::enums::{ConstraintState, ConstraintType};
use ligament_model::{Contact, Data, Model};

use super::qcqp::qcqp;
use crate::constraint::joint_forces;
use crate::inertia;
use crate::support::is_sparse;

const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;
const PYRAMIDAL: i32 = ConstraintType::ContactPyramidal as i32;

/// `A + R` as it is stored.
#[derive(Clone, Copy)]
struct Projected<'a> {
    sparse: bool,
    n: usize,
    values: &'a [f64],
    rownnz: &'a [i32],
    rowadr: &'a [i32],
    colind: &'a [i32],
}

impl<'a> Projected<'a> {
    fn new(m: &Model, d: &'a Data) -> Self {
        Self {
            sparse: is_sparse(m),
            n: d.nefc,
            values: &d.efc_AR,
            rownnz: &d.efc_AR_rownnz,
            rowadr: &d.efc_AR_rowadr,
            colind: &d.efc_AR_colind,
        }
    }

    fn row(&self, i: usize) -> (&'a [i32], &'a [f64]) {
        if self.sparse {
            let range = self.rowadr[i] as usize..(self.rowadr[i] + self.rownnz[i]) as usize;
            (&self.colind[range.clone()], &self.values[range])
        } else {
            (&[], &self.values[i * self.n..(i + 1) * self.n])
        }
    }

    fn row_dot(&self, i: usize, x: &[f64]) -> f64 {
        let (cols, values) = self.row(i);
        if self.sparse { sparse::dot(values, x, cols) } else { dot(values, x) }
    }

    /// [`Self::row_dot`] right after one of the forces was written.
    #[inline(always)]
    fn row_dot_after(&self, i: usize, x: &[f64], recent: &Recent) -> f64 {
        if self.sparse {
            return self.row_dot(i, x);
        }
        let row = &self.values[i * self.n..(i + 1) * self.n];
        recent.dot(row, &x[..self.n])
    }

    fn entry(&self, i: usize, j: usize) -> f64 {
        let (cols, values) = self.row(i);
        if self.sparse { cols.binary_search(&(j as i32)).map_or(0.0, |k| values[k]) } else { values[j] }
    }

    /// Diagonal block of `dim` rows from `first`.
    fn block(&self, first: usize, dim: usize, out: &mut [f64]) {
        for i in 0..dim {
            for j in 0..dim {
                out[i * dim + j] = self.entry(first + i, first + j);
            }
        }
    }
}

/// Four forces, among them the one that was written last. Read from memory together, they would wait until that one
/// has left the store buffer, and each row waits for the one before it.
#[derive(Clone, Copy, Default)]
struct Recent {
    /// Which four, from the first on; none at the beginning.
    place: Option<usize>,
    forces: Four,
}

impl Recent {
    /// Force `i` was written: it is `f` now.
    #[inline(always)]
    fn note(&mut self, i: usize, f: f64, force: &[f64]) {
        const LANES: [f64; 4] = [0.0, 1.0, 2.0, 3.0];
        let (place, lane) = (i / 4, i % 4);
        if self.place != Some(place) {
            let Some(&four) = force.as_chunks().0.get(place) else { return self.place = None };
            (self.place, self.forces) = (Some(place), Four::new(four));
        }
        let here = Four::new(LANES).equals(Four::splat(lane as f64));
        self.forces = here.choose(Four::splat(f), self.forces);
    }

    /// [`dot`], in the same order.
    #[inline(always)]
    fn dot(&self, a: &[f64], force: &[f64]) -> f64 {
        let ((fours, rest), (forces, force_rest)) = (a.as_chunks::<4>(), force.as_chunks::<4>());
        let place = self.place.unwrap_or(fours.len()).min(fours.len());
        let tail: f64 = rest.iter().zip(force_rest).map(|(x, y)| x * y).sum();
        let mut sum = Four::splat(0.0);
        for (&a, &f) in fours[..place].iter().zip(forces) {
            sum += Four::new(a) * Four::new(f);
        }
        if let Some((&a, later)) = fours[place..].split_first() {
            sum += Four::new(a) * self.forces;
            for (&a, &f) in later.iter().zip(&forces[place + 1..]) {
                sum += Four::new(a) * Four::new(f);
            }
        }
        let [s0, s1, s2, s3] = sum.numbers();
        ((s0 + s2) + (s1 + s3)) + tail
    }
}

/// The rows as the sweeps read them, borrowed apart from the forces they change.
#[derive(Clone, Copy)]
struct DualRows<'a> {
    ne: usize,
    nf: usize,
    nefc: usize,
    ar: Projected<'a>,
    kind: &'a [i32],
    id: &'a [i32],
    b: &'a [f64],
    R: &'a [f64],
    frictionloss: &'a [f64],
    contact: &'a [Contact],
}

/// The rows of a state and, apart from them, their forces.
fn rows_and_forces<'a>(m: &Model, d: &'a mut Data) -> (DualRows<'a>, &'a mut [f64]) {
    let ar = Projected {
        sparse: is_sparse(m),
        n: d.nefc,
        values: &d.efc_AR,
        rownnz: &d.efc_AR_rownnz,
        rowadr: &d.efc_AR_rowadr,
        colind: &d.efc_AR_colind,
    };
    let rows = DualRows {
        ne: d.ne,
        nf: d.nf,
        nefc: d.nefc,
        ar,
        kind: &d.efc_type,
        id: &d.efc_id,
        b: &d.efc_b,
        R: &d.efc_R,
        frictionloss: &d.efc_frictionloss,
        contact: &d.contact,
    };
    (rows, &mut d.efc_force)
}

/// `½ fᵀ (A + R) f + bᵀ f`, the dual cost.
#[inline(never)]
pub(super) fn dual_cost(m: &Model, d: &Data, s: &mut SolverScratch) -> f64 {
    let ar = Projected::new(m, d);
    s.ar_force.clear();
    s.ar_force.extend((0..d.nefc).map(|i| ar.row_dot(i, &d.efc_force)));
    dot(&d.efc_force, &d.efc_b) + 0.5 * dot(&d.efc_force, &s.ar_force)
}

/// A force that makes the cost larger by so much is taken back.
const WORSE: f64 = 1e-10;

/// The old force. A call, so that nobody waits for the cost to know which force it will be: it is hardly ever this one.
#[cold]
#[inline(never)]
fn taken_back(old: f64) -> f64 {
    old
}

/// Change of the dual cost of a block; a force that makes it worse is taken back.
fn cost_change(a: &[f64], force: &mut [f64], old: &[f64], residual: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for k in 0..n {
        delta[k] = force[k] - old[k];
    }
    let mut change = 0.0;
    for i in 0..n {
        change += 0.5 * delta[i] * dot(&a[i * n..(i + 1) * n], &delta[..n]) + delta[i] * residual[i];
    }
    if change > WORSE {
        force.copy_from_slice(old);
        return 0.0;
    }
    change
}

/// Friction force of a contact for a fixed normal force: QCQP, then exactly onto the ellipsoid.
fn friction_update(force: &mut [f64], a: &[f64], b: &[f64], mu: &[f64], normal: f64) {
    let n = force.len();
    if normal < MINVAL {
        force.fill(0.0);
        return;
    }
    let mut v = [0.0; 5];
    if qcqp(&mut v, a, b, mu, normal, n) {
        let s: f64 = (0..n).map(|j| v[j] * v[j] / (mu[j] * mu[j])).sum();
        let s = (normal * normal / s.max(MINVAL)).sqrt();
        for x in &mut v {
            *x *= s;
        }
    }
    force.copy_from_slice(&v[..n]);
}

/// Sets `efc_state` from the forces, returns the number of active and of changed rows.
fn dual_state(d: &mut Data) -> (usize, usize) {
    let mut changed = 0;
    let mut active = d.ne + d.nf;
    let mut set = |state: &mut i32, value: ConstraintState| {
        changed += usize::from(*state != value as i32);
        *state = value as i32;
    };
    for i in 0..d.ne {
        set(&mut d.efc_state[i], ConstraintState::Quadratic);
    }
    for i in d.ne..d.ne + d.nf {
        let (f, bound) = (d.efc_force[i], d.efc_frictionloss[i]);
        let state = if f <= -bound {
            ConstraintState::Linearpos
        } else if f >= bound {
            ConstraintState::Linearneg
        } else {
            ConstraintState::Quadratic
        };
        set(&mut d.efc_state[i], state);
    }
    let mut i = d.ne + d.nf;
    while i < d.nefc {
        if d.efc_type[i] != ELLIPTIC {
            let on = d.efc_force[i] > 0.0;
            active += usize::from(on);
            set(
                &mut d.efc_state[i],
                if on { ConstraintState::Quadratic } else { ConstraintState::Satisfied },
            );
            i += 1;
            continue;
        }
        let con = &d.contact[d.efc_id[i] as usize];
        let dim = con.dim as usize;
        let N = d.efc_force[i] / con.mu;
        let T = (1..dim).map(|j| (d.efc_force[i + j] / con.friction[j - 1]).powi(2)).sum::<f64>().sqrt();
        let state = if con.mu * N >= T {
            ConstraintState::Satisfied
        } else if N + con.mu * T <= 0.0 {
            ConstraintState::Quadratic
        } else {
            ConstraintState::Cone
        };
        active += if state == ConstraintState::Satisfied { 0 } else { dim };
        for s in &mut d.efc_state[i..i + dim] {
            set(s, state);
        }
        i += dim;
    }
    (active, changed)
}

/// Force of dry friction; a bound that is not a number bounds nothing.
fn bounded(force: f64, frictionloss: f64) -> f64 {
    if force < -frictionloss {
        -frictionloss
    } else if force > frictionloss {
        frictionloss
    } else {
        force
    }
}

/// Reciprocal diagonal of A + R, or of A alone.
fn diagonal_inverse(m: &Model, d: &Data, without_R: bool, out: &mut Vec<f64>) {
    let ar = Projected::new(m, d);
    out.clear();
    out.extend((0..d.nefc).map(|i| {
        let x = ar.entry(i, i);
        1.0 / if without_R { MINVAL.max(x - d.efc_R[i]) } else { x }
    }));
}

/// Acceleration of the constrained system from the forces.
fn finish(m: &Model, d: &mut Data) {
    joint_forces(m, d);
    d.qacc.copy_from_slice(&d.qfrc_constraint);
    sparse::solve_ltdl(&mut d.qacc, &d.qLD, &d.qLDiagInv, m.nv, inertia::pattern(m), None);
    for (a, smooth) in d.qacc.iter_mut().zip(&d.qacc_smooth) {
        *a += smooth;
    }
}

/// Operations of a pass over all rows from `first` on: entries are read where they lie.
fn sweep_work(m: &Model, d: &Data, first: usize) -> usize {
    let ar = Projected::new(m, d);
    500 + (first..d.nefc).map(|i| 100 + 3 * ar.row(i).1.len()).sum::<usize>()
}

/// Projected Gauss-Seidel.
#[inline(never)]
pub(super) fn pgs(m: &Model, d: &mut Data, s: &mut SolverScratch) {
    let scale = 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64);
    diagonal_inverse(m, d, false, &mut s.ar_diag_inv);
    dual_state(d);
    let mut iteration = 0;
    let work = sweep_work(m, d, 0);
    while iteration < m.opt.iterations && s.afford(work) {
        let (rows, force) = rows_and_forces(m, d);
        let improvement = scale * sweep(rows, &s.ar_diag_inv, force);
        let (active, changed) = dual_state(d);
        record(d, iteration, improvement, active, changed);
        iteration += 1;
        if improvement < m.opt.tolerance {
            break;
        }
    }
    d.solver_niter[0] += iteration;
    d.solver_nnz[0] = d.efc_AR.len() as i32;
    finish(m, d);
}

/// Notes what an iteration achieved, as far as there is room.
fn record(d: &mut Data, iteration: i32, improvement: f64, active: usize, changed: usize) {
    if let Some(statistics) = d.solver[..NSOLVER].get_mut(iteration as usize) {
        let (nactive, nchange) = (active as i32, changed as i32);
        *statistics = SolverStat { improvement, nactive, nchange, ..SolverStat::default() };
    }
}

/// One pass over all rows, returns the improvement of the cost.
fn sweep(rows: DualRows, diag_inv: &[f64], force: &mut [f64]) -> f64 {
    let mut improvement = 0.0;
    let mut recent = Recent::default();
    let mut i = 0;
    while i < rows.nefc {
        if rows.kind[i] == ELLIPTIC {
            let dim = rows.contact[rows.id[i] as usize].dim as usize;
            improvement -= elliptic_step(rows, diag_inv, i, dim, force);
            recent = Recent::default();
            i += dim;
            continue;
        }
        let residual = rows.b[i] + rows.ar.row_dot_after(i, force, &recent);
        let old = force[i];
        let mut f = old - residual * diag_inv[i];
        if i >= rows.ne + rows.nf {
            f = f.max(0.0);
        } else if i >= rows.ne {
            f = bounded(f, rows.frictionloss[i]);
        }
        let delta = f - old;
        let change = 0.5 * delta * (1.0 / diag_inv[i] * delta) + delta * residual;
        if change > WORSE {
            f = taken_back(old);
        } else {
            improvement -= change;
        }
        force[i] = f;
        recent.note(i, f, force);
        i += 1;
    }
    improvement
}

/// Elliptic contact: normal force (or the whole force along its ray), then friction for that normal force.
fn elliptic_step(rows: DualRows, diag_inv: &[f64], i: usize, dim: usize, force: &mut [f64]) -> f64 {
    let mut residual = [0.0; 6];
    for j in 0..dim {
        residual[j] = rows.b[i + j] + rows.ar.row_dot(i + j, force);
    }
    let mut a = [0.0; 36];
    rows.ar.block(i, dim, &mut a);
    let f = &mut force[i..i + dim];
    let mut old = [0.0; 6];
    old[..dim].copy_from_slice(f);
    if f[0] < MINVAL {
        f[0] = (f[0] - residual[0] * diag_inv[i]).max(0.0);
        f[1..].fill(0.0);
    } else {
        let ray = old;
        let curvature: f64 = (0..dim).map(|r| ray[r] * dot(&a[r * dim..(r + 1) * dim], &ray[..dim])).sum();
        if curvature >= MINVAL {
            let mut x = -dot(&ray[..dim], &residual[..dim]) / curvature;
            if f[0] + x * ray[0] < 0.0 {
                x = -ray[0] / f[0];
            }
            for j in 0..dim {
                f[j] += x * ray[j];
            }
        }
    }
    // friction with the normal force held: A_ff f + b_f
    let k = dim - 1;
    let (mut af, mut bf) = ([0.0; 25], [0.0; 5]);
    for r in 0..k {
        af[r * k..(r + 1) * k].copy_from_slice(&a[(r + 1) * dim + 1..(r + 2) * dim]);
        bf[r] = residual[r + 1] - dot(&af[r * k..(r + 1) * k], &old[1..dim]);
        bf[r] += a[(r + 1) * dim] * (f[0] - old[0]);
    }
    let normal = f[0];
    friction_update(&mut f[1..], &af, &bf, &rows.contact[rows.id[i] as usize].friction, normal);
    cost_change(&a[..dim * dim], f, &old[..dim], &residual[..dim])
}

/// Gauss-Seidel on friction alone, without regularisation: stops slow slip.
#[inline(never)]
pub(super) fn no_slip(m: &Model, d: &mut Data, s: &mut SolverScratch) {
    let scale = 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64);
    diagonal_inverse(m, d, true, &mut s.ar_diag_inv);
    dual_state(d);
    let mut iteration = 0;
    let work = sweep_work(m, d, d.ne); // equalities have no friction
    while iteration < m.opt.noslip_iterations && s.afford(work) {
        let (rows, force) = rows_and_forces(m, d);
        let mut improvement = 0.0;
        if iteration == 0 {
            improvement += force.iter().zip(rows.R).map(|(f, r)| 0.5 * f * f * r).sum::<f64>();
        }
        improvement += no_slip_sweep(rows, &s.ar_diag_inv, force);
        let (active, changed) = dual_state(d);
        improvement *= scale;
        let row = iteration + d.solver_niter[0];
        record(d, row, improvement, active, changed);
        iteration += 1;
        if improvement < m.opt.noslip_tolerance {
            break;
        }
    }
    d.solver_niter[0] += iteration;
    finish(m, d);
}

/// Residual of A f + b, without R.
fn unregularised(rows: DualRows, i: usize, force: &[f64]) -> f64 {
    rows.b[i] + rows.ar.row_dot(i, force) - rows.R[i] * force[i]
}

/// Diagonal block of A; its diagonal is kept above 1e-10.
fn unregularised_block(rows: DualRows, first: usize, dim: usize, out: &mut [f64]) {
    rows.ar.block(first, dim, out);
    for j in 0..dim {
        out[j * (dim + 1)] = (out[j * (dim + 1)] - rows.R[first + j]).max(1e-10);
    }
}

fn no_slip_sweep(rows: DualRows, diag_inv: &[f64], force: &mut [f64]) -> f64 {
    let mut improvement = 0.0;
    for i in rows.ne..rows.ne + rows.nf {
        let residual = unregularised(rows, i, force);
        let old = force[i];
        force[i] = bounded(old - residual * diag_inv[i], rows.frictionloss[i]);
        let delta = force[i] - old;
        improvement -= 0.5 * delta * delta / diag_inv[i] + delta * residual;
    }
    let mut i = rows.ne + rows.nf;
    while i < rows.nefc {
        let dim = match rows.kind[i] {
            PYRAMIDAL | ELLIPTIC => rows.contact[rows.id[i] as usize].dim as usize,
            _ => 1,
        };
        if rows.kind[i] == PYRAMIDAL {
            for pair in 0..dim - 1 {
                improvement -= no_slip_edges(rows, i + 2 * pair, force);
            }
            i += 2 * (dim - 1);
        } else {
            if rows.kind[i] == ELLIPTIC {
                improvement -= no_slip_elliptic(rows, i, dim, force);
            }
            i += dim;
        }
    }
    improvement
}

/// Two opposite edges of a pyramid: their sum (normal force) stays, their difference is optimised.
fn no_slip_edges(rows: DualRows, j: usize, force: &mut [f64]) -> f64 {
    let residual = [unregularised(rows, j, force), unregularised(rows, j + 1, force)];
    let old = [force[j], force[j + 1]];
    let mut a = [0.0; 4];
    unregularised_block(rows, j, 2, &mut a);
    let b = [residual[0] - dot(&a[..2], &old), residual[1] - dot(&a[2..], &old)];
    let mid = 0.5 * (old[0] + old[1]);
    let curvature = a[0] + a[3] - a[1] - a[2];
    let slope = mid * (a[0] - a[3]) + b[0] - b[1];
    let f = &mut force[j..j + 2];
    if curvature < MINVAL {
        f.fill(mid);
    } else {
        let y = -slope / curvature;
        let pair = if y < -mid {
            [0.0, 2.0 * mid]
        } else if y > mid {
            [2.0 * mid, 0.0]
        } else {
            [mid + y, mid - y]
        };
        f.copy_from_slice(&pair);
    }
    cost_change(&a, f, &old, &residual)
}

fn no_slip_elliptic(rows: DualRows, i: usize, dim: usize, force: &mut [f64]) -> f64 {
    let k = dim - 1;
    let (mut residual, mut old, mut b, mut a) = ([0.0; 5], [0.0; 5], [0.0; 5], [0.0; 25]);
    for j in 0..k {
        residual[j] = unregularised(rows, i + 1 + j, force);
    }
    old[..k].copy_from_slice(&force[i + 1..i + dim]);
    unregularised_block(rows, i + 1, k, &mut a);
    for j in 0..k {
        b[j] = residual[j] - dot(&a[j * k..(j + 1) * k], &old[..k]);
    }
    let normal = force[i];
    let f = &mut force[i + 1..i + dim];
    friction_update(f, &a, &b, &rows.contact[rows.id[i] as usize].friction, normal);
    cost_change(&a[..k * k], f, &old[..k], &residual[..k])
}
