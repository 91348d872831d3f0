//! Finite differences of whole steps and of inverse dynamics.
//!
//! Only the stages that an input influences are evaluated again: controls and activations change nothing before
//! actuation, velocities nothing of the position stage.

use ligament_model::enums::{DisableBit, Integrator, Stage, State};
use ligament_model::{Data, Model};

use crate::actuation::fwd_actuation;
use crate::inverse::inverse_skip;
use crate::sensor;
use crate::state::{get_state, set_state, state_size};
use crate::step::{StepError, fwd_velocity, step_skip};
use crate::support::{differentiate_pos, integrate_pos};

/// Jacobians of one step, each optional, with one row per input: the next state has `2 nv + na` columns, the sensors
/// `nsensordata`. Letters: y next state, s sensors; q position, v velocity, a activation, u control.
#[derive(Debug, Default)]
#[allow(missing_docs)] // results by input, as the names say; `None`: not wanted
pub struct StepJacobians<'a> {
    pub DyDq: Option<&'a mut [f64]>,
    pub DyDv: Option<&'a mut [f64]>,
    pub DyDa: Option<&'a mut [f64]>,
    pub DyDu: Option<&'a mut [f64]>,
    pub DsDq: Option<&'a mut [f64]>,
    pub DsDv: Option<&'a mut [f64]>,
    pub DsDa: Option<&'a mut [f64]>,
    pub DsDu: Option<&'a mut [f64]>,
}

/// Transition matrices, row-major, each optional: `A` and `B` map state and control to the next state, `C` and `D` to
/// the sensors.
#[derive(Debug, Default)]
#[allow(missing_docs)] // results by input, as the names say; `None`: not wanted
pub struct Transition<'a> {
    pub A: Option<&'a mut [f64]>,
    pub B: Option<&'a mut [f64]>,
    pub C: Option<&'a mut [f64]>,
    pub D: Option<&'a mut [f64]>,
}

/// Jacobians of inverse dynamics, each optional, with one row per degree of freedom: f `qfrc_inverse`, s sensors,
/// m the mass matrix; q position, v velocity, a acceleration.
#[derive(Debug, Default)]
#[allow(missing_docs)] // results by input, as the names say; `None`: not wanted
pub struct InverseJacobians<'a> {
    pub DfDq: Option<&'a mut [f64]>,
    pub DfDv: Option<&'a mut [f64]>,
    pub DfDa: Option<&'a mut [f64]>,
    pub DsDq: Option<&'a mut [f64]>,
    pub DsDv: Option<&'a mut [f64]>,
    pub DsDa: Option<&'a mut [f64]>,
    pub DmDq: Option<&'a mut [f64]>,
}

/// `out = (b − a) / h`
fn difference(out: &mut [f64], a: &[f64], b: &[f64], h: f64) {
    let inv = 1.0 / h;
    for ((x, a), b) in out.iter_mut().zip(a).zip(b) {
        *x = inv * (b - a);
    }
}

/// Work that is left for the steps of a call.
struct Meter {
    left: u64,
    /// What one step takes besides collision detection, solver and sensors.
    step: u64,
}

impl Meter {
    /// A step goes through the numbers of the state, and through the inertia matrix once for every ancestor.
    fn new(m: &Model, d: &Data) -> Self {
        let (entries, dofs) = (m.nM as u64, m.nv.max(1) as u64);
        Self {
            left: d.effort_of_calls(),
            step: m.sizes().state_bytes() / 8 + entries.saturating_mul(entries) / (4 * dofs),
        }
    }

    /// Counts an evaluation that was made.
    fn count(&mut self, m: &Model, d: &Data, skip_sensor: bool) -> Result<(), StepError> {
        let sensors = if skip_sensor { 0 } else { sensor::work_of_all(m, d) };
        let work = self.step.saturating_add(d.spent.total()).saturating_add(sensors);
        self.left = self.left.checked_sub(work).ok_or(StepError::DifferencesEffort)?;
        Ok(())
    }
}

