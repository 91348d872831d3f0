//! Models spread over files: includes and asset directories, as loaded (spec item 18).

use ligament::{MemoryAssets, MjcfError, Model, load_model, load_model_with_assets};

fn files(list: &[(&str, &str)]) -> MemoryAssets {
    MemoryAssets(list.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect())
}

fn load(xml: &str, list: &[(&str, &str)]) -> Model {
    load_model_with_assets(xml, &files(list)).unwrap_or_else(|error| panic!("{error}"))
}

/// A right-angled tetrahedron with legs of the given length, as OBJ text.
fn tetrahedron(leg: f64) -> String {
    format!("v 0 0 0\nv {leg} 0 0\nv 0 {leg} 0\nv 0 0 {leg}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
}

const BODIES: &str = "<body name='a'><joint/><geom size='.1'/></body>";

/// P18.15: an included file gives the same model as the inline text
#[test]
fn includes_are_inlined() {
    let outer = |inner: &str| format!("<mujoco><worldbody>{inner}</worldbody></mujoco>");
    let included = load(
        &outer("<include file='bodies.xml'/>"),
        &[("bodies.xml", &format!("<mujocoinclude>{BODIES}</mujocoinclude>"))],
    );
    assert!(included == load_model(&outer(BODIES)).unwrap());
}

/// P18.16, P18.18: includes nest and stand anywhere
#[test]
fn includes_nest_and_stand_anywhere() {
    let m = load(
        "<mujoco><default><include file='d.xml'/></default><asset><include file='s.xml'/></asset>\
         <worldbody><include file='a.xml'/></worldbody><actuator><include file='u.xml'/></actuator></mujoco>",
        &[
            ("d.xml", "<x><geom rgba='1 0 0 1'/></x>"),
            ("s.xml", "<x><material name='m'/></x>"),
            ("a.xml", "<x><include file='b.xml'/></x>"),
            ("b.xml", "<x><include file='c.xml'/></x>"),
            ("c.xml", "<x><body><joint name='j'/><geom size='.1' material='m'/></body></x>"),
            ("u.xml", "<x><motor joint='j'/></x>"),
        ],
    );
    assert_eq!((m.nbody, m.nmat, m.nu), (2, 1, 1));
    assert_eq!(m.geom_rgba[0], [1.0, 0.0, 0.0, 1.0]);
}

/// P18.17: no file twice
#[test]
fn repeated_includes_are_refused() {
    let xml = "<mujoco><worldbody><include file='a.xml'/><include file='a.xml'/></worldbody></mujoco>";
    let error = load_model_with_assets(xml, &files(&[("a.xml", "<x><geom size='1'/></x>")])).unwrap_err();
    assert!(matches!(error, MjcfError::DuplicateInclude(_)), "{error:?}");
    let itself = files(&[("a.xml", "<x><include file='a.xml'/></x>")]);
    let xml = "<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>";
    load_model_with_assets(xml, &itself).unwrap_err();
}

/// P18.19: bad text in an included file is blamed on that file
#[test]
fn errors_in_included_files_name_them() {
    let xml = "<mujoco><worldbody><include file='bad.xml'/></worldbody></mujoco>";
    let error = load_model_with_assets(xml, &files(&[("bad.xml", "<x><geom size='1'></x>")])).unwrap_err();
    assert!(matches!(error, MjcfError::XmlParse(_)), "{error:?}");
    assert!(error.to_string().contains("bad.xml"), "{error}");
}

/// Text without files cannot include
#[test]
fn includes_need_files() {
    let error = load_model("<mujoco><include file='a.xml'/></mujoco>").unwrap_err();
    assert!(matches!(error, MjcfError::IncludeError(_)), "{error:?}");
}

/// P18.6, P18.7, P18.D7: where meshes come from
#[test]
fn mesh_directories() {
    let xml = |compiler: &str, file: &str| {
        format!(
            "<mujoco><compiler {compiler}/><asset><mesh name='m' file='{file}'/></asset><worldbody><body>\
             <geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
        )
    };
    let (small, large) = (tetrahedron(1.0), tetrahedron(2.0));
    let list = [("assets/t.obj", small.as_str()), ("meshes/t.obj", large.as_str())];
    let mass = |compiler: &str, file: &str| load(&xml(compiler, file), &list).body_mass[1];
    assert!((mass("meshdir='assets/'", "t.obj") - 1000.0 / 6.0).abs() < 1e-3);
    assert!((mass("meshdir='assets'", "t.obj") - 1000.0 / 6.0).abs() < 1e-3);
    assert!((mass("assetdir='assets' meshdir='meshes'", "t.obj") - 8000.0 / 6.0).abs() < 1e-3);
    assert!((mass("strippath='true' meshdir='meshes'", "foo/bar/t.obj") - 8000.0 / 6.0).abs() < 1e-3);
}

/// A mesh without a name is called after its file; a missing file is an error that names it
#[test]
fn mesh_names_and_missing_files() {
    let xml = "<mujoco><asset><mesh file='t.obj'/></asset><worldbody><geom type='mesh' mesh='t'/></worldbody></mujoco>";
    let text = tetrahedron(1.0);
    assert_eq!(load(xml, &[("t.obj", &text)]).nmesh, 1);
    let message = load_model_with_assets(xml, &files(&[])).unwrap_err().to_string();
    assert!(message.contains("t.obj"), "{message}");
}

/// Primitives are fitted to meshes by inertia or by bounds (sizes from MuJoCo 3.5.0)
#[test]
fn primitives_fit_meshes() {
    let cube = "v -1 -2 -3\nv 1 -2 -3\nv 1 2 -3\nv -1 2 -3\nv -1 -2 3\nv 1 -2 3\nv 1 2 3\nv -1 2 3\n\
                f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";
    let size = |compiler: &str, kind: &str| {
        let xml = format!(
            "<mujoco><compiler {compiler}/><asset><mesh name='m' file='c.obj'/></asset><worldbody>\
             <geom type='{kind}' mesh='m'/></worldbody></mujoco>"
        );
        let mut size = load(&xml, &[("c.obj", cube)]).geom_size[0];
        size.sort_by(f64::total_cmp);
        size
    };
    let close = |a: [f64; 3], b: [f64; 3]| a.iter().zip(&b).all(|(x, y)| (x - y).abs() < 1e-6);
    assert!(close(size("", "box"), [1.0, 2.0, 3.0]));
    assert!(close(size("", "sphere"), [0.0, 0.0, 2.0]));
    assert!(close(size("fitaabb='true'", "ellipsoid"), [1.0, 2.0, 3.0]));
    assert!(close(size("fitaabb='true'", "sphere"), [0.0, 0.0, 3.0]));
}

/// P18.22: URDF angles are radians about fixed axes
#[test]
fn urdf_orientations_use_fixed_axes() {
    let m = load(
        "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' \
         ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='revolute'><parent link='a'/>\
         <child link='b'/><origin xyz='0 0 1' rpy='0.1 0.2 0.3'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint></robot>",
        &[],
    );
    // Rz(.3) Ry(.2) Rx(.1)
    let expected = [0.9833474432563558, 0.03427079855048211, 0.10602051106179562, 0.14357217502739192];
    for (x, y) in m.body_quat[1].iter().zip(&expected) {
        assert!((x - y).abs() < 1e-12, "{:?}", m.body_quat[1]);
    }
    assert_eq!(m.jnt_range[0], [-1.0, 1.0]);
}

/// P18.20: an include is sought beside the main model, then beside the including file
#[test]
fn includes_are_sought_in_two_places() {
    let main = "<mujoco><worldbody><include file='sub/a.xml'/></worldbody></mujoco>";
    let (beside_main, beside_includer) =
        (("b.xml", "<x><geom size='.1'/></x>"), ("sub/b.xml", "<x><geom size='.2'/></x>"));
    let includer = ("sub/a.xml", "<x><include file='b.xml'/></x>");
    let size = |list: &[(&str, &str)]| load(main, list).geom_size[0][0];
    assert_eq!(size(&[includer, beside_main, beside_includer]), 0.1);
    assert_eq!(size(&[includer, beside_includer]), 0.2);
    load_model_with_assets(main, &files(&[includer])).unwrap_err();
}

/// P18.D12: sections that stand twice are appended, in the compiled model too
#[test]
fn sections_append() {
    let m = load(
        "<mujoco><worldbody><body name='a'><joint name='j'/><geom name='g'/></body></worldbody>\
         <actuator><motor name='m1' joint='j'/></actuator><sensor><clock name='c1'/></sensor>\
         <default><geom size='.2'/></default><asset><material name='x'/></asset><keyframe><key name='k1'/></keyframe>\
         <worldbody><body name='b'><joint name='k'/><geom name='h'/></body></worldbody>\
         <actuator><motor name='m2' joint='k'/></actuator><sensor><jointpos name='c2' joint='k'/></sensor>\
         <tendon><fixed name='t1'><joint joint='j' coef='1'/></fixed></tendon>\
         <tendon><fixed name='t2'><joint joint='k' coef='2'/></fixed></tendon>\
         <equality><joint joint1='j'/></equality><equality><weld body1='a'/></equality>\
         <contact><pair geom1='g' geom2='h'/></contact><contact><exclude body1='a' body2='b'/></contact>\
         <asset><material name='y'/></asset><keyframe><key name='k2' qpos='1 2'/></keyframe></mujoco>",
        &[],
    );
    assert_eq!((m.nbody, m.nu, m.nsensor, m.ntendon, m.neq), (3, 2, 2, 2, 2));
    assert_eq!((m.npair, m.nexclude, m.nmat, m.nkey), (1, 1, 2, 2));
    assert_eq!((m.actuator_trnid[1][0], m.sensor_objid[1], m.wrap_objid.as_slice()), (1, 1, &[0, 1][..]));
    assert_eq!((m.eq_type.as_slice(), &m.key_qpos[2..]), (&[2, 1][..], &[1.0, 2.0][..]));
    assert_eq!((m.geom_size[0][0], m.geom_size[1][0]), (0.2, 0.2));
}

/// P18.D15, P20.D4: what the language does not know is refused, with the place
#[test]
fn unknown_words_are_refused() {
    let cases = [
        ("<mujoco><world/></mujoco>", "world"),
        ("<mujoco><worldbody><geom colour='red' size='1'/></worldbody></mujoco>", "colour"),
        ("<mujoco><worldbody><geom size='1 2 3 4'/></worldbody></mujoco>", "size"),
        ("<mujoco><worldbody><geom pos='1 2' size='1'/></worldbody></mujoco>", "pos"),
        ("<mujoco><worldbody><geom type='ball' size='1'/></worldbody></mujoco>", "type"),
        ("<mujoco><option timestep='fast'/></mujoco>", "timestep"),
        ("<mujoco><worldbody><body childclass='x'/></worldbody></mujoco>", "childclass"),
        ("<mujoco><worldbody><geom class='x' size='1'/></worldbody></mujoco>", "'x'"),
    ];
    for (xml, word) in cases {
        let message = load_model(xml).expect_err(xml).to_string();
        assert!(message.contains(word) && message.contains("<string>:1:"), "{message}");
    }
}
