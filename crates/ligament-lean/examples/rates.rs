//! Steps a second of the lean and the exact step on one core, in one process: `rates FILE [scale] [seconds]`.
//!
//! Worlds start at the first keyframe, get random controls (times `scale`) every ten steps and are put back every 500, as
//! in `scripts/bench-lean`, which runs MuJoCo beside it. Prints one line of JSON.

use ligament::prelude::*;
use ligament_lean::{Lean, State, Width};
use std::time::Instant;

const WORLDS: usize = 16;

struct Drive {
    ranges: Vec<[f64; 2]>,
    scale: f64,
    seed: u64,
}

impl Drive {
    fn fill(&mut self, ctrl: &mut [f64]) {
        for (x, [low, high]) in ctrl.iter_mut().zip(&self.ranges) {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let u = (self.seed >> 11) as f64 / (1u64 << 53) as f64;
            *x = self.scale * (low + (high - low) * u);
        }
    }
}

/// Runs until the time is over; calls `ten` (ten steps of all worlds, then the time they took).
fn rate(seconds: f64, count: usize, mut ten: impl FnMut(usize) -> f64) -> f64 {
    let (mut steps, mut spent) = (0, 0.0);
    while spent < seconds {
        spent += ten(steps);
        steps += 10;
    }
    (steps * count) as f64 / spent
}

fn lean_rate(model: &Model, width: Width, start: &State, drive: &mut Drive, seconds: f64) -> f64 {
    let mut lean = Lean::with_width(model, width).expect("accepted");
    let mut worlds = vec![start.clone(); WORLDS];
    rate(seconds, WORLDS, |steps| {
        if steps % 500 == 0 {
            worlds.fill(start.clone());
        }
        for world in &mut worlds {
            drive.fill(&mut world.ctrl);
        }
        let begin = Instant::now();
        lean.step(&mut worlds, 10);
        begin.elapsed().as_secs_f64()
    })
}

fn exact_rate(model: &Model, start: &State, drive: &mut Drive, seconds: f64) -> f64 {
    let mut d = model.make_data().expect("data");
    rate(seconds, 1, |steps| {
        if steps % 500 == 0 {
            start.write(&mut d);
        }
        drive.fill(&mut d.ctrl);
        let begin = Instant::now();
        for _ in 0..10 {
            d.step(model).expect("step");
        }
        begin.elapsed().as_secs_f64()
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = args.first().ok_or("rates FILE [scale] [seconds]")?;
    let number = |k: usize, default: f64| args.get(k).map_or(Ok(default), |x| x.parse::<f64>());
    let (scale, seconds) = (number(1, 1.0)?, number(2, 0.5)?);
    let model = ligament::load_model_from_file(path)?;
    let range = |i: usize| {
        if model.actuator_ctrllimited[i] != 0 { model.actuator_ctrlrange[i] } else { [-0.3, 0.3] }
    };
    let mut drive = Drive { ranges: (0..model.nu).map(range).collect(), scale, seed: 1 };
    if let Err(refusal) = Lean::new(&model) {
        println!("{{\"refused\": \"{}\"}}", refusal.feature.replace('"', "'"));
        return Ok(());
    }
    let mut d = model.make_data()?;
    if model.nkey > 0 {
        d.reset_to_keyframe(&model, 0)?;
    }
    let start = State::of(&d);
    let exact = exact_rate(&model, &start, &mut drive, seconds);
    let mut line = format!("{{\"exact\": {exact}");
    for (name, width) in
        [("one", Width::One), ("two", Width::Two), ("four", Width::Four), ("eight", Width::Eight)]
    {
        if width.is_available() {
            line += &format!(", \"{name}\": {}", lean_rate(&model, width, &start, &mut drive, seconds));
        }
    }
    println!("{line}}}");
    Ok(())
}
