//! Velocities of bodies, and the recursive Newton-Euler passes (Featherstone 2008, §5.3) about the centres of mass.

use crate::access::{Access, access};
use crate::awake::{self, Selection};
use crate::lanes::Lanes;
use crate::support::skeleton::{Body, Dof, Piece, Skeleton, Span, in_pieces, is_worth_threads, side_by_side};
use crate::support::{self, all_zero, object_velocity};
use crate::tendon::{self, GeomWrapping};
use crate::workspace::Scratches as _;
use ligament_math::{MINVAL, Number, Vec6, dense, mat3, spatial, vec3};
use ligament_model::enums::{DisableBit, JointType, ObjType};
use ligament_model::{Data, Model};
use std::ops::{Index, Range};

/// Σ axis_k · rate_k
#[inline]
pub(crate) fn mul_dofs<T: Number>(axes: &[[T; 6]], rates: &[T]) -> [T; 6] {
    if let (&[axis], &[rate]) = (axes, rates) {
        return axis.map(|x| x * rate);
    }
    let mut sum = T::all([0.0; 6]);
    for (axis, &rate) in axes.iter().zip(rates) {
        for k in 0..6 {
            sum[k] += axis[k] * rate;
        }
    }
    sum
}

/// What [`com_vel`] touches.
pub(crate) const COM_VEL: Access = access! {
    model { body_jntadr body_jntnum body_parentid jnt_dofadr jnt_type }
    reads { body_awake_ind cdof cdof_dot cvel qvel }
    writes { cdof_dot cvel }
};

/// Com-based velocities of bodies and rates of change of the motion axes.
///
/// Reads cdof qvel; writes cvel cdof_dot.
pub fn com_vel(m: &Model, d: &mut Data) {
    let Data { cdof, qvel, cvel, cdof_dot, body_awake_ind, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), body_awake_ind, d.nbody_awake, m.nbody);
    cvel[0] = [0.0; 6];
    let skeleton = Skeleton::of(m);
    let mut out = (Span::whole(cvel), Span::whole(cdof_dot));
    if bodies.is_filtered() {
        body_velocities(&skeleton, (cdof, qvel), bodies.iter().skip(1), &mut out);
    } else {
        side_by_side!(m, d.threads, out, |piece, out| {
            let (others, points) = piece.apart_from_points(m);
            for bodies in others {
                body_velocities(&skeleton, (cdof, qvel), bodies, &mut out);
            }
            if !points.is_empty() {
                point_velocities(skeleton, (cdof, qvel), points, out);
            }
        });
    }
}

/// Velocities of bodies, and rates of change of motion axes.
type Velocities<'a, T> = (Span<'a, Body, [T; 6]>, Span<'a, Dof, [T; 6]>);

/// Velocities of bodies from those of their parents and their joints; the world stands still.
#[inline(always)]
fn body_velocities<T: Number>(
    skeleton: &Skeleton,
    (cdof, qvel): (&[[T; 6]], &[T]),
    bodies: impl Iterator<Item = usize>,
    (cvel, cdof_dot): &mut Velocities<T>,
) {
    for i in bodies {
        let parent = skeleton.parent[i] as usize;
        let mut velocity = if parent == 0 { T::all([0.0; 6]) } else { cvel[parent] };
        for j in skeleton.joints(i) {
            joint_velocity(skeleton.kind[j], skeleton.dof[j] as usize, cdof, qvel, &mut velocity, cdof_dot);
        }
        cvel[i] = velocity;
    }
}

