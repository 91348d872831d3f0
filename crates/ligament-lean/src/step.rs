//! The order of the phases. Read this file to learn what a step does.

use crate::actuation::actuation;
use crate::by_lane::{LaneData, advance_activations};
use crate::collision::{collision, leave_crowded};
use crate::constraint::constraint;
use crate::inertia::inertia;
use crate::integrate::{advance_positions, implicit_acceleration, integrate};
use crate::kinematics::kinematics;
use crate::lane::{Lane, Mask};
use crate::passive::passive;
use crate::solver::newton;
use crate::state::State;
use crate::tables::{Advance, Tables};
use crate::tendon::{armature_bias, tendon_velocities, tendons};
use crate::velocity::velocity;
use crate::world::World;
use ligament_model::Model;
use ligament_model::constants::MAXVAL;

/// W worlds and what is computed with them. Models are those of the lanes, or one for all.
pub(crate) struct Group<L: Lane> {
    pub world: World<L>,
    pub lane_data: LaneData,
    stages: Stages<L>,
}

/// Where the stages of Runge-Kutta after the first are, and what each counts.
const NODES: [f64; 3] = [0.5, 0.5, 1.0];
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Where Runge-Kutta keeps its intermediate states and rates.
struct Stages<L> {
    start: [Vec<L>; 3],
    sum: [Vec<L>; 3],
    /// Where the last stage is evaluated.
    last: [Vec<L>; 3],
}

impl<L: Lane> Group<L> {
    pub fn new(m: &[&Model], t: &Tables<L>) -> Self {
        let empty = || [Vec::new(), Vec::new(), Vec::new()];
        Self {
            world: World::new(t),
            lane_data: LaneData::new(m, t),
            stages: Stages { start: empty(), sum: empty(), last: empty() },
        }
    }

    /// Accelerations of the state: everything up to the solver. Returns the lanes of worlds that are left to others.
    #[inline(always)]
    fn forward(&mut self, m: &[&Model], t: &Tables<L>) -> u32 {
        let (w, by_lane) = (&mut self.world, &mut self.lane_data);
        kinematics(t, w);
        tendons(t, w);
        inertia(t, w);
        velocity(t, w);
        tendon_velocities(t, w);
        armature_bias(t, w);
        passive(t, w);
        if !t.actuation.off && !t.by_lane.actuation {
            actuation(t, w);
        }
        collision(t, w, |w, pair, lanes, group| by_lane.collide(m, t, w, pair, lanes, group));
        let crowded = leave_crowded(w);
        by_lane.forces(m, t, w);
        constraint(t, w);
        newton(t, w);
        crowded
    }

    /// One step, or with `advance` unset only its accelerations; returns the lanes where these are no sound numbers.
    ///
    /// The phases up to the solver stand here once: everything is inlined, and compiled again for each width.
    #[inline(always)]
    pub fn step(&mut self, m: &[&Model], t: &Tables<L>, advance: bool) -> u32 {
        let stages = if advance && t.advance == Advance::RungeKutta { NODES.len() + 1 } else { 1 };
        let mut bad = 0;
        for stage in 0..stages {
            bad |= self.forward(m, t);
            if stage == 0 {
                bad |= bad_lanes(&self.world.qacc);
            }
            if stages > 1 {
                self.next_stage(t, stage);
            }
        }
        if !advance {
            return bad;
        }
        if t.advance == Advance::Implicit {
            return bad | self.lane_data.implicit(m, t, &mut self.world);
        }
        let w = &mut self.world;
        if stages == 1 {
            implicit_acceleration(t, w);
        }
        if t.by_lane.delays {
            self.lane_data.remember_controls(m, w);
        }
        if t.by_lane.actuation {
            advance_activations(m, w);
        }
        integrate(t, w);
        if stages > 1 {
            // positions move by the mean velocity
            w.qpos.copy_from_slice(&self.stages.start[0]);
            advance_positions(t, &mut w.qpos, &self.stages.sum[0], t.timestep);
        }
        bad
    }

