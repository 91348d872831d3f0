//! Steps a second of batches over threads: `scaling MODEL... [--threads 1,2,4] [--worlds N] [--seconds S]`.
//!
//! A model is a compiled file (`ligament convert MODEL.xml MODEL.lig`). Exact steps, lean ones, and lean ones of worlds with
//! masses and frictions of their own take turns; the best of three rounds counts. A call is five steps, as in learning.

use ligament_batch::{Batch, Config, Distribution, Effect, Randomize, Select};
use ligament_model::Model;
use ligament_model::enums::Stage;
use std::sync::Arc;
use std::time::Instant;

const STEPS: usize = 5;
const ROUNDS: usize = 3;
const KINDS: [&str; 3] = ["exact", "lean", "lean, own parameters"];

struct Settings {
    models: Vec<String>,
    threads: Vec<usize>,
    worlds: usize,
    seconds: f64,
}

fn settings() -> Result<Settings, Box<dyn std::error::Error>> {
    let mut found = Settings { models: Vec::new(), threads: vec![1, 2], worlds: 512, seconds: 0.3 };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--threads" => found.threads = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--worlds" => found.worlds = value()?.parse()?,
            "--seconds" => found.seconds = value()?.parse()?,
            _ => found.models.push(arg),
        }
    }
    Ok(found)
}

fn make(
    model: &Arc<Model>,
    kind: usize,
    worlds: usize,
    threads: usize,
) -> Result<Batch, Box<dyn std::error::Error>> {
    let config = Config { threads, lean: kind > 0, ..Config::default() };
    let mut batch = Batch::new(model.clone(), worlds, &config)?;
    if kind == 2 {
        for field in ["body_mass", "geom_friction"] {
            let distribution = Distribution::Uniform { low: 0.9, high: 1.1 };
            let what = Randomize {
                field,
                elements: None,
                distribution,
                effect: Effect::Scale,
                together: false,
                seed: 1,
            };
            batch.randomize(Select::All, &what)?;
        }
        batch.set_const(Select::All)?;
    }
    Ok(batch)
}

/// Steps a second.
fn rate(batch: &mut Batch, seed: &mut u64, seconds: f64) -> Result<f64, Box<dyn std::error::Error>> {
    let (mut calls, mut spent) = (0, 0.0);
    while spent < seconds {
        for world in 0..batch.nsim() {
            for x in batch.ctrl_mut(world) {
                *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                *x = (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
            }
        }
        if calls % 100 == 0 {
            batch.reset(Select::All, &[], Stage::None)?;
        }
        let start = Instant::now();
        batch.step(Select::All, STEPS, Stage::None)?;
        spent += start.elapsed().as_secs_f64();
        calls += 1;
    }
    Ok((calls * STEPS * batch.nsim()) as f64 / spent)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Settings { models, threads, worlds, seconds } = settings()?;
    for path in &models {
        let model = Arc::new(Model::from_bytes(&std::fs::read(path)?)?);
        let mut single = [0.0; KINDS.len()];
        for &threads in &threads {
            let mut best = [0.0f64; KINDS.len()];
            let mut batches = (0..KINDS.len())
                .map(|kind| make(&model, kind, worlds, threads))
                .collect::<Result<Vec<_>, _>>()?;
            let mut seed = 1;
            for _ in 0..ROUNDS {
                for (batch, best) in batches.iter_mut().zip(&mut best) {
                    *best = best.max(rate(batch, &mut seed, seconds)?);
                }
            }
            print!("{path} {threads:3} threads");
            for ((kind, best), single) in KINDS.iter().zip(best).zip(&mut single) {
                if *single == 0.0 {
                    *single = best / threads as f64;
                }
                print!("  {kind} {best:.0} (x{:.2})", best / *single);
            }
            println!();
        }
    }
    Ok(())
}
