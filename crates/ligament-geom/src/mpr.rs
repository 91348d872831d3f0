//! Penetration by Minkowski portal refinement (Snethen, "XenoCollide: Complex Collision Made Simple", Game Programming
//! Gems 7, 2008), used when the native algorithm is switched off.
//!
//! Seen from a point inside the Minkowski difference, the origin lies behind some triangle of surface points, the
//! portal. The portal is pushed outwards until no support point is farther out; what is left between it and the
//! origin is the penetration. Thresholds and the way the result is measured are those of libccd, which MuJoCo calls.

use crate::convex::{Convex, Kind, climb, steps_of_search};
use ligament_math::{MINVAL, Vec3, vec3};

/// Numbers closer to zero than this count as zero.
const EPS: f64 = f64::EPSILON;
/// A portal is normally found and passed within a few steps; this bounds broken input.
const MAX_STEPS: usize = 1000;

/// Depth, direction (first towards second shape) and position of a penetration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Penetration {
    /// Depth of penetration.
    pub depth: f64,
    /// Direction of separation.
    pub dir: Vec3,
    /// A point in both shapes.
    pub pos: Vec3,
}

/// Penetration of two shapes; `None` when they are apart or the direction is undefined. Adds the iterations to `steps`.
pub fn penetration(
    a: &mut Convex,
    b: &mut Convex,
    tolerance: f64,
    max_iterations: usize,
    steps: &mut u64,
) -> Option<Penetration> {
    let mut pair = Pair { a, b, steps };
    let hit = match pair.aim()? {
        Aim::Ray(sample) => {
            Penetration { depth: vec3::norm(sample.diff), dir: direction(sample.diff), pos: sample.middle() }
        }
        Aim::Portal(portal) => pair.push_outwards(portal, tolerance, max_iterations)?,
    };
    (!is_origin(hit.dir)).then_some(hit)
}

/// A point of the difference of two shapes, and the points it is the difference of.
#[derive(Debug, Clone, Copy)]
struct Sample {
    diff: Vec3,
    on_a: Vec3,
    on_b: Vec3,
}

impl Sample {
    fn new(on_a: Vec3, on_b: Vec3) -> Self {
        Self { diff: vec3::sub(on_a, on_b), on_a, on_b }
    }

    fn middle(&self) -> Vec3 {
        vec3::scale(vec3::add(self.on_a, self.on_b), 0.5)
    }
}

/// Where the origin was found to be.
#[expect(clippy::large_enum_variant)] // lives on the stack for a moment; a box would allocate
enum Aim {
    /// Between the centre and this support point.
    Ray(Sample),
    /// In the cone from the centre through a portal.
    Portal(Portal),
}

/// A triangle of the difference that the ray from an inner point to the origin passes.
struct Portal {
    inner: Sample,
    corners: [Sample; 3],
}

impl Portal {
    /// Unit normal, away from the inner point.
    fn normal(&self) -> Vec3 {
        let [a, b, c] = self.corners.map(|corner| corner.diff);
        direction(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)))
    }

    /// Is a support point along the normal no farther out than the portal itself?
    fn is_surface(&self, farthest: Vec3, normal: Vec3, tolerance: f64) -> bool {
        let reach = vec3::dot(farthest, normal);
        let gap = self
            .corners
            .iter()
            .map(|corner| reach - vec3::dot(corner.diff, normal))
            .fold(f64::INFINITY, f64::min);
        gap - tolerance < EPS * gap.abs().max(tolerance.abs()).max(1.0)
    }

    /// Puts a point beyond the portal in the place of that corner which keeps the origin in sight: planes through
    /// the inner point and the new one divide the three smaller portals.
    fn narrow(&mut self, farther: Sample) {
        let divider = vec3::cross(farther.diff, self.inner.diff);
        let ahead = |corner: usize| vec3::dot(self.corners[corner].diff, divider) > 0.0;
        let replaced = match ahead(0) {
            true if !ahead(1) => 2,
            false if ahead(2) => 1,
            _ => 0,
        };
        self.corners[replaced] = farther;
    }

    /// Where the shapes meet: points of both, weighted by the place of the origin in the tetrahedron of portal and
    /// inner point, or, if that is flat, of its shadow on the portal.
    fn contact(&self, normal: Vec3) -> Vec3 {
        let samples = [&self.inner, &self.corners[0], &self.corners[1], &self.corners[2]];
        let volume =
            |i: usize, j: usize, apex: Vec3| vec3::dot(vec3::cross(samples[i].diff, samples[j].diff), apex);
        let (inner, last) = (self.inner.diff, self.corners[2].diff);
        let mut weights = [volume(1, 2, last), volume(3, 2, inner), volume(0, 1, last), volume(2, 1, inner)];
        let mut sum = weights[0] + weights[1] + weights[2] + weights[3];
        if sum < EPS {
            weights = [0.0, volume(2, 3, normal), volume(3, 1, normal), volume(1, 2, normal)];
            sum = weights[1] + weights[2] + weights[3];
        }
        let (mut on_a, mut on_b) = ([0.0; 3], [0.0; 3]);
        for (sample, weight) in samples.into_iter().zip(weights) {
            on_a = vec3::add_scaled(on_a, sample.on_a, weight);
            on_b = vec3::add_scaled(on_b, sample.on_b, weight);
        }
        let scale = 1.0 / sum;
        vec3::scale(vec3::add(vec3::scale(on_a, scale), vec3::scale(on_b, scale)), 0.5)
    }
}

