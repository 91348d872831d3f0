//! Shadow maps: how far the light of a lamp reaches. Only the parts that the picture needs are computed.

use crate::matrix::{Mat4, Vec3, apply, mul};
use crate::raster::{Edge, edges};
use crate::vertex::{Camera, Triangles};
use std::collections::TryReserveError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Side of a part in texels.
const PART: usize = 32;
/// Largest side of a map in texels.
pub const LARGEST: usize = 32_768;
/// Depths are moved away from the light by this many times their slope, and by this many units.
const SLOPE_OFFSET: f64 = -1.5;
const UNIT_OFFSET: f64 = -4.0 / 16_777_216.0;

/// The depths that a light sees.
pub struct ShadowMap {
    size: usize,
    columns: usize,
    pub camera: Camera,
    matrix: Mat4,
    wanted: Vec<AtomicBool>,
    /// Place of a part in `depths`; `u32::MAX` when it was not wanted.
    slots: Vec<u32>,
    depths: Vec<f32>,
}

impl ShadowMap {
    pub fn new(size: usize, view: Mat4, projection: Mat4) -> Self {
        let columns = size.div_ceil(PART);
        let side = (size as f32 - 2.0).max(1.0); // a border that is always lit
        let camera = Camera { view, projection, viewport: [1.0, 1.0, side, side] };
        let bias = [[0.5, 0.0, 0.0, 0.5], [0.0, 0.5, 0.0, 0.5], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        Self {
            size,
            columns,
            camera,
            matrix: mul(&bias, &mul(&projection, &view)),
            wanted: (0..columns * columns).map(|_| AtomicBool::new(false)).collect(),
            slots: vec![u32::MAX; columns * columns],
            depths: Vec::new(),
        }
    }

    /// Texel of a point, and its depth.
    #[inline]
    fn find(&self, world: Vec3) -> (usize, usize, f32) {
        let [s, t, r, q] = apply(&self.matrix, world, 1.0);
        let inverse = 1.0 / q;
        let texel = |c: f32| ((c * inverse * self.size as f32).max(0.0) as usize).min(self.size - 1);
        (texel(s), texel(t), (r * inverse).clamp(0.0, 1.0))
    }

    /// Asks for the part that says whether a point is lit.
    #[inline]
    pub fn mark(&self, world: Vec3) {
        let (x, y, _) = self.find(world);
        let part = &self.wanted[y / PART * self.columns + x / PART];
        if !part.load(Ordering::Relaxed) {
            part.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the light reaches a point.
    #[inline]
    pub fn is_lit(&self, world: Vec3) -> bool {
        let (x, y, depth) = self.find(world);
        match self.slots[y / PART * self.columns + x / PART] {
            u32::MAX => true,
            slot => depth >= self.depths[slot as usize * PART * PART + y % PART * PART + x % PART],
        }
    }

    /// Makes room for all parts that were asked for; `memory` is what an earlier map used.
    pub fn prepare(&mut self, memory: Vec<f32>) -> Result<(), TryReserveError> {
        let mut count = 0;
        for (slot, wanted) in self.slots.iter_mut().zip(&mut self.wanted) {
            if *wanted.get_mut() {
                *slot = count;
                count += 1;
            }
        }
        let length = count as usize * PART * PART;
        self.depths = memory;
        self.depths.clear();
        self.depths.try_reserve_exact(length)?;
        self.depths.resize(length, 0.0);
        Ok(())
    }

    /// Draws triangles as the light sees them on all parts that were asked for.
    pub fn fill(&mut self, triangles: &Triangles, threads: usize) {
        // slots were numbered in the order of the parts
        let parts: Vec<usize> = (0..self.slots.len()).filter(|&i| self.slots[i] != u32::MAX).collect();
        let lists = self.sort(triangles, parts.len());
        let (columns, size) = (self.columns, self.size as i64);
        let queue = Mutex::new(self.depths.chunks_exact_mut(PART * PART).zip(&parts).zip(&lists));
        let work = || {
            loop {
                let next = queue.lock().map_or(None, |mut queue| queue.next());
                let Some(((depths, &part), list)) = next else { break };
                let origin = [(part % columns * PART) as i64, (part / columns * PART) as i64];
                for &triangle in list {
                    draw_depth(triangles, triangle as usize, origin, size, depths);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(parts.len().max(1)) {
                scope.spawn(work);
            }
            work();
        });
    }

    /// Gives its memory back.
    pub fn into_memory(self) -> Vec<f32> {
        self.depths
    }

    /// Triangles over each wanted part.
    fn sort(&self, triangles: &Triangles, parts: usize) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); parts];
        let last = self.columns as i64 - 1;
        for (i, triangle) in triangles.triangles.iter().enumerate() {
            let points = triangle.points.map(|p| &triangles.points[p as usize]);
            let part = |v: Option<i64>| (v.unwrap_or(0) >> 8).div_euclid(PART as i64).clamp(0, last) as usize;
            let range = |x: [i64; 3]| part(x.into_iter().min())..=part(x.into_iter().max());
            for y in range(points.map(|p| p.y)) {
                for x in range(points.map(|p| p.x)) {
                    let slot = self.slots[y * self.columns + x];
                    if slot != u32::MAX {
                        lists[slot as usize].push(i as u32);
                    }
                }
            }
        }
        lists
    }
}

/// Keeps the nearest depth of a triangle at the centres of texels.
fn draw_depth(triangles: &Triangles, index: usize, origin: [i64; 2], size: i64, depths: &mut [f32]) {
    let points = triangles.triangles[index].points.map(|p| &triangles.points[p as usize]);
    let corners = points.map(|p| [p.x - origin[0] * 256, p.y - origin[1] * 256]);
    let [a, b, c] = corners;
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if area <= 0 {
        return;
    }
    let range = |k: usize| {
        let low = corners.iter().map(|p| p[k]).min().unwrap_or(0);
        let high = corners.iter().map(|p| p[k]).max().unwrap_or(0);
        // the border stays lit
        let (first, last) = ((1 - origin[k]).max(0), (size - 1 - origin[k]).min(PART as i64));
        ((low >> 8).max(first), ((high >> 8) + 1).min(last))
    };
    let ((x0, x1), (y0, y1)) = (range(0), range(1));
    if x0 >= x1 || y0 >= y1 {
        return;
    }
    let inverse = 256.0 / area as f64;
    let [za, zb, zc] = points.map(|p| f64::from(p.z));
    let (d1, d2) = (zb - za, zc - za);
    let [a, b, c] = corners.map(|p| p.map(|x| x as f64));
    let dx = (d1 * (c[1] - a[1]) - d2 * (b[1] - a[1])) * inverse;
    let dy = (d2 * (b[0] - a[0]) - d1 * (c[0] - a[0])) * inverse;
    let offset = SLOPE_OFFSET * dx.abs().max(dy.abs()) + UNIT_OFFSET;
    let base = za - dx * (a[0] / 256.0 - 0.5) - dy * (a[1] / 256.0 - 0.5) + offset;
    let (dx, dy, base) = (dx as f32, dy as f32, base as f32);
    let sides = edges(corners);
    // least and greatest value of each edge over the texels
    let extremes = sides.map(|e| {
        let (dx, dy) = (e.a * 256 * (x1 - 1 - x0), e.b * 256 * (y1 - 1 - y0));
        let start = e.at(x0 * 256 + 128, y0 * 256 + 128);
        (start + dx.min(0) + dy.min(0), start + dx.max(0) + dy.max(0))
    });
    if extremes.iter().any(|(_, greatest)| *greatest < 0) {
        return;
    }
    let covered = extremes.iter().all(|(least, _)| *least >= 0);
    for y in y0..y1 {
        let found = if covered { Some((x0, x1)) } else { span(&sides, y, x0, x1) };
        let Some((first, last)) = found else { continue };
        let row = &mut depths[y as usize * PART..][first as usize..last as usize];
        let left = base + dy * y as f32 + dx * first as f32;
        for (i, depth) in row.iter_mut().enumerate() {
            *depth = depth.max((left + dx * i as f32).min(1.0));
        }
    }
}

/// Texels of a row whose centres are inside all edges.
fn span(sides: &[Edge; 3], y: i64, x0: i64, x1: i64) -> Option<(i64, i64)> {
    let (mut first, mut last) = (x0, x1);
    for edge in sides {
        let start = edge.at(128, y * 256 + 128);
        let step = edge.a * 256;
        match step.cmp(&0) {
            std::cmp::Ordering::Greater => first = first.max((-start + step - 1).div_euclid(step)),
            std::cmp::Ordering::Less => last = last.min(start.div_euclid(-step) + 1),
            std::cmp::Ordering::Equal if start < 0 => return None,
            std::cmp::Ordering::Equal => {}
        }
    }
    (first < last).then_some((first, last))
}
