//! Numerical integration of one time step.

mod implicit;
mod runge_kutta;

pub(crate) use implicit::{add_derivatives, implicit_skip_with};
pub use implicit::{implicit, implicit_skip};
pub use runge_kutta::runge_kutta4;
pub(crate) use runge_kutta::{INNER, runge_kutta4_with};

use crate::abreast::{self, NewFactor};
use crate::access::{Access, access};
use crate::awake::{self, Selection};
use crate::error::StepError;
use crate::forward::forward_skip_with;
use crate::history;
use crate::inertia;
use crate::parallel;
use crate::part_set::{MujocoParts, PartSet};
use crate::sensor;
use crate::sleep;
use crate::support::{actuator_disabled, integrate_pos_of, next_activation};
use crate::workspace::Scratches as _;
use ligament_math::simd;
use ligament_model::enums::{DisableBit, Integrator, Stage};
use ligament_model::{Data, Model};

/// What an integrator moves the state by.
struct Rates<'a> {
    /// Activation derivatives; those of the data when absent.
    act_dot: Option<&'a [f64]>,
    qacc: &'a [f64],
    /// Velocity that moves the positions; the new velocity when absent (semi-implicit).
    qvel: Option<&'a [f64]>,
}

/// Velocities below which another thread costs more than it saves: they take some microseconds.
const MIN_NUMBERS: usize = 4000;

/// Advances activations, velocities, positions and time.
fn advance(m: &Model, d: &mut Data, rates: Rates, set: &impl PartSet) -> Result<(), StepError> {
    advance_inputs(m, d, rates.act_dot, set)?;
    let h = m.opt.timestep;
    let filtered = awake::sleep_enabled(m) && d.ntree_awake < m.ntree;
    let Data { qpos, qvel, qacc_warmstart, qacc, dof_awake_ind, body_awake_ind, workspace, .. } = d;
    let drift = &mut workspace.scratch().drift;
    let (qvel, rate) = (&mut qvel[..m.nv], &rates.qacc[..m.nv]);
    let dofs = Selection::new(filtered, dof_awake_ind, d.nv_awake, m.nv);
    if dofs.is_filtered() {
        dofs.each(|i| qvel[i] += rate[i] * h);
    } else {
        parallel::split(d.threads, MIN_NUMBERS, (&mut qvel[..], rate), |(qvel, rate)| {
            simd::axpy(h, rate, qvel);
        });
    }
    simd::axpy(1.0, qvel, drift);
    let followed: &[f64] = if drift.is_empty() { rates.qvel.unwrap_or(qvel) } else { drift };
    let bodies = Selection::new(filtered, body_awake_ind, d.nbody_awake, m.nbody);
    integrate_pos_of(m, d.threads, qpos, followed, h, bodies);
    drift.clear(); // it belonged to this step
    parallel::copy(d.threads, qacc, qacc_warmstart);
    d.time += h;
    Ok(())
}

/// Advances what positions and velocities do not depend on; lets trees fall asleep.
fn advance_inputs(
    m: &Model,
    d: &mut Data,
    act_dot: Option<&[f64]>,
    set: &impl PartSet,
) -> Result<(), StepError> {
    history::advance(m, d, sensor::compute_into);
    if m.na > 0 && !m.opt.disabled(DisableBit::Actuation) {
        advance_activations(m, d, act_dot);
    }
    if awake::sleep_enabled(m) {
        fall_asleep(m, d, set)?;
    }
    Ok(())
}

/// Puts trees to sleep that have come to rest.
#[inline(never)]
fn fall_asleep(m: &Model, d: &mut Data, set: &impl PartSet) -> Result<(), StepError> {
    if sleep::sleep(m, d) > 0 {
        // velocities of trees that fell asleep became zero
        forward_skip_with(m, d, Stage::Pos, false, set)?;
        sleep::update_sleep(m, d);
    }
    Ok(())
}

#[inline(never)]
fn advance_activations(m: &Model, d: &mut Data, act_dot: Option<&[f64]>) {
    for i in 0..m.nu {
        let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
        let disabled = actuator_disabled(m, i);
        for j in first..first + m.actuator_actnum[i] as usize {
            let rate = if disabled { 0.0 } else { act_dot.unwrap_or(&d.act_dot)[j] };
            d.act[j] = next_activation(m, d.act[j], i, rate);
        }
    }
}

