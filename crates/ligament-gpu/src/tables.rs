//! Tables of a model for the kernels: its shape as constants, its numbers as arrays.

use crate::accept::{self, Refused, refuse};
use crate::pairs::Pairs;
use crate::rows::{SparseRow, safe_solver, sparse_rows, tendon_entries};
use ligament_model::Model;
use ligament_model::enums::{
    BiasType, ConeType, DisableBit, DynType, GainType, GeomType, Integrator, JointType, TrnType,
};
use std::fmt::Write;

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

/// A model as the kernels see it.
#[derive(Debug, Clone)]
pub struct Tables {
    /// `topology.cuh`: sizes, switches, and where each array stands.
    pub header: String,
    /// Integer arrays, one after the other.
    pub ints: Vec<i32>,
    /// Numbers that all worlds share.
    pub reals: Vec<f64>,
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
    /// Room for contacts the header was made for.
    pub capacity: Capacity,
}

impl Tables {
    /// Tables of a model, or what it uses that the kernels do not have.
    ///
    /// # Errors
    /// [`Refused`] names the first missing thing.
    pub fn new(m: &Model, capacity: Option<Capacity>) -> Result<Self, Refused> {
        accept::check(m)?;
        let pairs = Pairs::new(m)?;
        let rows = sparse_rows(m);
        let capacity = capacity.unwrap_or_else(|| Capacity {
            contacts: (2 * m.ngeom).next_multiple_of(8).clamp(8, 32),
            hits: pairs.list.len().clamp(1, 96),
        });
        let mut b = Builder::default();
        let levels = Levels::new(m);
        if levels.count > 64 {
            return refuse("chains of more than 64 degrees of freedom", "");
        }
        b.sizes(m, &pairs, &rows, &levels, capacity);
        b.bodies(m);
        b.joints(m);
        b.dofs(m, &levels);
        b.geoms(m, &pairs);
        b.actuators(m);
        b.tendons(m);
        b.sparse(m, &rows, &levels);
        let Builder { header, ints, reals } = b;
        Ok(Self { header, ints, reals, nq: m.nq, nv: m.nv, na: m.na, nu: m.nu, nbody: m.nbody, capacity })
    }
}

/// Dofs by their distance from the root of the tree.
struct Levels {
    of: Vec<usize>,
    /// Ancestors of each dof from the root down, itself excluded.
    path: Vec<Vec<usize>>,
    count: usize,
}

impl Levels {
    fn new(m: &Model) -> Self {
        let mut path: Vec<Vec<usize>> = Vec::with_capacity(m.nv);
        for d in 0..m.nv {
            let above = match usize::try_from(m.dof_parentid[d]) {
                Ok(parent) => {
                    let mut above = path[parent].clone();
                    above.push(parent);
                    above
                }
                Err(_) => Vec::new(),
            };
            path.push(above);
        }
        let of: Vec<usize> = path.iter().map(Vec::len).collect();
        let count = of.iter().max().map_or(1, |l| l + 1);
        Self { of, path, count }
    }
}

/// Words of a bit set over dofs.
fn words(nv: usize) -> usize {
    nv.div_ceil(32).max(1)
}

fn bits(nv: usize, members: impl Iterator<Item = usize>) -> Vec<i32> {
    let mut set = vec![0u32; words(nv)];
    for d in members {
        set[d / 32] |= 1 << (d % 32);
    }
    set.into_iter().map(|w| w as i32).collect()
}

/// Lists of lists as starts and entries.
fn flatten(lists: &[Vec<i32>]) -> (Vec<i32>, Vec<i32>) {
    let mut starts = vec![0];
    for list in lists {
        starts.push(starts[starts.len() - 1] + list.len() as i32);
    }
    (starts, lists.concat())
}

#[derive(Default)]
struct Builder {
    header: String,
    ints: Vec<i32>,
    reals: Vec<f64>,
}

