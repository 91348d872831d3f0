use super::*;
use ligament_mjcf::assets::{MemoryAssets, NoAssets};

const FACES: [i32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

/// A corner tetrahedron, stretched and moved.
fn tetrahedron(inertia: MeshInertia) -> Mesh {
    Mesh {
        meta: Meta { name: "m".into(), ..Meta::default() },
        inertia,
        scale: [1.0, 2.0, 3.0],
        refpos: [0.1, 0.0, 0.0],
        uservert: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        userface: FACES.to_vec(),
        ..Mesh::default()
    }
}

fn compile_one(mesh: &Mesh) -> Result<CompiledMesh> {
    compile_mesh(
        &Spec::default(),
        mesh,
        Needs { hull: true, sdf: false },
        &Plugins::default(),
        &NoAssets,
        &Effort::unlimited(),
    )
}

fn message(mesh: &Mesh) -> String {
    compile_one(mesh).unwrap_err().to_string()
}

#[test]
fn volume_and_centre_of_every_inertia_mode() {
    for mode in [MeshInertia::Legacy, MeshInertia::Exact, MeshInertia::Convex] {
        let mesh = compile_one(&tetrahedron(mode)).unwrap();
        assert!((mesh.volume - 1.0).abs() < 1e-7, "{mode:?}");
        for (a, b) in mesh.pose.pos.iter().zip([0.15, 0.5, 0.75]) {
            assert!((a - b).abs() < 1e-7, "{mode:?}");
        }
        // moments of the solid: V/80 (3b²+3c², …) for edges a, b, c
        let moments = ligament_math::vec3::norm(mesh.inertia_box);
        let expected = (3.0 * (1.0 + 4.0 + 9.0) / 80.0 * 3.0_f64).sqrt();
        assert!((moments - expected).abs() < 1e-6, "{moments} {expected}");
    }
    // faces of 1, 1.5, 3 and the slanted 3.5
    let shell = compile_one(&tetrahedron(MeshInertia::Shell)).unwrap();
    assert!((shell.volume - 9.0).abs() < 1e-6);
}

#[test]
fn a_mesh_without_faces_takes_them_from_its_hull() {
    let mesh = compile_one(&Mesh { userface: Vec::new(), ..tetrahedron(MeshInertia::Legacy) }).unwrap();
    assert_eq!(mesh.face.len(), 4);
    assert_eq!(mesh.graph.len(), 2 + 3 * 4 + 6 * 4);
    assert_eq!(mesh.bvh.len(), 7);
}

#[test]
fn wrong_meshes_are_refused_in_the_words_of_the_reference() {
    let base = tetrahedron(MeshInertia::Exact);
    let short = Mesh { uservert: vec![0.0; 9], userface: Vec::new(), ..base.clone() };
    assert!(message(&short).contains("at least 4 vertices required"));
    let index = Mesh { userface: vec![0, 1, 9], ..base.clone() };
    assert!(message(&index).contains("vertex index 9 does not exist"));
    let infinite = Mesh { uservert: vec![f32::INFINITY; 12], ..base.clone() };
    assert!(message(&infinite).contains("is not finite"));
    let mut turned = FACES.to_vec();
    turned.swap(0, 1);
    assert!(message(&Mesh { userface: turned, ..base.clone() }).contains("inconsistent orientation"));
    let inside_out: Vec<i32> = FACES.chunks(3).flat_map(|f| [f[0], f[2], f[1]]).collect();
    assert!(message(&Mesh { userface: inside_out, ..base.clone() }).contains("volume is negative"));
    let flat = Mesh { scale: [1.0, 1.0, 0.0], ..base };
    assert!(message(&flat).contains("volume is too small"));
}

#[test]
fn builtin_shapes_have_the_reference_counts() {
    let count = |builtin, params: &[f64]| {
        let mesh = Mesh { builtin, params: params.to_vec(), ..Mesh::default() };
        let mesh = compile_one(&mesh).unwrap();
        (mesh.vert.len(), mesh.face.len())
    };
    assert_eq!(count(MeshBuiltin::Sphere, &[1.0]), (42, 80));
    assert_eq!(count(MeshBuiltin::Hemisphere, &[2.0]), (26, 48));
    assert_eq!(count(MeshBuiltin::Supersphere, &[5.0, 1.0, 1.0]), (22, 40));
    assert_eq!(count(MeshBuiltin::Supertorus, &[4.0, 0.5, 1.0, 1.0]), (16, 32));
    assert_eq!(count(MeshBuiltin::Cone, &[6.0, 0.0]), (7, 10));
    let bad = Mesh { builtin: MeshBuiltin::Sphere, params: vec![9.0], ..Mesh::default() };
    assert!(message(&bad).contains("cannot be greater than 4"));
}

/// P18.6: meshdir is where mesh files are.
#[test]
fn files_are_read_from_meshdir_and_missing_ones_named() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n".to_vec();
    let assets = MemoryAssets([("model/assets/a.obj".to_string(), text)].into());
    let mut spec = Spec::default();
    spec.compilers[0].modeldir = "model/".into();
    spec.compilers[0].meshdir = "assets".into();
    spec.meshes = vec![Mesh { file: "a.obj".into(), ..Mesh::default() }];
    assert_eq!(compile_meshes(&spec, &Plugins::default(), &assets).unwrap()[0].path, "a.obj");
    spec.meshes[0].file = "b.obj".into();
    let error = compile_meshes(&spec, &Plugins::default(), &assets).unwrap_err();
    assert!(matches!(error, MjcfError::Asset(_)));
    assert!(error.to_string().contains("Error opening file 'model/assets/b.obj'"));
}