/// Result of a step: positions, velocities and activations, and the sensors.
#[derive(Debug, Clone, Default)]
struct Outcome {
    state: Vec<f64>,
    sensors: Vec<f64>,
}

/// A step that is repeated from the same start with one input changed.
struct Differences<'m> {
    m: &'m Model,
    eps: f64,
    centered: bool,
    skip_sensor: bool,
    /// What is put back after each step.
    restore: i32,
    start: Vec<f64>,
    meter: Meter,
    base: Outcome,
    plus: Outcome,
    minus: Outcome,
}

impl<'m> Differences<'m> {
    fn new(
        m: &'m Model,
        d: &mut Data,
        eps: f64,
        centered: bool,
        skip_sensor: bool,
    ) -> Result<Self, StepError> {
        let mut restore = State::Fullphysics as i32 | State::Ctrl as i32;
        if !m.opt.disabled(DisableBit::Warmstart) {
            restore |= State::Warmstart as i32;
        }
        let mut start = vec![0.0; state_size(m, restore).unwrap_or(0)];
        // the selection is valid and the buffer has its size
        let _ = get_state(m, d, &mut start, restore);
        let outcome = Outcome { state: vec![0.0; m.nq + m.nv + m.na], sensors: vec![0.0; m.nsensordata] };
        let mut this = Self {
            m,
            eps,
            centered,
            skip_sensor,
            restore,
            start,
            meter: Meter::new(m, d),
            base: outcome.clone(),
            plus: outcome.clone(),
            minus: outcome,
        };
        let mut base = std::mem::take(&mut this.base);
        this.run(d, Stage::None, &mut base)?;
        this.base = base;
        Ok(this)
    }

    /// Steps, records the outcome, and goes back to the start.
    fn run(&mut self, d: &mut Data, skip: Stage, out: &mut Outcome) -> Result<(), StepError> {
        step_skip(self.m, d, skip, self.skip_sensor)?;
        let (nq, nv) = (self.m.nq, self.m.nv);
        out.state[..nq].copy_from_slice(&d.qpos);
        out.state[nq..nq + nv].copy_from_slice(&d.qvel);
        out.state[nq + nv..].copy_from_slice(&d.act);
        out.sensors.copy_from_slice(&d.sensordata);
        let _ = set_state(self.m, d, &self.start, self.restore);
        self.meter.count(self.m, d, self.skip_sensor)
    }

    /// Differences with respect to one input that `nudge` moves.
    fn input(
        &mut self,
        d: &mut Data,
        skip: Stage,
        nudge: impl Fn(&mut Data, f64),
        rows: [Option<&mut [f64]>; 2],
    ) -> Result<(), StepError> {
        self.bounded_input(d, skip, [true; 2], false, nudge, rows)
    }

    /// As [`Self::input`]; `allowed`: may the input be moved up, down? `flip_centered_sensors`: quirk of the
    /// reference 3.5.0, whose central differences of sensors with respect to controls have the opposite sign.
    fn bounded_input(
        &mut self,
        d: &mut Data,
        skip: Stage,
        allowed: [bool; 2],
        flip_centered_sensors: bool,
        nudge: impl Fn(&mut Data, f64),
        rows: [Option<&mut [f64]>; 2],
    ) -> Result<(), StepError> {
        let forward = allowed[0];
        let backward = (self.centered || !forward) && allowed[1];
        let (mut plus, mut minus) = (std::mem::take(&mut self.plus), std::mem::take(&mut self.minus));
        if forward {
            nudge(d, self.eps);
            self.run(d, skip, &mut plus)?;
        }
        if backward {
            nudge(d, -self.eps);
            self.run(d, skip, &mut minus)?;
        }
        let low = if backward { &minus } else { &self.base };
        let high = if forward { &plus } else { &self.base };
        let step = if forward && backward { 2.0 * self.eps } else { self.eps };
        let [dy, ds] = rows;
        if let Some(dy) = dy {
            if forward || backward { self.state_difference(dy, low, high, step) } else { dy.fill(0.0) }
        }
        if let Some(ds) = ds {
            if forward || backward {
                difference(ds, &low.sensors, &high.sensors, step)
            } else {
                ds.fill(0.0)
            }
            if forward && backward && flip_centered_sensors {
                ds.iter_mut().for_each(|x| *x = -*x);
            }
        }
        (self.plus, self.minus) = (plus, minus);
        Ok(())
    }

