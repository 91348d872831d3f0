//! Changing a specification in code: finding, adding and deleting elements.

use super::attach::joint_sizes;
use super::attach::references::Names;
use super::{AttachedKey, AttachedState, BodyId, FrameId, Key, Meta, Spec, WrapKind};
use crate::diag::{Diagnostic, MjcfError, Result};
use ligament_model::enums::{EqType, ObjType, TrnType};
use std::collections::{BTreeMap, BTreeSet};

impl Spec {
    /// Calls `visit` with kind and meta data of every element that can have a name.
    pub fn visit_meta<'s>(&'s self, mut visit: impl FnMut(ObjType, &'s Meta)) {
        for body in &self.bodies {
            visit(ObjType::Body, &body.meta);
            body.joints.iter().for_each(|e| visit(ObjType::Joint, &e.meta));
            body.geoms.iter().for_each(|e| visit(ObjType::Geom, &e.meta));
            body.sites.iter().for_each(|e| visit(ObjType::Site, &e.meta));
            body.cameras.iter().for_each(|e| visit(ObjType::Camera, &e.meta));
            body.lights.iter().for_each(|e| visit(ObjType::Light, &e.meta));
        }
        self.frames.iter().for_each(|e| visit(ObjType::Frame, &e.meta));
        self.flexes.iter().for_each(|e| visit(ObjType::Flex, &e.meta));
        self.meshes.iter().for_each(|e| visit(ObjType::Mesh, &e.meta));
        self.skins.iter().for_each(|e| visit(ObjType::Skin, &e.meta));
        self.hfields.iter().for_each(|e| visit(ObjType::Hfield, &e.meta));
        self.textures.iter().for_each(|e| visit(ObjType::Texture, &e.meta));
        self.materials.iter().for_each(|e| visit(ObjType::Material, &e.meta));
        self.pairs.iter().for_each(|e| visit(ObjType::Pair, &e.meta));
        self.excludes.iter().for_each(|e| visit(ObjType::Exclude, &e.meta));
        self.equalities.iter().for_each(|e| visit(ObjType::Equality, &e.meta));
        self.tendons.iter().for_each(|e| visit(ObjType::Tendon, &e.meta));
        self.actuators.iter().for_each(|e| visit(ObjType::Actuator, &e.meta));
        self.sensors.iter().for_each(|e| visit(ObjType::Sensor, &e.meta));
        self.numerics.iter().for_each(|e| visit(ObjType::Numeric, &e.meta));
        self.texts.iter().for_each(|e| visit(ObjType::Text, &e.meta));
        self.tuples.iter().for_each(|e| visit(ObjType::Tuple, &e.meta));
        self.keys.iter().for_each(|e| visit(ObjType::Key, &e.meta));
    }

    /// Names are unique per kind; elements without a name don't count.
    pub fn check_repeated_names(&self) -> Result<()> {
        let mut seen = BTreeSet::new();
        let mut repeated = None;
        self.visit_meta(|kind, meta| {
            if !meta.name.is_empty() && !seen.insert((kind, meta.name.as_str())) && repeated.is_none() {
                repeated = Some((kind, meta));
            }
        });
        repeated.map_or(Ok(()), |(kind, meta)| Err(repeated_name(kind, meta)))
    }

    /// Joint by name: its body and number in it.
    pub fn joint(&self, name: &str) -> Option<(BodyId, usize)> {
        self.find_in_bodies(|body| body.joints.iter().position(|e| e.meta.name == name))
    }

    /// Geom by name: its body and number in it.
    pub fn geom(&self, name: &str) -> Option<(BodyId, usize)> {
        self.find_in_bodies(|body| body.geoms.iter().position(|e| e.meta.name == name))
    }

    /// Site by name: its body and number in it.
    pub fn site(&self, name: &str) -> Option<(BodyId, usize)> {
        self.find_in_bodies(|body| body.sites.iter().position(|e| e.meta.name == name))
    }

