//! The growing list of constraint rows.

use ligament_math::team::share::{self, Append, Share};
use ligament_model::enums::ConstraintType;
use ligament_model::limits::{ENTRY, ROW};
use ligament_model::storage::List;
use std::ops::Range;

/// Entries of a Jacobian that are copied in some microseconds.
const MIN_ENTRIES: usize = 8000;

/// What the rows of one constraint have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group<'a> {
    pub kind: ConstraintType,
    pub id: usize,
    /// Number of rows.
    pub size: usize,
    /// Residual and margin per row; shorter lists are continued with zeros.
    pub pos: &'a [f64],
    pub margin: &'a [f64],
    pub frictionloss: f64,
}

/// The lists of rows of a state, borrowed apart from what the rows are made from.
///
/// Sparse Jacobians are compressed rows. Dense ones have a row of `nv` numbers; their pattern is kept as well, in
/// `efc_J_rownnz` and the first entries of each row of `efc_J_colind`.
pub(crate) struct Rows<'a> {
    /// Bytes that rows may take.
    pub memory: u64,
    pub sparse: bool,
    pub nv: usize,
    pub jac: &'a mut List<f64>,
    pub rownnz: &'a mut List<i32>,
    pub rowadr: &'a mut List<i32>,
    pub colind: &'a mut List<i32>,
    pub kind: &'a mut List<i32>,
    pub id: &'a mut List<i32>,
    pub pos: &'a mut List<f64>,
    pub margin: &'a mut List<f64>,
    pub frictionloss: &'a mut List<f64>,
    /// First row of each tendon.
    pub tendon: &'a mut List<i32>,
    pub count: RowCount,
}

/// What was added to the rows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RowCount {
    pub equality: usize,
    pub friction: usize,
    pub limit: usize,
    /// A constraint was left out for lack of memory.
    pub full: bool,
}

