// Passes over the tree of bodies: sums from the root down, and from the leaves up.
#pragma once
#include "world.cuh"

// Adds to the vector of every body, in `body`, what its ancestors have: by pointer jumping. Body 0 must bring zeros.
DEV void sum_down() {
  World& w = WORLD;
  real v[RB][6];
  TREE_SYNC();
  Jumps jumps[RB];
  FORB(r, b) {
    load6(w.body + 8 * b, v[r]);
    jumps[r] = jumps_of(b);
  }
  ROLLED for (int t = 0; t < NJUMP; ++t) {
    FORB(r, b) {
      real s[6];
      load6(w.body + 8 * jump_of(jumps[r], b, t), s);
      axpy6(1, s, v[r]);
    }
    TREE_SYNC();
    FORB(r, b) store6(w.body + 8 * b, v[r]);
    TREE_SYNC();
  }
}
// Motions of all bodies in `body`, for velocities or any other dof vector of the world.
DEV void body_motion(int place) {
  World& w = WORLD;
  const real* x = at_place(place);
  FORB(r, b) {
    real v[6] = {0, 0, 0, 0, 0, 0};
#if NOWN <= 4
    const unsigned own = (unsigned)body_own(b);
    UNROLL for (int k = 0; k < NOWN; ++k) {
      const int d = own >> 8 * k & 255;
      real s[6];
      load6(w.cdof + 8 * d, s);
      axpy6(x[d], s, v);
    } // entries that are none are the axis of zeros
    if (HAS_FREE)
      if (const int first = body_free(b); first >= 0)
        for (int k = 0; k < 3; ++k) v[3 + k] += x[first + k];
#else
    const int first = body_dofadr(b), count = body_dofnum(b);
    ROLLED for (int d = first; d < first + count; ++d) {
      real s[6];
      load6(w.cdof + 8 * d, s);
      axpy6(x[d], s, v);
    }
#endif
    store6(w.body + 8 * b, v);
  }
  sum_down();
}
// Adds to every body what its descendants have. Small trees: a lane takes one component of all bodies; `UP_SUM` lists
// the pairs (body, parent), last body first. Large ones: bodies of one depth at a time take in their children, 32 lanes
// a body.
template <int STRIDE, int COUNT> DEV void sum_up(real* rows) {
#if (NB <= 48 && LANES <= 32) || TREE_WARPS
#define ADD(b, p) x[p] += x[b];
#if TREE_WARPS
  enum { LAST = TREE_BODIES };
  rows += STRIDE * TREE_BODIES * THIS_GROUP;
#else
  enum { LAST = NB - 1 };
#endif
  FOR_GROUP(c, COUNT) {
    real x[LAST + 1];
    UNROLL for (int b = 1; b <= LAST; ++b)
      x[b] = rows[STRIDE * b + c];
#if TREE_WARPS
    TREE_UP_SUM(ADD)
#else
    UP_SUM(ADD)
#endif
    UNROLL for (int b = 1; b <= LAST; ++b) rows[STRIDE * b + c] = x[b];
  }
#undef ADD
  TREE_SYNC();
#else
  static_assert(COUNT <= 32, "");
  ROLLED for (int k = 0; k < NDEPTH; ++k) {
    const int first = depth_adr(k), n = depth_adr(k + 1) - first;
    FOR_LANES(i, 32 * n)
      if (const int c = i & 31; c < COUNT) {
        const int at = first + (i >> 5), b = depth_body(at), end = child_adr(at + 1);
        real sum = rows[STRIDE * b + c];
        ROLLED for (int j = child_adr(at); j < end; ++j)
          sum += rows[STRIDE * child(j) + c];
        rows[STRIDE * b + c] = sum;
      }
    SYNC();
  }
#endif
}
