//! Incremental construction: add the furthest point of a facet, replace what it sees by a cone.

use super::{Effort, HullError, Tolerance};
use ligament_math::{Vec3, vec3};
use robust::{Coord3D, orient3d};

/// End of the facet list.
pub const NONE: u32 = u32::MAX;

/// Coplanar facets met before all new facets are tried for every point.
const MERGES_BEFORE_SCANS: usize = 50;

/// Operations that an exact sign takes.
const EXACT_SIGN: u64 = 50;

/// A triangle. Vertices are numbered in order of creation and stored in decreasing order, so a flag is needed
/// to tell which side is outside; neighbour k lies across from vertex k.
#[derive(Debug, Clone)]
pub struct Facet {
    pub vertices: [u32; 3],
    pub neighbors: [u32; 3],
    /// True when (1, 0, 2) is counter-clockwise from outside, false for (0, 1, 2).
    pub top: bool,
    pub normal: Vec3,
    pub offset: f64,
    /// Points above it that no other facet has; the furthest is last.
    outside: Vec<u32>,
    furthest: f64,
    previous: u32,
    pub next: u32,
    visible: bool,
    visit: u32,
}

/// The hull so far.
#[derive(Debug)]
pub struct Builder<'a> {
    pub points: &'a [Vec3],
    pub tolerance: Tolerance,
    /// Point of each vertex.
    pub vertices: Vec<u32>,
    pub facets: Vec<Facet>,
    pub first: u32,
    last: u32,
    next: u32,
    /// When a vertex last became part of a new facet: their order in the end.
    pub stamps: Vec<u32>,
    stamp: u32,
    epoch: Vec<u32>,
    alive_vertices: usize,
    facets_of_vertex: Vec<u32>,
    coplanar_events: usize,
    visit: u32,
    effort: &'a Effort,
    /// Operations that were not charged yet.
    uncharged: u64,
}

impl<'a> Builder<'a> {
    /// Starts from a tetrahedron and sorts the other points to its facets.
    pub fn new(
        points: &'a [Vec3],
        tolerance: Tolerance,
        corners: [usize; 4],
        effort: &'a Effort,
    ) -> Result<Self, HullError> {
        let mut this = Self {
            points,
            tolerance,
            vertices: corners.map(|c| c as u32).to_vec(),
            facets: Vec::new(),
            first: NONE,
            last: NONE,
            next: NONE,
            stamps: vec![4, 3, 2, 1],
            stamp: 4,
            epoch: vec![0; 4],
            alive_vertices: 4,
            facets_of_vertex: vec![3; 4],
            coplanar_events: 0,
            visit: 0,
            effort,
            uncharged: 0,
        };
        this.make_simplex()?;
        this.partition_all();
        Ok(this)
    }

    fn make_simplex(&mut self) -> Result<(), HullError> {
        let order = [3_u32, 2, 1, 0];
        for skip in 0..4 {
            let mut rest = order.iter().enumerate().filter(|(i, _)| *i != skip);
            let mut others = (0..4).filter(|i| *i != skip);
            let vertices = std::array::from_fn(|_| rest.next().map_or(0, |(_, v)| *v));
            let neighbors = std::array::from_fn(|_| others.next().unwrap_or(0) as u32);
            self.append_facet(vertices, neighbors, skip % 2 == 0);
        }
        let center = self.vertices.iter().fold([0.0; 3], |sum, v| vec3::add(sum, self.points[*v as usize]));
        let center = vec3::scale(center, 0.25);
        if self.distance(0, center) > 0.0 {
            for facet in &mut self.facets {
                facet.top = !facet.top;
                facet.normal = vec3::neg(facet.normal);
                facet.offset = -facet.offset;
            }
        }
        let flat = (0..4).any(|f| self.distance(f, center) >= -self.tolerance.round);
        if flat { Err(HullError::Flat) } else { Ok(()) }
    }

    #[inline]
    fn distance(&self, facet: u32, p: Vec3) -> f64 {
        let f = &self.facets[facet as usize];
        f.offset + p[0] * f.normal[0] + p[1] * f.normal[1] + p[2] * f.normal[2]
    }

    fn point(&self, vertex: u32) -> Vec3 {
        self.points[self.vertices[vertex as usize] as usize]
    }

