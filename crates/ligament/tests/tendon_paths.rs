//! Tendons as they are loaded: paths, limits, spring lengths (spec items 4, 18, 22).

use ligament::{Model, load_model};

/// A model with three bodies on hinges, sites, a sphere, a cylinder and a box to wrap around.
fn with_tendon(tendon: &str) -> String {
    format!(
        "<mujoco><asset><material name='mat'/></asset><worldbody>\
         <site name='s1' pos='0 0 1'/><site name='s2'/><site name='side' pos='0 .3 0'/>\
         <geom name='ball' size='.1'/><geom name='can' type='cylinder' size='.1 .2'/>\
         <geom name='brick' type='box' size='.1 .1 .1'/>\
         <body><joint name='j1'/><geom size='.1'/><site name='s3' pos='.3 0 0'/>\
         <body pos='.5 0 0'><joint name='j2'/><geom size='.1'/><site name='s4' pos='.2 0 0'/></body></body>\
         </worldbody><tendon>{tendon}</tendon></mujoco>"
    )
}

fn load(tendon: &str) -> Model {
    load_model(&with_tendon(tendon)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(tendon: &str, phrase: &str) {
    let error = load_model(&with_tendon(tendon)).err().unwrap_or_else(|| panic!("accepted: {tendon}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// M4.17: what a spatial path may not be
#[test]
fn invalid_paths() {
    refuse("<spatial/>", "path cannot be empty");
    refuse("<fixed/>", "path cannot be empty");
    refuse("<spatial><site site='s1'/></spatial>", "spatial path must contain at least two objects");
    refuse("<spatial width='0'><site site='s1'/><site site='s2'/></spatial>", "must have positive width");
    refuse("<spatial><site site='s1'/><geom geom='ball'/></spatial>", "geom at pos 1 not bracketed by sites");
    refuse("<spatial><geom geom='ball'/><site site='s1'/></spatial>", "geom at pos 0 not bracketed by sites");
    refuse(
        "<spatial><site site='s1'/><geom geom='ball'/><geom geom='can'/><site site='s2'/></spatial>",
        "geom at pos 1 not bracketed by sites",
    );
    refuse(
        "<spatial><site site='s1'/><geom geom='brick'/><site site='s2'/></spatial>",
        "is not sphere or cylinder",
    );
    refuse(
        "<spatial><site site='s1'/><site site='s2'/><pulley divisor='2'/></spatial>",
        "path ends with pulley",
    );
    refuse(
        "<spatial><site site='s1'/><site site='s2'/><pulley divisor='2'/><pulley divisor='2'/>\
         <site site='s3'/><site site='s4'/></spatial>",
        "consecutive pulleys",
    );
    refuse(
        "<spatial><site site='s1'/><pulley divisor='2'/><site site='s3'/><site site='s4'/></spatial>",
        "site 0 needs a neighbor that is not a pulley",
    );
    refuse("<spatial><site site='s1'/><site site='s1'/></spatial>", "site 0 is repeated");
    refuse(
        "<spatial><site site='s1'/><site site='s2'/><pulley divisor='-1'/><site site='s3'/><site site='s4'/>\
         </spatial>",
        "pulley has negative divisor",
    );
}

/// M4.17: a zero divisor is refused, though the reference makes an infinite length of it
#[test]
fn zero_divisor() {
    refuse(
        "<spatial><site site='s1'/><site site='s2'/><pulley divisor='0'/><site site='s3'/><site site='s4'/>\
         </spatial>",
        "pulley has zero divisor",
    );
}

/// M4.17, F4.17: unknown names, with the name in the message
#[test]
fn unknown_names() {
    refuse("<spatial><site site='nope'/><site site='s2'/></spatial>", "site 'nope' not found");
    refuse(
        "<spatial><site site='s1'/><geom geom='nope'/><site site='s2'/></spatial>",
        "geom 'nope' not found in tendon 0, wrap 1",
    );
    refuse(
        "<spatial><site site='s1'/><geom geom='ball' sidesite='nope'/><site site='s2'/></spatial>",
        "side site 'nope' not found in tendon 0, wrap 1",
    );
    refuse("<fixed><joint joint='nope' coef='1'/></fixed>", "joint 'nope' not found in tendon 0, wrap 0");
    refuse(
        "<spatial material='nope'><site site='s1'/><site site='s2'/></spatial>",
        "material 'nope' not found in tendon 0",
    );
}

/// F4.17: a mistyped name is answered with the nearest one
#[test]
fn did_you_mean() {
    refuse("<fixed><joint joint='j11' coef='1'/></fixed>", "did you mean 'j1'?");
}

/// M4.17, P22.2: limits and rest lengths that make no sense
#[test]
fn invalid_numbers() {
    let path = "<site site='s1'/><site site='s2'/>";
    refuse(&format!("<spatial limited='true' range='1 0'>{path}</spatial>"), "invalid limits in tendon");
    refuse(&format!("<spatial springlength='1 .5'>{path}</spatial>"), "invalid springlength in tendon");
    refuse(
        &format!("<spatial actuatorfrclimited='true' actuatorfrcrange='1 2'>{path}</spatial>"),
        "invalid actuatorfrcrange in tendon",
    );
    refuse(&format!("<spatial armature='-1'>{path}</spatial>"), "tendon armature cannot be negative");
    refuse(
        "<spatial armature='1'><site site='s1'/><geom geom='ball'/><site site='s2'/></spatial>",
        "geom wrapping not supported by tendon armature",
    );
}

/// M4.17: a path may start with a pulley
#[test]
fn path_may_start_with_a_pulley() {
    let m = load("<spatial><pulley divisor='2'/><site site='s1'/><site site='s2'/></spatial>");
    assert_eq!(m.wrap_type, [2, 3, 3]);
    assert_eq!(m.wrap_objid, [-1, 0, 1]);
    assert_eq!(m.wrap_prm, [2.0, 0.0, 0.0]);
}

/// M4.17, F4.16: types, objects and parameters of paths, in document order over both kinds
#[test]
fn wraps_are_stored_in_order() {
    let m = load(
        "<spatial name='a'><site site='s1'/><geom geom='ball' sidesite='side'/><site site='s2'/>\
         <geom geom='can'/><site site='s3'/><pulley divisor='3'/><site site='s3'/><site site='s4'/></spatial>\
         <fixed name='b'><joint joint='j1' coef='2'/><joint joint='j2' coef='-1'/></fixed>",
    );
    assert_eq!((m.ntendon, m.nwrap), (2, 10));
    assert_eq!(m.tendon_adr, [0, 8]);
    assert_eq!(m.tendon_num, [8, 2]);
    assert_eq!(m.wrap_type, [3, 4, 3, 5, 3, 2, 3, 3, 1, 1]);
    assert_eq!(m.wrap_objid, [0, 0, 1, 1, 3, -1, 3, 4, 0, 1]);
    assert_eq!(m.wrap_prm, [0.0, 2.0, 0.0, -1.0, 0.0, 3.0, 0.0, 0.0, 2.0, -1.0]);
}

/// P22.1, P22.2, P22.3: one value is both ends, two are an interval, none is the length in the spring pose
#[test]
fn springlength() {
    let path = "<site site='s1'/><site site='s2'/>";
    let rest =
        |attribute: &str| load(&format!("<spatial {attribute}>{path}</spatial>")).tendon_lengthspring[0];
    assert_eq!(rest("springlength='0.5'"), [0.5, 0.5]);
    assert_eq!(rest("springlength='0.3 0.7'"), [0.3, 0.7]);
    assert_eq!(rest(""), [1.0, 1.0]);
    assert_eq!(rest("springlength='-1 0.5'"), [-1.0, 0.5]);
}

/// M4.12: length in the reference pose, and the rest length that follows from it
#[test]
fn length_in_the_reference_pose() {
    let m = load("<spatial><site site='s1'/><site site='s2'/><site site='s4'/></spatial>");
    assert!((m.tendon_length0[0] - 1.7).abs() < 1e-12, "{:?}", m.tendon_length0);
    assert!((m.tendon_lengthspring[0][0] - 1.7).abs() < 1e-12);
}

/// P18.D3: ranges need a decision when limits are not automatic
#[test]
fn autolimits_off() {
    let xml = with_tendon("<spatial range='0 1'><site site='s1'/><site site='s2'/></spatial>")
        .replace("<mujoco>", "<mujoco><compiler autolimits='false'/>");
    let error = load_model(&xml).expect_err("refused").to_string();
    assert!(error.contains("tendon has `range` but not `limited`"), "{error}");
    let m = load("<spatial range='0 1'><site site='s1'/><site site='s2'/></spatial>");
    assert_eq!(m.tendon_limited, [1]);
    let m = load("<spatial limited='false' range='0 1'><site site='s1'/><site site='s2'/></spatial>");
    assert_eq!(m.tendon_limited, [0]);
}
