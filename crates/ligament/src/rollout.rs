//! Many trajectories at once: open-loop controls from given states, on several threads.

use ligament_model::enums::State as StateBit;
use ligament_model::{Data, Model};
use ligament_sim::reset;
use ligament_sim::state::{self, StateError};
use ligament_sim::step::{StepError, step};
use ligament_sim::together::{self, Quartet, can_step_together};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const FULL: i32 = StateBit::Fullphysics as i32;

/// Time between two questions whether to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// Steps of a trajectory between two looks at the answer.
const STRIDE: usize = 16;

/// What to roll out, and where the results go. World is the first axis, time the second.
#[derive(Debug)]
pub struct Rollout<'a> {
    /// Steps of each trajectory.
    pub nstep: usize,
    /// Which parts of the state the controls set: bits of [`StateBit`] out of `User`.
    pub control_spec: i32,
    /// One full physics state for each trajectory.
    pub state0: &'a [f64],
    /// Accelerations that the solver starts from; zeros when absent.
    pub warmstart0: Option<&'a [f64]>,
    /// Controls of every step.
    pub control: Option<&'a [f64]>,
    /// Gets the full physics state after every step.
    pub state: Option<&'a mut [f64]>,
    /// Gets the sensor data of every step.
    pub sensordata: Option<&'a mut [f64]>,
    /// Trajectories that a thread takes at a time; a tenth of its share, but four where there are that many, when absent.
    pub chunk: Option<usize>,
}

/// Why trajectories cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say what is wrong
pub enum RolloutError {
    #[error("{name} should have {need} numbers, got {got}")]
    Length { name: &'static str, need: usize, got: usize },
    #[error("{models} models for {trajectories} trajectories: there must be one for each")]
    Models { models: usize, trajectories: usize },
    #[error("the models have different sizes, or other sizes than the data")]
    OtherModel,
    #[error("there are no data to simulate with")]
    NoData,
    #[error("the rollout was interrupted")]
    Interrupted,
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Step(#[from] StepError),
}

/// What all trajectories have in common.
#[derive(Clone, Copy)]
struct Plan<'a> {
    nstep: usize,
    control_spec: i32,
    nstate: usize,
    ncontrol: usize,
    warmstart: Option<&'a [f64]>,
    state0: &'a [f64],
    control: Option<&'a [f64]>,
}

/// One trajectory: its number, its model, and where its results go.
struct Task<'a> {
    number: usize,
    model: &'a Model,
    state: Option<&'a mut [f64]>,
    sensordata: Option<&'a mut [f64]>,
}

/// Simulates one trajectory for each model, with one thread for each of `data` (the caller's for a single one).
///
/// Every trajectory starts from its state alone: what the data were used for before, which thread takes it and what
/// else is rolled out make no difference. Parts of the state that the controls could set, but that no controls are given
/// for, are as in the data. After a warning the last state of a trajectory is repeated.
///
/// ```
/// use ligament::{Rollout, prelude::*, rollout};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = ligament::load_model(
///     "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>",
/// )?;
/// let mut data = model.make_data()?;
/// // two trajectories of ten steps; a state is time, position, velocity
/// let state0 = [0.0, 0.0, 1.0, /**/ 0.0, 0.0, 2.0];
/// let mut state = vec![0.0; 2 * 10 * 3];
/// let job = Rollout {
///     nstep: 10,
///     control_spec: 0,
///     state0: &state0,
///     warmstart0: None,
///     control: None,
///     state: Some(&mut state),
///     sensordata: None,
///     chunk: None,
/// };
/// rollout(&[&model, &model], &mut [&mut data], job)?;
/// assert!(state[57] > 0.0 && state[58] == 2.0 * state[28]);
/// # Ok(())
/// # }
/// ```
pub fn rollout(models: &[&Model], data: &mut [&mut Data], job: Rollout<'_>) -> Result<(), RolloutError> {
    rollout_until(models, data, job, &|| false)
}

