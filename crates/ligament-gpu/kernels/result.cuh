// Results: fields of the CPU's state that a caller has asked for, a row a world in device memory. They are written
// after the solver, in the last step of a call.
#pragma once
#include "sensor.cuh"

#if NRESULT > 0
// The world's row of a result; null where nobody asked for it, which is known when this is compiled.
#define ROW(name) (RESULT_##name < 0 ? nullptr : out.results[RESULT_##name] + (size_t)WORLD_INDEX * COLUMNS_##name)

DEV void put3(real* row, int i, const real* v) {
  for (int k = 0; k < 3; ++k) row[3 * i + k] = v[k];
}
DEV void put6(real* row, int i, const real* v) {
  for (int k = 0; k < 6; ++k) row[6 * i + k] = v[k];
}
// The matrix of a rotation, row by row.
DEV void put_matrix(real* row, int i, const real* q) {
  real x[3], y[3], z[3];
  quat_axes(q, x, y, z);
  for (int k = 0; k < 3; ++k) {
    row[9 * i + 3 * k] = x[k];
    row[9 * i + 3 * k + 1] = y[k];
    row[9 * i + 3 * k + 2] = z[k];
  }
}
// Of something fixed on a body; either may be null.
DEV void put_placed(real* positions, real* matrices, int i, int body, const real* at, const real* turn) {
  const real* pose = WORLD.pose + 8 * body;
  if (positions) {
    real p[3];
    quat_rot(pose + 4, at, p);
    for (int k = 0; k < 3; ++k) p[k] += pose[k];
    put3(positions, i, p);
  }
  if (matrices) {
    real q[4];
    quat_mul(pose + 4, turn, q);
    put_matrix(matrices, i, q);
  }
}
DEV void put_numbers(real* row, const real* from, int n) {
  if (row)
    FOR_LANES(i, n) row[i] = from[i];
}

DEV void body_poses(const Outside& out) {
  real *xpos = ROW(XPOS), *xquat = ROW(XQUAT), *xmat = ROW(XMAT), *xipos = ROW(XIPOS), *ximat = ROW(XIMAT);
  FOR_LANES(b, NB) {
    const real* pose = WORLD.pose + 8 * b;
    if (xpos) put3(xpos, b, pose);
    if (xquat)
      for (int k = 0; k < 4; ++k) xquat[4 * b + k] = pose[4 + k];
    if (xmat) put_matrix(xmat, b, pose + 4);
    if (xipos || ximat) put_placed(xipos, ximat, b, b, &body_ipos(3 * b), &body_iquat(4 * b));
  }
}
// Anchors and axes stand in the frame of the parent; those of free joints follow from the body.
DEV void joint_places(const Outside& out) {
  real *xanchor = ROW(XANCHOR), *xaxis = ROW(XAXIS);
  if (xanchor || xaxis)
    FOR_LANES(j, NJ) {
      const int b = dof_bodyid(jnt_dofadr(j));
      const bool free = jnt_type(j) == JNT_FREE;
      const real *own = WORLD.pose + 8 * b, *up = WORLD.pose + 8 * body_parentid(b), *joint = WORLD.joint + 8 * j;
      real anchor[3], axis[3];
      quat_rot(up + 4, joint, anchor);
      quat_rot(up + 4, joint + 4, axis);
      for (int k = 0; k < 3; ++k) {
        anchor[k] = free ? own[k] : anchor[k] + up[k];
        if (free) axis[k] = jnt_axis(3 * j + k);
      }
      if (xanchor) put3(xanchor, j, anchor);
      if (xaxis) put3(xaxis, j, axis);
    }
}
DEV void results_of_positions(const Outside& out, int ncon) {
  body_poses(out);
  joint_places(out);
  real *geom_xpos = ROW(GEOM_XPOS), *geom_xmat = ROW(GEOM_XMAT), *site_xpos = ROW(SITE_XPOS),
       *site_xmat = ROW(SITE_XMAT), *length = ROW(ACTUATOR_LENGTH), *contacts = ROW(NCON);
  if (geom_xpos || geom_xmat)
    FOR_LANES(g, ALL_GEOMS) put_placed(geom_xpos, geom_xmat, g, geom_bodyid(g), &geom_pos(3 * g), &geom_quat(4 * g));
  if (site_xpos || site_xmat)
    FOR_LANES(s, ALL_SITES) put_placed(site_xpos, site_xmat, s, site_bodyid(s), &site_pos(3 * s), &site_quat(4 * s));
#if ASKS_CENTRES
  if (real* row = ROW(SUBTREE_COM))
    FOR_LANES(b, NB) put3(row, b, CENTRE(b));
#endif
  put_numbers(ROW(TEN_LENGTH), WORLD.ten_len, ALL_TENDONS);
  if (length)
    FOR_LANES(u, NU) length[u] = actuator_length_of(u);
  if (contacts && FIRST_LANE) contacts[0] = ncon;
}

