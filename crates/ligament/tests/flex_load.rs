//! `<flex>` as data: topology, elasticity, rigidity (spec item 42).

use ligament::{Model, load_model};

/// Four vertices on three slides each, a body without joints and one with a rotated vertex.
fn with_sections(sections: &str) -> String {
    let slides = "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>\
                  <joint type='slide' axis='0 0 1'/><geom size='.01' contype='0' conaffinity='0'/></body>";
    format!(
        "<mujoco><worldbody><body name='v0'>{slides}<body name='v1' pos='.3 0 0'>{slides}\
         <body name='v2' pos='.05 .2 .02'>{slides}<body name='v3' pos='.35 .25 0'>{slides}\
         <body name='r'><geom size='.1'/></body><body name='q'><geom size='.1'/></body></worldbody>\
         {sections}</mujoco>"
    )
}

fn load(sections: &str) -> Model {
    load_model(&with_sections(sections)).unwrap_or_else(|error| panic!("{error}"))
}

fn flex(attributes: &str, children: &str) -> String {
    format!("<deformable><flex name='f' {attributes}>{children}</flex></deformable>")
}

fn refuse(attributes: &str, children: &str, phrase: &str) {
    let xml = with_sections(&flex(attributes, children));
    let error = load_model(&xml).err().unwrap_or_else(|| panic!("accepted: {attributes} {children}"));
    assert!(error.to_string().contains(phrase), "{error}\nshould contain: {phrase}");
}

fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() <= 1e-12 * y.abs().max(1.0), "{found:?}\n{expected:?}");
    }
}

/// C42B.1, C42B.4, C42B.5, C42C.1: two triangles: edges, flaps, border, stiffness and bending
#[test]
fn surface() {
    let m = load(&flex(
        "dim='2' body='v0 v1 v2 v3' element='0 1 2 2 1 3' radius='.01'",
        "<elasticity young='1e4' poisson='.3' thickness='.01' elastic2d='both' damping='.1'/><edge damping='.2'/>",
    ));
    assert_eq!(m.flex_edge, [[1, 2], [0, 2], [0, 1], [1, 3], [2, 3]]);
    assert_eq!(m.flex_edgeflap, [[0, 3], [1, -1], [2, -1], [2, -1], [1, -1]]);
    assert_eq!(m.flex_elemedge, [0, 1, 2, 3, 4, 0]);
    assert_eq!(m.flex_shell, [0, 1, 2, 0, 1, 3, 3, 2]);
    assert_eq!(m.flex_evpair, [[1, 0], [0, 3]]);
    assert_eq!((m.nJfe, m.nJfv), (30, 42));
    assert_eq!((m.flex_rigid[0], m.flex_centered[0], m.flex_bvhnum[0]), (0, 1, 3));
    close(
        &m.flex_stiffness[0][..6],
        &[
            52.19982403737902,
            21.807487924878565,
            -16.923005335369574,
            348.2290718864093,
            74.84606149782985,
            82.53788812110719,
        ],
    );
    close(
        &m.flex_bending[0][..4],
        &[0.013342885024168354, 0.01723277572825811, -0.016711075845913793, -0.013864584906512671],
    );
    assert!((m.flex_bending[0][16] + 9.85275396778819e-05).abs() < 1e-15);
    assert_eq!(m.flex_bending[1], [0.0; 17]);
    close(&m.flex_size[0], &[0.175, 0.125, 0.01]);
    close(&m.flex_vert0[2], &[0.14285714285714285, 0.8, 1.0]);
}

/// C42C.1: a tetrahedron is turned outwards; its stiffness
#[test]
fn solid() {
    let m = load(&flex(
        "dim='3' body='v0 v1 v2 v3' element='0 1 3 2' radius='.01'",
        "<elasticity young='1e4' poisson='.3'/>",
    ));
    assert_eq!(m.flex_elem, [0, 3, 1, 2]);
    assert_eq!(m.flex_edge, [[0, 3], [1, 3], [0, 1], [1, 2], [0, 2], [2, 3]]);
    assert_eq!(m.flex_shell, [0, 1, 2, 0, 3, 1, 0, 2, 3, 3, 2, 1]);
    assert_eq!((m.nJfe, m.nJfv, m.nflexevpair), (36, 48, 0));
    close(&m.flex_stiffness[0][..3], &[9031833.333333328, -7228730.769230765, -8702705.128205122]);
    close(&m.flex_stiffness[0][18..], &[14053018.162393153, 11621794.871794865, 9634615.384615377]);
}

