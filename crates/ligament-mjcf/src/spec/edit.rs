//! Changing a specification in code: finding, adding and deleting elements.

use super::deletion::Gone;
use super::names::{Names, repeated_name};
use super::{BodyId, FrameId, Meta, Spec};
use crate::diag::{Diagnostic, MjcfError, Result};
use ligament_model::enums::ObjType;
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

fn retain_indexed<T>(list: &mut Vec<T>, kept: impl Fn(usize) -> bool) {
    let mut i = 0;
    list.retain(|_| {
        i += 1;
        kept(i - 1)
    });
}
