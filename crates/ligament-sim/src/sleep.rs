//! Sleeping and waking of kinematic trees.
//!
//! `tree_asleep` is the source of truth: negative for an awake tree (it counts up to -1 while the tree is slow),
//! otherwise the next tree in a cycle of trees that fell asleep together and wake together.

use ligament_model::constants::MINAWAKE;
use ligament_model::enums::{EnableBit, EqType, ObjType, SleepPolicy, SleepState};
use ligament_model::{Contact, Data, Model};

use crate::workspace::{Scratches as _, Sleeping};

pub use crate::awake::sleep_state;
use crate::constraint::TendonLimits;

/// `tree_asleep` of a tree that has just been moving.
pub const FULLY_AWAKE: i32 = -(1 + MINAWAKE);

const ASLEEP: i32 = SleepState::Asleep as i32;
const AWAKE: i32 = SleepState::Awake as i32;
const STATIC: i32 = SleepState::Static as i32;

/// Recomputes the lists of awake trees, bodies and degrees of freedom from `tree_asleep`.
pub fn update_sleep(m: &Model, d: &mut Data) {
    update_sleep_init(m, d, false);
}

/// As [`update_sleep`]; `static_awake` counts static bodies as awake (their positions have to be computed once).
pub fn update_sleep_init(m: &Model, d: &mut Data, static_awake: bool) {
    d.ntree_awake = 0;
    for (awake, &asleep) in d.tree_awake.iter_mut().zip(&d.tree_asleep) {
        *awake = i32::from(asleep < 0);
        d.ntree_awake += *awake as usize;
    }
    (d.nbody_awake, d.nparent_awake) = (0, 0);
    for body in 0..m.nbody {
        let tree = m.body_treeid[body];
        d.body_awake[body] = if tree >= 0 {
            if d.tree_awake[tree as usize] != 0 { AWAKE } else { ASLEEP }
        } else if m.body_mocapid[m.body_rootid[body] as usize] >= 0 || static_awake {
            AWAKE
        } else {
            STATIC
        };
        if d.body_awake[body] != ASLEEP {
            d.body_awake_ind[d.nbody_awake] = body as i32;
            d.nbody_awake += 1;
        }
        if body > 0 && d.body_awake[m.body_parentid[body] as usize] != ASLEEP {
            d.parent_awake_ind[d.nparent_awake] = body as i32;
            d.nparent_awake += 1;
        }
    }
    d.nv_awake = 0;
    for dof in 0..m.nv {
        let body = m.dof_bodyid[dof] as usize;
        if m.body_treeid[body] >= 0 && d.body_awake[body] == AWAKE {
            d.dof_awake_ind[d.nv_awake] = dof as i32;
            d.nv_awake += 1;
        }
    }
}

/// Exactly zero in every bit (a negative zero counts as user input, as in the reference).
fn untouched(x: &[f64]) -> bool {
    x.iter().all(|v| v.to_bits() == 0)
}

/// May this tree sleep: policy, no applied forces, velocity below `tolerance` (exactly zero for tolerance 0)?
fn tree_can_sleep(m: &Model, d: &Data, tree: usize, tolerance: f64) -> bool {
    let policy = m.tree_sleep_policy[tree];
    let soft = policy == SleepPolicy::AutoNever as i32 && m.parts.is_soft_vertex(tree);
    if policy == SleepPolicy::Never as i32 || (policy == SleepPolicy::AutoNever as i32 && !soft) {
        return false;
    }
    let body = m.tree_bodyadr[tree] as usize;
    let bodies = body..body + m.tree_bodynum[tree] as usize;
    let dof = m.tree_dofadr[tree] as usize;
    let dofs = dof..dof + m.tree_dofnum[tree] as usize;
    if !untouched(d.xfrc_applied[bodies].as_flattened()) || !untouched(&d.qfrc_applied[dofs.clone()]) {
        return false;
    }
    if tolerance == 0.0 {
        return untouched(&d.qvel[dofs]);
    }
    // a product that is no number (a body without bounds at rest) keeps nobody awake
    !dofs.into_iter().any(|i| m.dof_length[i] * d.qvel[i].abs() >= tolerance)
}

