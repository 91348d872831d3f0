//! Integrators that are implicit in velocity: (M − h ∂f/∂v) qacc = f.
//!
//! `implicit` takes all velocity derivatives of the smooth forces; its matrix is not symmetric and factored as LU.
//! `implicitfast` leaves out the bias forces and symmetrises the rest, so that LᵀDL on the pattern of M will do.

use super::{Rates, advance};
use crate::awake::{self, Selection};
use crate::derivative::smooth::smooth_vel_with;
use crate::error::StepError;
use crate::flex;
use crate::inertia;
use crate::part_set::{self, MujocoParts, PartSet};
use crate::workspace::Scratches as _;
use ligament_math::sparse::{self, Pattern};
use ligament_model::enums::Integrator;
use ligament_model::fault::Fault;
use ligament_model::{Data, Model};

/// One step with the implicit integrator that the options name.
pub fn implicit(m: &Model, d: &mut Data) -> Result<(), StepError> {
    implicit_skip(m, d, false)
}

/// [`implicit`], reusing the factors of the last call when `skip_factor` is set.
pub fn implicit_skip(m: &Model, d: &mut Data, skip_factor: bool) -> Result<(), StepError> {
    implicit_skip_with(m, d, skip_factor, &MujocoParts)
}

pub(crate) fn implicit_skip_with(
    m: &Model,
    d: &mut Data,
    skip_factor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    let full = m.opt.integrator == Integrator::Implicit as i32;
    // nodes of interpolated flexes are solved apart, unless some dofs sleep or the factors are reused, as in MuJoCo
    let dense_flexes =
        !skip_factor && m.flex_interp.iter().any(|&order| order != 0) && !awake::dofs(m, d).is_filtered();
    if !skip_factor {
        smooth_vel_with(m, d, full, set);
        part_set::check(m, d)?;
        if full {
            afford_factor(m, d)?;
            factor_full(m, d, dense_flexes)?;
        } else {
            factor_symmetric(m, d, dense_flexes);
        }
    }
    let mut qfrc = std::mem::take(&mut d.workspace.scratch().smooth.qfrc);
    let mut qacc = std::mem::take(&mut d.workspace.scratch().smooth.qacc);
    qfrc.resize(m.nv, 0.0);
    qacc.resize(m.nv, 0.0);
    let dofs = awake::dofs(m, d);
    for i in dofs.iter() {
        qfrc[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
        qacc[i] = qfrc[i];
    }
    if full {
        sparse::solve_lu(&mut qacc, &d.qLU, &qfrc, dofs.len(), d_pattern(m), &m.D_diag, dofs.index());
    } else {
        inertia::solve(m, dofs, d.threads, (&d.qH, &d.qHDiagInv), &mut qacc);
    }
    if dense_flexes {
        flex::implicit::solve(m, d, &qfrc, &mut qacc);
    }
    let result = advance(m, d, Rates { act_dot: None, qacc: &qacc, qvel: None }, set);
    d.workspace.scratch().smooth.qfrc = qfrc;
    d.workspace.scratch().smooth.qacc = qacc;
    result
}

fn d_pattern(m: &Model) -> Pattern<'_> {
    Pattern::new(&m.D_rownnz, &m.D_rowadr, &m.D_colind)
}

/// Operations charged for each entry that an elimination changes.
const ENTRY: u64 = 2;

/// Counts the elimination before it is done: every dof leaves the rows of its ancestors, and each of them has as many entries
/// left as the dof has ancestors.
fn afford_factor(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.spent.integrator = 0;
    let changed = m.M_rownnz.iter().map(|&entries| (entries as u64).pow(2));
    let work = ENTRY * changed.fold(0, u64::saturating_add);
    if work > d.effort_left() {
        d.fault = d.fault.or(Some(Fault::Effort));
        return Err(StepError::Effort(d.effort));
    }
    d.spent.integrator = work;
    Ok(())
}

/// qLU = M − h qDeriv, factored.
fn factor_full(m: &Model, d: &mut Data, dense_flexes: bool) -> Result<(), StepError> {
    let Data { M, qDeriv, qLU, .. } = d;
    for ((x, deriv), &adr) in qLU.iter_mut().zip(qDeriv).zip(&m.mapM2D) {
        let inertia = if adr >= 0 { M[adr as usize] } else { 0.0 };
        *x = inertia + *deriv * -m.opt.timestep;
    }
    if dense_flexes {
        flex::implicit::factor(m, d, d_pattern(m), |d| &d.qLU);
    }
    let Data { qLU, dof_awake_ind, .. } = d;
    let remaining = &mut d.workspace.scratch().smooth.remaining;
    remaining.resize(m.nv, 0);
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    sparse::factor_lu(qLU, remaining, dofs.len(), d_pattern(m), dofs.index())
        .map_err(|pivot| StepError::SingularInertia { dof: pivot.row })
}

/// qH = M − h qDeriv on the pattern of M.
pub(crate) fn add_derivatives(m: &Model, d: &mut Data) {
    let Data { M, qDeriv, qH, .. } = d;
    for ((x, inertia), &adr) in qH.iter_mut().zip(M).zip(&m.mapD2M) {
        *x = *inertia + qDeriv[adr as usize] * -m.opt.timestep;
    }
}

/// [`add_derivatives`], factored.
fn factor_symmetric(m: &Model, d: &mut Data, dense_flexes: bool) {
    add_derivatives(m, d);
    if dense_flexes {
        flex::implicit::factor(m, d, inertia::pattern(m), |d| &d.qH);
    }
    let Data { qH, qHDiagInv, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    inertia::factor(m, dofs, d.threads, qH, qHDiagInv);
}
