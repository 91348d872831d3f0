//! `fusestatic` and `discardvisual` (spec item 18).

use ligament::enums::ObjType;
use ligament::{Model, load_model};

fn load(xml: &str) -> Model {
    load_model(xml).unwrap_or_else(|error| panic!("{error}"))
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-12, "{a:?} and {b:?} differ");
    }
}

/// A moving body with a static child 's' that carries a geom, a site, a camera and a light.
fn model_with_static_child(extra: &str) -> String {
    format!(
        "<mujoco><compiler fusestatic='true'/><worldbody><body name='a'><joint name='j'/><geom size='.1'/>\
         <body name='s' pos='1 0 0' euler='0 0 90'><geom name='g' size='.1' pos='0 1 0'/><site name='x' pos='1 0 0'/><site name='y'/>\
         <camera pos='0 0 1'/><light pos='0 0 1' dir='1 0 0'/>\
         <body name='c' pos='0 0 1'><joint/><geom size='.1'/></body></body></body></worldbody>{extra}</mujoco>"
    )
}

/// P18.D9: a static body merges into its parent with everything it carries
#[test]
fn static_bodies_merge() {
    let m = load(&model_with_static_child(""));
    assert_eq!((m.nbody, m.ngeom, m.nsite, m.ncam, m.nlight), (3, 3, 2, 1, 1));
    assert_eq!(m.body_parentid, [0, 0, 1]);
    assert_eq!(m.geom_bodyid, [1, 1, 2]);
    close(&m.geom_pos[1], &[0.0, 0.0, 0.0]);
    close(&m.site_pos[0], &[1.0, 1.0, 0.0]);
    close(&m.cam_pos[0], &[1.0, 0.0, 1.0]);
    close(&m.light_dir[0], &[0.0, 1.0, 0.0]);
    close(&m.body_pos[2], &[1.0, 0.0, 1.0]);
    close(&[m.body_mass[1]], &[2.0 * 4.188790204786391]);
}

/// P18.D9: a reference to a named body keeps it; references to its geoms and sites do not
#[test]
fn references_keep_static_bodies() {
    let keeps = [
        "<contact><exclude body1='s' body2='c'/></contact>",
        "<equality><weld body1='s'/></equality>",
        "<equality><connect body1='a' body2='s' anchor='0 0 0'/></equality>",
        "<actuator><adhesion body='s' ctrlrange='0 1'/></actuator>",
        "<sensor><framepos objtype='body' objname='s'/></sensor>",
        "<sensor><framepos objtype='site' objname='x' reftype='xbody' refname='s'/></sensor>",
        "<sensor><force site='x'/></sensor>",
        "<sensor><torque site='x'/></sensor>",
        "<custom><tuple name='t'><element objtype='body' objname='s'/></tuple></custom>",
    ];
    for extra in keeps {
        assert_eq!(load(&model_with_static_child(extra)).nbody, 4, "{extra}");
    }
    let merges = [
        "<sensor><framepos objtype='geom' objname='g'/></sensor>",
        "<sensor><framepos objtype='site' objname='x'/></sensor>",
        "<equality><weld site1='x' site2='y'/></equality>",
        "<actuator><general site='x'/></actuator>",
    ];
    for extra in merges {
        assert_eq!(load(&model_with_static_child(extra)).nbody, 3, "{extra}");
    }
}

/// P18.D9: mocap bodies stay, targets of cameras stay
#[test]
fn mocap_and_target_bodies_stay() {
    let xml = "<mujoco><compiler fusestatic='true'/><worldbody><body name='m' mocap='true'/>\
               <body name='t'/><body name='u'/><camera mode='targetbody' target='t'/></worldbody></mujoco>";
    let m = load(xml);
    assert_eq!(m.nbody, 3);
    assert_eq!(m.cam_targetbodyid[0], 2);
    assert_eq!(m.id(ObjType::Body, "t"), Some(2));
}

/// Deviation from 3.5.0: the inertia of a merged body is turned with it. Inertia (1, 2, 2.5) turned by 90° about
/// z has 2 about x; with the parent's 1 that makes 3 (3.5.0 adds 1 and arrives at 2).
#[test]
fn merged_inertia_is_rotated() {
    let xml = "<mujoco><compiler fusestatic='true'/><worldbody><body><joint axis='1 0 0'/>\
               <inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body euler='0 0 90'>\
               <inertial pos='0 0 0' mass='1' diaginertia='1 2 2.5'/></body></body></worldbody></mujoco>";
    let m = load(xml);
    close(&[m.dof_M0[0]], &[3.0]);
}

