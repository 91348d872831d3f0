//! What is left to clean up after facets were united: facets that are no polygons of their own any more, and vertices
//! on an edge or inside a facet.

use super::Halt::Stuck;
use super::order::{sift, take_out};
use super::surface::State;
use super::{Step, Surface};

impl Surface<'_> {
    /// Does a facet have too few neighbours, or a neighbour with all its vertices?
    pub(super) fn find_leftover(&mut self, facet: u32) -> Step {
        let f = self.facet(facet);
        if f.flipped {
            return Ok(());
        }
        for &neighbor in &f.neighbors {
            let n = self.facet(neighbor);
            if n.flipped {
                continue;
            }
            if n.is_gone() {
                return Err(Stuck);
            }
            if f.vertices.iter().all(|v| n.vertices.contains(v)) {
                return self.add_covered(facet, neighbor);
            }
        }
        if f.neighbors.len() < 3 {
            self.add_starved(facet);
        }
        Ok(())
    }

    /// Neighbours all of whose vertices a facet has.
    pub(super) fn find_covered_neighbors(&mut self, facet: u32) -> Step {
        if self.facet(facet).neighbors.len() < 3 {
            self.add_starved(facet);
            return Ok(());
        }
        self.members.clear();
        self.members.extend(&self.facets[facet as usize].vertices);
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let n = self.facet(neighbor);
            match n.state {
                State::Gone(_) => return Err(Stuck),
                State::Sound if n.flipped || !self.facet(facet).flipped => {
                    if n.vertices.iter().all(|v| self.members.contains(*v)) {
                        self.add_covered(neighbor, facet)?;
                    }
                }
                State::Sound | State::Starved | State::Covered => {}
            }
        }
        Ok(())
    }

    /// Neighbours that have too few neighbours themselves.
    pub(super) fn find_starved_neighbors(&mut self, facet: u32) -> Step {
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let n = self.facet(neighbor);
            if n.is_gone() {
                return Err(Stuck);
            }
            if n.neighbors.len() < 3 {
                self.add_starved(neighbor);
            }
        }
        Ok(())
    }

    fn add_starved(&mut self, facet: u32) {
        if self.facet(facet).state != State::Sound {
            return;
        }
        self.facet_mut(facet).state = State::Starved;
        // covered facets come before starved ones
        let place = match self.leftovers.last() {
            Some((_, Some(_))) => 0,
            _ => self.leftovers.len(),
        };
        self.leftovers.insert(place, (facet, None));
    }

    fn add_covered(&mut self, facet: u32, by: u32) -> Step {
        if [facet, by].iter().any(|f| self.facet(*f).state == State::Covered) {
            return Ok(());
        }
        self.check_sides(facet, by)?;
        self.facet_mut(facet).state = State::Covered;
        self.leftovers.push((facet, Some(by)));
        Ok(())
    }

    /// Unites facets with too few neighbours and covered ones; true when there were any.
    pub(super) fn unite_leftovers(&mut self) -> Step<bool> {
        let mut any = false;
        while let Some((facet, by)) = self.leftovers.pop() {
            if self.facet(facet).is_gone() {
                continue;
            }
            self.facet_mut(facet).state = State::Sound;
            if let Some(by) = by {
                let into = self.successor(by).ok_or(Stuck)?;
                if into == facet {
                    continue;
                }
                self.unite_covered(facet, into)?;
            } else {
                match self.facet(facet).neighbors.len() {
                    0 => self.remove_lonely(facet),
                    1 | 2 => self.unite_with_best(facet)?,
                    _ => continue,
                }
            }
            any = true;
        }
        Ok(any)
    }

    fn remove_lonely(&mut self, facet: u32) {
        self.retire(facet, None);
        for v in self.facet(facet).vertices.clone() {
            if self.leave_fan(v, facet) == 0 {
                self.drop_vertex(v);
            }
        }
    }

    /// Takes vertices that no ridge of their facet has from it, and renames those of only two facets; true when facets
    /// were united meanwhile.
    pub(super) fn tidy_vertices(&mut self) -> Step<bool> {
        let mut united = self.unite_leftovers()?;
        while self.drop_unused_vertices()? || self.rename_vertices()? {
            united = true;
        }
        for vertex in self.vertex_order.fresh() {
            let v = &mut self.vertices[vertex as usize];
            v.loose &= v.dropped;
        }
        Ok(united)
    }

    fn drop_unused_vertices(&mut self) -> Step<bool> {
        for facet in self.fresh_facets() {
            if self.facet(facet).grown && self.drop_unused(facet) {
                self.find_leftover(facet)?;
                if self.unite_leftovers()? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Takes the vertices that no ridge has from a polygon.
    fn drop_unused(&mut self, facet: u32) -> bool {
        let f = self.facet(facet);
        if f.is_triangle() {
            return false;
        }
        self.spend(self.size(facet));
        let Self { facets, ridges, members: used, .. } = self;
        let f = &facets[facet as usize];
        used.clear();
        for &ridge in f.ridges() {
            used.extend(&ridges[ridge as usize].vertices);
        }
        let (kept, unused): (Vec<u32>, Vec<u32>) = f.vertices.iter().partition(|v| used.contains(**v));
        self.facet_mut(facet).vertices = kept;
        for &v in &unused {
            if self.leave_fan(v, facet) == 0 {
                self.drop_vertex(v);
            }
        }
        !unused.is_empty()
    }

    fn rename_vertices(&mut self) -> Step<bool> {
        for facet in self.fresh_facets() {
            if !std::mem::replace(&mut self.facet_mut(facet).grown, false) {
                continue;
            }
            let mut i = 0;
            while let Some(&vertex) = self.facet(facet).vertices.get(i) {
                if !(self.vertex(vertex).loose && self.rename(vertex, facet)?) {
                    i += 1;
                } else if self.unite_leftovers()? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// A vertex of only two facets lies on the edge between them: another vertex of the edge takes its place.
    fn rename(&mut self, vertex: u32, facet: u32) -> Step<bool> {
        let [a, b] = self.vertex(vertex).fan[..] else { return Ok(false) };
        let other = if a == facet { b } else { a };
        let is_between = |ridge: &u32| {
            let edge = self.ridge(*ridge);
            edge.beyond(facet) == other && edge.vertices.contains(&vertex)
        };
        let ridges: Vec<u32> = self.facet(facet).ridges().iter().copied().filter(is_between).collect();
        let common = |v: &u32| self.facet(other).vertices.contains(v);
        let mut candidates: Vec<u32> = self.facet(facet).vertices.iter().copied().filter(common).collect();
        take_out(&mut candidates, vertex);
        let Some(name) = self.find_name(vertex, candidates, &ridges) else { return Ok(false) };

        for ridge in ridges {
            self.rename_end(ridge, vertex, name)?;
        }
        for neighbor in self.vertex(vertex).fan.clone() {
            self.facet_mut(neighbor).vertices.retain(|v| *v != vertex);
            self.find_leftover(neighbor)?;
        }
        self.drop_vertex(vertex);
        self.find_leftover(facet)?;
        Ok(true)
    }

    /// The candidate with the fewest of these ridges whose own ridges would not double one of them.
    fn find_name(&self, old: u32, mut candidates: Vec<u32>, ridges: &[u32]) -> Option<u32> {
        let count = |v: u32| ridges.iter().filter(|r| self.ridge(**r).vertices.contains(&v)).count();
        sift(&mut candidates, |v| count(v) > 0);
        candidates.sort_by_key(|v| count(*v));
        let far_end = |ridge: u32, end: u32| {
            let [a, b] = self.ridge(ridge).vertices;
            if a == end { b } else { a }
        };
        candidates.into_iter().find(|&v| {
            let around = self.vertex(v).fan.iter().flat_map(|facet| self.facet(*facet).ridges());
            { around }.filter(|r| self.ridge(**r).vertices.contains(&v)).all(|own| {
                ridges.iter().all(|ridge| ridge == own || far_end(*ridge, old) != far_end(*own, v))
            })
        })
    }

    /// Puts another vertex into the place of a ridge's end; a ridge that shrinks to a point vanishes.
    fn rename_end(&mut self, ridge: u32, old: u32, new: u32) -> Step {
        let edge = &mut self.ridges[ridge as usize];
        let [a, b] = edge.vertices;
        let kept = if a == old { b } else { a };
        edge.vertices = [kept.max(new), kept.min(new)];
        if kept == new {
            self.remove_ridge(ridge);
            return Ok(());
        }
        let (was_first, is_first) = (a == old, new > kept);
        if was_first != is_first {
            edge.sides.swap(0, 1);
        }
        self.check_single(ridge, new)
    }

    /// Two ridges with the same ends cannot be told apart.
    fn check_single(&self, ridge: u32, new: u32) -> Step {
        let edge = self.ridge(ridge);
        let vanishes = |f: &u32| {
            let f = self.facet(*f);
            f.vertices.len() < 3 || (f.vertices.len() == 3 && !f.is_triangle() && f.vertices.contains(&new))
        };
        let has_twin = |f: &u32| {
            let twin = |r: &u32| *r != ridge && self.ridge(*r).vertices == edge.vertices;
            !self.facet(*f).is_triangle() && self.facet(*f).ridges().iter().any(twin)
        };
        if !edge.sides.iter().any(vanishes) && edge.sides.iter().any(has_twin) { Err(Stuck) } else { Ok(()) }
    }
}
