//! Contact points: simple pairs in lanes, the others through the exact engine's functions (`by_lane.rs`).
//!
//! A point is kept if any world has it; the worlds of a group share the points of two bodies, each taking the first that is
//! free in its lane, so that worlds that touch at different places need no more slots than the one with the most points.

use crate::algebra::{V3, add, add_scaled, column, cross, dot3, mul_vec, scale, sub, zeros};
use crate::lane::{Lane, Mask};
use crate::tables::{Pair, PairKind, Tables};
use crate::world::World;
use ligament_math::MINVAL;
use ligament_model::enums::GeomType;

/// A contact point of some of the worlds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point<L: Lane> {
    pub bodies: [u32; 2],
    pub class: u32,
    /// Which lanes it belongs to.
    pub occupied: u32,
    /// Which pair it comes from, of each lane.
    pub pair: [u32; 8],
    pub dist: L,
    pub pos: V3<L>,
    pub normal: V3<L>,
    /// First tangent, zero where any will do.
    pub tangent: V3<L>,
}

/// One lane's view of a pair's geoms.
struct Shapes<'a, L: Lane> {
    pos: [V3<L>; 2],
    axis: [V3<L>; 2],
    size: [&'a [L; 3]; 2],
}

/// Writes `points`; `by_lane` finds the contacts of a pair in the lanes of a mask.
#[inline(always)]
pub(crate) fn collision<L: Lane>(
    t: &Tables<L>,
    w: &mut World<L>,
    mut by_lane: impl FnMut(&mut World<L>, usize, u32, usize),
) {
    w.points.clear();
    let mut group = 0;
    let mut bodies = [u32::MAX; 2];
    for (k, pair) in t.pairs.pairs.iter().enumerate() {
        let near = may_touch(w, t, pair);
        let near_bits = near.bits() & L::all_bits();
        if near_bits == 0 {
            continue;
        }
        if pair.bodies != bodies {
            bodies = pair.bodies;
            group = w.points.len();
        }
        if pair.kind == PairKind::ByLane {
            let apart = if pair.boxed { boxes_apart(w, t, pair).bits() } else { 0 };
            if near_bits & !apart != 0 {
                by_lane(w, k, near_bits & !apart, group);
            }
            continue;
        }
        let [g1, g2] = pair.geoms.map(|g| g as usize);
        let shapes = Shapes {
            pos: [w.geom_xpos[g1], w.geom_xpos[g2]],
            axis: [column(&w.geom_xmat[g1], 2), column(&w.geom_xmat[g2], 2)],
            size: [&t.tree.geoms[g1].size, &t.tree.geoms[g2].size],
        };
        let mut slots = Slots { t, w, pair: k, group };
        match pair.kind {
            PairKind::PlaneSphere => plane_sphere(&mut slots, &shapes, shapes.pos[1], zeros(), near),
            PairKind::PlaneCapsule => {
                let segment = scale(shapes.axis[1], shapes.size[1][1]);
                plane_sphere(&mut slots, &shapes, add(shapes.pos[1], segment), shapes.axis[1], near);
                plane_sphere(&mut slots, &shapes, sub(shapes.pos[1], segment), shapes.axis[1], near);
            }
            PairKind::SphereSphere => spheres(&mut slots, &shapes, shapes.pos, near),
            PairKind::SphereCapsule => {
                let half = shapes.size[1][1];
                let x = dot3(shapes.axis[1], sub(shapes.pos[0], shapes.pos[1]));
                let x = crate::actuation::clip(x, [-half, half]);
                let nearest = add_scaled(shapes.pos[1], shapes.axis[1], x);
                spheres(&mut slots, &shapes, [shapes.pos[0], nearest], near);
            }
            PairKind::CapsuleCapsule => {
                let parallel = capsules(&mut slots, &shapes, near);
                if parallel != 0 {
                    by_lane(w, k, parallel, group);
                }
            }
            PairKind::ByLane => {}
        }
    }
}

/// Points of a world, at most.
const MOST_POINTS: usize = 1000;

/// Lanes of worlds with too many points, which lose them: the exact engine, whose work has a budget, steps those worlds.
pub(crate) fn leave_crowded<L: Lane>(w: &mut World<L>) -> u32 {
    if w.points.len() <= MOST_POINTS {
        return 0;
    }
    let count = |lane: usize| w.points.iter().filter(|point| point.occupied >> lane & 1 != 0).count();
    let crowded =
        (0..L::WIDTH).filter(|&lane| count(lane) > MOST_POINTS).fold(0, |bits, lane| bits | 1 << lane);
    w.points.retain_mut(|point| {
        point.occupied &= !crowded;
        point.occupied != 0
    });
    crowded
}

