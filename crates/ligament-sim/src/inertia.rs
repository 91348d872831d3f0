//! The joint-space inertia matrix M and its factors.
//!
//! M is stored by its lower triangle on the pattern of the kinematic tree (`M_rownnz`, `M_rowadr`, `M_colind`), the
//! diagonal last in each row; `qM` is the same matrix in the older layout that lists each dof's ancestors upwards.

mod composite;

use crate::access::{Access, access};
use crate::awake::{self, Selection};
use crate::lanes::Lanes;
use crate::parallel;
use crate::support::skeleton::{self, Body, Dof, Piece, Span, side_by_side};
use crate::support::{self, jacobian::parent_dof};
use crate::tendon;
use composite::{Composite, Rows};
use ligament_math::sparse::{self, Pattern};
use ligament_model::{Data, Model};
use std::ops::Range;

/// Pattern of M.
#[inline]
pub fn pattern(m: &Model) -> Pattern<'_> {
    Pattern::new(&m.M_rownnz, &m.M_rowadr, &m.M_colind)
}

/// What [`make_m`] touches.
pub(crate) const MAKE_M: Access = access! {
    model {
        M_colind M_rowadr M_rownnz body_parentid dof_M0 dof_armature dof_bodyid dof_simplenum mapM2M
        tendon_armature
    }
    reads {
        M body_awake_ind cdof cinert crb dof_awake_ind nbody_awake nparent_awake parent_awake_ind qM
        ten_J ten_J_colind ten_J_rowadr ten_J_rownnz
    }
    writes { M crb qM }
};

/// Composite inertias and the inertia matrix: M and qM.
pub fn make_m(m: &Model, d: &mut Data) {
    crb(m, d);
    if m.ntendon > 0 {
        tendon_armature(m, d);
    }
    copy_to_qM(m, d);
}

/// M in the older layout.
pub(crate) fn copy_to_qM(m: &Model, d: &mut Data) {
    let Data { M, qM, .. } = d;
    for (&entry, &place) in M.iter().zip(&m.mapM2M[..]) {
        qM[place as u32 as usize] = entry;
    }
}

/// Composite rigid body algorithm (Featherstone 2008, §6.2): M_ij = cdof_jᵀ · crb_i · cdof_i for j on the path from
/// dof i to the root. Bodies marked simple have constant diagonal inertia.
///
/// What only some models need has functions of its own: a step runs through more code than the processor keeps at hand, and small
/// models wait for it longer than for numbers.
#[inline(never)]
pub fn crb(m: &Model, d: &mut Data) {
    if awake::sleep_enabled(m) && d.nv_awake < m.nv {
        return crb_of_awake(m, d);
    }
    if skeleton::is_worth_threads(m, d.threads) || !m.parts.soft_points().is_empty() {
        return crb_in_pieces(m, d);
    }
    let Data { cinert, cdof, crb, M, .. } = d;
    let composite = Composite::of(m, cdof);
    let crb = &mut crb[..m.nbody];
    composite::copy(&cinert[..m.nbody], crb);
    let mut out = (Span::whole(crb), Span::whole(M));
    composite.add_to_parents((1..m.nbody).rev(), &mut out.0);
    composite.rows(0..m.nv, &mut out);
}

#[inline(never)]
fn crb_of_awake(m: &Model, d: &mut Data) {
    let Data { cinert, cdof, crb, M, body_awake_ind, parent_awake_ind, dof_awake_ind, .. } = d;
    let composite = Composite::of(m, cdof);
    for &i in &body_awake_ind[..d.nbody_awake] {
        crb[i as usize] = cinert[i as usize];
    }
    let mut out = (Span::whole(crb), Span::whole(M));
    let bodies = Selection::new(true, parent_awake_ind, d.nparent_awake, usize::MAX);
    composite.add_to_parents(bodies.iter().rev(), &mut out.0);
    composite.rows(Selection::new(true, dof_awake_ind, d.nv_awake, m.nv).iter(), &mut out);
}

#[inline(never)]
fn crb_in_pieces(m: &Model, d: &mut Data) {
    let Data { cinert, cdof, crb, M, .. } = d;
    let composite = Composite::of(m, cdof);
    crb[0] = cinert[0];
    let (crb, cinert) = (&mut crb[..m.nbody], &cinert[..m.nbody]);
    side_by_side!(m, d.threads, (Span::whole(crb), Span::whole(M)), |piece, out| {
        let Piece { bodies, dofs, .. } = piece;
        composite::copy(&cinert[bodies.clone()], out.0.range(bodies.clone()));
        let (others, points) = piece.apart_from_points(m);
        for bodies in others.into_iter().rev() {
            composite.add_to_parents(bodies.rev(), &mut out.0);
        }
        composite.rows_beside(dofs.clone(), &points, &mut out);
    });
}

