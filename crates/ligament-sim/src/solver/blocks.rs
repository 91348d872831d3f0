//! Gathering one island of constraint rows; products with its Jacobian stand in `product.rs`.

mod product;
mod whole;

pub(super) use product::{mul_transposed_vec, mul_vec, solve_mass};
pub(super) use whole::{Gathered, WholeSystem, gather_whole};

use super::hessian::MAX_DENSE;
use crate::constraint::JacobianView;
use crate::parallel::{self, Job};
use crate::support::is_sparse;
use crate::workspace::{Block, BlockJacobian, SolverScratch, StartPoint};
use ligament_model::{Data, Model};

/// Entries of a Jacobian below which threads cost more than they save: a product takes ten microseconds.
const MIN_SHARED: usize = 20_000;

/// Copies everything the solver needs of an island (of the whole system for `None`) into the scratch.
/// Newton's method has no use for the factor of M.
pub(super) fn gather(
    m: &Model,
    d: &Data,
    start: &StartPoint,
    island: Option<usize>,
    newton: bool,
    s: &mut SolverScratch,
) {
    let gathered = std::mem::take(&mut s.is_gathered);
    if !gathered {
        s.trace = None;
        select(m, d, island, s);
        gather_mass(m, d, newton, s);
        gather_jacobian(m, d, newton, s);
    }
    s.jac.threads = if s.jac.entries() < MIN_SHARED { 1 } else { s.threads };
    let (n, nefc) = (s.dofs.len(), s.rows.len());
    let dofs = Picked { ids: &s.dofs, all: n == m.nv };
    let rows = Picked { ids: &s.rows, all: nefc == d.nefc };
    if gathered {
        let start_point: [Job; 2] =
            [&mut || dofs.copy(&d.qacc, &mut s.qacc), &mut || rows.copy(&start.residual, &mut s.jaref)];
        parallel::jobs(s.threads, nefc, start_point);
    } else {
        parallel::jobs(
            s.threads,
            nefc,
            [
                &mut || dofs.copy(&d.qfrc_smooth, &mut s.qfrc_smooth),
                &mut || dofs.copy(&d.qacc_smooth, &mut s.qacc_smooth),
                &mut || dofs.copy(&d.qacc, &mut s.qacc),
                &mut || rows.copy(&d.efc_D, &mut s.D),
                &mut || rows.copy(&d.efc_R, &mut s.R),
                &mut || rows.copy(&d.efc_frictionloss, &mut s.frictionloss),
                &mut || rows.copy(&start.residual, &mut s.jaref),
                &mut || rows.copy(&d.efc_type, &mut s.kind),
                &mut || rows.copy(&d.efc_id, &mut s.id),
            ],
        );
    }
    // all of these are written before they are read: only their lengths matter
    for v in [&mut s.force, &mut s.jv] {
        v.resize(nefc, 0.0);
    }
    for v in [&mut s.state, &mut s.old_state] {
        v.resize(nefc, 0);
    }
    for v in [&mut s.qfrc_constraint, &mut s.mv, &mut s.grad, &mut s.mgrad, &mut s.search] {
        v.resize(n, 0.0);
    }
    if start.momentum.is_empty() {
        s.ma.resize(n, 0.0);
        s.mass.mul_sym_vec(&s.qacc, &mut s.ma);
    } else {
        // trees are apart in M: sums within an island are those of all of M
        dofs.copy(&start.momentum, &mut s.ma);
    }
    if n < m.nv && s.jac.dense {
        // the residual again: columns stand elsewhere in the rows of an island, so that sums round otherwise
        mul_vec(&mut s.jac, &s.qacc, &mut s.jaref);
        for (jar, &row) in s.jaref.iter_mut().zip(&s.rows) {
            *jar -= d.efc_aref[row];
        }
    }
}

/// Places of an island in a vector of the whole system, ascending.
struct Picked<'a> {
    ids: &'a [usize],
    /// Are these all places?
    all: bool,
}

impl Picked<'_> {
    fn copy<T: Copy>(&self, from: &[T], to: &mut Vec<T>) {
        to.clear();
        if self.all {
            to.extend_from_slice(&from[..self.ids.len()]);
        } else {
            to.extend(self.ids.iter().map(|&i| from[i]));
        }
    }
}

/// Puts a result of an island, whose places ascend, where it belongs in the whole system.
pub(super) fn put_back<T: Copy>(ids: &[usize], from: &[T], to: &mut [T]) {
    if ids.len() == to.len() {
        to.copy_from_slice(from);
    } else {
        ids.iter().zip(from).for_each(|(&id, &x)| to[id] = x);
    }
}

