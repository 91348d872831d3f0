//! What happened in a run.

use crate::args::RunArgs;
use crate::info::{model_name, number};
use ligament::enums::Warning;
use ligament::prelude::*;
use serde_json::json;
use std::time::Duration;

#[derive(Debug, Default)]
pub struct Report {
    steps: usize,
    seconds: f64,
    time: f64,
    contacts: usize,
    rows: usize,
    first_energy: Option<f64>,
    last_energy: f64,
    /// Kind of warning, how often, and what it was last about.
    warnings: Vec<(&'static str, i32, i32)>,
}

impl Report {
    /// Takes note of a step.
    pub fn see(&mut self, d: &Data) {
        self.contacts = self.contacts.max(d.contact.len());
        self.rows = self.rows.max(d.nefc);
        self.first_energy.get_or_insert(d.energy[0] + d.energy[1]);
    }

    pub fn finish(&mut self, d: &Data, steps: usize, stepping: Duration) {
        self.see(d);
        (self.steps, self.seconds, self.time) = (steps, stepping.as_secs_f64(), d.time);
        self.last_energy = d.energy[0] + d.energy[1];
        for (stat, (name, _)) in d.warning.iter().zip(Warning::INFO.members) {
            if stat.number > 0 {
                self.warnings.push((name, stat.number, stat.lastinfo));
            }
        }
    }

    pub fn print(&self, args: &RunArgs, m: &Model) -> anyhow::Result<()> {
        let rate = if self.seconds > 0.0 { self.steps as f64 / self.seconds } else { 0.0 };
        let first = self.first_energy.unwrap_or(self.last_energy);
        if args.json {
            let warnings: Vec<_> = self
                .warnings
                .iter()
                .map(|(name, count, info)| json!({ "kind": name, "count": count, "last": info }))
                .collect();
            let report = json!({
                "model": model_name(m), "steps": self.steps, "time": self.time, "wall_seconds": self.seconds,
                "steps_per_second": rate, "max_contacts": self.contacts, "max_constraints": self.rows,
                "energy_first": first, "energy_last": self.last_energy, "warnings": warnings,
            });
            println!("{}", serde_json::to_string_pretty(&report)?);
            return Ok(());
        }
        println!("{}: {} steps to t = {} s", model_name(m), self.steps, number(self.time));
        let faster = rate * m.opt.timestep;
        println!("  speed       {rate:.0} steps/s, {faster:.1} times real time");
        println!("  contacts    at most {}, with at most {} constraint rows", self.contacts, self.rows);
        let change = self.last_energy - first;
        println!("  energy      {} J -> {} J ({change:+.4} J)", number(first), number(self.last_energy));
        for (name, count, info) in &self.warnings {
            println!("  warning     {name}: {count} times, last about {info}");
        }
        for path in args.out.iter().chain(&args.plot) {
            println!("  wrote       {}", path.display());
        }
        Ok(())
    }
}
