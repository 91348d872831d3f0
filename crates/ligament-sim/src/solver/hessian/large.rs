//! Large sparse Hessians: nodes are kinematic trees, whose degrees of freedom always appear together, or several trees of which
//! that is true.

use super::QUADRATIC;
use crate::parallel;
use crate::workspace::{
    ActiveRow, Block, BlockJacobian, Follows, Hessian, NodePair, PairPiece, SolverScratch,
};
use ligament_math::MINVAL;
use ligament_math::csr::{Csr, FactorLimits};
use ligament_math::four::Four;
use ligament_math::nodes::{OwnNode, PanelNumbers};
use std::ops::Range;

/// Largest tree: numbers of a node are stored densely.
const MAX_NODE: usize = 64;

/// Largest node that several trees form.
const MAX_JOINED: usize = 24;

/// Most nodes: bit sets of neighbours grow with the square of their number.
const MAX_NODES: u32 = 1 << 14;

/// Finds nodes. False where one is too large, or they are too many.
pub(super) fn find_nodes(h: &mut Hessian, jac: &BlockJacobian, mass: &Csr, n: usize) -> bool {
    let Hessian { node_of, block_nodes, block_node_start, follows, .. } = h;
    // the first column of a row of M is the first degree of freedom of the tree
    let root = |dof: usize| mass.row(dof).0[0] as usize;
    node_of.clear();
    let mut count = 0;
    for dof in 0..n {
        if root(dof) == dof {
            count += 1;
        }
        let place = dof - root(dof);
        if place >= MAX_NODE {
            return false;
        }
        node_of.push((count as u32 - 1, place as u32));
    }
    find_followers(jac, node_of, count, block_nodes, follows);
    join_nodes(follows, node_of);
    block_nodes.clear();
    block_node_start.clear();
    block_node_start.push(0);
    for b in &jac.blocks {
        list_nodes(jac, b, node_of, block_nodes);
        block_node_start.push(block_nodes.len());
    }
    node_of.last().is_some_and(|of| of.0 < MAX_NODES)
}

/// Finds the order of nodes that were found. False where the factor is too large.
pub(super) fn analyse(h: &mut Hessian, jac: &BlockJacobian, n: usize, limits: FactorLimits) -> bool {
    let Hessian { nodes, node_of, block_nodes, block_node_start, .. } = h;
    nodes.begin((0..n).filter(|&dof| node_of[dof].1 == 0).chain([n]));
    block_node_start.windows(2).for_each(|ends| nodes.connect(&block_nodes[ends[0]..ends[1]]));
    if !nodes.analyse(limits) {
        return false;
    }
    list_pairs(h, jac);
    true
}

/// Does the factor in the order of the variables take more than so many multiplications? It is counted by nodes, which is
/// possible where all of a node appears wherever something of it does; otherwise false. It is what
/// `ligament_math::csr::ReverseFactor` finds by variables.
pub(super) fn takes_more(h: &mut Hessian, jac: &BlockJacobian, most: u64) -> bool {
    let Hessian {
        node_of,
        node_sizes: sizes,
        block_nodes,
        block_node_start,
        above_start,
        above,
        node_parents: parents,
        met_by,
        ..
    } = h;
    let count = node_of.last().map_or(0, |of| of.0 as usize + 1);
    sizes.clear();
    sizes.resize(count, 0u32);
    node_of.iter().for_each(|of| sizes[of.0 as usize] += 1);
    met_by.clear();
    met_by.resize(count, u32::MAX);
    // for each node the later ones that it meets
    above_start.clear();
    above_start.resize(count + 2, 0);
    let nodes_of = || block_node_start.windows(2).map(|ends| &block_nodes[ends[0]..ends[1]]);
    for (b, nodes) in jac.blocks.iter().zip(nodes_of()) {
        if b.ncol as u32 != nodes.iter().map(|&node| sizes[node as usize]).sum::<u32>() {
            return false;
        }
        for (k, &node) in nodes.iter().enumerate() {
            met_by[node as usize] = node;
            above_start[node as usize + 2] += nodes.len() - k - 1;
        }
    }
    // variables of a node all meet each other if they appear in a block
    if sizes.iter().zip(&*met_by).any(|(&size, &met)| size > 1 && met == u32::MAX) {
        return false;
    }
    for k in 2..above_start.len() {
        above_start[k] += above_start[k - 1];
    }
    above.resize(above_start[count + 1], 0);
    for nodes in nodes_of() {
        for (k, &node) in nodes.iter().enumerate() {
            let later = &nodes[k + 1..];
            let start = &mut above_start[node as usize + 1];
            above[*start..*start + later.len()].copy_from_slice(later);
            *start += later.len();
        }
    }
    // Davis 2005, Algorithm 849, run backwards
    parents.clear();
    parents.resize(count, u32::MAX);
    met_by.fill(u32::MAX);
    let mut multiplications = 0;
    for node in (0..count as u32).rev() {
        met_by[node as usize] = node;
        let mut below = 0;
        for &first in &above[above_start[node as usize]..above_start[node as usize + 1]] {
            let mut at = first as usize;
            while met_by[at] != node {
                met_by[at] = node;
                below += u64::from(sizes[at]);
                if parents[at] == u32::MAX {
                    parents[at] = node;
                }
                at = parents[at] as usize;
            }
        }
        for column in below..below + u64::from(sizes[node as usize]) {
            multiplications += column * (column + 1) / 2 + column;
        }
        if multiplications > most {
            return true;
        }
    }
    false
}

