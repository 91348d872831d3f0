//! Contacts of shapes given by signed distance fields.
//!
//! Starting points from a Halton sequence inside the common bounding box descend along the gradient of
//! `A + B + |max(A, B)|`, one more step on `max(A, B)` filters spurious minima, and the normal is that of the surface
//! `A = B` (engine_collision_sdf.c).

use crate::contact::{ContactPoint, ContactPoints, MAX_POINTS};
use crate::pairs::contact_frame;
use ligament_math::{MINVAL, Mat3, Quat, Vec3, mat3, quat, vec3};

const MAXVAL: f64 = 1e10;

/// A signed distance field in its own frame: negative inside.
pub trait SignedDistance {
    /// Distance from the surface; negative inside.
    fn distance(&self, x: Vec3) -> f64;
    /// Direction in which the distance grows.
    fn gradient(&self, x: Vec3) -> Vec3;
    /// Told to the second field of a pair when a search of their contacts begins (0) and at its further starting points.
    fn descends(&self, starting_point: usize) {
        let _ = starting_point;
    }
}

/// Fields of the primitive shapes; `size` as in [`crate::shape::Solid`].
#[derive(Debug, Clone, Copy)]
pub enum Primitive {
    /// Half space below z = 0.
    Plane,
    /// Ball.
    Sphere(Vec3),
    /// Cylinder with round ends.
    Capsule(Vec3),
    /// Ellipsoid.
    Ellipsoid(Vec3),
    /// Cylinder.
    Cylinder(Vec3),
    /// Box.
    Cuboid(Vec3),
}

/// Unit field inside a box that turns from radial to the face normals.
fn radial_field(a: Vec3, x: Vec3, size: Vec3) -> Vec3 {
    let field = vec3::unit(std::array::from_fn(|k| -size[k] / a[k]));
    std::array::from_fn(|k| if x[k] < 0.0 { -field[k] } else { field[k] })
}

/// From the segment of a capsule to the point.
fn off_segment(x: Vec3, half: f64) -> Vec3 {
    let z = if x[2] < -half {
        -half
    } else if x[2] > half {
        half
    } else {
        x[2]
    };
    [x[0], x[1], x[2] - z]
}

impl SignedDistance for Primitive {
    fn distance(&self, x: Vec3) -> f64 {
        match *self {
            Self::Plane => x[2],
            Self::Sphere(size) => vec3::norm(x) - size[0],
            Self::Capsule(size) => vec3::norm(off_segment(x, size[1])) - size[0],
            Self::Ellipsoid(size) => {
                let a: Vec3 = std::array::from_fn(|k| x[k] / size[k]);
                let b: Vec3 = std::array::from_fn(|k| a[k] / size[k]);
                let (k0, k1) = (vec3::norm(a), vec3::norm(b));
                k0 * (k0 - 1.0) / k1
            }
            Self::Cylinder(size) => {
                let a = [(x[0] * x[0] + x[1] * x[1]).sqrt() - size[0], x[2].abs() - size[1]];
                let b = [a[0].max(0.0), a[1].max(0.0)];
                a[0].max(a[1]).min(0.0) + (b[0] * b[0] + b[1] * b[1]).sqrt()
            }
            Self::Cuboid(size) => {
                let a: Vec3 = std::array::from_fn(|k| x[k].abs() - size[k]);
                if a.iter().any(|&h| h >= 0.0) {
                    return vec3::norm(a.map(|h| h.max(0.0))) + a[0].max(a[1].max(a[2])).min(0.0);
                }
                let field = radial_field(a, x, size);
                let t: Vec3 = std::array::from_fn(|k| -a[k] / field[k].abs());
                -t[0].min(t[1].min(t[2])) * vec3::norm(field)
            }
        }
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        match *self {
            Self::Plane => [0.0, 0.0, 1.0],
            Self::Sphere(_) => vec3::scale(x, 1.0 / vec3::norm(x)),
            Self::Capsule(size) => {
                let a = off_segment(x, size[1]);
                let c = vec3::norm(a);
                a.map(|v| v / c)
            }
            Self::Ellipsoid(size) => ellipsoid_gradient(x, size),
            Self::Cylinder(size) => cylinder_gradient(x, size),
            Self::Cuboid(size) => {
                let a: Vec3 = std::array::from_fn(|k| x[k].abs() - size[k]);
                if a[0].max(a[1]).max(a[2]) < 0.0 {
                    return radial_field(a, x, size);
                }
                let b = a.map(|h| h.max(0.0));
                let c = vec3::norm(b);
                std::array::from_fn(|k| if a[k] > 0.0 { b[k] / c * x[k] / x[k].abs() } else { 0.0 })
            }
        }
    }
}

