//! Exchangeable parts: what computes the forces of flexes and actuators, and what solves the constraints.
//!
//! A [`Model`] has one set of them, [`Parts`]. An element without an entry there is computed as MuJoCo does, by a
//! direct call. Parts are pure: they read a view of the state and write forces, so that any number of simulations may
//! share them. Three traits serve five places:
//!
//! | trait | places |
//! |---|---|
//! | [`FlexForce`] | bending and elasticity of a flex |
//! | [`ActuatorForce`] | gain and bias of an actuator |
//! | [`ConstraintSolver`] | constraint forces of the whole model |

pub(crate) mod record;
mod set;

pub use record::PartRecord;
pub use set::{ActuatorPart, FlexPart, Parts, SoftTree};

use crate::draw::Canvas;
use crate::enums::ObjType;
use crate::flex_model::FlexMaterial;
use crate::{Data, Model};

/// Where a part can stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// How a flex resists bending.
    Bending,
    /// How the elements of a flex resist stretching.
    Elasticity,
    /// The force of an actuator that follows its input.
    Gain,
    /// The force of an actuator that is there without input.
    Bias,
    /// What finds the constraint forces of the model.
    Solver,
}

impl Slot {
    /// All places, in the order in which they are saved.
    pub const ALL: [Self; 5] = [Self::Bending, Self::Elasticity, Self::Gain, Self::Bias, Self::Solver];

    /// The word for it in files and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Bending => "bending",
            Self::Elasticity => "elasticity",
            Self::Gain => "gain",
            Self::Bias => "bias",
            Self::Solver => "solver",
        }
    }

    /// The element that has the slot, in words: `actuator 3 "knee"`.
    pub fn element(self, m: &Model, id: usize) -> String {
        let (kind, word) = match self {
            Self::Bending | Self::Elasticity => (ObjType::Flex, "flex"),
            Self::Gain | Self::Bias => (ObjType::Actuator, "actuator"),
            Self::Solver => return "the model".to_owned(),
        };
        match m.name(kind, id) {
            Some(name) => format!("{word} {id} \"{name}\""),
            None => format!("{word} {id}"),
        }
    }
}

/// Why a part cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum PartError {
    #[error("{part} ({slot}) of {element}: there is no such element; the model has {count}", slot = .slot.word())]
    NoElement { slot: Slot, part: String, element: String, count: usize },
    #[error("{part} ({slot}) of {element}: {reason}", slot = .slot.word())]
    Misfit { slot: Slot, part: String, element: String, reason: String },
    #[error(
        "{element} asks for the {slot} part \"{part}\", which is not known here; known are {known} (one's own have to be in \
         the library that the model is opened with)",
        slot = .slot.word()
    )]
    Unknown { slot: Slot, part: String, element: String, known: String },
    #[error("\"{part}\" cannot be the name of a part: names are words of letters, digits, '_', '-' and '.'")]
    Name { part: String },
    #[error("{part} takes {expected}, {found} given")]
    Count { part: String, expected: &'static str, found: usize },
    #[error("{part}: {parameter} is {value}, it must be {expected}")]
    Value { part: String, parameter: String, value: f64, expected: &'static str },
}

/// What every part has.
pub trait Part: Send + Sync + 'static {
    /// What a saved model asks for it by: one word.
    fn name(&self) -> &str;

    /// Numbers it was made from, which are saved with its name.
    fn parameters(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Adds to pictures of a simulation what there is to see of the part; called for each of its elements.
    fn draw(&self, at: &PartView<'_>, canvas: &mut dyn Canvas) {
        let _ = (at, canvas);
    }
}

/// Where a part is drawn.
#[derive(Clone, Copy)]
pub struct PartView<'a> {
    /// The model that has it.
    pub model: &'a Model,
    /// The simulation that is drawn.
    pub data: &'a Data,
    /// The place that it has in the model.
    pub slot: Slot,
    /// The flex or actuator; 0 for solvers.
    pub element: usize,
}

/// The rest shape of one flex.
#[derive(Clone, Copy)]
pub struct FlexShape<'a> {
    /// The model that has it.
    pub model: &'a Model,
    /// Its number.
    pub flex: usize,
    /// World positions of its vertices in the reference configuration.
    pub rest: &'a [[f64; 3]],
}

