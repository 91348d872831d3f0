// The constraint solver: Newton's method on the cost of the acceleration (book, "Primal problem").
//
// The Hessian M + J'CJ is a composite sum: a body carries its inertia and the stiffness of its contacts, both 6x6,
// summed from the leaves to the root as the composite-rigid-body algorithm does and projected on the motion axes. So it
// has the sparsity of the tree: row d has an entry for every ancestor of d, kept by level. Rows of several dofs add to
// entries of that pattern; where branches couple (a contact between two moving bodies, a row across branches) the same
// rows are written into a dense matrix and the couplings added.
#pragma once
#include "cone.cuh"

#define TRI(i, j) ((i) * ((i) + 1) / 2 + (j))
#define NCW ((NCON + 31) / 32)
#define COLUMN(r, i) (6 + DIMMAX * (r) + (i)) // in the wrench of a coupling contact
#define RANK_EPS (sizeof(real) == 4 ? (real)1e-6 : (real)1e-13)

struct Rows { // what a lane keeps of its dofs, contacts and sparse rows
  Row limit[RD]; real sign[RD];
#if HAS_DOF_FRICTION
  Row friction[RD];
#endif
  Con con[RC];
#if NSROW > 0
  Row sparse[RS];
#endif
};
#define FOR_CON(r, c) UNROLL for (int r = 0; r < RC; ++r) if (const int c = LANE + r * LANES; c < ncon)
#define FOR_SPARSE(r, s) FOR_SLOTS(r, s, NSROW)

DEV void make_rows(int ncon, Rows& rows) {
  FORD(r, d) {
    limit_row(d, rows.limit[r], rows.sign[r]);
#if HAS_DOF_FRICTION
    friction_row(d, rows.friction[r]);
#endif
  }
  FOR_CON(r, c) contact_row(c, rows.con[r]);
#if NSROW > 0
  FOR_SPARSE(r, s) sparse_row(s, rows.sparse[r]);
  SYNC();
#endif
}
// Changes of all rows along a step: J x, for dof vector x with body motions in `body`.
DEV void set_changes(int ncon, Rows& rows, const real* x) {
  FORD(r, d) {
    rows.limit[r].v = rows.sign[r] * x[d];
#if HAS_DOF_FRICTION
    rows.friction[r].v = x[d];
#endif
  }
  FOR_CON(r, c) { const Along p = along_contact(c, rows.con[r].dim, PLACE(WORLD.body)); UNROLL for (int i = 0; i < DIMMAX; ++i) rows.con[r].v[i] = p.v[i]; }
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].v = sparse_product(s, x);
#endif
}
// Does the full step lead to other zones, or does a curved cone take part? Else it ends at the minimum.
DEV bool zones_change(int ncon, const Rows& rows) {
  bool change = false;
  auto row = [&](const Row& r) { change |= row_zone(r, r.x) != row_zone(r, r.x + r.v); };
  FORD(r, d) {
    row(rows.limit[r]);
#if HAS_DOF_FRICTION
    row(rows.friction[r]);
#endif
  }
  FOR_CON(r, c) { const Con& k = rows.con[r]; real y[DIMMAX]; UNROLL for (int i = 0; i < DIMMAX; ++i) y[i] = k.c[i] + k.v[i]; const int z = cone_zone(c, k, k.c); change |= z != cone_zone(c, k, y) || !cone_is_quadratic(z); }
#if NSROW > 0
  FOR_SPARSE(r, s) row(rows.sparse[r]);
#endif
  return lane_any(change);
}
// Slope and curvature of the cost of this lane's rows at x + alpha v.
DEV void rows_along(int ncon, const Rows& rows, real alpha, real& slope, real& curvature) {
  slope = curvature = 0;
  auto row = [&](const Row& r) { const real y = r.x + alpha * r.v; slope -= row_force(r, y) * r.v; curvature += row_curvature(r, y) * r.v * r.v; };
  FORD(r, d) {
    row(rows.limit[r]);
#if HAS_DOF_FRICTION
    row(rows.friction[r]);
#endif
  }
  FOR_CON(r, c) { const Con& k = rows.con[r]; real y[DIMMAX]; UNROLL for (int i = 0; i < DIMMAX; ++i) y[i] = k.c[i] + alpha * k.v[i]; cone_along(c, k, y, k.v, slope, curvature); }
#if NSROW > 0
  FOR_SPARSE(r, s) row(rows.sparse[r]);
#endif
}
DEV void advance_rows(int ncon, Rows& rows, real alpha) {
  FORD(r, d) {
    rows.limit[r].x += alpha * rows.limit[r].v;
#if HAS_DOF_FRICTION
    rows.friction[r].x += alpha * rows.friction[r].v;
#endif
  }
  FOR_CON(r, c) UNROLL for (int i = 0; i < DIMMAX; ++i) rows.con[r].c[i] += alpha * rows.con[r].v[i];
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].x += alpha * rows.sparse[r].v;
#endif
}

// Do both sides of a contact move? Then its stiffness couples branches.
DEV bool couples(int c) { return HAS_COUPLING && (WORLD.rank[c] & COUPLES); }

// C = sum of columns l l', as many as it has rank; directions that rounding decides are left out (they would only
// change how fast Newton's method converges).
DEV int cone_columns(const real (*C)[DIMMAX], real (*l)[DIMMAX]) {
  real rest[DIMMAX][DIMMAX]; int rank = 0; UNROLL for (int i = 0; i < DIMMAX; ++i) UNROLL for (int j = 0; j < DIMMAX; ++j) { rest[i][j] = C[i][j]; l[i][j] = 0; }
  UNROLL for (int k = 0; k < DIMMAX; ++k) if (rest[k][k] > RANK_EPS * C[k][k]) {
    const real inv = 1 / r_sqrt(rest[k][k]); real col[DIMMAX]; UNROLL for (int i = 0; i < DIMMAX; ++i) col[i] = i >= k ? rest[i][k] * inv : (real)0;
    UNROLL for (int i = 0; i < DIMMAX; ++i) { UNROLL for (int j = 0; j < DIMMAX; ++j) rest[i][j] -= col[i] * col[j]; UNROLL for (int r = 0; r < DIMMAX; ++r) if (r == rank) l[r][i] = col[i]; }
    ++rank;
  }
  return rank;
}

