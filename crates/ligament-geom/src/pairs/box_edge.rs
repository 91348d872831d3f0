//! Box-box contacts when a cross product of edges is the axis of least penetration.
//!
//! The face of the second box next to its touching edge is projected along the axis onto the face of the first box
//! next to its own; crossings, corners and projected corners give the points.

use super::box_box::{BoxPair, EdgeAxis, FaceFrame};
use crate::contact::{ContactPoint, ContactPoints, MAX_POINTS};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// The two faces in the frame of the reference face (z: height above it).
struct Faces {
    /// Corners of the incident face and their projections along the axis.
    corner: [Vec3; 4],
    projected: [Vec3; 4],
    /// Half extents of the reference box.
    half: Vec3,
    margin: f64,
    /// Turns heights into distances along the axis.
    height_to_dist: f64,
}

/// Middle points and distances found so far.
struct Found {
    points: [(Vec3, f64); MAX_POINTS],
    len: usize,
}

impl Found {
    fn push(&mut self, point: Vec3, dist: f64) {
        if self.len < MAX_POINTS {
            self.points[self.len] = (point, dist);
            self.len += 1;
        }
    }
}

pub(super) fn edge_contacts(pair: &BoxPair, edge: &EdgeAxis, out: &mut ContactPoints) {
    let frame = FaceFrame::new(reference_face(pair, edge));
    let axis = frame.turn(edge.axis);
    if axis[2].abs() < MINVAL {
        return;
    }
    let half = mat3::mul_vec_t(&frame.matrix, pair.a.size).map(f64::abs);
    let corner = incident_face(pair, edge, &frame, half[2]);
    let projected = corner.map(|c| vec3::add_scaled(c, axis, -c[2] * (1.0 / axis[2])));
    let height_to_dist = (1.0 / axis[2]) * if edge.inverted { -1.0 } else { 1.0 };
    let faces = Faces { corner, projected, half, margin: pair.margin, height_to_dist };

    let mut found = Found { points: [([0.0; 3], 0.0); MAX_POINTS], len: 0 };
    crossings(&faces, &mut found);
    let ncrossing = found.len;
    reference_corners(&faces, ncrossing, &mut found);
    let nface = found.len;
    incident_corners(&faces, ncrossing, nface, &mut found);

    let to_world = mat3::mul_t(pair.a.mat, &frame.matrix);
    let normal = vec3::scale(mat3::mul_vec(&to_world, axis), if edge.inverted { -1.0 } else { 1.0 });
    for &(mut point, dist) in &found.points[..found.len] {
        point[2] += half[2];
        let pos = vec3::add(mat3::mul_vec(&to_world, point), pair.a.pos);
        out.push(ContactPoint::new(dist, pos, normal));
    }
}

/// The face of the first box, next to its touching edge, that is flatter to the edge of the second.
fn reference_face(pair: &BoxPair, edge: &EdgeAxis) -> usize {
    let (_, flat) = other_axes(edge.edge1, |k| pair.rot[3 * k + edge.edge2].abs());
    if edge.side1 & (1 << flat) != 0 { flat } else { flat + 3 }
}

/// The two directions besides `edge`, the one with the larger value first.
fn other_axes(edge: usize, value: impl Fn(usize) -> f64) -> (usize, usize) {
    let (first, second) = [(1, 2), (0, 2), (1, 0)][edge];
    if value(first) < value(second) { (second, first) } else { (first, second) }
}

/// Corners of the face of the second box, next to its touching edge, that is flatter to the edge of the first.
fn incident_face(pair: &BoxPair, edge: &EdgeAxis, frame: &FaceFrame, height: f64) -> [Vec3; 4] {
    let r = frame.turn_matrix(&pair.rot);
    let mut center = frame.turn(pair.pos21);
    center[2] -= height;
    let size = pair.b.size;
    let q = edge.edge2;
    let (steep, flat) = other_axes(q, |k| pair.rot[3 * edge.edge1 + k].abs());
    let sign = |k: usize| if edge.side2 & (1 << k) != 0 { 1.0 } else { -1.0 };
    let side = |steep_sign: f64| {
        let point = vec3::add_scaled(center, mat3::col(&r, steep), size[steep] * steep_sign);
        vec3::add_scaled(point, mat3::col(&r, flat), size[flat] * sign(flat))
    };
    let (near, far) = (side(sign(steep)), side(-sign(steep)));
    let along = mat3::col(&r, q);
    [
        vec3::add_scaled(near, along, size[q]),
        vec3::add_scaled(near, along, -size[q]),
        vec3::add_scaled(far, along, size[q]),
        vec3::add_scaled(far, along, -size[q]),
    ]
}

