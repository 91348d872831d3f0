//! Simulates a model for some steps and prints a digest of the state and the time of a step: `steps MODEL [STEPS [THREADS [stages]]]`,
//! for counting instructions (`valgrind --tool=callgrind --toggle-collect=steps::simulate`), comparing bits and timing. With
//! `stages` also the microseconds of the stages of a step. What one thread does alone where there are several is counted with
//! `--toggle-collect='*Lease::run'` as well, which leaves out what is divided.

use ligament::enums::Timer;
use ligament::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Stages that are timed, none of them twice.
const STAGES: [(&str, Timer); 9] = [
    ("kinematics", Timer::PosKinematics),
    ("inertia", Timer::PosInertia),
    ("broad", Timer::ColBroad),
    ("narrow", Timer::ColNarrow),
    ("rows", Timer::PosMake),
    ("velocity", Timer::Velocity),
    ("actuation", Timer::Actuation),
    ("solver", Timer::Constraint),
    ("advance", Timer::Advance),
];

#[inline(never)]
fn simulate(model: &Model, data: &mut Data, steps: usize) -> (u64, Duration) {
    let (mut digest, mut spent) = (0u64, Duration::ZERO);
    for _ in 0..steps {
        let start = Instant::now();
        data.step(model).expect("the step");
        spent += start.elapsed(); // without the digest, which one thread makes
        for x in data.qpos.iter().chain(data.qvel.iter()) {
            digest = (digest ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    (digest, spent)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("which model?")?;
    let steps = args.next().map_or(Ok(100), |n| n.parse())?;
    let threads = args.next().map_or(Ok(1), |n| n.parse())?;
    let model = ligament::load_model_from_file(&path)?;
    let mut data = model.make_data()?;
    data.threads = threads;
    for (i, control) in data.ctrl.iter_mut().enumerate() {
        *control = 0.1 * (i as f64).sin();
    }
    data.step(&model)?;
    let start = Instant::now();
    let stages = args.next().is_some();
    if stages {
        data.callbacks.time = Some(Arc::new(move || start.elapsed().as_secs_f64() * 1e6));
    }
    let (digest, spent) = simulate(&model, &mut data, steps);
    let each = spent.as_secs_f64() * 1e6 / steps as f64;
    println!("{digest:016x} {each:.3} us {path}");
    for (name, timer) in STAGES.iter().filter(|_| stages) {
        print!("{name} {:.3}  ", data.timer[*timer as usize].duration / steps as f64);
    }
    if stages {
        println!();
    }
    Ok(())
}
