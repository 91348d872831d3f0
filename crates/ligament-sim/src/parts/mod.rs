//! Exchangeable parts at work: those that come with the engine, choosing them, calling them.
//!
//! The traits are in [`ligament_model::parts`]. A part is chosen for single elements at run time ([`set_bending`],
//! [`set_elasticity`], [`set_gain`], [`set_bias`], [`set_solver`]), or for the whole simulation at compile time
//! ([`SimBuilder`]). Elements without a part of their own are computed as MuJoCo does.

pub mod actuator;
pub mod builder;
mod choose;
pub mod library;
pub mod set;

pub use actuator::{AffineBias, AffineGain, FixedGain, MuscleBias, MuscleGain, SeriesElastic};
pub use builder::{AnimationSim, MujocoSim, Sim, SimBuilder, SoftBodySim};
pub use choose::{
    clear_bending, clear_bias, clear_elasticity, clear_gain, clear_solver, set_bending, set_bias,
    set_elasticity, set_gain, set_shared_bias, set_shared_gain, set_solver, soften,
};
pub use library::PartLibrary;
pub use ligament_model::parts::{
    ActuatorForce, ActuatorState, ConstraintSolver, Deformation, FlexForce, FlexShape, FlexState, Part,
    PartError, PartRecord, PartView, Parts, Slot, SoftBody, SoftPoint, SoftState, check_parameter,
};
pub use set::{DefaultGain, MujocoSolver};
