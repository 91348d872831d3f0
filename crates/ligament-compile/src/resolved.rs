//! What the passes after the body tree need to know about it.

use crate::index::Index;
use ligament_mjcf::spec::{Body, Geom, Joint};
use ligament_model::enums::{GeomType, JointType, ObjType};

/// The compiled body tree, assets and widths, as far as references to them are concerned. All vectors are in the
/// order of the ids of the compiled model.
#[derive(Debug, Default)]
pub struct Resolved<'a> {
    pub bodies: Vec<ResolvedBody<'a>>,
    pub joints: Vec<ResolvedJoint<'a>>,
    pub geoms: Vec<ResolvedGeom<'a>>,
    /// Resolution in pixels of every camera.
    pub camera_resolution: Vec<[i32; 2]>,
    /// Number of vertices of every mesh.
    pub mesh_vertices: Vec<usize>,
    pub nuser_tendon: usize,
    pub nuser_actuator: usize,
    pub nuser_sensor: usize,
}

/// A body of the compiled tree.
#[derive(Debug, Clone)]
pub struct ResolvedBody<'a> {
    pub spec: &'a Body,
    /// Id of the parent; the world is its own parent.
    pub parent: usize,
    /// Id of the body it is welded to: the nearest ancestor-or-self with joints, or the world.
    pub weld: usize,
    pub joints: usize,
    pub dofs: usize,
    /// Global pose in the reference configuration.
    pub xpos0: [f64; 3],
    pub xquat0: [f64; 4],
}

/// A joint of the compiled tree.
#[derive(Debug, Clone)]
pub struct ResolvedJoint<'a> {
    pub spec: &'a Joint,
    pub body: usize,
    pub kind: JointType,
    pub limited: bool,
    /// Compiled range: radians for hinges and balls.
    pub range: [f64; 2],
}

/// A geom of the compiled tree.
#[derive(Debug, Clone)]
pub struct ResolvedGeom<'a> {
    pub spec: &'a Geom,
    pub body: usize,
    /// Type after compilation: a mesh fitted to a primitive has the type of the primitive.
    pub kind: GeomType,
}

impl Index {
    /// Id of a named element; the two ways of naming a body share their names.
    pub fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        self.get(if kind == ObjType::Xbody { ObjType::Body } else { kind }, name)
    }
}
