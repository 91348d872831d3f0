//! Pairs of geoms that may touch, after all filters that do not depend on the state.

use super::constraint::Softness;
use super::tree::Tree;
use crate::accept::Refusal;
use ligament_model::Model;
use ligament_model::constants::{MINMU, MINVAL};
use ligament_model::enums::{ConeType, DisableBit, EnableBit, GeomType};
use ligament_sim::collision::{CLEARANCE, ContactParams, geom_pairs_within, is_general_convex};
use ligament_sim::constraint::{SolverParams, reference_gains};

/// Pairs are compared one by one in every step; those of a robot are some hundreds.
const MOST_PAIRS: usize = 50_000;
/// Classes are looked for one by one.
const MOST_CLASSES: usize = 1000;

/// Of more pairs it is not kept what parted them: it would take more memory than it saves time.
const MOST_PARTINGS: usize = 4096;

/// How contacts of a pair are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairKind {
    PlaneSphere,
    PlaneCapsule,
    SphereSphere,
    SphereCapsule,
    CapsuleCapsule,
    /// By the exact engine's functions.
    ByLane,
}

/// Two geoms that may touch, the one with the lower type first.
#[derive(Debug, Clone)]
pub struct Pair<N = f64> {
    pub geoms: [u32; 2],
    pub bodies: [u32; 2],
    pub kind: PairKind,
    pub class: u32,
    /// Number of the explicit pair in the model, −1 for a pair found by masks.
    pub explicit: i32,
    pub margin: N,
    /// There is a largest distance at which they may touch.
    pub bounded: bool,
    /// That distance of the centres (of the centre from the plane, if the first is a plane).
    pub reach: N,
    /// Boxes around them are compared before they are looked at one lane at a time.
    pub boxed: bool,
    /// Distance beyond which boxes are apart whatever the rounding.
    pub clear: N,
    /// Where it is kept what parted them the last time, −1 for nowhere.
    pub parting: i32,
}

/// Parameters that contacts of many pairs share.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactClass<N = f64> {
    /// Number of directions: 1, 3, 4 or 6.
    pub dim: u32,
    /// Distance below which a contact pushes.
    pub margin: N,
    pub friction: [N; 5],
    /// Scales of the turning directions: spinning friction for the normal; rolling over sliding friction for the tangents,
    /// which are scaled with the latter.
    pub torsion: [N; 3],
    pub softness: Softness<N>,
    /// Damping of the rows of an elliptic cone that are not the normal.
    pub tangent_damping: N,
    /// Elliptic: coefficient of the regularised cone.
    pub mu: N,
}

#[derive(Debug, Clone, Default)]
pub struct PairTables<N = f64> {
    pub pairs: Vec<Pair<N>>,
    pub classes: Vec<ContactClass<N>>,
    /// Geoms that move and whose poses are needed: those of the pairs, and those that tendons wrap around.
    pub geoms: Vec<u32>,
    /// Poses need the library's sine and cosine: iterative algorithms of convex shapes amplify a difference in the last
    /// place up to their tolerance, so these get the exact engine's poses to the bit.
    pub library_trig: bool,
    /// Number of pairs for which it is kept what parted them.
    pub partings: usize,
}

