//! Which neighbouring facets are not clearly convex, and with which neighbour a facet is united best.

use super::Halt::Stuck;
use super::surface::{Angle, State};
use super::{Step, Surface};

/// From this many vertices on, neighbours are compared by the facet's centre.
const MANY_VERTICES: usize = 26;
/// From this many vertices on, only neighbours across dented ridges are considered.
const LARGE: usize = 18;

/// Why two facets have to be united, in the order in which it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    Coplanar,
    Concave,
    /// Concave seen from one facet, coplanar seen from the other.
    Both,
}

/// Two neighbours that are not clearly convex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dent {
    pub facets: [u32; 2],
    pub reason: Reason,
    depth: f64,
}

/// How far the vertices of a facet are from the plane of a neighbour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub neighbor: u32,
    pub low: f64,
    pub high: f64,
    /// What neighbours are compared by.
    pub width: f64,
}

impl Surface<'_> {
    /// Compares all new facets with their neighbours.
    pub(super) fn find_first_dents(&mut self) -> Step {
        self.visited.clear();
        for facet in self.fresh_facets() {
            self.visited.insert(facet);
            self.spend(self.size(facet));
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                if self.visited.contains(neighbor) || !self.is_dented(facet, neighbor)? {
                    continue;
                }
                let mut ridges = self.facet(neighbor).ridges().iter();
                if let Some(&ridge) = ridges.find(|r| self.ridge(**r).beyond(neighbor) == facet) {
                    self.ridges[ridge as usize].angle = Angle::Dented;
                }
            }
            self.facet_mut(facet).tested = true;
            let Self { facets, ridges, .. } = self;
            for &ridge in facets[facet as usize].ridges() {
                let angle = &mut ridges[ridge as usize].angle;
                if *angle == Angle::Unknown {
                    *angle = Angle::Convex;
                }
            }
        }
        self.sort_dents();
        Ok(())
    }

    /// Compares new facets that changed since with their neighbours.
    pub(super) fn find_more_dents(&mut self) -> Step {
        self.visited.clear();
        for facet in self.fresh_facets() {
            if self.facet(facet).tested {
                continue;
            }
            self.visited.insert(facet);
            self.spend(self.size(facet));
            self.met.clear();
            for i in 0..self.facet(facet).ridges().len() {
                let ridge = self.facet(facet).ridges()[i];
                let edge = *self.ridge(ridge);
                let neighbor = edge.beyond(facet);
                let compared = self.met.contains(neighbor);
                if edge.angle == Angle::Convex || (!compared && self.visited.contains(neighbor)) {
                    continue;
                }
                // one ridge stands for all between two facets
                self.met.insert(neighbor);
                let dented = !compared && self.is_dented(facet, neighbor)?;
                self.ridges[ridge as usize].angle = if dented { Angle::Dented } else { Angle::Convex };
            }
            self.facet_mut(facet).tested = true;
        }
        self.sort_dents();
        Ok(())
    }

    /// Compares two facets by their centres, and notes a dent.
    fn is_dented(&mut self, facet: u32, neighbor: u32) -> Step<bool> {
        let radius = self.tolerance.coplanar;
        let (center, beyond) = (self.center(facet), self.center(neighbor));
        let (first, second) = (self.height(neighbor, center), self.height(facet, beyond));
        let concave = first > radius || second > radius;
        let coplanar = [first, second].iter().any(|height| (-radius..=radius).contains(height));
        let as_found = [facet, neighbor];
        let (facets, reason, depth) = match (concave, coplanar) {
            (false, false) => return Ok(false),
            (false, true) => (as_found, Reason::Coplanar, first.abs().min(second.abs())),
            (true, false) => (as_found, Reason::Concave, first.max(second)),
            (true, true) if first > second => (as_found, Reason::Both, first),
            (true, true) => ([neighbor, facet], Reason::Both, second),
        };
        if facets.iter().all(|f| self.facet(*f).state != State::Covered) {
            self.check_sides(facets[0], facets[1])?;
            self.dents.push(Dent { facets, reason, depth });
        }
        Ok(true)
    }

    /// A facet must not be united with one that looks inwards.
    pub(super) fn check_sides(&self, facet: u32, neighbor: u32) -> Step {
        if self.facet(neighbor).flipped && !self.facet(facet).flipped { Err(Stuck) } else { Ok(()) }
    }

    /// The next one to unite is last: coplanar before concave, flat before deep.
    fn sort_dents(&mut self) {
        self.dents.sort_by(|a, b| b.reason.cmp(&a.reason).then(b.depth.total_cmp(&a.depth)));
    }

    /// How far the vertices of a facet are below and above a neighbour.
    fn spread(&self, facet: u32, neighbor: u32) -> Spread {
        let (mut low, mut high) = (0.0, 0.0);
        for v in &self.facet(facet).vertices {
            if self.facet(neighbor).vertices.contains(v) {
                continue;
            }
            let height = self.height(neighbor, self.point(*v));
            if height < low {
                low = height;
            } else if height > high {
                high = height;
            }
        }
        Spread { neighbor, low, high, width: if high > -low { high } else { -low } }
    }

    /// The neighbour with which a facet can be united best.
    pub(super) fn best_neighbor(&mut self, facet: u32) -> Step<Spread> {
        let size = self.facet(facet).vertices.len();
        let mut candidates: Vec<u32> = Vec::new();
        if size > LARGE {
            let dented = |ridge: &&u32| self.ridge(**ridge).angle == Angle::Dented;
            let ridges = self.facet(facet).ridges().iter();
            candidates.extend(ridges.filter(dented).map(|r| self.ridge(*r).beyond(facet)));
        }
        if candidates.is_empty() {
            candidates.clone_from(&self.facet(facet).neighbors);
        }
        let center = (size > MANY_VERTICES).then(|| self.center(facet));
        let mut best: Option<Spread> = None;
        for neighbor in candidates {
            // of two facets that look inwards, the second is no better
            let inwards = self.facet(facet).flipped && self.facet(neighbor).flipped;
            if inwards && best.is_some_and(|best| !self.facet(best.neighbor).flipped) {
                continue;
            }
            let spread = match center {
                Some(center) => {
                    let width = (self.height(neighbor, center) * 3.0).abs();
                    Spread { neighbor, low: 0.0, high: 0.0, width }
                }
                None => self.spread(facet, neighbor),
            };
            if best.is_none_or(|best| spread.width < best.width) {
                best = Some(spread);
            }
        }
        let best = best.ok_or(Stuck)?;
        self.spend(4 * size + self.size(best.neighbor));
        match center {
            Some(_) => Ok(Spread { width: best.width, ..self.spread(facet, best.neighbor) }),
            None => Ok(best),
        }
    }
}
