//! Numbers of a compiled model that were changed after compiling, taken back into its specification.
//!
//! Only what differs from the compiler's own result is taken back, so that an untouched model is written as it was
//! read. A changed pose is written where the compiler left it: outside of frames, as position and quaternion.

use super::is_aligned;
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::spec::{Body, Camera, Geom, Joint, Key, Light, Meta, Orientation, Site, Spec};
use ligament_math::{Quat, Vec3, quat, vec3};
use ligament_model::Model;
use ligament_model::enums::{AlignFree, GeomType, JointType, Limited};
use ligament_model::option::{Options, Statistic, Visual};
use std::f64::consts::PI;

macro_rules! compiled {
    ($($name:ident: $ty:ty,)+) => {
        /// The numbers of a model that a specification can take back, as the compiler made them.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Compiled {
            opt: Options,
            vis: Visual,
            stat: Statistic,
            /// Only where the text has the elevations.
            hfield_data: Vec<f32>,
            $($name: Vec<$ty>,)+
        }

        impl Compiled {
            /// Remembers the numbers of a model.
            pub fn of(spec: &Spec, model: &Model) -> Self {
                let elevations = spec.hfields.iter().any(|field| !field.userdata.is_empty());
                Self {
                    opt: model.opt.clone(),
                    vis: model.vis.clone(),
                    stat: model.stat.clone(),
                    hfield_data: if elevations { model.hfield_data.to_vec() } else { Vec::new() },
                    $($name: model.$name.to_vec(),)+
                }
            }
        }
    };
}

compiled! {
    qpos0: f64, qpos_spring: f64,
    body_pos: [f64; 3], body_quat: [f64; 4], body_ipos: [f64; 3], body_iquat: [f64; 4], body_mass: f64,
    body_inertia: [f64; 3], body_user: f64,
    jnt_pos: [f64; 3], jnt_axis: [f64; 3], jnt_stiffness: f64, jnt_range: [f64; 2], jnt_solref: [f64; 2],
    jnt_solimp: [f64; 5], jnt_margin: f64, jnt_user: f64,
    dof_solref: [f64; 2], dof_solimp: [f64; 5], dof_armature: f64, dof_damping: f64, dof_frictionloss: f64,
    geom_size: [f64; 3], geom_pos: [f64; 3], geom_quat: [f64; 4], geom_friction: [f64; 3], geom_solref: [f64; 2],
    geom_solimp: [f64; 5], geom_rgba: [f32; 4], geom_solmix: f64, geom_margin: f64, geom_gap: f64, geom_user: f64,
    site_size: [f64; 3], site_pos: [f64; 3], site_quat: [f64; 4], site_rgba: [f32; 4], site_user: f64,
    cam_pos: [f64; 3], cam_quat: [f64; 4], cam_fovy: f64, cam_ipd: f64, cam_resolution: [i32; 2],
    cam_intrinsic: [f32; 4], cam_user: f64,
    light_pos: [f64; 3], light_dir: [f64; 3], light_attenuation: [f32; 3], light_cutoff: f32, light_exponent: f32,
    light_ambient: [f32; 3], light_diffuse: [f32; 3], light_specular: [f32; 3],
    mat_texrepeat: [f32; 2], mat_emission: f32, mat_specular: f32, mat_shininess: f32, mat_reflectance: f32,
    mat_rgba: [f32; 4],
    pair_solref: [f64; 2], pair_solreffriction: [f64; 2], pair_solimp: [f64; 5], pair_margin: f64, pair_gap: f64,
    pair_friction: [f64; 5],
    eq_data: [f64; 11], eq_solref: [f64; 2], eq_solimp: [f64; 5],
    tendon_range: [f64; 2], tendon_actfrcrange: [f64; 2], tendon_solref_lim: [f64; 2], tendon_solimp_lim: [f64; 5],
    tendon_solref_fri: [f64; 2], tendon_solimp_fri: [f64; 5], tendon_rgba: [f32; 4], tendon_width: f64,
    tendon_margin: f64, tendon_stiffness: f64, tendon_damping: f64, tendon_armature: f64, tendon_frictionloss: f64,
    tendon_user: f64,
    actuator_dynprm: [f64; 10], actuator_gainprm: [f64; 10], actuator_biasprm: [f64; 10],
    actuator_ctrlrange: [f64; 2], actuator_forcerange: [f64; 2], actuator_actrange: [f64; 2],
    actuator_lengthrange: [f64; 2], actuator_gear: [f64; 6], actuator_cranklength: f64, actuator_user: f64,
    sensor_cutoff: f64, sensor_noise: f64, sensor_user: f64,
    numeric_data: f64, tuple_objprm: f64,
    key_time: f64, key_qpos: f64, key_qvel: f64, key_act: f64, key_mpos: f64, key_mquat: f64, key_ctrl: f64,
}

