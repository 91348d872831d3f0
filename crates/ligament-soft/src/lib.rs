//! Soft flexes: ropes, cloth and solids whose edges are kept by position-based dynamics instead of elastic forces.
//!
//! A soft flex is a flex: its vertices are bodies of the model, so contacts, attachments, rays, trajectories and batches
//! treat it as any other. What differs is who holds it together. The edges are equality rows with the compliance of a
//! [`Material`], and the model's solver is [`XpbdSolver`], which relaxes edges, contacts and joints in the same sweeps.
//! A stiff edge costs no small time step then.
//!
//! In MJCF: `<flexcomp ligament:soft="cotton" …>`; without the attribute the same file is MuJoCo's flex.

mod material;

pub use material::{Kind, Material};

use ligament_model::Model;
use ligament_model::enums::EqType;
use ligament_sim::parts::{PartError, Slot, set_solver};
use ligament_sim::solver::XpbdSolver;

/// Sweeps of the solver that a soft flex brings with it.
pub const ITERATIONS: usize = 20;

/// Friction of a flex whose text says nothing about it.
const DEFAULT_FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];

/// Makes a flex of a material: its edges get the compliance, its contacts the friction (unless the model sets another),
/// and the model gets the position-based solver, unless it has one already.
///
/// The flex needs rows for its edges (`<equality><flex>`, or `<edge equality="true">` of a flexcomp).
pub fn soften(m: &mut Model, flex: usize, material: &Material) -> Result<(), PartError> {
    let misfit = |m: &Model, reason: &str| PartError::Misfit {
        slot: Slot::Elasticity,
        part: material.name.to_owned(),
        element: Slot::Elasticity.element(m, flex),
        reason: reason.to_owned(),
    };
    if flex >= m.nflex {
        return Err(misfit(m, "there is no such flex"));
    }
    if !(material.young.is_finite() && material.young > 0.0) {
        return Err(misfit(m, "Young's modulus must be finite and positive"));
    }
    if !(material.friction.is_finite() && material.friction >= 0.0) {
        return Err(misfit(m, "friction must be finite and not negative"));
    }
    let has_rows = |eq: usize| m.eq_type[eq] == EqType::Flex as i32 && m.eq_obj1id[eq] == flex as i32;
    // a flex that is pinned all over has no edges to hold
    if m.flex_rigid[flex] == 0 && !(0..m.neq).any(has_rows) {
        return Err(misfit(
            m,
            "its edges have no rows: give the flex an equality (<edge equality=\"true\">)",
        ));
    }
    let compliance = edge_compliance(m, flex, material);
    m.flex_model_mut(flex).edge_compliance = Some(compliance);
    if m.flex_friction[flex] == DEFAULT_FRICTION {
        m.flex_friction[flex][0] = material.friction;
    }
    if m.parts.solver().is_none() {
        set_solver(m, XpbdSolver::new(ITERATIONS))?;
    }
    Ok(())
}

/// Inverse stiffness of an edge: a rod of Young's modulus E, length L and section A stretches by L / (E A) per newton.
/// The section is that of the rope, the share of the sheet (thickness × L) or of the solid (L × L).
fn edge_compliance(m: &Model, flex: usize, material: &Material) -> f64 {
    let start = m.flex_edgeadr[flex] as usize;
    let lengths = &m.flexedge_length0[start..start + m.flex_edgenum[flex] as usize];
    let length = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let radius = m.flex_radius[flex];
    let section = match m.flex_dim[flex] {
        1 => std::f64::consts::PI * radius * radius,
        2 => 2.0 * radius * length,
        _ => length * length,
    };
    length / (material.young * section)
}
