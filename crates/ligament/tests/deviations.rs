//! Where Ligament differs from MuJoCo 3.5.0 on purpose and no other test is nearer: rows of docs/deviations.md.

mod support;
use ligament::enums::DisableBit;
use ligament::{MemoryAssets, load_model, load_model_with_assets};
use support::{Sim, all_close, close};

/// Merging bodies leaves no empty bounding volumes behind.
#[test]
fn merged_bodies_leave_no_empty_volumes() {
    let m = load_model(
        "<mujoco><compiler fusestatic='true'/><worldbody><body><joint/><geom size='.1'/><body pos='1 0 0'><geom size='.2'/>\
         <body pos='0 1 0'><geom size='.3'/></body></body></body></worldbody></mujoco>",
    )
    .unwrap();
    assert_eq!((m.nbody, m.ngeom), (2, 3));
    assert_eq!(m.nbvh, m.body_bvhnum.iter().map(|&n| n as usize).sum::<usize>());
    assert!(m.bvh_aabb.iter().all(|volume| volume[3..].iter().all(|&half| half > 0.0)));
}

/// Two meshes of one file keep their own reference poses.
#[test]
fn meshes_of_one_file_keep_their_reference_poses() {
    let mut files = MemoryAssets::default();
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    files.0.insert("t.obj".into(), cube.as_bytes().to_vec());
    let m = load_model_with_assets(
        "<mujoco><asset><mesh name='a' file='t.obj'/><mesh name='b' file='t.obj' refpos='.5 0 0'/></asset></mujoco>",
        &files,
    )
    .unwrap();
    for k in 0..3 {
        close(m.mesh_pos[0][k] - m.mesh_pos[1][k], [0.5, 0.0, 0.0][k], 1e-12);
    }
}

/// A ball on the middle of an element of a sheet.
fn ball_on_sheet(jacobian: &str, condim: usize, flags: &str) -> Sim {
    let mut sim = Sim::new(&format!(
        "<mujoco><option jacobian='{jacobian}' gravity='0 0 0'><flag {flags}/></option><worldbody>\
         <body pos='.13 .07 .058'><freejoint/><geom size='.05' condim='{condim}'/></body>\
         <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.2 .2 .2' radius='.01'><contact selfcollide='none'/></flexcomp>\
         </worldbody></mujoco>"
    ));
    sim.forward();
    sim
}

/// Rows of a contact with an element: sparse as dense, rotations included.
#[test]
fn rotations_of_element_contacts_are_the_same_in_both_storages() {
    let (dense, sparse) = (ball_on_sheet("dense", 6, ""), ball_on_sheet("sparse", 6, ""));
    assert!(dense.d.nefc >= 10 && dense.d.nefc == sparse.d.nefc);
    let nv = dense.m.nv;
    let mut full = vec![0.0; dense.d.nefc * nv];
    for row in 0..sparse.d.nefc {
        let start = sparse.d.efc_J_rowadr[row] as usize;
        for k in start..start + sparse.d.efc_J_rownnz[row] as usize {
            full[row * nv + sparse.d.efc_J_colind[k] as usize] = sparse.d.efc_J[k];
        }
    }
    all_close(&full, &dense.d.efc_J[..full.len()], 1e-12);
}

/// All trees that a contact with a flex can move share an island, and no row is lost.
#[test]
fn islands_keep_all_rows_of_flex_contacts() {
    let with = ball_on_sheet("dense", 3, "island='enable'");
    let without = ball_on_sheet("dense", 3, "island='disable'");
    assert!(with.d.nefc > 0 && with.d.nefc == without.d.nefc);
    assert!(with.d.efc_island[..with.d.nefc].iter().all(|&island| island >= 0), "{:?}", with.d.efc_island);
    all_close(&with.d.qacc, &without.d.qacc, 1e-6);
}

