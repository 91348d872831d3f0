//! URDF: root element `robot`.
//!
//! Links become bodies, hung below each other by the joints. Elements and attributes that mean nothing here are
//! ignored, as URDF is used with many extensions.

mod geometry;
#[cfg(test)]
mod tests;

use crate::diag::Result;
use crate::read::Reader;
use crate::read::{read_compiler, read_option, read_size};
use crate::spec::{Body, BodyId, Orientation, Spec, pose};
use crate::xml::Element;
use ligament_math::{mat3, quat};
use ligament_model::enums::{JointType, Limited};
use std::collections::{BTreeSet, HashMap};

/// Types of `<joint>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrdfJoint {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Floating,
    Planar,
    /// Not in the standard, but in use.
    Spherical,
}

const JOINT_TYPES: [(&str, UrdfJoint); 7] = [
    ("revolute", UrdfJoint::Revolute),
    ("continuous", UrdfJoint::Continuous),
    ("prismatic", UrdfJoint::Prismatic),
    ("fixed", UrdfJoint::Fixed),
    ("floating", UrdfJoint::Floating),
    ("planar", UrdfJoint::Planar),
    ("spherical", UrdfJoint::Spherical),
];

/// Reads a `<robot>` into [`Reader::spec`].
pub fn read_robot(reader: &mut Reader<'_>, root: Element<'_>) -> Result<()> {
    let spec = &mut reader.spec;
    spec.compilers[0].strippath = true;
    spec.compilers[0].fusestatic = true;
    spec.compilers[0].discardvisual = true;
    if let Some(settings) = only_child(root, "mujoco")? {
        if let Some(section) = only_child(settings, "compiler")? {
            read_compiler(section, &mut spec.compilers[0])?;
        }
        if let Some(section) = only_child(settings, "option")? {
            read_option(section, &mut spec.option)?;
        }
        if let Some(section) = only_child(settings, "size")? {
            read_size(section, &mut spec.size)?;
        }
    }
    spec.compilers[0].degree = false;
    root.text("name", &mut spec.modelname);
    let mut robot = Robot {
        spec,
        links: Vec::new(),
        places: HashMap::new(),
        colours: colours(root)?,
        geom_names: BTreeSet::new(),
    };
    robot.read_tree(root)?;
    for link in elements(root, "link") {
        robot.read_link(link)?;
    }
    for joint in elements(root, "joint") {
        robot.read_joint(joint)?;
    }
    for id in robot.links.iter().filter(|l| l.parent.is_none()).filter_map(|l| l.body) {
        let base = &mut robot.spec.bodies[id.index()];
        base.pos = [0.0; 3];
        base.quat = quat::IDENTITY;
    }
    Ok(())
}

fn elements<'a>(parent: Element<'a>, name: &'a str) -> impl Iterator<Item = Element<'a>> {
    parent.children().filter(move |c| c.name() == name)
}

/// The child with this name; two are an error.
fn only_child<'a>(parent: Element<'a>, name: &str) -> Result<Option<Element<'a>>> {
    let mut found = parent.children().filter(|c| c.name() == name);
    let first = found.next();
    match found.next() {
        Some(second) => Err(second.invalid(format!("repeated element: '{name}'"))),
        None => Ok(first),
    }
}

fn required_child<'a>(parent: Element<'a>, name: &str) -> Result<Element<'a>> {
    only_child(parent, name)?.ok_or_else(|| parent.invalid(format!("missing element: '{name}'")))
}

/// Colours of named materials anywhere in the file; the first definition counts.
fn colours(root: Element<'_>) -> Result<HashMap<String, [f32; 4]>> {
    let mut table = HashMap::new();
    let mut pending = vec![root];
    while let Some(element) = pending.pop() {
        let name = element.attr("name").filter(|_| element.name() == "material");
        if let Some(name) = name.filter(|name| !table.contains_key(*name))
            && let Some(color) = only_child(element, "color")?
        {
            let mut rgba = [0.0; 4];
            color.required_array("rgba", &mut rgba)?;
            table.insert(name.to_string(), rgba);
        }
        pending.extend(element.children().rev());
    }
    Ok(table)
}

