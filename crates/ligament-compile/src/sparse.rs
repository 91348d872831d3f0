//! Sparsity of the matrices that follow the kinematic tree: M, D and B.
//!
//! M is the inertia matrix: lower triangle by rows, where a dof of a "simple" body keeps only its diagonal.
//! D is the symmetric dof-dof pattern. B has for each body the dofs of its ancestors and its subtree.

use ligament_model::Model;

/// Entries of the four matrices, found before the model is allocated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SparseSizes {
    /// Lower triangle of the inertia matrix.
    pub nm: usize,
    /// The same, with simple dofs on the diagonal only.
    pub nc: usize,
    /// Symmetric dof-dof matrix.
    pub nd: usize,
    /// Body-dof matrix.
    pub nb: usize,
}

/// Counts entries from the tables of the tree: parents of dofs, runs of simple dofs, and per body its parent
/// and number of dofs.
pub fn count(
    dof_parent: &[i32],
    dof_simplenum: &[i32],
    body_parent: &[usize],
    body_dofs: &[usize],
) -> SparseSizes {
    let nv = dof_parent.len();
    // number of dofs on the path to the root, itself included
    let mut depth = vec![1; nv];
    for i in 0..nv {
        if let Ok(parent) = usize::try_from(dof_parent[i]) {
            depth[i] = depth[parent] + 1;
        }
    }
    let nm = depth.iter().sum();
    let nc = nv
        + depth
            .iter()
            .zip(dof_simplenum)
            .filter(|(_, simple)| **simple == 0)
            .map(|(d, _)| d - 1)
            .sum::<usize>();
    let mut subtree = body_dofs.to_vec();
    for i in (1..subtree.len()).rev() {
        subtree[body_parent[i]] += subtree[i];
    }
    let mut above = vec![0; body_dofs.len()];
    for i in 1..above.len() {
        let parent = body_parent[i];
        above[i] = if parent == 0 { 0 } else { above[parent] + body_dofs[parent] };
    }
    let nb = if nv == 0 { 0 } else { subtree.iter().sum::<usize>() + above.iter().sum::<usize>() };
    SparseSizes { nm, nc, nd: 2 * nm - nv, nb }
}

/// Fills in all patterns and the maps between them.
pub fn fill(m: &mut Model) {
    fill_dof_addresses(m);
    fill_d(m);
    fill_b(m);
    fill_m(m);
    fill_maps(m);
}

/// Ancestors of a dof, nearest first.
fn ancestors(dof_parent: &[i32], dof: usize) -> impl Iterator<Item = usize> + '_ {
    let up = |dof: &usize| usize::try_from(dof_parent[*dof]).ok();
    std::iter::successors(up(&dof), up)
}

fn fill_dof_addresses(m: &mut Model) {
    let mut adr = 0;
    for i in 0..m.nv {
        m.dof_Madr[i] = adr;
        adr += 1 + ancestors(&m.dof_parentid, i).count() as i32;
    }
}

/// Row addresses from row lengths.
fn row_addresses(rownnz: &[i32], rowadr: &mut [i32]) {
    let mut adr = 0;
    for (row, &nnz) in rowadr.iter_mut().zip(rownnz) {
        *row = adr;
        adr += nnz;
    }
}

fn fill_d(m: &mut Model) {
    let nv = m.nv;
    m.D_rownnz.fill(1);
    for i in 0..nv {
        for j in ancestors(&m.dof_parentid, i) {
            m.D_rownnz[i] += 1;
            m.D_rownnz[j] += 1;
        }
    }
    row_addresses(&m.D_rownnz, &mut m.D_rowadr);
    // rows are filled from their ends, in decreasing order of columns
    let mut end: Vec<usize> = (0..nv).map(|i| (m.D_rowadr[i] + m.D_rownnz[i]) as usize).collect();
    for i in (0..nv).rev() {
        end[i] -= 1;
        m.D_colind[end[i]] = i as i32;
        m.D_diag[i] = end[i] as i32 - m.D_rowadr[i];
        for j in ancestors(&m.dof_parentid, i) {
            end[i] -= 1;
            m.D_colind[end[i]] = j as i32;
            end[j] -= 1;
            m.D_colind[end[j]] = i as i32;
        }
    }
}

