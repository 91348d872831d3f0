//! What will be drawn on a frame: triangles, sorted into its tiles, and how to draw them.

use crate::frame::{Frame, Rect, TILE, Tile};
use crate::light::{Lamp, Look};
use crate::matrix::{Mat4, Vec4};
use crate::mesh::Mesh;
use crate::raster::{Blend, Draw, Fog, Pass, Relight, Stencil, draw_tile};
use crate::shadow::ShadowMap;
use crate::texture::Texture;
use crate::vertex::{Cull, Mapping, Triangles, Vertices};

/// Triangles that are collected before they are drawn.
pub(crate) const MOST_TRIANGLES: usize = 1 << 18;

/// How geoms are drawn in one pass.
#[derive(Clone, Copy)]
pub(crate) struct Style<'a> {
    pub lamps: Option<&'a [Lamp]>,
    /// Lamps whose light is added later, where it arrives.
    pub relights: &'a [Lamp],
    pub glows: bool,
    pub blend: Blend,
    pub depth_write: bool,
    pub stencil: Stencil,
    pub fog: Option<Fog>,
    /// Mirror image: matrix, plane and weight of the colours.
    pub mirror: Option<(Mat4, Vec4, f32)>,
    pub segmented: bool,
}

impl<'a> Style<'a> {
    pub fn new(lamps: &'a [Lamp]) -> Self {
        Self {
            lamps: Some(lamps),
            relights: &[],
            glows: true,
            blend: Blend::Replace,
            depth_write: true,
            stencil: Stencil::Ignore,
            fog: None,
            mirror: None,
            segmented: false,
        }
    }

    pub fn draw<'b>(&self, texture: Option<&'b Texture>, plain: Option<[u8; 4]>) -> Draw<'b> {
        Draw {
            texture,
            plain,
            depth_write: self.depth_write,
            blend: self.blend,
            stencil: self.stencil,
            lit_by: None,
            relit: !self.relights.is_empty(),
            fog: self.fog,
            centered: self.segmented,
        }
    }
}

/// Memory of commands.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    triangles: Triangles,
    lists: Vec<Vec<u32>>,
}

/// Triangles and how to draw them.
#[derive(Default)]
pub(crate) struct Commands<'a> {
    pub triangles: Triangles,
    draws: Vec<Draw<'a>>,
    /// Triangles over each tile, in order.
    lists: Vec<Vec<u32>>,
}

impl<'a> Commands<'a> {
    /// No commands; points will have so many layers of colours.
    pub fn new(buffers: Buffers, layers: usize) -> Self {
        let Buffers { mut triangles, lists } = buffers;
        triangles.clear(layers);
        Self { triangles, draws: Vec::new(), lists }
    }

    pub fn into_buffers(self) -> Buffers {
        Buffers { triangles: self.triangles, lists: self.lists }
    }

    pub fn draw(&mut self, draw: Draw<'a>) -> u32 {
        self.draws.push(draw);
        self.draws.len() as u32 - 1
    }

    fn clear(&mut self) {
        self.triangles.clear(self.triangles.layers);
        self.draws.clear();
    }

    /// Finds the triangles over each tile.
    pub fn sort(&mut self, frame: &Frame, bounds: [i64; 4]) {
        let columns = frame.columns();
        self.lists.iter_mut().for_each(Vec::clear);
        self.lists.resize_with(frame.tiles.len(), Vec::new);
        for (i, triangle) in self.triangles.triangles.iter().enumerate() {
            let points = triangle.points.map(|p| &self.triangles.points[p as usize]);
            let range = |[a, b, c]: [i64; 3], k: usize| {
                let low = (a.min(b).min(c) >> 8).max(bounds[k]);
                let high = (a.max(b).max(c) >> 8).min(bounds[k + 2] - 1);
                (low <= high).then_some(low.max(0) as usize / TILE..=high.max(0) as usize / TILE)
            };
            if let (Some(xs), Some(ys)) = (range(points.map(|p| p.x), 0), range(points.map(|p| p.y), 1)) {
                for y in ys {
                    for x in xs.clone() {
                        self.lists[y * columns + x].push(i as u32);
                    }
                }
            }
        }
    }
}