    fn find_in_bodies(&self, find: impl Fn(&super::Body) -> Option<usize>) -> Option<(BodyId, usize)> {
        self.bodies.iter().enumerate().find_map(|(i, body)| Some((BodyId(i as u32), find(body)?)))
    }

    /// Deletes a body with all below it, and the pairs, excludes, tendons, equalities, actuators and sensors
    /// that refer to something in it. The world cannot be deleted.
    pub fn delete_body(&mut self, body: BodyId) -> Result<()> {
        let Some(parent) = self.bodies[body.index()].parent else {
            return Err(MjcfError::InvalidAttribute(Diagnostic::new("the world cannot be deleted")));
        };
        let mut doomed = BTreeSet::new();
        let mut pending = vec![body];
        while let Some(id) = pending.pop() {
            doomed.insert(id);
            pending.extend(&self.bodies[id.index()].children);
        }
        let mut tied = self.tie_keys();
        self.keys.append(&mut tied);
        let gone = self.names_only_in(&doomed);
        let mut known = Names::of(self);
        known.insert(ObjType::Body, "world");
        let old_actuators = self.delete_referring(gone, &known);
        self.filter_keys(&doomed, &old_actuators);
        self.bodies[parent.index()].children.retain(|&child| child != body);
        self.drop_bodies(&doomed);
        Ok(())
    }

    /// Names that vanish with these bodies.
    fn names_only_in(&self, doomed: &BTreeSet<BodyId>) -> Gone {
        let mut gone = Gone::default();
        for inside in [true, false] {
            for (i, body) in self.bodies.iter().enumerate() {
                if doomed.contains(&BodyId(i as u32)) != inside {
                    continue;
                }
                let mut note = |kind: ObjType, name: &str| {
                    if inside { gone.insert(kind, name) } else { gone.remove(kind, name) }
                };
                note(ObjType::Body, &body.meta.name);
                body.joints.iter().for_each(|e| note(ObjType::Joint, &e.meta.name));
                body.geoms.iter().for_each(|e| note(ObjType::Geom, &e.meta.name));
                body.sites.iter().for_each(|e| note(ObjType::Site, &e.meta.name));
                body.cameras.iter().for_each(|e| note(ObjType::Camera, &e.meta.name));
            }
        }
        gone
    }

    /// Deletes what refers to vanished names, unless it refers to unknown names as well: that stays to be refused later.
    /// Returns the old positions of the actuators that stay.
    pub(super) fn delete_referring(&mut self, mut gone: Gone, known: &Names) -> Vec<usize> {
        self.pairs
            .retain(|p| !gone.takes(known, &[(ObjType::Geom, &p.geomname1), (ObjType::Geom, &p.geomname2)]));
        self.excludes
            .retain(|e| !gone.takes(known, &[(ObjType::Body, &e.bodyname1), (ObjType::Body, &e.bodyname2)]));
        let lost = self.tendons.extract_if(.., |t| {
            let references: Vec<_> = t.path.iter().flat_map(|wrap| wrap_references(&wrap.kind)).collect();
            gone.takes(known, &references)
        });
        let lost: Vec<String> = lost.map(|t| t.meta.name).collect();
        lost.iter().for_each(|name| gone.insert(ObjType::Tendon, name));
        self.equalities.retain(|e| {
            let kind = match e.kind {
                EqType::Connect | EqType::Weld => e.objtype,
                EqType::Joint => ObjType::Joint,
                EqType::Tendon => ObjType::Tendon,
                EqType::Flex | EqType::Flexvert | EqType::Distance => ObjType::Flex,
            };
            !gone.takes(known, &[(kind, &e.name1), (kind, &e.name2)])
        });
        let stays: Vec<bool> =
            self.actuators.iter().map(|a| !gone.takes(known, &transmission_references(a))).collect();
        for (actuator, stays) in self.actuators.iter().zip(&stays) {
            if !stays {
                gone.insert(ObjType::Actuator, &actuator.meta.name);
            }
        }
        let mut flags = stays.iter();
        self.actuators.retain(|_| *flags.next().unwrap_or(&true));
        self.sensors.retain(|s| {
            !gone.takes(known, &[(s.objtype, s.objname.as_str()), (s.reftype, s.refname.as_str())])
        });
        (0..stays.len()).filter(|&i| stays[i]).collect()
    }

