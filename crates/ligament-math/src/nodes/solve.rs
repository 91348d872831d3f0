//! Solutions with a factor by nodes.

use super::{MAX_WIDTH, NodeFactor, Panel, numbers_of};
use crate::team;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

impl NodeFactor {
    /// First variable of a panel in the order of elimination.
    fn first_variable(&self, panel: usize) -> usize {
        self.permuted[self.elimination.order[self.panels[panel].step] as usize]
    }

    /// Entries of a vector, by node, that belong to a panel.
    fn given_entries(&self, panel: usize, x: &[f64]) -> [f64; MAX_WIDTH] {
        let (mut own, mut begin) = ([0.0; MAX_WIDTH], 0);
        for node in self.nodes_of(panel) {
            own[begin..begin + node.size].copy_from_slice(&x[node.first..node.first + node.size]);
            begin += node.size;
        }
        own
    }

    /// Entries of a vector that threads share, those of a panel.
    fn own_entries(&self, panel: usize, y: &[AtomicU64]) -> [f64; MAX_WIDTH] {
        let mut own = [0.0; MAX_WIDTH];
        let begin = self.first_variable(panel);
        for (own, y) in own.iter_mut().zip(&y[begin..begin + self.panels[panel].width]) {
            *own = number(y);
        }
        own
    }

    fn store_entries(&self, panel: usize, own: &[f64; MAX_WIDTH], y: &[AtomicU64]) {
        let begin = self.first_variable(panel);
        for (own, y) in own.iter().zip(&y[begin..begin + self.panels[panel].width]) {
            y.store(own.to_bits(), Ordering::Relaxed);
        }
    }

    /// `y ← L⁻¹ x` for the variables of a panel: what [`Self::solve_down`] does, in the same order.
    fn bring_down(&self, panel: usize, x: &[f64], y: &[AtomicU64], given_up: &AtomicBool) -> bool {
        let target = &self.panels[panel];
        let mut own = self.given_entries(panel, x);
        for segment in &self.sources[target.sources.0..target.sources.1] {
            let source = segment.source as usize;
            if !self.wait_for(source, given_up) {
                return false;
            }
            let (begin, from) = (self.first_variable(source), &self.panels[source]);
            let values = self.values[source].read().unwrap_or_else(PoisonError::into_inner);
            for c in 0..from.width {
                let value = number(&y[begin + c]);
                let column = &values[c * from.height..][..from.height];
                for row in &self.rows[segment.from..segment.to] {
                    let (node, to) = (row.node as usize, self.column_of[row.node as usize] as usize);
                    for (own, l) in
                        own[to..to + self.size(node)].iter_mut().zip(&column[row.offset as usize..])
                    {
                        *own -= l * value;
                    }
                }
            }
        }
        let values = self.values[panel].read().unwrap_or_else(PoisonError::into_inner);
        for c in 0..target.width {
            let column = &values[c * target.height..][..target.width];
            own[c] /= column[c];
            let value = own[c];
            for (own, l) in own[c + 1..target.width].iter_mut().zip(&column[c + 1..]) {
                *own -= l * value;
            }
        }
        self.store_entries(panel, &own, y);
        true
    }

    /// `y ← L⁻ᵀ y` for the variables of a panel: what [`Self::solve_up`] does, in the same order.
    fn bring_up(&self, panel: usize, y: &[AtomicU64], given_up: &AtomicBool) -> bool {
        let target = &self.panels[panel];
        let rows = &self.rows[target.rows.0..target.rows.1];
        if !rows.iter().all(|row| self.wait_for(self.panel_of[row.node as usize] as usize, given_up)) {
            return false;
        }
        let mut own = self.own_entries(panel, y);
        let values = self.values[panel].read().unwrap_or_else(PoisonError::into_inner);
        for c in (0..target.width).rev() {
            let column = &values[c * target.height..][..target.height];
            let mut value = own[c];
            for (own, l) in own[c + 1..target.width].iter().zip(&column[c + 1..]) {
                value -= l * own;
            }
            for row in rows {
                let from = self.permuted[row.node as usize];
                let size = self.size(row.node as usize);
                for (y, l) in y[from..from + size].iter().zip(&column[row.offset as usize..]) {
                    value -= l * number(y);
                }
            }
            own[c] = value / column[c];
        }
        drop(values);
        self.store_entries(panel, &own, y);
        true
    }

    /// [`solve`](Self::solve) on so many threads.
    pub fn solve_on(&mut self, threads: usize, x: &mut [f64]) {
        if threads < 2 || self.panels.iter().any(|panel| panel.width > MAX_WIDTH) {
            return self.solve(x);
        }
        let mut y = std::mem::take(&mut self.shared);
        y.resize_with(x.len(), AtomicU64::default);
        let last = self.panels.len().wrapping_sub(1);
        self.in_order(threads, |k| k, |panel, given_up| self.bring_down(panel, x, &y, given_up));
        self.in_order(threads, |k| last - k, |panel, given_up| self.bring_up(panel, &y, given_up));
        self.take_back(threads, &y, x);
        self.shared = y;
    }

    /// Takes a vector in the order of elimination back to that of the nodes.
    fn take_back(&self, threads: usize, y: &[AtomicU64], mut x: &mut [f64]) {
        let size = self.nodes().div_ceil(threads).max(1);
        let pieces = self.permuted.chunks(size).enumerate().map(|(k, places)| {
            let nodes = &self.first[k * size..=k * size + places.len()];
            let own = x.split_off_mut(..nodes[places.len()] - nodes[0]).expect("the variables of the nodes");
            (places, nodes, own)
        });
        team::each(threads, pieces, |(places, nodes, own)| {
            for (&from, node) in places.iter().zip(nodes.windows(2)) {
                let own = &mut own[node[0] - nodes[0]..node[1] - nodes[0]];
                own.iter_mut().zip(&y[from..]).for_each(|(x, y)| *x = number(y));
            }
        });
    }

    /// Solves `A x = b` in place.
    pub fn solve(&mut self, x: &mut [f64]) {
        let mut y = std::mem::take(&mut self.x);
        let mut values = std::mem::take(&mut self.values);
        for (node, &to) in self.permuted.iter().enumerate() {
            let from = &x[self.first[node]..self.first[node + 1]];
            y[to..to + from.len()].copy_from_slice(from);
        }
        let mut begin = 0;
        for (panel, values) in self.panels.iter().zip(&mut values) {
            self.solve_down(panel, numbers_of(values), begin, &mut y);
            begin += panel.width;
        }
        for (panel, values) in self.panels.iter().zip(&mut values).rev() {
            begin -= panel.width;
            self.solve_up(panel, numbers_of(values), begin, &mut y);
        }
        for (node, &from) in self.permuted.iter().enumerate() {
            let to = &mut x[self.first[node]..self.first[node + 1]];
            to.copy_from_slice(&y[from..from + to.len()]);
        }
        self.x = y;
        self.values = values;
    }

    /// `y ← L⁻¹ y` for the variables of a panel, and what they take from later ones.
    fn solve_down(&self, panel: &Panel, values: &[f64], begin: usize, y: &mut [f64]) {
        for c in 0..panel.width {
            let column = &values[c * panel.height..][..panel.height];
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
    fn solve_up(&self, panel: &Panel, values: &[f64], begin: usize, y: &mut [f64]) {
        for c in (0..panel.width).rev() {
            let column = &values[c * panel.height..][..panel.height];
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

/// A number of a vector that threads share.
#[inline]
fn number(bits: &AtomicU64) -> f64 {
    f64::from_bits(bits.load(Ordering::Relaxed))
}
