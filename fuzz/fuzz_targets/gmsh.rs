#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ligament_testkit::assets::run_gmsh(bytes));
