//! Normals of round surfaces, for contacts whose general algorithm knows only an approximate direction.

use crate::convex::{Convex, Kind};
use ligament_math::{MINVAL, Vec3, mat3, vec3};

/// Steps of the iterations on ellipsoids, and the change below which they end.
const MAX_STEPS: usize = 30;
const TOLERANCE: f64 = 1e-6;
/// Share of a cylinder's height from which on its wall is not asked for a normal.
const WALL: f64 = 0.95;

/// Replaces the normal of a contact by those of round shapes there, where these are known; flat and unknown shapes
/// keep it. Averages when both have one.
pub fn round_normal(a: Option<&Convex>, b: Option<&Convex>, pos: Vec3, normal: Vec3) -> Vec3 {
    let on_a = a.and_then(|shape| outward_normal(shape, pos, normal));
    let on_b = b.and_then(|shape| outward_normal(shape, pos, vec3::neg(normal)));
    match (on_a, on_b) {
        (None, None) => normal,
        (Some(on_a), None) => on_a,
        (None, Some(on_b)) => vec3::scale(on_b, -1.0),
        (Some(on_a), Some(on_b)) => vec3::unit(vec3::sub(on_a, on_b)),
    }
}

/// Normal of a shape at a point near its surface.
fn outward_normal(shape: &Convex, pos: Vec3, guess: Vec3) -> Option<Vec3> {
    let local = shape.local_direction(vec3::sub(pos, shape.pos));
    let [x, y, z] = local;
    let size = shape.size;
    let outwards = match shape.kind {
        Kind::Sphere => local,
        Kind::Capsule if z < -size[1] => [x, y, z + size[1]],
        Kind::Capsule if z > size[1] => [x, y, z - size[1]],
        Kind::Capsule => [x, y, 0.0],
        Kind::Cylinder => {
            let to_cap = (size[1] - z.abs()).abs();
            let to_wall = (size[0] - (x * x + y * y).sqrt()).abs();
            if z.abs() > WALL * size[1] || to_cap < 0.25 * to_wall {
                return None;
            }
            [x, y, 0.0]
        }
        Kind::Ellipsoid => ellipsoid_normal(local, size, || shape.local_direction(guess))?,
        Kind::Point | Kind::Segment | Kind::Cuboid | Kind::Mesh(_) | Kind::Prism(_) | Kind::Simplex(..) => {
            return None;
        }
    };
    Some(mat3::mul_vec(&shape.mat, vec3::unit(outwards)))
}

fn ellipsoid_normal(pos: Vec3, size: Vec3, guess: impl Fn() -> Vec3) -> Option<Vec3> {
    if size.iter().any(|radius| *radius < MINVAL) {
        return None;
    }
    let level: f64 = (0..3).map(|k| pos[k] * pos[k] / (size[k] * size[k])).sum();
    if level <= 1.0 { normal_above(pos, size, guess()) } else { Some(normal_below(pos, size)) }
}

/// Normal of an ellipsoid above an inner point: goes to the surface along a direction, takes the normal found there
/// as the next direction, until it does not change.
fn normal_above(pos: Vec3, size: Vec3, guess: Vec3) -> Option<Vec3> {
    let weight = size.map(|radius| 1.0 / (radius * radius));
    let form = |u: Vec3, v: Vec3| u[0] * v[0] * weight[0] + u[1] * v[1] * weight[1] + u[2] * v[2] * weight[2];
    // the surface is at t with form(dir, dir)·t² + 2·form(pos, dir)·t + excess = 0
    let excess = form(pos, pos) - 1.0;
    if excess > 0.0 {
        return None;
    }
    let mut dir = vec3::unit(guess);
    for step in 0..MAX_STEPS {
        let (quadratic, linear) = (form(dir, dir), form(pos, dir));
        let discriminant = linear * linear - quadratic * excess;
        let t = (-linear + discriminant.sqrt()) / quadratic;
        if discriminant < MINVAL || quadratic < MINVAL || t < 0.0 {
            return (step > 0).then_some(dir);
        }
        let hit = vec3::add_scaled(pos, dir, t);
        let normal = vec3::unit([hit[0] * weight[0], hit[1] * weight[1], hit[2] * weight[2]]);
        let change = vec3::distance(dir, normal);
        dir = normal;
        if change < TOLERANCE {
            break;
        }
    }
    Some(dir)
}

/// Normal of an ellipsoid below an outer point: the nearest point of the surface is s² p / (s² + λ) by components,
/// with the multiplier λ found by Newton's method.
fn normal_below(pos: Vec3, size: Vec3) -> Vec3 {
    let square = size.map(|radius| radius * radius);
    let weight: Vec3 = std::array::from_fn(|k| pos[k] * pos[k] * square[k]);
    let mut multiplier = 0.0;
    for _ in 0..MAX_STEPS {
        let r = square.map(|s| 1.0 / (s + multiplier));
        let terms: Vec3 = std::array::from_fn(|k| weight[k] * r[k] * r[k]);
        let value = terms[0] + terms[1] + terms[2] - 1.0;
        let slope = -2.0 * (terms[0] * r[0] + terms[1] * r[1] + terms[2] * r[2]);
        if value < TOLERANCE || slope > -MINVAL || -value / slope < TOLERANCE {
            break;
        }
        multiplier += -value / slope;
    }
    std::array::from_fn(|k| pos[k] / (square[k] + multiplier))
}
