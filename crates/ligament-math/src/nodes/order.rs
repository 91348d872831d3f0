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
///
/// Nodes that follow each other and always appear together have the same neighbours and the same degree. When the first of
/// them is eliminated, the others come next: their degrees fall by one, and so do at most those of nodes behind them. So the
/// order is found by groups of such nodes.
#[derive(Debug, Default)]
pub(super) struct Elimination {
    /// Group of each node, the first node of each group and the number of nodes.
    group_of: Vec<u32>,
    first: Vec<u32>,
    /// Bit sets of the neighbours of a group that are not eliminated, `words` numbers a group.
    adjacent: Vec<u64>,
    words: usize,
    /// Those of the group that is being eliminated: numbers that are not zero and their places.
    gone: Vec<(usize, u64)>,
    degrees: Degrees,
    groups: Listed,
    /// The node that is eliminated at each place, and the place of each node.
    pub order: Vec<u32>,
    pub place: Vec<u32>,
    /// Neighbours of the node at each place when it is eliminated, in the order of elimination.
    pub fill: Vec<u32>,
    pub fill_start: Vec<usize>,
}

/// Groups in the order of elimination, and what they meet then.
#[derive(Debug, Default)]
struct Listed {
    order: Vec<u32>,
    place: Vec<u32>,
    fill: Vec<u32>,
    fill_start: Vec<usize>,
    /// For each group the places at which it is a neighbour.
    met_at: Vec<u32>,
    cursors: Vec<usize>,
    next: Vec<usize>,
}

impl Elimination {
    /// Begins with so many nodes, of which the one behind the `k`-th always appears together with it if `follows(k)`.
    pub fn begin(&mut self, nodes: usize, follows: impl Fn(usize) -> bool) {
        self.group_of.clear();
        self.first.clear();
        for node in 0..nodes {
            if node == 0 || !follows(node - 1) {
                self.first.push(node as u32);
            }
            self.group_of.push(self.first.len() as u32 - 1);
        }
        let groups = self.first.len();
        self.first.push(nodes as u32);
        self.words = groups.div_ceil(64);
        self.adjacent.clear();
        self.adjacent.resize(groups * self.words, 0);
    }

    /// Do two nodes belong to one group?
    pub fn are_together(&self, a: usize, b: usize) -> bool {
        self.group_of[a] == self.group_of[b]
    }

    /// All of these nodes meet each other.
    pub fn connect(&mut self, nodes: &[u32]) {
        let Self { group_of, adjacent, words, .. } = self;
        let groups = || nodes.chunk_by(|a, b| group_of[*a as usize] == group_of[*b as usize]);
        for a in groups().map(|group| group_of[group[0] as usize]) {
            for b in groups().map(|group| group_of[group[0] as usize]).filter(|&b| a != b) {
                adjacent[a as usize * *words + b as usize / 64] |= 1 << (b % 64);
            }
        }
    }

    /// Finds the order; false where more is filled in than the limits allow.
    pub fn choose_order(&mut self, limits: FactorLimits) -> bool {
        let (groups, nodes) = (self.first.len() - 1, self.group_of.len());
        let Self { adjacent, words, first, degrees, .. } = self;
        let degree = |group: usize| {
            let set = adjacent[group * *words..(group + 1) * *words].iter().enumerate();
            set.fold(size(first, group) - 1, |sum, (w, &bits)| sum + sizes(first, w, bits))
        };
        degrees.begin((0..groups).map(degree));
        self.groups.clear(groups);
        let (mut eliminated, mut entries) = (0, 0);
        for step in 0..groups {
            let (least, group) = self.degrees.first_of_least();
            self.degrees.set(group, GONE);
            self.groups.place[group] = step as u32;
            self.groups.order.push(group as u32);
            self.list_neighbours(group);
            // where all that are left meet each other already, nothing changes but their number
            self.leave(group, least as usize + eliminated + 1 < nodes);
            self.groups.fill_start.push(self.groups.fill.len());
            // each node of the group meets those of it that are left, and all that the last one meets
            let (own, all) = (size(&self.first, group) as usize, least as usize);
            entries += own * all - own * (own - 1) / 2;
            eliminated += own;
            if !limits.allow(0, entries) {
                return false;
            }
        }
        self.groups.sort_neighbours();
        self.list_nodes();
        true
    }

    /// Appends the neighbours of a group to those of groups.
    fn list_neighbours(&mut self, group: usize) {
        let Self { adjacent, words, gone, groups, .. } = self;
        gone.clear();
        let set = &adjacent[group * *words..(group + 1) * *words];
        for (w, &word) in set.iter().enumerate().filter(|(_, w)| **w != 0) {
            gone.push((w, word));
            for_bits(w, word, |neighbour| groups.fill.push(neighbour as u32));
        }
    }