    /// Takes out the keyframes that say everything by position, with their numbers tied to the joints, mocap
    /// bodies and actuators they belong to.
    pub(super) fn tie_keys(&mut self) -> Vec<Key> {
        let plain: Vec<Key> = self.keys.extract_if(.., |key| key.attached.is_none()).collect();
        let tie = |key: Key| {
            let attached = Some(self.split_by_owner(&key));
            Key { meta: key.meta, time: key.time, attached, ..Key::default() }
        };
        plain.into_iter().map(tie).collect()
    }

    fn split_by_owner(&self, key: &Key) -> AttachedKey {
        let take = |list: &[f64], at: usize, n: usize| list.get(at..at + n).unwrap_or_default().to_vec();
        let lists = [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat];
        let mut out = AttachedKey { has: lists.map(|list| !list.is_empty()), ..AttachedKey::default() };
        let [mut qpos, mut qvel, mut mocap, mut act] = [0; 4];
        for id in self.tree_order() {
            let body = &self.bodies[id.index()];
            for (i, joint) in body.joints.iter().enumerate() {
                let (nq, nv) = joint_sizes(joint.kind);
                let [first, second] = [take(&key.qpos, qpos, nq), take(&key.qvel, qvel, nv)];
                out.joints.push(AttachedState { id: (id, i), first, second });
                qpos += nq;
                qvel += nv;
            }
            if body.mocap {
                let [first, second] = [take(&key.mpos, 3 * mocap, 3), take(&key.mquat, 4 * mocap, 4)];
                out.mocaps.push(AttachedState { id, first, second });
                mocap += 1;
            }
        }
        for i in 0..self.actuators.len() {
            let n = self.activations(i);
            let [first, second] = [take(&key.act, act, n), take(&key.ctrl, i, 1)];
            out.actuators.push(AttachedState { id: i, first, second });
            act += n;
        }
        out
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

    /// Takes bodies and their frames out of the arenas and renumbers the rest.
    fn drop_bodies(&mut self, doomed: &BTreeSet<BodyId>) {
        let kept = |i: usize| !doomed.contains(&BodyId(i as u32));
        let body_map = renumber(self.bodies.len(), kept);
        let frame_map = renumber(self.frames.len(), |i| !doomed.contains(&self.frames[i].body));
        let new_body = |id: BodyId| BodyId(body_map.get(&id.0).copied().unwrap_or(id.0));
        let new_frame = |id: FrameId| FrameId(frame_map.get(&id.0).copied().unwrap_or(id.0));
        retain_indexed(&mut self.bodies, |i| body_map.contains_key(&(i as u32)));
        retain_indexed(&mut self.frames, |i| frame_map.contains_key(&(i as u32)));
        for frame in &mut self.frames {
            frame.body = new_body(frame.body);
            frame.meta.frame = frame.meta.frame.map(new_frame);
        }
        for body in &mut self.bodies {
            body.parent = body.parent.map(new_body);
            body.children.iter_mut().for_each(|id| *id = new_body(*id));
            body.frames.iter_mut().for_each(|id| *id = new_frame(*id));
            body.visit_meta_mut(|meta| meta.frame = meta.frame.map(new_frame));
        }
        for attached in self.keys.iter_mut().filter_map(|key| key.attached.as_mut()) {
            attached.joints.iter_mut().for_each(|state| state.id.0 = new_body(state.id.0));
            attached.mocaps.iter_mut().for_each(|state| state.id = new_body(state.id));
        }
    }
}

impl super::Body {
    /// Calls `visit` with the meta data of the body and of all that is fixed to it.
    pub(super) fn visit_meta_mut(&mut self, mut visit: impl FnMut(&mut Meta)) {
        visit(&mut self.meta);
        self.joints.iter_mut().for_each(|e| visit(&mut e.meta));
        self.geoms.iter_mut().for_each(|e| visit(&mut e.meta));
        self.sites.iter_mut().for_each(|e| visit(&mut e.meta));
        self.cameras.iter_mut().for_each(|e| visit(&mut e.meta));
        self.lights.iter_mut().for_each(|e| visit(&mut e.meta));
    }
}

/// New numbers of the kept entries.
fn renumber(count: usize, kept: impl Fn(usize) -> bool) -> BTreeMap<u32, u32> {
    (0..count).filter(|&i| kept(i)).enumerate().map(|(new, old)| (old as u32, new as u32)).collect()
}

/// The error of an element whose name is taken.
pub(super) fn repeated_name(kind: ObjType, meta: &Meta) -> MjcfError {
    let kind = if kind == ObjType::Frame { "frame" } else { crate::keywords::object_name(kind) };
    let message = format!("repeated name '{}' in {kind}", meta.name);
    let diagnostic = Diagnostic::new(message).at(kind, meta).help("names are unique per kind of element");
    MjcfError::InvalidAttribute(diagnostic)
}

fn retain_indexed<T>(list: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut i = 0;
    list.retain(|_| {
        i += 1;
        kept(i - 1)
    });
}

/// Names that no longer stand for anything.
#[derive(Debug, Default)]
pub(super) struct Gone(BTreeSet<(ObjType, String)>);

impl Gone {
    fn entry(kind: ObjType, name: &str) -> (ObjType, String) {
        let kind = if kind == ObjType::Xbody { ObjType::Body } else { kind };
        (kind, name.to_string())
    }

