//! Why a state cannot be initialised or moved on.

use crate::plugin::PluginError;
use crate::tendon::GeomWrapping;
use ligament_model::parts::Slot;

/// Why a step could not be computed. The state is then unspecified.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum StepError {
    #[error("the state was made for another model")]
    OtherModel,
    #[error(
        "{contacts} contacts and {rows} constraint rows need more memory than the {} MB of this state: \
         let fewer geoms touch, or raise the limit (`Data::memory`; in Python `data.set_limits(memory=...)`)", budget >> 20
    )]
    Memory { contacts: usize, rows: usize, budget: u64 },
    #[error(
        "collision detection or the constraint solver needs more than the {0} operations of this state: let fewer \
         geoms touch, allow fewer iterations, or raise the limit (`Data::effort`, or `Data::memory` where it is the solver's factor \
         that grows; in Python `data.set_limits(effort=..., memory=...)`)"
    )]
    Effort(u64),
    #[error(
        "contact {0} names a geom, flex, element or vertex that does not exist, or has an impossible dimension"
    )]
    Contact(usize),
    #[error("invalid integrator")]
    Integrator,
    #[error("mj_fwdConstraint: unknown solver type {0}")]
    Solver(i32),
    #[error("discrete inverse dynamics is not supported by RK4 integrator")]
    DiscreteInverse,
    #[error("RK4 integrator is not supported")]
    DifferencesRk4,
    #[error(
        "finite differences need more operations than the steps of a call may take: ask for fewer of them, or raise the \
         limit (`Data::effort`; in Python `data.set_limits(effort=...)`)"
    )]
    DifferencesEffort,
    #[error("delays are not supported")]
    DifferencesDelay,
    #[error("noslip solver is not supported")]
    DifferencesNoslip,
    #[error("diagonal element too small: implicit inertia is singular at dof {dof}")]
    SingularInertia { dof: usize },
    #[error("{part} ({slot}) of {element} failed: {reason}", slot = .slot.word())]
    Part { slot: Slot, part: String, element: String, reason: String },
    #[error("{element} asks for the {slot} part \"{part}\", which nobody provided: complete the model with a library \
             that has it", slot = .slot.word())]
    MissingPart { slot: Slot, part: String, element: String },
    #[error(transparent)]
    TendonArmature(#[from] GeomWrapping),
    #[error(transparent)]
    Reset(#[from] ResetError),
}

/// Why the state of a model cannot be initialised.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum ResetError {
    #[error("the state was made for another model")]
    OtherModel,
    #[error(transparent)]
    Plugin(#[from] PluginError),
    #[error("history buffers require positive timestep, got {0}")]
    HistoryTimestep(f64),
    #[error(
        "{wanted} trees were marked as sleep='init' but only {slept} could be slept.\n\
         Body '{name}' (id={body}) is the root of the first tree that could not be slept."
    )]
    CannotSleep { wanted: usize, slept: usize, body: usize, name: String },
}
