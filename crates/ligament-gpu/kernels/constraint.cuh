// Constraint rows and their softness (impedance, stiffness, damping), as in the CPU engine's `constraint`.
//
// Nothing stores a Jacobian. A dof has at most one limit row and one friction row; a contact is a point, a frame and
// the residuals along it; couplings of several dofs (tendons, joint equalities, ball limits) are sparse rows.
#pragma once
#include "collision.cuh"
#include "path.cuh"
#include "tree.cuh"

#define AT(number) ((int)(&(number) - REALS)) // place of a number of the shared tables
struct Soft {
  real R, stiff, damp;
}; // stiff already times impedance and violation: aref = -damp * velocity - stiff

DEV real soft_power(real a, real b) { return b == 1 ? a : b == 2 || !HAS_POWERS ? a * a : r_pow(a, b); }
DEV real impedance_at(const real* s, real violation) {
  if (s[0] == s[1] || s[2] <= MINVAL) return (real)0.5 * (s[0] + s[1]);
  const real x = r_abs(violation) / s[2];
  if (x >= 1) return s[1];
  if (x <= 0) return s[0];
  real y;
  if (s[4] == 1) y = x;
  else if (x <= s[3]) y = soft_power(x, s[4]) / soft_power(s[3], s[4] - 1);
  else y = 1 - soft_power(1 - x, s[4]) / soft_power(1 - s[3], s[4] - 1);
  return s[0] + y * (s[1] - s[0]);
}
// places of `solref`, `solimp`, which were made safe when the tables were made; `violation` = pos - margin; impedance
// depends on `extent`, which is the violation, or its norm over the rows of one constraint
DEV Soft softness(int solref_at, int solimp_at, real extent, real violation, real weight, bool friction) {
  Soft s;
  const real *solref = REALS + solref_at, *solimp = REALS + solimp_at;
  const real imp = impedance_at(solimp, extent), dmax = solimp[1];
  s.R = r_max(MINVAL, (1 - imp) * weight / imp);
  const real k = friction        ? 0
                 : solref[0] > 0 ? 1 / r_max(MINVAL, dmax * dmax * solref[0] * solref[0] * solref[1] * solref[1])
                                 : -solref[0] / r_max(MINVAL, dmax * dmax);
  s.stiff = k * imp * violation;
  s.damp = solref[1] > 0 ? 2 / r_max(MINVAL, dmax * solref[0]) : -solref[1] / r_max(MINVAL, dmax);
  return s;
}

enum RowKind { ROW_NONE = 0, ROW_EQUALITY = 1, ROW_FRICTION = 2, ROW_LIMIT = 3 };

// A scalar row: residual x = J a - aref, its change v along the search direction.
struct Row {
  real D, x, v, loss;
  int kind;
};
DEV void clear_row(Row& r, int kind) {
  r.D = r.x = r.v = r.loss = 0;
  r.kind = kind;
} // without weight: no row
DEV real row_force(const Row& r, real x) {
  if (r.kind == ROW_LIMIT) return x < 0 ? -r.D * x : 0;
  if (r.kind == ROW_FRICTION) return r_clip(-r.D * x, -r.loss, r.loss);
  return -r.D * x; // D is zero where there is no row
}
DEV real row_curvature(const Row& r, real x) {
  if (r.kind == ROW_LIMIT) return x < 0 ? r.D : 0;
  if (r.kind == ROW_FRICTION) return r_abs(r.D * x) < r.loss ? r.D : 0;
  return r.D;
}
DEV int row_zone(const Row& r, real x) {
  if (r.kind == ROW_LIMIT) return x < 0;
  if (r.kind == ROW_FRICTION) return r.D * x <= -r.loss ? 0 : r.D * x >= r.loss ? 2 : 1;
  return 0;
}

// A contact: residuals along the frame. With pyramids the tangents carry the friction, D is that of every edge; with
// elliptic cones D is that of the normal.
struct Con {
  real D, c[DIMMAX], v[DIMMAX], mu;
  int dim;
};
struct Frame {
  real axis[3][3];
  real pos[3];
  int b1, b2;
};

DEV Frame contact_frame(int c) {
  Frame f;
  const World& w = WORLD;
  real x[4], y[4], z[4];
  load4(w.con + 12 * c, x);
  load4(w.con + 12 * c + 4, y);
  load4(w.con + 12 * c + 8, z);
  for (int k = 0; k < 3; ++k) {
    f.pos[k] = x[1 + k];
    f.axis[0][k] = y[k];
  }
  f.axis[1][0] = y[3];
  f.axis[1][1] = z[0];
  f.axis[1][2] = z[1];
  cross(f.axis[0], f.axis[1], f.axis[2]);
  f.b1 = w.con_b[2 * c];
  f.b2 = w.con_b[2 * c + 1];
  return f;
}
// friction of direction i that a residual is multiplied by
DEV real edge_scale(int c, int i) { return i == 0 || CONE_ELLIPTIC ? (real)1 : WORLD.fri[PAD4(DIMMAX) * c + i]; }
DEV void arm_to(const real* pos, int body, real* off) {
  const real* ref = WORLD.ref + 4 * tree_of(body);
  for (int k = 0; k < 3; ++k) off[k] = pos[k] - ref[k];
}

