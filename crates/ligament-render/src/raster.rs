//! From triangles to samples of a tile.

use crate::frame::{SAMPLES, TILE, Tile};
use crate::lanes::{LANES, Lanes};
use crate::shadow::ShadowMap;
use crate::span::{Plane, Row, Varying};
use crate::texture::Texture;
use crate::vertex::{Point, Triangle};

/// How a colour joins what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    Replace,
    /// The sum of both.
    Add,
    /// Mixed by opacity.
    Mix,
    /// Added, weighted by opacity.
    AddWeighted,
}

/// What a draw call does with the stencil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stencil {
    Ignore,
    /// Marks samples, and leaves colours and depths alone.
    Mark,
    /// Draws where samples are marked.
    Inside,
}

/// Fades with the distance.
#[derive(Debug, Clone, Copy)]
pub struct Fog {
    pub start: f32,
    pub end: f32,
    pub color: [f32; 3],
    /// Near and far plane of a camera without perspective, where the distance is not known otherwise.
    pub flat: Option<[f32; 2]>,
}

/// How the triangles of one surface are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Draw<'a> {
    pub texture: Option<&'a Texture>,
    /// One colour everywhere.
    pub plain: Option<[u8; 4]>,
    pub depth_write: bool,
    pub blend: Blend,
    pub stencil: Stencil,
    /// Only where this light arrives.
    pub lit_by: Option<usize>,
    /// Lamps that cast shadows light it in passes of their own; this notes which parts of shadow maps they will need.
    pub relit: bool,
    pub fog: Option<Fog>,
    /// Edges are not smoothed: all samples are those of the centre.
    pub centered: bool,
}

/// What all tiles of a pass share.
pub struct Pass<'a> {
    pub points: &'a [Point],
    /// Colours of the points, a number of layers for each.
    pub colors: &'a [[f32; 4]],
    pub layers: usize,
    pub triangles: &'a [Triangle],
    pub draws: &'a [Draw<'a>],
    pub shadows: &'a [ShadowMap],
    /// Left, bottom, right, top of what may be drawn on, in pixels.
    pub bounds: [i64; 4],
    /// Adds the light of one lamp to what it lights, instead of drawing everything.
    pub light: Option<Relight>,
}

/// A pass that adds the light of one lamp where it arrives.
#[derive(Debug, Clone, Copy)]
pub struct Relight {
    pub map: usize,
    pub fog: Option<Fog>,
}

/// Side of a block in pixels: its rows are computed at once.
const BLOCK: i64 = LANES as i64;
/// Places of samples in a pixel, in 1/256: the usual pattern of four, and the centre.
const PATTERN: [[i64; 2]; SAMPLES] = [[96, 32], [224, 96], [32, 160], [160, 224]];
const CENTER: [i64; 2] = [128, 128];
/// Depth of samples that are not covered: behind everything.
const UNCOVERED: f32 = -1.0;

/// An edge: positive inside.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Edge {
    pub a: i64,
    pub b: i64,
    pub c: i64,
}

impl Edge {
    #[inline(always)]
    pub fn at(&self, x: i64, y: i64) -> i64 {
        self.a * x + self.b * y + self.c
    }

    /// The least and the greatest change over a square with a corner at the origin.
    #[inline(always)]
    pub fn range(&self, side: i64) -> (i64, i64) {
        let (a, b) = (self.a * side, self.b * side);
        (a.min(0) + b.min(0), a.max(0) + b.max(0))
    }
}

/// Edges of a counter-clockwise triangle, with corners in subpixels. Samples on an edge belong to the triangle on one
/// side of it only (top-left rule).
pub(crate) fn edges(p: [[i64; 2]; 3]) -> [Edge; 3] {
    std::array::from_fn(|i| {
        let ([ax, ay], [bx, by]) = (p[i], p[(i + 1) % 3]);
        let (a, b) = (ay - by, bx - ax);
        let owns = a > 0 || (a == 0 && b < 0);
        Edge { a, b, c: -(a * ax + b * ay) - i64::from(!owns) }
    })
}

/// A triangle in the coordinates of a tile.
pub(crate) struct Setup {
    pub edges: [Edge; 3],
    pub corners: [[i64; 2]; 3],
    inverse_area: f64,
}

