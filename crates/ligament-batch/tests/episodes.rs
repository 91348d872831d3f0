//! Rewards, ends and resets in the workers; what a call allocates; parameters that differ between worlds.

mod support;
use ligament_batch::{
    At, Autoreset, Batch, BatchError, BatchSim, Config, Distribution, Effect, Random, Randomize, Select,
    Task, Verdict, WorldError, elements,
};
use ligament_model::array::ArrayRef;
use ligament_model::enums::{Stage, Warning};
use ligament_model::{Data, Model};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::allocations::{Counting, allocations};
use support::{HUMANLIKE, PILE, load};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn batch(text: &str, worlds: usize, threads: usize) -> Batch {
    let config = Config { threads, ..Config::default() };
    Batch::new(load(text), worlds, &config).unwrap()
}

/// Allocations of all threads that run worlds, counted inside of a call: what the call costs beyond its workers is
/// counted by the caller.
fn allocations_of(sim: &mut BatchSim, calls: usize) -> usize {
    let before = allocations();
    for _ in 0..calls {
        sim.step_all().unwrap();
    }
    allocations() - before
}

/// Counts what its thread allocates between the beginning of a step and its end.
struct CountingTask(Arc<AtomicUsize>);

impl Task for CountingTask {
    fn notes(&self, _: &Model) -> usize {
        1
    }
    fn before(&self, _: &Model, _: &mut Data, notes: &mut [f64]) {
        notes[0] = allocations() as f64;
    }
    fn judge(&self, _: &Model, d: &Data, notes: &mut [f64]) -> Verdict {
        self.0.fetch_add(allocations() - notes[0] as usize, Ordering::Relaxed);
        Verdict { reward: d.qpos[2], terminated: false }
    }
}

/// F10.5: once warm, a call allocates nothing, neither in the caller nor in the workers; results are read in place.
#[test]
fn a_warm_call_allocates_nothing() {
    for threads in [1, 3] {
        let counted = Arc::new(AtomicUsize::new(0));
        let mut worlds = batch(PILE, 6, threads);
        worlds.bind("xpos").unwrap();
        worlds.bind("ncon").unwrap();
        worlds.expand("geom_friction").unwrap();
        let mut sim = BatchSim::with_task(worlds, CountingTask(counted.clone())).unwrap();
        // the same run is made twice: buffers have their size after the first
        for round in 0..3 {
            sim.reset_all().unwrap();
            counted.store(0, Ordering::Relaxed);
            let here = allocations_of(&mut sim, 60);
            if round == 2 && threads == 1 {
                assert_eq!((here, counted.load(Ordering::Relaxed)), (0, 0));
            } else if round == 2 {
                assert_eq!(
                    here, 0,
                    "which worlds warm which workspace is up to the threads, but calls are free"
                );
            }
        }
        let result = sim.result();
        assert_eq!(
            result.states.row(3),
            &sim.batch().state()[3 * sim.batch().layout().width() + 1..][..result.states.width()]
        );
    }
}

/// Falls until it is low, which ends the episode.
struct Fall;

impl Task for Fall {
    fn notes(&self, _: &Model) -> usize {
        1
    }
    fn observation(&self, _: &Model) -> usize {
        2
    }
    fn begin(&self, _: &Model, d: &mut Data, notes: &mut [f64], random: &mut Random) {
        d.qpos[2] = random.uniform(0.5, 1.0);
        notes[0] = d.qpos[2];
    }
    fn judge(&self, _: &Model, d: &Data, notes: &mut [f64]) -> Verdict {
        let fallen = notes[0] - d.qpos[2];
        notes[0] = d.qpos[2];
        Verdict { reward: fallen, terminated: d.qpos[2] < 0.2 }
    }
    fn observe(&self, _: &Model, d: &Data, notes: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[d.qpos[2], notes[0]]);
    }
}

const BALL: &str = "<mujoco><worldbody><body><freejoint/><geom size='.05'/></body></worldbody></mujoco>";

fn falls(autoreset: Autoreset, threads: usize) -> BatchSim {
    let mut sim = BatchSim::with_task(batch(BALL, 5, threads), Fall)
        .unwrap()
        .steps_per_call(10)
        .autoreset(autoreset)
        .seed(3);
    sim.reset_all().unwrap();
    sim
}

