//! Shortest paths of tendons around spheres and cylinders.
//!
//! The path is found in the plane of a circle around the origin. Outside it consists of two tangents and an arc; with a
//! side site inside the obstacle it touches the circle from inside, in one point.

use ligament_math::{MINVAL, Mat3, Vec3, mat3, vec3};
use std::f64::consts::PI;

type Vec2 = [f64; 2];

/// What a tendon wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A ball.
    Sphere,
    /// A cylinder without ends, along z.
    Cylinder,
}

/// An arc on an obstacle: its length and its two end points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// Length of the part on the surface.
    pub length: f64,
    /// Where it meets the surface and where it leaves it.
    pub points: [Vec3; 2],
}

/// Wraps the path between two world points around an obstacle. `None` when it does not touch.
pub fn wrap(
    ends: [Vec3; 2],
    xpos: Vec3,
    xmat: &Mat3,
    radius: f64,
    obstacle: Obstacle,
    side: Option<Vec3>,
) -> Option<Arc> {
    let to_local = |world: Vec3| mat3::mul_vec_t(xmat, vec3::sub(world, xpos));
    let ends = ends.map(to_local);
    if ends.iter().any(|end| vec3::norm(*end) < MINVAL) {
        return None;
    }
    let [x_axis, y_axis] = match obstacle {
        Obstacle::Sphere => plane_through(ends),
        Obstacle::Cylinder => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let flatten = |v: Vec3| [vec3::dot(v, x_axis), vec3::dot(v, y_axis)];
    let circle = Circle { radius };
    let flat_ends = ends.map(flatten);
    let flat = match side.map(to_local) {
        Some(site) if vec3::norm(site) < radius => circle.touch_inside(flat_ends)?,
        site => circle.wrap_outside(flat_ends, site.map(|s| times(unit(flatten(s)), radius)))?,
    };
    let mut arc = Arc {
        length: flat.length,
        points: flat.points.map(|[x, y]| vec3::add(vec3::scale(x_axis, x), vec3::scale(y_axis, y))),
    };
    if obstacle == Obstacle::Cylinder {
        arc = climb(ends, arc);
    }
    arc.points = arc.points.map(|point| vec3::add(mat3::mul_vec(xmat, point), xpos));
    Some(arc)
}

/// Axes of the plane of two points and the origin; the first axis points to the first point.
fn plane_through([p, q]: [Vec3; 2]) -> [Vec3; 2] {
    let x_axis = vec3::unit(p);
    let mut normal = vec3::cross(p, q);
    if vec3::normalize(&mut normal) < MINVAL {
        // in line with the origin: any plane through the points will do
        let [x, y, z] = x_axis.map(f64::abs);
        let off_axis = if z > x && z > y {
            [1.0, 1.0, 0.0]
        } else if y > x && y > z {
            [1.0, 0.0, 1.0]
        } else {
            [0.0, 1.0, 1.0]
        };
        normal = vec3::unit(vec3::cross(x_axis, off_axis));
    }
    [x_axis, vec3::unit(vec3::cross(normal, x_axis))]
}

/// Gives a flat arc on a cylinder the height at which its ends are passed: the path climbs evenly along its unrolled
/// length.
fn climb([start, end]: [Vec3; 2], mut arc: Arc) -> Arc {
    let flat_distance = |p: Vec3, q: Vec3| {
        let (x, y) = (p[0] - q[0], p[1] - q[1]);
        (x * x + y * y).sqrt()
    };
    let before = flat_distance(start, arc.points[0]);
    let after = flat_distance(end, arc.points[1]);
    let unrolled = before + arc.length + after;
    let rise = end[2] - start[2];
    arc.points[0][2] = start[2] + rise * before / unrolled;
    arc.points[1][2] = start[2] + rise * (before + arc.length) / unrolled;
    let height = (arc.points[1][2] - arc.points[0][2]).abs();
    arc.length = (arc.length * arc.length + height * height).sqrt();
    arc
}

/// An arc in the plane of the circle.
struct FlatArc {
    length: f64,
    points: [Vec2; 2],
}

/// Sense in which a path runs around the circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Clockwise,
    Anticlockwise,
}

/// A way around the circle: where it arrives there and where it leaves.
struct Route {
    turn: Turn,
    points: [Vec2; 2],
    /// The two straight parts cross: no path.
    crossing: bool,
}

/// Around the origin.
struct Circle {
    radius: f64,
}

