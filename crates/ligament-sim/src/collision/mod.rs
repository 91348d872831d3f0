//! Collision detection: broad phase over bodies, mid phase over their bounding-volume trees, narrow phase over geoms.
//!
//! The result is the list of contacts in the reference's order: by pair of bodies (lower number first), explicit
//! pairs of the same bodies first, then by pair of geoms.

mod bounds;
mod broad;
pub mod distance;
mod filter;
mod flex;
mod mid;
mod mix;
mod narrow;
mod pairs;
mod parting;
mod sdf;
mod side_by_side;
mod visited;

pub use crate::workspace::Parting;
pub(crate) use distance::geom_distance_with;
pub use distance::{GeomDistance, distance_work, geom_distance};
pub use mid::{CLEARANCE, local_box};
pub use mix::{ContactParams, add_contact};
pub use narrow::is_general_convex;
pub use pairs::{GeomPair, convex_contacts, geom_pairs, geom_pairs_within, pair_contacts};
pub use visited::mark_visited_volumes;

use crate::access::{Access, access};
use crate::timing::{count, lap, now};
use crate::workspace::Collision;
use crate::workspace::Scratches as _;
use broad::AboveGround;
use ligament_model::constants::MAXVAL;
use ligament_model::enums::{DisableBit, Timer, Warning};
use ligament_model::fault::Fault;
use ligament_model::limits::CONTACT;
use ligament_model::{Contact, Data, Model};
use std::ops::Range;

/// What the phases work with: constant data, and the buffers they fill.
pub(crate) struct Detector<'a> {
    pub m: &'a Model,
    pub d: &'a Data,
    pub scratch: &'a mut Collision,
    /// Are the trees in the scratch those of the model as it is now?
    pub knows_trees: bool,
    pub contacts: &'a mut Vec<Contact>,
    /// Contacts and pairs that there is room for.
    pub capacity: Capacity,
    /// Operations that are left.
    pub effort: u64,
}

/// About how many operations a test of two geoms or elements takes, beyond the cheap ones that sort out most.
const TEST: u64 = 1000;
/// About how many operations an iteration of the convex algorithms takes.
const STEP: u64 = 250;
/// About how many operations it takes to see that two geoms are far apart.
const GLANCE: u64 = 10;
/// About how many operations a pair of nodes of two trees takes.
const NODE: u64 = 50;

/// Room for what collision detection finds: half of a state's memory for contacts, which stand both where they are found
/// and in the state, half for pairs of bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    pub contacts: usize,
    pub pairs: usize,
}

impl Capacity {
    fn of(d: &Data) -> Self {
        let half = usize::try_from(d.memory / 2).unwrap_or(usize::MAX);
        Self { contacts: half / CONTACT as usize, pairs: half / size_of::<u64>() }
    }
}

/// Explicit pairs tested for the current pair of bodies: those are not tested a second time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tested {
    start: usize,
    end: usize,
}

impl Tested {
    /// Was this pair of geoms tested?
    fn contains(self, m: &Model, g1: usize, g2: usize) -> bool {
        let (i, j) = (g1 as i32, g2 as i32);
        (self.start..self.end).any(|k| {
            let pair = (m.pair_geom1[k], m.pair_geom2[k]);
            pair == (i, j) || pair == (j, i)
        })
    }
}

/// What [`collision`] touches.
pub(crate) const COLLISION: Access = access! {
    model {
        body_bvhadr body_bvhnum body_conaffinity body_contype body_geomadr body_geomnum body_ipos body_iquat
        body_margin body_parentid body_weldid bvh_aabb bvh_child bvh_nodeid
        exclude_signature flex_bvhnum flex_conaffinity flex_condim flex_dim flex_elem flex_elemadr
        flex_elemdataadr flex_elemnum flex_friction flex_gap flex_margin flex_priority flex_radius
        flex_solimp flex_solmix flex_solref flex_vertadr flex_vertbodyid flex_vertnum geom_aabb
        geom_bodyid geom_conaffinity geom_condim geom_contype geom_dataid geom_friction geom_gap
        geom_margin geom_plugin geom_pos geom_priority geom_quat geom_rbound geom_size geom_solimp geom_solmix geom_solref
        geom_type hfield_data hfield_ncol hfield_nrow hfield_size mesh_graph mesh_graphadr mesh_polymap
        mesh_polymapadr mesh_polymapnum mesh_polynormal mesh_polynum mesh_polyvert mesh_polyvertadr
        mesh_polyvertnum mesh_vert mesh_vertadr mesh_vertnum pair_dim pair_friction pair_gap pair_geom1
        pair_geom2 pair_margin pair_signature pair_solimp pair_solref pair_solreffriction
    }
    reads { body_awake flexvert_xpos geom_xmat geom_xpos nbody_awake }
    // rows and islands belong to the contacts of before: they are cleared
    writes {
        contact dof_island efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_D efc_J efc_J_colind
        efc_J_rowadr efc_J_rownnz efc_J_rowsuper efc_KBIP efc_R efc_aref efc_b efc_diagApprox
        efc_force efc_frictionloss efc_id efc_island efc_margin efc_pos efc_state efc_type efc_vel
        iLD iLDiagInv iM iM_colind iM_rowadr iM_rownnz iacc iacc_smooth iefc_D iefc_J iefc_J_colind
        iefc_J_rowadr iefc_J_rownnz iefc_J_rowsuper iefc_R iefc_aref iefc_force iefc_frictionloss
        iefc_id iefc_state iefc_type ifrc_constraint ifrc_smooth island_dofadr island_idofadr
        island_iefcadr island_itreeadr island_ne island_nefc island_nf island_ntree island_nv
        map_dof2idof map_efc2iefc map_idof2dof map_iefc2efc map_itree2tree ncon nefc nisland
        tendon_efcadr tree_island
    }
};

