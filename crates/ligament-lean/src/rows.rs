//! Rows of equalities, dry friction and limits.

use crate::actuation::any;
use crate::algebra::{Q4, V3, add, cross, dot3, lin, mul_vec, quat_mul, rot, scale, sub, zeros};
use crate::constraint::{DofRow, RowKind, SparseRow, impedance};
use crate::kinematics::quat_at;
use crate::lane::{Lane, Mask};
use crate::passive::rotation_vector;
use crate::tables::{Couple, JointKind, JointLimit, Softness, Tables};
use crate::world::World;
use ligament_model::enums::EqType;

/// Keys of couplings: kind in the upper bits, number in the lower. Contacts use pairs of bodies.
const TENDON_KEY: u64 = 1 << 60;
const EQUALITY_KEY: u64 = 2 << 60;
const BALL_KEY: u64 = 3 << 60;

#[inline(always)]
fn coupling<L: Lane>(w: &mut World<L>, key: u64, dofs: &[u32]) -> usize {
    match w.pattern.find(key) {
        Some(k) => k,
        None => w.pattern.add(key, dofs.iter().copied()),
    }
}

/// Products of a row's Jacobian with velocity and acceleration.
#[inline(always)]
fn products<L: Lane>(w: &World<L>, coupling: usize, jac: usize) -> (L, L) {
    let (mut velocity, mut acceleration) = (L::zero(), L::zero());
    for (k, &dof) in w.pattern.dofs_of(coupling).iter().enumerate() {
        let j = w.row_J[jac + k];
        velocity += j * w.qvel[dof as usize];
        acceleration += j * w.qacc[dof as usize];
    }
    (velocity, acceleration)
}

/// Adds a row whose Jacobian was just written: position error, impedance, and where it holds.
#[inline(always)]
fn push_row<L: Lane>(
    w: &mut World<L>,
    kind: RowKind,
    coupling: usize,
    jac: usize,
    lanes: L::Mask,
    softness: &Softness<L>,
    pos: L,
    (d, D): (L, L),
) {
    let (velocity, acceleration) = products(w, coupling, jac);
    let reference = velocity * softness.damping + d * pos * softness.stiffness;
    w.sparse_rows.push(SparseRow {
        kind,
        coupling: coupling as u32,
        jac: jac as u32,
        occupied: lanes.bits() & L::all_bits(),
        D: D.masked(lanes),
        loss: L::zero(),
        bound: L::zero(),
        j: (acceleration + reference).masked(lanes),
        v: L::zero(),
        changed: true,
    });
}

#[inline(always)]
pub(crate) fn friction<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for friction in &t.rows.dof_friction {
        let dof = friction.id as usize;
        w.dof_rows.push(DofRow {
            kind: RowKind::Friction,
            dof: friction.id,
            occupied: L::all_bits(),
            sign: L::splat(1.0),
            D: friction.D,
            loss: friction.loss,
            bound: friction.bound,
            j: w.qacc[dof] + w.qvel[dof] * friction.damping,
            v: L::zero(),
            changed: true,
        });
    }
    for friction in &t.rows.tendon_friction {
        let (coupling, jac) = tendon_jacobian(t, w, friction.id as usize, L::splat(1.0));
        let (velocity, acceleration) = products(w, coupling, jac);
        w.sparse_rows.push(SparseRow {
            kind: RowKind::Friction,
            coupling: coupling as u32,
            jac: jac as u32,
            occupied: L::all_bits(),
            D: friction.D,
            loss: friction.loss,
            bound: friction.bound,
            j: acceleration + velocity * friction.damping,
            v: L::zero(),
            changed: true,
        });
    }
}

/// Writes the Jacobian of a tendon, scaled; returns its coupling and where it starts.
#[inline(always)]
fn tendon_jacobian<L: Lane>(t: &Tables<L>, w: &mut World<L>, k: usize, sign: L) -> (usize, usize) {
    let tendon = &t.actuation.tendons[k];
    let coupling = coupling(w, TENDON_KEY | k as u64, &tendon.dofs);
    let jac = w.row_J.len();
    for at in 0..tendon.dofs.len() {
        let j = w.ten_J[tendon.start as usize + at] * sign;
        w.row_J.push(j);
    }
    (coupling, jac)
}

