//! Sensors that depend on accelerations and forces.

use super::{contact, object, of_limit_row, tactile};
use crate::constraint::contact_force;
use crate::ray::ray_primitive;
use crate::support::{body_of_geom, object_acceleration};
use crate::workspace::Sensor as Scratch;
use ligament_geom::ray::{Pose, Ray};
use ligament_math::{Vec6, mat3, spatial, vec3};
use ligament_model::enums::{ConstraintType, GeomType, ObjType, SensorType, TrnType};
use ligament_model::{Data, Model};

pub fn evaluate(
    m: &Model,
    d: &Data,
    sensor: usize,
    kind: SensorType,
    scratch: &mut Scratch,
    out: &mut [f64],
) {
    let id = m.sensor_objid[sensor].max(0) as usize;
    match kind {
        SensorType::Touch => out[0] = touch(m, d, id),
        SensorType::Contact => contact::evaluate(m, d, sensor, &mut scratch.matches, out),
        SensorType::Tactile => tactile::evaluate(m, d, sensor, &mut scratch.touching, out),
        SensorType::Accelerometer => {
            let acceleration = object_acceleration(m, d, ObjType::Site, id, true).unwrap_or_default();
            out.copy_from_slice(&spatial::lin(&acceleration));
        }
        SensorType::Force => out.copy_from_slice(&spatial::lin(&interaction(m, d, id))),
        SensorType::Torque => out.copy_from_slice(&spatial::rot(&interaction(m, d, id))),
        SensorType::Actuatorfrc => out[0] = d.actuator_force[id],
        SensorType::Jointactfrc => out[0] = d.qfrc_actuator[m.jnt_dofadr[id] as usize],
        SensorType::Tendonactfrc => {
            let pulls = |&i: &usize| {
                m.actuator_trntype[i] == TrnType::Tendon as i32 && m.actuator_trnid[i][0] == id as i32
            };
            out[0] = (0..m.nu).filter(pulls).map(|i| d.actuator_force[i]).sum();
        }
        SensorType::Jointlimitfrc => {
            out[0] = of_limit_row(m, d, sensor, ConstraintType::LimitJoint as i32, |row| d.efc_force[row]);
        }
        SensorType::Tendonlimitfrc => {
            out[0] = of_limit_row(m, d, sensor, ConstraintType::LimitTendon as i32, |row| d.efc_force[row]);
        }
        SensorType::Framelinacc | SensorType::Frameangacc => {
            let object_kind = object(m.sensor_objtype[sensor]);
            let acceleration = object_acceleration(m, d, object_kind, id, false).unwrap_or_default();
            let linear = kind == SensorType::Framelinacc;
            out.copy_from_slice(&if linear {
                spatial::lin(&acceleration)
            } else {
                spatial::rot(&acceleration)
            });
        }
        _ => {}
    }
}

/// Force that the parent exerts on the body of a site, about the site and in its frame.
fn interaction(m: &Model, d: &Data, site: usize) -> Vec6 {
    let body = m.site_bodyid[site] as usize;
    let center = d.subtree_com[m.body_rootid[body] as usize];
    let force = spatial::shift_force(&d.cfrc_int[body], d.site_xpos[site], center);
    let axes = &d.site_xmat[site];
    spatial::join(mat3::mul_vec_t(axes, spatial::rot(&force)), mat3::mul_vec_t(axes, spatial::lin(&force)))
}

/// Sum of the normal forces on the body of a site whose line of action meets the site's volume.
fn touch(m: &Model, d: &Data, site: usize) -> f64 {
    let body = m.site_bodyid[site];
    let zone = Pose { pos: d.site_xpos[site], mat: d.site_xmat[site] };
    let Ok(shape) = GeomType::try_from(m.site_type[site]) else { return 0.0 };
    let mut total = 0.0;
    for (i, contact) in d.contact.iter().enumerate().filter(|(_, c)| c.efc_address >= 0) {
        let bodies = contact.geom.map(|geom| body_of_geom(m, geom));
        if !bodies.contains(&body) {
            continue;
        }
        let normal_force = contact_force(m, d, i)[0];
        if normal_force <= 0.0 {
            continue;
        }
        let mut direction = vec3::unit(vec3::scale(mat3::row(&contact.frame, 0), normal_force));
        if body == bodies[1] {
            direction = vec3::neg(direction);
        }
        let line = Ray { origin: contact.pos, direction };
        if ray_primitive(&zone, m.site_size[site], shape, &line).is_some() {
            total += normal_force;
        }
    }
    total
}
