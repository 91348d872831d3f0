// Forces that do not come from constraints: velocities and bias (recursive Newton-Euler, Featherstone 2008 ch. 5),
// springs, dampers, gravity compensation, tendons, actuators, forces applied from outside.
#pragma once
#include "fluid_slope.cuh"
#include "muscle.cuh"
#include "path.cuh"
#include "tree.cuh"

// Velocity-product acceleration of a body by its own joints: the rate of each motion axis times what `rate` says of its
// dof (its velocity).
template <class Rate> DEV void own_bias(int b, real* a, Rate rate) {
  World& w = WORLD;
  const int first = body_jntadr(b), count = body_jntnum(b);
  real s[6], c[6], axis[6];
  load6(w.vel + 8 * body_parentid(b), s);
  ROLLED for (int j = first; j < first + count; ++j) {
    const int type = jnt_type(j);
    int d = jnt_dofadr(j), n = 1;
    if (type == JNT_FREE) {
      for (int k = 0; k < 3; ++k, ++d) {
        load6(w.cdof + 8 * d, axis);
        axpy6(w.qvel[d], axis, s);
      }
      n = 3;
    }
    if (type == JNT_BALL) n = 3;
    // the three axes of a ball turn with what moves them together
    ROLLED for (int k = 0; k < n; ++k) {
      load6(w.cdof + 8 * (d + k), axis);
      cross_motion(s, axis, c);
      axpy6(rate(d + k), c, a);
    }
    ROLLED for (int k = 0; k < n; ++k) {
      load6(w.cdof + 8 * (d + k), axis);
      axpy6(w.qvel[d + k], axis, s);
    }
  }
}

DEV void own_bias(int b, real* a) {
  own_bias(b, a, [](int d) { return WORLD.qvel[d]; });
}

// Wrench about the reference point of force `f` at `point`.
DEV void wrench_at(const real* point, const real* ref, const real* f, real* o) {
  real arm[3] = {point[0] - ref[0], point[1] - ref[1], point[2] - ref[2]};
  cross(arm, f, o);
  copy3(f, o + 3);
}

// Forces from outside on a body, about the reference point of its tree.
DEV void applied_wrench(int b, const real* xfrc, real* o) {
  for (int k = 0; k < 6; ++k) o[k] = 0;
  real com[3], t[6];
  body_com(b, com);
  const real* ref = WORLD.ref + 4 * tree_of(b);
#if HAS_GRAVCOMP
  if (body_gravcomp(b) != 0) {
    real s = -body_mass(b) * body_gravcomp(b), f[3] = {s * gravity(0), s * gravity(1), s * gravity(2)};
    wrench_at(com, ref, f, t);
    axpy6(1, t, o);
  }
#endif
#if HAS_FLUID
  if (b > 0) fluid_wrench(b, com, o);
#endif
#if HAS_FLUID_SLOPE
  if (b > 0) fluid_slope(b, com);
#endif
  if (xfrc) {
    real f[3] = {xfrc[6 * b], xfrc[6 * b + 1], xfrc[6 * b + 2]};
    wrench_at(com, ref, f, t);
    axpy6(1, t, o);
    for (int k = 0; k < 3; ++k) o[k] += xfrc[6 * b + 3 + k];
  }
}

