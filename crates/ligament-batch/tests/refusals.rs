//! Steps that are refused because they would take too much: a call of many steps ends with the first one.

mod support;
use ligament_batch::{Batch, Config, Operation, Rollout, Select, WorldError};
use ligament_model::callbacks::Callbacks;
use ligament_model::enums::Stage;
use ligament_sim::step::StepError;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::load;

/// Distances between so many geoms that the sensors are refused before they are computed.
fn too_much() -> String {
    let geoms = "<geom size='.01'/>".repeat(60);
    format!(
        "<mujoco><worldbody><body name='a'><joint/>{geoms}</body><body name='b' pos='1 0 0'><joint/>{geoms}</body></worldbody>
         <sensor>{}</sensor></mujoco>",
        "<distance body1='a' body2='b'/>".repeat(1000)
    )
}

/// How often the clock is read in a call of so many steps by worlds whose first step is refused.
fn looks_at_the_clock(worlds: usize, steps: usize, rolls: bool) -> usize {
    let looks = Arc::new(AtomicUsize::new(0));
    let clock = Arc::clone(&looks);
    let time = move || clock.fetch_add(1, Ordering::Relaxed) as f64;
    let callbacks = Callbacks { time: Some(Arc::new(time)), ..Callbacks::default() };
    let config = Config { threads: 1, callbacks, ..Config::default() };
    let mut batch = Batch::new(load(&too_much()), worlds, &config).expect("a batch");
    let rollout = Rollout { nstep: steps, control: None, control_spec: 0, records: &[] };
    let step = Operation::Step { nstep: steps, stage: Stage::None, rnepost: false };
    let operation = if rolls { Operation::Rollout(rollout) } else { step };
    let before = batch.state().to_vec();
    assert_eq!(batch.run(Select::All, &operation).expect("a call"), worlds, "all are refused");
    for world in 0..worlds {
        let refused = matches!(batch.error(world), Some(WorldError::Step(StepError::Effort(_))));
        assert!(refused, "world {world}: {:?}", batch.error(world));
    }
    assert_eq!(batch.state(), before, "worlds that were refused keep their state");
    looks.load(Ordering::Relaxed)
}

/// Issue 10: one refused step is all that a world takes of a call, alone (3 worlds) and four at a time (8).
#[test]
fn a_world_ends_its_call_with_the_first_refused_step() {
    for worlds in [3, 8] {
        for rolls in [false, true] {
            let one = looks_at_the_clock(worlds, 1, rolls);
            assert!(one >= worlds, "the clock tells steps apart");
            assert_eq!(looks_at_the_clock(worlds, 50, rolls), one, "{worlds} worlds, rollout: {rolls}");
        }
    }
}
