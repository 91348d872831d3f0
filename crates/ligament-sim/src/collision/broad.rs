//! Broad phase: pairs of bodies and flexes whose bounding boxes meet, sorted by number.
//!
//! Boxes are aligned with the covariance of all moving geoms; sweep and prune along the axis of this frame with the largest
//! spread. Boxes that exactly touch count or not as in the reference, which sweeps along the first axis: there it compares
//! in single precision, and of two equal ends the one of the lower number comes first.

use super::bounds::{Window, ordered_bits, pack, unpack};
use super::filter::{
    BodyFilter, any_colliding_body, each_still_body, is_above, item_can_collide, item_masks, masks_match,
};
use super::mix::effective_margin;
use super::{Detector, geoms_of};
use crate::parallel;
use crate::workspace::{Collision, PairPart, SWEEP_LANES, SweepBlock, SweepBox};
use ligament_math::{Mat3, Vec3, eigen, mat3, quat, vec3};
use ligament_model::enums::{EnableBit, GeomType};
use ligament_model::{Data, Model};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bodies above a plane that stands alone: they touch nothing of it, but the reference looks at them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AboveGround {
    LeftOut,
    Paired,
}

impl Detector<'_> {
    /// Fills `scratch.pairs`.
    pub(super) fn broad_phase(&mut self, above: AboveGround) {
        let filter = BodyFilter::new(self.m, self.d);
        self.scratch.pairs.clear();
        let sweep = moving_pairs_possible(self.m) && !self.few_and_far_apart(&filter);
        // only the sweep compares boxes
        let frame = if sweep { self.covariance_frame() } else { None };
        if sweep && frame.is_none() {
            return;
        }
        let shares = self.make_boxes(&filter, frame.as_ref(), above);
        if sweep {
            self.sweep(&filter, shares);
        }
        self.sort(shares);
    }

    /// Sorts what was found, unless it is too much; nothing is there twice then.
    fn sort(&mut self, shares: usize) {
        let (items, most) = (self.m.nbody + self.m.nflex, self.capacity.pairs);
        let Collision { pairs, order, pair_starts, pair_parts, swept, .. } = &mut *self.scratch;
        let swept = &swept[..shares];
        let total = pairs.len() + swept.iter().map(Vec::len).sum::<usize>();
        if shares == 0 || total < MIN_PAIRS || total > most {
            swept.iter().for_each(|found| pairs.extend_from_slice(found));
            if total <= most {
                sort_pairs(pairs, 0..items, order, pair_starts);
                pairs.dedup();
            }
            return;
        }
        // each thread looks for the pairs of some items
        let threads = self.d.threads;
        let count = parallel::pieces(threads, 1);
        pair_parts.resize_with(count.max(pair_parts.len()), PairPart::default);
        let parts = &mut pair_parts[..count];
        let found = &*pairs;
        parallel::share_out(threads, 0..items, parts, |items: Range<usize>, part| {
            let PairPart { pairs, buffer, starts } = part;
            let range = pack(items.start as u32, 0)..pack(items.end as u32, 0);
            pairs.clear();
            for list in swept.iter().chain([found]) {
                pairs.extend(list.iter().filter(|pair| range.contains(pair)));
            }
            sort_pairs(pairs, items, buffer, starts);
            pairs.dedup();
        });
        pairs.clear();
        parts.iter().for_each(|part| pairs.extend_from_slice(&part.pairs));
    }

    /// Are there only a few bodies, those that may touch so far apart that their boxes do not meet in whatever frame? The
    /// boxes lie within cubes around balls, and the corners of a cube are √3 as far away as its sides.
    #[inline(never)]
    fn few_and_far_apart(&self, filter: &BodyFilter) -> bool {
        let m = self.m;
        if m.nbody > FEW || m.nflex > 0 {
            return false;
        }
        let mut balls = [None; FEW];
        for body in (1..m.nbody).filter(|&b| item_can_collide(m, b)) {
            let Some(ball) = self.ball_around(body) else { continue };
            let near = |other: usize| {
                balls[other].is_some_and(|other: Ball| !other.is_far_from(&ball))
                    && filter.allows(other, body)
            };
            if (1..body).any(near) {
                return false;
            }
            balls[body] = Some(ball);
        }
        true
    }

    /// A ball around the geoms of a body; `None` where it has none.
    fn ball_around(&self, body: usize) -> Option<Ball> {
        let (m, d) = (self.m, self.d);
        let center = d.geom_xpos[geoms_of(m, body).next()?];
        let reach = |g: usize| vec3::distance(center, d.geom_xpos[g]) + m.geom_rbound[g] + margin_of(m, g);
        Some(Ball { center, radius: geoms_of(m, body).map(reach).reduce(f64::max)? })
    }

    /// Axes of the covariance of what can move; `None` when nothing can.
    fn covariance_frame(&self) -> Option<Mat3> {
        let (m, d) = (self.m, self.d);
        let sets = [(&m.geom_bodyid, &d.geom_xpos), (&m.flex_vertbodyid, &d.flexvert_xpos)];
        let (mut count, mut center) = (0, [0.0; 3]);
        for (bodies, points) in sets {
            for (_, &point) in bodies.iter().zip(points).filter(|&(&body, _)| body != 0) {
                center = vec3::add(center, point);
                count += 1;
            }
        }
        if count == 0 {
            return None;
        }
        let inv = 1.0 / f64::from(count);
        center = vec3::scale(center, inv);
        let mut cov = [0.0; 6];
        for (bodies, points) in sets {
            for (_, &point) in bodies.iter().zip(points).filter(|&(&body, _)| body != 0) {
                let [x, y, z] = vec3::sub(point, center);
                let terms = [x * x, x * y, x * z, y * y, y * z, z * z];
                for k in 0..6 {
                    cov[k] += terms[k];
                }
            }
        }
        let [xx, xy, xz, yy, yz, zz] = cov.map(|c| c * inv);
        let (_, axes) = eigen::symmetric(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
        Some(quat::to_mat(axes))
    }

    /// Boxes of all bodies but the world, and of flexes, that can collide: in the given frame, or with no extent. Their pairs
    /// with what never moves are found as well; says how many of the lists of `scratch.swept` are in use, none where one
    /// thread fills `scratch.pairs`.
    fn make_boxes(&mut self, filter: &BodyFilter, frame: Option<&Mat3>, above: AboveGround) -> usize {
        let (m, d) = (self.m, self.d);
        let Collision { boxes, swept, pairs, .. } = &mut *self.scratch;
        boxes.clear();
        any_colliding_body(m, |body| {
            boxes.push(SweepBox { item: body as u32, ..SweepBox::EMPTY });
            false
        });
        let work = |boxes: &mut [SweepBox], found: &mut Vec<u64>| {
            for b in &mut *boxes {
                (b.contype, b.conaffinity) = geom_masks(m, b.item as usize);
                if let Some(frame) = frame {
                    extend(m, d, frame, b);
                }
            }
            static_pairs(m, d, (filter, above), boxes, found);
        };
        let shares =
            if d.threads < 2 || boxes.len() < MIN_BOXES { 0 } else { parallel::pieces(d.threads, PIECES) };
        if shares == 0 {
            work(boxes, pairs);
        } else {
            // pieces of equal length: the pairs are sorted afterwards, so that their order does not matter
            swept.resize_with(shares.max(swept.len()), Vec::new);
            let swept = &mut swept[..shares];
            swept.iter_mut().for_each(Vec::clear);
            parallel::share_out(d.threads, &mut boxes[..], swept, work);
        }
        let half_override = m.opt.enabled(EnableBit::Override).then_some(0.5 * m.opt.o_margin);
        let bodies = boxes.len();
        for flex in (0..m.nflex).filter(|&f| item_can_collide(m, m.nbody + f)) {
            let bounds = |frame| super::flex::bounds(m, d, flex, frame, half_override);
            let (min, max) = frame.map_or(([0.0; 3], [0.0; 3]), bounds);
            let item = (m.nbody + flex) as u32;
            let (contype, conaffinity) = (m.flex_contype[flex], m.flex_conaffinity[flex]);
            boxes.push(SweepBox { min, max, item, contype, conaffinity });
        }
        if boxes.len() > bodies {
            static_pairs(m, d, (filter, above), &boxes[bodies..], pairs);
        }
        shares
    }

    /// Sorts the boxes along one axis and compares each with those that start before it ends.
    fn sweep(&mut self, filter: &BodyFilter, shares: usize) {
        let (nbody, most) = (self.m.nbody, self.capacity.pairs);
        let Collision { boxes, order, last_order, sorted, blocks, swept, pairs, .. } = &mut *self.scratch;
        if boxes.len() <= FEW_BOXES {
            return compare_all(boxes, filter, nbody, pairs);
        }
        let axis = widest_axis(boxes);
        let key = |i: usize| pack(ordered_bits(boxes[i].min[axis]), i as u32);
        sort_keys(boxes.len(), key, last_order, order);
        sorted.clear();
        sorted.extend(order.iter().map(|&key| boxes[unpack(key).1 as usize]));
        let others = [(axis + 1) % 3, (axis + 2) % 3];
        make_blocks(sorted, axis, others, blocks);
        let swept = &mut swept[..shares];
        let total = &AtomicUsize::new(pairs.len() + swept.iter().map(Vec::len).sum::<usize>());
        let sweep = Sweep { sorted, blocks, axis, others, filter, nbody, most, total };
        if shares == 0 {
            return sweep.run(0..sorted.len(), pairs);
        }
        let work = |range, found: &mut Vec<u64>| sweep.run(range, found);
        parallel::share_out(self.d.threads, 0..sorted.len(), swept, work);
    }
}