// Without `outside`: forces of velocities and of gravity alone, and of a fluid what changes with velocities without
// symmetry.
DEV void velocities_and_bias(const real* xfrc, bool outside = true) {
  World& w = WORLD;
  body_motion(PLACE(w.qvel));
  FORB(r, b) {
    real v[6];
    load6(w.body + 8 * b, v);
    store6(w.vel + 8 * b, v);
  }
  TREE_SYNC();
  FORB(r, b) {
    real a[6] = {0, 0, 0, 0, 0, 0};
    if (b > 0) {
      own_bias(b, a);
      if (body_parentid(b) == 0) {
        a[3] -= gravity(0);
        a[4] -= gravity(1);
        a[5] -= gravity(2);
      }
    }
    store6(w.body + 8 * b, a);
  }
  sum_down();
#if HAS_TENDON_ARMATURE
  FORB(r, b) {
    real a[6];
    load6(w.body + 8 * b, a);
    if (b > 0)
      for (int k = 0; k < 3; ++k) a[3 + k] += gravity(k);
    store6(w.coriolis + 8 * b, a);
  }
#endif
  FORB(r, b) {
    real a[6], v[6], f[6], m[6], c[6], i[12];
    load6(w.body + 8 * b, a);
    load6(w.vel + 8 * b, v);
    for (int k = 0; k < 12; k += 4) load4(w.inert + 12 * b + k, i + k);
    inertia_mul(i, a, f);
    inertia_mul(i, v, m);
    cross_force(v, m, c);
    for (int k = 0; k < 6; ++k) f[k] += c[k];
    if (outside && (HAS_GRAVCOMP || HAS_FLUID || xfrc)) {
      real t[6];
      applied_wrench(b, b > 0 ? xfrc : nullptr, t);
      axpy6(-1, t, f);
    }
#if HAS_FLUID_SKEW
    if (!outside) ROLLED
      for (int k = 0; k < 36; ++k) f[k / 6] -= w.skew[36 * b + k] * v[k % 6];
#endif
    store6(w.body + 8 * b, f);
  }
  TREE_SYNC();
  sum_up<8, 6>(w.body);
}

// Spring of a joint, at dof `d`.
DEV real joint_spring(int d) {
  World& w = WORLD;
  const int j = dof_jntid(d), type = jnt_type(j), adr = jnt_qposadr(j), k = d - jnt_dofadr(j);
  const real stiffness = jnt_stiffness(j);
  if (stiffness == 0) return 0;
  if (!HAS_BALL_SPRING || type == JNT_HINGE || type == JNT_SLIDE) return -stiffness * (w.qpos[adr] - qpos_spring(adr));
  if (type == JNT_FREE && k < 3) return -stiffness * (w.qpos[adr + k] - qpos_spring(adr + k));
  const int a = adr + (type == JNT_FREE ? 3 : 0);
  real q[4] = {w.qpos[a], w.qpos[a + 1], w.qpos[a + 2], w.qpos[a + 3]},
       rest[4] = {qpos_spring(a), -qpos_spring(a + 1), -qpos_spring(a + 2), -qpos_spring(a + 3)}, dif[4], v[3];
  quat_unit(q);
  quat_mul(rest, q, dif);
  quat_log(dif, v);
  return -stiffness * v[k % 3];
}

// Rate of an activation. Filters with an exact step differ only in how they are integrated.
DEV real activation_rate(int u, real ctrl, real act) {
  switch (actuator_dyntype(u)) {
  case DYN_INTEGRATOR: return ctrl;
  case DYN_FILTER:
  case DYN_FILTEREXACT: return (ctrl - act) / r_max(actuator_dynprm(3 * u), MINVAL);
#if HAS_MUSCLE
  case DYN_MUSCLE:
    return muscle_dynamics(ctrl, act, actuator_dynprm(3 * u), actuator_dynprm(3 * u + 1), actuator_dynprm(3 * u + 2));
#endif
  }
  return 0;
}
DEV real next_activation(int u, real act, real rate) {
  real next = act + TIMESTEP * rate;
  if (actuator_dyntype(u) == DYN_FILTEREXACT) {
    real tau = r_max(actuator_dynprm(3 * u), MINVAL);
    next = act + rate * tau * (1 - r_exp(-TIMESTEP / tau));
  }
  return actuator_actlimited(u) ? r_clip(next, actuator_actrange(2 * u), actuator_actrange(2 * u + 1)) : next;
}

DEV real actuator_length_of(int u) {
  const int id = actuator_trnid(u);
  return actuator_gear(u) * (actuator_trntype(u) == TRN_TENDON ? WORLD.ten_len[id] : WORLD.qpos[jnt_qposadr(id)]);
}
DEV real actuator_velocity_of(int u) {
  const int id = actuator_trnid(u);
  return actuator_gear(u) * (actuator_trntype(u) == TRN_TENDON ? WORLD.ten_vel[id] : WORLD.qvel[jnt_dofadr(id)]);
}

