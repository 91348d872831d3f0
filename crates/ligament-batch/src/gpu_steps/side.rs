//! Between rows of a batch and the memory of a device.
#![allow(unsafe_code)] // rows of shared tables

use super::lacks;
use crate::error::BatchError;
use crate::worlds::Worlds;
use ligament_gpu::device::{Field, GpuError, GpuWorlds};
use ligament_model::enums::State;
use std::collections::BTreeSet;

/// The parts of the state that the device has.
pub(super) const PARTS: [(State, Field); 10] = [
    (State::Time, Field::Time),
    (State::Qpos, Field::Qpos),
    (State::Qvel, Field::Qvel),
    (State::Act, Field::Act),
    (State::Warmstart, Field::Warmstart),
    (State::Ctrl, Field::Ctrl),
    (State::QfrcApplied, Field::QfrcApplied),
    (State::XfrcApplied, Field::XfrcApplied),
    (State::MocapPos, Field::MocapPos),
    (State::MocapQuat, Field::MocapQuat),
];

/// What steps change of them.
pub(super) const MOVING: i32 = State::Time as i32
    | State::Qpos as i32
    | State::Qvel as i32
    | State::Act as i32
    | State::Warmstart as i32;

/// All of them.
pub(super) const ON_DEVICE: i32 = MOVING
    | State::Ctrl as i32
    | State::QfrcApplied as i32
    | State::XfrcApplied as i32
    | State::MocapPos as i32
    | State::MocapQuat as i32;

/// A device, and which side has the newer numbers of each part of the state.
pub(super) struct Side {
    pub(super) gpu: GpuWorlds,
    /// Parts that the device has newer than the rows.
    pub(super) stale: i32,
    /// Parts that the rows have newer than the device.
    pub(super) changed: i32,
    /// Parts whose addresses others have: the device's are the ones that count.
    lent: i32,
    /// Parameters of worlds may have changed.
    pub(super) own_models: bool,
    /// Switches of equalities may have changed, which the kernels have as they are in the model.
    equalities_unchecked: bool,
    /// Results that the kernels write.
    pub(super) results: BTreeSet<String>,
    /// Why rows could not be written when somebody read them.
    failure: Option<GpuError>,
}

impl Side {
    pub(super) fn new(gpu: GpuWorlds) -> Self {
        let results = BTreeSet::new();
        Self {
            gpu,
            stale: 0,
            changed: 0,
            lent: 0,
            own_models: false,
            equalities_unchecked: false,
            results,
            failure: None,
        }
    }

    /// Before a call: the device has what the call is about. Resets may mend `switches` of equalities that it does not have.
    pub(super) fn begin(&mut self, worlds: &Worlds, switches: bool) -> Result<(), BatchError> {
        if let Some(error) = self.failure.take() {
            return Err(error.into());
        }
        self.push(worlds)?;
        if self.equalities_unchecked && !switches {
            check_equalities(worlds)?;
            self.equalities_unchecked = false;
        }
        if self.own_models {
            let set = worlds.parameters.iter().filter(|own| !own.derived);
            let names: Vec<&str> = set.map(|own| own.name.as_str()).collect();
            let model_of = |world| worlds.model_of(world).map_err(|error| error.to_string());
            self.gpu.own_models(&names, &model_of)?;
            self.own_models = false;
        }
        self.stale |= self.lent;
        Ok(())
    }

    /// Writes what the device has newer into rows.
    pub(super) fn fetch(&mut self, worlds: &Worlds, parts: i32) {
        let old = self.stale & parts;
        for (bit, field) in PARTS.iter().filter(|(bit, _)| old & *bit as i32 != 0) {
            match self.gpu.read(*field) {
                Ok(numbers) => write_part(worlds, field.name(), &numbers),
                Err(error) => self.failure = Some(error),
            }
            self.stale &= !(*bit as i32);
        }
    }

