//! The table of geom pairs that may collide, and the classes of contact parameters they fall into.

use crate::accept::{Refused, refuse};
use crate::rows::{SafeSolver, safe_solver};
use ligament_model::Model;
use ligament_model::enums::{DisableBit, GeomType};
use std::cmp::Ordering;

/// Where the friction of a pair comes from; numbers as in `collision.cuh`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FrictionOf {
    Larger = 0,
    First = 1,
    Second = 2,
    Class = 3,
}

/// Parameters that many pairs share.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Class {
    pub condim: i32,
    pub margin: f64,
    pub gap: f64,
    pub solver: SafeSolver,
    pub solreffriction: [f64; 2],
    pub friction: [f64; 5],
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    pub geoms: [usize; 2],
    pub class: usize,
    pub friction: FrictionOf,
}

#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub list: Vec<Pair>,
    pub classes: Vec<Class>,
}

impl Pairs {
    /// All pairs that the model's filters let through, planes first.
    pub fn new(m: &Model) -> Result<Self, Refused> {
        let mut pairs = Self::default();
        if m.opt.disabled(DisableBit::Contact) || m.opt.disabled(DisableBit::Constraint) {
            return Ok(pairs);
        }
        let mut explicit = Vec::new();
        for pair in 0..m.npair {
            let geoms = [m.pair_geom1[pair] as usize, m.pair_geom2[pair] as usize];
            explicit.push((geoms[0].min(geoms[1]), geoms[0].max(geoms[1])));
            let class = class_of_pair(m, pair);
            pairs.add(m, geoms, class, FrictionOf::Class)?;
        }
        for g1 in 0..m.ngeom {
            for g2 in g1 + 1..m.ngeom {
                if bodies_collide(m, g1, g2) && masks_match(m, g1, g2) && !explicit.contains(&(g1, g2)) {
                    let (class, friction) = class_of_geoms(m, ordered(m, [g1, g2]));
                    pairs.add(m, [g1, g2], class, friction)?;
                }
            }
        }
        pairs.list.sort_by_key(|p| m.geom_type[p.geoms[0]] != GeomType::Plane as i32);
        Ok(pairs)
    }

    fn add(
        &mut self,
        m: &Model,
        geoms: [usize; 2],
        class: Class,
        friction: FrictionOf,
    ) -> Result<(), Refused> {
        let geoms = ordered(m, geoms);
        let kinds = geoms.map(|g| GeomType::try_from(m.geom_type[g]));
        use GeomType::{Box, Capsule, Hfield, Plane, Sphere};
        match kinds {
            // planes never meet planes or height fields
            [Ok(Plane), Ok(Plane | Hfield)] => return Ok(()),
            [Ok(Plane), Ok(Sphere | Capsule | Box)] | [Ok(Sphere | Capsule), Ok(Sphere | Capsule)] => {}
            [a, b] => {
                let name = |k: Result<GeomType, _>| k.map_or("?".into(), |k| format!("{k:?}").to_lowercase());
                let what = format!("contacts of {} and {}", name(a), name(b));
                return refuse(&what, format!("geoms {} and {}", geoms[0], geoms[1]));
            }
        }
        let known = self.classes.iter().position(|c| *c == class);
        let class = known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        self.list.push(Pair { geoms, class, friction });
        Ok(())
    }

    /// The largest contact dimension.
    pub fn dimension(&self) -> usize {
        self.list.iter().map(|p| self.classes[p.class].condim as usize).max().unwrap_or(1)
    }
}

/// Geoms in the order of their types, as pair functions take them.
fn ordered(m: &Model, [a, b]: [usize; 2]) -> [usize; 2] {
    if m.geom_type[a] > m.geom_type[b] { [b, a] } else { [a, b] }
}

fn masks_match(m: &Model, a: usize, b: usize) -> bool {
    m.geom_contype[a] & m.geom_conaffinity[b] != 0 || m.geom_contype[b] & m.geom_conaffinity[a] != 0
}

/// Weld groups, parents and excluded pairs of bodies, as the CPU engine filters them.
fn bodies_collide(m: &Model, g1: usize, g2: usize) -> bool {
    let (b1, b2) = (m.geom_bodyid[g1] as usize, m.geom_bodyid[g2] as usize);
    let weld = |b: usize| m.body_weldid[b];
    let above = |b: usize| weld(m.body_parentid[weld(b) as usize] as usize);
    if weld(b1) == weld(b2) {
        return false;
    }
    let related = weld(b1) == above(b2) || weld(b2) == above(b1);
    if !m.opt.disabled(DisableBit::Filterparent) && weld(b1) != 0 && weld(b2) != 0 && related {
        return false;
    }
    let signature = ((b1.min(b2) as i32) << 16) + b1.max(b2) as i32;
    !m.exclude_signature.contains(&signature)
}

fn class_of_pair(m: &Model, pair: usize) -> Class {
    Class {
        condim: m.pair_dim[pair],
        margin: m.pair_margin[pair],
        gap: m.pair_gap[pair],
        solver: safe_solver(m, m.pair_solref[pair], m.pair_solimp[pair]),
        solreffriction: safe_friction_reference(m, m.pair_solreffriction[pair]),
        friction: m.pair_friction[pair],
    }
}

fn safe_friction_reference(m: &Model, solref: [f64; 2]) -> [f64; 2] {
    if (solref[0] > 0.0) != (solref[1] > 0.0) {
        return [0.0; 2];
    }
    let safe = !m.opt.disabled(DisableBit::Refsafe) && solref[0] > 0.0;
    [if safe { solref[0].max(2.0 * m.opt.timestep) } else { solref[0] }, solref[1]]
}

fn mix_factor(m: &Model, [a, b]: [usize; 2]) -> f64 {
    let (x, y) = (m.geom_solmix[a], m.geom_solmix[b]);
    match (x >= 1e-15, y >= 1e-15) {
        (true, true) => x / (x + y),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// Parameters of two geoms: those of the higher priority alone, or both mixed; margins and gaps add up.
fn class_of_geoms(m: &Model, geoms: [usize; 2]) -> (Class, FrictionOf) {
    let [a, b] = geoms;
    let (condim, solref, solimp, friction) = match m.geom_priority[a].cmp(&m.geom_priority[b]) {
        Ordering::Greater => (m.geom_condim[a], m.geom_solref[a], m.geom_solimp[a], FrictionOf::First),
        Ordering::Less => (m.geom_condim[b], m.geom_solref[b], m.geom_solimp[b], FrictionOf::Second),
        Ordering::Equal => {
            let mix = mix_factor(m, geoms);
            let (ra, rb) = (m.geom_solref[a], m.geom_solref[b]);
            let solref = if ra[0] > 0.0 && rb[0] > 0.0 {
                std::array::from_fn(|i| mix * ra[i] + (1.0 - mix) * rb[i])
            } else {
                std::array::from_fn(|i| ra[i].min(rb[i]))
            };
            let (ia, ib) = (m.geom_solimp[a], m.geom_solimp[b]);
            let solimp = std::array::from_fn(|i| mix * ia[i] + (1.0 - mix) * ib[i]);
            (m.geom_condim[a].max(m.geom_condim[b]), solref, solimp, FrictionOf::Larger)
        }
    };
    let class = Class {
        condim,
        margin: m.geom_margin[a] + m.geom_margin[b],
        gap: m.geom_gap[a] + m.geom_gap[b],
        solver: safe_solver(m, solref, solimp),
        solreffriction: [0.0; 2],
        friction: [0.0; 5],
    };
    (class, friction)
}
