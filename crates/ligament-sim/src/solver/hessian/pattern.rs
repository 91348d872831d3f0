//! Patterns of sparse Hessians.

use super::large;
use crate::workspace::{BlockJacobian, FactorKind, Hessian, KnownPattern, SolverScratch};
use ligament_math::csr::{Csr, FactorLimits};
use ligament_model::enums::ConstraintType;
use ligament_model::limits::FACTOR_ENTRY;

/// Pattern of a factor of few variables: which ones meet, as bit sets.
#[inline(never)]
pub(super) fn analyse_small(s: &mut SolverScratch) {
    let SolverScratch { hessian, jac, mass, dofs, .. } = s;
    let adjacent = &mut hessian.adjacent;
    adjacent.clear();
    adjacent.resize(dofs.len(), 0);
    for r in 0..dofs.len() {
        for &c in mass.row(r).0 {
            adjacent[r] |= 1 << c;
            adjacent[c as usize] |= 1 << r;
        }
    }
    for b in &jac.blocks {
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let all = cols.iter().fold(0, |bits, &c| bits | 1u64 << c);
        for &c in cols {
            adjacent[c as usize] |= all;
        }
    }
    hessian.ordered.analyse(adjacent);
}

/// Multiplications from which the sparse factor of a pile is made by nodes. Scenes of robots stay far below; where hundreds
/// of things touch this is many times as fast, and the last digits of MuJoCo's factor mean nothing.
const LARGE: u64 = 1 << 24;

/// Variables of such a factor, whose columns have at most as many rows as there are variables.
const MIN_LARGE: usize = 460;

/// Pattern of the factor: that of the lower triangle of M + Jᵀ J, row after row, and what elimination fills in. Says how
/// it is to be factored; nothing if that takes more than `most` multiplications, or a four-hundredth as many entries, or more
/// of these than there is memory for.
#[inline(never)]
pub(super) fn analyse(s: &mut SolverScratch, most: u64) -> Option<FactorKind> {
    let SolverScratch { hessian: h, jac, mass, dofs, kind, memory, .. } = s;
    let n = dofs.len();
    if is_known(mass, jac, &h.known) {
        return Some(h.known.kind);
    }
    let limits = FactorLimits { multiplications: most, entries: (most / 400).min(*memory / FACTOR_ENTRY) };
    remember(mass, jac, &mut h.known);
    if jac.dense {
        jac.list_columns(n); // otherwise its transpose was made with them
    }
    let contacts = kind.iter().filter(|&&kind| kind >= ConstraintType::ContactFrictionless as i32).count();
    let pile = n >= MIN_LARGE && 2 * contacts > kind.len() && large::find_nodes(h, jac, mass, n);
    let small = FactorLimits { multiplications: if pile { most.min(LARGE) } else { most }, ..limits };
    // most large piles are found to be large without the pattern of their variables
    let surely = pile && large::takes_more(h, jac, small.multiplications);
    let kind = if !surely && !list_edges(mass, jac, n, h, limits) {
        None
    } else if !surely && h.sparse.analyse(n, &h.above_start, &h.above, small) {
        Some(FactorKind::Sparse)
    } else if pile && large::analyse(h, jac, n, limits) {
        Some(FactorKind::Nodes)
    } else {
        let fits = pile && (!surely || list_edges(mass, jac, n, h, limits));
        Some(FactorKind::Sparse).filter(|_| fits && h.sparse.analyse(n, &h.above_start, &h.above, limits))
    };
    match kind {
        Some(kind) => h.known.kind = kind,
        None => h.known = KnownPattern::default(),
    }
    kind
}

/// For each variable the later ones it meets. False if that are too many: a factor has no fewer entries.
fn list_edges(mass: &Csr, jac: &BlockJacobian, n: usize, h: &mut Hessian, limits: FactorLimits) -> bool {
    let visits: u64 = jac.blocks.iter().map(|b| (b.ncol as u64).pow(2)).sum();
    if visits > limits.multiplications {
        return false;
    }
    let Hessian { above_start, above, met, mass_rows, mass_start, .. } = h;
    list_mass_rows(mass, n, mass_start, mass_rows);
    met.clear();
    met.resize(n.div_ceil(64), 0);
    above.clear();
    above_start.clear();
    above_start.push(0);
    for c in 0..n {
        let mut last = c / 64;
        let mut meet = |r: u32| {
            last = last.max(r as usize / 64);
            met[r as usize / 64] |= 1 << (r % 64);
        };
        mass_rows[mass_start[c]..mass_start[c + 1]].iter().for_each(|&r| meet(r));
        for &(block, place) in jac.blocks_of(c) {
            let b = &jac.blocks[block as usize];
            jac.cols[b.col_adr..b.col_adr + b.ncol][place as usize + 1..].iter().for_each(|&r| meet(r));
        }
        for (word, bits) in (c / 64..).zip(&mut met[c / 64..=last]) {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                above.push(64 * word as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        above_start.push(above.len());
        if !limits.allow(visits, above.len()) {
            return false;
        }
    }
    true
}

/// For each variable the later ones that M ties to it.
fn list_mass_rows(mass: &Csr, n: usize, start: &mut Vec<usize>, rows: &mut Vec<u32>) {
    let strict = |r: usize| mass.row(r).0.split_last().map_or(&[][..], |(_, cols)| cols);
    start.clear();
    start.resize(n + 2, 0);
    for &c in (0..n).flat_map(strict) {
        start[c as usize + 2] += 1;
    }
    for c in 0..n {
        start[c + 2] += start[c + 1];
    }
    // each is overwritten
    rows.resize(start[n + 1], 0);
    for r in 0..n {
        for &c in strict(r) {
            rows[start[c as usize + 1]] = r as u32;
            start[c as usize + 1] += 1;
        }
    }
    start.truncate(n + 1);
}

fn is_known(mass: &Csr, jac: &BlockJacobian, known: &KnownPattern) -> bool {
    mass.start == known.mass_start
        && jac.cols == known.block_cols
        && *mass.col == known.mass_cols[..]
        && jac.blocks.iter().map(|b| &b.ncol).eq(&known.block_sizes)
}

fn remember(mass: &Csr, jac: &BlockJacobian, known: &mut KnownPattern) {
    known.mass_start.clone_from(&mass.start);
    (*mass.col).clone_into(&mut known.mass_cols);
    known.block_cols.clone_from(&jac.cols);
    known.block_sizes.clear();
    known.block_sizes.extend(jac.blocks.iter().map(|b| b.ncol));
}
