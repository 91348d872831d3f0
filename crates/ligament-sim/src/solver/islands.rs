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
    work.prepare(d, parallel::pieces(d.threads, PIECES).min(d.nisland), search.newton, effort);
    work.solve(m, search, d, start);
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

/// Consecutive islands in pieces of about as many rows.
struct Pieces<'a> {
    d: &'a Data,
    islands: Range<usize>,
    results: Option<Results<'a>>,
    count: usize,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (Range<usize>, Results<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let results = self.results.take().filter(|_| !self.islands.is_empty())?;
        let Range { start, end } = self.islands;
        let row = |island: usize| self.d.island_iefcadr[island];
        let last = row(end - 1) + self.d.island_nefc[end - 1];
        let target = row(start) + (last - row(start)) / self.count.max(1) as i32;
        let cut = start + self.d.island_iefcadr[start..end].partition_point(|&adr| adr < target);
        let cut = if self.count < 2 { end } else { cut.max(start + 1) };
        let (first, rest) = split(self.d, results, start..cut, end);
        self.islands.start = cut;
        self.results = Some(rest);
        self.count = self.count.saturating_sub(1);
        Some((start..cut, first))
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
    /// Solves pieces side by side, those that take longest first: nobody waits for one that was begun last.
    fn solve_pieces<'a>(self, threads: usize, mut pieces: impl Iterator<Item = Piece<'a>>) {
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
            let work =
                |piece: &Option<Piece>| piece.as_ref().map(|((islands, _), _)| self.work(islands.clone()));
            waiting.sort_unstable_by_key(|piece| std::cmp::Reverse(work(piece)));
            let pieces = waiting.iter_mut().filter_map(Option::take);
            parallel::each_dealt(threads, Deal::Turns, pieces, |((islands, results), s)| {
                self.solve_range(islands, results, s);
            });
        }
    }

    /// About how much there is to do: an island takes longer the more rows and the more degrees of freedom it has.
    fn work(self, islands: Range<usize>) -> i64 {
        let (rows, dofs) = (&self.d.island_nefc[islands.clone()], &self.d.island_nv[islands]);
        rows.iter().zip(dofs).map(|(&rows, &dofs)| i64::from(rows) * i64::from(dofs)).sum()
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
        let Problem { m, search, d, start } = self;
        blocks::gather(m, d, start, Some(island), search.newton, s);
        let iterations = primal::minimise(search, &d.contact, Some(island), results.statistics, s);
        let counts = (iterations, primal::factor_entries(search.newton, s));
        let rest = Results { statistics: &mut [], ..results };
        rest.store(s, counts);
    }

    /// The island that has most of all rows, if there is one.
    fn largest(self) -> Option<usize> {
        let rows = &self.d.island_nefc[..self.d.nisland];
        rows.iter().position(|&rows| 2 * rows as usize > self.d.nefc)
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

    fn solve(&mut self, m: &Model, search: &Search, d: &Data, start: &StartPoint) {
        let results = Results {
            qacc: &mut self.qacc,
            qfrc_constraint: &mut self.qfrc_constraint,
            force: &mut self.force,
            state: &mut self.state,
            cones: &mut self.cones,
            counts: &mut self.counts,
            statistics: &mut self.statistics,
        };
        let problem = Problem { m, search, d, start };
        let (threads, count, end) = (d.threads, self.pieces, d.nisland);
        let solvers = &mut self.solvers[..count];
        let Some(largest) = problem.largest() else {
            let pieces = Pieces { d, islands: 0..end, results: Some(results), count };
            return problem.solve_pieces(threads, pieces.zip(solvers));
        };
        // threads work on the largest island together, and on the others side by side
        let (before, results) = split(d, results, 0..largest, end);
        let (own, after) = split(d, results, largest..largest + 1, end);
        // its working memory serves no other island: lists that become shorter have to be filled when they grow again
        let (solver, solvers) = solvers.split_first_mut().expect("as many as pieces");
        problem.solve_island(largest, own, solver);
        // two pieces are two islands, one of which was the largest
        let count = count - 1;
        let before = Pieces { d, islands: 0..largest, results: Some(before), count: count / 2 };
        let after = Pieces { d, islands: largest + 1..end, results: Some(after), count: count - count / 2 };
        problem.solve_pieces(threads, before.chain(after).zip(solvers));
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