    /// Difference of two states in the tangent space.
    fn state_difference(&self, out: &mut [f64], low: &Outcome, high: &Outcome, h: f64) {
        let (nq, nv) = (self.m.nq, self.m.nv);
        if nq == nv {
            difference(out, &low.state, &high.state, h);
        } else {
            differentiate_pos(self.m, &mut out[..nv], h, &low.state[..nq], &high.state[..nq]);
            difference(&mut out[nv..], &low.state[nq..], &high.state[nq..], h);
        }
    }
}

fn row<'a>(matrix: &'a mut Option<&mut [f64]>, i: usize, width: usize) -> Option<&'a mut [f64]> {
    matrix.as_deref_mut().map(|x| &mut x[i * width..(i + 1) * width])
}

/// Jacobians of (next state, sensors) = step(state, control). The data keep their state; everything computed from it
/// is that of the last difference.
pub fn step_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    mut out: StepJacobians,
) -> Result<(), StepError> {
    if m.nhistory > 0 {
        return Err(StepError::DifferencesDelay);
    }
    let (ndx, ns) = (2 * m.nv + m.na, m.nsensordata);
    let skip_sensor = out.DsDq.is_none() && out.DsDv.is_none() && out.DsDa.is_none() && out.DsDu.is_none();
    let ctrl = d.ctrl.clone();
    let mut fd = Differences::new(m, d, eps, centered, skip_sensor)?;
    if out.DyDu.is_some() || out.DsDu.is_some() {
        for i in 0..m.nu {
            let [low, high] = m.actuator_ctrlrange[i];
            let inside = |x: f64| x >= low && x <= high;
            let free = m.actuator_ctrllimited[i] == 0;
            let may = |x: f64| free || (inside(ctrl[i]) && inside(x));
            let allowed = [may(ctrl[i] + eps), may(ctrl[i] - eps)];
            let rows = [row(&mut out.DyDu, i, ndx), row(&mut out.DsDu, i, ns)];
            fd.bounded_input(d, Stage::Vel, allowed, true, |d, h| d.ctrl[i] += h, rows)?;
        }
    }
    if out.DyDa.is_some() || out.DsDa.is_some() {
        for i in 0..m.na {
            let rows = [row(&mut out.DyDa, i, ndx), row(&mut out.DsDa, i, ns)];
            fd.input(d, Stage::Vel, |d, h| d.act[i] += h, rows)?;
        }
    }
    if out.DyDv.is_some() || out.DsDv.is_some() {
        for i in 0..m.nv {
            let rows = [row(&mut out.DyDv, i, ndx), row(&mut out.DsDv, i, ns)];
            fd.input(d, Stage::Pos, |d, h| d.qvel[i] += h, rows)?;
        }
    }
    if out.DyDq.is_some() || out.DsDq.is_some() {
        for i in 0..m.nv {
            let mut direction = vec![0.0; m.nv];
            direction[i] = 1.0;
            let rows = [row(&mut out.DyDq, i, ndx), row(&mut out.DsDq, i, ns)];
            fd.input(d, Stage::None, |d, h| integrate_pos(m, &mut d.qpos, &direction, h), rows)?;
        }
    }
    Ok(())
}

/// `out = inᵀ`, `in` has `rows` rows.
fn transpose(out: &mut [f64], input: &[f64], rows: usize) {
    let cols = input.len().checked_div(rows).unwrap_or(0);
    for i in 0..rows {
        for j in 0..cols {
            out[j * rows + i] = input[i * cols + j];
        }
    }
}

