//! Large sparse Hessians: nodes are kinematic trees, whose degrees of freedom always appear together.

use crate::parallel;
use crate::workspace::{ActiveRow, Block, BlockJacobian, Follows, Hessian, NodePair, PairPiece};
use ligament_math::MINVAL;
use ligament_math::csr::{Csr, FactorLimits};
use ligament_math::nodes::{NodeFactor, OwnNode, PanelNumbers};
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
    let Hessian { nodes, node_of, block_nodes, follows, .. } = h;
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
    find_followers(jac, node_of, count, block_nodes, follows);
    nodes.begin((0..n).filter(|&dof| root(dof) == dof).chain([n]), |node| follows[node] == Follows::Always);
    for b in &jac.blocks {
        list_nodes(jac, b, node_of, block_nodes);
        nodes.connect(block_nodes);
    }
    if !nodes.analyse(limits) {
        return false;
    }
    join_nodes(nodes, node_of);
    list_pairs(h, jac);
    true
}

/// Nodes of a block.
fn list_nodes(jac: &BlockJacobian, b: &Block, node_of: &[(u32, u32)], nodes: &mut Vec<u32>) {
    nodes.clear();
    nodes.extend(jac.cols[b.col_adr..b.col_adr + b.ncol].iter().map(|&c| node_of[c as usize].0));
    nodes.dedup();
}

/// Finds the nodes that always appear together with the one behind them: degrees of freedom of a body whose inertia is
/// diagonal are nodes of their own.
fn find_followers(
    jac: &BlockJacobian,
    node_of: &[(u32, u32)],
    count: usize,
    nodes: &mut Vec<u32>,
    follows: &mut Vec<Follows>,
) {
    follows.clear();
    follows.resize(count, Follows::Unknown);
    for b in &jac.blocks {
        list_nodes(jac, b, node_of, nodes);
        for (k, &node) in nodes.iter().enumerate() {
            let node = node as usize;
            if nodes.get(k + 1) != Some(&(node as u32 + 1)) {
                follows[node] = Follows::Not;
            } else if follows[node] == Follows::Unknown {
                follows[node] = Follows::Always;
            }
            if node > 0 && (k == 0 || nodes[k - 1] as usize != node - 1) {
                follows[node - 1] = Follows::Not;
            }
        }
    }
}

/// Joins nodes that always appear together and stand in one panel, so that blocks add to all of them at once.
fn join_nodes(nodes: &NodeFactor, node_of: &mut [(u32, u32)]) {
    let (mut last, mut first, mut place) = (None, 0, 0);
    for of in node_of {
        let node = of.0;
        let joins = |last: u32| last == node || nodes.are_side_by_side(last as usize, node as usize);
        if !last.is_some_and(joins) {
            (first, place) = (node, 0);
        }
        *of = (first, place);
        last = Some(node);
        place += 1;
    }
}

/// Blocks whose pairs are not worth another thread.
const MIN_BLOCKS: usize = 200;

/// Lists what the blocks add to each panel, in the order of the blocks.
fn list_pairs(h: &mut Hessian, jac: &BlockJacobian) {
    let Hessian { nodes, node_of, pairs, sorted_pairs, panel_pairs, .. } = h;
    let (nodes, node_of) = (&*nodes, &node_of[..]);
    let count = parallel::pieces(jac.threads, 2).min(jac.blocks.len() / MIN_BLOCKS).max(1);
    pairs.resize_with(count.max(pairs.len()), PairPiece::default);
    let pairs = &mut pairs[..count];
    parallel::share_out(jac.threads, 0..jac.blocks.len(), pairs, |blocks, piece| {
        piece.pairs.clear();
        for block in blocks {
            let b = &jac.blocks[block];
            let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
            find_parts(cols, node_of, &mut piece.parts);
            for (k, &(a, left)) in piece.parts.iter().enumerate() {
                for &(b, right) in &piece.parts[k..] {
                    let (a, b) = (a as usize, b as usize);
                    let pair = NodePair { block: block as u32, left, right, place: nodes.locate(a, b) };
                    piece.pairs.push((nodes.panel_of(a, b) as u32, pair));
                }
            }
        }
    });
    panel_pairs.clear();
    panel_pairs.resize(nodes.panels() + 2, 0);
    let pairs = || pairs.iter().flat_map(|piece| &piece.pairs);
    pairs().for_each(|&(panel, _)| panel_pairs[panel as usize + 2] += 1);
    for k in 2..panel_pairs.len() {
        panel_pairs[k] += panel_pairs[k - 1];
    }
    // each is overwritten: what it was does not matter
    let first = pairs().next().map(|&(_, pair)| pair);
    first.into_iter().for_each(|pair| sorted_pairs.resize(panel_pairs[panel_pairs.len() - 1], pair));
    for &(panel, pair) in pairs() {
        let end = &mut panel_pairs[panel as usize + 1];
        sorted_pairs[*end] = pair;
        *end += 1;
    }
}

