//! What a batch keeps of its worlds between calls.

use crate::error::{BatchError, WorldError};
use crate::field::{Parameter, ResultField, same_bits};
use crate::interrupt::Watch;
use crate::layout::{Layout, SIGNATURE};
use crate::table::{AnyTable, Table};
use ligament_model::array::ArrayRef;
use ligament_model::callbacks::Callbacks;
use ligament_model::data::{NWARNING, WarningStat};
use ligament_model::{Data, Model};
use ligament_sim::state;
use std::sync::Arc;

/// Models that the caller gives to the worlds, instead of the model of the batch.
#[derive(Clone)]
pub enum Models {
    /// One for all worlds.
    One(Arc<Model>),
    /// One for each world.
    Each(Vec<Arc<Model>>),
}

impl Models {
    /// The model of a world.
    pub fn of(&self, world: usize) -> &Arc<Model> {
        match self {
            Self::One(model) => model,
            Self::Each(models) => &models[world],
        }
    }
}

/// A parameter of which every world has its own value.
pub struct OwnParameter {
    /// Which parameter.
    pub parameter: Parameter,
    /// Its name.
    pub name: String,
    /// One row per world.
    pub values: AnyTable,
    /// Whether it follows from others by `set_const`, rather than being set by the user.
    pub derived: bool,
    /// Whether a bad value could lead outside of an array.
    structural: bool,
}

impl OwnParameter {
    /// Whether it is about what is connected to what, not only a quantity.
    pub(crate) fn is_structural(&self) -> bool {
        self.structural
    }
}

/// A result of which every world has its own value.
pub struct OwnResult {
    /// Which result.
    pub field: ResultField,
    /// Its name.
    pub name: String,
    /// One row per world.
    pub values: AnyTable,
}

/// The state rows, results and parameters of all worlds.
pub struct Worlds {
    /// The model of all worlds.
    pub model: Arc<Model>,
    /// Number of worlds.
    pub count: usize,
    /// Where the parts of the state stand in a row.
    pub layout: Layout,
    /// State rows.
    pub state: Table<f64>,
    /// What the next step may read beside the row: energies, and whether the kinetic one is current (a sensor reads that of
    /// the last step). With the row it is what [`ligament_model::StateLayout`] has while nothing sleeps.
    energy: Table<([f64; 2], bool)>,
    /// Warning counters: `lastinfo` and `number` of each kind.
    pub warning: Table<[i32; 2]>,
    /// Outcomes of the last call, see [`WorldError::status`].
    pub status: Table<i32>,
    /// What happened in the last call.
    pub errors: Table<Option<WorldError>>,
    /// Fields that are copied out after every call.
    pub results: Vec<OwnResult>,
    /// Parameters that differ between worlds.
    pub parameters: Vec<OwnParameter>,
    /// Models of the caller.
    pub models: Option<Models>,
    /// User functions.
    pub callbacks: Callbacks,
    /// Ends calls.
    pub(crate) watch: Arc<Watch>,
}

impl Worlds {
    pub(crate) fn new(model: Arc<Model>, count: usize, first: &Data) -> Result<Self, BatchError> {
        let layout = Layout::new(&model);
        let mut row = vec![0.0; layout.width()];
        let written = state::get_state(&model, first, &mut row, SIGNATURE);
        debug_assert!(written.is_ok(), "the layout is that of the state");
        Ok(Self {
            state: Table::repeat(count, &row)?,
            energy: Table::filled(count, 1, &(first.energy, first.flg_energyvel))?,
            warning: Table::repeat(count, &[[0; 2]; NWARNING])?,
            status: Table::filled(count, 1, &0)?,
            errors: Table::filled(count, 1, &None)?,
            results: Vec::new(),
            parameters: Vec::new(),
            models: None,
            callbacks: Callbacks::default(),
            watch: Arc::new(Watch::new(None)),
            layout,
            model,
            count,
        })
    }

    /// Whether user functions take part in a step.
    pub(crate) fn has_callbacks(&self) -> bool {
        let Callbacks {
            control,
            passive,
            sensor,
            act_dyn,
            act_gain,
            act_bias,
            contact_filter,
            time: _,
            draw: _,
        } = &self.callbacks;
        control.is_some()
            || passive.is_some()
            || sensor.is_some()
            || act_dyn.is_some()
            || act_gain.is_some()
            || act_bias.is_some()
            || contact_filter.is_some()
    }

    /// What a call does not compute for a world is zero, rather than what the world before left in the workspace.
    pub(crate) fn clear_results(&self, d: &mut Data) {
        for result in &self.results {
            result.field.clear(d);
        }
    }

    /// The results of one world are copied from its data.
    ///
    /// # Safety
    /// Only the thread that runs the world may call this during a call.
    #[allow(unsafe_code)]
    pub(crate) unsafe fn copy_results(&self, world: usize, d: &Data) {
        for result in &self.results {
            // SAFETY: promised by the caller.
            result.field.with(d, |value| unsafe { result.values.write_row(world, value) });
        }
    }

