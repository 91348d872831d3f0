//! All points of touching faces: the face or edge of each discrete shape that carries the deepest point is recovered,
//! and one is clipped against the other.

use crate::contact::MAX_POINTS;
use crate::convex::{Convex, Kind, MeshView};
use crate::gjk::Vertex;
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Cosine of the largest angle (1.6e-3) between faces that count as parallel.
const FACE_TOL: f64 = 0.99999872;
/// Sine of the same angle, between an edge and a face.
const EDGE_TOL: f64 = 0.00159999931;
/// Largest number of faces around a vertex, and of vertices of a face.
const MAX_POLYGON: usize = 150;

/// Buffers, kept between runs.
#[derive(Debug, Default)]
pub(crate) struct Manifold {
    side1: Features,
    side2: Features,
    polygon1: Vec<Vec3>,
    polygon2: Vec<Vec3>,
    clip: Clipper,
}

/// Candidate faces (normal, number) or edges (direction, end) of a shape.
#[derive(Debug, Default)]
struct Features {
    dir: Vec<Vec3>,
    face: Vec<usize>,
    end: Vec<Vec3>,
}

impl Features {
    fn clear(&mut self) {
        self.dir.clear();
        self.face.clear();
        self.end.clear();
    }

    fn push_face(&mut self, normal: Vec3, face: usize) {
        self.dir.push(normal);
        self.face.push(face);
    }

    fn push_edge(&mut self, start: Vec3, end: Vec3) {
        self.dir.push(vec3::unit(vec3::sub(end, start)));
        self.end.push(end);
    }
}

/// One to three distinct support vertices of a shape that span the nearest face of the polytope.
struct Span {
    /// Number of distinct vertices.
    dim: usize,
    index: [usize; 3],
    point: [Vec3; 3],
}

impl Span {
    fn new(index: [i32; 3], point: [Vec3; 3]) -> Self {
        let [i1, i2, i3] = index;
        let (mut index, mut point) = (index.map(|i| i.max(0) as usize), point);
        let dim = if i1 != i2 {
            if i3 == i1 || i3 == i2 { 2 } else { 3 }
        } else if i1 != i3 {
            index[1] = index[2];
            point[1] = point[2];
            2
        } else {
            1
        };
        Self { dim, index, point }
    }
}

impl Manifold {
    /// Replaces the single witness pair by the points of the touching faces, when both shapes have such.
    pub fn expand(
        &mut self,
        face: &[Vertex; 3],
        a: &Convex,
        b: &Convex,
        max: usize,
        witness: &mut Vec<[Vec3; 2]>,
    ) {
        let Some(&[x1, x2]) = witness.first() else { return };
        let span1 = Span::new(face.map(|v| v.index_a), face.map(|v| v.on_a));
        let span2 = Span::new(face.map(|v| v.index_b), face.map(|v| v.on_b));
        let dir = vec3::sub(x2, x1);
        let depth = vec3::norm(dir);
        face_normals(a, &span1, vec3::sub(x1, x2), &mut self.side1);
        face_normals(b, &span2, dir, &mut self.side2);

        self.polygon1.clear();
        self.polygon2.clear();
        if let Some((i, j)) = opposite(&self.side1.dir, &self.side2.dir) {
            let normal1 = self.side1.dir[i];
            let shift = vec3::scale(self.side2.dir[j], depth);
            face_polygon(a, self.side1.face[i], &mut self.polygon1);
            face_polygon(b, self.side2.face[j], &mut self.polygon2);
            self.clip.run(&self.polygon1, &self.polygon2, normal1, shift, max, witness);
        } else if span1.dim < 3 && span1.dim <= span2.dim {
            edges(a, &span1, &mut self.side1);
            let Some((i, j)) = perpendicular(&self.side1.dir, &self.side2.dir) else { return };
            let normal = self.side2.dir[j];
            self.polygon1.extend([face[0].on_a, self.side1.end[i]]);
            face_polygon(b, self.side2.face[j], &mut self.polygon2);
            self.clip.run(&self.polygon2, &self.polygon1, normal, vec3::scale(normal, depth), max, witness);
        } else if span2.dim < 3 {
            edges(b, &span2, &mut self.side2);
            let Some((i, j)) = perpendicular(&self.side2.dir, &self.side1.dir) else { return };
            let normal = self.side1.dir[j];
            self.polygon2.extend([face[0].on_b, self.side2.end[i]]);
            face_polygon(a, self.side1.face[j], &mut self.polygon1);
            self.clip.run(&self.polygon1, &self.polygon2, normal, vec3::scale(normal, -depth), max, witness);
        }
    }
}

