//! Models of their own for worlds: of the tables of each model, worlds keep what differs.

use super::numbers::to_bytes;
use super::{GpuError, GpuWorlds};
use crate::tables::{OWN, Tables, Wanted};
use ligament_model::Model;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Gives the model of a world, or says why it has none.
pub type ModelOf<'a> = dyn Fn(usize) -> Result<Model, String> + Sync + 'a;

/// What a pass over the models of all worlds has found.
struct Found {
    /// The worlds' own numbers, row by row.
    rows: Vec<f64>,
    /// Tables that differ though all worlds share them so far.
    differing: BTreeSet<String>,
}

impl GpuWorlds {
    /// Gives each world the numbers of a model of its own, which must have the structure of the model of all: what the
    /// kernels are compiled for may not differ. Of `fields` (of the model) some numbers may be zero in one world and not in
    /// another. Everything that the kernels derive from a model follows.
    ///
    /// # Errors
    /// A world whose model cannot be had, or has another structure.
    pub fn own_models(&mut self, fields: &[&str], model_of: &ModelOf<'_>) -> Result<(), GpuError> {
        let mut wanted = self.wanted.clone();
        let new = |name: &&&str| OWN.contains(name) && !self.wanted.own.iter().any(|own| own == **name);
        wanted.own.extend(fields.iter().filter(new).map(|name| (*name).to_string()));
        let rows = loop {
            let found = self.tables_of_all(&wanted, model_of)?;
            if found.differing.is_empty() {
                break found.rows;
            }
            wanted.own_tables.extend(found.differing);
        };
        if wanted.own != self.wanted.own || wanted.own_tables != self.wanted.own_tables {
            self.rebuild(wanted)?;
        }
        self.own = self.device.holding(&to_bytes(&rows, self.precision))?;
        // gaps were kept for shapes as they were
        self.kept.clear()?;
        self.tell()
    }

    /// The tables of all worlds' models, on all cores.
    fn tables_of_all(&self, wanted: &Wanted, model_of: &ModelOf<'_>) -> Result<Found, GpuError> {
        let base = Tables::new(&self.model, wanted)?;
        let width = base.own.len();
        let mut rows = vec![0.0; self.count * width];
        let differing = Mutex::new(Ok(BTreeSet::new()));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let portion = self.count.div_ceil(cores);
        // where nothing is a world's own yet, rows are empty, and so is what threads take of them
        let mut parts = rows.chunks_mut((portion * width).max(1));
        std::thread::scope(|scope| {
            for first in (0..self.count).step_by(portion) {
                let (base, differing, part) = (&base, &differing, parts.next().unwrap_or_default());
                let worlds = first..self.count.min(first + portion);
                scope.spawn(move || {
                    let found = self.tables_of(worlds, wanted, base, model_of, part);
                    let mut all = differing.lock().unwrap_or_else(PoisonError::into_inner);
                    match (&mut *all, found) {
                        (Ok(all), Ok(found)) => all.extend(found),
                        (Ok(_), Err(error)) => *all = Err(error),
                        (Err(_), _) => {}
                    }
                });
            }
        });
        let differing = differing.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        Ok(Found { rows, differing })
    }

    /// Writes the own numbers of some worlds; gives the tables in which they differ otherwise.
    fn tables_of(
        &self,
        worlds: std::ops::Range<usize>,
        wanted: &Wanted,
        base: &Tables,
        model_of: &ModelOf<'_>,
        rows: &mut [f64],
    ) -> Result<BTreeSet<String>, GpuError> {
        let (first, width) = (worlds.start, base.own.len());
        let mut differing = BTreeSet::new();
        for world in worlds {
            let structure = |what: String| GpuError::Structure { world, what };
            let mut model = model_of(world).map_err(structure)?;
            // scales tolerances, which are the kernels' own
            model.stat = self.model.stat.clone();
            let tables = Tables::new(&model, wanted).map_err(|refused| structure(refused.to_string()))?;
            if let Some(what) = difference(base, &tables) {
                return Err(structure(format!(
                    "its own parameters change {what}, for which the kernels are compiled"
                )));
            }
            for field in &base.shared_fields {
                let range = field.start..field.start + field.len;
                if base.reals[range.clone()] != tables.reals[range] {
                    differing.insert(field.name.clone());
                }
            }
            rows[(world - first) * width..][..width].copy_from_slice(&tables.own);
        }
        Ok(differing)
    }
}

/// What is compiled into the kernels and differs between two models: the name of a constant or of a table.
fn difference(a: &Tables, b: &Tables) -> Option<String> {
    let constant = |line: &str| line.split_whitespace().nth(1).unwrap_or("their structure").to_string();
    let mut lines = a.header.lines().zip(b.header.lines());
    if let Some((line, _)) = lines.find(|(a, b)| a != b) {
        return Some(constant(line));
    }
    let same = a.header.len() == b.header.len() && a.ints == b.ints && a.reals.len() == b.reals.len();
    (!same).then(|| "their structure".to_string())
}