/// A free joint in a static body becomes legal when that merges into the world
#[test]
fn merging_can_bring_free_joints_to_the_top() {
    let xml = |fuse: &str| {
        format!(
            "<mujoco><compiler fusestatic='{fuse}'/><worldbody><body pos='0 0 1'><body pos='1 0 0'><freejoint/>\
             <geom size='.1'/></body></body></worldbody></mujoco>"
        )
    };
    close(&load(&xml("true")).qpos0[..3], &[1.0, 0.0, 1.0]);
    let message = load_model(&xml("false")).unwrap_err().to_string();
    assert!(message.contains("free joint can only be used on top level"), "{message}");
}

/// P18.D8: what is only seen is dropped; masses stay
#[test]
fn visual_elements_are_discarded() {
    let xml = |discard: &str, extra: &str| {
        format!(
            "<mujoco><compiler discardvisual='{discard}'/><asset><texture name='t' builtin='flat' width='4' height='4' \
             type='2d'/><material name='m' texture='t'/></asset><worldbody><body><joint/>\
             <geom name='v' size='.1' contype='0' conaffinity='0' material='m'/><geom name='w' size='.2' material='m'/>\
             <site name='s' pos='0 0 .5'/><site name='s2' pos='0 0 -.5'/></body></worldbody>{extra}</mujoco>"
        )
    };
    let (full, lean) = (load(&xml("false", "")), load(&xml("true", "")));
    assert_eq!((full.ngeom, full.nmat, full.ntex), (2, 1, 1));
    assert_eq!((lean.ngeom, lean.nmat, lean.ntex), (1, 0, 0));
    assert_eq!(lean.geom_matid[0], -1);
    assert_eq!(full.body_mass, lean.body_mass);
    assert_eq!(full.body_inertia, lean.body_inertia);
    let references = [
        "<contact><pair geom1='v' geom2='w'/></contact>",
        "<sensor><framepos objtype='geom' objname='v'/></sensor>",
        "<custom><tuple name='t'><element objtype='geom' objname='v'/></tuple></custom>",
        "<tendon><spatial><site site='s'/><geom geom='v'/><site site='s2'/></spatial></tendon>",
    ];
    for extra in references {
        assert_eq!(load(&xml("true", extra)).ngeom, 2, "{extra}");
    }
}

fn trajectory(m: &Model) -> (Vec<f64>, Vec<f64>) {
    let mut d = ligament::sim::reset::make_data(m).unwrap();
    d.qvel.fill(0.5);
    for _ in 0..200 {
        ligament::sim::step::step(m, &mut d).unwrap();
    }
    let mut inertia = vec![0.0; m.nv * m.nv];
    ligament::sim::inertia::full_m(m, &mut inertia, &d.qM);
    (d.qpos.to_vec(), inertia)
}

/// P18.D8, P18.D9: what is left moves as the whole did, with the same inertia matrix; a mesh that is only seen is dropped
#[test]
fn reduced_models_move_alike() {
    let xml = |compiler: &str| {
        format!(
            "<mujoco><compiler {compiler}/><asset><mesh name='tet' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='.2 .2 .2'/>\
             <mesh name='seen' vertex='0 0 0 1 0 0 0 1 0 0 0 2'/></asset><worldbody>\
             <geom type='plane' size='3 3 1'/><body pos='0 0 .6'><joint name='j' axis='0 1 0' damping='.1'/><geom size='.1'/>\
             <geom type='mesh' mesh='seen' contype='0' conaffinity='0' mass='0'/>\
             <body pos='.3 0 0' euler='20 30 40'><geom type='box' size='.1 .05 .02' pos='.1 0 0'/>\
             <body pos='.2 0 0' euler='0 0 50'><joint axis='1 0 0'/><geom type='mesh' mesh='tet'/>\
             <geom size='.05' contype='0' conaffinity='0' pos='0 .1 0'/></body></body></body></worldbody></mujoco>"
        )
    };
    let full = load(&xml(""));
    let (qpos, inertia) = trajectory(&full);
    let lean = load(&xml("discardvisual='true'"));
    let fused = load(&xml("fusestatic='true'"));
    assert_eq!((full.nbody, lean.nbody, fused.nbody), (4, 4, 3));
    assert_eq!((full.ngeom, lean.ngeom, full.nmesh, lean.nmesh), (6, 4, 2, 1));
    for reduced in [lean, fused] {
        let (reduced_qpos, reduced_inertia) = trajectory(&reduced);
        for (x, y) in qpos.iter().chain(&inertia).zip(reduced_qpos.iter().chain(&reduced_inertia)) {
            // principal axes are found to about 1e-6, so that merged inertias have some 1e-9 of error
            assert!((x - y).abs() < 1e-7, "{qpos:?} and {reduced_qpos:?}");
        }
    }
}
