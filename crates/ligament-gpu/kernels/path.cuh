// Paths: tendons, and actuators that act on more than one dof. A path has a length and one entry of its Jacobian per
// dof that can change it. Where a path pulls on bodies, its parts ("pulls") are wrenches on two or three bodies, and
// the entry of a dof is the power of those wrenches on its motion axis.
#pragma once
#include "collision.cuh"
#include "wrap.cuh"

#if NPULL > 0
#define PULL                                                                                                           \
  20 // a pull in shared memory: three wrenches about their trees' points, the length, how velocities change its rate
DEV void site_point(int s, RVec& pos) {
  const real* pose = WORLD.pose + 8 * site_bodyid(s);
  real at[3] = {site_pos(3 * s), site_pos(3 * s + 1), site_pos(3 * s + 2)};
  quat_rot(pose + 4, at, pos.v);
  pos = pos + vec(pose);
}
DEV Frame3<real> site_frame(int s) {
  Frame3<real> f;
  real q[4] = {site_quat(4 * s), site_quat(4 * s + 1), site_quat(4 * s + 2), site_quat(4 * s + 3)}, Q[4];
  quat_mul(WORLD.pose + 8 * site_bodyid(s) + 4, q, Q);
  quat_axes(Q, f.c[0].v, f.c[1].v, f.c[2].v);
  return f;
}
// Adds force `f` at `point` and torque `t` on a body to a wrench about the point of its tree.
DEV void add_pull(int body, const RVec& point, const RVec& f, const RVec& t, real* w) {
  const RVec moment = cross(point - vec(WORLD.ref + 4 * tree_of(body)), f) + t;
  for (int k = 0; k < 3; ++k) {
    w[k] += moment[k];
    w[3 + k] += f[k];
  }
}
#if HAS_TENDON_ARMATURE
// Velocity of a point of a body, and the acceleration that velocities alone bring about.
DEV void motion_of(int body, const RVec& point, RVec& velocity, RVec& acceleration) {
  real v[6], a[6];
  load6(WORLD.vel + 8 * body, v);
  load6(WORLD.coriolis + 8 * body, a);
  const RVec arm = point - vec(WORLD.ref + 4 * tree_of(body));
  velocity = vec(v + 3) + cross(vec(v), arm);
  acceleration = vec(a + 3) + cross(vec(a), arm) + cross(vec(v), velocity);
}
// How fast a straight stretch begins to lengthen while dofs do not accelerate: its ends accelerate along it, and it
// turns.
DEV real straight_turn(int b0, int b1, const RVec& p0, const RVec& p1) {
  RVec v0, v1, a0, a1, u = p1 - p0;
  if (b0 == b1) return 0;
  motion_of(b0, p0, v0, a0);
  motion_of(b1, p1, v1, a1);
  const real len = make_unit(u);
  const RVec v = v1 - v0, across = v - dot(u, v) * u;
  return dot(u, a1 - a0) + (len > MINVAL ? dot(v, across) / len : 0);
}
#endif
// From site to site, possibly around a geom. Straight parts within a body cannot change their length.
DEV void stretch(int i, const RVec& p0, const RVec& p1, real* w) {
  const RVec none = {{0, 0, 0}};
  const int b0 = pull_body(3 * i), b1 = pull_body(3 * i + 1);
  const real scale = pull_scale(i);
  real len = 0;
  auto straight = [&](int from, int to, int a, int b, const RVec& start, const RVec& end) {
    RVec u = end - start;
    len += length(u);
    if (a == b) return;
    make_unit(u);
    u = scale * u;
    add_pull(a, start, -u, none, w + 6 * from);
    add_pull(b, end, u, none, w + 6 * to);
  };
#if HAS_WRAP
  if (pull_geom(i) >= 0) {
    const int g = pull_geom(i), bg = pull_body(3 * i + 2);
    const Solid s = solid(g);
    RVec at[2], side;
    real arc;
    const bool sided = pull_side(i) >= 0;
    if (sided) site_point(pull_side(i), side);
    if (wrap_around(p0, p1, s, pull_cylinder(i), sided ? &side : nullptr, at, arc)) {
      straight(0, 2, b0, bg, p0, at[0]);
      straight(2, 1, bg, b1, at[1], p1);
      w[18] = (len + arc) * scale;
      return;
    }
  }
#endif
  straight(0, 1, b0, b1, p0, p1);
  w[18] = len * scale;
#if HAS_TENDON_ARMATURE
  w[19] = scale * straight_turn(b0, b1, p0, p1);
#endif
}
DEV void site_pull(int i, const RVec& at, const RVec& from, real* w) {
  const bool relative = pull_kind(i) == PULL_REFERENCE;
  const int s = pull_site(2 * i), r = relative ? pull_site(2 * i + 1) : s;
  const Frame3<real> axes = site_frame(r);
  const RVec f = vec(&pull_gear(6 * i)), t = vec(&pull_gear(6 * i + 3)), force = axes * f, torque = axes * t;
  add_pull(pull_body(3 * i), at, force, torque, w);
  if (!relative) return;
  add_pull(pull_body(3 * i + 1), from, -force, -torque, w + 6);
  w[18] = dot(to_local(axes, at - from), f);
  if (t[0] == 0 && t[1] == 0 && t[2] == 0) return;
  // as the reference does: the site's own quaternion multiplies from the left
  real a[4], b[4], d[4], turn[3];
  real qs[4] = {site_quat(4 * s), site_quat(4 * s + 1), site_quat(4 * s + 2), site_quat(4 * s + 3)},
       qr[4] = {site_quat(4 * r), site_quat(4 * r + 1), site_quat(4 * r + 2), site_quat(4 * r + 3)};
  quat_mul(qs, WORLD.pose + 8 * site_bodyid(s) + 4, a);
  quat_mul(qr, WORLD.pose + 8 * site_bodyid(r) + 4, b);
  b[1] = -b[1];
  b[2] = -b[2];
  b[3] = -b[3];
  quat_mul(b, a, d);
  quat_log(d, turn);
  w[18] += dot(vec(turn), t);
}
// l = a.v - sqrt((a.v)^2 + r^2 - v.v) for the slider's axis a, v from slider to crank, rod r; l = a.v where the rod
// cannot reach.
DEV void crank_pull(int i, const RVec& crank, const RVec& slider, real* w) {
  const RVec axis = site_frame(pull_site(2 * i + 1)).c[2], v = crank - slider, none = {{0, 0, 0}};
  const real av = dot(v, axis), rod = pull_rod(i), det = av * av + rod * rod - dot(v, v), gear = pull_gear(6 * i);
  real len = av;
  RVec by_axis = v, by_v = axis;
  if (det > 0) {
    const real root = r_sqrt(det), s = 1 - av / root;
    len = av - root;
    by_axis = s * v;
    by_v = s * axis + (1 / root) * v;
  }
  add_pull(pull_body(3 * i), crank, gear * by_v, none, w);
  add_pull(pull_body(3 * i + 1), slider, -gear * by_v, gear * cross(axis, by_axis), w + 6);
  w[18] = gear * len;
}
// Part i of a path, at `place` of the room for parts.
DEV_CALL void make_pull(int i, int place) {
  real* w = WORLD.pull + PULL * place;
  for (int k = 0; k < PULL; ++k) w[k] = 0;
  RVec p0, p1;
  site_point(pull_site(2 * i), p0);
  p1 = p0;
  if (pull_site(2 * i + 1) >= 0) site_point(pull_site(2 * i + 1), p1);
  if (pull_kind(i) == PULL_STRETCH) stretch(i, p0, p1, w);
  else if (pull_kind(i) == PULL_CRANK) crank_pull(i, p0, p1, w);
  else site_pull(i, p0, p1, w);
}
#endif