impl Setup {
    /// `None` for triangles without an area.
    pub fn new(points: [&Point; 3], origin: [i64; 2]) -> Option<Self> {
        let corners = points.map(|p| [p.x - origin[0] * 256, p.y - origin[1] * 256]);
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        (area > 0).then(|| Self { edges: edges(corners), corners, inverse_area: 256.0 / area as f64 })
    }

    /// The plane through values at the corners. In double precision: triangles that reach behind the camera have
    /// corners far outside of the picture, and what is inside is a small difference of large numbers.
    pub fn plane(&self, v: [f32; 3]) -> Plane {
        let v = v.map(f64::from);
        let [a, b, c] = self.corners.map(|p| p.map(|x| x as f64));
        let (d1, d2) = (v[1] - v[0], v[2] - v[0]);
        let dx = (d1 * (c[1] - a[1]) - d2 * (b[1] - a[1])) * self.inverse_area;
        let dy = (d2 * (b[0] - a[0]) - d1 * (c[0] - a[0])) * self.inverse_area;
        Plane { base: v[0] - (dx * a[0] + dy * a[1]) / 256.0, dx, dy }
    }

    /// Pixels that the triangle may cover, from the first to behind the last.
    fn range(&self, k: usize, limits: (i64, i64)) -> (i64, i64) {
        let [a, b, c] = self.corners.map(|p| p[k]);
        let (low, high) = (a.min(b).min(c) >> 8, a.max(b).max(c) >> 8);
        (limits.0.max(low), limits.1.min(high + 1))
    }
}

/// What of a block is inside a triangle.
enum Cover {
    Full,
    /// Edges that cross it, from its corner: value, changes from pixel to pixel. They are whole numbers below 2^53.
    Partial([[f64; 3]; 3]),
}

/// Draws triangles on a tile, in order.
pub(crate) fn draw_tile(pass: &Pass<'_>, tile: &mut Tile, origin: [i64; 2], list: &[u32]) {
    let multi = tile.color.len() == TILE * TILE * SAMPLES;
    for &index in list {
        let triangle = &pass.triangles[index as usize];
        let mut draw = pass.draws[triangle.draw as usize];
        if let Some(Relight { map, fog }) = pass.light {
            if !draw.relit {
                continue;
            }
            draw = Draw { blend: Blend::Add, lit_by: Some(map), relit: false, fog, ..draw };
        }
        let points = triangle.points.map(|i| &pass.points[i as usize]);
        let Some(setup) = Setup::new(points, origin) else { continue };
        let z = setup.plane(points.map(|p| p.z));
        let job = Job { pass, draw: &draw, triangle, setup: &setup, z, origin };
        match (multi, draw.centered) {
            (true, false) => job.run::<SAMPLES>(tile, PATTERN),
            (true, true) => job.run::<SAMPLES>(tile, [CENTER; SAMPLES]),
            (false, _) => job.run::<1>(tile, [CENTER]),
        }
    }
}

struct Job<'a> {
    pass: &'a Pass<'a>,
    draw: &'a Draw<'a>,
    triangle: &'a Triangle,
    setup: &'a Setup,
    z: Plane,
    origin: [i64; 2],
}

/// Depths, one for each sample of the pixels of a row.
type Depths<const S: usize> = [[f32; S]; LANES];
type Colors<const S: usize> = [[[u8; 4]; S]; LANES];

