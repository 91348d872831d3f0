//! Rays against triangles, by projection along the ray.

use super::Ray;
use ligament_math::{MINVAL, Vec3, vec3};

/// Two unit vectors that span the plane normal to a ray.
#[derive(Debug, Clone, Copy)]
pub struct PlaneBasis(Vec3, Vec3);

impl PlaneBasis {
    /// A basis of the plane across a direction.
    pub fn new(direction: Vec3) -> Self {
        let magnitude = direction.map(f64::abs);
        let dominant = if magnitude[0] >= magnitude[1] && magnitude[0] >= magnitude[2] {
            0
        } else if magnitude[1] >= magnitude[2] {
            1
        } else {
            2
        };
        let mut seed = [1.0; 3];
        seed[dominant] = 0.0;
        let along = -vec3::dot(direction, seed) / vec3::dot(direction, direction);
        let second = vec3::unit(vec3::add_scaled(seed, direction, along));
        Self(vec3::unit(vec3::cross(second, direction)), second)
    }
}

/// Signed distance along the ray at which it crosses a triangle; negative when the triangle lies behind.
pub fn triangle(vertices: &[Vec3; 3], ray: &Ray, basis: &PlaneBasis) -> Option<f64> {
    let planar = vertices.map(|v| {
        let offset = vec3::sub(v, ray.origin);
        [vec3::dot(basis.0, offset), vec3::dot(basis.1, offset)]
    });
    for axis in 0..2 {
        let p = planar.map(|p| p[axis]);
        if p.iter().all(|&x| x > 0.0) || p.iter().all(|&x| x < 0.0) {
            return None;
        }
    }
    // barycentric coordinates of the ray in the projected triangle: [p0-p2, p1-p2] t = -p2
    let [p0, p1, p2] = planar;
    let (a, b, c, d) = (p0[0] - p2[0], p1[0] - p2[0], p0[1] - p2[1], p1[1] - p2[1]);
    let det = a * d - b * c;
    if det.abs() < MINVAL {
        return None;
    }
    let t0 = (d * -p2[0] - b * -p2[1]) / det;
    let t1 = (-c * -p2[0] + a * -p2[1]) / det;
    if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
        return None;
    }
    let normal = normal_direction(vertices);
    let approach = vec3::dot(ray.direction, normal);
    if approach.abs() < MINVAL {
        return None;
    }
    Some(-vec3::dot(vec3::sub(ray.origin, vertices[2]), normal) / approach)
}

fn normal_direction(v: &[Vec3; 3]) -> Vec3 {
    vec3::cross(vec3::sub(v[0], v[2]), vec3::sub(v[1], v[2]))
}

/// Unit normal by the right-hand rule.
pub fn triangle_normal(vertices: &[Vec3; 3]) -> Vec3 {
    vec3::unit(normal_direction(vertices))
}
