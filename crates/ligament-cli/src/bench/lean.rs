//! Rounds of the lean step.

use super::{Engine, Lanes, Measurement, Round};
use ligament::prelude::*;
use ligament_lean::{Lean, Refusal, State, Width};
use std::time::Instant;

/// One world, and as many as a register holds.
pub(super) struct LeanBench {
    one: Lean,
    wide: Option<Lean>,
    start: State,
    pub single: Vec<Round>,
    together: Vec<Round>,
}

impl LeanBench {
    pub fn new(model: &Model, start: State) -> Result<Self, Refusal> {
        let one = Lean::with_width(model, Width::One)?;
        let wide = (Width::widest() != Width::One).then(|| Lean::new(model)).transpose()?;
        Ok(Self { one, wide, start, single: Vec::new(), together: Vec::new() })
    }

    /// Runs a round of each width; the first of all only warms up.
    pub fn round(&mut self, steps: u32, keep: bool) {
        let single = time(&mut self.one, &self.start, steps);
        let together = self.wide.as_mut().map(|lean| time(lean, &self.start, steps));
        if keep {
            self.single.push(single);
            self.together.extend(together);
        }
    }

    pub fn lanes(&self, steps: u32) -> Option<Lanes> {
        let worlds = self.wide.as_ref()?.width().worlds();
        Some(Lanes {
            worlds,
            measurement: Measurement::of(&self.together, steps * worlds as u32, Engine::Ligament),
        })
    }
}

fn time(lean: &mut Lean, start: &State, steps: u32) -> Round {
    let mut worlds = vec![start.clone(); lean.width().worlds()];
    let begin = Instant::now();
    lean.step(&mut worlds, steps as usize);
    Round { seconds: begin.elapsed().as_secs_f64(), ..Round::default() }
}
