//! What every call from Python goes through: a panic becomes an exception, and the name of the call is known.
//!
//! Functions and methods get here by the attributes `#[entry]` and `#[entries]`.

use crate::functions::fatal;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyFloat;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The function that Python called last on this thread and that has not returned.
    static CALL: Cell<&'static &'static str> = const { Cell::new(&"") };
    /// Place and words of the last panic of this thread.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Panics are reported by exceptions: nothing is printed, place and words are kept for the message.
pub fn report_panics_as_exceptions() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        let text = words(info.payload()) + &place;
        PANIC.with(|last| *last.borrow_mut() = Some(text));
    }));
}

fn words(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("unknown cause")
        .to_owned()
}

/// The function that is running.
pub fn current_call() -> &'static &'static str {
    CALL.get()
}

/// The name under which users know a function of the module.
pub fn known_as(name: &'static str) -> &'static str {
    name.trim_start_matches('_')
}

/// An integer argument. As in the reference it may be anything that is no float and has `__int__`: arrays of one number, of
/// which `model.sensor(i).objid` is one, are given where an id is meant. (New releases of NumPy refuse them; then so do we.)
pub fn whole<'py, T>(value: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    value.extract::<T>().or_else(|error| {
        if !error.is_instance_of::<PyTypeError>(value.py()) || value.is_instance_of::<PyFloat>() {
            return Err(error);
        }
        let converted = value.call_method0(intern!(value.py(), "__int__"));
        converted.and_then(|number| number.extract::<T>()).map_err(|_| error)
    })
}

/// Runs the body of a function that Python called.
pub fn entry<T>(name: &'static &'static str, body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    let outer = CALL.replace(name);
    let result = catch_unwind(AssertUnwindSafe(body));
    CALL.set(outer);
    result.unwrap_or_else(|payload| {
        let here = PANIC.with(|last| last.borrow_mut().take());
        let cause = here.unwrap_or_else(|| words(&*payload));
        Err(fatal(format!(
            "{}: internal error: {cause}; the model or the state is inconsistent: was an index in it changed?",
            known_as(name)
        )))
    })
}
