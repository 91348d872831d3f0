//! Velocities of bodies and bias forces: the recursive Newton-Euler passes (Featherstone 2008, §5.3).

use crate::algebra::{
    V6, add, add_times, add_to, cross, cross_force, cross_motion, dot6, inertia_mul, join, lin, rot, sub,
    zeros,
};
use crate::lane::Lane;
use crate::tables::{JointKind, Tables};
use crate::world::World;

/// Writes cvel, and into qfrc_smooth the negative bias forces with the Cartesian forces that are applied to bodies.
#[inline(always)]
pub(crate) fn velocity<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    let gravity = join(zeros(), [-t.gravity[0], -t.gravity[1], -t.gravity[2]]);
    for &i in &t.tree.dynamic {
        let i = i as usize;
        let body = &t.tree.bodies[i];
        let parent = body.parent as usize;
        let rooted = t.tree.bodies[parent].last_dof < 0;
        let mut vel = if rooted { zeros() } else { w.cvel[parent] };
        let mut acc = if rooted { gravity } else { w.cacc[parent] };
        for joint in &t.tree.joints[body.joints.start as usize..body.joints.end as usize] {
            joint_velocity(joint.kind, joint.dofadr as usize, &w.cdof, &w.qvel, &mut vel, &mut acc);
        }
        w.cvel[i] = vel;
        w.cacc[i] = acc;
        // I a + v ×* (I v)
        let momentum = inertia_mul(&w.cinert[i], &vel);
        let mut force = inertia_mul(&w.cinert[i], &acc);
        add_to(&mut force, &cross_force(&vel, &momentum));
        if w.has_xfrc {
            let applied = applied_wrench(w, i, body.root as usize);
            force = sub(force, applied);
        }
        w.cfrc[i] = force;
    }
    for &i in t.tree.dynamic.iter().rev() {
        let i = i as usize;
        let parent = t.tree.bodies[i].parent as usize;
        if t.tree.bodies[parent].last_dof >= 0 {
            let force = w.cfrc[i];
            add_to(&mut w.cfrc[parent], &force);
        }
    }
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        w.qfrc_smooth[i] = -dot6(&w.cdof[i], &w.cfrc[dof.body as usize]);
    }
}

/// The user's force and torque at the body's centre, about the reference point.
#[inline(always)]
fn applied_wrench<L: Lane>(w: &World<L>, i: usize, root: usize) -> V6<L> {
    let f = &w.xfrc_applied[i];
    // the user gives force before torque
    let (force, torque) = (rot(f), lin(f));
    let arm = sub(w.xipos[i], w.com[root]);
    join(add(torque, cross(arm, force)), force)
}

/// Adds the velocity of one joint and the rate at which its axes turn, times its velocity.
#[inline(always)]
fn joint_velocity<L: Lane>(
    kind: JointKind,
    dof: usize,
    cdof: &[V6<L>],
    qvel: &[L],
    vel: &mut V6<L>,
    acc: &mut V6<L>,
) {
    let turns = match kind {
        JointKind::Free => {
            // translations are along fixed world axes
            for k in 0..3 {
                vel[3 + k] += qvel[dof + k];
            }
            dof + 3..dof + 6
        }
        JointKind::Ball => dof..dof + 3,
        JointKind::Slide | JointKind::Hinge => dof..dof + 1,
    };
    let before = *vel;
    for i in turns {
        *acc = add_times(*acc, cross_motion(&before, &cdof[i]), qvel[i]);
        *vel = add_times(*vel, cdof[i], qvel[i]);
    }
}

/// Twists of the bodies that are `touched`, for joint velocities (or accelerations) `x`.
#[inline(always)]
pub(crate) fn twists<L: Lane>(t: &Tables<L>, touched: &[bool], cdof: &[V6<L>], x: &[L], twist: &mut [V6<L>]) {
    for &i in &t.tree.dynamic {
        let i = i as usize;
        if !touched[i] {
            continue;
        }
        let body = &t.tree.bodies[i];
        let parent = body.parent as usize;
        let mut v = if t.tree.bodies[parent].last_dof < 0 { zeros() } else { twist[parent] };
        let mut dofs = body.dofs.start as usize..body.dofs.end as usize;
        if dofs.len() == 6 && t.tree.joints[body.joints.start as usize].kind == JointKind::Free {
            for k in 0..3 {
                v[3 + k] += x[dofs.start + k];
            }
            dofs.start += 3;
        }
        for d in dofs {
            v = add_times(v, cdof[d], x[d]);
        }
        twist[i] = v;
    }
}