/// [`body_velocities`] of points, whose three joints slide: their axes do not move.
#[inline(never)]
fn point_velocities(
    skeleton: Skeleton,
    (cdof, qvel): (&[Vec6], &[f64]),
    points: Range<usize>,
    (mut cvel, mut cdof_dot): Velocities<f64>,
) {
    let first = skeleton.dof[skeleton.joints(points.start).start] as usize;
    let dofs = first..first + 3 * points.len();
    let (axes, rates) = (cdof[dofs.clone()].as_chunks::<3>().0, qvel[dofs.clone()].as_chunks::<3>().0);
    for ((velocity, axes), rates) in cvel.range(points).iter_mut().zip(axes).zip(rates) {
        let mut sum = [0.0; 3];
        for k in 0..3 {
            sum = vec3::add_scaled(sum, spatial::lin(&axes[k]), rates[k]);
        }
        *velocity = spatial::join([0.0; 3], sum);
    }
    let rates = cdof_dot.range(dofs);
    if !support::all_zero(rates.as_flattened()) {
        rates.fill([0.0; 6]);
    }
}

/// Adds the velocity of one joint; its axes move with what is below them.
#[inline(always)]
fn joint_velocity<T: Number>(
    kind: i32,
    mut dof: usize,
    cdof: &[[T; 6]],
    qvel: &[T],
    velocity: &mut [T; 6],
    cdof_dot: &mut Span<Dof, [T; 6]>,
) {
    let Ok(kind) = JointType::try_from(kind) else { return };
    let count = match kind {
        JointType::Free => {
            // translations are along fixed world axes
            cdof_dot.range(dof..dof + 3).fill(T::all([0.0; 6]));
            spatial::add_to(velocity, &mul_dofs(&cdof[dof..dof + 3], &qvel[dof..dof + 3]));
            dof += 3;
            3
        }
        JointType::Ball => 3,
        JointType::Slide | JointType::Hinge => 1,
    };
    for i in dof..dof + count {
        cdof_dot[i] = spatial::cross_motion(velocity, &cdof[i]);
    }
    spatial::add_to(velocity, &mul_dofs(&cdof[dof..dof + count], &qvel[dof..dof + count]));
}

/// Force on a body that moves with velocity and acceleration given: I a + v ×* (I v).
#[inline(always)]
fn body_force<T: Number>(inertia: &[T; 10], acc: &[T; 6], vel: &[T; 6]) -> [T; 6] {
    let mut force = spatial::inertia_mul(inertia, acc);
    let momentum = spatial::inertia_mul(inertia, vel);
    spatial::add_to(&mut force, &spatial::cross_force(vel, &momentum));
    force
}

/// Acceleration of the world that stands for gravity.
fn world_acceleration(m: &Model) -> Vec6 {
    if m.opt.disabled(DisableBit::Gravity) {
        [0.0; 6]
    } else {
        spatial::join([0.0; 3], vec3::scale(m.opt.gravity, -1.0))
    }
}

/// [`com_vel`] and [`bias`] of four worlds in which nothing sleeps.
pub(crate) fn velocities_together(m: &Model, lanes: &mut Lanes) {
    let Lanes { cdof, qvel, cvel, cdof_dot, cinert, qfrc_bias, recursion: [cacc, cfrc], .. } = lanes;
    cvel[0] = Number::all([0.0; 6]);
    let mut out = (Span::whole(cvel), Span::whole(cdof_dot));
    body_velocities(&Skeleton::of(m), (cdof, qvel), 1..m.nbody, &mut out);
    let bodies = Selection::all(m.nbody);
    let dofs = Selection::all(m.nv);
    let state = NewtonEuler { cdof, cdof_dot, cinert, cvel, qvel, qacc: None, bodies, parents: bodies, dofs };
    rne_kernel(Limbs::of(m), state, (cacc, cfrc), qfrc_bias);
}

/// Where bias forces go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BiasTarget {
    /// `qfrc_bias`, in forward dynamics.
    Bias,
    /// `qfrc_inverse`, in inverse dynamics.
    Inverse,
}

/// What the recursion reads of a model: who hangs on whom, and by what.
#[derive(Clone, Copy)]
struct Limbs<'a> {
    parent: &'a [i32],
    first_dof: &'a [i32],
    dof_count: &'a [i32],
    dof_body: &'a [i32],
    world_acceleration: Vec6,
}

