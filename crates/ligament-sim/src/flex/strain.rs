//! Averaged strain at the vertices of a sheet: the invariants of FᵀF, with F fitted to the edges around a vertex.
//!
//! Chen, Kry, Vouga 2019, "Locking-free Simulation of Isometric Thin Plates"; edges are weighted with the mass
//! of the neighbour, and the constraint of a vertex is scaled by the root of its mass.

use super::vertices;
use crate::support::{self, Motion};
use crate::workspace::Scratches as _;
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::{Data, Model};

/// 3×2 matrix by rows.
type Mat32 = [f64; 6];

fn mul_322(a: &Mat32, b: &[f64; 4]) -> Mat32 {
    std::array::from_fn(|i| {
        let (r, c) = (2 * (i / 2), i % 2);
        a[r] * b[c] + a[r + 1] * b[2 + c]
    })
}

fn mul_32_vec(a: &Mat32, v: Vec3) -> Vec3 {
    std::array::from_fn(|r| a[2 * r] * v[0] + a[2 * r + 1] * v[1])
}

/// An edge around a vertex: its end points, its rest vector, and the weight of the neighbour.
struct Spoke {
    v1: usize,
    v2: usize,
    rest: Vec3,
    weight: f64,
}

fn spokes(m: &Model, flex: usize, vertex: usize) -> impl Iterator<Item = Spoke> {
    let (first_vertex, first_edge) = (m.flex_vertadr[flex] as usize, m.flex_edgeadr[flex] as usize);
    let around = super::range(m.flex_vertedgeadr[vertex], m.flex_vertedgenum[vertex]);
    m.flex_vertedge.as_flattened()[around].iter().map(move |&edge| {
        let [v1, v2] = m.flex_edge[first_edge + edge as usize].map(|v| first_vertex + v as usize);
        let difference = vec3::sub(m.flex_vert0[v2], m.flex_vert0[v1]);
        // rest positions are stored in units of the bounding box
        let rest = std::array::from_fn(|i| difference[i] * 2.0 * m.flex_size[flex][i]);
        let neighbour = if vertex == v1 { v2 } else { v1 };
        let weight =
            usize::try_from(m.flex_vertbodyid[neighbour]).map_or(1.0, |b| m.body_mass[b].max(MINVAL));
        Spoke { v1, v2, rest, weight }
    })
}

/// Writes flexvert_length and flexvert_J for one flex.
pub fn vertex_strain(m: &Model, d: &mut Data, flex: usize) {
    let mut dense = std::mem::take(&mut d.workspace.scratch().flex.dense);
    dense.clear();
    dense.resize(m.nv, [0.0; 2]);
    for vertex in vertices(m, flex) {
        let metric = &m.flex_vertmetric[vertex];
        let mut outer = [0.0; 6];
        for spoke in spokes(m, flex, vertex) {
            let now = vec3::sub(d.flexvert_xpos[spoke.v2], d.flexvert_xpos[spoke.v1]);
            for r in 0..3 {
                for c in 0..2 {
                    outer[2 * r + c] += spoke.weight * now[r] * spoke.rest[c];
                }
            }
        }
        let f = mul_322(&outer, metric);
        let entry = |a: usize, b: usize| f[a] * f[b] + f[2 + a] * f[2 + b] + f[4 + a] * f[4 + b];
        let cauchy = [entry(0, 0), entry(0, 1), entry(1, 0), entry(1, 1)];
        let scale = vertex_scale(m, vertex);
        d.flexvert_length[vertex] = [
            (cauchy[0] + cauchy[3] - 2.0) * scale,
            (cauchy[0] * cauchy[3] - cauchy[1] * cauchy[2] - 1.0) * scale,
        ];
        let adjugate = [cauchy[3], -cauchy[1], -cauchy[2], cauchy[0]];
        let slopes = [mul_322(&f, metric), mul_322(&mul_322(&f, &adjugate), metric)];
        let motion = Motion { cdof: &d.cdof, subtree_com: &d.subtree_com };
        for spoke in spokes(m, flex, vertex) {
            let [trace, det] = slopes.map(|s| vec3::scale(mul_32_vec(&s, spoke.rest), 2.0 * spoke.weight));
            for (v, sign) in [(spoke.v1, -1.0), (spoke.v2, 1.0)] {
                let body = m.flex_vertbodyid[v] as usize;
                support::for_each_column(m, motion, body, d.flexvert_xpos[v], |dof, column| {
                    dense[dof][0] += sign * vec3::dot(column, trace);
                    dense[dof][1] += sign * vec3::dot(column, det);
                });
            }
        }
        gather(m, vertex, scale, &mut dense, d.flexvert_J.as_flattened_mut());
    }
    d.workspace.scratch().flex.dense = dense;
}

fn vertex_scale(m: &Model, vertex: usize) -> f64 {
    match usize::try_from(m.flex_vertbodyid[vertex]) {
        Ok(body) if m.body_mass[body] > MINVAL => m.body_mass[body].sqrt(),
        _ => 1.0,
    }
}

/// Moves both dense rows into the sparse Jacobian and clears them.
fn gather(m: &Model, vertex: usize, scale: f64, dense: &mut [[f64; 2]], jacobian: &mut [f64]) {
    let columns = m.flexvert_J_colind.as_flattened();
    for k in 0..2 {
        for slot in super::range(m.flexvert_J_rowadr[vertex][k], m.flexvert_J_rownnz[vertex][k]) {
            let value = &mut dense[columns[slot] as usize][k];
            jacobian[slot] += *value * scale;
            *value = 0.0;
        }
    }
}
