//! The growing list of constraint rows.

use ligament_model::enums::ConstraintType;
use ligament_model::storage::List;

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

/// Bytes of a row without its Jacobian and of an entry of the Jacobian, in the state and again by islands.
const ROW: u64 = 384;
const ENTRY: u64 = 24;

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
        for row in jac.chunks_exact(cols.len()) {
            self.push_jacobian(cols, row);
        }
        let end = self.len() + group.size;
        continue_with_zeros(self.pos, group.pos, end);
        continue_with_zeros(self.margin, group.margin, end);
        self.frictionloss.resize(end, group.frictionloss);
        self.kind.resize(end, group.kind as i32);
        self.id.resize(end, group.id as i32);
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

    fn push_jacobian(&mut self, cols: &[i32], row: &[f64]) {
        let adr = self.jac.len();
        self.rowadr.push(adr as i32);
        self.rownnz.push(cols.len() as i32);
        self.colind.extend_from_slice(cols);
        if self.sparse {
            self.jac.extend_from_slice(row);
        } else {
            self.colind.resize(adr + self.nv, 0);
            self.jac.resize(adr + self.nv, 0.0);
            let target = &mut self.jac[adr..];
            for (&c, &x) in cols.iter().zip(row) {
                target[c as usize] = x;
            }
        }
    }
}

/// Appends numbers, then zeros up to a length.
fn continue_with_zeros(list: &mut List<f64>, numbers: &[f64], end: usize) {
    list.extend_from_slice(&numbers[..numbers.len().min(end - list.len())]);
    list.resize(end, 0.0);
}

pub(crate) fn is_contact(kind: ConstraintType) -> bool {
    kind as i32 >= ConstraintType::ContactFrictionless as i32
}
