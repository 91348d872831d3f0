//! Forward kinematics: poses of bodies and of everything attached to them, and the quantities about the centres of
//! mass of the trees.

use crate::access::{Access, access};
use crate::awake::{self, Selection};
use crate::sleep;
use crate::support::object::{BodyPoses, world_frame, world_point};
use crate::support::{unit_quat_at, vec3_at};
use ligament_math::{MINVAL, Mat3, Quat, Vec3, Vec6, mat3, quat, spatial, vec3};
use ligament_model::enums::{CamLight, JointType, SleepState};
use ligament_model::{Data, Model};

/// What [`kinematics`] touches.
pub(crate) const KINEMATICS: Access = access! {
    model {
        body_geomadr body_geomnum body_ipos body_iquat body_jntadr body_jntnum body_parentid body_pos
        body_quat body_sameframe geom_pos geom_quat geom_sameframe jnt_axis jnt_pos jnt_qposadr jnt_type
        qpos0 site_bodyid site_pos site_quat site_sameframe tree_bodyadr tree_bodynum tree_dofadr
        tree_dofnum
    }
    reads {
        body_awake_ind geom_xmat geom_xpos mocap_pos mocap_quat ntree_awake qfrc_applied qpos qvel
        tree_awake xfrc_applied ximat xipos xmat xpos xquat
    }
    writes { geom_xmat geom_xpos site_xmat site_xpos tree_awake xanchor xaxis ximat xipos xmat xpos xquat }
};

/// Poses of bodies, inertial frames, joints, geoms and sites.
///
/// Reads qpos, mocap_*; writes xpos xquat xmat xipos ximat xanchor xaxis geom_x* site_x*. A sleeping tree whose
/// position was changed from outside wakes here.
pub fn kinematics(m: &Model, d: &mut Data) {
    body_poses(m, d);
    if sleep::wake(m, d) > 0 {
        sleep::update_sleep(m, d);
    }
    attached_poses(m, d);
}

/// Poses of bodies and joints.
fn body_poses(m: &Model, d: &mut Data) {
    d.xpos[0] = [0.0; 3];
    d.xquat[0] = quat::IDENTITY;
    d.xmat[0] = mat3::IDENTITY;
    d.xipos[0] = [0.0; 3];
    d.ximat[0] = mat3::IDENTITY;
    let sleep_filter = awake::sleep_enabled(m);
    for i in 1..m.nbody {
        if sleep_filter && d.body_awake[i] == SleepState::Static as i32 {
            continue;
        }
        let (pos, mut rot) = body_pose(m, d, i);
        quat::normalize(&mut rot);
        if sleep_filter && m.body_jntnum[i] != 0 && d.body_awake[i] == SleepState::Asleep as i32 {
            if pos == d.xpos[i] && rot == d.xquat[i] {
                continue;
            }
            // the user moved a sleeping body: its tree wakes
            d.tree_awake[m.body_treeid[i] as usize] = 1;
        }
        d.xpos[i] = pos;
        d.xquat[i] = rot;
        d.xmat[i] = quat::to_mat(rot);
    }
}

