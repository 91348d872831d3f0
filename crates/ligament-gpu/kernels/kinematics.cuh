// Poses of bodies and geoms, motion axes, inertias about the reference point of each tree.
#pragma once
#include "world.cuh"

// Pose of a body relative to its parent, and the anchors and axes of its joints in the parent's frame.
DEV void local_pose(int b, real* p, real* q) {
  World& w = WORLD;
#if NMOCAP > 0
  if (const int i = body_mocapid(b); i >= 0) {
    copy3(MOCAP_POS + 3 * i, p);
    for (int k = 0; k < 4; ++k) q[k] = MOCAP_QUAT[4 * i + k];
    quat_unit(q);
    return;
  }
#endif
  for (int k = 0; k < 3; ++k) p[k] = body_pos(3 * b + k);
  for (int k = 0; k < 4; ++k) q[k] = body_quat(4 * b + k);
  const int first = body_jntadr(b), count = body_jntnum(b);
  ROLLED for (int j = first; j < first + count; ++j) {
    const int adr = jnt_qposadr(j), type = jnt_type(j);
    if (type == JNT_FREE) {
      for (int k = 0; k < 3; ++k) p[k] = w.qpos[adr + k];
      for (int k = 0; k < 4; ++k) q[k] = w.qpos[adr + 3 + k];
      quat_unit(q);
      return;
    }
    real at[3] = {jnt_pos(3 * j), jnt_pos(3 * j + 1), jnt_pos(3 * j + 2)}, anchor[3];
    real along[3] = {jnt_axis(3 * j), jnt_axis(3 * j + 1), jnt_axis(3 * j + 2)}, axis[3];
    quat_rot(q, at, anchor);
    for (int k = 0; k < 3; ++k) anchor[k] += p[k];
    quat_rot(q, along, axis);
    store4(w.joint + 8 * j, anchor[0], anchor[1], anchor[2], 0);
    store4(w.joint + 8 * j + 4, axis[0], axis[1], axis[2], 0);
    if (type == JNT_SLIDE) {
      axpy3(w.qpos[adr] - qpos0(adr), axis, p);
      continue;
    }
    real turn[4];
    if (type == JNT_BALL) {
      for (int k = 0; k < 4; ++k) turn[k] = w.qpos[adr + k];
      quat_unit(turn);
    } else {
      real s, c;
      r_sincos((real)0.5 * (w.qpos[adr] - qpos0(adr)), s, c);
      turn[0] = c;
      for (int k = 0; k < 3; ++k) turn[1 + k] = s * along[k];
    }
    quat_mul(q, turn, q);
    real back[3];
    quat_rot(q, at, back);
    for (int k = 0; k < 3; ++k) p[k] = anchor[k] - back[k];
  }
  quat_unit(q);
}

// Poses by pointer jumping: after t rounds a body knows its pose relative to its 2^t-th ancestor.
DEV void poses() {
  World& w = WORLD;
  real p[RB][3], q[RB][4];
  Jumps jumps[RB];
  FORB(r, b) {
    jumps[r] = jumps_of(b);
    if (b == 0) {
      for (int k = 0; k < 3; ++k) p[r][k] = q[r][1 + k] = 0;
      q[r][0] = 1;
    } else local_pose(b, p[r], q[r]);
    store4(w.pose + 8 * b, p[r][0], p[r][1], p[r][2], 0);
    store4(w.pose + 8 * b + 4, q[r][0], q[r][1], q[r][2], q[r][3]);
  }
  SYNC();
  ROLLED for (int t = 0; t < NJUMP; ++t) {
    FORB(r, b) {
      const int a = jump_of(jumps[r], b, t);
      real pa[4], qa[4], x[3];
      load4(w.pose + 8 * a, pa);
      load4(w.pose + 8 * a + 4, qa);
      quat_rot(qa, p[r], x);
      for (int k = 0; k < 3; ++k) p[r][k] = x[k] + pa[k];
      quat_mul(qa, q[r], q[r]);
    }
    TREE_SYNC();
    FORB(r, b) {
      store4(w.pose + 8 * b, p[r][0], p[r][1], p[r][2], 0);
      store4(w.pose + 8 * b + 4, q[r][0], q[r][1], q[r][2], q[r][3]);
    }
    TREE_SYNC();
  }
}

