//! An NVIDIA GPU: the first one, the compiler of its kernels (NVRTC), its memory, and how kernels are launched.

use super::GpuError;
use super::machine::{Args, Device, Fill, Given, Kind, Memory, Program, ProgramFacts, Sizes};
use super::recipe::{Compiler, Recipe};
use crate::SOURCES;
use crate::one_source;
use crate::tables::{Precision, Tables};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig, PushKernelArg, result as driver, sys,
};
use cudarc::nvrtc::{Ptx, result as nvrtc, sys as nvrtc_sys};
use std::ffi::{CStr, CString};
use std::sync::Arc;

pub(super) const CUDA: Kind = Kind { recipe, open };

/// The first GPU.
fn open() -> Result<Box<dyn Device>, GpuError> {
    let context = CudaContext::new(0).map_err(|e| GpuError::Unavailable(because(e.0)))?;
    Ok(Box::new(Cuda(context.default_stream())))
}

fn recipe(tables: &Tables, precision: Precision) -> Result<Recipe, GpuError> {
    Ok(recipe_for(tables, precision, architecture()?))
}

/// For GPUs of an architecture, which need not be there.
pub(super) fn recipe_for(tables: &Tables, precision: Precision, architecture: u32) -> Recipe {
    let options = options(precision, architecture);
    Recipe { source: one_source(SOURCES, &tables.header), options, compiler: &Nvrtc }
}

