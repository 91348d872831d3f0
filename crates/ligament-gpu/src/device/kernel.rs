//! Kernels of a model: how they are made, told where their tables are, and launched.

use super::compile::{Preparation, Recipe, architecture, padded, size, to_bytes};
use super::{Field, GpuError, GpuWorlds};
use crate::tables::{Capacity, Precision, Tables, Wanted};
use cudarc::driver::{
    CudaFunction, CudaModule, CudaSlice, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg, sys,
};
use ligament_model::Model;
use std::sync::Arc;

/// As `Args` in `step.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Args {
    state: [u64; 5],
    inputs: [u64; 3],
    sensordata: u64,
    outcomes: [u64; 4],
    turns: u64,
    nworld: i32,
    nstep: i32,
    rounds: i32,
    end: i32,
}
// SAFETY: plain numbers in the layout of the kernel's argument.
unsafe impl DeviceRepr for Args {}

pub(super) struct Kernel {
    module: Arc<CudaModule>,
    steps: CudaFunction,
    pub(super) fill: CudaFunction,
    /// Of one world; none where it is too large for shared memory.
    shared_bytes: usize,
    /// Device memory of such a world.
    device_bytes: usize,
    /// Worlds of a block, which go through the phases of a step together.
    block: usize,
    /// Threads of a world.
    lanes: usize,
    /// Blocks that run at a time on the device.
    resident: usize,
    /// Do blocks take turns (`ligament_steps` in step.cu), or keep their worlds?
    turns: bool,
    pub(super) room: Room,
}

impl Kernel {
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

/// What a kernel has for the contacts of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) capacity: Capacity,
    /// Without the algorithms for general convex shapes: smaller, sooner compiled, faster.
    pub(super) plain: bool,
}

impl Room {
    /// What a world is given next that had not enough.
    pub(super) fn more(self) -> Self {
        if self.plain {
            Self { plain: false, ..self }
        } else {
            Self { capacity: self.capacity.doubled(), ..self }
        }
    }
}

/// What a kernel of the model needs on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelFacts {
    /// Bytes of shared memory a world takes; none where it is too large for it and is stepped in device memory.
    pub shared_bytes: usize,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of a thread's stack.
    pub local_bytes: usize,
    /// Worlds that run at a time on one multiprocessor.
    pub resident: usize,
    /// Bytes of device memory of a world's state and inputs, and of a world that is too large for shared memory.
    pub state_bytes: usize,
}

