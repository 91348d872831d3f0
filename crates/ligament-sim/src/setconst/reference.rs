//! Constants that follow from the reference configuration `qpos0`.

use super::inverse::{Inverse, trees_of};
use super::{SetConstError, flex};
use crate::flex::flex_kinematics_deformable;
use crate::inertia;
use crate::support::{self, body_chain, com_offset, last_dof, local2global, parent_dof, translation_column};
use crate::{kinematics, tendon, transmission};
use ligament_math::{MINVAL, mat3, quat, spatial, vec3};
use ligament_model::constants::NEQDATA;
use ligament_model::enums::{EqType, JointType, ObjType};
use ligament_model::limits::DEFAULT_EFFORT;
use ligament_model::{Data, Model};

/// Multiplications that all weights may take where a step may take so many operations: three times as many, which is enough for
/// a chain of thirteen hundred joints, but not for some more chains because there are many joints.
fn most_work(effort: u64) -> u64 {
    effort.saturating_add(2 * effort.min(DEFAULT_EFFORT))
}

/// Multiplications of a factor of M (every two entries of a row) and of the weights of bodies and dofs (twice the rows of all
/// ancestors, six times for a body).
fn work(m: &Model) -> u64 {
    let mut rows_above = vec![0; m.nv];
    let mut sum = 0;
    for dof in 0..m.nv {
        let entries = m.M_rownnz[dof] as u64;
        let parent = usize::try_from(parent_dof(m, dof)).ok();
        rows_above[dof] = entries + parent.map_or(0, |parent: usize| rows_above[parent]);
        sum += entries * entries / 2 + 2 * rows_above[dof];
    }
    let bodies = (1..m.nbody).filter(|&body| m.body_weldid[body] != 0 && m.body_simple[body] != 2);
    let last_dofs = bodies.filter_map(|body| usize::try_from(last_dof(m, body)).ok());
    last_dofs.fold(sum, |sum, dof| sum + 12 * rows_above[dof])
}

/// Sets everything that depends on qpos0.
pub(super) fn set_reference(m: &mut Model, d: &mut Data) -> Result<(), SetConstError> {
    let most_work = most_work(d.effort);
    if work(m) > most_work {
        return Err(SetConstError::LongChains(most_work));
    }
    flex::make_patterns(m)?;
    flex::align(m);
    position_at_reference(m, d);
    m.flexedge_length0.copy_from_slice(&d.flexedge_length);
    m.tendon_length0.copy_from_slice(&d.ten_length);
    m.actuator_length0.copy_from_slice(&d.actuator_length);
    let mut inverse = Inverse::new(m, d, most_work);
    body_weights(m, d, &mut inverse)?;
    dof_weights(m, d, &mut inverse)?;
    flex_edge_weights(m, d, &mut inverse);
    tendon_weights(m, d, &mut inverse);
    actuator_accelerations(m, d, &mut inverse);
    if !inverse.was_affordable() {
        return Err(SetConstError::LongChains(most_work));
    }
    equality_poses(m, d)?;
    camera_light_poses(m, d);
    actuator_damping(m, d);
    Ok(())
}

/// Runs the position stage at qpos0 with fixed cameras and lights and with all flexes deformable.
fn position_at_reference(m: &mut Model, d: &mut Data) {
    d.qpos.copy_from_slice(&m.qpos0);
    kinematics::kinematics(m, d);
    kinematics::com_pos(m, d);
    kinematics::cam_light_fixed(m, d);
    diagonal_inertia(m, d);
    tendon::tendon(m, d);
    inertia::make_m(m, d);
    inertia::factor_m(m, d);
    flex_kinematics_deformable(m, d);
    transmission::transmission(m, d);
}

/// dof_M0: the diagonal of the inertia matrix.
fn diagonal_inertia(m: &mut Model, d: &mut Data) {
    d.crb.copy_from_slice(&d.cinert);
    for i in (1..m.nbody).rev() {
        let parent = m.body_parentid[i] as usize;
        if parent > 0 {
            let child = d.crb[i];
            for (x, y) in d.crb[parent].iter_mut().zip(child) {
                *x += y;
            }
        }
    }
    for i in 0..m.nv {
        let momentum = spatial::inertia_mul(&d.crb[m.dof_bodyid[i] as usize], &d.cdof[i]);
        m.dof_M0[i] = m.dof_armature[i] + spatial::dot(&d.cdof[i], &momentum);
    }
}

