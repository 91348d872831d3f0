//! Factor of a symmetric matrix on the tiles of a pattern, from the leaves to the root, and the solution with it.
//!
//! Row k of the matrix is eliminated by subtracting H_ki / H_kk times it from each row i among its columns. Rows of a panel
//! are eliminated together: every step of the factor is a product of two small tiles, listed in the pattern, so no loop has a
//! length that the processor has to guess. Each entry still gets its terms in the order of the dofs, whatever zeros other
//! worlds add to the pattern.

use crate::lane::Lane;
use crate::pattern::Pattern;
use crate::tables::Panels;

/// A tile: rows of one panel, columns of another.
pub(crate) type Tile<L, const N: usize> = [[L; N]; N];

/// A matrix in tiles, its factor, and room for a solution.
pub(crate) struct Hessian<L> {
    /// The matrix, then rows of its factor.
    pub tiles: Vec<L>,
    /// Rows of the factor over their pivots.
    scaled: Vec<L>,
    /// Inverse pivots.
    pivot: Vec<L>,
    /// Right-hand side, then solution, where they have to be padded.
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

    /// The panels whose rows are `fresh` become those of a matrix with the tree's sparsity.
    #[inline(always)]
    pub fn set(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool], tree: &[L]) {
        if panels.side == 3 {
            self.set_tiles::<3>(panels, pattern, fresh, tree);
        } else {
            self.set_tiles::<4>(panels, pattern, fresh, tree);
        }
    }

    #[inline(always)]
    fn set_tiles<const N: usize>(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool], tree: &[L]) {
        let (tiles, given) = (tiles_mut::<L, N>(&mut self.tiles), tiles_of::<L, N>(tree));
        for (p, panel) in panels.dofs.iter().enumerate() {
            if !fresh[panel.start as usize] {
                continue;
            }
            let (own, same) = (pattern.tiles(p), panels.tiles(p));
            if own.len() == same.len() {
                tiles[own].copy_from_slice(&given[same]);
                continue;
            }
            tiles[own].fill([[L::zero(); N]; N]);
            for k in same {
                tiles[pattern.from_tree[k] as usize] = given[k];
            }
        }
    }

    /// Factors the panels whose rows are `fresh` in place, and solves for the right-hand side `x` in place. The other panels
    /// hold their factor already: nothing that is eliminated into them is fresh.
    #[inline(always)]
    pub fn solve(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool], x: &mut [L]) {
        if panels.full {
            self.solve_side(panels, pattern, fresh, x);
            return;
        }
        let mut padded = std::mem::take(&mut self.x);
        pad(panels, x, &mut padded);
        self.solve_side(panels, pattern, fresh, &mut padded);
        unpad(panels, &padded, x);
        self.x = padded;
    }

    #[inline(always)]
    fn solve_side(&mut self, panels: &Panels, pattern: &Pattern, fresh: &[bool], x: &mut [L]) {
        if panels.side == 3 {
            self.solve_padded::<3>(panels, pattern, fresh, x);
        } else {
            self.solve_padded::<4>(panels, pattern, fresh, x);
        }
    }

    #[inline(always)]
    fn solve_padded<const N: usize>(
        &mut self,
        panels: &Panels,
        pattern: &Pattern,
        fresh: &[bool],
        x: &mut [L],
    ) {
        let (tiles, scaled) = (tiles_mut::<L, N>(&mut self.tiles), tiles_mut::<L, N>(&mut self.scaled));
        let (pivots, x) = (self.pivot.as_chunks_mut::<N>().0, x.as_chunks_mut::<N>().0);
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

#[inline(always)]
pub(crate) fn tiles_of<L, const N: usize>(numbers: &[L]) -> &[Tile<L, N>] {
    numbers.as_chunks::<N>().0.as_chunks::<N>().0
}

#[inline(always)]
pub(crate) fn tiles_mut<L, const N: usize>(numbers: &mut [L]) -> &mut [Tile<L, N>] {
    numbers.as_chunks_mut::<N>().0.as_chunks_mut::<N>().0
}

/// Pads a vector to whole panels.
#[inline(always)]
pub(crate) fn pad<L: Lane>(panels: &Panels, x: &[L], padded: &mut [L]) {
    padded.fill(L::zero());
    for (&slot, x) in panels.slots.iter().zip(x) {
        padded[slot as usize] = *x;
    }
}

#[inline(always)]
pub(crate) fn unpad<L: Lane>(panels: &Panels, padded: &[L], x: &mut [L]) {
    for (&slot, x) in panels.slots.iter().zip(x) {
        *x = padded[slot as usize];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Tables;

    /// A trunk of three hinges with branches of one to seven: panels of all lengths.
    fn tree() -> Tables {
        let bone = "<geom size='.05' pos='.1 0 0'/>";
        let mut branches = String::new();
        for length in 1..=7 {
            for k in 0..length {
                let axis = ["1 0 0", "0 1 0", "0 0 1"][k % 3];
                branches += &format!("<body pos='.1 .02 {length}'><joint axis='{axis}'/>{bone}");
            }
            branches += &"</body>".repeat(length);
        }
        let hinges = "<joint axis='1 0 0'/><joint axis='0 1 0'/><joint axis='0 0 1'/>";
        let xml = format!("<mujoco><worldbody><body>{hinges}{bone}{branches}</body></worldbody></mujoco>");
        let model = ligament::load_model(&xml).expect("a sound model");
        Tables::new(&model).expect("accepted")
    }

    /// Solutions fulfil their equations, with couplings between branches and without.
    #[test]
    fn solutions_fulfil_their_equations() {
        let t = tree();
        let panels = &t.tree.panels;
        assert!(!panels.full && panels.dofs.iter().any(|dofs| dofs.len() == panels.side));
        for couplings in [&[][..], &[[3, 30]], &[[5, 12], [12, 29], [20, 21]]] {
            let mut pattern = Pattern::new(&t.tree);
            pattern.begin();
            for (key, dofs) in couplings.iter().enumerate() {
                pattern.add(key as u64, dofs.iter().copied());
            }
            pattern.update(&t.tree);
            check(&t, &pattern, couplings.len());
        }
    }

    fn check(t: &Tables, pattern: &Pattern, couplings: usize) {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let (nv, panels) = (t.nv, &t.tree.panels);
        let mut dense = vec![vec![0.0; nv]; nv];
        let mut tiles = vec![0.0; panels.numbers()];
        for i in 0..nv {
            for place in t.tree.row(i) {
                let j = t.tree.columns[place] as usize;
                let x = if i == j { 20.0 + random() } else { random() };
                tiles[panels.places[place] as usize] = x;
                (dense[i][j], dense[j][i]) = (x, x);
            }
        }
        for (p, panel) in panels.dofs.iter().enumerate() {
            for pad in panel.len()..panels.side {
                tiles[((panels.tiles(p).end - 1) * panels.side + pad) * panels.side + pad] = 1.0;
            }
        }
        let mut hessian = Hessian::new(panels);
        hessian.fit(panels, pattern);
        let fresh = vec![true; nv];
        hessian.set(panels, pattern, &fresh, &tiles);
        for k in 0..couplings {
            let [a, b] = [pattern.dofs_of(k)[0] as usize, pattern.dofs_of(k)[1] as usize];
            let x = random();
            hessian.tiles[pattern.places_of(k)[1] as usize] += x;
            dense[a][b] += x;
            dense[b][a] += x;
        }
        let wanted: Vec<f64> = (0..nv).map(|_| random()).collect();
        let mut x = wanted.clone();
        hessian.solve(panels, pattern, &fresh, &mut x);
        for (row, wanted) in dense.iter().zip(wanted) {
            let product: f64 = row.iter().zip(&x).map(|(h, x)| h * x).sum();
            assert!((product - wanted).abs() < 1e-13, "{product} instead of {wanted}");
        }
    }
}
