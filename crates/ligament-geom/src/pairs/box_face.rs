//! Box-box contacts when a face normal is the axis of least penetration.

use super::box_box::{BoxPair, FaceFrame};
use crate::contact::{ContactPoint, ContactPoints};
use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// At most 16 crossings of edges, 4 corners of the reference face, 4 corners of the incident face.
const MAX_CLIPPED: usize = 24;

/// Points of the clipped incident face, in the frame of the reference face (z: height above it).
struct Clipped {
    points: [Vec3; MAX_CLIPPED],
    len: usize,
}

impl Clipped {
    fn push(&mut self, point: Vec3) {
        if self.len < MAX_CLIPPED {
            self.points[self.len] = point;
            self.len += 1;
        }
    }
}

/// Clips the face of the other box that looks at the reference face, and keeps what is below the margin.
pub(super) fn face_contacts(pair: &BoxPair, face: usize, of_second: bool, out: &mut ContactPoints) {
    let frame = FaceFrame::new(face);
    // r: orientation of the incident box, p: its centre, both in the turned frame of the reference box
    let (r, mut p, reference, incident) = if of_second {
        (mat3::mul_t(&frame.matrix, &pair.rot), frame.turn(pair.pos12), frame.turn(pair.b.size), pair.a.size)
    } else {
        (frame.turn_matrix(&pair.rot), frame.turn(pair.pos21), frame.turn(pair.a.size), pair.b.size)
    };
    let half = reference.map(f64::abs);
    p[2] -= half[2];

    let mut clipped = Clipped { points: [[0.0; 3]; MAX_CLIPPED], len: 0 };
    clip_incident(&r, p, incident, half, &mut clipped);

    let (owner, sign) = if of_second { (pair.b, -1.0) } else { (pair.a, 1.0) };
    let to_world = mat3::mul_t(owner.mat, &frame.matrix);
    let normal = mat3::col(&to_world, 2).map(|x| sign * x);
    for point in &clipped.points[..clipped.len] {
        if point[2] > pair.margin {
            continue;
        }
        let middle = point[2] * 0.5;
        let local = [point[0], point[1], middle + half[2]];
        let pos = vec3::add(mat3::mul_vec(&to_world, local), owner.pos);
        out.push(ContactPoint::new(2.0 * middle, pos, normal));
    }
}

/// Collects the corners of the intersection of both faces, seen along the reference normal.
fn clip_incident(r: &Mat3, p: Vec3, size: Vec3, half: Vec3, clipped: &mut Clipped) {
    // the deepest corner of the incident box, and the edges from it that are flatter than 30 degrees
    let mut corner = p;
    let up = |i: usize| r[6 + i] < 0.0;
    for i in 0..3 {
        corner = vec3::add_scaled(corner, mat3::col(r, i), size[i] * if up(i) { 1.0 } else { -1.0 });
    }
    let mut edges = [[0.0; 3]; 2];
    let mut nedge = 0;
    for i in 0..3 {
        if r[6 + i].abs() < 0.5 && nedge < 2 {
            edges[nedge] = vec3::scale(mat3::col(r, i), size[i] * if up(i) { -2.0 } else { 2.0 });
            nedge += 1;
        }
    }
    let along = vec3::add(corner, edges[0]);
    let aside = vec3::add(corner, edges[1]);
    let lines = [(corner, edges[0]), (corner, edges[1]), (along, edges[1]), (aside, edges[0])];
    let nline = [0, 1, 4][nedge];
    for &(start, direction) in &lines[..nline] {
        cross_rectangle(start, direction, half, clipped);
    }
    if nedge == 2 {
        reference_corners(corner, edges, half, clipped);
    }
    // corners of the incident face: the deepest always, the others when strictly inside
    clipped.push(corner);
    let others = [along, aside, vec3::add(along, edges[1])];
    for point in &others[..[0, 1, 3][nedge]] {
        if point[0] <= -half[0] || point[0] >= half[0] || point[1] <= -half[1] || point[1] >= half[1] {
            continue;
        }
        clipped.push(*point);
    }
}

/// Crossings of an edge with the four sides of the reference rectangle.
fn cross_rectangle(start: Vec3, direction: Vec3, half: Vec3, clipped: &mut Clipped) {
    for q in 0..2 {
        let (a, b) = (start[q], direction[q]);
        let (c, d) = (start[1 - q], direction[1 - q]);
        if b.abs() <= MINVAL {
            continue;
        }
        for sign in [-1.0, 1.0] {
            let x = (half[q] * sign - a) * (1.0 / b);
            if !(0.0..=1.0).contains(&x) || (c + d * x).abs() > half[1 - q] {
                continue;
            }
            clipped.push(vec3::add_scaled(start, direction, x));
        }
    }
}

/// Corners of the reference rectangle that lie inside the incident parallelogram.
fn reference_corners(corner: Vec3, edges: [Vec3; 2], half: Vec3, clipped: &mut Clipped) {
    let (a, b, c, d) = (edges[0][0], edges[1][0], edges[0][1], edges[1][1]);
    let det = a * d - b * c;
    for i in 0..4 {
        let lx = if i / 2 == 1 { half[0] } else { -half[0] };
        let ly = if i % 2 == 1 { half[1] } else { -half[1] };
        let (x, y) = (lx - corner[0], ly - corner[1]);
        let u = (x * d - y * b) * (1.0 / det);
        let v = (y * a - x * c) * (1.0 / det);
        if u <= 0.0 || v <= 0.0 || u >= 1.0 || v >= 1.0 {
            continue;
        }
        clipped.push([lx, ly, corner[2] + u * edges[0][2] + v * edges[1][2]]);
    }
}