fn ellipsoid_gradient(x: Vec3, size: Vec3) -> Vec3 {
    let a: Vec3 = std::array::from_fn(|k| x[k] / size[k]);
    let b: Vec3 = std::array::from_fn(|k| a[k] / size[k]);
    let (k0, k1) = (vec3::norm(a), vec3::norm(b));
    let (inv0, inv1) = (1.0 / k0, 1.0 / k1);
    let by_k0 = (2.0 * k0 - 1.0) * inv1;
    let by_k1 = k0 * (k0 - 1.0) * inv1 * inv1;
    vec3::unit(std::array::from_fn(|k| b[k] * inv0 * by_k0 - b[k] * inv1 / (size[k] * size[k]) * by_k1))
}

fn cylinder_gradient(x: Vec3, size: Vec3) -> Vec3 {
    let (c, e) = ((x[0] * x[0] + x[1] * x[1]).sqrt(), x[2].abs());
    let a = [c - size[0], e - size[1]];
    let (c, e) = (c.max(1.0 / MAXVAL), e.max(1.0 / MAXVAL));
    let unit = [x[0] / c, x[1] / c, x[2] / e];
    let wall = a[0] > a[1];
    if a[0].max(a[1]) < 0.0 {
        return if wall { [unit[0], unit[1], 0.0] } else { [0.0, 0.0, unit[2]] };
    }
    let b = [a[0].max(0.0), a[1].max(0.0)];
    let norm = (b[0] * b[0] + b[1] * b[1]).sqrt().max(1.0 / MAXVAL);
    [unit[0] * b[0] / norm, unit[1] * b[0] / norm, unit[2] * b[1] / norm]
}

/// Distance field of a mesh, interpolated from the corners of octree cells.
#[derive(Debug, Clone, Copy)]
pub struct OctreeField<'a> {
    /// Centre and half extents of the cells; the first is the root.
    pub aabb: &'a [[f64; 6]],
    /// Children of each node.
    pub child: &'a [[i32; 8]],
    /// Distances at the corners.
    pub coeff: &'a [[f64; 8]],
}

impl OctreeField<'_> {
    /// Moves a point into the root cell, returns its distance from it (not positive: inside).
    fn project(&self, x: &mut Vec3) -> f64 {
        const EPS: f64 = 1e-6;
        let root = &self.aabb[0];
        let r: Vec3 = std::array::from_fn(|k| x[k] - root[k]);
        let q: Vec3 = std::array::from_fn(|k| r[k].abs() - root[3 + k]);
        if q.iter().all(|&h| h <= 0.0) {
            return q[0].max(q[1].max(q[2]));
        }
        let mut dist_sqr = 0.0;
        for k in 0..3 {
            if q[k] >= 0.0 {
                dist_sqr += q[k] * q[k];
                x[k] -= if r[k] > 0.0 { q[k] + EPS } else { -(q[k] + EPS) };
            }
        }
        dist_sqr.sqrt()
    }

    /// The leaf around a point and the point's coordinates in it, in [0, 1].
    fn leaf(&self, x: Vec3) -> Option<(usize, Vec3)> {
        const EPS: f64 = 1e-8;
        const MAX_DEPTH: usize = 100;
        let mut node = 0;
        for _ in 0..MAX_DEPTH {
            let cell = self.aabb.get(node)?;
            let min: Vec3 = std::array::from_fn(|k| cell[k] - cell[3 + k]);
            let max: Vec3 = std::array::from_fn(|k| cell[k] + cell[3 + k]);
            if (0..3).any(|k| x[k] + EPS < min[k] || x[k] - EPS > max[k]) {
                return None;
            }
            let coord: Vec3 = std::array::from_fn(|k| (x[k] - min[k]) / (max[k] - min[k]));
            let child = self.child.get(node)?;
            if child.iter().all(|&c| c == -1) {
                return Some((node, coord));
            }
            let upper = |k: usize| usize::from(coord[k] >= 0.5);
            node = usize::try_from(child[4 * upper(2) + 2 * upper(1) + upper(0)]).ok()?;
        }
        None
    }

    /// Σ coefficient · Π weight(axis, upper) over the corners of a cell.
    fn sum(&self, node: usize, weight: impl Fn(usize, bool) -> f64) -> f64 {
        (0..8).fold(0.0, |sum, j| {
            let w = weight(0, j & 1 != 0) * weight(1, j & 2 != 0) * weight(2, j & 4 != 0);
            sum + w * self.coeff[node][j]
        })
    }
}