impl Circle {
    /// Path around the outside; `None` when the straight line is free. A side site must be passed on its side.
    fn wrap_outside(&self, ends: [Vec2; 2], side: Option<Vec2>) -> Option<FlatArc> {
        let square = self.radius * self.radius;
        if ends.iter().any(|end| dot(*end, *end) < square) || self.radius < MINVAL {
            return None;
        }
        let segment = minus(ends[1], ends[0]);
        let length2 = dot(segment, segment);
        if length2 < MINVAL {
            return None;
        }
        let along = (-dot(segment, ends[0]) / length2).clamp(0.0, 1.0);
        let nearest = plus(times(segment, along), ends[0]);
        let on_side = side.is_none_or(|s| dot(s, nearest) >= 0.0);
        if dot(nearest, nearest) > square && on_side {
            return None;
        }
        let [one, other] = [Turn::Clockwise, Turn::Anticlockwise].map(|turn| self.route(ends, turn));
        let best = if one.merit(side) > other.merit(side) { one } else { other };
        let length = || self.arc_length(best.points, best.turn);
        (!best.crossing).then(|| FlatArc { length: length(), points: best.points })
    }

    fn route(&self, [start, end]: [Vec2; 2], turn: Turn) -> Route {
        let back = match turn {
            Turn::Anticlockwise => Turn::Clockwise,
            Turn::Clockwise => Turn::Anticlockwise,
        };
        let points = [self.tangent_point(start, turn), self.tangent_point(end, back)];
        Route { turn, points, crossing: segments_cross([start, points[0]], [end, points[1]]) }
    }

    /// Where a line from an outer point touches the circle: with the point at distance d, the foot of the radius is
    /// r²/d² along the line to the centre and r √(d² − r²)/d² across it, to the left on a clockwise way.
    fn tangent_point(&self, from: Vec2, turn: Turn) -> Vec2 {
        let r = self.radius;
        let square = r * r;
        let distance2 = dot(from, from);
        let tangent = (distance2 - square).sqrt();
        let across = match turn {
            Turn::Clockwise => r,
            Turn::Anticlockwise => -r,
        };
        [
            (from[0] * square + across * from[1] * tangent) / distance2,
            (from[1] * square - across * from[0] * tangent) / distance2,
        ]
    }

    /// Length of the arc from one point of the circle to another.
    fn arc_length(&self, [p, q]: [Vec2; 2], turn: Turn) -> f64 {
        let angle = dot(unit(p), unit(q)).acos();
        let cross = p[1] * q[0] - p[0] * q[1];
        let beyond_half = match turn {
            Turn::Clockwise => cross < 0.0,
            Turn::Anticlockwise => cross > 0.0,
        };
        self.radius * if beyond_half { 2.0 * PI - angle } else { angle }
    }

    /// Path that touches the circle from inside, in one point (an arc of length zero); `None` when it misses the
    /// circle.
    fn touch_inside(&self, ends: [Vec2; 2]) -> Option<FlatArc> {
        let r = self.radius;
        let distances = ends.map(|end| dot(end, end).sqrt());
        if r < MINVAL || distances.iter().any(|d| *d <= r || *d < MINVAL) {
            return None;
        }
        let segment = minus(ends[1], ends[0]);
        let length2 = dot(segment, segment);
        if length2 > MINVAL {
            let along = -dot(segment, ends[0]) / length2;
            let nearest = plus(ends[0], times(segment, along));
            if along > 0.0 && along < 1.0 && dot(nearest, nearest).sqrt() <= r {
                return None;
            }
        }
        let [d0, d1] = distances;
        let cosine = (d0 * d0 + d1 * d1 - length2) / (2.0 * d0 * d1);
        if cosine < -1.0 + MINVAL {
            return None;
        }
        let touch = if cosine > 1.0 - MINVAL { None } else { self.reflection_point(ends, distances, cosine) };
        // without a solution: half way between the directions of the ends
        let touch = touch.unwrap_or_else(|| times(unit(times(plus(ends[0], ends[1]), 0.5)), r));
        Some(FlatArc { length: 0.0, points: [touch, touch] })
    }

    /// The point at which the two lines to the ends make equal angles with the radius.
    fn reflection_point(&self, ends: [Vec2; 2], distances: [f64; 2], cosine: f64) -> Option<Vec2> {
        let ratios = distances.map(|d| self.radius / d);
        let sine = reflection_sine(ratios, cosine.acos())?;
        let anticlockwise = ends[0][0] * ends[1][1] - ends[0][1] * ends[1][0] > 0.0;
        let first = usize::from(!anticlockwise);
        let (sin, cos) = (sine.asin() - (ratios[first] * sine).asin()).sin_cos();
        let [x, y] = unit(ends[first]);
        Some([self.radius * (cos * x - sin * y), self.radius * (sin * x + cos * y)])
    }
}

