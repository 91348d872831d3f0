//! Many trajectories at once; the work is done by [`ligament::rollout`].

use super::arrays::{Output, input, slot};
use super::{Data, Model, callbacks, fatal, pair};
use ligament::{Rollout, rollout, rollout_until};
use ligament_model::enums::State as StateBit;
use ligament_model::{Data as State, Model as Physics};
use ligament_py_macros::entry;
use ligament_sim::state;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

const FULL: i32 = StateBit::Fullphysics as i32;

/// A number of elements; too many to count are too many for any array.
fn product(extents: &[usize]) -> usize {
    extents.iter().fold(1, |count: usize, &extent| count.saturating_mul(extent))
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
    let job = Rollout {
        nstep,
        control_spec,
        state0: &state0,
        warmstart0: warmstart.as_deref(),
        control: control.as_deref(),
        state: slot(&mut state),
        sensordata: slot(&mut sensordata),
        chunk: chunk_size,
    };
    let readers = model[..nbatch].iter().map(|m| m.get().read()).collect::<PyResult<Vec<_>>>()?;
    let models: Vec<&Physics> = readers.iter().map(|reader| &**reader).collect();
    if callbacks::any_installed() {
        // user functions need the interpreter and the Python objects: one thread
        return callbacks::run(py, first, &data[0], |_, d| rollout(&models, &mut [d], job))?.map_err(fatal);
    }
    let mut writers = data.iter().map(|d| d.get().shared.write()).collect::<PyResult<Vec<_>>>()?;
    let mut states: Vec<&mut State> = writers.iter_mut().map(|writer| &mut **writer).collect();
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let interrupted = || {
        let Err(error) = Python::attach(|py| py.check_signals()) else { return false };
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        true
    };
    let outcome = py.detach(|| rollout_until(&models, &mut states, job, &interrupted));
    let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
    raised.map_or(outcome.map_err(fatal), Err)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_rollout, module)?)
}
