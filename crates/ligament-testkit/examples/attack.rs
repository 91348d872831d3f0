//! Loads a model file, takes it through every way out and in again, and advances it: what `conformance/hostile.py`
//! runs in a process of its own for each changed model.
//!
//!     attack MODEL [CONTENT] [STEPS]
//!
//! `CONTENT` is a file with the text to take in place of the model's own; files it names are those beside `MODEL`.

use ligament::prelude::*;
use ligament::{DiskAssets, LayeredAssets, MemoryAssets};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first() else {
        eprintln!("usage: attack MODEL [CONTENT] [STEPS]");
        std::process::exit(2);
    };
    let steps = args.get(2).and_then(|n| n.parse().ok()).unwrap_or(20);
    match attack(path, args.get(1).map(String::as_str), steps) {
        Ok(told) => println!("ok {told}"),
        Err(error) => println!("refused {}", error.replace('\n', " | ")),
    }
}

fn attack(path: &str, content: Option<&str>, steps: usize) -> Result<String, String> {
    let bytes = std::fs::read(content.unwrap_or(path)).map_err(|error| error.to_string())?;
    let model = if bytes.starts_with(ligament_model::binary::MAGIC) {
        Model::from_bytes(&bytes).map_err(|error| error.to_string())?
    } else {
        load(path, bytes)?
    };
    let mut data = model.make_data().map_err(|error| error.to_string())?;
    for step in 0..steps {
        if let Err(error) = data.step(&model) {
            return Ok(format!("step {step}: {error}"));
        }
    }
    Ok(format!("nv={} ncon={} nefc={}", model.nv, data.contact.len(), data.nefc))
}

fn load(path: &str, bytes: Vec<u8>) -> Result<Model, String> {
    let mut changed = MemoryAssets::default();
    changed.0.insert(path.to_string(), bytes);
    let assets = LayeredAssets(changed, DiskAssets);
    let spec = ligament::parse_mjcf_file_with_assets(path, &assets).map_err(|error| error.to_string())?;
    let model = ligament::compile(&spec, &assets).map_err(|error| error.to_string())?;
    let _ = ligament::mjcf_text(&spec, &model);
    match Model::from_bytes(&model.to_bytes()) {
        Ok(_) => Ok(model),
        Err(error) => panic!("a compiled model must survive the way through a file: {error}"),
    }
}
