//! Meshes, skins, height fields, textures, flexes and bounding volumes: ids are local to their owner.

use super::topology::{dofs_of_body, filled_rows_follow};
use super::{Outcome, ids, integers, require, section, sections, within};
use crate::Model;

pub(super) fn check(m: &Model) -> Outcome {
    for i in 0..m.nmesh {
        mesh(m, i)?;
    }
    for i in 0..m.nskin {
        skin(m, i)?;
    }
    for i in 0..m.nbody {
        require(present(m.body_bvhadr[i], m.body_bvhnum[i]), "body_bvhnum", i)?;
        tree(m, m.body_bvhadr[i], m.body_bvhnum[i], m.ngeom)?;
    }
    pictures(m)?;
    flexes(m)
}

/// An address of -1 stands for nothing, any other for something.
pub(super) fn present(start: i32, length: i32) -> bool {
    (start >= 0) == (length > 0)
}

/// The part of a field that an object owns.
fn part<T>(field: &[T], start: i32, length: i32) -> &[T] {
    let start = start.max(0) as usize;
    &field[start..start + length as usize]
}

fn mesh(m: &Model, i: usize) -> Outcome {
    let vertices = m.mesh_vertnum[i] as usize;
    require(vertices > 0, "mesh_vertnum", i)?;
    let (start, count) = (m.mesh_faceadr[i], m.mesh_facenum[i]);
    ids("mesh_face", part(&m.mesh_face, start, count), 0, vertices)?;
    ids("mesh_facenormal", part(&m.mesh_facenormal, start, count), 0, m.mesh_normalnum[i] as usize)?;
    if m.mesh_texcoordnum[i] > 0 {
        let coordinates = m.mesh_texcoordnum[i] as usize;
        ids("mesh_facetexcoord", part(&m.mesh_facetexcoord, start, count), 0, coordinates)?;
    }
    let polygons = m.mesh_polyadr[i].max(0) as usize;
    for polygon in polygons..polygons + m.mesh_polynum[i] as usize {
        let (start, count) = (m.mesh_polyvertadr[polygon], m.mesh_polyvertnum[polygon]);
        require(count >= 3, "mesh_polyvertnum", polygon)?;
        ids("mesh_polyvert", part(&m.mesh_polyvert, start, count), 0, vertices)?;
    }
    let first = m.mesh_vertadr[i].max(0) as usize;
    for vertex in first..first + vertices {
        let (start, count) = (m.mesh_polymapadr[vertex], m.mesh_polymapnum[vertex]);
        ids("mesh_polymap", part(&m.mesh_polymap, start, count), 0, m.mesh_polynum[i] as usize)?;
    }
    if let Ok(start) = usize::try_from(m.mesh_graphadr[i]) {
        require(graph(&m.mesh_graph[start..], vertices).is_some(), "mesh_graph", start)?;
    }
    require(present(m.mesh_bvhadr[i], m.mesh_bvhnum[i]), "mesh_bvhnum", i)?;
    tree(m, m.mesh_bvhadr[i], m.mesh_bvhnum[i], m.mesh_facenum[i] as usize)?;
    octree(m, i)
}

/// A hull graph: counts, start of each vertex's list, mesh vertices, lists that end with -1, faces.
fn graph(data: &[i32], vertices: usize) -> Option<()> {
    let corners = usize::try_from(*data.first()?).ok()?;
    let faces = usize::try_from(*data.get(1)?).ok()?;
    let edges = corners.checked_add(faces.checked_mul(3)?)?;
    let length = edges.checked_add(corners.checked_mul(2)?)?.checked_add(faces.checked_mul(3)?)?;
    let data = data.get(2..2 + length)?;
    let (starts, data) = data.split_at(corners);
    let (globals, data) = data.split_at(corners);
    let (lists, face_corners) = data.split_at(edges);
    let all = |values: &[i32], lowest, count| values.iter().all(|&value| within(value, lowest, count));
    let fits = corners > 0
        && all(starts, 0, edges)
        && all(globals, 0, vertices)
        && all(lists, -1, corners)
        && lists.last() == Some(&-1)
        && all(face_corners, 0, vertices);
    fits.then_some(())
}

