//! Penetration depth by the expanding polytope algorithm, the second half of [`crate::ccd`].
//!
//! The polytope is a triangulated surface inside the Minkowski difference that contains the origin. The face nearest
//! to the origin is pushed out to the support point along its normal until it lies on the boundary.

use crate::convex::Convex;
use crate::gjk::{FAR, Gjk, MINVAL2, Vertex};
use crate::simplex::{affine_coordinates, combine, det3, project_on_plane};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// State of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Among the candidates, at this position.
    Candidate(u32),
    /// Part of the surface, but too far to become the result.
    Surface,
    Deleted,
}

/// Numbers are short, so that a face fits into a cache line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub verts: [u32; 3],
    /// Faces across the edges (0,1), (1,2), (2,0).
    adjacent: [u32; 3],
    /// Projection of the origin: serves as the normal.
    foot: Vec3,
    dist2: f64,
    place: Place,
}

/// Why no polytope could be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Degenerate;

/// The polytope; keeps its memory between runs.
#[derive(Debug, Default)]
pub(crate) struct Polytope {
    pub verts: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Faces that may still be the nearest.
    candidates: Vec<u32>,
    /// Edges (face, edge) of the region that a new vertex sees.
    horizon: Vec<(u32, u32)>,
    /// Faces whose neighbours are being visited: (face, entry edge, next neighbour, last neighbour).
    visit: Vec<(u32, usize, usize, usize)>,
    /// Work of all expansions, in iterations of small polytopes.
    pub steps: u64,
}

impl Polytope {
    /// Starts from the simplex of the distance algorithm (2 to 4 vertices).
    pub fn build(&mut self, gjk: &Gjk, a: &mut Convex, b: &mut Convex) -> Result<(), Degenerate> {
        self.clear();
        match gjk.n {
            2 => self.start_with_segment(gjk, a, b),
            3 => self.start_with_triangle([gjk.simplex[0], gjk.simplex[1], gjk.simplex[2]], a, b),
            _ => self.start_with_tetrahedron(&gjk.simplex, a, b),
        }
    }

