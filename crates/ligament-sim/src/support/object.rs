//! Frames, velocities and accelerations of objects with a spatial frame.

use ligament_math::{Mat3, Number, Quat, Vec3, Vec6, mat3, quat, spatial, vec3};
use ligament_model::enums::{ObjType, SameFrame};
use ligament_model::{Data, Model};

/// Body and world pose of an object with a spatial frame; `None` for other kinds of object.
pub fn object_frame(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<(usize, Vec3, Mat3)> {
    match kind {
        ObjType::Body => Some((id, d.xipos[id], d.ximat[id])),
        ObjType::Xbody => Some((id, d.xpos[id], d.xmat[id])),
        ObjType::Geom => Some((m.geom_bodyid[id] as usize, d.geom_xpos[id], d.geom_xmat[id])),
        ObjType::Site => Some((m.site_bodyid[id] as usize, d.site_xpos[id], d.site_xmat[id])),
        ObjType::Camera => Some((m.cam_bodyid[id] as usize, d.cam_xpos[id], d.cam_xmat[id])),
        _ => None,
    }
}

/// Body of a geom that a contact names; -1 for a flex, and for what does not exist: contacts can be written by hand.
#[inline]
pub(crate) fn body_of_geom(m: &Model, geom: i32) -> i32 {
    usize::try_from(geom).ok().and_then(|geom| m.geom_bodyid.get(geom)).map_or(-1, |&body| body)
}

/// Moves a com-based motion vector of a body to a point, in world or local orientation.
fn to_object(m: &Model, d: &Data, v: &Vec6, body: usize, pos: Vec3, local: Option<&Mat3>) -> Vec6 {
    let moved = spatial::shift_motion(v, pos, d.subtree_com[m.body_rootid[body] as usize]);
    match local {
        None => moved,
        Some(mat) => spatial::join(
            mat3::mul_vec_t(mat, spatial::rot(&moved)),
            mat3::mul_vec_t(mat, spatial::lin(&moved)),
        ),
    }
}

/// Velocity (rotational, translational) of an object about its origin, in world or local orientation.
/// `None` for objects without a spatial frame.
pub fn object_velocity(m: &Model, d: &Data, kind: ObjType, id: usize, local: bool) -> Option<Vec6> {
    let (body, pos, mat) = object_frame(m, d, kind, id)?;
    if m.body_weldid[body] == 0 {
        return Some([0.0; 6]);
    }
    Some(to_object(m, d, &d.cvel[body], body, pos, local.then_some(&mat)))
}

/// Acceleration of an object about its origin, including the centripetal term ω × v that the com-based
/// spatial acceleration lacks; needs `cacc`. `None` for objects without a spatial frame.
pub fn object_acceleration(m: &Model, d: &Data, kind: ObjType, id: usize, local: bool) -> Option<Vec6> {
    let (body, pos, mat) = object_frame(m, d, kind, id)?;
    if m.body_weldid[body] == 0 {
        return Some([0.0; 6]);
    }
    let local = local.then_some(&mat);
    let mut acc = to_object(m, d, &d.cacc[body], body, pos, local);
    let vel = to_object(m, d, &d.cvel[body], body, pos, local);
    let correction = vec3::cross(spatial::rot(&vel), spatial::lin(&vel));
    for k in 0..3 {
        acc[3 + k] += correction[k];
    }
    Some(acc)
}

/// World poses of bodies and of their inertial frames, in one world or several.
#[derive(Clone, Copy)]
pub struct BodyPoses<'a, T = f64> {
    /// Positions of bodies.
    pub xpos: &'a [[T; 3]],
    /// Orientations of bodies.
    pub xquat: &'a [[T; 4]],
    /// The same as matrices.
    pub xmat: &'a [[T; 9]],
    /// Centres of mass.
    pub xipos: &'a [[T; 3]],
    /// Orientations of principal axes.
    pub ximat: &'a [[T; 9]],
}

impl<'a> From<&'a Data> for BodyPoses<'a> {
    fn from(d: &'a Data) -> Self {
        Self { xpos: &d.xpos, xquat: &d.xquat, xmat: &d.xmat, xipos: &d.xipos, ximat: &d.ximat }
    }
}

/// World position of a point in a body frame.
#[inline]
pub fn world_point<T: Number>(poses: BodyPoses<T>, pos: Vec3, body: usize) -> [T; 3] {
    vec3::add(mat3::mul_vec(&poses.xmat[body], T::all(pos)), poses.xpos[body])
}

/// World pose of a frame in a body; `sameframe` says which parts coincide with a frame of the body. Each case writes where the
/// pose belongs: what is put together first and copied then is read before it has left the store buffer.
#[inline(always)]
pub fn put_world_frame<T: Number>(
    poses: BodyPoses<T>,
    (pos, rot): (Vec3, Quat),
    body: usize,
    sameframe: u8,
    (pos_out, mat_out): (&mut [T; 3], &mut [T; 9]),
) {
    match SameFrame::try_from(i32::from(sameframe)) {
        Ok(SameFrame::None) | Err(_) => {
            *pos_out = world_point(poses, pos, body);
            *mat_out = T::matrix(quat::mul(poses.xquat[body], T::all(rot)));
        }
        Ok(SameFrame::Body) => {
            *pos_out = poses.xpos[body];
            *mat_out = poses.xmat[body];
        }
        Ok(SameFrame::Inertia) => {
            *pos_out = poses.xipos[body];
            *mat_out = poses.ximat[body];
        }
        Ok(SameFrame::Bodyrot) => {
            *pos_out = world_point(poses, pos, body);
            *mat_out = poses.xmat[body];
        }
        Ok(SameFrame::Inertiarot) => {
            *pos_out = world_point(poses, pos, body);
            *mat_out = poses.ximat[body];
        }
    }
}

/// World pose of a frame in a body (`mj_local2Global`).
pub fn local2global(d: &Data, pos: Vec3, rot: Quat, body: usize, sameframe: u8) -> (Vec3, Mat3) {
    let (mut xpos, mut xmat) = ([0.0; 3], [0.0; 9]);
    put_world_frame(d.into(), (pos, rot), body, sameframe, (&mut xpos, &mut xmat));
    (xpos, xmat)
}
