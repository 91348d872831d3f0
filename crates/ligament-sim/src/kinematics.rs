//! Forward kinematics: poses of bodies and of everything attached to them, and the quantities about the centres of
//! mass of the trees.

mod centres;
mod poses;

use crate::access::{Access, access};
use crate::awake::{self, Selection};
use crate::lanes::Lanes;
use crate::sleep;
use crate::support::object::{BodyPoses, local2global, world_point};
use crate::support::skeleton::{Body, Geom, Span, Whole, in_pieces, is_worth_threads, side_by_side};
use crate::workspace::Scratches as _;
use centres::{CentrePoses, CentreSlices, Centres, Masses};
use ligament_math::four::Four;
use ligament_math::{Mat3, Number, Vec3, mat3, quat, vec3};
use ligament_model::enums::{CamLight, SleepState};
use ligament_model::{Data, Model};
use poses::{Frames, Linkage, Poses, Positions, WorldFrames};
use std::ops::Range;

/// What [`kinematics`] touches.
pub(crate) const KINEMATICS: Access = access! {
    model {
        body_ipos body_iquat body_jntadr body_jntnum body_parentid body_pos
        body_quat body_sameframe geom_bodyid geom_pos geom_quat geom_sameframe jnt_axis jnt_pos jnt_qposadr jnt_type
        qpos0 site_bodyid site_pos site_quat site_sameframe tree_bodyadr tree_bodynum tree_dofadr
        tree_dofnum
    }
    reads {
        body_awake_ind geom_xmat geom_xpos mocap_pos mocap_quat ntree_awake qfrc_applied qpos qvel
        tree_awake xfrc_applied ximat xipos xmat xpos xquat
    }
    writes { geom_xmat geom_xpos site_xmat site_xpos tree_awake xanchor xaxis ximat xipos xmat xpos xquat }
};

/// Poses of bodies, inertial frames, joints, geoms and sites.
///
/// Reads qpos, mocap_*; writes xpos xquat xmat xipos ximat xanchor xaxis geom_x* site_x*. A sleeping tree whose
/// position was changed from outside wakes here.
pub fn kinematics(m: &Model, d: &mut Data) {
    body_poses(m, d);
    if sleep::wake(m, d) > 0 {
        sleep::update_sleep(m, d);
    }
    attached_poses(m, d);
}

/// [`kinematics`] and [`com_pos`], as one section of several threads where that is worth while: nothing here depends on other
/// trees but the centre of mass of everything.
pub(crate) fn poses_and_centres(m: &Model, d: &mut Data) {
    if !is_worth_threads(m, d.threads) || awake::sleep_enabled(m) || !m.parts.soft_points().is_empty() {
        kinematics(m, d);
        return com_pos(m, d);
    }
    if sleep::wake(m, d) > 0 {
        sleep::update_sleep(m, d);
    }
    let mut moments = std::mem::take(&mut d.workspace.scratch().smooth.root_moments);
    moments.resize(m.nbody, [0.0; 3]);
    trees_side_by_side(m, d, &mut moments);
    site_poses(m, d);
    let masses = Masses::of(m);
    let Data { xipos, subtree_com, cinert, .. } = d;
    moments[0] = vec3::scale(xipos[0], m.body_mass[0]);
    masses.world_moment((1..m.nbody).rev(), |_| false, &mut moments);
    cinert[0] = [0.0; 10];
    subtree_com[0] = masses.centre(moments[0], xipos[0], 0);
    d.workspace.scratch().smooth.root_moments = moments;
}

/// Poses and centres of consecutive bodies, with the moments of those that hang on the world.
type TreePoses<'a> = ((Poses<'a, f64>, WorldFrames<'a, Body>), (WorldFrames<'a, Geom>, TreeCentres<'a>));
type TreeCentres<'a> = (Centres<'a, f64>, Span<'a, Body, Vec3>);

