//! Laws of actuators and what limits their forces: kernels on numbers and slices.

use crate::muscle;
use crate::support::clip;
use ligament_math::MINVAL;
use ligament_model::Model;
use ligament_model::enums::{BiasType, DynType, GainType, JointType, TrnType};

/// Parameters of a law.
type Parameters = [f64; 10];

/// Where an actuator is, and what muscles are scaled by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub length: f64,
    pub velocity: f64,
    pub lengthrange: [f64; 2],
    pub acc0: f64,
}

/// Rate of an activation; `None` where a law of the user's takes its place.
pub(super) fn rate(kind: i32, prm: &Parameters, ctrl: f64, act: f64) -> Option<f64> {
    match DynType::try_from(kind) {
        Ok(DynType::Integrator) => Some(ctrl),
        Ok(DynType::Filter | DynType::Filterexact) => Some((ctrl - act) / prm[0].max(MINVAL)),
        Ok(DynType::Muscle) => Some(muscle::dynamics(ctrl, act, [prm[0], prm[1], prm[2]])),
        Ok(DynType::User | DynType::None) | Err(_) => None,
    }
}

#[inline]
fn affine(prm: &Parameters, at: &Stroke) -> f64 {
    prm[0] + prm[1] * at.length + prm[2] * at.velocity
}

/// What multiplies the input; `None`: a law of the user's. Most laws don't look where the actuator is.
#[inline]
pub(super) fn gain(kind: i32, prm: &Parameters, at: impl Fn() -> Stroke) -> Option<f64> {
    match GainType::try_from(kind) {
        Ok(GainType::Fixed) => Some(prm[0]),
        Ok(GainType::Affine) => Some(affine(prm, &at())),
        Ok(GainType::Muscle) => Some(muscle_gain(prm, &at())),
        Ok(GainType::User) | Err(_) => None,
    }
}

#[inline(never)]
fn muscle_gain(prm: &Parameters, at: &Stroke) -> f64 {
    muscle::gain(at.length, at.velocity, at.lengthrange, at.acc0, prm)
}

/// Derivative of the gain with respect to velocity; laws of the user's are taken for constant.
pub(super) fn gain_slope(kind: i32, prm: &Parameters, at: &Stroke) -> f64 {
    match GainType::try_from(kind) {
        Ok(GainType::Affine) => prm[2],
        Ok(GainType::Muscle) => muscle::gain_velocity(at.length, at.velocity, at.lengthrange, at.acc0, prm),
        Ok(GainType::Fixed | GainType::User) | Err(_) => 0.0,
    }
}

/// Force without input; `None`: a law of the user's.
#[inline]
pub(super) fn bias(kind: i32, prm: &Parameters, at: impl Fn() -> Stroke) -> Option<f64> {
    match BiasType::try_from(kind) {
        Ok(BiasType::None) => Some(0.0),
        Ok(BiasType::Affine) => Some(affine(prm, &at())),
        Ok(BiasType::Muscle) => Some(muscle_bias(prm, &at())),
        Ok(BiasType::User) | Err(_) => None,
    }
}

#[inline(never)]
fn muscle_bias(prm: &Parameters, at: &Stroke) -> f64 {
    muscle::bias(at.length, at.lengthrange, at.acc0, prm)
}

/// Laws of all actuators, and where these are.
pub(super) struct Laws<'a> {
    gain: (&'a [i32], &'a [Parameters]),
    bias: (&'a [i32], &'a [Parameters]),
    length: &'a [f64],
    velocity: &'a [f64],
    lengthrange: &'a [[f64; 2]],
    acc0: &'a [f64],
}

impl<'a> Laws<'a> {
    pub fn of(m: &'a Model, length: &'a [f64], velocity: &'a [f64]) -> Self {
        let n = m.nu;
        Self {
            gain: (&m.actuator_gaintype[..n], &m.actuator_gainprm[..n]),
            bias: (&m.actuator_biastype[..n], &m.actuator_biasprm[..n]),
            length: &length[..n],
            velocity: &velocity[..n],
            lengthrange: &m.actuator_lengthrange[..n],
            acc0: &m.actuator_acc0[..n],
        }
    }

