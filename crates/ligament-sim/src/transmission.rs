//! Actuator lengths and moments: how actuators see and move the mechanism.

use crate::access::{Access, access};
use crate::awake;
use crate::support::jacobian::{com_offset, last_dof, parent_dof, translation_column};
use crate::support::{self, Motion, body_of_geom, for_each_difference, unit_quat_at};
use crate::workspace::Scratches as _;
use crate::workspace::Smooth;
use ligament_math::{Vec3, mat3, quat, spatial, vec3};
use ligament_model::enums::{ConeType, JointType, ObjType, SleepState, TrnType};
use ligament_model::{Contact, Data, Model};

/// What [`transmission`] touches.
pub(crate) const TRANSMISSION: Access = access! {
    model {
        actuator_cranklength actuator_gear actuator_trnid actuator_trntype body_dofadr body_dofnum
        body_rootid body_weldid dof_parentid jnt_bodyid jnt_dofadr jnt_qposadr jnt_type site_bodyid
        site_quat
    }
    reads {
        actuator_length actuator_moment body_awake cdof moment_colind ncon nefc ntree_awake nv_awake qpos
        site_xmat site_xpos subtree_com ten_J ten_J_colind ten_J_rowadr ten_J_rownnz ten_length tree_awake
        xquat
    }
    writes { actuator_length actuator_moment moment_colind moment_rowadr moment_rownnz }
};

/// Lengths and moments (sparse rows) of all actuators.
///
/// Reads qpos, site poses, ten_*, contacts; writes actuator_length actuator_moment moment_*.
pub fn transmission(m: &Model, d: &mut Data) {
    if m.nu == 0 {
        return;
    }
    let mut scratch = std::mem::take(&mut d.workspace.scratch().smooth);
    scratch.row.resize(m.nv, 0.0);
    scratch.row2.resize(m.nv, 0.0);
    let filtered = awake::sleep_enabled(m) && d.nv_awake < m.nv;
    let mut adr = 0;
    for i in 0..m.nu {
        d.moment_rowadr[i] = adr as i32;
        let asleep = filtered && awake::sleep_state(m, d, ObjType::Actuator, i) == SleepState::Asleep;
        let nnz = if asleep { 0 } else { actuator(m, d, i, adr, &mut scratch) };
        d.moment_rownnz[i] = nnz as i32;
        adr += nnz;
    }
    d.workspace.scratch().smooth = scratch;
}

/// Length and moment of one actuator; returns the number of non-zeros of its moment.
fn actuator(m: &Model, d: &mut Data, i: usize, adr: usize, scratch: &mut Smooth) -> usize {
    match TrnType::try_from(m.actuator_trntype[i]) {
        Ok(TrnType::Joint) => joint(m, d, i, adr, false),
        Ok(TrnType::Jointinparent) => joint(m, d, i, adr, true),
        Ok(TrnType::Tendon) => tendon(m, d, i, adr),
        Ok(kind @ (TrnType::Slidercrank | TrnType::Site | TrnType::Body)) => {
            scratch.row.fill(0.0);
            d.actuator_length[i] = match kind {
                TrnType::Slidercrank => slider_crank(m, d, i, &mut scratch.row),
                TrnType::Site if m.actuator_trnid[i][1] == -1 => {
                    site_wrench(m, d, i, &mut scratch.row);
                    0.0
                }
                TrnType::Site => site_in_reference(m, d, i, scratch),
                _ => {
                    adhesion(m, d, i, scratch);
                    0.0
                }
            };
            compress(d, adr, &scratch.row)
        }
        Ok(TrnType::Undefined) | Err(_) => 0,
    }
}

/// Stores the non-zeros of a dense moment row.
fn compress(d: &mut Data, adr: usize, row: &[f64]) -> usize {
    let mut nnz = 0;
    for (dof, &value) in row.iter().enumerate() {
        if value != 0.0 {
            d.actuator_moment[adr + nnz] = value;
            d.moment_colind[adr + nnz] = dof as i32;
            nnz += 1;
        }
    }
    nnz
}

