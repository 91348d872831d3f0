//! What every call from Python goes through: a panic becomes an exception, and the name of the call is known.
//!
//! Functions and methods get here by the attributes `#[entry]` and `#[entries]`.

use crate::functions::fatal;
use pyo3::prelude::*;
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
