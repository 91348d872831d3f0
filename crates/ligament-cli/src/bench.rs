//! `ligament bench`

mod lean;
mod reference;
mod text;

use crate::args::{BenchArgs, Source};
use crate::info::model_name;
use crate::{Usage, keyframe};
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
use std::time::Instant;

/// Timers in the order of a step, with their depth.
const STAGES: &[(Timer, usize)] = &[
    (Timer::Step, 0),
    (Timer::Forward, 1),
    (Timer::Position, 2),
    (Timer::PosKinematics, 3),
    (Timer::PosInertia, 3),
    (Timer::PosCollision, 3),
    (Timer::ColBroad, 4),
    (Timer::ColNarrow, 4),
    (Timer::PosMake, 3),
    (Timer::PosProject, 3),
    (Timer::Velocity, 2),
    (Timer::Actuation, 2),
    (Timer::Constraint, 2),
    (Timer::Advance, 1),
];

/// What one round of one engine took.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Round {
    seconds: f64,
    /// Seconds by timer; empty for a round without a clock.
    stages: BTreeMap<String, f64>,
}

/// All rounds of one engine.
#[derive(Debug, Default, Serialize)]
pub struct Measurement {
    /// Of the best round.
    steps_per_second: f64,
    median_steps_per_second: f64,
    /// Microseconds per step by stage, each the best of its rounds.
    stages: BTreeMap<String, f64>,
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
        let result = bench_model(args, path, source)?;
        if !args.json {
            anstream::print!("{result}");
        }
        results.push(result);
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&results)?);
    }
    Ok(ExitCode::SUCCESS)
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
    let ligament = Measurement::of(&own, args.steps, None);
    let mujoco = reference.map(|r| Measurement::of(&theirs, args.steps, Some(r.version.clone())));
    Ok(Comparison {
        model: model_name(&model),
        file: path.to_string_lossy().into_owned(),
        nv: model.nv,
        steps: args.steps,
        rounds: args.rounds,
        ratio: mujoco.as_ref().map(|m| ligament.steps_per_second / m.steps_per_second),
        ligament,
        lanes: lean.as_ref().and_then(|lean| lean.lanes(args.steps)),
        lean: lean.map(|lean| Measurement::of(&lean.single, args.steps, None)),
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
    data.callbacks.time = clock.then(ligament::processor_clock);
    let start = Instant::now();
    for _ in 0..steps {
        data.step(model).context("the simulation failed")?;
    }
    let seconds = start.elapsed().as_secs_f64();
    data.callbacks.time = None;
    let mut stages = BTreeMap::new();
    if clock {
        for (timer, _) in STAGES {
            stages.insert(stage_name(*timer), data.timer[*timer as usize].duration);
        }
    }
    Ok(Round { seconds, stages })
}

/// Name of a timer as both engines report it: `mjTIMER_POS_MAKE` is `pos_make`.
fn stage_name(timer: Timer) -> String {
    let (name, _) = Timer::INFO.members[timer as usize];
    name.trim_start_matches("mjTIMER_").to_lowercase()
}

impl Measurement {
    fn of(rounds: &[Round], steps: u32, version: Option<String>) -> Self {
        let plain = rounds.iter().filter(|round| round.stages.is_empty());
        let mut rates: Vec<f64> = plain.map(|round| f64::from(steps) / round.seconds).collect();
        rates.sort_by(f64::total_cmp);
        let mut stages: BTreeMap<String, f64> = BTreeMap::new();
        for (name, seconds) in rounds.iter().flat_map(|round| &round.stages) {
            let micros = seconds * 1e6 / f64::from(steps);
            stages.entry(name.clone()).and_modify(|best| *best = best.min(micros)).or_insert(micros);
        }
        Self {
            steps_per_second: rates.last().copied().unwrap_or(0.0),
            median_steps_per_second: rates.get(rates.len() / 2).copied().unwrap_or(0.0),
            stages,
            version,
        }
    }
}