// Sums wrenches of bodies, in `body`, over subtrees; what a dof takes of them is its own.
DEV void sum_wrenches() {
  TREE_SYNC();
  sum_up<8, 6>(WORLD.body);
  SYNC();
}
DEV real taken(int d) {
  real f[6], s[6];
  load6(WORLD.body + 8 * dof_bodyid(d), f);
  load6(WORLD.cdof + 8 * d, s);
  return dot6(s, f);
}
// Forces of velocities and of gravity alone.
DEV_CALL void bias_forces(real* row) {
  World& w = WORLD;
  FORB(r, b) {
    real a[6] = {0, 0, 0, 0, 0, 0};
    if (b > 0) own_bias(b, a);
    if (b > 0 && body_parentid(b) == 0)
      for (int k = 0; k < 3; ++k) a[3 + k] -= gravity(k);
    store6(w.body + 8 * b, a);
  }
  sum_down();
  FORB(r, b) {
    real a[6], v[6], f[6], m[6], c[6], i[12];
    load6(w.body + 8 * b, a);
    load6(w.vel + 8 * b, v);
    for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    inertia_mul(i, a, f);
    inertia_mul(i, v, m);
    cross_force(v, m, c);
    for (int k = 0; k < 6; ++k) f[k] += c[k];
    store6(w.body + 8 * b, f);
  }
  sum_wrenches();
  FOR_LANES(d, NV) {
    real f = taken(d);
#if HAS_TENDON_ARMATURE
    ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i)
      f += w.ten_J[dof_ten_entry(i)] * tendon_armature(dof_ten(i)) * w.ten_turn[dof_ten(i)];
#endif
    row[d] = f;
  }
  SYNC();
}
// Springs, dampers, gravity compensation that no actuator carries, fluids.
DEV_CALL void passive_forces(real* row) {
#if HAS_GRAVCOMP || HAS_FLUID
#if HAS_ELLIPSOID_FLUID
  geom_centres();
  SYNC();
#endif
  FORB(r, b) {
    real f[6];
    applied_wrench(b, nullptr, f);
    store6(WORLD.body + 8 * b, f);
  }
  sum_wrenches();
#endif
  FOR_LANES(d, NV) {
    real f = 0;
#if HAS_GRAVCOMP || HAS_FLUID
    f += taken(d);
#endif
#if HAS_LIFT_SENSOR || HAS_IDLE_LIFT
    if (jnt_actgravcomp(dof_jntid(d))) f -= lift_of(d);
#endif
    if (DAMPERS) f -= dof_damping(d) * WORLD.qvel[d];
    if (SPRINGS) f += joint_spring(d);
#if NT > 0
    ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i)
      f += WORLD.ten_J[dof_ten_entry(i)] * tendon_spring(dof_ten(i));
#endif
    row[d] = f;
  }
  SYNC();
}
DEV void results_of_velocities(const Outside& out) {
  real *cvel = ROW(CVEL), *bias = ROW(QFRC_BIAS), *passive = ROW(QFRC_PASSIVE), *speed = ROW(ACTUATOR_VELOCITY);
#if ASKS_CENTRES
  if (cvel)
    FOR_LANES(b, NB) {
      real v[6];
      load6(WORLD.vel + 8 * b, v);
      motion_about_centre(b, v);
      put6(cvel, b, v);
    }
#endif
  put_numbers(ROW(TEN_VELOCITY), WORLD.ten_vel, ALL_TENDONS);
  if (speed)
    FOR_LANES(u, NU) speed[u] = ACTUATION_OFF ? 0 : actuator_velocity_of(u);
  if (bias) bias_forces(bias);
  if (passive) passive_forces(passive);
}

DEV void actuator_forces(real* row) {
  FOR_LANES(d, NV) {
    real f = drive_of(d);
#if HAS_LIFT_SENSOR
    if (jnt_actgravcomp(dof_jntid(d))) f += lift_of(d);
#endif
    row[d] = f;
  }
}
#if KEEPS_FORCES
// Of contacts, limits, friction and equalities.
DEV_CALL void constraint_forces(int ncon, real* row) {
  World& w = WORLD;
  FORB(r, b) {
    real f[6] = {0, 0, 0, 0, 0, 0};
    if (b > 0) contact_forces(b, ncon, f);
    store6(w.body + 8 * b, f);
  }
  sum_wrenches();
  FOR_LANES(d, NV) {
    real f = w.dof_frc[d] + taken(d);
#if NSROW > 0
    ROLLED for (int i = dof_srowadr(d); i < dof_srowadr(d + 1); ++i)
      f += w.srow_J[dof_srow_entry(i)] * w.srow_f[dof_srow(i)];
#endif
    row[d] = f;
  }
  SYNC();
}
#endif
DEV void results_of_accelerations(const Outside& out, int ncon) {
  const World& w = WORLD;
  real* actuators = ROW(QFRC_ACTUATOR);
  put_numbers(ROW(QACC), w.acc, NV);
  put_numbers(ROW(QFRC_SMOOTH), w.smooth, NV);
  put_numbers(ROW(ACT_DOT), w.act_dot, NA);
  put_numbers(ROW(ACTUATOR_FORCE), w.act_frc, NU);
  if (actuators) actuator_forces(actuators);
#if KEEPS_FORCES
  if (real* row = ROW(QFRC_CONSTRAINT)) constraint_forces(ncon, row);
#endif
  (void)ncon;
}

