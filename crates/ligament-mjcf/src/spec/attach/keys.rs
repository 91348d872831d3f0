//! Keyframes of attached models.
//!
//! A keyframe of an attached model says nothing about the rest of the new model, and where its joints will stand
//! in `qpos` is known only when the model is compiled. Until then the numbers stay with their joints.

use super::Graft;
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::spec::{BodyId, Key, Spec};
use ligament_model::enums::{DynType, JointType};

/// Numbers of a keyframe that belong to one part of the model.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttachedState<Id> {
    /// Its number.
    pub id: Id,
    /// `qpos`, `act` or `mpos`.
    pub first: Vec<f64>,
    /// `qvel`, `ctrl` or `mquat`.
    pub second: Vec<f64>,
}

/// A keyframe that came with an attached model. Parts it doesn't mention keep their reference values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AttachedKey {
    /// By body and number of the joint in it.
    pub joints: Vec<AttachedState<(BodyId, usize)>>,
    /// By position in [`Spec::actuators`].
    pub actuators: Vec<AttachedState<usize>>,
    /// Mocap bodies.
    pub mocaps: Vec<AttachedState<BodyId>>,
    /// Which of qpos, qvel, act, ctrl, mpos, mquat the keyframe has.
    pub has: [bool; 6],
}

/// Positions and degrees of freedom of a joint.
pub(crate) fn joint_sizes(kind: JointType) -> (usize, usize) {
    match kind {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        JointType::Slide | JointType::Hinge => (1, 1),
    }
}

impl Spec {
    /// Bodies in the order of the compiled model: depth first, children in document order.
    pub fn tree_order(&self) -> Vec<BodyId> {
        let mut order = Vec::with_capacity(self.bodies.len());
        let mut pending = vec![BodyId(0)];
        while let Some(id) = pending.pop() {
            order.push(id);
            pending.extend(self.bodies[id.index()].children.iter().rev());
        }
        order
    }

    /// Activations of an actuator.
    pub(crate) fn activations(&self, actuator: usize) -> usize {
        let actuator = &self.actuators[actuator];
        match actuator.actdim {
            dim if dim > 0 => dim as usize,
            _ => usize::from(actuator.dyntype != DynType::None),
        }
    }

    /// nq, nv, na, nu, 3 nmocap, 4 nmocap.
    fn state_sizes(&self) -> [usize; 6] {
        let mut sizes = [0; 6];
        for id in self.tree_order() {
            let body = &self.bodies[id.index()];
            for joint in &body.joints {
                let (nq, nv) = joint_sizes(joint.kind);
                sizes[0] += nq;
                sizes[1] += nv;
            }
            if body.mocap {
                sizes[4] += 3;
                sizes[5] += 4;
            }
        }
        sizes[2] = (0..self.actuators.len()).map(|i| self.activations(i)).sum();
        sizes[3] = self.actuators.len();
        sizes
    }

    /// A model can only be attached when its keyframes fit it.
    pub(super) fn check_key_sizes(&self) -> Result<()> {
        if self.keys.iter().all(|k| k.attached.is_some()) {
            return Ok(());
        }
        let sizes = self.state_sizes();
        for key in self.keys.iter().filter(|k| k.attached.is_none()) {
            let parts = ["qpos", "qvel", "act", "ctrl", "mpos", "mquat"];
            for ((part, list), size) in parts.iter().zip(key_parts(key)).zip(sizes) {
                if !list.is_empty() && list.len() != size {
                    let name = &key.meta.name;
                    let got = list.len();
                    let message =
                        format!("Keyframe '{name}' has invalid {part} size, got {got}, should be {size}");
                    return Err(MjcfError::Compile(Diagnostic::new(message).at("key", &key.meta)));
                }
            }
        }
        Ok(())
    }

    /// Keyframes of the compiled model by their position in [`Spec::keys`]: own ones first, then blank ones up to
    /// `<size nkey>`, then those tied to parts of the model, which the reference adds when it compiles.
    pub fn key_order(&self) -> Vec<Option<usize>> {
        let tied = |i: &usize| self.keys[*i].attached.is_some();
        let (late, own): (Vec<usize>, Vec<usize>) = (0..self.keys.len()).partition(tied);
        let wanted = usize::try_from(self.size.nkey).unwrap_or(0).max(own.len());
        let blank = std::iter::repeat_n(None, wanted - own.len());
        own.into_iter().map(Some).chain(blank).chain(late.into_iter().map(Some)).collect()
    }

    /// Lengthens keyframes to the grown model: reference values at the end.
    pub(super) fn pad_keys(&mut self) {
        if self.keys.is_empty() {
            return;
        }
        let sizes = self.state_sizes();
        let (mut qpos0, mut mpos0, mut mquat0) = (Vec::new(), Vec::new(), Vec::new());
        for id in self.tree_order() {
            let body = &self.bodies[id.index()];
            for joint in &body.joints {
                match joint.kind {
                    JointType::Free => qpos0.extend(body.pos.iter().chain(&body.quat)),
                    JointType::Ball => qpos0.extend([1.0, 0.0, 0.0, 0.0]),
                    JointType::Slide | JointType::Hinge => qpos0.push(joint.reference),
                }
            }
            if body.mocap {
                mpos0.extend(body.pos);
                mquat0.extend(body.quat);
            }
        }
        for key in self.keys.iter_mut().filter(|k| k.attached.is_none()) {
            pad(&mut key.qpos, &qpos0);
            pad(&mut key.mpos, &mpos0);
            pad(&mut key.mquat, &mquat0);
            for (list, size) in
                [(&mut key.qvel, sizes[1]), (&mut key.act, sizes[2]), (&mut key.ctrl, sizes[3])]
            {
                if !list.is_empty() && list.len() < size {
                    list.resize(size, 0.0);
                }
            }
        }
    }
}