    /// Adds a facet at the end of the list, with its plane.
    fn append_facet(&mut self, vertices: [u32; 3], neighbors: [u32; 3], top: bool) -> u32 {
        let [a, b, c] = vertices.map(|v| self.point(v));
        let (e1, e2) = (vec3::sub(b, a), vec3::sub(c, a));
        let mut normal = if top { vec3::cross(e2, e1) } else { vec3::cross(e1, e2) };
        let length = vec3::norm(normal);
        if length > 0.0 {
            normal = normal.map(|x| x / length);
        }
        let index = self.facets.len() as u32;
        self.facets.push(Facet {
            vertices,
            neighbors,
            top,
            normal,
            offset: -(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]),
            outside: Vec::new(),
            furthest: 0.0,
            previous: self.last,
            next: NONE,
            visible: false,
            visit: 0,
        });
        match self.last {
            NONE => self.first = index,
            last => self.facets[last as usize].next = index,
        }
        self.last = index;
        if self.next == NONE {
            self.next = index;
        }
        index
    }

    fn remove_facet(&mut self, facet: u32) {
        let (previous, next) = (self.facets[facet as usize].previous, self.facets[facet as usize].next);
        match previous {
            NONE => self.first = next,
            p => self.facets[p as usize].next = next,
        }
        match next {
            NONE => self.last = previous,
            n => self.facets[n as usize].previous = previous,
        }
        if self.next == facet {
            self.next = next;
        }
    }

    /// Distance from which a point goes to the first facet that sees it.
    fn clearly_outside(&self) -> f64 {
        let factor = if self.coplanar_events > MERGES_BEFORE_SCANS { 4.0 } else { 2.0 };
        factor * self.tolerance.outside
    }

    fn partition_all(&mut self) {
        let corners: [u32; 4] = std::array::from_fn(|i| self.vertices[i]);
        let mut rest: Vec<u32> = (0..self.points.len() as u32).filter(|p| !corners.contains(p)).collect();
        let threshold = self.clearly_outside();
        for facet in 0..4 {
            rest.retain(|&p| {
                let distance = self.facets[facet as usize].offset + {
                    let (n, q) = (self.facets[facet as usize].normal, self.points[p as usize]);
                    q[0] * n[0] + q[1] * n[1] + q[2] * n[2]
                };
                if distance < threshold {
                    return true;
                }
                push_outside(&mut self.facets[facet as usize], p, distance);
                false
            });
        }
        for p in rest {
            let point = self.points[p as usize];
            let best = (0..4).map(|f| (self.distance(f, point), f)).max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((distance, facet)) = best
                && distance >= self.tolerance.outside
            {
                push_outside(&mut self.facets[facet as usize], p, distance);
            }
        }
        self.start_with_furthest();
    }

    /// Puts the facet with the highest point to the front of the list.
    fn start_with_furthest(&mut self) {
        self.next = self.first;
        let mut best: Option<(u32, f64)> = None;
        for facet in 0..4 {
            let f = &self.facets[facet as usize];
            if !f.outside.is_empty() && best.is_none_or(|(_, highest)| f.furthest > highest) {
                best = Some((facet, f.furthest));
            }
        }
        let Some((facet, _)) = best else { return };
        self.remove_facet(facet);
        let front = self.first;
        self.facets[front as usize].previous = facet;
        let moved = &mut self.facets[facet as usize];
        (moved.previous, moved.next) = (NONE, front);
        (self.first, self.next) = (facet, facet);
    }

    /// Adds points until none is outside, or the limit of vertices is reached.
    pub fn run(&mut self, max_vertices: Option<usize>) -> Result<(), HullError> {
        let mut scratch = Scratch::default();
        while self.next != NONE {
            let facet = self.next;
            if self.facets[facet as usize].outside.is_empty() {
                self.next = self.facets[facet as usize].next;
                continue;
            }
            if max_vertices.is_some_and(|limit| self.alive_vertices >= limit) {
                return Ok(());
            }
            if let Some(point) = self.facets[facet as usize].outside.pop() {
                self.add_point(point, facet, &mut scratch)?;
            }
        }
        Ok(())
    }

    /// Charges what was counted.
    fn afford(&mut self) -> Result<(), HullError> {
        let affordable = self.effort.charge(std::mem::take(&mut self.uncharged));
        if affordable { Ok(()) } else { Err(HullError::TooLong) }
    }

    fn add_point(&mut self, point: u32, facet: u32, scratch: &mut Scratch) -> Result<(), HullError> {
        self.find_visible(point, facet, &mut scratch.visible);
        let first_new = self.facets.len() as u32;
        self.make_cone(point, scratch);
        self.match_new_facets(first_new, scratch);
        self.afford()?;
        self.repartition(first_new, scratch)?;
        for &facet in &scratch.visible {
            for v in self.facets[facet as usize].vertices {
                self.facets_of_vertex[v as usize] -= 1;
                if self.facets_of_vertex[v as usize] == 0 {
                    self.alive_vertices -= 1;
                }
            }
        }
        Ok(())
    }

    /// Exact where rounding could decide: is the point above the facet?
    fn sees(&mut self, point: u32, facet: u32) -> bool {
        let p = self.points[point as usize];
        let distance = self.distance(facet, p);
        if distance.abs() <= self.tolerance.coplanar {
            self.coplanar_events += 1;
        }
        // slivers have poor normals, hence the wide margin
        if distance.abs() > 1e6 * self.tolerance.round {
            return distance > 0.0;
        }
        self.uncharged += EXACT_SIGN;
        let f = &self.facets[facet as usize];
        let [a, b, c] = f.vertices.map(|v| {
            let q = self.point(v);
            Coord3D { x: q[0], y: q[1], z: q[2] }
        });
        let d = Coord3D { x: p[0], y: p[1], z: p[2] };
        // orient3d is positive below the plane of a counter-clockwise triangle
        let below = if f.top { orient3d(b, a, c, d) } else { orient3d(a, b, c, d) };
        below < 0.0
    }

    /// Facets that the point sees, breadth first.
    fn find_visible(&mut self, point: u32, facet: u32, visible: &mut Vec<u32>) {
        self.visit += 1;
        visible.clear();
        visible.push(facet);
        self.facets[facet as usize].visible = true;
        self.facets[facet as usize].visit = self.visit;
        let mut at = 0;
        while at < visible.len() {
            for neighbor in self.facets[visible[at] as usize].neighbors {
                let n = neighbor as usize;
                if self.facets[n].visit == self.visit {
                    continue;
                }
                self.facets[n].visit = self.visit;
                if self.sees(point, neighbor) {
                    self.facets[n].visible = true;
                    visible.push(neighbor);
                }
            }
            at += 1;
        }
        self.uncharged += 8 * visible.len() as u64;
        for &facet in visible.iter() {
            self.remove_facet(facet);
        }
    }

    /// New facets from the horizon to the point; they are joined to the facets beyond the horizon.
    fn make_cone(&mut self, point: u32, scratch: &mut Scratch) {
        let apex = self.vertices.len() as u32;
        self.vertices.push(point);
        self.alive_vertices += 1;
        self.stamp += 1;
        self.stamps.push(self.stamp);
        self.epoch.push(apex);
        self.facets_of_vertex.push(0);
        scratch.replacement.clear();
        for i in 0..scratch.visible.len() {
            let seen = scratch.visible[i];
            let mut last = NONE;
            for neighbor in self.facets[seen as usize].neighbors {
                let beyond = &self.facets[neighbor as usize];
                if beyond.visible {
                    continue;
                }
                let Some(skip) = beyond.neighbors.iter().position(|n| *n == seen) else { continue };
                let v = beyond.vertices;
                let edge = match skip {
                    0 => [v[1], v[2]],
                    1 => [v[0], v[2]],
                    _ => [v[0], v[1]],
                };
                let top = beyond.top == (skip & 1 == 1);
                last = self.append_facet([apex, edge[0], edge[1]], [neighbor, NONE, NONE], top);
                self.facets[neighbor as usize].neighbors[skip] = last;
                for v in [apex, edge[0], edge[1]] {
                    self.facets_of_vertex[v as usize] += 1;
                }
                self.touch(edge, apex);
            }
            scratch.replacement.push(last);
        }
    }

    /// Moves vertices to the end of their list, once per added point.
    fn touch(&mut self, edge: [u32; 2], apex: u32) {
        for v in edge {
            if self.epoch[v as usize] != apex {
                self.epoch[v as usize] = apex;
                self.stamp += 1;
                self.stamps[v as usize] = self.stamp;
            }
        }
    }

    /// Joins the new facets to each other along their edges from the apex.
    fn match_new_facets(&mut self, first_new: u32, scratch: &mut Scratch) {
        scratch.ends.clear();
        for facet in first_new..self.facets.len() as u32 {
            let [_, a, b] = self.facets[facet as usize].vertices;
            // across from vertex 1 is the edge to vertex 2, and the other way round
            for (vertex, slot) in [(b, 1), (a, 2)] {
                scratch.ends.push((vertex, facet, slot));
            }
        }
        scratch.ends.sort_unstable();
        for pair in scratch.ends.chunks_exact(2) {
            let ((_, f, i), (_, g, j)) = (pair[0], pair[1]);
            self.facets[f as usize].neighbors[i] = g;
            self.facets[g as usize].neighbors[j] = f;
        }
    }

    /// Gives the outside points of the facets that vanish to the new ones.
    fn repartition(&mut self, first_new: u32, scratch: &Scratch) -> Result<(), HullError> {
        // Qhull climbs until it has merged often, then it scans
        let mut search =
            if self.coplanar_events > MERGES_BEFORE_SCANS { Search::Scan } else { Search::Climb };
        for (i, &seen) in scratch.visible.iter().enumerate() {
            let orphans = std::mem::take(&mut self.facets[seen as usize].outside);
            let start = match scratch.replacement[i] {
                NONE => first_new,
                facet => facet,
            };
            for p in orphans {
                self.afford()?;
                if let Some((facet, distance)) = self.find_facet(p, start, first_new, &mut search) {
                    push_outside(&mut self.facets[facet as usize], p, distance);
                }
            }
        }
        Ok(())
    }

    /// A new facet that the point is outside of.
    fn find_facet(&mut self, p: u32, start: u32, first_new: u32, search: &mut Search) -> Option<(u32, f64)> {
        let point = self.points[p as usize];
        if *search == Search::Scan {
            return self.scan(point, start, first_new);
        }
        let (facet, distance) = self.climb(point, start, first_new);
        if distance >= self.tolerance.outside {
            return Some((facet, distance));
        }
        if *search == Search::Climb && distance < -self.tolerance.round {
            *search = if self.is_sharp(first_new) { Search::Scan } else { Search::ClimbOnly };
            if *search == Search::Scan {
                return self.scan(point, facet, first_new);
            }
        }
        None
    }

    /// Do the normals of the new facets lie in different octants?
    fn is_sharp(&self, first_new: u32) -> bool {
        let octant = |f: &Facet| f.normal.map(|x| x > 0.0);
        let new = &self.facets[first_new as usize..];
        new.iter().any(|f| octant(f) != octant(&new[0]))
    }

    /// The first new facet from `start` on, around the list, that the point is clearly above; else the best.
    fn scan(&mut self, point: Vec3, start: u32, first_new: u32) -> Option<(u32, f64)> {
        let threshold = self.clearly_outside();
        let mut best = (NONE, f64::MIN);
        for facet in (start..self.facets.len() as u32).chain(first_new..start) {
            self.uncharged += 1;
            let distance = self.distance(facet, point);
            if distance > best.1 {
                best = (facet, distance);
                if distance >= threshold {
                    break;
                }
            }
        }
        (best.1 >= self.tolerance.outside).then_some(best)
    }

    /// Uphill from facet to facet, to the first that the point is outside of or to a summit.
    fn climb(&mut self, point: Vec3, start: u32, first_new: u32) -> (u32, f64) {
        self.visit += 1;
        let mut best = (start, self.distance(start, point));
        self.facets[start as usize].visit = self.visit;
        let mut at = Some(start).filter(|_| best.1 < self.tolerance.outside);
        while let Some(facet) = at {
            at = None;
            self.uncharged += 3;
            for neighbor in self.facets[facet as usize].neighbors {
                if neighbor < first_new || self.facets[neighbor as usize].visit == self.visit {
                    continue;
                }
                self.facets[neighbor as usize].visit = self.visit;
                let distance = self.distance(neighbor, point);
                if distance > best.1 {
                    best = (neighbor, distance);
                    at = Some(neighbor).filter(|_| distance < self.tolerance.outside);
                    break;
                }
            }
        }
        best
    }

    /// Facets of the hull in list order.
    pub fn live_facets(&self) -> Vec<u32> {
        let mut list = Vec::new();
        let mut at = self.first;
        while at != NONE {
            list.push(at);
            at = self.facets[at as usize].next;
        }
        list
    }
}

/// How points find their new facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    /// Uphill; changes to one of the others at the first point that ends up below all facets.
    Climb,
    ClimbOnly,
    Scan,
}

/// Lists that are reused from point to point.
#[derive(Debug, Default)]
struct Scratch {
    visible: Vec<u32>,
    /// Per visible facet: the last new facet made from it.
    replacement: Vec<u32>,
    /// Edges of new facets: vertex at the far end, facet, slot of the neighbour.
    ends: Vec<(u32, u32, usize)>,
}

/// Keeps the furthest point last.
fn push_outside(facet: &mut Facet, point: u32, distance: f64) {
    if facet.outside.is_empty() || facet.furthest < distance {
        facet.outside.push(point);
        facet.furthest = distance;
    } else {
        let before = facet.outside.len() - 1;
        facet.outside.insert(before, point);
    }
}
