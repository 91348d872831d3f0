use super::*;
use crate::spec::{Actuator, Exclude, Key, Mesh, Sensor, Site, Tendon, Wrap, WrapKind};
use ligament_model::enums::{JointType, ObjType, SensorType, TrnType};

/// A body with a hinge, a site, a mesh geom, and elements that refer to them.
fn child() -> Spec {
    let mut spec = Spec::default();
    spec.compilers[0].degree = false;
    let body = spec.add_body(BodyId(0));
    spec.bodies[body.index()].meta.name = "arm".into();
    spec.add_joint(body).meta.name = "hinge".into();
    spec.add_geom(body).meshname = "tool".into();
    spec.add_site(body).meta.name = "tip".into();
    spec.meshes.push(Mesh { file: "parts/tool.stl".into(), ..Mesh::default() });
    let mut motor = Actuator { trntype: TrnType::Joint, target: "hinge".into(), ..Actuator::default() };
    motor.meta.name = "motor".into();
    spec.actuators.push(motor);
    let mut key = Key { qpos: vec![0.5], ctrl: vec![2.0], ..Key::default() };
    key.meta.name = "home".into();
    spec.keys.push(key);
    spec
}

const WORLD: AttachPoint = AttachPoint { body: BodyId(0), frame: None };

#[test]
fn names_and_references_get_the_prefix() {
    let mut spec = Spec::default();
    let copy = spec.attach_body(WORLD, &child(), BodyId(1), "left_", "_x").unwrap();
    let body = &spec.bodies[copy.index()];
    assert_eq!(body.meta.name, "left_arm_x");
    assert_eq!(body.joints[0].meta.name, "left_hinge_x");
    assert_eq!(body.geoms[0].meshname, "left_tool_x");
    assert_eq!(spec.meshes[0].meta.name, "left_tool_x", "unnamed assets are called after their file");
    assert_eq!(spec.actuators[0].target, "left_hinge_x");
    assert_eq!(spec.classes[1].name, "left_main_x");
    assert_eq!(spec.classes[1].parent, Some(ClassId(0)));
}

#[test]
fn settings_of_the_child_stay_with_its_elements() {
    let mut spec = Spec::default();
    let copy = spec.attach_body(WORLD, &child(), BodyId(1), "a_", "").unwrap();
    let settings =
        |spec: &Spec, id: BodyId| spec.compilers[spec.bodies[id.index()].meta.compiler.index()].degree;
    assert!(!settings(&spec, copy));
    assert!(settings(&spec, BodyId(0)));
    spec.attach_body(WORLD, &child(), BodyId(1), "b_", "").unwrap();
    assert_eq!(spec.compilers.len(), 2, "equal settings are kept once");
}

/// Elements that refer to something left behind are dropped.
#[test]
fn elements_with_missing_references_stay_behind() {
    let mut source = child();
    let other = source.add_body(BodyId(0));
    source.bodies[other.index()].meta.name = "other".into();
    source.excludes.push(Exclude {
        bodyname1: "arm".into(),
        bodyname2: "other".into(),
        ..Exclude::default()
    });
    let sensor = Sensor {
        kind: SensorType::Framepos,
        objtype: ObjType::Body,
        objname: "other".into(),
        ..Sensor::default()
    };
    source.sensors.push(sensor);
    let mut spec = Spec::default();
    spec.attach_body(WORLD, &source, BodyId(1), "a_", "").unwrap();
    assert!(spec.excludes.is_empty() && spec.sensors.is_empty());
    let mut whole = Spec::default();
    whole.attach_model(WORLD, &source, "a_", "").unwrap();
    assert_eq!(whole.excludes[0].bodyname2, "a_other");
    assert_eq!(whole.sensors[0].objname, "a_other");
}

/// A tendon may keep path objects outside, as long as one is attached.
#[test]
fn tendons_may_be_half_attached() {
    let mut source = child();
    let wrap = |site: &str| Wrap { kind: WrapKind::Site { site: site.into() }, origin: Default::default() };
    source.tendons.push(Tendon { path: vec![wrap("anchor"), wrap("tip")], ..Tendon::default() });
    let mut spec = Spec::default();
    let mut anchor = Site::default();
    anchor.meta.name = "anchor".into();
    spec.bodies[0].sites.push(anchor);
    spec.attach_body(WORLD, &source, BodyId(1), "a_", "").unwrap();
    let sites: Vec<_> = spec.tendons[0].path.iter().map(|w| w.kind.clone()).collect();
    assert_eq!(sites, [wrap("anchor").kind, wrap("a_tip").kind]);
}

/// Frames inside frames keep their nesting.
#[test]
fn attached_model_stands_in_the_frame() {
    let mut source = child();
    let outer = source.add_frame(BodyId(0), None);
    let inner = source.add_frame(BodyId(0), Some(outer));
    source.bodies[1].meta.frame = Some(inner);
    let mut spec = Spec::default();
    let mount = spec.add_frame(BodyId(0), None);
    let at = AttachPoint { body: BodyId(0), frame: Some(mount) };
    let world = spec.attach_model(at, &source, "a_", "").unwrap();
    let body_frame = spec.bodies[1].meta.frame.unwrap();
    let above = spec.frames[body_frame.index()].meta.frame.unwrap();
    assert_eq!(spec.frames[above.index()].meta.frame, Some(world));
    assert_eq!(spec.frames[world.index()].meta.frame, Some(mount));
}

/// Keyframes of the child name only its part; the compiler adds the rest.
#[test]
fn keyframes_stay_with_their_joints() {
    let mut spec = Spec::default();
    let free = spec.add_body(BodyId(0));
    spec.add_joint(free).kind = JointType::Slide;
    spec.keys.push(Key { qpos: vec![7.0], ..Key::default() });
    spec.attach_body(WORLD, &child(), BodyId(1), "a_", "").unwrap();
    assert_eq!(spec.keys[0].qpos, [7.0, 0.0], "own keyframes grow");
    assert_eq!(spec.keys[1].meta.name, "a_home");
    let attached = spec.keys[1].attached.as_ref().unwrap();
    assert_eq!(attached.joints[0].id, (BodyId(2), 0));
    assert_eq!(attached.joints[0].first, [0.5]);
    assert_eq!(attached.actuators[0].second, [2.0]);
    assert_eq!(attached.has, [true, false, false, true, false, false]);
}

#[test]
fn keyframes_of_the_wrong_size_are_refused() {
    let mut source = child();
    source.keys[0].qpos = vec![0.0; 3];
    let error = Spec::default().attach_body(WORLD, &source, BodyId(1), "a_", "").unwrap_err();
    assert!(error.to_string().contains("invalid qpos size, got 3, should be 1"));
}

/// Copies of a frame of the model itself share assets and classes.
#[test]
fn own_frames_can_be_copied() {
    let mut spec = child();
    spec.keys.clear();
    let frame = spec.add_frame(BodyId(0), None);
    spec.bodies[1].meta.frame = Some(frame);
    spec.attach_own_frame(WORLD, frame, "-0").unwrap();
    spec.attach_own_frame(WORLD, frame, "-1").unwrap();
    let names: Vec<&str> = spec.actuators.iter().map(|a| a.meta.name.as_str()).collect();
    assert_eq!(names, ["motor", "motor-0", "motor-1"]);
    assert_eq!(spec.bodies[2].geoms[0].meshname, "tool");
    assert_eq!((spec.meshes.len(), spec.classes.len(), spec.compilers.len()), (1, 1, 1));
}
