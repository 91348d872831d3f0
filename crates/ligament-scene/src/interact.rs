//! What the mouse does: cameras, perturbations and whole models move.

use crate::{Camera, Perturb, Scene, SceneError, camera_in_model, camera_in_room, frustum_height};
use ligament_math::{Vec3, mat3, quat, vec3};
use ligament_model::enums::{CameraType, Mouse};
use ligament_model::{Data, Model};
use std::f64::consts::PI;

/// Weight of movements of orthographic cameras, as in the reference.
pub(crate) const ORTHOGRAPHIC_SCALE: f64 = 0.15;

/// Turns a vector about the vertical, so that its y axis points where the camera looks (`mjv_alignToCamera`).
pub fn align_to_camera(v: Vec3, forward: Vec3) -> Vec3 {
    let length = (forward[0] * forward[0] + forward[1] * forward[1]).sqrt();
    let y = if length < ligament_math::MINVAL {
        [1.0, 0.0]
    } else {
        let scale = 1.0 / length;
        [forward[0] * scale, forward[1] * scale]
    };
    let x = [y[1], -y[0]];
    [v[0] * x[0] + v[1] * y[0], v[0] * x[1] + v[1] * y[1], v[2]]
}

fn action(code: i32) -> Result<Mouse, SceneError> {
    match Mouse::try_from(code) {
        Ok(Mouse::None) | Err(_) => Err(SceneError::Mouse(code)),
        Ok(mouse) => Ok(mouse),
    }
}

/// A movement of the mouse as a vector in the world, whose vertical is z.
fn in_world(mouse: Mouse, dx: f64, dy: f64, forward: Vec3) -> Vec3 {
    let v = match mouse {
        Mouse::RotateV => [dy, 0.0, dx],
        Mouse::RotateH => [dy, dx, 0.0],
        Mouse::MoveV | Mouse::MoveVRel => [dx, 0.0, -dy],
        Mouse::MoveH | Mouse::MoveHRel => [dx, -dy, 0.0],
        Mouse::Zoom | Mouse::None => [0.0; 3],
    };
    align_to_camera(v, forward)
}

/// Moves a camera (`mjv_moveCamera`); fixed ones stay. `dx` and `dy` are relative to the height of the picture.
pub fn move_camera(
    m: &Model,
    mouse: i32,
    dx: f64,
    dy: f64,
    scene: &Scene,
    camera: &mut Camera,
) -> Result<(), SceneError> {
    if camera.kind == CameraType::Fixed as i32 {
        return Ok(());
    }
    let tracking = camera.kind == CameraType::Tracking as i32;
    let extent = m.stat.extent;
    let mouse = action(mouse)?;
    match mouse {
        Mouse::RotateV | Mouse::RotateH => {
            camera.azimuth -= dx * 180.0;
            camera.elevation -= dy * 180.0;
        }
        Mouse::Zoom => camera.distance -= (1.0 + camera.distance / extent / 3.0).ln() * dy * 9.0 * extent,
        Mouse::MoveV | Mouse::MoveH | Mouse::MoveVRel | Mouse::MoveHRel if tracking => return Ok(()),
        Mouse::MoveV | Mouse::MoveH => {
            let view = camera_in_model(scene)?;
            let offset = vec3::sub(camera.lookat, view.pos);
            let mut scale = frustum_height(scene)? * vec3::dot(offset, view.forward);
            if camera.orthographic != 0 {
                scale *= ORTHOGRAPHIC_SCALE;
            }
            camera.lookat = vec3::add_scaled(camera.lookat, in_world(mouse, dx, dy, view.forward), -scale);
        }
        Mouse::MoveVRel | Mouse::MoveHRel => {
            let view = camera_in_model(scene)?;
            let right = vec3::cross(view.forward, view.up);
            let other = if mouse == Mouse::MoveVRel { view.up } else { view.forward };
            camera.lookat = vec3::add_scaled(vec3::add_scaled(camera.lookat, other, dy), right, dx);
        }
        Mouse::None => {}
    }
    keep_in_range(camera, extent);
    Ok(())
}

fn keep_in_range(camera: &mut Camera, extent: f64) {
    if camera.azimuth > 180.0 {
        camera.azimuth -= 360.0;
    }
    if camera.azimuth < -180.0 {
        camera.azimuth += 360.0;
    }
    camera.elevation = camera.elevation.clamp(-89.0, 89.0);
    if camera.distance < 0.01 * extent {
        camera.distance = 0.01 * extent;
    }
    if camera.distance > 100.0 * extent {
        camera.distance = 100.0 * extent;
    }
}

