//! User functions that the pipeline calls: MuJoCo's global `mjcb_*` hooks.
//!
//! The hooks are global, as users of MuJoCo expect. They are bound to the Python model and state of a call for
//! its duration, so that they receive the same objects the caller holds.

use super::{Data, Model};
use crate::data::PyData;
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::Stage;
use ligament_py_macros::entry;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Names of all hooks, in the order they are stored.
const HOOKS: [&str; 8] =
    ["control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"];

static INSTALLED: Mutex<[Option<Py<PyAny>>; HOOKS.len()]> = Mutex::new([const { None }; HOOKS.len()]);
/// Whether any hook is installed: most programs never install one and pay for one load.
static ANY: AtomicBool = AtomicBool::new(false);

fn hook_index(name: &str) -> Option<usize> {
    HOOKS.iter().position(|hook| *hook == name)
}

/// Installs or removes a hook.
#[entry]
#[pyo3(signature = (name, function))]
fn _set_callback(py: Python<'_>, name: &str, function: Option<Py<PyAny>>) -> PyResult<()> {
    if function.as_ref().is_some_and(|function| !function.bind(py).is_callable()) {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let Some(index) = hook_index(name) else { return Ok(()) };
    let mut hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let old = std::mem::replace(&mut hooks[index], function);
    ANY.store(hooks.iter().any(Option::is_some), Ordering::Release);
    drop(hooks);
    drop(old); // may run Python code, which may install hooks
    Ok(())
}

/// The callbacks of a state while no hook is installed: timers count seconds.
pub fn clock_only() -> Callbacks {
    Callbacks { time: Some(ligament::processor_clock()), ..Callbacks::default() }
}

/// The first exception of a call.
type Raised = Mutex<Option<PyErr>>;

thread_local! {
    /// Whether a hook of the call that runs on this thread has raised an exception.
    static RAISED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Has a hook raised an exception? Then no hook is called any more, and the call ends as soon as it can.
pub fn has_raised() -> bool {
    RAISED.get()
}

/// Keeps the first exception of a call.
fn keep(_: Python<'_>, raised: &Raised, error: PyErr) {
    RAISED.set(true);
    raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// The installed hook.
#[entry]
fn _get_callback(py: Python<'_>, name: &str) -> Option<Py<PyAny>> {
    let hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    hook_index(name).and_then(|index| hooks[index].as_ref()).map(|hook| hook.clone_ref(py))
}

/// One hook bound to the objects of a call; the first exception is kept and raised after the call.
struct Hook {
    name: &'static str,
    function: Py<PyAny>,
    model: Py<PyAny>,
    data: Py<PyData>,
    raised: Arc<Raised>,
}

impl Hook {
    /// Calls the function, which may change the state, with the model, the state and further arguments.
    fn call_mut(&self, data: &mut ligament_model::Data, extra: &[i64]) -> f64 {
        Python::attach(|py| {
            let lender = &self.data.get().shared;
            self.outermost(py, |hook| lender.lend_mut(data, || hook.ask(py, extra)))
        })
    }

    /// Calls the function, which may only read the state.
    fn call(&self, data: &ligament_model::Data, extra: &[i64]) -> f64 {
        Python::attach(|py| {
            let lender = &self.data.get().shared;
            self.outermost(py, |hook| lender.lend(data, || hook.ask(py, extra)))
        })
    }

    /// Callbacks are not called from inside callbacks, which would have no end; and not after an exception.
    fn outermost(&self, py: Python<'_>, call: impl FnOnce(&Self) -> PyResult<f64>) -> f64 {
        if has_raised() {
            return 0.0;
        }
        let result = if self.data.get().shared.is_lent() {
            let text = format!("mjcb_{} would be called from inside a callback", self.name);
            Err(PyRuntimeError::new_err(text))
        } else {
            call(self)
        };
        result.unwrap_or_else(|error| {
            keep(py, &self.raised, error);
            0.0
        })
    }

    fn ask(&self, py: Python<'_>, extra: &[i64]) -> PyResult<f64> {
        let mut arguments = vec![self.model.bind(py).clone(), self.data.bind(py).clone().into_any()];
        for &x in extra {
            arguments.push(x.into_pyobject(py)?.into_any());
        }
        let value = self.function.bind(py).call1(pyo3::types::PyTuple::new(py, arguments)?)?;
        if value.is_none() { Ok(0.0) } else { value.extract() }
    }
}

/// The installed hooks, bound to a model and a state.
fn bind(py: Python<'_>, m: &Model<'_>, d: &Data<'_>, raised: &Arc<Raised>) -> Callbacks {
    let hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = |name: &'static str| {
        let function = hooks[hook_index(name)?].as_ref()?.clone_ref(py);
        let (model, data) = (m.clone().into_any().unbind(), d.clone().unbind());
        Some(Hook { name, function, model, data, raised: raised.clone() })
    };
    let mut callbacks = clock_only();
    if let Some(hook) = hook("control") {
        callbacks.control = Some(Arc::new(move |_, d| {
            hook.call_mut(d, &[]);
        }));
    }
    if let Some(hook) = hook("passive") {
        callbacks.passive = Some(Arc::new(move |_, d| {
            hook.call_mut(d, &[]);
        }));
    }
    if let Some(hook) = hook("sensor") {
        callbacks.sensor = Some(Arc::new(move |_, d, stage: Stage| {
            hook.call_mut(d, &[stage as i64]);
        }));
    }
    if let Some(hook) = hook("act_dyn") {
        callbacks.act_dyn = Some(Arc::new(move |_, d, id| hook.call_mut(d, &[id as i64])));
    }
    if let Some(hook) = hook("act_gain") {
        callbacks.act_gain = Some(Arc::new(move |_, d, id| hook.call_mut(d, &[id as i64])));
    }
    if let Some(hook) = hook("act_bias") {
        callbacks.act_bias = Some(Arc::new(move |_, d, id| hook.call_mut(d, &[id as i64])));
    }
    if let Some(hook) = hook("contactfilter") {
        callbacks.contact_filter =
            Some(Arc::new(move |_, d, a, b| hook.call(d, &[a as i64, b as i64]) != 0.0));
    }
    if let Some(function) = hook_index("time").and_then(|i| hooks[i].as_ref()).map(|f| f.clone_ref(py)) {
        let raised = raised.clone();
        callbacks.time = Some(Arc::new(move || Python::attach(|py| time(function.bind(py), &raised))));
    }
    callbacks
}

/// Time by a user's clock.
fn time(clock: &Bound<'_, PyAny>, raised: &Raised) -> f64 {
    if has_raised() {
        return 0.0;
    }
    let wrong = |_| PyTypeError::new_err("mjcb_time callback did not return a number");
    clock.call0().and_then(|now| now.extract().map_err(wrong)).unwrap_or_else(|error| {
        keep(clock.py(), raised, error);
        0.0
    })
}

/// Is any hook installed?
pub fn any_installed() -> bool {
    ANY.load(Ordering::Acquire)
}

/// Runs part of the pipeline without the interpreter lock, with the installed hooks in place.
pub fn run<T: Send>(
    py: Python<'_>,
    m: &Model<'_>,
    d: &Data<'_>,
    work: impl FnOnce(&ligament_model::Model, &mut ligament_model::Data) -> T + Send,
) -> PyResult<T> {
    let inside_a_callback = any_installed() && d.get().shared.is_lent();
    let (model, mut data) = super::pair_mut(m, d)?;
    let (model, data) = (&*model, &mut *data);
    if !any_installed() && !inside_a_callback {
        return Ok(py.detach(|| work(model, data)));
    }
    let raised = Arc::new(Raised::default());
    let outer = std::mem::replace(&mut data.callbacks, bind(py, m, d, &raised));
    let raised_outside = RAISED.replace(false);
    let result = catch_unwind(AssertUnwindSafe(|| py.detach(|| work(model, data))));
    RAISED.set(raised_outside);
    data.callbacks = outer;
    let result = result.unwrap_or_else(|panic| resume_unwind(panic));
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_set_callback, module)?)?;
    module.add_function(wrap_pyfunction!(_get_callback, module)?)
}
