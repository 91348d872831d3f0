//! Episodes: rewards, ends and automatic resets, computed by the workers as part of a step.

use crate::batch::Batch;
use crate::error::{BatchError, WorldError};
use crate::layout::Layout;
use crate::operation::At;
use crate::randomize::Random;
use crate::table::Table;
use crate::worlds::Select;
use ligament_model::enums::Stage;
use ligament_model::{Data, Model};
use ligament_sim::reset::reset_data;
use ligament_sim::step::{forward_to, step};

/// What a task says about a world after a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Verdict {
    /// The reward of the step.
    pub reward: f64,
    /// The episode is over for good, as opposed to having run out of time.
    pub terminated: bool,
}

/// What worlds are for. The functions run in the workers; each world has notes of its own between calls.
///
/// A cart that is to stand still at the middle of its rail, however it is pushed off:
///
/// ```
/// use ligament_batch::{Autoreset, Batch, BatchSim, Config, Random, Task, Verdict};
/// use ligament_model::{Data, Model};
///
/// struct Return {
///     effort: f64,
/// }
///
/// impl Task for Return {
///     fn observation(&self, m: &Model) -> usize {
///         m.nq + m.nv
///     }
///     fn begin(&self, _: &Model, d: &mut Data, _: &mut [f64], random: &mut Random) {
///         d.qpos[0] = random.uniform(-0.5, 0.5);
///     }
///     fn judge(&self, _: &Model, d: &Data, _: &mut [f64]) -> Verdict {
///         let cost = d.qpos[0].powi(2) + self.effort * d.ctrl[0].powi(2);
///         Verdict { reward: -cost, terminated: d.qpos[0].abs() > 1.0 }
///     }
///     fn observe(&self, m: &Model, d: &Data, _: &[f64], out: &mut [f64]) {
///         out[..m.nq].copy_from_slice(&d.qpos);
///         out[m.nq..].copy_from_slice(&d.qvel);
///     }
/// }
///
/// # use ligament_mjcf::assets::NoAssets;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let text = "<mujoco><worldbody><body><joint name='rail' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>\
/// #     <actuator><motor joint='rail' gear='5'/></actuator></mujoco>";
/// # let model = ligament_compile::compile(&ligament_mjcf::read_str(text, "", "", &NoAssets)?, &NoAssets)?;
/// let batch = Batch::new(model, 64, &Config::default())?;
/// let mut sim = BatchSim::with_task(batch, Return { effort: 0.01 })?
///     .steps_per_call(5)
///     .time_limit(200)
///     .autoreset(Autoreset::SameStep);
/// sim.reset_all()?;
/// let mut last = 0.0;
/// for _ in 0..199 {
///     for world in 0..64 {
///         let (x, speed) = (sim.batch().qpos(world)[0], sim.batch().qvel(world)[0]);
///         sim.batch_mut().ctrl_mut(world)[0] = -6.0 * x - 4.0 * speed;
///     }
///     let result = sim.step_all()?;
///     assert!(!result.terminated.contains(&true));
///     last = result.rewards.iter().sum();
/// }
/// assert!(last > -0.01, "all carts are back: {last}");
/// # Ok(())
/// # }
/// ```
pub trait Task: Send + Sync {
    /// Numbers that the task keeps for each world.
    fn notes(&self, _model: &Model) -> usize {
        0
    }

    /// Numbers in an observation.
    fn observation(&self, _model: &Model) -> usize {
        0
    }

    /// Begins an episode: the world was reset to the initial state, which may be changed.
    fn begin(&self, _model: &Model, _data: &mut Data, _notes: &mut [f64], _random: &mut Random) {}

    /// Before the steps of a call, with the controls in place.
    fn before(&self, _model: &Model, _data: &mut Data, _notes: &mut [f64]) {}

    /// What came of the steps.
    fn judge(&self, model: &Model, data: &Data, notes: &mut [f64]) -> Verdict;

    /// What an observer sees.
    fn observe(&self, _model: &Model, _data: &Data, _notes: &[f64], _out: &mut [f64]) {}
}

/// A reward that depends on the state alone: the simplest task.
pub trait RewardFn: Send + Sync {
    /// The reward of a state.
    fn compute(&self, model: &Model, data: &Data) -> f64;
}