impl<'a> FlexShape<'a> {
    /// 1 for ropes, 2 for surfaces, 3 for solids.
    pub fn dim(&self) -> usize {
        self.model.flex_dim[self.flex] as usize
    }

    /// Vertices of each element, by their numbers within the flex.
    pub fn elements(&self) -> std::slice::ChunksExact<'a, i32> {
        let corners = self.dim() + 1;
        let start = self.model.flex_elemdataadr[self.flex].max(0) as usize;
        let count = self.model.flex_elemnum[self.flex].max(0) as usize * corners;
        self.model.flex_elem[start..start + count].chunks_exact(corners)
    }

    /// Inner edges of a surface: the ends of the edge, then the two opposite vertices.
    pub fn flaps(&self) -> impl Iterator<Item = [usize; 4]> + 'a {
        let start = self.model.flex_edgeadr[self.flex].max(0) as usize;
        let range = start..start + self.model.flex_edgenum[self.flex].max(0) as usize;
        let edges = &self.model.flex_edge[range.clone()];
        let flaps = &self.model.flex_edgeflap[range];
        let inner = edges.iter().zip(flaps).filter(|(_, flap)| flap[1] >= 0);
        inner.map(|(edge, flap)| [edge[0], edge[1], flap[0], flap[1]].map(|v| v as usize))
    }

    /// Constants of `<elasticity>`; none for models that were not compiled from a specification.
    pub fn material(&self) -> Option<FlexMaterial> {
        self.model.flex_model(self.flex).and_then(|x| x.material)
    }

    /// Inverse of the mass that a force on the vertex moves, at rest.
    pub fn inverse_mass(&self, vertex: usize) -> f64 {
        let first = self.model.flex_vertadr[self.flex] as usize;
        self.model.body_invweight0[self.model.flex_vertbodyid[first + vertex] as usize][0]
    }

    /// The error that says why a part does not fit this flex.
    pub fn misfit(&self, slot: Slot, part: &str, reason: impl Into<String>) -> PartError {
        let element = slot.element(self.model, self.flex);
        PartError::Misfit { slot, part: part.to_owned(), element, reason: reason.into() }
    }
}

/// The present state of one flex.
#[derive(Clone, Copy)]
pub struct FlexState<'a> {
    /// World positions of the vertices.
    pub position: &'a [[f64; 3]],
    /// World velocities of the vertices.
    pub velocity: &'a [[f64; 3]],
    /// `damping` of `<elasticity>`; 0 when dampers are disabled.
    pub damping: f64,
    /// Time step of the model.
    pub timestep: f64,
}

/// How the elements of a flex resist: a part for its bending or its elasticity.
///
/// The force on a vertex may depend on the vertices it shares an element or an inner edge's flap with.
pub trait FlexForce: Part {
    /// This part with what it takes from the rest shape of a flex; called once for each flex that has it.
    fn fitted(&self, slot: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError>
    where
        Self: Sized;

    /// Adds forces on the vertices, in the world: those of springs, and those of dampers. Whether they act is up to
    /// the disable flags.
    fn forces(&self, at: &FlexState<'_>, spring: &mut [[f64; 3]], damper: &mut [[f64; 3]]);

    /// Adds the derivative of the force on each vertex by its own velocity, 3×3 by rows; returns false to let the
    /// engine take finite differences. Implicit integrators use it; what vertices do to others is integrated explicitly.
    fn velocity_slopes(&self, at: &FlexState<'_>, slopes: &mut [[f64; 9]]) -> bool {
        let _ = (at, slopes);
        false
    }

    /// The least dimension of flexes that it can serve: 1 includes ropes.
    fn least_dim(&self) -> usize {
        2
    }

    /// What holds the flex together by positions instead of forces. Such a part stands in the place of the elasticity,
    /// replaces the bending as well, and needs a solver that [knows soft flexes](ConstraintSolver::holds_soft_flexes).
    fn soft(&self) -> Option<&dyn SoftBody> {
        None
    }
}

/// A vertex of a soft flex: its position and one number more, so that it is one register and never on two lines of the
/// cache.
#[repr(align(32))]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SoftPoint(pub [f64; 4]);

/// What a position-based solver gives a soft flex to relax.
pub struct SoftState<'a> {
    /// Where the vertices were when the step began, and their inverse masses; 0: cannot be moved.
    pub start: &'a [SoftPoint],
    /// Where they would be at its end, as many, with a zero behind each; the constraints move them.
    pub position: &'a mut [SoftPoint],
    /// Multipliers of the constraints, 0 when a step begins and kept over its passes: as many as the body asked for.
    pub lambda: &'a mut [f64],
    /// Length of the step.
    pub timestep: f64,
    /// Passes of the step; multipliers need not be kept when this is the only one.
    pub passes: usize,
    /// Threads that may work on it.
    pub threads: usize,
}

/// How far a soft flex is from its rest shape: the largest value of all its constraints.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Deformation {
    /// Change of an edge's length, relative to it.
    pub stretch: f64,
    /// Angle by which neighbouring elements are turned against each other more than at rest (for small angles).
    pub bend: f64,
    /// Change of an element's volume, relative to it.
    pub volume: f64,
}

