//! The constraints: lengths of edges, bending, strains of solids. Each moves its vertices by the update of extended
//! position-based dynamics (Macklin, Müller, Chentanez 2016, equations 18 and 26),
//!
//! Δλ = −(C + α̃ λ + γ ∇C·(x − x₀)) / ((1 + γ) Σ wᵢ |∇ᵢC|² + α̃),  Δxᵢ = wᵢ ∇ᵢC Δλ,
//!
//! with the compliance α̃ = α / h², dampers γ = τ / h, and the gradient where the vertices are now, not where they were when
//! the step began. Several C of one constraint are solved together. Bending, which is linear in the positions, is relaxed where
//! dampers see the vertices ([`lean`](crate::scene::lean)).

use crate::lane::{Lane, Vector, each, repeat};
use crate::points::Numbers;
use crate::scene::{Ahead, Corner, Scene, Vertices};
use ligament_math::vec3;

/// Internal friction of all materials: each spring has a damper of this time constant (s) beside it, as in a body of
/// Kelvin and Voigt. It takes motion along the constraint only, and none of the force at rest.
pub const FRICTION_TIME: f64 = 0.005;

/// Most that the damper of an edge may have, γ: edges carry what hangs on them, and the more a pass is damped the less of
/// the load it hands on.
pub const STIFFEST_DAMPER: f64 = 1.0;

/// Lengths below this are zero.
const TINY: f64 = 1e-150;

/// Constraints that are relaxed at once: [`Lane::WIDTH`] of them, of which the last may only fill up.
#[derive(Clone, Copy)]
pub struct Block<'a, L> {
    /// The first vertex of each, the second of each, …
    pub vertices: Vertices<'a>,
    /// [`Constraint::numbers`] of each.
    pub numbers: &'a [L],
    /// How many are real.
    pub lanes: usize,
}

impl<'a, L: Lane> Block<'a, L> {
    #[inline(always)]
    fn corner(&self, k: usize) -> Vertices<'a> {
        self.vertices.part(k * L::WIDTH..(k + 1) * L::WIDTH)
    }
}

/// The `k`-th multiplier of each constraint.
#[inline(always)]
fn kept<L: Lane, N: Numbers + ?Sized>(lambda: &N, k: usize) -> L {
    L::read(lambda, k * L::WIDTH)
}

#[inline(always)]
fn keep<L: Lane, N: Numbers + ?Sized>(lambda: &N, k: usize, value: L) {
    value.write(lambda, k * L::WIDTH);
}

/// Something that wants to be zero.
pub trait Constraint: Sync {
    /// Places for vertices that it moves.
    const CORNERS: usize;
    /// Numbers that it keeps over the passes of a step.
    const MULTIPLIERS: usize;

    /// The vertices that it moves.
    fn vertices(&self) -> &[u32];

    /// What [`relax`](Self::relax) needs to know of it.
    fn numbers(&self) -> Vec<f64>;

    /// Moves the vertices of some constraints that share none; these are their multipliers.
    fn relax<L, N>(scene: &Scene<'_>, block: Block<'_, L>, lambda: &N)
    where
        L: Lane,
        N: Numbers + ?Sized;

    /// How far it is from zero at these positions, without unit.
    fn error(&self, position: &[[f64; 3]]) -> f64;
}

/// Numbers of one unit without the last bits of the largest, by which equal elements of a mesh differ since their places
/// are rounded.
fn rounded<const N: usize>(numbers: [f64; N]) -> [f64; N] {
    const KEPT_BITS: i32 = 40;
    let largest = numbers.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let unit = (largest.log2().floor() as i32).saturating_sub(KEPT_BITS).clamp(-1000, 900);
    let unit = 2.0_f64.powi(unit);
    // no negative zeros
    numbers.map(|x| (x / unit).round() * unit + 0.0)
}

/// The distance of two vertices.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub ends: [u32; 2],
    pub rest: f64,
    pub compliance: f64,
}

