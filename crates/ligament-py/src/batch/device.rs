//! Batches on a device.
#![allow(unsafe_code)] // addresses on the device come from the package, which has checked them

use ligament_batch::{BatchError, Device, DeviceWorlds, Precision, compile_ahead};
use ligament_model::Model;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn precision(double: bool) -> Precision {
    if double { Precision::F64 } else { Precision::F32 }
}

/// The device that Python calls so.
pub(super) fn named(name: &str, double: bool) -> PyResult<Device> {
    let precision = precision(double);
    match name {
        "cpu" => Ok(Device::Cpu),
        "cuda" => Ok(Device::Cuda(precision)),
        "emulated" => Ok(Device::Emulated(precision)),
        _ => Err(PyValueError::new_err(format!("no device is called {name:?}"))),
    }
}

pub(super) fn wait_for(device: &mut DeviceWorlds<'_>, stream: u64) -> Result<(), BatchError> {
    // SAFETY: the package documents that the number is the address of a stream, as the array libraries give it.
    unsafe { device.wait_for(stream) }
}

pub(super) fn reset_masked(
    device: &mut DeviceWorlds<'_>,
    mask: u64,
    key: Option<usize>,
) -> Result<(), BatchError> {
    // SAFETY: the package passes the address of an array on a GPU with a byte a world; any other is an error of the driver.
    unsafe { device.reset_masked(mask, key) }
}

/// Bytes of the machine code of each kernel.
pub(super) fn compile_kernels(
    model: &Model,
    architecture: u32,
    double: bool,
    results: &[String],
) -> Result<Vec<usize>, BatchError> {
    let results: Vec<&str> = results.iter().map(String::as_str).collect();
    let kernels = compile_ahead(model, precision(double), architecture, &results)?;
    Ok(kernels.iter().map(Vec::len).collect())
}
