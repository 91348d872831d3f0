//! Working memory of the stages, kept between steps so that a warm step allocates nothing.
//!
//! Each stage owns one struct here. Nothing in it outlives the stage that filled it, so a clone of the
//! simulation state starts with empty scratch.

mod collision;
mod constraint;
mod flex;
mod sensor;
mod smooth;
mod solver;

pub use collision::{Collision, SweepBox, SweepElement};
pub use constraint::{ConstraintScratch, SparseRows};
pub use flex::{Flex, FlexImplicit, FlexNodes};
pub use sensor::{ContactMatch, MultiRay, Sensor};
pub use smooth::{Derivative, RungeKutta, Smooth};
pub use solver::{Block, BlockJacobian, Hessian, LineRows, SolverScratch};

/// Scratch space of all stages.
#[derive(Debug, Default)]
pub struct Scratch {
    pub collision: Collision,
    pub flex: Flex,
    pub flex_implicit: FlexImplicit,
    pub sensor: Sensor,
    pub smooth: Smooth,
    pub rk: RungeKutta,
    pub constraint: ConstraintScratch,
    pub solver: SolverScratch,
    pub derivative: Derivative,
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
