//! Tables of a model for the kernels: its shape as constants, its numbers as arrays.

mod contact;
mod force;
mod option;
mod result;
mod sensor;
mod tree;

use crate::accept::{self, Refused, refuse};
use crate::pairs::Pairs;
use crate::paths::Paths;
use crate::rows::{SparseRow, sparse_rows};
use contact::most_points;
use ligament_model::Model;
pub use result::RESULTS;
#[cfg(any(feature = "cuda", feature = "emulated"))]
pub(crate) use result::columns;
use std::fmt::Write;
use tree::{Alike, Levels, words};

/// Precision of the kernels' numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// Fast.
    F32,
    /// For proof: agrees with the CPU.
    F64,
}

/// Room for contacts in a world. A world that needs more is marked, the room grows, its step is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Pairs whose bounding spheres touch.
    pub hits: usize,
}

impl Capacity {
    /// Twice the room.
    pub fn doubled(self) -> Self {
        Self { contacts: 2 * self.contacts, hits: 2 * self.hits }
    }
}

/// Numbers of the model that a world can have as its own, as the model names them.
pub const OWN: &[&str] = &[
    "actuator_biasprm",
    "actuator_ctrlrange",
    "actuator_forcerange",
    "actuator_gainprm",
    "body_gravcomp",
    "body_inertia",
    "body_ipos",
    "body_iquat",
    "body_mass",
    "body_pos",
    "body_quat",
    "dof_armature",
    "dof_damping",
    "dof_frictionloss",
    "geom_friction",
    "geom_pos",
    "geom_quat",
    "geom_size",
    "jnt_range",
    "jnt_stiffness",
    "opt.gravity",
    "qpos_spring",
    "tendon_damping",
    "tendon_range",
    "tendon_stiffness",
];

/// What the tables are made for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Room for contacts; none: a first guess.
    pub capacity: Option<Capacity>,
    /// Fields (of [`OWN`]) whose numbers differ from world to world.
    pub own: Vec<String>,
    /// Tables that differ because they follow from what does.
    pub own_tables: Vec<String>,
    /// Results (of [`RESULTS`]) that the last step of a call writes.
    pub results: Vec<String>,
    /// Are the algorithms for general convex shapes left out? A world in which such shapes may touch then stops before its step.
    pub plain: bool,
}

/// Where the numbers of a field stand in a world's own row, or among those that all worlds share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnField {
    /// Its name in the model.
    pub name: String,
    /// First number.
    pub start: usize,
    /// How many numbers a world has of it.
    pub len: usize,
}