impl<'a> Limbs<'a> {
    fn of(m: &'a Model) -> Self {
        Self {
            parent: &m.body_parentid,
            first_dof: &m.body_dofadr,
            dof_count: &m.body_dofnum,
            dof_body: &m.dof_bodyid,
            world_acceleration: world_acceleration(m),
        }
    }

    /// Dofs of a body's own joints.
    #[inline]
    fn dofs(&self, body: usize) -> Range<usize> {
        let start = self.first_dof[body].max(0) as usize;
        start..start + self.dof_count[body] as usize
    }
}

/// What the recursion reads of a state.
struct NewtonEuler<'a, T> {
    cdof: &'a [[T; 6]],
    cdof_dot: &'a [[T; 6]],
    cinert: &'a [[T; 10]],
    cvel: &'a [[T; 6]],
    qvel: &'a [T],
    /// Accelerations of the dofs, where they count.
    qacc: Option<&'a [T]>,
    bodies: Selection<'a>,
    /// Bodies whose force reaches a parent.
    parents: Selection<'a>,
    dofs: Selection<'a>,
}

macro_rules! newton_euler {
    ($m:ident, $d:ident, $qacc:expr) => {{
        let bodies = Selection::new(awake::sleep_enabled($m), &$d.body_awake_ind, $d.nbody_awake, $m.nbody);
        let filtered = bodies.is_filtered();
        NewtonEuler {
            cdof: &$d.cdof,
            cdof_dot: &$d.cdof_dot,
            cinert: &$d.cinert,
            cvel: &$d.cvel,
            qvel: &$d.qvel,
            qacc: $qacc,
            bodies,
            parents: if filtered {
                Selection::new(true, &$d.parent_awake_ind, $d.nparent_awake, usize::MAX)
            } else {
                bodies
            },
            dofs: Selection::new(filtered, &$d.dof_awake_ind, $d.nv_awake, $m.nv),
        }
    }};
}

/// Recursive Newton-Euler: `result = M(q) qacc + c(q, v)`; without `with_acc` the first term is left out.
pub fn rne(m: &Model, d: &mut Data, with_acc: bool, result: &mut [f64]) {
    let state = newton_euler!(m, d, with_acc.then_some(&d.qacc[..]));
    rne_kernel(Limbs::of(m), state, d.workspace.scratch().smooth.recursion(m.nbody), result);
}

/// What [`bias`] touches.
pub(crate) const BIAS: Access = access! {
    model { body_dofadr body_dofnum body_parentid dof_bodyid }
    reads {
        body_awake_ind cdof cdof_dot cinert cvel dof_awake_ind nparent_awake nv_awake parent_awake_ind
        qfrc_bias qvel
    }
    writes { qfrc_bias }
};

/// `qfrc_bias`: Coriolis, centrifugal and gravity forces, without those of tendons.
pub(crate) fn bias(m: &Model, d: &mut Data) {
    bias_force(m, d, BiasTarget::Bias);
}

/// Coriolis, centrifugal and gravity forces.
pub(crate) fn bias_force(m: &Model, d: &mut Data, target: BiasTarget) {
    let state = newton_euler!(m, d, None);
    let result = match target {
        BiasTarget::Bias => &mut d.qfrc_bias,
        BiasTarget::Inverse => &mut d.qfrc_inverse,
    };
    let (limbs, recursion) = (Limbs::of(m), d.workspace.scratch().smooth.recursion(m.nbody));
    let points = m.parts.soft_points();
    if state.bodies.is_filtered() {
        rne_kernel(limbs, state, recursion, result);
    } else if is_worth_threads(m, d.threads) && points.is_empty() {
        let out = (Span::whole(recursion.0), (Span::whole(recursion.1), Span::whole(result)));
        let NewtonEuler { cdof, cdof_dot, cinert, cvel, qvel, .. } = state;
        let inputs = (cdof, cinert, qvel);
        in_pieces(m, d.threads, out, |piece, out| {
            bias_of_piece(&limbs, inputs, (cvel, cdof_dot), piece, out)
        });
    } else if points.is_empty() {
        rne_kernel(limbs, state, recursion, result);
    } else {
        bias_beside_points(limbs, &state, points, recursion, result);
    }
}

