//! Sensors that depend on positions only.

use super::{camera, frame, object, of_limit_row};
use crate::collision::geom_distance_with;
use crate::support::clip;
use crate::workspace::Sensor as Scratch;
use ligament_math::{Vec3, mat3, quat, vec3};
use ligament_model::enums::{ConstraintType, GeomType, ObjType, SensorType};
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
        SensorType::Magnetometer => {
            out.copy_from_slice(&mat3::mul_vec_t(&d.site_xmat[id], m.opt.magnetic));
        }
        SensorType::Camprojection => {
            let camera_id = m.sensor_refid[sensor] as usize;
            out.copy_from_slice(&camera::project(m, d, camera_id, d.site_xpos[id]));
        }
        SensorType::Rangefinder => camera::rangefinder(m, d, sensor, scratch, out),
        SensorType::Jointpos => out[0] = d.qpos[m.jnt_qposadr[id] as usize],
        SensorType::Tendonpos => out[0] = d.ten_length[id],
        SensorType::Actuatorpos => out[0] = d.actuator_length[id],
        SensorType::Ballquat => {
            let adr = m.jnt_qposadr[id] as usize;
            let mut q = std::array::from_fn(|i| d.qpos[adr + i]);
            quat::normalize(&mut q);
            out.copy_from_slice(&q);
        }
        SensorType::Jointlimitpos => out[0] = limit_distance(m, d, sensor, ConstraintType::LimitJoint),
        SensorType::Tendonlimitpos => out[0] = limit_distance(m, d, sensor, ConstraintType::LimitTendon),
        SensorType::Framepos => frame_vector(m, d, sensor, out, |pos, _| pos, true),
        SensorType::Framexaxis => frame_vector(m, d, sensor, out, |_, mat| mat3::col(mat, 0), false),
        SensorType::Frameyaxis => frame_vector(m, d, sensor, out, |_, mat| mat3::col(mat, 1), false),
        SensorType::Framezaxis => frame_vector(m, d, sensor, out, |_, mat| mat3::col(mat, 2), false),
        SensorType::Framequat => frame_quaternion(m, d, sensor, out),
        SensorType::Subtreecom => out.copy_from_slice(&d.subtree_com[id]),
        SensorType::Insidesite => out[0] = f64::from(inside_site(m, d, sensor)),
        SensorType::Geomdist | SensorType::Geomnormal | SensorType::Geomfromto => {
            nearest_points(m, d, sensor, kind, scratch, out);
        }
        SensorType::EPotential => out[0] = d.energy[0],
        SensorType::EKinetic => out[0] = d.energy[1],
        SensorType::Clock => out[0] = d.time,
        _ => {}
    }
}

fn limit_distance(m: &Model, d: &Data, sensor: usize, constraint: ConstraintType) -> f64 {
    of_limit_row(m, d, sensor, constraint as i32, |row| d.efc_pos[row] - d.efc_margin[row])
}

/// A vector of the object's frame, seen from the reference frame if there is one.
fn frame_vector(
    m: &Model,
    d: &Data,
    sensor: usize,
    out: &mut [f64],
    pick: impl Fn(Vec3, &[f64; 9]) -> Vec3,
    is_point: bool,
) {
    let id = m.sensor_objid[sensor] as usize;
    let Some((pos, mat)) = frame::pose(d, object(m.sensor_objtype[sensor]), id) else { return };
    let mut value = pick(pos, &mat);
    if let Ok(reference) = usize::try_from(m.sensor_refid[sensor])
        && let Some((origin, axes)) = frame::pose(d, object(m.sensor_reftype[sensor]), reference)
    {
        if is_point {
            value = vec3::sub(value, origin);
        }
        value = mat3::mul_vec_t(&axes, value);
    }
    out.copy_from_slice(&value);
}

fn frame_quaternion(m: &Model, d: &Data, sensor: usize, out: &mut [f64]) {
    let id = m.sensor_objid[sensor] as usize;
    let Some(mut value) = frame::quaternion(m, d, object(m.sensor_objtype[sensor]), id) else { return };
    if let Ok(reference) = usize::try_from(m.sensor_refid[sensor])
        && let Some(base) = frame::quaternion(m, d, object(m.sensor_reftype[sensor]), reference)
    {
        value = quat::mul(quat::conj(base), value);
    }
    out.copy_from_slice(&value);
}

fn inside_site(m: &Model, d: &Data, sensor: usize) -> bool {
    let site = m.sensor_refid[sensor] as usize;
    let id = m.sensor_objid[sensor] as usize;
    frame::pose(d, object(m.sensor_objtype[sensor]), id)
        .is_some_and(|(point, _)| point_in_site(m, d, site, point))
}

/// Does the volume of a site contain a point?
pub fn point_in_site(m: &Model, d: &Data, site: usize, point: Vec3) -> bool {
    let size = m.site_size[site];
    let offset = vec3::sub(point, d.site_xpos[site]);
    let [x, y, z] = mat3::mul_vec_t(&d.site_xmat[site], offset);
    match GeomType::try_from(m.site_type[site]) {
        Ok(GeomType::Sphere) => vec3::dot(offset, offset) < size[0] * size[0],
        Ok(GeomType::Capsule) => {
            let beyond = z - clip(z, [-size[1], size[1]]);
            x * x + y * y + beyond * beyond < size[0] * size[0]
        }
        Ok(GeomType::Ellipsoid) => {
            x * x / (size[0] * size[0]) + y * y / (size[1] * size[1]) + z * z / (size[2] * size[2]) < 1.0
        }
        Ok(GeomType::Cylinder) => z.abs() < size[1] && x * x + y * y < size[0] * size[0],
        Ok(GeomType::Box) => x.abs() < size[0] && y.abs() < size[1] && z.abs() < size[2],
        Ok(GeomType::Plane) => z < 0.0,
        _ => false,
    }
}

/// Geoms of a body, or the one geom.
pub(super) fn geoms_of(m: &Model, kind: ObjType, id: usize) -> std::ops::Range<usize> {
    if kind == ObjType::Body {
        let first = m.body_geomadr[id].max(0) as usize;
        first..first + m.body_geomnum[id] as usize
    } else {
        id..id + 1
    }
}

/// Smallest distance between two geoms, or between the geoms of two bodies.
fn nearest_points(
    m: &Model,
    d: &Data,
    sensor: usize,
    kind: SensorType,
    scratch: &mut Scratch,
    out: &mut [f64],
) {
    let cutoff = m.sensor_cutoff[sensor];
    let mut distance = cutoff;
    let mut segment = [[0.0; 3]; 2];
    let first = geoms_of(m, object(m.sensor_objtype[sensor]), m.sensor_objid[sensor] as usize);
    let second = geoms_of(m, object(m.sensor_reftype[sensor]), m.sensor_refid[sensor] as usize);
    for geom1 in first {
        for geom2 in second.clone() {
            let found = geom_distance_with(m, d, geom1, geom2, cutoff, &mut scratch.collision);
            if found.dist < distance {
                distance = found.dist;
                segment = found.fromto;
            }
        }
    }
    match kind {
        SensorType::Geomdist => out[0] = distance,
        SensorType::Geomnormal => {
            let normal = vec3::sub(segment[1], segment[0]);
            out.copy_from_slice(&if normal == [0.0; 3] { normal } else { vec3::unit(normal) });
        }
        _ => out.copy_from_slice(segment.as_flattened()),
    }
}
