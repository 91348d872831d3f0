//! Rays against shapes: where a half line first meets a surface, and the surface normal there.

mod hfield;
mod primitive;
mod triangle;

pub use hfield::{HeightField, height_field};
pub use primitive::{box_faces, boxed, capsule, cylinder, ellipsoid, plane, sphere, sphere_distance};
pub use triangle::{PlaneBasis, triangle, triangle_normal};

use ligament_math::{Mat3, Vec3, mat3, vec3};

/// A half line: points `origin + t direction` with `t ≥ 0`. The direction need not be a unit vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: Vec3,
    /// Where it goes; distances are multiples of its length.
    pub direction: Vec3,
}

/// The nearest point of a surface along a ray.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// In multiples of the ray's direction.
    pub distance: f64,
    /// Outward unit normal of the surface, in the frame of the ray.
    pub normal: Vec3,
}

/// Where a shape is: position and orientation (columns are its axes).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
}

impl Ray {
    /// The point at a distance.
    #[inline]
    pub fn at(&self, t: f64) -> Vec3 {
        vec3::add_scaled(self.origin, self.direction, t)
    }

    /// Does it miss a ball by more than rounding? No where any number is none.
    #[inline]
    pub fn clearly_misses(&self, center: Vec3, radius: f64) -> bool {
        let offset = vec3::sub(center, self.origin);
        let (along, length2) = (vec3::dot(offset, self.direction), vec3::dot(self.direction, self.direction));
        let (reach2, offset2) = (radius * radius * (1.0 + 1e-9), vec3::dot(offset, offset) * (1.0 - 1e-12));
        // squares of distances from the line, times that of the direction's length
        let beside = offset2 * length2 - along * along > reach2 * length2;
        beside || (along < 0.0 && offset2 > reach2)
    }

    /// The same ray seen from a shape's frame; distances along it stay the same.
    #[inline]
    pub fn seen_from(&self, pose: &Pose) -> Ray {
        Ray {
            origin: mat3::mul_vec_t(&pose.mat, vec3::sub(self.origin, pose.pos)),
            direction: mat3::mul_vec_t(&pose.mat, self.direction),
        }
    }
}

/// Both real solutions of `a t² + 2 b t + c = 0` in increasing order.
#[inline]
fn quadratic(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || a < ligament_math::MINVAL {
        return None;
    }
    let root = discriminant.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

/// The smallest non-negative solution of `a t² + 2 b t + c = 0`.
#[inline]
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    quadratic(a, b, c)?.into_iter().find(|&t| t >= 0.0)
}

/// Does the ray meet an axis-aligned box (centre, half sizes) in the given frame? Slab test, Ericson 2005 §5.3.3.
#[inline]
pub fn meets_aabb(local: &Ray, aabb: &[f64; 6]) -> bool {
    let (mut near, mut far) = (0.0, f64::INFINITY);
    for i in 0..3 {
        let inverse = 1.0 / local.direction[i];
        let t1 = (aabb[i] - aabb[3 + i] - local.origin[i]) * inverse;
        let t2 = (aabb[i] + aabb[3 + i] - local.origin[i]) * inverse;
        let (low, high) = if t1 < t2 { (t1, t2) } else { (t2, t1) };
        near = if near > low { near } else { low };
        far = if far < high { far } else { high };
    }
    near < far
}
