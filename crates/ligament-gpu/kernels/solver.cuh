// The constraint solver: Newton's method on the cost of the acceleration (book, "Primal problem").
//
// The Hessian M + J'CJ is a composite sum: a body carries its inertia and the stiffness of its contacts, both 6x6,
// summed from the leaves to the root as the composite-rigid-body algorithm does and projected on the motion axes. So it
// has the sparsity of the tree: row d has an entry for every ancestor of d, kept by level. Rows of several dofs add to
// entries of that pattern; where branches couple (a contact between two moving bodies, a row across branches) the same
// rows are written into a dense matrix and the couplings added.
#pragma once
#include "cone.cuh"

#define LROW (NLEV + 4)
#define TRI(i, j) ((i) * ((i) + 1) / 2 + (j))
#define NCW ((NCON + 31) / 32)

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

DEV void make_rows(const Env& e, int ncon, Rows& rows) {
  FORD(r, d) {
    limit_row(e, d, rows.limit[r], rows.sign[r]);
#if HAS_DOF_FRICTION
    friction_row(e, d, rows.friction[r]);
#endif
  }
  FOR_CON(r, c) contact_row(e, c, rows.con[r]);
#if NSROW > 0
  FOR_SPARSE(r, s) sparse_row(e, s, rows.sparse[r]);
  SYNC();
#endif
}
// J x of every row, for dof vector x with body motions in `body`; `out` receives the row and the product.
DEV void add_products(const Env& e, int ncon, Rows& rows, const real* x) {
  FORD(r, d) {
    rows.limit[r].x += rows.sign[r] * x[d];
#if HAS_DOF_FRICTION
    rows.friction[r].x += x[d];
#endif
  }
  FOR_CON(r, c) { real p[DIMMAX]; along_contact(e, c, rows.con[r].dim, e.w.body, p); UNROLL for (int i = 0; i < DIMMAX; ++i) rows.con[r].c[i] += p[i]; }
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].x += sparse_product(e, s, x);
#endif
}
DEV void set_changes(const Env& e, int ncon, Rows& rows, const real* x) {
  FORD(r, d) {
    rows.limit[r].v = rows.sign[r] * x[d];
#if HAS_DOF_FRICTION
    rows.friction[r].v = x[d];
#endif
  }
  FOR_CON(r, c) along_contact(e, c, rows.con[r].dim, e.w.body, rows.con[r].v);
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].v = sparse_product(e, s, x);
#endif
}
// Does the full step lead to other zones, or does a curved cone take part? Else it ends at the minimum.
DEV bool zones_change(const Env& e, int ncon, const Rows& rows) {
  bool change = false;
  auto row = [&](const Row& r) { change |= row_zone(r, r.x) != row_zone(r, r.x + r.v); };
  FORD(r, d) {
    row(rows.limit[r]);
#if HAS_DOF_FRICTION
    row(rows.friction[r]);
#endif
  }
  FOR_CON(r, c) { const Con& k = rows.con[r]; real y[DIMMAX]; UNROLL for (int i = 0; i < DIMMAX; ++i) y[i] = k.c[i] + k.v[i]; const int z = cone_zone(e, c, k, k.c); change |= z != cone_zone(e, c, k, y) || !cone_is_quadratic(z); }
#if NSROW > 0
  FOR_SPARSE(r, s) row(rows.sparse[r]);
#endif
  return lane_any(change);
}
// Slope and curvature of the cost of the rows at x + alpha v, summed over lanes.
DEV void rows_along(const Env& e, int ncon, const Rows& rows, real alpha, real& slope, real& curvature) {
  slope = curvature = 0;
  auto row = [&](const Row& r) { const real y = r.x + alpha * r.v; slope -= row_force(r, y) * r.v; curvature += row_curvature(r, y) * r.v * r.v; };
  FORD(r, d) {
    row(rows.limit[r]);
#if HAS_DOF_FRICTION
    row(rows.friction[r]);
#endif
  }
  FOR_CON(r, c) { const Con& k = rows.con[r]; real y[DIMMAX]; UNROLL for (int i = 0; i < DIMMAX; ++i) y[i] = k.c[i] + alpha * k.v[i]; cone_along(e, c, k, y, k.v, slope, curvature); }
#if NSROW > 0
  FOR_SPARSE(r, s) row(rows.sparse[r]);
#endif
  slope = lane_sum(slope); curvature = lane_sum(curvature);
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
DEV bool couples(const Env& e, int c) { return body_moves(e.w.con_b[2 * c]) && body_moves(e.w.con_b[2 * c + 1]); }

// Force and stiffness of contact c on the body that carries it: 6 + 21 numbers; for a coupling contact the force
// about each tree's own point is made where it is used, and C stands in place of the stiffness.
DEV void contact_effect(const Env& e, int c, const Con& k) {
  World& w = e.w; real f[DIMMAX], C[DIMMAX][DIMMAX], o[NK]; cone_force(e, c, k, k.c, f); cone_curvature(e, c, k, k.c, C);
  for (int i = 0; i < NK; ++i) o[i] = 0;
  if (couples(e, c)) {
    UNROLL for (int i = 0; i < DIMMAX; ++i) { o[i] = f[i]; UNROLL for (int j = 0; j <= i; ++j) o[6 + TRI(i, j)] = C[i][j]; }
  } else {
    const Frame fr = contact_frame(e, c); const int b = body_moves(fr.b2) ? fr.b2 : fr.b1; real off[3]; arm_to(e, fr.pos, b, off);
    real wr[DIMMAX][6], m[6]; UNROLL for (int i = 0; i < DIMMAX; ++i) contact_wrench(e, c, fr, off, i, wr[i]);
    const real side = b == fr.b2 ? 1 : -1;
    UNROLL for (int i = 0; i < DIMMAX; ++i) if (i < k.dim) {
      for (int a = 0; a < 6; ++a) { o[a] += side * f[i] * wr[i][a]; m[a] = 0; UNROLL for (int j = 0; j < DIMMAX; ++j) m[a] += C[i][j] * wr[j][a]; }
      const real* x = wr[i];
      o[6] += x[0] * m[0]; o[7] += x[0] * m[1]; o[8] += x[0] * m[2]; o[9] += x[1] * m[1]; o[10] += x[1] * m[2]; o[11] += x[2] * m[2];
      for (int p = 0; p < 3; ++p) for (int q = 0; q < 3; ++q) o[12 + 3 * p + q] += x[p] * m[3 + q];
      o[21] += x[3] * m[3]; o[22] += x[3] * m[4]; o[23] += x[3] * m[5]; o[24] += x[4] * m[4]; o[25] += x[4] * m[5]; o[26] += x[5] * m[5];
    }
  }
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
DEV void composite(const Env& e, int ncon, const Rows& rows, const real (&A)[RB][6], const unsigned (&mine)[RB][NCW], bool contacts) {
  World& w = e.w;
  if (contacts) { FOR_CON(r, c) contact_effect(e, c, rows.con[r]); SYNC(); }
  FORB(r, b) {
    real o[NK], i[12]; for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    inertia_effect(i, A[r], o);
    if (contacts) UNROLL for (int word = 0; word < NCW; ++word) for (unsigned m = mine[r][word]; m; m &= m - 1) {
      const int c = 32 * word + LOWEST_BIT(m); const real* p = w.wrench + NK * c;
      if (couples(e, c)) {
        const Frame f = contact_frame(e, c); real off[3], wr[6]; arm_to(e, f.pos, b, off); const real side = b == f.b2 ? 1 : -1;
        UNROLL for (int k = 0; k < DIMMAX; ++k) { contact_wrench(e, c, f, off, k, wr); axpy6(side * p[k], wr, o); }
      } else UNROLL for (int k = 0; k < NK; k += 4) { real x[4]; load4(p + k, x); for (int n = 0; n < 4; ++n) o[k + n] += x[n]; }
    }
    UNROLL for (int k = 0; k < NK; k += 4) store4(w.stiff + NK * b + k, o[k], o[k + 1], o[k + 2], o[k + 3]);
  }
  SYNC();
  sum_up<NK, 27>(e, w.stiff);
}

// The tree's part of the Hessian: diagonal `dg` and entries `h` by level of the ancestor; gradient without rows in `g`.
struct Tree { real g[RD], dg[RD], h[RD][NLEV]; int lev[RD]; };
DEV void project(const Env& e, Tree& t) {
  World& w = e.w;
  FORD(r, d) {
    real k[NK], s[6], f[6]; UNROLL for (int i = 0; i < NK; i += 4) load4(w.stiff + NK * dof_bodyid(d) + i, k + i);
    load6(w.cdof + 8 * d, s); stiffness_mul(k, s, f);
    t.g[r] = dot6(s, k); t.dg[r] = dof_armature(d) + dot6(s, f); t.lev[r] = dof_level(d);
    UNROLL for (int l = 0; l < NLEV - 1; ++l) { real a[6]; load6(w.cdof + 8 * dof_path(d * NLEV + l), a); t.h[r][l] = dot6(a, f); }
  }
}
#if NSROW > 0 || NT > 0
// Adds weight * J_d J_a to the entries of dof d and its ancestors a, for a sparse row that contains d.
DEV void add_outer(const Env& e, Tree& t, int r, int d, real weight, const real* J, int first, int last, int dof_table_is_tendon) {
  real jd = 0; for (int i = first; i < last; ++i) if ((dof_table_is_tendon ? ten_dof(i) : srow_dof(i)) == d) jd = J[i];
  for (int i = first; i < last; ++i) {
    const int a = dof_table_is_tendon ? ten_dof(i) : srow_dof(i); const real x = weight * jd * J[i];
    if (a == d) t.dg[r] += x;
    else if (a < d && dof_path(d * NLEV + dof_level(a)) == a && dof_level(a) < t.lev[r]) { const int at = dof_level(a); UNROLL for (int l = 0; l < NLEV - 1; ++l) if (l == at) t.h[r][l] += x; }
  }
}
#endif

// Gradient and Hessian of all rows but coupling ones; returns whether couplings are active.
DEV bool add_rows(const Env& e, int ncon, Rows& rows, Tree& t) {
  World& w = e.w; bool coupled = false;
#if NSROW > 0
  FOR_SPARSE(r, s) { w.srow_f[s] = row_force(rows.sparse[r], rows.sparse[r].x); w.srow_h[s] = row_curvature(rows.sparse[r], rows.sparse[r].x); coupled |= !srow_in_tree(s) && w.srow_h[s] != 0; }
  SYNC();
#endif
  FORD(r, d) {
    const Row& l = rows.limit[r]; t.g[r] += w.smooth[d] - dof_armature(d) * w.acc[d] + rows.sign[r] * row_force(l, l.x); t.dg[r] += row_curvature(l, l.x);
#if HAS_DOF_FRICTION
    const Row& f = rows.friction[r]; t.g[r] += row_force(f, f.x); t.dg[r] += row_curvature(f, f.x);
#endif
#if NSROW > 0
    for (int i = dof_srowadr(d); i < dof_srowadr(d + 1); ++i) {
      const int s = dof_srow(i); t.g[r] += w.srow_J[dof_srow_entry(i)] * w.srow_f[s];
      if (srow_in_tree(s) && w.srow_h[s] != 0) add_outer(e, t, r, d, w.srow_h[s], w.srow_J, srow_adr(s), srow_adr(s + 1), 0);
    }
#endif
  }
  FOR_CON(r, c) if (couples(e, c)) { const Con& k = rows.con[r]; coupled |= cone_zone(e, c, k, k.c) != 0; }
  return lane_any(coupled);
}

// Factor of the tree's pattern and solution, pivots from the deepest level up (Featherstone 2008 sec. 6.5).
DEV void solve_tree(const Env& e, Tree& t, real (&x)[RD]) {
  World& w = e.w; unsigned below[RD][NVW];
  FORD(r, d) UNROLL for (int k = 0; k < NVW; ++k) below[r][k] = (unsigned)dof_below(d * NVW + k);
  UNROLL for (int L = NLEV - 1; L > 0; --L) {
    FORD(r, d) if (t.lev[r] == L) { t.dg[r] = r_div(1, t.dg[r]); real* row = w.L + LROW * d; UNROLL for (int l = 0; l < NLEV - 1; ++l) if (l < L) row[l] = t.h[r][l]; row[NLEV] = t.dg[r]; row[NLEV + 1] = x[r]; }
    SYNC();
    ROLLED for (int i = level_adr(L); i < level_adr(L + 1); ++i) {
      const int k = level_dof(i); const real* row = w.L + LROW * k; const real inv = row[NLEV], rhs = row[NLEV + 1];
      FORD(r, d) if (below[r][k >> 5] >> (k & 31) & 1) {
        const real h = row[t.lev[r]], c = h * inv; x[r] -= c * rhs; t.dg[r] -= c * h;
        UNROLL for (int l = 0; l < NLEV - 1; ++l) if (l < L - 1) t.h[r][l] -= c * row[l];
      }
    }
    SYNC();
  }
  FORD(r, d) { if (t.lev[r] == 0) t.dg[r] = r_div(1, t.dg[r]); x[r] *= t.dg[r]; UNROLL for (int l = 0; l < NLEV - 1; ++l) t.h[r][l] *= t.dg[r]; }
  UNROLL for (int L = 0; L < NLEV; ++L) {
    FORD(r, d) if (t.lev[r] == L) w.x[d] = x[r];
    SYNC();
    if (L + 1 < NLEV) FORD(r, d) if (t.lev[r] > L) x[r] -= t.h[r][L] * w.x[dof_path(d * NLEV + L)];
  }
}

#if HAS_COUPLING
// Adds C of a coupling contact to the dense matrix: entry (d, a) gets j_d' C j_a.
DEV void couple_contact(const Env& e, int c) {
  World& w = e.w; const Frame f = contact_frame(e, c); const real* C = w.wrench + NK * c + 6; real* J = w.L; const int dim = cls_condim(pair_cls(w.con_dim[c]));
  FORD(r, d) {
    const int sign = (int)above(e, f.b2, d) - (int)above(e, f.b1, d); real off[3], wr[6], s[6]; arm_to(e, f.pos, dof_bodyid(d), off); load6(w.cdof + 8 * d, s);
    UNROLL for (int i = 0; i < DIMMAX; ++i) { real j = 0; if (sign != 0 && i < dim) { contact_wrench(e, c, f, off, i, wr); j = sign * dot6(wr, s); } J[d * DIMMAX + i] = j; }
  }
  SYNC();
  FORD(r, d) {
    real u[DIMMAX]; bool any = false; UNROLL for (int i = 0; i < DIMMAX; ++i) { u[i] = 0; UNROLL for (int k = 0; k < DIMMAX; ++k) u[i] += C[i >= k ? TRI(i, k) : TRI(k, i)] * J[d * DIMMAX + k]; any |= u[i] != 0; }
    if (any) for (int a = 0; a <= d; ++a) { real x = 0; UNROLL for (int i = 0; i < DIMMAX; ++i) x += u[i] * J[a * DIMMAX + i]; w.H[TRI(d, a)] += x; }
  }
  SYNC();
}
// Solves with the dense matrix: tree entries and couplings; Cholesky by columns.
DEV void solve_dense(const Env& e, int ncon, const Tree& t, real (&x)[RD]) {
  World& w = e.w;
  FORD(r, d) { for (int a = 0; a < d; ++a) w.H[TRI(d, a)] = 0; w.H[TRI(d, d)] = t.dg[r]; for (int l = 0; l < t.lev[r]; ++l) { real h = 0; UNROLL for (int k = 0; k < NLEV - 1; ++k) if (k == l) h = t.h[r][k]; w.H[TRI(d, dof_path(d * NLEV + l))] = h; } }
  SYNC();
  for (int c = 0; c < ncon; ++c) if (couples(e, c)) couple_contact(e, c);
#if NSROW > 0
  for (int s = 0; s < NSROW; ++s) if (!srow_in_tree(s) && w.srow_h[s] != 0) {
    FOR_LANES(i, srow_adr(s + 1) - srow_adr(s)) for (int j = 0; j <= i; ++j) w.H[TRI(srow_dof(srow_adr(s) + i), srow_dof(srow_adr(s) + j))] += w.srow_h[s] * w.srow_J[srow_adr(s) + i] * w.srow_J[srow_adr(s) + j];
    SYNC();
  }
#endif
  FORD(r, d) w.x[d] = x[r];
  SYNC();
  for (int k = 0; k < NV; ++k) {
    const real inv = 1 / r_sqrt(w.H[TRI(k, k)]); SYNC();
    FORD(r, d) if (d > k) w.H[TRI(d, k)] *= inv;
    FOR_LANES(z, 1) { w.H[TRI(k, k)] = inv; w.x[k] *= inv; }
    SYNC();
    FORD(r, d) if (d > k) { const real l = w.H[TRI(d, k)]; w.x[d] -= l * w.x[k]; if (l != 0) for (int a = k + 1; a <= d; ++a) w.H[TRI(d, a)] -= l * w.H[TRI(a, k)]; }
    SYNC();
  }
  for (int k = NV - 1; k >= 0; --k) {
    const real xk = w.x[k] * w.H[TRI(k, k)]; SYNC();
    FORD(r, d) { if (d < k) w.x[d] -= w.H[TRI(k, d)] * xk; else if (d == k) w.x[d] = xk; }
    SYNC();
  }
}
#endif

// Which contacts act on each body of this lane.
DEV void contacts_of_bodies(const Env& e, int ncon, unsigned (&mine)[RB][NCW]) {
  FORB(r, b) {
    UNROLL for (int k = 0; k < NCW; ++k) mine[r][k] = 0;
    if (body_moves(b)) for (int c = 0; c < ncon; ++c) if (e.w.con_b[2 * c] == b || e.w.con_b[2 * c + 1] == b) UNROLL for (int k = 0; k < NCW; ++k) if (k == c >> 5) mine[r][k] |= 1u << (c & 31);
  }
}

// Length of the step along the search direction: Newton's method on the slope, kept inside a bracket.
DEV real line_search(const Env& e, int ncon, const Rows& rows, real slope0, real inertia, real tolerance) {
  real lo = 0, hi = -1, alpha = 1, s0, c0; rows_along(e, ncon, rows, 0, s0, c0);
  ROLLED for (int k = 0; k < LS_ITERATIONS; ++k) {
    real s, c; rows_along(e, ncon, rows, alpha, s, c);
    // slope0 belongs to alpha = 0, rows included: only their change counts
    const real slope = slope0 + alpha * inertia + (s - s0), curvature = inertia + c;
    if (r_abs(slope) < tolerance) break;
    if (slope < 0) lo = alpha; else hi = alpha;
    real next = alpha - slope / curvature;
    if (!(next > lo) || (hi >= 0 && !(next < hi))) next = hi >= 0 ? (real)0.5 * (lo + hi) : 2 * alpha;
    if (next == alpha) break;
    alpha = next;
  }
  return alpha;
}

// Damping that the integrator treats implicitly: adds h B to the Hessian, returns -h B a at each dof.
DEV void implicit_damping(const Env& e, Tree& t) {
  World& w = e.w;
#if INTEGRATOR_IMPLICITFAST && NT > 0
  FOR_LANES(k, NT) { // damping of a tendon along its length, those of its actuators included
    real b = DAMPERS ? tendon_damping(k) : 0; for (int i = ten_actadr(k); i < ten_actadr(k + 1); ++i) { const int u = ten_act(i); b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u]; }
    real rate = 0; for (int i = ten_adr(k); i < ten_adr(k + 1); ++i) rate += w.ten_J[i] * w.acc[ten_dof(i)];
    w.ten_frc[k] = TIMESTEP * b; w.ten_vel[k] = rate;
  }
  SYNC();
#endif
  FORD(r, d) {
    real b = DAMPERS ? dof_damping(d) : 0;
#if INTEGRATOR_IMPLICITFAST
    for (int i = dof_actadr(d); i < dof_actadr(d + 1); ++i) { const int u = dof_act(i); b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u]; }
#endif
    t.g[r] = -TIMESTEP * b * w.acc[d]; t.dg[r] += TIMESTEP * b;
#if INTEGRATOR_IMPLICITFAST && NT > 0
    for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i) { const int k = dof_ten(i); if (w.ten_frc[k] != 0) { t.g[r] -= w.ten_J[dof_ten_entry(i)] * w.ten_frc[k] * w.ten_vel[k]; add_outer(e, t, r, d, w.ten_frc[k], w.ten_J, ten_adr(k), ten_adr(k + 1), 1); } }
#endif
  }
}

