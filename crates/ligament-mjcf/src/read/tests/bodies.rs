use super::{world, world_error};
use crate::MjcfError;
use crate::spec::Orientation;
use ligament_model::enums::{LightType, Limited, SleepPolicy};

/// P19: frames stay in the specification; elements know the innermost one.
#[test]
fn frames_enclose_elements() {
    let spec = world(
        "<body name='b'><joint/><frame name='f' pos='1 0 0' euler='0 0 90'><geom name='g' size='1'/>\
         <frame name='h' quat='0 1 0 0'><site/><body name='c'><geom size='1'/></body></frame><camera/></frame>\
         <light/><geom size='1'/></body>",
    );
    let body = &spec.bodies[1];
    assert_eq!(spec.frames.len(), 2);
    let [f, h] = &body.frames[..] else { panic!() };
    assert_eq!(spec.frames[f.index()].alt, Some(Orientation::Euler([0.0, 0.0, 90.0])));
    assert_eq!((spec.frames[f.index()].meta.frame, spec.frames[h.index()].meta.frame), (None, Some(*f)));
    assert_eq!((body.geoms[0].meta.frame, body.geoms[1].meta.frame), (Some(*f), None));
    assert_eq!((body.sites[0].meta.frame, body.cameras[0].meta.frame), (Some(*h), Some(*f)));
    let child = &spec.bodies[body.children[0].index()];
    assert_eq!((child.meta.frame, child.geoms[0].meta.frame, child.parent), (Some(*h), None, spec.body("b")));
    assert!(body.lights[0].meta.frame.is_none());
}

/// Attributes below frames are not checked, but noted; unknown elements are refused.
#[test]
fn leniency_below_frames() {
    let spec = world("<frame foo='1'><geom size='1' bar='2'/></frame>");
    assert_eq!(spec.warnings.len(), 2, "{:?}", spec.warnings);
    let warning = spec.warnings[1].to_string();
    assert!(warning.contains("bar") && warning.contains("m.xml:1"), "{warning}");
    let error = world_error("<frame><foo/></frame>");
    assert!(error.to_string().contains("unrecognized model element 'foo'"), "{error}");
}

/// P18.D13, P21.D1: at most one orientation per element, everywhere.
#[test]
fn two_orientations_are_refused() {
    for element in ["site", "geom size='1'", "camera", "body", "frame"] {
        for pair in ["quat='1 0 0 0' euler='0 0 0'", "euler='0 0 0' zaxis='0 0 1'"] {
            let error = world_error(&format!("<{element} {pair}/>"));
            let phrase = "multiple orientation specifiers are not allowed";
            assert!(error.to_string().contains(phrase), "{element}: {error}");
        }
    }
    let inertial = "<body><inertial pos='0 0 0' mass='1' quat='1 0 0 0' euler='0 0 0'/></body>";
    assert!(world_error(inertial).to_string().contains("multiple orientation"));
}

/// P21: sites take all five forms.
#[test]
fn site_orientations_are_kept_as_written() {
    let spec = world(
        "<site euler='90 0 0'/><site axisangle='0 0 1 90'/><site xyaxes='0 1 0 -1 0 0'/><site zaxis='0 0 1'/>\
         <site quat='2 0 0 0'/>",
    );
    let sites = &spec.bodies[0].sites;
    assert_eq!(sites[0].alt, Some(Orientation::Euler([90.0, 0.0, 0.0])));
    assert_eq!(sites[1].alt, Some(Orientation::AxisAngle([0.0, 0.0, 1.0, 90.0])));
    assert_eq!(sites[2].alt, Some(Orientation::XyAxes([0.0, 1.0, 0.0, -1.0, 0.0, 0.0])));
    assert_eq!(sites[3].alt, Some(Orientation::ZAxis([0.0, 0.0, 1.0])));
    assert_eq!((sites[4].alt, sites[4].quat), (None, [2.0, 0.0, 0.0, 0.0]));
}

