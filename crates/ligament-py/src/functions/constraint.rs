//! Constraints and finite differences.

use super::arrays::{Output, input, slot};
use super::{Data, Model, callbacks, fatal, pair, pair_mut};
use ligament_py_macros::entry;
use ligament_sim::constraint::{self, RowCosts};
use ligament_sim::differences::{self, InverseJacobians, Transition};
use ligament_sim::support;
use pyo3::prelude::*;

/// 1 if the constraint Jacobian is stored sparsely, else 0.
#[entry]
fn mj_isSparse(m: &Model<'_>) -> PyResult<i32> {
    Ok(i32::from(support::is_sparse(&*m.get().look()?)))
}

/// 1 if friction cones are pyramids, else 0.
#[entry]
fn mj_isPyramidal(m: &Model<'_>) -> PyResult<i32> {
    Ok(i32::from(support::is_pyramidal(&*m.get().look()?)))
}

/// 1 if the solver works in the space of forces, else 0.
#[entry]
fn mj_isDual(m: &Model<'_>) -> PyResult<i32> {
    Ok(i32::from(constraint::is_dual(&*m.get().look()?)))
}

/// Force and torque of a contact, in the frame of the contact.
#[entry]
fn mj_contactForce<'py>(m: &Model<'py>, d: &Data<'py>, id: i64, result: &Bound<'py, PyAny>) -> PyResult<()> {
    let mut result = Output::new(result, "result", 6)?;
    let (model, data) = pair(m, d)?;
    let force = usize::try_from(id).map_or([0.0; 6], |id| constraint::contact_force(&model, &data, id));
    result.slice().copy_from_slice(&force);
    Ok(())
}

super::products! {
    /// Product of the constraint Jacobian and a vector.
    mj_mulJacVec => constraint::mul_jac_vec, |_, d| d.nefc, |m, _| m.nv;
    /// Product of the transposed constraint Jacobian and a vector.
    mj_mulJacTVec => constraint::mul_jac_t_vec, |m, _| m.nv, |_, d| d.nefc;
}

/// Updates the states, forces and cost of the constraints from the residual `jar` of their accelerations.
#[entry]
#[pyo3(signature = (m, d, jar, cost, flg_coneHessian))]
fn mj_constraintUpdate<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    jar: &Bound<'py, PyAny>,
    cost: Option<&Bound<'py, PyAny>>,
    flg_coneHessian: i32,
) -> PyResult<()> {
    let (model, mut data) = pair_mut(m, d)?;
    let data = &mut *data;
    let jar = input(jar, "jar", data.nefc)?;
    let rows = RowCosts {
        ne: data.ne,
        nf: data.nf,
        D: &data.efc_D,
        R: &data.efc_R,
        frictionloss: &data.efc_frictionloss,
        kind: &data.efc_type,
        id: &data.efc_id,
    };
    let mut cones = if flg_coneHessian != 0 { vec![[f64::NAN; 36]; data.nefc] } else { Vec::new() };
    let wanted = (flg_coneHessian != 0).then_some(&mut cones[..]);
    let (state, force) = (&mut data.efc_state, &mut data.efc_force);
    let total = constraint::constraint_update(&rows, &jar, &data.contact, wanted, state, force);
    for (cone, &contact) in cones.iter().zip(&data.efc_id).filter(|(cone, _)| !cone[0].is_nan()) {
        data.contact[contact as usize].H = *cone;
    }
    if let Some(cost) = cost {
        Output::new(cost, "cost", 1)?.slice()[0] = total;
    }
    constraint::joint_forces(&model, data);
    Ok(())
}

/// Friction coefficients, and the lengths that forces and pyramids must have.
fn friction(mu: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, usize, usize)> {
    let mu = input(mu, "mu", mu.len()?)?;
    let (force, pyramid) = (mu.len() + 1, 2 * mu.len());
    Ok((mu, force, pyramid))
}

// The bindings of MuJoCo 3.5.0 pass the number of coefficients as dimension, so that the last one is left out.

/// Force of a contact from the forces along the edges of its friction pyramid.
#[entry]
fn mju_decodePyramid<'py>(
    force: &Bound<'py, PyAny>,
    pyramid: &Bound<'py, PyAny>,
    mu: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (mu, force_size, pyramid_size) = friction(mu)?;
    let pyramid = input(pyramid, "pyramid", pyramid_size)?;
    let mut force = Output::new(force, "force", force_size)?;
    if !mu.is_empty() {
        constraint::decode_pyramid(force.slice(), &pyramid, &mu, mu.len());
    }
    Ok(())
}

