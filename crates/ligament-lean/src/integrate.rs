//! Advances the state by one time step.

use crate::actuation::next_activation;
use crate::algebra::{quat_mul, scale, unit_quat};
use crate::lane::Lane;
use crate::tables::{Advance, JointKind, Tables, Transmission};
use crate::trig::sin_cos;
use crate::world::World;
use ligament_math::MINVAL;

/// Acceleration that the velocities move by: that of the forces, or with some forces taken implicitly. Leaves it in
/// `search`.
///
/// With Q the derivative of the forces by velocity, (M − hQ) a' = f for the force f, so a' = a + x with
/// (M − hQ) x = h Q a + (f − M a). What stands in brackets is zero but where the solver stops early.
#[inline(always)]
pub(crate) fn implicit_acceleration<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    match t.advance {
        Advance::Euler | Advance::Implicit | Advance::RungeKutta => {
            w.search.copy_from_slice(&w.qacc);
            return;
        }
        Advance::EulerDamped => {
            w.fresh.fill(true);
            w.hessian.set(&t.tree.panels, &w.tree_pattern, &w.fresh, &w.M);
            for (i, dof) in t.tree.dofs.iter().enumerate() {
                let damping = t.timestep * dof.damping;
                w.hessian.tiles[t.tree.diagonal(i)] += damping;
                w.search[i] = w.qacc[i] * (-damping);
            }
        }
        Advance::ImplicitFast => {
            implicit_system(t, w);
            w.fresh.fill(true);
            w.hessian.set(&t.tree.panels, &w.tree_pattern, &w.fresh, &w.slopes);
        }
    }
    if t.solver.follow {
        for (x, rest) in w.search.iter_mut().zip(&w.gradient) {
            *x += *rest;
        }
    }
    let World { tree_pattern, fresh, hessian, search, .. } = w;
    hessian.solve(&t.tree.panels, tree_pattern, fresh, search);
    for (x, a) in w.search.iter_mut().zip(&w.qacc) {
        *x += *a;
    }
}

/// slopes = M − hQ in the tree's tiles, search = h Q a.
#[inline(always)]
fn implicit_system<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    // hQ first
    w.slopes.fill(L::zero());
    let h = t.timestep;
    // the slopes of a fluid come together with those of all passive forces
    let damped = !t.by_lane.fluid;
    for (i, dof) in t.tree.dofs.iter().enumerate().filter(|_| damped) {
        w.slopes[t.tree.diagonal(i)] = (-h) * dof.damping;
    }
    for (i, actuator) in t.actuation.actuators.iter().enumerate() {
        let slope = w.actuator_slope[i] * (h * actuator.gear * actuator.gear);
        match actuator.transmission {
            Transmission::Joint { dof, .. } => w.slopes[t.tree.diagonal(dof as usize)] += slope,
            Transmission::Tendon { tendon } => add_outer(t, tendon as usize, slope, &w.ten_J, &mut w.slopes),
        }
    }
    for k in (0..t.actuation.tendons.len()).filter(|_| damped) {
        let tendon = &t.actuation.tendons[k];
        if tendon.damps {
            add_outer(t, k, (-h) * tendon.damping, &w.ten_J, &mut w.slopes);
        }
    }
    if t.by_lane.actuation || t.by_lane.fluid {
        for (x, slope) in w.slopes.iter_mut().zip(&w.slope_by_lane) {
            *x += *slope * h;
        }
    }
    crate::inertia::mul_m(t, &w.slopes, &w.qacc, &mut w.search, &mut w.padded);
    for (x, m) in w.slopes.iter_mut().zip(&w.M) {
        *x = *m - *x;
    }
}

/// Adds size · JᵀJ of a tendon in the tree's tiles; what lies outside is dropped, as in the exact engine.
#[inline(always)]
pub(crate) fn add_outer<L: Lane>(t: &Tables<L>, tendon: usize, size: L, ten_J: &[L], matrix: &mut [L]) {
    let tendon = &t.actuation.tendons[tendon];
    let start = tendon.start as usize;
    for (n, &i) in tendon.dofs.iter().enumerate() {
        let row = t.tree.row(i as usize);
        let columns = &t.tree.columns[row.clone()];
        for (k, &j) in tendon.dofs[..=n].iter().enumerate() {
            let level = t.tree.dofs[j as usize].level as usize;
            if columns.get(level) == Some(&j) {
                matrix[t.tree.panels.places[row.start + level] as usize] +=
                    size * ten_J[start + n] * ten_J[start + k];
            }
        }
    }
}

/// Moves activations, velocities and positions; `search` holds the acceleration.
#[inline(always)]
pub(crate) fn integrate<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for actuator in &t.actuation.actuators {
        if let Ok(adr) = usize::try_from(actuator.actadr) {
            let rate = if actuator.disabled { L::zero() } else { w.act_dot[adr] };
            w.act[adr] = next_activation(actuator, t.timestep, w.act[adr], rate);
        }
    }
    for (v, a) in w.qvel.iter_mut().zip(&w.search) {
        *v += *a * t.timestep;
    }
    advance_positions(t, &mut w.qpos, &w.qvel, t.timestep);
}

/// qpos moves by a velocity over a time, rotations on their manifold.
#[inline(always)]
pub(crate) fn advance_positions<L: Lane>(t: &Tables<L>, qpos: &mut [L], qvel: &[L], h: L) {
    for joint in &t.tree.joints {
        let (mut adr, mut dof) = (joint.qposadr as usize, joint.dofadr as usize);
        match joint.kind {
            JointKind::Slide | JointKind::Hinge => qpos[adr] += qvel[dof] * h,
            JointKind::Free | JointKind::Ball => {
                if joint.kind == JointKind::Free {
                    for k in 0..3 {
                        qpos[adr + k] += qvel[dof + k] * h;
                    }
                    adr += 3;
                    dof += 3;
                }
                let turned = turn(
                    [qpos[adr], qpos[adr + 1], qpos[adr + 2], qpos[adr + 3]],
                    [qvel[dof], qvel[dof + 1], qvel[dof + 2]],
                    h,
                );
                qpos[adr..adr + 4].copy_from_slice(&turned);
            }
        }
    }
}

/// A quaternion after turning with a velocity in its own frame.
#[inline(always)]
fn turn<L: Lane>(q: [L; 4], velocity: [L; 3], h: L) -> [L; 4] {
    let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]).sqrt();
    let still = speed.lt(L::splat(MINVAL));
    let axis = scale(velocity, speed.recip());
    let (s, c) = sin_cos(speed * (h * 0.5));
    let s = L::select(still, L::zero(), s);
    let mut step = [c, L::zero(), L::zero(), L::zero()];
    for k in 0..3 {
        step[1 + k] = L::select(still, L::zero(), axis[k]) * s;
    }
    quat_mul(unit_quat(q), step)
}
