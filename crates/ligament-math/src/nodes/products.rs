//! Products of dense panels.

use super::{Panel, PanelRow, Segment, Stretch};
use crate::simd::{axpy, axpy4, subtract_products};

/// Factors the columns of a panel.
pub(super) fn factor_panel(values: &mut [f64], panel: &Panel, min_pivot: f64) {
    let height = panel.height;
    for c in 0..panel.width {
        let (done, rest) = values.split_at_mut(c * height);
        let column = &mut rest[c..height];
        let mut four = done.chunks_exact(4 * height);
        for columns in &mut four {
            let rows: [&[f64]; 4] = std::array::from_fn(|k| &columns[k * height + c..(k + 1) * height]);
            axpy4(rows.map(|row| -row[0]), rows, column);
        }
        for row in four.remainder().chunks_exact(height) {
            axpy(-row[c], &row[c..], column);
        }
        if !(column[0] >= min_pivot) {
            column[0] = min_pivot;
        }
        let pivot = column[0].sqrt();
        let inverse = 1.0 / pivot;
        for x in &mut *column {
            *x *= inverse;
        }
        column[0] = pivot;
    }
}

/// What the panels are made of.
#[derive(Clone, Copy)]
pub(super) struct Pattern<'a> {
    pub rows: &'a [PanelRow],
    pub panel_of: &'a [u32],
    pub column_of: &'a [u32],
    pub place: &'a [u32],
    pub first: &'a [usize],
}

impl<'a> Pattern<'a> {
    /// Rows and where they stand in a later panel.
    pub fn places(
        self,
        rows: &'a [PanelRow],
        target: u32,
        panel: &Panel,
    ) -> impl Iterator<Item = (&'a PanelRow, usize)> {
        let mut places = TargetRows { pattern: self, target, next: panel.rows.0 };
        rows.iter().map(move |row| (row, places.find(row.node)))
    }

    /// Joins rows whose places in the source and in the target follow each other.
    #[inline]
    pub fn stretches<'r>(
        self,
        rows: impl Iterator<Item = (&'r PanelRow, usize)>,
        mut f: impl FnMut(Stretch),
    ) {
        let mut current = Stretch::default();
        for (row, to) in rows {
            let from = row.offset as usize;
            let node = row.node as usize;
            let size = self.first[node + 1] - self.first[node];
            if current.from + current.len == from && current.to + current.len == to && current.len > 0 {
                current.len += size;
            } else {
                if current.len > 0 {
                    f(current);
                }
                current = Stretch { from, to, len: size };
            }
        }
        if current.len > 0 {
            f(current);
        }
    }
}

/// A finished panel, whose products are subtracted from later ones.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub pattern: Pattern<'a>,
    pub panel: &'a Panel,
    pub values: &'a [f64],
}

impl Source<'_> {
    /// Subtracts the products of a segment from the panel that it belongs to.
    pub fn subtract(self, segment: &Segment, target: &Panel, out: &mut [f64]) {
        let columns = self.pattern.rows[segment.from..segment.to].iter();
        let columns = columns.map(|row| (row, self.pattern.column_of[row.node as usize] as usize));
        let below = &self.pattern.rows[segment.from..self.panel.rows.1];
        self.pattern.stretches(self.pattern.places(below, segment.target, target), |row| {
            self.pattern.stretches(columns.clone(), |column| {
                subtract_products(
                    &mut out[column.to * target.height + row.to..],
                    target.height,
                    (row.len, column.len),
                    &self.values[row.from..],
                    &self.values[column.from..],
                    (self.panel.height, self.panel.width),
                );
            });
        });
    }
}

/// Finds the rows of nodes in a panel; nodes come in the order of elimination.
struct TargetRows<'a> {
    pattern: Pattern<'a>,
    target: u32,
    next: usize,
}

impl TargetRows<'_> {
    fn find(&mut self, node: u32) -> usize {
        let p = self.pattern;
        if p.panel_of[node as usize] == self.target {
            return p.column_of[node as usize] as usize;
        }
        while p.place[p.rows[self.next].node as usize] < p.place[node as usize] {
            self.next += 1;
        }
        p.rows[self.next].offset as usize
    }
}
