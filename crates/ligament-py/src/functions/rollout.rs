//! Many trajectories at once: open-loop controls from given states, on several threads.

use super::arrays::{Output, input, slot};
use super::{Data, Model, callbacks, fatal, pair};
use ligament_model::enums::State as StateBit;
use ligament_model::{Data as State, Model as Physics};
use ligament_py_macros::entry;
use ligament_sim::state;
use ligament_sim::step::{StepError, step};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;

const FULL: i32 = StateBit::Fullphysics as i32;

/// What all trajectories have in common.
#[derive(Clone, Copy)]
struct Plan<'a> {
    nstep: usize,
    control_spec: i32,
    nstate: usize,
    ncontrol: usize,
    nsensordata: usize,
    warmstart: Option<&'a [f64]>,
    state0: &'a [f64],
    control: Option<&'a [f64]>,
}

/// One trajectory: its number, its model, and where its results go.
struct Task<'a> {
    number: usize,
    model: &'a Physics,
    state: Option<&'a mut [f64]>,
    sensordata: Option<&'a mut [f64]>,
}

/// The part of an input that belongs to one trajectory.
fn part(all: &[f64], number: usize, length: usize) -> &[f64] {
    &all[number * length..(number + 1) * length]
}

/// Inputs that the controls do not set are as after a reset.
fn clear_inputs(m: &Physics, d: &mut State, control_spec: i32) {
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
}

/// Runs one trajectory. After a warning the last state is repeated.
fn run(plan: Plan<'_>, task: &mut Task<'_>, d: &mut State) -> Result<(), StepError> {
    let m = task.model;
    clear_inputs(m, d, plan.control_spec);
    let set = |d: &mut State, values: &[f64], sig: i32| {
        let done = state::set_state(m, d, values, sig);
        debug_assert!(done.is_ok(), "lengths were checked before");
    };
    set(d, part(plan.state0, task.number, plan.nstate), FULL);
    match plan.warmstart {
        Some(all) => d.qacc_warmstart.copy_from_slice(part(all, task.number, m.nv)),
        None => d.qacc_warmstart.fill(0.0),
    }
    d.warning.iter_mut().for_each(|warning| warning.number = 0);
    for t in 0..plan.nstep {
        if d.warning.iter().all(|warning| warning.number == 0) {
            if let Some(all) = plan.control {
                set(d, part(all, task.number * plan.nstep + t, plan.ncontrol), plan.control_spec);
            }
            step(m, d)?;
        }
        if let Some(out) = task.state.as_deref_mut() {
            let row = &mut out[t * plan.nstate..(t + 1) * plan.nstate];
            let written = state::get_state(m, d, row, FULL);
            debug_assert!(written.is_ok(), "lengths were checked before");
        }
        if let Some(out) = task.sensordata.as_deref_mut() {
            out[t * plan.nsensordata..(t + 1) * plan.nsensordata].copy_from_slice(&d.sensordata);
        }
    }
    Ok(())
}

/// Works off tasks, `chunk` at a time, until there are none or one fails.
fn work(plan: Plan<'_>, tasks: &Mutex<Vec<Task<'_>>>, chunk: usize, d: &mut State) -> Result<(), StepError> {
    loop {
        let taken = {
            let mut left = tasks.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let keep = left.len().saturating_sub(chunk);
            left.split_off(keep)
        };
        if taken.is_empty() {
            return Ok(());
        }
        for mut task in taken.into_iter().rev() {
            run(plan, &mut task, d)?;
        }
    }
}

/// Runs all tasks, one thread for each state.
fn work_in_parallel(
    plan: Plan<'_>,
    tasks: Vec<Task<'_>>,
    chunk: usize,
    states: Vec<&mut State>,
) -> Result<(), StepError> {
    let tasks = Mutex::new(tasks);
    std::thread::scope(|scope| {
        let handles: Vec<_> =
            states.into_iter().map(|d| scope.spawn(|| work(plan, &tasks, chunk, d))).collect();
        let results = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        results.fold(Ok(()), Result::and)
    })
}

/// A number of elements; too many to count are too many for any array.
fn product(extents: &[usize]) -> usize {
    extents.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent))
}

/// Splits an output into one slice for each of `count` trajectories.
fn split(out: Option<&mut [f64]>, count: usize) -> Vec<Option<&mut [f64]>> {
    match out {
        Some(all) if !all.is_empty() => all.chunks_exact_mut(all.len() / count).map(Some).collect(),
        Some(_) | None => std::iter::repeat_with(|| None).take(count).collect(),
    }
}

fn optional(value: Option<&Bound<'_, PyAny>>, name: &str, length: usize) -> PyResult<Option<Vec<f64>>> {
    value.map(|value| checked(value, name, length)).transpose()
}

