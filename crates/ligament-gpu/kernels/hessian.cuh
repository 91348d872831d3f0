// The Hessian of Newton's method, M + J'CJ, as a composite sum: a body carries its inertia and the stiffness of its
// contacts, both 6x6, summed from the leaves to the root as the composite-rigid-body algorithm does and projected on
// the motion axes. So it has the sparsity of the tree: row d has an entry for every ancestor of d, kept by level. Rows
// of several dofs add to entries of that pattern.
#pragma once
#include "rows.cuh"

#define NCW ((NCON + 31) / 32)
#define COLUMN(r, i) (6 + DIMMAX * (r) + (i)) // in the wrench of a coupling contact
#define WRENCH(side) (16 + 6 * (side)) // there too, where it has no more than three directions: the wrench on each side
#define RANK_EPS (sizeof(real) == 4 ? (real)1e-6 : (real)1e-13)

// Do both sides of a contact move? Then its stiffness couples branches.
DEV bool couples(int c) { return HAS_COUPLING && (WORLD.rank[c] & COUPLES); }

// C = sum of columns l l', as many as it has rank; directions that rounding decides are left out (they would only
// change how fast Newton's method converges).
DEV int cone_columns(const real (*C)[DIMMAX], real (*l)[DIMMAX]) {
  real rest[DIMMAX][DIMMAX];
  int rank = 0;
  UNROLL for (int i = 0; i < DIMMAX; ++i) UNROLL
    for (int j = 0; j < DIMMAX; ++j) {
      rest[i][j] = C[i][j];
      l[i][j] = 0;
    }
  UNROLL for (int k = 0; k < DIMMAX; ++k)
    if (rest[k][k] > RANK_EPS * C[k][k]) {
      const real inv = 1 / r_sqrt(rest[k][k]);
      real col[DIMMAX];
      UNROLL for (int i = 0; i < DIMMAX; ++i)
        col[i] = i >= k ? rest[i][k] * inv : (real)0;
      UNROLL for (int i = 0; i < DIMMAX; ++i) {
        UNROLL for (int j = 0; j < DIMMAX; ++j)
          rest[i][j] -= col[i] * col[j];
        UNROLL for (int r = 0; r < DIMMAX; ++r)
          if (r == rank) l[r][i] = col[i];
      }
      ++rank;
    }
  return rank;
}

// Force `f` and stiffness `C` of contact c, in its frame, as a wrench and a 6x6 matrix about the point of the body that
// carries it.
DEV void spatial_effect(int c, int dim, const real* f, const real (*C)[DIMMAX], real* o) {
  const Frame fr = contact_frame(c);
  const int b = body_moves(fr.b2) ? fr.b2 : fr.b1;
  const real side = b == fr.b2 ? 1 : -1;
  real off[3];
  arm_to(fr.pos, b, off);
#if DIMMAX <= 3
  // without torques: G = sum of C_ij a_i a_j' over the axes, then [off]x G and [off]x G [off]x'
  real F[3] = {0, 0, 0}, G[3][3], X[3][3];
  UNROLL for (int p = 0; p < 3; ++p) UNROLL
    for (int q = 0; q < 3; ++q) G[p][q] = 0;
  real axis[DIMMAX][3];
  UNROLL for (int i = 0; i < DIMMAX; ++i) {
    const real scale = edge_scale(c, i);
    for (int k = 0; k < 3; ++k) axis[i][k] = scale * fr.axis[i][k];
    axpy3(side * f[i], axis[i], F);
  }
  UNROLL for (int i = 0; i < DIMMAX; ++i) {
    real m[3] = {0, 0, 0};
    UNROLL for (int j = 0; j < DIMMAX; ++j)
      axpy3(C[i][j], axis[j], m);
    UNROLL for (int p = 0; p < 3; ++p) UNROLL
      for (int q = p; q < 3; ++q) G[p][q] += axis[i][p] * m[q];
  }
  G[1][0] = G[0][1];
  G[2][0] = G[0][2];
  G[2][1] = G[1][2];
  cross(off, F, o);
  copy3(F, o + 3);
  UNROLL for (int q = 0; q < 3; ++q) {
    real t[3];
    cross(off, G[q], t);
    for (int p = 0; p < 3; ++p) o[12 + 3 * p + q] = X[p][q] = t[p];
  }
  real t[3];
  cross(off, X[0], t);
  o[6] = t[0];
  o[7] = t[1];
  o[8] = t[2];
  cross(off, X[1], t);
  o[9] = t[1];
  o[10] = t[2];
  o[11] = off[0] * X[2][1] - off[1] * X[2][0];
  o[21] = G[0][0];
  o[22] = G[0][1];
  o[23] = G[0][2];
  o[24] = G[1][1];
  o[25] = G[1][2];
  o[26] = G[2][2];
  (void)dim;
#else
  real wr[DIMMAX][6], m[6];
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    contact_wrench(c, fr, off, i, wr[i]);
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    if (i < dim) {
      for (int a = 0; a < 6; ++a) {
        o[a] += side * f[i] * wr[i][a];
        m[a] = 0;
        UNROLL for (int j = 0; j < DIMMAX; ++j)
          m[a] += C[i][j] * wr[j][a];
      }
      const real* x = wr[i];
      o[6] += x[0] * m[0];
      o[7] += x[0] * m[1];
      o[8] += x[0] * m[2];
      o[9] += x[1] * m[1];
      o[10] += x[1] * m[2];
      o[11] += x[2] * m[2];
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) o[12 + 3 * p + q] += x[p] * m[3 + q];
      o[21] += x[3] * m[3];
      o[22] += x[3] * m[4];
      o[23] += x[3] * m[5];
      o[24] += x[4] * m[4];
      o[25] += x[4] * m[5];
      o[26] += x[5] * m[5];
    }
