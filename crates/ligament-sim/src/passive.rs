//! Passive forces: springs, dampers, gravity compensation, fluids.

use crate::access::{Access, access};
use crate::awake::{self, Selection, SleepStates};
use crate::constraint::passive_contacts;
use crate::flex::{self, flex_passive_with};
use crate::fluid;
use crate::parallel;
use crate::part_set::{MujocoParts, PartSet};
use crate::plugin;
use crate::support::skeleton::{Dof, Piece, Span};
use crate::support::{self, Chains, Motion, unit_quat_at};
use crate::tendon::TendonJacobians;
use ligament_math::{Vec3, quat, vec3};
use ligament_model::enums::{DisableBit, JointType, ObjType, SleepState};
use ligament_model::{Data, Model};
use std::ops::{IndexMut, Range};

/// What [`passive`] touches.
pub(crate) const PASSIVE: Access = access! {
    model {
        body_dofadr body_dofnum body_geomadr body_geomnum body_gravcomp body_inertia body_invweight0 body_jntadr
        body_jntnum body_mass body_quat body_rootid body_simple body_weldid dof_damping dof_jntid dof_parentid
        flex_bending flex_centered flex_damping flex_dim flex_edge flex_edgeadr flex_edgedamping flex_edgeflap
        flex_edgenum flex_edgestiffness flex_elem flex_elemadr flex_elemdataadr flex_elemedge flex_elemedgeadr
        flex_elemnum flex_interp flex_node flex_node0 flex_nodeadr flex_nodebodyid flex_nodenum
        flex_rigid flex_stiffness flex_vert0 flex_vertadr flex_vertbodyid flex_vertnum flexedge_J_colind
        flexedge_J_rowadr flexedge_J_rownnz flexedge_length0 flexedge_rigid geom_bodyid geom_fluid
        geom_size geom_type jnt_actgravcomp jnt_dofadr jnt_qposadr jnt_stiffness jnt_type qpos_spring
        tendon_damping tendon_lengthspring tendon_stiffness tendon_treeid
    }
    reads {
        body_awake_ind cdof contact cvel dof_awake_ind flexedge_J flexedge_length flexedge_velocity
        flexvert_xpos geom_xmat geom_xpos qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_passive qfrc_spring
        qpos qvel subtree_com ten_J ten_J_colind ten_J_rowadr ten_J_rownnz ten_length ten_velocity ximat
        xipos xmat xpos xquat
    }
    // contacts of passive flexes: that they have no rows
    writes { contact qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_passive qfrc_spring }
};

/// All passive forces.
///
/// Writes qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive. When springs and dampers are both disabled,
/// there are no passive forces at all, not even gravity compensation or drag.
pub fn passive(m: &Model, d: &mut Data) {
    passive_with(m, d, &MujocoParts);
}

/// [`passive`] with these parts for flexes that have none of their own.
pub(crate) fn passive_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    clear(m, d);
    if are_off(m) {
        return;
    }
    joint_forces(m, d);
    let present = other_forces(m, d, set);
    add_up(m, d, present);
    if let Some(callback) = d.callbacks.passive.clone() {
        callback(m, d);
    }
    plugin::passive(m, d);
}

/// [`passive_with`] without functions of the user, for a state whose trees have their [`JointForces`].
pub(crate) fn other_passive_with(m: &Model, d: &mut Data, set: &impl PartSet) {
    if are_off(m) {
        return;
    }
    let present = other_forces(m, d, set);
    if present.gravcomp || present.fluid || m.ntendon > 0 || (0..m.nflex).any(|f| flex::may_pull(m, f)) {
        add_up(m, d, present);
    }
}

/// Do the options leave no passive forces at all?
fn are_off(m: &Model) -> bool {
    m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper)
}

/// Which forces there are beside those of springs and dampers.
#[derive(Debug, Clone, Copy)]
struct Present {
    gravcomp: bool,
    fluid: bool,
}