impl Edge {
    /// Length and direction of an edge that leads so far.
    #[inline(always)]
    pub fn along(&self, way: Vector<f64>) -> (f64, Vector<f64>) {
        let length = way.length();
        (length, way.scaled(1.0 / length.max(TINY)))
    }
}

impl Constraint for Edge {
    const CORNERS: usize = 2;
    const MULTIPLIERS: usize = 1;

    fn vertices(&self) -> &[u32] {
        &self.ends
    }

    fn numbers(&self) -> Vec<f64> {
        [rounded([self.rest]), rounded([self.compliance])].concat()
    }

    #[inline(always)]
    fn relax<L, N>(scene: &Scene<'_>, block: Block<'_, L>, lambda: &N)
    where
        L: Lane,
        N: Numbers + ?Sized,
    {
        let &[rest, compliance] = block.numbers else { return };
        let (a, b): (Corner<L>, Corner<L>) = (block.corner(0).corner(), block.corner(1).corner());
        let along = b.now - a.now;
        let length = along.length();
        let unit = along.scaled(L::splat(1.0) / length.max(L::splat(TINY)));
        let moved = unit.dot(b.moved - a.moved);
        let damping = L::splat(scene.damping.min(STIFFEST_DAMPER));
        let softness = compliance * L::splat(scene.softening);
        let old: L = kept(lambda, 0);
        let mut asked = length - rest + damping * moved;
        if N::KEEPS {
            asked = asked + softness * old;
        }
        let weight = (L::splat(1.0) + damping) * (a.weight + b.weight) + softness;
        let delta = -asked / weight;
        keep(lambda, 0, old + delta);
        block.corner(0).put(block.lanes, a.now.plus(unit, -(a.weight * delta)));
        block.corner(1).put(block.lanes, b.now.plus(unit, b.weight * delta));
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let [a, b] = self.ends.map(|v| position[v as usize]);
        (vec3::distance(a, b) / self.rest - 1.0).abs()
    }
}

/// The part of a weighted sum of positions that is too much, where `rest` is its length in the rest shape.
#[inline(always)]
fn excess<L: Lane>(sum: Vector<L>, rest: L) -> Vector<L> {
    if rest == L::splat(0.0) {
        return sum;
    }
    sum.scaled(L::splat(1.0) - rest / sum.length().max(L::splat(TINY)))
}

/// [`excess`] of a sum over these positions, as a length.
fn excess_at(position: &[[f64; 3]], vertices: &[u32], weights: impl Iterator<Item = f64>, rest: f64) -> f64 {
    let terms = vertices.iter().zip(weights);
    let sum = terms.fold([0.0; 3], |sum, (&v, k)| vec3::add_scaled(sum, position[v as usize], k));
    excess(Vector(sum), rest).length()
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
    const CORNERS: usize = 3;
    const MULTIPLIERS: usize = 3;

    fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    fn numbers(&self) -> Vec<f64> {
        [&rounded(self.weights)[..], &rounded([self.rest]), &rounded([self.compliance])].concat()
    }

    #[inline(always)]
    fn relax<L, N>(scene: &Scene<'_>, block: Block<'_, L>, lambda: &N)
    where
        L: Lane,
        N: Numbers + ?Sized,
    {
        let &[a, b, c, rest, compliance] = block.numbers else { return };
        let factors = [a, b, c];
        let corners = each!(k in [0, 1, 2] => block.corner(k).ahead::<L>());
        let (mut sum, mut weight) = (Vector::zero(), L::splat(0.0));
        for k in 0..3 {
            sum = sum.plus(corners[k].place, factors[k]);
            weight = weight + factors[k] * factors[k] * corners[k].weight;
        }
        let softness = compliance * L::splat(scene.softening);
        let old = Vector(each!(k in [0, 1, 2] => kept::<L, N>(lambda, k)));
        let mut asked = excess(sum, rest);
        if N::KEEPS {
            asked = asked.plus(old, softness);
        }
        let delta = asked.scaled(L::splat(-1.0) / (weight + softness));
        let new = old + delta;
        for k in 0..3 {
            keep(lambda, k, new.0[k]);
            let Ahead { place, weight } = corners[k];
            block.corner(k).put_with(block.lanes, place.plus(delta, factors[k] * weight), weight);
        }
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        excess_at(position, &self.vertices, self.weights.into_iter(), self.rest) / self.size
    }
}

