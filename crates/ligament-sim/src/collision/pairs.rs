//! Pairs of geoms one by one, for those who organise the search themselves.

use super::filter::{self, masks_match};
use super::mix::{ContactParams, Surface, mix, of_pair};
use super::{Capacity, Detector, Tested, geoms_of, keep_descents, narrow, signature};
use crate::workspace::{Parting, Scratches as _};
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
    let partings = std::mem::take(&mut scratch.partings); // who asks for single pairs keeps their own
    let (capacity, effort) = (Capacity::of(d), d.effort);
    let knows_trees = false;
    let mut detector = Detector { m, d, scratch: &mut scratch, knows_trees, contacts, capacity, effort };
    match explicit {
        Some(pair) => detector.collide_explicit(pair),
        None => detector.collide_geoms(geoms[0], geoms[1]),
    }
    keep_descents(d, &mut scratch);
    scratch.partings = partings;
    d.workspace.scratch().collision = scratch;
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
    parting.set(d, geoms, found);
}
