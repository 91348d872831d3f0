//! Large sparse Hessians: nodes are kinematic trees, whose degrees of freedom always appear together.

use crate::parallel;
use crate::workspace::{ActiveRow, BlockJacobian, Hessian};
use ligament_math::MINVAL;
use ligament_math::csr::{Csr, FactorLimits};
use ligament_math::nodes::{Fork, InTurn, NodeFactor};
use std::ops::Range;

/// Largest tree: numbers of a node are stored densely.
const MAX_NODE: usize = 64;

/// Most nodes: bit sets of neighbours grow with the square of their number.
const MAX_NODES: usize = 1 << 14;

/// Finds nodes and their order. False where nodes are too large or too many, or the factor is.
pub(super) fn analyse(
    h: &mut Hessian,
    jac: &BlockJacobian,
    mass: &Csr,
    n: usize,
    limits: FactorLimits,
) -> bool {
    let Hessian { nodes, node_of, block_nodes, block_places, .. } = h;
    // the first column of a row of M is the first degree of freedom of the tree
    let root = |dof: usize| mass.row(dof).0[0] as usize;
    node_of.clear();
    let mut count = 0;
    for dof in 0..n {
        if root(dof) == dof {
            count += 1;
        }
        let place = dof - root(dof);
        if place >= MAX_NODE || count > MAX_NODES {
            return false;
        }
        node_of.push((count as u32 - 1, place as u32));
    }
    nodes.begin((0..n).filter(|&dof| root(dof) == dof).chain([n]));
    for b in &jac.blocks {
        block_nodes.clear();
        block_nodes.extend(jac.cols[b.col_adr..b.col_adr + b.ncol].iter().map(|&c| node_of[c as usize].0));
        block_nodes.dedup();
        nodes.connect(block_nodes);
    }
    if !nodes.analyse(limits) {
        return false;
    }
    block_places.clear();
    for b in &jac.blocks {
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        for_pairs(cols, node_of, |left, right| {
            let [a, b] = [left.start, right.start].map(|k| node_of[cols[k] as usize].0 as usize);
            block_places.push(nodes.locate(a, b));
        });
    }
    true
}

/// Calls `f` with the places of the columns of each two nodes of a block, those of a node with itself included.
fn for_pairs(cols: &[u32], node_of: &[(u32, u32)], mut f: impl FnMut(Range<usize>, Range<usize>)) {
    let same = |a: &u32, b: &u32| node_of[*a as usize].0 == node_of[*b as usize].0;
    let mut i = 0;
    for left in cols.chunk_by(same) {
        let mut j = i;
        for right in cols[i..].chunk_by(same) {
            f(i..i + left.len(), j..j + right.len());
            j += right.len();
        }
        i += left.len();
    }
}

/// Fills in M + Jᵀ W J.
pub(super) fn fill(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) {
    let Hessian { nodes, node_of, block_places, active, active_start, weighted, .. } = h;
    nodes.clear_values();
    for dof in 0..n {
        let (node, place) = node_of[dof];
        let own = nodes.locate(node as usize, node as usize);
        let (cols, values) = mass.row(dof);
        for (&c, &value) in cols.iter().zip(values) {
            *nodes.at(own, node_of[c as usize].1 as usize, place as usize) += value;
        }
    }
    let mut places = block_places.iter();
    for (k, b) in jac.blocks.iter().enumerate() {
        let active = &active[active_start[k]..active_start[k + 1]];
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        for_pairs(cols, node_of, |left, right| {
            let place = *places.next().expect("as many pairs as were located");
            if active.is_empty() {
                return;
            }
            for p in left {
                let mut add = |q: usize, sums: &[f64]| {
                    for (q, sum) in (q..).zip(sums) {
                        let [i, j] = [p, q].map(|k| node_of[cols[k] as usize].1 as usize);
                        *nodes.at(place, i, j) += sum;
                    }
                };
                let mut q = right.start;
                while q + 4 <= right.end {
                    add(q, &products::<4>(&jac.values, p, weighted, q, active));
                    q += 4;
                }
                if q + 2 <= right.end {
                    add(q, &products::<2>(&jac.values, p, weighted, q, active));
                    q += 2;
                }
                if q < right.end {
                    add(q, &products::<1>(&jac.values, p, weighted, q, active));
                }
            }
        });
    }
}

/// `Σ left_p right_q` over the active rows, for `N` columns from `q` on.
#[inline]
fn products<const N: usize>(
    left: &[f64],
    p: usize,
    right: &[f64],
    q: usize,
    active: &[ActiveRow],
) -> [f64; N] {
    let mut sums = [0.0; N];
    for row in active {
        let weight = left[row.adr + p];
        let numbers: &[f64; N] = right[row.adr + q..].first_chunk().expect("columns of the block");
        for k in 0..N {
            sums[k] += weight * numbers[k];
        }
    }
    sums
}

/// Multiplications below which threads cost more than they save.
const MIN_SHARED: u64 = 1 << 26;

/// Factors on so many threads.
pub(super) fn factor(nodes: &mut NodeFactor, threads: usize) {
    match parallel::pool(if nodes.multiplications() < MIN_SHARED { 1 } else { threads }) {
        None => nodes.factor(MINVAL, &InTurn),
        Some(pool) => pool.install(|| nodes.factor(MINVAL, &Threads)),
    }
}

/// Work for the threads of a pool.
struct Threads;

impl Fork for Threads {
    fn least(&self) -> usize {
        1 << 20
    }

    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        rayon::join(a, b);
    }
}
