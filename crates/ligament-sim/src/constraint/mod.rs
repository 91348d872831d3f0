//! Constraint rows: which there are, their Jacobian, softness, reference acceleration and forces.
//!
//! Order of the rows: equality, friction (degrees of freedom, then tendons), limits (joints, then tendons), contacts.

mod carriers;
mod contact;
mod equality;
mod friction;
mod impedance;
mod inputs;
mod jacobian;
mod limit;
mod product;
mod project;
mod rows;
mod softness;
mod update;

pub use carriers::basis as flex_basis;
pub use product::{contact_force, decode_pyramid, encode_pyramid, joint_forces, mul_jac_t_vec, mul_jac_vec};
pub(crate) use project::PROJECT_CONSTRAINT;
pub use project::project_constraint;
pub use softness::{SolverParams, reference_gains};
pub use update::{ConeHessian, RowCosts, constraint_update};
pub(crate) use update::{update_in_blocks, update_rows};

pub(crate) use contact::passive_contacts;
pub(crate) use limit::TendonLimits;
pub(crate) use product::JacobianView;

use crate::access::{Access, access};
use crate::awake::{SleepStates, sleep_enabled};
use crate::support::{Chains, Motion, is_pyramidal, is_sparse};
use crate::tendon::TendonJacobians;
use crate::workspace::{ConstraintScratch, Scratches as _};
use ligament_math::team::share::{self, Append};
use ligament_model::enums::{DisableBit, SolverType, Warning};
use ligament_model::fault::Fault;
use ligament_model::{Contact, Data, Model};
use std::iter::{RepeatN, repeat_n};
use std::ops::Range;

use carriers::Carriers;
use contact::ContactRows;
use equality::Equalities;
use impedance::{MadeRows, Owners, Parameters, SoftRows, Weights};
use inputs::Inputs;
use limit::JointLimits;
use rows::{RowCount, Rows};

/// Does the solver work on constraint forces (and so need `efc_AR`)?
pub fn is_dual(m: &Model) -> bool {
    m.opt.solver == SolverType::Pgs as i32 || m.opt.noslip_iterations > 0
}

/// What [`make_constraint`] touches.
pub(crate) const MAKE_CONSTRAINT: Access = access! {
    model {
        body_dofadr body_dofnum body_invweight0 body_rootid body_weldid dof_frictionloss dof_invweight0
        dof_parentid dof_solimp dof_solref eq_data eq_obj1id eq_obj2id eq_objtype eq_solimp eq_solref
        eq_type flex_dim flex_edgeadr flex_edgenum flex_elem flex_elemdataadr flex_elemnum flex_interp
        flex_passive flex_vertadr flex_vertbodyid flex_vertnum flexedge_J_colind flexedge_J_rowadr
        flexedge_J_rownnz flexedge_invweight0 flexedge_length0 flexedge_rigid flexvert_J_colind
        flexvert_J_rowadr flexvert_J_rownnz geom_bodyid jnt_dofadr jnt_limited jnt_margin jnt_qposadr
        jnt_range jnt_solimp jnt_solref jnt_type qpos0 site_bodyid site_quat tendon_frictionloss
        tendon_invweight0 tendon_length0 tendon_limited tendon_margin tendon_range tendon_solimp_fri
        tendon_solimp_lim tendon_solref_fri tendon_solref_lim
    }
    reads {
        cdof contact eq_active flexedge_J flexedge_length flexvert_J flexvert_length flexvert_xpos ncon
        nisland qpos site_xpos subtree_com ten_J ten_J_colind ten_J_rowadr ten_J_rownnz ten_length xmat
        xpos xquat
    }
    writes {
        contact efc_D efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_KBIP efc_R efc_aref efc_b
        efc_diagApprox efc_force efc_frictionloss efc_id efc_margin efc_pos efc_state efc_type efc_vel
        map_iefc2efc nA nJ ne nefc nf nl tendon_efcadr
    }
};

/// Builds all constraint rows from positions and contacts.
///
/// Reads: contact, qpos, xpos xmat xquat site_xpos, cdof subtree_com, ten_length ten_J, flexedge_*, flexvert_*.
/// Writes: ne nf nl nefc nJ, efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP
/// efc_R efc_D, tendon_efcadr, contact.efc_address, contact.mu, contact.exclude.
///
/// Never inlined: the stages beside it would share its registers.
#[inline(never)]
pub fn make_constraint(m: &Model, d: &mut Data) {
    if matches!(d.fault, Some(Fault::Contact(_))) {
        d.fault = None;
    }
    let carriers = Carriers::of(m);
    add_rows(m, d, &carriers);
    if d.fault.is_some() {
        d.clear_constraints();
        return;
    }
    d.maxuse_con = d.maxuse_con.max(d.ncon);
    d.maxuse_efc = d.maxuse_efc.max(d.nefc);
    if d.nefc > 0 {
        soften(m, d, &carriers);
    }
}