/// Vertices that a [`Curvature`] depends on: the corners of a triangle, and those beyond its edges.
pub const PATCH: usize = 6;

/// A symmetric 3×3 matrix: the diagonal, then the products of edges 0 and 1, 0 and 2, 1 and 2.
pub type Symmetric<L> = [L; 6];

/// The curvature tensor of a triangle of a surface, Σ φₑ t̂ₑ t̂ₑᵀ: across each edge (t̂ₑ is normal to it, in the surface)
/// the turn from this triangle to its neighbour, of which a half is its own, spread over its height. A turn is the
/// length of a weighted sum of positions, as in a rope. The three edges are relaxed together, since they bend the same
/// piece of the sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Curvature {
    /// The first stands in places of vertices beyond free edges.
    pub vertices: [u32; PATCH],
    /// φₑ = Σ weight · position: for each edge the weights of the corners and of the vertex beyond it, whose sum is zero; all
    /// zero for edges that are free.
    pub weights: [[f64; 4]; 3],
    pub rest: [f64; 3],
    pub compliance: Symmetric<f64>,
    /// What φₑ is divided by to be an angle.
    pub size: [f64; 3],
}

impl Constraint for Curvature {
    const CORNERS: usize = PATCH;
    const MULTIPLIERS: usize = 9;

    fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    fn numbers(&self) -> Vec<f64> {
        // the weight of the first corner is what the others lack to zero
        let [[_, a, b, c], [_, d, e, f], [_, g, h, i]] = self.weights;
        let weights = rounded([a, b, c, d, e, f, g, h, i]);
        [&weights[..], &rounded(self.compliance), &rounded(self.rest)].concat()
    }

    #[inline(always)]
    fn relax<L, N>(scene: &Scene<'_>, block: Block<'_, L>, lambda: &N)
    where
        L: Lane,
        N: Numbers + ?Sized,
    {
        let Some((weights, numbers)) = block.numbers.split_first_chunk::<9>() else { return };
        let &[aa, bb, cc, ab, ac, bc, rest_a, rest_b, rest_c] = numbers else { return };
        let weights = each!(e in [0, 3, 6] => [weights[e], weights[e + 1], weights[e + 2]]);
        let softening = L::splat(scene.softening);
        let soft = each!(x in [aa, bb, cc, ab, ac, bc] => x * softening);
        let corners = each!(i in [0, 1, 2, 3, 4, 5] => block.corner(i).ahead::<L>());
        let way = each!(i in [1, 2, 3, 4, 5] => corners[i].place - corners[0].place);
        let mut asked = each!(e in [0, 1, 2] => {
            let [second, third, beyond] = weights[e];
            way[0].scaled(second).plus(way[1], third).plus(way[2 + e], beyond)
        });
        if rest_a + rest_b + rest_c != L::splat(0.0) {
            asked = [excess(asked[0], rest_a), excess(asked[1], rest_b), excess(asked[2], rest_c)];
        }
        let old = each!(e in [0, 3, 6] => Vector(each!(k in [e, e + 1, e + 2] => kept::<L, N>(lambda, k))));
        if N::KEEPS {
            let [aa, bb, cc, ab, ac, bc] = soft;
            let rows = [[aa, ab, ac], [ab, bb, bc], [ac, bc, cc]];
            asked = each!(e in [0, 1, 2] => {
                let [a, b, c] = rows[e];
                asked[e].plus(old[0], a).plus(old[1], b).plus(old[2], c)
            });
        }
        // the system with the other sign: what it gives is taken away
        let inverse_masses = each!(i in [0, 1, 2, 3, 4, 5] => corners[i].weight);
        let taken = solve(resistance(&weights, inverse_masses, soft), asked);
        repeat!(e in [0, 1, 2] => {
            let new = old[e] - taken[e];
            repeat!(axis in [0, 1, 2] => { keep(lambda, 3 * e + axis, new.0[axis]) });
        });
        let [second, third] = each!(i in [0, 1] => {
            taken[0].scaled(weights[0][i]).plus(taken[1], weights[1][i]).plus(taken[2], weights[2][i])
        });
        let beyond = each!(e in [0, 1, 2] => taken[e].scaled(weights[e][2]));
        let first = Vector::zero() - (second + third + beyond[0] + beyond[1] + beyond[2]);
        let pulls = [first, second, third, beyond[0], beyond[1], beyond[2]];
        // corners last: the first of them stands in empty places, too
        repeat!(i in [5, 4, 3, 2, 1, 0] => {
            let Ahead { place, weight } = corners[i];
            block.corner(i).put_with(block.lanes, place.plus(pulls[i], -weight), weight);
        });
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        let turn = |e: usize| {
            let vertices = [0, 1, 2, 3 + e].map(|i| self.vertices[i]);
            excess_at(position, &vertices, self.weights[e].into_iter(), self.rest[e]) / self.size[e]
        };
        (0..3).map(turn).fold(0.0, f64::max)
    }
}

