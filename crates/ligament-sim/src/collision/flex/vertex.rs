//! Soft flexes against geoms: every vertex is a ball, as against a plane.
//!
//! Elements that lie flat on something give points that jump about from step to step, which a soft body answers by
//! trembling; a vertex has one point, and it moves as the vertex does. Elements count only where none of their vertices
//! touches: small things between the vertices. Balls that are large beside the elements meet the vertices only.

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
    #[inline(always)]
    fn is_near(&self, center: Vec3, half: Vec3, distance: f64) -> bool {
        let way = vec3::sub(center, self.center);
        let [x, y, z] = [way[0].abs() - half[0], way[1].abs() - half[1], way[2].abs() - half[2]];
        match self.radius {
            Some(radius) => {
                let outside = [x.max(0.0), y.max(0.0), z.max(0.0)];
                vec3::dot(outside, outside) <= (radius + distance) * (radius + distance)
            }
            None => {
                let [a, b, c] = self.half;
                // without branches: most elements are far in one direction or another
                (x <= a + distance) & (y <= b + distance) & (z <= c + distance)
            }
        }
    }

    /// Is it a ball so large that elements in boxes of this size are flat beside it? Between vertices at a distance 2c, a
    /// ball of radius R comes nearer by c² / 2R.
    fn is_flat(&self, half: Vec3, flex_radius: f64) -> bool {
        let Some(radius) = self.radius else { return false };
        let extent = half.map(|x| x - flex_radius);
        vec3::dot(extent, extent) <= 2.0 * (radius + flex_radius) * SAG * flex_radius
    }
}

/// How much nearer than the vertices of an element a ball may come between them, relative to the radius of the flex, to be
/// left to the vertices.
const SAG: f64 = 0.2;

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

/// Is an element beyond the plane that touches a box where the box is nearest to the middle of the element?
fn parted_from_box(m: &Model, d: &Data, g: usize, (flex, element): (usize, usize), margin: f64) -> bool {
    let (pos, mat, size) = (d.geom_xpos[g], &d.geom_xmat[g], m.geom_size[g]);
    let [x, y, z, ..] = *element_box(m, d, flex, element);
    let middle = mat3::mul_vec_t(mat, vec3::sub([x, y, z], pos));
    let nearest: Vec3 = std::array::from_fn(|k| middle[k].max(-size[k]).min(size[k]));
    let way = vec3::sub(middle, nearest);
    let axis = mat3::mul_vec(mat, way);
    let plane = vec3::dot(axis, pos) + vec3::dot(way, nearest);
    let beyond = plane + vec3::norm(axis) * (m.flex_radius[flex] + margin);
    let corners = vertices(m, d, flex);
    vertex_ids(m, flex, element).iter().all(|&v| vec3::dot(axis, corners[v as usize]) > beyond)
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
        let first = m.flex_elemadr[flex] as usize;
        let boxes = &d.flexelem_aabb[first..first + m.flex_elemnum[flex] as usize];
        for (e, &[x, y, z, half @ ..]) in boxes.iter().enumerate() {
            let apart = !space.is_near([x, y, z], half, margin)
                || !is_active(m, flex, e)
                || space.is_flat(half, m.flex_radius[flex])
                || vertex_ids(m, flex, e).iter().any(|&v| touching[v as usize] == Some(true))
                || vertex_bodies(m, flex, e).contains(&body);
            if !apart && self.reaches_element(g, flex, e, margin) {
                self.collide_geom_element(g, flex, e);
            }
        }
        self.scratch.touching = touching;
    }

    /// May a geom that is no ball touch an element near it? Balls around the elements tell, where they are tested quickly;
    /// boxes have a plane that parts them from most.
    fn reaches_element(&mut self, g: usize, flex: usize, element: usize, margin: f64) -> bool {
        use GeomType::{Box, Capsule, Cylinder};
        let (m, d) = (self.m, self.d);
        if m.geom_type[g] == Box as i32 {
            return !parted_from_box(m, d, g, (flex, element), margin);
        }
        if ![Capsule, Cylinder].iter().any(|&kind| m.geom_type[g] == kind as i32) {
            return true;
        }
        let [x, y, z, half @ ..] = *element_box(m, d, flex, element);
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
