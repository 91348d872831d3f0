//! Constraint islands: trees that act on each other through constraints, directly or in a chain.

use crate::access::{Access, access};
use crate::awake;
use crate::parallel;
use crate::workspace::{Forest, Scratches as _};
use ligament_model::enums::{ConstraintType, DisableBit, EqType, ObjType};
use ligament_model::storage::List;
use ligament_model::{Contact, Data, Model};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

use crate::constraint::JacobianView;

/// What [`island`] touches.
pub(crate) const ISLAND: Access = access! {
    model {
        body_treeid dof_treeid eq_obj1id eq_obj2id eq_objtype eq_type geom_bodyid jnt_dofadr site_bodyid
        tree_dofadr tree_dofnum
    }
    reads { efc_J_colind efc_J_rowadr efc_J_rownnz efc_id efc_type ne nefc nf }
    writes {
        dof_island efc_island island_dofadr island_idofadr island_iefcadr island_itreeadr island_ne
        island_nefc island_nf island_ntree island_nv map_dof2idof map_efc2iefc map_idof2dof map_iefc2efc
        map_itree2tree nidof nisland tree_island
    }
};

/// Finds the islands and how trees, degrees of freedom and rows are numbered in them.
///
/// Reads: efc_type efc_id efc_J contact. Writes: nisland nidof, tree_island dof_island efc_island, island_*,
/// map_itree2tree map_dof2idof map_idof2dof map_efc2iefc map_iefc2efc.
pub fn island(m: &Model, d: &mut Data) {
    d.clear_islands();
    // a soft flex ties its trees together without rows: its solver knows no islands, only sleeping asks for them
    let tied = m.parts.first_soft().is_some() && !awake::sleep_enabled(m);
    if m.opt.disabled(DisableBit::Island) || d.nefc == 0 || tied {
        return;
    }
    if m.ntree == 1 {
        return one_island(m, d);
    }
    find_islands(m, d);
    if d.nisland == 0 {
        return;
    }
    if d.nisland == 1 && d.tree_island.iter().all(|&island| island == 0) {
        return one_island(m, d);
    }
    number_trees(m, d);
    number_dofs(m, d);
    number_rows(d);
}

/// All trees belong to one island: nothing changes its place.
fn one_island(m: &Model, d: &mut Data) {
    (d.nisland, d.nidof) = (1, m.nv);
    for list in [&mut d.island_itreeadr, &mut d.island_idofadr, &mut d.island_dofadr] {
        list.refill(1, 0);
    }
    d.tree_island.refill(m.ntree, 0);
    d.map_itree2tree.clear();
    d.map_itree2tree.extend(0..m.ntree as i32);
    d.island_ntree.refill(1, m.ntree as i32);
    d.island_nv.refill(1, m.nv as i32);
    d.dof_island.refill(m.nv, 0);
    d.map_dof2idof.clear();
    d.map_dof2idof.extend(0..m.nv as i32);
    d.map_idof2dof.clear();
    d.map_idof2dof.extend_from_slice(&d.map_dof2idof);
    number_all_rows(d);
}

/// The trees of a constraint row: at most two for constraints between bodies, else those of its Jacobian.
enum RowTrees {
    Pair(i32, i32),
    Scan,
}

/// The rows that islands are made from.
#[derive(Clone, Copy)]
struct RowOwners<'a> {
    m: &'a Model,
    kind: &'a [i32],
    id: &'a [i32],
    contact: &'a [Contact],
    jac: JacobianView<'a>,
}

