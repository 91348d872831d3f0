// Solvers that may make a few iterations only end short of the minimum, where depends on their way: that of the CPU
// engine, its choice of a start, its islands and its line search.
#pragma once
#include "implicit.cuh"

#if FEW_ITERATIONS
DEV real row_cost(const Row& r, real x) {
  if (r.D == 0 || (r.kind == ROW_LIMIT && !(x < 0))) return 0;
  if (r.kind == ROW_FRICTION && !(r_abs(r.D * x) < r.loss)) return r.loss * (r_abs(x) - (real)0.5 * r.loss / r.D);
  return (real)0.5 * r.D * x * x;
}
DEV real cone_cost(int c, const Con& k, const real* x) {
  real cost = 0;
#if CONE_ELLIPTIC
  const Elliptic z = elliptic(c, k, x);
  if (z.zone == ZONE_STICK) UNROLL
    for (int i = 0; i < DIMMAX; ++i)
      if (i < k.dim) cost += (real)0.5 * cone_weight(c, k, i) * x[i] * x[i];
  if (z.zone == ZONE_CONE) {
    const real gap = z.N - k.mu * z.T;
    cost = (real)0.5 * z.Dm * gap * gap;
  }
#else
  (void)c;
  auto edge = [&](real y) {
    if (y < 0) cost += (real)0.5 * k.D * y * y;
  };
  if (k.dim == 1) {
    edge(x[0]);
    return cost;
  }
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) {
      edge(x[0] + x[i]);
      edge(x[0] - x[i]);
    }
#endif
  return cost;
}

// Islands: trees that rows couple. Each is known by its first tree; `rows_in` says of that one whether there is
// something left to do.
DEV int island_of_dof(int d) { return WORLD.island[tree_of(dof_bodyid(d))]; }
DEV int island_of_contact(int c) {
  const int b = WORLD.con_b[2 * c + 1];
  return WORLD.island[tree_of(body_moves(b) ? b : WORLD.con_b[2 * c])];
}
#if NSROW > 0
DEV int island_of_sparse(int s) { return island_of_dof(srow_dof(srow_adr(s))); }
#endif
DEV void join_trees(int a, int b) {
  World& w = WORLD;
  const int x = w.island[a], y = w.island[b], first = x < y ? x : y, last = x < y ? y : x;
  if (first != last) ROLLED
    for (int t = 1; t <= NTREE; ++t)
      if (w.island[t] == last) w.island[t] = first;
}
DEV void find_islands(int ncon, const Rows& rows) {
  World& w = WORLD;
  FOR_LANES(t, NTREE + 1) {
    w.island[t] = ISLANDS || t == 0 ? t : 1;
    w.rows_in[t] = 0;
    w.length[t] = 0;
  }
#if NSROW > 0
  FOR_SPARSE(r, s) w.srow_f[s] = rows.sparse[r].D;
#endif
  SYNC();
  if (FIRST_LANE) {
    ROLLED for (int c = 0; c < ncon; ++c) {
#if HAS_ADHESION_GAP
      if (!makes_rows(w.con_pair[c], w.con[12 * c])) continue;
#endif
      const int b1 = w.con_b[2 * c], b2 = w.con_b[2 * c + 1];
      if (body_moves(b1) && body_moves(b2)) join_trees(tree_of(b1), tree_of(b2));
    }
#if NSROW > 0
    ROLLED for (int s = 0; s < NSROW; ++s)
      if (w.srow_f[s] != 0) ROLLED
        for (int i = srow_adr(s) + 1; i < srow_adr(s + 1); ++i)
          join_trees(tree_of(dof_bodyid(srow_dof(srow_adr(s)))), tree_of(dof_bodyid(srow_dof(i))));
#endif
  }
  SYNC();
  // lanes may write the same at the same time
  FORD(r, d) {
    bool has = rows.limit[r].D != 0;
#if HAS_DOF_FRICTION
    has |= rows.friction[r].D != 0;
#endif
    if (has) w.rows_in[island_of_dof(d)] = 1;
  }
  FOR_CON(r, c)
    if (rows.con[r].D != 0) w.rows_in[island_of_contact(c)] = 1;
#if NSROW > 0
  FOR_SPARSE(r, s)
    if (rows.sparse[r].D != 0) w.rows_in[island_of_sparse(s)] = 1;
#endif
  SYNC();
}

