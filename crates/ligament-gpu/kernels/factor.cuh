// Factor on the tree's pattern and solutions: L'DL, pivots from the deepest level to the root (Featherstone 2008
// sec. 6.5). Rows stay in registers. Pivots of a level write theirs to shared memory, and their ancestors take them in.
#pragma once
#include "hessian.cuh"

#if !WHOLE_ROWS
#if UNROLLED_TREE && TREE_DOFS <= 32
typedef unsigned Below;
#define LAST_BIT 31
#elif UNROLLED_TREE
typedef unsigned long long Below;
#define LAST_BIT 63
#endif
// A right-hand side, which becomes the solution; inverse pivots; where the own row stands in `L`.
struct Solution {
  real x[RD], inv[RD];
  int row[RD];
#if UNROLLED_TREE
  Below below[RD]; // which pivots are descendants
#endif
};
// Lanes of a level write their rows, entries below `top`, with the inverse pivot and the right-hand side.
DEV void write_pivots(Tree& t, Solution& s, int level, int top) {
  FORD(r, d)
    if (t.lev[r] == level) {
      s.inv[r] = r_div(1, t.diagonal[r]);
      real* row = WORLD.L + s.row[r];
      t.h[r][NH - 2] = s.x[r];
      t.h[r][NH - 1] = s.inv[r];
      UNROLL for (int l = 0; l < NH; l += 4)
        if (l < top || l == NH - 4) store4(row + l, t.h[r][l], t.h[r][l + 1], t.h[r][l + 2], t.h[r][l + 3]);
    }
  TREE_SYNC();
}
DEV void write_solutions(const Tree& t, const Solution& s, int level) {
  FORD(r, d)
    if (t.lev[r] == level) WORLD.Z[d] = s.x[r];
  TREE_SYNC();
}

