//! What happened in a run.

use crate::args::RunArgs;
use crate::info::{model_name, number};
use crate::output;
use ligament::enums::Warning;
use ligament::prelude::*;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

#[derive(Debug, Default)]
pub struct Report {
    steps: usize,
    seconds: f64,
    time: f64,
    /// What the steps made of time, those before a reset included.
    simulated: f64,
    contacts: usize,
    rows: usize,
    first_energy: Option<f64>,
    last_energy: f64,
    /// How often the state was reset because it was bad, and the time before the first one.
    resets: usize,
    first_reset: f64,
    warnings: [Counted; Warning::INFO.members.len()],
}

/// A kind of warning.
#[derive(Debug, Default, Clone, Copy)]
struct Counted {
    total: i32,
    /// The element or number that the last one was about.
    about: i32,
    /// The counter of the state, which begins anew with a reset.
    seen: i32,
}

impl Report {
    /// Takes note of a step from some time on.
    pub fn see(&mut self, m: &Model, d: &Data, before: f64) {
        let reset = m.opt.timestep > 0.0 && !(d.time > before);
        self.simulated += if reset { d.time } else { d.time - before };
        if reset {
            self.first_reset = if self.resets == 0 { before } else { self.first_reset };
            self.resets += 1;
        }
        for (counted, stat) in self.warnings.iter_mut().zip(&d.warning) {
            let new = stat.number - if reset { 0 } else { counted.seen };
            if new > 0 {
                (counted.total, counted.about) = (counted.total.saturating_add(new), stat.lastinfo);
            }
            counted.seen = stat.number;
        }
        self.look(d);
    }

    fn look(&mut self, d: &Data) {
        self.contacts = self.contacts.max(d.contact.len());
        self.rows = self.rows.max(d.nefc);
        self.first_energy.get_or_insert(d.energy[0] + d.energy[1]);
    }

    pub fn finish(&mut self, d: &Data, steps: usize, stepping: Duration) {
        self.look(d);
        (self.steps, self.seconds, self.time) = (steps, stepping.as_secs_f64(), d.time);
        self.last_energy = d.energy[0] + d.energy[1];
    }

    /// Kinds of warnings that there were, how often, and what they were last about.
    fn warnings(&self) -> impl Iterator<Item = (&'static str, i32, i32)> {
        let names = Warning::INFO.members.iter().map(|(name, _)| *name);
        let all = names.zip(&self.warnings).map(|(name, counted)| (name, counted.total, counted.about));
        all.filter(|(_, total, _)| *total > 0)
    }

    /// Prints what happened, and which files were written.
    pub fn print<'a>(
        &self,
        args: &RunArgs,
        m: &Model,
        written: impl Iterator<Item = &'a Path>,
    ) -> anyhow::Result<()> {
        let per_second = |amount: f64| if self.seconds > 0.0 { amount / self.seconds } else { 0.0 };
        let rate = per_second(self.steps as f64);
        let first = self.first_energy.unwrap_or(self.last_energy);
        if args.json {
            let warnings = self.warnings().map(|(name, count, about)| {
                let element = element(m, name, about);
                json!({ "kind": name, "count": count, "last": about, "element": element })
            });
            let report = json!({
                "model": model_name(m), "steps": self.steps, "time": self.time, "simulated": self.simulated,
                "wall_seconds": self.seconds, "steps_per_second": rate, "max_contacts": self.contacts,
                "max_constraints": self.rows, "energy_first": first, "energy_last": self.last_energy,
                "resets": self.resets, "first_reset": (self.resets > 0).then_some(self.first_reset),
                "warnings": warnings.collect::<Vec<_>>(),
            });
            return output::line(format_args!("{}", serde_json::to_string_pretty(&report)?));
        }
        let line = output::line;
        line(format_args!("{}: {} steps to t = {} s", model_name(m), self.steps, number(self.time)))?;
        let faster = per_second(self.simulated);
        line(format_args!("  speed       {rate:.0} steps/s, {faster:.1} times real time"))?;
        let rows = self.rows;
        line(format_args!("  contacts    at most {}, with at most {rows} constraint rows", self.contacts))?;
        let (from, to, change) = (number(first), number(self.last_energy), self.last_energy - first);
        line(format_args!("  energy      {from} J -> {to} J ({change:+.4} J)"))?;
        if self.resets > 0 {
            let (times, first) = (times(self.resets), number(self.first_reset));
            line(format_args!(
                "  reset       {times}, first after t = {first} s: numbers were not finite or too large"
            ))?;
        }
        for (name, count, about) in self.warnings() {
            let element = element(m, name, about).unwrap_or_else(|| about.to_string());
            line(format_args!("  warning     {name}: {}, last about {element}", times(count as usize)))?;
        }
        for path in written {
            line(format_args!("  wrote       {}", path.display()))?;
        }
        Ok(())
    }
}

fn times(n: usize) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}

/// The element that a warning of some kind is about, where it is about one.
fn element(m: &Model, kind: &str, about: i32) -> Option<String> {
    let about = usize::try_from(about).ok()?;
    let joint_of = |starts: &[i32]| starts.partition_point(|&start| start as usize <= about).checked_sub(1);
    let (what, object, id) = match kind {
        "mjWARN_BADQPOS" => ("joint", ObjType::Joint, joint_of(&m.jnt_qposadr)?),
        "mjWARN_BADQVEL" | "mjWARN_BADQACC" => ("joint", ObjType::Joint, joint_of(&m.jnt_dofadr)?),
        "mjWARN_BADCTRL" => ("actuator", ObjType::Actuator, about),
        _ => return None,
    };
    Some(m.name(object, id).map_or_else(|| format!("{what} {id}"), |name| format!("{what} '{name}'")))
}
