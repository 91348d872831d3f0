//! Working memory of collision detection.

use crate::contact::Contact;
use ligament_geom::ccd::Ccd;
use ligament_geom::contact::ContactPoint;

/// Box around a body or flex in the broad phase.
#[derive(Debug, Clone, Copy, Default)]
pub struct SweepBox {
    pub min: [f64; 3],
    pub max: [f64; 3],
    /// Number of the body, or nbody + number of the flex.
    pub item: u32,
    /// Union of contact types and affinities.
    pub contype: i32,
    pub conaffinity: i32,
}

/// Buffers of collision detection.
#[derive(Debug, Default)]
pub struct Collision {
    /// Contact points of the current pair.
    pub points: Vec<ContactPoint>,
    /// Convex algorithms.
    pub ccd: Ccd,
    /// Boxes of all that can collide, by number.
    pub boxes: Vec<SweepBox>,
    /// Sort keys: coordinate, number of the box.
    pub order: Vec<(f32, u32)>,
    /// Boxes in the order of `order`.
    pub sorted: Vec<SweepBox>,
    /// Pairs of bodies or flexes that may touch.
    pub pairs: Vec<(u32, u32)>,
    /// Pairs of tree nodes to visit.
    pub nodes: Vec<(u32, u32)>,
    /// Contacts being sorted, and their keys.
    pub contacts: Vec<Contact>,
    pub keys: Vec<(i32, i32, u32)>,
}
