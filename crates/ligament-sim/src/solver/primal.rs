//! Primal solvers, conjugate gradient and Newton: minimise over the acceleration a
//! `½ (a − a_s)ᵀ M (a − a_s) + s(J a − aref)` (book, "Primal problem").

use crate::parallel;
use crate::workspace::SolverScratch;
use ligament_math::MINVAL;
use ligament_math::dense::{axpy, dot, norm};
use ligament_model::constants::NSOLVER;
use ligament_model::data::SolverStat;
use ligament_model::enums::{ConstraintState, ConstraintType, SolverType};
use ligament_model::{Contact, Data, Model};

use super::abreast;
use super::linesearch::line_search;
use super::states::{MIN_ROWS, rows_with};
use super::{blocks, hessian, statistics_slot};
use crate::constraint::{ConeHessian, RowCosts, constraint_update, update_in_blocks};

/// Cost at the current point.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    total: f64,
    /// The part of the motion: ½ (a − a_s)ᵀ M (a − a_s).
    gauss: f64,
}

impl Cost {
    /// Of constraints and of motion.
    fn of([constraint, gauss]: [f64; 2]) -> Self {
        Self { total: constraint + gauss, gauss }
    }
}

/// How to search, and for how long.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search {
    /// Newton's method, or conjugate gradients.
    pub newton: bool,
    iterations: i32,
    tolerance: f64,
    ls_iterations: i32,
    ls_tolerance: f64,
    /// What costs and gradients of the whole system are multiplied by before they are compared with tolerances.
    scale: f64,
}

impl Search {
    pub fn of(m: &Model) -> Self {
        Self {
            newton: m.opt.solver == SolverType::Newton as i32,
            iterations: m.opt.iterations,
            tolerance: m.opt.tolerance,
            ls_iterations: m.opt.ls_iterations,
            ls_tolerance: m.opt.ls_tolerance,
            scale: 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64),
        }
    }
}

/// Solves one island (the whole system for `None`) that has been gathered, and writes the result back.
pub(super) fn solve(search: &Search, d: &mut Data, island: Option<usize>, s: &mut SolverScratch) {
    let slot = statistics_slot(island);
    let statistics = slot.map_or(&mut [][..], |slot| &mut d.solver[slot * NSOLVER..(slot + 1) * NSOLVER]);
    let iterations = minimise(search, &d.contact, island, statistics, s);
    if let Some(slot) = slot {
        d.solver_niter[slot] += iterations;
        d.solver_nnz[slot] = factor_entries(search.newton, s);
    }
    let Data { qacc, qfrc_constraint, efc_force, efc_state, .. } = d;
    parallel::jobs(
        s.threads,
        s.rows.len(),
        [
            &mut || blocks::put_back(&s.dofs, &s.qacc, qacc),
            &mut || blocks::put_back(&s.dofs, &s.qfrc_constraint, qfrc_constraint),
            &mut || blocks::put_back(&s.rows, &s.force, efc_force),
            &mut || blocks::put_back(&s.rows, &s.state, efc_state),
        ],
    );
    for (cone, &id) in s.cones.iter().zip(&s.id).filter(|(cone, _)| is_set(cone)) {
        d.contact[id as usize].H = *cone;
    }
}

/// A second derivative that was not computed: it begins as not a number.
pub(super) const UNSET: ConeHessian = [f64::NAN; 36];

/// Are there rows of curved cones?
pub(super) fn has_cones(kinds: &[i32]) -> bool {
    kinds.contains(&(ConstraintType::ContactElliptic as i32))
}

/// Was this second derivative computed?
pub(super) fn is_set(cone: &ConeHessian) -> bool {
    !cone[0].is_nan()
}

/// What [`solve`] records as the number of entries of the factor.
pub(super) fn factor_entries(newton: bool, s: &SolverScratch) -> i32 {
    if newton { hessian::nnz(s) as i32 } else { 0 }
}

/// What costs and gradients of an island are multiplied by before they are compared with tolerances.
fn island_scale(s: &SolverScratch) -> f64 {
    let diagonal = (0..s.dofs.len()).map(|i| s.mass.val[s.mass.start[i + 1] - 1]);
    1.0 / s.trace.unwrap_or_else(|| diagonal.sum::<f64>())
}