// Force `f` and stiffness `C` of contact c, in its frame, as a wrench and a 6x6 matrix about the point of the body that carries it.
DEV void spatial_effect(int c, int dim, const real* f, const real (*C)[DIMMAX], real* o) {
  const Frame fr = contact_frame(c); const int b = body_moves(fr.b2) ? fr.b2 : fr.b1; const real side = b == fr.b2 ? 1 : -1; real off[3]; arm_to(fr.pos, b, off);
#if DIMMAX <= 3
  // without torques: G = sum of C_ij a_i a_j' over the axes, then [off]x G and [off]x G [off]x'
  real F[3] = {0, 0, 0}, G[3][3], X[3][3]; UNROLL for (int p = 0; p < 3; ++p) UNROLL for (int q = 0; q < 3; ++q) G[p][q] = 0;
  real axis[DIMMAX][3]; UNROLL for (int i = 0; i < DIMMAX; ++i) { const real scale = edge_scale(c, i); for (int k = 0; k < 3; ++k) axis[i][k] = scale * fr.axis[i][k]; axpy3(side * f[i], axis[i], F); }
  UNROLL for (int i = 0; i < DIMMAX; ++i) {
    real m[3] = {0, 0, 0}; UNROLL for (int j = 0; j < DIMMAX; ++j) axpy3(C[i][j], axis[j], m);
    UNROLL for (int p = 0; p < 3; ++p) UNROLL for (int q = p; q < 3; ++q) G[p][q] += axis[i][p] * m[q];
  }
  G[1][0] = G[0][1]; G[2][0] = G[0][2]; G[2][1] = G[1][2];
  cross(off, F, o); copy3(F, o + 3);
  UNROLL for (int q = 0; q < 3; ++q) { real t[3]; cross(off, G[q], t); for (int p = 0; p < 3; ++p) o[12 + 3 * p + q] = X[p][q] = t[p]; }
  real t[3]; cross(off, X[0], t); o[6] = t[0]; o[7] = t[1]; o[8] = t[2]; cross(off, X[1], t); o[9] = t[1]; o[10] = t[2]; o[11] = off[0] * X[2][1] - off[1] * X[2][0];
  o[21] = G[0][0]; o[22] = G[0][1]; o[23] = G[0][2]; o[24] = G[1][1]; o[25] = G[1][2]; o[26] = G[2][2];
  (void)dim;
#else
  real wr[DIMMAX][6], m[6]; UNROLL for (int i = 0; i < DIMMAX; ++i) contact_wrench(c, fr, off, i, wr[i]);
  UNROLL for (int i = 0; i < DIMMAX; ++i) if (i < dim) {
    for (int a = 0; a < 6; ++a) { o[a] += side * f[i] * wr[i][a]; m[a] = 0; UNROLL for (int j = 0; j < DIMMAX; ++j) m[a] += C[i][j] * wr[j][a]; }
    const real* x = wr[i];
    o[6] += x[0] * m[0]; o[7] += x[0] * m[1]; o[8] += x[0] * m[2]; o[9] += x[1] * m[1]; o[10] += x[1] * m[2]; o[11] += x[2] * m[2];
    for (int p = 0; p < 3; ++p) for (int q = 0; q < 3; ++q) o[12 + 3 * p + q] += x[p] * m[3 + q];
    o[21] += x[3] * m[3]; o[22] += x[3] * m[4]; o[23] += x[3] * m[5]; o[24] += x[4] * m[4]; o[25] += x[4] * m[5]; o[26] += x[5] * m[5];
  }
#endif
}
// Force and stiffness of contact c on the body that carries it: 6 + 21 numbers. For a coupling contact the force
// about each tree's own point is made where it is used, and the columns of C stand in place of the stiffness.
DEV void contact_effect(int c, const Con& k) {
  World& w = WORLD; real f[DIMMAX], C[DIMMAX][DIMMAX], o[NK]; cone_force(c, k, k.c, f); cone_curvature(c, k, k.c, C);
  for (int i = 0; i < NK; ++i) o[i] = 0;
  if (couples(c)) {
    real l[DIMMAX][DIMMAX]; w.rank[c] = COUPLES | cone_columns(C, l);
    UNROLL for (int i = 0; i < DIMMAX; ++i) { o[i] = f[i]; UNROLL for (int r = 0; r < DIMMAX; ++r) if (COLUMN(r, i) < NK) o[COLUMN(r, i)] = l[r][i]; }
  } else spatial_effect(c, k.dim, f, C, o);
  UNROLL for (int i = 0; i < NK; i += 4) store4(w.wrench + NK * c + i, o[i], o[i + 1], o[i + 2], o[i + 3]);
}
// Inertia in the layout of stiffness, and the force -I a.
DEV void inertia_effect(const real* i, const real* a, real* o) {
  inertia_mul(i, a, o); for (int k = 0; k < 6; ++k) o[k] = -o[k];
  o[6] = i[0]; o[7] = i[3]; o[8] = i[4]; o[9] = i[1]; o[10] = i[5]; o[11] = i[2];
  o[12] = 0; o[13] = -i[8]; o[14] = i[7]; o[15] = i[8]; o[16] = 0; o[17] = -i[6]; o[18] = -i[7]; o[19] = i[6]; o[20] = 0;
  o[21] = i[9]; o[22] = 0; o[23] = 0; o[24] = i[9]; o[25] = 0; o[26] = i[9]; o[27] = 0;
}
DEV void stiffness_mul(const real* k, const real* s, real* o) {
  o[0] = k[6] * s[0] + k[7] * s[1] + k[8] * s[2] + k[12] * s[3] + k[13] * s[4] + k[14] * s[5];
  o[1] = k[7] * s[0] + k[9] * s[1] + k[10] * s[2] + k[15] * s[3] + k[16] * s[4] + k[17] * s[5];
  o[2] = k[8] * s[0] + k[10] * s[1] + k[11] * s[2] + k[18] * s[3] + k[19] * s[4] + k[20] * s[5];
  o[3] = k[12] * s[0] + k[15] * s[1] + k[18] * s[2] + k[21] * s[3] + k[22] * s[4] + k[23] * s[5];
  o[4] = k[13] * s[0] + k[16] * s[1] + k[19] * s[2] + k[22] * s[3] + k[24] * s[4] + k[25] * s[5];
  o[5] = k[14] * s[0] + k[17] * s[1] + k[20] * s[2] + k[23] * s[3] + k[25] * s[4] + k[26] * s[5];
}