impl SignedDistance for OctreeField<'_> {
    fn distance(&self, x: Vec3) -> f64 {
        let mut inner = x;
        let outside = self.project(&mut inner);
        let Some((node, coord)) = self.leaf(inner) else { return MAXVAL };
        let value = self.sum(node, |k, upper| if upper { coord[k] } else { 1.0 - coord[k] });
        if outside > 0.0 { value + outside } else { value }
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        let mut inner = x;
        if self.project(&mut inner) <= 0.0 {
            let Some((node, coord)) = self.leaf(inner) else { return [f64::NAN; 3] };
            // derivative with respect to the cell coordinates, as in the reference
            return std::array::from_fn(|axis| {
                self.sum(node, |k, upper| match (k == axis, upper) {
                    (true, true) => 1.0,
                    (true, false) => -1.0,
                    (false, true) => coord[k],
                    (false, false) => 1.0 - coord[k],
                })
            });
        }
        const EPS: f64 = 1e-8;
        let here = self.distance(x);
        std::array::from_fn(|k| {
            let mut moved = x;
            moved[k] += EPS;
            (self.distance(moved) - here) / EPS
        })
    }
}

/// The first field in its frame, the second placed relative to it.
struct FieldPair<'a> {
    first: &'a dyn SignedDistance,
    second: &'a dyn SignedDistance,
    /// From the first frame to the second.
    pos: Vec3,
    mat: Mat3,
}

#[derive(Clone, Copy)]
enum Objective {
    Collision,
    Intersection,
}

impl FieldPair<'_> {
    fn to_second(&self, x: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.mat, x), self.pos)
    }

    fn values(&self, x: Vec3) -> (f64, f64) {
        (self.first.distance(x), self.second.distance(self.to_second(x)))
    }

    fn second_gradient(&self, x: Vec3) -> Vec3 {
        mat3::mul_vec_t(&self.mat, self.second.gradient(self.to_second(x)))
    }

    fn value(&self, objective: Objective, x: Vec3) -> f64 {
        let (a, b) = self.values(x);
        match objective {
            Objective::Collision => a + b + a.max(b).abs(),
            Objective::Intersection => a.max(b),
        }
    }

    fn gradient(&self, objective: Objective, x: Vec3) -> Vec3 {
        let (a, b) = self.values(x);
        match objective {
            Objective::Collision => {
                let (g1, g2) = (self.first.gradient(x), self.second_gradient(x));
                let sign = if a.max(b) > 0.0 { 1.0 } else { -1.0 };
                vec3::add_scaled(vec3::add(g1, g2), if a > b { g1 } else { g2 }, sign)
            }
            Objective::Intersection if a > b => self.first.gradient(x),
            Objective::Intersection => self.second_gradient(x),
        }
    }

    /// Normal of the surface on which both distances are equal.
    fn mid_surface_normal(&self, x: Vec3) -> Vec3 {
        let g1 = vec3::unit(self.first.gradient(x));
        let g2 = vec3::unit(self.second_gradient(x));
        vec3::unit(vec3::sub(g1, g2))
    }

    /// Gradient descent with backtracking; returns the last value.
    fn descend(&self, objective: Objective, x: &mut Vec3, iterations: usize) -> f64 {
        const DECREASE: f64 = 0.1;
        const SHRINK: f64 = 0.5;
        const MIN_STEP: f64 = 1e-4;
        let mut dist = MAXVAL;
        for _ in 0..iterations {
            let grad = self.gradient(objective, *x);
            if !grad.iter().all(|&g| (-MAXVAL..=MAXVAL).contains(&g)) {
                return MAXVAL;
            }
            let start = *x;
            let dist0 = self.value(objective, start);
            let mut step = 2.0;
            let mut wolfe = -DECREASE * step * vec3::dot(grad, grad);
            loop {
                step *= SHRINK;
                wolfe *= SHRINK;
                *x = vec3::add_scaled(start, grad, -step);
                dist = self.value(objective, *x);
                if !(step > MIN_STEP && dist - dist0 > wolfe) {
                    break;
                }
            }
            if dist0 < dist {
                return dist;
            }
        }
        dist
    }
}

/// A field with its pose and bounding box (centre, half extents) in its frame.
pub struct FieldBody<'a> {
    /// Its distance field.
    pub field: &'a dyn SignedDistance,
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: &'a Mat3,
    /// Bounds in its own frame: centre and half sizes.
    pub aabb: [f64; 6],
}