/// First pair of normals that face each other.
fn opposite(normals1: &[Vec3], normals2: &[Vec3]) -> Option<(usize, usize)> {
    find_pair(normals1, normals2, |n1, n2| vec3::dot(n1, n2) < -FACE_TOL)
}

/// First edge that lies in a face; faces are the outer loop.
fn perpendicular(edges: &[Vec3], normals: &[Vec3]) -> Option<(usize, usize)> {
    find_pair(normals, edges, |n, e| vec3::dot(e, n).abs() < EDGE_TOL).map(|(face, edge)| (edge, face))
}

fn find_pair(first: &[Vec3], second: &[Vec3], fits: impl Fn(Vec3, Vec3) -> bool) -> Option<(usize, usize)> {
    first.iter().enumerate().find_map(|(i, &u)| second.iter().position(|&v| fits(u, v)).map(|j| (i, j)))
}

/// Faces that contain all vertices of the span. `toward` points out of the shape along the contact normal.
fn face_normals(shape: &Convex, span: &Span, toward: Vec3, out: &mut Features) {
    out.clear();
    match shape.kind {
        Kind::Cuboid => box_normals(shape, span, toward, out),
        Kind::Mesh(mesh) => mesh_normals(shape, mesh, span, out),
        _ => {}
    }
}

/// Faces 2k (positive) and 2k + 1 (negative) of axis k on which all vertices of the span lie.
fn box_normals(shape: &Convex, span: &Span, toward: Vec3, out: &mut Features) {
    let vertices = &span.index[..span.dim];
    for axis in 0..3 {
        let bit = 1 << axis;
        let sign = if vertices.iter().all(|v| v & bit != 0) {
            1.0
        } else if vertices.iter().all(|v| v & bit == 0) {
            -1.0
        } else {
            continue;
        };
        let mut local = [0.0; 3];
        local[axis] = sign;
        out.push_face(mat3::mul_vec(&shape.mat, local), 2 * axis + usize::from(sign < 0.0));
    }
    if out.face.len() == [0, 3, 2, 1][span.dim] {
        return;
    }
    // the vertices span no face: take the one that the contact normal almost coincides with
    out.clear();
    let mut local = mat3::mul_vec_t(&shape.mat, toward);
    local = vec3::scale(local, 1.0 / vec3::dot(local, local).sqrt());
    for face in 0..6 {
        let sign = if face % 2 == 0 { 1.0 } else { -1.0 };
        if local[face / 2] * sign > FACE_TOL {
            let mut normal = [0.0; 3];
            normal[face / 2] = sign;
            out.push_face(mat3::mul_vec(&shape.mat, normal), face);
            return;
        }
    }
}

fn mesh_normals(shape: &Convex, mesh: &MeshView, span: &Span, out: &mut Features) {
    let Some(polygons) = mesh.polygons else { return };
    let mut common = [0; 2];
    let [v1, v2, v3] = span.index;
    let faces: &[i32] = match span.dim {
        1 => {
            let around = polygons.around(v1);
            &around[..around.len().min(MAX_POLYGON)]
        }
        2 => {
            let n = intersection(polygons.around(v1), polygons.around(v2), &mut common);
            &common[..n]
        }
        _ => {
            let n = intersection(polygons.around(v1), polygons.around(v2), &mut common);
            let edge = common;
            let n = intersection(&edge[..n], polygons.around(v3), &mut common);
            &common[..n.min(1)]
        }
    };
    for &face in faces {
        let normal = polygons.normal[face as usize];
        out.push_face(mat3::mul_vec(&shape.mat, normal), face as usize);
    }
}