/// Forces along the edges of a friction pyramid from the force of a contact.
#[entry]
fn mju_encodePyramid<'py>(
    pyramid: &Bound<'py, PyAny>,
    force: &Bound<'py, PyAny>,
    mu: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (mu, force_size, pyramid_size) = friction(mu)?;
    let force = input(force, "force", force_size)?;
    let mut pyramid = Output::new(pyramid, "pyramid", pyramid_size)?;
    if mu.len() > 1 {
        constraint::encode_pyramid(pyramid.slice(), &force, &mu, mu.len());
    }
    Ok(())
}

/// Derivatives of the next state and of the sensors by state and control, by finite differences.
#[entry]
#[pyo3(signature = (m, d, eps, flg_centered, A, B, C, D))]
fn mjd_transitionFD<'py>(
    py: Python<'py>,
    m: &Model<'py>,
    d: &Data<'py>,
    eps: f64,
    flg_centered: i32,
    A: Option<&Bound<'py, PyAny>>,
    B: Option<&Bound<'py, PyAny>>,
    C: Option<&Bound<'py, PyAny>>,
    D: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let model = m.get().look()?;
    let (ndx, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    let mut a = Output::optional(A, "A", ndx * ndx)?;
    let mut b = Output::optional(B, "B", ndx * nu)?;
    let mut c = Output::optional(C, "C", ns * ndx)?;
    let mut dd = Output::optional(D, "D", ns * nu)?;
    let out = Transition { A: slot(&mut a), B: slot(&mut b), C: slot(&mut c), D: slot(&mut dd) };
    callbacks::run(py, m, d, |m, d| differences::transition_fd(m, d, eps, flg_centered != 0, out))?
        .map_err(fatal)
}

/// Derivatives of inverse dynamics by position, velocity and acceleration, by finite differences.
#[entry]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq))]
fn mjd_inverseFD<'py>(
    py: Python<'py>,
    m: &Model<'py>,
    d: &Data<'py>,
    eps: f64,
    flg_actuation: i32,
    DfDq: Option<&Bound<'py, PyAny>>,
    DfDv: Option<&Bound<'py, PyAny>>,
    DfDa: Option<&Bound<'py, PyAny>>,
    DsDq: Option<&Bound<'py, PyAny>>,
    DsDv: Option<&Bound<'py, PyAny>>,
    DsDa: Option<&Bound<'py, PyAny>>,
    DmDq: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let model = m.get().look()?;
    let (nv, ns) = (model.nv, model.nsensordata);
    let mut f = [
        Output::optional(DfDq, "DfDq", nv * nv)?,
        Output::optional(DfDv, "DfDv", nv * nv)?,
        Output::optional(DfDa, "DfDa", nv * nv)?,
    ];
    let mut s = [
        Output::optional(DsDq, "DsDq", nv * ns)?,
        Output::optional(DsDv, "DsDv", nv * ns)?,
        Output::optional(DsDa, "DsDa", nv * ns)?,
    ];
    let mut mass = Output::optional(DmDq, "DmDq", nv * model.nM)?;
    let ([fq, fv, fa], [sq, sv, sa]) = (f.each_mut(), s.each_mut());
    let out = InverseJacobians {
        DfDq: slot(fq),
        DfDv: slot(fv),
        DfDa: slot(fa),
        DsDq: slot(sq),
        DsDv: slot(sv),
        DsDa: slot(sa),
        DmDq: slot(&mut mass),
    };
    callbacks::run(py, m, d, |m, d| differences::inverse_fd(m, d, eps, flg_actuation != 0, out))?
        .map_err(fatal)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_isSparse, module)?)?;
    module.add_function(wrap_pyfunction!(mj_isPyramidal, module)?)?;
    module.add_function(wrap_pyfunction!(mj_isDual, module)?)?;
    module.add_function(wrap_pyfunction!(mj_contactForce, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulJacVec, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulJacTVec, module)?)?;
    module.add_function(wrap_pyfunction!(mj_constraintUpdate, module)?)?;
    module.add_function(wrap_pyfunction!(mju_decodePyramid, module)?)?;
    module.add_function(wrap_pyfunction!(mju_encodePyramid, module)?)?;
    module.add_function(wrap_pyfunction!(mjd_transitionFD, module)?)?;
    module.add_function(wrap_pyfunction!(mjd_inverseFD, module)?)
}