struct Pair<'s, 'a, 'b> {
    a: &'s mut Convex<'a>,
    b: &'s mut Convex<'b>,
    /// Support points so far.
    steps: &'s mut u64,
}

impl Pair<'_, '_, '_> {
    fn farthest(&mut self, dir: Vec3) -> Sample {
        let sample = Sample::new(support(self.a, dir), support(self.b, vec3::neg(dir)));
        *self.steps += 1 + self.a.take_detours() + self.b.take_detours();
        sample
    }

    /// The support point along a direction, if the origin is not clearly beyond it.
    fn sighted(&mut self, dir: Vec3) -> Option<Sample> {
        let sample = self.farthest(dir);
        (vec3::dot(sample.diff, dir) >= EPS).then_some(sample)
    }

    /// First phase: a portal towards the origin. `None` when the shapes are apart or touch in a point.
    fn aim(&mut self) -> Option<Aim> {
        let mut inner = Sample::new(self.a.center(), self.b.center());
        if is_origin(inner.diff) {
            // any direction will do
            inner.diff[0] += EPS * 10.0;
        }
        let mut left = self.sighted(direction(vec3::scale(inner.diff, -1.0)))?;
        let across = vec3::cross(inner.diff, left.diff);
        if vec3::dot(across, across).abs() < EPS {
            return (!is_origin(left.diff)).then_some(Aim::Ray(left));
        }
        let mut right = self.sighted(direction(across))?;
        let turned = |left: &Sample, right: &Sample| {
            let (l, r) = (vec3::sub(left.diff, inner.diff), vec3::sub(right.diff, inner.diff));
            direction(vec3::cross(l, r))
        };
        let mut dir = turned(&left, &right);
        if vec3::dot(dir, inner.diff) > 0.0 {
            (left, right) = (right, left);
            dir = vec3::scale(dir, -1.0);
        }
        for _ in 0..MAX_STEPS {
            let third = self.sighted(dir)?;
            let misses = |u: Vec3, v: Vec3| vec3::dot(vec3::cross(u, v), inner.diff) <= -EPS;
            if misses(left.diff, third.diff) {
                right = third;
            } else if misses(third.diff, right.diff) {
                left = third;
            } else {
                return Some(Aim::Portal(Portal { inner, corners: [left, right, third] }));
            }
            dir = turned(&left, &right);
        }
        None
    }

    /// Second phase: the portal moves outwards, first past the origin (`None` if it never gets there), then, for a
    /// limited number of steps, to the surface.
    fn push_outwards(
        &mut self,
        mut portal: Portal,
        tolerance: f64,
        max_iterations: usize,
    ) -> Option<Penetration> {
        let (mut past_origin, mut steps) = (false, 0);
        loop {
            let normal = portal.normal();
            if !past_origin {
                if steps == MAX_STEPS {
                    return None;
                }
                if vec3::dot(normal, portal.corners[0].diff) > -EPS {
                    (past_origin, steps) = (true, 0);
                }
            }
            let farther = self.farthest(normal);
            let at_surface = portal.is_surface(farther.diff, normal, tolerance);
            if past_origin {
                if at_surface || steps > max_iterations {
                    return Some(measure(&portal, normal));
                }
            } else if at_surface || !(vec3::dot(farther.diff, normal) > -EPS) {
                return None;
            }
            portal.narrow(farther);
            steps += 1;
        }
    }
}

