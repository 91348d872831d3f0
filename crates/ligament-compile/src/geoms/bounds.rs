//! Bounding boxes and spheres of geoms.

use super::MeshShape;
use crate::tree::CGeom;
use ligament_math::{Vec3, vec3};
use ligament_model::constants::MAXVAL;
use ligament_model::enums::GeomType;

/// Fills in the sizes that follow from assets, the bounding box and the bounding radius.
pub(super) fn set_bounds(geom: &mut CGeom<'_>, mesh: Option<&MeshShape>, hfield: Option<&[f64; 4]>) {
    let reach = mesh.map(|mesh| largest_coordinates(&mesh.aamm));
    match (geom.kind, hfield, reach) {
        (GeomType::Hfield, Some(size), _) => {
            geom.size = [size[0], size[1], 0.25 * size[2] + 0.5 * size[3]];
        }
        (GeomType::Mesh | GeomType::Sdf, _, Some(reach)) => geom.size = reach,
        _ => {}
    }
    let [low, high] = box_corners(geom, mesh, hfield);
    for i in 0..3 {
        geom.aabb[i] = (high[i] + low[i]) / 2.0;
        geom.aabb[i + 3] = (high[i] - low[i]) / 2.0;
    }
    geom.rbound = bounding_radius(geom, hfield);
}

fn largest_coordinates(aamm: &[f64; 6]) -> Vec3 {
    std::array::from_fn(|i| aamm[i].abs().max(aamm[i + 3].abs()))
}

fn box_corners(geom: &CGeom<'_>, mesh: Option<&MeshShape>, hfield: Option<&[f64; 4]>) -> [Vec3; 2] {
    let size = geom.size;
    let half = match geom.kind {
        GeomType::Hfield => {
            if let Some(s) = hfield {
                return [[-s[0], -s[1], -s[3]], [s[0], s[1], s[2]]];
            }
            size
        }
        GeomType::Mesh | GeomType::Sdf => {
            if let Some(mesh) = mesh {
                let [a, b, c, d, e, f] = mesh.aamm;
                return [[a, b, c], [d, e, f]];
            }
            size
        }
        GeomType::Plane => return [[-MAXVAL; 3], [MAXVAL, MAXVAL, 0.0]],
        GeomType::Sphere => [size[0]; 3],
        GeomType::Capsule => [size[0], size[0], size[0] + size[1]],
        GeomType::Cylinder => [size[0], size[0], size[1]],
        _ => size,
    };
    [vec3::neg(half), half]
}

fn bounding_radius(geom: &CGeom<'_>, hfield: Option<&[f64; 4]>) -> f64 {
    let s = geom.size;
    match geom.kind {
        GeomType::Hfield => {
            hfield.map_or(0.0, |h| (h[0] * h[0] + h[1] * h[1] + f64::max(h[2] * h[2], h[3] * h[3])).sqrt())
        }
        GeomType::Sphere => s[0],
        GeomType::Capsule => s[0] + s[1],
        GeomType::Cylinder => (s[0] * s[0] + s[1] * s[1]).sqrt(),
        GeomType::Ellipsoid => s[0].max(s[1]).max(s[2]),
        // the size of a mesh geom is its largest coordinates
        GeomType::Box | GeomType::Mesh | GeomType::Sdf => (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]).sqrt(),
        _ => 0.0,
    }
}