impl Builder {
    fn define(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.header, "#define {name} {value}");
    }

    fn define_real(&mut self, name: &str, value: f64) {
        let _ = writeln!(self.header, "#define {name} ((real){value:e})");
    }

    fn int(&mut self, name: &str, values: impl IntoIterator<Item = i32>) {
        let _ = writeln!(self.header, "#define {name}(i) (e.it[{} + (i)])", self.ints.len());
        self.ints.extend(values);
    }

    fn real(&mut self, name: &str, values: &[f64]) {
        let _ = writeln!(self.header, "#define {name}(i) (e.rt[{} + (i)])", self.reals.len());
        self.reals.extend_from_slice(values);
    }

    fn sizes(&mut self, m: &Model, pairs: &Pairs, rows: &[SparseRow], levels: &Levels, room: Capacity) {
        let moves = |g: usize| m.body_weldid[m.geom_bodyid[g] as usize] != 0;
        let crosses = |r: &SparseRow| !in_tree(r, levels);
        let coupling =
            pairs.list.iter().any(|p| p.geoms.iter().all(|&g| moves(g))) || rows.iter().any(crosses);
        let has_box = pairs.list.iter().any(|p| m.geom_type[p.geoms[1]] == GeomType::Box as i32);
        let nv = m.nv;
        for (name, value) in [
            ("NQ", m.nq),
            ("NV", nv),
            ("NA", m.na),
            ("NU", m.nu),
            ("NB", m.nbody),
            ("NJ", m.njnt),
            ("NG", m.ngeom),
            ("NT", m.ntendon),
            ("NTREE", m.ntree),
            ("NTE", (0..m.ntendon).map(|t| tendon_entries(m, t).len()).sum()),
            ("NSROW", rows.len()),
            ("NSE", rows.iter().map(|r| r.dofs.len()).sum()),
            ("NLEV", levels.count),
            ("NVW", words(nv)),
            ("NPAIR", pairs.list.len()),
            ("NCON", room.contacts),
            ("NHIT", room.hits),
            ("DIMMAX", pairs.dimension()),
            ("MAXPOINTS", if has_box { 4 } else { 2 }),
            ("NDENSE", if coupling { (nv * (nv + 1) / 2).next_multiple_of(4) } else { 4 }),
            ("NWT", 0),
        ] {
            self.define(name, value);
        }
        self.switches(m, coupling, has_box);
        self.options(m);
    }

    fn switches(&mut self, m: &Model, coupling: bool, has_box: bool) {
        let on = |bit| !m.opt.disabled(bit);
        let implicitfast = m.opt.integrator == Integrator::Implicitfast as i32;
        let rk4 = m.opt.integrator == Integrator::Rk4 as i32;
        let eulerdamp = !rk4
            && on(DisableBit::Eulerdamp)
            && on(DisableBit::Damper)
            && m.dof_damping.iter().any(|&b| b > 0.0);
        let friction = on(DisableBit::Frictionloss) && m.dof_frictionloss.iter().any(|&f| f != 0.0);
        let drives_tendon = m.actuator_trntype.contains(&(TrnType::Tendon as i32));
        let gravcomp = m.body_gravcomp.iter().any(|&g| g != 0.0) && on(DisableBit::Gravity);
        let muscle = |kinds: &[i32], muscle: i32| kinds.contains(&muscle);
        let has_muscle = muscle(&m.actuator_dyntype, DynType::Muscle as i32)
            || muscle(&m.actuator_gaintype, GainType::Muscle as i32)
            || muscle(&m.actuator_biastype, BiasType::Muscle as i32);
        let turns =
            |j: usize| m.jnt_type[j] == JointType::Free as i32 || m.jnt_type[j] == JointType::Ball as i32;
        let ball_spring = (0..m.njnt).any(|j| turns(j) && m.jnt_stiffness[j] != 0.0);
        for (name, value) in [
            ("HAS_MUSCLE", has_muscle),
            ("HAS_BALL_SPRING", ball_spring),
            ("HAS_COUPLING", coupling),
            ("HAS_PLANE_BOX", has_box),
            ("HAS_DOF_FRICTION", friction && on(DisableBit::Constraint)),
            ("HAS_TENDON_DRIVE", drives_tendon),
            ("HAS_GRAVCOMP", gravcomp && (on(DisableBit::Spring) || on(DisableBit::Damper))),
            ("SPRINGS", on(DisableBit::Spring)),
            ("DAMPERS", on(DisableBit::Damper)),
            ("CONE_ELLIPTIC", m.opt.cone == ConeType::Elliptic as i32),
            ("INTEGRATOR_IMPLICITFAST", implicitfast),
            ("INTEGRATOR_RK4", rk4),
            ("IMPLICIT_DAMPING", implicitfast || eulerdamp),
        ] {
            self.define(name, i32::from(value));
        }
    }

    fn options(&mut self, m: &Model) {
        let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
        for (name, value) in [
            ("TIMESTEP", m.opt.timestep),
            ("GRAVITY_X", gravity[0]),
            ("GRAVITY_Y", gravity[1]),
            ("GRAVITY_Z", gravity[2]),
            ("MEANINERTIA", m.stat.meaninertia),
            ("IMPRATIO", m.opt.impratio.max(1e-15)),
            ("IMPRATIO_RSQRT", (1.0 / m.opt.impratio.max(1e-15)).sqrt()),
        ] {
            self.define_real(name, value);
        }
        self.define("ITERATIONS", m.opt.iterations.max(0));
        self.define("LS_ITERATIONS", m.opt.ls_iterations.max(1));
        // single precision cannot resolve the model's tolerance
        let _ = writeln!(self.header, "#define TOLERANCE (sizeof(real) == 4 ? (real)1e-6 : (real)1e-11)");
        let _ = writeln!(self.header, "#define LS_RELATIVE (sizeof(real) == 4 ? (real)3e-6 : (real)1e-10)");
        for (name, value) in [
            ("JNT_FREE", JointType::Free as i32),
            ("JNT_BALL", JointType::Ball as i32),
            ("JNT_SLIDE", JointType::Slide as i32),
            ("JNT_HINGE", JointType::Hinge as i32),
            ("GEOM_PLANE", GeomType::Plane as i32),
            ("GEOM_CAPSULE", GeomType::Capsule as i32),
            ("GEOM_BOX", GeomType::Box as i32),
            ("TRN_TENDON", TrnType::Tendon as i32),
            ("DYN_INTEGRATOR", 1),
            ("DYN_FILTER", 2),
            ("DYN_FILTEREXACT", 3),
            ("DYN_MUSCLE", 4),
            ("GAIN_AFFINE", 1),
            ("GAIN_MUSCLE", 2),
            ("BIAS_AFFINE", 1),
            ("BIAS_MUSCLE", 2),
            ("SROW_TENDON_LIMIT", 0),
            ("SROW_TENDON_FRICTION", 1),
            ("SROW_JOINT_EQUALITY", 2),
            ("SROW_BALL_LIMIT", 3),
        ] {
            self.define(name, value);
        }
    }

    fn bodies(&mut self, m: &Model) {
        let nb = m.nbody;
        let parent: Vec<usize> = m.body_parentid.iter().map(|&p| p as usize).collect();
        let mut depth = vec![0usize; nb];
        for b in 1..nb {
            depth[b] = depth[parent[b]] + 1;
        }
        let deepest = depth.iter().max().copied().unwrap_or(0);
        let rounds = (0..).take_while(|t| 1usize << t < deepest).count();
        self.define("NJUMP", rounds);
        let mut jump = parent.clone();
        let mut table = Vec::new();
        for _ in 0..rounds {
            table.extend(jump.iter().map(|&b| b as i32));
            jump = jump.iter().map(|&b| jump[b]).collect();
        }
        self.int("body_jump", table);
        let sum: String =
            (1..nb).rev().filter(|&b| parent[b] > 0).map(|b| format!(" ADD({b}, {})", parent[b])).collect();
        let _ = writeln!(self.header, "#define UP_SUM(ADD){sum}");
        self.int("body_parentid", parent.iter().map(|&p| p as i32));
        self.int("body_jntadr", m.body_jntadr.iter().map(|&a| a.max(0)));
        self.int("body_jntnum", m.body_jntnum.iter().copied());
        self.int("body_dofadr", m.body_dofadr.iter().map(|&a| a.max(0)));
        self.int("body_dofnum", m.body_dofnum.iter().copied());
        self.int("body_moves", m.body_weldid.iter().map(|&w| i32::from(w != 0)));
        let tree: Vec<i32> = m.body_treeid.iter().map(|&t| t + 1).collect();
        let root = |t: usize| tree.iter().position(|&x| x == t as i32).unwrap_or(0) as i32;
        self.int("tree_root", (0..=m.ntree).map(root));
        self.int("body_tree", tree.iter().copied());
        let chains = (0..nb).flat_map(|b| {
            let chain = std::iter::successors(Some(b), |&b| (b > 0).then(|| parent[b]));
            let dofs = chain.flat_map(|b| {
                let first = m.body_dofadr[b].max(0) as usize;
                first..first + m.body_dofnum[b] as usize
            });
            bits(m.nv, dofs)
        });
        self.int("body_dofs", chains.collect::<Vec<_>>());
        self.real("body_pos", m.body_pos.as_flattened());
        self.real("body_quat", m.body_quat.as_flattened());
        self.real("body_ipos", m.body_ipos.as_flattened());
        self.real("body_iquat", m.body_iquat.as_flattened());
        self.real("body_mass", &m.body_mass);
        self.real("body_inertia", m.body_inertia.as_flattened());
        self.real("body_invweight0", m.body_invweight0.as_flattened());
        self.real("body_gravcomp", &m.body_gravcomp);
    }

    fn joints(&mut self, m: &Model) {
        let limits = !m.opt.disabled(DisableBit::Limit) && !m.opt.disabled(DisableBit::Constraint);
        self.int("jnt_type", m.jnt_type.iter().copied());
        self.int("jnt_qposadr", m.jnt_qposadr.iter().copied());
        self.int("jnt_dofadr", m.jnt_dofadr.iter().copied());
        self.int("jnt_limited", m.jnt_limited.iter().map(|&l| i32::from(limits && l != 0)));
        self.int("jnt_actfrclimited", m.jnt_actfrclimited.iter().map(|&l| i32::from(l != 0)));
        self.real("qpos0", &m.qpos0);
        self.real("qpos_spring", &m.qpos_spring);
        self.real("jnt_pos", m.jnt_pos.as_flattened());
        self.real("jnt_axis", m.jnt_axis.as_flattened());
        self.real("jnt_stiffness", &m.jnt_stiffness);
        self.real("jnt_range", m.jnt_range.as_flattened());
        self.real("jnt_margin", &m.jnt_margin);
        self.real("jnt_actfrcrange", m.jnt_actfrcrange.as_flattened());
        self.solver("jnt", m, &m.jnt_solref, &m.jnt_solimp);
    }

    /// `<name>_solref` and `<name>_solimp`, made safe.
    fn solver(&mut self, name: &str, m: &Model, solref: &[[f64; 2]], solimp: &[[f64; 5]]) {
        let safe: Vec<_> = solref.iter().zip(solimp).map(|(r, i)| safe_solver(m, *r, *i)).collect();
        self.real(
            &format!("{name}_solref"),
            safe.iter().map(|s| s.solref).collect::<Vec<_>>().as_flattened(),
        );
        self.real(
            &format!("{name}_solimp"),
            safe.iter().map(|s| s.solimp).collect::<Vec<_>>().as_flattened(),
        );
    }

    fn dofs(&mut self, m: &Model, levels: &Levels) {
        let nv = m.nv;
        self.int("dof_bodyid", m.dof_bodyid.iter().copied());
        self.int("dof_jntid", m.dof_jntid.iter().copied());
        self.int("dof_level", levels.of.iter().map(|&l| l as i32));
        let path = levels
            .path
            .iter()
            .flat_map(|p| (0..levels.count).map(|l| p.get(l).map_or(nv as i32, |&d| d as i32)));
        self.int("dof_path", path.collect::<Vec<_>>());
        let below = |d: usize| bits(nv, (0..nv).filter(|&k| levels.path[k].contains(&d)));
        self.int("dof_below", (0..nv).flat_map(below).collect::<Vec<_>>());
        let at = |l: usize| (0..nv).filter(|&d| levels.of[d] == l).map(|d| d as i32).collect();
        let (starts, dofs) = flatten(&(0..levels.count).map(at).collect::<Vec<_>>());
        self.int("level_adr", starts);
        self.int("level_dof", dofs);
        self.real("dof_armature", &m.dof_armature);
        self.real("dof_damping", &m.dof_damping);
        self.real("dof_invweight0", &m.dof_invweight0);
        self.real("dof_frictionloss", &m.dof_frictionloss);
        self.solver("dof", m, &m.dof_solref, &m.dof_solimp);
    }

    fn geoms(&mut self, m: &Model, pairs: &Pairs) {
        self.int("geom_bodyid", m.geom_bodyid.iter().copied());
        self.int("geom_type", m.geom_type.iter().copied());
        self.real("geom_pos", m.geom_pos.as_flattened());
        self.real("geom_quat", m.geom_quat.as_flattened());
        self.real("geom_size", m.geom_size.as_flattened());
        self.real("geom_rbound", &m.geom_rbound);
        self.real("geom_friction", m.geom_friction.as_flattened());
        self.int("pair_geom1", pairs.list.iter().map(|p| p.geoms[0] as i32));
        self.int("pair_geom2", pairs.list.iter().map(|p| p.geoms[1] as i32));
        self.int("pair_cls", pairs.list.iter().map(|p| p.class as i32));
        self.int("pair_friction", pairs.list.iter().map(|p| p.friction as i32));
        let c = &pairs.classes;
        self.int("cls_condim", c.iter().map(|c| c.condim));
        self.real("cls_margin", &c.iter().map(|c| c.margin).collect::<Vec<_>>());
        self.real("cls_gap", &c.iter().map(|c| c.gap).collect::<Vec<_>>());
        self.real("cls_solref", c.iter().map(|c| c.solver.solref).collect::<Vec<_>>().as_flattened());
        self.real("cls_solimp", c.iter().map(|c| c.solver.solimp).collect::<Vec<_>>().as_flattened());
        self.real("cls_friction", c.iter().map(|c| c.friction).collect::<Vec<_>>().as_flattened());
        self.real(
            "cls_solreffriction",
            c.iter().map(|c| c.solreffriction).collect::<Vec<_>>().as_flattened(),
        );
    }

    fn actuators(&mut self, m: &Model) {
        let off = m.opt.disabled(DisableBit::Actuation);
        let clamp = !m.opt.disabled(DisableBit::Clampctrl);
        let on_joint = |u: &usize| m.actuator_trntype[*u] != TrnType::Tendon as i32;
        self.int("actuator_trntype", m.actuator_trntype.iter().copied());
        self.int("actuator_trnid", m.actuator_trnid.iter().map(|t| t[0]));
        self.int("actuator_dyntype", m.actuator_dyntype.iter().copied());
        self.int("actuator_gaintype", m.actuator_gaintype.iter().copied());
        self.int("actuator_biastype", m.actuator_biastype.iter().copied());
        self.int("actuator_actadr", m.actuator_actadr.iter().map(|&a| if off { -1 } else { a }));
        self.int("actuator_ctrllimited", m.actuator_ctrllimited.iter().map(|&l| i32::from(clamp && l != 0)));
        self.int("actuator_forcelimited", m.actuator_forcelimited.iter().map(|&l| i32::from(l != 0)));
        self.int("actuator_actlimited", m.actuator_actlimited.iter().map(|&l| i32::from(l != 0)));
        self.int("actuator_actearly", m.actuator_actearly.iter().map(|&l| i32::from(l != 0)));
        let driven_by = |d: usize| {
            let drives = |u: &usize| !off && m.jnt_dofadr[m.actuator_trnid[*u][0] as usize] == d as i32;
            (0..m.nu).filter(on_joint).filter(drives).map(|u| u as i32).collect::<Vec<_>>()
        };
        let (starts, list) = flatten(&(0..m.nv).map(driven_by).collect::<Vec<_>>());
        self.int("dof_actadr", starts);
        self.int("dof_act", list);
        let pulling = |t: usize| {
            let pulls = |u: &usize| !off && !on_joint(u) && m.actuator_trnid[*u][0] == t as i32;
            (0..m.nu).filter(pulls).map(|u| u as i32).collect::<Vec<_>>()
        };
        let (starts, list) = flatten(&(0..m.ntendon).map(pulling).collect::<Vec<_>>());
        self.int("ten_actadr", starts);
        self.int("ten_act", list);
        self.real("actuator_gear", &m.actuator_gear.iter().map(|g| g[0]).collect::<Vec<_>>());
        self.real("actuator_ctrlrange", m.actuator_ctrlrange.as_flattened());
        self.real("actuator_forcerange", m.actuator_forcerange.as_flattened());
        self.real("actuator_actrange", m.actuator_actrange.as_flattened());
        let dynprm: Vec<[f64; 3]> = m.actuator_dynprm.iter().map(|p| [p[0], p[1], p[2]]).collect();
        self.real("actuator_dynprm", dynprm.as_flattened());
        self.real("actuator_gainprm", m.actuator_gainprm.as_flattened());
        self.real("actuator_biasprm", m.actuator_biasprm.as_flattened());
        self.real("actuator_acc0", &m.actuator_acc0);
        self.real("actuator_lengthrange", m.actuator_lengthrange.as_flattened());
    }

    fn tendons(&mut self, m: &Model) {
        let entries: Vec<Vec<(i32, f64)>> = (0..m.ntendon).map(|t| tendon_entries(m, t)).collect();
        let dofs: Vec<Vec<i32>> = entries.iter().map(|e| e.iter().map(|x| x.0).collect()).collect();
        let (starts, flat) = flatten(&dofs);
        self.transposed("dof_ten", m.nv, &starts, &flat);
        self.int("ten_adr", starts);
        self.int("ten_dof", flat);
        self.real("ten_coef", &entries.concat().iter().map(|e| e.1).collect::<Vec<_>>());
        self.real("tendon_lengthspring", m.tendon_lengthspring.as_flattened());
        self.real("tendon_stiffness", &m.tendon_stiffness);
        self.real("tendon_damping", &m.tendon_damping);
        self.real("tendon_range", m.tendon_range.as_flattened());
        self.real("tendon_margin", &m.tendon_margin);
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

    fn sparse(&mut self, m: &Model, rows: &[SparseRow], levels: &Levels) {
        let dofs: Vec<Vec<i32>> = rows.iter().map(|r| r.dofs.clone()).collect();
        let (starts, flat) = flatten(&dofs);
        self.transposed("dof_srow", m.nv, &starts, &flat);
        self.int("srow_adr", starts);
        self.int("srow_dof", flat);
        self.int("srow_kind", rows.iter().map(|r| r.kind as i32));
        self.int("srow_id", rows.iter().map(|r| r.id as i32));
        self.int("srow_obj1", rows.iter().map(|r| r.objects[0]));
        self.int("srow_obj2", rows.iter().map(|r| r.objects[1]));
        self.int("srow_in_tree", rows.iter().map(|r| i32::from(in_tree(r, levels))));
        self.real("srow_solref", rows.iter().map(|r| r.solver.solref).collect::<Vec<_>>().as_flattened());
        self.real("srow_solimp", rows.iter().map(|r| r.solver.solimp).collect::<Vec<_>>().as_flattened());
        self.real("srow_weight", &rows.iter().map(|r| r.weight).collect::<Vec<_>>());
        self.real("srow_loss", &rows.iter().map(|r| r.loss).collect::<Vec<_>>());
        let poly: Vec<[f64; 5]> = m.eq_data.iter().map(|d| [d[0], d[1], d[2], d[3], d[4]]).collect();
        self.real("eq_poly", poly.as_flattened());
    }
}

/// Do all dofs of a row lie on one path to the root? Then it adds no entry to the tree's pattern.
fn in_tree(row: &SparseRow, levels: &Levels) -> bool {
    let deepest = row.dofs.iter().map(|&d| d as usize).max_by_key(|&d| levels.of[d]);
    deepest.is_none_or(|deep| {
        row.dofs.iter().all(|&d| d as usize == deep || levels.path[deep].contains(&(d as usize)))
    })
}
