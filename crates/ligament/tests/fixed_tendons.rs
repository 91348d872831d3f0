//! Fixed tendons: lengths, Jacobians, springs (spec item 4 of foundations).

mod support;
use support::{Sim, all_close, close};

fn pair(tendon: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body pos='0 0 3'><freejoint/><geom size='.1'/></body>\
         <body><joint name='a' type='slide'/><geom size='.1' contype='0'/><body pos='1 0 0'><joint name='b'/>\
         <geom size='.1' contype='0'/></body></body></worldbody>\
         <tendon><fixed {tendon}><joint joint='a' coef='1'/><joint joint='b' coef='-1'/></fixed></tendon></mujoco>"
    ))
}

/// F4.1: length is the weighted sum of joint positions, also behind a free joint
/// F4.2: the Jacobian holds the weights
/// F4.3: the velocity is J q̇
#[test]
fn length_jacobian_velocity() {
    let mut sim = pair("");
    sim.d.qpos[7] = 0.5;
    sim.d.qpos[8] = 0.3;
    sim.d.qvel[6] = 0.4;
    sim.d.qvel[7] = 0.1;
    sim.forward();
    close(sim.d.ten_length[0], 0.2, 1e-15);
    all_close(&sim.d.ten_J, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0], 0.0);
    close(sim.d.ten_velocity[0], 0.3, 1e-15);
    assert!(sim.tendon_gradient_error(0) < 1e-8);
}

/// F4.6: a spring pulls back to its rest length
/// F4.7: a damper slows
#[test]
fn spring_and_damper() {
    let mut sim = pair("stiffness='100' springlength='0'");
    sim.d.qpos[7] = 0.1;
    close(sim.forward().d.qfrc_passive[6], -10.0, 1e-12);
    for integrator in 0..4 {
        let mut sim = pair("damping='10'");
        sim.m.opt.integrator = integrator;
        sim.d.qvel[6] = 0.5;
        close(sim.forward().d.qfrc_passive[6], -5.0, 1e-12);
    }
}

/// F4.8: friction loss is a bounded constraint, not a passive force
#[test]
fn friction_loss() {
    let mut sim = pair("frictionloss='2'");
    sim.d.qvel[6] = 1.0;
    sim.forward();
    close(sim.d.qfrc_constraint[6], -1.584162699572546, 1e-9);
    sim.d.qvel[6] = 10.0;
    sim.forward();
    close(sim.d.qfrc_constraint[6], -2.0, 1e-9);
    assert_eq!(sim.d.qfrc_passive[6], 0.0);
}

/// F4.9, F4.10: limits push back from both sides
#[test]
fn limits_push_back() {
    for (q, sign) in [(0.05, 1.0), (0.6, -1.0)] {
        let mut sim = pair("range='.1 .5'");
        sim.d.qpos[7] = q;
        assert!(sim.forward().d.qfrc_constraint[6] * sign > 0.0);
    }
    let mut inside = pair("range='.1 .5'");
    inside.d.qpos[7] = 0.3;
    assert_eq!(inside.forward().d.nefc, 0);
}

/// F4.11, F4.12: sensors read length and velocity of a tendon
/// F4.13: those of an actuator on it are scaled by its gear
#[test]
fn sensors_of_tendons() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body><joint name='a' type='slide'/><geom size='.1' contype='0'/><body pos='1 0 0'><joint name='b'/>\
         <geom size='.1' contype='0'/></body></body></worldbody>\
         <tendon><fixed name='t'><joint joint='a' coef='2'/><joint joint='b' coef='-1'/></fixed></tendon>\
         <actuator><motor name='m' tendon='t' gear='3'/></actuator><sensor><tendonpos tendon='t'/><tendonvel tendon='t'/>\
         <actuatorpos actuator='m'/><actuatorvel actuator='m'/></sensor></mujoco>",
    );
    sim.d.qpos.copy_from_slice(&[0.5, 0.3]);
    sim.d.qvel.copy_from_slice(&[0.4, 0.1]);
    sim.forward();
    let (length, velocity) = (sim.d.ten_length[0], sim.d.ten_velocity[0]);
    close(length, 0.7, 1e-15);
    close(velocity, 0.7, 1e-15);
    all_close(&sim.d.sensordata, &[length, velocity, 3.0 * length, 3.0 * velocity], 1e-15);
}

/// F4.14: a model without tendons has nothing to compute for them (its share of a step: `benches/ratios.rs`)
#[test]
fn no_tendons_no_work() {
    let mut sim = Sim::new("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    sim.steps(2);
    assert_eq!((sim.m.ntendon, sim.m.nwrap), (0, 0));
    assert!(sim.d.ten_length.is_empty() && sim.d.ten_J.is_empty() && sim.d.wrap_xpos.is_empty());
}

/// A slide whose position, plus one, is the length of a tendon with stiffness 10; the force on the slide and the
/// potential energy.
fn sprung(length: f64, springlength: &str) -> (f64, f64) {
    let mut sim = Sim::new(&format!(
        "<mujoco><option gravity='0 0 0'><flag energy='enable'/></option><worldbody><site name='o'/><body pos='0 0 1'>\
         <joint type='slide'/><geom size='.01'/><site name='s'/></body></worldbody><tendon>\
         <spatial stiffness='10' springlength='{springlength}'><site site='o'/><site site='s'/></spatial></tendon></mujoco>"
    ));
    sim.d.qpos[0] = length - 1.0;
    sim.forward();
    close(sim.d.ten_length[0], length, 1e-15);
    (sim.d.qfrc_spring[0], sim.d.energy[0])
}

/// P22.4: a spring pulls to the nearer end of its rest interval and is slack inside
/// P22.D1: with the energy that belongs to it
#[test]
fn rest_intervals() {
    for (rest, force) in [(".5", -5.0), (".3 .7", -3.0), ("1.2 1.4", 2.0), ("0 2", 0.0)] {
        close(sprung(1.0, rest).0, force, 1e-12);
    }
    for (length, energy) in [(1.0, 0.45), (0.5, 0.0), (0.2, 0.05)] {
        close(sprung(length, ".3 .7").1, energy, 1e-12);
    }
}
