//! The order in which nodes are eliminated: one of least degree next, of several the first.

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
    /// Variables of each node.
    sizes: Vec<u32>,
    /// Bit sets of the neighbours of a node that are not eliminated, `words` numbers a node.
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
    /// Begins with nodes of so many variables.
    pub fn begin(&mut self, sizes: impl Iterator<Item = u32>) {
        self.sizes.clear();
        self.sizes.extend(sizes);
        let nodes = self.sizes.len();
        self.words = nodes.div_ceil(64);
        self.adjacent.clear();
        self.adjacent.resize(nodes * self.words, 0);
    }

    /// All of these nodes meet each other.
    pub fn connect(&mut self, nodes: &[u32]) {
        for &a in nodes {
            let set = &mut self.adjacent[a as usize * self.words..][..self.words];
            nodes.iter().filter(|&&b| a != b).for_each(|b| set[*b as usize / 64] |= 1 << (b % 64));
        }
    }

    /// Finds the order; false where more is filled in than the limits allow. The degree of a node is the number of other
    /// variables that its first one meets.
    pub fn choose_order(&mut self, limits: FactorLimits) -> bool {
        let Self { adjacent, words, sizes, degrees, .. } = self;
        let nodes = sizes.len();
        let variables = sizes.iter().sum::<u32>() as usize;
        let degree = |node: usize| {
            let set = adjacent[node * *words..(node + 1) * *words].iter().enumerate();
            set.fold(sizes[node] - 1, |sum, (w, &bits)| sum + sizes_of(sizes, w, bits))
        };
        degrees.begin((0..nodes).map(degree));
        self.order.clear();
        self.fill.clear();
        self.fill_start.clear();
        self.fill_start.push(0);
        self.place.clear();
        self.place.resize(nodes, 0);
        let (mut eliminated, mut entries) = (0, 0);
        for step in 0..nodes {
            let (least, node) = self.degrees.first_of_least();
            self.degrees.set(node, GONE);
            self.place[node] = step as u32;
            self.order.push(node as u32);
            self.list_neighbours(node);
            // where all that are left meet each other already, nothing changes but their number
            self.leave(node, least as usize + eliminated + 1 < variables);
            self.fill_start.push(self.fill.len());
            // each variable meets those behind it in the node, and all that the last one meets
            let (own, all) = (self.sizes[node] as usize, least as usize);
            entries += own * all - own * (own - 1) / 2;
            eliminated += own;
            if !limits.allow(0, entries) {
                return false;
            }
        }
        self.sort_neighbours();
        true
    }

    /// Lists the neighbours of a node.
    fn list_neighbours(&mut self, node: usize) {
        let Self { adjacent, words, gone, fill, .. } = self;
        gone.clear();
        let set = &adjacent[node * *words..(node + 1) * *words];
        for (w, &word) in set.iter().enumerate().filter(|(_, w)| **w != 0) {
            gone.push((w, word));
            for_bits(w, word, |neighbour| fill.push(neighbour as u32));
        }
    }

    /// Takes a node away from its neighbours, which were listed last; these meet each other from now on, if they do not
    /// already.
    fn leave(&mut self, node: usize, join: bool) {
        let Self { adjacent, words, degrees, fill, fill_start, gone, sizes, .. } = self;
        let own = sizes[node];
        for &u in &fill[fill_start[fill_start.len() - 1]..] {
            let u = u as usize;
            let set = &mut adjacent[u * *words..(u + 1) * *words];
            let mut new = 0;
            if join {
                set[u / 64] |= 1 << (u % 64);
                for &(w, bits) in &*gone {
                    let unknown = bits & !set[w];
                    if unknown != 0 {
                        new += sizes_of(sizes, w, unknown);
                        set[w] |= bits;
                    }
                }
                set[u / 64] &= !(1 << (u % 64));
            }
            set[node / 64] &= !(1 << (node % 64));
            degrees.set(u, degrees.of(u) + new - own);
        }
    }

    /// Puts the neighbours at each place in the order of elimination: each node is added, in this order, where it was met.
    fn sort_neighbours(&mut self) {
        let Self { order, place, fill, fill_start, met_at, cursors, next, .. } = self;
        cursors.clear();
        cursors.resize(order.len() + 1, 0);
        for &u in &*fill {
            cursors[place[u as usize] as usize + 1] += 1;
        }
        for k in 0..order.len() {
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

/// Variables of the nodes in a number of a bit set.
#[inline]
fn sizes_of(sizes: &[u32], word: usize, bits: u64) -> u32 {
    let mut sum = 0;
    for_bits(word, bits, |node| sum += sizes[node]);
    sum
}

#[inline]
fn for_bits(word: usize, mut bits: u64, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(64 * word + bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
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
            let size = |u: usize| 1 + (u * 5) % 4;
            let mut elimination = Elimination::default();
            elimination.begin((0..nodes).map(|u| size(u) as u32));
            let mut meets = vec![vec![false; nodes]; nodes];
            for &[a, b] in &edges {
                elimination.connect(&[a, b]);
                (meets[a as usize][b as usize], meets[b as usize][a as usize]) = (true, true);
            }
            assert!(elimination.choose_order(FactorLimits::NONE));
            let mut left: Vec<usize> = (0..nodes).collect();
            for step in 0..nodes {
                let met = |u: usize| left.iter().filter(|&&v| meets[u][v]).map(|&v| size(v)).sum::<usize>();
                let node = *left.iter().min_by_key(|&&u| (size(u) - 1 + met(u), u)).unwrap();
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
