//! Measurements for people.

use super::{Comparison, STAGES, stage_name};
use std::fmt::{self, Display, Formatter};

const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { file, nv, steps, rounds, ligament, mujoco, .. } = self;
        writeln!(f, "{BOLD}{file}{PLAIN}  {nv} dofs, best of {rounds} rounds of {steps} steps")?;
        match mujoco {
            None => writeln!(f, "  {:<24} {:>12}", "", "Ligament")?,
            Some(mujoco) => {
                let other = format!("MuJoCo {}", mujoco.version.as_deref().unwrap_or_default());
                writeln!(f, "  {:<24} {:>12} {other:>14} {:>8}", "", "Ligament", "ratio")?;
            }
        }
        let (own, other) = (ligament, mujoco.as_ref());
        row(f, "steps/s", own.steps_per_second, other.map(|m| m.steps_per_second), false, 0)?;
        row(
            f,
            "steps/s, median",
            own.median_steps_per_second,
            other.map(|m| m.median_steps_per_second),
            false,
            0,
        )?;
        let reference = other.map(|m| m.steps_per_second);
        if let Some(lean) = &self.lean {
            row(f, "steps/s, lean", lean.steps_per_second, reference, false, 0)?;
        }
        if let Some(lanes) = &self.lanes {
            let name = format!("steps/s, lean, {} lanes", lanes.worlds);
            row(f, &name, lanes.measurement.steps_per_second, reference, false, 0)?;
        }
        if let Some(refusal) = &self.lean_refusal {
            writeln!(f, "  {refusal}")?;
        }
        for stage in STAGES {
            let name = stage_name(stage.timer);
            let micros = own.stages.get(&name).copied().unwrap_or(0.0);
            let theirs = other.map(|m| m.stages.get(&name).copied().unwrap_or(0.0));
            if micros > 0.0 || theirs.is_some_and(|t| t > 0.0) {
                row(f, &format!("{}{name} µs", "  ".repeat(stage.depth)), micros, theirs, true, 2)?;
            }
        }
        if let Some(own) = own.clock_ns {
            let other = other.and_then(|m| m.clock_ns).map_or(String::new(), |ns| format!(" and {ns:.0}"));
            writeln!(f, "  times are without the {own:.0}{other} ns that each reading of the clock takes")?;
        }
        writeln!(f)
    }
}

/// One quantity of both engines; the ratio says how many times faster Ligament is.
fn row(
    f: &mut Formatter<'_>,
    name: &str,
    own: f64,
    other: Option<f64>,
    less_is_better: bool,
    digits: usize,
) -> fmt::Result {
    let cell = |x: f64| if x > 0.0 { format!("{x:.digits$}") } else { "-".into() };
    write!(f, "  {name:<24} {:>12}", cell(own))?;
    if let Some(other) = other {
        let (dividend, divisor) = if less_is_better { (other, own) } else { (own, other) };
        write!(f, " {:>14}", cell(other))?;
        // what is shown as nothing is no more than the noise of the clock
        let least = 0.5 * 0.1_f64.powi(digits as i32);
        if dividend >= least && divisor >= least {
            write!(f, " {:>8.2}", dividend / divisor)?;
        }
    }
    writeln!(f)
}
