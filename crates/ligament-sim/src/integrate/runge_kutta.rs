//! The classical Runge-Kutta method of fourth order, with positions integrated on their manifold.

use super::{Rates, advance};
use crate::error::StepError;
use crate::forward::forward_skip_with;
use crate::part_set::{MujocoParts, PartSet};
use crate::support::integrate_pos;
use crate::workspace::Scratches as _;
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
    let (nq, nv, na) = (m.nq, m.nv, m.na);
    let (h, time) = (m.opt.timestep, d.time);
    rk.step.resize(2 * nv + na, 0.0);
    for k in 0..4 {
        rk.state[k].resize(nq + nv + na, 0.0);
        rk.rate[k].resize(nv + na, 0.0);
    }
    save_state(m, d, &mut rk.state[0]);
    save_rate(m, d, &mut rk.rate[0]);
    let mut result = Ok(());
    for k in 1..4 {
        let node = NODES[k - 1];
        let (before, after) = rk.state.split_at_mut(k);
        let (first, last, state) = (&before[0], &before[k - 1], &mut after[0]);
        for (x, v) in rk.step[..nv].iter_mut().zip(&last[nq..nq + nv]) {
            *x = v * node;
        }
        for (x, rate) in rk.step[nv..].iter_mut().zip(&rk.rate[k - 1]) {
            *x = rate * node;
        }
        state.copy_from_slice(first);
        integrate_pos(m, &mut state[..nq], &rk.step[..nv], h);
        for (x, step) in state[nq..].iter_mut().zip(&rk.step[nv..]) {
            *x += step * h;
        }
        load_state(m, d, state);
        d.time = time + node * h;
        d.spent.carry();
        result = forward_skip_with(m, d, Stage::None, true, set);
        if result.is_err() {
            break;
        }
        save_rate(m, d, &mut rk.rate[k]);
    }
    rk.step.fill(0.0);
    for k in 0..4 {
        for (x, v) in rk.step[..nv].iter_mut().zip(&rk.state[k][nq..nq + nv]) {
            *x += v * WEIGHTS[k];
        }
        for (x, rate) in rk.step[nv..].iter_mut().zip(&rk.rate[k]) {
            *x += rate * WEIGHTS[k];
        }
    }
    d.spent.before = 0;
    d.time = time;
    load_state(m, d, &rk.state[0]);
    if result.is_ok() {
        let (qvel, rest) = rk.step.split_at(nv);
        let (qacc, act_dot) = rest.split_at(nv);
        result = advance(m, d, Rates { act_dot: Some(act_dot), qacc, qvel: Some(qvel) }, set);
    }
    d.workspace.scratch().rk = rk;
    result
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
