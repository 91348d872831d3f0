//! Constraints in groups of which no two share a vertex, and passes over them: the groups one after another, each on
//! any number of threads, with the same bits.

use crate::chain::Chains;
use crate::constraint::{Block, Constraint, FRICTION_TIME, Scene};
use crate::lane::Lane;
use crate::points::{Numbers, Points, atomic_copy, copy_back};
use ligament_model::parts::{SoftPoint, SoftState};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Barrier;
use std::sync::atomic::AtomicU64;

/// Fewer constraints than this in a flex are not worth other threads: starting one takes as long as a few thousand.
const WORTH_THREADS: usize = 20_000;

/// Constraints in groups, and as blocks of [`Lane::WIDTH`] that are relaxed at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Coloured<C, L> {
    items: Vec<C>,
    vertices: Vec<u32>,
    numbers: Vec<L>,
    /// Real constraints of each block.
    lanes: Vec<u8>,
    /// Blocks of each group.
    groups: Vec<Range<usize>>,
}

impl<C, L> Default for Coloured<C, L> {
    fn default() -> Self {
        let (items, groups) = (Vec::new(), Vec::new());
        Self { items, vertices: Vec::new(), numbers: Vec::new(), lanes: Vec::new(), groups }
    }
}

impl<C: Constraint, L: Lane> Coloured<C, L> {
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
        Self::packed(groups)
    }

    fn packed(groups: Vec<Vec<C>>) -> Self {
        let mut coloured = Self::default();
        for group in groups {
            let start = coloured.lanes.len();
            group.chunks(L::WIDTH).for_each(|items| coloured.pack(items));
            coloured.groups.push(start..coloured.lanes.len());
            coloured.items.extend(group);
        }
        coloured
    }

    /// Adds a block; the first constraint of it fills empty places.
    fn pack(&mut self, items: &[C]) {
        let item = |lane: usize| items.get(lane).unwrap_or(&items[0]);
        for corner in 0..C::CORNERS {
            let vertex = |lane: usize| {
                let vertices = item(lane).vertices();
                *vertices.get(corner).unwrap_or(&vertices[0])
            };
            self.vertices.extend((0..L::WIDTH).map(vertex));
        }
        let numbers: Vec<Vec<f64>> = (0..L::WIDTH).map(|lane| item(lane).numbers()).collect();
        self.numbers.extend((0..numbers[0].len()).map(|k| L::of(|lane| numbers[lane][k])));
        self.lanes.push(items.len() as u8);
    }

    pub fn items(&self) -> &[C] {
        &self.items
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn multipliers(&self) -> usize {
        C::MULTIPLIERS * L::WIDTH * self.lanes.len()
    }

    /// The largest error of all.
    pub fn worst(&self, position: &[[f64; 3]]) -> f64 {
        self.items.iter().map(|item| item.error(position)).fold(0.0, f64::max)
    }

    /// One pass over all of them.
    pub fn relax(&self, pass: &mut Pass<'_>) {
        let first = pass.take(self.multipliers());
        match pass.see() {
            Sight::Alone(scene, lambda) => self.relax_range(&scene, lambda, first, 0..self.lanes.len()),
            Sight::Together(scene, lambda, threads) => self.relax_together(&scene, lambda, first, threads),
        }
    }

    /// Some blocks; the multipliers of all of them begin at `first`.
    fn relax_range<P: Points + ?Sized, N: Numbers + ?Sized>(
        &self,
        scene: &Scene<'_, P>,
        lambda: &N,
        first: usize,
        range: Range<usize>,
    ) {
        if range.is_empty() {
            return;
        }
        let (corners, numbers) = (C::CORNERS * L::WIDTH, self.numbers.len() / self.lanes.len());
        let kept = C::MULTIPLIERS * L::WIDTH;
        let blocks =
            self.vertices.chunks_exact(corners).zip(self.numbers.chunks_exact(numbers)).zip(&self.lanes);
        let mut at = first + kept * range.start;
        for ((vertices, numbers), &lanes) in blocks.skip(range.start).take(range.len()) {
            C::relax(scene, Block { vertices, numbers, lanes: lanes.into() }, lambda.part(at..at + kept));
            at += kept;
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

/// What constraints see, on one thread or on several.
enum Sight<'a> {
    Alone(Scene<'a, [Cell<SoftPoint>]>, &'a [Cell<f64>]),
    Together(Scene<'a, [AtomicU64]>, &'a [AtomicU64], usize),
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

    /// The place of so many multipliers.
    fn take(&mut self, multipliers: usize) -> usize {
        let first = self.multiplier;
        self.multiplier += multipliers;
        first
    }

    /// The links of ropes, on one thread.
    pub fn relax_chains(&mut self, chains: &Chains) {
        let first = self.take(chains.multipliers());
        match self.see() {
            Sight::Alone(scene, lambda) => chains.relax(&scene, lambda, first),
            Sight::Together(scene, lambda, _) => chains.relax(&scene, lambda, first),
        }
    }

    /// Vertices and multipliers as constraints see them.
    fn see(&mut self) -> Sight<'_> {
        let SoftState { start, position, lambda, timestep, .. } = &mut self.state;
        let (softening, damping) = (1.0 / (*timestep * *timestep), FRICTION_TIME / *timestep);
        if let Some(shared) = &self.shared {
            let scene = Scene { position: &shared.position[..], start, softening, damping };
            return Sight::Together(scene, &shared.lambda, shared.threads);
        }
        let position = Cell::from_mut(&mut **position).as_slice_of_cells();
        let lambda = Cell::from_mut(&mut **lambda).as_slice_of_cells();
        Sight::Alone(Scene { position, start, softening, damping }, lambda)
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
    use ligament_math::four::Four;

    fn edges(count: u32) -> Vec<Edge> {
        (0..count).map(|i| Edge { ends: [i, i + 1], rest: 0.9, compliance: 1e-9 }).collect()
    }

    /// F9: no two constraints of a group share a vertex, none is lost
    #[test]
    fn groups_are_independent() {
        let coloured: Coloured<_, Four> = Coloured::new(edges(101), 102);
        assert_eq!((coloured.len(), coloured.groups.len()), (101, 2));
        let mut found = 0;
        for group in &coloured.groups {
            let mut seen = std::collections::BTreeSet::new();
            for block in group.clone() {
                let corners = coloured.vertices[8 * block..8 * block + 8].chunks_exact(4);
                let lanes = usize::from(coloured.lanes[block]);
                assert!(corners.flat_map(|corner| &corner[..lanes]).all(|v| seen.insert(v)));
                found += lanes;
            }
        }
        assert_eq!(found, 101);
    }

    /// Some passes from a state in which nothing rests.
    fn run<L: Lane>(coloured: &Coloured<Edge, L>, count: u32, threads: usize) -> Vec<SoftPoint> {
        let start: Vec<SoftPoint> =
            (0..=count).map(|i| [f64::from(i), f64::from(i).sin(), 0.0, f64::from(i % 5)]).collect();
        let began: Vec<SoftPoint> = start.iter().map(|&[x, y, z, _]| [x, y, z, 0.0]).collect();
        let (mut position, mut lambda) = (began.clone(), vec![0.0; coloured.multipliers()]);
        for _ in 0..3 {
            let state = SoftState {
                start: &start,
                position: &mut position,
                lambda: &mut lambda,
                timestep: 0.01,
                threads,
            };
            let mut pass = Pass::new(state, coloured.len());
            coloured.relax(&mut pass);
            pass.finish();
        }
        assert!(position != began);
        position
    }

    /// F9: a pass has the same bits on any number of threads
    #[test]
    fn threads_do_not_change_bits() {
        let count = WORTH_THREADS as u32 + 7;
        let coloured: Coloured<_, Four> = Coloured::new(edges(count), count as usize + 1);
        let alone = run(&coloured, count, 1);
        assert!([2, 3, 8].into_iter().all(|threads| run(&coloured, count, threads) == alone));
    }

    /// F9: four at once have the bits of one after the other
    #[test]
    fn lanes_do_not_change_bits() {
        for count in [1, 7, 30] {
            let four: Coloured<_, Four> = Coloured::new(edges(count), count as usize + 1);
            let one: Coloured<_, f64> = Coloured::new(edges(count), count as usize + 1);
            assert_eq!(run(&four, count, 1), run(&one, count, 1));
        }
    }
}
