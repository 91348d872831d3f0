// Passes over the tree of bodies: sums from the root down, and from the leaves up.
#pragma once
#include "world.cuh"

// Motion of every body by its own joints, for velocities (or any other dof vector) `x`.
DEV void own_motion(const Env& e, const real* x, real (&v)[RB][6]) {
  World& w = e.w;
  FORB(r, b) {
    for (int k = 0; k < 6; ++k) v[r][k] = 0;
    const int first = body_dofadr(b), count = body_dofnum(b);
    for (int d = first; d < first + count; ++d) { real s[6]; load6(w.cdof + 8 * d, s); axpy6(x[d], s, v[r]); }
  }
}
// Adds what the ancestors have, by pointer jumping; the result also stands in `body`. Body 0 must bring zeros.
DEV void sum_down(const Env& e, real (&v)[RB][6]) {
  World& w = e.w;
  FORB(r, b) store6(w.body + 8 * b, v[r]);
  SYNC();
  UNROLL for (int t = 0; t < NJUMP; ++t) {
    FORB(r, b) { real s[6]; load6(w.body + 8 * body_jump(t * NB + b), s); axpy6(1, s, v[r]); }
    SYNC();
    FORB(r, b) store6(w.body + 8 * b, v[r]);
    SYNC();
  }
}
// Adds to every body what its descendants have: a lane takes one component of all bodies. `UP_SUM` lists the
// pairs (body, parent), last body first.
template <int STRIDE, int COUNT> DEV void sum_up(const Env& e, real* rows) {
  (void)e;
#if NB <= 48
  FOR_LANES(c, COUNT) {
    real x[NB];
    UNROLL for (int b = 1; b < NB; ++b) x[b] = rows[STRIDE * b + c];
#define ADD(b, p) x[p] += x[b];
    UP_SUM(ADD)
#undef ADD
    UNROLL for (int b = 1; b < NB; ++b) rows[STRIDE * b + c] = x[b];
  }
#else
  FOR_LANES(c, COUNT) for (int b = NB - 1; b > 0; --b) { const int p = body_parentid(b); if (p > 0) rows[STRIDE * p + c] += rows[STRIDE * b + c]; }
#endif
  SYNC();
}