/// Poses of bodies and geoms, inertial frames, centres, inertias and motion axes, tree by tree.
fn trees_side_by_side(m: &Model, d: &mut Data, moments: &mut [Vec3]) {
    let Data { xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, geom_xpos, geom_xmat, .. } = d;
    (xpos[0], xquat[0], xmat[0]) = ([0.0; 3], quat::IDENTITY, mat3::IDENTITY);
    (xipos[0], ximat[0]) = ([0.0; 3], mat3::IDENTITY);
    let (n, njnt, ngeom) = (m.nbody, m.njnt, m.ngeom);
    let (links, masses) = (Linkage::of(m), Masses::of(m));
    let at = Positions { qpos: &d.qpos[..m.nq], mocap_pos: &d.mocap_pos, mocap_quat: &d.mocap_quat };
    let inertial_frames =
        Frames { pos: &m.body_ipos[..n], quat: &m.body_iquat[..n], sameframe: &m.body_sameframe[..n] };
    let geom_frames =
        Frames { pos: &m.geom_pos[..ngeom], quat: &m.geom_quat[..ngeom], sameframe: &m.geom_sameframe };
    let poses = Poses {
        xpos: Span::whole(&mut xpos[..n]),
        xquat: Span::whole(&mut xquat[..n]),
        xmat: Span::whole(&mut xmat[..n]),
        xanchor: Span::whole(&mut xanchor[..njnt]),
        xaxis: Span::whole(&mut xaxis[..njnt]),
    };
    let inertial = (Span::whole(&mut xipos[..n]), Span::whole(&mut ximat[..n]));
    let geoms = (Span::whole(&mut geom_xpos[..ngeom]), Span::whole(&mut geom_xmat[..ngeom]));
    let centres = Centres {
        com: Span::whole(&mut d.subtree_com[..n]),
        cinert: Span::whole(&mut d.cinert[..n]),
        cdof: Span::whole(&mut d.cdof),
    };
    let out: TreePoses = ((poses, inertial), (geoms, (centres, Span::whole(moments))));
    in_pieces(m, d.threads, out, |piece, out| {
        let ((mut poses, mut inertial), (mut geoms, (mut centres, mut moments))) = out;
        let bodies = || piece.bodies.clone();
        poses::body_poses(&links, at, bodies(), &mut poses, |_, _| false);
        poses::inertial_frames_in_piece(&inertial_frames, &poses, bodies(), &mut inertial);
        let attached = geoms_with_bodies(m, piece.geoms.clone());
        poses::attached_frames_in_piece(&geom_frames, &poses, &inertial, attached, &mut geoms);
        masses.own_moments(&inertial.0, bodies(), &mut centres.com);
        masses.add_to_parents(bodies().rev(), |_| false, &mut centres.com);
        for i in bodies().filter(|&i| m.body_parentid[i] == 0) {
            moments[i] = centres.com[i];
        }
        let (xipos, ximat) = (&inertial.0, &inertial.1);
        let Poses { xmat, xanchor, xaxis, .. } = &poses;
        masses.about_centres(&CentrePoses { xipos, ximat, xmat, xanchor, xaxis }, bodies(), &mut centres);
    });
}