/// The architecture of the first GPU, 90 for compute capability 9.0. Asking for it takes less time than to open it.
fn architecture() -> Result<u32, GpuError> {
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
        Ok((10 * major? + minor?).unsigned_abs())
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

struct Cuda(Arc<CudaStream>);

impl Device for Cuda {
    fn zeroed(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError> {
        Ok(Box::new(self.0.alloc_zeros::<u8>(bytes.max(16))?))
    }

    fn free_memory(&self) -> Result<usize, GpuError> {
        Ok(self.0.context().mem_get_info()?.0)
    }

    /// Code in the cache that the driver does not take (half a file, say) is made anew.
    fn load(&self, recipe: &Recipe) -> Result<Box<dyn Program>, GpuError> {
        let context = self.0.context();
        let kept = recipe.kept().and_then(|cubin| context.load_module(Ptx::from_binary(cubin)).ok());
        let module = match kept {
            Some(module) => module,
            None => context.load_module(Ptx::from_binary(recipe.compile()?)).map_err(|e| match e.0 {
                // machine code of a newer toolkit than the driver knows
                sys::CUresult::CUDA_ERROR_INVALID_IMAGE
                | sys::CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
                | sys::CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => {
                    GpuError::OldDriver { compiler: version() }
                }
                _ => e.into(),
            })?,
        };
        Ok(Box::new(Kernels::new(&self.0, module)?))
    }

    unsafe fn wait_for(&self, stream: u64) -> Result<(), GpuError> {
        // SAFETY: the caller vouches for the address; the wrapper lives for this call only.
        let other = unsafe { self.0.context().wrap_borrowed_stream(stream as sys::CUstream) };
        Ok(self.0.join(&other)?)
    }

    fn synchronize(&self) -> Result<(), GpuError> {
        Ok(self.0.synchronize()?)
    }
}

impl Memory for CudaSlice<u8> {
    fn address(&self) -> u64 {
        self.device_ptr(self.stream()).0
    }

    fn len(&self) -> usize {
        self.num_bytes()
    }

    fn read(&self) -> Result<Vec<u8>, GpuError> {
        Ok(self.stream().clone_dtoh(self)?)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        if bytes.is_empty() {
            return Ok(()); // the driver refuses empty copies
        }
        let stream = self.stream().clone();
        Ok(stream.memcpy_htod(bytes, self)?)
    }

    fn clear(&mut self) -> Result<(), GpuError> {
        let stream = self.stream().clone();
        Ok(stream.memset_zeros(self)?)
    }
}

// SAFETY: plain numbers in the layout of the kernel's argument.
unsafe impl DeviceRepr for Args {}

/// The kernels of `step.cu`.
struct Kernels {
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    steps: CudaFunction,
    fill: CudaFunction,
    sizes: Sizes,
    /// Of one world; none where it is too large for shared memory.
    shared_bytes: usize,
    /// Worlds of a block, which go through the phases of a step together.
    block: usize,
    /// Threads of a world.
    lanes: usize,
    /// Blocks that run at a time on the device.
    resident: usize,
    /// Do blocks take turns (`ligament_steps` in step.cu), or keep their worlds?
    turns: bool,
}

impl Kernels {
    fn new(stream: &Arc<CudaStream>, module: Arc<CudaModule>) -> Result<Self, GpuError> {
        use sys::CUdevice_attribute_enum::{
            CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as ROOM,
            CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as PROCESSORS,
        };
        use sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC;
        let context = stream.context();
        let [shared_bytes, block, polytope, kept, lanes, world, turns] = world_bytes(stream, &module)?;
        let available = context.attribute(ROOM)? as usize;
        if block * shared_bytes > available {
            return Err(GpuError::TooLarge { needed: shared_bytes, available });
        }
        let steps = module.load_function("ligament_steps")?;
        let fill = module.load_function("ligament_fill")?;
        steps.set_attribute(DYNAMIC, (block * shared_bytes) as i32)?;
        let (stream, sizes, turns) = (stream.clone(), Sizes { polytope, kept, world }, turns > 0);
        let processors = context.attribute(PROCESSORS)? as usize;
        let mut kernels =
            Self { stream, module, steps, fill, sizes, shared_bytes, block, lanes, resident: 0, turns };
        kernels.resident = kernels.blocks_at_a_time()? * processors;
        Ok(kernels)
    }

    /// Blocks that run at a time on one multiprocessor.
    fn blocks_at_a_time(&self) -> Result<usize, GpuError> {
        let (threads, bytes) = ((self.lanes * self.block) as u32, self.block * self.shared_bytes);
        Ok(self.steps.occupancy_max_active_blocks_per_multiprocessor(threads, bytes, None)? as usize)
    }

    /// Turns in which worlds make so many steps, each two thirds of what is left: one where all blocks run at once anyway.
    fn rounds(&self, worlds: usize, steps: i32) -> i32 {
        let waits = self.turns && worlds.div_ceil(self.block) > self.resident;
        let left = std::iter::successors(Some(steps), |left| Some(left / 3));
        if waits { (left.take_while(|&left| left > 0).count() as i32).max(1) } else { 1 }
    }
}

/// The seven numbers that `ligament_world_bytes` in step.cu writes.
fn world_bytes(stream: &Arc<CudaStream>, module: &Arc<CudaModule>) -> Result<[usize; 7], GpuError> {
    let mut sizes = stream.alloc_zeros::<i32>(7)?;
    let kernel = module.load_function("ligament_world_bytes")?;
    // SAFETY: the kernel writes seven integers to its only argument.
    unsafe { stream.launch_builder(&kernel).arg(&mut sizes).launch(LaunchConfig::for_num_elems(1))? };
    let sizes = stream.clone_dtoh(&sizes)?;
    Ok(std::array::from_fn(|k| sizes[k] as usize))
}

impl Program for Kernels {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn tell(&mut self, given: &Given) -> Result<(), GpuError> {
        let bytes: Vec<u8> = given.addresses().iter().flat_map(|address| address.to_ne_bytes()).collect();
        let mut symbol = self.module.get_global("given", &self.stream)?;
        Ok(self.stream.memcpy_htod(&bytes, &mut symbol)?)
    }

    unsafe fn steps(&self, mut args: Args) -> Result<(), GpuError> {
        let worlds = args.nworld as usize;
        args.rounds = self.rounds(worlds, args.nstep);
        let config = LaunchConfig {
            grid_dim: (worlds.div_ceil(self.block) as u32, 1, 1),
            block_dim: ((self.lanes * self.block) as u32, 1, 1),
            shared_mem_bytes: (self.block * self.shared_bytes) as u32,
        };
        // SAFETY: the argument has the layout of `Args` in step.cu, the caller vouches for its addresses; the grid has a
        // place for every world.
        unsafe { self.stream.launch_builder(&self.steps).arg(&args).launch(config)? };
        Ok(())
    }

    unsafe fn fill(&self, f: Fill) -> Result<(), GpuError> {
        let numbers = f.row_bytes / f.number_bytes;
        let (count, width) = (f.count as i32, numbers as i32);
        let config = LaunchConfig::for_num_elems((f.count * numbers) as u32);
        let mut launch = self.stream.launch_builder(&self.fill);
        launch.arg(&f.field).arg(&f.row).arg(&f.mask).arg(&width).arg(&count);
        // SAFETY: the arguments are those of `ligament_fill` in step.cu, the caller vouches for their addresses.
        unsafe { launch.launch(config)? };
        Ok(())
    }

    fn facts(&self) -> Result<ProgramFacts, GpuError> {
        use sys::CUfunction_attribute_enum as Attribute;
        let ask = |attribute| self.steps.get_attribute(attribute).map(|x| x as usize);
        Ok(ProgramFacts {
            shared_bytes: self.shared_bytes,
            registers: ask(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local_bytes: ask(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            resident: self.block * self.blocks_at_a_time()?,
        })
    }
}

/// Is the compiler's library there?
fn nvrtc_is_there() -> bool {
    // SAFETY: only asks whether the library can be loaded.
    unsafe { nvrtc_sys::is_culib_present() }
}

fn options(precision: Precision, architecture: u32) -> Vec<String> {
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
    if !nvrtc_is_there() {
        return String::new();
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: writes two integers.
    let known = unsafe { nvrtc_sys::nvrtcVersion(&raw mut major, &raw mut minor) }.result();
    known.map_or(String::new(), |()| format!("{major}.{minor}"))
}

fn compile(source: &str, options: &[String]) -> Result<Vec<u8>, GpuError> {
    if !nvrtc_is_there() {
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

/// NVIDIA's compiler at run time.
struct Nvrtc;

impl Compiler for Nvrtc {
    fn version(&self) -> String {
        version()
    }

    fn extension(&self) -> &'static str {
        "cubin"
    }

    fn compile(&self, source: &str, options: &[String]) -> Result<Vec<u8>, GpuError> {
        compile(source, options)
    }
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
}
