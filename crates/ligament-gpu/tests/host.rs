//! The kernels against the CPU engine, compiled for the host.

mod support;

use ligament::prelude::*;
use ligament_gpu::Precision;
use support::compare;

fn humanoid() -> Model {
    ligament::load_model(include_str!("../../ligament-cli/models/humanoid.xml")).unwrap()
}

/// F11.1: a step of the kernels in double precision is the CPU's step.
#[test]
fn humanoid_steps_agree() {
    let worst = compare(&humanoid(), Precision::F64, 40, 10, 1);
    assert!(worst[0] < 1e-12 && worst[1] < 1e-9, "{worst:?}");
}
