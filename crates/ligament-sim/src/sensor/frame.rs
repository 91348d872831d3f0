//! Frames of the objects that sensors refer to.

use ligament_math::{Mat3, Quat, Vec3, quat};
use ligament_model::enums::ObjType;
use ligament_model::{Data, Model};

/// Position and orientation; `None` for kinds without a frame.
pub fn pose(d: &Data, kind: ObjType, id: usize) -> Option<(Vec3, Mat3)> {
    Some(match kind {
        ObjType::Xbody => (d.xpos[id], d.xmat[id]),
        ObjType::Body => (d.xipos[id], d.ximat[id]),
        ObjType::Geom => (d.geom_xpos[id], d.geom_xmat[id]),
        ObjType::Site => (d.site_xpos[id], d.site_xmat[id]),
        ObjType::Camera => (d.cam_xpos[id], d.cam_xmat[id]),
        _ => return None,
    })
}

/// Orientation as the product of the body's quaternion and the object's.
pub fn quaternion(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Quat> {
    let on_body = |body: i32, local: Quat| quat::mul(d.xquat[body as usize], local);
    Some(match kind {
        ObjType::Xbody => d.xquat[id],
        ObjType::Body => quat::mul(d.xquat[id], m.body_iquat[id]),
        ObjType::Geom => on_body(m.geom_bodyid[id], m.geom_quat[id]),
        ObjType::Site => on_body(m.site_bodyid[id], m.site_quat[id]),
        ObjType::Camera => on_body(m.cam_bodyid[id], m.cam_quat[id]),
        _ => return None,
    })
}
