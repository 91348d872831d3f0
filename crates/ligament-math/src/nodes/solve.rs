//! Solutions with a factor by nodes.
//!
//! Each panel has the entries of a vector that its rows name, one after the other, so that products with its columns run over
//! consecutive numbers. On the way to the root a panel adds to those of its parent, on the way back it takes from them.

use super::{NodeFactor, Panel, Stretch, numbers_of};
use crate::dense;
use crate::four::Four;
use crate::simd::{axpy, axpy4};
use std::sync::PoisonError;
use std::sync::atomic::AtomicBool;

/// Entries of a factor below which threads cost more than they save.
const MIN_SHARED: usize = 30_000;

impl NodeFactor {
    /// Solves `A x = b` in place, on so many threads.
    pub fn solve(&mut self, threads: usize, x: &mut [f64]) {
        let threads = if self.entries < MIN_SHARED { 1 } else { threads };
        let this = &*self;
        this.tasks.in_order(threads, false, |task, given_up| this.bring_down(task, x, given_up));
        this.tasks.in_order(threads, true, |task, given_up| this.bring_up(task, given_up));
        let mut vectors = std::mem::take(&mut self.vectors);
        for (k, panel) in self.panels.iter().enumerate() {
            let mut own = &numbers_of(&mut vectors[self.tasks.of(k as u32)])[panel.local..];
            for node in self.nodes_of(k) {
                let (numbers, rest) = own.split_at(node.size);
                x[node.first..node.first + node.size].copy_from_slice(numbers);
                own = rest;
            }
        }
        self.vectors = vectors;
    }

    fn stretches_of(&self, panel: &Panel) -> &[Stretch] {
        &self.stretches[panel.upwards.0..panel.upwards.1]
    }

    /// `y ← L⁻¹ x` for the panels of a task; false if what it waits for will never be done.
    fn bring_down(&self, task: usize, x: &[f64], given_up: &AtomicBool) -> bool {
        let mut vectors = self.vectors[task].write().unwrap_or_else(PoisonError::into_inner);
        let values = self.values[task].read().unwrap_or_else(PoisonError::into_inner);
        for &panel in self.tasks.panels(task) {
            let own = &self.panels[panel as usize];
            let (before, y) = vectors.split_at_mut(own.local);
            let y = &mut y[..own.height];
            let mut at = 0;
            for node in self.nodes_of(panel as usize) {
                y[at..at + node.size].copy_from_slice(&x[node.first..node.first + node.size]);
                at += node.size;
            }
            y[at..].fill(0.0);
            for &child in &self.children[own.children.0..own.children.1] {
                let (of, child) = (self.tasks.of(child), &self.panels[child as usize]);
                if of == task {
                    self.add_child(child, &before[child.local..], y);
                    continue;
                }
                if !self.tasks.wait_for(of, given_up) {
                    return false;
                }
                let vectors = self.vectors[of].read().unwrap_or_else(PoisonError::into_inner);
                self.add_child(child, &vectors[child.local..], y);
            }
            solve_down(&values[own.adr..][..own.width * own.height], own, y);
        }
        true
    }

    /// Adds what a panel has found out for later ones to the vector of its parent.
    fn add_child(&self, child: &Panel, from: &[f64], y: &mut [f64]) {
        for stretch in self.stretches_of(child) {
            let to = &mut y[stretch.to..stretch.to + stretch.len];
            to.iter_mut().zip(&from[stretch.from..]).for_each(|(y, x)| *y += x);
        }
    }

