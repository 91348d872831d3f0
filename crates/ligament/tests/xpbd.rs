//! The position-based constraint solver (spec item 42E), row kind by row kind.

mod support;
use ligament::enums::{ConeType, Warning};
use ligament::parts::{clear_solver, set_solver};
use ligament::sim::solver::XpbdSolver;
use support::{Sim, close};

fn xpbd(xml: &str) -> Sim {
    let mut sim = Sim::new(xml);
    set_solver(&mut sim.m, XpbdSolver::new(50)).unwrap();
    sim
}

const CONES: [i32; 2] = [ConeType::Pyramidal as i32, ConeType::Elliptic as i32];

const BOX: &str = "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/><body pos='0 0 .12'>\
     <freejoint/><geom name='box' type='box' size='.1 .1 .1' mass='1'/></body></worldbody></mujoco>";

/// C42E.2: a box rests on a plane, with pyramidal and elliptic cones, and where Newton lets it rest
#[test]
fn a_box_rests() {
    for cone in CONES {
        let mut sim = xpbd(BOX);
        let mut newton = Sim::new(BOX);
        sim.m.opt.cone = cone;
        newton.m.opt.cone = cone;
        sim.steps(1000);
        newton.steps(1000);
        close(sim.d.qpos[2], newton.d.qpos[2], 2e-4);
        let (start, mut highest, mut fastest) = (sim.d.qpos.to_vec(), 0.0_f64, 0.0_f64);
        for _ in 0..2000 {
            sim.steps(1);
            highest = highest.max((sim.d.qpos[2] - start[2]).abs());
            fastest = sim.d.qvel.iter().fold(fastest, |v, x| v.max(x.abs()));
        }
        assert!(highest < 1e-6 && fastest < 1e-3, "{highest} {fastest}");
        let total: f64 = sim.d.qfrc_constraint[2];
        close(total, 9.81, 1e-3);
    }
}

/// C42E.3: without compliance, no penetration is left after a step
#[test]
fn penetration_is_removed() {
    for cone in CONES {
        let mut sim = Sim::new(BOX);
        sim.m.opt.cone = cone;
        set_solver(&mut sim.m, XpbdSolver::new(30).compliance(0.0).unwrap()).unwrap();
        sim.d.qpos[2] = 0.095;
        sim.forward();
        let depth = |sim: &Sim| sim.d.contact.iter().map(|c| c.dist).fold(0.0, f64::min);
        close(depth(&sim), -0.005, 1e-9);
        sim.steps(1);
        sim.forward();
        assert!(depth(&sim) > -1e-6, "{}", depth(&sim));
    }
}

/// C42E.3: multipliers are kept over the iterations: the forces don't depend on how many there are once they suffice
#[test]
fn forces_do_not_depend_on_the_number_of_iterations() {
    let force = |iterations: usize| {
        let mut sim = Sim::new(BOX);
        sim.steps(500);
        set_solver(&mut sim.m, XpbdSolver::new(iterations)).unwrap();
        sim.forward();
        sim.d.qfrc_constraint[2]
    };
    close(force(200), force(2000), 1e-6);
}

/// C42E.5: the solver can be changed between steps
#[test]
fn solvers_change_between_steps() {
    let mut sim = Sim::new(BOX);
    for round in 0..20 {
        if round % 2 == 0 {
            set_solver(&mut sim.m, XpbdSolver::new(10)).unwrap();
        } else {
            clear_solver(&mut sim.m).unwrap();
        }
        sim.steps(100);
    }
    close(sim.d.qpos[2], 0.1, 1e-3);
    assert!(sim.d.qvel.iter().all(|v| v.abs() < 1e-3), "{:?}", sim.d.qvel);
    assert_eq!(sim.d.warning[Warning::Badqacc as usize].number, 0);
}

/// C42E: friction holds a box on a slope up to its coefficient, and lets it slide beyond
#[test]
fn friction_of_contacts() {
    let slope = |angle: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        BOX.replace("type='plane'", &format!("type='plane' friction='.5' euler='0 {angle} 0'"))
            .replace("pos='0 0 .12'", &format!("pos='{} 0 {}' euler='0 {angle} 0'", 0.1 * sin, 0.1 * cos))
            .replace("mass='1'", "mass='1' friction='.5'")
    };
    for cone in CONES {
        for (angle, slides) in [(20.0_f64, false), (35.0, true)] {
            let mut sim = xpbd(&slope(angle));
            sim.m.opt.cone = cone;
            let start = [sim.d.qpos[0], sim.d.qpos[2]];
            sim.steps(500);
            let way = (sim.d.qpos[0] - start[0]).hypot(sim.d.qpos[2] - start[1]);
            // one second of uniform acceleration
            let expected = 0.5 * 9.81 * (angle.to_radians().sin() - 0.5 * angle.to_radians().cos());
            if slides {
                assert!((way / expected - 1.0).abs() < 0.15, "{way} {expected}");
            } else {
                assert!(way < 0.03, "{way}");
            }
        }
    }
}

