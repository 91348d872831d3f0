//! What a pair function reports.

use ligament_math::Vec3;

/// Most points a pair of geoms can have.
pub const MAX_POINTS: usize = 50;

/// One point of contact between two shapes, world frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactPoint {
    /// Distance between the surfaces along the normal; negative when they penetrate.
    pub dist: f64,
    /// Midpoint between the two surfaces.
    pub pos: Vec3,
    /// From the first shape to the second; of unit length up to rounding.
    pub normal: Vec3,
    /// Preferred first tangent; zero when there is none.
    pub tangent: Vec3,
}

impl ContactPoint {
    /// A point without preferred tangent.
    pub fn new(dist: f64, pos: Vec3, normal: Vec3) -> Self {
        Self { dist, pos, normal, tangent: [0.0; 3] }
    }
}

/// Receives the points of a pair; cleared by the caller, keeps its capacity.
pub type ContactPoints = Vec<ContactPoint>;
