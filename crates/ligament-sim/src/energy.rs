//! Potential and kinetic energy.

use crate::access::{Access, access};
use crate::awake;
use crate::inertia;
use crate::support::{quat_at, vec3_at};
use crate::workspace::Scratches as _;
use ligament_math::{dense, quat, vec3};
use ligament_model::enums::{DisableBit, JointType, ObjType, SleepState};
use ligament_model::{Data, Model};

/// What [`energy_pos`] touches.
pub(crate) const ENERGY_POS: Access = access! {
    model {
        body_mass jnt_bodyid jnt_qposadr jnt_stiffness jnt_type qpos_spring tendon_lengthspring
        tendon_stiffness tendon_treeid tendon_treenum
    }
    reads { body_awake energy nbody_awake qpos ten_length tree_awake xipos }
    writes { energy flg_energypos }
};

/// Potential energy: gravity, springs of joints and tendons, edges of one-dimensional flexes.
#[inline(never)]
pub fn energy_pos(m: &Model, d: &mut Data) {
    let mut energy = 0.0;
    if !m.opt.disabled(DisableBit::Gravity) {
        for i in 1..m.nbody {
            energy -= m.body_mass[i] * vec3::dot(m.opt.gravity, d.xipos[i]);
        }
    }
    if !m.opt.disabled(DisableBit::Spring) {
        let filtered = awake::bodies(m, d).is_filtered();
        for j in 0..m.njnt {
            let resting = filtered && d.body_awake[m.jnt_bodyid[j] as usize] != SleepState::Awake as i32;
            if m.jnt_stiffness[j] != 0.0 && !resting {
                energy = joint_spring(m, &d.qpos, j, energy);
            }
        }
        for i in 0..m.ntendon {
            if filtered && awake::sleep_state(m, d, ObjType::Tendon, i) != SleepState::Awake {
                continue;
            }
            let [lower, upper] = m.tendon_lengthspring[i];
            let length = d.ten_length[i];
            let stretch = if length > upper {
                upper - length
            } else if length < lower {
                lower - length
            } else {
                0.0
            };
            energy += 0.5 * m.tendon_stiffness[i] * stretch * stretch;
        }
        energy += flex_edges(m, d);
    }
    d.energy[0] = energy;
    d.flg_energypos = true;
}

/// Adds the energy of a joint spring.
fn joint_spring(m: &Model, qpos: &[f64], j: usize, mut energy: f64) -> f64 {
    let mut adr = m.jnt_qposadr[j] as usize;
    let stiffness = m.jnt_stiffness[j];
    match JointType::try_from(m.jnt_type[j]) {
        Ok(kind @ (JointType::Free | JointType::Ball)) => {
            if kind == JointType::Free {
                let dif = vec3::sub(vec3_at(qpos, adr), vec3_at(&m.qpos_spring, adr));
                energy += 0.5 * stiffness * vec3::dot(dif, dif);
                adr += 3;
            }
            // quirk of 3.5.0: the quaternion is used as it is, though the force normalises it
            let dif = quat::sub(quat_at(qpos, adr), quat_at(&m.qpos_spring, adr));
            energy + 0.5 * stiffness * vec3::dot(dif, dif)
        }
        Ok(JointType::Slide | JointType::Hinge) => {
            let dif = qpos[adr] - m.qpos_spring[adr];
            energy + 0.5 * stiffness * dif * dif
        }
        Err(_) => energy,
    }
}

fn flex_edges(m: &Model, d: &Data) -> f64 {
    let mut energy = 0.0;
    for f in 0..m.nflex {
        let stiffness = m.flex_edgestiffness[f];
        if m.flex_rigid[f] != 0 || stiffness == 0.0 || m.flex_dim[f] > 1 {
            continue;
        }
        let start = m.flex_edgeadr[f] as usize;
        for e in start..start + m.flex_edgenum[f] as usize {
            if m.flexedge_rigid[e] == 0 {
                let stretch = m.flexedge_length0[e] - d.flexedge_length[e];
                energy += 0.5 * stiffness * stretch * stretch;
            }
        }
    }
    energy
}

/// What [`energy_vel`] touches.
pub(crate) const ENERGY_VEL: Access = access! {
    model { M_colind M_rowadr M_rownnz }
    reads { M energy qvel }
    writes { energy flg_energyvel }
};

/// Kinetic energy ½ vᵀ M v.
#[inline(never)]
pub fn energy_vel(m: &Model, d: &mut Data) {
    let mut momentum = std::mem::take(&mut d.workspace.scratch().smooth.qfrc);
    momentum.resize(m.nv, 0.0);
    inertia::mul_m(m, d, &mut momentum, &d.qvel);
    d.energy[1] = 0.5 * dense::dot(&momentum, &d.qvel);
    d.workspace.scratch().smooth.qfrc = momentum;
    d.flg_energyvel = true;
}
