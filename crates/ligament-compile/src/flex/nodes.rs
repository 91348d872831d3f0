//! Flexes interpolated between the nodes of one box: order of interpolation and linear elasticity.

use super::error;
use ligament_math::{Mat3, Vec3};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Flex;

/// Order of interpolation: nodes are (order + 1)³.
pub fn order(flex: &Flex) -> Result<i32> {
    let count = flex.nodebody.len();
    if count == 0 {
        return Ok(0);
    }
    let order = ((count as f64).powf(1.0 / 3.0) - 1.0) as i32;
    if (order as usize + 1).pow(3) != count {
        return Err(error(flex, format!("number of nodes must be {order}^3 but it is {count}")));
    }
    Ok(order)
}

/// Points and weights of Gauss–Legendre quadrature on [0, 1]. The outer points of the three-point rule divide by
/// √(3/5) where the textbook multiplies: that is what the reference integrates with.
fn quadrature(count: usize) -> (Vec<f64>, Vec<f64>) {
    let (middle, half) = (0.5, 0.5);
    if count == 2 {
        let offset = half / 3f64.sqrt();
        return (vec![-offset + middle, offset + middle], vec![half; 2]);
    }
    let offset = half / (3.0f64 / 5.0).sqrt();
    let outer = 5.0 / 9.0 * half;
    (vec![middle, -offset + middle, offset + middle], vec![8.0 / 9.0 * half, outer, outer])
}

/// Basis function `i` of a line.
fn shape(s: f64, i: usize, order: i32) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Derivative of the basis function.
fn slope(s: f64, i: usize, order: i32) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}

/// Gradients of all basis functions at a point.
fn gradients(point: Vec3, order: i32) -> Vec<Vec3> {
    let count = order as usize + 1;
    let [s, t, u] = point;
    let mut gradients = Vec::with_capacity(count.pow(3));
    for x in 0..count {
        for y in 0..count {
            for z in 0..count {
                gradients.push([
                    slope(s, x, order) * shape(t, y, order) * shape(u, z, order),
                    shape(s, x, order) * slope(t, y, order) * shape(u, z, order),
                    shape(s, x, order) * shape(t, y, order) * slope(u, z, order),
                ]);
            }
        }
    }
    gradients
}

/// Stiffness between all coordinates of all nodes, by rows, written over the space of the elements.
pub fn stiffness(flex: &Flex, order: i32, nodes: &[Vec3], target: &mut [f64]) -> Result<()> {
    if !(1..=2).contains(&order) {
        return Err(error(flex, "Order must be 1 or 2."));
    }
    let ndof = 3 * nodes.len();
    let needed = ndof * ndof / super::elasticity::ELEMENT_SIZE;
    if needed > target.len() / super::elasticity::ELEMENT_SIZE {
        return Err(error(flex, format!("Trilinear dofs are require at least {needed} elements")));
    }
    let (points, weights) = quadrature(order as usize + 1);
    let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
    let edge: Vec3 = std::array::from_fn(|k| last[k] - first[k]);
    let inverse = edge.map(|d| 1.0 / d);
    let volume = edge[0] * edge[1] * edge[2];
    let mut matrix = vec![0.0; ndof * ndof];
    for (s, ws) in points.iter().zip(&weights) {
        for (t, wt) in points.iter().zip(&weights) {
            for (u, wu) in points.iter().zip(&weights) {
                let scaled: Vec<Vec3> = gradients([*s, *t, *u], order)
                    .iter()
                    .map(|g| std::array::from_fn(|k| inverse[k] * g[k]))
                    .collect();
                accumulate(flex, &scaled, ws * wt * wu * volume, &mut matrix);
            }
        }
    }
    let stored = matrix.len().min(target.len());
    target[..stored].copy_from_slice(&matrix[..stored]);
    Ok(())
}

/// Subtracts the contribution of one quadrature point: lambda tr(U) tr(V) + mu sym(U):sym(V).
fn accumulate(flex: &Flex, gradients: &[Vec3], volume: f64, matrix: &mut [f64]) {
    let (young, poisson) = (flex.young, flex.poisson);
    let lambda = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let mu = young / (2.0 * (1.0 + poisson));
    let ndof = 3 * gradients.len();
    for (i, a) in gradients.iter().enumerate() {
        for (j, b) in gradients.iter().enumerate() {
            for k in 0..3 {
                for l in 0..3 {
                    let entry = &mut matrix[ndof * (3 * i + k) + 3 * j + l];
                    *entry -= lambda * a[k] * b[l] * volume;
                    *entry -= mu * contraction(&symmetric_row(k, a), &symmetric_row(l, b)) * volume;
                }
            }
        }
    }
}

/// Symmetric part of the matrix whose row `k` is `v` and whose other rows are zero.
fn symmetric_row(k: usize, v: &Vec3) -> Mat3 {
    let mut m = [0.0; 9];
    for c in 0..3 {
        m[3 * k + c] += v[c] / 2.0;
        m[3 * c + k] += v[c] / 2.0;
    }
    m
}

/// tr(A B)
fn contraction(a: &Mat3, b: &Mat3) -> f64 {
    let diagonal = |i: usize| a[3 * i] * b[i] + a[3 * i + 1] * b[3 + i] + a[3 * i + 2] * b[6 + i];
    diagonal(0) + diagonal(1) + diagonal(2)
}
