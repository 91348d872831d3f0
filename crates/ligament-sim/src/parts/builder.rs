//! Simulations whose parts are fixed at compile time.

use super::set::{DefaultGain, FixedParts, FlexChoice, GainChoice, MujocoSolver, SolverChoice};
use super::{PartError, Slot};
use crate::error::{ResetError, StepError};
use crate::flex::{BridsonBending, CotangentBending, LinearElastic, NeoHookean};
use crate::forward::{check_belongs, forward_skip_with};
use crate::inverse::inverse_skip_with;
use crate::reset::make_data;
use crate::solver::XpbdSolver;
use crate::step::step_skip_with;
use ligament_model::enums::Stage;
use ligament_model::{Data, Model};

/// Why a simulation could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum BuildError {
    #[error(transparent)]
    Part(#[from] PartError),
    #[error(transparent)]
    Reset(#[from] ResetError),
}

/// Combines a bending, an elasticity, a gain and a solver into a simulation type. What the model itself chooses for
/// single elements stays; the builder's parts serve all others.
///
/// ```no_run
/// # use ligament_sim::parts::{SimBuilder, builder::BuildError};
/// # use ligament_sim::flex::BridsonBending;
/// # fn f(model: ligament_model::Model) -> Result<(), Box<dyn std::error::Error>> {
/// let mut sim = SimBuilder::new().bending(BridsonBending::default()).build(model)?;
/// sim.step()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct SimBuilder<B = CotangentBending, E = LinearElastic, A = DefaultGain, C = MujocoSolver> {
    bending: B,
    elasticity: E,
    gain: A,
    solver: C,
}

impl SimBuilder {
    /// With MuJoCo's parts.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<B, E, A, C> SimBuilder<B, E, A, C> {
    /// How surfaces resist bending.
    pub fn bending<T: FlexChoice>(self, bending: T) -> SimBuilder<T, E, A, C> {
        SimBuilder { bending, elasticity: self.elasticity, gain: self.gain, solver: self.solver }
    }

    /// How elements of flexes resist stretching.
    pub fn elasticity<T: FlexChoice>(self, elasticity: T) -> SimBuilder<B, T, A, C> {
        SimBuilder { bending: self.bending, elasticity, gain: self.gain, solver: self.solver }
    }

    /// The law of actuators that follows their input.
    pub fn actuators<T: GainChoice>(self, gain: T) -> SimBuilder<B, E, T, C> {
        SimBuilder { bending: self.bending, elasticity: self.elasticity, gain, solver: self.solver }
    }

    /// What finds the constraint forces.
    pub fn contact_solver<T: SolverChoice>(self, solver: T) -> SimBuilder<B, E, A, T> {
        SimBuilder { bending: self.bending, elasticity: self.elasticity, gain: self.gain, solver }
    }
}

impl<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice> SimBuilder<B, E, A, C> {
    /// A simulation of the model in its initial state.
    pub fn build(self, model: Model) -> Result<Sim<B, E, A, C>, BuildError> {
        let fit = |slot| (0..model.nflex).map(move |flex| (slot, flex));
        let bending = fit(Slot::Bending)
            .map(|(slot, flex)| self.bending.fit(&model, slot, flex))
            .collect::<Result<_, _>>()?;
        let elasticity = fit(Slot::Elasticity)
            .map(|(slot, flex)| self.elasticity.fit(&model, slot, flex))
            .collect::<Result<_, _>>()?;
        let data = make_data(&model)?;
        let parts = FixedParts { bending, elasticity, gain: self.gain, solver: self.solver };
        Ok(Sim { model, data, parts })
    }
}

/// A model, a state of it and the parts that compute it.
pub struct Sim<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice> {
    /// The model. What its parts took from it when the simulation was built stays as it was.
    pub model: Model,
    /// The state.
    pub data: Data,
    parts: FixedParts<B, E, A, C>,
}

/// Everything as in MuJoCo.
pub type MujocoSim = Sim<CotangentBending, LinearElastic, DefaultGain, MujocoSolver>;
/// For pictures: true dihedral bending, constraints by positions.
pub type AnimationSim = Sim<BridsonBending, LinearElastic, DefaultGain, XpbdSolver>;
/// For large strains.
pub type SoftBodySim = Sim<CotangentBending, NeoHookean, DefaultGain, MujocoSolver>;

impl<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice> Sim<B, E, A, C> {
    /// Advances the simulation by one time step.
    pub fn step(&mut self) -> Result<(), StepError> {
        step_skip_with(&self.model, &mut self.data, Stage::None, false, &self.parts)
    }

    /// Everything up to the acceleration, without moving the state.
    pub fn forward(&mut self) -> Result<(), StepError> {
        check_belongs(&self.model, &self.data)?;
        forward_skip_with(&self.model, &mut self.data, Stage::None, false, &self.parts)
    }

    /// Inverse dynamics: from the acceleration to the forces.
    pub fn inverse(&mut self) -> Result<(), StepError> {
        inverse_skip_with(&self.model, &mut self.data, Stage::None, false, &self.parts)
    }
}
