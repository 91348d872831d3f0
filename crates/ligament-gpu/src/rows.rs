//! Rows that couple several degrees of freedom: tendon limits and friction, joint equalities, limits of ball joints.

use ligament_model::Model;
use ligament_model::enums::{DisableBit, EqType, JointType};
use ligament_sim::constraint::SolverParams;

/// Solver parameters in the form the kernels rely on: valid without further checks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SafeSolver {
    pub solref: [f64; 2],
    pub solimp: [f64; 5],
}

/// Makes parameters safe as the CPU engine does whenever it uses them.
pub(crate) fn safe_solver(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> SafeSolver {
    let SolverParams { solref, solimp, .. } =
        SolverParams { solref, solreffriction: [0.0; 2], solimp }.safe(m);
    SafeSolver { solref, solimp }
}

/// Kinds of sparse rows; numbers as in `constraint.cuh`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum RowKind {
    TendonLimit = 0,
    TendonFriction = 1,
    JointEquality = 2,
    BallLimit = 3,
}

#[derive(Debug, Clone)]
pub(crate) struct SparseRow {
    pub kind: RowKind,
    pub id: usize,
    pub objects: [i32; 2],
    /// Degrees of freedom, ascending.
    pub dofs: Vec<i32>,
    pub solver: SafeSolver,
    /// Approximate inverse inertia along the row.
    pub weight: f64,
    pub loss: f64,
}

/// Dofs and coefficients of a fixed tendon, ascending by dof.
pub(crate) fn tendon_entries(m: &Model, tendon: usize) -> Vec<(i32, f64)> {
    let first = m.tendon_adr[tendon] as usize;
    let mut entries: Vec<(i32, f64)> = Vec::new();
    for k in first..first + m.tendon_num[tendon] as usize {
        let dof = m.jnt_dofadr[m.wrap_objid[k] as usize];
        match entries.iter_mut().find(|e| e.0 == dof) {
            Some(entry) => entry.1 += m.wrap_prm[k],
            None => entries.push((dof, m.wrap_prm[k])),
        }
    }
    entries.sort_by_key(|e| e.0);
    entries
}

/// All sparse rows the model can ever have.
pub(crate) fn sparse_rows(m: &Model) -> Vec<SparseRow> {
    let mut rows = Vec::new();
    let on = |bit| !m.opt.disabled(bit) && !m.opt.disabled(DisableBit::Constraint);
    for t in 0..m.ntendon {
        let dofs: Vec<i32> = tendon_entries(m, t).iter().map(|e| e.0).collect();
        let row = |kind, solref, solimp, loss| SparseRow {
            kind,
            id: t,
            objects: [-1; 2],
            dofs: dofs.clone(),
            solver: safe_solver(m, solref, solimp),
            weight: m.tendon_invweight0[t],
            loss,
        };
        if on(DisableBit::Limit) && m.tendon_limited[t] != 0 {
            rows.push(row(RowKind::TendonLimit, m.tendon_solref_lim[t], m.tendon_solimp_lim[t], 0.0));
        }
        if on(DisableBit::Frictionloss) && m.tendon_frictionloss[t] > 0.0 {
            let (solref, solimp) = (m.tendon_solref_fri[t], m.tendon_solimp_fri[t]);
            rows.push(row(RowKind::TendonFriction, solref, solimp, m.tendon_frictionloss[t]));
        }
    }
    for eq in 0..m.neq {
        if on(DisableBit::Equality) && m.eq_type[eq] == EqType::Joint as i32 && m.eq_active0[eq] != 0 {
            rows.push(joint_equality(m, eq));
        }
    }
    for j in 0..m.njnt {
        if on(DisableBit::Limit) && m.jnt_limited[j] != 0 && m.jnt_type[j] == JointType::Ball as i32 {
            let dof = m.jnt_dofadr[j];
            rows.push(SparseRow {
                kind: RowKind::BallLimit,
                id: j,
                objects: [-1; 2],
                dofs: vec![dof, dof + 1, dof + 2],
                solver: safe_solver(m, m.jnt_solref[j], m.jnt_solimp[j]),
                weight: m.dof_invweight0[dof as usize],
                loss: 0.0,
            });
        }
    }
    rows
}

fn joint_equality(m: &Model, eq: usize) -> SparseRow {
    let objects = [m.eq_obj1id[eq], m.eq_obj2id[eq]];
    let mut dofs: Vec<i32> = objects.iter().filter(|&&j| j >= 0).map(|&j| m.jnt_dofadr[j as usize]).collect();
    let weight = dofs.iter().map(|&d| m.dof_invweight0[d as usize]).sum();
    dofs.sort_unstable();
    let solver = safe_solver(m, m.eq_solref[eq], m.eq_solimp[eq]);
    SparseRow { kind: RowKind::JointEquality, id: eq, objects, dofs, solver, weight, loss: 0.0 }
}