/// Adds the armature of tendons, M += armature · Jᵀ J. Terms outside the pattern of M are dropped, as in the
/// reference.
#[inline(never)]
pub fn tendon_armature(m: &Model, d: &mut Data) {
    let is_sparse = support::is_sparse(m);
    for k in 0..m.ntendon {
        let armature = m.tendon_armature[k];
        if armature == 0.0 || tendon::is_asleep(m, d, k) {
            continue;
        }
        let Data { M, ten_J, ten_J_rownnz, ten_J_rowadr, ten_J_colind, .. } = d;
        if is_sparse {
            let start = ten_J_rowadr[k] as usize;
            let range = start..start + ten_J_rownnz[k] as usize;
            add_outer_product(m, M, armature, &ten_J[range.clone()], &ten_J_colind[range]);
        } else {
            let row = &ten_J[k * m.nv..(k + 1) * m.nv];
            for (i, &value) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                let range = pattern(m).row(i);
                for (x, &j) in M[range.clone()].iter_mut().zip(&m.M_colind[range]) {
                    *x += armature * value * row[j as usize];
                }
            }
        }
    }
}

/// M += scale · rowᵀ row on the pattern of M, for a sparse row.
fn add_outer_product(m: &Model, M: &mut [f64], scale: f64, row: &[f64], columns: &[i32]) {
    for (&value, &i) in row.iter().zip(columns) {
        if value == 0.0 {
            continue;
        }
        let range = pattern(m).row(i as usize);
        let (target, target_columns) = (&mut M[range.clone()], &m.M_colind[range]);
        let mut at = 0;
        for (&other, &j) in row.iter().zip(columns) {
            while at < target.len() && target_columns[at] < j {
                at += 1;
            }
            if at == target.len() {
                break;
            }
            if target_columns[at] == j {
                target[at] += scale * value * other;
            }
        }
    }
}

/// M and its factors of four worlds in which nothing sleeps and tendons have no armature.
pub(crate) fn factor_m_together(m: &Model, lanes: &mut Lanes) {
    let Lanes { cinert, cdof, crb, M, qLD, qLDiagInv, .. } = lanes;
    let composite = Composite::of(m, cdof);
    crb.copy_from_slice(cinert);
    let mut out = (Span::whole(crb), Span::whole(M));
    composite.add_to_parents((1..m.nbody).rev(), &mut out.0);
    composite.rows(0..m.nv, &mut out);
    qLD.copy_from_slice(M);
    sparse::factor_ltdl_together(qLD, qLDiagInv, m.nv, pattern(m));
}

/// Solves systems with the pattern of M in four worlds: `lanes.qLD` becomes its factors, `lanes.solution` the solution.
pub(crate) fn solve_together(m: &Model, lanes: &mut Lanes) {
    let Lanes { qLD, qLDiagInv, solution, .. } = lanes;
    sparse::factor_ltdl_together(qLD, qLDiagInv, m.nv, pattern(m));
    sparse::solve_ltdl_together(solution, qLD, qLDiagInv, m.nv, pattern(m));
}

/// [`make_m`] and [`factor_m`] tree by tree, in pieces for several threads where that is worth while.
///
/// Never inlined: the stages beside it would share its registers.
#[inline(never)]
pub(crate) fn make_and_factor_m(m: &Model, d: &mut Data) {
    // few bodies with many entries are worth threads for their factor alone
    let factor_alone = !skeleton::is_worth_threads(m, d.threads) && threads_for(m, d.threads) >= 2;
    let apart = factor_alone
        || awake::sleep_enabled(m)
        || !m.parts.soft_points().is_empty()
        || !support::all_zero(&m.tendon_armature);
    if apart {
        make_m(m, d);
        return factor_m(m, d);
    }
    let Data { cinert, cdof, crb, M, qM, qLD, qLDiagInv, .. } = d;
    let composite = Composite::of(m, cdof);
    crb[0] = cinert[0];
    let (cinert, old_starts) = (&cinert[..m.nbody], &m.dof_Madr[..m.nv]);
    let rows = (Span::whole(M), (Span::whole(qM), Span::whole(qLD)));
    let out: TreeInertias = (Span::whole(&mut crb[..m.nbody]), (rows, Span::whole(qLDiagInv)));
    side_by_side!(m, d.threads, out, |piece, out| {
        let (crb, (rows, qLDiagInv)) = &mut out;
        let (bodies, dofs) = (piece.bodies.clone(), piece.dofs.clone());
        composite::copy(&cinert[bodies.clone()], crb.range(bodies.clone()));
        composite.add_to_parents(bodies.rev(), crb);
        composite.rows_thrice(dofs.clone(), crb, old_starts, rows);
        let (qLD, pattern) = (rows.1.1.range(piece.entries(m)), pattern(m).part(dofs.clone()));
        sparse::factor_ltdl(qLD, qLDiagInv.range(dofs.clone()), dofs.len(), pattern, None);
    });
}