    /// Gives a parameter a value per world, which starts as the model's.
    pub(crate) fn own(
        &mut self,
        parameter: Parameter,
        derived: bool,
    ) -> Result<&mut OwnParameter, BatchError> {
        let name = parameter.name();
        let index = match self.parameters.iter().position(|own| own.name == name) {
            Some(index) => index,
            None => {
                let values = parameter.with(&self.model, |value| AnyTable::repeat(self.count, value))?;
                let structural = Parameter::is_structural(&name);
                self.parameters.push(OwnParameter { parameter, name, values, derived, structural });
                self.parameters.len() - 1
            }
        };
        let own = &mut self.parameters[index];
        own.derived &= derived;
        Ok(own)
    }

    /// Writes a world's own parameters into a copy of the batch's model; with `inputs_only`, those that follow from
    /// others get the batch's value.
    pub(crate) fn write_parameters(
        &self,
        world: usize,
        model: &mut Model,
        inputs_only: bool,
    ) -> Result<(), WorldError> {
        let mut suspicious = false;
        for own in &self.parameters {
            if own.derived && inputs_only {
                own.parameter.with(&self.model, |value| own.parameter.store(model, value));
                continue;
            }
            let row = own.values.row(world);
            own.parameter.store(model, row);
            suspicious |= own.structural && own.parameter.with(&self.model, |base| !same_bits(base, row));
        }
        if suspicious { model.validate().map_err(WorldError::Parameters) } else { Ok(()) }
    }

    /// The bits of a world's own parameters.
    pub(crate) fn parameter_bits(&self, world: usize) -> impl Iterator<Item = u64> + '_ {
        self.parameters.iter().flat_map(move |own| {
            let row = own.values.row(world);
            (0..row.len()).map(move |i| match row {
                ArrayRef::F64(x) => x[i].to_bits(),
                ArrayRef::F32(x) => u64::from(x[i].to_bits()),
                ArrayRef::I32(x) => x[i] as u64,
                ArrayRef::I64(x) => x[i] as u64,
                ArrayRef::U64(x) => x[i],
                ArrayRef::U8(x) => u64::from(x[i]),
            })
        })
    }

    /// The model of a world, as a whole.
    pub fn model_of(&self, world: usize) -> Result<Model, WorldError> {
        if let Some(models) = &self.models {
            return Ok((**models.of(world)).clone());
        }
        let mut model = (*self.model).clone();
        self.write_parameters(world, &mut model, false)?;
        Ok(model)
    }

    /// Copies a world's state and warning counters into a data.
    pub(crate) fn load(&self, world: usize, model: &Model, d: &mut Data) -> Result<(), WorldError> {
        state::set_state(model, d, self.state.row(world), SIGNATURE)?;
        (d.energy, d.flg_energyvel) = self.energy.row(world)[0];
        self.load_warnings(world, d);
        Ok(())
    }

    pub(crate) fn load_warnings(&self, world: usize, d: &mut Data) {
        for (stat, &[lastinfo, number]) in d.warning.iter_mut().zip(self.warning.row(world)) {
            *stat = WarningStat { lastinfo, number };
        }
    }

    /// Keeps the state and the warning counters of a world.
    ///
    /// # Safety
    /// As for [`Worlds::copy_results`].
    #[allow(unsafe_code)]
    pub(crate) unsafe fn save(&self, world: usize, model: &Model, d: &Data) -> Result<(), WorldError> {
        // SAFETY: promised by the caller.
        let (row, warnings, energy) =
            unsafe { (self.state.row_mut(world), self.warning.row_mut(world), self.energy.row_mut(world)) };
        state::get_state(model, d, row, SIGNATURE)?;
        energy[0] = (d.energy, d.flg_energyvel);
        for (kept, stat) in warnings.iter_mut().zip(&d.warning) {
            *kept = [stat.lastinfo, stat.number];
        }
        Ok(())
    }
}

/// The worlds that a call is about.
#[derive(Debug, Clone, Copy)]
pub enum Select<'a> {
    /// All of them.
    All,
    /// Rising, each at most once.
    Ids(&'a [i32]),
}

impl Select<'_> {
    /// Checks that the ids rise and are in range.
    pub fn check(self, worlds: usize) -> Result<(), BatchError> {
        let Self::Ids(ids) = self else { return Ok(()) };
        for &id in ids {
            if usize::try_from(id).map_or(true, |id| id >= worlds) {
                return Err(BatchError::IdRange { id: i64::from(id), worlds });
            }
        }
        match ids.windows(2).find(|pair| pair[0] >= pair[1]) {
            Some(pair) => Err(BatchError::IdOrder { before: pair[0], after: pair[1] }),
            None => Ok(()),
        }
    }

    /// Number of worlds.
    pub fn len(self, worlds: usize) -> usize {
        match self {
            Self::All => worlds,
            Self::Ids(ids) => ids.len(),
        }
    }

    /// The world at a place of the call.
    pub fn world(self, item: usize) -> usize {
        match self {
            Self::All => item,
            Self::Ids(ids) => ids[item] as usize,
        }
    }
}
