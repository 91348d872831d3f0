//! `<equality>` as data (spec items 37, 42).

use ligament::{Model, load_model};

fn with_equality(equality: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='s0'/>\
         <body name='b1' pos='0 0 1'><joint name='j1'/><geom size='.1'/><site name='s1' pos='.1 0 0'/></body>\
         <body name='b2' pos='1 0 0'><joint name='j2' type='slide'/><geom size='.1'/><site name='s2'/></body>\
         <body name='b3'><joint name='ball' type='ball'/><geom size='.1'/></body></worldbody>\
         <tendon><fixed name='t1'><joint joint='j1' coef='1'/></fixed>\
         <fixed name='t2'><joint joint='j2' coef='1'/></fixed></tendon>\
         <equality>{equality}</equality></mujoco>"
    )
}

fn load(equality: &str) -> Model {
    load_model(&with_equality(equality)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(equality: &str, phrase: &str) {
    let error = load_model(&with_equality(equality)).err().unwrap_or_else(|| panic!("accepted: {equality}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// A37.1: a tendon equality with both tendons, default coefficients
#[test]
fn tendon_equality() {
    let m = load("<tendon tendon1='t1' tendon2='t2'/><tendon tendon1='t2' polycoef='.1 2'/>");
    assert_eq!(m.eq_type, [3, 3]);
    assert_eq!((&m.eq_obj1id[..], &m.eq_obj2id[..]), (&[0, 1][..], &[1, -1][..]));
    assert_eq!(m.eq_data[0][..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(m.eq_data[1][..5], [0.1, 2.0, 0.0, 0.0, 0.0]);
}

/// A37.D2: ids in document order with mixed kinds
#[test]
fn document_order() {
    let m = load(
        "<tendon tendon1='t1'/><joint joint1='j1' joint2='j2'/><weld body1='b1' body2='b2'/>\
         <tendon tendon1='t2' active='false'/><connect body1='b1' anchor='0 0 0'/>",
    );
    assert_eq!(m.eq_type, [3, 2, 1, 3, 0]);
    assert_eq!(m.eq_active0, [1, 1, 1, 0, 1]);
    assert_eq!(m.eq_obj1id, [0, 0, 1, 1, 1]);
    assert_eq!(m.eq_obj2id, [-1, 1, 2, -1, 0]);
    assert_eq!(m.eq_objtype, [0, 0, 1, 0, 1]);
}

/// A37.D2: connect and weld between bodies and between sites; anchors follow the reference pose
#[test]
fn body_and_site_forms() {
    let m = load(
        "<connect body1='b1' body2='b2' anchor='.1 0 0'/><connect site1='s1' site2='s2'/>\
         <weld site1='s0' site2='s2' torquescale='.5'/><weld body1='b1'/>",
    );
    assert_eq!(m.eq_objtype, [1, 6, 6, 1]);
    assert_eq!(m.eq_obj1id, [1, 1, 0, 1]);
    assert_eq!(m.eq_obj2id, [2, 2, 2, 0]);
    assert_eq!(m.eq_data[0][..6], [0.1, 0.0, 0.0, -0.9, 0.0, 1.0]);
    assert_eq!(m.eq_data[2][10], 0.5);
    assert_eq!(m.eq_data[3][..10], [0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0]);
}

/// A37.1: names that do not exist or are the same twice, and joints that are not scalar
#[test]
fn refused() {
    refuse("<tendon tendon1='nope'/>", "unknown element 'nope' in equality constraint");
    refuse("<tendon tendon1='t1' tendon2='nope'/>", "unknown element 'nope' in equality constraint");
    refuse("<tendon tendon1='t1' tendon2='t1'/>", "element 't1' is repeated in equality constraint");
    refuse("<joint joint1='ball'/>", "only HINGE and SLIDE joint allowed in constraint");
    refuse("<joint joint1='j1' joint2='ball'/>", "only HINGE and SLIDE joint allowed in constraint");
    refuse("<weld body1='world'/>", "is repeated in equality constraint");
    refuse("<connect body1='nope' anchor='0 0 0'/>", "unknown element 'nope' in equality constraint");
    refuse("<flex flex='nope'/>", "unknown element 'nope' in equality constraint");
}