impl RowOwners<'_> {
    fn trees(&self, row: usize) -> RowTrees {
        let (m, id) = (self.m, self.id[row] as usize);
        let ordered = |a: i32, b: i32| if a < 0 { RowTrees::Pair(b, a) } else { RowTrees::Pair(a, b) };
        match ConstraintType::try_from(self.kind[row]) {
            Ok(ConstraintType::FrictionDof) => RowTrees::Pair(m.dof_treeid[id], -1),
            Ok(ConstraintType::LimitJoint) => RowTrees::Pair(m.dof_treeid[m.jnt_dofadr[id] as usize], -1),
            Ok(
                ConstraintType::ContactFrictionless
                | ConstraintType::ContactPyramidal
                | ConstraintType::ContactElliptic,
            ) => {
                let [g1, g2] = self.contact[id].geom;
                if g1 < 0 || g2 < 0 {
                    return RowTrees::Scan;
                }
                let tree = |g: i32| m.body_treeid[m.geom_bodyid[g as usize] as usize];
                ordered(tree(g1), tree(g2))
            }
            Ok(ConstraintType::Equality)
                if m.eq_type[id] == EqType::Connect as i32 || m.eq_type[id] == EqType::Weld as i32 =>
            {
                let tree = |i: i32| {
                    let i = i as usize;
                    let site = m.eq_objtype[id] == ObjType::Site as i32;
                    m.body_treeid[if site { m.site_bodyid[i] as usize } else { i }]
                };
                ordered(tree(m.eq_obj1id[id]), tree(m.eq_obj2id[id]))
            }
            _ => RowTrees::Scan,
        }
    }

    /// Joins the trees of a row, and one before them where there is one; returns the first and the last tree.
    #[inline]
    fn tie(&self, row: usize, mut previous: i32, forest: Joining) -> (i32, i32) {
        let trees = &self.m.dof_treeid[..];
        let mut tie = |c: i32| {
            let tree = trees[c as usize];
            if tree != previous {
                forest.touch(tree);
                forest.join(previous, tree);
                previous = tree;
            }
        };
        if self.jac.has_patterns() {
            let cols = self.jac.cols(row);
            cols.iter().for_each(|&c| tie(c));
            (cols.first().map_or(-1, |&c| trees[c as usize]), previous)
        } else {
            self.jac.tying_cols(row).for_each(tie);
            (self.jac.tying_cols(row).next().map_or(-1, |c| trees[c as usize]), previous)
        }
    }
}

/// Rows below which another thread costs more than it saves: they take some ten microseconds.
const MIN_ROWS: usize = 1000;

/// Sets `tree_island` and `nisland`: islands are numbered by their first tree; free trees get -1. The list `efc_island` gets
/// the first tree of each row, which [`number_rows`] makes islands of.
#[inline(never)]
fn find_islands(m: &Model, d: &mut Data) {
    let (kind, id) = (&d.efc_type[..d.nefc], &d.efc_id[..d.nefc]);
    let jac = JacobianView::of_parts(m, &d.efc_J, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_colind);
    let owners = RowOwners { m, kind, id, contact: &d.contact, jac };
    let forest = &mut d.workspace.scratch().forest;
    forest.plant(m.ntree);
    // rows of one constraint have the same trees only where they are stored with the same columns
    let threads = if jac.has_patterns() { d.threads } else { 1 };
    let joining = forest.joining(threads > 1 && d.nefc >= 2 * MIN_ROWS);
    let rows = (0..d.nefc, d.efc_island.refill(d.nefc, -1));
    parallel::split(threads, MIN_ROWS, rows, |(rows, first)| owners.join(rows, first, joining));
    d.tree_island.clear();
    d.nisland = joining.number(&mut d.tree_island);
}

impl RowOwners<'_> {
    /// Joins the trees of consecutive rows; says which is the first of each.
    fn join(&self, rows: Range<usize>, first_trees: &mut [i32], forest: Joining) {
        let (m, jac) = (self.m, self.jac);
        let (mut last, mut flex_equality) = ((-1, -1), false);
        let (mut first, mut previous) = (-1, -1);
        for (row, first_tree) in rows.zip(first_trees) {
            let key = (self.kind[row], self.id[row]);
            let repeated = key == last;
            if !repeated {
                last = key;
                flex_equality = key.0 == ConstraintType::Equality as i32
                    && matches!(
                        EqType::try_from(m.eq_type[key.1 as usize]),
                        Ok(EqType::Flex | EqType::Flexvert)
                    );
            }
            // rows of one constraint have the same trees, except those of a flex
            if !repeated || flex_equality {
                match if flex_equality { RowTrees::Scan } else { self.trees(row) } {
                    RowTrees::Pair(a, b) => {
                        forest.touch(a);
                        forest.join(a, b);
                        forest.touch(b);
                        (first, previous) = (a, b);
                    }
                    RowTrees::Scan => (first, previous) = self.tie(row, -1, forest),
                }
            } else if !jac.has_patterns() && matches!(self.trees(row), RowTrees::Scan) {
                // rows of a contact belong together, also where the numbers of a tree are zero in some of them
                (_, previous) = self.tie(row, previous, forest);
            }
            *first_tree = first;
        }
    }
}