/// Edges of the projected face against the sides of the reference rectangle.
fn crossings(faces: &Faces, found: &mut Found) {
    let lines = |c: &[Vec3; 4]| {
        let (e1, e2) = (vec3::sub(c[1], c[0]), vec3::sub(c[2], c[0]));
        [(c[0], e1), (c[0], e2), (vec3::add(c[0], e1), e2), (vec3::add(c[0], e2), e1)]
    };
    let half = faces.half;
    for ((start, direction), (real_start, real_direction)) in
        lines(&faces.projected).into_iter().zip(lines(&faces.corner))
    {
        for q in 0..2 {
            let (a, b) = (start[q], direction[q]);
            let (c, d) = (start[1 - q], direction[1 - q]);
            if b.abs() <= MINVAL {
                continue;
            }
            for sign in [-1.0, 1.0] {
                let wall = half[q] * sign;
                let x = (wall - a) * (1.0 / b);
                let y = c + d * x;
                if !(0.0..=1.0).contains(&x) || y.abs() > half[1 - q] {
                    continue;
                }
                if (real_start[2] + real_direction[2] * x) * faces.height_to_dist > faces.margin {
                    continue;
                }
                let mut point = vec3::add_scaled(vec3::scale(real_start, 0.5), real_direction, 0.5 * x);
                point[q] += 0.5 * wall;
                point[1 - q] += 0.5 * y;
                found.push(point, point[2] * faces.height_to_dist * 2.0);
            }
        }
    }
}

/// Corners of the reference rectangle over the projected face (or, without crossings, beside it).
fn reference_corners(faces: &Faces, ncrossing: usize, found: &mut Found) {
    let [p0, p1, p2, _] = faces.projected;
    let (e1, e2) = (vec3::sub(p1, p0), vec3::sub(p2, p0));
    let (a, b, c, d) = (e1[0], e2[0], e1[1], e2[1]);
    // Quirk of the reference: after the first corner its temporary holds a squared distance instead of the
    // determinant, and the later corners divide by that.
    let mut det = a * d - b * c;
    for i in 0..4 {
        let lx = if i / 2 == 1 { faces.half[0] } else { -faces.half[0] };
        let ly = if i % 2 == 1 { faces.half[1] } else { -faces.half[1] };
        let (x, y) = (lx - p0[0], ly - p0[1]);
        let u = (x * d - y * b) * (1.0 / det);
        let v = (y * a - x * c) * (1.0 / det);
        let (u_out, v_out) = (!(0.0..=1.0).contains(&u), !(0.0..=1.0).contains(&v));
        if if ncrossing == 0 { u_out && v_out } else { u_out || v_out } {
            continue;
        }
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let [c0, c1, c2, _] = faces.corner;
        let mut on_face = vec3::scale(c0, 1.0 - u - v);
        on_face = vec3::add_scaled(on_face, c1, u);
        on_face = vec3::add_scaled(on_face, c2, v);
        let corner = [lx, ly, 0.0];
        let gap = vec3::sub(corner, on_face);
        det = vec3::dot(gap, gap);
        if on_face[2] > 0.0 && det > faces.margin * faces.margin {
            continue;
        }
        let middle = vec3::scale(vec3::add(corner, on_face), 0.5);
        found.push(middle, det.sqrt() * if on_face[2] < 0.0 { -1.0 } else { 1.0 });
    }
}

/// Corners of the incident face over the reference rectangle (or beside it, when nothing else was found).
fn incident_corners(faces: &Faces, ncrossing: usize, nface: usize, found: &mut Found) {
    let half = faces.half;
    for (projected, corner) in faces.projected.iter().zip(&faces.corner) {
        let x_out = projected[0] < -half[0] || projected[0] > half[0];
        let y_out = projected[1] < -half[1] || projected[1] > half[1];
        let skip = if ncrossing > 0 { x_out || y_out } else { nface > 0 && x_out && y_out };
        if skip {
            continue;
        }
        let mut dist_sqr = 0.0;
        let mut nearest = [projected[0] * 0.5, projected[1] * 0.5, 0.0];
        for j in 0..2 {
            if projected[j] < -half[j] {
                dist_sqr += (projected[j] + half[j]) * (projected[j] + half[j]);
                nearest[j] = -half[j] * 0.5;
            } else if projected[j] > half[j] {
                dist_sqr += (projected[j] - half[j]) * (projected[j] - half[j]);
                nearest[j] = half[j] * 0.5;
            }
        }
        let scale = faces.height_to_dist;
        dist_sqr += corner[2] * scale * corner[2] * scale;
        if corner[2] > 0.0 && dist_sqr > faces.margin * faces.margin {
            continue;
        }
        let middle = vec3::add_scaled(nearest, *corner, 0.5);
        found.push(middle, dist_sqr.sqrt() * if corner[2] < 0.0 { -1.0 } else { 1.0 });
    }
}
