//! Disable and enable flags, bad numbers, state vectors (spec item 41).

mod support;
use ligament::enums::{DisableBit, EnableBit, State, Warning};
use ligament::sim::{reset, state};
use support::{Sim, all_close, close};

const SCENE: &str = "<mujoco><worldbody><geom type='plane' size='2 2 1'/><body pos='0 0 .099'><freejoint/>\
    <geom size='.1'/></body><body pos='1 0 1'><joint name='j' axis='0 1 0' range='0 90' stiffness='100' damping='10'\
    frictionloss='.1'/><geom size='.1' pos='.2 0 0'/></body></worldbody><actuator><motor joint='j' ctrlrange='-1 1'/>\
    </actuator><sensor><jointpos joint='j'/></sensor></mujoco>";

/// C41.10: no flag, no bit
/// C41.1: no contacts, everything else acts
/// C41.9: no constraints at all
#[test]
fn contact_and_constraint() {
    let mut sim = Sim::new(SCENE);
    assert_eq!((sim.m.opt.disableflags, sim.m.opt.enableflags), (0, 0));
    assert!(sim.forward().d.ncon > 0);
    sim.disable(DisableBit::Contact).forward();
    assert_eq!(sim.d.ncon, 0);
    close(sim.d.qacc[2], -9.81, 1e-9);
    assert!(sim.d.nefc > 0);
    sim.disable(DisableBit::Constraint).forward();
    assert_eq!(sim.d.nefc, 0);
    assert_eq!(sim.d.qacc, sim.d.qacc_smooth);
}

/// C41.2: without gravity a free body stays, the option keeps its value
#[test]
fn gravity() {
    let mut sim =
        Sim::new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    sim.disable(DisableBit::Gravity).steps(100);
    all_close(&sim.d.qpos, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 0.0);
    assert_eq!(sim.m.opt.gravity, [0.0, 0.0, -9.81]);
}

/// C41.3: without limits a hinge of 0 to 90 degrees turns past 90 and has no limit row; with them it stops
#[test]
fn limit() {
    let hinge = "<mujoco><option gravity='0 0 0'/><worldbody><body><joint axis='0 1 0' range='0 90'/><geom size='.1' pos='.2 0 0'/>\
        </body></worldbody></mujoco>";
    let turned = |off: bool| {
        let mut sim = Sim::new(hinge);
        if off {
            sim.disable(DisableBit::Limit);
        }
        sim.d.qvel[0] = 3.0;
        let mut rows = 0;
        for _ in 0..500 {
            sim.steps(1);
            rows += sim.d.nl;
        }
        (sim.d.qpos[0].to_degrees(), rows)
    };
    let (angle, rows) = turned(false);
    assert!(angle < 92.0 && rows > 0, "{angle} degrees, {rows} rows");
    let (angle, rows) = turned(true);
    assert!(angle > 150.0 && rows == 0, "{angle} degrees, {rows} rows");
}

/// C41.4: without equalities all kinds (connect, weld, joint, tendon, flex) are inactive: what they held together
/// separates
#[test]
fn equality() {
    let scene = "<mujoco><option gravity='0 0 0'/><worldbody>\
        <body name='a'><freejoint/><geom size='.1'/></body><body name='b' pos='1 0 0'><freejoint/><geom size='.1'/></body>\
        <body name='c' pos='0 3 0'><freejoint/><geom size='.1'/></body><body name='d' pos='1 3 0'><freejoint/><geom size='.1'/></body>\
        <body pos='0 6 0'><joint name='j' type='slide'/><geom size='.1'/></body><body pos='1 6 0'><joint name='k' type='slide'/><geom size='.1'/></body>\
        <body pos='0 9 0'><joint name='l' type='slide'/><geom size='.1'/></body>\
        <flexcomp name='f' type='grid' count='3 1 1' dim='1' spacing='.1 .1 .1' pos='0 12 0' radius='.01'/></worldbody>\
        <tendon><fixed name='t'><joint joint='l' coef='1'/></fixed></tendon><equality><weld body1='a' body2='b'/>\
        <connect body1='c' body2='d' anchor='.5 0 0'/><joint joint1='j' joint2='k'/><tendon tendon1='t'/><flex flex='f'/></equality></mujoco>";
    let moved = |off: bool| {
        let mut sim = Sim::new(scene);
        if off {
            sim.disable(DisableBit::Equality);
        }
        sim.forward();
        let rows = (sim.d.ne, sim.d.nefc);
        // b, d, the first slide, that of the tendon and the last vertex are pushed away
        let last = sim.m.nv - 3;
        for dof in [6, 18, 24, 26, last] {
            sim.d.qvel[dof] = 1.0;
        }
        sim.steps(200);
        let x = |body: usize| sim.d.xpos[body][0];
        let apart = [
            x(2) - x(1) - 1.0,
            x(4) - x(3) - 1.0,
            sim.d.qpos[28] - sim.d.qpos[29],
            sim.d.ten_length[0],
            sim.d.flexedge_length[1] - 0.1,
        ];
        (rows, apart)
    };
    let ((ne, nefc), apart) = moved(false);
    assert_eq!((ne, nefc), (6 + 3 + 1 + 1 + 2, 13));
    assert!(apart.iter().all(|x| x.abs() < 0.05), "held together: {apart:?}");
    let ((ne, nefc), apart) = moved(true);
    assert_eq!((ne, nefc), (0, 0));
    assert!(apart.iter().all(|&x| x > 0.3), "separated: {apart:?}");
}

