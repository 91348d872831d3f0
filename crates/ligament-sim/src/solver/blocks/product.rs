//! Products with the Jacobian of an island, and solutions with its factor of M.

use crate::parallel;
use crate::workspace::{Block, BlockJacobian, SolverScratch};
use ligament_math::{dense, simd, sparse};

/// `y = J x`
pub(in crate::solver) fn mul_vec(jac: &mut BlockJacobian, x: &[f64], y_out: &mut [f64]) {
    let BlockJacobian { blocks, cols, values, gathered, threads_gathered, dense, rows, threads, .. } = jac;
    if jac.whole {
        dense::mul_mat_vec(values, x, y_out);
        return;
    }
    if blocks.is_empty() {
        rows.mul_vec_on(*threads, x, y_out);
        return;
    }
    let part = BlockPart { cols, values, dense: *dense };
    if *threads < 2 {
        return part.mul_vec(blocks, gathered, x, y_out);
    }
    let count = parallel::pieces(*threads, 2);
    threads_gathered.resize_with(count.max(threads_gathered.len()), Vec::new);
    let size = blocks.len().div_ceil(count);
    let (pieces, mut rest) = (blocks.chunks(size), y_out);
    let pieces = pieces.zip(threads_gathered.iter_mut()).map(|(blocks, gathered)| {
        let rows = blocks.iter().map(|b| b.rows).sum();
        let (y, after) = std::mem::take(&mut rest).split_at_mut(rows);
        rest = after;
        (blocks, gathered, y)
    });
    parallel::each(*threads, pieces, |(blocks, gathered, y)| part.mul_vec(blocks, gathered, x, y));
}

/// Numbers of blocks.
#[derive(Clone, Copy)]
struct BlockPart<'a> {
    cols: &'a [u32],
    values: &'a [f64],
    dense: bool,
}

impl BlockPart<'_> {
    /// Rows of a product, those of consecutive blocks.
    fn mul_vec(self, blocks: &[Block], gathered: &mut Vec<f64>, x: &[f64], y_out: &mut [f64]) {
        let Self { cols, values, dense } = self;
        let first = blocks.first().map_or(0, |b| b.row);
        for b in blocks.iter() {
            let cols = &cols[b.col_adr..b.col_adr + b.ncol];
            let values = &values[b.adr..b.adr + b.rows * b.ncol];
            let y = &mut y_out[b.row - first..b.row - first + b.rows];
            if let Some((cols, row)) = single_edge(cols, values) {
                let p: [f64; EDGE] = std::array::from_fn(|k| row[k] * x[cols[k] as usize]);
                y[0] = if dense {
                    ((p[0] + p[2]) + (p[1] + p[3])) + (p[4] + p[5])
                } else {
                    ((p[0] + p[2]) + (p[1] + p[3])) + p[4] + p[5]
                };
                continue;
            }
            if cols.is_empty() {
                y.fill(0.0);
                continue;
            }
            gathered.clear();
            gathered.extend(cols.iter().map(|&c| x[c as usize]));
            for (y, row) in y.iter_mut().zip(values.chunks_exact(b.ncol)) {
                *y = if dense { dense::dot(row, gathered) } else { sparse::dot_packed(row, gathered) };
            }
        }
    }
}

/// `y = Jᵀ x`
pub(in crate::solver) fn mul_transposed_vec(jac: &BlockJacobian, x: &[f64], y_out: &mut [f64]) {
    if !jac.dense {
        jac.transposed.mul_vec_on(jac.threads, x, y_out);
        return;
    }
    y_out.fill(0.0);
    if jac.whole {
        add_rows(&jac.values, x, y_out);
        return;
    }
    for b in &jac.blocks {
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let mut values = &jac.values[b.adr..b.adr + b.rows * b.ncol];
        let mut forces = &x[b.row..b.row + b.rows];
        while let Some((f, rest)) = forces.split_first_chunk::<GROUP>() {
            let [r0, r1, r2, r3] = take_rows(&mut values, b.ncol);
            forces = rest;
            if *f == [0.0; GROUP] {
                continue;
            }
            for ((((&c, v0), v1), v2), v3) in cols.iter().zip(r0).zip(r1).zip(r2).zip(r3) {
                let y = &mut y_out[c as usize];
                *y = *y + f[0] * v0 + f[1] * v1 + f[2] * v2 + f[3] * v3;
            }
        }
        for &f in forces {
            let [row] = take_rows(&mut values, b.ncol);
            if f != 0.0 {
                for (&c, v) in cols.iter().zip(row) {
                    y_out[c as usize] += f * v;
                }
            }
        }
    }
}

/// Adds the rows of a matrix, multiplied by `weights`, to `y`.
fn add_rows(mut values: &[f64], weights: &[f64], y: &mut [f64]) {
    let mut fours = weights.chunks_exact(GROUP);
    for w in &mut fours {
        let rows: [&[f64]; GROUP] = take_rows(&mut values, y.len());
        if w != [0.0; GROUP] {
            simd::axpy4([w[0], w[1], w[2], w[3]], rows, y);
        }
    }
    for &w in fours.remainder() {
        let [row] = take_rows(&mut values, y.len());
        if w != 0.0 {
            simd::axpy(w, row, y);
        }
    }
}

/// Rows handled at once: their columns are the same, so that an index is read once for all of them.
const GROUP: usize = 4;

/// Columns of the row of a flex edge between vertices on slides.
const EDGE: usize = 6;

/// A block of one row with the columns of a flex edge: of known size, since soft bodies have thousands of them.
#[inline]
fn single_edge<'a>(cols: &'a [u32], values: &'a [f64]) -> Option<(&'a [u32; EDGE], &'a [f64; EDGE])> {
    Some((cols.try_into().ok()?, values.try_into().ok()?))
}

/// Splits `N` rows of `ncol` numbers off the front.
#[inline]
fn take_rows<'a, const N: usize>(values: &mut &'a [f64], ncol: usize) -> [&'a [f64]; N] {
    std::array::from_fn(|_| {
        let (row, rest) = values.split_at(ncol);
        *values = rest;
        row
    })
}

/// Solves M x = b in place with the factor LᵀDL of an island.
pub(in crate::solver) fn solve_mass(s: &SolverScratch, x: &mut [f64]) {
    let n = s.dofs.len();
    if s.mass.val.len() == n {
        // a diagonal matrix: bodies that only slide, such as the vertices of soft bodies
        for (x, inv) in x.iter_mut().zip(&s.mass_diag_inv) {
            *x *= inv;
        }
        return;
    }
    let columns = s.mass.col.places(n);
    let strict = |i: usize| s.mass.start[i]..s.mass.start[i + 1] - 1;
    for i in (0..n).rev().filter(|&i| !strict(i).is_empty()) {
        let xi = x[i];
        if xi != 0.0 {
            columns.subtract(strict(i), &s.mass_factor[strict(i)], xi, x);
        }
    }
    for (x, inv) in x.iter_mut().zip(&s.mass_diag_inv) {
        *x *= inv;
    }
    for i in (0..n).filter(|&i| !strict(i).is_empty()) {
        x[i] -= columns.dot(strict(i), &s.mass_factor[strict(i)], x);
    }
}
