//! Cameras: where they stand, what they see.

use crate::geom::single;
use crate::pose::room_to_model;
use crate::{Camera, GlCamera, Scene, SceneError};
use ligament_math::{MINVAL, Vec3, mat3, quat, vec3};
use ligament_model::enums::{CameraType, Projection};
use ligament_model::{Data, Model};
use std::f64::consts::PI;

/// Position and axes of a camera.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct View {
    /// Where the camera is.
    pub pos: Vec3,
    /// Where it looks.
    pub forward: Vec3,
    /// What is up in the picture.
    pub up: Vec3,
    /// What is right in the picture.
    pub right: Vec3,
}

/// Edges of the near plane, below and above, left and right of its centre; near and far plane.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Frustum {
    /// Lower and upper edge at the near plane.
    pub vertical: [f32; 2],
    /// Left and right edge at the near plane.
    pub horizontal: [f32; 2],
    /// Distances of the near and the far plane.
    pub clip: [f32; 2],
}

impl Camera {
    /// The camera with which a viewer starts (`mjv_defaultFreeCamera`).
    pub fn free(m: &Model) -> Self {
        Self {
            lookat: m.stat.center,
            distance: 1.5 * m.stat.extent,
            azimuth: f64::from(m.vis.global.azimuth),
            elevation: f64::from(m.vis.global.elevation),
            orthographic: m.vis.global.orthographic,
            ..Self::default()
        }
    }

    /// A camera of the model.
    pub fn fixed(id: usize) -> Self {
        Self { kind: CameraType::Fixed as i32, fixedcamid: id as i32, ..Self::default() }
    }

    fn orbits(&self) -> bool {
        self.kind == CameraType::Free as i32 || self.kind == CameraType::Tracking as i32
    }

    fn fixed_id(&self, count: usize) -> Result<usize, SceneError> {
        if self.kind != CameraType::Fixed as i32 {
            return Err(SceneError::CameraKind(self.kind));
        }
        let id = usize::try_from(self.fixedcamid).ok().filter(|&id| id < count);
        id.ok_or(SceneError::FixedCamera(self.fixedcamid))
    }
}

/// Pose of a camera (`mjv_cameraFrame`).
pub fn camera_frame(d: &Data, camera: &Camera) -> Result<View, SceneError> {
    if camera.orbits() {
        let (azimuth, elevation) = (camera.azimuth / 180.0 * PI, camera.elevation / 180.0 * PI);
        let (ca, sa) = (azimuth.cos(), azimuth.sin());
        let (ce, se) = (elevation.cos(), elevation.sin());
        let forward = [ce * ca, ce * sa, se];
        let pos = vec3::add_scaled(camera.lookat, forward, -camera.distance);
        return Ok(View { pos, forward, up: [-se * ca, -se * sa, ce], right: [sa, -ca, 0.0] });
    }
    let id = camera.fixed_id(d.cam_xpos.len())?;
    let mat = &d.cam_xmat[id];
    Ok(View {
        pos: d.cam_xpos[id],
        forward: mat3::col(mat, 2).map(|x| -x),
        up: mat3::col(mat, 1),
        right: mat3::col(mat, 0),
    })
}

/// Halves of the near plane of a camera with a sensor of known size.
pub(crate) fn sensor_frustum(near: f32, intrinsic: [f32; 4], size: [f32; 2], axis: usize) -> [f32; 2] {
    let (focal, principal) = (intrinsic[axis], intrinsic[axis + 2]);
    [near / focal * (size[axis] / 2.0 - principal), near / focal * (size[axis] / 2.0 + principal)]
}

/// Field of view and clipping planes of a camera (`mjv_cameraFrustum`).
pub fn camera_frustum(m: &Model, camera: &Camera) -> Result<Frustum, SceneError> {
    let (orthographic, fovy, sensor) = if camera.orbits() {
        (m.vis.global.orthographic != 0, f64::from(m.vis.global.fovy), None)
    } else {
        let id = camera.fixed_id(m.ncam)?;
        let sensor = (m.cam_sensorsize[id][1] != 0.0).then_some((m.cam_intrinsic[id], m.cam_sensorsize[id]));
        (m.cam_projection[id] == Projection::Orthographic as i32, m.cam_fovy[id], sensor)
    };
    let near = (f64::from(m.vis.map.znear) * m.stat.extent) as f32;
    let clip = [near, (f64::from(m.vis.map.zfar) * m.stat.extent) as f32];
    Ok(if orthographic {
        Frustum { vertical: [(fovy / 2.0) as f32; 2], horizontal: [0.0; 2], clip }
    } else if let Some((intrinsic, size)) = sensor {
        Frustum {
            vertical: sensor_frustum(near, intrinsic, size, 1),
            horizontal: sensor_frustum(near, intrinsic, size, 0),
            clip,
        }
    } else {
        let half = f64::from(near) * (fovy * PI / 360.0).tan();
        Frustum { vertical: [half as f32; 2], horizontal: [0.0; 2], clip }
    })
}

