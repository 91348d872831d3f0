//! Tiles of the Newton Hessian: those of the tree, and what constraints between branches add to them.
//!
//! A tile has a panel of dofs (`tables/panels.rs`) as its rows and one as its columns: all loops inside it have the same length.
//! Panels that are shorter than a tile are filled up with rows of the unit matrix.
//!
//! A constraint that acts on dofs of one chain keeps the tree's pattern. One that acts on two branches (a contact between
//! moving bodies, a tendon, an equality) couples its dofs; eliminating from the leaves, each coupling fills rows on the way
//! to the common ancestor and no others. The pattern is the union over the worlds of a group and over the last few steps:
//! entries that a world does not need are exact zeros in its lane and change none of its bits.

use crate::tables::{Panels, Tree};

/// Dofs that act together, and where their products go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coupling {
    pub key: u64,
    /// Range in [`Pattern::dofs`].
    pub start: u32,
    pub len: u32,
    /// First of len (len + 1) / 2 places in the tiles: (i, j) with j ≤ i, row by row.
    pub places: u32,
    /// Step in which it was needed last.
    used: u64,
}

/// A coupling is kept for so many steps after it was needed: contacts come and go, and new tiles cost more than zeros.
const KEEP: u64 = 8;
/// Tiles are kept for so many steps before there are fewer.
const KEEP_TILES: u64 = 32;
/// Room for places of couplings that fit the tiles.
const SPARE_PLACES: usize = 2048;

