//! Meshes into the arrays of the model.

use super::CompiledMesh;
use crate::bvh::write_tree;
use ligament_geom::polygon::{Lists, Polygons};
use ligament_model::Model;
use ligament_model::model::Sizes;

/// Sizes that meshes decide. Tree nodes are added to what bodies have.
pub fn count_meshes(meshes: &[CompiledMesh], sizes: &mut Sizes) {
    let total = |count: fn(&CompiledMesh) -> usize| meshes.iter().map(count).sum::<usize>();
    sizes.nmesh = meshes.len();
    sizes.nmeshvert = total(|m| m.vert.len());
    sizes.nmeshnormal = total(|m| m.normal.len());
    sizes.nmeshtexcoord = total(|m| m.texcoord.len());
    sizes.nmeshface = total(|m| m.face.len());
    sizes.nmeshgraph = total(|m| m.graph.len());
    sizes.nmeshpoly = total(|m| m.polygons.loops.len());
    sizes.nmeshpolyvert = total(|m| m.polygons.loops.items().len());
    sizes.nmeshpolymap = total(|m| m.polygons.of_vertex.items().len());
    sizes.noct = total(|m| m.octree.nodes.len());
    let nodes = total(|m| m.bvh.len());
    sizes.nbvhstatic += nodes;
    sizes.nbvh += nodes;
}

/// Where the next mesh goes in each array.
#[derive(Debug, Default)]
struct Address {
    vert: usize,
    normal: usize,
    texcoord: usize,
    face: usize,
    graph: usize,
    poly: usize,
    polyvert: usize,
    polymap: usize,
    bvh: usize,
    oct: usize,
}

/// Writes all meshes. Their trees start at node `bvh`; returns the first node after them.
pub fn write_meshes(meshes: &[CompiledMesh], bvh: usize, m: &mut Model) -> usize {
    let mut at = Address { bvh, ..Address::default() };
    for (id, mesh) in meshes.iter().enumerate() {
        m.mesh_scale[id] = mesh.scale;
        m.mesh_pos[id] = mesh.pose.pos;
        m.mesh_quat[id] = mesh.pose.quat;
        write_surface(mesh, id, &mut at, m);
        write_polygons(mesh, id, &mut at, m);
        write_trees(mesh, id, &mut at, m);
    }
    at.bvh
}

/// Address of an optional part.
fn address(at: usize, empty: bool) -> i32 {
    if empty { -1 } else { at as i32 }
}

fn write_surface(mesh: &CompiledMesh, id: usize, at: &mut Address, m: &mut Model) {
    m.mesh_vertadr[id] = at.vert as i32;
    m.mesh_vertnum[id] = mesh.vert.len() as i32;
    for (out, v) in m.mesh_vert[at.vert..].iter_mut().zip(&mesh.vert) {
        *out = v.map(|x| x as f32);
    }
    m.mesh_normaladr[id] = at.normal as i32;
    m.mesh_normalnum[id] = mesh.normal.len() as i32;
    put(&mut m.mesh_normal, &mut at.normal, &mesh.normal);
    m.mesh_texcoordadr[id] = address(at.texcoord, mesh.texcoord.is_empty());
    m.mesh_texcoordnum[id] = mesh.texcoord.len() as i32;
    put(&mut m.mesh_texcoord, &mut at.texcoord, &mesh.texcoord);
    m.mesh_faceadr[id] = at.face as i32;
    m.mesh_facenum[id] = mesh.face.len() as i32;
    let faces = at.face;
    m.mesh_facenormal[faces..faces + mesh.facenormal.len()].copy_from_slice(&mesh.facenormal);
    let indexed = mesh.facetexcoord.len().min(mesh.face.len());
    m.mesh_facetexcoord[faces..faces + indexed].copy_from_slice(&mesh.facetexcoord[..indexed]);
    put(&mut m.mesh_face, &mut at.face, &mesh.face);
    m.mesh_graphadr[id] = address(at.graph, mesh.graph.is_empty());
    put(&mut m.mesh_graph, &mut at.graph, &mesh.graph);
}

/// Copies a part and moves its address behind it.
fn put<T: Copy>(array: &mut [T], at: &mut usize, part: &[T]) {
    array[*at..*at + part.len()].copy_from_slice(part);
    *at += part.len();
}

fn write_polygons(mesh: &CompiledMesh, id: usize, at: &mut Address, m: &mut Model) {
    let Polygons { loops, of_vertex } = &mesh.polygons;
    m.mesh_polyadr[id] = at.poly as i32;
    m.mesh_polynum[id] = loops.len() as i32;
    put_extents(&mut m.mesh_polyvertadr[at.poly..], &mut m.mesh_polyvertnum[at.poly..], at.polyvert, loops);
    put(&mut m.mesh_polynormal, &mut at.poly, &mesh.polygon_normals);
    put(&mut m.mesh_polyvert, &mut at.polyvert, loops.items());
    put_extents(&mut m.mesh_polymapadr[at.vert..], &mut m.mesh_polymapnum[at.vert..], at.polymap, of_vertex);
    at.vert += of_vertex.len();
    put(&mut m.mesh_polymap, &mut at.polymap, of_vertex.items());
}

/// Where each list begins, the first of them at an address, and how long it is.
fn put_extents(adr: &mut [i32], num: &mut [i32], first: usize, lists: &Lists) {
    let mut next = first;
    for ((adr, num), list) in adr.iter_mut().zip(num).zip(lists.iter()) {
        (*adr, *num) = (next as i32, list.len() as i32);
        next += list.len();
    }
}

fn write_trees(mesh: &CompiledMesh, id: usize, at: &mut Address, m: &mut Model) {
    m.mesh_bvhadr[id] = address(at.bvh, mesh.bvh.is_empty());
    m.mesh_bvhnum[id] = mesh.bvh.len() as i32;
    at.bvh = write_tree(&mesh.bvh, at.bvh, m);
    m.mesh_octadr[id] = address(at.oct, mesh.octree.nodes.is_empty());
    m.mesh_octnum[id] = mesh.octree.nodes.len() as i32;
    for node in &mesh.octree.nodes {
        m.oct_depth[at.oct] = node.level;
        m.oct_child[at.oct] = node.child;
        m.oct_aabb[at.oct] = node.aabb();
        m.oct_coeff[at.oct] = node.coeff;
        at.oct += 1;
    }
}
