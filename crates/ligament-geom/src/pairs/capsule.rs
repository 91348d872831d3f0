//! Capsule against capsule.

use super::sphere::{clip, sphere_sphere};
use crate::contact::ContactPoints;
use crate::shape::Solid;
use ligament_math::{MINVAL, Vec3, vec3};

/// The 2×2 system of the nearest points of two segments; coordinates along each segment are in [-1, 1].
struct Segments {
    axis1: Vec3,
    axis2: Vec3,
    ma: f64,
    mb: f64,
    mc: f64,
    u: f64,
    v: f64,
}

impl Segments {
    fn new(a: &Solid, b: &Solid) -> Self {
        let axis1 = vec3::scale(a.axis(), a.size[1]);
        let axis2 = vec3::scale(b.axis(), b.size[1]);
        let dif = vec3::sub(a.pos, b.pos);
        Self {
            axis1,
            axis2,
            ma: vec3::dot(axis1, axis1),
            mb: -vec3::dot(axis1, axis2),
            mc: vec3::dot(axis2, axis2),
            u: -vec3::dot(axis1, dif),
            v: vec3::dot(axis2, dif),
        }
    }

    /// Coordinates of the nearest points, clipped to the segments; `det` must not be zero.
    fn nearest(&self, det: f64) -> (f64, f64) {
        let Self { ma, mb, mc, u, v, .. } = *self;
        let mut x1 = (mc * u - mb * v) / det;
        let mut x2 = (ma * v - mb * u) / det;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - mb) / mc;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + mb) / mc;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = clip((u - mb) / ma, -1.0, 1.0);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = clip((u + mb) / ma, -1.0, 1.0);
        }
        (x1, x2)
    }
}

/// Spheres at the nearest points of both segments; parallel capsules touch at up to two pairs of points.
pub fn capsule_capsule(a: &Solid, b: &Solid, margin: f64, out: &mut ContactPoints) {
    let s = Segments::new(a, b);
    let det = s.ma * s.mc - s.mb * s.mb;
    let first = out.len();
    if det.abs() >= MINVAL {
        let (x1, x2) = s.nearest(det);
        let on_a = vec3::add(vec3::scale(s.axis1, x1), a.pos);
        let on_b = vec3::add(vec3::scale(s.axis2, x2), b.pos);
        sphere_sphere(&a.at(on_a), &b.at(on_b), margin, out);
        return;
    }
    // parallel: ends of the first against the second, then the other way round, until two points are found
    for (end, sign) in [(vec3::add(a.pos, s.axis1), -1.0), (vec3::sub(a.pos, s.axis1), 1.0)] {
        let x2 = clip((s.v + sign * s.mb) / s.mc, -1.0, 1.0);
        let on_b = vec3::add(vec3::scale(s.axis2, x2), b.pos);
        sphere_sphere(&a.at(end), &b.at(on_b), margin, out);
    }
    for (end, sign) in [(vec3::add(b.pos, s.axis2), -1.0), (vec3::sub(b.pos, s.axis2), 1.0)] {
        if out.len() - first >= 2 {
            return;
        }
        let x1 = clip((s.u + sign * s.mb) / s.ma, -1.0, 1.0);
        let on_a = vec3::add(vec3::scale(s.axis1, x1), a.pos);
        sphere_sphere(&a.at(on_a), &b.at(end), margin, out);
    }
}
