//! Gravity compensation and fluid forces (spec items 35, 40).

mod support;
use ligament::enums::DisableBit;
use support::{Sim, all_close, close};

fn free_body(gravcomp: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><worldbody><body {gravcomp}><freejoint/><geom size='.1' mass='2'/></body></worldbody></mujoco>"
    ));
    sim.forward();
    sim
}

/// A35.1, A35.2, A35.3, A35.4: acceleration of a free body
#[test]
fn compensated_acceleration() {
    for (attribute, want) in [
        ("gravcomp='1'", 0.0),
        ("gravcomp='0'", -9.81),
        ("", -9.81),
        ("gravcomp='.5'", -4.905),
        ("gravcomp='2'", 9.81),
    ] {
        close(free_body(attribute).d.qacc[2], want, 1e-12);
    }
}

/// A hinge about y with a mass at `pos`.
fn arm(joint: &str, body: &str, pos: &str, actuator: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><worldbody><body {body}><joint name='j' axis='0 1 0' {joint}/>\
         <inertial pos='{pos}' mass='2' diaginertia='.1 .1 .1'/></body></worldbody>\
         <actuator>{actuator}</actuator></mujoco>"
    ));
    sim.forward();
    sim
}

/// A35.6: a compensated arm stays where it is
/// A35.7: without gravity there is nothing to compensate
/// A35.9: only the dofs that carry compensated bodies feel a force
#[test]
fn compensated_arm_holds() {
    let xml = |first: &str, option: &str| {
        format!(
            "<mujoco><option {option}/><worldbody><body {first}><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/>\
             <body pos='1 0 0' gravcomp='1'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0' contype='0'/>\
             <body pos='1 0 0' gravcomp='1'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0' contype='0'/>\
             </body></body></body></worldbody></mujoco>"
        )
    };
    let mut sim = Sim::new(&xml("gravcomp='1'", ""));
    sim.forward();
    all_close(&sim.d.qfrc_passive.clone(), &sim.d.qfrc_bias, 1e-12);
    sim.steps(1000);
    all_close(&sim.d.qpos, &[0.0; 3], 1e-10);
    let mut weightless = Sim::new(&xml("gravcomp='1'", "gravity='0 0 0'"));
    all_close(&weightless.forward().d.qfrc_gravcomp, &[0.0; 3], 0.0);
    let mut branch = Sim::new(
        "<mujoco><worldbody><body gravcomp='1'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body>\
         <body pos='0 2 0'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></worldbody></mujoco>",
    );
    branch.forward();
    assert!(branch.d.qfrc_gravcomp[0] != 0.0 && branch.d.qfrc_gravcomp[1] == 0.0);
}

/// A35.8: the force acts at the centre of mass
/// A35.10: partial compensation
#[test]
fn acts_at_centre_of_mass() {
    close(arm("", "gravcomp='1'", "1 0 0", "").d.qfrc_gravcomp[0], -19.62, 1e-12);
    close(arm("", "gravcomp='1'", "0 0 0", "").d.qfrc_gravcomp[0], 0.0, 1e-12);
    close(arm("", "gravcomp='.7'", ".5 0 0", "").d.qfrc_passive[0], -6.867, 1e-10);
}

/// A35.D1: routed to the actuators, within the joint's force range
/// A35.D2: and lost without actuators
#[test]
fn routed_to_actuators() {
    let motor = "<motor joint='j'/>";
    let routed = arm("actuatorgravcomp='true'", "gravcomp='1'", "1 0 0", motor);
    close(routed.d.qfrc_actuator[0], -19.62, 1e-12);
    assert_eq!(routed.d.qfrc_passive[0], 0.0);
    let clamped = arm("actuatorgravcomp='true' actuatorfrcrange='-5 5'", "gravcomp='1'", "1 0 0", motor);
    close(clamped.d.qfrc_actuator[0], -5.0, 0.0);
    let falling = arm("", "", "1 0 0", "").d.qacc[0];
    assert_eq!(arm("actuatorgravcomp='true'", "gravcomp='1'", "1 0 0", "").d.qacc[0], falling);
    let mut off = arm("actuatorgravcomp='true'", "gravcomp='1'", "1 0 0", motor);
    off.disable(DisableBit::Actuation);
    assert_eq!(off.forward().d.qacc[0], falling);
}

/// A35.D3: flags that switch it off
/// A35.D4: a negative factor alone does not count
#[test]
fn flags_and_negative_factors() {
    use DisableBit::{Damper, Gravity, Spring};
    for (bits, want) in
        [(&[Gravity][..], 0.0), (&[Spring, Damper], 0.0), (&[Spring], -19.62), (&[Damper], -19.62)]
    {
        let mut sim = arm("", "gravcomp='1'", "1 0 0", "");
        for &bit in bits {
            sim.disable(bit);
        }
        close(sim.forward().d.qfrc_gravcomp[0], want, 1e-12);
    }
    let negative = arm("", "gravcomp='-1'", "1 0 0", "");
    assert_eq!((negative.m.ngravcomp, negative.d.qfrc_gravcomp[0]), (0, 0.0));
    let mut both = Sim::new(
        "<mujoco><worldbody><body gravcomp='-1'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0' mass='1'/></body>\
         <body pos='0 2 0' gravcomp='1'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0' mass='1'/></body></worldbody>\
         </mujoco>",
    );
    all_close(&both.forward().d.qfrc_gravcomp, &[4.905, -4.905], 1e-12);
}