/// Sets efc_diagApprox efc_KBIP efc_R efc_D, and `mu` of contacts.
fn soften(m: &Model, d: &mut Data, carriers: &Carriers) {
    let Data { efc_type, efc_id, efc_pos, efc_margin, contact, flexvert_xpos, workspace, .. } = d;
    let (kind, id, equality) = (&efc_type[..], &efc_id[..], &m.eq_type[..]);
    let bodies = &mut workspace.scratch().constraint.piece_bodies;
    let owners = Owners { kind, id, contact, first_contact: 0, equality };
    Weights::of(m).diagonal(d.threads, owners, carriers, flexvert_xpos, bodies, &mut d.efc_diagApprox);
    let made = MadeRows { kind, id, pos: efc_pos, margin: efc_margin, equality };
    let out =
        SoftRows { R: &mut d.efc_R, D: &mut d.efc_D, KBIP: &mut d.efc_KBIP, diag: &mut d.efc_diagApprox };
    Parameters::of(m).soften(d.threads, made, contact, out);
}

/// Adds the rows of all constraints and sizes the lists that depend on their number.
fn add_rows(m: &Model, d: &mut Data, carriers: &Carriers) {
    let filtered = sleep_enabled(m) && d.ntree_awake < m.ntree;
    let (sparse, memory) = (is_sparse(m), d.memory_for_rows());
    let Data { cdof, subtree_com, tree_awake, body_awake, .. } = d;
    let sleep = filtered.then(|| SleepStates::of(m, tree_awake, body_awake));
    let inputs = Inputs {
        qpos: &d.qpos,
        eq_active: &d.eq_active,
        xpos: &d.xpos,
        xquat: &d.xquat,
        xmat: &d.xmat,
        site_xpos: &d.site_xpos,
        chains: Chains::of(m),
        motion: Motion { cdof, subtree_com },
        ten_length: &d.ten_length,
        tendons: TendonJacobians {
            sparse,
            nv: m.nv,
            values: &d.ten_J,
            rownnz: &d.ten_J_rownnz,
            rowadr: &d.ten_J_rowadr,
            colind: &d.ten_J_colind,
        },
        flexvert_xpos: &d.flexvert_xpos,
        flexvert_length: &d.flexvert_length,
        flexvert_J: &d.flexvert_J,
        flexedge_length: &d.flexedge_length,
        flexedge_J: &d.flexedge_J,
        sleep: sleep.as_ref(),
        threads: d.threads,
    };
    let mut rows = Rows {
        memory,
        sparse,
        nv: m.nv,
        jac: &mut d.efc_J,
        rownnz: &mut d.efc_J_rownnz,
        rowadr: &mut d.efc_J_rowadr,
        colind: &mut d.efc_J_colind,
        kind: &mut d.efc_type,
        id: &mut d.efc_id,
        pos: &mut d.efc_pos,
        margin: &mut d.efc_margin,
        frictionloss: &mut d.efc_frictionloss,
        tendon: &mut d.tendon_efcadr,
        count: RowCount::default(),
    };
    rows.clear(m.ntendon);
    let mut unknown_contact = None;
    let Data { contact, workspace, .. } = d;
    if !m.opt.disabled(DisableBit::Constraint) {
        let scratch = &mut workspace.scratch().constraint;
        unknown_contact = add_kinds(m, &inputs, contact, carriers, &mut rows, scratch);
    }
    let (count, n, entries) = (rows.count, rows.len(), rows.jac.len());
    (d.ne, d.nf, d.nl) = (count.equality, count.friction, count.limit);
    (d.nefc, d.nJ, d.nA) = (n, entries, 0);
    clear_results(d, n);
    if d.nisland > 0 {
        // islands of rows that are gone: whoever needs islands finds that they have no rows and makes them anew
        d.map_iefc2efc.clear();
    }
    if let Some(id) = unknown_contact {
        d.fail(Fault::Contact(id), Warning::Cnstrfull, id);
    }
    if count.full {
        d.fail(Fault::Memory { rows: n }, Warning::Cnstrfull, n);
    }
}

