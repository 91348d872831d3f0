//! The exact steps of the engine, on the threads of a pool: the same bits as stepping each world alone.

mod fours;

use crate::backend::Backend;
use crate::error::{BatchError, WorldError};
use crate::field::{Parameter, same_numbers};
use crate::layout::LATE_INPUTS;
use crate::operation::{At, Operation};
use crate::pool::{Pool, Team};
use crate::worlds::{Select, Worlds};
use ligament_model::callbacks::Callbacks;
use ligament_model::data::{NWARNING, WarningStat};
use ligament_model::enums::{DisableBit, Integrator, Stage, Warning};
use ligament_model::{Data, Model};
use ligament_sim::reset::{ResetError, make_data, reset_data};
use ligament_sim::setconst::set_const;
use ligament_sim::support::is_bad;
use ligament_sim::together::{Quartet, can_step_together};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a thread works with: a data that serves one world after the other, and a model for worlds with parameters of
/// their own.
#[repr(align(128))] // neighbours belong to other threads
struct Workspace {
    data: Data,
    model: Option<Model>,
    /// Three more data and the memory to compute with four worlds together, where the model allows it.
    quartet: Option<Box<Quartet>>,
}

/// The data of a world that is kept between calls.
struct Kept {
    data: Data,
    /// Whether positions and velocities in it are those of the state row.
    current: bool,
    /// The world's own parameters when they were computed.
    parameters: Vec<u64>,
}

impl Workspace {
    fn all_data(&mut self) -> impl Iterator<Item = &mut Data> {
        let others = self.quartet.iter_mut().flat_map(|quartet| &mut quartet.others);
        std::iter::once(&mut self.data).chain(others)
    }
}

impl Kept {
    /// An operation went well.
    fn note(&mut self, worlds: &Worlds, world: usize, operation: &Operation<'_>) {
        if operation.final_stage() >= Stage::Vel {
            self.current = true;
            self.parameters.clear();
            self.parameters.extend(worlds.parameter_bits(world));
        }
    }
}

/// What the threads of a call share.
struct Crew {
    workspaces: Box<[Mutex<Workspace>]>,
    kept: Box<[Mutex<Kept>]>,
}

/// Exact steps on the CPU.
pub struct Exact {
    pool: Arc<Pool>,
    team: Team,
    crew: Crew,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Exact {
    /// Has every thread memory for four worlds?
    pub fn in_quartets(model: &Model, worlds: usize) -> bool {
        worlds >= 4 && can_step_together(model)
    }

    /// `threads` workspaces and, when persistent, a data for each of `worlds`.
    pub fn new(
        model: &Model,
        worlds: usize,
        threads: usize,
        persistent: bool,
        callbacks: &Callbacks,
        pool: Arc<Pool>,
    ) -> Result<Self, ResetError> {
        pool.reserve(threads.saturating_sub(1));
        let fresh = || -> Result<Data, ResetError> {
            let mut data = Data::new(model);
            data.plugins = ligament_sim::plugin::instantiate(model)?.into();
            data.callbacks = callbacks.clone();
            Ok(data)
        };
        let together = Self::in_quartets(model, worlds);
        let workspaces = (0..threads).map(|_| {
            let data = fresh()?;
            let quartet = together.then(|| Box::new(Quartet::new(model, &data)));
            Ok(Mutex::new(Workspace { data, model: None, quartet }))
        });
        let workspaces = workspaces.collect::<Result<Box<[_]>, ResetError>>()?;
        let count = if persistent { worlds } else { 0 };
        let kept = (0..count)
            .map(|_| Ok(Mutex::new(Kept { data: fresh()?, current: false, parameters: Vec::new() })));
        let kept = kept.collect::<Result<Box<[_]>, ResetError>>()?;
        let mut exact = Self { team: Team::new(threads), pool, crew: Crew { workspaces, kept } };
        exact.reset_all(model)?;
        Ok(exact)
    }

    /// Every data starts at the initial state.
    fn reset_all(&mut self, model: &Model) -> Result<(), ResetError> {
        let Self { pool, team, crew: Crew { workspaces, kept } } = self;
        let failure = Mutex::new(Ok(()));
        let (here, all) = (workspaces.len(), workspaces.len() + kept.len());
        pool.run(team, all, &|_, item| {
            let outcome = if item < here {
                lock(&workspaces[item]).all_data().try_for_each(|data| reset_data(model, data))
            } else {
                reset_data(model, &mut lock(&kept[item - here]).data)
            };
            if outcome.is_err() {
                *lock(&failure) = outcome;
            }
        });
        failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs an operation on one world, on the thread that has this place.
    pub(crate) fn one(&self, worlds: &Worlds, place: usize, at: At, operation: &Operation<'_>) {
        self.crew.one(worlds, place, at, operation);
    }

    /// The data at the initial state.
    pub(crate) fn with_first<R>(&self, read: impl FnOnce(&Data) -> R) -> R {
        read(&lock(&self.crew.workspaces[0]).data)
    }
}

/// The model of a world: the caller's, the batch's, or a copy with the world's own parameters.
fn model_for<'a>(
    worlds: &'a Worlds,
    world: usize,
    copy: &'a mut Option<Model>,
) -> Result<&'a Model, WorldError> {
    if let Some(models) = &worlds.models {
        return Ok(models.of(world));
    }
    if worlds.parameters.is_empty() {
        return Ok(&worlds.model);
    }
    let model = copy.get_or_insert_with(|| (*worlds.model).clone());
    worlds.write_parameters(world, model, false)?;
    Ok(model)
}

