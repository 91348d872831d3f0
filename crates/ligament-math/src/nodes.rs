//! Cholesky factors `P A Pᵀ = L Lᵀ` of large sparse matrices whose variables come in nodes: consecutive ones that always
//! appear together, such as the degrees of freedom of a body.
//!
//! Nodes are eliminated in the order of least degree (Tinney and Walker 1967), which keeps the factor small. Nodes that
//! follow each other and have the same later neighbours form a panel, a dense matrix stored by columns (Ng and Peyton
//! 1993), so that nearly all work is products of dense matrices. Sums have a fixed order, whoever computes them.

mod order;
mod products;
mod solve;
mod tasks;

use crate::csr::FactorLimits;
use order::Elimination;
use products::{Pattern, Source, factor_panel};
use std::sync::atomic::AtomicBool;
use std::sync::{PoisonError, RwLock};
use tasks::Tasks;

/// Variables of a panel beyond which no node is added: narrow panels leave less that has to be done one after the other.
const MAX_WIDTH: usize = 24;

/// No panel.
const NONE: u32 = u32::MAX;

/// Nodes `first..` in the order of elimination, `width` variables; below them `height - width` rows of later nodes.
#[derive(Debug, Clone, Copy, Default)]
struct Panel {
    width: usize,
    height: usize,
    /// Its first node in the order of elimination.
    step: usize,
    /// Where its rows below the diagonal begin in `rows`, and where they end.
    rows: (usize, usize),
    /// Where the panels that change it are listed in `sources`, in the order of elimination.
    sources: (usize, usize),
    /// The panel of its first row below the diagonal, which has all the others as well; none has [`NONE`].
    parent: u32,
    /// Where its rows stand in the parent: a range of `stretches`.
    upwards: (usize, usize),
    /// Where the panels whose parent it is are listed in `children`.
    children: (usize, usize),
    /// Where its numbers begin among those of its task, and where its part of a vector does.
    adr: usize,
    local: usize,
}

/// A node below the diagonal of a panel, and its first row there.
#[derive(Debug, Clone, Copy)]
struct PanelRow {
    node: u32,
    offset: u32,
}

/// Consecutive rows `from..to` of the panel `source` whose nodes belong to the panel `target`.
#[derive(Debug, Clone, Copy)]
struct Segment {
    source: u32,
    target: u32,
    from: usize,
    to: usize,
}

/// Rows that follow each other in a panel and in a later one.
#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    from: usize,
    to: usize,
    len: usize,
}

/// The factor. First [`begin`](Self::begin), [`connect`](Self::connect) and [`analyse`](Self::analyse), then numbers.
#[derive(Debug, Default)]
pub struct NodeFactor {
    /// First variable of each node, and the number of variables.
    first: Vec<usize>,
    elimination: Elimination,
    panels: Vec<Panel>,
    /// Panel of each node and its first column there.
    panel_of: Vec<u32>,
    column_of: Vec<u32>,
    rows: Vec<PanelRow>,
    /// By source, and by target.
    segments: Vec<Segment>,
    sources: Vec<Segment>,
    stretches: Vec<Stretch>,
    children: Vec<u32>,
    tasks: Tasks,
    /// Numbers of the panels of each task, column after column; there may be more than tasks. The same for their parts of a vector.
    values: Vec<RwLock<Vec<f64>>>,
    vectors: Vec<RwLock<Vec<f64>>>,
    /// Panels whose numbers are made anew.
    stale: Vec<bool>,
    entries: usize,
    multiplications: u64,
}

impl NodeFactor {
    /// Begins a pattern with nodes that start at these variables; the last number is that of all variables.
    pub fn begin(&mut self, first: impl IntoIterator<Item = usize>) {
        self.first.clear();
        self.first.extend(first);
        self.elimination.begin(self.first.windows(2).map(|ends| (ends[1] - ends[0]) as u32));
    }

