//! Paths: tendons, and actuators that act on more than one degree of freedom, in one form for the kernels (`path.cuh`).

use crate::accept::{Refused, refuse};
use crate::pairs::{Pair, Pairs};
use ligament_model::Model;
use ligament_model::enums::{JointType, TrnType, WrapType};

/// How the entries of a path come about; numbers as in `path.cuh`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PathKind {
    Fixed = 0,
    Pulls = 1,
    Joint = 2,
    JointInParent = 3,
    Body = 4,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PullKind {
    Stretch = 0,
    Site = 1,
    Reference = 2,
    Crank = 3,
}

/// A part of a path that pulls on two or three bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pull {
    pub kind: PullKind,
    /// The second is -1 where there is none.
    pub sites: [i32; 2],
    /// Bodies of the sites and of the geom.
    pub bodies: [i32; 3],
    /// Geom wrapped around and the site on the side to pass it; -1: none.
    pub geom: i32,
    pub side: i32,
    pub cylinder: bool,
    pub scale: f64,
    pub gear: [f64; 6],
    pub rod: f64,
}

#[derive(Debug, Clone)]
pub(crate) struct Path {
    pub kind: PathKind,
    /// Joint or body it belongs to.
    pub id: i32,
    /// Degrees of freedom that can change it, ascending, with their coefficients where these are constant.
    pub entries: Vec<(i32, f64)>,
    /// Axis of a rotation.
    pub axis: [f64; 3],
    pub pulls: Vec<Pull>,
}

impl Path {
    pub fn dofs(&self) -> Vec<i32> {
        self.entries.iter().map(|e| e.0).collect()
    }
}

/// All paths of a model: its tendons, then those of actuators.
#[derive(Debug)]
pub(crate) struct Paths {
    pub list: Vec<Path>,
    /// The path an actuator acts along; none: it acts on a hinge or slide.
    pub of_actuator: Vec<Option<usize>>,
}

impl Paths {
    pub fn new(m: &Model, pairs: &Pairs) -> Result<Self, Refused> {
        let mut list: Vec<Path> = (0..m.ntendon).map(|t| tendon(m, t)).collect();
        let mut of_actuator = Vec::new();
        for u in 0..m.nu {
            let id = m.actuator_trnid[u][0] as usize;
            let own = match TrnType::try_from(m.actuator_trntype[u]) {
                Ok(TrnType::Joint | TrnType::Jointinparent) if is_scalar(m, id) => None,
                Ok(TrnType::Tendon) => Some(id),
                _ => {
                    list.push(actuator(m, u, pairs)?);
                    Some(list.len() - 1)
                }
            };
            of_actuator.push(own);
        }
        Ok(Self { list, of_actuator })
    }

    /// Does this path belong to a tendon, or to an actuator alone?
    pub fn is_of_actuator(&self, m: &Model, u: usize) -> bool {
        self.of_actuator[u].is_some_and(|p| p >= m.ntendon)
    }

    /// Do bodies adhere at contacts that make no rows?
    pub fn adhere_in_gaps(&self, m: &Model, pairs: &Pairs) -> bool {
        let bodies = self.list.iter().filter(|p| p.kind == PathKind::Body).map(|p| p.id);
        bodies.flat_map(|body| pairs_of(m, body, pairs)).any(|pair| pairs.classes[pair.class].gap != 0.0)
    }

    pub fn pulls(&self) -> impl Iterator<Item = &Pull> {
        self.list.iter().flat_map(|p| &p.pulls)
    }

    /// Where groups of paths begin whose pulls have room at a time, and where the last ends.
    pub fn groups(&self) -> Vec<usize> {
        let (mut starts, mut held) = (vec![0], 0);
        for (t, path) in self.list.iter().enumerate() {
            if held > 0 && held + path.pulls.len() > PULL_ROOM {
                starts.push(t);
                held = 0;
            }
            held += path.pulls.len();
        }
        starts.push(self.list.len());
        starts
    }

