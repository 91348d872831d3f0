//! Hessian of the primal cost for Newton's method: assembly, factor, rank-one updates.
//!
//! Without curved cones, sums run over the constraint rows in their order and factors eliminate variables as MuJoCo
//! 3.5.0 does, so that the numbers agree to the last bit. MuJoCo adds curved cones to the factor by rank-one updates;
//! here they are part of the matrix, which is much cheaper and agrees to rounding. So do the factors of large piles, which
//! eliminate trees in an order of their own (`large.rs`).

mod assembly;
mod large;
mod pattern;

use super::states::rows_with;
use crate::workspace::{FactorKind, Hessian, SolverScratch};
use ligament_math::csr::UpdateOutcome;
use ligament_math::dense::{reverse_cholesky, reverse_cholesky_solve, reverse_cholesky_update};
use ligament_math::{MINVAL, cholesky, ordered};
use ligament_model::Contact;
use ligament_model::enums::ConstraintState;

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// Up to this many variables a Hessian with curved cones is stored densely (zeros are skipped all the same).
pub(super) const MAX_DENSE: usize = 80;

/// Entries that rank-one updates of a sparse factor may visit in an iteration, some tenths of a second. MuJoCo 3.5.0
/// updates whatever the number: in piles of a thousand things thousands of rows change in an iteration, and updates take
/// ten times as long as a new factor.
const MAX_UPDATED: usize = 1 << 29;

/// Multiplications of a factor that are done in the time of one operation.
const AT_ONCE: u64 = 4;

/// Chooses the storage and analyses the pattern of a sparse factor. Nothing is left to do it if that takes too much work.
pub(super) fn choose(s: &mut SolverScratch, curved_cones: bool) {
    let n = s.dofs.len();
    // blocks of a sparse Jacobian of more than so many variables do not say which columns have numbers
    const { assert!(ordered::MAX <= MAX_DENSE) };
    s.hessian.kind = match (curved_cones, s.jac.dense) {
        (true, _) if n <= MAX_DENSE => FactorKind::Reverse,
        (false, true) if n <= cholesky::MAX => FactorKind::Columns,
        (false, false) if n <= ordered::MAX => FactorKind::Ordered,
        _ => FactorKind::Sparse,
    };
    match s.hessian.kind {
        FactorKind::Ordered => pattern::analyse_small(s),
        // a factor that leaves nothing for the next one is refused before it is made
        FactorKind::Sparse => match pattern::analyse(s, s.effort.saturating_mul(AT_ONCE / 2)) {
            Some(kind) => s.hessian.kind = kind,
            None => s.effort = 0,
        },
        FactorKind::Columns | FactorKind::Reverse | FactorKind::Nodes => {}
    }
}

/// The first factor of what was chosen. False if that takes too much work.
pub(super) fn make(s: &mut SolverScratch, contacts: &[Contact]) -> bool {
    s.hessian.products = s.jac.blocks.iter().map(|b| (b.rows * b.ncol * b.ncol) as u64).sum();
    factor(s, contacts, true);
    s.effort > 0
}

/// Is the factor that of a large pile, made in an order of its own?
pub(super) fn is_by_nodes(s: &SolverScratch) -> bool {
    s.hessian.kind == FactorKind::Nodes
}

/// Number of stored entries of the factor.
pub(super) fn nnz(s: &SolverScratch) -> usize {
    match s.hessian.kind {
        FactorKind::Columns | FactorKind::Reverse => s.dofs.len() * s.dofs.len(),
        FactorKind::Ordered => s.hessian.ordered.nnz(),
        FactorKind::Sparse => s.hessian.sparse.nnz(),
        FactorKind::Nodes => s.hessian.nodes.nnz(),
    }
}

/// `x = H⁻¹ b` in place.
pub(super) fn solve(s: &mut SolverScratch, x: &mut [f64]) {
    let h = &mut s.hessian;
    match h.kind {
        FactorKind::Columns => cholesky::solve(&h.dense, s.dofs.len(), x),
        FactorKind::Ordered => h.ordered.solve(x),
        FactorKind::Reverse => reverse_cholesky_solve(&h.dense, s.dofs.len(), x),
        FactorKind::Sparse => h.sparse.solve(x),
        FactorKind::Nodes => h.nodes.solve(s.threads, x),
    }
}

/// Brings the factor from the states `old_state` to `state`: nothing, rank-one updates, or a new factor.
/// Returns the number of rows that were put in or taken out.
pub(super) fn update(s: &mut SolverScratch, contacts: &[Contact]) -> i32 {
    if s.hessian.has_cones || is_on_a_cone(s) {
        factor(s, contacts, true);
        return s.state.len() as i32;
    }
    let changed = rows_with(s, |state, old| (state == QUADRATIC) != (old == QUADRATIC)) as usize;
    // where the bits cannot agree anyway, or in large piles, a new factor may be the cheaper way
    let cheap = match s.hessian.kind {
        FactorKind::Reverse => 2 + s.dofs.len() / 8,
        FactorKind::Sparse => MAX_UPDATED / nnz(s).max(1),
        FactorKind::Columns | FactorKind::Ordered => usize::MAX,
        FactorKind::Nodes => 0,
    };
    if changed > cheap {
        factor(s, contacts, false);
    } else if changed > 0 && !update_factor(s, changed) {
        factor(s, contacts, true);
        return s.state.len() as i32;
    }
    changed as i32
}

/// Entries that updates may look at from which many of them pass through the factor together, side by side where there are
/// threads: some hundred microseconds.
const MIN_SHARED: usize = 1 << 19;

