//! Analytic derivatives of the smooth forces with respect to velocity, for the implicit integrators:
//! qDeriv = ∂(qfrc_actuator + qfrc_passive − qfrc_bias)/∂q̇ on the pattern D of the tree (full rows).

use super::fluid;
use super::part::{guarded_actuator_slope, guarded_flex_slopes};
use super::rows::add_outer_product;
use crate::awake::{self, Selection};
use crate::part_set::{MujocoParts, PartSet};
use crate::support::{self, actuator_disabled};
use crate::velocity::body_dofs;
use crate::workspace::Scratches as _;
use ligament_math::spatial;
use ligament_model::enums::{BiasType, DisableBit, JointType, ObjType, SleepState};
use ligament_model::parts::Slot;
use ligament_model::{Data, Model};

/// Computes qDeriv; `with_bias` includes the derivative of Coriolis and centrifugal forces.
pub fn smooth_vel(m: &Model, d: &mut Data, with_bias: bool) {
    smooth_vel_with(m, d, with_bias, &MujocoParts);
}

/// [`smooth_vel`] with these parts for elements that have none of their own.
pub(crate) fn smooth_vel_with(m: &Model, d: &mut Data, with_bias: bool, set: &impl PartSet) {
    let Data { qDeriv, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    if dofs.is_filtered() {
        for i in dofs.iter() {
            let start = m.D_rowadr[i] as usize;
            qDeriv[start..start + m.D_rownnz[i] as usize].fill(0.0);
        }
    } else {
        qDeriv.fill(0.0);
    }
    actuator_vel_with(m, d, set);
    passive_vel_with(m, d, set);
    if with_bias {
        rne_vel(m, d);
    }
}

/// Derivative of actuator forces.
pub fn actuator_vel(m: &Model, d: &mut Data) {
    actuator_vel_with(m, d, &MujocoParts);
}

fn actuator_vel_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    if m.opt.disabled(DisableBit::Actuation) {
        return;
    }
    let filtered = awake::sleep_enabled(m) && d.ntree_awake < m.ntree;
    for i in 0..m.nu {
        let asleep = filtered && awake::sleep_state(m, d, ObjType::Actuator, i) == SleepState::Asleep;
        if asleep || actuator_disabled(m, i) || is_clamped(m, d, i) {
            continue;
        }
        let slope = force_slope(m, d, i, set);
        if slope != 0.0 {
            let start = d.moment_rowadr[i] as usize;
            let range = start..start + d.moment_rownnz[i] as usize;
            let Data { qDeriv, actuator_moment, moment_colind, .. } = d;
            add_outer_product(m, qDeriv, slope, &actuator_moment[range.clone()], &moment_colind[range]);
        }
    }
}

/// A force at its limit does not change with velocity.
fn is_clamped(m: &Model, d: &Data, i: usize) -> bool {
    let [lower, upper] = m.actuator_forcerange[i];
    m.actuator_forcelimited[i] != 0 && (d.actuator_force[i] <= lower || d.actuator_force[i] >= upper)
}

/// Derivative of an actuator's force with respect to its velocity.
fn force_slope(m: &Model, d: &mut Data, i: usize, set: &impl PartSet) -> f64 {
    let affine = m.actuator_biastype[i] == BiasType::Affine as i32;
    let slope = guarded_actuator_slope(m, d, Slot::Bias, i).unwrap_or(if affine {
        m.actuator_biasprm[i][2]
    } else {
        0.0
    });
    let active = guarded_actuator_slope(m, d, Slot::Gain, i);
    let active = active.unwrap_or_else(|| set.active_slope(m, d, i));
    if active == 0.0 { slope } else { slope + active }
}

/// Derivative of passive forces: drag, joint, flex-edge and tendon damping.
pub fn passive_vel(m: &Model, d: &mut Data) {
    passive_vel_with(m, d, &MujocoParts);
}

