//! Worlds on an NVIDIA GPU: the kernels are compiled for the model when it is first used (NVRTC), the state stays in
//! device memory. The same worlds on an emulated device: the kernels on this machine's processor.
#![allow(unsafe_code)] // kernels are launched with raw arguments

#[cfg(feature = "cuda")]
mod ahead;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "emulated")]
mod emulated;
mod error;
mod field;
mod kernel;
mod machine;
mod models;
mod numbers;
mod own;
mod recipe;
mod result;

use crate::tables::{Precision, Tables, Wanted};
#[cfg(feature = "cuda")]
pub use ahead::compile_ahead;
pub use error::GpuError;
pub use field::Field;
use kernel::Kernel;
pub use kernel::KernelFacts;
use ligament_model::Model;
use ligament_model::enums::Stage;
use machine::{Device, Fill, Kind, Memory};
pub use models::ModelOf;
use numbers::{from_bytes, ints_from_bytes, ints_to_bytes, padded, size, to_bytes};
use recipe::Preparation;
use result::{Mode, Results};

/// What became of a world since it was last asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorldStatus {
    /// Numbers were not finite or beyond all bounds; the world was reset.
    pub bad: bool,
}

/// Kernels number worlds and what they write of them by 32-bit integers.
const MOST_WORLDS: usize = 1 << 29;
/// Steps that a launch makes at most.
const MOST_STEPS: i32 = 1 << 30;
const STATUS_ROOM: i32 = 1;
const STATUS_BAD: i32 = 2;

/// Worlds of one model on a GPU, or on an emulated one.
pub struct GpuWorlds {
    model: Model,
    wanted: Wanted,
    tables: Tables,
    precision: Precision,
    count: usize,
    kind: Kind,
    device: Box<dyn Device>,
    kernels: Vec<Kernel>,
    /// The kernel that steps begin with: most worlds have room in it.
    first: usize,
    /// Calls in a row in which that one was not enough for some world.
    misses: usize,
    /// The compilation of the kernel after a plain one.
    next: Option<Preparation>,
    ints: Box<dyn Memory>,
    reals: Box<dyn Memory>,
    own: Box<dyn Memory>,
    /// Where the kernels keep polytopes of convex contacts.
    scratch: Box<dyn Memory>,
    /// What worlds keep from step to step to be faster.
    kept: Box<dyn Memory>,
    /// Worlds that are too large for shared memory.
    worlds: Box<dyn Memory>,
    fields: Vec<Box<dyn Memory>>,
    /// Fields that were written or given out.
    touched: Vec<bool>,
    results: Results,
    status: Box<dyn Memory>,
    done: Box<dyn Memory>,
    counts: Box<dyn Memory>,
    /// Set by a world that ran out of room; by one that came near; by one whose numbers were not finite.
    overflow: Box<dyn Memory>,
    /// Was there one of the last kind in the last call?
    any_bad: bool,
    /// Turns of blocks that were given out, and those that were made (`ligament_steps` in step.cu).
    turns: Box<dyn Memory>,
}

impl GpuWorlds {
    /// `count` worlds of a model on the first GPU, all at its initial state.
    ///
    /// # Errors
    /// What the model uses and the kernels lack, or what is missing on this machine.
    #[cfg(feature = "cuda")]
    pub fn new(model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        Self::on(cuda::CUDA, model, count, precision)
    }

    /// The same worlds without a GPU: the kernels on this machine's processor, compiled by its C++ compiler (`CXX`, else
    /// `c++`). It is slow; it serves to test programs where there is no GPU.
    ///
    /// # Errors
    /// What the model uses and the kernels lack, or that there is no compiler.
    #[cfg(feature = "emulated")]
    pub fn emulated(model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        Self::on(emulated::EMULATED, model, count, precision)
    }

