// Small vectors, unit quaternions (w, x, y, z), spatial vectors (rotation, translation) and rigid inertias
// (Ixx Iyy Izz Ixy Ixz Iyz mx my mz m), as in the CPU engine.
#pragma once
#include "lanes.cuh"

DEV void cross(const real* a, const real* b, real* o) {
  o[0] = a[1] * b[2] - a[2] * b[1];
  o[1] = a[2] * b[0] - a[0] * b[2];
  o[2] = a[0] * b[1] - a[1] * b[0];
}
DEV real dot3(const real* a, const real* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
DEV real dot6(const real* a, const real* b) { return dot3(a, b) + dot3(a + 3, b + 3); }
DEV void copy3(const real* a, real* o) {
  o[0] = a[0];
  o[1] = a[1];
  o[2] = a[2];
}
DEV void axpy3(real s, const real* a, real* o) {
  o[0] += s * a[0];
  o[1] += s * a[1];
  o[2] += s * a[2];
}
DEV void axpy6(real s, const real* a, real* o) {
  for (int k = 0; k < 6; ++k) o[k] += s * a[k];
}
DEV real normalize3(real* a) {
  real n2 = dot3(a, a), n = r_sqrt(n2);
  if (n < MINVAL) {
    a[0] = 1;
    a[1] = a[2] = 0;
    return 0;
  }
  real inv = 1 / n;
  a[0] *= inv;
  a[1] *= inv;
  a[2] *= inv;
  return n;
}
DEV void quat_mul(const real* a, const real* b, real* o) {
  real w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  real x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  real y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  real z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
  o[0] = w;
  o[1] = x;
  o[2] = y;
  o[3] = z;
}
DEV void quat_rot(const real* q, const real* v, real* o) {
  real t[3], s[3];
  cross(q + 1, v, t);
  t[0] += t[0];
  t[1] += t[1];
  t[2] += t[2];
  cross(q + 1, t, s);
  real x = v[0] + q[0] * t[0] + s[0], y = v[1] + q[0] * t[1] + s[1], z = v[2] + q[0] * t[2] + s[2];
  o[0] = x;
  o[1] = y;
  o[2] = z;
}
// The same by the rotation matrix, in the CPU's order of operations: in double precision geoms that touch exactly there
// do so here too.
DEV void quat_rot_exactly(const real* q, const real* v, real* o) {
  const real ww = q[0] * q[0], wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3], xx = q[1] * q[1], xy = q[1] * q[2],
             xz = q[1] * q[3], yy = q[2] * q[2], yz = q[2] * q[3], zz = q[3] * q[3];
  const real x = (ww + xx - yy - zz) * v[0] + 2 * (xy - wz) * v[1] + 2 * (xz + wy) * v[2],
             y = 2 * (xy + wz) * v[0] + (ww - xx + yy - zz) * v[1] + 2 * (yz - wx) * v[2];
  o[2] = 2 * (xz - wy) * v[0] + 2 * (yz + wx) * v[1] + (ww - xx - yy + zz) * v[2];
  o[0] = x;
  o[1] = y;
}
DEV void quat_unit(real* q) {
  real n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (n2 < MINVAL * MINVAL) {
    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
    return;
  }
  real n = r_sqrt(n2), s = 1 / n;
  if (sizeof(real) == 8 && r_abs(n - 1) <= MINVAL) return; // as the CPU: the same bits
  for (int k = 0; k < 4; ++k) q[k] *= s;
}
// columns of the rotation matrix
DEV void quat_axes(const real* q, real* x, real* y, real* z) {
  x[0] = 1 - 2 * (q[2] * q[2] + q[3] * q[3]);
  x[1] = 2 * (q[1] * q[2] + q[0] * q[3]);
  x[2] = 2 * (q[1] * q[3] - q[0] * q[2]);
  y[0] = 2 * (q[1] * q[2] - q[0] * q[3]);
  y[1] = 1 - 2 * (q[1] * q[1] + q[3] * q[3]);
  y[2] = 2 * (q[2] * q[3] + q[0] * q[1]);
  cross(x, y, z);
}
// rotation vector of a unit quaternion, angle in (-pi, pi]
DEV void quat_log(const real* q, real* o) {
  real s = r_sqrt(dot3(q + 1, q + 1)), angle = 2 * r_atan2(s, q[0]);
  if (angle > PI) angle -= 2 * PI;
  real f = s < MINVAL ? (real)2 : angle / s;
  for (int k = 0; k < 3; ++k) o[k] = f * q[1 + k];
}
// q * exp(v h / 2)
DEV void quat_integrate(real* q, const real* v, real h) {
  real n2 = dot3(v, v), n = r_sqrt(n2), r[4] = {1, 0, 0, 0};
  if (n * h > MINVAL) {
    real s, c;
    r_sincos((real)0.5 * n * h, s, c);
    s /= n;
    r[0] = c;
    for (int k = 0; k < 3; ++k) r[1 + k] = s * v[k];
  }
  quat_mul(q, r, q);
  quat_unit(q);
}
DEV void inertia_mul(const real* i, const real* v, real* o) {
  o[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
  o[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
  o[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
  o[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
  o[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
  o[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
}
DEV void cross_motion(const real* v, const real* s, real* o) {
  real t[3];
  cross(v, s, o);
  cross(v, s + 3, o + 3);
  cross(v + 3, s, t);
  for (int k = 0; k < 3; ++k) o[3 + k] += t[k];
}
DEV void cross_force(const real* v, const real* f, real* o) {
  real t[3];
  cross(v, f, o);
  cross(v + 3, f + 3, t);
  for (int k = 0; k < 3; ++k) o[k] += t[k];
  cross(v, f + 3, o + 3);
}
// shared rows are padded to 4 reals and moved four at a time
struct alignas(4 * sizeof(real)) Four {
  real x[4];
};
DEV void load4(const real* p, real* o) {
  Four f = *(const Four*)p;
  for (int k = 0; k < 4; ++k) o[k] = f.x[k];
}
DEV void store4(real* p, real a, real b, real c, real d) {
  Four f = {{a, b, c, d}};
  *(Four*)p = f;
}
DEV void load6(const real* p, real* o) {
  real a[4], b[4];
  load4(p, a);
  load4(p + 4, b);
  o[0] = a[0];
  o[1] = a[1];
  o[2] = a[2];
  o[3] = a[3];
  o[4] = b[0];
  o[5] = b[1];
}
DEV void store6(real* p, const real* v) {
  store4(p, v[0], v[1], v[2], v[3]);
  store4(p + 4, v[4], v[5], 0, 0);
}