    fn nodes(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    fn size(&self, node: usize) -> usize {
        self.first[node + 1] - self.first[node]
    }

    /// All of these nodes meet each other.
    pub fn connect(&mut self, nodes: &[u32]) {
        self.elimination.connect(nodes);
    }

    /// Number of stored entries.
    pub fn nnz(&self) -> usize {
        self.entries
    }

    /// Multiplications of a factor.
    pub fn multiplications(&self) -> u64 {
        self.multiplications
    }

    /// Finds the order of elimination and the panels. A factor beyond the limits is given up: false.
    pub fn analyse(&mut self, limits: FactorLimits) -> bool {
        let affordable = self.elimination.choose_order(limits) && self.make_panels(limits);
        if affordable {
            self.list_targets();
            self.list_children();
            self.make_tasks();
        }
        affordable
    }

    fn make_panels(&mut self, limits: FactorLimits) -> bool {
        let nodes = self.nodes();
        self.panels.clear();
        self.rows.clear();
        (self.multiplications, self.entries) = (0, 0);
        for list in [&mut self.panel_of, &mut self.column_of] {
            list.clear();
            list.resize(nodes, 0);
        }
        let mut step = 0;
        while step < nodes {
            let (mut width, first) = (0, step);
            loop {
                let node = self.elimination.order[step] as usize;
                self.panel_of[node] = self.panels.len() as u32;
                self.column_of[node] = width as u32;
                width += self.size(node);
                step += 1;
                if step == nodes
                    || !self.continues(step)
                    || width + self.size(self.elimination.order[step] as usize) > MAX_WIDTH
                {
                    break;
                }
            }
            let begin = self.rows.len();
            let mut height = width;
            for k in self.elimination.fill_start[step - 1]..self.elimination.fill_start[step] {
                let node = self.elimination.fill[k];
                self.rows.push(PanelRow { node, offset: height as u32 });
                height += self.size(node as usize);
            }
            let rows = (begin, self.rows.len());
            self.panels.push(Panel { width, height, step: first, rows, parent: NONE, ..Panel::default() });
            self.multiplications += (height * height * width / 2) as u64;
            self.entries += width * height;
            if !limits.allow(self.multiplications, self.entries) {
                return false;
            }
        }
        true
    }

    /// Has the node at this place the later neighbours of the one before it, which it follows?
    fn continues(&self, step: usize) -> bool {
        let before =
            &self.elimination.fill[self.elimination.fill_start[step - 1]..self.elimination.fill_start[step]];
        let own = self.elimination.fill_start[step + 1] - self.elimination.fill_start[step];
        before.first() == Some(&self.elimination.order[step]) && before.len() == own + 1
    }

    fn list_targets(&mut self) {
        let Self { panels, rows, segments, sources, panel_of, .. } = self;
        segments.clear();
        for (source, panel) in (0..).zip(panels.iter()) {
            let mut from = panel.rows.0;
            while from < panel.rows.1 {
                let target = panel_of[rows[from].node as usize];
                let same = |row: &PanelRow| panel_of[row.node as usize] == target;
                let to = from + rows[from..panel.rows.1].iter().take_while(|row| same(row)).count();
                segments.push(Segment { source, target, from, to });
                from = to;
            }
        }
        for segment in segments.iter() {
            panels[segment.target as usize].sources.1 += 1;
        }
        let mut begin = 0;
        for panel in panels.iter_mut() {
            let count = std::mem::replace(&mut panel.sources, (begin, begin)).1;
            begin += count;
        }
        sources.clear();
        sources.extend_from_slice(segments);
        for segment in segments.iter() {
            let end = &mut panels[segment.target as usize].sources.1;
            sources[*end] = *segment;
            *end += 1;
        }
    }

    /// Finds parents, where rows stand in them, and children.
    fn list_children(&mut self) {
        let mut stretches = std::mem::take(&mut self.stretches);
        stretches.clear();
        for k in 0..self.panels.len() {
            let rows = &self.rows[self.panels[k].rows.0..self.panels[k].rows.1];
            let begin = stretches.len();
            if let Some(first) = rows.first() {
                let parent = self.panel_of[first.node as usize];
                self.panels[k].parent = parent;
                self.panels[parent as usize].children.1 += 1;
                let pattern = self.pattern();
                pattern.stretches(pattern.places(rows, parent, &self.panels[parent as usize]), |stretch| {
                    stretches.push(stretch);
                });
            }
            self.panels[k].upwards = (begin, stretches.len());
        }
        self.stretches = stretches;
        let mut begin = 0;
        for panel in &mut self.panels {
            let count = std::mem::replace(&mut panel.children, (begin, begin)).1;
            begin += count;
        }
        self.children.resize(begin, 0);
        for k in 0..self.panels.len() {
            let parent = self.panels[k].parent as usize;
            if let Some(parent) = self.panels.get_mut(parent) {
                self.children[parent.children.1] = k as u32;
                parent.children.1 += 1;
            }
        }
    }

    /// Shares panels out and finds places for their numbers.
    fn make_tasks(&mut self) {
        let Self { panels, tasks, values, vectors, .. } = self;
        tasks.make(panels);
        for lists in [&mut *values, vectors] {
            lists.resize_with(tasks.count().max(lists.len()), RwLock::default);
        }
        for (task, (values, vector)) in values.iter_mut().zip(vectors).enumerate().take(tasks.count()) {
            let (mut adr, mut local) = (0, 0);
            for &panel in tasks.panels(task) {
                let panel = &mut panels[panel as usize];
                (panel.adr, panel.local) = (adr, local);
                adr += panel.width * panel.height;
                local += panel.height;
            }
            numbers_of(values).resize(adr, 0.0);
            numbers_of(vector).resize(local, 0.0);
        }
    }

    fn pattern(&self) -> Pattern<'_> {
        let Self { rows, panel_of, column_of, first, .. } = self;
        Pattern { rows, panel_of, column_of, place: &self.elimination.place, first }
    }