    /// Pulls of the largest group.
    pub fn room(&self) -> usize {
        let pulls = |group: &[usize]| self.list[group[0]..group[1]].iter().map(|p| p.pulls.len()).sum();
        self.groups().windows(2).map(pulls).max().unwrap_or(0)
    }
}

/// How many pulls have room in a world's memory at a time, unless one path has more: two for each lane.
const PULL_ROOM: usize = 64;

fn is_scalar(m: &Model, joint: usize) -> bool {
    [JointType::Hinge as i32, JointType::Slide as i32].contains(&m.jnt_type[joint])
}

/// Degrees of freedom that move a body, ascending.
pub(crate) fn chain(m: &Model, body: i32) -> Vec<i32> {
    let mut dofs = Vec::new();
    let mut body = body as usize;
    while body > 0 {
        let first = m.body_dofadr[body].max(0);
        dofs.extend((first..first + m.body_dofnum[body]).rev());
        body = m.body_parentid[body] as usize;
    }
    dofs.reverse();
    dofs
}

/// Degrees of freedom that move one of two bodies, but not both.
fn between(m: &Model, a: i32, b: i32) -> Vec<i32> {
    let (a, b) = (chain(m, a), chain(m, b));
    let only = |x: &[i32], y: &[i32]| x.iter().filter(|d| !y.contains(d)).copied().collect::<Vec<_>>();
    [only(&a, &b), only(&b, &a)].concat()
}

fn sorted(mut dofs: Vec<i32>) -> Vec<(i32, f64)> {
    dofs.sort_unstable();
    dofs.dedup();
    dofs.into_iter().map(|d| (d, 0.0)).collect()
}

fn tendon(m: &Model, t: usize) -> Path {
    let first = m.tendon_adr[t] as usize;
    if m.wrap_type[first] == WrapType::Joint as i32 {
        let entries = fixed_entries(m, t);
        return Path { kind: PathKind::Fixed, id: -1, entries, axis: [0.0; 3], pulls: Vec::new() };
    }
    let pulls = stretches(m, t);
    let dofs = pulls.iter().flat_map(|p| {
        let [start, end, geom] = p.bodies;
        if p.geom < 0 {
            between(m, start, end)
        } else {
            [between(m, start, geom), between(m, geom, end)].concat()
        }
    });
    let entries = sorted(dofs.collect());
    Path { kind: PathKind::Pulls, id: -1, entries, axis: [0.0; 3], pulls }
}

/// Dofs and coefficients of a fixed tendon, ascending by dof.
fn fixed_entries(m: &Model, tendon: usize) -> Vec<(i32, f64)> {
    let first = m.tendon_adr[tendon] as usize;
    let mut entries: Vec<(i32, f64)> = Vec::new();
    for k in first..first + m.tendon_num[tendon] as usize {
        let dof = m.jnt_dofadr[m.wrap_objid[k] as usize];
        match entries.iter_mut().find(|e| e.0 == dof) {
            Some(entry) => entry.1 += m.wrap_prm[k],
            None => entries.push((dof, m.wrap_prm[k])),
        }
    }
    entries.sort_by_key(|e| e.0);
    entries
}