impl Job<'_> {
    /// Draws on a tile with `S` samples a pixel.
    fn run<const S: usize>(&self, tile: &mut Tile, pattern: [[i64; 2]; S]) {
        let bound = |k: usize| {
            let limits = (self.pass.bounds[k] - self.origin[k], self.pass.bounds[k + 2] - self.origin[k]);
            self.setup.range(k, (limits.0.max(0), limits.1.min(TILE as i64)))
        };
        let ((x0, x1), (y0, y1)) = (bound(0), bound(1));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        if self.draw.stencil != Stencil::Ignore && tile.stencil.is_empty() {
            tile.stencil.resize(tile.color.len(), 0);
        }
        let offsets = pattern.map(|p| p.map(|c| c as f64 / 256.0));
        let mut varying = None;
        for by in (y0 / BLOCK * BLOCK..y1).step_by(LANES) {
            for bx in (x0 / BLOCK * BLOCK..x1).step_by(LANES) {
                let Some(cover) = self.block(bx, by) else { continue };
                for y in by.max(y0)..(by + BLOCK).min(y1) {
                    let mut depths = self.depths(bx, y, &offsets);
                    if let Cover::Partial(edges) = &cover {
                        uncover(&mut depths, edges, (y - by) as f64, &offsets);
                    }
                    if bx < x0 || bx + BLOCK > x1 {
                        for (i, depth) in depths.iter_mut().enumerate() {
                            if !(x0..x1).contains(&(bx + i as i64)) {
                                *depth = [UNCOVERED; S];
                            }
                        }
                    }
                    self.row(tile, bx, y, depths, &mut varying);
                }
            }
        }
    }

    /// What of a block is inside; `None` when it is outside.
    fn block(&self, x: i64, y: i64) -> Option<Cover> {
        let mut full = true;
        let mut crossing = [[0.0; 3]; 3];
        for (edge, kept) in self.setup.edges.iter().zip(&mut crossing) {
            let corner = edge.at(x * 256, y * 256);
            let (low, high) = edge.range(BLOCK * 256);
            if corner + high < 0 {
                return None;
            }
            if corner + low < 0 {
                full = false;
                *kept = [corner as f64, (edge.a * 256) as f64, (edge.b * 256) as f64];
            }
        }
        Some(if full { Cover::Full } else { Cover::Partial(crossing) })
    }

    /// Depths of the samples of a row.
    #[inline(always)]
    fn depths<const S: usize>(&self, x: i64, y: i64, offsets: &[[f64; 2]; S]) -> Depths<S> {
        let left = Lanes::ramp(self.z.at(x as f64, y as f64) as f32, self.z.dx as f32);
        let mut depths = [[0.0; S]; LANES];
        for s in 0..S {
            let offset = (self.z.dx * offsets[s][0] + self.z.dy * offsets[s][1]) as f32;
            for i in 0..LANES {
                depths[i][s] = left.0[i] + offset;
            }
        }
        depths
    }

    /// Draws a row of a block, where its depths are not behind what is there.
    fn row<const S: usize>(
        &self,
        tile: &mut Tile,
        x: i64,
        y: i64,
        mut depths: Depths<S>,
        varying: &mut Option<Varying>,
    ) {
        let first = (y as usize * TILE + x as usize) * S;
        let range = first..first + LANES * S;
        if self.draw.stencil != Stencil::Ignore {
            let marks = &mut tile.stencil[range.clone()];
            let depths = depths.as_flattened_mut();
            if self.draw.stencil == Stencil::Mark {
                marks.iter_mut().zip(depths).for_each(|(mark, z)| *mark |= u8::from(*z > UNCOVERED));
                return;
            }
            marks.iter().zip(depths).filter(|(mark, _)| **mark == 0).for_each(|(_, z)| *z = UNCOVERED);
        }
        let (Some(there), Some(color)) = (
            tile.depth[range.clone()].as_chunks_mut::<S>().0.first_chunk_mut::<LANES>(),
            tile.color[range].as_chunks_mut::<S>().0.first_chunk_mut::<LANES>(),
        ) else {
            return;
        };
        let mut seen = [false; LANES];
        for i in 0..LANES {
            for s in 0..S {
                seen[i] |= depths[i][s] >= there[i][s];
            }
        }
        if seen == [false; LANES] {
            return;
        }
        if let Some(plain) = self.draw.plain {
            replace(&depths, there, color, &[plain; LANES]);
            keep_nearest(&depths, there);
            return;
        }
        let varying = varying
            .get_or_insert_with(|| Varying::new(self.setup, self.pass, self.triangle, self.draw, self.z));
        let at = Row { x: x as f64 + 0.5, y: y as f64 + 0.5 };
        let rgba = varying.shade(at, self.draw, self.pass.shadows, &mut seen);
        for i in 0..LANES {
            if !seen[i] {
                depths[i] = [UNCOVERED; S];
            }
        }
        match self.draw.blend {
            Blend::Replace => replace(&depths, there, color, &bytes(&rgba)),
            Blend::Add => add(&depths, there, color, &bytes(&rgba)),
            Blend::Mix | Blend::AddWeighted => mix(&depths, there, color, &rgba, self.draw.blend),
        }
        if self.draw.depth_write {
            keep_nearest(&depths, there);
        }
    }
}