impl<F: Fn(&Model, &Data) -> f64 + Send + Sync> RewardFn for F {
    fn compute(&self, model: &Model, data: &Data) -> f64 {
        self(model, data)
    }
}

/// A task that consists of a reward.
struct RewardOnly<R>(R);

impl<R: RewardFn> Task for RewardOnly<R> {
    fn judge(&self, model: &Model, data: &Data, _: &mut [f64]) -> Verdict {
        Verdict { reward: self.0.compute(model, data), terminated: false }
    }
}

/// Nothing to be done: rewards are zero, episodes have no end.
pub struct NoTask;

impl Task for NoTask {
    fn judge(&self, _: &Model, _: &Data, _: &mut [f64]) -> Verdict {
        Verdict::default()
    }
}

/// When a world whose episode is over begins a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Autoreset {
    /// The next call begins the new episode instead of stepping; its reward is 0.
    #[default]
    NextStep,
    /// The same call begins it; observations are those of the new episode, the last ones are kept aside.
    SameStep,
    /// Never, except that a world which failed starts anew and is stepped.
    Disabled,
}

/// Columns `qpos`, `qvel` of the state rows.
#[derive(Clone, Copy)]
pub struct States<'a> {
    rows: &'a [f64],
    stride: usize,
    start: usize,
    len: usize,
}

impl<'a> States<'a> {
    fn new(rows: &'a [f64], layout: &Layout) -> Self {
        let columns = |name: &str| layout.part(name).map_or((0, 0), |part| (part.start, part.len));
        let ((start, nq), (_, nv)) = (columns("qpos"), columns("qvel"));
        Self { rows, stride: layout.width(), start, len: nq + nv }
    }

    /// One world's `qpos` followed by its `qvel`.
    pub fn row(&self, world: usize) -> &'a [f64] {
        &self.rows[world * self.stride + self.start..][..self.len]
    }

    /// Numbers per world.
    pub fn width(&self) -> usize {
        self.len
    }
}

/// What came of a call. Everything is read in place; nothing is copied.
#[derive(Clone, Copy)]
pub struct BatchResult<'a> {
    /// The states of all worlds after the step, and after a reset where there was one.
    pub states: States<'a>,
    /// A reward of each world.
    pub rewards: &'a [f64],
    /// Worlds whose episode has come to its end.
    pub terminated: &'a [bool],
    /// Worlds whose episode was cut off by the time limit.
    pub truncated: &'a [bool],
    /// What went wrong in each world.
    pub errors: &'a [Option<WorldError>],
    /// Worlds × numbers of an observation.
    pub observations: &'a [f64],
    /// The last observations of episodes that ended in this call ([`Autoreset::SameStep`]).
    pub final_observations: &'a [f64],
}

/// What is kept of each world's episode.
struct Episodes {
    notes: Table<f64>,
    observations: Table<f64>,
    final_observations: Table<f64>,
    rewards: Table<f64>,
    terminated: Table<bool>,
    truncated: Table<bool>,
    /// Steps of the episode so far.
    age: Table<usize>,
    /// Begins a new episode at the next call.
    over: Table<bool>,
    /// Failed in the last call: is reset before it is stepped again.
    failed: Table<bool>,
    /// Episodes begun so far: each has random numbers of its own.
    number: Table<u64>,
}

/// A batch with a task: steps, rewards, ends and resets in one call.
pub struct BatchSim {
    batch: Batch,
    task: Box<dyn Task>,
    episodes: Episodes,
    nstep: usize,
    stage: Stage,
    time_limit: Option<usize>,
    autoreset: Autoreset,
    random: Random,
    /// Room for ids.
    ids: Vec<i32>,
}

/// The mutable parts of one world's episode.
struct Row<'a> {
    notes: &'a mut [f64],
    observation: &'a mut [f64],
    final_observation: &'a mut [f64],
    reward: &'a mut f64,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    age: &'a mut usize,
    over: &'a mut bool,
    failed: &'a mut bool,
    number: &'a mut u64,
}

