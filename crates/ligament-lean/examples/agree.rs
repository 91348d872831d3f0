//! Compares lean steps with exact ones on models of the user's choice: `agree FILE...`.
//!
//! Each model starts at its first keyframe and is driven by random controls; every step of the exact engine is repeated by
//! the lean one from the same state. One line a model: the largest relative differences, or why it is refused.

use ligament::prelude::*;
use ligament_lean::{Lean, State, Width};

const STEPS: usize = 300;

fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

/// Largest difference, relative to the largest number (or one).
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0, |m, (x, y)| if (x - y).abs() / size <= m { m } else { (x - y).abs() / size })
}

fn compare(path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let model = ligament::load_model_from_file(path)?;
    let mut lean = Lean::with_width(&model, Width::One)?;
    let mut d = model.make_data()?;
    if model.nkey > 0 {
        d.reset_to_keyframe(&model, 0)?;
    }
    let mut seed = 1;
    let mut worst = [0.0f64; 3];
    let mut loose = 0;
    for _ in 0..STEPS {
        for i in 0..model.nu {
            let limited = model.actuator_ctrllimited[i] != 0;
            let [low, high] = if limited { model.actuator_ctrlrange[i] } else { [-1.0, 1.0] };
            d.ctrl[i] = low + (high - low) * noise(&mut seed);
        }
        let mut world = [State::of(&d)];
        lean.step(&mut world, 1);
        d.step(&model)?;
        let [world] = world;
        let errors = [
            difference(&world.qpos, &d.qpos),
            difference(&world.qvel, &d.qvel),
            difference(&world.qacc_warmstart, &d.qacc_warmstart),
        ];
        loose += usize::from(!(errors[2] <= 1e-9));
        for (w, e) in worst.iter_mut().zip(errors) {
            *w = if e <= *w { *w } else { e };
        }
    }
    let [q, v, a] = worst;
    Ok(format!("qpos {q:.1e} qvel {v:.1e} qacc {a:.1e}, {loose} of {STEPS} steps beyond 1e-9"))
}

fn main() {
    for path in std::env::args().skip(1) {
        match compare(&path) {
            Ok(line) => println!("{path}: {line}"),
            Err(error) => println!("{path}: refused: {error}"),
        }
    }
}
