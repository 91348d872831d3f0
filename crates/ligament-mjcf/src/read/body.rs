//! `<worldbody>`: the tree of bodies and frames, read without recursion.

use super::Reader;
use super::parts;
use super::plugin::read_plugin;
use crate::diag::{MjcfError, Result};
use crate::keywords as key;
use crate::read::expand::replicate::Replicate;
use crate::read::expand::{attach, composite, flexcomp};
use crate::spec::{BodyId, ClassId, FrameId};
use crate::xml::Element;
use ligament_model::enums::{AlignFree, JointType};

const ALIGN: key::Table<AlignFree> =
    &[("false", AlignFree::False), ("true", AlignFree::True), ("auto", AlignFree::Auto)];

/// An element whose children are being read.
struct Level<'e> {
    element: Element<'e>,
    /// The next child.
    next: usize,
    body: BodyId,
    frame: Option<FrameId>,
    /// What to do at the end, for `<replicate>`.
    replicate: Option<Replicate>,
}

impl Reader<'_> {
    pub(super) fn read_worldbody(&mut self, section: Element<'_>) -> Result<()> {
        if !section.attributes().is_empty() {
            return Err(MjcfError::Schema(section.complain("World body cannot have attributes")));
        }
        let world = BodyId(0);
        let mut levels = vec![Level { element: section, next: 0, body: world, frame: None, replicate: None }];
        while let Some(level) = levels.last_mut() {
            match level.element.child_at(level.next) {
                Some(child) => {
                    level.next += 1;
                    let (body, frame) = (level.body, level.frame);
                    if let Some(inner) = self.read_child(child, body, frame)? {
                        levels.push(inner);
                    }
                }
                None => {
                    let done = levels.pop();
                    if let Some(Level { element, replicate: Some(replicate), .. }) = done {
                        replicate.expand(self, element)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads one element of a body; bodies, frames and replicates are returned to be read further.
    fn read_child<'e>(
        &mut self,
        element: Element<'e>,
        body: BodyId,
        frame: Option<FrameId>,
    ) -> Result<Option<Level<'e>>> {
        let class = match self.class_of(element)? {
            Some(class) => class,
            None => self.inherited_class(body, frame),
        };
        match element.name() {
            "inertial" => self.read_inertial(element, body)?,
            "joint" => self.read_joint(element, body, frame, class)?,
            "freejoint" => self.read_freejoint(element, body, frame, class)?,
            "geom" | "site" | "camera" | "light" => self.read_fixed(element, body, frame, class)?,
            "plugin" => self.spec.bodies[body.index()].plugin = Some(read_plugin(element)?),
            "composite" => composite::read_composite(self, element, body, frame)?,
            "flexcomp" => flexcomp::read_flexcomp(self, element, body)?,
            "attach" => attach::read_attach(self, element, body, frame)?,
            "frame" => {
                let id = self.read_frame(element, body, frame, class)?;
                return Ok(Some(Level { element, next: 0, body, frame: Some(id), replicate: None }));
            }
            "replicate" => {
                let childclass = self.childclass(element)?;
                let replicate = Replicate::begin(self, element, body, frame, childclass.unwrap_or(class))?;
                let (body, frame) = replicate.subtree();
                let replicate = Some(replicate);
                return Ok(Some(Level { element, next: 0, body, frame: Some(frame), replicate }));
            }
            "body" => {
                let child = self.read_body(element, body, frame, class)?;
                return Ok(Some(Level { element, next: 0, body: child, frame: None, replicate: None }));
            }
            other => {
                let message = format!("unrecognized model element '{other}'");
                return Err(MjcfError::Schema(element.complain(message)));
            }
        }
        Ok(None)
    }

    fn inherited_class(&self, body: BodyId, frame: Option<FrameId>) -> ClassId {
        match frame {
            Some(frame) => self.spec.frames[frame.index()].meta.class,
            None => self.spec.bodies[body.index()].meta.class,
        }
    }

    /// The class named by `childclass`.
    fn childclass(&mut self, element: Element<'_>) -> Result<Option<ClassId>> {
        let Some(name) = element.attr("childclass") else { return Ok(None) };
        self.class(name).map(Some).ok_or_else(|| {
            let message = format!("unknown default childclass '{name}'");
            MjcfError::UnknownName(element.complain_attr("childclass", message))
        })
    }

    fn read_body(
        &mut self,
        element: Element<'_>,
        parent: BodyId,
        frame: Option<FrameId>,
        class: ClassId,
    ) -> Result<BodyId> {
        let childclass = self.childclass(element)?;
        let mut meta = self.meta(element, childclass.unwrap_or(class));
        meta.frame = frame;
        let id = self.spec.add_body(parent);
        let body = &mut self.spec.bodies[id.index()];
        body.meta = meta;
        body.childclass = childclass;
        element.array("pos", &mut body.pos)?;
        element.quat("quat", &mut body.quat)?;
        element.flag("mocap", &mut body.mocap)?;
        element.orientation(&mut body.alt)?;
        element.number("gravcomp", &mut body.gravcomp)?;
        element.choose("sleep", key::SLEEP, &mut body.sleep)?;
        body.userdata = element.numbers("user")?.unwrap_or_default();
        Ok(id)
    }

    fn read_frame(
        &mut self,
        element: Element<'_>,
        body: BodyId,
        outer: Option<FrameId>,
        class: ClassId,
    ) -> Result<FrameId> {
        let childclass = self.childclass(element)?;
        let mut meta = self.meta(element, childclass.unwrap_or(class));
        meta.frame = outer;
        let id = self.spec.add_frame(body, outer);
        let frame = &mut self.spec.frames[id.index()];
        frame.meta = meta;
        frame.childclass = childclass;
        element.array("pos", &mut frame.pos)?;
        element.quat("quat", &mut frame.quat)?;
        element.orientation(&mut frame.alt)?;
        Ok(id)
    }

    fn read_inertial(&mut self, element: Element<'_>, body: BodyId) -> Result<()> {
        if body == BodyId(0) {
            return Err(MjcfError::Schema(element.complain("World body cannot have inertia")));
        }
        let body = &mut self.spec.bodies[body.index()];
        body.explicitinertial = true;
        element.required_array("pos", &mut body.ipos)?;
        element.quat("quat", &mut body.iquat)?;
        element.required_array("mass", std::slice::from_mut(&mut body.mass))?;
        element.array("diaginertia", &mut body.inertia)?;
        let oriented = element.orientation(&mut body.ialt)?;
        let full = element.array("fullinertia", &mut body.fullinertia)?;
        if oriented && full {
            let message = "fullinertia and inertial orientation cannot both be specified";
            return Err(element.invalid_attr("fullinertia", message));
        }
        Ok(())
    }

    fn forbid_in_world(element: Element<'_>, body: BodyId) -> Result<()> {
        if body == BodyId(0) {
            return Err(MjcfError::Schema(element.complain("World body cannot have joints")));
        }
        Ok(())
    }

    fn read_joint(
        &mut self,
        element: Element<'_>,
        body: BodyId,
        frame: Option<FrameId>,
        class: ClassId,
    ) -> Result<()> {
        Self::forbid_in_world(element, body)?;
        let mut joint = self.inherit(&self.spec.classes[class.index()].joint, element)?;
        joint.meta = self.meta_in(element, class, frame);
        parts::read_joint(element, &mut joint)?;
        self.spec.bodies[body.index()].joints.push(joint);
        Ok(())
    }

    /// A free joint takes nothing from its class.
    fn read_freejoint(
        &mut self,
        element: Element<'_>,
        body: BodyId,
        frame: Option<FrameId>,
        class: ClassId,
    ) -> Result<()> {
        Self::forbid_in_world(element, body)?;
        let mut joint = crate::spec::Joint { kind: JointType::Free, ..Default::default() };
        joint.meta = self.meta_in(element, class, frame);
        element.int("group", &mut joint.group)?;
        element.choose("align", ALIGN, &mut joint.align)?;
        self.spec.bodies[body.index()].joints.push(joint);
        Ok(())
    }

    /// Elements fixed to a body.
    fn read_fixed(
        &mut self,
        element: Element<'_>,
        body: BodyId,
        frame: Option<FrameId>,
        class: ClassId,
    ) -> Result<()> {
        let meta = self.meta_in(element, class, frame);
        macro_rules! read {
            ($kind:ident, $list:ident, $read:ident) => {{
                let mut item = self.inherit(&self.spec.classes[class.index()].$kind, element)?;
                item.meta = meta;
                parts::$read(element, &mut item)?;
                self.spec.bodies[body.index()].$list.push(item);
            }};
        }
        match element.name() {
            "geom" => read!(geom, geoms, read_geom),
            "site" => read!(site, sites, read_site),
            "camera" => read!(camera, cameras, read_camera),
            _ => read!(light, lights, read_light),
        }
        Ok(())
    }
}
