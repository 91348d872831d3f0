//! Functions on a model and its data that many stages and users share: Jacobians, frames, products with the
//! inertia matrix, integration of positions.

pub mod chain;
pub mod jacobian;
pub mod object;
pub(crate) mod skeleton;

pub use chain::{
    body_chain, for_each_column, for_each_difference, for_each_stretching, jac_sparse, merge_chain,
};
pub use jacobian::{
    Motion, angmom_mat, jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point, jac_point_axis, jac_site,
    jac_subtree_com,
};
pub use object::{BodyPoses, local2global, object_acceleration, object_frame, object_velocity};

use crate::awake::Selection;
use crate::parallel::{self, Cut};
pub(crate) use jacobian::{Chains, com_offset, last_dof, parent_dof, translation_column};
use ligament_math::four::Four;
use ligament_math::{MINVAL, Number, Quat, Vec3, quat, vec3};
use ligament_model::constants::MAXVAL;
use ligament_model::enums::{ConeType, DynType, JacobianType, JointType};
use ligament_model::{Data, Model};
pub(crate) use object::body_of_geom;
use std::ops::Range;

/// Are constraint and tendon Jacobians stored sparse? (`mj_isSparse`)
#[inline]
pub fn is_sparse(m: &Model) -> bool {
    m.opt.jacobian == JacobianType::Sparse as i32
        || (m.opt.jacobian == JacobianType::Auto as i32 && m.nv >= 60)
}

/// Are friction cones pyramidal? (`mj_isPyramidal`)
#[inline]
pub fn is_pyramidal(m: &Model) -> bool {
    m.opt.cone == ConeType::Pyramidal as i32
}

/// Do three joints of a body slide along the axes of the world? Frames and axes may be written at any time.
#[inline(always)]
pub(crate) fn is_straight(frame: Quat, axes: &[Vec3; 3]) -> bool {
    let [[a, b, c], [d, e, f], [g, h, i]] = *axes;
    let first = Four::new([1.0, 0.0, 0.0, 0.0]);
    // without branches: all of it holds for nearly all points of soft flexes
    (Four::new(frame) == first)
        & (Four::new([a, b, c, d]) == first)
        & (Four::new([e, f, g, h]) == first)
        & (i == 1.0)
}

/// The first bad number. As a rule there is none, which is seen without looking at each by itself.
#[inline]
pub(crate) fn first_bad(numbers: &[f64]) -> Option<usize> {
    let fine = numbers.iter().fold(true, |fine, x| fine & (x.abs() <= MAXVAL));
    if fine { None } else { numbers.iter().position(|&x| is_bad(x)) }
}

/// Are all of these zero?
#[inline]
pub(crate) fn all_zero(numbers: &[f64]) -> bool {
    numbers.iter().fold(true, |zero, &x| zero & (x == 0.0))
}

/// Not a number, or too large to go on with.
#[inline]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || !(-MAXVAL..=MAXVAL).contains(&x)
}

/// Three numbers at an address.
#[inline]
pub fn vec3_at<T: Number>(x: &[T], adr: usize) -> [T; 3] {
    [x[adr], x[adr + 1], x[adr + 2]]
}

/// A quaternion at an address.
#[inline]
pub fn quat_at(x: &[f64], adr: usize) -> Quat {
    [x[adr], x[adr + 1], x[adr + 2], x[adr + 3]]
}

/// The unit quaternion at an address.
#[inline]
pub fn unit_quat_at<T: Number>(x: &[T], adr: usize) -> [T; 4] {
    T::unit([x[adr], x[adr + 1], x[adr + 2], x[adr + 3]])
}

/// Adds the joint-space force of a Cartesian force and torque at a world point of a body.
pub fn apply_ft(
    m: &Model,
    motion: Motion,
    force: Option<Vec3>,
    torque: Option<Vec3>,
    point: Vec3,
    body: usize,
    qfrc: &mut [f64],
) {
    Chains::of(m).push(motion, force, torque, point, body, qfrc);
}

/// Adds the joint-space forces of the Cartesian forces that the user applies to bodies.
pub fn xfrc_accumulate(m: &Model, motion: Motion, xipos: &[[f64; 3]], xfrc: &[[f64; 6]], qfrc: &mut [f64]) {
    // mostly nothing is applied, which is seen in one glance
    if all_zero(xfrc.as_flattened()) {
        return;
    }
    for (body, f) in xfrc.iter().enumerate().skip(1) {
        if *f != [0.0; 6] {
            apply_ft(m, motion, Some([f[0], f[1], f[2]]), Some([f[3], f[4], f[5]]), xipos[body], body, qfrc);
        }
    }
}