// Inertia of a body about `ref`, from its principal moments.
DEV void body_inertia_about(int b, const real* q, const real* com, const real* ref, real* o) {
  real iq[4] = {body_iquat(4 * b), body_iquat(4 * b + 1), body_iquat(4 * b + 2), body_iquat(4 * b + 3)}, Q[4], a[3],
       c[3], d[3];
  quat_mul(q, iq, Q);
  quat_axes(Q, a, c, d);
  const real i0 = body_inertia(3 * b), i1 = body_inertia(3 * b + 1), i2 = body_inertia(3 * b + 2), m = body_mass(b);
  const real x = com[0] - ref[0], y = com[1] - ref[1], z = com[2] - ref[2];
  o[0] = i0 * a[0] * a[0] + i1 * c[0] * c[0] + i2 * d[0] * d[0] + m * (y * y + z * z);
  o[1] = i0 * a[1] * a[1] + i1 * c[1] * c[1] + i2 * d[1] * d[1] + m * (x * x + z * z);
  o[2] = i0 * a[2] * a[2] + i1 * c[2] * c[2] + i2 * d[2] * d[2] + m * (x * x + y * y);
  o[3] = i0 * a[0] * a[1] + i1 * c[0] * c[1] + i2 * d[0] * d[1] - m * x * y;
  o[4] = i0 * a[0] * a[2] + i1 * c[0] * c[2] + i2 * d[0] * d[2] - m * x * z;
  o[5] = i0 * a[1] * a[2] + i1 * c[1] * c[2] + i2 * d[1] * d[2] - m * y * z;
  o[6] = m * x;
  o[7] = m * y;
  o[8] = m * z;
  o[9] = m;
}

DEV void body_com(int b, real* com) {
  const real* pose = WORLD.pose + 8 * b;
  real ip[3] = {body_ipos(3 * b), body_ipos(3 * b + 1), body_ipos(3 * b + 2)};
  quat_rot(pose + 4, ip, com);
  for (int k = 0; k < 3; ++k) com[k] += pose[k];
}

DEV void inertias() {
  World& w = WORLD;
  // spatial vectors of a tree refer to the centre of mass of its first body: near all of it, and no sum is needed
  FOR_LANES(t, NTREE + 1) {
    real c[3] = {0, 0, 0};
    if (t > 0) body_com(tree_root(t), c);
    store4(w.ref + 4 * t, c[0], c[1], c[2], 0);
  }
  SYNC();
  FORB(r, b) {
    real com[3], o[10], ref[4];
    body_com(b, com);
    load4(w.ref + 4 * tree_of(b), ref);
    body_inertia_about(b, w.pose + 8 * b + 4, com, ref, o);
    real* i = w.inert + 12 * b;
    store4(i, o[0], o[1], o[2], o[3]);
    store4(i + 4, o[4], o[5], o[6], o[7]);
    store4(i + 8, o[8], o[9], 0, 0);
  }
}

DEV void motion_axes() {
  World& w = WORLD;
  FORD(r, d) {
    const int j = dof_jntid(d), b = dof_bodyid(d), type = jnt_type(j), k0 = d - jnt_dofadr(j);
    real o[6] = {0, 0, 0, 0, 0, 0}, ref[4];
    load4(w.ref + 4 * tree_of(b), ref);
    const real* own = w.pose + 8 * b;
    const real* up = w.pose + 8 * body_parentid(b);
    if (type == JNT_FREE && k0 < 3) {
      o[3] = k0 == 0;
      o[4] = k0 == 1;
      o[5] = k0 == 2;
    } else {
      real axis[3], anchor[3], off[3];
      if (type == JNT_FREE || type == JNT_BALL) {
        real x[3], y[3], z[3];
        quat_axes(own + 4, x, y, z);
        const int c = k0 % 3;
        for (int k = 0; k < 3; ++k) axis[k] = c == 0 ? x[k] : c == 1 ? y[k] : z[k];
      } else quat_rot(up + 4, w.joint + 8 * j + 4, axis);
      if (type == JNT_FREE) copy3(own, anchor);
      else {
        quat_rot(up + 4, w.joint + 8 * j, anchor);
        for (int k = 0; k < 3; ++k) anchor[k] += up[k];
      }
      for (int k = 0; k < 3; ++k) off[k] = ref[k] - anchor[k];
      if (type == JNT_SLIDE) copy3(axis, o + 3);
      else {
        copy3(axis, o);
        cross(axis, off, o + 3);
      }
    }
    store6(w.cdof + 8 * d, o);
  }
  FOR_LANES(k, 8) w.cdof[8 * NV + k] = 0;
}

