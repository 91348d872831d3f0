//! Penetration by Minkowski portal refinement (Snethen, "XenoCollide", Game Programming Gems 7, 2008), used when the
//! native algorithm is switched off. Follows the variant of libccd, including its comparisons.

use crate::convex::{Convex, Kind, climb};
use ligament_math::{MINVAL, Vec3, vec3};

const EPS: f64 = f64::EPSILON;
/// The portal search normally ends within a few steps; this bounds it for broken input.
const MAX_PORTAL_STEPS: usize = 1000;

/// Depth, direction (first towards second shape) and position of a penetration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    pub depth: f64,
    pub dir: Vec3,
    pub pos: Vec3,
}

#[derive(Debug, Clone, Copy, Default)]
struct Vertex {
    v: Vec3,
    on_a: Vec3,
    on_b: Vec3,
}

fn is_zero(x: f64) -> bool {
    x.abs() < EPS
}

fn equal(a: f64, b: f64) -> bool {
    let diff = (a - b).abs();
    diff < EPS || diff < EPS * a.abs().max(b.abs())
}

fn is_origin(v: Vec3) -> bool {
    v.iter().all(|&x| equal(x, 0.0))
}

/// Scales by the inverse length, without guard.
fn normalized(v: Vec3) -> Vec3 {
    vec3::scale(v, 1.0 / vec3::norm(v))
}

fn sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))
}

/// Support point with libccd's conventions: half of the margin is added in the local frame.
fn shape_support(shape: &mut Convex, dir: Vec3) -> Vec3 {
    let local = shape.local_direction(dir);
    let size = shape.size;
    let mut point = match shape.kind {
        Kind::Prism(_) | Kind::Simplex(..) | Kind::Point | Kind::Segment => return shape.bare_support(dir),
        Kind::Sphere => vec3::scale(local, size[0]),
        Kind::Capsule => {
            let p = vec3::scale(local, size[0]);
            [p[0], p[1], p[2] + sign(local[2]) * size[1]]
        }
        Kind::Ellipsoid => {
            let unit = vec3::unit([local[0] * size[0], local[1] * size[1], local[2] * size[2]]);
            [unit[0] * size[0], unit[1] * size[1], unit[2] * size[2]]
        }
        Kind::Cylinder => {
            let r = (local[0] * local[0] + local[1] * local[1]).sqrt();
            let z = sign(local[2]) * size[1];
            if r > MINVAL { [local[0] / r * size[0], local[1] / r * size[0], z] } else { [0.0, 0.0, z] }
        }
        Kind::Cuboid => std::array::from_fn(|k| sign(local[k]) * size[k]),
        Kind::Mesh(mesh) => {
            let best = match &mesh.graph {
                Some(graph) => {
                    let start = shape.hint.unwrap_or(0);
                    let hull = climb(mesh, graph, local, start, mesh.project(graph.vertex(start), local));
                    shape.hint = Some(hull);
                    graph.vertex(hull)
                }
                None => (0..mesh.vert.len()).fold(0, |best, i| {
                    if mesh.project(i, local) > mesh.project(best, local) { i } else { best }
                }),
            };
            mesh.vertex(best)
        }
    };
    for k in 0..3 {
        point[k] += local[k] * shape.margin / 2.0;
    }
    shape.world_point(point)
}

fn support(a: &mut Convex, b: &mut Convex, dir: Vec3) -> Vertex {
    let on_a = shape_support(a, dir);
    let on_b = shape_support(b, vec3::neg(dir));
    Vertex { v: vec3::sub(on_a, on_b), on_a, on_b }
}

#[expect(clippy::large_enum_variant)] // lives on the stack for a moment; a box would allocate
enum Portal {
    Apart,
    /// The origin is the support point.
    Touch,
    /// The origin lies between centre and support point.
    Segment(Vertex),
    /// Centre and the three corners of a portal towards the origin.
    Found([Vertex; 4]),
}

