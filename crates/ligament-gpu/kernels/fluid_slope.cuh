// How the forces of a fluid on a body change with its velocity, for the integrator that treats them implicitly: a
// symmetric 6x6 matrix about the point of its tree, which stands beside the inertia of the body as the stiffness of its
// contacts does.
#pragma once
#include "fluid.cuh"

#if HAS_FLUID_SLOPE
// Torque and force by rotation and translation, in the frame of the body or geom.
struct Slope {
  real b[6][6];
};
DEV void add_slope(Slope& s, int row, int column, int r, int c, real x) { s.b[3 * row + r][3 * column + c] += x; }
// Derivatives of (A a) x b: by a, where A is diagonal, into block (row, by_a), and by b into block (row, by_b).
DEV void add_cross_slopes(Slope& s, int row, int by_a, int by_b, const RVec& A, const RVec& a, const RVec& b) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3; // (x cross y)[k] = x[i] y[j] - x[j] y[i]
    add_slope(s, row, by_a, k, i, A[i] * b[j]);
    add_slope(s, row, by_a, k, j, -A[j] * b[i]);
    add_slope(s, row, by_b, k, j, A[i] * a[i]);
    add_slope(s, row, by_b, k, i, -A[j] * a[j]);
  }
}
DEV void box_slope(int b, const RVec& turn, const RVec& speed, Slope& s) {
  const RVec size = inertia_box(b);
  const real d = (size[0] + size[1] + size[2]) / 3;
  for (int k = 0; k < 3; ++k) {
    const real x = size[(k + 1) % 3], y = size[(k + 2) % 3];
    if (VISCOSITY > 0) {
      add_slope(s, 0, 0, k, k, -PI * d * d * d * VISCOSITY);
      add_slope(s, 1, 1, k, k, -3 * PI * d * VISCOSITY);
    }
    if (DENSITY > 0) {
      add_slope(s, 0, 0, k, k, -DENSITY * size[k] * (fourth(x) + fourth(y)) * r_abs(turn[k]) / 32);
      add_slope(s, 1, 1, k, k, -DENSITY * x * y * r_abs(speed[k]));
    }
  }
}
#if HAS_ELLIPSOID_FLUID
// Drag grows with speed: the derivative of f(|v|, area) v, where the area that is met depends on the direction; then
// Kutta's lift.
DEV void speed_slope(const real* c, const RVec& s, const RVec& v, Slope& o) {
  RVec a, q;
  real denom = 0, num = 0, norm2 = 0;
  for (int k = 0; k < 3; ++k) {
    const real face = s[(k + 1) % 3] * s[(k + 2) % 3];
    a[k] = face * face;
    q[k] = v[k] * v[k];
    denom += a[k] * a[k] * q[k];
    num += a[k] * q[k];
    norm2 += q[k];
  }
  const real norm = r_sqrt(norm2), area = PI * r_sqrt(denom / r_max(num, MINVAL)),
             area_slope = PI / r_max(r_sqrt(num * num * num * denom), MINVAL),
             sphere = (real)(2.0 / 3) * (s[0] + s[1] + s[2]);
  const real drag = DENSITY * (area * c[1] + c[2] * (largest_area(s) - area)) / r_max(norm, MINVAL),
             by_area = DENSITY * norm * (c[1] - c[2]) * area_slope;
  const real lift = PI * c[4] * DENSITY / r_max(r_sqrt(denom * num * norm2), MINVAL),
             projected = num / r_max(denom, MINVAL), cosine = num / r_max(norm2, MINVAL);
  RVec grows, turns, inner;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    grows[k] = by_area * a[k] * v[k] * (a[i] * q[i] * (a[k] - a[i]) + a[j] * q[j] * (a[k] - a[j]));
    turns[k] = q[i] * (a[k] - a[i]) + q[j] * (a[k] - a[j]);
    inner[k] = a[k] * a[k] * projected - a[k] + cosine;
  }
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) {
      real x = -drag * v[r] * v[k] - v[r] * grows[k] +
               lift * ((a[k] - a[r]) * (2 * num) + inner[k] * turns[r]) * (v[r] * v[k]);
      if (r == k) x -= drag * norm2 + VISCOSITY * 3 * PI * sphere + lift * turns[r] * num;
      add_slope(o, 1, 1, r, k, x);
    }
}
DEV void turn_slope(const real* c, const RVec& s, const RVec& w, Slope& o) {
  const real sphere = (real)(2.0 / 3) * (s[0] + s[1] + s[2]);
  RVec moment, weighed, squares;
  for (int k = 0; k < 3; ++k) {
    moment[k] = drag_moment(c, s, k);
    weighed[k] = w[k] * moment[k];
  }
  const real scale = DENSITY / r_max(length(weighed), MINVAL);
  for (int k = 0; k < 3; ++k) squares[k] = -scale * weighed[k] * moment[k];
  const real diagonal = dot(w, squares) - VISCOSITY * PI * sphere * sphere * sphere;
  for (int r = 0; r < 3; ++r)
    for (int k = 0; k < 3; ++k) add_slope(o, 0, 0, r, k, w[r] * squares[k] + (r == k ? diagonal : 0));
}
// What `ellipsoid_drag` sums, term by term.
DEV_CALL void ellipsoid_slope(const real* c, const RVec& s, const RVec& turn, const RVec& speed, Slope& o) {
  const RVec mass = {{DENSITY * c[6], DENSITY * c[7], DENSITY * c[8]}},
             inertia = {{DENSITY * c[9], DENSITY * c[10], DENSITY * c[11]}};
  const real magnus = c[5] * DENSITY * (real)(4.0 / 3) * PI * s[0] * s[1] * s[2];
  add_cross_slopes(o, 0, 1, 1, mass, speed, speed);
  add_cross_slopes(o, 0, 0, 0, inertia, turn, turn);
  add_cross_slopes(o, 1, 1, 0, mass, speed, turn);
  add_cross_slopes(o, 1, 0, 1, {{magnus, magnus, magnus}}, turn, speed);
  speed_slope(c, s, speed, o);
  turn_slope(c, s, turn, o);
}
#endif
// Column k of X'BX: the wrench that a unit of this motion about the tree's point brings, where X takes such motions to
// rotation and speed at `arm` in the frame of B. Of that the symmetric part (`sign` 1) or what is left (-1).
DEV void slope_column(const Slope& s, const Frame3<real>& axes, const RVec& arm, int k, real sign, RVec& t, RVec& f) {
  const RVec none = {{0, 0, 0}};
  RVec unit = none, torque = none, force = none;
  unit[k % 3] = 1;
  const RVec turn = k < 3 ? to_local(axes, unit) : none, speed = to_local(axes, k < 3 ? cross(unit, arm) : unit);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      auto part = [&](int i, int j) { return (real)0.5 * (s.b[i][j] + sign * s.b[j][i]); };
      torque[r] += part(r, c) * turn[c] + part(r, 3 + c) * speed[c];
      force[r] += part(3 + r, c) * turn[c] + part(3 + r, 3 + c) * speed[c];
    }
  f = axes * force;
  t = axes * torque + cross(arm, f);
}
// Adds the symmetric part to the matrix of a body.
DEV void add_to_body(int b, const RVec& at, const Frame3<real>& axes, const Slope& s, real* o) {
  const RVec arm = at - vec(WORLD.ref + 4 * tree_of(b));
  UNROLL for (int k = 0; k < 6; ++k) {
    RVec f, t;
    slope_column(s, axes, arm, k, 1, t, f);
    UNROLL for (int r = 0; r < 3; ++r) {
      if (k < 3 && r <= k) o[r == 0 ? k : 2 + r + (k - 1)] += t[r]; // places 0 1 2, 3 4, 5
      if (k >= 3) o[6 + 3 * r + k - 3] += t[r];
      if (k >= 3 && r <= k - 3) o[r == 0 ? 15 + k - 3 : 17 + r + (k - 4)] += f[r];
    }
#if HAS_FLUID_SKEW
    slope_column(s, axes, arm, k, -1, t, f);
    for (int r = 0; r < 3; ++r) {
      WORLD.skew[36 * b + 6 * r + k] += t[r];
      WORLD.skew[36 * b + 6 * (3 + r) + k] += f[r];
    }
#endif
  }
}
DEV_CALL void fluid_slope(int b, const real* com) {
  real o[NSLOPE];
  for (int k = 0; k < NSLOPE; ++k) o[k] = 0;
#if HAS_FLUID_SKEW
  for (int k = 0; k < 36; ++k) WORLD.skew[36 * b + k] = 0;
#endif
  each_drag(b, com, [&](int g, const RVec& at, const Frame3<real>& axes, const RVec& turn, const RVec& speed) {
    Slope s;
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < 6; ++c) s.b[r][c] = 0;
    (void)g;
#if HAS_ELLIPSOID_FLUID
    if (g >= 0) ellipsoid_slope(&geom_fluid(12 * g), vec(&geom_semiaxes(3 * g)), turn, speed, s);
    else
#endif
      box_slope(b, turn, speed, s);
    add_to_body(b, at, axes, s, o);
  });
  UNROLL for (int k = 0; k < NSLOPE; k += 4)
    store4(WORLD.fluid + NSLOPE * b + k, o[k], o[k + 1], o[k + 2], o[k + 3]);
}
#endif
