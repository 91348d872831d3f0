//! The methods that make and advance a simulation.

use ligament_model::{Data, Model};
use ligament_sim::reset::{self, ResetError};
use ligament_sim::solver;
use ligament_sim::step::{self, StepError};

/// Making a simulation of a model.
pub trait MakeData {
    /// A simulation that starts at the initial configuration.
    fn make_data(&self) -> Result<Data, ResetError>;
}

impl MakeData for Model {
    fn make_data(&self) -> Result<Data, ResetError> {
        reset::make_data(self)
    }
}

/// Advancing and resetting a simulation. The model must be the one that the data were made for.
pub trait Simulate {
    /// Advances by one time step.
    fn step(&mut self, model: &Model) -> Result<(), StepError>;
    /// Computes everything up to the acceleration without moving the state.
    fn forward(&mut self, model: &Model) -> Result<(), StepError>;
    /// Did the constraint solver reach its tolerance in the last step or forward computation?
    fn converged(&self, model: &Model) -> bool;
    /// Returns to the initial configuration.
    fn reset(&mut self, model: &Model) -> Result<(), ResetError>;
    /// Returns to a keyframe; a key that does not exist gives the initial configuration.
    fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), ResetError>;
}

impl Simulate for Data {
    fn step(&mut self, model: &Model) -> Result<(), StepError> {
        step::step(model, self)
    }

    fn forward(&mut self, model: &Model) -> Result<(), StepError> {
        step::forward(model, self)
    }

    fn converged(&self, model: &Model) -> bool {
        solver::converged(model, self)
    }

    fn reset(&mut self, model: &Model) -> Result<(), ResetError> {
        reset::reset_data(model, self)
    }

    fn reset_to_keyframe(&mut self, model: &Model, key: usize) -> Result<(), ResetError> {
        reset::reset_data_keyframe(model, self, i32::try_from(key).unwrap_or(-1))
    }
}
