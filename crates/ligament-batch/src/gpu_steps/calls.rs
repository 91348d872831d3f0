//! What a call does to worlds on a device.
#![allow(unsafe_code)] // rows of shared tables

use super::side::{MOVING, ON_DEVICE};
use super::{GpuSteps, lacks};
use crate::backend::Backend;
use crate::error::{BatchError, WorldError};
use crate::layout::SIGNATURE;
use crate::operation::{Operation, RecordParts, Recorded, Rollout};
use crate::worlds::{Select, Worlds};
use ligament_model::array::ArrayRef;
use ligament_model::data::NWARNING;
use ligament_model::enums::{Stage, State, Warning};
use std::time::{Duration, Instant};

/// Degrees of freedom that a launch steps before it is looked whether the call has to end; more where that takes less than
/// [`PATIENCE`].
const PORTION_DOFS: usize = 1 << 15;
const PATIENCE: Duration = Duration::from_millis(100);

/// The worlds of a call, and what has become of them so far.
struct Called {
    /// Marks of those that go on; none: all do.
    going: Option<Vec<bool>>,
    bad: Vec<bool>,
}

impl Called {
    /// A call begins: nothing has gone wrong yet.
    fn new(worlds: &Worlds, select: Select<'_>) -> Self {
        let ended = |world: &usize| worlds.status.row(*world)[0] != 0;
        ids(worlds.count, select).filter(ended).for_each(|world| note(worlds, world, None));
        Self { going: marks(worlds, select), bad: vec![false; worlds.count] }
    }

    fn stop(&mut self, world: usize) {
        let count = self.bad.len();
        self.going.get_or_insert_with(|| vec![true; count])[world] = false;
    }
}

/// The worlds of a call, of so many.
fn ids(count: usize, select: Select<'_>) -> impl Iterator<Item = usize> {
    (0..select.len(count)).map(move |item| select.world(item))
}

fn marks(worlds: &Worlds, select: Select<'_>) -> Option<Vec<bool>> {
    let Select::Ids(ids) = select else { return None };
    let mut marks = vec![false; worlds.count];
    ids.iter().for_each(|&id| marks[id as usize] = true);
    Some(marks)
}

impl GpuSteps {
    /// Steps on the device; fields that its kernels do not have are those of the CPU's step from the same state.
    pub(super) fn step(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        nstep: usize,
        stage: Stage,
        rnepost: bool,
    ) -> Result<(), BatchError> {
        if nstep == 0 {
            return self.forward(worlds, select, stage);
        }
        let others = self.wish(worlds)?;
        let mut called = Called::new(worlds, select);
        // accelerations of the new state are the only ones that do not need the last step
        let observed = others && stage != Stage::Acc;
        if self.advance(worlds, &mut called, nstep - usize::from(observed), !observed && rnepost)? {
            return self.interrupted(worlds, select);
        }
        if observed {
            self.observe(worlds, select, &mut called, &Operation::Step { nstep: 1, stage, rnepost })?;
            self.advance(worlds, &mut called, 1, rnepost)?;
        }
        if stage != Stage::None {
            self.side().gpu.forward_marked(stage, called.going.as_deref(), true)?;
        }
        if others && !observed {
            self.observe(worlds, select, &mut called, &Operation::Forward { stage })?;
        }
        report(worlds, select, &called.bad);
        self.copy_results(worlds, select)
    }

    pub(super) fn forward(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        stage: Stage,
    ) -> Result<(), BatchError> {
        let others = self.wish(worlds)?;
        let mut called = Called::new(worlds, select);
        if others {
            self.observe(worlds, select, &mut called, &Operation::Forward { stage })?;
        }
        self.side().gpu.forward_marked(stage, called.going.as_deref(), false)?;
        self.copy_results(worlds, select)
    }

    pub(super) fn reset(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        keys: &[i32],
        stage: Stage,
    ) -> Result<(), BatchError> {
        let count = select.len(worlds.count);
        let key = |item: usize| if keys.len() == 1 { keys[0] } else { keys.get(item).copied().unwrap_or(-1) };
        let mut wanted: Vec<i32> = (0..count).map(key).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for wanted in wanted {
            let mut marks = vec![false; worlds.count];
            (0..count).filter(|&item| key(item) == wanted).for_each(|item| marks[select.world(item)] = true);
            self.side().gpu.reset(Some(&marks), usize::try_from(wanted).ok())?;
        }
        self.side().stale |= ON_DEVICE;
        for world in ids(worlds.count, select) {
            clear_warnings(worlds, world);
            reset_rest(worlds, world);
        }
        self.forward(worlds, select, stage)
    }

