//! Ratios of times that the specification bounds. Clocks are noisy, so this is a benchmark and no test: it prints the
//! ratios, and with `--check` it fails where one is out of its range.
//!
//!     cargo bench -p ligament --bench ratios -- --check

use ligament::SimBuilder;
use ligament::prelude::*;
use ligament::sim::tendon::tendon;
use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

/// Time of `first` in units of the time of `second`, the best of many rounds that alternate: other programs only make
/// rounds slower.
fn ratio(mut first: impl FnMut(), mut second: impl FnMut()) -> f64 {
    let time = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    let mut best = [f64::INFINITY; 2];
    for _ in 0..800 {
        best[0] = best[0].min(time(&mut first));
        best[1] = best[1].min(time(&mut second));
    }
    best[0] / best[1]
}

fn simulation(text: &str) -> (Model, Data) {
    let model = ligament::load_model(text).expect("a good model");
    let mut data = model.make_data().expect("a state");
    data.step(&model).expect("a step");
    (model, data)
}

fn steps(model: &Model, data: &mut Data) {
    (0..50).for_each(|_| data.step(model).expect("a step"));
}

/// F4.14: what the tendon stage takes of a step without tendons.
fn tendons() -> f64 {
    let (model, mut data) =
        simulation("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>");
    let mut other = data.clone();
    ratio(|| (0..50).for_each(|_| tendon(&model, &mut other)), || steps(&model, &mut data))
}

/// F8.8: Runge-Kutta by Euler on a chain of ten bodies.
fn runge_kutta() -> f64 {
    let link = "<body pos='.2 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .2 0 0' size='.02' contype='0'/>";
    let chain =
        format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", link.repeat(10), "</body>".repeat(10));
    let (euler, mut data) = simulation(&chain);
    let (mut other, mut other_data) = simulation(&chain);
    other.opt.integrator = Integrator::Rk4 as i32;
    ratio(|| steps(&other, &mut other_data), || steps(&euler, &mut data))
}

/// Time of a forward step without parts in units of one whose parts are fixed at compile time, where nothing is looked
/// up.
fn default_by_fixed(text: &str) -> f64 {
    let (model, mut data) = simulation(text);
    let mut fixed = SimBuilder::new().build(model.clone()).expect("a simulation");
    fixed.step().expect("a step");
    ratio(
        || (0..10).for_each(|_| data.forward(&model).expect("a step")),
        || (0..10).for_each(|_| fixed.forward().expect("a step")),
    )
}

/// C42D.4: a hundred actuators.
fn gains() -> f64 {
    let link = "<body pos='.02 0 0'><joint name='NAME' axis='0 1 0'/><geom size='.01' contype='0'/></body>";
    let (mut bodies, mut motors) = (String::new(), String::new());
    for k in 0..100 {
        bodies += &link.replace("NAME", &format!("j{k}"));
        motors += &format!("<position joint='j{k}' kp='10'/>");
    }
    default_by_fixed(&format!(
        "<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator></mujoco>"
    ))
}

/// C42E.4: boxes that stand on each other.
fn solvers() -> f64 {
    let body = |k: usize| {
        let height = 0.1 + 0.2 * k as f64;
        format!("<body pos='0 0 {height}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>")
    };
    let bodies: String = (0..4).map(body).collect();
    default_by_fixed(&format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>"
    ))
}

/// C42B.8: a step whose parts are fixed at compile time by a step without parts.
fn bending_trait() -> f64 {
    let (model, data) = simulation(
        "<mujoco><option gravity='0 0 0'/><worldbody><flexcomp name='sheet' type='grid' count='30 30 1' \
         spacing='.1 .1 .1' radius='.01' dim='2' mass='1'><elasticity young='1e4' poisson='.3' thickness='.01' \
         elastic2d='bend'/><contact selfcollide='none'/></flexcomp></worldbody></mujoco>",
    );
    let mut fixed = SimBuilder::new().build(model.clone()).expect("a simulation");
    let mut direct = data;
    ratio(|| fixed.forward().expect("a step"), || direct.forward(&model).expect("a step"))
}

type Measurement = (&'static str, RangeInclusive<f64>, fn() -> f64);

const MEASUREMENTS: [Measurement; 5] = [
    ("F4.14: tendon stage of a model without tendons / step", 0.0..=0.01, tendons),
    ("F8.8: Runge-Kutta / Euler", 3.5..=4.5, runge_kutta),
    ("C42B.8: default parts fixed at compile time / no parts", 0.0..=1.01, bending_trait),
    ("C42D.4: built-in gains / gains fixed at compile time", 0.0..=1.01, gains),
    ("C42E.4: the default solver / the solver fixed at compile time", 0.0..=1.01, solvers),
];

fn main() -> ExitCode {
    let check = std::env::args().any(|arg| arg == "--check");
    let mut outside = 0;
    for (name, range, measure) in MEASUREMENTS {
        let ratio = measure();
        outside += u8::from(!range.contains(&ratio));
        println!("{ratio:8.4}  {name}  (wanted: {} to {})", range.start(), range.end());
    }
    ExitCode::from(if check { outside } else { 0 })
}