/// Passive forces that are not those of joints.
fn other_forces(m: &Model, d: &mut Data, set: &impl PartSet) -> Present {
    if m.nflex > 0 {
        flex_passive_with(m, d, set);
    }
    if m.ntendon > 0 {
        tendon_springs_dampers(m, d, awake::sleep_enabled(m) && d.ntree_awake < m.ntree);
    }
    let gravcomp = gravity_compensation(m, d);
    let fluid = fluid::fluid(m, d);
    passive_contacts(m, d);
    Present { gravcomp, fluid }
}

/// The sum of all passive forces.
#[inline]
fn add_up(m: &Model, d: &mut Data, present: Present) {
    let Data { qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    let (sum, springs, dampers) = (&mut qfrc_passive[..m.nv], &qfrc_spring[..m.nv], &qfrc_damper[..m.nv]);
    dofs.each(|i| sum[i] = springs[i] + dampers[i]);
    if present.fluid {
        for i in dofs.iter() {
            qfrc_passive[i] += qfrc_fluid[i];
        }
    }
    if present.gravcomp {
        for i in dofs.iter() {
            // otherwise the actuators of the joint provide it
            if m.jnt_actgravcomp[m.dof_jntid[i] as usize] == 0 {
                qfrc_passive[i] += qfrc_gravcomp[i];
            }
        }
    }
}

/// Springs and dampers of joints, tree by tree, in pieces for several threads.
pub(crate) struct JointForces<'a> {
    springs: Option<Springs<'a>>,
    damping: Option<&'a [f64]>,
    qpos: &'a [f64],
    qvel: &'a [f64],
}

/// All passive forces of consecutive degrees of freedom: the sum, springs, dampers, gravity compensation, drag.
pub(crate) type PassiveForces<'a> = (Forces<'a>, ((Forces<'a>, Forces<'a>), (Forces<'a>, Forces<'a>)));
type Forces<'a> = Span<'a, Dof, f64>;

impl<'a> JointForces<'a> {
    pub fn of(m: &'a Model, qpos: &'a [f64], qvel: &'a [f64]) -> Self {
        let has = |bit| !m.opt.disabled(bit);
        Self {
            springs: has(DisableBit::Spring).then(|| Springs::of(m)),
            damping: has(DisableBit::Damper).then_some(&m.dof_damping[..]),
            qpos,
            qvel,
        }
    }

    /// The forces of some trees, as if nothing else pulled.
    pub fn fill(&self, piece: &Piece, out: PassiveForces) {
        let (mut sum, ((mut spring, mut damper), (mut gravcomp, mut fluid))) = out;
        let dofs = || piece.dofs.clone();
        for list in [&mut spring, &mut damper, &mut gravcomp, &mut fluid] {
            list.range(dofs()).fill(0.0);
        }
        if let Some(springs) = &self.springs {
            springs.pull(piece.joints.clone(), self.qpos, &mut spring);
        }
        if let Some(damping) = self.damping {
            dofs().filter(|&i| damping[i] != 0.0).for_each(|i| damper[i] = -damping[i] * self.qvel[i]);
        }
        dofs().for_each(|i| sum[i] = spring[i] + damper[i]);
    }
}

