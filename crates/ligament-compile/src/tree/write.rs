//! Copies the tree into the arrays of the model.

use super::{CBody, CCamera, CGeom, CJoint, CLight, CSite, Tree, frame_of_body, frame_of_element};
use crate::bvh::write_tree;
use ligament_model::Model;
use ligament_model::enums::JointType;

impl Tree<'_> {
    /// Bodies, joints, dofs, geoms, sites, cameras, lights. Returns the number of nodes of bounding-volume trees.
    pub fn write(&self, m: &mut Model) -> usize {
        let mut bvhadr = 0;
        for (id, body) in self.bodies.iter().enumerate() {
            write_body(m, id, body);
            bvhadr = write_bvh(m, id, body, bvhadr);
        }
        for (id, joint) in self.joints.iter().enumerate() {
            write_joint(m, id, joint);
            write_dofs(m, id, joint);
            write_reference(m, joint, &self.bodies[joint.body]);
        }
        for (id, geom) in self.geoms.iter().enumerate() {
            write_geom(m, id, geom, &self.bodies[geom.body]);
        }
        for (id, site) in self.sites.iter().enumerate() {
            write_site(m, id, site, &self.bodies[site.body]);
        }
        for (id, camera) in self.cameras.iter().enumerate() {
            write_camera(m, id, camera);
        }
        for (id, light) in self.lights.iter().enumerate() {
            write_light(m, id, light);
        }
        bvhadr
    }
}

/// Copies user data into its row; the rest of the row stays zero.
fn write_user(rows: &mut [f64], width: usize, id: usize, data: &[f64]) {
    rows[width * id..width * id + data.len()].copy_from_slice(data);
}

/// Address of a range, -1 when it is empty.
fn address(range: &std::ops::Range<usize>) -> i32 {
    if range.is_empty() { -1 } else { range.start as i32 }
}

fn write_body(m: &mut Model, id: usize, body: &CBody<'_>) {
    m.body_parentid[id] = body.parent as i32;
    m.body_weldid[id] = body.weld as i32;
    m.body_mocapid[id] = body.mocap;
    m.body_jntnum[id] = body.joints.len() as i32;
    m.body_jntadr[id] = address(&body.joints);
    m.body_dofnum[id] = body.dofnum as i32;
    m.body_dofadr[id] = address(&(body.dofadr..body.dofadr + body.dofnum));
    m.body_geomnum[id] = body.geoms.len() as i32;
    m.body_geomadr[id] = address(&body.geoms);
    m.body_sameframe[id] = frame_of_body(body) as u8;
    m.body_pos[id] = body.pose.pos;
    m.body_quat[id] = body.pose.quat;
    m.body_ipos[id] = body.inertial.pos;
    m.body_iquat[id] = body.inertial.quat;
    m.body_mass[id] = body.mass;
    m.body_inertia[id] = body.inertia;
    m.body_gravcomp[id] = body.spec.gravcomp;
    m.body_contype[id] = body.contype;
    m.body_conaffinity[id] = body.conaffinity;
    m.body_margin[id] = body.margin;
    m.body_plugin[id] = -1;
    let width = m.nuser_body;
    write_user(&mut m.body_user, width, id, &body.spec.userdata);
}

/// Returns the address after the nodes of this body.
fn write_bvh(m: &mut Model, id: usize, body: &CBody<'_>, adr: usize) -> usize {
    let end = write_tree(&body.bvh, adr, m);
    m.body_bvhadr[id] = address(&(adr..end));
    m.body_bvhnum[id] = (end - adr) as i32;
    end
}

fn write_joint(m: &mut Model, id: usize, joint: &CJoint<'_>) {
    let spec = joint.spec;
    m.jnt_type[id] = spec.kind as i32;
    m.jnt_group[id] = spec.group;
    m.jnt_limited[id] = u8::from(joint.limited);
    m.jnt_actfrclimited[id] = u8::from(joint.actfrclimited);
    m.jnt_actgravcomp[id] = u8::from(spec.actgravcomp);
    m.jnt_qposadr[id] = joint.qposadr as i32;
    m.jnt_dofadr[id] = joint.dofadr as i32;
    m.jnt_bodyid[id] = joint.body as i32;
    m.jnt_pos[id] = joint.pos;
    m.jnt_axis[id] = joint.axis;
    m.jnt_stiffness[id] = spec.stiffness;
    m.jnt_range[id] = joint.range;
    m.jnt_actfrcrange[id] = spec.actfrcrange;
    m.jnt_solref[id] = spec.solref_limit;
    m.jnt_solimp[id] = spec.solimp_limit;
    m.jnt_margin[id] = spec.margin;
    let width = m.nuser_jnt;
    write_user(&mut m.jnt_user, width, id, &spec.userdata);
}

fn write_dofs(m: &mut Model, id: usize, joint: &CJoint<'_>) {
    let spec = joint.spec;
    for dof in joint.dofadr..joint.dofadr + joint.nv() {
        m.dof_jntid[dof] = id as i32;
        m.dof_solref[dof] = spec.solref_friction;
        m.dof_solimp[dof] = spec.solimp_friction;
        m.dof_frictionloss[dof] = spec.frictionloss;
        m.dof_armature[dof] = spec.armature;
        m.dof_damping[dof] = spec.damping;
    }
}

