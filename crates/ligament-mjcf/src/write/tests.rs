use super::write;
use crate::assets::NoAssets;
use crate::read::read_str;
use crate::spec::Spec;

fn read(text: &str) -> Spec {
    read_str(text, "", "", &NoAssets).unwrap()
}

/// Written text is a fixed point: reading and writing it again changes nothing.
fn rewritten(text: &str) -> String {
    let once = write(&read(text)).unwrap();
    let twice = write(&read(&once)).unwrap();
    assert_eq!(once, twice);
    once
}

#[test]
fn angles_become_radians_and_orientations_quaternions() {
    let text = rewritten(
        r#"<mujoco><worldbody><body euler="90 0 0">
        <joint name="h" range="-90 45" ref="10"/>
        <joint name="s" type="slide" range="-90 45"/>
        <joint name="free_range" limited="false" range="-90 45"/>
        <geom size="1" axisangle="0 0 1 180"/></body></worldbody></mujoco>"#,
    );
    let spec = read(&text);
    let body = &spec.bodies[1];
    assert!(!spec.compiler().degree);
    assert_eq!(body.joints[0].range, [-90.0, 45.0].map(|x| x * (std::f64::consts::PI / 180.0)));
    assert_eq!(body.joints[1].range, [-90.0, 45.0]);
    assert_eq!(body.joints[2].range, [-90.0, 45.0], "ranges of unlimited joints are not converted");
    assert!((body.quat[1] - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-15);
    assert_eq!(body.geoms[0].quat[3], 1.0);
}

/// Elements of a kind keep their order even when frames enclose some of them.
#[test]
fn frames_do_not_change_the_order() {
    let text = rewritten(
        r#"<mujoco><worldbody>
        <frame name="f" pos="1 0 0"><frame euler="0 0 90"><geom name="a" size="1"/><body name="x"/></frame></frame>
        <geom name="b" size="1"/><body name="y"/>
        <frame pos="2 0 0"><geom name="c" size="1"/></frame></worldbody></mujoco>"#,
    );
    let spec = read(&text);
    let names: Vec<&str> = spec.bodies[0].geoms.iter().map(|g| g.meta.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let bodies: Vec<&str> = spec.bodies.iter().map(|b| b.meta.name.as_str()).collect();
    assert_eq!(bodies, ["world", "x", "y"]);
    let frame = spec.bodies[0].geoms[0].meta.frame.unwrap();
    let outer = spec.frames[frame.index()].meta.frame.unwrap();
    assert_eq!(spec.frames[outer.index()].pos, [1.0, 0.0, 0.0]);
}

/// Default classes are kept and only differences are written.
#[test]
fn classes_are_kept() {
    let text = rewritten(
        r#"<mujoco><default><geom rgba="1 0 0 1"/><default class="thin"><geom size="0.1" condim="1"/></default></default>
        <worldbody><body childclass="thin"><geom name="a"/><geom name="b" class="main" size="2" condim="4"/></body>
        <geom name="c" class="thin" condim="3"/></worldbody></mujoco>"#,
    );
    assert!(text.contains(r#"<geom name="a"/>"#));
    assert!(text.contains(r#"<geom name="c" class="thin" condim="3"/>"#));
    let spec = read(&text);
    assert_eq!(spec.classes[1].name, "thin");
    assert_eq!(spec.bodies[1].geoms[1].condim, 4);
    assert_eq!(spec.bodies[1].geoms[1].rgba, [1.0, 0.0, 0.0, 1.0]);
}

#[test]
fn all_sections_survive() {
    let text = rewritten(
        r#"<mujoco model="all"><!-- note -->
        <compiler inertiafromgeom="true" boundmass="0.1"><lengthrange mode="all" accel="3"/></compiler>
        <option timestep="0.001" integrator="RK4" gravity="0 0 -1"><flag contact="disable" energy="enable"/></option>
        <size memory="10M" nuser_geom="2"/>
        <visual><global fovy="30" bvactive="false"/><map zfar="100"/></visual>
        <statistic extent="2" center="1 2 3"/>
        <custom><numeric name="n" data="1 2" size="3"/><text name="t" data="a&lt;b"/>
          <tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple></custom>
        <asset><texture name="tex" builtin="checker" width="8" height="8" type="2d"/>
          <material name="mat" texture="tex" reflectance="0.5"/>
          <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="2 2 2"/>
          <hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="1 2 3 4"/></asset>
        <worldbody><camera name="cam" mode="targetbody" target="b" fovy="20"/><light name="l" type="directional"/>
          <body name="b"><freejoint name="f" align="false"/><inertial pos="0 0 1" mass="2" fullinertia="1 2 3 .1 0 0"/>
          <geom name="g" type="mesh" mesh="m" material="mat" user="1 2"/><site name="s"/>
          <body name="c" gravcomp="1"><joint name="j" stiffness="3" axis="0 1 0"/><geom name="g2" size=".1"/><site name="s2"/></body></body>
        </worldbody>
        <contact><pair geom1="g" geom2="g2" condim="1"/><exclude body1="b" body2="c"/></contact>
        <equality><connect body1="c" anchor="1 2 3"/><weld site1="s" site2="s2" torquescale="2"/><joint joint1="j" polycoef="1 2 3 4 5"/></equality>
        <tendon><spatial name="ten" width="0.01" springlength="0.1 0.2"><site site="s"/><pulley divisor="2"/><site site="s"/><site site="s2"/></spatial>
          <fixed name="fix" armature="0.1"><joint joint="j" coef="2"/></fixed></tendon>
        <actuator><position name="p" joint="j" kp="10" dampratio="1"/><muscle name="mus" tendon="ten"/>
          <general name="sc" cranksite="s" slidersite="s2" cranklength="1"/><adhesion body="c" ctrlrange="0 1" gain="2"/></actuator>
        <sensor><touch site="s" cutoff="2"/><framepos objtype="body" objname="b" reftype="site" refname="s2"/>
          <contact geom1="g" data="found force" num="2" reduce="mindist"/><clock/><user dim="3" needstage="vel"/>
          <distance geom1="g" body2="c"/></sensor>
        <keyframe><key name="k" time="1" qpos="0 0 0 1 0 0 0 0.5"/></keyframe>
        </mujoco>"#,
    );
    for part in
        ["note", "reduce=\"mindist\"", "polycoef", "fullinertia", "align=\"false\"", "elevation=\"1 2 3 4\""]
    {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

/// Servos that inherit a range are written with that range.
#[test]
fn inherited_ranges_are_written_out() {
    let text = rewritten(
        r#"<mujoco><worldbody><body><joint name="j" range="-90 90"/><geom size="1"/></body></worldbody>
        <actuator><position joint="j" inheritrange="0.5"/></actuator></mujoco>"#,
    );
    let range = read(&text).actuators[0].ctrlrange;
    assert!((range[1] - std::f64::consts::FRAC_PI_4).abs() < 1e-15 && range[0] == -range[1]);
}

/// Macros stay expanded.
#[test]
fn flexcomp_and_cable_are_written_as_their_parts() {
    let text = rewritten(
        r#"<mujoco><worldbody><body name="b"><flexcomp name="f" type="grid" count="3 3 1" radius="0.001">
        <edge equality="true"/><pin id="0"/></flexcomp>
        <composite prefix="c" type="cable" curve="s" count="4 1 1" size="1"><geom type="capsule" size="0.01"/></composite>
        </body></worldbody></mujoco>"#,
    );
    let spec = read(&text);
    assert_eq!(spec.flexes[0].vertbody.len(), 9);
    assert_eq!(spec.equalities.len(), 1);
    assert!(spec.body("cB_last").is_some());
}
