//! Which items and geoms may collide at all.

use ligament_math::vec3;
use ligament_model::enums::{DisableBit, EnableBit, GeomType, SleepState};
use ligament_model::{Data, Model};

/// Do contact types and affinities allow a contact?
#[inline]
pub(crate) fn masks_match(contype1: i32, conaffinity1: i32, contype2: i32, conaffinity2: i32) -> bool {
    contype1 & conaffinity2 != 0 || contype2 & conaffinity1 != 0
}

/// Do the user's filter or, without one, the masks of two geoms allow a contact?
#[inline]
pub(crate) fn geoms_match(m: &Model, d: &Data, g1: usize, g2: usize) -> bool {
    match &d.callbacks.contact_filter {
        Some(refuses) => !refuses(m, d, g1, g2),
        None => {
            let (types, affinities) = (&m.geom_contype[..m.ngeom], &m.geom_conaffinity[..m.ngeom]);
            masks_match(types[g1], affinities[g1], types[g2], affinities[g2])
        }
    }
}

/// Contact type and affinity of a body or (from nbody on) a flex.
#[inline]
pub(crate) fn item_masks(m: &Model, item: usize) -> (i32, i32) {
    match item.checked_sub(m.nbody) {
        None => (m.body_contype[..m.nbody][item], m.body_conaffinity[..m.nbody][item]),
        Some(flex) => (m.flex_contype[flex], m.flex_conaffinity[flex]),
    }
}

/// Can this body or flex collide with anything?
#[inline]
pub(crate) fn item_can_collide(m: &Model, item: usize) -> bool {
    item_masks(m, item) != (0, 0)
}

/// Bodies are looked at so many at a time: vertices of flexes have no geoms, and there may be thousands of them.
const GLANCE: usize = 64;

/// Is there a body, but the world, that can collide and is wanted?
#[inline(always)]
pub(super) fn any_colliding_body(m: &Model, mut wanted: impl FnMut(usize) -> bool) -> bool {
    let (types, affinities) = (&m.body_contype[..m.nbody], &m.body_conaffinity[..m.nbody]);
    let any = |masks: &[i32]| masks.iter().fold(0, |all, mask| all | mask) != 0;
    let mut first = 1;
    while first < m.nbody {
        let end = m.nbody.min(first + GLANCE);
        if m.nbody < GLANCE || any(&types[first..end]) || any(&affinities[first..end]) {
            for body in first..end {
                if item_can_collide(m, body) && wanted(body) {
                    return true;
                }
            }
        }
        first = end;
    }
    false
}

/// Calls `f` with all bodies that do not move.
#[inline(always)]
pub(super) fn each_still_body(m: &Model, mut f: impl FnMut(usize)) {
    let welds = &m.body_weldid[..m.nbody];
    let mut first = 0;
    while first < m.nbody {
        let end = m.nbody.min(first + GLANCE);
        let all_move = |welds: &[i32]| welds.iter().fold(true, |moving, &weld| moving & (weld != 0));
        if m.nbody < GLANCE || !all_move(&welds[first..end]) {
            for body in first..end {
                if welds[body] == 0 {
                    f(body);
                }
            }
        }
        first = end;
    }
}

/// Can these two?
#[inline]
pub(crate) fn items_can_collide(m: &Model, item1: usize, item2: usize) -> bool {
    let (t1, a1) = item_masks(m, item1);
    let (t2, a2) = item_masks(m, item2);
    masks_match(t1, a1, t2, a2)
}

/// Filters pairs of bodies by weld group, sleep and parenthood.
pub(crate) struct BodyFilter<'a> {
    m: &'a Model,
    /// States of all bodies, when some sleep.
    awake: Option<&'a [i32]>,
    filter_parent: bool,
}

impl<'a> BodyFilter<'a> {
    pub fn new(m: &'a Model, d: &'a Data) -> Self {
        let sleeping = m.opt.enabled(EnableBit::Sleep) && d.nbody_awake < m.nbody;
        Self {
            m,
            awake: sleeping.then_some(&d.body_awake[..]),
            filter_parent: !m.opt.disabled(DisableBit::Filterparent),
        }
    }

    /// All bodies count as awake.
    pub fn without_sleep(m: &'a Model) -> Self {
        Self { m, awake: None, filter_parent: !m.opt.disabled(DisableBit::Filterparent) }
    }

    fn weld_and_parent(&self, body: usize) -> (i32, i32) {
        let weld = self.m.body_weldid[body];
        let parent = self.m.body_parentid[weld as usize];
        (weld, self.m.body_weldid[parent as usize])
    }

    fn asleep(&self, body: usize) -> bool {
        self.awake.is_some_and(|awake| awake[body] == SleepState::Asleep as i32)
    }

    /// May a body collide with something that never moves?
    pub fn allows_static(&self, body: usize) -> bool {
        self.m.body_weldid[body] != 0 && !self.asleep(body)
    }

    /// May two bodies collide?
    #[inline(always)] // asked for every pair of boxes that meet
    pub fn allows(&self, body1: usize, body2: usize) -> bool {
        let (weld1, parent1) = self.weld_and_parent(body1);
        let (weld2, parent2) = self.weld_and_parent(body2);
        if weld1 == weld2 {
            return false;
        }
        let (asleep1, asleep2) = (self.asleep(body1), self.asleep(body2));
        if (asleep1 && (asleep2 || weld2 == 0)) || (asleep2 && weld1 == 0) {
            return false;
        }
        let related = weld1 == parent2 || weld2 == parent1;
        !(self.filter_parent && weld1 != 0 && weld2 != 0 && related)
    }
}

/// Are two geoms so far apart that their bounding spheres (or plane and sphere) cannot touch?
#[inline(always)] // asked for every pair
pub(crate) fn spheres_apart(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> bool {
    let (radii, centers) = (&m.geom_rbound[..m.ngeom], &d.geom_xpos[..m.ngeom]);
    let (r1, r2) = (radii[g1], radii[g2]);
    if r1 > 0.0 && r2 > 0.0 {
        let offset = vec3::sub(centers[g1], centers[g2]);
        let reach = r1 + r2 + margin;
        return vec3::dot(offset, offset) > reach * reach;
    }
    is_above(m, d, g1, g2, margin) || is_above(m, d, g2, g1, margin)
}

/// Is a geom's bounding sphere above a plane?
#[inline(always)]
pub(crate) fn is_above(m: &Model, d: &Data, plane: usize, other: usize, margin: f64) -> bool {
    let radius = m.geom_rbound[..m.ngeom][other];
    m.geom_type[..m.ngeom][plane] == GeomType::Plane as i32 && radius > 0.0 && {
        let (centers, mat) = (&d.geom_xpos[..m.ngeom], &d.geom_xmat[..m.ngeom][plane]);
        let offset = vec3::sub(centers[other], centers[plane]);
        vec3::dot(offset, [mat[2], mat[5], mat[8]]) > margin + radius
    }
}
