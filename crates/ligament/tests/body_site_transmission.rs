//! Actuators on bodies (adhesion) and sites (spec items 36, 5 of model fidelity).

mod support;
use ligament::enums::DisableBit;
use support::{Sim, all_close, close};

fn sphere_on_plane(height: f64, option: &str, geom: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='1 1 1' {geom}/><body name='b' pos='0 0 {height}'>\
         <freejoint/><geom size='.1' {geom}/></body></worldbody>\
         <actuator><adhesion body='b' gain='100' ctrlrange='0 1'/></actuator></mujoco>"
    ))
}

/// A36.2: no contact, no effect
/// A36.7, A36.8: moment with contacts only, length always zero
#[test]
fn needs_contact() {
    let mut sim = sphere_on_plane(1.0, "", "");
    sim.d.ctrl[0] = 1.0;
    sim.forward();
    assert_eq!(sim.d.actuator_force[0], 100.0);
    all_close(&sim.d.qfrc_actuator, &[0.0; 6], 0.0);
    assert_eq!((sim.d.moment_rownnz[0], sim.d.actuator_length[0]), (0, 0.0));
    let mut touching = sphere_on_plane(0.099, "", "");
    touching.forward();
    assert!(touching.d.moment_rownnz[0] > 0 && touching.d.actuator_length[0] == 0.0);
}

/// A36.3: pulled down, the sphere rests deeper
#[test]
fn rests_deeper() {
    for (ctrl, want) in [(0.0, 0.099633), (1.0, 0.099240)] {
        let mut sim = sphere_on_plane(0.1, "", "");
        sim.d.ctrl[0] = ctrl;
        sim.steps(2000);
        close(sim.d.qpos[2], want, 2e-6);
    }
}

/// A36.4: one contact, for all contact dimensions and both cones
#[test]
fn single_contact_force() {
    for cone in ["pyramidal", "elliptic"] {
        for dim in [1, 3, 4, 6] {
            let mut sim = sphere_on_plane(0.099, &format!("cone='{cone}'"), &format!("condim='{dim}'"));
            sim.d.ctrl[0] = 1.0;
            sim.forward();
            all_close(&sim.d.qfrc_actuator, &[0.0, 0.0, -100.0, 0.0, 0.0, 0.0], 1e-10);
        }
    }
}

/// A36.5: several contacts, mean of their normals
#[test]
fn box_contacts() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 .0999'><freejoint/>\
         <geom type='box' size='.1 .2 .1'/></body></worldbody>\
         <actuator><adhesion body='b' gain='1' ctrlrange='0 1'/></actuator></mujoco>",
    );
    sim.forward();
    assert_eq!(sim.d.ncon, 4);
    all_close(&sim.moment(0), &[0.0, 0.0, -1.0, 0.0, 0.0, 0.0], 1e-12);
    let half = (0.05_f64 / 2.0).to_radians();
    sim.d.qpos[3..7].copy_from_slice(&[half.cos(), half.sin(), 0.0, 0.0]);
    sim.forward();
    assert_eq!(sim.d.ncon, 2);
    close(sim.moment(0)[3].abs(), 0.19991266, 1e-6);
}

/// A36.9: gear has no effect
/// A36.D2: the order of the geoms does not matter
/// A36.D3: contacts of a jointless child do not count
#[test]
fn what_counts() {
    let general = |gear: &str, body: &str| {
        let mut sim = Sim::new(&format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='b' pos='0 0 .099'><freejoint/>\
             <geom size='.05' pos='0 0 .5'/><body name='child'><geom size='.1'/></body></body></worldbody>\
             <actuator><general body='{body}' gear='{gear}'/></actuator></mujoco>"
        ));
        sim.d.ctrl[0] = 1.0;
        sim.forward();
        sim.d.qfrc_actuator[2]
    };
    close(general("1", "child"), -1.0, 1e-12);
    close(general("2", "child"), -1.0, 1e-12);
    assert_eq!(general("1", "b"), 0.0);
    close(general("1", "world"), -1.0, 1e-12);
}