// Relative motion of the two bodies along the frame of a contact, for body motions of the world.
struct Along {
  real v[DIMMAX];
};
DEV Along along_contact(int c, int dim, int place) {
  Along o;
  const real* rows = at_place(place);
  const Frame f = contact_frame(c);
  real lin[3] = {0, 0, 0}, ang[3] = {0, 0, 0};
  UNROLL for (int side = 0; side < 2; ++side) {
    const int b = side ? f.b2 : f.b1;
    const real sign = side ? 1 : -1;
    real m[6], off[3], t[3];
    load6(rows + 8 * b, m);
    arm_to(f.pos, b, off);
    cross(m, off, t);
    for (int k = 0; k < 3; ++k) {
      lin[k] += sign * (m[3 + k] + t[k]);
      ang[k] += sign * m[k];
    }
  }
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    o.v[i] = i < dim
                 ? (i < 3 ? dot3(f.axis[i < 3 ? i : 0], lin) : dot3(f.axis[i < 3 ? 0 : i - 3], ang)) * edge_scale(c, i)
                 : (real)0;
  return o;
}
// Wrench on a body about `off` (arm of the contact) that belongs to direction i.
DEV void contact_wrench(int c, const Frame& f, const real* off, int i, real* o) {
  const real s = edge_scale(c, i);
  real a[3];
  for (int k = 0; k < 3; ++k) a[k] = s * f.axis[i % 3][k];
  if (i < 3) {
    cross(off, a, o);
    copy3(a, o + 3);
  } else {
    copy3(a, o);
    o[3] = o[4] = o[5] = 0;
  }
}

DEV void contact_row(int c, Con& k) {
  const World& w = WORLD;
  const int pair = w.con_pair[c], cls = pair_cls(pair), b1 = w.con_b[2 * c], b2 = w.con_b[2 * c + 1];
  const real* fri = w.fri + PAD4(DIMMAX) * c;
  const int solref = AT(cls_solref(2 * cls)), solimp = AT(cls_solimp(5 * cls));
  k.dim = cls_condim(cls);
  const real tran = body_invweight0(2 * b1) + body_invweight0(2 * b2),
             violation = w.con[12 * c] - (cls_margin(cls) - cls_gap(cls));
  real weight = tran;
  if (!CONE_ELLIPTIC && k.dim > 1) weight += fri[1] * fri[1] * tran;
  const Soft s = softness(solref, solimp, violation, violation, weight, false);
  k.mu = k.dim > 1 ? fri[1] * IMPRATIO_RSQRT : 0;
  k.D = 1 / (k.dim > 1 && !CONE_ELLIPTIC ? 2 * k.mu * k.mu * s.R : s.R);
#if HAS_ADHESION_GAP
  if (!makes_rows(pair, w.con[12 * c])) k.D = 0;
#endif
  const Along vel = along_contact(c, k.dim, PLACE(w.vel));
  real damp_t = s.damp;
  if (CONE_ELLIPTIC && (cls_solreffriction(2 * cls) != 0 || cls_solreffriction(2 * cls + 1) != 0)) {
    damp_t = softness(AT(cls_solreffriction(2 * cls)), solimp, violation, violation, tran, true).damp;
  }
  k.c[0] = s.damp * vel.v[0] + s.stiff;
  UNROLL for (int i = 1; i < DIMMAX; ++i)
    k.c[i] = damp_t * vel.v[i];
  UNROLL for (int i = 0; i < DIMMAX; ++i)
    k.v[i] = 0;
}

