// Vectors of couplings as columns beside the right-hand side: what they have in common is a small dense system
// (Woodbury). Large worlds take all couplings so, those in which each tree has a warp the ones between trees. Where
// they are too many for that, all of the Hessian goes to device memory.
#pragma once
#include "dense.cuh"

#if COLUMNS
// All of the Hessian, lower triangle by columns, so that lanes with neighbouring rows are neighbours in memory.
#define DENSE(i, j) (KEPT.dense[(j) * (2 * NV - 1 - (j)) / 2 + (i)])
// Adds s * column[n] to row `d` of it, from column `first` on up to the diagonal.
DEV void add_to_row(int d, int first, real s, const real* column) {
  real* p = &DENSE(d, first);
  int gap = NV - 1 - first; // to the same row of the next column
  UNROLL4 for (int a = first; a <= d; ++a) {
    *p += s * *column++;
    p += gap--;
  }
}
DEV void spread_dense(const Tree& t) {
  FOR_LANES(i, NDENSE) KEPT.dense[i] = 0;
  SYNC();
  FORD(r, d) {
    UNROLL for (int l = 0; l < NLEV - 1; ++l)
      if (l < t.lev[r]) DENSE(d, dof_path(d * NLEV + l)) = t.h[r][l];
    DENSE(d, d) = t.diagonal[r];
    WORLD.Z[d] = t.g[r];
  }
  SYNC();
}
// All vectors of the couplings go into the dense matrix.
DEV_CALL void add_couplings(int ncon) {
  each_coupling(ncon, ANYWHERE, [=](int, const real(&u)[RD]) {
    FORD(r, d) WORLD.W[d] = u[r];
    SYNC();
    FORD(r, d)
      if (u[r] != 0) add_to_row(d, 0, u[r], WORLD.W);
    SYNC();
  });
}
// L D L' of the dense matrix by columns.
DEV_CALL void solve_dense() {
  World& w = WORLD;
  ROLLED for (int k = 0; k < NV; ++k) {
    const real inv = r_div(1, DENSE(k, k));
    FORD(r, d)
      if (d > k) {
        const real l = DENSE(d, k) * inv;
        w.Z[d] -= l * w.Z[k];
        if (l != 0) add_to_row(d, k + 1, -l, &DENSE(k + 1, k));
      }
    SYNC();
  }
  ROLLED for (int k = NV - 1; k >= 0; --k) {
    const real xk = r_div(w.Z[k], DENSE(k, k));
    SYNC();
    FORD(r, d) {
      if (d < k) w.Z[d] -= DENSE(k, d) * xk;
      else if (d == k) w.Z[d] = xk;
    }
    SYNC();
  }
}