/// Distances to both ends of a range, with the signs of the Jacobian, and where they are below the margin. Both ends
/// share a row unless some world violates both.
#[inline(always)]
fn violations<L: Lane>(range: [L; 2], margin: L, value: L) -> [Option<(L, L, L::Mask)>; 2] {
    let (lower, upper) = (value - range[0], -(value - range[1]));
    let (low, high) = (lower.lt(margin), upper.lt(margin));
    let one = L::splat(1.0);
    if !any::<L>(low | high) {
        [None, None]
    } else if any::<L>(low & high) {
        [Some((lower, one, low)), Some((upper, -one, high))]
    } else {
        [Some((L::select(low, lower, upper), L::select(low, one, -one), low | high)), None]
    }
}

#[inline(always)]
pub(crate) fn limits<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for limit in &t.rows.joint_limits {
        match limit.kind {
            JointKind::Ball => ball_limit(w, limit),
            JointKind::Slide | JointKind::Hinge => scalar_limit(w, limit),
            JointKind::Free => {}
        }
    }
    for limit in &t.rows.tendon_limits {
        let length = w.ten_length[limit.tendon as usize];
        for (dist, sign, lanes) in violations(limit.range, limit.margin, length).into_iter().flatten() {
            let (coupling, jac) = tendon_jacobian(t, w, limit.tendon as usize, sign.masked(lanes));
            let r = (dist - limit.margin).masked(lanes);
            let soft = impedance(&limit.softness, r);
            push_row(w, RowKind::Limit, coupling, jac, lanes, &limit.softness, r, soft);
        }
    }
}

#[inline(always)]
fn scalar_limit<L: Lane>(w: &mut World<L>, limit: &JointLimit<L>) {
    let dof = limit.dof as usize;
    let value = w.qpos[limit.qposadr as usize];
    for (dist, sign, lanes) in violations(limit.range, limit.margin, value).into_iter().flatten() {
        let r = (dist - limit.margin).masked(lanes);
        let (d, D) = impedance(&limit.softness, r);
        let sign = sign.masked(lanes);
        let spring = (d * r * limit.softness.stiffness).masked(lanes);
        w.dof_rows.push(DofRow {
            kind: RowKind::Limit,
            dof: limit.dof,
            occupied: lanes.bits() & L::all_bits(),
            sign,
            D: D.masked(lanes),
            loss: L::zero(),
            bound: L::zero(),
            j: sign * w.qacc[dof] + sign * w.qvel[dof] * limit.softness.damping + spring,
            v: L::zero(),
            changed: true,
        });
    }
}

/// The rotation angle of a ball joint is limited by the larger end of its range.
#[inline(always)]
fn ball_limit<L: Lane>(w: &mut World<L>, limit: &JointLimit<L>) {
    let turn = rotation_vector(quat_at(&w.qpos, limit.qposadr as usize));
    let angle = dot3(turn, turn).sqrt();
    let dist = -(angle - limit.range[0].max(limit.range[1]));
    let lanes = dist.lt(limit.margin);
    if !any::<L>(lanes) {
        return;
    }
    let axis = crate::collision::unit(turn);
    let dof = limit.dof;
    let coupling = coupling(w, BALL_KEY | u64::from(dof), &[dof, dof + 1, dof + 2]);
    let jac = w.row_J.len();
    for k in 0..3 {
        w.row_J.push((-axis[k]).masked(lanes));
    }
    let r = (dist - limit.margin).masked(lanes);
    let soft = impedance(&limit.softness, r);
    push_row(w, RowKind::Limit, coupling, jac, lanes, &limit.softness, r, soft);
}

