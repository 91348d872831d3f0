//! The classical Runge-Kutta method of fourth order, with positions integrated on their manifold.

use super::{Rates, advance};
use crate::error::StepError;
use crate::forward::forward_skip_with;
use crate::part_set::{MujocoParts, PartSet};
use crate::support::integrate_pos;
use crate::workspace::{RungeKutta, Scratches as _};
use ligament_model::enums::Stage;
use ligament_model::{Data, Model};

/// Where the intermediate states lie, in time steps; each depends on the one before it only.
const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the four rates.
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// One step; `forward` was already called. Sensors and energy keep their values from the beginning of the step.
pub fn runge_kutta4(m: &Model, d: &mut Data) -> Result<(), StepError> {
    runge_kutta4_with(m, d, &MujocoParts)
}

pub(crate) fn runge_kutta4_with(m: &Model, d: &mut Data, set: &impl PartSet) -> Result<(), StepError> {
    let mut rk = std::mem::take(&mut d.workspace.scratch().rk);
    rk.begin(m, d);
    let mut result = Ok(());
    for k in INNER {
        rk.move_to(m, d, k);
        result = forward_skip_with(m, d, Stage::None, true, set);
        if result.is_err() {
            break;
        }
        rk.record(m, d, k);
    }
    result = rk.finish(m, d, result, set);
    d.workspace.scratch().rk = rk;
    result
}

/// Numbers of the states at which forward dynamics is computed once more.
pub(crate) const INNER: std::ops::Range<usize> = 1..4;

impl RungeKutta {
    /// Notes the first state and its rate.
    pub fn begin(&mut self, m: &Model, d: &Data) {
        self.time = d.time;
        self.step.resize(2 * m.nv + m.na, 0.0);
        for k in 0..4 {
            self.state[k].resize(m.nq + m.nv + m.na, 0.0);
            self.rate[k].resize(m.nv + m.na, 0.0);
        }
        save_state(m, d, &mut self.state[0]);
        save_rate(m, d, &mut self.rate[0]);
    }

    /// Goes to an intermediate state.
    pub fn move_to(&mut self, m: &Model, d: &mut Data, k: usize) {
        let (nq, nv, h, node) = (m.nq, m.nv, m.opt.timestep, NODES[k - 1]);
        let (before, after) = self.state.split_at_mut(k);
        let (first, last, state) = (&before[0], &before[k - 1], &mut after[0]);
        for (x, v) in self.step[..nv].iter_mut().zip(&last[nq..nq + nv]) {
            *x = v * node;
        }
        for (x, rate) in self.step[nv..].iter_mut().zip(&self.rate[k - 1]) {
            *x = rate * node;
        }
        state.copy_from_slice(first);
        integrate_pos(m, &mut state[..nq], &self.step[..nv], h);
        for (x, step) in state[nq..].iter_mut().zip(&self.step[nv..]) {
            *x += step * h;
        }
        load_state(m, d, state);
        d.time = self.time + node * h;
        d.spent.carry();
    }

    /// Notes the rate at an intermediate state.
    pub fn record(&mut self, m: &Model, d: &Data, k: usize) {
        save_rate(m, d, &mut self.rate[k]);
    }

    /// Back to the first state, and on from there if forward dynamics succeeded everywhere.
    pub fn finish(
        &mut self,
        m: &Model,
        d: &mut Data,
        result: Result<(), StepError>,
        set: &impl PartSet,
    ) -> Result<(), StepError> {
        d.spent.before = 0;
        d.time = self.time;
        load_state(m, d, &self.state[0]);
        result?;
        let nv = m.nv;
        self.step.fill(0.0);
        for k in 0..4 {
            for (x, v) in self.step[..nv].iter_mut().zip(&self.state[k][m.nq..m.nq + nv]) {
                *x += v * WEIGHTS[k];
            }
            for (x, rate) in self.step[nv..].iter_mut().zip(&self.rate[k]) {
                *x += rate * WEIGHTS[k];
            }
        }
        let (qvel, rest) = self.step.split_at(nv);
        let (qacc, act_dot) = rest.split_at(nv);
        advance(m, d, Rates { act_dot: Some(act_dot), qacc, qvel: Some(qvel) }, set)
    }
}

fn save_state(m: &Model, d: &Data, state: &mut [f64]) {
    state[..m.nq].copy_from_slice(&d.qpos);
    state[m.nq..m.nq + m.nv].copy_from_slice(&d.qvel);
    state[m.nq + m.nv..].copy_from_slice(&d.act);
}

fn load_state(m: &Model, d: &mut Data, state: &[f64]) {
    d.qpos.copy_from_slice(&state[..m.nq]);
    d.qvel.copy_from_slice(&state[m.nq..m.nq + m.nv]);
    d.act.copy_from_slice(&state[m.nq + m.nv..]);
}

fn save_rate(m: &Model, d: &Data, rate: &mut [f64]) {
    rate[..m.nv].copy_from_slice(&d.qacc);
    rate[m.nv..].copy_from_slice(&d.act_dot);
}
