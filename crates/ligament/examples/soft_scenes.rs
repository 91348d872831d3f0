//! Soft flexes against time: a 40×40 cloth on a sphere, a rope of 100 links that holds a box, a soft cube between the
//! fingers of a gripper.
//!
//!     soft_scenes              simulates each at a step of 5 ms and prints time, largest stretch and speed
//!     soft_scenes SECONDS      as long as this (60 by default)
//!     soft_scenes --mjcf NAME  prints the scene with MuJoCo's flexes instead, for scripts/bench-soft

use ligament::prelude::*;
use std::time::Instant;

const NAMES: [&str; 3] = ["cloth", "rope", "cube"];

/// The text of a scene, with soft flexes or with MuJoCo's edge constraints.
fn scene(name: &str, soft: bool) -> String {
    let material = |material: &str| if soft { format!("ligament:soft='{material}'") } else { String::new() };
    let edge = if soft { "" } else { "<edge equality='true'/>" };
    let content = match name {
        "cloth" => format!(
            "<worldbody><geom type='sphere' size='.4' pos='0 0 .5'/><geom type='plane' size='3 3 .1'/>\
             <flexcomp name='cloth' type='grid' count='40 40 1' spacing='.04 .04 .04' dim='2' radius='.01' mass='.5' \
             pos='0 0 1' {}>{edge}<contact selfcollide='none'/></flexcomp></worldbody>",
            material("cotton")
        ),
        "rope" => format!(
            "<worldbody><flexcomp name='rope' type='grid' count='101 1 1' spacing='.02 .02 .02' dim='1' radius='.01' \
             mass='1' pos='0 0 3' euler='0 90 0' {}>{edge}<contact selfcollide='none' contype='0' conaffinity='0'/><pin id='0'/></flexcomp>\
             <body name='box' pos='0 0 1.95'><freejoint/><geom type='box' size='.05 .05 .05' mass='.5' contype='0' \
             conaffinity='0'/></body></worldbody><equality><connect body1='box' body2='rope_100' anchor='0 0 .05'/></equality>",
            material("rope")
        ),
        _ => format!(
            "<worldbody><geom type='plane' size='1 1 .1'/><flexcomp name='cube' type='grid' count='6 6 6' \
             spacing='.02 .02 .02' dim='3' radius='.005' mass='.2' pos='0 0 .056' {}>{edge}<contact selfcollide='none'/></flexcomp>\
             <body pos='.085 0 .06'><joint name='right' type='slide' axis='1 0 0' damping='5'/>\
             <geom type='box' size='.01 .06 .05' mass='.2'/></body>\
             <body pos='-.085 0 .06'><joint name='left' type='slide' axis='-1 0 0' damping='5'/>\
             <geom type='box' size='.01 .06 .05' mass='.2'/></body></worldbody>\
             <actuator><motor joint='right' gear='-2'/><motor joint='left' gear='-2'/></actuator>",
            material("foam")
        ),
    };
    format!("<mujoco><option timestep='.005'/>{content}</mujoco>")
}

fn simulate(name: &str, seconds: f64) -> Result<(), Box<dyn std::error::Error>> {
    let model = ligament::load_model(&scene(name, true))?;
    let mut data = model.make_data()?;
    data.ctrl.fill(1.0);
    let start = Instant::now();
    let (mut fastest, mut resets) = (0.0_f64, 0);
    while data.time < seconds {
        let before = data.time;
        data.step(&model)?;
        resets += usize::from(data.time < before);
        if data.time > 0.9 * seconds {
            fastest = data.qvel.iter().fold(fastest, |v, x| v.max(x.abs()));
        }
        if start.elapsed().as_secs_f64() > 100.0 || resets > 0 {
            break;
        }
    }
    let edges = data.flexedge_length.iter().zip(model.flexedge_length0.iter());
    let stretch = edges.map(|(now, rest)| now / rest - 1.0).fold(f64::MIN, f64::max);
    let wall = start.elapsed().as_secs_f64();
    println!(
        "{name:6} nv {:5}  simulated {:5.1} s in {wall:6.2} s: {:6.2} times real time, stretch {stretch:.3}, \
         fastest at the end {fastest:.4} m/s, resets {resets}",
        model.nv,
        data.time,
        data.time / wall
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [option, name] if option == "--mjcf" => println!("{}", scene(name, false)),
        [seconds] => NAMES.iter().try_for_each(|name| simulate(name, seconds.parse()?))?,
        _ => NAMES.iter().try_for_each(|name| simulate(name, 60.0))?,
    }
    Ok(())
}
