//! Past states of a simulation, to go back to.

use ligament_model::{Data, Model, StateLayout};
use ligament_sim::state::load_row;
use std::collections::VecDeque;

/// Most states that are kept.
const MOST_STATES: usize = 2000;
/// Most numbers that are kept: 64 MB.
const MOST_NUMBERS: usize = 8 << 20;

/// The last states, one for each frame, and at which of them the simulation stands.
pub struct History {
    layout: StateLayout,
    rows: VecDeque<Box<[f64]>>,
    /// How many states are newer than the present one.
    back: usize,
}

impl History {
    pub fn new(m: &Model) -> Self {
        Self { layout: StateLayout::new(m), rows: VecDeque::new(), back: 0 }
    }

    /// How many states are newer than the present one, and how many are kept.
    pub fn place(&self) -> [usize; 2] {
        [self.back, self.rows.len()]
    }

    /// Keeps the present state as the newest: after a way back, the old future is forgotten.
    pub fn note(&mut self, d: &Data) {
        self.rows.truncate(self.rows.len() - self.back);
        self.back = 0;
        let most = MOST_STATES.min(MOST_NUMBERS / self.layout.len()).max(2);
        let oldest = if self.rows.len() >= most { self.rows.pop_front() } else { None };
        let mut row = oldest.unwrap_or_else(|| vec![0.0; self.layout.len()].into());
        self.layout.save(d, &mut row);
        self.rows.push_back(row);
    }

    /// Goes so many states back, or ahead when the number is negative, as far as there are any; returns how many.
    pub fn go_back(&mut self, m: &Model, d: &mut Data, count: i32) -> usize {
        let oldest = self.rows.len().saturating_sub(1);
        let target = self.back.saturating_add_signed(count as isize).min(oldest);
        let passed = target.abs_diff(self.back);
        if passed > 0 {
            self.back = target;
            load_row(m, d, &self.layout, &self.rows[oldest - target]);
        }
        passed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_model::Sizes;

    #[test]
    fn states_come_back_and_a_new_future_replaces_the_old_one() {
        let m = Model::allocate(Sizes { nbody: 1, nq: 1, nv: 1, ..Sizes::default() });
        let (mut d, mut history) = (Data::new(&m), History::new(&m));
        assert_eq!(history.go_back(&m, &mut d, 1), 0, "nothing is kept yet");
        for time in 0..5 {
            d.time = f64::from(time);
            history.note(&d);
        }
        assert_eq!((history.go_back(&m, &mut d, 3), d.time), (3, 1.0));
        assert_eq!((history.go_back(&m, &mut d, -1), d.time), (1, 2.0));
        assert_eq!((history.go_back(&m, &mut d, 9), d.time), (2, 0.0), "not further than to the first");
        assert_eq!((history.go_back(&m, &mut d, -1), d.time), (1, 1.0));
        d.time = 1.5;
        history.note(&d);
        assert_eq!((history.place(), history.go_back(&m, &mut d, -1)), ([0, 3], 0));
        assert_eq!((history.go_back(&m, &mut d, 1), d.time), (1, 1.0));
    }

    #[test]
    fn the_oldest_states_are_forgotten() {
        let m = Model::allocate(Sizes { nbody: 1, ..Sizes::default() });
        let (mut d, mut history) = (Data::new(&m), History::new(&m));
        for time in 0..MOST_STATES as i32 + 10 {
            d.time = f64::from(time);
            history.note(&d);
        }
        assert_eq!(history.place(), [0, MOST_STATES]);
        history.go_back(&m, &mut d, i32::MAX);
        assert_eq!(d.time, 10.0);
    }
}
