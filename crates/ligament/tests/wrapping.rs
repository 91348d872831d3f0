//! Spatial tendons and wrapping (spec items 4 of model fidelity, 39).

mod support;
use support::{Sim, all_close, close};

const BODY: &str = "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 .1'/>";

fn tendon_model(world: &str, tendon: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><worldbody>{world}</worldbody><tendon><spatial stiffness='100'>{tendon}</spatial></tendon></mujoco>"
    ));
    sim.forward();
    sim
}

/// A chain of hinges with a site on each link.
fn chain(sites: [&str; 3], tendon: &str) -> Sim {
    tendon_model(
        &format!(
            "<body pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.5' size='.05'/>\
             <site name='s1' pos='{}'/><body pos='0 0 -.5'><joint axis='0 1 0'/>\
             <geom type='capsule' fromto='0 0 0 0 0 -.4' size='.04'/><site name='s2' pos='{}'/>\
             <body pos='0 0 -.4'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.3' size='.03'/>\
             <site name='s3' pos='{}'/></body></body></body>",
            sites[0], sites[1], sites[2]
        ),
        tendon,
    )
}

/// Two sites on slides along an axis, with something to wrap around at the origin.
fn sliding(p1: &str, p2: &str, axis: &str, geom: &str, side: Option<&str>) -> Sim {
    let side_site = side.map_or(String::new(), |p| format!("<site name='side' pos='{p}'/>"));
    let side_ref = if side.is_some() { "sidesite='side'" } else { "" };
    tendon_model(
        &format!(
            "<geom name='g' {geom} contype='0' conaffinity='0'/>{side_site}\
             <body pos='{p1}'><joint type='slide' axis='{axis}'/>{BODY}<site name='s1'/></body>\
             <body pos='{p2}'><joint type='slide' axis='{axis}'/>{BODY}<site name='s2'/></body>"
        ),
        &format!("<site site='s1'/><geom geom='g' {side_ref}/><site site='s2'/>"),
    )
}

const SPHERE: &str = "type='sphere' size='.1'";
const CYLINDER: &str = "type='cylinder' size='.08 .3'";

/// M4.1: a tendon between two sites is as long as they are apart
/// M4.2: with more sites it is the sum of its segments
#[test]
fn straight_lengths() {
    let mut sim =
        chain(["0 0 0", "0 0 -.2", "0 0 -.15"], "<site site='s1'/><site site='s2'/><site site='s3'/>");
    close(sim.d.ten_length[0], 1.05, 1e-12);
    for q in [[0.3, -0.8, 0.5], [1.2, 0.4, -1.0]] {
        sim.d.qpos.copy_from_slice(&q);
        sim.forward();
        let p = &sim.d.site_xpos;
        let dist = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        close(sim.d.ten_length[0], dist(p[0], p[1]) + dist(p[1], p[2]), 1e-12);
        assert!(sim.tendon_gradient_error(0) < 1e-6);
    }
}

/// M4.3: around a sphere when it is in the way, straight when it is not
#[test]
fn sphere_wraps_only_when_blocked() {
    let mut sim = sliding("-.3 .05 0", ".3 .05 0", "0 1 0", SPHERE, None);
    close(sim.d.ten_length[0], 0.60843263, 1e-8);
    assert_eq!(sim.d.ten_wrapnum[0], 4);
    sim.d.qpos.copy_from_slice(&[0.1, 0.1]);
    sim.forward();
    close(sim.d.ten_length[0], 0.6, 1e-12);
    assert_eq!(sim.d.ten_wrapnum[0], 2);
}

/// M4.4: around a cylinder along a helix
#[test]
fn cylinder_wrap() {
    let sim = sliding("-.3 .1 .2", ".3 -.05 -.2", "1 0 0", CYLINDER, None);
    close(sim.d.ten_length[0], 0.74507207, 1e-8);
    all_close(&sim.d.ten_J, &[-0.84183459, 0.76640339], 1e-8);
}

