//! Costs, forces and gradients of the conjugate gradient where there are thousands of rows: threads compute terms, and one of them
//! adds these up, in MuJoCo's order, while the others go on.

use crate::constraint::{RowCosts, update_rows};
use crate::parallel::{self, abreast};
use crate::workspace::SolverScratch;
use ligament_math::dense::axpy;
use ligament_model::enums::ConstraintType;

/// Rows below which threads cost more than they save.
const MIN_ROWS: usize = 4000;

/// Are there enough rows, none of a curved cone, and is M a diagonal?
pub(super) fn is_worth_while(s: &SolverScratch) -> bool {
    let curved = ConstraintType::ContactElliptic as i32;
    s.threads >= 2
        && s.rows.len() >= MIN_ROWS
        && !s.jac.dense
        && s.mass.val.len() == s.dofs.len()
        && !s.kind[s.ne + s.nf..].contains(&curved)
}

/// A step of this length along the search direction, if there is one; states and forces there, joint-space force, gradient,
/// and the gradient multiplied by M⁻¹; the costs of constraints and of motion.
pub(super) fn update(s: &mut SolverScratch, step: Option<f64>) -> [f64; 2] {
    let SolverScratch { threads, ne, nf, D, R, frictionloss, kind, id, .. } = s;
    let SolverScratch { jaref, jv, state, old_state, force, row_costs, search, mv, .. } = s;
    let SolverScratch { jac, ma, qfrc_smooth, qacc, qacc_smooth, mass_diag_inv, .. } = s;
    let SolverScratch { qfrc_constraint, grad, mgrad, grad_old, mgrad_old, .. } = s;
    let rows = RowCosts { ne: *ne, nf: *nf, D, R, frictionloss, kind, id };
    row_costs.resize(jaref.len(), 0.0);
    for list in [&mut *grad_old, mgrad_old] {
        list.resize(grad.len(), 0.0);
    }
    let out = (&mut state[..], &mut force[..], &mut row_costs[..]);
    let count = parallel::pieces(*threads, 2);
    let residuals = ((0..jaref.len(), (&mut jaref[..], &jv[..])), (&mut old_state[..], out));
    let moved = ((&mut qacc[..], &search[..]), (&mut ma[..], &mv[..]));
    let old = ((&mut grad_old[..], &grad[..]), (&mut mgrad_old[..], &mgrad[..]));
    let parts = parallel::parts(residuals, count).zip(parallel::parts((moved, old), count));
    parallel::each(*threads, parts, |(residuals, ((position, momentum), (grad, mgrad)))| {
        let ((range, (jaref, jv)), (old_state, out)) = residuals;
        if let Some(alpha) = step {
            axpy(alpha, jv, jaref);
            axpy(alpha, position.1, position.0);
            axpy(alpha, momentum.1, momentum.0);
            grad.0.copy_from_slice(grad.1);
            mgrad.0.copy_from_slice(mgrad.1);
            old_state.copy_from_slice(out.0);
        }
        update_rows(&rows, (range, jaref), out);
    });
    let mut sums = [(Terms::Rows, 0.0), (Terms::Motion, 0.0)];
    let dofs = (0..ma.len(), (&mut qfrc_constraint[..], &mut grad[..], &mut mgrad[..]));
    let parts = parallel::parts(dofs, count);
    parallel::each(*threads, abreast(sums.iter_mut(), parts), |(sum, part)| {
        if let Some((terms, sum)) = sum {
            *sum = match terms {
                Terms::Rows => row_costs.iter().fold(0.0, |sum, cost| sum + cost),
                Terms::Motion => {
                    let forces = ma.iter().zip(&*qfrc_smooth);
                    let accelerations = qacc.iter().zip(&*qacc_smooth);
                    forces.zip(accelerations).fold(0.0, |sum, ((force, smooth), (acc, acc_smooth))| {
                        sum + 0.5 * (force - smooth) * (acc - acc_smooth)
                    })
                }
            };
        }
        if let Some((dofs, (constraint, grad, mgrad))) = part {
            jac.transposed.mul_rows(dofs.start, force, constraint);
            for (k, i) in dofs.enumerate() {
                grad[k] = ma[i] - qfrc_smooth[i] - constraint[k];
                mgrad[k] = grad[k] * mass_diag_inv[i];
            }
        }
    });
    sums.map(|(_, sum)| sum)
}

/// What is added up.
enum Terms {
    /// Costs of rows.
    Rows,
    /// The cost of motion.
    Motion,
}
