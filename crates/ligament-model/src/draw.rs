//! What plugins, parts and callbacks add to the picture of a simulation (`visualize` of MuJoCo's plugins).

use crate::enums::{GeomType, VisFlag};

/// A shape that is drawn and takes no part in the simulation; lengths and places are those of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sketch {
    /// A solid, its size as in `geom_size`.
    Solid {
        /// What it looks like.
        kind: GeomType,
        /// Its size.
        size: [f64; 3],
        /// Its centre.
        pos: [f64; 3],
        /// Its orientation, by rows.
        mat: [f64; 9],
    },
    /// A capsule, a cylinder, an arrow or a line from one point to another.
    Connector {
        /// Which of these.
        kind: GeomType,
        /// Radius; of lines the width in pixels.
        width: f64,
        /// Where it begins.
        from: [f64; 3],
        /// Where it ends.
        to: [f64; 3],
    },
}

/// A scene that is being made, as seen by those who draw into it before the model itself is drawn.
pub trait Canvas {
    /// Whether the viewer asked for this kind of decoration.
    fn shows(&self, flag: VisFlag) -> bool;

    /// Adds a shape. With a number, the shape carries it (`objid`) and has a segment of its own. Returns false where the scene has
    /// no room left, or where shapes of this kind connect no points.
    fn draw(&mut self, sketch: &Sketch, rgba: [f32; 4], id: Option<usize>) -> bool;

    /// Gives a geom of the model another colour in this scene; how transparent it is stays.
    fn tint(&mut self, geom: usize, rgb: [f32; 3]);
}
