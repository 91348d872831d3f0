//! The constraint solvers: which one runs, from where it starts, what is recorded.

mod abreast;
mod blocks;
mod dual;
mod hessian;
mod islands;
mod linesearch;
mod primal;
mod qcqp;
mod states;
mod xpbd;

pub use xpbd::XpbdSolver;

use crate::access::{Access, access};
use crate::part_set::{self, MujocoParts, PartSet};
pub use crate::workspace::LineRows;
use crate::workspace::Scratches as _;
use crate::workspace::{SolverScratch, StartPoint};
use ligament_model::constants::{NISLAND, NSOLVER};
use ligament_model::enums::{DisableBit, SolverType};
use ligament_model::fault::Fault;
use ligament_model::parts::Slot;
use ligament_model::{Data, Model};

use crate::support::is_sparse;
use blocks::{Gathered, WholeSystem};
use ligament_math::team::share::{self, Fill, Share};

use crate::constraint::{JacobianView, RowCosts, constraint_update};
use crate::inertia::mul_m_on_threads;
use primal::Search;

/// What [`fwd_constraint`] touches.
pub(crate) const FWD_CONSTRAINT: Access = access! {
    model { M_colind M_rowadr M_rownnz }
    reads {
        M contact efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_D efc_J efc_J_colind efc_J_rowadr
        efc_J_rownnz efc_R efc_aref efc_frictionloss efc_id efc_type island_idofadr island_iefcadr
        island_ne island_nefc island_nf island_nv map_idof2dof map_iefc2efc ne nefc nf nidof nisland qLD
        qLDiagInv qacc_smooth qacc_warmstart qfrc_smooth
    }
    writes { contact efc_b efc_force efc_state qacc qfrc_constraint }
};

/// Constraint forces and the acceleration they lead to.
///
/// Reads: efc_*, island_*, M qLD, qfrc_smooth qacc_smooth qacc_warmstart.
/// Writes: efc_b efc_force efc_state qfrc_constraint qacc, solver_niter solver_nnz solver.
pub fn fwd_constraint(m: &Model, d: &mut Data) {
    fwd_constraint_with(m, d, &MujocoParts);
}

/// [`fwd_constraint`] with the solver of these parts, unless the model has one of its own.
pub(crate) fn fwd_constraint_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    d.qfrc_constraint.fill(0.0);
    d.solver_niter = [0; NISLAND];
    if d.nefc == 0 && m.parts.first_soft().is_none() {
        d.qacc.copy_from_slice(&d.qacc_smooth);
        d.workspace.scratch().drift.clear();
        return;
    }
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_b, efc_aref, .. } = d;
    let jac = JacobianView::of_parts(m, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind);
    jac.residual_on(d.threads, &d.qacc_smooth, efc_aref, efc_b);
    let mut drift = std::mem::take(&mut d.workspace.scratch().drift);
    drift.clear();
    match m.parts.solver() {
        None => set.solve(m, d, &mut drift),
        Some(solver) => part_set::guarded(d, Slot::Solver, 0, |d| solver.solve(m, d, &mut drift)),
    }
    if !drift.is_empty() && drift.len() != m.nv {
        drift.clear();
        part_set::refuse(d, Slot::Solver, 0, "its drift has another length than the velocity");
    }
    d.workspace.scratch().drift = drift;
}

/// MuJoCo's convex problem, by the method that the options name.
pub(crate) fn convex(m: &Model, d: &mut Data) {
    if d.fault == Some(Fault::Effort) {
        d.fault = None;
    }
    let mut s = std::mem::take(&mut d.workspace.scratch().solver);
    d.spent.solver = 0;
    let effort = d.effort_left();
    s.effort = effort;
    s.memory = d.memory_for_matrices();
    s.threads = d.threads;
    warmstart(m, d, &mut s);
    let search = Search::of(m);
    if m.opt.solver == SolverType::Pgs as i32 {
        dual::pgs(m, d, &mut s);
    } else if d.nisland > 0 && m.opt.noslip_iterations <= 0 && !m.opt.disabled(DisableBit::Island) {
        islands::solve(m, &search, d, &mut s);
    } else {
        let start = std::mem::take(&mut s.start);
        blocks::gather(m, d, &start, None, search.newton, &mut s);
        s.start = start;
        primal::solve(&search, d, None, &mut s);
    }
    if m.opt.noslip_iterations > 0 {
        dual::no_slip(m, d, &mut s);
    }
    d.spent.solver = effort - s.effort;
    if s.effort == 0 {
        d.fault = d.fault.or(Some(Fault::Effort));
    }
    d.workspace.scratch().solver = s;
}

