//! Constraint rows: which there are, their Jacobian, softness, reference acceleration and forces.
//!
//! Order of the rows: equality, friction (degrees of freedom, then tendons), limits (joints, then tendons), contacts.

mod contact;
mod equality;
mod friction;
mod impedance;
mod jacobian;
mod limit;
mod product;
mod project;
mod rows;
mod update;

pub use contact::basis as flex_basis;
pub use product::{contact_force, decode_pyramid, encode_pyramid, joint_forces, mul_jac_t_vec, mul_jac_vec};
pub use project::project_constraint;
pub use update::{RowCosts, constraint_update};

pub(crate) use contact::passive_contacts;
pub(crate) use limit::tendon_limits_active;
pub(crate) use product::JacobianView;

use ligament_model::enums::{DisableBit, SolverType};
use ligament_model::fault::Fault;
use ligament_model::{Data, Model};

use crate::support::{is_pyramidal, is_sparse};
use rows::Rows;

/// Does the solver work on constraint forces (and so need `efc_AR`)?
pub fn is_dual(m: &Model) -> bool {
    m.opt.solver == SolverType::Pgs as i32 || m.opt.noslip_iterations > 0
}

/// Jacobian of a tendon's length in compressed form.
fn tendon_row(m: &Model, d: &Data, tendon: usize, row: &mut (Vec<i32>, Vec<f64>)) {
    row.0.clear();
    row.1.clear();
    if is_sparse(m) {
        let adr = d.ten_J_rowadr[tendon] as usize;
        let range = adr..adr + d.ten_J_rownnz[tendon] as usize;
        row.0.extend_from_slice(&d.ten_J_colind[range.clone()]);
        row.1.extend_from_slice(&d.ten_J[range]);
    } else {
        for (dof, &x) in d.ten_J[tendon * m.nv..(tendon + 1) * m.nv].iter().enumerate() {
            if x != 0.0 {
                row.0.push(dof as i32);
                row.1.push(x);
            }
        }
    }
}

/// Builds all constraint rows from positions and contacts.
///
/// Reads: contact, qpos, xpos xmat xquat site_xpos, cdof subtree_com, ten_length ten_J, flexedge_*, flexvert_*.
/// Writes: ne nf nl nefc nJ, efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP
/// efc_R efc_D, tendon_efcadr, contact.efc_address, contact.mu, contact.exclude.
pub fn make_constraint(m: &Model, d: &mut Data) {
    if matches!(d.fault, Some(Fault::Contact(_))) {
        d.fault = None;
    }
    let mut rows = Rows::take(m, d);
    d.nA = 0;
    d.tendon_efcadr.clear();
    d.tendon_efcadr.resize(m.ntendon, -1);
    if !m.opt.disabled(DisableBit::Constraint) {
        let mut scratch = std::mem::take(&mut d.scratch.constraint);
        equality::add_equality(m, d, &mut rows, &mut scratch);
        friction::add_friction(m, d, &mut rows, &mut scratch);
        limit::add_limits(m, d, &mut rows, &mut scratch);
        contact::add_contacts(m, d, &mut rows, &mut scratch);
        d.scratch.constraint = scratch;
    }
    rows.give_back(d);
    if d.fault.is_some() {
        d.clear_constraints();
        return;
    }
    d.maxuse_con = d.maxuse_con.max(d.ncon);
    d.maxuse_efc = d.maxuse_efc.max(d.nefc);
    if d.nefc > 0 {
        impedance::diag_approx(m, d);
        impedance::make_impedance(m, d);
    }
}

/// Velocity and reference acceleration of the rows: `aref = −B v − K I (pos − margin)`.
///
/// Reads: efc_J efc_KBIP efc_pos efc_margin, qvel. Writes: efc_vel efc_aref.
pub fn reference_constraint(m: &Model, d: &mut Data) {
    let mut vel = std::mem::take(&mut d.efc_vel);
    JacobianView::new(m, d).mul_vec(&d.qvel, &mut vel);
    for i in 0..d.nefc {
        let [k, b, imp, _] = d.efc_KBIP[i];
        d.efc_aref[i] = -b * vel[i] - k * imp * (d.efc_pos[i] - d.efc_margin[i]);
    }
    d.efc_vel = vel;
}
