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

/// What the distance algorithm found; kept by the caller, since it is large.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Gjk {
    pub simplex: [Vertex; 4],
    /// Number of simplex vertices; 0 when the shapes are apart.
    pub n: usize,
    pub dist: f64,
    /// Nearest points, if they were computed.
    pub witness: Option<(Vec3, Vec3)>,
    iterations: usize,
}

impl Gjk {
    fn apart(&mut self) {
        self.n = 0;
        self.dist = FAR;
    }
}

/// Runs from the difference of the centres. `cutoff` > 0 asks for distances up to it, 0 only for intersection.
pub(crate) fn gjk(
    state: &mut Gjk,
    a: &mut Convex,
    b: &mut Convex,
    tolerance: f64,
    max_iterations: usize,
    cutoff: f64,
) {
    let want_dist = cutoff > 0.0;
    let mut try_intersect = !want_dist;
    state.witness = None;
    let mut lambda = [1.0, 0.0, 0.0, 0.0];
    let mut n = 0;
    // discrete shapes converge in finitely many steps
    let epsilon = if a.is_discrete() && b.is_discrete() { 0.0 } else { 0.5 * tolerance * tolerance };
    let mut x = vec3::sub(a.center(), b.center());
    let mut x_norm = 0.0;

    let mut k = 0;
    while k < max_iterations {
        x_norm = vec3::dot(x, x);
        if x_norm < MINVAL2 {
            break;
        }
        x_norm = x_norm.sqrt();
        let opposite = vec3::scale(x, 1.0 / x_norm);
        state.simplex[n].set_support(a, b, vec3::scale(opposite, -1.0), opposite);
        let point = state.simplex[n].point;

        // Frank-Wolfe duality gap: |x - x*|² ≤ <x, x - s>
        if vec3::dot(x, vec3::sub(x, point)) < epsilon {
            if k == 0 {
                n = 1;
            }
            break;
        }
        if separated(x, point, cutoff) {
            state.apart();
            return;
        }
        if n == 3 && try_intersect {
            state.iterations = k;
            match intersect(state, a, b, max_iterations) {
                Some(true) => {
                    state.dist = 0.0;
                    return;
                }
                Some(false) => {
                    state.apart();
                    return;
                }
                None => {
                    k = state.iterations;
                    try_intersect = false;
                }
            }
        }

        lambda = nearest_point(&state.simplex, n + 1);
        n = reduce(&mut state.simplex, &mut lambda);
        if n == 0 {
            state.apart();
            return;
        }
        let next = combine_n(&state.simplex, &lambda, n, |v| &v.point);
        if (0..3).all(|i| (next[i] - x[i]).abs() < MINVAL) {
            break;
        }
        x = next;
        if n == 4 {
            // the tetrahedron contains the origin
            x_norm = 0.0;
            break;
        }
        k += 1;
    }

    state.witness = Some(if n == 0 {
        (a.center(), b.center())
    } else {
        (
            combine_n(&state.simplex, &lambda, n, |v| &v.on_a),
            combine_n(&state.simplex, &lambda, n, |v| &v.on_b),
        )
    });
    state.n = n;
    state.dist = x_norm;
}

/// Does the plane through `s` across `x` part the origin from the difference, by more than the cutoff?
fn separated(x: Vec3, s: Vec3, cutoff: f64) -> bool {
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

/// Distance of the origin from the plane of a face of the simplex, and its unit normal;
/// a face without normal counts as infinitely far.
fn signed_distance(v1: &Vertex, v2: &Vertex, v3: &Vertex) -> (f64, Vec3) {
    let normal = vec3::cross(vec3::sub(v3.point, v1.point), vec3::sub(v2.point, v1.point));
    let norm2 = vec3::dot(normal, normal);
    if norm2 > MINVAL2 && norm2 < MAXVAL2 {
        let normal = vec3::scale(normal, 1.0 / norm2.sqrt());
        return (vec3::dot(normal, v1.point), normal);
    }
    (FAR, normal)
}

/// Moves a tetrahedron over the origin: each step replaces the vertex behind the face that is farthest outside.
/// `Some(true)`: contains the origin (the simplex is left in `state`), `Some(false)`: apart, `None`: undecided.
fn intersect(state: &mut Gjk, a: &mut Convex, b: &mut Convex, max_iterations: usize) -> Option<bool> {
    let mut simplex = state.simplex;
    let mut s = [0, 1, 2, 3];
    let mut k = state.iterations;
    while k < max_iterations {
        let faces = [(2, 1, 3), (0, 2, 3), (1, 0, 3), (0, 1, 2)]
            .map(|(i, j, l)| signed_distance(&simplex[s[i]], &simplex[s[j]], &simplex[s[l]]));
        let dist = faces.map(|(d, _)| d);
        if dist.contains(&0.0) {
            state.iterations = k;
            return None;
        }
        let i = if dist[0] < dist[1] { 0 } else { 1 };
        let j = if dist[2] < dist[3] { 2 } else { 3 };
        let worst = if dist[i] < dist[j] { i } else { j };
        if dist[worst] > 0.0 {
            state.simplex = s.map(|i| simplex[i]);
            state.n = 4;
            state.iterations = k;
            return Some(true);
        }
        let normal = faces[worst].1;
        simplex[s[worst]].set_support(a, b, normal, vec3::neg(normal));
        if vec3::dot(normal, simplex[s[worst]].point) < 0.0 {
            return Some(false);
        }
        // keep the orientation
        s.swap((worst + 1) & 3, (worst + 2) & 3);
        k += 1;
    }
    state.iterations = k;
    None
}
