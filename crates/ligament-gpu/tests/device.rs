//! On a GPU: `scripts/test-gpu`, or `cargo test -p ligament-gpu --features cuda --test device -- --ignored --nocapture`.
#![cfg(feature = "cuda")]

use ligament::prelude::*;
use ligament_gpu::Precision;
use ligament_gpu::device::{Field, GpuWorlds};
use ligament_model::enums::DisableBit;
use std::time::Instant;

/// Deterministic numbers in [-1, 1).
struct Noise(u64);
impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn humanoid() -> Model {
    ligament::load_model(include_str!("../../ligament-cli/models/humanoid.xml")).unwrap()
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
}

fn controls(model: &Model, count: usize) -> Vec<f64> {
    let mut noise = Noise(5);
    (0..count * model.nu).map(|_| noise.next()).collect()
}

/// Positions of `count` worlds after `steps` steps on the CPU, each with controls of its own.
fn on_the_cpu(model: &Model, ctrl: &[f64], count: usize, steps: usize) -> Vec<f64> {
    let mut qpos = Vec::new();
    for w in 0..count {
        let mut data = model.make_data().unwrap();
        data.ctrl.copy_from_slice(&ctrl[w * model.nu..(w + 1) * model.nu]);
        for _ in 0..steps {
            data.step(model).unwrap();
        }
        qpos.extend_from_slice(&data.qpos);
    }
    qpos
}

/// Largest difference of the positions of each world to the CPU's, after 100 steps with controls of its own.
fn after_100_steps(model: &Model, precision: Precision) -> Vec<f64> {
    let ctrl = controls(model, 32);
    let cpu = on_the_cpu(model, &ctrl, 32, 100);
    let mut worlds = GpuWorlds::new(model, 32, precision).unwrap();
    worlds.write(Field::Ctrl, &ctrl).unwrap();
    worlds.step(100).unwrap();
    let qpos = worlds.read(Field::Qpos).unwrap();
    qpos.chunks_exact(model.nq).zip(cpu.chunks_exact(model.nq)).map(|(a, b)| far(a, b)).collect()
}

/// Worlds of which not all run at a time take turns on the multiprocessors: each has the bits that it has among few, also
/// where some need more room in the middle of a call (those with controls pile up at another time).
#[test]
#[ignore = "needs a GPU"]
fn turns_change_nothing() {
    let model = humanoid();
    let (many, few) = (6001, 65);
    let ctrl = controls(&model, many);
    let run = |count: usize| {
        let mut worlds = GpuWorlds::new(&model, count, Precision::F32).unwrap();
        worlds.write(Field::Ctrl, &ctrl[..count * model.nu]).unwrap();
        for steps in [1, 2, 5, 10, 100, 300] {
            worlds.step(steps).unwrap();
        }
        [Field::Qpos, Field::Qvel, Field::Time].map(|field| worlds.read(field).unwrap())
    };
    for (all, some) in run(many).iter().zip(&run(few)) {
        let width = some.len() / few;
        assert_eq!(all.len(), many * width);
        assert!(all.chunks_exact(width).zip(some.chunks_exact(width)).take(few - 1).all(|(a, b)| a == b));
    }
}

/// F11.1: 100 steps of worlds in the air are the CPU's in double precision, limbs that touch included; in single precision they
/// nearly are, but for a world in which a contact begins a step earlier or later.
#[test]
#[ignore = "needs a GPU"]
fn trajectories_are_those_of_the_cpu() {
    let mut model = humanoid();
    model.opt.gravity = [0.0; 3];
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    let double = worst(&after_100_steps(&model, Precision::F64));
    let single = after_100_steps(&model, Precision::F32);
    let near = single.iter().filter(|&&e| e < 1e-4).count();
    model.opt.disableflags |= DisableBit::Contact as i32;
    let apart = worst(&after_100_steps(&model, Precision::F32));
    println!(
        "F11.1: 100 steps, 32 worlds, largest relative difference of qpos: F64 {double:.1e}; F32 {near} worlds within 1e-4, \
         without contacts {apart:.1e}"
    );
    assert!(double < 1e-9, "F64: {double:.1e}");
    assert!(near >= 30 && apart < 1e-4, "F32: {near} worlds, without contacts {apart:.1e}");
}

/// The same input gives the same bits.
#[test]
#[ignore = "needs a GPU"]
fn runs_repeat_bit_for_bit() {
    let model = humanoid();
    let run = || {
        let mut worlds = GpuWorlds::new(&model, 512, Precision::F32).unwrap();
        worlds.write(Field::Ctrl, &controls(&model, 512)).unwrap();
        worlds.step(300).unwrap();
        worlds.read(Field::Qpos).unwrap()
    };
    let (a, b) = (run(), run());
    assert!(a.iter().zip(&b).all(|(x, y)| x.to_bits() == y.to_bits()));
}

