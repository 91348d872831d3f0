//! Every target in one program, chosen by `FUZZ_TARGET`: for machines to which little can be copied. See `side_by_side.sh`.
#![no_main]

use ligament_testkit::{assets, attach, binary_model, mjcf, shape_pairs, states};
use std::sync::LazyLock;

static TARGET: LazyLock<String> = LazyLock::new(|| std::env::var("FUZZ_TARGET").unwrap_or_default());

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run(&TARGET, bytes));

fn run(target: &str, bytes: &[u8]) {
    let text = || std::str::from_utf8(bytes).unwrap_or_default();
    let seed = bytes.first().copied().unwrap_or_default().into();
    let rest = bytes.get(1..).unwrap_or_default();
    match target {
        "attach" => attach::run(bytes),
        "binary_model" => {
            binary_model::run(bytes);
            binary_model::run_with_nonsense(seed, rest);
        }
        "compiled" => binary_model::run_repaired(seed, rest),
        "gmsh" => assets::run_gmsh(bytes),
        "hfield" => assets::run_hfield(bytes),
        "mjb" => binary_model::run_mjb(seed, rest),
        "mjcf" => mjcf::run(text()),
        "msh" => assets::run_msh(bytes),
        "obj" => assets::run_obj(bytes),
        "png" => assets::run_png(bytes),
        "shape_pairs" => shape_pairs::run(bytes),
        "skn" => assets::run_skn(bytes),
        "states" => states::run(seed, rest),
        "stl" => assets::run_stl(bytes),
        "texture" => assets::run_texture(bytes),
        "urdf" => mjcf::run_urdf(text()),
        other => panic!("FUZZ_TARGET names no target: '{other}'"),
    }
}