/// The specification with every number of the model that is no longer what the compiler made of it.
pub fn take_back(spec: &Spec, compiled: &Compiled, model: &Model) -> Result<Spec> {
    let mut spec = spec.clone();
    if *compiled == Compiled::of(&spec, model) {
        return Ok(spec);
    }
    let edits = Edits { then: compiled, now: model };
    edits.check(&spec)?;
    edits.settings(&mut spec);
    edits.tree(&mut spec);
    edits.assets(&mut spec);
    edits.constraints(&mut spec);
    edits.tendons(&mut spec);
    edits.actuators(&mut spec);
    edits.custom(&mut spec);
    edits.keys(&mut spec);
    Ok(spec)
}

struct Edits<'a> {
    then: &'a Compiled,
    now: &'a Model,
}

/// Takes the numbers of element `$i` that were changed into fields of the specification.
macro_rules! follow {
    ($edits:ident, $element:ident[$i:expr]: $($field:ident <- $array:ident),+ $(,)?) => {
        $(if changed!($edits, $array, $i) { $element.$field = $edits.now.$array[$i]; })+
    };
}

/// Was one of these numbers of an element changed?
macro_rules! changed {
    ($edits:ident, $array:ident, $i:expr) => {
        $edits.now.$array[$i] != $edits.then.$array[$i]
    };
    ($edits:ident, $($array:ident)|+, $i:expr) => {
        $(changed!($edits, $array, $i))||+
    };
}

/// Takes a row of user numbers that was changed.
fn follow_row(target: &mut Vec<f64>, now: &[f64], then: &[f64], i: usize, width: usize) {
    let row = i * width..(i + 1) * width;
    if now[row.clone()] != then[row.clone()] {
        *target = now[row].to_vec();
    }
}

/// A range was changed: whether it limits anything stays what the compiler made of it.
fn settle(limited: &mut Limited, now: u8) {
    if *limited == Limited::Auto {
        *limited = if now != 0 { Limited::True } else { Limited::False };
    }
}

/// Puts an element where the model has it, out of all frames.
fn place(
    meta: &mut Meta,
    pos: &mut Vec3,
    orientation: &mut Quat,
    alt: &mut Option<Orientation>,
    at: (Vec3, Quat),
) {
    meta.frame = None;
    (*pos, *orientation) = at;
    *alt = None;
}