/// The penetration that a portal at the surface shows.
fn measure(portal: &Portal, normal: Vec3) -> Penetration {
    let nearest = nearest_on_triangle(portal.corners.map(|corner| corner.diff));
    let depth = vec3::dot(nearest, nearest).sqrt();
    // touching: there is no direction
    let dir = if depth < EPS { [0.0; 3] } else { direction(nearest) };
    Penetration { depth, dir, pos: portal.contact(normal) }
}

fn is_origin(v: Vec3) -> bool {
    v.iter().all(|x| x.abs() < EPS)
}

/// Unit vector; not a number for the zero vector.
fn direction(v: Vec3) -> Vec3 {
    vec3::scale(v, 1.0 / vec3::norm(v))
}

/// The point of a triangle nearest to the origin: where s and t minimise |p + s·u + t·v|², or the best point of the
/// sides when that is outside.
fn nearest_on_triangle([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (u, v) = (vec3::sub(q, p), vec3::sub(r, p));
    let (uu, vv, uv) = (vec3::dot(u, u), vec3::dot(v, v), vec3::dot(u, v));
    let (pu, pv) = (vec3::dot(p, u), vec3::dot(p, v));
    let det = vv * uu - uv * uv;
    if !(det.abs() < EPS) {
        let s = (pv * uv - vv * pu) / det;
        let t = (-s * uv - pv) / vv;
        let from_zero_to_one = |x: f64| x > -EPS && x <= 1.0 + EPS;
        if from_zero_to_one(s) && from_zero_to_one(t) && t + s <= 1.0 + EPS {
            return vec3::add(vec3::add(p, vec3::scale(u, s)), vec3::scale(v, t));
        }
    }
    let mut best = nearest_on_side(p, q);
    for other in [nearest_on_side(p, r), nearest_on_side(q, r)] {
        if vec3::dot(other, other) < vec3::dot(best, best) {
            best = other;
        }
    }
    best
}

fn nearest_on_side(from: Vec3, to: Vec3) -> Vec3 {
    let side = vec3::sub(to, from);
    let t = -vec3::dot(from, side) / vec3::dot(side, side);
    if t < EPS {
        from
    } else if t > 1.0 - EPS {
        to
    } else {
        vec3::add(vec3::scale(side, t), from)
    }
}

/// -1, 0 or 1; zero for what is no number, too.
fn sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))
}

/// The farthest point in a unit direction. Unlike [`Convex::support`], a direction along a face gets the middle of the
/// face, and half of the margin is added in the local frame.
fn support(shape: &mut Convex, dir: Vec3) -> Vec3 {
    let local = shape.local_direction(dir);
    let [x, y, z] = local;
    let size = shape.size;
    let point = match shape.kind {
        Kind::Prism(_) | Kind::Simplex(..) | Kind::Point | Kind::Segment => return shape.bare_support(dir),
        Kind::Sphere => vec3::scale(local, size[0]),
        Kind::Capsule => [x * size[0], y * size[0], z * size[0] + sign(z) * size[1]],
        Kind::Ellipsoid => {
            let unit = vec3::unit([x * size[0], y * size[1], z * size[2]]);
            [unit[0] * size[0], unit[1] * size[1], unit[2] * size[2]]
        }
        Kind::Cylinder => {
            let across = (x * x + y * y).sqrt();
            let rim = |k: f64| if across > MINVAL { k / across * size[0] } else { 0.0 };
            [rim(x), rim(y), sign(z) * size[1]]
        }
        Kind::Cuboid => [sign(x) * size[0], sign(y) * size[1], sign(z) * size[2]],
        Kind::Mesh(mesh) => {
            let best = if let Some(graph) = &mesh.graph {
                let start = shape.hint.unwrap_or(0);
                let (found, looked) = climb(mesh, graph, local, start);
                shape.detours += steps_of_search(looked);
                shape.hint = Some(found);
                graph.vertex(found)
            } else {
                let higher =
                    |best, i| if mesh.project(i, local) > mesh.project(best, local) { i } else { best };
                (0..mesh.vert.len()).fold(0, higher)
            };
            mesh.vertex(best)
        }
    };
    shape.world_point(std::array::from_fn(|k| point[k] + local[k] * shape.margin / 2.0))
}
