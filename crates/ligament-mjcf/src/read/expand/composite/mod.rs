//! `<composite>`: a chain of bodies that makes a cable. The other types of earlier versions are refused with
//! the name of their successor.

mod read;
mod skin;
#[cfg(test)]
mod tests;

pub use read::read_composite;

use super::declare_plugin;
use crate::diag::{self, Diagnostic, MjcfError};
use crate::spec::{BodyId, Exclude, FrameId, Geom, Joint, Meta, Origin, PluginRef, Site, Spec, Text, pose};
use ligament_math::{MINVAL, Quat, Vec3, quat, vec3};
use ligament_model::enums::{GeomType, JointType};
use std::f64::consts::PI;

/// Most bodies of a cable along one direction.
const MAX_COUNT: i32 = 1_000_000;

/// Types of a composite; all but the cable are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompositeKind {
    Particle,
    Grid,
    Rope,
    Loop,
    Cable,
    Cloth,
}

impl CompositeKind {
    /// Keywords of the attribute `type`.
    pub const KEYWORDS: [(&'static str, Self); 6] = [
        ("particle", Self::Particle),
        ("grid", Self::Grid),
        ("rope", Self::Rope),
        ("loop", Self::Loop),
        ("cable", Self::Cable),
        ("cloth", Self::Cloth),
    ];

    /// Name of a type that is gone and of what to use instead.
    fn successor(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Particle => Some(("particle", "replicate")),
            Self::Grid => Some(("grid", "flex")),
            Self::Rope => Some(("rope", "cable")),
            Self::Loop => Some(("loop", "flexcomp")),
            Self::Cloth => Some(("cloth", "shell")),
            Self::Cable => None,
        }
    }
}

/// Function of one coordinate along a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurveShape {
    /// Straight: `s` in [0, size₀].
    Line,
    /// size₁ · cos(π size₂ t)
    Cos,
    /// size₁ · sin(π size₂ t)
    Sin,
    Zero,
}

impl CurveShape {
    /// Words of the attribute `curve`.
    pub const KEYWORDS: [(&'static str, Self); 4] =
        [("s", Self::Line), ("cos(s)", Self::Cos), ("sin(s)", Self::Sin), ("0", Self::Zero)];
}

/// Skin of a composite.
#[derive(Debug, Clone)]
pub struct CompositeSkin {
    pub texcoord: bool,
    pub material: String,
    pub rgba: [f32; 4],
    pub subgrid: i32,
    pub group: i32,
}

impl Default for CompositeSkin {
    fn default() -> Self {
        Self { texcoord: false, material: String::new(), rgba: [1.0; 4], subgrid: 0, group: 0 }
    }
}

/// Attributes of `<composite>` and of the elements inside.
#[derive(Debug, Clone)]
pub struct Composite {
    pub prefix: String,
    pub kind: CompositeKind,
    pub count: [i32; 3],
    pub offset: Vec3,
    pub quat: Quat,
    pub frame: Option<FrameId>,
    pub curve: [CurveShape; 3],
    /// Joint of the first body: `ball`, `free` or `none`.
    pub initial: String,
    pub size: Vec3,
    pub vertex: Vec<f32>,
    /// Templates; they start from built-in defaults, not from a class.
    pub geom: Geom,
    pub site: Site,
    pub joint: Joint,
    pub skin: CompositeSkin,
    pub plugin: Option<PluginRef>,
    /// Place in the text.
    pub origin: Origin,
}

impl Default for Composite {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            kind: CompositeKind::Particle,
            count: [1; 3],
            offset: [0.0; 3],
            quat: quat::IDENTITY,
            frame: None,
            curve: [CurveShape::Zero; 3],
            initial: "ball".into(),
            size: [1.0, 0.0, 0.0],
            vertex: Vec::new(),
            geom: Geom::default(),
            site: Site { group: 3, ..Site::default() },
            joint: Joint { group: 3, ..Joint::default() },
            skin: CompositeSkin::default(),
            plugin: None,
            origin: Origin::default(),
        }
    }
}

/// Moving frame along the cable.
struct CableFrame {
    normal: Vec3,
    quat: Quat,
}