/// The smallest tree of the sleep cycle through `tree`; `None` when it is no cycle.
pub fn sleep_cycle(tree_asleep: &[i32], tree: usize) -> Option<usize> {
    let mut smallest = tree;
    let mut current = tree;
    for _ in 0..=tree_asleep.len() {
        let next = usize::try_from(*tree_asleep.get(current)?).ok().filter(|&n| n < tree_asleep.len())?;
        smallest = smallest.min(next);
        current = next;
        if current == tree {
            return Some(smallest);
        }
    }
    None
}

/// Wakes a tree and its cycle, returns how many trees woke. A tree that is awake already is kept awake longer.
pub fn wake_tree(tree_asleep: &mut [i32], tree: usize, wakeval: i32) -> usize {
    if tree_asleep[tree] < 0 {
        tree_asleep[tree] = tree_asleep[tree].min(wakeval);
        return 0;
    }
    let mut woke = 0;
    let mut current = tree;
    loop {
        let next = tree_asleep[current];
        tree_asleep[current] = wakeval;
        woke += 1;
        // a broken cycle ends at a tree that is awake
        if next < 0 || next as usize == tree || woke >= tree_asleep.len() {
            return woke;
        }
        current = next as usize;
    }
}

/// Wakes trees that the user has touched, returns how many woke. All trees wake when sleeping is switched off.
pub fn wake(m: &Model, d: &mut Data) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) {
        if d.ntree_awake < m.ntree {
            d.tree_asleep.fill(FULLY_AWAKE);
        }
        return m.ntree - d.ntree_awake;
    }
    let mut woke = 0;
    for tree in 0..m.ntree {
        if d.tree_asleep[tree] >= 0 && (d.tree_awake[tree] != 0 || !tree_can_sleep(m, d, tree, 0.0)) {
            woke += wake_tree(&mut d.tree_asleep, tree, FULLY_AWAKE);
        }
    }
    woke
}

/// Wakes the sleeping one of two trees that act on each other; it inherits the wake counter of the other.
fn wake_pair(d: &mut Data, tree1: usize, tree2: usize) -> usize {
    let (awake1, awake2) = (d.tree_awake[tree1] != 0, d.tree_awake[tree2] != 0);
    if awake1 == awake2 {
        return 0;
    }
    let (sleeping, other) = if awake1 { (tree2, tree1) } else { (tree1, tree2) };
    let wakeval = d.tree_asleep[other];
    wake_tree(&mut d.tree_asleep, sleeping, wakeval)
}

/// A tree of a soft flex; -1 for other flexes. All of them sleep and wake together.
fn soft_tree(m: &Model, flex: i32) -> i32 {
    let trees = usize::try_from(flex).map_or(&[][..], |flex| m.parts.soft_trees(flex));
    trees.first().map_or(-1, |soft| soft.tree as i32)
}

/// Wakes sleeping trees that touch awake ones, returns how many woke.
#[inline(never)]
pub fn wake_collision(m: &Model, d: &mut Data) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woke = 0;
    for i in 0..d.contact.len() {
        let Contact { geom, flex, .. } = d.contact[i];
        let tree = |side: usize| match usize::try_from(geom[side]) {
            Ok(g) => m.body_treeid[m.geom_bodyid[g] as usize],
            Err(_) => soft_tree(m, flex[side]),
        };
        let (tree1, tree2) = (tree(0), tree(1));
        if tree1 >= 0 && tree2 >= 0 {
            woke += wake_pair(d, tree1 as usize, tree2 as usize);
        }
    }
    woke
}

/// Wakes sleeping trees that a tendon at its limit ties to an awake one, returns how many woke.
#[inline(never)]
pub fn wake_tendon(m: &Model, d: &mut Data) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woke = 0;
    let limits = TendonLimits::of(m);
    for tendon in 0..m.ntendon {
        if m.tendon_treenum[tendon] == 2 && limits.is_active(tendon, d.ten_length[tendon]) {
            let [tree1, tree2] = m.tendon_treeid[tendon];
            woke += wake_pair(d, tree1 as usize, tree2 as usize);
        }
    }
    woke
}

