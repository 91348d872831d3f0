//! `ligament run`

mod canvas;
mod control;
mod plot;
mod recording;
mod report;
mod table;

use crate::args::{RunArgs, Source};
use crate::convert::extension;
use crate::{Usage, keyframe};
use anyhow::bail;
use control::Control;
use indicatif::{ProgressBar, ProgressStyle};
use ligament::enums::EnableBit;
use ligament::load_model;
use ligament::prelude::*;
use ligament_lean::{Lean, State};
use recording::Recording;
use report::Report;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The model that is simulated when none is given.
pub const HUMANOID: &str = include_str!("../models/humanoid.xml");
/// Simulated seconds when neither steps nor seconds are given.
const DEFAULT_SECONDS: f64 = 5.0;
/// More steps than a machine makes in a year.
const MOST_STEPS: f64 = 1e15;

pub fn run(args: &RunArgs, source: &Source) -> anyhow::Result<ExitCode> {
    check_files(args)?;
    let mut model = match &args.model {
        Some(path) => source.open(path)?,
        None => load_model(HUMANOID)?,
    };
    // energy is reported; computing it changes nothing else
    model.opt.enableflags |= EnableBit::Energy as i32;
    let steps = step_count(args, &model)?;
    let mut control = Control::new(args, &model)?;
    let mut data = keyframe::make_data(&model, args.keyframe.as_deref())?;
    data.threads = match args.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let wanted = args.out.is_some() || args.plot.is_some();
    let mut recording = Recording::new(&model);
    let mut report = Report::default();
    let mut lean = args.lean.then(|| Lean::new(&model)).transpose()?;
    let mut world = State::of(&data);
    let progress = progress_bar(steps);
    let (mut stepping, mut shown) = (Duration::ZERO, Instant::now());
    for step in 0..steps {
        control.apply(&model, &mut data, step);
        let keep = wanted && step % args.every as usize == 0;
        if keep {
            recording.begin_row(&data);
        }
        if lean.is_some() && (keep || step == 0) {
            // the lean step computes no more than the next state
            data.forward(&model)?;
        }
        let before = data.time;
        let start = Instant::now();
        match &mut lean {
            None => data.step(&model)?,
            Some(lean) => lean_step(lean, &mut world, &mut data),
        }
        stepping += start.elapsed();
        report.see(&model, &data, before);
        if keep {
            recording.end_row(&data);
        }
        if shown.elapsed() > Duration::from_millis(100) {
            progress.set_position(step as u64);
            shown = Instant::now();
        }
    }
    progress.finish_and_clear();
    data.forward(&model)?;
    report.finish(&data, steps, stepping);
    if wanted {
        recording.begin_row(&data);
        recording.end_row(&data);
    }
    // a file that cannot be written keeps nobody from the other one, nor from the report
    let out = args.out.as_deref().map(|path| table::write(&recording, path).map(|()| path));
    let plot = args.plot.as_deref().map(|path| plot::write(&recording, path).map(|()| path));
    let written = [&out, &plot].into_iter().flatten().flatten().copied();
    report.print(args, &model, written)?;
    out.into_iter().chain(plot).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(ExitCode::SUCCESS)
}

/// One step of the state in the data; nothing else in it changes.
fn lean_step(lean: &mut Lean, world: &mut State, data: &mut Data) {
    world.read(data);
    lean.step(std::slice::from_mut(world), 1);
    world.write(data);
}

/// Refuses unknown formats, and files that cannot be written, before the simulation and not after it.
fn check_files(args: &RunArgs) -> anyhow::Result<()> {
    let check = |path: Option<&Path>, known: &[&str]| {
        let Some(path) = path else { return Ok(()) };
        if !known.contains(&extension(path)) {
            bail!(Usage(format!("'{}' must end in .{}", path.display(), known.join(" or ."))));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if path.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
            bail!(
                "cannot write '{}': {}",
                path.display(),
                if path.is_dir() { "it is a folder" } else { "no such folder" }
            );
        }
        Ok(())
    };
    check(args.out.as_deref(), table::FORMATS)?;
    check(args.plot.as_deref(), plot::FORMATS)
}

fn step_count(args: &RunArgs, model: &Model) -> anyhow::Result<usize> {
    if let Some(steps) = args.steps {
        return Ok(steps);
    }
    let seconds = args.seconds.unwrap_or(DEFAULT_SECONDS);
    if !(seconds.is_finite() && seconds >= 0.0) {
        bail!(Usage(format!("--seconds must not be negative or infinite, but it is {seconds}")));
    }
    if !(model.opt.timestep > 0.0) {
        bail!("the time step of the model is {}: give --steps", model.opt.timestep);
    }
    let steps = (seconds / model.opt.timestep).round();
    if steps > MOST_STEPS {
        bail!(Usage(format!("--seconds {seconds} would be {steps:e} steps of {} s", model.opt.timestep)));
    }
    Ok(steps as usize)
}

/// Progress on standard error; shown on terminals only.
fn progress_bar(steps: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40.cyan} {percent:>3}%  {pos}/{len} steps  {eta} left");
    ProgressBar::new(steps as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
