//! Hessian of the primal cost for Newton's method: assembly, factor, rank-one updates.
//!
//! With a dense Jacobian the factor is dense and eliminates the first variable first, with a sparse one it is sparse
//! and eliminates the last one first. Sums run over the constraint rows in their order, as in MuJoCo 3.5.0, so that
//! the numbers agree to the last bit.

use ligament_math::MINVAL;
use ligament_math::csr::Csr;
use ligament_math::dense::{axpy, cholesky, cholesky_solve, cholesky_update};
use ligament_model::Contact;
use ligament_model::enums::ConstraintState;
use ligament_model::scratch::{ActiveRow, Block, BlockJacobian, Hessian, SolverScratch};

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// Up to this many variables the Hessian of a dense Jacobian is stored densely.
const MAX_DENSE: usize = 80;

/// Chooses the storage, analyses the pattern of a sparse factor, and factors.
pub(super) fn make(s: &mut SolverScratch, contacts: &[Contact]) {
    let n = s.dofs.len();
    s.hessian.use_dense = s.jac.dense && n <= MAX_DENSE;
    if !s.hessian.use_dense {
        analyse(&s.mass, &s.jac, n, &mut s.hessian);
    }
    factor(s, contacts);
}

/// Number of stored entries of the factor.
pub(super) fn nnz(s: &SolverScratch) -> usize {
    if s.hessian.use_dense { s.dofs.len() * s.dofs.len() } else { s.hessian.sparse.nnz() }
}

/// `x = H⁻¹ b` in place.
pub(super) fn solve(s: &SolverScratch, x: &mut [f64]) {
    if s.hessian.use_dense {
        cholesky_solve(&s.hessian.dense, s.dofs.len(), x);
    } else {
        s.hessian.sparse.solve(x);
    }
}

/// Brings the factor from the states `old_state` to `state`: nothing, rank-one updates, or a new factor.
/// Returns the number of rows that were put in or taken out.
pub(super) fn update(s: &mut SolverScratch, contacts: &[Contact]) -> i32 {
    let cones = s.state.contains(&CONE);
    if cones || s.hessian.has_cones {
        factor(s, contacts);
        return s.state.len() as i32;
    }
    let changed =
        s.old_state.iter().zip(&s.state).filter(|(a, b)| (**a == QUADRATIC) != (**b == QUADRATIC)).count();
    if changed > 0 && !rank_one_updates(s) {
        factor(s, contacts);
        return s.state.len() as i32;
    }
    changed as i32
}

fn rank_one_updates(s: &mut SolverScratch) -> bool {
    let SolverScratch { hessian, jac, D, state, old_state, dofs, .. } = s;
    let n = dofs.len();
    hessian.vector.clear();
    hessian.vector.resize(n, 0.0);
    for b in &jac.blocks {
        for k in 0..b.rows {
            let i = b.row + k;
            let add = state[i] == QUADRATIC;
            if add == (old_state[i] == QUADRATIC) {
                continue;
            }
            let root = D[i].sqrt();
            let row = &jac.values[b.adr + k * b.ncol..b.adr + (k + 1) * b.ncol];
            for (&c, &x) in jac.cols[b.col_adr..].iter().zip(row) {
                hessian.vector[c as usize] = root * x;
            }
            let sound = if hessian.use_dense {
                let sound = cholesky_update(&mut hessian.dense, n, &mut hessian.vector, add);
                hessian.vector.fill(0.0);
                sound
            } else {
                hessian.sparse.update(&mut hessian.vector, add)
            };
            if !sound {
                return false;
            }
        }
    }
    true
}

/// Assembles H for the current states and factors it. A semidefinite H is regularised at the failing pivots.
fn factor(s: &mut SolverScratch, contacts: &[Contact]) {
    let n = s.dofs.len();
    s.hessian.has_cones = s.state.contains(&CONE);
    if s.hessian.use_dense {
        assemble_dense(s, contacts);
        cholesky(&mut s.hessian.dense, n, MINVAL);
    } else {
        assemble_sparse(s, contacts);
        s.hessian.sparse.factor(MINVAL);
    }
}