/// Accelerations and forces of bodies, and bias forces.
type Recursion<'a> = (Span<'a, Body, Vec6>, (Span<'a, Body, Vec6>, Span<'a, Dof, f64>));

/// Motion axes, inertias and rates of joints.
type Inputs<'a> = (&'a [Vec6], &'a [[f64; 10]], &'a [f64]);

/// Bias forces of some trees; sums as in [`rne_kernel`].
fn bias_of_piece<V, A>(
    limbs: &Limbs,
    (cdof, cinert, qvel): Inputs,
    (cvel, cdof_dot): (&V, &A),
    piece: &Piece,
    (mut cacc, (mut cfrc, mut result)): Recursion,
) where
    V: Index<usize, Output = Vec6> + ?Sized,
    A: Index<Range<usize>, Output = [Vec6]> + ?Sized,
{
    for i in piece.bodies.clone() {
        let (parent, dofs) = (limbs.parent[i] as usize, limbs.dofs(i));
        let mut acc = if parent == 0 { limbs.world_acceleration } else { cacc[parent] };
        spatial::add_to(&mut acc, &mul_dofs(&cdof_dot[dofs.clone()], &qvel[dofs]));
        cfrc[i] = body_force(&cinert[i], &acc, &cvel[i]);
        cacc[i] = acc;
    }
    pull_on_parents(limbs, piece, cdof, &mut cfrc, &mut result);
}

/// Forces inwards, and what of them is along the joints.
#[inline(always)]
fn pull_on_parents(
    limbs: &Limbs,
    piece: &Piece,
    cdof: &[Vec6],
    cfrc: &mut Span<Body, Vec6>,
    result: &mut Span<Dof, f64>,
) {
    for i in piece.bodies.clone().rev() {
        let (parent, force) = (limbs.parent[i] as usize, cfrc[i]);
        if parent > 0 {
            spatial::add_to(&mut cfrc[parent], &force);
        }
    }
    for dof in piece.dofs.clone() {
        result[dof] = spatial::dot(&cdof[dof], &cfrc[limbs.dof_body[dof] as usize]);
    }
}

/// [`com_vel`] and [`bias`] tree by tree, in pieces for several threads.
pub(crate) struct TreeVelocities<'a> {
    skeleton: Skeleton<'a>,
    limbs: Limbs<'a>,
    inputs: Inputs<'a>,
}

/// What [`TreeVelocities`] write: velocities, and bias forces with what they are made of.
pub(crate) type VelocitiesAndBias<'a> = (Velocities<'a, f64>, Recursion<'a>);

impl<'a> TreeVelocities<'a> {
    pub fn of(m: &'a Model, cdof: &'a [Vec6], cinert: &'a [[f64; 10]], qvel: &'a [f64]) -> Self {
        Self { skeleton: Skeleton::of(m), limbs: Limbs::of(m), inputs: (cdof, cinert, qvel) }
    }