fn passive_vel_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    if m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let filtered = awake::sleep_enabled(m) && d.ntree_awake < m.ntree;
    if m.opt.viscosity > 0.0 || m.opt.density > 0.0 {
        fluid::fluid_vel(m, d);
    }
    if m.opt.disabled(DisableBit::Damper) {
        return;
    }
    let Data { qDeriv, flexedge_J, dof_awake_ind, .. } = d;
    for i in Selection::new(filtered, dof_awake_ind, d.nv_awake, m.nv).iter() {
        qDeriv[(m.D_rowadr[i] + m.D_diag[i]) as usize] -= m.dof_damping[i];
    }
    for f in 0..m.nflex {
        let damping = m.flex_edgedamping[f];
        if m.flex_rigid[f] != 0 || damping == 0.0 {
            continue;
        }
        let start = m.flex_edgeadr[f] as usize;
        for e in (start..start + m.flex_edgenum[f] as usize).filter(|&e| m.flexedge_rigid[e] == 0) {
            let adr = m.flexedge_J_rowadr[e] as usize;
            let range = adr..adr + m.flexedge_J_rownnz[e] as usize;
            add_outer_product(m, qDeriv, -damping, &flexedge_J[range.clone()], &m.flexedge_J_colind[range]);
        }
    }
    for flex in (0..m.nflex).filter(|&f| m.flex_dim[f] > 1 && m.flex_rigid[f] == 0) {
        if m.parts.soft(flex).is_some() {
            continue;
        }
        for (slot, part) in
            [(Slot::Bending, m.parts.bending(flex)), (Slot::Elasticity, m.parts.elasticity(flex))]
        {
            if let Some(part) = part {
                guarded_flex_slopes(m, d, slot, flex, part);
            }
        }
        set.flex_slopes(m, d, flex);
    }
    for i in 0..m.ntendon {
        let asleep = filtered && awake::sleep_state(m, d, ObjType::Tendon, i) == SleepState::Asleep;
        if m.tendon_damping[i] != 0.0 && !asleep {
            tendon_damping(m, d, i);
        }
    }
}

fn tendon_damping(m: &Model, d: &mut Data, i: usize) {
    let damping = m.tendon_damping[i];
    let Data { qDeriv, ten_J, ten_J_rownnz, ten_J_rowadr, ten_J_colind, .. } = d;
    if support::is_sparse(m) {
        let start = ten_J_rowadr[i] as usize;
        let range = start..start + ten_J_rownnz[i] as usize;
        add_outer_product(m, qDeriv, -damping, &ten_J[range.clone()], &ten_J_colind[range]);
        return;
    }
    let row = &ten_J[i * m.nv..(i + 1) * m.nv];
    for (k, value) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        let start = m.D_rowadr[k] as usize;
        let range = start..start + m.D_rownnz[k] as usize;
        for (x, &column) in qDeriv[range.clone()].iter_mut().zip(&m.D_colind[range]) {
            *x += row[column as usize] * (value * -damping);
        }
    }
}

/// Number of dofs on the path from a body to the root: the length of the part of its row of B that the recursions
/// from the root fill.
#[inline]
fn path_length(m: &Model, body: usize) -> usize {
    match usize::try_from(support::jacobian::last_dof(m, body)) {
        Err(_) => 0,
        Ok(last) => {
            let next = if last + 1 < m.nv { m.dof_Madr[last + 1] as usize } else { m.nM };
            next - m.dof_Madr[last] as usize
        }
    }
}

