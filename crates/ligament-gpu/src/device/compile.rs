//! The first GPU, the compiler with its cache on disk, and numbers as bytes.

use super::GpuError;
use crate::tables::{Precision, Tables};
use crate::{SOURCES, one_source};
use cudarc::driver::{CudaContext, CudaModule, DriverError, result as driver, sys};
use cudarc::nvrtc::{Ptx, result as nvrtc, sys as nvrtc_sys};
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

/// The first GPU.
pub(super) fn open() -> Result<Arc<CudaContext>, GpuError> {
    CudaContext::new(0).map_err(|e| GpuError::Unavailable(because(e.0)))
}

/// The architecture of the first GPU, 90 for compute capability 9.0. Asking for it takes less time than to open it.
pub(super) fn architecture() -> Result<i32, GpuError> {
    use sys::CUdevice_attribute_enum::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    // SAFETY: only asks whether the driver's library can be loaded.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::Unavailable("the driver's library libcuda is not installed".into()));
    }
    let ask = || {
        driver::init()?;
        let device = driver::device::get(0)?;
        // SAFETY: the device was just named by the driver.
        let [major, minor] =
            [MAJOR, MINOR].map(|which| unsafe { driver::device::get_attribute(device, which) });
        Ok(10 * major? + minor?)
    };
    ask().map_err(|e: DriverError| GpuError::Unavailable(because(e.0)))
}

/// Why there is no context, in words.
fn because(error: sys::CUresult) -> String {
    use sys::CUresult::{
        CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_NO_DEVICE, CUDA_ERROR_OUT_OF_MEMORY,
        CUDA_ERROR_STUB_LIBRARY, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
    };
    match error {
        CUDA_ERROR_NO_DEVICE => "the driver is installed, but finds no GPU".into(),
        CUDA_ERROR_STUB_LIBRARY => "libcuda is a stub without a driver behind it".into(),
        CUDA_ERROR_SYSTEM_DRIVER_MISMATCH => "libcuda and the kernel's driver have different versions".into(),
        CUDA_ERROR_DEVICE_UNAVAILABLE => "another process has the GPU for itself".into(),
        CUDA_ERROR_OUT_OF_MEMORY => "its memory is taken by other processes".into(),
        other => format!("the driver reports {other:?}"),
    }
}

/// What decides the machine code of a kernel.
pub(super) struct Recipe {
    source: String,
    options: Vec<String>,
}

impl Recipe {
    pub(super) fn new(tables: &Tables, precision: Precision, architecture: i32) -> Self {
        let source = one_source(SOURCES, &tables.header);
        Self { source, options: options(precision, architecture) }
    }

    /// Where the machine code is kept; none without a cache.
    fn file(&self) -> Option<PathBuf> {
        let name = format!("{:032x}.cubin", digest(&self.source, &self.options));
        cache_folder().map(|folder| folder.join(name))
    }

    fn kept(&self) -> Option<Vec<u8>> {
        std::fs::read(self.file()?).ok()
    }

    /// Compiles, and keeps the machine code in the cache.
    fn compile(&self) -> Result<Vec<u8>, GpuError> {
        let cubin = compile(&self.source, &self.options)?;
        if let Some(file) = self.file() {
            keep(&file, &cubin);
        }
        Ok(cubin)
    }

    /// The module on the device. Code in the cache that the driver does not take (half a file, say) is made anew.
    pub(super) fn load(&self, context: &Arc<CudaContext>) -> Result<Arc<CudaModule>, GpuError> {
        let kept = self.kept().and_then(|cubin| context.load_module(Ptx::from_binary(cubin)).ok());
        if let Some(module) = kept {
            return Ok(module);
        }
        context.load_module(Ptx::from_binary(self.compile()?)).map_err(|e| match e.0 {
            // machine code of a newer toolkit than the driver knows
            sys::CUresult::CUDA_ERROR_INVALID_IMAGE
            | sys::CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
            | sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
                GpuError::OldDriver { compiler: version() }
            }
            _ => e.into(),
        })
    }

    /// Compiles in another thread, so that the code is in the cache when it is asked for; none without a cache.
    pub(super) fn prepare(self) -> Option<Preparation> {
        cache_folder()?;
        let thread = std::thread::Builder::new().name("ligament-nvrtc".into());
        Some(Preparation(thread.spawn(move || drop(self.kept().map_or_else(|| self.compile(), Ok))).ok()))
    }
}

/// A compilation at work. It is waited for in the end: a process must not exit in the middle of one.
pub(super) struct Preparation(Option<JoinHandle<()>>);

impl Drop for Preparation {
    fn drop(&mut self) {
        // what went wrong is found again by whoever asks for the code
        let _ = self.0.take().map(JoinHandle::join);
    }
}

fn options(precision: Precision, architecture: i32) -> Vec<String> {
    let real = if precision == Precision::F32 { "float" } else { "double" };
    let mut options = vec![
        format!("--gpu-architecture=sm_{architecture}"),
        "--std=c++17".to_string(),
        format!("-DREAL={real}"),
        // phases of a step are functions of their own, on which the compiler works at the same time
        "--split-compile=0".to_string(),
    ];
    // double precision is for proof: products are rounded before they are added, as on the CPU
    options.push(if precision == Precision::F32 { "--use_fast_math" } else { "--fmad=false" }.to_string());
    // for measurements: -DWARPS=2 and the like
    let asked = std::env::var("LIGAMENT_GPU_OPTIONS").unwrap_or_default();
    options.extend(asked.split_whitespace().map(str::to_string));
    options
}

