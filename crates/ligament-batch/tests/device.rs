//! Worlds of a batch on an emulated device against the same worlds on the CPU: one type, the same calls.
#![cfg(feature = "emulated")]

mod support;
use ligament_batch::{
    Batch, BatchError, Config, Device, Distribution, Effect, Precision, Randomize, Record, RecordParts,
    Recorded, Select,
};
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::enums::{Stage, State};
use support::{HUMANLIKE, load};

const WORLDS: usize = 5;

fn on(device: Device) -> Batch {
    let mut batch = Batch::new(load(HUMANLIKE), WORLDS, &Config { device, ..Config::default() }).unwrap();
    for world in 0..WORLDS {
        for (i, ctrl) in batch.ctrl_mut(world).iter_mut().enumerate() {
            *ctrl = ((world * 7 + i * 3) % 11) as f64 / 11.0 - 0.5;
        }
    }
    batch
}

/// The same calls on a device and on the CPU.
fn both(calls: impl Fn(&mut Batch)) -> (Batch, Batch) {
    let (mut there, mut here) = (on(Device::Emulated(Precision::F64)), on(Device::Cpu));
    calls(&mut there);
    calls(&mut here);
    (there, here)
}

fn numbers(values: ArrayRef<'_>) -> Vec<f64> {
    match values {
        ArrayRef::F64(x) => x.to_vec(),
        ArrayRef::I32(x) => x.iter().map(|&x| f64::from(x)).collect(),
        _ => panic!("neither f64 nor i32"),
    }
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

fn agree(there: &Batch, here: &Batch) {
    assert!(far(there.state(), here.state()) < 1e-9, "{:e}", far(there.state(), here.state()));
    for result in &here.worlds().results {
        let all = |batch: &Batch| -> Vec<f64> {
            let values = &batch.result(&result.name).unwrap().values;
            (0..WORLDS).flat_map(|world| numbers(values.row(world))).collect()
        };
        let worst = far(&all(there), &all(here));
        assert!(worst < 1e-8, "{}: {worst:e}", result.name);
    }
}

/// F11.1: steps, stages, chosen worlds, resets; bound fields, those that the kernels lack included.
#[test]
fn calls_do_the_same_on_a_device() {
    let (there, here) = both(|batch| {
        for name in ["xpos", "qacc", "ncon", "sensordata", "cinert"] {
            batch.bind(name).unwrap();
        }
        batch.step(Select::All, 10, Stage::None).unwrap();
        batch.qvel_mut(2)[0] += 0.5;
        batch.step(Select::Ids(&[1, 2, 4]), 5, Stage::Vel).unwrap();
        batch.reset(Select::Ids(&[0, 3]), &[-1], Stage::Acc).unwrap();
        batch.step(Select::All, 3, Stage::Acc).unwrap();
    });
    agree(&there, &here);
    assert!(there.status().iter().all(|&status| status == 0));
}

/// What the kernels write alone, without steps of the CPU.
#[test]
fn fields_of_the_kernels_are_copied_out() {
    let (there, here) = both(|batch| {
        for name in ["xquat", "cvel", "actuator_force"] {
            batch.bind(name).unwrap();
        }
        batch.step(Select::All, 7, Stage::None).unwrap();
        batch.step(Select::Ids(&[3]), 2, Stage::Vel).unwrap();
        batch.forward(Select::Ids(&[0]), Stage::Acc).unwrap();
    });
    agree(&there, &here);
}

/// Functions of the user see the device's state, and what they change is the state there.
#[test]
fn functions_run_on_the_state_of_the_device() {
    let (there, here) = both(|batch| {
        batch.step(Select::All, 4, Stage::None).unwrap();
        let push = |_: &_, d: &mut ligament_model::Data, at: ligament_batch::At| {
            d.qvel[1] += at.world as f64 / 10.0;
            Ok(())
        };
        batch.apply(Select::Ids(&[1, 3]), &push, true).unwrap();
        batch.step(Select::All, 4, Stage::None).unwrap();
    });
    agree(&there, &here);
    assert!(far(&there.world_data(3).unwrap().qpos, here.qpos(3)) < 1e-9);
}

#[test]
fn rollouts_do_the_same_on_a_device() {
    let record = |batch: &mut Batch| {
        let (m, steps, ids) = (batch.model().clone(), 6, [0, 2, 3]);
        let control: Vec<f64> =
            (0..ids.len() * steps * m.nu).map(|i| ((i * 5) % 13) as f64 / 13.0 - 0.5).collect();
        let (mut states, mut poses) =
            (vec![0.0; 3 * steps * (m.nq + m.nv)], vec![0.0; 3 * steps * 3 * m.nbody]);
        let records = [
            Record {
                what: Recorded::State(State::Qpos as i32 | State::Qvel as i32),
                out: RecordParts::new(ArrayMut::F64(&mut states), 3),
            },
            Record {
                what: Recorded::find("xpos").unwrap(),
                out: RecordParts::new(ArrayMut::F64(&mut poses), 3),
            },
        ];
        batch.rollout(Select::Ids(&ids), steps, Some(&control), State::Ctrl as i32, &records).unwrap();
        (states, poses)
    };
    let (mut there, mut here) = both(|_| {});
    let (found, expected) = (record(&mut there), record(&mut here));
    assert!(far(&found.0, &expected.0) < 1e-9 && far(&found.1, &expected.1) < 1e-9);
    agree(&there, &here);
}

/// Parameters of their own for worlds, with the constants that follow from them.
#[test]
fn worlds_differ_on_a_device() {
    let (there, here) = both(|batch| {
        let what = Randomize {
            field: "body_mass",
            elements: None,
            distribution: Distribution::Uniform { low: 0.5, high: 2.0 },
            effect: Effect::Scale,
            together: false,
            seed: 5,
        };
        batch.randomize(Select::All, &what).unwrap();
        batch.set_const(Select::All).unwrap();
        batch.step(Select::All, 20, Stage::None).unwrap();
    });
    agree(&there, &here);
    let model = there.world_model(1).unwrap();
    assert!(model.body_mass[..] != there.model().body_mass[..]);
}

#[test]
fn what_a_device_lacks_is_refused() {
    let device = Device::Emulated(Precision::F32);
    let config = Config { device, persistent: true, ..Config::default() };
    let refused = Batch::new(load(HUMANLIKE), 2, &config).err().unwrap();
    assert!(
        matches!(&refused, BatchError::DeviceLacks(said) if said.contains("kept for every world")),
        "{refused}"
    );
    let mut batch = on(device);
    assert!(batch.device().is_some() && on(Device::Cpu).device().is_none());
    let mut device = batch.device().unwrap();
    let refused = device.lend("efc_force").unwrap_err().to_string();
    assert!(refused.contains("'efc_force'"), "{refused}");
    assert_eq!(device.lend("qpos").unwrap().1, load(HUMANLIKE).nq);
}
