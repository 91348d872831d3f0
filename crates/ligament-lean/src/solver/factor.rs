//! Factor of a symmetric matrix on the tiles of a pattern, from the leaves to the root, and the solution with it.
//!
//! Row k of the matrix is eliminated by subtracting H_ki / H_kk times it from each row i among its columns. Rows of a panel
//! are eliminated together: every step of the factor is a product of two small tiles, listed in the pattern, so no loop has a
//! length that the processor has to guess. Each entry still gets its terms in the order of the dofs, whatever zeros other
//! worlds add to the pattern.

use crate::lane::Lane;
use crate::pattern::Pattern;
use crate::tables::{Panels, Tree};

/// A tile: rows of one panel, columns of another.
type Tile<L, const N: usize> = [[L; N]; N];

/// A matrix in tiles, its factor, and room for a solution.
pub(crate) struct Hessian<L> {
    /// The matrix, then rows of its factor.
    pub tiles: Vec<L>,
    /// Rows of the factor over their pivots.
    scaled: Vec<L>,
    /// Inverse pivots.
    pivot: Vec<L>,
    /// Right-hand side, then solution, padded to whole panels.
    x: Vec<L>,
}

impl<L: Lane> Hessian<L> {
    pub fn new(panels: &Panels) -> Self {
        let line = vec![L::zero(); panels.padded()];
        Self { tiles: Vec::new(), scaled: Vec::new(), pivot: line.clone(), x: line }
    }

    /// Makes room for a pattern.
    pub fn fit(&mut self, panels: &Panels, pattern: &Pattern) {
        let size = pattern.columns.len() * panels.side * panels.side;
        if self.tiles.len() < size {
            self.tiles.resize(size, L::zero());
            self.scaled.resize(size, L::zero());
        }
    }

    /// The panels whose rows are `fresh` become those of a matrix that is given on the tree's rows.
    #[inline(always)]
    pub fn set(&mut self, tree: &Tree<L>, pattern: &Pattern, fresh: &[bool], rows: &[L]) {
        let side = tree.panels.side;
        for (p, panel) in tree.panels.dofs.iter().enumerate() {
            if !fresh[panel.start as usize] {
                continue;
            }
            let tiles = pattern.tiles(p);
            self.tiles[tiles.start * side * side..tiles.end * side * side].fill(L::zero());
            for pad in panel.len()..side {
                self.tiles[((tiles.end - 1) * side + pad) * side + pad] = L::splat(1.0);
            }
            let entries = tree.rows[panel.start as usize] as usize..tree.rows[panel.end as usize] as usize;
            for (&place, x) in pattern.from_tree[entries.clone()].iter().zip(&rows[entries]) {
                self.tiles[place as usize] = L::zero() + *x;
            }
        }
    }

    /// Factors the panels whose rows are `fresh` in place, and solves for the right-hand side `x` in place. The other panels
    /// hold their factor already: nothing that is eliminated into them is fresh.
    #[inline(always)]
    pub fn solve(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool], x: &mut [L]) {
        self.x.fill(L::zero());
        for (&slot, x) in panels.slots.iter().zip(&*x) {
            self.x[slot as usize] = *x;
        }
        if panels.side == 3 {
            self.solve_padded::<3>(panels, pattern, fresh);
        } else {
            self.solve_padded::<4>(panels, pattern, fresh);
        }
        for (&slot, x) in panels.slots.iter().zip(x) {
            *x = self.x[slot as usize];
        }
    }

    #[inline(always)]
    fn solve_padded<const N: usize>(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool]) {
        let tiles = self.tiles.as_chunks_mut::<N>().0.as_chunks_mut::<N>().0;
        let scaled = self.scaled.as_chunks_mut::<N>().0.as_chunks_mut::<N>().0;
        let pivots = self.pivot.as_chunks_mut::<N>().0;
        let x = self.x.as_chunks_mut::<N>().0;
        for (p, panel) in panels.dofs.iter().enumerate().rev() {
            let range = pattern.tiles(p);
            if fresh[panel.start as usize] {
                let (own, after) = tiles.split_at_mut(range.end);
                for update in pattern.updates(p) {
                    let (scaled, plain) = (&scaled[update.scaled as usize], update.plain as usize);
                    subtract_product(&mut own[update.target as usize], scaled, &after[plain - range.end]);
                }
                factor_panel(&mut own[range.start..], &mut scaled[range.clone()], &mut pivots[p]);
            }
            let (left, diagonal) = (&tiles[range.start..range.end - 1], &tiles[range.end - 1]);
            let y = &mut x[p];
            for k in (0..N).rev() {
                y[k] = y[k] * pivots[p][k];
                for r in 0..k {
                    y[r] = y[r].sub_product(diagonal[k][r], y[k]);
                }
            }
            let y = *y;
            for (tile, &column) in left.iter().zip(&pattern.columns[range]) {
                let above = &mut x[column as usize];
                for k in (0..N).rev() {
                    for n in 0..N {
                        above[n] = above[n].sub_product(tile[k][n], y[k]);
                    }
                }
            }
        }
        for p in 0..panels.dofs.len() {
            let range = pattern.tiles(p);
            let (left, diagonal) = (&tiles[range.start..range.end - 1], &tiles[range.end - 1]);
            let mut sum = [L::zero(); N];
            for (tile, &column) in left.iter().zip(&pattern.columns[range]) {
                let known = &x[column as usize];
                for n in 0..N {
                    for k in 0..N {
                        sum[k] = tile[k][n].mul_add(known[n], sum[k]);
                    }
                }
            }
            let y = &mut x[p];
            for k in 0..N {
                y[k] = y[k].sub_product(pivots[p][k], sum[k]);
                for r in k + 1..N {
                    sum[r] = diagonal[r][k].mul_add(y[k], sum[r]);
                }
            }
        }
    }
}

/// target − scaledᵀ plain, the last row first.
#[inline(always)]
fn subtract_product<L: Lane, const N: usize>(
    target: &mut Tile<L, N>,
    scaled: &Tile<L, N>,
    plain: &Tile<L, N>,
) {
    for r in 0..N {
        let mut row = target[r];
        for k in (0..N).rev() {
            for n in 0..N {
                row[n] = row[n].sub_product(scaled[k][r], plain[k][n]);
            }
        }
        target[r] = row;
    }
}

/// Eliminates the rows of a panel, whose tile on the diagonal is the last, into each other; writes their scaled tiles.
#[inline(always)]
fn factor_panel<L: Lane, const N: usize>(
    tiles: &mut [Tile<L, N>],
    scaled: &mut [Tile<L, N>],
    pivot: &mut [L; N],
) {
    let Some((diagonal, left)) = tiles.split_last_mut() else { return };
    let mut factors = [[L::zero(); N]; N];
    for k in (0..N).rev() {
        pivot[k] = diagonal[k][k].recip();
        for r in 0..k {
            factors[k][r] = diagonal[k][r] * pivot[k];
            for n in 0..=r {
                diagonal[r][n] = diagonal[r][n].sub_product(factors[k][r], diagonal[k][n]);
            }
        }
    }
    for (tile, scaled) in left.iter_mut().zip(scaled) {
        for k in (0..N).rev() {
            for r in 0..k {
                for n in 0..N {
                    tile[r][n] = tile[r][n].sub_product(factors[k][r], tile[k][n]);
                }
            }
            for n in 0..N {
                scaled[k][n] = tile[k][n] * pivot[k];
            }
        }
    }
}