/// Poses of bodies and joints.
fn body_poses(m: &Model, d: &mut Data) {
    let Data { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, .. } = d;
    (xpos[0], xquat[0], xmat[0]) = ([0.0; 3], quat::IDENTITY, mat3::IDENTITY);
    (xipos[0], ximat[0]) = ([0.0; 3], mat3::IDENTITY);
    let links = Linkage::of(m);
    let at = Positions { qpos: &qpos[..m.nq], mocap_pos, mocap_quat };
    let mut out = Poses {
        xpos: Span::whole(&mut xpos[..m.nbody]),
        xquat: Span::whole(&mut xquat[..m.nbody]),
        xmat: Span::whole(&mut xmat[..m.nbody]),
        xanchor: Span::whole(&mut xanchor[..m.njnt]),
        xaxis: Span::whole(&mut xaxis[..m.njnt]),
    };
    if !awake::sleep_enabled(m) {
        side_by_side!(m, d.threads, out, |piece, out| {
            let (others, points) = piece.apart_from_points(m);
            for bodies in others {
                poses::body_poses(&links, at, bodies, &mut out, |_, _| false);
            }
            if !points.is_empty() {
                poses::point_poses(links, at, points, out);
            }
        });
        return;
    }
    let (body_awake, tree_awake) = (&d.body_awake, &mut d.tree_awake);
    let bodies = (1..m.nbody).filter(|&i| body_awake[i] != SleepState::Static as i32);
    poses::body_poses(&links, at, bodies, &mut out, |i, unmoved| {
        let asleep = m.body_jntnum[i] != 0 && body_awake[i] == SleepState::Asleep as i32;
        if asleep && !unmoved {
            // the user moved a sleeping body: its tree wakes
            tree_awake[m.body_treeid[i] as usize] = 1;
        }
        asleep && unmoved
    });
}

/// Poses of inertial frames, geoms and sites.
fn attached_poses(m: &Model, d: &mut Data) {
    let Data { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody);
    let moving = |body: usize| !bodies.is_filtered() || d.body_awake[body] == SleepState::Awake as i32;
    let n = m.nbody;
    let frames =
        Frames { pos: &m.body_ipos[..n], quat: &m.body_iquat[..n], sameframe: &m.body_sameframe[..n] };
    let mut inertial = (Span::whole(&mut xipos[..n]), Span::whole(&mut ximat[..n]));
    let body_poses = (&xpos[..n], &xquat[..n], &xmat[..n]);
    if bodies.is_filtered() {
        poses::inertial_frames(&frames, body_poses, bodies.iter().skip(1), &mut inertial);
    } else {
        side_by_side!(m, d.threads, inertial, |piece, out| {
            let (others, points) = piece.apart_from_points(m);
            for bodies in others {
                poses::inertial_frames(&frames, body_poses, bodies, &mut out);
            }
            if !points.is_empty() {
                poses::point_inertial_frames(frames, body_poses, points, out);
            }
        });
    }
    let (xpos, xquat, xmat) = body_poses;
    let poses = BodyPoses { xpos, xquat, xmat, xipos: &xipos[..n], ximat: &ximat[..n] };
    let n = m.ngeom;
    let frames = Frames { pos: &m.geom_pos[..n], quat: &m.geom_quat[..n], sameframe: &m.geom_sameframe[..n] };
    let mut geoms: WorldFrames<Geom> = (Span::whole(&mut geom_xpos[..n]), Span::whole(&mut geom_xmat[..n]));
    if bodies.is_filtered() {
        let moving = geoms_with_bodies(m, 0..m.ngeom).filter(|&(_, body)| moving(body));
        poses::attached_frames(&frames, poses, moving, &mut geoms);
    } else {
        side_by_side!(m, d.threads, geoms, |piece, out| {
            poses::attached_frames(&frames, poses, geoms_with_bodies(m, piece.geoms.clone()), &mut out);
        });
    }
    let frames = Frames { pos: &m.site_pos, quat: &m.site_quat, sameframe: &m.site_sameframe };
    let mut out: WorldFrames<Whole> = (Span::whole(site_xpos), Span::whole(site_xmat));
    poses::attached_frames(&frames, poses, sites(m).filter(|&(_, body)| moving(body)), &mut out);
}

/// Poses of all sites.
fn site_poses(m: &Model, d: &mut Data) {
    let Data { xpos, xquat, xmat, xipos, ximat, site_xpos, site_xmat, .. } = d;
    let poses = BodyPoses { xpos, xquat, xmat, xipos, ximat };
    let frames = Frames { pos: &m.site_pos, quat: &m.site_quat, sameframe: &m.site_sameframe };
    let mut out: WorldFrames<Whole> = (Span::whole(site_xpos), Span::whole(site_xmat));
    poses::attached_frames(&frames, poses, sites(m), &mut out);
}

