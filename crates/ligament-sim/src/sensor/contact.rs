//! The contact sensor: a fixed number of slots filled with matching contacts, or with their net force.

use super::{object, position::point_in_site};
use crate::constraint::contact_force;
use crate::support::body_of_geom;
use crate::workspace::ContactMatch;
use ligament_math::{MINVAL, Vec3, mat3, vec3};
use ligament_model::enums::{ConDataField, ObjType};
use ligament_model::{Data, Model};

/// Numbers per field, in the order of `ConDataField`.
const FIELD_SIZE: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// How matching contacts are reduced to the available slots.
#[derive(PartialEq)]
enum Reduction {
    FirstFound,
    SmallestDistance,
    LargestForce,
    NetForce,
}

impl Reduction {
    fn from_parameter(value: i32) -> Self {
        match value {
            1 => Self::SmallestDistance,
            2 => Self::LargestForce,
            3 => Self::NetForce,
            _ => Self::FirstFound,
        }
    }
}

/// What one slot reports.
#[derive(Default)]
struct Report {
    found: f64,
    force: Vec3,
    torque: Vec3,
    dist: f64,
    pos: Vec3,
    normal: Vec3,
    tangent: Vec3,
}

impl Report {
    /// Writes the requested fields one after the other.
    fn write(&self, fields: i32, slot: &mut [f64]) {
        let parts: [(ConDataField, &[f64]); 7] = [
            (ConDataField::Found, std::slice::from_ref(&self.found)),
            (ConDataField::Force, &self.force),
            (ConDataField::Torque, &self.torque),
            (ConDataField::Dist, std::slice::from_ref(&self.dist)),
            (ConDataField::Pos, &self.pos),
            (ConDataField::Normal, &self.normal),
            (ConDataField::Tangent, &self.tangent),
        ];
        let mut rest = slot;
        for (_, value) in parts.iter().filter(|(field, _)| fields >> *field as i32 & 1 == 1) {
            let (head, tail) = rest.split_at_mut(value.len());
            head.copy_from_slice(value);
            rest = tail;
        }
    }
}

pub fn evaluate(m: &Model, d: &Data, sensor: usize, matches: &mut Vec<ContactMatch>, out: &mut [f64]) {
    let [fields, reduction, _] = m.sensor_intprm[sensor];
    let reduction = Reduction::from_parameter(reduction);
    let slot_size: usize =
        (0..FIELD_SIZE.len()).filter(|&k| fields >> k & 1 == 1).map(|k| FIELD_SIZE[k]).sum();
    out.fill(0.0);
    find_matches(m, d, sensor, &reduction, matches);
    if reduction == Reduction::NetForce {
        net_force(m, d, matches).write(fields, &mut out[..slot_size]);
        return;
    }
    if reduction != Reduction::FirstFound {
        matches.sort_unstable_by(|a, b| a.criterion.total_cmp(&b.criterion).then(a.contact.cmp(&b.contact)));
    }
    let found = matches.len() as f64;
    for (slot, matched) in out.chunks_exact_mut(slot_size).zip(matches.iter()) {
        single(m, d, matched, found).write(fields, slot);
    }
}

fn find_matches(m: &Model, d: &Data, sensor: usize, reduction: &Reduction, matches: &mut Vec<ContactMatch>) {
    let first = (object(m.sensor_objtype[sensor]), m.sensor_objid[sensor]);
    let second = (object(m.sensor_reftype[sensor]), m.sensor_refid[sensor]);
    matches.clear();
    for contact in 0..d.contact.len() {
        let Some(flip) = orientation(m, d, contact, first, second) else { continue };
        let criterion = match reduction {
            Reduction::SmallestDistance => d.contact[contact].dist,
            Reduction::LargestForce => {
                let [x, y, z, ..] = contact_force(m, d, contact);
                -vec3::dot([x, y, z], [x, y, z])
            }
            Reduction::FirstFound | Reduction::NetForce => 0.0,
        };
        matches.push(ContactMatch { criterion, contact, flip });
    }
}

