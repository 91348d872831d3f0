//! Cholesky factors `P A Pᵀ = L Lᵀ` of large sparse matrices whose variables come in nodes: consecutive ones that always
//! appear together, such as the degrees of freedom of a body.
//!
//! Nodes are eliminated in the order of least degree (Tinney and Walker 1967), which keeps the factor small. Nodes that
//! follow each other and have the same later neighbours form a panel, a dense matrix stored by columns (Ng and Peyton
//! 1993), so that nearly all work is products of dense matrices. Sums have a fixed order, whoever computes them.

mod products;

use crate::csr::FactorLimits;
use products::{Pattern, Source, factor_panel};

/// How two pieces of work that do not touch each other are done.
pub trait Fork: Sync {
    /// Multiplications from which it pays to divide work.
    fn least(&self) -> usize;

    /// Does both, in any order or at the same time.
    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B);
}

/// One after the other.
#[derive(Debug, Clone, Copy)]
pub struct InTurn;

impl Fork for InTurn {
    fn least(&self) -> usize {
        usize::MAX
    }

    fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
        a();
        b();
    }
}

/// Most variables of a panel.
const MAX_WIDTH: usize = 64;

/// Degree of a node that is eliminated.
const GONE: u32 = u32::MAX;

/// Nodes `first..` in the order of elimination, `width` variables; below them `height - width` rows of later nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Panel {
    width: usize,
    height: usize,
    /// Where its numbers begin, column after column.
    start: usize,
    /// Where its rows below the diagonal begin in `rows`, and where they end.
    rows: (usize, usize),
    /// Where the panels that it changes are listed in `segments`.
    segments: (usize, usize),
}

/// A node below the diagonal of a panel, and its first row there.
#[derive(Debug, Clone, Copy)]
struct PanelRow {
    node: u32,
    offset: u32,
}

/// Consecutive rows `from..to` of a panel whose nodes belong to the panel `target`.
#[derive(Debug, Clone, Copy)]
struct Segment {
    target: u32,
    from: usize,
    to: usize,
}

/// The factor. First [`begin`](Self::begin), [`connect`](Self::connect) and [`analyse`](Self::analyse), then numbers.
#[derive(Debug, Default)]
pub struct NodeFactor {
    /// First variable of each node, and the number of variables.
    first: Vec<usize>,
    /// Bit sets of the neighbours that are not eliminated, `words` numbers a node.
    adjacent: Vec<u64>,
    words: usize,
    /// Those of the node that is being eliminated.
    gone: Vec<u64>,
    degree: Vec<u32>,
    /// The node that is eliminated at each place, and the place of each node.
    order: Vec<u32>,
    place: Vec<u32>,
    /// Neighbours of the node at each place when it is eliminated.
    fill: Vec<u32>,
    fill_start: Vec<usize>,
    panels: Vec<Panel>,
    /// Panel of each node, its first column there, and its first variable in the order of elimination.
    panel_of: Vec<u32>,
    column_of: Vec<u32>,
    permuted: Vec<usize>,
    rows: Vec<PanelRow>,
    segments: Vec<Segment>,
    values: Vec<f64>,
    x: Vec<f64>,
    multiplications: u64,
}

impl NodeFactor {
    /// Begins a pattern with nodes that start at these variables; the last number is that of all variables.
    pub fn begin(&mut self, first: impl IntoIterator<Item = usize>) {
        self.first.clear();
        self.first.extend(first);
        let nodes = self.nodes();
        self.words = nodes.div_ceil(64);
        self.adjacent.clear();
        self.adjacent.resize(nodes * self.words, 0);
    }

