//! Where masses and inertias come from, and how they are repaired (spec item 18).

use ligament::{Model, load_model};

fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|error| panic!("{error}"))
}

fn error_of(xml: &str) -> String {
    load_model(xml).expect_err("the model must be refused").to_string()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{a:?} and {b:?} differ");
    }
}

fn with_body(compiler: &str, content: &str) -> String {
    format!("<mujoco><compiler {compiler}/><worldbody><body>{content}</body></worldbody></mujoco>")
}

const INERTIAL: &str = "<inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>";
const BALL: &str = "<geom size='.1'/>";

/// P18.9: without inertia from geoms a static body has no mass and a moving one is an error
#[test]
fn inertia_never_from_geoms() {
    assert_eq!(load(&with_body("inertiafromgeom='false'", BALL)).body_mass[1], 0.0);
    let message = error_of(&with_body("inertiafromgeom='false'", &format!("<joint/>{BALL}")));
    assert!(message.contains("mass and inertia of moving bodies must be larger than mjMINVAL"), "{message}");
}

/// P18.10: inertial wins where it is given, geoms serve elsewhere
#[test]
fn inertia_is_automatic() {
    assert_eq!(load(&with_body("", &format!("{INERTIAL}{BALL}"))).body_mass[1], 2.0);
    let m = load(&with_body("", BALL));
    close(&[m.body_mass[1]], &[4.188790204786391]);
    close(&m.body_inertia[1], &[0.01675516081914557; 3]);
}

/// P18.11: masses and inertias are scaled to a total
#[test]
fn total_mass_is_set() {
    let xml = "<mujoco><compiler settotalmass='10'/><worldbody><body><geom size='.1'/></body>\
               <body><geom size='.2'/></body></worldbody></mujoco>";
    let m = load(xml);
    close(&[m.body_mass.iter().sum()], &[10.0]);
    close(&m.body_mass[1..], &[10.0 / 9.0, 80.0 / 9.0]);
    close(&m.body_inertia[1], &[10.0 / 9.0 * 0.4 * 0.01; 3]);
}

/// P18.12, P18.D2: inertias that no body can have are averaged, or refused
#[test]
fn impossible_inertias_are_balanced() {
    let body = "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 10'/>";
    close(&load(&with_body("balanceinertia='true'", body)).body_inertia[1], &[4.0; 3]);
    for joint in ["<joint/>", ""] {
        let body = format!("{joint}<inertial pos='0 0 0' mass='1' diaginertia='1 1 10'/>");
        let message = error_of(&with_body("", &body));
        assert!(message.contains("inertia must satisfy A + B >= C"), "{message}");
    }
}

/// P18.13: masses have a lower bound
#[test]
fn masses_are_bounded() {
    let body = "<inertial pos='0 0 0' mass='0.001' diaginertia='1 1 1'/>";
    assert_eq!(load(&with_body("boundmass='0.01'", body)).body_mass[1], 0.01);
}

/// P18.D1: bounds come before balance
#[test]
fn bounds_come_before_balance() {
    let body = "<inertial pos='0 0 0' mass='1' diaginertia='.1 .1 10'/>";
    let with_bound = |bound: &str| {
        load(&with_body(&format!("boundinertia='{bound}' balanceinertia='true'"), body)).body_inertia[1]
    };
    close(&with_bound("6"), &[6.0, 6.0, 10.0]);
    close(&with_bound(".5"), &[11.0 / 3.0; 3]);
}

/// P18.D6: inertia from geoms wins when it is demanded and there is any
#[test]
fn inertia_from_geoms_can_be_demanded() {
    let compiler = "inertiafromgeom='true'";
    close(&[load(&with_body(compiler, &format!("{INERTIAL}{BALL}"))).body_mass[1]], &[4.188790204786391]);
    assert_eq!(load(&with_body(compiler, INERTIAL)).body_mass[1], 2.0);
    let massless = format!("{INERTIAL}<geom size='.1' mass='0'/>");
    assert_eq!(load(&with_body(compiler, &massless)).body_mass[1], 2.0);
}

/// P18.D14: the group range selects geoms
#[test]
fn inertia_groups_select() {
    let body = "<geom size='.1' group='0'/><geom size='.1' group='1' pos='1 0 0'/>";
    close(&[load(&with_body("inertiagrouprange='1 1'", body)).body_mass[1]], &[4.188790204786391]);
    close(&[load(&with_body("", body)).body_mass[1]], &[2.0 * 4.188790204786391]);
}