/// Σ w kₑ k_f + α̃
#[inline(always)]
fn resistance<L: Lane>(weights: &[[L; 3]; 3], masses: [L; PATCH], soft: Symmetric<L>) -> Symmetric<L> {
    let [beyond_a, beyond_b, beyond_c] =
        each!(e in [0, 1, 2] => masses[3 + e] * weights[e][2] * weights[e][2]);
    let [aa, bb, cc, ab, ac, bc] = soft;
    let mut matrix = [aa + beyond_a, bb + beyond_b, cc + beyond_c, ab, ac, bc];
    let first = each!(e in [0, 1, 2] => weights[e][0] + weights[e][1] + weights[e][2]);
    let [second, third] = each!(i in [0, 1] => [weights[0][i], weights[1][i], weights[2][i]]);
    repeat!(corner in [(masses[0], first), (masses[1], second), (masses[2], third)] => {
        let (mass, [a, b, c]) = corner;
        let (wa, wb, wc) = (mass * a, mass * b, mass * c);
        let [aa, bb, cc, ab, ac, bc] = matrix;
        matrix = [aa + wa * a, bb + wb * b, cc + wc * c, ab + wa * b, ac + wa * c, bc + wb * c];
    });
    matrix
}

/// Solves a positive definite system for three right sides at once: LDLᵀ.
#[inline(always)]
fn solve<L: Lane>([a, b, c, ab, ac, bc]: Symmetric<L>, x: [Vector<L>; 3]) -> [Vector<L>; 3] {
    let one = L::splat(1.0);
    let first_pivot = one / a;
    let (l_ba, l_ca) = (ab * first_pivot, ac * first_pivot);
    let second_pivot = one / (b - l_ba * ab);
    let rest = bc - l_ca * ab;
    let l_cb = rest * second_pivot;
    let third_pivot = one / (c - l_ca * ac - l_cb * rest);
    let second = x[1].plus(x[0], -l_ba);
    let third = x[2].plus(x[0], -l_ca).plus(second, -l_cb).scaled(third_pivot);
    let second = second.scaled(second_pivot).plus(third, -l_cb);
    let first = x[0].scaled(first_pivot).plus(third, -l_ca).plus(second, -l_ba);
    [first, second, third]
}

