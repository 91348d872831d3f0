//! The order in which nodes are eliminated: one of least degree next, of several the first.
#![allow(unsafe_code)]

use crate::csr::FactorLimits;

/// Degree of a node that is eliminated.
const GONE: u32 = u32::MAX;

/// Nodes whose least degree is known.
const GROUP: usize = 64;

/// Degrees of nodes, and the least of each group of them.
#[derive(Debug, Default)]
struct Degrees {
    /// Whole groups: those that are no nodes are gone.
    degree: Vec<u32>,
    least: Vec<u32>,
    /// Groups whose least degree may have grown.
    stale: Vec<bool>,
}

impl Degrees {
    fn begin(&mut self, degrees: impl Iterator<Item = u32>) {
        self.degree.clear();
        self.degree.extend(degrees);
        let groups = self.degree.len().div_ceil(GROUP);
        self.degree.resize(groups * GROUP, GONE);
        self.least.clear();
        self.least.resize(groups, GONE);
        self.stale.clear();
        self.stale.resize(groups, true);
    }

    fn of(&self, node: usize) -> u32 {
        self.degree[node]
    }

    #[inline]
    fn set(&mut self, node: usize, degree: u32) {
        let old = std::mem::replace(&mut self.degree[node], degree);
        let least = &mut self.least[node / GROUP];
        self.stale[node / GROUP] |= old == *least;
        *least = degree.min(*least);
    }

    /// The first node of the least degree; there is one.
    fn first_of_least(&mut self) -> (u32, usize) {
        let (groups, _) = self.degree.as_chunks::<GROUP>();
        for ((least, stale), group) in self.least.iter_mut().zip(&mut self.stale).zip(groups) {
            if std::mem::take(stale) {
                *least = group.iter().copied().fold(GONE, u32::min);
            }
        }
        let least = self.least.iter().copied().fold(GONE, u32::min);
        let group = self.least.iter().position(|&l| l == least).unwrap_or(0);
        let place = groups[group].iter().position(|&degree| degree == least).unwrap_or(0);
        (least, GROUP * group + place)
    }
}

/// What meets what, and what is found out from it.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    nodes: usize,
    /// Bit sets of the neighbours that are not eliminated, `words` numbers a node.
    adjacent: Vec<u64>,
    words: usize,
    /// Those of the node that is being eliminated: numbers that are not zero and their places.
    gone: Vec<(usize, u64)>,
    degrees: Degrees,
    /// The node that is eliminated at each place, and the place of each node.
    pub order: Vec<u32>,
    pub place: Vec<u32>,
    /// Neighbours of the node at each place when it is eliminated, in the order of elimination.
    pub fill: Vec<u32>,
    pub fill_start: Vec<usize>,
    /// For each node the places at which it is a neighbour.
    met_at: Vec<u32>,
    cursors: Vec<usize>,
    next: Vec<usize>,
}

impl Elimination {
    pub fn begin(&mut self, nodes: usize) {
        self.nodes = nodes;
        self.words = nodes.div_ceil(64);
        self.adjacent.clear();
        self.adjacent.resize(nodes * self.words, 0);
    }

    /// All of these nodes meet each other.
    pub fn connect(&mut self, nodes: &[u32]) {
        for &a in nodes {
            for &b in nodes {
                if a != b {
                    self.adjacent[a as usize * self.words + b as usize / 64] |= 1 << (b % 64);
                }
            }
        }
    }

    /// Finds the order; false where more is filled in than the limits allow.
    pub fn choose_order(&mut self, limits: FactorLimits) -> bool {
        let count = |set: &[u64]| set.iter().map(|w| w.count_ones()).sum::<u32>();
        self.degrees.begin(self.adjacent.chunks_exact(self.words.max(1)).map(count));
        self.order.clear();
        self.fill.clear();
        self.fill_start.clear();
        self.fill_start.push(0);
        self.place.clear();
        self.place.resize(self.nodes, 0);
        for step in 0..self.nodes {
            let (least, node) = self.degrees.first_of_least();
            self.degrees.set(node, GONE);
            self.place[node] = step as u32;
            self.order.push(node as u32);
            self.list_neighbours(node);
            // where all that are left meet each other already, nothing changes but their number
            if least as usize + step + 1 == self.nodes {
                self.leave(node);
            } else {
                self.join_neighbours(node);
            }
            self.fill_start.push(self.fill.len());
            if !limits.allow(0, self.fill.len()) {
                return false;
            }
        }
        self.sort_neighbours();
        true
    }

