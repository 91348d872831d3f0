//! Random numbers for worlds, as NumPy would draw them for each.

use super::arguments::{ids, input, output};
use ligament_batch::{Stream, Ziggurat};
use ligament_py_macros::entries;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A stream for every world.
#[pyclass(frozen, module = "ligament._core", name = "_Streams")]
pub struct PyStreams {
    streams: Mutex<Vec<Stream>>,
    ziggurat: Ziggurat,
}

impl PyStreams {
    fn lock(&self) -> MutexGuard<'_, Vec<Stream>> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fills the rows of an array, each from the stream of its world.
    fn fill(
        &self,
        ids_: &Bound<'_, PyAny>,
        width: usize,
        out: &Bound<'_, PyAny>,
        mut draw: impl FnMut(&mut Stream) -> f64,
    ) -> PyResult<()> {
        let mut streams = self.lock();
        let worlds = checked(ids_, streams.len())?;
        let mut out = output::<f64>(out, "out", &[worlds.len(), width])?;
        let rows = out.as_slice_mut()?;
        for (row, world) in rows.chunks_exact_mut(width.max(1)).zip(worlds) {
            for number in row {
                *number = draw(&mut streams[world]);
            }
        }
        Ok(())
    }
}

/// Numbers of worlds, each below `count`.
fn checked(ids_: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<usize>> {
    let ids = ids(Some(ids_))?.unwrap_or_default();
    let outside = |id| PyValueError::new_err(format!("there are {count} streams, and none is number {id}"));
    ids.iter().map(|&id| usize::try_from(id).ok().filter(|&i| i < count).ok_or_else(|| outside(id))).collect()
}

#[entries]
impl PyStreams {
    /// Streams for `count` worlds; `scale` are the widths of NumPy's strips under the normal density.
    #[new]
    fn py_new(count: usize, scale: [f64; 256]) -> PyResult<Self> {
        // others would let drawing search for ever
        if !scale.iter().all(|&width| (0.05..10.0).contains(&(width * (1_u64 << 52) as f64))) {
            return Err(PyValueError::new_err("these are not the widths of strips under the normal density"));
        }
        let mut streams = Vec::new();
        let too_many = |_| PyMemoryError::new_err(format!("there is no memory for {count} streams"));
        streams.try_reserve_exact(count).map_err(too_many)?;
        streams.resize(count, Stream::new(0));
        Ok(Self { streams: Mutex::new(streams), ziggurat: Ziggurat::new(scale) })
    }

    /// Starts streams anew.
    fn seed(&self, ids_: &Bound<'_, PyAny>, seeds: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut streams = self.lock();
        let worlds = checked(ids_, streams.len())?;
        let seeds = input::<u64>(seeds, "seeds", &[worlds.len()])?;
        for (world, &seed) in worlds.into_iter().zip(seeds.as_slice()?) {
            streams[world] = Stream::new(seed);
        }
        Ok(())
    }

    /// `width` numbers from `low` to `high` for each world.
    fn uniform(
        &self,
        ids_: &Bound<'_, PyAny>,
        low: f64,
        high: f64,
        width: usize,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.fill(ids_, width, out, |stream| stream.uniform(low, high))
    }

    /// `width` normal numbers for each world.
    fn normal(&self, ids_: &Bound<'_, PyAny>, width: usize, out: &Bound<'_, PyAny>) -> PyResult<()> {
        self.fill(ids_, width, out, |stream| stream.normal(&self.ziggurat))
    }
}