#[allow(unsafe_code)] // rows of shared tables
impl Episodes {
    fn new(worlds: usize, model: &Model, task: &dyn Task) -> Result<Self, BatchError> {
        let (notes, seen) = (task.notes(model), task.observation(model));
        Ok(Self {
            notes: Table::filled(worlds, notes, &0.0)?,
            observations: Table::filled(worlds, seen, &0.0)?,
            final_observations: Table::filled(worlds, seen, &0.0)?,
            rewards: Table::filled(worlds, 1, &0.0)?,
            terminated: Table::filled(worlds, 1, &false)?,
            truncated: Table::filled(worlds, 1, &false)?,
            age: Table::filled(worlds, 1, &0)?,
            over: Table::filled(worlds, 1, &false)?,
            failed: Table::filled(worlds, 1, &false)?,
            number: Table::filled(worlds, 1, &0)?,
        })
    }

    /// One world's episode.
    ///
    /// # Safety
    /// Only the thread that runs the world may ask.
    unsafe fn row(&self, world: usize) -> Row<'_> {
        // SAFETY: promised by the caller.
        unsafe {
            Row {
                notes: self.notes.row_mut(world),
                observation: self.observations.row_mut(world),
                final_observation: self.final_observations.row_mut(world),
                reward: &mut self.rewards.row_mut(world)[0],
                terminated: &mut self.terminated.row_mut(world)[0],
                truncated: &mut self.truncated.row_mut(world)[0],
                age: &mut self.age.row_mut(world)[0],
                over: &mut self.over.row_mut(world)[0],
                failed: &mut self.failed.row_mut(world)[0],
                number: &mut self.number.row_mut(world)[0],
            }
        }
    }
}

/// How calls work on one world.
struct Play<'a> {
    task: &'a dyn Task,
    nstep: usize,
    stage: Stage,
    time_limit: Option<usize>,
    autoreset: Autoreset,
    random: Random,
}

impl Play<'_> {
    /// Begins an episode.
    fn begin(&self, m: &Model, d: &mut Data, at: At, row: &mut Row<'_>) -> Result<(), WorldError> {
        reset_data(m, d)?;
        (*row.age, *row.over, *row.failed) = (0, false, false);
        let mut random = self.random.split(at.world as u64).split(*row.number);
        *row.number += 1;
        self.task.begin(m, d, row.notes, &mut random);
        forward_to(m, d, Stage::Acc)?;
        self.task.observe(m, d, row.notes, row.observation);
        Ok(())
    }

    /// One call.
    fn step(&self, m: &Model, d: &mut Data, at: At, row: &mut Row<'_>) -> Result<(), WorldError> {
        (*row.reward, *row.terminated, *row.truncated) = (0.0, false, false);
        if *row.over && self.autoreset == Autoreset::NextStep {
            return self.begin(m, d, at, row);
        }
        if *row.failed {
            self.begin(m, d, at, row)?;
        }
        self.task.before(m, d, row.notes);
        for _ in 0..self.nstep {
            step(m, d)?;
        }
        forward_to(m, d, self.stage)?;
        let Verdict { reward, terminated } = self.task.judge(m, d, row.notes);
        *row.age += 1;
        (*row.reward, *row.terminated) = (reward, terminated);
        *row.truncated = self.time_limit.is_some_and(|limit| *row.age >= limit);
        *row.over = *row.terminated || *row.truncated;
        self.task.observe(m, d, row.notes, row.observation);
        if *row.over && self.autoreset == Autoreset::SameStep {
            row.final_observation.copy_from_slice(row.observation);
            self.begin(m, d, at, row)?;
        }
        Ok(())
    }
}

impl BatchSim {
    /// A batch without a task yet.
    pub fn new(batch: Batch) -> Result<Self, BatchError> {
        Self::with_task(batch, NoTask)
    }

    /// A batch with a task.
    pub fn with_task(batch: Batch, task: impl Task + 'static) -> Result<Self, BatchError> {
        Ok(Self {
            episodes: Episodes::new(batch.nsim(), batch.model(), &task)?,
            ids: Vec::with_capacity(batch.nsim()),
            task: Box::new(task),
            batch,
            nstep: 1,
            stage: Stage::Vel,
            time_limit: None,
            autoreset: Autoreset::default(),
            random: Random::new(0),
        })
    }

    /// A batch with a reward and no ends.
    pub fn with_reward(batch: Batch, reward: impl RewardFn + 'static) -> Result<Self, BatchError> {
        Self::with_task(batch, RewardOnly(reward))
    }

    /// Steps of the engine per call.
    #[must_use]
    pub fn steps_per_call(mut self, nstep: usize) -> Self {
        self.nstep = nstep;
        self
    }