/// Consecutive geoms, each with its body.
fn geoms_with_bodies(m: &Model, geoms: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    geoms.clone().zip(m.geom_bodyid[geoms].iter().map(|&body| body as usize))
}

/// Sites with their bodies.
fn sites(m: &Model) -> impl Iterator<Item = (usize, usize)> {
    m.site_bodyid.iter().map(|&body| body as usize).enumerate()
}

/// [`kinematics`] and [`com_pos`] of four worlds in which nothing sleeps.
pub(crate) fn poses_together(m: &Model, lanes: &mut Lanes) {
    body_poses_together(m, lanes);
    attached_poses_together(m, lanes);
    let Lanes { xipos, ximat, xmat, xanchor, xaxis, subtree_com, cinert, cdof, .. } = lanes;
    let (masses, bodies) = (Masses::of(m), 1..m.nbody);
    let mut moments = Span::whole(subtree_com);
    masses.own_moments(&xipos[..], 0..m.nbody, &mut moments);
    masses.add_to_parents(bodies.clone().rev(), |_| false, &mut moments);
    masses.world_moment(bodies.clone().rev(), |_| false, subtree_com);
    cinert[0] = Number::all([0.0; 10]);
    subtree_com[0] = masses.centre(subtree_com[0], xipos[0], 0);
    let poses: CentreSlices<Four> = CentrePoses { xipos, ximat, xmat, xanchor, xaxis };
    let mut out =
        Centres { com: Span::whole(subtree_com), cinert: Span::whole(cinert), cdof: Span::whole(cdof) };
    masses.about_centres(&poses, bodies, &mut out);
}

fn body_poses_together(m: &Model, lanes: &mut Lanes) {
    let Lanes { qpos, mocap_pos, mocap_quat, xpos, xquat, xmat, xipos, ximat, xanchor, xaxis, .. } = lanes;
    (xpos[0], xquat[0], xmat[0]) =
        (Number::all([0.0; 3]), Number::all(quat::IDENTITY), Number::all(mat3::IDENTITY));
    (xipos[0], ximat[0]) = (xpos[0], xmat[0]);
    let mut out = Poses {
        xpos: Span::whole(xpos),
        xquat: Span::whole(xquat),
        xmat: Span::whole(xmat),
        xanchor: Span::whole(xanchor),
        xaxis: Span::whole(xaxis),
    };
    let at = Positions { qpos, mocap_pos, mocap_quat };
    poses::body_poses(&Linkage::of(m), at, 1..m.nbody, &mut out, |_, _| false);
}

fn attached_poses_together(m: &Model, lanes: &mut Lanes) {
    let Lanes { xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat, .. } = lanes;
    let frames = Frames { pos: &m.body_ipos, quat: &m.body_iquat, sameframe: &m.body_sameframe };
    let mut inertial = (Span::whole(xipos), Span::whole(ximat));
    poses::inertial_frames(&frames, (xpos, xquat, xmat), 1..m.nbody, &mut inertial);
    let poses = BodyPoses { xpos, xquat, xmat, xipos, ximat };
    let frames = Frames { pos: &m.geom_pos, quat: &m.geom_quat, sameframe: &m.geom_sameframe };
    let geoms = geoms_with_bodies(m, 0..m.ngeom);
    let mut out: WorldFrames<Whole, _> = (Span::whole(geom_xpos), Span::whole(geom_xmat));
    poses::attached_frames(&frames, poses, geoms, &mut out);
    let frames = Frames { pos: &m.site_pos, quat: &m.site_quat, sameframe: &m.site_sameframe };
    let mut out: WorldFrames<Whole, _> = (Span::whole(site_xpos), Span::whole(site_xmat));
    poses::attached_frames(&frames, poses, sites(m), &mut out);
}

