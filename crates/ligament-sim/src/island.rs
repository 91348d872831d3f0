//! Constraint islands: trees that act on each other through constraints, directly or in a chain.

use crate::access::{Access, access};
use crate::awake;
use ligament_model::enums::{ConstraintType, DisableBit, EqType, ObjType};
use ligament_model::storage::List;
use ligament_model::{Contact, Data, Model};

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
    number_trees(m, d);
    number_dofs(m, d);
    number_rows(d);
}

/// All rows act on the only tree there is: nothing changes its place.
fn one_island(m: &Model, d: &mut Data) {
    (d.nisland, d.nidof) = (1, m.nv);
    for list in [
        &mut d.tree_island,
        &mut d.island_itreeadr,
        &mut d.map_itree2tree,
        &mut d.island_idofadr,
        &mut d.island_dofadr,
    ] {
        list.refill(1, 0);
    }
    d.island_ntree.refill(1, 1);
    d.island_nv.refill(1, m.nv as i32);
    d.dof_island.refill(m.nv, 0);
    // the lists are empty
    d.map_dof2idof.extend(0..m.nv as i32);
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
    fn tie(&self, row: usize, mut previous: i32, forest: &mut Forest) -> (i32, i32) {
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

/// Sets `tree_island` and `nisland`: islands are numbered by their first tree; free trees get -1. The list `efc_island` gets
/// the first tree of each row, which [`number_rows`] makes islands of.
#[inline(never)]
fn find_islands(m: &Model, d: &mut Data) {
    let (kind, id) = (&d.efc_type[..d.nefc], &d.efc_id[..d.nefc]);
    let jac = JacobianView::of_parts(m, &d.efc_J, &d.efc_J_rownnz, &d.efc_J_rowadr, &d.efc_J_colind);
    let owners = RowOwners { m, kind, id, contact: &d.contact, jac };
    // the list serves as the forest of joined trees here; it gets its numbers later
    let parent = &mut d.map_itree2tree;
    parent.clear();
    parent.extend(0..m.ntree as i32);
    let mut forest = Forest { parent, touched: d.tree_island.refill(m.ntree, -1) };
    let (mut last, mut flex_equality) = ((-1, -1), false);
    let (mut first, mut previous) = (-1, -1);
    d.efc_island.clear();
    for (row, key) in kind.iter().copied().zip(id.iter().copied()).enumerate() {
        let repeated = key == last;
        if !repeated {
            last = key;
            flex_equality = key.0 == ConstraintType::Equality as i32
                && matches!(EqType::try_from(m.eq_type[key.1 as usize]), Ok(EqType::Flex | EqType::Flexvert));
        }
        // rows of one constraint have the same trees, except those of a flex
        if !repeated || flex_equality {
            match if flex_equality { RowTrees::Scan } else { owners.trees(row) } {
                RowTrees::Pair(a, b) => {
                    forest.touch(a);
                    forest.join(a, b);
                    forest.touch(b);
                    (first, previous) = (a, b);
                }
                RowTrees::Scan => (first, previous) = owners.tie(row, -1, &mut forest),
            }
        } else if !jac.has_patterns() && matches!(owners.trees(row), RowTrees::Scan) {
            // rows of a contact belong together, also where the numbers of a tree are zero in some of them
            (_, previous) = owners.tie(row, previous, &mut forest);
        }
        d.efc_island.push(first);
    }
    d.nisland = forest.number();
}

/// Trees that have been joined.
struct Forest<'a> {
    parent: &'a mut [i32],
    /// Zero for those that a row acts on.
    touched: &'a mut [i32],
}

impl Forest<'_> {
    #[inline]
    fn touch(&mut self, tree: i32) {
        if tree >= 0 {
            self.touched[tree as usize] = 0;
        }
    }

    fn root(&mut self, mut tree: usize) -> usize {
        let parent = &mut *self.parent;
        while parent[tree] as usize != tree {
            parent[tree] = parent[parent[tree] as usize];
            tree = parent[tree] as usize;
        }
        tree
    }

    /// Joins two trees; the smaller number becomes the root, so that roots come in the order of discovery.
    #[inline]
    fn join(&mut self, a: i32, b: i32) {
        if a < 0 || b < 0 || self.parent[a as usize] == self.parent[b as usize] {
            return;
        }
        let (a, b) = (self.root(a as usize), self.root(b as usize));
        self.parent[a.max(b)] = a.min(b) as i32;
    }

    /// Numbers the islands in place of the marks; returns how many there are.
    fn number(&mut self) -> usize {
        let mut count = 0;
        for tree in 0..self.touched.len() {
            if self.touched[tree] < 0 {
                continue;
            }
            let root = self.root(tree);
            self.touched[tree] = if root == tree {
                count += 1;
                count - 1
            } else {
                self.touched[root]
            };
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
        for dof in dofs(tree) {
            to_island[dof] = *cursor;
            to_global[*cursor as usize] = dof as i32;
            *cursor += 1;
        }
    }
    for island in 0..d.nisland {
        d.island_dofadr[island] = d.map_idof2dof[d.island_idofadr[island] as usize];
    }
}

/// Numbers the rows; `efc_island` has the first tree of each.
#[inline(never)]
fn number_rows(d: &mut Data) {
    if d.nisland == 1 {
        return number_all_rows(d);
    }
    sized(&mut d.island_ne, d.nisland);
    sized(&mut d.island_nf, d.nisland);
    let count = sized(&mut d.island_nefc, d.nisland);
    for (row, island) in d.efc_island.iter_mut().enumerate() {
        *island = d.tree_island[*island as usize];
        count[*island as usize] += 1;
        if row < d.ne {
            d.island_ne[*island as usize] += 1;
        } else if row < d.ne + d.nf {
            d.island_nf[*island as usize] += 1;
        }
    }
    addresses(&d.island_nefc, &mut d.island_iefcadr);
    let to_island = sized(&mut d.map_efc2iefc, d.nefc);
    let to_global = sized(&mut d.map_iefc2efc, d.nefc);
    for (row, &island) in d.efc_island.iter().enumerate() {
        // island_iefcadr is used as the cursor and moved back below
        let cursor = &mut d.island_iefcadr[island as usize];
        to_island[row] = *cursor;
        to_global[*cursor as usize] = row as i32;
        *cursor += 1;
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
