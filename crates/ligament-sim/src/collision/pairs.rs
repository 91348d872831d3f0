//! Pairs of geoms one by one, for those who organise the search themselves.

use super::filter::{self, masks_match};
use super::mix::{ContactParams, Surface, mix, of_pair};
use super::{CLEARANCE, Capacity, Detector, Tested, geoms_of, keep_descents, narrow, signature};
use crate::workspace::Scratches as _;
use ligament_math::{Vec3, mat3};
use ligament_model::{Contact, Data, Model};

/// Two geoms that may touch.
#[derive(Debug, Clone)]
pub struct GeomPair {
    /// The one with the lower type first.
    pub geoms: [usize; 2],
    /// Number of the explicit pair, if it is one.
    pub explicit: Option<usize>,
    /// Parameters of its contacts.
    pub params: ContactParams,
}

/// All pairs of geoms that may touch in some state, in the order in which [`super::collision`] lists their contacts.
pub fn geom_pairs(m: &Model) -> Vec<GeomPair> {
    geom_pairs_within(m, usize::MAX).unwrap_or_default()
}

/// As [`geom_pairs`]; nothing if there are more than `most`.
pub fn geom_pairs_within(m: &Model, most: usize) -> Option<Vec<GeomPair>> {
    let mut pairs = Vec::new();
    let explicit = |k: usize| {
        let (g1, g2) = (m.pair_geom1[k] as usize, m.pair_geom2[k] as usize);
        let (g1, g2) = narrow::by_type(m, g1, g2);
        GeomPair { geoms: [g1, g2], explicit: Some(k), params: of_pair(m, k) }
    };
    let mut next = 0;
    let filter = filter::BodyFilter::without_sleep(m);
    for body1 in 0..m.nbody {
        for body2 in body1 + 1..m.nbody {
            if pairs.len() > most {
                return None;
            }
            let key = (body1 as u32, body2 as u32);
            let start = next;
            while next < m.npair && signature(m.pair_signature[next]) <= key {
                if m.pair_geom1[next] != m.pair_geom2[next] {
                    pairs.push(explicit(next));
                }
                next += 1;
            }
            let excluded = m.exclude_signature.iter().any(|&s| signature(s) == key);
            if excluded || !filter.allows(body1, body2) || !filter::items_can_collide(m, body1, body2) {
                continue;
            }
            let tested = Tested { start, end: next };
            for g1 in geoms_of(m, body1) {
                for g2 in geoms_of(m, body2) {
                    let masks = |g: usize| (m.geom_contype[g], m.geom_conaffinity[g]);
                    let ((t1, a1), (t2, a2)) = (masks(g1), masks(g2));
                    if masks_match(t1, a1, t2, a2) && !tested.contains(m, g1, g2) {
                        let (g1, g2) = narrow::by_type(m, g1, g2);
                        let params = mix(m, &Surface::of_geom(m, g1), &Surface::of_geom(m, g2));
                        pairs.push(GeomPair { geoms: [g1, g2], explicit: None, params });
                    }
                }
            }
        }
    }
    pairs.extend((next..m.npair).filter(|&k| m.pair_geom1[k] != m.pair_geom2[k]).map(explicit));
    (pairs.len() <= most).then_some(pairs)
}

/// Contacts of one pair of geoms at the poses in the data, appended to `contacts`.
pub fn pair_contacts(
    m: &Model,
    d: &mut Data,
    geoms: [usize; 2],
    explicit: Option<usize>,
    contacts: &mut Vec<Contact>,
) {
    let mut scratch = std::mem::take(&mut d.workspace.scratch().collision);
    let (capacity, effort) = (Capacity::of(d), d.effort);
    let mut detector = Detector { m, d, scratch: &mut scratch, contacts, capacity, effort };
    match explicit {
        Some(pair) => detector.collide_explicit(pair),
        None => detector.collide_geoms(geoms[0], geoms[1]),
    }
    keep_descents(d, &mut scratch);
    d.workspace.scratch().collision = scratch;
}

/// What parted two convex geoms when they were looked at last: most pairs that are near each other stay apart for many steps,
/// and to see that a direction still parts them takes two support points.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parting {
    /// Unit direction towards the first geom, in its frame.
    axis: Option<Vec3>,
    /// Hull vertices that were nearest along it.
    hints: [u32; 2],
}

impl Parting {
    /// Does the direction still part the geoms by more than rounding and the tolerance of the algorithms?
    fn holds(&mut self, m: &Model, d: &Data, geoms: [usize; 2], margin: f64) -> bool {
        let Some(axis) = self.axis else { return false };
        let [g1, g2] = geoms;
        let dir = mat3::mul_vec(&d.geom_xmat[g1], axis);
        let clear = CLEARANCE * (m.geom_rbound[g1] + m.geom_rbound[g2]) + m.opt.ccd_tolerance;
        let gap = narrow::with_convex(m, d, g1, margin, |a| {
            narrow::with_convex(m, d, g2, margin, |b| {
                a.set_hint(self.hints[0] as usize);
                b.set_hint(self.hints[1] as usize);
                let gap = a.gap_along(b, dir);
                self.hints = [a.hint() as u32, b.hint() as u32];
                gap
            })
        });
        gap.flatten().is_some_and(|gap| gap > clear)
    }
}

/// As [`pair_contacts`], of two geoms that the general convex algorithm serves (the one with the lower type first): the
/// algorithm runs only where what parted them before no longer does.
pub fn convex_contacts(
    m: &Model,
    d: &mut Data,
    geoms: [usize; 2],
    explicit: Option<usize>,
    margin: f64,
    parting: &mut Parting,
    contacts: &mut Vec<Contact>,
) {
    if parting.holds(m, d, geoms, margin) {
        return;
    }
    d.workspace.scratch().collision.ccd.forget_axis();
    let known = contacts.len();
    pair_contacts(m, d, geoms, explicit, contacts);
    let found = d.workspace.scratch().collision.ccd.parting_axis().filter(|_| contacts.len() == known);
    parting.axis = found.map(|axis| mat3::mul_vec_t(&d.geom_xmat[geoms[0]], axis));
}