    fn nodes(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    fn size(&self, node: usize) -> usize {
        self.first[node + 1] - self.first[node]
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

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.values.len()
    }

    /// Multiplications of a factor.
    pub fn multiplications(&self) -> u64 {
        self.multiplications
    }

    /// Finds the order of elimination and the panels. A factor beyond the limits is given up: false.
    pub fn analyse(&mut self, limits: FactorLimits) -> bool {
        let affordable = self.choose_order(limits) && self.make_panels(limits);
        if affordable {
            self.list_targets();
        }
        affordable
    }

    fn choose_order(&mut self, limits: FactorLimits) -> bool {
        let (nodes, words) = (self.nodes(), self.words);
        let Self { adjacent, degree, order, place, fill, fill_start, gone, .. } = self;
        let count = |set: &[u64]| set.iter().map(|w| w.count_ones()).sum::<u32>();
        degree.clear();
        degree.extend(adjacent.chunks_exact(words.max(1)).map(count));
        order.clear();
        fill.clear();
        fill_start.clear();
        fill_start.push(0);
        place.clear();
        place.resize(nodes, 0);
        for step in 0..nodes {
            let least = degree.iter().copied().min().unwrap_or(GONE);
            let v = degree.iter().position(|&d| d == least).expect("a node is left");
            degree[v] = GONE;
            place[v] = step as u32;
            order.push(v as u32);
            let begin = fill.len();
            for (w, &bits) in adjacent[v * words..(v + 1) * words].iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    fill.push(64 * w as u32 + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
            // the neighbours of a node that is gone meet each other
            gone.clear();
            gone.extend_from_slice(&adjacent[v * words..(v + 1) * words]);
            for &u in &fill[begin..] {
                let u = u as usize;
                let set = &mut adjacent[u * words..(u + 1) * words];
                for (word, other) in set.iter_mut().zip(&*gone) {
                    *word |= other;
                }
                set[u / 64] &= !(1 << (u % 64));
                set[v / 64] &= !(1 << (v % 64));
                degree[u] = count(set);
            }
            fill_start.push(fill.len());
            if !limits.allow(0, fill.len()) {
                return false;
            }
        }
        for step in 0..nodes {
            fill[fill_start[step]..fill_start[step + 1]].sort_unstable_by_key(|&u| place[u as usize]);
        }
        true
    }

    fn make_panels(&mut self, limits: FactorLimits) -> bool {
        let nodes = self.nodes();
        self.panels.clear();
        self.rows.clear();
        self.multiplications = 0;
        for list in [&mut self.panel_of, &mut self.column_of] {
            list.clear();
            list.resize(nodes, 0);
        }
        self.permuted.clear();
        self.permuted.resize(nodes, 0);
        let (mut step, mut start, mut variables) = (0, 0, 0);
        while step < nodes {
            let mut width = 0;
            loop {
                let node = self.order[step] as usize;
                self.panel_of[node] = self.panels.len() as u32;
                self.column_of[node] = width as u32;
                self.permuted[node] = variables + width;
                width += self.size(node);
                step += 1;
                if step == nodes
                    || !self.continues(step)
                    || width + self.size(self.order[step] as usize) > MAX_WIDTH
                {
                    break;
                }
            }
            let begin = self.rows.len();
            let mut height = width;
            for k in self.fill_start[step - 1]..self.fill_start[step] {
                let node = self.fill[k];
                self.rows.push(PanelRow { node, offset: height as u32 });
                height += self.size(node as usize);
            }
            let rows = (begin, self.rows.len());
            self.panels.push(Panel { width, height, start, rows, segments: (0, 0) });
            self.multiplications += (height * height * width / 2) as u64;
            start += width * height;
            variables += width;
            if !limits.allow(self.multiplications, start) {
                return false;
            }
        }
        self.values.clear();
        self.values.resize(start, 0.0);
        self.x.clear();
        self.x.resize(variables, 0.0);
        true
    }

    /// Has the node at this place the later neighbours of the one before it, which it follows?
    fn continues(&self, step: usize) -> bool {
        let before = &self.fill[self.fill_start[step - 1]..self.fill_start[step]];
        let own = self.fill_start[step + 1] - self.fill_start[step];
        before.first() == Some(&self.order[step]) && before.len() == own + 1
    }

    fn list_targets(&mut self) {
        let Self { panels, rows, segments, panel_of, .. } = self;
        segments.clear();
        for panel in panels.iter_mut() {
            let begin = segments.len();
            let mut from = panel.rows.0;
            while from < panel.rows.1 {
                let target = panel_of[rows[from].node as usize];
                let same = |row: &PanelRow| panel_of[row.node as usize] == target;
                let to = from + rows[from..panel.rows.1].iter().take_while(|row| same(row)).count();
                segments.push(Segment { target, from, to });
                from = to;
            }
            panel.segments = (begin, segments.len());
        }
    }

    /// Zeroes the numbers, to be filled through [`at`](Self::at).
    pub fn clear_values(&mut self) {
        self.values.fill(0.0);
    }

    /// Where the numbers of two nodes stand that meet.
    pub fn locate(&self, a: usize, b: usize) -> BlockPlace {
        let swapped = self.place[b] < self.place[a];
        let (early, late) = if swapped { (b, a) } else { (a, b) };
        let panel = &self.panels[self.panel_of[early] as usize];
        let row = if self.panel_of[late] == self.panel_of[early] {
            self.column_of[late]
        } else {
            let rows = &self.rows[panel.rows.0..panel.rows.1];
            let at = rows.partition_point(|r| self.place[r.node as usize] < self.place[late]);
            rows[at].offset
        };
        let adr = panel.start + self.column_of[early] as usize * panel.height + row as usize;
        BlockPlace { adr, stride: panel.height, swapped }
    }

    /// The number of variable `i` of the first node and `j` of the second.
    #[inline]
    pub fn at(&mut self, place: BlockPlace, i: usize, j: usize) -> &mut f64 {
        let (column, row) = if place.swapped { (j, i) } else { (i, j) };
        &mut self.values[place.adr + column * place.stride + row]
    }

    /// Factors in place. A pivot below `min_pivot` (or not a number) is replaced by it.
    pub fn factor(&mut self, min_pivot: f64, fork: &impl Fork) {
        let Self { panels, rows, segments, panel_of, column_of, place, first, values, .. } = self;
        let pattern = Pattern { panels, rows, panel_of, column_of, place, first };
        for panel in pattern.panels {
            let end = panel.start + panel.width * panel.height;
            let (done, rest) = values.split_at_mut(end);
            let own = &mut done[panel.start..];
            factor_panel(own, panel, min_pivot);
            let source = Source { pattern, panel, values: own };
            source.update(&segments[panel.segments.0..panel.segments.1], rest, end, fork);
        }
    }

    /// Solves `A x = b` in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let mut y = std::mem::take(&mut self.x);
        for (node, &to) in self.permuted.iter().enumerate() {
            let from = &x[self.first[node]..self.first[node + 1]];
            y[to..to + from.len()].copy_from_slice(from);
        }
        let mut begin = 0;
        for panel in &self.panels {
            self.solve_down(panel, begin, &mut y);
            begin += panel.width;
        }
        for panel in self.panels.iter().rev() {
            begin -= panel.width;
            self.solve_up(panel, begin, &mut y);
        }
        for (node, &from) in self.permuted.iter().enumerate() {
            let to = &mut x[self.first[node]..self.first[node + 1]];
            to.copy_from_slice(&y[from..from + to.len()]);
        }
        self.x = y;
    }

    /// `y ← L⁻¹ y` for the variables of a panel, and what they take from later ones.
    fn solve_down(&self, panel: &Panel, begin: usize, y: &mut [f64]) {
        for c in 0..panel.width {
            let column = &self.values[panel.start + c * panel.height..][..panel.height];
            y[begin + c] /= column[c];
            let value = y[begin + c];
            for (y, l) in y[begin + c + 1..begin + panel.width].iter_mut().zip(&column[c + 1..]) {
                *y -= l * value;
            }
            for row in &self.rows[panel.rows.0..panel.rows.1] {
                let to = self.permuted[row.node as usize];
                let size = self.size(row.node as usize);
                for (y, l) in y[to..to + size].iter_mut().zip(&column[row.offset as usize..]) {
                    *y -= l * value;
                }
            }
        }
    }

    /// `y ← L⁻ᵀ y` for the variables of a panel.
    fn solve_up(&self, panel: &Panel, begin: usize, y: &mut [f64]) {
        for c in (0..panel.width).rev() {
            let column = &self.values[panel.start + c * panel.height..][..panel.height];
            let mut value = y[begin + c];
            for (y, l) in y[begin + c + 1..begin + panel.width].iter().zip(&column[c + 1..]) {
                value -= l * y;
            }
            for row in &self.rows[panel.rows.0..panel.rows.1] {
                let from = self.permuted[row.node as usize];
                let size = self.size(row.node as usize);
                for (y, l) in y[from..from + size].iter().zip(&column[row.offset as usize..]) {
                    value -= l * y;
                }
            }
            y[begin + c] = value / column[c];
        }
    }
}

/// Where the numbers of two nodes stand, see [`NodeFactor::locate`].
#[derive(Debug, Clone, Copy)]
pub struct BlockPlace {
    adr: usize,
    /// Distance of columns.
    stride: usize,
    /// Is the second node eliminated first?
    swapped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MINVAL, dense};