    pub fn fill(&self, piece: &Piece, (velocities, (mut cacc, (mut cfrc, mut result))): VelocitiesAndBias) {
        let Self { skeleton, limbs, inputs: (cdof, cinert, qvel) } = *self;
        let (mut cvel, mut cdof_dot) = velocities;
        for i in piece.bodies.clone() {
            let (parent, dofs) = (limbs.parent[i] as usize, limbs.dofs(i));
            let (mut velocity, mut acc) =
                if parent == 0 { ([0.0; 6], limbs.world_acceleration) } else { (cvel[parent], cacc[parent]) };
            if dofs.len() == 1 {
                let (axis, rate) = (&cdof[dofs.start], qvel[dofs.start]);
                let turning = spatial::cross_motion(&velocity, axis);
                cdof_dot[dofs.start] = turning;
                for k in 0..6 {
                    velocity[k] += axis[k] * rate;
                    acc[k] += turning[k] * rate;
                }
            } else {
                for j in skeleton.joints(i) {
                    let dof = skeleton.dof[j] as usize;
                    joint_velocity(skeleton.kind[j], dof, cdof, qvel, &mut velocity, &mut cdof_dot);
                }
                spatial::add_to(&mut acc, &mul_dofs(&cdof_dot[dofs.clone()], &qvel[dofs]));
            }
            cfrc[i] = body_force(&cinert[i], &acc, &velocity);
            cacc[i] = acc;
            cvel[i] = velocity;
        }
        pull_on_parents(&limbs, piece, cdof, &mut cfrc, &mut result);
    }
}

/// [`com_vel`] and [`bias`] in one pass over the bodies, which then need not be read again. False, and nothing is done, where
/// some sleep or are points, or where there is enough to do for several threads.
pub(crate) fn velocities_and_bias(m: &Model, d: &mut Data) -> bool {
    if awake::sleep_enabled(m) || is_worth_threads(m, d.threads) || !m.parts.soft_points().is_empty() {
        return false;
    }
    let Data { cdof, qvel, cinert, cvel, cdof_dot, qfrc_bias, workspace, .. } = d;
    cvel[0] = [0.0; 6];
    let (cacc, cfrc) = workspace.scratch().smooth.recursion(m.nbody);
    let velocities = (Span::whole(cvel), Span::whole(cdof_dot));
    let recursion = (Span::whole(cacc), (Span::whole(cfrc), Span::whole(qfrc_bias)));
    TreeVelocities::of(m, cdof, cinert, qvel).fill(&Piece::all(m), (velocities, recursion));
    true
}

/// Bias forces where some bodies are points, on which nothing hangs and whose three joints slide: they have their weight
/// only.
#[inline(never)]
fn bias_beside_points(
    limbs: Limbs,
    state: &NewtonEuler<f64>,
    points: Range<usize>,
    (cacc, cfrc): (&mut [Vec6], &mut [Vec6]),
    result: &mut [f64],
) {
    cacc[0] = limbs.world_acceleration;
    cfrc[0] = [0.0; 6];
    let others = || [1..points.start, points.end..state.bodies.len()].into_iter().flatten();
    for i in others() {
        outwards(&limbs, state, i, cacc, cfrc);
    }
    for i in others().rev() {
        let (parent, force) = (limbs.parent[i] as usize, cfrc[i]);
        if parent > 0 {
            spatial::add_to(&mut cfrc[parent], &force);
        }
    }
    for (i, dof) in others().flat_map(|i| limbs.dofs(i).map(move |dof| (i, dof))) {
        result[dof] = spatial::dot(&state.cdof[dof], &cfrc[i]);
    }
    let first = limbs.dofs(points.start).start;
    let dofs = first..first + 3 * points.len();
    let axes = state.cdof[dofs.clone()].as_chunks::<3>().0;
    let forces = result[dofs].as_chunks_mut::<3>().0;
    let up = spatial::lin(&limbs.world_acceleration);
    for ((force, axes), inertia) in forces.iter_mut().zip(axes).zip(&state.cinert[points]) {
        let weight = vec3::scale(up, inertia[9]);
        *force = std::array::from_fn(|k| vec3::dot(spatial::lin(&axes[k]), weight));
    }
}