// Accelerations of constrained motion in `acc` (which holds where to start); then, where the integrator asks for
// it, the acceleration with implicit damping in `x`. Returns the number of iterations.
DEV int solve(const Env& e, int ncon) {
  World& w = e.w; Rows rows; unsigned mine[RB][NCW]; real A[RB][6]; Tree t; int iterations = 0;
  make_rows(e, ncon, rows);
  contacts_of_bodies(e, ncon, mine);
  own_motion(e, w.acc, A); sum_down(e, A); add_products(e, ncon, rows, w.acc);
  bool done = opaque(false); const real scale = 1 / (MEANINERTIA * NV);
  ROLLED for (;;) {
    const bool last = done || iterations >= ITERATIONS;
    if (last && !IMPLICIT_DAMPING) break;
    const bool f1 = opaque(last), f2 = opaque(last), f3 = opaque(last);
    SYNC();
    composite(e, ncon, rows, A, mine, !f1);
    project(e, t);
    bool coupled = false;
    if (f2) implicit_damping(e, t); else coupled = add_rows(e, ncon, rows, t);
    real g[RD], x[RD]; FORD(r, d) g[r] = x[r] = t.g[r];
#if HAS_COUPLING
    if (coupled) solve_dense(e, ncon, t, x); else
#endif
    solve_tree(e, t, x);
    (void)coupled;
    if (f3) break;
    real step[RB][6]; own_motion(e, w.x, step); sum_down(e, step); set_changes(e, ncon, rows, w.x);
    real alpha = 1; ++iterations;
    real slope0 = 0; FORD(r, d) slope0 -= g[r] * w.x[d];
    slope0 = lane_sum(slope0);
    // Newton's decrement bounds what is left to win
    if (zones_change(e, ncon, rows)) {
      real inertia = 0; FORD(r, d) inertia += dof_armature(d) * w.x[d] * w.x[d];
      FORB(r, b) { real f[6], i[12]; for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k); inertia_mul(i, step[r], f); inertia += dot6(f, step[r]); }
      inertia = lane_sum(inertia);
      alpha = line_search(e, ncon, rows, slope0, inertia, LS_RELATIVE * r_abs(slope0));
      done = -slope0 * scale < TOLERANCE;
    } else done = true;
    FORD(r, d) w.acc[d] += alpha * w.x[d];
    FORB(r, b) axpy6(alpha, step[r], A[r]);
    advance_rows(ncon, rows, alpha);
  }
  SYNC();
  return iterations;
}