/// `<origin>`: position, and rotation by roll, pitch, yaw about fixed axes.
fn read_origin(element: Element<'_>) -> Result<([f64; 3], [f64; 4])> {
    let (mut pos, mut orientation) = ([0.0; 3], quat::IDENTITY);
    if let Some(origin) = only_child(element, "origin")? {
        origin.array("xyz", &mut pos)?;
        let mut rpy = [0.0; 3];
        if origin.array("rpy", &mut rpy)? {
            let resolved = Orientation::Euler(rpy).resolve(false, *b"XYZ");
            orientation = resolved.map_err(|message| origin.invalid_attr("rpy", message))?;
        }
    }
    Ok((pos, orientation))
}

struct Link {
    name: String,
    /// Position of the parent in the list.
    parent: Option<usize>,
    children: Vec<usize>,
    body: Option<BodyId>,
}

struct Robot<'a> {
    spec: &'a mut Spec,
    links: Vec<Link>,
    /// Places of the links by their names.
    places: HashMap<String, usize>,
    colours: HashMap<String, [f32; 4]>,
    geom_names: BTreeSet<String>,
}

impl Robot<'_> {
    fn find_link(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// Body of a link that is named in `<parent>` or `<child>`.
    fn link_body(&self, name: &str, element: Element<'_>, complaint: &str) -> Result<BodyId> {
        self.find_link(name).and_then(|i| self.links[i].body).ok_or_else(|| element.invalid(complaint))
    }

    /// Makes a body for every link, in the order of the tree.
    fn read_tree(&mut self, root: Element<'_>) -> Result<()> {
        for element in elements(root, "link") {
            let name = element.required("name")?.to_string();
            if self.find_link(&name).is_some() {
                return Err(element.invalid(format!("repeated URDF name: {name}")));
            }
            self.places.insert(name.clone(), self.links.len());
            self.links.push(Link { name, parent: None, children: Vec::new(), body: None });
        }
        for joint in elements(root, "joint") {
            let [parent, child] = ["parent", "child"].map(|end| {
                let link = required_child(joint, end)?.required("link")?;
                Ok(self.find_link(link))
            });
            let (Some(parent), Some(child)) = (parent?, child?) else {
                return Err(joint.invalid("URDF joint parent or child missing"));
            };
            if self.links[child].parent.is_some() {
                let name = &self.links[child].name;
                return Err(joint.invalid(format!("URDF body has multiple parents: {name}")));
            }
            self.links[child].parent = Some(parent);
            self.links[parent].children.push(child);
        }
        let mut pending: Vec<usize> =
            (0..self.links.len()).filter(|&i| self.links[i].parent.is_none()).collect();
        pending.reverse();
        while let Some(i) = pending.pop() {
            // a link called world is the world
            let id = if self.links[i].name == "world" {
                BodyId(0)
            } else {
                let above = self.links[i].parent.and_then(|p| self.links[p].body);
                self.spec.add_body(above.unwrap_or_default())
            };
            if id != BodyId(0) {
                self.spec.bodies[id.index()].meta.name.clone_from(&self.links[i].name);
            }
            self.links[i].body = Some(id);
            pending.extend(self.links[i].children.iter().rev());
        }
        Ok(())
    }

    fn read_link(&mut self, element: Element<'_>) -> Result<()> {
        let id = self.link_body(element.required("name")?, element, "URDF body not found")?;
        let body = &mut self.spec.bodies[id.index()];
        body.meta.origin = element.origin().clone();
        if let Some(inertial) = only_child(element, "inertial")? {
            read_inertial(inertial, body)?;
        }
        // colour and name of one geom hold for the following ones without
        let mut rgba = None;
        let mut name = String::new();
        for child in element.children() {
            match child.name() {
                "visual" => {
                    self.read_colour(child, &mut rgba)?;
                    if !self.spec.compiler().discardvisual {
                        self.read_geom(child, id, false, rgba, &mut name)?;
                    }
                }
                "collision" => self.read_geom(child, id, true, rgba, &mut name)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn read_colour(&self, visual: Element<'_>, rgba_out: &mut Option<[f32; 4]>) -> Result<()> {
        let Some(material) = only_child(visual, "material")? else { return Ok(()) };
        if let Some(color) = only_child(material, "color")? {
            let mut rgba = [0.0; 4];
            color.required_array("rgba", &mut rgba)?;
            *rgba_out = Some(rgba);
        } else {
            let name = material.required("name")?;
            if let Some(rgba) = self.colours.get(name) {
                *rgba_out = Some(*rgba);
            }
        }
        Ok(())
    }

    fn read_joint(&mut self, element: Element<'_>) -> Result<()> {
        let type_name = element.required("type")?;
        let found = JOINT_TYPES.iter().find(|(key, _)| *key == type_name);
        let (_, kind) =
            *found.ok_or_else(|| element.invalid("invalid joint type in URDF joint definition"))?;
        let name = element.required("name")?;
        let child = required_child(element, "child")?;
        let complaint = "invalid child name in URDF joint definition";
        let id = self.link_body(child.required("link")?, child, complaint)?;
        let (pos, orientation) = read_origin(element)?;
        self.spec.bodies[id.index()].pos = pos;
        self.spec.bodies[id.index()].quat = orientation;
        let mut axis = [1.0, 0.0, 0.0];
        if let Some(axis_element) = only_child(element, "axis")? {
            axis_element.required_array("xyz", &mut axis)?;
        }
        let first = self.spec.bodies[id.index()].joints.len();
        let mut add = |suffix: &str, kind: JointType, axis: [f64; 3]| {
            let joint = self.spec.add_joint(id);
            joint.meta.name = format!("{name}{suffix}");
            joint.meta.origin = element.origin().clone();
            joint.kind = kind;
            joint.pos = [0.0; 3];
            joint.axis = axis;
        };
        match kind {
            UrdfJoint::Revolute | UrdfJoint::Continuous => add("", JointType::Hinge, axis),
            UrdfJoint::Prismatic => add("", JointType::Slide, axis),
            UrdfJoint::Fixed => return Ok(()),
            UrdfJoint::Floating => add("", JointType::Free, [0.0, 0.0, 1.0]),
            UrdfJoint::Planar => {
                // the plane's normal is the axis
                let plane = quat::to_mat(pose::quat_from_z(axis));
                add("_TX", JointType::Slide, mat3::col(&plane, 0));
                add("_TY", JointType::Slide, mat3::col(&plane, 1));
                add("_RZ", JointType::Hinge, axis);
            }
            UrdfJoint::Spherical => add("", JointType::Ball, axis),
        }
        self.read_joint_settings(element, id, first)
    }

    /// `<dynamics>` for all parts of a joint, `<limit>` for the first.
    fn read_joint_settings(&mut self, element: Element<'_>, id: BodyId, first: usize) -> Result<()> {
        let joints = &mut self.spec.bodies[id.index()].joints[first..];
        if let Some(dynamics) = only_child(element, "dynamics")? {
            for joint in joints.iter_mut() {
                dynamics.number("damping", &mut joint.damping)?;
                dynamics.number("friction", &mut joint.frictionloss)?;
            }
        }
        if let (Some(limit), Some(joint)) = (only_child(element, "limit")?, joints.first_mut()) {
            let has_lower = limit.number("lower", &mut joint.range[0])?;
            let has_upper = limit.number("upper", &mut joint.range[1])?;
            if has_lower != has_upper || joint.range[0] > joint.range[1] {
                joint.limited = Limited::False;
            }
            let mut effort = 0.0_f64;
            limit.number("effort", &mut effort)?;
            if effort != 0.0 {
                joint.actfrcrange = [-effort.abs(), effort.abs()];
            }
        }
        Ok(())
    }
}

fn read_inertial(element: Element<'_>, body: &mut Body) -> Result<()> {
    body.explicitinertial = true;
    (body.ipos, body.iquat) = read_origin(element)?;
    required_child(element, "mass")?.required_array("value", std::slice::from_mut(&mut body.mass))?;
    let inertia = required_child(element, "inertia")?;
    for (name, slot) in ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].iter().zip(&mut body.fullinertia) {
        inertia.required_array(name, std::slice::from_mut(slot))?;
    }
    // all zero means unknown in many files
    if body.fullinertia == [0.0; 6] {
        body.fullinertia[0] = f64::NAN;
    }
    Ok(())
}
