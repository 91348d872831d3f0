//! Constraints in groups of which no two share a vertex, and passes over them: the groups one after another, each on
//! any number of threads, with the same bits.
#![allow(unsafe_code)]

use crate::constraint::{Block, Constraint};
use crate::lane::Lane;
use crate::points::{Forgotten, Kept, Numbers};
use crate::scene::{Scene, Vertices};
use ligament_math::team;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where numbers with these bits stand.
type Known = BTreeMap<Vec<u64>, u32>;

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

/// Fewer blocks than this are not worth another thread: it takes longer to share them than to relax them.
const WORTH_THREADS: usize = 512;

/// Constraints in groups, and as blocks of [`Lane::WIDTH`] that are relaxed at once.
#[derive(Debug, Clone, PartialEq)]
pub struct Coloured<C, L> {
    items: Vec<C>,
    vertices: Vec<u32>,
    /// What blocks need to know, each only once: in a regular mesh most of them are alike.
    numbers: Vec<L>,
    /// Where the numbers of each block begin, and how many there are.
    places: Vec<u32>,
    count: usize,
    /// Real constraints of each block.
    lanes: Vec<u8>,
    /// Blocks of each group.
    groups: Vec<Range<usize>>,
}

impl<C, L> Default for Coloured<C, L> {
    fn default() -> Self {
        let (items, vertices, numbers, places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { items, vertices, numbers, places, count: 0, lanes: Vec::new(), groups: Vec::new() }
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

    /// Constraints of a group are put in blocks with others of their kind.
    fn packed(groups: Vec<Vec<C>>) -> Self {
        let mut coloured = Self::default();
        let (mut kinds, mut blocks) = (Known::new(), Known::new());
        for mut group in groups {
            let start = coloured.lanes.len();
            group.sort_by_cached_key(|item| {
                let next = kinds.len() as u32;
                *kinds.entry(bits(&item.numbers())).or_insert(next)
            });
            group.chunks(L::WIDTH).for_each(|items| coloured.pack(items, &mut blocks));
            coloured.groups.push(start..coloured.lanes.len());
            coloured.items.extend(group);
        }
        coloured
    }

    /// Adds a block; the first constraint of it fills empty places.
    fn pack(&mut self, items: &[C], known: &mut Known) {
        let item = |lane: usize| items.get(lane).unwrap_or(&items[0]);
        for corner in 0..C::CORNERS {
            let vertex = |lane: usize| {
                let vertices = item(lane).vertices();
                *vertices.get(corner).unwrap_or(&vertices[0])
            };
            self.vertices.extend((0..L::WIDTH).map(vertex));
        }
        let numbers: Vec<Vec<f64>> = (0..L::WIDTH).map(|lane| item(lane).numbers()).collect();
        self.count = numbers[0].len();
        let place = *known.entry(bits(&numbers.concat())).or_insert_with(|| {
            let place = self.numbers.len() as u32;
            self.numbers.extend((0..self.count).map(|k| L::of(|lane| numbers[lane][k])));
            place
        });
        self.places.push(place);
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

    /// [`Self::relax`] with multipliers that are kept or not.
    pub fn relax_kept(&self, scene: &Scene<'_>, lambda: Kept<'_>, threads: usize) {
        match lambda {
            Kept::Not => self.relax(scene, &Forgotten, threads),
            Kept::In(lambda) => self.relax(scene, lambda, threads),
        }
    }

    /// One pass over all of them, by so many threads; their multipliers come first.
    pub fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_>, lambda: &N, threads: usize) {
        let vertices = scene.vertices(&self.vertices);
        if threads < 2 {
            return self.relax_blocks(scene, vertices, lambda, 0..self.lanes.len());
        }
        let shared = Shared { scene, vertices, lambda };
        self.groups.iter().for_each(|group| self.relax_together(&shared, group.clone(), threads));
    }

    fn relax_blocks<N: Numbers + ?Sized>(
        &self,
        scene: &Scene<'_>,
        vertices: Vertices<'_>,
        lambda: &N,
        range: Range<usize>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has what the function was compiled for.
            return unsafe { self.relax_with_more_registers(scene, vertices, lambda, range) };
        }
        self.relax_one_by_one(scene, vertices, lambda, range);
    }

    /// The same instructions with 32 registers instead of 16: a triangle has more numbers than these hold.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512vl")]
    fn relax_with_more_registers<N: Numbers + ?Sized>(
        &self,
        scene: &Scene<'_>,
        vertices: Vertices<'_>,
        lambda: &N,
        range: Range<usize>,
    ) {
        self.relax_one_by_one(scene, vertices, lambda, range);
    }

    #[inline(always)]
    fn relax_one_by_one<N: Numbers + ?Sized>(
        &self,
        scene: &Scene<'_>,
        vertices: Vertices<'_>,
        lambda: &N,
        range: Range<usize>,
    ) {
        let (corners, kept) = (C::CORNERS * L::WIDTH, C::MULTIPLIERS * L::WIDTH);
        let blocks = self.places.iter().zip(&self.lanes).enumerate();
        for (k, (&place, &lanes)) in blocks.skip(range.start).take(range.len()) {
            let numbers = &self.numbers[place as usize..place as usize + self.count];
            let vertices = vertices.part(corners * k..corners * (k + 1));
            let lambda = lambda.part(kept * k..kept * (k + 1));
            C::relax(scene, Block { vertices, numbers, lanes: lanes.into() }, lambda);
        }
    }

    /// Some blocks of one group, side by side.
    fn relax_together<N: Numbers + ?Sized>(
        &self,
        shared: &Shared<'_, N>,
        range: Range<usize>,
        threads: usize,
    ) {
        let count = threads.min(range.len() / WORTH_THREADS);
        if count < 2 {
            return self.relax_blocks(shared.scene, shared.vertices, shared.lambda, range);
        }
        let end = |k: usize| range.start + range.len() * k / count;
        team::each(threads, (0..count).map(|k| end(k)..end(k + 1)), |range| {
            self.relax_blocks(shared.scene, shared.vertices, shared.lambda, range);
        });
    }
}

/// Vertices and multipliers that threads change at the same time.
struct Shared<'a, N: ?Sized> {
    scene: &'a Scene<'a>,
    vertices: Vertices<'a>,
    lambda: &'a N,
}