/// Finds the acceleration of an island that has been gathered; returns the number of iterations. As many of them as
/// there are `statistics` are recorded.
pub(super) fn minimise(
    search: &Search,
    contacts: &[Contact],
    island: Option<usize>,
    statistics: &mut [SolverStat],
    s: &mut SolverScratch,
) -> i32 {
    let Search { newton, tolerance, ls_iterations, .. } = *search;
    let scale = if island.is_some() { island_scale(s) } else { search.scale };
    // rows decide: the options may have changed since they were made, and without contacts there are no cones
    let curved = newton && has_cones(&s.kind);
    s.cones.resize(if curved { s.rows.len() } else { 0 }, UNSET);
    s.cones.iter_mut().for_each(|cone| cone[0] = f64::NAN);
    if newton {
        hessian::choose(s, curved);
    }
    // the factor of a large pile has an order of its own: sums need not have MuJoCo's either
    s.line.shared_by = (newton && !curved && hessian::is_by_nodes(s)).then_some(s.threads);
    // with many rows the conjugate gradient has the next three at once
    let abreast = !newton && abreast::is_worth_while(s);
    let mut cost = if abreast { Cost::of(abreast::update(s, None)) } else { update_constraint(s, contacts) };
    if newton && !hessian::make(s, contacts) {
        return 0;
    }
    if !abreast {
        update_gradient(s);
        precondition(s, newton);
    }
    for (v, g) in s.search.iter_mut().zip(&s.mgrad) {
        *v = -g;
    }
    let mut iteration = 0;
    while iteration < search.iterations && s.afford(iteration_work(newton, s)) {
        let ls_tolerance = tolerance * search.ls_tolerance;
        let line = line_search(s, contacts, cost.gauss, scale, ls_tolerance, ls_iterations);
        if line.alpha == 0.0 {
            break;
        }
        let old_cost = cost.total;
        if abreast {
            cost = Cost::of(abreast::update(s, Some(line.alpha)));
        } else {
            if !newton {
                s.grad_old.clone_from(&s.grad);
                s.mgrad_old.clone_from(&s.mgrad);
            }
            move_on(s, line.alpha);
            cost = update_constraint(s, contacts);
            update_gradient(s);
        }
        let improvement = scale * (old_cost - cost.total);
        let gradient = scale * norm(&s.grad);
        // the factor is brought up to date only when there is another iteration
        let done = improvement < tolerance || gradient < tolerance;
        let nupdate = if newton && !done { hessian::update(s, contacts) } else { 0 };
        if let Some(statistics) = statistics.get_mut(iteration as usize) {
            let satisfied = ConstraintState::Satisfied as i32;
            *statistics = SolverStat {
                improvement,
                gradient,
                lineslope: line.slope,
                nactive: rows_with(s, |state, _| state != satisfied),
                nchange: rows_with(s, |state, old| state != old),
                neval: line.evaluations,
                nupdate,
            };
        }
        iteration += 1;
        if done {
            break;
        }
        if !abreast {
            precondition(s, newton);
        }
        new_direction(s, newton);
    }
    iteration
}

/// Goes along the search direction; remembers the states of the rows.
#[inline]
fn move_on(s: &mut SolverScratch, length: f64) {
    axpy(length, &s.search, &mut s.qacc);
    axpy(length, &s.mv, &mut s.ma);
    if s.threads < 2 {
        axpy(length, &s.jv, &mut s.jaref);
        return s.old_state.copy_from_slice(&s.state);
    }
    let items = ((&s.jv[..], &mut s.jaref[..]), (&s.state[..], &mut s.old_state[..]));
    parallel::split(s.threads, MIN_ROWS, items, |((jv, jaref), (state, old_state))| {
        axpy(length, jv, jaref);
        old_state.copy_from_slice(state);
    });
}

/// Operations of an iteration apart from its line search and from what brings the Hessian up to date.
fn iteration_work(newton: bool, s: &SolverScratch) -> usize {
    let factor = if newton { hessian::nnz(s) } else { s.mass_factor.len() };
    4 * (s.jac.entries() + s.mass.val.len() + factor) + 40 * (s.D.len() + s.dofs.len()) + 1000
}

/// States, forces and cost at the current residual; joint-space force.
fn update_constraint(s: &mut SolverScratch, contacts: &[Contact]) -> Cost {
    let rows = RowCosts {
        ne: s.ne,
        nf: s.nf,
        D: &s.D,
        R: &s.R,
        frictionloss: &s.frictionloss,
        kind: &s.kind,
        id: &s.id,
    };
    let cones = (!s.cones.is_empty()).then_some(&mut s.cones[..]);
    let constraint = match s.line.shared_by {
        Some(threads) => update_in_blocks(threads, &rows, &s.jaref, &mut s.state, &mut s.force),
        None => constraint_update(&rows, &s.jaref, contacts, cones, &mut s.state, &mut s.force),
    };
    blocks::mul_transposed_vec(&s.jac, &s.force, &mut s.qfrc_constraint);
    let forces = s.ma.iter().zip(&s.qfrc_smooth);
    let accelerations = s.qacc.iter().zip(&s.qacc_smooth);
    let mut gauss = 0.0;
    for ((force, smooth), (acc, acc_smooth)) in forces.zip(accelerations) {
        gauss += 0.5 * (force - smooth) * (acc - acc_smooth);
    }
    Cost::of([constraint, gauss])
}

/// Gradient M a − f_smooth − Jᵀ f.
fn update_gradient(s: &mut SolverScratch) {
    for i in 0..s.dofs.len() {
        s.grad[i] = s.ma[i] - s.qfrc_smooth[i] - s.qfrc_constraint[i];
    }
}

/// The gradient multiplied by H⁻¹ (Newton) or M⁻¹.
fn precondition(s: &mut SolverScratch, newton: bool) {
    let mut x = std::mem::take(&mut s.mgrad);
    x.copy_from_slice(&s.grad);
    if newton {
        hessian::solve(s, &mut x);
    } else {
        blocks::solve_mass(s, &mut x);
    }
    s.mgrad = x;
}

/// Newton: the preconditioned gradient. Conjugate gradient: Polak and Ribière, never negative.
fn new_direction(s: &mut SolverScratch, newton: bool) {
    let beta = if newton {
        0.0
    } else {
        let SolverScratch { grad, grad_old, mgrad, mgrad_old, .. } = s;
        let denominator = dot(grad_old, mgrad_old);
        for (old, new) in mgrad_old.iter_mut().zip(mgrad.iter()) {
            *old = new - *old;
        }
        let change = dot(grad, mgrad_old);
        (change / denominator.max(MINVAL)).max(0.0)
    };
    for (v, g) in s.search.iter_mut().zip(&s.mgrad) {
        *v = -g + beta * *v;
    }
}
