//! Models that together use everything the lean step has, and the controls they are driven with.
#![allow(dead_code)] // every test uses some of it

use ligament::prelude::*;
use ligament_lean::State;

pub const HUMANOID: &str = include_str!("../../../ligament-cli/models/humanoid.xml");

/// Joints of all kinds with springs, dampers, limits, dry friction; fixed tendons; actuators with and without state.
pub const JOINTS: &str = r#"<mujoco>
  <option timestep=".004"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 1.2" gravcomp=".4">
      <joint name="lift" type="slide" axis="0 .3 1" range="-.2 .3" limited="true" damping="2" stiffness="30" frictionloss=".7"/>
      <geom type="capsule" size=".06 .2"/>
      <body pos=".1 0 .3" euler="10 20 30">
        <joint name="ball" type="ball" pos="0 .02 -.1" range="0 .7" limited="true" damping=".1" stiffness="3" springref="0"/>
        <geom type="capsule" size=".05 .15"/>
        <body pos="0 0 .25">
          <joint name="bend" axis="0 1 .2" pos=".01 0 -.05" range="-1 .4" limited="true" armature=".02" damping=".2" actuatorfrcrange="-4 4"/>
          <joint name="twist" axis="1 0 0" range="-.5 .5" limited="true" frictionloss=".2"/>
          <geom type="sphere" size=".09" pos="0 .02 .1" mass=".5"/>
        </body>
      </body>
    </body>
    <body pos="1 0 .4"><freejoint/><geom type="capsule" size=".1 .2" condim="4"/></body>
    <body pos="1 .3 .6"><freejoint/><geom type="sphere" size=".15" condim="6"/></body>
    <body pos="-1 0 .6" euler="0 80 10"><freejoint/><geom type="capsule" size=".1 .2" condim="1"/></body>
  </worldbody>
  <tendon>
    <fixed name="sum" range="-.3 .2" limited="true" stiffness="5" damping=".3" frictionloss=".1" springlength="-.1 .05">
      <joint joint="bend" coef=".7"/><joint joint="lift" coef="-.5"/>
    </fixed>
    <fixed name="difference"><joint joint="twist" coef="1"/><joint joint="bend" coef="-1"/></fixed>
  </tendon>
  <equality><joint joint1="twist" joint2="bend" polycoef=".05 .3 .1 -.2 .1" solref=".03 1"/></equality>
  <actuator>
    <motor joint="lift" gear="20" ctrlrange="-1 1" ctrllimited="true"/>
    <position joint="bend" kp="30" kv="1" forcerange="-6 6"/>
    <velocity tendon="sum" kv="2"/>
    <intvelocity joint="twist" kp="8" actrange="-.4 .4"/>
    <general tendon="difference" dyntype="filterexact" dynprm=".05" gainprm="3" biastype="affine" biasprm="0 -2 -.1" actearly="true"/>
    <general joint="bend" dyntype="filter" dynprm=".1" gaintype="affine" gainprm="1 .5 .2"/>
  </actuator>
</mujoco>"#;

/// Closed loops, welds to mocap bodies and between sites, coupled tendons, two trees.
pub const LOOPS: &str = r#"<mujoco>
  <option timestep=".002"/>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1"/>
    <body name="held" pos="0 0 1.02"><freejoint/><geom type="box" size=".1 .05 .05"/><site name="tip" pos=".1 0 0" euler="0 0 20"/>
      <body pos=".15 0 0"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
        <body name="b" pos=".2 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/></body>
      </body>
      <body pos=".15 .1 0"><joint name="c" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
        <body name="d" pos=".2 0 0"><joint name="d" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/></body>
      </body>
    </body>
    <body name="other" pos="0 .5 1"><freejoint/><geom type="sphere" size=".07"/><site name="end" pos="0 -.1 0"/></body>
  </worldbody>
  <tendon>
    <fixed name="p"><joint joint="a" coef="1"/><joint joint="b" coef=".4"/></fixed>
    <fixed name="q"><joint joint="c" coef="1"/><joint joint="d" coef=".4"/></fixed>
  </tendon>
  <equality>
    <weld body1="hand" body2="held" solref=".05 1"/>
    <connect body1="b" body2="d" anchor=".2 0 0"/>
    <connect site1="tip" site2="end"/>
    <weld site1="end" site2="tip" active="false" torquescale="2"/>
    <tendon tendon1="p" tendon2="q" polycoef="0 .9 0 0 0"/>
  </equality>