/// What [`com_pos`] touches.
pub(crate) const COM_POS: Access = access! {
    model {
        body_inertia body_jntadr body_jntnum body_mass body_parentid body_rootid body_subtreemass
        jnt_dofadr
    }
    reads {
        body_awake body_awake_ind cdof cinert nbody_awake nparent_awake parent_awake_ind subtree_com
        xanchor xaxis ximat xipos xmat
    }
    writes { cdof cinert subtree_com }
};

/// Centres of mass of subtrees, and inertias and motion axes about the centre of mass of each tree.
///
/// Reads body and joint poses; writes subtree_com cinert cdof.
pub fn com_pos(m: &Model, d: &mut Data) {
    let masses = Masses::of(m);
    subtree_moments(m, masses, d);
    let Data { xipos, ximat, xmat, xanchor, xaxis, subtree_com, cinert, cdof, .. } = d;
    cinert[0] = [0.0; 10];
    subtree_com[0] = masses.centre(subtree_com[0], xipos[0], 0);
    let (n, njnt) = (m.nbody, m.njnt);
    let poses = CentrePoses {
        xipos: &xipos[..n],
        ximat: &ximat[..n],
        xmat: &xmat[..n],
        xanchor: &xanchor[..njnt],
        xaxis: &xaxis[..njnt],
    };
    let mut out = Centres {
        com: Span::whole(&mut subtree_com[..n]),
        cinert: Span::whole(&mut cinert[..n]),
        cdof: Span::whole(cdof),
    };
    let bodies = Selection::new(awake::sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody);
    if bodies.is_filtered() {
        masses.about_centres(&poses, bodies.iter().skip(1), &mut out);
    } else {
        side_by_side!(m, d.threads, out, |piece, out| {
            let (others, points) = piece.apart_from_points(m);
            for bodies in others {
                masses.about_centres(&poses, bodies, &mut out);
            }
            if !points.is_empty() {
                masses.about_points(poses, points, out);
            }
        });
    }
}

/// Masses times positions, summed over subtrees, into `subtree_com`.
#[inline(always)]
fn subtree_moments(m: &Model, masses: Masses, d: &mut Data) {
    let Data { xipos, subtree_com, body_awake, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), &d.body_awake_ind, d.nbody_awake, m.nbody);
    if bodies.is_filtered() {
        let parents = Selection::new(true, &d.parent_awake_ind, d.nparent_awake, usize::MAX);
        let children = || parents.iter().rev().filter(|&i| i != 0);
        let asleep = |i: usize| body_awake[i] == SleepState::Asleep as i32;
        let mut out = Span::whole(subtree_com);
        masses.own_moments(&xipos[..], bodies.iter(), &mut out);
        masses.add_to_parents(children(), asleep, &mut out);
        masses.world_moment(children(), asleep, subtree_com);
        return;
    }
    let (xipos, subtree_com) = (&xipos[..m.nbody], &mut subtree_com[..m.nbody]);
    subtree_com[0] = vec3::scale(xipos[0], m.body_mass[0]);
    side_by_side!(m, d.threads, Span::whole(subtree_com), |piece, out| {
        masses.own_moments(xipos, piece.bodies.clone(), &mut out);
        masses.add_to_parents(piece.bodies.clone().rev(), |_| false, &mut out);
    });
    masses.world_moment((1..m.nbody).rev(), |_| false, subtree_com);
}

/// What [`cam_light`] touches.
pub(crate) const CAM_LIGHT: Access = access! {
    model {
        cam_bodyid cam_mat0 cam_mode cam_pos cam_pos0 cam_poscom0 cam_quat cam_targetbodyid light_bodyid
        light_dir light_dir0 light_mode light_pos light_pos0 light_poscom0 light_targetbodyid
    }
    reads { nbody_awake subtree_com xmat xpos xquat }
    writes { cam_xmat cam_xpos light_xdir light_xpos }
};

