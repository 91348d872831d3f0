//! Activation dynamics, gains and biases, muscles, limits (spec items 5, 12, 34).

mod support;
use ligament::enums::DisableBit;
use ligament::sim::muscle;
use support::{Sim, all_close, close};

/// A slide joint with unit mass and one actuator; no gravity.
fn slider(option: &str, actuator: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 0' {option}/><worldbody><body><joint name='j' type='slide'/>\
         <geom size='.1' mass='1'/></body></worldbody><actuator>{actuator}</actuator></mujoco>"
    ))
}

fn force(actuator: &str, ctrl: f64, length: f64, velocity: f64) -> f64 {
    let mut sim = slider("", actuator);
    sim.d.ctrl[0] = ctrl;
    sim.d.qpos[0] = length;
    sim.d.qvel[0] = velocity;
    sim.forward();
    sim.d.actuator_force[0]
}

/// F12.1, F12.2, F12.3, F12.5, F12.6: forces of the shortcut elements
#[test]
fn shortcut_forces() {
    close(force("<motor joint='j'/>", 5.0, 0.0, 0.0), 5.0, 1e-12);
    close(force("<position joint='j' kp='100'/>", 1.0, 0.5, 0.0), 50.0, 1e-12);
    close(force("<position joint='j' kp='100' kv='10'/>", 1.0, 0.5, 0.2), 48.0, 1e-12);
    close(force("<velocity joint='j' kv='10'/>", 1.0, 0.0, 0.2), 8.0, 1e-12);
    close(force("<damper joint='j' kv='5' ctrlrange='0 1'/>", 0.8, 0.0, 2.0), -8.0, 1e-12);
}

/// F12.7: a general actuator with affine bias carries all three numbers
#[test]
fn cylinder_as_general() {
    let mut sim = slider(
        "",
        "<general joint='j' dyntype='filter' dynprm='1' gainprm='.01' biastype='affine' biasprm='0 0 -100'/>",
    );
    sim.d.act[0] = 500_000.0;
    sim.d.qvel[0] = 0.1;
    sim.forward();
    close(sim.d.actuator_force[0], 4990.0, 1e-9);
}

/// F12.4, F12.10: a position actuator with a time constant filters exactly
#[test]
fn filtered_position() {
    let mut sim = slider("timestep='.002'", "<position joint='j' kp='100' timeconst='.1'/>");
    assert_eq!(sim.m.na, 1);
    sim.d.ctrl[0] = 1.0;
    sim.steps(1);
    close(sim.d.act[0], 0.019801326693244747, 1e-15);
    assert_eq!(slider("", "<position joint='j' kp='100'/>").m.na, 0);
}

/// F12.11: the activation of a cylinder converges to the control
#[test]
fn cylinder_converges() {
    let mut sim = slider("timestep='.01'", "<cylinder joint='j' area='0' timeconst='1'/>");
    sim.d.ctrl[0] = 3.0;
    sim.steps(2000);
    close(sim.d.act[0], 3.0, 1e-6);
}

/// F5.8: gear scales the force on the joint
/// F5.9: controls are clamped to their range, the user's value stays
/// F5.10: so are forces
#[test]
fn clamping() {
    let mut sim = slider("", "<motor joint='j' gear='2'/>");
    sim.d.ctrl[0] = 0.5;
    close(sim.forward().d.qfrc_actuator[0], 1.0, 0.0);
    let mut limited = slider("", "<motor joint='j' ctrlrange='-1 1'/>");
    limited.d.ctrl[0] = 5.0;
    assert_eq!(limited.forward().d.actuator_force[0], 1.0);
    assert_eq!(limited.d.ctrl[0], 5.0);
    limited.disable(DisableBit::Clampctrl);
    assert_eq!(limited.forward().d.actuator_force[0], 5.0);
    assert_eq!(force("<motor joint='j' ctrlrange='-1 1' ctrllimited='false'/>", 5.0, 0.0, 0.0), 5.0);
    assert_eq!(force("<motor joint='j' forcerange='-100 0'/>", -500.0, 0.0, 0.0), -100.0);
    assert_eq!(force("<motor joint='j'/>", -500.0, 0.0, 0.0), -500.0);
}