/// Composite inertias; M, in both layouts, and its factor.
type TreeInertias<'a> = (Span<'a, Body, [f64; 10]>, (Rows<'a>, Span<'a, Dof, f64>));

/// What [`factor_m`] touches.
pub(crate) const FACTOR_M: Access = access! {
    model { M_colind M_rowadr M_rownnz tree_dofadr }
    reads { M dof_awake_ind qLD qLDiagInv }
    writes { qLD qLDiagInv }
};

/// Factors M = LᵀDL into qLD and qLDiagInv.
pub fn factor_m(m: &Model, d: &mut Data) {
    let Data { M, qLD, qLDiagInv, dof_awake_ind, .. } = d;
    let dofs = Selection::new(awake::sleep_enabled(m), dof_awake_ind, d.nv_awake, m.nv);
    factor_of(m, dofs, d.threads, (M, None), qLD, qLDiagInv);
}

/// Entries of M below which threads cost more than they save.
const MIN_ENTRIES: usize = 6000;

/// How many threads matrices of this size are worth, where nothing sleeps.
fn threads_for(m: &Model, threads: usize) -> usize {
    if m.nC >= MIN_ENTRIES { threads.min(m.ntree) } else { 1 }
}

/// Are trees factored and solved side by side?
fn is_worth_threads(m: &Model, dofs: Selection, threads: usize) -> bool {
    threads_for(m, threads) >= 2 && !dofs.is_filtered()
}

/// Factors a matrix with the pattern of M in place: `mat` = LᵀDL.
pub(crate) fn factor(m: &Model, dofs: Selection, threads: usize, mat: &mut [f64], diag_inv: &mut [f64]) {
    if is_worth_threads(m, dofs, threads) {
        return factor_side_by_side(m, threads, mat, diag_inv);
    }
    sparse::factor_ltdl(mat, diag_inv, dofs.len(), pattern(m), dofs.index());
}

#[cold]
fn factor_side_by_side(m: &Model, threads: usize, mat: &mut [f64], diag_inv: &mut [f64]) {
    let pieces = Pieces::of(m, threads, mat, diag_inv);
    parallel::each(threads, pieces, |(trees, (mat, diag_inv))| trees.factor(mat, diag_inv));
}

/// Factors M, or M + h·diag(damping) for a time step h, into another matrix.
pub(crate) fn factor_of(
    m: &Model,
    dofs: Selection,
    threads: usize,
    (from, damped): (&[f64], Option<f64>),
    mat: &mut [f64],
    diag_inv: &mut [f64],
) {
    if is_worth_threads(m, dofs, threads) {
        return factor_of_side_by_side(m, threads, (from, damped), mat, diag_inv);
    }
    if dofs.is_filtered() {
        return factor_of_awake(m, dofs, (from, damped), mat, diag_inv);
    }
    mat.copy_from_slice(from);
    if let Some(h) = damped {
        add_to_diagonal(m, Selection::all(m.nv), h, mat);
    }
    sparse::factor_ltdl(mat, diag_inv, m.nv, pattern(m), None);
}

#[inline(never)]
fn factor_of_awake(
    m: &Model,
    dofs: Selection,
    (from, damped): (&[f64], Option<f64>),
    mat: &mut [f64],
    diag_inv: &mut [f64],
) {
    copy_rows(m, dofs, from, mat);
    if let Some(h) = damped {
        add_to_diagonal(m, dofs, h, mat);
    }
    sparse::factor_ltdl(mat, diag_inv, dofs.len(), pattern(m), dofs.index());
}

