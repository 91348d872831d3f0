//! The links of ropes, each with its neighbours: lengths of links that follow each other are solved together, since what
//! hangs on a rope pulls at all of them. One after another, a pass would hand a load on as far as the masses allow; the
//! system of a chain has three numbers a row and is solved directly (Deul, Kugelstadt, Weiler, Bender 2018, "Direct
//! position-based solver for stiff rods").

use crate::constraint::{Constraint, Edge, STIFFEST_DAMPER};
use crate::lane::{Vector, each};
use crate::scene::{Corner, Scene, Vertices};
use std::cell::Cell;

/// Numbers that a link keeps: its multiplier, and, while a chain is solved, its direction (three numbers), what is asked by the
/// pivot of its row, and the factor by which the row before it counts.
const KEPT: usize = 6;
const MULTIPLIER: usize = 0;
type Kept = [Cell<f64>; KEPT];

/// Links of which each ends where the next one begins, and which meet nowhere else.
#[derive(Debug, Clone, PartialEq)]
struct Chain {
    /// One more than there are links.
    vertices: Vec<u32>,
    links: Vec<Edge>,
}

/// All links of a rope, or of a net of ropes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chains {
    chains: Vec<Chain>,
    links: usize,
}

impl Chains {
    /// Chains as long as the order of the links allows.
    pub fn new(links: Vec<Edge>) -> Self {
        let mut chains: Vec<Chain> = Vec::new();
        let count = links.len();
        for link in links {
            let [a, b] = link.ends;
            let open = chains.last_mut().filter(|chain| {
                let seen = |v: u32| chain.vertices.contains(&v);
                chain.vertices.last() == Some(&a) && !seen(b)
            });
            match open {
                Some(chain) => {
                    chain.vertices.push(b);
                    chain.links.push(link);
                }
                None => chains.push(Chain { vertices: vec![a, b], links: vec![link] }),
            }
        }
        Self { chains, links: count }
    }

    pub fn len(&self) -> usize {
        self.links
    }

    pub fn multipliers(&self) -> usize {
        KEPT * self.links
    }

    /// The largest relative change of a length.
    pub fn worst(&self, position: &[[f64; 3]]) -> f64 {
        let links = self.chains.iter().flat_map(|chain| &chain.links);
        links.map(|link| link.error(position)).fold(0.0, f64::max)
    }

    /// One pass over all of them; their numbers come first.
    pub fn relax(&self, scene: &Scene<'_>, kept: &[Cell<f64>]) {
        let mut kept = kept.as_chunks().0;
        for chain in &self.chains {
            let own;
            (own, kept) = kept.split_at(chain.links.len());
            let vertices = scene.vertices(&chain.vertices);
            chain.eliminate(scene, vertices, own);
            chain.substitute(vertices, own);
        }
    }
}

impl Chain {
    /// Rows (1 + γ) ∇C M⁻¹ ∇Cᵀ + α̃ of the system, from the first to the last, each freed of what is left of it.
    fn eliminate(&self, scene: &Scene<'_>, vertices: Vertices<'_>, kept: &[Kept]) {
        let damping = scene.damping.min(STIFFEST_DAMPER);
        let mut corner: Corner<f64> = vertices.part(0..1).corner();
        let (mut before, mut inverse, mut asked) = (Vector::zero(), 0.0, 0.0);
        for (k, (link, kept)) in self.links.iter().zip(kept).enumerate() {
            let next: Corner<f64> = vertices.part(k + 1..k + 2).corner();
            let (length, unit) = link.along(next.now - corner.now);
            let softness = link.compliance * scene.softening;
            let coupling = -(1.0 + damping) * corner.weight * before.dot(unit);
            let factor = coupling * inverse;
            let step = unit.dot(next.moved - corner.moved);
            let violation = length - link.rest + softness * kept[MULTIPLIER].get() + damping * step;
            asked = -violation - factor * asked;
            inverse = 1.0 / ((1.0 + damping) * (corner.weight + next.weight) + softness - factor * coupling);
            let [x, y, z] = unit.0;
            for (place, number) in kept[1..].iter().zip([x, y, z, asked * inverse, factor]) {
                place.set(number);
            }
            (corner, before) = (next, unit);
        }
    }

    /// Changes of the multipliers, from the last to the first, and what they move.
    fn substitute(&self, vertices: Vertices<'_>, kept: &[Kept]) {
        // what is left of a row by the one behind it, and the pull of the link there
        let (mut factor, mut change, mut pull) = (0.0, 0.0, Vector::zero());
        for (k, kept) in kept.iter().enumerate().rev() {
            let [multiplier, unit @ .., asked, own_factor] = kept;
            let unit = Vector(each!(axis in [0, 1, 2] => unit[axis].get()));
            change = asked.get() - factor * change;
            factor = own_factor.get();
            multiplier.set(multiplier.get() + change);
            let end = vertices.part(k + 1..k + 2);
            let Corner { now, weight, .. } = end.corner::<f64>();
            let own_pull = unit.scaled(change);
            end.put(1, now.plus(own_pull - pull, weight));
            pull = own_pull;
        }
        let first = vertices.part(0..1);
        let Corner { now, weight, .. } = first.corner::<f64>();
        first.put(1, now.plus(pull, -weight));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_model::parts::SoftPoint;

    /// F9: one pass makes all links of a straight rope as long as they should be, however far the masses differ
    #[test]
    fn chains_are_solved_at_once() {
        let links: Vec<Edge> =
            (0..30).map(|k| Edge { ends: [k, k + 1], rest: 0.1, compliance: 1e-16 }).collect();
        let chains = Chains::new(links);
        let inverse_mass = |k: u32| {
            if k == 0 {
                0.0
            } else if k == 30 {
                0.01
            } else {
                100.0
            }
        };
        let start: Vec<_> =
            (0..31).map(|k| SoftPoint([0.13 * f64::from(k), 0.0, 0.0, inverse_mass(k)])).collect();
        let mut position: Vec<_> = start.iter().map(|p| SoftPoint([p.0[0], 0.0, 0.0, 0.0])).collect();
        let mut lambda = vec![0.0; chains.multipliers()];
        let scene = Scene::new(&mut position, &start, 1e4, 0.0);
        chains.relax(&scene, Cell::from_mut(&mut lambda[..]).as_slice_of_cells());
        let found: Vec<[f64; 3]> = position.iter().map(|p| [p.0[0], p.0[1], p.0[2]]).collect();
        assert!(chains.worst(&found) < 1e-9, "{}", chains.worst(&found));
        assert_eq!(found[0], [0.0; 3]);
    }

    /// F9: links that close a ring or begin elsewhere are chains of their own
    #[test]
    fn chains_end_where_links_meet_again() {
        let ends = [[0, 1], [1, 2], [2, 0], [5, 6], [6, 7], [3, 6]];
        let links = ends.map(|ends| Edge { ends, rest: 1.0, compliance: 1.0 });
        let chains = Chains::new(links.to_vec());
        let found: Vec<&[u32]> = chains.chains.iter().map(|chain| &chain.vertices[..]).collect();
        assert_eq!(found, [&[0, 1, 2][..], &[2, 0], &[5, 6, 7], &[3, 6]]);
    }
}