    /// How many panels there are.
    pub fn panels(&self) -> usize {
        self.panels.len()
    }

    /// The panel in which the numbers of two nodes stand that meet.
    pub fn panel_of(&self, a: usize, b: usize) -> usize {
        self.panel_of[if self.elimination.place[b] < self.elimination.place[a] { b } else { a }] as usize
    }

    /// Nodes of a panel.
    fn nodes_of(&self, panel: usize) -> impl Iterator<Item = OwnNode> {
        let end = self.panels.get(panel + 1).map_or(self.elimination.order.len(), |next| next.step);
        self.elimination.order[self.panels[panel].step..end].iter().map(|&node| {
            let node = node as usize;
            OwnNode { first: self.first[node], size: self.size(node), place: self.locate(node, node) }
        })
    }

    /// Where the numbers of two nodes stand that meet.
    pub fn locate(&self, a: usize, b: usize) -> BlockPlace {
        let swapped = self.elimination.place[b] < self.elimination.place[a];
        let (early, late) = if swapped { (b, a) } else { (a, b) };
        let panel = &self.panels[self.panel_of[early] as usize];
        let row = if self.panel_of[late] == self.panel_of[early] {
            self.column_of[late]
        } else {
            let rows = &self.rows[panel.rows.0..panel.rows.1];
            let at = rows
                .partition_point(|r| self.elimination.place[r.node as usize] < self.elimination.place[late]);
            rows[at].offset
        };
        let adr = self.column_of[early] as usize * panel.height + row as usize;
        BlockPlace { adr, stride: panel.height, swapped }
    }

