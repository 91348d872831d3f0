//! Attaching: copies of bodies, frames or whole models become part of another model.
//!
//! Names get a prefix and a suffix, and so do the references between copied elements. Elements outside the tree
//! (assets, tendons, actuators, sensors, …) come along when all they refer to exists in the new place. Default
//! classes and compiler settings of another model are copied, so that its elements keep their meaning; options
//! and sizes are not merged.

mod keys;
mod references;
mod replicate;
#[cfg(test)]
mod tests;

pub(crate) use replicate::Placement;

use super::{Body, BodyId, ClassId, CompilerId, Frame, FrameId, Meta, PluginRef, Spec};
use crate::diag::Result;
use crate::spec::names::Names;
use std::collections::BTreeMap;

/// Where something is attached: a body and possibly a frame inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttachPoint {
    /// The body.
    pub body: BodyId,
    /// The frame, if it is one inside the body.
    pub frame: Option<FrameId>,
}

impl Spec {
    /// Attaches a copy of a body of another model; a frame around the body there is left behind.
    pub fn attach_body(
        &mut self,
        at: AttachPoint,
        child: &Spec,
        body: BodyId,
        prefix: &str,
        suffix: &str,
    ) -> Result<BodyId> {
        let mut graft = Graft::new(self, child, prefix, suffix, false)?;
        let copy = graft.copy_tree(body, at.body);
        graft.target.bodies[copy.index()].meta.frame = at.frame;
        graft.finish()?;
        Ok(copy)
    }

    /// Attaches a copy of a frame of another model with all that stands in it.
    pub fn attach_frame(
        &mut self,
        at: AttachPoint,
        child: &Spec,
        frame: FrameId,
        prefix: &str,
        suffix: &str,
    ) -> Result<FrameId> {
        let mut graft = Graft::new(self, child, prefix, suffix, false)?;
        let copy = graft.copy_frame_content(Some(frame), child.frames[frame.index()].body, at);
        graft.finish()?;
        Ok(copy)
    }

    /// Attaches a copy of all that stands in the world of another model.
    pub fn attach_model(
        &mut self,
        at: AttachPoint,
        child: &Spec,
        prefix: &str,
        suffix: &str,
    ) -> Result<FrameId> {
        let mut graft = Graft::new(self, child, prefix, suffix, false)?;
        let copy = graft.copy_frame_content(None, BodyId(0), at);
        graft.finish()?;
        Ok(copy)
    }

    /// Attaches a copy of one of the model's own frames, as `<replicate>` does. Assets and classes are shared.
    pub fn attach_own_frame(&mut self, at: AttachPoint, frame: FrameId, suffix: &str) -> Result<FrameId> {
        let source = self.clone();
        let mut graft = Graft::new(self, &source, "", suffix, true)?;
        let copy = graft.copy_frame_content(Some(frame), source.frames[frame.index()].body, at);
        graft.finish()?;
        Ok(copy)
    }

    /// Adds a frame to a body, inside another frame if one is given.
    pub fn add_frame(&mut self, body: BodyId, outer: Option<FrameId>) -> FrameId {
        let id = FrameId(self.frames.len() as u32);
        let above = &self.bodies[body.index()].meta;
        let meta = Meta { class: above.class, compiler: above.compiler, frame: outer, ..Meta::default() };
        self.frames.push(Frame {
            meta,
            body,
            childclass: None,
            pos: [0.0; 3],
            quat: [1.0, 0.0, 0.0, 0.0],
            alt: None,
        });
        self.bodies[body.index()].frames.push(id);
        id
    }

    /// Is `frame` inside `outer`, at any depth? A frame is inside itself.
    pub fn is_inside(&self, frame: Option<FrameId>, outer: FrameId) -> bool {
        let mut current = frame;
        while let Some(id) = current {
            if id == outer {
                return true;
            }
            current = self.frames[id.index()].meta.frame;
        }
        false
    }
}

/// One act of attaching.
struct Graft<'a> {
    target: &'a mut Spec,
    source: &'a Spec,
    prefix: &'a str,
    suffix: &'a str,
    /// Source and target are the same model.
    own: bool,
    /// Number of the first copied class and of the first copied set of compiler settings.
    class_base: u32,
    compilers: Vec<CompilerId>,
    frames: BTreeMap<FrameId, FrameId>,
    bodies: BTreeMap<BodyId, BodyId>,
}

