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
