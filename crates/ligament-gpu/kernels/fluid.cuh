// Forces of a fluid on a body: the inertia-box model per body, the ellipsoid model per geom (book, "Fluid forces").
#pragma once
#include "kinematics.cuh"
#include "vector.cuh"

#if HAS_FLUID
// Velocity of a point of a body relative to the fluid, in a frame: rotation, translation.
DEV void flow_at(int b, const RVec& point, const Frame3<real>& axes, RVec& turn, RVec& speed) {
  real v[6];
  load6(WORLD.vel + 8 * b, v);
  const RVec w = vec(v), wind = {{WIND_X, WIND_Y, WIND_Z}};
  turn = to_local(axes, w);
  speed = to_local(axes, vec(v + 3) + cross(w, point - vec(WORLD.ref + 4 * tree_of(b))) - wind);
}
DEV real fourth(real x) { return x * x * x * x; }
// Edges of the box that has the inertia of a body.
DEV RVec inertia_box(int b) {
  const real mass = body_mass(b), i0 = body_inertia(3 * b), i1 = body_inertia(3 * b + 1), i2 = body_inertia(3 * b + 2);
  auto edge = [&](real x) { return r_sqrt(r_max(x, MINVAL) / mass * 6); };
  return {{edge(i1 + i2 - i0), edge(i0 + i2 - i1), edge(i0 + i1 - i2)}};
}
DEV void box_drag(int b, const RVec& turn, const RVec& speed, RVec& torque, RVec& force) {
  const RVec size = inertia_box(b);
  torque = force = {{0, 0, 0}};
  if (VISCOSITY > 0) {
    const real d = (size[0] + size[1] + size[2]) / 3;
    torque = -PI * d * d * d * VISCOSITY * turn;
    force = -3 * PI * d * VISCOSITY * speed;
  }
  if (DENSITY > 0)
    for (int k = 0; k < 3; ++k) {
      const real a = size[(k + 1) % 3], c = size[(k + 2) % 3];
      force[k] -= (real)0.5 * DENSITY * a * c * r_abs(speed[k]) * speed[k];
      torque[k] -= DENSITY * size[k] * (fourth(a) + fourth(c)) * r_abs(turn[k]) * turn[k] / 64;
    }
}
#if HAS_ELLIPSOID_FLUID
// The two largest of an ellipsoid's semiaxes.
DEV void longest(const RVec& s, real& most, real& middle) {
  most = r_max(s[0], r_max(s[1], s[2]));
  middle = s[0] + s[1] + s[2] - most - r_min(s[0], r_min(s[1], s[2]));
}
DEV real largest_area(const RVec& s) {
  real most, middle;
  longest(s, most, middle);
  return PI * most * middle;
}
// What drag about axis k is proportional to.
DEV real drag_moment(const real* c, const RVec& s, int k) {
  real most, middle;
  longest(s, most, middle);
  const real largest = (real)(8.0 / 15) * PI * middle * fourth(most),
             own = (real)(8.0 / 15) * PI * s[k] * fourth(r_max(s[(k + 1) % 3], s[(k + 2) % 3]));
  return c[3] * own + c[2] * (largest - own);
}
// Added mass, lift (Magnus, Kutta) and drag (Stokes and quadratic) of an ellipsoid with coefficients c.
DEV_CALL void ellipsoid_drag(const real* c, const RVec& s, const RVec& turn, const RVec& speed, RVec& torque,
                             RVec& force) {
  RVec lin, ang;
  for (int k = 0; k < 3; ++k) {
    lin[k] = DENSITY * c[6 + k] * speed[k];
    ang[k] = DENSITY * c[9 + k] * turn[k];
  }
  torque = cross(lin, speed) + cross(ang, turn);
  force = cross(lin, turn);
  const real fast = length(speed), area_max = largest_area(s);
  force = force + (c[5] * DENSITY * (real)(4.0 / 3) * PI * s[0] * s[1] * s[2]) * cross(turn, speed);
  real denom = 0, num = 0;
  RVec normal;
  for (int k = 0; k < 3; ++k) {
    const real face = s[(k + 1) % 3] * s[(k + 2) % 3];
    denom += fourth(face) * speed[k] * speed[k];
    num += face * speed[k] * face * speed[k];
    normal[k] = face * face * speed[k];
  }
  const real area = PI * r_sqrt(denom / r_max(num, MINVAL)), cosine = num / r_max(fast * denom, MINVAL);
  force = force + cross((c[4] * DENSITY * cosine * area) * cross(normal, speed), speed);
  const real sphere = (real)(2.0 / 3) * (s[0] + s[1] + s[2]);
  RVec moment;
  for (int k = 0; k < 3; ++k) moment[k] = turn[k] * drag_moment(c, s, k);
  force = force - (VISCOSITY * 3 * PI * sphere + DENSITY * fast * (area * c[1] + c[2] * (area_max - area))) * speed;
  torque = torque - (VISCOSITY * PI * sphere * sphere * sphere + DENSITY * length(moment)) * turn;
}
#endif
// Calls `take(geom, point, frame, rotation, speed)` for each ellipsoid of a body, or once for its box (geom -1).
template <class Take> DEV void each_drag(int b, const real* com, Take take) {
  if (body_mass(b) < MINVAL) return;
  RVec turn, speed;
  Frame3<real> axes;
  real Q[4];
#if HAS_ELLIPSOID_FLUID
  if (body_ellipsoids(b)) {
    ROLLED for (int g = body_geomadr(b); g < body_geomadr(b) + body_geomnum(b); ++g) {
      if (geom_fluid(12 * g) == 0) continue;
      real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)};
      quat_mul(WORLD.pose + 8 * b + 4, q, Q);
      quat_axes(Q, axes.c[0].v, axes.c[1].v, axes.c[2].v);
      const RVec at = vec(GEOM_AT(g));
      flow_at(b, at, axes, turn, speed);
      take(g, at, axes, turn, speed);
    }
    return;
  }
#endif
  real q[4] = {body_iquat(4 * b), body_iquat(4 * b + 1), body_iquat(4 * b + 2), body_iquat(4 * b + 3)};
  quat_mul(WORLD.pose + 8 * b + 4, q, Q);
  quat_axes(Q, axes.c[0].v, axes.c[1].v, axes.c[2].v);
  flow_at(b, vec(com), axes, turn, speed);
  take(-1, vec(com), axes, turn, speed);
}
// Adds the fluid's wrench on a body, about the point of its tree.
DEV_CALL void fluid_wrench(int b, const real* com, real* o) {
  each_drag(b, com, [&](int g, const RVec& at, const Frame3<real>& axes, const RVec& turn, const RVec& speed) {
    RVec torque, force;
    real scale = 1;
    (void)g;
#if HAS_ELLIPSOID_FLUID
    if (g >= 0) {
      ellipsoid_drag(&geom_fluid(12 * g), vec(&geom_semiaxes(3 * g)), turn, speed, torque, force);
      scale = geom_fluid(12 * g);
    } else
#endif
      box_drag(b, turn, speed, torque, force);
    const RVec f = scale * (axes * force), t = scale * (axes * torque) + cross(at - vec(WORLD.ref + 4 * tree_of(b)), f);
    for (int k = 0; k < 3; ++k) {
      o[k] += t[k];
      o[3 + k] += f[k];
    }
  });
}
#endif
