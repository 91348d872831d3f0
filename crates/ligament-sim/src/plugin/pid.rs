//! PID control of an actuator's length towards its control or activation.
//!
//! The activations of such an actuator are, in this order and as far as needed: the error integral, the
//! last set point (to limit its rate), and the state of the actuator's own dynamics.

use super::{PluginError, Settings};
use crate::support::next_activation;
use ligament_model::enums::DynType;
use ligament_model::plugin::Pid;
use ligament_model::{Data, Model};

pub fn instantiate(settings: Settings<'_>) -> Result<Pid, PluginError> {
    let m = settings.m;
    let gain = |key: &str| settings.number(key).map(|value| value.unwrap_or(0.0));
    let i_gain = gain("ki")?;
    // the bound is given as a force, the integral is bounded before the gain
    let integral_max = settings.number("imax")?.filter(|_| i_gain != 0.0).map(|force| force / i_gain);
    let slew_max = settings.number("slewmax")?;
    if integral_max.is_some_and(|x| x < 0.0) {
        return Err(settings.error("negative imax"));
    }
    if slew_max.is_some_and(|x| x < 0.0) {
        return Err(settings.error("slewmax must be non-negative"));
    }
    let uses = |&i: &usize| usize::try_from(m.actuator_plugin[i]) == Ok(settings.instance);
    let actuators: Vec<usize> = (0..m.nu).filter(uses).collect();
    if actuators.is_empty() {
        return Err(settings.error("actuator not found for plugin instance"));
    }
    let pid = Pid { p_gain: gain("kp")?, i_gain, d_gain: gain("kd")?, integral_max, slew_max, actuators };
    for &actuator in &pid.actuators {
        let dynamics = DynType::try_from(m.actuator_dyntype[actuator]);
        let filtered = matches!(dynamics, Ok(DynType::Filter | DynType::Filterexact | DynType::Integrator));
        let expected = state_count(&pid) + usize::from(filtered);
        let found = m.actuator_actnum[actuator];
        if found != expected as i32 {
            return Err(settings.error(format!(
                "actuator {actuator} has actdim {found}, expected {expected}. Add actdim=\"{expected}\" to the actuator plugin element."
            )));
        }
    }
    Ok(pid)
}

/// Activations that the controller itself needs.
fn state_count(pid: &Pid) -> usize {
    usize::from(pid.i_gain != 0.0) + usize::from(pid.slew_max.is_some())
}

fn has_dynamics(m: &Model, actuator: usize) -> bool {
    m.actuator_dyntype[actuator] != DynType::None as i32
}

/// Address of the state of the actuator's own dynamics: the last of its activations.
fn dynamics_address(m: &Model, actuator: usize) -> usize {
    (m.actuator_actadr[actuator] + m.actuator_actnum[actuator] - 1) as usize
}

/// What the length is driven to, limited in its rate of change.
fn set_point(m: &Model, d: &Data, pid: &Pid, actuator: usize, early: bool) -> f64 {
    let target = if !has_dynamics(m, actuator) {
        let [low, high] = m.actuator_ctrlrange[actuator];
        let ctrl = d.ctrl[actuator];
        if m.actuator_ctrllimited[actuator] != 0 { ctrl.max(low).min(high) } else { ctrl }
    } else {
        let address = dynamics_address(m, actuator);
        if early { next_activation(m, d.act[address], actuator, d.act_dot[address]) } else { d.act[address] }
    };
    match pid.slew_max {
        Some(slew) if d.time > 0.0 => {
            let last = d.act[m.actuator_actadr[actuator] as usize + usize::from(pid.i_gain != 0.0)];
            let reach = slew * m.opt.timestep;
            target.max(last - reach).min(last + reach)
        }
        _ => target,
    }
}

/// The error integral at the end of the step.
fn next_integral(m: &Model, d: &Data, pid: &Pid, actuator: usize, error: f64) -> f64 {
    let integral = d.act[m.actuator_actadr[actuator] as usize] + error * m.opt.timestep;
    pid.integral_max.map_or(integral, |bound| integral.max(-bound).min(bound))
}

pub fn rates(m: &Model, d: &mut Data, pid: &Pid) {
    let dt = m.opt.timestep;
    for &actuator in &pid.actuators {
        let target = set_point(m, d, pid, actuator, false);
        let error = target - d.actuator_length[actuator];
        let mut address = m.actuator_actadr[actuator] as usize;
        if pid.i_gain != 0.0 {
            d.act_dot[address] = (next_integral(m, d, pid, actuator, error) - d.act[address]) / dt;
            address += 1;
        }
        if pid.slew_max.is_some() {
            d.act_dot[address] = (target - d.act[address]) / dt;
        }
    }
}

pub fn forces(m: &Model, d: &mut Data, pid: &Pid) {
    for &actuator in &pid.actuators {
        let target = set_point(m, d, pid, actuator, m.actuator_actearly[actuator] != 0);
        let error = target - d.actuator_length[actuator];
        let target_rate =
            if has_dynamics(m, actuator) { d.act_dot[dynamics_address(m, actuator)] } else { 0.0 };
        let error_rate = target_rate - d.actuator_velocity[actuator];
        let integral = if pid.i_gain != 0.0 { next_integral(m, d, pid, actuator, error) } else { 0.0 };
        d.actuator_force[actuator] = pid.p_gain * error + pid.d_gain * error_rate + pid.i_gain * integral;
    }
}
