//! Sites, cameras and lights.

use crate::error::{fail_at, unknown_at};
use crate::frames::{Frames, compiler_of, resolve_orientation};
use crate::geoms::{check_size, from_to};
use crate::index::Index;
use crate::pose::{EPS, Pose, normalize};
use crate::tree::{CCamera, CLight, CSite, Tree};
use ligament_math::quat;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Compiler, Spec};
use ligament_model::enums::{GeomType, ObjType};
use std::f64::consts::PI;

/// Resolves everything that is fixed to bodies but neither moves nor collides.
pub fn resolve_markers(spec: &Spec, frames: &Frames, index: &Index, tree: &mut Tree<'_>) -> Result<()> {
    for site in &mut tree.sites {
        resolve_site(compiler_of(spec, &site.spec.meta), frames, site)?;
    }
    for (id, site) in tree.sites.iter_mut().enumerate() {
        let name = &site.spec.material;
        if name.is_empty() {
            continue;
        }
        site.material = index.get(ObjType::Material, name).ok_or_else(|| {
            let message = format!("material '{name}' not found in site {id}");
            unknown_at(ObjType::Site, &site.spec.meta, message)
        })? as i32;
    }
    for camera in &mut tree.cameras {
        resolve_camera(spec, frames, camera)?;
    }
    for light in &mut tree.lights {
        resolve_light(frames, light)?;
    }
    Ok(())
}

fn resolve_site(compiler: &Compiler, frames: &Frames, site: &mut CSite<'_>) -> Result<()> {
    let spec = site.spec;
    let fail = |message: String| fail_at(ObjType::Site, &spec.meta, message);
    if spec.kind as i32 > GeomType::Sdf as i32 {
        return Err(fail("invalid type in site".into()));
    }
    if matches!(spec.kind, GeomType::Mesh | GeomType::Hfield | GeomType::Plane) {
        return Err(fail("meshes, hfields and planes not allowed in site".into()));
    }
    if spec.fromto[0].is_nan() {
        site.pose.quat = resolve_orientation(site.pose.quat, spec.alt, compiler)
            .map_err(|problem| fail(format!("orientation specification error '{problem}' in site")))?;
    } else {
        (site.pose, site.size) = from_to(spec.kind, spec.fromto, site.pose.pos, site.size)
            .map_err(|message| fail(message.into()))?;
    }
    frames.compose(&spec.meta, &mut site.pose);
    normalize(&mut site.pose.quat);
    check_size(spec.kind, site.size).map_err(fail)
}

fn resolve_camera(spec: &Spec, frames: &Frames, camera: &mut CCamera<'_>) -> Result<()> {
    let source = camera.spec;
    let name = &source.meta.name;
    let fail = |message: String| fail_at(ObjType::Camera, &source.meta, message);
    camera.pose.quat = resolve_orientation(camera.pose.quat, source.alt, compiler_of(spec, &source.meta))
        .map_err(|problem| fail(format!("orientation specification error '{problem}' in camera")))?;
    frames.compose(&source.meta, &mut camera.pose);
    normalize(&mut camera.pose.quat);
    if source.fovy >= 180.0 {
        return Err(fail(format!("fovy too large in camera '{name}' (value = {})", source.fovy)));
    }
    let sensor = source.sensor_size;
    let has_sensor = sensor[0] > 0.0 && sensor[1] > 0.0;
    let intrinsic =
        [source.focal_length, source.focal_pixel, source.principal_length, source.principal_pixel];
    if intrinsic.as_flattened().iter().any(|&x| x != 0.0) && !has_sensor {
        return Err(fail(format!("focal/principal require sensorsize in camera '{name}'")));
    }
    if has_sensor && source.resolution.iter().any(|&r| r <= 0) {
        return Err(fail(format!("sensorsize requires positive resolution in camera '{name}'")));
    }
    if has_sensor {
        set_intrinsics(camera);
    } else {
        camera.intrinsic[0] = spec.visual.map.znear;
        camera.intrinsic[1] = spec.visual.map.znear;
    }
    Ok(())
}

/// Focal length and principal point in units of length; those given in pixels win.
fn set_intrinsics(camera: &mut CCamera<'_>) {
    let spec = camera.spec;
    for i in 0..2 {
        let density = spec.resolution[i] as f32 / spec.sensor_size[i];
        let length = |pixels: f32, length: f32| if pixels == 0.0 { length } else { pixels / density };
        camera.intrinsic[i] = length(spec.focal_pixel[i], spec.focal_length[i]);
        camera.intrinsic[i + 2] = length(spec.principal_pixel[i], spec.principal_length[i]);
    }
    // the reference takes the arc tangent in single precision
    camera.fovy = f64::from((spec.sensor_size[1] / 2.0).atan2(camera.intrinsic[1])) * 360.0 / PI;
}

fn resolve_light(frames: &Frames, light: &mut CLight<'_>) -> Result<()> {
    if let Some(frame) = frames.around(&light.spec.meta) {
        light.pos = frame.then(Pose::new(light.pos, quat::IDENTITY)).pos;
        light.dir = quat::rotate(frame.quat, light.dir);
    }
    if normalize(&mut light.dir) < EPS {
        return Err(fail_at(ObjType::Light, &light.spec.meta, "zero direction in light"));
    }
    Ok(())
}

/// Bodies that cameras and lights aim at, and textures of lights. Body ids must be final.
pub fn resolve_targets(index: &Index, tree: &mut Tree<'_>) -> Result<()> {
    for camera in &mut tree.cameras {
        let name = &camera.spec.targetbody;
        if !name.is_empty() {
            camera.target = index.get(ObjType::Body, name).ok_or_else(|| {
                unknown_at(ObjType::Camera, &camera.spec.meta, "unknown target body in camera")
            })? as i32;
        }
    }
    for light in &mut tree.lights {
        let unknown = |what| unknown_at(ObjType::Light, &light.spec.meta, format!("unknown {what} in light"));
        let (body, texture) = (&light.spec.targetbody, &light.spec.texture);
        if !body.is_empty() {
            light.target = index.get(ObjType::Body, body).ok_or_else(|| unknown("target body"))? as i32;
        }
        if !texture.is_empty() {
            light.texture = index.get(ObjType::Texture, texture).ok_or_else(|| unknown("texture"))? as i32;
        }
    }
    Ok(())
}
