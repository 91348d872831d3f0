//! What a warm step owes its user: no allocation, and the same bits every time.
//!
//! A run is warm when the same run has been made before. Where there is a corpus of models, a list of
//! larger models from there is tested as well.

mod support;
use ligament::load_model_from_file;
use ligament::sim::reset;
use support::Sim;
use support::allocations::{Counting, allocations};
use support::models::{corpus_root, models};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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
    let Some(root) = corpus_root() else { return Vec::new() };
    let load = |name: &'static str| {
        let m = load_model_from_file(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
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

/// C42F: parts of the engine allocate nothing either
#[test]
fn parts_allocate_nothing() {
    let text = "<mujoco><option integrator='implicitfast' ligament:solver='xpbd' ligament:solver_params='5 2'/><worldbody>\
         <geom type='plane' size='1 1 .1'/><body pos='0 0 .3'><joint name='j' type='slide' axis='0 0 1'/>\
         <geom size='.1' pos='1 0 0'/></body><flexcomp name='s' type='grid' count='4 4 1' spacing='.1 .1 .1' dim='2' \
         radius='.005' mass='1' pos='0 0 .1' ligament:bending_model='bridson' ligament:elasticity_model='neo_hookean'>\
         <elasticity young='1e3' poisson='.3' thickness='.01' damping='.01' elastic2d='both'/></flexcomp></worldbody>\
         <actuator><general joint='j' dyntype='filterexact' dynprm='.05' ligament:gain_model='series_elastic' \
         ligament:gain_params='100 10 .02'/></actuator></mujoco>";
    let mut sim = Sim::new(text);
    assert_eq!(sim.m.parts.records().len(), 4);
    sim.forward();
    check("parts", sim, 200);
}

/// Two states of one model that never shared memory agree to the last bit.
#[test]
fn fresh_states_agree() {
    for (name, xml) in models() {
        let (mut a, mut b) = (Sim::new(&xml), Sim::new(&xml));
        assert_eq!(bits(&run(&mut a, 200)), bits(&run(&mut b, 200)), "{name}");
    }
}
