//! Default classes in the compiled model (spec items 1 and 20).

use ligament::{Model, load_model};

fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|error| panic!("{error}"))
}

fn error_of(xml: &str) -> String {
    load_model(xml).expect_err("the model must be refused").to_string()
}

fn with_joint(defaults: &str, joint: &str) -> Model {
    load(&format!(
        "<mujoco>{defaults}<worldbody><body><joint {joint}/><geom size='.1'/></body></worldbody></mujoco>"
    ))
}

/// M1.1, M1.9: a joint that says nothing takes the root class
#[test]
fn root_class_reaches_joints() {
    assert_eq!(with_joint("<default><joint damping='0.5'/></default>", "").dof_damping[0], 0.5);
}

/// M1.2: an explicit value beats the class, also when it equals the built-in one
#[test]
fn explicit_values_win() {
    let defaults = "<default><default class='heavy'><joint damping='0.5'/></default></default>";
    assert_eq!(with_joint(defaults, "class='heavy' damping='1'").dof_damping[0], 1.0);
    assert_eq!(with_joint(defaults, "class='heavy' damping='0'").dof_damping[0], 0.0);
    assert_eq!(with_joint(defaults, "class='heavy'").dof_damping[0], 0.5);
}

/// M1.3: classes inherit from the classes around them
#[test]
fn nested_classes_inherit() {
    let defaults = "<default><joint damping='0.1'/><default class='robot'><joint damping='0.5'/>\
                    <default class='arm'><joint armature='0.01'/></default></default></default>";
    let m = with_joint(defaults, "class='arm'");
    assert_eq!((m.dof_damping[0], m.dof_armature[0]), (0.5, 0.01));
}

/// M1.4: geoms take friction from the class, entry by entry
#[test]
fn geom_friction_is_layered() {
    let xml = |friction: &str| {
        format!(
            "<mujoco><default><geom friction='0.8 0.01 0.001'/></default><worldbody><geom size='1' {friction}/>\
             </worldbody></mujoco>"
        )
    };
    assert_eq!(load(&xml("")).geom_friction[0], [0.8, 0.01, 0.001]);
    assert_eq!(load(&xml("friction='0.5'")).geom_friction[0], [0.5, 0.01, 0.001]);
}

/// M1.5: one record serves all kinds of actuators
#[test]
fn actuator_gear_comes_from_the_class() {
    let xml = |defaults: &str| {
        format!(
            "<mujoco><default>{defaults}</default><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
             <actuator><general joint='j'/></actuator></mujoco>"
        )
    };
    assert_eq!(load(&xml("<motor gear='100'/>")).actuator_gear[0][0], 100.0);
    assert!(error_of(&xml("<actuator gear='100'/>")).contains("Schema violation"));
}

/// M1.6: tendons have defaults
#[test]
fn tendon_stiffness_comes_from_the_class() {
    let m = load(
        "<mujoco><default><tendon stiffness='1000'/></default><worldbody><body><joint name='j'/><geom size='1'/></body>\
         </worldbody><tendon><fixed><joint joint='j' coef='1'/></fixed></tendon></mujoco>",
    );
    assert_eq!(m.tendon_stiffness[0], 1000.0);
}

/// M1.7: sensors have no defaults
#[test]
fn sensor_defaults_are_refused() {
    assert!(
        error_of("<mujoco><default><sensor noise='0.01'/></default></mujoco>").contains("Schema violation")
    );
}

/// M1.8: density of a class decides the mass
#[test]
fn density_of_a_class_counts() {
    let m = load(
        "<mujoco><default><geom density='500'/></default><worldbody><body><geom size='.1'/></body>\
         <body><geom size='.1' density='1000'/></body></worldbody></mujoco>",
    );
    assert!((m.body_mass[1] - 2.0943951023931953).abs() < 1e-15);
    assert!((m.body_mass[2] - 4.1887902047863905).abs() < 1e-15);
}

/// M1.10: an unknown class is an error that names it
#[test]
fn unknown_classes_are_named() {
    let message = error_of("<mujoco><worldbody><geom size='1' class='nosuch'/></worldbody></mujoco>");
    assert!(message.contains("unknown default class name 'nosuch'"), "{message}");
}

/// M1.11: without classes the built-in values hold
#[test]
fn built_in_defaults_hold() {
    let m = with_joint("", "");
    assert_eq!(m.geom_friction[0], [1.0, 0.005, 0.0001]);
    assert_eq!(m.geom_solref[0], [0.02, 1.0]);
    assert_eq!(m.geom_solimp[0], [0.9, 0.95, 0.001, 0.5, 2.0]);
    assert_eq!((m.geom_condim[0], m.geom_contype[0], m.geom_conaffinity[0]), (3, 1, 1));
    assert_eq!((m.jnt_axis[0], m.dof_damping[0], m.jnt_margin[0]), ([0.0, 0.0, 1.0], 0.0, 0.0));
}

const CLASSES: &str = "<default><geom size='.1'/><default class='r'><geom size='.2'/><default class='rr'>\
                       <geom rgba='1 0 0 1'/></default></default><default class='s'><geom size='.3'/></default></default>";

fn sizes(world: &str) -> Vec<f64> {
    let m = load(&format!("<mujoco>{CLASSES}<worldbody>{world}</worldbody></mujoco>"));
    m.geom_size.iter().map(|size| size[0]).collect()
}

/// P20.1, P20.2, P20.4: childclass serves elements without a class
#[test]
fn childclass_serves_children() {
    assert_eq!(
        sizes("<body childclass='r'><geom/><geom class='s'/></body><body><geom/></body>"),
        [0.2, 0.3, 0.1]
    );
}

/// P20.3: childclass reaches down until another one replaces it
#[test]
fn childclass_reaches_down() {
    let world = "<body childclass='r'><geom/><body><geom/><body childclass='s'><geom/><body><geom/></body></body>\
                 </body></body>";
    assert_eq!(sizes(world), [0.2, 0.2, 0.3, 0.3]);
}

/// P20.D1, P20.D2, P20.D3: frames, the root class, inheritance
#[test]
fn childclass_of_frames_ends_with_them() {
    assert_eq!(sizes("<geom/><frame childclass='r'><geom/></frame><geom/>"), [0.1, 0.2, 0.1]);
    assert_eq!(sizes("<body childclass='r'><body childclass='main'><geom/></body></body>"), [0.1]);
    assert_eq!(sizes("<body childclass='rr'><geom/></body>"), [0.2]);
}
