//! Ending a call before it is done.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Is asked on the caller's thread some times a second while a call runs; true ends the call.
pub type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Time between two questions.
const PATIENCE: Duration = Duration::from_millis(50);

/// After so many steps of a world it is looked whether the call has to end.
pub(crate) const STRIDE: usize = 16;

/// Whether the running call has to end.
pub(crate) struct Watch {
    interrupt: Option<Interrupt>,
    ended: AtomicBool,
    asked: Mutex<Instant>,
}

impl Watch {
    pub fn new(interrupt: Option<Interrupt>) -> Self {
        Self { interrupt, ended: AtomicBool::new(false), asked: Mutex::new(Instant::now()) }
    }

    /// A call begins.
    pub fn begin(&self) {
        self.ended.store(false, Ordering::Relaxed);
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether the call was ended.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Whether the call has to end. The thread at place 0 of a team is the caller's: it asks.
    pub fn ends(&self, place: usize) -> bool {
        if let (0, Some(interrupt)) = (place, &self.interrupt) {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            if asked.elapsed() > PATIENCE {
                *asked = Instant::now();
                self.ended.fetch_or(interrupt(), Ordering::Relaxed);
            }
        }
        self.has_ended()
    }
}
