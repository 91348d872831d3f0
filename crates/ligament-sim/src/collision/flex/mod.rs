//! Deformable bodies: bounding boxes for the broad phase, and contacts with geoms, each other and themselves.
//!
//! Elements are capsules, triangles or tetrahedra thickened by the radius of the flex. Contacts of a flex with a body
//! are sorted like those of two bodies; those of a flex with itself keep the order in which they are found.

mod element;
mod sweep;
mod tree;
mod vertex;

pub(super) use element::{boxes_apart, cube_apart};
pub(super) use tree::Tree;

use super::bounds::extend;
use super::mix::{ContactParams, PairFrame, Surface, is_valid, mix};
use super::{Detector, filter, geoms_of};
use crate::awake;
use ligament_geom::contact::ContactPoint;
use ligament_math::{Mat3, Vec3, mat3, vec3};
use ligament_model::enums::{DisableBit, FlexSelf, GeomType, SleepState};
use ligament_model::{Data, Model};

/// Vertices of a flex, world frame.
pub(super) fn vertices<'a>(m: &Model, d: &'a Data, flex: usize) -> &'a [Vec3] {
    let start = m.flex_vertadr[flex].max(0) as usize;
    &d.flexvert_xpos[start..start + m.flex_vertnum[flex] as usize]
}

/// Box around a flex in a frame, with radius and margin (or half of the overriding one).
pub(super) fn bounds(
    m: &Model,
    d: &Data,
    flex: usize,
    frame: &Mat3,
    half_override: Option<f64>,
) -> (Vec3, Vec3) {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &v in vertices(m, d, flex) {
        extend(&mut min, &mut max, mat3::mul_vec(frame, v));
    }
    let reach = m.flex_radius[flex] + half_override.unwrap_or(m.flex_margin[flex]);
    (min.map(|x| x - reach), max.map(|x| x + reach))
}

/// Elements of a volume count only in the outer layers.
#[inline]
fn is_active(m: &Model, flex: usize, element: usize) -> bool {
    let layer = || m.flex_elemlayer[m.flex_elemadr[flex] as usize + element];
    m.flex_dim[flex] < 3 || layer() < m.flex_activelayers[flex]
}

/// Who takes part in a contact besides geoms.
#[derive(Debug, Clone, Copy)]
struct Ids {
    geom: [i32; 2],
    flex: [i32; 2],
    elem: [i32; 2],
    vert: [i32; 2],
}

impl Ids {
    const NONE: Self = Self { geom: [-1; 2], flex: [-1; 2], elem: [-1; 2], vert: [-1; 2] };
}

