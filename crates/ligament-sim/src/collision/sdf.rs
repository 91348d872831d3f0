//! Geoms as signed distance fields.

use crate::plugin::shape_of;
use crate::ray::ray_mesh;
use ligament_geom::contact::ContactPoints;
use ligament_geom::ray::{self, Hit, Pose, Ray};
use ligament_geom::sdf::{FieldBody, OctreeField, Primitive, SignedDistance, sdf_sdf};
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Contacts of a geom with a geom of type SDF.
pub(super) fn collide(m: &Model, d: &Data, g1: usize, g2: usize, out: &mut ContactPoints) {
    with_first_field(m, d, g1, |field1| {
        with_field(m, d, g2, |field2| {
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

/// The first geom of a pair may also be a mesh without distance field.
fn with_first_field(m: &Model, d: &Data, g: usize, body: impl FnOnce(&dyn SignedDistance)) {
    if m.geom_type[g] != GeomType::Mesh as i32 {
        with_field(m, d, g, body);
        return;
    }
    // Quirk of the reference: it looks for the octree of the mesh whose number is that of the geom.
    match octree(m, g) {
        Some(field) => body(&field),
        None => body(&RayField { m, d, geom: g }),
    }
}

/// What the reference takes for the distance field of a mesh: rays from the point towards and away from the world's origin,
/// measured in multiples of its distance from there.
struct RayField<'a> {
    m: &'a Model,
    d: &'a Data,
    geom: usize,
}

impl RayField<'_> {
    /// The point in the world, its distance from the origin, and the mesh's along the ray to there (-1: none).
    fn look(&self, x: Vec3) -> (Vec3, f64, f64) {
        let world = vec3::add(mat3::mul_vec(&self.d.geom_xmat[self.geom], x), self.d.geom_xpos[self.geom]);
        let inward = vec3::neg(world);
        (world, vec3::norm(inward), self.cast(world, inward))
    }

    fn cast(&self, origin: Vec3, direction: Vec3) -> f64 {
        ray_mesh(self.m, self.d, self.geom, &Ray { origin, direction }).map_or(-1.0, |hit| hit.distance)
    }
}

impl SignedDistance for RayField<'_> {
    fn distance(&self, x: Vec3) -> f64 {
        let (world, radius, dist) = self.look(x);
        if dist > radius { -self.cast(world, world) } else { dist }
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        let (_, radius, dist) = self.look(x);
        [if dist > radius { 1.0 } else { -1.0 }; 3]
    }
}

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
fn octree(m: &Model, mesh: usize) -> Option<OctreeField<'_>> {
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