impl Composite {
    /// Adds the bodies and what belongs to them to the specification, below `body`.
    pub fn expand(mut self, spec: &mut Spec, body: BodyId) -> diag::Result<()> {
        let diagnostic =
            Diagnostic::new("").at_origin(&self.origin).element(format!("composite '{}'", self.prefix));
        self.expand_inner(spec, body)
            .map_err(|message| MjcfError::InvalidAttribute(Diagnostic { message, ..diagnostic }))
    }

    fn expand_inner(&mut self, spec: &mut Spec, body: BodyId) -> Result<(), String> {
        let dim = self.check_counts()?;
        if let Some(plugin) = &self.plugin {
            if self.kind != CompositeKind::Cable {
                return Err("Only cable composite supports plugins".into());
            }
            if plugin.plugin != "mujoco.elasticity.cable" {
                return Err("Only mujoco.elasticity.cable is supported by composites".into());
            }
        }
        if let Some((old, new)) = self.kind.successor() {
            return Err(format!("The \"{old}\" composite type is deprecated. Please use \"{new}\" instead."));
        }
        if dim != 1 {
            return Err("Cable must be one-dimensional".into());
        }
        if !matches!(self.geom.kind, GeomType::Cylinder | GeomType::Capsule | GeomType::Box) {
            return Err("Cable geom type must be sphere, capsule or box".into());
        }
        self.make_cable(spec, body);
        Ok(())
    }

    /// Number of axes with more than one point.
    fn check_counts(&mut self) -> Result<usize, &'static str> {
        if self.count.iter().any(|&n| n < 1) {
            return Err("Positive counts expected in composite");
        }
        if self.count.iter().any(|&n| n > MAX_COUNT) {
            return Err("Count too large in composite");
        }
        if vec3::dot(self.size, self.size) < MINVAL && self.vertex.is_empty() {
            return Err("Positive spacing or length expected in composite");
        }
        if !self.vertex.is_empty() {
            if self.count[0] > 1 {
                return Err("Either vertex or count can be specified, not both");
            }
            self.count[0] = (self.vertex.len() / 3) as i32;
            self.count[1] = 1;
        }
        let dim = self.count.iter().filter(|&&n| n != 1).count();
        if self.count[dim..].iter().any(|&n| n != 1) {
            return Err("Singleton counts must come last");
        }
        Ok(dim)
    }

    fn make_cable(&mut self, spec: &mut Spec, body: BodyId) {
        spec.texts.push(Text {
            meta: self.meta(format!("composite_{}", self.prefix)),
            data: format!("rope_{}", self.prefix),
        });
        if self.vertex.is_empty() {
            self.make_curve();
        }
        let plugin =
            declare_plugin(spec, self.plugin.as_ref(), format!("composite{}", self.prefix), &self.origin);
        let mut frame = CableFrame { normal: [0.0, 1.0, 0.0], quat: quat::IDENTITY };
        let mut parent = body;
        for i in 0..self.count[0] as usize - 1 {
            parent = self.add_link(spec, parent, i, &mut frame, plugin.as_ref());
        }
        if self.geom.kind == GeomType::Box {
            let skin = self.make_skin();
            spec.skins.push(skin);
        }
    }

    fn meta(&self, name: String) -> Meta {
        Meta { name, origin: self.origin.clone(), ..Meta::default() }
    }

    fn make_curve(&mut self) {
        let last = f64::from(self.count[0] - 1);
        let size = self.size;
        for i in 0..self.count[0] {
            let i = f64::from(i);
            let v = self.curve.map(|shape| match shape {
                CurveShape::Line => i * size[0] / last,
                CurveShape::Cos => size[1] * (PI * i * size[2] / last).cos(),
                CurveShape::Sin => size[1] * (PI * i * size[2] / last).sin(),
                CurveShape::Zero => 0.0,
            });
            self.vertex.extend(quat::rotate(self.quat, v).map(|x| x as f32));
        }
    }

    /// Difference of two neighbouring vertices, in single precision as they are stored.
    fn edge(&self, i: usize) -> Vec3 {
        std::array::from_fn(|k| f64::from(self.vertex[3 * (i + 1) + k] - self.vertex[3 * i + k]))
    }

    /// Suffix of the names of a link.
    fn label(&self, i: usize) -> String {
        match i {
            0 => "first".into(),
            i if i == self.count[0] as usize - 2 => "last".into(),
            i => i.to_string(),
        }
    }

    fn add_link(
        &self,
        spec: &mut Spec,
        parent: BodyId,
        i: usize,
        frame: &mut CableFrame,
        plugin: Option<&PluginRef>,
    ) -> BodyId {
        let last = self.count[0] as usize - 2;
        let previous = frame.quat;
        let length = frame.advance(self, i);
        let id = spec.add_body(parent);
        let body = &mut spec.bodies[id.index()];
        body.meta.name = format!("{}B_{}", self.prefix, self.label(i));
        body.meta.origin = self.origin.clone();
        body.plugin = plugin.cloned();
        if i == 0 {
            body.pos = std::array::from_fn(|k| self.offset[k] + f64::from(self.vertex[k]));
            body.quat = frame.quat;
            body.meta.frame = self.frame;
        } else {
            body.pos = [vec3_length(self.edge(i - 1)), 0.0, 0.0];
            body.quat = quat::mul(quat::conj(previous), frame.quat);
        }
        let name = body.meta.name.clone();
        self.add_parts(spec, id, i, length);
        if i != last {
            // the last but one knows its successor as `last`; a cable of one link excludes nothing
            spec.excludes.push(Exclude {
                meta: self.meta(String::new()),
                bodyname1: name,
                bodyname2: format!("{}B_{}", self.prefix, self.next_label(i)),
            });
        }
        id
    }

    /// Label of the following link; for the first link always the number (so in the reference).
    fn next_label(&self, i: usize) -> String {
        if i == 0 { "1".into() } else { self.label(i + 1) }
    }

    /// Geom, joint and boundary site of a link.
    fn add_parts(&self, spec: &mut Spec, id: BodyId, i: usize, length: f64) {
        let last = self.count[0] as usize - 2;
        let body = &mut spec.bodies[id.index()];
        let meta = |name: String| Meta { name, frame: None, ..body.meta.clone() };
        let mut geom = Geom { meta: meta(format!("{}G{i}", self.prefix)), ..self.geom.clone() };
        if geom.kind == GeomType::Box {
            geom.pos = [length / 2.0, 0.0, 0.0];
            geom.size[0] = length / 2.0;
        } else {
            geom.fromto = [0.0, 0.0, 0.0, length, 0.0, 0.0];
        }
        let mut joint =
            Joint { meta: meta(format!("{}J_{}", self.prefix, self.label(i))), ..self.joint.clone() };
        joint.kind = JointType::Ball;
        if i == 0 && self.initial == "free" {
            joint.kind = JointType::Free;
            [joint.damping, joint.armature, joint.frictionloss] = [0.0; 3];
        }
        let site = Site {
            meta: meta(format!("{}S_{}", self.prefix, self.label(i))),
            pos: [if i == last { length } else { 0.0 }, 0.0, 0.0],
            quat: quat::IDENTITY,
            ..self.site.clone()
        };
        body.geoms.push(geom);
        if i != 0 || self.initial != "none" {
            body.joints.push(joint);
        }
        if i == 0 || i == last {
            body.sites.push(site);
        }
    }
}