fn clear(m: &Model, d: &mut Data) {
    let Data { qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    let forces = [qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_passive];
    if dofs.is_filtered() {
        forces.into_iter().for_each(|x| dofs.iter().for_each(|i| x[i] = 0.0));
    } else {
        parallel::each_list::<f64, _>(d.threads, m.nv, forces, |x| x.fill(0.0));
    }
}

/// Springs and dampers of joints.
#[inline]
fn joint_forces(m: &Model, d: &mut Data) {
    let has_spring = !m.opt.disabled(DisableBit::Spring);
    let has_damper = !m.opt.disabled(DisableBit::Damper);
    let filtered = awake::sleep_enabled(m) && d.ntree_awake < m.ntree;
    if has_spring {
        let Data { qpos, qfrc_spring, body_awake_ind, .. } = d;
        let bodies = Selection::new(filtered, body_awake_ind, d.nbody_awake, m.nbody);
        joint_springs(&Springs::of(m), bodies, qpos, qfrc_spring);
    }
    if has_damper {
        let Data { qvel, qfrc_damper, dof_awake_ind, .. } = d;
        let dofs = Selection::new(filtered, dof_awake_ind, d.nv_awake, m.nv);
        joint_dampers(&m.dof_damping, dofs, qvel, qfrc_damper);
    }
}

/// Springs and dampers of tendons.
fn tendon_springs_dampers(m: &Model, d: &mut Data, filtered: bool) {
    let springs = TendonSprings {
        enabled: [DisableBit::Spring, DisableBit::Damper].map(|bit| !m.opt.disabled(bit)),
        stiffness: &m.tendon_stiffness,
        damping: &m.tendon_damping,
        rest: &m.tendon_lengthspring,
    };
    let Data { tree_awake, body_awake, ten_J, ten_J_rownnz, ten_J_rowadr, ten_J_colind, .. } = d;
    let is_awake = |i: usize| {
        SleepStates::of(m, tree_awake, body_awake).of_object(ObjType::Tendon, i) == SleepState::Awake
    };
    let (springs_out, dampers_out) = (&mut d.qfrc_spring, &mut d.qfrc_damper);
    springs.each(&d.ten_length, &d.ten_velocity, |i, [spring, damper]| {
        if filtered && !is_awake(i) {
            return;
        }
        let jacobians = TendonJacobians {
            sparse: support::is_sparse(m),
            nv: m.nv,
            values: ten_J,
            rownnz: ten_J_rownnz,
            rowadr: ten_J_rowadr,
            colind: ten_J_colind,
        };
        jacobians.each(i, |dof, j| {
            springs_out[dof] += j * spring;
            dampers_out[dof] += j * damper;
        });
    });
}

/// What springs and dampers of tendons are made of.
struct TendonSprings<'a> {
    /// Do the options leave springs, and dampers?
    enabled: [bool; 2],
    stiffness: &'a [f64],
    damping: &'a [f64],
    rest: &'a [[f64; 2]],
}

impl TendonSprings<'_> {
    /// Calls `f` with every tendon that a spring or a damper pulls, and with both forces.
    #[inline]
    fn each(&self, length: &[f64], velocity: &[f64], mut f: impl FnMut(usize, [f64; 2])) {
        let [has_spring, has_damper] = self.enabled;
        for (i, (&stiffness, &damping)) in self.stiffness.iter().zip(self.damping).enumerate() {
            let stiffness = if has_spring { stiffness } else { 0.0 };
            let damping = if has_damper { damping } else { 0.0 };
            if stiffness == 0.0 && damping == 0.0 {
                continue;
            }
            let spring = banded_spring(stiffness, length[i], self.rest[i]);
            let damper = -damping * velocity[i];
            if spring != 0.0 || damper != 0.0 {
                f(i, [spring, damper]);
            }
        }
    }
}

