//! Worlds of a batch against the same worlds stepped alone.

mod support;
use ligament_batch::{
    Batch, BatchError, Config, Interrupt, Models, Record, RecordParts, Recorded, SIGNATURE, Select,
    WorldError,
};
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::enums::{Stage, State, Warning};
use ligament_model::{Data, Model};
use ligament_sim::reset::{make_data, reset_data};
use ligament_sim::setconst::set_const;
use ligament_sim::state::get_state;
use ligament_sim::step::{forward, step};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::{HUMANLIKE, PILE, SLEEPY, load};

fn config(threads: usize, persistent: bool) -> Config {
    Config { threads, persistent, ..Config::default() }
}

/// A push that differs between worlds and steps.
fn push(world: usize, k: usize, i: usize) -> f64 {
    ((world * 31 + k * 17 + i * 7) % 23) as f64 / 11.0 - 1.0
}

fn row(m: &Model, d: &Data) -> Vec<f64> {
    let mut row = vec![0.0; ligament_sim::state::state_size(m, SIGNATURE).unwrap()];
    get_state(m, d, &mut row, SIGNATURE).unwrap();
    row
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn f64s(values: ArrayRef<'_>) -> &[f64] {
    match values {
        ArrayRef::F64(x) => x,
        _ => panic!("not of type f64"),
    }
}

/// Worlds that start differently, stepped alone: their rows and `xpos` after `steps` steps.
fn alone(m: &Model, worlds: usize, steps: usize) -> (Vec<Vec<u64>>, Vec<Vec<u64>>) {
    let mut rows = Vec::new();
    let mut poses = Vec::new();
    for world in 0..worlds {
        let mut d = make_data(m).unwrap();
        for k in 0..steps {
            for i in 0..m.nu {
                d.ctrl[i] = push(world, k, i);
            }
            for i in 0..m.nv {
                d.qfrc_applied[i] = 0.1 * push(world, k, i + 3);
            }
            step(m, &mut d).unwrap();
        }
        rows.push(bits(&row(m, &d)));
        poses.push(bits(d.xpos.as_flattened()));
    }
    (rows, poses)
}

fn push_all(batch: &mut Batch, k: usize) {
    for world in 0..batch.nsim() {
        for (i, x) in batch.ctrl_mut(world).iter_mut().enumerate() {
            *x = push(world, k, i);
        }
        for (i, x) in batch.qfrc_applied_mut(world).iter_mut().enumerate() {
            *x = 0.1 * push(world, k, i + 3);
        }
    }
}

/// F10.1: any number of threads gives exactly the numbers of stepping each world alone.
#[test]
fn same_bits_as_alone_for_any_number_of_threads() {
    const WORLDS: usize = 11;
    for text in [HUMANLIKE, PILE] {
        let m = Arc::new(load(text));
        let (rows, poses) = alone(&m, WORLDS, 40);
        let mut readings: [Option<Vec<u64>>; 2] = [None, None];
        for threads in [1, 2, 4, 8] {
            for persistent in [false, true] {
                for stage in [Stage::None, Stage::Vel] {
                    let mut batch = Batch::new(m.clone(), WORLDS, &config(threads, persistent)).unwrap();
                    batch.bind("xpos").unwrap();
                    batch.bind("sensordata").unwrap();
                    for k in 0..40 {
                        push_all(&mut batch, k);
                        assert_eq!(batch.step(Select::All, 1, stage).unwrap(), 0);
                    }
                    let sensors = bits(f64s(batch.result("sensordata").unwrap().values.values()));
                    let known =
                        readings[usize::from(stage == Stage::Vel)].get_or_insert_with(|| sensors.clone());
                    assert_eq!(*known, sensors, "{threads} threads, persistent {persistent}");
                    let width = batch.layout().width();
                    for world in 0..WORLDS {
                        let got = bits(&batch.state()[world * width..(world + 1) * width]);
                        assert_eq!(got, rows[world], "{threads} threads, world {world}");
                        if stage == Stage::None {
                            let table = &batch.result("xpos").unwrap().values;
                            assert_eq!(bits(f64s(table.row(world))), poses[world]);
                        }
                    }
                }
            }
        }
    }
}

/// F10.1: the order of calls and the worlds that run together do not matter.
#[test]
fn same_bits_in_any_order() {
    let m = Arc::new(load(PILE));
    let mut together = Batch::new(m.clone(), 6, &config(2, false)).unwrap();
    let mut apart = Batch::new(m, 6, &config(3, false)).unwrap();
    for k in 0..30 {
        push_all(&mut together, k);
        push_all(&mut apart, k);
        together.step(Select::All, 1, Stage::None).unwrap();
        apart.step(Select::Ids(&[1, 4, 5]), 1, Stage::None).unwrap();
        apart.step(Select::Ids(&[0]), 1, Stage::None).unwrap();
        apart.step(Select::Ids(&[2, 3]), 1, Stage::None).unwrap();
    }
    assert_eq!(bits(together.state()), bits(apart.state()));
}

/// F10.2: a row is a world; qpos and then qvel follow the time in it.
#[test]
fn rows_are_worlds_and_columns_qpos_then_qvel() {
    let m = Arc::new(load(HUMANLIKE));
    let mut batch = Batch::new(m.clone(), 3, &config(2, false)).unwrap();
    push_all(&mut batch, 1);
    batch.step(Select::All, 3, Stage::None).unwrap();
    for world in 0..3 {
        let d = batch.world_data(world).unwrap();
        let row = &batch.state()[world * batch.layout().width()..][..1 + m.nq + m.nv];
        assert_eq!(row[0], d.time);
        assert_eq!(row[1..1 + m.nq], d.qpos[..]);
        assert_eq!(row[1 + m.nq..], d.qvel[..]);
    }
}

/// F10.3: one bad world is reported and reset; the others keep every bit.
#[test]
fn a_bad_world_changes_no_other() {
    let m = Arc::new(load(PILE));
    for bad in [f64::NAN, f64::INFINITY, 1e12] {
        let mut good = Batch::new(m.clone(), 5, &config(2, false)).unwrap();
        let mut poisoned = Batch::new(m.clone(), 5, &config(2, false)).unwrap();
        for k in 0..20 {
            for batch in [&mut good, &mut poisoned] {
                push_all(batch, k);
            }
            if k == 7 {
                poisoned.qpos_mut(2)[0] = bad;
            }
            good.step(Select::All, 1, Stage::None).unwrap();
            assert_eq!(poisoned.step(Select::All, 1, Stage::None).unwrap(), 0);
            assert_eq!(poisoned.status()[2], if k == 7 { -1 } else { 0 });
            if k == 7 {
                let expected = WorldError::Diverged { warning: Warning::Badqpos, index: 0, reset: true };
                assert_eq!(poisoned.error(2), Some(&expected));
            }
        }
        for world in [0, 1, 3, 4] {
            assert_eq!(bits(good.qpos(world)), bits(poisoned.qpos(world)));
            assert_eq!(bits(good.qvel(world)), bits(poisoned.qvel(world)));
        }
        let mut d = make_data(&m).unwrap();
        for k in 7..20 {
            d.ctrl.iter_mut().enumerate().for_each(|(i, x)| *x = push(2, k, i));
            d.qfrc_applied.iter_mut().enumerate().for_each(|(i, x)| *x = 0.1 * push(2, k, i + 3));
            if k == 7 {
                d.qpos[0] = bad;
            }
            step(&m, &mut d).unwrap();
        }
        assert_eq!(bits(poisoned.qpos(2)), bits(&d.qpos), "as alone");
    }
}

/// F10.3: a panic in one world is its own affair.
#[test]
fn a_panic_is_reported_and_changes_no_other() {
    let m = Arc::new(load(PILE));
    let mut good = Batch::new(m.clone(), 4, &config(2, false)).unwrap();
    let mut bad = Batch::new(m, 4, &config(2, false)).unwrap();
    for k in 0..10 {
        let run = |fails: bool| {
            move |m: &Model, d: &mut Data, at: ligament_batch::At| {
                assert!(!(fails && at.world == 1 && k == 5), "on purpose");
                Ok(step(m, d)?)
            }
        };
        assert_eq!(good.apply(Select::All, &run(false), true).unwrap(), 0);
        let before = bits(bad.qpos(1));
        assert_eq!(bad.apply(Select::All, &run(true), true).unwrap(), usize::from(k == 5));
        if k == 5 {
            assert_eq!(bad.error(1), Some(&WorldError::Panic("on purpose".into())));
            assert_eq!(bits(bad.qpos(1)), before, "it keeps its state");
        }
    }
    for world in [0, 2, 3] {
        assert_eq!(bits(good.qpos(world)), bits(bad.qpos(world)));
    }
}

/// F10.6: a reset touches only the flagged worlds.
#[test]
fn reset_where_touches_only_the_flagged() {
    let m = Arc::new(load(PILE));
    let mut batch = Batch::new(m.clone(), 5, &config(2, false)).unwrap();
    batch.bind("xpos").unwrap();
    batch.step(Select::All, 10, Stage::None).unwrap();
    let (state, poses) =
        (batch.state().to_vec(), f64s(batch.result("xpos").unwrap().values.values()).to_vec());
    batch.reset_where(&[false, true, false, false, true]).unwrap();
    let (width, poses_width) = (batch.layout().width(), 3 * m.nbody);
    for world in [0, 2, 3] {
        let range = world * width..(world + 1) * width;
        assert_eq!(bits(&batch.state()[range.clone()]), bits(&state[range]));
        let range = world * poses_width..(world + 1) * poses_width;
        let now = f64s(batch.result("xpos").unwrap().values.values());
        assert_eq!(bits(&now[range.clone()]), bits(&poses[range]));
    }
    for world in [1, 4] {
        assert_eq!(batch.qpos(world), &m.qpos0[..]);
    }
    assert!(matches!(batch.reset_where(&[true]), Err(BatchError::Length { .. })));
}

/// Worlds that may sleep need their own data, and then have the bits of one alone.
#[test]
fn sleeping_worlds_are_persistent() {
    let m = Arc::new(load(SLEEPY));
    assert_eq!(Batch::new(m.clone(), 2, &config(1, false)).err(), Some(BatchError::SleepNeedsPersistent));
    let mut batch = Batch::new(m.clone(), 3, &config(2, true)).unwrap();
    let mut d = make_data(&m).unwrap();
    for k in 0..400 {
        batch.step(Select::All, 1, if k % 2 == 0 { Stage::Vel } else { Stage::None }).unwrap();
        step(&m, &mut d).unwrap();
    }
    assert!(d.ntree_awake < m.ntree, "something fell asleep");
    for world in 0..3 {
        assert_eq!(bits(batch.qpos(world)), bits(&d.qpos));
        assert_eq!(batch.world_data(world).unwrap().tree_asleep, d.tree_asleep);
    }
}

/// Parameters of each world's own, and the constants that follow from them.
#[test]
fn own_parameters_and_constants() {
    const WORLDS: usize = 6;
    let m = Arc::new(load(HUMANLIKE));
    let mut batch = Batch::new(m.clone(), WORLDS, &config(3, false)).unwrap();
    let scale = |world: usize| 0.5 + 0.3 * world as f64;
    for world in 0..WORLDS {
        for (name, power) in [("body_mass", 1.0), ("body_inertia", 1.0), ("geom_friction", -1.0)] {
            let width = batch.expand(name).unwrap().values.width();
            let ArrayMut::F64(values) = batch.expand(name).unwrap().values.values_mut() else { panic!() };
            values[world * width..(world + 1) * width]
                .iter_mut()
                .for_each(|x| *x *= f64::powf(scale(world), power));
        }
    }
    assert_eq!(batch.set_const(Select::All).unwrap(), 0);
    assert!(batch.expanded("body_invweight0").is_some_and(|own| own.derived));
    assert!(batch.expanded("body_pos").is_none());
    batch.step(Select::All, 20, Stage::None).unwrap();
    for world in 0..WORLDS {
        let mut own = (*m).clone();
        own.body_mass.iter_mut().for_each(|x| *x *= scale(world));
        own.body_inertia.as_flattened_mut().iter_mut().for_each(|x| *x *= scale(world));
        own.geom_friction.as_flattened_mut().iter_mut().for_each(|x| *x *= f64::powf(scale(world), -1.0));
        let mut d = make_data(&own).unwrap();
        set_const(&mut own, &mut d).unwrap();
        assert!(batch.world_model(world).unwrap() == own, "every field of world {world}");
        reset_data(&own, &mut d).unwrap();
        (0..20).for_each(|_| step(&own, &mut d).unwrap());
        assert_eq!(bits(batch.qpos(world)), bits(&d.qpos));
    }
}

/// A persistent batch notices parameters that changed between the halves of a step.
#[test]
fn continuation_ends_when_parameters_change() {
    let m = Arc::new(load(HUMANLIKE));
    let run = |persistent: bool| {
        let mut batch = Batch::new(m.clone(), 3, &config(2, persistent)).unwrap();
        batch.expand("opt.gravity").unwrap();
        for k in 0..20 {
            push_all(&mut batch, k);
            if k % 3 == 0 {
                let ArrayMut::F64(values) = batch.expand("opt.gravity").unwrap().values.values_mut() else {
                    panic!()
                };
                values.iter_mut().enumerate().for_each(|(i, x)| *x = -(i as f64) - k as f64 * 0.1);
            }
            if k % 5 == 0 {
                batch.qvel_mut(1)[0] += 0.1;
            }
            batch.step(Select::All, 2, Stage::Vel).unwrap();
        }
        bits(batch.state())
    };
    assert_eq!(run(true), run(false));
}

/// A parameter that points outside of the model fails in its world only.
#[test]
fn inconsistent_parameters_fail_in_their_world() {
    let m = Arc::new(load(HUMANLIKE));
    let mut batch = Batch::new(m, 3, &config(1, false)).unwrap();
    let width = batch.expand("geom_bodyid").unwrap().values.width();
    let ArrayMut::I32(values) = batch.expand("geom_bodyid").unwrap().values.values_mut() else { panic!() };
    values[width] = 1000;
    assert_eq!(batch.step(Select::All, 1, Stage::None).unwrap(), 1);
    assert!(matches!(batch.error(1), Some(WorldError::Parameters(_))));
    assert_eq!((batch.time(0)[0] > 0.0, batch.time(1)[0], batch.time(2)[0] > 0.0), (true, 0.0, true));
}

/// Models of the caller.
#[test]
fn caller_models() {
    let m = Arc::new(load(HUMANLIKE));
    let variants: Vec<Arc<Model>> = (0..3)
        .map(|i| {
            let mut variant = (*m).clone();
            variant.opt.gravity[2] = -(i as f64);
            Arc::new(variant)
        })
        .collect();
    let mut batch = Batch::new(m.clone(), 3, &config(2, true)).unwrap();
    batch.set_models(Some(Models::Each(variants.clone()))).unwrap();
    assert_eq!(batch.expand("body_mass").err(), Some(BatchError::CallerModels));
    assert_eq!(batch.set_const(Select::All), Err(BatchError::CallerModels));
    batch.step(Select::All, 10, Stage::None).unwrap();
    for (world, variant) in variants.iter().enumerate() {
        let mut d = make_data(variant).unwrap();
        (0..10).for_each(|_| step(variant, &mut d).unwrap());
        assert_eq!(bits(batch.qpos(world)), bits(&d.qpos));
    }
    let other = Arc::new(load(PILE));
    let refused = batch.set_models(Some(Models::One(other)));
    assert_eq!(refused, Err(BatchError::ModelSizes { index: 0 }));
    batch.set_models(None).unwrap();
    batch.expand("body_mass").unwrap();
    assert_eq!(batch.set_models(Some(Models::One(m))), Err(BatchError::OwnParameters));
}

/// Inputs per sub-step, records after each.
#[test]
fn rollout_records_every_step() {
    const STEPS: usize = 9;
    let m = Arc::new(load(HUMANLIKE));
    let mut batch = Batch::new(m.clone(), 4, &config(2, false)).unwrap();
    let ids = [0, 2, 3];
    let control: Vec<f64> =
        (0..3 * STEPS * m.nu).map(|i| push(i / (STEPS * m.nu), i / m.nu % STEPS, i % m.nu)).collect();
    let (mut qpos, mut ncon) = (vec![0.0; 3 * STEPS * m.nq], vec![0; 3 * STEPS]);
    let mut full = vec![0.0; 3 * STEPS * (1 + m.nq + m.nv + m.na)];
    let record = |what, out| Record { what, out: RecordParts::new(out, 3) };
    let records = [
        record(Recorded::find("qpos").unwrap(), ArrayMut::F64(&mut qpos)),
        record(Recorded::find("ncon").unwrap(), ArrayMut::I32(&mut ncon)),
        record(Recorded::State(State::Fullphysics as i32), ArrayMut::F64(&mut full)),
    ];
    batch.rollout(Select::Ids(&ids), STEPS, Some(&control), State::Ctrl as i32, &records).unwrap();
    for item in 0..3 {
        let mut d = make_data(&m).unwrap();
        for k in 0..STEPS {
            d.ctrl.copy_from_slice(&control[(item * STEPS + k) * m.nu..][..m.nu]);
            step(&m, &mut d).unwrap();
            let at = item * STEPS + k;
            assert_eq!(bits(&qpos[at * m.nq..][..m.nq]), bits(&d.qpos));
            assert_eq!(ncon[at], d.ncon as i32);
            assert_eq!(full[at * (1 + m.nq + m.nv + m.na)], d.time);
        }
    }
    assert_eq!(batch.time(1), &[0.0]);
    assert_eq!(batch.time(0), &[full[(STEPS - 1) * (1 + m.nq + m.nv + m.na)]]);
}

/// Derived fields are those of the new state when a stage is asked for.
#[test]
fn stages_make_results_current() {
    let m = Arc::new(load(HUMANLIKE));
    for persistent in [false, true] {
        let mut batch = Batch::new(m.clone(), 3, &config(2, persistent)).unwrap();
        for name in ["xpos", "cvel", "sensordata", "qacc"] {
            batch.bind(name).unwrap();
        }
        for stage in [Stage::Vel, Stage::Acc] {
            batch.step(Select::All, 4, stage).unwrap();
            for world in 0..3 {
                let mut d = batch.world_data(world).unwrap();
                forward(&m, &mut d).unwrap();
                let value = |name: &str| bits(f64s(batch.result(name).unwrap().values.row(world)));
                assert_eq!(value("xpos"), bits(d.xpos.as_flattened()));
                assert_eq!(value("cvel"), bits(d.cvel.as_flattened()));
                assert_eq!(value("qacc") == bits(&d.qacc), stage == Stage::Acc);
            }
        }
    }
}

/// Contacts are found in every world, however many there are: buffers grow.
#[test]
fn no_world_loses_a_contact() {
    let bodies: String = (0..40)
        .map(|i| {
            let (x, y) = (0.15 * f64::from(i % 7), 0.15 * f64::from(i / 7));
            format!("<body pos='{x} {y} .049'><freejoint/><geom type='box' size='.05 .05 .05'/></body>")
        })
        .collect();
    let text = format!("<mujoco><worldbody><geom type='plane' size='5 5 1'/>{bodies}</worldbody></mujoco>");
    let m = Arc::new(load(&text));
    let mut batch = Batch::new(m.clone(), 3, &config(1, false)).unwrap();
    batch.bind("ncon").unwrap();
    // the first world, which warms the workspace, has all boxes in the air
    batch.qpos_mut(0).chunks_exact_mut(7).for_each(|q| q[2] += 1.0);
    batch.forward(Select::All, Stage::Pos).unwrap();
    let ArrayRef::I32(ncon) = batch.result("ncon").unwrap().values.values() else { panic!() };
    assert_eq!(ncon, [0, 160, 160]);
}

/// What a call does not compute is zero, and not what another world has left behind; forces of bodies come if asked for.
#[test]
fn results_that_were_not_computed_are_zero() {
    let m = load(PILE);
    let mut batch = Batch::new(m, 3, &Config { threads: 1, ..Config::default() }).unwrap();
    batch.bind("cfrc_ext").unwrap();
    batch.bind("cvel").unwrap();
    let largest =
        |batch: &Batch, name: &str, world: usize| match batch.result(name).unwrap().values.row(world) {
            ArrayRef::F64(x) => x.iter().fold(0.0, |most: f64, x| most.max(x.abs())),
            _ => panic!("not of type f64"),
        };
    batch.step_with_body_forces(Select::All, 40, Stage::None).unwrap();
    let touching = largest(&batch, "cfrc_ext", 1);
    assert!(touching > 1.0, "the floor pushes with {touching}");
    batch.step(Select::Ids(&[2]), 1, Stage::None).unwrap();
    assert_eq!((largest(&batch, "cfrc_ext", 2), largest(&batch, "cfrc_ext", 1)), (0.0, touching));
    assert!(largest(&batch, "cvel", 2) > 0.0);
    batch.forward(Select::Ids(&[2]), Stage::Pos).unwrap();
    assert_eq!(largest(&batch, "cvel", 2), 0.0);
}

/// F10.1: energies that a sensor reads of the step before are the world's own, and not those of the world before it.
#[test]
fn energies_do_not_wander_between_worlds() {
    let text = "<mujoco><worldbody><body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>\
        <sensor><e_kinetic/><e_potential/></sensor></mujoco>";
    let m = Arc::new(load(text));
    let mut batch = Batch::new(m.clone(), 2, &Config { threads: 1, ..Config::default() }).unwrap();
    batch.bind("sensordata").unwrap();
    let mut alone = [make_data(&m).unwrap(), make_data(&m).unwrap()];
    for (world, d) in alone.iter_mut().enumerate() {
        d.qvel[0] = 1.0 + world as f64;
        batch.qvel_mut(world)[0] = d.qvel[0];
    }
    for _ in 0..5 {
        batch.step(Select::All, 1, Stage::None).unwrap();
        for (world, d) in alone.iter_mut().enumerate() {
            step(&m, d).unwrap();
            match batch.result("sensordata").unwrap().values.row(world) {
                ArrayRef::F64(seen) => assert_eq!(seen, &d.sensordata[..], "world {world}"),
                _ => panic!("not of type f64"),
            }
        }
    }
}

/// A call that is interrupted ends soon, with every world where it was before; the next call runs.
#[test]
fn an_interrupted_call_ends() {
    let m = Arc::new(load(HUMANLIKE));
    for (lean, bound) in [(false, false), (true, false), (true, true)] {
        let stop = Arc::new(AtomicBool::new(true));
        let asked = stop.clone();
        let interrupt: Interrupt = Arc::new(move || asked.load(Ordering::Relaxed));
        let config = Config { threads: 2, lean, interrupt: Some(interrupt), ..Config::default() };
        let mut batch = Batch::new(m.clone(), 20, &config).unwrap();
        if bound {
            batch.bind("xpos").unwrap();
        }
        let before = batch.state().to_vec();
        assert_eq!(batch.step(Select::All, 1 << 30, Stage::None), Ok(20), "days of steps end at once");
        assert_eq!(batch.state(), before);
        assert_eq!(batch.error(7), Some(&WorldError::Interrupted));
        stop.store(false, Ordering::Relaxed);
        assert_eq!(batch.step(Select::All, 3, Stage::None), Ok(0));
        assert!(batch.state() != before && batch.error(7).is_none());
    }
}