#[inline(always)]
pub(crate) fn equalities<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for couple in &t.rows.equalities {
        let lanes = w.eq_active[couple.id as usize];
        if !any::<L>(lanes) {
            continue;
        }
        match couple.kind {
            EqType::Connect => connect(t, w, couple, lanes),
            EqType::Weld => weld(t, w, couple, lanes),
            EqType::Joint | EqType::Tendon => polynomial(t, w, couple, lanes),
            EqType::Flex | EqType::Flexvert | EqType::Distance => {}
        }
    }
}

/// World points of both anchors; `places`: where their local coordinates stand in the data.
#[inline(always)]
fn anchors<L: Lane>(t: &Tables<L>, w: &World<L>, couple: &Couple<L>, places: [usize; 2]) -> [V3<L>; 2] {
    let mut out = [zeros(); 2];
    for side in 0..2 {
        let body = couple.objects[side] as usize;
        let local = match couple.sites {
            Some(sites) => t.tree.sites[sites[side] as usize].pos,
            None => std::array::from_fn(|k| couple.data[places[side] + k]),
        };
        out[side] = add(w.xpos[body], mul_vec(&w.xmat[body], &local));
    }
    out
}

/// Writes the three rows of the relative motion of two points, first minus second.
#[inline(always)]
fn push_points<L: Lane>(
    t: &Tables<L>,
    w: &mut World<L>,
    couple: &Couple<L>,
    points: [V3<L>; 2],
    lanes: L::Mask,
) {
    let bodies = couple.objects.map(|b| b as usize);
    let arms: [V3<L>; 2] =
        std::array::from_fn(|s| sub(points[s], w.com[t.tree.bodies[bodies[s]].root as usize]));
    for k in 0..3 {
        for &dof in &couple.dofs {
            let axis = &w.cdof[dof as usize];
            let mut j = L::zero();
            for (side, &body) in bodies.iter().enumerate() {
                if t.tree.moves(dof, body) {
                    let velocity = add(lin(axis), cross(rot(axis), arms[side]))[k];
                    j = if side == 0 { j + velocity } else { j - velocity };
                }
            }
            w.row_J.push(j.masked(lanes));
        }
    }
}

#[inline(always)]
fn connect<L: Lane>(t: &Tables<L>, w: &mut World<L>, couple: &Couple<L>, lanes: L::Mask) {
    if couple.dofs.is_empty() {
        return;
    }
    let points = anchors(t, w, couple, [0, 3]);
    let error = sub(points[0], points[1]);
    let coupling = coupling(w, EQUALITY_KEY | u64::from(couple.id), &couple.dofs);
    let jac = w.row_J.len();
    push_points(t, w, couple, points, lanes);
    let soft = impedance(&couple.softness, dot3(error, error).sqrt());
    for k in 0..3 {
        let jac = jac + k * couple.dofs.len();
        push_row(w, RowKind::Equality, coupling, jac, lanes, &couple.softness, error[k], soft);
    }
}

/// World orientations of the two welded frames.
#[inline(always)]
fn orientations<L: Lane>(t: &Tables<L>, w: &World<L>, couple: &Couple<L>) -> [Q4<L>; 2] {
    let [a, b] = couple.objects.map(|b| w.xquat[b as usize]);
    match couple.sites {
        Some(sites) => {
            let local = sites.map(|s| t.tree.sites[s as usize].quat);
            [quat_mul(a, local[0]), quat_mul(b, local[1])]
        }
        None => {
            let d = &couple.data;
            [quat_mul(a, [d[6], d[7], d[8], d[9]]), b]
        }
    }
}

