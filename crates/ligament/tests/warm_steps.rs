//! What a warm step owes its user: no allocation, and the same bits every time.
//!
//! A run is warm when the same run has been made before. With `LIGAMENT_CORPUS` set to a directory of models, a list of
//! larger models from there is tested as well.

mod support;
use ligament::load_model_from_file;
use ligament::sim::reset;
use std::path::Path;
use support::Sim;
use support::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A plane and, above it, free bodies with these geoms, close enough to touch each other.
fn pile(option: &str, geoms: &[&str]) -> String {
    let bodies: String = geoms
        .iter()
        .enumerate()
        .map(|(i, geom)| {
            format!(
                "<body pos='{} 0 {}'><freejoint/><geom {geom}/></body>",
                0.02 * i as f64,
                0.12 + 0.19 * i as f64
            )
        })
        .collect();
    format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='5 5 1'/>{bodies}</worldbody></mujoco>"
    )
}

const BOXES: [&str; 3] = ["type='box' size='.1 .1 .1'"; 3];
const MIXED: [&str; 5] = [
    "type='sphere' size='.1'",
    "type='capsule' size='.05 .05' condim='4'",
    "type='cylinder' size='.1 .08' condim='6'",
    "type='ellipsoid' size='.1 .08 .1'",
    "type='box' size='.1 .1 .1' condim='1'",
];

/// A chain with limits, dry friction, every family of sensor and an inner contact.
const SENSORS: &str = "<mujoco><worldbody><geom type='plane' size='2 2 1'/><body name='b' pos='0 0 .3'>\
    <joint name='j' axis='0 1 0' limited='true' range='-30 30' frictionloss='.1'/>\
    <geom name='g' type='capsule' fromto='0 0 0 .4 0 0' size='.05'/><site name='s' size='.2' pos='.3 0 0'/>\
    <body pos='.45 0 0'><joint type='ball' limited='true' range='0 60'/><geom type='box' size='.05 .05 .05'/></body>\
    </body></worldbody><sensor><touch site='s'/><accelerometer site='s'/><gyro site='s'/><force site='s'/>\
    <torque site='s'/><rangefinder site='s'/><jointlimitfrc joint='j'/><jointpos joint='j'/><framepos objtype='body' objname='b'/>\
    <subtreecom body='b'/><subtreelinvel body='b'/><framelinacc objtype='geom' objname='g'/><contact geom1='g'/>\
    <clock/><e_kinetic/></sensor></mujoco>";

/// Tendons of both kinds with limits, friction, muscles and wrapping.
const TENDONS: &str = "<mujoco><worldbody><site name='a' pos='0 0 1'/><body pos='.2 0 .8'>\
    <joint name='h' axis='0 1 0' damping='.1'/><geom name='w' type='cylinder' size='.06 .1' euler='90 0 0'/>\
    <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/><site name='b' pos='.25 0 .05'/>\
    <body pos='.35 0 0'><joint name='k' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .2 0 0' size='.03'/>\
    <site name='c' pos='.15 0 .05'/></body></body></worldbody>\
    <tendon><spatial name='t' limited='true' range='0 .4' frictionloss='.2'><site site='a'/><geom geom='w'/>\
    <site site='b'/><pulley divisor='2'/><site site='b'/><site site='c'/></spatial>\
    <fixed name='f' limited='true' range='-.2 .2'><joint joint='h' coef='1'/><joint joint='k' coef='-.5'/></fixed></tendon>\
    <actuator><muscle tendon='t' lengthrange='.1 .6'/><motor tendon='f'/><position joint='k' kp='3'/></actuator>\
    <sensor><tendonpos tendon='t'/><tendonlimitfrc tendon='f'/><actuatorfrc actuator='x'/></sensor></mujoco>";

/// Every kind of equality between bodies, joints and tendons.
const EQUALITIES: &str = "<mujoco><worldbody><geom type='plane' size='2 2 1'/>\
    <body name='a' pos='0 0 .5'><freejoint/><geom size='.1'/></body>\
    <body name='b' pos='.3 0 .5'><freejoint/><geom size='.1'/></body>\
    <body name='c' pos='.6 0 .5'><joint name='x' type='slide' axis='0 0 1'/><geom size='.1'/></body>\
    <body name='d' pos='.9 0 .5'><joint name='y' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>\
    <tendon><fixed name='t'><joint joint='x' coef='1'/></fixed><fixed name='u'><joint joint='y' coef='2'/></fixed></tendon>\
    <equality><connect body1='a' body2='b' anchor='.15 0 0'/><weld body1='b' body2='c'/>\
    <joint joint1='x' joint2='y' polycoef='0 .5 0 0 0'/><tendon tendon1='t' tendon2='u'/></equality></mujoco>";

