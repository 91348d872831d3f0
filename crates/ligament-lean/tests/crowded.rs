//! Models and worlds that the lean step leaves to the exact engine because they are too large or too crowded.

use ligament::prelude::*;
use ligament_lean::{Lean, State};
use std::fmt::Write;

fn spheres(count: usize, apart: f64) -> Model {
    let mut text = String::from("<mujoco><worldbody>");
    for i in 0..count {
        let x = apart * i as f64;
        let _ = write!(text, "<body pos='{x} 0 0'><freejoint/><geom size='1'/></body>");
    }
    text.push_str("</worldbody></mujoco>");
    ligament::load_model(&text).expect("loads")
}

/// Fifty spheres in one place have 1225 contacts; a world with far fewer beside it has its own bits.
#[test]
fn crowded_worlds_are_stepped_exactly() {
    let model = spheres(50, 0.001);
    let mut data = model.make_data().expect("data");
    let crowded = State::of(&data);
    let mut sparse = crowded.clone();
    for (i, position) in sparse.qpos.chunks_exact_mut(7).enumerate() {
        position[0] = 1.5 * i as f64;
    }
    let mut lean = Lean::new(&model).expect("accepted");
    let mut alone = [sparse.clone()];
    lean.step(&mut alone, 2);
    let mut worlds = [crowded.clone(), sparse.clone(), crowded, sparse];
    lean.step(&mut worlds, 2);
    assert_eq!(lean.take_failure(), None);
    data.step(&model).and_then(|()| data.step(&model)).expect("steps");
    let exact = State::of(&data);
    assert!(worlds[0].qpos == exact.qpos && worlds[2].qpos == exact.qpos, "as the exact engine steps them");
    assert!(worlds[1] == alone[0] && worlds[3] == alone[0], "as it steps alone");
}

#[test]
fn large_models_are_refused() {
    for (count, apart) in [(167, 3.0), (1500, 0.0)] {
        let refusal = Lean::new(&spheres(count, apart)).err().expect("refused");
        assert!(refusal.to_string().contains("room for more than 1000 degrees of freedom"), "{refusal}");
    }
    let geoms = "<geom size='.1'/>".repeat(400);
    let body = format!("<body><joint/>{geoms}</body>");
    let text = format!("<mujoco><worldbody>{body}{body}</worldbody></mujoco>");
    let refusal = Lean::new(&ligament::load_model(&text).expect("loads")).err().expect("refused");
    assert!(refusal.to_string().contains("pairs of geoms"), "{refusal}");
}
