//! Forces on the vertices of flexes and their velocities: which are wanted, and what they are to degrees of freedom.

use super::{add_sliding_force, sliding_velocity, vertices};
use crate::support::jacobian::{com_offset, last_dof, parent_dof, translation_column};
use crate::support::{self, Motion};
use ligament_math::{Vec3, vec3};
use ligament_model::Model;
use ligament_model::enums::DisableBit;

/// Which of the two kinds of force are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub spring: bool,
    pub damper: bool,
}

impl Wanted {
    pub fn new(m: &Model) -> Self {
        Self { spring: !m.opt.disabled(DisableBit::Spring), damper: !m.opt.disabled(DisableBit::Damper) }
    }
}

/// Adds a world force at a point of a body to the dofs that move it.
#[inline]
fn push(m: &Model, motion: Motion, body: usize, point: Vec3, force: Vec3, qfrc: &mut [f64]) {
    if m.body_simple[body] == 2 {
        add_sliding_force(m, motion.cdof, body, force, 1.0, qfrc);
    } else {
        support::apply_ft(m, motion, Some(force), None, point, body, qfrc);
    }
}

/// World velocity of a point of a body.
#[inline]
pub(crate) fn vertex_velocity(m: &Model, motion: Motion, qvel: &[f64], body: usize, point: Vec3) -> Vec3 {
    if m.body_simple[body] == 2 {
        return sliding_velocity(m, motion.cdof, qvel, body);
    }
    let offset = com_offset(m, motion.subtree_com, point, body);
    let mut velocity = [0.0; 3];
    let mut dof = last_dof(m, body);
    while let Ok(i) = usize::try_from(dof) {
        velocity = vec3::add_scaled(velocity, translation_column(&motion.cdof[i], offset), qvel[i]);
        dof = parent_dof(m, i);
    }
    velocity
}

/// Adds forces on the vertices of a flex to the dofs that move them.
pub(crate) fn distribute(
    m: &Model,
    motion: Motion,
    positions: &[Vec3],
    flex: usize,
    force: &[Vec3],
    qfrc: &mut [f64],
) {
    for (v, f) in vertices(m, flex).zip(force) {
        push(m, motion, m.flex_vertbodyid[v] as usize, positions[v], *f, qfrc);
    }
}