/// The (at most two) trees an equality constraint acts on; -1 for none.
fn equality_trees(m: &Model, eq: usize) -> Option<[i32; 4]> {
    let ids = [m.eq_obj1id[eq], m.eq_obj2id[eq]];
    let body_tree = |body: i32| m.body_treeid[body as usize];
    match EqType::try_from(m.eq_type[eq]) {
        Ok(EqType::Connect | EqType::Weld) => {
            let tree = |id: i32| {
                let is_body = m.eq_objtype[eq] == ObjType::Body as i32;
                body_tree(if is_body { id } else { m.site_bodyid[id as usize] })
            };
            Some([tree(ids[0]), tree(ids[1]), -1, -1])
        }
        Ok(EqType::Joint) => {
            let tree = |id: i32| if id >= 0 { body_tree(m.jnt_bodyid[id as usize]) } else { -1 };
            Some([tree(ids[0]), tree(ids[1]), -1, -1])
        }
        Ok(EqType::Tendon) => {
            let trees = |id: i32| match id {
                0.. => {
                    let n = m.tendon_treenum[id as usize];
                    let t = m.tendon_treeid[id as usize];
                    [if n > 0 { t[0] } else { -1 }, if n > 1 { t[1] } else { -1 }]
                }
                _ => [-1, -1],
            };
            let (a, b) = (trees(ids[0]), trees(ids[1]));
            Some([a[0], a[1], b[0], b[1]])
        }
        // flexes never sleep
        Ok(EqType::Flex | EqType::Flexvert | EqType::Distance) | Err(_) => None,
    }
}

/// Wakes sleeping trees that an equality constraint ties to an awake tree or to another sleep cycle, returns how
/// many woke. Tendon equality is included (the reference stops with an error; see docs/deviations.md).
#[inline(never)]
pub fn wake_equality(m: &Model, d: &mut Data) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) {
        return 0;
    }
    let mut woke = 0;
    for eq in 0..m.neq {
        if d.eq_active[eq] == 0 {
            continue;
        }
        let Some(trees) = equality_trees(m, eq) else { continue };
        for i in 0..4 {
            for j in i + 1..4 {
                if trees[i] >= 0 && trees[j] >= 0 && trees[i] != trees[j] {
                    woke += wake_tied(d, trees[i] as usize, trees[j] as usize);
                }
            }
        }
    }
    woke
}

fn wake_tied(d: &mut Data, tree1: usize, tree2: usize) -> usize {
    let (awake1, awake2) = (d.tree_awake[tree1] != 0, d.tree_awake[tree2] != 0);
    if awake1 && awake2 {
        return 0;
    }
    if !awake1 && !awake2 {
        let (cycle1, cycle2) = (sleep_cycle(&d.tree_asleep, tree1), sleep_cycle(&d.tree_asleep, tree2));
        if cycle1 == cycle2 {
            return 0;
        }
        return wake_tree(&mut d.tree_asleep, tree1, FULLY_AWAKE)
            + wake_tree(&mut d.tree_asleep, tree2, FULLY_AWAKE);
    }
    wake_tree(&mut d.tree_asleep, if awake1 { tree2 } else { tree1 }, FULLY_AWAKE)
}

/// What falling asleep changes.
struct Sleepers<'a> {
    m: &'a Model,
    tree_asleep: &'a mut [i32],
    qvel: &'a mut [f64],
    qacc: &'a mut [f64],
}

impl Sleepers<'_> {
    /// Puts trees into one sleep cycle and stops them, if all of them are ready; returns how many there are.
    fn put_to_sleep(&mut self, trees: &[i32]) -> usize {
        if !trees.iter().all(|&tree| self.tree_asleep[tree as usize] == -1) {
            return 0;
        }
        for (i, &tree) in trees.iter().enumerate() {
            let tree = tree as usize;
            self.tree_asleep[tree] = trees[(i + 1) % trees.len()];
            let dof = self.m.tree_dofadr[tree] as usize;
            let dofs = dof..dof + self.m.tree_dofnum[tree] as usize;
            self.qvel[dofs.clone()].fill(0.0);
            self.qacc[dofs].fill(0.0);
        }
        trees.len()
    }
}