/// M4.5: the Jacobian is the gradient of the length, straight and wrapped
#[test]
fn jacobian_is_gradient() {
    let cases = [
        sliding("-.3 .05 0", ".3 .02 .03", "0 1 0", SPHERE, None),
        sliding("-.3 .1 .2", ".3 -.05 -.2", "1 0 0", CYLINDER, None),
        sliding("-.3 .2 0", ".3 .2 0", "1 0 0", SPHERE, Some("0 -.3 0")),
    ];
    for mut sim in cases {
        assert!(sim.tendon_gradient_error(0) < 1e-5);
    }
}

/// M4.6: the velocity is J q̇
/// M4.7: springs act through Jᵀ
#[test]
fn velocity_and_spring_force() {
    let mut sim = sliding("-.3 .1 .2", ".3 -.05 -.2", "1 0 0", CYLINDER, None);
    sim.m.tendon_damping[0] = 3.0;
    sim.d.qvel.copy_from_slice(&[0.4, -0.7]);
    sim.d.qpos.copy_from_slice(&[-0.02, 0.01]);
    sim.forward();
    let j = sim.d.ten_J.clone();
    let velocity = j[0] * 0.4 - j[1] * 0.7;
    close(sim.d.ten_velocity[0], velocity, 1e-14);
    let force = 100.0 * (sim.m.tendon_length0[0] - sim.d.ten_length[0]) - 3.0 * velocity;
    all_close(&sim.d.qfrc_passive, &[j[0] * force, j[1] * force], 1e-10);
}

/// M4.10: behind a pulley length and Jacobian count divided
#[test]
fn pulley_divides() {
    let sim = tendon_model(
        &format!(
            "<body pos='0 0 .5'><joint type='slide' axis='0 0 1'/>{BODY}<site name='s1'/></body>\
             <site name='s2'/><site name='s3'/>\
             <body pos='0 0 -.5'><joint type='slide' axis='0 0 1'/>{BODY}<site name='s4'/></body>"
        ),
        "<site site='s1'/><site site='s2'/><pulley divisor='2'/><site site='s3'/><site site='s4'/>",
    );
    close(sim.d.ten_length[0], 0.75, 1e-14);
    all_close(&sim.d.ten_J, &[1.0, -0.5], 1e-14);
    assert_eq!(sim.d.ten_wrapnum[0], 5);
    assert_eq!(&sim.d.wrap_obj.as_flattened()[..5], &[-1, -1, -2, -1, -1]);
}

/// M4.11: no jump of the length at the transition between straight and wrapped
#[test]
fn length_is_continuous() {
    let mut sim = sliding("-.3 .05 0", ".3 .05 0", "0 1 0", SPHERE, None);
    let mut last: Option<(f64, f64)> = None;
    for k in 0..200 {
        let q = k as f64 * 0.001;
        sim.d.qpos.copy_from_slice(&[q, q]);
        sim.forward();
        let (length, slope) = (sim.d.ten_length[0], sim.d.ten_J[0] + sim.d.ten_J[1]);
        if let Some((before, slope_before)) = last {
            close(length - before, 0.5 * (slope + slope_before) * 0.001, 1e-6);
        }
        last = Some((length, slope));
    }
}

/// M4.12: length0 is the length at qpos0, the spring rests at qpos_spring
#[test]
fn reference_lengths() {
    let sim = Sim::new(
        "<mujoco><worldbody><site name='s0' pos='1 0 .1'/><body><joint axis='0 1 0' springref='30'/><geom size='.1'/>\
         <site name='s1' pos='0 0 0'/><site name='s2' pos='0 0 .5'/></body></worldbody>\
         <tendon><spatial><site site='s0'/><site site='s2'/></spatial></tendon></mujoco>",
    );
    assert_ne!(sim.m.tendon_length0[0], sim.m.tendon_lengthspring[0][0]);
    let mut at_rest = Sim { m: sim.m.clone(), d: sim.d.clone() };
    at_rest.forward();
    close(at_rest.d.ten_length[0], sim.m.tendon_length0[0], 1e-14);
    at_rest.d.qpos.copy_from_slice(&sim.m.qpos_spring);
    at_rest.forward();
    all_close(&sim.m.tendon_lengthspring[0], &[at_rest.d.ten_length[0]; 2], 1e-14);
}

