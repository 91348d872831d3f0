//! Forward dynamics: the order of the stages from positions to accelerations. Each stage says what it reads and writes.

use crate::abreast;
use crate::access::{Access, access};
use crate::actuation::{fwd_actuation_with, moment_pattern};
use crate::awake::{self, Selection};
use crate::collision::{collision, timed_collision};
use crate::constraint::{make_constraint, project_constraint, reference_constraint};
use crate::energy::{energy_pos, energy_vel};
use crate::error::StepError;
use crate::flex::{self, flex_kinematics};
use crate::inertia;
use crate::island::island;
use crate::kinematics::{cam_light, poses_and_centres};
use crate::parallel;
use crate::part_set::{self, MujocoParts, PartSet};
use crate::passive::{other_passive_with, passive_with};
use crate::sensor::{sensor_acc, sensor_pos, sensor_vel};
use crate::sleep;
use crate::solver::fwd_constraint_with;
use crate::support::{self, Motion};
use crate::tendon::tendon;
use crate::timing::{add, count, lap, now};
use crate::transmission::transmission;
use crate::velocity::{bias, com_vel, tendon_bias, velocities_and_bias};
use crate::workspace::Scratches as _;
use ligament_math::dense;
use ligament_math::sparse::{self, Pattern};
use ligament_model::enums::{DisableBit, EnableBit, SolverType, Stage, Timer};
use ligament_model::fault::Fault;
use ligament_model::{Data, Model};
use std::ops::Range;

/// Forward dynamics: everything up to the acceleration, without moving the state.
pub fn forward(m: &Model, d: &mut Data) -> Result<(), StepError> {
    forward_skip(m, d, Stage::None, false)
}

/// The stages up to `last` at the current state, with their sensors, without moving the state.
pub fn forward_to(m: &Model, d: &mut Data, last: Stage) -> Result<(), StepError> {
    check_belongs(m, d)?;
    match last {
        Stage::None => Ok(()),
        Stage::Pos => position_stage(m, d, false, Tree::Compute),
        Stage::Vel => {
            position_stage(m, d, false, Tree::Compute)?;
            velocity_stage(m, d, false, Tree::Compute, &MujocoParts)
        }
        Stage::Acc => forward(m, d),
    }
}

/// Forward dynamics without the stages up to `skip_stage`, whose results are still valid, and without sensors and
/// energy when `skip_sensor` is set.
pub fn forward_skip(m: &Model, d: &mut Data, skip_stage: Stage, skip_sensor: bool) -> Result<(), StepError> {
    check_belongs(m, d)?;
    forward_skip_with(m, d, skip_stage, skip_sensor, &MujocoParts)
}

/// [`forward_skip`] with these parts for elements that have none of their own, for a state known to belong to the model.
pub(crate) fn forward_skip_with(
    m: &Model,
    d: &mut Data,
    skip_stage: Stage,
    skip_sensor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    let start = now(d);
    if skip_stage < Stage::Pos {
        position_stage(m, d, skip_sensor, Tree::Compute)?;
    }
    if skip_stage < Stage::Vel {
        velocity_stage(m, d, skip_sensor, Tree::Compute, set)?;
    }
    controlled_acceleration(m, d, skip_sensor, set)?;
    lap(d, Timer::Forward, start);
    Ok(())
}

/// Whether poses, inertias, their factors, velocities and bias forces have to be computed, or are known because several
/// worlds computed them together ([`crate::together`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tree {
    Compute,
    Known,
}

/// Refuses a state that was made for another model.
pub(crate) fn check_belongs(m: &Model, d: &Data) -> Result<(), StepError> {
    if let Some(record) = m.parts.missing().first() {
        let element = record.slot.element(m, record.element);
        return Err(StepError::MissingPart { slot: record.slot, part: record.name.clone(), element });
    }
    if belongs(m, d) { Ok(()) } else { Err(StepError::OtherModel) }
}

