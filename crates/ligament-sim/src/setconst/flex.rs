//! Patterns of the flex Jacobians and metrics of flexes with vertex constraints.

use super::SetConstError;
use crate::support::{body_chain, merge_chain};
use ligament_math::{MINVAL, Vec3, mat3, quat, vec3};
use ligament_model::Model;

/// A two-dimensional flex whose equality acts on vertices (Chen, Kry, Vouga 2019).
fn has_vertex_constraint(m: &Model, flex: usize) -> bool {
    m.flex_dim[flex] == 2 && m.flex_edgeequality[flex] == 2
}

/// Sets flexedge_J_*, flexvert_J_*, flex_vertedge* and flex_vertmetric.
pub(super) fn make_patterns(m: &mut Model) -> Result<(), SetConstError> {
    m.flexedge_J_rowadr.fill(0);
    m.flexedge_J_rownnz.fill(0);
    m.flexvert_J_rowadr.fill([0; 2]);
    m.flexvert_J_rownnz.fill([0; 2]);
    m.flex_vertedgeadr.fill(0);
    m.flex_vertedgenum.fill(0);
    m.flex_vertedge.fill([0; 2]);
    m.flex_vertmetric.fill([0.0; 4]);
    let mut adjacency = 0;
    for f in 0..m.nflex {
        if m.flex_rigid[f] != 0 || m.flex_interp[f] != 0 {
            continue;
        }
        let unused = m.flex_edgeequality[f] == 0
            && m.flex_edgedamping[f] == 0.0
            && m.flex_edgestiffness[f] == 0.0
            && m.flex_damping[f] == 0.0;
        if !unused {
            edge_pattern(m, f);
        }
        if has_vertex_constraint(m, f) {
            adjacency = vertex_edges(m, f, adjacency);
            for v in 0..m.flex_vertnum[f] as usize {
                vertex_metric(m, f, v)?;
            }
            vertex_pattern(m, f);
        }
    }
    Ok(())
}

/// Bodies of the two ends of an edge (global index).
fn edge_bodies(m: &Model, flex: usize, edge: usize) -> [usize; 2] {
    m.flex_edge[edge].map(|v| m.flex_vertbodyid[(m.flex_vertadr[flex] + v) as usize] as usize)
}

fn edge_range(m: &Model, flex: usize) -> std::ops::Range<usize> {
    let start = m.flex_edgeadr[flex] as usize;
    start..start + m.flex_edgenum[flex] as usize
}

fn edge_pattern(m: &mut Model, f: usize) {
    let mut chain = Vec::new();
    for e in edge_range(m, f) {
        if e > 0 {
            m.flexedge_J_rowadr[e] = m.flexedge_J_rowadr[e - 1] + m.flexedge_J_rownnz[e - 1];
        }
        let [b1, b2] = edge_bodies(m, f, e);
        merge_chain(m, b1, b2, &mut chain);
        m.flexedge_J_rownnz[e] = chain.len() as i32;
        let start = m.flexedge_J_rowadr[e] as usize;
        m.flexedge_J_colind[start..start + chain.len()].copy_from_slice(&chain);
    }
}

/// Lists the edges (local index) at each vertex; returns the end of the list.
fn vertex_edges(m: &mut Model, f: usize, start: i32) -> i32 {
    let (vbase, ebase) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let vertices = vbase..vbase + m.flex_vertnum[f] as usize;
    for e in edge_range(m, f) {
        for v in m.flex_edge[e] {
            m.flex_vertedgenum[vbase + v as usize] += 1;
        }
    }
    let mut end = start;
    for v in vertices.clone() {
        m.flex_vertedgeadr[v] = end;
        end += m.flex_vertedgenum[v];
    }
    let mut filled = vec![0; vertices.len()];
    for e in edge_range(m, f) {
        for v in m.flex_edge[e].map(|v| v as usize) {
            let at = m.flex_vertedgeadr[vbase + v] as usize + filled[v];
            m.flex_vertedge.as_flattened_mut()[at] = (e - ebase) as i32;
            filled[v] += 1;
        }
    }
    end
}

