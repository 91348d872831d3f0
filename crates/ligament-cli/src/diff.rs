//! `ligament diff`

mod place;

use crate::args::{DiffArgs, Source};
use crate::{Usage, output};
use anyhow::{Context, bail};
use ligament::array::ArrayRef;
use ligament::sim::{self, step};
use ligament::{Data, MakeData, Model, Simulate};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Read};
use std::process::{ChildStdout, Command, ExitCode, Stdio};

const PROGRAM: &str = include_str!("diff/reference.py");
/// What both engines fill as they like.
const IGNORED: [&str; 3] = ["names_map", "plugin", "B_rowadr"];

/// One field as MuJoCo has it.
#[derive(Debug, Deserialize)]
struct Head {
    stage: String,
    field: String,
    bytes: usize,
    wide: bool,
}

/// A field that differs.
struct Difference {
    field: String,
    /// Largest difference, and where it is.
    size: f64,
    place: String,
    numbers: [f64; 2],
    count: usize,
}

pub fn diff(args: &DiffArgs, source: &Source) -> anyhow::Result<ExitCode> {
    if !(args.tolerance >= 0.0) {
        bail!(Usage(format!("--tolerance must not be negative, but it is {}", args.tolerance)));
    }
    let mut process = Command::new(&args.python)
        .args(["-c", PROGRAM])
        .arg(args.reference.as_ref().unwrap_or(&args.model))
        .arg(args.steps.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start '{}'", args.python.display()))?;
    let Some(stdout) = process.stdout.take() else { bail!("cannot talk to '{}'", args.python.display()) };
    let outcome = compare(args, source, BufReader::new(stdout));
    // it may have ended already
    let _ = process.kill();
    let _ = process.wait();
    outcome
}

fn compare(
    args: &DiffArgs,
    source: &Source,
    mut answers: BufReader<ChildStdout>,
) -> anyhow::Result<ExitCode> {
    let ours = source.open(&args.model);
    let Some((first, _)) = next(&mut answers)? else {
        bail!(
            "MuJoCo stopped; is the mujoco package installed for this interpreter? --python PYTHON names another"
        )
    };
    let model = match (ours, first.stage == "refused") {
        (Ok(model), false) => model,
        (Ok(_), true) => bail!("Ligament loads the model; MuJoCo refuses it: {}", first.field),
        (Err(error), false) => bail!(error.context("MuJoCo loads the model; Ligament refuses it")),
        (Err(error), true) => {
            let theirs = first.field;
            output::line(format_args!("both refuse the model\n  MuJoCo: {theirs}\n  Ligament: {error}"))?;
            return Ok(ExitCode::FAILURE);
        }
    };
    output::line(format_args!("comparing with MuJoCo {}, tolerance {:e}", first.field, args.tolerance))?;
    let mut data = model.make_data()?;
    let mut stage = String::new();
    let mut found = Vec::new();
    let mut fields = 0;
    while let Some((head, bytes)) = next(&mut answers)? {
        if head.stage != stage {
            if !found.is_empty() {
                break;
            }
            stage = head.stage.clone();
            advance(&model, &mut data, &stage)?;
        }
        fields += usize::from(!head.field.is_empty());
        found.extend(differs(&model, &data, &head, &bytes, args.tolerance));
    }
    report(&stage, &found, fields)
}

/// The next field.
fn next(answers: &mut BufReader<ChildStdout>) -> anyhow::Result<Option<(Head, Vec<u8>)>> {
    let mut line = String::new();
    if answers.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let head: Head = serde_json::from_str(&line).context("MuJoCo's answer makes no sense")?;
    let mut bytes = vec![0; head.bytes];
    answers.read_exact(&mut bytes)?;
    Ok(Some((head, bytes)))
}

/// Runs the stage of that name.
fn advance(m: &Model, d: &mut Data, stage: &str) -> anyhow::Result<()> {
    match stage {
        "kinematics" => sim::kinematics::kinematics(m, d),
        "comPos" => sim::kinematics::com_pos(m, d),
        "camlight" => sim::kinematics::cam_light(m, d),
        "flex" => sim::flex::flex_kinematics(m, d),
        "tendon" => sim::tendon::tendon(m, d),
        "makeM" => sim::inertia::make_m(m, d),
        "factorM" => sim::inertia::factor_m(m, d),
        "collision" => sim::collision::collision(m, d),
        "makeConstraint" => sim::constraint::make_constraint(m, d),
        "transmission" => sim::transmission::transmission(m, d),
        "projectConstraint" => sim::constraint::project_constraint(m, d),
        "fwdVelocity" => step::fwd_velocity(m, d)?,
        "fwdActuation" => sim::actuation::fwd_actuation(m, d),
        "fwdAcceleration" => step::fwd_acceleration(m, d),
        "fwdConstraint" => step::solve_constraints(m, d)?,
        "sensorPos" => sim::sensor::sensor_pos(m, d),
        "sensorVel" => sim::sensor::sensor_vel(m, d),
        "sensorAcc" => sim::sensor::sensor_acc(m, d),
        "compile" => {}
        "step 1" => {
            *d = m.make_data()?;
            d.step(m)?;
        }
        _ if stage.starts_with("step ") => d.step(m)?,
        _ => bail!("no stage '{stage}'"),
    }
    Ok(())
}

/// How a field differs from MuJoCo's, if it does.
fn differs(m: &Model, d: &Data, head: &Head, bytes: &[u8], tolerance: f64) -> Option<Difference> {
    let (ours, extent) = numbers(m, d, head)?;
    let theirs: Vec<f64> = if head.wide {
        bytes.as_chunks::<8>().0.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect()
    } else {
        bytes.iter().map(|&byte| f64::from(byte)).collect()
    };
    let field = head.field.clone();
    if ours.len() != theirs.len() {
        let place = format!("{} numbers, MuJoCo has {}", ours.len(), theirs.len());
        return Some(Difference { field, size: f64::INFINITY, place, numbers: [f64::NAN; 2], count: 1 });
    }
    let gap = |a: f64, b: f64| {
        let same = a == b || (a.is_nan() && b.is_nan());
        if same { 0.0 } else { ((a - b).abs() / 1f64.max(b.abs())).max(f64::MIN_POSITIVE) }
    };
    let gaps: Vec<f64> = ours.iter().zip(&theirs).map(|(&a, &b)| gap(a, b)).collect();
    let count = gaps.iter().filter(|&&gap| !(gap <= tolerance)).count();
    let worst = (0..gaps.len()).max_by(|&i, &j| gaps[i].total_cmp(&gaps[j])).filter(|_| count > 0)?;
    let place = place::of(m, extent, worst, ours.len());
    Some(Difference { field, size: gaps[worst], place, numbers: [ours[worst], theirs[worst]], count })
}

/// Our numbers of a field, and the name of the size of its first axis.
fn numbers(m: &Model, d: &Data, head: &Head) -> Option<(Vec<f64>, &'static str)> {
    let name = head.field.as_str();
    if head.stage == "compile" {
        let field = Model::field(name).filter(|_| !IGNORED.contains(&name))?;
        return Some((wide((field.get)(m)), field.extents.first()?));
    }
    if let Some(field) = Data::FIELDS.iter().find(|f| f.name == name) {
        return Some((wide((field.get)(d)), field.extents.first()?));
    }
    let scalar = match name {
        "ncon" => d.ncon,
        "nefc" => d.nefc,
        "solver_niter" => return Some((d.solver_niter.iter().map(|&n| f64::from(n)).collect(), "")),
        _ => return None,
    };
    Some((vec![scalar as f64], ""))
}

fn wide(array: ArrayRef<'_>) -> Vec<f64> {
    match array {
        ArrayRef::F64(x) => x.to_vec(),
        ArrayRef::F32(x) => x.iter().map(|&v| f64::from(v)).collect(),
        ArrayRef::I32(x) => x.iter().map(|&v| f64::from(v)).collect(),
        ArrayRef::I64(x) => x.iter().map(|&v| v as f64).collect(),
        ArrayRef::U64(x) => x.iter().map(|&v| v as f64).collect(),
        ArrayRef::U8(x) => x.iter().map(|&v| f64::from(v)).collect(),
    }
}

fn report(stage: &str, found: &[Difference], fields: usize) -> anyhow::Result<ExitCode> {
    if found.is_empty() {
        output::line(format_args!(
            "{fields} fields agree: compiled model, every stage of the first step, steps up to '{stage}'"
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    output::line(format_args!("first difference in: {stage}"))?;
    for Difference { field, size, place, numbers: [ours, theirs], count } in found {
        let numbers = format_args!("{ours:?}, MuJoCo {theirs:?}");
        output::line(format_args!("  {field}: {count} differ, most by {size:.1e} at {place}: {numbers}"))?;
    }
    Ok(ExitCode::FAILURE)
}