    fn clear(&mut self) {
        self.verts.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    fn insert(&mut self, vertex: Vertex) -> u32 {
        self.verts.push(vertex);
        self.verts.len() as u32 - 1
    }

    fn insert_support(&mut self, a: &mut Convex, b: &mut Convex, dir: Vec3, norm: f64) -> u32 {
        let (unit, opposite) = if norm > MINVAL {
            let unit = [dir[0] / norm, dir[1] / norm, dir[2] / norm];
            (unit, vec3::scale(unit, -1.0))
        } else {
            ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
        };
        let new = self.insert(Vertex::default());
        self.verts[new as usize].set_support(a, b, unit, opposite);
        new
    }

    /// Adds a face, returns its squared distance from the origin (0 for a triangle without area).
    #[inline(always)] // the arrays then stay in registers
    fn attach(&mut self, verts: [u32; 3], adjacent: [u32; 3]) -> f64 {
        let [v1, v2, v3] = verts;
        let corner = |i: u32| &self.verts[i as usize].point;
        let projection = project_on_plane(corner(v3), corner(v2), corner(v1));
        let foot = projection.unwrap_or([0.0; 3]);
        let dist2 = vec3::dot(foot, foot);
        self.faces.push(Face { verts, adjacent, foot, dist2, place: Place::Surface });
        dist2
    }

    fn make_candidate(&mut self, face: usize) {
        self.faces[face].place = Place::Candidate(self.candidates.len() as u32);
        self.candidates.push(face as u32);
    }

    fn all_candidates(&mut self) {
        for face in 0..self.faces.len() {
            self.make_candidate(face);
        }
    }

    /// Segment: three support points around it complete a hexahedron.
    fn start_with_segment(&mut self, gjk: &Gjk, a: &mut Convex, b: &mut Convex) -> Result<(), Degenerate> {
        let (v1, v2) = (gjk.simplex[0].point, gjk.simplex[1].point);
        let diff = vec3::sub(v2, v1);
        let mut smallest = 0;
        for k in 1..3 {
            if diff[k].abs() < diff[smallest].abs() {
                smallest = k;
            }
        }
        let mut e = [0.0; 3];
        e[smallest] = 1.0;
        let d1 = vec3::cross(e, diff);
        let turn = third_turn(diff);
        let d2 = mat3::mul_vec(&turn, d1);
        let d3 = mat3::mul_vec(&turn, d2);

        let i1 = self.insert(gjk.simplex[0]);
        let i2 = self.insert(gjk.simplex[1]);
        let i3 = self.insert_support(a, b, d1, vec3::norm(d1));
        let i4 = self.insert_support(a, b, d2, vec3::norm(d2));
        let i5 = self.insert_support(a, b, d3, vec3::norm(d3));
        for (verts, adjacent) in [
            ([i1, i3, i4], [1, 3, 2]),
            ([i1, i5, i3], [2, 4, 0]),
            ([i1, i4, i5], [0, 5, 1]),
            ([i2, i4, i3], [5, 0, 4]),
            ([i2, i3, i5], [3, 1, 5]),
            ([i2, i5, i4], [4, 2, 3]),
        ] {
            if self.attach(verts, adjacent) < MINVAL2 {
                return self.restart_from(verts, a, b);
            }
        }
        let [v3, v4, v5] = [i3, i4, i5].map(|i| self.verts[i as usize].point);
        if !line_hits_triangle(v1, v2, [v3, v4, v5]) {
            return Err(Degenerate);
        }
        self.all_candidates();
        Ok(())
    }

    /// The origin lies on a face: start again from that face.
    fn restart_from(&mut self, verts: [u32; 3], a: &mut Convex, b: &mut Convex) -> Result<(), Degenerate> {
        let triangle = verts.map(|i| self.verts[i as usize]);
        self.clear();
        self.start_with_triangle(triangle, a, b)
    }

    /// Triangle: support points along both normals complete a double pyramid.
    fn start_with_triangle(
        &mut self,
        triangle: [Vertex; 3],
        a: &mut Convex,
        b: &mut Convex,
    ) -> Result<(), Degenerate> {
        let corners = triangle.map(|v| v.point);
        let n = vec3::cross(vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]));
        let norm = vec3::norm(n);
        if norm < MINVAL {
            return Err(Degenerate);
        }
        let [i1, i2, i3] = triangle.map(|v| self.insert(v));
        let i5 = self.insert_support(a, b, vec3::scale(n, -1.0), norm);
        let i4 = self.insert_support(a, b, n, norm);
        for top in [i4, i5] {
            if lies_in_triangle(corners, self.verts[top as usize].point) {
                return Err(Degenerate);
            }
        }
        for (verts, adjacent) in [
            ([i4, i1, i2], [1, 3, 2]),
            ([i4, i3, i1], [2, 4, 0]),
            ([i4, i2, i3], [0, 5, 1]),
            ([i5, i2, i1], [5, 0, 4]),
            ([i5, i1, i3], [3, 1, 5]),
            ([i5, i3, i2], [4, 2, 3]),
        ] {
            if self.attach(verts, adjacent) < MINVAL2 {
                return Err(Degenerate);
            }
        }
        self.all_candidates();
        Ok(())
    }

    fn start_with_tetrahedron(
        &mut self,
        simplex: &[Vertex; 4],
        a: &mut Convex,
        b: &mut Convex,
    ) -> Result<(), Degenerate> {
        let [i1, i2, i3, i4] = simplex.map(|v| self.insert(v));
        for (verts, adjacent) in [
            ([i1, i2, i3], [1, 3, 2]),
            ([i1, i4, i2], [2, 3, 0]),
            ([i1, i3, i4], [0, 3, 1]),
            ([i4, i3, i2], [2, 0, 1]),
        ] {
            if self.attach(verts, adjacent) < MINVAL2 {
                return self.restart_from(verts, a, b);
            }
        }
        if !contains_origin(simplex.map(|v| v.point)) {
            return Err(Degenerate);
        }
        self.all_candidates();
        Ok(())
    }

    fn delete(&mut self, face: u32) {
        if let Place::Candidate(position) = self.faces[face as usize].place {
            self.candidates.swap_remove(position as usize);
            if let Some(&moved) = self.candidates.get(position as usize) {
                self.faces[moved as usize].place = Place::Candidate(position);
            }
        }
        self.faces[face as usize].place = Place::Deleted;
    }

    /// Deletes all faces that `w` sees, starting from `face`, and records the edges of the hole in order.
    fn cut(&mut self, face: u32, w: Vec3) {
        self.delete(face);
        self.visit.clear();
        self.visit.push((face, 2, 1, 3));
        while let Some(frame) = self.visit.last_mut() {
            let (current, entry, next, last) = *frame;
            if next > last {
                self.visit.pop();
                continue;
            }
            frame.2 += 1;
            let edge = (entry + next) % 3;
            let this = &self.faces[current as usize];
            let neighbour = this.adjacent[edge];
            let other = &self.faces[neighbour as usize];
            if other.place == Place::Deleted {
                continue;
            }
            let shared = this.verts[(edge + 1) % 3];
            let other_edge = other.verts.iter().position(|&v| v == shared).unwrap_or(2);
            if vec3::dot(other.foot, w) - other.dist2 > MINVAL {
                self.delete(neighbour);
                self.visit.push((neighbour, other_edge, 1, 2));
            } else {
                self.horizon.push((neighbour, other_edge as u32));
            }
        }
    }

    /// The candidate nearest to the origin, if any is nearer than infinitely far.
    fn nearest(&self) -> Option<usize> {
        let mut best = None;
        let mut min = FAR;
        for &face in &self.candidates {
            let dist2 = self.faces[face as usize].dist2;
            if dist2 < min {
                min = dist2;
                best = Some(face as usize);
            }
        }
        best
    }

    /// Closes the hole with faces from its edges to vertex `w`. False on a numerical failure.
    fn close(&mut self, w: u32, lower2: f64, upper2: f64) -> bool {
        let first = self.faces.len() as u32;
        let n = self.horizon.len() as u32;
        for i in 0..n {
            let (face, edge) = self.horizon[i as usize];
            let (old, edge) = (&mut self.faces[face as usize], edge as usize);
            let [v1, v2] = [old.verts[edge], old.verts[(edge + 1) % 3]];
            old.adjacent[edge] = first + i;
            let previous = if i == 0 { first + n - 1 } else { first + i - 1 };
            let next = first + (i + 1) % n;
            let dist2 = self.attach([w, v2, v1], [previous, face, next]);
            if dist2 == 0.0 {
                return false;
            }
            if dist2 >= lower2 && dist2 <= upper2 {
                self.make_candidate((first + i) as usize);
            }
        }
        self.horizon.clear();
        true
    }

    /// Expands until the nearest face is on the boundary up to the tolerance. Returns that face.
    pub fn expand(
        &mut self,
        a: &mut Convex,
        b: &mut Convex,
        tolerance: f64,
        max_iterations: usize,
    ) -> Option<usize> {
        let discrete = a.is_discrete() && b.is_discrete();
        let tolerance = if discrete { MINVAL } else { tolerance };
        let max_faces = 6 * max_iterations.max(MAX_STATIC_ITERATIONS);
        let (mut upper, mut upper2) = (FAR, FAR);
        let mut face: Option<usize> = None;
        for _ in 0..max_iterations {
            self.steps += 1 + self.candidates.len() as u64 / 16;
            let previous = face;
            let nearest = self.nearest();
            let lower2 = nearest.map_or(FAR, |f| self.faces[f].dist2);
            face = nearest.or(previous);
            if lower2 > upper2 || face.is_none() {
                return previous;
            }
            if lower2 <= 0.0 {
                return face;
            }
            let current = face?;
            let foot = self.faces[current].foot;
            let lower = lower2.sqrt();
            let w = self.insert_support(a, b, foot, lower);
            let upper_now = vec3::dot(foot, self.verts[w as usize].point) / lower;
            if upper_now < upper {
                upper = upper_now;
                upper2 = upper * upper;
            }
            if upper - lower < tolerance || (discrete && self.last_is_repeated()) {
                return face;
            }
            self.cut(current as u32, self.verts[w as usize].point);
            if self.horizon.len() < 3 {
                return None;
            }
            if self.horizon.len() > max_faces - self.faces.len() {
                return face;
            }
            if !self.close(w, lower2, upper2) {
                return None;
            }
            if self.candidates.is_empty() {
                return face;
            }
        }
        face
    }

    /// Did the last vertex occur before?
    fn last_is_repeated(&self) -> bool {
        let Some((new, old)) = self.verts.split_last() else { return false };
        old.iter().any(|v| (v.index_a == new.index_a) & (v.index_b == new.index_b))
    }

    /// Depth (as negative distance) and witness points of a face.
    pub fn witness(&self, face: usize) -> (f64, Vec3, Vec3) {
        let face = &self.faces[face];
        let v = face.verts.map(|i| &self.verts[i as usize]);
        let lambda = affine_coordinates(v.map(|v| v.point), face.foot);
        (-face.dist2.sqrt(), combine(lambda, v.map(|v| v.on_a)), combine(lambda, v.map(|v| v.on_b)))
    }
}