    /// Steps with inputs and records. The CPU makes it where the device does not have one of them.
    pub(super) fn rollout(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        rollout: &Rollout<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        let names: Vec<&str> = rollout.records.iter().filter_map(|record| record.what.field_name()).collect();
        let gpu = &self.side().gpu;
        if rollout.control_spec & !ON_DEVICE != 0 || names.iter().any(|name| gpu.lacks(name).is_some()) {
            return self.on_the_cpu(worlds, select, operation);
        }
        let others = self.wish(worlds)?;
        self.side().want(&names)?;
        let mut called = Called::new(worlds, select);
        for k in 0..rollout.nstep {
            self.set_inputs(worlds, select, rollout, &called, k)?;
            if others && k + 1 == rollout.nstep {
                let last = Operation::Step { nstep: 1, stage: Stage::None, rnepost: false };
                self.observe(worlds, select, &mut called, &last)?;
            }
            if self.advance(worlds, &mut called, 1, false)? {
                return self.interrupted(worlds, select);
            }
            self.record(worlds, select, rollout, k)?;
            // those that have warned stop
            let bad: Vec<usize> = (0..worlds.count).filter(|&world| called.bad[world]).collect();
            bad.into_iter().for_each(|world| called.stop(world));
        }
        report(worlds, select, &called.bad);
        self.copy_results(worlds, select)
    }

    /// Runs an operation by the exact steps, from the rows; the device gets what they make of them.
    pub(super) fn on_the_cpu(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        check_history(worlds, operation.saves())?;
        self.side().refresh(worlds)?;
        self.exact.run(worlds, select, operation)?;
        if operation.saves() {
            self.side().changed = SIGNATURE;
            self.side().push(worlds)?;
            self.side().gpu.forward_marked(Stage::Acc, marks(worlds, select).as_deref(), false)?;
        }
        Ok(())
    }

    /// The fields of an operation of the CPU; the device's state is the one that counts. Worlds where that fails stop.
    fn observe(
        &mut self,
        worlds: &mut Worlds,
        select: Select<'_>,
        called: &mut Called,
        operation: &Operation<'_>,
    ) -> Result<(), BatchError> {
        check_history(worlds, true)?;
        self.side().refresh(worlds)?;
        self.exact.run(worlds, select, operation)?;
        self.side().stale |= ON_DEVICE;
        for world in ids(worlds.count, select) {
            match worlds.status.row(world)[0] {
                1.. => called.stop(world),
                0 => {}
                _ => called.bad[world] = true,
            }
        }
        Ok(())
    }

