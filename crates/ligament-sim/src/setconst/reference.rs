//! Constants that follow from the reference configuration `qpos0`.

use super::{SetConstError, flex};
use crate::flex::flex_kinematics_deformable;
use crate::inertia;
use crate::support::{self, body_chain, jac_body_com, local2global};
use crate::{kinematics, tendon, transmission};
use ligament_math::{MINVAL, dense, mat3, quat, sparse, spatial, vec3};
use ligament_model::constants::NEQDATA;
use ligament_model::enums::{EqType, JointType, ObjType};
use ligament_model::{Data, Model};

/// Sets everything that depends on qpos0.
pub(super) fn set_reference(m: &mut Model, d: &mut Data) -> Result<(), SetConstError> {
    flex::make_patterns(m)?;
    flex::align(m);
    position_at_reference(m, d);
    m.flexedge_length0.copy_from_slice(&d.flexedge_length);
    m.tendon_length0.copy_from_slice(&d.ten_length);
    m.actuator_length0.copy_from_slice(&d.actuator_length);
    body_weights(m, d)?;
    dof_weights(m, d)?;
    flex_edge_weights(m, d);
    tendon_weights(m, d);
    actuator_accelerations(m, d);
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

/// xᵀ M⁻¹ x for one row.
fn inverse_weight(m: &Model, d: &Data, row: &[f64], solved: &mut [f64]) -> f64 {
    inertia::solve_m(m, d, solved, row);
    dense::dot(row, solved)
}

/// [`inverse_weight`] for rows that are zero but for a chain of dofs from the root.
struct ChainWeights {
    chain: Vec<i32>,
    solved: Vec<f64>,
    /// Every dof, where the factors are not finite: then what lies beside the chain makes the products undefined too.
    everything: Option<Vec<i32>>,
}

impl ChainWeights {
    fn new(m: &Model, d: &Data) -> Self {
        let finite = d.qLD.iter().chain(&d.qLDiagInv[..]).all(|x| x.is_finite());
        let everything = (!finite).then(|| (0..m.nv as i32).collect());
        Self { chain: Vec::new(), solved: vec![0.0; m.nv], everything }
    }

    /// The dofs that move a body.
    fn follow_body(&mut self, m: &Model, body: usize) {
        body_chain(m, body, &mut self.chain);
    }

    /// xᵀ M⁻¹ x. What is solved for beside the chain meets zeros of the row.
    fn weight(&mut self, m: &Model, d: &Data, row: &[f64]) -> f64 {
        let chain = self.everything.as_ref().unwrap_or(&self.chain);
        for &i in chain {
            self.solved[i as usize] = row[i as usize];
        }
        let pattern = inertia::pattern(m);
        sparse::solve_ltdl(&mut self.solved, &d.qLD, &d.qLDiagInv, chain.len(), pattern, Some(chain));
        let weight = dense::dot(row, &self.solved);
        for &i in chain {
            self.solved[i as usize] = 0.0;
        }
        weight
    }
}

/// body_invweight0: mean translational and rotational inverse inertia at the centre of mass.
fn body_weights(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    let nv = m.nv;
    let mut jac = vec![0.0; 6 * nv];
    let mut weights = ChainWeights::new(m, d);
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
            let (jacp, jacr) = jac.split_at_mut(3 * nv);
            jac_body_com(m, d, Some(jacp), Some(jacr), i);
            weights.follow_body(m, i);
            let mut weight = |rows: &[f64]| {
                let mut sum = [0.0; 3];
                for (k, row) in rows.chunks_exact(nv).enumerate() {
                    sum[k] = weights.weight(m, d, row);
                }
                (sum[0] + sum[1] + sum[2]) / 3.0
            };
            let (tran, rot) = (weight(jacp), weight(jacr));
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

/// dof_invweight0: diagonal of M⁻¹, averaged over the translations and over the rotations of a joint.
fn dof_weights(m: &mut Model, d: &Data) -> Result<(), SetConstError> {
    let mut unit = vec![0.0; m.nv];
    let mut weights = ChainWeights::new(m, d);
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
        weights.follow_body(m, body);
        let mut at = dof;
        for &count in groups {
            let mut sum = 0.0;
            for k in at..at + count {
                unit[k] = 1.0;
                sum += weights.weight(m, d, &unit);
                unit[k] = 0.0;
            }
            m.dof_invweight0[at..at + count].fill(sum / count as f64);
            at += count;
        }
    }
    Ok(())
}

fn flex_edge_weights(m: &mut Model, d: &Data) {
    if m.nv == 0 {
        return;
    }
    let mut row = vec![0.0; m.nv];
    let mut solved = vec![0.0; m.nv];
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
                row.fill(0.0);
                let adr = m.flexedge_J_rowadr[e] as usize;
                for k in adr..adr + m.flexedge_J_rownnz[e] as usize {
                    row[m.flexedge_J_colind[k] as usize] = d.flexedge_J[k];
                }
                inverse_weight(m, d, &row, &mut solved)
            };
        }
    }
}

fn tendon_weights(m: &mut Model, d: &Data) {
    let mut row = vec![0.0; m.nv];
    let mut solved = vec![0.0; m.nv];
    for i in 0..m.ntendon {
        if support::is_sparse(m) {
            row.fill(0.0);
            let adr = d.ten_J_rowadr[i] as usize;
            for k in adr..adr + d.ten_J_rownnz[i] as usize {
                row[d.ten_J_colind[k] as usize] = d.ten_J[k];
            }
        } else {
            row.copy_from_slice(&d.ten_J[i * m.nv..(i + 1) * m.nv]);
        }
        m.tendon_invweight0[i] = inverse_weight(m, d, &row, &mut solved);
    }
}

/// actuator_acc0: norm of the acceleration that a unit force of the actuator causes.
fn actuator_accelerations(m: &mut Model, d: &Data) {
    let mut row = vec![0.0; m.nv];
    for i in 0..m.nu {
        row.fill(0.0);
        let adr = d.moment_rowadr[i] as usize;
        for k in adr..adr + d.moment_rownnz[i] as usize {
            row[d.moment_colind[k] as usize] = d.actuator_moment[k];
        }
        inertia::solve_m_in_place(m, d, &mut row);
        m.actuator_acc0[i] = dense::norm(&row);
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
