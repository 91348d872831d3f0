//! The vertex stage: from surfaces to triangles on the screen.

use crate::light::{Lamp, Look, MAX_LIGHTS, shade};
use crate::matrix::{Mat4, Vec3, Vec4, apply, dot, mul, normal_matrix, point, unit};
use crate::mesh::Mesh;

/// Which side of triangles is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cull {
    None,
    Back,
    Front,
}

/// Where texture coordinates come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mapping {
    None,
    /// Those of the vertices.
    Own,
    /// Scaled x and y of the object.
    Planar([f32; 2]),
    /// Scaled position in the object.
    Around(Vec3),
    /// Position in the object, with z up, for the sky.
    Sky,
}

/// How the vertices of one surface are treated.
#[derive(Debug, Clone, Copy)]
pub struct Vertices<'a> {
    pub mesh: &'a Mesh,
    /// From the object to the world.
    pub transform: Mat4,
    pub look: Look,
    pub mapping: Mapping,
    /// Lights; `None` draws the plain colour.
    pub lamps: Option<&'a [Lamp]>,
    /// Lights that arrive in passes of their own: each gives a further layer of colours.
    pub relights: &'a [Lamp],
    pub global_light: f32,
    pub glows: bool,
    pub cull: Cull,
    /// Mirror images turn triangles round.
    pub mirrored: bool,
    /// Points with a negative value of this plane in the world are cut off.
    pub clip: Option<Vec4>,
}

/// A camera and the part of the picture that it fills.
#[derive(Debug, Clone, Copy)]
pub struct Camera {
    pub view: Mat4,
    pub projection: Mat4,
    /// Lower left corner and size in pixels.
    pub viewport: [f32; 4],
    /// Left, bottom, right, top of what can be drawn on, in subpixels.
    pub bounds: [i64; 4],
    /// Distance of samples along both axes, in subpixels; the first is at half of it.
    pub grid: i64,
}

/// A vertex on the screen. Everything but its place is divided by the distance, so that it varies linearly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Point {
    /// Pixels in 1/256.
    pub x: i64,
    pub y: i64,
    pub z: f32,
    pub inverse_w: f32,
    pub texture: Vec3,
    pub world: Vec3,
}

/// Three points, counter-clockwise, and the draw call they belong to.
#[derive(Debug, Clone, Copy)]
pub struct Triangle {
    pub points: [u32; 3],
    pub draw: u32,
}

/// Triangles of a frame in the order in which they are drawn.
#[derive(Debug, Default)]
pub struct Triangles {
    pub points: Vec<Point>,
    /// Colours of the points, divided by the distance: as many for each as there are layers.
    pub colors: Vec<[f32; 4]>,
    pub layers: usize,
    pub triangles: Vec<Triangle>,
    vertices: Vec<ClipVertex>,
    /// The surface that is being added; vertices of others are out of date.
    surface: u32,
}

/// A vertex of the surface that is being added.
#[derive(Debug, Clone, Copy, Default)]
struct ClipVertex {
    clip: Vec4,
    x: i64,
    y: i64,
    surface: u32,
    /// Its place among the points.
    point: u32,
    outside: u8,
}

/// A vertex with everything that varies over a triangle.
#[derive(Debug, Clone, Copy)]
struct Full {
    clip: Vec4,
    rgba: [[f32; 4]; MAX_LAYERS],
    texture: Vec3,
    world: Vec3,
}

const NEAR: u8 = 1;
const FAR: u8 = 2;
const CUT: u8 = 4;
/// Too far from the screen for exact arithmetic.
const WIDE: u8 = 8;
/// Units of screen coordinates in a pixel.
pub const SUBPIXEL: f32 = 256.0;
/// Bound of screen coordinates, relative to the size of the picture.
const GUARD: f32 = 64.0;
/// Screen coordinates of anything, however far: products of two of them fit into their type.
const FARTHEST: f32 = 1e9;
/// Colours of a vertex: that of the lamps without shadows, and one for each lamp that casts them.
const MAX_LAYERS: usize = 1 + MAX_LIGHTS;
const UNPLACED: u32 = u32::MAX;

