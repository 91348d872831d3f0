//! The constraints: lengths of edges, bending, volumes. Each moves its vertices by the update of extended
//! position-based dynamics (Macklin, Müller, Chentanez 2016, equations 18 and 26),
//!
//! Δλ = −(C + α̃ λ + γ ∇C·(x − x₀)) / ((1 + γ) Σ wᵢ |∇ᵢC|² + α̃),  Δxᵢ = wᵢ ∇ᵢC Δλ,
//!
//! with the compliance α̃ = α / h² and the gradient where the vertices are now, not where they were when the step began.

use crate::points::Numbers;
use ligament_math::vec3::{add_scaled, cross, distance, dot, norm, scale, sub};

/// Damping γ of constraints: a pass that ends before all of them agree would else keep cloth trembling. It takes
/// motion along the constraint only, and none of the force at rest.
const DAMPING: f64 = 1.0;

/// What all constraints see of the vertices.
pub struct Scene<'a, N: ?Sized> {
    pub position: &'a N,
    pub start: &'a [[f64; 3]],
    pub inverse_mass: &'a [f64],
    /// 1 / h²
    pub softening: f64,
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
fn change(violation: f64, moved: f64, lambda: f64, softness: f64, weight: f64) -> f64 {
    -(violation + softness * lambda + DAMPING * moved) / ((1.0 + DAMPING) * weight + softness)
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
        let softness = self.compliance * scene.softening;
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

/// Curvature: the length of a weighted sum of three or four vertices, with weights that cancel for a straight rope or
/// a flat surface. Linear in the positions but for the rest length, which a curved rest shape has.
#[derive(Debug, Clone, PartialEq)]
pub struct Bend {
    pub vertices: [u32; 4],
    /// How many of them there are.
    pub count: usize,
    pub weights: [f64; 4],
    pub rest: f64,
    pub compliance: f64,
    /// What a sum is divided by to be an angle.
    pub size: f64,
}

impl Bend {
    /// The part of the sum that is too much.
    #[inline]
    fn violation(&self, sum: [f64; 3]) -> [f64; 3] {
        let length = norm(sum);
        if self.rest > 0.0 && length > 0.0 { scale(sum, 1.0 - self.rest / length) } else { sum }
    }
}

impl Constraint for Bend {
    const MULTIPLIERS: usize = 3;

    fn vertices(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    #[inline]
    fn relax<N: Numbers + ?Sized>(&self, scene: &Scene<'_, N>, lambda: &N, at: usize) {
        let (mut sum, mut moved, mut weight) = ([0.0; 3], [0.0; 3], 0.0);
        for (&v, &k) in self.vertices().iter().zip(&self.weights) {
            let now = scene.position.vector(v as usize);
            sum = add_scaled(sum, now, k);
            moved = add_scaled(moved, scene.moved(v, now), k);
            weight += k * k * scene.weight(v);
        }
        if !(weight > 0.0) {
            return;
        }
        let violation = self.violation(sum);
        let softness = self.compliance * scene.softening;
        let delta: [f64; 3] = std::array::from_fn(|i| {
            let old = lambda.get(at + i);
            let delta = change(violation[i], moved[i], old, softness, weight);
            lambda.set(at + i, old + delta);
            delta
        });
        for (&v, &k) in self.vertices().iter().zip(&self.weights) {
            let now = scene.position.vector(v as usize);
            scene.position.set_vector(v as usize, add_scaled(now, delta, k * scene.weight(v)));
        }
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let terms = self.vertices().iter().zip(&self.weights);
        let sum = terms.fold([0.0; 3], |sum, (&v, &k)| add_scaled(sum, position[v as usize], k));
        norm(self.violation(sum)) / self.size
    }
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
        let softness = self.compliance * scene.softening;
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