/// A tetrahedron of a solid: its volume, det F − 1, and its strain without the change of volume, |dev E| with Green's
/// strain E = ½ (FᵀF − 1). Neither depends on how the element lies: a solid of such elements is alike in all directions,
/// however its mesh is cut (springs along the edges would be stiffer along the diagonals, and shear a cube that is
/// pressed). Both are solved together.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    pub vertices: [u32; 4],
    /// Inverse of the matrix of edges from the first corner, by rows: F = Σ (xₖ − x₀) inverseₖ.
    pub inverse: [[f64; 3]; 3],
    /// Inverse of six volumes.
    pub density: f64,
    /// Of volume and strain.
    pub compliance: [f64; 2],
}

/// Six times the volume.
pub fn six_volumes([a, b, c, d]: [[f64; 3]; 4]) -> f64 {
    vec3::dot(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)), vec3::sub(d, a))
}

/// What the constraints of a solid are, and their derivatives by the positions of the second to fourth corner.
struct Strained<L> {
    volume: L,
    by_volume: [Vector<L>; 3],
    strain: L,
    by_strain: [Vector<L>; 3],
}

/// The strains of an element with these edges.
#[inline(always)]
fn strained<L: Lane>(edges: [Vector<L>; 3], inverse: [[L; 3]; 3], density: L) -> Strained<L> {
    let [a, b, c] = edges;
    let normals = [b.cross(c), c.cross(a), a.cross(b)];
    let (one, half, third) = (L::splat(1.0), L::splat(0.5), L::splat(1.0 / 3.0));
    let volume = density * a.dot(normals[0]) - one;
    let by_volume = each!(normal in [normals[0], normals[1], normals[2]] => normal.scaled(density));
    // columns of F
    let f = each!(j in [0, 1, 2] => a.scaled(inverse[0][j]).plus(b, inverse[1][j]).plus(c, inverse[2][j]));
    let [xx, yy, zz] = each!(j in [0, 1, 2] => half * (f[j].dot(f[j]) - one));
    let (xy, xz, yz) = (half * f[0].dot(f[1]), half * f[0].dot(f[2]), half * f[1].dot(f[2]));
    let mean = third * (xx + yy + zz);
    let (xx, yy, zz) = (xx - mean, yy - mean, zz - mean);
    let mixed = xy * xy + xz * xz + yz * yz;
    let strain = (xx * xx + yy * yy + zz * zz + mixed + mixed).sqrt();
    // ∂|dev E| / ∂F = F dev E / |dev E|
    let scale = one / strain.max(L::splat(TINY));
    let stress = each!(row in [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] => {
        let [x, y, z] = row;
        f[0].scaled(x * scale).plus(f[1], y * scale).plus(f[2], z * scale)
    });
    let by_strain = each!(row in [inverse[0], inverse[1], inverse[2]] => {
        let [x, y, z] = row;
        stress[0].scaled(x).plus(stress[1], y).plus(stress[2], z)
    });
    Strained { volume, by_volume, strain, by_strain }
}

impl Constraint for Solid {
    const CORNERS: usize = 4;
    const MULTIPLIERS: usize = 2;

    fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    fn numbers(&self) -> Vec<f64> {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.inverse;
        let (inverse, [volume, strain]) = (rounded([a, b, c, d, e, f, g, h, i]), self.compliance);
        [&inverse[..], &rounded([self.density]), &rounded([volume]), &rounded([strain])].concat()
    }