/// Did the solver reach its tolerance the last time, in every island that is recorded? Otherwise it stopped for lack of
/// iterations and what it left is its best iterate.
pub fn converged(m: &Model, d: &Data) -> bool {
    (0..NISLAND).filter(|_| d.nefc > 0).all(|slot| {
        let iterations = d.solver_niter[slot];
        let last = usize::try_from(iterations - 1).ok().filter(|&i| i < NSOLVER);
        iterations < m.opt.iterations
            || last.is_some_and(|i| {
                let stat = &d.solver[slot * NSOLVER + i];
                let newton_like = m.opt.solver != SolverType::Pgs as i32;
                stat.improvement < m.opt.tolerance || (newton_like && stat.gradient < m.opt.tolerance)
            })
    })
}

/// What the costs of all rows depend on.
macro_rules! row_costs {
    ($d:expr) => {
        RowCosts {
            ne: $d.ne,
            nf: $d.nf,
            D: &$d.efc_D,
            R: &$d.efc_R,
            frictionloss: &$d.efc_frictionloss,
            kind: &$d.efc_type,
            id: &$d.efc_id,
        }
    };
}

/// Chooses the start point: the last acceleration if it is no worse than the unconstrained one.
/// Sets `qacc`, `s.start` and, for the dual solver, `efc_force`.
fn warmstart(m: &Model, d: &mut Data, s: &mut SolverScratch) {
    if m.opt.disabled(DisableBit::Warmstart) {
        start_unconstrained(d, s);
        d.efc_force.fill(0.0);
        return;
    }
    d.qacc.copy_from_slice(&d.qacc_warmstart);
    let known = std::mem::take(&mut s.warm_known);
    if !known {
        let residual = &mut s.start.residual;
        residual.resize(d.nefc, 0.0);
        JacobianView::new(m, d).residual_on(d.threads, &d.qacc_warmstart, &d.efc_aref, residual);
    }
    if m.opt.solver == SolverType::Pgs as i32 {
        let Data { efc_state, efc_force, contact, .. } = d;
        constraint_update(&row_costs!(d), &s.start.residual, contact, None, efc_state, efc_force);
        if dual::dual_cost(m, d, s) > 0.0 {
            d.efc_force.fill(0.0);
        }
    } else {
        if !known {
            s.start.momentum.resize(m.nv, 0.0);
            mul_m_on_threads(m, d, &mut s.start.momentum, &d.qacc_warmstart);
        }
        let [cost_warm, cost_smooth] = start_costs(m, d, s);
        if cost_warm > cost_smooth {
            start_unconstrained(d, s);
        }
    }
    // what no constraint touches moves freely
    let free = d.nidof..if d.nisland > 0 { m.nv } else { 0 };
    for &dof in d.map_idof2dof.get(free.clone()).unwrap_or_default() {
        d.qacc[dof as usize] = d.qacc_smooth[dof as usize];
    }
    if !free.is_empty() && m.opt.noslip_iterations > 0 {
        s.start.momentum.clear(); // all of it is solved at once, and that of the free ones is another one now
    }
}

/// The search begins at the unconstrained acceleration.
fn start_unconstrained(d: &mut Data, s: &mut SolverScratch) {
    d.qacc.copy_from_slice(&d.qacc_smooth);
    let StartPoint { residual, momentum } = &mut s.start;
    residual.clear();
    residual.extend_from_slice(&d.efc_b);
    momentum.clear();
}

/// Rows below which another thread costs more than it saves: their cost takes ten microseconds.
const MIN_ROWS: usize = 4000;

