// Forces of a fluid on a body: the inertia-box model per body, the ellipsoid model per geom (book, "Fluid forces").
#pragma once
#include "kinematics.cuh"
#include "vector.cuh"

#if HAS_FLUID
// Velocity of a point of a body relative to the fluid, in a frame: rotation, translation.
DEV void flow_at(int b, const RVec& point, const Frame3<real>& axes, RVec& turn, RVec& speed) {
  real v[6]; load6(WORLD.vel + 8 * b, v); const RVec w = vec(v), wind = {{WIND_X, WIND_Y, WIND_Z}}; turn = to_local(axes, w);
  speed = to_local(axes, vec(v + 3) + cross(w, point - vec(WORLD.ref + 4 * tree_of(b))) - wind);
}
DEV real fourth(real x) { return x * x * x * x; }
DEV void box_drag(int b, const RVec& turn, const RVec& speed, RVec& torque, RVec& force) {
  const real mass = body_mass(b), i0 = body_inertia(3 * b), i1 = body_inertia(3 * b + 1), i2 = body_inertia(3 * b + 2);
  auto edge = [&](real x) { return r_sqrt(r_max(x, MINVAL) / mass * 6); };
  const RVec size = {{edge(i1 + i2 - i0), edge(i0 + i2 - i1), edge(i0 + i1 - i2)}};
  torque = force = {{0, 0, 0}};
  if (VISCOSITY > 0) { const real d = (size[0] + size[1] + size[2]) / 3; torque = -PI * d * d * d * VISCOSITY * turn; force = -3 * PI * d * VISCOSITY * speed; }
  if (DENSITY > 0) for (int k = 0; k < 3; ++k) {
    const real a = size[(k + 1) % 3], c = size[(k + 2) % 3]; force[k] -= (real)0.5 * DENSITY * a * c * r_abs(speed[k]) * speed[k];
    torque[k] -= DENSITY * size[k] * (fourth(a) + fourth(c)) * r_abs(turn[k]) * turn[k] / 64;
  }
}
#if HAS_ELLIPSOID_FLUID
// Added mass, lift (Magnus, Kutta) and drag (Stokes and quadratic) of an ellipsoid with coefficients c.
DEV_CALL void ellipsoid_drag(const real* c, const RVec& s, const RVec& turn, const RVec& speed, RVec& torque, RVec& force) {
  RVec lin, ang; for (int k = 0; k < 3; ++k) { lin[k] = DENSITY * c[6 + k] * speed[k]; ang[k] = DENSITY * c[9 + k] * turn[k]; }
  torque = cross(lin, speed) + cross(ang, turn); force = cross(lin, turn);
  const real fast = length(speed), most = r_max(s[0], r_max(s[1], s[2])), least = r_min(s[0], r_min(s[1], s[2])), middle = s[0] + s[1] + s[2] - most - least, area_max = PI * most * middle;
  force = force + (c[5] * DENSITY * (real)(4.0 / 3) * PI * s[0] * s[1] * s[2]) * cross(turn, speed);
  real denom = 0, num = 0; RVec normal; for (int k = 0; k < 3; ++k) { const real face = s[(k + 1) % 3] * s[(k + 2) % 3]; denom += fourth(face) * speed[k] * speed[k]; num += face * speed[k] * face * speed[k]; normal[k] = face * face * speed[k]; }
  const real area = PI * r_sqrt(denom / r_max(num, MINVAL)), cosine = num / r_max(fast * denom, MINVAL);
  force = force + cross((c[4] * DENSITY * cosine * area) * cross(normal, speed), speed);
  const real sphere = (real)(2.0 / 3) * (s[0] + s[1] + s[2]), inertia = (real)(8.0 / 15) * PI * middle * fourth(most); RVec moment;
  for (int k = 0; k < 3; ++k) { const real own = (real)(8.0 / 15) * PI * s[k] * fourth(r_max(s[(k + 1) % 3], s[(k + 2) % 3])); moment[k] = turn[k] * (c[3] * own + c[2] * (inertia - own)); }
  force = force - (VISCOSITY * 3 * PI * sphere + DENSITY * fast * (area * c[1] + c[2] * (area_max - area))) * speed;
  torque = torque - (VISCOSITY * PI * sphere * sphere * sphere + DENSITY * length(moment)) * turn;
}
#endif
// Adds the fluid's wrench on a body, about the point of its tree.
DEV_CALL void fluid_wrench(int b, const real* com, real* o) {
  if (body_mass(b) < MINVAL) return;
  RVec turn, speed, torque, force; Frame3<real> axes; real Q[4];
  auto add = [&](const RVec& at, real scale) { const RVec f = scale * (axes * force), t = scale * (axes * torque) + cross(at - vec(WORLD.ref + 4 * tree_of(b)), f); for (int k = 0; k < 3; ++k) { o[k] += t[k]; o[3 + k] += f[k]; } };
#if HAS_ELLIPSOID_FLUID
  if (body_ellipsoids(b)) {
    ROLLED for (int g = body_geomadr(b); g < body_geomadr(b) + body_geomnum(b); ++g) {
      const real* c = &geom_fluid(12 * g); if (c[0] == 0) continue;
      real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)}; quat_mul(WORLD.pose + 8 * b + 4, q, Q); quat_axes(Q, axes.c[0].v, axes.c[1].v, axes.c[2].v);
      const RVec at = vec(GEOM_AT(g)); flow_at(b, at, axes, turn, speed); ellipsoid_drag(c, vec(&geom_semiaxes(3 * g)), turn, speed, torque, force); add(at, c[0]);
    }
    return;
  }
#endif
  real q[4] = {body_iquat(4 * b), body_iquat(4 * b + 1), body_iquat(4 * b + 2), body_iquat(4 * b + 3)}; quat_mul(WORLD.pose + 8 * b + 4, q, Q); quat_axes(Q, axes.c[0].v, axes.c[1].v, axes.c[2].v);
  flow_at(b, vec(com), axes, turn, speed); box_drag(b, turn, speed, torque, force); add(vec(com), 1);
}
#endif
