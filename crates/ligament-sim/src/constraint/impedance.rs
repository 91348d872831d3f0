//! Softness of the rows: approximate inverse inertia, impedance, stiffness and damping of the reference
//! acceleration (book, "Constraint model: parameters").

use crate::workspace::Scratches as _;
use ligament_model::constants::MINVAL;
use ligament_model::enums::{ConstraintType, EqType, ObjType};
use ligament_model::{Contact, Data, Model};

use super::contact::side_bodies;
use super::softness::{SolverParams, reference_gains};

/// Which constraint each row belongs to.
#[derive(Clone, Copy)]
struct Owners<'a> {
    kind: &'a [i32],
    id: &'a [i32],
    contact: &'a [Contact],
}

impl Owners<'_> {
    fn kind(self, row: usize) -> ConstraintType {
        ConstraintType::try_from(self.kind[row]).expect("rows have valid types")
    }

    /// Number of rows of the constraint that starts at `row`, as far as they share an impedance.
    fn dimension(self, m: &Model, row: usize) -> usize {
        let id = self.id[row] as usize;
        match self.kind(row) {
            ConstraintType::ContactElliptic => self.contact[id].dim as usize,
            ConstraintType::ContactPyramidal => 2 * (self.contact[id].dim as usize - 1),
            ConstraintType::Equality if m.eq_type[id] == EqType::Weld as i32 => 6,
            ConstraintType::Equality if m.eq_type[id] == EqType::Connect as i32 => 3,
            _ => 1,
        }
    }
}

/// Sets `efc_diagApprox`: an estimate of the diagonal of J M⁻¹ Jᵀ from inverse weights at `qpos0`.
pub(crate) fn diag_approx(m: &Model, d: &mut Data) {
    let Data { nefc, efc_type, efc_id, contact, efc_diagApprox: out, flexvert_xpos, workspace, .. } = d;
    let bodies = &mut workspace.scratch().constraint.bodies;
    let owners = Owners { kind: efc_type, id: efc_id, contact };
    let mut row = 0;
    while row < *nefc {
        let id = owners.id[row] as usize;
        match owners.kind(row) {
            ConstraintType::Equality => row = equality_weights(m, row, id, out),
            ConstraintType::FrictionDof => {
                out[row] = m.dof_invweight0[id];
                row += 1;
            }
            ConstraintType::LimitJoint => {
                out[row] = m.dof_invweight0[m.jnt_dofadr[id] as usize];
                row += 1;
            }
            ConstraintType::FrictionTendon | ConstraintType::LimitTendon => {
                out[row] = m.tendon_invweight0[id];
                row += 1;
            }
            kind @ (ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic) => {
                // equalities of flexes count rows that are empty and left out, as in 3.5.0: a contact may end early
                let n = owners.dimension(m, row).min(*nefc - row);
                let con = &owners.contact[id];
                let [tran, rot] = side_weights(m, flexvert_xpos, con, bodies);
                contact_weights(con, kind, tran, rot, &mut out[row..row + n]);
                row += n;
            }
        }
    }
}

/// Fills the rows of an equality constraint, returns the row after them.
fn equality_weights(m: &Model, row: usize, eq: usize, out: &mut [f64]) -> usize {
    let (id1, id2) = (m.eq_obj1id[eq], m.eq_obj2id[eq]);
    let body = |id: i32| {
        if m.eq_objtype[eq] == ObjType::Site as i32 {
            m.site_bodyid[id as usize] as usize
        } else {
            id as usize
        }
    };
    let both = |f: &dyn Fn(usize) -> f64| f(id1 as usize) + if id2 >= 0 { f(id2 as usize) } else { 0.0 };
    match EqType::try_from(m.eq_type[eq]) {
        Ok(kind @ (EqType::Connect | EqType::Weld)) => {
            let n = if kind == EqType::Weld { 6 } else { 3 };
            let (w1, w2) = (m.body_invweight0[body(id1)], m.body_invweight0[body(id2)]);
            for k in 0..n {
                out[row + k] = w1[k / 3] + w2[k / 3];
            }
            row + n
        }
        Ok(EqType::Joint) => {
            out[row] = both(&|j| m.dof_invweight0[m.jnt_dofadr[j] as usize]);
            row + 1
        }
        Ok(EqType::Tendon) => {
            out[row] = both(&|t| m.tendon_invweight0[t]);
            row + 1
        }
        Ok(EqType::Flex) => {
            let first = m.flex_edgeadr[id1 as usize] as usize;
            let mut row = row;
            for edge in first..first + m.flex_edgenum[id1 as usize] as usize {
                if m.flexedge_rigid[edge] == 0 && row < out.len() {
                    out[row] = m.flexedge_invweight0[edge];
                    row += 1;
                }
            }
            row
        }
        Ok(EqType::Flexvert) => {
            let first = m.flex_vertadr[id1 as usize] as usize;
            let mut row = row;
            for vertex in first..first + m.flex_vertnum[id1 as usize] as usize {
                let weight = m.body_invweight0[m.flex_vertbodyid[vertex] as usize][0];
                for _ in 0..2 {
                    if row < out.len() {
                        out[row] = weight;
                        row += 1;
                    }
                }
            }
            row
        }
        Ok(EqType::Distance) | Err(_) => row + 1,
    }
}

