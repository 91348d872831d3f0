//! The clock of timers.

use std::sync::{Arc, LazyLock};

/// Seconds by the processor's own clock, for the timers of the stages. A step reads its clock eighteen times: that of the
/// system would take a tenth of a small model's step.
///
/// Timers stand still until a state has a clock:
///
/// ```
/// use ligament::enums::Timer;
/// use ligament::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let model = ligament::load_model("<mujoco/>")?;
/// let mut data = model.make_data()?;
/// data.callbacks.time = Some(ligament::processor_clock());
/// data.step(&model)?;
/// let whole = data.timer[Timer::Step as usize];
/// assert!(whole.number == 1 && whole.duration > 0.0);
/// # Ok(())
/// # }
/// ```
pub fn processor_clock() -> Arc<dyn Fn() -> f64 + Send + Sync> {
    static CLOCK: LazyLock<(quanta::Clock, u64)> = LazyLock::new(|| {
        let clock = quanta::Clock::new();
        let start = clock.raw();
        (clock, start)
    });
    let (clock, start) = CLOCK.clone();
    Arc::new(move || clock.delta_as_nanos(start, clock.raw()) as f64 * 1e-9)
}