/// Appends the nodes of a block.
fn list_nodes(jac: &BlockJacobian, b: &Block, node_of: &[(u32, u32)], nodes: &mut Vec<u32>) {
    let begin = nodes.len();
    for &c in &jac.cols[b.col_adr..b.col_adr + b.ncol] {
        let node = node_of[c as usize].0;
        if nodes[begin..].last() != Some(&node) {
            nodes.push(node);
        }
    }
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
        nodes.clear();
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

/// Joins trees that always appear together, so that blocks add to all of them at once.
fn join_nodes(follows: &[Follows], node_of: &mut [(u32, u32)]) {
    let (mut node, mut size) = (0, 0);
    for dof in 0..node_of.len() {
        let (tree, place) = node_of[dof];
        if place == 0 && tree > 0 {
            let own = node_of[dof..].iter().take_while(|of| of.0 == tree).count() as u32;
            if follows[tree as usize - 1] != Follows::Always || size + own > MAX_JOINED as u32 {
                (node, size) = (node + 1, 0);
            }
        }
        node_of[dof] = (node, size);
        size += 1;
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
    let (pairs, unused) = pairs.split_at_mut(count);
    unused.iter_mut().for_each(|piece| piece.pairs.clear());
    parallel::share_out(jac.threads, 0..jac.blocks.len(), pairs, |blocks, piece| {
        piece.pairs.clear();
        for block in blocks {
            let b = &jac.blocks[block];
            let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
            find_parts(cols, node_of, &mut piece.parts);
            for (k, &(a, left)) in piece.parts.iter().enumerate() {
                for &(b, right) in &piece.parts[k..] {
                    let (a, b) = (a as usize, b as usize);
                    // the columns are those of the node that is eliminated first
                    let (place, panel) = (nodes.locate(a, b), nodes.panel_of(a, b) as u32);
                    let (left, right) = if place.is_swapped() { (right, left) } else { (left, right) };
                    piece.pairs.push((panel, NodePair { block: block as u32, left, right, place }));
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

/// Rows with curvature, those of each block, and the Jacobian multiplied by it.
type Curved<'a> = (&'a [ActiveRow], &'a [Range<usize>], &'a [f64]);

/// What M + Jᵀ W J is made of.
struct Sum<'a> {
    jac: &'a BlockJacobian,
    mass: &'a Csr,
    node_of: &'a [(u32, u32)],
    state: &'a [i32],
    D: &'a [f64],
    /// Where there are cones; otherwise states and `D` say as much.
    cones: Option<Curved<'a>>,
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
        let b = &self.jac.blocks[pair.block as usize];
        if let Some((active, active_of, weighted)) = self.cones {
            let active = &active[active_of[pair.block as usize].clone()];
            return self.add_rows(pair, active.iter().map(|row| (row.adr, 1.0)), weighted, numbers);
        }
        let state = &self.state[b.row..b.row + b.rows];
        let rows = (b.adr..).step_by(b.ncol.max(1)).zip(&self.D[b.row..]).zip(state);
        let active = rows.filter(|(_, state)| **state == QUADRATIC).map(|((adr, D), _)| (adr, *D));
        self.add_rows(pair, active, &self.jac.values, numbers);
    }

    /// [`add_pair`](Self::add_pair) for these rows, given where they stand and what `right` has to be multiplied by.
    #[inline]
    fn add_rows(
        &self,
        pair: &NodePair,
        rows: impl Iterator<Item = (usize, f64)> + Clone,
        right: &[f64],
        numbers: &mut PanelNumbers,
    ) {
        if rows.clone().next().is_none() {
            return;
        }
        let mut p = pair.left.0 as usize;
        while p < pair.left.1 as usize {
            // six degrees of freedom of a body are most of what meets in a pile
            p += if p + 6 <= pair.left.1 as usize {
                self.add_columns::<6>(pair, p, rows.clone(), right, numbers)
            } else {
                self.add_columns::<1>(pair, p, rows.clone(), right, numbers)
            };
        }
    }

    /// [`add_rows`](Self::add_rows) for the `N` columns of the first node from `p` on; returns their number.
    #[inline]
    fn add_columns<const N: usize>(
        &self,
        pair: &NodePair,
        p: usize,
        active: impl Iterator<Item = (usize, f64)> + Clone,
        right: &[f64],
        numbers: &mut PanelNumbers,
    ) -> usize {
        let b = &self.jac.blocks[pair.block as usize];
        let own = |k: usize| self.node_of[self.jac.cols[b.col_adr + k] as usize].1 as usize;
        let left = &self.jac.values;
        let (begin, end) = (pair.right.0 as usize, pair.right.1 as usize);
        if begin + 4 > end || own(begin) + end != own(end - 1) + begin + 1 {
            for i in p..p + N {
                for j in begin..end {
                    let products = active.clone().map(|(adr, D)| left[adr + i] * (D * right[adr + j]));
                    numbers.column(pair.place, own(i))[own(j)] += products.fold(0.0, |sum, x| sum + x);
                }
            }
            return N;
        }
        // rows of the second node that follow each other
        let rows = own(begin)..own(begin) + end - begin;
        for q in (0..rows.len()).step_by(8) {
            // the second four are the last ones where fewer than eight are left
            let fours = [q, q + 4].map(|q| q.min(rows.len() - 4));
            let sums: [[[f64; 4]; 2]; N] = products(left, p, right, fours.map(|q| begin + q), active.clone());
            for (i, [low, high]) in (p..).zip(&sums) {
                let column = &mut numbers.column(pair.place, own(i))[rows.clone()];
                for (x, sum) in column[fours[0] + 4..fours[1] + 4].iter_mut().rev().zip(high.iter().rev()) {
                    *x += sum;
                }
                let skipped = q - fours[0];
                column[q..].iter_mut().zip(&low[skipped..]).for_each(|(x, sum)| *x += sum);
            }
        }
        N
    }
}

/// `Σ left_p right_q` over the active rows, for `N` columns from `p` on and four from each of two `q` on. Side by side: each
/// addition waits for the one before it.
#[inline]
fn products<const N: usize>(
    left: &[f64],
    p: usize,
    right: &[f64],
    fours: [usize; 2],
    active: impl Iterator<Item = (usize, f64)>,
) -> [[[f64; 4]; 2]; N] {
    let mut sums = [[Four::default(); 2]; N];
    for (adr, D) in active {
        let weights: &[f64; N] = left[adr + p..].first_chunk().expect("columns of the block");
        let numbers = fours.map(|q| {
            let numbers: &[f64; 4] = right[adr + q..].first_chunk().expect("columns of the block");
            Four::splat(D) * Four::new(*numbers)
        });
        for (sums, &weight) in sums.iter_mut().zip(weights) {
            let weight = Four::splat(weight);
            sums[0] += weight * numbers[0];
            sums[1] += weight * numbers[1];
        }
    }
    sums.map(|sums| sums.map(Four::numbers))
}

/// Multiplications, those of filling in included, below which threads cost more than they save.
const MIN_SHARED: u64 = 1 << 19;

/// Fills in M + Jᵀ W J and factors it. Where the factor is that of `old_state`, only what has changed is made anew.
pub(super) fn factor(s: &mut SolverScratch, anew: bool) {
    let SolverScratch { hessian: h, jac, mass, state, old_state, D, threads, .. } = s;
    let Hessian { nodes, node_of, active, active_of, weighted, sorted_pairs, panel_pairs, .. } = h;
    let threads = if nodes.multiplications() + h.products / 2 < MIN_SHARED { 1 } else { *threads };
    let changed = &mut h.changed_panels;
    changed.clear();
    changed.resize(nodes.panels(), anew);
    if !anew {
        let states = [&old_state[..], state];
        list_changed(jac, states, (panel_pairs, sorted_pairs), &mut h.changed_blocks, changed);
    }
    let cones = h.has_cones.then_some((&active[..], &active_of[..], &weighted[..]));
    let sum = Sum { jac, mass, node_of, state, D, cones };
    nodes.factor(
        MINVAL,
        threads,
        |panel| changed[panel],
        |panel, own, numbers| {
            for node in own {
                sum.add_mass(node, numbers);
            }
            for pair in &sorted_pairs[panel_pairs[panel]..panel_pairs[panel + 1]] {
                sum.add_pair(pair, numbers);
            }
        },
    );
}

/// Panels that are not worth another thread: each looks at some blocks.
const MIN_PANELS: usize = 100;

/// Marks the blocks whose rows have another state than before, and the panels to which they add.
fn list_changed(
    jac: &BlockJacobian,
    [old_state, state]: [&[i32]; 2],
    (panel_pairs, pairs): (&[usize], &[NodePair]),
    blocks: &mut Vec<bool>,
    panels: &mut [bool],
) {
    blocks.resize(jac.blocks.len(), false);
    parallel::split(jac.threads, MIN_BLOCKS, (&jac.blocks[..], &mut blocks[..]), |(blocks, changed)| {
        for (b, changed) in blocks.iter().zip(changed) {
            let rows = b.row..b.row + b.rows;
            *changed = old_state[rows.clone()].iter().ne(&state[rows]);
        }
    });
    parallel::split(jac.threads, MIN_PANELS, (0..panels.len(), panels), |(panels, changed)| {
        for (panel, changed) in panels.zip(changed) {
            let own = &pairs[panel_pairs[panel]..panel_pairs[panel + 1]];
            *changed = own.iter().any(|pair| blocks[pair.block as usize]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament_math::csr::ReverseFactor;

    /// Multiplications that are counted by nodes are those of the factor by variables.
    #[test]
    fn multiplications_by_nodes_are_those_by_variables() {
        const SIZE: usize = 3;
        let count = 40;
        let n = SIZE * count;
        let mut jac = BlockJacobian::default();
        let mut add = |nodes: &[usize]| {
            let col_adr = jac.cols.len();
            jac.cols.extend(nodes.iter().flat_map(|&k| (SIZE * k..SIZE * (k + 1)).map(|c| c as u32)));
            jac.blocks.push(Block { rows: 1, col_adr, ncol: jac.cols.len() - col_adr, ..Block::default() });
        };
        for k in 0..count {
            add(&[k]);
            let other = (7 * k + k * k / 3) % count;
            if other != k {
                add(&[k.min(other), k.max(other)]);
            }
        }
        let mut mass = Csr::default();
        mass.clear();
        for i in 0..n {
            mass.col.edit().push(i as u32);
            mass.val.push(1.0);
            mass.end_row();
        }
        let mut above = vec![Vec::new(); n];
        for b in &jac.blocks {
            let cols = &jac.cols[b.col_adr..b.col_adr + b.ncol];
            for (k, &c) in cols.iter().enumerate() {
                above[c as usize].extend_from_slice(&cols[k + 1..]);
            }
        }
        let start: Vec<usize> = (0..=n).map(|k| above[..k].iter().map(Vec::len).sum()).collect();
        let mut factor = ReverseFactor::default();
        assert!(factor.analyse(n, &start, &above.concat(), FactorLimits::NONE));
        let mut h = Hessian::default();
        assert!(find_nodes(&mut h, &jac, &mass, n));
        assert!(takes_more(&mut h, &jac, factor.multiplications() - 1));
        assert!(!takes_more(&mut h, &jac, factor.multiplications()));
    }
}