    /// A matrix of nodes of one to seven variables in a ring with chords.
    fn ring(nodes: usize) -> (Vec<usize>, Vec<[u32; 2]>, Vec<f64>) {
        let mut first = vec![0];
        for k in 0..nodes {
            first.push(first[k] + 1 + (k * 5) % 7);
        }
        let n = *first.last().unwrap();
        let mut edges = Vec::new();
        for k in 0..nodes as u32 {
            edges.push([k, (k + 1) % nodes as u32]);
            edges.push([k, (k * 3 + 2) % nodes as u32]);
        }
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            a[i * n + i] = 40.0;
        }
        for (e, &[p, q]) in edges.iter().enumerate() {
            for i in first[p as usize]..first[p as usize + 1] {
                for j in first[q as usize]..first[q as usize + 1] {
                    let x = ((i * 7 + j * 3 + e) as f64).sin();
                    a[i * n + j] += x;
                    a[j * n + i] += x;
                }
            }
        }
        (first, edges, a)
    }

    fn factor_of(first: &[usize], edges: &[[u32; 2]], a: &[f64], fork: &impl Fork) -> NodeFactor {
        let n = *first.last().unwrap();
        let mut factor = NodeFactor::default();
        factor.begin(first.iter().copied());
        for edge in edges {
            factor.connect(edge);
        }
        assert!(factor.analyse(FactorLimits::NONE));
        for p in 0..first.len() - 1 {
            for q in 0..first.len() - 1 {
                let meets =
                    p == q || edges.iter().any(|e| *e == [p as u32, q as u32] || *e == [q as u32, p as u32]);
                if meets {
                    let place = factor.locate(p, q);
                    for i in first[p]..first[p + 1] {
                        for j in first[q]..first[q + 1] {
                            *factor.at(place, i - first[p], j - first[q]) = a[i * n + j];
                        }
                    }
                }
            }
        }
        factor.factor(MINVAL, fork);
        factor
    }

    struct Threads;

    impl Fork for Threads {
        fn least(&self) -> usize {
            100
        }

        fn join<A: FnOnce() + Send, B: FnOnce() + Send>(&self, a: A, b: B) {
            std::thread::scope(|scope| {
                let other = scope.spawn(b);
                a();
                other.join().unwrap();
            });
        }
    }

    /// The factor solves what the dense one solves, and has the same bits on several threads.
    #[test]
    fn factors_by_nodes_solve() {
        for nodes in [1, 2, 5, 40, 90] {
            let (first, edges, a) = ring(nodes);
            let n = *first.last().unwrap();
            let b: Vec<f64> = (0..n).map(|i| (i as f64 * 0.3).cos()).collect();
            let mut factor = factor_of(&first, &edges, &a, &InTurn);
            let mut x = b.clone();
            factor.solve(&mut x);
            for i in 0..n {
                let product = dense::dot(&a[i * n..(i + 1) * n], &x);
                assert!((product - b[i]).abs() < 1e-9, "{nodes} nodes: {product} {}", b[i]);
            }
            assert!(nodes < 40 || factor.nnz() < n * n, "the factor is sparse");
            assert_eq!(factor_of(&first, &edges, &a, &Threads).values, factor.values);
        }
    }

    /// Factors that would take too much work or memory are not begun.
    #[test]
    fn factors_have_limits() {
        let (first, edges, _) = ring(60);
        for limits in [
            FactorLimits { multiplications: 1000, entries: u64::MAX },
            FactorLimits { multiplications: u64::MAX, entries: 100 },
            FactorLimits { multiplications: u64::MAX, entries: 1000 },
        ] {
            let mut factor = NodeFactor::default();
            factor.begin(first.iter().copied());
            edges.iter().for_each(|edge| factor.connect(edge));
            assert!(!factor.analyse(limits));
        }
    }
}