/// Finds all contacts (`mj_collision`). Constraint rows, which belonged to others, are forgotten.
pub fn collision(m: &Model, d: &mut Data) {
    let start = now(d);
    timed_collision(m, d, start);
}

/// As [`collision`], given the time; returns the time at the end.
pub(crate) fn timed_collision(m: &Model, d: &mut Data, start: f64) -> f64 {
    let mut end = start;
    let mut scratch = std::mem::take(&mut d.workspace.scratch().collision);
    let mut contacts = std::mem::take(&mut scratch.found);
    // those of before make room: two lists in turn would take twice the cache
    d.contact.exchange(&mut contacts);
    contacts.clear();
    d.contact.clear();
    d.fault = None;
    d.spent.restart();
    d.clear_constraints(); // rows and islands were made from the contacts that are gone
    let off = m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact);
    if !off && m.nbody + m.nflex >= 2 {
        let (capacity, effort) = (Capacity::of(d), d.effort_left());
        scratch.ccd.take_steps(); // of distances that were asked for meanwhile
        let (scratch, contacts) = (&mut scratch, &mut contacts);
        let mut detector = Detector { m, d, scratch, knows_trees: false, contacts, capacity, effort };
        detector.broad_phase(AboveGround::LeftOut);
        let middle = now(d);
        let too_many_pairs = detector.scratch.pairs.len() > capacity.pairs;
        if !too_many_pairs {
            detector.process_pairs();
            detector.flex_self_collisions();
        }
        detector.afford(0);
        let left = detector.effort;
        let full = too_many_pairs || detector.is_full();
        d.spent.collision = effort - left;
        count(d, Timer::ColBroad, middle - start);
        end = lap(d, Timer::ColNarrow, middle);
        if full {
            let fault = if left == 0 { Fault::Effort } else { Fault::Memory { rows: 0 } };
            d.fail(fault, Warning::Contactfull, contacts.len());
        }
    }
    keep_descents(d, &mut scratch);
    d.contact.exchange(&mut contacts);
    d.ncon = d.contact.len();
    scratch.found = contacts;
    d.workspace.scratch().collision = scratch;
    end
}

/// Lets the state have what searches of distance fields went through.
#[inline(never)]
fn keep_descents(d: &mut Data, scratch: &mut Collision) {
    for (instance, what) in scratch.descents.drain(..) {
        d.descents.note(instance, what);
    }
}

