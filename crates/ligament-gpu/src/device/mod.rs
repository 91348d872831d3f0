//! Worlds on an NVIDIA GPU: the kernels are compiled for the model when it is first used (NVRTC), the state stays in
//! device memory.
#![allow(unsafe_code)] // kernels are launched with raw arguments

mod compile;
mod field;

use crate::accept::{Refused, refuse};
use crate::tables::{Capacity, OwnField, Precision, Tables, Wanted};
use compile::{from_bytes, load, open, padded, size, to_bytes};
use cudarc::driver::{
    CudaFunction, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig,
    PushKernelArg, sys,
};
pub use field::Field;
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
    /// The driver does not know what the compiler makes.
    #[error(
        "the GPU driver is older than the compiler of the kernels (NVRTC {compiler}); update the driver, or install an \
         nvidia-cuda-nvrtc of the driver's version"
    )]
    OldDriver {
        /// Version of the compiler.
        compiler: String,
    },
    /// The worlds need more memory than there is.
    #[error(
        "{worlds} worlds of this model need {needed} MB of GPU memory, {free} MB are free; use fewer worlds"
    )]
    Memory {
        /// Worlds asked for.
        worlds: usize,
        /// Megabytes they need.
        needed: usize,
        /// Megabytes there are.
        free: usize,
    },
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
        field: String,
        /// Its size.
        expected: usize,
        /// Size of the array.
        given: usize,
    },
    /// A field of the model that all worlds share.
    #[error("all worlds share the model's {0}; expand(\"{0}\") gives each its own")]
    NotOwn(String),
    /// A keyframe beyond the model's.
    #[error("the model has {count} keyframes; there is no keyframe {key}")]
    NoKeyframe {
        /// The one asked for.
        key: usize,
        /// How many there are.
        count: usize,
    },
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
    state: [u64; 5],
    inputs: [u64; 3],
    sensordata: u64,
    outcomes: [u64; 4],
    nworld: i32,
    nstep: i32,
    ctrl_steps: i32,
}
// SAFETY: plain numbers in the layout of the kernel's argument.
unsafe impl DeviceRepr for Args {}

struct Kernel {
    module: Arc<CudaModule>,
    steps: CudaFunction,
    fill: CudaFunction,
    /// Of one world.
    shared_bytes: usize,
    /// Worlds of a block, which go through the phases of a step together.
    warps: usize,
    capacity: Capacity,
}

/// What a kernel of the model needs on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelFacts {
    /// Bytes of shared memory a world takes.
    pub shared_bytes: usize,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of a thread's stack.
    pub local_bytes: usize,
    /// Worlds that run at a time on one multiprocessor.
    pub resident: usize,
    /// Bytes of device memory of a world's state and inputs.
    pub state_bytes: usize,
}

/// Worlds of one model on a GPU.
pub struct GpuWorlds {
    model: Model,
    wanted: Wanted,
    tables: Tables,
    precision: Precision,
    count: usize,
    stream: Arc<CudaStream>,
    kernels: Vec<Kernel>,
    /// The kernel that steps begin with: most worlds have room in it.
    first: usize,
    ints: CudaSlice<i32>,
    reals: CudaSlice<u8>,
    own: CudaSlice<u8>,
    /// Where the kernels keep polytopes of convex contacts.
    scratch: CudaSlice<u8>,
    fields: Vec<CudaSlice<u8>>,
    /// Fields that were written or given out.
    touched: Vec<bool>,
    sensordata: CudaSlice<u8>,
    status: CudaSlice<i32>,
    done: CudaSlice<i32>,
    counts: CudaSlice<i32>,
    /// Set by a world that ran out of room.
    overflow: CudaSlice<i32>,
}