/// Brings the factor up to date by rank-one updates. False when definiteness is lost.
#[inline(never)]
fn update_factor(s: &mut SolverScratch, changed: usize) -> bool {
    if s.hessian.kind != FactorKind::Sparse || changed * nnz(s) < MIN_SHARED {
        return rank_one_updates(s);
    }
    let SolverScratch { hessian, jac, D, state, old_state, effort, threads, .. } = s;
    let Hessian { sparse, changes, outcomes, .. } = hessian;
    changes.clear();
    for b in &jac.blocks {
        let rows = b.row..b.row + b.rows;
        let changed = rows.filter(|&i| (state[i] == QUADRATIC) != (old_state[i] == QUADRATIC));
        changes.extend(changed.map(|i| (*b, i)));
    }
    outcomes.clear();
    outcomes.resize(changes.len(), UpdateOutcome::default());
    sparse.update_all(*threads, outcomes, |k, v| {
        let (b, i) = &changes[k];
        let root = D[*i].sqrt();
        let adr = b.adr + (i - b.row) * b.ncol;
        for (&c, &x) in jac.cols[b.col_adr..].iter().zip(&jac.values[adr..adr + b.ncol]) {
            v[c as usize] = root * x;
        }
        state[*i] == QUADRATIC
    });
    let sound = outcomes.iter().position(|outcome| !outcome.sound);
    let counted = sound.map_or(outcomes.len(), |k| k + 1);
    let work: u64 = outcomes[..counted].iter().map(|outcome| 2 * outcome.touched as u64).sum();
    *effort = effort.saturating_sub(work);
    sound.is_none() || *effort == 0
}

/// Rank-one updates that run side by side.
const TOGETHER: usize = 4;

/// Puts rows that became quadratic into the factor and takes out those that are no longer. False when definiteness is lost.
fn rank_one_updates(s: &mut SolverScratch) -> bool {
    let SolverScratch { hessian, jac, D, state, old_state, dofs, effort, .. } = s;
    let n = dofs.len();
    let together = match hessian.kind {
        FactorKind::Columns | FactorKind::Ordered | FactorKind::Reverse => TOGETHER,
        FactorKind::Sparse | FactorKind::Nodes => 1,
    };
    hessian.vector.clear();
    hessian.vector.resize(n * together, 0.0);
    let rows = jac.blocks.iter().flat_map(|b| (0..b.rows).map(move |k| (b, k)));
    let mut changed =
        rows.filter(|(b, k)| (state[b.row + k] == QUADRATIC) != (old_state[b.row + k] == QUADRATIC));
    loop {
        let (mut added, mut count) = ([false; TOGETHER], 0);
        for (v, (b, k)) in hessian.vector.chunks_exact_mut(n.max(1)).zip(&mut changed) {
            let root = D[b.row + k].sqrt();
            let row = &jac.values[b.adr + k * b.ncol..b.adr + (k + 1) * b.ncol];
            for (&c, &x) in jac.cols[b.col_adr..].iter().zip(row) {
                v[c as usize] = root * x;
            }
            added[count] = state[b.row + k] == QUADRATIC;
            count += 1;
        }
        if count == 0 {
            return true;
        }
        let (vectors, added) = (&mut hessian.vector[..count * n], &added[..count]);
        let sound = match hessian.kind {
            FactorKind::Columns => cholesky::update(&mut hessian.dense, n, vectors, added),
            FactorKind::Ordered => hessian.ordered.update(vectors, added),
            FactorKind::Reverse => reverse_cholesky_update(&mut hessian.dense, n, vectors, added),
            FactorKind::Sparse => hessian.sparse.update(vectors, added[0]),
            FactorKind::Nodes => false, // is always made anew
        };
        let entries = if hessian.kind == FactorKind::Sparse { hessian.sparse.touched() } else { n * n };
        *effort = effort.saturating_sub(2 * (count * entries) as u64);
        if *effort == 0 {
            return true; // the solver ends
        }
        if !sound {
            return false;
        }
        if hessian.kind != FactorKind::Sparse {
            vectors.fill(0.0);
        }
    }
}

/// Is a contact on its cone? Without numbers for cones there are none.
fn is_on_a_cone(s: &SolverScratch) -> bool {
    !s.cones.is_empty() && s.state.contains(&CONE)
}

/// Work of the assembly and the factor.
fn factor_work(s: &SolverScratch) -> u64 {
    let factor = match s.hessian.kind {
        FactorKind::Sparse => s.hessian.sparse.multiplications(),
        FactorKind::Nodes => s.hessian.nodes.multiplications(),
        FactorKind::Columns | FactorKind::Ordered | FactorKind::Reverse => (s.dofs.len().pow(3) / 6) as u64,
    };
    // blocks are small: no multiplications at once
    s.hessian.products * 3 / 2 + factor / AT_ONCE
}

/// Assembles H for the current states and factors it. A semidefinite H is regularised at the failing pivots. `anew` unless
/// the factor is that of `old_state`.
fn factor(s: &mut SolverScratch, contacts: &[Contact], anew: bool) {
    s.effort = s.effort.saturating_sub(factor_work(s));
    if s.effort == 0 {
        return; // the solver ends
    }
    let n = s.dofs.len();
    s.hessian.has_cones = is_on_a_cone(s);
    assembly::assemble(s, contacts);
    let h = &mut s.hessian;
    match h.kind {
        FactorKind::Columns => cholesky::factor(&mut h.dense, n, MINVAL),
        FactorKind::Ordered => h.ordered.factor(MINVAL),
        FactorKind::Reverse => {
            reverse_cholesky(&mut h.dense, n, MINVAL);
        }
        FactorKind::Sparse => {
            h.sparse.factor(MINVAL);
        }
        FactorKind::Nodes => large::factor(s, anew),
    }
}