/// The world, and static bodies with planes, may touch everything that moves, unless it is above all that they have and left
/// out for it: adds their pairs with the owners of some boxes.
fn static_pairs(
    m: &Model,
    d: &Data,
    (filter, above): (&BodyFilter, AboveGround),
    boxes: &[SweepBox],
    pairs: &mut Vec<u64>,
) {
    if boxes.is_empty() {
        return;
    }
    each_still_body(m, |body| {
        let unbounded = (body == 0 && m.body_geomnum[0] > 0) || has_plane(m, body);
        if !unbounded || !item_can_collide(m, body) {
            return;
        }
        let (contype, conaffinity) = geom_masks(m, body);
        let ground = if above == AboveGround::LeftOut { Ground::of(m, d, body) } else { None };
        for other in boxes {
            let item = other.item as usize;
            let allowed = item >= m.nbody || filter.allows_static(item);
            if allowed
                && masks_match(contype, conaffinity, other.contype, other.conaffinity)
                && !ground.as_ref().is_some_and(|ground| item < m.nbody && ground.is_below(m, d, item))
            {
                pairs.push(pack(other.item.min(body as u32), other.item.max(body as u32)));
            }
        }
    });
}

/// Keys below which they are sorted without regard to how they were sorted last.
const FEW_KEYS: usize = 64;

