//! Dof chains (the columns in which a Jacobian may be non-zero) and sparse Jacobians on them.

use super::jacobian::{Motion, clear, com_offset, last_dof, parent_dof, translation_column};
use ligament_math::{Vec3, spatial, vec3};
use ligament_model::Model;

/// Dofs that move a body, in increasing order.
pub fn body_chain(m: &Model, body: usize, chain: &mut Vec<i32>) {
    chain.clear();
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        chain.push(dof);
        dof = parent_dof(m, dof as usize);
    }
    chain.reverse();
}

/// Dofs that move either of two bodies, in increasing order.
pub fn merge_chain(m: &Model, body1: usize, body2: usize, chain: &mut Vec<i32>) {
    chain.clear();
    let (mut dof1, mut dof2) = (last_dof(m, body1), last_dof(m, body2));
    while dof1 >= 0 || dof2 >= 0 {
        let dof = dof1.max(dof2);
        if dof1 == dof {
            dof1 = parent_dof(m, dof as usize);
        }
        if dof2 == dof {
            dof2 = parent_dof(m, dof as usize);
        }
        chain.push(dof);
    }
    chain.reverse();
}

/// Jacobians (3 × chain length, by rows) of a world point attached to a body whose dofs are all in `chain`.
pub fn jac_sparse(
    m: &Model,
    motion: Motion,
    mut jacp: Option<&mut [f64]>,
    mut jacr: Option<&mut [f64]>,
    point: Vec3,
    body: usize,
    chain: &[i32],
) {
    let n = chain.len();
    clear(&mut jacp, 3 * n);
    clear(&mut jacr, 3 * n);
    let offset = com_offset(m, motion.subtree_com, point, body);
    let mut column = n;
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        while column > 0 && chain[column - 1] > dof {
            column -= 1;
        }
        debug_assert!(column > 0 && chain[column - 1] == dof, "dof {dof} not in chain");
        let Some(c) = column.checked_sub(1) else { return };
        let cdof = &motion.cdof[dof as usize];
        if let Some(jac) = jacr.as_deref_mut() {
            for (r, x) in spatial::rot(cdof).into_iter().enumerate() {
                jac[r * n + c] = x;
            }
        }
        if let Some(jac) = jacp.as_deref_mut() {
            for (r, x) in translation_column(cdof, offset).into_iter().enumerate() {
                jac[r * n + c] = x;
            }
        }
        dof = parent_dof(m, dof as usize);
    }
}

/// Calls `f(dof, difference)` with the translational column of `point2 - point1` for each dof that moves either
/// point, from the last dof to the first. Nothing is stored, so no chain or Jacobian is needed.
#[inline]
pub fn for_each_difference(
    m: &Model,
    motion: Motion,
    (body1, point1): (usize, Vec3),
    (body2, point2): (usize, Vec3),
    mut f: impl FnMut(usize, Vec3),
) {
    let offset1 = com_offset(m, motion.subtree_com, point1, body1);
    let offset2 = com_offset(m, motion.subtree_com, point2, body2);
    let mut shared = for_each_stretching(m, motion, (body1, point1), (body2, point2), &mut f);
    while let Ok(i) = usize::try_from(shared) {
        let cdof = &motion.cdof[i];
        f(i, vec3::sub(translation_column(cdof, offset2), translation_column(cdof, offset1)));
        shared = parent_dof(m, i);
    }
}

/// As [`for_each_difference`], for users that look along the line between the points: dofs that move both points
/// rotate or shift that line as a whole and do not change its length. They are left out, and the last of them is returned
/// (negative: there is none). (What is lost is rounding noise, which MuJoCo keeps.) Where no dof changes the length, the
/// noise is all there is, and decides in the constraints whether a row is empty: then it is kept.
#[inline]
pub fn for_each_stretching(
    m: &Model,
    motion: Motion,
    (body1, point1): (usize, Vec3),
    (body2, point2): (usize, Vec3),
    mut f: impl FnMut(usize, Vec3),
) -> i32 {
    let offset1 = com_offset(m, motion.subtree_com, point1, body1);
    let offset2 = com_offset(m, motion.subtree_com, point2, body2);
    let (mut dof1, mut dof2) = (last_dof(m, body1), last_dof(m, body2));
    let rigid = dof1 == dof2;
    while dof1 != dof2 {
        if dof2 > dof1 {
            let i = dof2 as usize;
            f(i, translation_column(&motion.cdof[i], offset2));
            dof2 = parent_dof(m, i);
        } else {
            let i = dof1 as usize;
            f(i, vec3::neg(translation_column(&motion.cdof[i], offset1)));
            dof1 = parent_dof(m, i);
        }
    }
    if !rigid {
        return dof1;
    }
    while let Ok(i) = usize::try_from(dof1) {
        let cdof = &motion.cdof[i];
        f(i, vec3::sub(translation_column(cdof, offset2), translation_column(cdof, offset1)));
        dof1 = parent_dof(m, i);
    }
    -1
}

/// Calls `f(dof, column)` with the translational column of a point for each dof that moves it, from the last.
#[inline]
pub fn for_each_column(m: &Model, motion: Motion, body: usize, point: Vec3, mut f: impl FnMut(usize, Vec3)) {
    let offset = com_offset(m, motion.subtree_com, point, body);
    let mut dof = last_dof(m, body);
    while let Ok(i) = usize::try_from(dof) {
        f(i, translation_column(&motion.cdof[i], offset));
        dof = parent_dof(m, i);
    }
}