#if HAS_JOINT_PATH
// Rotation axis of an actuator on a ball or free joint, in the joint's own frame; returns the length.
DEV real joint_axis(int t, real* axis) {
  const int j = path_id(t), a = jnt_qposadr(j) + (jnt_type(j) == JNT_FREE ? 3 : 0);
  real q[4] = {WORLD.qpos[a], WORLD.qpos[a + 1], WORLD.qpos[a + 2], WORLD.qpos[a + 3]}, turn[3];
  quat_unit(q);
  quat_log(q, turn);
  for (int k = 0; k < 3; ++k) axis[k] = path_axis(3 * t + k);
  if (path_kind(t) == PATH_JOINT_IN_PARENT) {
    q[1] = -q[1];
    q[2] = -q[2];
    q[3] = -q[3];
    quat_rot(q, axis, axis);
  }
  return jnt_type(j) == JNT_FREE ? 0 : dot3(turn, axis);
}
#endif
#if HAS_ADHESION
// Adhesion of a body: minus the mean of its contacts' normals.
DEV real adhesion_entry(int t, int d, int ncon) {
  const World& w = WORLD;
  const int body = path_id(t);
  real sum = 0, s[6];
  int count = 0;
  load6(w.cdof + 8 * d, s);
  const real* ref = w.ref + 4 * tree_of(dof_bodyid(d));
  ROLLED for (int c = 0; c < ncon; ++c) {
    const int b1 = w.con_b[2 * c], b2 = w.con_b[2 * c + 1];
    if (b1 != body && b2 != body) continue;
    ++count;
    const int sign = (int)above(b2, d) - (int)above(b1, d);
    const real* con = w.con + 12 * c;
    real arm[3] = {con[1] - ref[0], con[2] - ref[1], con[3] - ref[2]}, m[3];
    cross(arm, con + 4, m);
    sum += sign * (dot3(s, m) + dot3(s + 3, con + 4));
  }
  return count ? -sum / count : 0;
}
#endif