    pub(super) fn insert(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.0.insert(Self::entry(kind, name));
        }
    }

    pub(super) fn remove(&mut self, kind: ObjType, name: &str) {
        self.0.remove(&Self::entry(kind, name));
    }

    fn has(&self, kind: ObjType, name: &str) -> bool {
        !self.0.is_empty() && self.0.contains(&Self::entry(kind, name))
    }

    /// Does something with these references vanish? One of them does, and none is unknown. Empty names are no references.
    fn takes(&self, known: &Names, references: &[(ObjType, &str)]) -> bool {
        let mut named = references.iter().filter(|(_, name)| !name.is_empty());
        references.iter().any(|&(kind, name)| self.has(kind, name))
            && named.all(|&(kind, name)| self.has(kind, name) || known.has(kind, name))
    }
}

fn wrap_references(wrap: &WrapKind) -> Vec<(ObjType, &str)> {
    match wrap {
        WrapKind::Joint { joint, .. } => vec![(ObjType::Joint, joint)],
        WrapKind::Site { site } => vec![(ObjType::Site, site)],
        WrapKind::Geom { geom, sidesite } => vec![(ObjType::Geom, geom), (ObjType::Site, sidesite)],
        WrapKind::Pulley { .. } => Vec::new(),
    }
}

fn transmission_references(actuator: &super::Actuator) -> Vec<(ObjType, &str)> {
    let kind = match actuator.trntype {
        TrnType::Joint | TrnType::Jointinparent => ObjType::Joint,
        TrnType::Tendon => ObjType::Tendon,
        TrnType::Slidercrank | TrnType::Site => ObjType::Site,
        TrnType::Body => ObjType::Body,
        TrnType::Undefined => return Vec::new(),
    };
    vec![(kind, &actuator.target), (ObjType::Site, &actuator.refsite), (ObjType::Site, &actuator.slidersite)]
}
