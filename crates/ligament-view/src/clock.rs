//! Keeping pace with the clock on the wall.

use std::time::{Duration, Instant};

/// Simulated seconds by which a simulation may be off before it stops trying to catch up.
const MISALIGNED: f64 = 0.1;
/// How long the speed is measured.
const WINDOW: Duration = Duration::from_millis(500);

/// A place in both times.
#[derive(Debug, Clone, Copy)]
struct Mark {
    wall: Instant,
    simulated: f64,
}

impl Mark {
    fn passed(&self, now: Instant, simulated: f64) -> (f64, f64) {
        (now.saturating_duration_since(self.wall).as_secs_f64(), simulated - self.simulated)
    }
}

/// Relates simulated time to the time on the wall.
#[derive(Debug)]
pub struct Clock {
    speed: f64,
    aligned: Option<Mark>,
    measuring: Option<Mark>,
    factor: f64,
}

impl Default for Clock {
    fn default() -> Self {
        Self { speed: 1.0, aligned: None, measuring: None, factor: 0.0 }
    }
}

impl Clock {
    /// Wanted simulated seconds per second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    pub fn set_speed(&mut self, speed: f64) {
        if speed.is_finite() && speed > 0.0 {
            *self = Self { speed, ..Self::default() };
        }
    }

    /// Forgets the past: the simulation was paused or reset.
    pub fn stop(&mut self) {
        *self = Self { speed: self.speed, ..Self::default() };
    }

    /// Simulated seconds per second, as measured; 0 while paused.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Seconds on the wall until the simulation, now at this time, is due; not positive when it lags.
    pub fn due(&mut self, now: Instant, simulated: f64) -> f64 {
        let mark = *self.aligned.get_or_insert(Mark { wall: now, simulated });
        let (wall, passed) = mark.passed(now, simulated);
        let ahead = passed - wall * self.speed;
        if passed < 0.0 || ahead.abs() > MISALIGNED * self.speed.max(1.0) {
            self.aligned = Some(Mark { wall: now, simulated });
            return 0.0;
        }
        ahead / self.speed
    }

    /// Measures.
    pub fn note(&mut self, now: Instant, simulated: f64) {
        let mark = *self.measuring.get_or_insert(Mark { wall: now, simulated });
        let (wall, passed) = mark.passed(now, simulated);
        if passed < 0.0 || wall >= WINDOW.as_secs_f64() {
            self.factor = passed.max(0.0) / wall.max(f64::MIN_POSITIVE);
            self.measuring = Some(Mark { wall: now, simulated });
        } else if self.factor == 0.0 && wall > 0.05 {
            self.factor = passed / wall; // a first guess
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulation_is_due_when_the_wall_clock_says_so() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        clock.set_speed(0.5);
        assert_eq!(clock.due(start, 3.0), 0.0);
        let due = clock.due(start + Duration::from_millis(100), 3.06);
        assert!((due - 0.02).abs() < 1e-9, "10 ms ahead take 20 ms at half speed: {due}");
        assert!(clock.due(start + Duration::from_millis(140), 3.06) < 0.0);
    }

    #[test]
    fn a_simulation_that_cannot_keep_pace_does_not_run_after_it() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        clock.due(start, 0.0);
        assert_eq!(clock.due(start + Duration::from_secs(5), 0.1), 0.0);
        assert!(clock.due(start + Duration::from_secs(5), 0.15) > 0.0);
    }

    #[test]
    fn the_factor_is_simulated_time_over_time() {
        let (mut clock, start) = (Clock::default(), Instant::now());
        clock.note(start, 1.0);
        clock.note(start + Duration::from_millis(500), 1.25);
        assert!((clock.factor() - 0.5).abs() < 1e-9);
    }
}
