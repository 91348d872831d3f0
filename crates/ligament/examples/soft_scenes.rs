//! Soft flexes against time: a 40×40 cloth on a sphere, a rope of 100 links that holds a box, a soft cube between the
//! fingers of a gripper.
//!
//!     soft_scenes                                     simulates each for 60 s at a step of 5 ms and prints time,
//!                                                     deformation, speed, and microseconds of the stages of a step
//!     soft_scenes NAME [SECONDS [ITERATIONS SUBSTEPS [THREADS]]]
//!                                                     one of them: cloth, rope or cube (without stages, if the
//!                                                     solver is given); cloth100 is a cloth of
//!                                                     100×100 vertices
//!     soft_scenes --mjcf NAME edges|elastic           prints the scene with MuJoCo's flexes instead, held together by
//!                                                     constraints on edges or by elasticity, for scripts/bench-soft

use ligament::enums::Timer;
use ligament::parts::set_solver;
use ligament::prelude::*;
use ligament::sim::solver::XpbdSolver;
use ligament::soft::Deformation;
use std::time::Instant;

const NAMES: [&str; 3] = ["cloth", "rope", "cube"];

const STAGES: [(&str, Timer); 7] = [
    ("kinematics", Timer::PosKinematics),
    ("inertia", Timer::PosInertia),
    ("collision", Timer::PosCollision),
    ("rows", Timer::PosMake),
    ("velocity", Timer::Velocity),
    ("solver", Timer::Constraint),
    ("advance", Timer::Advance),
];

/// What holds the flexes of a scene together.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Soft,
    Edges,
    Elastic,
}

/// Vertices along a side of a cloth; nothing for other scenes.
fn cloth_size(name: &str) -> Option<usize> {
    match name.strip_prefix("cloth")? {
        "" => Some(40),
        number => number.parse().ok().filter(|size| (2..=1000).contains(size)),
    }
}

/// The text of a scene.
fn scene(name: &str, style: Style) -> String {
    // attribute and child of a flexcomp
    let hold = |material: &str, elastic: &'static str| match style {
        Style::Soft => (format!("ligament:soft='{material}'"), ""),
        Style::Edges => (String::new(), "<edge equality='true'/>"),
        Style::Elastic => (String::new(), elastic),
    };
    let (solver, content) = match (name, cloth_size(name)) {
        (_, Some(size)) => {
            let elastic =
                "<elasticity young='5e6' poisson='.3' thickness='.001' damping='.001' elastic2d='both'/>";
            let (soft, child) = hold("cotton", elastic);
            let text = format!(
                "<worldbody><geom type='sphere' size='.4' pos='0 0 .5'/><geom type='plane' size='3 3 .1'/>\
                 <flexcomp name='cloth' type='grid' count='{size} {size} 1' spacing='.04 .04 .04' dim='2' radius='.01' mass='.5' \
                 pos='0 0 1' {soft}>{child}<contact selfcollide='none'/></flexcomp></worldbody>"
            );
            ("1 4", text)
        }
        ("rope", _) => {
            let (soft, child) = hold("rope", "<edge stiffness='1e4' damping='1'/>");
            let text = format!(
                "<worldbody><flexcomp name='rope' type='grid' count='101 1 1' spacing='.02 .02 .02' dim='1' radius='.01' \
                 mass='1' pos='0 0 3' euler='0 90 0' {soft}>{child}<contact selfcollide='none' contype='0' conaffinity='0'/>\
                 <pin id='0'/></flexcomp><body name='box' pos='0 0 1.95'><freejoint/><geom type='box' size='.05 .05 .05' \
                 mass='.5' contype='0' conaffinity='0'/></body></worldbody>\
                 <equality><connect body1='box' body2='rope_100' anchor='0 0 .05'/></equality>"
            );
            ("1 8", text)
        }
        _ => {
            let (soft, child) = hold("foam", "<elasticity young='2e4' poisson='.1' damping='.01'/>");
            let text = format!(
                "<worldbody><geom type='plane' size='1 1 .1'/><flexcomp name='cube' type='grid' count='6 6 6' \
                 spacing='.02 .02 .02' dim='3' radius='.005' mass='.2' pos='0 0 .056' {soft}>{child}<contact selfcollide='none'/>\
                 </flexcomp><body pos='.085 0 .06'><joint name='right' type='slide' axis='1 0 0' damping='5'/>\
                 <geom type='box' size='.01 .06 .05' mass='.2'/></body>\
                 <body pos='-.085 0 .06'><joint name='left' type='slide' axis='-1 0 0' damping='5'/>\
                 <geom type='box' size='.01 .06 .05' mass='.2'/></body></worldbody>\
                 <actuator><motor joint='right' gear='-2'/><motor joint='left' gear='-2'/></actuator>"
            );
            ("1 4", text)
        }
    };
    let solver = format!("ligament:solver='xpbd' ligament:solver_params='{solver}'");
    let option = if style == Style::Soft { solver } else { String::new() };
    format!("<mujoco><option timestep='.005' {option}/>{content}</mujoco>")
}