/// As [`rollout`]; `ends` is asked some times a second on the caller's thread, and true ends the rollout with
/// [`RolloutError::Interrupted`]: results of trajectories that were not done are then incomplete.
pub fn rollout_until(
    models: &[&Model],
    data: &mut [&mut Data],
    job: Rollout<'_>,
    ends: &dyn Fn() -> bool,
) -> Result<(), RolloutError> {
    let (Some(m), Some(first)) = (models.first(), data.first()) else {
        return if models.is_empty() { Ok(()) } else { Err(RolloutError::NoData) };
    };
    if models.iter().any(|other| !first.fits(other)) || !data.iter().all(|d| d.fits(m)) {
        return Err(RolloutError::OtherModel);
    }
    let (nstate, ncontrol) = (state::state_size(m, FULL)?, state::state_size(m, job.control_spec)?);
    check_lengths(m, models.len(), nstate, ncontrol, &job)?;
    let Rollout { nstep, control_spec, state0, warmstart0: warmstart, control, .. } = job;
    if nstep == 0 {
        return Ok(());
    }
    let plan = Plan { nstep, control_spec, nstate, ncontrol, warmstart, state0, control };
    let count = models.len();
    let outputs = split(job.state, count).into_iter().zip(split(job.sensordata, count));
    let mut tasks: Vec<Task<'_>> = outputs
        .enumerate()
        .map(|(number, (state, sensordata))| Task { number, model: models[number], state, sensordata })
        .collect();
    tasks.reverse(); // taken from the end
    // four trajectories can step together, if every thread has some
    let least = if count >= 8 * data.len() { 4 } else { 1 };
    let chunk = job.chunk.unwrap_or((count / (10 * data.len())).max(least)).max(1);
    let tasks = Mutex::new(tasks);
    match data {
        [d] => {
            let asked = Cell::new(Instant::now());
            let ended = || {
                if asked.get().elapsed() < PATIENCE {
                    return false;
                }
                asked.set(Instant::now());
                ends()
            };
            work(plan, &tasks, count, d, &ended)?;
        }
        _ => work_in_parallel(plan, &tasks, chunk, data, ends)?,
    }
    Ok(())
}

fn check_lengths(
    m: &Model,
    count: usize,
    nstate: usize,
    ncontrol: usize,
    job: &Rollout<'_>,
) -> Result<(), RolloutError> {
    let check = |name, got: Option<usize>, need| match got {
        Some(got) if got != need => Err(RolloutError::Length { name, need, got }),
        _ => Ok(()),
    };
    let steps = count.saturating_mul(job.nstep);
    check("state0", Some(job.state0.len()), count * nstate)?;
    check("warmstart0", job.warmstart0.map(<[f64]>::len), count * m.nv)?;
    check("control", job.control.map(<[f64]>::len), steps.saturating_mul(ncontrol))?;
    check("state", job.state.as_ref().map(|x| x.len()), steps.saturating_mul(nstate))?;
    check("sensordata", job.sensordata.as_ref().map(|x| x.len()), steps.saturating_mul(m.nsensordata))
}

/// Splits an output into one slice for each of `count` trajectories.
fn split(out: Option<&mut [f64]>, count: usize) -> Vec<Option<&mut [f64]>> {
    match out {
        Some(all) if !all.is_empty() => all.chunks_exact_mut(all.len() / count).map(Some).collect(),
        Some(_) | None => std::iter::repeat_with(|| None).take(count).collect(),
    }
}

/// The part of an input that belongs to one trajectory.
fn part(all: &[f64], number: usize, length: usize) -> &[f64] {
    &all[number * length..(number + 1) * length]
}

/// Makes the data as they are after a reset, except for the parts that controls may set.
fn start(m: &Model, d: &mut Data, control_spec: i32) -> Result<(), StepError> {
    let given = |bit: StateBit| control_spec & bit as i32 != 0;
    if !given(StateBit::Ctrl) {
        d.ctrl.fill(0.0);
    }
    if !given(StateBit::QfrcApplied) {
        d.qfrc_applied.fill(0.0);
    }
    if !given(StateBit::XfrcApplied) {
        d.xfrc_applied.fill([0.0; 6]);
    }
    for (body, &mocap) in m.body_mocapid.iter().enumerate() {
        let Ok(mocap) = usize::try_from(mocap) else { continue };
        if !given(StateBit::MocapPos) {
            d.mocap_pos[mocap] = m.body_pos[body];
        }
        if !given(StateBit::MocapQuat) {
            d.mocap_quat[mocap] = m.body_quat[body];
        }
    }
    if !given(StateBit::EqActive) {
        d.eq_active.copy_from_slice(&m.eq_active0);
    }
    d.warning.iter_mut().for_each(|warning| warning.number = 0);
    Ok(reset::forget(m, d)?)
}

impl Plan<'_> {
    /// Puts a trajectory's first state into the data.
    fn begin(self, task: &Task<'_>, d: &mut Data) -> Result<(), RolloutError> {
        let m = task.model;
        start(m, d, self.control_spec)?;
        state::set_state(m, d, part(self.state0, task.number, self.nstate), FULL)?;
        match self.warmstart {
            Some(all) => d.qacc_warmstart.copy_from_slice(part(all, task.number, m.nv)),
            None => d.qacc_warmstart.fill(0.0),
        }
        Ok(())
    }

    /// Sets the controls of a step; false after a warning, when the last state is repeated.
    fn set_controls(self, task: &Task<'_>, d: &mut Data, t: usize) -> Result<bool, RolloutError> {
        if d.warning.iter().any(|warning| warning.number != 0) {
            return Ok(false);
        }
        if let Some(all) = self.control {
            let controls = part(all, task.number * self.nstep + t, self.ncontrol);
            state::set_state(task.model, d, controls, self.control_spec)?;
        }
        Ok(true)
    }

    /// Keeps what came of a step.
    fn record(self, task: &mut Task<'_>, d: &Data, t: usize) -> Result<(), RolloutError> {
        let m = task.model;
        if let Some(out) = task.state.as_deref_mut() {
            state::get_state(m, d, &mut out[t * self.nstate..(t + 1) * self.nstate], FULL)?;
        }
        if let Some(out) = task.sensordata.as_deref_mut() {
            out[t * m.nsensordata..(t + 1) * m.nsensordata].copy_from_slice(&d.sensordata);
        }
        Ok(())
    }
}

