//! Frames that coincide, so that kinematics can copy instead of multiplying.

use super::CBody;
use crate::pose::{same_pos, same_quat};
use ligament_math::{Quat, Vec3, quat};
use ligament_model::enums::SameFrame;

/// How the inertial frame of a body relates to the body.
pub fn frame_of_body(body: &CBody<'_>) -> SameFrame {
    if !same_quat(body.inertial.quat, quat::IDENTITY) {
        SameFrame::None
    } else if same_pos(body.inertial.pos, [0.0; 3]) {
        SameFrame::Body
    } else {
        SameFrame::Bodyrot
    }
}

/// How the frame of a geom or site relates to its body and to the inertial frame of that.
pub fn frame_of_element(pos: Vec3, q: Quat, body: &CBody<'_>) -> SameFrame {
    if same_quat(q, quat::IDENTITY) {
        return if same_pos(pos, [0.0; 3]) { SameFrame::Body } else { SameFrame::Bodyrot };
    }
    if same_quat(q, body.inertial.quat) {
        return if same_pos(pos, body.inertial.pos) { SameFrame::Inertia } else { SameFrame::Inertiarot };
    }
    SameFrame::None
}
