//! Recordings, keyframes, and states that are taken over to changed models.

use ligament::prelude::*;
use ligament_view::{Recording, Session, carry_over, keyframe};

const ARM: &str = r#"<mujoco>
  <worldbody>
    <body><joint name="a"/><geom size=".1"/><body pos="1 0 0"><joint name="b"/><geom size=".1"/></body></body>
    <body name="hand" mocap="true"/>
  </worldbody>
  <actuator><motor name="m" joint="a"/></actuator>
</mujoco>"#;

#[test]
fn a_recording_is_one_page_that_needs_nothing_else() {
    let model = ligament::load_model(ARM).unwrap();
    let mut data = model.make_data().unwrap();
    let mut session = Session::new(&model, "arm");
    let mut recording = Recording::new(session.describe(&model));
    for _ in 0..3 {
        data.step(&model).unwrap();
        recording.add(session.frame(&model, &mut data).unwrap());
    }
    assert_eq!(recording.frames(), 3);
    let page = recording.html().unwrap();
    assert!(page.contains("id=\"recording\""));
    for other in ["src=\"", "href=\"viewer", "<!-- script -->"] {
        assert!(!page.contains(other), "{other}");
    }
}

#[test]
fn showing_a_state_does_not_change_its_future() {
    let model = ligament::load_model(ARM).unwrap();
    let mut seen = model.make_data().unwrap();
    let mut unseen = model.make_data().unwrap();
    let mut session = Session::new(&model, "arm");
    for _ in 0..50 {
        seen.step(&model).unwrap();
        session.frame(&model, &mut seen).unwrap();
        unseen.step(&model).unwrap();
    }
    assert_eq!(seen.qpos, unseen.qpos);
    assert_eq!(seen.qvel, unseen.qvel);
}

#[test]
fn a_state_becomes_a_keyframe_that_gives_the_same_state() {
    let model = ligament::load_model(ARM).unwrap();
    let mut data = model.make_data().unwrap();
    data.ctrl[0] = 0.1;
    data.mocap_pos[0] = [1.0, 2.0, 1.0 / 3.0];
    for _ in 0..7 {
        data.step(&model).unwrap();
    }
    let key = keyframe(&model, &data);
    let text = ARM.replace("<actuator>", &format!("<keyframe>{key}</keyframe><actuator>"));
    let model = ligament::load_model(&text).unwrap();
    let mut again = model.make_data().unwrap();
    again.reset_to_keyframe(&model, 0).unwrap();
    assert_eq!((again.time, &again.qpos, &again.qvel), (data.time, &data.qpos, &data.qvel));
    assert_eq!((&again.ctrl, again.mocap_pos[0]), (&data.ctrl, data.mocap_pos[0]));
}

#[test]
fn a_changed_model_keeps_what_it_still_has() {
    let old = ligament::load_model(ARM).unwrap();
    let mut before = old.make_data().unwrap();
    before.qpos.copy_from_slice(&[0.1, 0.2]);
    before.qvel.copy_from_slice(&[0.3, 0.4]);
    (before.ctrl[0], before.time) = (0.5, 2.0);
    before.mocap_pos[0] = [7.0, 8.0, 9.0];
    let changed = ARM.replace(
        "<body><joint name=\"a\"/>",
        "<body><joint name=\"new\" axis=\"1 0 0\"/><joint name=\"a\"/>",
    );
    let model = ligament::load_model(&changed).unwrap();
    let mut after = model.make_data().unwrap();
    carry_over(&old, &before, &model, &mut after);
    assert_eq!(after.qpos.as_slice(), [0.0, 0.1, 0.2]);
    assert_eq!(after.qvel.as_slice(), [0.0, 0.3, 0.4]);
    assert_eq!((after.ctrl[0], after.time, after.mocap_pos[0]), (0.5, 2.0, [7.0, 8.0, 9.0]));
}
