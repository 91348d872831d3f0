//! User functions that a simulation calls at fixed places of a step. They belong to the data, so two simulations of
//! the same model may have different ones.

use crate::draw::Canvas;
use crate::enums::Stage;
use crate::{Data, Model};
use std::sync::Arc;

/// Called with the model and the data it may change.
pub type StageCallback = Arc<dyn Fn(&Model, &mut Data) + Send + Sync>;
/// Called for one actuator; returns its activation derivative, gain or bias.
pub type ActuatorCallback = Arc<dyn Fn(&Model, &mut Data, usize) -> f64 + Send + Sync>;
/// Called once per stage to fill user sensors.
pub type SensorCallback = Arc<dyn Fn(&Model, &mut Data, Stage) + Send + Sync>;
/// Called for two geoms; true means that they must not collide.
pub type ContactFilterCallback = Arc<dyn Fn(&Model, &Data, usize, usize) -> bool + Send + Sync>;
/// Returns the time in the unit the timers should have.
pub type TimeCallback = Arc<dyn Fn() -> f64 + Send + Sync>;
/// Called whenever a scene is made of the simulation.
pub type DrawCallback = Arc<dyn Fn(&Model, &Data, &mut dyn Canvas) + Send + Sync>;

/// The installed callbacks.
#[derive(Clone, Default)]
pub struct Callbacks {
    /// Sets controls and applied forces before actuation.
    pub control: Option<StageCallback>,
    /// Adds to `qfrc_passive`.
    pub passive: Option<StageCallback>,
    /// Fills sensors of type user.
    pub sensor: Option<SensorCallback>,
    /// Activation derivative of actuators with user dynamics.
    pub act_dyn: Option<ActuatorCallback>,
    /// Gain of actuators with user gain.
    pub act_gain: Option<ActuatorCallback>,
    /// Bias of actuators with user bias.
    pub act_bias: Option<ActuatorCallback>,
    /// Additional contact filter.
    pub contact_filter: Option<ContactFilterCallback>,
    /// Clock of the timers.
    pub time: Option<TimeCallback>,
    /// Adds shapes and colours to pictures of the simulation.
    pub draw: Option<DrawCallback>,
}

impl Callbacks {
    /// Is there a function that may look at the state, or change it, in the midst of a step?
    pub fn take_part(&self) -> bool {
        self.control.is_some()
            || self.passive.is_some()
            || self.sensor.is_some()
            || self.contact_filter.is_some()
    }
}

impl std::fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callbacks").finish_non_exhaustive()
    }
}