/// What [`integrate`] touches.
pub(crate) const INTEGRATE: Access = access! {
    model {
        B_colind B_rowadr B_rownnz D_colind D_diag D_rowadr D_rownnz M_colind M_rowadr M_rownnz
        actuator_actadr actuator_actearly actuator_actlimited actuator_actnum actuator_actrange
        actuator_biasprm actuator_biastype actuator_ctrllimited actuator_ctrlrange actuator_dynprm
        actuator_dyntype actuator_forcelimited actuator_forcerange actuator_gainprm actuator_gaintype
        actuator_gear actuator_group actuator_history actuator_historyadr actuator_lengthrange
        actuator_trnid actuator_trntype body_conaffinity body_contype body_dofadr body_dofnum body_geomadr
        body_geomnum body_inertia body_invweight0 body_ipos body_iquat body_jntadr body_jntnum body_mass
        body_parentid body_pos body_quat body_rootid body_subtreemass body_treeid body_weldid cam_bodyid
        cam_mat0 cam_mode cam_pos cam_poscom0 cam_quat cam_targetbodyid dof_M0 dof_Madr dof_armature
        dof_bodyid dof_damping dof_frictionloss dof_invweight0 dof_jntid dof_length dof_parentid
        dof_simplenum dof_solimp dof_solref dof_treeid eq_obj1id eq_obj2id eq_objtype eq_solimp eq_solref
        eq_type flex_centered flex_damping flex_edgeadr flex_edgedamping flex_edgenum flex_elemadr
        flex_interp flex_node flex_nodeadr flex_nodebodyid flex_nodenum flex_rigid flex_stiffness
        flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz flexedge_rigid geom_bodyid geom_conaffinity
        geom_condim geom_contype geom_fluid geom_friction geom_gap geom_margin geom_pos geom_quat
        geom_rbound geom_size geom_solimp geom_solref geom_type jnt_actfrclimited jnt_axis jnt_bodyid
        jnt_dofadr jnt_limited jnt_margin jnt_pos jnt_qposadr jnt_range jnt_solimp jnt_solref
        jnt_stiffness jnt_type light_bodyid light_dir light_pos mapD2M mapM2D mapM2M qpos0 qpos_spring
        sensor_adr sensor_cutoff sensor_delay sensor_dim sensor_history sensor_historyadr sensor_interval
        sensor_needstage sensor_objid sensor_type site_bodyid site_pos site_quat tendon_actfrclimited
        tendon_adr tendon_armature tendon_damping tendon_frictionloss tendon_invweight0
        tendon_lengthspring tendon_limited tendon_margin tendon_num tendon_range tendon_solimp_fri
        tendon_solimp_lim tendon_solref_fri tendon_solref_lim tendon_stiffness tendon_treeid
        tendon_treenum tree_bodyadr tree_bodynum tree_dofadr tree_dofnum tree_sleep_policy wrap_objid
        wrap_prm wrap_type
    }
    reads {
        M act act_dot actuator_force actuator_length actuator_moment actuator_velocity body_awake
        body_awake_ind cdof cdof_dot cinert ctrl cvel dof_awake_ind flexedge_J geom_xmat geom_xpos history
        island_itreeadr island_ntree map_itree2tree moment_colind moment_rowadr moment_rownnz nbody_awake
        nefc nisland nparent_awake ntree_awake nv_awake parent_awake_ind qDeriv qH qHDiagInv qM qacc
        qacc_warmstart qfrc_applied qfrc_constraint qfrc_smooth qpos qvel sensordata subtree_com ten_J
        ten_J_colind ten_J_rowadr ten_J_rownnz time tree_asleep tree_awake wrap_obj wrap_xpos xfrc_applied
        ximat xipos xmat xpos
    }
    writes {
        M act act_dot actuator_force actuator_length actuator_moment actuator_velocity cam_xmat cam_xpos
        cdof cdof_dot cinert contact crb cvel dof_island efc_AR efc_D efc_J efc_J_colind efc_J_rowadr
        efc_J_rownnz efc_KBIP efc_R efc_aref efc_b efc_diagApprox efc_force efc_frictionloss efc_id
        efc_island efc_margin efc_pos efc_state efc_type efc_vel energy flg_energypos flg_energyvel
        flg_subtreevel geom_xmat geom_xpos history island_dofadr island_idofadr island_iefcadr
        island_itreeadr island_ne island_nefc island_nf island_ntree island_nv light_xdir light_xpos
        map_dof2idof map_efc2iefc map_idof2dof map_iefc2efc map_itree2tree moment_colind moment_rowadr
        moment_rownnz nA nJ ncon ne nefc nf nidof nisland nl qDeriv qH qHDiagInv qLD qLDiagInv qLU qM
        qacc qacc_smooth qacc_warmstart qfrc_actuator qfrc_bias qfrc_constraint qfrc_damper qfrc_fluid
        qfrc_gravcomp qfrc_passive qfrc_smooth qfrc_spring qpos qvel site_xmat site_xpos subtree_com
        ten_J ten_length ten_velocity ten_wrapadr ten_wrapnum tendon_efcadr time tree_asleep tree_island
        wrap_obj wrap_xpos xanchor xaxis ximat xipos xmat xpos xquat
    }
};