/// C41.5: springs and dampers separately, and both
#[test]
fn spring_and_damper() {
    let at = |bits: &[DisableBit]| {
        let mut sim = Sim::new(SCENE);
        sim.d.qpos[7] = 0.2;
        sim.d.qvel[6] = 0.5;
        for &bit in bits {
            sim.disable(bit);
        }
        sim.forward();
        [sim.d.qfrc_spring[6], sim.d.qfrc_damper[6], sim.d.qfrc_passive[6]]
    };
    all_close(&at(&[]), &[-20.0, -5.0, -25.0], 1e-12);
    all_close(&at(&[DisableBit::Spring]), &[0.0, -5.0, -5.0], 1e-12);
    all_close(&at(&[DisableBit::Damper]), &[-20.0, 0.0, -20.0], 1e-12);
    all_close(&at(&[DisableBit::Spring, DisableBit::Damper]), &[0.0; 3], 0.0);
}

/// C41.6: controls have no effect
/// C41.7: sensors keep their values
#[test]
fn actuation_and_sensor() {
    let mut sim = Sim::new(SCENE);
    sim.d.ctrl[0] = 1.0;
    assert_eq!(sim.forward().d.qfrc_actuator[6], 1.0);
    sim.disable(DisableBit::Actuation).forward();
    assert_eq!(
        (sim.d.qfrc_actuator[6], sim.d.actuator_force[0], sim.d.actuator_velocity[0]),
        (0.0, 0.0, 0.0)
    );
    sim.d.qpos[7] = 0.3;
    sim.forward();
    assert_eq!(sim.d.sensordata[0], 0.3);
    sim.d.qpos[7] = 0.4;
    sim.disable(DisableBit::Sensor).forward();
    assert_eq!(sim.d.sensordata[0], 0.3);
}

/// C41.8: cold start of the solver
#[test]
fn warmstart() {
    let mut sim = Sim::new(SCENE);
    sim.steps(50).forward();
    let warm = sim.d.solver_niter[0];
    let acceleration = sim.d.qacc.clone();
    sim.disable(DisableBit::Warmstart).forward();
    assert!(sim.d.solver_niter[0] >= warm);
    all_close(&sim.d.qacc, &acceleration, 1e-6);
}

/// Energy is computed on demand and zero otherwise.
#[test]
fn energy() {
    let mut sim = Sim::new(SCENE);
    assert_eq!(sim.forward().d.energy, [0.0, 0.0]);
    sim.m.opt.enableflags |= EnableBit::Energy as i32;
    sim.d.qvel[0] = 2.0;
    sim.forward();
    close(sim.d.energy[1], 0.5 * sim.m.body_mass[1] * 4.0, 1e-9);
    assert!(sim.d.energy[0] > 0.0);
}

/// Bad numbers reset the simulation and count a warning, unless automatic reset is off.
#[test]
fn autoreset() {
    let mut sim = Sim::new(SCENE);
    sim.steps(5);
    sim.d.qpos[7] = f64::NAN;
    sim.steps(1);
    assert_eq!(sim.d.warning[Warning::Badqpos as usize].number, 1);
    assert_eq!(sim.d.warning[Warning::Badqpos as usize].lastinfo, 7);
    close(sim.d.time, 0.002, 1e-15);
    sim.disable(DisableBit::Autoreset);
    sim.d.qpos[7] = f64::NAN;
    sim.steps(1);
    assert!(sim.d.qpos[7].is_nan());
    close(sim.d.time, 0.004, 1e-15);
    let mut controlled = Sim::new(SCENE);
    controlled.d.ctrl[0] = f64::NAN;
    controlled.forward();
    assert_eq!(controlled.d.warning[Warning::Badctrl as usize].number, 1);
    assert_eq!(controlled.d.actuator_force[0], 0.0);
}

/// State vectors: sizes, round trip, extraction, bad signatures.
#[test]
fn state_vectors() {
    let mut sim = Sim::new(SCENE);
    sim.steps(10);
    let full = State::Integration as i32;
    let size = state::state_size(&sim.m, full).unwrap();
    let mut saved = vec![0.0; size];
    state::get_state(&sim.m, &sim.d, &mut saved, full).unwrap();
    sim.steps(5);
    let (qpos, time) = (sim.d.qpos.clone(), sim.d.time);
    state::set_state(&sim.m, &mut sim.d, &saved, full).unwrap();
    sim.steps(5);
    assert_eq!((&sim.d.qpos, sim.d.time), (&qpos, time));
    let sig = State::Qvel as i32 | State::Ctrl as i32;
    let mut part = vec![0.0; sim.m.nv + sim.m.nu];
    state::extract_state(&sim.m, &saved, full, &mut part, sig).unwrap();
    state::get_state(&sim.m, &sim.d, &mut saved, full).unwrap();
    assert!(state::state_size(&sim.m, -1).is_err());
    assert!(state::state_size(&sim.m, 1 << 14).is_err());
    assert!(state::extract_state(&sim.m, &part, sig, &mut saved, full).is_err());
    let mut other = reset::make_data(&sim.m).unwrap();
    state::copy_state(&sim.d, &mut other, full).unwrap();
    assert_eq!(other.qpos, sim.d.qpos);
}

/// Keyframes restore time, positions and controls.
#[test]
fn keyframe_reset() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator>\
         <keyframe><key time='3' qpos='.5' qvel='.2' ctrl='.1'/></keyframe></mujoco>",
    );
    reset::reset_data_keyframe(&sim.m, &mut sim.d, 0).unwrap();
    assert_eq!((sim.d.time, sim.d.qpos[0], sim.d.qvel[0], sim.d.ctrl[0]), (3.0, 0.5, 0.2, 0.1));
    reset::reset_data_keyframe(&sim.m, &mut sim.d, 7).unwrap();
    assert_eq!((sim.d.time, sim.d.qpos[0]), (0.0, 0.0));
}
