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
pub(crate) use project::PROJECT_CONSTRAINT;
pub use project::project_constraint;
pub use update::{RowCosts, constraint_update};

pub(crate) use contact::passive_contacts;
pub(crate) use limit::tendon_limits_active;
pub(crate) use product::JacobianView;

use crate::stages::{Access, access};
use crate::workspace::Scratches as _;
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

/// What [`make_constraint`] touches.
pub(crate) const MAKE_CONSTRAINT: Access = access! {
    model {
        body_dofadr body_dofnum body_invweight0 body_rootid body_weldid dof_frictionloss dof_invweight0
        dof_parentid dof_solimp dof_solref eq_data eq_obj1id eq_obj2id eq_objtype eq_solimp eq_solref
        eq_type flex_edgeadr flex_edgenum flex_interp flex_passive flex_vertadr flex_vertbodyid
        flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz flexedge_invweight0 flexedge_length0
        flexedge_rigid geom_bodyid jnt_dofadr jnt_limited jnt_margin jnt_qposadr jnt_range jnt_solimp
        jnt_solref jnt_type qpos0 site_bodyid site_quat tendon_frictionloss tendon_invweight0
        tendon_length0 tendon_limited tendon_margin tendon_range tendon_solimp_fri tendon_solimp_lim
        tendon_solref_fri tendon_solref_lim
    }
    reads {
        cdof contact eq_active flexedge_J flexedge_length ncon qpos site_xpos subtree_com ten_J
        ten_J_colind ten_J_rowadr ten_J_rownnz ten_length xmat xpos xquat
    }
    writes {
        contact efc_D efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_KBIP efc_R efc_aref efc_b
        efc_diagApprox efc_force efc_frictionloss efc_id efc_margin efc_pos efc_state efc_type efc_vel
        nA nJ ne nefc nf nl tendon_efcadr
    }
};

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
        let mut scratch = std::mem::take(&mut d.workspace.scratch().constraint);
        equality::add_equality(m, d, &mut rows, &mut scratch);
        friction::add_friction(m, d, &mut rows, &mut scratch);
        limit::add_limits(m, d, &mut rows, &mut scratch);
        contact::add_contacts(m, d, &mut rows, &mut scratch);
        d.workspace.scratch().constraint = scratch;
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

/// What [`reference_constraint`] touches.
pub(crate) const REFERENCE_CONSTRAINT: Access = access! {
    model {}
    reads { efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_KBIP efc_margin efc_pos nefc qvel }
    writes { efc_aref efc_vel }
};

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
