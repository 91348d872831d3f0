// The constraint solver: Newton's method on the cost of the acceleration (book, "Primal problem").
#pragma once
#include "few.cuh"

// Which contacts act on each body of this lane.
DEV void contacts_of_bodies(int ncon, unsigned (&mine)[RB][NCW]) {
  UNROLL for (int r = 0; r < RB; ++r) UNROLL
    for (int k = 0; k < NCW; ++k) mine[r][k] = 0;
  ROLLED for (int first = 0; first < ncon; first += 4) { // four at a time, so that nobody waits for each
    int bodies[8];
    UNROLL for (int k = 0; k < 8; ++k)
      bodies[k] = WORLD.con_b[2 * first + k];
    FORB(r, b) {
      unsigned four = 0;
      UNROLL for (int k = 0; k < 4; ++k)
        four |= (unsigned)(first + k < ncon && (bodies[2 * k] == b || bodies[2 * k + 1] == b)) << k;
      UNROLL for (int k = 0; k < NCW; ++k)
        if (k == first >> 5) mine[r][k] |= body_moves(b) ? four << (first & 31) : 0;
    }
  }
}

// Length of the step along the search direction: Newton's method on the slope, kept inside a bracket.
DEV real line_search(int ncon, const Rows& rows, real slope0, real inertia, real tolerance) {
  real lo = 0, hi = -1, alpha = 0, at_zero = 0;
  ROLLED for (int k = 0; k <= LS_ITERATIONS; ++k) {
    real s, c;
    rows_along(ncon, rows, alpha, s, c);
    if (k == 0) {
      at_zero = s;
      alpha = 1;
      continue;
    }
    real change[2] = {s - at_zero, c};
    rows_sums(rows, change);
    // slope0 belongs to alpha = 0, rows included: only their change counts
    const real slope = slope0 + alpha * inertia + change[0], curvature = inertia + change[1];
    if (r_abs(slope) < tolerance) break;
    if (slope < 0) lo = alpha;
    else hi = alpha;
    real next = alpha - slope / curvature;
    if (!(next > lo) || (hi >= 0 && !(next < hi))) next = hi >= 0 ? (real)0.5 * (lo + hi) : 2 * alpha;
    if (next == alpha) break;
    alpha = next;
  }
  return alpha;
}

#if HAS_SIMPLE_DOFS
// The inertia of a body that stands alone in its principal axes is diagonal, and the CPU keeps only that diagonal: what
// damping couples has no place there.
DEV void keep_diagonal(Tree& t, int r, int d) {
  const World& w = WORLD;
  real s[6], f[6], i[12];
  load6(w.cdof + 8 * d, s);
  for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * dof_bodyid(d) + k, i + k);
  inertia_mul(i, s, f);
  t.g[r] = (dof_armature(d) + dot6(s, f) - t.diagonal[r]) * w.acc[d];
  UNROLL for (int l = 0; l < NLEV - 1; ++l)
    t.h[r][l] = 0;
}
#endif
// Damping that the integrator treats implicitly: adds h B to the Hessian, returns -h B a at each dof.
DEV void implicit_damping(Tree& t) {
  World& w = WORLD;
#if INTEGRATOR_IMPLICITFAST && NT > 0
  FOR_LANES(k, NT) { // damping of a tendon along its length, those of its actuators included
    real b = DAMPERS ? tendon_damping(k) : 0;
    ROLLED for (int i = ten_actadr(k); i < ten_actadr(k + 1); ++i) {
      const int u = ten_act(i);
      b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u];
    }
    w.ten_frc[k] = TIMESTEP * b;
  }
  SYNC();
#endif
  FORD(r, d) {
    real b = DAMPERS ? dof_damping(d) : 0;
#if INTEGRATOR_IMPLICITFAST
    ROLLED for (int i = dof_actadr(d); i < dof_actadr(d + 1); ++i) {
      const int u = dof_act(i);
      b -= actuator_gear(u) * actuator_gear(u) * w.act_der[u];
    }
#endif
#if HAS_FLUID_SLOPE // its part stands there already
    t.g[r] -= TIMESTEP * b * w.acc[d];
#else
    t.g[r] = -TIMESTEP * b * w.acc[d];
#endif
    t.diagonal[r] += TIMESTEP * b;
#if INTEGRATOR_IMPLICITFAST && NT > 0
    // the derivative of forces by velocities has the tree's pattern: entries of a path that couple branches are left
    // out of it
    ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i)
      if (const real weight = w.ten_frc[dof_ten(i)]; weight != 0) {
        const int own = dof_ten_entry(i);
        const real scaled = weight * w.ten_J[own];
        ROLLED for (int n = ten_kinadr(own); n < ten_kinadr(own + 1); ++n) {
          const int k = ten_kin(n), a = ten_dof(k);
          const real x = scaled * w.ten_J[k];
          t.g[r] -= x * w.acc[a];
          if (a == d) t.diagonal[r] += x;
          else add_entry(t, r, d, a, x);
        }
      }
