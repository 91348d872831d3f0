//! Gathering one island of constraint rows, and products with its Jacobian.

use ligament_model::scratch::{Block, BlockJacobian, SolverScratch};
use ligament_model::{Data, Model};

use crate::constraint::JacobianView;

/// Copies everything the solver needs of an island (of the whole system for `None`) into the scratch.
/// `s.start` holds the residual of the start point for all rows.
pub(super) fn gather(m: &Model, d: &Data, island: Option<usize>, s: &mut SolverScratch) {
    select(m, d, island, s);
    gather_mass(m, d, s);
    gather_jacobian(m, d, s);
    let (n, nefc) = (s.dofs.len(), s.rows.len());
    pick(&s.dofs, &d.qfrc_smooth, &mut s.qfrc_smooth);
    pick(&s.dofs, &d.qacc_smooth, &mut s.qacc_smooth);
    pick(&s.dofs, &d.qacc, &mut s.qacc);
    pick(&s.rows, &d.efc_D, &mut s.D);
    pick(&s.rows, &d.efc_R, &mut s.R);
    pick(&s.rows, &d.efc_frictionloss, &mut s.frictionloss);
    pick(&s.rows, &s.start, &mut s.jaref);
    pick(&s.rows, &d.efc_type, &mut s.kind);
    pick(&s.rows, &d.efc_id, &mut s.id);
    for v in [&mut s.force, &mut s.jv] {
        v.clear();
        v.resize(nefc, 0.0);
    }
    for v in [&mut s.state, &mut s.old_state] {
        v.clear();
        v.resize(nefc, 0);
    }
    for v in [&mut s.qfrc_constraint, &mut s.ma, &mut s.mv, &mut s.grad, &mut s.mgrad, &mut s.search] {
        v.clear();
        v.resize(n, 0.0);
    }
}

fn pick<T: Copy>(ids: &[usize], from: &[T], to: &mut Vec<T>) {
    to.clear();
    to.extend(ids.iter().map(|&i| from[i]));
}

fn select(m: &Model, d: &Data, island: Option<usize>, s: &mut SolverScratch) {
    s.dofs.clear();
    s.rows.clear();
    match island {
        None => {
            s.dofs.extend(0..m.nv);
            s.rows.extend(0..d.nefc);
            (s.ne, s.nf) = (d.ne, d.nf);
        }
        Some(i) => {
            let adr = d.island_idofadr[i] as usize;
            s.dofs.extend(d.map_idof2dof[adr..adr + d.island_nv[i] as usize].iter().map(|&x| x as usize));
            let adr = d.island_iefcadr[i] as usize;
            s.rows.extend(d.map_iefc2efc[adr..adr + d.island_nefc[i] as usize].iter().map(|&x| x as usize));
            (s.ne, s.nf) = (d.island_ne[i] as usize, d.island_nf[i] as usize);
        }
    }
    s.local.resize(m.nv, 0);
    for (k, &dof) in s.dofs.iter().enumerate() {
        s.local[dof] = k as u32;
    }
}

fn gather_mass(m: &Model, d: &Data, s: &mut SolverScratch) {
    s.mass.clear();
    s.mass_factor.clear();
    s.mass_diag_inv.clear();
    for &dof in &s.dofs {
        let adr = m.M_rowadr[dof] as usize;
        let range = adr..adr + m.M_rownnz[dof] as usize;
        s.mass.col.extend(m.M_colind[range.clone()].iter().map(|&c| s.local[c as usize]));
        s.mass.val.extend_from_slice(&d.M[range.clone()]);
        s.mass.end_row();
        s.mass_factor.extend_from_slice(&d.qLD[range]);
        s.mass_diag_inv.push(d.qLDiagInv[dof]);
    }
}

fn gather_jacobian(m: &Model, d: &Data, s: &mut SolverScratch) {
    let jac = JacobianView::new(m, d);
    let BlockJacobian { blocks, cols, values, gathered } = &mut s.jac;
    blocks.clear();
    cols.clear();
    values.clear();
    let mut k = 0;
    while k < s.rows.len() {
        let first = s.rows[k];
        let pattern = jac.cols(first);
        let key = (d.efc_type[first], d.efc_id[first]);
        let same = |row: usize| (d.efc_type[row], d.efc_id[row]) == key && jac.cols(row) == pattern;
        let count = 1 + s.rows[k + 1..].iter().take_while(|&&row| same(row)).count();
        let (adr, col_adr) = (values.len(), cols.len());
        for &row in &s.rows[k..k + count] {
            jac.push_compressed(row, values);
        }
        cols.extend(pattern.iter().map(|&c| s.local[c as usize]));
        let ncol = drop_zero_columns(cols, col_adr, values, adr, gathered);
        // neighbours with the same columns form one larger block
        match blocks.last_mut() {
            Some(last) if last.ncol == ncol && cols[last.col_adr..col_adr] == cols[col_adr..] => {
                last.rows += count;
                cols.truncate(col_adr);
            }
            _ => blocks.push(Block { row: k, rows: count, col_adr, ncol, adr }),
        }
        k += count;
    }
}