impl<'a> Graft<'a> {
    fn new(
        target: &'a mut Spec,
        source: &'a Spec,
        prefix: &'a str,
        suffix: &'a str,
        own: bool,
    ) -> Result<Self> {
        source.check_key_sizes()?;
        let mut graft = Self {
            class_base: target.classes.len() as u32,
            compilers: (0..source.compilers.len() as u32).map(CompilerId).collect(),
            target,
            source,
            prefix,
            suffix,
            own,
            frames: BTreeMap::new(),
            bodies: BTreeMap::new(),
        };
        if !own {
            graft.copy_compilers();
            graft.copy_classes();
        }
        Ok(graft)
    }

    /// A name in its new place; the empty name stays empty.
    fn rename(&self, name: &str) -> String {
        if name.is_empty() { String::new() } else { format!("{}{name}{}", self.prefix, self.suffix) }
    }

    fn rename_in_place(&self, name: &mut String) {
        *name = self.rename(name);
    }

    /// References to assets change only between models.
    fn rename_asset(&self, name: &mut String) {
        if !self.own {
            self.rename_in_place(name);
        }
    }

    fn copy_compilers(&mut self) {
        for (i, settings) in self.source.compilers.iter().enumerate() {
            let known = self.target.compilers[1..].iter().position(|c| c == settings);
            let id = known.map_or(self.target.compilers.len(), |k| k + 1);
            if known.is_none() {
                self.target.compilers.push(settings.clone());
            }
            self.compilers[i] = CompilerId(id as u32);
        }
    }

    /// The source's `main` becomes a child of the target's.
    fn copy_classes(&mut self) {
        for class in &self.source.classes {
            let mut copy = class.clone();
            copy.name = self.rename(&class.name);
            copy.parent = Some(class.parent.map_or(ClassId(0), |p| ClassId(p.0 + self.class_base)));
            self.target.classes.push(copy);
        }
    }

    /// Elements of class `main` keep that name, and so belong to the target's `main` afterwards.
    fn class(&self, class: ClassId) -> ClassId {
        if self.own || class == ClassId(0) { class } else { ClassId(class.0 + self.class_base) }
    }

    fn childclass(&self, class: Option<ClassId>) -> Option<ClassId> {
        class.map(|c| if self.own { c } else { ClassId(c.0 + self.class_base) })
    }

    fn meta(&self, meta: &Meta) -> Meta {
        Meta {
            name: self.rename(&meta.name),
            class: self.class(meta.class),
            compiler: self.compilers[meta.compiler.index()],
            frame: meta.frame.and_then(|f| self.frames.get(&f).copied()),
            origin: meta.origin.clone(),
            tag: meta.tag,
        }
    }

    fn plugin(&self, plugin: &Option<PluginRef>) -> Option<PluginRef> {
        plugin.clone().map(|mut p| {
            self.rename_in_place(&mut p.instance);
            p
        })
    }

    /// Copies a frame with its content, or all of a body's content into a new frame.
    fn copy_frame_content(&mut self, frame: Option<FrameId>, body: BodyId, at: AttachPoint) -> FrameId {
        let copy = self.target.add_frame(at.body, at.frame);
        if let Some(id) = frame {
            self.frames.insert(id, copy);
            let original = &self.source.frames[id.index()];
            let meta = Meta { frame: at.frame, ..self.meta(&original.meta) };
            let childclass = self.childclass(original.childclass);
            self.target.frames[copy.index()] = Frame { meta, body: at.body, childclass, ..original.clone() };
        }
        let mut pending = self.copy_content(body, at.body, frame, Some(copy));
        self.copy_bodies(&mut pending);
        copy
    }

    /// Copies a body with all below it.
    fn copy_tree(&mut self, body: BodyId, parent: BodyId) -> BodyId {
        let copy = self.copy_one_body(body, parent);
        let mut pending = self.copy_content(body, copy, None, None);
        self.copy_bodies(&mut pending);
        copy
    }

    /// Copies bodies and what is below them; the list holds (source, new parent, frame), last first.
    fn copy_bodies(&mut self, pending: &mut Vec<(BodyId, BodyId, Option<FrameId>)>) {
        while let Some((body, parent, frame)) = pending.pop() {
            let copy = self.copy_one_body(body, parent);
            self.target.bodies[copy.index()].meta.frame = frame;
            pending.extend(self.copy_content(body, copy, None, None));
        }
    }

