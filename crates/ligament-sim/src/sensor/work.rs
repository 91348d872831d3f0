//! What sensors are going to take: those whose work grows with the scene, counted before it is done.

use super::position::geoms_of;
use super::{kind, object};
use crate::collision::distance_work;
use crate::ray;
use ligament_model::Model;
use ligament_model::enums::{ObjType, SensorType};
use std::ops::Range;

/// About how many operations it takes to see whether a contact concerns a sensor.
const CONTACT: u64 = 20;
/// About how many operations a vertex takes for each contact of a tactile sensor.
const TAXEL: u64 = 100;

/// Operations of all sensors, when there are so many contacts.
pub fn of_all(m: &Model, contacts: usize) -> u64 {
    (0..m.nsensor).map(|i| of_one(m, i, contacts as u64)).fold(0, u64::saturating_add)
}

fn of_one(m: &Model, sensor: usize, contacts: u64) -> u64 {
    use SensorType::{Contact, Geomdist, Geomfromto, Geomnormal, Rangefinder, Tactile, Touch};
    match kind(m, sensor) {
        Some(Rangefinder) => rays(m, sensor).saturating_mul(ray::GEOM * (1 + m.ngeom as u64)),
        Some(Geomdist | Geomnormal | Geomfromto) => {
            let first = geoms_of(m, object(m.sensor_objtype[sensor]), m.sensor_objid[sensor] as usize);
            let second = geoms_of(m, object(m.sensor_reftype[sensor]), m.sensor_refid[sensor] as usize);
            let pairs = (first.len() as u64).saturating_mul(second.len() as u64);
            let slowest = |geoms: Range<usize>| geoms.map(|g| distance_work(m, g, g)).max().unwrap_or(0);
            pairs.saturating_mul(slowest(first).saturating_add(slowest(second)))
        }
        Some(Contact | Touch) => contacts * CONTACT,
        Some(Tactile) => {
            let vertices = m.mesh_vertnum[m.sensor_objid[sensor] as usize].max(0) as u64;
            (contacts * CONTACT).saturating_add((vertices * contacts).saturating_mul(TAXEL))
        }
        _ => 0,
    }
}

/// Rays of a rangefinder: one of a site, one of each pixel of a camera.
fn rays(m: &Model, sensor: usize) -> u64 {
    if m.sensor_objtype[sensor] != ObjType::Camera as i32 {
        return 1;
    }
    let resolution = m.cam_resolution[m.sensor_objid[sensor] as usize];
    resolution.map(|n| n.max(0) as u64).iter().product()
}
