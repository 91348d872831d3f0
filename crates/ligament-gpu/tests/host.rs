//! The kernels against the CPU engine, compiled for the host.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Precision, Tables};
use support::{Kernel, State};

/// Deterministic numbers in [-1, 1).
struct Noise(u64);
impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Largest difference of positions and velocities after `steps` steps from `states` states along a noisy trajectory.
fn compare(model: &Model, precision: Precision, states: usize, between: usize, steps: usize) -> [f64; 2] {
    let kernel = Kernel::new(Tables::new(model, None).unwrap(), precision);
    let mut data = model.make_data().unwrap();
    let mut noise = Noise(7);
    let mut worst = [0.0f64; 2];
    for _ in 0..states {
        for _ in 0..between {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            data.step(model).unwrap();
        }
        let mut state = State {
            qpos: data.qpos.to_vec(),
            qvel: data.qvel.to_vec(),
            act: data.act.to_vec(),
            warm: data.qacc_warmstart.to_vec(),
            ctrl: data.ctrl.to_vec(),
            ..State::default()
        };
        let mut judge = data.clone();
        let mut contacts = 0;
        for _ in 0..steps {
            judge.step(model).unwrap();
            contacts += judge.contact.iter().filter(|c| c.exclude == 0).count() as i32;
        }
        kernel.steps(&mut state, steps);
        assert_eq!((state.status, state.contacts), (0, contacts));
        let far = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
        };
        worst[0] = worst[0].max(far(&state.qpos, &judge.qpos)).max(far(&state.act, &judge.act));
        worst[1] = worst[1].max(far(&state.qvel, &judge.qvel));
    }
    worst
}

fn humanoid() -> Model {
    ligament::load_model(include_str!("../../ligament-cli/models/humanoid.xml")).unwrap()
}

/// F11.1: a step of the kernels in double precision is the CPU's step.
#[test]
fn humanoid_steps_agree() {
    let worst = compare(&humanoid(), Precision::F64, 40, 10, 1);
    assert!(worst[0] < 1e-12 && worst[1] < 1e-9, "{worst:?}");
}

/// Every corpus model that the back end accepts, from states along a noisy trajectory; needs `LIGAMENT_CORPUS`.
#[test]
#[ignore = "runs over a folder of models: LIGAMENT_CORPUS=FOLDER cargo test -p ligament-gpu --test host -- --ignored"]
fn corpus_steps_agree() {
    let root = std::env::var("LIGAMENT_CORPUS").expect("LIGAMENT_CORPUS names a folder of models");
    let only = std::env::var("LIGAMENT_ONLY").unwrap_or_default();
    let mut files = Vec::new();
    collect(std::path::Path::new(&root), &mut files);
    files.sort();
    let (mut accepted, mut refused, mut failed) = (0, 0, Vec::new());
    for file in files.iter().filter(|f| f.to_string_lossy().contains(&only)) {
        let Ok(model) = ligament::load_model_from_file(file) else { continue };
        match Tables::new(&model, None) {
            Err(why) => {
                refused += 1;
                println!("refused  {}: {why}", file.display());
            }
            Ok(_) => {
                accepted += 1;
                let result = std::panic::catch_unwind(|| compare(&model, Precision::F64, 5, 20, 1));
                println!("accepted {}: {result:?}", file.display());
                if !result.is_ok_and(|w| w[0] < 1e-9 && w[1] < 1e-9) {
                    failed.push(file.clone());
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 0 && failed.is_empty(), "{failed:?}");
}

fn collect(folder: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "xml") {
            out.push(path);
        }
    }
}