#endif
#if HAS_SIMPLE_DOFS
    if (dof_simple(d)) keep_diagonal(t, r, d);
#endif
  }
}

#if FEW_ITERATIONS && IMPLICIT_DAMPING
// What damping that is treated implicitly changes of the acceleration, in `x`. Short of the minimum forces are not
// those of the acceleration: what is left between them counts too.
DEV void damped_acceleration(int ncon, Rows& rows, const unsigned (&mine)[RB][NCW]) {
  Tree t;
  real left[RD];
  gradient(ncon, rows, mine, t);
  FORD(r, d) left[r] = t.g[r];
  SYNC();
  composite(ncon, rows, mine, false);
  project(t);
#if HAS_TENDON_ARMATURE
  add_tendon_inertia(t);
#endif
  implicit_damping(t);
  FORD(r, d) t.g[r] += left[r];
  SYNC();
#if INTEGRATOR_IMPLICIT
  solve_full(t);
#else
  solve_hessian(t, ncon, 0);
  FORD(r, d) WORLD.x[d] = WORLD.Z[d];
#endif
}
#endif

// Are there steps in which nothing can touch? Then motions of bodies are not asked for.
#define LAST_MOTIONS (KEEPS_FORCES || HAS_FLUID_SLOPE) // are they asked for after the last step?
#ifndef FREE_STEPS                                     // for measurements
#define FREE_STEPS (NWITNESS > 0 && !LAST_MOTIONS)
#endif
#ifndef KEEPS_INERTIA                                                // for measurements
#define KEEPS_INERTIA (FREE_STEPS && WHOLE_ROWS && IMPLICIT_DAMPING) // rows of the inertia matrix that serve twice
#endif
// Is the start of no matter? Rows that are always in force make the cost quadratic.
DEV bool only_equalities(int ncon, const Rows& rows) {
  bool other = ncon > 0 || HAS_DOF_FRICTION;
  FORD(r, d) other |= rows.limit[r].D != 0;
#if NSROW > 0
  FOR_SPARSE(r, s) other |= rows.sparse[r].kind != ROW_EQUALITY && rows.sparse[r].D != 0;
#endif
  return !rows_any(rows, other);
}
#if KEEPS_FORCES
// Forces of all rows, for results.
DEV void keep_forces(int ncon, const Rows& rows) {
  World& w = WORLD;
  FOR_CON(r, c) cone_force(c, rows.con[r], rows.con[r].c, w.con_frc + DIMMAX * c);
  FORD(r, d) {
    const Row& limit = rows.limit[r];
    w.dof_frc[d] = rows.sign[r] * row_force(limit, limit.x);
#if HAS_DOF_FRICTION
    const Row& friction = rows.friction[r];
    w.dof_frc[d] += row_force(friction, friction.x);
#endif
  }
#if NSROW > 0
  FOR_SPARSE(r, s) w.srow_f[s] = row_force(rows.sparse[r], rows.sparse[r].x);
#endif
}
#endif
// Accelerations of constrained motion in `acc` (which holds where to start); then, where the integrator asks for
// it, the acceleration with implicit damping in `x`. Returns the number of iterations.
DEV_PHASE int solve(int ncon) {
  World& w = WORLD;
  Rows rows;
  unsigned mine[RB][NCW];
  int iterations = 0;
  make_rows(ncon, rows);
  contacts_of_bodies(ncon, mine);
#if FEW_ITERATIONS
  SYNC();
  iterations = few_iterations(ncon, rows, mine);
#if IMPLICIT_DAMPING
  damped_acceleration(ncon, rows, mine);
#endif
#else
  // the warm start is the first step, from an acceleration of zero: products with it are made where those of steps are
  SYNC();
  const real none[6] = {0, 0, 0, 0, 0, 0};
  FORB(r, b) store6(w.accel + 8 * b, none);
  FORD(r, d) {
    w.x[d] = w.acc[d];
    w.acc[d] = 0;
  }
  bool start = opaque(!(FREE_STEPS && only_equalities(ncon, rows))), done = opaque(false);
  const real scale = 1 / (MEANINERTIA * NV);
#if KEEPS_INERTIA
  Tree inertia_rows;
  bool kept = opaque(false);
#endif
  ROLLED for (;;) {
    real g[RD];
    const bool moves = opaque(!start);
    if (moves) {
      const bool last = done || iterations >= ITERATIONS;
      if (last && !IMPLICIT_DAMPING) break;
      if (iterations == 1 && IMPLICIT_DAMPING) PHASE(); // every world makes a second pass
      const bool f1 = opaque(last), f2 = opaque(last), f3 = opaque(last);
      Tree t;
#if KEEPS_INERTIA
      if (f1 && kept) t = inertia_rows;
      else
#endif
      {
        composite(ncon, rows, mine, !f1);
        project(t);
      }
#if KEEPS_INERTIA
      kept = opaque(ncon == 0);
      inertia_rows = t;
#endif
#if HAS_TENDON_ARMATURE
      add_tendon_inertia(t);
#endif
      int coupled = 0;
      if (f2) implicit_damping(t);
      else coupled = add_rows(ncon, rows, t);
#if HAS_TENDON_ARMATURE
      if (!f3)
        FORD(r, d) t.g[r] -= tendon_momentum(d, w.acc);
#endif
      FORD(r, d) g[r] = t.g[r];
      MEET(rows); // solutions take the place of the stiffness that all lanes have read by now
#if INTEGRATOR_IMPLICIT
      if (f3) {
        solve_full(t);
        break;
      }
#endif
      solve_hessian(t, ncon, coupled);
      FORD(r, d) w.x[d] = w.Z[d];
      if (f3) break;
    }
    MEET(rows);
    if (FREE_STEPS &&
        opaque(moves && ncon == 0 &&
               !steps_change_zones(rows, w.x))) { // the step ends at the minimum, and nobody asks how bodies move
      FORD(r, d) w.acc[d] += w.x[d];
      ++iterations;
      done = true;
      MEET(rows);
      continue;
    }
    body_motion(PLACE(w.x));
    if (TREE_WARPS) MEET(rows); // contacts ask bodies of any tree
    set_changes(ncon, rows, w.x);
    real alpha = 1;
    if (moves) {
      ++iterations;
      real slope0 = 0;
      FORD(r, d) slope0 -= g[r] * w.x[d];
      slope0 = rows_sum(rows, slope0);
      // Newton's decrement bounds what is left to win
      if (zones_change(ncon, rows)) {
        real inertia = 0;
        FORD(r, d) inertia += dof_armature(d) * w.x[d] * w.x[d];
#if HAS_TENDON_ARMATURE
        FORD(r, d) inertia += w.x[d] * tendon_momentum(d, w.x);
#endif
        FORB(r, b) {
          real step[6], f[6], i[12];
          load6(w.body + 8 * b, step);
          for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
          inertia_mul(i, step, f);
          inertia += dot6(f, step);
        }
        inertia = rows_sum(rows, inertia);
        alpha = line_search(ncon, rows, slope0, inertia, LS_RELATIVE * r_abs(slope0));
        done = -slope0 * scale < TOLERANCE;
      } else done = true;
    }
    start = false;
    FORD(r, d) w.acc[d] += alpha * w.x[d];
    if (LAST_MOTIONS || opaque(!done)) {
      FORB(r, b) {
        real step[6], a[6];
        load6(w.body + 8 * b, step);
        load6(w.accel + 8 * b, a);
        axpy6(alpha, step, a);
        store6(w.accel + 8 * b, a);
      }
      advance_rows(ncon, rows, alpha);
    }
    MEET(rows);
  }
#endif
#if KEEPS_FORCES
  keep_forces(ncon, rows);
#endif
  SYNC();
#if SEPARABLE
  if (rows.apart) iterations = (int)lane_max((real)iterations);
#endif
  return iterations;
}