impl Forest {
    /// Begins with so many trees, none of which is joined with another.
    fn plant(&mut self, trees: usize) {
        self.parent.clear();
        self.parent.extend((0..trees as u32).map(AtomicU32::new));
        self.touched.clear();
        self.touched.resize_with(trees, AtomicBool::default);
    }

    /// `shared`: several threads join trees.
    fn joining(&self, shared: bool) -> Joining<'_> {
        Joining { parent: &self.parent, touched: &self.touched, shared }
    }
}

/// Trees that are being joined. Of trees that belong together the smallest number is the root, whoever joins them in whatever
/// order: a root becomes the child of a smaller one, once, and never a root again.
#[derive(Clone, Copy)]
struct Joining<'a> {
    parent: &'a [AtomicU32],
    touched: &'a [AtomicBool],
    shared: bool,
}

impl Joining<'_> {
    #[inline]
    fn touch(self, tree: i32) {
        if tree >= 0 {
            self.touched[tree as usize].store(true, Relaxed);
        }
    }

    #[inline]
    fn parent(self, tree: u32) -> u32 {
        self.parent[tree as usize].load(Relaxed)
    }

    fn root(self, mut tree: u32) -> u32 {
        loop {
            let parent = self.parent(tree);
            if parent == tree {
                return tree;
            }
            // whoever else shortens the way writes another of its ancestors
            let next = self.parent(parent);
            self.parent[tree as usize].store(next, Relaxed);
            tree = next;
        }
    }

    /// Joins two trees; the smaller number becomes the root, so that roots come in the order of discovery.
    #[inline]
    fn join(self, a: i32, b: i32) {
        if a < 0 || b < 0 {
            return;
        }
        let (mut a, mut b) = (a as u32, b as u32);
        while self.parent(a) != self.parent(b) {
            (a, b) = (self.root(a), self.root(b));
            if self.adopt(a.max(b), a.min(b)) {
                return;
            }
        }
    }

    /// Makes a root the child of another tree. False if it is no root any more.
    #[inline]
    fn adopt(self, child: u32, root: u32) -> bool {
        let place = &self.parent[child as usize];
        if self.shared {
            return place.compare_exchange(child, root, Relaxed, Relaxed).is_ok();
        }
        place.store(root, Relaxed);
        true
    }

    /// Lists the islands of all trees; returns how many there are.
    fn number(self, islands: &mut List<i32>) -> usize {
        let mut count = 0;
        for (tree, touched) in (0..).zip(self.touched) {
            let root = if touched.load(Relaxed) { Some(self.root(tree)) } else { None };
            islands.push(match root {
                None => -1,
                Some(root) if root == tree => {
                    count += 1;
                    count - 1
                }
                Some(root) => islands[root as usize],
            });
        }
        count as usize
    }
}

fn sized(v: &mut List<i32>, n: usize) -> &mut [i32] {
    v.refill(n, 0)
}

/// Addresses from counts: exclusive running sums.
fn addresses(counts: &[i32], out: &mut List<i32>) {
    out.clear();
    let mut sum = 0;
    for &n in counts {
        out.push(sum);
        sum += n;
    }
}

#[inline(never)]
fn number_trees(m: &Model, d: &mut Data) {
    let count = sized(&mut d.island_ntree, d.nisland);
    for &island in &d.tree_island {
        if island >= 0 {
            count[island as usize] += 1;
        }
    }
    addresses(&d.island_ntree, &mut d.island_itreeadr);
    let mut free = d.island_ntree.iter().sum::<i32>() as usize;
    let order = sized(&mut d.map_itree2tree, m.ntree);
    // island_nv serves as the cursor here; it is recomputed below
    let cursor = sized(&mut d.island_nv, d.nisland);
    cursor.copy_from_slice(&d.island_itreeadr);
    for (tree, &island) in d.tree_island.iter().enumerate() {
        let position = if island >= 0 {
            cursor[island as usize] += 1;
            cursor[island as usize] as usize - 1
        } else {
            free += 1;
            free - 1
        };
        order[position] = tree as i32;
    }
}

