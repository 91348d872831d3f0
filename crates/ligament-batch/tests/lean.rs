//! Batches of lean steps against batches of exact ones.

mod support;

use ligament_batch::{Batch, BatchError, Config, Record, RecordParts, Recorded, Select};
use ligament_model::Model;
use ligament_model::array::ArrayMut;
use ligament_model::enums::{Stage, State, Warning};
use ligament_sim::step::forward;
use std::sync::Arc;
use support::allocations::{Counting, allocations};
use support::{HUMANLIKE, load};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn batch(m: &Arc<Model>, worlds: usize, threads: usize, lean: bool) -> Batch {
    Batch::new(m.clone(), worlds, &Config { threads, lean, ..Config::default() }).unwrap()
}

/// Every world has controls and a height of its own.
fn disturb(batch: &mut Batch) {
    for world in 0..batch.nsim() {
        batch.qpos_mut(world)[2] -= 0.01 * (world % 5) as f64;
        for (i, ctrl) in batch.ctrl_mut(world).iter_mut().enumerate() {
            *ctrl = ((world * 31 + i * 7) % 23) as f64 / 11.0 - 1.0;
        }
    }
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn row(batch: &Batch, world: usize) -> Vec<u64> {
    let width = batch.layout().width();
    bits(&batch.state()[world * width..(world + 1) * width])
}

/// Lean worlds are the exact ones within rounding, with contacts, limits and activations.
#[test]
fn lean_worlds_agree_with_exact_ones() {
    let m = Arc::new(load(HUMANLIKE));
    let (mut exact, mut lean) = (batch(&m, 11, 2, false), batch(&m, 11, 2, true));
    disturb(&mut exact);
    disturb(&mut lean);
    let mut touched = [false; 11];
    for _ in 0..4 {
        assert_eq!(exact.step(Select::All, 5, Stage::None), Ok(0));
        assert_eq!(lean.step(Select::All, 5, Stage::None), Ok(0));
        for (world, touched) in touched.iter_mut().enumerate() {
            let mut d = exact.world_data(world).unwrap();
            forward(&m, &mut d).unwrap();
            *touched |= d.ncon > 0;
        }
    }
    let count = touched.iter().filter(|&&touched| touched).count();
    assert!(count > 5, "{count} worlds were seen to touch the floor");
    for world in 0..11 {
        for part in ["time", "qpos", "qvel", "act"] {
            for (a, b) in exact.part(world, part).unwrap().iter().zip(lean.part(world, part).unwrap()) {
                assert!((a - b).abs() < 1e-9, "world {world}: {part} {a} and {b}");
            }
        }
    }
    assert_ne!(bits(exact.state()), bits(lean.state()), "lean steps were taken");
}

/// The bits of a world depend neither on threads nor on the worlds beside it.
#[test]
fn bits_do_not_depend_on_threads_or_company() {
    let m = Arc::new(load(HUMANLIKE));
    let run = |threads: usize, calls: &[&[i32]], bound: bool| {
        let mut batch = batch(&m, 21, threads, true);
        disturb(&mut batch);
        if bound {
            batch.bind("xpos").unwrap();
        }
        for ids in calls {
            assert_eq!(batch.step(Select::Ids(ids), 20, Stage::None), Ok(0));
        }
        bits(batch.state())
    };
    let all: Vec<i32> = (0..21).collect();
    let (even, odd): (Vec<i32>, Vec<i32>) = all.iter().partition(|&id| id % 2 == 0);
    let single: Vec<&[i32]> = all.chunks(1).collect();
    for bound in [false, true] {
        let reference = run(1, &[&all], bound);
        for threads in [2, 4, 21] {
            assert_eq!(run(threads, &[&all], bound), reference, "{threads} threads");
        }
        assert_eq!(run(2, &[&odd, &even], bound), reference, "every other world");
        assert_eq!(run(1, &single, bound), reference, "one at a time");
    }
}

/// A world with bad numbers is reset, counted and reported as by exact steps, and changes no other.
#[test]
fn a_bad_world_changes_no_other() {
    let m = Arc::new(load(HUMANLIKE));
    let spoil: [fn(&mut Batch); 4] = [
        |batch| batch.qvel_mut(3)[1] = f64::NAN,
        |batch| batch.qpos_mut(3)[0] = f64::INFINITY,
        // at time 0 a reset shows neither in the time nor in the numbers before the step
        |batch| batch.qfrc_applied_mut(3)[7] = 1e300,
        |batch| batch.ctrl_mut(3)[0] = f64::NAN,
    ];
    for (kind, spoil) in spoil.iter().enumerate() {
        let mut batches = [batch(&m, 9, 2, true), batch(&m, 9, 2, true), batch(&m, 9, 2, false)];
        for (k, batch) in batches.iter_mut().enumerate() {
            disturb(batch);
            if k > 0 {
                spoil(batch);
            }
            assert_eq!(batch.step(Select::All, 3, Stage::None), Ok(0));
        }
        let [sound, lean, exact] = &batches;
        for world in 0..9 {
            if world == 3 {
                assert_eq!(row(lean, world), row(exact, world), "case {kind}");
                assert_eq!((lean.status()[world], lean.error(world)), (-1, exact.error(world)));
            } else {
                assert_eq!(row(lean, world), row(sound, world), "case {kind}: world {world}");
                assert_eq!(lean.status()[world], 0);
            }
        }
        assert_eq!(lean.warnings(), exact.warnings(), "case {kind}");
        let counted = [Warning::Badqvel, Warning::Badqpos, Warning::Badqacc, Warning::Badctrl][kind];
        let per_world = lean.warnings().len() / 9;
        assert!(lean.warnings()[3 * per_world + counted as usize][1] > 0, "case {kind} is counted");
    }
}

/// Fields that are bound are those of the state after the call.
#[test]
fn bound_fields_are_current() {
    let m = Arc::new(load(HUMANLIKE));
    let mut lean = batch(&m, 5, 1, true);
    disturb(&mut lean);
    for name in ["xpos", "sensordata"] {
        lean.bind(name).unwrap();
    }
    assert_eq!(lean.step(Select::All, 8, Stage::Acc), Ok(0));
    for world in 0..5 {
        let mut d = lean.world_data(world).unwrap();
        forward(&m, &mut d).unwrap();
        let values = |name: &str| match lean.result(name).unwrap().values.row(world) {
            ligament_model::array::ArrayRef::F64(x) => x.to_vec(),
            _ => panic!("not of type f64"),
        };
        assert_eq!(bits(&values("xpos")), bits(d.xpos.as_flattened()), "world {world}");
        for (a, b) in values("sensordata").iter().zip(&d.sensordata) {
            assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "world {world}: {a} and {b}");
        }
    }
}

