//! Self-collision of a flex by sweep and prune over its elements.

use super::element::{Element, share_a_body, vertex_bodies};
use super::{Detector, is_active};
use crate::collision::bounds::{Window, ordered_bits, pack, unpack};
use crate::workspace::{Collision, SWEEP_LANES, SweepBlock, SweepElement};

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
        for with_second in pairs.chunk_by(|&p, &q| unpack(p).1 == unpack(q).1) {
            let e2 = unpack(with_second[0]).1 as usize;
            let second = Element::new(m, d, flex, e2);
            for &pair in with_second {
                let e1 = unpack(pair).0 as usize;
                self.collide_near_elements((flex, e1), (flex, e2), &second, 0.0);
            }
        }
        self.scratch.pairs = pairs;
    }
}

/// Pairs of overlapping boxes that share no body, by the second that the sweep meets, then by the first. The limit counts
/// pairs that share bodies too.
fn sweep(scratch: &mut Collision) {
    let Collision { elements, order, pairs, blocks, .. } = scratch;
    pairs.clear();
    make_blocks(elements, order, blocks);
    let in_order = |place: usize| &elements[element_of(order[place])];
    let (mut met, mut first) = (0, 0);
    for (place, &start) in order.iter().enumerate() {
        while first < place && in_order(first).end < start {
            first += 1;
        }
        let b = in_order(place);
        let window = Window { min: b.min.map(|x| x as f32), max: b.max.map(|x| x as f32) };
        for k in first / SWEEP_LANES..place.div_ceil(SWEEP_LANES) {
            for earlier in window.meeting(&blocks[k]).map(|lane| k * SWEEP_LANES + lane) {
                if earlier >= place {
                    break;
                }
                let a = in_order(earlier);
                if a.end < start || apart(a, b) {
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
        }
    }
}

/// The element whose lower end a key of the sweep is.
#[inline]
fn element_of(key: u64) -> usize {
    unpack(key).1 as usize / 2
}

/// Are two boxes apart across the axis of the sweep?
#[inline]
fn apart(a: &SweepElement, b: &SweepElement) -> bool {
    (a.min[0] > b.max[0]) | (b.min[0] > a.max[0]) | (a.min[1] > b.max[1]) | (b.min[1] > a.max[1])
}

/// The boxes in the order of the sweep, in blocks.
fn make_blocks(elements: &[SweepElement], order: &[u64], blocks: &mut Vec<SweepBlock>) {
    blocks.clear();
    blocks.extend(order.chunks(SWEEP_LANES).map(|keys| {
        let mut block = SweepBlock::EMPTY;
        for (lane, &key) in keys.iter().enumerate() {
            let element = &elements[element_of(key)];
            for side in 0..2 {
                block.min[side][lane] = (element.min[side] as f32).next_down();
                block.max[side][lane] = (element.max[side] as f32).next_up();
            }
        }
        block
    }));
}
