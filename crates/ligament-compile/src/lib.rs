//! Specification to immutable model, one pass a file.
//!
//! [`compile`] is the table of contents: names, assets, the tree, what refers to the tree, sizes, arrays, and the
//! constants that need a complete model.
#![deny(missing_docs)]

mod actuators;
mod body_trees;
mod bvh;
mod crew;
mod custom;
mod demand;
mod discardvisual;
mod equality;
mod error;
mod finish;
mod flex;
mod frames;
mod fusestatic;
mod geoms;
mod hfield;
mod index;
mod inertia;
mod joints;
mod keys;
mod labels;
mod markers;
mod material;
mod mesh;
mod named_files;
mod names;
mod pairs;
mod plugin_checks;
mod plugins;
mod pose;
mod references;
mod report;
mod resources;
mod sensors;
mod sizes;
mod skin;
mod sparse;
mod tendons;
mod texture;
mod topology;
mod tree;

use crate::discardvisual::{discard_visual_geoms, without_materials};
use crate::frames::Frames;
use crate::geoms::Surroundings;
use crate::index::{Index, register_tree};
use crate::names::Names;
use crate::plugins::{Plugins, compile_plugins};
use crate::references::{References, compile_references, register_references};
use crate::resources::{CompiledAssets, named_assets, register_assets};
use crate::topology::Topology;
use crate::tree::Tree;
use ligament_mjcf::assets::{Assets, Metered};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Spec;
use ligament_model::Model;
use ligament_model::enums::ObjType;
use ligament_model::model::Sizes;

/// Compiles a specification; files it names come from `files`.
pub fn compile(spec: &Spec, files: &dyn Assets) -> Result<Model> {
    let files = &Metered::new(files);
    demand::charge_spec(spec, files)?;
    let spec = &*named_assets(spec);
    if spec.compiler().discardvisual {
        return compile_kept(&without_materials(spec)?, files);
    }
    compile_kept(spec, files)
}

fn compile_kept(spec: &Spec, files: &dyn Assets) -> Result<Model> {
    let mut index = Index::default();
    let mut tree = Tree::collect(spec)?;
    register_tree(&mut index, &tree)?;
    register_assets(&mut index, spec)?;
    register_references(&mut index, spec)?;
    let plugins = compile_plugins(spec)?;
    let mut assets = CompiledAssets::compile(spec, &index, &plugins, files)?;
    resolve_tree(spec, &mut assets, &mut index, &mut tree)?;
    assets.compile_skins(&index, files)?;
    let vertices: Vec<usize> = assets.meshes.iter().map(|mesh| mesh.vert.len()).collect();
    let references = compile_references(spec, &tree, &mut index, &plugins, &vertices)?;
    demand::charge_sensors(&references.sensors, files)?;
    let topology = Topology::of(&tree, &topology::inertial_tendon_bodies(&tree, &references.tendons));
    let names = collect_names(spec, &tree, &assets, &references, &plugins);
    let paths = assets.paths();

    let mut sizes = Sizes::default();
    sizes::count_tree(&tree, &topology, &mut sizes);
    sizes::count_user_data(&tree, &spec.size, &mut sizes)?;
    assets.count(&mut sizes);
    references.count(spec, &tree, &plugins, &mut sizes);
    names.count(&mut sizes);
    paths.count(&mut sizes);
    sizes::count_memory(&spec.size, &mut sizes);

    sizes.check_extents().map_err(error::fail)?;
    demand::charge_arrays(&sizes, files)?;
    let mut m = Model::allocate(sizes);
    m.opt = spec.option.clone();
    m.vis = spec.visual.clone();
    m.signature = spec.signature();
    let bvh = tree.write(&mut m);
    topology.write(&tree, &mut m)?;
    assets.write(bvh, &mut m);
    references.write(spec, &tree, &plugins, &mut m)?;
    names.write(&mut m);
    paths.write(&mut m);
    sparse::fill(&mut m);
    finish::finish(spec, &tree, &mut m)?;
    Ok(m)
}

/// Everything about the tree, in an order in which each pass finds what it needs.
fn resolve_tree(
    spec: &Spec,
    assets: &mut CompiledAssets<'_>,
    index: &mut Index,
    tree: &mut Tree<'_>,
) -> Result<()> {
    let frames = Frames::resolve(spec)?;
    let (meshes, hfields) = (assets.mesh_shapes(), assets.hfield_sizes());
    geoms::resolve_assets(spec, index, tree)?;
    geoms::resolve_geoms(&Surroundings { spec, frames: &frames, meshes: &meshes, hfields: &hfields }, tree)?;
    inertia::resolve_bodies(spec, &frames, tree)?;
    joints::resolve_joints(spec, &frames, tree)?;
    markers::resolve_markers(spec, &frames, index, tree)?;
    inertia::align_free_bodies(spec, tree);
    if spec.compiler().fusestatic {
        fusestatic::fuse_static_bodies(spec, tree)?;
    }
    let renumbered = spec.compiler().fusestatic || spec.compiler().discardvisual;
    if spec.compiler().discardvisual {
        let kept = discard_visual_geoms(spec, tree);
        assets.keep_meshes(&kept);
        index.register(ObjType::Mesh, assets.mesh_sources.iter().map(|&id| &spec.meshes[id].meta))?;
    }
    if renumbered {
        register_tree(index, tree)?;
    }
    markers::resolve_targets(index, tree)?;
    inertia::check_moving_bodies(tree)?;
    joints::check_free_joints(tree)?;
    if spec.compiler().settotalmass > 0.0 {
        inertia::set_total_mass(tree, spec.compiler().settotalmass);
    }
    body_trees::build_body_trees(tree);
    Ok(())
}

/// Names in the order of the model.
fn collect_names<'s>(
    spec: &'s Spec,
    tree: &Tree<'s>,
    assets: &CompiledAssets<'s>,
    references: &References<'s>,
    plugins: &'s Plugins,
) -> Names<'s> {
    macro_rules! of {
        ($list:expr) => {
            $list.iter().map(|x| x.meta.name.as_str()).collect()
        };
    }
    macro_rules! of_tree {
        ($list:ident) => {
            tree.$list.iter().map(|x| x.spec.meta.name.as_str()).collect()
        };
    }
    let keys =
        spec.key_order().into_iter().map(|k| k.map_or("", |k| spec.keys[k].meta.name.as_str())).collect();
    Names {
        model: &spec.modelname,
        bodies: of_tree!(bodies),
        joints: of_tree!(joints),
        geoms: of_tree!(geoms),
        sites: of_tree!(sites),
        cameras: of_tree!(cameras),
        lights: of_tree!(lights),
        flexes: of!(spec.flexes),
        meshes: assets.mesh_sources.iter().map(|&id| spec.meshes[id].meta.name.as_str()).collect(),
        skins: of!(spec.skins),
        hfields: of!(spec.hfields),
        textures: of!(spec.textures),
        materials: of!(spec.materials),
        pairs: references.pairs.iter().map(|x| spec.pairs[x.source].meta.name.as_str()).collect(),
        excludes: references.excludes.iter().map(|x| spec.excludes[x.source].meta.name.as_str()).collect(),
        equalities: of!(spec.equalities),
        tendons: of!(spec.tendons),
        actuators: of!(spec.actuators),
        sensors: of!(spec.sensors),
        numerics: of!(spec.numerics),
        texts: of!(spec.texts),
        tuples: of!(spec.tuples),
        plugins: of!(plugins.instances),
        keys,
    }
}
