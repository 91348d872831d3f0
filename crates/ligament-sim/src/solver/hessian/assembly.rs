//! Assembly of the Hessian M + Jᵀ W J.

use crate::parallel;
use crate::workspace::{ActiveRow, Block, BlockJacobian, ConeHessian, FactorKind, Hessian, SolverScratch};
use ligament_math::cholesky;
use ligament_math::csr::Csr;
use ligament_math::simd::{axpy, axpy4, row_products};
use ligament_model::Contact;
use std::ops::Range;

use super::{CONE, QUADRATIC};

/// Fills H for the current states into the memory of its factor.
pub(super) fn assemble(s: &mut SolverScratch, contacts: &[Contact]) {
    if s.jac.whole && s.hessian.kind == FactorKind::Columns && !s.hessian.has_cones {
        return whole_columns(s);
    }
    if s.hessian.kind == FactorKind::Nodes && !s.hessian.has_cones {
        return; // filled in from the rows while it is factored
    }
    weigh(s, contacts);
    let SolverScratch { hessian, jac, mass, dofs, .. } = s;
    let n = dofs.len();
    hessian.sums.resize(n, 0.0);
    match hessian.kind {
        FactorKind::Columns => columns(hessian, jac, mass, n),
        FactorKind::Ordered => {
            let mut mat = std::mem::take(&mut hessian.ordered.mat);
            rows(&mut mat, hessian, jac, mass, n);
            hessian.ordered.mat = mat;
        }
        FactorKind::Reverse => {
            let mut mat = std::mem::take(&mut hessian.dense);
            rows(&mut mat, hessian, jac, mass, n);
            hessian.dense = mat;
        }
        FactorKind::Sparse => sparse_rows(hessian, jac, mass, n),
        FactorKind::Nodes => {} // filled in while it is factored
    }
}

/// Finds the rows that carry curvature and multiplies them by it: `D J`, or `H_cone J` on a cone.
fn weigh(s: &mut SolverScratch, contacts: &[Contact]) {
    let SolverScratch { hessian, jac, state, D, id, cones, .. } = s;
    let Hessian { active, active_of, weighted, .. } = hessian;
    // what is in use is overwritten
    active.resize(state.len(), ActiveRow::default());
    active_of.resize(jac.blocks.len(), 0..0);
    weighted.resize(jac.values.len(), 0.0);
    let weights = Weights { values: &jac.values, state, D, id, cones, contacts };
    let (mut rows, mut numbers) = (&mut active[..], &mut weighted[..]);
    let size = jac.blocks.len().div_ceil(parallel::pieces(jac.threads.max(1), 1)).max(1);
    let pieces = jac.blocks.chunks(size).zip(active_of.chunks_mut(size)).map(|(blocks, active_of)| {
        let count = blocks.iter().map(|b| b.rows).sum();
        let active = rows.split_off_mut(..count).expect("a place for each row");
        let count = blocks.iter().map(|b| b.rows * b.ncol).sum();
        let weighted = numbers.split_off_mut(..count).expect("a place for each number");
        (blocks, Weighted { active, active_of, weighted })
    });
    parallel::each(jac.threads, pieces, |(blocks, out)| weights.multiply(blocks, out));
}

/// What rows are multiplied by.
#[derive(Clone, Copy)]
struct Weights<'a> {
    values: &'a [f64],
    state: &'a [i32],
    D: &'a [f64],
    id: &'a [i32],
    cones: &'a [ConeHessian],
    contacts: &'a [Contact],
}

/// Where the rows of consecutive blocks that carry curvature go.
struct Weighted<'a> {
    active: &'a mut [ActiveRow],
    active_of: &'a mut [Range<usize>],
    weighted: &'a mut [f64],
}

