//! Meshes: from files, numbers or builtin shapes to centred, aligned triangle meshes with hulls and trees.

mod builtin;
mod load;
mod normals;
mod plugin;
mod process;
mod write;

pub use write::{count_meshes, write_meshes};

use crate::crew;
use crate::error::fail_at;
use crate::geoms::MeshShape;
use crate::named_files;
use crate::plugins::Plugins;
use crate::pose::Pose;
use ligament_geom::bvh::Bvh;
use ligament_geom::hull::Effort;
use ligament_geom::octree::Octree;
use ligament_geom::polygon::Polygons;
use ligament_math::Vec3;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::{Mesh, Meta, Spec};
use ligament_model::enums::{GeomType, MeshBuiltin, MeshInertia, ObjType};
use load::RawMesh;
use std::collections::{HashMap, HashSet};

/// What the model keeps of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledMesh {
    /// File it came from, as the model remembers it; empty: not from a file.
    pub path: String,
    pub scale: Vec3,
    /// Where the mesh stood before it was centred and aligned.
    pub pose: Pose,
    pub vert: Vec<Vec3>,
    pub normal: Vec<[f32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    pub face: Vec<[i32; 3]>,
    pub facenormal: Vec<[i32; 3]>,
    /// Empty without texture coordinates.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Convex hull for hill climbing; empty when no geom needs it.
    pub graph: Vec<i32>,
    pub polygons: Polygons,
    pub polygon_normals: Vec<Vec3>,
    /// Volume, or surface of a shell.
    pub volume: f64,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: Vec3,
    /// Smallest and largest coordinates.
    pub aamm: [f64; 6],
    pub bvh: Bvh,
    /// Samples of the signed distance; empty unless an SDF geom uses the mesh.
    pub octree: Octree,
}

impl CompiledMesh {
    /// What geoms need to know.
    pub fn shape(&self) -> MeshShape {
        MeshShape { pose: self.pose, volume: self.volume, inertia_box: self.inertia_box, aamm: self.aamm }
    }
}

/// What the geoms that use a mesh ask of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    pub hull: bool,
    pub sdf: bool,
}

/// Operations that the hulls and octrees of a model may take together: two or three seconds, and twenty-five times what the
/// public models take.
const MESH_EFFORT: u64 = 1 << 29;

/// Compiles all meshes of a model, side by side if the model allows threads.
pub fn compile_meshes(spec: &Spec, plugins: &Plugins, assets: &dyn Assets) -> Result<Vec<CompiledMesh>> {
    let needs = needs(spec);
    let twins = twins(&spec.meshes, &needs);
    let originals: Vec<usize> = (0..spec.meshes.len()).filter(|&i| twins[i].is_none()).collect();
    let effort = Effort::new(MESH_EFFORT);
    let compiled = crew::map(originals.len(), spec.compiler().usethread, |k| {
        let mesh = &spec.meshes[originals[k]];
        compile_mesh(spec, mesh, needs[originals[k]], plugins, assets, &effort)
            .map_err(named_files::blame(ObjType::Mesh, &mesh.meta))
    });
    let mut originals = compiled.into_iter();
    let mut done: Vec<CompiledMesh> = Vec::with_capacity(spec.meshes.len());
    for twin in twins {
        let mesh = match twin {
            Some(j) => done[j].clone(),
            None => originals.next().expect("one for each mesh without a twin")?,
        };
        done.push(mesh);
    }
    Ok(done)
}

/// For each mesh an earlier one from the same file with the same settings, if there is one: copies are common and compiled once.
fn twins(meshes: &[Mesh], needs: &[Needs]) -> Vec<Option<usize>> {
    let mut firsts = HashMap::new();
    let of_file = |i: usize| {
        let mesh = &meshes[i];
        if mesh.file.is_empty() {
            return None;
        }
        let meta = Meta { compiler: mesh.meta.compiler, ..Meta::default() };
        let source = Mesh { meta, material: String::new(), ..mesh.clone() };
        // all of it in words: numbers have no hash
        let first = *firsts.entry(format!("{source:?} {:?}", needs[i])).or_insert(i);
        (first < i).then_some(first)
    };
    (0..meshes.len()).map(of_file).collect()
}

/// Which meshes need a convex hull (their geoms collide, or have its inertia) and which samples of the distance.
fn needs(spec: &Spec) -> Vec<Needs> {
    let ids: HashMap<&str, usize> =
        spec.meshes.iter().enumerate().map(|(i, mesh)| (mesh.meta.name.as_str(), i)).collect();
    let paired: HashSet<&str> =
        spec.pairs.iter().flat_map(|p| [p.geomname1.as_str(), p.geomname2.as_str()]).collect();
    let mut needs: Vec<Needs> =
        spec.meshes.iter().map(|mesh| Needs { hull: false, sdf: mesh.needsdf }).collect();
    for geom in spec.bodies.iter().flat_map(|body| &body.geoms) {
        let Some(&id) = ids.get(geom.meshname.as_str()).filter(|_| !geom.meshname.is_empty()) else {
            continue;
        };
        let uses_hull = spec.meshes[id].inertia == MeshInertia::Convex
            || geom.contype != 0
            || geom.conaffinity != 0
            || (!geom.meta.name.is_empty() && paired.contains(geom.meta.name.as_str()));
        needs[id].hull |= matches!(geom.kind, GeomType::Mesh | GeomType::Sdf) && uses_hull;
        needs[id].sdf |= geom.kind == GeomType::Sdf;
    }
    needs
}

/// What a builtin or sampled mesh takes: a few words of text can ask for a million triangles.
fn work_of_generated(raw: &RawMesh) -> u64 {
    /// A vertex or a face: normals, masses, trees.
    const ELEMENT: u64 = 32;
    /// The samples of a plugin's field, about a million.
    const SAMPLES: u64 = 1 << 24;
    ELEMENT * (raw.vert.len() + raw.face.len()) as u64 + if raw.is_sampled { SAMPLES } else { 0 }
}

/// Compiles one mesh.
pub fn compile_mesh(
    spec: &Spec,
    mesh: &Mesh,
    needs: Needs,
    plugins: &Plugins,
    assets: &dyn Assets,
    effort: &Effort,
) -> Result<CompiledMesh> {
    let raw = load::load(spec, mesh, plugins, assets)?;
    let generated = mesh.builtin != MeshBuiltin::None || raw.is_sampled;
    if generated && !effort.charge(work_of_generated(&raw)) {
        return Err(error(
            mesh,
            "the builtin and sampled meshes of this model take too long: use fewer of them",
        ));
    }
    process::process(
        mesh,
        raw,
        needs,
        named_files::remembered_path(named_files::compiler(spec, &mesh.meta), &mesh.file, &mesh.filedir),
        effort,
    )
}

fn error(mesh: &Mesh, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Mesh, &mesh.meta, message)
}

#[cfg(test)]
mod tests;
