//! Constants that do not depend on a configuration: masses of subtrees, trees, sleep policies.

use super::SetConstError;
use ligament_model::Model;
use ligament_model::enums::{SleepPolicy, TrnType, WrapType};

/// Sets subtree masses, the gravity-compensation count, the trees and their sleep policies.
pub(super) fn set_fixed(m: &mut Model) -> Result<(), SetConstError> {
    subtree_masses(m);
    trees(m);
    tendon_trees(m);
    sleep_policies(m)
}

fn subtree_masses(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for i in (1..m.nbody).rev() {
        m.body_subtreemass[m.body_parentid[i] as usize] += m.body_subtreemass[i];
    }
    let count = m.body_gravcomp.iter().filter(|g| **g > 0.0).count();
    m.set_gravcomp_count(count);
}

/// Which bodies and dofs make up each tree; `dof_treeid` is given.
fn trees(m: &mut Model) {
    for i in 0..m.nbody {
        let weld = m.body_weldid[i] as usize;
        m.body_treeid[i] =
            if m.body_dofnum[weld] != 0 { m.dof_treeid[m.body_dofadr[weld] as usize] } else { -1 };
    }
    m.tree_bodynum.fill(0);
    let mut current = -1;
    for i in 1..m.nbody {
        let tree = m.body_treeid[i];
        if tree == -1 {
            continue;
        }
        if tree > current {
            current += 1;
            m.tree_bodyadr[current as usize] = i as i32;
        }
        m.tree_bodynum[current as usize] += 1;
    }
    m.tree_dofnum.fill(0);
    current = -1;
    for i in 0..m.nv {
        if m.dof_treeid[i] > current {
            current += 1;
            m.tree_dofadr[current as usize] = i as i32;
        }
        m.tree_dofnum[current as usize] += 1;
    }
}

/// Tree of the body that a wrap object is attached to; `None` for pulleys and static bodies.
fn wrap_tree(m: &Model, wrap: usize) -> Option<usize> {
    let object = m.wrap_objid[wrap] as usize;
    let body = match WrapType::try_from(m.wrap_type[wrap]) {
        Ok(WrapType::Joint) => m.jnt_bodyid[object],
        Ok(WrapType::Site) => m.site_bodyid[object],
        Ok(WrapType::Sphere | WrapType::Cylinder) => m.geom_bodyid[object],
        Ok(WrapType::Pulley | WrapType::None) | Err(_) => return None,
    };
    usize::try_from(m.body_treeid[body as usize]).ok()
}

fn tendon_wraps(m: &Model, tendon: usize) -> std::ops::Range<usize> {
    let start = m.tendon_adr[tendon] as usize;
    start..start + m.tendon_num[tendon] as usize
}

/// How many trees each tendon touches, and the first two of them.
fn tendon_trees(m: &mut Model) {
    let mut seen = vec![false; m.ntree];
    for i in 0..m.ntendon {
        seen.fill(false);
        m.tendon_treenum[i] = 0;
        m.tendon_treeid[i] = [-1; 2];
        for wrap in tendon_wraps(m, i) {
            let Some(tree) = wrap_tree(m, wrap).filter(|&tree| !seen[tree]) else { continue };
            seen[tree] = true;
            let count = m.tendon_treenum[i] as usize;
            if count < 2 {
                m.tendon_treeid[i][count] = tree as i32;
            }
            m.tendon_treenum[i] += 1;
        }
    }
}

/// An automatic policy becomes "never" for a tree that something outside it acts on.
fn forbid_auto_sleep(m: &mut Model, tree: i32) {
    if let Ok(tree) = usize::try_from(tree)
        && m.tree_sleep_policy[tree] == SleepPolicy::Auto as i32
    {
        m.tree_sleep_policy[tree] = SleepPolicy::AutoNever as i32;
    }
}

fn sleep_policies(m: &mut Model) -> Result<(), SetConstError> {
    for i in 0..m.nu {
        let target = m.actuator_trnid[i][0] as usize;
        let body = match TrnType::try_from(m.actuator_trntype[i]) {
            Ok(TrnType::Joint | TrnType::Jointinparent) => m.jnt_bodyid[target],
            Ok(TrnType::Site | TrnType::Slidercrank) => m.site_bodyid[target],
            Ok(TrnType::Body) => target as i32,
            Ok(TrnType::Tendon) => {
                for wrap in tendon_wraps(m, target) {
                    if let Some(tree) = wrap_tree(m, wrap) {
                        forbid_auto_sleep(m, tree as i32);
                    }
                }
                continue;
            }
            Ok(TrnType::Undefined) | Err(_) => continue,
        };
        forbid_auto_sleep(m, m.body_treeid[body as usize]);
    }
    tendon_policies(m)?;
    for f in 0..m.nflex {
        let (ids, start, count) = if m.flex_interp[f] != 0 {
            (&m.flex_nodebodyid, m.flex_nodeadr[f], m.flex_nodenum[f])
        } else {
            (&m.flex_vertbodyid, m.flex_vertadr[f], m.flex_vertnum[f])
        };
        let bodies = ids[start as usize..(start + count) as usize].to_vec();
        for body in bodies {
            forbid_auto_sleep(m, m.body_treeid[body as usize]);
        }
    }
    for policy in &mut m.tree_sleep_policy {
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
    Ok(())
}

/// Tendons with force between two trees, or across more than two, keep their trees awake.
fn tendon_policies(m: &mut Model) -> Result<(), SetConstError> {
    let mut seen = vec![false; m.ntree];
    for i in 0..m.ntendon {
        let count = m.tendon_treenum[i];
        let forceless = m.tendon_stiffness[i] == 0.0 && m.tendon_damping[i] == 0.0;
        if count < 2 || (count == 2 && forceless) {
            continue;
        }
        seen.fill(false);
        for wrap in tendon_wraps(m, i) {
            let Some(tree) = wrap_tree(m, wrap).filter(|&tree| !seen[tree]) else { continue };
            seen[tree] = true;
            let policy = m.tree_sleep_policy[tree];
            if policy == SleepPolicy::Allowed as i32 || policy == SleepPolicy::Init as i32 {
                return Err(if count > 2 {
                    SetConstError::TendonSpansTrees { tree, tendon: i }
                } else {
                    SetConstError::TendonHasForce { tree, tendon: i }
                });
            }
            forbid_auto_sleep(m, tree as i32);
        }
    }
    Ok(())
}
