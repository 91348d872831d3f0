//! Exchangeable parts through the public interface (spec items 42D, 42E, 42F). What is tested here is written as a user
//! of another crate would write it.

#[path = "../examples/pneumatic_muscle.rs"]
mod pneumatic_muscle;
#[path = "../examples/random_bending.rs"]
mod random_bending;
mod support;

use ligament::batch::{Batch, Config, Select};
use ligament::enums::{Integrator, SolverType, Stage};
use ligament::parts::actuator::Affine;
use ligament::parts::builder::{AnimationSim, MujocoSim, SoftBodySim};
use ligament::parts::*;
use ligament::sim::flex::{BridsonBending, NeoHookean};
use ligament::sim::{inverse, step};
use ligament::{Data, Model, StepError, load_model, model_from_bytes, model_from_bytes_with_parts};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Sim, close};

/// A hinge with one actuator of each built-in kind.
const ARM: &str = "<mujoco><option integrator='implicitfast'/><worldbody><body><joint name='j' axis='0 1 0' \
     range='-1 1' damping='.1'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02' mass='1'/></body></worldbody>\
     <actuator><general name='fixed' joint='j' gainprm='3' biastype='affine' biasprm='.1 -.2 -.3'/>\
     <general name='affine' joint='j' gaintype='affine' gainprm='2 3 4' dyntype='filter' dynprm='.1'/>\
     <muscle name='muscle' joint='j' lengthrange='-1 1' force='20' range='.75 1.05'/></actuator></mujoco>";

fn bits(d: &Data) -> Vec<u64> {
    d.qpos
        .iter()
        .chain(d.qvel.iter())
        .chain(d.act.iter())
        .chain(d.actuator_force.iter())
        .map(|x| x.to_bits())
        .collect()
}

fn trajectory(m: &Model, steps: usize) -> Vec<u64> {
    let mut d = ligament::sim::reset::make_data(m).unwrap();
    let mut all = Vec::new();
    for k in 0..steps {
        for (i, ctrl) in d.ctrl.iter_mut().enumerate() {
            *ctrl = 0.5 + 0.5 * (0.1 * k as f64 + i as f64).sin();
        }
        step::step(m, &mut d).unwrap();
        all.extend(bits(&d));
    }
    all
}

/// C42D.1: fixed, affine and muscle gains as parts have the bits of the built-in ones, and so do the biases
#[test]
fn built_in_laws_as_parts_have_the_same_bits() {
    let plain = load_model(ARM).unwrap();
    let mut own = plain.clone();
    let affine = |prm: &[f64; 10]| Affine { constant: prm[0], by_length: prm[1], by_velocity: prm[2] };
    set_gain(&mut own, 0, FixedGain { gain: plain.actuator_gainprm[0][0] }).unwrap();
    set_bias(&mut own, 0, AffineBias(affine(&plain.actuator_biasprm[0]))).unwrap();
    set_gain(&mut own, 1, AffineGain(affine(&plain.actuator_gainprm[1]))).unwrap();
    set_gain(&mut own, 2, MuscleGain { prm: plain.actuator_gainprm[2] }).unwrap();
    set_bias(&mut own, 2, MuscleBias { prm: plain.actuator_biasprm[2] }).unwrap();
    assert_ne!(own, plain, "a model with parts is another model");
    for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast] {
        let run = |m: &Model| {
            let mut m = m.clone();
            m.opt.integrator = integrator as i32;
            trajectory(&m, 200)
        };
        assert_eq!(run(&own), run(&plain), "{integrator:?}");
    }
}

const SERIES: &str = "<mujoco><worldbody><body><joint name='j' type='slide' axis='1 0 0'/>\
     <geom size='.1' mass='2'/></body></worldbody><actuator><general name='sea' joint='j' dyntype='filterexact' \
     dynprm='.05' ligament:gain_model='series_elastic' ligament:gain_params='1000 10 .02'/></actuator></mujoco>";

