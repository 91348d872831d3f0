//! Forces of flex parts: gathering what they read, distributing what they write.

use super::vertex_forces::{Wanted, distribute, vertex_velocity};
use super::vertices;
use crate::part_set::guarded;
use crate::support::Motion;
use crate::workspace::{Flex, Scratches as _};
use ligament_model::parts::{FlexForce, FlexPart, FlexState, Slot};
use ligament_model::{Data, Model};

/// Velocities of the vertices of a flex, into the scratch space.
pub(crate) fn gather_velocities(m: &Model, d: &Data, flex: usize, buffer: &mut Flex) {
    let motion = Motion::from(d);
    buffer.velocity.clear();
    buffer.velocity.extend(
        vertices(m, flex)
            .map(|v| vertex_velocity(m, motion, &d.qvel, m.flex_vertbodyid[v] as usize, d.flexvert_xpos[v])),
    );
}

pub(crate) fn part_state<'a>(m: &Model, d: &'a Data, flex: usize, velocity: &'a [[f64; 3]]) -> FlexState<'a> {
    let damping = if Wanted::new(m).damper { m.flex_damping[flex] } else { 0.0 };
    FlexState { position: &d.flexvert_xpos[vertices(m, flex)], velocity, damping, timestep: m.opt.timestep }
}

/// Adds the forces of a part on a flex to `qfrc_spring` and `qfrc_damper`.
pub(crate) fn part_forces<F: FlexForce + ?Sized>(m: &Model, d: &mut Data, flex: usize, part: &F) {
    let mut buffer = std::mem::take(&mut d.workspace.scratch().flex);
    buffer.clear_forces(m.flex_vertnum[flex] as usize);
    gather_velocities(m, d, flex, &mut buffer);
    part.forces(&part_state(m, d, flex, &buffer.velocity), &mut buffer.force, &mut buffer.damping_force);
    let wanted = Wanted::new(m);
    let Data { flexvert_xpos, cdof, subtree_com, qfrc_spring, qfrc_damper, .. } = d;
    let motion = Motion { cdof, subtree_com };
    if wanted.spring {
        distribute(m, motion, flexvert_xpos, flex, &buffer.force, qfrc_spring);
    }
    if wanted.damper {
        distribute(m, motion, flexvert_xpos, flex, &buffer.damping_force, qfrc_damper);
    }
    d.workspace.scratch().flex = buffer;
}

/// [`part_forces`] of a part in the model.
pub(crate) fn guarded_part_forces(m: &Model, d: &mut Data, slot: Slot, flex: usize, part: &FlexPart) {
    guarded(d, slot, flex, |d| part_forces(m, d, flex, &*part.part));
}
