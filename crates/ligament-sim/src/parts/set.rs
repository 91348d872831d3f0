//! The parts of elements that have none of their own, known at compile time.

use super::{ActuatorForce, ActuatorState, ConstraintSolver, FlexForce, PartError, Slot, choose};
use crate::actuation;
use crate::derivative::part::{actuator_slope, flex_slopes};
use crate::flex::{self, CotangentBending, LinearElastic};
use crate::part_set::{MujocoParts, PartSet};
use crate::solver;
use ligament_model::{Data, Model};

impl PartSet for MujocoParts {
    #[inline]
    fn bending(&self, m: &Model, d: &mut Data, flex: usize) {
        flex::bending::apply_forces(m, d, flex);
    }

    #[inline]
    fn elasticity(&self, m: &Model, d: &mut Data, flex: usize) {
        flex::linear_forces(m, d, flex);
    }

    #[inline]
    fn flex_slopes(&self, _: &Model, _: &mut Data, _: usize) {}

    #[inline]
    fn has_own_gain(&self) -> bool {
        false
    }

    #[inline]
    fn active_force(&self, m: &Model, d: &mut Data, _: f64, actuator: usize, input: f64) -> f64 {
        actuation::gain(m, d, actuator) * input
    }

    #[inline]
    fn active_slope(&self, m: &Model, d: &Data, actuator: usize) -> f64 {
        actuation::active_slope(m, d, actuator)
    }

    #[inline]
    fn solve(&self, m: &Model, d: &mut Data, _: &mut Vec<f64>) {
        solver::convex(m, d);
    }

    #[inline]
    fn inverse(&self, _: &Model, _: &mut Data) -> bool {
        false
    }
}

/// MuJoCo's gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DefaultGain;

/// MuJoCo's convex solver: PGS, CG or Newton, as the options say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MujocoSolver;

/// A choice for the bending or elasticity of all flexes.
pub trait FlexChoice {
    /// What is kept for each flex.
    type Fitted;
    /// Fits the part to a flex.
    fn fit(&self, m: &Model, slot: Slot, flex: usize) -> Result<Self::Fitted, PartError>;
    /// Adds the forces of a flex to `qfrc_spring` and `qfrc_damper`.
    fn apply(fitted: &Self::Fitted, m: &Model, d: &mut Data, flex: usize);
    /// Adds their velocity derivatives to `qDeriv`.
    fn slopes(fitted: &Self::Fitted, m: &Model, d: &mut Data, flex: usize);
}

macro_rules! mujoco_flex_choice {
    ($name:ty, $method:ident) => {
        impl FlexChoice for $name {
            type Fitted = ();
            fn fit(&self, _: &Model, _: Slot, _: usize) -> Result<(), PartError> {
                Ok(())
            }
            #[inline]
            fn apply((): &(), m: &Model, d: &mut Data, flex: usize) {
                MujocoParts.$method(m, d, flex);
            }
            #[inline]
            fn slopes((): &(), _: &Model, _: &mut Data, _: usize) {}
        }
    };
}
mujoco_flex_choice!(CotangentBending, bending);
mujoco_flex_choice!(LinearElastic, elasticity);

/// What a part of flexes became for one flex.
pub enum Fitted<F> {
    /// The part, and vertices in groups that do not touch.
    Own(F, Vec<Vec<u32>>),
    /// The flex has nothing that the part could compute.
    Mujoco(Slot),
}

impl<F: FlexForce> FlexChoice for F {
    type Fitted = Fitted<F>;

    fn fit(&self, m: &Model, slot: Slot, flex: usize) -> Result<Self::Fitted, PartError> {
        if !flex::takes_part(m, slot, flex) {
            return Ok(Fitted::Mujoco(slot));
        }
        Ok(Fitted::Own(choose::fit(m, slot, flex, self)?, choose::independent_vertices(m, flex)))
    }

    #[inline]
    fn apply(fitted: &Self::Fitted, m: &Model, d: &mut Data, flex: usize) {
        match fitted {
            Fitted::Own(part, _) => flex::part_forces(m, d, flex, part),
            Fitted::Mujoco(Slot::Bending) => MujocoParts.bending(m, d, flex),
            Fitted::Mujoco(_) => MujocoParts.elasticity(m, d, flex),
        }
    }

