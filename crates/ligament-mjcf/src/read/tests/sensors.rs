use super::{error, model};
use crate::spec::Sensor;
use ligament_model::enums::{ObjType, SensorType};

fn sensor(text: &str) -> Sensor {
    model(&format!("<sensor>{text}</sensor>")).sensors.remove(0)
}

/// Every sensor element of the schema is understood.
#[test]
fn every_sensor_of_the_schema_is_read() {
    let attributes = "name='n' site='s' joint='j' tendon='t' actuator='a' body='b' objtype='site' objname='o' \
                      geom1='g' geom2='h' geom='g' mesh='m' dim='3' camera='c' plugin='p' noise='1'";
    let rules = crate::schema::schema().rules();
    let mut kinds = Vec::new();
    for rule in rules.iter().filter(|r| r.path.starts_with("sensor/") && r.path.matches('/').count() == 1) {
        let allowed = attributes.split_whitespace().filter(|a| {
            let name = a.split('=').next().unwrap();
            rule.attributes.contains(&name)
                && !(rule.name() == "rangefinder" && name == "camera")
                && !(rule.name() == "contact" && name == "site")
        });
        let text = format!("<{} {}/>", rule.name(), allowed.collect::<Vec<_>>().join(" "));
        kinds.push(sensor(&text).kind as i32);
    }
    kinds.sort_unstable();
    let all: Vec<i32> = (0..=SensorType::User as i32).collect();
    assert_eq!(kinds, all);
}

#[test]
fn references_of_sensors() {
    let s =
        sensor("<framepos objtype='body' objname='b' reftype='camera' refname='c' cutoff='2' delay='.1'/>");
    assert_eq!((s.objtype, s.reftype, s.refname.as_str()), (ObjType::Body, ObjType::Camera, "c"));
    assert_eq!((s.cutoff, s.delay), (2.0, 0.1));
    let s = sensor("<camprojection site='s' camera='c'/>");
    assert_eq!((s.objtype, s.reftype), (ObjType::Site, ObjType::Camera));
    let s = sensor("<rangefinder camera='c' data='dist point depth'/>");
    assert_eq!((s.objtype, s.intprm[0]), (ObjType::Camera, 1 | 8 | 32));
    let s = sensor("<distance body1='b' geom2='g'/>");
    assert_eq!((s.kind, s.objtype, s.reftype), (SensorType::Geomdist, ObjType::Body, ObjType::Geom));
    let s = sensor("<contact subtree1='b' data='force pos' reduce='maxforce' num='3' interval='.1'/>");
    assert_eq!((s.objtype, s.reftype, s.intprm), (ObjType::Xbody, ObjType::Unknown, [2 | 16, 2, 3]));
    assert_eq!(s.interval, [0.1, 0.0]);
    let s = sensor("<tactile geom='g' mesh='m'/>");
    assert_eq!((s.objtype, s.objname.as_str(), s.refname.as_str()), (ObjType::Mesh, "m", "g"));
    let s = sensor("<user dim='2' datatype='positive' needstage='vel'/>");
    assert_eq!((s.dim, s.datatype as i32, s.needstage as i32), (2, 1, 2));
    let s = sensor("<insidesite site='s' objtype='geom' objname='g'/>");
    assert_eq!((s.objname.as_str(), s.refname.as_str()), ("g", "s"));
}

#[test]
fn incomplete_sensors_are_refused() {
    for (text, phrase) in [
        ("<touch/>", "required attribute missing: 'site'"),
        ("<rangefinder/>", "exactly one of 'site' or 'camera'"),
        ("<rangefinder site='s' camera='c'/>", "exactly one of 'site' or 'camera'"),
        ("<rangefinder site='s' data='point dist'/>", "data attributes must be in order"),
        ("<framepos objtype='body'/>", "required attribute missing: 'objname'"),
        ("<framepos objtype='body' objname='b' refname='c'/>", "given but reftype is missing"),
        ("<distance geom1='g' body1='b' geom2='h'/>", "exactly one of (geom1, body1)"),
        ("<contact geom1='g' site='s'/>", "at most one of"),
        ("<contact num='0'/>", "'num' must be positive"),
        ("<contact data='pos pos'/>", "duplicate keyword"),
        ("<user/>", "required attribute missing: 'dim'"),
        ("<user dim='1' objtype='site'/>", "objname is missing"),
        ("<plugin plugin='p' objtype='site'/>", "objtype is specified but objname is not"),
        ("<clock cutoff='x'/>", "bad format"),
    ] {
        let error = error(&format!("<sensor>{text}</sensor>"));
        assert!(error.to_string().contains(phrase), "{text}: {error}");
    }
}

#[test]
fn plugins_are_data() {
    let spec = model(
        "<extension><plugin plugin='mujoco.pid'><instance name='i'><config key='kp' value='1'/></instance>\
         </plugin></extension><worldbody><body><plugin plugin='q'><config key='a' value='b'/></plugin></body>\
         </worldbody>",
    );
    assert_eq!(
        (spec.plugins[0].plugin.as_str(), spec.plugins[0].instances[0].name.as_str()),
        ("mujoco.pid", "i")
    );
    assert_eq!(spec.bodies[1].plugin.as_ref().unwrap().config[0].0, "a");
    let twice = "<extension><plugin plugin='p'><instance name='i'><config key='k' value='1'/>\
                 <config key='k' value='2'/></instance></plugin></extension>";
    assert!(error(twice).to_string().contains("duplicate config key: k"));
    error("<extension><plugin/></extension>");
}
