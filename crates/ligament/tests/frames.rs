//! Frames are composed into what they contain (spec item 19).

use ligament::{Model, load_model};

fn load(world: &str) -> Model {
    load_model(&format!("<mujoco><worldbody>{world}</worldbody></mujoco>"))
        .unwrap_or_else(|error| panic!("{error}"))
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-12, "{a:?} and {b:?} differ");
    }
}

/// P19.1: a frame shifts what it contains
#[test]
fn frame_shifts() {
    close(&load("<frame pos='1 0 0'><geom size='1'/></frame>").geom_pos[0], &[1.0, 0.0, 0.0]);
}

/// P19.2: a frame turns what it contains
#[test]
fn frame_turns() {
    let m = load("<frame euler='0 0 90'><geom size='1' pos='1 0 0'/></frame>");
    close(&m.geom_pos[0], &[0.0, 1.0, 0.0]);
    close(&m.geom_quat[0], &[0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]);
}

/// P19.3: frames nest
#[test]
fn frames_nest() {
    let m = load(
        "<frame pos='1 0 0' euler='0 0 90'><frame pos='1 0 0' euler='0 90 0'><geom size='1' pos='0 0 1'/>\
         </frame></frame>",
    );
    close(&m.geom_pos[0], &[1.0, 2.0, 0.0]);
    close(&m.geom_quat[0], &[0.5, -0.5, 0.5, 0.5]);
}

/// P19.4: a frame that says nothing changes nothing
#[test]
fn empty_frame_is_nothing() {
    let inside = "<geom size='1' pos='1 2 3' euler='10 20 30'/><body pos='1 2 3'><joint pos='1 0 0'/><geom size='1'/></body>";
    assert!(load(inside) == load(&format!("<frame>{inside}</frame>")));
}

/// P19.D1: joints are moved and turned, free joints are not
#[test]
fn frames_move_joints() {
    let m = load(
        "<body><frame pos='1 0 0' euler='90 0 0'><joint pos='0 0 1' axis='0 0 1'/></frame><geom size='1'/></body>\
         <body pos='1 2 3'><frame pos='5 0 0'><freejoint/></frame><geom size='1'/></body>",
    );
    close(&m.jnt_pos[0], &[1.0, -1.0, 0.0]);
    close(&m.jnt_axis[0], &[0.0, -1.0, 0.0]);
    close(&m.qpos0[1..4], &[1.0, 2.0, 3.0]);
}

/// P19.D2: sites, cameras, lights and bodies follow their frame
#[test]
fn frames_move_everything_else() {
    let m = load(
        "<frame pos='1 0 0' euler='0 0 90'><site pos='1 0 0'/><camera pos='1 0 0'/><light pos='1 0 0' dir='1 0 0'/>\
         <body pos='1 0 0'><freejoint/><geom size='1'/></body></frame>",
    );
    close(&m.site_pos[0], &[1.0, 1.0, 0.0]);
    close(&m.cam_pos[0], &[1.0, 1.0, 0.0]);
    close(&m.light_pos[0], &[1.0, 1.0, 0.0]);
    close(&m.light_dir[0], &[0.0, 1.0, 0.0]);
    close(&m.body_pos[1], &[1.0, 1.0, 0.0]);
    close(&m.qpos0[..3], &[1.0, 1.0, 0.0]);
}

/// P19.D3: the class of a frame serves what it contains, and nothing else
#[test]
fn frames_have_a_class() {
    let m = load_model(
        "<mujoco><default><geom size='.1'/><default class='r'><geom size='.2'/><site size='.3'/></default></default>\
         <worldbody><frame childclass='r' pos='1 0 0'><geom/><site/><frame><geom/></frame><geom class='main'/></frame><geom/>\
         </worldbody></mujoco>",
    )
    .unwrap();
    assert_eq!(m.geom_size.iter().map(|s| s[0]).collect::<Vec<_>>(), [0.2, 0.2, 0.1, 0.1]);
    assert_eq!(m.site_size[0][0], 0.3);
}
