//! Steps a second of the lean and the exact step on one core, in one process: `rates FILE [scale] [seconds]`.
//!
//! Worlds start at the first keyframe and get random controls (times `scale`) every ten steps, for 500 steps, as in
//! `scripts/bench-lean`, which runs MuJoCo beside it. The same steps are taken again and again: of every ten the shortest time
//! counts, so that what else the machine does is left out. Prints one line of JSON.

use ligament::prelude::*;
use ligament_lean::{Lean, State, Width};
use std::collections::HashMap;
use std::time::Instant;

const WORLDS: usize = 16;
const TENS: usize = 50;

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

/// The sum of the shortest times of each ten steps; runs until the time is over, and at least three times.
fn shortest(seconds: f64, mut all_tens: impl FnMut(&mut dyn FnMut(usize, f64))) -> f64 {
    let mut best = HashMap::new();
    let (begin, mut runs) = (Instant::now(), 0);
    while runs < 3 || begin.elapsed().as_secs_f64() < seconds {
        all_tens(&mut |k, time| {
            let least = best.entry(k).or_insert(time);
            *least = time.min(*least);
        });
        runs += 1;
    }
    best.values().sum()
}

fn lean_rate(model: &Model, width: Width, start: &State, drive: &Drive, seconds: f64) -> f64 {
    let mut lean = Lean::with_width(model, width).expect("accepted");
    let spent = shortest(seconds, |note| {
        let mut drive = Drive { ranges: drive.ranges.clone(), ..*drive };
        let mut worlds = vec![start.clone(); WORLDS];
        for k in 0..TENS {
            for world in &mut worlds {
                drive.fill(&mut world.ctrl);
            }
            for (group, worlds) in worlds.chunks_mut(width.worlds()).enumerate() {
                let begin = Instant::now();
                lean.step(worlds, 10);
                note(k * WORLDS + group, begin.elapsed().as_secs_f64());
            }
        }
    });
    (WORLDS * TENS * 10) as f64 / spent
}

fn exact_rate(model: &Model, start: &State, drive: &Drive, seconds: f64) -> f64 {
    let mut d = model.make_data().expect("data");
    let spent = shortest(seconds, |note| {
        let mut drive = Drive { ranges: drive.ranges.clone(), ..*drive };
        for world in 0..WORLDS {
            start.write(&mut d);
            for k in 0..TENS {
                drive.fill(&mut d.ctrl);
                let begin = Instant::now();
                for _ in 0..10 {
                    d.step(model).expect("step");
                }
                note(world * TENS + k, begin.elapsed().as_secs_f64());
            }
        }
    });
    (WORLDS * TENS * 10) as f64 / spent
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
    let drive = Drive { ranges: (0..model.nu).map(range).collect(), scale, seed: 1 };
    if let Err(refusal) = Lean::new(&model) {
        println!("{{\"refused\": \"{}\"}}", refusal.feature.replace('"', "'"));
        return Ok(());
    }
    let mut d = model.make_data()?;
    if model.nkey > 0 {
        d.reset_to_keyframe(&model, 0)?;
    }
    let start = State::of(&d);
    let exact = exact_rate(&model, &start, &drive, seconds);
    let mut line = format!("{{\"exact\": {exact}");
    for (name, width) in
        [("one", Width::One), ("two", Width::Two), ("four", Width::Four), ("eight", Width::Eight)]
    {
        if width.is_available() {
            line += &format!(", \"{name}\": {}", lean_rate(&model, width, &start, &drive, seconds));
        }
    }
    println!("{line}}}");
    Ok(())
}
