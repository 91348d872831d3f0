// Friction cones: force, zone and second derivative of the cost of one contact, in the coordinates of its frame.
#pragma once
#include "constraint.cuh"

#if CONE_ELLIPTIC
DEV real cone_weight(int c, const Con& k, int i) { // D of row i: R_i mu_i^2 = R_1 mu_1^2, R_1 = R_0 / impratio
  if (i == 0) return k.D;
  const real* fri = WORLD.fri + PAD4(DIMMAX) * c;
  return k.D * IMPRATIO * fri[i] * fri[i] / (fri[1] * fri[1]);
}
enum { ZONE_FREE = 0, ZONE_STICK = 1, ZONE_CONE = 2 };
struct Elliptic {
  real u[DIMMAX], N, T, Dm;
  int zone;
}; // coordinates in which the cone is circular
DEV Elliptic elliptic(int c, const Con& k, const real* x) {
  Elliptic z;
  const real* fri = WORLD.fri + PAD4(DIMMAX) * c;
  real t2 = 0;
  z.u[0] = x[0] * k.mu;
  UNROLL for (int i = 1; i < DIMMAX; ++i) {
    z.u[i] = i < k.dim ? x[i] * fri[i] : 0;
    t2 += z.u[i] * z.u[i];
  }
  z.N = z.u[0];
  z.T = r_sqrt(t2);
  z.Dm = k.D / (k.mu * k.mu * (1 + k.mu * k.mu));
  if (k.dim == 1) z.zone = x[0] >= 0 ? ZONE_FREE : ZONE_STICK;
  else if (z.N >= k.mu * z.T || (z.T <= 0 && z.N >= 0)) z.zone = ZONE_FREE;
  else if (k.mu * z.N + z.T <= 0 || (z.T <= 0 && z.N < 0)) z.zone = ZONE_STICK;
  else z.zone = ZONE_CONE;
  return z;
}
DEV int cone_zone(int c, const Con& k, const real* x) { return elliptic(c, k, x).zone; }
DEV bool cone_is_quadratic(int zone) { return zone != ZONE_CONE; }
DEV void cone_force(int c, const Con& k, const real* x, real* f) {
  const Elliptic z = elliptic(c, k, x);
  const real* fri = WORLD.fri + PAD4(DIMMAX) * c;
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    f[i] = 0;
  if (z.zone == ZONE_STICK) {
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      if (i < k.dim) f[i] = -cone_weight(c, k, i) * x[i];
  }
  if (z.zone == ZONE_CONE) {
    f[0] = -z.Dm * (z.N - k.mu * z.T) * k.mu;
    UNROLL for (int i = 1; i < DIMMAX; ++i)
      if (i < k.dim) f[i] = -f[0] / z.T * z.u[i] * fri[i];
  }
}
DEV void cone_curvature(int c, const Con& k, const real* x, real (*C)[DIMMAX]) {
  const Elliptic z = elliptic(c, k, x);
  const real* fri = WORLD.fri + PAD4(DIMMAX) * c;
  UNROLL for (int i = 0; i < DIMMAX; ++i) UNROLL
    for (int j = 0; j < DIMMAX; ++j) C[i][j] = 0;
  if (z.zone == ZONE_STICK) {
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      if (i < k.dim) C[i][i] = cone_weight(c, k, i);
  }
  if (z.zone != ZONE_CONE) return;
  const real outer = k.mu * z.N / (z.T * z.T * z.T), diag = k.mu * k.mu - k.mu * z.N / z.T;
  UNROLL for (int i = 0; i < DIMMAX; ++i) UNROLL
    for (int j = 0; j < DIMMAX; ++j)
      if (i < k.dim && j < k.dim) {
        real h = i == 0 && j == 0 ? (real)1
                 : i == 0         ? -k.mu / z.T * z.u[j]
                 : j == 0         ? -k.mu / z.T * z.u[i]
                                  : outer * z.u[i] * z.u[j] + (i == j ? diag : 0);
        C[i][j] = z.Dm * h * (i == 0 ? k.mu : fri[i]) * (j == 0 ? k.mu : fri[j]);
      }
}
#else
// Edges of the pyramid are c0 + ci and c0 - ci, each with cost D/2 min(0, x)^2; a frictionless contact is one edge.
DEV int cone_zone(int, const Con& k, const real* x) {
  if (k.dim == 1) return x[0] < 0;
  int zone = 0;
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) zone |= (x[0] + x[i] < 0) << (2 * i) | (x[0] - x[i] < 0) << (2 * i + 1);
  return zone;
}
DEV bool cone_is_quadratic(int) { return true; }
DEV void cone_force(int, const Con& k, const real* x, real* f) {
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    f[i] = 0;
  if (k.dim == 1) {
    f[0] = -k.D * r_min(0, x[0]);
    return;
  }
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) {
      const real p = r_min(0, x[0] + x[i]), m = r_min(0, x[0] - x[i]);
      f[0] -= k.D * (p + m);
      f[i] = -k.D * (p - m);
    }
}
DEV void cone_curvature(int, const Con& k, const real* x, real (*C)[DIMMAX]) {
  UNROLL for (int i = 0; i < DIMMAX; ++i) UNROLL
    for (int j = 0; j < DIMMAX; ++j) C[i][j] = 0;
  if (k.dim == 1) {
    C[0][0] = x[0] < 0 ? k.D : 0;
    return;
  }
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) {
      const real p = x[0] + x[i] < 0 ? k.D : 0, m = x[0] - x[i] < 0 ? k.D : 0;
      C[0][0] += p + m;
      C[0][i] = C[i][0] = p - m;
      C[i][i] = p + m;
    }
}
#endif
// Slope and curvature of the cost along v at x.
DEV void cone_along(int c, const Con& k, const real* x, const real* v, real& slope, real& curvature) {
#if CONE_ELLIPTIC
  const Elliptic z = elliptic(c, k, x);
  if (z.zone == ZONE_STICK) {
    UNROLL for (int i = 0; i < DIMMAX; ++i)
      if (i < k.dim) {
        const real D = cone_weight(c, k, i);
        slope += D * x[i] * v[i];
        curvature += D * v[i] * v[i];
      }
  }
  if (z.zone != ZONE_CONE) return;
  // the cost is that of the gap N - mu T; T grows by T' = u.w / T, and T'' = (w.w - T'^2) / T
  const real* fri = WORLD.fri + PAD4(DIMMAX) * c;
  real uw = 0, ww = 0;
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) {
      const real w = v[i] * fri[i];
      uw += z.u[i] * w;
      ww += w * w;
    }
  const real inv = 1 / z.T, growth = uw * inv, gap = z.N - k.mu * z.T, rate = k.mu * (v[0] - growth);
  slope += z.Dm * gap * rate;
  curvature += z.Dm * (rate * rate - gap * k.mu * (ww - growth * growth) * inv);
#else
  (void)c;
  auto edge = [&](real y, real dy) {
    if (y < 0) {
      slope += k.D * y * dy;
      curvature += k.D * dy * dy;
    }
  };
  if (k.dim == 1) {
    edge(x[0], v[0]);
    return;
  }
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    if (i < k.dim) {
      edge(x[0] + x[i], v[0] + v[i]);
      edge(x[0] - x[i], v[0] - v[i]);
    }
#endif
}