#endif
}
// Force and stiffness of contact c on the body that carries it: 6 + 21 numbers. For a coupling contact the force
// about each tree's own point is made where it is used, and the columns of C stand in place of the stiffness.
DEV void contact_effect(int c, const Con& k) {
  World& w = WORLD;
  real f[DIMMAX], C[DIMMAX][DIMMAX], o[NK];
  cone_force(c, k, k.c, f);
  cone_curvature(c, k, k.c, C);
  for (int i = 0; i < NK; ++i) o[i] = 0;
  if (couples(c)) {
    real l[DIMMAX][DIMMAX];
    w.rank[c] = COUPLES | cone_columns(C, l);
    UNROLL for (int i = 0; i < DIMMAX; ++i) {
      o[i] = f[i];
      UNROLL for (int r = 0; r < DIMMAX; ++r)
        if (COLUMN(r, i) < NK) o[COLUMN(r, i)] = l[r][i];
    }
#if DIMMAX <= 3
    const Frame fr = contact_frame(c);
    real F[3] = {0, 0, 0};
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      axpy3(f[i] * edge_scale(c, i), fr.axis[i], F);
    UNROLL for (int side = 0; side < 2; ++side) {
      real off[3], G[3], t[3];
      for (int n = 0; n < 3; ++n) G[n] = side ? F[n] : -F[n];
      arm_to(fr.pos, side ? fr.b2 : fr.b1, off);
      cross(off, G, t);
      for (int n = 0; n < 3; ++n) {
        o[WRENCH(side) + n] = t[n];
        o[WRENCH(side) + 3 + n] = G[n];
      }
    }
#endif
  } else spatial_effect(c, k.dim, f, C, o);
  UNROLL for (int i = 0; i < NK; i += 4)
    store4(w.wrench + NK * c + i, o[i], o[i + 1], o[i + 2], o[i + 3]);
}
// Inertia in the layout of stiffness, and the force -I a.
DEV void inertia_effect(const real* i, const real* a, real* o) {
  inertia_mul(i, a, o);
  for (int k = 0; k < 6; ++k) o[k] = -o[k];
  o[6] = i[0];
  o[7] = i[3];
  o[8] = i[4];
  o[9] = i[1];
  o[10] = i[5];
  o[11] = i[2];
  o[12] = 0;
  o[13] = -i[8];
  o[14] = i[7];
  o[15] = i[8];
  o[16] = 0;
  o[17] = -i[6];
  o[18] = -i[7];
  o[19] = i[6];
  o[20] = 0;
  o[21] = i[9];
  o[22] = 0;
  o[23] = 0;
  o[24] = i[9];
  o[25] = 0;
  o[26] = i[9];
  o[27] = 0;
}
DEV void stiffness_mul(const real* k, const real* s, real* o) {
  o[0] = k[6] * s[0] + k[7] * s[1] + k[8] * s[2] + k[12] * s[3] + k[13] * s[4] + k[14] * s[5];
  o[1] = k[7] * s[0] + k[9] * s[1] + k[10] * s[2] + k[15] * s[3] + k[16] * s[4] + k[17] * s[5];
  o[2] = k[8] * s[0] + k[10] * s[1] + k[11] * s[2] + k[18] * s[3] + k[19] * s[4] + k[20] * s[5];
  o[3] = k[12] * s[0] + k[15] * s[1] + k[18] * s[2] + k[21] * s[3] + k[22] * s[4] + k[23] * s[5];
  o[4] = k[13] * s[0] + k[16] * s[1] + k[19] * s[2] + k[22] * s[3] + k[24] * s[4] + k[25] * s[5];
  o[5] = k[14] * s[0] + k[17] * s[1] + k[20] * s[2] + k[23] * s[3] + k[25] * s[4] + k[26] * s[5];
}

