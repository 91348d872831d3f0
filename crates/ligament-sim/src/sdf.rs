//! Geoms as signed distance fields.

use crate::plugin::shape_of;
use ligament_geom::ray::{self, Hit, Pose, Ray};
use ligament_geom::sdf::{OctreeField, Primitive, SignedDistance};
use ligament_math::{mat3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Calls `body` with the field of a geom, if it has one.
pub(crate) fn with_field(m: &Model, d: &Data, g: usize, body: impl FnOnce(&dyn SignedDistance)) {
    let size = m.geom_size[g];
    match GeomType::try_from(m.geom_type[g]) {
        Ok(GeomType::Sphere) => body(&Primitive::Sphere(size)),
        Ok(GeomType::Capsule) => body(&Primitive::Capsule(size)),
        Ok(GeomType::Ellipsoid) => body(&Primitive::Ellipsoid(size)),
        Ok(GeomType::Cylinder) => body(&Primitive::Cylinder(size)),
        Ok(GeomType::Box) => body(&Primitive::Cuboid(size)),
        Ok(GeomType::Mesh | GeomType::Sdf) => {
            if let Some(shape) = shape_of(m, d, g) {
                body(&shape);
            } else if let Some(field) = octree_of(m, g) {
                body(&field);
            }
        }
        _ => {}
    }
}

/// The octree of a geom's mesh.
fn octree_of(m: &Model, g: usize) -> Option<OctreeField<'_>> {
    octree(m, usize::try_from(m.geom_dataid[g]).ok()?)
}

/// The octree of a mesh, if there is such a mesh and it has one.
pub(crate) fn octree(m: &Model, mesh: usize) -> Option<OctreeField<'_>> {
    let adr = usize::try_from(*m.mesh_octadr.get(mesh)?).ok()?;
    let range = adr..adr + m.mesh_octnum[mesh].max(0) as usize;
    if range.is_empty() {
        return None;
    }
    Some(OctreeField {
        aabb: m.oct_aabb.get(range.clone())?,
        child: m.oct_child.get(range.clone())?,
        coeff: m.oct_coeff.get(range)?,
    })
}

/// Where a ray meets a geom that is a distance field: sphere tracing, at most 40 steps.
pub(crate) fn ray_sdf(m: &Model, d: &Data, g: usize, along: &Ray) -> Option<Hit> {
    const CLOSE: f64 = 1e-7;
    const FAR: f64 = 1e6;
    let pose = Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] };
    ray::boxed(&pose, m.geom_size[g], along)?;
    let mut local = along.seen_from(&pose);
    vec3::normalize(&mut local.direction);
    let mut hit = None;
    with_field(m, d, g, |field| {
        let mut travelled = 0.0;
        for _ in 0..40 {
            let distance = field.distance(local.at(travelled)).abs();
            travelled += distance;
            if distance < CLOSE {
                let normal = vec3::unit(field.gradient(local.at(travelled)));
                hit = Some(Hit { distance: travelled, normal: mat3::mul_vec(&pose.mat, normal) });
                return;
            }
            if distance > FAR {
                return;
            }
        }
    });
    hit
}
