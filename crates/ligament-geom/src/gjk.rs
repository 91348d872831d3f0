//! Distance and intersection of convex shapes (Gilbert, Johnson, Keerthi), the first half of [`crate::ccd`].

use crate::convex::Convex;
use crate::simplex::{nearest_on_segment, nearest_on_tetrahedron, nearest_on_triangle};
use ligament_math::{MINVAL, Vec3, vec3};

pub(crate) const MINVAL2: f64 = MINVAL * MINVAL;
const MAXVAL2: f64 = 1e20;
/// Distance of shapes known to be apart.
pub const FAR: f64 = f64::MAX;

/// A point of the Minkowski difference and where it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Vertex {
    /// `on_a - on_b`
    pub point: Vec3,
    pub on_a: Vec3,
    pub on_b: Vec3,
    /// Support vertices of discrete shapes.
    pub index_a: i32,
    pub index_b: i32,
}

impl Vertex {
    /// Becomes the support point of the Minkowski difference. Written in place: copying what was just computed stalls.
    #[inline(always)]
    pub fn set_support(&mut self, a: &mut Convex, b: &mut Convex, dir: Vec3, opposite: Vec3) {
        let on_a = a.support(dir);
        (self.on_a, self.index_a) = (on_a, a.vertex);
        let on_b = b.support(opposite);
        (self.on_b, self.index_b) = (on_b, b.vertex);
        self.point = vec3::sub(on_a, on_b);
    }
}

/// What to look for and how hard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub tolerance: f64,
    pub max_iterations: usize,
    /// Distances up to it are wanted; 0 when only intersection matters.
    pub cutoff: f64,
}

/// What the distance algorithm found; kept by the caller, since it is large.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Gjk {
    pub simplex: [Vertex; 4],
    /// Number of simplex vertices; 0 when the shapes are apart.
    pub n: usize,
    pub dist: f64,
    /// Nearest points, if they were computed.
    pub witness: Option<(Vec3, Vec3)>,
    /// Unit direction, towards the first shape, that parts the shapes, where one was found.
    pub axis: Option<Vec3>,
    /// Iterations of all runs.
    pub steps: u64,
}

/// How a search ended.
enum Verdict {
    /// Farther than anyone wants to know.
    Apart,
    /// The simplex contains the origin.
    Overlap,
    /// The distance of the nearest point found.
    Nearest(f64),
}

/// The point of the simplex nearest to the origin, as position and as weights of the vertices.
struct Nearest {
    point: Vec3,
    weights: [f64; 4],
    /// Number of vertices of the simplex.
    n: usize,
}

/// What a new vertex did to the nearest point.
enum Progress {
    Closer,
    None,
    /// The simplex is a tetrahedron around the origin.
    Arrived,
    /// All weights vanished.
    Lost,
}

impl Gjk {
    /// Looks for the point of the Minkowski difference nearest to the origin, from the difference of the centres on.
    pub fn run(&mut self, query: &Query, a: &mut Convex, b: &mut Convex) {
        let start = vec3::sub(a.center(), b.center());
        let mut nearest = Nearest { point: start, weights: [1.0, 0.0, 0.0, 0.0], n: 0 };
        self.witness = None;
        self.axis = None;
        let mut left = query.max_iterations;
        let verdict = self.descend(&mut nearest, query, &mut left, a, b);
        self.steps += (query.max_iterations - left) as u64;
        match verdict {
            Verdict::Apart => (self.n, self.dist) = (0, FAR),
            Verdict::Overlap => (self.n, self.dist) = (4, 0.0),
            Verdict::Nearest(dist) => {
                (self.n, self.dist) = (nearest.n, dist);
                self.witness = Some(if self.n == 0 {
                    (a.center(), b.center())
                } else {
                    (
                        combine_n(&self.simplex, &nearest.weights, self.n, |v| &v.on_a),
                        combine_n(&self.simplex, &nearest.weights, self.n, |v| &v.on_b),
                    )
                });
            }
        }
    }

    #[inline(always)] // the state of the search then stays in registers
    fn descend(
        &mut self,
        nearest: &mut Nearest,
        query: &Query,
        left: &mut usize,
        a: &mut Convex,
        b: &mut Convex,
    ) -> Verdict {
        let mut dist = 0.0;
        let mut try_to_surround = query.cutoff <= 0.0;
        // discrete shapes converge in finitely many steps
        let exact = a.is_discrete() && b.is_discrete();
        let slack = if exact { 0.0 } else { 0.5 * query.tolerance * query.tolerance };
        while *left > 0 {
            let x = nearest.point;
            let length2 = vec3::dot(x, x);
            if length2 < MINVAL2 {
                dist = length2;
                break;
            }
            dist = length2.sqrt();
            let outwards = vec3::scale(x, 1.0 / dist);
            self.simplex[nearest.n].set_support(a, b, vec3::scale(outwards, -1.0), outwards);
            let newest = self.simplex[nearest.n].point;

            // the duality gap (Frank and Wolfe 1956) bounds what is left: |x - x*|² ≤ <x, x - s>
            if vec3::dot(x, vec3::sub(x, newest)) < slack {
                nearest.n = nearest.n.max(1);
                break;
            }
            if is_apart(x, newest, query.cutoff) {
                self.axis = Some(outwards);
                return Verdict::Apart;
            }
            if try_to_surround && nearest.n == 3 {
                if let Some(verdict) = self.surround_origin(a, b, left) {
                    return verdict;
                }
                try_to_surround = false;
            }
            match self.include_newest(nearest) {
                Progress::Closer => *left = left.saturating_sub(1),
                Progress::None => break,
                Progress::Lost => return Verdict::Apart,
                Progress::Arrived => {
                    dist = 0.0;
                    break;
                }
            }
        }
        Verdict::Nearest(dist)
    }