/// M4.14: the side site picks the side
#[test]
fn side_site_picks_side() {
    let length = |side| sliding("-.3 .15 0", ".3 -.05 0", "1 0 0", SPHERE, side).d.ten_length[0];
    close(length(Some("0 .3 0")), 0.64131210, 1e-8);
    close(length(Some("0 -.3 0")), 0.70101188, 1e-8);
    close(length(None), 0.64131210, 1e-8);
    let forced = sliding("-.3 .2 0", ".3 .2 0", "1 0 0", SPHERE, Some("0 -.3 0"));
    close(forced.d.ten_length[0], 0.86662782, 1e-8);
    let cylinder = |side| sliding("-.3 .1 .2", ".3 -.05 -.2", "1 0 0", CYLINDER, side).d.ten_length[0];
    close(cylinder(Some("0 .2 0")), 0.74507207, 1e-8);
    close(cylinder(Some("0 -.2 0")), 0.76632941, 1e-8);
}

/// M4.15: sites in line with the centre of a sphere
#[test]
fn collinear_sphere() {
    let sim = sliding("-.3 0 0", ".3 0 0", "0 1 0", SPHERE, None);
    close(sim.d.ten_length[0], 0.63365281, 1e-8);
    all_close(&sim.d.ten_J, &[-0.23570226, -0.23570226], 1e-8);
}

/// M4.18: angular columns of a free joint are about the body's own axes
#[test]
fn free_joint_columns() {
    let mut sim = tendon_model(
        "<site name='s0'/><body pos='1 0 0' euler='0 45 0'><freejoint/><geom size='.05'/><site name='s1' pos='.2 .1 0'/>\
         </body>",
        "<site site='s0'/><site site='s1'/>",
    );
    close(sim.d.ten_length[0], 1.15448807, 1e-8);
    let want = [0.98868181, 0.08661848, -0.12249703, 0.06124851, -0.12249703, -0.06124851];
    all_close(&sim.d.ten_J, &want, 1e-8);
    assert!(sim.tendon_gradient_error(0) < 1e-6);
}

/// M4.19: straight and wrapped segments in one tendon
#[test]
fn mixed_segments() {
    let mut sim = tendon_model(
        "<body pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.5' size='.04'/>\
         <site name='s1' pos='0 .3 0'/><body pos='0 0 -.5'><joint axis='0 1 0'/>\
         <geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03'/><site name='s2' pos='0 .15 0'/>\
         <body pos='0 0 -.2'><geom name='g' size='.08'/></body><body pos='0 0 -.4'><joint axis='0 1 0'/>\
         <geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/><site name='s3'/></body></body></body>",
        "<site site='s1'/><site site='s2'/><geom geom='g'/><site site='s3'/>",
    );
    close(sim.d.ten_length[0], 0.94967236, 1e-8);
    assert_eq!(sim.d.ten_wrapnum[0], 5);
    sim.d.qpos.copy_from_slice(&[0.2, -0.4, 0.6]);
    assert!(sim.tendon_gradient_error(0) < 1e-5);
}

/// The inside fixtures: wrap geom and first site fixed, second site on a joint.
fn inside(geom: &str, s1: &str, side: &str, joint: &str, s2: &str) -> Sim {
    let side_site = if side.is_empty() { String::new() } else { format!("<site name='side' pos='{side}'/>") };
    let side_ref = if side.is_empty() { "" } else { "sidesite='side'" };
    tendon_model(
        &format!(
            "<body><geom name='g' {geom} contype='0' conaffinity='0'/><site name='s1' pos='{s1}'/>{side_site}</body>\
             <body><joint {joint}/><geom size='.01' mass='.1' contype='0' conaffinity='0'/><site name='s2' pos='{s2}'/></body>"
        ),
        &format!("<site site='s1'/><geom geom='g' {side_ref}/><site site='s2'/>"),
    )
}

