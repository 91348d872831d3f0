//! Four worlds at a time: they have the bits that each of them has alone, in less time.

use super::{Crew, Exact, Kept, Workspace, can_continue, guarded, lock, noticed, renew, report, watch};
use crate::error::WorldError;
use crate::operation::{At, Operation};
use crate::worlds::{Select, Worlds};
use ligament_model::Model;
use ligament_sim::together::{Lanes, Member};
use std::sync::MutexGuard;

impl Exact {
    /// Runs an operation on four worlds together, on the thread that has this place; false where that is not possible.
    pub(crate) fn four(&self, worlds: &Worlds, place: usize, at: [At; 4], operation: &Operation<'_>) -> bool {
        let can = self.can_run_together(worlds, operation);
        if can {
            self.crew.four(worlds, place, at, operation);
        }
        can
    }

    /// Whether worlds are taken four at a time, which must leave no thread without work.
    pub(super) fn in_fours(&self, worlds: &Worlds, count: usize, operation: &Operation<'_>) -> bool {
        count >= 4 * self.crew.workspaces.len() && self.can_run_together(worlds, operation)
    }

    /// Do the worlds share their model, and is the operation made of stages that they can compute together?
    fn can_run_together(&self, worlds: &Worlds, operation: &Operation<'_>) -> bool {
        operation.is_made_of_stages()
            && worlds.models.is_none()
            && worlds.parameters.is_empty()
            && !worlds.callbacks.take_part()
            && Self::in_quartets(&worlds.model, worlds.count)
    }

    /// Runs an operation on all worlds of a call, four at a time; what is left over goes one by one.
    pub(super) fn each_four(&mut self, worlds: &Worlds, select: Select<'_>, operation: &Operation<'_>) {
        let (crew, count) = (&self.crew, select.len(worlds.count));
        let at = |item: usize| At { item, world: select.world(item) };
        self.pool.run(&mut self.team, count.div_ceil(4), &|place, group| {
            let first = 4 * group;
            if first + 4 <= count {
                crew.four(worlds, place, std::array::from_fn(|k| at(first + k)), operation);
            } else {
                (first..count).for_each(|item| crew.one(worlds, place, at(item), operation));
            }
        });
    }
}

impl Crew {
    /// Runs an operation on four worlds. Where that fails as a whole (a panic, say), nothing has been kept, and each of them is
    /// tried alone.
    fn four(&self, worlds: &Worlds, place: usize, at: [At; 4], operation: &Operation<'_>) {
        let Err(error) = guarded(|| self.try_four(worlds, place, at, operation)) else { return };
        if matches!(error, WorldError::Panic(_)) {
            lock(&self.workspaces[place]).all_data().for_each(|data| renew(&worlds.model, data));
            for kept in at.iter().filter_map(|at| self.kept.get(at.world)) {
                renew(&worlds.model, &mut lock(kept).data);
            }
        }
        for at in at {
            self.one(worlds, place, at, operation);
        }
    }

    fn try_four(
        &self,
        worlds: &Worlds,
        place: usize,
        at: [At; 4],
        operation: &Operation<'_>,
    ) -> Result<(), WorldError> {
        let mut workspace = lock(&self.workspaces[place]);
        let Workspace { data, quartet: Some(quartet), .. } = &mut *workspace else {
            unreachable!("asked before");
        };
        let call = Call { worlds, place, at, operation };
        if !self.kept.is_empty() {
            let mut kept = at.map(|at| lock(&self.kept[at.world]));
            return call.run_kept(&mut kept, &mut quartet.lanes);
        }
        let (mut four, lanes) = quartet.with(data);
        for member in &mut four {
            worlds.clear_results(member.data);
        }
        call.run(four, lanes, [false; 4])?;
        Ok(())
    }
}

/// An operation on four worlds.
struct Call<'a> {
    worlds: &'a Worlds,
    place: usize,
    at: [At; 4],
    operation: &'a Operation<'a>,
}

impl Call<'_> {
    /// Runs it on data that are kept between calls.
    fn run_kept(&self, kept: &mut [MutexGuard<'_, Kept>; 4], lanes: &mut Lanes) -> Result<(), WorldError> {
        let Self { worlds, at, operation, .. } = *self;
        let steps = matches!(operation, Operation::Step { nstep: 1.., .. });
        let model = &*worlds.model;
        let continued = [0, 1, 2, 3].map(|k| steps && can_continue(worlds, at[k].world, model, &kept[k]));
        for kept in kept.iter_mut() {
            kept.current = false;
        }
        let well = self.run(kept.each_mut().map(|kept| Member::new(&mut kept.data)), lanes, continued)?;
        for ((kept, at), well) in kept.iter_mut().zip(at).zip(well) {
            if well {
                kept.note(worlds, at.world, operation);
            }
        }
        Ok(())
    }

    /// Loads the worlds, runs the operation, keeps what came of it; says which worlds it went well in. An error says that nothing
    /// was kept.
    #[allow(unsafe_code)] // rows of shared tables
    fn run(
        &self,
        mut four: [Member<'_>; 4],
        lanes: &mut Lanes,
        continued: [bool; 4],
    ) -> Result<[bool; 4], WorldError> {
        let Self { worlds, place, at, operation } = *self;
        let model: &Model = &worlds.model;
        for (member, at) in four.iter_mut().zip(at) {
            worlds.load(at.world, model, member.data)?;
        }
        let before = four.each_mut().map(|member| watch(member.data));
        let ends = || worlds.watch.ends(place);
        operation.perform_together(model, (&mut four, lanes), at.map(|at| at.item), continued, &ends)?;
        let mut well = [false; 4];
        for (k, Member { data, outcome, .. }) in four.into_iter().enumerate() {
            let world = at[k].world;
            let outcome = outcome.map_err(WorldError::from).and_then(|()| {
                let diverged = noticed(model, data, &before[k]);
                // SAFETY: a call runs each world once, on one thread; nobody else touches its rows meanwhile.
                unsafe {
                    worlds.save(world, model, data)?;
                    worlds.copy_results(world, data);
                }
                Ok(diverged)
            });
            well[k] = matches!(outcome, Ok(None));
            report(worlds, world, outcome.unwrap_or_else(Some));
        }
        Ok(well)
    }
}