/// What came of a scene.
#[derive(Debug)]
pub struct Outcome {
    /// Simulated seconds.
    pub time: f64,
    pub resets: usize,
    pub deformation: Deformation,
    /// The largest speed in the last tenth.
    pub fastest: f64,
}

/// Simulates a scene and prints what came of it.
pub fn simulate(
    name: &str,
    seconds: f64,
    solver: Option<XpbdSolver>,
    threads: usize,
) -> Result<Outcome, Box<dyn std::error::Error>> {
    let mut model = ligament::load_model(&scene(name, Style::Soft))?;
    if let Some(solver) = solver {
        set_solver(&mut model, solver)?;
    }
    let mut data = model.make_data()?;
    data.ctrl.fill(1.0);
    data.threads = threads;
    let start = Instant::now();
    if solver.is_none() {
        // the stages are asked for: reading the clock takes its time, too
        data.callbacks.time = Some(ligament::processor_clock());
    }
    let (mut fastest, mut resets) = (0.0_f64, 0);
    while data.time < seconds && resets == 0 {
        let before = data.time;
        data.step(&model)?;
        resets += usize::from(data.time < before);
        if data.time > 0.9 * seconds {
            fastest = data.qvel.iter().fold(fastest, |v, x| v.max(x.abs()));
        }
    }
    let wall = start.elapsed().as_secs_f64();
    let body = model.parts.soft(0).ok_or("the flex is not soft")?;
    let deformation = body.deformation(&data.flexvert_xpos);
    println!(
        "{name:6} nv {:5} rows {:5}  simulated {:5.1} s in {wall:6.3} s: {:6.2} times real time, stretch {:.4}, \
         bend {:.3}, volume {:.4}, fastest at the end {fastest:.4} m/s, resets {resets}",
        model.nv,
        data.nefc,
        data.time,
        data.time / wall,
        deformation.stretch,
        deformation.bend,
        deformation.volume
    );
    if solver.is_some() {
        return Ok(Outcome { time: data.time, resets, deformation, fastest });
    }
    let steps = data.time / model.opt.timestep;
    let stages = STAGES.map(|(word, timer)| {
        let used = data.timer[timer as usize].duration;
        format!("{word} {:.0}", 1e6 * used / steps)
    });
    println!("{name:6} µs a step: {}", stages.join(", "));
    Ok(Outcome { time: data.time, resets, deformation, fastest })
}

/// The program; tests call [`simulate`].
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [option, name, style] if option == "--mjcf" => {
            println!("{}", scene(name, if style == "edges" { Style::Edges } else { Style::Elastic }));
        }
        [name, rest @ ..]
            if (NAMES.contains(&name.as_str()) || cloth_size(name).is_some()) && rest.len() < 5 =>
        {
            let seconds = rest.first().map_or(Ok(60.0), |seconds| seconds.parse())?;
            let solver = match rest {
                [_, iterations, substeps, ..] => {
                    Some(XpbdSolver::new(iterations.parse()?).substeps(substeps.parse()?))
                }
                _ => None,
            };
            let threads = rest.get(3).map_or(Ok(1), |threads| threads.parse())?;
            simulate(name, seconds, solver, threads)?;
        }
        [] => NAMES.iter().try_for_each(|name| simulate(name, 60.0, None, 1).map(drop))?,
        _ => return Err("see the head of the example for its arguments".into()),
    }
    Ok(())
}