#[inline(never)]
fn number_dofs(m: &Model, d: &mut Data) {
    let dofs = |tree: usize| {
        let first = m.tree_dofadr[tree] as usize;
        first..first + m.tree_dofnum[tree] as usize
    };
    let dof_island = sized(&mut d.dof_island, m.nv);
    let count = sized(&mut d.island_nv, d.nisland);
    d.nidof = 0;
    for (tree, &island) in d.tree_island.iter().enumerate() {
        dof_island[dofs(tree)].fill(island);
        if island >= 0 {
            count[island as usize] += m.tree_dofnum[tree];
            d.nidof += dofs(tree).len();
        }
    }
    addresses(&d.island_nv, &mut d.island_idofadr);
    let to_island = sized(&mut d.map_dof2idof, m.nv);
    let to_global = sized(&mut d.map_idof2dof, m.nv);
    let cursor = sized(&mut d.island_dofadr, d.nisland);
    cursor.copy_from_slice(&d.island_idofadr);
    let mut free = d.nidof as i32;
    for (tree, &island) in d.tree_island.iter().enumerate() {
        let cursor = if island >= 0 { &mut cursor[island as usize] } else { &mut free };
        let (own, first) = (dofs(tree), *cursor);
        *cursor += own.len() as i32;
        to_global[first as usize..*cursor as usize]
            .iter_mut()
            .zip(own.clone())
            .for_each(|(to, i)| *to = i as i32);
        to_island[own].iter_mut().zip(first..).for_each(|(to, i)| *to = i);
    }
    for island in 0..d.nisland {
        d.island_dofadr[island] = d.map_idof2dof[d.island_idofadr[island] as usize];
    }
}

/// Numbers the rows; `efc_island` has the first tree of each. Rows that follow each other mostly belong together.
#[inline(never)]
fn number_rows(d: &mut Data) {
    if d.nisland == 1 {
        return number_all_rows(d);
    }
    let count = sized(&mut d.island_nefc, d.nisland);
    for rows in d.efc_island.chunk_by_mut(|a, b| a == b) {
        let island = d.tree_island[rows[0] as usize];
        rows.fill(island);
        count[island as usize] += rows.len() as i32;
    }
    let of_kind = |rows: Range<usize>, count: &mut [i32]| {
        d.efc_island[rows].iter().for_each(|&island| count[island as usize] += 1);
    };
    of_kind(0..d.ne, sized(&mut d.island_ne, d.nisland));
    of_kind(d.ne..d.ne + d.nf, sized(&mut d.island_nf, d.nisland));
    addresses(&d.island_nefc, &mut d.island_iefcadr);
    let to_island = sized(&mut d.map_efc2iefc, d.nefc);
    let to_global = sized(&mut d.map_iefc2efc, d.nefc);
    let mut row = 0;
    for rows in d.efc_island.chunk_by(|a, b| a == b) {
        // island_iefcadr is used as the cursor and moved back below
        let cursor = &mut d.island_iefcadr[rows[0] as usize];
        let places = *cursor as usize..*cursor as usize + rows.len();
        let own = &mut to_island[row..row + rows.len()];
        own.iter_mut().zip(*cursor..).for_each(|(to, place)| *to = place);
        to_global[places].iter_mut().zip(row as i32..).for_each(|(to, row)| *to = row);
        *cursor += rows.len() as i32;
        row += rows.len();
    }
    for (adr, &n) in d.island_iefcadr.iter_mut().zip(&d.island_nefc) {
        *adr -= n;
    }
}

/// [`number_rows`] of the only island: all keep their places.
fn number_all_rows(d: &mut Data) {
    d.island_ne.refill(1, d.ne as i32);
    d.island_nf.refill(1, d.nf as i32);
    d.island_nefc.refill(1, d.nefc as i32);
    d.island_iefcadr.refill(1, 0);
    d.efc_island.refill(d.nefc, 0);
    d.map_efc2iefc.clear();
    d.map_efc2iefc.extend(0..d.nefc as i32);
    d.map_iefc2efc.clear();
    d.map_iefc2efc.extend_from_slice(&d.map_efc2iefc);
}
