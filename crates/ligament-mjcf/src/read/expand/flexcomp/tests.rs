use super::*;
use crate::assets::NoAssets;

fn expanded(change: impl FnOnce(&mut FlexComp)) -> diag::Result<Spec> {
    let mut spec = Spec::default();
    let mut flexcomp = FlexComp { name: "f".into(), ..FlexComp::default() };
    change(&mut flexcomp);
    flexcomp.expand(&mut spec, BodyId(0), &NoAssets)?;
    Ok(spec)
}

fn message(change: impl FnOnce(&mut FlexComp)) -> String {
    expanded(change).unwrap_err().diagnostic().message.clone()
}

/// C42.2: a 4×4 grid has 16 vertices, 18 triangles and 48 slides.
#[test]
fn grid_makes_sixteen_bodies() {
    let spec = expanded(|f| f.count = [4, 4, 1]).unwrap();
    let flex = &spec.flexes[0];
    assert_eq!(spec.bodies.len(), 17);
    assert_eq!(flex.elem.len(), 3 * 18);
    assert_eq!(flex.elem[..6], [0, 4, 5, 0, 5, 1]);
    assert_eq!(flex.vertbody[15], "f_15");
    assert!(flex.vert.is_empty(), "nothing pinned: vertices at the body origins");
    let body = &spec.bodies[1];
    assert_eq!(body.joints.len(), 3);
    assert_eq!(body.pos, [-0.03, -0.03, 0.0]);
    assert_eq!(body.mass, 1.0 / 16.0);
}

/// Counts of points and elements measured in MuJoCo 3.5.0 with count 4 5 6.
#[test]
fn every_shape_has_the_reference_size() {
    let cases = [
        (FlexCompKind::Grid, 1, [4, 1, 1], 4, 3),
        (FlexCompKind::Circle, 1, [6, 1, 1], 5, 5),
        (FlexCompKind::Grid, 3, [4, 5, 6], 120, 360),
        (FlexCompKind::Box, 3, [4, 5, 6], 97, 188),
        (FlexCompKind::Ellipsoid, 3, [4, 5, 6], 97, 188),
        (FlexCompKind::Box, 2, [4, 5, 6], 90, 164),
        (FlexCompKind::Cylinder, 2, [4, 5, 6], 90, 164),
        (FlexCompKind::Disc, 2, [4, 5, 1], 20, 24),
        (FlexCompKind::Square, 1, [4, 5, 1], 20, 24),
    ];
    for (kind, dim, count, points, elements) in cases {
        let spec = expanded(|f| {
            f.kind = kind;
            f.flex.dim = dim;
            f.count = count;
        })
        .unwrap();
        let flex = &spec.flexes[0];
        assert_eq!(flex.vertbody.len(), points, "{kind:?}");
        assert_eq!(flex.elem.len() / (flex.dim as usize + 1), elements, "{kind:?}");
    }
}

/// Pins by id, range and grid leave their vertices in the parent.
#[test]
fn pinned_vertices_stay_in_the_parent() {
    let spec = expanded(|f| {
        f.count = [3, 3, 1];
        f.pinid = vec![0];
        f.pinrange = vec![1, 2];
        f.pingrid = vec![2, 2];
    })
    .unwrap();
    let flex = &spec.flexes[0];
    let parent: Vec<usize> = (0..9).filter(|&i| flex.vertbody[i] == "world").collect();
    assert_eq!(parent, [0, 1, 2, 8]);
    assert_eq!(flex.vert[3 * 8..], [0.02, 0.02, 0.0]);
    assert_eq!(flex.vert[9..12], [0.0; 3], "a free vertex lies at its body");
}

/// Interpolated flexes have 8 or 27 nodes; the vertices belong to the parent.
#[test]
fn interpolated_flexes_have_nodes() {
    for (dof, nodes) in [(FlexCompDof::Trilinear, 8), (FlexCompDof::Quadratic, 27)] {
        let spec = expanded(|f| {
            f.flex.dim = 3;
            f.count = [4, 4, 4];
            f.dof = dof;
        })
        .unwrap();
        let flex = &spec.flexes[0];
        assert_eq!(flex.nodebody.len(), nodes);
        assert!(flex.vertbody.iter().all(|b| b == "world"));
        assert_eq!(flex.vert.len(), 3 * 64);
        let mass: f64 = spec.bodies.iter().map(|b| b.mass).sum();
        assert!((mass - 1.0).abs() < 1e-14);
    }
}

/// Points that no element uses vanish, the rest is renumbered.
#[test]
fn unused_points_are_dropped() {
    let spec = expanded(|f| {
        f.kind = FlexCompKind::Direct;
        f.point = (0..12).map(f64::from).collect();
        f.element = vec![0, 2, 3];
        f.scale = [2.0; 3];
    })
    .unwrap();
    assert_eq!(spec.flexes[0].elem, [0, 1, 2]);
    assert_eq!(spec.bodies.len(), 4);
    assert_eq!(spec.bodies[2].pos, [12.0, 14.0, 16.0]);
}

#[test]
fn everything_pinned_is_rigid() {
    let spec = expanded(|f| {
        f.count = [2, 2, 1];
        f.pinrange = vec![0, 3];
    })
    .unwrap();
    assert_eq!(spec.bodies.len(), 1);
    assert_eq!(spec.flexes[0].vertbody, ["world"]);
}

#[test]
fn mistakes_are_named() {
    assert_eq!(message(|f| f.flex.dim = 4), "Invalid dim, must be between 1 and 3");
    assert_eq!(message(|f| f.count = [0, 1, 1]), "Count too small");
    assert_eq!(message(|f| f.spacing[0] = 0.001), "Spacing must be larger than geometry size");
    assert_eq!(message(|f| f.mass = 0.0), "Mass and inertiabox must be larger than mjMINVAL");
    assert_eq!(message(|f| f.kind = FlexCompKind::Direct), "Point and element required");
    assert_eq!(message(|f| f.kind = FlexCompKind::Gmsh), "File is required");
    assert_eq!(
        message(|f| {
            f.count = [3, 3, 1];
            f.pinid = vec![9];
        }),
        "pinid out of range"
    );
    assert!(message(|f| f.count = [3, 3, 2]).contains("number of points is 9"));
}

/// A surface mesh gives triangles, or tetrahedra towards the given origin.
#[test]
fn mesh_files_make_surfaces_and_solids() {
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\n".to_vec();
    let assets = crate::assets::MemoryAssets([("m/t.obj".to_string(), obj)].into());
    let make = |dim: i32| {
        let mut spec = Spec::default();
        spec.compilers[0].meshdir = "m".into();
        let mut flexcomp = FlexComp { name: "f".into(), kind: FlexCompKind::Mesh, ..FlexComp::default() };
        flexcomp.file = "t.obj".into();
        flexcomp.mesh_origin = [0.2; 3];
        flexcomp.flex.dim = dim;
        flexcomp.expand(&mut spec, BodyId(0), &assets).map(|()| spec.flexes.remove(0))
    };
    assert_eq!(make(2).unwrap().elem, [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    let solid = make(3).unwrap();
    assert_eq!(solid.elem.len(), 16);
    assert_eq!(solid.vertbody.len(), 5);
    assert_eq!(make(1).unwrap_err().diagnostic().message, "Flex dim must be at least 2 for mesh");
}