fn checked(value: &Bound<'_, PyAny>, name: &str, length: usize) -> PyResult<Vec<f64>> {
    let size: usize = value.getattr("size")?.extract()?;
    if size != length {
        return Err(PyValueError::new_err(format!("{name}.size should be {length}, got {size}")));
    }
    input(value, name, length)
}

fn output<'py>(
    value: Option<&Bound<'py, PyAny>>,
    name: &str,
    length: usize,
) -> PyResult<Option<Output<'py>>> {
    let wrong = |e: PyErr| PyValueError::new_err(format!("{name}.size should be {length}: {e}"));
    value.map(|value| Output::large(value, name, length)).transpose().map_err(wrong)
}

/// The first model; every trajectory has one that goes with all states, and every thread has a state of its own.
fn compatible<'a, 'py>(
    model: &'a [Model<'py>],
    data: &[Data<'py>],
    nbatch: usize,
) -> PyResult<&'a Model<'py>> {
    let refuse = |message: &str| Err(PyValueError::new_err(message.to_owned()));
    let (Some(first), Some(state)) = (model.first(), data.first()) else {
        return refuse("The list of data instances is empty");
    };
    for d in data {
        pair(first, d)?;
    }
    let state = state.get().shared.read()?;
    let mut fitting = model.len() >= nbatch;
    for m in model {
        fitting &= state.fits(&*m.get().read()?);
    }
    if !fitting {
        return refuse("models are not compatible");
    }
    let distinct = data.iter().enumerate().all(|(i, d)| data[..i].iter().all(|other| !other.is(d)));
    if distinct { Ok(first) } else { refuse("every thread needs a data instance of its own") }
}

/// Rolls out one trajectory for each row of `state0`.
#[entry]
#[pyo3(signature = (model, data, nstep, control_spec, state0, warmstart0, control, state, sensordata, chunk_size))]
fn _rollout<'py>(
    py: Python<'py>,
    model: Vec<Model<'py>>,
    data: Vec<Data<'py>>,
    nstep: usize,
    control_spec: i32,
    state0: &Bound<'py, PyAny>,
    warmstart0: Option<&Bound<'py, PyAny>>,
    control: Option<&Bound<'py, PyAny>>,
    state: Option<&Bound<'py, PyAny>>,
    sensordata: Option<&Bound<'py, PyAny>>,
    chunk_size: Option<usize>,
) -> PyResult<()> {
    let nbatch = state0.len()?;
    let first = compatible(&model, &data, nbatch)?;
    let m = first.get().read()?;
    let size = |sig: i32| state::state_size(&m, sig).map_err(fatal);
    let (nstate, ncontrol) = (size(FULL)?, size(control_spec)?);
    let state0 = checked(state0, "state0", product(&[nbatch, nstate]))?;
    let warmstart = optional(warmstart0, "warmstart0", product(&[nbatch, m.nv]))?;
    let control = optional(control, "control", product(&[nbatch, nstep, ncontrol]))?;
    let mut state = output(state, "state", product(&[nbatch, nstep, nstate]))?;
    let mut sensordata = output(sensordata, "sensordata", product(&[nbatch, nstep, m.nsensordata]))?;
    if nstep == 0 || nbatch == 0 {
        return Ok(());
    }
    let plan = Plan {
        nstep,
        control_spec,
        nstate,
        ncontrol,
        nsensordata: m.nsensordata,
        warmstart: warmstart.as_deref(),
        state0: &state0,
        control: control.as_deref(),
    };
    let outputs = split(slot(&mut state), nbatch).into_iter().zip(split(slot(&mut sensordata), nbatch));
    let models = model.iter().map(|m| m.get().read()).collect::<PyResult<Vec<_>>>()?;
    let mut tasks: Vec<Task<'_>> = outputs
        .enumerate()
        .map(|(number, (state, sensordata))| Task { number, model: &models[number], state, sensordata })
        .collect();
    tasks.reverse(); // taken from the end
    let chunk = chunk_size.unwrap_or(nbatch / (10 * data.len())).max(1);
    if callbacks::any_installed() {
        // user functions need the interpreter and the Python objects: one thread
        let tasks = Mutex::new(tasks);
        return callbacks::run(py, first, &data[0], |_, d| work(plan, &tasks, nbatch, d))?.map_err(fatal);
    }
    let mut writers = data.iter().map(|d| d.get().shared.write()).collect::<PyResult<Vec<_>>>()?;
    let states: Vec<&mut State> = writers.iter_mut().map(|writer| &mut **writer).collect();
    py.detach(|| work_in_parallel(plan, tasks, chunk, states)).map_err(fatal)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_rollout, module)?)
}
