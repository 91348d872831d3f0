//! The inertia matrix in the tiles of the tree, by composite rigid bodies (Featherstone 2008, §6.2).

use crate::algebra::{V6, add_to, dot6, inertia_mul, zeros};
use crate::integrate::add_outer;
use crate::lane::Lane;
use crate::solver::factor::{Tile, pad, tiles_mut, tiles_of, unpad};
use crate::tables::{Panels, Tables};
use crate::world::World;

/// Writes crb and M.
#[inline(always)]
pub(crate) fn inertia<L: Lane>(t: &Tables<L>, w: &mut World<L>) {
    for &i in &t.tree.dynamic {
        w.crb[i as usize] = w.cinert[i as usize];
    }
    for &i in t.tree.dynamic.iter().rev() {
        let parent = t.tree.bodies[i as usize].parent as usize;
        if t.tree.bodies[parent].last_dof >= 0 {
            let child = w.crb[i as usize];
            add_to(&mut w.crb[parent], &child);
        }
    }
    if t.tree.panels.side == 3 {
        project::<L, 3>(t, w);
    } else {
        project::<L, 4>(t, w);
    }
    for (i, dof) in t.tree.dofs.iter().enumerate() {
        w.M[t.tree.diagonal(i)] += dof.armature;
    }
    for (k, tendon) in t.actuation.tendons.iter().enumerate() {
        if tendon.has_armature {
            add_outer(t, k, tendon.armature, &w.ten_J, &mut w.M);
        }
    }
}

/// M_ij = s_iᵀ I_c s_j, panel by panel.
#[inline(always)]
fn project<L: Lane, const N: usize>(t: &Tables<L>, w: &mut World<L>) {
    let panels = &t.tree.panels;
    let axes = if panels.full { &w.cdof } else { &w.axes };
    let (axes, tiles) = (axes.as_chunks::<N>().0, tiles_mut::<L, N>(&mut w.M));
    for (p, panel) in panels.dofs.iter().enumerate() {
        let mut momentum = [zeros::<L, 6>(); N];
        for (momentum, dof) in momentum.iter_mut().zip(panel.start as usize..panel.end as usize) {
            *momentum = inertia_mul(&w.crb[t.tree.dofs[dof].body as usize], &w.cdof[dof]);
        }
        for tile in panels.tiles(p) {
            let column = panels.columns[tile] as usize;
            tiles[tile] = [[L::zero(); N]; N];
            add_products(&mut tiles[tile], &axes[column], t.tree.free_slides[column], &momentum);
        }
        // rows that fill the panel up are those of the unit matrix
        for pad in panel.len()..N {
            tiles[panels.tiles(p).end - 1][pad][pad] = L::splat(1.0);
        }
    }
}

/// Adds the products of motion axes, which are the first N unit translations if `slides`, with momenta (or wrenches).
#[inline(always)]
pub(crate) fn add_products<L: Lane, const N: usize>(
    tile: &mut Tile<L, N>,
    axes: &[V6<L>; N],
    slides: bool,
    wrenches: &[V6<L>; N],
) {
    for r in 0..N {
        if slides {
            for c in 0..3 {
                tile[r][c] += wrenches[r][3 + c];
            }
            continue;
        }
        for c in 0..N {
            tile[r][c] += dot6(&axes[c], &wrenches[r]);
        }
    }
}

/// `y = M x`
#[inline(always)]
pub(crate) fn mul_m<L: Lane>(t: &Tables<L>, M: &[L], x: &[L], y: &mut [L], padded: &mut [Vec<L>; 2]) {
    let panels = &t.tree.panels;
    if panels.full {
        mul_side(panels, M, x, y);
        return;
    }
    let [full_x, full_y] = padded;
    pad(panels, x, full_x);
    mul_side(panels, M, full_x, full_y);
    unpad(panels, full_y, y);
}

#[inline(always)]
fn mul_side<L: Lane>(panels: &Panels, M: &[L], x: &[L], y: &mut [L]) {
    if panels.side == 3 { mul_tiles::<L, 3>(panels, M, x, y) } else { mul_tiles::<L, 4>(panels, M, x, y) }
}

#[inline(always)]
fn mul_tiles<L: Lane, const N: usize>(panels: &Panels, M: &[L], x: &[L], y: &mut [L]) {
    let (tiles, x, y) = (tiles_of::<L, N>(M), x.as_chunks::<N>().0, y.as_chunks_mut::<N>().0);
    for p in 0..panels.dofs.len() {
        let range = panels.tiles(p);
        let (diagonal, own) = (&tiles[range.end - 1], x[p]);
        let mut sum = [L::zero(); N];
        for r in 0..N {
            sum[r] = diagonal[r][r].mul_add(own[r], sum[r]);
            for c in 0..r {
                sum[r] = diagonal[r][c].mul_add(own[c], sum[r]);
                sum[c] = diagonal[r][c].mul_add(own[r], sum[c]);
            }
        }
        for tile in range.start..range.end - 1 {
            let column = panels.columns[tile] as usize;
            let (tile, other) = (&tiles[tile], x[column]);
            let mut above = y[column];
            for r in 0..N {
                for c in 0..N {
                    sum[r] = tile[r][c].mul_add(other[c], sum[r]);
                    above[c] = tile[r][c].mul_add(own[r], above[c]);
                }
            }
            y[column] = above;
        }
        y[p] = sum;
    }
}