/// A cloth over a ball, with contacts inside the cloth and edge constraints.
const CLOTH: &str = "<mujoco><option solver='CG' tolerance='1e-6'/><worldbody><geom size='.2'/>\
    <flexcomp name='f' type='grid' count='6 6 1' spacing='.08 .08 .1' pos='0 0 .26' dim='2' mass='.5' radius='.01'>\
    <edge equality='true'/><contact selfcollide='auto'/></flexcomp></worldbody></mujoco>";

/// The list of small models, by name.
fn models() -> Vec<(&'static str, String)> {
    let tendons = TENDONS.replace("<muscle ", "<muscle name='x' ");
    vec![
        ("boxes, Newton", pile("", &BOXES)),
        ("boxes, elliptic", pile("cone='elliptic' impratio='10'", &BOXES)),
        ("boxes, CG", pile("solver='CG'", &BOXES)),
        ("boxes, PGS", pile("solver='PGS'", &BOXES)),
        ("boxes, no slip", pile("noslip_iterations='3' cone='elliptic'", &BOXES)),
        ("boxes, sparse", pile("jacobian='sparse'", &BOXES)),
        ("mixed shapes", pile("", &MIXED)),
        ("mixed shapes, RK4", pile("integrator='RK4'", &MIXED)),
        ("mixed shapes, implicit", pile("integrator='implicit' density='1.2' viscosity='.1'", &MIXED)),
        ("sensors", SENSORS.to_string()),
        ("tendons", tendons.clone()),
        (
            "tendons, implicitfast",
            tendons.replace("<worldbody>", "<option integrator='implicitfast'/><worldbody>"),
        ),
        ("equalities", EQUALITIES.to_string()),
        ("cloth", CLOTH.to_string()),
    ]
}

/// Models of the corpus, for runs on a machine that has it.
const CORPUS: [&str; 12] = [
    "mujoco/model/humanoid/humanoid.xml",
    "mujoco/model/humanoid/22_humanoids.xml",
    "mujoco/model/car/car.xml",
    "mujoco/model/tendon_arm/arm26.xml",
    "mujoco/model/cube/cube_3x3x3.xml",
    "mujoco/model/hammock/hammock.xml",
    "gymnasium/ant.xml",
    "dm_control/suite/quadruped.xml",
    "menagerie/agility_cassie/scene.xml",
    "menagerie/shadow_hand/scene_right.xml",
    "myo_sim/leg/myolegs.xml",
    "mujoco/model/flex/trampoline.xml",
];

/// The models of [`CORPUS`], or none.
fn corpus_models() -> Vec<(&'static str, Sim)> {
    let Ok(root) = std::env::var("LIGAMENT_CORPUS") else { return Vec::new() };
    let load = |name: &'static str| {
        let m = load_model_from_file(Path::new(&root).join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let d = reset::make_data(&m).unwrap();
        (name, Sim { m, d })
    };
    CORPUS.into_iter().map(load).collect()
}

/// Runs from the reset state with controls that change; returns the final state.
fn run(sim: &mut Sim, steps: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    for k in 0..steps {
        for (i, ctrl) in sim.d.ctrl.iter_mut().enumerate() {
            *ctrl = 0.3 * (0.1 * k as f64 + i as f64).sin();
        }
        sim.steps(1);
    }
    (sim.d.qpos.to_vec(), sim.d.qvel.to_vec(), sim.d.sensordata.to_vec())
}

fn bits(state: &(Vec<f64>, Vec<f64>, Vec<f64>)) -> Vec<u64> {
    state.0.iter().chain(&state.1).chain(&state.2).map(|x| x.to_bits()).collect()
}

/// Runs twice and checks that the second time allocates nothing and gives the same bits.
fn check(name: &str, mut sim: Sim, steps: usize) {
    let first = run(&mut sim, steps);
    assert!(first.0.iter().all(|x| x.is_finite()), "{name}");
    sim.reset();
    let before = allocations();
    let again = run(&mut sim, steps);
    // the three clones of the result
    let results = [&again.0, &again.1, &again.2].into_iter().filter(|v| !v.is_empty()).count();
    assert_eq!(allocations() - before, results, "allocations in warm steps of {name}");
    assert_eq!(bits(&first), bits(&again), "{name}: a second run differs from the first");
}

/// F2.6, F1.2, F1.4: no allocation in warm steps, with every kind of contact, constraint, solver, tendon and sensor
#[test]
fn warm_steps_allocate_nothing_and_repeat() {
    for (name, xml) in models() {
        let mut sim = Sim::new(&xml);
        sim.forward();
        check(name, sim, 300);
    }
    for (name, sim) in corpus_models() {
        check(name, sim, 200);
    }
}

/// Two states of one model that never shared memory agree to the last bit.
#[test]
fn fresh_states_agree() {
    for (name, xml) in models() {
        let (mut a, mut b) = (Sim::new(&xml), Sim::new(&xml));
        assert_eq!(bits(&run(&mut a, 200)), bits(&run(&mut b, 200)), "{name}");
    }
}