/// Transition matrices of a step: `dx' = A dx + B du`, `ds = C dx + D du`, with x in the tangent space.
pub fn transition_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    out: Transition,
) -> Result<(), StepError> {
    if m.opt.integrator == Integrator::Rk4 as i32 {
        return Err(StepError::DifferencesRk4);
    }
    let (nv, ndx, nu, ns) = (m.nv, 2 * m.nv + m.na, m.nu, m.nsensordata);
    let buffer = |wanted: bool, n: usize| if wanted { vec![0.0; n] } else { Vec::new() };
    let mut at = buffer(out.A.is_some(), ndx * ndx);
    let mut bt = buffer(out.B.is_some(), nu * ndx);
    let mut ct = buffer(out.C.is_some(), ndx * ns);
    let mut dt = buffer(out.D.is_some(), nu * ns);
    let mut jacobians = StepJacobians::default();
    if out.A.is_some() {
        let (q, rest) = at.split_at_mut(ndx * nv);
        let (v, a) = rest.split_at_mut(ndx * nv);
        (jacobians.DyDq, jacobians.DyDv, jacobians.DyDa) = (Some(q), Some(v), Some(a));
    }
    if out.C.is_some() {
        let (q, rest) = ct.split_at_mut(ns * nv);
        let (v, a) = rest.split_at_mut(ns * nv);
        (jacobians.DsDq, jacobians.DsDv, jacobians.DsDa) = (Some(q), Some(v), Some(a));
    }
    if out.B.is_some() {
        jacobians.DyDu = Some(&mut bt);
    }
    if out.D.is_some() {
        jacobians.DsDu = Some(&mut dt);
    }
    step_fd(m, d, eps, centered, jacobians)?;
    for (target, source, rows) in [(out.A, &at, ndx), (out.B, &bt, nu), (out.C, &ct, ndx), (out.D, &dt, nu)] {
        if let Some(target) = target {
            transpose(target, source, rows);
        }
    }
    Ok(())
}

/// Inverse dynamics that is repeated with one input changed.
struct Inverse<'m> {
    m: &'m Model,
    /// Less the forces of actuators.
    actuation: bool,
    skip_sensor: bool,
    meter: Meter,
}

impl Inverse<'_> {
    /// The force, without the stages up to `stage`.
    fn force(&mut self, d: &mut Data, stage: Stage, force_out: &mut [f64]) -> Result<(), StepError> {
        inverse_skip(self.m, d, stage, self.skip_sensor)?;
        self.meter.count(self.m, d, self.skip_sensor)?;
        force_out.copy_from_slice(&d.qfrc_inverse);
        if self.actuation {
            fwd_actuation(self.m, d);
            for (f, a) in force_out.iter_mut().zip(&d.qfrc_actuator) {
                *f -= a;
            }
        }
        Ok(())
    }
}