const BALL: &str = "type='sphere' size='.15'";
const CAN: &str = "type='cylinder' size='.15 .5'";

fn wrap_points(sim: &Sim) -> ([f64; 3], [f64; 3]) {
    let x = sim.d.wrap_xpos.as_flattened();
    ([x[3], x[4], x[5]], [x[6], x[7], x[8]])
}

/// C39.1, C39.3, C39.4, C39.6: a side site inside a sphere gives one point on the surface
/// C39.10: with the right Jacobian
#[test]
fn inside_sphere() {
    let mut sim = inside(BALL, ".3 0 .15", ".05 0 0", "axis='0 1 0'", ".3 0 -.15");
    let (t1, t2) = wrap_points(&sim);
    assert_eq!(t1, t2);
    assert_eq!(sim.d.ten_wrapnum[0], 4);
    close(t1.iter().map(|x| x * x).sum::<f64>().sqrt(), 0.15, 1e-10);
    all_close(&t1, &[0.15, 0.0, 0.0], 1e-6);
    close(sim.d.ten_length[0], 0.424264068711929, 1e-6);
    assert!(sim.tendon_gradient_error(0) < 1e-4);
    close(sim.d.ten_J[0], 0.106066017, 1e-8);
    sim.steps(1);
    assert!(sim.d.qpos[0].is_finite());
}

/// C39.2, C39.7: inside a cylinder
/// C39.17: with the right Jacobian
#[test]
fn inside_cylinder() {
    let mut sim = inside(CAN, ".3 .1 .2", ".05 0 0", "axis='0 0 1'", ".3 -.1 -.2");
    close(sim.d.ten_length[0], 0.538516480713450, 1e-6);
    all_close(&wrap_points(&sim).0, &[0.15, 0.0, 0.0], 1e-6);
    assert!(sim.tendon_gradient_error(0) < 1e-4);
    close(sim.d.ten_J[0], -0.055708602, 1e-8);
    sim.steps(1);
    assert!(sim.d.qpos[0].is_finite());
}

/// C39.8: a side site that crosses the surface
#[test]
fn side_site_crosses_surface() {
    let mut sim = tendon_model(
        "<body><geom name='g' type='sphere' size='.15' contype='0' conaffinity='0'/><site name='s1' pos='.3 0 .15'/></body>\
         <body><joint type='slide' axis='1 0 0' range='-.05 .05'/><geom size='.01' mass='.1' contype='0' conaffinity='0'/>\
         <site name='side' pos='.16 0 0'/><site name='s2' pos='.3 0 -.15'/></body>",
        "<site site='s1'/><geom geom='g' sidesite='side'/><site site='s2'/>",
    );
    let mut length_at = |q: f64| {
        sim.d.qpos[0] = q;
        sim.forward();
        sim.d.ten_length[0]
    };
    for k in -50..=50 {
        let length = length_at(f64::from(k) * 0.001);
        assert!(length.is_finite() && length > 0.0);
    }
    for (q, want) in [
        (-0.04, 0.397761312300161),
        (-0.02, 0.410539632911676),
        (-0.01, 0.300166620396073),
        (0.0, 0.3),
        (0.04, 0.302654919008431),
    ] {
        close(length_at(q), want, 1e-6);
    }
}

/// C39.15: cylinder with unequal heights
#[test]
fn inside_cylinder_unequal_heights() {
    let sim = inside(CAN, ".3 .05 .3", ".05 0 0", "axis='0 0 1'", ".3 -.15 -.1");
    close(sim.d.ten_length[0], 0.542346519424661, 1e-6);
    all_close(&wrap_points(&sim).0, &[0.148607047563419, -0.020394739872909, 0.117656368532109], 1e-6);
}

