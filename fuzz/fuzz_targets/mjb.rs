#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((&seed, rest)) = bytes.split_first() {
        ligament_testkit::binary_model::run_mjb(usize::from(seed), rest);
    }
});
