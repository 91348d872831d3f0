use crate::assets::NoAssets;
use crate::read::read_str;
use crate::spec::{BodyId, Spec};
use ligament_model::enums::{GeomType, JointType, Limited};

fn robot(content: &str) -> crate::Result<Spec> {
    read_str(&format!("<robot name=\"r\">{content}</robot>"), "r.urdf", "", &NoAssets)
}

const TWO_LINKS: &str = r#"<link name="base"/><link name="arm"/>"#;

fn joint(kind: &str, content: &str) -> crate::Result<Spec> {
    let ends = r#"<parent link="base"/><child link="arm"/>"#;
    robot(&format!(r#"{TWO_LINKS}<joint name="j" type="{kind}">{ends}{content}</joint>"#))
}

/// P18.22: rpy turns about fixed axes; the compiler settings of URDF.
#[test]
fn origin_turns_about_fixed_axes() {
    let spec = joint("fixed", r#"<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>"#).unwrap();
    let compiler = spec.compiler();
    assert!(!compiler.degree && compiler.fusestatic && compiler.discardvisual && compiler.strippath);
    let arm = &spec.bodies[2];
    assert_eq!(arm.pos, [1.0, 2.0, 3.0]);
    // body_quat of MuJoCo 3.5.0 for the same origin
    let expected = [0.98334744, 0.0342708, 0.10602051, 0.14357218];
    assert!(arm.quat.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8));
    assert_eq!(arm.parent, Some(BodyId(1)));
}

/// P18.22: settings of an embedded mujoco element win, except for the unit of angles.
#[test]
fn embedded_settings_override() {
    let settings = r#"<mujoco><compiler fusestatic="false" angle="degree" meshdir="m"/></mujoco>"#;
    let spec = robot(&format!("{settings}{TWO_LINKS}")).unwrap();
    assert!(!spec.compiler().fusestatic && !spec.compiler().degree);
    assert_eq!(spec.compiler().meshdir, "m");
}

#[test]
fn joint_types() {
    let kinds = |kind: &str| -> Vec<(String, JointType)> {
        let spec = joint(kind, r#"<axis xyz="0 0 1"/>"#).unwrap();
        spec.bodies[2].joints.iter().map(|j| (j.meta.name.clone(), j.kind)).collect()
    };
    assert_eq!(kinds("revolute"), [("j".into(), JointType::Hinge)]);
    assert_eq!(kinds("continuous"), [("j".into(), JointType::Hinge)]);
    assert_eq!(kinds("prismatic"), [("j".into(), JointType::Slide)]);
    assert_eq!(kinds("floating"), [("j".into(), JointType::Free)]);
    assert_eq!(kinds("spherical"), [("j".into(), JointType::Ball)]);
    assert!(kinds("fixed").is_empty());
    let planar = kinds("planar");
    let names: Vec<&str> = planar.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["j_TX", "j_TY", "j_RZ"]);
    assert!(joint("screw", "").is_err());
}

#[test]
fn limits_and_dynamics() {
    let limited = |limit: &str| joint("revolute", limit).unwrap().bodies[2].joints[0].clone();
    let good = limited(r#"<limit lower="-1" upper="2" effort="5"/><dynamics damping="0.5" friction="0.1"/>"#);
    assert_eq!((good.range, good.limited), ([-1.0, 2.0], Limited::Auto));
    assert_eq!((good.actfrcrange, good.damping, good.frictionloss), ([-5.0, 5.0], 0.5, 0.1));
    assert_eq!(limited(r#"<limit lower="1"/>"#).limited, Limited::False);
    assert_eq!(limited(r#"<limit lower="1" upper="0"/>"#).limited, Limited::False);
}

/// Lengths are halved; visuals are dropped unless wanted; colours come from the last visual.
#[test]
fn collision_shapes() {
    let spec = robot(
        r#"<mujoco><compiler discardvisual="false"/></mujoco>
        <material name="red"><color rgba="1 0 0 1"/></material>
        <link name="a">
          <visual><material name="red"/><geometry><sphere radius="2"/></geometry></visual>
          <collision name="c"><geometry><box size="2 4 6"/></geometry></collision>
          <collision><geometry><cylinder radius="1" length="4"/></geometry></collision>
        </link>"#,
    )
    .unwrap();
    let geoms = &spec.bodies[1].geoms;
    assert_eq!((geoms[0].group, geoms[0].contype, geoms[0].density), (1, 0, 0.0));
    assert_eq!((geoms[1].kind, geoms[1].size), (GeomType::Box, [1.0, 2.0, 3.0]));
    assert_eq!(geoms[1].rgba, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!((geoms[2].kind, geoms[2].size[1]), (GeomType::Cylinder, 2.0));
    assert_eq!(geoms[2].meta.name, "", "names are not repeated");
    assert!(!spec.warnings.is_empty());
}

/// Mesh names as MuJoCo 3.5.0 gives them, with its choice for a repeated scale.
#[test]
fn meshes_with_another_scale_get_a_number() {
    let mesh = |s: i32| {
        format!(
            r#"<collision><geometry><mesh filename="x/cube.obj" scale="{s} {s} {s}"/></geometry></collision>"#
        )
    };
    let list: String = [1, 2, 2, 1, 3, 2].iter().map(|&s| mesh(s)).collect();
    let spec = robot(&format!(r#"<link name="a">{list}</link>"#)).unwrap();
    let names: Vec<&str> = spec.bodies[1].geoms.iter().map(|g| g.meshname.as_str()).collect();
    assert_eq!(names, ["cube", "cube1", "cube", "cube", "cube2", "cube"]);
    assert_eq!(spec.meshes[0].file, "cube.obj");
}

#[test]
fn a_link_called_world_is_the_world() {
    let spec = robot(
        r#"<link name="world"/><link name="a"/>
        <joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>"#,
    )
    .unwrap();
    assert_eq!(spec.bodies.len(), 2);
    assert_eq!(spec.bodies[1].parent, Some(BodyId(0)));
}

#[test]
fn broken_trees_are_refused() {
    let message = |content: &str| robot(content).unwrap_err().to_string();
    assert!(message(r#"<link name="a"/><link name="a"/>"#).contains("repeated URDF name"));
    let missing = r#"<joint name="j" type="fixed"><parent link="x"/><child link="arm"/></joint>"#;
    assert!(message(&format!("{TWO_LINKS}{missing}")).contains("URDF joint parent or child missing"));
    let ends = r#"<parent link="base"/><child link="arm"/>"#;
    let twice = format!(
        r#"{TWO_LINKS}<joint name="a" type="fixed">{ends}</joint><joint name="b" type="fixed">{ends}</joint>"#
    );
    assert!(message(&twice).contains("URDF body has multiple parents"));
    let cycle = r#"<joint name="a" type="fixed"><parent link="base"/><child link="arm"/></joint>
        <joint name="b" type="fixed"><parent link="arm"/><child link="base"/></joint>"#;
    assert!(message(&format!("{TWO_LINKS}{cycle}")).contains("URDF body not found"));
}
