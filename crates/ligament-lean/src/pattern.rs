//! Rows of the Newton Hessian: those of the tree, and what constraints between branches add to them.
//!
//! A constraint that acts on dofs of one chain keeps the tree's pattern. One that acts on two branches (a contact between
//! moving bodies, a tendon, an equality) couples its dofs; eliminating from the leaves, each coupling fills rows on the way
//! to the common ancestor and no others. The pattern is the union over the worlds of a group and over the last few steps:
//! entries that a world does not need are exact zeros in its lane and change none of its bits.

use crate::tables::Tree;

/// Dofs that act together, and where their products go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coupling {
    pub key: u64,
    /// Range in [`Pattern::dofs`].
    pub start: u32,
    pub len: u32,
    /// First of len (len + 1) / 2 places in the rows: (i, j) with j ≤ i, row by row.
    pub places: u32,
    /// Step in which it was needed last.
    used: u64,
}

/// A coupling is kept for so many steps after it was needed: contacts come and go, and new rows cost more than zeros.
const KEEP: u64 = 8;
/// Rows are kept for so many steps before they are made smaller.
const KEEP_ROWS: u64 = 32;
/// Room for places of couplings that fit the rows.
const SPARE_PLACES: usize = 2048;

/// A row that is eliminated into another.
#[derive(Debug, Clone, Copy)]
struct Source {
    row: u32,
    /// Place of its entry of the target's column.
    at: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    couplings: Vec<Coupling>,
    dofs: Vec<u32>,
    places: Vec<u32>,
    /// Number of the current step.
    step: u64,
    /// Step in which the rows were made.
    built: u64,
    /// Number of couplings that have places in the rows; the others were added since.
    placed: usize,
    /// The rows are made for couplings that are gone.
    spare: bool,
    pub rows: Vec<u32>,
    pub columns: Vec<u32>,
    /// Where the tree's entries stand in the rows.
    pub from_tree: Vec<u32>,
    source_start: Vec<u32>,
    sources: Vec<Source>,
    /// All sources of the row have its columns as their first.
    straight: Vec<bool>,
    sets: Vec<u64>,
    next: Vec<u32>,
}

impl Pattern {
    pub fn new<N>(tree: &Tree<N>) -> Self {
        let mut pattern = Self::default();
        pattern.build(tree);
        pattern
    }

    /// Begins a step; forgets couplings that were not needed for some time.
    pub fn begin(&mut self) {
        self.step += 1;
        let oldest = self.step.saturating_sub(KEEP);
        if self.couplings.iter().all(|c| c.used >= oldest) {
            return;
        }
        let mut len = 0;
        for k in 0..self.couplings.len() {
            let c = self.couplings[k];
            if c.used >= oldest {
                self.dofs.copy_within(c.start as usize..(c.start + c.len) as usize, len as usize);
                self.couplings[k].start = len;
                len += c.len;
            }
        }
        self.dofs.truncate(len as usize);
        self.couplings.retain(|c| c.used >= oldest);
        self.placed = self.couplings.len();
        self.spare = true;
    }

    /// The coupling with this key, if it is known; it is then needed.
    pub fn find(&mut self, key: u64) -> Option<usize> {
        let k = self.couplings.iter().position(|c| c.key == key)?;
        self.couplings[k].used = self.step;
        Some(k)
    }

    /// Adds a coupling of ascending dofs. The key stands for the dofs.
    pub fn add(&mut self, key: u64, dofs: impl IntoIterator<Item = u32>) -> usize {
        let start = self.dofs.len() as u32;
        self.dofs.extend(dofs);
        let len = self.dofs.len() as u32 - start;
        self.couplings.push(Coupling { key, start, len, places: 0, used: self.step });
        self.couplings.len() - 1
    }

    /// Does another coupling act on all dofs of coupling `k`? Then the rows fit it already.
    fn is_covered(&self, k: usize) -> bool {
        let dofs = self.dofs_of(k);
        (0..k).any(|other| {
            let mut others = self.dofs_of(other).iter();
            dofs.iter().all(|dof| others.any(|other| other == dof))
        })
    }

    /// Adds the coupling of the dofs that move only one of two bodies.
    pub fn add_apart<N>(&mut self, key: u64, tree: &Tree<N>, body1: usize, body2: usize) -> usize {
        let (a, b) = (tree.chain(body1), tree.chain(body2));
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let start = self.dofs.len();
        let k = self.add(key, a[common..].iter().chain(&b[common..]).copied());
        self.dofs[start..].sort_unstable();
        k
    }

    pub fn dofs_of(&self, coupling: usize) -> &[u32] {
        let c = &self.couplings[coupling];
        &self.dofs[c.start as usize..(c.start + c.len) as usize]
    }

    #[inline(always)]
    pub fn places_of(&self, coupling: usize) -> &[u32] {
        let c = &self.couplings[coupling];
        let len = c.len as usize;
        &self.places[c.places as usize..c.places as usize + len * (len + 1) / 2]
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.rows[i] as usize..self.rows[i + 1] as usize
    }