/// F5.3, F5.4, F5.5: the curves of a muscle
#[test]
fn muscle_curves() {
    for (length, want) in [(1.0, 1.0), (0.5, 0.0), (1.6, 0.0), (0.3, 0.0)] {
        close(muscle::gain_length(length, 0.5, 1.6), want, 1e-15);
    }
    // range 0..1 over the length range 0..1: normalised length is the length
    let prm = [0.0, 1.0, 1.0, 200.0, 0.5, 1.6, 1.0, 1.3, 1.2, 0.0];
    let velocity_curve = |v: f64| -muscle::gain(1.0, v, [0.0, 1.0], 1.0, &prm);
    close(velocity_curve(0.0), 1.0, 1e-15);
    close(velocity_curve(-1.0), 0.0, 1e-15);
    close(velocity_curve(0.2), 1.2, 1e-15);
    let passive = |l: f64| -muscle::bias(l, [0.0, 1.0], 1.0, &prm);
    close(passive(0.8), 0.0, 0.0);
    close(passive(1.3), 0.65, 1e-15);
    let eps = 1e-6;
    for v in [-0.5, 0.1] {
        let numeric = (velocity_curve(v + eps) - velocity_curve(v - eps)) / (2.0 * eps);
        close(-muscle::gain_velocity(1.0, v, [0.0, 1.0], 1.0, &prm), numeric, 1e-8);
    }
}

const MUSCLE: &str = "<muscle joint='j' force='100' lengthrange='0 1' range='.5 1.5'/>";

/// F5.1, F5.2: activation rises faster than it falls
/// F5.7: a muscle has one activation
#[test]
fn muscle_activation() {
    let mut sim = slider("timestep='.001'", MUSCLE);
    assert_eq!((sim.m.na, sim.m.actuator_actnum[0]), (1, 1));
    sim.d.ctrl[0] = 1.0;
    let mut rise = 0;
    while sim.d.act[0] < 0.9 {
        sim.steps(1);
        rise += 1;
    }
    sim.steps(100 - rise);
    close(sim.d.act[0], 0.9974, 1e-4);
    sim.d.act[0] = 1.0;
    sim.d.ctrl[0] = 0.0;
    let mut fall = 0;
    while sim.d.act[0] > 0.1 {
        sim.steps(1);
        fall += 1;
    }
    assert_eq!((rise, fall), (31, 93));
    sim.steps(200 - fall);
    close(sim.d.act[0], 0.0211, 1e-4);
}

