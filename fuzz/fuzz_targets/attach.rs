#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ligament_testkit::attach::run(bytes));
