//! `<flex>`: deformable bodies, from elements and vertices to edges, shells, stiffness and bounding boxes.

mod bending;
mod elasticity;
mod nodes;
mod topology;
mod write;

pub use write::{count_flexes, write_flexes};

use crate::error::fail_at;
use crate::index::Index;
use crate::pose::mul_quat;
use crate::report::unknown;
use crate::tree::Tree;
use ligament_geom::bvh::{Bvh, Leaf};
use ligament_math::{MINVAL, Quat, Vec3, quat, vec3};
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::Flex;
use ligament_model::enums::{FlexSelf, ObjType};
use topology::{Edges, Shell};

/// A compiled flex.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledFlex<'s> {
    pub spec: &'s Flex,
    /// Vertices of an element less one.
    pub dim: usize,
    pub nvert: usize,
    /// Order of interpolation between nodes; 0: vertices are on bodies of their own.
    pub order: i32,
    /// All vertices on one body.
    pub rigid: bool,
    /// Vertices (or nodes) at the origins of their bodies.
    pub centered: bool,
    pub material: i32,
    /// Body of every vertex; -1 with interpolation.
    pub vert_bodies: Vec<i32>,
    pub node_bodies: Vec<i32>,
    /// Elements, `dim + 1` vertices each.
    pub elements: Vec<i32>,
    pub element_texcoords: Vec<i32>,
    pub edges: Edges,
    pub shell: Shell,
    /// Numbers for the elements, 21 each; empty without elasticity.
    pub stiffness: Vec<f64>,
    /// Numbers for the edges, 17 each; empty without bending.
    pub bending: Vec<f64>,
    pub tree: Bvh,
    /// Half sizes of the bounding box, radius not included.
    pub size: Vec3,
    /// Vertices in the bounding box, from 0 to 1.
    pub vert0: Vec<Vec3>,
    /// Global positions of nodes.
    pub node0: Vec<Vec3>,
}

impl CompiledFlex<'_> {
    /// Whether vertices are interpolated between nodes.
    pub fn interpolated(&self) -> bool {
        !self.node_bodies.is_empty()
    }

    pub fn nelem(&self) -> usize {
        self.elements.len() / (self.dim + 1)
    }

    /// Whether edges of a surface resist bending.
    pub fn bends(&self) -> bool {
        bends(self.spec)
    }
}

fn bends(flex: &Flex) -> bool {
    flex.dim == 2 && matches!(flex.elastic2d, 1 | 3)
}

fn error(flex: &Flex, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Flex, &flex.meta, message)
}

/// Compiles flexes.
pub fn compile_flexes<'s>(
    flexes: &'s [Flex],
    index: &Index,
    tree: &Tree<'_>,
) -> Result<Vec<CompiledFlex<'s>>> {
    if flexes.is_empty() {
        return Ok(Vec::new());
    }
    let poses = body_poses(tree);
    flexes.iter().map(|flex| compile_flex(flex, index, tree, &poses)).collect()
}

/// Global poses of all bodies in the reference configuration.
fn body_poses(tree: &Tree<'_>) -> Vec<(Vec3, Quat)> {
    let mut poses = vec![([0.0; 3], quat::IDENTITY)];
    for body in tree.bodies.iter().skip(1) {
        let (pos, rotation) = poses[body.parent];
        let offset = quat::rotate(rotation, body.pose.pos);
        poses.push((vec3::add(offset, pos), mul_quat(rotation, body.pose.quat)));
    }
    poses
}