/// Moves or turns what a perturbation aims at (`mjv_movePerturb`).
pub fn move_perturb(
    m: &Model,
    d: &Data,
    mouse: i32,
    dx: f64,
    dy: f64,
    scene: &Scene,
    perturb: &mut Perturb,
) -> Result<(), SceneError> {
    let view = camera_in_model(scene)?;
    let mouse = action(mouse)?;
    let v = in_world(mouse, dx, dy, view.forward);
    let body = usize::try_from(perturb.select).ok().filter(|&b| b < m.nbody).unwrap_or(0);
    let mut shift = |v: Vec3, by: f64| {
        perturb.refpos = vec3::add_scaled(perturb.refpos, v, by);
        perturb.refselpos = vec3::add_scaled(perturb.refselpos, v, by);
    };
    match mouse {
        Mouse::MoveV | Mouse::MoveH => shift(v, perturb.scale),
        Mouse::MoveVRel | Mouse::MoveHRel => {
            let axes = &d.xmat[body];
            let scale = perturb.scale;
            shift(mat3::col(axes, if mouse == Mouse::MoveHRel { 0 } else { 2 }), scale * dy);
            shift(mat3::col(axes, 1), scale * dx);
        }
        Mouse::RotateV | Mouse::RotateH => turn(m, d, v, body, perturb),
        Mouse::Zoom | Mouse::None => {}
    }
    Ok(())
}

/// Turns the aim by a rotation vector; it stays within a quarter turn of the body.
fn turn(m: &Model, d: &Data, v: Vec3, body: usize, perturb: &mut Perturb) {
    let mut axis = v;
    let angle = vec3::normalize(&mut axis);
    let step = quat::from_axis_angle(axis, angle * PI * 2.0);
    perturb.refquat = quat::mul(step, perturb.refquat);
    quat::normalize(&mut perturb.refquat);
    if body == 0 {
        return;
    }
    let inertial = quat::mul(d.xquat[body], m.body_iquat[body]);
    let mut axis = quat::to_velocity(quat::mul(quat::conj(inertial), perturb.refquat), 1.0);
    let angle = vec3::normalize(&mut axis);
    let limit = PI * 0.5;
    if angle < -limit || angle > limit {
        perturb.refquat = quat::mul(inertial, quat::from_axis_angle(axis, angle.clamp(-limit, limit)));
    }
}

/// Moves the whole model in the room (`mjv_moveModel`), if it can be moved.
pub fn move_model(
    m: &Model,
    mouse: i32,
    dx: f64,
    dy: f64,
    roomup: Vec3,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    if scene.enabletransform == 0 {
        return Ok(());
    }
    let view = camera_in_room(scene)?;
    let mut forward = vec3::add_scaled(view.forward, roomup, -vec3::dot(view.forward, roomup));
    vec3::normalize(&mut forward);
    let mut right = vec3::cross(forward, roomup);
    vec3::normalize(&mut right);
    let mouse = action(mouse)?;
    let mut shift = |other: Vec3| {
        for k in 0..3 {
            let step = f64::from((right[k] * dx - other[k] * dy) as f32) * m.stat.extent;
            scene.translate[k] = (f64::from(scene.translate[k]) + step) as f32;
        }
    };
    match mouse {
        Mouse::RotateV | Mouse::RotateH => {
            let other = if mouse == Mouse::RotateV { roomup } else { forward };
            let mut axis = std::array::from_fn(|k| other[k] * dx + right[k] * dy);
            let angle = vec3::normalize(&mut axis);
            let step = quat::from_axis_angle(axis, angle * PI);
            let mut result = quat::mul(step, scene.rotate.map(f64::from));
            quat::normalize(&mut result);
            scene.rotate = result.map(|x| x as f32);
        }
        Mouse::MoveV | Mouse::MoveVRel => shift(roomup),
        Mouse::MoveH | Mouse::MoveHRel => shift(forward),
        Mouse::Zoom => {
            scene.scale += (f64::from(1.0 + scene.scale / 3.0).ln() * dy * 3.0) as f32;
            scene.scale = scene.scale.clamp(0.01, 100.0);
        }
        Mouse::None => {}
    }
    Ok(())
}
