//! Inverse dynamics: the forces that explain a given acceleration.

use crate::workspace::Scratches as _;
use ligament_math::dense::norm;
use ligament_math::sparse::{self, Pattern};
use ligament_model::enums::{DisableBit, EnableBit, Integrator, Stage, Timer};
use ligament_model::parts::Slot;
use ligament_model::{Data, Model};

use crate::collision::collision;
use crate::constraint::{JacobianView, RowCosts, constraint_update, joint_forces, make_constraint};
use crate::derivative::smooth::smooth_vel_with;
use crate::error::StepError;
use crate::forward;
use crate::inertia::{self, mul_m};
use crate::part_set::{self, MujocoParts, PartSet};
use crate::support::{self, Motion};
use crate::timing::{lap, now};
use crate::transmission::transmission;
use crate::velocity::{BiasTarget, add_tendon_bias, bias_force};

/// Inverse dynamics: from qpos, qvel and qacc to `qfrc_inverse`, the sum of all forces that are applied from outside.
pub fn inverse(m: &Model, d: &mut Data) -> Result<(), StepError> {
    inverse_skip(m, d, Stage::None, false)
}

/// As [`inverse`], without the stages up to `skip_stage`, whose results are still valid, and without sensors and
/// energy when `skip_sensor` is set.
pub fn inverse_skip(m: &Model, d: &mut Data, skip_stage: Stage, skip_sensor: bool) -> Result<(), StepError> {
    inverse_skip_with(m, d, skip_stage, skip_sensor, &MujocoParts)
}

/// [`inverse_skip`] with these parts for elements that have none of their own.
pub(crate) fn inverse_skip_with(
    m: &Model,
    d: &mut Data,
    skip_stage: Stage,
    skip_sensor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    forward::check_belongs(m, d)?;
    let start = now(d);
    if skip_stage < Stage::Pos {
        inv_position(m, d);
        forward::check_fault(d)?;
        forward::position_outputs(m, d, skip_sensor);
    }
    if skip_stage < Stage::Vel {
        forward::velocity_stage(m, d, skip_sensor, forward::Tree::Compute, set)?;
    }
    let discrete = m.opt.enabled(EnableBit::Invdiscrete);
    let mut saved = std::mem::take(&mut d.workspace.scratch().constraint.joint[0]);
    if discrete {
        saved.clear();
        saved.extend_from_slice(&d.qacc);
        discrete_acceleration(m, d, set)?;
    }
    inv_constraint_with(m, d, set);
    part_set::check(m, d)?;
    if !skip_sensor {
        forward::acceleration_outputs(m, d);
    }
    inverse_force(m, d)?;
    if discrete {
        d.qacc.copy_from_slice(&saved);
    }
    d.workspace.scratch().constraint.joint[0] = saved;
    lap(d, Timer::Inverse, start);
    Ok(())
}

/// `qfrc_inverse` = M qacc + bias − passive − constraint.
///
/// The bias force is computed into the result itself: degrees of freedom that sleep keep what they had there.
fn inverse_force(m: &Model, d: &mut Data) -> Result<(), StepError> {
    bias_force(m, d, BiasTarget::Inverse);
    let result = add_tendon_bias(m, d, BiasTarget::Inverse);
    let mut ma = std::mem::take(&mut d.workspace.scratch().constraint.joint[1]);
    ma.clear();
    ma.resize(m.nv, 0.0);
    mul_m(m, d, &mut ma, &d.qacc);
    for i in 0..m.nv {
        d.qfrc_inverse[i] += ma[i] - d.qfrc_passive[i] - d.qfrc_constraint[i];
    }
    d.workspace.scratch().constraint.joint[1] = ma;
    Ok(result?)
}

/// Everything that depends on position only, without what only the solver needs.
pub fn inv_position(m: &Model, d: &mut Data) {
    let start = now(d);
    d.flg_energypos = false;
    forward::fwd_kinematics(m, d);
    inertia::make_m(m, d);
    inertia::factor_m(m, d);
    collision(m, d);
    make_constraint(m, d);
    transmission(m, d);
    lap(d, Timer::Position, start);
}

/// Constraint forces that the acceleration `qacc` implies: they follow in closed form.
///
/// Reads: efc_J efc_aref efc_D efc_R qacc. Writes: efc_force efc_state qfrc_constraint.
pub fn inv_constraint(m: &Model, d: &mut Data) {
    inv_constraint_with(m, d, &MujocoParts);
}

/// Lets the solver of the model find the forces; false when it has none that can.
fn inverse_of_solver(m: &Model, d: &mut Data, set: &impl PartSet) -> bool {
    let Some(solver) = m.parts.solver() else { return set.inverse(m, d) };
    let mut done = false;
    part_set::guarded(d, Slot::Solver, 0, |d| done = solver.inverse(m, d));
    done
}