#if TREE_WARPS
// Vectors between trees are columns of W.
DEV_CALL void gather_columns(int ncon) {
  FORD(r, d) {
    UNROLL for (int k = 0; k < NCOL; k += 4)
      store4(WORLD.W + WROW * d + k, 0, 0, 0, 0);
  }
  each_coupling(ncon, BETWEEN_TREES, [=](int number, const real(&u)[RD]) {
    FORD(r, d) WORLD.W[WROW * d + number] = u[r];
  });
}
// They become D^-1/2 L'^-1 u.
DEV void keep_columns(const Dense& h, int columns) {
  FORD(r, d) {
    const real root = r_sqrt(h.inv[r]);
    ROLLED for (int k = 0; k < columns; ++k)
      WORLD.W[WROW * d + k] *= root;
  }
}
#else
// All vectors, as columns of W.
DEV_CALL void gather_columns(int ncon) {
  each_coupling(ncon, ANYWHERE, [=](int number, const real(&u)[RD]) {
    FORD(r, d) WORLD.W[WROW * d + number] = u[r];
  });
  SYNC();
}
// A column of W becomes D^-1/2 L'^-1 times itself, in the lane that has it.
DEV void descend(real* column) {
  const World& w = WORLD;
#if UNROLLED_TREE // the header lists the rows of the factor, the last dof first, and their entries
  real u[TREE_DOFS], v[NH], c = 0;
  UNROLL for (int d = 0; d < TREE_DOFS; ++d)
    u[d] = column[WROW * (TREE_FIRST + d)];
#define ROW(d, place)                                                                                                  \
  {                                                                                                                    \
    const real* row = w.L + NH * (TREE_FIRST + place);                                                                 \
    UNROLL for (int l = 0; l < NH; l += 4) load4(row + l, v + l);                                                      \
    c = u[d] * v[NH - 1];                                                                                              \
    column[WROW * (TREE_FIRST + d)] = u[d] * r_sqrt(v[NH - 1]);                                                        \
  }
#define ENTRY(level, a) u[a] -= c * v[level];
  TREE_ROWS(ROW, ENTRY)
#undef ENTRY
#undef ROW
#else
  ROLLED for (int d = NV - 1; d >= 0; --d) {
    const real *row = w.L + NH * d, u = column[WROW * d], c = u * row[NH - 1];
    const int level = dof_level(d);
    ROLLED for (int l = 0; l < level; ++l)
      column[WROW * dof_path(d * NLEV + l)] -= c * row[l];
    column[WROW * d] = u * r_sqrt(row[NH - 1]);
  }
#endif
}
#endif
// With T = L'DL, w = D^-1/2 L'^-1 u for each column and z for the right-hand side, S y = W'z has S = 1 + W'W, and z - W
// y stands in place of z. `x` is the right-hand side after elimination, `inv` the inverse pivots.
DEV void correct(real (&x)[RD], const real (&inv)[RD], int count) {
  World& w = WORLD;
  const int quads = (count + 4) / 4;
  real* part = w.S + (TREE_WARPS ? THIS_PART * NCOL * WROW : 0);
  FORD(r, d) w.W[WROW * d + count] = x[r] * r_sqrt(inv[r]);
  TREE_SYNC();
  FOR_TREE(item, count * quads) { // products of the columns, with the right-hand side as the last
    const int i = item / quads, q = 4 * (item - i * quads);
    real sum[4] = {0, 0, 0, 0};
    UNROLL4 for (int d = TREE_FIRST; d < TREE_FIRST + TREE_SIZE; ++d) {
      real v[4];
      load4(w.W + WROW * d + q, v);
      for (int n = 0; n < 4; ++n) sum[n] += w.W[WROW * d + i] * v[n];
    }
    UNROLL for (int n = 0; n < 4; ++n)
      sum[n] += THIS_PART == 0 && q + n == i;
    store4(part + WROW * i + q, sum[0], sum[1], sum[2], sum[3]);
  }
  SYNC();
  if (TREE_WARPS) { // sums over the trees, in their order
    FOR_LANES(item, count * quads) {
      const int i = item / quads, at = WROW * i + 4 * (item - i * quads);
      real sum[4], v[4];
      load4(w.S + at, sum);
      UNROLL for (int p = 1; p < PARTS; ++p) {
        load4(w.S + p * NCOL * WROW + at, v);
        for (int n = 0; n < 4; ++n) sum[n] += v[n];
      }
      store4(w.S + at, sum[0], sum[1], sum[2], sum[3]);
    }
    SYNC();
  }
  ROLLED for (int k = 0; k < count; ++k) { // every other row takes in row k, until the matrix is diagonal
    const real* pivot = w.S + WROW * k;
    const real over = r_div(1, pivot[k]);
    FOR_LANES(i, count)
      if (i != k) {
        real* row = w.S + WROW * i;
        const real c = row[k] * over;
        ROLLED for (int q = k / 4 * 4; q <= count; q += 4) {
          real y[4], v[4];
          load4(row + q, y);
          load4(pivot + q, v);
          store4(row + q, y[0] - c * v[0], y[1] - c * v[1], y[2] - c * v[2], y[3] - c * v[3]);
        }
      }
    SYNC();
  }
  FORD(r, d) {
    real z = w.W[WROW * d + count];
    ROLLED for (int k = 0; k < count; ++k)
      z -= w.W[WROW * d + k] * r_div(w.S[WROW * k + count], w.S[WROW * k + k]);
    x[r] = z * r_rsqrt(inv[r]);
  }
}
#endif