/// C42D.2: a motor pulls through its spring and damper: F = k (r x − l) + d (r ẋ − l̇), with its own state x
#[test]
fn series_elastic_force() {
    let mut sim = Sim::new(SERIES);
    assert_eq!(sim.m.parts.gain(0).unwrap().name(), "series_elastic");
    sim.d.qpos[0] = 0.003;
    sim.d.qvel[0] = -0.2;
    sim.d.act[0] = 0.7;
    sim.d.ctrl[0] = 1.5;
    sim.forward();
    let rate = (1.5 - 0.7) / 0.05;
    close(sim.d.act_dot[0], rate, 1e-12);
    close(sim.d.actuator_force[0], 1000.0 * (0.02 * 0.7 - 0.003) + 10.0 * (0.02 * rate + 0.2), 1e-12);
    // in the end the load stands where the motor put it
    sim.m.opt.integrator = Integrator::Implicitfast as i32;
    sim.steps(5000);
    close(sim.d.act[0], 1.5, 1e-9);
    close(sim.d.qpos[0], 0.03, 1e-6);
}

/// C42D.2: what is wrong with a series-elastic actuator is said with its name
#[test]
fn bad_series_elastic_actuators_are_refused() {
    let refusal = |from: &str, to: &str| load_model(&SERIES.replace(from, to)).unwrap_err().to_string();
    let cases = [
        ("1000 10 .02", "1000 10", "series_elastic takes three numbers (stiffness, damping, ratio), 2 given"),
        ("1000 10 .02", "nan 10 1", "stiffness is NaN, it must be finite and positive"),
        ("1000 10 .02", "1000 -1 1", "damping is -1, it must be finite and not negative"),
        ("1000 10 .02", "1000 1 0", "ratio is 0, it must be finite and not zero"),
        ("series_elastic", "rubber_band", "asks for the gain part \"rubber_band\", which is not known here"),
        ("series_elastic", "rubber_band", "known are fixed, affine, muscle, series_elastic"),
        ("ligament:gain_model='series_elastic'", "", "name one by ligament:gain_model"),
        (" dyntype='filterexact' dynprm='.05'", "", "it needs a motor state"),
    ];
    for (from, to, expected) in cases {
        let message = refusal(from, to);
        assert!(message.contains(expected) && message.contains("sea"), "{message}");
    }
}

/// C42D.2: the law survives saving as text and as bytes
#[test]
fn named_parts_survive_saving() {
    let spec = ligament::parse_mjcf_str(SERIES).unwrap();
    let text = ligament::write(&spec).unwrap();
    let again = load_model(&text).unwrap();
    let model = load_model(SERIES).unwrap();
    assert_eq!(again.parts.records(), model.parts.records(), "{text}");
    let restored = model_from_bytes(&model.to_bytes(), "model.lig").unwrap();
    assert_eq!(restored.parts.records(), model.parts.records());
    assert_eq!(trajectory(&restored, 50), trajectory(&model, 50));
    assert!(
        ligament::mjb::write(&model)
            .unwrap_err()
            .to_string()
            .contains("\"series_elastic\" of actuator 0 \"sea\"")
    );
}

/// C42D.3: velocity derivatives of all laws agree with differences
#[test]
fn slopes_of_laws() {
    let at = ActuatorState {
        actuator: 0,
        length: 0.31,
        velocity: -0.4,
        input: 0.6,
        input_rate: 0.2,
        ctrl: 0.9,
        lengthrange: [-1.0, 1.0],
        acc0: 0.5,
        time: 0.0,
        timestep: 0.002,
    };
    let prm = [0.75, 1.05, 20.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
    let affine = Affine { constant: 2.0, by_length: 3.0, by_velocity: 4.0 };
    let laws: [(&dyn ActuatorForce, f64); 6] = [
        (&FixedGain { gain: 3.0 }, 0.0),
        (&AffineGain(affine), 4.0 * 0.6),
        (&AffineBias(affine), 4.0),
        (&MuscleGain { prm }, f64::NAN),
        (&MuscleBias { prm }, 0.0),
        (&SeriesElastic::new(1000.0, 10.0, 50.0).unwrap(), -10.0),
    ];
    for (law, expected) in laws {
        let force = |velocity: f64| law.force(&ActuatorState { velocity, ..at });
        let difference = (force(at.velocity + 1e-6) - force(at.velocity - 1e-6)) / 2e-6;
        let slope = law.velocity_slope(&at).unwrap();
        close(slope, difference, 1e-5);
        if expected.is_nan() {
            assert!(slope != 0.0, "{}", law.name());
        } else {
            close(slope, expected, 1e-12);
        }
    }
}

/// A damper of one's own, with or without its derivative.
struct Brake {
    damping: f64,
    knows_slope: bool,
}

impl Part for Brake {
    fn name(&self) -> &str {
        "brake"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.damping, f64::from(u8::from(self.knows_slope))]
    }
}

