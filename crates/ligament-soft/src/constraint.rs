//! The constraints: lengths of edges, bending, volumes. Each moves its vertices by the update of extended
//! position-based dynamics (Macklin, Müller, Chentanez 2016, equations 18 and 26),
//!
//! Δλ = −(C + α̃ λ + γ ∇C·(x − x₀)) / ((1 + γ) Σ wᵢ |∇ᵢC|² + α̃),  Δxᵢ = wᵢ ∇ᵢC Δλ,
//!
//! with the compliance α̃ = α / h², dampers γ = τ / h, and the gradient where the vertices are now, not where they were when the step began.

use crate::points::Numbers;
use ligament_math::vec3::{add_scaled, cross, distance, dot, norm, scale, sub};

/// Internal friction of all materials: each spring has a damper of this time constant (s) beside it, as in a body of
/// Kelvin and Voigt. It takes motion along the constraint only, and none of the force at rest.
pub const FRICTION_TIME: f64 = 0.005;

/// Most that the damper of an edge may have, γ: edges of ropes carry what hangs on them, and the more a pass is damped the
/// less of the load it hands on.
const STIFFEST_DAMPER: f64 = 1.0;

/// What all constraints see of the vertices.
pub struct Scene<'a, N: ?Sized> {
    pub position: &'a N,
    pub start: &'a [[f64; 3]],
    pub inverse_mass: &'a [f64],
    /// 1 / h²
    pub softening: f64,
    /// γ = τ / h, τ the time constant of the dampers
    pub damping: f64,
}

impl<N: Numbers + ?Sized> Scene<'_, N> {
    /// How far a vertex has moved in this step.
    #[inline]
    fn moved(&self, v: u32, now: [f64; 3]) -> [f64; 3] {
        sub(now, self.start[v as usize])
    }

    #[inline]
    fn weight(&self, v: u32) -> f64 {
        self.inverse_mass[v as usize]
    }
}

/// Something that wants to be zero.
pub trait Constraint: Sync {
    /// Numbers that it keeps over the passes of a step.
    const MULTIPLIERS: usize;

    /// The vertices that it moves.
    fn vertices(&self) -> &[u32];

    /// Moves the vertices; its multipliers begin at `at`.
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize);

    /// How far it is from zero at these positions, without unit.
    fn error(&self, position: &[[f64; 3]]) -> f64;
}

/// The change of a multiplier.
#[inline]
fn change(violation: f64, moved: f64, lambda: f64, (softness, damping): (f64, f64), weight: f64) -> f64 {
    -(violation + softness * lambda + damping * moved) / ((1.0 + damping) * weight + softness)
}

/// The distance of two vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub ends: [u32; 2],
    pub rest: f64,
    pub compliance: f64,
}

impl Constraint for Edge {
    const MULTIPLIERS: usize = 1;

    fn vertices(&self) -> &[u32] {
        &self.ends
    }

    #[inline]
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize) {
        let [a, b] = self.ends;
        let (first, second) = (scene.position.vector(a as usize), scene.position.vector(b as usize));
        let along = sub(second, first);
        let length = norm(along);
        let weights = [scene.weight(a), scene.weight(b)];
        let weight = weights[0] + weights[1];
        if !(length > 0.0 && weight > 0.0) {
            return;
        }
        let unit = scale(along, 1.0 / length);
        let moved = dot(unit, sub(scene.moved(b, second), scene.moved(a, first)));
        let old = lambda.get(at);
        let softness = (self.compliance * scene.softening, scene.damping.min(STIFFEST_DAMPER));
        let delta = change(length - self.rest, moved, old, softness, weight);
        lambda.set(at, old + delta);
        scene.position.set_vector(a as usize, add_scaled(first, unit, -weights[0] * delta));
        scene.position.set_vector(b as usize, add_scaled(second, unit, weights[1] * delta));
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let [a, b] = self.ends.map(|v| position[v as usize]);
        (distance(a, b) / self.rest - 1.0).abs()
    }
}

/// The part of a weighted sum of positions that is too much, where `rest` is its length in the rest shape.
#[inline]
fn excess(sum: [f64; 3], rest: f64) -> [f64; 3] {
    let length = norm(sum);
    if rest > 0.0 && length > 0.0 { scale(sum, 1.0 - rest / length) } else { sum }
}

