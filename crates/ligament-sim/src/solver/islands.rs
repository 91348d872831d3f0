//! Islands, one after the other or side by side: none depends on another, so that the numbers are the same.

use super::primal::Search;
use super::{blocks, primal};
use crate::constraint::ConeHessian;
use crate::parallel::{self, Deal, MAX_PIECES};
use crate::workspace::{Scratches as _, SideBySide, SolverScratch, StartPoint};
use ligament_model::constants::{NISLAND, NSOLVER};
use ligament_model::data::SolverStat;
use ligament_model::{Data, Model};
use std::ops::Range;

/// Rows below which threads cost more than they save.
const MIN_ROWS: usize = 200;

/// Pieces a thread gets: more than one, since islands take different numbers of iterations.
const PIECES: usize = 4;

/// Rows of an island that all threads may solve together.
const MIN_TOGETHER: i32 = 1000;

/// Solves all islands, from the point `s.start`.
pub(super) fn solve(m: &Model, search: &Search, d: &mut Data, s: &mut SolverScratch) {
    let start = std::mem::take(&mut s.start);
    if d.threads >= 2 && d.nefc >= MIN_ROWS && d.nisland >= 2 {
        s.effort = solve_side_by_side(m, search, d, &start, s.effort);
    } else {
        for island in 0..d.nisland {
            blocks::gather(m, d, &start, Some(island), search.newton, s);
            primal::solve(search, d, Some(island), s);
        }
    }
    s.start = start;
}

/// [`solve`] with several threads; takes and returns the operations that are left.
#[inline(never)]
fn solve_side_by_side(m: &Model, search: &Search, d: &mut Data, start: &StartPoint, effort: u64) -> u64 {
    let mut work = std::mem::take(&mut d.workspace.scratch().side_by_side);
    work.solve(Problem::of(m, search, d, start), effort);
    let left = work.write_back(d, search.newton, effort);
    d.workspace.scratch().side_by_side = work;
    left
}

/// What is the same for all islands.
#[derive(Clone, Copy)]
struct Problem<'a> {
    m: &'a Model,
    search: &'a Search,
    d: &'a Data,
    start: &'a StartPoint,
    /// Islands with more to do are solved by all threads together.
    most: u64,
}

/// Where the results of consecutive islands go, in island numbering.
struct Results<'a> {
    qacc: &'a mut [f64],
    qfrc_constraint: &'a mut [f64],
    force: &'a mut [f64],
    state: &'a mut [i32],
    /// Empty without curved cones.
    cones: &'a mut [ConeHessian],
    /// Iterations and entries of the factor.
    counts: &'a mut [(i32, i32)],
    /// Of the islands that are recorded.
    statistics: &'a mut [SolverStat],
}

impl<'a> Results<'a> {
    /// Those of one island.
    fn of_island(&mut self, d: &Data, island: usize) -> Results<'_> {
        let range = |start: i32, count: i32| start as usize..start as usize + count as usize;
        let dofs = range(d.island_idofadr[island], d.island_nv[island]);
        let rows = range(d.island_iefcadr[island], d.island_nefc[island]);
        let recorded = |island: usize| (island * NSOLVER).min(self.statistics.len());
        let recorded = recorded(island)..recorded(island + 1);
        let cones = if self.cones.is_empty() { 0..0 } else { rows.clone() };
        Results {
            qacc: &mut self.qacc[dofs.clone()],
            qfrc_constraint: &mut self.qfrc_constraint[dofs],
            force: &mut self.force[rows.clone()],
            state: &mut self.state[rows],
            cones: &mut self.cones[cones],
            counts: &mut self.counts[island..island + 1],
            statistics: &mut self.statistics[recorded],
        }
    }

    /// Those of the first islands, and those of the others.
    fn split(self, islands: usize, dofs: usize, rows: usize) -> (Self, Self) {
        let recorded = (islands * NSOLVER).min(self.statistics.len());
        let (qacc, qacc2) = self.qacc.split_at_mut(dofs);
        let (qfrc_constraint, qfrc_constraint2) = self.qfrc_constraint.split_at_mut(dofs);
        let (force, force2) = self.force.split_at_mut(rows);
        let (state, state2) = self.state.split_at_mut(rows);
        let (cones, cones2) = self.cones.split_at_mut(rows.min(self.cones.len()));
        let (counts, counts2) = self.counts.split_at_mut(islands);
        let (statistics, statistics2) = self.statistics.split_at_mut(recorded);
        (
            Self { qacc, qfrc_constraint, force, state, cones, counts, statistics },
            Self {
                qacc: qacc2,
                qfrc_constraint: qfrc_constraint2,
                force: force2,
                state: state2,
                cones: cones2,
                counts: counts2,
                statistics: statistics2,
            },
        )
    }

    /// Takes the results of the only island from where it was solved.
    fn store(self, s: &SolverScratch, counts: (i32, i32)) {
        self.qacc.copy_from_slice(&s.qacc);
        self.qfrc_constraint.copy_from_slice(&s.qfrc_constraint);
        self.force.copy_from_slice(&s.force);
        self.state.copy_from_slice(&s.state);
        if s.cones.is_empty() {
            self.cones.fill(primal::UNSET);
        } else {
            self.cones.copy_from_slice(&s.cones);
        }
        self.counts[0] = counts;
    }
}

