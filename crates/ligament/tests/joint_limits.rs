//! Rows of joint limits, of ball joints above all (spec item 38).

mod support;
use ligament::enums::ConstraintType;
use std::f64::consts::FRAC_PI_4;
use support::{Sim, all_close, close};

fn ball(name: &str, range: &str) -> String {
    format!(
        "<joint name='{name}' type='ball' {range}/><geom size='.1' mass='1' contype='0' conaffinity='0'/>"
    )
}

fn scene(world: &str, rest: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.001' jacobian='dense'/><worldbody>{world}</worldbody>{rest}</mujoco>"
    ))
}

/// Orientation turned by some degrees about an axis.
fn turned(degrees: f64, axis: [f64; 3]) -> [f64; 4] {
    let half = degrees.to_radians() / 2.0;
    [half.cos(), half.sin() * axis[0], half.sin() * axis[1], half.sin() * axis[2]]
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Joint of each row; all rows must be joint limits.
fn joints_of_rows(sim: &Sim) -> Vec<i32> {
    assert!(sim.d.efc_type.iter().all(|&kind| kind == ConstraintType::LimitJoint as i32));
    assert_eq!((sim.d.nl, sim.d.efc_pos.len(), sim.d.efc_force.len()), (sim.d.nefc, sim.d.nefc, sim.d.nefc));
    sim.d.efc_id.to_vec()
}

/// C38.5: a free joint has no limit, whatever it says
#[test]
fn free_joints_have_no_limit() {
    let mut sim =
        scene("<body><joint type='free' limited='true' range='0 .5'/><geom size='.1' mass='1'/></body>", "");
    assert_eq!((sim.m.jnt_limited[0], sim.m.jnt_range[0]), (0, [0.0, 0.5]));
    sim.d.qpos[3..].copy_from_slice(&turned(120.0, X));
    assert_eq!(sim.forward().d.nefc, 0);
}

/// C38.10: of a chain with limited, unlimited, respected and violated joints only the violated one has a row
#[test]
fn only_violated_limits_have_rows() {
    let (a, b, c) = (ball("a", "range='0 30'"), ball("b", "range='0 90'"), ball("c", ""));
    let mut sim = scene(&format!("<body>{a}<body>{b}<body>{c}</body></body></body>"), "");
    for (joint, q) in [turned(50.0, X), turned(45.0, Y), turned(170.0, Z)].iter().enumerate() {
        sim.d.qpos[4 * joint..4 * joint + 4].copy_from_slice(q);
    }
    sim.forward();
    assert_eq!(joints_of_rows(&sim), [0]);
    sim.steps(10);
}

/// C38.17: every violated joint has a row of its own
#[test]
fn several_violated_limits() {
    let (a, b) = (ball("a", "range='0 30'"), ball("b", "range='0 45'"));
    let mut sim = scene(&format!("<body>{a}<body>{b}</body></body>"), "");
    sim.d.qpos[..4].copy_from_slice(&turned(50.0, X));
    sim.d.qpos[4..].copy_from_slice(&turned(60.0, Y));
    sim.forward();
    assert_eq!(joints_of_rows(&sim), [0, 1]);
    all_close(&sim.d.efc_pos, &[-20f64.to_radians(), -15f64.to_radians()], 1e-12);
    all_close(&sim.d.efc_J, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0], 1e-12);
}

/// C38.11: the sensor of a limit reads the force of its row (number from MuJoCo 3.5.0)
#[test]
fn limit_force() {
    let world = format!("<body>{}</body>", ball("b", "range='0 30'"));
    let mut sim = scene(&world, "<sensor><jointlimitfrc joint='b'/></sensor>");
    sim.d.qpos.copy_from_slice(&turned(60.0, X));
    sim.forward();
    close(sim.d.sensordata[0], 5.235987755982998, 1e-12);
    close(sim.d.sensordata[0], sim.d.efc_force[0], 1e-15);
}

/// C38.12: hinge and ball limits side by side
#[test]
fn hinge_and_ball() {
    let hinge =
        "<joint name='h' axis='1 0 0' range='-30 30'/><geom size='.1' mass='1' contype='0' conaffinity='0'/>";
    let mut sim = scene(&format!("<body>{hinge}<body>{}</body></body>", ball("b", "range='0 45'")), "");
    sim.d.qpos[0] = 40f64.to_radians();
    sim.d.qpos[1..].copy_from_slice(&turned(60.0, Y));
    sim.forward();
    assert_eq!(joints_of_rows(&sim), [0, 1]);
    all_close(&sim.d.efc_J, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0], 1e-12);
}

/// C38.22: just inside the limit there is no row (at the limit itself rounding decides)
#[test]
fn just_inside() {
    let mut sim = scene(&format!("<body>{}</body>", ball("b", "range='0 45'")), "");
    sim.d.qpos.copy_from_slice(&turned(44.999, X));
    assert_eq!(sim.forward().d.nefc, 0);
    sim.d.qpos.copy_from_slice(&turned(45.001, X));
    assert_eq!(sim.forward().d.nefc, 1);
}

/// C38.23: ranges in radians are stored as they are, those in degrees are converted once
#[test]
fn units_of_ranges() {
    let body = |range: &str| format!("<worldbody><body>{}</body></worldbody></mujoco>", ball("b", range));
    let mut radian =
        Sim::new(&format!("<mujoco><compiler angle='radian'/>{}", body(&format!("range='0 {FRAC_PI_4}'"))));
    assert_eq!(radian.m.jnt_range[0], [0.0, FRAC_PI_4]);
    radian.d.qpos.copy_from_slice(&turned(60.0, X));
    assert_eq!(radian.forward().d.nefc, 1);
    let degree = Sim::new(&format!("<mujoco>{}", body("range='0 45'")));
    assert_eq!(degree.m.jnt_limited[0], 1);
    close(degree.m.jnt_range[0][1], FRAC_PI_4, 1e-15);
}
