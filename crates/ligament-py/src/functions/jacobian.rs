//! Jacobians and what follows from them.

use super::arrays::{Output, input, slot, vector};
use super::{Data, Model, index, object_kind, pair};
use ligament_py_macros::entry;
use ligament_sim::support;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Translational and rotational parts, both optional, of a Jacobian of 3 × nv.
fn both<'py>(
    m: &Model<'py>,
    jacp: Option<&Bound<'py, PyAny>>,
    jacr: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Option<Output<'py>>, Option<Output<'py>>)> {
    let length = 3 * m.get().look()?.nv;
    Ok((Output::optional(jacp, "jacp", length)?, Output::optional(jacr, "jacr", length)?))
}

macro_rules! frame_jacobian {
    ($($(#[$doc:meta])* $name:ident, $inner:path, $count:ident, $argument:ident;)+) => { $(
        $(#[$doc])*
        #[entry]
        #[pyo3(signature = (m, d, jacp, jacr, $argument))]
        fn $name<'py>(
            m: &Model<'py>,
            d: &Data<'py>,
            jacp: Option<&Bound<'py, PyAny>>,
            jacr: Option<&Bound<'py, PyAny>>,
            $argument: i64,
        ) -> PyResult<()> {
            let (mut jacp, mut jacr) = both(m, jacp, jacr)?;
            let (model, data) = pair(m, d)?;
            let id = index($argument, model.$count, stringify!($argument))?;
            $inner(&model, &data, slot(&mut jacp), slot(&mut jacr), id);
            Ok(())
        }
    )+ };
}

frame_jacobian! {
    /// Jacobians of the origin of a body.
    mj_jacBody, support::jac_body, nbody, body;
    /// Jacobians of the centre of mass of a body.
    mj_jacBodyCom, support::jac_body_com, nbody, body;
    /// Jacobians of the centre of a geom.
    mj_jacGeom, support::jac_geom, ngeom, geom;
    /// Jacobians of a site.
    mj_jacSite, support::jac_site, nsite, site;
}

macro_rules! point_jacobian {
    ($($(#[$doc:meta])* $name:ident => $inner:path;)+) => { $(
        $(#[$doc])*
        #[entry]
        fn $name<'py>(
            m: &Model<'py>,
            d: &Data<'py>,
            jacp: Option<&Bound<'py, PyAny>>,
            jacr: Option<&Bound<'py, PyAny>>,
            point: &Bound<'py, PyAny>,
            body: i64,
        ) -> PyResult<()> {
            let (mut jacp, mut jacr) = both(m, jacp, jacr)?;
            let (model, data) = pair(m, d)?;
            let body = index(body, model.nbody, "body")?;
            $inner(&model, &data, slot(&mut jacp), slot(&mut jacr), vector(point, "point")?, body);
            Ok(())
        }
    )+ };
}

point_jacobian! {
    /// Jacobians of a point that is fixed to a body.
    mj_jac => support::jac;
    /// Rates of the Jacobians of a point that is fixed to a body.
    mj_jacDot => support::jac_dot;
}

/// Jacobian of the centre of mass of a subtree.
#[entry]
fn mj_jacSubtreeCom<'py>(m: &Model<'py>, d: &Data<'py>, jacp: &Bound<'py, PyAny>, body: i64) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let mut jacp = Output::new(jacp, "jacp", 3 * model.nv)?;
    support::jac_subtree_com(&model, &data, jacp.slice(), index(body, model.nbody, "body")?);
    Ok(())
}

/// Jacobians of a point and of an axis fixed to a body.
#[entry]
fn mj_jacPointAxis<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    jacPoint: Option<&Bound<'py, PyAny>>,
    jacAxis: Option<&Bound<'py, PyAny>>,
    point: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
    body: i64,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let mut point_out = Output::optional(jacPoint, "jacPoint", 3 * model.nv)?;
    let mut axis_out = Output::optional(jacAxis, "jacAxis", 3 * model.nv)?;
    let body = index(body, model.nbody, "body")?;
    let (point, axis) = (vector(point, "point")?, vector(axis, "axis")?);
    support::jac_point_axis(&model, &data, slot(&mut point_out), slot(&mut axis_out), point, axis, body);
    Ok(())
}

/// Matrix that takes velocities to the angular momentum of a subtree.
#[entry]
fn mj_angmomMat<'py>(m: &Model<'py>, d: &Data<'py>, mat: &Bound<'py, PyAny>, body: i64) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let mut mat = Output::new(mat, "mat", 3 * model.nv)?;
    support::angmom_mat(&model, &data, mat.slice(), index(body, model.nbody, "body")?);
    Ok(())
}

macro_rules! object_motion {
    ($($(#[$doc:meta])* $name:ident => $inner:path;)+) => { $(
        $(#[$doc])*
        #[entry]
        fn $name<'py>(
            m: &Model<'py>,
            d: &Data<'py>,
            objtype: i32,
            objid: i64,
            res: &Bound<'py, PyAny>,
            flg_local: i32,
        ) -> PyResult<()> {
            let (kind, id) = object_kind(m, objtype, objid)?;
            let (model, data) = pair(m, d)?;
            let value = $inner(&model, &data, kind, id, flg_local != 0)
                .ok_or_else(|| PyValueError::new_err(format!("invalid object type {objtype}")))?;
            Output::new(res, "res", 6)?.slice().copy_from_slice(&value);
            Ok(())
        }
    )+ };
}

object_motion! {
    /// Velocity of an object, about its centre, in the world's orientation or its own.
    mj_objectVelocity => support::object_velocity;
    /// Acceleration of an object, about its centre, in the world's orientation or its own.
    mj_objectAcceleration => support::object_acceleration;
}

/// Adds the generalised force of a force and a torque at a point of a body.
#[entry]
fn mj_applyFT<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    force: &Bound<'py, PyAny>,
    torque: &Bound<'py, PyAny>,
    point: &Bound<'py, PyAny>,
    body: i64,
    qfrc_target: &Bound<'py, PyAny>,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let mut target = input(qfrc_target, "qfrc_target", model.nv)?;
    let body = index(body, model.nbody, "body")?;
    let (force, torque, point) =
        (vector(force, "force")?, vector(torque, "torque")?, vector(point, "point")?);
    support::apply_ft(&model, (&*data).into(), Some(force), Some(torque), point, body, &mut target);
    Output::new(qfrc_target, "qfrc_target", model.nv)?.slice().copy_from_slice(&target);
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_jac, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacBody, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacBodyCom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacGeom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacSite, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacSubtreeCom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacPointAxis, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacDot, module)?)?;
    module.add_function(wrap_pyfunction!(mj_angmomMat, module)?)?;
    module.add_function(wrap_pyfunction!(mj_objectVelocity, module)?)?;
    module.add_function(wrap_pyfunction!(mj_objectAcceleration, module)?)?;
    module.add_function(wrap_pyfunction!(mj_applyFT, module)?)
}