impl ActuatorForce for Brake {
    fn force(&self, at: &ActuatorState) -> f64 {
        -self.damping * at.velocity * at.input
    }

    fn velocity_slope(&self, at: &ActuatorState) -> Option<f64> {
        self.knows_slope.then_some(-self.damping * at.input)
    }
}

const WHEEL: &str = "<mujoco><option timestep='.01' integrator='implicitfast' gravity='0 0 0'/><worldbody><body>\
     <joint name='j'/><geom size='.1' mass='1'/></body></worldbody><actuator><general name='brake' joint='j' \
     gaintype='affine' gainprm='0 0 -1e4'/></actuator></mujoco>";

/// C42D.5: the implicit integrators use the derivative of a law of one's own, or differences of it
#[test]
fn stiff_dampers_are_integrated_implicitly() {
    let run = |law: Option<Brake>, integrator: Integrator| {
        let mut sim = Sim::new(WHEEL);
        sim.m.opt.integrator = integrator as i32;
        if let Some(law) = law {
            set_gain(&mut sim.m, 0, law).unwrap();
        }
        sim.d.qvel[0] = 5.0;
        sim.d.ctrl[0] = 1.0;
        // explicitly, a second step would end beyond what the engine takes for an acceleration
        sim.steps(if integrator == Integrator::Euler { 1 } else { 3 });
        sim.d.qvel[0]
    };
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let built_in = run(None, integrator);
        assert!(built_in > 0.0 && built_in < 1e-3, "{built_in}");
        assert_eq!(run(Some(Brake { damping: 1e4, knows_slope: true }), integrator), built_in);
        let differences = run(Some(Brake { damping: 1e4, knows_slope: false }), integrator);
        assert!((differences / built_in - 1.0).abs() < 1e-3, "{differences} {built_in}");
    }
    let explicit = run(Some(Brake { damping: 1e4, knows_slope: true }), Integrator::Euler);
    assert!(explicit.abs() > 100.0, "without the derivative it explodes: {explicit}");
}

/// A sheet on the floor with a box.
const PILE: &str = "<mujoco><option timestep='.002'/><worldbody><geom name='floor' type='plane' size='1 1 .1'/>\
     <body name='box' pos='0 0 .1'><freejoint/><geom name='box' type='box' size='.1 .1 .1' mass='1'/></body>\
     <body name='ball' pos='.5 0 .3'><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>";

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

fn sheet(attributes: &str) -> String {
    format!(
        "<mujoco><option gravity='0 0 -1' timestep='.001'/><worldbody><flexcomp name='s' type='grid' count='4 4 1' \
         spacing='.1 .1 .1' dim='2' radius='.005' mass='1' {attributes}><contact contype='0' conaffinity='0' \
         selfcollide='none'/><elasticity young='1e4' poisson='.3' thickness='.01' damping='.01' elastic2d='both'/>\
         </flexcomp></worldbody></mujoco>"
    )
}

fn lift_corner(d: &mut Data) {
    d.qpos[2] = 0.05;
    d.qvel[5] = 0.3;
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

/// Pulls every vertex back to where it rests, with damping; a part of another crate.
#[derive(Clone, Default)]
struct Anchors {
    stiffness: f64,
    damping: f64,
    knows_slope: bool,
    rest: Vec<[f64; 3]>,
}

impl Part for Anchors {
    fn name(&self) -> &str {
        "anchors"
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.stiffness, self.damping]
    }
}

impl FlexForce for Anchors {
    fn fitted(&self, _: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self { rest: shape.rest.to_vec(), ..self.clone() })
    }

    fn forces(&self, at: &FlexState<'_>, spring: &mut [[f64; 3]], damper: &mut [[f64; 3]]) {
        for v in 0..self.rest.len() {
            for k in 0..3 {
                spring[v][k] += self.stiffness * (self.rest[v][k] - at.position[v][k]);
                damper[v][k] -= self.damping * at.velocity[v][k];
            }
        }
    }

    fn velocity_slopes(&self, _: &FlexState<'_>, slopes: &mut [[f64; 9]]) -> bool {
        if self.knows_slope {
            slopes.iter_mut().for_each(|s| [0, 4, 8].into_iter().for_each(|k| s[k] -= self.damping));
        }
        self.knows_slope
    }
}