/// Fills `keys` with those of so many boxes, sorted; the numbers of the boxes are their lower halves. Boxes move little from
/// step to step: where few have changed places since the last time, each is moved to its new one.
fn sort_keys(count: usize, key: impl Fn(usize) -> u64, last: &mut Vec<u32>, keys: &mut Vec<u64>) {
    keys.clear();
    if count < FEW_KEYS {
        keys.extend((0..count).map(key));
        return keys.sort_unstable();
    }
    if last.len() == count {
        keys.extend(last.iter().map(|&i| key(i as usize)));
        if !insert(keys, 4 * count) {
            keys.sort_unstable();
        }
    } else {
        keys.extend((0..count).map(key));
        keys.sort_unstable();
    }
    last.clear();
    last.extend(keys.iter().map(|&key| unpack(key).1));
}

/// Sorts by insertion; gives up, with the keys in any order, after about so many moves.
fn insert(keys: &mut [u64], moves: usize) -> bool {
    let mut left = moves;
    for i in 1..keys.len() {
        let key = keys[i];
        let mut place = i;
        while place > 0 && keys[place - 1] > key {
            keys[place] = keys[place - 1];
            place -= 1;
        }
        keys[place] = key;
        let Some(rest) = left.checked_sub(i - place) else { return false };
        left = rest;
    }
    true
}

