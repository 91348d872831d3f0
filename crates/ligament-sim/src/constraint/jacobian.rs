//! Jacobians of points on bodies, restricted to the degrees of freedom that move them.

use crate::support::jacobian::parent_dof;
use crate::workspace::ConstraintScratch;
use ligament_math::{Vec3, vec3};
use ligament_model::Model;

use crate::support::{Motion, com_offset, last_dof, translation_column};

/// Jacobian of (point 2 on body 2) − (point 1 on body 1), and of the difference of angular velocities:
/// fills `cols`, `lin`, `ang`.
pub(crate) fn difference(
    m: &Model,
    motion: Motion,
    (body1, point1): (usize, Vec3),
    (body2, point2): (usize, Vec3),
    s: &mut ConstraintScratch,
) {
    let (mut dof1, mut dof2) = (last_dof(m, body1), last_dof(m, body2));
    let offset1 = com_offset(m, motion.subtree_com, point1, body1);
    let offset2 = com_offset(m, motion.subtree_com, point2, body2);
    s.cols.clear();
    s.lin.clear();
    s.ang.clear();
    loop {
        let dof = dof1.max(dof2);
        if dof < 0 {
            break;
        }
        let cdof = &motion.cdof[dof as usize];
        let rot = [cdof[0], cdof[1], cdof[2]];
        let (mut lin, mut ang) = ([0.0; 3], [0.0; 3]);
        if dof2 == dof {
            lin = translation_column(cdof, offset2);
            ang = rot;
            dof2 = parent_dof(m, dof as usize);
        }
        if dof1 == dof {
            lin = vec3::sub(lin, translation_column(cdof, offset1));
            ang = vec3::sub(ang, rot);
            dof1 = parent_dof(m, dof as usize);
        }
        s.cols.push(dof);
        s.lin.push(lin);
        s.ang.push(ang);
    }
    s.cols.reverse();
    s.lin.reverse();
    s.ang.reverse();
}

/// Jacobian of Σ weight · point over the bodies in `s.bodies`: fills `cols`, `lin`, `ang`.
pub(crate) fn weighted_sum(m: &Model, motion: Motion, point: Vec3, s: &mut ConstraintScratch) {
    s.slot.resize(m.nv, -1);
    s.lin_dense.resize(m.nv, [0.0; 3]);
    s.ang_dense.resize(m.nv, [0.0; 3]);
    s.cols.clear();
    for &(body, weight) in &s.bodies {
        let offset = com_offset(m, motion.subtree_com, point, body);
        let mut dof = last_dof(m, body);
        while dof >= 0 {
            let i = dof as usize;
            if s.slot[i] < 0 {
                s.slot[i] = 0;
                s.cols.push(dof);
                s.lin_dense[i] = [0.0; 3];
                s.ang_dense[i] = [0.0; 3];
            }
            let cdof = &motion.cdof[i];
            s.lin_dense[i] = vec3::add_scaled(s.lin_dense[i], translation_column(cdof, offset), weight);
            s.ang_dense[i] = vec3::add_scaled(s.ang_dense[i], [cdof[0], cdof[1], cdof[2]], weight);
            dof = parent_dof(m, i);
        }
    }
    s.cols.sort_unstable();
    s.lin.clear();
    s.ang.clear();
    for &dof in &s.cols {
        s.slot[dof as usize] = -1;
        s.lin.push(s.lin_dense[dof as usize]);
        s.ang.push(s.ang_dense[dof as usize]);
    }
}

/// Writes the rows `direction · column` of the translational (or rotational) Jacobian.
pub(crate) fn rows_along(directions: &[Vec3], columns: &[Vec3], out: &mut Vec<f64>) {
    for &direction in directions {
        out.extend(columns.iter().map(|&c| vec3::dot(direction, c)));
    }
}