/// Every now and then an error, if nobody waits for the results any more; after long steps it is asked each time.
fn go_on(t: usize, long: bool, ended: &dyn Fn() -> bool) -> Result<(), RolloutError> {
    if (long || t.is_multiple_of(STRIDE)) && ended() { Err(RolloutError::Interrupted) } else { Ok(()) }
}

/// Runs one trajectory.
fn run(
    plan: Plan<'_>,
    task: &mut Task<'_>,
    d: &mut Data,
    ended: &dyn Fn() -> bool,
) -> Result<(), RolloutError> {
    plan.begin(task, d)?;
    for t in 0..plan.nstep {
        go_on(t, d.took_long(), ended)?;
        if plan.set_controls(task, d, t)? {
            step(task.model, d)?;
        }
        plan.record(task, d, t)?;
    }
    Ok(())
}

/// Runs four trajectories of one model, with the bits that each of them has alone.
fn run_together(
    plan: Plan<'_>,
    tasks: &mut [Task<'_>; 4],
    d: &mut Data,
    quartet: &mut Quartet,
    ended: &dyn Fn() -> bool,
) -> Result<(), RolloutError> {
    let m = tasks[0].model;
    let (mut four, lanes) = quartet.with(d);
    for (task, member) in tasks.iter().zip(&mut four) {
        plan.begin(task, member.data)?;
    }
    for t in 0..plan.nstep {
        go_on(t, four.iter().any(|member| member.data.took_long()), ended)?;
        for (task, member) in tasks.iter().zip(&mut four) {
            member.rests = !plan.set_controls(task, member.data, t)?;
        }
        together::step(m, &mut four, lanes);
        for (task, member) in tasks.iter_mut().zip(&mut four) {
            std::mem::replace(&mut member.outcome, Ok(()))?;
            plan.record(task, member.data, t)?;
        }
    }
    Ok(())
}

/// Steps below which it does not pay to copy data.
const FEW_STEPS: usize = 4;

/// Can these trajectories be stepped together?
fn can_run_together(plan: Plan<'_>, tasks: &[Task<'_>; 4], d: &Data) -> bool {
    let model = tasks[0].model;
    plan.nstep >= FEW_STEPS
        && tasks.iter().all(|task| std::ptr::eq(task.model, model))
        && can_step_together(model)
        && !d.callbacks.take_part()
}

/// Works off tasks, `chunk` at a time, until there are none or one fails.
fn work(
    plan: Plan<'_>,
    tasks: &Mutex<Vec<Task<'_>>>,
    chunk: usize,
    d: &mut Data,
    ended: &dyn Fn() -> bool,
) -> Result<(), RolloutError> {
    let mut quartet = None;
    loop {
        let mut taken = {
            let mut left = tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let keep = left.len().saturating_sub(chunk);
            left.split_off(keep)
        };
        if taken.is_empty() {
            return Ok(());
        }
        taken.reverse();
        let (fours, rest) = taken.as_chunks_mut::<4>();
        for four in fours {
            if can_run_together(plan, four, d) {
                let quartet = quartet.get_or_insert_with(|| Quartet::new(four[0].model, d));
                run_together(plan, four, d, quartet, ended)?;
            } else {
                four.iter_mut().try_for_each(|task| run(plan, task, d, ended))?;
            }
        }
        rest.iter_mut().try_for_each(|task| run(plan, task, d, ended))?;
    }
}

/// Runs all tasks, one thread for each state; the caller's asks whether to go on.
fn work_in_parallel(
    plan: Plan<'_>,
    tasks: &Mutex<Vec<Task<'_>>>,
    chunk: usize,
    data: &mut [&mut Data],
    ends: &dyn Fn() -> bool,
) -> Result<(), RolloutError> {
    let ended = &AtomicBool::new(false);
    let (at_work, others) = channel::<()>();
    std::thread::scope(|scope| {
        let handles: Vec<_> = data
            .iter_mut()
            .map(|d| {
                let at_work = at_work.clone();
                scope.spawn(move || {
                    let _until_done = at_work;
                    work(plan, tasks, chunk, d, &|| ended.load(Ordering::Relaxed))
                })
            })
            .collect();
        drop(at_work);
        // nothing is ever sent: the channel closes when the last thread is done
        while others.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            ended.fetch_or(ends(), Ordering::Relaxed);
        }
        let results = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.fold(Ok(()), Result::and)
    })
}