/// Penetration of two shapes; `None` when they are apart or the direction is undefined.
pub fn penetration(
    a: &mut Convex,
    b: &mut Convex,
    tolerance: f64,
    max_iterations: usize,
) -> Option<Penetration> {
    let middle = |v: &Vertex| vec3::scale(vec3::add(v.on_a, v.on_b), 0.5);
    let hit = match discover(a, b) {
        Portal::Apart | Portal::Touch => return None,
        Portal::Segment(vertex) => {
            Penetration { depth: vec3::norm(vertex.v), dir: normalized(vertex.v), pos: middle(&vertex) }
        }
        Portal::Found(mut portal) => {
            if !refine(&mut portal, a, b, tolerance) {
                return None;
            }
            measure(&mut portal, a, b, tolerance, max_iterations)
        }
    };
    (!is_origin(hit.dir)).then_some(hit)
}

fn behind(dot: f64) -> bool {
    is_zero(dot) || dot < 0.0 || dot.is_nan()
}

/// A portal: three points of the difference whose triangle the ray from the centre to the origin passes.
fn discover(a: &mut Convex, b: &mut Convex) -> Portal {
    let (on_a, on_b) = (a.center(), b.center());
    let mut center = Vertex { v: vec3::sub(on_a, on_b), on_a, on_b };
    if is_origin(center.v) {
        center.v[0] += EPS * 10.0;
    }
    let mut dir = normalized(vec3::scale(center.v, -1.0));
    let mut p1 = support(a, b, dir);
    if behind(vec3::dot(p1.v, dir)) {
        return Portal::Apart;
    }
    dir = vec3::cross(center.v, p1.v);
    if is_zero(vec3::dot(dir, dir)) {
        return if is_origin(p1.v) { Portal::Touch } else { Portal::Segment(p1) };
    }
    dir = normalized(dir);
    let mut p2 = support(a, b, dir);
    if behind(vec3::dot(p2.v, dir)) {
        return Portal::Apart;
    }
    let across = |p1: &Vertex, p2: &Vertex| {
        normalized(vec3::cross(vec3::sub(p1.v, center.v), vec3::sub(p2.v, center.v)))
    };
    dir = across(&p1, &p2);
    if vec3::dot(dir, center.v) > 0.0 {
        std::mem::swap(&mut p1, &mut p2);
        dir = vec3::scale(dir, -1.0);
    }
    for _ in 0..MAX_PORTAL_STEPS {
        let p3 = support(a, b, dir);
        if behind(vec3::dot(p3.v, dir)) {
            return Portal::Apart;
        }
        let outside = |u: Vec3, v: Vec3| {
            let dot = vec3::dot(vec3::cross(u, v), center.v);
            dot < 0.0 && !is_zero(dot)
        };
        if outside(p1.v, p3.v) {
            p2 = p3;
        } else if outside(p3.v, p2.v) {
            p1 = p3;
        } else {
            return Portal::Found([center, p1, p2, p3]);
        }
        dir = across(&p1, &p2);
    }
    Portal::Apart
}

fn portal_dir(p: &[Vertex; 4]) -> Vec3 {
    normalized(vec3::cross(vec3::sub(p[2].v, p[1].v), vec3::sub(p[3].v, p[1].v)))
}

fn reaches_tolerance(p: &[Vertex; 4], v4: Vec3, dir: Vec3, tolerance: f64) -> bool {
    let d4 = vec3::dot(v4, dir);
    let gap = (1..4).map(|i| d4 - vec3::dot(p[i].v, dir)).fold(f64::INFINITY, f64::min);
    equal(gap, tolerance) || gap < tolerance
}

/// Replaces one corner by a point beyond the portal.
fn expand(p: &mut [Vertex; 4], v4: Vertex) {
    let across = vec3::cross(v4.v, p[0].v);
    let which = if vec3::dot(p[1].v, across) > 0.0 {
        if vec3::dot(p[2].v, across) > 0.0 { 1 } else { 3 }
    } else if vec3::dot(p[3].v, across) > 0.0 {
        2
    } else {
        1
    };
    p[which] = v4;
}

/// Moves the portal out until the origin is behind it. False when it never is.
fn refine(p: &mut [Vertex; 4], a: &mut Convex, b: &mut Convex, tolerance: f64) -> bool {
    for _ in 0..MAX_PORTAL_STEPS {
        let dir = portal_dir(p);
        if !behind(vec3::dot(dir, p[1].v)) || is_zero(vec3::dot(dir, p[1].v)) {
            return true;
        }
        let v4 = support(a, b, dir);
        let dot = vec3::dot(v4.v, dir);
        if !(is_zero(dot) || dot > 0.0) || reaches_tolerance(p, v4.v, dir, tolerance) {
            return false;
        }
        expand(p, v4);
    }
    false
}

