//! Four worlds of one model, stage by stage together.
//!
//! Poses, inertias, their factors, velocities and bias forces are the same operations in every world, whatever its state: four
//! worlds compute them in the four places of a register. What depends on contacts goes on world by world. Kernels are
//! those of a single world, with another [`Number`](ligament_math::Number), so that every world has the bits that it has alone.

pub use crate::lanes::Lanes;

use crate::awake;
use crate::derivative::smooth::smooth_vel_with;
use crate::error::StepError;
use crate::forward::{Tree, belongs, check_belongs, controlled_acceleration, position_stage, velocity_stage};
use crate::inertia;
use crate::integrate::{self, add_damping, add_derivatives, advance_by, has_implicit_damping};
use crate::inverse::compare_fwd_inv;
use crate::kinematics::poses_together;
use crate::lanes::{gather, scatter};
use crate::part_set::{self, MujocoParts};
use crate::reset::{check_pos, check_vel};
use crate::step::check_acc;
use crate::velocity::velocities_together;
use ligament_model::enums::{EnableBit, Integrator, Stage};
use ligament_model::workspace::Workspace;
use ligament_model::{Data, Model};

/// One of the worlds. What fails in it stops it, not the others.
#[derive(Debug)]
pub struct Member<'a> {
    /// Its state.
    pub data: &'a mut Data,
    /// What became of it so far.
    pub outcome: Result<(), StepError>,
    /// It takes no part for now.
    pub rests: bool,
}

impl<'a> Member<'a> {
    /// A world that takes part.
    pub fn new(data: &'a mut Data) -> Self {
        Self { data, outcome: Ok(()), rests: false }
    }

    /// Does something in this world, with working memory that worlds share, unless it has failed or rests.
    fn run(&mut self, memory: &mut Workspace, work: impl FnOnce(&mut Data) -> Result<(), StepError>) {
        if self.outcome.is_ok() && !self.rests {
            std::mem::swap(&mut self.data.workspace, memory);
            self.outcome = work(self.data);
            std::mem::swap(&mut self.data.workspace, memory);
        }
    }
}

/// What one simulation needs beside it to become four: three more of them, and memory to compute together.
#[derive(Debug)]
pub struct Quartet {
    /// Simulations like the first one.
    pub others: [Data; 3],
    /// Working memory.
    pub lanes: Lanes,
}

impl Quartet {
    /// Three copies of a simulation.
    pub fn new(m: &Model, first: &Data) -> Self {
        Self { others: std::array::from_fn(|_| first.clone()), lanes: Lanes::new(m, first) }
    }

    /// All four.
    pub fn with<'a>(&'a mut self, first: &'a mut Data) -> ([Member<'a>; 4], &'a mut Lanes) {
        let [second, third, fourth] = &mut self.others;
        ([first, second, third, fourth].map(Member::new), &mut self.lanes)
    }
}

/// Can four worlds of this model compute together? Sleeping trees, armature of tendons, flexes, plugins and solvers of
/// one's own need worlds of their own, and so do models that are too large for the caches to hold four of them.
pub fn can_step_together(m: &Model) -> bool {
    const MAX_DOFS: usize = 200;
    !awake::sleep_enabled(m)
        && m.nplugin == 0
        && m.nflex == 0
        && m.parts.solver().is_none()
        && m.nv <= MAX_DOFS
        && m.tendon_armature.iter().all(|&armature| armature == 0.0)
        && Integrator::try_from(m.opt.integrator).is_ok()
}

/// Are worlds and working memory of this model, and do all of them take part?
fn fits(m: &Model, four: &[Member; 4], lanes: &Lanes) -> bool {
    let takes_part = |member: &Member| member.outcome.is_ok() && !member.rests && belongs(m, member.data);
    can_step_together(m) && lanes.fits(four[0].data) && four.iter().all(takes_part)
}

/// Does something in every world that takes part, one after the other.
pub fn each(
    four: &mut [Member; 4],
    lanes: &mut Lanes,
    mut work: impl FnMut(&mut Data) -> Result<(), StepError>,
) {
    for member in four {
        member.run(&mut lanes.workspace, &mut work);
    }
}

macro_rules! gather {
    ($lanes:ident, $four:ident, $($field:ident)*) => {
        let [a, b, c, d] = &*$four;
        $(gather([&a.data.$field[..], &b.data.$field, &c.data.$field, &d.data.$field], &mut $lanes.$field[..]);)*
    };
}

macro_rules! scatter {
    ($lanes:ident, $four:ident, $($field:ident)*) => {
        let [a, b, c, d] = &mut *$four;
        $(scatter(
            &$lanes.$field[..],
            [&mut a.data.$field[..], &mut b.data.$field, &mut c.data.$field, &mut d.data.$field],
        );)*
    };
}

/// A step of each world ([`crate::step::step`]).
pub fn step(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes) {
    if !fits(m, four, lanes) {
        return each(four, lanes, |d| crate::step::step(m, d));
    }
    each(four, lanes, |d| {
        check_belongs(m, d)?;
        check_pos(m, d)?;
        Ok(check_vel(m, d)?)
    });
    trees(m, four, lanes, Stage::Vel);
    each(four, lanes, |d| {
        after_trees(m, d, Stage::Acc, false)?;
        check_acc(m, d)?;
        if m.opt.enabled(EnableBit::Fwdinv) { compare_fwd_inv(m, d) } else { Ok(()) }
    });
    match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Euler) => euler(m, four, lanes),
        Ok(Integrator::Implicitfast) => implicit_fast(m, four, lanes),
        Ok(Integrator::Implicit) => each(four, lanes, |d| integrate::implicit(m, d)),
        Ok(Integrator::Rk4) => runge_kutta4(m, four, lanes),
        Err(_) => each(four, lanes, |_| Err(StepError::Integrator)),
    }
}