    /// Rows that are eliminated into row `i`, the last first: (row, place of its entry of column i).
    #[inline(always)]
    pub fn sources(&self, i: usize) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let range = self.source_start[i] as usize..self.source_start[i + 1] as usize;
        self.sources[range].iter().map(|s| (s.row as usize, s.at as usize))
    }

    #[inline(always)]
    pub fn is_straight(&self, i: usize) -> bool {
        self.straight[i]
    }

    /// Makes the rows fit the couplings; does nothing if they already do.
    pub fn update<N>(&mut self, tree: &Tree<N>) {
        let wide = self.spare && self.step - self.built >= KEEP_ROWS;
        if wide || !self.fits_new() {
            self.build(tree);
            return;
        }
        for k in self.placed..self.couplings.len() {
            self.add_places(k);
        }
        self.placed = self.couplings.len();
    }

    /// Do the rows have a place for every new coupling, and is there room to note them?
    fn fits_new(&self) -> bool {
        let new = self.placed..self.couplings.len();
        let count = |k: usize| (self.couplings[k].len * (self.couplings[k].len + 1) / 2) as usize;
        let room = self.places.capacity() - self.places.len();
        new.clone().map(count).sum::<usize>() <= room && new.clone().all(|k| self.is_covered(k))
    }

    fn build<N>(&mut self, tree: &Tree<N>) {
        let nv = tree.dofs.len();
        let words = nv.div_ceil(64).max(1);
        self.built = self.step;
        self.spare = false;
        self.fill_sets(tree, nv, words);
        self.rows.clear();
        self.columns.clear();
        self.rows.push(0);
        for i in 0..nv {
            each_bit(&self.sets[i * words..(i + 1) * words], |j| self.columns.push(j));
            self.columns.push(i as u32);
            self.rows.push(self.columns.len() as u32);
        }
        self.make_sources(nv);
        self.from_tree.clear();
        for i in 0..nv {
            let row = self.row(i);
            let mut at = row.start;
            for &column in &tree.columns[tree.row(i)] {
                while self.columns[at] != column {
                    at += 1;
                }
                self.from_tree.push(at as u32);
            }
        }
        self.make_places();
    }

    /// Columns of each row below the diagonal as bits: ancestors, coupled dofs, and the fill of the elimination.
    fn fill_sets<N>(&mut self, tree: &Tree<N>, nv: usize, words: usize) {
        let sets = &mut self.sets;
        sets.clear();
        sets.resize(nv * words, 0);
        for i in 0..nv {
            let row = tree.row(i);
            for &j in &tree.columns[row.start..row.end - 1] {
                sets[i * words + j as usize / 64] |= 1 << (j % 64);
            }
        }
        for c in &self.couplings {
            let dofs = &self.dofs[c.start as usize..(c.start + c.len) as usize];
            for (k, &i) in dofs.iter().enumerate() {
                for &j in &dofs[..k] {
                    sets[i as usize * words + j as usize / 64] |= 1 << (j % 64);
                }
            }
        }
        for i in (0..nv).rev() {
            let Some(parent) = last_bit(&sets[i * words..(i + 1) * words]) else { continue };
            for word in 0..words {
                let mut columns = sets[i * words + word];
                if word == parent / 64 {
                    columns &= !(1 << (parent % 64));
                }
                sets[parent * words + word] |= columns;
            }
        }
    }

    fn make_sources(&mut self, nv: usize) {
        self.source_start.clear();
        self.source_start.resize(nv + 1, 0);
        for k in 0..nv {
            let row = self.row(k);
            for &j in &self.columns[row.start..row.end - 1] {
                self.source_start[j as usize + 1] += 1;
            }
        }
        for i in 0..nv {
            self.source_start[i + 1] += self.source_start[i];
        }
        self.sources.clear();
        self.sources.resize(self.source_start[nv] as usize, Source { row: 0, at: 0 });
        self.straight.clear();
        self.straight.resize(nv, true);
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        next.extend_from_slice(&self.source_start[..nv]);
        for k in (0..nv).rev() {
            let row = self.row(k);
            for at in row.start..row.end - 1 {
                let j = self.columns[at] as usize;
                self.sources[next[j] as usize] = Source { row: k as u32, at: at as u32 };
                next[j] += 1;
                // a source's columns up to j lie among the row's own: they are the same if they are as many
                self.straight[j] &= at - row.start + 1 == self.row(j).len();
            }
        }
        self.next = next;
    }

    fn make_places(&mut self) {
        self.places.clear();
        for k in 0..self.couplings.len() {
            self.add_places(k);
        }
        self.placed = self.couplings.len();
        if self.placed > 0 {
            self.places.reserve(SPARE_PLACES);
        }
    }

    /// Notes where the products of a coupling's dofs stand in the rows.
    fn add_places(&mut self, k: usize) {
        self.couplings[k].places = self.places.len() as u32;
        let c = self.couplings[k];
        let dofs = &self.dofs[c.start as usize..(c.start + c.len) as usize];
        for (n, &i) in dofs.iter().enumerate() {
            let row = self.rows[i as usize] as usize..self.rows[i as usize + 1] as usize;
            let mut at = row.start;
            for &j in &dofs[..=n] {
                while self.columns[at] != j {
                    at += 1;
                }
                self.places.push(at as u32);
            }
        }
    }
}

/// Calls `f` with the numbers of the bits that are set, ascending.
fn each_bit(words: &[u64], mut f: impl FnMut(u32)) {
    for (k, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            f(k as u32 * 64 + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

/// Number of the last bit that is set.
fn last_bit(words: &[u64]) -> Option<usize> {
    let k = words.iter().rposition(|&word| word != 0)?;
    Some(k * 64 + 63 - words[k].leading_zeros() as usize)
}
