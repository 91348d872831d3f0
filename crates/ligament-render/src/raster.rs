//! From triangles to samples of a tile.

use crate::frame::{SAMPLES, TILE, Tile};
use crate::shadow::ShadowMap;
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
    /// Notes which parts of shadow maps will be needed.
    pub marks_shadows: bool,
    pub fog: Option<Fog>,
    /// Edges are not smoothed: all samples are those of the centre.
    pub centered: bool,
}

/// What all tiles of a pass share.
pub struct Pass<'a> {
    pub points: &'a [Point],
    pub triangles: &'a [Triangle],
    pub draws: &'a [Draw<'a>],
    pub shadows: &'a [ShadowMap],
    /// Left, bottom, right, top of what may be drawn on, in pixels.
    pub bounds: [i64; 4],
}

const BLOCK: usize = 8;
/// Places of samples in a pixel, in 1/256: the usual pattern of four, and the centre.
const PATTERN: [[i64; 2]; SAMPLES] = [[96, 32], [224, 96], [32, 160], [160, 224]];
const CENTER: [i64; 2] = [128, 128];
/// Opacity below which a surface does not show light that arrives.
const ALPHA_LIMIT: f32 = 0.99;

/// A quantity that varies linearly over the screen; `at` takes pixels of the tile.
#[derive(Debug, Clone, Copy, Default)]
struct Plane {
    base: f32,
    dx: f32,
    dy: f32,
}

impl Plane {
    #[inline(always)]
    fn at(&self, x: f32, y: f32) -> f32 {
        self.base + self.dx * x + self.dy * y
    }
}

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
struct Setup {
    edges: [Edge; 3],
    corners: [[i64; 2]; 3],
    inverse_area: f64,
    z: Plane,
}

impl Setup {
    fn new(points: [&Point; 3], origin: [i64; 2]) -> Option<Self> {
        let corners = points.map(|p| [p.x - origin[0] * 256, p.y - origin[1] * 256]);
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area <= 0 {
            return None;
        }
        let mut setup =
            Self { edges: edges(corners), corners, inverse_area: 256.0 / area as f64, z: Plane::default() };
        setup.z = setup.plane(points.map(|p| p.z));
        Some(setup)
    }

    fn plane(&self, v: [f32; 3]) -> Plane {
        let v = v.map(f64::from);
        let [a, b, c] = self.corners.map(|p| p.map(|x| x as f64));
        let (d1, d2) = (v[1] - v[0], v[2] - v[0]);
        let dx = (d1 * (c[1] - a[1]) - d2 * (b[1] - a[1])) * self.inverse_area;
        let dy = (d2 * (b[0] - a[0]) - d1 * (c[0] - a[0])) * self.inverse_area;
        let base = v[0] - dx * a[0] / 256.0 - dy * a[1] / 256.0;
        Plane { base: base as f32, dx: dx as f32, dy: dy as f32 }
    }
}

/// What varies over a triangle besides depth.
struct Varying {
    inverse_w: Plane,
    rgba: [Plane; 4],
    texture: [Plane; 3],
    world: [Plane; 3],
}

impl Varying {
    fn new(setup: &Setup, p: [&Point; 3], draw: &Draw<'_>) -> Self {
        let needs_world = draw.lit_by.is_some() || draw.marks_shadows;
        let none = Plane::default();
        Self {
            inverse_w: setup.plane(p.map(|p| p.inverse_w)),
            rgba: std::array::from_fn(|k| setup.plane(p.map(|p| p.rgba[k]))),
            texture: std::array::from_fn(|k| {
                if draw.texture.is_some() { setup.plane(p.map(|p| p.texture[k])) } else { none }
            }),
            world: std::array::from_fn(
                |k| if needs_world { setup.plane(p.map(|p| p.world[k])) } else { none },
            ),
        }
    }
}

