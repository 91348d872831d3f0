//! NumPy arguments: arrays that functions read or fill.
//!
//! Arguments may be views of the very state that a function works on (`mj_mulM(m, d, d.qfrc_applied, d.qacc)`), so
//! what is read is copied first, and results are written when the work is done.

use crate::memory::Owner;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// An array of numbers that a function only reads: a contiguous copy.
pub fn input(value: &Bound<'_, PyAny>, name: &str, length: usize) -> PyResult<Vec<f64>> {
    let values = match value.cast::<PyArrayDyn<f64>>() {
        Ok(array) if array.is_c_contiguous() => array.to_vec()?,
        _ => {
            let numpy = value.py().import("numpy")?;
            let array = numpy.call_method1("ascontiguousarray", (value, "float64"))?;
            array.cast::<PyArrayDyn<f64>>()?.to_vec()?
        }
    };
    if values.len() != length {
        return Err(wrong_size(name, length, values.len()));
    }
    Ok(values)
}

/// A small vector that a function only reads.
pub fn vector<const N: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; N]> {
    let values = input(value, name, N)?;
    Ok(std::array::from_fn(|i| values[i]))
}

fn wrong_size(name: &str, expected: usize, found: usize) -> PyErr {
    PyTypeError::new_err(format!("{name} should have {expected} elements, got {found}"))
}

/// An array that a function fills: contiguous, writable, of type float64. The function works on a copy, which is
/// written back at the end.
pub struct Output<'py> {
    array: PyReadwriteArrayDyn<'py, f64>,
    /// Nothing when the array is filled directly.
    copy: Option<Vec<f64>>,
}

impl<'py> Output<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &str, length: usize) -> PyResult<Self> {
        let array = writable(value, name, length)?;
        let copy = Some(array.as_slice()?.to_vec());
        Ok(Self { array, copy })
    }

    /// `None` stays `None`.
    pub fn optional(value: Option<&Bound<'py, PyAny>>, name: &str, length: usize) -> PyResult<Option<Self>> {
        value.map(|value| Self::new(value, name, length)).transpose()
    }

    /// A result that may be large: without a copy, unless it shows the memory of a model or a state.
    pub fn large(value: &Bound<'py, PyAny>, name: &str, length: usize) -> PyResult<Self> {
        if shows_engine_memory(value) {
            return Self::new(value, name, length);
        }
        Ok(Self { array: writable(value, name, length)?, copy: None })
    }

    pub fn slice(&mut self) -> &mut [f64] {
        match &mut self.copy {
            Some(copy) => copy,
            None => self.array.as_slice_mut().unwrap_or_default(), // contiguous: checked before
        }
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        let (Some(copy), Ok(target)) = (&self.copy, self.array.as_slice_mut()) else { return };
        if !std::thread::panicking() {
            target.copy_from_slice(copy);
        }
    }
}

fn writable<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    length: usize,
) -> PyResult<PyReadwriteArrayDyn<'py, f64>> {
    let array = value
        .cast::<PyArrayDyn<f64>>()
        .map_err(|_| PyTypeError::new_err(format!("{name} should be a float64 numpy array")))?;
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err(format!("{name} should be contiguous")));
    }
    if array.len() != length {
        return Err(wrong_size(name, length, array.len()));
    }
    array
        .try_readwrite()
        .map_err(|_| PyTypeError::new_err(format!("{name} should be writable and not aliased")))
}

/// Whether an array is a view, perhaps of a view, of a model or a state.
fn shows_engine_memory(array: &Bound<'_, PyAny>) -> bool {
    let mut base = array.clone();
    while let Ok(next) = base.getattr("base") {
        base = next;
    }
    base.cast::<Owner>().is_ok()
}

/// Fills an array with a result that is there already.
pub fn fill(value: &Bound<'_, PyAny>, name: &str, result: &[f64]) -> PyResult<()> {
    writable(value, name, result.len())?.as_slice_mut()?.copy_from_slice(result);
    Ok(())
}

/// The slice behind an optional output.
pub fn slot<'a>(output: &'a mut Option<Output<'_>>) -> Option<&'a mut [f64]> {
    output.as_mut().map(Output::slice)
}