impl Weights<'_> {
    /// Lists and multiplies the rows of consecutive blocks that carry curvature.
    fn multiply(self, blocks: &[Block], out: Weighted) {
        let Self { values, state, D, id, cones, contacts } = self;
        let (first, first_row) = blocks.first().map_or((0, 0), |b| (b.adr, b.row));
        for (b, active_of) in blocks.iter().zip(out.active_of) {
            let mut end = b.row;
            let mut list = |row: ActiveRow| {
                out.active[end - first_row] = row;
                end += 1;
            };
            let mut k = 0;
            while k < b.rows {
                let i = b.row + k;
                let adr = b.adr + k * b.ncol;
                let place = adr - first;
                if state[i] == QUADRATIC {
                    list(ActiveRow { adr, D: Some(D[i]) });
                    for (w, x) in out.weighted[place..place + b.ncol].iter_mut().zip(&values[adr..]) {
                        *w = D[i] * x;
                    }
                } else if state[i] == CONE {
                    let dim = contacts[id[i] as usize].dim as usize;
                    (0..dim).for_each(|r| list(ActiveRow { adr: adr + r * b.ncol, D: None }));
                    let rows = &values[adr..adr + dim * b.ncol];
                    let targets = out.weighted[place..place + dim * b.ncol].chunks_exact_mut(b.ncol);
                    for (r, target) in targets.enumerate() {
                        target.fill(0.0);
                        for (h, row) in cones[i][r * dim..(r + 1) * dim].iter().zip(rows.chunks_exact(b.ncol))
                        {
                            axpy(*h, row, target);
                        }
                    }
                    k += dim - 1;
                }
                k += 1;
            }
            *active_of = b.row..end;
        }
    }
}

/// Adds `left_i · right_j`, summed over the active rows one after the other, to `sums`; j starts at `first`.
#[inline]
fn add_products(left: &[f64], i: usize, right: &[f64], first: usize, active: &[ActiveRow], sums: &mut [f64]) {
    let len = sums.len();
    let row = |a: &ActiveRow| &right[a.adr + first..a.adr + first + len];
    let mut four = active.chunks_exact(4);
    for a in &mut four {
        let w: [f64; 4] = std::array::from_fn(|t| left[a[t].adr + i]);
        axpy4(w, std::array::from_fn(|t| row(&a[t])), sums);
    }
    for a in four.remainder() {
        axpy(left[a.adr + i], row(a), sums);
    }
}

/// [`add_products`] for a group of four columns.
#[inline]
fn add_group(left: &[f64], i: usize, right: &[f64], first: usize, active: &[ActiveRow], sums: &mut [f64; 4]) {
    let mut total = *sums;
    for a in active {
        let weight = left[a.adr + i];
        let row: &[f64; 4] = right[a.adr + first..].first_chunk().expect("a whole group");
        for k in 0..4 {
            total[k] += weight * row[k];
        }
    }
    *sums = total;
}

/// Lower triangle by columns, see [`cholesky`]. The weight belongs to the larger index.
///
/// Blocks have whole aligned groups of columns, so that the numbers of a column are visited by fours; what is written
/// above the diagonal is not read.
fn columns(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) {
    let Hessian { dense, active, active_of, weighted, .. } = h;
    let stride = cholesky::stride(n);
    dense.clear();
    dense.resize(n * stride, 0.0);
    for (k, b) in jac.blocks.iter().enumerate() {
        let active = &active[active_of[k].clone()];
        if active.is_empty() {
            continue;
        }
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        for &p in &jac.used[b.used_adr..b.used_adr + b.nused] {
            let p = p as usize;
            let column = &mut dense[cols[p] as usize * stride..][..stride];
            for group in p / 4..b.ncol.div_ceil(4) {
                let place = 4 * group;
                let base = cols[place] as usize;
                if place + 4 <= b.ncol {
                    let sums: &mut [f64; 4] = column[base..].first_chunk_mut().expect("a whole group");
                    add_group(&jac.values, p, weighted, place, active, sums);
                } else {
                    let sums = &mut column[base..base + b.ncol - place];
                    add_products(&jac.values, p, weighted, place, active, sums);
                }
            }
        }
    }
    add_mass(dense, stride, mass, n);
}