/// Where the joint stands in the reference configuration, and where its spring rests.
fn write_reference(m: &mut Model, joint: &CJoint<'_>, body: &CBody<'_>) {
    let adr = joint.qposadr;
    match joint.spec.kind {
        JointType::Free => {
            m.qpos0[adr..adr + 3].copy_from_slice(&body.pose.pos);
            m.qpos0[adr + 3..adr + 7].copy_from_slice(&body.pose.quat);
        }
        JointType::Ball => m.qpos0[adr..adr + 4].copy_from_slice(&ligament_math::quat::IDENTITY),
        JointType::Slide | JointType::Hinge => {
            m.qpos0[adr] = joint.reference;
            m.qpos_spring[adr] = joint.springref;
            return;
        }
    }
    let range = adr..adr + joint.nq();
    m.qpos_spring[range.clone()].copy_from_slice(&m.qpos0[range]);
}

fn write_geom(m: &mut Model, id: usize, geom: &CGeom<'_>, body: &CBody<'_>) {
    let spec = geom.spec;
    m.geom_type[id] = geom.kind as i32;
    m.geom_contype[id] = spec.contype;
    m.geom_conaffinity[id] = spec.conaffinity;
    m.geom_condim[id] = spec.condim;
    m.geom_bodyid[id] = geom.body as i32;
    m.geom_dataid[id] = geom.data;
    m.geom_matid[id] = geom.material;
    m.geom_group[id] = spec.group;
    m.geom_priority[id] = spec.priority;
    m.geom_plugin[id] = -1;
    m.geom_sameframe[id] = frame_of_element(geom.pose.pos, geom.pose.quat, body) as u8;
    m.geom_solmix[id] = spec.solmix;
    m.geom_solref[id] = spec.solref;
    m.geom_solimp[id] = spec.solimp;
    m.geom_size[id] = geom.size;
    m.geom_aabb[id] = geom.aabb;
    m.geom_rbound[id] = geom.rbound;
    m.geom_pos[id] = geom.pose.pos;
    m.geom_quat[id] = geom.pose.quat;
    m.geom_friction[id] = spec.friction;
    m.geom_margin[id] = spec.margin;
    m.geom_gap[id] = spec.gap;
    m.geom_fluid[id] = geom.fluid;
    m.geom_rgba[id] = spec.rgba;
    let width = m.nuser_geom;
    write_user(&mut m.geom_user, width, id, &spec.userdata);
}

fn write_site(m: &mut Model, id: usize, site: &CSite<'_>, body: &CBody<'_>) {
    let spec = site.spec;
    m.site_type[id] = spec.kind as i32;
    m.site_bodyid[id] = site.body as i32;
    m.site_matid[id] = site.material;
    m.site_group[id] = spec.group;
    m.site_sameframe[id] = frame_of_element(site.pose.pos, site.pose.quat, body) as u8;
    m.site_size[id] = site.size;
    m.site_pos[id] = site.pose.pos;
    m.site_quat[id] = site.pose.quat;
    m.site_rgba[id] = spec.rgba;
    let width = m.nuser_site;
    write_user(&mut m.site_user, width, id, &spec.userdata);
}

fn write_camera(m: &mut Model, id: usize, camera: &CCamera<'_>) {
    let spec = camera.spec;
    m.cam_mode[id] = spec.mode as i32;
    m.cam_bodyid[id] = camera.body as i32;
    m.cam_targetbodyid[id] = camera.target;
    m.cam_pos[id] = camera.pose.pos;
    m.cam_quat[id] = camera.pose.quat;
    m.cam_projection[id] = spec.proj as i32;
    m.cam_fovy[id] = camera.fovy;
    m.cam_ipd[id] = spec.ipd;
    m.cam_resolution[id] = spec.resolution;
    m.cam_output[id] = spec.output;
    m.cam_sensorsize[id] = spec.sensor_size;
    m.cam_intrinsic[id] = camera.intrinsic;
    let width = m.nuser_cam;
    write_user(&mut m.cam_user, width, id, &spec.userdata);
}

fn write_light(m: &mut Model, id: usize, light: &CLight<'_>) {
    let spec = light.spec;
    m.light_mode[id] = spec.mode as i32;
    m.light_bodyid[id] = light.body as i32;
    m.light_targetbodyid[id] = light.target;
    m.light_type[id] = spec.kind as i32;
    m.light_texid[id] = light.texture;
    m.light_castshadow[id] = u8::from(spec.castshadow);
    m.light_bulbradius[id] = spec.bulbradius;
    m.light_intensity[id] = spec.intensity;
    m.light_range[id] = spec.range;
    m.light_active[id] = u8::from(spec.active);
    m.light_pos[id] = light.pos;
    m.light_dir[id] = light.dir;
    m.light_attenuation[id] = spec.attenuation;
    m.light_cutoff[id] = spec.cutoff;
    m.light_exponent[id] = spec.exponent;
    m.light_ambient[id] = spec.ambient;
    m.light_diffuse[id] = spec.diffuse;
    m.light_specular[id] = spec.specular;
}