/// Was the state made for a model of these sizes?
pub(crate) fn belongs(m: &Model, d: &Data) -> bool {
    d.fits(m)
}

/// What kept the stages from doing all of their work.
pub(crate) fn check_fault(d: &Data) -> Result<(), StepError> {
    match d.fault {
        // those of parts belong to later stages
        None | Some(Fault::Part(..)) => Ok(()),
        Some(Fault::Contact(index)) => Err(StepError::Contact(index)),
        Some(Fault::Effort) => Err(StepError::Effort(d.effort)),
        Some(Fault::Memory { rows }) => {
            Err(StepError::Memory { contacts: d.contact.len(), rows, budget: d.memory })
        }
    }
}

/// Position stage with its sensors and energy.
pub(crate) fn position_stage(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    tree: Tree,
) -> Result<(), StepError> {
    fwd_position_with(m, d, tree);
    check_fault(d)?;
    position_outputs(m, d, skip_sensor);
    check_fault(d)
}

/// Sensors and energy of the position stage.
pub(crate) fn position_outputs(m: &Model, d: &mut Data, skip_sensor: bool) {
    if !skip_sensor {
        sensor_pos(m, d);
    }
    if !d.flg_energypos {
        if m.opt.enabled(EnableBit::Energy) {
            energy_pos(m, d);
        } else {
            d.energy = [0.0; 2];
        }
    }
}

/// Velocity stage with its sensors and energy.
pub(crate) fn velocity_stage(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    tree: Tree,
    set: &impl PartSet,
) -> Result<(), StepError> {
    fwd_velocity_with(m, d, tree, set)?;
    if !skip_sensor {
        sensor_vel(m, d);
    }
    if m.opt.enabled(EnableBit::Energy) && !d.flg_energyvel {
        energy_vel(m, d);
    }
    Ok(())
}

/// The user's controls; actuation, smooth and constrained acceleration, with their sensors.
pub(crate) fn controlled_acceleration(
    m: &Model,
    d: &mut Data,
    skip_sensor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    if !m.opt.disabled(DisableBit::Actuation) {
        control(m, d);
    }
    accelerate(m, d, set)?;
    if !skip_sensor {
        acceleration_outputs(m, d);
    }
    Ok(())
}

/// Actuation, smooth and constrained acceleration.
pub(crate) fn accelerate(m: &Model, d: &mut Data, set: &impl PartSet) -> Result<(), StepError> {
    let start = now(d);
    fwd_actuation_with(m, d, set);
    part_set::check(m, d)?;
    lap(d, Timer::Actuation, start);
    if !abreast::smooth_acceleration(m, d) {
        fwd_acceleration(m, d);
    }
    let start = now(d);
    let outcome = solve_constraints_with(m, d, set);
    d.workspace.scratch().solver.warm_known = false; // whatever solver there was
    outcome?;
    lap(d, Timer::Constraint, start);
    Ok(())
}

/// Constraint forces and the acceleration with them.
pub fn solve_constraints(m: &Model, d: &mut Data) -> Result<(), StepError> {
    solve_constraints_with(m, d, &MujocoParts)
}

fn solve_constraints_with(m: &Model, d: &mut Data, set: &impl PartSet) -> Result<(), StepError> {
    if d.nefc > 0 && SolverType::try_from(m.opt.solver).is_err() {
        return Err(StepError::Solver(m.opt.solver));
    }
    if d.nisland > 0 && d.map_iefc2efc.len() != d.nefc {
        island(m, d); // the rows were made anew without their islands
    }
    fwd_constraint_with(m, d, set);
    if d.fault == Some(Fault::Effort) {
        return check_fault(d);
    }
    part_set::check(m, d)
}

/// Sensors of the acceleration stage.
pub(crate) fn acceleration_outputs(m: &Model, d: &mut Data) {
    d.flg_rnepost = false;
    sensor_acc(m, d);
}

