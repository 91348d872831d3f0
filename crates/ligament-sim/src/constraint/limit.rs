//! Limits of joints and tendons.

use crate::support::quat_at;
use crate::workspace::ConstraintScratch;
use ligament_math::{quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{ConstraintType, JointType, ObjType};

use super::inputs::Inputs;
use super::rows::{Group, Rows};

/// Distances to the lower and upper end of a range, with the sign of the Jacobian.
fn distances(range: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(range[0] - value), 1.0), (range[1] - value, -1.0)]
}

/// Joints that are looked at together.
const GLANCE: usize = 64;

/// Ranges of joints, and where joints are in the state.
pub(crate) struct JointLimits<'a> {
    limited: &'a [u8],
    kind: &'a [i32],
    position: &'a [i32],
    dof: &'a [i32],
    range: &'a [[f64; 2]],
    margin: &'a [f64],
}

impl<'a> JointLimits<'a> {
    #[inline]
    pub fn of(m: &'a Model) -> Self {
        Self {
            limited: &m.jnt_limited,
            kind: &m.jnt_type,
            position: &m.jnt_qposadr,
            dof: &m.jnt_dofadr,
            range: &m.jnt_range,
            margin: &m.jnt_margin,
        }
    }

    /// Rows of all limits that are violated or within their margin.
    pub fn add_rows(&self, d: &Inputs, rows: &mut Rows) {
        // many at a glance: vertices of flexes have none
        let limited = |joints: &[u8]| joints.iter().fold(0, |any, limited| any | limited) != 0;
        let blocks = self.limited.chunks(GLANCE).enumerate().filter(|(_, joints)| limited(joints));
        for joint in blocks.flat_map(|(k, joints)| k * GLANCE..k * GLANCE + joints.len()) {
            if self.limited[joint] == 0 || d.is_asleep(ObjType::Joint, joint) {
                continue;
            }
            match JointType::try_from(self.kind[joint]) {
                Ok(JointType::Slide | JointType::Hinge) => self.add_scalar(joint, d.qpos, rows),
                Ok(JointType::Ball) => self.add_ball(joint, d.qpos, rows),
                Ok(JointType::Free) | Err(_) => {}
            }
        }
    }

    fn add_scalar(&self, joint: usize, qpos: &[f64], rows: &mut Rows) {
        let value = qpos[self.position[joint] as usize];
        let margin = self.margin[joint];
        for (dist, sign) in distances(self.range[joint], value) {
            if dist < margin {
                let kind = ConstraintType::LimitJoint;
                let group =
                    Group { kind, id: joint, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
                rows.add(group, &[self.dof[joint]], &[sign]);
            }
        }
    }

    /// The rotation angle of a ball joint is limited by the larger end of its range.
    #[inline(never)]
    fn add_ball(&self, joint: usize, qpos: &[f64], rows: &mut Rows) {
        let mut q = quat_at(qpos, self.position[joint] as usize);
        quat::normalize(&mut q);
        let mut axis = quat::to_velocity(q, 1.0);
        let angle = vec3::normalize(&mut axis);
        let range = self.range[joint];
        let margin = self.margin[joint];
        let dist = range[0].max(range[1]) - angle;
        if dist < margin {
            let dof = self.dof[joint];
            let kind = ConstraintType::LimitJoint;
            let group =
                Group { kind, id: joint, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
            rows.add(group, &[dof, dof + 1, dof + 2], &vec3::neg(axis));
        }
    }
}

/// Ranges of tendons.
pub(crate) struct TendonLimits<'a> {
    limited: &'a [u8],
    range: &'a [[f64; 2]],
    margin: &'a [f64],
}

impl<'a> TendonLimits<'a> {
    #[inline]
    pub fn of(m: &'a Model) -> Self {
        Self { limited: &m.tendon_limited, range: &m.tendon_range, margin: &m.tendon_margin }
    }

    /// Rows of all limits that are violated or within their margin.
    pub fn add_rows(&self, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
        for tendon in (0..self.limited.len()).filter(|&tendon| self.limited[tendon] != 0) {
            self.add_tendon(tendon, d, rows, s);
        }
    }

    fn add_tendon(&self, tendon: usize, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
        let margin = self.margin[tendon];
        for (dist, sign) in distances(self.range[tendon], d.ten_length[tendon]) {
            if !(dist < margin) {
                continue;
            }
            d.tendons.compress(tendon, &mut s.first);
            for x in &mut s.first.1 {
                *x *= sign;
            }
            let row = rows.len();
            let kind = ConstraintType::LimitTendon;
            let group =
                Group { kind, id: tendon, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
            rows.add(group, &s.first.0, &s.first.1);
            rows.note_tendon(tendon, row);
        }
    }

    /// Is an end of a tendon's range violated, or nearly so?
    pub fn is_active(&self, tendon: usize, length: f64) -> bool {
        let near = |&(dist, _): &(f64, f64)| dist < self.margin[tendon];
        self.limited[tendon] != 0 && distances(self.range[tendon], length).iter().any(near)
    }
}
