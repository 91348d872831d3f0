//! The exact engine judges the lean one: the same step within rounding.

mod models;

use ligament::prelude::*;
use ligament_lean::{Lean, State, Width};
use models::{all, states};

/// Largest difference, relative to the largest number (or one).
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0, |m, (x, y)| if (x - y).abs() / size <= m { m } else { (x - y).abs() / size })
}

/// One step from states along a trajectory: positions and velocities within 1e-12, accelerations within 1e-9.
#[test]
fn one_step_is_the_exact_step() {
    for (name, m) in all() {
        let mut lean = Lean::with_width(&m, Width::One).expect("accepted");
        let mut d = m.make_data().expect("data");
        for (k, state) in states(&m, 60, 5).into_iter().enumerate() {
            let mut world = [state.clone()];
            lean.step(&mut world, 1);
            state.write(&mut d);
            d.step(&m).expect("step");
            let exact = State::of(&d);
            let [world] = world;
            for (what, a, b, tolerance) in [
                ("qpos", &world.qpos, &exact.qpos, 1e-12),
                ("act", &world.act, &exact.act, 1e-12),
                ("history", &world.history, &exact.history, 0.0),
                ("qvel", &world.qvel, &exact.qvel, 1e-11),
                ("qacc", &world.qacc_warmstart, &exact.qacc_warmstart, 1e-9),
            ] {
                let error = difference(a, b);
                assert!(error <= tolerance, "{name}, state {k}: {what} differs by {error:e}");
            }
            assert_eq!(world.time, exact.time);
        }
    }
}

/// Trajectories stay together as long as rounding lets them: a humanoid for 50 steps in contact.
#[test]
fn trajectories_stay_together() {
    let m = ligament::load_model(models::HUMANOID).expect("loads");
    let mut lean = Lean::new(&m).expect("accepted");
    let mut worlds = states(&m, 12, 40);
    let before = worlds.clone();
    lean.step(&mut worlds, 50);
    let mut d = m.make_data().expect("data");
    for (start, world) in before.iter().zip(&worlds) {
        start.write(&mut d);
        for _ in 0..50 {
            d.step(&m).expect("step");
        }
        let error = difference(&world.qpos, &d.qpos);
        assert!(error < 1e-9, "{error:e}");
    }
}

/// Everything that follows from a state is that of the exact engine, and looking at it changes nothing.
#[test]
fn what_is_observed_is_exact() {
    let m = ligament::load_model(models::HUMANOID).expect("loads");
    let (mut lean, mut blind) = (Lean::new(&m).expect("accepted"), Lean::new(&m).expect("accepted"));
    let mut worlds = states(&m, 1, 1);
    let mut others = worlds.clone();
    let mut d = m.make_data().expect("data");
    for _ in 0..5 {
        lean.step(&mut worlds, 20);
        blind.step(&mut others, 20);
        worlds[0].write(&mut d);
        d.forward(&m).expect("forward");
        let seen = lean.observe(&worlds[0]).expect("observed");
        assert_eq!((seen.ncon, seen.xpos.to_vec()), (d.ncon, d.xpos.to_vec()));
        assert_eq!(seen.sensordata.to_vec(), d.sensordata.to_vec());
    }
    assert_eq!(worlds, others);
    assert!(d.ncon > 0, "it lies on the floor");
}

/// What the lean step does not have is refused by name.
#[test]
fn refusals_name_the_feature() {
    let refused = |option: &str, word: &str| {
        let xml = format!(
            "<mujoco>{option}<worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
        );
        let m = ligament::load_model(&xml).expect("loads");
        let refusal = Lean::new(&m).err().expect("refused").to_string();
        assert!(refusal.contains(word) && refusal.contains("exact engine"), "{refusal}");
    };
    refused("<option solver='PGS'/>", "PGS");
    refused("<option solver='CG' cone='elliptic'/>", "CG");
    refused("<option noslip_iterations='3'/>", "no-slip");
    refused("<option><flag sleep='enable'/></option>", "sleep");
    refused(
        "<option integrator='RK4'/><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>
         <actuator><motor joint='j' delay='.01' nsample='4'/></actuator>",
        "Runge-Kutta",
    );
    refused(
        "<worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>
         <sensor><jointpos joint='j' delay='.01' nsample='4'/></sensor>",
        "sensors",
    );
}
