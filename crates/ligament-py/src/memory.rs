//! Shared memory between Rust and NumPy.
//!
//! A [`Cell`] owns a model or a simulation state; Python objects and the NumPy views made from them hold it by
//! reference count, so a view outlives the object it came from. Python may write into views at any time, as
//! users of MuJoCo expect: a cell is therefore never shared with another thread by the package itself.
#![allow(unsafe_code)] // the one place where Python and Rust share memory

use ligament_model::array::{ArrayMut, Shape};
use numpy::{Element, PyArray, PyArrayMethods, PyUntypedArray};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::UnsafeCell;
use std::sync::Arc;

/// A value that Python views point into. It never moves while the cell lives.
pub struct Cell<T>(UnsafeCell<T>);

// SAFETY: access is serialised by the interpreter lock, or by the caller while the lock is released during a
// step, exactly as with MuJoCo's own bindings.
unsafe impl<T: Send> Send for Cell<T> {}
// SAFETY: see above.
unsafe impl<T: Send> Sync for Cell<T> {}

impl<T> Cell<T> {
    pub fn new(value: T) -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(value)))
    }

    /// Read access for the duration of one call.
    pub fn get(&self) -> &T {
        // SAFETY: calls into the package are serialised (see `Sync`), and no reference outlives its call.
        unsafe { &*self.0.get() }
    }

    /// Write access for the duration of one call.
    #[allow(clippy::mut_from_ref)]
    pub fn get_mut(&self) -> &mut T {
        // SAFETY: as in `get`.
        unsafe { &mut *self.0.get() }
    }
}

/// Keeps a cell alive for as long as a view of it exists.
#[pyclass(frozen)]
struct Owner {
    _cell: Arc<dyn Any + Send + Sync>,
}

/// A NumPy array over memory that lives in `cell`. The memory must not be reallocated while views may exist.
pub fn view<'py>(
    py: Python<'py>,
    array: ArrayMut<'_>,
    shape: Shape,
    cell: Arc<dyn Any + Send + Sync>,
) -> PyResult<Bound<'py, PyAny>> {
    let owner = Bound::new(py, Owner { _cell: cell })?.into_any();
    Ok(match array {
        ArrayMut::F64(x) => typed_view(x, shape, owner),
        ArrayMut::F32(x) => typed_view(x, shape, owner),
        ArrayMut::I32(x) => typed_view(x, shape, owner),
        ArrayMut::I64(x) => typed_view(x, shape, owner),
        ArrayMut::U64(x) => typed_view(x, shape, owner),
        ArrayMut::U8(x) => typed_view(x, shape, owner),
    })
}

fn typed_view<'py, T: Element>(
    memory: &mut [T],
    shape: Shape,
    owner: Bound<'py, PyAny>,
) -> Bound<'py, PyAny> {
    let dims = numpy::ndarray::IxDyn(shape.dims());
    // SAFETY: the slice is contiguous with exactly `shape` elements, and `owner` keeps it alive.
    unsafe {
        let borrowed = numpy::ndarray::ArrayView::from_shape_ptr(dims, memory.as_ptr());
        PyArray::borrow_from_array(&borrowed, owner).into_any()
    }
}

/// A copy as a NumPy array, for memory that may move.
pub fn copy<'py>(
    py: Python<'py>,
    array: ligament_model::array::ArrayRef<'_>,
    shape: Shape,
) -> PyResult<Bound<'py, PyAny>> {
    use ligament_model::array::ArrayRef;
    let flat: Bound<'py, PyUntypedArray> = match array {
        ArrayRef::F64(x) => PyArray::from_slice(py, x).as_untyped().clone(),
        ArrayRef::F32(x) => PyArray::from_slice(py, x).as_untyped().clone(),
        ArrayRef::I32(x) => PyArray::from_slice(py, x).as_untyped().clone(),
        ArrayRef::I64(x) => PyArray::from_slice(py, x).as_untyped().clone(),
        ArrayRef::U64(x) => PyArray::from_slice(py, x).as_untyped().clone(),
        ArrayRef::U8(x) => PyArray::from_slice(py, x).as_untyped().clone(),
    };
    flat.into_any().call_method1("reshape", (shape.dims().to_vec(),))
}
