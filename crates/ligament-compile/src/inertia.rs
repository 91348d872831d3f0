//! Frames and inertias of bodies.
//!
//! The order matters: source of the inertia, frame copied when there is none, bounds, signs, balance; then the
//! frame around the body; then free bodies aligned with their inertial frames.

use crate::error::fail_at;
use crate::frames::{Frames, compiler_of, resolve_orientation};
use crate::pose::{EPS, Pose, normalize, offset_inertia, principal_axes, rotated_inertia};
use crate::tree::{CBody, CGeom, Tree};
use ligament_math::{MINVAL, quat, vec3};
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::{Compiler, Spec};
use ligament_model::enums::{AlignFree, InertiaFromGeom, JointType, ObjType};

/// Resolves pose, mass and inertia of all bodies; geoms are resolved already.
pub fn resolve_bodies(spec: &Spec, frames: &Frames, tree: &mut Tree<'_>) -> Result<()> {
    let Tree { bodies, geoms, .. } = tree;
    for (id, body) in bodies.iter_mut().enumerate() {
        let compiler = compiler_of(spec, &body.spec.meta);
        resolve_frame(body, compiler)?;
        if id > 0 {
            let unknown = body.inertial.pos[0].is_nan();
            let source = compiler.inertiafromgeom;
            if source == InertiaFromGeom::True || (unknown && source == InertiaFromGeom::Auto) {
                inertia_from_geoms(body, &geoms[body.geoms.clone()], compiler)?;
            }
        }
        if body.inertial.pos[0].is_nan() {
            body.inertial = body.pose;
        }
        if id > 0 {
            repair(body, compiler)?;
        }
        frames.compose(&body.spec.meta, &mut body.pose);
        accumulate_collision_bits(body, geoms);
    }
    Ok(())
}

fn error(body: &CBody<'_>, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Body, &body.spec.meta, message)
}

/// Orientation of the body and of its inertial frame as written.
fn resolve_frame(body: &mut CBody<'_>, compiler: &Compiler) -> Result<()> {
    let spec = body.spec;
    normalize(&mut body.pose.quat);
    normalize(&mut body.inertial.quat);
    body.pose.quat = resolve_orientation(body.pose.quat, spec.alt, compiler)
        .map_err(|problem| error(body, format!("error '{problem}' in frame alternative")))?;
    if !spec.fullinertia[0].is_nan() {
        if spec.ialt.is_some() {
            return Err(error(body, "fullinertia and inertial orientation cannot both be specified"));
        }
        if spec.inertia != [0.0; 3] {
            return Err(error(body, "fullinertia and diagonal inertia cannot both be specified"));
        }
        let (inertia, quat) = principal_axes(spec.fullinertia)
            .ok_or_else(|| error(body, "error 'inertia must have positive eigenvalues' in fullinertia"))?;
        (body.inertia, body.inertial.quat) = (inertia, quat);
    }
    body.inertial.quat = resolve_orientation(body.inertial.quat, spec.ialt, compiler)
        .map_err(|problem| error(body, format!("error '{problem}' in inertia alternative")))?;
    Ok(())
}

/// Mass, centre and principal axes of the geoms in the group range; nothing changes when they have no mass.
fn inertia_from_geoms(body: &mut CBody<'_>, geoms: &[CGeom<'_>], compiler: &Compiler) -> Result<()> {
    let [low, high] = compiler.inertiagrouprange;
    let selected: Vec<&CGeom<'_>> =
        geoms.iter().filter(|g| (low..=high).contains(&g.spec.group) && g.mass > EPS).collect();
    if let [geom] = selected[..] {
        (body.inertial, body.mass, body.inertia) = (geom.pose, geom.mass, geom.inertia);
    } else if selected.len() > 1 {
        let parts: Vec<Part> =
            selected.iter().map(|g| Part { mass: g.mass, inertia: g.inertia, pose: g.pose }).collect();
        let Some(sum) = combine(&parts) else {
            let message = "error 'inertia must have positive eigenvalues' in alternative for principal axes";
            return Err(error(body, message));
        };
        (body.inertial, body.mass, body.inertia) = (sum.pose, sum.mass, sum.inertia);
    }
    Ok(())
}

/// A rigid piece: mass, principal moments, pose of the inertial frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub mass: f64,
    pub inertia: [f64; 3],
    pub pose: Pose,
}

