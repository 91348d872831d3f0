//! Worlds on the GPU: agreement with the CPU and speed.
//! `cargo run --release -p ligament-gpu --features cuda --example bench -- [--worlds N,N] [--noise X] [--steps N] [--initial] [--single] MODEL...`
//!
//! As mujoco_warp's benchmark: worlds start from the first keyframe (`--initial`, or where there is none: from the initial state), controls
//! are noise about the middle of their ranges, and what is printed is the mean over 1000 steps. Controls are drawn anew every launch of
//! ten steps.

use ligament::prelude::*;
use ligament_gpu::Precision;
use ligament_gpu::device::{Field, GpuWorlds};
use std::time::Instant;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

struct Noise(u64);
impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Median and worst difference of positions and velocities after one step from states along a noisy trajectory.
fn agreement(model: &Model, precision: Precision) -> Fallible<String> {
    let states = 64;
    let mut worlds = GpuWorlds::new(model, states, precision)?;
    let mut data = model.make_data()?;
    let mut noise = Noise(7);
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); 5];
    let (mut qpos, mut qvel, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
    let (mut mocap_pos, mut mocap_quat) = (Vec::new(), Vec::new());
    for _ in 0..states {
        for _ in 0..10 {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            data.step(model)?;
        }
        for (row, part) in
            rows.iter_mut().zip([&data.qpos, &data.qvel, &data.act, &data.qacc_warmstart, &data.ctrl])
        {
            row.extend_from_slice(part);
        }
        mocap_pos.extend_from_slice(data.mocap_pos.as_flattened());
        mocap_quat.extend_from_slice(data.mocap_quat.as_flattened());
        let mut next = data.clone();
        next.step(model)?;
        qpos.extend_from_slice(&next.qpos);
        qvel.extend_from_slice(&next.qvel);
        contacts.push(next.contact.iter().filter(|c| c.exclude == 0).count() as i32);
    }
    for (field, row) in
        [Field::Qpos, Field::Qvel, Field::Act, Field::Warmstart, Field::Ctrl].into_iter().zip(&rows)
    {
        worlds.write(field, row)?;
    }
    worlds.write(Field::MocapPos, &mocap_pos)?;
    worlds.write(Field::MocapQuat, &mocap_quat)?;
    worlds.step(1)?;
    let found = worlds.take_counts()?;
    let same = found.iter().zip(&contacts).filter(|(c, n)| c[0] == **n).count();
    let far = |a: &[f64], b: &[f64]| {
        let mut d: Vec<f64> = a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).collect();
        d.sort_by(f64::total_cmp);
        format!("{:.0e}/{:.0e}", d[d.len() / 2], d[d.len() - 1])
    };
    let (q, v) = (worlds.read(Field::Qpos)?, worlds.read(Field::Qvel)?);
    Ok(format!("qpos {} qvel {} contacts {same}/{states}", far(&q, &qpos), far(&v, &qvel)))
}

/// Controls as mujoco_warp's benchmark draws them: each goes towards the middle of its range (zero without one) within a tenth of a second
/// and is disturbed by `noise` times half the range (Ornstein-Uhlenbeck).
struct Controls {
    now: Vec<f64>,
    /// Middle, half the range and limits of each control of a world.
    ranges: Vec<[f64; 4]>,
    keep: f64,
    scale: f64,
    noise: Noise,
}

impl Controls {
    const RATE: f64 = 0.1;

    fn new(model: &Model, start: Vec<f64>, noise: f64, steps: usize) -> Self {
        let range = |u: usize| {
            let [low, high] = model.actuator_ctrlrange[u];
            if model.actuator_ctrllimited[u] != 0 {
                [0.5 * (low + high), 0.5 * (high - low), low, high]
            } else {
                [0.0, 1.0, f64::NEG_INFINITY, f64::INFINITY]
            }
        };
        let keep = (-model.opt.timestep * steps as f64 / Self::RATE).exp();
        let ranges = (0..model.nu).map(range).collect();
        Self { now: start, ranges, keep, scale: noise * (1.0 - keep * keep).sqrt(), noise: Noise(3) }
    }

    fn draw(&mut self) -> &[f64] {
        let (keep, scale, noise) = (self.keep, self.scale, &mut self.noise);
        for (u, [middle, half, low, high]) in self.now.iter_mut().zip(self.ranges.iter().cycle()) {
            let next = keep * *u + (1.0 - keep) * middle + scale * half * noise.next();
            *u = next.clamp(*low, *high);
        }
        &self.now
    }
}