/// Stores consecutive dofs of a joint.
fn store(d: &mut Data, adr: usize, dof: usize, moment: &[f64]) -> usize {
    for (k, &value) in moment.iter().enumerate() {
        d.actuator_moment[adr + k] = value;
        d.moment_colind[adr + k] = (dof + k) as i32;
    }
    moment.len()
}

/// Joint transmission; `in_parent`: the gear axis of a ball or free joint is given in the parent frame.
fn joint(m: &Model, d: &mut Data, i: usize, adr: usize, in_parent: bool) -> usize {
    let j = m.actuator_trnid[i][0] as usize;
    let (qadr, dof) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
    let gear = &m.actuator_gear[i];
    match JointType::try_from(m.jnt_type[j]) {
        Ok(JointType::Slide | JointType::Hinge) => {
            d.actuator_length[i] = d.qpos[qadr] * gear[0];
            store(d, adr, dof, &gear[..1])
        }
        Ok(JointType::Ball) => {
            let q = unit_quat_at(&d.qpos, qadr);
            let mut axis = [gear[0], gear[1], gear[2]];
            if in_parent {
                axis = quat::rotate(quat::conj(q), axis);
            }
            d.actuator_length[i] = vec3::dot(quat::to_velocity(q, 1.0), axis);
            store(d, adr, dof, &axis)
        }
        Ok(JointType::Free) => {
            let mut axis = [gear[3], gear[4], gear[5]];
            if in_parent {
                axis = quat::rotate(quat::conj(unit_quat_at(&d.qpos, qadr + 3)), axis);
            }
            d.actuator_length[i] = 0.0;
            store(d, adr, dof, &[gear[0], gear[1], gear[2], axis[0], axis[1], axis[2]])
        }
        Err(_) => 0,
    }
}

fn tendon(m: &Model, d: &mut Data, i: usize, adr: usize) -> usize {
    let t = m.actuator_trnid[i][0] as usize;
    let gear = m.actuator_gear[i][0];
    d.actuator_length[i] = d.ten_length[t] * gear;
    if support::is_sparse(m) {
        let (start, nnz) = (d.ten_J_rowadr[t] as usize, d.ten_J_rownnz[t] as usize);
        for k in 0..nnz {
            d.moment_colind[adr + k] = d.ten_J_colind[start + k];
            d.actuator_moment[adr + k] = d.ten_J[start + k] * gear;
        }
        return nnz;
    }
    let mut nnz = 0;
    for dof in 0..m.nv {
        let value = d.ten_J[t * m.nv + dof] * gear;
        if value != 0.0 {
            d.actuator_moment[adr + nnz] = value;
            d.moment_colind[adr + nnz] = dof as i32;
            nnz += 1;
        }
    }
    nnz
}

/// Calls `f(dof, translation, rotation)` with the Jacobian columns of a site.
#[inline]
fn for_each_site_column(m: &Model, d: &Data, site: usize, mut f: impl FnMut(usize, Vec3, Vec3)) {
    let body = m.site_bodyid[site] as usize;
    let offset = com_offset(m, &d.subtree_com, d.site_xpos[site], body);
    let mut dof = last_dof(m, body);
    while dof >= 0 {
        let cdof = &d.cdof[dof as usize];
        f(dof as usize, translation_column(cdof, offset), spatial::rot(cdof));
        dof = parent_dof(m, dof as usize);
    }
}