// What a call does not compute is zero, as on the CPU.
DEV void forget(real* row, int n) {
  if (row)
    FOR_LANES(i, n) row[i] = 0;
}
#define FORGET(name) forget(ROW(name), COLUMNS_##name)
DEV void forget_later_stages(const Outside& out, int stage) {
  if (stage < STAGE_VEL) {
    FORGET(CVEL);
    FORGET(TEN_VELOCITY);
    FORGET(ACTUATOR_VELOCITY);
    FORGET(QFRC_BIAS);
    FORGET(QFRC_PASSIVE);
  }
  if (stage < STAGE_ACC) {
    FORGET(QACC);
    FORGET(QFRC_SMOOTH);
    FORGET(ACT_DOT);
    FORGET(ACTUATOR_FORCE);
    FORGET(QFRC_ACTUATOR);
    FORGET(QFRC_CONSTRAINT);
  }
}

#if ASKS_BODY_FORCES
// Accelerations of bodies and forces on them. `after`: as the CPU computes them when the step is made.
DEV_CALL void body_forces(const Outside& out, int ncon, bool after) {
  World& w = WORLD;
  real *cacc = ROW(CACC), *external = ROW(CFRC_EXT), *internal = ROW(CFRC_INT);
  if (external)
    FOR_LANES(b, NB) {
      real f[6];
      external_force(b, ncon, out.xfrc_applied, f);
      force_about_centre(b, f);
      put6(external, b, f);
    }
  if (!cacc && !internal) return;
#if ASKS_ACCELERATIONS
  body_accelerations(after);
  if (cacc)
    FOR_LANES(b, NB) {
      real a[6];
      load6(w.body + 8 * b, a);
      if (b == 0)
        for (int k = 0; k < 3; ++k) a[3 + k] = -gravity(k);
      motion_about_centre(b, a);
      put6(cacc, b, a);
    }
#endif
  if (!internal) return;
  interaction_forces(ncon, out.xfrc_applied);
  FOR_LANES(b, NB) put6(internal, b, w.stiff + 8 * b);
  SYNC();
  FOR_LANES(k, 6) { // the sum leaves the world out
    real sum = 0;
    ROLLED for (int b = 1; b < NB; ++b)
      if (body_parentid(b) == 0) sum += w.stiff[8 * b + k];
    internal[k] = sum;
  }
}
// Whoever made the call asks for them after the step, sensors of accelerations ask together with their own.
DEV void results_of_bodies(const Outside& out, int ncon) {
  const bool asked = out.mode & MODE_BODY_FORCES, keep = out.mode & MODE_KEEP;
  if (asked) {
    if (out.writes & WRITE_FIELDS) body_forces(out, ncon, true);
  } else if (out.writes & WRITE_SENSORS) {
    if (SENSORS_ASK_BODIES && (out.mode & MODE_STAGE) == STAGE_ACC) body_forces(out, ncon, false);
    else if (!keep) {
      FORGET(CACC);
      FORGET(CFRC_EXT);
      FORGET(CFRC_INT);
    }
  }
  SYNC();
}
#endif

// Everything that was asked for at the state of an evaluation.
DEV_CALL void results(int ncon, const Outside& out) {
  const int stage = out.mode & MODE_STAGE;
  bodies_again(stage >= STAGE_VEL);
#if ASKS_CENTRES
  subtree_centres();
#endif
#if NSENSOR > 0
  if (out.writes & WRITE_SENSORS) sensors(ncon, out, ROW(SENSORDATA));
#endif
  if (out.writes & WRITE_FIELDS) {
    results_of_positions(out, ncon);
    if (stage >= STAGE_VEL) results_of_velocities(out);
    if (stage >= STAGE_ACC) results_of_accelerations(out, ncon);
    if (!(out.mode & MODE_KEEP)) forget_later_stages(out, stage);
  }
#if ASKS_BODY_FORCES
  results_of_bodies(out, ncon);
#endif
  SYNC();
}
#endif
