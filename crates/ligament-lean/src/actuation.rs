//! Activation rates and actuator forces of joints and tendons.

use crate::lane::{Lane, Mask};
use crate::muscle;
use crate::tables::{Actuator, Bias, Dynamics, Gain, Tables, Transmission};
use crate::world::World;
use ligament_model::constants::MAXVAL;

#[inline(always)]
pub(crate) fn clip<L: Lane>(x: L, [lower, upper]: [L; 2]) -> L {
    L::select(x.lt(lower), lower, L::select(x.gt(upper), upper, x))
}

/// Activation after one time step.
#[inline(always)]
pub(crate) fn next_activation<L: Lane>(actuator: &Actuator<L>, timestep: L, act: L, rate: L) -> L {
    let advance = match actuator.dynamics {
        Dynamics::Filter { advance, .. } => advance,
        Dynamics::Integrator | Dynamics::Muscle { .. } | Dynamics::None => timestep,
    };
    let next = act + rate * advance;
    actuator.actrange.map_or(next, |range| clip(next, range))
}

/// Writes act_dot, qfrc_actuator and actuator_slope; adds to qfrc_smooth.
#[inline(always)]
pub(crate) fn actuation<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let tables = &t.actuation;
    w.qfrc_actuator.fill(L::zero());
    let good = good_controls(t, w);
    for (i, actuator) in tables.actuators.iter().enumerate() {
        let ctrl = clamped(actuator, w.ctrl[i]).masked(good);
        actuate(t, w, i, actuator, ctrl);
    }
    for &dof in &tables.gravcomp_dofs {
        let dof = dof as usize;
        w.qfrc_actuator[dof] += w.qfrc_gravcomp[dof];
    }
    for limit in &tables.dof_ranges {
        let dof = limit.dof as usize;
        w.qfrc_actuator[dof] = clip(w.qfrc_actuator[dof], limit.range);
    }
    for (x, f) in w.qfrc_smooth.iter_mut().zip(&w.qfrc_actuator) {
        *x += *f;
    }
}

#[inline(always)]
fn clamped<L: Lane>(actuator: &Actuator<L>, ctrl: L) -> L {
    actuator.ctrlrange.map_or(ctrl, |range| clip(ctrl, range))
}

/// One bad control switches off all controls of its world.
#[inline(always)]
fn good_controls<L: Lane>(t: &Tables<L>, w: &World<L>) -> L::Mask {
    let mut good = !L::none();
    for (i, actuator) in t.actuation.actuators.iter().enumerate() {
        good = good & clamped(actuator, w.ctrl[i]).abs().le(L::splat(MAXVAL));
    }
    good
}

#[inline(always)]
fn actuate<L: Lane>(t: &Tables<L>, w: &mut World<L>, i: usize, actuator: &Actuator<L>, ctrl: L) {
    let input = match usize::try_from(actuator.actadr) {
        Err(_) => ctrl,
        Ok(adr) => {
            let rate = match actuator.dynamics {
                Dynamics::Integrator | Dynamics::None => ctrl,
                Dynamics::Filter { tau, .. } => (ctrl - w.act[adr]) / tau,
                Dynamics::Muscle { times, width } => muscle::rate(times, width, ctrl, w.act[adr]),
            };
            w.act_dot[adr] = rate;
            if actuator.early { next_activation(actuator, t.timestep, w.act[adr], rate) } else { w.act[adr] }
        }
    };
    w.actuator_slope[i] = L::zero();
    if actuator.disabled {
        return;
    }
    let (length, velocity) = match actuator.transmission {
        Transmission::Joint { dof, qposadr } => (w.qpos[qposadr as usize], w.qvel[dof as usize]),
        Transmission::Tendon { tendon } => (w.ten_length[tendon as usize], w.ten_velocity[tendon as usize]),
    };
    let (length, velocity) = (length * actuator.gear, velocity * actuator.gear);
    // the exact engine takes the control as given for the slope of its gain
    let raw = if actuator.actadr < 0 { w.ctrl[i] } else { input };
    let mut slope = L::zero();
    let gain = match actuator.gain {
        Gain::Fixed(gain) => gain,
        Gain::Affine([a, b, c]) => {
            slope += raw * c;
            length * b + velocity * c + a
        }
        Gain::Muscle(m) => {
            let (gain, by_velocity) = muscle::gain(&m, length, velocity);
            slope += raw * by_velocity;
            gain
        }
    };
    let mut force = gain * input;
    match actuator.bias {
        Bias::None => {}
        Bias::Affine([a, b, c]) => {
            slope += c;
            force += length * b + velocity * c + a;
        }
        Bias::Muscle(m) => force += muscle::bias(&m, length),
    }
    if let Some(range) = actuator.forcerange {
        force = clip(force, range);
        let inside = force.gt(range[0]) & force.lt(range[1]);
        slope = slope.masked(inside);
    }
    w.actuator_slope[i] = slope;
    match actuator.transmission {
        Transmission::Joint { dof, .. } => w.qfrc_actuator[dof as usize] += force * actuator.gear,
        Transmission::Tendon { tendon } => {
            let tendon = &t.actuation.tendons[tendon as usize];
            for (at, &dof) in tendon.dofs.iter().enumerate() {
                w.qfrc_actuator[dof as usize] +=
                    w.ten_J[tendon.start as usize + at] * (force * actuator.gear);
            }
        }
    }
}

/// Are there lanes at all in the mask?
#[inline(always)]
pub(crate) fn any<L: Lane>(mask: L::Mask) -> bool {
    mask.bits() & L::all_bits() != 0
}
