//! Constraint forces by extended position-based dynamics (Macklin, Müller, Chentanez 2016, "XPBD"; Müller et al. 2020,
//! "Detailed Rigid Body Simulation with Extended Position Based Dynamics").
//!
//! Each row asks that its distance C not be violated at the end of the step of length h, as a spring of compliance α
//! with a damper β beside it:
//!
//! Δλ = −(C + α̃ λ + γ h J v) / ((1 + γ) J M⁻¹ Jᵀ + α̃),  α̃ = α / h²,  γ = α β / h,  Δv = M⁻¹ Jᵀ Δλ / h.
//!
//! C is taken along the row, C₀ + h J v, with the Jacobian of the step's beginning. The spring is the one that the row's
//! `solref` and `solimp` describe, so that things rest where MuJoCo's solvers let them rest: stiffness D k d, damping
//! D b, hence α = R / (k d) and γ = b / (k d h).

use crate::constraint::{JacobianView, joint_forces};
use crate::inertia::solve_m_in_place;
use crate::workspace::{Scratches as _, Xpbd};
use ligament_math::{MINVAL, dense, sparse};
use ligament_model::enums::{ConstraintState, ConstraintType, EqType};
use ligament_model::parts::{ConstraintSolver, Part, PartError, check_parameter};
use ligament_model::{Data, Model};

/// Damping γ of the edges of soft flexes: sweeps that end before all rows agree would else keep cloth trembling.
const EDGE_DAMPING: f64 = 1.0;

/// Extended position-based dynamics in place of MuJoCo's convex problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct XpbdSolver {
    iterations: usize,
    compliance: Option<f64>,
}

impl Default for XpbdSolver {
    fn default() -> Self {
        Self::new(20)
    }
}

impl XpbdSolver {
    /// What model texts and files call it.
    pub const NAME: &'static str = "xpbd";

    /// With so many sweeps over all rows in a step (at least one).
    pub fn new(iterations: usize) -> Self {
        Self { iterations: iterations.max(1), compliance: None }
    }

    /// One compliance (m/N) for all rows, without damping, instead of what their `solref` and `solimp` say; 0: rigid.
    pub fn compliance(self, compliance: f64) -> Result<Self, PartError> {
        check_parameter(Self::NAME, "compliance", compliance, true)?;
        Ok(Self { compliance: Some(compliance), ..self })
    }

    /// From iterations and compliance, which may be missing.
    pub fn from_parameters(numbers: &[f64]) -> Result<Self, PartError> {
        let (&iterations, rest) = match numbers {
            [iterations, rest @ ..] if rest.len() < 2 => (iterations, rest),
            _ => {
                let expected = "one or two numbers (iterations, compliance)";
                return Err(PartError::Count { part: Self::NAME.into(), expected, found: numbers.len() });
            }
        };
        if !((1.0..=1e6).contains(&iterations) && iterations.fract() == 0.0) {
            let (parameter, expected) = ("iterations".into(), "a whole number from 1 to 1000000");
            return Err(PartError::Value { part: Self::NAME.into(), parameter, value: iterations, expected });
        }
        let solver = Self::new(iterations as usize);
        rest.first().map_or(Ok(solver), |&compliance| solver.compliance(compliance))
    }

    /// Relative compliance α̃ and damping γ of a row.
    fn softness(&self, m: &Model, d: &Data, row: usize, h: f64) -> (f64, f64) {
        if let Some(compliance) = soft_edge(m, d, row) {
            return (compliance / (h * h), EDGE_DAMPING);
        }
        if let Some(compliance) = self.compliance {
            return (compliance / (h * h), 0.0);
        }
        let [k, b, impedance, _] = d.efc_KBIP[row];
        let stiffness = k * impedance;
        if stiffness < MINVAL {
            (0.0, 0.0)
        } else {
            (d.efc_R[row] / (stiffness * h * h), b / (stiffness * h))
        }
    }
}

impl Part for XpbdSolver {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn parameters(&self) -> Vec<f64> {
        let mut numbers = vec![self.iterations as f64];
        numbers.extend(self.compliance);
        numbers
    }
}