</mujoco>"#;

/// Shapes whose contacts the exact engine's functions find.
pub const SHAPES: &str = r#"<mujoco>
  <option CONE/>
  <worldbody>
    <geom type="plane" size="3 3 .1" euler="4 0 0"/>
    <body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .12 .1" condim="3"/></body>
    <body pos=".03 0 .45" euler="20 0 0"><freejoint/><geom type="cylinder" size=".1 .1" condim="6"/></body>
    <body pos="0 .02 .7" euler="0 30 0"><freejoint/><geom type="ellipsoid" size=".1 .12 .08" condim="4"/></body>
    <body pos=".02 0 .95"><freejoint/><geom type="capsule" size=".08 .1" condim="1" margin=".02" gap=".01"/></body>
    <body pos=".4 0 .12" euler="90 0 0"><freejoint/><geom type="capsule" size=".1 .1" friction=".4 .02 .01"/><geom type="sphere" size=".12" pos="0 .1 0"/></body>
    <body pos=".4 .05 .35" euler="0 90 0"><freejoint/><geom type="capsule" size=".1 .1"/></body>
  </worldbody>
</mujoco>"#;

/// Spatial tendons that wrap, muscles, transmissions of sites, a medium.
pub const MUSCLES: &str = r#"<mujoco>
  <option timestep=".003" density="1.2" viscosity=".01" wind="1 0 0" INTEGRATOR/>
  <worldbody>
    <site name="root" pos="0 0 .6"/>
    <geom name="wheel" type="cylinder" size=".06" fromto="0 -.05 .45 0 .05 .45" contype="0" conaffinity="0"/>
    <body pos="0 0 .4">
      <joint name="s" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="middle" pos=".15 0 .04"/>
      <site name="side" pos=".1 0 .2"/>
      <body pos=".3 0 0"><joint name="e" axis="0 1 0" damping=".05"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".025"/><site name="end" pos=".2 0 .03"/></body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="long" range="0 .75" limited="true" stiffness="3" damping=".2">
      <site site="root"/><geom geom="wheel" sidesite="side"/><site site="middle"/><site site="end"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle tendon="long" lengthrange=".4 .9"/>
    <general site="end" gear="0 0 1 0 .1 0" gainprm="2"/>
    <motor joint="e" gear=".5"/>
  </actuator>
</mujoco>"#;