impl Detector<'_> {
    /// A body or flex (`item`) against a flex.
    #[inline(never)]
    pub(super) fn collide_with_flex(&mut self, item: usize, flex: usize) {
        let m = self.m;
        if self.rests(item, flex) {
            return;
        }
        if item < m.nbody && vertex::vertices_touch(m, flex) {
            self.collide_geoms_with_flex(item, flex, Self::collide_geom_with_soft);
            return;
        }
        let tree = match item.checked_sub(m.nbody) {
            None => m.body_bvhadr[item],
            Some(other) => m.flex_bvhadr[other],
        };
        if !m.opt.disabled(DisableBit::Midphase) && tree >= 0 && m.flex_bvhadr[flex] >= 0 {
            let first = self.contacts.len();
            self.collide_flex_trees(item, m.nbody + flex);
            self.sort_contacts(first);
        } else if let Some(other) = item.checked_sub(m.nbody) {
            for e1 in 0..m.flex_elemnum[other] as usize {
                for e2 in 0..m.flex_elemnum[flex] as usize {
                    self.collide_elements((other, e1), (flex, e2));
                }
            }
        } else {
            self.collide_geoms_with_flex(item, flex, Self::collide_geom_with_elements);
        }
    }

    /// Does a flex sleep while nothing that is awake, a body or flex (`item`), comes near?
    fn rests(&self, item: usize, flex: usize) -> bool {
        let (m, d) = (self.m, self.d);
        let moving = |item: usize| match item.checked_sub(m.nbody) {
            None => d.body_awake[item] == SleepState::Awake as i32,
            Some(other) => !awake::soft_flex_sleeps(m, d, other),
        };
        awake::soft_flex_sleeps(m, d, flex) && !moving(item)
    }

    /// Every geom of a body with a flex: planes with its vertices, others as `collide` does.
    fn collide_geoms_with_flex(
        &mut self,
        body: usize,
        flex: usize,
        collide: impl Fn(&mut Self, usize, usize),
    ) {
        let m = self.m;
        for g in geoms_of(m, body) {
            let masks = (m.geom_contype[g], m.geom_conaffinity[g]);
            if !filter::masks_match(masks.0, masks.1, m.flex_contype[flex], m.flex_conaffinity[flex]) {
                continue;
            }
            if m.geom_type[g] == GeomType::Plane as i32 {
                self.collide_plane_flex(g, flex);
            } else {
                collide(self, g, flex);
            }
        }
    }

    /// A geom with every element.
    fn collide_geom_with_elements(&mut self, g: usize, flex: usize) {
        for e in 0..self.m.flex_elemnum[flex] as usize {
            self.collide_geom_element(g, flex, e);
        }
    }

    /// Every vertex of a flex with a plane.
    fn collide_plane_flex(&mut self, plane: usize, flex: usize) {
        let (m, d) = (self.m, self.d);
        let radius = m.flex_radius[flex];
        let normal = mat3::col(&d.geom_xmat[plane], 2);
        let params = mix(m, &Surface::of_geom(m, plane), &Surface::of_flex(m, flex));
        for (i, &v) in vertices(m, d, flex).iter().enumerate() {
            let height = vec3::dot(vec3::sub(v, d.geom_xpos[plane]), normal);
            if height > params.margin + radius {
                continue;
            }
            let dist = height - radius;
            let point = ContactPoint::new(dist, vec3::add_scaled(v, normal, -dist * 0.5 - radius), normal);
            let ids =
                Ids { geom: [plane as i32, -1], flex: [-1, flex as i32], vert: [-1, i as i32], ..Ids::NONE };
            self.add_flex_contact(&params, &point, ids);
        }
    }

    /// Contacts of flexes with themselves.
    #[inline(never)]
    pub(super) fn flex_self_collisions(&mut self) {
        let m = self.m;
        for flex in 0..m.nflex {
            let apart = m.flex_contype[flex] & m.flex_conaffinity[flex] == 0;
            if m.flex_rigid[flex] != 0 || apart || awake::soft_flex_sleeps(m, self.d, flex) {
                continue;
            }
            if m.flex_internal[flex] != 0 {
                self.collide_flex_inside(flex);
            }
            self.collide_active_elements(flex);
        }
    }

    /// Active elements of a flex with each other, found in the way that the flex asks for.
    fn collide_active_elements(&mut self, flex: usize) {
        let m = self.m;
        let Ok(mode) = FlexSelf::try_from(m.flex_selfcollide[flex]) else { return };
        if mode == FlexSelf::None {
            return;
        }
        let direct =
            m.opt.disabled(DisableBit::Midphase) || mode == FlexSelf::Narrow || m.flex_bvhadr[flex] < 0;
        if !direct {
            if mode == FlexSelf::Bvh || (mode == FlexSelf::Auto && m.flex_dim[flex] == 3) {
                self.collide_flex_trees(m.nbody + flex, m.nbody + flex);
            } else {
                self.sweep_elements(flex);
            }
            return;
        }
        let count = m.flex_elemnum[flex] as usize;
        for e1 in (0..count).filter(|&e| is_active(m, flex, e)) {
            for e2 in (e1 + 1..count).filter(|&e| is_active(m, flex, e)) {
                self.collide_elements((flex, e1), (flex, e2));
            }
        }
    }

    fn add_flex_contact(&mut self, params: &ContactParams, point: &ContactPoint, ids: Ids) {
        if is_valid(point) {
            let contact = params.push(self.m, point, &mut PairFrame::default(), self.contacts);
            let Ids { geom, flex, elem, vert } = ids;
            (contact.geom, contact.flex, contact.elem, contact.vert) = (geom, flex, elem, vert);
        }
    }

    /// Turns the points found last into contacts.
    fn add_flex_contacts(&mut self, params: &ContactParams, ids: Ids) {
        let points = std::mem::take(&mut self.scratch.points);
        for point in &points {
            self.add_flex_contact(params, point, ids);
        }
        self.scratch.points = points;
    }
}