/// Subtracts the derivative of the bias forces: the Newton-Euler recursion of [`crate::velocity::rne`] applied to one
/// column per dof, each body's columns being those of its row of B (the path to the root, then its descendants).
///
/// All steps are linear in velocity or bilinear, so each derivative is the same product with one factor replaced.
fn rne_vel(m: &Model, d: &mut Data) {
    let mut buffer = std::mem::take(&mut d.workspace.scratch().derivative);
    for x in [&mut buffer.vel, &mut buffer.acc, &mut buffer.force] {
        x.clear();
        x.resize(m.nB, [0.0; 6]);
    }
    let count = awake::bodies(m, d).len();
    for k in 1..count {
        let i = awake::bodies(m, d).get(k);
        propagate(m, d, i, &mut buffer.vel, &mut buffer.acc);
        let start = m.B_rowadr[i] as usize;
        let (inertia, velocity) = (&d.cinert[i], &d.cvel[i]);
        let momentum = spatial::inertia_mul(inertia, velocity);
        for c in start..start + path_length(m, i) {
            let mut force = spatial::inertia_mul(inertia, &buffer.acc[c]);
            spatial::add_to(&mut force, &spatial::cross_force(&buffer.vel[c], &momentum));
            let turned = spatial::cross_force(velocity, &spatial::inertia_mul(inertia, &buffer.vel[c]));
            spatial::add_to(&mut force, &turned);
            buffer.force[c] = force;
        }
    }
    for k in (1..count).rev() {
        let i = awake::bodies(m, d).get(k);
        add_to_parent(m, i, &mut buffer.force);
    }
    let Data { cdof, qDeriv, dof_awake_ind, .. } = d;
    for j in Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv).iter() {
        let body = m.dof_bodyid[j] as usize;
        let (start, target) = (m.B_rowadr[body] as usize, m.D_rowadr[j] as usize);
        for c in 0..m.B_rownnz[body] as usize {
            qDeriv[target + c] -= spatial::dot(&cdof[j], &buffer.force[start + c]);
        }
    }
    d.workspace.scratch().derivative = buffer;
}

/// Columns of the velocity and acceleration of a body, from its parent's and its joints.
fn propagate(m: &Model, d: &Data, i: usize, vel: &mut [[f64; 6]], acc: &mut [[f64; 6]]) {
    let start = m.B_rowadr[i] as usize;
    let parent = m.body_parentid[i] as usize;
    let parent_start = m.B_rowadr[parent] as usize;
    let above = path_length(m, parent);
    vel.copy_within(parent_start..parent_start + above, start);
    acc.copy_within(parent_start..parent_start + above, start);
    let dofs = body_dofs(m, i);
    let mut known = start + above;
    let mut dof = dofs.start;
    while dof < dofs.end {
        let kind = JointType::try_from(m.jnt_type[m.dof_jntid[dof] as usize]);
        // translations of a free joint have fixed axes; then its rotations follow as for a ball joint
        let (skip, count) = match kind {
            Ok(JointType::Free) => (3, 3),
            Ok(JointType::Ball) => (0, 3),
            Ok(JointType::Slide | JointType::Hinge) | Err(_) => (0, 1),
        };
        for k in 0..skip {
            spatial::add_to(&mut vel[known + k], &d.cdof[dof + k]);
            spatial::add_to(&mut acc[known + k], &d.cdof_dot[dof + k]);
        }
        dof += skip;
        known += skip;
        for j in dof..dof + count {
            for c in start..known {
                let rate = spatial::cross_motion(&vel[c], &d.cdof[j]);
                for k in 0..6 {
                    acc[c][k] += rate[k] * d.qvel[j];
                }
            }
        }
        for k in 0..count {
            spatial::add_to(&mut vel[known + k], &d.cdof[dof + k]);
            spatial::add_to(&mut acc[known + k], &d.cdof_dot[dof + k]);
        }
        dof += count;
        known += count;
    }
}

/// Adds the columns of a body's row of B to those of its parent, which contain them.
fn add_to_parent(m: &Model, i: usize, force: &mut [[f64; 6]]) {
    let parent = m.body_parentid[i] as usize;
    if parent == 0 {
        return;
    }
    let (start, parent_start) = (m.B_rowadr[i] as usize, m.B_rowadr[parent] as usize);
    let parent_columns = &m.B_colind[parent_start..parent_start + m.B_rownnz[parent] as usize];
    let mut at = 0;
    for c in start..start + m.B_rownnz[i] as usize {
        while at < parent_columns.len() && parent_columns[at] < m.B_colind[c] {
            at += 1;
        }
        if at < parent_columns.len() && parent_columns[at] == m.B_colind[c] {
            let column = force[c];
            spatial::add_to(&mut force[parent_start + at], &column);
        }
    }
}
