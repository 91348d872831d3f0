//! Sizes and arrays of flexes in the model.

use super::CompiledFlex;
use super::bending::EDGE_SIZE;
use super::elasticity::ELEMENT_SIZE;
use crate::tree::Tree;
use ligament_mjcf::spec::Equality;
use ligament_model::enums::EqType;
use ligament_model::model::{Model, Sizes};
use std::collections::BTreeSet;

/// Adds to the sizes of the model.
pub fn count_flexes(flexes: &[CompiledFlex<'_>], tree: &Tree<'_>, sizes: &mut Sizes) {
    sizes.nflex = flexes.len();
    for flex in flexes {
        sizes.nflexnode += flex.node_bodies.len();
        sizes.nflexvert += flex.nvert;
        sizes.nflexedge += flex.edges.vertices.len();
        sizes.nflexelem += flex.nelem();
        sizes.nflexelemdata += flex.elements.len();
        sizes.nflexelemedge += flex.edges.of_elements.len();
        sizes.nflexshelldata += flex.shell.sides.len();
        sizes.nflexevpair += flex.shell.pairs.len();
        sizes.nflextexcoord += flex.spec.texcoord.len() / 2;
        sizes.nbvhdynamic += flex.tree.len();
        if !flex.interpolated() && !flex.rigid {
            sizes.nJfe += edge_nonzeros(flex, tree);
            sizes.nJfv += vertex_nonzeros(flex, tree);
        }
    }
}

/// Degrees of freedom that move any of the bodies.
fn chain_size(bodies: impl Iterator<Item = i32>, tree: &Tree<'_>) -> usize {
    let mut chain = BTreeSet::new();
    for body in bodies {
        let mut id = body as usize;
        while id != 0 && chain.insert(id) {
            id = tree.bodies[id].parent;
        }
    }
    chain.iter().map(|&id| tree.bodies[id].dofnum).sum()
}

fn edge_nonzeros(flex: &CompiledFlex<'_>, tree: &Tree<'_>) -> usize {
    let size = |edge: &[i32; 2]| chain_size(edge.iter().map(|&v| flex.vert_bodies[v as usize]), tree);
    flex.edges.vertices.iter().map(size).sum()
}

fn vertex_nonzeros(flex: &CompiledFlex<'_>, tree: &Tree<'_>) -> usize {
    let mut around: Vec<Vec<i32>> = flex.vert_bodies.iter().map(|&body| vec![body]).collect();
    for &[a, b] in &flex.edges.vertices {
        around[a as usize].push(flex.vert_bodies[b as usize]);
        around[b as usize].push(flex.vert_bodies[a as usize]);
    }
    around.iter().map(|bodies| chain_size(bodies.iter().copied(), tree)).sum()
}

/// Where the data of a flex begin in the arrays of the model.
#[derive(Default)]
struct Addresses {
    vert: usize,
    node: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shelldata: usize,
    evpair: usize,
    texcoord: usize,
    bvh: usize,
}

/// Writes the arrays of the model. Trees of flexes stand after all others.
pub fn write_flexes(
    flexes: &[CompiledFlex<'_>],
    equalities: &[Equality],
    tree: &Tree<'_>,
    model: &mut Model,
) {
    let mut at = Addresses { bvh: model.nbvhstatic, ..Addresses::default() };
    for (i, flex) in flexes.iter().enumerate() {
        write_properties(i, flex, model);
        write_addresses(i, flex, &at, model);
        write_points(flex, &at, model);
        write_elements(flex, &at, model);
        write_edges(flex, &at, tree, model);
        write_boxes(flex, &at, model);
        model.flex_edgeequality[i] = edge_equality(flex, equalities);
        at.vert += flex.nvert;
        at.node += flex.node_bodies.len();
        at.edge += flex.edges.vertices.len();
        at.elem += flex.nelem();
        at.elemdata += flex.elements.len();
        at.elemedge += flex.edges.of_elements.len();
        at.shelldata += flex.shell.sides.len();
        at.evpair += flex.shell.pairs.len();
        at.texcoord += flex.spec.texcoord.len() / 2;
        at.bvh += flex.tree.len();
    }
}

/// Which equality constraint acts on the flex: 1 edges, 2 vertices, 0 none.
fn edge_equality(flex: &CompiledFlex<'_>, equalities: &[Equality]) -> i32 {
    let of_flex = equalities.iter().filter(|e| e.name1 == flex.spec.meta.name);
    let mut kinds = of_flex.filter_map(|e| match e.kind {
        EqType::Flex => Some(1),
        EqType::Flexvert => Some(2),
        _ => None,
    });
    kinds.next().unwrap_or(0)
}

fn write_properties(i: usize, flex: &CompiledFlex<'_>, model: &mut Model) {
    let spec = flex.spec;
    model.flex_contype[i] = spec.contype;
    model.flex_conaffinity[i] = spec.conaffinity;
    model.flex_condim[i] = spec.condim;
    model.flex_matid[i] = flex.material;
    model.flex_group[i] = spec.group;
    model.flex_priority[i] = spec.priority;
    model.flex_solmix[i] = spec.solmix;
    model.flex_solref[i] = spec.solref;
    model.flex_solimp[i] = spec.solimp;
    model.flex_radius[i] = spec.radius;
    model.flex_size[i] = flex.size;
    model.flex_friction[i] = spec.friction;
    model.flex_margin[i] = spec.margin;
    model.flex_gap[i] = spec.gap;
    model.flex_rgba[i] = spec.rgba;
    model.flex_damping[i] = spec.damping;
    model.flex_dim[i] = spec.dim;
    model.flex_edgestiffness[i] = spec.edgestiffness;
    model.flex_edgedamping[i] = spec.edgedamping;
    model.flex_rigid[i] = u8::from(flex.rigid);
    model.flex_centered[i] = u8::from(flex.centered);
    model.flex_internal[i] = u8::from(spec.internal);
    model.flex_flatskin[i] = u8::from(spec.flatskin);
    model.flex_selfcollide[i] = spec.selfcollide as i32;
    model.flex_activelayers[i] = spec.activelayers;
    model.flex_passive[i] = spec.passive;
    model.flex_interp[i] = flex.order;
}

fn write_addresses(i: usize, flex: &CompiledFlex<'_>, at: &Addresses, model: &mut Model) {
    let present = |count: usize, address: usize| if count > 0 { address as i32 } else { -1 };
    model.flex_vertadr[i] = at.vert as i32;
    model.flex_vertnum[i] = flex.nvert as i32;
    model.flex_nodeadr[i] = at.node as i32;
    model.flex_nodenum[i] = flex.node_bodies.len() as i32;
    model.flex_edgeadr[i] = at.edge as i32;
    model.flex_edgenum[i] = flex.edges.vertices.len() as i32;
    model.flex_elemadr[i] = at.elem as i32;
    model.flex_elemnum[i] = flex.nelem() as i32;
    model.flex_elemdataadr[i] = at.elemdata as i32;
    model.flex_elemedgeadr[i] = at.elemedge as i32;
    model.flex_shellnum[i] = (flex.shell.sides.len() / flex.dim) as i32;
    model.flex_shelldataadr[i] = present(flex.shell.sides.len(), at.shelldata);
    model.flex_evpairnum[i] = flex.shell.pairs.len() as i32;
    model.flex_evpairadr[i] = present(flex.shell.pairs.len(), at.evpair);
    model.flex_texcoordadr[i] = present(flex.spec.texcoord.len(), at.texcoord);
    model.flex_bvhnum[i] = flex.tree.len() as i32;
    model.flex_bvhadr[i] = present(flex.tree.len(), at.bvh);
}

/// Copies numbers by threes.
fn copy_points(from: &[f64], to: &mut [[f64; 3]]) {
    for (source, target) in from.chunks_exact(3).zip(to) {
        target.copy_from_slice(source);
    }
}

fn write_points(flex: &CompiledFlex<'_>, at: &Addresses, model: &mut Model) {
    let verts = at.vert..at.vert + flex.nvert;
    let nodes = at.node..at.node + flex.node_bodies.len();
    if !flex.centered || flex.interpolated() {
        copy_points(&flex.spec.vert, &mut model.flex_vert[verts.clone()]);
    }
    if !flex.centered {
        copy_points(&flex.spec.node, &mut model.flex_node[nodes.clone()]);
    }
    model.flex_vert0[verts.clone()].copy_from_slice(&flex.vert0);
    model.flex_node0[nodes.clone()].copy_from_slice(&flex.node0);
    model.flex_vertbodyid[verts].copy_from_slice(&flex.vert_bodies);
    model.flex_nodebodyid[nodes].copy_from_slice(&flex.node_bodies);
    for (k, pair) in flex.spec.texcoord.chunks_exact(2).enumerate() {
        model.flex_texcoord[at.texcoord + k] = [pair[0], pair[1]];
    }
}

fn write_elements(flex: &CompiledFlex<'_>, at: &Addresses, model: &mut Model) {
    let data = at.elemdata..at.elemdata + flex.elements.len();
    model.flex_elem[data.clone()].copy_from_slice(&flex.elements);
    let texture = if flex.spec.texcoord.is_empty() { &flex.elements } else { &flex.element_texcoords };
    let count = texture.len().min(flex.elements.len());
    model.flex_elemtexcoord[data][..count].copy_from_slice(&texture[..count]);
    let edges = &flex.edges.of_elements;
    model.flex_elemedge[at.elemedge..at.elemedge + edges.len()].copy_from_slice(edges);
    model.flex_elemlayer[at.elem..at.elem + flex.nelem()].copy_from_slice(&flex.shell.layers);
    let sides = &flex.shell.sides;
    model.flex_shell[at.shelldata..at.shelldata + sides.len()].copy_from_slice(sides);
    let pairs = &flex.shell.pairs;
    model.flex_evpair[at.evpair..at.evpair + pairs.len()].copy_from_slice(pairs);
    for (k, values) in flex.stiffness.chunks_exact(ELEMENT_SIZE).enumerate() {
        model.flex_stiffness[at.elem + k].copy_from_slice(values);
    }
}

fn write_edges(flex: &CompiledFlex<'_>, at: &Addresses, tree: &Tree<'_>, model: &mut Model) {
    let weld = |vertex: i32| tree.bodies[flex.vert_bodies[vertex as usize] as usize].weld;
    for (k, edge) in flex.edges.vertices.iter().enumerate() {
        model.flex_edge[at.edge + k] = *edge;
        let flap = flex.edges.flaps.get(k).filter(|_| flex.bends());
        model.flex_edgeflap[at.edge + k] = flap.map_or([-1; 2], |flap| [flap[2], flap[3]]);
        let rigid = flex.rigid || (!flex.interpolated() && weld(edge[0]) == weld(edge[1]));
        model.flexedge_rigid[at.edge + k] = u8::from(rigid);
    }
    for (k, values) in flex.bending.chunks_exact(EDGE_SIZE).enumerate() {
        model.flex_bending[at.edge + k].copy_from_slice(values);
    }
}

/// Boxes themselves are computed while simulating.
fn write_boxes(flex: &CompiledFlex<'_>, at: &Addresses, model: &mut Model) {
    let range = at.bvh..at.bvh + flex.tree.len();
    model.bvh_child[range.clone()].copy_from_slice(&flex.tree.child);
    model.bvh_depth[range.clone()].copy_from_slice(&flex.tree.depth);
    model.bvh_nodeid[range].copy_from_slice(&flex.tree.nodeid);
}