    /// The body alone, without what it carries.
    fn copy_one_body(&mut self, body: BodyId, parent: BodyId) -> BodyId {
        let original = &self.source.bodies[body.index()];
        let id = BodyId(self.target.bodies.len() as u32);
        self.bodies.insert(body, id);
        let copy = Body {
            meta: self.meta(&original.meta),
            parent: Some(parent),
            childclass: self.childclass(original.childclass),
            plugin: self.plugin(&original.plugin),
            pos: original.pos,
            quat: original.quat,
            alt: original.alt,
            explicitinertial: original.explicitinertial,
            mass: original.mass,
            ipos: original.ipos,
            iquat: original.iquat,
            inertia: original.inertia,
            ialt: original.ialt,
            fullinertia: original.fullinertia,
            mocap: original.mocap,
            gravcomp: original.gravcomp,
            sleep: original.sleep,
            userdata: original.userdata.clone(),
            ..Body::default()
        };
        self.target.bodies.push(copy);
        self.target.bodies[parent.index()].children.push(id);
        id
    }

    /// Copies what a body carries, or only what stands inside `filter`; elements outside any frame go into
    /// `outer`. Returns the bodies still to copy, in reverse order.
    fn copy_content(
        &mut self,
        from: BodyId,
        to: BodyId,
        filter: Option<FrameId>,
        outer: Option<FrameId>,
    ) -> Vec<(BodyId, BodyId, Option<FrameId>)> {
        let source = self.source;
        let original = &source.bodies[from.index()];
        let inside = |frame: Option<FrameId>| filter.is_none_or(|f| source.is_inside(frame, f));
        let copied_frames = original.frames.iter().copied();
        for id in copied_frames.filter(|&id| Some(id) != filter && inside(Some(id))) {
            let copy = self.target.add_frame(to, None);
            self.frames.insert(id, copy);
        }
        for &id in &original.frames {
            if Some(id) == filter || !inside(Some(id)) {
                continue;
            }
            let frame = &source.frames[id.index()];
            let mut meta = self.meta(&frame.meta);
            meta.frame = meta.frame.or(outer);
            let childclass = self.childclass(frame.childclass);
            let copy = self.frames[&id];
            self.target.frames[copy.index()] = Frame { meta, body: to, childclass, ..frame.clone() };
        }
        self.copy_elements(original, to, &inside, outer);
        let children = original.children.iter().rev().copied();
        children
            .filter(|c| inside(source.bodies[c.index()].meta.frame))
            .map(|c| {
                let frame = source.bodies[c.index()].meta.frame.and_then(|f| self.frames.get(&f).copied());
                (c, to, frame.or(outer))
            })
            .collect()
    }

    /// Joints, geoms, sites, cameras and lights of a body.
    fn copy_elements(
        &mut self,
        original: &Body,
        to: BodyId,
        inside: &dyn Fn(Option<FrameId>) -> bool,
        outer: Option<FrameId>,
    ) {
        macro_rules! copy {
            ($list:ident, |$element:ident| $fix:block) => {
                for element in original.$list.iter().filter(|e| inside(e.meta.frame)) {
                    let mut $element = element.clone();
                    $element.meta = self.meta(&element.meta);
                    $element.meta.frame = $element.meta.frame.or(outer);
                    $fix
                    self.target.bodies[to.index()].$list.push($element);
                }
            };
        }
        copy!(joints, |joint| {});
        copy!(geoms, |geom| {
            self.rename_asset(&mut geom.material);
            self.rename_asset(&mut geom.hfieldname);
            self.rename_asset(&mut geom.meshname);
            geom.plugin = self.plugin(&geom.plugin);
        });
        copy!(sites, |site| {
            self.rename_asset(&mut site.material);
        });
        copy!(cameras, |camera| {
            self.rename_in_place(&mut camera.targetbody);
        });
        copy!(lights, |light| {
            self.rename_in_place(&mut light.targetbody);
            self.rename_in_place(&mut light.texture);
        });
    }

    /// Is there anything that may refer to what was copied?
    fn has_referring(&self) -> bool {
        let Spec { flexes, pairs, excludes, tendons, equalities, actuators, sensors, tuples, .. } =
            if self.own { &*self.target } else { self.source };
        let ties = flexes.len() + pairs.len() + excludes.len() + tendons.len() + equalities.len();
        ties + actuators.len() + sensors.len() + tuples.len() > 0
    }

    /// Everything outside the tree.
    fn finish(mut self) -> Result<()> {
        if !self.own {
            self.copy_assets();
        }
        let first_actuator = self.target.actuators.len();
        let mut names = if self.has_referring() { Names::of(self.target) } else { Names::default() };
        let actuators = self.copy_referencing(&mut names);
        self.copy_plugins();
        self.target.pad_keys();
        self.copy_keys(first_actuator, &actuators);
        Ok(())
    }
}
