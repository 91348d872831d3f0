//! The inverse inertia in constraint space, `A + R` with `A = J M⁻¹ Jᵀ`, for solvers that iterate on forces.

use crate::access::{Access, access};
use crate::support::jacobian::parent_dof;
use crate::workspace::Scratches as _;
use crate::workspace::SparseRows;
use ligament_math::dense::dot;
use ligament_model::enums::Warning;
use ligament_model::fault::Fault;
use ligament_model::limits::ENTRY;
use ligament_model::{Data, Model};

use super::{JacobianView, is_dual, is_sparse};

/// What [`project_constraint`] touches.
pub(crate) const PROJECT_CONSTRAINT: Access = access! {
    model { M_colind M_rowadr M_rownnz dof_parentid }
    reads { efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_R nefc qLD }
    writes { efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz nA }
};

/// Computes `efc_AR` when the solver needs it.
///
/// With M = Lᵀ D L the rows B = J L⁻¹ D^(-1/2) give A = B Bᵀ; a row of B has the degrees of freedom of the row of J
/// and all their ancestors. Reads: efc_J efc_R qLD. Writes: nA efc_AR efc_AR_rownnz efc_AR_rowadr efc_AR_colind.
pub fn project_constraint(m: &Model, d: &mut Data) {
    if d.nefc == 0 || !is_dual(m) || d.fault.is_some() {
        return;
    }
    let mut half = std::mem::take(&mut d.workspace.scratch().constraint.half);
    (d.spent.projection, d.spent.solver) = (0, 0);
    d.spent.projection = half_inverse(m, d, &mut half);
    if d.effort_left() > 0 {
        d.spent.projection +=
            square_work(m, d.nefc, &half, &mut d.workspace.scratch().constraint.column_counts);
    }
    if d.effort_left() == 0 {
        d.fail(Fault::Effort, Warning::Cnstrfull, d.nefc);
    } else if is_sparse(m) {
        let mut transposed = std::mem::take(&mut d.workspace.scratch().constraint.half_transposed);
        transpose(&half, m.nv, &mut transposed);
        sparse_square(d, &half, &transposed);
        d.workspace.scratch().constraint.half_transposed = transposed;
    } else {
        dense_square(m, d, &half);
    }
    d.workspace.scratch().constraint.half = half;
    if d.fault.is_some() {
        d.clear_constraints();
    }
}

/// Operations that a multiplication with its two places takes, and the room for an entry of a dense result.
const PRODUCT: u64 = 4;

/// Operations of B Bᵀ: sparse rows multiply every two entries of a column, dense ones every entry with all rows before.
fn square_work(m: &Model, rows: usize, half: &SparseRows, counts: &mut Vec<u64>) -> u64 {
    if !is_sparse(m) {
        return rows as u64 * (half.col.len() as u64 + PRODUCT * rows as u64);
    }
    counts.clear();
    counts.resize(m.nv, 0);
    for &c in &half.col {
        counts[c as usize] += 1;
    }
    PRODUCT * counts.iter().map(|n| n * n).sum::<u64>()
}

/// Rows of J L⁻¹ D^(-1/2), compressed with ascending columns. Returns the operations it took, at least as many as are left
/// where they do not suffice for all rows.
fn half_inverse(m: &Model, d: &mut Data, half: &mut SparseRows) -> u64 {
    let left = d.effort_left();
    let s = &mut d.workspace.scratch().constraint;
    let mut work = std::mem::take(&mut s.gathered);
    let mut slot = std::mem::take(&mut s.slot);
    let mut values = std::mem::take(&mut s.block);
    let mut roots = std::mem::take(&mut s.residual);
    roots.clear();
    roots.extend((0..m.nv).map(|dof| 1.0 / d.qLD[diagonal_place(m, dof)].sqrt()));
    work.clear();
    work.resize(m.nv, 0.0);
    half.start.clear();
    half.start.push(0);
    half.col.clear();
    half.val.clear();
    let jac = JacobianView::new(m, d);
    let factor = Factor { rowadr: &m.M_rowadr, rownnz: &m.M_rownnz, colind: &m.M_colind, values: &d.qLD };
    let spent = if is_sparse(m) {
        slot.clear();
        slot.resize(m.nv, -1);
        half_rows(m, jac, &factor, left, (&mut work, &mut slot, &mut values), &roots, half)
    } else {
        dense_half_rows(jac, &factor, left, &mut work, &roots, half)
    };
    let s = &mut d.workspace.scratch().constraint;
    (s.gathered, s.slot, s.block, s.residual) = (work, slot, values, roots);
    spent
}

/// The factor L of the inertia matrix.
struct Factor<'a> {
    rowadr: &'a [i32],
    rownnz: &'a [i32],
    colind: &'a [i32],
    values: &'a [f64],
}