/// A step of several stages leaves the fields of its last one, as an exact step does, whatever the number of threads.
#[test]
fn bound_fields_after_runge_kutta_are_those_of_the_last_stage() {
    let xml = HUMANLIKE.replace("<option ", "<option integrator='RK4' ");
    let start = xml.find("<sensor>").unwrap();
    let end = xml.find("<keyframe>").unwrap();
    let m = Arc::new(load(&format!("{}{}", &xml[..start], &xml[end..])));
    let names = ["xpos", "cvel", "qfrc_constraint", "cfrc_ext", "qacc"];
    let run = |threads: usize, lean: bool, stage: Stage| {
        let mut batch = batch(&m, 11, threads, lean);
        disturb(&mut batch);
        for name in names {
            batch.bind(name).unwrap();
        }
        for _ in 0..12 {
            assert_eq!(batch.step_with_body_forces(Select::All, 4, stage), Ok(0));
        }
        let fields = names.map(|name| match batch.result(name).unwrap().values.row(7) {
            ligament_model::array::ArrayRef::F64(x) => x.to_vec(),
            _ => panic!("not of type f64"),
        });
        (batch.state().to_vec(), fields)
    };
    for stage in [Stage::None, Stage::Pos] {
        let (exact, lean) = (run(1, false, stage), run(1, true, stage));
        assert_ne!(bits(&exact.0), bits(&lean.0), "lean steps were taken");
        for (name, (a, b)) in names.iter().zip(lean.1.iter().zip(&exact.1)) {
            let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8 * size), "{name}: {a:?} {b:?}");
            assert!(b.iter().any(|x| *x != 0.0), "{name} is computed");
        }
        assert_eq!(bits(&run(4, true, stage).0), bits(&lean.0));
    }
}

