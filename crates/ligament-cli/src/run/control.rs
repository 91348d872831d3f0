//! Where controls come from: the keyframe, a file, or chance.

use crate::Usage;
use crate::args::RunArgs;
use anyhow::{Context, bail};
use ligament::prelude::*;
use ligament::sim::support::clip;
use std::f64::consts::TAU;
use std::path::Path;

/// Sets the controls before every step.
pub enum Control {
    /// Stay as the start has them.
    Keep,
    /// Rows that hold from their time, or from the step of their number.
    Rows {
        times: Option<Vec<f64>>,
        rows: Vec<Vec<f64>>,
        current: usize,
    },
    Noise {
        deviation: f64,
        random: Random,
    },
}

impl Control {
    pub fn new(args: &RunArgs, model: &Model) -> anyhow::Result<Self> {
        if let Some(path) = &args.ctrl {
            return read_rows(path, model.nu);
        }
        match args.noise {
            Some(deviation) if deviation.is_finite() && deviation >= 0.0 => {
                Ok(Self::Noise { deviation, random: Random(args.seed) })
            }
            Some(deviation) => bail!(Usage(format!("--noise must be a positive number, not {deviation}"))),
            None => Ok(Self::Keep),
        }
    }

    pub fn apply(&mut self, model: &Model, data: &mut Data, step: usize) {
        match self {
            Self::Keep => {}
            Self::Rows { times, rows, current } => {
                let last = rows.len() - 1;
                match times {
                    Some(times) => {
                        while *current < last && times[*current + 1] <= data.time {
                            *current += 1;
                        }
                    }
                    None => *current = step.min(last),
                }
                data.ctrl.copy_from_slice(&rows[*current]);
            }
            Self::Noise { deviation, random } => {
                for (i, ctrl) in data.ctrl.iter_mut().enumerate() {
                    let noise = *deviation * random.gauss();
                    let [low, high] = model.actuator_ctrlrange[i];
                    *ctrl = match model.actuator_ctrllimited[i] {
                        0 => noise,
                        _ => clip(0.5 * (low + high) + 0.5 * (high - low) * noise, [low, high]),
                    };
                }
            }
        }
    }
}

/// Reads a control file: an optional header, then numbers.
fn read_rows(path: &Path, width: usize) -> anyhow::Result<Control> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    let is_header = |line: &str| line.split(',').any(|cell| cell.trim().parse::<f64>().is_err());
    let header = lines.next_if(|(_, line)| is_header(line)).map(|(_, line)| line);
    let timed =
        header.is_some_and(|h| h.split(',').next().is_some_and(|c| c.trim().eq_ignore_ascii_case("time")));
    let mut times = Vec::new();
    let mut rows = Vec::new();
    for (number, line) in lines {
        let place = || format!("{}:{}", path.display(), number + 1);
        let cells = line.split(',').map(|cell| cell.trim().parse::<f64>());
        let mut row: Vec<f64> =
            cells.collect::<Result<_, _>>().with_context(|| format!("{}: not a number", place()))?;
        if timed {
            times.push(row.remove(0));
        }
        if row.len() != width {
            bail!("{}: {} controls, but the model has {width} actuators", place(), row.len());
        }
        rows.push(row);
    }
    if rows.is_empty() {
        bail!("'{}' has no rows", path.display());
    }
    Ok(Control::Rows { times: timed.then_some(times), rows, current: 0 })
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same numbers for a seed in every version.
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in (0, 1].
    fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1u64 << 53) as f64
    }

    /// Normal with mean 0 and deviation 1 (Box-Muller).
    fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (TAU * self.uniform()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_normal_and_repeatable() {
        let mut random = Random(7);
        let draws: Vec<f64> = (0..20000).map(|_| random.gauss()).collect();
        let mean = draws.iter().sum::<f64>() / 20000.0;
        let variance = draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 20000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        assert_eq!(Random(7).gauss(), draws[0]);
    }
}
