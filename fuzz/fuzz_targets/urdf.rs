#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ligament_testkit::mjcf::run_urdf(text));
