//! Where controls come from: the keyframe, a file, or chance.

use crate::Usage;
use crate::args::RunArgs;
use anyhow::{Context, anyhow, bail};
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
            return read_rows(path, model);
        }
        match args.noise {
            Some(deviation) if deviation.is_finite() && deviation >= 0.0 => {
                Ok(Self::Noise { deviation, random: Random(args.seed) })
            }
            Some(deviation) => bail!(Usage(format!("--noise must not be negative, but it is {deviation}"))),
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
                        // the time is a sum of steps, and rounded in each
                        let now = data.time + 1e-6 * model.opt.timestep;
                        while *current < last && times[*current + 1] <= now {
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
fn read_rows(path: &Path, model: &Model) -> anyhow::Result<Control> {
    let name = path.display();
    if std::fs::metadata(path).is_ok_and(|file| !file.is_file()) {
        bail!("'{name}' is not an ordinary file");
    }
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read '{name}'"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).peekable();
    let header = match lines.next_if(|(_, line)| is_header(line)) {
        Some((number, line)) => Header::of(line, model).with_context(|| format!("{name}:{number}"))?,
        None => Header { timed: false, columns: (0..model.nu).collect() },
    };
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let (time, row) = header.row(line).with_context(|| format!("{name}:{number}"))?;
        if let (Some(time), Some(&last)) = (time, times.last())
            && !(time > last)
        {
            bail!("{name}:{number}: time {time} does not come after {last}");
        }
        times.extend(time);
        rows.push(row);
    }
    if rows.is_empty() {
        bail!("'{name}' has no rows");
    }
    Ok(Control::Rows { times: header.timed.then_some(times), rows, current: 0 })
}

/// Is this a line of names? What begins like a number is none, though it may not be one either.
fn is_header(line: &str) -> bool {
    line.split(',').all(|cell| {
        let cell = cell.trim();
        cell.parse::<f64>().is_err() && !cell.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
    })
}

/// What the columns of a control file are.
struct Header {
    timed: bool,
    /// The actuator of each column.
    columns: Vec<usize>,
}

impl Header {
    /// Columns are those of the actuators that they name, or where none does, in the order of the model.
    fn of(line: &str, model: &Model) -> anyhow::Result<Self> {
        let mut names: Vec<&str> = line.split(',').map(str::trim).collect();
        let timed = names[0].eq_ignore_ascii_case("time");
        if timed {
            names.remove(0);
        }
        let actuator = |name: &&str| {
            let own = name.strip_prefix("ctrl.").unwrap_or(name);
            (0..model.nu).find(|&i| model.name(ObjType::Actuator, i) == Some(own))
        };
        let found: Vec<Option<usize>> = names.iter().map(actuator).collect();
        let columns = if found.iter().all(Option::is_none) {
            (0..model.nu).collect()
        } else if let Some(at) = found.iter().position(Option::is_none) {
            bail!("no actuator is named '{}'", names[at]);
        } else {
            found.into_iter().flatten().collect::<Vec<_>>()
        };
        let mut sorted = columns.clone();
        sorted.sort_unstable();
        if names.len() != model.nu || !sorted.into_iter().eq(0..model.nu) {
            bail!("{}, but the model has {}", count(names.len(), "column"), count(model.nu, "actuator"));
        }
        Ok(Self { timed, columns })
    }

    /// Time and controls of a line.
    fn row(&self, line: &str) -> anyhow::Result<(Option<f64>, Vec<f64>)> {
        let number = |cell: &str| {
            let separated = if cell.contains([';', '\t', ' ']) { ": separate numbers by commas" } else { "" };
            cell.parse::<f64>().map_err(|_| anyhow!("'{cell}' is not a number{separated}"))
        };
        let cells = line.split(',').map(|cell| number(cell.trim()));
        let mut cells: Vec<f64> = cells.collect::<Result<_, _>>()?;
        let time = self.timed.then(|| cells.remove(0));
        if cells.len() != self.columns.len() {
            bail!(
                "{}, but the model has {}",
                count(cells.len(), "control"),
                count(self.columns.len(), "actuator")
            );
        }
        let mut row = vec![0.0; cells.len()];
        self.columns.iter().zip(cells).for_each(|(&actuator, cell)| row[actuator] = cell);
        Ok((time, row))
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
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