/// Where bounding spheres (or plane and sphere) meet.
#[inline(always)]
fn may_touch<L: Lane>(w: &World<L>, t: &Tables<L>, pair: &Pair<L>) -> L::Mask {
    if !pair.bounded {
        return !L::none();
    }
    let [g1, g2] = pair.geoms.map(|g| g as usize);
    let offset = sub(w.geom_xpos[g2], w.geom_xpos[g1]);
    if t.tree.geoms[g1].kind == GeomType::Plane {
        return dot3(offset, column(&w.geom_xmat[g1], 2)).le(pair.reach);
    }
    dot3(offset, offset).le(pair.reach * pair.reach)
}

/// Where the boxes around two geoms (or a plane and a box) are clearly apart, by one of their face normals or by the product of
/// two edges (Gottschalk, Lin, Manocha 1996).
#[inline(always)]
fn boxes_apart<L: Lane>(w: &World<L>, t: &Tables<L>, pair: &Pair<L>) -> L::Mask {
    let [g1, g2] = pair.geoms.map(|g| g as usize);
    let [first, second] = [&t.tree.geoms[g1], &t.tree.geoms[g2]];
    let (mat1, mat2) = (&w.geom_xmat[g1], &w.geom_xmat[g2]);
    let center2 = add(mul_vec(mat2, &second.center), w.geom_xpos[g2]);
    if first.kind == GeomType::Plane {
        let normal = column(mat1, 2);
        let height = dot3(sub(center2, w.geom_xpos[g1]), normal);
        let mut reach = pair.clear;
        for k in 0..3 {
            reach += dot3(normal, column(mat2, k)).abs() * second.half[k];
        }
        return height.gt(reach);
    }
    let center1 = add(mul_vec(mat1, &first.center), w.geom_xpos[g1]);
    let offset = sub(center2, center1);
    // axes of the second box along those of the first
    let (mut turn, mut sizes) = ([zeros::<L, 3>(); 3], [zeros::<L, 3>(); 3]);
    let (mut offset1, mut offset2) = (zeros::<L, 3>(), zeros::<L, 3>());
    for i in 0..3 {
        let axis = column(mat1, i);
        offset1[i] = dot3(axis, offset);
        offset2[i] = dot3(column(mat2, i), offset);
        for j in 0..3 {
            turn[i][j] = dot3(axis, column(mat2, j));
            sizes[i][j] = turn[i][j].abs();
        }
    }
    let (half1, half2) = (&first.half, &second.half);
    let mut apart = L::none();
    for k in 0..3 {
        let reach1 = half1[k] + dot3(sizes[k], *half2) + pair.clear;
        let reach2 = half2[k] + dot3([sizes[0][k], sizes[1][k], sizes[2][k]], *half1) + pair.clear;
        apart = apart | offset1[k].abs().gt(reach1) | offset2[k].abs().gt(reach2);
    }
    if apart.bits() & L::all_bits() == L::all_bits() {
        return apart;
    }
    for i in 0..3 {
        let (a, b) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (c, d) = ((j + 1) % 3, (j + 2) % 3);
            // the product of two axes is no unit vector: it is at most as long as one, so the clearance is no smaller
            let gap = (offset1[b] * turn[a][j] - offset1[a] * turn[b][j]).abs();
            let reach1 = half1[a] * sizes[b][j] + half1[b] * sizes[a][j];
            let reach2 = half2[c] * sizes[i][d] + half2[d] * sizes[i][c];
            apart = apart | gap.gt(reach1 + reach2 + pair.clear);
        }
    }
    apart
}

/// Where points of a pair go.
pub(crate) struct Slots<'a, L: Lane> {
    pub t: &'a Tables<L>,
    pub w: &'a mut World<L>,
    pub pair: usize,
    /// First point of the two bodies.
    pub group: usize,
}

impl<L: Lane> Slots<'_, L> {
    /// Adds a point of the lanes in the mask that are within the margin.
    #[inline(always)]
    pub fn put(&mut self, mask: L::Mask, dist: L, pos: V3<L>, normal: V3<L>, tangent: V3<L>) {
        let pair = &self.t.pairs.pairs[self.pair];
        // contacts in the gap push nobody, but some actuators pull at them
        let adheres = self.t.actuation.adheres;
        let margin = if adheres { pair.margin } else { self.t.pairs.classes[pair.class as usize].margin };
        let mut bits = (mask & dist.lt(margin)).bits() & L::all_bits();
        for k in self.group..self.w.points.len() {
            // a world's points stay in the order in which they are found, whatever the others have
            let later = self.w.points[k + 1..].iter().fold(0, |bits, point| bits | point.occupied);
            let point = &mut self.w.points[k];
            let free = bits & !(point.occupied | later);
            if free == 0 || point.class != pair.class {
                continue;
            }
            let lanes = L::mask(free);
            point.occupied |= free;
            point.dist = L::select(lanes, dist, point.dist);
            for k in 0..3 {
                point.pos[k] = L::select(lanes, pos[k], point.pos[k]);
                point.normal[k] = L::select(lanes, normal[k], point.normal[k]);
                point.tangent[k] = L::select(lanes, tangent[k], point.tangent[k]);
            }
            for lane in 0..L::WIDTH {
                if free >> lane & 1 != 0 {
                    point.pair[lane] = self.pair as u32;
                }
            }
            bits &= !free;
        }
        if bits != 0 {
            self.w.points.push(Point {
                bodies: pair.bodies,
                class: pair.class,
                occupied: bits,
                pair: [self.pair as u32; 8],
                dist,
                pos,
                normal,
                tangent,
            });
        }
    }
}