DEV void limit_row(int d, Row& row, real& sign) {
  clear_row(row, ROW_LIMIT);
  sign = 0;
  const int j = dof_jntid(d), type = jnt_type(j);
  if (!jnt_limited(j) || (type != JNT_HINGE && type != JNT_SLIDE)) return;
  const real q = WORLD.qpos[jnt_qposadr(j)], lo = q - jnt_range(2 * j), hi = jnt_range(2 * j + 1) - q,
             margin = jnt_margin(j);
  if (lo < margin) sign = 1;
  else if (hi < margin) sign = -1;
  else return;
  const real over = (sign > 0 ? lo : hi) - margin;
  const Soft s = softness(AT(jnt_solref(2 * j)), AT(jnt_solimp(5 * j)), over, over, dof_invweight0(d), false);
  row.D = 1 / s.R;
  row.x = s.damp * sign * WORLD.qvel[d] + s.stiff;
}
DEV void friction_row(int d, Row& row) {
  clear_row(row, ROW_FRICTION);
  if (dof_frictionloss(d) == 0) return;
  const Soft s = softness(AT(dof_solref(2 * d)), AT(dof_solimp(5 * d)), 0, 0, dof_invweight0(d), true);
  row.D = 1 / s.R;
  row.loss = dof_frictionloss(d);
  row.x = s.damp * WORLD.qvel[d];
}

