//! Elasticity of elements: how changes of squared edge lengths become forces.
//!
//! The strain of an element is written in a basis of symmetric products of side normals, one for each edge
//! (Weischedel, "A discrete geometric view on shear-deformable shell models", section 4.1), which makes linear
//! finite elements free of coordinates. The metric of edge e and f is mu tr(B_e B_f) + lambda tr(B_e) tr(B_f).

use super::{error, nodes};
use crate::pose::normalize;
use ligament_math::{Mat3, Vec3, vec3};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Flex;

/// Numbers an element has in the model: the upper triangle of a 6×6 matrix.
pub const ELEMENT_SIZE: usize = 21;

/// Sides of a triangle opposite to its edges' two neighbours, as pairs of vertices.
const TRIANGLE_EDGES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
const TRIANGLE_SIDES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
/// Faces of a tetrahedron and, for each edge, the two faces that do not contain it.
const TETRAHEDRON_FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
const TETRAHEDRON_SIDES: [[usize; 2]; 6] = [[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]];

/// Stiffness of all elements; empty without elasticity.
pub fn stiffness(
    flex: &Flex,
    order: i32,
    elements: &[i32],
    vertices: &[Vec3],
    nodes: &[Vec3],
) -> Result<Vec<f64>> {
    if flex.young <= 0.0 || flex.young.is_nan() {
        return Ok(Vec::new());
    }
    if flex.poisson < 0.0 || flex.poisson >= 0.5 {
        return Err(error(flex, "Poisson ratio must be in [0, 0.5)"));
    }
    let corners = flex.dim as usize + 1;
    let nelem = elements.len() / corners;
    let mut stiffness = vec![0.0; ELEMENT_SIZE * nelem];
    if !nodes.is_empty() {
        nodes::stiffness(flex, order, nodes, &mut stiffness)?;
        return Ok(stiffness);
    }
    let surface = flex.dim == 2 && flex.elastic2d >= 2 && flex.thickness > 0.0;
    for (e, element) in elements.chunks(corners).enumerate() {
        let target = &mut stiffness[ELEMENT_SIZE * e..ELEMENT_SIZE * (e + 1)];
        let x = |k: usize| vertices[element[k] as usize];
        if surface {
            triangle(flex, [x(0), x(1), x(2)], target);
        } else if flex.dim == 3 {
            tetrahedron(flex, [x(0), x(1), x(2), x(3)], target);
        }
    }
    Ok(stiffness)
}

/// Lamé constants times volume; the reference keeps a factor 1/4 that solids cancel with a thickness of 4.
fn lame(flex: &Flex, volume: f64, thickness: f64) -> (f64, f64) {
    let (young, poisson) = (flex.young, flex.poisson);
    let mu = young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness;
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0 * thickness;
    (mu, lambda)
}

fn triangle(flex: &Flex, x: [Vec3; 3], target: &mut [f64]) {
    let mut normal = vec3::cross(vec3::sub(x[1], x[0]), vec3::sub(x[2], x[0]));
    let area = normalize(&mut normal) / 2.0;
    let (mu, lambda) = lame(flex, area, flex.thickness);
    let basis: [Mat3; 3] = std::array::from_fn(|e| {
        let [left, right] = TRIANGLE_EDGES[e].map(|side| TRIANGLE_SIDES[side]);
        let edge_left = vec3::sub(x[left[0]], x[left[1]]);
        let edge_right = vec3::sub(x[right[1]], x[right[0]]);
        let mut normal = vec3::cross(edge_right, edge_left);
        normalize(&mut normal);
        let a = vec3::cross(normal, edge_left);
        let b = vec3::cross(edge_right, normal);
        symmetric_product(a, b, 8.0 * area * area)
    });
    metric(&basis, mu, lambda, target);
}

fn tetrahedron(flex: &Flex, x: [Vec3; 4], target: &mut [f64]) {
    let [a, b, c] = [1, 2, 3].map(|k| vec3::sub(x[k], x[0]));
    let volume = vec3::dot(vec3::cross(a, b), c) / 6.0;
    let (mu, lambda) = lame(flex, volume, 4.0);
    let basis: [Mat3; 6] = std::array::from_fn(|e| {
        let [left, right] = TETRAHEDRON_SIDES[e].map(|side| {
            let [p, q, r] = TETRAHEDRON_FACES[side].map(|k| x[k]);
            vec3::cross(vec3::sub(q, p), vec3::sub(r, p))
        });
        symmetric_product(left, right, 36.0 * 2.0 * volume * volume)
    });
    metric(&basis, mu, lambda, target);
}

/// (a bᵀ + b aᵀ) / scale
fn symmetric_product(a: Vec3, b: Vec3, scale: f64) -> Mat3 {
    std::array::from_fn(|k| (a[k / 3] * b[k % 3] + b[k / 3] * a[k % 3]) / scale)
}

/// Upper triangle of the metric of edge lengths, by rows.
fn metric(basis: &[Mat3], mu: f64, lambda: f64, target: &mut [f64]) {
    let trace = |m: &Mat3| m[0] + m[4] + m[8];
    let mut at = 0;
    for (i, a) in basis.iter().enumerate() {
        for b in &basis[i..] {
            let mut contraction = 0.0;
            for r in 0..3 {
                for c in 0..3 {
                    contraction += a[3 * r + c] * b[3 * c + r];
                }
            }
            target[at] = mu * contraction + lambda * trace(b) * trace(a);
            at += 1;
        }
    }
}