/// Finds the rows that carry curvature and multiplies them by it: `D J`, or `H_cone J` on a cone.
fn weigh(s: &mut SolverScratch, contacts: &[Contact]) {
    let SolverScratch { hessian, jac, state, D, id, .. } = s;
    let Hessian { active, active_start, weighted, .. } = hessian;
    active.clear();
    active_start.clear();
    weighted.resize(jac.values.len(), 0.0);
    for b in &jac.blocks {
        active_start.push(active.len());
        let mut k = 0;
        while k < b.rows {
            let i = b.row + k;
            let adr = b.adr + k * b.ncol;
            if state[i] == QUADRATIC {
                active.push(ActiveRow { adr, D: Some(D[i]) });
                for (w, x) in weighted[adr..adr + b.ncol].iter_mut().zip(&jac.values[adr..]) {
                    *w = D[i] * x;
                }
            } else if state[i] == CONE {
                let con = &contacts[id[i] as usize];
                let dim = con.dim as usize;
                let rows = &jac.values[adr..adr + dim * b.ncol];
                for r in 0..dim {
                    let adr = adr + r * b.ncol;
                    active.push(ActiveRow { adr, D: None });
                    let target = &mut weighted[adr..adr + b.ncol];
                    target.fill(0.0);
                    for (h, row) in con.H[r * dim..(r + 1) * dim].iter().zip(rows.chunks_exact(b.ncol)) {
                        axpy(*h, row, target);
                    }
                }
                k += dim - 1;
            }
            k += 1;
        }
    }
    active_start.push(active.len());
}

/// Adds `left_i · right_j`, summed over the active rows one after the other, to `sums[j]`.
#[inline]
fn add_block_row(right: &[f64], left: &[f64], active: &[ActiveRow], i: usize, sums: &mut [f64]) {
    let len = sums.len();
    let mut four = active.chunks_exact(4);
    for a in &mut four {
        let w: [f64; 4] = std::array::from_fn(|t| left[a[t].adr + i]);
        let r: [&[f64]; 4] = std::array::from_fn(|t| &right[a[t].adr..a[t].adr + len]);
        for j in 0..len {
            sums[j] = sums[j] + w[0] * r[0][j] + w[1] * r[1][j] + w[2] * r[2][j] + w[3] * r[3][j];
        }
    }
    for a in four.remainder() {
        axpy(left[a.adr + i], &right[a.adr..a.adr + len], sums);
    }
}

fn assemble_dense(s: &mut SolverScratch, contacts: &[Contact]) {
    weigh(s, contacts);
    let SolverScratch { hessian, jac, mass, dofs, .. } = s;
    let n = dofs.len();
    let Hessian { dense, active, active_start, weighted, sums, .. } = hessian;
    dense.clear();
    dense.resize(n * n, 0.0);
    sums.resize(n, 0.0);
    for (k, b) in jac.blocks.iter().enumerate() {
        let active = &active[active_start[k]..active_start[k + 1]];
        if active.is_empty() {
            continue;
        }
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        for &i in &jac.used[b.used_adr..b.used_adr + b.nused] {
            let i = i as usize;
            let row = cols[i] as usize * n;
            let target = &mut dense[row..row + n];
            for (x, &c) in sums.iter_mut().zip(&cols[..=i]) {
                *x = target[c as usize];
            }
            add_block_row(&jac.values, weighted, active, i, &mut sums[..=i]);
            for (x, &c) in sums.iter().zip(&cols[..=i]) {
                target[c as usize] = *x;
            }
        }
    }
    for r in 0..n {
        let (cols, vals) = mass.row(r);
        let row = &mut dense[r * n..(r + 1) * n];
        for (&c, &v) in cols.iter().zip(vals) {
            row[c as usize] += v;
        }
    }
}