#if UNROLLED_TREE
// All lanes read one row after the other, and those of its ancestors take it in. Small trees are unrolled (the header
// lists their pivots, `TREE_PIVOTS`), larger ones over quads of levels only: what does not fit the instruction cache
// costs more than the few operations on entries that a row does not have.
DEV void take_pivot(Tree& t, Solution& s, const real* row, int bit, int top) {
  real v[NH];
  UNROLL for (int l = 0; l < NH; l += 4)
    if (l < top || l == NH - 4) load4(row + l, v + l);
  UNROLL for (int r = 0; r < RD; ++r) {
    const real h = row[t.lev[r]], c = s.below[r] >> bit & 1 ? h * v[NH - 1] : (real)0;
    t.diagonal[r] -= c * h;
    s.x[r] -= c * v[NH - 2];
    UNROLL for (int l = 0; l < NLEV - 1; ++l)
      if (l < top) t.h[r][l] -= c * v[l];
  }
}
// Subtracts what the ancestors at a level contribute; `h`: entry of the factor there. Lanes without such an ancestor,
// or without a dof, compute along to no effect: that is cheaper than to keep them out.
DEV void take_solution(const Tree& t, Solution& s, int r, int quad, int level, real h) {
  s.x[r] -= h * WORLD.Z[ancestor(t, r, DOF_OF_SLOT(r), quad, level)];
}
#if SMALL_TREE
DEV void place_rows(Solution& s) {
  FORD(r, d) {
    s.below[r] = (unsigned)dof_below_own(d);
    s.row[r] = NH * d;
  }
}
DEV void eliminate(Tree& t, Solution& s) {
#define LEVEL(level) write_pivots(t, s, level, level);
#define PIVOT(level, dof) take_pivot(t, s, WORLD.L + NH * (TREE_FIRST + dof), dof, level);
  TREE_PIVOTS(LEVEL, PIVOT)
#undef PIVOT
#undef LEVEL
}
DEV void substitute(const Tree& t, Solution& s) {
  UNROLL for (int level = 0; level < NLEV; ++level) {
    write_solutions(t, s, level);
    if (level < NLEV - 1) UNROLL
      for (int r = 0; r < RD; ++r) take_solution(t, s, r, level / 4 * 4, level, t.h[r][level] * s.inv[r]);
  }
}
#else
// Rows stand in the order of levels: the next pivot is the one before.
#if TREE_DOFS <= 32
DEV Below below_in_order(int d) { return (unsigned)dof_below_in_order(d); }
#else
DEV Below below_in_order(int d) {
  return (Below)(unsigned)dof_below_in_order(2 * d + 1) << 32 | (unsigned)dof_below_in_order(2 * d);
}
#endif
DEV void place_rows(Solution& s) {
  FORD(r, d) {
    s.below[r] = below_in_order(d);
    s.row[r] = NH * (TREE_FIRST + dof_order(d));
  }
}
DEV int count_at(const Tree& t, int level) {
  int count = 0;
  UNROLL for (int r = 0; r < RD; ++r)
    count += TREE_WARPS ? group_count(t.lev[r] == level) : lane_count(t.lev[r] == level);
  return count;
}
DEV void eliminate(Tree& t, Solution& s) {
  const real* row = WORLD.L + NH * (TREE_FIRST + TREE_DOFS);
  UNROLL for (int quad = (NLEV - 1) / 4 * 4; quad >= 0; quad -= 4) ROLLED
    for (int level = quad + 3 < NLEV ? quad + 3 : NLEV - 1; level >= quad; --level) {
      write_pivots(t, s, level, quad + 3);
      if (level > 0) ROLLED
        for (int n = count_at(t, level); n > 0; --n) {
          row -= NH;
          take_pivot(t, s, row, LAST_BIT, quad + 3);
          UNROLL for (int r = 0; r < RD; ++r)
            s.below[r] <<= 1;
        }
    }
}
DEV void substitute(const Tree& t, Solution& s) {
  UNROLL for (int quad = 0; quad < NLEV; quad += 4) ROLLED
    for (int level = quad; level < (quad + 4 < NLEV ? quad + 4 : NLEV); ++level) {
      write_solutions(t, s, level);
      UNROLL for (int r = 0; r < RD; ++r)
        take_solution(t, s, r, quad, level, WORLD.L[s.row[r] + level] * s.inv[r]);
    }
}
#endif
#else
// Many dofs: every lane takes the rows of its own descendants. Code is unrolled over quads of levels only.
DEV void place_rows(Solution& s) {
  FORD(r, d) s.row[r] = NH * d;
}
// Descendants of dof d at a level, a word of bits at a time; bit k of a word is dof `first_bit` + k.
DEV unsigned below_at(int d, int level, int word) {
  return d < NV ? (unsigned)dof_below_at((level * NBELOW + word) * NV + d) : 0;
}
DEV int first_bit(int d, int word) { return d + 32 * word; }
DEV void eliminate(Tree& t, Solution& s) {
  UNROLL for (int quad = (NLEV - 1) / 4 * 4; quad >= 0; quad -= 4) ROLLED
    for (int level = quad + 3 < NLEV ? quad + 3 : NLEV - 1; level >= quad; --level) {
      write_pivots(t, s, level, quad + 3);
      if (level > 0) UNROLL_SLOTS
        for (int r = 0; r < RD; ++r) UNROLL
          for (int word = 0; word < NBELOW; ++word) {
            const int d = LANE + r * LANES;
            unsigned left = below_at(d, level, word);
            while (group_any(left != 0))
              if (left) {
                const int k = LOWEST_BIT(left) + first_bit(d, word);
                left &= left - 1;
                const real* row = WORLD.L + NH * k;
                real v[NH];
                UNROLL for (int l = 0; l < NH; l += 4)
                  if (l < quad + 3 || l == NH - 4) load4(row + l, v + l);
                const real h = row[t.lev[r]], c = h * v[NH - 1];
                t.diagonal[r] -= c * h;
                s.x[r] -= c * v[NH - 2];
                UNROLL for (int l = 0; l < NLEV - 2; ++l)
                  if (l < quad + 3) t.h[r][l] -= c * v[l];
              }
          }
    }
}
DEV void substitute(const Tree& t, Solution& s) {
  UNROLL for (int quad = 0; quad < NLEV; quad += 4) ROLLED
    for (int level = quad; level < (quad + 4 < NLEV ? quad + 4 : NLEV); ++level) {
      write_solutions(t, s, level);
      FORD(r, d)
        if (level < t.lev[r]) s.x[r] -= WORLD.L[s.row[r] + level] * s.inv[r] * WORLD.Z[ancestor(t, r, d, quad, level)];
    }
}
#endif

// The factor, with the gradient as right-hand side.
DEV void factor(Tree& t, Solution& s) {
  UNROLL for (int r = 0; r < RD; ++r)
    s.row[r] = 0;
#if UNROLLED_TREE
  UNROLL for (int r = 0; r < RD; ++r)
    s.below[r] = 0;
#endif
  place_rows(s);
  FORD(r, d) s.x[r] = t.g[r];
  FOR_GROUP(n, 1) WORLD.Z[NV] = 0; // what stands for ancestors that are none
  eliminate(t, s);
}
// The solution, in `Z`.
DEV void finish(const Tree& t, Solution& s) {
  UNROLL for (int r = 0; r < RD; ++r)
    s.x[r] *= s.inv[r];
  substitute(t, s);
}
#endif