#[test]
fn threads_change_neither_meshes_nor_which_error_comes_first() {
    let sphere = |level| Mesh { builtin: MeshBuiltin::Sphere, params: vec![level], ..Mesh::default() };
    let mut spec = Spec { meshes: (0..12).map(|i| sphere((i % 5) as _)).collect(), ..Spec::default() };
    let mut with = |threads: bool, change: fn(&mut Spec)| {
        spec.compilers[0].usethread = threads;
        change(&mut spec);
        compile_meshes(&spec, &Plugins::default(), &NoAssets).map_err(|e| e.to_string())
    };
    let alone = with(false, |_| ()).unwrap();
    assert_eq!(alone.len(), 12);
    assert_eq!(with(true, |_| ()).unwrap(), alone);
    let spoil = |spec: &mut Spec| {
        spec.meshes[3] = Mesh { file: "third.obj".into(), ..Mesh::default() };
        spec.meshes[9] = Mesh { file: "ninth.obj".into(), ..Mesh::default() };
    };
    assert!(with(true, spoil).unwrap_err().contains("third.obj"));
}

/// Triangles that fill a whole box are in all cubes of an octree: once gigabytes and minutes.
#[test]
fn octrees_that_take_too_long_name_their_mesh() {
    let points = (0..3000).flat_map(|i: i32| [7, 11, 13].map(|k| (f64::from(i) * f64::from(k)).sin() as f32));
    let faces = (0..2998).flat_map(|i: i32| [i, i + 1, i + 2]);
    let (uservert, userface) = (points.collect(), faces.collect());
    let mesh = Mesh { uservert, userface, ..tetrahedron(MeshInertia::Shell) };
    let needs = Needs { hull: false, sdf: true };
    let effort = Effort::new(1 << 22);
    let refusal = compile_mesh(&Spec::default(), &mesh, needs, &Plugins::default(), &NoAssets, &effort);
    let refusal = refusal.unwrap_err().to_string();
    assert!(refusal.contains("takes too long") && refusal.contains("'m'"), "{refusal}");
}

/// Builtin meshes share the budget of the hulls.
#[test]
fn builtin_meshes_of_a_model_are_counted_together() {
    let mesh = Mesh { builtin: MeshBuiltin::Sphere, params: vec![4.0], ..Mesh::default() };
    let effort = Effort::new(1 << 20);
    let compile =
        || compile_mesh(&Spec::default(), &mesh, Needs::default(), &Plugins::default(), &NoAssets, &effort);
    let made = (0..1000).take_while(|_| compile().is_ok()).count();
    assert!((2..100).contains(&made), "{made}");
    assert!(compile().unwrap_err().to_string().contains("take too long"));
}

#[test]
fn hulls_that_take_too_long_name_their_mesh() {
    let corners = (0..4000).map(f64::from).flat_map(|i| [i.cos() as f32, i.sin() as f32, (i % 2.0) as f32]);
    let mesh = Mesh { uservert: corners.collect(), userface: Vec::new(), ..tetrahedron(MeshInertia::Convex) };
    let needs = Needs { hull: true, sdf: false };
    let within = |effort: Effort| {
        compile_mesh(&Spec::default(), &mesh, needs, &Plugins::default(), &NoAssets, &effort)
    };
    let refusal = within(Effort::new(100_000)).unwrap_err().to_string();
    assert!(refusal.contains("the convex hull of mesh 'm' takes too long"), "{refusal}");
    assert!(within(Effort::unlimited()).is_ok());
}
