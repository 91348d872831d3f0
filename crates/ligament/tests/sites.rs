//! Orientations of sites (spec item 21).

use ligament::load_model;

fn site_quat(attributes: &str) -> [f64; 4] {
    let xml = format!("<mujoco><worldbody><site {attributes}/></worldbody></mujoco>");
    load_model(&xml).unwrap_or_else(|error| panic!("{error}")).site_quat[0]
}

fn check(attributes: &str, expected: [f64; 4]) {
    for (x, y) in site_quat(attributes).iter().zip(&expected) {
        assert!((x - y).abs() < 1e-12, "{attributes}");
    }
}

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// P21.1: euler
#[test]
fn euler() {
    check("euler='90 0 0'", [HALF, HALF, 0.0, 0.0]);
}

/// P21.2: axisangle
#[test]
fn axisangle() {
    check("axisangle='0 0 1 90'", [HALF, 0.0, 0.0, HALF]);
}

/// P21.3, P21.D2: xyaxes, also when they are neither orthogonal nor of unit length
#[test]
fn xyaxes() {
    check("xyaxes='0 1 0 -1 0 0'", [HALF, 0.0, 0.0, HALF]);
    check("xyaxes='0 2 0 -3 .5 0'", [HALF, 0.0, 0.0, HALF]);
}

/// P21.4: zaxis
#[test]
fn zaxis() {
    check("zaxis='0 0 1'", [1.0, 0.0, 0.0, 0.0]);
    check("zaxis='1 0 0'", [HALF, 0.0, HALF, 0.0]);
    check("zaxis='0 0 -1'", [0.0, 1.0, 0.0, 0.0]);
}

/// P21.5: quat is normalised
#[test]
fn quat() {
    check("quat='2 0 0 0'", [1.0, 0.0, 0.0, 0.0]);
}

/// P21.D1: two orientations are an error
#[test]
fn two_orientations() {
    let xml = "<mujoco><worldbody><site zaxis='0 0 1' euler='0 0 1'/></worldbody></mujoco>";
    load_model(xml).unwrap_err();
}

/// Degenerate orientations are errors that say what is too small
#[test]
fn degenerate_orientations() {
    for (attributes, problem) in [
        ("zaxis='0 0 0'", "zaxis too small"),
        ("axisangle='0 0 0 1'", "axisangle too small"),
        ("xyaxes='1 0 0 1 0 0'", "yaxis too small"),
    ] {
        let xml = format!("<mujoco><worldbody><site {attributes}/></worldbody></mujoco>");
        let message = load_model(&xml).unwrap_err().to_string();
        assert!(message.contains(problem), "{message}");
    }
}

/// P21.6: sensors read in the frame of a turned site (numbers from MuJoCo 3.5.0)
#[test]
fn sensors_on_turned_sites() {
    let m = ligament::load_model(
        "<mujoco><worldbody><body><joint axis='0 0 1'/><geom size='.1'/><site name='s' zaxis='1 0 0'/></body></worldbody>\
         <sensor><accelerometer site='s'/><gyro site='s'/><framequat objtype='site' objname='s'/></sensor></mujoco>",
    )
    .unwrap();
    let mut d = ligament::sim::reset::make_data(&m).unwrap();
    d.qvel[0] = 2.0;
    ligament::sim::step::forward(&m, &mut d).unwrap();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let want = [-9.81, 0.0, 0.0, -2.0, 0.0, 0.0, half, 0.0, half, 0.0];
    for (got, want) in d.sensordata.iter().zip(want) {
        assert!((got - want).abs() < 1e-12, "{:?}", d.sensordata);
    }
}
