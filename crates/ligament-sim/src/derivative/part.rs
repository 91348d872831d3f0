//! Velocity derivatives of parts: their own, or finite differences.

use super::rows::add_row;
use crate::actuation;
use crate::flex::{gather_velocities, part_state, vertices};
use crate::part_set::guarded;
use crate::support::Motion;
use crate::support::chain::for_each_column;
use crate::workspace::{Flex, Scratches as _};
use ligament_math::vec3;
use ligament_model::parts::{ActuatorForce, ActuatorState, FlexForce, FlexPart, Slot};
use ligament_model::{Data, Model};

/// Adds the velocity derivative of a part's forces to `qDeriv`: for each vertex Jᵀ S J with its Jacobian J and the
/// derivative S of its force by its own velocity.
pub(crate) fn flex_slopes<F: FlexForce + ?Sized>(
    m: &Model,
    d: &mut Data,
    flex: usize,
    part: &F,
    groups: &[Vec<u32>],
) {
    let mut buffer = std::mem::take(&mut d.workspace.scratch().flex);
    gather_velocities(m, d, flex, &mut buffer);
    buffer.slopes.clear();
    buffer.slopes.resize(m.flex_vertnum[flex] as usize, [0.0; 9]);
    if !part.velocity_slopes(&part_state(m, d, flex, &buffer.velocity), &mut buffer.slopes) {
        buffer.slopes.fill([0.0; 9]);
        difference_slopes(m, d, flex, part, groups, &mut buffer);
    }
    let Data { flexvert_xpos, cdof, subtree_com, qDeriv, .. } = d;
    let motion = Motion { cdof, subtree_com };
    for (v, s) in vertices(m, flex).zip(&buffer.slopes) {
        buffer.dofs.clear();
        buffer.columns.clear();
        for_each_column(m, motion, m.flex_vertbodyid[v] as usize, flexvert_xpos[v], |dof, column| {
            buffer.dofs.push(dof as i32);
            buffer.columns.push(column);
        });
        for (&dof, column) in buffer.dofs.iter().zip(&buffer.columns) {
            // (Sᵀ jₖ)ᵀ J is row k of Jᵀ S J
            let pulled =
                std::array::from_fn(|c| column[0] * s[c] + column[1] * s[3 + c] + column[2] * s[6 + c]);
            buffer.row.clear();
            buffer.row.extend(buffer.columns.iter().map(|other| vec3::dot(pulled, *other)));
            add_row(m, qDeriv, dof as usize, 1.0, &buffer.row, &buffer.dofs);
        }
    }
    d.workspace.scratch().flex = buffer;
}

/// [`flex_slopes`] of a part in the model.
pub(crate) fn guarded_flex_slopes(m: &Model, d: &mut Data, slot: Slot, flex: usize, part: &FlexPart) {
    guarded(d, slot, flex, |d| flex_slopes(m, d, flex, &*part.part, &part.groups));
}

/// How far finite differences nudge a velocity.
const NUDGE: f64 = 1e-6;

/// Central differences of the forces by the velocities of independent vertices at once.
fn difference_slopes<F: FlexForce + ?Sized>(
    m: &Model,
    d: &Data,
    flex: usize,
    part: &F,
    groups: &[Vec<u32>],
    buffer: &mut Flex,
) {
    let count = m.flex_vertnum[flex] as usize;
    for group in groups {
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                buffer.clear_forces(count);
                for &v in group {
                    buffer.velocity[v as usize][axis] += sign * NUDGE;
                }
                let at = part_state(m, d, flex, &buffer.velocity);
                part.forces(&at, &mut buffer.force, &mut buffer.damping_force);
                for &v in group {
                    let v = v as usize;
                    buffer.velocity[v][axis] -= sign * NUDGE;
                    for row in 0..3 {
                        let force = buffer.force[v][row] + buffer.damping_force[v][row];
                        buffer.slopes[v][3 * row + axis] += sign * force / (2.0 * NUDGE);
                    }
                }
            }
        }
    }
}

/// Derivative of a law's force by velocity: its own, or central differences.
pub(crate) fn actuator_slope<A: ActuatorForce + ?Sized>(law: &A, at: &ActuatorState) -> f64 {
    law.velocity_slope(at).unwrap_or_else(|| {
        let nudge = NUDGE * at.velocity.abs().max(1.0);
        let force = |velocity: f64| {
            let mut out = [0.0];
            law.forces(&[ActuatorState { velocity, ..*at }], &mut out);
            out[0]
        };
        (force(at.velocity + nudge) - force(at.velocity - nudge)) / (2.0 * nudge)
    })
}

/// Slope of the part that an actuator has in a slot; nothing when it has none.
pub(crate) fn guarded_actuator_slope(m: &Model, d: &mut Data, slot: Slot, i: usize) -> Option<f64> {
    let part = if slot == Slot::Gain { m.parts.gain(i) } else { m.parts.bias(i) }?;
    let at = actuation::state(m, d, actuation::effective_control(m, d, i), i);
    let mut slope = 0.0;
    guarded(d, slot, i, |_| slope = actuator_slope(&**part, &at));
    Some(slope)
}
