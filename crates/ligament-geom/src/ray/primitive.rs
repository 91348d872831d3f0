//! Rays against primitive shapes.

use super::{Hit, Pose, Ray, first_root, quadratic};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Keeps the nearest of several candidates, first come first served on ties.
struct Nearest<T>(Option<(f64, T)>);

impl<T> Nearest<T> {
    fn offer(&mut self, distance: f64, what: T) {
        if self.0.as_ref().is_none_or(|(best, _)| distance < *best) {
            self.0 = Some((distance, what));
        }
    }
}

/// A plane is met from its front (positive z) only, and within its rendered rectangle if it has one.
pub fn plane(pose: &Pose, size: Vec3, ray: &Ray) -> Option<Hit> {
    let local = ray.seen_from(pose);
    if local.direction[2] > -MINVAL {
        return None;
    }
    let distance = -local.origin[2] / local.direction[2];
    if distance < 0.0 {
        return None;
    }
    let point = local.at(distance);
    let inside = |i: usize| size[i] <= 0.0 || point[i].abs() <= size[i];
    (inside(0) && inside(1)).then(|| Hit { distance, normal: mat3::col(&pose.mat, 2) })
}

/// Distance to a sphere given by its squared radius.
pub fn sphere_distance(center: Vec3, radius_squared: f64, ray: &Ray) -> Option<f64> {
    let offset = vec3::sub(ray.origin, center);
    let a = vec3::dot(ray.direction, ray.direction);
    let b = vec3::dot(ray.direction, offset);
    let c = vec3::dot(offset, offset) - radius_squared;
    first_root(a, b, c)
}

/// Where a ray meets a ball.
pub fn sphere(center: Vec3, radius: f64, ray: &Ray) -> Option<Hit> {
    let distance = sphere_distance(center, radius * radius, ray)?;
    Some(Hit { distance, normal: vec3::unit(vec3::sub(ray.at(distance), center)) })
}

/// Distance to the round side of an upright cylinder of half length `half`.
fn round_side(local: &Ray, radius: f64, half: f64) -> Option<f64> {
    let (o, d) = (local.origin, local.direction);
    let a = d[0] * d[0] + d[1] * d[1];
    let b = d[0] * o[0] + d[1] * o[1];
    let c = o[0] * o[0] + o[1] * o[1] - radius * radius;
    first_root(a, b, c).filter(|&t| (o[2] + t * d[2]).abs() <= half)
}

/// Capsule along z: radius, half length of the cylindrical part.
pub fn capsule(pose: &Pose, size: Vec3, ray: &Ray) -> Option<Hit> {
    let (radius, half) = (size[0], size[1]);
    let reach = radius + half;
    sphere_distance(pose.pos, reach * reach, ray)?;
    let local = ray.seen_from(pose);
    let (o, d) = (local.origin, local.direction);

    // centre of curvature along z, beyond the round side's: ±half for the caps
    let mut nearest = Nearest(None);
    if let Some(t) = round_side(&local, radius, half) {
        nearest.offer(t, 0.0);
    }
    let a = vec3::dot(d, d);
    for side in [1.0, -1.0] {
        let offset = [o[0], o[1], o[2] - side * half];
        let c = vec3::dot(offset, offset) - radius * radius;
        for t in quadratic(a, vec3::dot(d, offset), c).into_iter().flatten() {
            if t >= 0.0 && side * (o[2] + t * d[2]) >= half {
                nearest.offer(t, side);
            }
        }
    }
    let (distance, side) = nearest.0?;
    let point = local.at(distance);
    let along = if side == 0.0 { 0.0 } else { point[2] - side * half };
    let normal = mat3::mul_vec(&pose.mat, vec3::unit([point[0], point[1], along]));
    Some(Hit { distance, normal })
}

/// Where a ray meets an ellipsoid.
pub fn ellipsoid(pose: &Pose, size: Vec3, ray: &Ray) -> Option<Hit> {
    let local = ray.seen_from(pose);
    let (o, d) = (local.origin, local.direction);
    // (o + t d)ᵀ S (o + t d) = 1 with S = diag(1 / size²)
    let s = size.map(|x| 1.0 / (x * x));
    let form = |u: Vec3, v: Vec3| s[0] * u[0] * v[0] + s[1] * u[1] * v[1] + s[2] * u[2] * v[2];
    let distance = first_root(form(d, d), form(d, o), form(o, o) - 1.0)?;
    let point = local.at(distance);
    let gradient = vec3::unit([s[0] * point[0], s[1] * point[1], s[2] * point[2]]);
    Some(Hit { distance, normal: mat3::mul_vec(&pose.mat, gradient) })
}