    /// As [`Self::fetch`], of all parts, those that others can change included.
    pub(super) fn refresh(&mut self, worlds: &Worlds) -> Result<(), BatchError> {
        self.push(worlds)?;
        self.stale |= self.lent;
        self.fetch(worlds, ON_DEVICE);
        self.failure.take().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Sends what the rows have newer.
    pub(super) fn push(&mut self, worlds: &Worlds) -> Result<(), BatchError> {
        self.equalities_unchecked |= self.changed & State::EqActive as i32 != 0;
        let new = self.changed;
        for (bit, field) in PARTS.iter().filter(|(bit, _)| new & *bit as i32 != 0) {
            self.gpu.write(*field, &read_part(worlds, field.name()))?;
            self.stale &= !(*bit as i32);
        }
        self.changed = 0;
        Ok(())
    }

    /// What steps change, as it is now.
    pub(super) fn keep(&self) -> Result<Vec<(Field, Vec<f64>)>, BatchError> {
        let moving = PARTS.iter().filter(|(bit, _)| MOVING & *bit as i32 != 0);
        moving.map(|(_, field)| Ok((*field, self.gpu.read(*field)?))).collect()
    }

    /// Lets the kernels write a result from now on.
    pub(super) fn want(&mut self, names: &[&str]) -> Result<(), BatchError> {
        let new: Vec<&str> = names.iter().copied().filter(|&name| !self.results.contains(name)).collect();
        if !new.is_empty() {
            self.gpu.want_all(&new)?;
            self.results.extend(new.into_iter().map(str::to_owned));
        }
        Ok(())
    }

    /// Address and columns of a part of the state or of a result.
    pub(super) fn lend(&mut self, name: &str) -> Result<(u64, usize), BatchError> {
        if let Some((bit, field)) = part(name) {
            self.lent |= bit as i32;
            self.stale |= bit as i32;
            return Ok(self.gpu.pointer(field));
        }
        self.check_result(name)?;
        self.want(&[name])?;
        Ok(self.gpu.result_pointer(name)?)
    }

    pub(super) fn read(&mut self, name: &str) -> Result<Vec<f64>, BatchError> {
        if let Some((_, field)) = part(name) {
            return Ok(self.gpu.read(field)?);
        }
        self.check_result(name)?;
        self.want(&[name])?;
        Ok(self.gpu.read_result(name)?)
    }

    fn check_result(&self, name: &str) -> Result<(), BatchError> {
        match self.gpu.lacks(name) {
            None => Ok(()),
            Some(why) => Err(BatchError::DeviceLacks(format!("'{name}' is not on the device: {why}"))),
        }
    }

    pub(super) fn write(&mut self, name: &str, values: &[f64]) -> Result<(), BatchError> {
        let (bit, field) = part(name).ok_or_else(|| lacks(&format!("a part of the state '{name}'")))?;
        self.gpu.write(field, values)?;
        self.stale |= bit as i32;
        Ok(())
    }
}

fn part(name: &str) -> Option<(State, Field)> {
    PARTS.into_iter().find(|(_, field)| field.name() == name)
}

/// A part of all rows.
fn read_part(worlds: &Worlds, name: &str) -> Vec<f64> {
    let Some(part) = worlds.layout.part(name) else { return Vec::new() };
    let columns = part.start..part.start + part.len;
    (0..worlds.count).flat_map(|world| worlds.state.row(world)[columns.clone()].iter().copied()).collect()
}

/// Sets a part of all rows.
fn write_part(worlds: &Worlds, name: &str, numbers: &[f64]) {
    let Some(part) = worlds.layout.part(name).filter(|part| part.len > 0) else { return };
    for (world, numbers) in numbers.chunks_exact(part.len).enumerate() {
        let columns = part.start..part.start + part.len;
        // SAFETY: whoever reads columns of a part has fetched them, under the lock of this side: nobody has any that are
        // stale, and others are not touched.
        unsafe { worlds.state.columns_mut(world, columns) }.copy_from_slice(numbers);
    }
}

/// The kernels have the equalities that are active in the model, in all worlds.
fn check_equalities(worlds: &Worlds) -> Result<(), BatchError> {
    let Some(part) = worlds.layout.part("eq_active") else { return Ok(()) };
    let active = &worlds.model.eq_active0;
    let as_in_model = |world: usize| {
        let row = &worlds.state.row(world)[part.start..part.start + part.len];
        row.iter().zip(&active[..]).all(|(&now, &first)| (now != 0.0) == (first != 0))
    };
    let other = (0..worlds.count).find(|&world| !as_in_model(world));
    other.map_or(Ok(()), |world| {
        Err(lacks(&format!("equalities that are switched on or off (world {world})")))
    })
}