/// Translation error, and torquescale · vec(q₁* q₀).
#[inline(always)]
fn weld<L: Lane>(t: &Tables<L>, w: &mut World<L>, couple: &Couple<L>, lanes: L::Mask) {
    if couple.dofs.is_empty() {
        return;
    }
    // the anchor of body 2 comes first in the data of a weld
    let points = anchors(t, w, couple, [3, 0]);
    let error = sub(points[0], points[1]);
    let [q0, q1] = orientations(t, w, couple);
    let inverse = [q1[0], -q1[1], -q1[2], -q1[3]];
    let relative = quat_mul(inverse, q0);
    let torquescale = couple.data[10];
    let turn = scale([relative[1], relative[2], relative[3]], torquescale);
    let coupling = coupling(w, EQUALITY_KEY | u64::from(couple.id), &couple.dofs);
    let jac = w.row_J.len();
    push_points(t, w, couple, points, lanes);
    // d vec(q₁* q₀) = ½ vec(q₁* (ω₀ − ω₁) q₀)
    let count = couple.dofs.len();
    for _ in 0..3 * count {
        w.row_J.push(L::zero());
    }
    for (n, &dof) in couple.dofs.iter().enumerate() {
        let [x, y, z] = rot(&w.cdof[dof as usize]);
        let q = quat_mul(quat_mul(inverse, [L::zero(), x, y, z]), q0);
        let [first, second] = couple.objects.map(|b| t.tree.moves(dof, b as usize));
        let half = 0.5 * (f64::from(u8::from(first)) - f64::from(u8::from(second)));
        for k in 0..3 {
            w.row_J[jac + (3 + k) * count + n] = (q[1 + k] * (torquescale * half)).masked(lanes);
        }
    }
    let size = (dot3(error, error) + dot3(turn, turn)).sqrt();
    let soft = impedance(&couple.softness, size);
    let rotational = Softness { weight: couple.rotation_weight, ..couple.softness };
    let soft_turn = impedance(&rotational, size);
    for k in 0..6 {
        let (pos, soft) = if k < 3 { (error[k], soft) } else { (turn[k - 3], soft_turn) };
        let jac = jac + k * count;
        push_row(w, RowKind::Equality, coupling, jac, lanes, &couple.softness, pos, soft);
    }
}

/// Value and Jacobian (on the dofs of the equality, scaled) of a joint or tendon.
#[inline(always)]
fn add_scalar<L: Lane>(t: &Tables<L>, w: &mut World<L>, couple: &Couple<L>, id: usize, jac: usize, slope: L) {
    let place = |dof: u32| couple.dofs.iter().position(|&d| d == dof).unwrap_or(0);
    if couple.kind == EqType::Joint {
        let at = jac + place(t.tree.joints[id].dofadr);
        w.row_J[at] += slope;
        return;
    }
    let tendon = &t.actuation.tendons[id];
    for (k, &dof) in tendon.dofs.iter().enumerate() {
        let j = w.ten_J[tendon.start as usize + k];
        w.row_J[jac + place(dof)] += j * slope;
    }
}

#[inline(always)]
fn scalar_value<L: Lane>(t: &Tables<L>, w: &World<L>, couple: &Couple<L>, id: usize) -> L {
    if couple.kind == EqType::Joint { w.qpos[t.tree.joints[id].qposadr as usize] } else { w.ten_length[id] }
}

/// y − y₀ = polynomial(x − x₀), of joints or tendons.
#[inline(always)]
fn polynomial<L: Lane>(t: &Tables<L>, w: &mut World<L>, couple: &Couple<L>, lanes: L::Mask) {
    let c = &couple.data;
    let first = couple.objects[0] as usize;
    let y = scalar_value(t, w, couple, first) - couple.reference[0];
    let coupling = coupling(w, EQUALITY_KEY | u64::from(couple.id), &couple.dofs);
    let jac = w.row_J.len();
    for _ in 0..couple.dofs.len() {
        w.row_J.push(L::zero());
    }
    add_scalar(t, w, couple, first, jac, L::splat(1.0).masked(lanes));
    let mut pos = y - c[0];
    if let Ok(second) = usize::try_from(couple.objects[1]) {
        let e = scalar_value(t, w, couple, second) - couple.reference[1];
        let (e2, e3) = (e * e, e * e * e);
        pos -= e * c[1] + e2 * c[2] + e3 * c[3] + e3 * e * c[4];
        let slope = e * (c[2] * 2.0) + e2 * (c[3] * 3.0) + e3 * (c[4] * 4.0) + c[1];
        add_scalar(t, w, couple, second, jac, (-slope).masked(lanes));
    }
    let soft = impedance(&couple.softness, pos);
    push_row(w, RowKind::Equality, coupling, jac, lanes, &couple.softness, pos, soft);
}
