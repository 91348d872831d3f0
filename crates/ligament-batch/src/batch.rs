//! The batch: worlds of one model, and the calls that run them.

use crate::backend::Backend;
use crate::device::Device;
use crate::error::{BatchError, WorldError};
use crate::exact::Exact;
use crate::field::{Parameter, ResultField};
#[cfg(any(feature = "cuda", feature = "emulated"))]
use crate::gpu_steps::{DeviceWorlds, GpuSteps};
use crate::interrupt::{Interrupt, Watch};
use crate::layout::{Layout, SIGNATURE};
use crate::lean_steps::LeanSteps;
use crate::operation::{Operation, Record, Rollout, WorldFn};
use crate::pictures::Studios;
use crate::pool::Pool;
use crate::table::{AnyTable, room};
use crate::worlds::{Models, OwnParameter, OwnResult, Select, Worlds};
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::{EnableBit, Stage, State};
use ligament_model::{Data, Model};
use ligament_sim::reset::make_data;
use ligament_sim::state;
use std::sync::Arc;

/// Most threads of a batch.
pub const MAX_THREADS: usize = 1024;

/// How a batch is made.
#[derive(Clone, Default)]
pub struct Config {
    /// Threads that work on a call, the caller's included; 0: one per core.
    pub threads: usize,
    /// Keep a whole [`Data`] per world, rather than one per thread. Needed where trees may sleep.
    pub persistent: bool,
    /// Lean steps, which agree with the exact ones within rounding, where nothing needs these: see [`LeanSteps`].
    pub lean: bool,
    /// Where worlds are stepped. On a device, `lean` is without meaning.
    pub device: Device,
    /// User functions that all worlds call.
    pub callbacks: Callbacks,
    /// Ends a call early; worlds that are not done by then keep their state. `None`: calls run to their end.
    pub interrupt: Option<Interrupt>,
    /// Helper threads; `None`: those that all batches of the process share.
    pub pool: Option<Arc<Pool>>,
}

/// Worlds of one model that run side by side.
///
/// A world is its row of [`Batch::state`]: what is written into it holds from the next call on. A call loads each row
/// into a workspace, computes, and writes the row back, on all threads. Other fields are copied out for every world
/// once they are asked for by [`Batch::bind`]. The numbers are those of stepping each world alone, to the last bit;
/// with [`Config::lean`] within rounding.
pub struct Batch {
    worlds: Worlds,
    backend: Box<dyn Backend>,
    pub(crate) studios: Studios,
}

impl Batch {
    /// `nsim` worlds at the initial state of the model.
    pub fn new(model: impl Into<Arc<Model>>, nsim: usize, config: &Config) -> Result<Self, BatchError> {
        let model = model.into();
        if nsim == 0 {
            return Err(BatchError::NoWorlds);
        }
        model.validate().map_err(BatchError::Model)?;
        if model.opt.enabled(EnableBit::Sleep) && !config.persistent {
            return Err(BatchError::SleepNeedsPersistent);
        }
        if config.threads > MAX_THREADS {
            return Err(BatchError::Threads { got: config.threads });
        }
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if config.threads == 0 { cores } else { config.threads }.min(nsim);
        // states are many small arrays: whether they will fit is asked once, before any of them is made
        let working = if Exact::in_quartets(&model, nsim) { 4 * threads } else { threads };
        let states = working + if config.persistent { nsim } else { 0 };
        room::<u8>(states, usize::try_from(model.sizes().state_bytes()).unwrap_or(usize::MAX))?;
        let pool = config.pool.clone().unwrap_or_else(Pool::shared);
        let exact = Exact::new(&model, nsim, threads, config.persistent, &config.callbacks, pool.clone())?;
        let mut worlds = exact.with_first(|first| Worlds::new(model, nsim, first))?;
        worlds.callbacks = config.callbacks.clone();
        worlds.watch = Arc::new(Watch::new(config.interrupt.clone()));
        let backend: Box<dyn Backend> = match config.device {
            Device::Cpu if config.lean => Box::new(LeanSteps::new(exact, &worlds.model, nsim, pool)?),
            Device::Cpu => Box::new(exact),
            #[cfg(any(feature = "cuda", feature = "emulated"))]
            device => Box::new(GpuSteps::new(exact, &worlds, device)?),
        };
        Ok(Self { worlds, backend, studios: Studios::default() })
    }