#if NWITNESS > 0
#define MOST_WAY ((real)64) // then all begins anew, so that rounding stays small
// How far bodies have come since the beginning, by what is kept of the step before: sums of the ways of their origins
// and of their turns. Two quaternions that differ by d turn by 4 asin(d / 2), so that a point moves by 2 d times its
// distance at most. Sums are rounded up. Returns whether nothing can touch: the fastest body has not come as far as the
// smallest gap asks for.
DEV bool ways() {
  World& w = WORLD;
  real most = 0;
  bool again = false;
  FORB(r, b) {
    Whereabouts& kept = KEPT.body[b];
    const Whereabouts last = kept;
    Whereabouts now = last;
    const real* pose = w.pose + 8 * b;
    real moved = 0, same = 0, other = 0;
    UNROLL for (int k = 0; k < 3; ++k) {
      now.at[k] = (float)pose[k];
      const real d = now.at[k] - last.at[k];
      moved += d * d;
    }
    UNROLL for (int k = 0; k < 4; ++k) {
      now.turn[k] = (float)pose[4 + k];
      const real d = now.turn[k] - last.turn[k], e = now.turn[k] + last.turn[k];
      same += d * d;
      other += e * e;
    }
    moved = r_sqrt(moved);
    const real turned = 2 * r_sqrt(r_min(same, other));
    most = r_max(most, moved + turned * body_reach(b));
    now.moved = (float)((last.moved + moved) * (real)1.0000005);
    now.turned = (float)((last.turned + turned) * (real)1.0000005);
    again |= !(now.moved + now.turned < MOST_WAY);
    if (again) now.moved = now.turned = 0;
    kept = now;
    w.pose[8 * b + 3] = now.moved;
    w.turned[b] = now.turned;
  }
  const real way = (KEPT.way + lane_max(most)) * (real)1.0000005;
  const bool quiet = way < KEPT.quiet;
  again = lane_any(again || !(way < MOST_WAY)); // all have read
  if (again) {
    FOR_LANES(i, NPAIR) KEPT.until[i] = 0;
  }
  if (FIRST_LANE) {
    KEPT.way = again ? 0 : (float)way;
    if (again) KEPT.quiet = 0;
    if (quiet) ++KEPT.rest;
  }
  return quiet && !again;
}
#else
DEV bool ways() { return false; }
#endif
DEV void geom_centres() {
  World& w = WORLD;
  FOR_LANES(slot, NGEOM) {
    const int g = slot_geom(slot), b = geom_bodyid(g);
    const real* pose = w.pose + 8 * b;
    real p[3] = {geom_pos(3 * g), geom_pos(3 * g + 1), geom_pos(3 * g + 2)}, o[3], way = 0;
#if NWITNESS > 0
    // nothing is farther from a plane than that
    way = pose[3] + w.turned[b] * (geom_type(g) == GEOM_PLANE ? (real)1e3 : r_sqrt(dot3(p, p)) + geom_rbound(g));
#endif
    if (sizeof(real) == 8) quat_rot_exactly(pose + 4, p, o);
    else quat_rot(pose + 4, p, o);
    store4(w.geom + GEOM * slot, o[0] + pose[0], o[1] + pose[1], o[2] + pose[2], way);
    if (GEOM_AXES) {
      real q[4] = {geom_quat(4 * g), geom_quat(4 * g + 1), geom_quat(4 * g + 2), geom_quat(4 * g + 3)}, Q[4], x[3],
           y[3], z[3];
      quat_mul(pose + 4, q, Q);
      quat_axes(Q, x, y, z);
      store4(w.geom + GEOM * slot + 4, z[0], z[1], z[2], 0);
    }
  }
}
// Are places of geoms asked for even where nothing can touch?
#define GEOMS_ALWAYS (HAS_WRAP || HAS_FLUID)

// Returns whether nothing can touch.
DEV_PHASE bool kinematics() {
  poses();
  const bool quiet =
      NWITNESS > 0 &&
      ALL_WORLDS(ways()); // one that looks for contacts keeps the others waiting: all look, and find gaps for longer
  inertias();
  motion_axes();
  SYNC();
  if (!quiet || GEOMS_ALWAYS) geom_centres();
  SYNC();
  return quiet;
}