/// Pattern of the factor: that of the lower triangle of M + Jᵀ J, row after row, and what elimination fills in.
fn analyse(mass: &Csr, jac: &BlockJacobian, n: usize, h: &mut Hessian) {
    list_blocks(jac, n, h);
    let Hessian { above_start, above, row_start, row_blocks, sparse, mark, .. } = h;
    mark.clear();
    mark.resize(n, u32::MAX);
    let mut edges = |visit: &mut dyn FnMut(usize, u32)| {
        mark.fill(u32::MAX);
        for r in 0..n {
            let (cols, _) = mass.row(r);
            for &c in &cols[..cols.len() - 1] {
                mark[c as usize] = r as u32;
                visit(c as usize, r as u32);
            }
            for &(block, place) in &row_blocks[row_start[r]..row_start[r + 1]] {
                let adr = jac.blocks[block as usize].col_adr;
                for &c in &jac.cols[adr..adr + place as usize] {
                    if mark[c as usize] != r as u32 {
                        mark[c as usize] = r as u32;
                        visit(c as usize, r as u32);
                    }
                }
            }
        }
    };
    above_start.clear();
    above_start.resize(n + 2, 0);
    edges(&mut |c, _| above_start[c + 2] += 1);
    for c in 0..n {
        above_start[c + 2] += above_start[c + 1];
    }
    above.clear();
    above.resize(above_start[n + 1], 0);
    edges(&mut |c, r| {
        above[above_start[c + 1]] = r;
        above_start[c + 1] += 1;
    });
    sparse.analyse(n, above_start, above);
}

/// For each variable the blocks that contain it, and its place there.
fn list_blocks(jac: &BlockJacobian, n: usize, h: &mut Hessian) {
    let Hessian { row_start, row_blocks, .. } = h;
    let block_cols = |b: &Block| &jac.cols[b.col_adr..b.col_adr + b.ncol];
    row_start.clear();
    row_start.resize(n + 2, 0);
    for &c in &jac.cols {
        row_start[c as usize + 2] += 1;
    }
    for c in 0..n {
        row_start[c + 2] += row_start[c + 1];
    }
    row_blocks.clear();
    row_blocks.resize(jac.cols.len(), (0, 0));
    for (k, b) in jac.blocks.iter().enumerate() {
        for (i, &c) in block_cols(b).iter().enumerate() {
            row_blocks[row_start[c as usize + 1]] = (k as u32, i as u32);
            row_start[c as usize + 1] += 1;
        }
    }
}

/// Fills the lower triangle of H into the memory of the factor, row by row through a dense vector.
fn assemble_sparse(s: &mut SolverScratch, contacts: &[Contact]) {
    weigh(s, contacts);
    let SolverScratch { hessian, jac, mass, dofs, .. } = s;
    let n = dofs.len();
    let Hessian { sparse, active, active_start, weighted, sums, vector, row_start, row_blocks, .. } = hessian;
    sums.resize(n, 0.0);
    vector.clear();
    vector.resize(n, 0.0);
    for r in 0..n {
        for &(block, i) in &row_blocks[row_start[r]..row_start[r + 1]] {
            let (block, i) = (block as usize, i as usize);
            let active = &active[active_start[block]..active_start[block + 1]];
            if active.is_empty() {
                continue;
            }
            let adr = jac.blocks[block].col_adr;
            let cols = &jac.cols[adr..adr + i];
            for (x, &c) in sums.iter_mut().zip(cols) {
                *x = vector[c as usize];
            }
            // here the weight belongs to the smaller column
            add_block_row(weighted, &jac.values, active, i, &mut sums[..i]);
            for (x, &c) in sums.iter().zip(cols) {
                vector[c as usize] = *x;
            }
            for a in active {
                let x = jac.values[a.adr + i];
                vector[r] += a.D.map_or(x * weighted[a.adr + i], |D| x * x * D);
            }
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
