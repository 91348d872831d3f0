//! Self-collision of a flex by sweep and prune over its elements.

use super::element::{share_a_body, vertex_bodies};
use super::{Detector, is_active};
use crate::collision::broad::{ordered_bits, pack, unpack};
use crate::workspace::{Collision, SweepElement};

/// Most pairs that are looked at.
const MAX_PAIRS: usize = 1_000_000;

impl Detector<'_> {
    /// Collides active elements whose boxes overlap, in the order in which the sweep meets them.
    pub(super) fn sweep_elements(&mut self, flex: usize) {
        let (m, d) = (self.m, self.d);
        let root = &d.bvh_aabb_dyn[m.flex_bvhadr[flex] as usize - m.nbvhstatic];
        let axis = if root[3] > root[4] && root[3] > root[5] {
            0
        } else if root[4] > root[5] {
            1
        } else {
            2
        };
        let (y, z) = ((axis == 0) as usize, if axis == 2 { 1 } else { 2 });
        let first = m.flex_elemadr[flex] as usize;
        let Collision { elements, order, .. } = &mut *self.scratch;
        elements.clear();
        order.clear();
        for e in (0..m.flex_elemnum[flex] as usize).filter(|&e| is_active(m, flex, e)) {
            let b = &d.flexelem_aabb[first + e];
            let (min, max) = (|k: usize| b[k] - b[k + 3], |k: usize| b[k] + b[k + 3]);
            // both ends in single precision, equal ones by number and lower end first
            let i = elements.len() as u32;
            order.push(pack(ordered_bits(min(axis)), 2 * i));
            elements.push(SweepElement {
                end: pack(ordered_bits(max(axis)), 2 * i + 1),
                min: [min(y), min(z)],
                max: [max(y), max(z)],
                bodies: vertex_bodies(m, flex, e),
                element: e as u32,
            });
        }
        order.sort_unstable();
        sweep(self.scratch);
        let pairs = std::mem::take(&mut self.scratch.pairs);
        for &pair in &pairs {
            let (e1, e2) = unpack(pair);
            self.collide_near_elements((flex, e1 as usize), (flex, e2 as usize), 0.0);
        }
        self.scratch.pairs = pairs;
    }
}

/// Pairs of overlapping boxes that share no body, by the second that the sweep meets. The limit counts pairs that share
/// bodies too.
fn sweep(scratch: &mut Collision) {
    let Collision { elements, order, pairs, nodes: active, .. } = scratch;
    pairs.clear();
    active.clear();
    let mut met = 0;
    for &start in order.iter() {
        let second = unpack(start).1 / 2;
        let b = &elements[second as usize];
        let mut kept = 0;
        for k in 0..active.len() {
            let a = &elements[active[k].0 as usize];
            if a.end < start {
                continue;
            }
            active[kept] = active[k];
            kept += 1;
            let apart =
                (a.min[0] > b.max[0]) | (b.min[0] > a.max[0]) | (a.min[1] > b.max[1]) | (b.min[1] > a.max[1]);
            if apart {
                continue;
            }
            met += 1;
            if !share_a_body(&a.bodies, &b.bodies) {
                pairs.push(pack(a.element, b.element));
            }
            if met >= MAX_PAIRS {
                return;
            }
        }
        active.truncate(kept);
        active.push((second, 0));
    }
}
