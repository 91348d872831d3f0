//! State, force and cost of the rows for a given residual `J a − aref` (book, "Primal problem").

use crate::parallel;
pub use crate::workspace::ConeHessian;
use ligament_model::Contact;
use ligament_model::enums::{ConstraintState, ConstraintType};
use std::ops::Range;

/// What the cost of a row depends on, for a whole system or one island of it.
#[derive(Debug, Clone, Copy)]
pub struct RowCosts<'a> {
    /// Equality rows, which come first.
    pub ne: usize,
    /// Friction rows, which follow.
    pub nf: usize,
    /// Inverse regularisation.
    pub D: &'a [f64],
    /// Regularisation.
    pub R: &'a [f64],
    /// Friction loss.
    pub frictionloss: &'a [f64],
    /// Kind of each row.
    pub kind: &'a [i32],
    /// Object of each row.
    pub id: &'a [i32],
}

const SATISFIED: i32 = ConstraintState::Satisfied as i32;
const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const LINEARNEG: i32 = ConstraintState::Linearneg as i32;
const LINEARPOS: i32 = ConstraintState::Linearpos as i32;
const CONE: i32 = ConstraintState::Cone as i32;
const ELLIPTIC: i32 = ConstraintType::ContactElliptic as i32;

/// Sets state and force of every row, returns the cost. `cones`, as long as the rows, gets the second derivatives of
/// contacts on the surface of their cone, at their first rows.
pub fn constraint_update(
    rows: &RowCosts,
    jar: &[f64],
    contacts: &[Contact],
    mut cones: Option<&mut [ConeHessian]>,
    state: &mut [i32],
    force: &mut [f64],
) -> f64 {
    let n = jar.len();
    let friction_end = rows.ne + rows.nf;
    let mut cost = 0.0;
    for i in 0..rows.ne {
        force[i] = -rows.D[i] * jar[i];
        state[i] = QUADRATIC;
        cost += 0.5 * rows.D[i] * jar[i] * jar[i];
    }
    for i in rows.ne..friction_end {
        cost +=
            friction_row(rows.D[i], rows.R[i], rows.frictionloss[i], jar[i], &mut state[i], &mut force[i]);
    }
    let mut i = friction_end;
    while i < n {
        if rows.kind[i] == ELLIPTIC {
            let con = &contacts[rows.id[i] as usize];
            let range = i..i + con.dim as usize;
            let D = &rows.D[range.clone()];
            cost = elliptic_rows(
                cost,
                D,
                &jar[range.clone()],
                con,
                cones.as_deref_mut().map(|cones| &mut cones[i]),
                &mut state[range.clone()],
                &mut force[range.clone()],
            );
            i = range.end;
        } else {
            // NaN counts as violated and spreads
            let satisfied = jar[i] >= 0.0;
            force[i] = if satisfied { 0.0 } else { -rows.D[i] * jar[i] };
            state[i] = if satisfied { SATISFIED } else { QUADRATIC };
            if !satisfied {
                cost += 0.5 * rows.D[i] * jar[i] * jar[i];
            }
            i += 1;
        }
    }
    cost
}

/// [`constraint_update`] of rows without curved cones, on so many threads: costs are added up in blocks.
pub(crate) fn update_in_blocks(
    threads: usize,
    rows: &RowCosts,
    jar: &[f64],
    state: &mut [i32],
    force: &mut [f64],
) -> f64 {
    let (bilateral, one_sided) = jar.split_at(rows.ne + rows.nf);
    let first = constraint_update(rows, bilateral, &[], None, state, force);
    let first_row = bilateral.len();
    let items = ((one_sided, &rows.D[first_row..]), (&mut state[first_row..], &mut force[first_row..]));
    let [[others]] = parallel::sum_in_blocks(threads, items, |((jar, D), (state, force))| {
        // four sums side by side: each addition waits for the one before it
        let mut costs = [0.0; 4];
        for (i, ((&jar, &D), (state, force))) in
            jar.iter().zip(D).zip(state.iter_mut().zip(force)).enumerate()
        {
            let satisfied = jar >= 0.0;
            *force = if satisfied { 0.0 } else { -D * jar };
            *state = if satisfied { SATISFIED } else { QUADRATIC };
            costs[i % 4] += if satisfied { 0.0 } else { 0.5 * D * jar * jar };
        }
        [[(costs[0] + costs[1]) + (costs[2] + costs[3])]]
    });
    first + others
}

/// [`constraint_update`] of some consecutive rows without elliptic cones: the cost of each, to be added up in their order.
pub(crate) fn update_rows(
    rows: &RowCosts,
    (range, jar): (Range<usize>, &[f64]),
    (state, force, cost): (&mut [i32], &mut [f64], &mut [f64]),
) {
    let friction_end = rows.ne + rows.nf;
    let out = state.iter_mut().zip(force).zip(cost);
    for ((i, &jar), ((state, force), cost)) in range.zip(jar).zip(out) {
        let D = rows.D[i];
        if (rows.ne..friction_end).contains(&i) {
            *cost = friction_row(D, rows.R[i], rows.frictionloss[i], jar, state, force);
            continue;
        }
        // adding zero changes no sum
        let satisfied = i >= friction_end && jar >= 0.0;
        *force = if satisfied { 0.0 } else { -D * jar };
        *state = if satisfied { SATISFIED } else { QUADRATIC };
        *cost = if satisfied { 0.0 } else { 0.5 * D * jar * jar };
    }
}