/// Moves the portal to the surface and measures there.
fn measure(
    p: &mut [Vertex; 4],
    a: &mut Convex,
    b: &mut Convex,
    tolerance: f64,
    max_iterations: usize,
) -> Penetration {
    let mut iterations = 0;
    loop {
        let dir = portal_dir(p);
        let v4 = support(a, b, dir);
        if reaches_tolerance(p, v4.v, dir, tolerance) || iterations > max_iterations {
            let (dist2, nearest) = nearest_on_triangle(p[1].v, p[2].v, p[3].v);
            let depth = dist2.sqrt();
            // touching: there is no direction
            let normal = if is_zero(depth) { [0.0; 3] } else { normalized(nearest) };
            return Penetration { depth, dir: normal, pos: position(p, dir) };
        }
        expand(p, v4);
        iterations += 1;
    }
}

/// Weights the corners by the position of the origin in their tetrahedron.
fn position(p: &[Vertex; 4], dir: Vec3) -> Vec3 {
    let triple = |i: usize, j: usize, k: Vec3| vec3::dot(vec3::cross(p[i].v, p[j].v), k);
    let mut b = [triple(1, 2, p[3].v), triple(3, 2, p[0].v), triple(0, 1, p[3].v), triple(2, 1, p[0].v)];
    let mut sum = b[0] + b[1] + b[2] + b[3];
    if is_zero(sum) || sum < 0.0 {
        b = [0.0, triple(2, 3, dir), triple(3, 1, dir), triple(1, 2, dir)];
        sum = b[1] + b[2] + b[3];
    }
    let inv = 1.0 / sum;
    let (mut on_a, mut on_b) = ([0.0; 3], [0.0; 3]);
    for i in 0..4 {
        on_a = vec3::add_scaled(on_a, p[i].on_a, b[i]);
        on_b = vec3::add_scaled(on_b, p[i].on_b, b[i]);
    }
    vec3::scale(vec3::add(vec3::scale(on_a, inv), vec3::scale(on_b, inv)), 0.5)
}

/// Squared distance of the origin from a triangle, and the nearest point.
fn nearest_on_triangle(x0: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3) {
    let (d1, d2) = (vec3::sub(b, x0), vec3::sub(c, x0));
    let (v, w) = (vec3::dot(d1, d1), vec3::dot(d2, d2));
    let (p, q, r) = (vec3::dot(x0, d1), vec3::dot(x0, d2), vec3::dot(d1, d2));
    let d = w * v - r * r;
    let (s, t) = if is_zero(d) {
        (-1.0, -1.0)
    } else {
        let s = (q * r - w * p) / d;
        (s, (-s * r - q) / w)
    };
    let in_unit = |x: f64| (is_zero(x) || x > 0.0) && (equal(x, 1.0) || x < 1.0);
    if in_unit(s) && in_unit(t) && (equal(t + s, 1.0) || t + s < 1.0) {
        let point = vec3::add(vec3::add(x0, vec3::scale(d1, s)), vec3::scale(d2, t));
        return (vec3::dot(point, point), point);
    }
    [(x0, c), (b, c)].into_iter().fold(nearest_on_segment(x0, b), |best, (u, v)| {
        let other = nearest_on_segment(u, v);
        if other.0 < best.0 { other } else { best }
    })
}

fn nearest_on_segment(x0: Vec3, b: Vec3) -> (f64, Vec3) {
    let d = vec3::sub(b, x0);
    let t = -vec3::dot(x0, d) / vec3::dot(d, d);
    let point = if t < 0.0 || is_zero(t) {
        x0
    } else if t > 1.0 || equal(t, 1.0) {
        b
    } else {
        vec3::add(vec3::scale(d, t), x0)
    };
    (vec3::dot(point, point), point)
}