/// Children lie behind their parent and inside the tree; a leaf names an item, or two children take its place.
fn tree(m: &Model, start: i32, count: i32, items: usize) -> Outcome {
    let start = start.max(0) as usize;
    for node in 0..count as usize {
        let at = start + node;
        let children = m.bvh_child[at];
        let leaf = m.bvh_nodeid[at] >= 0;
        require(within(m.bvh_nodeid[at], -1, items), "bvh_nodeid", at)?;
        let child = |child: i32| child == -1 || within(child, node as i32 + 1, count as usize);
        require(child(children[0]) && child(children[1]), "bvh_child", at)?;
        require(leaf || children.iter().any(|&child| child >= 0), "bvh_child", at)?;
        require(leaf != (children[0] >= 0 && children[1] >= 0), "bvh_nodeid", at)?;
    }
    Ok(())
}

fn octree(m: &Model, mesh: usize) -> Outcome {
    let (start, count) = (m.mesh_octadr[mesh].max(0) as usize, m.mesh_octnum[mesh] as usize);
    for cell in 0..count {
        let child = |&child: &i32| child == -1 || within(child, cell as i32 + 1, count);
        let children = &m.oct_child[start + cell];
        let leaf = children.iter().all(|&c| c == -1);
        require(leaf || children.iter().all(|c| *c >= 0 && child(c)), "oct_child", start + cell)?;
    }
    Ok(())
}

fn skin(m: &Model, i: usize) -> Outcome {
    let vertices = m.skin_vertnum[i] as usize;
    ids("skin_face", part(&m.skin_face, m.skin_faceadr[i], m.skin_facenum[i]), 0, vertices)?;
    let first = m.skin_boneadr[i].max(0) as usize;
    for bone in first..first + m.skin_bonenum[i] as usize {
        let (start, count) = (m.skin_bonevertadr[bone], m.skin_bonevertnum[bone]);
        ids("skin_bonevertid", part(&m.skin_bonevertid, start, count), 0, vertices)?;
    }
    Ok(())
}

/// Height fields and textures.
fn pictures(m: &Model) -> Outcome {
    for i in 0..m.nhfield {
        let (rows, columns) = (i64::from(m.hfield_nrow[i]), i64::from(m.hfield_ncol[i]));
        require(rows >= 2 && columns >= 2, "hfield_nrow", i)?;
        let end = i64::from(m.hfield_adr[i]) + rows * columns;
        require(m.hfield_adr[i] >= 0 && end <= m.nhfielddata as i64, "hfield_adr", i)?;
    }
    for i in 0..m.ntex {
        let sides = [m.tex_nchannel[i], m.tex_height[i], m.tex_width[i]].map(i64::from);
        require(sides.iter().all(|&side| side >= 0), "tex_height", i)?;
        let bytes = sides[0].checked_mul(sides[1]).and_then(|n| n.checked_mul(sides[2]));
        let end = bytes.and_then(|n| n.checked_add(m.tex_adr[i]));
        require(m.tex_adr[i] >= 0 && end.is_some_and(|end| end <= m.ntexdata as i64), "tex_adr", i)?;
    }
    Ok(())
}

fn flexes(m: &Model) -> Outcome {
    filled_rows_follow("flexedge_J_rowadr", &m.flexedge_J_rowadr, &m.flexedge_J_rownnz, m.nJfe)?;
    let (starts, lengths) = (m.flexvert_J_rowadr.as_flattened(), m.flexvert_J_rownnz.as_flattened());
    sections("flexvert_J_rowadr", starts, lengths, 2 * m.nJfv)?;
    sections("flex_vertedgeadr", &m.flex_vertedgeadr, &m.flex_vertedgenum, 2 * m.nflexedge)?;
    for i in 0..m.nflex {
        flex(m, i)?;
    }
    Ok(())
}