    /// The worlds on a device, where they are on one: their memory there, and what the kernels need.
    #[cfg(any(feature = "cuda", feature = "emulated"))]
    pub fn device(&mut self) -> Option<DeviceWorlds<'_>> {
        let steps = self.backend.device()?;
        Some(DeviceWorlds { steps, worlds: &self.worlds })
    }

    /// Writes what is newer elsewhere into these parts of the rows.
    fn fetch(&self, parts: i32) {
        self.backend.fetch(&self.worlds, parts);
    }

    /// The model of all worlds, without what is per world.
    pub fn model(&self) -> &Arc<Model> {
        &self.worlds.model
    }

    /// Number of worlds.
    pub fn nsim(&self) -> usize {
        self.worlds.count
    }

    /// Threads that work on a call, the caller's included.
    pub fn nthread(&self) -> usize {
        self.backend.threads()
    }

    /// Whether a whole data is kept for every world.
    pub fn persistent(&self) -> bool {
        self.backend.persistent()
    }

    /// Where the parts of the state stand in a row.
    pub fn layout(&self) -> &Layout {
        &self.worlds.layout
    }

    /// The states of all worlds, one row each.
    pub fn state(&self) -> &[f64] {
        self.fetch(SIGNATURE);
        self.worlds.state.values()
    }

    /// The states of all worlds, to be changed.
    pub fn state_mut(&mut self) -> &mut [f64] {
        self.fetch(SIGNATURE);
        self.backend.note_rows(SIGNATURE);
        self.worlds.state.values_mut()
    }

    /// Rows were changed by someone who has a view of them.
    pub fn note_state(&mut self) {
        self.backend.note_rows(SIGNATURE);
    }

    /// One part of a world's state, by the name of its field.
    pub fn part(&self, world: usize, name: &str) -> Option<&[f64]> {
        let part = self.worlds.layout.part(name)?;
        self.fetch(part.bit as i32);
        Some(&self.worlds.state.row(world)[part.start..part.start + part.len])
    }

    /// One part of a world's state, to be changed.
    pub fn part_mut(&mut self, world: usize, name: &str) -> Option<&mut [f64]> {
        let part = *self.worlds.layout.part(name)?;
        self.fetch(part.bit as i32);
        self.backend.note_rows(part.bit as i32);
        let row = world * self.worlds.layout.width();
        self.worlds.state.values_mut().get_mut(row + part.start..row + part.start + part.len)
    }

    /// Warning counters of all worlds: `lastinfo` and `number` of each kind, one row per world.
    pub fn warnings(&self) -> &[[i32; 2]] {
        self.worlds.warning.values()
    }

    /// Warning counters of all worlds, to be changed.
    pub fn warnings_mut(&mut self) -> &mut [[i32; 2]] {
        self.worlds.warning.values_mut()
    }

    /// The outcome of every world's last call: 0 fine, 1 and more failed, -1 diverged (see [`WorldError::status`]).
    pub fn status(&self) -> &[i32] {
        self.worlds.status.values()
    }

    /// As [`Batch::status`], for views that last.
    pub fn status_mut(&mut self) -> &mut [i32] {
        self.worlds.status.values_mut()
    }

    /// What happened to a world in its last call.
    pub fn error(&self, world: usize) -> Option<&WorldError> {
        self.worlds.errors.row(world)[0].as_ref()
    }

    /// Puts back what happened to a world before the last call.
    pub(crate) fn restore_error(&mut self, world: usize, error: Option<WorldError>) {
        self.worlds.status.values_mut()[world] = error.as_ref().map_or(0, WorldError::status);
        self.worlds.errors.values_mut()[world] = error;
    }

    /// Everything that is kept of the worlds.
    pub fn worlds(&self) -> &Worlds {
        self.fetch(SIGNATURE);
        &self.worlds
    }

    /// Copies a field out after every call, for every world it runs; gives its values, one row per world. They are
    /// zero until the next call, except in a persistent batch.
    pub fn bind(&mut self, name: &str) -> Result<&mut OwnResult, BatchError> {
        let known = self.worlds.results.iter().position(|result| result.name == name);
        let index = match known {
            Some(index) => index,
            None => {
                let field =
                    ResultField::find(name).ok_or_else(|| BatchError::UnknownResult(name.to_owned()))?;
                let values = self.initial_values(field)?;
                self.worlds.results.push(OwnResult { field, name: name.to_owned(), values });
                self.worlds.results.len() - 1
            }
        };
        Ok(&mut self.worlds.results[index])
    }

    fn initial_values(&self, field: ResultField) -> Result<AnyTable, BatchError> {
        let empty = Data::new(&self.worlds.model);
        let (width, scalar) = field.extent(&empty);
        let values = AnyTable::zeros(self.worlds.count, width, scalar)?;
        for world in 0..self.worlds.count {
            let kept = self.backend.with_data(world, &mut |d| {
                field.with(d, |value| {
                    #[allow(unsafe_code)]
                    // SAFETY: the table is not shared yet.
                    unsafe {
                        values.write_row(world, value);
                    }
                });
            });
            if !kept {
                break;
            }
        }
        Ok(values)
    }

    /// A field that was bound.
    pub fn result(&self, name: &str) -> Option<&OwnResult> {
        self.worlds.results.iter().find(|result| result.name == name)
    }

    /// Gives a field of the model, or `opt.<name>`, a value per world; they start as the model's. Constants that
    /// follow from it change with the next [`Batch::set_const`].
    pub fn expand(&mut self, name: &str) -> Result<&mut OwnParameter, BatchError> {
        let parameter = Parameter::find(name).ok_or_else(|| BatchError::UnknownParameter(name.to_owned()))?;
        if self.worlds.models.is_some() {
            return Err(BatchError::CallerModels);
        }
        self.backend.note_parameters();
        self.worlds.own(parameter, false)
    }

    /// The values of a field that is per world, by [`Batch::expand`] or because it follows from one that is.
    pub fn expanded(&self, name: &str) -> Option<&OwnParameter> {
        self.worlds.parameters.iter().find(|own| own.name == name)
    }

    /// As [`Batch::expanded`], for views that last.
    pub fn expanded_mut(&mut self, name: &str) -> Option<&mut OwnParameter> {
        self.backend.note_parameters();
        self.worlds.parameters.iter_mut().find(|own| own.name == name)
    }

    /// Recomputes the constants that follow from the parameters of each world; those that differ become per world.
    /// Gives the number of worlds that failed, which keep their constants.
    pub fn set_const(&mut self, select: Select<'_>) -> Result<usize, BatchError> {
        if self.worlds.models.is_some() {
            return Err(BatchError::CallerModels);
        }
        select.check(self.worlds.count)?;
        self.backend.note_parameters();
        self.backend.set_const(&mut self.worlds, select)?;
        Ok(self.failures(select))
    }

    /// Runs worlds on models of the caller instead of the batch's; `None` goes back. They must have its sizes.
    pub fn set_models(&mut self, models: Option<Models>) -> Result<(), BatchError> {
        if let Some(models) = &models {
            if self.worlds.parameters.iter().any(|own| !own.derived) {
                return Err(BatchError::OwnParameters);
            }
            self.check_models(models)?;
        }
        self.worlds.models = models;
        self.backend.invalidate();
        Ok(())
    }

    fn check_models(&self, models: &Models) -> Result<(), BatchError> {
        let all = match models {
            Models::One(model) => std::slice::from_ref(model),
            Models::Each(models) if models.len() != self.worlds.count => {
                return Err(BatchError::ModelCount { got: models.len(), worlds: self.worlds.count });
            }
            Models::Each(models) => models,
        };
        let base = Data::new(&self.worlds.model);
        for (index, model) in all.iter().enumerate() {
            let same = Data::FIELDS
                .iter()
                .filter(|f| !f.dynamic)
                .all(|f| (f.shape)(model.sizes(), &base) == (f.shape)(self.worlds.model.sizes(), &base));
            if !same {
                return Err(BatchError::ModelSizes { index });
            }
            model.validate().map_err(BatchError::Model)?;
        }
        Ok(())
    }

    /// Installs user functions that all worlds call.
    pub fn set_callbacks(&mut self, callbacks: &Callbacks) {
        self.worlds.callbacks = callbacks.clone();
        self.backend.set_callbacks(callbacks);
        self.backend.invalidate();
    }

    /// Advances worlds by `nstep` steps, then computes the stages up to `stage` at the new state, so that what
    /// depends on them is current. Gives the number of worlds that failed.
    pub fn step(&mut self, select: Select<'_>, nstep: usize, stage: Stage) -> Result<usize, BatchError> {
        self.run(select, &Operation::Step { nstep, stage, rnepost: false })
    }

    /// As [`Batch::step`], with `cacc`, `cfrc_int` and `cfrc_ext` of the last step (`mj_rnePostConstraint`), which are
    /// zero otherwise unless a sensor asks for them.
    pub fn step_with_body_forces(
        &mut self,
        select: Select<'_>,
        nstep: usize,
        stage: Stage,
    ) -> Result<usize, BatchError> {
        self.run(select, &Operation::Step { nstep, stage, rnepost: true })
    }

    /// Computes the stages up to `stage`. Gives the number of worlds that failed.
    pub fn forward(&mut self, select: Select<'_>, stage: Stage) -> Result<usize, BatchError> {
        self.run(select, &Operation::Forward { stage })
    }

    /// Resets worlds to keyframes (none, one for all, or one each; -1: the initial state), then computes the stages.
    /// Gives the number of worlds that failed.
    pub fn reset(&mut self, select: Select<'_>, keys: &[i32], stage: Stage) -> Result<usize, BatchError> {
        select.check(self.worlds.count)?;
        let (count, nkey) = (select.len(self.worlds.count), self.worlds.model.nkey);
        if keys.len() > 1 && keys.len() != count {
            return Err(BatchError::Length { what: "keyframe", got: keys.len(), expected: count });
        }
        if let Some(&key) = keys.iter().find(|&&key| key < -1 || i64::from(key) >= nkey as i64) {
            return Err(BatchError::Keyframe { key, count: nkey });
        }
        self.run(select, &Operation::Reset { keys, stage })
    }

    /// Resets the flagged worlds to the initial state; touches no other.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<usize, BatchError> {
        let expected = self.worlds.count;
        if mask.len() != expected {
            return Err(BatchError::Length { what: "mask", got: mask.len(), expected });
        }
        let ids: Vec<i32> = (0..expected as i32).filter(|&i| mask[i as usize]).collect();
        self.reset(Select::Ids(&ids), &[], Stage::Acc)
    }

    /// Advances worlds by `nstep` steps with inputs (worlds × steps × size of `control_spec`) before and records after
    /// each. A world that raises a warning stops, and its last records are repeated.
    pub fn rollout(
        &mut self,
        select: Select<'_>,
        nstep: usize,
        control: Option<&[f64]>,
        control_spec: i32,
        records: &[Record<'_>],
    ) -> Result<usize, BatchError> {
        select.check(self.worlds.count)?;
        if control_spec & !(State::User as i32) != 0 {
            return Err(BatchError::ControlSpec);
        }
        let width = state::state_size(&self.worlds.model, control_spec)?;
        let expected = select.len(self.worlds.count) * nstep * width;
        if let Some(got) = control.map(<[f64]>::len).filter(|&got| got != expected) {
            return Err(BatchError::Length { what: "control", got, expected });
        }
        self.run(select, &Operation::Rollout(Rollout { nstep, control, control_spec, records }))
    }

    /// Runs a function on worlds, on the threads of the batch. With `save`, what it does to the state is kept, and
    /// bound fields are copied out. Unless the batch is persistent, only the state in the data is the world's own.
    pub fn apply(
        &mut self,
        select: Select<'_>,
        function: &WorldFn<'_>,
        save: bool,
    ) -> Result<usize, BatchError> {
        self.run(select, &Operation::Apply { function, save })
    }

    /// Runs an operation. Gives the number of worlds that failed: they keep their state, see [`Batch::error`].
    pub fn run(&mut self, select: Select<'_>, operation: &Operation<'_>) -> Result<usize, BatchError> {
        select.check(self.worlds.count)?;
        self.worlds.watch.begin();
        self.backend.run(&mut self.worlds, select, operation)?;
        Ok(self.failures(select))
    }

    fn failures(&self, select: Select<'_>) -> usize {
        let status = self.worlds.status.values();
        (0..select.len(status.len())).filter(|&item| status[select.world(item)] > 0).count()
    }

    fn check_world(&self, world: usize) -> Result<(), BatchError> {
        let worlds = self.worlds.count;
        if world < worlds { Ok(()) } else { Err(BatchError::IdRange { id: world as i64, worlds }) }
    }

    /// A world's model, with its own parameters.
    pub fn world_model(&self, world: usize) -> Result<Model, BatchError> {
        self.check_world(world)?;
        self.worlds.model_of(world).map_err(|error| BatchError::Model(error.to_string()))
    }

    /// A world's state as a data; in a persistent batch with all that was computed for it.
    pub fn world_data(&self, world: usize) -> Result<Data, BatchError> {
        self.check_world(world)?;
        let mut data = make_data(&self.worlds.model)?;
        self.write_world_data(world, &mut data)?;
        Ok(data)
    }

    /// As [`Batch::world_data`], into a data of the same sizes.
    pub fn write_world_data(&self, world: usize, data: &mut Data) -> Result<(), BatchError> {
        self.check_world(world)?;
        self.backend.with_data(world, &mut |kept| data.assign(kept));
        self.fetch(SIGNATURE);
        state::set_state(&self.worlds.model, data, self.worlds.state.row(world), SIGNATURE)?;
        self.worlds.load_warnings(world, data);
        Ok(())
    }
}

/// Typed access to the parts of a world's state.
macro_rules! state_parts {
    ($($name:ident, $name_mut:ident;)+) => {
        impl Batch { $(
            #[doc = concat!("`", stringify!($name), "` of a world.")]
            pub fn $name(&self, world: usize) -> &[f64] {
                self.part(world, stringify!($name)).unwrap_or(&[])
            }

            #[doc = concat!("`", stringify!($name), "` of a world, to be changed.")]
            pub fn $name_mut(&mut self, world: usize) -> &mut [f64] {
                self.part_mut(world, stringify!($name)).unwrap_or(&mut [])
            }
        )+ }
    };
}
state_parts! {
    time, time_mut; qpos, qpos_mut; qvel, qvel_mut; act, act_mut; ctrl, ctrl_mut; qfrc_applied, qfrc_applied_mut;
    xfrc_applied, xfrc_applied_mut; mocap_pos, mocap_pos_mut; mocap_quat, mocap_quat_mut; userdata, userdata_mut;
}