#if HAS_FLUID_SLOPE
// Takes time times the slope of the fluid's forces off the inertia of a body; its force is what the acceleration
// changes of them.
DEV void take_fluid_slope(int b, const real* accel, real* o) {
  real k[6 + NSLOPE], f[6];
  for (int i = 0; i < 6; ++i) k[i] = 0;
  UNROLL for (int i = 0; i < NSLOPE; i += 4)
    load4(WORLD.fluid + NSLOPE * b + i, k + 6 + i);
  stiffness_mul(k, accel, f);
  for (int i = 0; i < 6; ++i) o[i] = TIMESTEP * f[i];
  UNROLL for (int i = 6; i < 27; ++i)
    o[i] -= TIMESTEP * k[i];
}
#endif

// Bodies' forces and stiffness, summed over subtrees. `mine`: contacts of each body of this lane, second side and
// first. Without `contacts`: for forces that the integrator treats implicitly.
DEV void composite(int ncon, const Rows& rows, const unsigned (&mine)[RB][NCW], bool contacts) {
  World& w = WORLD;
  if (contacts) {
    FOR_CON(r, c) contact_effect(c, rows.con[r]);
    MEET(rows);
  }
  FORB(r, b) {
    real o[NK], i[12];
    for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    real a[6];
    load6(w.accel + 8 * b, a);
    inertia_effect(i, a, o);
#if HAS_FLUID_SLOPE
    if (!contacts) take_fluid_slope(b, a, o);
#endif
    if (contacts) UNROLL
      for (int word = 0; word < NCW; ++word)
        for (unsigned m = mine[r][word]; m; m &= m - 1) {
          const int c = 32 * word + LOWEST_BIT(m);
          const real* p = w.wrench + NK * c;
          if (couples(c)) {
#if DIMMAX <= 3
            p += WRENCH(b == w.con_b[2 * c + 1]);
            for (int k = 0; k < 6; ++k) o[k] += p[k];
#else
            const Frame f = contact_frame(c);
            real off[3], wr[6];
            arm_to(f.pos, b, off);
            const real side = b == f.b2 ? 1 : -1;
            UNROLL for (int k = 0; k < DIMMAX; ++k) {
              contact_wrench(c, f, off, k, wr);
              axpy6(side * p[k], wr, o);
            }
#endif
          } else UNROLL
            for (int k = 0; k < NK; k += 4) {
              real x[4];
              load4(p + k, x);
              for (int n = 0; n < 4; ++n) o[k + n] += x[n];
            }
        }
    UNROLL for (int k = 0; k < NK; k += 4)
      store4(w.stiff + NK * b + k, o[k], o[k + 1], o[k + 2], o[k + 3]);
  }
  TREE_SYNC();
  sum_up<NK, 27>(w.stiff);
}

