//! Rays against height fields: a base box, a surface of triangles, and four side walls.

use super::primitive::{box_faces, boxed};
use super::triangle::{PlaneBasis, triangle, triangle_normal};
use super::{Hit, Pose, Ray};
use ligament_math::{Vec3, mat3, vec3};

/// A grid of normalised heights over the rectangle ±`size[0]` × ±`size[1]`.
#[derive(Debug, Clone, Copy)]
pub struct HeightField<'a> {
    /// Points along y.
    pub nrow: usize,
    /// Points along x.
    pub ncol: usize,
    /// Half extents, height of the value 1, depth of the base below zero.
    pub size: [f64; 4],
    /// Heights by row (y), then column (x).
    pub data: &'a [f32],
}

impl HeightField<'_> {
    fn spacing(&self) -> (f64, f64) {
        (2.0 * self.size[0] / (self.ncol as f64 - 1.0), 2.0 * self.size[1] / (self.nrow as f64 - 1.0))
    }

    fn height(&self, row: usize, col: usize) -> f64 {
        f64::from(self.data[row * self.ncol + col])
    }

    fn vertex(&self, row: usize, col: usize) -> Vec3 {
        let (dx, dy) = self.spacing();
        [dx * col as f64 - self.size[0], dy * row as f64 - self.size[1], self.height(row, col) * self.size[2]]
    }

    /// Is a point of side wall `face` (-x, +x, -y, +y) below the surface's edge?
    fn wall_covers(&self, face: usize, point: Vec3) -> bool {
        let (dx, dy) = self.spacing();
        let (along, count) = if face < 2 {
            ((point[1] + self.size[1]) / dy, self.nrow)
        } else {
            ((point[0] + self.size[0]) / dx, self.ncol)
        };
        let first = along.floor().min(count as f64 - 2.0).max(0.0);
        let at = |k: usize| match face {
            0 => self.height(k, 0),
            1 => self.height(k, self.ncol - 1),
            2 => self.height(0, k),
            _ => self.height(self.nrow - 1, k),
        };
        let (z0, z1) = (at(first as usize), at(first as usize + 1));
        point[2] / self.size[2] < z0 * (first + 1.0 - along) + z1 * (along - first)
    }
}

/// Where a ray meets a height field.
pub fn height_field(field: &HeightField<'_>, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let size = field.size;
    let up = mat3::col(&pose.mat, 2);
    let slab = |offset: f64| Pose { pos: vec3::add_scaled(pose.pos, up, offset), mat: pose.mat };
    let base = boxed(&slab(-size[3] * 0.5), [size[0], size[1], size[3] * 0.5], ray);
    let top = box_faces(&slab(size[2] * 0.5), [size[0], size[1], size[2] * 0.5], ray);
    let Some(entry) = top.iter().flatten().copied().reduce(f64::min) else {
        return base;
    };

    let local = ray.seen_from(pose);
    let mut best = base.map(|hit| (hit.distance, mat3::mul_vec_t(&pose.mat, hit.normal)));
    nearest_triangle(field, &local, segment(&top, entry), &mut best);
    for (face, t) in top.iter().take(4).enumerate() {
        let Some(t) = *t else { continue };
        if best.is_none_or(|(distance, _)| t < distance) && field.wall_covers(face, local.at(t)) {
            let mut normal = [0.0; 3];
            normal[face / 2] = if face % 2 == 0 { -1.0 } else { 1.0 };
            best = Some((t, normal));
        }
    }
    best.map(|(distance, normal)| Hit { distance, normal: mat3::mul_vec(&pose.mat, normal) })
}

/// The stretch of the ray inside the top box: from its origin when it starts inside.
fn segment(top: &[Option<f64>; 6], entry: f64) -> [f64; 2] {
    let mut segment = [0.0, entry];
    for &t in top.iter().flatten() {
        if t > segment[1] {
            segment = [entry, t];
        }
    }
    segment
}

