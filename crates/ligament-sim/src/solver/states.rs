//! States of rows before and after a step.

use crate::parallel;
use crate::workspace::SolverScratch;

/// Rows that are worth another thread.
pub(super) const MIN_ROWS: usize = 4000;

/// How many rows are of some kind, by their states after and before a step.
#[inline]
pub(super) fn rows_with(s: &SolverScratch, is: impl Fn(i32, i32) -> bool + Sync) -> i32 {
    let items = (&s.state[..], &s.old_state[..]);
    let count = parallel::count(s.threads, MIN_ROWS, items, |(state, old)| {
        state.iter().zip(old).filter(|(state, old)| is(**state, **old)).count()
    });
    count as i32
}
