use crate::assets::{Assets, MemoryAssets, NoAssets};
use crate::{MjcfError, Result, Spec, read_file, read_str};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Files by exact path only.
struct Files(BTreeMap<String, String>);

impl Assets for Files {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.0.get(path).map(|text| Cow::Borrowed(text.as_bytes()))
    }
}

fn read(files: &[(&str, &str)]) -> Result<Spec> {
    let files = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
    read_file("/m/main.xml", &Files(files))
}

fn geoms(spec: &Spec) -> Vec<&str> {
    spec.bodies.iter().flat_map(|b| &b.geoms).map(|g| g.meta.name.as_str()).collect()
}

/// P18.15: an included text reads like the inline text.
#[test]
fn included_text_equals_inline_text() {
    let part = "<body name='b' pos='1 2 3'><joint name='j'/><geom name='g' size='.1'/></body>";
    let inline = format!("<mujoco><worldbody><geom name='f' size='1'/>{part}</worldbody></mujoco>");
    let main =
        "<mujoco><worldbody><geom name='f' size='1'/><include file='bodies.xml'/></worldbody></mujoco>";
    let a = read(&[("/m/main.xml", &inline)]).unwrap();
    let included = format!("<anything foo='1'>{part}</anything>");
    let b = read(&[("/m/main.xml", main), ("/m/bodies.xml", &included)]).unwrap();
    assert_eq!(a.bodies.len(), b.bodies.len());
    assert_eq!(a.bodies[1].pos, b.bodies[1].pos);
    assert_eq!(geoms(&a), geoms(&b));
    assert_eq!(&*b.bodies[1].meta.origin.file, "/m/bodies.xml");
    assert_eq!(b.bodies[1].meta.origin.line, 1);
}

/// P18.16: nested includes; P18.18: in asset, worldbody, actuator and default.
#[test]
fn includes_work_everywhere_and_nest() {
    let spec = read(&[
        (
            "/m/main.xml",
            "<mujoco><default><include file='d.xml'/></default><asset><include file='a.xml'/></asset>\
             <worldbody><include file='w.xml'/></worldbody><actuator><include file='t.xml'/></actuator></mujoco>",
        ),
        ("/m/d.xml", "<x><geom size='.3'/></x>"),
        ("/m/a.xml", "<x><material name='mat'/></x>"),
        ("/m/w.xml", "<x><body><joint name='j'/><include file='c.xml'/></body></x>"),
        ("/m/c.xml", "<x><geom name='deep'/></x>"),
        ("/m/t.xml", "<x><motor joint='j'/></x>"),
    ])
    .unwrap();
    assert_eq!(geoms(&spec), ["deep"]);
    assert_eq!(spec.bodies[1].geoms[0].size[0], 0.3);
    assert_eq!((spec.materials.len(), spec.actuators.len()), (1, 1));
}

/// P18.17: a file is included at most once.
#[test]
fn repeated_includes_are_refused() {
    let twice = "<mujoco><worldbody><include file='a.xml'/><include file='./a.xml'/></worldbody></mujoco>";
    let once = "<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>";
    let geom = "<x><geom size='1'/></x>";
    let cases: [&[(&str, &str)]; 4] = [
        &[("/m/main.xml", twice), ("/m/a.xml", geom)],
        &[("/m/main.xml", once), ("/m/a.xml", "<x><include file='a.xml'/></x>")],
        &[
            ("/m/main.xml", once),
            ("/m/a.xml", "<x><include file='b.xml'/></x>"),
            ("/m/b.xml", "<x><include file='a.xml'/></x>"),
        ],
        &[("/m/main.xml", "<mujoco><include file='main.xml'/></mujoco>")],
    ];
    for files in cases {
        let error = read(files).unwrap_err();
        assert!(matches!(error, MjcfError::DuplicateInclude(_)), "{error}");
        assert!(error.to_string().contains("already included"), "{error}");
    }
}

/// Two spellings of one file load, as in the reference, which compares path strings.
#[test]
fn one_file_under_two_spellings_loads() {
    let main =
        "<mujoco><worldbody><include file='sub/a.xml'/><include file='sub/b.xml'/></worldbody></mujoco>";
    let spec = read(&[
        ("/m/main.xml", main),
        ("/m/sub/a.xml", "<x><include file='b.xml'/></x>"),
        ("/m/sub/b.xml", "<x><geom size='1'/></x>"),
    ])
    .unwrap();
    assert_eq!(geoms(&spec).len(), 2);
}

