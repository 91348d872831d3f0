//! Degrees of freedom that follow each other on a chain, taken together: what the factor of a matrix is computed in.

use super::tree::Dof;
use std::ops::Range;

/// Consecutive dofs, each the only child of the one before it; their number in a panel is at most the side of a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panels {
    /// Rows and columns of a tile: 3 or 4.
    pub side: usize,
    /// Dofs of each panel, in order.
    pub dofs: Vec<Range<u32>>,
    /// Where each dof stands in a vector that is padded to whole panels.
    pub slots: Vec<u32>,
    /// No panel is shorter than a tile: nothing is padded.
    pub full: bool,
    /// First tile of each panel in a matrix with the tree's sparsity; the last one stands on the diagonal.
    starts: Vec<u32>,
    /// Panel of the columns of each tile.
    pub columns: Vec<u32>,
    /// Where the entries of the tree's rows stand in the tiles.
    pub places: Vec<u32>,
}

impl Panels {
    /// `rows` and `columns` are those of the tree.
    pub(super) fn new(dofs: &[Dof], rows: &[u32], columns: &[u32]) -> Self {
        let [three, four] = [3, 4].map(|side| Self::of_side(dofs, side));
        let mut panels = if four.work(dofs) < three.work(dofs) { four } else { three };
        panels.add_tiles(rows, columns);
        panels
    }

    fn add_tiles(&mut self, rows: &[u32], columns: &[u32]) {
        let (side, row) = (self.side, |i: usize| &columns[rows[i] as usize..rows[i + 1] as usize]);
        for panel in &self.dofs {
            let first = self.columns.len();
            for &j in row(panel.start as usize) {
                let column = self.slots[j as usize] / side as u32;
                if self.columns[first..].last() != Some(&column) {
                    self.columns.push(column);
                }
            }
            self.starts.push(self.columns.len() as u32);
        }
        for i in 0..self.slots.len() {
            let mut tile = self.starts[self.of(i)] as usize;
            for &j in row(i) {
                let slot = self.slots[j as usize] as usize;
                while self.columns[tile] as usize != slot / side {
                    tile += 1;
                }
                let place = (tile * side + self.slots[i] as usize % side) * side + slot % side;
                self.places.push(place as u32);
            }
        }
    }

    fn of_side(dofs: &[Dof], side: usize) -> Self {
        let mut children = vec![0; dofs.len()];
        for dof in dofs {
            if let Ok(parent) = usize::try_from(dof.parent) {
                children[parent] += 1;
            }
        }
        let mut panels = Self {
            side,
            dofs: Vec::new(),
            slots: Vec::new(),
            full: true,
            starts: vec![0],
            columns: Vec::new(),
            places: Vec::new(),
        };
        let mut first = 0;
        for i in 1..=dofs.len() {
            let continues = i < dofs.len() && dofs[i].parent == i as i32 - 1 && children[i - 1] == 1;
            if !continues {
                panels.add_chain(first..i);
                first = i;
            }
        }
        panels
    }

    /// Panels of about equal size.
    fn add_chain(&mut self, chain: Range<usize>) {
        let count = chain.len().div_ceil(self.side);
        let mut start = chain.start;
        for k in 0..count {
            let end = chain.start + chain.len() * (k + 1) / count;
            let panel = self.dofs.len();
            self.slots.extend((0..end - start).map(|place| (panel * self.side + place) as u32));
            self.full &= end - start == self.side;
            self.dofs.push(start as u32..end as u32);
            start = end;
        }
    }

    /// About how long it takes to factor a matrix of the tree.
    fn work(&self, dofs: &[Dof]) -> usize {
        let (side, mut above) = (self.side, Vec::<usize>::new());
        let mut sum = 0;
        for panel in &self.dofs {
            let parent = usize::try_from(dofs[panel.start as usize].parent);
            let count = parent.map_or(0, |dof| above[self.slots[dof] as usize / side] + 1);
            sum += count * (count + 1) / 2 * (side.pow(3) + 12) + count * (4 * side.pow(2) + 8) + side.pow(3);
            above.push(count);
        }
        sum
    }

    /// The panel of a dof.
    #[inline(always)]
    pub fn of(&self, dof: usize) -> usize {
        self.slots[dof] as usize / self.side
    }

    /// Tiles of a panel in a matrix with the tree's sparsity.
    #[inline(always)]
    pub fn tiles(&self, panel: usize) -> Range<usize> {
        self.starts[panel] as usize..self.starts[panel + 1] as usize
    }

    /// Numbers of a matrix with the tree's sparsity.
    pub fn numbers(&self) -> usize {
        self.columns.len() * self.side * self.side
    }

    /// Numbers of a padded vector.
    pub fn padded(&self) -> usize {
        self.dofs.len() * self.side
    }
}
