//! Poses of bodies and of what is attached to them: kernels on slices.

use crate::support::object::{BodyPoses, put_world_frame, world_point};
use crate::support::skeleton::{Body, Cut, Divide, Joint, Skeleton, Span};
use crate::support::{is_straight, unit_quat_at, vec3_at};
use ligament_math::{Number, Quat, Vec3, mat3, quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{JointType, SameFrame};
use std::ops::Range;
use std::slice::from_ref;

/// How bodies hang on their parents.
#[derive(Clone, Copy)]
pub(super) struct Linkage<'a> {
    skeleton: Skeleton<'a>,
    pos: &'a [Vec3],
    quat: &'a [Quat],
    mocap: &'a [i32],
    axis: &'a [Vec3],
    anchor: &'a [Vec3],
    position: &'a [i32],
    qpos0: &'a [f64],
}

impl<'a> Linkage<'a> {
    #[inline(always)]
    pub fn of(m: &'a Model) -> Self {
        Self {
            skeleton: Skeleton::of(m),
            pos: &m.body_pos[..m.nbody],
            quat: &m.body_quat[..m.nbody],
            mocap: &m.body_mocapid[..m.nbody],
            axis: &m.jnt_axis[..m.njnt],
            anchor: &m.jnt_pos[..m.njnt],
            position: &m.jnt_qposadr[..m.njnt],
            qpos0: &m.qpos0[..m.nq],
        }
    }
}

/// Where joints and mocap bodies stand.
#[derive(Clone, Copy)]
pub(super) struct Positions<'a, T> {
    pub qpos: &'a [T],
    pub mocap_pos: &'a [[T; 3]],
    pub mocap_quat: &'a [[T; 4]],
}

/// Poses of consecutive bodies and of their joints.
pub(super) struct Poses<'a, T> {
    pub xpos: Span<'a, Body, [T; 3]>,
    pub xquat: Span<'a, Body, [T; 4]>,
    pub xmat: Span<'a, Body, [T; 9]>,
    pub xanchor: Span<'a, Joint, [T; 3]>,
    pub xaxis: Span<'a, Joint, [T; 3]>,
}

impl<T: Number> Divide for Poses<'_, T> {
    fn divide(self, cut: &Cut) -> (Self, Self) {
        let (xpos, xpos2) = self.xpos.divide(cut);
        let (xquat, xquat2) = self.xquat.divide(cut);
        let (xmat, xmat2) = self.xmat.divide(cut);
        let (xanchor, xanchor2) = self.xanchor.divide(cut);
        let (xaxis, xaxis2) = self.xaxis.divide(cut);
        let second = Self { xpos: xpos2, xquat: xquat2, xmat: xmat2, xanchor: xanchor2, xaxis: xaxis2 };
        (Self { xpos, xquat, xmat, xanchor, xaxis }, second)
    }
}

/// Poses of bodies and joints; a body that `stays` where it would be put keeps its pose.
#[inline(always)]
pub(super) fn body_poses<T: Number>(
    links: &Linkage,
    at: Positions<T>,
    bodies: impl Iterator<Item = usize>,
    out: &mut Poses<T>,
    mut stays: impl FnMut(usize, bool) -> bool,
) {
    for i in bodies {
        let (pos, rot) = body_pose(links, at, i, out);
        let rot = T::unit(rot);
        if stays(i, pos == out.xpos[i] && rot == out.xquat[i]) {
            continue;
        }
        out.xpos[i] = pos;
        out.xquat[i] = rot;
        out.xmat[i] = T::matrix(rot);
    }
}