/// A plane that is all that a static body has. Most of what moves is above it, which is seen here with less effort than by the
/// narrow phase, pair by pair.
struct Ground {
    plane: usize,
}

impl Ground {
    /// `None` where a body has anything else, or the user wants to be asked about every pair of geoms.
    fn of(m: &Model, d: &Data, body: usize) -> Option<Self> {
        let plane = m.body_geomadr[body].max(0) as usize;
        let alone = m.body_geomnum[body] == 1 && m.geom_type[plane] == GeomType::Plane as i32;
        (alone && d.callbacks.contact_filter.is_none()).then_some(Self { plane })
    }

    /// Would the narrow phase find every geom of a body above the plane?
    #[inline]
    fn is_below(&self, m: &Model, d: &Data, body: usize) -> bool {
        let margins = &m.geom_margin[..m.ngeom];
        geoms_of(m, body)
            .all(|g| is_above(m, d, self.plane, g, effective_margin(m, margins[self.plane] + margins[g])))
    }
}

/// Extends the box of a body to its geoms.
#[inline]
fn extend(m: &Model, d: &Data, frame: &Mat3, b: &mut SweepBox) {
    for g in geoms_of(m, b.item as usize) {
        let center = mat3::mul_vec(frame, d.geom_xpos[g]);
        let (radius, margin) = (m.geom_rbound[g], margin_of(m, g));
        for k in 0..3 {
            b.min[k] = b.min[k].min(center[k] - radius - margin);
            b.max[k] = b.max[k].max(center[k] + radius + margin);
        }
    }
}

/// How far the box of a geom goes beyond its bounding sphere.
#[inline]
fn margin_of(m: &Model, geom: usize) -> f64 {
    if m.opt.enabled(EnableBit::Override) { 0.5 * m.opt.o_margin } else { m.geom_margin[geom] }
}

/// Bodies (the world is one) that are compared one by one before a frame is made for their boxes.
const FEW: usize = 6;

/// A ball around a body.
#[derive(Clone, Copy)]
struct Ball {
    center: Vec3,
    radius: f64,
}

impl Ball {
    /// Are boxes around the balls apart in every frame? No where any number is none.
    fn is_far_from(&self, other: &Self) -> bool {
        let offset = vec3::sub(self.center, other.center);
        let reach = self.radius + other.radius;
        vec3::dot(offset, offset) > 3.0 * (1.0 + 1e-9) * reach * reach
    }
}

/// Boxes up to which each is compared with each: sorting them takes longer.
const FEW_BOXES: usize = 24;

/// Adds all pairs of boxes that meet and whose owners may collide.
fn compare_all(boxes: &[SweepBox], filter: &BodyFilter, nbody: usize, pairs: &mut Vec<u64>) {
    for (i, a) in boxes.iter().enumerate() {
        for b in &boxes[i + 1..] {
            if boxes_meet(a, b) && items_match(filter, nbody, a, b) {
                pairs.push(pack(a.item, b.item));
            }
        }
    }
}

/// Boxes below which threads cost more than they save.
const MIN_BOXES: usize = 500;

/// Pairs below which one thread sorts them.
const MIN_PAIRS: usize = 1000;