/// F5.6: full activation at optimal length and rest gives the peak force, through the moment to the joint
/// F12.9: the general dispatch uses the muscle formula
/// F5.14: a negative force is scaled by acc0
#[test]
fn muscle_force() {
    let mut sim = slider("", MUSCLE);
    sim.d.act[0] = 1.0;
    sim.d.qpos[0] = 0.5;
    sim.forward();
    close(sim.d.actuator_force[0], -100.0, 1e-12);
    close(sim.d.qfrc_actuator[0], -100.0, 1e-12);
    sim.d.qpos[0] = 0.7;
    sim.d.qvel[0] = -0.3;
    sim.forward();
    let m = &sim.m;
    let gain = muscle::gain(0.7, -0.3, m.actuator_lengthrange[0], m.actuator_acc0[0], &m.actuator_gainprm[0]);
    let bias = muscle::bias(0.7, m.actuator_lengthrange[0], m.actuator_acc0[0], &m.actuator_biasprm[0]);
    close(sim.d.actuator_force[0], gain + bias, 1e-13);
    let prm = [0.5, 1.5, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
    close(muscle::gain(0.5, 0.0, [0.0, 1.0], 0.5, &prm), -400.0, 1e-12);
}

/// F5.13: acc0 is the acceleration that a unit force causes
#[test]
fn unit_accelerations() {
    let sim = Sim::new(
        "<mujoco><worldbody><body><joint name='j' axis='0 0 1'/><inertial pos='0 0 0' mass='1' diaginertia='.4 .4 .4'/>\
         </body></worldbody><tendon><fixed name='t'><joint joint='j' coef='.5'/></fixed></tendon>\
         <actuator><motor joint='j' gear='3'/><motor tendon='t' gear='2'/></actuator></mujoco>",
    );
    all_close(&sim.m.actuator_acc0, &[7.5, 2.5], 1e-10);
}

/// F5.15: one Runge-Kutta step of a muscle's activation
#[test]
fn muscle_under_runge_kutta() {
    let mut sim = slider("timestep='.001' integrator='RK4'", MUSCLE);
    sim.d.ctrl[0] = 1.0;
    sim.steps(1);
    close(sim.d.act[0], 0.150147129034810, 1e-12);
}

fn integrator(extra: &str) -> String {
    format!("<general joint='j' dyntype='integrator' {extra}/>")
}

/// A34.1, A34.2: limited activations stop at the limit, others do not
#[test]
fn activation_limits() {
    let mut sim = slider("", &integrator("actlimited='true' actrange='-1 1'"));
    sim.d.ctrl[0] = 1.0;
    sim.steps(1000);
    assert_eq!(sim.d.act[0], 1.0);
    let mut free = slider("", &integrator(""));
    free.d.ctrl[0] = 1.0;
    free.steps(1000);
    close(free.d.act[0], 2.0, 1e-9);
}

/// A34.3: muscles are not clamped by themselves
/// A34.4: with limits they are
#[test]
fn muscle_limits() {
    let mut sim = slider("", MUSCLE);
    sim.d.act[0] = 2.0;
    sim.d.ctrl[0] = 1.0;
    sim.steps(1);
    close(sim.d.act[0], 1.9, 1e-12);
    let mut coarse = slider("timestep='.1'", MUSCLE);
    coarse.d.ctrl[0] = 1.0;
    coarse.steps(1);
    close(coarse.d.act[0], 20.0, 1e-12);
    let limited =
        "<general joint='j' dyntype='muscle' dynprm='.01 .04 0' actlimited='true' actrange='-.5 1.5'/>";
    for (start, want) in [(3.0, 1.5), (-3.0, -0.5)] {
        let mut sim = slider("", limited);
        sim.d.act[0] = start;
        sim.steps(1);
        assert_eq!(sim.d.act[0], want);
    }
}

/// A34.5: exact filter with limits
/// A34.D2: filters under Runge-Kutta
#[test]
fn filters() {
    let filter = |kind: &str, option: &str| {
        let actuator =
            format!("<general joint='j' dyntype='{kind}' dynprm='.1' actlimited='true' actrange='-1 1'/>");
        let mut sim = slider(&format!("timestep='.1' {option}"), &actuator);
        sim.d.ctrl[0] = 1.0;
        sim.steps(1);
        sim.d.act[0]
    };
    close(filter("filterexact", ""), 0.63212056, 1e-8);
    close(filter("filter", "integrator='RK4'"), 0.625, 1e-12);
    close(filter("filterexact", "integrator='RK4'"), 0.39507535, 1e-8);
}

/// A34.6, A34.7: early activation uses the clamped next value
#[test]
fn early_activation() {
    let forces = |early: &str| {
        let actuator =
            integrator(&format!("gainprm='10' actlimited='true' actrange='-1 1' actearly='{early}'"));
        let mut sim = slider("timestep='.1'", &actuator);
        sim.d.ctrl[0] = 3.0;
        (0..5)
            .map(|_| {
                sim.steps(1);
                sim.d.actuator_force[0]
            })
            .collect::<Vec<_>>()
    };
    all_close(&forces("true"), &[3.0, 6.0, 9.0, 10.0, 10.0], 1e-12);
    all_close(&forces("false"), &[0.0, 3.0, 6.0, 9.0, 10.0], 1e-12);
}

/// A34.8: 100 steps of the limited integrator
#[test]
fn limited_trajectory() {
    let mut sim = slider("", &integrator("actlimited='true' actrange='-1 1'"));
    sim.d.ctrl[0] = 10.0;
    let mut want = 0.0_f64;
    for _ in 0..100 {
        sim.steps(1);
        want = (want + 10.0 * 0.002).min(1.0);
        close(sim.d.act[0], want, 1e-12);
    }
    assert_eq!(sim.d.act[0], 1.0);
}

/// A34.D1: activations out of range, disabled groups, disabled actuation
#[test]
fn out_of_range_and_disabled() {
    let actuator = integrator("group='2' actlimited='true' actrange='-1 1'");
    let mut sim = slider("", &actuator);
    sim.d.act[0] = 5.0;
    sim.d.ctrl[0] = 1.0;
    sim.steps(1);
    assert_eq!(sim.d.actuator_force[0], 5.0);
    assert_eq!(sim.d.act[0], 1.0);

    let mut off = slider("", &actuator);
    off.m.opt.disableactuator = 1 << 2;
    (off.d.act[0], off.d.ctrl[0]) = (5.0, 1.0);
    off.steps(1);
    assert_eq!((off.d.actuator_force[0], off.d.act[0]), (0.0, 1.0));

    let mut none = slider("", &actuator);
    none.disable(DisableBit::Actuation);
    (none.d.act[0], none.d.ctrl[0]) = (5.0, 1.0);
    none.steps(1);
    assert_eq!((none.d.actuator_force[0], none.d.act[0]), (0.0, 5.0));
}

/// F4.4, F4.5: actuators on fixed tendons
#[test]
fn tendon_actuators() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/><body pos='1 0 0'><joint name='b'/><geom size='.1'/>\
         </body></body></worldbody><tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/></fixed>\
         <fixed name='u'><joint joint='a' coef='1'/></fixed></tendon>\
         <actuator><motor tendon='t'/><motor tendon='u'/><motor joint='a'/></actuator></mujoco>",
    );
    sim.d.ctrl[0] = 1.0;
    all_close(&sim.forward().d.qfrc_actuator, &[1.0, -1.0], 0.0);
    sim.d.ctrl.copy_from_slice(&[0.0, 0.7, 0.0]);
    let through_tendon = sim.forward().d.qfrc_actuator.clone();
    sim.d.ctrl.copy_from_slice(&[0.0, 0.0, 0.7]);
    all_close(&sim.forward().d.qfrc_actuator, &through_tendon, 1e-14);
}

