//! Broad phase: pairs of bodies and flexes whose bounding boxes meet, sorted by number.
//!
//! Sweep and prune along the world axis with the largest spread. The reference sweeps along the main axis of the
//! geoms' covariance; either only leaves out pairs whose bounding spheres are apart, which the narrow phase would
//! drop, so the contacts are the same.

use super::filter::{BodyFilter, item_can_collide, masks_match};
use super::{Detector, geoms_of};
use ligament_model::Model;
use ligament_model::enums::{EnableBit, GeomType};
use ligament_model::scratch::{Collision, SweepBox};

impl Detector<'_> {
    /// Fills `scratch.pairs`.
    pub(super) fn broad_phase(&mut self) {
        let filter = BodyFilter::new(self.m, self.d);
        self.scratch.pairs.clear();
        self.make_boxes();
        self.static_pairs(&filter);
        self.sweep(&filter);
        self.scratch.pairs.sort_unstable();
        self.scratch.pairs.dedup();
    }

    /// The world, and static bodies with planes, may touch everything that moves.
    fn static_pairs(&mut self, filter: &BodyFilter) {
        let m = self.m;
        let Collision { boxes, pairs, .. } = &mut *self.scratch;
        for body in 0..m.nbody {
            let unbounded =
                (body == 0 && m.body_geomnum[0] > 0) || (m.body_weldid[body] == 0 && has_plane(m, body));
            if !unbounded || !item_can_collide(m, body) {
                continue;
            }
            let (contype, conaffinity) = geom_masks(m, body);
            for other in boxes.iter() {
                let item = other.item as usize;
                let allowed = item >= m.nbody || filter.allows_static(item);
                if allowed && masks_match(contype, conaffinity, other.contype, other.conaffinity) {
                    pairs.push((other.item.min(body as u32), other.item.max(body as u32)));
                }
            }
        }
    }

    /// Boxes of all bodies but the world, and of flexes, that can collide.
    fn make_boxes(&mut self) {
        let (m, d) = (self.m, self.d);
        let half_override = m.opt.enabled(EnableBit::Override).then_some(0.5 * m.opt.o_margin);
        let boxes = &mut self.scratch.boxes;
        boxes.clear();
        for body in (1..m.nbody).filter(|&b| item_can_collide(m, b)) {
            let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            let (mut contype, mut conaffinity) = (0, 0);
            for g in geoms_of(m, body) {
                let reach = m.geom_rbound[g] + half_override.unwrap_or(m.geom_margin[g]);
                for k in 0..3 {
                    min[k] = min[k].min(d.geom_xpos[g][k] - reach);
                    max[k] = max[k].max(d.geom_xpos[g][k] + reach);
                }
                contype |= m.geom_contype[g];
                conaffinity |= m.geom_conaffinity[g];
            }
            boxes.push(SweepBox { min, max, item: body as u32, contype, conaffinity });
        }
        for flex in (0..m.nflex).filter(|&f| item_can_collide(m, m.nbody + f)) {
            let (min, max) = super::flex::bounds(m, d, flex, half_override);
            let item = (m.nbody + flex) as u32;
            let (contype, conaffinity) = (m.flex_contype[flex], m.flex_conaffinity[flex]);
            boxes.push(SweepBox { min, max, item, contype, conaffinity });
        }
    }

    /// Sorts the boxes along one axis and compares each with those that start before it ends.
    fn sweep(&mut self, filter: &BodyFilter) {
        let nbody = self.m.nbody;
        let Collision { boxes, order, sorted, pairs, .. } = &mut *self.scratch;
        if boxes.len() < 2 {
            return;
        }
        let axis = widest_axis(boxes);
        let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
        order.clear();
        order.extend(boxes.iter().enumerate().map(|(i, b)| (b.min[axis], i as u32)));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        sorted.clear();
        sorted.extend(order.iter().map(|&(_, i)| boxes[i as usize]));
        for (i, a) in sorted.iter().enumerate() {
            let end = a.max[axis];
            for b in &sorted[i + 1..] {
                if b.min[axis] > end || b.min[axis].is_nan() {
                    break;
                }
                if a.min[y] > b.max[y] || b.min[y] > a.max[y] || a.min[z] > b.max[z] || b.min[z] > a.max[z] {
                    continue;
                }
                if !masks_match(a.contype, a.conaffinity, b.contype, b.conaffinity) {
                    continue;
                }
                let (i1, i2) = (a.item.min(b.item), a.item.max(b.item));
                if (i2 as usize) < nbody && !filter.allows(i1 as usize, i2 as usize) {
                    continue;
                }
                pairs.push((i1, i2));
            }
        }
    }
}

/// The axis along which the box centres vary most.
fn widest_axis(boxes: &[SweepBox]) -> usize {
    let n = boxes.len() as f64;
    let variance: [f64; 3] = std::array::from_fn(|k| {
        let (sum, sum2) = boxes.iter().fold((0.0, 0.0), |(s, s2), b| {
            let c = b.min[k] + b.max[k];
            (s + c, s2 + c * c)
        });
        sum2 / n - (sum / n) * (sum / n)
    });
    (0..3).fold(0, |best, k| if variance[k] > variance[best] { k } else { best })
}

/// Union of the masks of a body's geoms.
fn geom_masks(m: &Model, body: usize) -> (i32, i32) {
    geoms_of(m, body).fold((0, 0), |(t, a), g| (t | m.geom_contype[g], a | m.geom_conaffinity[g]))
}

fn has_plane(m: &Model, body: usize) -> bool {
    geoms_of(m, body).any(|g| m.geom_type[g] == GeomType::Plane as i32)
}
