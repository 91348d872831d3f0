// Rows of the Hessian in registers, for worlds (or trees that have a warp each) of up to 48 dofs whose branches couple:
// a lane has the rows of its dofs up to the diagonal, and takes in one pivot row after the other.
#pragma once
#include "coupling.cuh"

#if DENSE_ROWS
// What stands beyond the diagonal is of no use, and no harm. x: right-hand side, then the solution.
struct Dense {
  real row[RD][NVP], diagonal[RD], x[RD], inv[RD];
};
#if WHOLE_ROWS
DEV void spread(const Tree& t, Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r) {
    h.diagonal[r] = t.diagonal[r];
    h.x[r] = t.g[r];
    h.inv[r] = 0;
    UNROLL for (int l = 0; l < NVP; ++l)
      h.row[r][l] = t.h[r][l];
  }
}
#else
// Dofs of the warp's tree, or of the world, that a body hangs on: bit a of all words.
#define DENSE_WORDS ((NVP + 31) / 32)
DEV void dofs_above(int body, unsigned (&up)[DENSE_WORDS]) {
  const int first = body * NVW + TREE_FIRST / 32, shift = TREE_FIRST % 32;
  UNROLL for (int k = 0; k < DENSE_WORDS; ++k) {
    up[k] = (unsigned)body_dofs(first + k) >> shift;
#if TREE_WARPS // they may begin in the middle of a word
    if (shift > 0 && TREE_FIRST / 32 + k + 1 < NVW) up[k] |= (unsigned)body_dofs(first + k + 1) << (32 - shift);
#endif
  }
}
// The tree's rows, by dof instead of by level.
DEV void spread(const Tree& t, Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r) {
    h.diagonal[r] = 1;
    h.x[r] = h.inv[r] = 0;
    UNROLL for (int l = 0; l < NVP; ++l)
      h.row[r][l] = 0;
  }
  FORD(r, d) {
    unsigned up[DENSE_WORDS];
    dofs_above(dof_bodyid(d), up);
    h.diagonal[r] = t.diagonal[r];
    h.x[r] = t.g[r];
#define ENTRY(a, level) h.row[r][a] = up[(a) / 32] >> (a) % 32 & 1 ? t.h[r][level] : (real)0;
    DOF_LEVELS(ENTRY)
#undef ENTRY
  }
}
#endif

// Rows that all lanes read, in two places in turn: who writes one has seen all read it.
DEV real* shared_row(int turn) { return WORLD.pivot + (2 * THIS_PART + (turn & 1)) * (NVP + 4); }
// Adds u u' for a vector of which this lane has the entries of its dofs.
DEV void add_vector(Dense& h, int turn, const real (&u)[RD]) {
  real* all = shared_row(turn);
  FORD(r, d) all[d - TREE_FIRST] = u[r];
  TREE_SYNC();
  UNROLL for (int l = 0; l < NVP; l += 4) {
    real v[4];
    load4(all + l, v);
    UNROLL for (int r = 0; r < RD; ++r)
      for (int n = 0; n < 4; ++n) h.row[r][l + n] += u[r] * v[n];
  }
  UNROLL for (int r = 0; r < RD; ++r)
    h.diagonal[r] += u[r] * u[r];
}

#if TREE_WARPS
// Takes the row of a pivot into the columns of this lane's dof.
DEV_CALL void take_columns(int k, int columns, real c) {
  World& w = WORLD;
  FORD(r, d)
    if (d - TREE_FIRST < k) {
      real *own = w.W + WROW * d, *row = w.W + WROW * (TREE_FIRST + k);
      ROLLED for (int q = 0; q < columns; q += 4) {
        real x[4], v[4];
        load4(own + q, x);
        load4(row + q, v);
        store4(own + q, x[0] - c * v[0], x[1] - c * v[1], x[2] - c * v[2], x[3] - c * v[3]);
      }
    }
}
#endif
// L'DL from the last dof to the first: the row of a pivot is read by all lanes, and those of earlier dofs take it in.
// Code is unrolled over four pivots, as that of the tree's factor.
DEV void eliminate_rows(Dense& h, int columns) {
  TREE_SYNC();
  UNROLL for (int quad = NVP - 4; quad >= 0; quad -= 4) ROLLED
    for (int k = quad + 3 < TREE_SIZE ? quad + 3 : TREE_SIZE - 1; k >= quad; --k) {
      real* row = shared_row(k);
      FORD(r, d)
        if (d - TREE_FIRST == k) {
          h.inv[r] = r_div(1, h.diagonal[r]);
          UNROLL for (int l = 0; l <= quad; l += 4)
            store4(row + l, h.row[r][l], h.row[r][l + 1], h.row[r][l + 2], h.row[r][l + 3]);
          store4(row + NVP, h.inv[r], h.x[r], 0, 0);
        }
      TREE_SYNC();
      real pivot[4], c[RD]; // its inverse, its right-hand side
      load4(row + NVP, pivot);
      UNROLL for (int r = 0; r < RD; ++r) {
        const int d = DOF_OF_SLOT(r) - TREE_FIRST;
        const real e = d < k ? row[d] : (real)0;
        c[r] = e * pivot[0];
        h.diagonal[r] -= c[r] * e;
        h.x[r] -= c[r] * pivot[1];
      }
      UNROLL for (int l = 0; l <= quad; l += 4) {
        real v[4];
        load4(row + l, v);
        UNROLL for (int r = 0; r < RD; ++r)
          for (int n = 0; n < 4; ++n) h.row[r][l + n] -= c[r] * v[n];
      }
#if TREE_WARPS
      if (columns > 0) take_columns(k, columns, c[0]);
#endif
    }
  (void)columns;
}
// From the first dof to the last, each of which the others ask for.
DEV void substitute_rows(Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r)
    h.x[r] *= h.inv[r];
  UNROLL for (int a = 0; a < TREE_SIZE; ++a) {
    const real z = group_value(h.x[SLOT_OF_DOF(a)], LANE_OF_DOF(a));
    UNROLL for (int r = 0; r < RD; ++r)
      if (DOF_OF_SLOT(r) - TREE_FIRST > a) h.x[r] -= h.row[r][a] * h.inv[r] * z;
  }
  FORD(r, d) WORLD.Z[d] = h.x[r];
}
#endif
