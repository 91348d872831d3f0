//! Rows that couple several degrees of freedom: limits and friction of tendons, equalities, limits of ball joints.

use crate::paths::{Path, chain};
use ligament_model::Model;
use ligament_model::enums::{DisableBit, EqType, JointType, ObjType};
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
    Connect = 4,
    Weld = 5,
    TendonEquality = 6,
    /// The upper limit of a tendon or joint while the lower one is reached as well: ranges narrower than both margins.
    TendonUpper = 7,
    JointUpper = 8,
}

/// Can both limits of a range be reached at once?
fn is_narrow([lower, upper]: [f64; 2], margin: f64) -> bool {
    upper - lower < 2.0 * margin
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
    /// Which of its rows of a connect or weld it is, and what those need.
    pub part: i32,
    pub joined: Joined,
}

/// Two bodies held together: anchors and orientations in their frames, weight of the rotation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Joined {
    pub anchors: [[f64; 3]; 2],
    pub quats: [[f64; 4]; 2],
    pub scale: f64,
}

/// All sparse rows the model can ever have.
pub(crate) fn sparse_rows(m: &Model, paths: &[Path]) -> Vec<SparseRow> {
    let mut rows = Vec::new();
    let on = |bit| !m.opt.disabled(bit) && !m.opt.disabled(DisableBit::Constraint);
    for t in 0..m.ntendon {
        let dofs = paths[t].dofs();
        let row = |kind, solref, solimp, loss| SparseRow {
            kind,
            id: t,
            objects: [-1; 2],
            dofs: dofs.clone(),
            solver: safe_solver(m, solref, solimp),
            weight: m.tendon_invweight0[t],
            loss,
            part: 0,
            joined: Joined::default(),
        };
        if on(DisableBit::Limit) && m.tendon_limited[t] != 0 {
            rows.push(row(RowKind::TendonLimit, m.tendon_solref_lim[t], m.tendon_solimp_lim[t], 0.0));
            if is_narrow(m.tendon_range[t], m.tendon_margin[t]) {
                rows.push(row(RowKind::TendonUpper, m.tendon_solref_lim[t], m.tendon_solimp_lim[t], 0.0));
            }
        }
        if on(DisableBit::Frictionloss) && m.tendon_frictionloss[t] > 0.0 {
            let (solref, solimp) = (m.tendon_solref_fri[t], m.tendon_solimp_fri[t]);
            rows.push(row(RowKind::TendonFriction, solref, solimp, m.tendon_frictionloss[t]));
        }
    }
    for eq in 0..m.neq {
        if !on(DisableBit::Equality) || m.eq_active0[eq] == 0 {
            continue;
        }
        match EqType::try_from(m.eq_type[eq]) {
            Ok(EqType::Joint) => rows.push(joint_equality(m, eq)),
            Ok(EqType::Tendon) => rows.push(tendon_equality(m, eq, paths)),
            Ok(EqType::Connect) => rows.extend((0..3).map(|part| joined_row(m, eq, part))),
            Ok(EqType::Weld) => rows.extend((0..6).map(|part| joined_row(m, eq, part))),
            // refused before
            Ok(EqType::Flex | EqType::Flexvert | EqType::Distance) | Err(_) => {}
        }
    }
    for j in 0..m.njnt {
        if !on(DisableBit::Limit) || m.jnt_limited[j] == 0 {
            continue;
        }
        let dof = m.jnt_dofadr[j];
        let row = |kind, dofs| SparseRow {
            kind,
            id: j,
            objects: [-1; 2],
            dofs,
            solver: safe_solver(m, m.jnt_solref[j], m.jnt_solimp[j]),
            weight: m.dof_invweight0[dof as usize],
            loss: 0.0,
            part: 0,
            joined: Joined::default(),
        };
        let scalar = [JointType::Hinge as i32, JointType::Slide as i32].contains(&m.jnt_type[j]);
        if m.jnt_type[j] == JointType::Ball as i32 {
            rows.push(row(RowKind::BallLimit, vec![dof, dof + 1, dof + 2]));
        } else if scalar && is_narrow(m.jnt_range[j], m.jnt_margin[j]) {
            rows.push(row(RowKind::JointUpper, vec![dof]));
        }
    }
    rows
}

fn joint_equality(m: &Model, eq: usize) -> SparseRow {
    let objects = [m.eq_obj1id[eq], m.eq_obj2id[eq]];
    let mut dofs: Vec<i32> = objects.iter().filter(|&&j| j >= 0).map(|&j| m.jnt_dofadr[j as usize]).collect();
    let weight = dofs.iter().map(|&d| m.dof_invweight0[d as usize]).sum();
    dofs.sort_unstable();
    equality(m, eq, RowKind::JointEquality, objects, dofs, weight)
}

fn equality(
    m: &Model,
    eq: usize,
    kind: RowKind,
    objects: [i32; 2],
    dofs: Vec<i32>,
    weight: f64,
) -> SparseRow {
    let solver = safe_solver(m, m.eq_solref[eq], m.eq_solimp[eq]);
    SparseRow { kind, id: eq, objects, dofs, solver, weight, loss: 0.0, part: 0, joined: Joined::default() }
}

fn union(mut dofs: Vec<i32>) -> Vec<i32> {
    dofs.sort_unstable();
    dofs.dedup();
    dofs
}

fn tendon_equality(m: &Model, eq: usize, paths: &[Path]) -> SparseRow {
    let objects = [m.eq_obj1id[eq], m.eq_obj2id[eq]];
    let tendons = || objects.iter().filter(|&&t| t >= 0).map(|&t| t as usize);
    let dofs = union(tendons().flat_map(|t| paths[t].dofs()).collect());
    let weight = tendons().map(|t| m.tendon_invweight0[t]).sum();
    equality(m, eq, RowKind::TendonEquality, objects, dofs, weight)
}

/// Row `part` of a connect (3) or weld (6).
fn joined_row(m: &Model, eq: usize, part: usize) -> SparseRow {
    let ids = [m.eq_obj1id[eq] as usize, m.eq_obj2id[eq] as usize];
    let data = &m.eq_data[eq];
    let weld = m.eq_type[eq] == EqType::Weld as i32;
    let point = |k: usize| [data[k], data[k + 1], data[k + 2]];
    let on_sites = m.eq_objtype[eq] == ObjType::Site as i32;
    let (bodies, joined) = if on_sites {
        let (anchors, quats) = (ids.map(|s| m.site_pos[s]), ids.map(|s| m.site_quat[s]));
        (ids.map(|s| m.site_bodyid[s]), Joined { anchors, quats, scale: data[10] })
    } else {
        // the anchor of the second body comes first in the data of a weld
        let anchors = if weld { [point(3), point(0)] } else { [point(0), point(3)] };
        let quats = [[data[6], data[7], data[8], data[9]], [1.0, 0.0, 0.0, 0.0]];
        (ids.map(|b| b as i32), Joined { anchors, quats, scale: data[10] })
    };
    let dofs = union(bodies.iter().flat_map(|&b| chain(m, b)).collect());
    let weight = bodies.iter().map(|&b| m.body_invweight0[b as usize][part / 3]).sum();
    let kind = if weld { RowKind::Weld } else { RowKind::Connect };
    SparseRow { part: part as i32, joined, ..equality(m, eq, kind, bodies, dofs, weight) }
}
