//! Bending of sheets about their inner edges.
//!
//! Every edge between two triangles has a 4×4 matrix that maps the positions of its four vertices to forces
//! (cotangent Laplacian, Wardetzky, Bergou, Harmon, Zorin, Grinspun 2007, "Discrete Quadratic Curvature
//! Energies") and one more coefficient for a curved rest shape.

use ligament_math::{Vec3, vec3};

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