    #[inline(always)]
    fn relax<L, N>(scene: &Scene<'_>, block: Block<'_, L>, lambda: &N)
    where
        L: Lane,
        N: Numbers + ?Sized,
    {
        let &[xx, xy, xz, yx, yy, yz, zx, zy, zz, density, volume, strain] = block.numbers else { return };
        let corners = each!(k in [0, 1, 2, 3] => block.corner(k).corner::<L>());
        let [first, second, third, fourth] = each!(k in [0, 1, 2, 3] => corners[k].now);
        let edges = [second - first, third - first, fourth - first];
        let found = strained(edges, [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]], density);
        let [by_volume, by_strain] = each!(by in [found.by_volume, found.by_strain] => {
            let [b, c, d] = by;
            [Vector::zero() - (b + c + d), b, c, d]
        });
        let zero = L::splat(0.0);
        let (mut vv, mut vs, mut ss, mut moved) = (zero, zero, zero, [zero; 2]);
        repeat!(k in [0, 1, 2, 3] => {
            let (v, s, Corner { moved: step, weight, .. }) = (by_volume[k], by_strain[k], corners[k]);
            vv = vv + weight * v.dot(v);
            vs = vs + weight * v.dot(s);
            ss = ss + weight * s.dot(s);
            moved = [moved[0] + v.dot(step), moved[1] + s.dot(step)];
        });
        let (softening, damping) = (L::splat(scene.softening), L::splat(scene.damping));
        let soft = [volume * softening, strain * softening];
        let old = each!(k in [0, 1] => kept::<L, N>(lambda, k));
        let mut asked = [found.volume + damping * moved[0], found.strain + damping * moved[1]];
        if N::KEEPS {
            asked = [asked[0] + soft[0] * old[0], asked[1] + soft[1] * old[1]];
        }
        let stiffer = L::splat(1.0) + damping;
        let (vv, vs, ss) = (stiffer * vv + soft[0], stiffer * vs, stiffer * ss + soft[1]);
        let determinant = L::splat(-1.0) / (vv * ss - vs * vs);
        let delta =
            [(ss * asked[0] - vs * asked[1]) * determinant, (vv * asked[1] - vs * asked[0]) * determinant];
        for k in 0..2 {
            keep(lambda, k, old[k] + delta[k]);
        }
        repeat!(k in [0, 1, 2, 3] => {
            let push = by_volume[k].scaled(delta[0]).plus(by_strain[k], delta[1]);
            block.corner(k).put(block.lanes, corners[k].now.plus(push, corners[k].weight));
        });
    }

    fn error(&self, position: &[[f64; 3]]) -> f64 {
        self.strained_at(position).volume.abs()
    }
}

impl Solid {
    fn strained_at(&self, position: &[[f64; 3]]) -> Strained<f64> {
        let [a, b, c, d] = self.vertices.map(|v| Vector(position[v as usize]));
        strained([b - a, c - a, d - a], self.inverse, self.density)
    }

    /// |dev E|, of a bar that is stretched about 0.8 times how much.
    pub fn strain(&self, position: &[[f64; 3]]) -> f64 {
        self.strained_at(position).strain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F9.2: derivatives of the strains of a solid agree with differences, and vanish where it turns
    #[test]
    fn derivatives_of_strains() {
        let inverse = [[1.1, 0.2, 0.0], [-0.3, 0.9, 0.1], [0.2, 0.0, 1.3]];
        let edges = [[1.0, 0.1, 0.2], [-0.2, 1.1, 0.3], [0.1, -0.1, 0.8]];
        let at = |edges: [[f64; 3]; 3]| strained(edges.map(Vector), inverse, 0.7);
        let found = at(edges);
        let step = 1e-6;
        for (k, axis) in (0..9).map(|i| (i / 3, i % 3)) {
            let (mut plus, mut minus) = (edges, edges);
            plus[k][axis] += step;
            minus[k][axis] -= step;
            let (plus, minus) = (at(plus), at(minus));
            let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-8, "{a} {b}");
            close((plus.volume - minus.volume) / (2.0 * step), found.by_volume[k].0[axis]);
            close((plus.strain - minus.strain) / (2.0 * step), found.by_strain[k].0[axis]);
        }
        // the rest shape, turned
        let turn = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let still = strained(turn.map(Vector), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0);
        assert!(still.volume.abs() < 1e-15 && still.strain < 1e-15);
    }
}