/// Force limits of tendons scale all actuators of the tendon.
#[test]
fn tendon_force_limit() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body><joint name='a'/><geom size='.1'/></body></worldbody>\
         <tendon><fixed name='t' actuatorfrclimited='true' actuatorfrcrange='-1 2'><joint joint='a' coef='1'/></fixed></tendon>\
         <actuator><motor tendon='t'/><motor tendon='t'/></actuator></mujoco>",
    );
    sim.d.ctrl.copy_from_slice(&[3.0, 1.0]);
    all_close(&sim.forward().d.actuator_force, &[1.5, 0.5], 1e-15);
    sim.d.ctrl.copy_from_slice(&[-3.0, 1.0]);
    all_close(&sim.forward().d.actuator_force, &[-1.5, 0.5], 1e-15);
}

/// F12.8: adhesion scales its control
/// F12.12: the gain of a velocity actuator is one unless told otherwise
#[test]
fn adhesion_and_velocity() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body name='b'><joint name='j1'/><geom size='.1'/></body></worldbody><actuator>\
         <adhesion body='b' gain='50' ctrlrange='0 1'/><velocity joint='j1'/></actuator></mujoco>",
    );
    sim.d.ctrl[0] = 1.0;
    close(sim.forward().d.actuator_force[0], 50.0, 0.0);
    assert_eq!(
        (sim.m.actuator_gainprm[1][0], sim.m.actuator_biasprm[1][..3].to_vec()),
        (1.0, vec![0.0, 0.0, -1.0])
    );
}

/// F12.13: dampers and adhesion need a range of control that is not negative, and are limited to it
#[test]
fn ranges_of_dampers_and_adhesion() {
    let model = |actuator: &str| {
        ligament::load_model(&format!(
            "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='.1'/></body></worldbody>\
             <actuator>{actuator}</actuator></mujoco>"
        ))
    };
    for element in ["damper joint='j' kv='5'", "adhesion body='b'"] {
        let message = |range: &str| model(&format!("<{element} {range}/>")).unwrap_err().to_string();
        assert!(message("").contains("invalid control range"), "{}", message(""));
        assert!(message("ctrlrange='-1 1'").contains("control range cannot be negative"));
        let m = model(&format!("<{element} ctrlrange='0 2'/>")).unwrap();
        assert_eq!((m.actuator_ctrllimited[0], m.actuator_ctrlrange[0]), (1, [0.0, 2.0]));
    }
}
