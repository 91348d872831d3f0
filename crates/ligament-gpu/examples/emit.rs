//! Writes what the kernels need for a model into a folder, with states to start from and what the CPU makes of them:
//! `cargo run -p ligament-gpu --example emit -- MODEL FOLDER [STATES [NOISE [KEY]]]`: states lie ten steps apart on a trajectory from the
//! initial state or a keyframe, with noise of this amplitude (1) in the controls.

use ligament::prelude::*;
use ligament_gpu::{Tables, Wanted};
use std::path::Path;

fn bytes(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn row(d: &Data) -> Vec<f64> {
    [&d.qpos[..], &d.qvel, &d.act, &d.qacc_warmstart, &d.ctrl].concat()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, model, folder, ..] = &args[..] else { return Err("usage: emit MODEL FOLDER [STATES]".into()) };
    let states: usize = args.get(3).map_or(Ok(64), |s| s.parse())?;
    let model = ligament::open_model(model)?;
    let t = Tables::new(&model, &Wanted::default())?;
    let folder = Path::new(folder);
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("topology.cuh"), &t.header)?;
    std::fs::write(
        folder.join("ints.bin"),
        t.ints.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>(),
    )?;
    std::fs::write(folder.join("reals.bin"), bytes(&t.reals))?;
    std::fs::write(folder.join("sizes.txt"), format!("{} {} {} {} {}", t.nq, t.nv, t.na, t.nu, t.nbody))?;
    let noise: f64 = args.get(4).map_or(Ok(1.0), |x| x.parse())?;
    let mut data = model.make_data()?;
    if let Some(key) = args.get(5) {
        data.reset_to_keyframe(&model, key.parse()?)?;
    }
    let rest = data.ctrl.to_vec();
    std::fs::write(folder.join("rest.bin"), bytes(&rest))?;
    let mut seed = 7u64;
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for _ in 0..states {
        for _ in 0..10 {
            for (u, rest) in data.ctrl.iter_mut().zip(&rest) {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                *u = rest + noise * ((seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0);
            }
            data.step(&model)?;
        }
        before.extend(row(&data));
        let mut next = data.clone();
        next.step(&model)?;
        after.extend(row(&next));
    }
    std::fs::write(folder.join("before.bin"), bytes(&before))?;
    std::fs::write(folder.join("after.bin"), bytes(&after))?;
    Ok(())
}
