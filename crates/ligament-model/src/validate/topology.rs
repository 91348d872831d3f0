//! Bodies, joints and dofs form trees whose parts follow one another; sparse patterns fit those trees.

use super::{Outcome, require};
use crate::Model;
use crate::enums::JointType;

pub(super) fn check(m: &Model) -> Outcome {
    bodies(m)?;
    joints(m)?;
    dofs(m)?;
    trees(m)?;
    patterns(m)
}

/// Parents come first; a body owns its joints, dofs and geoms.
fn bodies(m: &Model) -> Outcome {
    for i in 0..m.nbody {
        let own = i as i32;
        require(i == 0 || m.body_parentid[i] < own, "body_parentid", i)?;
        require(m.body_parentid[0] == 0, "body_parentid", 0)?;
        let parent = m.body_parentid[i] as usize;
        let root = if parent == 0 { own } else { m.body_rootid[parent] };
        require(m.body_rootid[i] == root, "body_rootid", i)?;
        let weld = if i == 0 || m.body_jntnum[i] > 0 { own } else { m.body_weldid[parent] };
        require(m.body_weldid[i] == weld, "body_weldid", i)?;
        let owns = |start: i32, count: i32, owner: &[i32]| {
            let start = start.max(0) as usize;
            owner[start..start + count as usize].iter().all(|&body| body == own)
        };
        require(owns(m.body_jntadr[i], m.body_jntnum[i], &m.jnt_bodyid), "body_jntadr", i)?;
        require(owns(m.body_dofadr[i], m.body_dofnum[i], &m.dof_bodyid), "body_dofadr", i)?;
        require(owns(m.body_geomadr[i], m.body_geomnum[i], &m.geom_bodyid), "body_geomadr", i)?;
    }
    let total = |counts: &[i32]| counts.iter().map(|&n| n as usize).sum::<usize>();
    require(total(&m.body_jntnum) == m.njnt, "body_jntnum", 0)?;
    require(total(&m.body_dofnum) == m.nv, "body_dofnum", 0)?;
    require(total(&m.body_geomnum) == m.ngeom, "body_geomnum", 0)
}

/// Joints follow one another in `qpos` and `qvel` without gaps.
fn joints(m: &Model) -> Outcome {
    let (mut qpos, mut dof) = (0, 0);
    for i in 0..m.njnt {
        let Ok(kind) = JointType::try_from(m.jnt_type[i]) else {
            return require(false, "jnt_type", i);
        };
        let (nq, nv) = kind.sizes();
        require(m.jnt_qposadr[i] as usize == qpos && qpos + nq <= m.nq, "jnt_qposadr", i)?;
        require(m.jnt_dofadr[i] as usize == dof && dof + nv <= m.nv, "jnt_dofadr", i)?;
        let body = m.jnt_bodyid[i] as usize;
        let (first, count) = (m.body_dofadr[body], m.body_dofnum[body]);
        require(first as usize <= dof && dof + nv <= (first + count) as usize, "jnt_bodyid", i)?;
        require(m.dof_jntid[dof..dof + nv].iter().all(|&joint| joint as usize == i), "dof_jntid", dof)?;
        (qpos, dof) = (qpos + nq, dof + nv);
    }
    require(qpos == m.nq, "jnt_qposadr", m.njnt)?;
    require(dof == m.nv, "jnt_dofadr", m.njnt)
}

/// Parents come first; the legacy mass matrix has one number for a dof and each of its ancestors.
fn dofs(m: &Model) -> Outcome {
    let mut depth = vec![0usize; m.nv];
    let mut end = 0;
    for i in 0..m.nv {
        require(m.dof_parentid[i] < i as i32, "dof_parentid", i)?;
        depth[i] = 1 + usize::try_from(m.dof_parentid[i]).map_or(0, |parent| depth[parent]);
        require(m.dof_Madr[i] as usize == end, "dof_Madr", i)?;
        end += depth[i];
        let simple = m.dof_simplenum[i];
        require(simple >= 0 && simple as usize <= m.nv - i, "dof_simplenum", i)?;
        let ancestors = depth[i];
        require(m.M_rownnz[i] >= 1 && m.M_rownnz[i] as usize <= ancestors, "M_rownnz", i)?;
    }
    require(end == m.nM, "dof_Madr", m.nv)
}

