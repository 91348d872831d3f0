//! Where the vertices are that constraints read and move.
#![allow(unsafe_code)]

use crate::lane::{Lane, Vector};
use ligament_math::four::Four;
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

/// A vertex of each constraint where [`lean`] has put it.
#[derive(Clone, Copy)]
pub struct Ahead<L> {
    pub place: Vector<L>,
    /// Inverse mass, as dampers see it.
    pub weight: L,
}

/// Puts vertices where dampers see them, with their inverse masses behind: a constraint C that is linear in the positions
/// asks for C(x) + γ C(x − x₀) = C(x + γ (x − x₀)), and what moves x by w ∇C Δλ moves that place by (1 + γ) as much.
/// Constraints of this kind then need not know of dampers, nor where the step began.
pub fn lean(position: &mut [SoftPoint], start: &[SoftPoint], damping: f64) {
    let whole = 1.0 + damping;
    let (ahead, back) = (Four::splat(whole), Four::new([-damping, -damping, -damping, whole]));
    for (position, start) in position.iter_mut().zip(start) {
        let [x, y, z, _] = position.0;
        position.0 = (Four::new([x, y, z, 0.0]) * ahead + Four::new(start.0) * back).numbers();
    }
}

/// Puts them back.
pub fn straighten(position: &mut [SoftPoint], start: &[SoftPoint], damping: f64) {
    let whole = 1.0 + damping;
    let (scale, back) = (Four::splat(1.0 / whole), Four::new([damping, damping, damping, -whole]));
    for (position, start) in position.iter_mut().zip(start) {
        position.0 = ((Four::new(position.0) + Four::new(start.0) * back) * scale).numbers();
    }
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

    /// The same of vertices that lean.
    #[inline(always)]
    pub fn ahead<L: Lane>(self) -> Ahead<L> {
        let (place, weight) = L::gather(|lane| self.now(lane).get());
        Ahead { place, weight }
    }

    /// Moves the vertices of the first `lanes` constraints.
    #[inline(always)]
    pub fn put<L: Lane>(self, lanes: usize, points: Vector<L>) {
        self.put_with(lanes, points, L::splat(0.0));
    }

    /// Moves vertices, with numbers behind.
    #[inline(always)]
    pub fn put_with<L: Lane>(self, lanes: usize, points: Vector<L>, number: L) {
        if lanes == L::WIDTH {
            L::scatter(points, number, |lane, point| self.now(lane).set(point));
            return;
        }
        L::scatter(points, number, |lane, point| {
            if lane < lanes {
                self.now(lane).set(point);
            }
        });
    }
}
