//! Capsule against box: the point of the segment nearest to the box, and where sensible a second one.
//!
//! In the frame of the box the segment is `pos + x · half_axis` with x in [-1, 1]. The nearest feature is an end of
//! the segment over a face, or one of the twelve edges. The second point moves along the segment from the nearest
//! one towards the side that stays over the box, as far as box and segment reach. Both become spheres.

use super::sphere::sphere_box;
use crate::contact::ContactPoints;
use crate::shape::{Solid, box_corner};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Which part of an edge or segment a nearest point lies on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    LowerEnd,
    Middle,
    UpperEnd,
}

/// The feature of the box nearest to the segment.
#[derive(Clone, Copy)]
enum Feature {
    /// A segment end (sign) over a face (axis), or inside the box (no axis).
    Face {
        end: f64,
        axis: Option<usize>,
    },
    /// Inside an edge along `axis`; `corner` is its lower end, `x` the coordinate along it.
    Edge {
        axis: usize,
        corner: usize,
        x: f64,
    },
    Corner {
        corner: usize,
    },
}

struct Segment {
    pos: Vec3,
    axis: Vec3,
    half_axis: Vec3,
    half: f64,
    /// Bit per positive component of the axis.
    direction: usize,
}

impl Segment {
    fn at(&self, x: f64) -> Vec3 {
        vec3::add_scaled(self.pos, self.half_axis, x)
    }
}

/// At most two points.
pub fn capsule_box(capsule: &Solid, cuboid: &Solid, margin: f64, out: &mut ContactPoints) {
    let half = capsule.size[1];
    let axis = mat3::mul_vec_t(cuboid.mat, capsule.axis());
    let half_axis = vec3::scale(axis, half);
    let direction = (0..3).filter(|&k| half_axis[k] > 0.0).fold(0, |bits, k| bits | (1 << k));
    let pos = mat3::mul_vec_t(cuboid.mat, vec3::sub(capsule.pos, cuboid.pos));
    let segment = Segment { pos, axis, half_axis, half, direction };

    let size = cuboid.size;
    let limit = margin + 2.0 * (capsule.size[0] + half + size[0] + size[1] + size[2]);
    let Some((x, feature)) = nearest_feature(&segment, size, limit) else { return };
    let step = match feature {
        Feature::Corner { corner } => step_from_corner(&segment, size, x, corner),
        Feature::Edge { axis, corner, x: edge_x } => step_from_edge(&segment, size, x, axis, corner, edge_x),
        Feature::Face { end, axis: Some(axis) } => Some(step_over_face(&segment, size, end, axis)),
        Feature::Face { axis: None, .. } => None,
    };

    let mut collide = |x: f64| {
        let center = vec3::add(mat3::mul_vec(cuboid.mat, segment.at(x)), cuboid.pos);
        sphere_box(&capsule.at(center), cuboid, margin, out);
    };
    collide(x);
    if let Some(step) = step {
        collide(step + x);
    }
}

/// Coordinate on the segment and feature of the box that are nearest to each other.
fn nearest_feature(segment: &Segment, size: Vec3, limit: f64) -> Option<(f64, Feature)> {
    let mut best = limit;
    let mut found = None;
    for end in [-1.0, 1.0] {
        let point = segment.at(end);
        let mut clamped = point;
        let mut outside = 0;
        let mut face = None;
        for k in 0..3 {
            if point[k] < -size[k] {
                clamped[k] = -size[k];
            } else if point[k] > size[k] {
                clamped[k] = size[k];
            } else {
                continue;
            }
            outside += 1;
            face = Some(k);
        }
        if outside > 1 {
            continue;
        }
        let gap = vec3::sub(clamped, point);
        let dist_sqr = vec3::dot(gap, gap);
        if dist_sqr < best {
            best = dist_sqr;
            found = Some((end, Feature::Face { end, axis: face }));
        }
    }
    for axis in 0..3 {
        for corner in (0..8).filter(|corner| corner & (1 << axis) == 0) {
            let Some(near) = nearest_on_edge(segment, size, axis, corner) else { continue };
            // the tolerance decides when the segment is parallel to a face
            if near.dist_sqr < best - MINVAL {
                best = near.dist_sqr;
                let feature = match near.edge_part {
                    Part::Middle => Feature::Edge { axis, corner, x: near.edge_x },
                    Part::LowerEnd => Feature::Corner { corner },
                    Part::UpperEnd => Feature::Corner { corner: corner | (1 << axis) },
                };
                found = Some((near.segment_x, feature));
            }
        }
    }
    found
}

struct Nearest {
    dist_sqr: f64,
    edge_x: f64,
    edge_part: Part,
    segment_x: f64,
}

/// A coordinate cut off at the ends of an edge or a segment, and the part that it is on.
fn clip(x: f64) -> (f64, Part) {
    if x > 1.0 {
        (1.0, Part::UpperEnd)
    } else if x < -1.0 {
        (-1.0, Part::LowerEnd)
    } else {
        (x, Part::Middle)
    }
}

