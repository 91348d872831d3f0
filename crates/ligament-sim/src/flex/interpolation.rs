//! Flexes whose vertices follow a few nodes: Lagrange interpolation of order 1 (8 nodes) or 2 (27 nodes).
//!
//! Nodes are numbered with the last coordinate fastest; reference coordinates are in the unit cube.

use super::nodes;
use crate::support::object_velocity;
use crate::workspace::FlexNodes;
use ligament_math::{MINVAL, Mat3, Quat, Vec3, mat3, quat, spatial, vec3};
use ligament_model::enums::ObjType;
use ligament_model::{Data, Model};

/// Basis function `i` of one coordinate.
fn basis(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        (_, _) => 2.0 * s * s - s,
    }
}

/// Derivative of basis function `i`.
fn basis_slope(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        (_, _) => 4.0 * s - 1.0,
    }
}

/// The three indices of a node.
fn node_indices(node: usize, order: usize) -> [usize; 3] {
    let n = order + 1;
    [node / (n * n), node / n % n, node % n]
}

/// Number of nodes of an interpolation of this order.
pub fn node_count(order: usize) -> usize {
    (order + 1).pow(3)
}

/// Weight of a node at reference coordinates `x`.
pub fn weight(x: Vec3, node: usize, order: usize) -> f64 {
    let [i, j, k] = node_indices(node, order);
    basis(x[2], k, order) * basis(x[1], j, order) * basis(x[0], i, order)
}

/// Value at reference coordinates `x` of a field given at the nodes.
pub fn interpolate(x: Vec3, values: &[Vec3], order: usize) -> Vec3 {
    let along =
        x.map(|s| -> [f64; 3] { std::array::from_fn(|i| if i <= order { basis(s, i, order) } else { 0.0 }) });
    let mut sum = [0.0; 3];
    let mut rest = values.iter();
    for bx in &along[0][..=order] {
        for by in &along[1][..=order] {
            for (bz, value) in along[2][..=order].iter().zip(&mut rest) {
                sum = vec3::add_scaled(sum, *value, bz * by * bx);
            }
        }
    }
    sum
}

/// Gradient at `x` of a field given at the nodes: entry (r, c) is the derivative of component r along c.
pub fn gradient(x: Vec3, values: &[Vec3], order: usize) -> Mat3 {
    let mut result = [0.0; 9];
    for (node, value) in values.iter().enumerate() {
        let index = node_indices(node, order);
        let slope: Vec3 = std::array::from_fn(|c| {
            let factor = |a: usize| {
                if a == c { basis_slope(x[a], index[a], order) } else { basis(x[a], index[a], order) }
            };
            factor(0) * factor(1) * factor(2)
        });
        for r in 0..3 {
            for c in 0..3 {
                result[3 * r + c] += value[r] * slope[c];
            }
        }
    }
    result
}

/// Rotation nearest to a matrix, starting from a guess (Müller, Bender, Chentanez, Macklin 2016).
pub fn nearest_rotation(matrix: &Mat3, guess: Quat) -> Quat {
    const TOLERANCE: f64 = 1e-9;
    let mut q = guess;
    for _ in 0..500 {
        let rotation = quat::to_mat(q);
        let (mut turn, mut overlap) = ([0.0; 3], 0.0);
        for c in 0..3 {
            let (r, a) = (mat3::col(&rotation, c), mat3::col(matrix, c));
            turn = vec3::add(turn, vec3::cross(r, a));
            overlap += vec3::dot(r, a);
        }
        let mut axis = vec3::scale(turn, 1.0 / (overlap.abs() + MINVAL));
        let angle = vec3::normalize(&mut axis);
        if angle < TOLERANCE {
            break;
        }
        q = quat::mul(quat::from_axis_angle(axis, angle), q);
        quat::normalize(&mut q);
    }
    q
}

/// World position of a node.
pub fn node_position(m: &Model, d: &Data, flex: usize, node: usize) -> Vec3 {
    let body = m.flex_nodebodyid[node] as usize;
    if m.flex_centered[flex] != 0 {
        return d.xpos[body];
    }
    vec3::add(mat3::mul_vec(&d.xmat[body], m.flex_node[node]), d.xpos[body])
}

/// Positions and velocities of the nodes in the frame that turns with the flex, and the rotation from the
/// world to that frame. The reference centre (½, ½, ½) is added, so that positions compare with the rest shape.
pub fn corotated_state(m: &Model, d: &Data, flex: usize, out: &mut FlexNodes) -> Quat {
    let order = m.flex_interp[flex] as usize;
    let centered = m.flex_centered[flex] != 0;
    out.pos.clear();
    out.vel.clear();
    for node in nodes(m, flex) {
        let body = m.flex_nodebodyid[node] as usize;
        out.pos.push(node_position(m, d, flex, node));
        out.vel.push(if centered {
            super::sliding_velocity(m, &d.cdof, &d.qvel, body)
        } else {
            object_velocity(m, d, ObjType::Body, body, false).map_or([0.0; 3], |v| spatial::lin(&v))
        });
    }
    let center = [0.5; 3];
    let to_local = quat::conj(nearest_rotation(&gradient(center, &out.pos, order), quat::IDENTITY));
    for pos in &mut out.pos {
        *pos = vec3::add(quat::rotate(to_local, *pos), center);
    }
    for vel in &mut out.vel {
        *vel = quat::rotate(to_local, *vel);
    }
    to_local
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_reproduce_linear_fields() {
        for order in [1, 2] {
            let count = node_count(order);
            let place = |node: usize| node_indices(node, order).map(|i| i as f64 / order as f64);
            let values: Vec<Vec3> = (0..count).map(place).collect();
            let x = [0.3, 0.8, 0.1];
            let total: f64 = (0..count).map(|node| weight(x, node, order)).sum();
            assert!((total - 1.0).abs() < 1e-12);
            let found = interpolate(x, &values, order);
            assert!(vec3::distance(found, x) < 1e-12);
            let slope = gradient(x, &values, order);
            assert!(slope.iter().zip(&mat3::IDENTITY).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn the_rotation_of_a_stretched_turn_is_found() {
        let turn = quat::from_axis_angle(vec3::unit([1.0, 2.0, -1.0]), 0.7);
        let stretch = [2.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 0.5];
        let found = nearest_rotation(&mat3::mul(&quat::to_mat(turn), &stretch), quat::IDENTITY);
        assert!((0..4).all(|i| (found[i] - turn[i]).abs() < 1e-7));
    }
}
