//! Bending of sheets about their inner edges.
//!
//! Every edge between two triangles has a 4×4 matrix that maps the positions of its four vertices to forces
//! (cotangent Laplacian, Wardetzky, Bergou, Harmon, Zorin, Grinspun 2007, "Discrete Quadratic Curvature
//! Energies") and one more coefficient for a curved rest shape.

use super::passive::Wanted;
use super::{add_sliding_force, edges, sliding_velocity};
use ligament_math::{Vec3, vec3};
use ligament_model::{Data, Model};

/// Coefficients of one edge: the matrix by rows, then the rest curvature.
pub type Coefficients = [f64; 17];

/// Product of the edge's matrix with a field at its four vertices.
#[inline]
pub fn apply(coefficients: &Coefficients, field: &[Vec3; 4]) -> [Vec3; 4] {
    std::array::from_fn(|i| {
        std::array::from_fn(|x| {
            let mut sum = 0.0;
            for j in 0..4 {
                sum += coefficients[4 * i + j] * field[j][x];
            }
            sum
        })
    })
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

/// Forces of all inner edges of a flex, MuJoCo's model.
pub(super) fn apply_forces(m: &Model, d: &mut Data, flex: usize) {
    let wanted = Wanted::new(m);
    let first = m.flex_vertadr[flex] as usize;
    let Data { flexvert_xpos, cdof, qvel, qfrc_spring, qfrc_damper, .. } = d;
    for edge in edges(m, flex) {
        let ([v0, v1], [v2, v3]) = (m.flex_edge[edge], m.flex_edgeflap[edge]);
        if v3 == -1 {
            continue;
        }
        let vertex = [v0, v1, v2, v3].map(|v| first + v as usize);
        let body = vertex.map(|v| m.flex_vertbodyid[v] as usize);
        let coefficients = &m.flex_bending[edge];
        if wanted.spring {
            let force = gradient(coefficients, &vertex.map(|v| flexvert_xpos[v]));
            for i in 0..4 {
                add_sliding_force(m, cdof, body[i], force[i], -1.0, qfrc_spring);
            }
        }
        if wanted.damper && m.flex_damping[flex] != 0.0 {
            let force = apply(coefficients, &body.map(|b| sliding_velocity(m, cdof, qvel, b)));
            for i in 0..4 {
                add_sliding_force(m, cdof, body[i], force[i], -m.flex_damping[flex], qfrc_damper);
            }
        }
    }
}
