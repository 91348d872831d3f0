use super::{error, model};
use crate::MjcfError;
use crate::assets::MemoryAssets;
use crate::read::read_str;
use ligament_model::enums::{BiasType, GainType, JointType};

/// M1.1, M1.2, M1.3: element over class over parent class over root.
#[test]
fn layers_of_classes() {
    let spec = model(
        "<default><joint damping='.1'/><default class='robot'><joint damping='.5'/>\
         <default class='arm'><joint armature='.01'/></default></default></default>\
         <worldbody><body><joint/><joint class='robot'/><joint class='arm'/><joint class='arm' damping='1'/>\
         <joint class='arm' damping='0' type='hinge'/></body></worldbody>",
    );
    let j = &spec.bodies[1].joints;
    let values: Vec<(f64, f64)> = j.iter().map(|j| (j.damping, j.armature)).collect();
    assert_eq!(values, [(0.1, 0.0), (0.5, 0.0), (0.5, 0.01), (1.0, 0.01), (0.0, 0.01)]);
}

/// M1.4 and per-position layering of arrays.
#[test]
fn shorter_lists_overwrite_only_their_beginning() {
    let spec = model(
        "<default><geom friction='.8 .01 .001' solimp='.1 .2 .3'/><general gear='1 2 3 4 5 6'/></default>\
         <worldbody><geom friction='.5' size='1'/></worldbody><actuator><general gear='9'/></actuator>",
    );
    let geom = &spec.bodies[0].geoms[0];
    assert_eq!(geom.friction, [0.5, 0.01, 0.001]);
    assert_eq!(geom.solimp, [0.1, 0.2, 0.3, 0.5, 2.0]);
    assert_eq!(spec.actuators[0].gear, [9.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

/// All actuator shortcuts of a class write one shared record.
#[test]
fn actuator_defaults_are_shared() {
    let spec = model(
        "<default><position kp='7'/></default>\
         <actuator><general/><motor/><position/></actuator>",
    );
    let [general, motor, position] = &spec.actuators[..] else { panic!() };
    assert_eq!((general.biastype, general.gainprm[0], general.biasprm[1]), (BiasType::Affine, 7.0, -7.0));
    assert_eq!((motor.biastype, motor.gainprm[0], motor.biasprm[1]), (BiasType::None, 1.0, -7.0));
    assert_eq!((position.gaintype, position.gainprm[0]), (GainType::Fixed, 7.0));
}

/// A class inherits at the moment it is created: after the settings of its parent in the same section, before
/// those of later sections.
#[test]
fn inheritance_moment() {
    let spec = model(
        "<default><default class='a'><geom group='1'/></default><geom size='.1'/></default>\
         <default><geom size='.2'/><default class='b'/></default>",
    );
    let size = |name: &str| spec.classes[spec.class(name).unwrap().index()].geom.size[0];
    assert_eq!((size("main"), size("a"), size("b")), (0.2, 0.1, 0.2));
}

/// P20.1 to P20.4, P20.D1 to P20.D3: childclass of bodies and frames.
#[test]
fn childclass_reaches_down_until_replaced() {
    let spec = model(
        "<default><geom size='.1'/><default class='r'><geom size='.2'/>\
         <default class='rr'><geom group='4'/></default></default>\
         <default class='s'><geom size='.3'/></default></default>\
         <worldbody><geom name='w'/><body childclass='r'><geom name='a'/><geom name='b' class='s'/>\
         <body><geom name='c'/><body childclass='s'><geom name='d'/><body><geom name='e'/></body></body></body>\
         <frame childclass='s'><geom name='f'/><body><geom name='g'/></body></frame><geom name='h'/>\
         <body childclass='main'><geom name='i'/></body><body childclass='rr'><geom name='j'/></body>\
         </body></worldbody>",
    );
    let size = |name: &str| {
        let (body, i) = spec.geom(name).unwrap();
        spec.bodies[body.index()].geoms[i].size[0]
    };
    let expected = [0.1, 0.2, 0.3, 0.2, 0.3, 0.3, 0.3, 0.3, 0.2, 0.1, 0.2];
    for (name, expected) in ["w", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].iter().zip(expected) {
        assert_eq!(size(name), expected, "{name}");
    }
    let (body, i) = spec.geom("j").unwrap();
    assert_eq!(spec.bodies[body.index()].geoms[i].group, 4);
}

/// Free joints ignore classes, joints of type free do not.
#[test]
fn freejoint_ignores_classes() {
    let spec = model(
        "<default><joint damping='3' group='2'/></default>\
         <worldbody><body><freejoint name='a'/></body><body><joint type='free'/></body></worldbody>",
    );
    let joint = |i: usize| &spec.bodies[i].joints[0];
    assert_eq!((joint(1).kind, joint(1).damping, joint(1).group), (JointType::Free, 0.0, 0));
    assert_eq!((joint(2).kind, joint(2).damping), (JointType::Free, 3.0));
}

/// P20.D4: wrong classes are errors.
#[test]
fn wrong_classes_are_refused() {
    for (text, phrase) in [
        ("<worldbody><body childclass='x'/></worldbody>", "unknown default childclass"),
        ("<worldbody><frame childclass='x'/></worldbody>", "unknown default childclass"),
        ("<worldbody><geom class='x' size='1'/></worldbody>", "unknown default class name 'x'"),
        ("<default><default class='a'/><default class='a'/></default>", "repeated default class name"),
        ("<default><default class='main'/></default>", "repeated default class name"),
        ("<default><default/></default>", "empty class name"),
        ("<default class='root'/>", "top-level default class 'main' cannot be renamed"),
        ("<worldbody childclass='main'/>", "World body cannot have attributes"),
        ("<worldbody><body class='main'/></worldbody>", "unrecognized attribute: 'class'"),
    ] {
        let error = error(text);
        assert!(error.to_string().contains(phrase), "{text}: {error}");
    }
    let error =
        error("<default><default class='robot'/></default><worldbody><geom class='robto'/></worldbody>");
    assert!(matches!(&error, MjcfError::UnknownName(d) if d.help.contains("'robot'")), "{error}");
}

/// Of classes of the same name, which attaching can make, elements belong to the first; classes that come with an attached model
/// are known to the elements after it.
#[test]
fn classes_are_found_by_name_also_after_attaching() {
    let child = "<mujoco><default><default class='c'><geom group='3'/></default></default>\
                 <worldbody><body name='b'><geom class='c' size='1'/></body></worldbody></mujoco>";
    let files = MemoryAssets([("child.xml".to_string(), child.as_bytes().to_vec())].into());
    let text = "<mujoco><default><default class='x_c'><geom group='1'/></default></default>\
         <asset><model name='child' file='child.xml'/></asset><worldbody>\
         <geom class='x_c' size='1'/><attach model='child' body='b' prefix='x_'/><attach model='child' body='b' prefix='y_'/>\
         <geom class='x_c' size='1'/><geom class='y_c' size='1'/></worldbody></mujoco>";
    let spec = read_str(text, "", "", &files).unwrap();
    let groups: Vec<i32> = spec.bodies[0].geoms.iter().map(|geom| geom.group).collect();
    assert_eq!(groups, [1, 1, 3]);
    assert_eq!(spec.class("x_c"), Some(crate::spec::ClassId(1)));
}
