//! Lengths, Jacobians and velocities of tendons.

use crate::algebra::{V3, V6, add, cross, dot3, dot6, join, lin, mul_vec, rot, scale, sub, zeros};
use crate::by_lane::{lane_mat, lane3};
use crate::collision::unit;
use crate::lane::{Lane, Mask};
use crate::tables::{Around, Piece, Stretch, Tables, Tendon};
use crate::world::World;
use ligament_math::MINVAL;
use ligament_sim::wrap::wrap;

/// Writes site_xpos of the sites on paths, ten_length and ten_J.
#[inline(always)]
pub(crate) fn tendons<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &s in &t.actuation.path_sites {
        let site = &t.tree.sites[s as usize];
        let body = site.body as usize;
        w.site_xpos[s as usize] = add(mul_vec(&w.xmat[body], &site.pos), w.xpos[body]);
    }
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        let start = tendon.start as usize;
        w.ten_J[start..start + tendon.dofs.len()].fill(L::zero());
        w.ten_length[k] = if tendon.path.is_empty() { fixed(w, tendon) } else { spatial(t, w, tendon) };
    }
}

#[inline(always)]
fn fixed<L: Lane>(w: &mut World<L>, tendon: &Tendon<L>) -> L {
    let row = &mut w.ten_J[tendon.start as usize..];
    let mut length = L::zero();
    for term in &tendon.terms {
        length += w.qpos[term.qposadr as usize] * term.coefficient;
        let at = tendon.dofs.iter().position(|&d| d == term.dof).unwrap_or(0);
        row[at] += term.coefficient;
    }
    length
}

#[inline(always)]
fn spatial<L: Lane>(t: &Tables<L>, w: &mut World<L>, tendon: &Tendon<L>) -> L {
    let mut length = L::zero();
    for stretch in &tendon.path {
        let ends = stretch.sites.map(|s| w.site_xpos[s as usize]);
        let (touches, around) = match &stretch.obstacle {
            Some(obstacle) => wrapped(t, w, tendon, stretch, obstacle, ends),
            None => (L::none(), L::zero()),
        };
        let mut part = around;
        if touches.bits() & L::all_bits() != L::all_bits() {
            part += add_piece(t, w, tendon, &stretch.direct, ends, stretch.share, !touches);
        }
        length += part / stretch.divisor;
    }
    length
}

/// The stretch in the lanes where it has to go around the geom: which these are, and its length there.
#[inline(always)]
fn wrapped<L: Lane>(
    t: &Tables<L>,
    w: &mut World<L>,
    tendon: &Tendon<L>,
    stretch: &Stretch<L>,
    obstacle: &Around<L>,
    ends: [V3<L>; 2],
) -> (L::Mask, L) {
    let geom = obstacle.geom as usize;
    let (mut bits, mut arc) = (0, L::zero());
    let mut touch = ends;
    for lane in 0..L::WIDTH {
        let side = obstacle.side.map(|s| lane3(&w.site_xpos[s as usize], lane));
        let (pos, mat) = (lane3(&w.geom_xpos[geom], lane), lane_mat(&w.geom_xmat[geom], lane));
        let found = wrap(
            ends.map(|p| lane3(&p, lane)),
            pos,
            &mat,
            obstacle.radius.lanes()[lane],
            obstacle.kind,
            side,
        );
        let Some(found) = found else { continue };
        bits |= 1 << lane;
        arc.lanes_mut()[lane] = found.length;
        for (to, from) in touch.iter_mut().zip(found.points) {
            for k in 0..3 {
                to[k].lanes_mut()[lane] = from[k];
            }
        }
    }
    let lanes = L::mask(bits);
    if bits == 0 {
        return (lanes, arc);
    }
    let first = add_piece(t, w, tendon, &obstacle.pieces[0], [ends[0], touch[0]], stretch.share, lanes);
    let last = add_piece(t, w, tendon, &obstacle.pieces[1], [touch[1], ends[1]], stretch.share, lanes);
    (lanes, first + arc + last)
}

