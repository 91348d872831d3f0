#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ligament_testkit::shape_pairs::run(bytes));
