//! `<keyframe>`: states to reset to. Compiled last: what a key leaves out comes from the finished model.

use crate::error::fail_at;
use crate::tree::{CBody, CJoint, Tree};
use ligament_math::quat;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{AttachedKey, Body, Joint, Key, Spec};
use ligament_model::enums::{JointType, ObjType};
use ligament_model::model::{Model, Sizes};
use std::collections::HashMap;

/// Adds to the sizes of the model.
pub fn count_keys(spec: &Spec, sizes: &mut Sizes) {
    sizes.nkey = spec.key_order().len();
}

/// Writes the arrays of the model, whose tree must be complete.
pub fn write_keys(spec: &Spec, tree: &Tree<'_>, model: &mut Model) -> Result<()> {
    let blank = Key::default();
    let reference = Reference::new(tree, model);
    let attached = spec.keys.iter().any(|key| key.attached.is_some());
    let places = if attached { Places::new(tree) } else { Places::default() };
    for (i, key) in spec.key_order().into_iter().enumerate() {
        let key = key.map_or(&blank, |k| &spec.keys[k]);
        model.key_time[i] = key.time;
        let (nq, nv, na, nu, nm) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
        let qpos = fill(key, "qpos", &key.qpos, &model.qpos0, &reference.qpos)?;
        model.key_qpos[i * nq..(i + 1) * nq].copy_from_slice(&qpos);
        let zeros = vec![0.0; nv.max(na).max(nu)];
        let qvel = fill(key, "qvel", &key.qvel, &zeros[..nv], &zeros[..nv])?;
        model.key_qvel[i * nv..(i + 1) * nv].copy_from_slice(&qvel);
        let act = fill(key, "act", &key.act, &zeros[..na], &zeros[..na])?;
        model.key_act[i * na..(i + 1) * na].copy_from_slice(&act);
        let ctrl = fill(key, "ctrl", &key.ctrl, &zeros[..nu], &zeros[..nu])?;
        model.key_ctrl[i * nu..(i + 1) * nu].copy_from_slice(&ctrl);
        let mpos = fill_blocks(key, "mpos", &key.mpos, 3, &reference.mpos0, &reference.mpos)?;
        model.key_mpos[i * 3 * nm..(i + 1) * 3 * nm].copy_from_slice(&mpos);
        let mquat = fill_blocks(key, "mquat", &key.mquat, 4, &reference.mquat0, &reference.mquat)?;
        model.key_mquat[i * 4 * nm..(i + 1) * 4 * nm].copy_from_slice(&mquat);
        if let Some(attached) = &key.attached {
            overlay(i, attached, spec, &places, model);
        }
        normalize(i, tree, model);
    }
    Ok(())
}

