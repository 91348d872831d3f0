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
    let side_by_side = d.threads >= 2 && d.nefc >= MIN_ROWS && d.nisland >= 2;
    let largest = Largest { most: if side_by_side { Largest::most(d) } else { 0 } };
    for island in 0..d.nisland {
        if !side_by_side || largest.has(d, island) {
            blocks::gather(m, d, &start, Some(island), search.newton, s);
            primal::solve(search, d, Some(island), s);
        }
    }
    if side_by_side {
        s.effort = solve_side_by_side(m, search, d, (&start, largest), s.effort);
    }
    s.start = start;
}

/// Solves all but the largest islands with several threads; takes and returns the operations that are left.
#[inline(never)]
fn solve_side_by_side(
    m: &Model,
    search: &Search,
    d: &mut Data,
    (start, largest): (&StartPoint, Largest),
    effort: u64,
) -> u64 {
    let mut work = std::mem::take(&mut d.workspace.scratch().side_by_side);
    // a piece ends when it has its share, or at an island that is left out
    let own = (0..d.nisland).filter(|&island| !largest.has(d, island)).count();
    let count = parallel::pieces(d.threads, PIECES);
    work.prepare(d, own.min(count + 1 + d.nisland - own), search.newton, effort);
    work.solve(Problem { m, search, d, start, largest }, count);
    let left = work.write_back(d, largest, search.newton, effort);
    d.workspace.scratch().side_by_side = work;
    left
}

/// Islands that all threads solve together, one after the other: a thread alone would still be at work when the others have
/// done the rest.
#[derive(Clone, Copy)]
struct Largest {
    /// They have more to do than this.
    most: u64,
}

impl Largest {
    /// Where to work together costs each thread about a quarter more.
    fn most(d: &Data) -> u64 {
        let work: u64 = (0..d.nisland).map(|island| Self::work(d, island)).sum();
        work / 4 * 5 / d.threads as u64
    }

    /// About how much there is to do: an island takes longer the more rows and the more degrees of freedom it has.
    fn work(d: &Data, island: usize) -> u64 {
        u64::from(d.island_nefc[island].unsigned_abs()) * u64::from(d.island_nv[island].unsigned_abs())
    }

    fn has(self, d: &Data, island: usize) -> bool {
        Self::work(d, island) > self.most && d.island_nefc[island] >= MIN_TOGETHER
    }
}

/// What is the same for all islands.
#[derive(Clone, Copy)]
struct Problem<'a> {
    m: &'a Model,
    search: &'a Search,
    d: &'a Data,
    start: &'a StartPoint,
    largest: Largest,
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

/// Consecutive islands in pieces with about as much to do, without the largest.
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
        let own = islands.clone().filter(|&island| !problem.is_left_out(island));
        let work = own.map(|island| Largest::work(problem.d, island)).sum();
        Self { problem, islands, results: Some(results), work, count }
    }

    /// How many islands the next piece has, and what there is to do.
    fn next_share(&self) -> (usize, u64) {
        let share = self.work / self.count.max(1) as u64;
        let (mut count, mut work) = (0, 0);
        for island in self.islands.clone().take_while(|&island| !self.problem.is_left_out(island)) {
            if work >= share && count > 0 && self.count >= 2 {
                break;
            }
            (count, work) = (count + 1, work + Largest::work(self.problem.d, island));
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
        let left_out = self.islands.clone().take_while(|&island| self.problem.is_left_out(island)).count();
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

impl Problem<'_> {
    fn is_left_out(self, island: usize) -> bool {
        self.largest.has(self.d, island)
    }

    /// Solves pieces side by side, those that take longest first: nobody waits for one that was begun last.
    fn solve_pieces<'a>(self, mut pieces: impl Iterator<Item = Piece<'a>>) {
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
            let work = |islands: &Range<usize>| {
                islands.clone().map(|island| Largest::work(self.d, island)).sum::<u64>()
            };
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

    fn solve(&mut self, problem: Problem, count: usize) {
        let results = Results {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            cones: &mut self.cones,
            counts: &mut self.counts,
            statistics: &mut self.statistics,
        };
        let solvers = &mut self.solvers[..self.pieces];
        problem.solve_pieces(Pieces::of(problem, results, count).zip(solvers));
    }

    /// Puts the results where they belong; returns what is left of the operations allowed.
    fn write_back(&self, d: &mut Data, largest: Largest, newton: bool, effort: u64) -> u64 {
        for island in 0..d.nisland {
            if largest.has(d, island) {
                continue; // is there already
            }
            let first = d.island_idofadr[island] as usize;
            for (k, &dof) in (first..).zip(&d.map_idof2dof[first..first + d.island_nv[island] as usize]) {
                d.qacc[dof as usize] = self.qacc[k];
                d.qfrc_constraint[dof as usize] = self.qfrc_constraint[k];
            }
            let first = d.island_iefcadr[island] as usize;
            let rows = first..first + d.island_nefc[island] as usize;
            for (k, &row) in (first..).zip(&d.map_iefc2efc[rows.clone()]) {
                d.efc_force[row as usize] = self.force[k];
                d.efc_state[row as usize] = self.state[k];
            }
            let cones = self.cones.iter().zip(&d.map_iefc2efc).take(rows.end).skip(first);
            for (cone, &row) in cones.filter(|(cone, _)| primal::is_set(cone)) {
                d.contact[d.efc_id[row as usize] as usize].H = *cone;
            }
            if island < NISLAND {
                let (iterations, entries) = self.counts[island];
                d.solver_niter[island] += iterations;
                d.solver_nnz[island] = if newton { entries } else { 0 };
                let recorded = (iterations.max(0) as usize).min(NSOLVER);
                let recorded = island * NSOLVER..island * NSOLVER + recorded;
                d.solver[recorded.clone()].copy_from_slice(&self.statistics[recorded]);
            }
        }
        let spent = self.solvers[..self.pieces].iter().map(|s| effort - s.effort);
        spent.fold(effort, u64::saturating_sub)
    }
}
