// What lanes keep of constraint rows: residuals, how they change along a step, their cost.
#pragma once
#include "cone.cuh"

struct Rows { // what a lane keeps of its dofs, contacts and sparse rows
#if SEPARABLE
  bool apart;     // is this tree solved by its warp alone?
  int places[RC]; // of the contacts; -1: none
#endif
  Row limit[RD];
  real sign[RD];
#if HAS_DOF_FRICTION
  Row friction[RD];
#endif
  Con con[RC];
#if NSROW > 0
  Row sparse[RS];
#endif
};
// Contacts of a lane, and meetings of those who solve together.
#if SEPARABLE
#define FOR_CON(r, c) UNROLL for (int r = 0; r < RC; ++r) if (const int c = rows.places[r]; c >= 0)
#define APART(rows) ((rows).apart)
#else
#define FOR_CON(r, c) UNROLL for (int r = 0; r < RC; ++r) if (const int c = LANE + r * LANES; c < ncon)
#define APART(rows) false
#endif
#define MEET(rows)                                                                                                     \
  do {                                                                                                                 \
    if (APART(rows)) TREE_SYNC();                                                                                      \
    else SYNC();                                                                                                       \
  } while (0)
#define FOR_SPARSE(r, s) FOR_SLOTS(r, s, NSROW)

template <int N> DEV void rows_sums(const Rows& rows, real (&x)[N]) {
  (void)rows;
  if (APART(rows)) group_sums(x);
  else lane_sums(x);
}
DEV real rows_sum(const Rows& rows, real x) {
  real one[1] = {x};
  rows_sums(rows, one);
  return one[0];
}
DEV bool rows_any(const Rows& rows, bool p) {
  (void)rows;
  return APART(rows) ? group_any(p) : lane_any(p);
}
DEV int rows_total(const Rows& rows, int x) {
  (void)rows;
  return APART(rows) ? group_total(x) : lane_total(x);
}

#if SEPARABLE
// The place of the n-th bit that is set.
DEV int bit_number(unsigned bits, int n) {
  int at = 0;
  UNROLL for (int width = 16; width > 0; width >>= 1) {
    const int low = COUNT_BITS(bits >> at & ((1u << width) - 1));
    if (n < low) continue;
    n -= low;
    at += width;
  }
  return at;
}
// Where no two trees touch, lanes of a tree's warp take its contacts, one each; else any lane takes any.
DEV void share_contacts(int ncon, Rows& rows) {
  const int tree = 1 + THIS_PART;
  int count = 0, own = -1;
  bool together = false;
  ROLLED for (int first = 0; first < ncon; first += 32) {
    const int c = first + GROUP_LANE, tree1 = c < ncon ? tree_of(WORLD.con_b[2 * c]) : 0,
              tree2 = c < ncon ? tree_of(WORLD.con_b[2 * c + 1]) : 0;
    together |= tree1 > 0 && tree2 > 0 && tree1 != tree2;
    const unsigned bits = group_ballot(tree1 == tree || tree2 == tree);
    const int n = GROUP_LANE - count;
    if (n >= 0 && n < COUNT_BITS(bits)) own = first + bit_number(bits, n);
    count += COUNT_BITS(bits);
  }
  rows.apart = !lane_any(together || count > 32);
  UNROLL for (int r = 0; r < RC; ++r) {
    const int c = LANE + r * LANES;
    rows.places[r] = !rows.apart ? c < ncon ? c : -1 : r == 0 ? own : -1;
  }
}
#endif

DEV void make_rows(int ncon, Rows& rows) {
#if SEPARABLE
  share_contacts(ncon, rows);
#endif
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
  FOR_CON(r, c) {
    const Along p = along_contact(c, rows.con[r].dim, PLACE(WORLD.body));
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      rows.con[r].v[i] = p.v[i];
  }
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
  FOR_CON(r, c) {
    const Con& k = rows.con[r];
    real y[DIMMAX];
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      y[i] = k.c[i] + k.v[i];
    const int z = cone_zone(c, k, k.c);
    change |= z != cone_zone(c, k, y) || !cone_is_quadratic(z);
  }
#if NSROW > 0
  FOR_SPARSE(r, s) row(rows.sparse[r]);
#endif
  return rows_any(rows, change);
}
// The same without contacts, from the step itself.
DEV bool steps_change_zones(const Rows& rows, const real* x) {
  bool change = false;
  auto row = [&](const Row& r, real v) { change |= row_zone(r, r.x) != row_zone(r, r.x + v); };
  FORD(r, d) {
    row(rows.limit[r], rows.sign[r] * x[d]);
#if HAS_DOF_FRICTION
    row(rows.friction[r], x[d]);
#endif
  }
#if NSROW > 0
  FOR_SPARSE(r, s)
    if (rows.sparse[r].kind != ROW_EQUALITY) row(rows.sparse[r], sparse_product(s, x));
#endif
  return rows_any(rows, change);
}
// Slope and curvature of the cost of this lane's rows at x + alpha v.
DEV void rows_along(int ncon, const Rows& rows, real alpha, real& slope, real& curvature) {
  slope = curvature = 0;
  auto row = [&](const Row& r) {
    const real y = r.x + alpha * r.v;
    slope -= row_force(r, y) * r.v;
    curvature += row_curvature(r, y) * r.v * r.v;
  };
  FORD(r, d) {
    row(rows.limit[r]);
#if HAS_DOF_FRICTION
    row(rows.friction[r]);
#endif
  }
  FOR_CON(r, c) {
    const Con& k = rows.con[r];
    real y[DIMMAX];
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      y[i] = k.c[i] + alpha * k.v[i];
    cone_along(c, k, y, k.v, slope, curvature);
  }
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
  FOR_CON(r, c) UNROLL
    for (int i = 0; i < DIMMAX; ++i) rows.con[r].c[i] += alpha * rows.con[r].v[i];
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].x += alpha * rows.sparse[r].v;
#endif
}