/// Length of a straight piece in some lanes; its derivative is added to the tendon's Jacobian. With the unit vector u
/// along the piece, a dof that moves an end lengthens it by u · (velocity of that end).
#[inline(always)]
fn add_piece<L: Lane>(
    t: &Tables<L>,
    w: &mut World<L>,
    tendon: &Tendon<L>,
    piece: &Piece,
    ends: [V3<L>; 2],
    share: L,
    lanes: L::Mask,
) -> L {
    let offset = sub(ends[1], ends[0]);
    let length = dot3(offset, offset).sqrt().masked(lanes);
    if piece.moments.is_empty() {
        return length;
    }
    let along = scale(unit(offset), share.masked(lanes));
    let mut wrenches = [zeros(), zeros()];
    for side in 0..2 {
        let root = t.tree.bodies[piece.bodies[side] as usize].root as usize;
        wrenches[side] = join(cross(sub(ends[side], w.com[root]), along), along);
    }
    wrenches[0] = sub(zeros(), wrenches[0]);
    let row = &mut w.ten_J[tendon.start as usize..];
    for moment in &piece.moments {
        row[moment.place as usize] += dot6(&w.cdof[moment.dof as usize], &wrenches[usize::from(moment.end)]);
    }
    length
}

#[inline(always)]
pub(crate) fn tendon_velocities<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        let mut velocity = L::zero();
        for (at, &dof) in tendon.dofs.iter().enumerate() {
            velocity += w.ten_J[tendon.start as usize + at] * w.qvel[dof as usize];
        }
        w.ten_velocity[k] = velocity;
    }
}

/// Armature of tendons: its bias force, taken from qfrc_smooth. The rate of the Jacobian times the velocity is the second
/// derivative of the length without joint accelerations: per piece u · (a₂ − a₁) + |v_⊥|² / length.
#[inline(always)]
pub(crate) fn armature_bias<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for tendon in t.actuation.tendons.iter().filter(|tendon| tendon.has_armature) {
        let mut rate = L::zero();
        for stretch in tendon.path.iter().filter(|s| !s.direct.moments.is_empty()) {
            let ends = stretch.sites.map(|s| w.site_xpos[s as usize]);
            let offset = sub(ends[1], ends[0]);
            let length = dot3(offset, offset).sqrt();
            let along = unit(offset);
            let [(v1, a1), (v2, a2)] = [0, 1].map(|k| point_motion(t, w, stretch.direct.bodies[k], ends[k]));
            let (velocity, acceleration) = (sub(v2, v1), sub(a2, a1));
            let across = sub(velocity, scale(along, dot3(along, velocity)));
            let turning = dot3(across, across) / length;
            let turning = turning.masked(length.gt(L::splat(MINVAL)));
            rate += (dot3(along, acceleration) + turning) / stretch.divisor;
        }
        let force = rate * tendon.armature;
        for (at, &dof) in tendon.dofs.iter().enumerate() {
            w.qfrc_smooth[dof as usize] -= w.ten_J[tendon.start as usize + at] * force;
        }
    }
}

/// Velocity and acceleration of a body's point when the joints do not accelerate.
#[inline(always)]
fn point_motion<L: Lane>(t: &Tables<L>, w: &World<L>, body: u32, point: V3<L>) -> (V3<L>, V3<L>) {
    let body = body as usize;
    if t.tree.bodies[body].last_dof < 0 {
        // accelerations of moving bodies contain the one that stands for gravity
        return (zeros(), t.gravity.map(|g| -g));
    }
    let arm = sub(point, w.com[t.tree.bodies[body].root as usize]);
    let at = |x: &V6<L>| add(lin(x), cross(rot(x), arm));
    let velocity = at(&w.cvel[body]);
    (velocity, add(at(&w.cacc[body]), cross(rot(&w.cvel[body]), velocity)))
}
