//! Settings of the search for actuator length ranges.

use crate::enums::LRMode;

/// How length ranges are computed (`mjLROpt`).
#[derive(Debug, Clone, PartialEq)]
pub struct LengthRangeOptions {
    /// Which actuators get one.
    pub mode: LRMode,
    /// Keep a range that the model already has.
    pub useexisting: bool,
    /// Take the limits of joint or tendon when there are any.
    pub uselimit: bool,
    /// Acceleration that the pulling force should cause.
    pub accel: f64,
    /// Largest pulling force; 0: no limit.
    pub maxforce: f64,
    /// Time constant of velocity reduction, at least 0.01.
    pub timeconst: f64,
    /// Time step of the simulation; 0: that of the model.
    pub timestep: f64,
    /// Simulated time.
    pub inttotal: f64,
    /// Time at the end in which the extreme length is measured.
    pub interval: f64,
    /// Allowed spread in that time, relative to the range.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        Self {
            mode: LRMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}