impl Route {
    /// The larger, the better: along the side site, or with a short chord.
    fn merit(&self, side: Option<Vec2>) -> f64 {
        const NO_PATH: f64 = -10_000.0;
        let [arrive, leave] = self.points;
        let chord = minus(arrive, leave);
        match side {
            _ if self.crossing => NO_PATH,
            Some(site) => dot(unit(plus(arrive, leave)), site),
            None => -dot(chord, chord),
        }
    }
}

/// Sine z of the angle between the radius and the lines at a reflection inside a circle. By the law of sines the ends,
/// at distances 1/a and 1/b radii, are seen under asin(z) − asin(a z) and asin(z) − asin(b z) from the centre, and
/// these angles add up to the gap between them. Newton's method from z ≈ 1, where the sum is largest; `None` when it
/// leaves the convex branch.
fn reflection_sine([a, b]: [f64; 2], gap: f64) -> Option<f64> {
    const MAX_ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;
    let excess = |z: f64| (a * z).asin() + (b * z).asin() - 2.0 * z.asin() + gap;
    let asin_slope = |k: f64, z: f64| k / (1.0 - z * z * k * k).sqrt().max(MINVAL);
    let mut z = START;
    let mut value = excess(z);
    if value > 0.0 {
        return None;
    }
    for _ in 0..MAX_ITERATIONS {
        if value.abs() <= TOLERANCE {
            return Some(z);
        }
        let slope = asin_slope(a, z) + asin_slope(b, z) - 2.0 * asin_slope(1.0, z);
        let next = z - value / slope;
        if slope > -MINVAL || next > z {
            return None;
        }
        z = next;
        value = excess(z);
        if value > TOLERANCE {
            return None;
        }
    }
    None
}

/// Do two segments have a point in common? Parallel ones count as apart.
fn segments_cross([p, p_end]: [Vec2; 2], [q, q_end]: [Vec2; 2]) -> bool {
    let (u, v, between) = (minus(p_end, p), minus(q_end, q), minus(p, q));
    let det = v[1] * u[0] - v[0] * u[1];
    if det.abs() < MINVAL {
        return false;
    }
    let place = |w: Vec2| (w[0] * between[1] - w[1] * between[0]) / det;
    [v, u].into_iter().all(|w| (0.0..=1.0).contains(&place(w)))
}

fn dot(a: Vec2, b: Vec2) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn plus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] + b[0], a[1] + b[1]]
}

fn minus(a: Vec2, b: Vec2) -> Vec2 {
    [a[0] - b[0], a[1] - b[1]]
}

fn times(a: Vec2, factor: f64) -> Vec2 {
    [a[0] * factor, a[1] * factor]
}

/// Unit vector; along x when the length is too small to tell a direction.
fn unit(a: Vec2) -> Vec2 {
    let length = dot(a, a).sqrt();
    if length < MINVAL { [1.0, 0.0] } else { times(a, 1.0 / length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Circle = Circle { radius: 1.0 };

    fn length(p: Vec2) -> f64 {
        dot(p, p).sqrt()
    }

    /// C39.5: the point on the circle makes the path stationary
    #[test]
    fn inside_point_is_stationary() {
        let (e0, e1) = ([2.0, 0.0], [1.5, 1.5 * 3.0_f64.sqrt()]);
        let t = UNIT.touch_inside([e0, e1]).unwrap().points[0];
        assert!((length(t) - 1.0).abs() < 1e-10);
        let toward = |e: Vec2| unit([t[0] - e[0], t[1] - e[1]]);
        let tangent = [-t[1], t[0]];
        assert!((dot(tangent, toward(e0)) + dot(tangent, toward(e1))).abs() < 1e-8);
    }

    /// C39.11: a segment through the circle is left straight
    /// C39.12: so is one that ends on it
    #[test]
    fn inside_needs_free_ends() {
        assert!(UNIT.touch_inside([[2.0, 0.0], [-2.0, 0.1]]).is_none());
        assert!(UNIT.touch_inside([[1.0, 0.0], [0.0, 2.0]]).is_none());
    }

    /// C39.13: ends just outside the circle still give a point on it
    /// C39.19: coincident ends take the fallback, opposite ones stay straight
    #[test]
    fn inside_degenerate_cases() {
        let r = 1.0 + 1e-9;
        let close = UNIT.touch_inside([[r, 0.0], [r * 1e-6_f64.cos(), r * 1e-6_f64.sin()]]).unwrap();
        assert!((length(close.points[0]) - 1.0).abs() < 1e-10);
        let same = UNIT.touch_inside([[2.0, 1.0], [2.0, 1.0]]).unwrap();
        assert!((length(same.points[0]) - 1.0).abs() < 1e-10);
        assert!(UNIT.touch_inside([[2.0, 0.0], [-2.0, 0.0]]).is_none());
    }
}
