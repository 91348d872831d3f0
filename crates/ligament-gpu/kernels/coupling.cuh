// Branches that couple: contacts between two moving bodies and rows across branches add vectors, H = T + U U' with the
// tree's T. In worlds of up to 48 dofs each lane then has its whole row of the Hessian in registers and takes in one
// pivot row after the other. In larger ones the tree's factor serves: columns of U are solved for beside the right-hand
// side, and what they have in common is a small dense system (Woodbury). Where they are too many for that, all of the
// Hessian goes to device memory.
#pragma once
#include "factor.cuh"

#if HAS_COUPLING
// J of coupling contact c at the dofs of this lane; returns the rank of its stiffness.
DEV int contact_coupling(int c, real (&j)[RD][DIMMAX]) {
  World& w = WORLD;
  const Frame f = contact_frame(c);
  const int dim = cls_condim(pair_cls(w.con_pair[c]));
  UNROLL for (int r = 0; r < RD; ++r) UNROLL
    for (int i = 0; i < DIMMAX; ++i) j[r][i] = 0;
  FORD(r, d) {
    const int sign = (int)above(f.b2, d) - (int)above(f.b1, d);
    real off[3], wr[6], s[6];
    arm_to(f.pos, dof_bodyid(d), off);
    load6(w.cdof + 8 * d, s);
    UNROLL for (int i = 0; i < DIMMAX; ++i) {
      contact_wrench(c, f, off, i, wr);
      j[r][i] = i < dim ? sign * dot6(wr, s) : (real)0;
    }
  }
  return w.rank[c] & (COUPLES - 1);
}
// Contacts of a word that add vectors, a bit for each.
DEV unsigned coupling_bits(int ncon, int word) {
  unsigned bits = 0;
  UNROLL for (int k = 0; k < 32; k += GROUP) {
    const int c = 32 * word + k + GROUP_LANE;
    bits |= group_ballot(c < ncon && (WORLD.rank[c] & (COUPLES - 1)) != 0) << k;
  }
  return bits;
}
// Calls `take(number, u)` for every vector of the couplings: `u` has the entries of this lane's dofs.
template <class Take> DEV void each_coupling(int ncon, Take take) {
  int number = 0;
  (void)number;
  ROLLED for (int word = 0; word < NCW; ++word) ROLLED
    for (unsigned left = coupling_bits(ncon, word); left; left &= left - 1) {
      const int c = 32 * word + LOWEST_BIT(left);
      real j[RD][DIMMAX], u[RD];
      const int rank = contact_coupling(c, j);
      ROLLED for (int k = 0; k < rank; ++k) {
        const real* l = WORLD.wrench + NK * c;
        UNROLL for (int r = 0; r < RD; ++r) {
          u[r] = 0;
          UNROLL for (int n = 0; n < DIMMAX; ++n)
            u[r] += l[COLUMN(k, n)] * j[r][n];
        }
        take(number++, u);
      }
    }
#if NSROW > 0 // rows across branches, times the root of their stiffness
  ROLLED for (int s = 0; s < NSROW; ++s)
    if (!srow_in_tree(s) && WORLD.srow_h[s] != 0) {
      const real root = r_sqrt(WORLD.srow_h[s]);
      real u[RD];
      UNROLL for (int r = 0; r < RD; ++r)
        u[r] = 0;
      FORD(r, d) {
        ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i)
          if (srow_dof(i) == d) u[r] = root * WORLD.srow_J[i];
      }
      take(number++, u);
    }
#endif
}
#endif

