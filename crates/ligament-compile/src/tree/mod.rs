//! The kinematic tree in final order: what a body carries, resolved to numbers.
//!
//! Bodies stand depth first, parents before children; joints, geoms, sites, cameras and lights are grouped by
//! body in that order. The position in these lists is the id in the model. Elements keep a reference to the
//! specification for everything that needs no resolving.

mod build;
mod same_frame;
mod write;

pub use same_frame::{frame_of_body, frame_of_element};

use crate::pose::Pose;
use ligament_geom::bvh::Bvh;
use ligament_math::Vec3;
use ligament_mjcf::spec;
use ligament_model::enums::GeomType;
use std::ops::Range;

/// All elements of the kinematic tree.
#[derive(Debug, Default)]
pub struct Tree<'s> {
    /// Entry 0 is the world.
    pub bodies: Vec<CBody<'s>>,
    pub joints: Vec<CJoint<'s>>,
    pub geoms: Vec<CGeom<'s>>,
    pub sites: Vec<CSite<'s>>,
    pub cameras: Vec<CCamera<'s>>,
    pub lights: Vec<CLight<'s>>,
}

/// A body.
#[derive(Debug)]
pub struct CBody<'s> {
    pub spec: &'s spec::Body,
    /// The world is its own parent.
    pub parent: usize,
    /// Closest ancestor, itself included, that can move against its parent; 0 when there is none.
    pub weld: usize,
    /// Pose in the parent.
    pub pose: Pose,
    /// Pose of the inertial frame in the body.
    pub inertial: Pose,
    pub mass: f64,
    pub inertia: Vec3,
    /// Index among the mocap bodies; -1: none.
    pub mocap: i32,
    pub joints: Range<usize>,
    pub geoms: Range<usize>,
    pub sites: Range<usize>,
    pub cameras: Range<usize>,
    pub lights: Range<usize>,
    /// First degree of freedom and their number.
    pub dofadr: usize,
    pub dofnum: usize,
    /// Bits and margin over all geoms.
    pub contype: i32,
    pub conaffinity: i32,
    pub margin: f64,
    /// Over the geoms that can collide, in the inertial frame.
    pub bvh: Bvh,
}

/// A joint.
#[derive(Debug)]
pub struct CJoint<'s> {
    pub spec: &'s spec::Joint,
    pub body: usize,
    pub qposadr: usize,
    pub dofadr: usize,
    pub limited: bool,
    pub actfrclimited: bool,
    pub pos: Vec3,
    pub axis: Vec3,
    /// Hinges and limited balls in radians.
    pub range: [f64; 2],
    pub reference: f64,
    pub springref: f64,
}

impl CJoint<'_> {
    /// Numbers of the joint in `qpos`.
    pub fn nq(&self) -> usize {
        self.spec.kind.sizes().0
    }

    /// Degrees of freedom.
    pub fn nv(&self) -> usize {
        self.spec.kind.sizes().1
    }
}

/// A geom.
#[derive(Debug)]
pub struct CGeom<'s> {
    pub spec: &'s spec::Geom,
    pub body: usize,
    pub kind: GeomType,
    pub pose: Pose,
    pub size: Vec3,
    /// Mesh or height field id; -1: none. A primitive fitted to a mesh keeps it.
    pub data: i32,
    /// Material id; -1: none.
    pub material: i32,
    pub mass: f64,
    pub inertia: Vec3,
    /// Centre and half sizes of the bounding box in the geom frame.
    pub aabb: [f64; 6],
    pub rbound: f64,
    pub fluid: [f64; 12],
}

/// A site.
#[derive(Debug)]
pub struct CSite<'s> {
    pub spec: &'s spec::Site,
    pub body: usize,
    pub pose: Pose,
    pub size: Vec3,
    /// Material id; -1: none.
    pub material: i32,
}

/// A camera.
#[derive(Debug)]
pub struct CCamera<'s> {
    pub spec: &'s spec::Camera,
    pub body: usize,
    pub pose: Pose,
    /// Body it looks at; -1: none.
    pub target: i32,
    pub fovy: f64,
    pub intrinsic: [f32; 4],
}

/// A light.
#[derive(Debug)]
pub struct CLight<'s> {
    pub spec: &'s spec::Light,
    pub body: usize,
    pub pos: Vec3,
    pub dir: Vec3,
    /// Body it points at; -1: none.
    pub target: i32,
    /// Texture id; -1: none.
    pub texture: i32,
}