/// Cylinder along z: radius, half length.
pub fn cylinder(pose: &Pose, size: Vec3, ray: &Ray) -> Option<Hit> {
    let (radius, half) = (size[0], size[1]);
    sphere_distance(pose.pos, radius * radius + half * half, ray)?;
    let local = ray.seen_from(pose);
    let (o, d) = (local.origin, local.direction);

    let mut nearest = Nearest(None);
    if d[2].abs() > MINVAL {
        for side in [-1.0, 1.0] {
            let t = (side * half - o[2]) / d[2];
            let (x, y) = (o[0] + t * d[0], o[1] + t * d[1]);
            if t >= 0.0 && x * x + y * y <= radius * radius {
                nearest.offer(t, side);
            }
        }
    }
    if let Some(t) = round_side(&local, radius, half) {
        nearest.offer(t, 0.0);
    }
    let (distance, side) = nearest.0?;
    let point = local.at(distance);
    let normal = if side == 0.0 { vec3::unit([point[0], point[1], 0.0]) } else { [0.0, 0.0, side] };
    Some(Hit { distance, normal: mat3::mul_vec(&pose.mat, normal) })
}

/// Distances to the six faces of a box (-x, +x, -y, +y, -z, +z); `None` where a face is missed.
pub fn box_faces(pose: &Pose, size: Vec3, ray: &Ray) -> [Option<f64>; 6] {
    let mut faces = [None; 6];
    if sphere_distance(pose.pos, vec3::dot(size, size), ray).is_none() {
        return faces;
    }
    let local = ray.seen_from(pose);
    for axis in (0..3).filter(|&i| local.direction[i].abs() > MINVAL) {
        let (u, v) = [(1, 2), (0, 2), (0, 1)][axis];
        for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
            let t = (side * size[axis] - local.origin[axis]) / local.direction[axis];
            let at = |i: usize| local.origin[i] + t * local.direction[i];
            if t >= 0.0 && at(u).abs() <= size[u] && at(v).abs() <= size[v] {
                faces[2 * axis + k] = Some(t);
            }
        }
    }
    faces
}

/// A box of the given half sizes.
pub fn boxed(pose: &Pose, size: Vec3, ray: &Ray) -> Option<Hit> {
    let mut nearest = Nearest(None);
    for (face, t) in box_faces(pose, size, ray).into_iter().enumerate() {
        if let Some(t) = t {
            nearest.offer(t, face);
        }
    }
    let (distance, face) = nearest.0?;
    let mut normal = [0.0; 3];
    normal[face / 2] = if face % 2 == 0 { -1.0 } else { 1.0 };
    Some(Hit { distance, normal: mat3::mul_vec(&pose.mat, normal) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPRIGHT: Pose = Pose { pos: [0.0; 3], mat: mat3::IDENTITY };

    fn down(x: f64, y: f64) -> Ray {
        Ray { origin: [x, y, 5.0], direction: [0.0, 0.0, -1.0] }
    }

    #[test]
    fn a_ray_from_above_meets_each_shape_on_top() {
        let size = [0.5, 1.0, 0.75];
        let hits = [
            (sphere([0.0; 3], 0.5, &down(0.0, 0.0)), 4.5),
            (capsule(&UPRIGHT, size, &down(0.0, 0.0)), 3.5),
            (cylinder(&UPRIGHT, size, &down(0.1, 0.1)), 4.0),
            (ellipsoid(&UPRIGHT, size, &down(0.0, 0.0)), 4.25),
            (boxed(&UPRIGHT, size, &down(0.2, 0.3)), 4.25),
            (plane(&UPRIGHT, [0.0; 3], &down(7.0, 7.0)), 5.0),
        ];
        for (hit, distance) in hits {
            let hit = hit.expect("a hit");
            assert!((hit.distance - distance).abs() < 1e-12);
            assert_eq!(hit.normal, [0.0, 0.0, 1.0]);
        }
    }

    #[test]
    fn a_plane_is_transparent_from_below_and_beyond_its_rectangle() {
        let up = Ray { origin: [0.0, 0.0, -1.0], direction: [0.0, 0.0, 1.0] };
        assert_eq!(plane(&UPRIGHT, [0.0; 3], &up), None);
        assert_eq!(plane(&UPRIGHT, [1.0, 1.0, 0.0], &down(2.0, 0.0)), None);
    }

    #[test]
    fn from_inside_a_box_the_far_face_is_met() {
        let hit =
            boxed(&UPRIGHT, [1.0; 3], &Ray { origin: [0.0; 3], direction: [0.0, 2.0, 0.0] }).expect("a hit");
        assert_eq!((hit.distance, hit.normal), (0.5, [0.0, 1.0, 0.0]));
    }
}
