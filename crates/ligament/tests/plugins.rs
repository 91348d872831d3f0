//! Plugins as data: instances, their settings, who uses them (rows `extension` and `*/plugin` of the element table).

mod support;
use ligament::{Model, load_model};
use support::Sim;

fn with_sections(sections: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='s0'/><body name='b1'><joint name='j1'/><geom name='g1' size='.1'/>\
         <site name='s1' size='.1'/></body></worldbody>{sections}</mujoco>"
    )
}

fn load(sections: &str) -> Model {
    load_model(&with_sections(sections)).unwrap_or_else(|error| panic!("{error}"))
}

fn refuse(sections: &str, phrase: &str) {
    let error = load_model(&with_sections(sections)).err().unwrap_or_else(|| panic!("accepted: {sections}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

/// P18.D12: declared instances come first, then one for every element with settings of its own
#[test]
fn instances() {
    let m = load(
        "<extension><plugin plugin='mujoco.sensor.touch_grid'/><plugin plugin='mujoco.pid'><instance name='p'>\
         <config key='kp' value='4.0'/><config key='kd' value='.5'/></instance></plugin></extension>\
         <sensor><plugin plugin='mujoco.sensor.touch_grid' objtype='site' objname='s1'>\
         <config key='size' value='7 5'/><config key='fov' value='45 45'/><config key='nchannel' value='3'/>\
         </plugin></sensor>\
         <actuator><plugin plugin='mujoco.pid' joint='j1' actdim='1'><config key='ki' value='1'/></plugin>\
         <plugin instance='p' plugin='mujoco.pid' joint='j1'/><motor joint='j1'/></actuator>",
    );
    assert_eq!(m.nplugin, 3);
    assert_eq!(m.plugin, [0, 0, 2]);
    assert_eq!(m.plugin_attr, b"4.0\0\0.5\0\0\0\x001\0\0\0\x003\x007 5\x0045 45\0\0");
    assert_eq!(m.plugin_attradr, [0, 10, 16]);
    assert_eq!(m.actuator_plugin, [1, 0, -1]);
    assert_eq!(m.actuator_actnum, [1, 0, 0]);
    assert_eq!((m.sensor_plugin[0], m.sensor_dim[0], m.sensor_needstage[0]), (2, 105, 3));
    assert_eq!((m.npluginstate, m.body_plugin.as_slice()), (0, [-1, -1].as_slice()));
    assert_eq!(m.name(ligament::enums::ObjType::Plugin, 0), Some("p"));
}

/// P18.D12: plugins that are unknown, undeclared, of the wrong kind or wrongly set are errors
#[test]
fn refused() {
    refuse("<extension><plugin plugin='mujoco.nope'/></extension>", "plugin mujoco.nope not found");
    refuse(
        "<actuator><plugin plugin='mujoco.pid' joint='j1'/></actuator>",
        "unrecognized plugin 'mujoco.pid'",
    );
    refuse(
        "<extension><plugin plugin='mujoco.pid'/></extension><actuator><plugin instance='nope' joint='j1'/></actuator>",
        "unrecognized name 'nope' for plugin instance",
    );
    refuse(
        "<extension><plugin plugin='mujoco.pid'/></extension><sensor><plugin plugin='mujoco.pid'/></sensor>",
        "plugin 'mujoco.pid' does not support sensors",
    );
    refuse(
        "<extension><plugin plugin='mujoco.pid'/></extension><actuator><plugin plugin='mujoco.pid' joint='j1'>\
         <config key='nope' value='1'/></plugin></actuator>",
        "unrecognized attribute 'plugin:nope' for plugin mujoco.pid",
    );
    refuse(
        "<extension><plugin plugin='mujoco.pid'/></extension><actuator><plugin plugin='mujoco.pid' joint='j1'>\
         <config key='ki' value='1'/></plugin></actuator>",
        "plugin->init failed for plugin id 0",
    );
    refuse(
        "<sensor><plugin objtype='site' objname='s1'/></sensor>",
        "neither 'plugin' nor 'instance' is specified",
    );
}

/// Deviation: 3.5.0 takes what begins with no number for zero. Of several numbers the first counts, as there.
#[test]
fn settings_of_plugins_are_numbers() {
    let text = |value: &str| {
        format!(
            "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='p'><config key='kp' value='{value}'/></instance></plugin>\
             </extension><worldbody><body><joint name='j'/><geom size='.1' pos='.1 0 0'/></body></worldbody>\
             <actuator><plugin joint='j' plugin='mujoco.pid' instance='p'/></actuator></mujoco>"
        )
    };
    let force = |value: &str| {
        let mut sim = Sim::new(&text(value));
        sim.d.ctrl[0] = 0.5;
        sim.forward();
        sim.d.actuator_force[0]
    };
    assert_eq!((force("4"), force(" 4 7"), force("")), (2.0, 2.0, 0.0));
    for value in ["abc", "4x", "1,5"] {
        let error = load_model(&text(value)).unwrap_err().to_string();
        assert!(error.contains("setting 'kp' is not a number"), "{error}");
    }
}
