//! Constraints of the current state: contacts, limits, dry friction, equalities, with their softness and the residual
//! J·a − aref at the warm start.
//!
//! A contact is a frame and a few numbers; its directions are scaled with the friction coefficients, so that an edge of the
//! pyramid is c₀ ± c_k, and an elliptic cone is circular.

use crate::algebra::{
    V3, V6, cross, dot3, dot6, inner3, join, lin, outer_add, outer3, rot, scale, sub, zeros,
};
use crate::collision::{Point, unit};
use crate::lane::{Lane, Mask};
use crate::tables::{ContactClass, Impedance, Softness, Tables};
use crate::velocity::twists;
use crate::world::World;
use ligament_math::MINVAL;

/// A contact of some of the worlds. In the other lanes frame, D and residual are zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Contact<L: Lane> {
    pub occupied: u32,
    pub dim: u32,
    /// The body that moves (twice), or the two that move.
    pub bodies: [u32; 2],
    pub class: u32,
    /// Index of the coupling between two moving bodies, −1 if only one moves.
    pub coupling: i32,
    /// First of its residuals and velocities.
    pub at: u32,
    /// First of its Jacobian in `row_J`, where it has one.
    pub jac: u32,
    /// From the reference points of both bodies' trees.
    pub arm: [V3<L>; 2],
    /// Normal and tangents, the tangents scaled with the sliding friction; towards the moving body if only one moves.
    pub frame: [V3<L>; 3],
    pub D: L,
    /// Its stiffness is not that of the last pass of the solver.
    pub changed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    Equality,
    Limit,
    Friction,
}

/// A row that acts on one dof.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DofRow<L: Lane> {
    pub kind: RowKind,
    pub dof: u32,
    pub occupied: u32,
    /// The Jacobian: ±1, zero in other lanes.
    pub sign: L,
    pub D: L,
    /// Largest force of friction, and residual where it is reached.
    pub loss: L,
    pub bound: L,
    pub j: L,
    pub v: L,
    pub changed: bool,
}

/// A row that acts on several dofs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SparseRow<L: Lane> {
    pub kind: RowKind,
    pub coupling: u32,
    pub jac: u32,
    pub occupied: u32,
    pub D: L,
    pub loss: L,
    pub bound: L,
    pub j: L,
    pub v: L,
    pub changed: bool,
}

/// Impedance of the violation r, and 1/R.
#[inline(always)]
pub(crate) fn impedance<L: Lane>(softness: &Softness<L>, r: L) -> (L, L) {
    let &Softness { dmin, dmax, midpoint, .. } = softness;
    let d = if softness.shape == Impedance::Constant {
        (dmin + dmax) * 0.5
    } else {
        let x = r.abs() / softness.width;
        let y = match softness.shape {
            Impedance::Constant | Impedance::Linear => x,
            Impedance::Quadratic => {
                let rest = L::splat(1.0) - x;
                let lower = x * x * softness.below;
                let upper = L::splat(1.0) - rest * rest * softness.above;
                L::select(x.le(midpoint), lower, upper)
            }
            Impedance::General => general_power(x, midpoint, softness.power),
        };
        L::select(x.ge(L::splat(1.0)), dmax, y * (dmax - dmin) + dmin)
    };
    let R = (L::splat(1.0) - d) * softness.weight / d;
    // NaN stays
    let R = L::select(R.lt(L::splat(MINVAL)), L::splat(MINVAL), R);
    (d, R.recip())
}

/// The sigmoid with any exponent, lane by lane.
#[inline(always)]
fn general_power<L: Lane>(x: L, midpoint: L, power: L) -> L {
    let mut y = L::zero();
    for lane in 0..L::WIDTH {
        let [x, midpoint, power] = [x, midpoint, power].map(|y| y.lanes()[lane]);
        y.lanes_mut()[lane] = if x <= midpoint {
            x.powf(power) / midpoint.powf(power - 1.0)
        } else {
            1.0 - (1.0 - x).powf(power) / (1.0 - midpoint).powf(power - 1.0)
        };
    }
    y
}

/// Writes contacts, rows and their residuals for the acceleration in qacc.
#[inline(always)]
pub(crate) fn constraint<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    w.pattern.begin();
    w.dof_rows.clear();
    w.sparse_rows.clear();
    w.row_J.clear();
    crate::rows::equalities(t, w);
    crate::rows::friction(t, w);
    crate::rows::limits(t, w);
    contacts(t, w);
    w.pattern.update(&t.tree);
    w.hessian.fit(&t.tree.panels, &w.pattern);
}

/// Turns points into contacts.
#[inline(always)]
fn contacts<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    w.contacts.clear();
    w.contact_c.clear();
    w.contact_v.clear();
    w.touched.fill(false);
    let points = std::mem::take(&mut w.points);
    for point in &points {
        let class = &t.pairs.classes[point.class as usize];
        let occupied = point.occupied & point.dist.lt(class.margin).bits();
        if occupied != 0 {
            add_contact(t, w, point, occupied, class);
        }
    }
    w.points = points;
    if w.contacts.is_empty() {
        return;
    }
    // bodies above a touched one are touched
    for &i in t.tree.dynamic.iter().rev() {
        if w.touched[i as usize] {
            w.touched[t.tree.bodies[i as usize].parent as usize] = true;
        }
    }
    twists(t, &w.touched, &w.cdof, &w.qacc, &mut w.twist);
    for contact in &w.contacts {
        let a = relative(t, contact, &w.twist);
        let at = contact.at as usize;
        for k in 0..contact.dim as usize {
            w.contact_c[at + k] += a[k];
        }
    }
}