/// A product that elimination subtracts: of tile (source, target's panel), scaled, and tile (source, column).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Update {
    pub target: u32,
    pub scaled: u32,
    pub plain: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Pattern {
    couplings: Vec<Coupling>,
    dofs: Vec<u32>,
    places: Vec<u32>,
    /// Number of the current step.
    step: u64,
    /// Step in which the tiles were made.
    built: u64,
    /// Number of couplings that have places in the tiles; the others were added since.
    placed: usize,
    /// The tiles are made for couplings that are gone.
    spare: bool,
    /// First tile of each panel; its last one stands on the diagonal.
    starts: Vec<u32>,
    /// Panel of the columns of each tile.
    pub columns: Vec<u32>,
    /// Where the tree's tiles are among the tiles.
    pub from_tree: Vec<u32>,
    /// Where the diagonal stands.
    pub diagonal: Vec<u32>,
    update_starts: Vec<u32>,
    /// What is subtracted from the tiles of each panel, from the last source to the first.
    updates: Vec<Update>,
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

    /// Are there tiles for all products of coupling `k`?
    fn has_tiles(&self, panels: &Panels, k: usize) -> bool {
        let dofs = self.dofs_of(k);
        let words = panels.dofs.len().div_ceil(64).max(1);
        dofs.iter().enumerate().all(|(n, &i)| {
            let p = panels.of(i as usize);
            dofs[..n]
                .iter()
                .map(|&j| panels.of(j as usize))
                .all(|q| q == p || self.sets[p * words + q / 64] >> (q % 64) & 1 != 0)
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

    /// Tiles of a panel.
    #[inline(always)]
    pub fn tiles(&self, panel: usize) -> std::ops::Range<usize> {
        self.starts[panel] as usize..self.starts[panel + 1] as usize
    }

    #[inline(always)]
    pub fn updates(&self, panel: usize) -> &[Update] {
        &self.updates[self.update_starts[panel] as usize..self.update_starts[panel + 1] as usize]
    }

    /// The panel that this one is eliminated into first, if there is one: all others are among its columns.
    #[inline(always)]
    pub fn parent(&self, panel: usize) -> Option<usize> {
        let tiles = self.tiles(panel);
        (tiles.len() > 1).then(|| self.columns[tiles.end - 2] as usize)
    }

    /// Makes the tiles fit the couplings; does nothing if they already do.
    pub fn update<N>(&mut self, tree: &Tree<N>) {
        let wide = self.spare && self.step - self.built >= KEEP_TILES;
        if wide || !self.fits_new(&tree.panels) {
            self.build(tree);
            return;
        }
        for k in self.placed..self.couplings.len() {
            self.add_places(&tree.panels, k);
        }
        self.placed = self.couplings.len();
    }

    /// Do the tiles have a place for every new coupling, and is there room to note them?
    fn fits_new(&self, panels: &Panels) -> bool {
        let new = self.placed..self.couplings.len();
        let count = |k: usize| (self.couplings[k].len * (self.couplings[k].len + 1) / 2) as usize;
        let room = self.places.capacity() - self.places.len();
        new.clone().map(count).sum::<usize>() <= room && new.clone().all(|k| self.has_tiles(panels, k))
    }

    fn build<N>(&mut self, tree: &Tree<N>) {
        let panels = &tree.panels;
        let (count, nv) = (panels.dofs.len(), tree.dofs.len());
        let words = count.div_ceil(64).max(1);
        self.built = self.step;
        self.spare = false;
        self.fill_sets(tree, count, words);
        self.starts.clear();
        self.columns.clear();
        self.starts.push(0);
        for p in 0..count {
            each_bit(&self.sets[p * words..(p + 1) * words], |q| self.columns.push(q));
            self.columns.push(p as u32);
            self.starts.push(self.columns.len() as u32);
        }
        self.make_updates(count);
        self.from_tree.clear();
        for p in 0..count {
            let mut tile = self.starts[p];
            for &column in &panels.columns[panels.tiles(p)] {
                while self.columns[tile as usize] != column {
                    tile += 1;
                }
                self.from_tree.push(tile);
            }
        }
        let mut diagonal = std::mem::take(&mut self.diagonal);
        diagonal.clear();
        for i in 0..nv {
            self.note_places(panels, i, &[i as u32], &mut diagonal);
        }
        self.diagonal = diagonal;
        self.make_places(panels);
    }

    /// Columns of each panel's tiles below the diagonal as bits: ancestors, coupled panels, and the fill of the elimination.
    fn fill_sets<N>(&mut self, tree: &Tree<N>, count: usize, words: usize) {
        let (sets, panels) = (&mut self.sets, &tree.panels);
        sets.clear();
        sets.resize(count * words, 0);
        let mut couple = |p: usize, q: usize| {
            if q < p {
                sets[p * words + q / 64] |= 1 << (q % 64);
            }
        };
        for (p, panel) in panels.dofs.iter().enumerate() {
            for &j in &tree.columns[tree.row(panel.start as usize)] {
                couple(p, panels.of(j as usize));
            }
        }
        for c in &self.couplings {
            let dofs = &self.dofs[c.start as usize..(c.start + c.len) as usize];
            for (k, &i) in dofs.iter().enumerate() {
                for &j in &dofs[..k] {
                    couple(panels.of(i as usize), panels.of(j as usize));
                }
            }
        }
        for p in (0..count).rev() {
            let Some(parent) = last_bit(&sets[p * words..(p + 1) * words]) else { continue };
            for word in 0..words {
                let mut columns = sets[p * words + word];
                if word == parent / 64 {
                    columns &= !(1 << (parent % 64));
                }
                sets[parent * words + word] |= columns;
            }
        }
    }

    /// Lists what each panel's tiles get from the panels after it.
    fn make_updates(&mut self, count: usize) {
        self.update_starts.clear();
        self.update_starts.resize(count + 1, 0);
        for source in 0..count {
            let tiles = self.tiles(source);
            for (k, &target) in self.columns[tiles.start..tiles.end - 1].iter().enumerate() {
                self.update_starts[target as usize + 1] += k as u32 + 1;
            }
        }
        for p in 0..count {
            self.update_starts[p + 1] += self.update_starts[p];
        }
        self.updates.clear();
        self.updates.resize(self.update_starts[count] as usize, Update::default());
        self.next.clear();
        self.next.extend_from_slice(&self.update_starts[..count]);
        for source in (0..count).rev() {
            let tiles = self.tiles(source);
            for scaled in tiles.start..tiles.end - 1 {
                let panel = self.columns[scaled] as usize;
                // the source's columns up to the panel are among the panel's own
                let mut target = self.starts[panel] as usize;
                for plain in tiles.start..=scaled {
                    while self.columns[target] != self.columns[plain] {
                        target += 1;
                    }
                    self.updates[self.next[panel] as usize] =
                        Update { target: target as u32, scaled: scaled as u32, plain: plain as u32 };
                    self.next[panel] += 1;
                }
            }
        }
    }

    fn make_places(&mut self, panels: &Panels) {
        self.places.clear();
        for k in 0..self.couplings.len() {
            self.add_places(panels, k);
        }
        self.placed = self.couplings.len();
        if self.placed > 0 {
            self.places.reserve(SPARE_PLACES);
        }
    }

    /// Notes where the products of a coupling's dofs stand in the tiles.
    fn add_places(&mut self, panels: &Panels, k: usize) {
        let mut places = std::mem::take(&mut self.places);
        self.couplings[k].places = places.len() as u32;
        let dofs = self.dofs_of(k);
        for (n, &i) in dofs.iter().enumerate() {
            self.note_places(panels, i as usize, &dofs[..=n], &mut places);
        }
        self.places = places;
    }

    /// Adds where row `i` has the ascending columns `dofs`, none of which is after it.
    fn note_places(&self, panels: &Panels, i: usize, dofs: &[u32], places: &mut Vec<u32>) {
        let side = panels.side;
        let mut tile = self.starts[panels.of(i)] as usize;
        let row = panels.slots[i] as usize % side;
        for &j in dofs {
            let slot = panels.slots[j as usize] as usize;
            while self.columns[tile] as usize != slot / side {
                tile += 1;
            }
            places.push(((tile * side + row) * side + slot % side) as u32);
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
