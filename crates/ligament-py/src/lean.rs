//! The lean step of one world, for `ligament/lean.py`.

use crate::data::PyData;
use crate::functions::{callbacks, fatal};
use crate::model::PyModel;
use ligament_lean::{Lean, State};
use ligament_py_macros::entries;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Steps between looks for signals, such as Ctrl-C, at most.
const PORTION: usize = 1000;

/// How long a portion of steps may take before the next ones are smaller.
const PATIENCE: Duration = Duration::from_millis(50);

struct Engine {
    lean: Lean,
    /// Where the state is while it is stepped.
    world: State,
}

/// Native part of `Lean`. Calls are serialised.
#[pyclass(frozen, module = "ligament._core", name = "_Lean")]
pub struct PyLean(Mutex<Engine>);

impl PyLean {
    /// Takes the state over from the data, works on it without the interpreter, and puts it back.
    fn with(&self, py: Python<'_>, data: &PyData, work: impl FnOnce(&mut Engine) + Send) -> PyResult<()> {
        if callbacks::any_installed() {
            return Err(fatal(
                "the lean step calls no user functions (mjcb_*): use mj_step while one is set",
            ));
        }
        let mut d = data.shared.write()?;
        let mut guard = self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let engine = &mut *guard;
        if !d.fits(engine.lean.model()) {
            return Err(fatal("the data was made for another model"));
        }
        engine.world.read(&d);
        py.detach(|| work(engine));
        if let Some(error) = engine.lean.take_failure() {
            return Err(fatal(error));
        }
        engine.world.write(&mut d);
        Ok(())
    }
}

#[entries]
impl PyLean {
    #[new]
    fn py_new(py: Python<'_>, model: &PyModel) -> PyResult<Self> {
        let model = model.read()?.clone();
        let lean = py.detach(|| Lean::new(&model)).map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(Self(Mutex::new(Engine { world: State::initial(&model), lean })))
    }

    fn step(&self, py: Python<'_>, data: &PyData, steps: usize) -> PyResult<()> {
        let (mut left, mut portion) = (steps, 1);
        while left > 0 {
            let (steps, start) = (left.min(portion), Instant::now());
            self.with(py, data, |engine| {
                engine.lean.step(std::slice::from_mut(&mut engine.world), steps);
            })?;
            left -= steps;
            portion =
                if start.elapsed() < PATIENCE { PORTION.min(2 * portion) } else { (portion / 2).max(1) };
            py.check_signals()?;
        }
        Ok(())
    }

    /// Accelerations of the state, which stays as it is.
    fn forward<'py>(&self, py: Python<'py>, data: &PyData) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut acceleration = Vec::new();
        self.with(py, data, |engine| {
            let warmstart = engine.world.qacc_warmstart.clone();
            engine.lean.forward(std::slice::from_mut(&mut engine.world));
            acceleration = std::mem::replace(&mut engine.world.qacc_warmstart, warmstart);
        })?;
        Ok(PyArray1::from_vec(py, acceleration))
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyLean>()
}
