//! The growing list of constraint rows.

use ligament_model::enums::{ConstraintType, Warning};
use ligament_model::fault::Fault;
use ligament_model::{Data, Model};

use super::is_sparse;

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

/// The `efc_*` arrays during assembly: taken out of the simulation state, so that positions can be read meanwhile.
///
/// Sparse Jacobians are compressed rows. Dense ones have a row of `nv` numbers; their pattern is kept as well, in
/// `efc_J_rownnz` and the first entries of each row of `efc_J_colind`.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Bytes that rows may take.
    memory: u64,
    /// A constraint was left out for lack of memory.
    full: bool,
    sparse: bool,
    nv: usize,
    jac: Vec<f64>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    kind: Vec<i32>,
    id: Vec<i32>,
    pos: Vec<f64>,
    margin: Vec<f64>,
    frictionloss: Vec<f64>,
    ne: usize,
    nf: usize,
    nl: usize,
}

/// Bytes of a row without its Jacobian and of an entry of the Jacobian, in the state and again by islands.
const ROW: u64 = 384;
const ENTRY: u64 = 24;

fn emptied<T>(v: &mut Vec<T>) -> Vec<T> {
    let mut v = std::mem::take(v);
    v.clear();
    v
}

impl Rows {
    /// Empty rows that reuse the memory of the last step's.
    pub fn take(m: &Model, d: &mut Data) -> Self {
        Self {
            memory: d.memory,
            full: false,
            sparse: is_sparse(m),
            nv: m.nv,
            jac: emptied(&mut d.efc_J),
            rownnz: emptied(&mut d.efc_J_rownnz),
            rowadr: emptied(&mut d.efc_J_rowadr),
            colind: emptied(&mut d.efc_J_colind),
            kind: emptied(&mut d.efc_type),
            id: emptied(&mut d.efc_id),
            pos: emptied(&mut d.efc_pos),
            margin: emptied(&mut d.efc_margin),
            frictionloss: emptied(&mut d.efc_frictionloss),
            ne: 0,
            nf: 0,
            nl: 0,
        }
    }

    /// Puts the rows into the simulation state and sizes the arrays that depend on their number.
    pub fn give_back(self, d: &mut Data) {
        let n = self.kind.len();
        if self.full {
            d.fail(Fault::Memory { rows: n }, Warning::Cnstrfull, n);
        }
        (d.ne, d.nf, d.nl, d.nefc, d.nJ) = (self.ne, self.nf, self.nl, n, self.jac.len());
        d.efc_J = self.jac;
        d.efc_J_rownnz = self.rownnz;
        d.efc_J_rowadr = self.rowadr;
        d.efc_J_colind = self.colind;
        d.efc_type = self.kind;
        d.efc_id = self.id;
        d.efc_pos = self.pos;
        d.efc_margin = self.margin;
        d.efc_frictionloss = self.frictionloss;
        let Data { efc_diagApprox, efc_D, efc_R, efc_vel, efc_aref, efc_b, efc_force, .. } = d;
        for v in [efc_diagApprox, efc_D, efc_R, efc_vel, efc_aref, efc_b, efc_force] {
            v.clear();
            v.resize(n, 0.0);
        }
        d.efc_KBIP.clear();
        d.efc_KBIP.resize(n, [0.0; 4]);
        d.efc_state.clear();
        d.efc_state.resize(n, 0);
    }

    /// Is there no room for a constraint with so many rows? Once there is none, no more rows are made.
    fn is_full(&mut self, size: usize, columns: usize) -> bool {
        let columns = if self.sparse { columns } else { self.nv };
        let rows = (self.kind.len() + size) as u64 * ROW;
        let entries = (self.jac.len() + size * columns) as u64;
        self.full |= rows + entries * ENTRY > self.memory || entries > i32::MAX as u64;
        self.full
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
        for i in 0..group.size {
            self.pos.push(group.pos.get(i).copied().unwrap_or(0.0));
            self.margin.push(group.margin.get(i).copied().unwrap_or(0.0));
            self.frictionloss.push(group.frictionloss);
            self.kind.push(group.kind as i32);
            self.id.push(group.id as i32);
        }
        match group.kind {
            ConstraintType::Equality => self.ne += group.size,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => self.nf += group.size,
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => self.nl += group.size,
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

pub(crate) fn is_contact(kind: ConstraintType) -> bool {
    kind as i32 >= ConstraintType::ContactFrictionless as i32
}