// Bodies' forces and stiffness, summed over subtrees. `mine`: contacts of each body of this lane, second side and first.
DEV void composite(int ncon, const Rows& rows, const unsigned (&mine)[RB][NCW], bool contacts) {
  World& w = WORLD;
  if (contacts) { FOR_CON(r, c) contact_effect(c, rows.con[r]); SYNC(); }
  FORB(r, b) {
    real o[NK], i[12]; for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    real a[6]; load6(w.accel + 8 * b, a); inertia_effect(i, a, o);
    if (contacts) UNROLL for (int word = 0; word < NCW; ++word) for (unsigned m = mine[r][word]; m; m &= m - 1) {
      const int c = 32 * word + LOWEST_BIT(m); const real* p = w.wrench + NK * c;
      if (couples(c)) {
        const Frame f = contact_frame(c); real off[3], wr[6]; arm_to(f.pos, b, off); const real side = b == f.b2 ? 1 : -1;
        UNROLL for (int k = 0; k < DIMMAX; ++k) { contact_wrench(c, f, off, k, wr); axpy6(side * p[k], wr, o); }
      } else UNROLL for (int k = 0; k < NK; k += 4) { real x[4]; load4(p + k, x); for (int n = 0; n < 4; ++n) o[k + n] += x[n]; }
    }
    UNROLL for (int k = 0; k < NK; k += 4) store4(w.stiff + NK * b + k, o[k], o[k + 1], o[k + 2], o[k + 3]);
  }
  TREE_SYNC();
  sum_up<NK, 27>(w.stiff);
}

// The tree's part of the Hessian: row d by level of the ancestor in the registers of the lane of d, and its part of the
// gradient.
struct Tree { real g[RD], diagonal[RD], h[RD][NH]; int lev[RD]; unsigned path[RD][NPATH]; }; // path: ancestors from the root down, packed
// The ancestor at a level; `quad`: the multiple of four at or below it, known when this is compiled.
DEV int ancestor(const Tree& t, int r, int d, int quad, int level) {
  if (PATH_BITS > 8) return dof_path(d * NLEV + level);
  return t.path[r][quad / 4] >> 8 * (level - quad) & 255;
}
DEV void project(Tree& t) {
  World& w = WORLD; UNROLL for (int r = 0; r < RD; ++r) { t.lev[r] = -1; UNROLL for (int k = 0; k < NPATH; ++k) t.path[r][k] = 0; }
  FORD(r, d) {
    UNROLL for (int k = 0; k < NPATH; ++k) t.path[r][k] = (unsigned)dof_packed(d * NPATH + k);
    real k[NK], s[6], f[6]; UNROLL for (int i = 0; i < NK; i += 4) load4(w.stiff + NK * dof_bodyid(d) + i, k + i);
    load6(w.cdof + 8 * d, s); stiffness_mul(k, s, f);
    t.g[r] = dot6(s, k); t.diagonal[r] = dof_armature(d) + dot6(s, f); t.lev[r] = dof_level(d);
    UNROLL for (int l = 0; l < NH; ++l) if (l < NLEV - 1) { real a[6]; load6(w.cdof + 8 * ancestor(t, r, d, l / 4 * 4, l), a); t.h[r][l] = dot6(a, f); } else t.h[r][l] = 0;
  }
}
// Adds weight * J_d J_a to the entries of dof d and its ancestors a, for a row with entries J at `dofs`.
DEV void add_outer(Tree& t, int r, int d, real weight, const real* J, const int* dofs, int count) {
  real jd = 0; ROLLED for (int i = 0; i < count; ++i) if (dofs[i] == d) jd = J[i];
  ROLLED for (int i = 0; i < count; ++i) {
    const int a = dofs[i], at = dof_level(a); const real x = weight * jd * J[i];
    if (a == d) t.diagonal[r] += x;
    else if (at < t.lev[r] && dof_path(d * NLEV + at) == a) UNROLL for (int l = 0; l < NLEV - 1; ++l) t.h[r][l] += l == at ? x : (real)0;
  }
}

// Gradient and Hessian of all rows but coupling ones; returns how many vectors those add.
DEV int add_rows(int ncon, Rows& rows, Tree& t) {
  World& w = WORLD; int coupled = 0;
#if NSROW > 0
  FOR_SPARSE(r, s) { w.srow_f[s] = row_force(rows.sparse[r], rows.sparse[r].x); w.srow_h[s] = row_curvature(rows.sparse[r], rows.sparse[r].x); coupled += !srow_in_tree(s) && w.srow_h[s] != 0; }
  SYNC();
#endif
  FORD(r, d) {
    const Row& l = rows.limit[r];
    t.g[r] += w.smooth[d] - dof_armature(d) * w.acc[d] + rows.sign[r] * row_force(l, l.x); t.diagonal[r] += row_curvature(l, l.x);
#if HAS_DOF_FRICTION
    const Row& f = rows.friction[r]; t.g[r] += row_force(f, f.x); t.diagonal[r] += row_curvature(f, f.x);
#endif
#if NSROW > 0
    ROLLED for (int i = dof_srowadr(d); i < dof_srowadr(d + 1); ++i) {
      const int s = dof_srow(i), first = srow_adr(s); t.g[r] += w.srow_J[dof_srow_entry(i)] * w.srow_f[s];
      if (srow_in_tree(s) && w.srow_h[s] != 0) add_outer(t, r, d, w.srow_h[s], w.srow_J + first, &srow_dof(first), srow_adr(s + 1) - first);
    }
#endif
  }
  if (HAS_COUPLING) FOR_CON(r, c) coupled += w.rank[c] & (COUPLES - 1);
  return lane_total(coupled);
}

