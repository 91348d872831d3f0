//! Numbers the reference fixes, under its names.

/// Smallest denominator.
pub const MINVAL: f64 = 1e-15;
/// Largest magnitude of positions, velocities and accelerations before the state counts as bad.
pub const MAXVAL: f64 = 1e10;
/// Smallest friction coefficient of a contact.
pub const MINMU: f64 = 1e-5;
/// Smallest constraint impedance.
pub const MINIMP: f64 = 1e-4;
/// Largest constraint impedance.
pub const MAXIMP: f64 = 0.9999;
/// Most contacts a pair of geoms can have.
pub const MAXCONPAIR: usize = 50;
/// Deepest bounding-volume tree.
pub const MAXTREEDEPTH: usize = 50;
/// Most nodes of an interpolated flex.
pub const MAXFLEXNODES: usize = 27;
/// Steps a tree has to be slow before it may sleep.
pub const MINAWAKE: i32 = 10;
/// Numbers of one equality constraint.
pub const NEQDATA: usize = 11;
/// Iterations of which solver statistics are kept, per island.
pub const NSOLVER: usize = 200;
/// Islands of which solver statistics are kept.
pub const NISLAND: usize = 20;
