//! Sweeps over the rows of the model.

use super::touch;
use crate::constraint::JacobianView;
use crate::inertia::solve_m_in_place;
use crate::workspace::{JoinedRows, Xpbd};
use ligament_math::{MINVAL, cholesky, dense, sparse};
use ligament_model::enums::ConstraintType;
use ligament_model::{Contact, Data, Model};

/// Most rows that are solved together: those of a weld.
const JOINED: usize = 6;

/// Pivots of joined rows are not smaller than this, relative to the largest number of their matrix.
const REDUNDANT: f64 = 1e-8;

/// Velocities and distances to start from, M⁻¹Jᵀ by rows and the diagonal of J M⁻¹Jᵀ. Softness of the rows is known.
pub(super) fn prepare(m: &Model, d: &Data, s: &mut Xpbd) {
    s.velocity.clear();
    s.velocity.extend_from_slice(&d.qvel);
    s.distance.clear();
    s.distance.extend(d.efc_pos.iter().zip(&d.efc_margin).map(|(pos, margin)| pos - margin));
    for multipliers in [&mut s.lambda, &mut s.total] {
        multipliers.clear();
        multipliers.resize(d.nefc, 0.0);
    }
    one_sided(m, d, s);
    s.diagonal.clear();
    s.response.clear();
    s.row.clear();
    s.row.resize(m.nv, 0.0);
    let (jacobian, mut row) = (JacobianView::new(m, d), 0);
    for k in 0..=s.touches.len() {
        let (next, after) = s
            .touches
            .get(k)
            .map_or((d.nefc, d.nefc), |touch| (touch.row, touch.row + touch.end - touch.start));
        if next > row {
            leave_out(row, s);
            (row..next).for_each(|row| response(m, d, jacobian, row, s));
        }
        row = after;
    }
    leave_out(d.nefc, s);
}

/// Rows up to this one that have no response are rows of touches, which have theirs elsewhere.
fn leave_out(end: usize, s: &mut Xpbd) {
    s.diagonal.resize(end, 0.0);
    s.response.start.resize(end + 1, s.response.col.len());
}

/// M⁻¹Jᵀ of a row, and its product with it.
fn response(m: &Model, d: &Data, jacobian: JacobianView<'_>, row: usize, s: &mut Xpbd) {
    if jacobian.cols(row).iter().all(|&dof| m.dof_simplenum[dof as usize] > 0) {
        return simple_response(d, jacobian, row, s);
    }
    s.row.fill(0.0);
    jacobian.scatter(row, &mut s.row);
    solve_m_in_place(m, d, &mut s.row);
    s.diagonal.push(jacobian.row_dot(row, &s.row).max(MINVAL));
    s.response.push_nonzero(&s.row);
}

/// The contact whose friction is an elliptic cone, if this is its first row.
fn elliptic(d: &Data, row: usize) -> Option<&Contact> {
    let is_cone = d.efc_type[row] == ConstraintType::ContactElliptic as i32;
    is_cone.then(|| &d.contact[d.efc_id[row] as usize])
}

/// Limits and contacts: their rows, of elliptic cones the first; contacts of single vertices apart.
fn one_sided(m: &Model, d: &Data, s: &mut Xpbd) {
    s.one_sided.clear();
    s.touches.clear();
    s.touch_rows.clear();
    s.partners.clear();
    let mut row = d.ne + d.nf;
    while row < d.nefc {
        let cone = elliptic(d, row);
        let count = cone.map_or_else(|| pyramid(d, row), |contact| contact.dim as usize);
        if row < d.ne + d.nf + d.nl || !touch::note(m, d, row, count, cone, s) {
            let first_only = if cone.is_some() { 1 } else { count };
            s.one_sided.extend(row..row + first_only);
        }
        row += count;
    }
}

/// Rows of the limit or the contact without cone that begins here.
fn pyramid(d: &Data, row: usize) -> usize {
    let rows = |&kind: &i32| kind == ConstraintType::ContactPyramidal as i32;
    if !rows(&d.efc_type[row]) {
        return 1;
    }
    let same = |&(kind, id): &(&i32, &i32)| rows(kind) && *id == d.efc_id[row];
    d.efc_type[row..].iter().zip(&d.efc_id[row..]).take_while(same).count()
}