/// The integrator that the options name, for a state whose acceleration is known.
pub(crate) fn integrate(m: &Model, d: &mut Data) {
    // what can fail here fails in `step` in the same way
    let _ = match Integrator::try_from(m.opt.integrator) {
        Ok(Integrator::Euler) => euler(m, d),
        Ok(Integrator::Rk4) => runge_kutta4(m, d),
        Ok(Integrator::Implicit | Integrator::Implicitfast) => implicit(m, d),
        Err(_) => Ok(()),
    };
}

/// Semi-implicit Euler; joint damping is integrated implicitly: (M + h·diag(damping)) qacc = forces.
pub fn euler(m: &Model, d: &mut Data) -> Result<(), StepError> {
    euler_skip(m, d, false)
}

/// [`euler`], reusing the factors of the last call when `skip_factor` is set.
pub fn euler_skip(m: &Model, d: &mut Data, skip_factor: bool) -> Result<(), StepError> {
    euler_skip_with(m, d, skip_factor, &MujocoParts)
}

pub(crate) fn euler_skip_with(
    m: &Model,
    d: &mut Data,
    skip_factor: bool,
    set: &impl PartSet,
) -> Result<(), StepError> {
    let implicit = has_implicit_damping(m) && is_damped(m, awake::dofs(m, d));
    let factor = if skip_factor { NewFactor::No } else { NewFactor::Yes };
    if abreast::can_advance(m, d) {
        advance_inputs(m, d, None, set)?;
        abreast::advance(m, d, implicit.then_some(factor));
        d.time += m.opt.timestep;
        return Ok(());
    }
    let mut new_qacc = std::mem::take(&mut d.workspace.scratch().smooth.qacc);
    if new_qacc.len() != m.nv {
        fit(&mut new_qacc, m.nv);
    }
    if awake::dofs(m, d).is_filtered() {
        rates_of_awake(m, d, skip_factor, &mut new_qacc);
    } else if implicit {
        let Data { M, qH, qHDiagInv, qfrc_smooth, qfrc_constraint, .. } = d;
        if !skip_factor {
            inertia::factor_of(m, Selection::all(m.nv), d.threads, (M, Some(m.opt.timestep)), qH, qHDiagInv);
        }
        simd::sum(qfrc_smooth, qfrc_constraint, &mut new_qacc);
        inertia::solve(m, Selection::all(m.nv), d.threads, (qH, qHDiagInv), &mut new_qacc);
    } else {
        new_qacc.copy_from_slice(&d.qacc);
    }
    let result = advance(m, d, Rates { act_dot: None, qacc: &new_qacc, qvel: None }, set);
    d.workspace.scratch().smooth.qacc = new_qacc;
    result
}

#[cold]
#[inline(never)]
fn fit(numbers: &mut Vec<f64>, len: usize) {
    numbers.resize(len, 0.0);
}

/// The accelerations that Euler's method uses, where something sleeps.
#[inline(never)]
fn rates_of_awake(m: &Model, d: &mut Data, skip_factor: bool, new_qacc: &mut [f64]) {
    let damped = has_implicit_damping(m) && is_damped(m, awake::dofs(m, d));
    let Data { M, qH, qHDiagInv, qfrc_smooth, qfrc_constraint, qacc, dof_awake_ind, .. } = d;
    let dofs = Selection::new(true, dof_awake_ind, d.nv_awake, m.nv);
    if !damped {
        return dofs.each(|i| new_qacc[i] = qacc[i]);
    }
    if !skip_factor {
        inertia::factor_of(m, dofs, d.threads, (M, Some(m.opt.timestep)), qH, qHDiagInv);
    }
    dofs.each(|i| new_qacc[i] = qfrc_smooth[i] + qfrc_constraint[i]);
    inertia::solve(m, dofs, d.threads, (qH, qHDiagInv), new_qacc);
}

/// Has one of these dofs damping?
#[inline]
fn is_damped(m: &Model, dofs: Selection) -> bool {
    let damping = &m.dof_damping[..m.nv];
    match dofs.index() {
        Some(_) => dofs.iter().any(|i| !(damping[i] <= 0.0)),
        // many at a glance: vertices of flexes have none
        None => damping.chunks(64).any(|some| some.iter().fold(false, |any, &x| any | !(x <= 0.0))),
    }
}

/// Does Euler's method take joint damping implicitly?
pub(crate) fn has_implicit_damping(m: &Model) -> bool {
    !m.opt.disabled(DisableBit::Eulerdamp) && !m.opt.disabled(DisableBit::Damper)
}

/// qH = M + h·diag(damping).
pub(crate) fn add_damping(m: &Model, d: &mut Data) {
    let Data { M, qH, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    inertia::copy_rows(m, dofs, M, qH);
    inertia::add_to_diagonal(m, dofs, m.opt.timestep, qH);
}

/// Advances the state by the acceleration that four worlds have computed together.
pub(crate) fn advance_by(m: &Model, d: &mut Data, qacc: &[f64]) -> Result<(), StepError> {
    advance(m, d, Rates { act_dot: None, qacc, qvel: None }, &MujocoParts)
}