/// Velocity that takes `qpos1` to `qpos2` in time `dt`.
pub fn differentiate_pos(m: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for j in 0..m.njnt {
        let (mut padr, mut vadr) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
        match JointType::try_from(m.jnt_type[j]) {
            Ok(kind @ (JointType::Free | JointType::Ball)) => {
                if kind == JointType::Free {
                    for i in 0..3 {
                        qvel[vadr + i] = (qpos2[padr + i] - qpos1[padr + i]) / dt;
                    }
                    padr += 3;
                    vadr += 3;
                }
                let turn = quat::sub(quat_at(qpos2, padr), quat_at(qpos1, padr));
                qvel[vadr..vadr + 3].copy_from_slice(&vec3::scale(turn, 1.0 / dt));
            }
            Ok(JointType::Hinge | JointType::Slide) => qvel[vadr] = (qpos2[padr] - qpos1[padr]) / dt,
            Err(_) => {}
        }
    }
}

/// Advances positions by a velocity over time `dt`.
pub fn integrate_pos(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    integrate_pos_of(m, 1, qpos, qvel, dt, Selection::all(m.nbody));
}

/// Joints below which another thread costs more than it saves: they take some microseconds.
const MIN_JOINTS: usize = 1000;

/// Advances the positions of the joints of some bodies, on so many threads where there are many.
pub(crate) fn integrate_pos_of(
    m: &Model,
    threads: usize,
    qpos: &mut [f64],
    qvel: &[f64],
    dt: f64,
    bodies: Selection,
) {
    if bodies.is_filtered() {
        return integrate_awake(m, qpos, qvel, dt, bodies);
    }
    if !m.parts.soft_points().is_empty() {
        return integrate_beside_points(m, qpos, qvel, dt);
    }
    let all = JointPositions { joints: 0..m.njnt, starts: &m.jnt_qposadr, first: 0, qpos };
    parallel::split(threads, MIN_JOINTS, all, |part| {
        JointPlaces::of(m).integrate(part.joints, (part.first, part.qpos), (0, qvel), dt);
    });
}

#[inline(never)]
fn integrate_awake(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64, bodies: Selection) {
    for body in bodies.iter() {
        let start = m.body_jntadr[body].max(0) as usize;
        JointPlaces::of(m).integrate(start..start + m.body_jntnum[body] as usize, (0, qpos), (0, qvel), dt);
    }
}

/// Points of soft flexes have three numbers each, which need no question.
#[inline(never)]
fn integrate_beside_points(m: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    let (joints, points) = (JointPlaces::of(m), m.parts.soft_points());
    let first = m.body_jntadr[points.start] as usize;
    let (padr, vadr, count) = (m.jnt_qposadr[first] as usize, m.jnt_dofadr[first] as usize, 3 * points.len());
    joints.integrate(0..first, (0, qpos), (0, qvel), dt);
    joints.integrate(first + count..m.njnt, (0, qpos), (0, qvel), dt);
    for (q, v) in qpos[padr..padr + count].iter_mut().zip(&qvel[vadr..vadr + count]) {
        *q += dt * v;
    }
}

/// Advances the positions of consecutive joints; positions and velocities are given with the places where they begin.
pub(crate) fn integrate_joints(
    m: &Model,
    joints: Range<usize>,
    qpos: (usize, &mut [f64]),
    qvel: (usize, &[f64]),
    dt: f64,
) {
    JointPlaces::of(m).integrate(joints, qpos, qvel, dt);
}

/// Consecutive joints and their positions, which begin at `first`.
struct JointPositions<'a> {
    joints: Range<usize>,
    /// Where those of each joint begin.
    starts: &'a [i32],
    first: usize,
    qpos: &'a mut [f64],
}

impl Cut for JointPositions<'_> {
    fn count(&self) -> usize {
        self.joints.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (joints, others) = self.joints.cut(at);
        let middle =
            self.starts.get(others.start).map_or(self.first + self.qpos.len(), |&start| start as usize);
        let (qpos, other_qpos) = self.qpos.split_at_mut(middle - self.first);
        (
            Self { joints, starts: self.starts, first: self.first, qpos },
            Self { joints: others, starts: self.starts, first: middle, qpos: other_qpos },
        )
    }
}

/// Kinds of joints, and where their positions and velocities begin.
struct JointPlaces<'a> {
    kind: &'a [i32],
    position: &'a [i32],
    velocity: &'a [i32],
}

impl<'a> JointPlaces<'a> {
    #[inline(always)]
    fn of(m: &'a Model) -> Self {
        Self { kind: &m.jnt_type, position: &m.jnt_qposadr, velocity: &m.jnt_dofadr }
    }

