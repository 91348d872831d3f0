//! Vertices that lie on an edge or inside a facet after facets were joined.

use super::lists::{remove, remove_sorted};
use super::{NONE, Quick, Step, Stuck};

impl Quick<'_> {
    /// Drops vertices that no ridge of their facet has, and renames those of only two facets; true when facets
    /// were joined meanwhile.
    pub(super) fn reduce_vertices(&mut self) -> Step<bool> {
        let mut joined = self.join_leftovers()?;
        loop {
            let again = self.drop_extra_vertices()? || self.rename_shared_vertices()?;
            if !again {
                break;
            }
            joined = true;
        }
        for vertex in self.vertex_list(self.new_vertices) {
            let v = self.vertex_mut(vertex);
            if !v.deleted {
                v.lost_ridge = false;
            }
        }
        Ok(joined)
    }

    fn drop_extra_vertices(&mut self) -> Step<bool> {
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            if self.facet(facet).new_merge && self.drop_extra(facet) {
                self.check_leftover(facet)?;
                if self.join_leftovers()? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Drops the vertices of a polygon that none of its ridges has.
    fn drop_extra(&mut self, facet: u32) -> bool {
        if self.facet(facet).simplicial {
            return false;
        }
        let used: Vec<u32> =
            self.facet(facet).ridges.iter().flat_map(|r| self.ridges[*r as usize].vertices).collect();
        let extra: Vec<u32> =
            self.facet(facet).vertices.iter().copied().filter(|v| !used.contains(v)).collect();
        for &v in &extra {
            remove_sorted(&mut self.facet_mut(facet).vertices, v);
            remove(&mut self.vertex_mut(v).neighbors, facet);
            if self.vertices[v as usize].neighbors.is_empty() {
                self.delete_vertex(v);
            }
        }
        !extra.is_empty()
    }

    fn rename_shared_vertices(&mut self) -> Step<bool> {
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            if !std::mem::replace(&mut self.facet_mut(facet).new_merge, false) {
                continue;
            }
            let mut i = 0;
            while let Some(&vertex) = self.facet(facet).vertices.get(i) {
                if self.vertices[vertex as usize].lost_ridge && self.rename_shared(vertex, facet)? {
                    if self.join_leftovers()? {
                        return Ok(true);
                    }
                } else {
                    i += 1;
                }
            }
        }
        Ok(false)
    }

    /// A vertex of two facets lies on the edge between them: another vertex of the edge takes its place.
    fn rename_shared(&mut self, vertex: u32, facet: u32) -> Step<bool> {
        let [a, b] = self.vertices[vertex as usize].neighbors[..] else { return Ok(false) };
        let other = if a == facet { b } else { a };
        let visit = self.next_visit();
        self.facet_mut(other).visit = visit;
        let ridges: Vec<u32> = self
            .facet(facet)
            .ridges
            .iter()
            .copied()
            .filter(|r| {
                let edge = &self.ridges[*r as usize];
                self.facet(edge.other(facet)).visit == visit && edge.vertices.contains(&vertex)
            })
            .collect();
        self.facet_mut(facet).visit = visit - 1;
        let outer = &self.facet(other).vertices;
        let mut candidates: Vec<u32> =
            self.facet(facet).vertices.iter().copied().filter(|v| outer.contains(v)).collect();
        remove(&mut candidates, vertex);
        let Some(new) = self.find_name(vertex, candidates, &ridges) else { return Ok(false) };
        self.rename(vertex, new, &ridges, facet)?;
        Ok(true)
    }

    /// The candidate with the fewest of these ridges whose own ridges would not double one of them.
    fn find_name(&mut self, old: u32, mut candidates: Vec<u32>, ridges: &[u32]) -> Option<u32> {
        let count =
            |v: u32| ridges.iter().filter(|r| self.ridges[**r as usize].vertices.contains(&v)).count();
        let mut i = 0;
        while let Some(&v) = candidates.get(i) {
            if count(v) == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|v| count(*v));
        let rest = |r: u32, v: u32| {
            let [a, b] = self.ridges[r as usize].vertices;
            if a == v { b } else { a }
        };
        candidates.into_iter().find(|&v| {
            self.ridges_of(v)
                .into_iter()
                .all(|r| !ridges.iter().any(|&s| s != r && rest(s, old) == rest(r, v)))
        })
    }

    /// Ridges at a vertex.
    fn ridges_of(&self, vertex: u32) -> Vec<u32> {
        let mut list = Vec::new();
        for facet in &self.vertices[vertex as usize].neighbors {
            for &r in &self.facet(*facet).ridges {
                if self.ridges[r as usize].vertices.contains(&vertex) && !list.contains(&r) {
                    list.push(r);
                }
            }
        }
        list
    }

    fn rename(&mut self, old: u32, new: u32, ridges: &[u32], facet: u32) -> Step {
        for &ridge in ridges {
            if self.rename_in_ridge(ridge, old, new) {
                self.check_duplicate(ridge, new)?;
            }
        }
        for neighbor in self.vertices[old as usize].neighbors.clone() {
            remove_sorted(&mut self.facet_mut(neighbor).vertices, old);
            self.check_leftover(neighbor)?;
        }
        self.delete_vertex(old);
        self.check_leftover(facet)
    }

    /// False when the ridge vanishes.
    fn rename_in_ridge(&mut self, ridge: u32, old: u32, new: u32) -> bool {
        let edge = self.ridges[ridge as usize];
        let place = usize::from(edge.vertices[0] != old);
        let kept = edge.vertices[1 - place];
        if kept == new {
            self.ridges[ridge as usize].vertices = [kept; 2];
            self.delete_ridge(ridge);
            return false;
        }
        let new_place = usize::from(kept > new);
        let edge = &mut self.ridges[ridge as usize];
        edge.vertices = if new_place == 0 { [new, kept] } else { [kept, new] };
        if place != new_place {
            std::mem::swap(&mut edge.top, &mut edge.bottom);
        }
        true
    }

    /// Two ridges with the same vertices cannot be told apart.
    fn check_duplicate(&self, ridge: u32, new: u32) -> Step {
        let edge = &self.ridges[ridge as usize];
        let small = |f: u32| {
            let f = self.facet(f);
            f.vertices.len() < 3 || (f.vertices.len() == 3 && !f.simplicial && f.vertices.contains(&new))
        };
        if small(edge.top) || small(edge.bottom) {
            return Ok(());
        }
        let double = |f: u32| {
            let same = |r: &u32| *r != ridge && self.ridges[*r as usize].vertices == edge.vertices;
            f != NONE && !self.facet(f).simplicial && self.facet(f).ridges.iter().any(same)
        };
        if double(edge.top) || double(edge.bottom) { Err(Stuck) } else { Ok(()) }
    }
}
