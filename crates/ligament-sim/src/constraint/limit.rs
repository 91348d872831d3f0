//! Limits of joints and tendons.

use crate::workspace::ConstraintScratch;
use ligament_math::{quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{ConstraintType, DisableBit, JointType, ObjType};

use super::inputs::Inputs;
use super::rows::{Group, Rows};

/// Rows of all limits that are violated or within their margin.
pub(crate) fn add_limits(m: &Model, d: &Inputs, rows: &mut Rows, s: &mut ConstraintScratch) {
    if m.opt.disabled(DisableBit::Limit) {
        return;
    }
    for joint in 0..m.njnt {
        if m.jnt_limited[joint] == 0 || d.is_asleep(m, ObjType::Joint, joint) {
            continue;
        }
        match JointType::try_from(m.jnt_type[joint]) {
            Ok(JointType::Slide | JointType::Hinge) => scalar_joint(m, d, joint, rows),
            Ok(JointType::Ball) => ball(m, d, joint, rows),
            Ok(JointType::Free) | Err(_) => {}
        }
    }
    for tendon in 0..m.ntendon {
        if m.tendon_limited[tendon] != 0 {
            tendon_limit(m, d, tendon, rows, s);
        }
    }
}

/// Distances to the lower and upper end of a range, with the sign of the Jacobian.
fn distances(range: [f64; 2], value: f64) -> [(f64, f64); 2] {
    [(-(range[0] - value), 1.0), (range[1] - value, -1.0)]
}

fn scalar_joint(m: &Model, d: &Inputs, joint: usize, rows: &mut Rows) {
    let value = d.qpos[m.jnt_qposadr[joint] as usize];
    let margin = m.jnt_margin[joint];
    for (dist, sign) in distances(m.jnt_range[joint], value) {
        if dist < margin {
            let kind = ConstraintType::LimitJoint;
            let group =
                Group { kind, id: joint, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
            rows.add(group, &[m.jnt_dofadr[joint]], &[sign]);
        }
    }
}

/// The rotation angle of a ball joint is limited by the larger end of its range.
fn ball(m: &Model, d: &Inputs, joint: usize, rows: &mut Rows) {
    let adr = m.jnt_qposadr[joint] as usize;
    let mut q = [d.qpos[adr], d.qpos[adr + 1], d.qpos[adr + 2], d.qpos[adr + 3]];
    quat::normalize(&mut q);
    let mut axis = quat::to_velocity(q, 1.0);
    let angle = vec3::normalize(&mut axis);
    let range = m.jnt_range[joint];
    let margin = m.jnt_margin[joint];
    let dist = range[0].max(range[1]) - angle;
    if dist < margin {
        let dof = m.jnt_dofadr[joint];
        let kind = ConstraintType::LimitJoint;
        let group = Group { kind, id: joint, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
        rows.add(group, &[dof, dof + 1, dof + 2], &vec3::neg(axis));
    }
}

fn tendon_limit(m: &Model, d: &Inputs, tendon: usize, rows: &mut Rows, s: &mut ConstraintScratch) {
    let margin = m.tendon_margin[tendon];
    for (dist, sign) in distances(m.tendon_range[tendon], d.ten_length[tendon]) {
        if !(dist < margin) {
            continue;
        }
        d.tendon_row(m, tendon, &mut s.first);
        for x in &mut s.first.1 {
            *x *= sign;
        }
        let row = rows.len();
        let kind = ConstraintType::LimitTendon;
        let group = Group { kind, id: tendon, size: 1, pos: &[dist], margin: &[margin], frictionloss: 0.0 };
        rows.add(group, &s.first.0, &s.first.1);
        rows.note_tendon(tendon, row);
    }
}

/// Number of violated (or nearly violated) ends of a tendon's range.
pub(crate) fn tendon_limits_active(m: &Model, ten_length: &[f64], tendon: usize) -> usize {
    if m.tendon_limited[tendon] == 0 {
        return 0;
    }
    distances(m.tendon_range[tendon], ten_length[tendon])
        .iter()
        .filter(|(dist, _)| *dist < m.tendon_margin[tendon])
        .count()
}