/// Where the inertia is diagonal, as for vertices of flexes, M⁻¹Jᵀ has the pattern of J.
fn simple_response(d: &Data, jacobian: JacobianView<'_>, row: usize, s: &mut Xpbd) {
    let start = s.response.val.len();
    jacobian.push_compressed(row, &mut s.response.val);
    s.response.col.extend_from_slice(jacobian.cols(row));
    let mut diagonal = 0.0;
    for (value, &dof) in s.response.val[start..].iter_mut().zip(jacobian.cols(row)) {
        let inverse = d.qLDiagInv[dof as usize];
        diagonal += *value * *value * inverse;
        *value *= inverse;
    }
    s.diagonal.push(diagonal.max(MINVAL));
    s.response.start.push(s.response.col.len());
}

/// Rows of one equality that are solved together, by the factor of (1 + γ) J M⁻¹Jᵀ + α̃. One after another they would
/// hardly converge: a weld with a distant anchor turns for each of its rows that moves.
pub(super) fn join(m: &Model, d: &Data, s: &mut Xpbd) {
    let jacobian = JacobianView::new(m, d);
    s.joined.clear();
    s.factors.clear();
    let mut row = 0;
    while row < d.ne {
        let same = d.efc_id[row..d.ne].iter().take_while(|&&id| id == d.efc_id[row]).count();
        let count = if same <= JOINED { same } else { 1 };
        s.joined.push(JoinedRows { row, count, factor: s.factors.len() });
        let stride = cholesky::stride(count);
        let start = s.factors.len();
        s.factors.resize(start + count * stride, 0.0);
        for j in 0..count {
            s.row.fill(0.0);
            s.response.add_row(row + j, 1.0, &mut s.row);
            for i in j..count {
                s.factors[start + j * stride + i] = jacobian.row_dot(row + i, &s.row);
            }
            let (softness, damping) = s.soft[row + j];
            s.factors[start + j * stride + j] += softness / (1.0 + damping);
        }
        // rows that say the same twice share what they do
        let largest = (0..count).map(|j| s.factors[start + j * stride + j]).fold(MINVAL, f64::max);
        cholesky::factor(&mut s.factors[start..], count, REDUNDANT * largest);
        row += count;
    }
}

/// Operations of a sweep, roughly.
pub(super) fn work(d: &Data) -> usize {
    4 * d.efc_J.len() + 20 * d.nefc
}

/// The end of a substep: distances move on, multipliers are added up.
pub(super) fn advance(m: &Model, d: &Data, s: &mut Xpbd, h: f64) {
    let jacobian = JacobianView::new(m, d);
    let held = (0..d.ne + d.nf).chain(s.one_sided.iter().copied());
    for row in held {
        let rows = row..row + elliptic(d, row).map_or(1, |contact| contact.dim as usize);
        for row in rows {
            s.distance[row] += h * jacobian.row_dot(row, &s.velocity);
            s.total[row] += s.lambda[row];
        }
    }
}

/// One pass over the rows, after another.
pub(super) struct Sweep<'a> {
    jacobian: JacobianView<'a>,
    d: &'a Data,
    s: &'a mut Xpbd,
    h: f64,
}

impl<'a> Sweep<'a> {
    pub fn new(m: &Model, d: &'a Data, s: &'a mut Xpbd, h: f64) -> Self {
        Self { jacobian: JacobianView::new(m, d), d, s, h }
    }

