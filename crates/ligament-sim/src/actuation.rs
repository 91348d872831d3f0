//! Actuators: activation dynamics, forces, joint-space forces.

mod laws;

use crate::access::{Access, access};
use crate::awake;
use crate::part_set::{MujocoParts, PartSet, guarded};
use crate::support::{actuator_disabled, clip, first_bad, group_disabled, next_activation};
use crate::workspace::{Scratches as _, Smooth};
use crate::{history, plugin};
use laws::{CarriedJoints, Laws, Stroke, TendonLimits};
use ligament_math::sparse::{self, Pattern};
use ligament_math::vec3;
use ligament_model::enums::{DisableBit, ObjType, SleepState, Warning};
use ligament_model::parts::{ActuatorPart, ActuatorState, Slot};
use ligament_model::{Data, Model};

/// Pattern of the actuator moments.
pub(crate) fn moment_pattern<'a>(rownnz: &'a [i32], rowadr: &'a [i32], colind: &'a [i32]) -> Pattern<'a> {
    Pattern::new(rownnz, rowadr, colind)
}

/// What [`fwd_actuation`] touches.
pub(crate) const FWD_ACTUATION: Access = access! {
    model {
        actuator_acc0 actuator_actadr actuator_actearly actuator_actlimited actuator_actnum
        actuator_actrange actuator_biasprm actuator_biastype actuator_ctrllimited actuator_ctrlrange
        actuator_dynprm actuator_dyntype actuator_forcelimited actuator_forcerange actuator_gainprm
        actuator_gaintype actuator_group actuator_historyadr actuator_lengthrange actuator_trnid
        actuator_trntype jnt_actfrclimited jnt_actfrcrange jnt_actgravcomp jnt_bodyid jnt_dofadr jnt_type
        tendon_actfrclimited
    }
    reads {
        act actuator_length actuator_moment actuator_velocity body_awake ctrl history moment_colind
        moment_rowadr moment_rownnz qfrc_gravcomp
    }
    writes { act_dot actuator_force qfrc_actuator }
};

/// Activation derivatives, actuator forces and their joint-space effect.
///
/// Reads ctrl act actuator_length actuator_velocity actuator_moment; writes act_dot actuator_force qfrc_actuator.
pub fn fwd_actuation(m: &Model, d: &mut Data) {
    fwd_actuation_with(m, d, &MujocoParts);
}

/// [`fwd_actuation`] with these parts for actuators that have none of their own.
pub(crate) fn fwd_actuation_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    if m.nu == 0 || m.opt.disabled(DisableBit::Actuation) {
        d.actuator_force.fill(0.0);
        d.qfrc_actuator.fill(0.0);
        return;
    }
    let mut ctrl = std::mem::take(&mut d.workspace.scratch().smooth.ctrl);
    effective_controls(m, d, &mut ctrl);
    if m.na > 0 {
        activation_rates(m, d, &ctrl);
    }
    plugin::actuator_rates(m, d);
    let tendon_limited = forces(m, d, &ctrl, set);
    plugin::actuator_forces(m, d);
    d.workspace.scratch().smooth.ctrl = ctrl;
    if tendon_limited {
        let mut total = std::mem::take(&mut d.workspace.scratch().smooth.tendon_force);
        TendonLimits::of(m).scale(&mut d.actuator_force, &mut total);
        d.workspace.scratch().smooth.tendon_force = total;
    }
    laws::limit(&m.actuator_forcelimited, &m.actuator_forcerange, &mut d.actuator_force, |i| i);
    let Data {
        qfrc_actuator,
        actuator_moment,
        actuator_force,
        moment_rownnz,
        moment_rowadr,
        moment_colind,
        ..
    } = d;
    let pattern = moment_pattern(moment_rownnz, moment_rowadr, moment_colind);
    sparse::mul_vec_t(qfrc_actuator, actuator_moment, actuator_force, m.nu, m.nv, pattern);
    add_gravity_compensation(m, d);
    let dof = |j: usize| m.jnt_dofadr[j] as usize;
    laws::limit(&m.jnt_actfrclimited, &m.jnt_actfrcrange, &mut d.qfrc_actuator, dof);
}

fn is_asleep(m: &Model, d: &Data, actuator: usize) -> bool {
    awake::sleep_enabled(m) && awake::sleep_state(m, d, ObjType::Actuator, actuator) == SleepState::Asleep
}

/// A control after delay and clamping.
pub(crate) fn effective_control(m: &Model, d: &Data, i: usize) -> f64 {
    Controls::of(m, &d.ctrl).effective(m, d, i)
}

/// Controls as they are given, and what becomes of them.
struct Controls<'a> {
    given: &'a [f64],
    delay: &'a [f64],
    limited: &'a [u8],
    range: &'a [[f64; 2]],
    clamped: bool,
}