/// Is everything one system, which the conjugate gradient will solve?
fn is_whole(m: &Model, d: &Data) -> bool {
    let one_island = d.nisland == 1 && d.nidof == m.nv && d.island_nefc[0] as usize == d.nefc;
    let apart = m.opt.noslip_iterations > 0 || m.opt.disabled(DisableBit::Island);
    m.opt.solver == SolverType::Cg as i32 && is_sparse(m) && (one_island || d.nisland == 0 || apart)
}

/// Costs of the last acceleration, which `s.start` describes, and of the unconstrained one, at the same time; a whole system
/// is gathered meanwhile.
fn start_costs(m: &Model, d: &mut Data, s: &mut SolverScratch) -> [f64; 2] {
    let abreast = d.threads >= 2 && d.nefc >= MIN_ROWS;
    let whole = abreast && is_whole(m, d);
    let SolverScratch { start, state, force, dofs, local, rows: row_ids, mass, jac, .. } = s;
    state.resize(d.nefc, 0);
    force.resize(d.nefc, 0.0);
    let Data { efc_b, efc_state, efc_force, contact, .. } = d;
    let rows = row_costs!(d);
    let (state, force) = (&mut state[..], &mut force[..]);
    let warm = (&start.residual[..], state, force, true, 0.0);
    let smooth = (&efc_b[..], &mut efc_state[..], &mut efc_force[..], false, 0.0);
    let mut points = [warm, smooth];
    let evaluate = |_, points: &mut [Candidate]| {
        for (jar, state, force, warm, cost) in points {
            *cost = constraint_update(&rows, jar, contact, None, state, force);
            if *warm {
                let forces = start.momentum.iter().zip(d.qfrc_smooth.iter());
                let accelerations = d.qacc_warmstart.iter().zip(d.qacc_smooth.iter());
                for ((mass, smooth), (acc, acc_smooth)) in forces.zip(accelerations) {
                    *cost += 0.5 * (mass - smooth) * (acc - acc_smooth);
                }
            }
        }
    };
    if !abreast {
        evaluate(0..2, &mut points);
        return points.map(|point| point.4);
    }
    let (first, second) = points.split_at_mut(1);
    let (mut first, mut second) = (Fill::of(first, evaluate), Fill::of(second, evaluate));
    let evaluations: [&mut dyn Share; 2] = [&mut first, &mut second];
    if whole {
        let mut trace = 0.0;
        let system = WholeSystem {
            m,
            M: &d.M,
            factor: [&d.qLD, &d.qLDiagInv],
            qfrc_smooth: &d.qfrc_smooth,
            qacc_smooth: &d.qacc_smooth,
            rows,
            jac: (&d.efc_J, &d.efc_J_colind, [&d.efc_J_rowadr, &d.efc_J_rownnz]),
        };
        let out = Gathered {
            dofs,
            local,
            row_ids,
            mass,
            factor: [&mut s.mass_factor, &mut s.mass_diag_inv],
            smooth: [&mut s.qfrc_smooth, &mut s.qacc_smooth],
            costs: [&mut s.D, &mut s.R, &mut s.frictionloss],
            owners: [&mut s.kind, &mut s.id],
            jac,
            trace: &mut trace,
        };
        s.is_gathered = blocks::gather_whole(d.threads, system, out, evaluations);
        s.trace = Some(trace);
        (s.ne, s.nf) = (d.ne, d.nf);
        jac.dense = false;
        jac.whole = false;
        jac.clear_blocks();
    } else {
        share::all(d.threads, 1, &mut { evaluations }, &mut []);
    }
    points.map(|point| point.4)
}

/// A residual, where states and forces there go, whether it is that of the last acceleration, its cost.
type Candidate<'a> = (&'a [f64], &'a mut [i32], &'a mut [f64], bool, f64);

/// Where statistics of an island go; later islands are not recorded.
fn statistics_slot(island: Option<usize>) -> Option<usize> {
    Some(island.unwrap_or(0)).filter(|&i| i < NISLAND)
}
