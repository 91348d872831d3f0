//! Compares the position-based solver with Newton: penetration, energy and time on a stack, a gripper, a chain and a
//! humanoid (`compare_solvers [HUMANOID.xml]`). Prints the table of docs/parts.md.

use ligament::parts::set_solver;
use ligament::prelude::*;
use ligament::sim::energy::{energy_pos, energy_vel};
use ligament::sim::solver::XpbdSolver;
use std::time::Instant;

fn stack() -> String {
    let body = |k: usize| {
        format!(
            "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
            0.1 + 0.2 * k as f64
        )
    };
    format!(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>{}</worldbody></mujoco>",
        (0..8).map(body).collect::<String>()
    )
}

const GRIPPER: &str = "<mujoco><option cone='elliptic' impratio='10'/><worldbody><body pos='0 0 .5'>\
     <joint name='lift' type='slide' axis='0 0 1' damping='20'/><geom type='box' size='.1 .1 .02' mass='1'/>\
     <body pos='.08 0 -.1'><joint name='right' type='slide' axis='1 0 0'/><geom type='box' size='.01 .03 .08' mass='.1'/></body>\
     <body pos='-.08 0 -.1'><joint name='left' type='slide' axis='-1 0 0'/><geom type='box' size='.01 .03 .08' mass='.1'/></body>\
     </body><body pos='0 0 .35'><freejoint/><geom type='box' size='.05 .05 .05' mass='.2'/></body></worldbody>\
     <actuator><position joint='lift' kp='500'/><motor joint='right' gear='-10'/><motor joint='left' gear='-10'/></actuator></mujoco>";

fn chain() -> String {
    let link = "<body pos='.1 0 0'><joint type='ball' damping='.001'/><geom type='capsule' fromto='0 0 0 .1 0 0' \
                size='.02' mass='.1' contype='0' conaffinity='0'/>";
    format!(
        "<mujoco><worldbody>{}<site name='end'/>{}</worldbody><equality><connect body1='last' anchor='.1 0 0'/></equality></mujoco>",
        link.repeat(19)
            + "<body name='last' pos='.1 0 0'><joint type='ball' damping='.001'/><geom type='capsule' fromto='0 0 0 .1 0 0' size='.02' mass='.1' contype='0' conaffinity='0'/>",
        "</body>".repeat(20)
    )
}

struct Outcome {
    penetration: f64,
    energy: f64,
    microseconds: f64,
}

fn run(mut model: Model, solver: Option<XpbdSolver>) -> Result<Outcome, Box<dyn std::error::Error>> {
    if let Some(solver) = solver {
        set_solver(&mut model, solver)?;
    }
    let mut data = model.make_data()?;
    if model.nu > 0 && model.nu < 5 {
        data.ctrl.copy_from_slice(&[0.1, 1.0, 1.0]);
    }
    let energy = |model: &Model, data: &mut Data| {
        energy_pos(model, data);
        energy_vel(model, data);
        data.energy[0] + data.energy[1]
    };
    data.forward(&model)?;
    let start = energy(&model, &mut data);
    let (mut penetration, mut seconds) = (0.0_f64, Vec::new());
    for k in 0..1000 {
        let clock = Instant::now();
        data.step(&model)?;
        seconds.push(clock.elapsed().as_secs_f64());
        if k >= 500 {
            let deepest = data.contact.iter().map(|c| -c.dist).fold(0.0, f64::max);
            let open = data.efc_pos[..data.ne].iter().map(|x| x.abs()).fold(0.0, f64::max);
            penetration = penetration.max(deepest).max(open);
        }
    }
    data.forward(&model)?;
    let energy = energy(&model, &mut data) - start;
    seconds.sort_unstable_by(f64::total_cmp);
    Ok(Outcome { penetration, energy, microseconds: 1e6 * seconds[seconds.len() / 2] })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut scenes = vec![
        ("stack of 8 boxes", ligament::load_model(&stack())?),
        ("gripper", ligament::load_model(GRIPPER)?),
        ("chain of 20 links", ligament::load_model(&chain())?),
    ];
    if let Some(path) = std::env::args().nth(1) {
        scenes.push(("humanoid", ligament::load_model_from_file(path)?));
    }
    println!("| scene | solver | penetration or gap (mm) | energy gained (J) | µs a step |");
    println!("|---|---|---|---|---|");
    for (name, model) in scenes {
        let solvers = [
            ("Newton", None),
            ("XPBD 10", Some(XpbdSolver::new(10))),
            ("XPBD 50", Some(XpbdSolver::new(50))),
        ];
        for (solver, choice) in solvers {
            let result = run(model.clone(), choice)?;
            let Outcome { penetration, energy, microseconds } = result;
            println!("| {name} | {solver} | {:.3} | {energy:.3} | {microseconds:.1} |", 1e3 * penetration);
        }
    }
    Ok(())
}