impl<'a> Controls<'a> {
    fn of(m: &'a Model, ctrl: &'a [f64]) -> Self {
        Self {
            given: &ctrl[..m.nu],
            delay: &m.actuator_delay[..m.nu],
            limited: &m.actuator_ctrllimited[..m.nu],
            range: &m.actuator_ctrlrange[..m.nu],
            clamped: !m.opt.disabled(DisableBit::Clampctrl),
        }
    }

    #[inline(always)]
    fn effective(&self, m: &Model, d: &Data, i: usize) -> f64 {
        let mut x = self.given[i];
        if self.delay[i] != 0.0 {
            x = history::read_ctrl(m, d, i, d.time, None);
        }
        if self.limited[i] != 0 && self.clamped { clip(x, self.range[i]) } else { x }
    }
}

/// What a force law may look at.
pub(crate) fn state(m: &Model, d: &Data, ctrl: f64, i: usize) -> ActuatorState {
    let last = usize::try_from(m.actuator_actadr[i]).map(|first| first + m.actuator_actnum[i] as usize - 1);
    ActuatorState {
        actuator: i,
        length: d.actuator_length[i],
        velocity: d.actuator_velocity[i],
        input: input(m, d, ctrl, i),
        input_rate: last.map_or(0.0, |last| d.act_dot[last]),
        ctrl,
        lengthrange: m.actuator_lengthrange[i],
        acc0: m.actuator_acc0[i],
        time: d.time,
        timestep: m.opt.timestep,
    }
}

/// What the gain multiplies: the activation, or the control without one.
#[inline]
fn input(m: &Model, d: &Data, ctrl: f64, i: usize) -> f64 {
    if m.actuator_actadr[i] < 0 { ctrl } else { activation(m, (&d.act, &d.act_dot), i) }
}

/// The activation of an actuator that has one, or the one that it is going to have.
fn activation(m: &Model, (act, act_dot): (&[f64], &[f64]), i: usize) -> f64 {
    let last = m.actuator_actadr[i] as usize + m.actuator_actnum[i] as usize - 1;
    if m.actuator_actearly[i] != 0 { next_activation(m, act[last], i, act_dot[last]) } else { act[last] }
}

/// Forces of all actuators that have parts, by actuator, into the working memory; others keep what was there.
fn part_forces(m: &Model, d: &mut Data, slot: Slot, ctrl: &[f64]) {
    let groups: &[ActuatorPart] = if slot == Slot::Gain { m.parts.gains() } else { m.parts.biases() };
    if groups.is_empty() {
        return;
    }
    let mut smooth = std::mem::take(&mut d.workspace.scratch().smooth);
    let Smooth { actuator_states: states, part_forces: forces, gain_force, bias_force, .. } = &mut *smooth;
    let by_actuator = if slot == Slot::Gain { gain_force } else { bias_force };
    by_actuator.resize(m.nu, 0.0);
    for group in groups {
        states.clear();
        states.extend(group.actuators.iter().map(|&i| state(m, d, ctrl[i], i)));
        forces.clear();
        forces.resize(states.len(), 0.0);
        guarded(d, slot, group.actuators[0], |_| group.part.forces(states, forces));
        for (&i, force) in group.actuators.iter().zip(forces.iter()) {
            by_actuator[i] = *force;
        }
    }
    d.workspace.scratch().smooth = smooth;
}

/// Controls after delay and clamping; one bad control switches all of them off.
fn effective_controls(m: &Model, d: &mut Data, ctrl: &mut Vec<f64>) {
    ctrl.clear();
    let controls = Controls::of(m, &d.ctrl);
    ctrl.extend((0..m.nu).map(|i| controls.effective(m, d, i)));
    if let Some(i) = first_bad(ctrl) {
        d.warn(Warning::Badctrl, i);
        ctrl.fill(0.0);
    }
}

/// act_dot of actuators with state.
#[inline(never)]
fn activation_rates(m: &Model, d: &mut Data, ctrl: &[f64]) {
    for i in 0..m.nu {
        let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
        if is_asleep(m, d, i) {
            continue;
        }
        let count = m.actuator_actnum[i] as usize;
        d.act_dot[first..first + count].fill(0.0);
        // the last activation is the one that makes force; plugins keep their own state before it
        let last = first + count - 1;
        match laws::rate(m.actuator_dyntype[i], &m.actuator_dynprm[i], ctrl[i], d.act[last]) {
            Some(rate) => d.act_dot[last] = rate,
            None => {
                if let Some(callback) = d.callbacks.act_dyn.clone() {
                    let rate = callback(m, d, i);
                    if count == 1 {
                        d.act_dot[last] = rate;
                    }
                }
            }
        }
    }
}