/// Constraints on the positions of the vertices of one flex.
pub trait SoftBody: Send + Sync {
    /// How many multipliers it keeps in steps of so many passes.
    fn multipliers(&self, passes: usize) -> usize;

    /// Operations of a pass, roughly.
    fn work(&self) -> usize;

    /// One pass over all constraints.
    fn relax(&self, state: SoftState<'_>);

    /// How far vertices at these positions are from the rest shape.
    fn deformation(&self, position: &[[f64; 3]]) -> Deformation;
}

/// What the force of an actuator may depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActuatorState {
    /// Number of the actuator.
    pub actuator: usize,
    /// Length of its transmission.
    pub length: f64,
    /// Rate of the length.
    pub velocity: f64,
    /// The activation, or the control of an actuator without one; delayed and clamped.
    pub input: f64,
    /// Rate of the activation; 0 without one.
    pub input_rate: f64,
    /// The control, delayed and clamped.
    pub ctrl: f64,
    /// Feasible lengths, where they were computed (muscles) or given.
    pub lengthrange: [f64; 2],
    /// Acceleration that a unit force causes in the reference configuration.
    pub acc0: f64,
    /// Time of the simulation.
    pub time: f64,
    /// Time step of the model.
    pub timestep: f64,
}

/// A force law of actuators: a part for their gain or their bias. The force of an actuator is what its gain part says
/// (MuJoCo: gain × input) plus what its bias part says.
pub trait ActuatorForce: Part {
    /// The force along the actuator's length.
    fn force(&self, at: &ActuatorState) -> f64;

    /// Derivative of [`force`](Self::force) by velocity, for implicit integrators; `None`: finite differences.
    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        let _ = at;
        None
    }

    /// Forces of all actuators that have this part, in one call.
    fn forces(&self, at: &[ActuatorState], out: &mut [f64]) {
        for (force, state) in out.iter_mut().zip(at) {
            *force = self.force(state);
        }
    }
}

/// What finds the constraint forces.
pub trait ConstraintSolver: Part {
    /// Sets `qacc`, `efc_force`, `efc_state` and `qfrc_constraint` = Jᵀ `efc_force`. Is called when there are rows or
    /// soft flexes.
    ///
    /// Given are the rows (`efc_J`, `efc_pos`, `efc_aref`, `efc_R`, …), `efc_b` = J `qacc_smooth` − `efc_aref`, the
    /// factor of the inertia, `qacc_smooth`.
    ///
    /// A solver that divides the step into smaller ones puts into `drift_out`, which is empty, what is to be added to the
    /// new velocity (one number a degree of freedom) to have the one that positions follow. Others leave it empty.
    fn solve(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>);

    /// Does it hold soft flexes together ([`FlexForce::soft`])? A model with soft flexes takes no other solver.
    fn holds_soft_flexes(&self) -> bool {
        false
    }

    /// Inverse dynamics: sets `efc_force` and `efc_state` from `qacc`; returns false to leave it to MuJoCo's rule.
    fn inverse(&self, m: &Model, d: &mut Data) -> bool {
        let _ = (m, d);
        false
    }
}

/// Refuses numbers that are not finite and not positive (or zero, where that is allowed).
pub fn check_parameter(part: &str, parameter: &str, value: f64, zero: bool) -> Result<(), PartError> {
    let good = value.is_finite() && (value > 0.0 || zero && value == 0.0);
    let expected = if zero { "finite and not negative" } else { "finite and positive" };
    if good {
        return Ok(());
    }
    Err(PartError::Value { part: part.to_owned(), parameter: parameter.to_owned(), value, expected })
}