/// Every dof belongs to the tree of its body, and trees own contiguous parts.
fn trees(m: &Model) -> Outcome {
    for i in 0..m.nv {
        let tree = m.dof_treeid[i];
        require(tree >= 0 && tree == m.body_treeid[m.dof_bodyid[i] as usize], "dof_treeid", i)?;
    }
    for (name, owner, start, count) in [
        ("tree_bodyadr", &m.body_treeid, &m.tree_bodyadr, &m.tree_bodynum),
        ("tree_dofadr", &m.dof_treeid, &m.tree_dofadr, &m.tree_dofnum),
    ] {
        for tree in 0..m.ntree {
            let part = row(owner, start[tree].max(0), count[tree]);
            require(!part.is_empty() && part.iter().all(|&id| id == tree as i32), name, tree)?;
        }
        let owned = owner.iter().filter(|&&id| id >= 0).count();
        require(owned == count.iter().map(|&n| n as usize).sum::<usize>(), name, m.ntree)?;
    }
    Ok(())
}

/// Rows lie inside their matrices, columns increase, diagonals are where they are looked for.
fn patterns(m: &Model) -> Outcome {
    rows_follow("M_rowadr", &m.M_rowadr, &m.M_rownnz, m.nC)?;
    rows_follow("D_rowadr", &m.D_rowadr, &m.D_rownnz, m.nD)?;
    rows_follow("B_rowadr", &m.B_rowadr, &m.B_rownnz, m.nB)?;
    let mut below = vec![Vec::new(); m.nv];
    for i in 0..m.nv {
        let columns = row(&m.M_colind, m.M_rowadr[i], m.M_rownnz[i]);
        // a row is the parent's row and the diagonal; of simple dofs only the diagonal
        let inherited = match usize::try_from(m.dof_parentid[i]) {
            Ok(parent) if columns.len() > 1 => row(&m.M_colind, m.M_rowadr[parent], m.M_rownnz[parent]),
            _ => &[],
        };
        let (diagonal, ancestors) = columns.split_last().unwrap_or((&-1, &[]));
        require(*diagonal == i as i32 && ancestors == inherited, "M_colind", i)?;
        chain(m, i).skip(1).for_each(|ancestor| below[ancestor as usize].push(i as i32));
    }
    for i in 0..m.nv {
        // both triangles, of simple dofs too: ancestors, diagonal, descendants
        let columns = row(&m.D_colind, m.D_rowadr[i], m.D_rownnz[i]);
        let (lower, upper) = columns.split_at(columns.len().saturating_sub(below[i].len()));
        let fits = upper == below[i] && lower.iter().rev().copied().eq(chain(m, i));
        require(fits, "D_colind", i)?;
        require(i64::from(m.D_diag[i]) + 1 == lower.len() as i64, "D_diag", i)?;
    }
    Ok(())
}

/// The rows of a matrix lie one behind the other and fill it.
pub(super) fn rows_follow(field: &str, start: &[i32], length: &[i32], total: usize) -> Outcome {
    let mut end = 0i64;
    for (i, (&start, &length)) in start.iter().zip(length).enumerate() {
        require(length >= 0 && i64::from(start) == end, field, i)?;
        end += i64::from(length);
    }
    require(end == total as i64, field, start.len())
}

/// The rows of a matrix that are not empty lie one behind the other inside it; empty ones start anywhere in it.
pub(super) fn filled_rows_follow(field: &str, start: &[i32], length: &[i32], total: usize) -> Outcome {
    let mut end = 0i64;
    for (i, (&start, &length)) in start.iter().zip(length).enumerate() {
        let inside = (0..=total as i64).contains(&i64::from(start));
        require(length >= 0 && if length == 0 { inside } else { i64::from(start) == end }, field, i)?;
        end += i64::from(length);
    }
    require(end <= total as i64, field, start.len())
}

/// Every degree of freedom that moves a body, from the last to the first.
pub(super) fn dofs_of_body(m: &Model, body: i32) -> impl Iterator<Item = i32> + '_ {
    let mut body = body.max(0) as usize;
    while body > 0 && m.body_dofnum[body] == 0 {
        body = m.body_parentid[body] as usize;
    }
    let last = (m.body_dofnum[body] > 0).then(|| m.body_dofadr[body] + m.body_dofnum[body] - 1);
    last.into_iter().flat_map(|dof| chain(m, dof as usize))
}

/// A dof and its ancestors.
fn chain(m: &Model, dof: usize) -> impl Iterator<Item = i32> + '_ {
    std::iter::successors(Some(dof as i32), |&dof| {
        Some(m.dof_parentid[dof as usize]).filter(|&parent| parent >= 0)
    })
}

fn row(columns: &[i32], start: i32, length: i32) -> &[i32] {
    &columns[start as usize..(start + length) as usize]
}