/// Pose of frame 1 seen from frame 2.
fn relative_pose(pos1: Vec3, quat1: Quat, pos2: Vec3, quat2: Quat) -> (Vec3, Mat3) {
    let inverse = quat::conj(quat2);
    let inverse_pos = vec3::scale(quat::rotate(inverse, pos2), -1.0);
    let mut turn = quat::mul(inverse, quat1);
    quat::normalize(&mut turn);
    (vec3::add(quat::rotate(inverse, pos1), inverse_pos), quat::to_mat(turn))
}

/// Common part of both bounding boxes in the first frame; `None` when there is none.
fn common_box(a: &FieldBody, b: &FieldBody, pos: Vec3, mat: &Mat3) -> Option<(Vec3, Vec3)> {
    let corner = |aabb: &[f64; 6], i: usize| -> Vec3 {
        std::array::from_fn(|k| if i & (1 << k) != 0 { aabb[k] + aabb[3 + k] } else { aabb[k] - aabb[3 + k] })
    };
    let bounds = |points: &dyn Fn(usize) -> Vec3| {
        (0..8).fold(([MAXVAL; 3], [-MAXVAL; 3]), |(min, max), i| {
            let p = points(i);
            (std::array::from_fn(|k| f64::min(min[k], p[k])), std::array::from_fn(|k| f64::max(max[k], p[k])))
        })
    };
    let (min1, max1) = bounds(&|i| corner(&a.aabb, i));
    let (min2, max2) = bounds(&|i| vec3::add(mat3::mul_vec(mat, corner(&b.aabb, i)), pos));
    let min: Vec3 = std::array::from_fn(|k| f64::max(min1[k], min2[k]));
    let max: Vec3 = std::array::from_fn(|k| f64::min(max1[k], max2[k]));
    (0..3).all(|k| max[k] >= min[k]).then_some((min, max))
}

/// Van der Corput sequence in a base.
pub fn halton(index: usize, base: usize) -> f64 {
    let b = base as f64;
    let (mut n, mut f, mut sum) = (index, 1.0 / b, 0.0);
    while n > 0 {
        sum += f * (n % base) as f64;
        f /= b;
        n /= base;
    }
    sum
}

/// Contacts of two fields; normals point from `a` to `b`.
pub fn sdf_sdf(
    a: &FieldBody,
    b: &FieldBody,
    start_points: usize,
    iterations: usize,
    out: &mut ContactPoints,
) {
    let (quat1, quat2) = (quat::from_mat(a.mat), quat::from_mat(b.mat));
    let (pos21, mat21) = relative_pose(b.pos, quat2, a.pos, quat1);
    let (pos12, mat12) = relative_pose(a.pos, quat1, b.pos, quat2);
    let (pos11, mat11) = relative_pose(a.pos, quat1, a.pos, quat1);
    let Some((min, max)) = common_box(a, b, pos21, &mat21) else { return };
    // the search runs in the frame of `b`
    let pair = FieldPair { first: b.field, second: a.field, pos: pos21, mat: mat21 };
    let first = out.len();
    let mut known = [[0.0; 3]; MAX_POINTS];
    for i in 0..start_points {
        let unit = [halton(i, 2), halton(i, 3), halton(i, 5)];
        let start: Vec3 = std::array::from_fn(|k| min[k] + (max[k] - min[k]) * unit[k]);
        let start = vec3::add(mat3::mul_vec(&mat11, start), pos11);
        let mut x = vec3::add(mat3::mul_vec(&mat12, start), pos12);
        b.field.descends(i);
        pair.descend(Objective::Collision, &mut x, iterations);
        let dist = pair.descend(Objective::Intersection, &mut x, 1);
        let count = out.len() - first;
        let repeated = known[..count].iter().any(|&p| vec3::distance(p, x) < MINVAL);
        if dist > 0.0 || dist.is_nan() || repeated {
            continue;
        }
        known[count] = x;
        let local_normal = vec3::scale(pair.mid_surface_normal(x), -1.0);
        let frame = contact_frame(quat::rotate(quat2, local_normal), [0.0; 3]);
        let normal = mat3::row(&frame, 0);
        let surface = vec3::add(quat::rotate(quat2, x), b.pos);
        let pos = vec3::add(surface, vec3::scale(normal, -dist / 2.0));
        out.push(ContactPoint { dist, pos, normal, tangent: mat3::row(&frame, 1) });
        if count + 1 >= MAX_POINTS {
            return;
        }
    }
}
