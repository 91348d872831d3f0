//! Worlds on an NVIDIA GPU: the kernels are compiled for the model when it is first used (NVRTC), the state stays in
//! device memory.
#![allow(unsafe_code)] // kernels are launched with raw arguments

mod compile;
mod error;
mod field;
mod kernel;
mod own;

use crate::tables::{Precision, Tables, Wanted};
use compile::{Preparation, from_bytes, open, padded, size, to_bytes};
use cudarc::driver::{CudaSlice, CudaStream, DevicePtr, LaunchConfig, PushKernelArg, sys};
pub use error::GpuError;
pub use field::Field;
use kernel::Kernel;
pub use kernel::KernelFacts;
use ligament_model::Model;
use std::sync::Arc;

/// What became of a world since it was last asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorldStatus {
    /// Numbers were not finite or beyond all bounds; the world was reset.
    pub bad: bool,
}

const STATUS_ROOM: i32 = 1;
const STATUS_BAD: i32 = 2;

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
    /// Calls in a row in which that one was not enough for some world.
    misses: usize,
    /// The compilation of the kernel after a plain one.
    next: Option<Preparation>,
    ints: CudaSlice<i32>,
    reals: CudaSlice<u8>,
    own: CudaSlice<u8>,
    /// Where the kernels keep polytopes of convex contacts.
    scratch: CudaSlice<u8>,
    /// What worlds keep from step to step to be faster.
    kept: CudaSlice<u8>,
    /// Worlds that are too large for shared memory.
    worlds: CudaSlice<u8>,
    fields: Vec<CudaSlice<u8>>,
    /// Fields that were written or given out.
    touched: Vec<bool>,
    sensordata: CudaSlice<u8>,
    status: CudaSlice<i32>,
    done: CudaSlice<i32>,
    counts: CudaSlice<i32>,
    /// Set by a world that ran out of room; by one that came near.
    overflow: CudaSlice<i32>,
    /// Turns of blocks that were given out, and those that were made (`ligament_steps` in step.cu).
    turns: CudaSlice<i32>,
}

impl GpuWorlds {
    /// `count` worlds of a model, all at its initial state.
    ///
    /// # Errors
    /// What the model uses and the kernels lack, or what is missing on this machine.
    pub fn new(model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        let wanted = Wanted::default();
        let tables = Tables::new(model, &wanted)?;
        let first = Self::prepare(model, &tables, precision)?;
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
            misses: 0,
            next: None,
            ints: stream.clone_htod(&padded(&tables.ints))?,
            reals: stream.clone_htod(&to_bytes(&tables.reals, precision))?,
            own: stream.alloc_zeros(16)?,
            scratch: stream.alloc_zeros(16)?,
            kept: stream.alloc_zeros(16)?,
            worlds: stream.alloc_zeros(16)?,
            touched: vec![false; fields.len()],
            fields,
            sensordata: stream.alloc_zeros(16)?,
            status: stream.alloc_zeros(count)?,
            done: stream.alloc_zeros(count)?,
            counts: stream.alloc_zeros(2 * count)?,
            overflow: stream.alloc_zeros(2)?,
            turns: stream.alloc_zeros(1 + count)?,
            tables,
            stream,
        };
        drop(first); // is done
        worlds.begin(worlds.tables.capacity)?;
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
        let mut kernel = self.first;
        loop {
            self.launch(kernel, steps as i32)?;
            let marks = self.stream.clone_dtoh(&self.overflow)?;
            if marks[1] != 0 && kernel + 1 == self.kernels.len() && self.next.is_none() {
                self.next = self.recipe(self.kernels[kernel].room.more())?.prepare();
            }
            if marks[0] == 0 {
                break;
            }
            self.stream.memset_zeros(&mut self.overflow)?;
            let stopped = self.take_stopped()?;
            if kernel == self.first {
                self.misses += 1;
            }
            // two launches take longer than one, however few worlds are in the second
            let seldom = 8 * stopped <= self.count && !(self.kernels[kernel].room.plain && self.misses > 1);
            if !seldom {
                (self.first, self.misses) = (kernel + 1, 0);
            }
            kernel += 1;
            if kernel == self.kernels.len() {
                self.compile(self.kernels[kernel - 1].room.more())?;
            }
        }
        if kernel == self.first {
            self.misses = 0;
        }
        Ok(())
    }

    /// How many worlds stopped for want of room; their marks are cleared.
    fn take_stopped(&mut self) -> Result<usize, GpuError> {
        let mut status = self.stream.clone_dtoh(&self.status)?;
        let stopped = status.iter().filter(|s| **s & STATUS_ROOM != 0).count();
        status.iter_mut().for_each(|s| *s &= !STATUS_ROOM);
        self.stream.memcpy_htod(&status, &mut self.status)?;
        Ok(stopped)
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
            let row = to_bytes(&field.at_reset(&self.model, &self.tables, key), self.precision);
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