/// What missing and short attributes of a key are completed with.
struct Reference {
    /// References of joints as written in the text, which is what short keys are completed with.
    qpos: Vec<f64>,
    /// Mocap poses of the model, and as written in the text.
    mpos0: Vec<f64>,
    mquat0: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

impl Reference {
    fn new(tree: &Tree<'_>, model: &Model) -> Self {
        let mut qpos = Vec::with_capacity(model.nq);
        for joint in &tree.joints {
            // quirk of 3.5.0: all joints count as hinges here; quaternions of zeros become identities later
            qpos.push(joint.spec.reference);
            qpos.resize(qpos.len() + joint.nq() - 1, 0.0);
        }
        let mocap = || (0..model.nbody).filter(|&b| model.body_mocapid[b] >= 0);
        Self {
            qpos,
            mpos0: mocap().flat_map(|b| model.body_pos[b]).collect(),
            mquat0: mocap().flat_map(|b| model.body_quat[b]).collect(),
            mpos: mocap().flat_map(|b| tree.bodies[b].spec.pos).collect(),
            mquat: mocap().flat_map(|b| tree.bodies[b].spec.quat).collect(),
        }
    }
}

/// What became of the joints and bodies of the specification.
#[derive(Default)]
struct Places<'t, 's> {
    joints: HashMap<*const Joint, &'t CJoint<'s>>,
    bodies: HashMap<*const Body, &'t CBody<'s>>,
}

impl<'t, 's> Places<'t, 's> {
    fn new(tree: &'t Tree<'s>) -> Self {
        Self {
            joints: tree.joints.iter().map(|joint| (std::ptr::from_ref(joint.spec), joint)).collect(),
            bodies: tree.bodies.iter().map(|body| (std::ptr::from_ref(body.spec), body)).collect(),
        }
    }
}

/// Numbers of a key that came with an attached model, at the places its joints, actuators and bodies have now.
fn overlay(key: usize, attached: &AttachedKey, spec: &Spec, places: &Places<'_, '_>, model: &mut Model) {
    let copy = |to: &mut [f64], start: usize, from: &[f64]| {
        to[start..start + from.len()].copy_from_slice(from);
    };
    let (nq, nv, na, nu, nm) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
    for state in &attached.joints {
        let (body, number) = state.id;
        let Some(source) = spec.bodies[body.index()].joints.get(number) else { continue };
        // joints of bodies that were merged or removed are gone
        let Some(&joint) = places.joints.get(&std::ptr::from_ref(source)) else { continue };
        copy(&mut model.key_qpos, key * nq + joint.qposadr, &state.first);
        copy(&mut model.key_qvel, key * nv + joint.dofadr, &state.second);
    }
    for state in &attached.actuators {
        let start = usize::try_from(model.actuator_actadr[state.id]).unwrap_or(0);
        let count = state.first.len().min(model.actuator_actnum[state.id] as usize);
        copy(&mut model.key_act, key * na + start, &state.first[..count]);
        copy(&mut model.key_ctrl, key * nu + state.id, &state.second);
    }
    for state in &attached.mocaps {
        let source = &spec.bodies[state.id.index()];
        let Some(&body) = places.bodies.get(&std::ptr::from_ref(source)) else { continue };
        let Ok(mocap) = usize::try_from(body.mocap) else { continue };
        copy(&mut model.key_mpos, 3 * (key * nm + mocap), &state.first);
        copy(&mut model.key_mquat, 4 * (key * nm + mocap), &state.second);
    }
}

/// A missing attribute is the model's own value, a short one is completed, a long one is an error.
fn fill(key: &Key, what: &str, given: &[f64], missing: &[f64], rest: &[f64]) -> Result<Vec<f64>> {
    fill_blocks(key, what, given, 1, missing, rest)
}

/// The same for values that come in blocks: only whole blocks count as given, a broken block is an error.
fn fill_blocks(
    key: &Key,
    what: &str,
    given: &[f64],
    block: usize,
    missing: &[f64],
    rest: &[f64],
) -> Result<Vec<f64>> {
    if given.is_empty() {
        return Ok(missing.to_vec());
    }
    let mut values = given.to_vec();
    if given.len() / block < rest.len() / block {
        let whole = given.len() / block * block;
        values.truncate(whole);
        values.extend_from_slice(&rest[whole..]);
    }
    if values.len() != missing.len() {
        let (expected, got) = (missing.len(), given.len());
        let expected = match what {
            "qpos" | "qvel" | "act" => format!("expected {expected}, got {got}"),
            _ => format!("expected length {expected}, got {got}"),
        };
        let message = format!("keyframe '{}': invalid {what} size, {expected}", key.meta.name);
        return Err(fail_at(ObjType::Key, &key.meta, message));
    }
    Ok(values)
}

/// Quaternions of joints and mocap bodies to unit length.
fn normalize(key: usize, tree: &Tree<'_>, model: &mut Model) {
    let (start, nm) = (key * model.nq, model.nmocap);
    for joint in &tree.joints {
        let offset = match joint.spec.kind {
            JointType::Free => 3,
            JointType::Ball => 0,
            JointType::Slide | JointType::Hinge => continue,
        };
        let address = start + joint.qposadr + offset;
        unit(&mut model.key_qpos[address..address + 4]);
        if let Ok(mut q) = <[f64; 4]>::try_from(&model.key_qpos[address..address + 4]) {
            quat::normalize(&mut q);
            model.key_qpos[address..address + 4].copy_from_slice(&q);
        }
    }
    for mocap in 0..nm {
        let address = 4 * (key * nm + mocap);
        unit(&mut model.key_mquat[address..address + 4]);
    }
}

/// Divides by the length unless it is one already or too small.
fn unit(values: &mut [f64]) {
    const TINY: f64 = 1e-14;
    let square: f64 = values.iter().map(|x| x * x).sum();
    let length = square.sqrt();
    if square >= TINY && (length - 1.0).abs() > TINY {
        values.iter_mut().for_each(|x| *x /= length);
    }
}