    /// Fills in the numbers and factors them, on so many threads. `fill` adds those of a panel, which are zero, given its nodes
    /// and its number. A pivot below `min_pivot` (or not a number) is replaced by it.
    ///
    /// Only what follows from panels that have `changed` is made anew: the others have the numbers that they would get.
    pub fn factor(
        &mut self,
        min_pivot: f64,
        threads: usize,
        changed: impl Fn(usize) -> bool,
        fill: impl Fn(usize, &mut dyn Iterator<Item = OwnNode>, &mut PanelNumbers<'_>) + Sync,
    ) {
        self.stale.clear();
        self.stale.resize(self.panels.len(), false);
        for (k, panel) in self.panels.iter().enumerate() {
            self.stale[k] |= changed(k);
            if self.stale[k] && panel.parent != NONE {
                self.stale[panel.parent as usize] = true;
            }
        }
        let this = &*self;
        this.tasks.in_order(threads, false, |task, given_up| {
            let mut values = this.values[task].write().unwrap_or_else(PoisonError::into_inner);
            let panels = this.tasks.panels(task).iter().map(|&panel| panel as usize);
            for panel in panels.filter(|&panel| this.stale[panel]) {
                let own = &this.panels[panel];
                let (before, values) = values.split_at_mut(own.adr);
                let values = &mut values[..own.width * own.height];
                values.fill(0.0);
                fill(panel, &mut this.nodes_of(panel), &mut PanelNumbers(values));
                if !this.subtract_sources(task, own, before, values, given_up) {
                    return false;
                }
                factor_panel(values, own, min_pivot);
            }
            true
        });
    }

    /// Subtracts from a panel what the panels before it make of it, in their order, as soon as these are done; false when one
    /// never will be. Those of the same task stand before it.
    fn subtract_sources(
        &self,
        task: usize,
        target: &Panel,
        before: &[f64],
        out: &mut [f64],
        given_up: &AtomicBool,
    ) -> bool {
        let pattern = self.pattern();
        for segment in &self.sources[target.sources.0..target.sources.1] {
            let panel = &self.panels[segment.source as usize];
            let of = self.tasks.of(segment.source);
            if of == task {
                Source { pattern, panel, values: &before[panel.adr..] }.subtract(segment, target, out);
                continue;
            }
            if !self.tasks.wait_for(of, given_up) {
                return false;
            }
            let values = self.values[of].read().unwrap_or_else(PoisonError::into_inner);
            Source { pattern, panel, values: &values[panel.adr..] }.subtract(segment, target, out);
        }
        true
    }
}

/// The numbers behind a lock that nobody holds.
fn numbers_of(values: &mut RwLock<Vec<f64>>) -> &mut Vec<f64> {
    values.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// A node of a panel.
#[derive(Debug, Clone, Copy)]
pub struct OwnNode {
    /// Its first variable.
    pub first: usize,
    /// How many it has.
    pub size: usize,
    /// Where its numbers with itself stand.
    pub place: BlockPlace,
}

/// The numbers of a panel.
#[derive(Debug)]
pub struct PanelNumbers<'a>(&'a mut [f64]);

impl PanelNumbers<'_> {
    /// The number of variable `i` of the first node and `j` of the second.
    #[inline]
    pub fn at(&mut self, place: BlockPlace, i: usize, j: usize) -> &mut f64 {
        let (column, row) = if place.swapped { (j, i) } else { (i, j) };
        &mut self.0[place.adr + column * place.stride + row]
    }

    /// The numbers of variable `i` of the node that is eliminated first with those of the other, which others may follow.
    #[inline]
    pub fn column(&mut self, place: BlockPlace, i: usize) -> &mut [f64] {
        &mut self.0[place.adr + i * place.stride..]
    }
}

/// Where the numbers of two nodes stand in their panel, see [`NodeFactor::locate`].
#[derive(Debug, Clone, Copy)]
pub struct BlockPlace {
    adr: usize,
    /// Distance of columns.
    stride: usize,
    /// Is the second node eliminated first?
    swapped: bool,
}

impl BlockPlace {
    /// Is the second node eliminated before the first?
    pub fn is_swapped(self) -> bool {
        self.swapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MINVAL, dense};
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::Relaxed;

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