/// F11.2: from 1024 worlds on, the GPU makes more steps a second than all cores together.
#[test]
#[ignore = "needs a GPU"]
fn the_gpu_is_faster_than_the_cpu() {
    let model = humanoid();
    let cores = std::thread::available_parallelism().unwrap().get();
    let steps = 500;
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut data = model.make_data().unwrap();
                for _ in 0..steps {
                    data.step(&model).unwrap();
                }
            });
        }
    });
    let cpu = (cores * steps) as f64 / start.elapsed().as_secs_f64();
    for count in [1024, 4096] {
        let mut worlds = GpuWorlds::new(&model, count, Precision::F32).unwrap();
        worlds.step(50).unwrap();
        worlds.synchronize().unwrap();
        let start = Instant::now();
        worlds.step(100).unwrap();
        worlds.synchronize().unwrap();
        let gpu = (count * 100) as f64 / start.elapsed().as_secs_f64();
        println!(
            "F11.2 humanoid, {count} worlds: GPU {gpu:.3e} steps/s, CPU {cpu:.3e} steps/s on {cores} cores"
        );
        assert!(gpu > cpu);
    }
}

const PILE: &str = r#"<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 1"/>
  <replicate count="5" offset=".19 0 0"><replicate count="5" offset="0 .19 0">
    <body pos="0 0 .1"><freejoint/><geom size=".1"/></body></replicate></replicate></worldbody>
  <keyframe><key name="zero"/></keyframe></mujoco>"#;

/// More contacts than there was room for: the room grows and nothing is dropped.
#[test]
#[ignore = "needs a GPU"]
fn room_for_contacts_grows() {
    let model = ligament::load_model(PILE).unwrap();
    let mut worlds = GpuWorlds::new(&model, 64, Precision::F64).unwrap();
    worlds.step(3).unwrap();
    let mut data = model.make_data().unwrap();
    let mut contacts = 0;
    for _ in 0..3 {
        data.step(&model).unwrap();
        contacts += data.contact.iter().filter(|c| c.exclude == 0).count() as i32;
    }
    assert!(contacts > 3 * 32, "more than there was room for at first: {contacts}");
    assert!(worlds.take_counts().unwrap().iter().all(|c| c[0] == contacts));
    let one: Vec<f64> = worlds.read(Field::Qpos).unwrap()[..model.nq].to_vec();
    assert!(far(&one, &data.qpos) < 1e-9);
}

/// A world with numbers that are not finite is reported and reset; no other world changes a bit.
#[test]
#[ignore = "needs a GPU"]
fn a_bad_world_is_reported_and_reset() {
    let model = humanoid();
    let run = |spoil: bool| {
        let mut worlds = GpuWorlds::new(&model, 8, Precision::F32).unwrap();
        let mut qvel = vec![0.0; 8 * model.nv];
        if spoil {
            qvel[3 * model.nv] = f64::NAN;
        }
        worlds.write(Field::Qvel, &qvel).unwrap();
        worlds.step(5).unwrap();
        (worlds.take_status().unwrap(), worlds.read(Field::Qpos).unwrap())
    };
    let ((clean, before), (status, after)) = (run(false), run(true));
    assert!(clean.iter().all(|s| !s.bad));
    assert!(status.iter().enumerate().all(|(w, s)| s.bad == (w == 3)));
    for w in (0..8).filter(|&w| w != 3) {
        assert_eq!(before[w * model.nq..(w + 1) * model.nq], after[w * model.nq..(w + 1) * model.nq]);
    }
    assert!(after.iter().all(|x| x.is_finite()));
}

/// Marked worlds go back to the initial state or to a keyframe; the others stay.
#[test]
#[ignore = "needs a GPU"]
fn marked_worlds_are_reset() {
    let model = ligament::load_model(PILE).unwrap();
    let mut worlds = GpuWorlds::new(&model, 4, Precision::F64).unwrap();
    worlds.step(5).unwrap();
    let moved = worlds.read(Field::Qpos).unwrap();
    worlds.reset(Some(&[false, true, false, false]), None).unwrap();
    worlds.reset(Some(&[false, false, true, false]), Some(0)).unwrap();
    let now = worlds.read(Field::Qpos).unwrap();
    let row = |x: &[f64], w: usize| x[w * model.nq..(w + 1) * model.nq].to_vec();
    assert_eq!((row(&now, 0), row(&now, 3)), (row(&moved, 0), row(&moved, 3)));
    assert_eq!(row(&now, 1), model.qpos0.to_vec());
    assert_eq!(row(&now, 2), row(&model.key_qpos, 0)); // replicated as well: there are more
    assert!(worlds.reset(None, Some(7)).is_err());
}

/// Parameters of its own for each world, and sensors.
#[test]
#[ignore = "needs a GPU"]
fn worlds_have_parameters_and_sensors() {
    let model = ligament::load_model(
        r#"<mujoco><worldbody><body pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody>
        <sensor><jointvel joint="j"/></sensor></mujoco>"#,
    )
    .unwrap();
    let mut worlds = GpuWorlds::new(&model, 3, Precision::F64).unwrap();
    worlds.want_sensors().unwrap();
    worlds.expand("dof_damping").unwrap();
    worlds.write_expanded("dof_damping", &[0.0, 0.1, 1.0]).unwrap();
    worlds.step(20).unwrap();
    let qvel = worlds.read(Field::Qvel).unwrap();
    for (w, damping) in [0.0, 0.1, 1.0].into_iter().enumerate() {
        let mut changed = model.clone();
        changed.dof_damping[0] = damping;
        let mut data = changed.make_data().unwrap();
        (0..20).for_each(|_| data.step(&changed).unwrap());
        assert!((data.qvel[0] - qvel[w]).abs() < 1e-10, "{w}: {} {}", data.qvel[0], qvel[w]);
        assert!((worlds.read_sensors().unwrap()[w] - data.sensordata[0]).abs() < 1e-10);
    }
}