/// Slider-crank: length l = aᵀv − √((aᵀv)² + r² − vᵀv) for the slider axis a, the vector v from slider to crank pin
/// and the rod length r; when the rod cannot reach, l = aᵀv.
#[inline(never)]
fn slider_crank(m: &Model, d: &Data, i: usize, moment: &mut [f64]) -> f64 {
    let [crank, slider] = m.actuator_trnid[i].map(|id| id as usize);
    let gear = m.actuator_gear[i][0];
    let rod = m.actuator_cranklength[i];
    let axis = mat3::col(&d.site_xmat[slider], 2);
    let v = vec3::sub(d.site_xpos[crank], d.site_xpos[slider]);
    let av = vec3::dot(v, axis);
    let det = av * av + rod * rod - vec3::dot(v, v);
    let (length, dl_daxis, dl_dv) = if det <= 0.0 {
        (av, v, axis)
    } else {
        let root = det.sqrt();
        let s = 1.0 - av / root;
        (av - root, vec3::scale(v, s), vec3::add(vec3::scale(axis, s), vec3::scale(v, 1.0 / root)))
    };
    // chain rule over dof columns: the axis turns with the slider, v is a difference of two points
    let ends = [slider, crank].map(|s| (m.site_bodyid[s] as usize, d.site_xpos[s]));
    let mut slider_dof = last_dof(m, ends[0].0);
    for_each_difference(m, d.into(), ends[0], ends[1], |dof, column| {
        let mut turn = [0.0; 3];
        if slider_dof == dof as i32 {
            turn = vec3::cross(spatial::rot(&d.cdof[dof]), axis);
            slider_dof = parent_dof(m, dof);
        }
        let parts: Vec3 = std::array::from_fn(|k| dl_daxis[k] * turn[k] + dl_dv[k] * column[k]);
        moment[dof] = (parts[0] + parts[1] + parts[2]) * gear;
    });
    length * gear
}

/// Site without reference: the gear is a wrench in the site frame.
#[inline(never)]
fn site_wrench(m: &Model, d: &Data, i: usize, moment: &mut [f64]) {
    let site = m.actuator_trnid[i][0] as usize;
    let gear = m.actuator_gear[i];
    let force = mat3::mul_vec(&d.site_xmat[site], [gear[0], gear[1], gear[2]]);
    let torque = mat3::mul_vec(&d.site_xmat[site], [gear[3], gear[4], gear[5]]);
    for_each_site_column(m, d, site, |dof, translation, rotation| {
        moment[dof] = vec3::dot(translation, force) + vec3::dot(rotation, torque);
    });
}

/// Last dof that moves both bodies, or -1.
fn common_dof(m: &Model, body0: usize, body1: usize) -> i32 {
    let (mut dof0, mut dof1) = (last_dof(m, body0), last_dof(m, body1));
    while dof0 >= 0 && dof1 >= 0 && dof0 != dof1 {
        if dof0 < dof1 {
            dof1 = parent_dof(m, dof1 as usize);
        } else {
            dof0 = parent_dof(m, dof0 as usize);
        }
    }
    if dof0 == dof1 { dof0 } else { -1 }
}

/// Site relative to a reference site: length is the gear-weighted pose difference in the reference frame. Dofs that
/// move both sites do not count.
#[inline(never)]
fn site_in_reference(m: &Model, d: &Data, i: usize, scratch: &mut Smooth) -> f64 {
    let [site, reference] = m.actuator_trnid[i].map(|id| id as usize);
    let gear = m.actuator_gear[i];
    let (gear_pos, gear_rot) = ([gear[0], gear[1], gear[2]], [gear[3], gear[4], gear[5]]);
    let ref_mat = &d.site_xmat[reference];
    let mut length = 0.0;
    let force = if gear_pos != [0.0; 3] {
        let offset = vec3::sub(d.site_xpos[site], d.site_xpos[reference]);
        length += vec3::dot(mat3::mul_vec_t(ref_mat, offset), gear_pos);
        mat3::mul_vec(ref_mat, gear_pos)
    } else {
        [0.0; 3]
    };
    let torque = if gear_rot != [0.0; 3] {
        // quirk of 3.5.0: the site's quaternion multiplies from the left, though the body's should
        let world = |s: usize| quat::mul(m.site_quat[s], d.xquat[m.site_bodyid[s] as usize]);
        length += vec3::dot(quat::sub(world(site), world(reference)), gear_rot);
        mat3::mul_vec(ref_mat, gear_rot)
    } else {
        [0.0; 3]
    };
    let (moment, turn) = (&mut scratch.row, &mut scratch.row2);
    turn.fill(0.0);
    let mut add = |s: usize, sign: f64| {
        for_each_site_column(m, d, s, |dof, translation, rotation| {
            moment[dof] += sign * vec3::dot(translation, force);
            turn[dof] += sign * vec3::dot(rotation, torque);
        });
    };
    add(site, 1.0);
    add(reference, -1.0);
    for (x, y) in moment.iter_mut().zip(turn.iter()) {
        *x += y;
    }
    let mut dof = common_dof(m, m.site_bodyid[site] as usize, m.site_bodyid[reference] as usize);
    while dof >= 0 {
        moment[dof as usize] = 0.0;
        dof = parent_dof(m, dof as usize);
    }
    length
}

