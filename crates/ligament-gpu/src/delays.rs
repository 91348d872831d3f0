//! Delayed controls. A world keeps the last controls of a delayed actuator, one a step and the newest first; what the actuator feels
//! is the same sum of four of them in every step, since samples are a time step apart. Stages within a step have sums of their own.

use ligament_model::Model;

/// How an actuator sees its controls.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Delay {
    /// Place of its samples among those of the world.
    pub start: usize,
    /// How many there are.
    pub samples: usize,
    /// What counts at the beginning of a step, half way, and at its end.
    pub stages: [Around; 3],
}

/// Samples around a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Around {
    /// Which samples count (1: that of the step before).
    pub ages: [usize; 4],
    /// And how much.
    pub weights: [f64; 4],
}

/// Delays of all actuators.
pub(crate) fn delays(m: &Model) -> Vec<Option<Delay>> {
    let mut start = 0;
    let delay = |u: usize| {
        let samples = usize::try_from(m.actuator_history[u][0]).ok().filter(|&n| n > 0)?;
        if m.actuator_delay[u] == 0.0 {
            return None;
        }
        let steps = m.actuator_delay[u] / m.opt.timestep;
        let interpolation = m.actuator_history[u][1];
        let stages = [0.0, 0.5, 1.0].map(|node| around(steps - node, samples, interpolation));
        let place = start;
        start += samples;
        Some(Delay { start: place, samples, stages })
    };
    (0..m.nu).map(delay).collect()
}

/// Samples around a time so many steps ago and their weights: held (0), linear (1), or cubic by Hermite with Catmull-Rom slopes,
/// which vanish at both ends of the buffer.
fn around(steps: f64, samples: usize, interpolation: i32) -> Around {
    let hold = |age: usize| Around { ages: [age; 4], weights: [1.0, 0.0, 0.0, 0.0] };
    let near = 1e-9; // of a step: times of samples are rounded
    if steps <= 1.0 + near {
        return hold(1);
    }
    if steps >= samples as f64 - near {
        return hold(samples);
    }
    if (steps - steps.round()).abs() < near {
        return hold(steps.round() as usize);
    }
    let newer = steps.floor() as usize;
    let older = newer + 1;
    let alpha = older as f64 - steps;
    match interpolation {
        0 => hold(older),
        1 => Around { ages: [older, newer, newer, newer], weights: [1.0 - alpha, alpha, 0.0, 0.0] },
        _ => {
            let (a2, a3) = (alpha * alpha, alpha * alpha * alpha);
            let slope_older = if older < samples { 0.5 * (a3 - 2.0 * a2 + alpha) } else { 0.0 };
            let slope_newer = if newer > 1 { 0.5 * (a3 - a2) } else { 0.0 };
            let ages = [(older + 1).min(samples), older, newer, (newer - 1).max(1)];
            let weights = [
                -slope_older,
                2.0 * a3 - 3.0 * a2 + 1.0 - slope_newer,
                -2.0 * a3 + 3.0 * a2 + slope_older,
                slope_newer,
            ];
            Around { ages, weights }
        }
    }
}