/// Huber cost of dry friction.
#[inline]
fn friction_row(D: f64, R: f64, floss: f64, jar: f64, state: &mut i32, force: &mut f64) -> f64 {
    if jar <= -R * floss {
        *force = floss;
        *state = LINEARNEG;
        -0.5 * R * floss * floss - floss * jar
    } else if jar >= R * floss {
        *force = -floss;
        *state = LINEARPOS;
        -0.5 * R * floss * floss + floss * jar
    } else {
        *force = -D * jar;
        *state = QUADRATIC;
        0.5 * D * jar * jar
    }
}

/// Elliptic cone: nothing above the dual cone, quadratic below the primal cone, distance to the cone between. Adds to a cost,
/// row by row as the reference does.
#[inline(never)]
fn elliptic_rows(
    mut cost: f64,
    D: &[f64],
    jar: &[f64],
    con: &Contact,
    hessian: Option<&mut ConeHessian>,
    state: &mut [i32],
    force: &mut [f64],
) -> f64 {
    let dim = jar.len();
    let mu = con.mu;
    // coordinates in which the cone is circular
    let mut U = [0.0; 6];
    U[0] = jar[0] * mu;
    for j in 1..dim {
        U[j] = jar[j] * con.friction[j - 1];
    }
    let N = U[0];
    let T = ligament_math::dense::norm(&U[1..dim]);
    let zone = if N >= mu * T || (T <= 0.0 && N >= 0.0) {
        force.fill(0.0);
        SATISFIED
    } else if mu * N + T <= 0.0 || (T <= 0.0 && N < 0.0) {
        for j in 0..dim {
            force[j] = -D[j] * jar[j];
            cost += 0.5 * D[j] * jar[j] * jar[j];
        }
        QUADRATIC
    } else {
        let Dm = D[0] / (mu * mu * (1.0 + mu * mu));
        let NmT = N - mu * T;
        cost += 0.5 * Dm * NmT * NmT;
        force[0] = -Dm * NmT * mu;
        for j in 1..dim {
            force[j] = -force[0] / T * U[j] * con.friction[j - 1];
        }
        if let Some(hessian) = hessian {
            *hessian = cone_hessian(con, dim, &U, T, Dm);
        }
        CONE
    };
    state.fill(zone);
    cost
}

/// Second derivative of the middle zone with respect to the residual.
fn cone_hessian(con: &Contact, dim: usize, U: &[f64; 6], T: f64, Dm: f64) -> ConeHessian {
    let (mu, N) = (con.mu, U[0]);
    let mut H = [0.0; 36];
    H[0] = 1.0;
    let radial = -mu / T;
    for j in 1..dim {
        H[j] = radial * U[j];
    }
    let outer = mu * N / (T * T * T);
    for k in 1..dim {
        for j in k..dim {
            H[k * dim + j] = outer * U[j] * U[k];
        }
    }
    let diagonal = mu * mu - mu * N / T;
    for j in 1..dim {
        H[j * (dim + 1)] += diagonal;
    }
    let scale = |k: usize| if k == 0 { mu } else { con.friction[k - 1] };
    for k in 0..dim {
        let row_scale = Dm * scale(k);
        for j in k..dim {
            H[k * dim + j] *= row_scale * scale(j);
            H[j * dim + k] = H[k * dim + j];
        }
    }
    H
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'a>(
        ne: usize,
        nf: usize,
        D: &'a [f64],
        R: &'a [f64],
        floss: &'a [f64],
        kind: &'a [i32],
        id: &'a [i32],
    ) -> RowCosts<'a> {
        RowCosts { ne, nf, D, R, frictionloss: floss, kind, id }
    }

    /// F3.4: the force of an elliptic contact is the negative gradient of its cost and stays in the cone.
    #[test]
    fn elliptic_force_is_gradient() {
        let con = Contact { dim: 3, mu: 0.6, friction: [0.6, 0.6, 0.0, 0.0, 0.0], ..Contact::default() };
        let kind = [ELLIPTIC; 3];
        let (D, R, z, id) = ([3.0; 3], [1.0 / 3.0; 3], [0.0; 3], [0; 3]);
        let r = rows(0, 0, &D, &R, &z, &kind, &id);
        for jar in [[-1.0, 0.1, 0.2], [0.1, 1.0, -0.4], [2.0, 0.1, 0.0], [-0.2, 0.5, 0.5]] {
            let (mut state, mut force) = ([0; 3], [0.0; 3]);
            let c = std::slice::from_ref(&con);
            constraint_update(&r, &jar, c, None, &mut state, &mut force);
            let h = 1e-6;
            for k in 0..3 {
                let (mut plus, mut minus) = (jar, jar);
                plus[k] += h;
                minus[k] -= h;
                let (mut s, mut f) = ([0; 3], [0.0; 3]);
                let up = constraint_update(&r, &plus, c, None, &mut s, &mut f);
                let down = constraint_update(&r, &minus, c, None, &mut s, &mut f);
                assert!((force[k] + (up - down) / (2.0 * h)).abs() < 1e-7);
            }
            assert!(force[0] >= 0.0);
            assert!((force[1] * force[1] + force[2] * force[2]).sqrt() <= 0.6 * force[0] + 1e-10);
        }
    }

    #[test]
    fn friction_is_bounded() {
        let (D, R, floss) = ([2.0], [0.5], [1.5]);
        let kind = [ConstraintType::FrictionDof as i32];
        let r = rows(0, 1, &D, &R, &floss, &kind, &[0]);
        for (jar, expected) in [(-9.0, 1.5), (9.0, -1.5), (0.25, -0.5)] {
            let (mut state, mut force) = ([0], [0.0]);
            constraint_update(&r, &[jar], &[], None, &mut state, &mut force);
            assert_eq!(force[0], expected);
        }
    }
}