// The tree's part of the Hessian: row d by level of the ancestor in the registers of the lane of d (or by the ancestor
// itself, where rows are whole), and its part of the gradient.
#if WHOLE_ROWS
struct Tree {
  real g[RD], diagonal[RD], h[RD][PAD4(NV)];
};
DEV void project(Tree& t) {
  World& w = WORLD;
  UNROLL for (int r = 0; r < RD; ++r) {
    t.g[r] = 0;
    t.diagonal[r] = 1;
    UNROLL for (int a = 0; a < PAD4(NV); ++a)
      t.h[r][a] = 0;
  }
  FORD(r, d) {
    const unsigned up = (unsigned)body_dofs(dof_bodyid(d));
    real k[NK], s[6], f[6];
    UNROLL for (int i = 0; i < NK; i += 4)
      load4(w.stiff + NK * dof_bodyid(d) + i, k + i);
    load6(w.cdof + 8 * d, s);
    stiffness_mul(k, s, f);
    t.g[r] = dot6(s, k);
    t.diagonal[r] = dof_armature(d) + dot6(s, f);
    UNROLL for (int a = 0; a < NV - 1; ++a) {
      real axis[6];
      load6(w.cdof + 8 * a, axis);
      t.h[r][a] = up >> a & 1 ? dot6(axis, f) : (real)0;
    }
  }
}
DEV void add_entry(Tree& t, int r, int d, int a, real x) {
  if (a < d && above(dof_bodyid(d), a)) UNROLL
    for (int l = 0; l < NV - 1; ++l) t.h[r][l] += l == a ? x : (real)0;
}
#else
struct Tree {
  real g[RD], diagonal[RD], h[RD][NH];
  int lev[RD];
  unsigned path[RD][NPATH];
}; // path: ancestors from the root down, packed
// The ancestor at a level; `quad`: the multiple of four at or below it, known when this is compiled.
DEV int ancestor(const Tree& t, int r, int d, int quad, int level) {
  if (PATH_BITS > 8) return dof_path(d * NLEV + level);
  return t.path[r][quad / 4] >> 8 * (level - quad) & 255;
}
DEV void project(Tree& t) {
  World& w = WORLD;
  UNROLL for (int r = 0; r < RD; ++r) {
    t.lev[r] = -1;
    UNROLL for (int k = 0; k < NPATH; ++k)
      t.path[r][k] = 0;
  }
  FORD(r, d) {
    UNROLL for (int k = 0; k < NPATH; ++k)
      t.path[r][k] = (unsigned)dof_packed(d * NPATH + k);
    real k[NK], s[6], f[6];
    UNROLL for (int i = 0; i < NK; i += 4)
      load4(w.stiff + NK * dof_bodyid(d) + i, k + i);
    load6(w.cdof + 8 * d, s);
    stiffness_mul(k, s, f);
    t.g[r] = dot6(s, k);
    t.diagonal[r] = dof_armature(d) + dot6(s, f);
    t.lev[r] = dof_level(d);
    UNROLL for (int l = 0; l < NH; ++l)
      if (l < NLEV - 1) {
        real a[6];
        load6(w.cdof + 8 * ancestor(t, r, d, l / 4 * 4, l), a);
        t.h[r][l] = dot6(a, f);
      } else t.h[r][l] = 0;
  }
}
// Adds `x` to the entry of dof d and an ancestor; others have none.
DEV void add_entry(Tree& t, int r, int d, int a, real x) {
  const int at = dof_level(a);
  if (at < t.lev[r] && dof_path(d * NLEV + at) == a) UNROLL
    for (int l = 0; l < NLEV - 1; ++l) t.h[r][l] += l == at ? x : (real)0;
}
#endif
// Adds weight * J_d J_a to the entries of dof d and its ancestors a, for a row with entries J at `dofs`.
DEV void add_outer(Tree& t, int r, int d, real weight, const real* J, const int* dofs, int count) {
  real jd = 0;
  ROLLED for (int i = 0; i < count; ++i)
    if (dofs[i] == d) jd = J[i];
  ROLLED for (int i = 0; i < count; ++i) {
    const real x = weight * jd * J[i];
    if (dofs[i] == d) t.diagonal[r] += x;
    else add_entry(t, r, d, dofs[i], x);
  }
}

// Gradient and Hessian of all rows but coupling ones; returns how many vectors those add.
DEV int add_rows(int ncon, Rows& rows, Tree& t) {
  World& w = WORLD;
  int coupled = 0;
#if NSROW > 0
  FOR_SPARSE(r, s) {
    w.srow_f[s] = row_force(rows.sparse[r], rows.sparse[r].x);
    w.srow_h[s] = row_curvature(rows.sparse[r], rows.sparse[r].x);
    coupled += !srow_in_tree(s) && w.srow_h[s] != 0;
  }
  SYNC();
#endif
  FORD(r, d) {
    const Row& l = rows.limit[r];
    t.g[r] += w.smooth[d] - dof_armature(d) * w.acc[d] + rows.sign[r] * row_force(l, l.x);
    t.diagonal[r] += row_curvature(l, l.x);
#if HAS_DOF_FRICTION
    const Row& f = rows.friction[r];
    t.g[r] += row_force(f, f.x);
    t.diagonal[r] += row_curvature(f, f.x);
#endif
#if NSROW > 0
    ROLLED for (int i = dof_srowadr(d); i < dof_srowadr(d + 1); ++i) {
      const int s = dof_srow(i), first = srow_adr(s);
      t.g[r] += w.srow_J[dof_srow_entry(i)] * w.srow_f[s];
      if (srow_in_tree(s) && w.srow_h[s] != 0)
        add_outer(t, r, d, w.srow_h[s], w.srow_J + first, &srow_dof(first), srow_adr(s + 1) - first);
    }
#endif
  }
  if (HAS_COUPLING)
    FOR_CON(r, c) coupled += w.rank[c] & (COUPLES - 1);
  return rows_total(rows, coupled);
}