impl GpuWorlds {
    /// `count` worlds of a model, all at its initial state.
    ///
    /// # Errors
    /// What the model uses and the kernels lack, or what is missing on this machine.
    pub fn new(model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        let wanted = Wanted::default();
        let tables = Tables::new(model, &wanted)?;
        let stream = open()?.default_stream();
        let count = count.max(1);
        let row: usize = Field::ALL.iter().map(|f| f.width(&tables)).sum();
        let needed = count * (row * size(precision) + 5 * size_of::<i32>());
        let (free, _) = stream.context().mem_get_info()?;
        if needed > free {
            return Err(GpuError::Memory { worlds: count, needed: needed >> 20, free: free >> 20 });
        }
        let mut fields = Vec::new();
        for field in Field::ALL {
            let bytes = count * field.width(&tables) * size(precision);
            fields.push(stream.alloc_zeros::<u8>(bytes.max(16))?);
        }
        let mut worlds = Self {
            model: model.clone(),
            wanted,
            precision,
            count,
            kernels: Vec::new(),
            first: 0,
            ints: stream.clone_htod(&padded(&tables.ints))?,
            reals: stream.clone_htod(&to_bytes(&tables.reals, precision))?,
            own: stream.alloc_zeros(16)?,
            scratch: stream.alloc_zeros(16)?,
            touched: vec![false; fields.len()],
            fields,
            sensordata: stream.alloc_zeros(16)?,
            status: stream.alloc_zeros(count)?,
            done: stream.alloc_zeros(count)?,
            counts: stream.alloc_zeros(2 * count)?,
            overflow: stream.alloc_zeros(1)?,
            tables,
            stream,
        };
        worlds.compile(worlds.tables.capacity)?;
        worlds.reset(None, None)?;
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
        let mut room = self.first;
        loop {
            self.launch(room, steps as i32, 1)?;
            if self.stream.clone_dtoh(&self.overflow)?[0] == 0 {
                return Ok(());
            }
            self.stream.memset_zeros(&mut self.overflow)?;
            let mut status = self.stream.clone_dtoh(&self.status)?;
            let full = status.iter().filter(|s| **s & STATUS_ROOM != 0).count();
            status.iter_mut().for_each(|s| *s &= !STATUS_ROOM);
            self.stream.memcpy_htod(&status, &mut self.status)?;
            if 8 * full > self.count {
                self.first = room + 1;
            }
            room += 1;
            if room == self.kernels.len() {
                self.compile(self.kernels[room - 1].capacity.doubled())?;
            }
        }
    }

    /// Lets the worlds wait for what was asked of another stream of the device so far (its address; 0: the default stream).
    /// All calls here return when their work is done, so that nobody has to wait for them.
    ///
    /// # Safety
    /// `stream` must be the address of a stream of the GPU's primary context.
    ///
    /// # Errors
    /// What the driver reports.
    pub unsafe fn wait_for(&self, stream: u64) -> Result<(), GpuError> {
        // SAFETY: the caller vouches for the address; the wrapper lives for this call only.
        let other = unsafe { self.stream.context().wrap_borrowed_stream(stream as sys::CUstream) };
        Ok(self.stream.join(&other)?)
    }

    fn launch(&mut self, kernel: usize, nstep: i32, ctrl_steps: i32) -> Result<(), GpuError> {
        let at = |slice: &CudaSlice<u8>| slice.device_ptr(&self.stream).0;
        let int = |slice: &CudaSlice<i32>| slice.device_ptr(&self.stream).0;
        let f = |field: Field| at(&self.fields[field as usize]);
        // inputs that nobody has written are zero
        let given = |field: Field| if self.touched[field as usize] { f(field) } else { 0 };
        let args = Args {
            state: [f(Field::Qpos), f(Field::Qvel), f(Field::Act), f(Field::Warmstart), f(Field::Time)],
            inputs: [f(Field::Ctrl), given(Field::QfrcApplied), given(Field::XfrcApplied)],
            sensordata: if self.tables.nsensordata > 0 { at(&self.sensordata) } else { 0 },
            outcomes: [int(&self.status), int(&self.done), int(&self.counts), int(&self.overflow)],
            nworld: self.count as i32,
            nstep,
            ctrl_steps,
        };
        let kernel = &self.kernels[kernel];
        let config = LaunchConfig {
            grid_dim: (self.count.div_ceil(kernel.warps) as u32, 1, 1),
            block_dim: (32 * kernel.warps as u32, 1, 1),
            shared_mem_bytes: (kernel.warps * kernel.shared_bytes) as u32,
        };
        // SAFETY: the argument has the layout of `Args` in step.cu; every pointer is to an array of the size the kernel
        // reads and writes, and lives as long as self; the grid has one warp per world.
        unsafe { self.stream.launch_builder(&kernel.steps).arg(&args).launch(config)? };
        Ok(())
    }