/// Pose of one body from its parent's and its joints; fills the joints' anchors and axes.
#[inline(always)]
fn body_pose(m: &Model, d: &mut Data, i: usize) -> (Vec3, Quat) {
    let joint_count = m.body_jntnum[i] as usize;
    let first = m.body_jntadr[i];
    if joint_count == 1 && m.jnt_type[first as usize] == JointType::Free as i32 {
        let j = first as usize;
        let adr = m.jnt_qposadr[j] as usize;
        let pos = vec3_at(&d.qpos, adr);
        d.xanchor[j] = pos;
        d.xaxis[j] = m.jnt_axis[j];
        return (pos, unit_quat_at(&d.qpos, adr + 3));
    }
    let (mut pos, mut rot) = rest_pose(m, d, i);
    for k in 0..joint_count {
        let j = first as usize + k;
        let axis = quat::rotate(rot, m.jnt_axis[j]);
        let anchor = vec3::add(quat::rotate(rot, m.jnt_pos[j]), pos);
        let adr = m.jnt_qposadr[j] as usize;
        let turn = match JointType::try_from(m.jnt_type[j]) {
            Ok(JointType::Slide) => {
                pos = vec3::add_scaled(pos, axis, d.qpos[adr] - m.qpos0[adr]);
                None
            }
            Ok(JointType::Ball) => Some(unit_quat_at(&d.qpos, adr)),
            Ok(JointType::Hinge) => Some(quat::from_axis_angle(m.jnt_axis[j], d.qpos[adr] - m.qpos0[adr])),
            Ok(JointType::Free) | Err(_) => None,
        };
        if let Some(turn) = turn {
            rot = quat::mul(rot, turn);
            // the anchor stays where it is
            pos = vec3::sub(anchor, quat::rotate(rot, m.jnt_pos[j]));
        }
        d.xanchor[j] = anchor;
        d.xaxis[j] = axis;
    }
    (pos, rot)
}

/// Pose of a body before its joints move it: relative to the parent, or as the user placed a mocap body.
#[inline]
fn rest_pose(m: &Model, d: &Data, i: usize) -> (Vec3, Quat) {
    let mocap = m.body_mocapid[i];
    let (pos, rot) = if mocap >= 0 {
        let mut rot = d.mocap_quat[mocap as usize];
        quat::normalize(&mut rot);
        (d.mocap_pos[mocap as usize], rot)
    } else {
        (m.body_pos[i], m.body_quat[i])
    };
    let parent = m.body_parentid[i] as usize;
    if parent == 0 {
        return (pos, rot);
    }
    (vec3::add(mat3::mul_vec(&d.xmat[parent], pos), d.xpos[parent]), quat::mul(d.xquat[parent], rot))
}

