//! Who computes: the small interface that the exact steps, lean steps and GPUs stand behind.

use crate::error::BatchError;
use crate::operation::Operation;
use crate::worlds::{Select, Worlds};
use ligament_model::Data;
use ligament_model::callbacks::Callbacks;

/// Computes what a call asks for. State rows, results, parameters and outcomes are in [`Worlds`]; whatever a back end
/// needs beside them (workspaces, device memory) is its own.
///
/// A back end runs every world of a call, writes its row, results, status and error, and changes no other world. The
/// numbers must not depend on the number of threads or on which worlds run together.
pub trait Backend: Send {
    /// A word for messages.
    fn name(&self) -> &'static str;

    /// Threads that work on a call.
    fn threads(&self) -> usize;

    /// Whether everything that was computed for a world is kept, not only its row.
    fn persistent(&self) -> bool;

    /// Runs an operation on worlds.
    fn run(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError>;

    /// Recomputes what follows from the parameters of worlds.
    fn set_const(&mut self, worlds: &mut Worlds, select: Select<'_>) -> Result<(), BatchError>;

    /// What was computed for a world, where it is kept.
    fn with_data(&self, world: usize, read: &mut dyn FnMut(&Data)) -> bool;

    /// Installs user functions for all worlds.
    fn set_callbacks(&mut self, callbacks: &Callbacks);

    /// Models or parameters have changed: nothing computed before holds any more.
    fn invalidate(&mut self);

    /// Rows are about to be read: parts of the state (by their bits) that are newer elsewhere are written into them.
    fn fetch(&self, _worlds: &Worlds, _parts: i32) {}

    /// The caller may have changed these parts of rows.
    fn note_rows(&mut self, _parts: i32) {}

    /// The caller may have changed parameters of worlds.
    fn note_parameters(&mut self) {}

    /// The worlds on a device, where that is where they are.
    #[cfg(any(feature = "cuda", feature = "emulated"))]
    fn device(&mut self) -> Option<&mut crate::gpu_steps::GpuSteps> {
        None
    }
}
