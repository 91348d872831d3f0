//! Poses of bodies and geoms, centres of mass, motion axes and inertias about them.

use crate::algebra::{
    M9, Q4, V3, add, add_scaled, column, cross, inner3, join, mul_vec, quat_mul, rotate, scale, sub, to_mat,
    unit_quat, zeros,
};
use crate::lane::Lane;
use crate::tables::{Body, JointKind, Tables};
use crate::trig::{library_sin_cos, sin_cos};
use crate::world::World;

/// Writes xpos xquat xmat xipos xanchor xaxis geom_xpos geom_xmat com cdof cinert.
#[inline(always)]
pub(crate) fn kinematics<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    body_poses(t, w);
    geom_poses(t, w);
    centres(t, w);
    axes(t, w);
    inertias(t, w);
    if !t.tree.panels.full {
        for (&slot, axis) in t.tree.panels.slots.iter().zip(&w.cdof) {
            w.axes[slot as usize] = *axis;
        }
    }
}

#[inline(always)]
fn body_poses<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in &t.tree.moving {
        let i = i as usize;
        let body = &t.tree.bodies[i];
        let (pos, rot) = body_pose(t, w, body);
        let mat = to_mat(rot);
        w.xpos[i] = pos;
        w.xquat[i] = rot;
        w.xmat[i] = mat;
        w.xipos[i] = add(pos, mul_vec(&mat, &body.ipos));
    }
}

/// Quaternion that stands at an address of qpos, of unit length.
#[inline(always)]
pub(crate) fn quat_at<L: Lane>(qpos: &[L], adr: usize) -> Q4<L> {
    unit_quat([qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]])
}

#[inline(always)]
fn body_pose<L: Lane>(t: &Tables<L>, w: &mut World<L>, body: &Body<L>) -> (V3<L>, Q4<L>) {
    let joints = &t.tree.joints[body.joints.start as usize..body.joints.end as usize];
    if let [joint] = joints
        && joint.kind == JointKind::Free
    {
        let adr = joint.qposadr as usize;
        let pos = [w.qpos[adr], w.qpos[adr + 1], w.qpos[adr + 2]];
        w.xanchor[body.joints.start as usize] = pos;
        return (pos, unit_quat(quat_at(&w.qpos, adr + 3)));
    }
    let (mut pos, mut rot) = rest_pose(w, body);
    for (j, joint) in joints.iter().enumerate() {
        let j = body.joints.start as usize + j;
        let adr = joint.qposadr as usize;
        w.xaxis[j] = rotate(rot, joint.axis);
        let anchor = if joint.offset { add(rotate(rot, joint.pos), pos) } else { pos };
        w.xanchor[j] = anchor;
        match joint.kind {
            JointKind::Slide => {
                pos = add_scaled(pos, w.xaxis[j], w.qpos[adr] - joint.qpos0);
                continue;
            }
            JointKind::Hinge => {
                let half = (w.qpos[adr] - joint.qpos0) * 0.5;
                let (s, c) = if t.pairs.library_trig { library_sin_cos(half) } else { sin_cos(half) };
                rot = quat_mul(rot, [c, s * joint.axis[0], s * joint.axis[1], s * joint.axis[2]]);
            }
            JointKind::Ball => rot = quat_mul(rot, quat_at(&w.qpos, adr)),
            JointKind::Free => continue,
        }
        // the anchor stays where it is
        if joint.offset {
            pos = sub(anchor, rotate(rot, joint.pos));
        }
    }
    (pos, unit_quat(rot))
}

/// Pose before the joints move it.
#[inline(always)]
fn rest_pose<L: Lane>(w: &World<L>, body: &Body<L>) -> (V3<L>, Q4<L>) {
    let parent = body.parent as usize;
    if let Ok(k) = usize::try_from(body.mocap) {
        return (w.mocap_pos[k], unit_quat(w.mocap_quat[k]));
    }
    if parent == 0 {
        return (body.pos, body.quat);
    }
    let pos = add(mul_vec(&w.xmat[parent], &body.pos), w.xpos[parent]);
    let rot = if body.aligned { w.xquat[parent] } else { quat_mul(w.xquat[parent], body.quat) };
    (pos, rot)
}

