#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Some((&seed, rest)) = bytes.split_first() {
        ligament_testkit::states::run(usize::from(seed), rest);
    }
});
