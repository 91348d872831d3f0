//! Four worlds at a time: they have the bits that each of them has alone, in less time.

use super::{Crew, Exact, Kept, Workspace, can_continue, guarded, lock, noticed, renew, report, watch};
use crate::error::WorldError;
use crate::operation::{At, Operation, Staged};
use crate::worlds::{Select, Worlds};
use ligament_model::Model;
use ligament_sim::together::{Lanes, Member};
use std::sync::MutexGuard;

impl Exact {
    /// Runs an operation on four worlds together, on the thread that has this place; false where that is not possible.
    pub(crate) fn four(&self, worlds: &Worlds, place: usize, at: [At; 4], operation: &Operation<'_>) -> bool {
        let job = self.together(worlds, operation);
        if let Some(job) = job {
            self.crew.four(worlds, place, at, job);
        }
        job.is_some()
    }

    /// The operation as worlds run it four at a time, which must leave no thread without work.
    pub(super) fn in_fours<'a>(
        &self,
        worlds: &Worlds,
        count: usize,
        operation: &'a Operation<'a>,
    ) -> Option<Together<'a>> {
        if count >= 4 * self.crew.workspaces.len() { self.together(worlds, operation) } else { None }
    }

    /// The operation, if the worlds share their model and it is made of stages that they can compute together.
    fn together<'a>(&self, worlds: &Worlds, operation: &'a Operation<'a>) -> Option<Together<'a>> {
        let can = worlds.models.is_none()
            && worlds.parameters.is_empty()
            && !worlds.callbacks.take_part()
            && Self::in_quartets(&worlds.model, worlds.count);
        operation.staged().filter(|_| can).map(|staged| Together { operation, staged })
    }

    /// Runs an operation on all worlds of a call, four at a time where a thread has many.
    pub(super) fn each_four(&mut self, worlds: &Worlds, select: Select<'_>, job: Together<'_>) {
        let (crew, threads) = (&self.crew, self.crew.workspaces.len());
        let at = |item: usize| At { item, world: select.world(item) };
        let deal = Deal { count: select.len(worlds.count), threads };
        self.pool.run_in_rounds(&mut self.team, deal.pieces(), &|place, piece| match deal.piece(piece) {
            Piece::Four(first) => crew.four(worlds, place, std::array::from_fn(|k| at(first + k)), job),
            Piece::One(item) => crew.one(worlds, place, at(item), job.operation),
            Piece::None => {}
        });
    }
}

/// How worlds are dealt out: every thread has neighbours, most of them in fours. The last ones go one by one, when all fours are
/// taken: with as many of these as a four has, nobody waits for those who are still at one.
struct Deal {
    count: usize,
    threads: usize,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Four(usize),
    One(usize),
    None,
}

impl Deal {
    /// How many fours and how many single worlds so many of a thread make.
    fn cut(&self, worlds: usize) -> [usize; 2] {
        let last = if self.threads > 1 { 4 } else { 0 };
        let fours = worlds.saturating_sub(last) / 4;
        [fours, worlds - 4 * fours]
    }

    /// Fours and single worlds of a thread, at most.
    fn most(&self) -> [usize; 2] {
        let (least, most) =
            (self.cut(self.count / self.threads), self.cut(self.count.div_ceil(self.threads)));
        std::array::from_fn(|k| least[k].max(most[k]))
    }

    /// Pieces of the two rounds; the last of a thread may be empty.
    fn pieces(&self) -> [usize; 2] {
        self.most().map(|pieces| pieces * self.threads)
    }

    fn piece(&self, number: usize) -> Piece {
        let [most_fours, most_ones] = self.most();
        let in_fours = number < most_fours * self.threads;
        let (number, most) =
            if in_fours { (number, most_fours) } else { (number - most_fours * self.threads, most_ones) };
        let (thread, piece) = (number / most, number % most);
        let (first, end) = (thread * self.count / self.threads, (thread + 1) * self.count / self.threads);
        let [fours, ones] = self.cut(end - first);
        match in_fours {
            true if piece < fours => Piece::Four(first + 4 * piece),
            false if piece < ones => Piece::One(first + 4 * fours + piece),
            _ => Piece::None,
        }
    }
}

