//! Gathering a whole system for the conjugate gradient in one section of several threads, beside something else: in soft bodies of
//! thousands of vertices nearly all lists of a state are read for it.

use crate::constraint::RowCosts;
use crate::workspace::BlockJacobian;
use ligament_math::csr::Csr;
use ligament_math::team::share::{self, Append, Fill, Share, Work};
use ligament_model::Model;
use std::iter::Copied;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// What is read of a state.
#[derive(Clone, Copy)]
pub(in crate::solver) struct WholeSystem<'a> {
    pub m: &'a Model,
    pub M: &'a [f64],
    /// The factor of M, and the reciprocal diagonal.
    pub factor: [&'a [f64]; 2],
    pub qfrc_smooth: &'a [f64],
    pub qacc_smooth: &'a [f64],
    pub rows: RowCosts<'a>,
    /// The Jacobian, sparse: numbers, columns, where rows begin and how many entries they have.
    pub jac: (&'a [f64], &'a [i32], [&'a [i32]; 2]),
}

/// Where it goes, in the order of [`WholeSystem`].
pub(in crate::solver) struct Gathered<'a> {
    /// Degrees of freedom, their places among themselves, and rows.
    pub dofs: &'a mut Vec<usize>,
    pub local: &'a mut Vec<u32>,
    pub row_ids: &'a mut Vec<usize>,
    pub mass: &'a mut Csr,
    pub factor: [&'a mut Vec<f64>; 2],
    pub smooth: [&'a mut Vec<f64>; 2],
    /// D, R and friction loss of rows.
    pub costs: [&'a mut Vec<f64>; 3],
    /// Kinds and ids of rows.
    pub owners: [&'a mut Vec<i32>; 2],
    pub jac: &'a mut BlockJacobian,
    /// Sum of the diagonal of M.
    pub trace: &'a mut f64,
}

/// Items that are copied in some microseconds.
const MIN_ITEMS: usize = 4000;

/// Gathers all but the start point, while two other things are done; false where the rows of a matrix do not follow each other.
pub(in crate::solver) fn gather_whole(
    threads: usize,
    system: WholeSystem,
    out: Gathered,
    [first, second]: [&mut dyn Share; 2],
) -> bool {
    let WholeSystem { m, M, factor: [ld, diag_inv], qfrc_smooth, qacc_smooth, rows, jac } = system;
    let (values, columns, [rowadr, rownnz]) = jac;
    let Gathered { dofs, local, row_ids, mass, factor, smooth, costs, owners, jac, trace } = out;
    let [ld_out, diag_inv_out] = factor;
    let BlockJacobian { rows: stored, transposed, known_start, known_cols, places, .. } = jac;
    let ([force_out, acc_out], [D_out, R_out, friction_out], [kind_out, id_out]) = (smooth, costs, owners);
    let gaps = AtomicBool::new(false);
    let mut numbers = [
        (&mut mass.val, M),
        (ld_out, ld),
        (diag_inv_out, diag_inv),
        (force_out, qfrc_smooth),
        (acc_out, qacc_smooth),
        (D_out, rows.D),
        (R_out, rows.R),
        (friction_out, rows.frictionloss),
        (&mut stored.val, values),
    ]
    .map(|(list, from)| copied(list, from));
    let mut ids = [(kind_out, rows.kind), (id_out, rows.id)].map(|(list, from)| copied(list, from));
    let mut cols = [(mass.col.edit(), &m.M_colind[..]), (stored.col.edit(), columns)].map(|(list, from)| {
        list.clear();
        Append::of(list, from.len(), move |r: Range<usize>| from[r].iter().map(|&c| c as u32))
    });
    let (n, nefc, entries) = (m.nv, rows.D.len(), values.len());
    let mut counted = [(dofs, n), (row_ids, nefc)].map(|(list, count)| {
        list.clear();
        Append::of(list, count, |r| r)
    });
    local.clear();
    let mut local = Append::of(local, n, |r| r.map(|i| i as u32));
    let mass_rows = (&mut mass.start, [&m.M_rowadr[..], &m.M_rownnz[..]], m.nC);
    let gaps_seen = &gaps;
    let mut starts =
        [mass_rows, (&mut stored.start, [rowadr, rownnz], entries)].map(|(list, rows, entries)| {
            list.clear();
            list.push(0);
            Append::of(list, rows[0].len(), move |r| EndsOf { rows, entries, gaps: gaps_seen, range: r })
        });
    // soft bodies have the same pattern in every step: then only numbers of the transpose move
    let differs = AtomicBool::new(
        transposed.rows() != n || known_start.len() != nefc + 1 || known_cols.len() != entries,
    );
    let same_length = !differs.load(Relaxed);
    let mut compare_starts = Work::of(if same_length { nefc } else { 0 }, |r| {
        let ends = r.clone().map(|row| (rowadr[row] + rownnz[row]) as usize);
        if !ends.eq(known_start[r.start + 1..r.end + 1].iter().copied()) {
            differs.store(true, Relaxed);
        }
    });
    let mut compare_cols = Work::of(if same_length { entries } else { 0 }, |r| {
        let equal =
            columns[r.clone()].iter().zip(&known_cols[r]).fold(true, |all, (&a, &b)| all & (a as u32 == b));
        if !equal {
            differs.store(true, Relaxed);
        }
    });
    let transposed_values = if same_length { &mut transposed.val[..] } else { &mut [] };
    let mut transpose = Fill::of(transposed_values, |r, out| {
        out.iter_mut().zip(&places[r]).for_each(|(out, &place)| *out = values[place as usize]);
    });
    let shares: &mut [&mut dyn Share] = &mut [
        &mut numbers,
        &mut ids,
        &mut cols,
        &mut counted,
        &mut local,
        &mut starts,
        &mut compare_starts,
        &mut compare_cols,
        &mut transpose,
    ];
    // one sum after the other, as islands add it up
    let diagonal = |i: usize| M[(m.M_rowadr[i] + m.M_rownnz[i] - 1) as usize];
    let mut add_up = Fill::of(std::slice::from_mut(trace), |_, sum| sum[0] = (0..n).map(diagonal).sum());
    share::all(threads, MIN_ITEMS, &mut [first, second, &mut add_up], shares);
    numbers.into_iter().for_each(Append::finish);
    ids.into_iter().for_each(Append::finish);
    cols.into_iter().for_each(Append::finish);
    counted.into_iter().for_each(Append::finish);
    starts.into_iter().for_each(Append::finish);
    local.finish();
    let sound = !gaps.into_inner();
    if sound && differs.into_inner() {
        known_start.clone_from(&stored.start);
        (*stored.col).clone_into(known_cols);
        transposed.transpose_of(stored, n, places);
    }
    sound
}

/// A list that becomes a copy.
fn copied<'a, T: Copy + Send + Sync>(
    list: &'a mut Vec<T>,
    from: &'a [T],
) -> Append<'a, T, impl Fn(Range<usize>) -> Copied<std::slice::Iter<'a, T>> + Sync> {
    list.clear();
    Append::of(list, from.len(), move |r: Range<usize>| from[r].iter().copied())
}

/// Where some rows of a matrix with so many entries end; notes `gaps` where one does not begin where the one before it ends.
struct EndsOf<'a> {
    /// Where rows begin, and how many entries they have.
    rows: [&'a [i32]; 2],
    entries: usize,
    gaps: &'a AtomicBool,
    range: Range<usize>,
}

impl Iterator for EndsOf<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let row = self.range.next()?;
        let [rowadr, rownnz] = self.rows;
        let end = (rowadr[row] + rownnz[row]) as usize;
        let next = rowadr.get(row + 1).map_or(self.entries, |&adr| adr as usize);
        if next != end || (row == 0 && rowadr[0] != 0) {
            self.gaps.store(true, Relaxed);
        }
        Some(end)
    }
}
