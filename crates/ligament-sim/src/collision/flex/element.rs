//! Elements of flexes against geoms, elements and vertices.

use super::{Detector, Ids, filter, mix, vertices};
use crate::collision::mix::{Surface, effective_margin};
use crate::collision::narrow::{convex_options, hfield_of, solid, with_convex};
use crate::collision::{STEP, TEST};
use ligament_geom::contact::{ContactPoint, MAX_POINTS};
use ligament_geom::convex::{Convex, Kind};
use ligament_geom::hfield::{Bounds, PRISM_STEPS, prism_contact};
use ligament_geom::pairs::{self, ConvexOptions};
use ligament_geom::shape::Solid;
use ligament_geom::{ccd::Ccd, contact::ContactPoints, surface::round_normal};
use ligament_math::{Mat3, Quat, Vec3, mat3, quat, vec3};
use ligament_model::enums::{DisableBit, GeomType};
use ligament_model::{Data, Model};

/// An element in the world: 2 to 4 vertices, thickened by a radius.
pub(super) struct Element {
    points: [Vec3; 4],
    count: usize,
    center: Vec3,
    radius: f64,
}

impl Element {
    #[inline]
    pub(super) fn new(m: &Model, d: &Data, flex: usize, element: usize) -> Self {
        let verts = vertices(m, d, flex);
        let ids = vertex_ids(m, flex, element);
        let mut points = [[0.0; 3]; 4];
        for (point, &id) in points.iter_mut().zip(ids) {
            *point = verts[id as usize];
        }
        let aabb = &d.flexelem_aabb[m.flex_elemadr[flex] as usize + element];
        Self { points, count: ids.len(), center: [aabb[0], aabb[1], aabb[2]], radius: m.flex_radius[flex] }
    }

    /// A single vertex.
    pub(super) fn ball(pos: Vec3, radius: f64) -> Self {
        Self { points: [pos; 4], count: 1, center: pos, radius }
    }

    pub(super) fn convex(&self, margin: f64) -> Convex<'_> {
        let kind = Kind::Simplex(&self.points[..self.count], self.radius);
        Convex::new(kind, self.center, mat3::IDENTITY, [0.0; 3], margin)
    }

    /// Is there an axis, of a few, along which two elements are farther apart than the margin? Cheaper than the exact
    /// distance, and enough for most pairs whose boxes overlap.
    fn apart(&self, other: &Self, margin: f64) -> bool {
        let reach = (self.radius + other.radius + margin) * (1.0 + 1e-9) + 1e-10;
        self.apart_along(other, vec3::sub(other.center, self.center), reach)
            || self.apart_across_sides(other, reach)
            || other.apart_across_sides(self, reach)
    }

    /// Separation along the normal of a triangle and, within its plane, across its sides.
    fn apart_across_sides(&self, other: &Self, reach: f64) -> bool {
        if self.count != 3 {
            return false;
        }
        let [p, q, r, _] = self.points;
        let sides = [vec3::sub(q, p), vec3::sub(r, q), vec3::sub(p, r)];
        let normal = vec3::cross(sides[0], sides[1]);
        self.apart_along(other, normal, reach)
            || sides.into_iter().any(|side| self.apart_along(other, vec3::cross(side, normal), reach))
    }

    #[inline]
    fn apart_along(&self, other: &Self, axis: Vec3, reach: f64) -> bool {
        let range = |element: &Self| {
            let first = vec3::dot(element.points[0], axis);
            element.points[1..element.count].iter().fold((first, first), |(low, high), p| {
                let x = vec3::dot(*p, axis);
                (low.min(x), high.max(x))
            })
        };
        let ((low1, high1), (low2, high2)) = (range(self), range(other));
        let gap = (low2 - high1).max(low1 - high2);
        gap > 0.0 && gap * gap > reach * reach * vec3::dot(axis, axis)
    }

    fn triangle(&self) -> [Vec3; 3] {
        [self.points[0], self.points[1], self.points[2]]
    }

    /// A line element as a capsule: position, orientation, sizes.
    fn capsule(&self) -> (Vec3, Mat3, Vec3) {
        let [v1, v2, ..] = self.points;
        let mut axis = vec3::sub(v1, v2);
        let half = 0.5 * vec3::normalize(&mut axis);
        let pos = vec3::scale(vec3::add(v1, v2), 0.5);
        (pos, quat::to_mat(turn_z_to(axis)), [self.radius, half, 0.0])
    }

    /// The element in another frame.
    fn seen_from(&self, pos: Vec3, mat: &Mat3) -> Self {
        let local = |p: Vec3| mat3::mul_vec_t(mat, vec3::sub(p, pos));
        Self { points: self.points.map(local), center: local(self.center), ..*self }
    }
}