    /// Compiles the kernels with room for contacts.
    fn compile(&mut self, capacity: Capacity) -> Result<(), GpuError> {
        let wanted = Wanted { capacity: Some(capacity), ..self.wanted.clone() };
        let tables = Tables::new(&self.model, &wanted)?;
        let context = self.stream.context();
        let module = load(context, &tables, self.precision, asked_block())?;
        let mut sizes = self.stream.alloc_zeros::<i32>(3)?;
        let size_kernel = module.load_function("ligament_world_bytes")?;
        // SAFETY: the kernel writes three integers to its only argument.
        unsafe {
            self.stream
                .launch_builder(&size_kernel)
                .arg(&mut sizes)
                .launch(LaunchConfig::for_num_elems(1))?;
        }
        let sizes = self.stream.clone_dtoh(&sizes)?;
        let (shared_bytes, warps) = (sizes[0] as usize, sizes[1] as usize);
        self.make_scratch(sizes[2] as usize)?;
        let context = self.stream.context();
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as ROOM;
        let available = context.attribute(ROOM)? as usize;
        if warps * shared_bytes > available {
            return Err(GpuError::TooLarge { needed: shared_bytes, available });
        }
        let steps = module.load_function("ligament_steps")?;
        let fill = module.load_function("ligament_fill")?;
        use sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC;
        steps.set_attribute(DYNAMIC, (warps * shared_bytes) as i32)?;
        self.kernels.push(Kernel { module, steps, fill, shared_bytes, warps, capacity });
        self.tell(self.kernels.len() - 1)
    }

    /// Room for a polytope a world, where the model's contacts need it.
    fn make_scratch(&mut self, bytes: usize) -> Result<(), GpuError> {
        let needed = self.count * bytes;
        if needed > self.scratch.len() {
            let (free, _) = self.stream.context().mem_get_info()?;
            if needed > free {
                return Err(GpuError::Memory { worlds: self.count, needed: needed >> 20, free: free >> 20 });
            }
            // SAFETY: the kernels write what they read of it.
            self.scratch = unsafe { self.stream.alloc(needed)? };
        }
        Ok(())
    }

    /// Tells a kernel where its tables are (`Given` in `world.cuh`).
    fn tell(&self, kernel: usize) -> Result<(), GpuError> {
        let at = |slice: &CudaSlice<u8>| slice.device_ptr(&self.stream).0;
        let f = |field: Field| at(&self.fields[field as usize]);
        let ints = self.ints.device_ptr(&self.stream).0;
        let given = [
            ints,
            at(&self.reals),
            at(&self.own),
            f(Field::MocapPos),
            f(Field::MocapQuat),
            at(&self.scratch),
        ];
        let bytes: Vec<u8> = given.iter().flat_map(|address| address.to_ne_bytes()).collect();
        let mut symbol = self.kernels[kernel].module.get_global("given", &self.stream)?;
        Ok(self.stream.memcpy_htod(&bytes, &mut symbol)?)
    }

    /// Makes tables and kernels again for other wishes; the state stays.
    fn rebuild(&mut self, wanted: Wanted) -> Result<(), GpuError> {
        let capacity = self.kernels[self.first].capacity;
        let tables = Tables::new(&self.model, &wanted)?;
        // others may share this memory: it is not moved once it is there
        if tables.nsensordata != self.tables.nsensordata {
            let bytes = self.count * tables.nsensordata * size(self.precision);
            self.sensordata = self.stream.alloc_zeros(bytes.max(16))?;
        }
        self.ints = self.stream.clone_htod(&padded(&tables.ints))?;
        self.reals = self.stream.clone_htod(&to_bytes(&tables.reals, self.precision))?;
        (self.tables, self.wanted) = (tables, wanted);
        self.kernels.clear();
        self.first = 0;
        self.compile(capacity)
    }

