//! Worlds on an NVIDIA GPU: the kernels are compiled for the model when it is first used (NVRTC), the state stays in
//! device memory.
#![allow(unsafe_code)] // kernels are launched with raw arguments

use crate::accept::Refused;
use crate::tables::{Capacity, Precision, Tables};
use crate::{SOURCES, one_source};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig,
    PushKernelArg, sys,
};
use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};
use ligament_model::Model;
use std::sync::Arc;

/// What can go wrong with a GPU.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// The model uses something the kernels do not have.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// There is no GPU to run on.
    #[error("no NVIDIA GPU can be used: {0}; use device=\"cpu\"")]
    Unavailable(String),
    /// The compiler for the kernels is missing.
    #[error("the kernels cannot be compiled: {0}; pip install 'ligament[cuda]' brings the compiler (NVRTC)")]
    Compiler(String),
    /// A call of the driver failed.
    #[error("the GPU driver reports: {0}")]
    Driver(#[from] DriverError),
    /// A world does not fit.
    #[error("a world of this model needs {needed} bytes of shared memory, the GPU has {available}")]
    TooLarge {
        /// Bytes of one world.
        needed: usize,
        /// Bytes a block may use.
        available: usize,
    },
    /// An array has another size than its field.
    #[error("{field} has {expected} numbers, {given} were given")]
    Shape {
        /// Name of the field.
        field: &'static str,
        /// Its size.
        expected: usize,
        /// Size of the array.
        given: usize,
    },
}

/// Arrays of the state and of the inputs, a row a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Configuration.
    Qpos,
    /// Velocity.
    Qvel,
    /// Activations.
    Act,
    /// Acceleration the solver starts from.
    Warmstart,
    /// Simulated time.
    Time,
    /// Controls.
    Ctrl,
    /// Generalised forces from outside.
    QfrcApplied,
    /// Forces and torques on bodies from outside.
    XfrcApplied,
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 8] = [
        Self::Qpos,
        Self::Qvel,
        Self::Act,
        Self::Warmstart,
        Self::Time,
        Self::Ctrl,
        Self::QfrcApplied,
        Self::XfrcApplied,
    ];

    /// Its name, as on the CPU.
    pub fn name(self) -> &'static str {
        match self {
            Self::Qpos => "qpos",
            Self::Qvel => "qvel",
            Self::Act => "act",
            Self::Warmstart => "qacc_warmstart",
            Self::Time => "time",
            Self::Ctrl => "ctrl",
            Self::QfrcApplied => "qfrc_applied",
            Self::XfrcApplied => "xfrc_applied",
        }
    }

    fn width(self, t: &Tables) -> usize {
        match self {
            Self::Qpos => t.nq,
            Self::Qvel | Self::Warmstart | Self::QfrcApplied => t.nv,
            Self::Act => t.na,
            Self::Time => 1,
            Self::Ctrl => t.nu,
            Self::XfrcApplied => 6 * t.nbody,
        }
    }
}

/// What became of a world since it was last asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorldStatus {
    /// Numbers were not finite or beyond all bounds; the world was reset.
    pub bad: bool,
}

const STATUS_ROOM: i32 = 1;
const STATUS_BAD: i32 = 2;

/// As `Args` in `step.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Args {
    tables: [u64; 3],
    state: [u64; 5],
    inputs: [u64; 3],
    outcomes: [u64; 3],
    nworld: i32,
    nstep: i32,
    ctrl_steps: i32,
}
// SAFETY: plain numbers in the layout of the kernel's argument.
unsafe impl DeviceRepr for Args {}

struct Kernel {
    function: CudaFunction,
    shared_bytes: usize,
    capacity: Capacity,
}

/// Worlds of one model on a GPU.
pub struct GpuWorlds {
    model: Model,
    tables: Tables,
    precision: Precision,
    count: usize,
    stream: Arc<CudaStream>,
    kernels: Vec<Kernel>,
    ints: CudaSlice<i32>,
    reals: CudaSlice<u8>,
    fields: Vec<CudaSlice<u8>>,
    status: CudaSlice<i32>,
    done: CudaSlice<i32>,
    counts: CudaSlice<i32>,
}

