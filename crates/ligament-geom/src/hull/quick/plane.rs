//! Planes of facets and distances to them.

use super::Quick;
use ligament_math::{Vec3, vec3};

impl Quick<'_> {
    /// Height of a point above a facet.
    pub(super) fn distance(&self, facet: u32, p: Vec3) -> f64 {
        let Some((n, offset)) = self.facet(facet).plane else { return f64::NEG_INFINITY };
        offset + p[0] * n[0] + p[1] * n[1] + p[2] * n[2]
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
        let height = self.distance(facet, mean);
        let normal = self.facet(facet).plane.map_or([0.0; 3], |(n, _)| n);
        let center = std::array::from_fn(|k| mean[k] - height * normal[k]);
        self.facet_mut(facet).center = Some(center);
        center
    }

    /// The plane of a triangle; notes whether it looks the wrong way.
    pub(super) fn set_plane(&mut self, facet: u32) {
        let f = self.facet(facet);
        let corners = [f.vertices[0], f.vertices[1], f.vertices[2]].map(|v| self.point(v));
        let mut plane = plane_of(corners, f.top);
        let [a, b, c] = corners;
        let off = |p: Vec3| {
            let (n, offset) = plane;
            let height = offset + (p[0] * n[0] + p[1] * n[1] + p[2] * n[2]);
            height.abs() > self.tolerance.round
        };
        if off(c) || off(b) {
            let (better, singular) = eliminate([vec3::sub(b, a), vec3::sub(c, a)], f.top, self.near_zero);
            let offset = -(a[0] * better[0]) - a[1] * better[1] - a[2] * better[2];
            plane = (better, offset);
            let inside = self.interior;
            if singular
                && offset + inside[0] * better[0] + inside[1] * better[1] + inside[2] * better[2] > 0.0
            {
                plane = (vec3::neg(better), -offset);
            }
        }
        self.facet_mut(facet).plane = Some(plane);
        if self.distance(facet, self.interior) >= -self.tolerance.round {
            self.facet_mut(facet).flipped = true;
        }
    }
}

fn plane_of([a, b, c]: [Vec3; 3], top: bool) -> (Vec3, f64) {
    let (u, v) = (vec3::sub(b, a), vec3::sub(c, a));
    let normal = unit(if top { vec3::cross(v, u) } else { vec3::cross(u, v) });
    (normal, -(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]))
}

fn unit(v: Vec3) -> Vec3 {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if length > 0.0 { v.map(|x| x / length) } else { [(1.0_f64 / 3.0).sqrt(); 3] }
}

/// Normal of two edges by Gaussian elimination with pivoting, for triangles whose determinant is poor; also
/// whether a pivot was too small to trust.
fn eliminate(mut rows: [Vec3; 2], top: bool, near_zero: [f64; 3]) -> (Vec3, bool) {
    let mut sign = top;
    let mut singular = false;
    if rows[1][0].abs() > rows[0][0].abs() {
        rows.swap(0, 1);
        sign = !sign;
    }
    if rows[0][0].abs() <= near_zero[0] {
        singular = true;
    }
    if rows[0][0] != 0.0 {
        let factor = rows[1][0] / rows[0][0];
        for k in 1..3 {
            rows[1][k] -= factor * rows[0][k];
        }
    }
    singular |= rows[1][1].abs() <= near_zero[1];
    for (k, row) in rows.iter().enumerate() {
        if row[k] < 0.0 {
            sign = !sign;
        }
    }
    let last = if sign { -1.0 } else { 1.0 };
    let mut normal = [0.0, 0.0, last];
    for i in [1, 0] {
        let sum = (i + 1..3).fold(0.0, |sum, k| sum - rows[i][k] * normal[k]);
        let value = sum / rows[i][i];
        if value.is_finite() {
            normal[i] = value;
        } else {
            singular = true;
            normal[i] = last;
            for x in &mut normal[i + 1..] {
                *x = 0.0;
            }
        }
    }
    (unit(normal), singular)
}
