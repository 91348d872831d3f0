//! Islands, one after the other or side by side: none depends on another, so that the numbers are the same.

use super::primal::Search;
use super::{blocks, primal};
use crate::constraint::ConeHessian;
use crate::parallel;
use crate::workspace::{Scratches as _, SideBySide, SolverScratch};
use ligament_model::constants::{NISLAND, NSOLVER};
use ligament_model::data::SolverStat;
use ligament_model::{Data, Model};
use std::ops::Range;

/// Rows below which threads cost more than they save.
const MIN_ROWS: usize = 200;

/// Pieces a thread gets: more than one, since islands take different numbers of iterations.
const PIECES: usize = 4;

/// Solves all islands; `s.start` holds the residual of the start point for all rows.
pub(super) fn solve(m: &Model, search: &Search, d: &mut Data, s: &mut SolverScratch) {
    let start = std::mem::take(&mut s.start);
    let threads = if d.nefc < MIN_ROWS { 1 } else { d.threads.min(d.nisland).min(parallel::MAX_THREADS) };
    if let Some(pool) = parallel::pool(threads) {
        let mut work = std::mem::take(&mut d.workspace.scratch().side_by_side);
        work.prepare(d, (threads * PIECES).min(d.nisland), search.newton, s.effort);
        pool.install(|| work.solve(m, search, d, &start));
        s.effort = work.write_back(d, search.newton, s.effort);
        d.workspace.scratch().side_by_side = work;
    } else {
        for island in 0..d.nisland {
            blocks::gather(m, d, &start, Some(island), search.newton, s);
            primal::solve(search, d, Some(island), s);
        }
    }
    s.start = start;
}

/// What is the same for all islands.
#[derive(Clone, Copy)]
struct Problem<'a> {
    m: &'a Model,
    search: &'a Search,
    d: &'a Data,
    start: &'a [f64],
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

/// Solves consecutive islands, by halves while there are several scratches.
fn solve_range(p: Problem, islands: Range<usize>, results: Results, scratches: &mut [SolverScratch]) {
    let Problem { m, search, d, start } = p;
    if islands.len() > 1 {
        let middle = middle(d, &islands, scratches.len());
        let dofs = (d.island_idofadr[middle] - d.island_idofadr[islands.start]) as usize;
        let rows = (d.island_iefcadr[middle] - d.island_iefcadr[islands.start]) as usize;
        let (first, second) = results.split(middle - islands.start, dofs, rows);
        let (left, right) = (islands.start..middle, middle..islands.end);
        if scratches.len() > 1 {
            let (a, b) = scratches.split_at_mut(scratches.len() / 2);
            rayon::join(|| solve_range(p, left, first, a), || solve_range(p, right, second, b));
        } else {
            solve_range(p, left, first, scratches);
            solve_range(p, right, second, scratches);
        }
        return;
    }
    let (island, s) = (islands.start, &mut scratches[0]);
    blocks::gather(m, d, start, Some(island), search.newton, s);
    let iterations = primal::minimise(search, &d.contact, Some(island), results.statistics, s);
    let counts = (iterations, primal::factor_entries(search.newton, s));
    let rest = Results { statistics: &mut [], ..results };
    rest.store(s, counts);
}

/// Where to cut, so that both parts have about as many rows; in the middle where nothing runs side by side.
fn middle(d: &Data, islands: &Range<usize>, scratches: usize) -> usize {
    let half = islands.start + islands.len() / 2;
    if scratches == 1 {
        return half;
    }
    let row = |island: usize| d.island_iefcadr[island];
    let end = row(islands.end - 1) + d.island_nefc[islands.end - 1];
    let target = row(islands.start) + (end - row(islands.start)) / 2;
    let cut = islands.start + d.island_iefcadr[islands.clone()].partition_point(|&adr| adr < target);
    cut.clamp(islands.start + 1, islands.end - 1)
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

    fn solve(&mut self, m: &Model, search: &Search, d: &Data, start: &[f64]) {
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
        solve_range(problem, 0..d.nisland, results, &mut self.solvers[..self.pieces]);
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
