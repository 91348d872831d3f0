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
    number_rows(m, d);
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
        &mut d.island_iefcadr,
    ] {
        list.refill(1, 0);
    }
    d.island_ntree.refill(1, 1);
    d.island_nv.refill(1, m.nv as i32);
    d.island_ne.refill(1, d.ne as i32);
    d.island_nf.refill(1, d.nf as i32);
    d.island_nefc.refill(1, d.nefc as i32);
    d.dof_island.refill(m.nv, 0);
    d.efc_island.refill(d.nefc, 0);
    // the lists are empty
    for (list, count) in [(&mut d.map_dof2idof, m.nv), (&mut d.map_efc2iefc, d.nefc)] {
        list.extend(0..count as i32);
    }
    d.map_idof2dof.extend_from_slice(&d.map_dof2idof);
    d.map_iefc2efc.extend_from_slice(&d.map_efc2iefc);
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

    /// Tree of the first non-zero of a row.
    fn first_tree(&self, row: usize) -> i32 {
        match self.trees(row) {
            RowTrees::Pair(tree, _) => tree,
            RowTrees::Scan => self.jac.tying_cols(row).next().map_or(-1, |c| self.m.dof_treeid[c as usize]),
        }
    }
}

/// Borrows the owners of all rows of a state and nothing else of it.
macro_rules! row_owners {
    ($m:expr, $d:expr) => {
        RowOwners {
            m: $m,
            kind: &$d.efc_type,
            id: &$d.efc_id,
            contact: &$d.contact,
            jac: JacobianView::of_parts($m, &$d.efc_J, &$d.efc_J_rownnz, &$d.efc_J_rowadr, &$d.efc_J_colind),
        }
    };
}

fn find_root(parent: &mut [i32], mut tree: usize) -> usize {
    while parent[tree] as usize != tree {
        parent[tree] = parent[parent[tree] as usize];
        tree = parent[tree] as usize;
    }
    tree
}

/// Joins two trees; the smaller number becomes the root, so that roots come in the order of discovery.
fn join(parent: &mut [i32], a: i32, b: i32) {
    if a < 0 || b < 0 {
        return;
    }
    let (a, b) = (find_root(parent, a as usize), find_root(parent, b as usize));
    parent[a.max(b)] = a.min(b) as i32;
}

/// Sets `tree_island` and `nisland`: islands are numbered by their first tree; free trees get -1.
#[inline(never)]
fn find_islands(m: &Model, d: &mut Data) {
    let owners = row_owners!(m, d);
    // the list serves as the forest of joined trees here; it gets its numbers later
    let parent = &mut d.map_itree2tree;
    parent.clear();
    parent.extend(0..m.ntree as i32);
    let touched = d.tree_island.refill(m.ntree, -1);
    let (mut last, mut previous) = ((-1, -1), -1);
    for row in 0..d.nefc {
        let key = (owners.kind[row], owners.id[row]);
        let repeated = key == last;
        last = key;
        // rows of one constraint have the same trees, except those of a flex
        let flex_equality = key.0 == ConstraintType::Equality as i32
            && matches!(EqType::try_from(m.eq_type[key.1 as usize]), Ok(EqType::Flex | EqType::Flexvert));
        match owners.trees(row) {
            RowTrees::Pair(..) if repeated => {}
            RowTrees::Pair(a, b) => {
                if a >= 0 {
                    touched[a as usize] = 0;
                }
                join(parent, a, b);
                if b >= 0 {
                    touched[b as usize] = 0;
                }
            }
            RowTrees::Scan if repeated && owners.jac.has_patterns() && !flex_equality => {}
            RowTrees::Scan => {
                // rows of a contact belong together, also where the numbers of a tree are zero in some of them
                if !repeated || flex_equality {
                    previous = -1;
                }
                for c in owners.jac.tying_cols(row) {
                    let tree = m.dof_treeid[c as usize];
                    if tree != previous {
                        touched[tree as usize] = 0;
                        join(parent, previous, tree);
                        previous = tree;
                    }
                }
            }
        }
    }
    d.nisland = 0;
    for tree in 0..m.ntree {
        if touched[tree] < 0 {
            continue;
        }
        let root = find_root(parent, tree);
        touched[tree] = if root == tree {
            d.nisland += 1;
            d.nisland as i32 - 1
        } else {
            touched[root]
        };
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
    let dof_island = sized(&mut d.dof_island, m.nv);
    let count = sized(&mut d.island_nv, d.nisland);
    d.nidof = 0;
    for dof in 0..m.nv {
        let island = d.tree_island[m.dof_treeid[dof] as usize];
        dof_island[dof] = island;
        if island >= 0 {
            count[island as usize] += 1;
            d.nidof += 1;
        }
    }
    addresses(&d.island_nv, &mut d.island_idofadr);
    let to_island = sized(&mut d.map_dof2idof, m.nv);
    let to_global = sized(&mut d.map_idof2dof, m.nv);
    let cursor = sized(&mut d.island_dofadr, d.nisland);
    cursor.copy_from_slice(&d.island_idofadr);
    let mut free = d.nidof;
    for dof in 0..m.nv {
        let island = d.dof_island[dof];
        let position = if island >= 0 {
            cursor[island as usize] += 1;
            cursor[island as usize] as usize - 1
        } else {
            free += 1;
            free - 1
        };
        to_island[dof] = position as i32;
        to_global[position] = dof as i32;
    }
    for island in 0..d.nisland {
        d.island_dofadr[island] = d.map_idof2dof[d.island_idofadr[island] as usize];
    }
}

#[inline(never)]
fn number_rows(m: &Model, d: &mut Data) {
    let owners = row_owners!(m, d);
    let efc_island = sized(&mut d.efc_island, d.nefc);
    sized(&mut d.island_ne, d.nisland);
    sized(&mut d.island_nf, d.nisland);
    sized(&mut d.island_nefc, d.nisland);
    let mut last = (-1, -1, -1);
    for row in 0..d.nefc {
        let (kind, id) = (owners.kind[row], owners.id[row]);
        let repeated = (kind, id) == (last.0, last.1) && kind != ConstraintType::Equality as i32;
        let island = if repeated { last.2 } else { d.tree_island[owners.first_tree(row) as usize] };
        last = (kind, id, island);
        efc_island[row] = island;
        d.island_nefc[island as usize] += 1;
        if row < d.ne {
            d.island_ne[island as usize] += 1;
        } else if row < d.ne + d.nf {
            d.island_nf[island as usize] += 1;
        }
    }
    addresses(&d.island_nefc, &mut d.island_iefcadr);
    let to_island = sized(&mut d.map_efc2iefc, d.nefc);
    let to_global = sized(&mut d.map_iefc2efc, d.nefc);
    for (row, &island) in efc_island.iter().enumerate() {
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
