//! Steps a second of batches over threads: `scaling MODEL... [--threads 1,2,4] [--worlds N] [--seconds S]`.
//!
//! A model is a compiled file (`ligament convert MODEL.xml MODEL.lig`). Exact steps, lean ones, and lean ones of worlds with
//! masses and frictions of their own take turns; the best round counts. A call is five steps, as in learning. Every round, of any
//! number of threads, starts from the same states, in the midst of motion, and takes as many steps: only then can rates be
//! compared. A first line says what the machine allows: plain arithmetic that needs no memory, on as many threads.

use ligament_batch::{Batch, Config, Distribution, Effect, Randomize, Select};
use ligament_model::Model;
use ligament_model::enums::Stage;
use std::sync::Arc;
use std::time::Instant;

const STEPS: usize = 5;
const ROUNDS: usize = 3;
/// Calls before the states that rounds start from.
const WARM_UP: usize = 40;
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

fn draw(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Some calls with random controls; gives the seconds that the steps took.
fn calls(batch: &mut Batch, count: usize, seed: u64) -> Result<f64, Box<dyn std::error::Error>> {
    let (mut spent, mut seed) = (0.0, seed);
    for _ in 0..count {
        for world in 0..batch.nsim() {
            batch.ctrl_mut(world).iter_mut().for_each(|x| *x = draw(&mut seed));
        }
        let start = Instant::now();
        batch.step(Select::All, STEPS, Stage::None)?;
        spent += start.elapsed().as_secs_f64();
    }
    Ok(spent)
}

/// States in the midst of motion.
fn states(model: &Arc<Model>, worlds: usize) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let mut batch = Batch::new(model.clone(), worlds, &Config { lean: true, ..Config::default() })?;
    calls(&mut batch, WARM_UP, 7)?;
    Ok(batch.state().to_vec())
}

/// Seconds that each of several threads needs for the same chain of products and sums, at once.
fn arithmetic(threads: usize) -> f64 {
    let chain = || {
        let mut x = [0.1f64, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
        for _ in 0..10_000_000 {
            for y in &mut x {
                *y = *y * 0.999 + 0.001;
            }
        }
        std::hint::black_box(x)
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(chain);
        }
    });
    start.elapsed().as_secs_f64()
}

fn best(rounds: usize, mut round: impl FnMut() -> f64) -> f64 {
    (0..rounds).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// What the machine allows: how much more arithmetic all threads do than one.
fn print_machine(threads: &[usize]) {
    let alone = best(ROUNDS, || arithmetic(1));
    print!("arithmetic without memory:");
    for &threads in threads {
        print!("  {threads} threads x{:.2}", threads as f64 * alone / best(ROUNDS, || arithmetic(threads)));
    }
    println!();
}

fn measure(path: &str, settings: &Settings) -> Result<(), Box<dyn std::error::Error>> {
    let model = Arc::new(Model::from_bytes(&std::fs::read(path)?)?);
    let &Settings { worlds, seconds, .. } = settings;
    let states = states(&model, worlds)?;
    let mut single = [0.0; KINDS.len()];
    let mut counts = [0; KINDS.len()];
    for &threads in &settings.threads {
        let mut rates = [0.0f64; KINDS.len()];
        for kind in 0..KINDS.len() {
            let mut batch = make(&model, kind, worlds, threads)?;
            let mut round = |count: usize| -> Result<f64, Box<dyn std::error::Error>> {
                batch.state_mut().copy_from_slice(&states);
                calls(&mut batch, count, 1)
            };
            let one_call = round(1)?;
            if counts[kind] == 0 {
                counts[kind] = ((seconds / one_call) as usize).clamp(2, 1000);
            }
            for _ in 0..ROUNDS.max(threads) {
                let rate = (counts[kind] * STEPS * worlds) as f64 / round(counts[kind])?;
                rates[kind] = rates[kind].max(rate);
            }
        }
        print!("{path} {threads:3} threads");
        for ((kind, rate), single) in KINDS.iter().zip(rates).zip(&mut single) {
            if *single == 0.0 {
                *single = rate / threads as f64;
            }
            print!("  {kind} {rate:.0} (x{:.2})", rate / *single);
        }
        println!();
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = settings()?;
    print_machine(&settings.threads);
    settings.models.iter().try_for_each(|path| measure(path, &settings))
}