    /// `y ← L⁻ᵀ y` for the panels of a task.
    fn bring_up(&self, task: usize, given_up: &AtomicBool) -> bool {
        let mut vectors = self.vectors[task].write().unwrap_or_else(PoisonError::into_inner);
        let values = self.values[task].read().unwrap_or_else(PoisonError::into_inner);
        for &panel in self.tasks.panels(task).iter().rev() {
            let own = &self.panels[panel as usize];
            let (y, after) = vectors[own.local..].split_at_mut(own.height);
            if let Some(parent) = self.panels.get(own.parent as usize) {
                let of = self.tasks.of(own.parent);
                if of == task {
                    self.take_from_parent(own, &after[parent.local - own.local - own.height..], y);
                } else if self.tasks.wait_for(of, given_up) {
                    let vectors = self.vectors[of].read().unwrap_or_else(PoisonError::into_inner);
                    self.take_from_parent(own, &vectors[parent.local..], y);
                } else {
                    return false;
                }
            }
            solve_up(&values[own.adr..][..own.width * own.height], own, y);
        }
        true
    }

    fn take_from_parent(&self, panel: &Panel, from: &[f64], y: &mut [f64]) {
        for stretch in self.stretches_of(panel) {
            y[stretch.from..stretch.from + stretch.len]
                .copy_from_slice(&from[stretch.to..stretch.to + stretch.len]);
        }
    }
}

/// `y ← L⁻¹ y` for the columns of a panel; the rows below get what is subtracted from them.
fn solve_down(values: &[f64], panel: &Panel, y: &mut [f64]) {
    let (width, height) = (panel.width, panel.height);
    let fours = width / 4 * 4;
    for c in (0..fours).step_by(4) {
        let columns: [&[f64]; 4] = std::array::from_fn(|k| &values[(c + k) * height..][..height]);
        for (k, column) in columns.iter().enumerate() {
            y[c + k] /= column[c + k];
            for r in c + k + 1..c + 4 {
                y[r] -= column[r] * y[c + k];
            }
        }
        let weights = std::array::from_fn(|k| -y[c + k]);
        axpy4(weights, columns.map(|column| &column[c + 4..]), &mut y[c + 4..]);
    }
    for c in fours..width {
        let column = &values[c * height..][..height];
        y[c] /= column[c];
        axpy(-y[c], &column[c + 1..], &mut y[c + 1..]);
    }
}

/// `y ← L⁻ᵀ y` for the columns of a panel; the rows below are known.
fn solve_up(values: &[f64], panel: &Panel, y: &mut [f64]) {
    let (width, height) = (panel.width, panel.height);
    let fours = width / 4 * 4;
    for c in (fours..width).rev() {
        let column = &values[c * height..][..height];
        y[c] = (y[c] - dense::dot(&column[c + 1..], &y[c + 1..])) / column[c];
    }
    for c in (0..fours).step_by(4).rev() {
        let columns: [&[f64]; 4] = std::array::from_fn(|k| &values[(c + k) * height..][..height]);
        let sums = four_dots(columns.map(|column| &column[c + 4..]), &y[c + 4..]);
        for k in (0..4).rev() {
            let inner = (c + k + 1..c + 4).fold(sums[k], |sum, r| sum + columns[k][r] * y[r]);
            y[c + k] = (y[c + k] - inner) / columns[k][c + k];
        }
    }
}

/// Products of four columns with a vector, all of the same length.
#[inline]
fn four_dots(columns: [&[f64]; 4], y: &[f64]) -> [f64; 4] {
    let chunks = columns.map(|column| column[..y.len()].as_chunks::<4>());
    let (numbers, rest) = y.as_chunks::<4>();
    let mut sums = [Four::default(); 4];
    let [a, b, c, d] = chunks.map(|(chunks, _)| chunks);
    for ((((y, a), b), c), d) in numbers.iter().zip(a).zip(b).zip(c).zip(d) {
        let y = Four::new(*y);
        for (sum, x) in sums.iter_mut().zip([a, b, c, d]) {
            *sum += Four::new(*x) * y;
        }
    }
    std::array::from_fn(|k| {
        let [s0, s1, s2, s3] = sums[k].numbers();
        let products = chunks[k].1.iter().zip(rest).map(|(x, y)| x * y);
        products.fold((s0 + s2) + (s1 + s3), |sum, x| sum + x)
    })
}
