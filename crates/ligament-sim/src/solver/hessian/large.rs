//! Large sparse Hessians: nodes are kinematic trees, whose degrees of freedom always appear together.

use crate::parallel;
use crate::workspace::{BlockJacobian, Hessian};
use ligament_math::MINVAL;
use ligament_math::csr::{Csr, FactorLimits};
use ligament_math::nodes::{Fork, InTurn, NodeFactor};

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
    let Hessian { nodes, node_of, block_nodes, .. } = h;
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
    nodes.analyse(limits)
}

/// Fills in M + Jᵀ W J.
pub(super) fn fill(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) {
    let Hessian { nodes, node_of, active, active_start, weighted, .. } = h;
    nodes.clear_values();
    for dof in 0..n {
        let (node, place) = node_of[dof];
        let mut block = nodes.block(node as usize, node as usize);
        let (cols, values) = mass.row(dof);
        for (&c, &value) in cols.iter().zip(values) {
            *block.at(node_of[c as usize].1 as usize, place as usize) += value;
        }
    }
    for (k, b) in jac.blocks.iter().enumerate() {
        let active = &active[active_start[k]..active_start[k + 1]];
        if active.is_empty() {
            continue;
        }
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let mut i = 0;
        for left in cols.chunk_by(|&a, &b| node_of[a as usize].0 == node_of[b as usize].0) {
            let mut j = i;
            for right in cols[i..].chunk_by(|&a, &b| node_of[a as usize].0 == node_of[b as usize].0) {
                let pair = [left[0], right[0]].map(|c| node_of[c as usize].0 as usize);
                let mut block = nodes.block(pair[0], pair[1]);
                for (p, &a) in left.iter().enumerate() {
                    for (q, &b) in right.iter().enumerate() {
                        let products =
                            active.iter().map(|row| jac.values[row.adr + i + p] * weighted[row.adr + j + q]);
                        let places = [a, b].map(|c| node_of[c as usize].1 as usize);
                        *block.at(places[0], places[1]) += products.sum::<f64>();
                    }
                }
                j += right.len();
            }
            i += left.len();
        }
    }
}

/// Factors on so many threads.
pub(super) fn factor(nodes: &mut NodeFactor, threads: usize) {
    match parallel::pool(threads) {
        None => nodes.factor(MINVAL, &InTurn),
        Some(pool) => pool.install(|| nodes.factor(MINVAL, &Threads)),
    }
}

/// Work for the threads of a pool.
struct Threads;

impl Fork for Threads {
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        rayon::join(a, b);
    }
}
