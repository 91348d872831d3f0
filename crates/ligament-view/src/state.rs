//! Taking a state over to a changed model.

use ligament_model::enums::{JointType, ObjType};
use ligament_model::{Data, Model};

/// An element of the old model that corresponds to one of the new: of the same name, or of the same number when
/// neither has a name.
fn counterpart(kind: ObjType, old: &Model, new: &Model, id: usize, count: usize) -> Option<usize> {
    match new.name(kind, id) {
        Some(name) => old.id(kind, name),
        None => (id < count && old.name(kind, id).is_none()).then_some(id),
    }
}

fn widths(kind: i32) -> (usize, usize) {
    match JointType::try_from(kind) {
        Ok(JointType::Free) => (7, 6),
        Ok(JointType::Ball) => (4, 3),
        Ok(JointType::Slide | JointType::Hinge) | Err(_) => (1, 1),
    }
}

fn copy(source: &[f64], from: usize, target: &mut [f64], to: usize, count: usize) {
    if let (Some(source), Some(target)) = (source.get(from..from + count), target.get_mut(to..to + count)) {
        target.copy_from_slice(source);
    }
}

/// Copies time, positions, velocities and controls of whatever is in both models.
pub fn carry_over(old_model: &Model, old: &Data, model: &Model, data: &mut Data) {
    data.time = old.time;
    for joint in 0..model.njnt {
        let found = counterpart(ObjType::Joint, old_model, model, joint, old_model.njnt);
        let Some(other) = found.filter(|&j| old_model.jnt_type[j] == model.jnt_type[joint]) else { continue };
        let (positions, velocities) = widths(model.jnt_type[joint]);
        let [from, to] = [old_model.jnt_qposadr[other], model.jnt_qposadr[joint]].map(|a| a as usize);
        copy(&old.qpos, from, &mut data.qpos, to, positions);
        let [from, to] = [old_model.jnt_dofadr[other], model.jnt_dofadr[joint]].map(|a| a as usize);
        copy(&old.qvel, from, &mut data.qvel, to, velocities);
    }
    for actuator in 0..model.nu {
        if let Some(other) = counterpart(ObjType::Actuator, old_model, model, actuator, old_model.nu) {
            data.ctrl[actuator] = old.ctrl[other];
            let [from, to] = [old_model.actuator_actnum[other], model.actuator_actnum[actuator]];
            if from == to && from > 0 {
                let [from_at, to_at] =
                    [old_model.actuator_actadr[other], model.actuator_actadr[actuator]].map(|a| a as usize);
                copy(&old.act, from_at, &mut data.act, to_at, to as usize);
            }
        }
    }
    for body in 0..model.nbody {
        let found = counterpart(ObjType::Body, old_model, model, body, old_model.nbody);
        let mocap = |m: &Model, b: usize| usize::try_from(m.body_mocapid[b]).ok();
        if let Some((from, to)) = found.and_then(|b| mocap(old_model, b)).zip(mocap(model, body)) {
            data.mocap_pos[to] = old.mocap_pos[from];
            data.mocap_quat[to] = old.mocap_quat[from];
        }
    }
}
