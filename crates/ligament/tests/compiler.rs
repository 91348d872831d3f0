//! The `<compiler>` element: units, limits, Euler conventions (spec item 18).

use ligament::{MjcfError, Model, load_model};
use std::f64::consts::PI;

fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|error| panic!("{error}"))
}

fn error_of(xml: &str) -> String {
    load_model(xml).expect_err("the model must be refused").to_string()
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-12, "{a:?} and {b:?} differ");
    }
}

/// A body with one joint of the given attributes.
fn with_joint(compiler: &str, joint: &str) -> String {
    format!("<mujoco>{compiler}<worldbody><body><joint {joint}/><geom size='1'/></body></worldbody></mujoco>")
}

/// P18.1: degrees are the default unit of hinge and ball ranges, of euler and of axisangle
#[test]
fn degrees_become_radians() {
    close(&load(&with_joint("", "range='-90 90'")).jnt_range[0], &[-PI / 2.0, PI / 2.0]);
    close(&load(&with_joint("", "type='ball' range='0 60'")).jnt_range[0], &[0.0, PI / 3.0]);
    let m = load(
        "<mujoco><worldbody><geom size='1' euler='90 0 0'/><geom size='1' axisangle='0 0 1 45'/>\
         </worldbody></mujoco>",
    );
    close(&m.geom_quat[0], &[(PI / 4.0).cos(), (PI / 4.0).sin(), 0.0, 0.0]);
    close(&m.geom_quat[1], &[(PI / 8.0).cos(), 0.0, 0.0, (PI / 8.0).sin()]);
}

/// P18.2: radians are taken as they are
#[test]
fn radians_stay() {
    let m = load(&with_joint("<compiler angle='radian'/>", "range='-1.57 1.57'"));
    assert_eq!(m.jnt_range[0], [-1.57, 1.57]);
}

/// P18.3: ranges of slides and free joints are never converted
#[test]
fn slide_ranges_have_no_angle() {
    for compiler in ["", "<compiler angle='radian'/>"] {
        let m = load(&with_joint(compiler, "type='slide' range='-90 90'"));
        assert_eq!(m.jnt_range[0], [-90.0, 90.0]);
        let m = load(&with_joint(compiler, "type='free'"));
        assert_eq!((m.jnt_range[0], m.jnt_limited[0]), ([0.0; 2], 0));
    }
}

/// P18.4: every Euler sequence is the product its letters say
#[test]
fn euler_sequences_multiply_in_order() {
    let turn = |letter: char, degrees: f64| {
        let half = degrees.to_radians() / 2.0;
        let mut q = [half.cos(), 0.0, 0.0, 0.0];
        q["xyz".find(letter.to_ascii_lowercase()).unwrap() + 1] = half.sin();
        q
    };
    let mul = |a: [f64; 4], b: [f64; 4]| {
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    };
    let letters = ['x', 'y', 'z', 'X', 'Y', 'Z'];
    for n in 0..216 {
        let sequence = [letters[n / 36], letters[n / 6 % 6], letters[n % 6]];
        let mut expected = [1.0, 0.0, 0.0, 0.0];
        for (letter, degrees) in sequence.iter().zip([10.0, 20.0, 30.0]) {
            let q = turn(*letter, degrees);
            expected = if letter.is_lowercase() { mul(expected, q) } else { mul(q, expected) };
        }
        let name: String = sequence.iter().collect();
        let m = load(&format!(
            "<mujoco><compiler eulerseq='{name}'/><worldbody><geom size='1' euler='10 20 30'/></worldbody></mujoco>"
        ));
        close(&m.geom_quat[0], &expected);
    }
}

/// P18.5: the default sequence is xyz about moving axes (number from MuJoCo 3.5.0)
#[test]
fn default_euler_sequence_is_moving_xyz() {
    let m = load("<mujoco><worldbody><geom size='1' euler='10 20 30'/></worldbody></mujoco>");
    close(
        &m.geom_quat[0],
        &[0.943714364147489, 0.12767944069578063, 0.14487812541736914, 0.2685358227515692],
    );
}

/// P18.8: a range limits a joint unless told otherwise
#[test]
fn ranges_limit_automatically() {
    assert_eq!(load(&with_joint("", "range='-1 1'")).jnt_limited[0], 1);
    assert_eq!(load(&with_joint("", "")).jnt_limited[0], 0);
    assert_eq!(load(&with_joint("", "limited='false' range='-1 1'")).jnt_limited[0], 0);
}

/// P18.14: global coordinates are gone
#[test]
fn global_coordinates_are_unsupported() {
    let error = load_model("<mujoco><compiler coordinate='global'/></mujoco>").unwrap_err();
    assert!(matches!(error, MjcfError::Unsupported(_)), "{error:?}");
    load("<mujoco><compiler coordinate='local'/></mujoco>");
}

