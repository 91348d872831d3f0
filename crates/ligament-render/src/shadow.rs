//! Shadow maps: how far the light of a lamp reaches. Only the texels that the picture looks at are computed, each of them
//! against the triangles above it (the irregular z-buffer of Johnson, Lee, Burns and Mark 2005), so that a map costs what
//! the picture needs and not what its size asks for.

use crate::lanes::{LANES, Lanes};
use crate::matrix::{Mat4, Vec4, mul};
use crate::raster::{Edge, Setup};
use crate::span::Plane;
use crate::vertex::{Camera, Triangles};
use std::collections::TryReserveError;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Side of a part in texels: a row of it is a word of bits.
const PART: usize = 32;
/// Largest side of a map in texels.
pub const LARGEST: usize = 32_768;
/// Depths are moved away from the light by this many times their slope, and by this many units, as in MuJoCo 3.5.0 where
/// depths run from 1 to 0; its maps have 24 bits.
const SLOPE_OFFSET: f64 = -1.5;
const UNIT_OFFSET: f64 = -4.0 / 16_777_216.0;

/// What maps keep from picture to picture.
#[derive(Debug, Default)]
pub struct Memory {
    /// Bits of the texels that are wanted: a word for each row of each part, all of them zero between pictures.
    texels: Vec<AtomicU32>,
    /// Whether a part has wanted texels.
    parts: Vec<AtomicBool>,
    /// Place of a part in `depths`; `u32::MAX` when it is not wanted.
    slots: Vec<u32>,
    depths: Vec<f32>,
}

/// The depths that a light sees.
pub struct ShadowMap {
    size: usize,
    columns: usize,
    pub camera: Camera,
    /// From the world to texture coordinates and depth.
    pub(crate) matrix: Mat4,
    memory: Memory,
}

impl Memory {
    fn fit(&mut self, parts: usize) -> Result<(), TryReserveError> {
        if self.parts.len() != parts {
            *self = Self::default();
            self.texels.try_reserve_exact(parts * PART)?;
            self.texels.resize_with(parts * PART, AtomicU32::default);
            self.parts.resize_with(parts, AtomicBool::default);
            self.slots.resize(parts, u32::MAX);
        }
        Ok(())
    }
}

impl ShadowMap {
    /// A map of a lamp that looks at the world; `memory` is what an earlier map used.
    pub fn new(
        size: usize,
        view: Mat4,
        projection: Mat4,
        mut memory: Memory,
    ) -> Result<Self, TryReserveError> {
        let columns = size.div_ceil(PART);
        memory.fit(columns * columns)?;
        let side = (size as f32 - 2.0).max(1.0); // a border that is always lit
        let last = (size as i64 - 1) * 256;
        let camera = Camera {
            view,
            projection,
            viewport: [1.0, 1.0, side, side],
            bounds: [256, 256, last, last],
            grid: 256,
        };
        // The place where the light drew it. MuJoCo looks it up as if the map had no border: up to a texel aside near its
        // sides, more than the depths are moved by, so that lit floors have dark dots there.
        let half = 0.5 * side / size.max(1) as f32;
        let bias = [[half, 0.0, 0.0, 0.5], [0.0, half, 0.0, 0.5], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        Ok(Self { size, columns, camera, matrix: mul(&bias, &mul(&projection, &view)), memory })
    }

    /// Texels of places, and their depths.
    #[inline(always)]
    fn find(&self, [s, t, r, q]: [Lanes; 4]) -> ([i32; LANES], [i32; LANES], Lanes) {
        let (size, last) = (self.size as f32, self.size as f32 - 1.0);
        let inverse = q.inverse();
        let texel = |c: Lanes| (c * inverse * size).between_zero_and(last).whole();
        (texel(s), texel(t), (r * inverse).between_zero_and(1.0))
    }

    /// The part of a texel, and its row and column there.
    #[inline(always)]
    fn part(&self, x: i32, y: i32) -> (usize, usize, usize) {
        let (x, y) = (x as usize, y as usize);
        (y / PART * self.columns + x / PART, y % PART, x % PART)
    }

    /// Asks for the texels that say whether places are lit.
    #[inline]
    pub fn mark(&self, at: [Lanes; 4], seen: &[bool; LANES]) {
        let (x, y, _) = self.find(at);
        for i in 0..LANES {
            if !seen[i] {
                continue;
            }
            let (part, row, column) = self.part(x[i], y[i]);
            let (word, bit) = (&self.memory.texels[part * PART + row], 1 << column);
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
                self.memory.parts[part].store(true, Ordering::Relaxed);
            }
        }
    }