impl Edits<'_> {
    /// Elements are found by their place: those of the specification and of the model must be the same.
    fn check(&self, spec: &Spec) -> Result<()> {
        let (m, mut tree) = (self.now, [0; 6]);
        for id in spec.tree_order() {
            let body = &spec.bodies[id.index()];
            let here = [
                1,
                body.joints.len(),
                body.geoms.len(),
                body.sites.len(),
                body.cameras.len(),
                body.lights.len(),
            ];
            tree.iter_mut().zip(here).for_each(|(sum, count)| *sum += count);
        }
        let lists = [
            spec.materials.len(),
            spec.meshes.len(),
            spec.hfields.len(),
            spec.pairs.len(),
            spec.equalities.len(),
            spec.tendons.len(),
            spec.actuators.len(),
            spec.sensors.len(),
            spec.numerics.len(),
            spec.tuples.len(),
        ];
        let same = tree == [m.nbody, m.njnt, m.ngeom, m.nsite, m.ncam, m.nlight]
            && lists
                == [
                    m.nmat, m.nmesh, m.nhfield, m.npair, m.neq, m.ntendon, m.nu, m.nsensor, m.nnumeric,
                    m.ntuple,
                ];
        if same {
            return Ok(());
        }
        let message = "numbers were changed in a model whose elements the compiler merged or discarded";
        let help = "compile without fusestatic and discardvisual, or change the specification instead";
        Err(MjcfError::Unsupported(Diagnostic::new(message).help(help)))
    }

    fn settings(&self, spec: &mut Spec) {
        if self.now.opt != self.then.opt {
            spec.option = self.now.opt.clone();
        }
        if self.now.vis != self.then.vis {
            spec.visual = self.now.vis.clone();
        }
        macro_rules! statistics {
            ($($name:ident)+) => {
                $(if self.now.stat.$name != self.then.stat.$name { spec.stat.$name = self.now.stat.$name; })+
            };
        }
        statistics!(meaninertia meanmass meansize extent center);
    }

    fn tree(&self, spec: &mut Spec) {
        let [mut joint, mut geom, mut site, mut camera, mut light] = [0; 5];
        for (id, body) in spec.tree_order().into_iter().enumerate() {
            let compilers = &spec.compilers;
            let body = &mut spec.bodies[body.index()];
            let aligned = is_aligned(body, compilers[body.meta.compiler.index()].alignfree);
            let whole = aligned && self.moved(body, id, [geom, site, camera, light]);
            self.body(body, id, whole);
            for element in &mut body.joints {
                let degree = compilers[element.meta.compiler.index()].degree;
                self.joint(element, joint, degree);
                joint += 1;
            }
            macro_rules! elements {
                ($list:ident, $method:ident, $next:ident) => {
                    for element in &mut body.$list {
                        self.$method(element, $next, whole);
                        $next += 1;
                    }
                };
            }
            elements!(geoms, geom, geom);
            elements!(sites, site, site);
            elements!(cameras, camera, camera);
            elements!(lights, light, light);
            if whole {
                body.joints[0].align = AlignFree::False;
            }
        }
    }

    /// Was this body, or something on it, moved? `first`: numbers of its first geom, site, camera and light.
    fn moved(&self, body: &Body, id: usize, first: [usize; 4]) -> bool {
        let [geom, site, camera, light] = first;
        changed!(self, body_pos | body_quat, id)
            || (geom..geom + body.geoms.len()).any(|i| changed!(self, geom_pos | geom_quat, i))
            || (site..site + body.sites.len()).any(|i| changed!(self, site_pos | site_quat, i))
            || (camera..camera + body.cameras.len()).any(|i| changed!(self, cam_pos | cam_quat, i))
            || (light..light + body.lights.len()).any(|i| changed!(self, light_pos | light_dir, i))
    }

    fn body(&self, body: &mut Body, i: usize, whole: bool) {
        let m = self.now;
        if whole || changed!(self, body_pos | body_quat, i) {
            place(
                &mut body.meta,
                &mut body.pos,
                &mut body.quat,
                &mut body.alt,
                (m.body_pos[i], m.body_quat[i]),
            );
        }
        let inertia = changed!(self, body_mass | body_inertia | body_ipos | body_iquat, i);
        if inertia || (whole && body.explicitinertial) {
            body.explicitinertial = true;
            (body.mass, body.inertia) = (m.body_mass[i], m.body_inertia[i]);
            (body.ipos, body.iquat, body.ialt) = (m.body_ipos[i], m.body_iquat[i], None);
            body.fullinertia[0] = f64::NAN;
        }
        follow_row(&mut body.userdata, &m.body_user, &self.then.body_user, i, m.nuser_body);
    }

    fn joint(&self, joint: &mut Joint, i: usize, degree: bool) {
        let m = self.now;
        let unit = |angular: bool| if angular && degree { 180.0 / PI } else { 1.0 };
        if changed!(self, jnt_pos | jnt_axis, i) {
            joint.meta.frame = None;
            (joint.pos, joint.axis) = (m.jnt_pos[i], m.jnt_axis[i]);
        }
        if changed!(self, jnt_range, i) {
            settle(&mut joint.limited, m.jnt_limited[i]);
            let angular = m.jnt_limited[i] != 0 && matches!(joint.kind, JointType::Hinge | JointType::Ball);
            joint.range = m.jnt_range[i].map(|x| x * unit(angular));
        }
        let (qpos, dof) = (m.jnt_qposadr[i] as usize, m.jnt_dofadr[i] as usize);
        if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
            let angular = unit(joint.kind == JointType::Hinge);
            if changed!(self, qpos0, qpos) {
                joint.reference = m.qpos0[qpos] * angular;
            }
            if changed!(self, qpos_spring, qpos) {
                joint.springref = m.qpos_spring[qpos] * angular;
            }
        }
        if changed!(self, jnt_stiffness, i) || changed!(self, dof_damping, dof) {
            joint.springdamper = [0.0; 2];
            (joint.stiffness, joint.damping) = (m.jnt_stiffness[i], m.dof_damping[dof]);
        }
        follow!(self, joint[i]: solref_limit <- jnt_solref, solimp_limit <- jnt_solimp, margin <- jnt_margin);
        follow!(self, joint[dof]: solref_friction <- dof_solref, solimp_friction <- dof_solimp,
            armature <- dof_armature, frictionloss <- dof_frictionloss);
        follow_row(&mut joint.userdata, &m.jnt_user, &self.then.jnt_user, i, m.nuser_jnt);
    }

    fn geom(&self, geom: &mut Geom, i: usize, whole: bool) {
        let m = self.now;
        let has_mesh = !geom.meshname.is_empty();
        let is_mesh = matches!(geom.kind, GeomType::Mesh | GeomType::Sdf);
        let resized = changed!(self, geom_size, i) && !is_mesh && geom.kind != GeomType::Hfield;
        if whole || resized || changed!(self, geom_pos | geom_quat, i) {
            let mut at = (m.geom_pos[i], m.geom_quat[i]);
            if is_mesh {
                // the compiler moved the geom to the frame of its mesh: q = q_text·q_mesh, p = p_text + q_text·p_mesh
                let mesh = m.geom_dataid[i] as usize;
                at.1 = quat::mul(at.1, quat::conj(m.mesh_quat[mesh]));
                at.0 = vec3::sub(at.0, quat::rotate(at.1, m.mesh_pos[mesh]));
            } else if geom.kind != GeomType::Hfield {
                geom.size = m.geom_size[i];
                if has_mesh {
                    geom.meshname.clear(); // a shape that was fitted to a mesh is that shape now
                }
            }
            geom.fromto[0] = f64::NAN;
            place(&mut geom.meta, &mut geom.pos, &mut geom.quat, &mut geom.alt, at);
        }
        follow!(self, geom[i]: friction <- geom_friction, solref <- geom_solref, solimp <- geom_solimp,
            rgba <- geom_rgba, solmix <- geom_solmix, margin <- geom_margin, gap <- geom_gap);
        follow_row(&mut geom.userdata, &m.geom_user, &self.then.geom_user, i, m.nuser_geom);
    }

    fn site(&self, site: &mut Site, i: usize, whole: bool) {
        let m = self.now;
        if whole || changed!(self, site_pos | site_quat, i) || changed!(self, site_size, i) {
            site.size = m.site_size[i];
            site.fromto[0] = f64::NAN;
            place(
                &mut site.meta,
                &mut site.pos,
                &mut site.quat,
                &mut site.alt,
                (m.site_pos[i], m.site_quat[i]),
            );
        }
        follow!(self, site[i]: rgba <- site_rgba);
        follow_row(&mut site.userdata, &m.site_user, &self.then.site_user, i, m.nuser_site);
    }

    fn camera(&self, camera: &mut Camera, i: usize, whole: bool) {
        let m = self.now;
        if whole || changed!(self, cam_pos | cam_quat, i) {
            let at = (m.cam_pos[i], m.cam_quat[i]);
            place(&mut camera.meta, &mut camera.pos, &mut camera.quat, &mut camera.alt, at);
        }
        follow!(self, camera[i]: fovy <- cam_fovy, ipd <- cam_ipd, resolution <- cam_resolution,
            intrinsic <- cam_intrinsic);
        follow_row(&mut camera.userdata, &m.cam_user, &self.then.cam_user, i, m.nuser_cam);
    }

    fn light(&self, light: &mut Light, i: usize, whole: bool) {
        if whole || changed!(self, light_pos | light_dir, i) {
            light.meta.frame = None;
            (light.pos, light.dir) = (self.now.light_pos[i], self.now.light_dir[i]);
        }
        follow!(self, light[i]: attenuation <- light_attenuation, cutoff <- light_cutoff, exponent <- light_exponent,
            ambient <- light_ambient, diffuse <- light_diffuse, specular <- light_specular);
    }

    fn assets(&self, spec: &mut Spec) {
        for (i, material) in spec.materials.iter_mut().enumerate() {
            follow!(self, material[i]: texrepeat <- mat_texrepeat, emission <- mat_emission,
                specular <- mat_specular, shininess <- mat_shininess, reflectance <- mat_reflectance,
                rgba <- mat_rgba);
        }
        for (i, field) in spec.hfields.iter_mut().enumerate() {
            let first = self.now.hfield_adr[i] as usize;
            let samples = first..first + field.userdata.len();
            if self.now.hfield_data.get(samples.clone()) != self.then.hfield_data.get(samples.clone()) {
                field.userdata = self.now.hfield_data[samples].to_vec();
            }
        }
    }

    fn constraints(&self, spec: &mut Spec) {
        for (i, pair) in spec.pairs.iter_mut().enumerate() {
            follow!(self, pair[i]: solref <- pair_solref, solreffriction <- pair_solreffriction,
                solimp <- pair_solimp, margin <- pair_margin, gap <- pair_gap, friction <- pair_friction);
        }
        for (i, equality) in spec.equalities.iter_mut().enumerate() {
            follow!(self, equality[i]: data <- eq_data, solref <- eq_solref, solimp <- eq_solimp);
        }
    }

    fn tendons(&self, spec: &mut Spec) {
        let m = self.now;
        for (i, tendon) in spec.tendons.iter_mut().enumerate() {
            if changed!(self, tendon_range, i) {
                settle(&mut tendon.limited, m.tendon_limited[i]);
            }
            if changed!(self, tendon_actfrcrange, i) {
                settle(&mut tendon.actfrclimited, m.tendon_actfrclimited[i]);
            }
            follow!(self, tendon[i]: range <- tendon_range, actfrcrange <- tendon_actfrcrange,
                solref_limit <- tendon_solref_lim, solimp_limit <- tendon_solimp_lim,
                solref_friction <- tendon_solref_fri, solimp_friction <- tendon_solimp_fri, rgba <- tendon_rgba,
                width <- tendon_width, margin <- tendon_margin, stiffness <- tendon_stiffness,
                damping <- tendon_damping, armature <- tendon_armature, frictionloss <- tendon_frictionloss);
            follow_row(&mut tendon.userdata, &m.tendon_user, &self.then.tendon_user, i, m.nuser_tendon);
        }
    }

    fn actuators(&self, spec: &mut Spec) {
        let m = self.now;
        for (i, actuator) in spec.actuators.iter_mut().enumerate() {
            if changed!(self, actuator_ctrlrange | actuator_actrange, i) {
                actuator.inheritrange = 0.0;
                (actuator.ctrlrange, actuator.actrange) = (m.actuator_ctrlrange[i], m.actuator_actrange[i]);
                settle(&mut actuator.ctrllimited, m.actuator_ctrllimited[i]);
                settle(&mut actuator.actlimited, m.actuator_actlimited[i]);
            }
            if changed!(self, actuator_forcerange, i) {
                settle(&mut actuator.forcelimited, m.actuator_forcelimited[i]);
            }
            if changed!(self, actuator_gainprm | actuator_biasprm, i) {
                // together: a damping ratio is resolved with the gain
                (actuator.gainprm, actuator.biasprm) = (m.actuator_gainprm[i], m.actuator_biasprm[i]);
            }
            follow!(self, actuator[i]: dynprm <- actuator_dynprm, forcerange <- actuator_forcerange,
                lengthrange <- actuator_lengthrange, gear <- actuator_gear, cranklength <- actuator_cranklength);
            follow_row(
                &mut actuator.userdata,
                &m.actuator_user,
                &self.then.actuator_user,
                i,
                m.nuser_actuator,
            );
        }
        for (i, sensor) in spec.sensors.iter_mut().enumerate() {
            follow!(self, sensor[i]: cutoff <- sensor_cutoff, noise <- sensor_noise);
            follow_row(&mut sensor.userdata, &m.sensor_user, &self.then.sensor_user, i, m.nuser_sensor);
        }
    }

    fn custom(&self, spec: &mut Spec) {
        let m = self.now;
        let section = |adr: i32, size: i32| adr as usize..(adr + size) as usize;
        for (i, numeric) in spec.numerics.iter_mut().enumerate() {
            let part = section(m.numeric_adr[i], m.numeric_size[i]);
            if m.numeric_data[part.clone()] != self.then.numeric_data[part.clone()] {
                numeric.data = m.numeric_data[part].to_vec();
            }
        }
        for (i, tuple) in spec.tuples.iter_mut().enumerate() {
            let part = section(m.tuple_adr[i], m.tuple_size[i]);
            if m.tuple_objprm[part.clone()] != self.then.tuple_objprm[part.clone()] {
                tuple.objprm = m.tuple_objprm[part].to_vec();
            }
        }
    }

    fn keys(&self, spec: &mut Spec) {
        let (m, then) = (self.now, self.then);
        for (i, place) in spec.key_order().into_iter().enumerate().take(m.nkey) {
            let mut key = place.map_or_else(Key::default, |k| spec.keys[k].clone());
            let before = key.clone();
            follow!(self, key[i]: time <- key_time);
            for (row, now, was, width) in [
                (&mut key.qpos, &m.key_qpos, &then.key_qpos, m.nq),
                (&mut key.qvel, &m.key_qvel, &then.key_qvel, m.nv),
                (&mut key.act, &m.key_act, &then.key_act, m.na),
                (&mut key.mpos, &m.key_mpos, &then.key_mpos, 3 * m.nmocap),
                (&mut key.mquat, &m.key_mquat, &then.key_mquat, 4 * m.nmocap),
                (&mut key.ctrl, &m.key_ctrl, &then.key_ctrl, m.nu),
            ] {
                follow_row(row, now, was, i, width);
            }
            match place {
                _ if key == before => {}
                Some(place) => spec.keys[place] = key,
                None => {
                    spec.keys.resize_with(spec.keys.len().max(i), Key::default);
                    spec.keys.push(key);
                }
            }
        }
    }
}