#if NHISTORY > 0
// Control as it was a delay ago: a sum of samples around that time.
DEV real delayed_control(int u) {
  if (delay_samples(u) == 0) return WORLD.ctrl[u];
#if INTEGRATOR_RK4 // stages ask for different times
  const int row = 4 * (NU * WORLD.stage + u);
#else
  const int row = 4 * u;
#endif
  const real* samples = HISTORY + delay_start(u) - 1;
  real sum = 0;
  for (int k = 0; k < 4; ++k) sum += delay_weight(row + k) * samples[delay_age(row + k)];
  return sum;
}
// The controls of this step become the newest samples.
DEV void keep_controls() {
  FOR_LANES(u, NU)
    if (const int n = delay_samples(u); n > 0) {
      real* samples = HISTORY + delay_start(u);
      ROLLED for (int k = n - 1; k > 0; --k)
        samples[k] = samples[k - 1];
      samples[0] = WORLD.ctrl[u];
    }
}
#else
DEV real delayed_control(int u) { return WORLD.ctrl[u]; }
#endif
// Force of every actuator, and its derivative by the velocity of the actuator (for implicit integration).
DEV void actuation() {
  World& w = WORLD;
  FOR_LANES(u, NU) {
    real ctrl = delayed_control(u);
    if (actuator_ctrllimited(u)) ctrl = r_clip(ctrl, actuator_ctrlrange(2 * u), actuator_ctrlrange(2 * u + 1));
    real input = ctrl;
    const int a = actuator_actadr(u);
    if (a >= 0) {
      real rate = activation_rate(u, ctrl, w.act[a]);
      w.act_dot[a] = rate;
      input = actuator_actearly(u) ? next_activation(u, w.act[a], rate) : w.act[a];
    }
    const real len = actuator_length_of(u), vel = actuator_velocity_of(u);
    real gain = actuator_gainprm(10 * u), bias = 0, der = 0;
    if (actuator_gaintype(u) == GAIN_AFFINE) {
      gain += actuator_gainprm(10 * u + 1) * len + actuator_gainprm(10 * u + 2) * vel;
      der += actuator_gainprm(10 * u + 2) * (a < 0 ? w.ctrl[u] : input);
    }
#if HAS_MUSCLE
    if (actuator_gaintype(u) == GAIN_MUSCLE) {
      Muscle mu(u, true);
      gain = mu.gain(len, vel);
      der += mu.gain_velocity(len, vel) * (a < 0 ? w.ctrl[u] : input);
    }
#endif
    if (actuator_biastype(u) == BIAS_AFFINE) {
      bias = actuator_biasprm(10 * u) + actuator_biasprm(10 * u + 1) * len + actuator_biasprm(10 * u + 2) * vel;
      der += actuator_biasprm(10 * u + 2);
    }
#if HAS_MUSCLE
    if (actuator_biastype(u) == BIAS_MUSCLE) bias = Muscle(u, false).bias(len);
#endif
    real force = gain * input + bias;
#if HAS_TENDON_FRCLIMIT
    w.act_frc[u] = force;
    w.act_der[u] = der;
  }
  SYNC();
  // all actuators of a tendon are scaled when their sum is outside the tendon's range
  real scaled[SLOTS(NU + 1)];
  FOR_SLOTS(r, u, NU) {
    scaled[r] = w.act_frc[u];
    const int t = actuator_trnid(u);
    if (actuator_trntype(u) != TRN_TENDON || !tendon_actfrclimited(t)) continue;
    real sum = 0;
    ROLLED for (int i = ten_actadr(t); i < ten_actadr(t + 1); ++i)
      sum += w.act_frc[ten_act(i)];
    const real lo = tendon_actfrcrange(2 * t), hi = tendon_actfrcrange(2 * t + 1);
    if (sum != 0 && sum < lo) scaled[r] *= lo / sum;
    else if (sum != 0 && sum > hi) scaled[r] *= hi / sum;
  }
  SYNC();
  FOR_SLOTS(r, u, NU) {
    real force = scaled[r], der = w.act_der[u];
#endif
#if HAS_IDLE_GAINS
    if (actuator_off(u)) force = der = 0;
#endif
    if (actuator_forcelimited(u)) { // a force at its limit does not change with velocity
      const real lo = actuator_forcerange(2 * u), hi = actuator_forcerange(2 * u + 1);
      if (force <= lo || force >= hi) der = 0;
      force = r_clip(force, lo, hi);
    }
    w.act_frc[u] = force;
    w.act_der[u] = der;
  }
  SYNC();
}