fn anchors(stiffness: f64, damping: f64, knows_slope: bool) -> Anchors {
    Anchors { stiffness, damping, knows_slope, rest: Vec::new() }
}

/// C42F: a flex part of one's own is reached in steps, inverse dynamics and batches, and named when the model is saved
#[test]
fn own_flex_parts_are_reached_everywhere() {
    let mut model = load_model(&sheet("").replace("'both'", "'stretch'")).unwrap();
    set_elasticity(&mut model, 0, anchors(50.0, 1.0, true)).unwrap();
    let mut sim = Sim { d: ligament::sim::reset::make_data(&model).unwrap(), m: model.clone() };
    lift_corner(&mut sim.d);
    sim.forward();
    close(sim.d.qfrc_spring[0], 0.0, 1e-12);
    close(sim.d.qfrc_damper[5], -0.3, 1e-12);
    // inverse dynamics: the forces of the part are no applied forces
    let qacc = sim.d.qacc.clone();
    inverse::inverse(&sim.m, &mut sim.d).unwrap();
    assert!(sim.d.qfrc_inverse.iter().all(|f| f.abs() < 1e-9), "{:?}", sim.d.qfrc_inverse);
    assert_eq!(qacc, sim.d.qacc);
    // batches
    let mut batch = Batch::new(model.clone(), 3, &Config::default()).unwrap();
    for world in 0..3 {
        batch.part_mut(world, "qpos").unwrap()[2] = 0.05;
        batch.part_mut(world, "qvel").unwrap()[5] = 0.3;
    }
    batch.step(Select::All, 20, Stage::None).unwrap();
    sim.steps(20);
    assert_eq!(batch.part(2, "qpos").unwrap(), &sim.d.qpos[..]);
    // files
    let bytes = model.to_bytes();
    let message = model_from_bytes(&bytes, "own.lig").unwrap_err().to_string();
    assert!(message.contains("flex 0 \"s\" asks for the elasticity part \"anchors\""), "{message}");
    let unprovided = Model::from_bytes(&bytes).unwrap();
    let mut d = ligament::sim::reset::make_data(&unprovided).unwrap();
    assert!(matches!(step::step(&unprovided, &mut d), Err(StepError::MissingPart { .. })));
    let mut library = PartLibrary::new();
    library.flex_force(Slot::Elasticity, "anchors", |numbers| match numbers {
        &[stiffness, damping] => Ok(anchors(stiffness, damping, true)),
        _ => Err(PartError::Count { part: "anchors".into(), expected: "two numbers", found: numbers.len() }),
    });
    let restored = model_from_bytes_with_parts(&bytes, "own.lig", &library).unwrap();
    assert_eq!(trajectory(&restored, 20), trajectory(&model, 20));
}

/// C42F: implicit integrators take the derivative of a flex part, or differences of it: a damper that explodes when it is
/// integrated explicitly is stable
#[test]
fn stiff_flex_dampers_are_integrated_implicitly() {
    let run = |part: Anchors, integrator: Integrator| {
        let mut sim = Sim::new(&sheet(""));
        set_elasticity(&mut sim.m, 0, part).unwrap();
        sim.m.opt.integrator = integrator as i32;
        sim.m.opt.gravity = [0.0; 3];
        lift_corner(&mut sim.d);
        sim.steps(3);
        sim.d.qvel[5]
    };
    for integrator in [Integrator::Implicit, Integrator::Implicitfast] {
        let own = run(anchors(0.0, 500.0, true), integrator);
        let differences = run(anchors(0.0, 500.0, false), integrator);
        assert!(own.abs() < 0.3, "{own}");
        assert!((own - differences).abs() < 1e-4 * own.abs().max(1e-3), "{own} {differences}");
    }
    assert!(run(anchors(0.0, 500.0, true), Integrator::Euler).abs() > 10.0);
}

/// Panics when asked.
struct Broken;

impl Part for Broken {
    fn name(&self) -> &str {
        "broken"
    }
}

impl ActuatorForce for Broken {
    fn force(&self, _: &ActuatorState) -> f64 {
        std::panic::resume_unwind(Box::new("no pressure".to_owned()))
    }
}

