//! What a point sees, and the cone of triangles from the horizon to it.

use super::Halt::Stuck;
use super::order::{exchange, sift, take_out};
use super::surface::State;
use super::{Extension, Step, Surface};

impl Surface<'_> {
    /// Takes the facets that the point sees out of the surface. Facets of the horizon that the point is coplanar with
    /// stay in the marks of members.
    pub(super) fn find_seen(&mut self, point: u32, start: u32) -> Step {
        let position = self.points[point as usize];
        self.visited.clear();
        self.members.clear();
        self.visited.insert(start);
        self.see(start);
        let mut has_horizon = false;
        let mut next = 0;
        while let Some(&facet) = self.round.seen.get(next) {
            next += 1;
            self.spend(self.size(facet));
            for i in 0..self.facet(facet).neighbors.len() {
                let neighbor = self.facet(facet).neighbors[i];
                if !self.visited.insert(neighbor) {
                    continue;
                }
                let height = self.height(neighbor, position);
                if height > self.tolerance.coplanar {
                    self.see(neighbor);
                    continue;
                }
                has_horizon = true;
                if height >= -self.tolerance.coplanar {
                    self.members.insert(neighbor);
                    self.cover(neighbor, height);
                }
            }
        }
        if has_horizon { Ok(()) } else { Err(Stuck) }
    }

    fn see(&mut self, facet: u32) {
        self.remove_facet(facet, None);
        self.round.seen.push(facet);
    }

    /// A facet is extended over a point at a height.
    fn cover(&mut self, facet: u32, height: f64) {
        if height > 0.0 {
            self.max_outside = self.max_outside.max(height);
            let f = self.facet_mut(facet);
            f.max_outside = f.max_outside.max(height);
        }
    }

    /// Triangles from the edges of the horizon to the point, with their neighbours beyond the horizon.
    pub(super) fn raise_cone(&mut self, point: u32) -> Step {
        let apex = self.new_vertex(point);
        self.vertex_order.push(apex);
        let (mut newest, mut newest_over_ridges) = (None, None);
        for i in 0..self.round.seen.len() {
            let facet = self.round.seen[i];
            self.met.clear();
            if self.facet(facet).ridges.is_some() {
                newest_over_ridges = self.raise_over_ridges(facet, apex);
            }
            if self.facet(facet).is_triangle() {
                newest = self.raise_over_edges(facet, apex)?;
            }
            // Points of a facet are looked for from its successor on. That a triangle over a ridge, even of an earlier
            // facet, is preferred has no reason but that Qhull does it.
            newest = newest_over_ridges.or(newest);
            let f = self.facet_mut(facet);
            if newest.is_some() {
                f.state = State::Gone(newest);
            }
            f.ridges = None;
            f.neighbors.clear();
        }
        Ok(())
    }

    /// A triangle of the cone. Without a plane of its own if it extends the facet beyond.
    fn raise_triangle(&mut self, vertices: Vec<u32>, mirrored: bool, horizon: u32) -> u32 {
        self.renew_vertices(&vertices);
        let facet = self.new_facet(vertices, mirrored);
        self.facet_mut(facet).neighbors.push(horizon);
        if !self.members.contains(horizon) {
            self.set_plane(facet);
        }
        facet
    }

    /// Triangles over the ridges of a facet to the horizon; returns the last.
    fn raise_over_ridges(&mut self, facet: u32, apex: u32) -> Option<u32> {
        let mut newest = None;
        let first_extension = self.round.extensions.len();
        for ridge in self.facet_mut(facet).ridges.take().unwrap_or_default() {
            let edge = *self.ridge(ridge);
            let neighbor = edge.beyond(facet);
            let met_before = !self.met.insert(neighbor);
            if self.facet(neighbor).is_gone() {
                continue;
            }
            let [older, oldest] = edge.vertices;
            let triangle = self.raise_triangle(vec![apex, older, oldest], edge.sides[0] == facet, neighbor);
            newest = Some(triangle);
            if self.members.contains(neighbor) {
                self.extend_horizon(first_extension, triangle, neighbor);
            }
            if met_before {
                self.facet_mut(neighbor).neighbors.push(triangle);
            } else {
                exchange(&mut self.facet_mut(neighbor).neighbors, facet, triangle);
            }
            if self.facet(neighbor).is_triangle() {
                self.take_ridge(neighbor, ridge);
            } else {
                self.add_ridge(triangle, ridge);
                self.ridges[ridge as usize].change_side(facet, triangle);
            }
        }
        newest
    }

    /// Notes that a triangle extends a facet of the horizon, together with others over the same facet.
    fn extend_horizon(&mut self, first: usize, triangle: u32, horizon: u32) {
        let extensions = &mut self.round.extensions;
        match extensions[first..].iter_mut().find(|extension| extension.horizon == horizon) {
            Some(extension) => extension.facets.push(triangle),
            None => extensions.push(Extension { horizon, facets: vec![triangle] }),
        }
    }

    /// Triangles over the edges of a triangle that have no ridges; returns the last.
    fn raise_over_edges(&mut self, facet: u32, apex: u32) -> Step<Option<u32>> {
        let mut newest = None;
        for i in 0..self.facet(facet).neighbors.len() {
            let neighbor = self.facet(facet).neighbors[i];
            let beyond = self.facet(neighbor);
            if self.met.contains(neighbor) || beyond.is_gone() {
                continue;
            }
            let across = beyond.neighbors.iter().position(|n| *n == facet).ok_or(Stuck)?;
            if !beyond.is_triangle() || across > 2 {
                return Err(Stuck);
            }
            let mirrored = beyond.mirrored == (across == 1);
            let edge = beyond.vertices.iter().enumerate().filter(|(k, _)| *k != across);
            let vertices = std::iter::once(apex).chain(edge.map(|(_, v)| *v)).collect();
            let triangle = self.raise_triangle(vertices, mirrored, neighbor);
            newest = Some(triangle);
            if self.members.contains(neighbor) {
                self.round.extensions.push(Extension { horizon: neighbor, facets: vec![triangle] });
            }
            self.facet_mut(neighbor).neighbors[across] = triangle;
        }
        Ok(newest)
    }

    /// Makes triangles of the cone neighbours along their edges from the apex; each edge must have exactly two, of
    /// matching orientation.
    pub(super) fn close_cone(&mut self) -> Step {
        let mut edges: Vec<(u32, u32, usize)> = Vec::new();
        for facet in self.facet_order.fresh() {
            // across from vertex 1 lies the edge to vertex 2, and the other way round
            let vertices = &self.facet(facet).vertices;
            edges.extend([(vertices[2], facet, 1), (vertices[1], facet, 2)]);
        }
        edges.sort_unstable();
        for facet in self.fresh_facets() {
            self.facet_mut(facet).neighbors.resize(3, facet);
        }
        let mut rest = &edges[..];
        while let [(end, facet, across), (mate_end, mate, mate_across), tail @ ..] = rest {
            let crowded = tail.first().is_some_and(|(next, ..)| next == end);
            let turned = self.facet(*facet).mirrored != self.facet(*mate).mirrored;
            if end != mate_end || crowded || (across == mate_across) != turned {
                return Err(Stuck);
            }
            self.facet_mut(*facet).neighbors[*across] = *mate;
            self.facet_mut(*mate).neighbors[*mate_across] = *facet;
            rest = tail;
        }
        if rest.is_empty() { Ok(()) } else { Err(Stuck) }
    }

    /// Facets around the vertices, and the vertices that are inside now.
    pub(super) fn update_fans(&mut self) {
        // one vertex may be a corner of all facets
        let mut passed = 0;
        if self.knows_fans {
            let Self { vertex_order, vertices, facets, .. } = self;
            for vertex in vertex_order.fresh() {
                passed += vertices[vertex as usize].fan.len();
                sift(&mut vertices[vertex as usize].fan, |facet| !facets[facet as usize].is_gone());
            }
            for facet in self.fresh_facets() {
                self.join_fans(facet);
            }
        }
        for facet in self.round.seen.clone() {
            for i in 0..self.facet(facet).vertices.len() {
                let vertex = self.facet(facet).vertices[i];
                let v = self.vertex(vertex);
                if self.vertex_order.is_fresh(vertex) || v.dropped {
                    continue;
                }
                passed += v.fan.len();
                if self.knows_fans && v.fan.iter().any(|f| !self.facet(*f).is_gone()) {
                    take_out(&mut self.vertex_mut(vertex).fan, facet);
                } else {
                    self.drop_vertex(vertex);
                }
            }
        }
        self.spend(passed);
    }

    /// Adds a facet to the fans of its vertices.
    pub(super) fn join_fans(&mut self, facet: u32) {
        let Self { facets, vertices, .. } = self;
        for &v in &facets[facet as usize].vertices {
            vertices[v as usize].fan.push(facet);
        }
    }

    /// True when every triangle of the cone is clearly convex with its neighbours, all triangles.
    pub(super) fn clearly_convex(&self) -> bool {
        let limit = -2.0 * self.tolerance.round;
        let below = |vertex: u32, facet: u32| !(self.height(facet, self.point(vertex)) >= limit);
        let plain = self.facet_order.fresh().all(|facet| {
            let f = self.facet(facet);
            !f.flipped && self.facet(f.neighbors[0]).is_triangle()
        });
        self.round.extensions.is_empty()
            && plain
            && self.facet_order.fresh().all(|facet| {
                let f = self.facet(facet);
                let beyond = &self.facet(f.neighbors[0]).vertices;
                (1..3).all(|i| below(f.vertices[i], f.neighbors[i]))
                    && beyond.iter().find(|v| !f.vertices[1..].contains(v)).is_none_or(|v| below(*v, facet))
            })
    }
}
