//! Shortest paths of tendons around spheres and cylinders.
//!
//! The path is found in the plane of a circle: two tangents and an arc, or, with a side site inside the object, the
//! point of the circle that the path touches from inside.

use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};
use std::f64::consts::PI;

type Vec2 = [f64; 2];

/// What a tendon wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    Sphere,
    Cylinder,
}

/// An arc on an obstacle: its length and its two end points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    pub length: f64,
    pub points: [Vec3; 2],
}

/// An arc in the plane of the circle.
struct PlanarArc {
    length: f64,
    points: [Vec2; 2],
}

fn dot2(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn unit2(a: Vec2) -> Vec2 {
    let n = dot2(a, a).sqrt();
    if n < MINVAL { [1.0, 0.0] } else { [a[0] * (1.0 / n), a[1] * (1.0 / n)] }
}

/// Do the segments p1-p2 and p3-p4 intersect?
fn segments_intersect(p1: Vec2, p2: Vec2, p3: Vec2, p4: Vec2) -> bool {
    let det = (p4[1] - p3[1]) * (p2[0] - p1[0]) - (p4[0] - p3[0]) * (p2[1] - p1[1]);
    if det.abs() < MINVAL {
        return false;
    }
    let a = ((p4[0] - p3[0]) * (p1[1] - p3[1]) - (p4[1] - p3[1]) * (p1[0] - p3[0])) / det;
    let b = ((p2[0] - p1[0]) * (p1[1] - p3[1]) - (p2[1] - p1[1]) * (p1[0] - p3[0])) / det;
    (0.0..=1.0).contains(&a) && (0.0..=1.0).contains(&b)
}

/// Length of the arc between two points of the circle, in the direction of solution `which`.
fn arc_length(p0: Vec2, p1: Vec2, which: usize, radius: f64) -> f64 {
    let angle = dot2(unit2(p0), unit2(p1)).acos();
    let cross = p0[1] * p1[0] - p0[0] * p1[1];
    let flip = (cross > 0.0 && which == 1) || (cross < 0.0 && which == 0);
    radius * if flip { 2.0 * PI - angle } else { angle }
}

/// Path around the outside of a circle at the origin; `None` when the straight line is free.
fn wrap_circle(end: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<PlanarArc> {
    let [e0, e1] = end;
    let sqlen0 = dot2(e0, e0);
    let sqlen1 = dot2(e1, e1);
    let sqrad = radius * radius;
    if sqlen0 < sqrad || sqlen1 < sqrad || radius < MINVAL {
        return None;
    }
    let dif = [e1[0] - e0[0], e1[1] - e0[1]];
    let dd = dot2(dif, dif);
    if dd < MINVAL {
        return None;
    }
    // nearest point of the segment to the centre: outside the circle and on the right side means no contact
    let a = (-dot2(dif, e0) / dd).clamp(0.0, 1.0);
    let near = [a * dif[0] + e0[0], a * dif[1] + e0[1]];
    if dot2(near, near) > sqrad && side.is_none_or(|s| dot2(s, near) >= 0.0) {
        return None;
    }
    let (sqrt0, sqrt1) = ((sqlen0 - sqrad).sqrt(), (sqlen1 - sqrad).sqrt());
    // the two pairs of tangent points
    let mut tangents = [[[0.0; 2]; 2]; 2];
    let mut good = [0.0; 2];
    for (i, sign) in [1.0, -1.0].into_iter().enumerate() {
        let t0 = [
            (e0[0] * sqrad + sign * radius * e0[1] * sqrt0) / sqlen0,
            (e0[1] * sqrad - sign * radius * e0[0] * sqrt0) / sqlen0,
        ];
        let t1 = [
            (e1[0] * sqrad - sign * radius * e1[1] * sqrt1) / sqlen1,
            (e1[1] * sqrad + sign * radius * e1[0] * sqrt1) / sqlen1,
        ];
        tangents[i] = [t0, t1];
        // prefer the pair near the side site, or the shorter path; never one that crosses itself
        good[i] = match side {
            Some(side) => dot2(unit2([t0[0] + t1[0], t0[1] + t1[1]]), side),
            None => {
                let chord = [t0[0] - t1[0], t0[1] - t1[1]];
                -dot2(chord, chord)
            }
        };
        if segments_intersect(e0, t0, e1, t1) {
            good[i] = -10000.0;
        }
    }
    let best = usize::from(good[0] <= good[1]);
    let [t0, t1] = tangents[best];
    if segments_intersect(e0, t0, e1, t1) {
        return None;
    }
    Some(PlanarArc { length: arc_length(t0, t1, best, radius), points: [t0, t1] })
}

/// Path that touches a circle from inside, in one point (an arc of length zero); `None` when it misses the circle.
fn wrap_inside(end: [Vec2; 2], radius: f64) -> Option<PlanarArc> {
    let [e0, e1] = end;
    let (len0, len1) = (dot2(e0, e0).sqrt(), dot2(e1, e1).sqrt());
    let dif = [e1[0] - e0[0], e1[1] - e0[1]];
    let dd = dot2(dif, dif);
    if len0 <= radius || len1 <= radius || radius < MINVAL || len0 < MINVAL || len1 < MINVAL {
        return None;
    }
    if dd > MINVAL {
        let a = -dot2(dif, e0) / dd;
        if a > 0.0 && a < 1.0 {
            let near = [e0[0] + dif[0] * a, e0[1] + dif[1] * a];
            if dot2(near, near).sqrt() <= radius {
                return None;
            }
        }
    }
    let touch = |p: Vec2| Some(PlanarArc { length: 0.0, points: [p, p] });
    // used when the root finding fails: the direction between the ends
    let mean = unit2([0.5 * (e0[0] + e1[0]), 0.5 * (e0[1] + e1[1])]);
    let fallback = [mean[0] * radius, mean[1] * radius];
    let cos_gap = (len0 * len0 + len1 * len1 - dd) / (2.0 * len0 * len1);
    if cos_gap < -1.0 + MINVAL {
        return None;
    } else if cos_gap > 1.0 - MINVAL {
        return touch(fallback);
    }
    let (a, b) = (radius / len0, radius / len1);
    let Some(z) = inside_root(a, b, cos_gap.acos()) else { return touch(fallback) };
    let (from, angle) = if e0[0] * e1[1] - e0[1] * e1[0] > 0.0 {
        (e0, z.asin() - (a * z).asin())
    } else {
        (e1, z.asin() - (b * z).asin())
    };
    let v = unit2(from);
    let (s, c) = angle.sin_cos();
    touch([radius * (c * v[0] - s * v[1]), radius * (s * v[0] + c * v[1])])
}

/// Root of asin(a z) + asin(b z) − 2 asin(z) + gap by Newton's method from z ≈ 1.
fn inside_root(a: f64, b: f64, gap: f64) -> Option<f64> {
    const MAX_ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;
    let f_at = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + gap;
    let slope = |k: f64, z: f64| k / (1.0 - z * z * k * k).sqrt().max(MINVAL);
    let mut z = START;
    let mut f = f_at(z);
    if f > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if f.abs() <= TOLERANCE {
            return Some(z);
        }
        let df = slope(a, z) + slope(b, z) - 2.0 * slope(1.0, z);
        if df > -MINVAL {
            return None;
        }
        let next = z - f / df;
        if next > z {
            return None;
        }
        z = next;
        f = f_at(z);
        if f > TOLERANCE {
            return None;
        }
    }
    None
}

/// Axes of the plane in which the path around a sphere lies: towards the first point, and across in the plane of
/// both points.
fn sphere_plane(p: &[Vec3; 2]) -> [Vec3; 2] {
    let first = vec3::unit(p[0]);
    let mut normal = vec3::cross(p[0], p[1]);
    if vec3::normalize(&mut normal) < MINVAL {
        // the points are in line with the centre: any plane through them will do
        let abs = first.map(f64::abs);
        let mut largest = 0;
        if abs[1] > abs[0] && abs[1] > abs[2] {
            largest = 1;
        }
        if abs[2] > abs[0] && abs[2] > abs[1] {
            largest = 2;
        }
        let mut other = [1.0; 3];
        other[largest] = 0.0;
        normal = vec3::unit(vec3::cross(first, other));
    }
    [first, vec3::unit(vec3::cross(normal, first))]
}

/// Wraps the path between two world points around an obstacle. `None` when it does not touch.
pub fn wrap(
    ends: [Vec3; 2],
    xpos: Vec3,
    xmat: &Mat3,
    radius: f64,
    obstacle: Obstacle,
    side: Option<Vec3>,
) -> Option<Arc> {
    let local = |x: Vec3| mat3::mul_vec_t(xmat, vec3::sub(x, xpos));
    let p = ends.map(local);
    if vec3::norm(p[0]) < MINVAL || vec3::norm(p[1]) < MINVAL {
        return None;
    }
    let axes = match obstacle {
        Obstacle::Sphere => sphere_plane(&p),
        Obstacle::Cylinder => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let project = |v: Vec3| [vec3::dot(v, axes[0]), vec3::dot(v, axes[1])];
    let end = p.map(project);
    let side = side.map(local);
    let arc = match side {
        Some(s) if vec3::norm(s) < radius => wrap_inside(end, radius),
        _ => {
            let planar = side.map(|s| unit2(project(s)).map(|x| x * radius));
            wrap_circle(end, planar, radius)
        }
    }?;
    let mut length = arc.length;
    let mut points = arc.points.map(|q| vec3::add(vec3::scale(axes[0], q[0]), vec3::scale(axes[1], q[1])));
    if obstacle == Obstacle::Cylinder {
        // the path climbs evenly along its unrolled length
        let flat = |a: Vec3, b: Vec3| ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt();
        let (l0, l1) = (flat(p[0], points[0]), flat(p[1], points[1]));
        let total = l0 + length + l1;
        points[0][2] = p[0][2] + (p[1][2] - p[0][2]) * l0 / total;
        points[1][2] = p[0][2] + (p[1][2] - p[0][2]) * (l0 + length) / total;
        let height = (points[1][2] - points[0][2]).abs();
        length = (length * length + height * height).sqrt();
    }
    Some(Arc { length, points: points.map(|q| vec3::add(mat3::mul_vec(xmat, q), xpos)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn norm2(p: Vec2) -> f64 {
        dot2(p, p).sqrt()
    }

    /// C39.5: the point on the circle makes the path stationary
    #[test]
    fn inside_point_is_stationary() {
        let (e0, e1) = ([2.0, 0.0], [1.5, 1.5 * 3.0_f64.sqrt()]);
        let t = wrap_inside([e0, e1], 1.0).unwrap().points[0];
        assert!((norm2(t) - 1.0).abs() < 1e-10);
        let toward = |e: Vec2| unit2([t[0] - e[0], t[1] - e[1]]);
        let tangent = [-t[1], t[0]];
        assert!((dot2(tangent, toward(e0)) + dot2(tangent, toward(e1))).abs() < 1e-8);
    }

    /// C39.11: a segment through the circle is left straight
    /// C39.12: so is one that ends on it
    #[test]
    fn inside_needs_free_ends() {
        assert!(wrap_inside([[2.0, 0.0], [-2.0, 0.1]], 1.0).is_none());
        assert!(wrap_inside([[1.0, 0.0], [0.0, 2.0]], 1.0).is_none());
    }

    /// C39.13: ends just outside the circle still give a point on it
    /// C39.19: coincident ends take the fallback, opposite ones stay straight
    #[test]
    fn inside_degenerate_cases() {
        let r = 1.0 + 1e-9;
        let close = wrap_inside([[r, 0.0], [r * 1e-6_f64.cos(), r * 1e-6_f64.sin()]], 1.0).unwrap();
        assert!((norm2(close.points[0]) - 1.0).abs() < 1e-10);
        let same = wrap_inside([[2.0, 1.0], [2.0, 1.0]], 1.0).unwrap();
        assert!((norm2(same.points[0]) - 1.0).abs() < 1e-10);
        assert!(wrap_inside([[2.0, 0.0], [-2.0, 0.0]], 1.0).is_none());
    }
}