/// Sets the cameras of a scene; a tracking camera follows its body (`mjv_updateCamera`).
pub fn update_camera(m: &Model, d: &Data, camera: &mut Camera, scene: &mut Scene) -> Result<(), SceneError> {
    if camera.kind == CameraType::User as i32 {
        return Ok(());
    }
    if camera.kind == CameraType::Tracking as i32 {
        let body = usize::try_from(camera.trackbodyid).ok().filter(|&id| id < m.nbody);
        camera.lookat = d.subtree_com[body.ok_or(SceneError::TrackedBody(camera.trackbodyid))?];
    }
    let frustum = camera_frustum(m, camera)?;
    let view = camera_frame(d, camera)?;
    let (ipd, orthographic) = if camera.orbits() {
        (f64::from(m.vis.global.ipd), m.vis.global.orthographic)
    } else {
        let id = camera.fixed_id(m.ncam)?;
        (m.cam_ipd[id], i32::from(m.cam_projection[id] == Projection::Orthographic as i32))
    };
    for (eye, side) in scene.camera.iter_mut().zip([-ipd, ipd]) {
        *eye = GlCamera {
            pos: std::array::from_fn(|k| (view.pos[k] + side * 0.5 * view.right[k]) as f32),
            forward: single(view.forward),
            up: single(view.up),
            frustum_center: (frustum.horizontal[1] - frustum.horizontal[0]) / 2.0,
            frustum_width: (frustum.horizontal[1] + frustum.horizontal[0]) / 2.0,
            frustum_bottom: -frustum.vertical[0],
            frustum_top: frustum.vertical[1],
            frustum_near: frustum.clip[0],
            frustum_far: frustum.clip[1],
            orthographic,
        };
    }
    scene.enabletransform = 0;
    Ok(())
}

fn check_near(scene: &Scene) -> Result<(), SceneError> {
    let bad = scene.camera.iter().any(|c| f64::from(c.frustum_near) < MINVAL);
    if bad { Err(SceneError::NearPlane) } else { Ok(()) }
}

/// Mean of both eyes in the space of the model; `right` is not set (`mjv_cameraInModel`).
pub fn camera_in_model(scene: &Scene) -> Result<View, SceneError> {
    check_near(scene)?;
    let mut mean = View::default();
    for eye in &scene.camera {
        let mut forward = eye.forward.map(f64::from);
        let mut up = eye.up.map(f64::from);
        vec3::normalize(&mut forward);
        vec3::normalize(&mut up);
        let mut left = vec3::cross(up, forward);
        vec3::normalize(&mut left);
        let axes = mat3::transpose(&std::array::from_fn(|i| [left, up, forward][i / 3][i % 3]));
        let (pos, turn) = room_to_model(eye.pos.map(f64::from), quat::from_mat(&axes), scene)?;
        let axes = quat::to_mat(turn);
        mean.pos = vec3::add_scaled(mean.pos, pos, 0.5);
        mean.forward = vec3::add_scaled(mean.forward, mat3::col(&axes, 2), 0.5);
        mean.up = vec3::add_scaled(mean.up, mat3::col(&axes, 1), 0.5);
    }
    vec3::normalize(&mut mean.forward);
    vec3::normalize(&mut mean.up);
    Ok(mean)
}

/// Mean of both eyes in the room; `right` is not set (`mjv_cameraInRoom`).
pub fn camera_in_room(scene: &Scene) -> Result<View, SceneError> {
    check_near(scene)?;
    let mut mean = View::default();
    for eye in &scene.camera {
        mean.pos = vec3::add_scaled(mean.pos, eye.pos.map(f64::from), 0.5);
        mean.forward = vec3::add_scaled(mean.forward, eye.forward.map(f64::from), 0.5);
        mean.up = vec3::add_scaled(mean.up, eye.up.map(f64::from), 0.5);
    }
    vec3::normalize(&mut mean.forward);
    vec3::normalize(&mut mean.up);
    Ok(mean)
}

/// Height of the view at distance one, mean of both eyes (`mjv_frustumHeight`).
pub fn frustum_height(scene: &Scene) -> Result<f64, SceneError> {
    let [left, right] = &scene.camera;
    if left.orthographic != right.orthographic {
        return Err(SceneError::MixedCameras);
    }
    let height = |eye: &GlCamera| eye.frustum_top - eye.frustum_bottom;
    if left.orthographic != 0 {
        return Ok(0.5 * f64::from(height(left) + height(right)));
    }
    check_near(scene)?;
    Ok(0.5 * f64::from(height(left) / left.frustum_near + height(right) / right.frustum_near))
}

/// The camera between two eyes (`mjv_averageCamera`).
pub fn average_camera(left: &GlCamera, right: &GlCamera) -> Result<GlCamera, SceneError> {
    if left.orthographic != right.orthographic {
        return Err(SceneError::MixedCameras);
    }
    let sum = |a: [f32; 3], b: [f32; 3]| vec3::add(a.map(f64::from), b.map(f64::from));
    let mut forward = sum(left.forward, right.forward);
    vec3::normalize(&mut forward);
    let mut up = sum(left.up, right.up);
    up = vec3::add_scaled(up, forward, -vec3::dot(up, forward));
    vec3::normalize(&mut up);
    let mean = |part: fn(&GlCamera) -> f32| 0.5 * (part(left) + part(right));
    Ok(GlCamera {
        pos: single(vec3::scale(sum(left.pos, right.pos), 0.5)),
        forward: single(forward),
        up: single(up),
        frustum_center: mean(|c| c.frustum_center),
        frustum_width: mean(|c| c.frustum_width),
        frustum_bottom: mean(|c| c.frustum_bottom),
        frustum_top: mean(|c| c.frustum_top),
        frustum_near: mean(|c| c.frustum_near),
        frustum_far: mean(|c| c.frustum_far),
        orthographic: left.orthographic,
    })
}
