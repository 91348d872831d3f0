//! Hostile input never panics, hangs or exhausts memory: random cases of every fuzz target.

use ligament_testkit::{assets, attach, binary_model, mjcf, shape_pairs};
use proptest::collection::vec;
use proptest::prelude::*;

fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(cases);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn bytes(length: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..length)
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn noise_is_not_a_model(noise in bytes(400)) {
        mjcf::run(&String::from_utf8_lossy(&noise));
        binary_model::run(&noise);
    }

    #[test]
    fn damaged_models_are_refused_or_simulated(seed in 0usize..7, damage in bytes(40)) {
        mjcf::run(&mjcf::mutated(seed, &damage));
    }

    #[test]
    fn compiled_models_with_nonsense_ids_never_leave_an_array(seed in 0usize..7, damage in prop_oneof![bytes(9), bytes(30)]) {
        binary_model::run_with_nonsense(seed, &damage);
    }

    #[test]
    fn compiled_files_with_repaired_checksums_never_leave_an_array(seed in 0usize..7, damage in bytes(20)) {
        binary_model::run_repaired(seed, &damage);
    }

    #[test]
    fn files_that_attach_one_another(choices in bytes(300)) {
        attach::run(&choices);
    }

    #[test]
    fn shapes_of_any_size_and_pose_collide(noise in bytes(200)) {
        shape_pairs::run(&noise);
    }

    #[test]
    fn noise_as_assets(noise in bytes(300)) {
        assets::run_stl(&noise);
        assets::run_obj(&noise);
        assets::run_msh(&noise);
        assets::run_png(&noise);
        assets::run_hfield(&noise);
        assets::run_skn(&noise);
        assets::run_texture(&noise);
        assets::run_gmsh(&noise);
    }

    #[test]
    fn stl_of_any_triangles(count in 0u32..40, noise in bytes(1000)) {
        let mut file = vec![0; 80];
        file.extend(count.to_le_bytes());
        file.extend(noise.iter().cycle().take(50 * count as usize));
        assets::run_stl(&file);
    }

    #[test]
    fn obj_of_any_words(words in vec("(v|f|vn|vt|o|#|-?[0-9]{1,2}|[0-9]/[0-9]/[0-9]|1e30|nan|\n){1}", 0..80)) {
        assets::run_obj(words.join(" ").as_bytes());
    }

    #[test]
    fn headers_with_any_counts(counts in vec(any::<i32>(), 4), rest in bytes(300)) {
        let mut file: Vec<u8> = counts.iter().flat_map(|n| n.to_le_bytes()).collect();
        file.extend(rest);
        assets::run_msh(&file);
        assets::run_hfield(&file);
        assets::run_skn(&file);
        assets::run_texture(&file);
    }
}