impl FlexForce for Broken {
    fn fitted(&self, _: Slot, _: &FlexShape<'_>) -> Result<Self, PartError> {
        Ok(Self)
    }

    fn forces(&self, _: &FlexState<'_>, _: &mut [[f64; 3]], _: &mut [[f64; 3]]) {
        std::panic::resume_unwind(Box::new("torn"))
    }
}

impl ConstraintSolver for Broken {
    fn solve(&self, _: &Model, _: &mut Data, _: &mut Vec<f64>) {
        std::panic::resume_unwind(Box::new(1.5))
    }
}

/// Fails under a large control.
struct Fuse;

impl Part for Fuse {
    fn name(&self) -> &str {
        "fuse"
    }
}

impl ActuatorForce for Fuse {
    fn force(&self, at: &ActuatorState) -> f64 {
        if at.input > 5.0 { std::panic::resume_unwind(Box::new("blown")) } else { at.input }
    }
}

/// C42F: a part that panics ends the step with an error that names part and element; the state can be used again
#[test]
fn panics_become_errors() {
    let mut arm = Sim::new(ARM);
    set_gain(&mut arm.m, 1, Broken).unwrap();
    let error = step::step(&arm.m, &mut arm.d).unwrap_err();
    assert_eq!(error.to_string(), "broken (gain) of actuator 1 \"affine\" failed: no pressure");
    clear_gain(&mut arm.m, 1).unwrap();
    arm.steps(1);

    let mut cloth = Sim::new(&sheet(""));
    set_bending(&mut cloth.m, 0, Broken).unwrap();
    let error = step::step(&cloth.m, &mut cloth.d).unwrap_err();
    assert_eq!(error.to_string(), "broken (bending) of flex 0 \"s\" failed: torn");

    let mut pile = Sim::new(PILE);
    set_solver(&mut pile.m, Broken).unwrap();
    let error = (0..200).find_map(|_| step::step(&pile.m, &mut pile.d).err()).expect("it lands");
    assert_eq!(error.to_string(), "broken (solver) of the model failed: it gave no reason");
    clear_solver(&mut pile.m).unwrap();
    pile.steps(10);

    // one broken world leaves the others alone
    set_gain(&mut arm.m, 0, Fuse).unwrap();
    let mut batch = Batch::new(arm.m.clone(), 2, &Config::default()).unwrap();
    batch.ctrl_mut(1)[0] = 10.0;
    assert_eq!(batch.step(Select::All, 1, Stage::None).unwrap(), 1);
    assert!(batch.error(0).is_none());
    let message = format!("{:?}", batch.error(1).unwrap());
    assert!(message.contains("fuse") && message.contains("actuator 0"), "{message}");
}

/// Counts how often it is asked, and for how many actuators.
#[derive(Default, Clone)]
struct Counted(Arc<[AtomicUsize; 2]>);

impl Counted {
    fn counts(&self) -> [usize; 2] {
        [0, 1].map(|k| self.0[k].load(Ordering::Relaxed))
    }

    fn count(&self, asked: usize) {
        self.0[0].fetch_add(1, Ordering::Relaxed);
        self.0[1].fetch_add(asked, Ordering::Relaxed);
    }
}

impl Part for Counted {
    fn name(&self) -> &str {
        "counted"
    }
}

impl ActuatorForce for Counted {
    fn force(&self, at: &ActuatorState) -> f64 {
        0.5 * at.input
    }

    fn forces(&self, at: &[ActuatorState], out: &mut [f64]) {
        self.count(at.len());
        at.iter().zip(out).for_each(|(state, force)| *force = self.force(state));
    }
}

impl ConstraintSolver for Counted {
    fn solve(&self, _: &Model, d: &mut Data, _: &mut Vec<f64>) {
        self.count(0);
        d.qacc.copy_from_slice(&d.qacc_smooth);
    }
}