/// A36.D1: contacts in the gap attract although they make no constraint
/// A36.D4: disabled contacts or constraints: no effect
#[test]
fn gap_and_flags() {
    let mut sim = sphere_on_plane(0.11, "", "margin='.05' gap='.05'");
    sim.d.ctrl[0] = 1.0;
    sim.forward();
    assert_eq!(sim.d.nefc, 0);
    close(sim.d.qfrc_actuator[2], -100.0, 1e-10);
    for bit in [DisableBit::Contact, DisableBit::Constraint] {
        let mut sim = sphere_on_plane(0.099, "", "");
        sim.d.ctrl[0] = 1.0;
        sim.disable(bit).forward();
        assert_eq!(sim.d.qfrc_actuator[2], 0.0);
    }
}

/// Two hinges about z and y; a site at the end, a turned site on the first link and one in the world.
fn site_arm(actuator: &str) -> Sim {
    Sim::new(&format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><site name='w' pos='0 0 .5' euler='20 30 40'/>\
         <body><joint axis='0 0 1'/><geom size='.1' pos='.5 0 0'/><site name='r' pos='.2 .1 0' euler='10 0 50'/>\
         <body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/><body pos='1 0 0'><joint axis='0 1 0'/>\
         <geom size='.1' pos='.4 0 0'/><site name='s' pos='.5 .2 .1'/></body></body></body></worldbody>\
         <actuator>{actuator}</actuator></mujoco>"
    ))
}

const POSE: [f64; 3] = [0.3, -0.5, 0.8];

fn at_pose(actuator: &str) -> Sim {
    let mut sim = site_arm(actuator);
    sim.d.qpos.copy_from_slice(&POSE);
    sim.d.qvel.copy_from_slice(&[0.4, -0.2, 0.6]);
    sim.d.ctrl[0] = 1.5;
    sim.forward();
    sim
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// M5.1: without reference the length is zero
/// M5.2: the velocity is moment · q̇
/// M5.3: a force along the site's z axis, M5.4: a torque about its x axis, M5.5: both together
/// M5.9: power balance
#[test]
fn wrench_on_site() {
    let sim = at_pose("<motor site='s' gear='0 0 1 0 0 0'/>");
    let mat = sim.d.site_xmat[2];
    let (x, z) = ([mat[0], mat[3], mat[6]], [mat[2], mat[5], mat[8]]);
    let want = |j: usize| {
        let r = std::array::from_fn(|k| sim.d.site_xpos[2][k] - sim.d.xanchor[j][k]);
        (dot(cross(sim.d.xaxis[j], r), z), dot(sim.d.xaxis[j], x))
    };
    let turn = at_pose("<motor site='s' gear='0 0 0 1 0 0'/>");
    let mixed = at_pose("<motor site='s' gear='0 0 1 1 0 0'/>");
    for j in 0..3 {
        close(sim.moment(0)[j], want(j).0, 1e-12);
        close(turn.moment(0)[j], want(j).1, 1e-12);
        close(mixed.moment(0)[j], want(j).0 + want(j).1, 1e-12);
        close(sim.d.qfrc_actuator[j], 1.5 * want(j).0, 1e-12);
    }
    for sim in [&sim, &turn, &mixed] {
        assert_eq!(sim.d.actuator_length[0], 0.0);
        let power: f64 = sim.d.qfrc_actuator.iter().zip(&sim.d.qvel).map(|(f, v)| f * v).sum();
        close(power, sim.d.actuator_force[0] * sim.d.actuator_velocity[0], 1e-12);
    }
}

/// M5.6: translational length in the frame of the reference site
/// M5.8: its rate for a fixed reference
#[test]
fn position_in_reference() {
    let mut sim = at_pose("<motor site='s' refsite='w' gear='1 2 3 0 0 0'/>");
    let mat = sim.d.site_xmat[0];
    let dif: [f64; 3] = std::array::from_fn(|k| sim.d.site_xpos[2][k] - sim.d.site_xpos[0][k]);
    let local: [f64; 3] = std::array::from_fn(|c| (0..3).map(|r| mat[3 * r + c] * dif[r]).sum());
    close(sim.d.actuator_length[0], local[0] + 2.0 * local[1] + 3.0 * local[2], 1e-12);
    let (length, velocity) = (sim.d.actuator_length[0], sim.d.actuator_velocity[0]);
    let dt = 1e-7;
    for j in 0..3 {
        sim.d.qpos[j] += dt * sim.d.qvel[j];
    }
    sim.forward();
    close((sim.d.actuator_length[0] - length) / dt, velocity, 1e-5);
}

/// M5.7: a quarter turn about the reference's x axis
#[test]
fn rotation_in_reference() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><site name='w'/><body><joint axis='1 0 0'/><geom size='.1'/><site name='s'/></body></worldbody>\
         <actuator><motor site='s' refsite='w' gear='0 0 0 2 0 0'/></actuator></mujoco>",
    );
    sim.d.qpos[0] = std::f64::consts::FRAC_PI_2;
    close(sim.forward().d.actuator_length[0], std::f64::consts::PI, 1e-12);
}