/// Forces: gain · input + bias. Returns whether a tendon with a force limit is actuated.
fn forces(m: &Model, d: &mut Data, ctrl: &[f64], set: &impl PartSet) -> bool {
    let has_callbacks = d.callbacks.act_gain.is_some() || d.callbacks.act_bias.is_some();
    let has_parts = set.has_own_gain() || !m.parts.gains().is_empty() || !m.parts.biases().is_empty();
    if has_callbacks || has_parts || awake::sleep_enabled(m) || m.nplugin > 0 {
        return forces_one_by_one(m, d, ctrl, set);
    }
    let limits = TendonLimits::of(m);
    let Data { actuator_force, actuator_length, actuator_velocity, act, act_dot, .. } = d;
    let (force, ctrl) = (&mut actuator_force[..m.nu], &ctrl[..m.nu]);
    let (actadr, group) = (&m.actuator_actadr[..m.nu], &m.actuator_group[..m.nu]);
    let laws = Laws::of(m, actuator_length, actuator_velocity);
    let mut tendon_limited = false;
    for i in 0..m.nu {
        if m.opt.disableactuator != 0 && group_disabled(m, group[i]) {
            force[i] = 0.0;
            continue;
        }
        tendon_limited |= m.ntendon > 0 && limits.tendon(i).is_some();
        let input = if actadr[i] < 0 { ctrl[i] } else { activation(m, (act, act_dot), i) };
        // laws of the user's that nobody has given
        let (gain, bias) = (laws.gain(i).unwrap_or(1.0), laws.bias(i).unwrap_or(0.0));
        force[i] = gain * input + bias;
    }
    tendon_limited
}

/// [`forces`] where callbacks, parts of other people's, plugins or sleeping trees take part.
#[inline(never)]
fn forces_one_by_one(m: &Model, d: &mut Data, ctrl: &[f64], set: &impl PartSet) -> bool {
    let mut tendon_limited = false;
    let limits = TendonLimits::of(m);
    d.actuator_force.fill(0.0);
    part_forces(m, d, Slot::Gain, ctrl);
    part_forces(m, d, Slot::Bias, ctrl);
    for i in 0..m.nu {
        if is_asleep(m, d, i) || actuator_disabled(m, i) || m.actuator_plugin[i] >= 0 {
            continue;
        }
        tendon_limited |= limits.tendon(i).is_some();
        let active = match m.parts.gain(i) {
            None => {
                let input = input(m, d, ctrl[i], i);
                set.active_force(m, d, ctrl[i], i, input)
            }
            Some(_) => d.workspace.scratch().smooth.gain_force[i],
        };
        d.actuator_force[i] = active;
        d.actuator_force[i] += match m.parts.bias(i) {
            None => bias(m, d, i),
            Some(_) => d.workspace.scratch().smooth.bias_force[i],
        };
    }
    tendon_limited
}

/// Derivative of gain × input with respect to velocity.
///
/// MuJoCo 3.5.0 takes the control as it was given here, not as it was clamped.
pub(crate) fn active_slope(m: &Model, d: &Data, i: usize) -> f64 {
    let gain_slope = laws::gain_slope(m.actuator_gaintype[i], &m.actuator_gainprm[i], &stroke(m, d, i));
    if gain_slope == 0.0 {
        return 0.0;
    }
    gain_slope * input(m, d, d.ctrl[i], i)
}

#[inline]
fn stroke(m: &Model, d: &Data, i: usize) -> Stroke {
    Stroke {
        length: d.actuator_length[i],
        velocity: d.actuator_velocity[i],
        lengthrange: m.actuator_lengthrange[i],
        acc0: m.actuator_acc0[i],
    }
}

pub(crate) fn gain(m: &Model, d: &mut Data, i: usize) -> f64 {
    let own = laws::gain(m.actuator_gaintype[i], &m.actuator_gainprm[i], || stroke(m, d, i));
    own.unwrap_or_else(|| match d.callbacks.act_gain.clone() {
        Some(callback) => callback(m, d, i),
        None => 1.0,
    })
}

fn bias(m: &Model, d: &mut Data, i: usize) -> f64 {
    let own = laws::bias(m.actuator_biastype[i], &m.actuator_biasprm[i], || stroke(m, d, i));
    own.unwrap_or_else(|| match d.callbacks.act_bias.clone() {
        Some(callback) => callback(m, d, i),
        None => 0.0,
    })
}

/// Gravity compensation of the joints that ask for it counts as actuator force.
fn add_gravity_compensation(m: &Model, d: &mut Data) {
    if m.ngravcomp == 0 || m.opt.disabled(DisableBit::Gravity) || vec3::norm(m.opt.gravity) == 0.0 {
        return;
    }
    let joints = CarriedJoints { carried: &m.jnt_actgravcomp, kind: &m.jnt_type, dof: &m.jnt_dofadr };
    joints.add(&d.qfrc_gravcomp, &mut d.qfrc_actuator);
}