// Cost, slope and curvature of the rows of an island (0: of all) along a step, over all lanes.
DEV void rows_at(int ncon, const Rows& rows, int island, real alpha, real (&sum)[3]) {
  real cost = 0, slope = 0, curvature = 0;
  auto row = [&](const Row& r) {
    const real y = r.x + alpha * r.v;
    cost += row_cost(r, y);
    slope -= row_force(r, y) * r.v;
    curvature += row_curvature(r, y) * r.v * r.v;
  };
  FORD(r, d)
    if (island == 0 || island_of_dof(d) == island) {
      row(rows.limit[r]);
#if HAS_DOF_FRICTION
      row(rows.friction[r]);
#endif
    }
  FOR_CON(r, c)
    if (island == 0 || island_of_contact(c) == island) {
      const Con& k = rows.con[r];
      real y[DIMMAX];
      UNROLL for (int i = 0; i < DIMMAX; ++i)
        y[i] = k.c[i] + alpha * k.v[i];
      cost += cone_cost(c, k, y);
      cone_along(c, k, y, k.v, slope, curvature);
    }
#if NSROW > 0
  FOR_SPARSE(r, s)
    if (island == 0 || island_of_sparse(s) == island) row(rows.sparse[r]);
#endif
  sum[0] = cost;
  sum[1] = slope;
  sum[2] = curvature;
  lane_sums(sum);
}
// x'Mx of the step in `x` and `body`, of this lane's dofs and bodies in an island (0: in all).
DEV real inertia_along(int island) {
  const World& w = WORLD;
  real sum = 0;
  FORD(r, d)
    if (island == 0 || island_of_dof(d) == island) {
      sum += dof_armature(d) * w.x[d] * w.x[d];
#if HAS_TENDON_ARMATURE
      sum += w.x[d] * tendon_momentum(d, w.x);
#endif
    }
  FORB(r, b)
    if (island == 0 || w.island[tree_of(b)] == island) {
      real step[6], f[6], i[12];
      load6(w.body + 8 * b, step);
      for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
      inertia_mul(i, step, f);
      sum += dot6(f, step);
    }
  return sum;
}