/// Consecutive islands in pieces with about as much to do, without those that all threads solve together.
struct Pieces<'a> {
    problem: Problem<'a>,
    islands: Range<usize>,
    results: Option<Results<'a>>,
    /// What is left to do, and how many pieces it should be.
    work: u64,
    count: usize,
}

impl<'a> Pieces<'a> {
    fn of(problem: Problem<'a>, results: Results<'a>, count: usize) -> Self {
        let islands = 0..problem.d.nisland;
        let alone = islands.clone().filter(|&island| !problem.is_for_all(island));
        let work = alone.map(|island| problem.work(island)).sum();
        Self { problem, islands, results: Some(results), work, count }
    }

    /// How many islands the next piece has, and what there is to do.
    fn next_share(&self) -> (usize, u64) {
        let share = self.work / self.count.max(1) as u64;
        let (mut count, mut work) = (0, 0);
        for island in self.islands.clone().take_while(|&island| !self.problem.is_for_all(island)) {
            if work >= share && count > 0 && self.count >= 2 {
                break;
            }
            (count, work) = (count + 1, work + self.problem.work(island));
        }
        (count, work)
    }

    /// Takes the first islands.
    fn take(&mut self, count: usize) -> Option<(Range<usize>, Results<'a>)> {
        let Range { start, end } = self.islands;
        let own = start..start + count;
        let (results, rest) = split(self.problem.d, self.results.take()?, own.clone(), end);
        self.islands.start = own.end;
        self.results = Some(rest);
        Some((own, results))
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (Range<usize>, Results<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let left_out = self.islands.clone().take_while(|&island| self.problem.is_for_all(island)).count();
        self.take(left_out)?;
        let (count, work) = self.next_share();
        self.work -= work;
        self.count = self.count.saturating_sub(1);
        self.take(count).filter(|_| count > 0)
    }
}

/// Results of the first of some islands, which end at `end`, and those of the others.
fn split<'a>(d: &Data, results: Results<'a>, first: Range<usize>, end: usize) -> (Results<'a>, Results<'a>) {
    if first.end == end {
        let (dofs, rows) = (results.qacc.len(), results.force.len());
        return results.split(first.len(), dofs, rows);
    }
    let dofs = d.island_idofadr[first.end] - d.island_idofadr[first.start];
    let rows = d.island_iefcadr[first.end] - d.island_iefcadr[first.start];
    results.split(first.len(), dofs as usize, rows as usize)
}

/// Consecutive islands, where their results go, and what solves them.
type Piece<'a> = ((Range<usize>, Results<'a>), &'a mut SolverScratch);

impl<'a> Problem<'a> {
    fn of(m: &'a Model, search: &'a Search, d: &'a Data, start: &'a StartPoint) -> Self {
        let problem = Self { m, search, d, start, most: 0 };
        let work: u64 = (0..d.nisland).map(|island| problem.work(island)).sum();
        // a thread alone with more than this would still be at work when the others have done the rest: to work together
        // costs each of them about a quarter more
        Self { most: work / 4 * 5 / d.threads as u64, ..problem }
    }

    /// About how much there is to do: an island takes longer the more rows and the more degrees of freedom it has.
    fn work(self, island: usize) -> u64 {
        u64::from(self.d.island_nefc[island].unsigned_abs())
            * u64::from(self.d.island_nv[island].unsigned_abs())
    }

    /// Do all threads solve an island together?
    fn is_for_all(self, island: usize) -> bool {
        self.work(island) > self.most && self.d.island_nefc[island] >= MIN_TOGETHER
    }

