//! The native module `ligament._core`: memory of models and states, and the functions that work on them.
//! Everything that makes the package look like `mujoco` is Python, in `python/ligament`.

mod batch;
mod data;
mod files;
mod functions;
mod guard;
mod integers;
mod lean;
mod memory;
mod model;
mod records;
mod refusal;
mod render;
mod scene;
mod spec;
mod viewer;

use ligament_py_macros::entry;
use pyo3::prelude::*;

/// Names with their numbers.
type Numbers = Vec<(&'static str, i32)>;

/// Name, members and counts of every enumeration.
#[entry]
fn enums() -> Vec<(&'static str, Numbers, Numbers)> {
    ligament_model::enums::ALL.iter().map(|e| (e.name, e.members.to_vec(), e.counts.to_vec())).collect()
}

#[pymodule(name = "_core")]
fn core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    guard::report_panics_as_exceptions();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<model::PyModel>()?;
    module.add_class::<model::PyGroup>()?;
    module.add_class::<data::PyData>()?;
    module.add_function(wrap_pyfunction!(enums, module)?)?;
    spec::register(module)?;
    batch::register(module)?;
    lean::register(module)?;
    scene::register(module)?;
    render::register(module)?;
    viewer::register(module)?;
    functions::register(module)
}