    /// Facts about the kernel that steps begin with.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn facts(&self) -> Result<KernelFacts, GpuError> {
        let kernel = &self.kernels[self.first];
        use sys::CUfunction_attribute_enum as Attribute;
        let ask = |attribute| kernel.steps.get_attribute(attribute).map(|x| x as usize);
        let row: usize = Field::ALL.iter().map(|f| f.width(&self.tables)).sum();
        let numbers = row + self.tables.own.len() + self.tables.nsensordata;
        Ok(KernelFacts {
            shared_bytes: kernel.shared_bytes,
            registers: ask(Attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            local_bytes: ask(Attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            resident: kernel.warps
                * kernel.steps.occupancy_max_active_blocks_per_multiprocessor(
                    32 * kernel.warps as u32,
                    kernel.warps * kernel.shared_bytes,
                    None,
                )? as usize,
            state_bytes: numbers * size(self.precision) + 5 * size_of::<i32>(),
        })
    }

    /// Gives each world numbers of its own for a field of the model (one of [`crate::OWN`]); they start as the model's.
    ///
    /// # Errors
    /// A field that worlds cannot have as their own.
    pub fn expand(&mut self, name: &str) -> Result<(), GpuError> {
        if self.wanted.own.iter().any(|own| own == name) {
            return Ok(());
        }
        let mut wanted = self.wanted.clone();
        wanted.own.push(name.to_string());
        let before = (self.tables.clone(), self.read_own()?);
        self.rebuild(wanted)?;
        let mut rows = self.tables.own.repeat(self.count);
        let (width, old_width) = (self.tables.own.len(), before.0.own.len());
        for field in &before.0.own_fields {
            let to = self.own_field(&field.name)?.start;
            for w in 0..self.count {
                let from = w * old_width + field.start;
                rows[w * width + to..w * width + to + field.len]
                    .copy_from_slice(&before.1[from..from + field.len]);
            }
        }
        self.own = self.stream.clone_htod(&to_bytes(&rows, self.precision))?;
        (0..self.kernels.len()).try_for_each(|kernel| self.tell(kernel))
    }

    fn read_own(&self) -> Result<Vec<f64>, GpuError> {
        let bytes = self.stream.clone_dtoh(&self.own)?;
        let mut rows = from_bytes(&bytes, self.precision);
        rows.truncate(self.count * self.tables.own.len());
        Ok(rows)
    }

    fn own_field(&self, name: &str) -> Result<&OwnField, GpuError> {
        let found = self.tables.own_fields.iter().find(|f| f.name == name);
        found.ok_or_else(|| GpuError::NotOwn(name.to_string()))
    }

    /// The worlds' own numbers of a field, a row a world.
    ///
    /// # Errors
    /// A field that was not expanded.
    pub fn read_expanded(&self, name: &str) -> Result<Vec<f64>, GpuError> {
        let (field, width) = (self.own_field(name)?, self.tables.own.len());
        let rows = self.read_own()?;
        Ok(rows
            .chunks_exact(width)
            .flat_map(|row| row[field.start..field.start + field.len].to_vec())
            .collect())
    }

    /// Sets the worlds' own numbers of a field.
    ///
    /// # Errors
    /// A field that was not expanded, an array of another size.
    pub fn write_expanded(&mut self, name: &str, values: &[f64]) -> Result<(), GpuError> {
        let (field, width) = (self.own_field(name)?.clone(), self.tables.own.len());
        if values.len() != self.count * field.len {
            let (expected, given) = (self.count * field.len, values.len());
            return Err(GpuError::Shape { field: field.name, expected, given });
        }
        let mut rows = self.read_own()?;
        for (row, value) in rows.chunks_exact_mut(width).zip(values.chunks_exact(field.len)) {
            row[field.start..field.start + field.len].copy_from_slice(value);
        }
        self.stream.memcpy_htod(&to_bytes(&rows, self.precision), &mut self.own)?;
        Ok(())
    }

    /// Lets steps compute sensors from now on: those of the last step of a call.
    ///
    /// # Errors
    /// A sensor that the kernels do not have.
    pub fn want_sensors(&mut self) -> Result<(), GpuError> {
        if self.wanted.sensors {
            return Ok(());
        }
        if self.model.nsensor == 0 {
            return Err(refuse::<()>("sensors: the model has none", "").unwrap_err().into());
        }
        let wanted = Wanted { sensors: true, ..self.wanted.clone() };
        if let Some(refused) = Tables::new(&self.model, &wanted)?.unread {
            return Err(refused.into());
        }
        self.rebuild(wanted)
    }

    /// Sensors of the last step, a row a world.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn read_sensors(&self) -> Result<Vec<f64>, GpuError> {
        let bytes = self.stream.clone_dtoh(&self.sensordata)?;
        let mut numbers = from_bytes(&bytes, self.precision);
        numbers.truncate(self.count * self.tables.nsensordata);
        Ok(numbers)
    }

