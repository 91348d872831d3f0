#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ligament_testkit::binary_model::run(bytes);
    if let Some((&seed, damage)) = bytes.split_first() {
        ligament_testkit::binary_model::run_with_nonsense(usize::from(seed), damage);
    }
});