// The CPU's line search: Newton's method on the slope, in one direction until its sign changes, then from both ends of
// a bracket.
struct Trial {
  real alpha, cost, slope, curvature;
};
struct Search {
  const Rows& rows;
  int ncon, island;
  real slope, inertia, start[3];
  int evaluations;
}; // costs count from the start
DEV_CALL Trial point_at(Search& l, real alpha) {
  real sum[3];
  rows_at(l.ncon, l.rows, l.island, alpha, sum);
  ++l.evaluations;
  const real curvature = l.inertia + sum[2];
  return {alpha, alpha * (l.slope - l.start[1] + (real)0.5 * alpha * l.inertia) + (sum[0] - l.start[0]),
          l.slope + alpha * l.inertia + (sum[1] - l.start[1]), curvature > 0 ? curvature : MINVAL};
}
DEV real newton_of(const Trial& p) { return p.alpha - p.slope / p.curvature; }
DEV bool tighten(Search& l, Trial& end, const Trial (&candidates)[3], Trial& next) {
  bool moved = false;
  UNROLL for (int k = 0; k < 3; ++k) {
    const Trial& c = candidates[k];
    if ((end.slope < 0 && c.slope < 0 && end.slope < c.slope) ||
        (end.slope > 0 && c.slope > 0 && end.slope > c.slope)) {
      end = c;
      moved = true;
    }
  }
  if (moved) next = point_at(l, newton_of(end));
  return moved;
}
DEV Trial best_point(Search& l, real tolerance) {
  rows_at(l.ncon, l.rows, l.island, 0, l.start);
  const Trial p0 = point_at(l, 0);
  Trial p1 = point_at(l, newton_of(p0)), p2 = p0;
  if (r_abs(p1.slope) < tolerance) return p1;
  const real direction = p1.slope < 0 ? 1 : -1;
  ROLLED while (p1.slope * direction <= -tolerance && l.evaluations < LS_ITERATIONS) {
    p2 = p1;
    p1 = point_at(l, newton_of(p1));
    if (r_abs(p1.slope) < tolerance) return p1;
  }
  if (l.evaluations >= LS_ITERATIONS) return p1;
  Trial next2 = p1, next1 = point_at(l, newton_of(p1));
  ROLLED while (l.evaluations < LS_ITERATIONS) {
    const Trial middle = point_at(l, (real)0.5 * (p1.alpha + p2.alpha)), candidates[3] = {next1, next2, middle};
    int best = -1;
    UNROLL for (int k = 0; k < 3; ++k)
      if (r_abs(candidates[k].slope) < tolerance && (best < 0 || candidates[k].cost < candidates[best].cost)) best = k;
    if (best >= 0) return candidates[best];
    const bool moved1 = tighten(l, p1, candidates, next1), moved2 = tighten(l, p2, candidates, next2);
    if (!moved1 && !moved2) return middle;
  }
  if (p1.cost <= p2.cost && p1.cost < p0.cost) return p1;
  if (p2.cost <= p1.cost && p2.cost < p0.cost) return p2;
  return {0, 0, 0, 0};
}