/// Poses of cameras and lights.
pub fn cam_light(m: &Model, d: &mut Data) {
    pose_cameras_lights(m, d, |mode| CamLight::try_from(mode).unwrap_or(CamLight::Fixed));
}

/// Poses of cameras and lights as if all of them were fixed to their bodies.
pub(crate) fn cam_light_fixed(m: &Model, d: &mut Data) {
    pose_cameras_lights(m, d, |_| CamLight::Fixed);
}

fn pose_cameras_lights(m: &Model, d: &mut Data, mode: impl Fn(i32) -> CamLight) {
    let filtered = awake::bodies(m, d).is_filtered();
    let resting = |d: &Data, body: i32, target: i32| {
        let still = |b: i32| b < 0 || d.body_awake[b as usize] != SleepState::Awake as i32;
        filtered && still(body) && still(target)
    };
    for i in 0..m.ncam {
        if !resting(d, m.cam_bodyid[i], m.cam_targetbodyid[i]) {
            (d.cam_xpos[i], d.cam_xmat[i]) = camera_pose(m, d, i, mode(m.cam_mode[i]));
        }
    }
    for i in 0..m.nlight {
        if !resting(d, m.light_bodyid[i], m.light_targetbodyid[i]) {
            let (pos, dir) = light_pose(m, d, i, mode(m.light_mode[i]));
            (d.light_xpos[i], d.light_xdir[i]) = (pos, vec3::unit(dir));
        }
    }
}

/// Point a targeting camera or light looks at, if it has a target.
fn target_point(d: &Data, mode: CamLight, target: i32) -> Option<Vec3> {
    let target = usize::try_from(target).ok()?;
    match mode {
        CamLight::Targetbody => Some(d.xpos[target]),
        CamLight::Targetbodycom => Some(d.subtree_com[target]),
        CamLight::Fixed | CamLight::Track | CamLight::Trackcom => None,
    }
}

#[inline(always)] // copying what was just put together stalls
fn camera_pose(m: &Model, d: &Data, i: usize, mode: CamLight) -> (Vec3, Mat3) {
    let body = m.cam_bodyid[i] as usize;
    let target = match mode {
        CamLight::Track => return (vec3::add(d.xpos[body], m.cam_pos0[i]), m.cam_mat0[i]),
        CamLight::Trackcom => return (vec3::add(d.subtree_com[body], m.cam_poscom0[i]), m.cam_mat0[i]),
        _ => target_point(d, mode, m.cam_targetbodyid[i]),
    };
    match target {
        None => local2global(d, m.cam_pos[i], m.cam_quat[i], body, 0),
        Some(target) => {
            let pos = world_point(d.into(), m.cam_pos[i], body);
            (pos, looking_at(pos, target))
        }
    }
}

/// Camera orientation with -z towards the target and x horizontal.
fn looking_at(pos: Vec3, target: Vec3) -> Mat3 {
    let z = vec3::unit(vec3::sub(pos, target));
    let x = vec3::unit(vec3::cross([0.0, 0.0, 1.0], z));
    let y = vec3::unit(vec3::cross(z, x));
    [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]
}

#[inline(always)]
fn light_pose(m: &Model, d: &Data, i: usize, mode: CamLight) -> (Vec3, Vec3) {
    let body = m.light_bodyid[i] as usize;
    let target = match mode {
        CamLight::Track => return (vec3::add(d.xpos[body], m.light_pos0[i]), m.light_dir0[i]),
        CamLight::Trackcom => {
            return (vec3::add(d.subtree_com[body], m.light_poscom0[i]), m.light_dir0[i]);
        }
        _ => target_point(d, mode, m.light_targetbodyid[i]),
    };
    let pos = world_point(d.into(), m.light_pos[i], body);
    let dir = match target {
        None => quat::rotate(d.xquat[body], m.light_dir[i]),
        Some(target) => vec3::sub(target, pos),
    };
    (pos, dir)
}
