//! Ligament loads MJCF and URDF models and simulates them as MuJoCo 3.5.0 does.
//!
//! [`load_model_from_file`] and [`load_model`] make a [`Model`], which is immutable and may be shared by any number
//! of simulations; [`Data`] is the state of one simulation of it.
//!
//! ```
//! use ligament::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = ligament::load_model(
//!     r#"<mujoco>
//!          <worldbody>
//!            <geom type="plane" size="1 1 .1"/>
//!            <body name="ball" pos="0 0 1">
//!              <freejoint/>
//!              <geom size=".1"/>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! let mut data = model.make_data()?;
//! while data.time < 2.0 {
//!     data.step(&model)?;
//! }
//! let ball = model.id(ObjType::Body, "ball").unwrap();
//! assert!((data.xpos[ball][2] - 0.1).abs() < 1e-3, "the ball rests on the floor");
//! # Ok(())
//! # }
//! ```
//!
//! Errors of loading carry file, line, column, element and a remedy ([`Diagnostic`]); [`check_file`] finds as many of
//! them as it can. Compiled models are kept as bytes by [`Model::to_bytes`] and [`Model::from_bytes`];
//! [`open_model`] reads text and compiled files alike. Many worlds of one model run side by side in a
//! [`batch::Batch`].
//!
//! | to | use |
//! |---|---|
//! | load, check and save models | [`load_model_from_file`], [`check_file`], [`open_model`], [`mjcf_text`] |
//! | edit models before they are compiled | [`spec::Spec`], [`compile`] |
//! | simulate | [`prelude`], [`rollout`] |
//! | run stages one by one | [`stages`] |
//! | ask for Jacobians, rays, forces and inertia | [`jacobians`], [`rays`], [`quantities`] |
//! | save and restore states | [`states`] |
//! | differentiate steps | [`derivatives`] |
//! | run many worlds | [`batch`] |
#![deny(missing_docs)]

mod check;
mod clock;
pub mod derivatives;
mod disk;
pub mod jacobians;
mod load;
pub mod mjb;
pub mod quantities;
pub mod rays;
mod rollout;
mod save;
mod simulate;
pub mod stages;
pub mod states;

pub use check::{Findings, check_file, check_file_with_assets};
pub use clock::processor_clock;
pub use disk::{DiskAssets, FolderAssets, GrantedAssets, LayeredAssets};
pub use ligament_batch as batch;
pub use ligament_compile::compile;
pub use ligament_math as math;
pub use ligament_mjcf::assets::{Assets, MemoryAssets, NoAssets};
pub use ligament_mjcf::diag::{Diagnostic, MjcfError, Result};
pub use ligament_mjcf::spec;
pub use ligament_mjcf::spec::Spec;
pub use ligament_mjcf::write::Compiled;
pub use ligament_mjcf::write::write;
pub use ligament_model::binary::BinaryError;
pub use ligament_model::fault::Fault;
pub use ligament_model::limits::DEFAULT_MEMORY;
pub use ligament_model::{
    Contact, Data, Model, Sizes, StateLayout, array, constants, data, draw, enums, flex_model, option,
};
/// The engine itself. What of it is meant for programs is in the modules above; the rest may change at any time.
#[doc(hidden)]
pub use ligament_sim as sim;
pub use ligament_sim::parts;
pub use ligament_sim::parts::{Sim, SimBuilder};
pub use ligament_sim::reset::ResetError;
pub use ligament_sim::step::StepError;
pub use load::{
    OpenError, is_compiled, load_model, load_model_from_file, load_model_with_assets, model_from_bytes,
    model_from_bytes_with_parts, open_model, open_model_with_assets, parse_mjcf_file,
    parse_mjcf_file_with_assets, parse_mjcf_str, parse_mjcf_str_with_assets,
};
pub use rollout::{Rollout, RolloutError, rollout, rollout_until};
pub use save::{edited_mjcf_text, mjcf_text, point_to_files};
pub use simulate::{MakeData, Simulate};

/// Soft flexes: ropes, cloth and solids of named materials, held together by positions.
pub mod soft {
    pub use ligament_sim::parts::{Deformation, SoftBody, SoftPoint, SoftState, soften};
    pub use ligament_soft::{Kind, Material, SoftFlex};
}

/// What most programs need: the types and the methods that simulate.
pub mod prelude {
    pub use crate::enums::{ConeType, GeomType, Integrator, JointType, ObjType, SolverType};
    pub use crate::{Contact, Data, MakeData, Model, Simulate, StepError};
}

/// The examples of the README and of the book are tested like those above.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/start-rust.md")]
    struct StartRust;
    #[doc = include_str!("../../../docs/parameters.md")]
    struct Parameters;
    #[doc = include_str!("../../../docs/callbacks.md")]
    struct Callbacks;
}
