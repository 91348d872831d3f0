//! The inverse inertia in constraint space, `A + R` with `A = J M⁻¹ Jᵀ`, for solvers that iterate on forces.

use crate::access::{Access, access};
use crate::support::jacobian::parent_dof;
use crate::workspace::Scratches as _;
use crate::workspace::SparseRows;
use ligament_math::dense::dot;
use ligament_model::enums::Warning;
use ligament_model::fault::Fault;
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
    let (mut spent, left) = (0, d.effort_left());
    let mut work = std::mem::take(&mut d.workspace.scratch().constraint.gathered);
    let mut slot = std::mem::take(&mut d.workspace.scratch().constraint.slot);
    let mut values = std::mem::take(&mut d.workspace.scratch().constraint.block);
    work.clear();
    work.resize(m.nv, 0.0);
    slot.clear();
    slot.resize(m.nv, -1);
    half.start.clear();
    half.start.push(0);
    half.col.clear();
    half.val.clear();
    let jac = JacobianView::new(m, d);
    for i in 0..d.nefc {
        if spent >= left {
            break;
        }
        let first = half.col.len();
        values.clear();
        jac.push_compressed(i, &mut values);
        for (&c, &v) in jac.cols(i).iter().zip(&values) {
            work[c as usize] += v;
            let mut dof = c;
            while dof >= 0 && slot[dof as usize] < 0 {
                slot[dof as usize] = 0;
                half.col.push(dof);
                dof = parent_dof(m, dof as usize);
            }
        }
        half.col[first..].sort_unstable();
        for &c in half.col[first..].iter().rev() {
            let dof = c as usize;
            let x = work[dof];
            if x != 0.0 {
                let adr = m.M_rowadr[dof] as usize;
                let ancestors = adr..adr + m.M_rownnz[dof] as usize - 1;
                spent += 1 + ancestors.len() as u64;
                for (&a, &l) in m.M_colind[ancestors.clone()].iter().zip(&d.qLD[ancestors]) {
                    work[a as usize] -= l * x;
                }
            }
        }
        for k in first..half.col.len() {
            let dof = half.col[k] as usize;
            let diagonal = d.qLD[m.M_rowadr[dof] as usize + m.M_rownnz[dof] as usize - 1];
            half.val.push(work[dof] * (1.0 / diagonal.sqrt()));
            work[dof] = 0.0;
            slot[dof] = -1;
        }
        half.start.push(half.col.len());
    }
    let s = &mut d.workspace.scratch().constraint;
    (s.gathered, s.slot, s.block) = (work, slot, values);
    spent
}

/// Numbers of `efc_AR` that there is room for, with their columns and again by islands.
fn entries_allowed(d: &Data) -> usize {
    usize::try_from(d.memory / 24).unwrap_or(usize::MAX).min(i32::MAX as usize)
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

fn dense_square(m: &Model, d: &mut Data, half: &SparseRows) {
    let n = d.nefc;
    if n.saturating_mul(n) > entries_allowed(d) {
        d.fail(Fault::Memory { rows: n }, Warning::Cnstrfull, n);
        return;
    }
    d.nA = n * n;
    d.efc_AR.clear();
    d.efc_AR.resize(n * n, 0.0);
    let mut row = std::mem::take(&mut d.workspace.scratch().constraint.gathered);
    row.clear();
    row.resize(m.nv, 0.0);
    for i in 0..n {
        let range = half.start[i]..half.start[i + 1];
        for (&c, &v) in half.col[range.clone()].iter().zip(&half.val[range.clone()]) {
            row[c as usize] = v;
        }
        for j in 0..=i {
            let other = half.start[j]..half.start[j + 1];
            let (cols, vals) = (&half.col[other.clone()], &half.val[other]);
            let a = cols.iter().zip(vals).map(|(&c, &v)| v * row[c as usize]).sum();
            d.efc_AR[i * n + j] = a;
            d.efc_AR[j * n + i] = a;
        }
        d.efc_AR[i * (n + 1)] += d.efc_R[i];
        for &c in &half.col[range] {
            row[c as usize] = 0.0;
        }
    }
    d.workspace.scratch().constraint.gathered = row;
}