/// C42A-ii.1: rigid flexes and edges are found from the bodies of vertices
#[test]
fn rigidity() {
    let m = load(&flex("dim='1' body='r' vertex='0 0 0 1 0 0 2 0 0' element='0 1 1 2'", ""));
    assert_eq!((m.flex_rigid[0], m.flexedge_rigid.as_slice()), (1, [1, 1].as_slice()));
    assert_eq!(m.flex_vertbodyid, [5, 5, 5]);
    let m = load(&flex("dim='1' body='r q v0' vertex='0 0 0 1 0 0 2 0 0' element='0 1 1 2'", ""));
    assert_eq!((m.flex_rigid[0], m.flexedge_rigid.as_slice()), (0, [1, 0].as_slice()));
    assert_eq!(m.flex_centered, [0]);
}

/// C42.2: which equality constraint acts on a flex is marked on it
#[test]
fn equality_marks() {
    let line = flex("dim='1' body='v0 v1' element='0 1'", "");
    assert_eq!(load(&line).flex_edgeequality, [0]);
    assert_eq!(load(&format!("{line}<equality><flex flex='f'/></equality>")).flex_edgeequality, [1]);
    let sheet = flex("dim='2' body='v0 v1 v3' element='0 1 2'", "");
    assert_eq!(load(&format!("{sheet}<equality><flexvert flex='f'/></equality>")).flex_edgeequality, [2]);
    let rigid = flex("dim='1' body='r' vertex='0 0 0 1 0 0' element='0 1'", "");
    let xml = with_sections(&format!("{rigid}<equality><flex flex='f'/></equality>"));
    let error = load_model(&xml).expect_err("refused").to_string();
    assert!(error.contains("rigid flex 'f' in equality constraint 0"), "{error}");
}

/// C42.1: flexes that make no sense are refused
#[test]
fn refused() {
    refuse("dim='2' body='v0 v1 v2' element='0 1'", "", "elem size must be multiple of (dim+1)");
    refuse("dim='1' body='v0 v1' element='0 2'", "", "elem vertex id out of range");
    refuse("dim='1' body='v0 v1' element='0 0'", "", "repeated vertex in element");
    refuse("dim='2' body='v0 v1' element='0 1 0'", "", "not enough vertices");
    refuse("dim='1' body='v0 nope' element='0 1'", "", "unknown body 'nope' in flex");
    refuse(
        "dim='1' body='v0 v1' vertex='0 0 0 1 0 0 2 0 0' element='0 1'",
        "",
        "vertbody size must be 1 or nvert",
    );
    refuse("dim='1' body='v0 v1' vertex='0 0 0 1' element='0 1'", "", "vert size must be a multiple of 3");
    refuse("dim='1' body='v0 v1' element='0 1' material='nope'", "", "unknown material 'nope' in flex");
    let sheet = "dim='2' body='v0 v1 v2' element='0 1 2'";
    refuse(sheet, "<edge stiffness='1'/>", "edge stiffness only available for dim=1");
    refuse(sheet, "<elasticity young='1' poisson='.5'/>", "Poisson ratio must be in [0, 0.5)");
    refuse(
        sheet,
        "<elasticity young='1' elastic2d='bend'/>",
        "thickness must be positive for bending stiffness",
    );
    refuse(
        "dim='2' body='v0 v1 r' element='0 1 2'",
        "<elasticity young='1' elastic2d='bend' thickness='1'/>",
        "pins are not supported for bending",
    );
    refuse(sheet, "<contact selfcollide='true'/>", "");
}