#[test]
fn next_step_resets_instead_of_stepping() {
    let mut sim = falls(Autoreset::NextStep, 2);
    let mut ended = [false; 5];
    for _ in 0..60 {
        let result = sim.step_all().unwrap();
        for world in 0..5 {
            let observation = &result.observations[2 * world..2 * world + 2];
            if ended[world] {
                assert_eq!(result.rewards[world], 0.0);
                assert!((0.5..1.0).contains(&observation[0]), "begins anew");
            }
            assert_eq!(
                observation[0] < 0.2,
                result.terminated[world],
                "the last observation is that of the end"
            );
            ended[world] = result.terminated[world];
        }
    }
}

#[test]
fn same_step_keeps_the_last_observation() {
    let mut sim = falls(Autoreset::SameStep, 2);
    let mut ends = 0;
    for _ in 0..60 {
        let result = sim.step_all().unwrap();
        for world in 0..5 {
            assert!(result.observations[2 * world] >= 0.2, "never that of an episode that is over");
            if result.terminated[world] {
                ends += 1;
                assert!(result.final_observations[2 * world] < 0.2);
                assert!(result.rewards[world] > 0.0);
            }
        }
    }
    assert!(ends >= 5);
}

#[test]
fn disabled_goes_on() {
    let mut sim = falls(Autoreset::Disabled, 2);
    for _ in 0..60 {
        sim.step_all().unwrap();
    }
    assert!(sim.result().terminated.iter().all(|&over| over));
    assert!(sim.result().states.row(0)[2] < 0.0);
}

#[test]
fn episodes_do_not_depend_on_threads() {
    let run = |threads: usize| {
        let mut sim = falls(Autoreset::SameStep, threads);
        let mut all = Vec::new();
        for _ in 0..80 {
            let result = sim.step_all().unwrap();
            all.extend(result.rewards.iter().chain(result.observations).map(|x| x.to_bits()));
        }
        all
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn time_limits_truncate() {
    let reward = |_: &Model, d: &Data| d.time;
    let mut sim = BatchSim::with_reward(batch(BALL, 2, 1), reward).unwrap().time_limit(4);
    for call in 1..=12 {
        let result = sim.step_all().unwrap();
        assert_eq!(result.truncated, [call % 5 == 4; 2], "four calls, then one that resets");
        assert_eq!(result.terminated, [false; 2]);
        assert_eq!(result.rewards[0] == 0.0, call % 5 == 0);
    }
}

/// F10.3: a world that fails is terminated, its error is kept, and it starts anew; the others keep every bit.
#[test]
fn a_failed_world_is_terminated_and_starts_anew() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
        let reward = |_: &Model, d: &Data| d.qpos[2];
        let make = || BatchSim::with_reward(batch(PILE, 3, 2), reward).unwrap().autoreset(autoreset);
        let (mut good, mut bad) = (make(), make());
        for call in 0..12 {
            if call == 5 {
                bad.batch_mut().qvel_mut(1)[3] = f64::NAN;
            }
            let expected: Vec<f64> = good.step_all().unwrap().rewards.to_vec();
            let result = bad.step_all().unwrap();
            assert_eq!(result.terminated, [false, call == 5, false]);
            assert_eq!((result.rewards[0], result.rewards[2]), (expected[0], expected[2]));
            if call == 5 {
                let error = WorldError::Diverged { warning: Warning::Badqvel, index: 3, reset: true };
                assert_eq!(result.errors, [None, Some(error), None]);
            }
        }
        let late = usize::from(autoreset == Autoreset::NextStep);
        let calls = 12 - 6 - late;
        assert!((bad.batch().time(1)[0] - 0.002 * calls as f64).abs() < 1e-9, "{autoreset:?}");
    }
}

/// F10.6: a reset touches only the flagged worlds, their observations and counters included.
#[test]
fn reset_where_of_episodes() {
    let mut sim = falls(Autoreset::Disabled, 2);
    for _ in 0..5 {
        sim.step_all().unwrap();
    }
    let (state, seen) = (sim.batch().state().to_vec(), sim.result().observations.to_vec());
    sim.reset_where(&[true, false, false, true, false]).unwrap();
    let width = sim.batch().layout().width();
    for world in 0..5 {
        let same = sim.batch().state()[world * width..][..width] == state[world * width..][..width];
        assert_eq!(same, ![0, 3].contains(&world));
        assert_eq!(sim.result().observations[2 * world] == seen[2 * world], same);
    }
    assert!(matches!(sim.reset(9), Err(BatchError::IdRange { id: 9, worlds: 5 })));
}

fn row<'a>(batch: &'a Batch, name: &str, world: usize) -> &'a [f64] {
    match batch.expanded(name).unwrap().values.row(world) {
        ArrayRef::F64(x) => x,
        _ => panic!("not of type f64"),
    }
}