/// Acceleration of a body from that of its parent, and the force that it takes.
#[inline(always)]
fn outwards<T: Number>(
    limbs: &Limbs,
    state: &NewtonEuler<T>,
    i: usize,
    cacc: &mut [[T; 6]],
    cfrc: &mut [[T; 6]],
) {
    let NewtonEuler { cdof, cdof_dot, cinert, cvel, qvel, qacc, .. } = state;
    let dofs = limbs.dofs(i);
    let mut acc = cacc[limbs.parent[i] as usize];
    spatial::add_to(&mut acc, &mul_dofs(&cdof_dot[dofs.clone()], &qvel[dofs.clone()]));
    if let Some(qacc) = qacc {
        spatial::add_to(&mut acc, &mul_dofs(&cdof[dofs.clone()], &qacc[dofs]));
    }
    cfrc[i] = body_force(&cinert[i], &acc, &cvel[i]);
    cacc[i] = acc;
}

/// Accelerations of bodies outwards, forces inwards; both have a place for every body.
fn rne_kernel<T: Number>(
    limbs: Limbs,
    state: NewtonEuler<T>,
    (cacc, cfrc): (&mut [[T; 6]], &mut [[T; 6]]),
    result: &mut [T],
) {
    let NewtonEuler { cdof, bodies, parents, dofs, .. } = state;
    cacc[0] = T::all(limbs.world_acceleration);
    cfrc[0] = T::all([0.0; 6]);
    for k in 1..bodies.len() {
        outwards(&limbs, &state, bodies.get(k), cacc, cfrc);
    }
    for i in parents.iter().rev() {
        let parent = limbs.parent[i] as usize;
        if parent > 0 {
            let force = cfrc[i];
            spatial::add_to(&mut cfrc[parent], &force);
        }
    }
    for i in dofs.iter() {
        result[i] = spatial::dot(&cdof[i], &cfrc[limbs.dof_body[i] as usize]);
    }
}

/// Dofs of a body's own joints.
#[inline]
pub(crate) fn body_dofs(m: &Model, body: usize) -> Range<usize> {
    let start = m.body_dofadr[body].max(0) as usize;
    start..start + m.body_dofnum[body] as usize
}

/// What [`subtree_vel`] touches.
pub(crate) const SUBTREE_VEL: Access = access! {
    model { body_inertia body_mass body_parentid body_rootid body_subtreemass }
    reads { body_awake_ind cvel nbody_awake subtree_angmom subtree_com subtree_linvel ximat xipos }
    writes { flg_subtreevel subtree_angmom subtree_linvel }
};

/// Linear velocities and angular momenta of subtrees.
///
/// Writes subtree_linvel subtree_angmom; sensors and users ask for it when needed.
pub fn subtree_vel(m: &Model, d: &mut Data) {
    let mut body_vel = std::mem::take(&mut d.workspace.scratch().smooth.body_vel);
    body_vel.resize(m.nbody, [0.0; 6]);
    for i in awake::bodies(m, d).iter() {
        body_vel[i] = object_velocity(m, d, ObjType::Body, i, false).unwrap_or_default();
    }
    let Data { ximat, xipos, subtree_com, subtree_linvel, subtree_angmom, body_awake_ind, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), body_awake_ind, d.nbody_awake, m.nbody);
    for i in bodies.iter() {
        subtree_linvel[i] = vec3::scale(spatial::lin(&body_vel[i]), m.body_mass[i]);
        let local = mat3::mul_vec_t(&ximat[i], spatial::rot(&body_vel[i]));
        let spin = std::array::from_fn(|k| local[k] * m.body_inertia[i][k]);
        subtree_angmom[i] = mat3::mul_vec(&ximat[i], spin);
    }
    for i in bodies.iter().rev() {
        if i > 0 {
            let parent = m.body_parentid[i] as usize;
            subtree_linvel[parent] = vec3::add(subtree_linvel[parent], subtree_linvel[i]);
        }
        subtree_linvel[i] = vec3::scale(subtree_linvel[i], 1.0 / m.body_subtreemass[i].max(MINVAL));
    }
    for i in bodies.iter().rev().filter(|&i| i > 0) {
        let parent = m.body_parentid[i] as usize;
        // orbital momentum of the body about its subtree's centre, then of the subtree about the parent's
        let arm = vec3::sub(xipos[i], subtree_com[i]);
        let relative = vec3::sub(spatial::lin(&body_vel[i]), subtree_linvel[i]);
        let own = vec3::cross(arm, vec3::scale(relative, m.body_mass[i]));
        subtree_angmom[i] = vec3::add(subtree_angmom[i], own);
        subtree_angmom[parent] = vec3::add(subtree_angmom[parent], subtree_angmom[i]);
        let arm = vec3::sub(subtree_com[i], subtree_com[parent]);
        let relative = vec3::sub(subtree_linvel[i], subtree_linvel[parent]);
        let orbit = vec3::cross(arm, vec3::scale(relative, m.body_subtreemass[i]));
        subtree_angmom[parent] = vec3::add(subtree_angmom[parent], orbit);
    }
    d.workspace.scratch().smooth.body_vel = body_vel;
    d.flg_subtreevel = true;
}

