//! `ligament bench`

mod lean;
mod reference;
mod text;

use crate::args::{BenchArgs, Source};
use crate::info::model_name;
use crate::{Usage, diagnostics, keyframe, output};
use anyhow::{Context, bail};
use lean::LeanBench;
use ligament::enums::Timer;
use ligament::is_compiled;
use ligament::prelude::*;
use ligament_lean::State;
use reference::Reference;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// A timer, and what reading the clock adds to it.
struct Stage {
    timer: Timer,
    depth: usize,
    /// Readings of the clock in a call, in Ligament and in MuJoCo 3.5.0: those at both ends count as one. Those of the
    /// forward dynamics are not counted with the step: Runge-Kutta has four of them.
    readings: [u64; 2],
}

const fn stage(timer: Timer, depth: usize, own: u64, theirs: u64) -> Stage {
    Stage { timer, depth, readings: [own, theirs] }
}

/// Timers in the order of a step.
const STAGES: &[Stage] = &[
    stage(Timer::Step, 0, 2, 3),
    stage(Timer::Forward, 1, 15, 27),
    stage(Timer::Position, 2, 7, 19),
    stage(Timer::PosKinematics, 3, 2, 2),
    stage(Timer::PosInertia, 3, 1, 2),
    stage(Timer::PosCollision, 3, 2, 5),
    stage(Timer::ColBroad, 4, 1, 1),
    stage(Timer::ColNarrow, 4, 1, 1),
    stage(Timer::PosMake, 3, 1, 1),
    stage(Timer::PosProject, 3, 1, 1),
    stage(Timer::Velocity, 2, 1, 1),
    stage(Timer::Actuation, 2, 1, 1),
    stage(Timer::Constraint, 2, 1, 1),
    stage(Timer::Advance, 1, 1, 1),
];

/// Whose readings of the clock are meant.
#[derive(Debug, Clone, Copy)]
enum Engine {
    Ligament,
    Mujoco,
}

/// What a timer has counted.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Counted {
    seconds: f64,
    calls: u64,
}

/// What one round of one engine took.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Round {
    seconds: f64,
    /// By timer; empty for a round without a clock.
    stages: BTreeMap<String, Counted>,
    /// Seconds that a timer shows between whose readings nothing happens.
    reading: f64,
}