    fn on(kind: Kind, model: &Model, count: usize, precision: Precision) -> Result<Self, GpuError> {
        let wanted = Wanted::default();
        let tables = Tables::new(model, &wanted)?;
        let first = Self::prepare(model, &tables, precision, kind)?;
        let device = (kind.open)()?;
        let count = count.max(1);
        let row: usize = Field::ALL.iter().map(|f| f.width(&tables)).sum();
        let needed = count.saturating_mul(row * size(precision) + 5 * size_of::<i32>());
        let free = device.free_memory()?;
        if needed > free || count > MOST_WORLDS {
            return Err(GpuError::Memory { worlds: count, needed: needed >> 20, free: free >> 20 });
        }
        let ints = |number: usize| device.zeroed(number * size_of::<i32>());
        let field = |field: &Field| device.zeroed(count * field.width(&tables) * size(precision));
        let mut worlds = Self {
            model: model.clone(),
            wanted,
            precision,
            count,
            kernels: Vec::new(),
            first: 0,
            misses: 0,
            next: None,
            ints: device.holding(&padded(&tables.ints))?,
            reals: device.holding(&to_bytes(&tables.reals, precision))?,
            own: device.zeroed(0)?,
            scratch: device.zeroed(0)?,
            kept: device.zeroed(0)?,
            worlds: device.zeroed(0)?,
            touched: vec![false; Field::ALL.len()],
            fields: Field::ALL.iter().map(field).collect::<Result<_, _>>()?,
            results: Results::default(),
            status: ints(count)?,
            done: ints(count)?,
            counts: ints(2 * count)?,
            overflow: ints(3)?,
            any_bad: false,
            turns: ints(1 + count)?,
            tables,
            kind,
            device,
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
        self.step_marked(steps, None)
    }

    /// As [`Self::step`], of the marked worlds; nothing of the others changes, their results included.
    ///
    /// # Errors
    /// Marks for another number of worlds.
    pub fn step_marked(&mut self, steps: usize, marked: Option<&[bool]>) -> Result<(), GpuError> {
        self.step_with(steps, marked, false)
    }

    /// As [`Self::step_marked`]; with `body_forces` the last step also writes `cacc`, `cfrc_int` and `cfrc_ext`, where they are
    /// wanted: as `mj_rnePostConstraint` makes them after a step.
    ///
    /// # Errors
    /// Marks for another number of worlds.
    pub fn step_with(
        &mut self,
        steps: usize,
        marked: Option<&[bool]>,
        body_forces: bool,
    ) -> Result<(), GpuError> {
        self.check_marks(marked)?;
        self.any_bad = false;
        let mut left = steps;
        while left > 0 {
            let steps = left.min(MOST_STEPS as usize);
            self.run(steps as i32, marked, Mode::Steps { body_forces })?;
            left -= steps;
        }
        Ok(())
    }

    /// Computes the wanted results of marked worlds at the state that they have, up to a stage, as `mj_forward`. The state, warm
    /// starts, statuses and counts included, stays. Results of later stages stay too with `keep`, else they become zero.
    ///
    /// # Errors
    /// Marks for another number of worlds.
    pub fn forward_marked(
        &mut self,
        stage: Stage,
        marked: Option<&[bool]>,
        keep: bool,
    ) -> Result<(), GpuError> {
        self.check_marks(marked)?;
        if stage == Stage::None || self.tables.results.is_empty() {
            return Ok(());
        }
        self.run(1, marked, Mode::Forward { stage, keep })
    }

    /// Was a world bad in the last call that made steps? [`Self::take_status`] says which.
    pub fn any_bad(&self) -> bool {
        self.any_bad
    }

    fn check_marks(&self, marked: Option<&[bool]>) -> Result<(), GpuError> {
        match marked.map(<[bool]>::len) {
            Some(given) if given != self.count => {
                Err(GpuError::Shape { field: "mask".into(), expected: self.count, given })
            }
            _ => Ok(()),
        }
    }

    fn run(&mut self, steps: i32, marked: Option<&[bool]>, mode: Mode) -> Result<(), GpuError> {
        match marked {
            None => self.done.clear()?,
            Some(marked) => {
                // worlds that have made all steps are left alone
                let done: Vec<i32> = marked.iter().map(|&step| if step { 0 } else { steps }).collect();
                self.done.write(&ints_to_bytes(&done))?;
            }
        }
        let mut kernel = self.first;
        loop {
            self.launch(kernel, steps, mode)?;
            let marks = ints_from_bytes(&self.overflow.read()?);
            if marks[1] != 0 && kernel + 1 == self.kernels.len() && self.next.is_none() {
                self.next = self.recipe(self.kernels[kernel].room.more())?.prepare();
            }
            self.any_bad |= marks[2] != 0;
            if marks[0] != 0 || marks[2] != 0 {
                self.overflow.clear()?;
            }
            if marks[0] == 0 {
                break;
            }
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
        let mut status = ints_from_bytes(&self.status.read()?);
        let stopped = status.iter().filter(|s| **s & STATUS_ROOM != 0).count();
        status.iter_mut().for_each(|s| *s &= !STATUS_ROOM);
        self.status.write(&ints_to_bytes(&status))?;
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
        // SAFETY: the caller vouches for the address.
        unsafe { self.device.wait_for(stream) }
    }

    /// Numbers of a field, a row a world.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn read(&self, field: Field) -> Result<Vec<f64>, GpuError> {
        let bytes = self.fields[field as usize].read()?;
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
        self.fields[field as usize].write(&to_bytes(values, self.precision))
    }

    /// Address of a field in device memory, and its columns.
    pub fn pointer(&mut self, field: Field) -> (u64, usize) {
        self.touched[field as usize] = true;
        (self.fields[field as usize].address(), field.width(&self.tables))
    }

    /// Puts worlds back to the initial state or to a keyframe: all, or those marked.
    ///
    /// # Errors
    /// Marks for another number of worlds, a keyframe that the model does not have.
    pub fn reset(&mut self, marked: Option<&[bool]>, key: Option<usize>) -> Result<(), GpuError> {
        self.check_marks(marked)?;
        let Some(marked) = marked else { return self.fill(0, key) };
        let bytes: Vec<u8> = marked.iter().map(|&m| u8::from(m)).collect();
        let mask = self.device.holding(&bytes)?;
        self.fill(mask.address(), key)?;
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
        for field in Field::ALL {
            let width = field.width(&self.tables);
            if width == 0 {
                continue;
            }
            let row = to_bytes(&field.at_reset(&self.model, &self.tables, key), self.precision);
            let row = self.device.holding(&row)?;
            let fill = Fill {
                field: self.fields[field as usize].address(),
                row: row.address(),
                mask,
                row_bytes: width * size(self.precision),
                count: self.count,
                number_bytes: size(self.precision),
            };
            // SAFETY: the field has count x width numbers, the row width, the mask none or count bytes.
            unsafe { self.kernels[0].program.fill(fill)? };
        }
        Ok(())
    }

    /// What became of the worlds since this was last called.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_status(&mut self) -> Result<Vec<WorldStatus>, GpuError> {
        let status = ints_from_bytes(&self.status.read()?);
        self.status.clear()?;
        Ok(status[..self.count].iter().map(|s| WorldStatus { bad: s & STATUS_BAD != 0 }).collect())
    }

    /// Contacts and solver iterations of each world since this was last called.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn take_counts(&mut self) -> Result<Vec<[i32; 2]>, GpuError> {
        let counts = ints_from_bytes(&self.counts.read()?);
        self.counts.clear()?;
        Ok(counts[..2 * self.count].chunks_exact(2).map(|c| [c[0], c[1]]).collect())
    }

    /// Waits until everything asked for is done.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        self.device.synchronize()
    }
}