type Criterion = (ObjType, i32);

/// Does a contact concern these objects, and must its normal be flipped to point from the first to the second?
fn orientation(m: &Model, d: &Data, contact: usize, first: Criterion, second: Criterion) -> Option<bool> {
    let contact = &d.contact[contact];
    if first.0 == ObjType::Site && !point_in_site(m, d, first.1 as usize, contact.pos) {
        return None;
    }
    let concerns = |criterion: Criterion, side: usize| concerns(m, contact.geom[side], criterion);
    let (first_a, first_b) = (concerns(first, 0), concerns(first, 1));
    let (second_a, second_b) = (concerns(second, 0), concerns(second, 1));
    if !(first_a || first_b) || !(second_a || second_b) {
        return None;
    }
    match (first.0 != ObjType::Unknown, second.0 != ObjType::Unknown) {
        (false, false) => Some(false),
        (true, false) => Some(!first_a),
        (false, true) => Some(!second_b),
        (true, true) => {
            let (regular, reverse) = (first_a && second_b, first_b && second_a);
            (regular || reverse).then_some(!regular)
        }
    }
}

/// Is a geom (-1: a flex) the object of a criterion, or part of it?
fn concerns(m: &Model, geom: i32, (kind, id): Criterion) -> bool {
    let body = body_of_geom(m, geom);
    match kind {
        ObjType::Unknown | ObjType::Site => true,
        ObjType::Geom => geom == id,
        ObjType::Body => body == id,
        ObjType::Xbody => {
            let mut ancestor = body;
            while ancestor > id {
                ancestor = m.body_parentid[ancestor as usize].min(ancestor - 1);
            }
            ancestor == id
        }
        _ => false,
    }
}

/// One contact; seen from the other side its frame is turned by half a circle about the second tangent.
fn single(m: &Model, d: &Data, matched: &ContactMatch, found: f64) -> Report {
    let contact = &d.contact[matched.contact];
    let [fx, fy, fz, tx, ty, tz] = contact_force(m, d, matched.contact);
    let sign = if matched.flip { -1.0 } else { 1.0 };
    Report {
        found,
        force: [fx, fy, sign * fz],
        torque: [tx, ty, sign * tz],
        dist: contact.dist,
        pos: contact.pos,
        normal: vec3::scale(mat3::row(&contact.frame, 0), sign),
        tangent: vec3::scale(mat3::row(&contact.frame, 1), sign),
    }
}

/// Total force and moment of all matches about their force-weighted centre, in the world frame.
fn net_force(m: &Model, d: &Data, matches: &[ContactMatch]) -> Report {
    let wrench = |matched: &ContactMatch| {
        let sign = if matched.flip { -1.0 } else { 1.0 };
        let [fx, fy, fz, tx, ty, tz] = contact_force(m, d, matched.contact).map(|x| x * sign);
        ([fx, fy, fz], [tx, ty, tz])
    };
    let (mut point, mut weight) = ([0.0; 3], 0.0);
    for matched in matches {
        let size = vec3::norm(wrench(matched).0);
        point = vec3::add_scaled(point, d.contact[matched.contact].pos, size);
        weight += size;
    }
    point = vec3::scale(point, 1.0 / weight.max(MINVAL));
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    for matched in matches {
        let contact = &d.contact[matched.contact];
        let (local_force, local_torque) = wrench(matched);
        let world_force = mat3::mul_vec_t(&contact.frame, local_force);
        force = vec3::add(force, world_force);
        torque = vec3::add(torque, mat3::mul_vec_t(&contact.frame, local_torque));
        torque = vec3::add(torque, vec3::cross(vec3::sub(contact.pos, point), world_force));
    }
    Report {
        found: matches.len() as f64,
        force,
        torque,
        dist: 0.0,
        pos: point,
        normal: [1.0, 0.0, 0.0],
        tangent: [0.0, 1.0, 0.0],
    }
}
