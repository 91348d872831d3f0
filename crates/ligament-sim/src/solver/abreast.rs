//! Costs, forces and gradients of the conjugate gradient where there are thousands of rows: threads compute terms, and one of them
//! adds these up, in MuJoCo's order, while the others go on.

use super::primal::Cost;
use crate::constraint::{RowCosts, update_rows};
use crate::parallel::{self, abreast};
use crate::workspace::SolverScratch;
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

/// States, forces and cost at the current residual, joint-space force, gradient, and the gradient multiplied by M⁻¹.
pub(super) fn update(s: &mut SolverScratch) -> Cost {
    let SolverScratch { threads, ne, nf, D, R, frictionloss, kind, id, .. } = s;
    let SolverScratch { jaref, state, force, row_costs, .. } = s;
    let SolverScratch { jac, ma, qfrc_smooth, qacc, qacc_smooth, mass_diag_inv, .. } = s;
    let SolverScratch { qfrc_constraint, grad, mgrad, .. } = s;
    let rows = RowCosts { ne: *ne, nf: *nf, D, R, frictionloss, kind, id };
    row_costs.resize(jaref.len(), 0.0);
    let out = (&mut state[..], &mut force[..], &mut row_costs[..]);
    parallel::split(*threads, MIN_ROWS / 4, ((0..jaref.len(), &jaref[..]), out), |(residual, out)| {
        update_rows(&rows, residual, out);
    });
    let mut sums = [(Terms::Rows, 0.0), (Terms::Motion, 0.0)];
    let dofs = (0..ma.len(), (&mut qfrc_constraint[..], &mut grad[..], &mut mgrad[..]));
    let parts = parallel::parts(dofs, parallel::pieces(*threads, 2));
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
    let [(_, constraint), (_, gauss)] = sums;
    Cost { total: constraint + gauss, gauss }
}

/// What is added up.
enum Terms {
    /// Costs of rows.
    Rows,
    /// The cost of motion.
    Motion,
}