/// Where worlds start, how much noise their controls have, for how many steps.
#[derive(Clone, Copy)]
struct Run {
    key: Option<usize>,
    noise: f64,
    steps: usize,
}

const STEPS_A_LAUNCH: usize = 10;

/// The mean over all steps of a run, after one launch to warm up.
fn speed(model: &Model, precision: Precision, count: usize, run: Run) -> Fallible<String> {
    let start = Instant::now();
    let mut worlds = GpuWorlds::new(model, count, precision)?;
    worlds.reset(None, run.key)?;
    worlds.step(1)?;
    worlds.synchronize()?;
    let first = start.elapsed().as_secs_f64();
    let mut controls = Controls::new(model, worlds.read(Field::Ctrl)?, run.noise, STEPS_A_LAUNCH);
    let launches = run.steps.div_ceil(STEPS_A_LAUNCH).max(1);
    let mut times = Vec::new();
    worlds.take_counts()?;
    for _ in 0..=launches {
        worlds.write(Field::Ctrl, controls.draw())?;
        worlds.synchronize()?;
        let start = Instant::now();
        worlds.step(STEPS_A_LAUNCH)?;
        worlds.synchronize()?;
        times.push(start.elapsed().as_secs_f64());
    }
    let counts = worlds.take_counts()?;
    let stepped = (count * STEPS_A_LAUNCH * times.len()) as f64;
    let mean = |k: usize| counts.iter().map(|c| f64::from(c[k])).sum::<f64>() / stepped;
    let bad = worlds.take_status()?.iter().filter(|s| s.bad).count();
    let rate = |seconds: f64, launches: usize| (count * STEPS_A_LAUNCH * launches) as f64 / seconds / 1e6;
    let tenths = times[1..].chunks(launches.div_ceil(10)).map(|t| rate(t.iter().sum(), t.len()));
    let tenths: Vec<String> = tenths.map(|r| format!("{r:.1}")).collect();
    let f = worlds.facts()?;
    Ok(format!(
        "{count:6} worlds {:8.2} M steps/s (by tenths {}); contacts {:.1}, iterations {:.1}, bad {bad}; first step after {first:.2} s; \
         {} worlds a multiprocessor, {} B shared, {} registers, {} B stack, {} B a world",
        rate(times[1..].iter().sum(), launches),
        tenths.join(" "),
        mean(0),
        mean(1),
        f.resident,
        f.shared_bytes,
        f.registers,
        f.local_bytes,
        f.state_bytes
    ))
}

fn main() -> Fallible<()> {
    let mut args = std::env::args().skip(1);
    let (mut counts, mut models) = (vec![8192, 32768], Vec::new());
    let mut run = Run { key: Some(0), noise: 0.01, steps: 1000 };
    let mut precisions = vec![Precision::F32, Precision::F64];
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--worlds" => {
                counts =
                    args.next().ok_or("--worlds N,N")?.split(',').map(str::parse).collect::<Result<_, _>>()?
            }
            "--single" => precisions = vec![Precision::F32],
            "--noise" => run.noise = args.next().ok_or("--noise X")?.parse()?,
            "--steps" => run.steps = args.next().ok_or("--steps N")?.parse()?,
            "--initial" => run.key = None,
            _ => models.push(arg),
        }
    }
    for file in models {
        let model = match ligament::open_model(&file) {
            Ok(model) => model,
            Err(why) => {
                println!("{file}: {why}");
                continue;
            }
        };
        let run = Run { key: run.key.filter(|&k| k < model.nkey), ..run };
        println!(
            "{file} (nv {}, noise {}, keyframe {:?}, {} steps)",
            model.nv, run.noise, run.key, run.steps
        );
        for &precision in &precisions {
            match agreement(&model, precision) {
                Ok(text) => println!("  {precision:?} one step against the CPU, median/worst: {text}"),
                Err(why) => {
                    println!("  {why}");
                    break;
                }
            }
            for &count in &counts {
                match speed(&model, precision, count, run) {
                    Ok(text) => println!("  {precision:?} {text}"),
                    Err(why) => println!("  {precision:?} {count:6} worlds: {why}"),
                }
            }
        }
    }
    Ok(())
}
