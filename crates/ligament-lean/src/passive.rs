//! Springs, dampers, gravity compensation, applied joint forces: added to qfrc_smooth.

use crate::algebra::{add_to, cross, dot6, join, quat_mul, scale, sub, zeros};
use crate::kinematics::quat_at;
use crate::lane::Lane;
use crate::tables::{Joint, JointKind, Tables};
use crate::world::World;
use ligament_math::quat;

#[inline(always)]
pub(crate) fn passive<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        w.qfrc_smooth[i] -= w.qvel[i] * dof.damping;
    }
    if t.tree.has_springs {
        for joint in t.tree.joints.iter().filter(|j| j.springs) {
            joint_spring(joint, &w.qpos, &mut w.qfrc_smooth);
        }
    }
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        if !(tendon.springs || tendon.damps) {
            continue;
        }
        let length = w.ten_length[k];
        let [lower, upper] = tendon.rest;
        let stretch = (upper - length).min(L::zero()) + (lower - length).max(L::zero());
        let force = stretch * tendon.stiffness - w.ten_velocity[k] * tendon.damping;
        for (at, &dof) in tendon.dofs.iter().enumerate() {
            w.qfrc_smooth[dof as usize] += w.ten_J[tendon.start as usize + at] * force;
        }
    }
    if t.tree.has_gravcomp {
        gravity_compensation(t, w);
    }
    if w.has_applied {
        for (x, f) in w.qfrc_smooth.iter_mut().zip(&w.qfrc_applied) {
            *x += *f;
        }
    }
}

#[inline(always)]
fn joint_spring<L: Lane>(joint: &Joint<L>, qpos: &[L], qfrc: &mut [L]) {
    let (mut adr, mut dof) = (joint.qposadr as usize, joint.dofadr as usize);
    let stiffness = joint.stiffness;
    match joint.kind {
        JointKind::Slide | JointKind::Hinge => qfrc[dof] -= (qpos[adr] - joint.spring[0]) * stiffness,
        JointKind::Free | JointKind::Ball => {
            let mut rest = [joint.spring[0], joint.spring[1], joint.spring[2], joint.spring[3]];
            if joint.kind == JointKind::Free {
                for k in 0..3 {
                    qfrc[dof + k] -= (qpos[adr + k] - joint.spring[k]) * stiffness;
                }
                rest = [joint.spring[3], joint.spring[4], joint.spring[5], joint.spring[6]];
                adr += 3;
                dof += 3;
            }
            let relative = quat_mul([rest[0], -rest[1], -rest[2], -rest[3]], quat_at(qpos, adr));
            let turn = rotation_vector(relative);
            for k in 0..3 {
                qfrc[dof + k] -= turn[k] * stiffness;
            }
        }
    }
}

/// Rotation vector of unit quaternions, lane by lane: the arc tangent comes from the system's library.
#[inline(always)]
pub(crate) fn rotation_vector<L: Lane>(q: [L; 4]) -> [L; 3] {
    let mut out: [L; 3] = zeros();
    for lane in 0..L::WIDTH {
        let v = quat::to_velocity(std::array::from_fn(|k| q[k].lanes()[lane]), 1.0);
        for k in 0..3 {
            out[k].lanes_mut()[lane] = v[k];
        }
    }
    out
}

/// Writes qfrc_gravcomp; what is no actuator force is added to qfrc_smooth.
#[inline(always)]
fn gravity_compensation<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    // wrenches climb the tree as bias forces do
    for &i in &t.tree.dynamic {
        let i = i as usize;
        let body = &t.tree.bodies[i];
        let share = -(body.mass * body.gravcomp);
        let force = scale(t.gravity, share);
        let arm = sub(w.xipos[i], w.com[body.root as usize]);
        w.cfrc[i] = join(cross(arm, force), force);
    }
    for &i in t.tree.dynamic.iter().rev() {
        let parent = t.tree.bodies[i as usize].parent as usize;
        if t.tree.bodies[parent].last_dof >= 0 {
            let force = w.cfrc[i as usize];
            add_to(&mut w.cfrc[parent], &force);
        }
    }
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        w.qfrc_gravcomp[i] = dot6(&w.cdof[i], &w.cfrc[dof.body as usize]);
        if !t.actuation.gravcomp_dofs.contains(&(i as u32)) {
            w.qfrc_smooth[i] += w.qfrc_gravcomp[i];
        }
    }
}