/// [`columns`] of a small system, four rows of a column at a time: what lies beyond its end is padding.
fn whole_columns(s: &mut SolverScratch) {
    let SolverScratch { hessian, jac, mass, dofs, state, D, .. } = s;
    let Hessian { dense, picked, picked_weighted, .. } = hessian;
    let n = dofs.len();
    let stride = cholesky::stride(n);
    picked.clear();
    picked_weighted.clear();
    for ((row, &D), _) in jac.values.chunks_exact(n).zip(&*D).zip(&*state).filter(|(_, s)| **s == QUADRATIC) {
        picked.extend_from_slice(row);
        picked.resize(picked.len() + stride - n, 0.0);
        picked_weighted.extend(row.iter().map(|x| D * x));
        picked_weighted.resize(picked.len(), 0.0);
    }
    dense.resize(n * stride, 0.0);
    for (p, column) in dense.chunks_exact_mut(stride).enumerate() {
        let mut i = p;
        while i + 4 < n {
            let sums: [[f64; 4]; 2] = row_products(picked, picked_weighted, stride, p, i);
            column[i..i + 8].copy_from_slice(sums.as_flattened());
            i += 8;
        }
        if i < n {
            let sums: [[f64; 4]; 1] = row_products(picked, picked_weighted, stride, p, i);
            column[i..i + 4].copy_from_slice(sums.as_flattened());
        }
    }
    add_mass(dense, stride, mass, n);
}

/// Adds M to a lower triangle stored by columns.
fn add_mass(dense: &mut [f64], stride: usize, mass: &Csr, n: usize) {
    for r in 0..n {
        let (cols, vals) = mass.row(r);
        for (&c, &v) in cols.iter().zip(vals) {
            dense[c as usize * stride + r] += v;
        }
    }
}

/// Lower triangle by rows. The weight belongs to the smaller index; the diagonal is weighted last.
fn rows(mat: &mut Vec<f64>, h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) {
    let Hessian { active, active_of, weighted, sums, .. } = h;
    mat.clear();
    mat.resize(n * n, 0.0);
    for (k, b) in jac.blocks.iter().enumerate() {
        let active = &active[active_of[k].clone()];
        if active.is_empty() {
            continue;
        }
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        for &i in &jac.used[b.used_adr..b.used_adr + b.nused] {
            let i = i as usize;
            let row = &mut mat[cols[i] as usize * n..][..n];
            let sums = &mut sums[..i];
            for (x, &c) in sums.iter_mut().zip(cols) {
                *x = row[c as usize];
            }
            add_products(&jac.values, i, weighted, 0, active, sums);
            for (x, &c) in sums.iter().zip(cols) {
                row[c as usize] = *x;
            }
            add_squares(&jac.values, weighted, active, i, &mut row[cols[i] as usize]);
        }
    }
    for r in 0..n {
        let (cols, vals) = mass.row(r);
        let row = &mut mat[r * n..(r + 1) * n];
        for (&c, &v) in cols.iter().zip(vals) {
            row[c as usize] += v;
        }
    }
}

/// Adds a block's part of the diagonal.
#[inline]
fn add_squares(values: &[f64], weighted: &[f64], active: &[ActiveRow], i: usize, diagonal: &mut f64) {
    for a in active {
        let x = values[a.adr + i];
        *diagonal += a.D.map_or(x * weighted[a.adr + i], |D| x * x * D);
    }
}

/// Lower triangle on the pattern of the sparse factor, row by row through a dense vector; order as in [`rows`].
#[inline(never)]
fn sparse_rows(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) {
    let Hessian { sparse, active, active_of, weighted, sums, vector, .. } = h;
    vector.clear();
    vector.resize(n, 0.0);
    for r in 0..n {
        for &(block, i) in jac.blocks_of(r) {
            let (block, i) = (block as usize, i as usize);
            let active = &active[active_of[block].clone()];
            if active.is_empty() {
                continue;
            }
            let adr = jac.blocks[block].col_adr;
            let cols = &jac.cols[adr..adr + i];
            let sums = &mut sums[..i];
            for (x, &c) in sums.iter_mut().zip(cols) {
                *x = vector[c as usize];
            }
            add_products(&jac.values, i, weighted, 0, active, sums);
            for (x, &c) in sums.iter().zip(cols) {
                vector[c as usize] = *x;
            }
            add_squares(&jac.values, weighted, active, i, &mut vector[r]);
        }
        let (cols, vals) = mass.row(r);
        for (&c, &v) in cols.iter().zip(vals) {
            vector[c as usize] += v;
        }
        let (cols, vals) = sparse.entries(r);
        for (&c, v) in cols.iter().zip(vals) {
            *v = std::mem::take(&mut vector[c as usize]);
        }
    }
}
