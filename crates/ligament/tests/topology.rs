//! Tables that follow from the shape of the tree, and sparse patterns (numbers from MuJoCo 3.5.0).

use ligament::enums::ObjType;
use ligament::spec::{Body, BodyId};
use ligament::{Model, NoAssets, Spec, compile, load_model};

fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|error| panic!("{error}"))
}

/// Bodies are numbered depth first; elements are grouped by body
#[test]
fn ids_are_depth_first() {
    let m = load(
        "<mujoco><worldbody><body name='a'><joint name='ja'/><geom name='ga' size='1'/><body name='b'><joint name='jb'/>\
         <geom name='gb' size='1'/></body></body><body name='c'><geom name='gc' size='1'/></body><geom name='w' size='1'/>\
         </worldbody></mujoco>",
    );
    for (id, name) in ["world", "a", "b", "c"].iter().enumerate() {
        assert_eq!(m.name(ObjType::Body, id), Some(*name));
    }
    for (id, name) in ["w", "ga", "gb", "gc"].iter().enumerate() {
        assert_eq!(m.id(ObjType::Geom, name), Some(id));
    }
    assert_eq!(m.body_rootid, [0, 1, 1, 3]);
    assert_eq!(m.body_weldid, [0, 1, 2, 0]);
    assert_eq!(m.body_treeid, [-1, 0, 0, -1]);
    assert_eq!(m.dof_parentid, [-1, 0]);
}

/// M, D and B of a branching tree
#[test]
fn sparse_patterns_follow_the_tree() {
    let m = load(
        "<mujoco><worldbody><body pos='0 0 1'><joint/><geom size='.1' pos='1 0 0'/><body><joint axis='1 0 0'/>\
         <geom size='.1' pos='1 0 0'/></body><body><joint axis='0 1 0'/><geom size='.1' pos='1 0 0'/></body></body>\
         <body><joint type='slide'/><geom size='.1'/></body></worldbody></mujoco>",
    );
    assert_eq!((m.nM, m.nC, m.nD, m.nB), (6, 6, 8, 12));
    assert_eq!(m.M_rownnz, [1, 2, 2, 1]);
    assert_eq!(m.M_colind, [0, 0, 1, 0, 2, 3]);
    assert_eq!(m.mapM2M, [0, 2, 1, 4, 3, 5]);
    assert_eq!(m.D_rownnz, [3, 2, 2, 1]);
    assert_eq!(m.D_colind, [0, 1, 2, 0, 1, 0, 2, 3]);
    assert_eq!(m.D_diag, [0, 1, 1, 0]);
    assert_eq!(m.mapM2D, [0, 1, 3, 1, 2, 3, 4, 5]);
    assert_eq!(m.mapD2M, [0, 3, 4, 5, 6, 7]);
    assert_eq!(m.B_rownnz, [4, 3, 2, 2, 1]);
    assert_eq!(m.body_simple, [1, 0, 0, 0, 2]);
    assert_eq!(m.dof_simplenum, [0, 0, 0, 1]);
}

/// Nesting depth is not stack depth. Text stops at 500 levels, as in the reference; code may go on.
#[test]
fn deep_nesting_compiles() {
    let depth = 10_000;
    let mut spec = Spec::default();
    for parent in 0..depth {
        let child = BodyId(spec.bodies.len() as u32);
        spec.bodies[parent as usize].children.push(child);
        spec.bodies.push(Body { parent: Some(BodyId(parent)), pos: [0.0, 0.0, 0.1], ..Body::default() });
    }
    let m = compile(&spec, &NoAssets).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(m.nbody, depth as usize + 1);
    assert_eq!(m.body_parentid[10_000], 9_999);
}

/// An empty model has the world and nothing else
#[test]
fn empty_model_loads() {
    let m = load("<mujoco/>");
    assert_eq!((m.nbody, m.nv, m.ngeom, m.nnames), (1, 0, 0, 19));
}

/// The same name twice in a kind is an error; in two kinds it is not
#[test]
fn names_are_unique_by_kind() {
    load("<mujoco><worldbody><geom name='x' size='1'/><site name='x'/></worldbody></mujoco>");
    let error = load_model(
        "<mujoco><worldbody><geom name='x' size='1'/><geom name='x' size='1'/></worldbody></mujoco>",
    );
    assert!(error.unwrap_err().to_string().contains("repeated name 'x' in geom"));
}
