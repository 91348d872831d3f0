//! Keyframes of attached models.
//!
//! A keyframe of an attached model says nothing about the rest of the new model, and where its joints will stand
//! in `qpos` is known only when the model is compiled. Until then the numbers stay with their joints.

use super::Graft;
use crate::diag::Diagnostic;
use crate::spec::{AttachedKey, AttachedState, BodyId, Key};

impl Graft<'_> {
    /// Keyframes of the source, as far as they concern what was copied.
    pub(super) fn copy_keys(&mut self, first_actuator: usize, actuators: &[usize]) {
        let order = self.source.tree_order();
        if self.own {
            self.hand_over(first_actuator, actuators);
        }
        // a model attached to itself keeps what the keyframe says about the rest
        let (bodies, own) = (self.bodies.clone(), self.own);
        let body = |id: BodyId| bodies.get(&id).copied().or(own.then_some(id));
        let actuator = |i: usize| {
            let copy = actuators.binary_search(&i).ok().map(|k| first_actuator + k);
            copy.or(own.then_some(i))
        };
        for key in &self.source.keys {
            if self.own && key.attached.is_some() {
                continue;
            }
            let attached = match &key.attached {
                Some(attached) => self.move_attached(attached, first_actuator, actuators),
                None => self.source.split_key(key, &order, body, actuator),
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
                if let Ok(k) = actuators.binary_search(&state.id) {
                    state.id = first_actuator + k;
                }
            }
        }
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
            let id = first_actuator + actuators.binary_search(&s.id).ok()?;
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
