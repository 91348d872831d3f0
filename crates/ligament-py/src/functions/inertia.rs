//! The mass matrix, and arithmetic of positions and velocities.

use super::arrays::{Output, input};
use super::{Data, Model, pair};
use ligament_py_macros::entry;
use ligament_sim::{inertia, support};
use pyo3::prelude::*;

/// Full matrix from the sparse mass matrix.
#[entry]
fn mj_fullM<'py>(m: &Model<'py>, dst: &Bound<'py, PyAny>, M: &Bound<'py, PyAny>) -> PyResult<()> {
    let model = m.get().read()?;
    let mut dst = Output::new(dst, "dst", model.nv * model.nv)?;
    inertia::full_m(&model, dst.slice(), &input(M, "M", model.nM)?);
    Ok(())
}

super::products! {
    /// Product of the mass matrix and a vector.
    mj_mulM => inertia::mul_m, |m, _| m.nv, |m, _| m.nv;
    /// Product of the square root of the mass matrix and a vector.
    mj_mulM2 => inertia::mul_m2, |m, _| m.nv, |m, _| m.nv;
}

/// Right-hand sides: one for each row of `y`.
fn rows(y: &Bound<'_, PyAny>, nv: usize) -> PyResult<Vec<f64>> {
    let y = y.py().import("numpy")?.call_method1("atleast_2d", (y,))?;
    input(&y, "y", y.len()? * nv)
}

/// Solves for every row of `y`.
#[entry]
fn mj_solveM<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let values = rows(y, model.nv)?;
    let mut x = Output::new(x, "x", values.len())?;
    inertia::solve_m(&model, &data, x.slice(), &values);
    Ok(())
}

/// Solves half: applies the inverse square root of the mass matrix.
#[entry]
fn mj_solveM2<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    x: &Bound<'py, PyAny>,
    y: &Bound<'py, PyAny>,
    sqrtInvD: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let values = rows(y, model.nv)?;
    let mut x = Output::new(x, "x", values.len())?;
    inertia::solve_m2(&model, &data, x.slice(), &values, &input(sqrtInvD, "sqrtInvD", model.nv)?);
    Ok(())
}

/// Velocity that leads from one configuration to another in time `dt`.
#[entry]
fn mj_differentiatePos<'py>(
    m: &Model<'py>,
    qvel: &Bound<'py, PyAny>,
    dt: f64,
    qpos1: &Bound<'py, PyAny>,
    qpos2: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let model = m.get().read()?;
    let mut qvel = Output::new(qvel, "qvel", model.nv)?;
    let (first, second) = (input(qpos1, "qpos1", model.nq)?, input(qpos2, "qpos2", model.nq)?);
    support::differentiate_pos(&model, qvel.slice(), dt, &first, &second);
    Ok(())
}

/// Moves a configuration along a velocity for time `dt`.
#[entry]
fn mj_integratePos<'py>(
    m: &Model<'py>,
    qpos: &Bound<'py, PyAny>,
    qvel: &Bound<'py, PyAny>,
    dt: f64,
) -> PyResult<()> {
    let model = m.get().read()?;
    let velocity = input(qvel, "qvel", model.nv)?;
    let mut qpos = Output::new(qpos, "qpos", model.nq)?;
    support::integrate_pos(&model, qpos.slice(), &velocity, dt);
    Ok(())
}

/// Normalises all quaternions of a configuration.
#[entry]
fn mj_normalizeQuat<'py>(m: &Model<'py>, qpos: &Bound<'py, PyAny>) -> PyResult<()> {
    let model = m.get().read()?;
    let mut qpos = Output::new(qpos, "qpos", model.nq)?;
    support::normalize_quat(&model, qpos.slice());
    Ok(())
}

/// Sum of the masses of all bodies.
#[entry]
fn mj_getTotalmass(m: &Model<'_>) -> PyResult<f64> {
    Ok(support::get_totalmass(&*m.get().read()?))
}

/// Scales masses and inertias so that the masses add up to `newmass`.
#[entry]
fn mj_setTotalmass(m: &Model<'_>, newmass: f64) -> PyResult<()> {
    support::set_totalmass(&mut *m.get().write()?, newmass);
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_fullM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulM2, module)?)?;
    module.add_function(wrap_pyfunction!(mj_solveM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_solveM2, module)?)?;
    module.add_function(wrap_pyfunction!(mj_differentiatePos, module)?)?;
    module.add_function(wrap_pyfunction!(mj_integratePos, module)?)?;
    module.add_function(wrap_pyfunction!(mj_normalizeQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mj_getTotalmass, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setTotalmass, module)?)
}
