//! User functions that the pipeline calls: MuJoCo's global `mjcb_*` hooks.
//!
//! The hooks are global, as users of MuJoCo expect. They are bound to the Python model and state of a call for
//! its duration, so that they receive the same objects the caller holds.

use super::{Data, Model};
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::Stage;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

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
#[pyfunction]
#[pyo3(signature = (name, function))]
fn _set_callback(py: Python<'_>, name: &str, function: Option<Py<PyAny>>) -> PyResult<()> {
    if function.as_ref().is_some_and(|function| !function.bind(py).is_callable()) {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let mut hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(index) = hook_index(name) {
        hooks[index] = function;
    }
    ANY.store(hooks.iter().any(Option::is_some), Ordering::Release);
    Ok(())
}

/// The callbacks of a state while no hook is installed: timers count seconds.
pub fn clock_only() -> Callbacks {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let start = *START;
    Callbacks { time: Some(Arc::new(move || start.elapsed().as_secs_f64())), ..Callbacks::default() }
}

/// Keeps the first exception of a call.
fn keep(raised: &Mutex<Option<PyErr>>, error: PyErr) {
    raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
}

/// The installed hook.
#[pyfunction]
fn _get_callback(py: Python<'_>, name: &str) -> Option<Py<PyAny>> {
    let hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    hooks[hook_index(name)?].as_ref().map(|hook| hook.clone_ref(py))
}

/// One hook bound to the objects of a call; the first exception is kept and raised after the call.
struct Hook {
    function: Py<PyAny>,
    model: Py<PyAny>,
    data: Py<crate::data::PyData>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Hook {
    /// Calls the function with the model, the state and further arguments.
    fn call(&self, extra: &[i64]) -> f64 {
        Python::attach(|py| {
            let mut arguments = vec![self.model.bind(py).clone(), self.data.bind(py).clone().into_any()];
            let result = extra
                .iter()
                .try_for_each(|&x| -> PyResult<()> {
                    arguments.push(x.into_pyobject(py)?.into_any());
                    Ok(())
                })
                .and_then(|()| pyo3::types::PyTuple::new(py, arguments))
                .and_then(|arguments| self.function.bind(py).call1(arguments))
                .and_then(|value| if value.is_none() { Ok(0.0) } else { value.extract() });
            // what the function looked at may change its length when the step goes on
            self.data.get().recall();
            result.unwrap_or_else(|error| {
                keep(&self.raised, error);
                0.0
            })
        })
    }
}

/// The installed hooks, bound to a model and a state.
fn bind(py: Python<'_>, m: &Model<'_>, d: &Data<'_>, raised: &Arc<Mutex<Option<PyErr>>>) -> Callbacks {
    let hooks = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let hook = |name: &str| {
        let function = hooks[hook_index(name)?].as_ref()?.clone_ref(py);
        let (model, data) = (m.clone().into_any().unbind(), d.clone().unbind());
        Some(Hook { function, model, data, raised: raised.clone() })
    };
    let mut callbacks = clock_only();
    if let Some(hook) = hook("control") {
        callbacks.control = Some(Arc::new(move |_, _| {
            hook.call(&[]);
        }));
    }
    if let Some(hook) = hook("passive") {
        callbacks.passive = Some(Arc::new(move |_, _| {
            hook.call(&[]);
        }));
    }
    if let Some(hook) = hook("sensor") {
        callbacks.sensor = Some(Arc::new(move |_, _, stage: Stage| {
            hook.call(&[stage as i64]);
        }));
    }
    if let Some(hook) = hook("act_dyn") {
        callbacks.act_dyn = Some(Arc::new(move |_, _, id| hook.call(&[id as i64])));
    }
    if let Some(hook) = hook("act_gain") {
        callbacks.act_gain = Some(Arc::new(move |_, _, id| hook.call(&[id as i64])));
    }
    if let Some(hook) = hook("act_bias") {
        callbacks.act_bias = Some(Arc::new(move |_, _, id| hook.call(&[id as i64])));
    }
    if let Some(hook) = hook("contactfilter") {
        callbacks.contact_filter = Some(Arc::new(move |_, _, a, b| hook.call(&[a as i64, b as i64]) != 0.0));
    }
    if let Some(function) = hook_index("time").and_then(|i| hooks[i].as_ref()).map(|f| f.clone_ref(py)) {
        let raised = raised.clone();
        callbacks.time = Some(Arc::new(move || Python::attach(|py| time(function.bind(py), &raised))));
    }
    callbacks
}

/// Time by a user's clock.
fn time(clock: &Bound<'_, PyAny>, raised: &Mutex<Option<PyErr>>) -> f64 {
    let wrong = |_| PyTypeError::new_err("mjcb_time callback did not return a number");
    clock.call0().and_then(|now| now.extract().map_err(wrong)).unwrap_or_else(|error| {
        keep(raised, error);
        0.0
    })
}

/// Works without the interpreter lock. A model that was made inconsistent by writing into it can end a stage early;
/// that is an error like others then.
fn guarded<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let caught = py.detach(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)));
    caught.map_err(|_| super::fatal("the model or the state is inconsistent: was an index in it changed?"))
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
    super::pair_mut(m, d)?;
    let (model, data) = (&m.get().cell, &d.get().cell);
    if !any_installed() {
        return guarded(py, || work(model.get(), data.get_mut()));
    }
    let raised = Arc::new(Mutex::new(None));
    data.get_mut().callbacks = bind(py, m, d, &raised);
    let result = guarded(py, || work(model.get(), data.get_mut()));
    data.get_mut().callbacks = clock_only();
    match raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) => Err(error),
        None => result,
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_set_callback, module)?)?;
    module.add_function(wrap_pyfunction!(_get_callback, module)?)
}
