//! Contacts of signed distance fields.

use crate::plugin::instance_that_draws;
use crate::ray::ray_mesh;
use crate::sdf::{octree, with_field};
use crate::workspace::Collision;
use ligament_geom::ray::Ray;
use ligament_geom::sdf::{FieldBody, SignedDistance, sdf_sdf};
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::plugin::Descent;
use ligament_model::{Data, Model};
use std::cell::RefCell;

/// Contacts of a geom with a geom of type SDF, into `scratch.points`.
#[inline(never)]
pub(super) fn collide(m: &Model, d: &Data, g1: usize, g2: usize, scratch: &mut Collision) {
    let Collision { points, descents, .. } = scratch;
    let log = RefCell::new(std::mem::take(descents));
    with_first_field(m, d, g1, |field1| {
        with_field(m, d, g2, |field2| {
            let (field1, field2) = (Logged::new(m, d, g1, field1, &log), Logged::new(m, d, g2, field2, &log));
            let body = |g: usize, field| FieldBody {
                field,
                pos: d.geom_xpos[g],
                mat: &d.geom_xmat[g],
                aabb: m.geom_aabb[g],
            };
            let (starts, iterations) = (m.opt.sdf_initpoints.max(0), m.opt.sdf_iterations.max(0));
            sdf_sdf(&body(g1, &field1), &body(g2, &field2), starts as usize, iterations as usize, points);
        });
    });
    *descents = log.into_inner();
}

/// A field that notes where it was searched, if that can be drawn.
struct Logged<'a> {
    field: &'a dyn SignedDistance,
    /// The plugin instance that gives the field, if it draws searches.
    instance: Option<usize>,
    log: &'a RefCell<Vec<(usize, Descent)>>,
}

impl<'a> Logged<'a> {
    fn new(
        m: &Model,
        d: &Data,
        geom: usize,
        field: &'a dyn SignedDistance,
        log: &'a RefCell<Vec<(usize, Descent)>>,
    ) -> Self {
        Self { field, instance: instance_that_draws(m, d, geom), log }
    }

    fn note(&self, what: Descent) {
        if let Some(instance) = self.instance {
            self.log.borrow_mut().push((instance, what));
        }
    }
}

impl SignedDistance for Logged<'_> {
    fn distance(&self, x: Vec3) -> f64 {
        self.field.distance(x)
    }

    fn gradient(&self, x: Vec3) -> Vec3 {
        self.note(Descent::Visit(x));
        self.field.gradient(x)
    }

    fn descends(&self, starting_point: usize) {
        if starting_point == 0 {
            self.note(Descent::Search);
        }
        self.note(Descent::Start);
    }
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
