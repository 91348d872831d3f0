//! The lean step: the same physics as the exact engine, computed the short way, for one world or for several in the lanes
//! of a vector register.
//!
//! No Jacobian is stored: the Newton Hessian is a composite sum of inertia and contact stiffness up the tree. `docs/lean.md`
//! has the mathematics, `step.rs` the order of the phases, `tables` everything that is computed once from a model.
//!
//! ```
//! use ligament_lean::{Lean, State};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = ligament::load_model(
//!     "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>
//!        <body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
//! )?;
//! let mut lean = Lean::new(&model)?;
//! let mut worlds = vec![State::initial(&model); 3];
//! lean.step(&mut worlds, 1000);
//! assert!(worlds.iter().all(|world| (world.qpos[2] - 0.1).abs() < 1e-3), "the balls rest on the floor");
//! # Ok(())
//! # }
//! ```
#![warn(missing_docs)]
#![allow(non_snake_case)] // names of quantities are those of the formulas: `M`, `H`, `D`

mod accept;
mod actuation;
mod algebra;
mod by_lane;
mod collision;
mod constraint;
mod inertia;
mod integrate;
mod kinematics;
mod lane;
mod lean;
mod muscle;
mod passive;
mod pattern;
mod rows;
mod solver;
mod state;
mod step;
mod tables;
mod tendon;
mod trig;
mod velocity;
mod world;

pub use accept::Refusal;
pub use lean::{Lean, Variants, Width};
pub use state::State;