// SAFETY: only `Coloured::relax_together` shares it, among threads that work on different blocks of one group. Constraints
// of a group have no vertex in common (`Coloured::new` puts them there for that reason, and nothing changes a group later),
// and each block has multipliers of its own, so that what one thread reads or writes no other thread writes. A group is
// begun when the one before it is done.
unsafe impl<N: ?Sized> Sync for Shared<'_, N> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Edge;
    use ligament_math::four::Four;
    use ligament_model::parts::SoftPoint;
    use std::cell::Cell;

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
        let point = |i: u32, number: f64| SoftPoint([f64::from(i), f64::from(i).sin(), 0.0, number]);
        let start: Vec<_> = (0..=count).map(|i| point(i, f64::from(i % 5))).collect();
        let began: Vec<_> = (0..=count).map(|i| point(i, 0.0)).collect();
        let (mut position, mut lambda) = (began.clone(), vec![0.0; coloured.multipliers()]);
        for _ in 0..3 {
            let scene = Scene::new(&mut position, &start, 1e4, 0.5);
            coloured.relax(&scene, Cell::from_mut(&mut lambda[..]).as_slice_of_cells(), threads);
        }
        assert!(position != began);
        position
    }

    /// F9: a pass has the same bits on any number of threads
    #[test]
    fn threads_do_not_change_bits() {
        let count = 64 * WORTH_THREADS as u32 + 7; // eight pieces of each group
        let coloured: Coloured<_, Four> = Coloured::new(edges(count), count as usize + 1);
        let alone = run(&coloured, count, 1);
        assert!([2, 3, 8].into_iter().all(|threads| run(&coloured, count, threads) == alone));
    }

    /// F9: constraints that differ by how their places were rounded are alike, others are not
    #[test]
    fn alike_constraints_share_their_numbers() {
        let edge = |i: u32| {
            let (a, b) = (0.04 * f64::from(i) - 0.78, 0.04 * f64::from(i + 1) - 0.78);
            Edge { ends: [i, i + 1], rest: b - a, compliance: if i == 9 { 2e-9 } else { 1e-9 } }
        };
        let edges: Vec<Edge> = (0..100).map(edge).collect();
        let lengths: std::collections::BTreeSet<u64> = edges.iter().map(|edge| edge.rest.to_bits()).collect();
        let coloured: Coloured<_, Four> = Coloured::new(edges, 101);
        assert!(lengths.len() > 1 && coloured.lanes.len() == 26);
        assert_eq!(
            coloured.numbers.len() / coloured.count,
            2,
            "one kind, and one with another of its kind in a block"
        );
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

    /// F9: multipliers that nobody reads again change nothing
    #[test]
    fn one_pass_needs_no_multipliers() {
        let coloured: Coloured<_, Four> = Coloured::new(edges(30), 31);
        let start: Vec<_> = (0..31).map(|i| SoftPoint([f64::from(i), 0.0, 0.0, 1.0])).collect();
        let relaxed = |keep: bool| {
            let (mut position, mut lambda) = (start.clone(), vec![0.0; coloured.multipliers()]);
            let scene = Scene::new(&mut position, &start, 1e4, 0.5);
            let lambda = Cell::from_mut(&mut lambda[..]).as_slice_of_cells();
            if keep {
                coloured.relax(&scene, lambda, 1)
            } else {
                coloured.relax(&scene, &Forgotten, 1)
            }
            position
        };
        assert_eq!(relaxed(true), relaxed(false));
    }
}
