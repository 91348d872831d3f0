//! MuJoCo's functions over models and states, under its names and with its argument orders.
#![allow(non_snake_case)] // names are MuJoCo's

mod arrays;
pub mod callbacks;
mod collision;
mod constraint;
mod format;
mod inertia;
mod jacobian;
mod linalg;
mod parts;
mod pipeline;
mod ray;
mod rollout;
mod settings;
mod state;
mod util;

use crate::data::PyData;
use crate::memory::{Reader, Writer};
use crate::model::PyModel;
use ligament_model::enums::ObjType;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    ligament,
    FatalError,
    pyo3::exceptions::PyException,
    "An error from inside the engine."
);

/// The exception for an error from inside the engine.
pub fn fatal(error: impl std::fmt::Display) -> PyErr {
    FatalError::new_err(error.to_string())
}

pub type Model<'py> = Bound<'py, PyModel>;
pub type Data<'py> = Bound<'py, PyData>;

/// Readers of a model and of a state that was made for it.
pub type Readers<'a> = (Reader<'a, ligament_model::Model>, Reader<'a, ligament_model::Data>);
/// A reader of a model, and the writer of a state that was made for it.
pub type Writers<'a> = (Reader<'a, ligament_model::Model>, Writer<'a, ligament_model::Data>);

fn check_fit(m: &ligament_model::Model, d: &ligament_model::Data) -> PyResult<()> {
    if d.fits(m) { Ok(()) } else { Err(fatal("the data was made for another model")) }
}

/// The model and a state that was made for it.
pub fn pair<'a>(m: &'a Model<'_>, d: &'a Data<'_>) -> PyResult<Readers<'a>> {
    let (model, data) = (m.get().read()?, d.get().shared.read()?);
    check_fit(&model, &data)?;
    Ok((model, data))
}

/// As [`pair`], for functions that change the state.
pub fn pair_mut<'a>(m: &'a Model<'_>, d: &'a Data<'_>) -> PyResult<Writers<'a>> {
    let (model, data) = (m.get().read()?, d.get().shared.write()?);
    check_fit(&model, &data)?;
    d.get().check_integers(&model, &data)?;
    Ok((model, data))
}

/// As [`pair`], for functions that change both.
fn both_mut<'a>(
    m: &'a Model<'_>,
    d: &'a Data<'_>,
) -> PyResult<(Writer<'a, ligament_model::Model>, Writer<'a, ligament_model::Data>)> {
    let (model, data) = (m.get().write()?, d.get().shared.write()?);
    check_fit(&model, &data)?;
    Ok((model, data))
}

/// Functions that fill a vector from another one: `name => function, length of the result, length of the argument;`.
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident => $inner:path, $rows:expr, $columns:expr;)+) => { $(
        $(#[$doc])*
        #[ligament_py_macros::entry]
        fn $name<'py>(
            m: &Model<'py>,
            d: &Data<'py>,
            res: &Bound<'py, PyAny>,
            vec: &Bound<'py, PyAny>,
        ) -> PyResult<()> {
            let (model, data) = super::pair(m, d)?;
            let count: fn(&ligament_model::Model, &ligament_model::Data) -> usize = $columns;
            let vector = super::arrays::input(vec, "vec", count(&model, &data))?;
            let count: fn(&ligament_model::Model, &ligament_model::Data) -> usize = $rows;
            let mut out = super::arrays::Output::new(res, "res", count(&model, &data))?;
            $inner(&model, &data, out.slice(), &vector);
            Ok(())
        }
    )+ };
}
use products;

/// An id that is in range.
fn index(id: i64, count: usize, what: &str) -> PyResult<usize> {
    usize::try_from(id).ok().filter(|&i| i < count).ok_or_else(|| {
        PyIndexError::new_err(format!("Invalid {what} id {id}: valid ids are 0 to {}", count as i64 - 1))
    })
}

/// An object with a frame: its kind and an id that is in range.
fn object_kind(m: &Model<'_>, kind: i32, id: i64) -> PyResult<(ObjType, usize)> {
    let model = m.get().look()?;
    let kind =
        ObjType::try_from(kind).map_err(|k| PyValueError::new_err(format!("invalid object type {k}")))?;
    let count = match kind {
        ObjType::Body | ObjType::Xbody => model.nbody,
        ObjType::Geom => model.ngeom,
        ObjType::Site => model.nsite,
        ObjType::Camera => model.ncam,
        _ => return Err(PyValueError::new_err(format!("object type {} has no frame", kind as i32))),
    };
    Ok((kind, index(id, count, "object")?))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FatalError", module.py().get_type::<FatalError>())?;
    callbacks::register(module)?;
    linalg::register(module)?;
    util::register(module)?;
    settings::register(module)?;
    parts::register(module)?;
    format::register(module)?;
    pipeline::register(module)?;
    inertia::register(module)?;
    collision::register(module)?;
    constraint::register(module)?;
    ray::register(module)?;
    rollout::register(module)?;
    state::register(module)?;
    jacobian::register(module)
}
