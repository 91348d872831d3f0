//! Cylinder against plane and sphere.

use super::plane::plane_sphere;
use super::sphere::sphere_sphere;
use crate::contact::{ContactPoint, ContactPoints};
use crate::shape::Solid;
use ligament_math::{Mat3, mat3, vec3};

/// Squared sine of the angle between cylinder axis and plane normal below which the disk counts as parallel.
/// The reference compares with 1e-30: there the direction to the lowest rim point is rounding noise, which can tilt
/// the rim out of the disk and report contacts well above the plane.
const PARALLEL: f64 = 1e-24;

/// The lowest rim point, the point above it on the other disk, and two more that complete a triangle on the lower disk.
pub fn plane_cylinder(plane: &Solid, cylinder: &Solid, margin: f64, out: &mut ContactPoints) {
    let normal = plane.axis();
    let (radius, half) = (cylinder.size[0], cylinder.size[1]);

    // axis towards the plane
    let mut axis = cylinder.axis();
    let mut prj_axis = vec3::dot(normal, axis);
    if prj_axis > 0.0 {
        axis = vec3::scale(axis, -1.0);
        prj_axis = -prj_axis;
    }
    let dist0 = vec3::dot(vec3::sub(cylinder.pos, plane.pos), normal);

    // from the axis to the lowest rim point: -normal without its part along the axis
    let mut rim = vec3::sub(vec3::scale(axis, prj_axis), normal);
    let len_sqr = vec3::dot(rim, rim);
    rim = if len_sqr >= PARALLEL {
        vec3::scale(rim, radius / len_sqr.sqrt())
    } else {
        vec3::scale(mat3::col(cylinder.mat, 0), radius)
    };
    let prj_rim = vec3::dot(rim, normal);
    axis = vec3::scale(axis, half);
    prj_axis *= half;

    let mut add = |dist: f64, on_surface| {
        out.push(ContactPoint::new(dist, vec3::add_scaled(on_surface, normal, -dist * 0.5), normal));
    };
    let lowest = dist0 + prj_axis + prj_rim;
    if lowest > margin || lowest.is_nan() {
        return;
    }
    add(lowest, vec3::add(vec3::add(cylinder.pos, rim), axis));

    let above = dist0 - prj_axis + prj_rim;
    if above <= margin {
        add(above, vec3::sub(vec3::add(cylinder.pos, rim), axis));
    }

    let side = dist0 + prj_axis - prj_rim * 0.5;
    if side <= margin {
        let sideways = vec3::scale(vec3::unit(vec3::cross(rim, axis)), radius * 3.0_f64.sqrt() / 2.0);
        for point in [vec3::add(cylinder.pos, sideways), vec3::sub(cylinder.pos, sideways)] {
            add(side, vec3::add_scaled(vec3::add(point, axis), rim, -0.5));
        }
    }
}

/// Nearest feature of the cylinder: wall (as sphere around the axis), cap (as plane) or rim (as point).
pub fn sphere_cylinder(sphere: &Solid, cylinder: &Solid, margin: f64, out: &mut ContactPoints) {
    let (radius, half) = (cylinder.size[0], cylinder.size[1]);
    let axis = cylinder.axis();
    let offset = vec3::sub(sphere.pos, cylinder.pos);
    let x = vec3::dot(axis, offset);
    let along = vec3::scale(axis, x);
    let radial = vec3::sub(offset, along);
    let radial_sqr = vec3::dot(radial, radial);

    let mut wall = x.abs() < half;
    let mut cap = radial_sqr < radius * radius;
    if wall && cap {
        // centre inside: the nearer of both
        if half - x.abs() < radius - radial_sqr.sqrt() {
            wall = false;
        } else {
            cap = false;
        }
    }
    if wall {
        sphere_sphere(sphere, &cylinder.at(vec3::add(along, cylinder.pos)), margin, out);
    } else if cap {
        let (mat, height) = if x > 0.0 { (*cylinder.mat, half) } else { (flipped(cylinder.mat), -half) };
        let plane =
            Solid { pos: vec3::add_scaled(cylinder.pos, axis, height), mat: &mat, size: cylinder.size };
        let first = out.len();
        plane_sphere(&plane, sphere, margin, out);
        for point in &mut out[first..] {
            point.normal = vec3::scale(point.normal, -1.0);
        }
    } else {
        let rim = vec3::scale(radial, radius / radial_sqr.sqrt());
        let end = vec3::scale(axis, if x > 0.0 { half } else { -half });
        let corner = vec3::add(vec3::add(end, rim), cylinder.pos);
        let point = Solid { pos: corner, mat: cylinder.mat, size: [0.0; 3] };
        sphere_sphere(sphere, &point, margin, out);
    }
}

/// The frame turned about its y axis by a half turn.
fn flipped(m: &Mat3) -> Mat3 {
    [-m[0], m[1], -m[2], -m[3], m[4], -m[5], -m[6], m[7], -m[8]]
}