impl GpuWorlds {
    /// `count` worlds of a model, all at its initial state.
    ///
    /// # Errors
    /// What the model uses and the kernels lack, or what is missing on this machine.
    pub fn new(model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        let tables = Tables::new(model, None)?;
        let stream = open()?.default_stream();
        let count = count.max(1);
        let ints = stream.clone_htod(&padded(&tables.ints))?;
        let reals = stream.clone_htod(&to_bytes(&tables.reals, precision))?;
        let mut fields = Vec::new();
        for field in Field::ALL {
            let bytes = count * field.width(&tables) * size(precision);
            fields.push(stream.alloc_zeros::<u8>(bytes.max(16))?);
        }
        let status = stream.alloc_zeros(count)?;
        let done = stream.alloc_zeros(count)?;
        let counts = stream.alloc_zeros(2 * count)?;
        let mut worlds = Self {
            model: model.clone(),
            tables,
            precision,
            count,
            stream,
            kernels: Vec::new(),
            ints,
            reals,
            fields,
            status,
            done,
            counts,
        };
        worlds.compile(worlds.tables.capacity)?;
        worlds.reset(None)?;
        Ok(worlds)
    }

    /// Number of worlds.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Never: there is always a world.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Precision of the numbers.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Makes steps of all worlds with the controls they have. A world that runs out of room is stepped again with more.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn step(&mut self, steps: usize) -> Result<(), GpuError> {
        self.stream.memset_zeros(&mut self.done)?;
        let mut room = 0;
        loop {
            self.launch(room, steps as i32, 1)?;
            let mut status = self.stream.clone_dtoh(&self.status)?;
            if status.iter().all(|s| s & STATUS_ROOM == 0) {
                return Ok(());
            }
            status.iter_mut().for_each(|s| *s &= !STATUS_ROOM);
            self.stream.memcpy_htod(&status, &mut self.status)?;
            room += 1;
            if room == self.kernels.len() {
                self.compile(self.kernels[room - 1].capacity.doubled())?;
            }
        }
    }

    fn launch(&mut self, kernel: usize, nstep: i32, ctrl_steps: i32) -> Result<(), GpuError> {
        let at = |slice: &CudaSlice<u8>| slice.device_ptr(&self.stream).0;
        let f = |field: Field| at(&self.fields[field as usize]);
        let args = Args {
            tables: [self.ints.device_ptr(&self.stream).0, at(&self.reals), at(&self.reals)],
            state: [f(Field::Qpos), f(Field::Qvel), f(Field::Act), f(Field::Warmstart), f(Field::Time)],
            inputs: [f(Field::Ctrl), f(Field::QfrcApplied), f(Field::XfrcApplied)],
            outcomes: [
                self.status.device_ptr(&self.stream).0,
                self.done.device_ptr(&self.stream).0,
                self.counts.device_ptr(&self.stream).0,
            ],
            nworld: self.count as i32,
            nstep,
            ctrl_steps,
        };
        let kernel = &self.kernels[kernel];
        let config = LaunchConfig {
            grid_dim: (self.count as u32, 1, 1),
            block_dim: (32, 1, 1),
            shared_mem_bytes: kernel.shared_bytes as u32,
        };
        // SAFETY: the argument has the layout of `Args` in step.cu; every pointer is to an array of the size the kernel
        // reads and writes, and lives as long as self; the grid has one block per world.
        unsafe { self.stream.launch_builder(&kernel.function).arg(&args).launch(config)? };
        Ok(())
    }

    /// Compiles the kernels with room for contacts.
    fn compile(&mut self, capacity: Capacity) -> Result<(), GpuError> {
        let tables = Tables::new(&self.model, Some(capacity))?;
        let context = self.stream.context();
        let (major, minor) = context.compute_capability()?;
        let ptx = compile(&tables, self.precision, major * 10 + minor)?;
        let module = context.load_module(ptx)?;
        let mut bytes = self.stream.alloc_zeros::<i32>(1)?;
        let size_kernel = module.load_function("ligament_world_bytes")?;
        // SAFETY: the kernel writes one integer to its only argument.
        unsafe {
            self.stream
                .launch_builder(&size_kernel)
                .arg(&mut bytes)
                .launch(LaunchConfig::for_num_elems(1))?;
        }
        let shared_bytes = self.stream.clone_dtoh(&bytes)?[0] as usize;
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as ROOM;
        let available = context.attribute(ROOM)? as usize;
        if shared_bytes > available {
            return Err(GpuError::TooLarge { needed: shared_bytes, available });
        }
        let function = module.load_function("ligament_steps")?;
        use sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC;
        function.set_attribute(DYNAMIC, shared_bytes as i32)?;
        self.kernels.push(Kernel { function, shared_bytes, capacity });
        Ok(())
    }

    /// Numbers of a field, a row a world.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn read(&self, field: Field) -> Result<Vec<f64>, GpuError> {
        let bytes = self.stream.clone_dtoh(&self.fields[field as usize])?;
        let mut numbers = from_bytes(&bytes, self.precision);
        numbers.truncate(self.count * field.width(&self.tables));
        Ok(numbers)
    }

    /// Sets all numbers of a field.
    ///
    /// # Errors
    /// An array of another size.
    pub fn write(&mut self, field: Field, values: &[f64]) -> Result<(), GpuError> {
        let expected = self.count * field.width(&self.tables);
        if values.len() != expected {
            return Err(GpuError::Shape { field: field.name(), expected, given: values.len() });
        }
        if expected > 0 {
            let mut bytes = to_bytes(values, self.precision);
            bytes.resize(bytes.len().max(16), 0);
            self.stream.memcpy_htod(&bytes, &mut self.fields[field as usize])?;
        }
        Ok(())
    }

    /// Address of a field in device memory, and its columns.
    pub fn pointer(&self, field: Field) -> (u64, usize) {
        (self.fields[field as usize].device_ptr(&self.stream).0, field.width(&self.tables))
    }

    /// Puts worlds back to the initial state: all, or those marked.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn reset(&mut self, marked: Option<&[bool]>) -> Result<(), GpuError> {
        let chosen = |w: usize| marked.is_none_or(|m| m.get(w).copied().unwrap_or(false));
        let qpos0 = self.model.qpos0.to_vec();
        for field in Field::ALL {
            let width = field.width(&self.tables);
            let mut values = if marked.is_some() { self.read(field)? } else { vec![0.0; self.count * width] };
            for w in (0..self.count).filter(|&w| chosen(w)) {
                let row = &mut values[w * width..(w + 1) * width];
                if field == Field::Qpos { row.copy_from_slice(&qpos0) } else { row.fill(0.0) }
            }
            self.write(field, &values)?;
        }
        Ok(())
    }

    /// What became of the worlds since this was last called.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_status(&mut self) -> Result<Vec<WorldStatus>, GpuError> {
        let status = self.stream.clone_dtoh(&self.status)?;
        self.stream.memset_zeros(&mut self.status)?;
        Ok(status.iter().map(|s| WorldStatus { bad: s & STATUS_BAD != 0 }).collect())
    }

    /// Contacts and solver iterations of each world since this was last called.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_counts(&mut self) -> Result<Vec<[i32; 2]>, GpuError> {
        let counts = self.stream.clone_dtoh(&self.counts)?;
        self.stream.memset_zeros(&mut self.counts)?;
        Ok(counts.chunks_exact(2).map(|c| [c[0], c[1]]).collect())
    }

    /// Waits until everything asked for is done.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        Ok(self.stream.synchronize()?)
    }
}

