//! Poses: composition, inversion, and the way between the room of the user and the space of the model.

use crate::{Scene, SceneError};
use ligament_math::{MINVAL, Quat, Vec3, quat, vec3};

pub(crate) type Pose = (Vec3, Quat);

/// First `b`, then `a`.
pub(crate) fn compose(a: Pose, b: Pose) -> Pose {
    let mut turn = quat::mul(a.1, b.1);
    quat::normalize(&mut turn);
    (vec3::add(quat::rotate(a.1, b.0), a.0), turn)
}

pub(crate) fn invert((pos, turn): Pose) -> Pose {
    let back = quat::conj(turn);
    (vec3::scale(quat::rotate(back, pos), -1.0), back)
}

/// Smallest rotation that takes the z axis to the direction of `v`.
pub(crate) fn z_to(v: Vec3) -> Quat {
    let mut direction = v;
    if vec3::normalize(&mut direction) < MINVAL {
        return quat::IDENTITY;
    }
    let mut axis = vec3::cross([0.0, 0.0, 1.0], direction);
    let sine = vec3::normalize(&mut axis);
    if sine.abs() < MINVAL {
        return if direction[2] < 0.0 { [0.0, 1.0, 0.0, 0.0] } else { quat::IDENTITY };
    }
    quat::from_axis_angle(axis, sine.atan2(vec3::dot(direction, [0.0, 0.0, 1.0])))
}

fn transform(scene: &Scene) -> Result<Option<Pose>, SceneError> {
    if f64::from(scene.scale) < MINVAL {
        return Err(SceneError::Scale);
    }
    let pose = (scene.translate.map(f64::from), scene.rotate.map(f64::from));
    Ok((scene.enabletransform != 0).then_some(pose))
}

/// A pose in the room, seen from the model (`mjv_room2model`).
pub fn room_to_model(pos: Vec3, turn: Quat, scene: &Scene) -> Result<(Vec3, Quat), SceneError> {
    let Some(model) = transform(scene)? else { return Ok((pos, turn)) };
    let (pos, turn) = compose(invert(model), (pos, turn));
    Ok((vec3::scale(pos, 1.0 / f64::from(scene.scale)), turn))
}

/// A pose in the model, seen from the room (`mjv_model2room`).
pub fn model_to_room(pos: Vec3, turn: Quat, scene: &Scene) -> Result<(Vec3, Quat), SceneError> {
    let Some(model) = transform(scene)? else { return Ok((pos, turn)) };
    let (pos, turn) = compose(model, (pos, turn));
    Ok((vec3::scale(pos, f64::from(scene.scale)), turn))
}