// Goes the `length` of each tree's island along the step in `x` and `body`.
DEV void take_step(int ncon, Rows& rows) {
  World& w = WORLD;
  FORD(r, d) {
    const real alpha = w.length[island_of_dof(d)];
    w.acc[d] += alpha * w.x[d];
    rows.limit[r].x += alpha * rows.limit[r].v;
#if HAS_DOF_FRICTION
    rows.friction[r].x += alpha * rows.friction[r].v;
#endif
  }
  FORB(r, b) {
    real step[6], a[6];
    load6(w.body + 8 * b, step);
    load6(w.accel + 8 * b, a);
    axpy6(w.length[w.island[tree_of(b)]], step, a);
    store6(w.accel + 8 * b, a);
  }
  FOR_CON(r, c) {
    const real alpha = w.length[island_of_contact(c)];
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      rows.con[r].c[i] += alpha * rows.con[r].v[i];
  }
#if NSROW > 0
  FOR_SPARSE(r, s) rows.sparse[r].x += w.length[island_of_sparse(s)] * rows.sparse[r].v;
#endif
  SYNC();
}
// Motions of bodies and changes of rows for the step in `x`.
DEV_CALL void follow_step(int ncon, Rows& rows) {
  SYNC();
  body_motion(PLACE(WORLD.x));
  if (TREE_WARPS) SYNC(); // contacts ask bodies of any tree
  set_changes(ncon, rows, WORLD.x);
}
// The acceleration without constraints in `x`; the diagonal of the inertia matrix.
DEV void unconstrained(const Rows& rows, real (&mass)[RD]) {
  World& w = WORLD;
  unsigned none[RB][NCW];
  UNROLL for (int r = 0; r < RB; ++r) UNROLL
    for (int k = 0; k < NCW; ++k) none[r][k] = 0;
  composite(0, rows, none, true);
  Tree t;
  project(t);
#if HAS_TENDON_ARMATURE
  add_tendon_inertia(t);
#endif
  FORD(r, d) {
    mass[r] = t.diagonal[r];
    t.g[r] = w.smooth[d];
  }
  SYNC();
  solve_hessian(t, 0, 0);
  FORD(r, d) w.x[d] = w.Z[d];
}
// The Hessian and the negative gradient; returns how many vectors couple branches.
DEV int gradient(int ncon, Rows& rows, const unsigned (&mine)[RB][NCW], Tree& t) {
  composite(ncon, rows, mine, true);
  project(t);
#if HAS_TENDON_ARMATURE
  add_tendon_inertia(t);
#endif
  const int coupled = add_rows(ncon, rows, t);
#if HAS_TENDON_ARMATURE
  FORD(r, d) t.g[r] -= tendon_momentum(d, WORLD.acc);
#endif
  return coupled;
}
// Makes the CPU's iterations, from `acc` or from the acceleration without constraints, whichever costs less; returns
// their number.
DEV int few_iterations(int ncon, Rows& rows, const unsigned (&mine)[RB][NCW]) {
  World& w = WORLD;
  real mass[RD], warm[RD];
  const real none[6] = {0, 0, 0, 0, 0, 0};
  int iterations = 0;
#if INTEGRATOR_RK4
  FORD(r, d) {
    warm[r] = w.acc0_[d];
    w.acc[d] = 0;
  } // stages of a step have one start
#else
  FORD(r, d) {
    warm[r] = w.acc[d];
    w.acc[d] = 0;
  }
#endif
  FORB(r, b) store6(w.accel + 8 * b, none);
  find_islands(ncon, rows);
  unconstrained(rows, mass);
  follow_step(ncon, rows);
  FOR_LANES(t, NTREE + 1) w.length[t] = 1;
  SYNC();
  take_step(ncon, rows);
  if (WARMSTART) {
    FORD(r, d) w.x[d] = warm[r] - w.acc[d];
    follow_step(ncon, rows);
    real from[3], to[3];
    rows_at(ncon, rows, 0, 0, from);
    rows_at(ncon, rows, 0, 1, to);
    const real more = (real)0.5 * lane_sum(inertia_along(0)) + (to[0] - from[0]);
    FOR_LANES(t, NTREE + 1) w.length[t] = w.rows_in[t] && !(more > 0); // what no row touches moves freely
    SYNC();
    take_step(ncon, rows);
  }
  ROLLED for (bool open = true; open && iterations < ITERATIONS; ++iterations) {
    real g[RD];
    Tree t;
    const int coupled = gradient(ncon, rows, mine, t);
    FORD(r, d) g[r] = t.g[r];
    SYNC(); // solutions take the place of the stiffness that all lanes have read by now
    solve_hessian(t, ncon, coupled);
    FORD(r, d) w.x[d] = w.Z[d];
    follow_step(ncon, rows);
    open = false;
    ROLLED for (int island = 1; island <= NTREE; ++island) {
      real length = 0, gain = 0;
      const bool active = w.island[island] == island && w.rows_in[island];
      if (active) {
        real sum[5] = {0, 0, 0, 0, inertia_along(island)};
        FORD(r, d)
          if (island_of_dof(d) == island) {
            sum[0] -= g[r] * w.x[d];
            sum[1] += w.x[d] * w.x[d];
            sum[2] += g[r] * g[r];
            sum[3] += mass[r];
          }
        lane_sums(sum);
        const real scale = ISLANDS ? 1 / sum[3] : 1 / (MEANINERTIA * NV), size = r_sqrt(sum[1]);
        const bool ended =
            iterations > 0 && (scale * w.gain[island] < MODEL_TOLERANCE || scale * r_sqrt(sum[2]) < MODEL_TOLERANCE);
        if (!ended && !(size < MINVAL)) {
          Search line = {rows, ncon, island, sum[0], sum[4], {0, 0, 0}, 0};
          const Trial p = best_point(line, MODEL_TOLERANCE * LS_TOLERANCE * size / scale);
          length = p.alpha;
          gain = -p.cost;
        }
      }
      SYNC();
      FOR_LANES(one, 1)
        if (active) {
          w.length[island] = length;
          w.gain[island] = gain;
          w.rows_in[island] = length != 0;
        } else w.length[island] = 0;
      open |= length != 0;
      SYNC();
    }
    take_step(ncon, rows);
  }
  return iterations;
}
#endif
