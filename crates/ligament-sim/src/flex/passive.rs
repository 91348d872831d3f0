//! Passive forces of flexes, added to qfrc_spring and qfrc_damper.

use super::interpolation::corotated_state;
use super::part::guarded_part_forces;
use super::vertex_forces::Wanted;
use super::{add_sliding_force, edges, elasticity, is_elastic, nodes};
use crate::part_set::{MujocoParts, PartSet};
use crate::support::{self, Motion};
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, dense, quat, vec3};
use ligament_model::parts::Slot;
use ligament_model::{Data, Model};

/// Bending, element elasticity and edge forces of all flexes.
///
/// Reads flexvert_xpos, flexedge_length, flexedge_velocity, qvel; adds to qfrc_spring, qfrc_damper.
pub fn flex_passive(m: &Model, d: &mut Data) {
    flex_passive_with(m, d, &MujocoParts);
}

/// [`flex_passive`] with these parts for flexes that have none of their own.
#[inline(never)]
pub(crate) fn flex_passive_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    for flex in (0..m.nflex).filter(|&f| m.flex_dim[f] > 1 && m.flex_rigid[f] == 0) {
        if m.parts.soft(flex).is_some() {
            continue;
        }
        if m.flex_dim[flex] == 2 {
            match m.parts.bending(flex) {
                None => set.bending(m, d, flex),
                Some(part) => guarded_part_forces(m, d, Slot::Bending, flex, part),
            }
        }
        match m.parts.elasticity(flex) {
            None => set.elasticity(m, d, flex),
            Some(part) => guarded_part_forces(m, d, Slot::Elasticity, flex, part),
        }
    }
    for flex in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0) {
        edge_forces(m, d, flex);
    }
}

/// MuJoCo's elasticity of one flex. Rows of edge equalities are apart from it.
pub(crate) fn linear_forces(m: &Model, d: &mut Data, flex: usize) {
    if !is_elastic(m, flex) {
        return;
    }
    if m.flex_interp[flex] != 0 {
        interpolated_forces(m, d, flex);
    } else {
        elasticity::apply_forces(m, d, flex);
    }
}

/// Elastic and damping forces of a flex whose vertices follow its nodes: one stiffness matrix for all nodes,
/// in the frame that turns with the flex.
fn interpolated_forces(m: &Model, d: &mut Data, flex: usize) {
    let wanted = Wanted::new(m);
    let mut scratch = std::mem::take(&mut d.workspace.scratch().flex);
    let to_local = corotated_state(m, d, flex, &mut scratch.nodes);
    let state = &mut scratch.nodes;
    for (pos, node) in state.pos.iter_mut().zip(nodes(m, flex)) {
        *pos = vec3::sub(*pos, m.flex_node0[node]);
    }
    let start = 21 * m.flex_elemadr[flex] as usize;
    let size = 3 * state.pos.len();
    let stiffness = &m.flex_stiffness.as_flattened()[start..start + size * size];
    let to_world = quat::conj(to_local);
    let Data { cdof, subtree_com, qfrc_spring, qfrc_damper, .. } = d;
    let motion = Motion { cdof, subtree_com };
    let centered = m.flex_centered[flex] != 0;
    for (i, node) in nodes(m, flex).enumerate() {
        let body = m.flex_nodebodyid[node] as usize;
        let add = |field: &[Vec3], scale: f64, target: &mut [f64]| {
            let force = vec3::scale(quat::rotate(to_world, stiffness_rows(stiffness, size, i, field)), scale);
            if centered {
                add_sliding_force(m, motion.cdof, body, force, 1.0, target);
            } else {
                // MuJoCo 3.5.0 applies the force at the position in the turned frame, not in the world
                let point = vec3::add(state.pos[i], m.flex_node0[node]);
                support::apply_ft(m, motion, Some(force), None, point, body, target);
            }
        };
        if wanted.spring {
            add(&state.pos, 1.0, qfrc_spring);
        }
        if wanted.damper {
            add(&state.vel, m.flex_damping[flex], qfrc_damper);
        }
    }
    d.workspace.scratch().flex = scratch;
}

/// Three rows of the stiffness matrix times a field at the nodes.
fn stiffness_rows(stiffness: &[f64], size: usize, node: usize, field: &[Vec3]) -> Vec3 {
    let flat = field.as_flattened();
    std::array::from_fn(|r| {
        let row = &stiffness[(3 * node + r) * size..(3 * node + r + 1) * size];
        dense::dot(row, flat)
    })
}

fn edge_forces(m: &Model, d: &mut Data, flex: usize) {
    let wanted = Wanted::new(m);
    let stiffness = if wanted.spring { m.flex_edgestiffness[flex] } else { 0.0 };
    let damping = if wanted.damper { m.flex_edgedamping[flex] } else { 0.0 };
    if stiffness == 0.0 && damping == 0.0 {
        return;
    }
    for edge in edges(m, flex).filter(|&e| m.flexedge_rigid[e] == 0) {
        let spring = stiffness * (m.flexedge_length0[edge] - d.flexedge_length[edge]);
        let damper = -damping * d.flexedge_velocity[edge];
        for k in super::range(m.flexedge_J_rowadr[edge], m.flexedge_J_rownnz[edge]) {
            let dof = m.flexedge_J_colind[k] as usize;
            d.qfrc_spring[dof] += d.flexedge_J[k] * spring;
            d.qfrc_damper[dof] += d.flexedge_J[k] * damper;
        }
    }
}