    #[inline(always)]
    fn integrate(
        &self,
        joints: Range<usize>,
        (first, qpos): (usize, &mut [f64]),
        (first_velocity, qvel): (usize, &[f64]),
        dt: f64,
    ) {
        let places = self.position[joints.clone()].iter().zip(&self.velocity[joints.clone()]);
        for (&kind, (&position, &velocity)) in self.kind[joints].iter().zip(places) {
            let (mut padr, mut vadr) = (position as usize - first, velocity as usize - first_velocity);
            match JointType::try_from(kind) {
                Ok(kind @ (JointType::Free | JointType::Ball)) => {
                    if kind == JointType::Free {
                        for i in 0..3 {
                            qpos[padr + i] += dt * qvel[vadr + i];
                        }
                        padr += 3;
                        vadr += 3;
                    }
                    let mut q = quat_at(qpos, padr);
                    quat::integrate(&mut q, vec3_at(qvel, vadr), dt);
                    qpos[padr..padr + 4].copy_from_slice(&q);
                }
                Ok(JointType::Hinge | JointType::Slide) => qpos[padr] += dt * qvel[vadr],
                Err(_) => {}
            }
        }
    }
}

/// Scales all quaternions of a position vector to unit length.
pub fn normalize_quat(m: &Model, qpos: &mut [f64]) {
    for j in 0..m.njnt {
        let adr = m.jnt_qposadr[j] as usize;
        let adr = match JointType::try_from(m.jnt_type[j]) {
            Ok(JointType::Ball) => adr,
            Ok(JointType::Free) => adr + 3,
            _ => continue,
        };
        let q = unit_quat_at(qpos, adr);
        qpos[adr..adr + 4].copy_from_slice(&q);
    }
}

/// Is this actuator switched off through its group?
#[inline]
pub fn actuator_disabled(m: &Model, actuator: usize) -> bool {
    group_disabled(m, m.actuator_group[actuator])
}

/// Is this group of actuators switched off?
#[inline]
pub(crate) fn group_disabled(m: &Model, group: i32) -> bool {
    (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
}

/// Activation after one time step, clamped to its range. The exact filter integrates
/// act(h) = act + ȧ τ (1 − exp(−h/τ)), everything else by Euler's rule.
pub fn next_activation(m: &Model, act: f64, actuator: usize, act_dot: f64) -> f64 {
    let h = m.opt.timestep;
    let next = if m.actuator_dyntype[actuator] == DynType::Filterexact as i32 {
        let tau = m.actuator_dynprm[actuator][0].max(MINVAL);
        act + act_dot * tau * (1.0 - (-h / tau).exp())
    } else {
        act + act_dot * h
    };
    if m.actuator_actlimited[actuator] != 0 { clip(next, m.actuator_actrange[actuator]) } else { next }
}

/// Clamps to a range; unlike `f64::clamp` it accepts an inverted one.
#[inline]
pub fn clip(x: f64, range: [f64; 2]) -> f64 {
    if x < range[0] {
        range[0]
    } else if x > range[1] {
        range[1]
    } else {
        x
    }
}

/// Sum of all body masses.
pub fn get_totalmass(m: &Model) -> f64 {
    m.body_mass.iter().skip(1).sum()
}

/// Scales all masses and inertias so that the total mass is `mass`. Call `set_const` afterwards.
pub fn set_totalmass(m: &mut Model, mass: f64) {
    let scale = (mass / get_totalmass(m).max(MINVAL)).max(MINVAL);
    for i in 1..m.nbody {
        m.body_mass[i] *= scale;
        m.body_inertia[i] = vec3::scale(m.body_inertia[i], scale);
    }
}

/// Copies the current state into a keyframe of the model. Returns false when there is no such keyframe.
pub fn set_keyframe(m: &mut Model, d: &Data, key: usize) -> bool {
    if key >= m.nkey {
        return false;
    }
    let (nq, nv, na, nu, nmocap) = (m.nq, m.nv, m.na, m.nu, m.nmocap);
    m.key_time[key] = d.time;
    m.key_qpos[key * nq..(key + 1) * nq].copy_from_slice(&d.qpos);
    m.key_qvel[key * nv..(key + 1) * nv].copy_from_slice(&d.qvel);
    m.key_act[key * na..(key + 1) * na].copy_from_slice(&d.act);
    m.key_mpos[key * 3 * nmocap..(key + 1) * 3 * nmocap].copy_from_slice(d.mocap_pos.as_flattened());
    m.key_mquat[key * 4 * nmocap..(key + 1) * 4 * nmocap].copy_from_slice(d.mocap_quat.as_flattened());
    m.key_ctrl[key * nu..(key + 1) * nu].copy_from_slice(&d.ctrl);
    true
}
