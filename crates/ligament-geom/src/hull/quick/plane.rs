//! Planes of facets and heights above them.

use super::Surface;
use ligament_math::{Vec3, vec3};

impl Surface<'_> {
    /// Height of a point above a facet.
    pub(super) fn height(&self, facet: u32, p: Vec3) -> f64 {
        self.facet(facet).plane.map_or(f64::NEG_INFINITY, |plane| height(plane, p))
    }

    pub(super) fn cosine(&self, a: u32, b: u32) -> f64 {
        match (self.facet(a).plane, self.facet(b).plane) {
            (Some((m, _)), Some((n, _))) => vec3::dot(m, n),
            _ => 1.0,
        }
    }

    pub(super) fn mean(&self, vertices: &[u32]) -> Vec3 {
        let count = vertices.len() as f64;
        std::array::from_fn(|k| vertices.iter().fold(0.0, |sum, v| sum + self.point(*v)[k]) / count)
    }

    /// The middle of a facet's vertices, projected into its plane.
    pub(super) fn center(&mut self, facet: u32) -> Vec3 {
        if let Some(center) = self.facet(facet).center {
            return center;
        }
        let mean = self.mean(&self.facet(facet).vertices);
        let height = self.height(facet, mean);
        let normal = self.facet(facet).plane.map_or([0.0; 3], |(n, _)| n);
        let center = std::array::from_fn(|k| mean[k] - height * normal[k]);
        self.facet_mut(facet).center = Some(center);
        center
    }

    /// The plane of a triangle; notes whether it looks inwards.
    pub(super) fn set_plane(&mut self, facet: u32) {
        let f = self.facet(facet);
        let [a, b, c] = [f.vertices[0], f.vertices[1], f.vertices[2]].map(|v| self.point(v));
        let (u, v) = (vec3::sub(b, a), vec3::sub(c, a));
        let normal = unit(if f.mirrored { vec3::cross(v, u) } else { vec3::cross(u, v) });
        let mut plane = (normal, -(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]));
        let misses = |p: Vec3| {
            let (n, offset) = plane;
            let height = offset + (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
            height.abs() > self.tolerance.round
        };
        if misses(b) || misses(c) {
            plane = self.careful_plane(a, [u, v], f.mirrored);
        }
        self.facet_mut(facet).plane = Some(plane);
        if self.height(facet, self.interior) >= -self.tolerance.round {
            self.facet_mut(facet).flipped = true;
        }
    }

    /// The plane of a triangle whose cross product is poor. Without a trusted sign the interior is below.
    fn careful_plane(&self, corner: Vec3, edges: [Vec3; 2], mirrored: bool) -> (Vec3, f64) {
        let (normal, trusted) = null_direction(edges, mirrored, self.near_zero);
        let offset = -(corner[0] * normal[0]) - corner[1] * normal[1] - corner[2] * normal[2];
        if !trusted && height((normal, offset), self.interior) > 0.0 {
            return (vec3::neg(normal), -offset);
        }
        (normal, offset)
    }
}

fn height((n, offset): (Vec3, f64), p: Vec3) -> f64 {
    offset + p[0] * n[0] + p[1] * n[1] + p[2] * n[2]
}

fn unit(v: Vec3) -> Vec3 {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if length > 0.0 { v.map(|x| x / length) } else { [(1.0_f64 / 3.0).sqrt(); 3] }
}

/// The unit vector across two rows, by Gaussian elimination with partial pivoting, on the side that the handedness
/// says; and whether all pivots were clearly different from zero.
fn null_direction([mut p, mut q]: [Vec3; 2], mirrored: bool, near_zero: [f64; 3]) -> (Vec3, bool) {
    let mut negative = mirrored;
    if q[0].abs() > p[0].abs() {
        (p, q) = (q, p);
        negative = !negative;
    }
    let mut trusted = !(p[0].abs() <= near_zero[0]);
    if p[0] != 0.0 {
        let factor = q[0] / p[0];
        q[1] -= factor * p[1];
        q[2] -= factor * p[2];
    }
    trusted &= !(q[1].abs() <= near_zero[1]);
    negative ^= (p[0] < 0.0) ^ (q[1] < 0.0);

    // back substitution from z = ±1; a coordinate that is no number replaces those found before it
    let z = if negative { -1.0 } else { 1.0 };
    let mut normal = [0.0, 0.0, z];
    normal[1] = (0.0 - q[2] * z) / q[1];
    if !normal[1].is_finite() {
        trusted = false;
        normal = [0.0, z, 0.0];
    }
    normal[0] = (0.0 - p[1] * normal[1] - p[2] * normal[2]) / p[0];
    if !normal[0].is_finite() {
        trusted = false;
        normal = [z, 0.0, 0.0];
    }
    (unit(normal), trusted)
}
