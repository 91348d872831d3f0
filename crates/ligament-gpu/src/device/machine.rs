//! What worlds need of a device: memory, programs that step them, and a way to make those. A GPU is one, this machine's
//! processor another.

use super::GpuError;
use super::recipe::Recipe;
use crate::tables::{Precision, Tables};

/// A kind of device.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// How the program for a model is made, which needs no opened device.
    pub(super) recipe: fn(&Tables, Precision) -> Result<Recipe, GpuError>,
    pub(super) open: fn() -> Result<Box<dyn Device>, GpuError>,
}

/// A device that was opened. What is asked of it happens in the order in which it is asked.
pub(super) trait Device: Send + Sync {
    /// Memory full of zeros, 16 bytes at least.
    fn zeroed(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError>;
    /// Bytes that nobody has taken.
    fn free_memory(&self) -> Result<usize, GpuError>;
    fn load(&self, recipe: &Recipe) -> Result<Box<dyn Program>, GpuError>;
    /// Lets what is asked from now on wait for what was asked of a stream so far.
    ///
    /// # Safety
    /// The number is the address of a stream of this device, or 0.
    unsafe fn wait_for(&self, stream: u64) -> Result<(), GpuError>;
    fn synchronize(&self) -> Result<(), GpuError>;

    /// Memory that begins with these bytes.
    fn holding(&self, bytes: &[u8]) -> Result<Box<dyn Memory>, GpuError> {
        let mut memory = self.zeroed(bytes.len())?;
        memory.write(bytes)?;
        Ok(memory)
    }
}

/// Memory of a device.
pub(super) trait Memory: Send + Sync {
    fn address(&self) -> u64;
    fn len(&self) -> usize;
    fn read(&self) -> Result<Vec<u8>, GpuError>;
    /// Writes the first bytes.
    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError>;
    /// Makes all bytes zero.
    fn clear(&mut self) -> Result<(), GpuError>;
}

/// The kernels of a model, compiled and loaded.
pub(super) trait Program: Send + Sync {
    fn sizes(&self) -> Sizes;
    /// Tells the kernels where their tables are.
    fn tell(&mut self, given: &Given) -> Result<(), GpuError>;
    /// Makes steps of worlds.
    ///
    /// # Safety
    /// The addresses, and those that were told, are of arrays of the sizes that the kernel reads and writes.
    unsafe fn steps(&self, args: Args) -> Result<(), GpuError>;
    /// Writes a row into rows of a field.
    ///
    /// # Safety
    /// The addresses are of arrays of the sizes that [`Fill`] names.
    unsafe fn fill(&self, fill: Fill) -> Result<(), GpuError>;
    fn facts(&self) -> Result<ProgramFacts, GpuError>;
}

/// Bytes of device memory that each world needs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes {
    /// Room for a polytope.
    pub(super) polytope: usize,
    /// What it keeps from step to step.
    pub(super) kept: usize,
    /// The world itself, where it is too large for shared memory.
    pub(super) world: usize,
}

/// What a program needs of the processor.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ProgramFacts {
    pub(super) shared_bytes: usize,
    pub(super) registers: usize,
    pub(super) local_bytes: usize,
    /// Worlds that run at a time on one multiprocessor.
    pub(super) resident: usize,
}

/// As `Args` in `step.cu`: addresses and numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Args {
    pub(super) state: [u64; 5],
    pub(super) inputs: [u64; 3],
    /// Addresses of the results that the kernels write.
    pub(super) results: u64,
    pub(super) status: u64,
    pub(super) done: u64,
    pub(super) counts: u64,
    pub(super) overflow: u64,
    pub(super) turns: u64,
    pub(super) nworld: i32,
    pub(super) nstep: i32,
    /// Turns in which worlds make their steps: the program knows how many are best.
    pub(super) rounds: i32,
    /// What the call is (`Mode` in `after.cuh`); kernels that write no results do not read it.
    pub(super) mode: i32,
}

/// As `Given` in `world.cuh`: addresses.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub(super) struct Given {
    pub(super) ints: u64,
    pub(super) reals: u64,
    pub(super) own: u64,
    pub(super) mocap_pos: u64,
    pub(super) mocap_quat: u64,
    pub(super) scratch: u64,
    pub(super) history: u64,
    pub(super) kept: u64,
    pub(super) worlds: u64,
}

impl Given {
    /// In the order of the kernels.
    #[cfg(feature = "cuda")]
    pub(super) fn addresses(&self) -> [u64; 9] {
        let Self { ints, reals, own, mocap_pos, mocap_quat, scratch, history, kept, worlds } = *self;
        [ints, reals, own, mocap_pos, mocap_quat, scratch, history, kept, worlds]
    }
}

/// A row that becomes that of marked worlds: addresses of a field with so many bytes for each of `count` worlds, of the
/// row, and of the marks, a byte a world (0: all worlds are marked).
#[derive(Clone, Copy)]
pub(super) struct Fill {
    pub(super) field: u64,
    pub(super) row: u64,
    pub(super) mask: u64,
    pub(super) row_bytes: usize,
    pub(super) count: usize,
    /// Of a number.
    pub(super) number_bytes: usize,
}