/// Length as the reference computes it while normalising.
fn vec3_length(mut v: Vec3) -> f64 {
    pose::normalize(&mut v)
}

impl CableFrame {
    /// Turns the frame into the direction of edge `i` without twist (Bishop frame); returns the edge length.
    fn advance(&mut self, cable: &Composite, i: usize) -> f64 {
        let edge = cable.edge(i);
        let mut tangent = edge;
        pose::normalize(&mut tangent);
        let mut binormal;
        if i == 0 {
            let mut next = if cable.count[0] > 2 { cable.edge(1) } else { [0.0; 3] };
            pose::normalize(&mut next);
            binormal = vec3::cross(tangent, next);
            pose::normalize(&mut binormal);
            self.normal = vec3::cross(binormal, tangent);
            pose::normalize(&mut self.normal);
        } else {
            let mut previous = cable.edge(i - 1);
            pose::normalize(&mut previous);
            binormal = vec3::cross(previous, tangent);
            let sine = pose::normalize(&mut binormal);
            let angle = sine.atan2(vec3::dot(previous, tangent));
            let turn = quat::from_axis_angle(binormal, angle);
            self.normal = quat::rotate(turn, self.normal);
            pose::normalize(&mut self.normal);
            binormal = vec3::cross(tangent, self.normal);
            pose::normalize(&mut binormal);
        }
        self.quat = pose::quat_from_axes(tangent, self.normal, binormal);
        vec3::dot(edge, edge).sqrt()
    }
}
