//! Constraints in groups of which no two share a vertex, and passes over them: the groups one after another, each on
//! any number of threads, with the same bits.

use crate::constraint::{Constraint, FRICTION_TIME, Scene};
use crate::points::{Numbers, atomic_copy, copy_back};
use ligament_model::parts::SoftState;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Barrier;
use std::sync::atomic::AtomicU64;

/// Fewer constraints than this in a flex are not worth other threads: starting one takes as long as a few thousand.
const WORTH_THREADS: usize = 20_000;

/// Constraints in groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Coloured<C> {
    items: Vec<C>,
    groups: Vec<Range<usize>>,
}

impl<C> Default for Coloured<C> {
    fn default() -> Self {
        Self { items: Vec::new(), groups: Vec::new() }
    }
}

impl<C: Constraint> Coloured<C> {
    /// Each constraint goes to the first group in which its vertices are free.
    pub fn new(items: Vec<C>, vertices: usize) -> Self {
        let mut taken: Vec<Vec<bool>> = Vec::new();
        let mut groups: Vec<Vec<C>> = Vec::new();
        for item in items {
            let free = |group: &Vec<bool>| item.vertices().iter().all(|&v| !group[v as usize]);
            let place = taken.iter().position(free).unwrap_or(taken.len());
            if place == taken.len() {
                taken.push(vec![false; vertices]);
                groups.push(Vec::new());
            }
            item.vertices().iter().for_each(|&v| taken[place][v as usize] = true);
            groups[place].push(item);
        }
        let mut coloured = Self::default();
        for group in groups {
            let start = coloured.items.len();
            coloured.items.extend(group);
            coloured.groups.push(start..coloured.items.len());
        }
        coloured
    }

    /// One after another, each a group of its own: along a rope, a pass in order carries a pull from end to end.
    pub fn in_order(items: Vec<C>) -> Self {
        let groups = (0..items.len()).map(|i| i..i + 1).collect();
        Self { items, groups }
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn multipliers(&self) -> usize {
        C::MULTIPLIERS * self.items.len()
    }

    /// The largest error of all.
    pub fn worst(&self, position: &[[f64; 3]]) -> f64 {
        self.items.iter().map(|item| item.error(position)).fold(0.0, f64::max)
    }

    /// One pass over all of them.
    pub fn relax(&self, pass: &mut Pass<'_>) {
        let first = pass.multiplier;
        pass.multiplier += self.multipliers();
        let SoftState { start, position, inverse_mass, lambda, timestep, .. } = &mut pass.state;
        let (softening, damping) = (1.0 / (*timestep * *timestep), FRICTION_TIME / *timestep);
        if let Some(shared) = &pass.shared {
            let scene = Scene { position: &shared.position[..], start, inverse_mass, softening, damping };
            self.relax_together(&scene, &shared.lambda, first, shared.threads);
        } else {
            let position = Cell::from_mut(position.as_flattened_mut()).as_slice_of_cells();
            let lambda = Cell::from_mut(&mut **lambda).as_slice_of_cells();
            let scene = Scene { position, start, inverse_mass, softening, damping };
            self.relax_range(&scene, lambda, first, 0..self.items.len());
        }
    }

    fn relax_range<N: Numbers + ?Sized>(
        &self,
        scene: &Scene<'_, N>,
        lambda: &N,
        first: usize,
        range: Range<usize>,
    ) {
        for (i, item) in self.items[range.clone()].iter().enumerate() {
            item.relax(scene, lambda, first + C::MULTIPLIERS * (range.start + i));
        }
    }

    /// Each thread takes its share of a group, then waits for the others.
    fn relax_together(
        &self,
        scene: &Scene<'_, [AtomicU64]>,
        lambda: &[AtomicU64],
        first: usize,
        threads: usize,
    ) {
        let barrier = Barrier::new(threads);
        let work = |thread: usize| {
            for group in &self.groups {
                let share = |k: usize| group.start + group.len() * k / threads;
                self.relax_range(scene, lambda, first, share(thread)..share(thread + 1));
                barrier.wait();
            }
        };
        std::thread::scope(|scope| {
            (1..threads).for_each(|thread| drop(scope.spawn(move || work(thread))));
            work(0);
        });
    }
}

/// Copies for several threads.
struct Shared {
    position: Vec<AtomicU64>,
    lambda: Vec<AtomicU64>,
    threads: usize,
}

/// A pass over all constraints of a flex.
pub struct Pass<'a> {
    state: SoftState<'a>,
    /// Where the multipliers of the next kind of constraint begin.
    multiplier: usize,
    shared: Option<Shared>,
}

impl<'a> Pass<'a> {
    pub fn new(state: SoftState<'a>, constraints: usize) -> Self {
        let shared = (state.threads > 1 && constraints >= WORTH_THREADS).then(|| Shared {
            position: atomic_copy(state.position.as_flattened()),
            lambda: atomic_copy(state.lambda),
            threads: state.threads,
        });
        Self { state, multiplier: 0, shared }
    }

    /// Leaves the result where it is expected.
    pub fn finish(self) {
        if let Some(shared) = self.shared {
            copy_back(shared.position, self.state.position.as_flattened_mut());
            copy_back(shared.lambda, self.state.lambda);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Edge;

    fn edges(count: u32) -> Vec<Edge> {
        (0..count).map(|i| Edge { ends: [i, i + 1], rest: 0.9, compliance: 1e-9 }).collect()
    }

    /// F9: no two constraints of a group share a vertex, none is lost
    #[test]
    fn groups_are_independent() {
        let coloured = Coloured::new(edges(101), 102);
        assert_eq!((coloured.len(), coloured.groups.len()), (101, 2));
        for group in &coloured.groups {
            let mut seen = std::collections::BTreeSet::new();
            let vertices = coloured.items[group.clone()].iter().flat_map(|edge| edge.ends);
            assert!(vertices.into_iter().all(|v| seen.insert(v)));
        }
    }

    /// F9: a pass has the same bits on any number of threads
    #[test]
    fn threads_do_not_change_bits() {
        let count = WORTH_THREADS as u32 + 7;
        let coloured = Coloured::new(edges(count), count as usize + 1);
        let start: Vec<[f64; 3]> = (0..=count).map(|i| [f64::from(i), f64::from(i).sin(), 0.0]).collect();
        let inverse_mass: Vec<f64> = (0..=count).map(|i| f64::from(i % 5)).collect();
        let run = |threads: usize| {
            let (mut position, mut lambda) = (start.clone(), vec![0.0; coloured.multipliers()]);
            for _ in 0..3 {
                let state = SoftState {
                    start: &start,
                    position: &mut position,
                    inverse_mass: &inverse_mass,
                    lambda: &mut lambda,
                    timestep: 0.01,
                    threads,
                };
                let mut pass = Pass::new(state, coloured.len());
                coloured.relax(&mut pass);
                pass.finish();
            }
            (position, lambda)
        };
        let alone = run(1);
        assert!(alone.1.iter().any(|x| *x != 0.0));
        assert!([2, 3, 8].into_iter().all(|threads| run(threads) == alone));
    }
}