/// body_invweight0: mean translational and rotational inverse inertia at the centre of mass.
fn body_weights(m: &mut Model, d: &Data, inverse: &mut Inverse) -> Result<(), SetConstError> {
    // rows of the translational and of the rotational Jacobian; zero between bodies
    let mut rows = vec![vec![0.0; m.nv]; 6];
    let mut chain = Vec::new();
    m.body_invweight0[0] = [0.0; 2];
    for i in 1..m.nbody {
        m.body_invweight0[i] = if m.body_weldid[i] == 0 {
            [0.0; 2]
        } else if m.body_simple[i] == 2 {
            if m.body_mass[i] == 0.0 {
                return Err(SetConstError::MasslessBody(i));
            }
            [1.0 / m.body_mass[i].max(MINVAL), 0.0]
        } else {
            fill_rows(m, d, i, &mut rows);
            body_chain(m, i, &mut chain);
            let mut weight = |k: usize| inverse.weight(m, d, &rows[k], &chain);
            let tran = (weight(0) + weight(1) + weight(2)) / 3.0;
            let rot = (weight(3) + weight(4) + weight(5)) / 3.0;
            for row in &mut rows {
                chain.iter().for_each(|&dof| row[dof as usize] = 0.0);
            }
            // a body that can only turn or only slide: one stands in for the other
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
    Ok(())
}

/// Writes the columns of the dofs that move a body's centre of mass.
fn fill_rows(m: &Model, d: &Data, body: usize, rows: &mut [Vec<f64>]) {
    let offset = com_offset(m, &d.subtree_com, d.xipos[body], body);
    let mut dof = last_dof(m, body);
    while let Ok(i) = usize::try_from(dof) {
        let column = spatial::join(translation_column(&d.cdof[i], offset), spatial::rot(&d.cdof[i]));
        for (row, x) in rows.iter_mut().zip(column) {
            row[i] = x;
        }
        dof = parent_dof(m, i);
    }
}

/// dof_invweight0: diagonal of M⁻¹, averaged over the translations and over the rotations of a joint.
fn dof_weights(m: &mut Model, d: &Data, inverse: &mut Inverse) -> Result<(), SetConstError> {
    let (mut unit, mut chain) = (vec![0.0; m.nv], Vec::new());
    for j in 0..m.njnt {
        let (body, dof) = (m.jnt_bodyid[j] as usize, m.jnt_dofadr[j] as usize);
        if m.body_simple[body] == 2 {
            if m.body_mass[body] == 0.0 {
                return Err(SetConstError::MasslessBody(body));
            }
            m.dof_invweight0[dof] = 1.0 / m.body_mass[body].max(MINVAL);
            continue;
        }
        let groups: &[usize] = match JointType::try_from(m.jnt_type[j]) {
            Ok(JointType::Free) => &[3, 3],
            Ok(JointType::Ball) => &[3],
            Ok(JointType::Slide | JointType::Hinge) => &[1],
            Err(_) => &[],
        };
        body_chain(m, body, &mut chain);
        let mut at = dof;
        for &count in groups {
            let mut sum = 0.0;
            for k in at..at + count {
                unit[k] = 1.0;
                sum += inverse.weight(m, d, &unit, &chain);
                unit[k] = 0.0;
            }
            m.dof_invweight0[at..at + count].fill(sum / count as f64);
            at += count;
        }
    }
    Ok(())
}

fn flex_edge_weights(m: &mut Model, d: &Data, inverse: &mut Inverse) {
    if m.nv == 0 {
        return;
    }
    let mut row = Row::new(m);
    for f in (0..m.nflex).filter(|&f| m.flex_interp[f] == 0).collect::<Vec<_>>() {
        let start = m.flex_edgeadr[f] as usize;
        for e in start..start + m.flex_edgenum[f] as usize {
            let [b1, b2] =
                m.flex_edge[e].map(|v| m.flex_vertbodyid[(m.flex_vertadr[f] + v) as usize] as usize);
            m.flexedge_invweight0[e] = if m.flexedge_rigid[e] != 0 {
                0.0
            } else if m.body_simple[b1] == 2 && m.body_simple[b2] == 2 {
                (1.0 / m.body_mass[b1] + 1.0 / m.body_mass[b2]) / 2.0
            } else {
                let start = m.flexedge_J_rowadr[e] as usize;
                let places = start..start + m.flexedge_J_rownnz[e] as usize;
                let (columns, values) = (&m.flexedge_J_colind[places.clone()], &d.flexedge_J[places]);
                row.put(m, columns, values);
                let weight = inverse.weight(m, d, &row.numbers, &row.dofs);
                row.clear();
                weight
            };
        }
    }
}

/// A row of numbers, one for each dof.
struct Row {
    numbers: Vec<f64>,
    /// Dofs of the trees outside of which it is zero.
    dofs: Vec<i32>,
}

impl Row {
    fn new(m: &Model) -> Self {
        Self { numbers: vec![0.0; m.nv], dofs: Vec::new() }
    }

    /// Puts a sparse row into one that is zero.
    fn put(&mut self, m: &Model, columns: &[i32], values: &[f64]) {
        for (&column, &value) in columns.iter().zip(values) {
            self.numbers[column as usize] = value;
        }
        self.dofs.clear();
        self.dofs.extend(trees_of(m, columns));
    }

    fn clear(&mut self) {
        self.dofs.drain(..).for_each(|dof| self.numbers[dof as usize] = 0.0);
    }
}

fn tendon_weights(m: &mut Model, d: &Data, inverse: &mut Inverse) {
    let all: Vec<i32> = (0..m.nv as i32).collect();
    let mut row = Row::new(m);
    for i in 0..m.ntendon {
        m.tendon_invweight0[i] = if support::is_sparse(m) {
            let start = d.ten_J_rowadr[i] as usize;
            let places = start..start + d.ten_J_rownnz[i] as usize;
            row.put(m, &d.ten_J_colind[places.clone()], &d.ten_J[places]);
            let weight = inverse.weight(m, d, &row.numbers, &row.dofs);
            row.clear();
            weight
        } else {
            inverse.weight(m, d, &d.ten_J[i * m.nv..(i + 1) * m.nv], &all)
        };
    }
}

/// actuator_acc0: norm of the acceleration that a unit force of the actuator causes.
fn actuator_accelerations(m: &mut Model, d: &Data, inverse: &mut Inverse) {
    let mut row = Row::new(m);
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let places = start..start + d.moment_rownnz[i] as usize;
        row.put(m, &d.moment_colind[places.clone()], &d.actuator_moment[places]);
        m.actuator_acc0[i] = inverse.size(m, d, &row.numbers, &row.dofs);
        row.clear();
    }
}

/// Completes the data of connects and welds between bodies from the poses at qpos0.
fn equality_poses(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    for i in 0..m.neq {
        let (id1, id2) = (m.eq_obj1id[i] as usize, m.eq_obj2id[i] as usize);
        let object = ObjType::try_from(m.eq_objtype[i]);
        let data = &mut m.eq_data[i];
        let anchor = [data[0], data[1], data[2]];
        let kind = EqType::try_from(m.eq_type[i]);
        match (kind, object) {
            (Ok(EqType::Connect), Ok(ObjType::Body)) => {
                let (world, _) = local2global(d, anchor, quat::IDENTITY, id1, 0);
                let local = mat3::mul_vec_t(&d.xmat[id2], vec3::sub(world, d.xpos[id2]));
                data[3..6].copy_from_slice(&local);
            }
            (Ok(EqType::Connect), Ok(ObjType::Site)) => *data = [0.0; NEQDATA],
            (Ok(EqType::Weld), Ok(ObjType::Body)) => {
                let mut relative = [data[6], data[7], data[8], data[9]];
                if relative != [0.0; 4] {
                    quat::normalize(&mut relative);
                } else {
                    let (world, _) = local2global(d, anchor, quat::IDENTITY, id2, 0);
                    let local = mat3::mul_vec_t(&d.xmat[id1], vec3::sub(world, d.xpos[id1]));
                    data[3..6].copy_from_slice(&local);
                    relative = quat::mul(quat::conj(d.xquat[id1]), d.xquat[id2]);
                }
                data[6..10].copy_from_slice(&relative);
            }
            (Ok(EqType::Weld), Ok(ObjType::Site)) => {}
            (Ok(EqType::Connect), _) => return Err(SetConstError::EqualityObject { kind: "connect", id: i }),
            (Ok(EqType::Weld), _) => return Err(SetConstError::EqualityObject { kind: "weld", id: i }),
            _ => {}
        }
    }
    Ok(())
}

/// Reference poses of cameras and lights, which the tracking modes add to.
fn camera_light_poses(m: &mut Model, d: &Data) {
    for i in 0..m.ncam {
        let (body, target) = (m.cam_bodyid[i], m.cam_targetbodyid[i]);
        let of = if target >= 0 { target } else { body } as usize;
        m.cam_pos0[i] = vec3::sub(d.cam_xpos[i], d.xpos[body as usize]);
        m.cam_poscom0[i] = vec3::sub(d.cam_xpos[i], d.subtree_com[of]);
        m.cam_mat0[i] = d.cam_xmat[i];
    }
    for i in 0..m.nlight {
        let (body, target) = (m.light_bodyid[i], m.light_targetbodyid[i]);
        let of = if target >= 0 { target } else { body } as usize;
        m.light_pos0[i] = vec3::sub(d.light_xpos[i], d.xpos[body as usize]);
        m.light_poscom0[i] = vec3::sub(d.light_xpos[i], d.subtree_com[of]);
        m.light_dir0[i] = d.light_xdir[i];
    }
}

/// A positive damping of a position actuator is a damping ratio ζ: kv = 2 ζ √(kp · reflected inertia).
fn actuator_damping(m: &mut Model, d: &Data) {
    for i in 0..m.nu {
        let kp = m.actuator_gainprm[i][0];
        let ratio = m.actuator_biasprm[i][2];
        if kp != -m.actuator_biasprm[i][1] || ratio <= 0.0 {
            continue;
        }
        let adr = d.moment_rowadr[i] as usize;
        let mut mass = 0.0;
        for k in adr..adr + d.moment_rownnz[i] as usize {
            let squared = d.actuator_moment[k] * d.actuator_moment[k];
            if squared > MINVAL {
                mass += m.dof_M0[d.moment_colind[k] as usize] / squared;
            }
        }
        m.actuator_biasprm[i][2] = -(ratio * 2.0 * (kp * mass).sqrt());
    }
}
