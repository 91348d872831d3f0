//! A step: forward dynamics and integration. Read this file and [`crate::forward`] to learn what a step does.

use crate::awake;
pub use crate::error::StepError;
use crate::forward::{
    Tree, accelerate, check_belongs, control, forward_skip_with, position_stage, velocity_stage,
};
pub use crate::forward::{
    forward, forward_skip, forward_to, fwd_acceleration, fwd_kinematics, fwd_position, fwd_velocity,
    solve_constraints,
};
use crate::integrate::{euler, euler_skip_with, implicit, implicit_skip_with, runge_kutta4_with};
use crate::inverse::compare_fwd_inv;
use crate::part_set::{MujocoParts, PartSet};
use crate::reset::{bad_number, check_pos, check_vel};
use crate::sensor::sensor_acc;
use crate::support::{first_bad, is_bad};
use crate::timing::{count, lap, now};
use ligament_model::enums::{DisableBit, EnableBit, Integrator, Stage, Timer, Warning};
use ligament_model::{Data, Model};

/// Advances the simulation by one time step.
pub fn step(m: &Model, d: &mut Data) -> Result<(), StepError> {
    step_skip(m, d, Stage::None, false)
}

/// As [`step`], without the stages up to `skip_stage`, whose results are still valid, and without sensors and energy
/// when `skip_sensor` is set.
pub fn step_skip(m: &Model, d: &mut Data, skip_stage: Stage, skip_sensor: bool) -> Result<(), StepError> {
    step_skip_with(m, d, skip_stage, skip_sensor, &MujocoParts)
}

/// [`step_skip`] with these parts for elements that have none of their own.
pub(crate) fn step_skip_with(
    m: &Model,
    d: &mut Data,
    skip_stage: Stage,
    skip_sensor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    check_belongs(m, d)?;
    let start = now(d);
    check_pos(m, d)?;
    check_vel(m, d)?;
    forward_skip_with(m, d, skip_stage, skip_sensor, set)?;
    check_acc(m, d)?;
    if m.opt.enabled(EnableBit::Fwdinv) {
        compare_fwd_inv(m, d)?;
    }
    let advance = now(d);
    let end = match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Euler) => {
            euler_skip_with(m, d, skip_stage >= Stage::Pos, set)?;
            lap(d, Timer::Advance, advance)
        }
        // evaluates the dynamics, whose stages have timers of their own
        Ok(Integrator::Rk4) => {
            runge_kutta4_with(m, d, set)?;
            now(d)
        }
        Ok(Integrator::Implicit | Integrator::Implicitfast) => {
            implicit_skip_with(m, d, skip_stage >= Stage::Vel, set)?;
            lap(d, Timer::Advance, advance)
        }
        Err(_) => return Err(StepError::Integrator),
    };
    count(d, Timer::Step, end - start);
    Ok(())
}

/// First half of a step: everything that depends on position and velocity only. The user may then set controls.
pub fn step1(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_belongs(m, d)?;
    let start = now(d);
    check_pos(m, d)?;
    check_vel(m, d)?;
    position_stage(m, d, false, Tree::Compute)?;
    velocity_stage(m, d, false, Tree::Compute, &MujocoParts)?;
    control(m, d);
    lap(d, Timer::Step, start);
    Ok(())
}

/// Second half of a step: actuation, constraints, integration. Runge-Kutta cannot be split and becomes Euler.
pub fn step2(m: &Model, d: &mut Data) -> Result<(), StepError> {
    check_belongs(m, d)?;
    let start = now(d);
    // MuJoCo 3.5.0 does not mark the forces of the last `forward` as outdated here: force, torque and acceleration
    // sensors that ask for them keep showing those of that call.
    accelerate(m, d, &MujocoParts)?;
    sensor_acc(m, d);
    check_acc(m, d)?;
    if m.opt.enabled(EnableBit::Fwdinv) {
        compare_fwd_inv(m, d)?;
    }
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicit | Integrator::Implicitfast) => implicit(m, d)?,
        Ok(Integrator::Euler | Integrator::Rk4) | Err(_) => euler(m, d)?,
    }
    lap(d, Timer::Step, start);
    d.timer[Timer::Step as usize].number -= 1;
    Ok(())
}

/// Checks accelerations; after a reset they are computed anew.
pub fn check_acc(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let dofs = awake::dofs(m, d);
    let bad = match dofs.index() {
        Some(_) => dofs.iter().find(|&i| is_bad(d.qacc[i])),
        None => first_bad(&d.qacc),
    };
    if let Some(i) = bad {
        bad_number(m, d, Warning::Badqacc, i)?;
        if !m.opt.disabled(DisableBit::Autoreset) {
            forward(m, d)?;
        }
    }
    Ok(())
}