/// A frame, and what will be drawn on it next: as much as memory should hold at a time.
pub(crate) struct Sheet<'f, 'a> {
    pub frame: &'f mut Frame,
    viewport: Rect,
    shadows: &'f [ShadowMap],
    commands: Commands<'a>,
    /// Adds the light of one lamp instead of drawing everything.
    light: Option<Relight>,
    clear: bool,
    /// Whether the commands are everything that was added.
    whole: bool,
    threads: usize,
}

impl<'f, 'a> Sheet<'f, 'a> {
    pub fn new(frame: &'f mut Frame, viewport: Rect, commands: Commands<'a>, threads: usize) -> Self {
        Self { frame, viewport, shadows: &[], commands, light: None, clear: false, whole: true, threads }
    }

    /// Clears the viewport before anything is drawn.
    pub fn cleared(self) -> Self {
        Self { clear: true, ..self }
    }

    pub fn with_shadows(self, shadows: &'f [ShadowMap], light: Option<Relight>) -> Self {
        Self { shadows, light, ..self }
    }

    /// Where more can be added.
    pub fn commands(&mut self) -> &mut Commands<'a> {
        if self.commands.triangles.triangles.len() > MOST_TRIANGLES {
            self.flush(&[], &[]);
            self.commands.clear();
            self.whole = false;
        }
        &mut self.commands
    }

    /// Draws the light of lamps on what was drawn before, then what was collected.
    fn flush(&mut self, before: &[&Commands<'_>], lights: &[Relight]) {
        let rect = self.frame.clip(self.viewport);
        let bounds =
            [rect.left, rect.bottom, rect.left + rect.width, rect.bottom + rect.height].map(i64::from);
        self.commands.sort(self.frame, bounds);
        let (columns, samples) = (self.frame.columns(), self.frame.samples());
        let (commands, shadows, clear) = (&self.commands, self.shadows, self.clear);
        let relit = before
            .iter()
            .flat_map(|c| lights.iter().map(|light| (c.pass(bounds, shadows, Some(*light)), *c)));
        let mut passes: Vec<_> = relit.map(|(pass, c)| (pass, &c.lists)).collect();
        passes.push((commands.pass(bounds, shadows, self.light), &commands.lists));
        self.frame.for_each_tile(self.threads, |index, tile| {
            let origin = [(index % columns * TILE) as i64, (index / columns * TILE) as i64];
            if clear {
                clear_tile(tile, origin, bounds, samples);
            }
            for (pass, lists) in &passes {
                draw_tile(pass, tile, origin, &lists[index]);
            }
        });
        self.clear = false;
    }

    /// Draws what is left; returns the commands, and whether they are everything that was added.
    pub fn finish(mut self) -> (Commands<'a>, bool) {
        self.flush(&[], &[]);
        (self.commands, self.whole)
    }

    /// Draws what is left after the light of lamps on earlier commands.
    pub fn finish_after(mut self, before: &Commands<'_>, lights: &[Relight]) -> Commands<'a> {
        self.flush(&[before], lights);
        self.commands
    }
}

impl Commands<'_> {
    fn pass<'b>(&'b self, bounds: [i64; 4], shadows: &'b [ShadowMap], light: Option<Relight>) -> Pass<'b> {
        let Triangles { points, colors, layers, triangles, .. } = &self.triangles;
        Pass { points, colors, layers: *layers, triangles, draws: &self.draws, shadows, bounds, light }
    }
}

/// A surface in one colour.
pub(crate) fn plain<'a>(mesh: &'a Mesh, transform: Mat4, rgba: [f32; 4]) -> Vertices<'a> {
    Vertices {
        mesh,
        transform,
        look: Look { rgba, emission: 0.0, specular: 0.0, shininess: 0.0 },
        mapping: Mapping::None,
        lamps: None,
        relights: &[],
        global_light: 0.0,
        glows: false,
        cull: Cull::None,
        mirrored: false,
        clip: None,
    }
}

fn clear_tile(tile: &mut Tile, origin: [i64; 2], bounds: [i64; 4], samples: usize) {
    tile.stencil.clear();
    let range = |k: usize| {
        let low = (bounds[k] - origin[k]).clamp(0, TILE as i64) as usize;
        let high = (bounds[k + 2] - origin[k]).clamp(0, TILE as i64) as usize;
        low..high.max(low)
    };
    let columns = range(0);
    for y in range(1) {
        let row = (y * TILE + columns.start) * samples..(y * TILE + columns.end) * samples;
        tile.color[row.clone()].fill([0; 4]);
        tile.depth[row].fill(0.0);
    }
}