impl Factor<'_> {
    /// Carries what a degree of freedom has on to its ancestors. Returns the operations that took.
    #[inline(always)]
    fn carry_on(&self, dof: usize, work: &mut [f64]) -> u64 {
        let x = work[dof];
        if x == 0.0 {
            return 0;
        }
        let adr = self.rowadr[dof] as usize;
        let ancestors = adr..adr + self.rownnz[dof] as usize - 1;
        for (&a, &l) in self.colind[ancestors.clone()].iter().zip(&self.values[ancestors.clone()]) {
            work[a as usize] -= l * x;
        }
        1 + ancestors.len() as u64
    }
}

/// Rows of a Jacobian that has all columns.
fn dense_half_rows(
    jac: JacobianView,
    factor: &Factor,
    left: u64,
    work: &mut [f64],
    roots: &[f64],
    half: &mut SparseRows,
) -> u64 {
    let mut spent = 0;
    for i in 0..jac.rows() {
        if spent >= left {
            break;
        }
        work.copy_from_slice(jac.stored(i));
        spent += (0..work.len()).rev().map(|dof| factor.carry_on(dof, work)).sum::<u64>();
        for (dof, (&x, &root)) in work.iter().zip(roots).enumerate() {
            if x != 0.0 {
                half.col.push(dof as i32);
                half.val.push(x * root);
            }
        }
        half.start.push(half.col.len());
    }
    spent
}

/// Rows of a sparse Jacobian: a row has the degrees of freedom of the row of J and all their ancestors, which `slot` marks.
fn half_rows(
    m: &Model,
    jac: JacobianView,
    factor: &Factor,
    left: u64,
    (work, slot, values): (&mut [f64], &mut [i32], &mut Vec<f64>),
    roots: &[f64],
    half: &mut SparseRows,
) -> u64 {
    let mut spent = 0;
    for i in 0..jac.rows() {
        if spent >= left {
            break;
        }
        let first = half.col.len();
        values.clear();
        jac.push_compressed(i, values);
        for (&c, &v) in jac.cols(i).iter().zip(values.iter()) {
            work[c as usize] += v;
            let mut dof = c;
            while dof >= 0 && slot[dof as usize] < 0 {
                slot[dof as usize] = 0;
                half.col.push(dof);
                dof = parent_dof(m, dof as usize);
            }
        }
        half.col[first..].sort_unstable();
        spent += half.col[first..].iter().rev().map(|&c| factor.carry_on(c as usize, work)).sum::<u64>();
        for k in first..half.col.len() {
            let dof = half.col[k] as usize;
            half.val.push(work[dof] * roots[dof]);
            work[dof] = 0.0;
            slot[dof] = -1;
        }
        half.start.push(half.col.len());
    }
    spent
}

/// Where the diagonal of a row of M stands.
fn diagonal_place(m: &Model, dof: usize) -> usize {
    m.M_rowadr[dof] as usize + m.M_rownnz[dof] as usize - 1
}

/// Numbers of `efc_AR` that there is room for.
fn entries_allowed(d: &Data) -> usize {
    usize::try_from(d.memory_for_matrices() / ENTRY).unwrap_or(usize::MAX).min(i32::MAX as usize)
}

fn transpose(a: &SparseRows, ncol: usize, out: &mut SparseRows) {
    out.start.clear();
    out.start.resize(ncol + 2, 0);
    for &c in &a.col {
        out.start[c as usize + 2] += 1;
    }
    for c in 0..ncol {
        out.start[c + 2] += out.start[c + 1];
    }
    out.col.clear();
    out.col.resize(a.col.len(), 0);
    out.val.clear();
    out.val.resize(a.col.len(), 0.0);
    for i in 0..a.start.len() - 1 {
        for k in a.start[i]..a.start[i + 1] {
            let target = &mut out.start[a.col[k] as usize + 1];
            out.col[*target] = i as i32;
            out.val[*target] = a.val[k];
            *target += 1;
        }
    }
    out.start.truncate(ncol + 1);
}

fn sparse_square(d: &mut Data, half: &SparseRows, transposed: &SparseRows) {
    let n = d.nefc;
    let most = entries_allowed(d);
    let mut sums = std::mem::take(&mut d.workspace.scratch().constraint.residual);
    let mut seen = std::mem::take(&mut d.workspace.scratch().constraint.slot);
    sums.clear();
    sums.resize(n, 0.0);
    seen.clear();
    seen.resize(n, -1);
    for v in [&mut d.efc_AR_rownnz, &mut d.efc_AR_rowadr, &mut d.efc_AR_colind] {
        v.clear();
    }
    d.efc_AR.clear();
    for i in 0..n {
        let first = d.efc_AR_colind.len();
        if first > most {
            d.fail(Fault::Memory { rows: n }, Warning::Cnstrfull, n);
            break;
        }
        // a row without degrees of freedom still has its regularisation
        seen[i] = i as i32;
        d.efc_AR_colind.push(i as i32);
        sums[i] = 0.0;
        for k in half.start[i]..half.start[i + 1] {
            let b = half.val[k];
            let c = half.col[k] as usize;
            for t in transposed.start[c]..transposed.start[c + 1] {
                let j = transposed.col[t] as usize;
                if seen[j] != i as i32 {
                    seen[j] = i as i32;
                    d.efc_AR_colind.push(j as i32);
                    sums[j] = 0.0;
                }
                sums[j] += b * transposed.val[t];
            }
        }
        // the diagonal is summed like a dense product
        let own = &half.val[half.start[i]..half.start[i + 1]];
        sums[i] = dot(own, own);
        d.efc_AR_colind[first..].sort_unstable();
        d.efc_AR_rowadr.push(first as i32);
        d.efc_AR_rownnz.push((d.efc_AR_colind.len() - first) as i32);
        for &j in &d.efc_AR_colind[first..] {
            let regularisation = if j as usize == i { d.efc_R[i] } else { 0.0 };
            d.efc_AR.push(sums[j as usize] + regularisation);
        }
    }
    d.nA = d.efc_AR.len();
    // other users count on free slots
    seen.clear();
    (d.workspace.scratch().constraint.residual, d.workspace.scratch().constraint.slot) = (sums, seen);
}