/// The first (at most two) numbers that occur in both lists.
fn intersection(first: &[i32], second: &[i32], out: &mut [i32; 2]) -> usize {
    let mut n = 0;
    for i in first {
        for j in second {
            if i == j {
                out[n] = *i;
                n += 1;
                if n == 2 {
                    return 2;
                }
            }
        }
    }
    n
}

/// Edges of the shape at the span: the one it spans, or all at its only vertex.
fn edges(shape: &Convex, span: &Span, out: &mut Features) {
    out.clear();
    let start = span.point[0];
    if span.dim == 2 {
        if matches!(shape.kind, Kind::Cuboid | Kind::Mesh(_)) {
            out.push_edge(start, span.point[1]);
        }
        return;
    }
    let corner = span.index[0];
    match shape.kind {
        Kind::Cuboid => {
            let local = crate::shape::box_corner(shape.size, corner);
            for axis in 0..3 {
                let mut other = local;
                other[axis] = -other[axis];
                out.push_edge(start, shape.world_point(other));
            }
        }
        Kind::Mesh(mesh @ MeshView { polygons: Some(polygons), .. }) => {
            for &face in polygons.around(corner).iter().take(MAX_POLYGON) {
                let polygon = polygons.vertices(face as usize);
                if let Some(j) = polygon.iter().position(|&v| v as usize == corner) {
                    let previous = polygon[(j + polygon.len() - 1) % polygon.len()];
                    out.push_edge(start, shape.world_point(mesh.vertex(previous as usize)));
                }
            }
        }
        _ => {}
    }
}

/// Corners of a face in the world, in the order that clipping expects.
fn face_polygon(shape: &Convex, face: usize, out: &mut Vec<Vec3>) {
    match shape.kind {
        Kind::Cuboid => {
            const CORNERS: [[usize; 4]; 6] =
                [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];
            let corners = CORNERS[face].map(|i| shape.world_point(crate::shape::box_corner(shape.size, i)));
            out.extend(corners);
        }
        Kind::Mesh(mesh @ MeshView { polygons: Some(polygons), .. }) => {
            let polygon = polygons.vertices(face);
            let n = polygon.len().min(MAX_POLYGON);
            out.extend(polygon[..n].iter().rev().map(|&v| shape.world_point(mesh.vertex(v as usize))));
        }
        _ => {}
    }
}

/// Clips polygons (Sutherland, Hodgman).
#[derive(Debug, Default)]
struct Clipper {
    planes: Vec<(Vec3, f64)>,
    polygon: Vec<Vec3>,
    clipped: Vec<Vec3>,
}