/// P18.D3: without autolimits a range needs an explicit decision, for joints, tendons and actuators
#[test]
fn autolimits_off_demands_a_decision() {
    let off = "<compiler autolimits='false'/>";
    let message = error_of(&with_joint(off, "range='-1 1'"));
    assert!(message.contains("joint has `range` but not `limited`"), "{message}");
    load(&with_joint(off, "range='-1 1' limited='true'"));
    let around = |section: &str| {
        format!(
            "<mujoco>{off}<worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>{section}</mujoco>"
        )
    };
    let tendon = "<tendon><fixed range='0 1'><joint joint='j' coef='1'/></fixed></tendon>";
    assert!(error_of(&around(tendon)).contains("tendon has `range` but not `limited`"));
    for attribute in ["ctrl", "force", "act"] {
        let motor =
            format!("<actuator><general joint='j' dyntype='integrator' {attribute}range='0 1'/></actuator>");
        let message = error_of(&around(&motor));
        assert!(message.contains(&format!("`{attribute}range` but not `{attribute}limited`")), "{message}");
    }
}

/// P18.D4: a reversed range is no limit, unless a limit is demanded
#[test]
fn reversed_ranges_do_not_limit() {
    assert_eq!(load(&with_joint("", "range='1 -1'")).jnt_limited[0], 0);
    let message = error_of(&with_joint("", "limited='true' range='1 -1'"));
    assert!(message.contains("range[0] should be smaller than range[1] in joint"), "{message}");
    let message = error_of(&with_joint("", "type='ball' limited='true' range='1 2'"));
    assert!(message.contains("range[0] should be 0 in ball joint"), "{message}");
}

/// P18.D5: an unused hinge range keeps its unit
#[test]
fn unused_ranges_stay_in_degrees() {
    assert_eq!(load(&with_joint("", "limited='false' range='-90 90'")).jnt_range[0], [-90.0, 90.0]);
}

/// P18.D10: a bad Euler sequence is an error at once
#[test]
fn bad_euler_sequences_are_refused() {
    for sequence in ["xy", "xyzx", "abc"] {
        let xml = format!(
            "<mujoco><compiler eulerseq='{sequence}'/><worldbody><geom size='1' euler='1 2 3'/></worldbody></mujoco>"
        );
        let error = load_model(&xml).unwrap_err();
        assert!(matches!(error, MjcfError::InvalidAttribute(_)), "{sequence}: {error:?}");
    }
}

/// P18.D11: settings merge attribute by attribute, wherever they stand
#[test]
fn compiler_elements_merge() {
    let m = load(
        "<mujoco><compiler angle='radian'/><worldbody><body><joint range='-1 1' limited='true'/>\
         <geom size='1'/></body></worldbody><compiler autolimits='false'/></mujoco>",
    );
    assert_eq!(m.jnt_range[0], [-1.0, 1.0]);
    let message = error_of(
        "<mujoco><compiler angle='radian'/><worldbody><body><joint range='-1 1'/>\
         <geom size='1'/></body></worldbody><compiler autolimits='false'/></mujoco>",
    );
    assert!(message.contains("autolimits"), "{message}");
}

/// P18.D13: at most one orientation
#[test]
fn two_orientations_are_an_error() {
    for element in ["geom size='1'", "site", "camera"] {
        let xml =
            format!("<mujoco><worldbody><{element} quat='1 0 0 0' euler='1 2 3'/></worldbody></mujoco>");
        load_model(&xml).expect_err(element);
    }
}

/// Reference angles of hinges follow the unit; slides keep theirs
#[test]
fn reference_angles_are_converted() {
    let m = load(
        "<mujoco><worldbody><body><joint ref='90' springref='45'/><joint type='slide' ref='2' springref='3'/>\
         <geom size='1'/></body></worldbody></mujoco>",
    );
    close(&m.qpos0, &[PI / 2.0, 2.0]);
    close(&m.qpos_spring, &[PI / 4.0, 3.0]);
}

/// Errors say where they are in the text and what to do
#[test]
fn errors_name_element_and_place() {
    let message = error_of(
        "<mujoco>\n<worldbody>\n<body name='b'>\n<joint axis='0 0 0' name='j'/>\n</body></worldbody></mujoco>",
    );
    assert!(message.contains("axis too small in joint") && message.contains("joint 'j'"), "{message}");
    assert!(message.contains(":4:"), "{message}");
}

/// Two hinges around one axis leave the inertia singular, which the integrator `implicit` cannot factor: refused when compiled,
/// as by MuJoCo, whose compiler makes a step. What makes it regular, or another integrator, loads.
#[test]
fn singular_inertias_cannot_be_integrated_implicitly() {
    let text = |integrator: &str, joint: &str| {
        let joint = format!("<joint axis='0 1 0' {joint}/>").repeat(2);
        format!(
            "<mujoco><option integrator='{integrator}'/><worldbody><body>{joint}<geom size='.1' pos='.2 0 0'/></body>\
             </worldbody></mujoco>"
        )
    };
    let message = error_of(&text("implicit", ""));
    assert!(message.contains("mju_factorLUSparse: diagonal element too small"), "{message}");
    for (integrator, joint) in
        [("implicit", "damping='1'"), ("implicit", "armature='1'"), ("implicitfast", ""), ("Euler", "")]
    {
        load(&text(integrator, joint));
    }
}