/// Adds h·diag(damping) to a matrix with the pattern of M.
#[inline(always)]
pub(crate) fn add_to_diagonal(m: &Model, dofs: Selection, h: f64, mat: &mut [f64]) {
    let (rowadr, rownnz, damping) = (&m.M_rowadr[..m.nv], &m.M_rownnz[..m.nv], &m.dof_damping[..m.nv]);
    dofs.each(|i| mat[(rowadr[i] + rownnz[i] - 1) as usize] += h * damping[i]);
}

#[cold]
fn factor_of_side_by_side(
    m: &Model,
    threads: usize,
    (from, damped): (&[f64], Option<f64>),
    mat: &mut [f64],
    diag_inv: &mut [f64],
) {
    parallel::each(threads, Pieces::of(m, threads, mat, diag_inv), |(trees, (mat, diag_inv))| {
        let entries = trees.entries();
        mat.copy_from_slice(&from[entries.clone()]);
        if let Some(h) = damped {
            let diagonal = |i: usize| trees.pattern.row(i).end - 1 - entries.start;
            trees.dofs().for_each(|i| mat[diagonal(i)] += h * m.dof_damping[i]);
        }
        trees.factor(mat, diag_inv);
    });
}

/// Solves LᵀDL x = x in place with what [`factor`] made.
pub(crate) fn solve(
    m: &Model,
    dofs: Selection,
    threads: usize,
    (ld, diag_inv): (&[f64], &[f64]),
    x: &mut [f64],
) {
    if is_worth_threads(m, dofs, threads) {
        return solve_side_by_side(m, threads, (ld, diag_inv), x);
    }
    sparse::solve_ltdl(x, ld, diag_inv, dofs.len(), pattern(m), dofs.index());
}

#[cold]
fn solve_side_by_side(m: &Model, threads: usize, (ld, diag_inv): (&[f64], &[f64]), x: &mut [f64]) {
    let pieces = Pieces::of(m, threads, &mut [], x);
    parallel::each(threads, pieces, |(trees, (_, x))| trees.solve(ld, diag_inv, x));
}

/// Consecutive kinematic trees, whose degrees of freedom meet nothing outside.
#[derive(Clone)]
struct Trees<'a> {
    first_dof: &'a [i32],
    nv: usize,
    entries: usize,
    pattern: Pattern<'a>,
    range: Range<usize>,
}

impl<'a> Trees<'a> {
    fn of(m: &'a Model) -> Self {
        Self { first_dof: &m.tree_dofadr, nv: m.nv, entries: m.nC, pattern: pattern(m), range: 0..m.ntree }
    }

    fn dofs(&self) -> Range<usize> {
        let start = |tree: usize| self.first_dof.get(tree).map_or(self.nv, |&dof| dof as usize);
        start(self.range.start)..start(self.range.end)
    }

    /// Entries of M.
    fn entries(&self) -> Range<usize> {
        let Range { start, end } = self.dofs();
        let place = |dof: usize| if dof < self.nv { self.pattern.row(dof).start } else { self.entries };
        place(start)..place(end)
    }

    fn factor(self, mat: &mut [f64], diag_inv: &mut [f64]) {
        let dofs = self.dofs();
        sparse::factor_ltdl(mat, diag_inv, dofs.len(), self.pattern.part(dofs), None);
    }

    /// `y = M x` with all of M and of `x`; `y` is of these trees.
    fn multiply(self, mat: &[f64], x: &[f64], y_out: &mut [f64]) {
        let (dofs, mat) = (self.dofs(), &mat[self.entries()]);
        sparse::mul_sym_vec(y_out, mat, &x[dofs.clone()], dofs.len(), self.pattern.part(dofs));
    }

    /// With the factor of everything; `x` is of these trees.
    fn solve(self, ld: &[f64], diag_inv: &[f64], x: &mut [f64]) {
        let (dofs, ld) = (self.dofs(), &ld[self.entries()]);
        let diag_inv = &diag_inv[dofs.clone()];
        sparse::solve_ltdl(x, ld, diag_inv, dofs.len(), self.pattern.part(dofs), None);
    }
}

/// Pieces of about as many trees, each with its entries of a matrix (or none of an empty one) and its part of a vector.
struct Pieces<'a> {
    trees: Trees<'a>,
    rest: Option<(&'a mut [f64], &'a mut [f64])>,
    count: usize,
}

