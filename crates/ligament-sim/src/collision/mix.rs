//! Parameters of a contact: combination of both geoms, explicit pairs, global override.

use ligament_geom::contact::ContactPoint;
use ligament_geom::pairs::contact_frame;
use ligament_math::{Mat3, Vec3};
use ligament_model::constants::{MINMU, MINVAL};
use ligament_model::enums::EnableBit;
use ligament_model::{Contact, Data, Model};

/// Solver parameters of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactParams {
    /// Directions: 1, 3, 4 or 6.
    pub dim: i32,
    /// Distance at which contacts are found.
    pub margin: f64,
    /// Part of the margin in which contacts exert no force.
    pub gap: f64,
    /// Reference: time constant and damping ratio, or stiffness and damping.
    pub solref: [f64; 2],
    /// Reference of friction; zeros: as `solref`.
    pub solreffriction: [f64; 2],
    /// Impedance.
    pub solimp: [f64; 5],
    /// Coefficients: two tangents, spin, two of rolling.
    pub friction: [f64; 5],
}

/// What a geom or flex contributes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surface<'a> {
    pub priority: i32,
    pub condim: i32,
    pub margin: f64,
    pub gap: f64,
    pub solmix: f64,
    pub solref: &'a [f64; 2],
    pub solimp: &'a [f64; 5],
    pub friction: &'a [f64; 3],
}

impl<'a> Surface<'a> {
    #[inline(always)]
    pub fn of_geom(m: &'a Model, g: usize) -> Self {
        Self {
            priority: m.geom_priority[g],
            condim: m.geom_condim[g],
            margin: m.geom_margin[g],
            gap: m.geom_gap[g],
            solmix: m.geom_solmix[g],
            solref: &m.geom_solref[g],
            solimp: &m.geom_solimp[g],
            friction: &m.geom_friction[g],
        }
    }

    pub fn of_flex(m: &'a Model, f: usize) -> Self {
        Self {
            priority: m.flex_priority[f],
            condim: m.flex_condim[f],
            margin: m.flex_margin[f],
            gap: m.flex_gap[f],
            solmix: m.flex_solmix[f],
            solref: &m.flex_solref[f],
            solimp: &m.flex_solimp[f],
            friction: &m.flex_friction[f],
        }
    }
}

/// Weight of the first surface.
fn mix_factor(mix1: f64, mix2: f64) -> f64 {
    match (mix1 >= MINVAL, mix2 >= MINVAL) {
        (true, true) => mix1 / (mix1 + mix2),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// The margin of a pair, unless the options override it.
#[inline]
pub(crate) fn effective_margin(m: &Model, margin: f64) -> f64 {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { margin }
}

/// Combines two surfaces: the one of higher priority alone, or both mixed. Margins and gaps always add up.
#[inline(always)] // copying what was just put together stalls
pub(crate) fn mix(m: &Model, a: &Surface, b: &Surface) -> ContactParams {
    let (dim, solref, solimp, friction) = match a.priority.cmp(&b.priority) {
        std::cmp::Ordering::Greater => (a.condim, *a.solref, *a.solimp, *a.friction),
        std::cmp::Ordering::Less => (b.condim, *b.solref, *b.solimp, *b.friction),
        std::cmp::Ordering::Equal => {
            let mix = mix_factor(a.solmix, b.solmix);
            // direct (non-positive) format cannot be mixed
            let solref = if a.solref[0] > 0.0 && b.solref[0] > 0.0 {
                std::array::from_fn(|i| mix * a.solref[i] + (1.0 - mix) * b.solref[i])
            } else {
                std::array::from_fn(|i| a.solref[i].min(b.solref[i]))
            };
            let solimp = std::array::from_fn(|i| mix * a.solimp[i] + (1.0 - mix) * b.solimp[i]);
            let friction = std::array::from_fn(|i| a.friction[i].max(b.friction[i]));
            (a.condim.max(b.condim), solref, solimp, friction)
        }
    };
    let [slide, spin, roll] = friction;
    ContactParams {
        dim,
        margin: effective_margin(m, a.margin + b.margin),
        gap: a.gap + b.gap,
        solref,
        solreffriction: [0.0; 2],
        solimp,
        friction: [slide, slide, spin, roll, roll],
    }
}

/// Parameters of an explicit pair: its own, whatever the geoms say.
pub(crate) fn of_pair(m: &Model, pair: usize) -> ContactParams {
    ContactParams {
        dim: m.pair_dim[pair],
        margin: effective_margin(m, m.pair_margin[pair]),
        gap: m.pair_gap[pair],
        solref: m.pair_solref[pair],
        solreffriction: m.pair_solreffriction[pair],
        solimp: m.pair_solimp[pair],
        friction: m.pair_friction[pair],
    }
}

impl ContactParams {
    /// Appends a contact: frame, override, friction floor, exclusion inside the gap. Who takes part is left open.
    #[inline(always)]
    pub(crate) fn push<'a>(
        &self,
        m: &Model,
        point: &ContactPoint,
        frame: &mut PairFrame,
        contacts: &'a mut Vec<Contact>,
    ) -> &'a mut Contact {
        let o = &m.opt;
        let (solref, solreffriction, solimp, friction) = if o.enabled(EnableBit::Override) {
            (&o.o_solref, &o.o_solref, &o.o_solimp, &o.o_friction)
        } else {
            (&self.solref, &self.solreffriction, &self.solimp, &self.friction)
        };
        let includemargin = self.margin - self.gap;
        // filled in place: a contact is large
        let index = contacts.len();
        contacts.push(Contact::default());
        let contact = &mut contacts[index];
        contact.dist = point.dist;
        contact.pos = point.pos;
        contact.includemargin = includemargin;
        contact.friction = friction.map(|mu| mu.max(MINMU));
        contact.solref = *solref;
        contact.solreffriction = *solreffriction;
        contact.solimp = *solimp;
        contact.dim = self.dim;
        contact.exclude = i32::from(point.dist >= includemargin);
        contact.frame = frame.at(point);
        contact
    }
}

/// The frame of the last contact of a pair: points of a pair often share their normal. It stays in registers, since copying
/// it from a contact that was just filled would stall.
#[derive(Debug, Default)]
pub(crate) struct PairFrame {
    normal: Vec3,
    tangent: Vec3,
    frame: Mat3,
}

impl PairFrame {
    /// The frame of a contact at a point, which has a normal.
    #[inline(always)]
    fn at(&mut self, point: &ContactPoint) -> Mat3 {
        if point.normal != self.normal || point.tangent != self.tangent {
            (self.normal, self.tangent) = (point.normal, point.tangent);
            self.frame = contact_frame(point.normal, point.tangent);
        }
        self.frame
    }
}

/// Is the point usable: finite, with a normal?
pub(crate) fn is_valid(point: &ContactPoint) -> bool {
    let finite = point.dist.is_finite() && point.pos.iter().all(|x| x.is_finite());
    let n = point.normal;
    let norm2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    finite && norm2.is_finite() && norm2 > 0.25
}

/// Appends a contact to the list (`mj_addContact`); its frame must be complete. Constraint rows are forgotten.
pub fn add_contact(d: &mut Data, contact: &Contact) {
    d.clear_constraints();
    d.contact.push(*contact);
    d.ncon = d.contact.len();
}