/// Adds the bias force of tendons with armature: qfrc += armature · Jᵀ (J̇ᵀ q̇).
pub fn tendon_bias(m: &Model, d: &mut Data) -> Result<(), GeomWrapping> {
    add_tendon_bias(m, d, BiasTarget::Bias)
}

/// [`tendon_bias`], added to other forces.
pub(crate) fn add_tendon_bias(m: &Model, d: &mut Data, target: BiasTarget) -> Result<(), GeomWrapping> {
    if all_zero(&m.tendon_armature) {
        return Ok(());
    }
    let mut jac_dot = std::mem::take(&mut d.workspace.scratch().smooth.row);
    jac_dot.resize(m.nv, 0.0);
    let mut result = Ok(());
    for i in 0..m.ntendon {
        let armature = m.tendon_armature[i];
        if armature == 0.0 || tendon::is_asleep(m, d, i) {
            continue;
        }
        result = tendon::tendon_dot(m, d, i, &mut jac_dot);
        if result.is_err() {
            break;
        }
        let rate = dense::dot(&jac_dot, &d.qvel);
        let coef = armature * rate;
        if coef != 0.0 {
            let Data { ten_J, ten_J_rownnz, ten_J_rowadr, ten_J_colind, qfrc_bias, qfrc_inverse, .. } = d;
            let force = if target == BiasTarget::Bias { qfrc_bias } else { qfrc_inverse };
            if support::is_sparse(m) {
                let start = ten_J_rowadr[i] as usize;
                for k in start..start + ten_J_rownnz[i] as usize {
                    force[ten_J_colind[k] as usize] += coef * ten_J[k];
                }
            } else {
                for (f, j) in force.iter_mut().zip(&ten_J[i * m.nv..]) {
                    *f += coef * j;
                }
            }
        }
    }
    jac_dot.fill(0.0);
    d.workspace.scratch().smooth.row = jac_dot;
    result
}

/// Used by [`crate::rne_post`].
pub(crate) fn interaction_forces(m: &Model, d: &mut Data) {
    d.cacc[0] = world_acceleration(m);
    d.cfrc_int[0] = [0.0; 6];
    for i in 1..m.nbody {
        let dofs = body_dofs(m, i);
        let mut acc = d.cacc[m.body_parentid[i] as usize];
        spatial::add_to(&mut acc, &mul_dofs(&d.cdof_dot[dofs.clone()], &d.qvel[dofs.clone()]));
        spatial::add_to(&mut acc, &mul_dofs(&d.cdof[dofs.clone()], &d.qacc[dofs]));
        d.cacc[i] = acc;
        let force = body_force(&d.cinert[i], &acc, &d.cvel[i]);
        d.cfrc_int[i] = std::array::from_fn(|k| force[k] - d.cfrc_ext[i][k]);
    }
    for i in (1..m.nbody).rev() {
        let force = d.cfrc_int[i];
        spatial::add_to(&mut d.cfrc_int[m.body_parentid[i] as usize], &force);
    }
}