impl Detector<'_> {
    /// Is there no room for another contact, or no time to look for one?
    fn is_full(&self) -> bool {
        self.contacts.len() > self.capacity.contacts || self.effort == 0
    }

    /// Counts work that is about to be done, and iterations of tests that were; says whether there is more to spend.
    fn afford(&mut self, work: u64) -> bool {
        self.effort = self.effort.saturating_sub(self.scratch.ccd.take_steps() * STEP);
        let allowed = !self.is_full() && work <= self.effort;
        self.effort = self.effort.saturating_sub(work);
        allowed
    }

    /// Goes through the pairs of the broad phase, merged with the explicit pairs by signature.
    fn process_pairs(&mut self) {
        let pairs = std::mem::take(&mut self.scratch.pairs);
        if !side_by_side::process(self, &pairs) {
            self.process_range(&pairs, 0..pairs.len());
        }
        self.scratch.pairs = pairs;
    }

    /// Some consecutive pairs of the broad phase. Explicit pairs come before the pair that they precede; the last range
    /// has what remains of them.
    fn process_range(&mut self, pairs: &[u64], range: Range<usize>) {
        let m = self.m;
        self.scratch.partings.prepare();
        let explicit = |k: usize| signature(m.pair_signature[k]);
        let excluded = |k: usize| signature(m.exclude_signature[k]);
        let done = range.start.checked_sub(1).map(|last| bounds::unpack(pairs[last]));
        let mut next_pair = 0;
        while done.is_some_and(|done| next_pair < m.npair && explicit(next_pair) <= done) {
            next_pair += 1;
        }
        let mut next_exclude = 0;
        for &pair in &pairs[range.clone()] {
            let key = bounds::unpack(pair);
            let start = next_pair;
            let mut merged = false;
            while next_pair < m.npair && explicit(next_pair) <= key {
                merged |= explicit(next_pair) == key;
                self.collide_explicit(next_pair);
                next_pair += 1;
            }
            while next_exclude < m.nexclude && excluded(next_exclude) < key {
                next_exclude += 1;
            }
            if next_exclude < m.nexclude && excluded(next_exclude) == key {
                continue;
            }
            let tested = if merged { Tested { start, end: next_pair } } else { Tested::default() };
            self.collide_items(key.0 as usize, key.1 as usize, tested);
        }
        if range.end == pairs.len() {
            for pair in next_pair..m.npair {
                self.collide_explicit(pair);
            }
        }
    }

    /// One pair of the broad phase: bodies or flexes.
    #[inline]
    fn collide_items(&mut self, item1: usize, item2: usize, tested: Tested) {
        let m = self.m;
        if self.is_full() || !filter::items_can_collide(m, item1, item2) {
            return;
        }
        if item2 >= m.nbody {
            self.collide_with_flex(item1, item2 - m.nbody);
            return;
        }
        let (first, count) = (&m.body_geomadr[..m.nbody], &m.body_geomnum[..m.nbody]);
        if count[item1] != 1 || count[item2] != 1 {
            return self.collide_bodies(item1, item2, tested);
        }
        self.effort = self.effort.saturating_sub(GLANCE);
        self.collide_geom_pair(first[item1].max(0) as usize, first[item2].max(0) as usize, tested);
    }

    /// Two bodies, one of which has several geoms.
    #[inline(never)]
    fn collide_bodies(&mut self, body1: usize, body2: usize, tested: Tested) {
        let m = self.m;
        let has_trees = m.body_bvhadr[body1] >= 0 && m.body_bvhadr[body2] >= 0;
        if m.opt.disabled(DisableBit::Midphase) || !has_trees {
            return self.collide_all_geoms(body1, body2, tested);
        }
        let first = self.contacts.len();
        self.collide_trees(body1, body2, tested);
        self.sort_contacts(first);
    }

    /// Every geom of one body with every geom of the other.
    fn collide_all_geoms(&mut self, body1: usize, body2: usize, tested: Tested) {
        let row = GLANCE * self.m.body_geomnum[body2].max(0) as u64;
        for g1 in geoms_of(self.m, body1) {
            if !self.afford(row) {
                return;
            }
            for g2 in geoms_of(self.m, body2) {
                self.collide_geom_pair(g1, g2, tested);
            }
        }
    }

    /// A pair of geoms, unless it was tested as an explicit pair.
    #[inline]
    fn collide_geom_pair(&mut self, g1: usize, g2: usize, tested: Tested) {
        if self.is_full() {
            return;
        }
        if !tested.contains(self.m, g1, g2) {
            self.collide_geoms(g1, g2);
        }
    }

    /// Orders the contacts from `first` on by what touches; contacts of one pair keep their order.
    fn sort_contacts(&mut self, first: usize) {
        let new = &mut self.contacts[first..];
        // geoms; of flexes the element, else the vertex
        let side = |c: &Contact, k: usize| {
            if c.geom[k] >= 0 {
                c.geom[k]
            } else if c.elem[k] >= 0 {
                c.elem[k]
            } else {
                c.vert[k]
            }
        };
        let key = |c: &Contact| (side(c, 0), side(c, 1));
        if new.windows(2).all(|w| key(&w[0]) <= key(&w[1])) {
            return;
        }
        let Collision { keys, contacts: buffer, .. } = &mut *self.scratch;
        keys.clear();
        keys.extend(new.iter().enumerate().map(|(i, c)| (side(c, 0), side(c, 1), i as u32)));
        keys.sort_unstable();
        buffer.clear();
        buffer.extend(keys.iter().map(|&(_, _, i)| new[i as usize]));
        new.copy_from_slice(buffer);
    }
}

/// The pair of bodies in a signature (lower number in the upper half).
fn signature(signature: i32) -> (u32, u32) {
    let bits = signature as u32;
    (bits >> 16, bits & 0xFFFF)
}

/// Numbers of the geoms of a body.
pub(crate) fn geoms_of(m: &Model, body: usize) -> std::ops::Range<usize> {
    let start = m.body_geomadr[body].max(0) as usize;
    start..start + m.body_geomnum[body] as usize
}

/// Half-extents from here on count as infinite.
pub(crate) const INFINITE: f64 = MAXVAL;