/// The degrees of freedom and rows of an island.
fn select(m: &Model, d: &Data, island: Option<usize>, s: &mut SolverScratch) {
    let (dof_ids, row_ids) = match island {
        None => {
            (s.ne, s.nf) = (d.ne, d.nf);
            (Ids::First(m.nv), Ids::First(d.nefc))
        }
        Some(i) => {
            (s.ne, s.nf) = (d.island_ne[i] as usize, d.island_nf[i] as usize);
            let first = d.island_idofadr[i] as usize;
            let dofs = &d.map_idof2dof[first..first + d.island_nv[i] as usize];
            let first = d.island_iefcadr[i] as usize;
            let rows = &d.map_iefc2efc[first..first + d.island_nefc[i] as usize];
            (Ids::of(dofs, m.nv), Ids::of(rows, d.nefc))
        }
    };
    let SolverScratch { dofs, rows, local, threads, .. } = s;
    let list_dofs = &mut || {
        if dof_ids.are_listed(dofs) && dofs.len() == local.len() {
            return; // whoever listed all of them has numbered them too
        }
        dof_ids.list(dofs);
        local.resize(m.nv, 0);
        for (k, &dof) in dofs.iter().enumerate() {
            local[dof] = k as u32;
        }
    };
    parallel::jobs(*threads, row_ids.count(), [list_dofs, &mut || row_ids.list(rows)]);
}

/// Numbers of degrees of freedom or rows, ascending.
#[derive(Clone, Copy)]
enum Ids<'a> {
    /// All that there are.
    First(usize),
    Listed(&'a [i32]),
}

impl<'a> Ids<'a> {
    /// Those of an island, of so many.
    fn of(ids: &'a [i32], all: usize) -> Self {
        if ids.len() == all { Self::First(all) } else { Self::Listed(ids) }
    }

    fn count(self) -> usize {
        match self {
            Self::First(count) => count,
            Self::Listed(ids) => ids.len(),
        }
    }

    /// Are these all that there are, and in the list already? It ascends as well.
    fn are_listed(self, list: &[usize]) -> bool {
        matches!(self, Self::First(count) if list.len() == count && list.last().is_none_or(|&last| last < count))
    }

    fn list(self, out: &mut Vec<usize>) {
        if self.are_listed(out) {
            return;
        }
        out.clear();
        match self {
            Self::First(count) => out.extend(0..count),
            Self::Listed(ids) => out.extend(ids.iter().map(|&id| id as usize)),
        }
    }
}

fn gather_mass(m: &Model, d: &Data, newton: bool, s: &mut SolverScratch) {
    let SolverScratch { dofs, local, mass, mass_factor, mass_diag_inv, threads, .. } = s;
    mass.clear();
    mass_factor.clear();
    mass_diag_inv.clear();
    if dofs.len() == m.nv && ends_of_rows(&m.M_rownnz, &m.M_rowadr, &mut mass.start) {
        let (col, val) = (mass.col.edit(), &mut mass.val);
        parallel::jobs(
            *threads,
            m.nC,
            [
                &mut || col.extend(m.M_colind.iter().map(|&c| c as u32)),
                &mut || val.extend_from_slice(&d.M),
                &mut || mass_factor.extend_from_slice(if newton { &[] } else { &d.qLD }),
                &mut || mass_diag_inv.extend_from_slice(if newton { &[] } else { &d.qLDiagInv }),
            ],
        );
        return;
    }
    for &dof in dofs.iter() {
        let adr = m.M_rowadr[dof] as usize;
        let range = adr..adr + m.M_rownnz[dof] as usize;
        mass.col.edit().extend(m.M_colind[range.clone()].iter().map(|&c| local[c as usize]));
        mass.val.extend_from_slice(&d.M[range.clone()]);
        mass.end_row();
        if !newton {
            mass_factor.extend_from_slice(&d.qLD[range]);
            mass_diag_inv.push(d.qLDiagInv[dof]);
        }
    }
}

/// Appends the ends of the rows, if one follows the other without a gap: the matrix can then be taken as it is. Otherwise
/// `start` is left as it was.
fn ends_of_rows(rownnz: &[i32], rowadr: &[i32], start: &mut Vec<usize>) -> bool {
    let mut end = 0;
    let mut gaps = false;
    start.extend(rownnz.iter().zip(rowadr).map(|(&count, &adr)| {
        gaps |= adr as usize != end;
        end += count as usize;
        end
    }));
    if gaps {
        start.truncate(1);
    }
    !gaps
}

