//! Where the vertices are that constraints read and move.
#![allow(unsafe_code)]

use crate::lane::{Lane, Vector};
use ligament_model::parts::SoftPoint;
use std::cell::Cell;
use std::ops::Range;

/// What all constraints see of the vertices.
pub struct Scene<'a> {
    position: &'a [Cell<SoftPoint>],
    /// Where the step began, and the inverse masses.
    start: &'a [SoftPoint],
    /// 1 / h²
    pub softening: f64,
    /// γ = τ / h, τ the time constant of the dampers
    pub damping: f64,
}

/// A vertex of each constraint.
#[derive(Clone, Copy)]
pub struct Corner<L> {
    /// Where it is.
    pub now: Vector<L>,
    /// How far it has moved in this step.
    pub moved: Vector<L>,
    /// Inverse mass.
    pub weight: L,
}

impl<'a> Scene<'a> {
    pub fn new(position: &'a mut [SoftPoint], start: &'a [SoftPoint], softening: f64, damping: f64) -> Self {
        assert_eq!(position.len(), start.len(), "every vertex has a place where it started");
        Self { position: Cell::from_mut(position).as_slice_of_cells(), start, softening, damping }
    }

    /// Vertices with these numbers; all of them must be there.
    pub fn vertices(&'a self, numbers: &'a [u32]) -> Vertices<'a> {
        let last = numbers.iter().fold(0, |last, &number| number.max(last));
        assert!(numbers.is_empty() || (last as usize) < self.start.len(), "constraints of another flex");
        Vertices { scene: self, numbers }
    }
}

/// Vertices of a scene that are known to be there: their numbers were checked all together.
#[derive(Clone, Copy)]
pub struct Vertices<'a> {
    scene: &'a Scene<'a>,
    /// Below the lengths of the lists of the scene: [`Scene::vertices`] is where they come from.
    numbers: &'a [u32],
}

impl Vertices<'_> {
    /// Some of them.
    #[inline(always)]
    pub fn part(self, range: Range<usize>) -> Self {
        Self { numbers: &self.numbers[range], ..self }
    }

    #[inline(always)]
    fn now(&self, lane: usize) -> &Cell<SoftPoint> {
        let number = self.numbers[lane] as usize;
        // SAFETY: `Scene::vertices` has compared all numbers with the length of `start`, and `Scene::new` that one with the
        // length of `position`; neither they nor the lists of the scene can change while it is borrowed.
        unsafe { self.scene.position.get_unchecked(number) }
    }

    #[inline(always)]
    fn start(&self, lane: usize) -> SoftPoint {
        let number = self.numbers[lane] as usize;
        // SAFETY: `Scene::vertices` has compared all numbers with this length, and neither can change while it is borrowed.
        unsafe { *self.scene.start.get_unchecked(number) }
    }

    /// The vertices of [`Lane::WIDTH`] constraints.
    #[inline(always)]
    pub fn corner<L: Lane>(self) -> Corner<L> {
        let (now, _) = L::gather(|lane| self.now(lane).get());
        let (start, weight) = L::gather(|lane| self.start(lane));
        Corner { now, moved: now - start, weight }
    }

    /// Moves the vertices of the first `lanes` constraints.
    #[inline(always)]
    pub fn put<L: Lane>(self, lanes: usize, points: Vector<L>) {
        if lanes == L::WIDTH {
            L::scatter(points, |lane, point| self.now(lane).set(point));
            return;
        }
        L::scatter(points, |lane, point| {
            if lane < lanes {
                self.now(lane).set(point);
            }
        });
    }
}
