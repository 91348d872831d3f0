//! Jacobians of points on bodies, restricted to the degrees of freedom that move them.

use crate::support::{Chains, Motion, translation_column};
use crate::workspace::ConstraintScratch;
use ligament_math::{Vec3, vec3};

/// Jacobian of (point 2 on body 2) − (point 1 on body 1), and of the difference of angular velocities:
/// fills `cols`, `lin`, `ang`.
pub(crate) fn difference(
    chains: &Chains,
    motion: Motion,
    (body1, point1): (usize, Vec3),
    (body2, point2): (usize, Vec3),
    s: &mut ConstraintScratch,
) {
    let (mut dof1, mut dof2) = (chains.last_dof(body1), chains.last_dof(body2));
    let offset1 = chains.com_offset(motion.subtree_com, point1, body1);
    let offset2 = chains.com_offset(motion.subtree_com, point2, body2);
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
            dof2 = chains.parent_dof(dof as usize);
        }
        if dof1 == dof {
            lin = vec3::sub(lin, translation_column(cdof, offset1));
            ang = vec3::sub(ang, rot);
            dof1 = chains.parent_dof(dof as usize);
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
pub(crate) fn weighted_sum(chains: &Chains, motion: Motion, point: Vec3, s: &mut ConstraintScratch) {
    let nv = motion.cdof.len();
    s.slot.resize(nv, -1);
    s.lin_dense.resize(nv, [0.0; 3]);
    s.ang_dense.resize(nv, [0.0; 3]);
    s.cols.clear();
    for &(body, weight) in &s.bodies {
        let offset = chains.com_offset(motion.subtree_com, point, body);
        let mut dof = chains.last_dof(body);
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
            dof = chains.parent_dof(i);
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