/// Parts of a spatial tendon from site to site; pulleys divide what follows them.
fn stretches(m: &Model, tendon: usize) -> Vec<Pull> {
    let first = m.tendon_adr[tendon] as usize;
    let last = first + m.tendon_num[tendon] as usize - 1;
    let kind = |w: usize| WrapType::try_from(m.wrap_type[w]);
    let (mut w, mut divisor, mut pulls) = (first, 1.0, Vec::new());
    while w < last {
        if kind(w) == Ok(WrapType::Pulley) || kind(w + 1) == Ok(WrapType::Pulley) {
            if kind(w) == Ok(WrapType::Pulley) {
                divisor = m.wrap_prm[w];
            }
            w += 1;
            continue;
        }
        let around = matches!(kind(w + 1), Ok(WrapType::Sphere | WrapType::Cylinder));
        let sites = [m.wrap_objid[w], m.wrap_objid[w + if around { 2 } else { 1 }]];
        let geom = if around { m.wrap_objid[w + 1] } else { -1 };
        let [start, end] = sites.map(|s| m.site_bodyid[s as usize]);
        pulls.push(Pull {
            kind: PullKind::Stretch,
            sites,
            bodies: [start, end, if around { m.geom_bodyid[geom as usize] } else { 0 }],
            geom,
            side: if around && m.wrap_prm[w + 1] < m.nsite as f64 - 0.5 {
                m.wrap_prm[w + 1].round() as i32
            } else {
                -1
            },
            cylinder: kind(w + 1) == Ok(WrapType::Cylinder),
            scale: 1.0 / divisor,
            gear: [0.0; 6],
            rod: 0.0,
        });
        w += if around { 2 } else { 1 };
    }
    pulls
}

/// The path of an actuator on a ball or free joint, a site, a slider-crank or a body.
fn actuator(m: &Model, u: usize, pairs: &Pairs) -> Result<Path, Refused> {
    let [id, other] = m.actuator_trnid[u];
    let gear = m.actuator_gear[u];
    let pulled = |kind, sites: [i32; 2]| {
        let body = |s: i32| if s < 0 { 0 } else { m.site_bodyid[s as usize] };
        let bodies = [body(sites[0]), body(sites[1]), 0];
        let dofs = if sites[1] < 0 { chain(m, bodies[0]) } else { between(m, bodies[0], bodies[1]) };
        let rod = m.actuator_cranklength[u];
        let pull = Pull { kind, sites, bodies, geom: -1, side: -1, cylinder: false, scale: 1.0, gear, rod };
        Path { kind: PathKind::Pulls, id: -1, entries: sorted(dofs), axis: [0.0; 3], pulls: vec![pull] }
    };
    Ok(match TrnType::try_from(m.actuator_trntype[u]) {
        Ok(kind @ (TrnType::Joint | TrnType::Jointinparent)) => joint(m, id as usize, kind, gear),
        Ok(TrnType::Slidercrank) => pulled(PullKind::Crank, [id, other]),
        Ok(TrnType::Site) if other < 0 => pulled(PullKind::Site, [id, -1]),
        Ok(TrnType::Site) => pulled(PullKind::Reference, [id, other]),
        Ok(TrnType::Body) => adhesion(m, id, pairs),
        _ => return refuse("transmissions of this type", format!("actuator {u}")),
    })
}

fn joint(m: &Model, j: usize, kind: TrnType, gear: [f64; 6]) -> Path {
    let first = m.jnt_dofadr[j];
    let free = m.jnt_type[j] == JointType::Free as i32;
    let axis = if free { [gear[3], gear[4], gear[5]] } else { [gear[0], gear[1], gear[2]] };
    let count = if free { 6 } else { 3 };
    let entries = (0..count).map(|k| (first + k, gear[k as usize])).collect();
    let kind = if kind == TrnType::Joint { PathKind::Joint } else { PathKind::JointInParent };
    Path { kind, id: j as i32, entries, axis, pulls: Vec::new() }
}

/// Pairs of geoms of which one belongs to a body.
fn pairs_of<'a>(m: &'a Model, body: i32, pairs: &'a Pairs) -> impl Iterator<Item = &'a Pair> {
    pairs.list.iter().filter(move |pair| pair.geoms.iter().any(|&g| m.geom_bodyid[g] == body))
}

fn adhesion(m: &Model, body: i32, pairs: &Pairs) -> Path {
    let bodies = pairs_of(m, body, pairs).flat_map(|pair| pair.geoms.map(|g| m.geom_bodyid[g]));
    let dofs = bodies.flat_map(|b| chain(m, b)).collect();
    Path { kind: PathKind::Body, id: body, entries: sorted(dofs), axis: [0.0; 3], pulls: Vec::new() }
}