/// Complaints that need no other element.
fn check(flex: &Flex) -> Result<()> {
    let interpolated = !flex.nodebody.is_empty();
    let complaints = [
        (!(1..=3).contains(&flex.dim), "dim must be 1, 2 or 3"),
        (flex.elem.is_empty(), "elem is empty"),
        (
            flex.dim >= 0 && !flex.elem.len().is_multiple_of(flex.dim as usize + 1),
            "elem size must be multiple of (dim+1)",
        ),
        (flex.vertbody.is_empty() && !interpolated, "vertbody and nodebody are both empty"),
        (!flex.vert.len().is_multiple_of(3), "vert size must be a multiple of 3"),
        (
            flex.edgestiffness > 0.0 && flex.dim > 1,
            "edge stiffness only available for dim=1, please use elasticity plugins",
        ),
        (
            interpolated && flex.selfcollide != FlexSelf::None,
            "trilinear interpolation cannot do self-collision",
        ),
        (interpolated && flex.internal, "trilinear interpolation cannot do internal collisions"),
        (
            !flex.vert.is_empty() && flex.vertbody.len() != 1 && flex.vertbody.len() != flex.vert.len() / 3,
            "vertbody size must be 1 or nvert",
        ),
        (vertex_count(flex) < flex.dim.max(0) as usize + 1, "not enough vertices"),
    ];
    match complaints.iter().find(|(wrong, _)| *wrong) {
        Some((_, message)) => Err(error(flex, *message)),
        None => Ok(()),
    }
}

fn vertex_count(flex: &Flex) -> usize {
    if flex.vert.is_empty() { flex.vertbody.len() } else { flex.vert.len() / 3 }
}

fn check_elements(flex: &Flex, nvert: usize) -> Result<()> {
    if flex.elem.iter().any(|&v| v < 0 || v as usize >= nvert) {
        return Err(error(flex, "elem vertex id out of range"));
    }
    if !flex.texcoord.is_empty() && flex.texcoord.len() != 2 * nvert && flex.elemtexcoord.is_empty() {
        return Err(error(flex, "two texture coordinates per vertex expected"));
    }
    Ok(())
}

fn check_repeated(flex: &Flex) -> Result<()> {
    let repeated = flex.elem.chunks(flex.dim as usize + 1).any(|element| {
        let mut sorted = element.to_vec();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    });
    if repeated { Err(error(flex, "repeated vertex in element")) } else { Ok(()) }
}

/// Ids of bodies by name. Surfaces that bend need three slides a vertex: pins are not supported.
fn bodies(flex: &Flex, names: &[String], index: &Index, tree: &Tree<'_>, pins: bool) -> Result<Vec<i32>> {
    let find = |name: &String| {
        let Some(id) = index.get(ObjType::Body, name) else {
            let message = format!("unknown body '{name}' in flex");
            return Err(unknown(ObjType::Flex, &flex.meta, message, index, ObjType::Body, name));
        };
        if !pins && tree.bodies[id].joints.len() != 3 {
            return Err(error(flex, "pins are not supported for bending"));
        }
        Ok(id as i32)
    };
    names.iter().map(find).collect()
}

fn material(flex: &Flex, index: &Index) -> Result<i32> {
    match index.get(ObjType::Material, &flex.material) {
        Some(id) => Ok(id as i32),
        None if flex.material.is_empty() => Ok(-1),
        None => {
            let name = &flex.material;
            let message = format!("unknown material '{name}' in flex");
            Err(unknown(ObjType::Flex, &flex.meta, message, index, ObjType::Material, name))
        }
    }
}

/// Global positions: of the body, plus the offset inside it.
fn positions(bodies: &[i32], offsets: &[f64], poses: &[(Vec3, Quat)]) -> Vec<Vec3> {
    let place = |(i, &body): (usize, &i32)| {
        let (pos, rotation) = poses[body as usize];
        match offsets.get(3 * i..3 * i + 3) {
            Some(offset) => vec3::add(pos, quat::rotate(rotation, [offset[0], offset[1], offset[2]])),
            None => pos,
        }
    };
    bodies.iter().enumerate().map(place).collect()
}

