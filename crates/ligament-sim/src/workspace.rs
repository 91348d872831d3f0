//! Working memory of the stages, kept between steps so that a warm step allocates nothing.
//!
//! Each stage owns one struct here. Nothing in it outlives the stage that filled it: a clone of the simulation state
//! starts with an empty workspace, and one workspace may serve any number of states in turn.

mod collision;
mod constraint;
mod flex;
mod loan;
mod sensor;
mod smooth;
mod solver;

pub use collision::{
    Collision, KnownTrees, NarrowPiece, PairPart, Parting, Partings, SWEEP_LANES, SweepBlock, SweepBox,
    SweepElement,
};
pub use constraint::{ConstraintScratch, ContactPiece, SparseRows, Verdict};
pub use flex::{Flex, FlexImplicit, FlexNodes};
pub use loan::Loan;
pub use sensor::{ContactMatch, MultiRay, Sensor};
pub use smooth::{Derivative, RungeKutta, Smooth};
pub use solver::{
    ActiveRow, Block, BlockJacobian, Carried, ConeHessian, FactorKind, Follows, Hessian, JoinedRows,
    KnownPattern, LineRows, NodePair, PairPiece, Particles, Partner, Run, SideBySide, SolverScratch,
    StartPoint, Tie, Touch, TouchRow, Xpbd,
};

use ligament_model::workspace::Workspace;
use std::sync::atomic::{AtomicBool, AtomicU32};

/// Who falls asleep with whom, where soft flexes hold trees together.
#[derive(Debug, Default)]
pub struct Sleeping {
    /// By tree: another of its group, or itself.
    pub group: Vec<u32>,
    /// Group and number of every tree, sorted.
    pub trees: Vec<(u32, i32)>,
    /// Trees of one group.
    pub members: Vec<i32>,
}

/// Trees that constraints join, by several threads at once.
#[derive(Debug, Default)]
pub struct Forest {
    /// By tree: one of a smaller number that it was joined with, or itself.
    pub parent: Vec<AtomicU32>,
    /// By tree: does a row act on it?
    pub touched: Vec<AtomicBool>,
}

/// Scratch space of all stages.
#[derive(Debug)]
pub struct Scratch {
    pub collision: Loan<Collision>,
    pub flex: Flex,
    pub flex_implicit: FlexImplicit,
    pub sensor: Loan<Sensor>,
    pub smooth: Loan<Smooth>,
    pub rk: RungeKutta,
    pub constraint: Loan<ConstraintScratch>,
    pub solver: Loan<SolverScratch>,
    pub side_by_side: Loan<SideBySide>,
    pub xpbd: Xpbd,
    pub sleepers: Sleeping,
    pub forest: Forest,
    /// What a solver that divided the step adds to the new velocity to have the one that positions follow.
    pub drift: Vec<f64>,
    pub derivative: Derivative,
    /// What a part panicked with, until the step ends with that error.
    pub part_failure: String,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            collision: Loan::new(),
            flex: Flex::default(),
            flex_implicit: FlexImplicit::default(),
            sensor: Loan::new(),
            smooth: Loan::new(),
            rk: RungeKutta::default(),
            constraint: Loan::new(),
            solver: Loan::new(),
            side_by_side: Loan::default(),
            xpbd: Xpbd::default(),
            sleepers: Sleeping::default(),
            forest: Forest::default(),
            drift: Vec::new(),
            derivative: Derivative::default(),
            part_failure: String::new(),
        }
    }
}

/// Access to what lies in the opaque workspace of a simulation state.
pub(crate) trait Scratches {
    /// The working memory, made on first use.
    fn scratch(&mut self) -> &mut Scratch;
}

impl Scratches for Workspace {
    #[inline(always)]
    fn scratch(&mut self) -> &mut Scratch {
        self.get()
    }
}