/// Numbers of B up to which it is also kept by columns, zeros included.
const MOST_BY_COLUMNS: usize = 1 << 20;

/// A + R with all its entries.
fn dense_square(m: &Model, d: &mut Data, half: &SparseRows) {
    let n = d.nefc;
    if n.saturating_mul(n) > entries_allowed(d) {
        d.fail(Fault::Memory { rows: n }, Warning::Cnstrfull, n);
        return;
    }
    d.nA = n * n;
    d.efc_AR.clear();
    d.efc_AR.resize(n * n, 0.0);
    let mut gathered = std::mem::take(&mut d.workspace.scratch().constraint.gathered);
    gathered.clear();
    if n.saturating_mul(m.nv) <= MOST_BY_COLUMNS {
        gathered.resize(n.next_multiple_of(TILE) * m.nv, 0.0);
        square_by_columns(half, &mut gathered, &mut d.efc_AR, n);
    } else {
        gathered.resize(m.nv, 0.0);
        square_by_rows(half, &mut gathered, &mut d.efc_AR, n);
    }
    d.workspace.scratch().constraint.gathered = gathered;
    for i in 0..n {
        for j in 0..i {
            d.efc_AR[j * n + i] = d.efc_AR[i * n + j];
        }
        d.efc_AR[i * (n + 1)] += d.efc_R[i];
    }
}

/// Entries of a row that are summed up side by side, in registers.
const TILE: usize = 8;

/// Lower triangle of B Bᵀ: products of a row with all rows before it, some of them at a time, column after column. `columns` are
/// those of B, each with room for whole tiles.
fn square_by_columns(half: &SparseRows, columns: &mut [f64], out: &mut [f64], n: usize) {
    let tiles = n.div_ceil(TILE);
    let columns = columns.as_chunks_mut::<TILE>().0;
    for (i, row) in out.chunks_exact_mut(n).enumerate() {
        let entries = half.start[i]..half.start[i + 1];
        let (cols, values) = (&half.col[entries.clone()], &half.val[entries]);
        for (&c, &b) in cols.iter().zip(values) {
            columns[c as usize * tiles + i / TILE][i % TILE] = b;
        }
        for (tile, entries) in row[..=i].chunks_mut(TILE).enumerate() {
            let mut sums = [0.0; TILE];
            for (&c, &b) in cols.iter().zip(values) {
                let others = &columns[c as usize * tiles + tile];
                for (sum, x) in sums.iter_mut().zip(others) {
                    *sum += b * x;
                }
            }
            entries.copy_from_slice(&sums[..entries.len()]);
        }
    }
}

/// The same with one row of B spread out at a time.
fn square_by_rows(half: &SparseRows, spread: &mut [f64], out: &mut [f64], n: usize) {
    for (i, row) in out.chunks_exact_mut(n).enumerate() {
        let own = half.start[i]..half.start[i + 1];
        for (&c, &b) in half.col[own.clone()].iter().zip(&half.val[own.clone()]) {
            spread[c as usize] = b;
        }
        for (j, entry) in row[..=i].iter_mut().enumerate() {
            let other = half.start[j]..half.start[j + 1];
            let products = half.col[other.clone()].iter().zip(&half.val[other]);
            *entry = products.fold(0.0, |sum, (&c, &b)| sum + b * spread[c as usize]);
        }
        for &c in &half.col[own] {
            spread[c as usize] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways to multiply B with itself give the same bits.
    #[test]
    fn both_squares_agree() {
        let (n, nv) = (13, 7);
        let mut half = SparseRows { start: vec![0], ..SparseRows::default() };
        for i in 0..n {
            for c in (0..nv).filter(|c| (i + 2 * c) % 3 != 0) {
                half.col.push(c as i32);
                half.val.push(((i * nv + c) as f64 * 0.7).sin());
            }
            half.start.push(half.col.len());
        }
        let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n * n]);
        square_by_columns(&half, &mut vec![0.0; n.next_multiple_of(TILE) * nv], &mut a, n);
        square_by_rows(&half, &mut vec![0.0; nv], &mut b, n);
        assert_eq!(a, b);
        assert!(a[n * (n - 1)] != 0.0 && a[n - 1] == 0.0);
    }
}