/// Up to this many iterations the reference has room for six faces per iteration anyway.
const MAX_STATIC_ITERATIONS: usize = 170;

/// Rotation by 120 degrees about an axis (with the reference's rounded sine).
fn third_turn(axis: Vec3) -> [f64; 9] {
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    let n = vec3::norm(axis);
    let (u1, u2, u3) = (axis[0] / n, axis[1] / n, axis[2] / n);
    [
        COS + u1 * u1 * (1.0 - COS),
        u1 * u2 * (1.0 - COS) - u3 * SIN,
        u1 * u3 * (1.0 - COS) + u2 * SIN,
        u2 * u1 * (1.0 - COS) + u3 * SIN,
        COS + u2 * u2 * (1.0 - COS),
        u2 * u3 * (1.0 - COS) - u1 * SIN,
        u1 * u3 * (1.0 - COS) - u2 * SIN,
        u2 * u3 * (1.0 - COS) + u1 * SIN,
        COS + u3 * u3 * (1.0 - COS),
    ]
}

/// Does the line through two points pass the triangle?
fn line_hits_triangle(v1: Vec3, v2: Vec3, triangle: [Vec3; 3]) -> bool {
    let line = vec3::sub(v2, v1);
    let [a, b, c] = triangle.map(|v| vec3::sub(v, v1));
    let volumes = [det3(a, b, line), det3(b, c, line), det3(c, a, line)];
    volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0)
}

fn lies_in_triangle(triangle: [Vec3; 3], p: Vec3) -> bool {
    let lambda = affine_coordinates(triangle, p);
    if lambda.iter().any(|&l| l < 0.0) {
        return false;
    }
    let [v1, v2, v3] = triangle;
    let same: Vec3 = std::array::from_fn(|k| v1[k] * lambda[0] + v2[k] * lambda[1] + v3[k] * lambda[2]);
    vec3::distance(same, p) < MINVAL
}

/// Is the origin inside a tetrahedron: for every face strictly on the side of the fourth corner?
fn contains_origin(corners: [Vec3; 4]) -> bool {
    (0..4).all(|first| {
        let [p, q, r, apex] = std::array::from_fn(|k| corners[(first + k) % 4]);
        let normal = vec3::cross(vec3::sub(q, p), vec3::sub(r, p));
        let height = vec3::dot(normal, vec3::sub(apex, p));
        let origin = vec3::dot(normal, vec3::scale(p, -1.0));
        (height > 0.0 && origin > 0.0) || (height < 0.0 && origin < 0.0)
    })
}
