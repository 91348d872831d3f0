//! What the stages know of exchangeable parts: which set serves elements without a part of their own, and how other
//! people's parts are called. The parts themselves are in [`crate::parts`].

use crate::error::StepError;
use crate::workspace::Scratches as _;
use ligament_model::fault::Fault;
use ligament_model::parts::Slot;
use ligament_model::{Data, Model};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the stages call for elements to which the model gives no part. Monomorphic: no call through a table.
pub(crate) trait PartSet {
    fn bending(&self, m: &Model, d: &mut Data, flex: usize);
    fn elasticity(&self, m: &Model, d: &mut Data, flex: usize);
    /// Velocity derivatives of both.
    fn flex_slopes(&self, m: &Model, d: &mut Data, flex: usize);
    /// Does something else than MuJoCo's law make the forces that follow inputs?
    fn has_own_gain(&self) -> bool;
    /// The force that follows the input of an actuator; MuJoCo: gain × input.
    fn active_force(&self, m: &Model, d: &mut Data, ctrl: f64, actuator: usize, input: f64) -> f64;
    /// Its derivative by velocity.
    fn active_slope(&self, m: &Model, d: &Data, actuator: usize) -> f64;
    /// See [`ConstraintSolver::solve`](ligament_model::parts::ConstraintSolver::solve).
    fn solve(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>);
    fn inverse(&self, m: &Model, d: &mut Data) -> bool;
}

/// MuJoCo's own; what it does stands in [`crate::parts`], above the stages.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MujocoParts;

/// Runs a part of the model, which is other people's code: what it panics with is kept for the error of the step.
pub(crate) fn guarded(d: &mut Data, slot: Slot, element: usize, call: impl FnOnce(&mut Data)) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| call(d))) {
        let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        d.fault = Some(Fault::Part(slot, element));
        d.workspace.scratch().part_failure = text.unwrap_or_else(|| "it gave no reason".to_owned());
    }
}

/// Lets the step end with the error that a part cannot do what it is asked for.
pub(crate) fn refuse(d: &mut Data, slot: Slot, element: usize, reason: &str) {
    d.fault = Some(Fault::Part(slot, element));
    d.workspace.scratch().part_failure = reason.to_owned();
}

/// The error of a part that failed since the last check.
pub(crate) fn check(m: &Model, d: &mut Data) -> Result<(), StepError> {
    let Some(Fault::Part(slot, element)) = d.fault else { return Ok(()) };
    d.fault = None;
    let name = match slot {
        Slot::Bending => m.parts.bending(element).map(|x| x.part.name()),
        Slot::Elasticity => m.parts.elasticity(element).map(|x| x.part.name()),
        Slot::Gain => m.parts.gain(element).map(|x| x.name()),
        Slot::Bias => m.parts.bias(element).map(|x| x.name()),
        Slot::Solver => m.parts.solver().map(|x| x.name()),
    };
    Err(StepError::Part {
        slot,
        part: name.unwrap_or_default().to_owned(),
        element: slot.element(m, element),
        reason: std::mem::take(&mut d.workspace.scratch().part_failure),
    })
}
