//! Kernels that are compiled before there are worlds, on a machine that has the compiler and needs no GPU.

use super::GpuError;
use super::cuda;
use super::kernel::Room;
use crate::tables::{Precision, Tables, Wanted, columns};
use ligament_model::Model;

/// Compiles what worlds of a model begin with on GPUs of an architecture (90: compute capability 9.0), with these results
/// (of [`crate::RESULTS`]), into the cache on disk, where worlds find it as long as the compiler is of the same version. Gives the
/// machine code of each kernel.
///
/// # Errors
/// What the model uses and the kernels lack; that there is no compiler; an architecture that it does not know.
pub fn compile_ahead(
    model: &Model,
    precision: Precision,
    architecture: u32,
    results: &[&str],
) -> Result<Vec<Vec<u8>>, GpuError> {
    let written = results.iter().filter(|name| columns(model, name) > 0 || !crate::RESULTS.contains(name));
    let wanted = Wanted { results: written.map(ToString::to_string).collect(), ..Wanted::default() };
    let tables = Tables::new(model, &wanted)?;
    let sensors = wanted.results.iter().any(|name| name == "sensordata");
    if let (true, Some(refused)) = (sensors, tables.unread) {
        return Err(refused.into());
    }
    let first = Room { capacity: tables.capacity, plain: tables.has_general };
    let rooms = [Some(first), first.plain.then(|| first.more())];
    rooms.into_iter().flatten().map(|room| compile(model, room, &wanted, precision, architecture)).collect()
}

fn compile(
    model: &Model,
    room: Room,
    wanted: &Wanted,
    precision: Precision,
    architecture: u32,
) -> Result<Vec<u8>, GpuError> {
    let tables = Tables::new(model, &room.of(wanted))?;
    let recipe = cuda::recipe_for(&tables, precision, architecture);
    recipe.kept().map_or_else(|| recipe.compile(), Ok)
}
