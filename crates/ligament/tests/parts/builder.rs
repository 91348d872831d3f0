//! Simulations put together with a builder, and the examples.

#[path = "../../examples/pneumatic_muscle.rs"]
mod pneumatic_muscle;
#[path = "../../examples/random_bending.rs"]
mod random_bending;

use crate::support::Sim;
use crate::{ARM, PILE, SERIES, bits, lift_corner, sheet};
use ligament::enums::{Integrator, SolverType};
use ligament::load_model;
use ligament::parts::builder::{AnimationSim, MujocoSim, SoftBodySim};
use ligament::parts::*;
use ligament::sim::flex::{BridsonBending, NeoHookean};

/// C42E.1, C42F.1, C42F.4: the default simulation has the bits of `make_data` and `step`, with every solver, integrator
/// and cone
#[test]
fn default_simulation_is_the_plain_step() {
    for xml in [PILE, ARM, SERIES] {
        for solver in [SolverType::Pgs, SolverType::Cg, SolverType::Newton] {
            for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit] {
                let mut plain = Sim::new(xml);
                plain.m.opt.solver = solver as i32;
                plain.m.opt.integrator = integrator as i32;
                let mut built: MujocoSim = SimBuilder::new().build(plain.m.clone()).unwrap();
                plain.steps(100);
                (0..100).for_each(|_| built.step().unwrap());
                assert_eq!(bits(&plain.d), bits(&built.data), "{solver:?} {integrator:?}");
                assert_eq!(plain.d.efc_force, built.data.efc_force);
            }
        }
    }
}

/// C42F.2: `.bending(BridsonBending)` bends as the flex that asks for it in its text; only the bending differs
#[test]
fn builder_sets_the_default_bending() {
    let mut named = Sim::new(&sheet("ligament:bending_model='bridson'"));
    let mut built =
        SimBuilder::new().bending(BridsonBending::default()).build(load_model(&sheet("")).unwrap()).unwrap();
    let mut plain = Sim::new(&sheet(""));
    for d in [&mut named.d, &mut built.data, &mut plain.d] {
        lift_corner(d);
    }
    plain.forward();
    named.forward();
    built.forward().unwrap();
    assert_ne!(plain.d.qfrc_spring, named.d.qfrc_spring);
    for integrator in [Integrator::Euler, Integrator::Implicit] {
        named.m.opt.integrator = integrator as i32;
        built.model.opt.integrator = integrator as i32;
        for _ in 0..50 {
            named.steps(1);
            built.step().unwrap();
        }
        assert_eq!(bits(&named.d), bits(&built.data));
    }
}

/// C42F.3: all parts can be combined; the aliases name three combinations
#[test]
fn parts_combine() {
    let model = load_model(&sheet("")).unwrap();
    let (mu, lambda) = model.flex_model(0).unwrap().material.unwrap().lame();
    let mut sim = SimBuilder::new()
        .elasticity(NeoHookean::new(mu, lambda))
        .contact_solver(ligament::sim::solver::XpbdSolver::new(4))
        .actuators(FixedGain { gain: 2.0 })
        .build(model.clone())
        .unwrap();
    lift_corner(&mut sim.data);
    (0..50).for_each(|_| sim.step().unwrap());
    assert!(sim.data.qpos.iter().all(|x| x.is_finite()));
    let _: SoftBodySim = SimBuilder::new().elasticity(NeoHookean::default()).build(model.clone()).unwrap();
    let _: AnimationSim = SimBuilder::new()
        .bending(BridsonBending::default())
        .contact_solver(ligament::sim::solver::XpbdSolver::default())
        .build(model)
        .unwrap();
}

/// C42F.6: the training loop of the example draws all three models, whose episodes end differently
#[test]
fn random_bending_example() {
    let episodes = random_bending::train(12, 7).unwrap();
    let reward = |name: &str| episodes.iter().find(|(n, _)| *n == name).map(|(_, reward)| *reward);
    let rewards = ["cotangent", "bridson", "spring"].map(|name| reward(name).expect(name));
    assert!(rewards.iter().all(|x| x.is_finite()));
    assert!(rewards[0] != rewards[1] && rewards[1] != rewards[2] && rewards[0] != rewards[2], "{rewards:?}");
    random_bending::main().unwrap();
    let same = random_bending::train(12, 7).unwrap();
    assert_eq!(episodes, same);
}

/// C42D: the pneumatic muscle of the example lifts the arm the higher the pressure is
#[test]
fn pneumatic_muscle_example() {
    pneumatic_muscle::main().unwrap();
    let angles = [0.0, 7e3, 2e4].map(|pressure| pneumatic_muscle::lift(pressure).unwrap());
    assert!(angles[0] > angles[1] + 1.0 && angles[1] > angles[2] + 1.0, "{angles:?}");
}