/// The first GPU.
fn open() -> Result<Arc<CudaContext>, GpuError> {
    // SAFETY: only asks whether the driver's library can be loaded.
    if !unsafe { sys::is_culib_present() } {
        return Err(GpuError::Unavailable("the driver's library libcuda is not installed".into()));
    }
    CudaContext::new(0).map_err(|e| GpuError::Unavailable(e.to_string()))
}

fn compile(tables: &Tables, precision: Precision, architecture: i32) -> Result<Ptx, GpuError> {
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
    if precision == Precision::F32 {
        options.push("--use_fast_math".to_string());
    }
    let options = CompileOptions { options, ..CompileOptions::default() };
    compile_ptx_with_opts(one_source(SOURCES, &tables.header), options)
        .map_err(|e| GpuError::Compiler(e.to_string()))
}

fn size(precision: Precision) -> usize {
    if precision == Precision::F32 { 4 } else { 8 }
}

fn to_bytes(values: &[f64], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::F32 => values.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
        Precision::F64 => values.iter().flat_map(|x| x.to_ne_bytes()).collect(),
    }
}

fn from_bytes(bytes: &[u8], precision: Precision) -> Vec<f64> {
    let (singles, doubles) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<8>().0);
    match precision {
        Precision::F32 => singles.iter().map(|b| f64::from(f32::from_ne_bytes(*b))).collect(),
        Precision::F64 => doubles.iter().map(|b| f64::from_ne_bytes(*b)).collect(),
    }
}

/// The driver refuses empty copies.
fn padded(ints: &[i32]) -> Vec<i32> {
    let mut ints = ints.to_vec();
    ints.push(0);
    ints
}