/// Up to this many degrees of freedom a dense Jacobian is taken whole, zeros included: they cost less than finding them.
const MAX_WHOLE: usize = 16;

/// The degrees of freedom of a system and where they stand in it.
#[derive(Clone, Copy)]
struct System<'a> {
    dofs: &'a [usize],
    /// By degree of freedom; those of other systems have places of their own there.
    local: &'a [u32],
}

impl System<'_> {
    /// Columns of a dense row and their places, without those of other systems: zeros that tie nothing together.
    fn places(self, cols: &[i32]) -> impl Iterator<Item = (usize, u32)> {
        cols.iter()
            .map(move |&c| (c as usize, self.local[c as usize]))
            .filter(move |&(c, place)| self.dofs.get(place as usize) == Some(&c))
    }

    /// Are these all degrees of freedom?
    fn are_all(self) -> bool {
        self.dofs.len() == self.local.len()
    }
}

/// All rows of a small system as one block; it has these of so many rows.
fn whole_block(jac: &mut BlockJacobian, view: JacobianView, (rows, all): (&[usize], usize), system: System) {
    let n = system.dofs.len();
    jac.cols.extend(0..n as u32);
    jac.used.extend(0..n as u32);
    if system.are_all() && rows.len() == all {
        jac.values.extend_from_slice(view.stored_dense(all));
    } else if system.are_all() {
        for &row in rows {
            jac.values.extend_from_slice(view.stored(row));
        }
    } else {
        jac.values.resize(rows.len() * n, 0.0);
        for (target, &row) in jac.values.chunks_exact_mut(n).zip(rows) {
            let stored = view.stored(row);
            for (c, place) in system.places(view.cols(row)) {
                target[place as usize] = stored[c];
            }
        }
    }
    jac.blocks.push(Block { rows: rows.len(), ncol: n, nused: n, ..Block::default() });
}

/// Rows of one constraint, which have the same columns, form a block.
///
/// The order of sums depends on where a number stands in its row. A sparse Jacobian keeps its stored columns. Of a
/// dense one, aligned groups of four columns are kept: leaving out a group of zeros changes no sum.
fn gather_jacobian(m: &Model, d: &Data, newton: bool, s: &mut SolverScratch) {
    let view = JacobianView::new(m, d);
    s.jac.dense = !is_sparse(m);
    if !s.jac.dense && newton && s.dofs.len() > MAX_DENSE {
        s.jac.rows.clear();
        s.jac.whole = false;
        gather_runs(view, s);
        s.jac.known_start.clear(); // of rows that are not there
        return transpose(&mut s.jac, s.dofs.len(), s.threads);
    }
    s.jac.clear_blocks();
    if !s.jac.dense && !newton {
        return gather_rows(m, d, view, s);
    }
    s.jac.rows.clear();
    s.jac.whole = s.jac.dense && s.dofs.len() <= MAX_WHOLE;
    if s.jac.whole {
        whole_block(&mut s.jac, view, (&s.rows, d.nefc), System { dofs: &s.dofs, local: &s.local });
        return;
    }
    let mut k = 0;
    while k < s.rows.len() {
        let first = s.rows[k];
        let pattern = view.cols(first);
        let key = (d.efc_type[first], d.efc_id[first]);
        let same = |row: usize| (d.efc_type[row], d.efc_id[row]) == key && view.cols(row) == pattern;
        let count = 1 + s.rows[k + 1..].iter().take_while(|&&row| same(row)).count();
        let rows = &s.rows[k..k + count];
        let block = if s.jac.dense {
            aligned_block(&mut s.jac, view, k, rows, System { dofs: &s.dofs, local: &s.local })
        } else {
            stored_block(&mut s.jac, view, k, rows, &s.local)
        };
        append(&mut s.jac, block);
        k += count;
    }
    if !s.jac.dense {
        s.jac.known_start.clear(); // of rows that are not there
        transpose(&mut s.jac, s.dofs.len(), s.threads);
    }
}

/// Rows that are compared with those before them in a few microseconds.
const MIN_ROWS: usize = 500;