/// Draws triangles on a tile, in order.
pub(crate) fn draw_tile(pass: &Pass<'_>, tile: &mut Tile, origin: [i64; 2], list: &[u32]) {
    let multi = tile.color.len() == TILE * TILE * SAMPLES;
    for &index in list {
        let triangle = &pass.triangles[index as usize];
        let draw = &pass.draws[triangle.draw as usize];
        let points = triangle.points.map(|i| &pass.points[i as usize]);
        let Some(setup) = Setup::new(points, origin) else { continue };
        let varying = Varying::new(&setup, points, draw);
        let job = Job { pass, draw, setup: &setup, varying: &varying, origin };
        match (multi, draw.centered) {
            (true, false) => job.run::<SAMPLES, SAMPLES>(tile, PATTERN),
            (true, true) => job.run::<1, SAMPLES>(tile, [CENTER]),
            (false, _) => job.run::<1, 1>(tile, [CENTER]),
        }
    }
}

struct Job<'a> {
    pass: &'a Pass<'a>,
    draw: &'a Draw<'a>,
    setup: &'a Setup,
    varying: &'a Varying,
    origin: [i64; 2],
}

impl Job<'_> {
    /// `S` samples are computed, `T` are stored for a pixel.
    fn run<const S: usize, const T: usize>(&self, tile: &mut Tile, pattern: [[i64; 2]; S]) {
        let bound = |k: usize| {
            let low = self.setup.corners.iter().map(|c| c[k]).min().unwrap_or(0) >> 8;
            let high = self.setup.corners.iter().map(|c| c[k]).max().unwrap_or(0) >> 8;
            let first = (self.pass.bounds[k] - self.origin[k]).max(0).max(low);
            let last = (self.pass.bounds[k + 2] - self.origin[k]).min(TILE as i64).min(high + 1);
            (first, last)
        };
        let ((x0, x1), (y0, y1)) = (bound(0), bound(1));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        if self.draw.stencil != Stencil::Ignore && tile.stencil.is_empty() {
            tile.stencil = vec![0; tile.color.len()];
        }
        let offsets: [[i64; S]; 3] = std::array::from_fn(|e| {
            pattern.map(|[x, y]| self.setup.edges[e].a * x + self.setup.edges[e].b * y)
        });
        let z_offsets =
            pattern.map(|[x, y]| self.setup.z.dx * (x as f32 / 256.0) + self.setup.z.dy * (y as f32 / 256.0));
        let step = BLOCK as i64;
        for by in (y0 / step * step..y1).step_by(BLOCK) {
            for bx in (x0 / step * step..x1).step_by(BLOCK) {
                let Some(full) = self.block(bx, by) else { continue };
                for y in by.max(y0)..(by + step).min(y1) {
                    for x in bx.max(x0)..(bx + step).min(x1) {
                        let mask = if full { (1u8 << S) - 1 } else { self.coverage(x, y, &offsets) };
                        if mask != 0 {
                            self.pixel::<S, T>(tile, x, y, mask, &z_offsets);
                        }
                    }
                }
            }
        }
    }

    /// Whether a block is fully inside; `None` when it is outside.
    fn block(&self, x: i64, y: i64) -> Option<bool> {
        let span = BLOCK as i64 * 256;
        let mut full = true;
        for edge in &self.setup.edges {
            let corner = edge.at(x * 256, y * 256);
            let (low, high) = (
                (edge.a * span).min(0) + (edge.b * span).min(0),
                (edge.a * span).max(0) + (edge.b * span).max(0),
            );
            if corner + high < 0 {
                return None;
            }
            full &= corner + low >= 0;
        }
        Some(full)
    }

    #[inline(always)]
    fn coverage<const S: usize>(&self, x: i64, y: i64, offsets: &[[i64; S]; 3]) -> u8 {
        let values = self.setup.edges.map(|e| e.at(x * 256, y * 256));
        let mut mask = 0;
        for s in 0..S {
            let inside =
                (values[0] + offsets[0][s]) | (values[1] + offsets[1][s]) | (values[2] + offsets[2][s]);
            mask |= u8::from(inside >= 0) << s;
        }
        mask
    }

    #[inline(always)]
    fn pixel<const S: usize, const T: usize>(
        &self,
        tile: &mut Tile,
        x: i64,
        y: i64,
        mask: u8,
        z_offsets: &[f32; S],
    ) {
        let first = (y as usize * TILE + x as usize) * T;
        if self.draw.stencil == Stencil::Mark {
            for s in 0..T {
                tile.stencil[first + s] |= if S == 1 { mask } else { mask >> s & 1 };
            }
            return;
        }
        let corner = self.setup.z.at(x as f32, y as f32);
        let depths: [f32; T] = std::array::from_fn(|s| corner + z_offsets[s.min(S - 1)]);
        let mut visible = [false; T];
        let mut any = false;
        for s in 0..T {
            let covered = S == 1 || mask >> s & 1 == 1;
            let inside = self.draw.stencil == Stencil::Ignore || tile.stencil[first + s] != 0;
            visible[s] = covered && inside && depths[s] >= tile.depth[first + s];
            any |= visible[s];
        }
        if !any {
            return;
        }
        if let Some(color) = self.draw.plain {
            for s in 0..T {
                if visible[s] {
                    tile.color[first + s] = color;
                    tile.depth[first + s] = depths[s];
                }
            }
            return;
        }
        let Some(color) = self.shade(x as f32 + 0.5, y as f32 + 0.5) else { return };
        for s in 0..T {
            if visible[s] {
                let place = &mut tile.color[first + s];
                *place = blend(self.draw.blend, color, *place);
                if self.draw.depth_write {
                    tile.depth[first + s] = depths[s];
                }
            }
        }
    }

    /// Colour at the centre of a pixel; `None` where the light of the draw call does not arrive.
    #[inline]
    fn shade(&self, x: f32, y: f32) -> Option<[f32; 4]> {
        let v = self.varying;
        let inverse_w = v.inverse_w.at(x, y);
        let w = 1.0 / inverse_w;
        let mut color: [f32; 4] = std::array::from_fn(|k| (v.rgba[k].at(x, y) * w).clamp(0.0, 1.0));
        if self.draw.marks_shadows || self.draw.lit_by.is_some() {
            let world = std::array::from_fn(|k| v.world[k].at(x, y) * w);
            if self.draw.marks_shadows {
                self.pass.shadows.iter().for_each(|map| map.mark(world));
            }
            if let Some(light) = self.draw.lit_by
                && !self.pass.shadows[light].is_lit(world)
            {
                return None;
            }
        }
        if let Some(texture) = self.draw.texture {
            let at: [f32; 3] = std::array::from_fn(|k| v.texture[k].at(x, y) * w);
            let dx: [f32; 3] = std::array::from_fn(|k| (v.texture[k].dx - at[k] * v.inverse_w.dx) * w);
            let dy: [f32; 3] = std::array::from_fn(|k| (v.texture[k].dy - at[k] * v.inverse_w.dy) * w);
            let texel = if texture.cube {
                texture.around(at, dx, dy)
            } else {
                texture.flat([at[0], at[1]], [dx[0], dx[1]], [dy[0], dy[1]])
            };
            for k in 0..4 {
                color[k] *= texel[k];
            }
        }
        if self.draw.lit_by.is_some() && color[3] < ALPHA_LIMIT {
            return None;
        }
        if let Some(fog) = self.draw.fog {
            let distance = match fog.flat {
                Some([near, far]) => far + (near - far) * self.setup.z.at(x, y),
                None => w,
            };
            let clear = ((fog.end - distance) / (fog.end - fog.start)).clamp(0.0, 1.0);
            for k in 0..3 {
                color[k] = color[k] * clear + fog.color[k] * (1.0 - clear);
            }
        }
        Some(color)
    }
}

#[inline(always)]
fn blend(kind: Blend, color: [f32; 4], old: [u8; 4]) -> [u8; 4] {
    let byte = |x: f32| (x * 255.0 + 0.5).min(255.0) as u8;
    let alpha = color[3];
    match kind {
        Blend::Replace => color.map(byte),
        Blend::Add => std::array::from_fn(|k| old[k].saturating_add(byte(color[k]))),
        Blend::Mix => std::array::from_fn(|k| {
            byte(color[k] * alpha + f32::from(old[k]) * (1.0 / 255.0) * (1.0 - alpha))
        }),
        Blend::AddWeighted => std::array::from_fn(|k| old[k].saturating_add(byte(color[k] * alpha))),
    }
}
