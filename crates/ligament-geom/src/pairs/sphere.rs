//! Sphere against sphere, capsule and box.

use crate::contact::{ContactPoint, ContactPoints};
use crate::shape::Solid;
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Spheres around two points; also the last step of every pair that reduces to nearest points.
/// Coincident centres: the normal is the cross product of the z axes, or the x axis when those are parallel.
#[inline]
pub fn sphere_sphere(a: &Solid, b: &Solid, margin: f64, out: &mut ContactPoints) {
    let (ra, rb) = (a.size[0], b.size[0]);
    let offset = vec3::sub(a.pos, b.pos);
    let dist_sqr = vec3::dot(offset, offset);
    let reach = margin + ra + rb;
    if dist_sqr > reach * reach {
        return;
    }
    let dist = dist_sqr.sqrt() - ra - rb;
    let mut normal = vec3::sub(b.pos, a.pos);
    if vec3::normalize(&mut normal) < MINVAL {
        normal = vec3::unit(vec3::cross(a.axis(), b.axis()));
    }
    let pos = vec3::add(vec3::scale(normal, ra + dist / 2.0), a.pos);
    out.push(ContactPoint::new(dist, pos, normal));
}

/// Sphere against the nearest point of the capsule's segment.
pub fn sphere_capsule(sphere: &Solid, capsule: &Solid, margin: f64, out: &mut ContactPoints) {
    let (axis, half) = (capsule.axis(), capsule.size[1]);
    let x = clip(vec3::dot(axis, vec3::sub(sphere.pos, capsule.pos)), -half, half);
    let nearest = vec3::add(vec3::scale(axis, x), capsule.pos);
    sphere_sphere(sphere, &capsule.at(nearest), margin, out);
}

/// Clamps to an interval; unlike `f64::clamp` it accepts any bounds.
#[inline]
pub(super) fn clip(x: f64, min: f64, max: f64) -> f64 {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// Nearest point of the box, or the nearest face when the centre is inside.
pub fn sphere_box(sphere: &Solid, cuboid: &Solid, margin: f64, out: &mut ContactPoints) {
    let radius = sphere.size[0];
    let center = mat3::mul_vec_t(cuboid.mat, vec3::sub(sphere.pos, cuboid.pos));
    let clamped: Vec3 = std::array::from_fn(|k| {
        // a box flat in this direction is not clamped
        if cuboid.size[k] > 0.0 { clip(center[k], -cuboid.size[k], cuboid.size[k]) } else { center[k] }
    });
    let mut toward = vec3::sub(clamped, center);
    let dist = vec3::normalize(&mut toward);
    if dist - radius > margin {
        return;
    }
    let (depth, local_pos, local_normal) = if dist <= MINVAL {
        let (closest, nearest) = nearest_face(center, cuboid.size);
        (-closest, vec3::add_scaled(center, nearest, (radius - closest) / 2.0), nearest)
    } else {
        let deepest = vec3::add_scaled(center, toward, radius);
        let half = vec3::scale(clamped, 0.5);
        (dist, vec3::add_scaled(half, deepest, 0.5), toward)
    };
    let normal = mat3::mul_vec(cuboid.mat, local_normal);
    let pos = vec3::add(mat3::mul_vec(cuboid.mat, local_pos), cuboid.pos);
    out.push(ContactPoint::new(depth - radius, pos, normal));
}

/// Distance from an inner point to the nearest face of a box, and the direction from the face inwards.
fn nearest_face(center: Vec3, size: Vec3) -> (f64, Vec3) {
    let mut closest = (size[0] + size[1] + size[2]) * 2.0;
    let mut face = 0;
    for i in 0..6 {
        let sign = if i % 2 == 1 { 1.0 } else { -1.0 };
        let dist = (sign * size[i / 2] - center[i / 2]).abs();
        if closest > dist {
            closest = dist;
            face = i;
        }
    }
    let mut inward = [0.0; 3];
    inward[face / 2] = if face % 2 == 1 { -1.0 } else { 1.0 };
    (closest, inward)
}