/// Pieces a thread gets: more than one, since boxes have different numbers of neighbours.
const PIECES: usize = 4;

/// Boxes that are sorted along an axis.
#[derive(Clone, Copy)]
struct Sweep<'a> {
    sorted: &'a [SweepBox],
    blocks: &'a [SweepBlock],
    axis: usize,
    others: [usize; 2],
    filter: &'a BodyFilter<'a>,
    nbody: usize,
    /// Pairs from which the search is given up, and how many all threads have found.
    most: usize,
    total: &'a AtomicUsize,
}

impl Sweep<'_> {
    /// Compares each box of a range with those that start before it ends.
    fn run(self, range: Range<usize>, pairs: &mut Vec<u64>) {
        let Self { sorted, blocks, axis, others, filter, nbody, most, total } = self;
        let mut counted = pairs.len();
        for i in range {
            let a = &sorted[i];
            let new = pairs.len() - counted;
            counted = pairs.len();
            if new > 0 && total.fetch_add(new, Ordering::Relaxed) + new > most {
                return;
            }
            let end = a.max[axis] as f32;
            let window =
                Window { min: others.map(|k| a.min[k] as f32), max: others.map(|k| a.max[k] as f32) };
            let first = (i + 1) / SWEEP_LANES;
            for (k, block) in blocks.iter().enumerate().skip(first) {
                // written so that it ends at NaN, too
                if !(block.start[0] <= end) {
                    break;
                }
                if !window.meets_any(block) {
                    continue;
                }
                let lanes = (k * SWEEP_LANES).max(i + 1)..((k + 1) * SWEEP_LANES).min(sorted.len());
                for b in &sorted[lanes] {
                    if b.min[axis] as f32 <= end && boxes_meet(a, b) && items_match(filter, nbody, a, b) {
                        pairs.push(pack(a.item.min(b.item), a.item.max(b.item)));
                    }
                }
            }
        }
    }
}

/// Pairs below which they are sorted by comparing them.
const FEW_PAIRS: usize = 64;

/// Sorts pairs by their first items, which are of a range, then those of each by their second ones; `buffer` and `starts` are scratch.
fn sort_pairs(pairs: &mut [u64], items: Range<usize>, buffer: &mut Vec<u64>, starts: &mut Vec<u32>) {
    if pairs.len() < FEW_PAIRS {
        return pairs.sort_unstable();
    }
    let first = |pair: u64| unpack(pair).0 as usize - items.start;
    starts.clear();
    starts.resize(items.len() + 1, 0);
    pairs.iter().for_each(|&pair| starts[first(pair) + 1] += 1);
    for item in 0..items.len() {
        starts[item + 1] += starts[item];
    }
    buffer.clear();
    buffer.resize(pairs.len(), 0);
    for &pair in &*pairs {
        let place = &mut starts[first(pair)];
        buffer[*place as usize] = pair;
        *place += 1;
    }
    // the places have moved on to where the next item begins
    let mut begin = 0;
    for &end in &starts[..items.len()] {
        buffer[begin..end as usize].sort_unstable();
        begin = end as usize;
    }
    pairs.copy_from_slice(buffer);
}

/// The sorted boxes in blocks.
fn make_blocks(sorted: &[SweepBox], axis: usize, others: [usize; 2], blocks: &mut Vec<SweepBlock>) {
    blocks.clear();
    blocks.extend(sorted.chunks(SWEEP_LANES).map(|boxes| {
        let mut block = SweepBlock::EMPTY;
        for (lane, b) in boxes.iter().enumerate() {
            block.start[lane] = b.min[axis] as f32;
            for (side, &k) in others.iter().enumerate() {
                block.min[side][lane] = (b.min[k] as f32).next_down();
                block.max[side][lane] = (b.max[k] as f32).next_up();
            }
        }
        block
    }));
}

