//! Sensors that depend on velocities.

use super::{frame, object, of_limit_row};
use crate::support::object_velocity;
use ligament_math::{Vec6, mat3, spatial, vec3};
use ligament_model::enums::{ConstraintType, ObjType, SensorType};
use ligament_model::{Data, Model};

pub fn evaluate(m: &Model, d: &Data, sensor: usize, kind: SensorType, out: &mut [f64]) {
    let id = m.sensor_objid[sensor].max(0) as usize;
    let in_site = || object_velocity(m, d, ObjType::Site, id, true).unwrap_or_default();
    match kind {
        SensorType::Velocimeter => out.copy_from_slice(&spatial::lin(&in_site())),
        SensorType::Gyro => out.copy_from_slice(&spatial::rot(&in_site())),
        SensorType::Jointvel => out[0] = d.qvel[m.jnt_dofadr[id] as usize],
        SensorType::Tendonvel => out[0] = d.ten_velocity[id],
        SensorType::Actuatorvel => out[0] = d.actuator_velocity[id],
        SensorType::Ballangvel => {
            let adr = m.jnt_dofadr[id] as usize;
            out.copy_from_slice(&d.qvel[adr..adr + 3]);
        }
        SensorType::Jointlimitvel => {
            out[0] = of_limit_row(m, d, sensor, ConstraintType::LimitJoint as i32, |row| d.efc_vel[row]);
        }
        SensorType::Tendonlimitvel => {
            out[0] = of_limit_row(m, d, sensor, ConstraintType::LimitTendon as i32, |row| d.efc_vel[row]);
        }
        SensorType::Framelinvel => out.copy_from_slice(&spatial::lin(&frame_velocity(m, d, sensor))),
        SensorType::Frameangvel => out.copy_from_slice(&spatial::rot(&frame_velocity(m, d, sensor))),
        SensorType::Subtreelinvel => out.copy_from_slice(&d.subtree_linvel[id]),
        SensorType::Subtreeangmom => out.copy_from_slice(&d.subtree_angmom[id]),
        _ => {}
    }
}

/// Velocity of an object; with a reference, what an observer who moves and turns with it sees.
fn frame_velocity(m: &Model, d: &Data, sensor: usize) -> Vec6 {
    let (kind, id) = (object(m.sensor_objtype[sensor]), m.sensor_objid[sensor] as usize);
    let velocity = object_velocity(m, d, kind, id, false).unwrap_or_default();
    let Ok(reference) = usize::try_from(m.sensor_refid[sensor]) else { return velocity };
    let base = object(m.sensor_reftype[sensor]);
    let (Some((pos, _)), Some((origin, axes)), Some(moving)) = (
        frame::pose(d, kind, id),
        frame::pose(d, base, reference),
        object_velocity(m, d, base, reference, false),
    ) else {
        return velocity;
    };
    let turning = spatial::rot(&moving);
    let relative_rot = vec3::sub(spatial::rot(&velocity), turning);
    // v - v_ref - ω_ref × r, with r from the reference to the object
    let relative_lin = vec3::add(
        vec3::sub(spatial::lin(&velocity), spatial::lin(&moving)),
        vec3::cross(vec3::sub(pos, origin), turning),
    );
    spatial::join(mat3::mul_vec_t(&axes, relative_rot), mat3::mul_vec_t(&axes, relative_lin))
}
