//! The pipeline stages on `(&Model, &mut Data)`. [`step`] is the map.
#![deny(missing_docs)]
#![allow(non_snake_case)] // names of quantities are those of the formulas: `M`, `J`, `qLD`

mod access;
pub mod actuation;
mod awake;
pub mod collision;
pub mod constraint;
pub mod derivative;
pub mod differences;
pub mod drawing;
pub mod energy;
mod error;
pub mod flex;
pub mod fluid;
pub mod forward;
pub mod history;
pub mod inertia;
pub mod integrate;
pub mod inverse;
pub mod island;
pub mod kinematics;
pub mod lengthrange;
pub mod muscle;
pub mod parallel;
mod part_set;
pub mod parts;
pub mod passive;
pub mod plugin;
pub mod ray;
pub mod reset;
pub mod rne_post;
mod sdf;
pub mod sensor;
pub mod setconst;
pub mod sleep;
pub mod solver;
pub mod stages;
pub mod state;
pub mod step;
pub mod support;
pub mod tendon;
mod timing;
pub mod transmission;
pub mod velocity;
mod workspace;
pub mod wrap;