/// Sizes what is computed for so many rows.
fn clear_results(d: &mut Data, n: usize) {
    let Data {
        efc_diagApprox, efc_D, efc_R, efc_KBIP, efc_vel, efc_aref, efc_b, efc_force, efc_state, ..
    } = d;
    let lists = [efc_diagApprox, efc_vel, efc_aref, efc_b, efc_force, efc_D, efc_R];
    if d.threads < 2 || n < MIN_ROWS {
        let [cleared @ .., D, R] = lists;
        // those that are written whole below are only sized
        D.resize(n, 0.0);
        R.resize(n, 0.0);
        efc_KBIP.resize(n, [0.0; 4]);
        cleared.into_iter().for_each(|list| _ = list.refill(n, 0.0));
        efc_state.refill(n, 0);
        return;
    }
    let (mut numbers, mut gains, mut states): ([Vec<f64>; 7], Vec<_>, Vec<_>) = Default::default();
    let mut lists = lists;
    let mut lend = |numbers: &mut [Vec<f64>; 7], gains: &mut Vec<[f64; 4]>, states: &mut Vec<i32>| {
        lists.iter_mut().zip(numbers).for_each(|(list, own)| list.exchange(own));
        efc_KBIP.exchange(gains);
        efc_state.exchange(states);
    };
    lend(&mut numbers, &mut gains, &mut states);
    let mut zeros = numbers.each_mut().map(|list| zeros_of(list, n, 0.0));
    let (mut no_gains, mut no_states) = (zeros_of(&mut gains, n, [0.0; 4]), zeros_of(&mut states, n, 0));
    share::all(d.threads, MIN_ROWS, &mut [], &mut [&mut zeros, &mut no_gains, &mut no_states]);
    zeros.into_iter().for_each(Append::finish);
    no_gains.finish();
    no_states.finish();
    lend(&mut numbers, &mut gains, &mut states);
}

/// A list that becomes so many copies of a value.
fn zeros_of<T: Copy + Send + Sync>(
    list: &mut Vec<T>,
    count: usize,
    value: T,
) -> Append<'_, T, impl Fn(Range<usize>) -> RepeatN<T> + Sync> {
    list.clear();
    Append::of(list, count, move |rows| repeat_n(value, rows.len()))
}

/// Rows below which one thread clears what belongs to them: some microseconds.
const MIN_ROWS: usize = 2000;

/// Adds the rows of each kind of constraint that the options leave; returns the first contact that names what does not
/// exist.
fn add_kinds(
    m: &Model,
    d: &Inputs,
    contacts: &mut [Contact],
    carriers: &Carriers,
    rows: &mut Rows,
    s: &mut ConstraintScratch,
) -> Option<usize> {
    if m.nemax > 0 && !m.opt.disabled(DisableBit::Equality) {
        Equalities::of(m).add_rows(d, rows, s);
    }
    if !m.opt.disabled(DisableBit::Frictionloss) {
        friction::add_dof_friction(&m.dof_frictionloss, d, rows);
        friction::add_tendon_friction(&m.tendon_frictionloss, d, rows, s);
    }
    if !m.opt.disabled(DisableBit::Limit) {
        JointLimits::of(m).add_rows(d, rows);
        TendonLimits::of(m).add_rows(d, rows, s);
    }
    if m.opt.disabled(DisableBit::Contact) {
        return None;
    }
    ContactRows::of(m, d, carriers).add(contacts, rows, s)
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
    let Data { efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_vel, efc_aref, qvel, .. } = d;
    let jac = JacobianView::of_parts(m, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind);
    let rows = (&d.efc_KBIP[..d.nefc], &d.efc_pos[..d.nefc], &d.efc_margin[..d.nefc]);
    let others = (&mut efc_aref[..d.nefc], rows);
    jac.mul_vec_then(d.threads, qvel, efc_vel, others, |vel, others| reference(vel, others));
}

/// Reference accelerations, and gains, residuals and margins of consecutive rows.
pub(crate) type References<'a> = (&'a mut [f64], (&'a [[f64; 4]], &'a [f64], &'a [f64]));

/// Reference accelerations of consecutive rows that have velocities.
#[inline]
fn reference(vel: &[f64], (aref, (KBIP, pos, margin)): References) {
    let rows = KBIP.iter().zip(pos).zip(margin);
    for (((&[k, b, imp, _], pos), margin), (aref, vel)) in rows.zip(aref.iter_mut().zip(vel.iter())) {
        *aref = -b * vel - k * imp * (pos - margin);
    }
}

/// [`reference_constraint`] of consecutive rows of a sparse Jacobian.
pub(crate) fn reference_rows(
    jac: JacobianView,
    qvel: &[f64],
    (rows, vel, others): (Range<usize>, &mut [f64], References),
) {
    jac.mul_rows(rows, qvel, vel);
    reference(vel, others);
}
