//! Triangles with normals, as the vertex stage takes them.

use crate::matrix::Vec3;
use std::collections::HashMap;

/// A surface in the frame of its object.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    /// Places of the vertices.
    pub positions: Vec<Vec3>,
    /// Normals at the vertices.
    pub normals: Vec<Vec3>,
    /// Texture coordinates of the vertices; empty when there are none.
    pub texture: Vec<[f32; 2]>,
    /// Opacity of the vertices; empty when it is that of the geom. Only the haze has it.
    pub alpha: Vec<f32>,
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Sides of the polygons that the triangles are parts of, for wire frames.
    pub edges: Vec<[u32; 2]>,
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    /// Runs of triangles with their boxes, so that much of a large surface can be left out at once.
    pub(crate) pieces: Vec<Piece>,
}

/// A run of triangles and the box around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub first: usize,
    pub last: usize,
    pub low: Vec3,
    pub high: Vec3,
}

/// Triangles of a piece.
const PIECE: usize = 128;

/// Collects polygons; vertices that agree in everything are shared.
#[derive(Debug, Default)]
pub struct Builder {
    mesh: Mesh,
    known: HashMap<[u32; 9], u32>,
}

/// One corner of a polygon.
#[derive(Debug, Clone, Copy, Default)]
pub struct Corner {
    pub pos: Vec3,
    pub normal: Vec3,
    pub texture: [f32; 2],
    pub alpha: f32,
}

impl Corner {
    pub fn new(pos: Vec3, normal: Vec3) -> Self {
        Self { pos, normal, ..Self::default() }
    }
}

impl Builder {
    fn vertex(&mut self, c: Corner) -> u32 {
        let numbers = [
            c.pos[0],
            c.pos[1],
            c.pos[2],
            c.normal[0],
            c.normal[1],
            c.normal[2],
            c.texture[0],
            c.texture[1],
            c.alpha,
        ];
        let mesh = &mut self.mesh;
        *self.known.entry(numbers.map(f32::to_bits)).or_insert_with(|| {
            mesh.positions.push(c.pos);
            mesh.normals.push(c.normal);
            mesh.texture.push(c.texture);
            mesh.alpha.push(c.alpha);
            mesh.positions.len() as u32 - 1
        })
    }

    pub fn triangle(&mut self, corners: [Corner; 3]) {
        let ids = corners.map(|c| self.vertex(c));
        self.mesh.triangles.push(ids);
        self.mesh.edges.extend([[ids[0], ids[1]], [ids[1], ids[2]], [ids[2], ids[0]]]);
    }

    /// A quadrilateral, split along the diagonal from the second to the fourth corner.
    pub fn quad(&mut self, corners: [Corner; 4]) {
        let [a, b, c, d] = corners.map(|c| self.vertex(c));
        self.mesh.triangles.extend([[a, b, d], [b, c, d]]);
        self.mesh.edges.extend([[a, b], [b, c], [c, d], [d, a]]);
    }

    /// The surface; without texture coordinates or opacities unless it has its own.
    pub fn finish(self, textured: bool, faded: bool) -> Mesh {
        let mut mesh = self.mesh;
        if !textured {
            mesh.texture.clear();
        }
        if !faded {
            mesh.alpha.clear();
        }
        mesh.with_bounds()
    }
}

impl Mesh {
    /// Finds the boxes around the surface and its pieces.
    pub fn with_bounds(mut self) -> Self {
        (self.low, self.high) = bounds(self.positions.iter().copied());
        self.pieces.clear();
        if self.triangles.len() > 2 * PIECE {
            let positions = &self.positions;
            self.pieces.extend(self.triangles.chunks(PIECE).enumerate().map(|(i, run)| {
                let (low, high) = bounds(run.as_flattened().iter().map(|&v| positions[v as usize]));
                Piece { first: i * PIECE, last: i * PIECE + run.len(), low, high }
            }));
        }
        self
    }
}

fn bounds(points: impl Iterator<Item = Vec3>) -> (Vec3, Vec3) {
    let none = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    points.fold(none, |(low, high), p| {
        (std::array::from_fn(|k| low[k].min(p[k])), std::array::from_fn(|k| high[k].max(p[k])))
    })
}
