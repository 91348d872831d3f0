//! Worlds on a device: emulated, and on a GPU (`scripts/test-gpu`, or
//! `cargo test -p ligament-gpu --features cuda,emulated --test device -- --ignored --nocapture`).
#![cfg(feature = "emulated")]

use ligament::prelude::*;
use ligament_gpu::Precision;
use ligament_gpu::device::{Field, GpuError, GpuWorlds};
use ligament_model::enums::DisableBit;

/// How worlds are made: on an emulated device, or on a GPU.
type Make = fn(&Model, usize, Precision) -> Result<GpuWorlds, GpuError>;

/// Tests of what a device does, each on an emulated one and on a GPU.
macro_rules! on_devices {
    ($($(#[$doc:meta])* $name:ident: $few:expr, $many:expr;)*) => {
        mod emulated {
            use super::*;
            $($(#[$doc])* #[test] fn $name() { super::$name(GpuWorlds::emulated, $few); })*
        }
        #[cfg(feature = "cuda")]
        mod gpu {
            use super::*;
            $($(#[$doc])* #[test] #[ignore = "needs a GPU"] fn $name() { super::$name(GpuWorlds::new, $many); })*
        }
    };
}

on_devices! {
    /// F11.1: 100 steps of worlds in the air are the CPU's in double precision, limbs that touch included; in single precision they
    /// nearly are, but for a world in which a contact begins a step earlier or later.
    trajectories_are_those_of_the_cpu: 3, 32;
    /// The same input gives the same bits.
    runs_repeat_bit_for_bit: 3, 512;
    /// Worlds of which not all run at a time take turns on the multiprocessors: each has the bits that it has among few, also
    /// where some need more room in the middle of a call (those with controls pile up at another time).
    turns_change_nothing: 5, 6001;
    /// More contacts than there was room for: the room grows and nothing is dropped.
    room_for_contacts_grows: 2, 64;
    /// Where only some worlds need more room, and only in the middle of a call, these go on where they stopped.
    room_grows_in_the_middle_of_a_call: 6, 64;
    /// Worlds in which general convex shapes may touch go on in another kernel.
    worlds_with_convex_contacts_change_kernels: 4, 64;
    /// F11.1: a world with numbers that are not finite is reported and reset; no other world changes a bit.
    a_bad_world_is_reported_and_reset: 8, 8;
    /// Marked worlds go back to the initial state or to a keyframe; the others stay.
    marked_worlds_are_reset: 4, 4;
    /// Steps of marked worlds change no bit of the others, and are the bits of steps of all worlds.
    marked_worlds_are_stepped: 5, 4001;
    /// Contacts and iterations are counted from one question to the next.
    counts_are_taken: 2, 8;
    /// Parameters of its own for each world, and sensors.
    worlds_have_parameters_and_sensors: 3, 3;
    /// What a caller gives in a wrong size, or of what is not there, is refused.
    wrong_input_is_refused: 2, 2;
}

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

/// The state of worlds, field by field.
fn state(worlds: &GpuWorlds) -> Vec<Vec<f64>> {
    let fields = [Field::Qpos, Field::Qvel, Field::Act, Field::Warmstart, Field::Time];
    fields.map(|field| worlds.read(field).unwrap()).to_vec()
}

/// The rows of some worlds.
fn rows(all: &[Vec<f64>], count: usize, wanted: impl Fn(usize) -> bool) -> Vec<Vec<u64>> {
    let row = |field: &Vec<f64>, w: usize| {
        let width = field.len() / count;
        field[w * width..(w + 1) * width].iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    (0..count).filter(|&w| wanted(w)).flat_map(|w| all.iter().map(move |field| row(field, w))).collect()
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
fn after_100_steps(make: Make, model: &Model, count: usize, precision: Precision) -> Vec<f64> {
    let ctrl = controls(model, count);
    let cpu = on_the_cpu(model, &ctrl, count, 100);
    let mut worlds = make(model, count, precision).unwrap();
    worlds.write(Field::Ctrl, &ctrl).unwrap();
    worlds.step(100).unwrap();
    let qpos = worlds.read(Field::Qpos).unwrap();
    qpos.chunks_exact(model.nq).zip(cpu.chunks_exact(model.nq)).map(|(a, b)| far(a, b)).collect()
}

fn turns_change_nothing(make: Make, many: usize) {
    let model = humanoid();
    let few = many.min(65) - 1;
    let ctrl = controls(&model, many);
    let plan: &[usize] = if many > 100 { &[1, 2, 5, 10, 100, 300] } else { &[1, 2, 5, 10] };
    let run = |count: usize| {
        let mut worlds = make(&model, count, Precision::F32).unwrap();
        worlds.write(Field::Ctrl, &ctrl[..count * model.nu]).unwrap();
        plan.iter().for_each(|&steps| worlds.step(steps).unwrap());
        state(&worlds)
    };
    assert_eq!(rows(&run(many), many, |w| w < few), rows(&run(few), few, |_| true));
}

fn trajectories_are_those_of_the_cpu(make: Make, count: usize) {
    let mut model = humanoid();
    model.opt.gravity = [0.0; 3];
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    let double = worst(&after_100_steps(make, &model, count, Precision::F64));
    let single = after_100_steps(make, &model, count, Precision::F32);
    let near = single.iter().filter(|&&e| e < 1e-4).count();
    model.opt.disableflags |= DisableBit::Contact as i32;
    let apart = worst(&after_100_steps(make, &model, count, Precision::F32));
    println!(
        "F11.1: 100 steps, {count} worlds, largest relative difference of qpos: F64 {double:.1e}; F32 {near} worlds within 1e-4, \
         without contacts {apart:.1e}"
    );
    assert!(double < 1e-9, "F64: {double:.1e}");
    assert!(near + count / 16 >= count && apart < 1e-4, "F32: {near} worlds, without contacts {apart:.1e}");
}

fn runs_repeat_bit_for_bit(make: Make, count: usize) {
    let model = humanoid();
    let run = || {
        let mut worlds = make(&model, count, Precision::F32).unwrap();
        worlds.write(Field::Ctrl, &controls(&model, count)).unwrap();
        worlds.step(if count > 100 { 300 } else { 100 }).unwrap();
        rows(&state(&worlds), count, |_| true)
    };
    assert_eq!(run(), run());
}

/// F11.2: from 1024 worlds on, the GPU makes more steps a second than all cores together.
#[cfg(feature = "cuda")]
#[test]
#[ignore = "needs a GPU"]
fn the_gpu_is_faster_than_the_cpu() {
    use std::time::Instant;
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

fn room_for_contacts_grows(make: Make, count: usize) {
    let model = ligament::load_model(PILE).unwrap();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
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

fn room_grows_in_the_middle_of_a_call(make: Make, count: usize) {
    let model = ligament::load_model(PILE).unwrap();
    let mut qpos = model.qpos0.repeat(count);
    // balls of every third world fall from higher, so that they touch the ground later
    let high = |w: usize| w % 3 == 1;
    for (w, row) in qpos.chunks_exact_mut(model.nq).enumerate() {
        row.chunks_exact_mut(7).for_each(|pose| pose[2] += if high(w) { 0.002 } else { 1.0 });
    }
    let mut worlds = make(&model, count, Precision::F64).unwrap();
    worlds.write(Field::Qpos, &qpos).unwrap();
    worlds.step(12).unwrap();
    let found = worlds.read(Field::Qpos).unwrap();
    let counts = worlds.take_counts().unwrap();
    for w in 0..count.min(3) {
        let mut data = model.make_data().unwrap();
        data.qpos.copy_from_slice(&qpos[w * model.nq..(w + 1) * model.nq]);
        let (mut contacts, mut most, mut first) = (0, 0, 0);
        for _ in 0..12 {
            data.step(&model).unwrap();
            let now = data.contact.iter().filter(|c| c.exclude == 0).count() as i32;
            (contacts, most, first) = (contacts + now, most.max(now), first + i32::from(now < 60));
        }
        assert_eq!(counts[w][0], contacts);
        assert_eq!(most > 60 && first > 0, high(w), "room must be too small in the middle: {most} {first}");
        assert!(far(&found[w * model.nq..(w + 1) * model.nq], &data.qpos) < 1e-9);
    }
    let time = worlds.read(Field::Time).unwrap();
    assert!(time.iter().all(|t| (t - 12.0 * model.opt.timestep).abs() < 1e-12));
}

fn worlds_with_convex_contacts_change_kernels(make: Make, count: usize) {
    let model = ligament::load_model(
        r#"<mujoco><worldbody><geom type="ellipsoid" size=".5 .5 .1"/><body pos="0 0 .3"><freejoint/>
        <geom type="ellipsoid" size=".1 .12 .08"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
    // one world after the other comes down
    let mut qpos = model.qpos0.repeat(count);
    qpos.chunks_exact_mut(7).enumerate().for_each(|(w, pose)| pose[2] = 0.2 + 0.01 * w as f64);
    worlds.write(Field::Qpos, &qpos).unwrap();
    (0..4).for_each(|_| worlds.step(20).unwrap());
    let found = worlds.read(Field::Qpos).unwrap();
    for w in 0..count.min(4) {
        let mut data = model.make_data().unwrap();
        data.qpos.copy_from_slice(&qpos[7 * w..7 * w + 7]);
        (0..80).for_each(|_| data.step(&model).unwrap());
        assert!(far(&found[7 * w..7 * w + 7], &data.qpos) < 1e-9, "{w}");
    }
    assert!(worlds.take_counts().unwrap()[0][0] > 0);
}

fn a_bad_world_is_reported_and_reset(make: Make, count: usize) {
    let model = humanoid();
    let run = |spoil: bool| {
        let mut worlds = make(&model, count, Precision::F32).unwrap();
        let mut qvel = vec![0.0; count * model.nv];
        if spoil {
            qvel[3 * model.nv] = f64::NAN;
        }
        worlds.write(Field::Qvel, &qvel).unwrap();
        worlds.step(5).unwrap();
        (worlds.take_status().unwrap(), state(&worlds))
    };
    let ((clean, before), (status, after)) = (run(false), run(true));
    assert!(clean.iter().all(|s| !s.bad));
    assert!(status.iter().enumerate().all(|(w, s)| s.bad == (w == 3)));
    assert_eq!(rows(&before, count, |w| w != 3), rows(&after, count, |w| w != 3));
    assert!(after.iter().flatten().all(|x| x.is_finite()));
}

fn marked_worlds_are_reset(make: Make, count: usize) {
    let model = ligament::load_model(PILE).unwrap();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
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

fn marked_worlds_are_stepped(make: Make, count: usize) {
    let model = humanoid();
    let ctrl = controls(&model, count);
    let make = || {
        let mut worlds = make(&model, count, Precision::F32).unwrap();
        worlds.write(Field::Ctrl, &ctrl).unwrap();
        worlds.step(3).unwrap();
        worlds
    };
    let marked: Vec<bool> = (0..count).map(|w| w % 3 != 1).collect();
    let (mut all, mut some) = (make(), make());
    let before = state(&some);
    all.step(10).unwrap();
    some.take_counts().unwrap();
    some.step_marked(10, Some(&marked)).unwrap();
    let (after, expected) = (state(&some), state(&all));
    assert_eq!(rows(&after, count, |w| !marked[w]), rows(&before, count, |w| !marked[w]));
    assert_eq!(rows(&after, count, |w| marked[w]), rows(&expected, count, |w| marked[w]));
    let counts = some.take_counts().unwrap();
    assert!((0..count).all(|w| (counts[w][1] > 0) == marked[w]));
    some.step_marked(10, Some(&vec![false; count])).unwrap();
    assert_eq!(state(&some), after);
}

fn counts_are_taken(make: Make, count: usize) {
    let model = ligament::load_model(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .099"><freejoint/><geom size=".1"/></body>
        </worldbody></mujoco>"#,
    )
    .unwrap();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
    worlds.step(1).unwrap();
    worlds.step(2).unwrap();
    assert!(worlds.take_counts().unwrap().iter().all(|c| c[0] == 3 && c[1] >= 3));
    assert!(worlds.take_counts().unwrap().iter().all(|c| *c == [0, 0]));
}

fn worlds_have_parameters_and_sensors(make: Make, count: usize) {
    let model = ligament::load_model(
        r#"<mujoco><worldbody><body pos="0 0 1"><joint name="j" axis="0 1 0" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody>
        <sensor><jointvel joint="j"/></sensor></mujoco>"#,
    )
    .unwrap();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
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

fn wrong_input_is_refused(make: Make, count: usize) {
    let model = humanoid();
    let mut worlds = make(&model, count, Precision::F64).unwrap();
    let said = |result: Result<(), GpuError>| result.unwrap_err().to_string();
    assert_eq!(
        said(worlds.write(Field::Ctrl, &[0.0])),
        format!("ctrl has {} numbers, 1 were given", 2 * model.nu)
    );
    assert_eq!(said(worlds.step_marked(1, Some(&[true; 3]))), "mask has 2 numbers, 3 were given");
    assert_eq!(said(worlds.reset(Some(&[true]), None)), "mask has 2 numbers, 1 were given");
    let keys = model.nkey;
    assert!(said(worlds.reset(None, Some(keys))).contains("there is no keyframe"));
    assert!(worlds.read_expanded("body_mass").unwrap_err().to_string().contains("expand(\"body_mass\")"));
    let many = make(&model, usize::MAX, Precision::F64).err().unwrap();
    assert!(matches!(many, GpuError::Memory { .. }), "{many}");
}
