//! Elastic rods: a chain of ball-jointed bodies that resist twisting and bending.

use super::{PluginError, Settings};
use crate::kinematics;
use crate::support::{self, Motion};
use ligament_math::{Quat, Vec3, quat, vec3};
use ligament_model::enums::GeomType;
use ligament_model::plugin::{Cable, CableSegment};
use ligament_model::{Data, Model};
use std::f64::consts::PI;

pub fn instantiate(settings: Settings<'_>) -> Result<Cable, PluginError> {
    let m = settings.m;
    let uses = |&b: &usize| usize::try_from(m.body_plugin[b]) == Ok(settings.instance);
    let bodies: Vec<usize> = (1..m.nbody).filter(uses).collect();
    let first_body = bodies.first().copied().unwrap_or(0);
    if bodies.iter().enumerate().any(|(k, &body)| body != first_body + k) {
        return Err(settings.error("This body does not have the requested plugin instance"));
    }
    let modulus = |key: &str| settings.number(key).map(|value| value.unwrap_or(0.0));
    let (shear, young) = (modulus("twist")?, modulus("bend")?);
    let flat = settings.text("flat") == "true";

    let mut reference = Data::new(m);
    reference.qpos.copy_from_slice(&m.qpos0);
    kinematics::kinematics(m, &mut reference);
    let segments = bodies.iter().enumerate().map(|(k, &body)| {
        let [torsion, bend_y, bend_z] = section_moments(m, body);
        let joined = k > 0;
        CableSegment {
            stiffness: [torsion * shear, bend_y * young, bend_z * young],
            length: if joined { vec3::distance(reference.xpos[body], reference.xpos[body - 1]) } else { 0.0 },
            rest_curvature: if joined && !flat {
                quat::sub(m.body_quat[body], joint_quaternion(m, &reference.qpos, body))
            } else {
                [0.0; 3]
            },
        }
    });
    Ok(Cable { first_body, segments: segments.collect() })
}

/// Torsion constant and second moments of area of the body's first geom.
fn section_moments(m: &Model, body: usize) -> Vec3 {
    let Ok(geom) = usize::try_from(m.body_geomadr[body]) else { return [0.0; 3] };
    let size = m.geom_size[geom];
    match GeomType::try_from(m.geom_type[geom]) {
        Ok(GeomType::Cylinder | GeomType::Capsule) => {
            let fourth = size[0].powi(4);
            [PI * fourth / 2.0, PI * fourth / 4.0, PI * fourth / 4.0]
        }
        Ok(GeomType::Box) => {
            let (h, w) = (size[1], size[2]);
            let (a, b) = (h.max(w), h.min(w));
            let torsion = a * b.powi(3) * (16.0 / 3.0 - 3.36 * b / a * (1.0 - b.powi(4) / a.powi(4) / 12.0));
            [torsion, (2.0 * w).powi(3) * 2.0 * h / 12.0, (2.0 * h).powi(3) * 2.0 * w / 12.0]
        }
        _ => [0.0; 3],
    }
}

/// The body's ball joint, or the rotational part of its free joint.
fn joint_quaternion(m: &Model, qpos: &[f64], body: usize) -> Quat {
    let joint = m.body_jntadr[body] as usize;
    let address = (m.jnt_qposadr[joint] + m.body_dofnum[body] - 3) as usize;
    std::array::from_fn(|i| qpos[address + i])
}

/// Orientation of a body relative to the one before.
fn relative_orientation(m: &Model, d: &Data, body: usize) -> Quat {
    quat::mul(m.body_quat[body], joint_quaternion(m, &d.qpos, body))
}

/// Elastic moment between a segment and the one before, in the frame of the latter.
fn moment(segment: &CableSegment, orientation: Quat) -> Vec3 {
    let curvature = quat::to_velocity(orientation, 1.0);
    std::array::from_fn(|i| {
        -segment.stiffness[i] * (curvature[i] - segment.rest_curvature[i]) / segment.length
    })
}

pub fn forces(m: &Model, d: &mut Data, cable: &Cable) {
    for (k, segment) in cable.segments.iter().enumerate() {
        if segment.stiffness == [0.0; 3] {
            continue;
        }
        let body = cable.first_body + k;
        let mut local = [0.0; 3];
        if k > 0 {
            let orientation = relative_orientation(m, d, body);
            local = vec3::add(local, quat::rotate(quat::conj(orientation), moment(segment, orientation)));
        }
        if let Some(next) = cable.segments.get(k + 1) {
            local = vec3::sub(local, moment(next, relative_orientation(m, d, body + 1)));
        }
        let torque = quat::rotate(d.xquat[body], local);
        let point = d.xpos[body];
        let Data { cdof, subtree_com, qfrc_passive, .. } = d;
        support::apply_ft(m, Motion { cdof, subtree_com }, None, Some(torque), point, body, qfrc_passive);
    }
}