fn flex(m: &Model, i: usize) -> Outcome {
    let (vertices, edges) = (m.flex_vertnum[i] as usize, m.flex_edgenum[i] as usize);
    let dim = m.flex_dim[i];
    require((1..=3).contains(&dim) && vertices > 0, "flex_dim", i)?;
    require(within(m.flex_interp[i], 0, 3), "flex_interp", i)?;
    let element_edges = [0, 1, 3, 6][dim as usize];
    let table =
        |count: i32, width: i32| i32::try_from(i64::from(count) * i64::from(width)).unwrap_or(i32::MAX);
    let corners = table(m.flex_elemnum[i], dim + 1);
    let sides = table(m.flex_elemnum[i], element_edges);
    let shell = table(m.flex_shellnum[i], dim);
    require(section(m.flex_elemdataadr[i], corners, m.nflexelemdata), "flex_elemdataadr", i)?;
    require(section(m.flex_elemedgeadr[i], sides, m.nflexelemedge), "flex_elemedgeadr", i)?;
    require(section(m.flex_shelldataadr[i], shell, m.nflexshelldata), "flex_shelldataadr", i)?;
    ids("flex_elem", part(&m.flex_elem, m.flex_elemdataadr[i], corners), 0, vertices)?;
    ids("flex_elemedge", part(&m.flex_elemedge, m.flex_elemedgeadr[i], sides), 0, edges)?;
    ids("flex_shell", part(&m.flex_shell, m.flex_shelldataadr[i], shell), 0, vertices)?;
    let (start, count) = (m.flex_edgeadr[i], m.flex_edgenum[i]);
    ids("flex_edge", part(&m.flex_edge, start, count), 0, vertices)?;
    ids("flex_edgeflap", part(&m.flex_edgeflap, start, count), -1, vertices)?;
    for (k, pair) in part(&m.flex_evpair, m.flex_evpairadr[i], m.flex_evpairnum[i]).iter().enumerate() {
        let known = within(pair[0], 0, m.flex_elemnum[i] as usize) && within(pair[1], 0, vertices);
        require(known, "flex_evpair", k)?;
    }
    for (k, flap) in part(&m.flex_edgeflap, start, count).iter().enumerate() {
        require(flap[1] < 0 || flap[0] >= 0, "flex_edgeflap", start.max(0) as usize + k)?;
    }
    let first = m.flex_vertadr[i].max(0) as usize;
    for (k, ends) in part(&m.flex_edge, start, count).iter().enumerate() {
        let edge = start.max(0) as usize + k;
        require(edge_row_fits(m, edge, ends.map(|v| first + v as usize)), "flexedge_J_rownnz", edge)?;
    }
    let around = integers(&m.flex_vertedge);
    for vertex in first..first + vertices {
        let (start, count) = (m.flex_vertedgeadr[vertex], m.flex_vertedgenum[vertex]);
        ids("flex_vertedge", part(around, start, count), 0, edges.max(1))?;
        require(m.flex_interp[i] != 0 || m.flex_vertbodyid[vertex] >= 0, "flex_vertbodyid", vertex)?;
    }
    let dynamic = m.flex_bvhnum[i] == 0 || m.flex_bvhadr[i] as usize >= m.nbvhstatic;
    require(dynamic, "flex_bvhadr", i)?;
    require(present(m.flex_bvhadr[i], m.flex_bvhnum[i]), "flex_bvhnum", i)?;
    tree(m, m.flex_bvhadr[i], m.flex_bvhnum[i], m.flex_elemnum[i] as usize)
}

/// The row of an edge has room for every degree of freedom that moves one of its ends.
fn edge_row_fits(m: &Model, edge: usize, ends: [usize; 2]) -> bool {
    let room = m.flexedge_J_rownnz[edge] as usize;
    let mut dofs: Vec<i32> = ends.iter().flat_map(|&v| dofs_of_body(m, m.flex_vertbodyid[v])).collect();
    dofs.sort_unstable();
    dofs.dedup();
    room == 0 || room >= dofs.len()
}
