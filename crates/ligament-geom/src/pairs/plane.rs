//! Infinite plane (normal: local z) against sphere, capsule and box.

use crate::contact::{ContactPoint, ContactPoints};
use crate::shape::{Solid, box_corner};
use ligament_math::{mat3, vec3};

/// The lowest point of the sphere.
#[inline]
pub fn plane_sphere(plane: &Solid, sphere: &Solid, margin: f64, out: &mut ContactPoints) {
    let (normal, radius) = (plane.axis(), sphere.size[0]);
    let center_dist = vec3::dot(vec3::sub(sphere.pos, plane.pos), normal);
    if center_dist > margin + radius {
        return;
    }
    let dist = center_dist - radius;
    let pos = vec3::add(sphere.pos, vec3::scale(normal, -dist / 2.0 - radius));
    out.push(ContactPoint::new(dist, pos, normal));
}

/// Both end spheres; the first tangent follows the axis of the capsule.
#[inline]
pub fn plane_capsule(plane: &Solid, capsule: &Solid, margin: f64, out: &mut ContactPoints) {
    let axis = capsule.axis();
    let segment = vec3::scale(axis, capsule.size[1]);
    let first = out.len();
    plane_sphere(plane, &capsule.at(vec3::add(capsule.pos, segment)), margin, out);
    plane_sphere(plane, &capsule.at(vec3::sub(capsule.pos, segment)), margin, out);
    for point in &mut out[first..] {
        point.tangent = axis;
    }
}

/// The corners that point down, at most four, in the order of their numbers.
pub fn plane_box(plane: &Solid, cuboid: &Solid, margin: f64, out: &mut ContactPoints) {
    let normal = plane.axis();
    let center_dist = vec3::dot(vec3::sub(cuboid.pos, plane.pos), normal);
    let first = out.len();
    for i in 0..8 {
        let corner = mat3::mul_vec(cuboid.mat, box_corner(cuboid.size, i));
        let corner_dist = vec3::dot(normal, corner);
        if center_dist + corner_dist > margin || corner_dist > 0.0 {
            continue;
        }
        let dist = center_dist + corner_dist;
        let pos = vec3::add(vec3::add(corner, cuboid.pos), vec3::scale(normal, -dist / 2.0));
        out.push(ContactPoint::new(dist, pos, normal));
        if out.len() - first >= 4 {
            return;
        }
    }
}