/// The nodes of a block and the places of their columns in it.
fn find_parts(cols: &[u32], node_of: &[(u32, u32)], parts: &mut Vec<(u32, (u32, u32))>) {
    parts.clear();
    for (k, &c) in (0..).zip(cols) {
        let node = node_of[c as usize].0;
        match parts.last_mut() {
            Some((last, (_, end))) if *last == node => *end = k + 1,
            _ => parts.push((node, (k, k + 1))),
        }
    }
}

/// What M + Jᵀ W J is made of.
struct Sum<'a> {
    jac: &'a BlockJacobian,
    mass: &'a Csr,
    node_of: &'a [(u32, u32)],
    active: &'a [ActiveRow],
    active_of: &'a [Range<usize>],
    weighted: &'a [f64],
}

impl Sum<'_> {
    /// Adds the part of M that belongs to a node.
    fn add_mass(&self, node: OwnNode, numbers: &mut PanelNumbers) {
        for row in 0..node.size {
            let (cols, values) = self.mass.row(node.first + row);
            for (&c, &value) in cols.iter().zip(values) {
                *numbers.at(node.place, c as usize - node.first, row) += value;
            }
        }
    }

    /// Adds what a block has for two nodes.
    fn add_pair(&self, pair: &NodePair, numbers: &mut PanelNumbers) {
        let (block, jac) = (pair.block as usize, self.jac);
        let active = &self.active[self.active_of[block].clone()];
        if active.is_empty() {
            return;
        }
        let b = &jac.blocks[block];
        let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
        let own = |k: usize| self.node_of[cols[k] as usize].1 as usize;
        let (begin, end) = (pair.right.0 as usize, pair.right.1 as usize);
        for p in pair.left.0 as usize..pair.left.1 as usize {
            let i = own(p);
            let mut add = |q: usize, sums: &[f64]| {
                for (q, sum) in (q..).zip(sums) {
                    *numbers.at(pair.place, i, own(q)) += sum;
                }
            };
            let mut q = begin;
            while q + 4 <= end {
                add(q, &products::<4>(&jac.values, p, self.weighted, q, active));
                q += 4;
            }
            if q + 2 <= end {
                add(q, &products::<2>(&jac.values, p, self.weighted, q, active));
                q += 2;
            }
            if q < end {
                add(q, &products::<1>(&jac.values, p, self.weighted, q, active));
            }
        }
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

/// Multiplications, those of filling in included, below which threads cost more than they save.
const MIN_SHARED: u64 = 1 << 19;

/// Fills in M + Jᵀ W J and factors it on so many threads.
pub(super) fn factor(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, threads: usize) {
    let Hessian { nodes, node_of, active, active_of, weighted, sorted_pairs, panel_pairs, .. } = h;
    let filling: usize = jac.blocks.iter().map(|b| b.rows * b.ncol * b.ncol / 2).sum();
    let threads = if nodes.multiplications() + (filling as u64) < MIN_SHARED { 1 } else { threads };
    let sum = Sum { jac, mass, node_of, active, active_of, weighted };
    nodes.factor(MINVAL, threads, |panel, own, numbers| {
        for node in own {
            sum.add_mass(node, numbers);
        }
        for pair in &sorted_pairs[panel_pairs[panel]..panel_pairs[panel + 1]] {
            sum.add_pair(pair, numbers);
        }
    });
}
