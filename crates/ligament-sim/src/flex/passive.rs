//! Passive forces of flexes, added to qfrc_spring and qfrc_damper.

use super::interpolation::corotated_state;
use super::{
    add_sliding_force, bending, edges, elasticity, element_vertices, nodes, sliding_velocity, vertices,
};
use crate::support::{self, Motion};
use ligament_math::{Vec3, quat, vec3};
use ligament_model::enums::DisableBit;
use ligament_model::{Data, Model};

/// Which of the two kinds of force are wanted.
#[derive(Clone, Copy)]
struct Wanted {
    spring: bool,
    damper: bool,
}

/// Bending, element elasticity and edge forces of all flexes.
///
/// Reads flexvert_xpos, flexedge_length, flexedge_velocity, qvel; adds to qfrc_spring, qfrc_damper.
pub fn flex_passive(m: &Model, d: &mut Data) {
    let wanted =
        Wanted { spring: !m.opt.disabled(DisableBit::Spring), damper: !m.opt.disabled(DisableBit::Damper) };
    for flex in (0..m.nflex).filter(|&f| m.flex_dim[f] > 1 && m.flex_rigid[f] == 0) {
        if m.flex_dim[flex] == 2 {
            bending_forces(m, d, flex, wanted);
        }
        let stiff = m.flex_stiffness.get(m.flex_elemadr[flex] as usize).is_some_and(|k| k[0] != 0.0);
        if stiff && m.flex_interp[flex] != 0 {
            interpolated_forces(m, d, flex, wanted);
        } else if stiff {
            element_forces(m, d, flex);
        }
    }
    for flex in (0..m.nflex).filter(|&f| m.flex_rigid[f] == 0) {
        edge_forces(m, d, flex, wanted);
    }
}

fn bending_forces(m: &Model, d: &mut Data, flex: usize, wanted: Wanted) {
    let first = m.flex_vertadr[flex] as usize;
    let Data { flexvert_xpos, cdof, qvel, qfrc_spring, qfrc_damper, .. } = d;
    for edge in edges(m, flex) {
        let ([v0, v1], [v2, v3]) = (m.flex_edge[edge], m.flex_edgeflap[edge]);
        if v3 == -1 {
            continue;
        }
        let vertex = [v0, v1, v2, v3].map(|v| first + v as usize);
        let body = vertex.map(|v| m.flex_vertbodyid[v] as usize);
        let coefficients = &m.flex_bending[edge];
        if wanted.spring {
            let force = bending::gradient(coefficients, &vertex.map(|v| flexvert_xpos[v]));
            for i in 0..4 {
                add_sliding_force(m, cdof, body[i], force[i], -1.0, qfrc_spring);
            }
        }
        if wanted.damper && m.flex_damping[flex] != 0.0 {
            let force = bending::apply(coefficients, &body.map(|b| sliding_velocity(m, cdof, qvel, b)));
            for i in 0..4 {
                add_sliding_force(m, cdof, body[i], force[i], -m.flex_damping[flex], qfrc_damper);
            }
        }
    }
}

/// Elastic and damping forces of a flex whose vertices follow its nodes: one stiffness matrix for all nodes,
/// in the frame that turns with the flex.
fn interpolated_forces(m: &Model, d: &mut Data, flex: usize, wanted: Wanted) {
    let mut scratch = std::mem::take(&mut d.scratch.flex);
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
    d.scratch.flex = scratch;
}

/// Three rows of the stiffness matrix times a field at the nodes.
fn stiffness_rows(stiffness: &[f64], size: usize, node: usize, field: &[Vec3]) -> Vec3 {
    let flat = field.as_flattened();
    std::array::from_fn(|r| {
        let row = &stiffness[(3 * node + r) * size..(3 * node + r + 1) * size];
        row.iter().zip(flat).map(|(k, x)| k * x).sum()
    })
}

/// Elastic forces of triangles or tetrahedra with generalised Rayleigh damping (Kharevych et al. 2006, §5.2),
/// all of it in qfrc_spring and independent of the spring and damper flags, as in MuJoCo 3.5.0.
fn element_forces(m: &Model, d: &mut Data, flex: usize) {
    let dim = m.flex_dim[flex] as usize;
    let dt = m.opt.timestep;
    let damping = if dt > 0.0 { m.flex_damping[flex] / dt } else { 0.0 };
    let first_vertex = m.flex_vertadr[flex] as usize;
    let first_edge = m.flex_edgeadr[flex] as usize;
    let first_element = m.flex_elemadr[flex] as usize;
    let nedge = elasticity::local_edges(dim).len();
    let edge_table = m.flex_elemedgeadr[flex] as usize;

    let mut force = std::mem::take(&mut d.scratch.flex.force);
    force.clear();
    force.resize(m.flex_vertnum[flex] as usize, [0.0; 3]);
    for element in 0..m.flex_elemnum[flex] as usize {
        let mut elongation = [0.0; 6];
        for (k, stretch) in elongation.iter_mut().take(nedge).enumerate() {
            let edge = first_edge + m.flex_elemedge[edge_table + element * nedge + k] as usize;
            let (now, rest) = (d.flexedge_length[edge], m.flexedge_length0[edge]);
            let before = now - d.flexedge_velocity[edge] * dt;
            *stretch = now * now - rest * rest + (now * now - before * before) * damping;
        }
        let corners = element_vertices(m, flex, element);
        let mut pos = [[0.0; 3]; 4];
        for (p, &corner) in pos.iter_mut().zip(corners) {
            *p = d.flexvert_xpos[first_vertex + corner as usize];
        }
        let metric = &m.flex_stiffness[first_element + element];
        let local = elasticity::element_forces(metric, dim, &pos, &elongation);
        for (f, &corner) in local.iter().zip(corners) {
            force[corner as usize] = vec3::add(force[corner as usize], *f);
        }
    }
    distribute(m, d, flex, &force);
    d.scratch.flex.force = force;
}

/// Adds forces on the vertices to qfrc_spring; vertices fixed to other bodies need the full Jacobian.
fn distribute(m: &Model, d: &mut Data, flex: usize, force: &[Vec3]) {
    let Data { flexvert_xpos, cdof, subtree_com, qfrc_spring, .. } = d;
    let motion = Motion { cdof, subtree_com };
    for (v, f) in vertices(m, flex).zip(force) {
        let body = m.flex_vertbodyid[v] as usize;
        if m.body_simple[body] == 2 {
            add_sliding_force(m, motion.cdof, body, *f, 1.0, qfrc_spring);
        } else {
            support::apply_ft(m, motion, Some(*f), None, flexvert_xpos[v], body, qfrc_spring);
        }
    }
}

fn edge_forces(m: &Model, d: &mut Data, flex: usize, wanted: Wanted) {
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