/// C42D.4: built-in gains take the unchanged path: without parts there is nothing to look up, and a part of another
/// actuator is asked for that one only, once a step, and changes no bit of theirs (`benches/ratios.rs` has the times)
#[test]
fn built_in_gains_pay_nothing() {
    let plain = load_model(ARM).unwrap();
    assert!(plain.parts.gains().is_empty() && plain.parts.biases().is_empty() && plain.parts.is_default());
    let counted = Counted::default();
    let mut mixed = plain.clone();
    mixed.opt.integrator = Integrator::Euler as i32;
    set_gain(&mut mixed, 1, counted.clone()).unwrap();
    let (mut a, mut b) = (Sim::new_of(&plain), Sim::new_of(&mixed));
    let before = counted.counts();
    for sim in [&mut a, &mut b] {
        sim.d.ctrl.fill(0.7);
        sim.forward();
    }
    for actuator in [0, 2] {
        assert_eq!(a.d.actuator_force[actuator].to_bits(), b.d.actuator_force[actuator].to_bits());
    }
    b.steps(10);
    assert_eq!(counted.counts(), before.map(|count| count + 11));
    clear_gain(&mut mixed, 1).unwrap();
    assert!(mixed.parts.gains().is_empty() && mixed.parts.is_default());
    mixed.opt.integrator = plain.opt.integrator;
    assert_eq!(trajectory(&mixed, 20), trajectory(&plain, 20));
    assert_eq!(counted.counts(), before.map(|count| count + 11));
}

/// C42E.4: the default solver takes the unchanged path: another one is asked once a step, only while it is chosen and only
/// when there is something to solve, and leaves no trace (`benches/ratios.rs` has the times)
#[test]
fn the_default_solver_pays_nothing() {
    let fall = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .2'><freejoint/>\
                <geom size='.1'/></body></worldbody></mujoco>";
    let plain = load_model(fall).unwrap();
    assert!(plain.parts.solver().is_none() && plain.parts.is_default());
    let counted = Counted::default();
    let mut sim = Sim::new_of(&plain);
    set_solver(&mut sim.m, counted.clone()).unwrap();
    sim.steps(10);
    assert_eq!((sim.d.nefc, counted.counts()), (0, [0; 2]));
    sim.d.qpos[2] = 0.09;
    sim.steps(10);
    assert_eq!(counted.counts(), [10, 0]);
    clear_solver(&mut sim.m).unwrap();
    assert_eq!(trajectory(&sim.m, 200), trajectory(&plain, 200));
    assert_eq!(counted.counts(), [10, 0]);
}

/// C42E: what a solver hands back as drift moves positions beyond the new velocity; of a wrong length it is an error that
/// names the part
#[test]
fn drift_is_a_result_of_every_solver() {
    struct Drifting(usize);
    impl Part for Drifting {
        fn name(&self) -> &str {
            "drifting"
        }
    }
    impl ConstraintSolver for Drifting {
        fn solve(&self, _: &Model, d: &mut Data, drift_out: &mut Vec<f64>) {
            assert!(drift_out.is_empty());
            d.qacc.fill(0.0);
            drift_out.resize(self.0, 0.5);
        }
    }
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'>\
                <joint type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody></mujoco>";
    let mut sim = Sim::new(text);
    set_solver(&mut sim.m, Drifting(1)).unwrap();
    sim.steps(1);
    assert_eq!((sim.d.qvel[0], sim.d.qpos[0]), (0.0, 0.5 * sim.m.opt.timestep));
    set_solver(&mut sim.m, Drifting(2)).unwrap();
    let message = step::step(&sim.m, &mut sim.d).unwrap_err().to_string();
    assert!(message.contains("drifting (solver) of the model") && message.contains("drift"), "{message}");
}

/// C42F: misuse is refused by name
#[test]
fn misuse_is_refused() {
    let mut m = load_model(ARM).unwrap();
    let refusal = |result: Result<(), PartError>| result.unwrap_err().to_string();
    assert_eq!(
        refusal(set_gain(&mut m, 3, FixedGain { gain: 1.0 })),
        "fixed (gain) of actuator 3: there is no such element; the model has 3"
    );
    assert_eq!(
        refusal(set_gain(&mut m, 0, FixedGain { gain: f64::NAN })),
        "fixed (gain) of actuator 0 \"fixed\": its parameter 0 is NaN"
    );
    struct Nameless;
    impl Part for Nameless {
        fn name(&self) -> &str {
            "two words"
        }
    }
    impl ActuatorForce for Nameless {
        fn force(&self, _: &ActuatorState) -> f64 {
            0.0
        }
    }
    assert!(refusal(set_gain(&mut m, 0, Nameless)).contains("cannot be the name of a part"));
    assert!(m.parts.is_default());
}