const BAD: [Warning; 3] = [Warning::Badqpos, Warning::Badqvel, Warning::Badqacc];

/// Stands in a counter of bad numbers until it is set again: an automatic reset clears the counters, so that their
/// numbers alone do not tell.
const UNTOUCHED: i32 = -1;

/// Marks the counters of bad numbers; gives what they were.
fn watch(d: &mut Data) -> [WarningStat; NWARNING] {
    let before = d.warning;
    for bad in BAD {
        d.warning[bad as usize].lastinfo = UNTOUCHED;
    }
    before
}

/// Puts the counters right again; says whether numbers went bad.
fn noticed(m: &Model, d: &mut Data, before: &[WarningStat; NWARNING]) -> Option<WorldError> {
    let mut diverged = None;
    for warning in BAD {
        let now = &mut d.warning[warning as usize];
        if now.lastinfo == UNTOUCHED {
            now.lastinfo = before[warning as usize].lastinfo;
        } else if now.number > 0 && diverged.is_none() {
            let reset = !m.opt.disabled(DisableBit::Autoreset);
            diverged = Some(WorldError::Diverged { warning, index: now.lastinfo, reset });
        }
    }
    let control = d.warning[Warning::Badctrl as usize];
    if diverged.is_none() && control.number > before[Warning::Badctrl as usize].number {
        let warning = Warning::Badctrl;
        diverged = Some(WorldError::Diverged { warning, index: control.lastinfo, reset: false });
    }
    diverged
}

/// Whether the stages in a kept data are those of the row: nothing they depend on has changed.
fn can_continue(worlds: &Worlds, world: usize, m: &Model, kept: &Kept) -> bool {
    let row = worlds.state.row(world);
    let unchanged = || {
        worlds.layout.parts().iter().filter(|part| part.bit as i32 & LATE_INPUTS == 0).all(|part| {
            let values = &row[part.start..part.start + part.len];
            state_part(&kept.data, part.name, values) && !values.iter().any(|&x| is_bad(x))
        })
    };
    kept.current
        && m.opt.integrator != Integrator::Rk4 as i32
        && !worlds.callbacks.take_part()
        && unchanged()
        && worlds.parameter_bits(world).eq(kept.parameters.iter().copied())
}

