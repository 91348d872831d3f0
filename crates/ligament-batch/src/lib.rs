//! Many worlds of one model, stepped side by side on all cores.
//!
//! ```
//! # use ligament_batch::{Batch, Config, Select};
//! # use ligament_model::enums::Stage;
//! # fn run(model: ligament_model::Model) -> Result<(), Box<dyn std::error::Error>> {
//! let mut batch = Batch::new(model, 1024, &Config::default())?;
//! batch.bind("sensordata")?;
//! for world in 0..batch.nsim() {
//!     batch.ctrl_mut(world).fill(0.1);
//! }
//! batch.step(Select::All, 5, Stage::Vel)?; // positions, velocities and their sensors are those of the new state
//! println!("{:?}", batch.qpos(7));
//! # Ok(())
//! # }
//! ```
//!
//! The names follow `mujoco.batch` of MuJoCo 4.0. A world costs its row of the state, the results that were bound and
//! the parameters that differ; everything else exists once per thread ([`Exact`]). What computes stands behind the
//! trait [`Backend`]: exact steps ([`Exact`]), lean ones ([`LeanSteps`]), or a GPU ([`Device`]).

#![warn(missing_docs)]

mod backend;
mod batch;
mod device;
mod episodes;
mod error;
mod exact;
mod field;
#[cfg(any(feature = "cuda", feature = "emulated"))]
mod gpu_steps;
mod interrupt;
mod layout;
mod lean_own;
mod lean_state;
mod lean_steps;
mod operation;
mod pictures;
mod pool;
mod query;
mod randomize;
mod streams;
mod table;
mod worlds;

pub use backend::Backend;
pub use batch::{Batch, Config, MAX_THREADS};
pub use device::Device;
#[cfg(any(feature = "cuda", feature = "emulated"))]
pub use device::Precision;
pub use episodes::{Autoreset, BatchResult, BatchSim, NoTask, RewardFn, States, Task, Verdict};
pub use error::{BatchError, WorldError};
pub use exact::Exact;
pub use field::{Parameter, ResultField};
#[cfg(any(feature = "cuda", feature = "emulated"))]
pub use gpu_steps::{DeviceWorlds, GpuSteps};
pub use interrupt::Interrupt;
pub use layout::{Layout, Part, SIGNATURE};
pub use lean_steps::LeanSteps;
#[cfg(any(feature = "cuda", feature = "emulated"))]
pub use ligament_gpu::device::GpuError;
#[cfg(feature = "cuda")]
pub use ligament_gpu::device::compile_ahead;
pub use operation::{At, Operation, Record, RecordParts, Recorded, Rollout, WorldFn};
pub use pictures::View;
pub use pool::{Pool, Team};
pub use query::{RayHits, Rays};
pub use randomize::{Distribution, Effect, Random, Randomize, elements};
pub use streams::{Stream, Ziggurat};
pub use table::{AnyTable, Parts, Table};
pub use worlds::{Models, OwnParameter, OwnResult, Select, Worlds};