/// A model as the kernels see it.
#[derive(Debug, Clone)]
pub struct Tables {
    /// `topology.cuh`: sizes, switches, and where each array stands.
    pub header: String,
    /// Integer arrays, one after the other.
    pub ints: Vec<i32>,
    /// Numbers that all worlds share.
    pub reals: Vec<f64>,
    /// The tables of which they are.
    pub shared_fields: Vec<OwnField>,
    /// Numbers that each world has as its own: what the model has.
    pub own: Vec<f64>,
    /// The fields of which they are.
    pub own_fields: Vec<OwnField>,
    /// Sizes of the state: nq, nv, na, nu, nbody.
    pub nq: usize,
    /// Degrees of freedom.
    pub nv: usize,
    /// Activations.
    pub na: usize,
    /// Controls.
    pub nu: usize,
    /// Bodies.
    pub nbody: usize,
    /// Mocap bodies.
    pub nmocap: usize,
    /// Controls that are kept for delayed actuators.
    pub nhistory: usize,
    /// Results that the kernels write, in their order, and how many numbers a world has of each.
    pub results: Vec<(&'static str, usize)>,
    /// Why the sensors cannot be read, if they cannot.
    pub unread: Option<Refused>,
    /// Room for contacts the header was made for.
    pub capacity: Capacity,
    /// Are there contacts of general convex shapes?
    pub has_general: bool,
}

impl Tables {
    /// Tables of a model, or what it uses that the kernels do not have.
    ///
    /// # Errors
    /// [`Refused`] names the first missing thing.
    pub fn new(m: &Model, wanted: &Wanted) -> Result<Self, Refused> {
        accept::check(m)?;
        let own = &wanted.own;
        if let Some(name) = own.iter().find(|name| !OWN.contains(&name.as_str())) {
            return refuse(&format!("parameters \"{name}\" of its own for a world"), "");
        }
        let mut results = result::list(m, &wanted.results)?;
        let pairs = Pairs::new(m)?;
        let paths = Paths::new(m, &pairs)?;
        let rows = sparse_rows(m, &paths.list);
        let capacity = wanted.capacity.unwrap_or_else(|| Capacity {
            contacts: (2 * m.ngeom).next_multiple_of(8).clamp(8, lanes(m, &pairs).min(64)),
            hits: pairs.list.len().clamp(1, (4 * lanes(m, &pairs)).min(192)),
        });
        let mut b = Builder::new(own, &wanted.own_tables);
        let levels = Levels::new(m);
        if levels.count > 64 {
            return refuse("chains of more than 64 degrees of freedom", "");
        }
        b.sizes(m, &pairs, &paths, &rows, &levels, capacity, wanted.plain && pairs.has_general(m));
        let counted = results.iter().any(|r| r.0 == "ncon") && pairs.classes.iter().any(|c| c.gap != 0.0);
        b.define("HAS_ADHESION_GAP", i32::from(counted || paths.adhere_in_gaps(m, &pairs)));
        b.options(m);
        b.bodies(m);
        b.joints(m);
        b.dofs(m, &levels);
        b.geoms(m, &pairs, &paths);
        b.pair_switches(m, &pairs, wanted.plain && pairs.has_general(m));
        b.fluid(m);
        b.actuators(m, &paths);
        let nhistory = b.delays(m);
        b.paths(m, &paths, &levels);
        b.sparse(m, &rows, &levels);
        let (unread, asks) = b.sensors(m, results.iter().any(|r| r.0 == "sensordata"));
        results.retain(|(name, _)| *name != "sensordata" || unread.is_none());
        b.results(m, &results, asks);
        b.define("NWT", b.own.len());
        let Builder { header, ints, reals, shared_fields, own, own_fields, .. } = b;
        let (nq, nv, na, nu, nbody, nmocap) = (m.nq, m.nv, m.na, m.nu, m.nbody, m.nmocap);
        Ok(Self {
            header,
            ints,
            reals,
            shared_fields,
            own,
            own_fields,
            nq,
            nv,
            na,
            nu,
            nbody,
            nmocap,
            nhistory,
            results,
            unread,
            capacity,
            has_general: pairs.has_general(m),
        })
    }
}

/// Threads that step a world: half a warp where its bodies and degrees of freedom fit into it; a warp for each of several trees that are
/// alike; else a warp, or several where there are many degrees of freedom. On general convex shapes one warp works.
fn lanes(m: &Model, pairs: &Pairs) -> usize {
    if m.nbody <= 16 && m.nv <= 16 {
        return 16;
    }
    if pairs.has_general(m) {
        return 32;
    }
    let several = if m.nv > 64 { m.nv.next_multiple_of(32).min(128) } else { 32 };
    Alike::new(m).map_or(several, |trees| 32 * trees.count)
}

/// Lists of lists as starts and entries.
fn flatten(lists: &[Vec<i32>]) -> (Vec<i32>, Vec<i32>) {
    let mut starts = vec![0];
    for list in lists {
        starts.push(starts[starts.len() - 1] + list.len() as i32);
    }
    (starts, lists.concat())
}

struct Builder<'a> {
    header: String,
    ints: Vec<i32>,
    reals: Vec<f64>,
    shared_fields: Vec<OwnField>,
    /// Names of the fields that worlds have as their own.
    wanted: &'a [String],
    /// And of the tables that follow from them.
    following: &'a [String],
    own: Vec<f64>,
    own_fields: Vec<OwnField>,
}

impl<'a> Builder<'a> {
    fn new(wanted: &'a [String], following: &'a [String]) -> Self {
        let (header, ints, reals, shared_fields, own, own_fields) = Default::default();
        Self { header, ints, reals, shared_fields, wanted, following, own, own_fields }
    }

    /// Can a field differ from world to world?
    fn differs(&self, name: &str) -> bool {
        self.wanted.iter().any(|w| w == name)
    }