/// Calls the user's control function.
pub(crate) fn control(m: &Model, d: &mut Data) {
    if let Some(callback) = d.callbacks.control.clone() {
        callback(m, d);
    }
}

/// Everything that depends on position only: poses, tendons, inertia, contacts, constraint Jacobians, transmissions.
pub fn fwd_position(m: &Model, d: &mut Data) {
    fwd_position_with(m, d, Tree::Compute);
}

fn fwd_position_with(m: &Model, d: &mut Data, tree: Tree) {
    let start = now(d);
    d.flg_energypos = false;
    fwd_kinematics_with(m, d, tree);
    let time = lap(d, Timer::PosKinematics, start);
    if tree == Tree::Compute {
        inertia::make_and_factor_m(m, d);
    }
    let time = lap(d, Timer::PosInertia, time);
    let time = collide(m, d, time);
    make_constraint(m, d);
    island(m, d);
    let time = lap(d, Timer::PosMake, time);
    transmission(m, d);
    let time = add(d, Timer::PosKinematics, time);
    project_constraint(m, d);
    let end = lap(d, Timer::PosProject, time);
    count(d, Timer::Position, end - start);
}

/// Contacts, again when a contact or an equality wakes a sleeping tree. Takes and returns the time.
fn collide(m: &Model, d: &mut Data, start: f64) -> f64 {
    let end = timed_collision(m, d, start);
    count(d, Timer::PosCollision, end - start);
    if !awake::sleep_enabled(m) {
        return end;
    }
    if sleep::wake_collision(m, d) > 0 {
        sleep::update_sleep(m, d);
        collision(m, d);
    }
    if sleep::wake_equality(m, d) > 0 {
        sleep::update_sleep(m, d);
    }
    now(d)
}

/// Poses of everything, tendon paths.
pub fn fwd_kinematics(m: &Model, d: &mut Data) {
    fwd_kinematics_with(m, d, Tree::Compute);
}

fn fwd_kinematics_with(m: &Model, d: &mut Data, tree: Tree) {
    if tree == Tree::Compute {
        poses_and_centres(m, d);
    }
    cam_light(m, d);
    flex_kinematics(m, d);
    tendon(m, d);
    if awake::sleep_enabled(m) && sleep::wake_tendon(m, d) > 0 {
        sleep::update_sleep(m, d);
    }
}

/// Everything that depends on velocity: velocities, passive forces, reference accelerations, bias forces.
pub fn fwd_velocity(m: &Model, d: &mut Data) -> Result<(), StepError> {
    fwd_velocity_with(m, d, Tree::Compute, &MujocoParts)
}

fn fwd_velocity_with(m: &Model, d: &mut Data, tree: Tree, set: &impl PartSet) -> Result<(), StepError> {
    let start = now(d);
    d.flg_subtreevel = false;
    d.flg_energyvel = false;
    if tree == Tree::Compute && abreast::velocities(m, d) {
        other_length_rates(m, d);
        other_passive_with(m, d, set);
        part_set::check(m, d)?;
    } else {
        length_rates(m, d);
        // functions of the user would see what is computed after them
        let hooked = d.callbacks.passive.is_some() || m.nplugin > 0;
        let separately = tree == Tree::Compute && (hooked || !velocities_and_bias(m, d));
        if separately {
            com_vel(m, d);
        }
        passive_with(m, d, set);
        part_set::check(m, d)?;
        reference_constraint(m, d);
        if separately {
            bias(m, d);
        }
    }
    tendon_bias(m, d)?;
    lap(d, Timer::Velocity, start);
    Ok(())
}

/// What [`length_rates`] touches.
pub(crate) const LENGTH_RATES: Access = access! {
    model { flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz }
    reads {
        actuator_moment flexedge_J moment_colind moment_rowadr moment_rownnz qvel ten_J ten_J_colind
        ten_J_rowadr ten_J_rownnz
    }
    writes { actuator_velocity flexedge_velocity ten_velocity }
};