    #[inline(always)]
    fn stroke(&self, i: usize) -> Stroke {
        let (length, velocity) = (self.length[i], self.velocity[i]);
        Stroke { length, velocity, lengthrange: self.lengthrange[i], acc0: self.acc0[i] }
    }

    /// See [`gain`].
    #[inline(always)]
    pub fn gain(&self, i: usize) -> Option<f64> {
        gain(self.gain.0[i], &self.gain.1[i], || self.stroke(i))
    }

    /// See [`bias`].
    #[inline(always)]
    pub fn bias(&self, i: usize) -> Option<f64> {
        bias(self.bias.0[i], &self.bias.1[i], || self.stroke(i))
    }
}

/// Keeps values in their ranges where these are limits; `place` says which value belongs to a limit.
pub(super) fn limit(limited: &[u8], ranges: &[[f64; 2]], values: &mut [f64], place: impl Fn(usize) -> usize) {
    for (i, (&limited, &range)) in limited.iter().zip(ranges).enumerate() {
        if limited != 0 {
            let value = &mut values[place(i)];
            *value = clip(*value, range);
        }
    }
}

/// Tendons whose actuators together are limited.
pub(super) struct TendonLimits<'a> {
    /// Kind and ids of each actuator's transmission.
    transmissions: (&'a [i32], &'a [[i32; 2]]),
    limited: &'a [u8],
    range: &'a [[f64; 2]],
}

impl<'a> TendonLimits<'a> {
    pub fn of(m: &'a Model) -> Self {
        Self {
            transmissions: (&m.actuator_trntype, &m.actuator_trnid),
            limited: &m.tendon_actfrclimited,
            range: &m.tendon_actfrcrange,
        }
    }

    /// The limited tendon that an actuator pulls.
    pub fn tendon(&self, actuator: usize) -> Option<usize> {
        let (kind, id) = self.transmissions;
        let tendon = (kind[actuator] == TrnType::Tendon as i32).then(|| id[actuator][0] as usize);
        tendon.filter(|&tendon| self.limited[tendon] != 0)
    }

    /// Scales the forces of all actuators of a tendon when their sum is outside the tendon's range.
    #[inline(never)]
    pub fn scale(&self, force: &mut [f64], total: &mut Vec<f64>) {
        total.clear();
        total.resize(self.limited.len(), 0.0);
        for (i, &force) in force.iter().enumerate() {
            if let Some(tendon) = self.tendon(i) {
                total[tendon] += force;
            }
        }
        for (i, force) in force.iter_mut().enumerate() {
            let Some(tendon) = self.tendon(i) else { continue };
            let (sum, [lower, upper]) = (total[tendon], self.range[tendon]);
            if sum != 0.0 {
                if sum < lower {
                    *force *= lower / sum;
                } else if sum > upper {
                    *force *= upper / sum;
                }
            }
        }
    }
}

/// Joints whose actuators carry their weight.
pub(super) struct CarriedJoints<'a> {
    pub carried: &'a [u8],
    pub kind: &'a [i32],
    pub dof: &'a [i32],
}

impl CarriedJoints<'_> {
    /// Gravity compensation of these joints counts as actuator force.
    pub fn add(&self, compensation: &[f64], force_out: &mut [f64]) {
        for (j, _) in self.carried.iter().enumerate().filter(|(_, carried)| **carried != 0) {
            let count = match JointType::try_from(self.kind[j]) {
                Ok(JointType::Free) => 6,
                Ok(JointType::Ball) => 3,
                Ok(JointType::Slide | JointType::Hinge) => 1,
                Err(_) => 0,
            };
            let start = self.dof[j] as usize;
            for i in start..start + count {
                force_out[i] += compensation[i];
            }
        }
    }
}