/// Paths of tendons over pulleys and around spheres and cylinders, through two trees; muscles and armature on them.
pub const PATHS: &str = r#"<mujoco>
  <option timestep=".003" INTEGRATOR/>
  <worldbody>
    <site name="root" pos="0 0 .6"/><site name="hook" pos=".5 .1 .7"/>
    <geom name="wheel" type="cylinder" size=".06" fromto="0 -.05 .45 0 .05 .45" contype="0" conaffinity="0"/>
    <body pos="0 0 .4">
      <joint name="s" axis="0 1 0" damping=".1" range="-60 60" limited="true"/><joint name="t" axis="1 0 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="middle" pos=".15 0 .04"/><site name="inside" pos=".3 0 .01"/>
      <geom name="ball" type="sphere" size=".05" pos=".3 0 0" contype="0" conaffinity="0"/>
      <body pos=".3 0 0"><joint name="e" axis="0 1 0" damping=".05"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".025"/><site name="end" pos=".2 0 .03"/><site name="low" pos=".1 .01 -.03"/></body>
    </body>
    <body pos=".6 0 .5"><freejoint/><geom size=".06"/><site name="far" pos="-.05 0 .02"/></body>
  </worldbody>
  <tendon>
    <spatial name="wrapped" range="0 .75" limited="true" stiffness="3" damping=".2">
      <site site="root"/><geom geom="wheel"/><site site="middle"/><geom geom="ball"/><site site="end"/>
    </spatial>
    <spatial name="inner"><site site="middle"/><geom geom="ball" sidesite="inside"/><site site="low"/></spatial>
    <spatial name="branched" stiffness="8" frictionloss=".05">
      <site site="root"/><site site="far"/><pulley divisor="2"/><site site="hook"/><site site="end"/>
      <pulley divisor="3"/><site site="hook"/><site site="far"/>
    </spatial>
    <spatial name="heavy" armature=".3" damping=".1"><site site="hook"/><site site="end"/><site site="middle"/></spatial>
    <fixed name="sum" armature=".05"><joint joint="s" coef="1"/><joint joint="e" coef="-.5"/></fixed>
  </tendon>
  <actuator>
    <muscle tendon="wrapped" lengthrange=".4 .9"/>
    <muscle tendon="inner" lengthrange=".05 .4" force="40" tausmooth=".2"/>
    <muscle joint="e" lengthrange="-1 1" scale="50" ctrllimited="true" ctrlrange="0 1"/>
    <motor tendon="heavy" gear="3"/>
  </actuator>
</mujoco>"#;

/// Hulls of meshes whose boxes overlap while they are apart, a gripper that closes on one, and contact parameters for all.
pub const HULLS: &str = r#"<mujoco>
  <option SETTINGS><flag OVERRIDE/></option>
  <asset>
    <mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  .1 .1 -.1  -.1 .1 -.1  -.1 0 .12  .08 .02 .1"/>
    <mesh name="stone" vertex=".1 0 0  -.09 .01 0  0 .11 0  .01 -.1 0  0 .02 .08  .01 0 -.1  .07 .07 .02  -.06 -.06 .05  .05 -.06 -.06  -.06 .06 -.05  .06 .05 .06"/>
  </asset>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .14"><freejoint/><geom type="mesh" mesh="wedge"/></body>
    <body pos=".19 .02 .16" euler="10 40 0"><freejoint/><geom type="mesh" mesh="stone" condim="4"/></body>
    <body pos=".02 .01 .36" euler="0 0 50"><freejoint/><geom type="mesh" mesh="stone"/></body>
    <body pos="-.24 0 .13" euler="0 90 20"><freejoint/><geom type="cylinder" size=".08 .1"/></body>
    <body pos="0 .5 .3">
      <joint name="left" type="slide" axis="1 0 0" range="-.1 .1" limited="true" damping="3"/>
      <geom type="mesh" mesh="wedge" pos="-.16 0 0" euler="0 90 0"/>
    </body>
    <body pos="0 .5 .3">
      <joint name="right" type="slide" axis="-1 0 0" range="-.1 .1" limited="true" damping="3"/>
      <geom type="mesh" mesh="wedge" pos=".16 0 0" euler="0 -90 0"/>
    </body>
    <body pos="0 .5 .3"><freejoint/><geom type="mesh" mesh="stone" margin=".01" gap=".005"/></body>
  </worldbody>
  <actuator><motor joint="left" gear="10"/><motor joint="right" gear="10"/></actuator>
</mujoco>"#;

/// Actuators that pull at contacts, those in the gap among them, and one that gets its controls late.
pub const STICKY: &str = r#"<mujoco>
  <option SETTINGS/>
  <default><geom margin=".02" gap=".02" condim="4"/></default>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="foot" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
      <body name="tongue" pos=".2 0 0"><joint name="tongue" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03 .06"/></body>
    </body>
    <body name="ball" pos="-.21 0 .11"><freejoint/><geom type="sphere" size=".1"/></body>
  </worldbody>
  <actuator>
    <adhesion body="foot" ctrlrange="0 1" gain="40"/>
    <adhesion body="ball" ctrlrange="0 1" gain="15"/>
    <motor joint="tongue" gear=".5" delay=".021" nsample="8" interp="linear"/>
  </actuator>
