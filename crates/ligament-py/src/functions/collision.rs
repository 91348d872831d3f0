//! Contacts and distances between geoms.

use super::arrays::Output;
use super::{Data, Model, fatal, index, pair, pair_mut};
use ligament_py_macros::entry;
use ligament_sim::collision;
use ligament_sim::step::StepError;
use pyo3::prelude::*;

/// Smallest distance between two geoms, at most `distmax`; `fromto` gets the two nearest points.
#[entry]
#[pyo3(signature = (m, d, geom1, geom2, distmax, fromto))]
fn mj_geomDistance<'py>(
    m: &Model<'py>,
    d: &Data<'py>,
    geom1: i64,
    geom2: i64,
    distmax: f64,
    fromto: Option<&Bound<'py, PyAny>>,
) -> PyResult<f64> {
    let (model, data) = pair(m, d)?;
    let (g1, g2) = (index(geom1, model.ngeom, "geom")?, index(geom2, model.ngeom, "geom")?);
    if collision::distance_work(&model, g1, g2) > data.effort {
        return Err(fatal(StepError::Effort(data.effort)));
    }
    let result = collision::geom_distance(&model, &data, g1, g2, distmax);
    if let Some(fromto) = fromto {
        Output::new(fromto, "fromto", 6)?.slice().copy_from_slice(result.fromto.as_flattened());
    }
    Ok(result.dist)
}

/// Appends a contact of zeros, which the caller fills; constraints made from the others are forgotten.
#[entry]
fn _append_contact(m: &Model<'_>, d: &Data<'_>) -> PyResult<()> {
    let (_, mut data) = pair_mut(m, d)?;
    collision::add_contact(&mut data, &ligament_model::Contact::default());
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_append_contact, module)?)?;
    module.add_function(wrap_pyfunction!(mj_geomDistance, module)?)
}