fn pad(list: &mut Vec<f64>, reference: &[f64]) {
    if !list.is_empty() && list.len() < reference.len() {
        list.extend(&reference[list.len()..]);
    }
}

fn key_parts(key: &Key) -> [&Vec<f64>; 6] {
    [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat]
}

impl Graft<'_> {
    /// Keyframes of the source, as far as they concern what was copied.
    pub(super) fn copy_keys(&mut self, first_actuator: usize, actuators: &[usize]) {
        let order = self.source.tree_order();
        if self.own {
            self.hand_over(first_actuator, actuators);
        }
        for key in &self.source.keys {
            if self.own && key.attached.is_some() {
                continue;
            }
            let attached = match &key.attached {
                Some(attached) => self.move_attached(attached, first_actuator, actuators),
                None => self.split_key(key, &order, first_actuator, actuators),
            };
            let mut meta = self.meta(&key.meta);
            if key.attached.is_some() {
                // as in the reference, keyframes from two levels below keep their names
                meta.name.clone_from(&key.meta.name);
                self.target.warnings.push(
                    Diagnostic::new(
                        "Child model has pending keyframes. They will not be namespaced correctly.",
                    )
                    .at("key", &key.meta)
                    .help("compile the child model before attaching it again"),
                );
            }
            let copy = Key { meta, time: key.time, attached: Some(attached), ..Key::default() };
            self.target.keys.push(copy);
        }
    }

    /// Of the copies of a part, the first one has what keyframes of attached models say about it.
    fn hand_over(&mut self, first_actuator: usize, actuators: &[usize]) {
        for attached in self.target.keys.iter_mut().filter_map(|key| key.attached.as_mut()) {
            for state in &mut attached.joints {
                state.id.0 = *self.bodies.get(&state.id.0).unwrap_or(&state.id.0);
            }
            for state in &mut attached.mocaps {
                state.id = *self.bodies.get(&state.id).unwrap_or(&state.id);
            }
            for state in &mut attached.actuators {
                if let Some(k) = actuators.iter().position(|&a| a == state.id) {
                    state.id = first_actuator + k;
                }
            }
        }
    }

    fn split_key(
        &self,
        key: &Key,
        order: &[BodyId],
        first_actuator: usize,
        actuators: &[usize],
    ) -> AttachedKey {
        let take = |list: &[f64], adr: usize, n: usize| list.get(adr..adr + n).unwrap_or_default().to_vec();
        let mut out =
            AttachedKey { has: key_parts(key).map(|list| !list.is_empty()), ..AttachedKey::default() };
        let [mut qpos, mut qvel, mut mocap, mut act] = [0; 4];
        for id in order {
            let body = &self.source.bodies[id.index()];
            // a model attached to itself keeps what the keyframe says about the rest
            let copy = self.bodies.get(id).or(self.own.then_some(id));
            for (i, joint) in body.joints.iter().enumerate() {
                let (nq, nv) = joint_sizes(joint.kind);
                if let Some(&copy) = copy {
                    let [first, second] = [take(&key.qpos, qpos, nq), take(&key.qvel, qvel, nv)];
                    out.joints.push(AttachedState { id: (copy, i), first, second });
                }
                qpos += nq;
                qvel += nv;
            }
            if body.mocap {
                if let Some(&copy) = copy {
                    let [first, second] = [take(&key.mpos, 3 * mocap, 3), take(&key.mquat, 4 * mocap, 4)];
                    out.mocaps.push(AttachedState { id: copy, first, second });
                }
                mocap += 1;
            }
        }
        for i in 0..self.source.actuators.len() {
            let n = self.source.activations(i);
            let copy = actuators.iter().position(|&a| a == i).map(|k| first_actuator + k);
            if let Some(id) = copy.or(self.own.then_some(i)) {
                let [first, second] = [take(&key.act, act, n), take(&key.ctrl, i, 1)];
                out.actuators.push(AttachedState { id, first, second });
            }
            act += n;
        }
        out
    }

    fn move_attached(&self, key: &AttachedKey, first_actuator: usize, actuators: &[usize]) -> AttachedKey {
        let joints = key.joints.iter().filter_map(|s| {
            let id = (*self.bodies.get(&s.id.0)?, s.id.1);
            Some(AttachedState { id, first: s.first.clone(), second: s.second.clone() })
        });
        let mocaps = key.mocaps.iter().filter_map(|s| {
            let id = *self.bodies.get(&s.id)?;
            Some(AttachedState { id, first: s.first.clone(), second: s.second.clone() })
        });
        let moved = key.actuators.iter().filter_map(|s| {
            let id = first_actuator + actuators.iter().position(|&a| a == s.id)?;
            Some(AttachedState { id, first: s.first.clone(), second: s.second.clone() })
        });
        AttachedKey {
            joints: joints.collect(),
            mocaps: mocaps.collect(),
            actuators: moved.collect(),
            has: key.has,
        }
    }
}