    /// Takes out the places that the light does not reach.
    #[inline]
    pub fn keep_lit(&self, at: [Lanes; 4], seen: &mut [bool; LANES]) {
        let (x, y, depth) = self.find(at);
        for i in 0..LANES {
            let (part, row, column) = self.part(x[i], y[i]);
            let slot = self.memory.slots[part];
            if seen[i] && slot != u32::MAX {
                let place = (slot as usize * PART + row) * PART + column;
                seen[i] = depth.0[i] >= self.memory.depths[place];
            }
        }
    }

    /// Makes room for all parts that were asked for.
    pub fn prepare(&mut self) -> Result<(), TryReserveError> {
        let Memory { parts, slots, depths, .. } = &mut self.memory;
        let mut count = 0;
        for (slot, wanted) in slots.iter_mut().zip(parts) {
            *slot = u32::MAX;
            if *wanted.get_mut() {
                *slot = count;
                count += 1;
            }
        }
        let length = count as usize * PART * PART;
        depths.clear();
        depths.try_reserve_exact(length)?;
        depths.resize(length, 0.0);
        Ok(())
    }

    /// Whether something inside a box, whose corners are given as the light sees them, can be above a wanted texel.
    pub fn wants(&self, corners: &[Vec4; 8]) -> bool {
        if corners.iter().any(|c| !(c[3] > 1e-6)) {
            return true;
        }
        let range = |axis: usize| {
            let places = corners.map(|c| (c[axis] / c[3] * 0.5 + 0.5) * self.size as f32);
            let (low, high) = places.iter().fold((f32::MAX, f32::MIN), |(l, h), &p| (l.min(p), h.max(p)));
            let part = |place: f32| (place.max(0.0) as usize / PART).min(self.columns - 1);
            part(low - 2.0)..=part(high + 2.0)
        };
        let (columns, rows) = (range(0), range(1));
        rows.into_iter().any(|row| {
            let first = row * self.columns;
            self.memory.slots[first + columns.start()..=first + columns.end()].iter().any(|&s| s != u32::MAX)
        })
    }

