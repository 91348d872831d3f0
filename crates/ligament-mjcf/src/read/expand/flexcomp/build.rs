//! Files a flexcomp reads and elements it adds.

use super::{FlexComp, FlexCompDof, FlexCompEquality, gmsh};
use crate::asset_paths::{self, AssetKind};
use crate::assets::{Assets, open};
use crate::diag;
use crate::formats::content_type::content_type;
use crate::formats::{self, MeshFile, obj, stl};
use crate::read::expand::declare_plugin;
use crate::spec::pose;
use crate::spec::{BodyId, Compiler, Equality, Meta, Spec};
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::enums::{EqType, GeomType, JointType};

/// Share of the mass of the nodes along one axis, for quadratic interpolation (Simpson's rule).
const QUADRATIC_MASS: [f64; 3] = [1. / 6., 2. / 3., 1. / 6.];

impl FlexComp {
    fn read_file<'a>(
        &self,
        compiler: &Compiler,
        assets: &'a dyn Assets,
    ) -> Result<std::borrow::Cow<'a, [u8]>, String> {
        if self.file.is_empty() {
            return Err("File is required".into());
        }
        let path = asset_paths::resolve_asset_path(compiler, AssetKind::Mesh, &self.file, &self.filedir);
        open(assets, &path)
    }

    /// Triangles of a mesh file as they are, or tetrahedra towards the origin.
    pub(super) fn load_mesh(&mut self, compiler: &Compiler, assets: &dyn Assets) -> Result<(), String> {
        if self.flex.dim < 2 {
            return Err("Flex dim must be at least 2 for mesh".into());
        }
        if self.file.to_ascii_lowercase().ends_with(".msh") {
            return Err("legacy MSH files are not supported in flexcomp".into());
        }
        let bytes = self.read_file(compiler, assets)?;
        let mesh = decode_mesh(&self.file, &bytes).map_err(|error| error.diagnostic().message.clone())?;
        if mesh.vert.is_empty() || mesh.face.is_empty() {
            return Err("Vertex and face data required".into());
        }
        let vertices = 0..mesh.vert.len() as i32;
        if mesh.face.iter().flatten().any(|v| !vertices.contains(v)) {
            return Err("face refers to a vertex that does not exist".into());
        }
        self.point = mesh.vert.iter().flatten().map(|&x| f64::from(x)).collect();
        if !mesh.texcoord.is_empty() {
            self.texcoord = mesh.texcoord;
            self.elemtexcoord = mesh.facetexcoord;
        }
        if self.flex.dim == 2 {
            self.element = mesh.face.into_iter().flatten().collect();
            return Ok(());
        }
        self.point.splice(0..0, self.mesh_origin);
        for face in mesh.face {
            let corner = |k: usize| -> Vec3 {
                let at = 3 * (face[k] as usize + 1);
                vec3::sub([self.point[at], self.point[at + 1], self.point[at + 2]], self.mesh_origin)
            };
            if vec3::dot(vec3::cross(corner(0), corner(1)), corner(2)) >= MINVAL {
                self.element.extend([0, face[0] + 1, face[1] + 1, face[2] + 1]);
            }
        }
        Ok(())
    }

    pub(super) fn load_gmsh(&mut self, compiler: &Compiler, assets: &dyn Assets) -> Result<(), String> {
        let bytes = self.read_file(compiler, assets)?;
        let mesh = gmsh::parse(&bytes)?;
        self.flex.dim = mesh.dim;
        self.point.extend(mesh.point);
        self.element.extend(mesh.element);
        Ok(())
    }

    /// Adds everything to the specification.
    pub(super) fn build(&mut self, spec: &mut Spec, body: BodyId, pinned: &[bool], bounds: [Vec3; 2]) {
        let parent = spec.bodies[body.index()].meta.clone();
        let points = self.point.len() / 3;
        let centered = self.centered;
        let mut flex = self.flex.clone();
        flex.meta = Meta {
            name: self.name.clone(),
            compiler: parent.compiler,
            origin: self.origin.clone(),
            ..Meta::default()
        };
        flex.elem.clone_from(&self.element);
        flex.texcoord.clone_from(&self.texcoord);
        flex.elemtexcoord.clone_from(&self.elemtexcoord);
        if self.rigid {
            flex.vert.clone_from(&self.point);
            flex.vertbody = vec![parent.name];
            spec.flexes.push(flex);
            return;
        }
        let plugin =
            declare_plugin(spec, self.plugin.as_ref(), format!("flexcomp_{}", self.name), &self.origin);
        let interpolated = self.dof.order() > 0;
        for i in 0..points {
            if pinned[i] || interpolated {
                flex.vertbody.push(parent.name.clone());
                if plugin.is_some() {
                    spec.bodies[body.index()].plugin.clone_from(&plugin);
                }
                continue;
            }
            flex.vertbody.push(self.add_vertex_body(spec, body, i, points));
            if let Some(added) = spec.bodies.last_mut() {
                added.plugin.clone_from(&plugin);
            }
            if !centered {
                self.point[3 * i..3 * i + 3].fill(0.0);
            }
        }
        if interpolated {
            let nodes = self.add_nodes(spec, body, pinned, bounds, &mut flex.nodebody);
            if !centered {
                flex.node = nodes;
            }
        }
        if !centered || interpolated {
            flex.vert.clone_from(&self.point);
        }
        spec.flexes.push(flex);
        self.add_equality(spec);
    }

    /// A body without shape: mass and inertia of a small box.
    fn add_particle(&self, spec: &mut Spec, parent: BodyId, name: &str, pos: Vec3, mass: f64) -> BodyId {
        let id = spec.add_body(parent);
        let inertia = mass * (2.0 * self.inertiabox * self.inertiabox) / 3.0;
        let body = &mut spec.bodies[id.index()];
        body.meta.name = name.into();
        body.meta.origin = self.origin.clone();
        body.pos = pos;
        body.explicitinertial = true;
        body.ipos = [0.0; 3];
        body.mass = mass;
        body.inertia = [inertia; 3];
        if self.flex.vertcollide != 0 {
            let geom = spec.add_geom(id);
            geom.kind = GeomType::Sphere;
            geom.size[0] = self.flex.radius;
        }
        id
    }

    fn add_vertex_body(&self, spec: &mut Spec, parent: BodyId, i: usize, points: usize) -> String {
        let pos = [self.point[3 * i], self.point[3 * i + 1], self.point[3 * i + 2]];
        let name = format!("{}_{i}", self.name);
        let id = self.add_particle(spec, parent, &name, pos, self.mass / points as f64);
        if let Some(geom) = spec.bodies[id.index()].geoms.last_mut() {
            geom.group = 4;
        }
        if self.dof == FlexCompDof::Radial {
            let mut axis = pos;
            pose::normalize(&mut axis);
            add_slide(spec, id, axis);
        } else {
            add_slides(spec, id);
        }
        name
    }

    /// Nodes of the interpolation grid over the bounding box; returns the positions of the pinned ones.
    fn add_nodes(
        &self,
        spec: &mut Spec,
        parent: BodyId,
        pinned: &[bool],
        [low, high]: [Vec3; 2],
        nodebody_out: &mut Vec<String>,
    ) -> Vec<f64> {
        let order = self.dof.order();
        let step = 1.0 / order as f64;
        let mut fixed = vec![0.0; 3 * self.dof.nodes()];
        for index in 0..self.dof.nodes() {
            let n = order + 1;
            let ijk = [index / (n * n), index / n % n, index % n];
            let pos: Vec3 = std::array::from_fn(|k| low[k] + ijk[k] as f64 * step * (high[k] - low[k]));
            if pinned[index] {
                fixed[3 * index..3 * index + 3].copy_from_slice(&pos);
                nodebody_out.push(spec.bodies[parent.index()].meta.name.clone());
                continue;
            }
            let [i, j, k] = ijk;
            let mass = match order {
                1 => self.mass / 8.0,
                _ => self.mass * QUADRATIC_MASS[i] * QUADRATIC_MASS[j] * QUADRATIC_MASS[k],
            };
            let name = format!("{}_{i}_{j}_{k}", self.name);
            let id = self.add_particle(spec, parent, &name, pos, mass);
            add_slides(spec, id);
            nodebody_out.push(name);
        }
        fixed
    }

    fn add_equality(&self, spec: &mut Spec) {
        let kind = match self.equality {
            FlexCompEquality::None => return,
            FlexCompEquality::Edge => EqType::Flex,
            FlexCompEquality::Vertex => EqType::Flexvert,
        };
        spec.equalities.push(Equality {
            meta: Meta { origin: self.origin.clone(), ..Meta::default() },
            kind,
            active: true,
            name1: self.name.clone(),
            ..self.equality_template.clone()
        });
    }
}

fn add_slide(spec: &mut Spec, body: BodyId, axis: Vec3) {
    let joint = spec.add_joint(body);
    joint.kind = JointType::Slide;
    joint.pos = [0.0; 3];
    joint.axis = axis;
}

fn add_slides(spec: &mut Spec, body: BodyId) {
    for k in 0..3 {
        let mut axis = [0.0; 3];
        axis[k] = 1.0;
        add_slide(spec, body, axis);
    }
}

/// Decodes a mesh file and merges repeated vertices.
fn decode_mesh(file: &str, bytes: &[u8]) -> diag::Result<MeshFile> {
    let mut mesh = match content_type(file, "").as_str() {
        "model/obj" => obj::decode(file, bytes, false)?,
        "model/stl" => stl::decode(file, bytes)?,
        _ => return formats::fail(format!("unknown or unsupported mesh file: '{file}'")),
    };
    mesh.merge_vertices()?;
    Ok(mesh)
}
