// Newton's direction: the gradient over the Hessian, with the vectors that couplings add.
#pragma once
#include "columns.cuh"

#if DENSE_ROWS
// Rows of the Hessian in registers; `columns`: how many vectors there are between trees.
DEV void solve_rows(const Tree& t, int ncon, bool coupled, int columns) {
  Dense h;
  spread(t, h);
#if TREE_WARPS
  if (opaque(columns > 0)) gather_columns(ncon);
#endif
  if (!ALWAYS_ROWS || opaque(coupled))
    each_coupling(ncon, IN_TREE, [&](int number, const real(&u)[RD]) { add_vector(h, number, u); });
  TREE_SYNC();
  eliminate_rows(h, columns);
#if TREE_WARPS
  if (opaque(columns > 0)) {
    keep_columns(h, columns);
    correct(h.x, h.inv, columns);
  }
#endif
  substitute_rows(h);
}
#endif

// The direction, in `Z`; `coupled`: how many vectors there are.
DEV void solve_hessian(Tree& t, int ncon, int coupled) {
  (void)ncon, (void)coupled;
  int columns = 0; // vectors that are right-hand sides
#if COLUMNS
  columns = TREE_WARPS && opaque(coupled > 0) ? count_vectors(ncon, BETWEEN_TREES) : coupled;
  if (opaque(columns > NCOL)) {
    spread_dense(t);
    add_couplings(ncon);
    solve_dense();
    return;
  }
#endif
#if DENSE_ROWS
  if (ALWAYS_ROWS || opaque(coupled > 0)) {
    solve_rows(t, ncon, coupled > 0, columns);
    return;
  }
#endif
#if !ALWAYS_ROWS
  Solution s;
#if COLUMNS && !TREE_WARPS
  const bool few = opaque(columns > 0);
  if (few) gather_columns(ncon); // the factor takes the place of the wrenches
#endif
  factor(t, s);
#if COLUMNS && !TREE_WARPS
  if (opaque(few)) {
    FOR_TREE(k, columns) descend(WORLD.W + k);
    correct(s.x, s.inv, columns);
  }
#endif
  finish(t, s);
#endif
}
