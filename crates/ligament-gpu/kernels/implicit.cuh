// The integrator "implicit": forces of velocities (Coriolis, centrifugal, gyroscopic) are treated implicitly too. Their
// derivative is not symmetric, so that the whole matrix stands in device memory and is factored there.
#pragma once
#include "armature.cuh"
#include "smooth.cuh"

#if INTEGRATOR_IMPLICIT
#define FULL_AT(i, j) (KEPT.full[(i) * NV + (j)])
DEV void spread_full(const Tree& t) {
  FOR_LANES(i, NV * NV) KEPT.full[i] = 0;
  SYNC();
  FORD(r, d) {
    UNROLL for (int l = 0; l < NLEV - 1; ++l)
      if (l < t.lev[r]) {
        const int a = dof_path(d * NLEV + l);
        FULL_AT(d, a) = FULL_AT(a, d) = t.h[r][l];
      }
    FULL_AT(d, d) = t.diagonal[r];
    WORLD.x[d] = t.g[r];
  }
  SYNC();
}
// Adds what velocity j changes: these forces are quadratic in velocities at most, so that the difference of two of them
// is exact.
DEV_CALL void add_velocity_slope(int j) {
  World& w = WORLD;
  const real at = w.qvel[j];
  real slope[RD];
  UNROLL for (int r = 0; r < RD; ++r)
    slope[r] = 0;
  ROLLED for (int side = 0; side < 3; ++side) { // ahead, behind, and back
    SYNC();
    if (FIRST_LANE) w.qvel[j] = side == 0 ? at + 1 : side == 1 ? at - 1 : at;
    SYNC();
    if (side == 2) break;
    velocities_and_bias(nullptr, false);
    FORD(r, d) {
      real f[6], s[6];
      load6(w.body + 8 * dof_bodyid(d), f);
      load6(w.cdof + 8 * d, s);
      slope[r] += (side == 0 ? (real)0.5 : (real)-0.5) * dot6(s, f);
    }
  }
  FORD(r, d) {
    FULL_AT(d, j) += TIMESTEP * slope[r];
    w.x[d] -= TIMESTEP * slope[r] * w.acc[j];
  }
}
// What is treated implicitly changes the acceleration by `x`: the gradient of `t` over the whole matrix.
DEV void solve_full(const Tree& t) {
  World& w = WORLD;
  spread_full(t);
  ROLLED for (int j = 0; j < NV; ++j)
    add_velocity_slope(j);
  SYNC();
  ROLLED for (int k = NV - 1; k > 0; --k) {
    const real inv = 1 / FULL_AT(k, k);
    FORD(r, d)
      if (d < k) {
        const real c = FULL_AT(d, k) * inv;
        if (c != 0) {
          w.x[d] -= c * w.x[k];
          ROLLED for (int a = 0; a < k; ++a)
            FULL_AT(d, a) -= c * FULL_AT(k, a);
        }
      }
    SYNC();
  }
  ROLLED for (int k = 0; k < NV; ++k) {
    const real x = w.x[k] / FULL_AT(k, k);
    SYNC();
    FORD(r, d) {
      if (d == k) w.x[d] = x;
      else if (d > k) w.x[d] -= FULL_AT(d, k) * x;
    }
    SYNC();
  }
}
#endif