/// Translational and rotational inverse weight of the bodies of a contact, both sides together.
fn side_weights(
    m: &Model,
    flexvert_xpos: &[[f64; 3]],
    con: &Contact,
    bodies: &mut Vec<(usize, f64)>,
) -> [f64; 2] {
    let (mut tran, mut rot) = (0.0, 0.0);
    for side in 0..2 {
        bodies.clear();
        side_bodies(m, flexvert_xpos, con, side, 1.0, bodies);
        for &(body, weight) in bodies.iter() {
            tran += m.body_invweight0[body][0] * weight;
            rot += m.body_invweight0[body][1] * weight;
        }
    }
    [tran, rot]
}

fn contact_weights(con: &Contact, kind: ConstraintType, tran: f64, rot: f64, out: &mut [f64]) {
    match kind {
        ConstraintType::ContactElliptic => {
            for (j, w) in out.iter_mut().enumerate() {
                *w = if j < 3 { tran } else { rot };
            }
        }
        ConstraintType::ContactPyramidal => {
            for (j, pair) in out.chunks_exact_mut(2).enumerate() {
                let mu = con.friction[j];
                pair.fill(tran + mu * mu * if j < 2 { tran } else { rot });
            }
        }
        _ => out.fill(tran),
    }
}

/// Parameters of the constraint at `row`, made safe.
fn parameters(m: &Model, owners: Owners, row: usize) -> SolverParams {
    let id = owners.id[row] as usize;
    let own = |solref, solimp| SolverParams { solref, solreffriction: [0.0; 2], solimp };
    let params = match owners.kind(row) {
        ConstraintType::Equality => own(m.eq_solref[id], m.eq_solimp[id]),
        ConstraintType::LimitJoint => own(m.jnt_solref[id], m.jnt_solimp[id]),
        ConstraintType::FrictionDof => own(m.dof_solref[id], m.dof_solimp[id]),
        ConstraintType::LimitTendon => own(m.tendon_solref_lim[id], m.tendon_solimp_lim[id]),
        ConstraintType::FrictionTendon => own(m.tendon_solref_fri[id], m.tendon_solimp_fri[id]),
        ConstraintType::ContactFrictionless
        | ConstraintType::ContactPyramidal
        | ConstraintType::ContactElliptic => {
            let con = &owners.contact[id];
            SolverParams { solref: con.solref, solreffriction: con.solreffriction, solimp: con.solimp }
        }
    };
    params.safe(m)
}

fn power(a: f64, b: f64) -> f64 {
    if b == 1.0 {
        a
    } else if b == 2.0 {
        a * a
    } else {
        a.powf(b)
    }
}

/// Impedance d(r) and its derivative, r = pos − margin: a power-law sigmoid from dmin to dmax over `width`.
pub(crate) fn impedance(solimp: &[f64; 5], pos: f64, margin: f64) -> (f64, f64) {
    let [dmin, dmax, width, midpoint, exponent] = *solimp;
    if dmin == dmax || width <= MINVAL {
        return (0.5 * (dmin + dmax), 0.0);
    }
    let mut x = (pos - margin) / width;
    let mut sign = 1.0;
    if x < 0.0 {
        x = -x;
        sign = -1.0;
    }
    if x >= 1.0 {
        return (dmax, 0.0);
    }
    if x <= 0.0 {
        return (dmin, 0.0);
    }
    let (y, slope) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let a = 1.0 / power(midpoint, exponent - 1.0);
        (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
    } else {
        let b = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        (1.0 - b * power(1.0 - x, exponent), exponent * b * power(1.0 - x, exponent - 1.0))
    };
    (dmin + y * (dmax - dmin), slope * sign * (dmax - dmin) / width)
}

/// Sets `efc_KBIP`, `efc_R`, `efc_D`, the cone's `mu`, and makes `efc_diagApprox` consistent with them.
pub(crate) fn make_impedance(m: &Model, d: &mut Data) {
    let Data {
        efc_type, efc_id, contact, efc_pos, efc_margin, efc_R, efc_D, efc_KBIP, efc_diagApprox, ..
    } = d;
    let mut row = 0;
    while row < d.nefc {
        let owners = Owners { kind: efc_type, id: efc_id, contact };
        let (kind, id, dim) = (owners.kind(row), owners.id[row] as usize, owners.dimension(m, row));
        let p = parameters(m, owners, row);
        let pos = if kind == ConstraintType::Equality && dim > 1 {
            ligament_math::dense::norm(&efc_pos[row..row + dim])
        } else {
            efc_pos[row]
        };
        let (imp, slope) = impedance(&p.solimp, pos, efc_margin[row]);
        let softness = Softness { p: &p, kind, imp, slope };
        let rows = row..row + dim;
        let out = SoftRows {
            R: &mut efc_R[rows.clone()],
            D: &mut efc_D[rows.clone()],
            KBIP: &mut efc_KBIP[rows.clone()],
            diag: &mut efc_diagApprox[rows],
        };
        match kind {
            ConstraintType::ContactPyramidal => softness.pyramid(m, &mut contact[id], out),
            ConstraintType::ContactElliptic => softness.ellipse(m, &mut contact[id], out),
            _ => softness.rows(out),
        }
        row += dim;
    }
}

