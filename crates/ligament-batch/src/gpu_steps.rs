//! Steps on a GPU. The device has the newest state; rows of the batch are written when somebody reads them, and sent when
//! somebody has changed them, part by part.

mod calls;
mod side;

use crate::backend::Backend;
use crate::device::Device;
use crate::error::BatchError;
use crate::exact::Exact;
use crate::operation::Operation;
use crate::worlds::{Select, Worlds};
use ligament_gpu::device::{GpuError, GpuWorlds, KernelFacts};
use ligament_model::Data;
use ligament_model::callbacks::Callbacks;
use side::Side;
use std::sync::{Mutex, PoisonError};

/// Worlds on a device: steps, resets and the results that its kernels write are computed there. The exact steps of the CPU
/// do everything else, from the rows: other results, Jacobians, rays, pictures, functions of the user.
pub struct GpuSteps {
    exact: Exact,
    side: Mutex<Side>,
}

impl From<GpuError> for BatchError {
    fn from(error: GpuError) -> Self {
        let lacks = matches!(
            error,
            GpuError::Refused(_)
                | GpuError::Structure { .. }
                | GpuError::TooLarge { .. }
                | GpuError::NotOwn(_)
                | GpuError::NoKeyframe { .. }
                | GpuError::Shape { .. }
        );
        if lacks { Self::DeviceLacks(error.to_string()) } else { Self::Device(error.to_string()) }
    }
}

impl GpuSteps {
    /// Stands before exact steps; or says what the model has that the kernels have not, or what is missing here.
    pub(crate) fn new(exact: Exact, worlds: &Worlds, device: Device) -> Result<Self, BatchError> {
        if exact.persistent() {
            return Err(lacks("data that are kept for every world (persistent=True)"));
        }
        if worlds.has_callbacks() {
            return Err(lacks("callbacks"));
        }
        let (model, count) = (&*worlds.model, worlds.count);
        let gpu = match device {
            #[cfg(feature = "cuda")]
            Device::Cuda(precision) => GpuWorlds::new(model, count, precision)?,
            #[cfg(feature = "emulated")]
            Device::Emulated(precision) => GpuWorlds::emulated(model, count, precision)?,
            Device::Cpu => return Err(BatchError::Device("worlds on the CPU are on no device".into())),
        };
        Ok(Self { exact, side: Mutex::new(Side::new(gpu)) })
    }

    fn side(&mut self) -> &mut Side {
        self.side.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What worlds on a device do not have.
fn lacks(what: &str) -> BatchError {
    BatchError::DeviceLacks(format!(
        "the GPU back end does not have {what}; simulate on the CPU (device=\"cpu\")"
    ))
}

impl Backend for GpuSteps {
    fn name(&self) -> &'static str {
        "gpu"
    }

    fn threads(&self) -> usize {
        self.exact.threads()
    }

    fn persistent(&self) -> bool {
        false
    }

    fn run(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        if worlds.has_callbacks() {
            return Err(lacks("callbacks"));
        }
        self.side().begin(worlds, matches!(operation, Operation::Reset { .. }))?;
        match *operation {
            Operation::Step { nstep, stage, rnepost } => self.step(worlds, select, nstep, stage, rnepost),
            Operation::Forward { stage } => self.forward(worlds, select, stage),
            Operation::Reset { keys, stage } => self.reset(worlds, select, keys, stage),
            Operation::Rollout(ref rollout) => self.rollout(worlds, select, rollout, operation),
            Operation::Apply { .. } => self.on_the_cpu(worlds, select, operation),
        }
    }

    fn set_const(&mut self, worlds: &mut Worlds, select: Select<'_>) -> Result<(), BatchError> {
        self.exact.set_const(worlds, select)
    }

    fn with_data(&self, _: usize, _: &mut dyn FnMut(&Data)) -> bool {
        false
    }

    fn set_callbacks(&mut self, callbacks: &Callbacks) {
        self.exact.set_callbacks(callbacks);
    }

    fn invalidate(&mut self) {
        self.exact.invalidate();
        self.side().own_models = true;
    }

    fn fetch(&self, worlds: &Worlds, parts: i32) {
        self.side.lock().unwrap_or_else(PoisonError::into_inner).fetch(worlds, parts);
    }

    fn note_rows(&mut self, parts: i32) {
        self.side().changed |= parts;
    }

    fn note_parameters(&mut self) {
        self.side().own_models = true;
    }

    fn device(&mut self) -> Option<&mut GpuSteps> {
        Some(self)
    }
}

/// The worlds of a batch where they are on a device: their memory there.
///
/// A part of the state or a result is an array there, a row a world. Whoever has the address of one may change it at any
/// time between calls, by whatever runs on that device.
pub struct DeviceWorlds<'a> {
    pub(crate) steps: &'a mut GpuSteps,
    pub(crate) worlds: &'a Worlds,
}

