//! The arrays of a batch as NumPy views.
//!
//! Tables never move and live as long as the batch; a view holds the batch, so that it outlives the Python object.
//! Calls are serialised by a lock. As with the arrays of a state, Python may write into views at any time; what a
//! call makes of numbers that change while it runs is up to the caller.
#![allow(unsafe_code)] // views of memory that Rust owns

use ligament_batch::Batch;
use ligament_model::array::ArrayMut;
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex, PoisonError};

/// A batch that views point into.
pub struct Shared {
    batch: UnsafeCell<Batch>,
    turn: Mutex<()>,
}

// SAFETY: the batch is only reached through `with`, one thread at a time.
unsafe impl Send for Shared {}
// SAFETY: see above.
unsafe impl Sync for Shared {}

impl Shared {
    pub fn new(batch: Batch) -> Arc<Self> {
        Arc::new(Self { batch: UnsafeCell::new(batch), turn: Mutex::new(()) })
    }

    /// Works on the batch without the interpreter lock, when no other call does. A hook that a batch called cannot: it
    /// would wait for itself.
    pub fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Batch) -> T + Send) -> PyResult<T> {
        if super::callbacks::inside_hook() {
            return Err(PyRuntimeError::new_err(
                "a batch cannot be used inside a hook or a force law, which a batch may have called",
            ));
        }
        Ok(py.detach(|| {
            let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
            // SAFETY: the lock makes this the only reference to the batch.
            work(unsafe { &mut *self.batch.get() })
        }))
    }
}

/// Where an array is, and of which scalars.
#[derive(Clone, Copy)]
pub enum Place {
    F64(*mut f64, usize),
    F32(*mut f32, usize),
    I32(*mut i32, usize),
    I64(*mut i64, usize),
    U64(*mut u64, usize),
    U8(*mut u8, usize),
}

// SAFETY: a place is only an address until `view` makes an array of it.
unsafe impl Send for Place {}

impl From<ArrayMut<'_>> for Place {
    fn from(array: ArrayMut<'_>) -> Self {
        match array {
            ArrayMut::F64(x) => Self::F64(x.as_mut_ptr(), x.len()),
            ArrayMut::F32(x) => Self::F32(x.as_mut_ptr(), x.len()),
            ArrayMut::I32(x) => Self::I32(x.as_mut_ptr(), x.len()),
            ArrayMut::I64(x) => Self::I64(x.as_mut_ptr(), x.len()),
            ArrayMut::U64(x) => Self::U64(x.as_mut_ptr(), x.len()),
            ArrayMut::U8(x) => Self::U8(x.as_mut_ptr(), x.len()),
        }
    }
}

/// Keeps a batch alive for as long as a view of it exists.
#[pyclass(frozen, module = "ligament._core", name = "_BatchMemory")]
struct Owner {
    _shared: Arc<Shared>,
}

/// A view of a table of the batch.
pub fn view<'py>(
    py: Python<'py>,
    shared: &Arc<Shared>,
    place: Place,
    dims: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, Owner { _shared: shared.clone() })?.into_any();
    // SAFETY: places come from tables of the batch that `owner` keeps alive; tables never move.
    Ok(unsafe {
        match place {
            Place::F64(first, count) => typed(first, count, dims, owner),
            Place::F32(first, count) => typed(first, count, dims, owner),
            Place::I32(first, count) => typed(first, count, dims, owner),
            Place::I64(first, count) => typed(first, count, dims, owner),
            Place::U64(first, count) => typed(first, count, dims, owner),
            Place::U8(first, count) => typed(first, count, dims, owner),
        }
    })
}

/// # Safety
/// `count` elements from `first` on stay where they are for as long as `owner` lives.
unsafe fn typed<'py, T: Element>(
    first: *mut T,
    count: usize,
    dims: &[usize],
    owner: Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    assert_eq!(dims.iter().product::<usize>(), count, "shape of a view");
    // SAFETY: promised by the caller; the shape has just been compared with the length.
    unsafe {
        let borrowed = ArrayView::from_shape_ptr(IxDyn(dims), first.cast_const());
        PyArray::borrow_from_array(&borrowed, owner).into_any()
    }
}
