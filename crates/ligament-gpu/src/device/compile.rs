//! The first GPU, the compiler, and numbers as bytes.

use super::GpuError;
use crate::tables::{Precision, Tables};
use crate::{SOURCES, one_source};
use cudarc::driver::{CudaContext, sys};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use std::sync::Arc;

/// The first GPU.
pub(super) fn open() -> Result<Arc<CudaContext>, GpuError> {
    // SAFETY: only asks whether the driver's library can be loaded.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::Unavailable("the driver's library libcuda is not installed".into()));
    }
    CudaContext::new(0).map_err(|e| GpuError::Unavailable(e.to_string()))
}

pub(super) fn compile(
    tables: &Tables,
    precision: Precision,
    architecture: i32,
    block: Option<usize>,
) -> Result<Ptx, GpuError> {
    // SAFETY: only asks whether the compiler's library can be loaded.
    if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        return Err(GpuError::Compiler("the library libnvrtc is not installed".into()));
    }
    let real = if precision == Precision::F32 { "float" } else { "double" };
    let mut options = vec![
        format!("--gpu-architecture=compute_{architecture}"),
        "--std=c++17".to_string(),
        format!("-DREAL={real}"),
    ];
    if let Some(worlds) = block {
        options.push(format!("-DWARPS={worlds}"));
    }
    if precision == Precision::F32 {
        options.push("--use_fast_math".to_string());
    }
    let options = CompileOptions { options, ..CompileOptions::default() };
    compile_ptx_with_opts(one_source(SOURCES, &tables.header), options)
        .map_err(|e| GpuError::Compiler(e.to_string()))
}

pub(super) fn size(precision: Precision) -> usize {
    if precision == Precision::F32 { 4 } else { 8 }
}

pub(super) fn to_bytes(values: &[f64], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::F32 => values.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
        Precision::F64 => values.iter().flat_map(|x| x.to_ne_bytes()).collect(),
    }
}

pub(super) fn from_bytes(bytes: &[u8], precision: Precision) -> Vec<f64> {
    let (singles, doubles) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<8>().0);
    match precision {
        Precision::F32 => singles.iter().map(|b| f64::from(f32::from_ne_bytes(*b))).collect(),
        Precision::F64 => doubles.iter().map(|b| f64::from_ne_bytes(*b)).collect(),
    }
}

/// The driver refuses empty copies.
pub(super) fn padded(ints: &[i32]) -> Vec<i32> {
    let mut ints = ints.to_vec();
    ints.push(0);
    ints
}