/// Marks samples outside of the edges that cross the block; `y` is a row of it.
#[inline(always)]
fn uncover<const S: usize>(depths: &mut Depths<S>, edges: &[[f64; 3]; 3], y: f64, offsets: &[[f64; 2]; S]) {
    for s in 0..S {
        let start = |e: usize| edges[e][0] + edges[e][2] * (y + offsets[s][1]) + edges[e][1] * offsets[s][0];
        let starts = [start(0), start(1), start(2)];
        for i in 0..LANES {
            let at = |e: usize| starts[e] + edges[e][1] * i as f64;
            let least = smaller(smaller(at(0), at(1)), at(2));
            depths[i][s] = if least < 0.0 { UNCOVERED } else { depths[i][s] };
        }
    }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
fn keep_nearest<const S: usize>(depths: &Depths<S>, there: &mut Depths<S>) {
    for i in 0..LANES {
        for s in 0..S {
            there[i][s] = if depths[i][s] >= there[i][s] { depths[i][s] } else { there[i][s] };
        }
    }
}

#[inline(always)]
fn replace<const S: usize>(
    depths: &Depths<S>,
    there: &Depths<S>,
    color: &mut Colors<S>,
    new: &[[u8; 4]; LANES],
) {
    for i in 0..LANES {
        let new = u32::from_ne_bytes(new[i]);
        for s in 0..S {
            let old = u32::from_ne_bytes(color[i][s]);
            color[i][s] = if depths[i][s] >= there[i][s] { new } else { old }.to_ne_bytes();
        }
    }
}

#[inline(always)]
fn add<const S: usize>(
    depths: &Depths<S>,
    there: &Depths<S>,
    color: &mut Colors<S>,
    more: &[[u8; 4]; LANES],
) {
    for i in 0..LANES {
        let more = u32::from_ne_bytes(more[i]);
        for s in 0..S {
            let visible = if depths[i][s] >= there[i][s] { more } else { 0 }.to_ne_bytes();
            for k in 0..4 {
                color[i][s][k] = color[i][s][k].saturating_add(visible[k]);
            }
        }
    }
}

fn mix<const S: usize>(
    depths: &Depths<S>,
    there: &Depths<S>,
    color: &mut Colors<S>,
    rgba: &[Lanes; 4],
    kind: Blend,
) {
    for i in 0..LANES {
        let new = [rgba[0].0[i], rgba[1].0[i], rgba[2].0[i], rgba[3].0[i]];
        for s in 0..S {
            if depths[i][s] >= there[i][s] {
                let old = &mut color[i][s];
                *old = if kind == Blend::Mix { mixed(new, *old) } else { weighted(new, *old) };
            }
        }
    }
}

#[inline(always)]
fn byte(x: f32) -> u8 {
    (x * 255.0 + 0.5) as u8
}

#[inline(always)]
fn bytes(rgba: &[Lanes; 4]) -> [[u8; 4]; LANES] {
    let mut result = [[0; 4]; LANES];
    for k in 0..4 {
        // through 32 bits, which vectors have
        let channel = (rgba[k] * 255.0 + 0.5).whole();
        for i in 0..LANES {
            result[i][k] = channel[i] as u8;
        }
    }
    result
}

fn mixed(new: [f32; 4], old: [u8; 4]) -> [u8; 4] {
    let alpha = new[3];
    std::array::from_fn(|k| byte(new[k] * alpha + f32::from(old[k]) * (1.0 / 255.0) * (1.0 - alpha)))
}

fn weighted(new: [f32; 4], old: [u8; 4]) -> [u8; 4] {
    std::array::from_fn(|k| old[k].saturating_add(byte(new[k] * new[3])))
}