impl ConstraintSolver for XpbdSolver {
    fn solve(&self, m: &Model, d: &mut Data) {
        let mut s = std::mem::take(&mut d.workspace.scratch().xpbd);
        let h = m.opt.timestep;
        prepare(m, d, &mut s);
        s.soft.clear();
        s.soft.extend((0..d.nefc).map(|row| self.softness(m, d, row, h)));
        for (v, a) in s.velocity.iter_mut().zip(&d.qacc_smooth) {
            *v += h * a;
        }
        let mut sweep = Sweep { jacobian: JacobianView::new(m, d), d, s: &mut s, h };
        for _ in 0..self.iterations {
            sweep.all_rows();
        }
        for (force, multiplier) in d.efc_force.iter_mut().zip(&s.lambda) {
            *force = multiplier / (h * h);
        }
        d.solver_niter[0] = self.iterations as i32;
        set_states(d);
        joint_forces(m, d);
        d.qacc.copy_from_slice(&d.qfrc_constraint);
        let mut qacc = std::mem::take(&mut s.velocity);
        qacc.copy_from_slice(&d.qfrc_constraint);
        solve_m_in_place(m, d, &mut qacc);
        for ((acc, own), smooth) in d.qacc.iter_mut().zip(&qacc).zip(&d.qacc_smooth) {
            *acc = own + smooth;
        }
        s.velocity = qacc;
        d.workspace.scratch().xpbd = s;
    }
}

/// Compliance of a row that keeps the length of a soft flex's edge.
fn soft_edge(m: &Model, d: &Data, row: usize) -> Option<f64> {
    if row >= d.ne || m.nflex == 0 {
        return None;
    }
    let eq = d.efc_id[row] as usize;
    if m.eq_type[eq] != EqType::Flex as i32 {
        return None;
    }
    m.flex_model(m.eq_obj1id[eq] as usize)?.edge_compliance
}

/// Velocities and distances to start from, M⁻¹Jᵀ by rows and the diagonal of J M⁻¹Jᵀ.
fn prepare(m: &Model, d: &Data, s: &mut Xpbd) {
    s.velocity.clear();
    s.velocity.extend_from_slice(&d.qvel);
    s.distance.clear();
    s.distance.extend(d.efc_pos.iter().zip(&d.efc_margin).map(|(pos, margin)| pos - margin));
    s.lambda.clear();
    s.lambda.resize(d.nefc, 0.0);
    s.diagonal.clear();
    s.response.start.clear();
    s.response.start.push(0);
    s.response.col.clear();
    s.response.val.clear();
    let jacobian = JacobianView::new(m, d);
    s.row.clear();
    s.row.resize(m.nv, 0.0);
    for row in 0..d.nefc {
        if jacobian.cols(row).iter().all(|&dof| m.dof_simplenum[dof as usize] > 0) {
            simple_response(d, jacobian, row, s);
            continue;
        }
        s.row.fill(0.0);
        jacobian.scatter(row, &mut s.row);
        solve_m_in_place(m, d, &mut s.row);
        s.diagonal.push(jacobian.row_dot(row, &s.row).max(MINVAL));
        for (dof, &value) in s.row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            s.response.col.push(dof as i32);
            s.response.val.push(value);
        }
        s.response.start.push(s.response.col.len());
    }
}

/// Where the inertia is diagonal, as for vertices of flexes, M⁻¹Jᵀ has the pattern of J.
fn simple_response(d: &Data, jacobian: JacobianView<'_>, row: usize, s: &mut Xpbd) {
    let start = s.response.val.len();
    jacobian.push_compressed(row, &mut s.response.val);
    s.response.col.extend_from_slice(jacobian.cols(row));
    let mut diagonal = 0.0;
    for (value, &dof) in s.response.val[start..].iter_mut().zip(jacobian.cols(row)) {
        let inverse = d.qLDiagInv[dof as usize];
        diagonal += *value * *value * inverse;
        *value *= inverse;
    }
    s.diagonal.push(diagonal.max(MINVAL));
    s.response.start.push(s.response.col.len());
}

/// One pass over the rows, after another.
struct Sweep<'a> {
    jacobian: JacobianView<'a>,
    d: &'a Data,
    s: &'a mut Xpbd,
    h: f64,
}

