//! Small texts that ask for the impossible: endless nesting, cycles, counts that multiply.

use ligament::MemoryAssets;
use std::time::{Duration, Instant};

/// Loading ends, either way, in time; memory is watched by the size of what is asked for.
fn load(text: &str) -> bool {
    let start = Instant::now();
    let outcome = ligament::load_model(text);
    assert!(start.elapsed() < Duration::from_secs(30), "took {:?}", start.elapsed());
    outcome.is_ok()
}

fn refused(text: &str) {
    assert!(!load(text), "must be refused: {}", &text[..text.len().min(200)]);
}

fn nested(open: &str, close: &str, depth: usize) -> String {
    format!("<mujoco><worldbody>{}{}</worldbody></mujoco>", open.repeat(depth), close.repeat(depth))
}

/// Nesting beyond that of the reference's reader is refused with its words, without a deep stack; below it loads.
#[test]
fn ten_thousand_nested_bodies() {
    let complaint =
        |text: &str| ligament::load_model(text).err().map(|error| error.to_string()).unwrap_or_default();
    for (open, close) in [
        ("<body>", "</body>"),
        (r#"<body><geom size=".1"/>"#, "</body>"),
        (r#"<body><joint/><geom size=".1"/>"#, "</body>"),
        ("<frame>", "</frame>"),
        ("<frame pos='1 0 0'><body>", "</body></frame>"),
        ("<body>", ""),
    ] {
        let told = complaint(&nested(open, close, 10_000));
        assert!(told.contains("too deep"), "{open}: {told}");
    }
    for section in ["<default>", "<default class='a'>", "<worldbody>", "<custom>"] {
        let told = complaint(&format!("<mujoco>{}", section.repeat(10_000)));
        assert!(told.contains("too deep"), "{section}: {told}");
    }
    assert!(complaint(&"<mujoco>".repeat(20_000)).contains("too deep"));
    // what may be nested is also compiled and simulated
    for (open, close, depth) in [
        (r#"<body><joint/><geom size=".1"/>"#, "</body>", 490),
        ("<frame>", "</frame>", 490),
        ("<frame pos='1 0 0'><body>", "</body></frame>", 240),
    ] {
        let model =
            ligament::load_model(&nested(open, close, depth)).unwrap_or_else(|error| panic!("{error}"));
        ligament_testkit::mjcf::simulate(&model, 1);
    }
}

#[test]
fn nested_replicates_multiply() {
    for depth in [3, 6, 12] {
        let open = r#"<replicate count="1000" offset="1 0 0">"#.repeat(depth);
        let close = "</replicate>".repeat(depth);
        refused(&format!("<mujoco><worldbody>{open}<geom size='.1'/>{close}</worldbody></mujoco>"));
    }
    refused(
        "<mujoco><worldbody><replicate count='2147483647'><geom size='.1'/></replicate></worldbody></mujoco>",
    );
}

#[test]
fn counts_that_no_memory_holds() {
    let asset = |element: &str| format!("<mujoco><asset>{element}</asset></mujoco>");
    refused(&asset(r#"<hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/>"#));
    refused(&asset(r#"<hfield name="h" nrow="2147483647" ncol="2147483647" size="1 1 1 1"/>"#));
    refused(&asset(r#"<texture name="t" type="2d" builtin="flat" width="100000" height="100000"/>"#));
    refused(&asset(
        r#"<texture name="t" type="skybox" builtin="gradient" width="2000000000" height="12000000000"/>"#,
    ));
    refused(&asset(r#"<mesh name="m" builtin="sphere" params="1000000"/>"#));
    refused(&asset(r#"<mesh name="m" builtin="supersphere" params="100000 1 1"/>"#));
    let world = |element: &str| format!("<mujoco><worldbody>{element}</worldbody></mujoco>");
    refused(&world(r#"<flexcomp name="f" type="grid" dim="3" count="2000 2000 2000" spacing=".1 .1 .1"/>"#));
    refused(&world(
        r#"<flexcomp name="f" type="grid" dim="2" count="2147483647 2147483647 1" spacing=".1 .1 .1"/>"#,
    ));
    refused(&world(
        r#"<composite prefix="c" type="cable" curve="s" count="100000000 1 1" size="1"><joint kind="main"/><geom type="capsule" size=".01"/></composite>"#,
    ));
    refused(&world(
        r#"<composite prefix="c" type="cable" curve="s" count="-5 1 1" size="1"><joint kind="main"/><geom type="capsule" size=".01"/></composite>"#,
    ));
    refused("<mujoco><custom><numeric name='n' size='2147483647'/></custom></mujoco>");
    refused("<mujoco><custom><numeric name='n' size='-7'/></custom></mujoco>");
    refused("<mujoco><size nuser_body='2147483647'/><worldbody><body/><body/></worldbody></mujoco>");
    refused("<mujoco><size nuserdata='2147483647'/></mujoco>");
    refused("<mujoco><sensor><user dim='2147483647'/><user dim='2147483647'/></sensor></mujoco>");
    refused(
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>\
             <sensor><jointpos joint='j' delay='1' nsample='2147483647'/></sensor></mujoco>",
    );
    refused(
        "<mujoco><worldbody><camera name='c' resolution='100000 100000'/></worldbody>\
             <sensor><rangefinder camera='c'/></sensor></mujoco>",
    );
}

#[test]
fn includes_that_never_end() {
    let mut assets = MemoryAssets::default();
    assets.0.insert("a.xml".into(), b"<mujocoinclude><include file='b.xml'/></mujocoinclude>".to_vec());
    assets.0.insert("b.xml".into(), b"<mujocoinclude><include file='a.xml'/></mujocoinclude>".to_vec());
    assets.0.insert("c.xml".into(), b"<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><attach model='c' prefix='x'/></worldbody></mujoco>".to_vec());
    let start = Instant::now();
    for text in [
        "<mujoco><include file='a.xml'/></mujoco>",
        "<mujoco><asset><model name='c' file='c.xml'/></asset><worldbody><attach model='c' prefix='x'/></worldbody></mujoco>",
    ] {
        assert!(ligament::load_model_with_assets(text, &assets).is_err());
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn entities_do_not_multiply() {
    let text = r#"<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><mujoco model="&c;"/>"#;
    load(text);
}

#[test]
fn every_prefix_of_a_model_is_text_like_any_other() {
    for seed in ligament_testkit::mjcf::SEEDS {
        for end in (0..seed.len()).step_by(37).filter(|&end| seed.is_char_boundary(end)) {
            load(&seed[..end]);
        }
    }
}

#[test]
fn numbers_of_any_size() {
    for number in ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "1e999", "0", "-1"] {
        for text in [
            format!(
                r#"<mujoco><worldbody><body pos="{number} 0 0"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#
            ),
            format!(
                r#"<mujoco><worldbody><body><joint/><geom size="{number}"/></body></worldbody></mujoco>"#
            ),
            format!(
                r#"<mujoco><worldbody><body><joint axis="{number} 0 0"/><geom size=".1" mass="{number}"/></body></worldbody></mujoco>"#
            ),
            format!(
                r#"<mujoco><option timestep="{number}" gravity="0 0 {number}"/><worldbody><body><freejoint/><geom size=".1" friction="{number}"/></body><geom type="plane" size="1 1 1"/></worldbody></mujoco>"#
            ),
            format!(
                r#"<mujoco><asset><mesh name="m" vertex="0 0 0 {number} 0 0 0 1 0 0 0 1"/></asset><worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#
            ),
            format!(
                r#"<mujoco><worldbody><body><inertial pos="0 0 0" mass="{number}" diaginertia="1 1 {number}"/><joint stiffness="{number}" damping="{number}"/></body></worldbody></mujoco>"#
            ),
        ] {
            ligament_testkit::mjcf::run(&text);
        }
    }
}

/// Byte order marks are text wherever they stand, also where reading starts anew after markup that nobody knows.
#[test]
fn byte_order_marks_anywhere() {
    let mark = '\u{feff}';
    for text in [
        format!("<!n>{mark}\u{1a}"),
        format!("<v><!uppe!e >{mark}<>"),
        format!("{mark}{mark}{mark}<mujoco/>"),
        format!("<mujoco><!x>{mark}{mark}<worldbody/></mujoco>"),
        format!("<!x>{mark}<!y>{mark}<mujoco/>{mark}"),
    ] {
        ligament_testkit::mjcf::run(&text);
        ligament_testkit::mjcf::run_urdf(&text);
    }
    let model = ligament::load_model(&format!(
        "{mark}<mujoco><!x>{mark}<worldbody><geom size='1'/></worldbody></mujoco>"
    ));
    assert_eq!(model.expect("loads").ngeom, 1);
}