/// Pieces welded into one: I = Σ (Rᵢ Iᵢ Rᵢᵀ + mᵢ (|d|² 1 - d dᵀ)). `None` when a moment is not positive.
pub(crate) fn combine(parts: &[Part]) -> Option<Part> {
    let mut mass = 0.0;
    let mut com = [0.0; 3];
    for part in parts {
        mass += part.mass;
        com = vec3::add_scaled(com, part.pose.pos, part.mass);
    }
    com = com.map(|x| x / mass);
    let mut total = [0.0; 6];
    for part in parts {
        let own = rotated_inertia(part.inertia, part.pose.quat);
        let shift = offset_inertia(part.mass, vec3::sub(part.pose.pos, com));
        for i in 0..6 {
            total[i] = total[i] + own[i] + shift[i];
        }
    }
    let (inertia, quat) = principal_axes(total)?;
    Some(Part { mass, inertia, pose: Pose::new(com, quat) })
}

/// Bounds, then signs, then balance.
fn repair(body: &mut CBody<'_>, compiler: &Compiler) -> Result<()> {
    // what is no number stays so
    let at_least = |bound: f64| move |x: f64| if x < bound { bound } else { x };
    body.mass = at_least(compiler.boundmass)(body.mass);
    body.inertia = body.inertia.map(at_least(compiler.boundinertia));
    let [a, b, c] = body.inertia;
    if body.mass < 0.0 || a < 0.0 || b < 0.0 || c < 0.0 {
        return Err(error(body, "mass and inertia cannot be negative"));
    }
    if a + b < c || a + c < b || b + c < a {
        if !compiler.balanceinertia {
            return Err(error(body, "inertia must satisfy A + B >= C; use 'balanceinertia' to fix"));
        }
        body.inertia = [(a + b + c) / 3.0; 3];
    }
    Ok(())
}

/// Collision bits and margin of a body are those of its geoms together.
pub(crate) fn accumulate_collision_bits(body: &mut CBody<'_>, geoms: &[CGeom<'_>]) {
    (body.contype, body.conaffinity, body.margin) = (0, 0, 0.0);
    for geom in &geoms[body.geoms.clone()] {
        body.contype |= geom.spec.contype;
        body.conaffinity |= geom.spec.conaffinity;
        body.margin = body.margin.max(geom.spec.margin);
    }
}

/// Moves the frames of free bodies into their inertial frames where that was asked for. It needs a free joint
/// alone in a body without children; everything else the body carries stays where it is in space.
pub fn align_free_bodies(spec: &Spec, tree: &mut Tree<'_>) {
    for id in 1..tree.bodies.len() {
        let body = &tree.bodies[id];
        let [joint] = &tree.joints[body.joints.clone()] else { continue };
        let wanted = match joint.spec.align {
            AlignFree::True => true,
            AlignFree::Auto => compiler_of(spec, &body.spec.meta).alignfree,
            AlignFree::False => false,
        };
        if joint.spec.kind != JointType::Free || !body.spec.children.is_empty() || !wanted {
            continue;
        }
        align_body(tree, id);
    }
}

fn align_body(tree: &mut Tree<'_>, id: usize) {
    let body = &mut tree.bodies[id];
    body.pose = body.pose.then(body.inertial);
    let back = body.inertial.inverse();
    body.inertial = Pose::IDENTITY;
    for geom in &mut tree.geoms[body.geoms.clone()] {
        geom.pose = back.then(geom.pose);
    }
    for site in &mut tree.sites[body.sites.clone()] {
        site.pose = back.then(site.pose);
    }
    for camera in &mut tree.cameras[body.cameras.clone()] {
        camera.pose = back.then(camera.pose);
    }
    for light in &mut tree.lights[body.lights.clone()] {
        light.pos = back.then(Pose::new(light.pos, quat::IDENTITY)).pos;
        light.dir = quat::rotate(back.quat, light.dir);
    }
}

/// Scales masses and inertias to a given total.
pub fn set_total_mass(tree: &mut Tree<'_>, total: f64) {
    let sum: f64 = tree.bodies[1..].iter().fold(0.0, |sum, body| sum + body.mass);
    let scale = f64::max(MINVAL, total / f64::max(MINVAL, sum));
    for body in &mut tree.bodies[1..] {
        body.mass *= scale;
        body.inertia = vec3::scale(body.inertia, scale);
    }
}

/// A body with joints needs mass and inertia, its own or that of what is welded to it.
pub fn check_moving_bodies(tree: &Tree<'_>) -> Result<()> {
    let enough = |body: &CBody<'_>| body.mass >= MINVAL && body.inertia.iter().all(|&i| i >= MINVAL);
    let mut valid: Vec<bool> = tree.bodies.iter().map(enough).collect();
    // children come after parents, so one backward pass carries the verdict up through welded bodies
    for id in (1..tree.bodies.len()).rev() {
        if valid[id] && tree.bodies[id].joints.is_empty() {
            valid[tree.bodies[id].parent] = true;
        }
    }
    for (body, valid) in tree.bodies.iter().zip(valid).skip(1) {
        if !body.joints.is_empty() && !valid {
            let message = "mass and inertia of moving bodies must be larger than mjMINVAL";
            return Err(error(body, message));
        }
    }
    Ok(())
}