    /// Appends the neighbours of a node to `fill`.
    fn list_neighbours(&mut self, node: usize) {
        let Self { adjacent, words, gone, fill, .. } = self;
        gone.clear();
        let set = &adjacent[node * *words..(node + 1) * *words];
        for (w, &word) in set.iter().enumerate().filter(|(_, w)| **w != 0) {
            gone.push((w, word));
            let mut bits = word;
            while bits != 0 {
                fill.push(64 * w as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }

    /// Takes a node away from its neighbours, which were listed last.
    fn leave(&mut self, node: usize) {
        let Self { adjacent, words, degrees, fill, fill_start, .. } = self;
        for &u in &fill[fill_start[fill_start.len() - 1]..] {
            let u = u as usize;
            degrees.set(u, degrees.of(u) - 1);
            adjacent[u * *words + node / 64] &= !(1 << (node % 64));
        }
    }

    /// [`Self::leave`]; its neighbours meet each other.
    fn join_neighbours(&mut self, node: usize) {
        let Self { adjacent, words, degrees, fill, fill_start, gone, .. } = self;
        for &u in &fill[fill_start[fill_start.len() - 1]..] {
            let u = u as usize;
            let set = &mut adjacent[u * *words..(u + 1) * *words];
            set[node / 64] &= !(1 << (node % 64));
            set[u / 64] |= 1 << (u % 64);
            let new = unite(set, gone);
            set[u / 64] &= !(1 << (u % 64));
            degrees.set(u, degrees.of(u) + new - 1);
        }
    }

    /// Puts the neighbours at each place in the order of elimination: each node is added, in this order, where it was met.
    fn sort_neighbours(&mut self) {
        let Self { nodes, order, place, fill, fill_start, met_at, cursors, next, .. } = self;
        cursors.clear();
        cursors.resize(*nodes + 1, 0);
        for &u in &*fill {
            cursors[place[u as usize] as usize + 1] += 1;
        }
        for k in 0..*nodes {
            cursors[k + 1] += cursors[k];
        }
        met_at.resize(fill.len(), 0);
        for (step, range) in fill_start.windows(2).enumerate() {
            for &u in &fill[range[0]..range[1]] {
                let cursor = &mut cursors[place[u as usize] as usize];
                met_at[*cursor] = step as u32;
                *cursor += 1;
            }
        }
        // the cursors have moved on to where the places of the next node begin
        let mut begin = 0;
        next.clone_from(fill_start);
        for (&node, &end) in order.iter().zip(&*cursors) {
            for &step in &met_at[begin..end] {
                let place = &mut next[step as usize];
                fill[*place] = node;
                *place += 1;
            }
            begin = end;
        }
    }
}

/// Adds bits to a set, given as numbers and their places; returns how many are new.
#[inline]
fn unite(set: &mut [u64], bits: &[(usize, u64)]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has the instruction.
        return unsafe { unite_with_popcnt(set, bits) };
    }
    add_bits(set, bits)
}

/// [`unite`] where the processor counts bits: without that it is the longest part of the order.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn unite_with_popcnt(set: &mut [u64], bits: &[(usize, u64)]) -> u32 {
    add_bits(set, bits)
}

#[inline(always)]
fn add_bits(set: &mut [u64], bits: &[(usize, u64)]) -> u32 {
    let mut new = 0;
    for &(w, bits) in bits {
        new += (bits & !set[w]).count_ones();
        set[w] |= bits;
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order is that of looking at all degrees before each step, and neighbours come in this order.
    #[test]
    fn least_degree_first() {
        for nodes in [1usize, 7, 64, 65, 200] {
            let edges: Vec<[u32; 2]> = (0..3 * nodes)
                .map(|k| [(k * k * 31 + k) % nodes, (k * 17 + k * k * 7 + 5) % nodes].map(|u| u as u32))
                .filter(|[a, b]| a != b)
                .collect();
            let mut elimination = Elimination::default();
            elimination.begin(nodes);
            let mut meets = vec![vec![false; nodes]; nodes];
            for &[a, b] in &edges {
                elimination.connect(&[a, b]);
                (meets[a as usize][b as usize], meets[b as usize][a as usize]) = (true, true);
            }
            assert!(elimination.choose_order(FactorLimits::NONE));
            let mut left: Vec<usize> = (0..nodes).collect();
            for step in 0..nodes {
                let degree = |u: usize| left.iter().filter(|&&v| meets[u][v]).count();
                let node = *left.iter().min_by_key(|&&u| (degree(u), u)).unwrap();
                assert_eq!(elimination.order[step] as usize, node, "{nodes} nodes");
                left.retain(|&u| u != node);
                let mut fill: Vec<usize> = left.iter().copied().filter(|&u| meets[node][u]).collect();
                for &a in &fill {
                    fill.iter().filter(|&&b| a != b).for_each(|&b| meets[a][b] = true);
                }
                fill.sort_by_key(|&u| elimination.place[u]);
                let own = elimination.fill_start[step]..elimination.fill_start[step + 1];
                assert!(elimination.fill[own].iter().map(|&u| u as usize).eq(fill));
            }
        }
    }
}