/// Rotation of the z axis to a unit vector.
fn turn_z_to(v: Vec3) -> Quat {
    let v = vec3::unit(v);
    let mut axis = vec3::cross([0.0, 0.0, 1.0], v);
    let sine = vec3::normalize(&mut axis);
    if sine.abs() < ligament_math::MINVAL {
        return if v[2] < 0.0 { [0.0, 1.0, 0.0, 0.0] } else { quat::IDENTITY };
    }
    quat::from_axis_angle(axis, sine.atan2(v[2]))
}

/// Vertices of an element, numbered within the flex.
pub(super) fn vertex_ids(m: &Model, flex: usize, element: usize) -> &[i32] {
    let n = m.flex_dim[flex] as usize + 1;
    let start = m.flex_elemdataadr[flex] as usize + element * n;
    &m.flex_elem[start..start + n]
}

/// Bodies of the vertices of an element; -1: no vertex, or none of its own.
#[inline]
pub(super) fn vertex_bodies(m: &Model, flex: usize, element: usize) -> [i32; 4] {
    let start = m.flex_vertadr[flex] as usize;
    let mut bodies = [-1; 4];
    for (body, &v) in bodies.iter_mut().zip(vertex_ids(m, flex, element)) {
        *body = m.flex_vertbodyid[start + v as usize];
    }
    bodies
}

/// Have two elements vertices on the same body?
#[inline]
pub(super) fn share_a_body(a: &[i32; 4], b: &[i32; 4]) -> bool {
    a.iter().any(|&body| (body >= 0) & ((body == b[0]) | (body == b[1]) | (body == b[2]) | (body == b[3])))
}

pub(super) fn element_box<'a>(m: &Model, d: &'a Data, flex: usize, element: usize) -> &'a [f64; 6] {
    &d.flexelem_aabb[m.flex_elemadr[flex] as usize + element]
}

/// Are two boxes (centre, half extents) apart by more than the margin?
pub(in crate::collision) fn boxes_apart(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).any(|k| a[k] + a[k + 3] + margin < b[k] - b[k + 3] || b[k] + b[k + 3] + margin < a[k] - a[k + 3])
}

/// Is a cube of half size `bound` around a point outside a box?
pub(in crate::collision) fn cube_apart(point: Vec3, bound: f64, aabb: &[f64; 6]) -> bool {
    (0..3).any(|k| point[k] + bound < aabb[k] - aabb[k + 3] || point[k] - bound > aabb[k] + aabb[k + 3])
}

/// The deepest point of two convex shapes of which one is deformable.
pub(super) fn convex_element(
    options: &ConvexOptions,
    a: &mut Convex,
    b: &mut Convex,
    margin: f64,
    surface: bool,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    let first = out.len();
    pairs::convex_single(options, a, b, margin, ccd, out);
    // the general algorithm gives poor normals on thin surfaces
    if surface && options.native {
        for point in &mut out[first..] {
            point.normal = round_normal(Some(a), None, point.pos, point.normal);
        }
    }
}