fn fill_m(m: &mut Model) {
    for i in 0..m.nv {
        let off_diagonal =
            if m.dof_simplenum[i] > 0 { 0 } else { ancestors(&m.dof_parentid, i).count() as i32 };
        m.M_rownnz[i] = 1 + off_diagonal;
    }
    row_addresses(&m.M_rownnz, &mut m.M_rowadr);
    for i in 0..m.nv {
        let mut at = (m.M_rowadr[i] + m.M_rownnz[i]) as usize - 1;
        m.M_colind[at] = i as i32;
        m.mapM2M[at] = m.dof_Madr[i];
        if m.dof_simplenum[i] == 0 {
            for (offset, j) in ancestors(&m.dof_parentid, i).enumerate() {
                at -= 1;
                m.M_colind[at] = j as i32;
                m.mapM2M[at] = m.dof_Madr[i] + 1 + offset as i32;
            }
        }
    }
}

fn fill_b(m: &mut Model) {
    let nbody = m.nbody;
    if m.nv == 0 {
        return;
    }
    m.B_rownnz.fill(0);
    for i in (1..nbody).rev() {
        m.B_rownnz[i] += m.body_dofnum[i];
        m.B_rownnz[m.body_parentid[i] as usize] += m.B_rownnz[i];
    }
    // a row is the dofs of the ancestors, then those of the subtree, which are contiguous
    let subtree = m.B_rownnz.clone();
    let first_dof = first_subtree_dofs(m);
    let mut columns: Vec<i32> = Vec::with_capacity(m.nB);
    for i in 0..nbody {
        let parent = m.body_parentid[i] as usize;
        let start = columns.len();
        m.B_rowadr[i] = start as i32;
        if parent > 0 {
            let above = (m.B_rownnz[parent] - subtree[parent]) as usize;
            let from = m.B_rowadr[parent] as usize;
            columns.extend_from_within(from..from + above);
            columns.extend((0..m.body_dofnum[parent]).map(|n| m.body_dofadr[parent] + n));
        }
        columns.extend(first_dof[i]..first_dof[i] + subtree[i]);
        m.B_rownnz[i] = (columns.len() - start) as i32;
    }
    m.B_colind = columns.into();
}

/// Address of the first dof in the subtree of each body that has one.
fn first_subtree_dofs(m: &Model) -> Vec<i32> {
    let mut first = vec![0; m.nbody];
    let mut next = m.nv as i32;
    for i in (0..m.nbody).rev() {
        if m.body_dofnum[i] > 0 {
            next = m.body_dofadr[i];
        }
        first[i] = next;
    }
    first
}

/// `mapM2D`: for each entry of D the entry of M it copies, -1 where M keeps none. `mapD2M`: the reverse.
fn fill_maps(m: &mut Model) {
    m.mapM2D.fill(-1);
    let row = |adr: &[i32], nnz: &[i32], i: usize| adr[i] as usize..(adr[i] + nnz[i]) as usize;
    for i in 0..m.nv {
        let d_row = row(&m.D_rowadr, &m.D_rownnz, i);
        for k in row(&m.M_rowadr, &m.M_rownnz, i) {
            let j = m.M_colind[k];
            // both rows are sorted
            if let Ok(at) = m.D_colind[d_row.clone()].binary_search(&j) {
                m.mapM2D[d_row.start + at] = k as i32;
                m.mapD2M[k] = (d_row.start + at) as i32;
            }
            let j = j as usize;
            if j != i {
                let other = row(&m.D_rowadr, &m.D_rownnz, j);
                if let Ok(at) = m.D_colind[other.clone()].binary_search(&(i as i32)) {
                    m.mapM2D[other.start + at] = k as i32;
                }
            }
        }
    }
}