/// The body of the reference numbers, moving in a wind.
fn in_fluid(option: &str, geom: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><option gravity='0 0 0' {option}/><worldbody><body quat='.8 .2 -.4 .4'><freejoint/>\
         <geom {geom} mass='.3'/></body></worldbody></mujoco>"
    ));
    sim.d.qvel.copy_from_slice(&[1.0, 2.0, 3.0, 0.5, -1.0, 2.0]);
    sim.forward();
    sim
}

const MEDIUM: &str = "density='1.2' viscosity='.01' wind='1 -2 .5'";
const ELLIPSOID: &str = "type='ellipsoid' size='.1 .05 .02'";

/// C40.1: no medium, no force
/// C40.5, C40.7, C40.9: both models in a wind
#[test]
fn reference_numbers() {
    all_close(&in_fluid("", ELLIPSOID).d.qfrc_fluid, &[0.0; 6], 0.0);
    let want = [-0.0373004894, -0.2585807348, -0.0183372894, 0.0020123347, -0.003740013, -0.0011784056];
    let ellipsoid = in_fluid(MEDIUM, &format!("{ELLIPSOID} fluidshape='ellipsoid'"));
    all_close(&ellipsoid.d.qfrc_passive, &want, 1e-9);
    let want =
        [0.00142193664, -0.058847238476, -0.033532612047, -1.0654033561e-5, 2.209234625e-5, -4.3931046173e-5];
    all_close(&in_fluid(MEDIUM, ELLIPSOID).d.qfrc_passive, &want, 1e-11);
}

/// C40.2: terminal velocities of a falling sphere
#[test]
fn terminal_velocity() {
    for (shape, want) in [("", 26.100), ("fluidshape='ellipsoid'", 22.812)] {
        let mut sim = Sim::new(&format!(
            "<mujoco><option density='1.2' viscosity='1.8e-5' timestep='.01'/><worldbody><body><freejoint/>\
             <geom size='.1' mass='1' {shape}/></body></worldbody></mujoco>"
        ));
        sim.steps(3000);
        close(sim.d.qvel[2], -want, 0.01 * want);
    }
}

/// C40.3: wind pushes a body at rest
/// C40.4: Stokes drag of a small sphere
#[test]
fn wind_and_stokes() {
    let ball = |option: &str, geom: &str, v: f64| {
        let mut sim = Sim::new(&format!(
            "<mujoco><option gravity='0 0 0' {option}/><worldbody><body><freejoint/><geom {geom}/></body></worldbody>\
             </mujoco>"
        ));
        sim.d.qvel[0] = v;
        sim.forward();
        sim.d.qfrc_fluid[0]
    };
    assert!(ball("density='1.2' wind='5 0 0'", "size='.1' mass='1'", 0.0) > 0.0);
    let stokes = -6.0 * std::f64::consts::PI * 0.001 * 1e-3;
    let small = "size='.001' mass='1e-3'";
    close(ball("viscosity='1'", &format!("{small} fluidshape='ellipsoid'"), 1e-3) / stokes, 1.0, 1e-6);
    close(ball("viscosity='1'", small, 1e-3) / stokes, 0.6_f64.sqrt(), 1e-6);
}

/// C40.6: side force of a spinning sphere, with and without the Magnus coefficient
/// C40.8: coefficients switch the lift off
#[test]
fn magnus_force() {
    let side = |magnus: &str| {
        let mut sim = Sim::new(&format!(
            "<mujoco><option gravity='0 0 0' density='1.2'/><worldbody><body><freejoint/>\
             <geom size='.1' mass='1' fluidshape='ellipsoid' fluidcoef='.5 .25 1.5 1 {magnus}'/></body></worldbody></mujoco>"
        ));
        sim.d.qvel.copy_from_slice(&[2.0, 0.0, 0.0, 0.0, 0.0, 5.0]);
        sim.forward();
        sim.d.qfrc_fluid[1]
    };
    // ρ V (ω × v) along y
    let unit = 1.2 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 10.0;
    close(side("1") - side("0"), unit, 1e-12);
    close(side("1"), 0.5 * unit, 1e-6);
    close(side("0"), -0.5 * unit, 1e-6);
}

/// C40.10: one ellipsoid geom switches the box model off for its body
#[test]
fn mixed_shapes() {
    let force = |geoms: &str| {
        let mut sim = Sim::new(&format!(
            "<mujoco><option gravity='0 0 0' density='1.2'/><worldbody><body><freejoint/>{geoms}</body></worldbody></mujoco>"
        ));
        sim.d.qvel[0] = 1.0;
        sim.forward();
        sim.d.qfrc_fluid[0]
    };
    let alone = force("<geom size='.1' fluidshape='ellipsoid'/>");
    close(force("<geom size='.1' fluidshape='ellipsoid'/><geom size='.1'/>"), alone, 1e-12);
}

/// Derivatives of fluid forces: the implicit integrators agree with finite differences of the force.
#[test]
fn implicit_fluid_derivative() {
    use ligament::sim::derivative::smooth::smooth_vel;
    for geom in [ELLIPSOID.to_string(), format!("{ELLIPSOID} fluidshape='ellipsoid'")] {
        let mut sim = in_fluid(&format!("{MEDIUM} integrator='implicit'"), &geom);
        smooth_vel(&sim.m, &mut sim.d, false);
        let exact = sim.d.qDeriv.clone();
        let eps = 1e-6;
        for c in 0..6 {
            let mut force_at = |v: f64| {
                let before = sim.d.qvel[c];
                sim.d.qvel[c] = before + v;
                sim.forward();
                sim.d.qvel[c] = before;
                sim.d.qfrc_fluid.clone()
            };
            let (plus, minus) = (force_at(eps), force_at(-eps));
            for r in 0..6 {
                close(exact[6 * r + c], (plus[r] - minus[r]) / (2.0 * eps), 1e-7);
            }
        }
    }
}