#if TREE_WARPS || (TREE_DOFS == NV && NV <= 64)
// Factor on the tree's pattern and solutions, right-hand sides and results in Z: L'DL, pivots from the deepest level to the
// root (Featherstone 2008 sec. 6.5). Rows stay in registers. Pivots of a level write theirs to shared memory; then all lanes read
// one after the other, and those of its ancestors take it in. Small trees are unrolled (the header lists their pivots,
// `TREE_PIVOTS`), larger ones over quads of levels only: what does not fit the instruction cache costs more than the few
// operations on entries that a row does not have.
#if TREE_DOFS <= 32
typedef unsigned Below;
#define LAST_BIT 31
#else
typedef unsigned long long Below;
#define LAST_BIT 63
#endif
struct Solution { real x[RD][NRHS], inv[RD]; Below below[RD]; int row[RD]; }; // below: which pivots are descendants; row: where the own one stands
// Lanes of a level write their rows, entries below `top`.
DEV void write_pivots(Tree& t, Solution& s, int level, int top) {
  FORD(r, d) if (t.lev[r] == level) {
    s.inv[r] = r_div(1, t.diagonal[r]); real* row = WORLD.L + s.row[r]; t.h[r][NH - 1] = s.inv[r];
    if (NRHS == 1) t.h[r][NH - 2] = s.x[r][0]; else store4(row + RHS, s.x[r][0], s.x[r][1 % NRHS], s.x[r][2 % NRHS], s.x[r][3 % NRHS]);
    UNROLL for (int l = 0; l < NH; l += 4) if (l < top || l == NH - 4) store4(row + l, t.h[r][l], t.h[r][l + 1], t.h[r][l + 2], t.h[r][l + 3]);
  }
  TREE_SYNC();
}
DEV void take_pivot(Tree& t, Solution& s, const real* row, int bit, int top) {
  real v[NH], y[4];
  UNROLL for (int l = 0; l < NH; l += 4) if (l < top || l == NH - 4) load4(row + l, v + l);
  if (NRHS == 1) y[0] = v[NH - 2]; else load4(row + RHS, y);
  UNROLL for (int r = 0; r < RD; ++r) {
    const real h = row[t.lev[r]], c = s.below[r] >> bit & 1 ? h * v[NH - 1] : (real)0; t.diagonal[r] -= c * h;
    UNROLL for (int n = 0; n < NRHS; ++n) s.x[r][n] -= c * y[n];
    UNROLL for (int l = 0; l < NLEV - 1; ++l) if (l < top) t.h[r][l] -= c * v[l];
  }
}
DEV void write_solutions(const Tree& t, const Solution& s, int level) {
  FORD(r, d) if (t.lev[r] == level) { if (NRHS == 1) WORLD.Z[d] = s.x[r][0]; else store4(WORLD.Z + NRHS * d, s.x[r][0], s.x[r][1 % NRHS], s.x[r][2 % NRHS], s.x[r][3 % NRHS]); }
  TREE_SYNC();
}
// Subtracts what the ancestors at a level contribute; `h`: entry of the factor there. Lanes without such an ancestor, or without a
// dof, compute along to no effect: that is cheaper than to keep them out.
DEV void take_solution(const Tree& t, Solution& s, int r, int quad, int level, real h) {
  const int a = ancestor(t, r, DOF_OF_SLOT(r), quad, level); real z[4]; if (NRHS == 1) z[0] = WORLD.Z[a]; else load4(WORLD.Z + NRHS * a, z);
  UNROLL for (int n = 0; n < NRHS; ++n) s.x[r][n] -= h * z[n];
}
#if SMALL_TREE
DEV void place_rows(Solution& s) { FORD(r, d) { s.below[r] = (unsigned)dof_below_own(d); s.row[r] = LROW * d; } }
DEV void eliminate(Tree& t, Solution& s) {
#define LEVEL(level) write_pivots(t, s, level, level);
#define PIVOT(level, dof) take_pivot(t, s, WORLD.L + LROW * (TREE_FIRST + dof), dof, level);
  TREE_PIVOTS(LEVEL, PIVOT)
#undef PIVOT
#undef LEVEL
}
DEV void substitute(const Tree& t, Solution& s) {
  UNROLL for (int level = 0; level < NLEV; ++level) { write_solutions(t, s, level); if (level < NLEV - 1) UNROLL for (int r = 0; r < RD; ++r) take_solution(t, s, r, level / 4 * 4, level, t.h[r][level] * s.inv[r]); }
}
#else
// Rows stand in the order of levels: the next pivot is the one before.
#if TREE_DOFS <= 32
DEV Below below_in_order(int d) { return (unsigned)dof_below_in_order(d); }
#else
DEV Below below_in_order(int d) { return (Below)(unsigned)dof_below_in_order(2 * d + 1) << 32 | (unsigned)dof_below_in_order(2 * d); }
#endif
DEV void place_rows(Solution& s) { FORD(r, d) { s.below[r] = below_in_order(d); s.row[r] = LROW * (TREE_FIRST + dof_order(d)); } }
DEV int count_at(const Tree& t, int level) {
  int count = 0; UNROLL for (int r = 0; r < RD; ++r) count += TREE_WARPS ? group_count(t.lev[r] == level) : lane_count(t.lev[r] == level);
  return count;
}
DEV void eliminate(Tree& t, Solution& s) {
  const real* row = WORLD.L + LROW * (TREE_FIRST + TREE_DOFS);
  UNROLL for (int quad = (NLEV - 1) / 4 * 4; quad >= 0; quad -= 4) ROLLED for (int level = quad + 3 < NLEV ? quad + 3 : NLEV - 1; level >= quad; --level) {
    write_pivots(t, s, level, quad + 3);
    if (level > 0) ROLLED for (int n = count_at(t, level); n > 0; --n) { row -= LROW; take_pivot(t, s, row, LAST_BIT, quad + 3); UNROLL for (int r = 0; r < RD; ++r) s.below[r] <<= 1; }
  }
}
DEV void substitute(const Tree& t, Solution& s) {
  UNROLL for (int quad = 0; quad < NLEV; quad += 4) ROLLED for (int level = quad; level < (quad + 4 < NLEV ? quad + 4 : NLEV); ++level) {
    write_solutions(t, s, level); UNROLL for (int r = 0; r < RD; ++r) take_solution(t, s, r, quad, level, WORLD.L[s.row[r] + level] * s.inv[r]);
  }
}
#endif
DEV void solve_tree(Tree& t) {
  World& w = WORLD; Solution s; UNROLL for (int r = 0; r < RD; ++r) { s.below[r] = 0; s.row[r] = 0; }
  place_rows(s);
  FORD(r, d) { if (NRHS == 1) s.x[r][0] = w.Z[d]; else load4(w.Z + NRHS * d, s.x[r]); }
  FOR_GROUP(n, NRHS) w.Z[NRHS * NV + n] = 0; // what stands for ancestors that are none
  eliminate(t, s);
  UNROLL for (int r = 0; r < RD; ++r) UNROLL for (int n = 0; n < NRHS; ++n) s.x[r][n] *= s.inv[r];
  substitute(t, s);
}
#else
// Descendants of dof d at a level, a word of bits at a time; bit k of a word is dof `first_bit` + k.
DEV unsigned below_at(int d, int level, int word) { return d < NV ? (unsigned)dof_below_at((level * NBELOW + word) * NV + d) : 0; }
DEV int first_bit(int d, int word) { return d + 32 * word; }
// The same for many dofs: pivots of a level write their rows, and every lane takes those of its own descendants. Code is
// unrolled over quads of levels only: what does not fit the instruction cache costs more than the few operations on
// entries that a row does not have.
DEV void solve_tree(Tree& t) {
  World& w = WORLD; real x[RD][NRHS], inv[RD];
  FORD(r, d) UNROLL for (int n = 0; n < NRHS; ++n) x[r][n] = w.Z[NRHS * d + n];
  UNROLL for (int quad = (NLEV - 1) / 4 * 4; quad >= 0; quad -= 4) ROLLED for (int level = quad + 3 < NLEV ? quad + 3 : NLEV - 1; level >= quad; --level) {
    FORD(r, d) if (t.lev[r] == level) {
      inv[r] = r_div(1, t.diagonal[r]); real* row = w.L + LROW * d; t.h[r][NH - 1] = inv[r];
      if (NRHS == 1) t.h[r][NH - 2] = x[r][0]; else store4(row + RHS, x[r][0], x[r][1 % NRHS], x[r][2 % NRHS], x[r][3 % NRHS]);
      UNROLL for (int l = 0; l < NH; l += 4) if (l <= quad || l == NH - 4) store4(row + l, t.h[r][l], t.h[r][l + 1], t.h[r][l + 2], t.h[r][l + 3]);
    }
    if (level == 0) break;
    SYNC();
    UNROLL for (int r = 0; r < RD; ++r) UNROLL for (int word = 0; word < NBELOW; ++word) {
      const int d = LANE + r * LANES; unsigned left = below_at(d, level, word);
      while (group_any(left != 0)) if (left) {
        const int k = LOWEST_BIT(left) + first_bit(d, word); left &= left - 1; const real* row = w.L + LROW * k; real v[NH], y[4];
        UNROLL for (int l = 0; l < NH; l += 4) if (l <= quad || l == NH - 4) load4(row + l, v + l);
        if (NRHS == 1) y[0] = v[NH - 2]; else load4(row + RHS, y);
        const real h = row[t.lev[r]], c = h * v[NH - 1]; t.diagonal[r] -= c * h;
        UNROLL for (int n = 0; n < NRHS; ++n) x[r][n] -= c * y[n];
        UNROLL for (int l = 0; l < NLEV - 2; ++l) if (l < quad + 3) t.h[r][l] -= c * v[l];
      }
    }
  }
  SYNC();
  FORD(r, d) UNROLL for (int n = 0; n < NRHS; ++n) x[r][n] *= inv[r];
  UNROLL for (int quad = 0; quad < NLEV; quad += 4) ROLLED for (int level = quad; level < (quad + 4 < NLEV ? quad + 4 : NLEV); ++level) {
    FORD(r, d) if (t.lev[r] == level) { if (NRHS == 1) w.Z[d] = x[r][0]; else store4(w.Z + NRHS * d, x[r][0], x[r][1 % NRHS], x[r][2 % NRHS], x[r][3 % NRHS]); }
    SYNC();
    FORD(r, d) if (level < t.lev[r]) {
      const int a = ancestor(t, r, d, quad, level); const real c = w.L[LROW * d + level] * inv[r];
      real z[4]; if (NRHS == 1) z[0] = w.Z[a]; else load4(w.Z + NRHS * a, z);
      UNROLL for (int n = 0; n < NRHS; ++n) x[r][n] -= c * z[n];
    }
  }
}
#endif