/// Nearest points of the segment and the edge along `axis` that starts at `corner`; none when they are parallel.
///
/// With coordinates s on the edge e and t on the segment, |gap + s·e − t·half_axis|² is least where
/// e·e s − e·a t = −e·gap and −e·a s + a·a t = a·gap. Cutting one coordinate off moves the other one.
fn nearest_on_edge(segment: &Segment, size: Vec3, axis: usize, corner: usize) -> Option<Nearest> {
    let mut middle = box_corner(size, corner);
    middle[axis] = 0.0;
    let gap = vec3::sub(middle, segment.pos);
    let edge_edge = size[axis] * size[axis];
    let cross = -size[axis] * segment.half_axis[axis];
    let axis_axis = segment.half * segment.half;
    let (edge_gap, axis_gap) = (-size[axis] * gap[axis], vec3::dot(segment.half_axis, gap));
    let det = edge_edge * axis_axis - cross * cross;
    if det.abs() < MINVAL {
        return None;
    }
    let scale = 1.0 / det;
    let (mut edge_x, mut edge_part) = clip((axis_axis * edge_gap - cross * axis_gap) * scale);
    let segment_x = match edge_part {
        Part::Middle => (edge_edge * axis_gap - cross * edge_gap) * scale,
        Part::UpperEnd => (axis_gap - cross) * (1.0 / axis_axis),
        Part::LowerEnd => (axis_gap + cross) * (1.0 / axis_axis),
    };
    let (segment_x, segment_part) = clip(segment_x);
    if segment_part != Part::Middle {
        let along = if segment_part == Part::UpperEnd { edge_gap - cross } else { edge_gap + cross };
        let part;
        (edge_x, part) = clip(along * (1.0 / edge_edge));
        // the part changes only if the edge is cut off again
        if part != Part::Middle {
            edge_part = part;
        }
    }
    let mut between = vec3::add_scaled(gap, segment.half_axis, -segment_x);
    between[axis] += size[axis] * edge_x;
    Some(Nearest { dist_sqr: vec3::dot(between, between), edge_x, edge_part, segment_x })
}

/// From a corner: along an edge of the box, or over a face, or nowhere when the axis points at the corner.
fn step_from_corner(segment: &Segment, size: Vec3, x: f64, corner: usize) -> Option<f64> {
    let relative = segment.direction ^ corner;
    let (sign, ahead, behind, bit) = match relative {
        0 | 7 => return None,
        1 | 2 | 4 => (1.0, 1.0 - x, 1.0 + x, relative),
        _ => (-1.0, 1.0 + x, 1.0 - x, 7 - relative),
    };
    let axis = bit.trailing_zeros() as usize;
    let reach = |k: usize| 2.0 * size[k] / segment.half_axis[k].abs();
    if segment.axis[axis] * segment.axis[axis] > 0.5 {
        let mut step = ahead;
        if reach(axis) < step {
            step = reach(axis);
        }
        Some(step * sign)
    } else {
        let mut step = behind;
        for k in [(axis + 1) % 3, (axis + 2) % 3] {
            if reach(k) < step {
                step = reach(k);
            }
        }
        Some(step * -sign)
    }
}

/// From the middle of an edge: over the face that is flatter to the segment, when both cross in an X.
fn step_from_edge(
    segment: &Segment,
    size: Vec3,
    x: f64,
    axis: usize,
    corner: usize,
    edge_x: f64,
) -> Option<f64> {
    let relative = (segment.direction ^ corner) & (7 - (1 << axis));
    if !matches!(relative, 1 | 2 | 4) {
        return None;
    }
    let beside = [(axis + 1) % 3, (axis + 2) % 3];
    let steeper = usize::from(!(segment.axis[beside[0]].abs() > segment.axis[beside[1]].abs()));
    let across = beside[steeper];
    let forward = relative & (1 << across) != 0;
    let (sign, mut step) = if forward { (1.0, 1.0 - x) } else { (-1.0, 1.0 + x) };
    let over = 2.0 * size[across] / segment.half_axis[across].abs();
    if over < step {
        step = over;
    }
    let along = segment.direction & (1 << axis) != 0;
    let left = if along == forward { 1.0 - edge_x } else { 1.0 + edge_x };
    let side = size[axis] * left / segment.half_axis[axis].abs();
    if side < step {
        step = side;
    }
    Some(step * sign)
}

/// From an end over a face: to the farthest point that is still above it.
fn step_over_face(segment: &Segment, size: Vec3, end: f64, face: usize) -> f64 {
    let sign = -end;
    let start = vec3::add_scaled(segment.pos, segment.half_axis, -sign);
    let mut step = 2.0;
    for k in (0..3).filter(|&k| k != face) {
        for wall in [size[k], -size[k]] {
            let x = (wall - start[k]) / segment.half_axis[k] * sign;
            if x > 0.0 && x < step {
                step = x;
            }
        }
    }
    step * sign
}
