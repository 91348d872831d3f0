//! NumPy arguments: arrays that functions read or fill.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// An array of numbers that a function only reads: a contiguous copy.
pub fn input(value: &Bound<'_, PyAny>, name: &str, length: usize) -> PyResult<Vec<f64>> {
    let numpy = value.py().import("numpy")?;
    let array = numpy.call_method1("ascontiguousarray", (value, "float64"))?;
    let array: PyReadonlyArrayDyn<'_, f64> = array.extract()?;
    let slice = array.as_slice()?;
    if slice.len() != length {
        return Err(wrong_size(name, length, slice.len()));
    }
    Ok(slice.to_vec())
}

/// A small vector that a function only reads.
pub fn vector<const N: usize>(value: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; N]> {
    let values = input(value, name, N)?;
    Ok(std::array::from_fn(|i| values[i]))
}

fn wrong_size(name: &str, expected: usize, found: usize) -> PyErr {
    PyTypeError::new_err(format!("{name} should have {expected} elements, got {found}"))
}

/// An array that a function fills: contiguous, writable, of type float64.
pub struct Output<'py>(PyReadwriteArrayDyn<'py, f64>);

impl<'py> Output<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &str, length: usize) -> PyResult<Self> {
        let array = value
            .cast::<PyArrayDyn<f64>>()
            .map_err(|_| PyTypeError::new_err(format!("{name} should be a float64 numpy array")))?;
        if !array.is_c_contiguous() {
            return Err(PyTypeError::new_err(format!("{name} should be contiguous")));
        }
        if array.len() != length {
            return Err(wrong_size(name, length, array.len()));
        }
        let writable = array
            .try_readwrite()
            .map_err(|_| PyTypeError::new_err(format!("{name} should be writable and not aliased")))?;
        Ok(Self(writable))
    }

    /// `None` stays `None`.
    pub fn optional(value: Option<&Bound<'py, PyAny>>, name: &str, length: usize) -> PyResult<Option<Self>> {
        value.map(|value| Self::new(value, name, length)).transpose()
    }

    pub fn slice(&mut self) -> PyResult<&mut [f64]> {
        Ok(self.0.as_slice_mut()?)
    }
}

/// The slice behind an optional output.
pub fn slot<'a>(output: &'a mut Option<Output<'_>>) -> PyResult<Option<&'a mut [f64]>> {
    output.as_mut().map(Output::slice).transpose()
}