/// Every world with parameters of its own is the exact world with these parameters, and no other.
#[test]
fn own_parameters_hold() {
    let m = Arc::new(load(HUMANLIKE));
    let names = [
        "geom_friction",
        "body_mass",
        "dof_damping",
        "dof_armature",
        "actuator_gear",
        "geom_size",
        "opt.gravity",
    ];
    let run = |lean: bool, threads: usize, vary: bool| {
        let mut batch = batch(&m, 5, threads, lean);
        disturb(&mut batch);
        for name in names {
            let table = &mut batch.expand(name).unwrap().values;
            let width = table.width();
            let ArrayMut::F64(values) = table.values_mut() else { panic!("{name} is not of type f64") };
            for (world, row) in values.chunks_mut(width).enumerate().filter(|_| vary) {
                row.iter_mut().for_each(|x| *x *= 1.0 + 0.02 * world as f64);
            }
        }
        assert_eq!(batch.step(Select::All, 20, Stage::None), Ok(0));
        assert_eq!(batch.step(Select::All, 20, Stage::None), Ok(0));
        batch
    };
    let (exact, lean) = (run(false, 1, true), run(true, 1, true));
    assert_ne!(bits(exact.state()), bits(lean.state()), "lean steps were taken");
    for (a, b) in exact.state().iter().zip(lean.state()) {
        assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()), "{a} and {b}");
    }
    assert_eq!(bits(run(true, 3, true).state()), bits(lean.state()), "threads");
    let (mut exact, mut lean, mut spread) = (exact, lean, run(true, 3, true));
    let control: Vec<f64> = (0..5 * 12 * m.nu).map(|k| (k % 17) as f64 / 8.0 - 1.0).collect();
    let ids = [0, 1, 2, 3, 4];
    let (there, _) = roll(&mut exact, &ids, &control, 12);
    let (here, _) = roll(&mut lean, &ids, &control, 12);
    assert_ne!(bits(&there), bits(&here), "lean steps were taken");
    for (a, b) in there.iter().zip(&here) {
        assert!((a - b).abs() < 1e-7 * (1.0 + a.abs()), "{a} and {b}");
    }
    assert_eq!(bits(&roll(&mut spread, &ids, &control, 12).0), bits(&here), "threads");
    assert_ne!(bits(run(true, 1, false).state()), bits(lean.state()), "parameters matter");
}

/// What lean steps have not is named.
#[test]
fn a_refusal_names_the_feature() {
    let pgs = load(&HUMANLIKE.replace("timestep='.005'", "solver='PGS'"));
    let error = Batch::new(pgs, 2, &Config { lean: true, ..Config::default() }).err();
    let Some(BatchError::Lean(refusal)) = &error else { panic!("{error:?}") };
    assert_eq!(refusal.feature, "the PGS solver");
}

/// F10.5: once warm, a call of lean steps allocates nothing, whether fields are bound or not.
#[test]
fn a_warm_lean_call_allocates_nothing() {
    let m = Arc::new(load(HUMANLIKE));
    for bound in [false, true] {
        let mut lean = batch(&m, 11, 1, true);
        if bound {
            lean.bind("xpos").unwrap();
        }
        let start = lean.state().to_vec();
        // the same run is made three times: buffers have their size after the first
        for round in 0..3 {
            lean.state_mut().copy_from_slice(&start);
            disturb(&mut lean);
            let before = allocations();
            for _ in 0..30 {
                lean.step(Select::All, 5, Stage::None).unwrap();
            }
            assert!(round == 0 || allocations() == before, "{} allocations", allocations() - before);
        }
    }
}

