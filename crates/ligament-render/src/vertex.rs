//! The vertex stage: from surfaces to triangles on the screen.

use crate::light::{Lamp, Look, shade};
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
}

/// A vertex on the screen. Everything but its place is divided by the distance, so that it varies linearly.
#[derive(Debug, Clone, Copy, Default)]
pub struct Point {
    /// Pixels in 1/256.
    pub x: i64,
    pub y: i64,
    pub z: f32,
    pub inverse_w: f32,
    pub rgba: [f32; 4],
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
    pub triangles: Vec<Triangle>,
    clip_space: Vec<ClipVertex>,
    placed: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ClipVertex {
    clip: Vec4,
    outside: u8,
    x: i64,
    y: i64,
}

/// A vertex with everything that varies over a triangle.
#[derive(Debug, Clone, Copy)]
struct Full {
    clip: Vec4,
    rgba: [f32; 4],
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

impl Triangles {
    /// Adds what is visible of a surface.
    pub fn add(&mut self, camera: &Camera, v: &Vertices<'_>, draw: u32) {
        let modelview = mul(&camera.view, &v.transform);
        let full = mul(&camera.projection, &modelview);
        if !is_visible(v.mesh, &full) {
            return;
        }
        let stage = Stage { camera, v, modelview, normal: normal_matrix(&modelview) };
        self.clip_space.clear();
        self.clip_space.extend(v.mesh.positions.iter().map(|&p| stage.classify(apply(&full, p, 1.0), p)));
        self.placed.clear();
        self.placed.resize(v.mesh.positions.len(), u32::MAX);
        for triangle in &v.mesh.triangles {
            let corners = triangle.map(|i| self.clip_space[i as usize]);
            if corners.iter().all(|c| c.outside == 0) {
                let ends = corners.map(|c| [c.x, c.y]);
                if stage.faces_away(ends) {
                    continue;
                }
                let points = triangle.map(|i| {
                    let slot = self.placed[i as usize];
                    if slot != u32::MAX {
                        return slot;
                    }
                    let corner = self.clip_space[i as usize];
                    self.points.push(finish(&stage.vertex(i as usize, corner.clip), corner.x, corner.y));
                    self.placed[i as usize] = self.points.len() as u32 - 1;
                    self.placed[i as usize]
                });
                self.push(points, ends, draw);
            } else if !outside_of_one(corners.map(|c| c.clip)) {
                let mut polygon: Vec<Full> = triangle
                    .iter()
                    .map(|&i| stage.vertex(i as usize, self.clip_space[i as usize].clip))
                    .collect();
                let reasons = corners.iter().fold(0, |all, c| all | c.outside);
                stage.cut(&mut polygon, reasons);
                self.add_polygon(&stage, &polygon, draw);
            }
        }
    }

    /// Adds a line of a given width in pixels, in one colour.
    pub fn add_line(&mut self, camera: &Camera, ends: [Vec3; 2], width: f32, rgba: [f32; 4], draw: u32) {
        let full = mul(&camera.projection, &camera.view);
        let corner = |p: Vec3| Full { clip: apply(&full, p, 1.0), rgba, texture: [0.0; 3], world: p };
        self.add_segment(camera, ends.map(corner), width, draw);
    }

    /// Adds the sides of the polygons of a surface as lines.
    pub fn add_wires(&mut self, camera: &Camera, v: &Vertices<'_>, width: f32, draw: u32) {
        let modelview = mul(&camera.view, &v.transform);
        let full = mul(&camera.projection, &modelview);
        if !is_visible(v.mesh, &full) {
            return;
        }
        let stage = Stage { camera, v, modelview, normal: normal_matrix(&modelview) };
        for edge in &v.mesh.edges {
            let ends =
                edge.map(|i| stage.vertex(i as usize, apply(&full, v.mesh.positions[i as usize], 1.0)));
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
            finish(&ends[end], at[0] + side * across[0], at[1] + side * across[1])
        });
        let first = self.points.len() as u32;
        self.points.extend(corners);
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            let ends = triangle.map(|k: usize| [corners[k].x, corners[k].y]);
            self.push(triangle.map(|k| first + k as u32), ends, draw);
        }
    }

    fn push(&mut self, [a, b, c]: [u32; 3], ends: [[i64; 2]; 3], draw: u32) {
        let points = if area(ends) < 0 { [a, c, b] } else { [a, b, c] };
        self.triangles.push(Triangle { points, draw });
    }

    fn add_polygon(&mut self, stage: &Stage<'_>, polygon: &[Full], draw: u32) {
        let placed: Vec<Point> = polygon
            .iter()
            .map(|vertex| {
                let [x, y] = stage.camera.on_screen(vertex.clip);
                finish(vertex, x, y)
            })
            .collect();
        for k in 2..placed.len() {
            let corners = [placed[0], placed[k - 1], placed[k]];
            let ends = corners.map(|p| [p.x, p.y]);
            if stage.faces_away(ends) {
                continue;
            }
            let first = self.points.len() as u32;
            self.points.extend(corners);
            self.push([first, first + 1, first + 2], ends, draw);
        }
    }
}

/// Twice the signed area.
fn area([a, b, c]: [[i64; 2]; 3]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

/// Whether all corners are beyond the same side of what the camera sees.
fn outside_of_one<const N: usize>(corners: [Vec4; N]) -> bool {
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
    mesh.corners().is_some_and(|corners| !outside_of_one(corners.map(|p| apply(full, p, 1.0))))
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
}

fn finish(vertex: &Full, x: i64, y: i64) -> Point {
    let inverse_w = 1.0 / vertex.clip[3];
    Point {
        x,
        y,
        z: vertex.clip[2] * inverse_w,
        inverse_w,
        rgba: vertex.rgba.map(|c| c * inverse_w),
        texture: vertex.texture.map(|c| c * inverse_w),
        world: vertex.world.map(|c| c * inverse_w),
    }
}

struct Stage<'a> {
    camera: &'a Camera,
    v: &'a Vertices<'a>,
    modelview: Mat4,
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
        ClipVertex { clip, outside, x, y }
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

    fn vertex(&self, index: usize, clip: Vec4) -> Full {
        let (mesh, v) = (self.v.mesh, self.v);
        let p = mesh.positions[index];
        let mut rgba = match v.lamps {
            Some(lamps) => {
                let n = mesh.normals[index];
                let normal = unit(self.normal.map(|row| dot(row, n)));
                shade(&v.look, lamps, v.global_light, v.glows, point(&self.modelview, p), normal)
            }
            None => v.look.rgba,
        };
        if let Some(&alpha) = mesh.alpha.get(index) {
            rgba[3] = alpha;
        }
        let texture = match v.mapping {
            Mapping::None => [0.0; 3],
            Mapping::Own => mesh.texture.get(index).map_or([0.0; 3], |t| [t[0], t[1], 0.0]),
            Mapping::Planar(scale) => [0.5 * scale[0] * p[0] - 0.5, -0.5 * scale[1] * p[1] - 0.5, 0.0],
            Mapping::Around(scale) => std::array::from_fn(|k| scale[k] * p[k]),
            Mapping::Sky => [p[0], p[2], -p[1]],
        };
        Full { clip, rgba, texture, world: point(&v.transform, p) }
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
        rgba: mix(a.rgba, b.rgba, t),
        texture: mix(a.texture, b.texture, t),
        world: mix(a.world, b.world, t),
    }
}
