//! Which facets are joined, and with which neighbour.

use super::lists::remove_sorted;
use super::{Join, Leftover, Quick, Reason, Step, Stuck};

/// From this many vertices on, the neighbour is chosen by the facet's centre, and only among concave ones.
const MANY_VERTICES: usize = 26;
const LARGE: usize = 18;

/// How far the vertices of a facet are from its best neighbour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    pub facet: u32,
    pub distance: f64,
    pub low: f64,
    pub high: f64,
}

impl Quick<'_> {
    /// Notes a pair of facets that is not clearly convex.
    fn test(&mut self, facet: u32, neighbor: u32) -> Step<bool> {
        let radius = self.tolerance.coplanar;
        let center = self.center(facet);
        let first = self.distance(neighbor, center);
        let center = self.center(neighbor);
        let second = self.distance(facet, center);
        let concave = first > radius || second > radius;
        let flat = |height: f64| height <= radius && height >= -radius;
        let coplanar = flat(first) || (second <= radius && second >= -radius);
        if !concave && !coplanar {
            return Ok(false);
        }
        let (facets, reason, distance) = match (concave, coplanar) {
            (true, true) if first > second => ([facet, neighbor], Reason::ConcaveCoplanar, first),
            (true, true) => ([neighbor, facet], Reason::ConcaveCoplanar, second),
            (true, false) => ([facet, neighbor], Reason::Concave, first.max(second)),
            _ => ([facet, neighbor], Reason::Coplanar, first.abs().min(second.abs())),
        };
        let [a, b] = facets;
        if !self.facet(a).redundant && !self.facet(b).redundant {
            self.check_flip(a, b)?;
            self.joins.push(Join { facets, reason, distance });
        }
        Ok(true)
    }

    fn check_flip(&self, facet: u32, neighbor: u32) -> Step {
        if self.facet(neighbor).flipped && !self.facet(facet).flipped { Err(Stuck) } else { Ok(()) }
    }

    pub(super) fn add_degenerate(&mut self, facet: u32) {
        let f = self.facet_mut(facet);
        if f.redundant || f.degenerate {
            return;
        }
        f.degenerate = true;
        let leftover = Leftover { facet, inside: None };
        if self.leftovers.last().is_none_or(|last| last.inside.is_none()) {
            self.leftovers.push(leftover);
        } else {
            self.leftovers.insert(0, leftover);
        }
    }

    fn add_redundant(&mut self, facet: u32, inside: u32) -> Step {
        if self.facet(facet).redundant || self.facet(inside).redundant {
            return Ok(());
        }
        self.check_flip(facet, inside)?;
        self.facet_mut(facet).redundant = true;
        self.leftovers.push(Leftover { facet, inside: Some(inside) });
        Ok(())
    }

    /// Tests all new facets against their neighbours.
    pub(super) fn first_joins(&mut self) -> Step {
        let visit = self.next_visit();
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            self.facet_mut(facet).visit = visit;
            for neighbor in self.facet(facet).neighbors.clone() {
                if self.facet(neighbor).visit == visit || !self.test(facet, neighbor)? {
                    continue;
                }
                let shared = self
                    .facet(neighbor)
                    .ridges
                    .iter()
                    .find(|r| self.ridges[**r as usize].other(neighbor) == facet);
                if let Some(&ridge) = shared {
                    self.ridges[ridge as usize].concave = true;
                }
            }
            self.facet_mut(facet).tested = true;
            let Self { facets, ridges, .. } = self;
            for &ridge in &facets[facet as usize].ridges {
                ridges[ridge as usize].tested = true;
            }
        }
        self.sort_joins();
        Ok(())
    }

    /// Tests new facets that changed since.
    pub(super) fn more_joins(&mut self) -> Step {
        let visit = self.next_visit();
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            if self.facet(facet).tested {
                continue;
            }
            self.facet_mut(facet).visit = visit;
            for neighbor in self.facet(facet).neighbors.clone() {
                self.facet_mut(neighbor).seen = false;
            }
            for ridge in self.facet(facet).ridges.clone() {
                let edge = self.ridges[ridge as usize];
                if edge.tested && !edge.concave {
                    continue;
                }
                let neighbor = edge.other(facet);
                let concave = if self.facet(neighbor).seen {
                    false
                } else if self.facet(neighbor).visit != visit {
                    self.facet_mut(neighbor).seen = true;
                    self.test(facet, neighbor)?
                } else {
                    continue;
                };
                self.ridges[ridge as usize].concave = concave;
                self.ridges[ridge as usize].tested = true;
            }
            self.facet_mut(facet).tested = true;
        }
        self.sort_joins();
        Ok(())
    }

    /// The next one to do is last: coplanar before concave, flat before high.
    fn sort_joins(&mut self) {
        self.joins.sort_by(|a, b| b.reason.cmp(&a.reason).then(b.distance.total_cmp(&a.distance)));
    }

    /// How far the vertices of a facet are below and above a neighbour.
    pub(super) fn spread(&self, facet: u32, neighbor: u32) -> Nearest {
        let (mut low, mut high) = (0.0, 0.0);
        for v in &self.facet(facet).vertices {
            if self.facet(neighbor).vertices.contains(v) {
                continue;
            }
            let height = self.distance(neighbor, self.point(*v));
            if height < low {
                low = height;
            } else if height > high {
                high = height;
            }
        }
        Nearest { facet: neighbor, distance: if high > -low { high } else { -low }, low, high }
    }

    /// The neighbour with which a facet can be joined best.
    pub(super) fn best_neighbor(&mut self, facet: u32) -> Step<Nearest> {
        let size = self.facet(facet).vertices.len();
        let by_center = size > MANY_VERTICES;
        let center = if by_center { self.center(facet) } else { [0.0; 3] };
        let mut best: Option<Nearest> = None;
        let mut candidates: Vec<u32> = Vec::new();
        if size > LARGE {
            let ridges = self.facet(facet).ridges.iter().map(|r| &self.ridges[*r as usize]);
            candidates.extend(ridges.filter(|r| r.concave).map(|r| r.other(facet)));
        }
        if candidates.is_empty() {
            candidates.clone_from(&self.facet(facet).neighbors);
        }
        for neighbor in candidates {
            let flips = self.facet(facet).flipped && self.facet(neighbor).flipped;
            if flips && best.is_some_and(|b| !self.facet(b.facet).flipped) {
                continue;
            }
            let nearest = if by_center {
                let height = self.distance(neighbor, center) * 3.0;
                Nearest {
                    facet: neighbor,
                    distance: height.abs(),
                    low: height.min(0.0),
                    high: height.max(0.0),
                }
            } else {
                self.spread(facet, neighbor)
            };
            if best.is_none_or(|b| nearest.distance < b.distance) {
                best = Some(nearest);
            }
        }
        let mut best = best.ok_or(Stuck)?;
        if by_center {
            let exact = self.spread(facet, best.facet);
            (best.low, best.high) = (exact.low, exact.high);
        }
        Ok(best)
    }

    /// Does a facet have too few neighbours, or a neighbour with all its vertices?
    pub(super) fn check_leftover(&mut self, facet: u32) -> Step {
        if self.facet(facet).flipped {
            return Ok(());
        }
        for neighbor in self.facet(facet).neighbors.clone() {
            if self.facet(neighbor).flipped {
                continue;
            }
            if self.facet(neighbor).visible {
                return Err(Stuck);
            }
            let outer = &self.facet(neighbor).vertices;
            if self.facet(facet).vertices.iter().all(|v| outer.contains(v)) {
                return self.add_redundant(facet, neighbor);
            }
        }
        if self.facet(facet).neighbors.len() < 3 {
            self.add_degenerate(facet);
        }
        Ok(())
    }

    /// Neighbours all of whose vertices a facet has.
    pub(super) fn check_redundant_neighbors(&mut self, facet: u32) -> Step {
        if self.facet(facet).neighbors.len() < 3 {
            self.add_degenerate(facet);
            return Ok(());
        }
        let mark = self.mark_vertices(facet);
        for neighbor in self.facet(facet).neighbors.clone() {
            let n = self.facet(neighbor);
            if n.visible {
                return Err(Stuck);
            }
            if n.degenerate || n.redundant || (self.facet(facet).flipped && !n.flipped) {
                continue;
            }
            if n.vertices.iter().all(|v| self.vertices[*v as usize].visit == mark) {
                self.add_redundant(neighbor, facet)?;
            }
        }
        Ok(())
    }

    pub(super) fn check_degenerate_neighbors(&mut self, facet: u32) -> Step {
        for neighbor in self.facet(facet).neighbors.clone() {
            let n = self.facet(neighbor);
            if n.visible {
                return Err(Stuck);
            }
            if !n.degenerate && !n.redundant && n.neighbors.len() < 3 {
                self.add_degenerate(neighbor);
            }
        }
        Ok(())
    }

    /// Takes a vertex that no other facet has out of a facet.
    pub(super) fn drop_vertex(&mut self, facet: u32, vertex: u32) {
        remove_sorted(&mut self.facet_mut(facet).vertices, vertex);
        self.delete_vertex(vertex);
    }
}
