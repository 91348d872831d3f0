//! Soft flexes against geoms: every vertex is a ball, as against a plane.
//!
//! Elements that lie flat on something give points that jump about from step to step, which a soft body answers by
//! trembling; a vertex has one point, and it moves as the vertex does. Elements count only where none of their vertices
//! touches: small things between the vertices.

use super::element::{Element, convex_element, element_box, vertex_bodies, vertex_ids};
use super::{Detector, Ids, is_active, mix, vertices};
use crate::collision::TEST;
use crate::collision::mix::{ContactParams, Surface, effective_margin};
use crate::collision::narrow::{convex_options, solid, with_convex};
use ligament_geom::pairs;
use ligament_geom::shape::Solid;
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::GeomType;
use ligament_model::{Data, Model};

/// Are the vertices of this flex what touches geoms? Links of ropes are capsules, with points as good as those of balls.
pub(super) fn vertices_touch(m: &Model, flex: usize) -> bool {
    m.flex_dim[flex] > 1 && m.parts.soft(flex).is_some()
}

/// Where a geom is in the world: in a box, or in a ball.
struct Space {
    center: Vec3,
    half: Vec3,
    radius: Option<f64>,
}

impl Space {
    fn of_geom(m: &Model, d: &Data, g: usize) -> Self {
        let [x, y, z, half @ ..] = m.geom_aabb[g];
        let mat = &d.geom_xmat[g];
        let center = vec3::add(d.geom_xpos[g], mat3::mul_vec(mat, [x, y, z]));
        let half = mat3::mul_vec(&mat.map(f64::abs), half);
        let is_ball = m.geom_type[g] == GeomType::Sphere as i32;
        Self { center, half, radius: is_ball.then_some(m.geom_size[g][0]) }
    }

    /// May what is in a box be as near as this?
    #[inline]
    fn is_near(&self, center: Vec3, half: Vec3, distance: f64) -> bool {
        let gap: Vec3 = std::array::from_fn(|k| (center[k] - self.center[k]).abs() - half[k]);
        match self.radius {
            Some(radius) => {
                let way = gap.map(|x| x.max(0.0));
                vec3::dot(way, way) <= (radius + distance).powi(2)
            }
            None => (0..3).all(|k| gap[k] <= self.half[k] + distance),
        }
    }
}

/// Does a body carry a vertex of a flex?
fn attached_to(m: &Model, flex: usize, body: i32) -> bool {
    let start = m.flex_vertadr[flex].max(0) as usize;
    m.flex_vertbodyid[start..start + m.flex_vertnum[flex] as usize].contains(&body)
}

/// Vertices that may touch a geom of a body, none of which does yet (`Some(false)`): elements with a vertex that the body
/// carries do not count.
fn open_vertices(m: &Model, flex: usize, body: i32, out: &mut Vec<Option<bool>>) {
    let attached = attached_to(m, flex, body);
    out.clear();
    out.resize(m.flex_vertnum[flex] as usize, (!attached).then_some(false));
    let elements = 0..if attached { m.flex_elemnum[flex] as usize } else { 0 };
    for e in elements.filter(|&e| !vertex_bodies(m, flex, e).contains(&body)) {
        vertex_ids(m, flex, e).iter().for_each(|&v| out[v as usize] = Some(false));
    }
}

impl Detector<'_> {
    /// A geom that is no plane with a soft flex.
    pub(super) fn collide_geom_with_soft(&mut self, g: usize, flex: usize) {
        let (m, d) = (self.m, self.d);
        let margin = effective_margin(m, m.geom_margin[g] + m.flex_margin[flex]);
        let space = Space::of_geom(m, d, g);
        let mut touching = std::mem::take(&mut self.scratch.touching);
        let body = m.geom_bodyid[g];
        open_vertices(m, flex, body, &mut touching);
        let reach = m.flex_radius[flex] + margin;
        let params = mix(m, &Surface::of_geom(m, g), &Surface::of_flex(m, flex));
        for (touches, (v, &point)) in touching.iter_mut().zip(vertices(m, d, flex).iter().enumerate()) {
            if space.is_near(point, [0.0; 3], reach) && touches.is_some() {
                *touches = Some(self.collide_geom_vertex(&params, (g, flex, v), margin));
            }
        }
        for e in (0..m.flex_elemnum[flex] as usize).filter(|&e| is_active(m, flex, e)) {
            let [x, y, z, half @ ..] = *element_box(m, d, flex, e);
            let apart = !space.is_near([x, y, z], half, margin)
                || vertex_ids(m, flex, e).iter().any(|&v| touching[v as usize] == Some(true))
                || vertex_bodies(m, flex, e).contains(&body);
            if !apart && self.reaches_element(g, flex, e, margin) {
                self.collide_geom_element(g, flex, e);
            }
        }
        self.scratch.touching = touching;
    }

    /// May a geom that is no ball touch an element near it? Balls around the elements tell, where they are tested quickly.
    fn reaches_element(&mut self, g: usize, flex: usize, element: usize, margin: f64) -> bool {
        use GeomType::{Box, Capsule, Cylinder};
        let quick = [Capsule, Cylinder, Box].iter().any(|&kind| self.m.geom_type[g] == kind as i32);
        if !quick {
            return true;
        }
        let [x, y, z, half @ ..] = *element_box(self.m, self.d, flex, element);
        self.scratch.points.clear();
        self.geom_ball_points(g, [x, y, z], vec3::norm(half), margin);
        !self.scratch.points.is_empty()
    }

    /// A geom (not a plane) and a vertex; do they touch?
    fn collide_geom_vertex(
        &mut self,
        params: &ContactParams,
        (g, flex, vertex): (usize, usize, usize),
        margin: f64,
    ) -> bool {
        if !self.afford(TEST) {
            return false;
        }
        let (m, d) = (self.m, self.d);
        self.scratch.points.clear();
        self.geom_ball_points(g, vertices(m, d, flex)[vertex], m.flex_radius[flex], margin);
        let ids =
            Ids { geom: [g as i32, -1], flex: [-1, flex as i32], vert: [-1, vertex as i32], ..Ids::NONE };
        self.add_flex_contacts(params, ids);
        !self.scratch.points.is_empty()
    }

    fn geom_ball_points(&mut self, g: usize, pos: Vec3, radius: f64, margin: f64) {
        use GeomType::{Box, Capsule, Cylinder, Hfield, Sphere};
        let (m, d) = (self.m, self.d);
        let Ok(kind) = GeomType::try_from(m.geom_type[g]) else { return };
        let ball = Solid { pos, mat: &mat3::IDENTITY, size: [radius, 0.0, 0.0] };
        let geom = solid(m, d, g);
        let out = &mut self.scratch.points;
        match kind {
            Sphere => pairs::sphere_sphere(&ball, &geom, margin, out),
            Capsule => pairs::sphere_capsule(&ball, &geom, margin, out),
            Cylinder => pairs::sphere_cylinder(&ball, &geom, margin, out),
            Box => pairs::sphere_box(&ball, &geom, margin, out),
            Hfield => return self.hfield_element_points(g, &Element::ball(pos, radius), margin),
            _ => {
                let (ball, options) = (Element::ball(pos, radius), convex_options(m));
                let ccd = &mut self.scratch.ccd;
                with_convex(m, d, g, margin, |shape| {
                    convex_element(&options, shape, &mut ball.convex(margin), margin, false, ccd, out);
                });
                return;
            }
        }
        // the functions above see the ball first, the contact has the geom first
        for point in out {
            point.normal = vec3::scale(point.normal, -1.0);
        }
    }
}