// `first`: the part of a path that stands first in the room for parts.
DEV real path_entry(int k, int ncon, int first) {
  (void)ncon;
  (void)first;
#if NPULL > 0
  // how many wrenches of its pulls act on the entry (-1: it has none), on which dof, and where they are listed
  const int count = entry_feels(3 * k), at = entry_feels(3 * k + 1), list = entry_feels(3 * k + 2);
  if (count >= 0) {
    real s[6], sum = 0;
    load6(WORLD.cdof + 8 * at, s);
    ROLLED for (int i = list; i < list + count; ++i)
      sum += dot6(s, WORLD.pull + entry_wrench(i));
    return sum;
  }
#endif
  const int t = ten_of(k), d = ten_dof(k);
  (void)t;
  (void)d;
#if HAS_JOINT_PATH
  if (path_kind(t) == PATH_JOINT || path_kind(t) == PATH_JOINT_IN_PARENT) {
    const int j = path_id(t), n = d - jnt_dofadr(j) - (jnt_type(j) == JNT_FREE ? 3 : 0);
    real axis[3];
    joint_axis(t, axis);
    return n < 0 ? ten_coef(k) : n == 0 ? axis[0] : n == 1 ? axis[1] : axis[2];
  }
#endif
#if HAS_ADHESION
  if (path_kind(t) == PATH_BODY) return adhesion_entry(t, d, ncon);
#endif
  return ten_coef(k);
}
DEV real path_length(int t, int first) {
  real len = 0;
  const World& w = WORLD;
  (void)first;
#if NPULL > 0
  if (path_kind(t) == PATH_PULLS) {
    ROLLED for (int i = path_pulladr(t); i < path_pulladr(t + 1); ++i)
      len += w.pull[PULL * (i - first) + 18];
    return len;
  }
#endif
#if HAS_JOINT_PATH
  if (path_kind(t) == PATH_JOINT || path_kind(t) == PATH_JOINT_IN_PARENT) {
    real axis[3];
    return joint_axis(t, axis);
  }
#endif
#if HAS_ADHESION
  if (path_kind(t) == PATH_BODY) return 0;
#endif
  ROLLED for (int i = ten_adr(t); i < ten_adr(t + 1); ++i)
    len += w.ten_J[i] * w.qpos[jnt_qposadr(dof_jntid(ten_dof(i)))];
  return len;
}
#if HAS_TENDON_ARMATURE
DEV real path_turn(int t, int first) {
  real turn = 0;
  (void)first;
#if NPULL > 0
  if (path_kind(t) == PATH_PULLS) ROLLED
    for (int i = path_pulladr(t); i < path_pulladr(t + 1); ++i) turn += WORLD.pull[PULL * (i - first) + 19];
#endif
  return turn;
}
#endif
// Lengths, Jacobians and velocities of paths t0 up to t1, whose parts have room at a time.
DEV void some_paths(int t0, int t1, int ncon) {
#if NT > 0
  World& w = WORLD;
  int first = 0;
#if NPULL > 0
  first = path_pulladr(t0);
  for (int i = first + LANE; i < path_pulladr(t1); i += LANES) make_pull(pull_order(i), pull_order(i) - first);
  SYNC();
#endif
  const int entry = NGROUP == 1 ? 0 : ten_adr(t0), end = NGROUP == 1 ? NTE : ten_adr(t1);
  for (int k = entry + LANE; k < end; k += LANES) w.ten_J[k] = path_entry(k, ncon, first);
  SYNC();
  for (int t = t0 + LANE; t < t1; t += LANES) {
    real vel = 0;
    ROLLED for (int i = ten_adr(t); i < ten_adr(t + 1); ++i)
      vel += w.ten_J[i] * w.qvel[ten_dof(i)];
    w.ten_len[t] = path_length(t, first);
    w.ten_vel[t] = vel;
#if HAS_TENDON_ARMATURE
    w.ten_turn[t] = path_turn(t, first);
#endif
  }
  SYNC();
#endif
}
DEV void paths(int ncon) {
  ROLLED for (int g = 0; g < NGROUP; ++g)
    some_paths(NGROUP == 1 ? 0 : path_group(g), NGROUP == 1 ? NT : path_group(g + 1), ncon);
}
// Is the force of actuators at a dof asked for alone?
#define DRIVE_APART (HAS_JOINT_FRCLIMIT || ASKS_DRIVE)
#if NT > 0
// Spring and damper of a tendon.
DEV real tendon_spring(int t) {
  World& w = WORLD;
  const real len = w.ten_len[t], lo = tendon_lengthspring(2 * t), hi = tendon_lengthspring(2 * t + 1);
  real f = 0;
  if (SPRINGS) f += tendon_stiffness(t) * (len > hi ? hi - len : len < lo ? lo - len : 0);
  if (DAMPERS) f -= tendon_damping(t) * w.ten_vel[t];
  return f;
}
#endif
// Springs and dampers of tendons, and what actuators pull along them.
DEV void tendon_forces() {
#if NT > 0
  World& w = WORLD;
  FOR_LANES(t, NT) {
    real f = tendon_spring(t);
#if HAS_TENDON_ARMATURE
    f -= tendon_armature(t) * w.ten_turn[t];
#endif
#if HAS_TENDON_DRIVE && !DRIVE_APART
    ROLLED for (int k = ten_actadr(t); k < ten_actadr(t + 1); ++k)
      f += actuator_gear(ten_act(k)) * w.act_frc[ten_act(k)];
#endif
    w.ten_frc[t] = f;
  }
  SYNC();
#endif
}