/// Poses of inertial frames, geoms and sites.
fn attached_poses(m: &Model, d: &mut Data) {
    let sleep_enabled = awake::sleep_enabled(m);
    let Data { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let bodies = Selection::new(sleep_enabled, &d.body_awake_ind, d.nbody_awake, m.nbody);
    let moving = |body: usize| !bodies.is_filtered() || d.body_awake[body] == SleepState::Awake as i32;
    for k in 1..bodies.len() {
        let i = bodies.get(k);
        let poses = BodyPoses { xpos, xquat, xmat, xipos, ximat };
        let (pos, mat) = world_frame(poses, m.body_ipos[i], m.body_iquat[i], i, m.body_sameframe[i]);
        xipos[i] = pos;
        ximat[i] = mat;
    }
    let poses = BodyPoses { xpos, xquat, xmat, xipos, ximat };
    for body in bodies.iter().filter(|&b| moving(b)) {
        let start = m.body_geomadr[body].max(0) as usize;
        for g in start..start + m.body_geomnum[body] as usize {
            (geom_xpos[g], geom_xmat[g]) =
                world_frame(poses, m.geom_pos[g], m.geom_quat[g], body, m.geom_sameframe[g]);
        }
    }
    for s in 0..m.nsite {
        let body = m.site_bodyid[s] as usize;
        if moving(body) {
            (site_xpos[s], site_xmat[s]) =
                world_frame(poses, m.site_pos[s], m.site_quat[s], body, m.site_sameframe[s]);
        }
    }
}

/// What [`com_pos`] touches.
pub(crate) const COM_POS: Access = access! {
    model {
        body_inertia body_jntadr body_jntnum body_mass body_parentid body_rootid body_subtreemass
        jnt_dofadr
    }
    reads {
        body_awake body_awake_ind cdof cinert nparent_awake parent_awake_ind subtree_com xanchor xaxis
        ximat xipos xmat
    }
    writes { cdof cinert subtree_com }
};

/// Centres of mass of subtrees, and inertias and motion axes about the centre of mass of each tree.
///
/// Reads body and joint poses; writes subtree_com cinert cdof.
pub fn com_pos(m: &Model, d: &mut Data) {
    subtree_coms(m, d);
    let Data { xipos, ximat, xmat, xanchor, xaxis, subtree_com, cinert, cdof, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody);
    cinert[0] = [0.0; 10];
    for k in 1..bodies.len() {
        let i = bodies.get(k);
        let com = subtree_com[m.body_rootid[i] as usize];
        let offset = vec3::sub(xipos[i], com);
        cinert[i] = spatial::inertia_about(m.body_inertia[i], &ximat[i], offset, m.body_mass[i]);
        let start = m.body_jntadr[i].max(0) as usize;
        for j in start..start + m.body_jntnum[i] as usize {
            let adr = m.jnt_dofadr[j] as usize;
            joint_axes(m.jnt_type[j], &xmat[i], xaxis[j], vec3::sub(com, xanchor[j]), &mut cdof[adr..]);
        }
    }
}

/// Motion axes of a joint; `offset` leads from its anchor to the reference point.
#[inline]
fn joint_axes(kind: i32, xmat: &Mat3, axis: Vec3, offset: Vec3, cdof_out: &mut [Vec6]) {
    let rotation = |axis: Vec3| spatial::join(axis, vec3::cross(axis, offset));
    match JointType::try_from(kind) {
        Ok(JointType::Free) => {
            for (k, axis) in cdof_out.iter_mut().take(3).enumerate() {
                *axis = [0.0; 6];
                axis[3 + k] = 1.0;
            }
            for k in 0..3 {
                cdof_out[3 + k] = rotation(mat3::col(xmat, k));
            }
        }
        Ok(JointType::Ball) => {
            for k in 0..3 {
                cdof_out[k] = rotation(mat3::col(xmat, k));
            }
        }
        Ok(JointType::Slide) => cdof_out[0] = spatial::join([0.0; 3], axis),
        Ok(JointType::Hinge) => cdof_out[0] = rotation(axis),
        Err(_) => {}
    }
}

/// Centres of mass of all subtrees, by a pass from the leaves to the root.
fn subtree_coms(m: &Model, d: &mut Data) {
    let sleep_enabled = awake::sleep_enabled(m);
    let bodies = Selection::new(sleep_enabled, &d.body_awake_ind, d.nbody_awake, m.nbody);
    let parents = if bodies.is_filtered() {
        Selection::new(true, &d.parent_awake_ind, d.nparent_awake, usize::MAX)
    } else {
        bodies
    };
    let Data { xipos, subtree_com, .. } = d;
    for i in bodies.iter() {
        subtree_com[i] = vec3::scale(xipos[i], m.body_mass[i]);
    }
    for i in parents.iter().rev().filter(|&i| i != 0) {
        let parent = m.body_parentid[i] as usize;
        // a sleeping child still holds its centre, not its moment
        let asleep = bodies.is_filtered() && d.body_awake[i] == SleepState::Asleep as i32;
        let moment = if asleep { vec3::scale(subtree_com[i], m.body_subtreemass[i]) } else { subtree_com[i] };
        subtree_com[parent] = vec3::add(subtree_com[parent], moment);
    }
    for i in bodies.iter() {
        subtree_com[i] = if m.body_subtreemass[i] < MINVAL {
            xipos[i]
        } else {
            vec3::scale(subtree_com[i], 1.0 / m.body_subtreemass[i])
        };
    }
}

/// What [`cam_light`] touches.
pub(crate) const CAM_LIGHT: Access = access! {
    model {
        cam_bodyid cam_mat0 cam_mode cam_pos cam_pos0 cam_poscom0 cam_quat cam_targetbodyid light_bodyid
        light_dir light_dir0 light_mode light_pos light_pos0 light_poscom0 light_targetbodyid
    }
    reads { nbody_awake subtree_com xmat xpos xquat }
    writes { cam_xmat cam_xpos light_xdir light_xpos }
};

/// Poses of cameras and lights.
pub fn cam_light(m: &Model, d: &mut Data) {
    pose_cameras_lights(m, d, |mode| CamLight::try_from(mode).unwrap_or(CamLight::Fixed));
}

/// Poses of cameras and lights as if all of them were fixed to their bodies.
pub(crate) fn cam_light_fixed(m: &Model, d: &mut Data) {
    pose_cameras_lights(m, d, |_| CamLight::Fixed);
}

fn pose_cameras_lights(m: &Model, d: &mut Data, mode: impl Fn(i32) -> CamLight) {
    let filtered = awake::bodies(m, d).is_filtered();
    let resting = |d: &Data, body: i32, target: i32| {
        let still = |b: i32| b < 0 || d.body_awake[b as usize] != SleepState::Awake as i32;
        filtered && still(body) && still(target)
    };
    for i in 0..m.ncam {
        if !resting(d, m.cam_bodyid[i], m.cam_targetbodyid[i]) {
            (d.cam_xpos[i], d.cam_xmat[i]) = camera_pose(m, d, i, mode(m.cam_mode[i]));
        }
    }
    for i in 0..m.nlight {
        if !resting(d, m.light_bodyid[i], m.light_targetbodyid[i]) {
            let (pos, mut dir) = light_pose(m, d, i, mode(m.light_mode[i]));
            vec3::normalize(&mut dir);
            d.light_xpos[i] = pos;
            d.light_xdir[i] = dir;
        }
    }
}

/// Point a targeting camera or light looks at, if it has a target.
fn target_point(d: &Data, mode: CamLight, target: i32) -> Option<Vec3> {
    let target = usize::try_from(target).ok()?;
    match mode {
        CamLight::Targetbody => Some(d.xpos[target]),
        CamLight::Targetbodycom => Some(d.subtree_com[target]),
        CamLight::Fixed | CamLight::Track | CamLight::Trackcom => None,
    }
}

fn camera_pose(m: &Model, d: &Data, i: usize, mode: CamLight) -> (Vec3, Mat3) {
    let body = m.cam_bodyid[i] as usize;
    let (pos, mat) = world_frame(d.into(), m.cam_pos[i], m.cam_quat[i], body, 0);
    match mode {
        CamLight::Fixed => (pos, mat),
        CamLight::Track => (vec3::add(d.xpos[body], m.cam_pos0[i]), m.cam_mat0[i]),
        CamLight::Trackcom => (vec3::add(d.subtree_com[body], m.cam_poscom0[i]), m.cam_mat0[i]),
        CamLight::Targetbody | CamLight::Targetbodycom => {
            match target_point(d, mode, m.cam_targetbodyid[i]) {
                Some(target) => (pos, looking_at(pos, target)),
                None => (pos, mat),
            }
        }
    }
}

/// Camera orientation with -z towards the target and x horizontal.
fn looking_at(pos: Vec3, target: Vec3) -> Mat3 {
    let z = vec3::unit(vec3::sub(pos, target));
    let x = vec3::unit(vec3::cross([0.0, 0.0, 1.0], z));
    let y = vec3::unit(vec3::cross(z, x));
    [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]
}

fn light_pose(m: &Model, d: &Data, i: usize, mode: CamLight) -> (Vec3, Vec3) {
    let body = m.light_bodyid[i] as usize;
    let pos = world_point(d.into(), m.light_pos[i], body);
    let dir = quat::rotate(d.xquat[body], m.light_dir[i]);
    match mode {
        CamLight::Fixed => (pos, dir),
        CamLight::Track => (vec3::add(d.xpos[body], m.light_pos0[i]), m.light_dir0[i]),
        CamLight::Trackcom => (vec3::add(d.subtree_com[body], m.light_poscom0[i]), m.light_dir0[i]),
        CamLight::Targetbody | CamLight::Targetbodycom => {
            match target_point(d, mode, m.light_targetbodyid[i]) {
                Some(target) => (pos, vec3::sub(target, pos)),
                None => (pos, dir),
            }
        }
    }
}