/// A plate that slides upwards, pressed sideways against a sheet: the first rows of a contact do not move it, the others do. All
/// of them count, as without islands.
#[test]
fn islands_have_the_trees_of_all_rows_of_a_contact() {
    let plate = |island: &str| {
        let mut sim = Sim::new(&format!(
            "<mujoco><option jacobian='dense' gravity='0 0 -5'><flag island='{island}'/></option><worldbody>\
             <body pos='.058 0 .2'><joint type='slide' axis='0 0 1'/><geom type='box' size='.05 .2 .2'/></body>\
             <flexcomp name='f' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' euler='0 90 0' pos='0 0 .2' radius='.01' \
             mass='1'><contact selfcollide='none'/></flexcomp></worldbody></mujoco>"
        ));
        sim.d.qvel[0] = 0.3;
        sim.forward();
        sim
    };
    let (with, without) = (plate("enable"), plate("disable"));
    let nefc = with.d.nefc;
    assert!(nefc > 0 && nefc == without.d.nefc);
    let (first, rows) = with.d.efc_J[..nefc * with.m.nv].split_at(with.m.nv);
    assert!(first[0] == 0.0 && rows.chunks(with.m.nv).any(|row| row[0].abs() > 0.1), "{:?}", with.d.efc_J);
    assert!(with.d.dof_island.iter().all(|&island| island == 0), "{:?}", with.d.dof_island);
    assert!(without.d.qfrc_constraint[0].abs() > 0.1, "{:?}", without.d.qfrc_constraint);
    all_close(&with.d.qacc, &without.d.qacc, 1e-6);
}

/// The factor is not updated after the last iteration.
#[test]
fn the_last_iteration_updates_no_factor() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><replicate count='4' offset='.15 0 0'><body pos='0 0 .09'><freejoint/>\
         <geom type='box' size='.1 .1 .1'/></body></replicate></worldbody></mujoco>",
    );
    sim.disable(DisableBit::Island);
    sim.steps(3);
    let iterations = sim.d.solver_niter[0] as usize;
    assert!(iterations > 0);
    assert_eq!(sim.d.solver[iterations - 1].nupdate, 0);
}

/// A geom does not touch itself.
#[test]
fn a_pair_of_a_geom_with_itself_makes_no_contact() {
    let mut sim = Sim::new(
        "<mujoco><worldbody><body><freejoint/><geom name='g' size='.1'/></body></worldbody>\
         <contact><pair geom1='g' geom2='g'/></contact></mujoco>",
    );
    sim.forward();
    assert_eq!((sim.m.npair, sim.d.ncon), (1, 0));
}

/// The octree of a mesh is looked up by the number of its geom; a number beyond the meshes means none.
#[test]
fn geoms_numbered_beyond_the_meshes_have_no_octree() {
    let mut sim = Sim::new(
        "<mujoco><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'><config key='radius1' value='.3'/>\
         <config key='radius2' value='.1'/></instance></plugin></extension><asset><mesh name='s'><plugin instance='t'/></mesh>\
         <mesh name='m' vertex='-.1 -.1 -.1 .1 -.1 -.1 0 .1 -.1 0 0 .1'/></asset><worldbody>\
         <geom type='sdf' mesh='s'><plugin instance='t'/></geom><geom size='.01' pos='5 0 0'/><geom size='.01' pos='6 0 0'/>\
         <body pos='.3 0 .12'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
    );
    assert!(sim.m.ngeom > sim.m.nmesh);
    sim.steps(3);
    assert!(sim.d.qpos.iter().all(|x| x.is_finite()));
}

/// Which bounding volumes were visited is found when a scene shows them.
#[test]
fn steps_mark_no_visited_volumes() {
    let mut sim = ball_on_sheet("auto", 3, "");
    sim.steps(2);
    assert!(sim.d.ncon > 0 && sim.m.nbvh > 0);
    assert_eq!(sim.d.bvh_active.len(), sim.m.nbvh);
    assert!(sim.d.bvh_active.iter().all(|&mark| mark == 0));
}

/// A face of a skin that names a vertex which is not there would be drawn from other memory.
#[test]
fn skin_faces_have_vertices() {
    let text = |face: &str| {
        format!(
            "<mujoco><worldbody><body name='a'><geom size='.1'/></body></worldbody><deformable><skin name='s' vertex='0 0 0 1 0 0 0 1 0'\
             face='{face}'><bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/></skin>\
             </deformable></mujoco>"
        )
    };
    assert!(load_model(&text("0 1 2")).is_ok());
    for face in ["0 1 3", "0 1 -1", "2147483647 0 1"] {
        let Err(error) = load_model(&text(face)) else { panic!("a face without vertices is refused") };
        let error = error.to_string();
        assert!(error.contains("vertex that does not exist"), "{error}");
    }
}