</mujoco>"#;

const OVERRIDE: &str =
    "o_margin=\".004\" o_solref=\".03 .9\" o_solimp=\".8 .9 .002 .5 2\" o_friction=\".4 .4 .01 .001 .001\"";

/// All models by name.
pub fn all() -> Vec<(&'static str, Model)> {
    let load = |xml: &str| ligament::load_model(xml).expect("loads");
    let elliptic = SHAPES.replace("CONE", "cone=\"elliptic\" impratio=\"3\" tolerance=\"1e-12\"");
    let few = "iterations=\"2\" ls_iterations=\"4\" timestep=";
    let loose = "cone=\"elliptic\" integrator=\"implicitfast\"";
    vec![
        ("humanoid", load(HUMANOID)),
        (
            "humanoid, one iteration",
            load(&HUMANOID.replace("timestep=", "iterations=\"1\" ls_iterations=\"4\" timestep=")),
        ),
        ("joints, few iterations", load(&JOINTS.replace("timestep=", few))),
        ("joints, few iterations without islands", load(&without_islands(&JOINTS.replace("timestep=", few)))),
        ("shapes, elliptic, implicitfast", load(&SHAPES.replace("CONE", loose))),
        ("paths", load(&PATHS.replace("INTEGRATOR", ""))),
        ("paths, implicitfast", load(&PATHS.replace("INTEGRATOR", "integrator=\"implicitfast\""))),
        ("joints", load(JOINTS)),
        ("joints, implicitfast", load(&JOINTS.replace("timestep=", "integrator=\"implicitfast\" timestep="))),
        ("joints, implicit", load(&JOINTS.replace("timestep=", "integrator=\"implicit\" timestep="))),
        ("joints, RK4", load(&JOINTS.replace("timestep=", "integrator=\"RK4\" timestep="))),
        ("loops", load(LOOPS)),
        ("shapes", load(&SHAPES.replace("CONE", ""))),
        ("shapes, elliptic", load(&elliptic)),
        ("hulls", load(&HULLS.replace("SETTINGS", "").replace("OVERRIDE", ""))),
        (
            "hulls, override",
            load(&HULLS.replace("SETTINGS", OVERRIDE).replace("OVERRIDE", "override=\"enable\"")),
        ),
        ("joints, conjugate gradients", load(&JOINTS.replace("timestep=", "solver=\"CG\" timestep="))),
        (
            "joints, few conjugate gradients",
            load(&JOINTS.replace("timestep=", &format!("solver=\"CG\" {few}"))),
        ),
        ("sticky", load(&STICKY.replace("SETTINGS", ""))),
        ("sticky, implicit", load(&STICKY.replace("SETTINGS", "integrator=\"implicit\" cone=\"elliptic\""))),
        ("muscles", load(&MUSCLES.replace("INTEGRATOR", ""))),
        ("muscles, implicitfast", load(&MUSCLES.replace("INTEGRATOR", "integrator=\"implicitfast\""))),
    ]
}

fn without_islands(xml: &str) -> String {
    xml.replacen("/>", "><flag island=\"disable\" warmstart=\"disable\"/></option>", 1)
}

/// Numbers between −1 and 1, the same for the same seed.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }
}

/// States along a trajectory of the exact engine under random controls and pushes.
pub fn states(m: &Model, count: usize, apart: usize) -> Vec<State> {
    let mut d = m.make_data().expect("data");
    let mut noise = Noise(7);
    let mut states = Vec::new();
    for _ in 0..count {
        for x in &mut d.ctrl {
            *x = noise.next();
        }
        for x in &mut d.qfrc_applied {
            *x = 0.2 * noise.next();
        }
        let body = m.nbody - 1;
        d.xfrc_applied[body] = std::array::from_fn(|_| 0.5 * noise.next());
        for p in &mut d.mocap_pos {
            p[0] = 0.1 * noise.next();
        }
        states.push(State::of(&d));
        for _ in 0..apart {
            d.step(m).expect("step");
        }
    }
    states
}