/// A cycle that is spelled differently each time still ends.
#[test]
fn cycles_in_memory_files_end() {
    let mut files = MemoryAssets::default();
    files.0.insert("a.xml".into(), b"<x><include file='x/a.xml'/></x>".to_vec());
    let error = read_str("<mujoco><include file='a.xml'/></mujoco>", "", "", &files).unwrap_err();
    assert!(matches!(error, MjcfError::CircularInclude(_) | MjcfError::DuplicateInclude(_)), "{error}");
}

/// P18.19: broken XML in an included file names that file and the place.
#[test]
fn broken_included_file_is_named() {
    let main = "<mujoco><worldbody><include file='a.xml'/></worldbody></mujoco>";
    let error = read(&[("/m/main.xml", main), ("/m/a.xml", "<x>\n<geom size=1/></x>")]).unwrap_err();
    assert!(matches!(error, MjcfError::XmlParse(_)));
    assert_eq!((&*error.diagnostic().origin.file, error.diagnostic().origin.line), ("/m/a.xml", 2));
}

/// P18.20: the main model's directory first, then that of the including file.
#[test]
fn include_paths_are_tried_in_order() {
    let main = ("/m/main.xml", "<mujoco><worldbody><include file='sub/a.xml'/></worldbody></mujoco>");
    let a = ("/m/sub/a.xml", "<x><include file='b.xml'/></x>");
    let near = ("/m/sub/b.xml", "<x><geom name='near' size='1'/></x>");
    let top = ("/m/b.xml", "<x><geom name='top' size='1'/></x>");
    assert_eq!(geoms(&read(&[main, a, near, top]).unwrap()), ["top"]);
    assert_eq!(geoms(&read(&[main, a, near]).unwrap()), ["near"]);
    assert_eq!(geoms(&read(&[main, a, top]).unwrap()), ["top"]);
}

#[test]
fn unusable_includes_are_include_errors() {
    let main = |include: &str| format!("<mujoco><worldbody>{include}</worldbody></mujoco>");
    for (include, text) in [
        ("<include file='a.xml'/>", ""),
        ("<include file='a.xml'/>", "<x/>"),
        ("<include/>", "<x><geom size='1'/></x>"),
        ("<include file='a.xml'><geom/></include>", "<x><geom size='1'/></x>"),
        ("<include file='missing.xml'/>", "<x><geom size='1'/></x>"),
    ] {
        let error = read(&[("/m/main.xml", &main(include)), ("/m/a.xml", text)]).unwrap_err();
        assert!(matches!(error, MjcfError::IncludeError(_)), "{include}: {error}");
    }
    let error = read_str(&main("<include file='a.xml'/>"), "", "/d/", &NoAssets).unwrap_err();
    assert!(error.to_string().contains("'a.xml'") && error.to_string().contains("/d/a.xml"), "{error}");
}

/// flag and lengthrange are ignored when they come through an include: a quirk of the reference.
#[test]
fn included_flag_and_lengthrange_are_ignored() {
    let spec = read(&[
        ("/m/main.xml", "<mujoco><option><include file='f.xml'/></option></mujoco>"),
        ("/m/f.xml", "<x><flag gravity='disable'/></x>"),
    ])
    .unwrap();
    assert_eq!(spec.option.disableflags, 0);
}

/// P18.6 and the fallback: a file named in an included document may stand beside it.
#[test]
fn asset_files_beside_included_documents_are_found() {
    let main = "<mujoco><compiler meshdir='meshes'/><asset><include file='sub/a.xml'/></asset></mujoco>";
    let a = "<x><mesh file='here.stl'/><mesh file='there.stl'/></x>";
    let files =
        [("/m/main.xml", main), ("/m/sub/a.xml", a), ("/m/meshes/there.stl", "x"), ("/m/sub/here.stl", "x")];
    let spec = read(&files).unwrap();
    assert_eq!((spec.meshes[0].filedir.as_str(), spec.meshes[1].filedir.as_str()), ("/m/sub/", ""));
    let path = |i: usize| {
        let mesh = &spec.meshes[i];
        crate::asset_paths::resolve_asset_path(
            spec.compiler(),
            crate::asset_paths::AssetKind::Mesh,
            &mesh.file,
            &mesh.filedir,
        )
    };
    assert_eq!((path(0).as_str(), path(1).as_str()), ("/m/sub/here.stl", "/m/meshes/there.stl"));
}
