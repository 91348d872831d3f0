//! Worlds on a GPU, for `ligament/_cuda.py`.
#![allow(unsafe_code)] // addresses on the device come from the package, which has checked them

use crate::model::PyModel;
use ligament_gpu::Precision;
use ligament_gpu::device::{Field, GpuError, GpuWorlds};
use ligament_py_macros::entries;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Native part of `CudaBatch`. Calls are serialised.
#[pyclass(frozen, module = "ligament._core", name = "_GpuWorlds")]
pub struct PyGpuWorlds(Mutex<GpuWorlds>);

fn refused(error: GpuError) -> PyErr {
    match error {
        GpuError::Refused(_)
        | GpuError::Shape { .. }
        | GpuError::TooLarge { .. }
        | GpuError::NotOwn(_)
        | GpuError::NoKeyframe { .. } => PyValueError::new_err(error.to_string()),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

fn field(name: &str) -> PyResult<Field> {
    let found = Field::ALL.into_iter().find(|f| f.name() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("a batch on the GPU has no field {name}")))
}

/// Marks of worlds: `bytes`, an array of bools or of bytes, or a list of bools.
fn marks(given: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    if let Ok(bytes) = given.extract::<&[u8]>() {
        return Ok(bytes.iter().map(|&mark| mark != 0).collect());
    }
    if let Ok(array) = given.extract::<PyReadonlyArray1<'_, bool>>() {
        return Ok(array.as_array().to_vec());
    }
    if let Ok(array) = given.extract::<PyReadonlyArray1<'_, u8>>() {
        return Ok(array.as_array().iter().map(|&mark| mark != 0).collect());
    }
    given.extract()
}

impl PyGpuWorlds {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut GpuWorlds) -> Result<T, GpuError> + Send,
    ) -> PyResult<T> {
        py.detach(|| call(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))).map_err(refused)
    }
}

#[entries]
impl PyGpuWorlds {
    /// On a GPU, or (for tests) on this machine's processor.
    #[new]
    #[pyo3(signature = (model, count, double, emulated=false))]
    fn py_new(py: Python<'_>, model: &PyModel, count: usize, double: bool, emulated: bool) -> PyResult<Self> {
        let model = model.read()?.clone();
        let precision = if double { Precision::F64 } else { Precision::F32 };
        let make = if emulated { GpuWorlds::emulated } else { GpuWorlds::new };
        let worlds = py.detach(|| make(&model, count, precision)).map_err(refused)?;
        Ok(Self(Mutex::new(worlds)))
    }

    /// Steps all worlds, or those marked (`bytes`, a byte a world, or an array of bools).
    #[pyo3(signature = (steps, marked=None))]
    fn step(&self, py: Python<'_>, steps: usize, marked: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let marked = marked.map(marks).transpose()?;
        self.with(py, |worlds| worlds.step_marked(steps, marked.as_deref()))
    }

    /// Waits for another stream of the device.
    fn wait_for(&self, py: Python<'_>, stream: u64) -> PyResult<()> {
        // SAFETY: the package documents that the number is the address of a stream, as the array libraries give it.
        self.with(py, |worlds| unsafe { worlds.wait_for(stream) })
    }

    fn expand(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.with(py, |worlds| worlds.expand(name))
    }

    fn read_expanded<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |worlds| worlds.read_expanded(name))?))
    }

    fn write_expanded(&self, py: Python<'_>, name: &str, values: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let values = values.as_slice()?.to_vec();
        self.with(py, |worlds| worlds.write_expanded(name, &values))
    }

    /// Lets steps compute sensors; their address and columns.
    fn sensors(&self, py: Python<'_>) -> PyResult<(u64, usize)> {
        self.with(py, |worlds| {
            worlds.want_sensors()?;
            Ok(worlds.sensor_pointer())
        })
    }

    fn read_sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |worlds| worlds.read_sensors())?))
    }

    /// Shared memory of a world, registers and stack of a thread, worlds at a time, device memory of a world.
    fn facts(&self, py: Python<'_>) -> PyResult<[usize; 5]> {
        let f = self.with(py, |worlds| worlds.facts())?;
        Ok([f.shared_bytes, f.registers, f.local_bytes, f.resident, f.state_bytes])
    }

    /// Contacts and solver iterations of each world since the last call.
    fn take_counts(&self, py: Python<'_>) -> PyResult<Vec<[i32; 2]>> {
        self.with(py, |worlds| worlds.take_counts())
    }

    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let field = field(name)?;
        Ok(PyArray1::from_vec(py, self.with(py, |worlds| worlds.read(field))?))
    }

    fn write(&self, py: Python<'_>, name: &str, values: PyReadonlyArray1<'_, f64>) -> PyResult<()> {
        let (field, values) = (field(name)?, values.as_slice()?.to_vec());
        self.with(py, |worlds| worlds.write(field, &values))
    }

    /// Address in device memory, and columns.
    fn pointer(&self, py: Python<'_>, name: &str) -> PyResult<(u64, usize)> {
        let field = field(name)?;
        self.with(py, |worlds| Ok(worlds.pointer(field)))
    }

    #[pyo3(signature = (marked=None, key=None))]
    fn reset(&self, py: Python<'_>, marked: Option<&Bound<'_, PyAny>>, key: Option<usize>) -> PyResult<()> {
        let marked = marked.map(marks).transpose()?;
        self.with(py, |worlds| worlds.reset(marked.as_deref(), key))
    }

    /// Resets the worlds marked by bytes in device memory.
    #[pyo3(signature = (mask, key=None))]
    fn reset_masked(&self, py: Python<'_>, mask: u64, key: Option<usize>) -> PyResult<()> {
        // SAFETY: the package passes the address of an array on the device with a byte a world.
        self.with(py, |worlds| unsafe { worlds.reset_masked(mask, key) })
    }

    /// Which worlds had numbers that were not finite.
    fn take_status(&self, py: Python<'_>) -> PyResult<Vec<bool>> {
        self.with(py, |worlds| Ok(worlds.take_status()?.iter().map(|s| s.bad).collect()))
    }

    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |worlds| worlds.synchronize())
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGpuWorlds>()
}
