//! A warm step allocates nothing.

#[path = "../../ligament/tests/support/allocations.rs"]
#[allow(dead_code)] // it also counts bytes
mod allocations;
mod models;

use allocations::{Counting, allocations};
use ligament_lean::{Lean, Width};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn warm_steps_allocate_nothing() {
    for (name, m) in models::all() {
        for width in [Width::One, Width::widest()] {
            let mut lean = Lean::with_width(&m, width).expect("accepted");
            let start = models::states(&m, 8, 12);
            let mut worlds = start.clone();
            // couplings are kept for some steps: the second time those of the end are still there at the start
            for _ in 0..2 {
                lean.step(&mut worlds, 10);
                worlds.clone_from_slice(&start);
            }
            let before = allocations();
            lean.step(&mut worlds, 10);
            assert_eq!(allocations() - before, 0, "{name}, {width:?}");
        }
    }
}
