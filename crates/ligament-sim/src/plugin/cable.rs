//! Elastic rods: a chain of ball-jointed bodies that resist twisting and bending.

use super::{PluginError, Settings};
use crate::kinematics;
use crate::support::{self, Motion};
use ligament_math::{Quat, Vec3, quat, vec3};
use ligament_model::draw::Canvas;
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
    let greatest_stress = settings.numbers("vmax").first().copied().unwrap_or(0.0);
    Ok(Cable { first_body, segments: segments.collect(), greatest_stress })
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

/// Gives the first geom of each body the colour of the stress around it, if the scale of colours has an end.
pub fn tint(m: &Model, d: &Data, cable: &Cable, canvas: &mut dyn Canvas) {
    if cable.greatest_stress == 0.0 {
        return;
    }
    let last = cable.segments.len().saturating_sub(1);
    for k in 0..cable.segments.len() {
        // the ends have one neighbour only
        let [before, after] = [k.max(1), (k + 1).min(last)].map(|joint| stress(m, d, cable, joint));
        let mean = vec3::scale(vec3::add(before, after), 0.5);
        if let Ok(geom) = usize::try_from(m.body_geomadr[cable.first_body + k]) {
            canvas.tint(geom, heat((vec3::norm(mean) / cable.greatest_stress).clamp(0.0, 1.0)));
        }
    }
}

/// Elastic moment between a segment and the one before, in the frame of the segment, at the positions that were computed last.
fn stress(m: &Model, d: &Data, cable: &Cable, joint: usize) -> Vec3 {
    let Some(segment) = cable.segments.get(joint).filter(|_| joint > 0) else { return [0.0; 3] };
    let body = cable.first_body + joint;
    let (parent, own) = (d.xquat[m.body_parentid[body] as usize], d.xquat[body]);
    if own == [0.0; 4] {
        return [0.0; 3]; // nothing was computed yet
    }
    let orientation = quat::mul(quat::conj(parent), own);
    quat::rotate(quat::conj(orientation), moment(segment, orientation))
}

/// Blue, cyan, green, yellow, red from 0 to 1.
fn heat(x: f64) -> [f32; 3] {
    let rise = |from: f64| (4.0 * (x - from)) as f32;
    let fall = |to: f64| (1.0 + 4.0 * (to - x)) as f32;
    match x {
        x if x < 0.25 => [0.0, rise(0.0), 1.0],
        x if x < 0.5 => [0.0, 1.0, fall(0.25)],
        x if x < 0.75 => [rise(0.5), 1.0, 0.0],
        _ => [1.0, fall(0.75), 0.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stress_is_shown_from_blue_to_red() {
        let colors = [0.0, 0.125, 0.25, 0.5, 0.75, 1.0].map(heat);
        let expected = [
            [0.0, 0.0, 1.0],
            [0.0, 0.5, 1.0],
            [0.0, 1.0, 1.0],
            [0.0, 1.0, 0.0],
            [1.0, 1.0, 0.0],
            [1.0, 0.0, 0.0],
        ];
        assert_eq!(colors, expected);
    }
}
