//! `<contact>` as data: explicit pairs and excludes (spec item 3).

use ligament::{Model, load_model};

fn with_contact(contact: &str) -> String {
    format!(
        "<mujoco><default><default class='four'><pair condim='4' gap='.1'/></default></default><worldbody>\
         <geom name='g0' size='.1' condim='6' friction='.3' solref='.1 .7' margin='.01'/>\
         <body name='b1'><freejoint/><geom name='g1' size='.1'/>\
         <body name='b2'><joint/><geom name='g2' size='.1' condim='6'/></body></body></worldbody>\
         <contact>{contact}</contact></mujoco>"
    )
}

fn load(contact: &str) -> Model {
    load_model(&with_contact(contact)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(contact: &str, phrases: &[&str]) {
    let error = load_model(&with_contact(contact)).err().unwrap_or_else(|| panic!("accepted: {contact}"));
    for phrase in phrases {
        assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
    }
}

/// M3.10, M3.11: a bare pair has built-in values, not those of its geoms
#[test]
fn built_in_values() {
    let m = load("<pair geom1='g2' geom2='g0'/>");
    assert_eq!((m.pair_geom1[0], m.pair_geom2[0], m.pair_signature[0], m.pair_dim[0]), (0, 2, 2, 3));
    assert_eq!(m.pair_friction[0], [1.0, 1.0, 0.005, 0.0001, 0.0001]);
    assert_eq!(m.pair_solref[0], [0.02, 1.0]);
    assert_eq!(m.pair_solimp[0], [0.9, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!(m.pair_solreffriction[0], [0.0, 0.0]);
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.0, 0.0));
}

/// M3.6, M3.7, M3.8, M3.9: what a pair says is stored
#[test]
fn explicit_values() {
    let m = load(
        "<pair geom1='g0' geom2='g1' condim='1' friction='.5 .4 .3 .2 .1' solref='.05 .8' \
         solimp='.85 .9 .002 .4 1.5' margin='.1' gap='.05' solreffriction='.1 1'/>",
    );
    assert_eq!(m.pair_dim, [1]);
    assert_eq!(m.pair_friction[0], [0.5, 0.4, 0.3, 0.2, 0.1]);
    assert_eq!(m.pair_solref[0], [0.05, 0.8]);
    assert_eq!(m.pair_solimp[0], [0.85, 0.9, 0.002, 0.4, 1.5]);
    assert_eq!((m.pair_margin[0], m.pair_gap[0]), (0.1, 0.05));
    assert_eq!(m.pair_solreffriction[0], [0.1, 1.0]);
}

/// M3.13: unknown names are errors that say the name and the attribute
#[test]
fn unknown_names() {
    refuse("<pair geom1='nonexistent' geom2='g0'/>", &["nonexistent", "geom1", "not found in collision"]);
    refuse("<pair geom1='g0' geom2='nonexistent'/>", &["nonexistent", "geom2"]);
    refuse("<exclude body1='nonexistent' body2='b1'/>", &["nonexistent", "body1", "not found in bodypair"]);
    refuse("<exclude body1='b1' body2='nonexistent'/>", &["nonexistent", "body2"]);
    refuse("<pair geom1='g0' geom2='g1' condim='2'/>", &["invalid condim in contact pair"]);
}

/// M3.14: a pair inherits from its class
#[test]
fn classes() {
    let m =
        load("<pair class='four' geom1='g0' geom2='g1'/><pair class='four' geom1='g0' geom2='g2' gap='.2'/>");
    assert_eq!(m.pair_dim, [4, 4]);
    assert_eq!(m.pair_gap, [0.1, 0.2]);
}

/// M3.15: a body may be excluded from itself
#[test]
fn exclude_with_itself() {
    assert_eq!(load("<exclude body1='b1' body2='b1'/>").exclude_signature, [65537]);
}

/// M3.16: doubled pairs stay two; pairs and excludes are sorted by their bodies, equal ones in document order
#[test]
fn sorted_by_signature() {
    let m = load(
        "<pair name='late' geom1='g1' geom2='g2'/><pair name='a' geom1='g1' geom2='g0' condim='1'/>\
         <pair name='b' geom1='g0' geom2='g1' condim='4'/>\
         <exclude name='x' body1='b2' body2='b1'/><exclude name='y' body1='b1' body2='world'/>",
    );
    assert_eq!(m.pair_signature, [1, 1, 65538]);
    assert_eq!(m.pair_dim, [1, 4, 3]);
    assert_eq!(m.exclude_signature, [1, 65538]);
    let names: Vec<_> = (0..3).map(|i| m.name(ligament::enums::ObjType::Pair, i)).collect();
    assert_eq!(names, [Some("a"), Some("b"), Some("late")]);
    assert_eq!(m.name(ligament::enums::ObjType::Exclude, 0), Some("y"));
}

/// M3.17: a missing name of a geom or a body is an error that names the attribute
#[test]
fn names_are_required() {
    for (element, attribute) in [
        ("<pair geom2='g1'/>", "geom1"),
        ("<pair geom1='g1'/>", "geom2"),
        ("<exclude body2='b1'/>", "body1"),
        ("<exclude body1='b1'/>", "body2"),
    ] {
        refuse(element, &[attribute]);
    }
}

/// An empty contact section is legal.
#[test]
fn empty_section() {
    let m = load("");
    assert_eq!((m.npair, m.nexclude), (0, 0));
}