/// Seen from above, does the line of the ray pass by a cell? The line is across the cell's centre at most as far as its
/// corners reach; a little more counts as a hit, so that rounding cannot lose one.
#[inline]
fn passes_by(field: &HeightField<'_>, local: &Ray, row: usize, col: usize, (dx, dy): (f64, f64)) -> bool {
    let x = dx * (col as f64 + 0.5) - field.size[0] - local.origin[0];
    let y = dy * (row as f64 + 0.5) - field.size[1] - local.origin[1];
    let [along_x, along_y, _] = local.direction;
    let reach = 0.5 * (dx * along_y.abs() + dy * along_x.abs());
    (x * along_y - y * along_x).abs() > 1.001 * reach
}

/// Tests the triangles of the cells below the segment, with one cell of padding.
fn nearest_triangle(field: &HeightField<'_>, local: &Ray, segment: [f64; 2], best: &mut Option<(f64, Vec3)>) {
    let (dx, dy) = field.spacing();
    let cells = |axis: usize, step: f64, count: usize| {
        let ends =
            segment.map(|t| (local.origin[axis] + t * local.direction[axis] + field.size[axis]) / step);
        let low = (ends[0].min(ends[1]).floor() - 1.0).max(0.0) as usize;
        let high = (ends[0].max(ends[1]).ceil() + 1.0).clamp(0.0, count as f64 - 1.0) as usize;
        low..high
    };
    let basis = PlaneBasis::new(local.direction);
    let misses = |row: usize, col: usize| passes_by(field, local, row, col, (dx, dy));
    let (rows, cols) = (cells(1, dy, field.nrow), cells(0, dx, field.ncol));
    for row in rows {
        for col in cols.clone().filter(|&col| !misses(row, col)) {
            let (v00, v11) = (field.vertex(row, col), field.vertex(row + 1, col + 1));
            let lower = [v00, field.vertex(row, col + 1), v11];
            let upper = [v00, v11, field.vertex(row + 1, col)];
            for vertices in [lower, upper] {
                if let Some(t) = triangle(&vertices, local, &basis)
                    && t >= 0.0
                    && best.is_none_or(|(distance, _)| t < distance)
                {
                    *best = Some((t, triangle_normal(&vertices)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Leaving out the cells a ray passes by changes no hit: the triangles of all cells give the same distance.
    #[test]
    fn skipped_cells_hold_no_hit() {
        let data: Vec<f32> = (0..12 * 9).map(|i| 0.5 + 0.5 * (i as f32 * 1.7).sin()).collect();
        let field = HeightField { nrow: 9, ncol: 12, size: [1.2, 0.8, 0.5, 0.1], data: &data };
        let mut hits = 0;
        for k in 0..500 {
            let at = |s: f64| (f64::from(k) * s).sin();
            let origin = [1.5 * at(0.7), 1.1 * at(1.3), 0.7 + 0.3 * at(2.1)];
            // every fifth ray runs along the grid
            let across = if k % 5 == 0 { 0.0 } else { at(0.9) };
            let ray = Ray { origin, direction: [at(0.3), across, -0.4 + 0.3 * at(3.7)] };
            let basis = PlaneBasis::new(ray.direction);
            let mut nearest: Option<f64> = None;
            for (row, col) in (0..8).flat_map(|row| (0..11).map(move |col| (row, col))) {
                let (a, c) = (field.vertex(row, col), field.vertex(row + 1, col + 1));
                for corners in [[a, field.vertex(row, col + 1), c], [a, c, field.vertex(row + 1, col)]] {
                    if let Some(t) = triangle(&corners, &ray, &basis).filter(|&t| t >= 0.0) {
                        nearest = Some(nearest.map_or(t, |best| best.min(t)));
                    }
                }
            }
            let mut found = None;
            nearest_triangle(&field, &ray, [0.0, 20.0], &mut found);
            assert_eq!(found.map(|(t, _)| t), nearest, "ray {k}");
            hits += usize::from(nearest.is_some());
        }
        assert!(hits > 100, "{hits}");
    }
}