/// Adhesion: minus the mean Jacobian of the normals of all contacts of a body, including those in the gap.
#[inline(never)]
fn adhesion(m: &Model, d: &Data, i: usize, scratch: &mut Smooth) {
    let body = m.actuator_trnid[i][0];
    let weight = &mut scratch.efc_weight;
    weight.clear();
    weight.resize(d.nefc, 0.0);
    let excluded = &mut scratch.row2;
    excluded.fill(0.0);
    let mut count = 0;
    for contact in d.contact.iter().take(d.ncon) {
        let bodies = contact.geom.map(|geom| body_of_geom(m, geom));
        if bodies[0] < 0 || bodies[1] < 0 || (bodies[0] != body && bodies[1] != body) {
            continue;
        }
        if contact.exclude == 0 {
            count += 1;
            mark_normal(m, contact, weight);
        } else if contact.exclude == 1 {
            count += 1;
            let normal = mat3::row(&contact.frame, 0);
            let [b0, b1] = bodies.map(|b| (b as usize, contact.pos));
            for_each_difference(m, Motion::from(d), b0, b1, |dof, column| {
                excluded[dof] += vec3::dot(normal, column);
            });
        }
    }
    if count == 0 {
        return;
    }
    mul_constraint_jac_t(m, d, weight, &mut scratch.row);
    for (x, y) in scratch.row.iter_mut().zip(excluded.iter()) {
        *x = (*x + y) * (-1.0 / f64::from(count));
    }
}

/// Marks the constraint rows whose sum is the normal force of a contact.
fn mark_normal(m: &Model, contact: &Contact, weight: &mut [f64]) {
    let Ok(address) = usize::try_from(contact.efc_address) else { return };
    let (rows, value) = match usize::try_from(contact.dim) {
        Ok(dim @ 2..=6) if m.opt.cone != ConeType::Elliptic as i32 => (2 * (dim - 1), 0.5 / (dim - 1) as f64),
        _ => (1, 1.0),
    };
    // rows that are gone have no weight
    if let Some(rows) = weight.get_mut(address..address + rows) {
        rows.fill(value);
    }
}

/// `res += efc_Jᵀ weight`
fn mul_constraint_jac_t(m: &Model, d: &Data, weight: &[f64], res: &mut [f64]) {
    let sparse = support::is_sparse(m);
    for (r, &w) in weight.iter().enumerate().filter(|(_, w)| **w != 0.0) {
        if sparse {
            let start = d.efc_J_rowadr[r] as usize;
            let row = start..start + d.efc_J_rownnz[r] as usize;
            for (value, &dof) in d.efc_J[row.clone()].iter().zip(&d.efc_J_colind[row]) {
                res[dof as usize] += value * w;
            }
        } else {
            for (x, value) in res.iter_mut().zip(&d.efc_J[r * m.nv..(r + 1) * m.nv]) {
                *x += value * w;
            }
        }
    }
}
