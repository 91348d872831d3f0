//! The table of geom pairs that may collide, and the classes of contact parameters they fall into.

use crate::accept::{Refused, refuse};
use crate::rows::SafeSolver;
use ligament_model::Model;
use ligament_model::enums::{DisableBit, EnableBit, GeomType};
use ligament_sim::collision::{ContactParams, GeomPair, geom_pairs};
use ligament_sim::constraint::SolverParams;
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
        let mut candidates = geom_pairs(m);
        // the order of the kernels: explicit pairs as listed, then by the numbers of the geoms
        candidates.sort_by_key(|pair| {
            let [a, b] = pair.geoms;
            (pair.explicit.unwrap_or(usize::MAX), a.min(b), a.max(b))
        });
        for GeomPair { geoms, explicit, params } in &candidates {
            let own = explicit.is_some() || m.opt.enabled(EnableBit::Override);
            let friction = if own { FrictionOf::Class } else { friction_of(m, *geoms) };
            pairs.add(m, *geoms, class(m, &overridden(m, *params), friction), friction)?;
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
        let kinds = geoms.map(|g| GeomType::try_from(m.geom_type[g]));
        use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sphere};
        match kinds {
            // planes and height fields never meet each other
            [Ok(Plane | Hfield), Ok(Plane | Hfield)] => return Ok(()),
            [Ok(Plane), Ok(Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh)] => {}
            [Ok(a), Ok(b)] if b <= Mesh && is_closed_form(a, b) => {}
            [Ok(_), Ok(b)] if b <= Mesh => general_convex(m, geoms)?,
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

    /// Is there a pair of these kinds, in this order?
    pub fn any(&self, m: &Model, kinds: impl Fn(GeomType, GeomType) -> bool) -> bool {
        self.list.iter().any(|p| {
            let [a, b] = p.geoms.map(|g| GeomType::try_from(m.geom_type[g]));
            matches!((a, b), (Ok(a), Ok(b)) if kinds(a, b))
        })
    }

    /// Are there pairs that go through the algorithms for general convex shapes?
    pub fn has_general(&self, m: &Model) -> bool {
        self.any(m, |a, b| !is_closed_form(a, b) || (a == GeomType::Plane && b == GeomType::Mesh))
    }

    /// The largest contact dimension.
    pub fn dimension(&self) -> usize {
        self.list.iter().map(|p| self.classes[p.class].condim as usize).max().unwrap_or(1)
    }
}

/// Is there a formula for contacts of these shapes?
pub(crate) fn is_closed_form(a: GeomType, b: GeomType) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Plane, Sphere};
    a == Plane
        || matches!(
            (a, b),
            (Sphere, Sphere | Capsule | Cylinder | Box) | (Capsule, Capsule | Box) | (Box, Box)
        )
}

/// What the kernels for general convex shapes ask for.
fn general_convex(m: &Model, geoms: [usize; 2]) -> Result<(), Refused> {
    let place = || format!("geoms {} and {}", geoms[0], geoms[1]);
    if m.opt.disabled(DisableBit::Nativeccd) {
        return refuse("contacts of convex shapes without \"nativeccd\"", place());
    }
    if m.opt.ccd_iterations > MAX_CCD_ITERATIONS {
        let what = format!("more than {MAX_CCD_ITERATIONS} iterations for contacts of convex shapes");
        return refuse(&what, place());
    }
    Ok(())
}

/// The polytope of a pair lives in the memory of one thread: it must not become too large.
const MAX_CCD_ITERATIONS: i32 = 100;

/// Which of two geoms decides about friction: the one of higher priority, or both.
fn friction_of(m: &Model, [a, b]: [usize; 2]) -> FrictionOf {
    match m.geom_priority[a].cmp(&m.geom_priority[b]) {
        Ordering::Greater => FrictionOf::First,
        Ordering::Less => FrictionOf::Second,
        Ordering::Equal => FrictionOf::Larger,
    }
}

/// What the options say instead of the surfaces; margins are known already.
fn overridden(m: &Model, params: ContactParams) -> ContactParams {
    let o = &m.opt;
    if !o.enabled(EnableBit::Override) {
        return params;
    }
    let (solref, solimp, friction) = (o.o_solref, o.o_solimp, o.o_friction);
    ContactParams { solref, solreffriction: solref, solimp, friction, ..params }
}

/// The class of a pair; friction that may differ from world to world is not part of it.
fn class(m: &Model, params: &ContactParams, friction: FrictionOf) -> Class {
    let ContactParams { dim, margin, gap, solref, solreffriction, solimp, .. } = *params;
    let safe = SolverParams { solref, solreffriction, solimp }.safe(m);
    Class {
        condim: dim,
        margin,
        gap,
        solver: SafeSolver { solref: safe.solref, solimp: safe.solimp },
        solreffriction: safe.solreffriction,
        friction: if friction == FrictionOf::Class { params.friction } else { [0.0; 5] },
    }
}