    /// Moves the nearest point into the simplex of the vertices so far and the one behind them, and drops vertices that
    /// do not support it.
    #[inline(always)]
    fn include_newest(&mut self, nearest: &mut Nearest) -> Progress {
        nearest.weights = nearest_point(&self.simplex, nearest.n + 1);
        nearest.n = reduce(&mut self.simplex, &mut nearest.weights);
        if nearest.n == 0 {
            return Progress::Lost;
        }
        let point = combine_n(&self.simplex, &nearest.weights, nearest.n, |v| &v.point);
        if (0..3).all(|k| (point[k] - nearest.point[k]).abs() < MINVAL) {
            return Progress::None;
        }
        nearest.point = point;
        if nearest.n == 4 { Progress::Arrived } else { Progress::Closer }
    }

    /// Moves a tetrahedron over the origin: each step replaces the vertex behind the face that the origin is farthest
    /// outside of. `None`: undecided, and the simplex is as before.
    fn surround_origin(&mut self, a: &mut Convex, b: &mut Convex, left: &mut usize) -> Option<Verdict> {
        /// The corners of the face across from each corner, clockwise from outside.
        const FACES: [[usize; 3]; 4] = [[2, 1, 3], [0, 2, 3], [1, 0, 3], [0, 1, 2]];
        let mut vertices = self.simplex;
        let mut corners = [0, 1, 2, 3];
        while *left > 0 {
            let faces = FACES.map(|face| inner_side(face.map(|corner| &vertices[corners[corner]].point)));
            let dist = faces.map(|(dist, _)| dist);
            if dist.contains(&0.0) {
                return None;
            }
            let lowest = (1..4).fold(0, |low, face| if dist[face] <= dist[low] { face } else { low });
            if dist[lowest] > 0.0 {
                self.simplex = corners.map(|vertex| vertices[vertex]);
                return Some(Verdict::Overlap);
            }
            let normal = faces[lowest].1;
            let replaced = &mut vertices[corners[lowest]];
            replaced.set_support(a, b, normal, vec3::neg(normal));
            if vec3::dot(normal, replaced.point) < 0.0 {
                self.axis = Some(vec3::neg(normal));
                return Some(Verdict::Apart);
            }
            // the new vertex is on the other side of the face: two others change places to keep the orientation
            corners.swap((lowest + 1) & 3, (lowest + 2) & 3);
            *left -= 1;
        }
        None
    }
}

/// Does the plane through `s` across `x` part the origin from the difference, by more than the cutoff?
fn is_apart(x: Vec3, s: Vec3, cutoff: f64) -> bool {
    let xs = vec3::dot(x, s);
    if cutoff <= 0.0 {
        return xs > 0.0;
    }
    cutoff < FAR && xs > 0.0 && xs * xs / vec3::dot(x, x) >= cutoff * cutoff
}

fn nearest_point(simplex: &[Vertex; 4], n: usize) -> [f64; 4] {
    let [v1, v2, v3, v4] = simplex;
    match n {
        4 => nearest_on_tetrahedron([v1.point, v2.point, v3.point, v4.point]),
        3 => {
            let [a, b, c] = nearest_on_triangle([v1.point, v2.point, v3.point]);
            [a, b, c, 0.0]
        }
        2 => {
            let [a, b] = nearest_on_segment([v1.point, v2.point]);
            [a, b, 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Drops vertices without weight, returns how many are left.
fn reduce(simplex: &mut [Vertex; 4], lambda: &mut [f64; 4]) -> usize {
    let mut n = 0;
    for i in 0..4 {
        if lambda[i] != 0.0 {
            if n != i {
                simplex[n] = simplex[i];
                lambda[n] = lambda[i];
            }
            n += 1;
        }
    }
    n
}

/// Σ λ_i v_i of the first `n` vertices.
fn combine_n(simplex: &[Vertex; 4], lambda: &[f64; 4], n: usize, part: impl Fn(&Vertex) -> &Vec3) -> Vec3 {
    let mut sum = vec3::scale(*part(&simplex[0]), lambda[0]);
    for i in 1..n {
        let (v, l) = (part(&simplex[i]), lambda[i]);
        for k in 0..3 {
            sum[k] += l * v[k];
        }
    }
    sum
}

/// How far the origin is on the inner side of a face, and the face's unit normal to the outside; a face without normal
/// counts as infinitely far.
fn inner_side([p, q, r]: [&Vec3; 3]) -> (f64, Vec3) {
    let normal = vec3::cross(vec3::sub(*r, *p), vec3::sub(*q, *p));
    let norm2 = vec3::dot(normal, normal);
    if norm2 > MINVAL2 && norm2 < MAXVAL2 {
        let normal = vec3::scale(normal, 1.0 / norm2.sqrt());
        return (vec3::dot(normal, *p), normal);
    }
    (FAR, normal)
}