    /// Steps on the device; says whether the call has to end, with the state as it was.
    fn advance(
        &mut self,
        worlds: &Worlds,
        called: &mut Called,
        steps: usize,
        rnepost: bool,
    ) -> Result<bool, BatchError> {
        let side = self.side();
        let mut portion = (PORTION_DOFS / worlds.model.nv.max(1)).clamp(16, 1000);
        let before = if steps > portion { Some(side.keep()?) } else { None };
        let mut left = steps;
        while left > 0 {
            let (now, start) = (left.min(portion), Instant::now());
            left -= now;
            side.gpu.step_with(now, called.going.as_deref(), rnepost && left == 0)?;
            side.stale |= MOVING;
            if side.gpu.any_bad() {
                let status = side.gpu.take_status()?;
                called.bad.iter_mut().zip(status).for_each(|(bad, status)| *bad |= status.bad);
            }
            if start.elapsed() < PATIENCE {
                portion *= 2;
            }
            if left > 0 && worlds.watch.ends(0) {
                before
                    .into_iter()
                    .flatten()
                    .try_for_each(|(field, numbers)| side.gpu.write(field, &numbers))?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn interrupted(&mut self, worlds: &Worlds, select: Select<'_>) -> Result<(), BatchError> {
        for world in ids(worlds.count, select) {
            note(worlds, world, Some(WorldError::Interrupted));
        }
        Ok(())
    }

    /// Lets the kernels write the bound fields that they have; are there others?
    fn wish(&mut self, worlds: &Worlds) -> Result<bool, BatchError> {
        let (native, others) = self.bound(worlds);
        self.side().want(&native)?;
        Ok(others)
    }

    /// The bound fields that the kernels write; are there others?
    fn bound<'a>(&mut self, worlds: &'a Worlds) -> (Vec<&'a str>, bool) {
        let gpu = &self.side().gpu;
        let names = worlds.results.iter().map(|result| result.name.as_str());
        let (native, others): (Vec<&str>, Vec<&str>) = names.partition(|name| gpu.lacks(name).is_none());
        (native, !others.is_empty())
    }

    /// Copies the bound fields that the kernels have written, of the worlds of a call that did not fail.
    fn copy_results(&mut self, worlds: &Worlds, select: Select<'_>) -> Result<(), BatchError> {
        let (native, _) = self.bound(worlds);
        for result in worlds.results.iter().filter(|result| native.contains(&result.name.as_str())) {
            let (all, width) = (self.side().read(&result.name)?, result.values.width());
            for world in ids(worlds.count, select) {
                if worlds.status.row(world)[0] > 0 {
                    continue;
                }
                let row = &all[world * width..(world + 1) * width];
                // SAFETY: the batch is borrowed alone, and no thread runs a world.
                unsafe {
                    if result.name == "ncon" {
                        result.values.write_row(world, ArrayRef::I32(&[row[0] as i32]));
                    } else {
                        result.values.write_row(world, ArrayRef::F64(row));
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the inputs of step `k` into rows and sends them.
    fn set_inputs(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        rollout: &Rollout<'_>,
        called: &Called,
        k: usize,
    ) -> Result<(), BatchError> {
        if rollout.control.is_none() {
            return Ok(());
        }
        self.side().fetch(worlds, rollout.control_spec);
        for item in 0..select.len(worlds.count) {
            let world = select.world(item);
            let (Some(mut input), false) = (rollout.input(&worlds.layout, item, k), called.bad[world]) else {
                continue;
            };
            for part in
                worlds.layout.parts().iter().filter(|part| part.bit as i32 & rollout.control_spec != 0)
            {
                let (own, rest) = input.split_at(part.len);
                // SAFETY: as in `copy_results`.
                unsafe {
                    worlds.state.row_mut(world)[part.start..part.start + part.len].copy_from_slice(own)
                };
                input = rest;
            }
        }
        self.side().changed |= rollout.control_spec;
        self.side().push(worlds)
    }

    fn record(
        &mut self,
        worlds: &Worlds,
        select: Select<'_>,
        rollout: &Rollout<'_>,
        k: usize,
    ) -> Result<(), BatchError> {
        for record in rollout.records {
            let all = match record.what {
                Recorded::State(parts) => {
                    self.side().fetch(worlds, parts);
                    None
                }
                Recorded::Field(field) => Some(self.side().read(field.name())?),
            };
            for item in 0..select.len(worlds.count) {
                let world = select.world(item);
                let row: Vec<f64> = match (&all, record.what) {
                    (Some(all), _) => {
                        let width = all.len() / worlds.count;
                        all[world * width..(world + 1) * width].to_vec()
                    }
                    (None, Recorded::State(parts)) => row_parts(worlds, world, parts),
                    (None, Recorded::Field(_)) => continue,
                };
                // SAFETY: as in `copy_results`; an item has a part of its own.
                unsafe { write_record(&record.out, item, k, rollout.nstep, &row) };
            }
        }
        Ok(())
    }
}

/// Parts of the state of a world, in the order of its row.
fn row_parts(worlds: &Worlds, world: usize, parts: i32) -> Vec<f64> {
    let row = worlds.state.row(world);
    let wanted = worlds.layout.parts().iter().filter(|part| part.bit as i32 & parts != 0);
    wanted.flat_map(|part| row[part.start..part.start + part.len].iter().copied()).collect()
}

/// # Safety
/// Nobody else writes this item's part.
unsafe fn write_record(out: &RecordParts<'_>, item: usize, step: usize, nstep: usize, row: &[f64]) {
    // SAFETY: promised by the caller.
    unsafe {
        match out {
            RecordParts::F64(parts) => {
                let part = parts.part(item);
                let width = part.len() / nstep;
                part[step * width..(step + 1) * width].copy_from_slice(row);
            }
            RecordParts::I32(parts) => {
                let part = parts.part(item);
                let width = part.len() / nstep;
                part[step * width..(step + 1) * width]
                    .iter_mut()
                    .zip(row)
                    .for_each(|(to, &x)| *to = x as i32);
            }
            _ => debug_assert!(false, "the device has no such numbers"),
        }
    }
}

/// Outcomes of a call on the device. A world that failed on the CPU keeps its error.
fn report(worlds: &mut Worlds, select: Select<'_>, bad: &[bool]) {
    for world in ids(worlds.count, select).filter(|&world| bad[world]) {
        if worlds.status.row(world)[0] > 0 {
            continue;
        }
        // as an automatic reset leaves them
        clear_warnings(worlds, world);
        worlds.warning.values_mut()[world * NWARNING + Warning::Badqacc as usize] = [0, 1];
        let diverged = WorldError::Diverged { warning: Warning::Badqacc, index: -1, reset: true };
        note(worlds, world, Some(diverged));
    }
}

fn clear_warnings(worlds: &mut Worlds, world: usize) {
    worlds.warning.values_mut()[world * NWARNING..][..NWARNING].fill([0; 2]);
}

fn note(worlds: &Worlds, world: usize, error: Option<WorldError>) {
    // SAFETY: as in `copy_results`.
    unsafe {
        worlds.status.row_mut(world)[0] = error.as_ref().map_or(0, WorldError::status);
        worlds.errors.row_mut(world)[0] = error;
    }
}

/// Parts of the state that the device does not have go back to the initial state.
fn reset_rest(worlds: &Worlds, world: usize) {
    // SAFETY: as in `copy_results`.
    let row = unsafe { worlds.state.row_mut(world) };
    for part in worlds.layout.parts().iter().filter(|part| part.bit as i32 & ON_DEVICE == 0) {
        let own = &mut row[part.start..part.start + part.len];
        match part.bit {
            State::EqActive => {
                own.iter_mut().zip(&worlds.model.eq_active0[..]).for_each(|(to, &x)| *to = f64::from(x))
            }
            _ => own.fill(0.0),
        }
    }
}

/// Rows do not have the earlier controls that the device keeps for delayed actuators.
fn check_history(worlds: &Worlds, matters: bool) -> Result<(), BatchError> {
    if matters && worlds.model.nhistory > 0 {
        return Err(lacks("fields that are computed on the CPU beside delayed actuators"));
    }
    Ok(())
}