impl Clipper {
    /// Clips `subject` by the planes through the edges of `window` along its `normal`. What is left becomes the
    /// points on the second shape; the first shape's points are `shift` before them.
    fn run(
        &mut self,
        window: &[Vec3],
        subject: &[Vec3],
        normal: Vec3,
        shift: Vec3,
        max: usize,
        witness: &mut Vec<[Vec3; 2]>,
    ) {
        if window.len() < 3 {
            return;
        }
        self.planes.clear();
        for (i, &v1) in window.iter().enumerate() {
            let v2 = window[(i + 1) % window.len()];
            let plane = vec3::cross(vec3::sub(v2, v1), vec3::sub(vec3::add(v1, normal), v1));
            self.planes.push((plane, vec3::dot(plane, v1)));
        }
        self.polygon.clear();
        self.polygon.extend_from_slice(subject);
        for (i, &corner) in window.iter().enumerate() {
            self.clip_by(corner, self.planes[i]);
            std::mem::swap(&mut self.polygon, &mut self.clipped);
        }
        if self.polygon.is_empty() {
            return;
        }
        witness.clear();
        if max < 5 && self.polygon.len() > 4 {
            let corners = largest_quadrilateral(&self.polygon);
            witness.extend(corners.map(|i| pair(self.polygon[i], shift)));
        } else if self.polygon.len() > MAX_POINTS {
            witness.extend(self.polygon[..MAX_POINTS].iter().map(|&p| pair(p, shift)));
        } else {
            for &point in &self.polygon {
                let known = |w: &[Vec3; 2]| (0..3).all(|k| (w[1][k] - point[k]).abs() < MINVAL);
                if !witness.iter().any(known) {
                    witness.push(pair(point, shift));
                }
            }
        }
    }

    fn clip_by(&mut self, corner: Vec3, (plane, offset): (Vec3, f64)) {
        self.clipped.clear();
        let inside = |p: Vec3| vec3::dot(vec3::sub(p, corner), plane) > -MINVAL;
        let n = self.polygon.len();
        for i in 0..n {
            let (p, q) = (self.polygon[i], self.polygon[(i + 1) % n]);
            let (p_in, q_in) = (inside(p), inside(q));
            if p_in != q_in
                && let Some(crossing) = cross_plane(plane, offset, p, q)
            {
                self.clipped.push(crossing);
            }
            if q_in {
                self.clipped.push(q);
            }
        }
    }
}

fn pair(on_second: Vec3, shift: Vec3) -> [Vec3; 2] {
    [vec3::sub(on_second, shift), on_second]
}

fn cross_plane(plane: Vec3, offset: f64, a: Vec3, b: Vec3) -> Option<Vec3> {
    let ab = vec3::sub(b, a);
    let slope = vec3::dot(plane, ab);
    if slope == 0.0 {
        return None;
    }
    let t = (offset - vec3::dot(plane, a)) / slope;
    (0.0..=1.0).contains(&t).then(|| vec3::add_scaled(a, ab, t))
}

/// Area of a quadrilateral.
fn area(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let first = vec3::cross(vec3::sub(d, a), vec3::sub(b, d));
    let second = vec3::cross(vec3::sub(c, b), vec3::sub(a, c));
    0.5 * vec3::norm(vec3::add(first, second))
}

/// Corners of the largest quadrilateral in a convex polygon, by rotating all four corners in turn.
fn largest_quadrilateral(polygon: &[Vec3]) -> [usize; 4] {
    let n = polygon.len();
    let next = |i: usize| if i == n - 1 { 0 } else { i + 1 };
    let size = |[a, b, c, d]: [usize; 4]| area(polygon[a], polygon[b], polygon[c], polygon[d]);
    let mut corner = [0, 1, 2, 3];
    let mut best = corner;
    let mut max = size(corner);
    // moves one corner on while the area grows
    let advance = |corner: &mut [usize; 4], which: usize, max: &mut f64, best: &mut [usize; 4]| {
        let mut moved = *corner;
        moved[which] = next(moved[which]);
        let grown = size(moved);
        if grown > *max {
            *max = grown;
            *corner = moved;
            *best = moved;
            return true;
        }
        false
    };
    for a in 0..n {
        corner[0] = a;
        while advance(&mut corner, 3, &mut max, &mut best) {
            while advance(&mut corner, 2, &mut max, &mut best) {}
            while advance(&mut corner, 1, &mut max, &mut best) {}
        }
        if corner[1] == a {
            corner[1] = next(corner[1]);
            if corner[2] == corner[1] {
                corner[2] = next(corner[2]);
                if corner[3] == corner[2] {
                    corner[3] = next(corner[3]);
                }
            }
        }
    }
    best
}
