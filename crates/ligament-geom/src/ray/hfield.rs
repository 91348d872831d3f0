//! Rays against height fields: a base box, a surface of triangles, and four side walls.

use super::primitive::{box_faces, boxed};
use super::triangle::{PlaneBasis, triangle, triangle_normal};
use super::{Hit, Pose, Ray};
use ligament_math::{MINVAL, Vec3, mat3, vec3};
use std::ops::Range;

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

/// Cells count as crossed up to this part of their size beyond their borders, so that rounding cannot lose a hit.
const PADDING: f64 = 1e-3;

/// A ray over the grid: seen from above in units of cells, so that cell `i` of an axis reaches from `i` to `i + 1`.
struct Crossing {
    origin: [f64; 2],
    direction: [f64; 2],
    /// Time to cross a cell; `None` where the ray runs along the cells.
    duration: [Option<f64>; 2],
    /// Cells that the stretch may be over, by axis.
    cells: [Range<usize>; 2],
}

impl Crossing {
    /// Cells below a stretch of the ray, with one cell of padding.
    fn new(field: &HeightField<'_>, local: &Ray, segment: [f64; 2]) -> Self {
        let (dx, dy) = field.spacing();
        let origin = [(local.origin[0] + field.size[0]) / dx, (local.origin[1] + field.size[1]) / dy];
        let direction = [local.direction[0] / dx, local.direction[1] / dy];
        let duration = direction.map(|x| (x.abs() >= MINVAL).then_some(1.0 / x));
        let cells = |axis: usize, count: usize| {
            let ends = segment.map(|t| origin[axis] + t * direction[axis]);
            let low = (ends[0].min(ends[1]).floor() - 1.0).max(0.0) as usize;
            let high = (ends[0].max(ends[1]).ceil() + 1.0).clamp(0.0, count as f64 - 1.0) as usize;
            low..high
        };
        Self { origin, direction, duration, cells: [cells(0, field.ncol), cells(1, field.nrow)] }
    }

    /// From when to when the ray's line is over cell `index` of an axis; always or never where it runs along the cells.
    #[inline]
    fn times(&self, axis: usize, index: usize) -> [f64; 2] {
        let low = index as f64 - PADDING - self.origin[axis];
        let high = low + 1.0 + 2.0 * PADDING;
        match self.duration[axis] {
            Some(duration) if duration > 0.0 => [low * duration, high * duration],
            Some(duration) => [high * duration, low * duration],
            None if low <= 0.0 && high >= 0.0 => [f64::NEG_INFINITY, f64::INFINITY],
            None => [f64::INFINITY, f64::NEG_INFINITY],
        }
    }

    /// Columns that the line crosses while it is over a row.
    fn columns(&self, [from, to]: [f64; 2]) -> Range<usize> {
        let all = self.cells[0].clone();
        if from > to || from.is_nan() {
            return all.start..all.start;
        }
        if self.duration[0].is_none() || from.is_infinite() {
            return all;
        }
        let ends = [from, to].map(|t| self.origin[0] + t * self.direction[0]);
        let low = (ends[0].min(ends[1]) - PADDING).max(all.start as f64) as usize;
        let high = (ends[0].max(ends[1]) + 1.0 + PADDING).min(all.end as f64) as usize;
        low..high.max(low)
    }
}

/// Does the ray stay above or below all of a cell's corners while it is over it?
#[inline]
fn passes_over(field: &HeightField<'_>, local: &Ray, corners: [f64; 4], [from, to]: [f64; 2]) -> bool {
    let ends = [from, to].map(|t| local.origin[2] + t * local.direction[2]);
    let slack = PADDING * field.size[2].max(1e-6 * local.origin[2].abs());
    let (low, high) = (ends[0].min(ends[1]) - slack, ends[0].max(ends[1]) + slack);
    let [a, b, c, d] = corners;
    a.max(b).max(c.max(d)) < low || a.min(b).min(c.min(d)) > high
}

/// Tests the triangles of the cells that the ray crosses at their height.
fn nearest_triangle(field: &HeightField<'_>, local: &Ray, segment: [f64; 2], best: &mut Option<(f64, Vec3)>) {
    let crossing = Crossing::new(field, local, segment);
    let basis = PlaneBasis::new(local.direction);
    for row in crossing.cells[1].clone() {
        let over_row = crossing.times(1, row);
        for col in crossing.columns(over_row) {
            let over_col = crossing.times(0, col);
            let over_cell = [over_row[0].max(over_col[0]), over_row[1].min(over_col[1])];
            let corners = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
            let heights = corners.map(|(row, col)| field.height(row, col) * field.size[2]);
            if passes_over(field, local, heights, over_cell) {
                continue;
            }
            let [v00, v01, v10, v11] = corners.map(|(row, col)| field.vertex(row, col));
            for vertices in [[v00, v01, v11], [v00, v11, v10]] {
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
        for k in 0..3000 {
            let at = |s: f64| (f64::from(k) * s).sin();
            let origin = [1.5 * at(0.7), 1.1 * at(1.3), 0.7 + 0.3 * at(2.1)];
            // every fifth ray runs along the rows, every seventh along the columns, some upright
            let along = if k % 7 == 0 { 0.0 } else { at(0.3) };
            let across = if k % 5 == 0 { 0.0 } else { at(0.9) };
            let ray = Ray { origin, direction: [along, across, -0.4 + 0.3 * at(3.7)] };
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
        assert!(hits > 500, "{hits}");
    }
}
