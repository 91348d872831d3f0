//! Bending of surfaces: the cotangent operator over the two triangles at an edge (Wardetzky et al., "Discrete
//! Quadratic Curvature Energies") with the correction for curved rest shapes (Garg et al., "Cubic Shells").

use super::{bends, error};
use crate::flex::topology::Edges;
use ligament_math::{Vec3, vec3};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Flex;

/// Numbers an edge has in the model: a 4×4 matrix and the curvature term.
pub const EDGE_SIZE: usize = 17;

/// Bending coefficients of all edges; empty without bending, zero at the border.
pub fn bending(flex: &Flex, edges: &Edges, vertices: &[Vec3]) -> Result<Vec<f64>> {
    if flex.young <= 0.0 || flex.young.is_nan() || !bends(flex) {
        return Ok(Vec::new());
    }
    if flex.thickness < 0.0 {
        return Err(error(flex, "thickness must be positive for bending stiffness"));
    }
    let shear = flex.young / (2.0 * (1.0 + flex.poisson));
    let mut bending = vec![0.0; EDGE_SIZE * edges.flaps.len()];
    for (flap, target) in edges.flaps.iter().zip(bending.chunks_mut(EDGE_SIZE)) {
        if flap[3] >= 0 {
            let x = flap.map(|v| vertices[v as usize]);
            target.copy_from_slice(&coefficients(x, shear, flex.thickness));
        }
    }
    Ok(bending)
}

fn cotangent(apex: Vec3, a: Vec3, b: Vec3) -> f64 {
    let (u, v) = (vec3::sub(a, apex), vec3::sub(b, apex));
    let normal = vec3::cross(u, v);
    vec3::dot(u, v) / vec3::dot(normal, normal).sqrt()
}

fn area(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    vec3::dot(normal, normal).sqrt() / 2.0
}

/// Coefficients for the edge (x0, x1) with the opposite vertices x2 and x3.
fn coefficients(x: [Vec3; 4], shear: f64, thickness: f64) -> [f64; EDGE_SIZE] {
    let cot02 = cotangent(x[0], x[1], x[2]);
    let cot03 = cotangent(x[0], x[3], x[1]);
    let cot12 = cotangent(x[1], x[2], x[0]);
    let cot13 = cotangent(x[1], x[0], x[3]);
    let c = [cot12 + cot13, cot02 + cot03, -(cot02 + cot12), -(cot03 + cot13)];
    let surface = area(x[0], x[1], x[2]) + area(x[1], x[0], x[3]);
    let stiffness = 3.0 * shear * thickness.powf(3.0) / (24.0 * surface);

    let edge = vec3::sub(x[1], x[0]);
    let (e02, e03) = (vec3::sub(x[2], x[0]), vec3::sub(x[3], x[0]));
    let (e12, e13) = (vec3::sub(x[2], x[1]), vec3::sub(x[3], x[1]));
    let t0: Vec3 = std::array::from_fn(|k| -(cot12 * e02[k] + cot02 * e12[k]));
    let t1: Vec3 = std::array::from_fn(|k| -(cot13 * e03[k] + cot03 * e13[k]));
    let square = vec3::dot(edge, edge);
    let cosine = -vec3::dot(t0, t1) / square;

    let mut values: [f64; EDGE_SIZE] =
        std::array::from_fn(|k| if k < 16 { c[k / 4] * c[k % 4] * cosine * stiffness } else { 0.0 });
    let normal = vec3::cross(edge, e02);
    values[16] =
        vec3::dot(normal, e03) * (cot02 - cot12) * (cot13 - cot03) * stiffness / (square * square.sqrt());
    values
}