/// Blocks of a sparse Jacobian of many variables: rows that follow each other and have the same columns. Nobody asks which of
/// them have numbers.
#[inline(never)]
fn gather_runs(view: JacobianView, s: &mut SolverScratch) {
    let SolverScratch { jac, rows, local, threads, .. } = s;
    let BlockJacobian { blocks, cols, values, continues, .. } = jac;
    let (rows, local) = (&rows[..], &local[..]);
    blocks.clear();
    // each is overwritten, columns and numbers below as well
    continues.resize(rows.len(), false);
    parallel::split(*threads, MIN_ROWS, (0..rows.len(), &mut continues[..]), |(range, continues)| {
        for (k, continues) in range.zip(continues) {
            *continues = k > 0 && view.cols(rows[k]) == view.cols(rows[k - 1]);
        }
    });
    let (mut col_adr, mut adr) = (0, 0);
    for (row, &continues) in continues.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if continues => block.rows += 1,
            _ => {
                let ncol = view.cols(rows[row]).len();
                blocks.push(Block { row, rows: 1, col_adr, ncol, adr, ..Block::default() });
                col_adr += ncol;
            }
        }
        adr += blocks.last().map_or(0, |block| block.ncol);
    }
    cols.resize(col_adr, 0);
    values.resize(adr, 0.0);
    let (mut cols, mut values) = (&mut cols[..], &mut values[..]);
    let threads = if adr < MIN_SHARED { 1 } else { *threads };
    let size = blocks.len().div_ceil(parallel::pieces(threads.max(1), 2)).max(1);
    let pieces = blocks.chunks(size).map(|blocks| {
        let count = blocks.iter().map(|b| b.ncol).sum();
        let cols = cols.split_off_mut(..count).expect("columns of the blocks");
        let count = blocks.iter().map(|b| b.rows * b.ncol).sum();
        (blocks, cols, values.split_off_mut(..count).expect("numbers of the blocks"))
    });
    parallel::each(threads, pieces, |(blocks, mut cols, mut values)| {
        for b in blocks {
            let own = cols.split_off_mut(..b.ncol).expect("columns of the block");
            own.iter_mut().zip(view.cols(rows[b.row])).for_each(|(to, &c)| *to = local[c as usize]);
            for &row in &rows[b.row..b.row + b.rows] {
                let own = values.split_off_mut(..b.ncol).expect("numbers of the row");
                own.copy_from_slice(view.stored(row));
            }
        }
    });
}

/// The rows of a sparse Jacobian as they are, and its transpose.
fn gather_rows(m: &Model, d: &Data, view: JacobianView, s: &mut SolverScratch) {
    s.jac.whole = false;
    let rows = &mut s.jac.rows;
    rows.start.clear();
    rows.start.push(0);
    if s.rows.len() == d.nefc
        && s.dofs.len() == m.nv
        && ends_of_rows(&d.efc_J_rownnz, &d.efc_J_rowadr, &mut rows.start)
    {
        // lists that are as long as the last time need not be filled before they are overwritten
        let col = rows.col.edit();
        col.resize(d.efc_J_colind.len(), 0);
        rows.val.resize(d.efc_J.len(), 0.0);
        let items = (&d.efc_J_colind[..], &mut col[..]);
        parallel::split(s.threads, MIN_SHARED, items, |(from, to)| {
            to.iter_mut().zip(from).for_each(|(to, &c)| *to = c as u32);
        });
        parallel::copy(s.threads, &d.efc_J, &mut rows.val);
    } else {
        rows.clear();
        for &row in &s.rows {
            rows.col.edit().extend(view.cols(row).iter().map(|&c| s.local[c as usize]));
            rows.val.extend_from_slice(view.stored(row));
            rows.end_row();
        }
    }
    transpose_rows(&mut s.jac, s.dofs.len(), s.threads);
}

/// The transpose of rows that are kept as such. Soft bodies have the same pattern in every step: then only numbers move.
#[inline(never)]
fn transpose_rows(jac: &mut BlockJacobian, n: usize, threads: usize) {
    let BlockJacobian { rows, transposed, known_start, known_cols, places, .. } = jac;
    if transposed.rows() == n
        && parallel::equal(threads, known_start, &rows.start)
        && parallel::equal(threads, known_cols, &rows.col)
    {
        let threads = if rows.val.len() < MIN_SHARED { 1 } else { threads };
        return transposed.transpose_values(&rows.val, places, threads);
    }
    known_start.clone_from(&rows.start);
    (*rows.col).clone_into(known_cols);
    transposed.transpose_of(rows, n, places);
}

/// A block with the stored columns of its rows. Columns without numbers, such as the common ancestors of two touching
/// links of one tree, are not in `used`.
#[inline(never)]
fn stored_block(
    jac: &mut BlockJacobian,
    view: JacobianView,
    row: usize,
    rows: &[usize],
    local: &[u32],
) -> Block {
    let pattern = view.cols(rows[0]);
    let (ncol, adr) = (pattern.len(), jac.values.len());
    let (col_adr, used_adr) = (jac.cols.len(), jac.used.len());
    jac.cols.extend(pattern.iter().map(|&c| local[c as usize]));
    for &row in rows {
        jac.values.extend_from_slice(view.stored(row));
    }
    let values = &jac.values[adr..];
    let any = |c: usize| values.iter().skip(c).step_by(ncol).any(|&x| x != 0.0);
    jac.used.extend((0..ncol).filter(|&c| any(c)).map(|c| c as u32));
    Block { row, rows: rows.len(), col_adr, ncol, used_adr, nused: jac.used.len() - used_adr, adr }
}