#if HAS_COUPLING && !WOODBURY
#define NVP PAD4(NV)
// All of the Hessian: a lane has the rows of its dofs up to the diagonal in registers. What stands beyond the diagonal is of no use, and
// no harm.
struct Dense { real row[RD][NVP], diagonal[RD], x[RD], inv[RD]; }; // x: right-hand side, then the solution
// The tree's rows, by dof instead of by level.
DEV void spread(const Tree& t, const real (&g)[RD], Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r) { h.diagonal[r] = 1; h.x[r] = h.inv[r] = 0; UNROLL for (int l = 0; l < NVP; ++l) h.row[r][l] = 0; }
  FORD(r, d) {
    unsigned up[NVW]; UNROLL for (int k = 0; k < NVW; ++k) up[k] = (unsigned)body_dofs(dof_bodyid(d) * NVW + k);
    h.diagonal[r] = t.diagonal[r]; h.x[r] = g[r];
#define ENTRY(a, level) h.row[r][a] = up[(a) / 32] >> (a) % 32 & 1 ? t.h[r][level] : (real)0;
    DOF_LEVELS(ENTRY)
#undef ENTRY
  }
  if (FIRST_LANE) UNROLL for (int k = 0; k < 2; ++k) for (int l = NV; l < NVP; ++l) WORLD.pivot[k][l] = 0;
}
// Adds u u' for a vector of which this lane has the entries of its dofs. Two places in turn: who writes one has seen all read it.
DEV void add_vector(Dense& h, int number, const real (&u)[RD]) {
  real* all = WORLD.pivot[number & 1];
  FORD(r, d) all[d] = u[r];
  SYNC();
  UNROLL for (int l = 0; l < NVP; l += 4) { real v[4]; load4(all + l, v); UNROLL for (int r = 0; r < RD; ++r) for (int n = 0; n < 4; ++n) h.row[r][l + n] += u[r] * v[n]; }
  UNROLL for (int r = 0; r < RD; ++r) h.diagonal[r] += u[r] * u[r];
}
// J of coupling contact c at the dofs of this lane; returns the rank of its stiffness.
DEV int contact_coupling(int c, real (&j)[RD][DIMMAX]) {
  World& w = WORLD; const int rank = w.rank[c] & (COUPLES - 1); if (rank == 0) return 0;
  const Frame f = contact_frame(c); const int dim = cls_condim(pair_cls(w.con_pair[c]));
  FORD(r, d) {
    const int sign = (int)above(f.b2, d) - (int)above(f.b1, d); real off[3], wr[6], s[6]; arm_to(f.pos, dof_bodyid(d), off); load6(w.cdof + 8 * d, s);
    UNROLL for (int i = 0; i < DIMMAX; ++i) { contact_wrench(c, f, off, i, wr); j[r][i] = i < dim ? sign * dot6(wr, s) : (real)0; }
  }
  return rank;
}
#if NSROW > 0
// The same for a sparse row across branches, times the root of its stiffness.
DEV int row_coupling(int s, real (&j)[RD][DIMMAX]) {
  World& w = WORLD; if (srow_in_tree(s) || w.srow_h[s] == 0) return 0;
  const real root = r_sqrt(w.srow_h[s]); FORD(r, d) { ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i) if (srow_dof(i) == d) j[r][0] = root * w.srow_J[i]; }
  return 1;
}
#endif
DEV void add_couplings(int ncon, Dense& h) {
  int number = 0;
  ROLLED for (int i = 0; i < ncon + NSROW; ++i) {
    real j[RD][DIMMAX]; UNROLL for (int r = 0; r < RD; ++r) UNROLL for (int n = 0; n < DIMMAX; ++n) j[r][n] = 0;
#if NSROW > 0
    const int rank = i < ncon ? contact_coupling(i, j) : row_coupling(i - ncon, j);
#else
    const int rank = contact_coupling(i, j);
#endif
    ROLLED for (int k = 0; k < rank; ++k) {
      real u[RD]; const real* column = WORLD.wrench + NK * i + COLUMN(k, 0);
      UNROLL for (int r = 0; r < RD; ++r) { u[r] = j[r][0]; if (i < ncon) { u[r] = 0; UNROLL for (int n = 0; n < DIMMAX; ++n) u[r] += column[n] * j[r][n]; } }
      add_vector(h, number++, u);
    }
  }
  SYNC();
}
// L'DL from the last dof to the first: the row of a pivot is read by all lanes, and those of earlier dofs take it in. Unrolled over quads of
// pivots, as the tree's factor.
DEV void eliminate_all(Dense& h) {
  UNROLL for (int quad = NVP - 4; quad >= 0; quad -= 4) ROLLED for (int k = quad + 3 < NV ? quad + 3 : NV - 1; k >= quad; --k) {
    real* row = WORLD.pivot[k & 1];
    FORD(r, d) if (d == k) { h.inv[r] = r_div(1, h.diagonal[r]); UNROLL for (int l = 0; l <= quad; l += 4) store4(row + l, h.row[r][l], h.row[r][l + 1], h.row[r][l + 2], h.row[r][l + 3]); row[NVP] = h.inv[r]; row[NVP + 1] = h.x[r]; }
    SYNC();
    const real inv = row[NVP], x = row[NVP + 1]; real c[RD];
    UNROLL for (int r = 0; r < RD; ++r) { const int d = DOF_OF_SLOT(r); const real e = d < k ? row[d] : (real)0; c[r] = e * inv; h.diagonal[r] -= c[r] * e; h.x[r] -= c[r] * x; }
    UNROLL for (int l = 0; l <= quad; l += 4) { real v[4]; load4(row + l, v); UNROLL for (int r = 0; r < RD; ++r) for (int n = 0; n < 4; ++n) h.row[r][l + n] -= c[r] * v[n]; }
  }
}
DEV void substitute_all(Dense& h) {
  World& w = WORLD; UNROLL for (int r = 0; r < RD; ++r) h.x[r] *= h.inv[r];
#if TREE_WARPS // a tree after the other, those after it take in what it has found
  UNROLL for (int tree = 0; tree < ALIKE_TREES; ++tree) {
    const int first = tree * TREE_DOFS;
    if (THIS_GROUP == tree) {
      UNROLL for (int a = 0; a < TREE_DOFS; ++a) { const real z = __shfl_sync(FULL, h.x[0], a); if (GROUP_LANE > a) h.x[0] -= h.row[0][first + a] * h.inv[0] * z; }
      if (GROUP_LANE < TREE_DOFS) w.Z[first + GROUP_LANE] = h.x[0];
    }
    SYNC();
    if (THIS_GROUP > tree) UNROLL for (int a = 0; a < TREE_DOFS; ++a) h.x[0] -= h.row[0][first + a] * h.inv[0] * w.Z[first + a];
  }
#else
  UNROLL for (int a = 0; a < NV; ++a) { const real z = lane_value(h.x[a / LANES], a % LANES); UNROLL for (int r = 0; r < RD; ++r) if (LANE + r * LANES > a) h.x[r] -= h.row[r][a] * h.inv[r] * z; }
  FORD(r, d) w.Z[d] = h.x[r];
#endif
}
DEV void solve_coupled(const Tree& t, const real (&g)[RD], int ncon) { Dense h; spread(t, g, h); add_couplings(ncon, h); eliminate_all(h); substitute_all(h); }
#endif
#if WOODBURY
// All of the Hessian, lower triangle by columns, so that lanes with neighbouring rows meet no bank twice.
#define HESSIAN (DENSE_OUTSIDE ? KEPT.dense : WORLD.H)
#define DENSE(i, j) ((j) * (2 * NV - 1 - (j)) / 2 + (i))
// Adds s * column[stride * n] to row `d` of it, from column `first` on up to the diagonal.
DEV void add_to_row(int d, int first, real s, const real* column, int stride) {
  real* p = HESSIAN + DENSE(d, first); int gap = NV - 1 - first; // to the same row of the next column
  UNROLL4 for (int a = first; a <= d; ++a) { *p += s * *column; column += stride; p += gap--; }
}

