//! State vectors.

use super::arrays::{Output, input};
use super::{Data, Model, fatal, pair, pair_mut};
use ligament_py_macros::entry;
use ligament_sim::state;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

fn size(m: &Model<'_>, sig: i32) -> PyResult<usize> {
    state::state_size(&*m.get().look()?, sig).map_err(|e| fatal(format!("mj_stateSize: {e}")))
}

/// The number of entries that a state vector must have.
fn check_size(vector: &Bound<'_, PyAny>, name: &str, need: usize) -> PyResult<usize> {
    let sig = name.replace("state", "") + "sig";
    match vector.len() {
        Ok(found) if found != need => {
            Err(PyTypeError::new_err(format!("{name} size should equal mj_stateSize(m, {sig})")))
        }
        _ => Ok(need),
    }
}

fn wrong(error: state::StateError) -> PyErr {
    PyTypeError::new_err(error.to_string())
}

/// Length of a state vector with the components in the bits `sig`.
#[entry]
fn mj_stateSize(m: &Model<'_>, sig: i32) -> PyResult<usize> {
    size(m, sig)
}

/// Copies the components in the bits `sig` out of a state.
#[entry]
fn mj_getState<'py>(m: &Model<'py>, d: &Data<'py>, state: &Bound<'py, PyAny>, sig: i32) -> PyResult<()> {
    let mut out = Output::new(state, "state", check_size(state, "state", size(m, sig)?)?)?;
    let (model, data) = pair(m, d)?;
    state::get_state(&model, &data, out.slice(), sig).map_err(wrong)
}

/// Copies the components in the bits `sig` into a state.
#[entry]
fn mj_setState<'py>(m: &Model<'py>, d: &Data<'py>, state: &Bound<'py, PyAny>, sig: i32) -> PyResult<()> {
    let values = input(state, "state", check_size(state, "state", size(m, sig)?)?)?;
    let (model, mut data) = pair_mut(m, d)?;
    state::set_state(&model, &mut data, &values, sig).map_err(wrong)
}

/// Part of a state vector: components `dstsig` out of one made of `srcsig`.
#[entry]
fn mj_extractState<'py>(
    m: &Model<'py>,
    src: &Bound<'py, PyAny>,
    srcsig: i32,
    dst: &Bound<'py, PyAny>,
    dstsig: i32,
) -> PyResult<()> {
    let values = input(src, "src", check_size(src, "src", size(m, srcsig)?)?)?;
    let mut out = Output::new(dst, "dst", check_size(dst, "dst", size(m, dstsig)?)?)?;
    state::extract_state(&*m.get().read()?, &values, srcsig, out.slice(), dstsig).map_err(wrong)
}

/// Copies the components in the bits `sig` from one state to another.
#[entry]
fn mj_copyState(m: &Model<'_>, src: &Data<'_>, dst: &Data<'_>, sig: i32) -> PyResult<()> {
    size(m, sig)?;
    let (_, source) = pair(m, src)?;
    if src.is(dst) {
        return Ok(());
    }
    let (_, mut target) = pair_mut(m, dst)?;
    state::copy_state(&source, &mut target, sig).map_err(wrong)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_stateSize, module)?)?;
    module.add_function(wrap_pyfunction!(mj_getState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_extractState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_copyState, module)?)
}