impl<'a> Pieces<'a> {
    fn of(m: &'a Model, threads: usize, mat: &'a mut [f64], vector: &'a mut [f64]) -> Self {
        Self { trees: Trees::of(m), rest: Some((mat, vector)), count: parallel::pieces(threads, 2) }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = (Trees<'a>, (&'a mut [f64], &'a mut [f64]));

    fn next(&mut self) -> Option<Self::Item> {
        let (mat, vector) = self.rest.take()?;
        let Range { start, end } = self.trees.range;
        let middle = start + (end - start) / self.count.max(1);
        if middle == start || middle == end {
            return Some((self.trees.clone(), (mat, vector)));
        }
        let first = Trees { range: start..middle, ..self.trees.clone() };
        let (mat, mat2) = mat.split_at_mut(first.entries().len().min(mat.len()));
        let (vector, vector2) = vector.split_at_mut(first.dofs().len());
        self.trees.range.start = middle;
        self.rest = Some((mat2, vector2));
        self.count -= 1;
        Some((first, (mat, vector)))
    }
}

/// Copies the rows of an M-shaped matrix that belong to some dofs.
pub(crate) fn copy_rows(m: &Model, dofs: Selection, from: &[f64], to: &mut [f64]) {
    if dofs.is_filtered() {
        for i in dofs.iter() {
            let row = pattern(m).row(i);
            to[row.clone()].copy_from_slice(&from[row]);
        }
    } else {
        to.copy_from_slice(from);
    }
}

/// Solves M x = x in place for `x.len() / nv` vectors, with the factors in the data.
pub fn solve_m_in_place(m: &Model, d: &Data, x: &mut [f64]) {
    if m.nv > 0 {
        for x in x.chunks_exact_mut(m.nv) {
            sparse::solve_ltdl(x, &d.qLD, &d.qLDiagInv, m.nv, pattern(m), None);
        }
    }
}

/// `x = M⁻¹ y` for `y.len() / nv` vectors.
pub fn solve_m(m: &Model, d: &Data, x: &mut [f64], y: &[f64]) {
    x[..y.len()].copy_from_slice(y);
    solve_m_in_place(m, d, &mut x[..y.len()]);
}

/// `x = D^(-1/2) L⁻ᵀ y` for `y.len() / nv` vectors: half of [`solve_m`]. `sqrt_inv_d` holds the square roots of 1/D.
pub fn solve_m2(m: &Model, d: &Data, x: &mut [f64], y: &[f64], sqrt_inv_d: &[f64]) {
    x[..y.len()].copy_from_slice(y);
    if m.nv > 0 {
        for x in x[..y.len()].chunks_exact_mut(m.nv) {
            sparse::solve_ltdl_half(x, &d.qLD, sqrt_inv_d, m.nv, pattern(m));
        }
    }
}

/// `res = M v`
pub fn mul_m(m: &Model, d: &Data, res: &mut [f64], v: &[f64]) {
    sparse::mul_sym_vec(res, &d.M, v, m.nv, pattern(m));
}

/// [`mul_m`] on the threads of the data.
pub(crate) fn mul_m_on_threads(m: &Model, d: &Data, res: &mut [f64], v: &[f64]) {
    if threads_for(m, d.threads) < 2 {
        return mul_m(m, d, res, v);
    }
    parallel::each(d.threads, Pieces::of(m, d.threads, &mut [], res), |(trees, (_, res))| {
        trees.multiply(&d.M, v, res);
    });
}

/// `res = D^(1/2) L v`: multiplication by the square root of M.
pub fn mul_m2(m: &Model, d: &Data, res: &mut [f64], v: &[f64]) {
    for i in 0..m.nv {
        let row = pattern(m).row(i);
        let strict = row.start..row.end - 1;
        let sum = v[i] + sparse::dot(&d.qLD[strict.clone()], v, &m.M_colind[strict]);
        res[i] = sum * d.qLD[row.end - 1].sqrt();
    }
}

/// Expands a matrix in the layout of qM to a full nv × nv matrix.
pub fn full_m(m: &Model, dst: &mut [f64], qM: &[f64]) {
    let nv = m.nv;
    dst[..nv * nv].fill(0.0);
    let mut adr = 0;
    for i in 0..nv {
        let mut j = i as i32;
        while j >= 0 {
            dst[i * nv + j as usize] = qM[adr];
            dst[j as usize * nv + i] = qM[adr];
            j = parent_dof(m, j as usize);
            adr += 1;
        }
    }
}

/// Adds the lower triangle of M to a dense nv × nv matrix.
pub fn add_m_dense(m: &Model, d: &Data, dst: &mut [f64]) {
    for i in 0..m.nv {
        for adr in pattern(m).row(i) {
            dst[i * m.nv + m.M_colind[adr] as usize] += d.M[adr];
        }
    }
}