impl Rows<'_> {
    /// Forgets all rows.
    pub fn clear(&mut self, ntendon: usize) {
        for list in [&mut self.jac, &mut self.pos, &mut self.margin, &mut self.frictionloss] {
            list.clear();
        }
        let Rows { rownnz, rowadr, colind, kind, id, .. } = self;
        for list in [rownnz, rowadr, colind, kind, id] {
            list.clear();
        }
        self.tendon.refill(ntendon, -1);
        self.count = RowCount::default();
    }

    /// Notes the first row of a tendon.
    pub fn note_tendon(&mut self, tendon: usize, row: usize) {
        if self.tendon[tendon] == -1 {
            self.tendon[tendon] = row as i32;
        }
    }

    /// Is there no room for a constraint with so many rows? Once there is none, no more rows are made.
    fn is_full(&mut self, size: usize, columns: usize) -> bool {
        let columns = if self.sparse { columns } else { self.nv };
        let rows = (self.kind.len() + size) as u64 * ROW;
        let entries = (self.jac.len() + size * columns) as u64;
        self.count.full |= rows + entries * ENTRY > self.memory || entries > i32::MAX as u64;
        self.count.full
    }

    /// Is there room for so many more rows of a sparse Jacobian with so many entries?
    pub fn has_room(&self, count: usize, entries: usize) -> bool {
        let entries = (self.jac.len() + entries) as u64;
        let bytes = (self.kind.len() + count) as u64 * ROW + entries * ENTRY;
        !self.count.full && bytes <= self.memory && entries <= i32::MAX as u64
    }

    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.kind.len()
    }

    /// Adds a constraint with its Jacobian `size × cols.len()`. Returns false when nothing moves it:
    /// such a constraint gets no rows.
    pub fn add(&mut self, group: Group, cols: &[i32], jac: &[f64]) -> bool {
        if cols.is_empty() || (!self.sparse && !is_contact(group.kind) && jac.iter().all(|&x| x == 0.0)) {
            return false;
        }
        if self.is_full(group.size, cols.len()) {
            return false;
        }
        if self.sparse {
            self.push_sparse(cols, jac);
        } else {
            self.push_dense(cols, jac, group.size);
        }
        continue_with_zeros(self.pos, group.pos, group.size);
        continue_with_zeros(self.margin, group.margin, group.size);
        append(self.frictionloss, group.frictionloss, group.size);
        append(self.kind, group.kind as i32, group.size);
        append(self.id, group.id as i32, group.size);
        match group.kind {
            ConstraintType::Equality => self.count.equality += group.size,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => self.count.friction += group.size,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => self.count.limit += group.size,
            ConstraintType::ContactFrictionless
            | ConstraintType::ContactPyramidal
            | ConstraintType::ContactElliptic => {}
        }
        true
    }

    /// Adds constraints of one row each, one behind the other, whose sparse rows have `rownnz` entries: false where they
    /// have to be added one by one. Lists are continued side by side where they are long.
    pub fn add_single(
        &mut self,
        threads: usize,
        group: Group,
        (length, length0): (&[f64], &[f64]),
        (rownnz, colind): (&[i32], &[i32]),
        jac: &[f64],
    ) -> bool {
        let count = rownnz.len();
        if !self.sparse || !self.has_room(count, jac.len()) {
            return false;
        }
        let end = self.kind.len() + count;
        let mut adr = self.jac.len() as i32;
        self.rowadr.extend(rownnz.iter().map(|&n| {
            adr += n;
            adr - n
        }));
        let pos = |rows: Range<usize>| length[rows.clone()].iter().zip(&length0[rows]).map(|(l, l0)| l - l0);
        if threads < 2 || jac.len() < MIN_ENTRIES {
            self.jac.extend_from_slice(jac);
            self.colind.extend_from_slice(colind);
            self.rownnz.extend_from_slice(rownnz);
            self.pos.extend(pos(0..count));
            self.margin.resize(end, 0.0);
            self.frictionloss.resize(end, group.frictionloss);
            self.kind.resize(end, group.kind as i32);
            self.id.resize(end, group.id as i32);
        } else {
            let mut numbers: [Vec<f64>; 4] = Default::default();
            let mut integers: [Vec<i32>; 4] = Default::default();
            self.exchange_lists(&mut numbers, &mut integers);
            let [jac_out, pos_out, margin_out, friction_out] = &mut numbers;
            let [colind_out, rownnz_out, kind_out, id_out] = &mut integers;
            let mut entries = Append::of(jac_out, jac.len(), |r| jac[r].iter().copied());
            let mut columns = Append::of(colind_out, jac.len(), |r| colind[r].iter().copied());
            let mut counts = Append::of(rownnz_out, count, |r| rownnz[r].iter().copied());
            let mut pos = Append::of(pos_out, count, pos);
            let mut margin = Append::of(margin_out, count, |r| r.map(|_| 0.0));
            let mut friction = Append::of(friction_out, count, |r| r.map(|_| group.frictionloss));
            let mut kind = Append::of(kind_out, count, |r| r.map(|_| group.kind as i32));
            let mut id = Append::of(id_out, count, |r| r.map(|_| group.id as i32));
            let lists: &mut [&mut dyn Share] = &mut [
                &mut entries,
                &mut columns,
                &mut counts,
                &mut pos,
                &mut margin,
                &mut friction,
                &mut kind,
                &mut id,
            ];
            share::all(threads, MIN_ENTRIES, &mut [], lists);
            entries.finish();
            columns.finish();
            counts.finish();
            pos.finish();
            margin.finish();
            friction.finish();
            kind.finish();
            id.finish();
            self.exchange_lists(&mut numbers, &mut integers);
        }
        self.count.equality += count;
        true
    }

    /// Lends lists to be written in parts, and takes them back.
    fn exchange_lists(&mut self, numbers: &mut [Vec<f64>; 4], integers: &mut [Vec<i32>; 4]) {
        let Self { jac, pos, margin, frictionloss, colind, rownnz, kind, id, .. } = self;
        for (list, own) in [jac, pos, margin, frictionloss].into_iter().zip(numbers) {
            list.exchange(own);
        }
        for (list, own) in [colind, rownnz, kind, id].into_iter().zip(integers) {
            list.exchange(own);
        }
    }

    fn push_sparse(&mut self, cols: &[i32], jac: &[f64]) {
        for adr in (self.jac.len()..self.jac.len() + jac.len()).step_by(cols.len()) {
            self.rowadr.push(adr as i32);
            self.rownnz.push(cols.len() as i32);
            self.colind.extend_from_slice(cols);
        }
        self.jac.extend_from_slice(jac);
    }

    fn push_dense(&mut self, cols: &[i32], jac: &[f64], size: usize) {
        let (start, nv) = (self.jac.len(), self.nv);
        self.jac.resize(start + size * nv, 0.0);
        self.colind.resize(start + size * nv, 0);
        for (k, row) in jac.chunks_exact(cols.len()).enumerate() {
            let adr = start + k * nv;
            self.rowadr.push(adr as i32);
            self.rownnz.push(cols.len() as i32);
            self.colind[adr..adr + cols.len()].copy_from_slice(cols);
            let target = &mut self.jac[adr..adr + nv];
            for (&c, &x) in cols.iter().zip(row) {
                target[c as usize] = x;
            }
        }
    }
}

/// Appends numbers, then zeros, `size` together.
fn continue_with_zeros(list: &mut List<f64>, numbers: &[f64], size: usize) {
    let given = numbers.len().min(size);
    if size == 1 {
        list.push(if given == 1 { numbers[0] } else { 0.0 });
        return;
    }
    let end = list.len() + size;
    list.extend_from_slice(&numbers[..given]);
    list.resize(end, 0.0);
}

/// Appends a value as often as there are rows; most constraints have one.
fn append<T: Copy>(list: &mut List<T>, value: T, size: usize) {
    if size == 1 {
        list.push(value);
    } else {
        list.resize(list.len() + size, value);
    }
}

pub(crate) fn is_contact(kind: ConstraintType) -> bool {
    kind as i32 >= ConstraintType::ContactFrictionless as i32
}
