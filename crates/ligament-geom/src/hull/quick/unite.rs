//! Uniting a facet with a neighbour, whose plane is kept.

use super::Halt::Stuck;
use super::convexity::{Reason, Spread};
use super::order::{exchange, take_out};
use super::surface::{Angle, Outline, Ridge};
use super::{Extension, Step, Surface};

/// Heights, as multiples of the rounding error, that a merge can add.
pub(super) const ONE_MERGE: f64 = 7.0;
/// A merge that moves a facet by more than this many such heights is a failure.
const TOO_WIDE: f64 = 100.0;
/// Heights, in rounding errors, from which on a facet keeps its centre.
const WIDE: f64 = 12.0;
/// Centres are recomputed up to this many vertices.
const RECENTERED: usize = 8;

/// Which vertex a triangle adds to the facet that it is united with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adds {
    /// The apex of the cone: the triangle extends a facet of the horizon.
    Apex,
    /// The one across from the common edge.
    Opposite,
}

impl Surface<'_> {
    /// Unites triangles of the cone with the coplanar facets of the horizon beyond; true when there were any.
    pub(super) fn unite_extensions(&mut self) -> Step<bool> {
        let extensions = std::mem::take(&mut self.round.extensions);
        for Extension { horizon, facets } in &extensions {
            if let [triangle] = facets[..] {
                for i in 1..3 {
                    let v = self.facet(triangle).vertices[i];
                    self.vertex_mut(v).loose = true;
                }
                self.unite(triangle, *horizon, None, Adds::Apex)?;
            } else {
                let newest_first: Vec<u32> = facets.iter().rev().copied().collect();
                self.unite_group(&newest_first, *horizon)?;
            }
        }
        if !extensions.is_empty() {
            for facet in self.fresh_facets() {
                if extensions.iter().any(|extension| extension.horizon == facet) {
                    self.find_covered_neighbors(facet)?;
                }
            }
            self.unite_leftovers()?;
        }
        Ok(!extensions.is_empty())
    }

    /// Unites facets that look inwards.
    pub(super) fn unite_flipped(&mut self) -> Step<bool> {
        let mut any = false;
        let flipped: Vec<u32> = self.facet_order.fresh().filter(|f| self.facet(*f).flipped).collect();
        for facet in flipped {
            if !self.facet(facet).is_gone() {
                self.unite_with_best(facet)?;
                any = true;
            }
        }
        self.unite_leftovers()?;
        Ok(any)
    }

    /// Unites facets at dents, those that were found and those that appear on the way. `before`: facets were united
    /// already in this round.
    pub(super) fn unite_dents(&mut self, mut before: bool) -> Step {
        loop {
            let mut any = before;
            while !self.dents.is_empty() || !self.leftovers.is_empty() {
                if !self.leftovers.is_empty() {
                    self.unite_leftovers()?;
                    any = true;
                }
                while let Some(dent) = self.dents.pop() {
                    let changed = |f: &u32| !self.facet(*f).tested && self.facet_order.is_fresh(*f);
                    let outdated = dent.reason == Reason::Coplanar && dent.facets.iter().any(changed);
                    if outdated || dent.facets.iter().any(|f| self.facet(*f).is_gone()) {
                        continue;
                    }
                    self.unite_pair(dent.facets)?;
                    self.unite_leftovers()?;
                    any = true;
                }
                self.find_more_dents()?;
            }
            if !(self.knows_fans && any && self.tidy_vertices()?) {
                return Ok(());
            }
            before = false;
            self.find_more_dents()?;
        }
    }

    /// Unites one of two facets with its best neighbour, whichever moves less.
    fn unite_pair(&mut self, [mut a, mut b]: [u32; 2]) -> Step {
        if !self.facet_order.is_fresh(a) {
            (a, b) = (b, a);
        }
        let (first, second) = (self.best_neighbor(a)?, self.best_neighbor(b)?);
        let (facet, best) = if first.width < second.width { (a, first) } else { (b, second) };
        self.unite(facet, best.neighbor, Some(best), Adds::Opposite)
    }

    pub(super) fn unite_with_best(&mut self, facet: u32) -> Step {
        let best = self.best_neighbor(facet)?;
        self.unite(facet, best.neighbor, Some(best), Adds::Opposite)
    }

    /// Unites a facet with another that has all its vertices.
    pub(super) fn unite_covered(&mut self, facet: u32, into: u32) -> Step {
        self.unite(facet, into, None, Adds::Opposite)
    }

    fn unite(&mut self, facet: u32, into: u32, spread: Option<Spread>, adds: Adds) -> Step {
        self.merges += 1;
        self.spend(2 * (self.size(facet) + self.size(into)));
        self.afford()?;
        self.check_width(facet, into, spread)?;
        self.learn_fans();
        self.complete_ridges(facet);
        self.complete_ridges(into);
        if let Some(Spread { low, high, .. }) = spread {
            let wide = WIDE * self.tolerance.round;
            self.max_outside = self.max_outside.max(high);
            let f = self.facet_mut(into);
            f.max_outside = f.max_outside.max(high);
            f.keeps_center |= high > wide || low < -wide;
        }
        self.forget_tests(facet, into);
        if self.facet(facet).vertices.len() == 3 {
            self.absorb_triangle(facet, into, adds)?;
        } else {
            self.absorb_polygon(facet, into);
        }
        self.facet_order.move_to_end(into);
        self.facet_mut(into).grown = true;
        if adds == Adds::Opposite {
            self.find_covered_neighbors(into)?;
            self.find_starved_neighbors(facet)?;
            self.find_leftover(into)?;
        }
        self.retire(facet, Some(into));
        Ok(())
    }

    fn check_width(&self, facet: u32, into: u32, spread: Option<Spread>) -> Step {
        let limit = (TOO_WIDE * ONE_MERGE * self.tolerance.round)
            .max(self.facet(facet).max_outside)
            .max(self.facet(into).max_outside);
        let wide = spread.is_some_and(|s| s.high > limit || -s.low > limit);
        let gone = self.facet(facet).is_gone() || self.facet(into).is_gone();
        if wide || gone || facet == into || self.facet_order.len() <= 4 { Err(Stuck) } else { Ok(()) }
    }

    /// Facets around every vertex, from the first merge on.
    fn learn_fans(&mut self) {
        if !std::mem::replace(&mut self.knows_fans, true) {
            for facet in self.facet_order.iter().collect::<Vec<_>>() {
                self.join_fans(facet);
            }
        }
    }

    /// Makes a triangle a polygon, with ridges to all its neighbours.
    fn complete_ridges(&mut self, facet: u32) {
        if std::mem::replace(&mut self.facet_mut(facet).outline, Outline::Polygon) == Outline::Polygon {
            return;
        }
        self.met.clear();
        for &ridge in self.facets[facet as usize].ridges() {
            self.met.insert(self.ridges[ridge as usize].beyond(facet));
        }
        let angle = if self.facet(facet).tested { Angle::Convex } else { Angle::Unknown };
        for across in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[across];
            if !self.met.contains(neighbor) {
                self.add_edge(facet, across, [facet, neighbor], angle);
            }
        }
    }

    /// A ridge along the edge of a triangle across from one of its vertices, between the facet that the triangle
    /// belongs to and a neighbour.
    fn add_edge(&mut self, triangle: u32, across: usize, [owner, neighbor]: [u32; 2], angle: Angle) {
        let f = self.facet(triangle);
        let v = &f.vertices;
        let vertices = [[v[1], v[2]], [v[0], v[2]], [v[0], v[1]]][across.min(2)];
        let owner_first = f.mirrored == across.is_multiple_of(2);
        let sides = if owner_first { [owner, neighbor] } else { [neighbor, owner] };
        let ridge = self.ridges.len() as u32;
        self.ridges.push(Ridge { vertices, sides, angle });
        self.add_ridge(owner, ridge);
        self.add_ridge(neighbor, ridge);
    }

    /// Takes a ridge away; a dent passes on to another ridge between the same facets.
    pub(super) fn remove_ridge(&mut self, ridge: u32) {
        let Ridge { vertices, sides: [first, second], angle } = *self.ridge(ridge);
        if angle == Angle::Dented {
            let twin = |r: &&u32| **r != ridge && self.ridge(**r).sides.contains(&second);
            if let Some(&twin) = self.facet(first).ridges().iter().find(twin) {
                self.ridges[twin as usize].angle = Angle::Dented;
            }
        }
        for v in vertices {
            self.vertex_mut(v).loose = true;
        }
        self.take_ridge(first, ridge);
        self.take_ridge(second, ridge);
    }

    /// Both facets have to be compared with their neighbours again. The centre of the one that grows stays if it is
    /// large; then what was found about its ridges stays, too.
    fn forget_tests(&mut self, facet: u32, into: u32) {
        self.forget_angles(facet);
        let f = self.facet_mut(into);
        f.tested = false;
        if f.center.is_none() {
            return;
        }
        match f.vertices.len() {
            3 => f.keeps_center = false,
            size => f.keeps_center |= size > RECENTERED,
        }
        if !f.keeps_center {
            f.center = None;
            self.forget_angles(into);
        }
    }

    fn forget_angles(&mut self, facet: u32) {
        let Self { facets, ridges, .. } = self;
        for &ridge in facets[facet as usize].ridges() {
            ridges[ridge as usize].forget();
        }
    }

    fn absorb_triangle(&mut self, facet: u32, into: u32, adds: Adds) -> Step {
        let corners = self.facet(facet).vertices.clone();
        let added = match adds {
            Adds::Apex => {
                if !self.facet_order.is_fresh(into) {
                    self.renew_vertices(&self.facet(into).vertices.clone());
                }
                self.add_apex(into, corners[0]).then_some(corners[0])
            }
            Adds::Opposite => self.add_opposite(facet, into)?,
        };
        for v in corners {
            if added == Some(v) {
                exchange(&mut self.vertex_mut(v).fan, facet, into);
            } else {
                self.share_vertex(v, facet, into);
            }
        }
        self.absorb_edges(facet, into);
        Ok(())
    }

    /// Adds the youngest vertex; false when it was there.
    fn add_apex(&mut self, facet: u32, apex: u32) -> bool {
        let vertices = &mut self.facet_mut(facet).vertices;
        let added = vertices.first() != Some(&apex);
        if added {
            vertices.insert(0, apex);
        }
        added
    }

    /// A vertex of two united facets: dropped if there is no third.
    fn share_vertex(&mut self, vertex: u32, facet: u32, into: u32) {
        if self.leave_fan(vertex, facet) < 2 {
            self.facet_mut(into).vertices.retain(|v| *v != vertex);
            self.drop_vertex(vertex);
        }
    }

    /// Adds the vertex of a triangle across from the ridge to `into`; returns it if it was not there.
    fn add_opposite(&mut self, facet: u32, into: u32) -> Step<Option<u32>> {
        let ridges = self.facet(facet).ridges();
        let common = ridges.iter().find(|r| self.ridge(**r).beyond(facet) == into);
        let edge = common.map(|r| self.ridge(*r).vertices);
        for v in edge.into_iter().flatten() {
            self.vertex_mut(v).loose = true;
        }
        let is_opposite = |v: &&u32| edge.is_none_or(|edge| !edge.contains(v));
        let opposite = *self.facet(facet).vertices.iter().find(is_opposite).ok_or(Stuck)?;
        let vertices = &mut self.facet_mut(into).vertices;
        let place = vertices.iter().position(|v| *v <= opposite).unwrap_or(vertices.len());
        let added = vertices.get(place) != Some(&opposite);
        if added {
            vertices.insert(place, opposite);
        }
        if self.facet_order.is_fresh(into) {
            self.renew_vertices(&[opposite]);
        } else {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
        Ok(added.then_some(opposite))
    }

    /// Hands the ridges of a triangle over, and with each the neighbour beyond.
    fn absorb_edges(&mut self, facet: u32, into: u32) {
        self.visited.clear();
        self.visited.extend(&self.facets[into as usize].neighbors);
        let mut i = 0;
        while let Some(&ridge) = self.facet(facet).ridges().get(i) {
            let neighbor = self.ridge(ridge).beyond(facet);
            if neighbor == into {
                self.remove_ridge(ridge);
                take_out(&mut self.facet_mut(into).neighbors, facet);
                continue;
            }
            self.add_ridge(into, ridge);
            self.absorb_neighbor(neighbor, facet, into);
            self.ridges[ridge as usize].change_side(facet, into);
            i += 1;
        }
    }

    /// A neighbour of the facet becomes one of `into`. The marks say which ones `into` has.
    fn absorb_neighbor(&mut self, neighbor: u32, facet: u32, into: u32) {
        if self.visited.insert(neighbor) {
            self.facet_mut(into).neighbors.push(neighbor);
            exchange(&mut self.facet_mut(neighbor).neighbors, facet, into);
            return;
        }
        self.complete_ridges(neighbor);
        // of the two entries one goes, but never the first place
        let list = &mut self.facet_mut(neighbor).neighbors;
        if list.first() == Some(&facet) {
            take_out(list, into);
            exchange(list, facet, into);
        } else {
            take_out(list, facet);
        }
    }

    fn absorb_polygon(&mut self, facet: u32, into: u32) {
        self.visited.clear();
        self.visited.extend(&self.facets[into as usize].neighbors);
        for neighbor in self.facet(facet).neighbors.clone() {
            if neighbor != into {
                self.absorb_neighbor(neighbor, facet, into);
            }
        }
        take_out(&mut self.facet_mut(facet).neighbors, into);
        take_out(&mut self.facet_mut(into).neighbors, facet);

        self.members.clear();
        self.members.extend(&self.facets[into as usize].vertices);
        let added = self.facet(facet).vertices.clone();
        let vertices = &mut self.facet_mut(into).vertices;
        vertices.extend(&added);
        vertices.sort_unstable_by(|a, b| b.cmp(a));
        vertices.dedup();

        let mut i = 0;
        while let Some(&ridge) = self.facet(into).ridges().get(i) {
            if self.ridge(ridge).sides.contains(&facet) {
                self.remove_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for ridge in self.facet(facet).ridges().to_vec() {
            self.ridges[ridge as usize].change_side(facet, into);
            self.add_ridge(into, ridge);
        }
        for v in added {
            if self.members.contains(v) {
                self.share_vertex(v, facet, into);
            } else {
                exchange(&mut self.vertex_mut(v).fan, facet, into);
            }
        }
        if !self.facet_order.is_fresh(into) {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
    }

    /// Takes a facet that was united with another out of the surface.
    pub(super) fn retire(&mut self, facet: u32, successor: Option<u32>) {
        self.remove_facet(facet, successor);
        self.round.united.push(facet);
        let f = self.facet_mut(facet);
        f.ridges = None;
        f.neighbors.clear();
    }

    /// Unites several triangles of the cone with a facet of the horizon at once.
    fn unite_group(&mut self, group: &[u32], into: u32) -> Step {
        self.merges += 1;
        self.spend(2 * self.size(into) + 8 * group.len());
        self.afford()?;
        self.learn_fans();
        self.complete_ridges(into);
        self.members.clear();
        self.members.extend(group);
        self.absorb_group_neighbors(group, into);
        self.absorb_group_ridges(group, into)?;
        self.absorb_group_vertices(group, into);
        if !self.facet_order.is_fresh(into) {
            self.renew_vertices(&self.facet(into).vertices.clone());
        }
        self.facet_order.move_to_end(into);
        for &facet in group {
            self.retire(facet, Some(into));
        }
        let f = self.facet_mut(into);
        f.grown = true;
        if f.vertices.len() <= RECENTERED {
            f.center = None;
        }
        Ok(())
    }

    fn absorb_group_neighbors(&mut self, group: &[u32], into: u32) {
        let mut neighbors = std::mem::take(&mut self.facet_mut(into).neighbors);
        neighbors.retain(|n| !self.members.contains(*n));
        self.visited.clear();
        self.visited.insert(into);
        self.visited.extend(&neighbors);
        self.facet_mut(into).neighbors = neighbors;
        for &facet in group {
            for neighbor in self.facet(facet).neighbors.clone() {
                if self.members.contains(neighbor) {
                    continue;
                }
                let is_new = self.visited.insert(neighbor);
                if is_new {
                    self.facet_mut(into).neighbors.push(neighbor);
                }
                match (self.facet(neighbor).is_triangle(), is_new) {
                    (true, true) => {
                        exchange(&mut self.facet_mut(neighbor).neighbors, facet, into);
                        let Self { facets, ridges, .. } = self;
                        let edges = facets[neighbor as usize].ridges().iter();
                        if let Some(&edge) = { edges }.find(|r| ridges[**r as usize].sides.contains(&facet)) {
                            ridges[edge as usize].change_side(facet, into);
                        }
                    }
                    (true, false) => {
                        self.complete_ridges(neighbor);
                        take_out(&mut self.facet_mut(neighbor).neighbors, facet);
                    }
                    (false, _) => {
                        take_out(&mut self.facet_mut(neighbor).neighbors, facet);
                        if is_new {
                            self.facet_mut(neighbor).neighbors.push(into);
                        }
                    }
                }
            }
        }
    }

    fn absorb_group_ridges(&mut self, group: &[u32], into: u32) -> Step {
        let mut kept = self.facet_mut(into).ridges.take().unwrap_or_default();
        kept.retain(|r| !self.members.contains(self.ridge(*r).beyond(into)));
        self.facet_mut(into).ridges = Some(kept);
        for &facet in group {
            for ridge in self.facet_mut(facet).ridges.take().unwrap_or_default() {
                let edge = &mut self.ridges[ridge as usize];
                if edge.sides.contains(&facet) {
                    edge.change_side(facet, into);
                    let neighbor = edge.beyond(into);
                    if self.members.contains(neighbor) {
                        self.take_ridge(neighbor, ridge);
                    } else if neighbor != into {
                        self.add_ridge(into, ridge);
                    }
                } else if edge.sides.contains(&into) {
                    // handed over with its neighbour
                    self.add_ridge(into, ridge);
                } else {
                    return Err(Stuck);
                }
            }
            if !self.facet(facet).is_triangle() {
                continue;
            }
            for across in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[across];
                if !self.members.contains(neighbor) && self.facet(neighbor).is_triangle() {
                    self.add_edge(facet, across, [into, neighbor], Angle::Unknown);
                }
            }
        }
        Ok(())
    }

    /// Vertices of the group lose its facets from their fans; the apex, which all of them have, comes last.
    fn absorb_group_vertices(&mut self, group: &[u32], into: u32) {
        let apex = self.facet(group[0]).vertices[0];
        let mut vertices: Vec<u32> = Vec::new();
        for &facet in group {
            for &v in &self.facet(facet).vertices[1..] {
                if !vertices.contains(&v) {
                    vertices.push(v);
                }
            }
        }
        vertices.push(apex);
        self.members.insert(into);
        for vertex in vertices {
            let Self { members, vertices, .. } = self;
            let v = &mut vertices[vertex as usize];
            v.loose = true;
            v.fan.retain(|f| !members.contains(*f));
            v.fan.push(into);
            if v.fan.len() < 2 {
                self.facet_mut(into).vertices.retain(|v| *v != vertex);
                self.drop_vertex(vertex);
            }
        }
        self.add_apex(into, apex);
    }
}