    fn define(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.header, "#define {name} {value}");
    }

    fn define_real(&mut self, name: &str, value: f64) {
        let _ = writeln!(self.header, "#define {name} ((real){value:e})");
    }

    fn int(&mut self, name: &str, values: impl IntoIterator<Item = i32>) {
        let _ = writeln!(self.header, "#define {name}(i) (INTS[{} + (i)])", self.ints.len());
        self.ints.extend(values);
    }

    fn real(&mut self, name: &str, values: &[f64]) {
        let own = self.differs(name) || self.following.iter().any(|f| f == name);
        let (row, numbers, fields) = if own {
            ("OWN_REALS", &mut self.own, &mut self.own_fields)
        } else {
            ("REALS", &mut self.reals, &mut self.shared_fields)
        };
        let (start, len) = (numbers.len(), values.len());
        let _ =
            writeln!(self.header, "#define {}(i) ({row}[{start} + (i)])", name.trim_start_matches("opt."));
        fields.push(OwnField { name: name.to_string(), start, len });
        numbers.extend_from_slice(values);
    }

    fn sizes(
        &mut self,
        m: &Model,
        pairs: &Pairs,
        paths: &Paths,
        rows: &[SparseRow],
        levels: &Levels,
        room: Capacity,
        plain: bool,
    ) {
        let moves = |g: usize| m.body_weldid[m.geom_bodyid[g] as usize] != 0;
        let coupling = pairs.list.iter().any(|p| p.geoms.iter().all(|&g| moves(g)))
            || rows.iter().any(|r| !levels.on_one_path(r));
        let nv = m.nv;
        for (name, value) in [
            ("WORLD_LANES", lanes(m, pairs)),
            ("NQ", m.nq),
            ("NV", nv),
            ("NA", m.na),
            ("NU", m.nu),
            ("NB", m.nbody),
            ("NJ", m.njnt),
            ("NT", paths.list.len()),
            ("NTREE", m.ntree),
            ("NTE", paths.list.iter().map(|p| p.entries.len()).sum()),
            ("NPULL", paths.pulls().count()),
            ("NGROUP", paths.groups().len() - 1),
            ("PULLROOM", paths.room()),
            ("NMOCAP", m.nmocap),
            ("NSROW", rows.len()),
            ("NSE", rows.iter().map(|r| r.dofs.len()).sum()),
            ("NLEV", levels.count),
            ("NVW", words(nv)),
            ("NPAIR", pairs.list.len()),
            ("NCON", room.contacts),
            ("NHIT", room.hits),
            ("DIMMAX", pairs.dimension()),
            ("MAXPOINTS", most_points(m, pairs, plain)),
            ("CCD_ITERATIONS", m.opt.ccd_iterations.max(1) as usize),
            ("NDENSE", if coupling { (nv * (nv + 1) / 2).next_multiple_of(4) } else { 4 }),
        ] {
            self.define(name, value);
        }
        self.define("HAS_COUPLING", i32::from(coupling));
        self.define("NEARLY_CHAIN", i32::from(levels.nearly_chain()));
        self.define("MOSTLY_FULL", i32::from(levels.mostly_full()));
        let impedances = pairs.classes.iter().map(|c| &c.solver.solimp);
        let impedances = impedances.chain(rows.iter().map(|r| &r.solver.solimp));
        let mut impedances = impedances.chain(&m.jnt_solimp[..]).chain(&m.dof_solimp[..]);
        self.define("HAS_POWERS", i32::from(impedances.any(|s| s[4] != 1.0 && s[4] != 2.0)));
        self.switches(m);
        self.path_switches(m, paths, rows);
    }

    /// `<name>adr`, `<name>`, `<name>_entry`: for each dof the rows that contain it, and where their entry stands.
    fn transposed(&mut self, name: &str, nv: usize, starts: &[i32], dofs: &[i32]) {
        let (mut rows, mut entries) = (vec![Vec::new(); nv], vec![Vec::new(); nv]);
        for row in 0..starts.len() - 1 {
            for k in starts[row]..starts[row + 1] {
                let dof = dofs[k as usize] as usize;
                rows[dof].push(row as i32);
                entries[dof].push(k);
            }
        }
        let (adr, list) = flatten(&rows);
        self.int(&format!("{name}adr"), adr);
        self.int(name, list);
        self.int(&format!("{name}_entry"), flatten(&entries).1);
    }
}
