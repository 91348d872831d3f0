//! MuJoCo's global hooks in the worlds of a batch: C functions run in the workers, Python functions are refused.

use crate::functions::callbacks::{any_installed, clock_only};
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::Stage;
use ligament_model::{Data, Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::Cell;
use std::sync::Arc;

/// A hook made by `ctypes`. It receives the addresses of model and state as opaque handles: they tell worlds apart,
/// but the memory behind them is not laid out as MuJoCo's structs.
struct CFunction(Py<PyAny>);

thread_local! {
    /// A function of the user that a step called runs on this thread.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Was the code that runs now called by a step, perhaps of a batch?
pub fn inside_hook() -> bool {
    INSIDE.get()
}

/// Runs a function of the user that a step calls.
pub fn hooked<T>(call: impl FnOnce() -> T) -> T {
    let outer = INSIDE.replace(true);
    let result = call();
    INSIDE.set(outer);
    result
}

impl CFunction {
    fn call(&self, m: &Model, d: &Data, extra: &[i64]) -> f64 {
        Python::attach(|py| {
            let handles = [std::ptr::from_ref(m).addr() as i64, std::ptr::from_ref(d).addr() as i64];
            let arguments: Vec<i64> = handles.iter().chain(extra).copied().collect();
            let result = PyTuple::new(py, arguments)
                .and_then(|arguments| hooked(|| self.0.bind(py).call1(arguments)))
                .and_then(|value| if value.is_none() { Ok(0.0) } else { value.extract() });
            result.unwrap_or_else(|error| {
                error.print(py);
                0.0
            })
        })
    }
}

/// The installed hooks, which must be C functions.
pub fn c_functions(py: Python<'_>) -> PyResult<Callbacks> {
    let mut callbacks = Callbacks::default();
    if !any_installed() {
        return Ok(callbacks);
    }
    callbacks.time = clock_only().time;
    let core = py.import("ligament._core")?;
    let kind = py.import("ctypes")?.getattr("_CFuncPtr")?;
    let hook = |name: &str| -> PyResult<Option<CFunction>> {
        let function = core.call_method1("_get_callback", (name,))?;
        if function.is_none() {
            return Ok(None);
        }
        if !function.is_instance(&kind)? {
            return Err(PyValueError::new_err(format!(
                "mjcb_{name} is a Python function, which the threads of a batch cannot call: remove it, or install a C \
                 function made by ctypes"
            )));
        }
        Ok(Some(CFunction(function.unbind())))
    };
    if let Some(f) = hook("control")? {
        callbacks.control = Some(Arc::new(move |m, d| {
            f.call(m, d, &[]);
        }));
    }
    if let Some(f) = hook("passive")? {
        callbacks.passive = Some(Arc::new(move |m, d| {
            f.call(m, d, &[]);
        }));
    }
    if let Some(f) = hook("sensor")? {
        callbacks.sensor = Some(Arc::new(move |m, d, stage: Stage| {
            f.call(m, d, &[stage as i64]);
        }));
    }
    if let Some(f) = hook("act_dyn")? {
        callbacks.act_dyn = Some(Arc::new(move |m, d, id| f.call(m, d, &[id as i64])));
    }
    if let Some(f) = hook("act_gain")? {
        callbacks.act_gain = Some(Arc::new(move |m, d, id| f.call(m, d, &[id as i64])));
    }
    if let Some(f) = hook("act_bias")? {
        callbacks.act_bias = Some(Arc::new(move |m, d, id| f.call(m, d, &[id as i64])));
    }
    if let Some(f) = hook("contactfilter")? {
        callbacks.contact_filter =
            Some(Arc::new(move |m, d, a, b| f.call(m, d, &[a as i64, b as i64]) != 0.0));
    }
    hook("time")?; // a clock in Python is refused like the others; worlds have the system's
    Ok(callbacks)
}