/// The lowest point of a sphere at `center` with the second shape's radius.
#[inline(always)]
fn plane_sphere<L: Lane>(
    slots: &mut Slots<L>,
    shapes: &Shapes<L>,
    center: V3<L>,
    tangent: V3<L>,
    near: L::Mask,
) {
    let (normal, radius) = (shapes.axis[0], shapes.size[1][0]);
    let dist = dot3(sub(center, shapes.pos[0]), normal) - radius;
    let margin = slots.t.pairs.pairs[slots.pair].margin;
    let hit = near & dist.le(margin);
    if crate::actuation::any::<L>(hit) {
        let pos = add_scaled(center, normal, dist * -0.5 - radius);
        slots.put(hit, dist, pos, normal, tangent);
    }
}

/// Spheres around two points with both shapes' radii.
#[inline(always)]
fn spheres<L: Lane>(slots: &mut Slots<L>, shapes: &Shapes<L>, centers: [V3<L>; 2], near: L::Mask) {
    let (r1, r2) = (shapes.size[0][0], shapes.size[1][0]);
    let offset = sub(centers[1], centers[0]);
    let square = dot3(offset, offset);
    let reach = slots.t.pairs.pairs[slots.pair].margin + r1 + r2;
    let hit = near & square.le(reach * reach);
    if !crate::actuation::any::<L>(hit) {
        return;
    }
    let length = square.sqrt();
    let dist = length - r1 - r2;
    let mut normal = scale(offset, length.recip());
    // coincident centres: across both axes
    let same = length.lt(L::splat(MINVAL));
    if crate::actuation::any::<L>(same & hit) {
        let across = unit(cross(shapes.axis[0], shapes.axis[1]));
        for k in 0..3 {
            normal[k] = L::select(same, across[k], normal[k]);
        }
    }
    let pos = add_scaled(centers[0], normal, dist * 0.5 + r1);
    slots.put(hit, dist, pos, normal, zeros());
}

/// Unit vector; the x axis where there is no direction.
#[inline(always)]
pub(crate) fn unit<L: Lane>(v: V3<L>) -> V3<L> {
    let length = dot3(v, v).sqrt();
    let mut out = scale(v, length.recip());
    let tiny = length.lt(L::splat(MINVAL));
    if crate::actuation::any::<L>(tiny) {
        for k in 0..3 {
            out[k] = L::select(tiny, L::splat(if k == 0 { 1.0 } else { 0.0 }), out[k]);
        }
    }
    out
}

/// Spheres at the nearest points of two segments; returns the lanes where these are parallel and left out.
#[inline(always)]
fn capsules<L: Lane>(slots: &mut Slots<L>, shapes: &Shapes<L>, near: L::Mask) -> u32 {
    let axis1 = scale(shapes.axis[0], shapes.size[0][1]);
    let axis2 = scale(shapes.axis[1], shapes.size[1][1]);
    let offset = sub(shapes.pos[0], shapes.pos[1]);
    let (ma, mb, mc) = (dot3(axis1, axis1), -dot3(axis1, axis2), dot3(axis2, axis2));
    let (u, v) = (-dot3(axis1, offset), dot3(axis2, offset));
    let det = ma * mc - mb * mb;
    let parallel = det.abs().lt(L::splat(MINVAL));
    let one = L::splat(1.0);
    let unit_range = [-one, one];
    let mut x1 = (mc * u - mb * v) / det;
    let mut x2 = (ma * v - mb * u) / det;
    let (above, below) = (x1.gt(one), x1.lt(-one));
    x2 = L::select(above, (v - mb) / mc, L::select(below, (v + mb) / mc, x2));
    x1 = crate::actuation::clip(x1, unit_range);
    let (above, below) = (x2.gt(one), x2.lt(-one));
    x1 = L::select(above, crate::actuation::clip((u - mb) / ma, unit_range), x1);
    x1 = L::select(below, crate::actuation::clip((u + mb) / ma, unit_range), x1);
    x2 = crate::actuation::clip(x2, unit_range);
    let centers = [add_scaled(shapes.pos[0], axis1, x1), add_scaled(shapes.pos[1], axis2, x2)];
    spheres(slots, shapes, centers, near & !parallel);
    (near & parallel).bits() & L::all_bits()
}