/// Edges below which another thread costs more than it saves: their rates take ten microseconds.
const MIN_EDGES: usize = 2000;

/// Velocities of flex edges, tendons and actuators along their lengths.
pub(crate) fn length_rates(m: &Model, d: &mut Data) {
    let Data { qvel, flexedge_J, flexedge_velocity, .. } = d;
    let rates = |edges: (Range<usize>, &mut [f64])| flex::edge_rates(m, flexedge_J, qvel, edges);
    if m.parts.first_soft().is_none() {
        parallel::split(d.threads, MIN_EDGES, (0..m.nflexedge, &mut flexedge_velocity[..]), rates);
    } else {
        // edges of soft flexes have no Jacobian
        flexedge_velocity.fill(0.0);
        for flex in (0..m.nflex).filter(|&flex| m.parts.soft(flex).is_none()) {
            rates((flex::edges(m, flex), &mut flexedge_velocity[flex::edges(m, flex)]));
        }
    }
    other_length_rates(m, d);
}

/// [`length_rates`] of tendons and actuators.
fn other_length_rates(m: &Model, d: &mut Data) {
    let Data { qvel, ten_J, ten_velocity, actuator_moment, actuator_velocity, .. } = d;
    if support::is_sparse(m) {
        let tendons = Pattern::new(&d.ten_J_rownnz, &d.ten_J_rowadr, &d.ten_J_colind);
        sparse::mul_vec(ten_velocity, ten_J, qvel, m.ntendon, tendons);
    } else if m.nv > 0 {
        for (velocity, row) in ten_velocity.iter_mut().zip(ten_J.chunks_exact(m.nv)) {
            *velocity = dense::dot(row, qvel);
        }
    }
    if m.opt.disabled(DisableBit::Actuation) {
        actuator_velocity.fill(0.0);
    } else {
        let moments = moment_pattern(&d.moment_rownnz, &d.moment_rowadr, &d.moment_colind);
        sparse::mul_vec(actuator_velocity, actuator_moment, qvel, m.nu, moments);
    }
}

/// What [`fwd_acceleration`] touches.
pub(crate) const FWD_ACCELERATION: Access = access! {
    model { M_colind M_rowadr M_rownnz tree_dofadr }
    reads {
        dof_awake_ind nv_awake qLD qLDiagInv qacc_smooth qfrc_actuator qfrc_applied qfrc_bias
        qfrc_passive qfrc_smooth xfrc_applied
    }
    writes { qacc_smooth qfrc_smooth }
};

/// Sum of all forces but those of constraints, and the acceleration they cause.
pub fn fwd_acceleration(m: &Model, d: &mut Data) {
    let Data {
        qfrc_smooth,
        qfrc_passive,
        qfrc_bias,
        qfrc_applied,
        qfrc_actuator,
        qacc_smooth,
        dof_awake_ind,
        ..
    } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    let (sum, passive, bias) = (&mut qfrc_smooth[..m.nv], &qfrc_passive[..m.nv], &qfrc_bias[..m.nv]);
    let (applied, actuator) = (&qfrc_applied[..m.nv], &qfrc_actuator[..m.nv]);
    dofs.each(|i| sum[i] = passive[i] - bias[i] + applied[i] + actuator[i]);
    let motion = Motion { cdof: &d.cdof, subtree_com: &d.subtree_com };
    support::xfrc_accumulate(m, motion, &d.xipos, &d.xfrc_applied, qfrc_smooth);
    let (qacc_smooth, qfrc_smooth) = (&mut qacc_smooth[..m.nv], &qfrc_smooth[..m.nv]);
    dofs.each(|i| qacc_smooth[i] = qfrc_smooth[i]);
    inertia::solve(m, dofs, d.threads, (&d.qLD, &d.qLDiagInv), qacc_smooth);
}