#if HAS_COUPLING && !COLUMNS
#define NVP PAD4(NV)
// All of the Hessian: a lane has the rows of its dofs up to the diagonal in registers. What stands beyond the diagonal
// is of no use, and no harm.
struct Dense {
  real row[RD][NVP], diagonal[RD], x[RD], inv[RD];
}; // x: right-hand side, then the solution
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
// The tree's rows, by dof instead of by level.
DEV void spread(const Tree& t, Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r) {
    h.diagonal[r] = 1;
    h.x[r] = h.inv[r] = 0;
    UNROLL for (int l = 0; l < NVP; ++l)
      h.row[r][l] = 0;
  }
  FORD(r, d) {
    unsigned up[NVW];
    UNROLL for (int k = 0; k < NVW; ++k)
      up[k] = (unsigned)body_dofs(dof_bodyid(d) * NVW + k);
    h.diagonal[r] = t.diagonal[r];
    h.x[r] = t.g[r];
#define ENTRY(a, level) h.row[r][a] = up[(a) / 32] >> (a) % 32 & 1 ? t.h[r][level] : (real)0;
    DOF_LEVELS(ENTRY)
#undef ENTRY
  }
}
#endif
// Adds u u' for a vector of which this lane has the entries of its dofs. Two places in turn: who writes one has seen
// all read it.
DEV void add_vector(Dense& h, int number, const real (&u)[RD]) {
  real* all = WORLD.pivot[number & 1];
  FORD(r, d) all[d] = u[r];
  SYNC();
  UNROLL for (int l = 0; l < NVP; l += 4) {
    real v[4];
    load4(all + l, v);
    UNROLL for (int r = 0; r < RD; ++r)
      for (int n = 0; n < 4; ++n) h.row[r][l + n] += u[r] * v[n];
  }
  UNROLL for (int r = 0; r < RD; ++r)
    h.diagonal[r] += u[r] * u[r];
}
// L'DL from the last dof to the first: the row of a pivot is read by all lanes, and those of earlier dofs take it in.
// Unrolled over quads of pivots, as the tree's factor.
DEV void eliminate_all(Dense& h) {
  UNROLL for (int quad = NVP - 4; quad >= 0; quad -= 4) ROLLED
    for (int k = quad + 3 < NV ? quad + 3 : NV - 1; k >= quad; --k) {
      real* row = WORLD.pivot[k & 1];
      FORD(r, d)
        if (d == k) {
          h.inv[r] = r_div(1, h.diagonal[r]);
          UNROLL for (int l = 0; l <= quad; l += 4)
            store4(row + l, h.row[r][l], h.row[r][l + 1], h.row[r][l + 2], h.row[r][l + 3]);
          row[NVP] = h.inv[r];
          row[NVP + 1] = h.x[r];
        }
      SYNC();
      const real inv = row[NVP], x = row[NVP + 1];
      real c[RD];
      UNROLL for (int r = 0; r < RD; ++r) {
        const int d = DOF_OF_SLOT(r);
        const real e = d < k ? row[d] : (real)0;
        c[r] = e * inv;
        h.diagonal[r] -= c[r] * e;
        h.x[r] -= c[r] * x;
      }
      UNROLL for (int l = 0; l <= quad; l += 4) {
        real v[4];
        load4(row + l, v);
        UNROLL for (int r = 0; r < RD; ++r)
          for (int n = 0; n < 4; ++n) h.row[r][l + n] -= c[r] * v[n];
      }
    }
}
DEV void substitute_all(Dense& h) {
  UNROLL for (int r = 0; r < RD; ++r)
    h.x[r] *= h.inv[r];
  UNROLL for (int a = 0; a < NV; ++a) {
    const real z = lane_value(h.x[a / LANES], a % LANES);
    UNROLL for (int r = 0; r < RD; ++r)
      if (LANE + r * LANES > a) h.x[r] -= h.row[r][a] * h.inv[r] * z;
  }
  FORD(r, d) WORLD.Z[d] = h.x[r];
}
DEV void solve_coupled(const Tree& t, int ncon, int coupled) {
  Dense h;
  spread(t, h);
  if (FIRST_LANE) UNROLL
    for (int k = 0; k < 2; ++k)
      for (int l = NV; l < NVP; ++l) WORLD.pivot[k][l] = 0;
  if (!WHOLE_ROWS || opaque(coupled > 0))
    each_coupling(ncon, [&](int number, const real(&u)[RD]) { add_vector(h, number, u); });
  SYNC();
  eliminate_all(h);
  substitute_all(h);
}
#endif

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
// Vectors of the couplings: few become columns of W, many go into the dense matrix.
DEV_CALL void gather_couplings(int ncon, bool few) {
  each_coupling(ncon, [=](int number, const real(&u)[RD]) {
    World& w = WORLD;
    if (few) {
      FORD(r, d) w.W[WROW * d + number] = u[r];
      return;
    }
    FORD(r, d) w.W[d] = u[r];
    SYNC();
    FORD(r, d)
      if (u[r] != 0) add_to_row(d, 0, u[r], w.W);
    SYNC();
  });
  SYNC();
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
// Few couplings. With T = L'DL, w = D^-1/2 L'^-1 u for each column and z for the right-hand side, S y = W'z has S = 1 +
// W'W, and z - W y stands in place of z.
DEV void correct(Solution& s, int count) {
  World& w = WORLD;
  const int quads = (count + 4) / 4;
  real* part = w.S + (TREE_WARPS ? THIS_PART * NCOL * WROW : 0);
  FORD(r, d) w.W[WROW * d + count] = s.x[r] * r_sqrt(s.inv[r]);
  FOR_TREE(k, count) descend(w.W + k);
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
    const real inv = r_div(1, pivot[k]);
    FOR_LANES(i, count)
      if (i != k) {
        real* row = w.S + WROW * i;
        const real c = row[k] * inv;
        ROLLED for (int q = k / 4 * 4; q <= count; q += 4) {
          real x[4], v[4];
          load4(row + q, x);
          load4(pivot + q, v);
          store4(row + q, x[0] - c * v[0], x[1] - c * v[1], x[2] - c * v[2], x[3] - c * v[3]);
        }
      }
    SYNC();
  }
  FORD(r, d) {
    real z = w.W[WROW * d + count];
    ROLLED for (int k = 0; k < count; ++k)
      z -= w.W[WROW * d + k] * r_div(w.S[WROW * k + count], w.S[WROW * k + k]);
    s.x[r] = z * r_rsqrt(s.inv[r]);
  }
}
#endif

// Newton's direction in `Z`: the gradient of `t` over the Hessian, with the vectors that couplings add.
DEV void solve_hessian(Tree& t, int ncon, int coupled) {
  (void)ncon;
  (void)coupled;
#if COLUMNS
  const bool few = opaque(coupled > 0 && coupled <= NCOL), many = opaque(coupled > NCOL);
  if (many) spread_dense(t);
  if (few || many) gather_couplings(ncon, few); // the factor takes the place of the wrenches
  if (many) {
    solve_dense();
    return;
  }
#elif HAS_COUPLING
  if (WHOLE_ROWS || opaque(coupled > 0)) {
    solve_coupled(t, ncon, coupled);
    return;
  }
#endif
#if !WHOLE_ROWS
  Solution s;
  factor(t, s);
#if COLUMNS
  if (opaque(few)) correct(s, coupled);
#endif
  finish(t, s);
#endif
}
