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
//! D b, hence α = R / (k d) and γ = b / (k d h). Soft flexes relax their own constraints, on the positions of their
//! vertices, in the same sweeps.
//!
//! A step may be divided (Macklin et al. 2019, "Small steps in physics simulation"): forces of the step's beginning, its
//! contacts and Jacobians stay, distances and vertices move on from substep to substep. Velocities are then those after
//! the last substep, positions what all of them moved, and forces the mean over the step.

mod rows;
mod soft;
mod touch;

use crate::constraint::joint_forces;
use crate::inertia::solve_m_in_place;
use crate::part_set;
use crate::workspace::{Scratches as _, Xpbd};
use ligament_math::MINVAL;
use ligament_model::enums::{ConstraintState, Integrator};
use ligament_model::fault::Fault;
use ligament_model::parts::{ConstraintSolver, Part, PartError, Slot, check_parameter};
use ligament_model::{Data, Model};
use rows::Sweep;

/// Extended position-based dynamics in place of MuJoCo's convex problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct XpbdSolver {
    iterations: usize,
    substeps: usize,
    compliance: Option<f64>,
}

impl Default for XpbdSolver {
    fn default() -> Self {
        Self::new(20)
    }
}

/// A parameter that counts.
fn whole(parameter: &str, value: f64) -> Result<usize, PartError> {
    if (1.0..=1e6).contains(&value) && value.fract() == 0.0 {
        return Ok(value as usize);
    }
    let expected = "a whole number from 1 to 1000000";
    Err(PartError::Value { part: XpbdSolver::NAME.into(), parameter: parameter.into(), value, expected })
}

impl XpbdSolver {
    /// What model texts and files call it.
    pub const NAME: &'static str = "xpbd";

    /// With so many sweeps over all rows in a step (at least one).
    pub fn new(iterations: usize) -> Self {
        Self { iterations: iterations.max(1), substeps: 1, compliance: None }
    }

    /// Divides each step into so many, each with all sweeps (at least one). What is stiff or heavy gets better with
    /// substeps than with sweeps. Not for Runge-Kutta, which steps by itself.
    #[must_use]
    pub fn substeps(self, substeps: usize) -> Self {
        Self { substeps: substeps.max(1), ..self }
    }

    /// One compliance (m/N) for all rows, without damping, instead of what their `solref` and `solimp` say; 0: rigid.
    pub fn compliance(self, compliance: f64) -> Result<Self, PartError> {
        check_parameter(Self::NAME, "compliance", compliance, true)?;
        Ok(Self { compliance: Some(compliance), ..self })
    }

    /// From iterations, substeps and compliance; the last two may be missing.
    pub fn from_parameters(numbers: &[f64]) -> Result<Self, PartError> {
        let (&iterations, rest) = match numbers {
            [iterations, rest @ ..] if rest.len() < 3 => (iterations, rest),
            _ => {
                let expected = "one to three numbers (iterations, substeps, compliance)";
                return Err(PartError::Count { part: Self::NAME.into(), expected, found: numbers.len() });
            }
        };
        let mut solver = Self::new(whole("iterations", iterations)?);
        if let Some(&substeps) = rest.first() {
            solver = solver.substeps(whole("substeps", substeps)?);
        }
        rest.get(1).map_or(Ok(solver), |&compliance| solver.compliance(compliance))
    }

