//! Tables of several worlds in lanes, from those of each: numbers may differ, everything else may not.

use super::actuation::{
    Actuator, ActuatorTables, Bias, DofRange, Dynamics, FixedTendon, Gain, Tendon, Transmission,
};
use super::constraint::{Couple, Friction, Impedance, JointLimit, RowTables, Softness, TendonLimit};
use super::muscle::Muscle;
use super::pairs::{ContactClass, Pair, PairKind, PairTables};
use super::panels::Panels;
use super::path::{Around, Piece, Stretch};
use super::tree::{Body, Dof, Geom, Joint, JointKind, RestingBody, RestingGeom, Root, Site, Tree};
use super::{Advance, ByLane, SolverTables, Tables};
use crate::lane::Lane;
use ligament_model::enums::{EqType, GeomType};
use ligament_sim::wrap::Obstacle;
use std::ops::Range;

/// Most worlds in a register.
pub(crate) const MOST: usize = 8;

/// What tables are made of.
pub(crate) trait Gather<L: Lane>: Sized {
    type Gathered;

    /// One value with a lane for each world; `None` if the worlds differ in more than numbers.
    fn gather(worlds: &[&Self]) -> Option<Self::Gathered>;
}

/// One part of all worlds.
fn part<L: Lane, S, T: Gather<L>>(worlds: &[&S], get: impl Fn(&S) -> &T) -> Option<T::Gathered> {
    let parts: [&T; MOST] = std::array::from_fn(|k| get(worlds[k.min(worlds.len() - 1)]));
    T::gather(&parts[..worlds.len()])
}

fn lanes<L: Lane>(number: impl Fn(usize) -> f64) -> L {
    let mut out = L::zero();
    for lane in 0..L::WIDTH {
        out.lanes_mut()[lane] = number(lane);
    }
    out
}

impl<L: Lane> Gather<L> for f64 {
    type Gathered = L;
    fn gather(worlds: &[&Self]) -> Option<L> {
        Some(lanes(|lane| *worlds[lane]))
    }
}

impl<L: Lane, const N: usize> Gather<L> for [f64; N] {
    type Gathered = [L; N];
    fn gather(worlds: &[&Self]) -> Option<[L; N]> {
        Some(std::array::from_fn(|k| lanes(|lane| worlds[lane][k])))
    }
}

impl<L: Lane, T: Gather<L>> Gather<L> for Vec<T> {
    type Gathered = Vec<T::Gathered>;
    fn gather(worlds: &[&Self]) -> Option<Self::Gathered> {
        let len = worlds[0].len();
        if worlds.iter().any(|world| world.len() != len) {
            return None;
        }
        (0..len).map(|k| part::<L, _, _>(worlds, |world| &world[k])).collect()
    }
}

impl<L: Lane, T: Gather<L>> Gather<L> for Option<T> {
    type Gathered = Option<T::Gathered>;
    fn gather(worlds: &[&Self]) -> Option<Self::Gathered> {
        if worlds.iter().all(|world| world.is_none()) {
            return Some(None);
        }
        let present: Vec<&T> = worlds.iter().map(|world| world.as_ref()).collect::<Option<_>>()?;
        T::gather(&present).map(Some)
    }
}

macro_rules! same {
    ($($type:ty),* $(,)?) => {$(
        impl<L: Lane> Gather<L> for $type {
            type Gathered = Self;
            fn gather(worlds: &[&Self]) -> Option<Self> {
                worlds.iter().all(|world| *world == worlds[0]).then(|| worlds[0].clone())
            }
        }
    )*};
}

same!(
    u32,
    i32,
    usize,
    bool,
    [u32; 2],
    [i32; 2],
    Range<u32>,
    JointKind,
    GeomType,
    EqType,
    Obstacle,
    Piece,
    [Piece; 2],
    Transmission,
    Impedance,
    PairKind,
    Panels,
    Advance,
    ByLane
);

macro_rules! parts {
    ($($name:ident { $($field:ident),* $(,)? })*) => {$(
        impl<L: Lane> Gather<L> for $name {
            type Gathered = $name<L>;
            fn gather(worlds: &[&Self]) -> Option<$name<L>> {
                Some($name { $($field: part::<L, _, _>(worlds, |world| &world.$field)?),* })
            }
        }
    )*};
}