/// Puts slow islands and slow free trees to sleep, returns how many trees fell asleep.
pub fn sleep(m: &Model, d: &mut Data) -> usize {
    if !m.opt.enabled(EnableBit::Sleep) || (d.nefc > 0 && d.nisland == 0) {
        return 0;
    }
    for tree in 0..m.ntree {
        if d.tree_asleep[tree] < 0 {
            d.tree_asleep[tree] = if tree_can_sleep(m, d, tree, m.opt.sleep_tolerance) {
                (d.tree_asleep[tree] + 1).min(-1)
            } else {
                FULLY_AWAKE
            };
        }
    }
    if m.parts.first_soft().is_some() {
        return sleep_with_soft_flexes(m, d);
    }
    let Data { tree_asleep, qvel, qacc, map_itree2tree, island_itreeadr, island_ntree, nisland, .. } = d;
    let mut sleepers = Sleepers { m, tree_asleep, qvel, qacc };
    let mut slept = 0;
    let mut constrained = 0;
    for island in 0..*nisland {
        let start = island_itreeadr[island] as usize;
        constrained = start + island_ntree[island] as usize;
        slept += sleepers.put_to_sleep(&map_itree2tree[start..constrained]);
    }
    for k in constrained..m.ntree {
        let tree = if *nisland > 0 { map_itree2tree[k] } else { k as i32 };
        slept += sleepers.put_to_sleep(&[tree]);
    }
    slept
}

/// Trees that move together: each points to a tree of its group, the last to itself.
struct Groups<'a>(&'a mut [u32]);

impl Groups<'_> {
    fn of(&mut self, mut tree: usize) -> usize {
        while self.0[tree] as usize != tree {
            self.0[tree] = self.0[self.0[tree] as usize];
            tree = self.0[tree] as usize;
        }
        tree
    }

    /// Makes one group of all that these trees belong to, named by its smallest tree.
    fn join(&mut self, trees: impl Iterator<Item = usize>) {
        let mut last = None;
        for tree in trees {
            let group = self.of(tree);
            let smallest = last.map_or(group, |other: usize| other.min(group));
            self.0[group] = smallest as u32;
            if let Some(other) = last {
                self.0[other] = smallest as u32;
            }
            last = Some(smallest);
        }
    }
}

/// [`sleep`] where soft flexes hold trees together: what is in an island or a soft flex falls asleep at once.
fn sleep_with_soft_flexes(m: &Model, d: &mut Data) -> usize {
    let mut memory = std::mem::take(&mut d.workspace.scratch().sleepers);
    let Sleeping { group, trees, members } = &mut memory;
    group.clear();
    group.extend(0..m.ntree as u32);
    let mut groups = Groups(group);
    for island in 0..d.nisland {
        let start = d.island_itreeadr[island] as usize;
        let end = start + d.island_ntree[island] as usize;
        groups.join(d.map_itree2tree[start..end].iter().map(|&tree| tree as usize));
    }
    for flex in 0..m.nflex {
        groups.join(m.parts.soft_trees(flex).iter().map(|soft| soft.tree));
    }
    trees.clear();
    trees.extend((0..m.ntree).map(|tree| (groups.of(tree) as u32, tree as i32)));
    trees.sort_unstable();
    let Data { tree_asleep, qvel, qacc, .. } = d;
    let mut sleepers = Sleepers { m, tree_asleep, qvel, qacc };
    let mut slept = 0;
    for chunk in trees.chunk_by(|a, b| a.0 == b.0) {
        members.clear();
        members.extend(chunk.iter().map(|&(_, tree)| tree));
        slept += sleepers.put_to_sleep(members);
    }
    d.workspace.scratch().sleepers = memory;
    slept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles() {
        let asleep = [2, -1, 4, -5, 0];
        assert_eq!(sleep_cycle(&asleep, 4), Some(0));
        assert_eq!(sleep_cycle(&asleep, 1), None);
        let mut woken = asleep;
        assert_eq!(wake_tree(&mut woken, 2, FULLY_AWAKE), 3);
        assert_eq!(woken, [FULLY_AWAKE, -1, FULLY_AWAKE, -5, FULLY_AWAKE]);
        assert_eq!(wake_tree(&mut woken, 1, -3), 0);
        assert_eq!(woken[1], -3);
    }
}
