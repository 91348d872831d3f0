//! Force laws of actuators that come with the engine.

use super::{ActuatorForce, ActuatorState, Part, PartError, check_parameter};
use crate::muscle;

/// A gain that is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedGain {
    /// Force per input.
    pub gain: f64,
}

impl Part for FixedGain {
    fn name(&self) -> &str {
        "fixed"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.gain]
    }
}

impl ActuatorForce for FixedGain {
    fn force(&self, at: &ActuatorState) -> f64 {
        self.gain * at.input
    }

    fn velocity_slope(&self, _: &ActuatorState) -> Option<f64> {
        Some(0.0)
    }
}

/// constant + by_length · length + by_velocity · velocity
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// The value at length and velocity 0.
    pub constant: f64,
    /// Change with the length.
    pub by_length: f64,
    /// Change with the velocity.
    pub by_velocity: f64,
}

impl Affine {
    fn at(&self, at: &ActuatorState) -> f64 {
        self.constant + self.by_length * at.length + self.by_velocity * at.velocity
    }

    fn numbers(&self) -> Vec<f64> {
        vec![self.constant, self.by_length, self.by_velocity]
    }
}

/// A gain that is affine in length and velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AffineGain(pub Affine);

impl Part for AffineGain {
    fn name(&self) -> &str {
        "affine"
    }

    fn parameters(&self) -> Vec<f64> {
        self.0.numbers()
    }
}

impl ActuatorForce for AffineGain {
    fn force(&self, at: &ActuatorState) -> f64 {
        self.0.at(at) * at.input
    }

    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        Some(self.0.by_velocity * at.input)
    }
}

/// A bias that is affine in length and velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AffineBias(pub Affine);

impl Part for AffineBias {
    fn name(&self) -> &str {
        "affine"
    }

    fn parameters(&self) -> Vec<f64> {
        self.0.numbers()
    }
}

impl ActuatorForce for AffineBias {
    fn force(&self, at: &ActuatorState) -> f64 {
        self.0.at(at)
    }

    fn velocity_slope(&self, _: &ActuatorState) -> Option<f64> {
        Some(self.0.by_velocity)
    }
}

/// Active force of a muscle, with the ten numbers of `gainprm`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MuscleGain {
    /// The numbers.
    pub prm: [f64; 10],
}

impl Part for MuscleGain {
    fn name(&self) -> &str {
        "muscle"
    }

    fn parameters(&self) -> Vec<f64> {
        self.prm.to_vec()
    }
}

impl ActuatorForce for MuscleGain {
    fn force(&self, at: &ActuatorState) -> f64 {
        muscle::gain(at.length, at.velocity, at.lengthrange, at.acc0, &self.prm) * at.input
    }

    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        Some(muscle::gain_velocity(at.length, at.velocity, at.lengthrange, at.acc0, &self.prm) * at.input)
    }
}

/// Passive force of a muscle, with the ten numbers of `biasprm`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MuscleBias {
    /// The numbers.
    pub prm: [f64; 10],
}

impl Part for MuscleBias {
    fn name(&self) -> &str {
        "muscle"
    }

    fn parameters(&self) -> Vec<f64> {
        self.prm.to_vec()
    }
}

impl ActuatorForce for MuscleBias {
    fn force(&self, at: &ActuatorState) -> f64 {
        muscle::bias(at.length, at.lengthrange, at.acc0, &self.prm)
    }

    fn velocity_slope(&self, _: &ActuatorState) -> Option<f64> {
        Some(0.0)
    }
}

/// A motor that pulls through a spring with a damper beside it:
/// F = k (ratio · x − length) + d (ratio · ẋ − velocity).
///
/// The position x of the motor is the activation of the actuator, so the actuator needs one: with `dyntype`
/// `integrator` the control is the motor's velocity, with `filterexact` or `filter` its position, which it reaches with
/// a time constant (of one time step, if it should follow at once).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesElastic {
    stiffness: f64,
    damping: f64,
    ratio: f64,
}

impl SeriesElastic {
    /// What model texts and files call it.
    pub const NAME: &'static str = "series_elastic";

    /// Stiffness k of the spring, damping d beside it, length per motor position.
    pub fn new(stiffness: f64, damping: f64, ratio: f64) -> Result<Self, PartError> {
        check_parameter(Self::NAME, "stiffness", stiffness, false)?;
        check_parameter(Self::NAME, "damping", damping, true)?;
        if !ratio.is_finite() || ratio == 0.0 {
            let (part, parameter) = (Self::NAME.to_owned(), "ratio".to_owned());
            return Err(PartError::Value { part, parameter, value: ratio, expected: "finite and not zero" });
        }
        Ok(Self { stiffness, damping, ratio })
    }
}

impl Part for SeriesElastic {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.stiffness, self.damping, self.ratio]
    }
}

impl ActuatorForce for SeriesElastic {
    fn force(&self, at: &ActuatorState) -> f64 {
        self.stiffness * (self.ratio * at.input - at.length)
            + self.damping * (self.ratio * at.input_rate - at.velocity)
    }

    fn velocity_slope(&self, _: &ActuatorState) -> Option<f64> {
        Some(-self.damping)
    }
}