// Takes in one vector u of the couplings, which add the sum of u u' to the Hessian: few become right-hand sides in Z,
// many go into the dense matrix.
DEV void take_coupling(int number, bool dense, const real (&u)[RD]) {
  World& w = WORLD; const int column = dense ? 1 : 1 + number;
  FORD(r, d) w.Z[4 * d + column] = u[r];
  SYNC();
  if (!dense) return;
  FORD(r, d) if (u[r] != 0) add_to_row(d, 0, u[r], w.Z + 1, 4);
  SYNC();
}
DEV_CALL void gather_couplings(int ncon, bool dense) {
  World& w = WORLD; int number = 0; real u[RD];
  ROLLED for (int c = 0; c < ncon; ++c) {
    const int rank = w.rank[c] & (COUPLES - 1); if (rank == 0) continue;
    const Frame f = contact_frame(c); const real* l = w.wrench + NK * c; real j[RD][DIMMAX]; const int dim = cls_condim(pair_cls(w.con_pair[c]));
    FORD(r, d) {
      const int sign = (int)above(f.b2, d) - (int)above(f.b1, d); real off[3], wr[6], s[6]; arm_to(f.pos, dof_bodyid(d), off); load6(w.cdof + 8 * d, s);
      UNROLL for (int i = 0; i < DIMMAX; ++i) { j[r][i] = 0; if (sign != 0 && i < dim) { contact_wrench(c, f, off, i, wr); j[r][i] = sign * dot6(wr, s); } }
    }
    ROLLED for (int k = 0; k < rank; ++k) { FORD(r, d) { u[r] = 0; UNROLL for (int i = 0; i < DIMMAX; ++i) u[r] += l[COLUMN(k, i)] * j[r][i]; } take_coupling(number++, dense, u); }
  }
#if NSROW > 0
  ROLLED for (int s = 0; s < NSROW; ++s) if (!srow_in_tree(s) && w.srow_h[s] != 0) {
    const real root = r_sqrt(w.srow_h[s]); FORD(r, d) { u[r] = 0; ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i) if (srow_dof(i) == d) u[r] = root * w.srow_J[i]; }
    take_coupling(number++, dense, u);
  }
