//! The kernels against the CPU engine, compiled for the host.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Precision, Tables, Wanted};
use support::compare;

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
        let Ok(mut model) = ligament::load_model_from_file(file) else { continue };
        // the CPU's solver ends within the model's tolerance of the minimum, the kernels' goes on
        model.opt.tolerance = 1e-15;
        match Tables::new(&model, &Wanted::default()) {
            Err(why) => {
                refused += 1;
                println!("refused  {}: {why}", file.display());
            }
            Ok(_) => {
                accepted += 1;
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    compare(&model, Precision::F64, 5, 20, 1)
                }));
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
