//! Numerical integration of one time step.

mod implicit;
mod runge_kutta;

pub use implicit::{implicit, implicit_skip};
pub use runge_kutta::runge_kutta4;

use crate::awake::{self, Selection};
use crate::history;
use crate::inertia;
use crate::sleep;
use crate::step::{self, StepError};
use crate::support::{actuator_disabled, integrate_pos_of, next_activation};
use ligament_math::sparse;
use ligament_model::enums::{DisableBit, Stage};
use ligament_model::{Data, Model};

/// What an integrator moves the state by.
struct Rates<'a> {
    /// Activation derivatives; those of the data when absent.
    act_dot: Option<&'a [f64]>,
    qacc: &'a [f64],
    /// Velocity that moves the positions; the new velocity when absent (semi-implicit).
    qvel: Option<&'a [f64]>,
}

/// Advances activations, velocities, positions and time.
fn advance(m: &Model, d: &mut Data, rates: Rates) -> Result<(), StepError> {
    let h = m.opt.timestep;
    history::advance(m, d);
    if m.na > 0 && !m.opt.disabled(DisableBit::Actuation) {
        advance_activations(m, d, rates.act_dot);
    }
    if awake::sleep_enabled(m) && sleep::sleep(m, d) > 0 {
        // velocities of trees that fell asleep became zero
        step::forward_skip(m, d, Stage::Pos, false)?;
        sleep::update_sleep(m, d);
    }
    let filtered = awake::sleep_enabled(m) && d.ntree_awake < m.ntree;
    let Data { qpos, qvel, dof_awake_ind, body_awake_ind, .. } = d;
    for i in Selection::new(filtered, dof_awake_ind, d.nv_awake, m.nv).iter() {
        qvel[i] += rates.qacc[i] * h;
    }
    let bodies = Selection::new(filtered, body_awake_ind, d.nbody_awake, m.nbody);
    integrate_pos_of(m, qpos, rates.qvel.unwrap_or(qvel), h, bodies);
    d.time += h;
    d.qacc_warmstart.copy_from_slice(&d.qacc);
    Ok(())
}

fn advance_activations(m: &Model, d: &mut Data, act_dot: Option<&[f64]>) {
    for i in 0..m.nu {
        let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
        let disabled = actuator_disabled(m, i);
        for j in first..first + m.actuator_actnum[i] as usize {
            let rate = if disabled { 0.0 } else { act_dot.unwrap_or(&d.act_dot)[j] };
            d.act[j] = next_activation(m, d.act[j], i, rate);
        }
    }
}

/// Semi-implicit Euler; joint damping is integrated implicitly: (M + h·diag(damping)) qacc = forces.
pub fn euler(m: &Model, d: &mut Data) -> Result<(), StepError> {
    euler_skip(m, d, false)
}

/// [`euler`], reusing the factors of the last call when `skip_factor` is set.
pub fn euler_skip(m: &Model, d: &mut Data, skip_factor: bool) -> Result<(), StepError> {
    let h = m.opt.timestep;
    let mut new_qacc = std::mem::take(&mut d.scratch.smooth.qacc);
    new_qacc.resize(m.nv, 0.0);
    let Data { M, qH, qHDiagInv, qfrc_smooth, qfrc_constraint, qacc, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    let explicit = m.opt.disabled(DisableBit::Eulerdamp) || m.opt.disabled(DisableBit::Damper);
    if explicit || dofs.iter().all(|i| m.dof_damping[i] <= 0.0) {
        for i in dofs.iter() {
            new_qacc[i] = qacc[i];
        }
    } else {
        if !skip_factor {
            inertia::copy_rows(m, dofs, M, qH);
            for i in dofs.iter() {
                qH[(m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize] += h * m.dof_damping[i];
            }
            sparse::factor_ltdl(qH, qHDiagInv, dofs.len(), inertia::pattern(m), dofs.index());
        }
        for i in dofs.iter() {
            new_qacc[i] = qfrc_smooth[i] + qfrc_constraint[i];
        }
        sparse::solve_ltdl(&mut new_qacc, qH, qHDiagInv, dofs.len(), inertia::pattern(m), dofs.index());
    }
    let result = advance(m, d, Rates { act_dot: None, qacc: &new_qacc, qvel: None });
    d.scratch.smooth.qacc = new_qacc;
    result
}
