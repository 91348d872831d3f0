//! Hostile input never panics, hangs or exhausts memory: random cases of every fuzz target.

use ligament::Model;
use ligament_model::array::ArrayMut;
use ligament_testkit::{assets, attach, binary_model, mjcf, shape_pairs, states};
use proptest::collection::vec;
use proptest::prelude::*;

/// Numbers that once made a step leave an array: each is refused, with the name of its field.
#[test]
fn numbers_that_a_step_relies_on_are_checked() {
    const TREE: usize = 0;
    const CONTACTS: usize = 1;
    const TENDONS: usize = 2;
    const SENSORS: usize = 4;
    const FLEX: usize = 5;
    for (seed, name, at, value) in [
        (TREE, "M_rowadr", 11, 67),
        (TREE, "actuator_trnid", 0, 0),
        (CONTACTS, "body_weldid", 3, 1),
        (CONTACTS, "body_weldid", 6, 5),
        (CONTACTS, "M_rowadr", 36, 37),
        (TENDONS, "actuator_actadr", 1, 0),
        (TENDONS, "wrap_type", 7, 0),
        (SENSORS, "actuator_trnid", 0, 0),
        (SENSORS, "actuator_actadr", 0, 0),
        (FLEX, "body_bvhnum", 0, 0),
        (FLEX, "flex_edgeflap", 15, 0),
        (FLEX, "flex_bvhnum", 0, 0),
        (FLEX, "flexedge_J_rownnz", 0, 1),
    ] {
        let mut model = ligament::load_model(mjcf::SEEDS[seed]).expect("a good model");
        assert_eq!(model.validate(), Ok(()));
        let field = Model::FIELDS.iter().find(|field| field.name == name).expect("a field");
        if let ArrayMut::I32(numbers) = (field.get_mut)(&mut model) {
            assert_ne!(numbers[at], value, "{name}[{at}]");
            numbers[at] = value;
        }
        let refused = Model::from_bytes(&model.to_bytes());
        assert!(matches!(refused, Err(ligament::BinaryError::Content(_))), "{name}[{at}] = {value}");
    }
}

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
    fn binary_models_with_nonsense_never_leave_an_array(seed in 0usize..7, damage in bytes(20)) {
        binary_model::run_mjb(seed, &damage);
    }

    #[test]
    fn states_and_options_of_any_numbers(seed in 0usize..7, noise in bytes(60)) {
        states::run(seed, &noise);
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
