//! Shared memory between Rust and NumPy.
//!
//! A [`Cell`] owns a model or a simulation state; Python objects and the NumPy views made from them hold it by
//! reference count, so a view outlives the object it came from. Python may write into views at any time, as
//! users of MuJoCo expect: a cell is therefore never shared with another thread by the package itself.
//!
//! Lists whose length changes from step to step are lent ([`Loans`]): a view of one shows the list itself until the
//! next call that may change it. At that call the list moves into the view's keeping and the state goes on with a
//! copy, so a view never points to memory that is gone.
#![allow(unsafe_code)] // the one place where Python and Rust share memory

use ligament_model::array::{ArrayMut, Shape};
use ligament_model::data::Retired;
use numpy::{Element, PyArray};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::UnsafeCell;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Lists of a state that views point into, with the place where each goes when the state moves on.
pub struct Loans<T>(Mutex<Vec<(Renew<T>, Slot)>>);

type Renew<T> = fn(&mut T) -> Retired;
type Slot = Arc<OnceLock<Retired>>;

impl<T> Default for Loans<T> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<T> Loans<T> {
    /// Notes that a view of the list that `renew` replaces exists; the view has to hold the result.
    pub fn lend(&self, renew: Renew<T>) -> Slot {
        let mut loans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loans.iter().find(|(other, _)| std::ptr::fn_addr_eq(*other, renew));
        if let Some((_, slot)) = known {
            return slot.clone();
        }
        let slot = Slot::default();
        loans.push((renew, slot.clone()));
        slot
    }

    /// Hands all lent lists over to their views and leaves copies in the state.
    pub fn recall(&self, owner: &mut T) {
        let mut loans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (renew, slot) in loans.drain(..) {
            // without a view left, the list may stay where it is
            if Arc::strong_count(&slot) > 1 {
                slot.get_or_init(|| renew(owner));
            }
        }
    }
}

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

/// One field of all records of a list, as a view with gaps: records are `stride` bytes apart.
pub fn column<'py, T: Element>(
    py: Python<'py>,
    first: Option<&T>,
    count: usize,
    width: Option<usize>,
    stride: usize,
    keeper: Arc<dyn Any + Send + Sync>,
) -> PyResult<Bound<'py, PyAny>> {
    use numpy::ndarray::{ArrayView, IxDyn, ShapeBuilder};
    let Some(first) = first.filter(|_| count > 0) else {
        let shape = Shape::default().with(0);
        let shape = width.map_or(shape, |n| shape.with(n));
        return Ok(PyArray::<T, IxDyn>::zeros(py, shape.dims(), false).into_any());
    };
    let owner = Bound::new(py, Owner { _cell: keeper })?.into_any();
    let step = stride / size_of::<T>();
    let shape = match width {
        Some(n) => IxDyn(&[count, n]).strides(IxDyn(&[step, 1])),
        None => IxDyn(&[count]).strides(IxDyn(&[step])),
    };
    // SAFETY: `first` is the field of the first of `count` records that lie `stride` bytes apart (a multiple of the
    // element size, checked by `records!`), and `owner` keeps them alive.
    Ok(unsafe {
        PyArray::borrow_from_array(&ArrayView::from_shape_ptr(shape, std::ptr::from_ref(first)), owner)
    }
    .into_any())
}

/// An empty NumPy array of its own, for lists without entries.
pub fn empty<'py>(py: Python<'py>, kind: &ArrayMut<'_>, shape: Shape) -> Bound<'py, PyAny> {
    use numpy::ndarray::IxDyn;
    let dims = shape.dims();
    match kind {
        ArrayMut::F64(_) => PyArray::<f64, IxDyn>::zeros(py, dims, false).into_any(),
        ArrayMut::F32(_) => PyArray::<f32, IxDyn>::zeros(py, dims, false).into_any(),
        ArrayMut::I32(_) => PyArray::<i32, IxDyn>::zeros(py, dims, false).into_any(),
        ArrayMut::I64(_) => PyArray::<i64, IxDyn>::zeros(py, dims, false).into_any(),
        ArrayMut::U64(_) => PyArray::<u64, IxDyn>::zeros(py, dims, false).into_any(),
        ArrayMut::U8(_) => PyArray::<u8, IxDyn>::zeros(py, dims, false).into_any(),
    }
}