    /// Solves pieces side by side, those that take longest first: nobody waits for one that was begun last.
    fn solve_pieces<'b>(self, mut pieces: impl Iterator<Item = Piece<'b>>) {
        loop {
            let mut waiting = [const { None }; MAX_PIECES];
            let mut count = 0;
            for (slot, piece) in waiting.iter_mut().zip(&mut pieces) {
                *slot = Some(piece);
                count += 1;
            }
            if count == 0 {
                return;
            }
            let waiting = &mut waiting[..count];
            let work = |islands: &Range<usize>| islands.clone().map(|island| self.work(island)).sum::<u64>();
            let work = |piece: &Option<Piece>| piece.as_ref().map(|((islands, _), _)| work(islands));
            waiting.sort_unstable_by_key(|piece| std::cmp::Reverse(work(piece)));
            let pieces = waiting.iter_mut().filter_map(Option::take);
            parallel::each_dealt(self.d.threads, Deal::Turns, pieces, |((islands, results), s)| {
                self.solve_range(islands, results, s);
            });
        }
    }

    /// Solves consecutive islands one after the other.
    fn solve_range(self, islands: Range<usize>, mut results: Results, s: &mut SolverScratch) {
        for island in islands.clone() {
            let (own, rest) = split(self.d, results, island..island + 1, islands.end);
            self.solve_island(island, own, s);
            results = rest;
        }
    }

    fn solve_island(self, island: usize, results: Results, s: &mut SolverScratch) {
        let Problem { m, search, d, start, .. } = self;
        blocks::gather(m, d, start, Some(island), search.newton, s);
        let iterations = primal::minimise(search, &d.contact, Some(island), results.statistics, s);
        let counts = (iterations, primal::factor_entries(search.newton, s));
        let rest = Results { statistics: &mut [], ..results };
        rest.store(s, counts);
    }
}

impl SideBySide {
    fn prepare(&mut self, d: &Data, pieces: usize, newton: bool, effort: u64) {
        let curved = newton && primal::has_cones(&d.efc_type);
        self.solvers.resize_with(pieces.max(self.solvers.len()), SolverScratch::default);
        self.pieces = pieces;
        for s in &mut self.solvers[..pieces] {
            s.effort = effort;
            s.memory = d.memory_for_matrices();
            s.threads = d.threads;
        }
        self.qacc.resize(d.nidof, 0.0);
        self.qfrc_constraint.resize(d.nidof, 0.0);
        self.force.resize(d.nefc, 0.0);
        self.state.resize(d.nefc, 0);
        self.cones.resize(if curved { d.nefc } else { 0 }, primal::UNSET);
        self.counts.resize(d.nisland, (0, 0));
        self.statistics.resize(d.nisland.min(NISLAND) * NSOLVER, SolverStat::default());
    }

    fn solve(&mut self, problem: Problem, effort: u64) {
        let Problem { d, search, .. } = problem;
        let for_all = || (0..d.nisland).filter(|&island| problem.is_for_all(island));
        let count = parallel::pieces(d.threads, PIECES);
        // a piece ends when it has its share, or at an island that is solved by all
        let (first, most) = (for_all().count(), count + 1 + for_all().count());
        self.prepare(d, first + most.min(d.nisland), search.newton, effort);
        let mut results = Results {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            cones: &mut self.cones,
            counts: &mut self.counts,
            statistics: &mut self.statistics,
        };
        // working memory of large islands serves no others: lists that become shorter have to be filled when they grow again
        let (own, solvers) = self.solvers[..self.pieces].split_at_mut(first);
        for (island, solver) in for_all().zip(own) {
            problem.solve_island(island, results.of_island(d, island), solver);
        }
        problem.solve_pieces(Pieces::of(problem, results, count).zip(solvers));
    }

    /// Puts the results where they belong; returns what is left of the operations allowed.
    fn write_back(&self, d: &mut Data, newton: bool, effort: u64) -> u64 {
        for (k, &dof) in d.map_idof2dof[..d.nidof].iter().enumerate() {
            d.qacc[dof as usize] = self.qacc[k];
            d.qfrc_constraint[dof as usize] = self.qfrc_constraint[k];
        }
        for (k, &row) in d.map_iefc2efc.iter().enumerate() {
            d.efc_force[row as usize] = self.force[k];
            d.efc_state[row as usize] = self.state[k];
        }
        for (cone, &row) in self.cones.iter().zip(&d.map_iefc2efc).filter(|(cone, _)| primal::is_set(cone)) {
            d.contact[d.efc_id[row as usize] as usize].H = *cone;
        }
        for (slot, &(iterations, entries)) in self.counts.iter().enumerate().take(NISLAND) {
            d.solver_niter[slot] += iterations;
            d.solver_nnz[slot] = if newton { entries } else { 0 };
            let recorded = slot * NSOLVER..slot * NSOLVER + (iterations.max(0) as usize).min(NSOLVER);
            d.solver[recorded.clone()].copy_from_slice(&self.statistics[recorded]);
        }
        let spent = self.solvers[..self.pieces].iter().map(|s| effort - s.effort);
        spent.fold(effort, u64::saturating_sub)
    }
}