/// How soft the rows of one constraint are.
#[derive(Clone, Copy)]
struct Softness<'a> {
    p: &'a SolverParams,
    kind: ConstraintType,
    /// Impedance and its derivative.
    imp: f64,
    slope: f64,
}

/// What is known of the softness of the rows of one constraint.
struct SoftRows<'a> {
    R: &'a mut [f64],
    D: &'a mut [f64],
    KBIP: &'a mut [[f64; 4]],
    /// In: the estimate of the diagonal of J M⁻¹ Jᵀ; out: the one that `R` belongs to.
    diag: &'a mut [f64],
}

impl Softness<'_> {
    /// R = (1 − d) / d · diag(J M⁻¹ Jᵀ).
    fn regularization(self, diag: f64) -> f64 {
        let r = (1.0 - self.imp) * diag / self.imp;
        // NaN stays: a model without inertia must not look sound
        if r < MINVAL { MINVAL } else { r }
    }

    fn consistent_diag(self, r: f64) -> f64 {
        r * self.imp / (1.0 - self.imp)
    }

    fn kbip(self, j: usize) -> [f64; 4] {
        let (k, b) = stiffness_damping(self.p, self.kind, j);
        [k, b, self.imp, self.slope]
    }

    fn rows(self, out: SoftRows) {
        for j in 0..out.R.len() {
            out.R[j] = self.regularization(out.diag[j]);
            out.KBIP[j] = self.kbip(j);
        }
        self.finish(out);
    }

    /// Regularisation of friction: R₁ = R₀ / impratio, R_j μ_j² = R₁ μ₁².
    fn ellipse(self, m: &Model, con: &mut Contact, out: SoftRows) {
        let f = con.friction;
        out.R[0] = self.regularization(out.diag[0]);
        out.R[1] = tangential(m, out.R[0]);
        con.mu = f[0] * (out.R[1] / out.R[0]).sqrt();
        for j in 1..out.R.len() - 1 {
            out.R[j + 1] = out.R[1] * f[0] * f[0] / (f[j] * f[j]);
        }
        for (j, kbip) in out.KBIP.iter_mut().enumerate() {
            *kbip = self.kbip(j);
        }
        self.finish(out);
    }

    /// All edges of a pyramid share 2 μ² R₀.
    fn pyramid(self, m: &Model, con: &mut Contact, out: SoftRows) {
        let normal = self.regularization(out.diag[0]);
        con.mu = con.friction[0] * (tangential(m, normal) / normal).sqrt();
        let common = 2.0 * con.mu * con.mu * normal;
        out.R.fill(common);
        out.D.fill(1.0 / common);
        out.diag.fill(self.consistent_diag(common));
        out.KBIP.fill(self.kbip(0));
    }

    fn finish(self, out: SoftRows) {
        for ((d, diag), &r) in out.D.iter_mut().zip(out.diag).zip(&*out.R) {
            *d = 1.0 / r;
            *diag = self.consistent_diag(r);
        }
    }
}

fn tangential(m: &Model, normal: f64) -> f64 {
    normal / MINVAL.max(m.opt.impratio)
}

/// Stiffness and damping of row `j` of a constraint.
fn stiffness_damping(p: &SolverParams, kind: ConstraintType, j: usize) -> (f64, f64) {
    let tangent = kind == ConstraintType::ContactElliptic && j > 0;
    let solref = if tangent && p.solreffriction != [0.0; 2] { p.solreffriction } else { p.solref };
    let friction = tangent || matches!(kind, ConstraintType::FrictionDof | ConstraintType::FrictionTendon);
    let (k, b) = reference_gains(solref, p.solimp[1]);
    (if friction { 0.0 } else { k }, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F3.11: impedance at its landmarks: dmin at the margin, dmax beyond the width, the sigmoid between.
    #[test]
    fn impedance_curve() {
        let solimp = [0.9, 0.95, 0.001, 0.5, 2.0];
        assert_eq!(impedance(&solimp, 0.0, 0.0), (0.9, 0.0));
        assert_eq!(impedance(&solimp, -0.01, 0.0), (0.95, 0.0));
        let (at_mid, slope) = impedance(&solimp, -0.0005, 0.0);
        assert!((at_mid - 0.925).abs() < 1e-15 && slope < 0.0);
        // y(0.25) = 0.25² / 0.5
        assert!((impedance(&solimp, 0.00025, 0.0).0 - (0.9 + 0.05 * 0.125)).abs() < 1e-15);
        assert_eq!(impedance(&[0.8, 0.8, 0.001, 0.5, 2.0], -1.0, 0.0), (0.8, 0.0));
        assert!(
            (impedance(&[0.0001, 0.9999, 1.0, 0.5, 1.0], 0.3, 0.0).0 - (0.0001 + 0.3 * 0.9998)).abs() < 1e-15
        );
    }
}
