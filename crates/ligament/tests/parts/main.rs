//! Exchangeable parts through the public interface (spec items 42D, 42E, 42F). What is tested here is written as a user
//! of another crate would write it.

mod builder;
mod costs;
mod flexes;
mod laws;
#[path = "../support/mod.rs"]
mod support;
mod trouble;

use ligament::sim::step;
use ligament::{Data, Model};

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

const SERIES: &str = "<mujoco><worldbody><body><joint name='j' type='slide' axis='1 0 0'/>\
     <geom size='.1' mass='2'/></body></worldbody><actuator><general name='sea' joint='j' dyntype='filterexact' \
     dynprm='.05' ligament:gain_model='series_elastic' ligament:gain_params='1000 10 .02'/></actuator></mujoco>";

/// A sheet on the floor with a box.
const PILE: &str = "<mujoco><option timestep='.002'/><worldbody><geom name='floor' type='plane' size='1 1 .1'/>\
     <body name='box' pos='0 0 .1'><freejoint/><geom name='box' type='box' size='.1 .1 .1' mass='1'/></body>\
     <body name='ball' pos='.5 0 .3'><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>";

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