/// Drawn numbers depend on seed, field, world and element only.
#[test]
fn randomized_parameters() {
    let (mut one, mut two) = (batch(HUMANLIKE, 7, 1), batch(HUMANLIKE, 7, 4));
    let model = one.model().clone();
    let shin = elements(&model, "geom_friction", "t", Some(&[0])).unwrap();
    assert_eq!(shin, [model.id(ligament_model::enums::ObjType::Geom, "t").unwrap() * 3]);
    let masses = Randomize {
        field: "body_mass",
        elements: None,
        distribution: Distribution::Uniform { low: 0.8, high: 1.2 },
        effect: Effect::Scale,
        together: false,
        seed: 5,
    };
    let friction = Randomize {
        field: "geom_friction",
        elements: Some(&shin),
        distribution: Distribution::LogUniform { low: 0.1, high: 10.0 },
        effect: Effect::Set,
        ..masses
    };
    one.randomize(Select::All, &masses).unwrap();
    one.randomize(Select::All, &friction).unwrap();
    two.randomize(Select::Ids(&[2, 5]), &masses).unwrap();
    two.randomize(Select::Ids(&[0, 1, 3, 4, 6]), &masses).unwrap();
    for world in 0..7 {
        assert_eq!(row(&one, "body_mass", world), row(&two, "body_mass", world));
        for (own, base) in row(&one, "body_mass", world).iter().zip(&model.body_mass) {
            assert!((0.8 * base..=1.2 * base).contains(own));
        }
        let drawn = row(&one, "geom_friction", world);
        assert!((0.1..10.0).contains(&drawn[shin[0]]));
        assert_eq!(drawn[shin[0] + 1], model.geom_friction.as_flattened()[shin[0] + 1]);
    }
    assert_ne!(row(&one, "body_mass", 0), row(&one, "body_mass", 1));
    // parts of the state
    let hip = elements(&model, "qpos", "hip", None).unwrap();
    let noise = Randomize {
        field: "qpos",
        elements: Some(&hip),
        distribution: Distribution::Normal { mean: 0.0, deviation: 0.1 },
        effect: Effect::Add,
        ..masses
    };
    let before = one.state().to_vec();
    one.randomize(Select::All, &noise).unwrap();
    let changed = before.iter().zip(one.state()).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 7);
    assert!(matches!(elements(&model, "body_mass", "nobody", None), Err(BatchError::UnknownName { .. })));
    let integers = Randomize { field: "geom_group", elements: None, ..masses };
    assert_eq!(one.randomize(Select::All, &integers), Err(BatchError::NotReal("geom_group".into())));
    let empty = Randomize { distribution: Distribution::LogUniform { low: 0.0, high: 1.0 }, ..masses };
    assert!(matches!(one.randomize(Select::All, &empty), Err(BatchError::Distribution(_))));
}

/// What cannot be had is refused.
#[test]
fn impossible_sizes_are_refused() {
    let refused = |worlds: usize, threads: usize| {
        Batch::new(load(BALL), worlds, &Config { threads, ..Config::default() }).err()
    };
    assert_eq!(refused(0, 1), Some(BatchError::NoWorlds));
    assert_eq!(refused(4, 5000), Some(BatchError::Threads { got: 5000 }));
    assert!(matches!(refused(1 << 60, 1), Some(BatchError::Memory { .. })));
}

/// Functions of the caller's see their world and their place in the call.
#[test]
fn apply_knows_its_world() {
    let mut worlds = batch(BALL, 4, 2);
    worlds
        .apply(
            Select::Ids(&[1, 3]),
            &|_: &Model, d: &mut Data, At { item, world }| {
                d.qpos[0] = (10 * item + world) as f64;
                Ok(())
            },
            true,
        )
        .unwrap();
    let x: Vec<f64> = (0..4).map(|world| worlds.qpos(world)[0]).collect();
    assert_eq!(x, [0.0, 1.0, 0.0, 13.0]);
    let failed = worlds.apply(
        Select::All,
        &|_: &Model, d: &mut Data, at: At| {
            d.qpos[0] = 99.0;
            if at.world == 2 { Err(WorldError::Other("no".into())) } else { Ok(()) }
        },
        true,
    );
    assert_eq!(failed, Ok(1));
    assert_eq!((worlds.qpos(2)[0], worlds.qpos(1)[0]), (0.0, 99.0));
    worlds.step(Select::All, 1, Stage::None).unwrap();
    assert_eq!(worlds.error(2), None);
}