#[inline(always)]
fn geom_poses<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &g in &t.pairs.geoms {
        let g = g as usize;
        let geom = &t.tree.geoms[g];
        let body = geom.body as usize;
        w.geom_xpos[g] = add(mul_vec(&w.xmat[body], &geom.pos), w.xpos[body]);
        w.geom_xmat[g] = if geom.aligned { w.xmat[body] } else { to_mat(quat_mul(w.xquat[body], geom.quat)) };
    }
}

/// Centres of mass of the trees.
#[inline(always)]
fn centres<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    w.moment.fill(zeros());
    for (i, body) in t.tree.bodies.iter().enumerate() {
        let root = body.root as usize;
        w.moment[root] = add_scaled(w.moment[root], w.xipos[i], body.mass);
    }
    for (k, root) in t.tree.roots.iter().enumerate() {
        w.com[k] =
            if root.massless { w.xipos[root.body as usize] } else { scale(w.moment[k], root.inverse_mass) };
    }
}

#[inline(always)]
fn turn<L: Lane>(axis: V3<L>, offset: V3<L>) -> [L; 6] {
    join(axis, cross(axis, offset))
}

/// Motion axes of all joints about the centre of mass of their tree.
#[inline(always)]
fn axes<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in &t.tree.dynamic {
        let i = i as usize;
        let body = &t.tree.bodies[i];
        let com = w.com[body.root as usize];
        for j in body.joints.start as usize..body.joints.end as usize {
            let joint = &t.tree.joints[j];
            let dof = joint.dofadr as usize;
            let offset = sub(com, w.xanchor[j]);
            match joint.kind {
                JointKind::Free => {
                    for k in 0..3 {
                        w.cdof[dof + k] = zeros();
                        w.cdof[dof + k][3 + k] = L::splat(1.0);
                        w.cdof[dof + 3 + k] = turn(column(&w.xmat[i], k), offset);
                    }
                }
                JointKind::Ball => {
                    for k in 0..3 {
                        w.cdof[dof + k] = turn(column(&w.xmat[i], k), offset);
                    }
                }
                JointKind::Slide => w.cdof[dof] = join(zeros(), w.xaxis[j]),
                JointKind::Hinge => w.cdof[dof] = turn(w.xaxis[j], offset),
            }
        }
    }
}

/// R I Rᵀ of the constant inertia, shifted to the centre of mass of the tree.
#[inline(always)]
fn inertias<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in &t.tree.dynamic {
        let i = i as usize;
        let body = &t.tree.bodies[i];
        let offset = sub(w.xipos[i], w.com[body.root as usize]);
        w.cinert[i] = inertia_about(&w.xmat[i], &body.inertia, offset, body.mass);
    }
}

/// Entry (a, b) of D Rᵀ.
#[inline(always)]
fn turned<L: Lane>(d: &[V3<L>; 3], mat: &M9<L>, a: usize, b: usize) -> L {
    inner3([d[0][a], d[1][a], d[2][a]], [mat[3 * b], mat[3 * b + 1], mat[3 * b + 2]])
}

#[inline(always)]
fn inertia_about<L: Lane>(mat: &M9<L>, inertia: &[L; 6], offset: V3<L>, mass: L) -> [L; 10] {
    let [xx, yy, zz, xy, xz, yz] = *inertia;
    let (c0, c1, c2) = (column(mat, 0), column(mat, 1), column(mat, 2));
    let mut d = [zeros::<L, 3>(); 3];
    for k in 0..3 {
        let turn = [c0[k], c1[k], c2[k]];
        d[0][k] = inner3(turn, [xx, xy, xz]);
        d[1][k] = inner3(turn, [xy, yy, yz]);
        d[2][k] = inner3(turn, [xz, yz, zz]);
    }
    let [x, y, z] = offset;
    let (mx, my, mz) = (x * mass, y * mass, z * mass);
    let (xx, yy, zz) = (mx * x, my * y, mz * z);
    [
        turned(&d, mat, 0, 0) + (yy + zz),
        turned(&d, mat, 1, 1) + (xx + zz),
        turned(&d, mat, 2, 2) + (xx + yy),
        turned(&d, mat, 0, 1).sub_product(mx, y),
        turned(&d, mat, 0, 2).sub_product(mx, z),
        turned(&d, mat, 1, 2).sub_product(my, z),
        mx,
        my,
        mz,
        mass,
    ]
}