fn inv_constraint_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    let start = now(d);
    d.qfrc_constraint.fill(0.0);
    let parts_only = d.nefc == 0 && m.parts.first_soft().is_some();
    if (d.nefc > 0 || parts_only) && inverse_of_solver(m, d, set) {
        joint_forces(m, d);
    } else if d.nefc > 0 {
        let mut jar = std::mem::take(&mut d.workspace.scratch().constraint.residual);
        jar.clear();
        jar.resize(d.nefc, 0.0);
        JacobianView::new(m, d).mul_vec(&d.qacc, &mut jar);
        for (r, aref) in jar.iter_mut().zip(&d.efc_aref) {
            *r -= aref;
        }
        let rows = RowCosts {
            ne: d.ne,
            nf: d.nf,
            D: &d.efc_D,
            R: &d.efc_R,
            frictionloss: &d.efc_frictionloss,
            kind: &d.efc_type,
            id: &d.efc_id,
        };
        constraint_update(&rows, &jar, &d.contact, None, &mut d.efc_state, &mut d.efc_force);
        joint_forces(m, d);
        d.workspace.scratch().constraint.residual = jar;
    }
    lap(d, Timer::Constraint, start);
}

/// Turns the acceleration between two time steps into the one the equations of motion had at the first of them:
/// undoes the implicit part of the integrator, M a = (M − h ∂f/∂v) a_discrete.
fn discrete_acceleration(m: &Model, d: &mut Data, set: &impl PartSet) -> Result<(), StepError> {
    let h = m.opt.timestep;
    let mut qfrc = std::mem::take(&mut d.workspace.scratch().constraint.joint[1]);
    qfrc.clear();
    qfrc.resize(m.nv, 0.0);
    let explicit = match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Rk4) => return Err(StepError::DiscreteInverse),
        Err(_) => return Err(StepError::Integrator),
        Ok(Integrator::Euler) => {
            mul_m(m, d, &mut qfrc, &d.qacc);
            for i in 0..m.nv {
                qfrc[i] += h * m.dof_damping[i] * d.qacc[i];
            }
            m.opt.disabled(DisableBit::Eulerdamp) || m.dof_damping.iter().all(|&b| b <= 0.0)
        }
        Ok(Integrator::Implicit) => {
            smooth_vel_with(m, d, true, set);
            for ((x, deriv), &adr) in d.qLU.iter_mut().zip(&d.qDeriv).zip(&m.mapM2D) {
                *x = if adr >= 0 { d.M[adr as usize] } else { 0.0 } - h * deriv;
            }
            let pattern = Pattern::new(&m.D_rownnz, &m.D_rowadr, &m.D_colind);
            sparse::mul_vec(&mut qfrc, &d.qLU, &d.qacc, m.nv, pattern);
            false
        }
        Ok(Integrator::Implicitfast) => {
            smooth_vel_with(m, d, false, set);
            for ((x, mass), &adr) in d.qH.iter_mut().zip(&d.M).zip(&m.mapD2M) {
                *x = mass - h * d.qDeriv[adr as usize];
            }
            sparse::mul_sym_vec(&mut qfrc, &d.qH, &d.qacc, m.nv, inertia::pattern(m));
            false
        }
    };
    if !explicit {
        d.qacc.copy_from_slice(&qfrc);
        sparse::solve_ltdl(&mut d.qacc, &d.qLD, &d.qLDiagInv, m.nv, inertia::pattern(m), None);
    }
    d.workspace.scratch().constraint.joint[1] = qfrc;
    Ok(())
}

/// Compares forward and inverse dynamics: norms of the differences of constraint and of applied forces go to
/// `solver_fwdinv`. The results of forward dynamics stay.
#[inline(never)]
pub fn compare_fwd_inv(m: &Model, d: &mut Data) -> Result<(), StepError> {
    d.solver_fwdinv = [0.0; 2];
    if d.nefc == 0 {
        return Ok(());
    }
    let mut applied = std::mem::take(&mut d.workspace.scratch().constraint.joint[2]);
    applied.clear();
    applied.extend(d.qfrc_applied.iter().zip(&d.qfrc_actuator).map(|(a, b)| a + b));
    let motion = Motion { cdof: &d.cdof, subtree_com: &d.subtree_com };
    support::xfrc_accumulate(m, motion, &d.xipos, &d.xfrc_applied, &mut applied);
    let mut forward = std::mem::take(&mut d.workspace.scratch().constraint.gathered);
    forward.clear();
    forward.extend_from_slice(&d.qfrc_constraint);
    let mut forward_rows = std::mem::take(&mut d.workspace.scratch().constraint.block);
    forward_rows.clear();
    forward_rows.extend_from_slice(&d.efc_force);
    inverse_skip(m, d, Stage::Vel, true)?;
    let distance = |a: &mut [f64], b: &[f64]| {
        for (x, y) in a.iter_mut().zip(b) {
            *x -= y;
        }
        norm(a)
    };
    d.solver_fwdinv[1] = distance(&mut applied, &d.qfrc_inverse);
    applied.copy_from_slice(&forward);
    d.solver_fwdinv[0] = distance(&mut applied, &d.qfrc_constraint);
    d.qfrc_constraint.copy_from_slice(&forward);
    d.efc_force.copy_from_slice(&forward_rows);
    let s = &mut d.workspace.scratch().constraint;
    (s.joint[2], s.gathered, s.block) = (applied, forward, forward_rows);
    Ok(())
}