/// A block with whole aligned groups of four columns, the last of which may be shorter, wherever there may be numbers.
fn aligned_block(
    jac: &mut BlockJacobian,
    view: JacobianView,
    row: usize,
    rows: &[usize],
    system: System,
) -> Block {
    let n = system.dofs.len();
    let BlockJacobian { cols, values, used, kept, .. } = jac;
    let (col_adr, used_adr, adr) = (cols.len(), used.len(), values.len());
    kept.clear();
    let mut group_start = 0;
    let mut group = u32::MAX;
    for (_, column) in system.places(view.cols(rows[0])) {
        if column / 4 != group {
            group = column / 4;
            group_start = (cols.len() - col_adr) as u32;
            cols.extend(4 * group..(4 * group + 4).min(n as u32));
            kept.push((4 * group) as usize);
        }
        used.push(group_start + column % 4);
    }
    let ncol = cols.len() - col_adr;
    if system.are_all() {
        for &row in rows {
            let stored = view.stored(row);
            for &start in kept.iter() {
                // known to be four, they are moved at once
                match stored[start..n].first_chunk::<4>() {
                    Some(four) => values.extend_from_slice(four),
                    None => values.extend_from_slice(&stored[start..n]),
                }
            }
        }
    } else {
        values.resize(adr + rows.len() * ncol, 0.0);
        for (target, &row) in values[adr..].chunks_exact_mut(ncol.max(1)).zip(rows) {
            let stored = view.stored(row);
            for ((from, _), &to) in system.places(view.cols(row)).zip(&used[used_adr..]) {
                target[to as usize] = stored[from];
            }
        }
    }
    Block { row, rows: rows.len(), col_adr, ncol, used_adr, nused: used.len() - used_adr, adr }
}

/// Neighbours with the same columns form one larger block.
fn append(jac: &mut BlockJacobian, b: Block) {
    if let Some(last) = jac.blocks.last_mut()
        && jac.cols[last.col_adr..b.col_adr] == jac.cols[b.col_adr..]
        && jac.used[last.used_adr..b.used_adr] == jac.used[b.used_adr..]
    {
        last.rows += b.rows;
        jac.cols.truncate(b.col_adr);
        jac.used.truncate(b.used_adr);
    } else {
        jac.blocks.push(b);
    }
}

/// The transposed matrix, by rows.
#[inline(never)]
fn transpose(jac: &mut BlockJacobian, n: usize, threads: usize) {
    let threads = if jac.values.len() < MIN_SHARED { 1 } else { threads };
    jac.list_columns(n);
    let BlockJacobian { blocks, values, transposed, columns, column_start, .. } = jac;
    let start = &mut transposed.start;
    start.clear();
    start.push(0);
    for column in column_start.windows(2) {
        let rows: usize = columns[column[0]..column[1]].iter().map(|&(b, _)| blocks[b as usize].rows).sum();
        start.push(start[start.len() - 1] + rows);
    }
    let col = transposed.col.edit();
    col.resize(values.len(), 0);
    transposed.val.resize(values.len(), 0.0);
    let (mut col, mut val) = (&mut col[..], &mut transposed.val[..]);
    let size = n.div_ceil(parallel::pieces(threads.max(1), 2)).max(1);
    let pieces = (0..n).step_by(size).map(|first| {
        let end = (first + size).min(n);
        let entries = start[end] - start[first];
        let col = col.split_off_mut(..entries).expect("a place for each number");
        let val = val.split_off_mut(..entries).expect("a place for each number");
        (&columns[column_start[first]..column_start[end]], col, val)
    });
    parallel::each(threads, pieces, |(columns, col, val)| {
        let mut at = 0;
        for &(block, slot) in columns {
            let b = &blocks[block as usize];
            let numbers = values[b.adr + slot as usize..].iter().step_by(b.ncol);
            let out = col[at..at + b.rows].iter_mut().zip(&mut val[at..at + b.rows]);
            for ((row, number), (col, val)) in (b.row as u32..).zip(numbers).zip(out) {
                (*col, *val) = (row, *number);
            }
            at += b.rows;
        }
    });
}