/// All rounds of one engine.
#[derive(Debug, Default, Serialize)]
pub struct Measurement {
    /// Of the best round.
    steps_per_second: f64,
    median_steps_per_second: f64,
    /// Microseconds per step by stage, each the best of its rounds, without what reading the clock took.
    stages: BTreeMap<String, f64>,
    /// Nanoseconds that reading the clock takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Comparison {
    model: String,
    file: String,
    nv: usize,
    steps: u32,
    rounds: u32,
    ligament: Measurement,
    /// One world with the lean step; or why it refuses the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    lean: Option<Measurement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lean_refusal: Option<String>,
    /// As many worlds at once as a register holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<Lanes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mujoco: Option<Measurement>,
    /// Speed of Ligament by that of MuJoCo.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// Worlds in the lanes of a register; their steps are counted together.
#[derive(Debug, Serialize)]
pub struct Lanes {
    worlds: usize,
    #[serde(flatten)]
    measurement: Measurement,
}

pub fn bench(args: &BenchArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let mut results = Vec::new();
    for path in &args.models {
        match bench_model(args, path, source) {
            Ok(result) if args.json => results.push(result),
            Ok(result) => {
                output::print(&result)?;
                results.push(result);
            }
            // the others are measured all the same
            Err(error) if !error.is::<Usage>() && args.models.len() > 1 => {
                output::complain(diagnostics::render_failure(&error));
            }
            Err(error) => return Err(error),
        }
    }
    if args.json {
        output::line(format_args!("{}", serde_json::to_string_pretty(&results)?))?;
    }
    Ok(ExitCode::from(u8::from(results.len() < args.models.len())))
}

fn bench_model(args: &BenchArgs, path: &Path, source: &Source) -> anyhow::Result<Comparison> {
    let model = source.open(path)?;
    let key = args.keyframe.as_deref().map(|wanted| keyframe::find(&model, wanted)).transpose()?;
    let mut reference = match &args.python {
        Some(_) if is_compiled(path) => {
            bail!(Usage(format!("MuJoCo cannot read the compiled model '{}'", path.display())))
        }
        Some(python) => Some(Reference::start(python, path, key)?),
        None => None,
    };
    let mut data = model.make_data()?;
    reset(&model, &mut data, key)?;
    let (mut lean, lean_refusal) = match LeanBench::new(&model, State::of(&data)) {
        Ok(lean) => (Some(lean), None),
        Err(refusal) => (None, Some(refusal.to_string())),
    };
    let (mut own, mut theirs) = (Vec::new(), Vec::new());
    // the round before the first warms up caches and buffers
    for round in 0..=args.rounds {
        for clock in [false, true] {
            let mine = own_round(&model, &mut data, key, args.steps, clock)?;
            let other = reference.as_mut().map(|r| r.round(args.steps, clock)).transpose()?;
            if round > 0 {
                own.push(mine);
                theirs.extend(other);
            }
        }
        if let Some(lean) = &mut lean {
            lean.round(args.steps, round > 0);
        }
    }
    let ligament = Measurement::of(&own, args.steps, Engine::Ligament);
    let mujoco = reference.map(|r| Measurement {
        version: Some(r.version.clone()),
        ..Measurement::of(&theirs, args.steps, Engine::Mujoco)
    });
    Ok(Comparison {
        model: model_name(&model),
        file: path.to_string_lossy().into_owned(),
        nv: model.nv,
        steps: args.steps,
        rounds: args.rounds,
        ratio: mujoco.as_ref().map(|m| ligament.steps_per_second / m.steps_per_second),
        ligament,
        lanes: lean.as_ref().and_then(|lean| lean.lanes(args.steps)),
        lean: lean.map(|lean| Measurement::of(&lean.single, args.steps, Engine::Ligament)),
        lean_refusal,
        mujoco,
    })
}

fn reset(model: &Model, data: &mut Data, key: Option<usize>) -> anyhow::Result<()> {
    match key {
        Some(key) => data.reset_to_keyframe(model, key)?,
        None => data.reset(model)?,
    }
    Ok(())
}

fn own_round(
    model: &Model,
    data: &mut Data,
    key: Option<usize>,
    steps: u32,
    clock: bool,
) -> anyhow::Result<Round> {
    reset(model, data, key)?;
    data.callbacks.time = clock.then(system_clock);
    let start = Instant::now();
    for _ in 0..steps {
        data.step(model).context("the simulation failed")?;
    }
    let seconds = start.elapsed().as_secs_f64();
    data.callbacks.time = None;
    let mut round = Round { seconds, ..Round::default() };
    if clock {
        round.reading = reading_time(steps)?;
        for &Stage { timer, .. } in STAGES {
            let stat = data.timer[timer as usize];
            let counted = Counted { seconds: stat.duration, calls: stat.number.max(0) as u64 };
            round.stages.insert(stage_name(timer), counted);
        }
    }
    Ok(round)
}

/// Seconds by the clock that MuJoCo's timers are given as well.
fn system_clock() -> Arc<dyn Fn() -> f64 + Send + Sync> {
    let start = Instant::now();
    Arc::new(move || start.elapsed().as_secs_f64())
}

/// What a timer shows that times nothing: that of the projection where there are no constraints.
fn reading_time(steps: u32) -> anyhow::Result<f64> {
    let model = ligament::load_model("<mujoco/>")?;
    let mut data = model.make_data()?;
    data.callbacks.time = Some(system_clock());
    for _ in 0..steps {
        data.step(&model)?;
    }
    Ok(data.timer[Timer::PosProject as usize].duration / f64::from(steps))
}

/// Name of a timer as both engines report it: `mjTIMER_POS_MAKE` is `pos_make`.
fn stage_name(timer: Timer) -> String {
    let (name, _) = Timer::INFO.members[timer as usize];
    name.trim_start_matches("mjTIMER_").to_lowercase()
}

impl Measurement {
    fn of(rounds: &[Round], steps: u32, engine: Engine) -> Self {
        let plain = rounds.iter().filter(|round| round.stages.is_empty());
        let mut rates: Vec<f64> = plain.map(|round| f64::from(steps) / round.seconds).collect();
        rates.sort_by(f64::total_cmp);
        let timed = || rounds.iter().filter(|round| !round.stages.is_empty());
        let reading = timed().map(|round| round.reading).min_by(f64::total_cmp);
        let micros = |name: &str, round: &Round| {
            let counted = round.stages.get(name).copied().unwrap_or_default();
            let pause = round.readings(name, engine) as f64 * reading.unwrap_or_default();
            (counted.seconds - pause).max(0.0) * 1e6 / f64::from(steps)
        };
        let best = |name: &str| timed().map(|round| micros(name, round)).min_by(f64::total_cmp);
        let names = STAGES.iter().map(|stage| stage_name(stage.timer));
        Self {
            steps_per_second: rates.last().copied().unwrap_or(0.0),
            median_steps_per_second: rates.get(rates.len() / 2).copied().unwrap_or(0.0),
            stages: names.filter_map(|name| best(&name).map(|micros| (name, micros))).collect(),
            clock_ns: reading.map(|seconds| seconds * 1e9),
            version: None,
        }
    }
}

impl Round {
    /// How often the clock was read within a stage.
    fn readings(&self, name: &str, engine: Engine) -> u64 {
        let within = |timer: Timer| {
            let stage = STAGES.iter().find(|stage| stage.timer == timer)?;
            let calls = self.stages.get(&stage_name(timer))?.calls;
            Some((calls, stage.readings[engine as usize]))
        };
        let count = |timer: Timer| within(timer).map_or(0, |(calls, readings)| calls * readings);
        let Some(stage) = STAGES.iter().find(|stage| stage_name(stage.timer) == name) else { return 0 };
        // both ends of the forward dynamics lie within the step
        let inner = within(Timer::Forward).map_or(0, |(calls, readings)| calls * (readings + 1));
        count(stage.timer) + if stage.timer == Timer::Step { inner } else { 0 }
    }
}
