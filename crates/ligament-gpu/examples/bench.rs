//! Worlds on the GPU: agreement with the CPU and speed.
//! `cargo run --release -p ligament-gpu --features cuda --example bench -- [--worlds N,N] [--noise X] [--key N] [--single] MODEL...`
//!
//! Worlds start from the initial state or a keyframe. Controls are those of that state and noise that differs from world to world, drawn
//! anew every launch of ten steps.

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

/// Where worlds start and how much noise their controls have.
#[derive(Clone, Copy)]
struct Start {
    key: Option<usize>,
    noise: f64,
}

fn speed(model: &Model, precision: Precision, count: usize, begin: Start) -> Fallible<String> {
    let start = Instant::now();
    let mut worlds = GpuWorlds::new(model, count, precision)?;
    worlds.reset(None, begin.key)?;
    let rest = worlds.read(Field::Ctrl)?;
    worlds.step(1)?;
    worlds.synchronize()?;
    let first = start.elapsed().as_secs_f64();
    let mut noise = Noise(3);
    let mut best = f64::INFINITY;
    let (steps, launches) = (10, 30);
    worlds.take_counts()?;
    for launch in 0..launches {
        let ctrl: Vec<f64> = rest.iter().map(|u| u + begin.noise * noise.next()).collect();
        worlds.write(Field::Ctrl, &ctrl)?;
        worlds.synchronize()?;
        let start = Instant::now();
        worlds.step(steps)?;
        worlds.synchronize()?;
        if launch >= launches / 2 {
            best = best.min(start.elapsed().as_secs_f64());
        }
    }
    let counts = worlds.take_counts()?;
    let mean =
        |k: usize| counts.iter().map(|c| f64::from(c[k])).sum::<f64>() / (count * steps * launches) as f64;
    let bad = worlds.take_status()?.iter().filter(|s| s.bad).count();
    let rate = (count * steps) as f64 / best / 1e6;
    let f = worlds.facts()?;
    Ok(format!(
        "{count:6} worlds {rate:8.2} M steps/s; contacts {:.1}, iterations {:.1}, bad {bad}; first step after {first:.2} s; \
         {} worlds a multiprocessor, {} B shared, {} registers, {} B stack, {} B a world",
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
    let mut begin = Start { key: None, noise: 1.0 };
    let mut precisions = vec![Precision::F32, Precision::F64];
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--worlds" => {
                counts =
                    args.next().ok_or("--worlds N,N")?.split(',').map(str::parse).collect::<Result<_, _>>()?
            }
            "--single" => precisions = vec![Precision::F32],
            "--noise" => begin.noise = args.next().ok_or("--noise X")?.parse()?,
            "--key" => begin.key = Some(args.next().ok_or("--key N")?.parse()?),
            _ => models.push(arg),
        }
    }
    for file in models {
        let model = match ligament::load_model_from_file(&file) {
            Ok(model) => model,
            Err(why) => {
                println!("{file}: {why}");
                continue;
            }
        };
        println!("{file} (nv {}, noise {}, keyframe {:?})", model.nv, begin.noise, begin.key);
        for &precision in &precisions {
            match agreement(&model, precision) {
                Ok(text) => println!("  {precision:?} one step against the CPU, median/worst: {text}"),
                Err(why) => {
                    println!("  {why}");
                    break;
                }
            }
            for &count in &counts {
                match speed(&model, precision, count, begin) {
                    Ok(text) => println!("  {precision:?} {text}"),
                    Err(why) => println!("  {precision:?} {count:6} worlds: {why}"),
                }
            }
        }
    }
    Ok(())
}
