//! Mesh geoms, and primitives fitted to meshes.

use super::{check_shell, error};
use crate::pose::Pose;
use crate::tree::CGeom;
use ligament_math::{Vec3, quat, vec3};
use ligament_mjcf::diag::Result;
use ligament_model::enums::GeomType;

/// What geoms need to know of a compiled mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshShape {
    /// Frame that the vertices were expressed in before they were centred and aligned.
    pub pose: Pose,
    /// Volume, or surface of a shell.
    pub volume: f64,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: Vec3,
    /// Smallest and largest coordinates.
    pub aamm: [f64; 6],
}

/// Puts the mesh frame into the geom frame; a primitive takes its size from the mesh.
pub(super) fn place_mesh(geom: &mut CGeom<'_>, mesh: &MeshShape, fit_aabb: bool) -> Result<()> {
    let mut center = [0.0; 3];
    if matches!(geom.kind, GeomType::Mesh | GeomType::Sdf) {
        check_shell(geom)?;
    } else {
        let fitted =
            if fit_aabb { fit_to_bounds(geom, mesh, &mut center) } else { fit_to_inertia(geom, mesh) };
        if !fitted {
            return Err(error(geom, "invalid geom type in fitting mesh"));
        }
        geom.size = vec3::scale(geom.size, geom.spec.fitscale);
    }
    let pos = vec3::add(quat::rotate(mesh.pose.quat, center), mesh.pose.pos);
    geom.pose = geom.pose.then(Pose::new(pos, mesh.pose.quat));
    Ok(())
}

/// Sizes from the box with the same inertia. False: not a shape that can be fitted.
fn fit_to_inertia(geom: &mut CGeom<'_>, mesh: &MeshShape) -> bool {
    let half = mesh.inertia_box;
    match geom.kind {
        GeomType::Sphere => geom.size[0] = (half[0] + half[1] + half[2]) / 3.0,
        GeomType::Capsule => {
            geom.size[0] = (half[0] + half[1]) / 2.0;
            geom.size[1] = f64::max(0.0, half[2] - geom.size[0] / 2.0);
        }
        GeomType::Cylinder => {
            geom.size[0] = (half[0] + half[1]) / 2.0;
            geom.size[1] = half[2];
        }
        GeomType::Ellipsoid | GeomType::Box => geom.size = half,
        _ => return false,
    }
    true
}

/// The smallest shape whose bounding box contains that of the mesh. False: not a shape that can be fitted.
fn fit_to_bounds(geom: &mut CGeom<'_>, mesh: &MeshShape, center: &mut Vec3) -> bool {
    let aamm = mesh.aamm;
    *center = std::array::from_fn(|i| (aamm[i] + aamm[i + 3]) / 2.0);
    let half: Vec3 = std::array::from_fn(|i| aamm[i + 3] - center[i]);
    match geom.kind {
        GeomType::Sphere => geom.size[0] = half[0].max(half[1]).max(half[2]),
        GeomType::Capsule => {
            geom.size[0] = half[0].max(half[1]);
            geom.size[1] = half[2] - geom.size[0];
        }
        GeomType::Cylinder => {
            geom.size[0] = half[0].max(half[1]);
            geom.size[1] = half[2];
        }
        GeomType::Ellipsoid | GeomType::Box => geom.size = half,
        _ => return false,
    }
    true
}
