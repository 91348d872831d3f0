//! Deformable bodies: vertices, edges and their Jacobians; elastic, bending and edge forces.
//!
//! The collision of flexes is in [`crate::collision`], their equality rows in [`crate::constraint`].

pub mod bending;
pub mod dihedral;
pub mod elasticity;
pub mod implicit;
pub mod interpolation;
mod kinematics;
pub mod neo_hookean;
pub(crate) mod part;
mod passive;
mod refit;
mod strain;
mod vertex_forces;

pub use dihedral::BridsonBending;
pub(crate) use kinematics::FLEX_KINEMATICS;
pub use kinematics::flex_kinematics;
pub(crate) use kinematics::flex_kinematics_deformable;
pub use neo_hookean::NeoHookean;
pub(crate) use part::{gather_velocities, part_forces, part_state};
pub use passive::flex_passive;
pub(crate) use passive::{flex_passive_with, linear_forces};

use ligament_math::sparse::{self, Pattern};
use ligament_math::{Vec3, spatial, vec3};
use ligament_model::Model;
use ligament_model::parts::Slot;
use std::ops::Range;

/// MuJoCo's bending: quadratic energy with constant coefficients for each edge, which are part of the compiled model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CotangentBending;

/// MuJoCo's elasticity: stress linear in Green's strain; its metric is part of the compiled model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinearElastic;

fn range(adr: i32, num: i32) -> Range<usize> {
    let start = adr.max(0) as usize;
    start..start + num.max(0) as usize
}

/// Vertices of a flex.
pub fn vertices(m: &Model, flex: usize) -> Range<usize> {
    range(m.flex_vertadr[flex], m.flex_vertnum[flex])
}

/// Nodes of a flex; empty unless its vertices are interpolated.
pub fn nodes(m: &Model, flex: usize) -> Range<usize> {
    range(m.flex_nodeadr[flex], m.flex_nodenum[flex])
}

/// Edges of a flex.
pub fn edges(m: &Model, flex: usize) -> Range<usize> {
    range(m.flex_edgeadr[flex], m.flex_edgenum[flex])
}

/// Elements of a flex.
pub fn elements(m: &Model, flex: usize) -> Range<usize> {
    range(m.flex_elemadr[flex], m.flex_elemnum[flex])
}

/// Vertex numbers, within the flex, of an element given by its number within the flex.
pub fn element_vertices(m: &Model, flex: usize, element: usize) -> &[i32] {
    let corners = m.flex_dim[flex] as usize + 1;
    let start = m.flex_elemdataadr[flex] as usize + element * corners;
    &m.flex_elem[start..start + corners]
}

/// Do the elements of a flex, or its nodes, resist stretching?
fn is_elastic(m: &Model, flex: usize) -> bool {
    m.flex_stiffness.get(m.flex_elemadr[flex] as usize).is_some_and(|k| k[0] != 0.0)
}

/// Do the edges of a surface resist bending?
fn is_bending(m: &Model, flex: usize) -> bool {
    // many at a glance: of a surface that does not, all are looked at
    let resists = |flaps: &[[i32; 2]]| flaps.iter().fold(-1, |last, flap| last.max(flap[1])) >= 0;
    m.flex_edgeflap[edges(m, flex)].chunks(256).any(resists)
}

/// May a flex have passive forces?
pub(crate) fn may_pull(m: &Model, flex: usize) -> bool {
    is_elastic(m, flex)
        || m.flex_edgestiffness[flex] != 0.0
        || m.flex_edgedamping[flex] != 0.0
        || m.flex_passive[flex] != 0
        || takes_part(m, Slot::Bending, flex)
}

/// Rates of the lengths of consecutive flex edges.
pub(crate) fn edge_rates(m: &Model, jac: &[f64], qvel: &[f64], (edges, out): (Range<usize>, &mut [f64])) {
    let (counts, places) = (&m.flexedge_J_rownnz[edges.clone()], &m.flexedge_J_rowadr[edges.clone()]);
    let pattern = Pattern::new(counts, places, &m.flexedge_J_colind);
    sparse::mul_vec(out, jac, qvel, edges.len(), pattern);
}

/// Does a flex have what a part in this slot would compute in MuJoCo's place?
pub(crate) fn takes_part(m: &Model, slot: Slot, flex: usize) -> bool {
    let own_elements = m.flex_dim[flex] > 1 && m.flex_interp[flex] == 0 && m.flex_rigid[flex] == 0;
    own_elements
        && match slot {
            Slot::Bending => m.flex_dim[flex] == 2 && is_bending(m, flex),
            _ => is_elastic(m, flex),
        }
}

/// Adds a world force on a body that can only slide to its degrees of freedom.
///
/// MuJoCo 3.5.0 adds the world components to the dofs as they are, which is wrong below a rotated parent;
/// projecting on the slide axes is the same when the axes are the world's (docs/deviations.md).
#[inline]
fn add_sliding_force(m: &Model, cdof: &[[f64; 6]], body: usize, force: Vec3, scale: f64, qfrc: &mut [f64]) {
    for dof in range(m.body_dofadr[body], m.body_dofnum[body]) {
        qfrc[dof] += scale * vec3::dot(spatial::lin(&cdof[dof]), force);
    }
}

/// World velocity of a body that can only slide; zero for one that cannot move.
#[inline]
fn sliding_velocity(m: &Model, cdof: &[[f64; 6]], qvel: &[f64], body: usize) -> Vec3 {
    let mut velocity = [0.0; 3];
    for dof in range(m.body_dofadr[body], m.body_dofnum[body]) {
        velocity = vec3::add_scaled(velocity, spatial::lin(&cdof[dof]), qvel[dof]);
    }
    velocity
}
