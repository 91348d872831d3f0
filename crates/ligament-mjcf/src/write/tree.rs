//! Bodies with what they carry.

use super::Writer;
use crate::diag::Result;
use crate::keywords as key;
use crate::spec::{Body, BodyId, ClassId, FrameId};
use ligament_model::enums::SleepPolicy;
use std::collections::BTreeSet;

/// What is left to write.
enum Task {
    Body {
        id: BodyId,
        inherited: ClassId,
    },
    /// Open the frames around something.
    Frames(Vec<FrameId>),
    /// Close so many elements.
    Close(usize),
}

impl Writer<'_> {
    pub(super) fn tree(&mut self) -> Result<()> {
        let mut named = BTreeSet::new();
        self.xml.open("worldbody");
        let mut pending = vec![Task::Close(1)];
        self.content(BodyId(0), ClassId(0), &mut named, &mut pending)?;
        while let Some(task) = pending.pop() {
            match task {
                Task::Close(count) => (0..count).for_each(|_| self.xml.close()),
                Task::Frames(frames) => self.open_frames(&frames, &mut named)?,
                Task::Body { id, inherited } => {
                    let body = &self.spec.bodies[id.index()];
                    self.xml.open("body");
                    self.body_attributes(body)?;
                    pending.push(Task::Close(1));
                    self.content(id, body.childclass.unwrap_or(inherited), &mut named, &mut pending)?;
                }
            }
        }
        Ok(())
    }

    fn body_attributes(&mut self, body: &Body) -> Result<()> {
        let quat = self.quat(&body.meta, body.quat, body.alt)?;
        let inertial_quat = self.quat(&body.meta, body.iquat, body.ialt)?;
        let xml = &mut self.xml;
        xml.text_if("name", &body.meta.name);
        if let Some(class) = body.childclass {
            xml.text("childclass", &self.spec.classes[class.index()].name);
        }
        xml.changed("pos", &body.pos, &[0.0; 3]);
        xml.changed("quat", &quat, &[1.0, 0.0, 0.0, 0.0]);
        xml.changed_flag("mocap", body.mocap, false);
        xml.changed_one("gravcomp", body.gravcomp, 0.0);
        xml.changed_key("sleep", key::SLEEP, body.sleep, SleepPolicy::Auto);
        xml.numbers_if("user", &body.userdata);
        if body.explicitinertial {
            xml.open("inertial");
            let pos = if body.ipos[0].is_nan() { [0.0; 3] } else { body.ipos };
            xml.numbers("pos", &pos);
            xml.numbers("mass", &[body.mass]);
            if body.fullinertia[0].is_nan() {
                xml.changed("quat", &inertial_quat, &[1.0, 0.0, 0.0, 0.0]);
                xml.numbers("diaginertia", &body.inertia);
            } else {
                xml.numbers("fullinertia", &body.fullinertia);
            }
            xml.close();
        }
        Ok(())
    }

    /// Writes what a body carries and puts its children on the list.
    fn content(
        &mut self,
        id: BodyId,
        inherited: ClassId,
        named: &mut BTreeSet<FrameId>,
        pending: &mut Vec<Task>,
    ) -> Result<()> {
        let body = &self.spec.bodies[id.index()];
        macro_rules! elements {
            ($list:ident, |$element:ident| $write:expr) => {
                for $element in &body.$list {
                    let frames = self.frames_around($element.meta.frame);
                    self.open_frames(&frames, named)?;
                    $write;
                    (0..frames.len()).for_each(|_| self.xml.close());
                }
            };
        }
        elements!(joints, |joint| self.joint(joint, inherited));
        elements!(geoms, |geom| self.geom(geom, inherited)?);
        elements!(sites, |site| self.site(site, inherited)?);
        elements!(cameras, |camera| self.camera(camera, inherited)?);
        elements!(lights, |light| self.light(light, inherited));
        self.plugin_child(body.plugin.as_ref());
        for &child in body.children.iter().rev() {
            let frames = self.frames_around(self.spec.bodies[child.index()].meta.frame);
            let count = frames.len();
            pending.push(Task::Close(count));
            pending.push(Task::Body { id: child, inherited });
            pending.push(Task::Frames(frames));
        }
        Ok(())
    }

    /// Frames around an element, outermost first.
    fn frames_around(&self, innermost: Option<FrameId>) -> Vec<FrameId> {
        let mut frames = Vec::new();
        let mut current = innermost;
        while let Some(id) = current {
            frames.push(id);
            current = self.spec.frames[id.index()].meta.frame;
        }
        frames.reverse();
        frames
    }

    /// A frame may be written many times; only the first keeps its name.
    fn open_frames(&mut self, frames: &[FrameId], named: &mut BTreeSet<FrameId>) -> Result<()> {
        for &id in frames {
            let frame = &self.spec.frames[id.index()];
            let quat = self.quat(&frame.meta, frame.quat, frame.alt)?;
            self.xml.open("frame");
            if named.insert(id) {
                self.xml.text_if("name", &frame.meta.name);
            }
            self.xml.changed("pos", &frame.pos, &[0.0; 3]);
            self.xml.changed("quat", &quat, &[1.0, 0.0, 0.0, 0.0]);
        }
        Ok(())
    }
}