/// The states after each of `steps` steps with a control for each, and where the worlds are then.
fn roll(batch: &mut Batch, ids: &[i32], control: &[f64], steps: usize) -> (Vec<f64>, Vec<f64>) {
    let (spec, m) = (State::Physics as i32 | State::Time as i32 | State::Ctrl as i32, batch.model().clone());
    let width = ligament_sim::state::state_size(&m, spec).unwrap();
    let (mut states, mut qvel) = (vec![0.0; ids.len() * steps * width], vec![0.0; ids.len() * steps * m.nv]);
    let records = [
        Record { what: Recorded::State(spec), out: RecordParts::new(ArrayMut::F64(&mut states), ids.len()) },
        Record {
            what: Recorded::find("qvel").unwrap(),
            out: RecordParts::new(ArrayMut::F64(&mut qvel), ids.len()),
        },
    ];
    batch.rollout(Select::Ids(ids), steps, Some(control), State::Ctrl as i32, &records).unwrap();
    (states, qvel)
}

/// A lean rollout records what an exact one does within rounding, keeps the last inputs, and is the lean steps one by one.
#[test]
fn lean_rollouts_agree_with_exact_ones() {
    let m = Arc::new(load(HUMANLIKE));
    let (mut exact, mut lean, mut alone) =
        (batch(&m, 13, 2, false), batch(&m, 13, 2, true), batch(&m, 13, 2, true));
    let ids: Vec<i32> = (1..12).collect();
    let steps = 20;
    let control: Vec<f64> =
        (0..ids.len() * steps * m.nu).map(|i| ((i * 37) % 101) as f64 / 50.0 - 1.0).collect();
    for batch in [&mut exact, &mut lean, &mut alone] {
        disturb(batch);
    }
    let (expected, velocities) = roll(&mut exact, &ids, &control, steps);
    let (recorded, lean_velocities) = roll(&mut lean, &ids, &control, steps);
    for (a, b) in expected.iter().chain(&velocities).zip(recorded.iter().chain(&lean_velocities)) {
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} and {b}");
    }
    assert_ne!(bits(&expected), bits(&recorded), "lean steps were taken");
    for k in 0..steps {
        for (item, &id) in ids.iter().enumerate() {
            let input = &control[(item * steps + k) * m.nu..][..m.nu];
            alone.ctrl_mut(id as usize).copy_from_slice(input);
        }
        alone.step(Select::Ids(&ids), 1, Stage::None).unwrap();
    }
    assert_eq!(bits(lean.state()), bits(alone.state()));
}

/// A world that goes bad in a lean rollout has the records of an exact one, at its own place; the others keep every bit.
#[test]
fn a_bad_world_in_a_lean_rollout() {
    let m = Arc::new(load(HUMANLIKE));
    let ids: Vec<i32> = vec![0, 2, 3, 5, 6, 7, 8];
    let control = vec![0.3; ids.len() * 10 * m.nu];
    let run = |lean: bool, spoil: bool| {
        let mut batch = batch(&m, 9, 2, lean);
        disturb(&mut batch);
        if spoil {
            batch.qvel_mut(5)[0] = f64::NAN;
        }
        let (states, _) = roll(&mut batch, &ids, &control, 10);
        let width = states.len() / ids.len();
        let rows: Vec<Vec<u64>> = states.chunks(width).map(bits).collect();
        (rows, batch.status().to_vec())
    };
    let (sound, _) = run(true, false);
    let (spoilt, status) = run(true, true);
    let (exact, exact_status) = run(false, true);
    assert_eq!((&spoilt[3], &status), (&exact[3], &exact_status));
    assert_eq!(status[5], -1);
    for item in (0..ids.len()).filter(|&item| item != 3) {
        assert_eq!(spoilt[item], sound[item], "place {item}");
    }
}