    /// Draws triangles as the light sees them on all texels that were asked for.
    pub fn fill(&mut self, triangles: &Triangles, threads: usize) {
        let (columns, size) = (self.columns, self.size);
        let (casters, lists) = self.sort(triangles);
        let Memory { slots, depths, texels, .. } = &mut self.memory;
        // slots were numbered in the order of the parts
        let parts: Vec<usize> = (0..slots.len()).filter(|&i| slots[i] != u32::MAX).collect();
        let queue = Mutex::new(depths.chunks_exact_mut(PART * PART).zip(&parts).zip(&lists));
        let work = || {
            let mut wanted = Texels::default();
            loop {
                let next = queue.lock().map_or(None, |mut queue| queue.next());
                let Some(((depths, &part), list)) = next else { break };
                if !list.is_empty() {
                    let origin = [part % columns * PART, part / columns * PART];
                    wanted.collect(&texels[part * PART..][..PART], origin, size, depths);
                    list.iter().for_each(|&i| wanted.draw(&casters[i as usize], origin));
                    wanted.keep(depths);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(parts.len() / 16) {
                scope.spawn(work);
            }
            work();
        });
    }

    /// Gives its memory back.
    pub fn into_memory(mut self) -> Memory {
        let Memory { texels, parts, .. } = &mut self.memory;
        for (rows, part) in texels.chunks_exact_mut(PART).zip(parts) {
            if std::mem::take(part.get_mut()) {
                rows.fill_with(AtomicU32::default);
            }
        }
        self.memory
    }

    /// Triangles as they are drawn, and those over each wanted part.
    fn sort(&self, triangles: &Triangles) -> (Vec<Caster>, Vec<Vec<u32>>) {
        let slots = &self.memory.slots;
        let mut lists = vec![Vec::new(); self.memory.depths.len() / (PART * PART)];
        let mut casters = Vec::new();
        let last = self.columns as i64 - 1;
        for triangle in &triangles.triangles {
            let points = triangle.points.map(|p| &triangles.points[p as usize]);
            let Some(setup) = Setup::new(points, [0, 0]) else { continue };
            let part = |v: i64| (v >> 8).div_euclid(PART as i64).clamp(0, last) as usize;
            let range = |[a, b, c]: [i64; 3]| part(a.min(b).min(c))..=part(a.max(b).max(c));
            let (columns, rows) = (range(points.map(|p| p.x)), range(points.map(|p| p.y)));
            let mut wanted = false;
            for y in rows {
                for &slot in &slots[y * self.columns..][columns.clone()] {
                    if slot != u32::MAX {
                        lists[slot as usize].push(casters.len() as u32);
                        wanted = true;
                    }
                }
            }
            if wanted {
                casters.push(Caster::new(&setup, points.map(|p| p.z)));
            }
        }
        (casters, lists)
    }
}

/// A triangle above the map.
struct Caster {
    edges: [Edge; 3],
    z: Plane,
}

impl Caster {
    fn new(setup: &Setup, depths: [f32; 3]) -> Self {
        let mut z = setup.plane(depths);
        z.base += SLOPE_OFFSET * z.dx.abs().max(z.dy.abs()) + UNIT_OFFSET;
        Self { edges: setup.edges, z }
    }
}

/// The wanted texels of a part: places of their centres, greatest depths so far, and where they belong.
#[derive(Default)]
struct Texels {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    place: Vec<u16>,
}

impl Texels {
    fn collect(&mut self, rows: &[AtomicU32], origin: [usize; 2], size: usize, depths: &[f32]) {
        let Self { x, y, z, place } = self;
        [&mut *x, &mut *y, &mut *z].into_iter().for_each(Vec::clear);
        place.clear();
        let inside = |c: usize| c >= 1 && c + 1 < size; // the border stays lit
        for (row, word) in rows.iter().enumerate() {
            let mut bits = word.load(Ordering::Relaxed);
            while bits != 0 {
                let column = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if inside(origin[0] + column) && inside(origin[1] + row) {
                    x.push(column as f64 + 0.5);
                    y.push(row as f64 + 0.5);
                    z.push(f64::from(depths[row * PART + column]));
                    place.push((row * PART + column) as u16);
                }
            }
        }
    }

    /// Keeps the greater depth where a triangle is above.
    fn draw(&mut self, caster: &Caster, origin: [usize; 2]) {
        let [ox, oy] = origin.map(|c| c as i64);
        // edges that cross the part, from its corner: whole numbers below 2^53
        let mut crossing = [[0.0; 3]; 3];
        for (edge, kept) in caster.edges.iter().zip(&mut crossing) {
            let corner = edge.at(ox * 256, oy * 256);
            let (low, high) = edge.range(PART as i64 * 256);
            if corner + high < 0 {
                return;
            }
            if corner + low < 0 {
                *kept = [corner as f64, (edge.a * 256) as f64, (edge.b * 256) as f64];
            }
        }
        let base = caster.z.at(ox as f64, oy as f64);
        let (dx, dy) = (caster.z.dx, caster.z.dy);
        for ((&x, &y), z) in self.x.iter().zip(&self.y).zip(&mut self.z) {
            let at = |e: usize| crossing[e][0] + crossing[e][1] * x + crossing[e][2] * y;
            let least = smaller(smaller(at(0), at(1)), at(2));
            let depth = smaller(base + dx * x + dy * y, 1.0);
            let above = if least >= 0.0 { depth } else { 0.0 };
            *z = if above > *z { above } else { *z };
        }
    }

    fn keep(&self, depths: &mut [f32]) {
        for (&place, &z) in self.place.iter().zip(&self.z) {
            depths[place as usize] = z as f32;
        }
    }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
