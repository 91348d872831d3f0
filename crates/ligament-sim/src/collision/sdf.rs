//! Geoms as signed distance fields.

use ligament_geom::contact::ContactPoints;
use ligament_geom::ray::{self, Hit, Pose, Ray};
use ligament_geom::sdf::{FieldBody, OctreeField, Primitive, SignedDistance, sdf_sdf};
use ligament_math::{mat3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Contacts of a geom with a geom of type SDF.
pub(super) fn collide(m: &Model, d: &Data, g1: usize, g2: usize, out: &mut ContactPoints) {
    with_field(m, g1, |field1| {
        with_field(m, g2, |field2| {
            let a = FieldBody {
                field: field1,
                pos: d.geom_xpos[g1],
                mat: &d.geom_xmat[g1],
                aabb: m.geom_aabb[g1],
            };
            let b = FieldBody {
                field: field2,
                pos: d.geom_xpos[g2],
                mat: &d.geom_xmat[g2],
                aabb: m.geom_aabb[g2],
            };
            let (points, iterations) = (m.opt.sdf_initpoints.max(0), m.opt.sdf_iterations.max(0));
            sdf_sdf(&a, &b, points as usize, iterations as usize, out);
        });
    });
}

/// Calls `body` with the field of a geom, if it has one.
pub(crate) fn with_field(m: &Model, g: usize, body: impl FnOnce(&dyn SignedDistance)) {
    let size = m.geom_size[g];
    match GeomType::try_from(m.geom_type[g]) {
        Ok(GeomType::Sphere) => body(&Primitive::Sphere(size)),
        Ok(GeomType::Capsule) => body(&Primitive::Capsule(size)),
        Ok(GeomType::Ellipsoid) => body(&Primitive::Ellipsoid(size)),
        Ok(GeomType::Cylinder) => body(&Primitive::Cylinder(size)),
        Ok(GeomType::Box) => body(&Primitive::Cuboid(size)),
        Ok(GeomType::Mesh | GeomType::Sdf) => {
            if let Some(field) = octree_of(m, g) {
                body(&field);
            }
        }
        _ => {}
    }
}

/// The octree of a geom's mesh.
fn octree_of(m: &Model, g: usize) -> Option<OctreeField<'_>> {
    let mesh = usize::try_from(m.geom_dataid[g]).ok()?;
    let adr = usize::try_from(m.mesh_octadr[mesh]).ok()?;
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
    with_field(m, g, |field| {
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