impl Triangles {
    /// Forgets everything but its memory.
    pub fn clear(&mut self, layers: usize) {
        self.points.clear();
        self.colors.clear();
        self.triangles.clear();
        self.layers = layers;
    }

    /// Adds what is visible of a surface.
    pub fn add(&mut self, camera: &Camera, v: &Vertices<'_>, draw: u32) {
        self.add_where(camera, v, draw, |_| true);
    }

    /// Adds what is visible of a surface, in those of its pieces whose boxes, as the camera sees their corners, are wanted.
    pub fn add_where(
        &mut self,
        camera: &Camera,
        v: &Vertices<'_>,
        draw: u32,
        wanted: impl Fn(&[Vec4; 8]) -> bool,
    ) {
        let modelview = mul(&camera.view, &v.transform);
        let full = mul(&camera.projection, &modelview);
        let stage = Stage { camera, v, modelview, full, normal: normal_matrix(&modelview) };
        let visible = |low: Vec3, high: Vec3| {
            let corners = box_corners(low, high).map(|p| apply(&full, p, 1.0));
            !outside_of_one(&corners) && wanted(&corners)
        };
        if v.mesh.positions.is_empty() || !visible(v.mesh.low, v.mesh.high) {
            return;
        }
        self.surface = self.surface.wrapping_add(1);
        if self.surface == 0 {
            self.vertices.clear(); // their marks are of an earlier round
            self.surface = 1;
        }
        if self.vertices.len() < v.mesh.positions.len() {
            self.vertices.resize(v.mesh.positions.len(), ClipVertex::default());
        }
        for piece in &v.mesh.pieces {
            if visible(piece.low, piece.high) {
                self.add_piece(&stage, &v.mesh.triangles[piece.first..piece.last], draw);
            }
        }
        if v.mesh.pieces.is_empty() {
            self.add_piece(&stage, &v.mesh.triangles, draw);
        }
    }

    fn add_piece(&mut self, stage: &Stage<'_>, triangles: &[[u32; 3]], draw: u32) {
        for triangle in triangles {
            let corners = triangle.map(|i| self.vertex(stage, i));
            if corners.iter().all(|c| c.outside == 0) {
                let ends = corners.map(|c| [c.x, c.y]);
                if !stage.faces_away(ends) && stage.camera.samples(ends) {
                    let points = triangle.map(|i| self.place(stage, i));
                    self.push(points, ends, draw);
                }
            } else if !outside_of_one(&corners.map(|c| c.clip)) {
                let mut polygon: Vec<Full> =
                    (0..3).map(|k| stage.full(triangle[k] as usize, corners[k].clip, self.layers)).collect();
                let reasons = corners.iter().fold(0, |all, c| all | c.outside);
                stage.cut(&mut polygon, reasons);
                self.add_polygon(stage, &polygon, draw);
            }
        }
    }

    /// A vertex as the camera sees it.
    #[inline]
    fn vertex(&mut self, stage: &Stage<'_>, index: u32) -> ClipVertex {
        let vertex = &mut self.vertices[index as usize];
        if vertex.surface != self.surface {
            let p = stage.v.mesh.positions[index as usize];
            *vertex = ClipVertex { surface: self.surface, ..stage.classify(apply(&stage.full, p, 1.0), p) };
        }
        *vertex
    }

    /// The point of a vertex that is needed.
    #[inline]
    fn place(&mut self, stage: &Stage<'_>, index: u32) -> u32 {
        let ClipVertex { clip, x, y, point, .. } = self.vertices[index as usize];
        if point != UNPLACED {
            return point;
        }
        let index = index as usize;
        let inverse_w = 1.0 / clip[3];
        self.points.push(Point {
            x,
            y,
            z: clip[2] * inverse_w,
            inverse_w,
            texture: stage.texture(index).map(|c| c * inverse_w),
            world: stage.world(index).map(|c| c * inverse_w),
        });
        let place = self.points.len() as u32 - 1;
        for layer in 0..self.layers {
            self.colors.push(stage.color(index, layer).map(|c| c * inverse_w));
        }
        self.vertices[index].point = place;
        place
    }

