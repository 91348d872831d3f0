//! Pulling on bodies.

use crate::interact::ORTHOGRAPHIC_SCALE;
use crate::pose::{Pose, compose, invert};
use crate::{Perturb, Scene, SceneError, camera_in_model, frustum_height};
use ligament_math::{MINVAL, Vec3, dense, mat3, quat, spatial, vec3};
use ligament_model::enums::{JointType, ObjType, PertBit};
use ligament_model::{Data, Model};
use ligament_sim::inertia::solve_m2;
use ligament_sim::support::{jac, object_velocity, quat_at, vec3_at};

impl Perturb {
    fn pulls(&self, bit: PertBit) -> bool {
        (self.active | self.active2) & bit as i32 != 0
    }

    fn is_active(&self) -> bool {
        self.active | self.active2 != 0
    }

    /// The selected body, if there is one in this model.
    pub(crate) fn body(&self, m: &Model) -> Option<usize> {
        usize::try_from(self.select).ok().filter(|&body| 0 < body && body < m.nbody)
    }

    /// The selected point in the world.
    pub(crate) fn point(&self, d: &Data, body: usize) -> Vec3 {
        vec3::add(mat3::mul_vec(&d.xmat[body], self.localpos), d.xpos[body])
    }
}

/// Starts a perturbation of the selected body where it is (`mjv_initPerturb`).
pub fn init_perturb(m: &Model, d: &Data, scene: &Scene, perturb: &mut Perturb) -> Result<(), SceneError> {
    let Some(body) = perturb.body(m) else { return Ok(()) };
    let point = perturb.point(d, body);
    perturb.localmass = mass_at(m, d, point, body);
    if let Some(flex) = usize::try_from(perturb.flexselect).ok().filter(|&f| f < m.nflex)
        && m.flex_rigid[flex] == 0
    {
        // pulling at a vertex pulls at its neighbours: mean number of edges of a vertex
        perturb.localmass *= (2.0 * f64::from(m.flex_edgenum[flex])) / f64::from(m.flex_vertnum[flex]);
    }
    perturb.refpos = d.xipos[body];
    perturb.refquat = quat::mul(d.xquat[body], m.body_iquat[body]);
    perturb.refselpos = point;
    let view = camera_in_model(scene)?;
    let offset = vec3::sub(point, view.pos);
    perturb.scale = frustum_height(scene)? * vec3::dot(offset, view.forward);
    if scene.camera[0].orthographic != 0 {
        perturb.scale *= ORTHOGRAPHIC_SCALE;
    }
    Ok(())
}

/// Mean inertia at a point of a body: 3 / trace(J M⁻¹ Jᵀ).
fn mass_at(m: &Model, d: &Data, point: Vec3, body: usize) -> f64 {
    let nv = m.nv;
    let sqrt_inv_d: Vec<f64> = d.qLDiagInv.iter().map(|x| x.sqrt()).collect();
    let mut jacobian = vec![0.0; 3 * nv];
    jac(m, d, Some(&mut jacobian), None, point, body);
    let mut half = vec![0.0; 3 * nv];
    solve_m2(m, d, &mut half, &jacobian, &sqrt_inv_d);
    let row = |k: usize| dense::dot(&half[k * nv..(k + 1) * nv], &half[k * nv..(k + 1) * nv]);
    let inverse = row(0) + row(1) + row(2);
    if inverse == 0.0 { 1.0 } else { 3.0 / inverse.max(MINVAL) }
}

/// Moves the selected body at once (`mjv_applyPerturbPose`): mocap bodies always, floating ones while paused.
pub fn apply_perturb_pose(m: &Model, d: &mut Data, perturb: &Perturb, paused: bool) {
    let Some(body) = perturb.body(m).filter(|_| perturb.is_active()) else { return };
    let root = m.body_rootid[body] as usize;
    let inertial = (m.body_ipos[body], m.body_iquat[body]);
    let aim = compose((perturb.refpos, perturb.refquat), invert(inertial));
    let floating = |body: usize| {
        let joint = m.body_jntadr[body] as usize;
        let free = m.body_jntnum[body] == 1 && m.jnt_type[joint] == JointType::Free as i32;
        (paused && free).then(|| m.jnt_qposadr[joint] as usize)
    };
    if let Ok(mocap) = usize::try_from(m.body_mocapid[body]) {
        (d.mocap_pos[mocap], d.mocap_quat[mocap]) = aim;
    } else if let Some(address) = floating(body) {
        place(d, address, aim);
    } else if let Some(address) = floating(root) {
        let child = invert((d.xpos[body], d.xquat[body]));
        let relative = compose(child, (vec3_at(&d.qpos, address), quat_at(&d.qpos, address + 3)));
        place(d, address, compose(aim, relative));
    }
}

fn place(d: &mut Data, address: usize, (pos, turn): Pose) {
    d.qpos[address..address + 3].copy_from_slice(&pos);
    d.qpos[address + 3..address + 7].copy_from_slice(&turn);
}

/// Pulls the selected body with springs and dampers, through `xfrc_applied` (`mjv_applyPerturbForce`).
pub fn apply_perturb_force(m: &Model, d: &mut Data, perturb: &Perturb) {
    let in_model = usize::try_from(perturb.select).ok().filter(|&body| body < m.nbody);
    let Some(body) = in_model.filter(|_| perturb.is_active()) else { return };
    let velocity = object_velocity(m, d, ObjType::Body, body, false).unwrap_or_default();
    let (spin, drift) = (spatial::rot(&velocity), spatial::lin(&velocity));
    let weight = m.body_invweight0[body][1];
    let inertia = if weight == 0.0 { 1.0 } else { 1.0 / weight.max(MINVAL) };
    let [mut force, mut torque] = [spatial::rot(&d.xfrc_applied[body]), spatial::lin(&d.xfrc_applied[body])];
    let stiffness = f64::from(m.vis.map.stiffness);
    let turning = f64::from(m.vis.map.stiffnessrot);
    if perturb.pulls(PertBit::Translate) {
        let point = perturb.point(d, body);
        let mut offset = vec3::sub(point, perturb.refselpos);
        let arm = vec3::sub(point, d.xipos[body]);
        let speed = vec3::add(vec3::cross(spin, arm), drift);
        force = vec3::scale(offset, -stiffness * perturb.localmass);
        force = vec3::add_scaled(force, speed, -stiffness.sqrt() * perturb.localmass);
        torque = vec3::cross(arm, force);
        vec3::normalize(&mut offset);
        torque = vec3::add_scaled(torque, offset, -turning.sqrt() * inertia * vec3::dot(offset, spin));
    }
    if perturb.pulls(PertBit::Rotate) {
        let inertial = quat::mul(d.xquat[body], m.body_iquat[body]);
        let difference = quat::mul(perturb.refquat, quat::conj(inertial));
        torque = quat::to_velocity(difference, 1.0 / (turning * inertia));
        torque = vec3::add_scaled(torque, spin, -turning.sqrt() * inertia);
    }
    // forces stand before torques here
    d.xfrc_applied[body] = spatial::join(force, torque);
}