/// C39.14: a side site exactly on the surface gives an ordinary wrap
/// C39.16: the inside test of a cylinder uses the distance in space
/// C39.18: a side site at the centre is inside
/// C39.19: no side site, no inside wrap
#[test]
fn where_inside_begins() {
    let small = "type='cylinder' size='.1 1'";
    let far = inside(small, ".3 .05 .2", ".05 0 5", "axis='0 0 1'", ".3 -.05 -.2");
    let none = inside(small, ".3 .05 .2", "", "axis='0 0 1'", ".3 -.05 -.2");
    close(far.d.ten_length[0], 0.412310562561766, 1e-6);
    assert_eq!(far.d.ten_length[0], none.d.ten_length[0]);
    let centre = inside(BALL, ".3 0 .15", "0 0 0", "axis='0 1 0'", ".3 0 -.15");
    close(centre.d.ten_length[0], 0.424264068711929, 1e-6);
    let surface = inside(BALL, ".3 0 .15", ".15 0 0", "axis='0 1 0'", ".3 0 -.15");
    assert!(surface.d.ten_length[0].is_finite() && surface.d.ten_length[0] > 0.0);
    assert_ne!(surface.d.ten_length[0], centre.d.ten_length[0]);
}

/// M4.8: limits push through Jᵀ, at the lower end towards longer, at the upper towards shorter
#[test]
fn limits_act_through_the_jacobian() {
    for (range, sign) in [("1 2", 1.0), ("0 .5", -1.0)] {
        let range: Vec<f64> = range.split(' ').map(|x| x.parse().unwrap()).collect();
        let mut sim = sliding("-.3 .1 .2", ".3 -.05 -.2", "1 0 0", CYLINDER, None);
        sim.m.tendon_stiffness[0] = 0.0;
        sim.m.tendon_limited[0] = 1;
        sim.m.tendon_range[0] = [range[0], range[1]];
        sim.forward();
        assert_eq!((sim.d.ten_wrapnum[0], sim.d.nl), (4, 1));
        let force = sim.d.efc_force[0];
        assert!(force > 0.0);
        let want: Vec<f64> = sim.d.ten_J.iter().map(|j| sign * j * force).collect();
        all_close(&sim.d.qfrc_constraint, &want, 1e-12);
    }
}

/// M4.9: an actuator on a spatial tendon acts through gear · Jᵀ
/// M4.13: and its acc0 is ‖M⁻¹ gear J‖
#[test]
fn actuators_act_through_the_jacobian() {
    let mut sim = Sim::new(&format!(
        "<mujoco><worldbody><geom name='g' {SPHERE} contype='0' conaffinity='0'/>\
         <body pos='-.3 .02 0'><joint type='slide' axis='1 0 0'/>{BODY}<site name='s1'/></body>\
         <body pos='.3 0 0'><joint axis='0 0 1' pos='0 -.2 0'/>{BODY}<site name='s2'/></body></worldbody>\
         <tendon><spatial name='t'><site site='s1'/><geom geom='g'/><site site='s2'/></spatial></tendon><actuator>\
         <motor tendon='t' gear='3'/><muscle tendon='t' force='100' lengthrange='.3 .9' gear='2'/></actuator></mujoco>"
    ));
    sim.d.ctrl[0] = 0.7;
    sim.d.act[0] = 0.4;
    sim.forward();
    let j = sim.d.ten_J.clone();
    assert!(sim.d.ten_wrapnum[0] == 4 && j.iter().all(|x| x.abs() > 0.1));
    let force = &sim.d.actuator_force;
    close(force[0], 0.7, 1e-15);
    assert!(force[1] < -1.0);
    let want: Vec<f64> = j.iter().map(|j| j * (3.0 * force[0] + 2.0 * force[1])).collect();
    all_close(&sim.d.qfrc_actuator, &want, 1e-12);
    for (actuator, gear) in [(0, 3.0), (1, 2.0)] {
        let mut x: Vec<f64> = j.iter().map(|j| gear * j).collect();
        ligament::sim::inertia::solve_m_in_place(&sim.m, &sim.d, &mut x);
        close(sim.m.actuator_acc0[actuator], x.iter().map(|x| x * x).sum::<f64>().sqrt(), 1e-10);
    }
}