#[inline(always)]
fn add_contact<L: Lane>(
    t: &Tables<L>,
    w: &mut World<L>,
    point: &Point<L>,
    occupied: u32,
    class: &ContactClass<L>,
) {
    let bodies = point.bodies.map(|b| b as usize);
    let moves = bodies.map(|b| t.tree.bodies[b].last_dof >= 0);
    let lanes = L::mask(occupied);
    let mut frame = contact_frame(point.normal, point.tangent);
    for (k, direction) in frame.iter_mut().enumerate() {
        // the direction of a contact is from the first body to the second
        let sign = L::splat(if moves[1] { 1.0 } else { -1.0 });
        let size = if k == 0 { sign } else { sign * class.friction[0] };
        for x in direction {
            *x = (*x * size).masked(lanes);
        }
    }
    let mut pos = point.pos;
    for x in &mut pos {
        *x = x.masked(lanes);
    }
    let pair = match moves {
        [true, true] => bodies,
        [true, false] => [bodies[0]; 2],
        _ => [bodies[1]; 2],
    };
    let arm = pair.map(|b| sub(pos, w.com[t.tree.bodies[b].root as usize]));
    let r = (point.dist - class.margin).masked(lanes);
    let (d, D) = impedance(&class.softness, r);
    let dim = class.dim;
    let mut contact = Contact {
        occupied,
        dim,
        bodies: pair.map(|b| b as u32),
        class: point.class,
        coupling: -1,
        at: w.contact_c.len() as u32,
        jac: 0,
        arm,
        frame,
        D: D.masked(lanes),
        changed: true,
    };
    let velocity = relative(t, &contact, &w.cvel);
    let spring = (d * r * class.softness.stiffness).masked(lanes);
    w.contact_c.push(velocity[0] * class.softness.damping + spring);
    for k in 1..dim as usize {
        w.contact_c.push(velocity[k] * class.tangent_damping);
    }
    w.contact_v.resize(w.contact_c.len(), L::zero());
    for b in pair {
        w.touched[b] = true;
    }
    if moves[0] && moves[1] {
        couple_contact(t, w, &mut contact);
    }
    w.contacts.push(contact);
}

/// Coupling and Jacobian of a contact between two moving bodies.
#[inline(always)]
fn couple_contact<L: Lane>(t: &Tables<L>, w: &mut World<L>, contact: &mut Contact<L>) {
    let [b1, b2] = contact.bodies.map(|b| b as usize);
    let key = (b1 as u64) << 32 | b2 as u64;
    let coupling = match w.pattern.find(key) {
        Some(k) => k,
        None => w.pattern.add_apart(key, &t.tree, b1, b2),
    };
    contact.coupling = coupling as i32;
    contact.jac = w.row_J.len() as u32;
    for k in 0..contact.dim as usize {
        let wrench = [direction_wrench(t, contact, k, 0), direction_wrench(t, contact, k, 1)];
        for &dof in w.pattern.dofs_of(coupling) {
            let axis = &w.cdof[dof as usize];
            let j = if t.tree.moves(dof, b2) { dot6(&wrench[1], axis) } else { -dot6(&wrench[0], axis) };
            w.row_J.push(j);
        }
    }
}

/// Direction `k` of a contact as a wrench about a side's reference point.
#[inline(always)]
pub(crate) fn direction_wrench<L: Lane>(t: &Tables<L>, contact: &Contact<L>, k: usize, side: usize) -> V6<L> {
    if k < 3 {
        let direction = contact.frame[k];
        join(outer3(contact.arm[side], direction), direction)
    } else {
        join(turning_axis(t, contact, k), zeros())
    }
}

/// Axis of the spinning (3) or rolling (4, 5) direction.
#[inline(always)]
fn turning_axis<L: Lane>(t: &Tables<L>, contact: &Contact<L>, k: usize) -> V3<L> {
    scale(contact.frame[k - 3], t.pairs.classes[contact.class as usize].torsion[k - 3])
}

/// Relative velocity (or acceleration) of a contact along its directions.
#[inline(always)]
pub(crate) fn relative<L: Lane>(t: &Tables<L>, contact: &Contact<L>, twist: &[V6<L>]) -> [L; 6] {
    let [b1, b2] = contact.bodies.map(|b| b as usize);
    let mut turn = rot(&twist[b2]);
    let mut slide = outer_add(turn, contact.arm[1], lin(&twist[b2]));
    if b1 != b2 {
        let turn1 = rot(&twist[b1]);
        slide = sub(slide, outer_add(turn1, contact.arm[0], lin(&twist[b1])));
        turn = sub(turn, turn1);
    }
    let mut out = zeros();
    for k in 0..(contact.dim as usize).min(3) {
        out[k] = inner3(contact.frame[k], slide);
    }
    for k in 3..contact.dim as usize {
        out[k] = inner3(turning_axis(t, contact, k), turn);
    }
    out
}

/// Normal and two tangents; the first tangent follows the one given, or the y or z axis where there is none.
#[inline(always)]
fn contact_frame<L: Lane>(normal: V3<L>, tangent: V3<L>) -> [V3<L>; 3] {
    let n = unit(normal);
    let given = !dot3(tangent, tangent).lt(L::splat(0.25));
    let along_y = n[1].abs().lt(L::splat(0.5));
    let zero = L::zero();
    let one = L::splat(1.0);
    let t = [
        L::select(given, tangent[0], zero),
        L::select(given, tangent[1], L::select(along_y, one, zero)),
        L::select(given, tangent[2], L::select(along_y, zero, one)),
    ];
    let t = unit(sub(t, scale(n, dot3(n, t))));
    [n, t, cross(n, t)]
}