    /// Address of the sensors in device memory, and their columns.
    pub fn sensor_pointer(&self) -> (u64, usize) {
        (self.sensordata.device_ptr(&self.stream).0, self.tables.nsensordata)
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
            return Err(GpuError::Shape { field: field.name().into(), expected, given: values.len() });
        }
        self.touched[field as usize] = true;
        if expected > 0 {
            let mut bytes = to_bytes(values, self.precision);
            bytes.resize(bytes.len().max(16), 0);
            self.stream.memcpy_htod(&bytes, &mut self.fields[field as usize])?;
        }
        Ok(())
    }

    /// Address of a field in device memory, and its columns.
    pub fn pointer(&mut self, field: Field) -> (u64, usize) {
        self.touched[field as usize] = true;
        (self.fields[field as usize].device_ptr(&self.stream).0, field.width(&self.tables))
    }

    /// Puts worlds back to the initial state or to a keyframe: all, or those marked.
    ///
    /// # Errors
    /// Marks for another number of worlds, a keyframe that the model does not have.
    pub fn reset(&mut self, marked: Option<&[bool]>, key: Option<usize>) -> Result<(), GpuError> {
        let Some(marked) = marked else { return self.fill(0, key) };
        if marked.len() != self.count {
            let (expected, given) = (self.count, marked.len());
            return Err(GpuError::Shape { field: "mask".into(), expected, given });
        }
        let bytes: Vec<u8> = marked.iter().map(|&m| u8::from(m)).collect();
        let mask = self.stream.clone_htod(&bytes)?;
        let address = mask.device_ptr(&self.stream).0;
        self.fill(address, key)?;
        self.synchronize()
    }

    /// As [`Self::reset`], with the marks (a byte a world) in device memory.
    ///
    /// # Safety
    /// `mask` must be the address of as many bytes on the device as there are worlds.
    ///
    /// # Errors
    /// A keyframe that the model does not have.
    pub unsafe fn reset_masked(&mut self, mask: u64, key: Option<usize>) -> Result<(), GpuError> {
        self.fill(mask, key)
    }

    /// Writes the numbers of a reset into the rows of marked worlds; `mask` 0: all.
    fn fill(&mut self, mask: u64, key: Option<usize>) -> Result<(), GpuError> {
        if let Some(key) = key.filter(|&k| k >= self.model.nkey) {
            return Err(GpuError::NoKeyframe { key, count: self.model.nkey });
        }
        let fill = self.kernels[0].fill.clone();
        for field in Field::ALL {
            let width = field.width(&self.tables);
            if width == 0 {
                continue;
            }
            let row = to_bytes(&field.at_reset(&self.model, key), self.precision);
            let row = self.stream.clone_htod(&row)?;
            let (count, width) = (self.count as i32, width as i32);
            let config = LaunchConfig::for_num_elems((self.count * width as usize) as u32);
            let target = &mut self.fields[field as usize];
            // SAFETY: the arguments are those of `ligament_fill` in step.cu: the field has count x width numbers, the row
            // width, the mask none or count bytes.
            unsafe {
                self.stream
                    .launch_builder(&fill)
                    .arg(target)
                    .arg(&row)
                    .arg(&mask)
                    .arg(&width)
                    .arg(&count)
                    .launch(config)?;
            }
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

/// Worlds of a block for measurements (`LIGAMENT_GPU_WARPS`); none: as the kernels choose.
fn asked_block() -> Option<usize> {
    let asked = std::env::var("LIGAMENT_GPU_WARPS").ok().and_then(|n| n.parse().ok());
    asked.filter(|n| (1..=16).contains(n))
}