#if HAS_CARRIED_LIMIT || HAS_IDLE_LIFT || (HAS_LIFT_SENSOR && NRESULT > 0)
// Gravity compensation of everything that a dof moves.
DEV_CALL real lift_of(int d) {
  const World& w = WORLD;
  real s[6], lift = 0;
  load6(w.cdof + 8 * d, s);
  ROLLED for (int b = 1; b < NB; ++b)
    if (body_gravcomp(b) != 0 && above(b, d)) {
      real com[3], t[6];
      body_com(b, com);
      const real m = -body_mass(b) * body_gravcomp(b), f[3] = {m * gravity(0), m * gravity(1), m * gravity(2)};
      wrench_at(com, w.ref + 4 * tree_of(b), f, t);
      lift += dot6(s, t);
    }
  return lift;
}
#endif
// Force of all actuators at a dof.
DEV real drive_of(int d) {
  const World& w = WORLD;
  real drive = 0;
  ROLLED for (int i = dof_actadr(d); i < dof_actadr(d + 1); ++i) {
    const int u = dof_act(i);
    drive += actuator_gear(u) * w.act_frc[u];
  }
#if HAS_TENDON_DRIVE && DRIVE_APART
  ROLLED for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i) {
    const int t = dof_ten(i);
    ROLLED for (int k = ten_actadr(t); k < ten_actadr(t + 1); ++k)
      drive += w.ten_J[dof_ten_entry(i)] * actuator_gear(ten_act(k)) * w.act_frc[ten_act(k)];
  }
#endif
  if (!DRIVE_APART) return drive;
  const int j = dof_jntid(d);
#if HAS_CARRIED_LIMIT // the limit is that of actuators and gravity compensation together; that stands among the forces
                      // on bodies already
  if (jnt_carried(j)) {
    const real lift = lift_of(d);
    return r_clip(drive + lift, jnt_actfrcrange(2 * j), jnt_actfrcrange(2 * j + 1)) - lift;
  }
#endif
  return jnt_actfrclimited(j) ? r_clip(drive, jnt_actfrcrange(2 * j), jnt_actfrcrange(2 * j + 1)) : drive;
}

// Everything but constraints, in generalised coordinates.
DEV void smooth_forces(const real* qfrc_applied) {
  World& w = WORLD;
  tendon_forces();
  FORD(r, d) {
    real f[6], s[6];
    load6(w.body + 8 * dof_bodyid(d), f);
    load6(w.cdof + 8 * d, s);
    real q = -dot6(s, f);
    if (DAMPERS) q -= dof_damping(d) * w.qvel[d];
    if (SPRINGS) q += joint_spring(d);
#if HAS_IDLE_LIFT // actuators that are missing or switched off carry nothing; what they should stands among the forces
                  // on bodies
    if (jnt_actgravcomp(dof_jntid(d))) q -= lift_of(d);
#endif
    UNROLL4 for (int i = dof_tenadr(d); i < dof_tenadr(d + 1); ++i)
      q += w.ten_J[dof_ten_entry(i)] * w.ten_frc[dof_ten(i)];
    q += drive_of(d);
    if (qfrc_applied) q += qfrc_applied[d];
    w.smooth[d] = q;
  }
  SYNC();
}