/// Replaces the normal by the surface normals of round shapes at the contact, where these are known; flat and unknown
/// shapes keep it. Averages when both have one.
pub fn fixed_normal(a: Option<&Convex>, b: Option<&Convex>, pos: Vec3, normal: Vec3) -> Vec3 {
    let first = a.and_then(|shape| surface_normal(shape, pos, normal));
    let second = b.and_then(|shape| surface_normal(shape, pos, vec3::neg(normal)));
    match (first, second) {
        (Some(n1), Some(n2)) => vec3::unit(vec3::sub(n1, n2)),
        (Some(n1), None) => n1,
        (None, Some(n2)) => vec3::scale(n2, -1.0),
        (None, None) => normal,
    }
}

fn surface_normal(shape: &Convex, pos: Vec3, normal: Vec3) -> Option<Vec3> {
    let local = shape.local_direction(vec3::sub(pos, shape.pos));
    let size = shape.size;
    let direction = match shape.kind {
        Kind::Sphere => local,
        Kind::Capsule => {
            let z = local[2];
            let over = if z < -size[1] {
                z + size[1]
            } else if z > size[1] {
                z - size[1]
            } else {
                0.0
            };
            [local[0], local[1], over]
        }
        Kind::Ellipsoid => {
            if size.iter().any(|&s| s < MINVAL) {
                return None;
            }
            let level: f64 = (0..3).map(|k| local[k] * local[k] / (size[k] * size[k])).sum();
            if level <= 1.0 {
                ellipsoid_normal_inside(shape.local_direction(normal), local, size)?
            } else {
                ellipsoid_normal_outside(local, size)
            }
        }
        Kind::Cylinder => {
            let to_cap = (size[1] - local[2].abs()).abs();
            let to_wall = (size[0] - (local[0] * local[0] + local[1] * local[1]).sqrt()).abs();
            if local[2].abs() > 0.95 * size[1] || to_cap < 0.25 * to_wall {
                return None;
            }
            [local[0], local[1], 0.0]
        }
        _ => return None,
    };
    Some(ligament_math::mat3::mul_vec(&shape.mat, vec3::unit(direction)))
}

/// Normal above an inner point: repeated projection along the current normal.
fn ellipsoid_normal_inside(normal: Vec3, pos: Vec3, size: Vec3) -> Option<Vec3> {
    let inv = size.map(|s| 1.0 / (s * s));
    let weighted = |u: Vec3, v: Vec3| u[0] * v[0] * inv[0] + u[1] * v[1] * inv[1] + u[2] * v[2] * inv[2];
    let c = weighted(pos, pos) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut n = vec3::unit(normal);
    for iteration in 0..30 {
        let (a, b) = (weighted(n, n), weighted(pos, n));
        let det = b * b - a * c;
        let x = (-b + det.sqrt()) / a;
        if det < MINVAL || a < MINVAL || x < 0.0 {
            return (iteration > 0).then_some(n);
        }
        let point = vec3::add_scaled(pos, n, x);
        let new = vec3::unit([point[0] * inv[0], point[1] * inv[1], point[2] * inv[2]]);
        let change = vec3::distance(n, new);
        n = new;
        if change < 1e-6 {
            break;
        }
    }
    Some(n)
}

/// Normal below an outer point: Newton on the multiplier of the projection.
fn ellipsoid_normal_outside(pos: Vec3, size: Vec3) -> Vec3 {
    const TOLERANCE: f64 = 1e-6;
    let s2 = size.map(|s| s * s);
    let ps2 = [pos[0] * pos[0] * s2[0], pos[1] * pos[1] * s2[1], pos[2] * pos[2] * s2[2]];
    let mut la = 0.0;
    for _ in 0..30 {
        let r = s2.map(|s| 1.0 / (s + la));
        let value = ps2[0] * r[0] * r[0] + ps2[1] * r[1] * r[1] + ps2[2] * r[2] * r[2] - 1.0;
        let slope =
            -2.0 * (ps2[0] * r[0] * r[0] * r[0] + ps2[1] * r[1] * r[1] * r[1] + ps2[2] * r[2] * r[2] * r[2]);
        if value < TOLERANCE || slope > -MINVAL || -value / slope < TOLERANCE {
            break;
        }
        la += -value / slope;
    }
    [pos[0] / (s2[0] + la), pos[1] / (s2[1] + la), pos[2] / (s2[2] + la)]
}