/// Whether a part of a data's state has these bits.
fn state_part(d: &Data, name: &str, values: &[f64]) -> bool {
    match name {
        "time" => same_numbers(&[d.time], values),
        "qpos" => same_numbers(&d.qpos, values),
        "qvel" => same_numbers(&d.qvel, values),
        "act" => same_numbers(&d.act, values),
        "history" => same_numbers(&d.history, values),
        "eq_active" => d.eq_active.iter().zip(values).all(|(&a, &b)| a == b as u8),
        "mocap_pos" => same_numbers(d.mocap_pos.as_flattened(), values),
        "mocap_quat" => same_numbers(d.mocap_quat.as_flattened(), values),
        "userdata" => same_numbers(&d.userdata, values),
        "plugin_state" => same_numbers(&d.plugin_state, values),
        _ => false,
    }
}

/// Loads a world, runs the operation, keeps what came of it.
#[allow(unsafe_code)] // rows of shared tables
fn run_world(
    worlds: &Worlds,
    at: At,
    operation: &Operation<'_>,
    m: &Model,
    d: &mut Data,
    continued: bool,
    place: usize,
) -> Result<Option<WorldError>, WorldError> {
    worlds.load(at.world, m, d)?;
    let before = watch(d);
    operation.perform(m, d, at, continued, &|| worlds.watch.ends(place))?;
    let diverged = noticed(m, d, &before);
    if operation.saves() {
        // SAFETY: a call runs each world once, on one thread; nobody else touches its rows meanwhile.
        unsafe {
            worlds.save(at.world, m, d)?;
            worlds.copy_results(at.world, d);
        }
    }
    Ok(diverged)
}

/// What a panic said.
fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// Runs part of a call; a panic becomes an error.
fn guarded<T>(work: impl FnOnce() -> Result<T, WorldError>) -> Result<T, WorldError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(WorldError::Panic(panic_message(panic.as_ref()))))
}

/// A data that a panic may have left half taken apart is made anew.
fn renew(m: &Model, d: &mut Data) {
    if let Ok(mut fresh) = make_data(m) {
        fresh.callbacks = d.callbacks.clone();
        *d = fresh;
    }
}

/// Notes the outcome of a world.
#[allow(unsafe_code)] // rows of shared tables
fn report(worlds: &Worlds, world: usize, error: Option<WorldError>) {
    // SAFETY: as in `run_world`.
    unsafe {
        worlds.status.row_mut(world)[0] = error.as_ref().map_or(0, WorldError::status);
        worlds.errors.row_mut(world)[0] = error;
    }
}

impl Crew {
    /// Runs an operation on one world and notes the outcome.
    fn one(&self, worlds: &Worlds, place: usize, at: At, operation: &Operation<'_>) {
        let mut workspace = lock(&self.workspaces[place]);
        let Workspace { data, model, .. } = &mut *workspace;
        let outcome = guarded(|| model_for(worlds, at.world, model)).and_then(|m| {
            let Some(kept) = self.kept.get(at.world) else {
                worlds.clear_results(data);
                let outcome = guarded(|| run_world(worlds, at, operation, m, data, false, place));
                if matches!(outcome, Err(WorldError::Panic(_))) {
                    renew(&worlds.model, data);
                }
                return outcome;
            };
            let kept = &mut *lock(kept);
            let steps = matches!(operation, Operation::Step { nstep: 1.., .. });
            let continued = steps && can_continue(worlds, at.world, m, kept);
            kept.current = false;
            let outcome = guarded(|| run_world(worlds, at, operation, m, &mut kept.data, continued, place));
            match outcome {
                Err(WorldError::Panic(_)) => renew(&worlds.model, &mut kept.data),
                Ok(None) => kept.note(worlds, at.world, operation),
                _ => {}
            }
            outcome
        });
        report(worlds, at.world, outcome.unwrap_or_else(Some));
    }