/// A class's orientation beats a quaternion on the element, as in the reference.
#[test]
fn orientation_of_the_class_beats_a_quaternion() {
    let spec = super::model(
        "<default><site euler='90 0 0'/></default>\
         <worldbody><site quat='0 1 0 0'/><site zaxis='1 0 0'/></worldbody>",
    );
    let sites = &spec.bodies[0].sites;
    assert_eq!(sites[0].alt, Some(Orientation::Euler([90.0, 0.0, 0.0])));
    assert_eq!(sites[1].alt, Some(Orientation::ZAxis([1.0, 0.0, 0.0])));
}

#[test]
fn body_attributes_are_read() {
    let spec = world(
        "<body name='b' pos='1 2 3' quat='0 1 0 0' mocap='true' gravcomp='.5' sleep='init' user='1 2'>\
         <inertial pos='0 0 1' mass='2' diaginertia='1 2 3' quat='0 0 1 0'/></body>\
         <body><inertial pos='0 0 0' mass='1' fullinertia='1 2 3 0 0 0'/><joint limited='true' range='0 1'/></body>",
    );
    let b = &spec.bodies[1];
    assert_eq!((b.pos, b.quat, b.mocap, b.gravcomp), ([1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 0.0], true, 0.5));
    assert_eq!((b.sleep, b.userdata.as_slice()), (SleepPolicy::Init, &[1.0, 2.0][..]));
    assert!(b.explicitinertial);
    assert_eq!((b.mass, b.ipos, b.inertia), (2.0, [0.0, 0.0, 1.0], [1.0, 2.0, 3.0]));
    assert_eq!(spec.bodies[2].fullinertia, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    assert_eq!(spec.bodies[2].joints[0].limited, Limited::True);
    assert_eq!(b.meta.origin.column, 20);
}

#[test]
fn misplaced_elements_are_refused() {
    for (text, phrase) in [
        ("<joint/>", "World body cannot have joints"),
        ("<freejoint/>", "World body cannot have joints"),
        ("<inertial pos='0 0 0' mass='1'/>", "World body cannot have inertia"),
        ("<body><inertial mass='1'/></body>", "required attribute missing: 'pos'"),
        ("<body><inertial pos='0 0 0'/></body>", "required attribute missing: 'mass'"),
        (
            "<body><inertial pos='0 0 0' mass='1' fullinertia='1 1 1 0 0 0' euler='0 0 0'/></body>",
            "fullinertia and inertial orientation cannot both be specified",
        ),
        ("<camera fovy='3' sensorsize='1 1'/>", "not both"),
        ("<light type='spot' directional='true'/>", "type and directional cannot both be defined"),
        ("<geom quat='0 0 0 0' size='1'/>", "zero quaternion is not allowed"),
        ("<geom size='1 2 3 4'/>", "too much data"),
        ("<geom pos='1 2' size='1'/>", "does not have enough data"),
        ("<geom type='Sphere' size='1'/>", "invalid keyword: 'Sphere'"),
    ] {
        let error = world_error(text);
        assert!(error.to_string().contains(phrase), "{text}: {error}");
        assert!(error.diagnostic().origin.line > 0, "{text}");
    }
}

#[test]
fn cameras_lights_and_geoms_are_read() {
    let spec = world(
        "<camera output='depth rgb' resolution='4 5' focal='1 2' sensorsize='3 4' mode='track' target='x'/>\
         <light directional='true' cutoff='3'/><light type='point'/>\
         <geom type='capsule' fromto='0 0 0 1 0 0' size='.1' fluidshape='ellipsoid' fluidcoef='1 2' mass='3'/>\
         <geom type='mesh' mesh='m'><plugin instance='i'/></geom>",
    );
    let world = &spec.bodies[0];
    let camera = &world.cameras[0];
    assert_eq!((camera.output, camera.resolution, camera.sensor_size), (3, [4, 5], [3.0, 4.0]));
    assert_eq!((world.lights[0].kind, world.lights[1].kind), (LightType::Directional, LightType::Point));
    let geom = &world.geoms[0];
    assert_eq!((geom.fromto[3], geom.mass, geom.fluid_ellipsoid), (1.0, 3.0, 1.0));
    assert_eq!(geom.fluid_coefs, [1.0, 2.0, 1.5, 1.0, 1.0]);
    assert_eq!(world.geoms[1].plugin.as_ref().unwrap().instance, "i");
}

fn names(spec: &crate::Spec) -> Vec<&str> {
    spec.bodies.iter().flat_map(|b| &b.geoms).map(|g| g.meta.name.as_str()).collect()
}

/// Copies are named with separator and padded number; inner suffixes come first.
#[test]
fn replicates_nest_and_number() {
    let spec = world(
        "<replicate count='12' sep='-' euler='0 0 10' offset='.1 0 0'>\
         <replicate count='2' offset='0 0 1'><geom name='g' pos='1 0 0' size='.1'/></replicate></replicate>",
    );
    let names = names(&spec);
    assert_eq!((names.len(), spec.bodies.len()), (24, 1));
    assert_eq!(names[..4], ["g0-00", "g1-00", "g0-01", "g1-01"]);
    assert_eq!(names[23], "g1-11");
}

/// Each copy sits relative to the one before, and takes along what refers to it.
#[test]
fn replicates_copy_references() {
    let spec = super::model(
        "<worldbody><geom name='floor' type='plane' size='1 1 1'/><replicate count='3' offset='1 0 0'>\
         <body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/></body></replicate></worldbody>\
         <sensor><touch name='t' site='s'/></sensor><actuator><motor name='m' joint='j'/></actuator>\
         <contact><pair geom1='g' geom2='floor'/><exclude body1='b' body2='world'/></contact>",
    );
    let sensors: Vec<&str> = spec.sensors.iter().map(|s| s.meta.name.as_str()).collect();
    assert_eq!(sensors, ["t0", "t1", "t2"]);
    assert_eq!(spec.actuators[2].target, "j2");
    assert_eq!((spec.pairs[1].geomname1.as_str(), spec.pairs[1].geomname2.as_str()), ("g1", "floor"));
    assert_eq!((spec.pairs.len(), spec.excludes.len(), spec.bodies.len()), (3, 3, 4));
    let frame = spec.bodies[3].meta.frame.unwrap();
    assert_eq!(spec.frames[frame.index()].pos, [2.0, 0.0, 0.0]);
}

/// Sensors of nothing are doubled by every copy: nsensor is 11 here in 3.5.0.
#[test]
fn replicates_double_clocks() {
    let spec = super::model(
        "<worldbody><replicate count='3'><body><site name='a'/><geom size='.1'/></body></replicate></worldbody>\
         <sensor><clock name='c'/><touch name='t' site='a'/></sensor>",
    );
    let names: Vec<&str> = spec.sensors.iter().map(|s| s.meta.name.as_str()).collect();
    assert_eq!(names, ["c", "c0", "t0", "c1", "t1", "c01", "c2", "t2", "c02", "c12", "c012"]);
}

/// A model is copied into itself only when its keyframes fit it.
#[test]
fn replicates_check_keyframes() {
    let wrong = "<worldbody><replicate count='2'><body><joint/><geom size='.1'/></body></replicate></worldbody>\
                 <keyframe><key name='k' qpos='1 2'/></keyframe>";
    assert!(
        super::error(wrong).to_string().contains("Keyframe 'k' has invalid qpos size, got 2, should be 1")
    );
}

#[test]
fn replicate_counts_are_checked() {
    assert_eq!(names(&world("<replicate count='0'><geom size='1'/></replicate>")).len(), 0);
    assert_eq!(names(&world("<replicate count='-1'><geom size='1'/></replicate>")).len(), 0);
    assert!(world_error("<replicate><geom size='1'/></replicate>").to_string().contains("'count'"));
    let error = world_error("<replicate count='2000000000'><geom size='1'/></replicate>");
    assert!(matches!(error, MjcfError::InvalidAttribute(_)), "{error}");
    let bomb = "<replicate count='1000'>".repeat(4) + "<geom size='1'/>" + &"</replicate>".repeat(4);
    assert!(world_error(&bomb).to_string().contains("replicate would make more than"));
    let clocks = "<worldbody><replicate count='1000'><geom size='1'/></replicate></worldbody><sensor><clock/></sensor>";
    assert!(matches!(super::error(clocks), MjcfError::InvalidAttribute(_)));
}