parts! {
    Tables {
        nq, nv, nu, na, nbody, nmocap, neq, timestep, gravity, advance, solver, tree, actuation, rows, pairs, by_lane,
    }
    SolverTables {
        elliptic, iterations, line_iterations, tolerance, line_tolerance, scale, follow, conjugate, islands,
        warmstart,
    }
    Tree {
        bodies, joints, dofs, roots, geoms, sites, moving, resting, resting_geoms, dynamic, rows, columns, free_slides,
        panels, trees, dof_tree, has_springs, has_gravcomp,
    }
    Body { parent, root, joints, dofs, last_dof, pos, quat, aligned, mocap, ipos, mass, inertia, gravcomp }
    Joint { kind, qposadr, dofadr, pos, offset, axis, qpos0, springs, stiffness, spring }
    Dof { body, parent, level, armature, damping }
    Root { body, massless, inverse_mass }
    Geom { body, pos, quat, aligned, size, kind, center, half }
    Site { body, pos, quat }
    RestingBody { body, pos, quat, mat, ipos }
    RestingGeom { geom, pos, mat }
    FixedTendon { dof, qposadr, coefficient }
    Tendon {
        dofs, start, terms, path, has_armature, armature, springs, damps, stiffness, damping, rest,
    }
    Stretch { sites, direct, obstacle, divisor, share }
    Around { geom, kind, radius, side, pieces }
    Muscle { offset, first, optimal, speed, force, lmin, lmax, fpmax, fvmax }
    Actuator {
        transmission, gear, gain, bias, dynamics, actadr, early, disabled, ctrlrange, forcerange, actrange,
    }
    DofRange { dof, range }
    ActuatorTables {
        tendons, tendon_numbers, path_sites, path_geoms, actuators, dof_ranges, gravcomp_dofs, by_lane, adheres,
        off,
    }
    Softness { stiffness, damping, shape, dmin, dmax, width, midpoint, power, below, above, weight }
    JointLimit { kind, qposadr, dof, range, margin, softness }
    TendonLimit { tendon, range, margin, softness }
    Friction { id, loss, D, bound, damping }
    Couple { id, kind, objects, sites, data, reference, softness, rotation_weight, dofs }
    RowTables { joint_limits, tendon_limits, dof_friction, tendon_friction, equalities }
    ContactClass { dim, margin, friction, torsion, softness, tangent_damping, mu }
}

impl<L: Lane> Gather<L> for Gain {
    type Gathered = Gain<L>;
    fn gather(worlds: &[&Self]) -> Option<Gain<L>> {
        let fixed = |x: &Self| if let Gain::Fixed(x) = x { Some(*x) } else { None };
        let affine = |x: &Self| if let Gain::Affine(x) = x { Some(*x) } else { None };
        let muscle = |x: &Self| if let Gain::Muscle(x) = x { Some(*x) } else { None };
        match worlds[0] {
            Gain::Fixed(_) => variant(worlds, fixed).map(Gain::Fixed),
            Gain::Affine(_) => variant(worlds, affine).map(Gain::Affine),
            Gain::Muscle(_) => variant(worlds, muscle).map(Gain::Muscle),
        }
    }
}

impl<L: Lane> Gather<L> for Bias {
    type Gathered = Bias<L>;
    fn gather(worlds: &[&Self]) -> Option<Bias<L>> {
        let affine = |x: &Self| if let Bias::Affine(x) = x { Some(*x) } else { None };
        let muscle = |x: &Self| if let Bias::Muscle(x) = x { Some(*x) } else { None };
        match worlds[0] {
            Bias::None => worlds.iter().all(|x| matches!(x, Bias::None)).then_some(Bias::None),
            Bias::Affine(_) => variant(worlds, affine).map(Bias::Affine),
            Bias::Muscle(_) => variant(worlds, muscle).map(Bias::Muscle),
        }
    }
}