impl GpuWorlds {
    pub(super) fn launch(&mut self, kernel: usize, nstep: i32) -> Result<(), GpuError> {
        let rounds = self.kernels[kernel].rounds(self.count, nstep);
        self.stream.memset_zeros(&mut self.turns)?;
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
            turns: int(&self.turns),
            nworld: self.count as i32,
            nstep,
            rounds,
            end: 0,
        };
        let kernel = &self.kernels[kernel];
        let config = LaunchConfig {
            grid_dim: (self.count.div_ceil(kernel.block) as u32, 1, 1),
            block_dim: ((kernel.lanes * kernel.block) as u32, 1, 1),
            shared_mem_bytes: (kernel.block * kernel.shared_bytes) as u32,
        };
        // SAFETY: the argument has the layout of `Args` in step.cu; every pointer is to an array of the size the kernel
        // reads and writes, and lives as long as self; the grid has a place for every world.
        unsafe { self.stream.launch_builder(&kernel.steps).arg(&args).launch(config)? };
        Ok(())
    }

    /// Compiles the first kernel. Where it is a plain one, the next is compiled while worlds take their first steps: two compilations at
    /// once take as long as one after the other.
    pub(super) fn begin(&mut self, capacity: Capacity) -> Result<(), GpuError> {
        (self.first, self.misses, self.next) = (0, 0, None);
        self.kernels.clear();
        let room = Room { capacity, plain: self.tables.has_general };
        self.compile(room)?;
        if room.plain {
            self.next = self.recipe(room.more())?.prepare();
        }
        Ok(())
    }

    /// Compiles the first kernel of a model while its worlds are made.
    pub(super) fn prepare(
        model: &Model,
        tables: &Tables,
        precision: Precision,
    ) -> Result<Option<Preparation>, GpuError> {
        let architecture = architecture()?;
        let plain = Wanted { plain: tables.has_general, ..Wanted::default() };
        Ok(Recipe::new(&Tables::new(model, &plain)?, precision, architecture).prepare())
    }

    pub(super) fn recipe(&self, room: Room) -> Result<Recipe, GpuError> {
        let wanted = Wanted { capacity: Some(room.capacity), plain: room.plain, ..self.wanted.clone() };
        let tables = Tables::new(&self.model, &wanted)?;
        Ok(Recipe::new(&tables, self.precision, architecture()?))
    }

    /// Compiles the kernels with room for contacts.
    pub(super) fn compile(&mut self, room: Room) -> Result<(), GpuError> {
        if !room.plain {
            self.next = None; // is done
        }
        let module = self.recipe(room)?.load(self.stream.context())?;
        let mut sizes = self.stream.alloc_zeros::<i32>(7)?;
        let size_kernel = module.load_function("ligament_world_bytes")?;
        // SAFETY: the kernel writes seven integers to its only argument.
        unsafe {
            self.stream
                .launch_builder(&size_kernel)
                .arg(&mut sizes)
                .launch(LaunchConfig::for_num_elems(1))?;
        }
        let sizes = self.stream.clone_dtoh(&sizes)?;
        let [shared_bytes, block, polytope, kept, lanes, device_bytes, turns] =
            std::array::from_fn(|k| sizes[k] as usize);
        self.make_room(polytope, kept, device_bytes)?;
        let context = self.stream.context();
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN as ROOM;
        let available = context.attribute(ROOM)? as usize;
        if block * shared_bytes > available {
            return Err(GpuError::TooLarge { needed: shared_bytes, available });
        }
        let steps = module.load_function("ligament_steps")?;
        let fill = module.load_function("ligament_fill")?;
        use sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as DYNAMIC;
        steps.set_attribute(DYNAMIC, (block * shared_bytes) as i32)?;
        let mut kernel = Kernel {
            module,
            steps,
            fill,
            shared_bytes,
            device_bytes,
            block,
            lanes,
            resident: 0,
            turns: turns > 0,
            room,
        };
        use sys::CUdevice_attribute_enum::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as PROCESSORS;
        kernel.resident = kernel.blocks_at_a_time()? * context.attribute(PROCESSORS)? as usize;
        self.kernels.push(kernel);
        // memory that grew has moved
        (0..self.kernels.len()).try_for_each(|kernel| self.tell(kernel))
    }

    /// Room in device memory for each world: for a polytope and for what it keeps, where its contacts need them, and for the world
    /// itself, where shared memory is too small.
    fn make_room(&mut self, polytope: usize, kept: usize, world: usize) -> Result<(), GpuError> {
        let (stream, count) = (&self.stream, self.count);
        let rooms = [(&mut self.scratch, polytope), (&mut self.kept, kept), (&mut self.worlds, world)];
        for (room, bytes) in rooms.into_iter().filter(|(room, bytes)| count * bytes > room.len()) {
            let (needed, free) = (count * bytes, stream.context().mem_get_info()?.0);
            if needed > free {
                return Err(GpuError::Memory { worlds: count, needed: needed >> 20, free: free >> 20 });
            }
            *room = stream.alloc_zeros(needed)?;
        }
        Ok(())
    }

    /// Tells a kernel where its tables are (`Given` in `world.cuh`).
    pub(super) fn tell(&self, kernel: usize) -> Result<(), GpuError> {
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
            f(Field::History),
            at(&self.kept),
            at(&self.worlds),
        ];
        let bytes: Vec<u8> = given.iter().flat_map(|address| address.to_ne_bytes()).collect();
        let mut symbol = self.kernels[kernel].module.get_global("given", &self.stream)?;
        Ok(self.stream.memcpy_htod(&bytes, &mut symbol)?)
    }

    /// Makes tables and kernels again for other wishes; the state stays.
    pub(super) fn rebuild(&mut self, wanted: Wanted) -> Result<(), GpuError> {
        let capacity = self.kernels[self.first].room.capacity;
        let tables = Tables::new(&self.model, &wanted)?;
        // others may share this memory: it is not moved once it is there
        if tables.nsensordata != self.tables.nsensordata {
            let bytes = self.count * tables.nsensordata * size(self.precision);
            self.sensordata = self.stream.alloc_zeros(bytes.max(16))?;
        }
        self.ints = self.stream.clone_htod(&padded(&tables.ints))?;
        self.reals = self.stream.clone_htod(&to_bytes(&tables.reals, self.precision))?;
        // what worlds have kept was right for what they had
        self.stream.memset_zeros(&mut self.kept)?;
        (self.tables, self.wanted) = (tables, wanted);
        self.begin(capacity)
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
            resident: kernel.block * kernel.blocks_at_a_time()?,
            state_bytes: numbers * size(self.precision) + 5 * size_of::<i32>() + kernel.device_bytes,
        })
    }
}