/// Removes columns without numbers, such as the common ancestors of two touching links of one tree.
fn drop_zero_columns(
    cols: &mut Vec<u32>,
    col_adr: usize,
    values: &mut Vec<f64>,
    adr: usize,
    kept: &mut Vec<f64>,
) -> usize {
    let ncol = cols.len() - col_adr;
    if ncol == 0 || values[adr..adr + ncol].iter().all(|&x| x != 0.0) {
        return ncol;
    }
    let used = |c: usize| values[adr..].chunks_exact(ncol).any(|row| row[c] != 0.0);
    kept.clear();
    kept.extend((0..ncol).map(|c| if used(c) { 1.0 } else { 0.0 }));
    let mut write = adr;
    for read in adr..values.len() {
        if kept[(read - adr) % ncol] != 0.0 {
            values[write] = values[read];
            write += 1;
        }
    }
    values.truncate(write);
    let mut write = col_adr;
    for c in 0..ncol {
        if kept[c] != 0.0 {
            cols[write] = cols[col_adr + c];
            write += 1;
        }
    }
    cols.truncate(write);
    write - col_adr
}

/// Rows handled at once: their columns are the same, so that an index is read once for all of them.
const GROUP: usize = 4;

/// `y = J x`
pub(super) fn mul_vec(jac: &BlockJacobian, x: &[f64], y_out: &mut [f64]) {
    for b in &jac.blocks {
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let mut values = &jac.values[b.adr..b.adr + b.rows * b.ncol];
        if let Some((cols, row)) = single_edge(cols, values) {
            y_out[b.row] = (0..EDGE).map(|k| row[k] * x[cols[k] as usize]).sum();
            continue;
        }
        let y = &mut y_out[b.row..b.row + b.rows];
        let mut done = 0;
        while done + GROUP <= b.rows {
            let [r0, r1, r2, r3] = take_rows(&mut values, b.ncol);
            let mut sum = [0.0; GROUP];
            for ((((&c, v0), v1), v2), v3) in cols.iter().zip(r0).zip(r1).zip(r2).zip(r3) {
                let x = x[c as usize];
                sum[0] += v0 * x;
                sum[1] += v1 * x;
                sum[2] += v2 * x;
                sum[3] += v3 * x;
            }
            y[done..done + GROUP].copy_from_slice(&sum);
            done += GROUP;
        }
        for target in &mut y[done..] {
            let [row] = take_rows(&mut values, b.ncol);
            *target = cols.iter().zip(row).map(|(&c, v)| v * x[c as usize]).sum();
        }
    }
}

/// `y = Jᵀ x`
pub(super) fn mul_transposed_vec(jac: &BlockJacobian, x: &[f64], y_out: &mut [f64]) {
    y_out.fill(0.0);
    for b in &jac.blocks {
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let mut values = &jac.values[b.adr..b.adr + b.rows * b.ncol];
        if let Some((cols, row)) = single_edge(cols, values) {
            let f = x[b.row];
            for k in 0..EDGE {
                y_out[cols[k] as usize] += f * row[k];
            }
            continue;
        }
        let mut forces = &x[b.row..b.row + b.rows];
        while let Some((f, rest)) = forces.split_first_chunk::<GROUP>() {
            let [r0, r1, r2, r3] = take_rows(&mut values, b.ncol);
            forces = rest;
            if *f == [0.0; GROUP] {
                continue;
            }
            for ((((&c, v0), v1), v2), v3) in cols.iter().zip(r0).zip(r1).zip(r2).zip(r3) {
                y_out[c as usize] += (f[0] * v0 + f[1] * v1) + (f[2] * v2 + f[3] * v3);
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
pub(super) fn solve_mass(s: &SolverScratch, x: &mut [f64]) {
    let n = s.dofs.len();
    if s.mass.val.len() == n {
        // a diagonal matrix: bodies that only slide, such as the vertices of soft bodies
        for (x, inv) in x.iter_mut().zip(&s.mass_diag_inv) {
            *x *= inv;
        }
        return;
    }
    for i in (0..n).rev() {
        let xi = x[i];
        if xi != 0.0 {
            let range = s.mass.start[i]..s.mass.start[i + 1] - 1;
            for (&c, &l) in s.mass.col[range.clone()].iter().zip(&s.mass_factor[range]) {
                x[c as usize] -= l * xi;
            }
        }
    }
    for (x, inv) in x.iter_mut().zip(&s.mass_diag_inv) {
        *x *= inv;
    }
    for i in 0..n {
        let range = s.mass.start[i]..s.mass.start[i + 1] - 1;
        let sum: f64 = s.mass.col[range.clone()]
            .iter()
            .zip(&s.mass_factor[range])
            .map(|(&c, &l)| l * x[c as usize])
            .sum();
        x[i] -= sum;
    }
}
