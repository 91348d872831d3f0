//! Bending of sheets about their inner edges.
//!
//! Every edge between two triangles has a 4×4 matrix that maps the positions of its four vertices to forces
//! (cotangent Laplacian, Wardetzky, Bergou, Harmon, Zorin, Grinspun 2007, "Discrete Quadratic Curvature
//! Energies") and one more coefficient for a curved rest shape.

use super::vertex_forces::Wanted;
use super::{add_sliding_force, edges, is_bending, sliding_velocity, vertices};
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, vec3};
use ligament_model::{Data, Model};

/// Coefficients of one edge: the matrix by rows, then the rest curvature.
pub type Coefficients = [f64; 17];

/// Product of the edge's matrix with a field at its four vertices.
#[inline]
pub fn apply(coefficients: &Coefficients, field: &[Vec3; 4]) -> [Vec3; 4] {
    let mut result = [[0.0; 3]; 4];
    for (row, sum) in coefficients[..16].as_chunks::<4>().0.iter().zip(&mut result) {
        for (weight, value) in row.iter().zip(field) {
            *sum = vec3::add_scaled(*sum, *value, *weight);
        }
    }
    result
}

/// Directions in which the vertices are pushed by the curvature of the rest shape.
#[inline]
pub fn rest_directions(pos: &[Vec3; 4]) -> [Vec3; 4] {
    let edge: [Vec3; 3] = std::array::from_fn(|i| vec3::sub(pos[i + 1], pos[0]));
    let a = vec3::cross(edge[1], edge[2]);
    let b = vec3::cross(edge[2], edge[0]);
    let c = vec3::cross(edge[0], edge[1]);
    [vec3::neg(vec3::add(vec3::add(a, b), c)), a, b, c]
}

/// Gradient of the bending energy of one edge.
#[inline]
pub fn gradient(coefficients: &Coefficients, pos: &[Vec3; 4]) -> [Vec3; 4] {
    let mut result = apply(coefficients, pos);
    for (force, direction) in result.iter_mut().zip(rest_directions(pos)) {
        *force = vec3::add_scaled(*force, direction, coefficients[16]);
    }
    result
}

/// Forces of all inner edges of a flex, MuJoCo's model. They are summed on the vertices first.
pub fn apply_forces(m: &Model, d: &mut Data, flex: usize) {
    let wanted = Wanted::new(m);
    let damping = if wanted.damper { m.flex_damping[flex] } else { 0.0 };
    if !is_bending(m, flex) {
        return;
    }
    let mut buffer = std::mem::take(&mut d.workspace.scratch().flex);
    buffer.clear_forces(m.flex_vertnum[flex] as usize);
    let positions = &d.flexvert_xpos[vertices(m, flex)];
    if damping != 0.0 {
        buffer.velocity.clear();
        let velocity = |v: usize| sliding_velocity(m, &d.cdof, &d.qvel, m.flex_vertbodyid[v] as usize);
        buffer.velocity.extend(vertices(m, flex).map(velocity));
    }
    for edge in edges(m, flex) {
        let ([v0, v1], [v2, v3]) = (m.flex_edge[edge], m.flex_edgeflap[edge]);
        if v3 == -1 {
            continue;
        }
        let corners = [v0, v1, v2, v3].map(|v| v as usize);
        let coefficients = &m.flex_bending[edge];
        if wanted.spring {
            let slope = gradient(coefficients, &corners.map(|v| positions[v]));
            for (v, f) in corners.into_iter().zip(slope) {
                buffer.force[v] = vec3::sub(buffer.force[v], f);
            }
        }
        if damping != 0.0 {
            let slope = apply(coefficients, &corners.map(|v| buffer.velocity[v]));
            for (v, f) in corners.into_iter().zip(slope) {
                buffer.damping_force[v] = vec3::add_scaled(buffer.damping_force[v], f, -damping);
            }
        }
    }
    for (i, v) in vertices(m, flex).enumerate() {
        let body = m.flex_vertbodyid[v] as usize;
        add_sliding_force(m, &d.cdof, body, buffer.force[i], 1.0, &mut d.qfrc_spring);
        if damping != 0.0 {
            add_sliding_force(m, &d.cdof, body, buffer.damping_force[i], 1.0, &mut d.qfrc_damper);
        }
    }
    d.workspace.scratch().flex = buffer;
}
