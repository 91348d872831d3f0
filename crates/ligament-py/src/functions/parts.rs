//! Exchangeable parts from Python: force laws as vectorised functions, parts of the engine by name.

use super::arrays::input;
use super::{Model, fatal};
use crate::batch::callbacks::hooked;
use ligament::parts::{self, ActuatorForce, ActuatorState, Part, PartLibrary, PartRecord, Slot};
use ligament_py_macros::entry;
use numpy::PyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::Arc;

/// A function of arrays (length, velocity, input), one entry an actuator, that returns their forces.
struct FunctionLaw {
    name: String,
    force: Py<PyAny>,
    /// The derivative by velocity, with the same arguments; none: finite differences.
    slope: Option<Py<PyAny>>,
}

impl FunctionLaw {
    /// An exception ends the step; what it says becomes the reason of the step's error.
    fn call(&self, function: &Py<PyAny>, at: &[ActuatorState], out: &mut [f64]) {
        let result = Python::attach(|py| -> PyResult<()> {
            let column = |get: fn(&ActuatorState) -> f64| {
                PyArray1::from_iter(py, at.iter().map(get).collect::<Vec<_>>())
            };
            let arguments = (column(|x| x.length), column(|x| x.velocity), column(|x| x.input));
            // where a batch calls the law, its lock is taken: the law cannot use it
            let returned = hooked(|| function.bind(py).call1(arguments))?;
            out.copy_from_slice(&input(&returned, "the result of the function", at.len())?);
            Ok(())
        });
        if let Err(error) = result {
            resume_unwind(Box::new(error.to_string()));
        }
    }
}

impl Part for FunctionLaw {
    fn name(&self) -> &str {
        &self.name
    }
}

impl ActuatorForce for FunctionLaw {
    fn force(&self, at: &ActuatorState) -> f64 {
        let mut out = [0.0];
        self.forces(&[*at], &mut out);
        out[0]
    }

    fn forces(&self, at: &[ActuatorState], out: &mut [f64]) {
        self.call(&self.force, at, out);
    }

    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        let slope = self.slope.as_ref()?;
        let mut out = [0.0];
        self.call(slope, &[*at], &mut out);
        Some(out[0])
    }
}

fn slot(word: &str) -> PyResult<Slot> {
    let found = Slot::ALL.into_iter().find(|slot| slot.word() == word);
    found.ok_or_else(|| PyValueError::new_err(format!("there is no slot '{word}' for parts")))
}

/// Gives actuators a function as their gain or bias.
#[entry]
#[pyo3(signature = (m, place, actuators, function, slope, name))]
fn _set_actuator_function(
    py: Python<'_>,
    m: &Model<'_>,
    place: &str,
    actuators: Vec<usize>,
    function: Py<PyAny>,
    slope: Option<Py<PyAny>>,
    name: String,
) -> PyResult<()> {
    for callable in [Some(&function), slope.as_ref()].into_iter().flatten() {
        if !callable.bind(py).is_callable() {
            return Err(PyTypeError::new_err("a force law is a function of (length, velocity, input)"));
        }
    }
    let law = Arc::new(FunctionLaw { name, force: function, slope });
    let mut model = m.get().write()?;
    match slot(place)? {
        Slot::Gain => parts::set_shared_gain(&mut model, &actuators, law),
        Slot::Bias => parts::set_shared_bias(&mut model, &actuators, law),
        other => return Err(PyValueError::new_err(format!("actuators have no {}", other.word()))),
    }
    .map_err(fatal)
}

/// Gives an element a part of the engine by name; without a name, MuJoCo's.
#[entry]
#[pyo3(signature = (m, place, element, name, parameters))]
fn _set_part(
    m: &Model<'_>,
    place: &str,
    element: usize,
    name: Option<String>,
    parameters: Vec<f64>,
) -> PyResult<()> {
    let slot = slot(place)?;
    let mut model = m.get().write()?;
    match name {
        Some(name) => PartLibrary::new().provide(&mut model, &PartRecord { slot, element, name, parameters }),
        None => match slot {
            Slot::Bending => parts::clear_bending(&mut model, element),
            Slot::Elasticity => parts::clear_elasticity(&mut model, element),
            Slot::Gain => parts::clear_gain(&mut model, element),
            Slot::Bias => parts::clear_bias(&mut model, element),
            Slot::Solver => parts::clear_solver(&mut model),
        },
    }
    .map_err(fatal)
}

/// Slot, element, name and parameters of a part.
type Described = (&'static str, usize, String, Vec<f64>);

/// All parts of a model that are not MuJoCo's: (slot, element, name, parameters).
#[entry]
fn _parts(m: &Model<'_>) -> PyResult<Vec<Described>> {
    let model = m.get().read()?;
    let records = model.parts.records().into_iter();
    Ok(records.map(|x| (x.slot.word(), x.element, x.name, x.parameters)).collect())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_set_actuator_function, module)?)?;
    module.add_function(wrap_pyfunction!(_set_part, module)?)?;
    module.add_function(wrap_pyfunction!(_parts, module)?)
}
