//! Small models that together use every part of the engine, and where to find larger ones.

use ligament::enums::{ConeType, DisableBit, Integrator, JacobianType, SolverType};
use ligament::sim::reset::{make_data, reset_data_keyframe};
use ligament::{Data, Model};

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

/// Boxes that fall, come to rest and sleep; one tied by a tendon to another, one asleep from the start.
fn asleep(rest: &str) -> String {
    format!(
        "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 1'/>\
         <camera name='c' pos='0 -2 1' mode='targetbody' target='a'/><light pos='0 0 3' mode='trackcom'/>\
         <body name='a' pos='0 0 .12'><freejoint/><geom name='ga' type='box' size='.1 .1 .1'/><site name='sa'/></body>\
         <body name='b' pos='.5 0 .3' sleep='auto'><freejoint/><geom type='box' size='.1 .1 .1'/><site name='sb'/></body>\
         <body name='d' pos='2 0 .099' sleep='init'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\
         <body pos='-1 0 1'><joint name='j' axis='0 1 0' damping='.2'/><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body>\
         </worldbody><tendon><spatial name='t' stiffness='1'><site site='sa'/><site site='sb'/></spatial></tendon>\
         <actuator><motor name='m' joint='j'/></actuator>{rest}</mujoco>"
    )
}

const SLEEP_SENSORS: &str = "<sensor><framepos objtype='body' objname='b'/><accelerometer site='sa'/><touch site='sa'/>\
    <contact geom1='ga'/><tendonpos tendon='t'/><subtreelinvel body='a'/><jointpos joint='j'/><e_potential/></sensor>";

/// Actuators and sensors with delays and intervals.
const DELAYS: &str = "<mujoco><worldbody><body><joint name='j' axis='0 1 0' damping='.1'/><geom size='.1' pos='.3 0 0'/>\
    <site name='s' pos='.3 0 0'/></body></worldbody>\
    <actuator><motor joint='j' delay='.01' nsample='8'/><intvelocity joint='j' kp='2' actrange='-1 1'/></actuator>\
    <sensor><jointpos joint='j' delay='.008' nsample='6'/><accelerometer site='s' interval='.01' nsample='3'/>\
    <jointvel joint='j' interval='.006' delay='.012' nsample='9'/></sensor></mujoco>";

/// Models in the files of this repository.
pub fn files() -> Vec<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [root.join("conformance/models"), root.join("crates/ligament-cli/models")];
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("a folder of models"))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "xml"))
        .collect();
    files.sort();
    files
}

/// The folder of public models: `LIGAMENT_CORPUS`, else `../shared/corpus` beside this repository, if there is one.
pub fn corpus_root() -> Option<std::path::PathBuf> {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let root = std::env::var_os("LIGAMENT_CORPUS").map_or_else(beside, Into::into);
    root.is_dir().then_some(root)
}

/// Model files of the corpus, if there is one, in an order that mixes the folders: a test that has to stop early has seen
/// some of everything.
pub fn corpus() -> Vec<std::path::PathBuf> {
    fn walk(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "xml" || ext == "urdf") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    if let Some(root) = corpus_root() {
        walk(&root, &mut found);
        assert!(!found.is_empty(), "{} has no models", root.display());
    }
    found.sort();
    let count = found.len();
    // steps of a number without a common divisor visit every file once
    let step = [389, 397, 401].into_iter().find(|step| count % step != 0).unwrap_or(1);
    (0..count).map(|k| found[k * step % count].clone()).collect()
}

/// Seconds that a test may spend on the corpus: `LIGAMENT_CORPUS_SECONDS`, else a short sample.
pub fn corpus_budget() -> std::time::Duration {
    let seconds = std::env::var("LIGAMENT_CORPUS_SECONDS").ok().and_then(|text| text.parse().ok());
    std::time::Duration::from_secs(seconds.unwrap_or(20))
}

/// The list of small models, by name.
pub fn models() -> Vec<(&'static str, String)> {
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
        ("sleeping boxes", asleep("")),
        ("sleeping boxes with sensors", asleep(SLEEP_SENSORS)),
        ("delays", DELAYS.to_string()),
        (
            "energy",
            SENSORS.replace(
                "<worldbody>",
                "<option><flag energy='enable' fwdinv='enable'/></option><worldbody>",
            ),
        ),
        ("cloth", CLOTH.to_string()),
    ]
}

/// Where a simulation may begin: the reference configuration and the first keyframes.
pub fn starts(m: &Model) -> Vec<Data> {
    let keyframe = |key: usize| {
        let mut d = make_data(m)?;
        reset_data_keyframe(m, &mut d, key as i32).map(|()| d)
    };
    std::iter::once(make_data(m)).chain((0..m.nkey.min(2)).map(keyframe)).filter_map(Result::ok).collect()
}

/// The model as it is and with other choices of solver, cone, Jacobian, integrator and islands.
pub fn variants(m: &Model) -> Vec<Model> {
    let choice = |solver, cone, jacobian, integrator, noslip_iterations, islands: bool| {
        let mut m = m.clone();
        m.opt.solver = solver as i32;
        m.opt.cone = cone as i32;
        m.opt.jacobian = jacobian as i32;
        m.opt.integrator = integrator as i32;
        m.opt.noslip_iterations = noslip_iterations;
        if !islands {
            m.opt.disableflags |= DisableBit::Island as i32;
        }
        m
    };
    use {ConeType as Cone, Integrator as Int, JacobianType as Jac, SolverType as Solver};
    vec![
        m.clone(),
        choice(Solver::Newton, Cone::Elliptic, Jac::Sparse, Int::Euler, 0, true),
        choice(Solver::Newton, Cone::Pyramidal, Jac::Dense, Int::Implicit, 0, false),
        choice(Solver::Cg, Cone::Elliptic, Jac::Dense, Int::Implicitfast, 0, true),
        choice(Solver::Cg, Cone::Pyramidal, Jac::Sparse, Int::Euler, 2, true),
        choice(Solver::Pgs, Cone::Elliptic, Jac::Sparse, Int::Implicitfast, 0, false),
        choice(Solver::Pgs, Cone::Pyramidal, Jac::Dense, Int::Euler, 2, true),
    ]
}
