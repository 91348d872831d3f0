//! Working memory of collision detection.

use ligament_geom::ccd::Ccd;
use ligament_geom::contact::ContactPoint;
use ligament_model::Contact;
use ligament_model::plugin::Descent;

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

impl SweepBox {
    /// Around nothing.
    pub const EMPTY: Self =
        Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3], item: 0, contype: 0, conaffinity: 0 };
}

/// Boxes compared at once in the sweep.
pub const SWEEP_LANES: usize = 8;

/// Some boxes of the sweep in its order, in single precision rounded outwards; unused lanes meet nothing.
#[derive(Debug, Clone, Copy)]
pub struct SweepBlock {
    /// Lower end along the axis of the sweep, rounded to nearest.
    pub start: [f32; SWEEP_LANES],
    /// Both ends along the other two axes.
    pub min: [[f32; SWEEP_LANES]; 2],
    pub max: [[f32; SWEEP_LANES]; 2],
}

impl SweepBlock {
    pub const EMPTY: Self = Self {
        start: [f32::INFINITY; SWEEP_LANES],
        min: [[f32::INFINITY; SWEEP_LANES]; 2],
        max: [[f32::NEG_INFINITY; SWEEP_LANES]; 2],
    };
}

/// An element of a flex in the sweep for contacts of the flex with itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct SweepElement {
    /// Sort key of its upper end along the axis of the sweep.
    pub end: u64,
    /// Its box along the other two axes.
    pub min: [f64; 2],
    pub max: [f64; 2],
    /// Bodies of its vertices, -1 for none.
    pub bodies: [i32; 4],
    pub element: u32,
}

/// What parted two convex geoms when they were looked at last: most pairs that are near each other stay apart for many steps,
/// and to see that a direction still parts them takes two support points.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parting {
    /// Unit direction towards the first geom, in its frame.
    pub(crate) axis: Option<[f64; 3]>,
    /// Hull vertices that were nearest along it.
    pub(crate) hints: [u32; 2],
}

/// Partings of pairs that were looked at lately. A pair has one place, where it may be replaced by another; whatever stands
/// there decides how fast a test is, never what it finds.
#[derive(Debug, Default)]
pub struct Partings(pub(crate) Vec<(u64, Parting)>);

/// Whose tree of bounding volumes no longer holds its geoms: poses and margins of a model may be changed after compiling, the
/// trees stay. Found again when something was changed.
#[derive(Debug, Default)]
pub struct KnownTrees {
    pub geom_pos: Vec<[f64; 3]>,
    pub geom_quat: Vec<[f64; 4]>,
    pub geom_margin: Vec<f64>,
    pub body_ipos: Vec<[f64; 3]>,
    pub body_iquat: Vec<[f64; 4]>,
    pub body_margin: Vec<f64>,
    /// By body.
    pub outgrown: Vec<bool>,
}

/// Buffers of collision detection.
#[derive(Debug, Default)]
pub struct Collision {
    /// Contact points of the current pair.
    pub points: Vec<ContactPoint>,
    /// Convex algorithms.
    pub ccd: Ccd,
    /// What parted pairs of convex geoms lately.
    pub partings: Partings,
    /// Boxes of all that can collide, by number.
    pub boxes: Vec<SweepBox>,
    /// Elements of the flex that is swept.
    pub elements: Vec<SweepElement>,
    /// Vertices of the soft flex in question: does the geom in question touch it? `None` where that is not known yet.
    pub touching: Vec<Option<bool>>,
    /// Sort keys: coordinate in the upper, number of the box in the lower half.
    pub order: Vec<u64>,
    /// Numbers of the boxes in the order in which they were swept last.
    pub last_order: Vec<u32>,
    /// Boxes in the order of `order`, and the same in blocks.
    pub sorted: Vec<SweepBox>,
    pub blocks: Vec<SweepBlock>,
    /// What pieces of the search for pairs found that were done side by side.
    pub swept: Vec<Vec<u64>>,
    /// Pairs of bodies or flexes that may touch: lower number in the upper half.
    pub pairs: Vec<u64>,
    /// Where the pairs of each body or flex begin while they are sorted.
    pub pair_starts: Vec<u32>,
    /// Pairs that are sorted side by side.
    pub pair_parts: Vec<PairPart>,
    /// Pairs of tree nodes to visit.
    pub nodes: Vec<(u32, u32)>,
    pub trees: KnownTrees,
    /// Contacts found so far; the state gets them when the search has ended.
    pub found: Vec<Contact>,
    /// Contacts being sorted, and their keys.
    pub contacts: Vec<Contact>,
    pub keys: Vec<(i32, i32, u32)>,
    /// Where distance fields of plugin instances were searched, in this order.
    pub descents: Vec<(usize, Descent)>,
    /// Pieces of the narrow phase that are done side by side.
    pub pieces: Vec<NarrowPiece>,
}

/// Pairs of consecutive bodies or flexes while they are sorted, and what that needs.
#[derive(Debug, Default)]
pub struct PairPart {
    pub pairs: Vec<u64>,
    pub buffer: Vec<u64>,
    pub starts: Vec<u32>,
}

/// One of the pieces.
#[derive(Debug, Default)]
pub struct NarrowPiece {
    pub scratch: Collision,
    pub contacts: Vec<Contact>,
    /// Operations that are left.
    pub effort: u64,
}
