//! MuJoCo in a Python process of its own, told by lines of text what to run.

use super::Round;
use crate::output;
use anyhow::{Context, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const PROGRAM: &str = include_str!("reference.py");

pub struct Reference {
    pub version: String,
    process: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Reference {
    pub fn start(python: &Path, model: &Path, key: Option<usize>) -> anyhow::Result<Self> {
        let mut process = Command::new(python)
            .args(["-c", PROGRAM])
            .arg(model)
            .arg(key.map_or_else(|| "-1".into(), |key| key.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start '{}'", python.display()))?;
        let (Some(requests), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("cannot talk to '{}'", python.display());
        };
        let answers = BufReader::new(stdout).lines();
        let mut reference = Self { version: String::new(), process, requests, answers };
        let hello = reference.answer()?;
        reference.version = hello["version"].as_str().unwrap_or_default().to_string();
        if hello["slow_clock"] == true {
            output::complain(
                "note: no native clock found for MuJoCo's timers; its stage times include Python calls",
            );
        }
        Ok(reference)
    }

    /// Resets and makes the steps.
    pub fn round(&mut self, steps: u32, clock: bool) -> anyhow::Result<Round> {
        writeln!(self.requests, "{steps} {}", u8::from(clock))?;
        self.requests.flush()?;
        Ok(serde_json::from_value(self.answer()?)?)
    }

    fn answer(&mut self) -> anyhow::Result<Value> {
        match self.answers.next() {
            Some(line) => Ok(serde_json::from_str(&line?)?),
            None => {
                bail!(
                    "MuJoCo stopped; is the mujoco package installed for this interpreter? --python PYTHON names another"
                )
            }
        }
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        // it may have ended already
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