#if NSROW > 0
#if HAS_POINT_EQUALITY
// Row `part` of a connect (3) or weld (6) between two bodies: difference of two points, and half the rotation between
// two frames times its sine, vec(conj(q1) q0). `extent`: norm of all rows.
DEV_CALL real point_row(int s, real& extent) {
  World& w = WORLD;
  const int part = srow_part(s), b0 = srow_obj1(s), b1 = srow_obj2(s), first = srow_adr(s);
  const bool weld = srow_kind(s) == SROW_WELD;
  const real *pose0 = w.pose + 8 * b0, *pose1 = w.pose + 8 * b1;
  RVec p0, p1;
  quat_rot(pose0 + 4, &srow_anchor(6 * s), p0.v);
  quat_rot(pose1 + 4, &srow_anchor(6 * s + 3), p1.v);
  p0 = p0 + vec(pose0);
  p1 = p1 + vec(pose1);
  real q0[4], q1[4], turn[4] = {1, 0, 0, 0};
  const real scale = srow_scale(s);
  if (weld) {
    quat_mul(pose0 + 4, &srow_quat(8 * s), q0);
    quat_mul(pose1 + 4, &srow_quat(8 * s + 4), q1);
    q1[1] = -q1[1];
    q1[2] = -q1[2];
    q1[3] = -q1[3];
    quat_mul(q1, q0, turn);
  }
  const RVec gap = p0 - p1;
  extent = r_sqrt(dot(gap, gap) + (weld ? scale * scale * dot3(turn + 1, turn + 1) : 0));
  ROLLED for (int i = first; i < srow_adr(s + 1); ++i) {
    const int d = srow_dof(i);
    const real up0 = above(b0, d), up1 = above(b1, d);
    real c[6], j;
    load6(w.cdof + 8 * d, c);
    if (part < 3) {
      const RVec ref = vec(w.ref + 4 * tree_of(dof_bodyid(d))),
                 turns = cross(vec(c), up0 * (p0 - ref) - up1 * (p1 - ref));
      j = (up0 - up1) * c[3 + part] + turns[part];
    } else {
      real axis[4] = {0, (up0 - up1) * c[0], (up0 - up1) * c[1], (up0 - up1) * c[2]}, t[4];
      quat_mul(q1, axis, t);
      quat_mul(t, q0, t);
      j = (real)0.5 * scale * t[part - 2];
    }
    w.srow_J[i] = j;
  }
  return part < 3 ? gap[part] : scale * turn[part - 2];
}
#endif
#if HAS_TENDON_EQUALITY
// One tendon as a polynomial of another; entries stand at the union of their dofs.
DEV real tendon_equality(int s) {
  World& w = WORLD;
  const int t1 = srow_obj1(s), t2 = srow_obj2(s);
  const real* c = &eq_poly(5 * srow_id(s));
  const real y = w.ten_len[t1] - tendon_length0(t1), x = t2 < 0 ? 0 : w.ten_len[t2] - tendon_length0(t2);
  const real slope = t2 < 0 ? 0 : c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i) {
    real j = 0;
    const int d = srow_dof(i);
    ROLLED for (int k = ten_adr(t1); k < ten_adr(t1 + 1); ++k)
      if (ten_dof(k) == d) j += w.ten_J[k];
    if (t2 >= 0) ROLLED
      for (int k = ten_adr(t2); k < ten_adr(t2 + 1); ++k)
        if (ten_dof(k) == d) j -= slope * w.ten_J[k];
    w.srow_J[i] = j;
  }
  return y - c[0] - (t2 < 0 ? 0 : x * (c[1] + x * (c[2] + x * (c[3] + x * c[4]))));
}
#endif
// Jacobian, violation and kind of sparse row s; false: there is no row now. Entries go to srow_J.
DEV bool sparse_row_position(int s, real& pos, real& margin, real& extent) {
  World& w = WORLD;
  const int id = srow_id(s), first = srow_adr(s), count = srow_adr(s + 1) - first;
  margin = 0;
  switch (srow_kind(s)) {
  case SROW_TENDON_LIMIT: {
    margin = tendon_margin(id);
    const real lo = w.ten_len[id] - tendon_range(2 * id), hi = tendon_range(2 * id + 1) - w.ten_len[id];
    const real sign = lo < margin ? 1 : hi < margin ? -1 : 0;
    ROLLED for (int i = 0; i < count; ++i)
      w.srow_J[first + i] = sign * w.ten_J[ten_adr(id) + i];
    pos = sign > 0 ? lo : hi;
    return sign != 0;
  }
  case SROW_TENDON_UPPER: { // where the lower limit is reached as well
    margin = tendon_margin(id);
    ROLLED for (int i = 0; i < count; ++i)
      w.srow_J[first + i] = -w.ten_J[ten_adr(id) + i];
    pos = tendon_range(2 * id + 1) - w.ten_len[id];
    return pos < margin && w.ten_len[id] - tendon_range(2 * id) < margin;
  }
  case SROW_JOINT_UPPER: {
    const real q = w.qpos[jnt_qposadr(id)];
    margin = jnt_margin(id);
    w.srow_J[first] = -1;
    pos = jnt_range(2 * id + 1) - q;
    return pos < margin && q - jnt_range(2 * id) < margin;
  }
  case SROW_TENDON_FRICTION:
    ROLLED for (int i = 0; i < count; ++i)
      w.srow_J[first + i] = w.ten_J[ten_adr(id) + i];
    pos = 0;
    return true;
  case SROW_JOINT_EQUALITY: {
    const int j1 = srow_obj1(s), j2 = srow_obj2(s);
    const real* q = w.qpos;
    const real y = q[jnt_qposadr(j1)] - qpos0(jnt_qposadr(j1));
    const real* c = &eq_poly(5 * id);
    if (j2 < 0) {
      w.srow_J[first] = 1;
      pos = y - c[0];
      return true;
    }
    const real x = q[jnt_qposadr(j2)] - qpos0(jnt_qposadr(j2));
    pos = y - c[0] - x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    const real slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    // entries stand in the order of dofs
    const int swap = jnt_dofadr(j1) > jnt_dofadr(j2);
    w.srow_J[first + swap] = 1;
    w.srow_J[first + 1 - swap] = -slope;
    return true;
  }
#if HAS_POINT_EQUALITY
  case SROW_CONNECT:
  case SROW_WELD: pos = point_row(s, extent); return true;
#endif
#if HAS_TENDON_EQUALITY
  case SROW_TENDON_EQUALITY: pos = tendon_equality(s); return true;
#endif
  case SROW_BALL_LIMIT: {
    const int a = jnt_qposadr(id);
    real q[4] = {w.qpos[a], w.qpos[a + 1], w.qpos[a + 2], w.qpos[a + 3]}, axis[3];
    quat_unit(q);
    quat_log(q, axis);
    const real angle = normalize3(axis);
    margin = jnt_margin(id);
    pos = r_max(jnt_range(2 * id), jnt_range(2 * id + 1)) - angle;
    for (int i = 0; i < 3; ++i) w.srow_J[first + i] = -axis[i];
    return pos < margin;
  }
  }
  return false;
}
DEV void sparse_row(int s, Row& row) {
  World& w = WORLD;
  clear_row(row, ROW_NONE);
  real pos = 0, margin = 0, extent = -1;
  if (!sparse_row_position(s, pos, margin, extent)) return;
  const bool friction = srow_kind(s) == SROW_TENDON_FRICTION, limit = srow_kind(s) == SROW_TENDON_LIMIT ||
                                                                      srow_kind(s) == SROW_BALL_LIMIT ||
                                                                      srow_kind(s) >= SROW_TENDON_UPPER;
  const Soft soft = softness(AT(srow_solref(2 * s)), AT(srow_solimp(5 * s)), extent < 0 ? pos - margin : extent,
                             pos - margin, srow_weight(s), friction);
  real vel = 0;
  ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i)
    vel += w.srow_J[i] * w.qvel[srow_dof(i)];
  row.D = 1 / soft.R;
  row.x = soft.damp * vel + soft.stiff;
  row.loss = friction ? srow_loss(s) : 0;
  row.kind = friction ? ROW_FRICTION : limit ? ROW_LIMIT : ROW_EQUALITY;
}
DEV real sparse_product(int s, const real* x) {
  real sum = 0;
  ROLLED for (int i = srow_adr(s); i < srow_adr(s + 1); ++i)
    sum += WORLD.srow_J[i] * x[srow_dof(i)];
  return sum;
}
#endif
