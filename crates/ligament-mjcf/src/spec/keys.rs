//! Keyframes: numbers by position, or tied to the parts of the model that they belong to.

use super::{AttachedKey, AttachedState, BodyId, Key, Spec};
use crate::diag::{Diagnostic, MjcfError, Result};
use ligament_model::enums::{DynType, JointType};
use std::collections::BTreeSet;

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
                let (nq, nv) = joint.kind.sizes();
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

    /// Takes out the keyframes that say everything by position, with their numbers tied to the joints, mocap
    /// bodies and actuators they belong to.
    pub(super) fn tie_keys(&mut self) -> Vec<Key> {
        let plain: Vec<Key> = self.keys.extract_if(.., |key| key.attached.is_none()).collect();
        let order = self.tree_order();
        let tie = |key: Key| {
            let attached = Some(self.split_key(&key, &order, Some, Some));
            Key { meta: key.meta, time: key.time, attached, ..Key::default() }
        };
        plain.into_iter().map(tie).collect()
    }

    /// Drops the numbers of deleted bodies and actuators.
    pub(super) fn filter_keys(&mut self, doomed: &BTreeSet<BodyId>, old_actuators: &[usize]) {
        for attached in self.keys.iter_mut().filter_map(|key| key.attached.as_mut()) {
            attached.joints.retain(|state| !doomed.contains(&state.id.0));
            attached.mocaps.retain(|state| !doomed.contains(&state.id));
            attached.actuators.retain_mut(|state| {
                let new = old_actuators.binary_search(&state.id).ok();
                state.id = new.unwrap_or(state.id);
                new.is_some()
            });
        }
    }

    /// The numbers of a keyframe, tied to the joints, mocap bodies and actuators that they belong to, wherever these are now.
    /// `order` is that of the tree.
    pub(super) fn split_key(
        &self,
        key: &Key,
        order: &[BodyId],
        body_now: impl Fn(BodyId) -> Option<BodyId>,
        actuator_now: impl Fn(usize) -> Option<usize>,
    ) -> AttachedKey {
        let take = |list: &[f64], at: usize, n: usize| list.get(at..at + n).unwrap_or_default().to_vec();
        let mut out =
            AttachedKey { has: key_parts(key).map(|list| !list.is_empty()), ..AttachedKey::default() };
        if !out.has.contains(&true) {
            return out;
        }
        let [mut qpos, mut qvel, mut mocap, mut act] = [0; 4];
        for &id in order {
            let body = &self.bodies[id.index()];
            let now = body_now(id);
            for (i, joint) in body.joints.iter().enumerate() {
                let (nq, nv) = joint.kind.sizes();
                if let Some(now) = now {
                    let [first, second] = [take(&key.qpos, qpos, nq), take(&key.qvel, qvel, nv)];
                    push_state(&mut out.joints, AttachedState { id: (now, i), first, second });
                }
                qpos += nq;
                qvel += nv;
            }
            if body.mocap {
                if let Some(id) = now {
                    let [first, second] = [take(&key.mpos, 3 * mocap, 3), take(&key.mquat, 4 * mocap, 4)];
                    push_state(&mut out.mocaps, AttachedState { id, first, second });
                }
                mocap += 1;
            }
        }
        for i in 0..self.actuators.len() {
            let n = self.activations(i);
            if let Some(id) = actuator_now(i) {
                let [first, second] = [take(&key.act, act, n), take(&key.ctrl, i, 1)];
                push_state(&mut out.actuators, AttachedState { id, first, second });
            }
            act += n;
        }
        out
    }
}

/// Adds numbers, if there are any.
fn push_state<Id>(states: &mut Vec<AttachedState<Id>>, state: AttachedState<Id>) {
    if !state.first.is_empty() || !state.second.is_empty() {
        states.push(state);
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