impl PairTables {
    pub(super) fn new(m: &Model, tree: &Tree) -> Result<Self, Refusal> {
        let mut tables = Self::default();
        if m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact) || m.nv == 0 {
            return Ok(tables);
        }
        let too_many = Refusal { feature: "room for so many pairs of geoms that may touch" };
        let candidates = geom_pairs_within(m, MOST_PAIRS).ok_or_else(|| too_many.clone())?;
        for candidate in candidates {
            tables.add(m, candidate.geoms, candidate.explicit, &overridden(m, candidate.params));
            if tables.classes.len() > MOST_CLASSES {
                return Err(too_many);
            }
        }
        tables.library_trig = tables.pairs.iter().any(|p| p.kind == PairKind::ByLane);
        let geoms: Vec<u32> = tables.pairs.iter().flat_map(|pair| pair.geoms).collect();
        tables.add_poses(m, tree, &geoms);
        Ok(tables)
    }

    /// Geoms whose poses are needed; those that never move have them already.
    pub(super) fn add_poses(&mut self, m: &Model, tree: &Tree, geoms: &[u32]) {
        let moves = |g: u32| tree.moving.binary_search(&(m.geom_bodyid[g as usize] as u32)).is_ok();
        self.geoms.extend(geoms.iter().filter(|&&g| moves(g)));
        self.geoms.sort_unstable();
        self.geoms.dedup();
    }

    fn add(&mut self, m: &Model, geoms: [usize; 2], explicit: Option<usize>, params: &ContactParams) {
        let bodies = geoms.map(|g| m.geom_bodyid[g] as usize);
        // nothing moves either side
        if bodies.iter().all(|&b| m.body_weldid[b] == 0) {
            return;
        }
        let class = class(m, bodies, params);
        let known = self.classes.iter().position(|c| *c == class);
        let id = known.unwrap_or_else(|| {
            self.classes.push(class);
            self.classes.len() - 1
        });
        let [r1, r2] = geoms.map(|g| m.geom_rbound[g]);
        let plane = m.geom_type[geoms[0]] == GeomType::Plane as i32;
        let reach = if r1 > 0.0 && r2 > 0.0 {
            r1 + r2 + params.margin
        } else if plane && r2 > 0.0 {
            r2 + params.margin
        } else {
            f64::INFINITY
        };
        let kind = kind(m, geoms);
        let convex = kind == PairKind::ByLane
            && self.partings < MOST_PARTINGS
            && is_general_convex(m, geoms[0], geoms[1]);
        self.partings += usize::from(convex);
        self.pairs.push(Pair {
            geoms: geoms.map(|g| g as u32),
            bodies: bodies.map(|b| b as u32),
            kind,
            class: id as u32,
            explicit: explicit.map_or(-1, |p| p as i32),
            margin: params.margin,
            bounded: reach < f64::INFINITY,
            reach,
            boxed: kind == PairKind::ByLane && geoms.iter().enumerate().all(|(k, &g)| has_box(m, g, k == 0)),
            clear: params.margin + CLEARANCE * (r1 + r2),
            parting: if convex { self.partings as i32 - 1 } else { -1 },
        });
    }
}

/// The parameters, or those that the options put in their place.
fn overridden(m: &Model, params: ContactParams) -> ContactParams {
    if !m.opt.enabled(EnableBit::Override) {
        return params;
    }
    let o = &m.opt;
    let (solref, solimp, friction) = (o.o_solref, o.o_solimp, o.o_friction);
    ContactParams { solref, solreffriction: solref, solimp, friction, ..params }
}

/// Is a geom inside the box around it, or a plane where that may be?
fn has_box(m: &Model, g: usize, may_be_plane: bool) -> bool {
    match GeomType::try_from(m.geom_type[g]) {
        Ok(GeomType::Plane) => may_be_plane,
        Ok(GeomType::Mesh) => m.geom_aabb[g][3..].iter().any(|&half| half > 0.0),
        Ok(kind) => kind > GeomType::Hfield && kind < GeomType::Mesh,
        Err(_) => false,
    }
}

fn kind(m: &Model, geoms: [usize; 2]) -> PairKind {
    let types = geoms.map(|g| GeomType::try_from(m.geom_type[g]).unwrap_or(GeomType::None));
    match types {
        [GeomType::Plane, GeomType::Sphere] => PairKind::PlaneSphere,
        [GeomType::Plane, GeomType::Capsule] => PairKind::PlaneCapsule,
        [GeomType::Sphere, GeomType::Sphere] => PairKind::SphereSphere,
        [GeomType::Sphere, GeomType::Capsule] => PairKind::SphereCapsule,
        [GeomType::Capsule, GeomType::Capsule] => PairKind::CapsuleCapsule,
        _ => PairKind::ByLane,
    }
}

fn class(m: &Model, bodies: [usize; 2], params: &ContactParams) -> ContactClass {
    let friction = params.friction.map(|mu| mu.max(MINMU));
    let elliptic = m.opt.cone == ConeType::Elliptic as i32;
    let translation: f64 = bodies.iter().map(|&b| m.body_invweight0[b][0]).sum();
    let impratio = MINVAL.max(m.opt.impratio);
    let mu = friction[0] * (1.0 / impratio).sqrt();
    // all edges of a pyramid share 2 μ² R of its first edge
    let weight = if params.dim > 1 && !elliptic {
        2.0 * mu * mu * (translation + friction[0] * friction[0] * translation)
    } else {
        translation
    };
    let softness = Softness::new(m, params.solref, params.solimp, weight);
    let ContactParams { solref, solreffriction, solimp, .. } = *params;
    let own = SolverParams { solref, solreffriction, solimp }.safe(m).solreffriction;
    let tangent_damping =
        if own == [0.0; 2] { softness.damping } else { reference_gains(own, softness.dmax).1 };
    ContactClass {
        dim: params.dim.max(1) as u32,
        margin: params.margin - params.gap,
        friction,
        torsion: [friction[2], friction[3] / friction[0], friction[4] / friction[0]],
        softness,
        tangent_damping,
        mu,
    }
}