    /// Relative compliance α̃ and damping γ of a row.
    fn softness(&self, d: &Data, row: usize, h: f64) -> (f64, f64) {
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

    /// [`Self::softness`] of all rows. Those of a pyramid are alike.
    fn soften(&self, d: &Data, h: f64, out: &mut Vec<(f64, f64)>) {
        out.clear();
        for row in 0..d.nefc {
            let like_the_last =
                |last: usize| d.efc_KBIP[last] == d.efc_KBIP[row] && d.efc_R[last] == d.efc_R[row];
            let softness = match row.checked_sub(1) {
                Some(last) if like_the_last(last) => out[last],
                _ => self.softness(d, row, h),
            };
            out.push(softness);
        }
    }

    /// All sweeps of a step, by so many threads; false when they were more work than the state allows.
    fn sweeps(&self, m: &Model, d: &Data, threads: usize, s: &mut Xpbd) -> bool {
        let h = m.opt.timestep / self.substeps as f64;
        let work = rows::work(d) + soft::work(m, &s.particles) + 1;
        let mut effort = d.effort_left();
        for _ in 0..self.substeps {
            for (v, a) in s.velocity.iter_mut().zip(&d.qacc_smooth) {
                *v += h * a;
            }
            s.lambda.fill(0.0);
            s.particles.lambda.fill(0.0);
            touch::begin(s);
            for sweep in 0..self.iterations {
                if effort == 0 {
                    return false;
                }
                effort = effort.saturating_sub(work as u64);
                soft::relax(m, s, h, self.iterations, threads);
                // in every substep alike: what a sweep leaves depends on its direction, and would push now here, now there
                Sweep::new(m, d, s, h).all_rows(sweep % 2 == 1);
                touch::relax(s, h, sweep % 2 == 1);
            }
            rows::advance(m, d, s, h);
            touch::advance(s, h);
            soft::advance(s, h);
            for (travel, v) in s.travel.iter_mut().zip(&s.velocity) {
                *travel += h * v;
            }
        }
        true
    }
}

impl Part for XpbdSolver {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn parameters(&self) -> Vec<f64> {
        let mut numbers = vec![self.iterations as f64];
        if self.substeps > 1 || self.compliance.is_some() {
            numbers.push(self.substeps as f64);
        }
        numbers.extend(self.compliance);
        numbers
    }
}

impl ConstraintSolver for XpbdSolver {
    fn solve(&self, m: &Model, d: &mut Data, drift_out: &mut Vec<f64>) {
        if d.fault == Some(Fault::Effort) {
            d.fault = None;
        }
        if self.substeps > 1 && m.opt.integrator == Integrator::Rk4 as i32 {
            part_set::refuse(
                d,
                Slot::Solver,
                0,
                "Runge-Kutta cannot be divided: take Euler, implicit or implicitfast",
            );
            return;
        }
        let mut s = std::mem::take(&mut d.workspace.scratch().xpbd);
        let h = m.opt.timestep;
        self.soften(d, h / self.substeps as f64, &mut s.soft);
        rows::prepare(m, d, &mut s);
        rows::join(m, d, &mut s);
        soft::gather(m, d, self.iterations, &mut s.particles);
        soft::tie(m, d, h / self.substeps as f64, &mut s);
        soft::line_up(&mut s.particles);
        s.travel.clear();
        s.travel.resize(m.nv, 0.0);
        s.impulse.clear();
        s.impulse.resize(m.nv, 0.0);
        if !self.sweeps(m, d, soft::threads(d, &s.particles), &mut s) {
            d.fault = d.fault.or(Some(Fault::Effort));
        }
        touch::collect(&mut s);
        let scale = self.substeps as f64 / (h * h);
        for (force, multiplier) in d.efc_force.iter_mut().zip(&s.total) {
            *force = multiplier * scale;
        }
        d.solver_niter[0] = (self.substeps * self.iterations).try_into().unwrap_or(i32::MAX);
        set_states(d);
        if self.substeps > 1 {
            drift_out.extend(s.travel.iter().zip(&s.velocity).map(|(travel, v)| travel / h - v));
        }
        accelerate(m, d, &mut s);
        d.workspace.scratch().xpbd = s;
    }

    fn holds_soft_flexes(&self) -> bool {
        true
    }

    fn inverse(&self, m: &Model, d: &mut Data) -> bool {
        if let Some(flex) = m.parts.first_soft() {
            let reason = "inverse dynamics does not know the forces inside a soft flex";
            part_set::refuse(d, Slot::Elasticity, flex, reason);
        }
        false
    }
}

/// Forces on the joints, and the acceleration that follows.
fn accelerate(m: &Model, d: &mut Data, s: &mut Xpbd) {
    joint_forces(m, d);
    soft::weigh(s);
    for (force, impulse) in d.qfrc_constraint.iter_mut().zip(&s.impulse) {
        *force += impulse / m.opt.timestep;
    }
    let acceleration = &mut s.velocity;
    acceleration.copy_from_slice(&d.qfrc_constraint);
    solve_m_in_place(m, d, acceleration);
    for ((acc, own), smooth) in d.qacc.iter_mut().zip(acceleration).zip(&d.qacc_smooth) {
        *acc = *own + smooth;
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
