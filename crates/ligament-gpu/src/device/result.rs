//! Results: derived fields of the state that the kernels write in the last step of a call, a row a world.

use super::machine::Memory;
use super::numbers::{from_bytes, size};
use super::{GpuError, GpuWorlds};
use crate::accept::refuse;
use crate::tables::{RESULTS, Tables, Wanted, columns};
use ligament_model::enums::Stage;

/// What a call asks of the kernels.
#[derive(Debug, Clone, Copy)]
pub(super) enum Mode {
    Steps {
        body_forces: bool,
    },
    /// `keep`: what belongs to later stages stays, instead of becoming zero.
    Forward {
        stage: Stage,
        keep: bool,
    },
}

impl Mode {
    /// `Mode` in `after.cuh`.
    pub(super) fn bits(self) -> i32 {
        const FORWARD: i32 = 4;
        const BODY_FORCES: i32 = 8;
        const KEEP: i32 = 16;
        match self {
            Self::Steps { body_forces } => Stage::Acc as i32 | if body_forces { BODY_FORCES } else { 0 },
            Self::Forward { stage, keep } => stage as i32 | FORWARD | if keep { KEEP } else { 0 },
        }
    }
}

/// Memory of the results. Others may share it: it is never moved.
#[derive(Default)]
pub(super) struct Results {
    list: Vec<Rows>,
    /// Where the rows of each begin that the kernels write, in their order.
    table: Option<Box<dyn Memory>>,
}

struct Rows {
    name: &'static str,
    columns: usize,
    memory: Box<dyn Memory>,
}

impl Results {
    /// The address of the table; 0: there is none.
    pub(super) fn table(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.address())
    }

    /// Columns of all of them.
    pub(super) fn columns(&self) -> usize {
        self.list.iter().map(|rows| rows.columns).sum()
    }

    fn find(&self, name: &str) -> Option<&Rows> {
        self.list.iter().find(|rows| rows.name == name)
    }
}

impl GpuWorlds {
    /// Why the kernels cannot write a field of the state; `None`: they can ([`Self::want`]).
    pub fn lacks(&self, name: &str) -> Option<String> {
        match &self.tables.unread {
            Some(refused) if name == "sensordata" => Some(refused.to_string()),
            _ if RESULTS.contains(&name) => None,
            _ => Some(format!("the GPU's kernels write {}", RESULTS.join(", "))),
        }
    }

    /// Lets the last step of each call write a field of the state from now on (one of [`crate::RESULTS`]).
    ///
    /// # Errors
    /// A field that the kernels do not write, a sensor that they do not have, too little memory.
    pub fn want(&mut self, name: &str) -> Result<(), GpuError> {
        self.want_all(&[name])
    }

    /// As [`Self::want`], of several fields: kernels are compiled once for all of them.
    ///
    /// # Errors
    /// As of [`Self::want`]; then none of the fields is wanted that were not before.
    pub fn want_all(&mut self, names: &[&str]) -> Result<(), GpuError> {
        let mut wanted = self.wanted.clone();
        let mut fresh = Vec::new();
        for name in names {
            let Some(known) = RESULTS.iter().find(|known| *known == name) else {
                return Err(refuse::<()>(&format!("\"{name}\" among its results"), "").unwrap_err().into());
            };
            if self.results.find(name).is_none() && !fresh.contains(known) {
                fresh.push(*known);
            }
        }
        let written = |name: &&&str| columns(&self.model, name) > 0;
        wanted.results.extend(fresh.iter().filter(written).map(ToString::to_string));
        let tables = Tables::new(&self.model, &wanted)?;
        if let (true, Some(refused)) = (fresh.contains(&"sensordata"), tables.unread) {
            return Err(refused.into());
        }
        let rows = self.rows(&fresh)?;
        if wanted.results.len() > self.wanted.results.len() {
            self.rebuild_or_stay(wanted)?;
        }
        self.results.list.extend(rows);
        self.point_to_results()
    }

    /// Memory of new results.
    fn rows(&self, names: &[&'static str]) -> Result<Vec<Rows>, GpuError> {
        let bytes = |name: &str| self.count * columns(&self.model, name) * size(self.precision);
        let (needed, free) =
            (names.iter().map(|name| bytes(name)).sum::<usize>(), self.device.free_memory()?);
        if needed > free {
            return Err(GpuError::Memory { worlds: self.count, needed: needed >> 20, free: free >> 20 });
        }
        let new = |name: &&'static str| {
            let memory = self.device.zeroed(bytes(name))?;
            Ok(Rows { name, columns: columns(&self.model, name), memory })
        };
        names.iter().map(new).collect()
    }

    /// Kernels for other wishes, or those that there were.
    fn rebuild_or_stay(&mut self, wanted: Wanted) -> Result<(), GpuError> {
        let before = self.wanted.clone();
        self.rebuild(wanted).or_else(|error| {
            self.rebuild(before)?;
            Err(error)
        })
    }

    fn point_to_results(&mut self) -> Result<(), GpuError> {
        let address = |name| self.results.find(name).map_or(0, |rows| rows.memory.address());
        let addresses = self.tables.results.iter().map(|(name, _)| address(name));
        let bytes: Vec<u8> = addresses.flat_map(u64::to_ne_bytes).collect();
        self.results.table = Some(self.device.holding(&bytes)?);
        Ok(())
    }

    fn result(&self, name: &str) -> Result<&Rows, GpuError> {
        self.results.find(name).ok_or_else(|| GpuError::NotWanted(name.to_string()))
    }

    /// A result of the last step or [`Self::forward_marked`], a row a world.
    ///
    /// # Errors
    /// A field that was not wanted.
    pub fn read_result(&self, name: &str) -> Result<Vec<f64>, GpuError> {
        let rows = self.result(name)?;
        let mut numbers = from_bytes(&rows.memory.read()?, self.precision);
        numbers.truncate(self.count * rows.columns);
        Ok(numbers)
    }

    /// Address of a result in device memory, and its columns. It stays there as long as the worlds do.
    ///
    /// # Errors
    /// A field that was not wanted.
    pub fn result_pointer(&self, name: &str) -> Result<(u64, usize), GpuError> {
        self.result(name).map(|rows| (rows.memory.address(), rows.columns))
    }

    /// [`Self::want`] of the sensors.
    ///
    /// # Errors
    /// A sensor that the kernels do not have; there are none.
    pub fn want_sensors(&mut self) -> Result<(), GpuError> {
        if self.model.nsensor == 0 {
            return Err(refuse::<()>("sensors: the model has none", "").unwrap_err().into());
        }
        self.want("sensordata")
    }

    /// [`Self::read_result`] of the sensors.
    ///
    /// # Errors
    /// As there.
    pub fn read_sensors(&self) -> Result<Vec<f64>, GpuError> {
        self.read_result("sensordata")
    }

    /// [`Self::result_pointer`] of the sensors; none before they are wanted.
    pub fn sensor_pointer(&self) -> (u64, usize) {
        self.result_pointer("sensordata").unwrap_or((0, 0))
    }
}
