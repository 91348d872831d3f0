//! What can go wrong in a world, and in a call.

use crate::randomize::Distribution;
use ligament_lean::Refusal;
use ligament_model::enums::{ObjType, Warning};
use ligament_render::RenderError;
use ligament_sim::reset::ResetError;
use ligament_sim::setconst::SetConstError;
use ligament_sim::state::StateError;
use ligament_sim::step::StepError;

/// What happened to one world in its last call. The other worlds are not concerned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum WorldError {
    #[error(transparent)]
    Step(#[from] StepError),
    #[error(transparent)]
    Reset(#[from] ResetError),
    #[error(transparent)]
    SetConst(#[from] SetConstError),
    #[error(transparent)]
    State(#[from] StateError),
    /// A parameter of this world points outside of the model.
    #[error("the parameters of this world are inconsistent: {0}")]
    Parameters(String),
    /// A failed assumption inside the engine or inside a function of the user.
    #[error("panic: {0}")]
    Panic(String),
    /// Numbers became infinite, too large, or NaN; unless switched off, the world was reset and went on.
    #[error("bad number in {}{}: {}", bad_field(*.warning), place(*.index), if *.reset { "the world was reset" } else { "automatic reset is off" })]
    Diverged { warning: Warning, index: i32, reset: bool },
    /// The call was ended before this world was done.
    #[error("interrupted: the world keeps its state")]
    Interrupted,
    /// What a function of the user says.
    #[error("{0}")]
    Other(String),
}

impl WorldError {
    /// Whether the call had no effect on the world. A world that diverged was reset instead and went on.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Self::Diverged { .. })
    }

    /// The number that stands for it in `status`: 1 and more for failures, -1 for divergence.
    pub fn status(&self) -> i32 {
        match self {
            Self::Diverged { .. } => -1,
            Self::Panic(_) => 2,
            _ => 1,
        }
    }
}

/// Worlds on a device do not say where.
fn place(index: i32) -> String {
    if index < 0 { String::new() } else { format!(" at index {index}") }
}

fn bad_field(warning: Warning) -> &'static str {
    match warning {
        Warning::Badqpos => "qpos",
        Warning::Badqvel => "qvel",
        Warning::Badqacc => "qacc",
        Warning::Badctrl => "ctrl",
        _ => "the state",
    }
}

/// Why a call was refused. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum BatchError {
    #[error("a batch needs at least one world")]
    NoWorlds,
    #[error("nthread must be at most {}, got {got}", crate::batch::MAX_THREADS)]
    Threads { got: usize },
    #[error("not enough memory for {rows} worlds of {bytes} bytes")]
    Memory { rows: usize, bytes: usize },
    #[error(
        "the model lets trees sleep, which is remembered outside of the state rows: make the batch persistent"
    )]
    SleepNeedsPersistent,
    #[error("the model is inconsistent: {0}")]
    Model(String),
    /// The model has something that lean steps have not.
    #[error(transparent)]
    Lean(#[from] Refusal),
    #[error(transparent)]
    Reset(#[from] ResetError),
    #[error("ids must be in [0, {worlds}), got {id}")]
    IdRange { id: i64, worlds: usize },
    #[error("ids must rise, got {before} before {after}")]
    IdOrder { before: i32, after: i32 },
    #[error("no result '{0}': arrays of fixed size, counts and parts of the state can be bound")]
    UnknownResult(String),
    #[error(
        "no parameter '{0}': arrays of the model that are not assets, and opt.<name>, can differ between worlds"
    )]
    UnknownParameter(String),
    #[error("keyframe must be in [-1, {count}), got {key}")]
    Keyframe { key: i32, count: usize },
    #[error("{what} has {got} numbers, expected {expected}")]
    Length { what: &'static str, got: usize, expected: usize },
    #[error("body must be in [0, {count}), got {body}")]
    Body { body: i32, count: usize },
    #[error("bodyexclude must be in [-1, {count}), got {body}")]
    BodyExclude { body: i32, count: usize },
    #[error(transparent)]
    Render(#[from] RenderError),
    #[error("vector length is too small")]
    ShortRay,
    #[error(transparent)]
    State(#[from] StateError),
    #[error("control_spec can only contain bits in mjSTATE_USER")]
    ControlSpec,
    #[error("worlds run on models of the caller: parameters cannot be expanded; set_models(None) first")]
    CallerModels,
    #[error("worlds have per-simulation parameters: models of the caller cannot be set")]
    OwnParameters,
    #[error("one model, or one per simulation: got {got} models for {worlds} worlds")]
    ModelCount { got: usize, worlds: usize },
    #[error("model {index} has other sizes than the model of the batch")]
    ModelSizes { index: usize },
    #[error("no {kind:?} is called '{name}'")]
    UnknownName { kind: ObjType, name: String },
    #[error("the rows of '{0}' belong to no objects with names: give the numbers of its elements")]
    NoNames(String),
    #[error("'{0}' holds integers, which cannot be drawn from a distribution")]
    NotReal(String),
    #[error(
        "limits must be finite and rise (and be positive for logarithms), deviations not negative: {0:?}"
    )]
    Distribution(Distribution),
    /// The model, the parameters or the call have something that worlds on a device have not.
    #[error("{0}")]
    DeviceLacks(String),
    /// The device is missing, too small, or reports an error.
    #[error("{0}")]
    Device(String),
    #[error("the back end '{backend}' cannot do this: {operation}")]
    Unsupported { backend: &'static str, operation: &'static str },
}