impl Detector<'_> {
    /// A geom (not a plane) and an element.
    pub(super) fn collide_geom_element(&mut self, g: usize, flex: usize, e: usize) {
        let (m, d) = (self.m, self.d);
        let margin = effective_margin(m, m.geom_margin[g] + m.flex_margin[flex]);
        if m.opt.disabled(DisableBit::Midphase)
            && cube_apart(d.geom_xpos[g], m.geom_rbound[g] + margin, element_box(m, d, flex, e))
        {
            return;
        }
        if vertex_bodies(m, flex, e).contains(&m.geom_bodyid[g]) {
            return;
        }
        if !self.afford(TEST) {
            return;
        }
        let element = Element::new(m, d, flex, e);
        self.scratch.points.clear();
        self.geom_element_points(g, flex, &element, margin);
        if self.scratch.points.is_empty() {
            return;
        }
        let params = mix(m, &Surface::of_geom(m, g), &Surface::of_flex(m, flex));
        let ids = Ids { geom: [g as i32, -1], flex: [-1, flex as i32], elem: [-1, e as i32], ..Ids::NONE };
        self.add_flex_contacts(&params, ids);
    }

    fn geom_element_points(&mut self, g: usize, flex: usize, element: &Element, margin: f64) {
        use GeomType::{Box, Capsule, Hfield, Sphere};
        let (m, d) = (self.m, self.d);
        let Ok(kind) = GeomType::try_from(m.geom_type[g]) else { return };
        let geom = solid(m, d, g);
        let out = &mut self.scratch.points;
        match (kind, m.flex_dim[flex]) {
            (Sphere | Capsule | Box, 1) => {
                let (pos, mat, size) = element.capsule();
                let capsule = Solid { pos, mat: &mat, size };
                match kind {
                    Sphere => pairs::sphere_capsule(&geom, &capsule, margin, out),
                    Capsule => pairs::capsule_capsule(&geom, &capsule, margin, out),
                    _ => {
                        pairs::capsule_box(&capsule, &geom, margin, out);
                        for point in out {
                            point.normal = vec3::scale(point.normal, -1.0);
                        }
                    }
                }
            }
            (Hfield, _) => self.hfield_element_points(g, element, margin),
            (Sphere, 2) => {
                let triangle = element.triangle();
                pairs::sphere_triangle(geom.pos, geom.size[0], &triangle, element.radius, margin, out);
            }
            (Box, 2) => pairs::box_triangle(&geom, &element.triangle(), element.radius, margin, out),
            (Capsule, 2) => pairs::capsule_triangle(&geom, &element.triangle(), element.radius, margin, out),
            _ => {
                let ccd = &mut self.scratch.ccd;
                with_convex(m, d, g, margin, |shape| {
                    let surface = m.flex_dim[flex] == 2;
                    convex_element(
                        &convex_options(m),
                        shape,
                        &mut element.convex(margin),
                        margin,
                        surface,
                        ccd,
                        out,
                    );
                });
            }
        }
    }

    /// A height field and an element.
    pub(super) fn hfield_element_points(&mut self, g: usize, element: &Element, margin: f64) {
        let (m, d) = (self.m, self.d);
        let Some(field) = hfield_of(m, g) else { return };
        let (pos, mat) = (d.geom_xpos[g], &d.geom_xmat[g]);
        let local = element.seen_from(pos, mat);
        let mut bounds = Bounds { min: local.points[0], max: local.points[0] };
        for &point in &local.points[..local.count] {
            crate::collision::bounds::extend(&mut bounds.min, &mut bounds.max, point);
        }
        if !field.overlaps(&bounds, margin) {
            return;
        }
        let options = convex_options(m);
        let mut shape = local.convex(margin);
        let most_steps = self.effort.div_ceil(STEP);
        let (ccd, out) = (&mut self.scratch.ccd, &mut self.scratch.points);
        field.prisms(&field.sub_grid(&bounds), margin, bounds.min[2], |vertices| {
            let mut prism = Convex::new(Kind::Prism(vertices), [0.0; 3], mat3::IDENTITY, [0.0; 3], 0.0);
            if let Some((depth, dir, point)) = prism_contact(&options, &mut prism, &mut shape, ccd) {
                let world = vec3::add(mat3::mul_vec(mat, point), pos);
                out.push(ContactPoint::new(-depth, world, mat3::mul_vec(mat, dir)));
            }
            ccd.count(PRISM_STEPS);
            out.len() < MAX_POINTS && ccd.steps() < most_steps
        });
    }

    /// Two elements, of one flex or two. A flex ignores margin and gap towards itself.
    pub(super) fn collide_elements(&mut self, (f1, e1): (usize, usize), (f2, e2): (usize, usize)) {
        let (m, d) = (self.m, self.d);
        let margin = if f1 == f2 { 0.0 } else { effective_margin(m, m.flex_margin[f1] + m.flex_margin[f2]) };
        if boxes_apart(element_box(m, d, f1, e1), element_box(m, d, f2, e2), margin) {
            return;
        }
        if share_a_body(&vertex_bodies(m, f1, e1), &vertex_bodies(m, f2, e2)) {
            return;
        }
        let b = Element::new(m, d, f2, e2);
        self.collide_near_elements((f1, e1), (f2, e2), &b, margin);
    }

    /// Two elements whose boxes overlap and that share no body; the second one is known in the world.
    pub(super) fn collide_near_elements(
        &mut self,
        (f1, e1): (usize, usize),
        (f2, e2): (usize, usize),
        b: &Element,
        margin: f64,
    ) {
        if !self.afford(TEST) {
            return;
        }
        let m = self.m;
        let a = Element::new(m, self.d, f1, e1);
        if a.apart(b, margin) {
            return;
        }
        let (ccd, out) = (&mut self.scratch.ccd, &mut self.scratch.points);
        out.clear();
        if m.flex_dim[f1] == 1 && m.flex_dim[f2] == 1 {
            let ((pos1, mat1, size1), (pos2, mat2, size2)) = (a.capsule(), b.capsule());
            let capsule1 = Solid { pos: pos1, mat: &mat1, size: size1 };
            let capsule2 = Solid { pos: pos2, mat: &mat2, size: size2 };
            pairs::capsule_capsule(&capsule1, &capsule2, margin, out);
        } else {
            let options = convex_options(m);
            pairs::convex_single(&options, &mut a.convex(margin), &mut b.convex(margin), margin, ccd, out);
        }
        if out.is_empty() {
            return;
        }
        let mut params = mix(m, &Surface::of_flex(m, f1), &Surface::of_flex(m, f2));
        if f1 == f2 {
            (params.margin, params.gap) = (0.0, 0.0);
        }
        let ids = Ids { flex: [f1 as i32, f2 as i32], elem: [e1 as i32, e2 as i32], ..Ids::NONE };
        self.add_flex_contacts(&params, ids);
    }

    /// Contacts inside a flex: vertices with nearby elements, and tetrahedra that are turned inside out.
    pub(super) fn collide_flex_inside(&mut self, flex: usize) {
        let m = self.m;
        let start = m.flex_evpairadr[flex].max(0) as usize;
        for i in start..start + m.flex_evpairnum[flex] as usize {
            let [element, vertex] = m.flex_evpair[i];
            self.collide_element_vertex(flex, element as usize, vertex as usize);
        }
        if m.flex_dim[flex] == 3 {
            for element in 0..m.flex_elemnum[flex] as usize {
                self.collide_tetrahedron_faces(flex, element);
            }
        }
    }

    fn collide_element_vertex(&mut self, flex: usize, e: usize, v: usize) {
        let (m, d) = (self.m, self.d);
        let radius = m.flex_radius[flex];
        let vertex = vertices(m, d, flex)[v];
        let reach = effective_margin(m, m.flex_margin[flex]) + radius;
        if cube_apart(vertex, reach, element_box(m, d, flex, e)) || !self.afford(TEST) {
            return;
        }
        let element = Element::new(m, d, flex, e);
        let (ccd, out) = (&mut self.scratch.ccd, &mut self.scratch.points);
        out.clear();
        match m.flex_dim[flex] {
            1 => {
                let (pos, mat, size) = element.capsule();
                let sphere = Solid { pos: vertex, mat: &mat3::IDENTITY, size: [radius, 0.0, 0.0] };
                pairs::sphere_capsule(&sphere, &Solid { pos, mat: &mat, size }, 0.0, out);
            }
            2 => pairs::sphere_triangle(vertex, radius, &element.triangle(), radius, 0.0, out),
            _ => {
                let point = [vertex];
                let mut sphere =
                    Convex::new(Kind::Simplex(&point, radius), vertex, mat3::IDENTITY, [0.0; 3], 0.0);
                pairs::convex_single(
                    &convex_options(m),
                    &mut sphere,
                    &mut element.convex(0.0),
                    0.0,
                    ccd,
                    out,
                );
            }
        }
        if out.is_empty() {
            return;
        }
        let mut params = mix(m, &Surface::of_flex(m, flex), &Surface::of_flex(m, flex));
        (params.margin, params.gap) = (0.0, 0.0);
        let f = flex as i32;
        let ids = Ids { flex: [f, f], elem: [-1, e as i32], vert: [v as i32, -1], ..Ids::NONE };
        self.add_flex_contacts(&params, ids);
    }

    /// Keeps each corner of a tetrahedron on its side of the opposite face.
    fn collide_tetrahedron_faces(&mut self, flex: usize, element: usize) {
        let (m, d) = (self.m, self.d);
        let &[v0, v1, v2, v3] = vertex_ids(m, flex, element) else { return };
        let verts = vertices(m, d, flex);
        let radius = m.flex_radius[flex];
        for (face, corner) in [([v0, v1, v2], v3), ([v0, v2, v3], v1), ([v0, v3, v1], v2), ([v1, v3, v2], v0)]
        {
            let [a, b, c] = face.map(|v| verts[v as usize]);
            let apex = verts[corner as usize];
            let normal = vec3::unit(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
            let height = vec3::dot(vec3::sub(apex, a), normal);
            if height <= -2.0 * radius {
                continue;
            }
            let mut params = mix(m, &Surface::of_flex(m, flex), &Surface::of_flex(m, flex));
            (params.margin, params.gap, params.dim) = (0.0, 0.0, 1);
            let pos = vec3::add_scaled(apex, normal, -0.5 * height);
            let point = ContactPoint::new(-height - 2.0 * radius, pos, vec3::scale(normal, -1.0));
            let f = flex as i32;
            let ids = Ids { flex: [f, f], elem: [element as i32, -1], vert: [-1, corner], ..Ids::NONE };
            self.add_flex_contact(&params, &point, ids);
        }
    }

    /// Mask of a geom against a flex.
    pub(super) fn geom_meets_flex(&self, g: usize, flex: usize) -> bool {
        let m = self.m;
        let (t, a) = (m.geom_contype[g], m.geom_conaffinity[g]);
        filter::masks_match(t, a, m.flex_contype[flex], m.flex_conaffinity[flex])
    }
}