    /// Adds a line of a given width in pixels, in one colour.
    pub fn add_line(&mut self, camera: &Camera, ends: [Vec3; 2], width: f32, rgba: [f32; 4], draw: u32) {
        let full = mul(&camera.projection, &camera.view);
        let corner = |p: Vec3| {
            let rgba = [rgba; MAX_LAYERS];
            Full { clip: apply(&full, p, 1.0), rgba, texture: [0.0; 3], world: p }
        };
        self.add_segment(camera, ends.map(corner), width, draw);
    }

    /// Adds the sides of the polygons of a surface as lines.
    pub fn add_wires(&mut self, camera: &Camera, v: &Vertices<'_>, width: f32, draw: u32) {
        let modelview = mul(&camera.view, &v.transform);
        let full = mul(&camera.projection, &modelview);
        if !is_visible(v.mesh, &full) {
            return;
        }
        let stage = Stage { camera, v, modelview, full, normal: normal_matrix(&modelview) };
        for edge in &v.mesh.edges {
            let clip = |i: u32| apply(&full, v.mesh.positions[i as usize], 1.0);
            let ends = edge.map(|i| stage.full(i as usize, clip(i), self.layers));
            self.add_segment(camera, ends, width, draw);
        }
    }

    fn add_segment(&mut self, camera: &Camera, mut ends: [Full; 2], width: f32, draw: u32) {
        let inside: [fn(&Full) -> f32; 2] = [|v| v.clip[3] - v.clip[2], |v| v.clip[2]];
        for side in inside {
            let distances = [side(&ends[0]), side(&ends[1])];
            match distances.map(|d| d >= 0.0) {
                [true, true] => {}
                [false, false] => return,
                [first, _] => {
                    let cut = between(&ends[0], &ends[1], distances[0] / (distances[0] - distances[1]));
                    ends[usize::from(first)] = cut;
                }
            }
        }
        let [a, b] = ends.map(|end| camera.on_screen(end.clip));
        let direction = [(b[0] - a[0]) as f32, (b[1] - a[1]) as f32];
        let length = (direction[0] * direction[0] + direction[1] * direction[1]).sqrt();
        if length == 0.0 || a.iter().chain(&b).any(|x| x.abs() > 1 << 30) {
            return;
        }
        let half = 0.5 * width * SUBPIXEL / length;
        let across = [-direction[1], direction[0]].map(|c| (c * half).clamp(-FARTHEST, FARTHEST) as i64);
        let corners = [(0, -1), (1, -1), (1, 1), (0, 1)].map(|(end, side)| {
            let at: [i64; 2] = if end == 0 { a } else { b };
            let place = [at[0] + side * across[0], at[1] + side * across[1]];
            self.finish(&ends[end], place);
            place
        });
        let first = self.points.len() as u32 - 4;
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            let ends = triangle.map(|k: usize| corners[k]);
            self.push(triangle.map(|k| first + k as u32), ends, draw);
        }
    }

    fn push(&mut self, [a, b, c]: [u32; 3], ends: [[i64; 2]; 3], draw: u32) {
        let points = if area(ends) < 0 { [a, c, b] } else { [a, b, c] };
        self.triangles.push(Triangle { points, draw });
    }

    fn add_polygon(&mut self, stage: &Stage<'_>, polygon: &[Full], draw: u32) {
        let first = self.points.len() as u32;
        for vertex in polygon {
            self.finish(vertex, stage.camera.on_screen(vertex.clip));
        }
        for k in 2..polygon.len() as u32 {
            let corners = [first, first + k - 1, first + k];
            let ends = corners.map(|i| [self.points[i as usize].x, self.points[i as usize].y]);
            if !stage.faces_away(ends) && stage.camera.samples(ends) {
                self.push(corners, ends, draw);
            }
        }
    }

    /// Adds the point of a vertex.
    fn finish(&mut self, vertex: &Full, [x, y]: [i64; 2]) {
        let inverse_w = 1.0 / vertex.clip[3];
        self.points.push(Point {
            x,
            y,
            z: vertex.clip[2] * inverse_w,
            inverse_w,
            texture: vertex.texture.map(|c| c * inverse_w),
            world: vertex.world.map(|c| c * inverse_w),
        });
        self.colors.extend(vertex.rgba[..self.layers].iter().map(|rgba| rgba.map(|c| c * inverse_w)));
    }
}