/// Local edges at a vertex (local index).
fn edges_at(m: &Model, f: usize, v: usize) -> &[i32] {
    let v = m.flex_vertadr[f] as usize + v;
    let start = m.flex_vertedgeadr[v] as usize;
    &m.flex_vertedge.as_flattened()[start..start + m.flex_vertedgenum[v] as usize]
}

/// Metric of a vertex: inverse of the mass-weighted sum of outer products of the rest edges around it.
fn vertex_metric(m: &mut Model, f: usize, v: usize) -> Result<(), SetConstError> {
    let (vbase, ebase) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let size = m.flex_size[f];
    let mut b = [0.0; 4];
    for &e in edges_at(m, f, v) {
        let [v1, v2] = m.flex_edge[ebase + e as usize].map(|v| v as usize);
        let rest = vec3::sub(m.flex_vert0[vbase + v2], m.flex_vert0[vbase + v1]);
        // flex_vert0 is normalised to half sizes
        let dx: Vec3 = std::array::from_fn(|k| rest[k] * (2.0 * size[k]));
        if dx[2].abs() > MINVAL {
            return Err(SetConstError::FlexNotPlanar);
        }
        let neighbour = if v == v1 { v2 } else { v1 };
        let weight = match usize::try_from(m.flex_vertbodyid[vbase + neighbour]) {
            Ok(body) => m.body_mass[body].max(MINVAL),
            Err(_) => 1.0,
        };
        for row in 0..2 {
            for col in 0..2 {
                b[2 * row + col] += weight * dx[row] * dx[col];
            }
        }
    }
    let det = b[0] * b[3] - b[1] * b[2];
    m.flex_vertmetric[vbase + v] = if det.abs() < MINVAL {
        [0.0; 4]
    } else {
        let inv = 1.0 / det;
        [b[3] * inv, -b[1] * inv, -b[2] * inv, b[0] * inv]
    };
    Ok(())
}

/// Two rows per vertex, both with the dofs of all edges at it.
fn vertex_pattern(m: &mut Model, f: usize) {
    let (vbase, ebase) = (m.flex_vertadr[f] as usize, m.flex_edgeadr[f] as usize);
    let mut chain = Vec::new();
    let mut used = vec![false; m.nv];
    let mut adr = match vbase.checked_sub(1) {
        Some(v) => m.flexvert_J_rowadr[v][1] + m.flexvert_J_rownnz[v][1],
        None => 0,
    };
    for v in 0..m.flex_vertnum[f] as usize {
        used.fill(false);
        for &e in edges_at(m, f, v) {
            for body in edge_bodies(m, f, ebase + e as usize) {
                body_chain(m, body, &mut chain);
                for &dof in &chain {
                    used[dof as usize] = true;
                }
            }
        }
        let columns: Vec<i32> = (0..m.nv as i32).filter(|&dof| used[dof as usize]).collect();
        let nnz = columns.len() as i32;
        m.flexvert_J_rownnz[vbase + v] = [nnz; 2];
        m.flexvert_J_rowadr[vbase + v] = [adr, adr + nnz];
        for start in [adr, adr + nnz] {
            let start = start as usize;
            m.flexvert_J_colind.as_flattened_mut()[start..start + columns.len()].copy_from_slice(&columns);
        }
        adr += 2 * nnz;
    }
    if vbase + (m.flex_vertnum[f] as usize) < m.nflexvert {
        m.flexvert_J_rowadr[vbase + m.flex_vertnum[f] as usize][0] = adr;
    }
}

/// Turns the rest shape of flexes with vertex constraints into the xy plane.
pub(super) fn align(m: &mut Model) {
    for f in 0..m.nflex {
        if !has_vertex_constraint(m, f) {
            continue;
        }
        let vbase = m.flex_vertadr[f] as usize;
        let elem = m.flex_elemdataadr[f] as usize;
        let [p0, p1, p2]: [Vec3; 3] =
            std::array::from_fn(|k| m.flex_vert0[vbase + m.flex_elem[elem + k] as usize]);
        let normal = vec3::unit(vec3::cross(vec3::sub(p1, p0), vec3::sub(p2, p0)));
        let mat = quat::to_mat(quat::from_z_axis(normal));
        for v in &mut m.flex_vert0[vbase..vbase + m.flex_vertnum[f] as usize] {
            *v = mat3::mul_vec_t(&mat, *v);
        }
    }
}
