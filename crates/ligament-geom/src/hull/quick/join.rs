//! Joining a facet with a neighbour.

use super::lists::{remove, replace};
use super::partition::ONE_MERGE;
use super::select::Nearest;
use super::{Leftover, NONE, Quick, Reason, Ridge, Step, Stuck};

/// A join that moves a facet by more than this many merges is a failure.
const TOO_WIDE: f64 = 100.0;
/// Heights, in rounding errors, from which on a facet keeps its centre.
const WIDE: f64 = 12.0;
/// Centres are recomputed up to this many vertices.
const RECENTERED: usize = 8;

/// How the new vertex of a joined triangle is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The apex of the cone is added to a facet of the horizon.
    Horizon,
    Repair,
}

impl Quick<'_> {
    /// Facets around every vertex, from the first merge on.
    pub(super) fn find_neighbors(&mut self) {
        if std::mem::replace(&mut self.has_neighbors, true) {
            return;
        }
        for facet in self.list(self.first_facet).collect::<Vec<_>>() {
            if !self.facet(facet).visible {
                for vertex in self.facet(facet).vertices.clone() {
                    self.vertex_mut(vertex).neighbors.push(facet);
                }
            }
        }
    }

    /// Gives a triangle ridges to all its neighbours.
    pub(super) fn make_ridges(&mut self, facet: u32) {
        if !std::mem::replace(&mut self.facet_mut(facet).simplicial, false) {
            return;
        }
        for neighbor in self.facet(facet).neighbors.clone() {
            self.facet_mut(neighbor).seen = false;
        }
        for ridge in self.facet(facet).ridges.clone() {
            let other = self.ridges[ridge as usize].other(facet);
            self.facet_mut(other).seen = true;
        }
        for (i, neighbor) in self.facet(facet).neighbors.clone().into_iter().enumerate() {
            if !self.facet(neighbor).seen {
                let tested = self.facet(facet).tested;
                self.new_ridge(facet, i, facet, neighbor, tested);
            }
        }
    }

    /// The ridge of `triangle` across from a vertex, between `owner` (what the triangle becomes) and a neighbour.
    pub(super) fn new_ridge(
        &mut self,
        triangle: u32,
        across: usize,
        owner: u32,
        neighbor: u32,
        tested: bool,
    ) {
        let f = self.facet(triangle);
        let v = &f.vertices;
        let vertices = match across {
            0 => [v[1], v[2]],
            1 => [v[0], v[2]],
            _ => [v[0], v[1]],
        };
        let (top, bottom) = if f.top == (across & 1 == 0) { (owner, neighbor) } else { (neighbor, owner) };
        let ridge = self.ridges.len() as u32;
        self.ridges.push(Ridge { vertices, top, bottom, concave: false, tested });
        self.add_ridge(owner, ridge);
        self.add_ridge(neighbor, ridge);
    }

    /// Takes a ridge away; another one between the same facets inherits that it is concave.
    pub(super) fn delete_ridge(&mut self, ridge: u32) {
        let edge = self.ridges[ridge as usize];
        if edge.concave {
            let twin = self.facet(edge.top).ridges.iter().copied().find(|&r| {
                let other = &self.ridges[r as usize];
                r != ridge && (other.top == edge.bottom || other.bottom == edge.bottom)
            });
            if let Some(twin) = twin {
                self.ridges[twin as usize].concave = true;
            }
        }
        for v in edge.vertices {
            self.vertex_mut(v).lost_ridge = true;
        }
        remove(&mut self.facet_mut(edge.top).ridges, ridge);
        remove(&mut self.facet_mut(edge.bottom).ridges, ridge);
    }

    /// Joins `facet` into `into`, whose plane is kept.
    pub(super) fn join(
        &mut self,
        facet: u32,
        into: u32,
        spread: Option<Nearest>,
        occasion: Occasion,
    ) -> Step {
        self.merges += 1;
        self.check_join(facet, into, spread)?;
        self.find_neighbors();
        self.make_ridges(facet);
        self.make_ridges(into);
        let wide = WIDE * self.tolerance.round;
        let f = self.facet_mut(into);
        if let Some(Nearest { low, high, .. }) = spread {
            f.max_outside = f.max_outside.max(high);
            f.keep_center |= high > wide || low < -wide;
            self.max_outside = self.max_outside.max(high);
        }
        self.facet_mut(into).new_merge = true;
        self.forget_center(facet, into);
        if self.facet(facet).vertices.len() == 3 {
            self.join_triangle(facet, into, occasion)?;
        } else {
            self.join_polygon(facet, into);
        }
        self.remove_facet(into);
        self.append_facet(into);
        let f = self.facet_mut(into);
        f.is_new = true;
        f.tested = false;
        if occasion == Occasion::Repair {
            self.check_redundant_neighbors(into)?;
            self.check_degenerate_neighbors(facet)?;
            self.check_leftover(into)?;
        }
        self.retire(facet, into);
        Ok(())
    }

    fn check_join(&self, facet: u32, into: u32, spread: Option<Nearest>) -> Step {
        let limit = (TOO_WIDE * ONE_MERGE * self.tolerance.round)
            .max(self.facet(facet).max_outside)
            .max(self.facet(into).max_outside);
        let wide = spread.is_some_and(|s| s.high > limit || -s.low > limit);
        let gone = self.facet(facet).visible || self.facet(into).visible;
        let last = self.facet_count - self.visible_count <= 4;
        if wide || facet == into || gone || last { Err(Stuck) } else { Ok(()) }
    }

    /// The centre of a facet that grows is kept only when it is large.
    fn forget_center(&mut self, facet: u32, into: u32) {
        for ridge in self.facet(facet).ridges.clone() {
            self.ridges[ridge as usize].tested = false;
        }
        let f = self.facet_mut(into);
        f.tested = false;
        if f.center.is_none() {
            return;
        }
        let size = f.vertices.len();
        if size > RECENTERED {
            f.keep_center = true;
        } else if size == 3 {
            f.keep_center = false;
        }
        if !f.keep_center {
            f.center = None;
            for ridge in self.facet(into).ridges.clone() {
                self.ridges[ridge as usize].tested = false;
            }
        }
    }

    fn join_triangle(&mut self, facet: u32, into: u32, occasion: Occasion) -> Step {
        let corners = self.facet(facet).vertices.clone();
        let (vertex, added) = match occasion {
            Occasion::Horizon => {
                let apex = corners[0];
                if !self.facet(into).is_new {
                    self.renew_vertices(&self.facet(into).vertices.clone());
                }
                let added = self.facet(into).vertices[0] != apex;
                if added {
                    self.facet_mut(into).vertices.insert(0, apex);
                }
                (apex, added)
            }
            Occasion::Repair => self.add_opposite(facet, into)?,
        };
        for v in corners {
            if v == vertex && added {
                replace(&mut self.vertex_mut(v).neighbors, facet, into);
                continue;
            }
            remove(&mut self.vertex_mut(v).neighbors, facet);
            if self.vertices[v as usize].neighbors.len() < 2 {
                self.drop_vertex(into, v);
            }
        }
        self.move_ridges_of_triangle(facet, into);
        Ok(())
    }

    /// Adds the vertex of a triangle that lies across from the ridge to `into`.
    fn add_opposite(&mut self, facet: u32, into: u32) -> Step<(u32, bool)> {
        let shared = self.facet(facet).ridges.iter().find(|r| self.ridges[**r as usize].other(facet) == into);
        let edge = shared.map_or([NONE; 2], |r| self.ridges[*r as usize].vertices);
        for v in edge {
            if v != NONE {
                self.vertex_mut(v).lost_ridge = true;
            }
        }
        let opposite = *self.facet(facet).vertices.iter().find(|v| !edge.contains(v)).ok_or(Stuck)?;
        let list = &mut self.facet_mut(into).vertices;
        let place = list.iter().position(|v| *v <= opposite).unwrap_or(list.len());
        let added = list.get(place) != Some(&opposite);
        if added {
            list.insert(place, opposite);
        }
        if self.facet(into).is_new {
            self.renew_vertices(&[opposite]);
        } else {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
        Ok((opposite, added))
    }

    fn move_ridges_of_triangle(&mut self, facet: u32, into: u32) {
        let visit = self.next_visit();
        for neighbor in self.facet(into).neighbors.clone() {
            self.facet_mut(neighbor).visit = visit;
        }
        let mut i = 0;
        while let Some(&ridge) = self.facet(facet).ridges.get(i) {
            let other = self.ridges[ridge as usize].other(facet);
            if other == into {
                self.delete_ridge(ridge);
                remove(&mut self.facet_mut(into).neighbors, facet);
                continue;
            }
            self.add_ridge(into, ridge);
            if self.facet(other).visit == visit {
                self.make_ridges(other);
                self.replace_neighbor(other, facet, into);
            } else {
                self.facet_mut(into).neighbors.push(other);
                replace(&mut self.facet_mut(other).neighbors, facet, into);
                self.facet_mut(other).visit = visit;
            }
            self.hand_over(ridge, facet, into);
            i += 1;
        }
    }

    /// In a facet that had both as neighbours, one goes; the first neighbour keeps its place.
    fn replace_neighbor(&mut self, of: u32, facet: u32, into: u32) {
        let list = &mut self.facet_mut(of).neighbors;
        if list.first() == Some(&facet) {
            remove(list, into);
            replace(list, facet, into);
        } else {
            remove(list, facet);
        }
    }

    fn hand_over(&mut self, ridge: u32, facet: u32, into: u32) {
        let edge = &mut self.ridges[ridge as usize];
        *(if edge.top == facet { &mut edge.top } else { &mut edge.bottom }) = into;
    }

    fn join_polygon(&mut self, facet: u32, into: u32) {
        let shared = self.facet(into).vertices.clone();
        self.join_neighbors(facet, into);
        let mut vertices = self.facet(facet).vertices.clone();
        vertices.extend(&shared);
        vertices.sort_unstable_by(|a, b| b.cmp(a));
        vertices.dedup();
        self.facet_mut(into).vertices = vertices;
        let mut i = 0;
        while let Some(&ridge) = self.facet(into).ridges.get(i) {
            let edge = &self.ridges[ridge as usize];
            if edge.top == facet || edge.bottom == facet {
                self.delete_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for ridge in self.facet(facet).ridges.clone() {
            self.hand_over(ridge, facet, into);
            self.add_ridge(into, ridge);
        }
        for v in self.facet(facet).vertices.clone() {
            if shared.contains(&v) {
                remove(&mut self.vertex_mut(v).neighbors, facet);
                if self.vertices[v as usize].neighbors.len() < 2 {
                    self.drop_vertex(into, v);
                }
            } else {
                replace(&mut self.vertex_mut(v).neighbors, facet, into);
            }
        }
        if !self.facet(into).is_new {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
    }

    fn join_neighbors(&mut self, facet: u32, into: u32) {
        let visit = self.next_visit();
        for neighbor in self.facet(into).neighbors.clone() {
            self.facet_mut(neighbor).visit = visit;
        }
        for neighbor in self.facet(facet).neighbors.clone() {
            if self.facet(neighbor).visit == visit {
                self.make_ridges(neighbor);
                self.replace_neighbor(neighbor, facet, into);
            } else if neighbor != into {
                self.facet_mut(into).neighbors.push(neighbor);
                replace(&mut self.facet_mut(neighbor).neighbors, facet, into);
            }
        }
        remove(&mut self.facet_mut(facet).neighbors, into);
        remove(&mut self.facet_mut(into).neighbors, facet);
    }

    /// Joins all pairs that were found, and those found on the way.
    pub(super) fn join_all(&mut self, mut merged_before: bool) -> Step {
        loop {
            let mut merged = false;
            while !self.joins.is_empty() || !self.leftovers.is_empty() {
                if !self.leftovers.is_empty() {
                    self.join_leftovers()?;
                    merged = true;
                }
                while let Some(join) = self.joins.pop() {
                    let [a, b] = join.facets.map(|f| self.facet(f));
                    let stale = |f: &super::Facet| !f.tested && f.is_new;
                    if a.visible || b.visible || (join.reason == Reason::Coplanar && (stale(a) || stale(b))) {
                        continue;
                    }
                    self.join_pair(join.facets)?;
                    self.join_leftovers()?;
                    merged = true;
                }
                self.more_joins()?;
            }
            if self.has_neighbors && (merged || merged_before) {
                merged_before = false;
                if self.reduce_vertices()? {
                    self.more_joins()?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Joins one of two facets with its best neighbour, whichever moves least.
    fn join_pair(&mut self, [mut a, mut b]: [u32; 2]) -> Step {
        if !self.facet(a).is_new {
            std::mem::swap(&mut a, &mut b);
        }
        let first = self.best_neighbor(a)?;
        let second = self.best_neighbor(b)?;
        let (facet, best) = if first.distance < second.distance { (a, first) } else { (b, second) };
        self.join(facet, best.facet, Some(best), Occasion::Repair)
    }

    /// Joins facets that look the wrong way.
    pub(super) fn join_flipped(&mut self) -> Step<bool> {
        let flipped: Vec<u32> = self.list(self.new_facets).filter(|f| self.facet(*f).flipped).collect();
        let mut merged = false;
        for facet in flipped {
            if !self.facet(facet).visible {
                let best = self.best_neighbor(facet)?;
                self.join(facet, best.facet, Some(best), Occasion::Repair)?;
                merged = true;
            }
        }
        self.join_leftovers()?;
        Ok(merged)
    }

    /// Joins facets with too few neighbours or inside others; true when there were any.
    pub(super) fn join_leftovers(&mut self) -> Step<bool> {
        let mut any = false;
        while let Some(Leftover { facet, inside }) = self.leftovers.pop() {
            if self.facet(facet).visible {
                continue;
            }
            let f = self.facet_mut(facet);
            (f.degenerate, f.redundant) = (false, false);
            if let Some(inside) = inside {
                let into = self.replacement_of(inside);
                if into == NONE {
                    return Err(Stuck);
                }
                if into != facet {
                    self.join(facet, into, None, Occasion::Repair)?;
                    any = true;
                }
            } else if self.facet(facet).neighbors.is_empty() {
                self.remove_lonely(facet);
                any = true;
            } else if self.facet(facet).neighbors.len() < 3 {
                let best = self.best_neighbor(facet)?;
                self.join(facet, best.facet, Some(best), Occasion::Repair)?;
                any = true;
            }
        }
        Ok(any)
    }

    fn remove_lonely(&mut self, facet: u32) {
        self.retire(facet, NONE);
        for v in self.facet(facet).vertices.clone() {
            remove(&mut self.vertex_mut(v).neighbors, facet);
            if self.vertices[v as usize].neighbors.is_empty() {
                self.delete_vertex(v);
            }
        }
    }
}