    /// The classical method of fourth order: adds the rates of a stage, and moves to where the next one is evaluated, or
    /// after the last one back to the start, with the mean rates.
    #[inline(always)]
    fn next_stage(&mut self, t: &Tables<L>, stage: usize) {
        let (w, s) = (&mut self.world, &mut self.stages);
        if stage == 0 {
            for (kept, x) in s.start.iter_mut().zip([&w.qpos, &w.qvel, &w.act]) {
                kept.clone_from(x);
            }
            for (sum, n) in s.sum.iter_mut().zip([t.nv, t.nv, t.na]) {
                sum.clear();
                sum.resize(n, L::zero());
            }
        }
        for (sum, x) in s.sum.iter_mut().zip([&w.qvel, &w.qacc, &w.act_dot]) {
            for (y, x) in sum.iter_mut().zip(x) {
                *y += *x * WEIGHTS[stage];
            }
        }
        let Some(node) = NODES.get(stage) else {
            w.qvel.copy_from_slice(&s.start[1]);
            w.act.copy_from_slice(&s.start[2]);
            w.act_dot.copy_from_slice(&s.sum[2]);
            w.search.copy_from_slice(&s.sum[1]);
            return;
        };
        let step = t.timestep * *node;
        w.qpos.copy_from_slice(&s.start[0]);
        advance_positions(t, &mut w.qpos, &w.qvel, step);
        for i in 0..t.nv {
            w.qvel[i] = s.start[1][i] + w.qacc[i] * step;
        }
        for i in 0..t.na {
            w.act[i] = s.start[2][i] + w.act_dot[i] * step;
        }
        if stage + 1 == NODES.len() {
            for (kept, x) in s.last.iter_mut().zip([&w.qpos, &w.qvel, &w.act]) {
                kept.clone_from(x);
            }
        }
    }

    /// Notes whether any of the worlds that will be loaded has forces applied.
    pub fn expect(&mut self, worlds: &[State]) {
        self.world.has_applied = worlds.iter().any(|s| s.qfrc_applied.iter().any(|&f| f != 0.0));
        self.world.has_xfrc = worlds.iter().any(|s| s.xfrc_applied.iter().any(|f| *f != [0.0; 6]));
    }

    /// Loads one world into a lane.
    pub fn load(&mut self, lane: usize, state: &State) {
        let w = &mut self.world;
        let put = |out: &mut [L], x: &[f64]| {
            for (y, x) in out.iter_mut().zip(x) {
                y.lanes_mut()[lane] = *x;
            }
        };
        put(&mut w.qpos, &state.qpos);
        put(&mut w.qvel, &state.qvel);
        put(&mut w.act, &state.act);
        put(&mut w.qacc, &state.qacc_warmstart);
        put(&mut w.ctrl, &state.ctrl);
        if w.has_applied {
            put(&mut w.qfrc_applied, &state.qfrc_applied);
        }
        if w.has_xfrc {
            put(w.xfrc_applied.as_flattened_mut(), state.xfrc_applied.as_flattened());
        }
        put(w.mocap_pos.as_flattened_mut(), state.mocap_pos.as_flattened());
        put(w.mocap_quat.as_flattened_mut(), state.mocap_quat.as_flattened());
        for (mask, &active) in w.eq_active.iter_mut().zip(&state.eq_active) {
            let bit = L::mask(1 << lane);
            *mask = if active != 0 { *mask | bit } else { *mask & !bit };
        }
        if let Some(d) = self.lane_data.data.get_mut(lane).filter(|d| d.history.len() == state.history.len())
        {
            d.history.copy_from_slice(&state.history);
            d.time = state.time;
        }
    }

    /// Reads one world back.
    pub fn store(&self, lane: usize, state: &mut State) {
        let w = &self.world;
        let get = |out: &mut [f64], x: &[L]| {
            for (y, x) in out.iter_mut().zip(x) {
                *y = x.lanes()[lane];
            }
        };
        get(&mut state.qpos, &w.qpos);
        get(&mut state.qvel, &w.qvel);
        get(&mut state.act, &w.act);
        get(&mut state.qacc_warmstart, &w.qacc);
        let evaluated = self.stages.last.iter().flatten();
        for (y, x) in state.evaluated.iter_mut().zip(evaluated) {
            *y = x.lanes()[lane];
        }
        if let Some(d) = self.lane_data.data.get(lane).filter(|d| d.history.len() == state.history.len()) {
            state.history.copy_from_slice(&d.history);
        }
    }
}

/// Lanes with a number that is none, or too large to go on with.
#[inline(always)]
pub(crate) fn bad_lanes<L: Lane>(x: &[L]) -> u32 {
    let mut good = !L::none();
    for x in x {
        good = good & x.abs().le(L::splat(MAXVAL));
    }
    !good.bits() & L::all_bits()
}