    /// Sweeps go there and back in turn: whoever comes first takes more than its share of a load, which would push a
    /// tower over if it were the same side every time.
    pub fn all_rows(&mut self, backward: bool) {
        let turn = |k: usize, count: usize| if backward { count - 1 - k } else { k };
        for k in 0..self.s.joined.len() {
            self.relax_joined(self.s.joined[turn(k, self.s.joined.len())]);
        }
        for k in 0..self.d.nf {
            let row = self.d.ne + turn(k, self.d.nf);
            let limit = self.d.efc_frictionloss[row] * self.h * self.h;
            self.hold(row, limit);
        }
        for k in 0..self.s.one_sided.len() {
            let row = self.s.one_sided[turn(k, self.s.one_sided.len())];
            self.relax(row);
            if let Some(contact) = elliptic(self.d, row) {
                self.friction(row, &contact.friction[..contact.dim as usize - 1]);
            }
        }
    }

    /// How far the state is from what a row asks for, its damping included.
    fn violation(&self, row: usize) -> f64 {
        let moved = self.h * self.jacobian.row_dot(row, &self.s.velocity);
        let (softness, damping) = self.s.soft[row];
        self.s.distance[row] + moved + softness * self.s.lambda[row] + damping * moved
    }

    /// A one-sided position row: the update of the head of the solver, the multiplier not below zero.
    fn relax(&mut self, row: usize) {
        let (softness, damping) = self.s.soft[row];
        let change = -self.violation(row) / ((1.0 + damping) * self.s.diagonal[row] + softness);
        let wanted = (self.s.lambda[row] + change).max(0.0);
        self.set(row, wanted);
    }

    /// Rows of an equality.
    fn relax_joined(&mut self, rows: JoinedRows) {
        let mut change = [0.0; JOINED];
        for (k, change) in change[..rows.count].iter_mut().enumerate() {
            *change = -self.violation(rows.row + k) / (1.0 + self.s.soft[rows.row + k].1);
        }
        let factor = &self.s.factors[rows.factor..rows.factor + rows.count * cholesky::stride(rows.count)];
        cholesky::solve(factor, rows.count, &mut change[..rows.count]);
        for (k, change) in change[..rows.count].iter().enumerate() {
            self.set(rows.row + k, self.s.lambda[rows.row + k] + change);
        }
    }

    /// A row without position that resists motion with a limited force.
    fn hold(&mut self, row: usize, limit: f64) {
        let moved = self.h * self.jacobian.row_dot(row, &self.s.velocity);
        let wanted = self.s.lambda[row] - moved / self.s.diagonal[row];
        self.set(row, wanted.clamp(-limit, limit));
    }

    /// Friction rows of an elliptic contact: no motion, unless the force leaves the cone Σ (fₖ/μₖ)² ≤ fₙ².
    fn friction(&mut self, first: usize, mu: &[f64]) {
        let normal = self.s.lambda[first];
        for k in 0..mu.len() {
            self.hold(first + 1 + k, mu[k] * normal);
        }
        let scaled = |(k, mu): (usize, &f64)| (self.s.lambda[first + 1 + k] / mu.max(MINVAL)).powi(2);
        let size = mu.iter().enumerate().map(scaled).sum::<f64>().sqrt();
        if size > normal {
            for k in 0..mu.len() {
                let wanted = self.s.lambda[first + 1 + k] * normal / size;
                self.set(first + 1 + k, wanted);
            }
        }
    }

    /// Changes a multiplier and the velocities with it.
    fn set(&mut self, row: usize, wanted: f64) {
        let change = (wanted - self.s.lambda[row]) / self.h;
        self.s.lambda[row] = wanted;
        if change != 0.0 {
            self.s.response.add_row(row, change, &mut self.s.velocity);
        }
    }
}

impl JacobianView<'_> {
    /// J(row, :) · x
    pub(super) fn row_dot(&self, row: usize, x: &[f64]) -> f64 {
        let stored = self.stored(row);
        if stored.len() == x.len() { dense::dot(stored, x) } else { sparse::dot(stored, x, self.cols(row)) }
    }

    /// Writes a row into a vector of zeros.
    fn scatter(&self, row: usize, out: &mut [f64]) {
        let stored = self.stored(row);
        if stored.len() == out.len() {
            out.copy_from_slice(stored);
        } else {
            for (&column, value) in self.cols(row).iter().zip(stored) {
                out[column as usize] = *value;
            }
        }
    }
}
