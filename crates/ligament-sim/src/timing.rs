//! Timers of the stages, by the user's clock.

use ligament_model::Data;
use ligament_model::enums::Timer;

/// Time by the user's clock; zero without one.
pub(crate) fn now(d: &Data) -> f64 {
    d.callbacks.time.as_ref().map_or(0.0, |time| time())
}

/// Adds the time since `start` to a timer, returns the time: where the next stage follows at once, the clock need not
/// be read again, which matters for small models.
pub(crate) fn lap(d: &mut Data, timer: Timer, start: f64) -> f64 {
    let end = now(d);
    count(d, timer, end - start);
    end
}

/// As [`lap`], for the rest of a stage that has been counted.
pub(crate) fn add(d: &mut Data, timer: Timer, start: f64) -> f64 {
    let end = now(d);
    d.timer[timer as usize].duration += end - start;
    end
}

/// Adds a duration to a timer.
pub(crate) fn count(d: &mut Data, timer: Timer, duration: f64) {
    let stat = &mut d.timer[timer as usize];
    stat.duration += duration;
    stat.number += 1;
}
