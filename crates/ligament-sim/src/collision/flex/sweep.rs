//! Self-collision of a flex by sweep and prune over its elements.

use super::{Detector, is_active};
use crate::collision::broad::{ordered_bits, pack, unpack};
use ligament_model::scratch::{Collision, SweepBox};

/// Most pairs that are looked at.
const MAX_PAIRS: usize = 1_000_000;

impl Detector<'_> {
    /// Collides active elements whose boxes overlap, in the order in which the sweep meets them.
    pub(super) fn sweep_elements(&mut self, flex: usize) {
        let (m, d) = (self.m, self.d);
        let first = m.flex_elemadr[flex] as usize;
        self.scratch.boxes.clear();
        for e in (0..m.flex_elemnum[flex] as usize).filter(|&e| is_active(m, flex, e)) {
            let b = &d.flexelem_aabb[first + e];
            let min = [b[0] - b[3], b[1] - b[4], b[2] - b[5]];
            let max = [b[0] + b[3], b[1] + b[4], b[2] + b[5]];
            self.scratch.boxes.push(SweepBox { min, max, item: e as u32, ..SweepBox::default() });
        }
        let root = &d.bvh_aabb_dyn[m.flex_bvhadr[flex] as usize - m.nbvhstatic];
        let axis = if root[3] > root[4] && root[3] > root[5] {
            0
        } else if root[4] > root[5] {
            1
        } else {
            2
        };
        sweep(self.scratch, axis);
        let pairs = std::mem::take(&mut self.scratch.pairs);
        for &pair in &pairs {
            let (e1, e2) = unpack(pair);
            self.collide_elements((flex, e1 as usize), (flex, e2 as usize));
        }
        self.scratch.pairs = pairs;
    }
}

/// Pairs of overlapping boxes, by the end of the sweep that meets the second. Both ends of all boxes are sorted in single
/// precision, equal ones by number and lower end first.
fn sweep(scratch: &mut Collision, axis: usize) {
    let Collision { boxes, order, pairs, nodes, .. } = scratch;
    let (y, z) = ((axis == 0) as usize, if axis == 2 { 1 } else { 2 });
    // entry 2i is the lower end of box i, 2i + 1 the upper
    order.clear();
    for (i, b) in boxes.iter().enumerate() {
        order.push(pack(ordered_bits(b.min[axis]), 2 * i as u32));
        order.push(pack(ordered_bits(b.max[axis]), 2 * i as u32 + 1));
    }
    order.sort_unstable();
    pairs.clear();
    let active = nodes;
    active.clear();
    for &key in order.iter() {
        let entry = unpack(key).1;
        let i = entry / 2;
        if entry % 2 == 1 {
            if let Some(position) = active.iter().position(|&(j, _)| j == i) {
                active.remove(position);
            }
            continue;
        }
        let b = &boxes[i as usize];
        for &(j, _) in active.iter() {
            let a = &boxes[j as usize];
            if a.min[y] > b.max[y] || b.min[y] > a.max[y] || a.min[z] > b.max[z] || b.min[z] > a.max[z] {
                continue;
            }
            pairs.push(pack(a.item, b.item));
            if pairs.len() >= MAX_PAIRS {
                return;
            }
        }
        active.push((i, 0));
    }
}