impl DeviceWorlds<'_> {
    /// Names of the parts of the state that are on the device.
    pub fn parts() -> impl Iterator<Item = &'static str> {
        side::PARTS.iter().map(|(_, field)| field.name())
    }

    /// Why a derived field is not on the device; `None`: it can be.
    pub fn lacks(&mut self, name: &str) -> Option<String> {
        self.steps.side().gpu.lacks(name)
    }

    /// Address and columns of a part of the state, or of a result that the kernels write from now on. It stays where it is.
    pub fn lend(&mut self, name: &str) -> Result<(u64, usize), BatchError> {
        self.flush()?;
        self.steps.side().lend(name)
    }

    /// Numbers of a part of the state, or of a result, a row a world.
    pub fn read(&mut self, name: &str) -> Result<Vec<f64>, BatchError> {
        self.flush()?;
        self.steps.side().read(name)
    }

    /// Sets the numbers of a part of the state.
    pub fn write(&mut self, name: &str, values: &[f64]) -> Result<(), BatchError> {
        self.flush()?;
        self.steps.side().write(name, values)
    }

    /// Writes what the device has into the rows of the batch.
    pub fn refresh(&mut self) -> Result<(), BatchError> {
        self.steps.side().refresh(self.worlds)
    }

    /// Sends what was changed in the rows of the batch.
    pub fn flush(&mut self) -> Result<(), BatchError> {
        self.steps.side().push(self.worlds)
    }

    /// Lets the worlds wait for what was asked of a stream of the device so far (its address; 0: the default stream).
    ///
    /// # Safety
    /// `stream` must be the address of a stream of the GPU's primary context.
    #[allow(unsafe_code)] // handed on
    pub unsafe fn wait_for(&mut self, stream: u64) -> Result<(), BatchError> {
        // SAFETY: the caller vouches for the address.
        unsafe { self.steps.side().gpu.wait_for(stream)? };
        Ok(())
    }

    /// Puts the worlds back to the initial state, or to a keyframe, that are marked by bytes in the device's memory. Warning
    /// counters stay.
    ///
    /// # Safety
    /// `mask` must be the address of as many bytes on the device as there are worlds.
    #[allow(unsafe_code)] // handed on
    pub unsafe fn reset_masked(&mut self, mask: u64, key: Option<usize>) -> Result<(), BatchError> {
        self.flush()?;
        let side = self.steps.side();
        // SAFETY: the caller vouches for the address.
        unsafe { side.gpu.reset_masked(mask, key)? };
        side.stale |= side::ON_DEVICE;
        Ok(())
    }

    /// What the kernels need.
    pub fn facts(&mut self) -> Result<KernelFacts, BatchError> {
        Ok(self.steps.side().gpu.facts()?)
    }

    /// Contacts and solver iterations of each world since this was last asked.
    pub fn take_counts(&mut self) -> Result<Vec<[i32; 2]>, BatchError> {
        Ok(self.steps.side().gpu.take_counts()?)
    }

    /// Waits until everything asked for is done.
    pub fn synchronize(&mut self) -> Result<(), BatchError> {
        Ok(self.steps.side().gpu.synchronize()?)
    }
}