/// Twice the signed area.
fn area([a, b, c]: [[i64; 2]; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Whether all corners are beyond the same side of what the camera sees.
fn outside_of_one<const N: usize>(corners: &[Vec4; N]) -> bool {
    let sides: [fn(&Vec4) -> bool; 6] = [
        |c| c[0] < -c[3],
        |c| c[0] > c[3],
        |c| c[1] < -c[3],
        |c| c[1] > c[3],
        |c| c[2] > c[3],
        |c| c[2] < 0.0,
    ];
    sides.iter().any(|side| corners.iter().all(side))
}

fn is_visible(mesh: &Mesh, full: &Mat4) -> bool {
    let corners = box_corners(mesh.low, mesh.high).map(|p| apply(full, p, 1.0));
    !mesh.positions.is_empty() && !outside_of_one(&corners)
}

fn box_corners(low: Vec3, high: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|i| std::array::from_fn(|k| if i >> k & 1 == 1 { high[k] } else { low[k] }))
}

impl Camera {
    /// Place on the screen in subpixels.
    fn on_screen(&self, [x, y, _, w]: Vec4) -> [i64; 2] {
        let [left, bottom, width, height] = self.viewport;
        let inverse = 1.0 / w;
        let pixel = |ndc: f32, start: f32, size: f32| (start + (ndc * 0.5 + 0.5) * size) * SUBPIXEL;
        let x = pixel(x * inverse, left, width);
        let y = pixel(y * inverse, bottom, height);
        [x, y].map(|c| c.round().clamp(-FARTHEST, FARTHEST) as i64)
    }

    /// Whether the box around a triangle has a sample in it.
    #[inline]
    fn samples(&self, [a, b, c]: [[i64; 2]; 3]) -> bool {
        (0..2).all(|k| {
            let low = a[k].min(b[k]).min(c[k]).max(self.bounds[k]);
            let high = a[k].max(b[k]).max(c[k]).min(self.bounds[k + 2]);
            // the last sample that is not beyond the upper end
            let half = self.grid / 2;
            ((high - half) & !(self.grid - 1)) + half >= low
        })
    }
}

struct Stage<'a> {
    camera: &'a Camera,
    v: &'a Vertices<'a>,
    modelview: Mat4,
    full: Mat4,
    normal: [Vec3; 3],
}