/// An operation that worlds can run together.
#[derive(Clone, Copy)]
pub(super) struct Together<'a> {
    operation: &'a Operation<'a>,
    staged: Staged<'a>,
}

impl Crew {
    /// Runs an operation on four worlds. Where that fails as a whole (a panic, say, or no memory for four), nothing has been kept,
    /// and each of them is tried alone.
    fn four(&self, worlds: &Worlds, place: usize, at: [At; 4], job: Together<'_>) {
        match guarded(|| self.try_four(worlds, place, at, job)) {
            Ok(true) => return,
            Err(WorldError::Panic(_)) => {
                lock(&self.workspaces[place]).all_data().for_each(|data| renew(&worlds.model, data));
                for kept in at.iter().filter_map(|at| self.kept.get(at.world)) {
                    renew(&worlds.model, &mut lock(kept).data);
                }
            }
            Ok(false) | Err(_) => {}
        }
        for at in at {
            self.one(worlds, place, at, job.operation);
        }
    }

    /// False where the thread has no working memory for four.
    fn try_four(
        &self,
        worlds: &Worlds,
        place: usize,
        at: [At; 4],
        job: Together<'_>,
    ) -> Result<bool, WorldError> {
        let mut workspace = lock(&self.workspaces[place]);
        let Workspace { data, quartet: Some(quartet), .. } = &mut *workspace else { return Ok(false) };
        let call = Call { worlds, place, at, job };
        if !self.kept.is_empty() {
            let mut kept = at.map(|at| lock(&self.kept[at.world]));
            call.run_kept(&mut kept, &mut quartet.lanes)?;
            return Ok(true);
        }
        let (mut four, lanes) = quartet.with(data);
        for member in &mut four {
            worlds.clear_results(member.data);
        }
        call.run(four, lanes, [false; 4])?;
        Ok(true)
    }
}

/// An operation on four worlds.
struct Call<'a> {
    worlds: &'a Worlds,
    place: usize,
    at: [At; 4],
    job: Together<'a>,
}

impl Call<'_> {
    /// Runs it on data that are kept between calls.
    fn run_kept(&self, kept: &mut [MutexGuard<'_, Kept>; 4], lanes: &mut Lanes) -> Result<(), WorldError> {
        let Self { worlds, at, job, .. } = *self;
        let steps = matches!(job.staged, Staged::Step { nstep: 1.., .. });
        let model = &*worlds.model;
        let continued = [0, 1, 2, 3].map(|k| steps && can_continue(worlds, at[k].world, model, &kept[k]));
        for kept in kept.iter_mut() {
            kept.current = false;
        }
        let well = self.run(kept.each_mut().map(|kept| Member::new(&mut kept.data)), lanes, continued)?;
        for ((kept, at), well) in kept.iter_mut().zip(at).zip(well) {
            if well {
                kept.note(worlds, at.world, job.operation);
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
        let Self { worlds, place, at, job } = *self;
        let model: &Model = &worlds.model;
        for (member, at) in four.iter_mut().zip(at) {
            worlds.load(at.world, model, member.data)?;
        }
        let before = four.each_mut().map(|member| watch(member.data));
        let ends = || worlds.watch.ends(place);
        job.staged.perform(model, (&mut four, lanes), at.map(|at| at.item), continued, &ends)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_world_is_in_one_piece() {
        for threads in 1..18 {
            for count in 0..200 {
                let deal = Deal { count, threads };
                let mut seen = vec![0; count];
                for piece in 0..deal.pieces().iter().sum() {
                    match deal.piece(piece) {
                        Piece::Four(first) => seen[first..first + 4].iter_mut().for_each(|n| *n += 1),
                        Piece::One(item) => seen[item] += 1,
                        Piece::None => {}
                    }
                }
                assert!(seen.iter().all(|&n| n == 1), "{threads} threads, {count} worlds: {seen:?}");
            }
        }
    }

    #[test]
    fn most_worlds_go_in_fours() {
        let deal = Deal { count: 1024, threads: 16 };
        let fours = (0..deal.pieces()[0]).filter(|&k| matches!(deal.piece(k), Piece::Four(_))).count();
        assert_eq!(fours, 16 * 15);
    }
}