/// Version of the compiler, as "13.0"; empty where it is not installed.
fn version() -> String {
    // SAFETY: only asks whether the compiler's library can be loaded.
    if !unsafe { nvrtc_sys::is_culib_present() } {
        return String::new();
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: writes two integers.
    let known = unsafe { nvrtc_sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result();
    known.map_or(String::new(), |()| format!("{major}.{minor}"))
}

fn compile(source: &str, options: &[String]) -> Result<Vec<u8>, GpuError> {
    // SAFETY: only asks whether the compiler's library can be loaded.
    if !unsafe { nvrtc_sys::is_culib_present() } {
        return Err(GpuError::Compiler("the library libnvrtc is not installed".into()));
    }
    let failed = |e: nvrtc::NvrtcError| GpuError::Compiler(format!("the compiler reports {:?}", e.0));
    let source = CString::new(source).map_err(|_| GpuError::Compiler("the source has a zero".into()))?;
    let program = nvrtc::create_program(&source, None).map_err(failed)?;
    // SAFETY: the program was just made and is destroyed at the end; the buffer has the size that the compiler names.
    unsafe {
        let compiled = nvrtc::compile_program(program, options).map_err(|_| {
            let log = nvrtc::get_program_log(program).unwrap_or_default();
            let text = (!log.is_empty()).then(|| CStr::from_ptr(log.as_ptr()).to_string_lossy().into_owned());
            GpuError::Compiler(text.unwrap_or_default())
        });
        let cubin = compiled.and_then(|()| {
            let mut size = 0;
            nvrtc_sys::nvrtcGetCUBINSize(program, &raw mut size).result().map_err(failed)?;
            let mut cubin = vec![0u8; size];
            nvrtc_sys::nvrtcGetCUBIN(program, cubin.as_mut_ptr().cast()).result().map_err(failed)?;
            Ok(cubin)
        });
        let _ = nvrtc::destroy_program(program);
        cubin
    }
}

/// Where compiled kernels are kept: `LIGAMENT_CACHE`, else `ligament/kernels` in the user's cache folder. None: nowhere.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("LIGAMENT_CACHE").or_else(|| {
        let home = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
        home.map(|folder| folder.join("ligament").join("kernels"))
    })
}

/// Names the result of a compilation (FNV-1a over all that decides it).
fn digest(source: &str, options: &[String]) -> u128 {
    let version = version();
    let parts = [source, &version, env!("CARGO_PKG_VERSION")];
    let bytes =
        parts.into_iter().chain(options.iter().map(String::as_str)).flat_map(|p| p.bytes().chain([0]));
    let (start, prime) = (0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, 0x0100_0000_0000_0000_0000_013b);
    bytes.fold(start, |hash: u128, byte| (hash ^ u128::from(byte)).wrapping_mul(prime))
}

/// Writes a file as a whole; a cache that cannot be written is done without.
fn keep(file: &Path, cubin: &[u8]) {
    let Some(folder) = file.parent() else { return };
    let part = file.with_extension(format!("{}.part", std::process::id()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&part, cubin));
    if written.and_then(|()| std::fs::rename(&part, file)).is_err() {
        let _ = std::fs::remove_file(&part);
    }
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

/// The driver refuses empty copies; lanes read lists up to their number beyond the end.
pub(super) fn padded(ints: &[i32]) -> Vec<i32> {
    let mut ints = ints.to_vec();
    ints.resize(ints.len() + 128, 0);
    ints
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::CUresult::{CUDA_ERROR_NO_DEVICE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_UNKNOWN};

    /// F11.3: whatever is missing, the user reads one sentence that says it and what to do.
    #[test]
    fn what_is_missing_is_one_sentence() {
        let unavailable = |error| GpuError::Unavailable(because(error)).to_string();
        let errors = [
            unavailable(CUDA_ERROR_NO_DEVICE),
            unavailable(CUDA_ERROR_OUT_OF_MEMORY),
            unavailable(CUDA_ERROR_UNKNOWN),
            GpuError::OldDriver { compiler: "13.4".into() }.to_string(),
            GpuError::Memory { worlds: 1 << 20, needed: 900_000, free: 140_000 }.to_string(),
            GpuError::Compiler("the library libnvrtc is not installed".into()).to_string(),
        ];
        for error in &errors {
            assert!(!error.contains('\n') && !error.contains(". ") && error.contains("; "), "{error}");
        }
        assert!(
            errors[0].contains("finds no GPU") && errors[0].ends_with("use device=\"cpu\""),
            "{}",
            errors[0]
        );
        assert!(errors[3].contains("older than the compiler"), "{}", errors[3]);
        assert!(errors[4].contains("900000 MB") && errors[4].contains("140000 MB"), "{}", errors[4]);
    }

    /// Kernels are found again by all that decides them.
    #[test]
    fn compiled_kernels_are_kept_by_what_decides_them() {
        let name = digest("source", &options(Precision::F32, 90));
        assert_eq!(name, digest("source", &options(Precision::F32, 90)));
        assert_ne!(name, digest("sourcf", &options(Precision::F32, 90)));
        assert_ne!(name, digest("source", &options(Precision::F64, 90)));
        assert_ne!(name, digest("source", &options(Precision::F32, 100)));
        let file =
            std::env::temp_dir().join(format!("ligament-{}-{name:x}", std::process::id())).join("k.cubin");
        keep(&file, b"machine code");
        assert_eq!(std::fs::read(&file).unwrap(), b"machine code");
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}
