//! The kernels against the CPU engine, compiled for the host.

mod support;

use ligament::prelude::*;
use ligament_gpu::{Capacity, Precision, Tables, Wanted};
use support::{Kernel, compare, state_of};

fn humanoid() -> Model {
    ligament::load_model(include_str!("../../ligament-cli/models/humanoid.xml")).unwrap()
}

/// F11.1: a step of the kernels in double precision is the CPU's step.
#[test]
fn humanoid_steps_agree() {
    let worst = compare(&humanoid(), Precision::F64, 40, 10, 1);
    assert!(worst[0] < 1e-12 && worst[1] < 1e-9, "{worst:?}");
}

/// F11.1: free boxes on top of each other couple by some vectors (two without friction) and by more than a world has columns for (six).
#[test]
fn stacked_boxes_agree() {
    for (count, condim) in [(2, 1), (6, 3)] {
        let mut model = ligament::load_model(&format!(
            r#"<mujoco><option timestep=".004"/><worldbody><geom type="plane" size="5 5 1"/>
            <replicate count="{count}" offset="0 0 .199" euler="0 0 30"><body pos="0 0 .099"><freejoint/>
            <geom type="box" size=".1 .1 .1" condim="{condim}"/></body></replicate></worldbody></mujoco>"#
        ))
        .unwrap();
        model.opt.tolerance = 1e-15;
        let worst = compare(&model, Precision::F64, 10, 5, 1);
        assert!(worst[0] < 1e-12 && worst[1] < 1e-9, "{count} boxes: {worst:?}");
    }
}

/// F11.1: a world that comes near the room for contacts is marked, so that a kernel with more can be made in time.
#[test]
fn crowded_worlds_are_marked() {
    let model = ligament::load_model(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .099"><freejoint/>
        <geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    for (contacts, crowded) in [(5, true), (8, false)] {
        let capacity = Some(Capacity { contacts, hits: 1 });
        let tables = Tables::new(&model, &Wanted { capacity, ..Wanted::default() }).unwrap();
        let mut state = state_of(&model, &model.make_data().unwrap());
        Kernel::new(tables, Precision::F64).steps(&mut state, 1);
        assert_eq!((state.status, state.contacts, state.crowded), (0, 4, crowded), "room for {contacts}");
    }
}