/// M5.10: both sites on one body
/// M5.11: dofs that move both sites do not count
#[test]
fn shared_dofs() {
    let one = Sim::new(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/><site name='a'/><site name='b' pos='1 2 3'/></body>\
         </worldbody><actuator><motor site='a' refsite='b' gear='1 2 3 4 5 6'/></actuator></mujoco>",
    );
    let mut one = one;
    one.forward();
    all_close(&one.moment(0), &[0.0; 6], 0.0);
    let shared = at_pose("<motor site='s' refsite='r' gear='1 2 3 4 5 6'/>").moment(0);
    assert!(shared[0] == 0.0 && shared[1] != 0.0 && shared[2] != 0.0);
}

/// M5.14: position control of a site
/// M5.15: acc0 is ‖M⁻¹ moment‖
#[test]
fn gains_and_acc0() {
    let sim = at_pose("<position site='s' refsite='w' gear='1 0 0 0 0 0' kp='10' kv='2'/>");
    let want = 10.0 * (1.5 - sim.d.actuator_length[0]) - 2.0 * sim.d.actuator_velocity[0];
    close(sim.d.actuator_force[0], want, 1e-12);
    let mut sim = site_arm("<motor site='s' gear='0 0 1 0 0 0'/>");
    sim.forward();
    let mut x = sim.moment(0);
    ligament::sim::inertia::solve_m_in_place(&sim.m, &sim.d, &mut x);
    close(sim.m.actuator_acc0[0], x.iter().map(|x| x * x).sum::<f64>().sqrt(), 1e-12);
}

/// M5.16: actuatorfrc is the scalar force after gain, bias and clamp, for every transmission
/// M5.17, M5.18: actuatorpos and actuatorvel are length and velocity of the transmission
#[test]
fn sensors_of_actuators() {
    let actuators = "<motor name='joint' joint='j' forcerange='-1 1'/><motor name='tendon' tendon='t' gear='2'/>\
        <position name='site' site='s' refsite='w' gear='1 .5 0 .2 0 1' kp='10' kv='2'/><motor name='force' site='s'/>";
    let sensors: String = ["joint", "tendon", "site", "force"]
        .map(|a| {
            format!("<actuatorfrc actuator='{a}'/><actuatorpos actuator='{a}'/><actuatorvel actuator='{a}'/>")
        })
        .concat();
    let mut sim = Sim::new(&format!(
        "<mujoco><worldbody><site name='w' pos='0 0 .5' euler='20 30 40'/><body><joint name='j' axis='0 0 1'/>\
         <geom size='.1' pos='.5 0 0'/><body pos='1 0 0'><joint axis='0 1 0'/><geom size='.1' pos='.5 0 0'/>\
         <site name='s' pos='.5 .2 .1'/></body></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1.5'/></fixed></tendon>\
         <actuator>{actuators}</actuator><sensor>{sensors}</sensor></mujoco>"
    ));
    sim.d.qpos.copy_from_slice(&[0.3, -0.5]);
    sim.d.qvel.copy_from_slice(&[0.4, -0.2]);
    sim.d.ctrl.copy_from_slice(&[3.0, 0.6, 1.5, -0.8]);
    sim.forward();
    for actuator in 0..4 {
        let d = &sim.d;
        let want = [d.actuator_force[actuator], d.actuator_length[actuator], d.actuator_velocity[actuator]];
        assert_eq!(d.sensordata[3 * actuator..3 * actuator + 3], want);
    }
    let d = &sim.d;
    assert_eq!((d.actuator_force[0], d.actuator_force[1], d.actuator_force[3]), (1.0, 0.6, -0.8));
    close(d.actuator_force[2], 10.0 * (1.5 - d.actuator_length[2]) - 2.0 * d.actuator_velocity[2], 1e-12);
    assert!(d.actuator_length[2] != 0.0 && d.actuator_velocity[3] != 0.0 && d.actuator_length[3] == 0.0);
}
