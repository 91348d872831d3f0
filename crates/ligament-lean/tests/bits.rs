//! A world has the same bits alone, in any lane, in any group and width, from run to run, whatever the others do.

mod models;

use ligament_lean::{Lean, State, Width};
use models::{all, states};

fn bits(state: &State) -> Vec<u64> {
    let all = [&state.qpos, &state.qvel, &state.act, &state.qacc_warmstart, &state.history];
    all.into_iter().flatten().map(|x| x.to_bits()).collect()
}

fn widths() -> impl Iterator<Item = Width> {
    [Width::One, Width::Two, Width::Four, Width::Eight].into_iter().filter(|w| w.is_available())
}

#[test]
fn every_width_and_lane_gives_the_same_bits() {
    for (name, m) in all() {
        let start = states(&m, 11, 12);
        let mut alone = start.clone();
        let mut single = Lean::with_width(&m, Width::One).expect("accepted");
        single.step(&mut alone, 6);
        for width in widths() {
            let mut lean = Lean::with_width(&m, width).expect("accepted");
            for shift in [0, 3] {
                let mut worlds = start.clone();
                worlds.rotate_left(shift);
                // in one call, then step by step
                lean.step(&mut worlds, 2);
                for _ in 0..4 {
                    lean.step(&mut worlds, 1);
                }
                worlds.rotate_right(shift);
                for (k, (a, b)) in alone.iter().zip(&worlds).enumerate() {
                    assert_eq!(bits(a), bits(b), "{name}, world {k}, {width:?}, shifted by {shift}");
                }
            }
        }
    }
}

/// Bad numbers in one lane change no other; the bad world is reset as the exact engine resets it.
#[test]
fn a_bad_world_changes_no_other() {
    for (name, m) in all() {
        let start = states(&m, 8, 12);
        let mut sound = start.clone();
        let mut lean = Lean::new(&m).expect("accepted");
        lean.step(&mut sound, 3);
        for bad in [f64::NAN, f64::INFINITY, 1e11] {
            let mut worlds = start.clone();
            worlds[3].qvel[0] = bad;
            worlds[5].qpos[0] = bad;
            lean.step(&mut worlds, 3);
            for k in (0..8).filter(|k| ![3, 5].contains(k)) {
                assert_eq!(bits(&worlds[k]), bits(&sound[k]), "{name}, world {k}");
            }
            assert!(worlds[3].qpos.iter().chain(&worlds[5].qpos).all(|x| x.is_finite()), "{name}: reset");
        }
    }
}

/// One bad control switches off the controls of its world only.
#[test]
fn a_bad_control_changes_no_other_world() {
    let m = ligament::load_model(models::JOINTS).expect("loads");
    let start = states(&m, 8, 12);
    let mut off = start.clone();
    off[2].ctrl.fill(0.0);
    let mut worlds = start;
    worlds[2].ctrl[2] = f64::NAN;
    let mut lean = Lean::new(&m).expect("accepted");
    lean.step(&mut off, 3);
    lean.step(&mut worlds, 3);
    for (a, b) in off.iter().zip(&worlds) {
        assert_eq!(bits(a), bits(b));
    }
}