    /// The stages that are current when the task judges and observes.
    #[must_use]
    pub fn observe_stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Calls after which an episode is truncated.
    #[must_use]
    pub fn time_limit(mut self, calls: usize) -> Self {
        self.time_limit = Some(calls);
        self
    }

    /// When new episodes begin.
    #[must_use]
    pub fn autoreset(mut self, autoreset: Autoreset) -> Self {
        self.autoreset = autoreset;
        self
    }

    /// Seed of the episodes' random numbers.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.random = Random::new(seed);
        self
    }

    /// The worlds: states, controls, bound fields.
    pub fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The worlds, to be changed.
    pub fn batch_mut(&mut self) -> &mut Batch {
        &mut self.batch
    }

    fn run(&mut self, select: Select<'_>, begin: bool) -> Result<(), BatchError> {
        let Self { batch, task, episodes, nstep, stage, time_limit, autoreset, random, .. } = self;
        let play = Play {
            task: &**task,
            nstep: *nstep,
            stage: *stage,
            time_limit: *time_limit,
            autoreset: *autoreset,
            random: *random,
        };
        let work = |m: &Model, d: &mut Data, at: At| {
            #[allow(unsafe_code)]
            // SAFETY: a call runs each world once, on one thread.
            let mut row = unsafe { episodes.row(at.world) };
            if begin { play.begin(m, d, at, &mut row) } else { play.step(m, d, at, &mut row) }
        };
        batch.apply(select, &work, true)?;
        Ok(())
    }

    /// Advances all worlds.
    pub fn step_all(&mut self) -> Result<BatchResult<'_>, BatchError> {
        self.run(Select::All, false)?;
        self.note_failures()?;
        Ok(self.result())
    }

    /// Episodes of worlds that failed are over.
    fn note_failures(&mut self) -> Result<(), BatchError> {
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        for (world, &status) in self.batch.status().iter().enumerate() {
            if status != 0 {
                self.episodes.rewards.values_mut()[world] = 0.0;
                self.episodes.terminated.values_mut()[world] = true;
                self.episodes.over.values_mut()[world] = true;
                self.episodes.failed.values_mut()[world] = true;
                ids.push(world as i32);
            }
        }
        let begun = if ids.is_empty() || self.autoreset != Autoreset::SameStep {
            Ok(())
        } else {
            self.begin_keeping_errors(&ids)
        };
        self.ids = ids;
        begun
    }

    /// Begins episodes without forgetting why the last ones ended.
    fn begin_keeping_errors(&mut self, ids: &[i32]) -> Result<(), BatchError> {
        let kept: Vec<_> = ids.iter().map(|&id| self.batch.error(id as usize).cloned()).collect();
        self.run(Select::Ids(ids), true)?;
        for (&id, error) in ids.iter().zip(kept) {
            self.batch.restore_error(id as usize, error);
        }
        Ok(())
    }

    /// What came of the last call.
    pub fn result(&self) -> BatchResult<'_> {
        BatchResult {
            states: States::new(self.batch.state(), self.batch.layout()),
            rewards: self.episodes.rewards.values(),
            terminated: self.episodes.terminated.values(),
            truncated: self.episodes.truncated.values(),
            errors: self.batch.worlds().errors.values(),
            observations: self.episodes.observations.values(),
            final_observations: self.episodes.final_observations.values(),
        }
    }

    /// Begins a new episode in all worlds.
    pub fn reset_all(&mut self) -> Result<(), BatchError> {
        self.run(Select::All, true)
    }

    /// Begins a new episode in one world.
    pub fn reset(&mut self, world: usize) -> Result<(), BatchError> {
        self.run(Select::Ids(&[i32::try_from(world).unwrap_or(i32::MAX)]), true)
    }

    /// Begins a new episode in the flagged worlds; touches no other.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), BatchError> {
        let expected = self.batch.nsim();
        if mask.len() != expected {
            return Err(BatchError::Length { what: "mask", got: mask.len(), expected });
        }
        let mut ids = std::mem::take(&mut self.ids);
        ids.clear();
        ids.extend((0..expected as i32).filter(|&i| mask[i as usize]));
        let outcome = self.run(Select::Ids(&ids), true);
        self.ids = ids;
        outcome
    }
}