    /// Takes a group away from its neighbours, which were listed last; these meet each other from now on, if they do not
    /// already.
    fn leave(&mut self, group: usize, join: bool) {
        let Self { adjacent, words, degrees, groups, gone, first, .. } = self;
        let own = size(first, group);
        for &u in &groups.fill[groups.fill_start[groups.fill_start.len() - 1]..] {
            let u = u as usize;
            let set = &mut adjacent[u * *words..(u + 1) * *words];
            let mut new = 0;
            if join {
                set[u / 64] |= 1 << (u % 64);
                for &(w, bits) in &*gone {
                    let unknown = bits & !set[w];
                    if unknown != 0 {
                        new += sizes(first, w, unknown);
                        set[w] |= bits;
                    }
                }
                set[u / 64] &= !(1 << (u % 64));
            }
            set[group / 64] &= !(1 << (group % 64));
            degrees.set(u, degrees.of(u) + new - own);
        }
    }

    /// Order and neighbours of nodes, from those of their groups.
    fn list_nodes(&mut self) {
        let Self { groups, first, group_of, order, place, fill, fill_start, .. } = self;
        let members = |group: u32| first[group as usize]..first[group as usize + 1];
        order.clear();
        order.extend(groups.order.iter().flat_map(|&group| members(group)));
        place.clear();
        place.resize(group_of.len(), 0);
        for (step, &node) in (0..).zip(&*order) {
            place[node as usize] = step;
        }
        fill.clear();
        fill_start.clear();
        fill_start.push(0);
        for (&group, range) in groups.order.iter().zip(groups.fill_start.windows(2)) {
            // what the first node meets; those behind it meet one less each
            let begin = fill.len();
            fill.extend(members(group).skip(1));
            fill.extend(groups.fill[range[0]..range[1]].iter().flat_map(|&group| members(group)));
            let end = fill.len();
            fill_start.push(end);
            for k in 1..members(group).len() {
                fill.extend_from_within(begin + k..end);
                fill_start.push(fill.len());
            }
        }
    }
}

impl Listed {
    fn clear(&mut self, groups: usize) {
        self.order.clear();
        self.fill.clear();
        self.fill_start.clear();
        self.fill_start.push(0);
        self.place.clear();
        self.place.resize(groups, 0);
    }

    /// Puts the neighbours at each place in the order of elimination: each group is added, in this order, where it was met.
    fn sort_neighbours(&mut self) {
        let Self { order, place, fill, fill_start, met_at, cursors, next } = self;
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
        // the cursors have moved on to where the places of the next group begin
        let mut begin = 0;
        next.clone_from(fill_start);
        for (&group, &end) in order.iter().zip(&*cursors) {
            for &step in &met_at[begin..end] {
                let place = &mut next[step as usize];
                fill[*place] = group;
                *place += 1;
            }
            begin = end;
        }
    }
}

/// Nodes of a group.
fn size(first: &[u32], group: usize) -> u32 {
    first[group + 1] - first[group]
}

/// Nodes of the groups in a number of a bit set.
#[inline]
fn sizes(first: &[u32], word: usize, bits: u64) -> u32 {
    let mut sum = 0;
    for_bits(word, bits, |group| sum += size(first, group));
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
            let mut elimination = Elimination::default();
            elimination.begin(nodes, |_| false);
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

    /// Nodes that always appear together change nothing, whether it is known or not.
    #[test]
    fn groups_are_eliminated_as_their_nodes() {
        let first: Vec<u32> =
            (0..80).scan(0, |at, k| Some(std::mem::replace(at, *at + 1 + k * 5 % 4))).collect();
        let nodes = *first.last().unwrap() as usize;
        let follows = |node: usize| !first.contains(&(node as u32 + 1));
        let (mut by_groups, mut by_nodes) = (Elimination::default(), Elimination::default());
        by_groups.begin(nodes, follows);
        by_nodes.begin(nodes, |_| false);
        let groups = first.len() - 1;
        for k in 0..3 * groups {
            let pair = [k % groups, (k * k * 7 + 3 * k + 1) % groups];
            let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let high = (high > low).then(|| first[high]..first[high + 1]);
            let members: Vec<u32> = (first[low]..first[low + 1]).chain(high.into_iter().flatten()).collect();
            by_groups.connect(&members);
            by_nodes.connect(&members);
        }
        assert!(by_groups.choose_order(FactorLimits::NONE) && by_nodes.choose_order(FactorLimits::NONE));
        assert_eq!(by_groups.order, by_nodes.order);
        assert_eq!(by_groups.place, by_nodes.place);
        assert_eq!(by_groups.fill, by_nodes.fill);
        assert_eq!(by_groups.fill_start, by_nodes.fill_start);
    }
}