fn compile_flex<'s>(
    flex: &'s Flex,
    index: &Index,
    tree: &Tree<'_>,
    poses: &[(Vec3, Quat)],
) -> Result<CompiledFlex<'s>> {
    check(flex)?;
    let (dim, nvert) = (flex.dim as usize, vertex_count(flex));
    let order = nodes::order(flex)?;
    check_elements(flex, nvert)?;
    let material = material(flex, index)?;
    let mut vert_bodies = bodies(flex, &flex.vertbody, index, tree, !bends(flex))?;
    let node_bodies = bodies(flex, &flex.nodebody, index, tree, true)?;
    check_repeated(flex)?;

    let interpolated = !node_bodies.is_empty();
    let single = !flex.vert.is_empty() && vert_bodies.len() == 1;
    let rigid = single || (!interpolated && vert_bodies.iter().all(|&b| b == vert_bodies[0]));
    let offsets = if interpolated { &flex.node } else { &flex.vert };
    let centered = flex.vert.is_empty() || offsets.iter().all(|&x| x == 0.0);
    if rigid {
        vert_bodies = vec![vert_bodies[0]; nvert];
    }
    let vert_offsets: &[f64] = if centered && !interpolated { &[] } else { &flex.vert };
    let vertices = positions(&vert_bodies, vert_offsets, poses);
    let node0 = positions(&node_bodies, if centered { &[] } else { &flex.node }, poses);
    if interpolated {
        vert_bodies.fill(-1);
    }

    let element_texcoords = texcoord_elements(flex);
    let mut elements = flex.elem.clone();
    if dim == 3 {
        topology::orient_tetrahedra(&mut elements, &vertices);
    }
    let edges = topology::edges(dim, &elements);
    let stiffness = elasticity::stiffness(flex, order, &elements, &vertices, &node0)?;
    let bending = bending::bending(flex, &edges, &vertices)?;
    let shell = topology::shell(dim, &elements);
    let boxes = bounding_boxes(flex, &elements, &vertices, &shell.layers);
    let bvh = Bvh::build(boxes, [0.0; 3], quat::IDENTITY);
    let (size, vert0) = unit_box(flex, &bvh, &vertices);
    Ok(CompiledFlex {
        spec: flex,
        dim,
        nvert,
        order,
        rigid,
        centered,
        material,
        vert_bodies,
        node_bodies,
        elements,
        element_texcoords,
        edges,
        shell,
        stiffness,
        bending,
        tree: bvh,
        size,
        vert0,
        node0,
    })
}

/// Texture vertices of elements: as given, else the first three numbers an element, as the reference has it.
fn texcoord_elements(flex: &Flex) -> Vec<i32> {
    if !flex.elemtexcoord.is_empty() || flex.texcoord.is_empty() {
        return flex.elemtexcoord.clone();
    }
    let nelem = flex.elem.len() / (flex.dim as usize + 1);
    flex.elem.iter().copied().take(3 * nelem).collect()
}

/// Boxes of the elements that can collide: in a solid only those close to the surface.
fn bounding_boxes(flex: &Flex, elements: &[i32], vertices: &[Vec3], layers: &[i32]) -> Vec<Leaf> {
    let mut boxes = Vec::with_capacity(layers.len());
    for (e, element) in elements.chunks(flex.dim as usize + 1).enumerate() {
        if flex.dim == 3 && layers[e] >= flex.activelayers {
            continue;
        }
        let (mut low, mut high) = (vertices[element[0] as usize], vertices[element[0] as usize]);
        for &v in &element[1..] {
            for k in 0..3 {
                low[k] = low[k].min(vertices[v as usize][k]);
                high[k] = high[k].max(vertices[v as usize][k]);
            }
        }
        let pos: Vec3 = std::array::from_fn(|k| 0.5 * (high[k] + low[k]));
        let aabb =
            std::array::from_fn(
                |k| {
                    if k < 3 { pos[k] } else { 0.5 * (high[k - 3] - low[k - 3]) + flex.radius }
                },
            );
        boxes.push(Leaf { id: e as i32, pos, quat: None, aabb });
    }
    boxes
}

/// Half sizes of the bounding box without radius, and the vertices scaled into it.
fn unit_box(flex: &Flex, bvh: &Bvh, vertices: &[Vec3]) -> (Vec3, Vec<Vec3>) {
    let root = bvh.aabb.first().copied().unwrap_or([0.0; 6]);
    let size: Vec3 = std::array::from_fn(|k| root[k + 3] - flex.radius);
    let scale = |vertex: &Vec3| -> Vec3 {
        std::array::from_fn(|k| {
            if size[k] > MINVAL { (vertex[k] - root[k]) / (2.0 * size[k]) + 0.5 } else { 0.5 }
        })
    };
    (size, vertices.iter().map(scale).collect())
}