/// Curvature of a rope at a vertex between two others: the length of a weighted sum of the three, with weights that
/// cancel for a straight rope. Linear in the positions but for the rest length, which a curved rest shape has.
#[derive(Debug, Clone, PartialEq)]
pub struct Bend {
    pub vertices: [u32; 3],
    pub weights: [f64; 3],
    pub rest: f64,
    pub compliance: f64,
    /// What a sum is divided by to be an angle.
    pub size: f64,
}

impl Constraint for Bend {
    const MULTIPLIERS: usize = 3;

    fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    #[inline]
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize) {
        let (mut sum, mut moved, mut weight) = ([0.0; 3], [0.0; 3], 0.0);
        for (&v, &k) in self.vertices.iter().zip(&self.weights) {
            let now = scene.position.vector(v as usize);
            sum = add_scaled(sum, now, k);
            moved = add_scaled(moved, scene.moved(v, now), k);
            weight += k * k * scene.weight(v);
        }
        if !(weight > 0.0) {
            return;
        }
        let violation = excess(sum, self.rest);
        let softness = (self.compliance * scene.softening, scene.damping);
        let delta: [f64; 3] = std::array::from_fn(|i| {
            let old = lambda.get(at + i);
            let delta = change(violation[i], moved[i], old, softness, weight);
            lambda.set(at + i, old + delta);
            delta
        });
        for (&v, &k) in self.vertices.iter().zip(&self.weights) {
            let now = scene.position.vector(v as usize);
            scene.position.set_vector(v as usize, add_scaled(now, delta, k * scene.weight(v)));
        }
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let terms = self.vertices.iter().zip(&self.weights);
        let sum = terms.fold([0.0; 3], |sum, (&v, &k)| add_scaled(sum, position[v as usize], k));
        norm(excess(sum, self.rest)) / self.size
    }
}

/// Most vertices that a [`Curvature`] depends on.
pub const PATCH: usize = 6;

/// A symmetric 3×3 matrix: the diagonal, then the products of edges 0 and 1, 0 and 2, 1 and 2.
pub type Symmetric = [f64; 6];

/// The entry of a symmetric matrix.
#[inline]
fn entry(matrix: &Symmetric, row: usize, column: usize) -> f64 {
    matrix[if row == column { row } else { row + column + 2 }]
}

/// The curvature tensor of a triangle of a surface, Σ φₑ t̂ₑ t̂ₑᵀ: across each edge (t̂ₑ is normal to it, in the surface)
/// the turn from this triangle to its neighbour, of which a half is its own, spread over its height. A turn is the
/// length of a weighted sum of positions, as in a rope. The three edges are relaxed together, since they bend the same
/// piece of the sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Curvature {
    pub vertices: [u32; PATCH],
    /// How many of them there are.
    pub count: usize,
    /// φₑ = Σ weight · position, for each edge; all zero for edges that are free.
    pub weights: [[f64; PATCH]; 3],
    pub rest: [f64; 3],
    pub compliance: Symmetric,
    /// What φₑ is divided by to be an angle.
    pub size: [f64; 3],
}

impl Curvature {
    /// What moves the edges: φₑ or, of how far the vertices have moved, its change.
    #[inline]
    fn sums(&self, points: &[[f64; 3]]) -> [[f64; 3]; 3] {
        self.weights.map(|weights| {
            points.iter().zip(&weights).fold([0.0; 3], |sum, (&point, &k)| add_scaled(sum, point, k))
        })
    }
}

impl Constraint for Curvature {
    const MULTIPLIERS: usize = 9;