#endif
}
// Few couplings: H = T + U U' with the tree's T is solved by the formula of Woodbury; Z holds T^-1 (g, U).
DEV void correct_low_rank(const real (&u)[3][RD]) {
  World& w = WORLD; real s[9]; UNROLL for (int i = 0; i < 9; ++i) s[i] = 0;
  FORD(r, d) { UNROLL for (int i = 0; i < 3; ++i) { s[6 + i] += u[i][r] * w.Z[4 * d]; UNROLL for (int k = 0; k <= i; ++k) s[TRI(i, k)] += u[i][r] * w.Z[4 * d + 1 + k]; } }
  lane_sums(s);
  s[0] += 1; s[2] += 1; s[5] += 1;
  // 3x3 by L D L'
  const real l10 = s[1] / s[0], l20 = s[3] / s[0], d1 = s[2] - l10 * s[1], l21 = (s[4] - l20 * s[1]) / d1, d2 = s[5] - l20 * s[3] - l21 * l21 * d1;
  const real y1 = s[7] - l10 * s[6], y2 = s[8] - l20 * s[6] - l21 * y1, a2 = y2 / d2, a1 = y1 / d1 - l21 * a2, a0 = s[6] / s[0] - l10 * a1 - l20 * a2;
  FORD(r, d) w.Z[4 * d] -= a0 * w.Z[4 * d + 1] + a1 * w.Z[4 * d + 2] + a2 * w.Z[4 * d + 3];
  SYNC();
}
// Many couplings: L D L' of the dense matrix by columns.
DEV_CALL void solve_dense() {
  World& w = WORLD;
  ROLLED for (int k = 0; k < NV; ++k) {
    const real inv = r_div(1, HESSIAN[DENSE(k, k)]);
    FORD(r, d) if (d > k) { const real l = HESSIAN[DENSE(d, k)] * inv; w.Z[4 * d] -= l * w.Z[4 * k]; if (l != 0) add_to_row(d, k + 1, -l, HESSIAN + DENSE(k + 1, k), 1); }
    SYNC();
  }
  ROLLED for (int k = NV - 1; k >= 0; --k) {
    const real xk = r_div(w.Z[4 * k], HESSIAN[DENSE(k, k)]); SYNC();
    FORD(r, d) { if (d < k) w.Z[4 * d] -= HESSIAN[DENSE(k, d)] * xk; else if (d == k) w.Z[4 * d] = xk; }
    SYNC();
  }
}
DEV void spread_dense(const Tree& t) {
  World& w = WORLD;
  FOR_LANES(i, NDENSE) HESSIAN[i] = 0;
  SYNC();
  FORD(r, d) { UNROLL for (int l = 0; l < NLEV - 1; ++l) if (l < t.lev[r]) HESSIAN[DENSE(d, dof_path(d * NLEV + l))] = t.h[r][l]; HESSIAN[DENSE(d, d)] = t.diagonal[r]; }
  SYNC();
}
#endif

// Which contacts act on each body of this lane.
DEV void contacts_of_bodies(int ncon, unsigned (&mine)[RB][NCW]) {
  FORB(r, b) {
    UNROLL for (int k = 0; k < NCW; ++k) mine[r][k] = 0;
    if (body_moves(b)) ROLLED for (int c = 0; c < ncon; ++c) if (WORLD.con_b[2 * c] == b || WORLD.con_b[2 * c + 1] == b) UNROLL for (int k = 0; k < NCW; ++k) if (k == c >> 5) mine[r][k] |= 1u << (c & 31);
  }
}

// Length of the step along the search direction: Newton's method on the slope, kept inside a bracket.
DEV real line_search(int ncon, const Rows& rows, real slope0, real inertia, real tolerance) {
  real lo = 0, hi = -1, alpha = 0, at_zero = 0;
  ROLLED for (int k = 0; k <= LS_ITERATIONS; ++k) {
    real s, c; rows_along(ncon, rows, alpha, s, c);
    if (k == 0) { at_zero = s; alpha = 1; continue; }
    real change[2] = {s - at_zero, c}; lane_sums(change);
    // slope0 belongs to alpha = 0, rows included: only their change counts
    const real slope = slope0 + alpha * inertia + change[0], curvature = inertia + change[1];
    if (r_abs(slope) < tolerance) break;
    if (slope < 0) lo = alpha; else hi = alpha;
    real next = alpha - slope / curvature;
    if (!(next > lo) || (hi >= 0 && !(next < hi))) next = hi >= 0 ? (real)0.5 * (lo + hi) : 2 * alpha;
    if (next == alpha) break;
    alpha = next;
  }
  return alpha;
}