impl Stage<'_> {
    fn classify(&self, clip: Vec4, p: Vec3) -> ClipVertex {
        let [x, y, z, w] = clip;
        let mut outside = 0;
        if !(z <= w) || !(w > 0.0) {
            outside |= NEAR;
        }
        if !(z >= 0.0) {
            outside |= FAR;
        }
        if x.abs() > GUARD * w || y.abs() > GUARD * w {
            outside |= WIDE;
        }
        if let Some(plane) = self.v.clip {
            let [a, b, c] = point(&self.v.transform, p);
            if plane[0] * a + plane[1] * b + plane[2] * c + plane[3] < 0.0 {
                outside |= CUT;
            }
        }
        let [x, y] = if outside == 0 { self.camera.on_screen(clip) } else { [0, 0] };
        ClipVertex { clip, x, y, surface: 0, point: UNPLACED, outside }
    }

    fn faces_away(&self, ends: [[i64; 2]; 3]) -> bool {
        let area = area(ends);
        let front = if self.v.mirrored { area < 0 } else { area > 0 };
        match self.v.cull {
            Cull::None => area == 0,
            Cull::Back => !front,
            Cull::Front => front || area == 0,
        }
    }

    /// Colour of a vertex: the first layer has the lamps without shadows, each other one a single lamp.
    #[inline]
    fn color(&self, index: usize, layer: usize) -> [f32; 4] {
        let (mesh, v) = (self.v.mesh, self.v);
        let lamps = if layer == 0 { v.lamps } else { v.relights.get(layer - 1).map(std::slice::from_ref) };
        let mut rgba = match lamps {
            Some(lamps) => {
                let n = mesh.normals[index];
                let normal = unit(self.normal.map(|row| dot(row, n)));
                let at = point(&self.modelview, mesh.positions[index]);
                let glows = v.glows && layer == 0;
                let global = if layer == 0 { v.global_light } else { 0.0 };
                shade(&v.look, lamps, global, glows, at, normal)
            }
            None => v.look.rgba,
        };
        if let Some(&alpha) = mesh.alpha.get(index) {
            rgba[3] = alpha;
        }
        rgba
    }

    #[inline]
    fn texture(&self, index: usize) -> Vec3 {
        let p = self.v.mesh.positions[index];
        match self.v.mapping {
            Mapping::None => [0.0; 3],
            Mapping::Own => self.v.mesh.texture.get(index).map_or([0.0; 3], |t| [t[0], t[1], 0.0]),
            Mapping::Planar(scale) => [0.5 * scale[0] * p[0] - 0.5, -0.5 * scale[1] * p[1] - 0.5, 0.0],
            Mapping::Around(scale) => std::array::from_fn(|k| scale[k] * p[k]),
            Mapping::Sky => [p[0], p[2], -p[1]],
        }
    }

    #[inline]
    fn world(&self, index: usize) -> Vec3 {
        point(&self.v.transform, self.v.mesh.positions[index])
    }

    fn full(&self, index: usize, clip: Vec4, layers: usize) -> Full {
        let mut rgba = [[0.0; 4]; MAX_LAYERS];
        for (layer, color) in rgba[..layers].iter_mut().enumerate() {
            *color = self.color(index, layer);
        }
        Full { clip, rgba, texture: self.texture(index), world: self.world(index) }
    }

    /// Cuts a polygon along the planes for which it was found to be outside (Sutherland and Hodgman 1974).
    fn cut(&self, polygon: &mut Vec<Full>, reasons: u8) {
        if reasons & NEAR != 0 {
            clip_by(polygon, |v| v.clip[3] - v.clip[2]);
        }
        if reasons & FAR != 0 {
            clip_by(polygon, |v| v.clip[2]);
        }
        if reasons & CUT != 0
            && let Some(p) = self.v.clip
        {
            clip_by(polygon, |v| p[0] * v.world[0] + p[1] * v.world[1] + p[2] * v.world[2] + p[3]);
        }
        // vertices before the near plane say nothing about the sides
        if reasons & (WIDE | NEAR) != 0 {
            for (axis, sign) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)] {
                clip_by(polygon, |v| GUARD * v.clip[3] + sign * v.clip[axis]);
            }
        }
    }
}

fn clip_by(polygon: &mut Vec<Full>, inside: impl Fn(&Full) -> f32) {
    let mut result = Vec::with_capacity(polygon.len() + 1);
    for i in 0..polygon.len() {
        let (a, b) = (&polygon[i], &polygon[(i + 1) % polygon.len()]);
        let (da, db) = (inside(a), inside(b));
        if da >= 0.0 {
            result.push(*a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            result.push(between(a, b, da / (da - db)));
        }
    }
    *polygon = result;
}

fn between(a: &Full, b: &Full, t: f32) -> Full {
    fn mix<const N: usize>(a: [f32; N], b: [f32; N], t: f32) -> [f32; N] {
        std::array::from_fn(|k| a[k] + (b[k] - a[k]) * t)
    }
    Full {
        clip: mix(a.clip, b.clip, t),
        rgba: std::array::from_fn(|layer| mix(a.rgba[layer], b.rgba[layer], t)),
        texture: mix(a.texture, b.texture, t),
        world: mix(a.world, b.world, t),
    }
}