/// Jacobians of (force, sensors) = inverse(state, acceleration), by forward differences.
pub fn inverse_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
    mut out: InverseJacobians,
) -> Result<(), StepError> {
    if m.opt.integrator == Integrator::Rk4 as i32 {
        return Err(StepError::DifferencesRk4);
    }
    if m.opt.noslip_iterations != 0 {
        return Err(StepError::DifferencesNoslip);
    }
    let (nv, ns) = (m.nv, m.nsensordata);
    let skip_sensor = out.DsDq.is_none() && out.DsDv.is_none() && out.DsDa.is_none();
    let (mut force, mut nudged) = (vec![0.0; nv], vec![0.0; nv]);
    let qpos = d.qpos.clone();
    let mut inverse = Inverse { m, actuation, skip_sensor, meter: Meter::new(m, d) };
    inverse.force(d, Stage::None, &mut force)?;
    let sensors = d.sensordata.clone();
    let mass = d.qM.clone();
    if out.DfDa.is_some() || out.DsDa.is_some() {
        for i in 0..nv {
            let old = d.qacc[i];
            d.qacc[i] += eps;
            inverse.force(d, Stage::Vel, &mut nudged)?;
            d.qacc[i] = old;
            write(row(&mut out.DfDa, i, nv), &force, &nudged, eps);
            write(row(&mut out.DsDa, i, ns), &sensors, &d.sensordata, eps);
        }
    }
    if out.DfDv.is_some() || out.DsDv.is_some() {
        for i in 0..nv {
            let old = d.qvel[i];
            d.qvel[i] += eps;
            inverse.force(d, Stage::Pos, &mut nudged)?;
            d.qvel[i] = old;
            write(row(&mut out.DfDv, i, nv), &force, &nudged, eps);
            write(row(&mut out.DsDv, i, ns), &sensors, &d.sensordata, eps);
        }
    }
    if out.DfDq.is_some() || out.DsDq.is_some() || out.DmDq.is_some() {
        let mut direction = vec![0.0; nv];
        for i in 0..nv {
            direction.fill(0.0);
            direction[i] = 1.0;
            integrate_pos(m, &mut d.qpos, &direction, eps);
            inverse.force(d, Stage::None, &mut nudged)?;
            d.qpos.copy_from_slice(&qpos);
            write(row(&mut out.DfDq, i, nv), &force, &nudged, eps);
            write(row(&mut out.DsDq, i, ns), &sensors, &d.sensordata, eps);
            write(row(&mut out.DmDq, i, m.nM), &mass, &d.qM, eps);
        }
    }
    Ok(())
}

fn write(out: Option<&mut [f64]>, a: &[f64], b: &[f64], h: f64) {
    if let Some(out) = out {
        difference(out, a, b, h);
    }
}

/// `qDeriv` by forward differences of the passive forces.
pub fn passive_vel_fd(m: &Model, d: &mut Data, eps: f64) -> Result<(), StepError> {
    let base = d.qfrc_passive.clone();
    let mut column = vec![0.0; m.nv];
    let mut meter = Meter::new(m, d);
    for i in 0..m.nv {
        let old = d.qvel[i];
        d.qvel[i] = old + eps;
        fwd_velocity(m, d)?;
        meter.count(m, d, true)?;
        d.qvel[i] = old;
        difference(&mut column, &base, &d.qfrc_passive, eps);
        store_column(m, d, i, &column);
    }
    fwd_velocity(m, d)
}

/// `qDeriv` by central differences of all smooth forces: actuator + passive − bias.
pub fn smooth_vel_fd(m: &Model, d: &mut Data, eps: f64) -> Result<(), StepError> {
    let (mut plus, mut minus, mut column) = (vec![0.0; m.nv], vec![0.0; m.nv], vec![0.0; m.nv]);
    let mut meter = Meter::new(m, d);
    for i in 0..m.nv {
        let old = d.qvel[i];
        for (x, out) in [(old + eps, &mut plus), (old - eps, &mut minus)] {
            d.qvel[i] = x;
            fwd_velocity(m, d)?;
            meter.count(m, d, true)?;
            fwd_actuation(m, d);
            for (k, f) in out.iter_mut().enumerate() {
                *f = d.qfrc_actuator[k] + d.qfrc_passive[k] - d.qfrc_bias[k];
            }
        }
        d.qvel[i] = old;
        difference(&mut column, &minus, &plus, 2.0 * eps);
        store_column(m, d, i, &column);
    }
    fwd_velocity(m, d)?;
    fwd_actuation(m, d);
    Ok(())
}

fn store_column(m: &Model, d: &mut Data, column: usize, values: &[f64]) {
    for (r, &x) in values.iter().enumerate() {
        let adr = m.D_rowadr[r] as usize;
        let cols = &m.D_colind[adr..adr + m.D_rownnz[r] as usize];
        if let Ok(k) = cols.binary_search(&(column as i32)) {
            d.qDeriv[adr + k] = x;
        }
    }
}
