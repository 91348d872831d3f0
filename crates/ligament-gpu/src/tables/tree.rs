//! Bodies, joints and degrees of freedom.

use super::option::is_carried;
use super::{Builder, flatten};
use crate::rows::{SparseRow, safe_solver};
use ligament_model::Model;
use ligament_model::enums::{DisableBit, JointType};
use std::fmt::Write;

/// Entries of a tree's factor up to which its code is unrolled: larger ones would fill the instruction cache.
const MOST_UNROLLED: usize = 128;

/// Dofs by their distance from the root of the tree.
pub(super) struct Levels {
    pub of: Vec<usize>,
    /// Ancestors of each dof from the root down, itself excluded.
    pub path: Vec<Vec<usize>>,
    pub count: usize,
}

impl Levels {
    pub fn new(m: &Model) -> Self {
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

impl Levels {
    /// Has a small tree three quarters of all entries that a factor without a pattern has?
    pub fn nearly_chain(&self) -> bool {
        let (nv, entries) = (self.of.len(), self.of.iter().sum::<usize>());
        nv <= 16 && 8 * entries >= 3 * nv * (nv - 1)
    }

    /// Has a tree of a dof a lane at least half of them?
    pub fn mostly_full(&self) -> bool {
        let (nv, entries) = (self.of.len(), self.of.iter().sum::<usize>());
        nv <= 32 && 4 * entries >= nv * (nv - 1)
    }

    /// Does one of two dofs lie on the path of the other to the root?
    pub fn in_line(&self, a: usize, b: usize) -> bool {
        a == b || self.path[a].contains(&b) || self.path[b].contains(&a)
    }

    /// Do all dofs of a row lie on one path to the root? Then it adds no entry to the tree's pattern.
    pub fn on_one_path(&self, row: &SparseRow) -> bool {
        let deepest = row.dofs.iter().map(|&d| d as usize).max_by_key(|&d| self.of[d]);
        deepest.is_none_or(|deep| {
            row.dofs.iter().all(|&d| d as usize == deep || self.path[deep].contains(&(d as usize)))
        })
    }
}

/// Several trees of the same shape, one after the other, that stand on the world itself: each has a warp of its own.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    pub count: usize,
    pub bodies: usize,
    pub dofs: usize,
}

impl Alike {
    /// At most four of them, of at most 31 bodies and 32 dofs each, that one warp would not hold.
    pub fn new(m: &Model) -> Option<Self> {
        let count = m.ntree;
        if m.nv <= 32
            || !(2..=4).contains(&count)
            || !(m.nbody - 1).is_multiple_of(count)
            || !m.nv.is_multiple_of(count)
        {
            return None;
        }
        let (bodies, dofs) = ((m.nbody - 1) / count, m.nv / count);
        let body_alike = |b: usize| {
            let (tree, first) = ((b - 1) / bodies, (b - 1) % bodies + 1);
            let (parent, like) = (m.body_parentid[b], m.body_parentid[first]);
            m.body_treeid[b] == tree as i32
                && parent == if like == 0 { 0 } else { like + (tree * bodies) as i32 }
                && m.body_dofnum[b] == m.body_dofnum[first]
        };
        let dof_alike = |d: usize| {
            let (tree, first) = (d / dofs, d % dofs);
            let (parent, like) = (m.dof_parentid[d], m.dof_parentid[first]);
            parent == if like < 0 { like } else { like + (tree * dofs) as i32 }
                && (m.dof_bodyid[d] as usize - 1) / bodies == tree
        };
        let fit = bodies < 32 && dofs <= 32;
        (fit && (1..m.nbody).all(body_alike) && (0..m.nv).all(dof_alike)).then_some(Self {
            count,
            bodies,
            dofs,
        })
    }
}

/// Words of a bit set over dofs.
pub(super) fn words(nv: usize) -> usize {
    nv.div_ceil(32).max(1)
}

fn bits(nv: usize, members: impl Iterator<Item = usize>) -> Vec<i32> {
    let mut set = vec![0u32; words(nv)];
    for d in members {
        set[d / 32] |= 1 << (d % 32);
    }
    set.into_iter().map(|w| w as i32).collect()
}

impl Builder<'_> {
    pub(super) fn bodies(&mut self, m: &Model) {
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
        let packed =
            |b: usize| table.chunks(nb).take(4).rev().fold(0, |word, round| word << 8 | (round[b] & 255));
        self.int("body_jumps", (0..nb).map(packed).collect::<Vec<_>>());
        self.int("body_jump", table);
        let trees = Alike::new(m);
        let size = trees.map_or(nb - 1, |t| t.bodies);
        self.define("ALIKE_TREES", trees.map_or(0, |t| t.count));
        self.define("TREE_BODIES", size);
        for (name, last) in [("UP_SUM", nb - 1), ("TREE_UP_SUM", size)] {
            let moving = (1..=last).rev().filter(|&b| parent[b] > 0);
            let sum: String = moving.map(|b| format!(" ADD({b}, {})", parent[b])).collect();
            let _ = writeln!(self.header, "#define {name}(ADD){sum}");
        }
        self.by_depth(&parent, &depth);
        self.int("body_parentid", parent.iter().map(|&p| p as i32));
        self.int("body_jntadr", m.body_jntadr.iter().map(|&a| a.max(0)));
        self.int("body_jntnum", m.body_jntnum.iter().copied());
        self.int("body_dofadr", m.body_dofadr.iter().map(|&a| a.max(0)));
        self.int("body_dofnum", m.body_dofnum.iter().copied());
        self.own_axes(m);
        self.int("body_mocapid", m.body_mocapid.iter().copied());
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

    /// Bodies that have children, the deepest first, and their children; the world takes none in.
    fn by_depth(&mut self, parent: &[usize], depth: &[usize]) {
        let children = |b: usize| (1..parent.len()).filter(move |&c| parent[c] == b);
        let deepest = depth.iter().max().copied().unwrap_or(0);
        let levels: Vec<Vec<i32>> = (1..deepest)
            .rev()
            .map(|level| {
                let bodies = (1..parent.len()).filter(|&b| depth[b] == level && children(b).next().is_some());
                bodies.map(|b| b as i32).collect()
            })
            .collect();
        let (starts, bodies) = flatten(&levels);
        let lists: Vec<Vec<i32>> =
            bodies.iter().map(|&b| children(b as usize).map(|c| c as i32).collect()).collect();
        let (child_starts, list) = flatten(&lists);
        self.define("NDEPTH", levels.len());
        self.int("depth_adr", starts);
        self.int("depth_body", bodies);
        self.int("child_adr", child_starts);
        self.int("child", list);
    }

    /// Dofs of the body itself, packed where they are few; the translations of free joints stand apart: their axes are
    /// those of the world.
    fn own_axes(&mut self, m: &Model) {
        let first = |b: usize| m.body_dofadr[b].max(0) as usize;
        let is_free = |b: usize| {
            m.body_jntnum[b] == 1 && m.jnt_type[m.body_jntadr[b] as usize] == JointType::Free as i32
        };
        let own = |b: usize| {
            let skipped = if is_free(b) { 3 } else { 0 };
            first(b) + skipped..first(b) + m.body_dofnum[b] as usize
        };
        let most = (0..m.nbody).map(|b| own(b).len()).max().unwrap_or(0);
        let few = most <= 4 && m.nv < 256;
        self.define("NOWN", if few { most } else { 6 });
        self.define("HAS_FREE", i32::from((0..m.nbody).any(is_free)));
        let packed = |b: usize| {
            let dofs = own(b).chain(std::iter::repeat(m.nv)).take(4);
            u32::from_le_bytes(std::array::from_fn(|k| dofs.clone().nth(k).unwrap_or(m.nv) as u8)) as i32
        };
        self.int("body_own", (0..m.nbody).map(packed).collect::<Vec<_>>());
        self.int("body_free", (0..m.nbody).map(|b| if is_free(b) { first(b) as i32 } else { -1 }));
    }

    pub(super) fn joints(&mut self, m: &Model) {
        let limits = !m.opt.disabled(DisableBit::Limit) && !m.opt.disabled(DisableBit::Constraint);
        self.int("jnt_type", m.jnt_type.iter().copied());
        self.int("jnt_qposadr", m.jnt_qposadr.iter().copied());
        self.int("jnt_dofadr", m.jnt_dofadr.iter().copied());
        self.int("jnt_limited", m.jnt_limited.iter().map(|&l| i32::from(limits && l != 0)));
        self.int("jnt_actfrclimited", m.jnt_actfrclimited.iter().map(|&l| i32::from(l != 0)));
        self.int("jnt_actgravcomp", m.jnt_actgravcomp.iter().map(|&c| i32::from(c != 0)));
        self.int("jnt_carried", (0..m.njnt).map(|j| i32::from(is_carried(m, j))));
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

    /// Paths to the root, packed, and descendants by level.
    fn by_level(&mut self, m: &Model, levels: &Levels) {
        let nv = m.nv;
        let bits = if nv < 255 { 8 } else { 16 };
        let a_path = (levels.count * bits).div_ceil(32);
        let pack = |d: usize| {
            let mut packed = vec![0u32; a_path];
            for l in 0..levels.count {
                // where a path has ended: the motion axis after the last, which is zero
                let above = levels.path[d].get(l).copied().unwrap_or(nv);
                packed[l * bits / 32] |= (above as u32) << (l * bits % 32);
            }
            packed.into_iter().map(|w| w as i32)
        };
        self.define("PATH_BITS", bits);
        self.define("NPATH", a_path);
        self.int("dof_packed", (0..nv).flat_map(pack).collect::<Vec<_>>());
        let trees = Alike::new(m);
        let size = trees.map_or(nv, |t| t.dofs);
        self.define("TREE_DOFS", size);
        if size <= 64 {
            self.pivots(nv, size, levels);
        }
        if nv <= 64 && trees.is_none() {
            return;
        }
        let under = |d: usize| (d + 1..nv).filter(move |&k| levels.path[k].contains(&d));
        let reach = (0..nv).flat_map(|d| under(d).map(move |k| k - d)).max().unwrap_or(0);
        let words = reach / 32 + 1;
        let mut table = vec![0u32; levels.count * words * nv];
        for d in 0..nv {
            for k in under(d) {
                table[(levels.of[k] * words + (k - d) / 32) * nv + d] |= 1 << ((k - d) % 32);
            }
        }
        self.define("NBELOW", words);
        self.int("dof_below_at", table.into_iter().map(|w| w as i32));
    }

    /// Dofs in the order in which a factor takes them, from the deepest level to the root; trees of `size` dofs each.
    fn pivots(&mut self, nv: usize, size: usize, levels: &Levels) {
        let entries: usize = levels.of[..size].iter().sum();
        let small = size <= 32 && entries <= MOST_UNROLLED;
        self.define("SMALL_TREE", i32::from(small));
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by_key(|&d| levels.of[d]);
        let place = |d: usize| order.iter().position(|&x| x == d % size).unwrap_or(0);
        self.int("dof_order", (0..nv).map(|d| place(d) as i32).collect::<Vec<_>>());
        let under = |d: usize| (0..size).filter(move |&k| levels.path[k].contains(&(d % size)));
        let below = |d: usize| under(d).fold(0u64, |bits, k| bits | 1 << k) as i32;
        self.int("dof_below_own", (0..nv).map(below).collect::<Vec<_>>());
        // bits of descendants in that order, the last dof in the highest
        let words = size.div_ceil(32).max(1);
        let below = |d: usize| {
            let bits = under(d).fold(0u64, |bits, k| bits | 1 << (place(k) + 32 * words - size));
            (0..words).map(move |word| (bits >> (32 * word)) as u32 as i32)
        };
        self.int("dof_below_in_order", (0..nv).flat_map(below).collect::<Vec<_>>());
        let level = |l: usize| {
            let pivots = (0..size).filter(|&d| l > 0 && levels.of[d] == l);
            pivots.fold(format!(" LEVEL({l})"), |text, d| text + &format!(" PIVOT({l}, {d})"))
        };
        let all: String = (0..levels.count).rev().map(level).collect();
        let _ = writeln!(self.header, "#define TREE_PIVOTS(LEVEL, PIVOT){all}");
        let row = |d: usize| {
            let start = format!(" ROW({d}, {})", if small { d } else { place(d) });
            levels.path[d][..levels.of[d]]
                .iter()
                .enumerate()
                .fold(start, |text, (l, a)| text + &format!(" ENTRY({l}, {a})"))
        };
        let all: String = (0..size).rev().map(row).collect();
        let _ = writeln!(self.header, "#define TREE_ROWS(ROW, ENTRY){all}");
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

    pub(super) fn dofs(&mut self, m: &Model, levels: &Levels) {
        let nv = m.nv;
        self.int("dof_bodyid", m.dof_bodyid.iter().copied());
        self.int("dof_jntid", m.dof_jntid.iter().copied());
        self.int("dof_simple", m.dof_simplenum.iter().map(|&n| i32::from(n > 0)));
        self.int("dof_level", levels.of.iter().map(|&l| l as i32));
        let size = Alike::new(m).map_or(nv, |trees| trees.dofs);
        let entries: String =
            levels.of[..size].iter().enumerate().map(|(d, l)| format!(" ENTRY({d}, {l})")).collect();
        let _ = writeln!(self.header, "#define DOF_LEVELS(ENTRY){entries}");
        let path = levels
            .path
            .iter()
            .flat_map(|p| (0..levels.count).map(|l| p.get(l).map_or(nv as i32, |&d| d as i32)));
        self.int("dof_path", path.collect::<Vec<_>>());
        let below = |d: usize| bits(nv, (0..nv).filter(|&k| levels.path[k].contains(&d)));
        self.int("dof_below", (0..nv).flat_map(below).collect::<Vec<_>>());
        self.by_level(m, levels);
        self.real("dof_armature", &m.dof_armature);
        self.real("dof_damping", &m.dof_damping);
        self.real("dof_invweight0", &m.dof_invweight0);
        self.real("dof_frictionloss", &m.dof_frictionloss);
        self.solver("dof", m, &m.dof_solref, &m.dof_solimp);
    }
}
