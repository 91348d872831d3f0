//! Lengths, Jacobians and velocities of tendons. Spatial ones come from the exact engine (`by_lane.rs`).

use crate::lane::Lane;
use crate::tables::Tables;
use crate::world::World;

/// Lengths and Jacobians of fixed tendons.
#[inline(always)]
pub(crate) fn fixed_tendons<L: Lane>(t: &Tables, w: &mut World<L>) {
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        if tendon.terms.is_empty() {
            continue;
        }
        let start = tendon.start as usize;
        let row = &mut w.ten_J[start..start + tendon.dofs.len()];
        row.fill(L::zero());
        let mut length = L::zero();
        for term in &tendon.terms {
            length += w.qpos[term.qposadr as usize] * term.coefficient;
            let at = tendon.dofs.iter().position(|&d| d == term.dof).unwrap_or(0);
            row[at] = row[at] + term.coefficient;
        }
        w.ten_length[k] = length;
    }
}

#[inline(always)]
pub(crate) fn tendon_velocities<L: Lane>(t: &Tables, w: &mut World<L>) {
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        let mut velocity = L::zero();
        for (at, &dof) in tendon.dofs.iter().enumerate() {
            velocity += w.ten_J[tendon.start as usize + at] * w.qvel[dof as usize];
        }
        w.ten_velocity[k] = velocity;
    }
}
