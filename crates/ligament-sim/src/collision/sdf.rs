//! Contacts of signed distance fields.

use crate::ray::ray_mesh;
use crate::sdf::{octree, with_field};
use ligament_geom::contact::ContactPoints;
use ligament_geom::ray::Ray;
use ligament_geom::sdf::{FieldBody, SignedDistance, sdf_sdf};
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