    #[inline]
    fn slopes(fitted: &Self::Fitted, m: &Model, d: &mut Data, flex: usize) {
        if let Fitted::Own(part, groups) = fitted {
            flex_slopes(m, d, flex, part, groups);
        }
    }
}

/// A choice for the gains of all actuators.
pub trait GainChoice {
    /// The law; nothing for MuJoCo's gains.
    type Law: ActuatorForce;
    /// The law, unless MuJoCo's gains apply.
    fn law(&self) -> Option<&Self::Law>;
}

impl GainChoice for DefaultGain {
    type Law = super::FixedGain;
    #[inline]
    fn law(&self) -> Option<&Self::Law> {
        None
    }
}

impl<A: ActuatorForce> GainChoice for A {
    type Law = A;
    #[inline]
    fn law(&self) -> Option<&A> {
        Some(self)
    }
}

/// A choice for the solver.
pub trait SolverChoice {
    /// Finds the constraint forces of the rows; see [`ConstraintSolver::solve`].
    fn solve_rows(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>);
    /// Finds those that explain an acceleration; false to leave it to MuJoCo's rule.
    fn inverse_rows(&self, m: &Model, d: &mut Data) -> bool;
}

impl SolverChoice for MujocoSolver {
    #[inline]
    fn solve_rows(&self, m: &Model, d: &mut Data, _: &mut Vec<f64>) {
        solver::convex(m, d);
    }

    #[inline]
    fn inverse_rows(&self, _: &Model, _: &mut Data) -> bool {
        false
    }
}

impl<C: ConstraintSolver> SolverChoice for C {
    #[inline]
    fn solve_rows(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>) {
        self.solve(m, d, drift_out);
    }

    #[inline]
    fn inverse_rows(&self, m: &Model, d: &mut Data) -> bool {
        self.inverse(m, d)
    }
}

/// Parts of all elements that have none of their own.
pub(crate) struct FixedParts<B: FlexChoice, E: FlexChoice, A, C> {
    pub(crate) bending: Vec<B::Fitted>,
    pub(crate) elasticity: Vec<E::Fitted>,
    pub(crate) gain: A,
    pub(crate) solver: C,
}

impl<B: FlexChoice, E: FlexChoice, A: GainChoice, C: SolverChoice> PartSet for FixedParts<B, E, A, C> {
    #[inline]
    fn bending(&self, m: &Model, d: &mut Data, flex: usize) {
        B::apply(&self.bending[flex], m, d, flex);
    }

    #[inline]
    fn elasticity(&self, m: &Model, d: &mut Data, flex: usize) {
        E::apply(&self.elasticity[flex], m, d, flex);
    }

    fn flex_slopes(&self, m: &Model, d: &mut Data, flex: usize) {
        if m.parts.bending(flex).is_none() {
            B::slopes(&self.bending[flex], m, d, flex);
        }
        if m.parts.elasticity(flex).is_none() {
            E::slopes(&self.elasticity[flex], m, d, flex);
        }
    }

    #[inline]
    fn has_own_gain(&self) -> bool {
        self.gain.law().is_some()
    }

    #[inline]
    fn active_force(&self, m: &Model, d: &mut Data, ctrl: f64, actuator: usize, input: f64) -> f64 {
        match self.gain.law() {
            None => MujocoParts.active_force(m, d, ctrl, actuator, input),
            Some(law) => law.force(&actuation::state(m, d, ctrl, actuator)),
        }
    }

    #[inline]
    fn active_slope(&self, m: &Model, d: &Data, actuator: usize) -> f64 {
        match self.gain.law() {
            None => MujocoParts.active_slope(m, d, actuator),
            Some(law) => {
                let state: ActuatorState =
                    actuation::state(m, d, actuation::effective_control(m, d, actuator), actuator);
                actuator_slope(law, &state)
            }
        }
    }

    #[inline]
    fn solve(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>) {
        self.solver.solve_rows(m, d, drift_out);
    }

    #[inline]
    fn inverse(&self, m: &Model, d: &mut Data) -> bool {
        self.solver.inverse_rows(m, d)
    }
}