/// Poses of points, whose three joints slide: those whose axes are the axes of the world do not turn.
#[inline(never)]
pub(super) fn point_poses(links: Linkage, at: Positions<f64>, points: Range<usize>, mut out: Poses<f64>) {
    let count = 3 * points.len();
    let first = links.skeleton.joints(points.start).start;
    let (joints, adr) = (first..first + count, links.position[first] as usize);
    let axes = links.axis[joints.clone()].as_chunks::<3>().0;
    let frames = links.pos[points.clone()].iter().zip(&links.quat[points.clone()]).zip(axes);
    let anchors = links.anchor[joints.clone()].as_chunks::<3>().0;
    let rests = links.qpos0[adr..adr + count].as_chunks::<3>().0;
    let slides = at.qpos[adr..adr + count].as_chunks::<3>().0.iter().zip(rests);
    let joints_out = out.xanchor.range(joints.clone()).as_chunks_mut::<3>().0.iter_mut();
    let joints_out = joints_out.zip(out.xaxis.range(joints).as_chunks_mut::<3>().0);
    let bodies_out = out.xpos.range(points.clone()).iter_mut().zip(out.xquat.range(points.clone()));
    let bodies_out = bodies_out.zip(out.xmat.range(points.clone()));
    let mut all_straight = true;
    for (((((frame, axes), anchors), (q, rest)), (xanchor, xaxis)), ((xpos, xquat), xmat)) in
        frames.zip(anchors).zip(slides).zip(joints_out).zip(bodies_out)
    {
        let (&(mut pos), &rot) = frame;
        all_straight &= is_straight(rot, axes);
        for k in 0..3 {
            xanchor[k] = vec3::add(anchors[k], pos);
            pos[k] += q[k] - rest[k];
        }
        *xaxis = *axes;
        *xpos = pos;
        *xquat = quat::IDENTITY;
        *xmat = mat3::IDENTITY;
    }
    if !all_straight {
        turned_points(&links, at, points, &mut out);
    }
}

/// Points whose frames or axes the user has turned.
#[cold]
#[inline(never)]
fn turned_points(links: &Linkage, at: Positions<f64>, points: Range<usize>, out: &mut Poses<f64>) {
    let straight = |i: usize| {
        let first = links.skeleton.joints(i).start;
        links.axis[first..].first_chunk().is_some_and(|axes| is_straight(links.quat[i], axes))
    };
    body_poses(links, at, points.filter(|&i| !straight(i)), out, |_, _| false);
}

/// Pose of one body from its parent's and its joints; fills the joints' anchors and axes.
#[inline(always)]
fn body_pose<T: Number>(links: &Linkage, at: Positions<T>, i: usize, out: &mut Poses<T>) -> ([T; 3], [T; 4]) {
    let qpos = at.qpos;
    let joints = links.skeleton.joints(i);
    let kind = links.skeleton.kind;
    if joints.len() == 1 && kind[joints.start] == JointType::Free as i32 {
        let j = joints.start;
        let adr = links.position[j] as usize;
        let pos = vec3_at(qpos, adr);
        out.xanchor[j] = pos;
        out.xaxis[j] = T::all(links.axis[j]);
        return (pos, unit_quat_at(qpos, adr + 3));
    }
    let (mut pos, mut rot) = rest_pose(links, at, i, out);
    for j in joints {
        let axis = T::rotate(rot, links.axis[j]);
        let anchor = vec3::add(T::rotate(rot, links.anchor[j]), pos);
        let adr = links.position[j] as usize;
        let moved = || qpos[adr] - T::splat(links.qpos0[adr]);
        let turn = match JointType::try_from(kind[j]) {
            Ok(JointType::Slide) => {
                pos = vec3::add_scaled(pos, axis, moved());
                None
            }
            Ok(JointType::Ball) => Some(unit_quat_at(qpos, adr)),
            Ok(JointType::Hinge) => Some(T::turn(links.axis[j], moved())),
            Ok(JointType::Free) | Err(_) => None,
        };
        if let Some(turn) = turn {
            rot = quat::mul(rot, turn);
            // the anchor stays where it is
            pos = vec3::sub(anchor, T::rotate(rot, links.anchor[j]));
        }
        out.xanchor[j] = anchor;
        out.xaxis[j] = axis;
    }
    (pos, rot)
}

/// Pose of a body before its joints move it: relative to the parent, or as the user placed a mocap body.
#[inline(always)]
fn rest_pose<T: Number>(links: &Linkage, at: Positions<T>, i: usize, out: &Poses<T>) -> ([T; 3], [T; 4]) {
    let mocap = links.mocap[i];
    let (pos, rot) = if mocap >= 0 {
        (at.mocap_pos[mocap as usize], T::unit(at.mocap_quat[mocap as usize]))
    } else {
        (T::all(links.pos[i]), T::all(links.quat[i]))
    };
    let parent = links.skeleton.parent[i] as usize;
    if parent == 0 {
        return (pos, rot);
    }
    (vec3::add(mat3::mul_vec(&out.xmat[parent], pos), out.xpos[parent]), quat::mul(out.xquat[parent], rot))
}

/// Frames that stand still in bodies; `sameframe` says which parts coincide with frames of the body.
#[derive(Clone, Copy)]
pub(super) struct Frames<'a> {
    pub pos: &'a [Vec3],
    pub quat: &'a [Quat],
    pub sameframe: &'a [u8],
}

/// World poses of frames.
pub(super) type WorldFrames<'a, K, T = f64> = (Span<'a, K, [T; 3]>, Span<'a, K, [T; 9]>);