/// Do two boxes meet, by the rules of the reference?
#[inline]
fn boxes_meet(a: &SweepBox, b: &SweepBox) -> bool {
    !(outside(a, b) || ends_before(a, b) || ends_before(b, a))
}

/// May the owners of two boxes collide?
#[inline]
fn items_match(filter: &BodyFilter, nbody: usize, a: &SweepBox, b: &SweepBox) -> bool {
    let (i1, i2) = (a.item.min(b.item) as usize, a.item.max(b.item) as usize);
    masks_match(a.contype, a.conaffinity, b.contype, b.conaffinity) && (i2 >= nbody || filter.allows(i1, i2))
}

/// Do the masks let anything that moves touch anything else but the world?
fn moving_pairs_possible(m: &Model) -> bool {
    let (mut types, mut affinities) = (0, 0);
    let mut matches_earlier = |item| {
        let (own_types, own_affinities) = item_masks(m, item);
        let matches = masks_match(own_types, own_affinities, types, affinities);
        types |= own_types;
        affinities |= own_affinities;
        matches
    };
    any_colliding_body(m, &mut matches_earlier) || (m.nbody..m.nbody + m.nflex).any(matches_earlier)
}

/// Are two boxes apart along the second or third axis?
#[inline]
fn outside(a: &SweepBox, b: &SweepBox) -> bool {
    // without shortcuts: the outcome of each comparison is hard to predict
    (a.min[1] > b.max[1]) | (b.min[1] > a.max[1]) | (a.min[2] > b.max[2]) | (b.min[2] > a.max[2])
}

/// Does the first box end before the second starts, along the first axis?
#[inline]
fn ends_before(a: &SweepBox, b: &SweepBox) -> bool {
    let (end, start) = (a.max[0] as f32, b.min[0] as f32);
    end < start || (end == start && a.item < b.item)
}

/// The axis along which the box centres vary most.
fn widest_axis(boxes: &[SweepBox]) -> usize {
    let (mut sum, mut sum2) = ([0.0; 3], [0.0; 3]);
    for b in boxes {
        for k in 0..3 {
            let center = b.min[k] + b.max[k];
            sum[k] += center;
            sum2[k] += center * center;
        }
    }
    let inv = 1.0 / boxes.len() as f64;
    let variance: Vec3 = std::array::from_fn(|k| sum2[k] * inv - (sum[k] * inv) * (sum[k] * inv));
    (1..3).fold(0, |best, k| if variance[k] > variance[best] { k } else { best })
}

/// Union of the masks of a body's geoms.
fn geom_masks(m: &Model, body: usize) -> (i32, i32) {
    geoms_of(m, body).fold((0, 0), |(t, a), g| (t | m.geom_contype[g], a | m.geom_conaffinity[g]))
}

fn has_plane(m: &Model, body: usize) -> bool {
    geoms_of(m, body).any(|g| m.geom_type[g] == GeomType::Plane as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Many pairs are sorted as by comparing them.
    #[test]
    fn pairs_are_sorted() {
        let mut pairs: Vec<u64> =
            (0..500u32).map(|k| pack(k * k % 37 * (k % 3), 40 + k * 7919 % 61)).collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        sort_pairs(&mut pairs, 0..101, &mut Vec::new(), &mut Vec::new());
        assert_eq!(pairs, expected);
    }

    /// Keys are sorted whether boxes have moved a little, a lot, or are others than last time.
    #[test]
    fn keys_are_sorted() {
        let (mut last, mut keys) = (Vec::new(), Vec::new());
        for (count, spread) in
            [(10, 3), (300, 7919), (300, 7919), (300, 7920), (300, 13), (70, 5), (300, 7919)]
        {
            let key = |i: usize| pack((i * spread % 1009) as u32, i as u32);
            sort_keys(count, key, &mut last, &mut keys);
            let mut expected: Vec<u64> = (0..count).map(key).collect();
            expected.sort_unstable();
            assert_eq!(keys, expected, "{count} {spread}");
        }
    }
}