#if INTEGRATOR_IMPLICITFAST && NT > 0
// Acceleration of path k as far as dof d feels it: the derivative of forces by velocities has the tree's pattern, and entries that couple
// branches are left out of it.
DEV real rate_at(int k, int d) {
  const World& w = WORLD; real rate = 0;
  ROLLED for (int i = ten_adr(k); i < ten_adr(k + 1); ++i) { const int a = ten_dof(i); if (above(dof_bodyid(a), d) || above(dof_bodyid(d), a)) rate += w.ten_J[i] * w.acc[a]; }
  return rate;
}
#endif
// Damping that the integrator treats implicitly: adds h B to the Hessian, returns -h B a at each dof.
DEV void implicit_damping(Tree& t) {
  World& w = WORLD;
#if INTEGRATOR_IMPLICITFAST && NT > 0
  FOR_LANES(k, NT) { // damping of a tendon along its length, those of its actuators included
    real b = DAMPERS ? tendon_damping(k) : 0; ROLLED for (int i = ten_actadr(k); i < ten_actadr(k + 1); ++i) { const int u = ten_act(i); b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u]; }
    w.ten_frc[k] = TIMESTEP * b;
  }
  SYNC();
#endif
  FORD(r, d) {
    real b = DAMPERS ? dof_damping(d) : 0;
#if INTEGRATOR_IMPLICITFAST
    ROLLED for (int i = dof_actadr(d); i < dof_actadr(d + 1); ++i) { const int u = dof_act(i); b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u]; }
#endif
    t.g[r] = -TIMESTEP * b * w.acc[d]; t.diagonal[r] += TIMESTEP * b;
#if INTEGRATOR_IMPLICITFAST && NT > 0
    ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i) { const int k = dof_ten(i); if (w.ten_frc[k] != 0) { t.g[r] -= w.ten_J[dof_ten_entry(i)] * w.ten_frc[k] * rate_at(k, d); const int first = ten_adr(k); add_outer(t, r, d, w.ten_frc[k], w.ten_J + first, &ten_dof(first), ten_adr(k + 1) - first); } }
#endif
  }
}

// Accelerations of constrained motion in `acc` (which holds where to start); then, where the integrator asks for
// it, the acceleration with implicit damping in `x`. Returns the number of iterations.
DEV int solve(int ncon) {
  World& w = WORLD; Rows rows; unsigned mine[RB][NCW]; int iterations = 0;
  make_rows(ncon, rows);
  contacts_of_bodies(ncon, mine);
  // the warm start is the first step, from an acceleration of zero: products with it are made where those of steps are
  SYNC();
  const real none[6] = {0, 0, 0, 0, 0, 0}; FORB(r, b) store6(w.accel + 8 * b, none);
  FORD(r, d) { w.x[d] = w.acc[d]; w.acc[d] = 0; }
  bool start = opaque(true), done = opaque(false); const real scale = 1 / (MEANINERTIA * NV);
  ROLLED for (;;) {
    real g[RD]; const bool moves = opaque(!start);
    if (moves) {
      const bool last = done || iterations >= ITERATIONS;
      if (last && !IMPLICIT_DAMPING) break;
      if (iterations == 1 && IMPLICIT_DAMPING) PHASE(); // every world makes a second pass
      const bool f1 = opaque(last), f2 = opaque(last), f3 = opaque(last);
      composite(ncon, rows, mine, !f1);
      Tree t; project(t);
      int coupled = 0;
      if (f2) { implicit_damping(t); SYNC(); } else coupled = add_rows(ncon, rows, t);
      // right-hand sides take the place of the stiffness that all lanes have read by now
      FORD(r, d) { g[r] = t.g[r]; if (NRHS == 1) w.Z[d] = g[r]; else store4(w.Z + NRHS * d, g[r], 0, 0, 0); }
      SYNC();
#if WOODBURY
      const bool any = opaque(coupled > 0), dense = opaque(coupled > 3), few = opaque(coupled > 0 && coupled <= 3); real u[3][RD];
      if (dense) spread_dense(t);
      if (any) { gather_couplings(ncon, dense); FORD(r, d) UNROLL for (int k = 0; k < 3; ++k) u[k][r] = w.Z[4 * d + 1 + k]; SYNC(); } // the factor takes the place of the wrenches
      if (dense) solve_dense(); else
#elif HAS_COUPLING
      const bool any = opaque(coupled > 0);
      if (any) solve_coupled(t, g, ncon); else
#endif
      solve_tree(t);
#if WOODBURY
      if (few) correct_low_rank(u);
#endif
      (void)coupled;
      FORD(r, d) w.x[d] = w.Z[NRHS * d];
      if (f3) break;
    }
    SYNC();
    body_motion(PLACE(w.x));
    if (TREE_WARPS) SYNC(); // contacts ask bodies of any tree
    set_changes(ncon, rows, w.x);
    real alpha = 1;
    if (moves) {
      ++iterations;
      real slope0 = 0; FORD(r, d) slope0 -= g[r] * w.x[d];
      slope0 = lane_sum(slope0);
      // Newton's decrement bounds what is left to win
      if (zones_change(ncon, rows)) {
        real inertia = 0; FORD(r, d) inertia += dof_armature(d) * w.x[d] * w.x[d];
        FORB(r, b) { real step[6], f[6], i[12]; load6(w.body + 8 * b, step); for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k); inertia_mul(i, step, f); inertia += dot6(f, step); }
        inertia = lane_sum(inertia);
        alpha = line_search(ncon, rows, slope0, inertia, LS_RELATIVE * r_abs(slope0));
        done = -slope0 * scale < TOLERANCE;
      } else done = true;
    }
    start = false;
    FORD(r, d) w.acc[d] += alpha * w.x[d];
    FORB(r, b) { real step[6], a[6]; load6(w.body + 8 * b, step); load6(w.accel + 8 * b, a); axpy6(alpha, step, a); store6(w.accel + 8 * b, a); }
    advance_rows(ncon, rows, alpha);
    SYNC();
  }
#if NSENSOR > 0
  FOR_CON(r, c) cone_force(c, rows.con[r], rows.con[r].c, w.con_frc + DIMMAX * c);
#endif
  SYNC();
  return iterations;
}