/// C42E: equalities of all kinds, limits and dry friction
#[test]
fn other_rows() {
    // a pendulum hangs from a connection, another is welded to the world
    let mut sim = xpbd(
        "<mujoco><worldbody><body name='a' pos='0 0 -1'><freejoint/><geom size='.1' mass='1'/></body>\
         <body name='b' pos='1 0 0'><freejoint/><geom size='.1' mass='1'/></body></worldbody>\
         <equality><connect body1='a' anchor='0 0 1'/><weld body1='b' anchor='1 0 0'/></equality></mujoco>",
    );
    sim.d.qvel[0] = 1.0;
    sim.steps(1000);
    let top = ligament::math::quat::rotate(sim.d.xquat[1], [0.0, 0.0, 1.0]);
    for k in 0..3 {
        close(sim.d.xpos[1][k] + top[k], 0.0, 5e-3);
        close(sim.d.xpos[2][k], f64::from(u8::from(k == 0)), 5e-3);
    }
    // joints: a limit, a coupling, dry friction that holds and that slips
    let mut sim = xpbd(
        "<mujoco><worldbody>\
         <body><joint name='limited' type='slide' axis='0 0 1' range='-.2 1' limited='true'/><geom size='.1' mass='1'/></body>\
         <body><joint name='held' type='slide' axis='0 0 1' frictionloss='20'/><geom size='.1' mass='1'/></body>\
         <body><joint name='slips' type='slide' axis='0 0 1' frictionloss='4'/><geom size='.1' mass='1'/></body>\
         <body><joint name='follows' type='slide' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody>\
         <equality><joint joint1='follows' joint2='limited' polycoef='0 2 0 0 0'/></equality></mujoco>",
    );
    sim.m.geom_contype.fill(0);
    sim.steps(500);
    close(sim.d.qpos[0], -0.2, 1e-2);
    close(sim.d.qpos[3], 2.0 * sim.d.qpos[0], 1e-2);
    close(sim.d.qpos[1], 0.0, 1e-9);
    close(sim.d.qpos[2], -0.5 * (9.81 - 4.0), 2e-2);
}

/// C42E: a weld is as stiff as Newton's in few sweeps, also with its anchor 1 m from the body, where the small inertia of
/// the body makes it soft against turning
#[test]
fn distant_welds_hold() {
    for anchor in ["0 0 0", "1 0 0"] {
        let mut sim = Sim::new(&format!(
            "<mujoco><worldbody><body name='b' pos='1 0 0'><freejoint/><geom size='.1' mass='1'/></body></worldbody>\
             <equality><weld body1='b' anchor='{anchor}'/></equality></mujoco>"
        ));
        set_solver(&mut sim.m, XpbdSolver::new(5)).unwrap();
        let mut newton = Sim::new_of(&sim.m);
        clear_solver(&mut newton.m).unwrap();
        sim.steps(5000);
        newton.steps(5000);
        (0..3).for_each(|k| close(sim.d.xpos[1][k], newton.d.xpos[1][k], 1e-5));
        close(sim.d.qfrc_constraint[2], 9.81, 1e-3);
    }
}

/// C42E: a divided step falls, slides and rests as a whole one
#[test]
fn substeps_of_rigid_bodies() {
    let mut fall = Sim::new(&BOX.replace("0 0 .12", "0 0 3"));
    set_solver(&mut fall.m, XpbdSolver::new(2).substeps(5)).unwrap();
    fall.steps(250);
    close(fall.d.qvel[2], -9.81 * 0.5, 1e-9);
    let mut rest = Sim::new(BOX);
    set_solver(&mut rest.m, XpbdSolver::new(4).substeps(5)).unwrap();
    rest.steps(1000);
    close(rest.d.qpos[2], 0.1, 1e-3);
    close(rest.d.qfrc_constraint[2], 9.81, 1e-2);
    assert!(rest.d.qvel.iter().all(|v| v.abs() < 1e-3), "{:?}", rest.d.qvel);
}

/// C42E: work is counted against the limit of the state
#[test]
fn effort_is_limited() {
    let mut sim = xpbd(BOX);
    sim.d.qpos[2] = 0.09;
    sim.d.effort = 1000;
    let message = ligament::sim::step::step(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("1000"), "{message}");
    sim.d.effort = u64::MAX;
    sim.steps(1);
}

/// C42E: the option of the model text
#[test]
fn chosen_by_option() {
    let with = |attributes: &str| BOX.replace("<worldbody>", &format!("<option {attributes}/><worldbody>"));
    let sim = Sim::new(&with("ligament:solver='xpbd' ligament:solver_params='8 4 1e-6'"));
    let record = &sim.m.parts.records()[0];
    assert_eq!((record.name.as_str(), &record.parameters[..]), ("xpbd", &[8.0, 4.0, 1e-6][..]));
    let spec =
        ligament::parse_mjcf_str(&with("ligament:solver='xpbd' ligament:solver_params='8 4 1e-6'")).unwrap();
    let saved = ligament::write(&spec).unwrap();
    assert_eq!(ligament::load_model(&saved).unwrap().parts.records(), sim.m.parts.records(), "{saved}");
    for (attributes, expected) in [
        ("ligament:solver='lcp'", "the model asks for the solver part \"lcp\", which is not known here"),
        ("ligament:solver='lcp'", "known are xpbd"),
        ("ligament:solver_params='4'", "name one by ligament:solver"),
        ("ligament:solver='xpbd'", "xpbd takes one to three numbers"),
        ("ligament:solver='xpbd' ligament:solver_params='1 1 1 1'", "xpbd takes one to three numbers"),
        ("ligament:solver='xpbd' ligament:solver_params='0'", "iterations is 0"),
        ("ligament:solver='xpbd' ligament:solver_params='4 1.5'", "substeps is 1.5"),
        ("ligament:solver='xpbd' ligament:solver_params='4 1 -1'", "compliance is -1"),
    ] {
        let message = ligament::load_model(&with(attributes)).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}