    /// Computes one world's constants into its rows; notes in `found` which ones differ from the batch's.
    #[allow(unsafe_code)] // rows of shared tables
    fn constants(&self, worlds: &Worlds, place: usize, world: usize, found: &[AtomicBool]) {
        let mut workspace = lock(&self.workspaces[place]);
        let Workspace { data, model, .. } = &mut *workspace;
        let outcome = guarded(|| {
            let model = model.get_or_insert_with(|| (*worlds.model).clone());
            for (parameter, _) in Parameter::constants().zip(found).filter(|(_, f)| f.load(Ordering::Relaxed))
            {
                // left by the world before
                parameter.with(&worlds.model, |value| parameter.store(model, value));
            }
            worlds.write_parameters(world, model, true)?;
            reset_data(model, data)?;
            Ok(set_const(model, data)?)
        });
        if let (Ok(()), Some(model)) = (&outcome, &*model) {
            for (parameter, found) in Parameter::constants().zip(found) {
                if !found.load(Ordering::Relaxed) && !parameter.same(&worlds.model, model) {
                    found.store(true, Ordering::Relaxed);
                }
            }
            for own in &worlds.parameters {
                // SAFETY: as in `run_world`.
                own.parameter.with(model, |value| unsafe { own.values.write_row(world, value) });
            }
        }
        if outcome.is_err() {
            *model = None;
            renew(&worlds.model, data);
        }
        report(worlds, world, outcome.err());
    }
}

impl Exact {
    /// Runs `work` on the worlds of a call.
    fn each(&mut self, worlds: &Worlds, select: Select<'_>, work: impl Fn(&Crew, usize, At) + Sync) {
        let crew = &self.crew;
        self.pool.run(&mut self.team, select.len(worlds.count), &|place, item| {
            work(crew, place, At { item, world: select.world(item) });
        });
    }
}

impl Backend for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn threads(&self) -> usize {
        self.crew.workspaces.len()
    }

    fn persistent(&self) -> bool {
        !self.crew.kept.is_empty()
    }

    fn run(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        if let Some(job) = self.in_fours(worlds, select.len(worlds.count), operation) {
            self.each_four(worlds, select, job);
        } else {
            self.each(worlds, select, |crew, place, at| crew.one(worlds, place, at, operation));
        }
        Ok(())
    }

    fn set_const(&mut self, worlds: &mut Worlds, select: Select<'_>) -> Result<(), BatchError> {
        let found: Vec<AtomicBool> = Parameter::constants().map(|_| AtomicBool::new(false)).collect();
        loop {
            let before = worlds.parameters.len();
            self.each(worlds, select, |crew, place, at| crew.constants(worlds, place, at.world, &found));
            for (parameter, found) in Parameter::constants().zip(&found) {
                if found.load(Ordering::Relaxed) {
                    worlds.own(parameter, true)?;
                }
            }
            // what has become per world was not written yet
            if worlds.parameters.len() == before {
                break;
            }
        }
        Ok(())
    }

    fn with_data(&self, world: usize, read: &mut dyn FnMut(&Data)) -> bool {
        let Some(kept) = self.crew.kept.get(world) else { return false };
        read(&lock(kept).data);
        true
    }

    fn set_callbacks(&mut self, callbacks: &Callbacks) {
        for workspace in &mut self.crew.workspaces {
            let workspace = workspace.get_mut().unwrap_or_else(PoisonError::into_inner);
            workspace.all_data().for_each(|data| data.callbacks = callbacks.clone());
        }
        for kept in &mut self.crew.kept {
            kept.get_mut().unwrap_or_else(PoisonError::into_inner).data.callbacks = callbacks.clone();
        }
    }

    fn invalidate(&mut self) {
        for kept in &mut self.crew.kept {
            kept.get_mut().unwrap_or_else(PoisonError::into_inner).current = false;
        }
        for workspace in &mut self.crew.workspaces {
            workspace.get_mut().unwrap_or_else(PoisonError::into_inner).model = None;
        }
    }
}