impl Sweep<'_> {
    fn all_rows(&mut self) {
        let friction_end = self.d.ne + self.d.nf;
        for row in 0..self.d.ne {
            self.relax(row, f64::NEG_INFINITY);
        }
        for row in self.d.ne..friction_end {
            let limit = self.d.efc_frictionloss[row] * self.h * self.h;
            self.hold(row, limit);
        }
        let mut row = friction_end;
        while row < self.d.nefc {
            self.relax(row, 0.0);
            if self.d.efc_type[row] == ConstraintType::ContactElliptic as i32 {
                let contact = &self.d.contact[self.d.efc_id[row] as usize];
                let dim = contact.dim as usize;
                self.friction(row, &contact.friction[..dim - 1]);
                row += dim;
            } else {
                row += 1;
            }
        }
    }

    /// A position row: the update of the head of this file, the multiplier not below `lowest`.
    fn relax(&mut self, row: usize, lowest: f64) {
        let moved = self.h * self.jacobian.row_dot(row, &self.s.velocity);
        let (soft, damping) = self.s.soft[row];
        let violation = self.s.distance[row] + moved + soft * self.s.lambda[row] + damping * moved;
        let change = -violation / ((1.0 + damping) * self.s.diagonal[row] + soft);
        let wanted = (self.s.lambda[row] + change).max(lowest);
        self.set(row, wanted);
    }

    /// A row without position that resists motion with a limited force.
    fn hold(&mut self, row: usize, limit: f64) {
        let moved = self.h * self.jacobian.row_dot(row, &self.s.velocity);
        let wanted = self.s.lambda[row] - moved / self.s.diagonal[row];
        self.set(row, wanted.clamp(-limit, limit));
    }

    /// Friction rows of an elliptic contact: no motion, unless the force leaves the cone Σ (fₖ/μₖ)² ≤ fₙ².
    fn friction(&mut self, first: usize, mu: &[f64]) {
        let normal = self.s.lambda[first];
        for k in 0..mu.len() {
            self.hold(first + 1 + k, mu[k] * normal);
        }
        let scaled = |(k, mu): (usize, &f64)| (self.s.lambda[first + 1 + k] / mu.max(MINVAL)).powi(2);
        let size = mu.iter().enumerate().map(scaled).sum::<f64>().sqrt();
        if size > normal {
            for k in 0..mu.len() {
                let wanted = self.s.lambda[first + 1 + k] * normal / size;
                self.set(first + 1 + k, wanted);
            }
        }
    }

    /// Changes a multiplier and the velocities with it.
    fn set(&mut self, row: usize, wanted: f64) {
        let change = (wanted - self.s.lambda[row]) / self.h;
        self.s.lambda[row] = wanted;
        if change != 0.0 {
            let range = self.s.response.start[row]..self.s.response.start[row + 1];
            let (columns, values) = (&self.s.response.col[range.clone()], &self.s.response.val[range]);
            for (&dof, value) in columns.iter().zip(values) {
                self.s.velocity[dof as usize] += value * change;
            }
        }
    }
}

impl JacobianView<'_> {
    /// J(row, :) · x
    fn row_dot(&self, row: usize, x: &[f64]) -> f64 {
        let stored = self.stored(row);
        if stored.len() == x.len() { dense::dot(stored, x) } else { sparse::dot(stored, x, self.cols(row)) }
    }

    /// Writes a row into a vector of zeros.
    fn scatter(&self, row: usize, out: &mut [f64]) {
        let stored = self.stored(row);
        if stored.len() == out.len() {
            out.copy_from_slice(stored);
        } else {
            for (&column, value) in self.cols(row).iter().zip(stored) {
                out[column as usize] = *value;
            }
        }
    }
}

/// What the forces say about the rows.
fn set_states(d: &mut Data) {
    let friction_end = d.ne + d.nf;
    for row in 0..d.nefc {
        let force = d.efc_force[row];
        let state = if row < d.ne {
            ConstraintState::Quadratic
        } else if row < friction_end {
            let limit = d.efc_frictionloss[row];
            match force {
                f if f >= limit => ConstraintState::Linearneg,
                f if f <= -limit => ConstraintState::Linearpos,
                _ => ConstraintState::Quadratic,
            }
        } else if force == 0.0 {
            ConstraintState::Satisfied
        } else {
            ConstraintState::Quadratic
        };
        d.efc_state[row] = state as i32;
    }
}