/// What springs of joints are made of.
struct Springs<'a> {
    /// First joint and number of joints of each body.
    of_bodies: [&'a [i32]; 2],
    kind: &'a [i32],
    /// Where the position and the degrees of freedom of each joint begin.
    places: [&'a [i32]; 2],
    stiffness: &'a [f64],
    rest: &'a [f64],
}

impl<'a> Springs<'a> {
    fn of(m: &'a Model) -> Self {
        Self {
            of_bodies: [&m.body_jntadr, &m.body_jntnum],
            kind: &m.jnt_type,
            places: [&m.jnt_qposadr, &m.jnt_dofadr],
            stiffness: &m.jnt_stiffness,
            rest: &m.qpos_spring,
        }
    }
}

/// Springs of the joints of some bodies.
fn joint_springs(springs: &Springs, bodies: Selection, qpos: &[f64], force_out: &mut [f64]) {
    if support::all_zero(springs.stiffness) {
        return;
    }
    if !bodies.is_filtered() {
        return springs.pull(0..springs.stiffness.len(), qpos, force_out);
    }
    let [first, count] = springs.of_bodies;
    for i in bodies.iter() {
        let start = first[i].max(0) as usize;
        springs.pull(start..start + count[i] as usize, qpos, force_out);
    }
}

impl Springs<'_> {
    /// Forces towards the rest position, rotations by the rotation vector of the difference.
    #[inline(always)]
    fn pull<F: IndexMut<usize, Output = f64> + ?Sized>(
        &self,
        joints: Range<usize>,
        qpos: &[f64],
        force_out: &mut F,
    ) {
        let Springs { kind, places: [position, dof], rest, .. } = self;
        for (j, &stiffness) in joints.clone().zip(&self.stiffness[joints]) {
            if stiffness == 0.0 {
                continue;
            }
            let (mut at, mut dof) = (position[j] as usize, dof[j] as usize);
            match JointType::try_from(kind[j]) {
                Ok(kind @ (JointType::Free | JointType::Ball)) => {
                    if kind == JointType::Free {
                        for k in 0..3 {
                            force_out[dof + k] = -stiffness * (qpos[at + k] - rest[at + k]);
                        }
                        at += 3;
                        dof += 3;
                    }
                    let turn = quat::sub(unit_quat_at(qpos, at), support::quat_at(rest, at));
                    let force = vec3::scale(turn, -stiffness);
                    (0..3).for_each(|k| force_out[dof + k] = force[k]);
                }
                Ok(JointType::Slide | JointType::Hinge) => {
                    force_out[dof] = -stiffness * (qpos[at] - rest[at]);
                }
                Err(_) => {}
            }
        }
    }
}

/// Dampers of joints; dofs without one keep what is there.
fn joint_dampers(damping: &[f64], dofs: Selection, qvel: &[f64], force_out: &mut [f64]) {
    let (qvel, force_out) = (&qvel[..damping.len()], &mut force_out[..damping.len()]);
    dofs.each(|i| {
        if damping[i] != 0.0 {
            force_out[i] = -damping[i] * qvel[i];
        }
    });
}

/// Force of a spring that rests between two lengths.
fn banded_spring(stiffness: f64, length: f64, [lower, upper]: [f64; 2]) -> f64 {
    if length > upper {
        stiffness * (upper - length)
    } else if length < lower {
        stiffness * (lower - length)
    } else {
        0.0
    }
}

/// Upward forces that compensate the weight of bodies; returns whether there are any.
fn gravity_compensation(m: &Model, d: &mut Data) -> bool {
    if m.ngravcomp == 0 || m.opt.disabled(DisableBit::Gravity) || vec3::norm(m.opt.gravity) == 0.0 {
        return false;
    }
    let Data { cdof, subtree_com, xipos, qfrc_gravcomp, body_awake_ind, .. } = d;
    let bodies = Selection::new(awake::sleep_enabled(m), body_awake_ind, d.nbody_awake, m.nbody);
    let carried = Carried { gravity: m.opt.gravity, mass: &m.body_mass, part: &m.body_gravcomp };
    carried.add(&Chains::of(m), Motion { cdof, subtree_com }, xipos, bodies, qfrc_gravcomp)
}

/// How much of the weight of each body is compensated.
struct Carried<'a> {
    gravity: Vec3,
    mass: &'a [f64],
    part: &'a [f64],
}

impl Carried<'_> {
    /// Adds the forces that carry some bodies; returns whether there are any.
    fn add(
        &self,
        chains: &Chains,
        motion: Motion,
        xipos: &[Vec3],
        bodies: Selection,
        force_out: &mut [f64],
    ) -> bool {
        let mut any = false;
        for i in bodies.iter().filter(|&i| i > 0 && self.part[i] != 0.0) {
            any = true;
            let force = vec3::scale(self.gravity, -(self.mass[i] * self.part[i]));
            chains.push(motion, Some(force), None, xipos[i], i, force_out);
        }
        any
    }
}