/// The stages up to `last` in each world ([`crate::step::forward_to`]).
pub fn forward_to(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes, last: Stage) {
    if last == Stage::None || !fits(m, four, lanes) {
        return each(four, lanes, |d| crate::step::forward_to(m, d, last));
    }
    each(four, lanes, |d| check_belongs(m, d));
    trees(m, four, lanes, last);
    each(four, lanes, |d| after_trees(m, d, last, false));
}

/// What four worlds compute together of the stages up to `last`. All of it comes first, so that each world then has its own
/// numbers in the caches until the step ends.
fn trees(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes, last: Stage) {
    gather!(lanes, four, qpos mocap_pos mocap_quat);
    poses_together(m, lanes);
    inertia::factor_m_together(m, lanes);
    scatter!(lanes, four,
        xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat
        subtree_com cinert cdof crb M qLD qLDiagInv
    );
    if last >= Stage::Vel {
        gather!(lanes, four, qvel);
        velocities_together(m, lanes);
        scatter!(lanes, four, cvel cdof_dot qfrc_bias);
    }
}

/// The rest of the stages up to `last`, in one world.
fn after_trees(m: &Model, d: &mut Data, last: Stage, skip_sensor: bool) -> Result<(), StepError> {
    inertia::copy_to_qM(m, d);
    position_stage(m, d, skip_sensor, Tree::Known)?;
    if last >= Stage::Vel {
        velocity_stage(m, d, skip_sensor, Tree::Known, &MujocoParts)?;
    }
    if last >= Stage::Acc {
        controlled_acceleration(m, d, skip_sensor, &MujocoParts)?;
    }
    Ok(())
}

/// [`integrate::euler`]
fn euler(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes) {
    if !has_implicit_damping(m) || m.dof_damping.iter().all(|&damping| damping <= 0.0) {
        each(four, lanes, |d| integrate::euler(m, d));
        return;
    }
    each(four, lanes, |d| {
        add_damping(m, d);
        Ok(())
    });
    solve_and_advance(m, four, lanes);
}

/// [`integrate::implicit`] without derivatives of bias forces.
fn implicit_fast(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes) {
    each(four, lanes, |d| {
        smooth_vel_with(m, d, false, &MujocoParts);
        part_set::check(m, d)?;
        add_derivatives(m, d);
        Ok(())
    });
    solve_and_advance(m, four, lanes);
}

/// Solves qH qacc = forces in each world, and moves its state.
fn solve_and_advance(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes) {
    gather!(lanes, four, qfrc_smooth qfrc_constraint);
    let forces = lanes.qfrc_smooth.iter().zip(&lanes.qfrc_constraint);
    for (sum, (&smooth, &constraint)) in lanes.solution.iter_mut().zip(forces) {
        *sum = smooth + constraint;
    }
    let [a, b, c, d] = four.each_mut().map(|member| &mut *member.data);
    gather([&a.qH[..], &b.qH, &c.qH, &d.qH], &mut lanes.qLD[..]);
    inertia::solve_together(m, lanes);
    scatter(&lanes.qLD[..], [&mut a.qH[..], &mut b.qH, &mut c.qH, &mut d.qH]);
    scatter(
        &lanes.qLDiagInv[..],
        [&mut a.qHDiagInv[..], &mut b.qHDiagInv, &mut c.qHDiagInv, &mut d.qHDiagInv],
    );
    scatter(&lanes.solution[..], lanes.accelerations.each_mut().map(|numbers| &mut numbers[..]));
    for (member, qacc) in four.iter_mut().zip(&lanes.accelerations) {
        member.run(&mut lanes.workspace, |d| advance_by(m, d, qacc));
    }
}

/// [`integrate::runge_kutta4`]
fn runge_kutta4(m: &Model, four: &mut [Member; 4], lanes: &mut Lanes) {
    let begun = four.each_ref().map(|member| member.outcome.is_ok());
    for (member, rk) in four.iter().zip(&mut lanes.runge_kutta) {
        rk.begin(m, member.data);
    }
    for k in integrate::INNER {
        for (member, rk) in four.iter_mut().zip(&mut lanes.runge_kutta) {
            if member.outcome.is_ok() {
                rk.move_to(m, member.data, k);
            }
        }
        trees(m, four, lanes, Stage::Vel);
        each(four, lanes, |d| after_trees(m, d, Stage::Acc, true));
        for (member, rk) in four.iter().zip(&mut lanes.runge_kutta) {
            rk.record(m, member.data, k);
        }
    }
    let Lanes { runge_kutta, workspace, .. } = lanes;
    for ((member, rk), begun) in four.iter_mut().zip(runge_kutta).zip(begun) {
        if begun {
            let outcome = std::mem::replace(&mut member.outcome, Ok(()));
            member.run(workspace, |d| rk.finish(m, d, outcome, &MujocoParts));
        }
    }
}