/// P18.D14: a free body is moved into its inertial frame (numbers from MuJoCo 3.5.0)
#[test]
fn free_bodies_are_aligned() {
    let xml = "<mujoco><compiler alignfree='true'/><worldbody><body pos='1 2 3' euler='0 0 90'><freejoint/>\
               <geom name='g' type='box' size='.1 .2 .3' pos='.5 0 0' euler='0 90 0'/><site name='s' pos='.5 0 0'/>\
               </body></worldbody></mujoco>";
    let m = load(xml);
    let half = 0.5;
    close(&m.body_pos[1], &[1.0, 2.5, 3.0]);
    close(&m.body_quat[1], &[half, -half, half, half]);
    close(&m.qpos0, &[1.0, 2.5, 3.0, half, -half, half, half]);
    close(&m.body_ipos[1], &[0.0; 3]);
    close(&m.geom_pos[0], &[0.0; 3]);
    close(&m.site_pos[0], &[0.0; 3]);
    assert_eq!(m.body_simple[1], 1);
}

/// Full inertia is turned into principal axes in decreasing order (numbers from MuJoCo 3.5.0)
#[test]
fn full_inertia_is_diagonalised() {
    let body = "<joint/><inertial pos='0 0 0' mass='1' fullinertia='2 3 4 .1 -.2 .3'/>";
    let m = load(&with_body("", body));
    close(&m.body_inertia[1], &[4.096368079564717, 2.940162942990835, 1.9634689774444483]);
}

/// Composite inertia: two balls on the x axis
#[test]
fn geoms_add_up() {
    let body = "<geom size='.1' pos='-1 0 0'/><geom size='.1' pos='1 0 0'/>";
    let m = load(&with_body("", body));
    let (mass, own) = (4.188790204786391, 0.01675516081914557);
    close(&m.body_ipos[1], &[0.0; 3]);
    close(&m.body_inertia[1], &[2.0 * (own + mass), 2.0 * (own + mass), 2.0 * own]);
}

/// Shells of all primitive shapes (masses and moments from MuJoCo 3.5.0)
#[test]
fn shells_have_surface_inertia() {
    let cases: [(&str, f64, [f64; 3]); 5] = [
        (
            "type='sphere' size='.3'",
            11.309733552923255,
            [0.6785840131753953, 0.6785840131753953, 0.6785840131753953],
        ),
        (
            "type='capsule' size='.2 .3'",
            12.566370614359172,
            [1.2650146418454904, 1.2650146418454904, 0.4356341812977847],
        ),
        (
            "type='cylinder' size='.2 .3'",
            10.053096491487338,
            [0.6283185307179586, 0.6283185307179586, 0.3518583772020569],
        ),
        (
            "type='ellipsoid' size='.1 .2 .3'",
            4.897193333371731,
            [0.18075174882596912, 0.1406836657633903, 0.081026809368268],
        ),
        ("type='box' size='.1 .2 .3'", 8.8, [0.5413333333333333, 0.4213333333333334, 0.2426666666666667]),
    ];
    for (shape, mass, inertia) in cases {
        let m = load(&with_body("", &format!("<geom shellinertia='true' density='10' {shape}/>")));
        close(&[m.body_mass[1]], &[mass]);
        // the ellipsoid is a difference of large numbers
        for (x, y) in m.body_inertia[1].iter().zip(&inertia) {
            assert!((x - y).abs() < 1e-9 * y, "{shape}");
        }
    }
}

/// P18.D14: settings of the length range change the range of a muscle (numbers from MuJoCo 3.5.0)
#[test]
fn length_ranges_by_setting() {
    let ranges = |setting: &str| {
        load(&format!(
            "<mujoco><compiler>{setting}</compiler><worldbody><body><joint name='j' axis='0 1 0' range='-60 60'/>\
             <geom type='capsule' fromto='0 0 0 0 0 -.4' size='.05'/></body></worldbody>\
             <actuator><muscle joint='j'/><motor joint='j'/></actuator></mujoco>"
        ))
        .actuator_lengthrange
    };
    let cases = [
        ("", 1.0477674895498639, 0.0),
        ("<lengthrange uselimit='true'/>", 1.0471975511965976, 0.0),
        ("<lengthrange accel='10'/>", 1.0475698855047497, 0.0),
        ("<lengthrange mode='all'/>", 1.0477674895498639, 1.0477674895498639),
        ("<lengthrange mode='none'/>", 0.0, 0.0),
        ("<lengthrange inttotal='5' timeconst='.5' timestep='.02'/>", 1.048797551196598, 0.0),
    ];
    for (setting, muscle, motor) in cases {
        close(ranges(setting).as_flattened(), &[-muscle, muscle, -motor, motor]);
    }
}
