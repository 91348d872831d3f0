//! What a point sees, and the cone of new facets from the horizon to it.

use super::lists::{remove, replace};
use super::{NONE, Quick, Step, Stuck, TAIL, Vertex};

impl Quick<'_> {
    /// Moves the facets that the point sees to the end of the list, and notes which facets of the horizon are
    /// coplanar with it.
    pub(super) fn find_horizon(&mut self, point: u32, facet: u32) -> Step {
        let position = self.points[point as usize];
        let visit = self.next_visit();
        self.remove_facet(facet);
        self.append_facet(facet);
        self.visible_facets = facet;
        self.visible_count = 1;
        let mut horizon = 0;
        self.see(facet);
        self.facet_mut(facet).visit = visit;
        let mut at = facet;
        while at != TAIL {
            for i in 0..self.facet(at).neighbors.len() {
                let neighbor = self.facet(at).neighbors[i];
                if self.facet(neighbor).visit == visit {
                    continue;
                }
                self.facet_mut(neighbor).visit = visit;
                let height = self.distance(neighbor, position);
                if height > self.tolerance.coplanar {
                    self.remove_facet(neighbor);
                    self.append_facet(neighbor);
                    self.see(neighbor);
                    self.visible_count += 1;
                    continue;
                }
                horizon += 1;
                let coplanar = height >= -self.tolerance.coplanar;
                self.facet_mut(neighbor).coplanar_horizon = coplanar;
                if coplanar && height > 0.0 {
                    self.max_outside = self.max_outside.max(height);
                    let f = self.facet_mut(neighbor);
                    f.max_outside = f.max_outside.max(height);
                }
            }
            at = self.facet(at).next;
        }
        if horizon == 0 { Err(Stuck) } else { Ok(()) }
    }

    fn see(&mut self, facet: u32) {
        let f = self.facet_mut(facet);
        f.visible = true;
        f.replacement = NONE;
    }

    pub(super) fn make_cone(&mut self, point: u32) -> Step {
        self.new_facets = TAIL;
        self.new_vertices = TAIL;
        let apex = self.vertices.len() as u32;
        self.vertices.push(Vertex { point, ..Vertex::default() });
        self.append_vertex(apex);
        self.next_visit();
        let (mut newest, mut newest_polygonal) = (NONE, NONE);
        let visible: Vec<u32> =
            self.list(self.visible_facets).take_while(|f| self.facet(*f).visible).collect();
        for facet in visible {
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                self.facet_mut(neighbor).seen = false;
            }
            if self.facet(facet).ridged {
                newest_polygonal = self.cone_over_ridges(facet, apex);
            }
            if self.facet(facet).simplicial {
                newest = self.cone_over_triangle(facet, apex)?;
            }
            if newest_polygonal != NONE {
                newest = newest_polygonal;
            }
            let f = self.facet_mut(facet);
            if newest != NONE {
                f.replacement = newest;
            }
            f.ridges.clear();
            f.neighbors.clear();
        }
        Ok(())
    }

    fn cone_facet(&mut self, vertices: Vec<u32>, top: bool, horizon: u32) -> u32 {
        self.renew_vertices(&vertices);
        let facet = self.new_facet(vertices, top);
        self.facet_mut(facet).neighbors.push(horizon);
        facet
    }

    /// New facets over the ridges of a facet to the horizon; returns the last.
    pub(super) fn cone_over_ridges(&mut self, facet: u32, apex: u32) -> u32 {
        let mut newest = NONE;
        for ridge in self.facet(facet).ridges.clone() {
            let edge = self.ridges[ridge as usize];
            let neighbor = edge.other(facet);
            if !self.facet(neighbor).visible {
                let top = edge.top == facet;
                newest = self.cone_facet(vec![apex, edge.vertices[0], edge.vertices[1]], top, neighbor);
                if self.facet(neighbor).coplanar_horizon {
                    self.add_to_cycle(newest, neighbor);
                }
                if self.facet(neighbor).seen {
                    self.facet_mut(neighbor).neighbors.push(newest);
                } else {
                    replace(&mut self.facet_mut(neighbor).neighbors, facet, newest);
                }
                if self.facet(neighbor).simplicial {
                    remove(&mut self.facet_mut(neighbor).ridges, ridge);
                } else {
                    self.add_ridge(newest, ridge);
                    let edge = &mut self.ridges[ridge as usize];
                    *(if top { &mut edge.top } else { &mut edge.bottom }) = newest;
                }
            }
            self.facet_mut(neighbor).seen = true;
        }
        newest
    }

    /// Notes that a new facet is coplanar with a facet of the horizon.
    fn add_to_cycle(&mut self, facet: u32, horizon: u32) {
        self.facet_mut(facet).merge_horizon = true;
        if self.facet(horizon).seen {
            let first = self.facet(horizon).new_cycle;
            self.facet_mut(facet).same_cycle = self.facet(first).same_cycle;
            self.facet_mut(first).same_cycle = facet;
        } else {
            self.facet_mut(facet).same_cycle = facet;
            self.facet_mut(horizon).new_cycle = facet;
        }
    }

    /// New facets over the edges of a triangle that have no ridges; returns the last.
    fn cone_over_triangle(&mut self, facet: u32, apex: u32) -> Step<u32> {
        let mut newest = NONE;
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let beyond = self.facet(neighbor);
            if beyond.seen || beyond.visible {
                continue;
            }
            let skip = beyond.neighbors.iter().position(|n| *n == facet).ok_or(Stuck)?;
            if !beyond.simplicial || skip > 2 {
                return Err(Stuck);
            }
            let mut vertices = beyond.vertices.clone();
            vertices.remove(skip);
            vertices.insert(0, apex);
            let top = beyond.top == (skip & 1 == 1);
            let coplanar = beyond.coplanar_horizon;
            newest = self.cone_facet(vertices, top, neighbor);
            if coplanar {
                let f = self.facet_mut(newest);
                f.same_cycle = newest;
                f.merge_horizon = true;
            }
            self.facet_mut(neighbor).neighbors[skip] = newest;
        }
        Ok(newest)
    }

    pub(super) fn add_ridge(&mut self, facet: u32, ridge: u32) {
        let f = self.facet_mut(facet);
        f.ridges.push(ridge);
        f.ridged = true;
    }

    /// Joins the new facets along their edges from the apex; each edge must have exactly two.
    pub(super) fn match_new_facets(&mut self) -> Step {
        let visit = self.next_visit();
        self.mates.resize(self.vertices.len(), (0, NONE, 0));
        let mut open = 0_usize;
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            self.facet_mut(facet).neighbors.resize(3, NONE);
            for slot in [1, 2] {
                let far = self.facet(facet).vertices[3 - slot];
                let (seen, mate, mate_slot) = self.mates[far as usize];
                if seen != visit {
                    self.mates[far as usize] = (visit, facet, slot);
                    open += 1;
                    continue;
                }
                let same = slot == mate_slot;
                if mate == NONE || same != (self.facet(facet).top != self.facet(mate).top) {
                    return Err(Stuck);
                }
                self.facet_mut(mate).neighbors[mate_slot] = facet;
                self.facet_mut(facet).neighbors[slot] = mate;
                self.mates[far as usize] = (visit, NONE, 0);
                open -= 1;
            }
        }
        if open == 0 { Ok(()) } else { Err(Stuck) }
    }

    pub(super) fn make_planes(&mut self) {
        for facet in self.list(self.new_facets).collect::<Vec<_>>() {
            if !self.facet(facet).merge_horizon {
                self.set_plane(facet);
            }
        }
    }

    /// Facets around the vertices, and the vertices that are inside now.
    pub(super) fn update_neighbors(&mut self) {
        if self.has_neighbors {
            for vertex in self.vertex_list(self.new_vertices) {
                let mut i = 0;
                while let Some(&facet) = self.vertices[vertex as usize].neighbors.get(i) {
                    if self.facet(facet).visible {
                        self.vertex_mut(vertex).neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
            }
            for facet in self.list(self.new_facets).collect::<Vec<_>>() {
                for vertex in self.facet(facet).vertices.clone() {
                    self.vertex_mut(vertex).neighbors.push(facet);
                }
            }
        }
        for facet in self.visible_list() {
            for vertex in self.facet(facet).vertices.clone() {
                let v = &self.vertices[vertex as usize];
                if v.is_new || v.deleted {
                    continue;
                }
                if self.has_neighbors && v.neighbors.iter().any(|f| !self.facet(*f).visible) {
                    remove(&mut self.vertex_mut(vertex).neighbors, facet);
                } else {
                    self.delete_vertex(vertex);
                }
            }
        }
    }

    /// True when every new facet is clearly convex with its neighbours, all triangles.
    pub(super) fn clearly_convex(&mut self) -> bool {
        let new: Vec<u32> = self.list(self.new_facets).collect();
        let plain = new.iter().all(|f| {
            let f = self.facet(*f);
            self.facet(f.neighbors[0]).simplicial && !f.flipped && f.plane.is_some()
        });
        let limit = -2.0 * self.tolerance.round;
        plain
            && new.iter().all(|&facet| {
                let f = self.facet(facet);
                let beyond = self.facet(f.neighbors[0]);
                let across = beyond.vertices.iter().find(|v| !f.vertices[1..].contains(v));
                (1..3).all(|i| !(self.distance(f.neighbors[i], self.point(f.vertices[i])) >= limit))
                    && across.is_none_or(|v| !(self.distance(facet, self.point(*v)) >= limit))
            })
    }
}