    fn factor_of(first: &[usize], edges: &[[u32; 2]], a: &[f64], threads: usize) -> NodeFactor {
        let mut factor = NodeFactor::default();
        factor.begin(first.iter().copied());
        for edge in edges {
            factor.connect(edge);
        }
        assert!(factor.analyse(FactorLimits::NONE));
        fill_in(&mut factor, first, edges, a, threads, |_| true);
        factor
    }

    /// Factors the matrix; returns how many panels were made anew.
    fn fill_in(
        factor: &mut NodeFactor,
        first: &[usize],
        edges: &[[u32; 2]],
        a: &[f64],
        threads: usize,
        changed: impl Fn(usize) -> bool,
    ) -> usize {
        let (n, nodes) = (*first.last().unwrap(), first.len() - 1);
        let meets = |p: usize, q: usize| {
            p == q || edges.iter().any(|e| *e == [p as u32, q as u32] || *e == [q as u32, p as u32])
        };
        let mut parts: Vec<Vec<(usize, usize, BlockPlace)>> = vec![Vec::new(); factor.panels()];
        for (p, q) in (0..nodes).flat_map(|p| (0..nodes).map(move |q| (p, q))).filter(|&(p, q)| meets(p, q)) {
            parts[factor.panel_of(p, q)].push((p, q, factor.locate(p, q)));
        }
        let filled = AtomicUsize::new(0);
        factor.factor(MINVAL, threads, changed, |panel, _, numbers| {
            filled.fetch_add(1, Relaxed);
            for &(p, q, place) in &parts[panel] {
                for i in first[p]..first[p + 1] {
                    for j in first[q]..first[q + 1] {
                        *numbers.at(place, i - first[p], j - first[q]) = a[i * n + j];
                    }
                }
            }
        });
        filled.into_inner()
    }

    fn values(factor: &NodeFactor) -> Vec<Vec<f64>> {
        factor.values.iter().map(|values| values.read().unwrap().clone()).collect()
    }

    /// The factor solves what the dense one solves, and has the same bits on several threads.
    #[test]
    fn factors_by_nodes_solve() {
        for nodes in [1, 2, 5, 40, 90] {
            let (first, edges, a) = ring(nodes);
            let n = *first.last().unwrap();
            let b: Vec<f64> = (0..n).map(|i| (i as f64 * 0.3).cos()).collect();
            let mut factor = factor_of(&first, &edges, &a, 1);
            let mut x = b.clone();
            factor.solve(1, &mut x);
            for threads in [2, 5] {
                let mut other = b.clone();
                factor.solve(threads, &mut other);
                assert_eq!(other, x);
            }
            for i in 0..n {
                let product = dense::dot(&a[i * n..(i + 1) * n], &x);
                assert!((product - b[i]).abs() < 1e-9, "{nodes} nodes: {product} {}", b[i]);
            }
            assert!(nodes < 40 || factor.nnz() < n * n, "the factor is sparse");
            for threads in [2, 3, 8] {
                assert_eq!(values(&factor_of(&first, &edges, &a, threads)), values(&factor));
            }
        }
    }

    /// Where some panels have changed, what does not follow from them stays, and the numbers are those of a new factor.
    #[test]
    fn only_what_has_changed_is_made_anew() {
        let (first, edges, mut a) = ring(90);
        let n = *first.last().unwrap();
        for (p, threads) in [(3, 1), (40, 1), (40, 3)] {
            let mut factor = factor_of(&first, &edges, &a, 1);
            a[first[p] * n + first[p]] += 1.0;
            let expected = factor_of(&first, &edges, &a, 1);
            let own = expected.panel_of(p, p);
            let filled = fill_in(&mut factor, &first, &edges, &a, threads, |panel| panel == own);
            assert_eq!(values(&factor), values(&expected));
            assert!((1..factor.panels()).contains(&filled), "{filled} of {} panels", factor.panels());
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