/// Positions of bodies and their orientations, also as matrices.
type BodyFrames<'a, T> = (&'a [[T; 3]], &'a [[T; 4]], &'a [[T; 9]]);

/// Inertial frames of bodies that have poses.
#[inline(always)]
pub(super) fn inertial_frames<T: Number>(
    frames: &Frames,
    (xpos, xquat, xmat): BodyFrames<T>,
    bodies: impl Iterator<Item = usize>,
    (pos_out, mat_out): &mut WorldFrames<Body, T>,
) {
    for i in bodies {
        let own = (&xpos[i], &xquat[i], &xmat[i]);
        inertial_frame(frames, i, own, (&mut pos_out[i], &mut mat_out[i]));
    }
}

/// Inertial frame of one body, given its pose.
#[inline(always)]
fn inertial_frame<T: Number>(
    frames: &Frames,
    i: usize,
    (xpos, xquat, xmat): (&[T; 3], &[T; 4], &[T; 9]),
    (pos_out, mat_out): (&mut [T; 3], &mut [T; 9]),
) {
    let (xpos, xquat, xmat) = (from_ref(xpos), from_ref(xquat), from_ref(xmat));
    let poses = BodyPoses { xpos, xquat, xmat, xipos: xpos, ximat: xmat };
    let (frame, sameframe) = ((frames.pos[i], frames.quat[i]), frames.sameframe[i]);
    if sameframe == SameFrame::Inertia as u8 {
        return; // somebody wrote that it is itself
    }
    if sameframe == SameFrame::Inertiarot as u8 {
        *pos_out = world_point(poses, frame.0, 0);
        return;
    }
    put_world_frame(poses, frame, 0, sameframe, (pos_out, mat_out));
}

/// [`inertial_frames`] of consecutive bodies right after their poses.
pub(super) fn inertial_frames_in_piece(
    frames: &Frames,
    poses: &Poses<f64>,
    bodies: impl Iterator<Item = usize>,
    (pos_out, mat_out): &mut WorldFrames<Body>,
) {
    for i in bodies {
        let own = (&poses.xpos[i], &poses.xquat[i], &poses.xmat[i]);
        inertial_frame(frames, i, own, (&mut pos_out[i], &mut mat_out[i]));
    }
}

/// [`attached_frames`] of consecutive bodies right after their poses.
pub(super) fn attached_frames_in_piece<K>(
    frames: &Frames,
    poses: &Poses<f64>,
    inertial: &WorldFrames<Body>,
    attached: impl Iterator<Item = (usize, usize)>,
    (pos_out, mat_out): &mut WorldFrames<K>,
) {
    for (k, body) in attached {
        let own = BodyPoses {
            xpos: from_ref(&poses.xpos[body]),
            xquat: from_ref(&poses.xquat[body]),
            xmat: from_ref(&poses.xmat[body]),
            xipos: from_ref(&inertial.0[body]),
            ximat: from_ref(&inertial.1[body]),
        };
        let (frame, out) = ((frames.pos[k], frames.quat[k]), (&mut pos_out[k], &mut mat_out[k]));
        put_world_frame(own, frame, 0, frames.sameframe[k], out);
    }
}

/// [`inertial_frames`] of points: as a rule they are the frames of the bodies.
#[inline(never)]
pub(super) fn point_inertial_frames(
    frames: Frames,
    bodies: BodyFrames<f64>,
    points: Range<usize>,
    mut out: WorldFrames<Body>,
) {
    let same = SameFrame::Body as u8;
    if !frames.sameframe[points.clone()].iter().all(|&frame| frame == same) {
        return inertial_frames(&frames, bodies, points, &mut out);
    }
    let (xpos, _, xmat) = bodies;
    out.0.range(points.clone()).copy_from_slice(&xpos[points.clone()]);
    out.1.range(points.clone()).copy_from_slice(&xmat[points]);
}

/// World poses of frames, each given with its body.
#[inline(always)]
pub(super) fn attached_frames<K, T: Number>(
    frames: &Frames,
    poses: BodyPoses<T>,
    attached: impl Iterator<Item = (usize, usize)>,
    (pos_out, mat_out): &mut WorldFrames<K, T>,
) {
    // items come from loops inside one another
    attached.for_each(|(k, body)| {
        let (frame, out) = ((frames.pos[k], frames.quat[k]), (&mut pos_out[k], &mut mat_out[k]));
        put_world_frame(poses, frame, body, frames.sameframe[k], out);
    });
}
