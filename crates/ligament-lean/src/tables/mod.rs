//! Everything that is computed once from a model: plain data.
//!
//! Indices are `u32` (or `i32` with −1 for none); nothing here points into the model. Numbers are `f64` in the tables of one
//! model and lanes in those of a group, whose worlds may have numbers of their own (`gather.rs`). Bodies, joints, dofs,
//! geoms, sites, tendons and actuators keep the numbers they have in the model.

mod actuation;
mod constraint;
mod gather;
mod muscle;
mod pairs;
mod panels;
mod path;
mod tree;

pub use actuation::{Actuator, ActuatorTables, Bias, Dynamics, Gain, Tendon, Transmission};
pub use constraint::{Couple, Impedance, JointLimit, RowTables, Softness};
pub(crate) use gather::{Gather, MOST};
pub use muscle::Muscle;
pub use pairs::{ContactClass, Pair, PairKind, PairTables};
pub use panels::Panels;
pub use path::{Around, Piece, Stretch};
pub use tree::{Body, Joint, JointKind, Tree};

use crate::accept::{Refusal, accept};
use ligament_model::Model;
use ligament_model::enums::{ConeType, DisableBit, Integrator, SolverType};

/// How the state is advanced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// Semi-implicit Euler, accelerations as they are.
    Euler,
    /// Semi-implicit Euler with implicit joint damping.
    EulerDamped,
    /// Implicit in all velocity-dependent forces but the bias forces.
    ImplicitFast,
    /// Implicit in all velocity-dependent forces: by the exact engine.
    Implicit,
    /// Runge-Kutta of fourth order.
    RungeKutta,
}

/// Stages that are computed lane by lane with the functions of the exact engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByLane {
    /// Actuators whose transmission is no joint and no tendon.
    pub actuation: bool,
    /// Forces of a fluid.
    pub fluid: bool,
    /// Some pairs of geoms.
    pub collision: bool,
    /// Controls of the past are kept.
    pub delays: bool,
}

impl ByLane {
    /// Does any stage need a `Data` of its own per lane?
    pub fn any(&self) -> bool {
        self.actuation || self.fluid || self.collision || self.delays
    }
}

/// Settings of the solver.
#[derive(Debug, Clone, Copy)]
pub struct SolverTables<N = f64> {
    pub elliptic: bool,
    pub iterations: usize,
    pub line_iterations: usize,
    pub tolerance: N,
    pub line_tolerance: N,
    /// What costs and gradients are multiplied by before they are compared with the tolerance.
    pub scale: N,
    /// The result depends on the path to it, so the exact engine's path is followed: few iterations are allowed, the cost is
    /// not made of quadratics, or the method is that of conjugate gradients.
    pub follow: bool,
    /// Directions are those of conjugate gradients instead of Newton's.
    pub conjugate: bool,
    /// The exact engine solves trees that no constraint connects apart from each other.
    pub islands: bool,
    /// It starts from the last acceleration where that is better than none.
    pub warmstart: bool,
}

/// The tables of a model.
#[derive(Debug, Clone)]
pub struct Tables<N = f64> {
    pub nq: usize,
    pub nv: usize,
    pub nu: usize,
    pub na: usize,
    pub nbody: usize,
    pub nmocap: usize,
    pub neq: usize,
    pub timestep: N,
    /// Zero when gravity is switched off.
    pub gravity: [N; 3],
    pub advance: Advance,
    pub solver: SolverTables<N>,
    pub tree: Tree<N>,
    pub actuation: ActuatorTables<N>,
    pub rows: RowTables<N>,
    pub pairs: PairTables<N>,
    pub by_lane: ByLane,
}

impl Tables {
    /// Computes the tables, or says what the model has that the lean step does not.
    pub fn new(m: &Model) -> Result<Self, Refusal> {
        accept(m)?;
        let tree = Tree::new(m);
        let actuation = ActuatorTables::new(m, &tree);
        let rows = RowTables::new(m, &tree);
        let mut pairs = PairTables::new(m, &tree)?;
        pairs.add_poses(m, &tree, &actuation.path_geoms);
        let by_lane = ByLane {
            actuation: actuation.by_lane,
            fluid: !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper))
                && (m.opt.density != 0.0 || m.opt.viscosity != 0.0),
            collision: pairs.pairs.iter().any(|p| p.kind == PairKind::ByLane),
            delays: m.nhistory > 0,
        };
        let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
        Ok(Self {
            nq: m.nq,
            nv: m.nv,
            nu: m.nu,
            na: m.na,
            nbody: m.nbody,
            nmocap: m.nmocap,
            neq: m.neq,
            timestep: m.opt.timestep,
            gravity,
            advance: advance(m),
            solver: solver(m),
            tree,
            actuation,
            rows,
            pairs,
            by_lane,
        })
    }
}

fn advance(m: &Model) -> Advance {
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Implicitfast) => Advance::ImplicitFast,
        Ok(Integrator::Implicit) => Advance::Implicit,
        Ok(Integrator::Rk4) => Advance::RungeKutta,
        _ => {
            let explicit = m.opt.disabled(DisableBit::Eulerdamp) || m.opt.disabled(DisableBit::Damper);
            let damped = m.dof_damping.iter().any(|&x| x > 0.0);
            if damped && !explicit { Advance::EulerDamped } else { Advance::Euler }
        }
    }
}

/// A solver that may use as many ends because it has converged.
const MANY_ITERATIONS: i32 = 20;

/// Iterations without end are for numbers that are none.
const MOST_ITERATIONS: i32 = 10_000;

fn solver(m: &Model) -> SolverTables {
    let elliptic = m.opt.cone == ConeType::Elliptic as i32;
    let conjugate = m.opt.solver == SolverType::Cg as i32;
    let few = m.opt.iterations < MANY_ITERATIONS || m.opt.ls_iterations < MANY_ITERATIONS;
    SolverTables {
        elliptic,
        iterations: m.opt.iterations.clamp(0, MOST_ITERATIONS) as usize,
        line_iterations: m.opt.ls_iterations.clamp(0, MOST_ITERATIONS) as usize,
        tolerance: m.opt.tolerance,
        line_tolerance: m.opt.ls_tolerance,
        scale: 1.0 / (m.stat.meaninertia * m.nv.max(1) as f64),
        follow: elliptic || conjugate || few,
        conjugate,
        islands: !m.opt.disabled(DisableBit::Island),
        warmstart: !m.opt.disabled(DisableBit::Warmstart),
    }
}