    fn vertices(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    #[inline]
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize) {
        let (mut now, mut moved, mut push) = ([[0.0; 3]; PATCH], [[0.0; 3]; PATCH], [0.0; PATCH]);
        for (i, &v) in self.vertices().iter().enumerate() {
            now[i] = scene.position.vector(v as usize);
            moved[i] = scene.moved(v, now[i]);
            push[i] = scene.weight(v);
        }
        let [sums, moved] = [now, moved].map(|points| self.sums(&points));
        // (1 + γ) Σ w kₑ k_f + α̃
        let mut matrix = self.compliance.map(|x| x * scene.softening);
        for (row, column, place) in [(0, 0, 0), (1, 1, 1), (2, 2, 2), (0, 1, 3), (0, 2, 4), (1, 2, 5)] {
            let (a, b) = (&self.weights[row], &self.weights[column]);
            let sum: f64 = (0..PATCH).map(|i| a[i] * b[i] * push[i]).sum();
            matrix[place] += (1.0 + scene.damping) * sum;
        }
        let old: [[f64; 3]; 3] =
            std::array::from_fn(|e| std::array::from_fn(|axis| lambda.get(at + 3 * e + axis)));
        let wanted = std::array::from_fn(|e| {
            let violation = excess(sums[e], self.rest[e]);
            std::array::from_fn(|axis| {
                let soft: f64 = (0..3).map(|f| entry(&self.compliance, e, f) * old[f][axis]).sum();
                -(violation[axis] + scene.softening * soft + scene.damping * moved[e][axis])
            })
        });
        let delta = solve(&matrix, wanted);
        for (e, axis) in (0..9).map(|k| (k / 3, k % 3)) {
            lambda.set(at + 3 * e + axis, old[e][axis] + delta[e][axis]);
        }
        for (i, &v) in self.vertices().iter().enumerate() {
            let terms = self.weights.iter().zip(&delta);
            let sum = terms.fold([0.0; 3], |sum, (weights, &delta)| add_scaled(sum, delta, weights[i]));
            scene.position.set_vector(v as usize, add_scaled(now[i], sum, push[i]));
        }
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let mut points = [[0.0; 3]; PATCH];
        for (point, &v) in points.iter_mut().zip(self.vertices()) {
            *point = position[v as usize];
        }
        let sums = self.sums(&points);
        (0..3).map(|e| norm(excess(sums[e], self.rest[e])) / self.size[e]).fold(0.0, f64::max)
    }
}

/// Solves a positive definite system for three right sides at once: LDLᵀ.
#[inline]
fn solve(&[a, b, c, ab, ac, bc]: &Symmetric, x: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let (l_ba, l_ca) = (ab / a, ac / a);
    let middle = b - l_ba * ab;
    let l_cb = (bc - l_ca * ab) / middle;
    let last = c - l_ca * ac - l_cb * l_cb * middle;
    let first = x[0];
    let second = add_scaled(x[1], first, -l_ba);
    let third = add_scaled(add_scaled(x[2], first, -l_ca), second, -l_cb);
    let third = scale(third, 1.0 / last);
    let second = add_scaled(scale(second, 1.0 / middle), third, -l_cb);
    let first = add_scaled(add_scaled(scale(first, 1.0 / a), third, -l_ca), second, -l_ba);
    [first, second, third]
}

/// The volume of a tetrahedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Tetrahedron {
    pub vertices: [u32; 4],
    pub rest: f64,
    pub compliance: f64,
}

/// Six times the volume.
pub fn six_volumes([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    dot(cross(sub(b, a), sub(c, a)), sub(d, a))
}

impl Constraint for Tetrahedron {
    const MULTIPLIERS: usize = 1;

    fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    #[inline]
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize) {
        let x = self.vertices.map(|v| scene.position.vector(v as usize));
        let [b, c, d] = [1, 2, 3].map(|k| sub(x[k], x[0]));
        // derivatives of the volume: a sixth of the normals of the faces
        let faces = [cross(c, d), cross(d, b), cross(b, c)].map(|n| scale(n, 1.0 / 6.0));
        let opposite = std::array::from_fn(|i| -(faces[0][i] + faces[1][i] + faces[2][i]));
        let gradients = [opposite, faces[0], faces[1], faces[2]];
        let (mut weight, mut moved) = (0.0, 0.0);
        for k in 0..4 {
            weight += scene.weight(self.vertices[k]) * dot(gradients[k], gradients[k]);
            moved += dot(gradients[k], scene.moved(self.vertices[k], x[k]));
        }
        if !(weight > 0.0) {
            return;
        }
        let old = lambda.get(at);
        let softness = (self.compliance * scene.softening, scene.damping);
        let delta = change(dot(faces[2], d) - self.rest, moved, old, softness, weight);
        lambda.set(at, old + delta);
        for k in 0..4 {
            let v = self.vertices[k];
            scene.position.set_vector(v as usize, add_scaled(x[k], gradients[k], scene.weight(v) * delta));
        }
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        (six_volumes(self.vertices.map(|v| position[v as usize])) / (6.0 * self.rest) - 1.0).abs()
    }
}