impl<L: Lane> Gather<L> for Dynamics {
    type Gathered = Dynamics<L>;
    fn gather(worlds: &[&Self]) -> Option<Dynamics<L>> {
        let filter =
            |x: &Self| if let Dynamics::Filter { tau, advance } = x { Some([*tau, *advance]) } else { None };
        let times = |x: &Self| if let Dynamics::Muscle { times, .. } = x { Some(*times) } else { None };
        let width = |x: &Self| if let Dynamics::Muscle { width, .. } = x { Some(*width) } else { None };
        match worlds[0] {
            Dynamics::None => worlds.iter().all(|x| matches!(x, Dynamics::None)).then_some(Dynamics::None),
            Dynamics::Integrator => {
                worlds.iter().all(|x| matches!(x, Dynamics::Integrator)).then_some(Dynamics::Integrator)
            }
            Dynamics::Filter { .. } => {
                variant(worlds, filter).map(|[tau, advance]| Dynamics::Filter { tau, advance })
            }
            Dynamics::Muscle { .. } => {
                Some(Dynamics::Muscle { times: variant(worlds, times)?, width: variant(worlds, width)? })
            }
        }
    }
}

/// What one variant of an enumeration holds, if it is the variant of all worlds.
fn variant<L: Lane, S, T: Gather<L> + Copy>(
    worlds: &[&S],
    get: impl Fn(&S) -> Option<T>,
) -> Option<T::Gathered> {
    let held: Vec<T> = worlds.iter().map(|world| get(world)).collect::<Option<_>>()?;
    T::gather(&held.iter().collect::<Vec<_>>())
}

impl<L: Lane> Gather<L> for PairTables {
    type Gathered = PairTables<L>;

    /// Worlds may differ in which pairs have the same parameters: pairs share a class where they do so in every world.
    fn gather(worlds: &[&Self]) -> Option<PairTables<L>> {
        let count = worlds[0].pairs.len();
        if worlds.iter().any(|world| world.pairs.len() != count) {
            return None;
        }
        let mut known: Vec<[u32; MOST]> = Vec::new();
        let (mut pairs, mut classes) = (Vec::with_capacity(count), Vec::new());
        for k in 0..count {
            let ids: [u32; MOST] = std::array::from_fn(|w| worlds[w.min(worlds.len() - 1)].pairs[k].class);
            let class = match known.iter().position(|other| *other == ids) {
                Some(class) => class,
                None => {
                    known.push(ids);
                    let own: [&ContactClass; MOST] = std::array::from_fn(|w| {
                        let w = w.min(worlds.len() - 1);
                        &worlds[w].classes[ids[w] as usize]
                    });
                    classes.push(ContactClass::gather(&own[..worlds.len()])?);
                    classes.len() - 1
                }
            };
            pairs.push(gather_pair(worlds, k, class as u32)?);
        }
        let geoms = part::<L, _, _>(worlds, |world| &world.geoms)?;
        Some(PairTables {
            pairs,
            classes,
            geoms,
            library_trig: part::<L, _, _>(worlds, |world| &world.library_trig)?,
            partings: part::<L, _, _>(worlds, |world| &world.partings)?,
        })
    }
}

fn gather_pair<L: Lane>(worlds: &[&PairTables], k: usize, class: u32) -> Option<Pair<L>> {
    Some(Pair {
        geoms: part::<L, _, _>(worlds, |world| &world.pairs[k].geoms)?,
        bodies: part::<L, _, _>(worlds, |world| &world.pairs[k].bodies)?,
        kind: part::<L, _, _>(worlds, |world| &world.pairs[k].kind)?,
        class,
        explicit: part::<L, _, _>(worlds, |world| &world.pairs[k].explicit)?,
        margin: part::<L, _, _>(worlds, |world| &world.pairs[k].margin)?,
        bounded: part::<L, _, _>(worlds, |world| &world.pairs[k].bounded)?,
        reach: part::<L, _, _>(worlds, |world| &world.pairs[k].reach)?,
        boxed: part::<L, _, _>(worlds, |world| &world.pairs[k].boxed)?,
        clear: part::<L, _, _>(worlds, |world| &world.pairs[k].clear)?,
        parting: part::<L, _, _>(worlds, |world| &world.pairs[k].parting)?,
    })
}
