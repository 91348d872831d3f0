//! Whole models with meshes. Numbers are MuJoCo 3.5.0's.

mod support;

use ligament::Model;
use support::{Sim, close};

/// A block given by its corners alone, and a ball whose hull is limited.
const HULLS: &str = r#"<mujoco><asset>
    <mesh name="c" vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 0 1 0 3 0 2 3 1 2 3"/>
    <mesh name="b" builtin="sphere" params="1" maxhullvert="12"/>
    <mesh name="d" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3 1 1 2" inertia="shell"/>
  </asset><worldbody>
    <geom type="mesh" mesh="c"/><geom type="mesh" mesh="b"/><geom type="mesh" mesh="d" contype="0" conaffinity="0"/>
  </worldbody></mujoco>"#;

fn load(xml: &str) -> Model {
    Sim::new(xml).m
}

/// Values that are no numbers (normals of degenerate sides) count too: bytes are compared.
#[test]
fn compiling_twice_gives_the_same_bytes() {
    let (first, second) = (load(HULLS).to_bytes(), load(HULLS).to_bytes());
    assert!(first == second);
}

#[test]
fn a_mesh_without_faces_has_the_triangles_and_sides_of_the_reference() {
    let m = load(HULLS);
    let faces = [
        [2, 4, 0],
        [4, 1, 0],
        [1, 5, 0],
        [5, 3, 0],
        [4, 5, 1],
        [5, 4, 7],
        [6, 2, 0],
        [3, 6, 0],
        [6, 4, 2],
        [4, 6, 7],
        [5, 6, 3],
        [6, 5, 7],
    ];
    assert_eq!(m.mesh_face[..12], faces);
    let sides = [5, 1, 4, 7, 4, 2, 6, 7, 6, 3, 5, 7, 2, 4, 1, 0, 1, 5, 3, 0, 6, 2, 0, 3];
    assert_eq!(m.mesh_polyvert[..24], sides);
    assert_eq!(m.mesh_polynum[..2], [6, 18]);
    assert_eq!(m.mesh_normal[0], [-1.0, 0.0, 0.0]);
}

#[test]
fn maxhullvert_limits_the_hull() {
    let m = load(HULLS);
    let at = m.mesh_graphadr[1] as usize;
    assert_eq!(at, 98);
    assert_eq!(m.mesh_graph[at..at + 2], [12, 20]);
}

#[test]
fn a_mesh_of_a_distance_plugin_is_sampled_and_collides() {
    let settings = r#"<config key="radius1" value="0.5"/><config key="radius2" value="0.02"/>"#;
    let xml = format!(
        r#"<mujoco><extension><plugin plugin="mujoco.sdf.torus"/></extension>
  <asset><mesh name="t"><plugin plugin="mujoco.sdf.torus">{settings}</plugin></mesh></asset>
  <worldbody>
    <geom type="sdf" mesh="t"><plugin plugin="mujoco.sdf.torus">{settings}</plugin></geom>
    <body pos="0.45 0 0.08"><freejoint/><geom size="0.1"/></body>
  </worldbody></mujoco>"#
    );
    let mut sim = Sim::new(&xml);
    let m = &sim.m;
    assert_eq!((m.nmeshvert, m.nmeshface, m.noct), (9376, 18752, 0));
    assert_eq!(m.mesh_face[0], [1, 0, 2]);
    assert_eq!(m.mesh_vert[0], [-0.056_124_132, -0.512_925_15, -0.012]);
    // neither moved nor turned: the field stays where it is
    assert_eq!(m.mesh_pos[0], [0.0; 3]);
    let contacts = &sim.forward().d.contact;
    assert_eq!(contacts.len(), 40);
    close(contacts[0].dist, -0.00493037411669368, 1e-12);
    close(contacts[0].pos[0], 0.4926436457447681, 1e-12);
}
